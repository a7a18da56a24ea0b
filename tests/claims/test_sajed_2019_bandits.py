"""Private bandits: Shariff & Sheffet (2018), Sajed & Sheffet (2019), Azize & Basu (2022), Azize et al. (2025).

Read: the abstracts of all; the text of Azize & Basu, as submitted, with its lemma, theorems and experiments. DP-SE is in the
form that was restored from memory, which agrees with a public program by others.
"""

import numpy as np

from privrl_core.online import (
    BinaryTree,
    adap_ucb,
    dp_se,
    dp_ucb,
    laplace_sum_tail,
    ucb_with_one_tail,
    ucb_without_forgetting,
    wrong_treatment_floor,
)
from privrl_core.pages import HOLDS, LOOSE, NOT_CHECKED, claim, judge, not_checked, rounded
from tests.online.test_bandits import Shifted
from tests.online.test_contextual_bandits import least_error

BANDITS = "05_online/evidence/02_bandits"
TEN, FIVE = np.linspace(0.8, 0.4, 10), (0.75, 0.625, 0.5, 0.375, 0.25)


def _played(learner, means, n, epsilon, runs=20, seed=1, **more):
    return learner(means, n, epsilon=epsilon, runs=runs, rng=np.random.default_rng(seed), noise_rng=np.random.default_rng([seed, 1]), **more).regret


def _coupled(learner):
    """With one reward more in one sum, and that sum's noise one less, is everything as before? In 10 sums, of three treatments."""
    run = dict(means=[0.4, 0.5, 0.6], n_people=30_000, epsilon=1.0, times=[100, 1_000, 30_000])
    plain = learner(**run, rng=Shifted(1, None, []), noise_rng=Shifted(2, None, [1]))
    same = []
    for call in range(10):
        lengths = []
        moved = learner(**run, rng=Shifted(1, call, lengths), noise_rng=Shifted(2, call, lengths))
        same.append(np.array_equal(plain.pulls, moved.pulls) and np.array_equal(plain.regret, moved.regret))
    return all(same)


# ----------------------------------------------------------------------------------------------- Shariff & Sheffet 2018

@claim("Shariff & Sheffet 2018", "abstract (linear regret)", "under the standard definition of differential privacy, regret with contexts is linear",
       verdict=HOLDS, see="05_online/evidence/05_learners", instead="joint privacy")
def test_plain_privacy_treats_a_fixed_share_wrongly():
    grid = [(people, epsilon) for people in (1, 2, 3) for epsilon in (0.5, 1.0)]
    off = max(abs(least_error(people, epsilon, 0.0, joint=False) - wrong_treatment_floor(epsilon)) for people, epsilon in grid)
    joint = max(least_error(people, epsilon, 0.0, joint=True) for people, epsilon in grid)
    return judge(f"two contexts, independent from person to person, two treatments, one to three people, linear programs over all mechanisms: 1/(1 + e^ε) of the people are treated wrongly "
                 f"({rounded(100 * wrong_treatment_floor(1.0), 3)} % at ε = 1; off by {rounded(off, 1)}), and {rounded(joint, 1)} under joint privacy",
                 true=off < 1e-9 and joint < 1e-9)


@claim("Shariff & Sheffet 2018", "abstract (lower bound), as cited", "every ε-private bandit has an additional regret of order K log(T)/ε", verdict=NOT_CHECKED, see=BANDITS)
def test_a_lower_bound_for_private_bandits():
    free, private = (_played(ucb_with_one_tail, TEN, 10**6, epsilon).mean() for epsilon in (None, 0.1))
    extra = 0.1 * (private - free) / (10 * np.log(1e6))
    assert 0.05 < extra < 10
    return not_checked(f"a statement about all algorithms. The best of ours pays {rounded(extra)} times K ln(T)/ε more (ten treatments, a million people, ε = 0.1)")


# ------------------------------------------------------------------------------------------------- Sajed & Sheffet 2019

@claim("Sajed & Sheffet 2019", "abstract (privacy), DP-SE restored", "private successive elimination is ε-private", verdict=HOLDS, see=BANDITS)
def test_dp_se_is_private():
    return judge("a reward decides only through one noisy sum: ten of them moved by 1, and their noise back, leave every treatment as it was",
                 true=_coupled(dp_se))


