r"""Fitted Q: the value of a dose, learned from the records by noisy clipped sums, without a model of the body.

:math:`Q_\theta` is a network of the seven numbers *after* a dose and a meal (`.insulin.with_dose`), so that one function has
all doses. With a public grid of doses and a public discount :math:`\gamma`, round k = 1, ..., K sets person i's targets

.. math:: T_{it} = r_{it} + \gamma \max_{a \in \text{grid}} Q_{\theta_{k-1}}\bigl(\text{after}(x_{i,t+1}, a)\bigr), \qquad
          T_{iD} = \sum_{t \ge D} \gamma^{t - D} r_{it} ,

with :math:`r` minus the risk in units of ten: after the last decision the day only ends, and with it the value. A target
whose right side was not recorded, because the sensor failed, counts nothing. Then J steps of DP-SGD, as in
`.private_training`, move :math:`\theta_{k-1}` to :math:`\theta_k` by the squared error to these targets.

**Guarantee.** Unit: one trajectory; add or remove one, or replace one; central. *Proof.* All of :math:`\theta_1, \dots,
\theta_K` are published. In round k person i's targets are a function of person i's own day and of :math:`\theta_{k-1}`,
which is public by then, and so is person i's gradient in each step, at the present iterate. So each of the K J sums has one
vector for each person, at most C long, which depends on nobody else and on what was published before; the noise of step j is
independent of all that. That is adaptive composition of K J sampled Gaussian sums, and the noise multiplier is that of K J
steps at once (`.accounting`). The divisor is public, the grid and the discount are, and the greedy policy is
post-processing. What is not covered: rounds or settings chosen by the records, and the errors of Q measured on them.

The rule is fitted Q iteration (Ernst, Geurts & Wehenkel 2005; Riedmiller 2005), from memory; the proof is the one above.
"""

from collections.abc import Callable

import numpy as np

from privrl_core.checks import nonnegative, number, open_unit, whole_number
from privrl_core.lazy import needs
from privrl_core.networks.accounting import noise_multiplier
from privrl_core.networks.insulin import (
    DAY,
    LARGEST_DOSE,
    RISK,
    UNITS,
    Day,
    doses_given,
    glucose_of,
    kovatchev_risk,
    with_dose,
)
from privrl_core.networks.private_training import ROUNDING, NetworkRelease, promise, trained, with_parameters
from privrl_core.networks.trajectories import Trajectories
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE, Neighbours
from privrl_core.privacy.release import AddedNoise

with needs("networks"):
    import torch
    from torch import nn

__all__ = ["DOSE_GRID", "q_targets", "dp_fitted_q", "fitted_q_non_private", "greedy_dose"]

#: Doses in U among which a policy of Q chooses. Public.
DOSE_GRID = (0.0, 0.5, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0)


def q_targets(model: nn.Module, records: Trajectories, *, discount: float, doses=DOSE_GRID, day: Day = DAY) -> Trajectories:
    """One round's targets: ``inputs[N, D, 7]`` after each dose and ``labels[N, D, 2]``, the target and 1, or zeros where
    what follows was not recorded. Each person's from that person's day alone; private data.

    ``records`` as `.logged_days` gives them, ``discount`` in (0, 1), ``doses`` in U. ValueError for numbers out of range.
    """
    discount, grid = number(open_unit, "discount", discount), _grid(doses)
    before = doses_given(records, day)  # of what is seen at the next decision, before its dose
    after, lengths, last = records.inputs, records.lengths, day.decisions - 1
    glucose = glucose_of(after[..., :1] + records.labels[..., :1])
    reward = -kovatchev_risk(glucose, day)[..., :day.horizon] / RISK
    with torch.no_grad():
        ahead = _values(model, before.inputs[:, 1:], grid).amax(dim=-1)
    fades = discount ** torch.arange(day.horizon - last).to(reward)
    target = torch.cat((reward[:, :last] + discount * ahead, (reward[:, last:] @ fades)[:, None]), dim=1)
    steps = torch.arange(day.decisions, device=after.device)
    known = torch.where(steps < last, steps + 1 < lengths[:, None], (lengths == day.horizon)[:, None])
    labels = torch.stack((torch.where(known, target, 0.0), known.to(target)), dim=-1)
    return Trajectories(after[:, :day.decisions], labels, before.lengths)


