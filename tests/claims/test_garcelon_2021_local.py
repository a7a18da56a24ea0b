"""Garcelon, Perchet, Pike-Burke & Pirotta (2021): reinforcement learning under local privacy.

Read: the abstract, and the beginning of the introduction; regret and lower bound as later papers cite them. Not read: the
algorithm's formulas, its experiment, and every numbered statement.
"""

import numpy as np

from privrl_core.online import ldp_ucb_bernoulli, ucb
from privrl_core.pages import HOLDS, NOT_CHECKED, claim, judge, not_checked, rounded

PAPER, LEARNERS, PRINTED = "Garcelon et al. 2021", "05_online/evidence/05_learners", "05_online/evidence/03_printed_bonuses"


@claim(PAPER, "abstract (obfuscation)", "information can be obfuscated on the user's side, so that the learner never has it", verdict=HOLDS, see=LEARNERS, seeds=(0, 1))
def test_a_report_tells_no_more_than_epsilon():
    """Randomised response of a reward, as the learner gets it: the exact ratio of the two probabilities of each answer."""
    epsilon = np.array([0.1, 0.5, 1.0, 2.0])
    lie = 1 / (1 + np.exp(epsilon))
    loss = np.log((1 - lie) / lie) / epsilon
    learned = ldp_ucb_bernoulli([0.9, 0.3], 20_000, epsilon=1.0, runs=20, rng=np.random.default_rng(0), noise_rng=np.random.default_rng(1))
    share = learned.pulls[:, 0].mean() / 20_000
    return judge(f"each report's loss is {rounded(loss.max(), 4)} ε, exactly; and a learner that sees only reports treats {rounded(100 * share)} % of 20,000 people well (two treatments, ε = 1)",
                 true=np.allclose(loss, 1) and share > 0.9)


@claim(PAPER, "abstract (lower bound)", "a lower bound: under local privacy the cost is multiplicative", verdict=NOT_CHECKED, see=LEARNERS, seeds=(2, 3, 4))
def test_the_cost_of_local_privacy_is_a_factor():
    times = [20_000, 60_000]
    free = ucb([0.7, 0.3], 60_000, runs=20, times=times, rng=np.random.default_rng(2)).regret.mean(axis=0)
    local = ldp_ucb_bernoulli([0.7, 0.3], 60_000, epsilon=1.0, runs=20, times=times, rng=np.random.default_rng(3), noise_rng=np.random.default_rng(4)).regret.mean(axis=0)
    factor = local / free
    assert 2 < factor.min() and factor.max() < 12
    return not_checked(f"a statement about all learners. In one step, with two treatments, it can be watched: randomised response at ε = 1 multiplies regret by {rounded(factor[0])} after "
                       f"20,000 people and {rounded(factor[1])} after 60,000; the answers' means lie {rounded(1 / np.tanh(0.5), 3)} times closer together")


@claim(PAPER, "abstract (upper bound)", "an optimistic algorithm has regret of order √K/ε in every finite-horizon problem", verdict=NOT_CHECKED, see=PRINTED)
def test_the_regret_of_the_local_optimist_was_not_read():
    people = np.array([1e4, 1e6])
    noise = np.sqrt(2 * people) * 2 * 20 * 2  # two families, H = 20, at epsilon = 1: each person's Laplace noise
    assert np.allclose(np.diff(np.log(noise)) / np.diff(np.log(people)), 0.5)
    return not_checked("the algorithm's formulas could not be read, and an order has no constant that a run could refute. The noise of a local count grows like √K: with two families, H = 20 and "
                       f"ε = 1 its standard deviation is {rounded(noise[0])} after 10,000 people and {rounded(noise[1])} after a million")