@claim("Sajed & Sheffet 2019", "abstract (order), DP-SE restored", "its regret is of the order of both lower bounds, Σ log(T)/Δ and K log(T)/ε", verdict=HOLDS, see=BANDITS,
       instead="algorithms that do not wait for the slowest arm: a third of the regret")
def test_dp_se_has_the_order_of_both_lower_bounds():
    gaps, times = TEN.max() - TEN[1:], (10**6, 10**8, 10**10)
    ratio = np.array([[_played(dp_se, TEN, n, epsilon, runs=12).mean() / (np.log(n) * (np.sum(1 / gaps) + 10 / epsilon)) for n in times]
                      for epsilon in (0.1, 1.0)])
    return judge(f"ten treatments, T = 10⁶, 10⁸, 10¹⁰, ε = 0.1 and 1: regret is {rounded(ratio.min())} to {rounded(ratio.max())} times the sum of both, and its ratio "
                 f"from the first T to the last {rounded((ratio[:, -1] / ratio[:, 0]).min())} to {rounded((ratio[:, -1] / ratio[:, 0]).max())}",
                 true=(ratio[:, -1] / ratio[:, 0] < 1.5).all())


@claim("Sajed & Sheffet 2019", "abstract (DP-UCB)", "the private UCB, with its tree, does not meet the lower bound", verdict=HOLDS, see=BANDITS)
def test_a_tree_needs_more_pulls_by_a_power_of_the_logarithm():
    """Pulls until the tree's bonus is below half a gap, against those until an episode's is: over ln(T)."""
    gap, epsilon, times = 0.1, 0.1, 10.0 ** np.array([4, 8, 16, 32])

    def pulls(noise):
        n = 2.0 ** np.arange(1, 60, 0.01)
        return n[np.argmax(noise(n) < gap * n / 2)]
    tree = np.array([pulls(lambda n, t=t: np.floor(np.log2(t) + 1) * laplace_sum_tail(np.floor(np.log2(n)) + 1, 2 * np.log(t)) / epsilon) for t in times])
    once = np.array([pulls(lambda n, t=t: np.full_like(n, 3.1 * np.log(t) / epsilon)) for t in times])
    assert BinaryTree(10**4).levels == int(np.log2(10**4)) + 1
    growth = np.polyfit(np.log(np.log(times)), np.log(tree / once), 1)[0]
    return judge(f"T = 10⁴ to 10³², ε = 0.1, a gap of 0.1: the tree needs {rounded(tree[0] / once[0])} to {rounded(tree[-1] / once[-1])} times the pulls of one noise for each episode; the factor grows like "
                 f"(log T)^{{{rounded(growth)}}}", true=growth > 0.5)


# ----------------------------------------------------------------------------------------------------- Azize & Basu 2022

@claim("Azize & Basu 2022", "Lemma 1", "means over disjoint stretches, each with noise Lap(1/(nε)), are ε-private together", verdict=HOLDS, see=BANDITS, seeds=(0,))
def test_disjoint_means_cost_epsilon_once():
    rng, worst = np.random.default_rng(0), 0.0
    for _ in range(500):
        lengths, epsilon = rng.integers(1, 9, size=4), rng.uniform(0.1, 3)
        ends, who, y = np.cumsum(lengths), rng.integers(lengths.sum()), rng.normal(0, 20, size=(200, 4))
        rewards = rng.random(lengths.sum())
        other = rewards.copy()
        other[who] = rng.integers(2)
        means, others = (np.add.reduceat(x, ends - lengths) / lengths for x in (rewards, other))
        loss = np.abs(((np.abs(y - others) - np.abs(y - means)) * lengths * epsilon).sum(axis=1)).max() / epsilon
        worst = max(worst, loss)
    return judge(f"500 pairs of streams, 200 outputs each: the largest loss is {rounded(worst, 3)} ε", true=worst <= 1 + 1e-9)


@claim("Azize & Basu 2022", "Theorem 6", "an index from the noisy mean of an arm's last episode makes the algorithm ε-private", verdict=HOLDS, see=BANDITS)
def test_adap_ucb_is_private():
    return judge("the proof, run: ten sums moved by one reward, and their noise back, leave every treatment as it was; the noises' densities differ by e^ε at most",
                 true=_coupled(adap_ucb))


