r"""Learning while people are treated: the loop that all learners with batches share.

People come one after another; each stays for H steps. Before batch j the hospital makes its policies from what was released
until then; everybody in the batch is treated by one of them; the batch is counted, added to the running sum, and the sum is
released with noise. A person's treatments are computed from her own conditions and from earlier releases, so the others'
treatments, all together, have the guarantee of the releases: `privrl_core.privacy.joint.billboard`.

**Unit of privacy:** one person's data, in one batch. **Neighbours:** replace one. **Model:** joint. When the policies are
renewed is fixed in advance, so nothing is triggered by counts.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from privrl_core.checks import generator, instance_of, whole_number, whole_numbers, within
from privrl_core.online.counters import Counter, counter, growing
from privrl_core.online.days import count_days_non_private, empty_tables, groups_of, seen
from privrl_core.online.policies import exact_values
from privrl_core.online.sensitivity import PER_STEP, Counting, FirstVisits, table_sensitivity
from privrl_core.privacy.joint import billboard
from privrl_core.privacy.release import AddedNoise, Release
from privrl_core.world.models import EpisodicMDP

__all__ = ["ASSUMES", "TreatmentRuns", "learn_in_batches", "clinic", "release_times", "table_counter"]

#: What the guarantees of all learners here take for granted.
ASSUMES = ("rewards are a known function of condition and treatment",
           "how often a stay begins in each condition, or in each group of them, is public",
           "groups of conditions and prior counts, if there are any, are public",
           "each person comes once and stays for at most H steps", "who comes when, and how many come, is public")


@dataclass(frozen=True, eq=False, kw_only=True)
class TreatmentRuns(Release):
    r"""Runs of one learner: the regret of each, exact, after the first ``times[T]`` people.

    ``regret[run, time]`` is :math:`\sum_k \bigl(V^* - V^{\pi_k}\bigr)`, in rewards, with the exact value of every policy
    that was used and never a sampled return. It is a function of the policies, which follow from the releases, and of the
    world. Each run has a guarantee of its own, and none if there is no privacy; the model of a guarantee is part of it.
    """

    times: np.ndarray
    regret: np.ndarray


def clinic(world: EpisodicMDP, counting=PER_STEP) -> EpisodicMDP:
    """``world`` if a learner can count it in this way. ValueError for rewards outside [0, 1], if tables are pooled over
    steps whose probabilities differ, and as `.seen` says."""
    within("rewards", instance_of(EpisodicMDP, "world", world).rewards, 0, 1)
    if not isinstance(counting, FirstVisits):
        instance_of(Counting, "counting", counting)
    if counting is not PER_STEP and not (world.transitions == world.transitions[0]).all():
        raise ValueError("transitions must be the same at every step to be counted in one table, got different ones")
    seen(world, counting)
    return world


def release_times(n_people: int, times, *, first: int, growth: float) -> np.ndarray:
    """``times`` if they increase and end with ``n_people``, else ValueError; None: those of `.growing`."""
    if times is None:
        return growing(n_people, first=first, growth=growth)
    n_people, times = whole_number("n_people", n_people, least=1), whole_numbers("times", times)
    if times.ndim != 1 or not times.size or times[0] < 1 or (np.diff(times) <= 0).any() or times[-1] != n_people:
        raise ValueError(f"times must increase and end with n_people = {n_people}, got {times}")
    return times.astype(int)


def table_counter(world: EpisodicMDP, n_people: int, counting: Counting | FirstVisits, kind: str, times, *, epsilon: float,
                  delta: float) -> Counter:
    """The counter of all triples (s, a, s') of a clinic: `.table_sensitivity` with one family, and releases after ``times``
    people, by default after 300, 360, 432, ... Errors are those of `.clinic`, `.release_times` and `.counter`."""
    clinic(world, counting)
    times = release_times(n_people, times, first=300, growth=0.2)
    pairs = empty_tables(world, counting)[-1] * world.n_actions
    sensitivity = table_sensitivity(world.horizon, 1, counting, pairs=pairs)
    return counter(kind, n_people, sensitivity, epsilon=epsilon, delta=delta, times=times)


def learn_in_batches(world: EpisodicMDP, counting: Counting | FirstVisits, times: np.ndarray, plan: Callable,
                     counter: Counter | None, *, runs: int, rng: np.random.Generator,
                     noise_rng: np.random.Generator | None) -> TreatmentRuns:
    r"""Treat, count, release, plan again: ``plan(totals, deviation)`` makes policies ``[runs, M, H, S, A]`` of the sums
    released so far, ``totals[runs, ...]`` with noise of this standard deviation in each cell (0 before the first release).
    If ``counting`` has groups, policies and totals are by group; people, and the regret, are those of ``world`` itself.

    ``counter`` releases the sums after ``times`` people, and gives the joint guarantee; None is no privacy. ``rng`` is used
    for people and plans, ``noise_rng`` for the noise that keeps the promise, and for nothing else.
    """
    runs, shape = whole_number("runs", runs, least=1), empty_tables(world, counting)
    generator("rng", rng)
    groups = groups_of(world, counting)
    best = world.initial @ world.optimal_values()[0]
    running = None if counter is None else counter.start((runs, *shape), noise_rng=noise_rng)
    deviations = np.zeros(len(times)) if counter is None else counter.standard_deviations
    totals, deviation, done, regret = np.zeros((runs, *shape)), 0.0, 0, np.zeros((runs, len(times) + 1))
    for j, time in enumerate(times):
        policies, people = plan(totals, deviation), int(time) - done
        shared = policies.shape[1]
        given = np.full(shared, people // shared) + (np.arange(shared) < people % shared)
        regret[:, j + 1] = regret[:, j] + (best - exact_values(world, policies, groups)) @ given
        batch = count_days_non_private(world, policies, people, counting, rng)
        totals = totals + batch if running is None else running.add(batch)
        done, deviation = int(time), deviations[j]
    if counter is None:
        return TreatmentRuns(times=times, regret=regret[:, 1:], guarantees=(), noise=AddedNoise("none", 0.0))
    promise = billboard(replace(counter, assumes=(*counter.assumes, *ASSUMES)).guarantee)
    return TreatmentRuns(times=times, regret=regret[:, 1:], guarantees=(promise,) * runs,
                         noise=AddedNoise(counter.noise.law, counter.scale))
