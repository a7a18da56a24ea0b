r"""What costs nobody anything: networks trained and policies planned with public knowledge alone.

Days of the public simulator may be made in any number, so that networks are fitted to them by plain Adam, without clipping
and without noise. A private training that begins there has only to correct what the simulator has wrong (see
`.private_training`). The simulator is randomised for this: its people differ more than anybody believes, `RANDOMISED`, so
that what is learned in it holds for people whom it does not know.
"""

from dataclasses import replace

import numpy as np

from privrl_core.checks import generator, instance_of, number, positive, whole_number
from privrl_core.lazy import needs
from privrl_core.networks.clipping import squared_error
from privrl_core.networks.cloning import COPIED, dose_logit, policy_network
from privrl_core.networks.insulin import DAY, PUBLIC, UNITS, Clinic, Day, cohort, live, practice
from privrl_core.networks.planning import LARGEST_CHANGE
from privrl_core.networks.trajectories import Trajectories

with needs("networks"):
    import torch
    from torch import nn

__all__ = ["RANDOMISED", "body_network", "fitted", "cautious_policy", "explored_days"]

#: The public simulator with people who differ more: a standard deviation of 0.5 and 0.4 of the logs, for 0.3 and 0.3.
RANDOMISED = replace(PUBLIC, sensitivity_spread=0.5, rise_spread=0.4)


def body_network(seed: int) -> nn.Module:
    """An untrained network of the body, float32: the seven numbers of `.SEEN` in, 16 and 16 tanh units, and y, the change of
    log glucose, out; 417 weights. ``seed`` draws them, and torch's own generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(whole_number("seed", seed, least=0))
        return nn.Sequential(nn.Linear(len(UNITS), 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))


def fitted(model: nn.Module, people: Trajectories, rng: np.random.Generator, *, steps: int = 800,
           batch: int = 128) -> nn.Module:
    """``model`` itself, after ``steps`` of plain Adam on ``batch`` people each, drawn with ``rng`` with replacement.

    The rate falls from 0.01 to 0.0001 along a line, and labels are moved to within ±2.5, as a dream's changes are. It is
    **not private**: for people who are public, or for comparison. Raises ValueError for numbers out of range.
    """
    steps, batch = whole_number("steps", steps, least=1), whole_number("batch", batch, least=1)
    people, rng = instance_of(Trajectories, "people", people).to(dtype=torch.float32), generator("rng", rng)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(steps):
        chosen = people.people(rng.integers(0, len(people), batch))
        loss = squared_error(model(chosen.inputs), chosen.labels.clamp(-LARGEST_CHANGE, LARGEST_CHANGE))
        optimiser.zero_grad()
        ((chosen.weights * loss).sum() / batch).backward()
        optimiser.param_groups[0]["lr"] = 0.01 * (1 - step / steps) + 1e-4
        optimiser.step()
    return model


def cautious_policy(seed: int, *, share: float = 0.3, steps: int = 300) -> nn.Module:
    """A policy network, 16 tanh units, that gives about ``share`` of what practice gives: behaviour cloning of 400 days of
    the public simulator. Its output is the logit of a dose's share of 10 U, as `.private_policy_gradient` asks.

    Doses are moved to within 0.05 and 9.9 U before they are copied. ``seed`` draws days and weights. Raises ValueError
    unless ``share`` is in (0, 1] and ``steps`` at least 1.
    """
    seed, steps = whole_number("seed", seed, least=0), whole_number("steps", steps, least=1)
    if not 0 < number(positive, "share", share) <= 1:
        raise ValueError(f"share must be in (0, 1], got {share}")
    rng, policy = np.random.default_rng(seed), policy_network(seed)
    doctors, seen, given = practice(rng), [], []

    def dose(now):
        seen.append(now)
        given.append((share * doctors(now)).clamp(*COPIED))
        return given[-1]

    live(cohort(PUBLIC, 400, rng), dose)
    asked, logits = torch.stack(seen, 1).float(), dose_logit(torch.stack(given, 1).float())
    optimiser = torch.optim.Adam(policy.parameters(), lr=0.02)
    for _ in range(steps):
        optimiser.zero_grad()
        (policy(asked)[..., 0] - logits).square().mean().backward()
        optimiser.step()
    return policy


def explored_days(clinic: Clinic, people: int, rng: np.random.Generator, day: Day = DAY) -> Trajectories:
    """Days of a *simulator* under doses that nobody may try on people, float32, as `.logged_days` gives them. At each
    decision a coin says practice, or, in 30 % of cases, a dose from 0.3 to 8 U, uniform on a logarithmic scale, else none.

    A value function needs to have seen large doses without a meal, and no record has them. ValueError as in `.cohort`.
    """
    own, doctors = cohort(clinic, people, rng, day), practice(rng)

    def dose(seen):
        usual, draws = doctors(seen), rng.random((2, len(seen)))
        size = np.exp(rng.uniform(np.log(0.3), np.log(8), len(seen)))
        tried = torch.from_numpy(np.where(draws[0] < 0.3, size, 0.0)).to(seen)
        return torch.where(torch.from_numpy(draws[1] < 0.5), usual, tried)
    after, y = live(own, dose, day)
    return Trajectories(after, y[..., None], np.full(len(own), day.horizon)).to(dtype=torch.float32)