@claim("Azize & Basu 2022", "Theorem 7", "AdaP-UCB's regret is at most Σ (16α log(T)/min(Δ, ε) + α/(α − 3))", verdict=LOOSE, see=BANDITS,
       instead="the measured regret; a bound is no forecast")
def test_the_regret_bound_of_adap_ucb():
    ratios = []
    for means, epsilon in ((TEN, 0.1), (TEN, 1.0), (np.array([0.6, 0.5]), 0.25), (np.array(FIVE), 1.0)):
        gaps = np.sort(means.max() - means)[1:]
        bound = np.sum(16 * 3.1 / np.minimum(gaps, epsilon) * np.log(1e6) + 3.1 / 0.1)
        ratios.append(bound / _played(adap_ucb, means, 10**6, epsilon).mean())
    return judge(f"four worlds, T = 10⁶, α = 3.1: the bound is {rounded(min(ratios))} to {rounded(max(ratios))} times the mean regret", true=min(ratios) >= 1, factor=min(ratios))


@claim("Azize & Basu 2022", "Figure 2, text in section 5", "AdaP-UCB and AdaP-KLUCB have almost 10 times lower regret than DP-SE and DP-UCB", verdict=NOT_CHECKED, see=BANDITS,
       instead="a comparison in which all constants are written down")
def test_the_figure_of_adap_ucb():
    se = _played(dp_se, FIVE, 10**7, 1.0, seed=3).mean() / _played(adap_ucb, FIVE, 10**7, 1.0, seed=3).mean()
    tree = _played(dp_ucb, FIVE, 50_000, 1.0, runs=6, seed=3).mean() / _played(adap_ucb, FIVE, 50_000, 1.0, runs=60, seed=3).mean()
    assert 1.3 < se < 4 and 1.3 < tree < 10
    return not_checked(f"the constants of the other two are not in the text. With those that this book has, at ε = 1 in the same world, DP-SE pays {rounded(se)} times as much at T = 10⁷, and a UCB with a tree, and a "
                       f"tail that can be proved, {rounded(tree)} times at T = 50,000")


@claim("Azize & Basu 2022", "Theorem 3", "every consistent ε-private policy has regret of at least Σ Δ log(T)/min(d, 6εt), in the limit", verdict=NOT_CHECKED, see=BANDITS)
def test_a_lower_bound_with_constants():
    def kl(p, q):
        return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    floor = sum((0.8 - m) / min(kl(m, 0.8), 6 * 0.1 * (0.8 - m)) for m in TEN[1:]) * np.log(1e10)
    found = _played(ucb_with_one_tail, TEN, 10**10, 0.1, runs=8).mean() / floor
    assert found > 1, "nothing of ours is below it"
    return not_checked(f"a statement about all policies. The best of ours at T = 10¹⁰, ε = 0.1 has {rounded(found)} times it; none falls below")


@claim("Azize & Basu 2022", "Theorem 2", "in the worst world every ε-private policy pays at least max(√(T(K − 1))/27, (K − 1)/(131ε))", verdict=NOT_CHECKED, see=BANDITS)
def test_a_minimax_lower_bound():
    switch = 131 / 27 * np.sqrt(99 / 1e6)
    assert switch < 0.05, "the text's example: T = 10^6 and 100 arms"
    return not_checked(f"a statement about all policies. Its example is right as arithmetic: with 100 arms and T = 10⁶ the first term is the larger one from ε = {rounded(switch, 3)} on")


@claim("Azize et al. 2025", "abstract", "forgetting past rewards is not necessary", verdict=HOLDS, see=BANDITS)
def test_remembering_halves_the_regret():
    ratio = [_played(learner, TEN, 10**6, epsilon, seed=5).mean() / _played(adap_ucb, TEN, 10**6, epsilon, seed=5).mean()
             for learner in (ucb_without_forgetting, ucb_with_one_tail) for epsilon in (0.1, 1.0)]
    return judge(f"ten treatments, T = 10⁶, ε = 0.1 and 1: the same episodes with all rewards kept have {rounded(min(ratio))} to {rounded(max(ratio))} of AdaP-UCB's regret, "
                 "in algorithms of this book", true=max(ratio) < 0.8)
