r"""Private-UCB-VI, with central and with local noise, in the form that was restored from memory.

**From memory, not checked against the text**: the paper's formulas could not be read (its abstract and its table of regrets
could). With :math:`T = KH`, failure probability :math:`\beta`, and natural logarithms,

.. math:: E = \frac{3H}{\varepsilon}\sqrt{8 \ln^3 K\, \ln\frac{6 S^2 A T}{\beta}} \text{ (central)}, \qquad
          E = \frac{3H}{\varepsilon}\sqrt{8 K \ln\frac{6 S^2 A T}{\beta}} \text{ (local)}, \qquad
          L = \sqrt{2 \ln\frac{4SAT}{\beta}},

.. math:: Q_h = \min\Bigl(H - h,\ \frac{\tilde r + \sum_{s'} \tilde n_{s'} V_{h+1}(s')}{\tilde n + E} + b\Bigr), \qquad
          b = \frac{L + HL}{\sqrt{\tilde n + E}} + \frac{4E + H(S + 2)E}{\tilde n + E},

where n, :math:`n_{s'}` and r are noisy: visits of pairs and triples and sums of rewards, all by step. Ties are broken at
random (`.greedy`). Since :math:`b \ge H` while :math:`\tilde n + E \le (S + 2)E`, every index is cut off until person SE,
whatever the data: see `.PrintedBound.blind_until`. Without noise (E = 0) the rest of b does the same for tens of
thousands of people.

**The promise.** Replacing a person moves the three families by 6H in L1, twice what the width of the noise allows for. So
the guarantee that comes with the runs is :math:`2\varepsilon`; it is :math:`\varepsilon` for adding or removing one. (Other
readings of the central one exist: see chapters/05_online/evidence.)

Source: Chowdhury & Zhou (2022), "Differentially Private Regret Minimization in Episodic Markov Decision Processes".
"""

from dataclasses import dataclass

import numpy as np

from privrl_core.checks import generator, number, open_unit, positive, set_fields, whole_number
from privrl_core.online.counters import PERSON
from privrl_core.online.days import count_many_days_non_private
from privrl_core.online.factors import BinaryTree
from privrl_core.online.policies import exact_values, greedy
from privrl_core.online.sensitivity import PER_STEP, table_sensitivity
from privrl_core.online.treatment_runs import ASSUMES, TreatmentRuns, clinic, release_times
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Model, Status
from privrl_core.privacy.joint import billboard
from privrl_core.privacy.release import AddedNoise
from privrl_core.world.models import EpisodicMDP

__all__ = ["PrintedBound", "private_ucb_vi_as_printed", "ucb_vi_as_printed_non_private"]


@dataclass(frozen=True)
class PrintedBound:
    r"""The bound E on the noise of all counts together, for K = ``n_people``, and what follows from it.

    ``model`` is ``Model.JOINT`` (a central tree) or ``Model.LOCAL``. Sizes and people are whole numbers of at least 1,
    ``epsilon > 0``, ``failure`` :math:`\beta` in (0, 1); ValueError otherwise.
    """

    horizon: int
    n_states: int
    n_actions: int
    epsilon: float
    failure: float = 0.1
    model: Model = Model.JOINT

    def __post_init__(self):
        for name in ("horizon", "n_states", "n_actions"):
            set_fields(self, **{name: whole_number(name, getattr(self, name), least=1)})
        set_fields(self, epsilon=number(positive, "epsilon", self.epsilon))
        set_fields(self, failure=number(open_unit, "failure", self.failure))
        if self.model is not Model.JOINT and self.model is not Model.LOCAL:
            raise ValueError(f"model must be joint or local, got {self.model}")

    def bound(self, n_people: int) -> float:
        """E for so many people."""
        people = whole_number("n_people", n_people, least=2)
        log = np.log(6 * self.n_states**2 * self.n_actions * people * self.horizon / self.failure)
        growth = np.log(people) ** 3 if self.model is Model.JOINT else people
        return float(3 * self.horizon / self.epsilon * np.sqrt(8 * growth * log))

    def blind_until(self, n_people: int) -> float:
        r"""S E: outside the failure probability :math:`\tilde n + E \le k + 2E`, so that nobody up to person S E is treated
        by what was learned. RiverSwim at ε = 1 and K = 20,000: 146,357.8."""
        return self.n_states * self.bound(n_people)

    def always_blind_up_to(self) -> int:
        """The largest K with K <= S E(K): so many people, and nobody is treated by what was learned. RiverSwim at ε = 1:
        212,696. (log₂ in place of ln, two families in place of three, or half of E: 403,099, 132,296 and 94,280.)"""
        low, high = 2, 4
        while self.blind_until(high) >= high:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.blind_until(middle) >= middle else (low, middle)
        return low


