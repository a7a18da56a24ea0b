"""Qiao & Wang (2023), "Near-Optimal Differentially Private Reinforcement Learning", and (2024), with self-play.

Read: of the first, the abstract; of the second, which generalises it to two players, the whole text, as posted on arXiv
(2404.07559). With one player (B = 1) its algorithm, privatisers and lemmas are those of the first, as it says.
"""

from itertools import product

import numpy as np
from scipy.optimize import linprog
from scipy.stats import norm

from privrl_core.online import PER_STEP, BinaryTree, counter, table_sensitivity
from privrl_core.pages import DEPARTS, FAILS, HOLDS, LOOSE, NOT_CHECKED, claim, judge, not_checked, rounded
from privrl_core.privacy import ADD_OR_REMOVE_ONE
from tests.online.test_sensitivity import days

FIRST, PAPER = "Qiao & Wang 2023 (online)", "Qiao & Wang 2024"
PRINTED, LEARNERS, COUNTERS = (f"05_online/evidence/{page}" for page in ("03_printed_bonuses", "05_learners", "01_counters"))
S, A, H, K, BETA = 6, 2, 20, 20_000, 0.1


# ------------------------------------------------------------------------------------------------------- the first paper

@claim(FIRST, "abstract (regret)", "DP-UCBVI has regret √(SAH²T) + S²AH³/ε under ε-joint privacy, up to logarithms", verdict=NOT_CHECKED, see=PRINTED)
def test_the_regret_of_dp_ucbvi():
    main, extra = np.sqrt(S * A * H**2 * H * K), S**2 * A * H**3
    assert extra > main
    return not_checked("an order has no constant that a run could refute, and the text of the proofs could not be read. In RiverSwim with 20,000 people, at ε = 1, the two terms are "
                       f"{rounded(main)} and {rounded(extra)}, where never learning costs 67,000")


@claim(FIRST, "abstract (threshold)", "the first term is the larger one for all ε > S^{1.5}A^{0.5}H²/√T", verdict=HOLDS, see=PRINTED)
def test_from_which_epsilon_on_privacy_is_of_lower_order():
    grid = list(product((2, 6, 50), (2, 9), (3, 20), (1e4, 1e9)))
    off = max(abs(s**2 * a * h**3 / (s**1.5 * a**0.5 * h**2 / np.sqrt(t)) / np.sqrt(s * a * h**2 * t) - 1) for s, a, h, t in grid)
    here = S**1.5 * A**0.5 * H**2 / np.sqrt(H * K)
    people = (S**1.5 * A**0.5 * H**2) ** 2 / H
    return judge(f"24 sizes: equality to {rounded(off, 1)}. In RiverSwim with 20,000 people that is ε > {rounded(here, 3)}, and at ε = 1 more than {rounded(people, 3)} people", true=off < 1e-12)


@claim(FIRST, "abstract (limit)", "privacy is for free as T grows", verdict=NOT_CHECKED, see=LEARNERS)
def test_privacy_for_free_is_a_limit():
    share = [S**2 * A * H**3 / np.sqrt(S * A * H**3 * people) for people in (2e4, 1e6, 1e8)]
    assert share[0] > share[1] > share[2]
    return not_checked(f"a statement about a limit. By the two orders alone, at ε = 1 in RiverSwim, privacy adds {rounded(share[0])}, {rounded(share[1])} and {rounded(share[2])} times the rest after 20,000, "
                       "10⁶ and 10⁸ people")


# ------------------------------------------------------------------------------------------------------ the second paper

@claim(PAPER, "Remark 2.5", "local privacy does not imply plain privacy, as the two protocols differ", verdict=HOLDS, see=LEARNERS)
def test_local_privacy_does_not_hide_treatments():
    """One context, known treatments: the person carries the policy out, and reports by randomised response."""
    lie = 1 / (1 + np.e)
    report = np.array([[1 - lie, lie], [lie, 1 - lie]])  # context, report
    seen = np.array([[1.0, 0.0], [0.0, 1.0]])  # context, her own treatment, the right one
    local = np.log(report[0] / report[1]).max()
    with np.errstate(divide="ignore"):
        plain = np.log(seen[0] / seen[1]).max()
    return judge(f"two contexts, the right treatment for each carried out at home: the report loses {rounded(local, 4)}, the treatment, if it is seen, without bound", true=local <= 1 + 1e-12 and np.isinf(plain))


@claim(PAPER, "Theorem 4.1", "with private counts within E, regret is at most √(H²SABT) + H²S²AB E, up to constants and logarithms", verdict=NOT_CHECKED, see=PRINTED)
def test_the_bonus_of_the_second_paper_with_constants_of_one():
    bound, iota = H * np.log(H * S * A * K / BETA) ** 2, np.log(30 * H * S * A * K / BETA)
    blind = (S * iota - 1) * bound
    assert blind > 30 * K
    return not_checked(f"C₁, C₂ and the constant in E are not given. With all of them 1 and one player, the bonus H S E ι/ñ alone reaches H up to person (Sι − 1)E = {rounded(blind)} in RiverSwim (K = 20,000, ε = 1)")


