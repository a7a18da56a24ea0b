r"""Pendulum, the standard task with continuous torque, logged by a mediocre policy, so that others can compare.

The dynamics are those of Gymnasium's ``Pendulum-v1``: with angle :math:`\theta` (0 is up), velocity :math:`\omega` and
torque :math:`u \in [-2, 2]`,

.. math:: \omega' = \bigl[\omega + (15 \sin\theta + 3 u)\, 0.05\bigr]_{-8}^{8}, \qquad \theta' = \theta + 0.05\, \omega',
          \qquad r = -(\theta^2 + 0.1\, \omega^2 + 0.001\, u^2),

for 200 steps, from an angle and a velocity drawn uniformly from :math:`[-\pi, \pi]` and [-1, 1]. One person is one episode.
What is learned from the log is everything: how :math:`(\cos\theta, \sin\theta, \omega)` move, and the reward. tests/networks
holds the dynamics against Gymnasium's own, step by step.
"""

from collections.abc import Callable

import numpy as np

from privrl_core.checks import generator, whole_number
from privrl_core.lazy import needs
from privrl_core.networks.trajectories import Trajectories

with needs("networks"):
    import torch
    from torch import nn

__all__ = ["swing", "starts", "returns", "logged_swings", "seen_pendulum", "mediocre", "controller",
           "with_public_kinematics", "dreamed_return", "train_controller"]

STEPS, DREAM, TIME, FASTEST, STRONGEST = 200, 40, 0.05, 8.0, 2.0
#: The public units of what a network is told, and of what it says: changes of (cos θ, sin θ, ω) in a step, and reward.
UNITS = torch.tensor([1.0, 1.0, FASTEST, STRONGEST])
CHANGES = torch.tensor([0.2, 0.2, 0.7, 8.0])


def starts(people: int, rng: np.random.Generator) -> torch.Tensor:
    """``[N, 2]``: angles and velocities at the start."""
    people = whole_number("people", people, least=1)
    return torch.from_numpy(generator("rng", rng).uniform((-np.pi, -1), (np.pi, 1), (people, 2)))


