"""Counting without end: Chan, Shi & Song (2011), Fichtenberger, Henzinger & Upadhyay (2023), Henzinger, Kalinin & Upadhyay
(2025), and a lower bound of 2026.

Read: the abstracts of all four. Not read: their bodies. The binary mechanism is in the form of public programs that name the
paper, and of the papers that use it.
"""

import numpy as np

from privrl_core.online import BinaryTree, LeastLargest, SquareRoot, counter, square_root_coefficients
from privrl_core.pages import HOLDS, NOT_CHECKED, claim, judge, not_checked, rounded

COUNTERS = "05_online/evidence/01_counters"


def _blocks_of_one_person(people):
    """In how many complete dyadic blocks of a stream somebody is, at most; by counting."""
    inside = np.zeros(people, dtype=int)
    for h in range(people.bit_length()):
        inside[:people >> h << h] += 1
    return int(inside.max())


@claim("Chan et al. 2011", "binary mechanism (restored)", "noise Lap(log₂T/ε) in every block is ε-private; the form of public programs, "
       "not read in the paper", verdict=NOT_CHECKED, see=COUNTERS, instead="⌊log₂T⌋ + 1 blocks, also where T is a power of two")
def test_a_person_is_in_one_block_more_than_the_logarithm():
    sizes = [*range(2, 1025), 20_000]
    loss = np.array([_blocks_of_one_person(people) / np.log2(people) for people in sizes])
    assert all(_blocks_of_one_person(people) == BinaryTree(people).levels for people in sizes)
    assert loss.max() == 2 and loss.min() > 1
    return not_checked(f"not read. As restored, T = 2 to 1,024: the loss is more than ε, by up to {rounded(loss.max())} times at T = 2, and at 20,000 it is "
                       f"{rounded(loss[-1], 3)} times; with ⌊log₂T⌋ + 1 it is ε")


@claim("Chan et al. 2011", "abstract", "the counter's error is only poly-log in the number of time steps", verdict=HOLDS, see=COUNTERS)
def test_the_tree_s_error_grows_like_a_power_of_the_logarithm():
    levels = np.arange(6, 21)
    largest = [counter("tree-laplace", int(2**k - 1), epsilon=1.0).standard_deviations.max() for k in levels]
    slope = np.polyfit(np.log(levels), np.log(largest), 1)[0]
    return judge(f"T = 63 to a million: the largest standard deviation grows like (log T)^{{{rounded(slope, 3)}}}", true=abs(slope - 1.5) < 0.01)


@claim("Fichtenberger et al. 2023", "abstract (factorisation)", "the counting matrix has an explicit factorisation into lower triangular "
       "matrices, which may be used while a stream is running", verdict=HOLDS, see=COUNTERS, seeds=(0,))
def test_the_square_root_of_the_counting_matrix():
    n = 300
    a, apart = square_root_coefficients(n), np.arange(n)[:, None] - np.arange(n)
    root = np.where(apart >= 0, a[np.abs(apart)], 0.0)
    off = np.abs(root @ root - np.tril(np.ones((n, n)))).max()
    z = np.random.default_rng(0).normal(size=n)
    early = np.abs(SquareRoot(n).noise(lambda shape: np.where(np.arange(n) < 150, z, 7.0), ())[:150]
                   - SquareRoot(n).noise(lambda shape: z, ())[:150]).max()
    return judge(f"300 steps: C C is the counting matrix to {rounded(off, 1)}; what is drawn later changes earlier noise by {rounded(early, 1)}",
                 true=off < 1e-12 and early < 1e-10)


@claim("Fichtenberger et al. 2023", "abstract (version 3, constant)", "their bound on the norm of the counting matrix is tight up to an additive error of 1",
       verdict=HOLDS, see=COUNTERS, instead="for few releases the best factorisation, found numerically")
def test_the_square_root_is_within_one_of_the_best_factorisation():
    sizes = (2, 8, 16, 32)
    excess = [SquareRoot(n).errors()[-1] ** 2 - LeastLargest(n).least_possible for n in sizes]
    return judge(f"n = 2 to 32: the square root is {rounded(min(excess))} to {rounded(max(excess))} above the least possible norm, which a dual proves",
                 true=0 <= min(excess) and max(excess) <= 1)


@claim("Henzinger et al. 2025", "abstract", "the least possible norm is between 0.701 + ln(n)/π and 0.846 + ln(n)/π, up to what vanishes", verdict=HOLDS,
       see=COUNTERS)
def test_the_least_possible_norm_lies_where_they_say():
    sizes = (2, 8, 16, 32, 48)
    left = np.array([LeastLargest(n).least_possible - np.log(n) / np.pi for n in sizes])
    assert (np.diff(left) < 0).all()
    return judge(f"n = 2, 8, 16, 32, 48, exactly: ln(n)/π plus {', '.join(rounded(x, 3) for x in left)}, falling; between the two from n = 16 on",
                 true=left[2:].max() < 0.846 and left.min() > 0.701)


@claim("arXiv 2607.00876", "abstract", "every (ε, δ)-private counter has an expected largest error of order (log n)^{3/2}, if it publishes n times",
       verdict=NOT_CHECKED, see=COUNTERS, seeds=(7,))
def test_a_lower_bound_for_every_counter():
    rng, found = np.random.default_rng(7), []
    for n in (1_000, 100_000):
        made = counter("toeplitz", n, epsilon=1.0, delta=1e-5)
        noise = np.abs(made.release(np.zeros((n, 12)), noise_rng=rng).totals).max(axis=0).mean()
        found.append(noise / np.log(n) ** 1.5)
    assert 0.5 < found[1] / found[0] < 1.2, "the square root's largest error has this order"
    return not_checked("a statement about all mechanisms. The square root's largest error at (1, 10⁻⁵), simulated, is "
                       f"{rounded(found[0])} and {rounded(found[1])} times (ln n)^{{3/2}} for n = 1,000 and 100,000; a counter that publishes ln n "
                       "times is not concerned")