@claim(PAPER, "Theorem 4.2", "and the output policy is α-close to an equilibrium after H³SAB/α² people and those that the noise takes", verdict=NOT_CHECKED)
def test_the_sample_size_follows_from_the_regret():
    return not_checked("follows from Theorem 4.1, with its constants")


@claim(PAPER, "Lemma 5.1 (privacy)", "binary mechanisms with input parameter ε/(2H log K) for all counts are ε-jointly private together", verdict=LOOSE, see=PRINTED,
       instead="the sensitivity of the whole table, and its exact composition")
def test_a_counter_s_own_parameter_is_more_than_enough():
    own = 1 / (2 * H * np.log(K))
    loss, per_node = table_sensitivity(H, 2, PER_STEP).l1 * own, table_sensitivity(H, 2, PER_STEP).l1 * BinaryTree(K).levels / (2 * H * np.log2(K))
    return judge(f"H = 20, K = 20,000: a person who is replaced moves 4H streams, each counter is its parameter private, and {rounded(loss)} ε is what is lost in all. (If each block got that parameter, "
                 f"{rounded(per_node)} ε would be lost, with log₂)", true=loss <= 1, factor=1 / loss)


@claim(PAPER, "section 5.1, step 2", "then every count is within E of order (H/ε) log(HSABK/β)²", verdict=DEPARTS, see=PRINTED, instead="(H/ε) log(…)³, or the parameter for each block, at twice the ε")
def test_the_error_is_that_of_the_other_reading():
    """The standard deviation of the tree's noise, times the root of a logarithm, by powers of log K: Lap(L/parameter) in each block
    if the counter as a whole is private, Lap(1/parameter) if each block is."""
    levels = np.array([10, 20, 40, 80, 160])
    parameter = 1 / (2 * H * levels * np.log(2))
    whole = np.sqrt(2 * levels) * levels / parameter * np.sqrt(levels)
    block = np.sqrt(2 * levels) / parameter * np.sqrt(levels)
    slopes = [np.polyfit(np.log(levels), np.log(size), 1)[0] for size in (whole, block)]
    return judge(f"the error grows like (log K)^{{{rounded(slopes[0])}}} if a counter as a whole has the parameter, as printed, and (log K)^{{{rounded(slopes[1])}}} if every block has; "
                 "Lemma 5.1 itself, which hides logarithms, is not concerned", true=slopes[0] < 2.1, elsewhere=slopes[1] < 2.1)


@claim(PAPER, "Theorem 5.2", "regret √(H²SABT) + H³S²AB/ε under ε-joint privacy, up to constants and logarithms", verdict=NOT_CHECKED, see=PRINTED)
def test_the_joint_regret_of_the_second_paper():
    return not_checked("Theorem 4.1 with E of order H/ε; no constants")


@claim(PAPER, "Theorem 5.3", "every ε-jointly private algorithm has regret √(H²S(A + B)T) + HS(A + B)/ε at least, in some game", verdict=NOT_CHECKED)
def test_the_joint_lower_bound_is_cited():
    return not_checked("a statement about all algorithms; its second term is taken over from Vietri et al. (2020), whose proof could not be read")


def _largest_move(horizon, states, fixed):
    """Cells of pairs and triples that two days differ in, at most; ``fixed``: one first state and one treatment."""
    actions = 1 if fixed else 2
    cells = [{(h, s, a, after) for h, (s, a, after) in enumerate(day)} | {(h, s, a) for h, (s, a, _) in enumerate(day)}
             for day in days(horizon, states, actions).tolist() if not fixed or day[0][0] == 0]
    return max(len(one ^ other) for one in cells for other in cells)


@claim(PAPER, "section 5.2 (sensitivity)", "a person's visits, as a table of zeros and ones, have ℓ₁ sensitivity H", verdict=DEPARTS, see=PRINTED, instead="2H: a one that moves changes two cells")
def test_the_sensitivity_of_a_day():
    replaced, added = (table_sensitivity(H, 1, PER_STEP, neighbours=which).l1 / H if which else table_sensitivity(H, 1, PER_STEP).l1 / H for which in (None, ADD_OR_REMOVE_ONE))
    assert [_largest_move(h, 2, False) for h in (1, 2, 3)] == [4, 8, 12]
    return judge(f"all pairs of days for H = 1, 2, 3, and the formula: {rounded(replaced)} H between any two days, which local privacy compares; {rounded(added)} H if a day is added or removed",
                 true=replaced <= 1, elsewhere=added <= 1)


@claim(PAPER, "Lemma 5.4 (privacy)", "Laplace noise 2H/ε on every cell of both families is ε-locally private", verdict=FAILS, see=PRINTED, instead="noise 4H/ε")
def test_the_local_privatiser_has_twice_its_epsilon():
    loss = [_largest_move(h, 2, False) / (2 * h) for h in (1, 2, 3)]
    alike = _largest_move(3, 3, True) / 6
    return judge(f"all pairs of days for H = 1, 2, 3: the loss is {rounded(max(loss), 3)} ε exactly; if all days begin alike and treatments are fixed, (2 − 1/H) ε ({rounded(alike, 3)} ε at H = 3)",
                 true=max(loss) <= 1)


