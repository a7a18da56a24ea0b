"""Chowdhury & Zhou (2022): Private-UCB-VI under joint and local privacy, and the program behind its figures.

Read: the introduction with its Table 1; the public program, the repository PrivateTabularRL of XingyuZhou989 on GitHub, which
names the paper. Not read: the algorithm's formulas. Where a row says "restored", they are from memory.
"""

from functools import cache

import numpy as np

from privrl_core.online import (
    PER_STEP,
    BinaryTree,
    PrintedBound,
    PublishedLearner,
    private_ucb_vi_as_printed,
    published_ucb_vi,
    table_sensitivity,
    ucb_vi_as_printed_non_private,
)
from privrl_core.pages import DEPARTS, FAILS, HOLDS, NOT_CHECKED, claim, judge, not_checked, rounded
from privrl_core.privacy import ADD_OR_REMOVE_ONE, epsilon_lower_bound
from privrl_core.privacy.guarantees import Model
from privrl_core.world import river_swim
from tests.online.test_audits import treated_left

PAPER = "Chowdhury & Zhou 2022"
PRINTED, CODE = "05_online/evidence/03_printed_bonuses", "05_online/evidence/04_published_code"
RIVER, SIZE = river_swim(), dict(horizon=20, n_states=6, n_actions=2)


def _generators(seed):
    return dict(rng=np.random.default_rng(seed), noise_rng=np.random.default_rng([seed, 1]))


# ------------------------------------------------------------------------------------------------------- what was printed

@claim(PAPER, "Table 1 (JDP)", "Private-UCB-VI has regret √(SAH³T) + S²AH³/ε under ε-joint privacy, up to logarithms", verdict=NOT_CHECKED, see=PRINTED)
def test_the_joint_regret_has_no_constant_to_refute():
    main, extra = np.sqrt(6 * 2 * 20**3 * 400_000), 36 * 2 * 20**3
    never = 20_000 * 3.3535
    assert main > never
    return not_checked(f"an order has no constant that a run could refute. At the size of the figures (T = 400,000, ε = 1) its terms are {rounded(main)} and {rounded(extra)}, where never learning "
                       f"costs {rounded(never)}")


@claim(PAPER, "Table 1 (LDP)", "and √(SAH³T) + S²A√(H⁵T)/ε under ε-local privacy, up to logarithms", verdict=NOT_CHECKED, see=PRINTED)
def test_the_local_regret_has_no_constant_to_refute():
    extra = 36 * 2 * np.sqrt(20**5 * 400_000)
    assert extra > 67_069
    return not_checked(f"the same; at the size of the figures the second term is {rounded(extra)}")


@claim(PAPER, "central privatiser (restored)", "noise for a sensitivity of 3H in three families of trees is ε-joint privacy", verdict=NOT_CHECKED, see=PRINTED,
       instead="twice the noise: replacing a person moves 6H cells")
def test_the_central_noise_is_for_one_day_and_not_for_two():
    replaced, added = ((table_sensitivity(20, 3, PER_STEP, neighbours=which).l1 / 60 if which else table_sensitivity(20, 3, PER_STEP).l1 / 60) for which in (None, ADD_OR_REMOVE_ONE))
    levels = BinaryTree(20_000).levels / np.log2(20_000)
    assert (replaced, added) == (2, 1)
    return not_checked(f"not read. As restored, by the sensitivity of all pairs of days: {rounded(replaced, 3)} ε if a person is replaced, {rounded(added, 3)} ε if one is added or removed; "
                       f"with log₂K in place of ⌊log₂K⌋ + 1 levels {rounded(levels, 3)} times more")


@claim(PAPER, "local privatiser (restored)", "Laplace noise 3H/ε on every cell of three families is ε-local privacy", verdict=NOT_CHECKED, see=PRINTED, instead="noise 6H/ε", seeds=(0,))
def test_the_local_noise_is_half_of_what_any_two_days_need():
    promise = private_ucb_vi_as_printed(RIVER, 30, epsilon=0.5, model=Model.LOCAL, **_generators(0)).guarantee
    assert abs(promise.epsilon - 1) < 1e-12
    return not_checked(f"not read. As restored, any two days are compared and the loss is {rounded(promise.epsilon / 0.5, 3)} ε, attained by two days that share no cell; the same form could be read in "
                       "Qiao & Wang (2024), section 5.2")