def swing(state: torch.Tensor, torque: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The next ``state[N, 2]``, angle and velocity, and the reward ``[N]`` of this step."""
    angle, velocity, torque = state[..., 0], state[..., 1], torque.clamp(-STRONGEST, STRONGEST)
    off = torch.remainder(angle + np.pi, 2 * np.pi) - np.pi
    reward = -(off.square() + 0.1 * velocity.square() + 0.001 * torque.square())
    velocity = (velocity + (15 * angle.sin() + 3 * torque) * TIME).clamp(-FASTEST, FASTEST)
    return torch.stack((angle + TIME * velocity, velocity), dim=-1), reward


def seen_pendulum(state: torch.Tensor) -> torch.Tensor:
    """``[..., 3]``: cosine and sine of the angle, and the velocity, as Gymnasium shows them."""
    return torch.stack((state[..., 0].cos(), state[..., 0].sin(), state[..., 1]), dim=-1)


def mediocre(rng: np.random.Generator) -> Callable:
    """A logging policy: it pushes in the direction of the swing, weakly, and tries something else all the time."""
    generator("rng", rng)
    return lambda seen: 0.3 * seen[..., 2].sign() + torch.from_numpy(1.5 * rng.standard_normal(seen.shape[:-1])).to(seen)


def swung(start, policy):
    """What was seen ``[N, H, 3]``, torques ``[N, H]``, rewards ``[N, H]``, and what was seen last, ``[N, 3]``."""
    state, seen, torques, rewards = start, [], [], []
    for _ in range(STEPS):
        seen.append(seen_pendulum(state))
        torques.append(policy(seen[-1]).clamp(-STRONGEST, STRONGEST))
        state, reward = swing(state, torques[-1])
        rewards.append(reward)
    return torch.stack(seen, 1), torch.stack(torques, 1), torch.stack(rewards, 1), seen_pendulum(state)


def returns(policy: Callable, start: torch.Tensor) -> torch.Tensor:
    """``[N]``: the return of each start under a policy of what is seen, ``[N, 3]``, to a torque ``[N]``."""
    with torch.no_grad():
        return swung(start, policy)[2].sum(dim=1)


def logged_swings(people: int, rng: np.random.Generator) -> Trajectories:
    """Episodes of `mediocre`: ``inputs[N, 200, 4]``, what was seen and the torque, in public units; ``labels[N, 200, 4]``,
    the changes of what is seen and the reward, in public units; float32."""
    seen, torque, reward, last = swung(starts(people, rng), mediocre(rng))
    after = torch.cat((seen[:, 1:], last[:, None]), dim=1)
    inputs = torch.cat((seen, torque[..., None]), dim=-1) / UNITS
    labels = torch.cat((after - seen, reward[..., None]), dim=-1) / CHANGES
    return Trajectories(inputs.float(), labels.float(), np.full(people, STEPS))


def controller(seed: int) -> nn.Module:
    """A policy network of what is seen, in public units; torque in units of 2. Torch's own generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1), nn.Tanh())


def with_public_kinematics(model: Callable) -> Callable:
    """A model of the change of velocity alone, ``[..., 4]`` to ``[..., 1]`` in public units, completed by what is public:
    how an angle moves, and the reward. The completed model gives ``[..., 4]``, as the labels of `logged_swings`."""
    def complete(asked):
        seen = asked[..., :3] * UNITS[:3]
        angle = torch.atan2(seen[..., 1], seen[..., 0])
        velocity = (seen[..., 2] + model(asked)[..., 0] * CHANGES[2]).clamp(-FASTEST, FASTEST)
        after = seen_pendulum(torch.stack((angle + TIME * velocity, velocity), dim=-1))
        _, reward = swing(torch.stack((angle, seen[..., 2]), dim=-1), asked[..., 3] * UNITS[3])
        return torch.cat((after - seen, reward[..., None]), dim=-1) / CHANGES
    return complete


def dreamed_return(model: Callable, policy: nn.Module, start: torch.Tensor, steps: int = STEPS) -> torch.Tensor:
    """``[N]``: the returns over ``steps`` that a model dreams, and their gradient in the policy. What is seen is kept within
    its public range: the unit circle, and the fastest velocity."""
    seen, total = seen_pendulum(start).float() / UNITS[:3], 0.0
    for _ in range(steps):
        said = model(torch.cat((seen, policy(seen)), dim=-1)) * CHANGES
        seen = seen + said[..., :3] / UNITS[:3]
        circle = seen[..., :2] / seen[..., :2].norm(dim=-1, keepdim=True).clamp(min=1e-3)
        seen = torch.cat((circle, seen[..., 2:].clamp(-1, 1)), dim=-1)
        total = total + said[..., 3].clamp(max=0)
    return total


def train_controller(model: Callable, rng: np.random.Generator, *, steps: int = 400, people: int = 64, rate: float = 0.02,
                     seed: int = 0) -> nn.Module:
    """A policy network planned in a model by ``steps`` of Adam, each on dreamed episodes of ``people``: post-processing.

    A dream is two seconds long and begins anywhere: through 200 steps the gradient of a swing is chaotic. Length, speed and
    rate were chosen in the true dynamics, which are public knowledge in this task.
    """
    policy, fastest = controller(seed), FASTEST / 2
    optimiser = torch.optim.Adam(policy.parameters(), lr=rate)
    for step in range(steps):
        optimiser.zero_grad()
        start = torch.from_numpy(rng.uniform((-np.pi, -fastest), (np.pi, fastest), (people, 2)))
        (-dreamed_return(model, policy, start, DREAM).mean() / DREAM).backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        for group in optimiser.param_groups:
            group["lr"] = rate * (0.55 + 0.45 * np.cos(np.pi * step / steps))
        optimiser.step()
    return policy
