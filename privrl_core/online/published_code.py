r"""The learner behind the published figures, which is another one than the printed algorithm.

Read in the authors' public code, the repository PrivateTabularRL of XingyuZhou989 on GitHub (agent.py), whose README
names the paper, and written anew here. Counts are pooled over steps and start with one visit of each triple and one
reward of 1 for each pair; the last step's transitions are not counted. With :math:`b(n) = \sqrt{2 \ln 3/n}` and i steps
left after this one,

.. math:: Q = \tilde r + b(\tilde n_r) + \tilde P V + i\, b(\tilde n),

without a ceiling, and with ties to the left. Two kinds of noise:

* "JDP": for every person's plan anew, the sum of :math:`m = \lfloor\ln k\rfloor + 1` draws of Lap(1/ε) on each count ("fresh
  noise to mimic the tree-based algorithm"); :math:`\tilde n = \max(1, n + \text{noise} + \sqrt m/\varepsilon)`, and
  :math:`S \sqrt m/(\varepsilon \tilde n)` is added to both bonuses.
* "LDP": one draw of Lap(1/ε) for each person, *the same for all pairs* (s, a), and so with :math:`\sqrt k/\varepsilon`; the
  addition to the bonus is in the rewards' only.

So fresh noise on the same count averages out over plans in the first, and differences between pairs have no noise at all in
the second. What the figures show is how noise of such a size changes learning. tests/online/test_audits.py refutes the
:math:`\varepsilon` on them, for the first by what later people are treated with, for the second by a proof. Both are marked
as refuted, so that they cannot be added up.

Source: the code of Chowdhury & Zhou (2022).
"""

import numpy as np

from privrl_core.checks import generator, number, positive, whole_number
from privrl_core.online.counters import PERSON
from privrl_core.online.policies import exact_values
from privrl_core.online.treatment_runs import ASSUMES, TreatmentRuns, clinic, release_times
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Model, Status
from privrl_core.privacy.release import AddedNoise
from privrl_core.world.models import EpisodicMDP

__all__ = ["PublishedLearner", "published_ucb_vi"]

SCALING = 2 * np.log(3)


class PublishedLearner:
    """``runs`` of the learner at work, person by person: `plan` for the next one, then `learn` what was seen of her.

    ``model``: ``Model.JOINT``, ``Model.LOCAL``, or None, which is without noise. Not private: see above."""

    def __init__(self, n_states: int, n_actions: int, horizon: int, *, epsilon: float | None, model: Model | None, runs: int,
                 noise_rng: np.random.Generator | None):
        self.horizon, self.runs = whole_number("horizon", horizon, least=1), whole_number("runs", runs, least=1)
        self.model = model
        if model is not None and model is not Model.JOINT and model is not Model.LOCAL:
            raise ValueError(f"model must be joint, local or None, got {model}")
        self.epsilon = None if model is None else number(positive, "epsilon", epsilon)
        self.noise_rng = None if model is None else generator("noise_rng", noise_rng)
        n_states, n_actions = whole_number("n_states", n_states, least=1), whole_number("n_actions", n_actions, least=1)
        self.triples = np.ones((self.runs, n_states, n_actions, n_states))
        self.rewards, self.rewarded = np.ones((2, self.runs, n_states, n_actions))
        self.person, self._shared = 0, np.zeros((3, self.runs))
        self._shared_triples = np.zeros((self.runs, n_states))

    def plan(self) -> np.ndarray:
        """The next person's treatments, ``[runs, H, S]``."""
        self.person += 1
        law, bonus, rewards = self._estimates()
        values, best = np.zeros((self.runs, law.shape[1])), np.empty((self.runs, self.horizon, law.shape[1]), dtype=int)
        for left in range(self.horizon):
            q = rewards + (law @ values[:, None, :, None])[..., 0] + left * bonus
            best[:, self.horizon - 1 - left], values = q.argmax(axis=-1), q.max(axis=-1)
        return best

    def _estimates(self):
        """Probabilities, their bonus, and rewards with theirs."""
        visits, n_states = self.triples.sum(axis=-1), self.triples.shape[-1]
        if self.model is None:
            return (self.triples / visits[..., None], np.sqrt(SCALING / visits),
                    self.rewards / self.rewarded + np.sqrt(SCALING / self.rewarded))
        if self.model is Model.JOINT:
            draws = int(np.log(self.person)) + 1
            noise, more = self._sum(draws, (2, *visits.shape)), self._sum(draws, self.triples.shape)
            slack, of_visits, of_rewards = np.sqrt(draws) / self.epsilon, noise[0], noise[1]
        else:
            self._shared = self._shared + self._sum(1, self._shared.shape)
            self._shared_triples = self._shared_triples + self._sum(1, self._shared_triples.shape)
            of_visits, of_rewards = self._shared[:2, :, None, None]
            more, slack = self._shared_triples[:, None, None, :], np.sqrt(self.person) / self.epsilon
        n = np.maximum(1, visits + of_visits + slack)
        n_rewards = np.maximum(1, self.rewarded + of_visits + slack)
        extra = n_states * slack
        bonus = np.sqrt(SCALING / n) + (extra / n if self.model is Model.JOINT else 0)
        rewards = (self.rewards + of_rewards) / n_rewards + np.sqrt(SCALING / n_rewards) + extra / n_rewards
        return (self.triples + more) / n[..., None], bonus, rewards

    def _sum(self, draws, shape):
        """The sum of so many Laplace draws."""
        return (self.noise_rng.standard_gamma(draws, shape) - self.noise_rng.standard_gamma(draws, shape)) / self.epsilon

    def learn(self, states: np.ndarray, actions: np.ndarray, rewards: np.ndarray):
        """Count a person's day: ``states[runs, H+1]``, ``actions[runs, H]``, ``rewards[runs, H]``."""
        run = np.arange(self.runs)[:, None]
        s, a = states[:, :-1], actions
        np.add.at(self.rewards, (run, s, a), rewards)
        np.add.at(self.rewarded, (run, s, a), 1)
        np.add.at(self.triples, (run, s[:, :-1], a[:, :-1], states[:, 1:-1]), 1)