@claim(PAPER, "Lemma 5.4 (error)", "then every count is within E of order (H/ε)√(K log(HSABK/β))", verdict=HOLDS, see=PRINTED)
def test_the_error_of_local_counts():
    ratios = []
    for people in (10**4, 10**6, 10**8):
        cells = H * S * A * (S + 1) * people
        needed = np.sqrt(2 * people) * 2 * H * norm.isf(BETA / 3 / cells / 2)  # a sum of so many Laplace draws is Gaussian
        ratios.append(needed / (H * np.sqrt(people * np.log(H * S * A * people / BETA))))
    return judge(f"K = 10⁴, 10⁶, 10⁸: what a union bound needs is {rounded(min(ratios), 3)} to {rounded(max(ratios), 3)} times the order, without growing", true=max(ratios) / min(ratios) < 1.1)


@claim(PAPER, "Theorem 5.5", "regret √(H²SABT) + S²AB√(H⁵T)/ε under ε-local privacy, up to constants and logarithms", verdict=NOT_CHECKED, see=PRINTED)
def test_the_local_regret_of_the_second_paper():
    return not_checked("Theorem 4.1 with E of order (H/ε)√K; no constants. Its Lemma 5.4 needs twice the noise, which the order does not see")


@claim(PAPER, "Theorem 5.6", "every ε-locally private algorithm has regret √(H²S(A + B)T) + √(HS(A + B)T)/ε at least, in some game", verdict=NOT_CHECKED)
def test_the_local_lower_bound_is_cited():
    return not_checked("a statement about all algorithms; its second term is taken over from Garcelon et al. (2021), whose proof could not be read")


def _post_processed(triples, pair, bound):
    """Their problem (8) and equation (9), by linear programming: counts nearest to the noisy triples, and E/2 more in all."""
    n = len(triples)
    near = np.hstack([np.vstack([np.eye(n), -np.eye(n)]), -np.ones((2 * n, 1))])
    total = np.append(np.ones(n), 0)
    found = linprog(np.append(np.zeros(n), 1), np.vstack([near, total, -total]), [*triples, *-triples, pair + bound / 4, bound / 4 - pair], method="highs")
    assert found.success
    return found.x[:-1] + bound / (2 * n), near.shape


@claim(PAPER, "Lemma 5.8", "noise of at most E/4 becomes private counts that are positive, add up, are within E, and underestimate no pair", verdict=HOLDS, see=PRINTED, seeds=(0,))
def test_the_post_processing_step():
    rng, worst, least = np.random.default_rng(0), 0.0, np.inf
    for _ in range(300):
        n = rng.integers(1, 8)
        true, bound = rng.choice([0.0, 1.0, 40.0], size=n), rng.uniform(0.5, 8)
        noise = bound / 4 * rng.choice([-1, 1, rng.uniform(-1, 1)], size=n + 1)
        counts, _ = _post_processed(true + noise[:n], true.sum() + noise[n], bound)
        worst = max(worst, np.abs(counts - true).max() / bound, abs(counts.sum() - true.sum()) / bound)
        least = min(least, counts.min(), (counts.sum() - true.sum()) / bound)
    return judge(f"300 rows, noise as bad as allowed: errors up to {rounded(worst, 3)} E, nothing negative, and no pair below its true count (smallest excess {rounded(max(least, 0))})",
                 true=worst <= 1 + 1e-7 and least > -1e-7, factor=max(1.0, 1 / worst))


@claim(PAPER, "Remark 5.7", "problem (8) is a linear program with O(S) variables and constraints", verdict=HOLDS, see=PRINTED, instead="its closed form (chapter 4)")
def test_the_linear_program_is_small():
    sizes = {n: _post_processed(np.ones(n), n, 1.0)[1] for n in (2, 5, 30)}
    return judge("for S = 2, 5, 30 states: S + 1 variables, 2S + 2 constraints and S signs", true=all(shape == (2 * n, n + 1) for n, shape in sizes.items()))


@claim(PAPER, "section 5.4", "the Laplace mechanism can be replaced, as by Gaussian noise with approximate privacy", verdict=HOLDS, see=COUNTERS)
def test_gaussian_noise_takes_the_place_of_laplace_noise():
    table = table_sensitivity(H, 2, PER_STEP)
    pure, gauss = (counter(kind, K, table, epsilon=1.0, delta=1e-5).standard_deviations.max() for kind in ("tree-laplace", "tree-gaussian"))
    return judge(f"the whole table of RiverSwim, K = 20,000, ε = 1: from {rounded(pure, 4)} to {rounded(gauss, 3)} in the tree, {rounded(pure / gauss, 3)} times less, for δ = 10⁻⁵", true=gauss < pure / 2)