@claim(PAPER, "bonus (restored)", "its indices direct exploration; restored, with every constant as remembered", verdict=NOT_CHECKED, see=PRINTED, instead="bonuses as large as the noise of what they protect", seeds=(5,))
def test_no_index_leaves_its_ceiling_before_person_s_e():
    own = PrintedBound(**SIZE, epsilon=1.0)
    private = private_ucb_vi_as_printed(RIVER, 20_000, epsilon=1.0, runs=2, **_generators(5)).regret[:, -1]
    free = ucb_vi_as_printed_non_private(RIVER, 20_000, runs=2, rng=np.random.default_rng(5)).regret[:, -1]
    assert np.allclose([private, free], 67_069.49872027, atol=1e-6) and own.always_blind_up_to() == 212_696
    return not_checked(f"not read. As restored, the bonus alone reaches H up to person S E = {rounded(own.blind_until(20_000), 6)}; at K = 20,000 regret is {rounded(free[0], 6)} with privacy and without it, "
                       "that of treating at random, so the constants are to blame first and privacy second")


# -------------------------------------------------------------------------------------------------- the published program

@cache
def _bound(epsilon, later):
    """A lower bound on ε from treatments of later people: the event is chosen on half of the runs, and counted on the others."""
    first, second = ([treated_left(epsilon, later, target, 1_000, seed + target) for target in (0, 1)] for seed in (70, 80))
    bounds = [epsilon_lower_bound(int((first[0] >= c).sum()), int((first[1] >= c).sum()), 1_000, delta=0) for c in range(1, later + 1)]
    c = 1 + int(np.argmax(bounds))
    hits = [int((side >= c).sum()) for side in second]
    return c, hits, epsilon_lower_bound(*hits, 1_000, delta=0)


@claim(PAPER, "figures (JDP), public program", "the learner at ε = 1 is 1-jointly private", verdict=FAILS, see=CODE, instead="a counter that keeps its noise")
def test_the_program_is_not_jointly_private_as_labelled():
    c, hits, bound = _bound(1.0, 20)
    return judge(f"27 people, all trees of answers fixed in advance: at least {c} of 20 later ones are treated \"left\" in {hits[0]:,} of 1,000 runs on one side and in {hits[1]:,} on the other, so ε ≥ {rounded(bound)} "
                 "with confidence 0.999", true=bound <= 1)


@claim(PAPER, "figures (LDP), public program", "each person's counts are sent with noise of their own", verdict=FAILS, see=CODE, instead="a draw for every cell, of width 2Hf/ε", seeds=(0,))
def test_local_noise_is_one_draw_for_all_pairs():
    learner = PublishedLearner(6, 2, 20, epsilon=1.0, model=Model.LOCAL, runs=1, noise_rng=np.random.default_rng(0))
    for _ in range(50):
        learner.plan()
    law = learner._shared_triples[:, None, None, :] + np.zeros((1, 6, 2, 6))
    spread = float(np.ptp(law, axis=(1, 2)).max())
    return judge(f"after 50 people the noise of any two pairs (s, a) differs by {rounded(spread)}: differences of counts are sent exactly, and no ε holds", true=spread > 0)


@claim(PAPER, "figures, public program", "the figures show Private-UCB-VI", verdict=DEPARTS, see=CODE, instead="both, with the difference said", seeds=(1,))
def test_the_program_is_another_algorithm_than_the_restored_one():
    run = dict(epsilon=1.0, runs=4, **_generators(1))
    published = published_ucb_vi(RIVER, 1_000, model=Model.JOINT, **run).regret[:, -1].mean()
    printed = private_ucb_vi_as_printed(RIVER, 1_000, **run).regret[:, -1].mean()
    return judge(f"1,000 people at ε = 1: regret {rounded(published, 3)} by the program, which pools steps, has √(2 ln 3) for the logarithm and new noise in every plan, {rounded(printed, 4)} by the restored "
                 "formulas", true=published > 0.9 * printed, elsewhere=True)


@claim(PAPER, "figures (world), public program", "the problem is RiverSwim with S = 6, A = 2, H = 20", verdict=HOLDS, see=CODE)
def test_the_world_of_the_figures():
    assert RIVER.rewards.shape == (SIZE["horizon"], SIZE["n_states"], SIZE["n_actions"]) == (20, 6, 2)
    best, random = (RIVER.initial @ values for values in (RIVER.optimal_values()[0], RIVER.policy_values(np.full(RIVER.rewards.shape, 0.5))[0]))
    return judge(f"S = 6, A = 2, H = 20 as rebuilt from the program, whose figures were not read; the best value is {rounded(best, 4)}, that of treating at random {rounded(random)}", true=abs(best - 3.39726) < 1e-4)