def private_ucb_vi_as_printed(world: EpisodicMDP, n_people: int, *, epsilon: float, rng: np.random.Generator,
                              noise_rng: np.random.Generator, model: Model = Model.JOINT, failure: float = 0.1,
                              known_people: int | None = None, times: np.ndarray | None = None,
                              runs: int = 1) -> TreatmentRuns:
    r"""The restored algorithm, with a plan after each of ``times``, by default whenever people have grown by a tenth.

    ``model``: ``Model.JOINT``, where each cell is counted by a binary tree with Laplace noise of scale 3HL/ε in each of its
    :math:`L = \lfloor\log_2 K\rfloor + 1` levels, or ``Model.LOCAL``, where each person adds Laplace noise of scale 3H/ε to
    each cell. K is ``known_people`` (None: ``n_people``), for which noise and E are made. The guarantee is of that model,
    with :math:`2\varepsilon` (see above). Its time does not grow with the number of people between plans.

    As printed it plans for each person. While all indices are cut off this changes nothing, and later little.
    ``epsilon > 0``, ``failure`` in (0, 1); ValueError otherwise, and as the other learners.
    """
    people, times = whole_number("n_people", n_people, least=2), release_times(n_people, times, first=1, growth=0.1)
    known = people if known_people is None else whole_number("known_people", known_people, least=people)
    bound = PrintedBound(clinic(world).horizon, world.n_states, world.n_actions, epsilon, failure, model)
    generator("noise_rng", noise_rng)
    # drawn for every cell of the three families: triples, visits, sums of rewards
    runs = whole_number("runs", runs, least=1)
    cells = (runs, world.horizon, world.n_states, world.n_actions, world.n_states + 2)
    levels, width = BinaryTree(known).levels, 3 * world.horizon / bound.epsilon
    if model is Model.JOINT:
        noise, basis = _TreeNoise(cells, width * levels, noise_rng), f"Laplace noise in {levels} levels of binary trees"
    else:
        noise, basis = _LocalNoise(cells, width, noise_rng), "each person's counts sent with Laplace noise"
    moved = table_sensitivity(world.horizon, 3, PER_STEP).l1
    promise = Guarantee(moved / width, 0.0, PERSON, REPLACE_ONE, Status.PROVED, basis, ASSUMES,
                        model=Model.CENTRAL if model is Model.JOINT else Model.LOCAL)
    return _learn(world, people, times, bound.bound(known), _spread(world, known, failure), noise, runs, rng,
                  billboard(promise) if model is Model.JOINT else promise, noise.scale)


def ucb_vi_as_printed_non_private(world: EpisodicMDP, n_people: int, *, rng: np.random.Generator, failure: float = 0.1,
                                  known_people: int | None = None, times: np.ndarray | None = None,
                                  runs: int = 1) -> TreatmentRuns:
    """The restored algorithm without privacy: E = 0 and no noise. All else as above, and no guarantee."""
    people, times = whole_number("n_people", n_people, least=2), release_times(n_people, times, first=1, growth=0.1)
    known = people if known_people is None else whole_number("known_people", known_people, least=people)
    number(open_unit, "failure", failure)
    return _learn(clinic(world), people, times, 0.0, _spread(world, known, failure), None,
                  whole_number("runs", runs, least=1), rng, None, 0.0)


def _spread(world, people, failure):
    """L."""
    return np.sqrt(2 * np.log(4 * world.n_states * world.n_actions * people * world.horizon / failure))


def _learn(world, n_people, times, bound, spread, noise, runs, rng, promise, scale):
    generator("rng", rng)
    counts = np.zeros((runs, *world.transitions.shape))
    best, regret, done = world.initial @ world.optimal_values()[0], np.zeros((runs, len(times) + 1)), 0
    for j, time in enumerate(times):
        noisy = 0.0 if noise is None or not done else noise.after(done)
        policies = _plan(world, counts, noisy, bound, spread)
        people = np.full((runs, 1), int(time) - done)
        regret[:, j + 1] = regret[:, j] + (best - exact_values(world, policies))[:, 0] * people[:, 0]
        counts += count_many_days_non_private(world, policies, people, rng)
        done = int(time)
    return TreatmentRuns(times=times, regret=regret[:, 1:], guarantees=() if promise is None else (promise,) * runs,
                         noise=AddedNoise("none" if promise is None else "Laplace", scale))


def _plan(world, counts, noise, bound, spread):
    horizon, n_states = world.horizon, world.n_states
    visits = counts.sum(axis=-1)
    rewards = visits * world.rewards
    if np.ndim(noise):
        counts, visits, rewards = counts + noise[..., :-2], visits + noise[..., -2], rewards + noise[..., -1]
    n = np.maximum(visits + bound, 1)
    bonus = (1 + horizon) * spread / np.sqrt(n) + (4 + horizon * (n_states + 2)) * bound / n
    values, policies = np.zeros((len(n), n_states)), np.empty((len(n), 1, *world.rewards.shape))
    for h in reversed(range(horizon)):
        q = (rewards[:, h] + np.einsum("rsan,rn->rsa", counts[:, h], values)) / n[:, h] + bonus[:, h]
        q = np.minimum(q, horizon - h)
        policies[:, 0, h], values = greedy(q), q.max(axis=-1)
    return policies


class _TreeNoise:
    """The noise of binary trees, one in each cell, at increasing times: that of the blocks of t's binary digits. A block
    that is left is never needed again."""

    def __init__(self, cells, scale, noise_rng):
        self.cells, self.scale, self.noise_rng, self.blocks = cells, scale, noise_rng, {}

    def after(self, t):
        needed = [(level, t >> level) for level in range(t.bit_length()) if t >> level & 1]
        self.blocks = {block: self.blocks[block] if block in self.blocks
                       else self.noise_rng.laplace(0, self.scale, self.cells) for block in needed}
        return sum(self.blocks.values())


class _LocalNoise:
    """The sum of all people's Laplace noises, as a difference of two gamma variables for each batch."""

    def __init__(self, cells, scale, noise_rng):
        self.cells, self.scale, self.noise_rng, self.people, self.total = cells, scale, noise_rng, 0, np.zeros(cells)

    def after(self, t):
        more = [self.noise_rng.standard_gamma(t - self.people, self.cells) for _ in range(2)]
        self.total, self.people = self.total + self.scale * (more[0] - more[1]), t
        return self.total
