r"""Planning: a policy network trained by backpropagation through days that a model dreams. All of it is post-processing.

A model of the body says how log glucose changes, y, from the seven numbers after dose and meal (`.insulin`); everything else
of a day is public. So a day can be dreamed, and the mean loss of dreamed days has a gradient in the policy's weights. A
model that was published privately can be asked as often as one likes: plans cost no privacy, and of several the best by the
model's own score may be kept.

In a dream people differ as they do in the public simulator: what the model is told of insulin and of meals is multiplied by
:math:`e^{0.3 z}` and :math:`e^{0.3 z'}`, with z and z' drawn once for each dreamed person. Without that the dream knows only
the average person, who is easily treated, and the plan sends sensitive people low: planned in a model of the public
simulator, and living there, below 70 mg/dL for 3.0 % of the time without it and for 1.1 % with it.

The loss of a plan is Kovatchev's risk with lows counted ``lows`` times, continued beyond its caps by straight lines in log
glucose: at a cap without slope an overdose would be a place without a way out. That lows count once is enough was seen in
the public simulator alone (bench/insulin.py); no record was looked at.

Policies of one shape are kept as tensors with a leading axis of plans and planned side by side, as a plan takes a
hundred thousand tiny operations, whose cost is hardly their arithmetic.
Planning through learned dynamics is old (PILCO, Deisenroth & Rasmussen 2011; SVG, Heess et al. 2015, arXiv 1510.09142), from
memory and not checked against the texts; after a model learned by DP-SGD it is PriMORL's second step (Rio et al. 2024, arXiv
2402.05525, read in summaries only).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from privrl_core.checks import generator, instance_of, nonnegative, number, positive, whole_number
from privrl_core.lazy import needs
from privrl_core.networks.insulin import (
    DAY,
    LARGEST_DOSE,
    PUBLIC,
    REFERENCE,
    SPREAD,
    UNITS,
    Clinic,
    Day,
    cohort,
    live,
    meals,
    seen_next,
    with_dose,
)
from privrl_core.networks.outcomes import evaluate

with needs("networks"):
    import torch

__all__ = ["Policies", "Plan", "random_policies", "dreamed_days", "simulated_days", "plan", "best_plans", "public_gate",
           "side_by_side", "planning_loss"]

Days = Callable[["Policies", int, np.random.Generator], torch.Tensor]
LARGEST_CHANGE = 2.5  # of y: a factor of 2.1 of glucose in half an hour
HIDDEN = 16


@dataclass(frozen=True, eq=False)
class Policies:
    r"""Plans, each a network of 16 hidden units: the dose is :math:`10\,\sigma(w^\top \tanh(W x + c) + b)` U of the seven
    numbers x. ``hidden[P, 7, 16]``, ``shift[P, 1, 16]``, ``out[P, 16, 1]`` and ``bias[P, 1, 1]``.

    Called with ``seen[N, 7]`` or ``seen[P, N, 7]`` they give doses ``[P, N]``. ValueError for other shapes.
    """

    hidden: torch.Tensor
    shift: torch.Tensor
    out: torch.Tensor
    bias: torch.Tensor

    def __post_init__(self):
        plans = len(self.hidden)
        shapes = (plans, len(UNITS), HIDDEN), (plans, 1, HIDDEN), (plans, HIDDEN, 1), (plans, 1, 1)
        for name, shape in zip(("hidden", "shift", "out", "bias"), shapes):
            if tuple(getattr(self, name).shape) != shape:
                raise ValueError(f"{name} must have shape {list(shape)}, got {list(getattr(self, name).shape)}")

    def __len__(self) -> int:
        return len(self.hidden)

    def __call__(self, seen: torch.Tensor) -> torch.Tensor:
        w, c, v, b = (each.to(seen) for each in self.parts)
        return LARGEST_DOSE * torch.sigmoid(torch.tanh(seen @ w + c) @ v + b)[..., 0]

    @property
    def parts(self) -> tuple[torch.Tensor, ...]:
        return self.hidden, self.shift, self.out, self.bias

    def __getitem__(self, chosen) -> "Policies":
        """Some of the plans: a list of indices, a slice, or one index."""
        chosen = [chosen] if isinstance(chosen, int) else chosen
        return Policies(*(each[chosen] for each in self.parts))

    def repeated(self, models: int) -> "Policies":
        """All plans again for each of several models: ``models * len(self)`` plans. ValueError unless ``models`` is at least
        1."""
        return Policies(*(each.repeat(whole_number("models", models, least=1), 1, 1) for each in self.parts))


def random_policies(plans: int, rng: np.random.Generator) -> Policies:
    """Plans to start from, which give about half a unit whatever they see. ValueError unless ``plans`` is at least 1."""
    plans, rng = whole_number("plans", plans, least=1), generator("rng", rng)
    shapes = (plans, len(UNITS), HIDDEN), (plans, 1, HIDDEN), (plans, HIDDEN, 1)
    hidden, shift, out = (torch.from_numpy(rng.uniform(-1, 1, shape) / np.sqrt(scale)).float()
                          for shape, scale in zip(shapes, (len(UNITS), len(UNITS), HIDDEN)))
    return Policies(hidden, shift, out, torch.full((plans, 1, 1), -3.0))


def planning_loss(glucose_log: torch.Tensor, lows: float, day: Day = DAY) -> torch.Tensor:
    """The loss of a plan at each log glucose (natural, of mg/dL): Kovatchev's risk, ``lows`` times where glucose is below
    112.5, and beyond the caps of the day the tangents."""
    kept = glucose_log.clamp(np.log(day.lowest), np.log(day.highest))
    f = 1.509 * (kept**1.084 - 5.381)
    slope = 20 * f * 1.509 * 1.084 * kept**0.084
    risk = 10 * f.square() + slope.detach() * (glucose_log - kept)
    return torch.where(f < 0, lows, 1.0) * risk


def dreamed_days(model: Callable, *, spread: float = 0.3, noise: float = 0.05, day: Day = DAY) -> Days:
    """Days dreamed by a model of y, ``[plans, N, 7]`` to ``[plans, N, 1]``, which may hold one model for each plan.

    People differ by ``spread``; ``noise`` is the standard deviation of what is added to log glucose in half an hour. Both
    are public, at least 0, with defaults chosen in the public simulator. What the model predicts is moved to within ±2.5.
    Natural log of glucose, ``[plans, N, H]``, comes out.
    """
    spread, noise = number(nonnegative, "spread", spread), number(nonnegative, "noise", noise)
    start = np.log(150 / REFERENCE) / SPREAD

    def days(policies, people, rng):
        weights = policies.hidden
        like = weights.detach()
        eaten = torch.from_numpy(meals(people, rng, day)).to(like)
        shocks = torch.from_numpy(noise / SPREAD * rng.standard_normal((people, day.horizon))).to(like)
        first = torch.from_numpy(start + 0.25 / SPREAD * rng.standard_normal(people)).to(like)
        person = torch.ones(people, 7).to(like)
        person[:, 2:5] = torch.from_numpy(np.exp(spread * rng.standard_normal((people, 1)))).to(like)
        person[:, 5:] = torch.from_numpy(np.exp(spread * rng.standard_normal((people, 1)))).to(like)
        zero = torch.zeros_like(first)
        seen = torch.stack((first, zero, zero, zero, zero, eaten[:, 0] / UNITS[5], zero), dim=-1)
        seen = seen.expand(len(weights), -1, -1)
        passed = []
        for t in range(day.horizon):
            if t < day.decisions:
                seen = with_dose(seen, policies(seen))
            y = model(seen * person)[..., 0].clamp(-LARGEST_CHANGE, LARGEST_CHANGE) + shocks[:, t]
            passed.append(seen[..., 0] + y)
            coming = eaten[:, t + 1] if t + 1 < day.horizon else zero
            seen = seen_next(seen, y, coming.expand(y.shape))
        return np.log(REFERENCE) + SPREAD * torch.stack(passed, dim=-1)
    return days


def simulated_days(clinic: Clinic = PUBLIC, day: Day = DAY) -> Days:
    """Days in a simulator that can be differentiated, for planning without any record. Give it wide spreads, and it is
    randomised. For the true clinic it is an oracle, which nobody has."""
    instance_of(Clinic, "clinic", clinic)

    def days(policies, people, rng):
        after, y = live(cohort(clinic, people, rng, day), policies, day)
        return np.log(REFERENCE) + SPREAD * (after[..., 0] + y)
    return days


@dataclass(frozen=True, eq=False)
class Plan:
    """The ``policies`` that were planned, and the mean loss of each in fresh days of its own model, ``score[P]``."""

    policies: Policies
    score: np.ndarray = field(repr=False)


def plan(days: Days, start: Policies, rng: np.random.Generator, *, steps: int = 200, people: int = 64, rate: float = 0.02,
         lows: float = 1.0, day: Day = DAY) -> Plan:
    """Train every plan of ``start`` by ``steps`` of Adam, each on fresh ``days`` of ``people``, the same for all plans.

    The learning ``rate`` falls to a tenth along a cosine, and gradients are cut to length 1 for each plan. Scores are of 512
    fresh days. Raises ValueError for numbers out of range, and if a loss is not finite.
    """
    steps, people = whole_number("steps", steps, least=0), whole_number("people", people, least=1)
    rate, lows, rng = number(positive, "rate", rate), number(positive, "lows", lows), generator("rng", rng)
    weights = [each.detach().clone().requires_grad_() for each in instance_of(Policies, "start", start).parts]
    optimiser = torch.optim.Adam(weights, lr=rate)
    for step in range(steps):
        loss = planning_loss(days(Policies(*weights), people, rng), lows, day).mean(dim=(1, 2))
        if not loss.isfinite().all():
            raise ValueError(f"days must have a finite loss, got {loss.tolist()} at step {step}: is the model finite?")
        optimiser.zero_grad()
        loss.sum().backward()
        length = sum(each.grad.flatten(1).square().sum(dim=1) for each in weights).sqrt()
        for each in weights:
            each.grad /= length.clamp(min=1)[:, None, None]
        for group in optimiser.param_groups:
            group["lr"] = rate * (0.55 + 0.45 * np.cos(np.pi * step / steps))
        optimiser.step()
    planned = Policies(*(each.detach() for each in weights))
    with torch.no_grad():
        score = planning_loss(days(planned, 512, rng), lows, day).mean(dim=(1, 2))
    return Plan(planned, score.double().numpy())


def best_plans(found: Plan, starts: int) -> Policies:
    """Of each model's ``starts`` plans, which stand together, the one with the least loss in the model's own days.
    ValueError unless the plans are whole groups of ``starts``."""
    starts = whole_number("starts", starts, least=1)
    if len(found.score) % starts:
        raise ValueError(f"starts must divide the {len(found.score)} plans, got {starts}")
    groups = np.where(np.isfinite(found.score), found.score, np.inf).reshape(-1, starts)
    return found.policies[(groups.argmin(axis=1) + starts * np.arange(len(groups))).tolist()]


def public_gate(policies: Policies, *, largest_risk: float = 5.0, people: int = 500, seed: int = 0,
                day: Day = DAY) -> np.ndarray:
    """``[P]``: whether each plan may pass: its risk in the public simulator is at most ``largest_risk``. It asks no record,
    so refusing costs nothing; replace what is refused by a public policy.

    Noise can make a model in which insulin does nothing, or raises glucose, and a plan of it gives none, or all. There the
    best constant dose has a risk of 4.0, no insulin 12.7; the default allows a quarter more than the first, as a plan
    for people who are resistant gives the public ones rather much. For another day the risks differ.
    """
    largest_risk = number(positive, "largest_risk", largest_risk)
    return np.array([evaluate(policies[i], PUBLIC, people, np.random.default_rng(seed), day).risk <= largest_risk
                     for i in range(len(policies))])


def _is_tanh_network(model):
    return type(model) is torch.nn.Sequential and all(
        type(layer) is torch.nn.Tanh or type(layer) is torch.nn.Linear and layer.bias is not None
        and list(layer._parameters) == ["weight", "bias"] for layer in model) and not any(
        each._forward_hooks or each._forward_pre_hooks for each in (model, *model))


def _stacked(layers, copies):
    """One layer of all networks, ``[plans, N, n]`` to ``[plans, N, m]``."""
    if type(layers[0]) is torch.nn.Tanh:
        return torch.tanh
    weights, shifts = (torch.stack(each).detach().repeat_interleave(copies, dim=0) for each in (
        [layer.weight.mT for layer in layers], [layer.bias[None] for layer in layers]))
    return lambda x: torch.baddbmm(shifts, x, weights)


def side_by_side(models: list, copies: int = 1) -> Callable:
    """Networks of one architecture as one model of ``copies`` plans for each: ``[len(models) * copies, N, 7]`` in, the same
    with one number out. ValueError if there is none.

    Sequences of linear layers and tanh go by stacked products, 1.2 to 1.9 times as fast as ``vmap``, which takes the others.
    """
    from torch.func import functional_call, stack_module_state, vmap

    if not models:
        raise ValueError("models must hold at least one network, got none")
    copies = whole_number("copies", copies, least=1)
    if all(_is_tanh_network(each) for each in models) and len({str(each) for each in models}) == 1:
        layers = [_stacked(same, copies) for same in zip(*models)]
        return lambda x: reduce(lambda seen, layer: layer(seen), layers, x)
    parameters, buffers = stack_module_state(list(models))
    state = {name: each.detach().repeat_interleave(copies, dim=0) for name, each in (parameters | buffers).items()}
    ask = vmap(lambda weights, x: functional_call(models[0], weights, (x,)))
    return lambda x: ask(state, x)