def known_error(outputs: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """``[...]``: the squared error to the target at each step, 0 where it is not known."""
    return labels[..., 1] * (outputs[..., 0] - labels[..., 0]).square()


def dp_fitted_q(model: nn.Module, records: Trajectories, *, epsilon: float, delta: float, rounds: int, steps: int,
                clip: float, sampling: float, nominal_size: int, learning_rate: float, discount: float,
                sample_rng: np.random.Generator, noise_rng: np.random.Generator,
                neighbours: Neighbours = ADD_OR_REMOVE_ONE, doses=DOSE_GRID, day: Day = DAY) -> NetworkRelease:
    r"""Train a copy of ``model``, seven numbers in and one out, from its present parameters, which must be public, in K =
    ``rounds`` of J = ``steps``. The last round's network is published, and the others may be.

    ``records`` as `.logged_days` gives them; ``discount`` :math:`\gamma` in (0, 1); ``doses`` in U; the rest as in
    `.dp_sgd`. ValueError for numbers out of range and models as there.
    """
    rounds, steps = whole_number("rounds", rounds, least=1), whole_number("steps", steps, least=1)
    account = dict(delta=delta, sampling=sampling, steps=rounds * steps, neighbours=neighbours)
    noise = noise_multiplier(epsilon, **account)
    found = _fitted(model, records, noise, rounds, discount=discount, doses=doses, day=day, clip=clip, sampling=sampling,
                    steps=steps, nominal_size=nominal_size, learning_rate=learning_rate, sample_rng=sample_rng,
                    noise_rng=noise_rng)
    return NetworkRelease(parameters=found, guarantees=(promise(noise, clip, **account),),
                          noise=AddedNoise("gaussian", noise * clip * ROUNDING))


def fitted_q_non_private(model: nn.Module, records: Trajectories, *, rounds: int, steps: int, clip: float, sampling: float,
                         nominal_size: int, learning_rate: float, discount: float, sample_rng: np.random.Generator,
                         doses=DOSE_GRID, day: Day = DAY) -> np.ndarray:
    """``parameters[P]`` of the same training without noise, for the price of privacy."""
    return _fitted(model, records, 0.0, whole_number("rounds", rounds, least=1), discount=discount, doses=doses, day=day,
                   clip=clip, sampling=sampling, steps=whole_number("steps", steps, least=1), nominal_size=nominal_size,
                   learning_rate=learning_rate, sample_rng=sample_rng, noise_rng=np.random.default_rng())


def _fitted(model, records, noise, rounds, *, discount, doses, day, **options):
    for _ in range(rounds):
        days = q_targets(model, records, discount=discount, doses=doses, day=day)
        parameters = trained(model, known_error, days, noise, **options)
        model = with_parameters(model, parameters)
    return parameters


def greedy_dose(model: nn.Module, *, smoothing: float = 0.0, doses=DOSE_GRID) -> Callable:
    r"""The policy of a network of Q: of what is ``seen[..., 7]`` the dose of the grid with the largest value, or, with
    ``smoothing`` :math:`\tau > 0`, the mean dose under weights :math:`e^{Q/\tau}`. Post-processing. ValueError for a
    smoothing below 0 and for doses outside 0 to 10 U."""
    smoothing, grid = number(nonnegative, "smoothing", smoothing), _grid(doses)

    def dose(seen):
        with torch.no_grad():
            values = _values(model, seen.to(next(model.parameters())), grid)
        if not smoothing:
            return grid.to(seen)[values.argmax(dim=-1)]
        return torch.softmax(values.to(seen) / smoothing, dim=-1) @ grid.to(seen)
    return dose


def _values(model, seen, grid):
    """``[..., A]``: the value of each dose of the grid."""
    many = seen[..., None, :].expand(*seen.shape[:-1], len(grid), len(UNITS))
    return model(with_dose(many, grid.to(seen).expand(many.shape[:-1])))[..., 0]


def _grid(doses):
    grid = np.asarray(doses, dtype=float)
    if grid.ndim != 1 or not grid.size or not ((grid >= 0) & (grid <= LARGEST_DOSE)).all():
        raise ValueError(f"doses must be a list of numbers from 0 to {LARGEST_DOSE:g}, got {doses}")
    return torch.from_numpy(grid)
