r"""Two contexts, two treatments: why plain privacy cannot learn here, and joint privacy can.

A person comes with a context (0 or 1, each as likely whatever those of the others are), gets one of two treatments, and has
a reward, 0 or 1, with mean ``means[context, treatment]``. The context is as private as the reward.

*Plain privacy* protects it in all treatments together, her own included. If treatment c is right in context c, the chance of
a wrong one is then at least `wrong_treatment_floor`, for every person, however much has been learned, and regret is linear
(proved in chapter 5, *Why joint privacy*). *Joint privacy* protects it in the treatments of all others, and has no such
floor.

Both learners here publish the same table again and again, summed over batches that double, with Laplace noise on each
batch: for each context and treatment the number of people, and the sum of their rewards minus one half. To replace one
person moves it by at most 3 in L1: two counts by 1, and two sums by 1/2. Everybody's treatment is drawn from a normal
approximation to the posterior, a fresh one for each person (*Thompson sampling*), which is free: it is computed from what
was published before.

**Unit of privacy:** one person, context and rewards. **Neighbours:** replace one. Shariff & Sheffet (2018) show that plain
privacy has linear regret (abstract); the bound and its proof here are this book's.
"""

from dataclasses import dataclass

import numpy as np
import scipy  # its parts are imported when first used

from privrl_core.checks import (
    generator,
    nonnegative,
    number,
    open_unit,
    positive,
    shaped,
    whole_number,
    within,
)
from privrl_core.online.bandit_runs import increasing
from privrl_core.online.counters import Counter, doubling
from privrl_core.online.factors import RunningSum
from privrl_core.privacy.guarantees import Guarantee, Status, Unit
from privrl_core.privacy.joint import billboard
from privrl_core.privacy.noise import LaplaceNoise, Sensitivity
from privrl_core.privacy.release import AddedNoise, Release

__all__ = ["ONE_PATIENT", "ContextualRuns", "joint_contextual_bandit", "plain_contextual_bandit", "wrong_treatment_floor"]

#: Context and rewards of one person, who comes once.
ONE_PATIENT = Unit("one person's context and rewards", "visits")
#: A table of counts and centred sums: the most that replacing one person moves it.
TABLE = Sensitivity(3.0, float(np.sqrt(2.5)))
ASSUMES = ("rewards are in [0, 1]", "who comes when, and how many come, is public")


@dataclass(frozen=True, eq=False, kw_only=True)
class ContextualRuns(Release):
    r"""Runs of one learner: the ``chance[run, batch, context]`` of treatment 1 in the batch that ends after
    ``batch_ends[batch]`` people, and the ``regret[run, time]`` after ``times`` people.

    Regret is exact, given what was published: the sum over people of the mean reward lost by these chances, with both
    contexts equally likely. So it tells nothing that the chances do not. The chances are those in which treatments were
    drawn; under joint privacy nobody is told anyone else's treatment or context.
    """

    batch_ends: np.ndarray
    chance: np.ndarray
    times: np.ndarray
    regret: np.ndarray


def wrong_treatment_floor(epsilon, delta=0.0):
    r"""The least probability of a wrong treatment under plain (ε, δ)-privacy, where treatment c is right in context c, and
    both contexts are equally likely whatever those of the others are:

    .. math:: \frac{1 - \delta}{1 + e^\varepsilon} .

    Some treatment of everybody attains it. It holds for each person and for the mean over any number of
    people (tests/online/test_contextual_bandits.py solves the linear programs for one, two and three). ``epsilon >= 0``,
    ``0 <= delta < 1``, arrays broadcast; ValueError otherwise. Source: this book.
    """
    epsilon, delta = nonnegative("epsilon", epsilon), np.asarray(within("delta", delta, 0, 1 - 1e-16))
    return ((1 - delta) * scipy.special.expit(-epsilon))[()]


def joint_contextual_bandit(means, n_people: int, *, epsilon: float, runs: int = 1, times=None, rng: np.random.Generator,
                            noise_rng: np.random.Generator) -> ContextualRuns:
    r"""Each person is treated by her own context and what was published before: :math:`\varepsilon`-jointly private.

    ``means[context, treatment]`` in [0, 1], two of each; ``epsilon > 0``; ``times`` (None: the end) are those of the regret;
    ValueError otherwise. ``rng`` draws people and treatments, ``noise_rng`` the noise of the table and nothing else.
    """
    means, n_people, runs, times = _checked(means, n_people, runs, times, rng, noise_rng)
    made = _table(n_people, number(positive, "epsilon", epsilon))
    ends, chance, regret = _learn(means, made, runs, times, 0.0, rng, noise_rng)
    return ContextualRuns(batch_ends=ends, chance=chance, times=times, regret=regret,
                          guarantees=(billboard(made.guarantee),) * runs, noise=AddedNoise("Laplace", made.scale))