def published_ucb_vi(world: EpisodicMDP, n_people: int, *, epsilon: float | None, model: Model | None,
                     rng: np.random.Generator, noise_rng: np.random.Generator | None, times: np.ndarray | None = None,
                     runs: int = 1) -> TreatmentRuns:
    """The published experiment, with exact regret after ``times`` people (None: after all).

    ``model`` is that on the figure: ``Model.JOINT``, ``Model.LOCAL``, or None for the one without privacy, where ``epsilon``
    and ``noise_rng`` may be None. The guarantee says ``epsilon``, and that it is refuted. ValueError for ``epsilon <= 0``.
    """
    n_people = whole_number("n_people", n_people, least=1)
    times = release_times(n_people, np.atleast_1d(n_people) if times is None else times, first=1, growth=1.0)
    generator("rng", rng)
    clinic(world)
    learner = PublishedLearner(world.n_states, world.n_actions, world.horizon, epsilon=epsilon, model=model, runs=runs,
                               noise_rng=noise_rng)
    runs = learner.runs
    laws, first = np.cumsum(world.transitions, axis=-1)[..., :-1], np.cumsum(world.initial)[:-1]
    best, identity, run = world.initial @ world.optimal_values()[0], np.eye(world.n_actions), np.arange(runs)
    lost, regret, saved = np.zeros(runs), np.empty((runs, times.size)), 0
    states, actions = np.empty((runs, world.horizon + 1), dtype=int), np.empty((runs, world.horizon), dtype=int)
    gained, before, value = np.empty((runs, world.horizon)), None, None
    for k in range(1, n_people + 1):
        policy = learner.plan()
        if before is None or not np.array_equal(policy, before):
            before, value = policy, exact_values(world, identity[policy])
        lost += best - value
        uniform = rng.random((world.horizon + 1, runs, 1))
        states[:, 0] = (uniform[-1] >= first).sum(axis=-1)
        for h in range(world.horizon):
            s = states[:, h]
            actions[:, h] = a = policy[run, h, s]
            gained[:, h] = world.rewards[h, s, a]
            states[:, h + 1] = (uniform[h] >= laws[h, s, a]).sum(axis=-1)
        learner.learn(states, actions, gained)
        while saved < times.size and k == times[saved]:
            regret[:, saved], saved = lost, saved + 1
    if model is None:
        return TreatmentRuns(times=times, regret=regret, guarantees=(), noise=AddedNoise("none", 0.0))
    refuted = Guarantee(learner.epsilon, 0.0, PERSON, REPLACE_ONE, Status.REFUTED, "the ε on the published figure", ASSUMES,
                        model=model)
    return TreatmentRuns(times=times, regret=regret, guarantees=(refuted,) * runs,
                         noise=AddedNoise("Laplace", 1 / learner.epsilon))