def plain_contextual_bandit(means, n_people: int, *, epsilon: float, own_share: float = 0.5, runs: int = 1, times=None,
                            rng: np.random.Generator, noise_rng: np.random.Generator) -> ContextualRuns:
    r"""The same learner under plain privacy: each person's context is first answered by randomised response.

    ``own_share`` of epsilon, in (0, 1), hides a person's context in her own treatment, the rest hides her in the table. The
    context that she is treated for is wrong with probability :math:`1/(1 + e^{\varepsilon_1})`, :math:`\varepsilon_1` =
    ``own_share * epsilon``. ``chance`` is that of treatment 1 after this answer, which ``noise_rng`` draws. All treatments
    together are :math:`\varepsilon`-DP. Other arguments and errors as `joint_contextual_bandit`.
    """
    means, n_people, runs, times = _checked(means, n_people, runs, times, rng, noise_rng)
    epsilon, own_share = number(positive, "epsilon", epsilon), number(open_unit, "own_share", own_share)
    lie = float(wrong_treatment_floor(own_share * epsilon))
    made = _table(n_people, (1 - own_share) * epsilon)
    ends, chance, regret = _learn(means, made, runs, times, lie, rng, noise_rng)
    table = made.guarantee
    promise = Guarantee(epsilon, 0.0, table.unit, table.neighbours, Status.PROVED,
                        f"randomised response for the own treatment, ε = {own_share * epsilon:.4g}; {table.basis}, "
                        f"ε = {table.epsilon:.4g}", table.assumes)
    return ContextualRuns(batch_ends=ends, chance=chance, times=times, regret=regret, guarantees=(promise,) * runs,
                          noise=AddedNoise("Laplace", made.scale))


def _checked(means, n_people, runs, times, rng, noise_rng):
    means = within("means", shaped("means", means, (2, 2)), 0, 1)
    n_people, runs = whole_number("n_people", n_people, least=1), whole_number("runs", runs, least=1)
    times = increasing(times, n_people)
    generator("rng", rng), generator("noise_rng", noise_rng)
    return means, n_people, runs, times


def _table(n_people, epsilon):
    times = doubling(n_people)
    return Counter(times=times, factor=RunningSum(times.size), noise=LaplaceNoise.of_epsilon(epsilon), sensitivity=TABLE,
                   unit=ONE_PATIENT, assumes=ASSUMES)


def _learn(means, made, runs, times, lie, rng, noise_rng):
    """Ends of the batches, chances and regret. ``lie``: how often a person is treated for the other context."""
    ends, deviations = made.times, made.standard_deviations
    running = made.start((runs, 2, 2, 2), noise_rng=noise_rng)  # run, context, treatment; counts and centred sums
    chance, regret, loss = np.full((runs, ends.size, 2), 0.5), np.zeros((runs, times.size)), means.max(axis=1) - means.T
    begins, published = np.concatenate([[0], ends[:-1]]), None
    for batch, (begin, end) in enumerate(zip(begins, ends)):
        if batch:
            chance[:, batch] = _chance(published, deviations[batch - 1])
        of_one = (1 - lie) * chance[:, batch] + lie * chance[:, batch, ::-1]
        per_person = ((1 - of_one) * loss[0] + of_one * loss[1]).mean(axis=1)
        regret += per_person[:, None] * np.clip(times - begin, 0, end - begin)
        with_one = rng.binomial(end - begin, 0.5, runs)
        people = np.stack([end - begin - with_one, with_one], axis=1)  # run, context
        lying = noise_rng.binomial(people, lie) if lie else np.zeros_like(people)
        ones = rng.binomial(people - lying, chance[:, batch]) + rng.binomial(lying, chance[:, batch, ::-1])
        given = np.stack([people - ones, ones], axis=2)
        rewards = rng.binomial(given, means)
        published = running.add(np.stack([given, rewards - given / 2], axis=3))
    return ends, chance, regret


def _chance(table, deviation):
    """``[run, context]``: the probability that treatment 1 looks better, under a normal posterior of both means."""
    counts = np.maximum(table[..., 0], 1)
    centred = np.clip(table[..., 1] / counts, -0.5, 0.5)
    variance = 1 / (4 * counts) + deviation**2 * (1 + centred**2) / counts**2
    return scipy.special.ndtr((centred[..., 1] - centred[..., 0]) / np.sqrt(variance.sum(axis=-1)))
