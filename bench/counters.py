"""Counters over a million people, beside the straightforward loops, and whole tables."""

import numpy as np

from bench.measure import duration, seconds, table
from privrl_core.online import KINDS, counter, growing, table_sensitivity

N, FEW = 1_000_000, 20_000


def rng():
    return np.random.default_rng(0)


def released(kind, x):
    made = counter(kind, len(x), epsilon=1, delta=1e-5)
    return made.release(np.add.reduceat(x, np.append(0, made.times[:-1])), noise_rng=rng())


def tree_as_a_loop(x):
    """Chan, Shi & Song, one person after another: the sum of each block, noised when it is complete."""
    noise, levels, totals = rng(), len(x).bit_length(), []
    sums, noisy = [0.0] * levels, [0.0] * levels
    for t, value in enumerate(x.tolist(), 1):
        h = (t & -t).bit_length() - 1
        sums[h] = value + sum(sums[:h])
        noisy[h] = sums[h] + noise.laplace(0, levels)
        sums[:h] = noisy[:h] = [0.0] * h
        totals.append(sum(noisy[k] for k in range(levels) if t >> k & 1))
    return totals


def root_as_a_loop(x):
    """C z by its definition, a dot product for each person."""
    a = counter("toeplitz", len(x), epsilon=1, delta=1e-5).factor
    z, coefficients = rng().normal(size=len(x)), np.diff(a.errors() ** 2, prepend=0) ** 0.5
    return np.cumsum(x) + [coefficients[:t][::-1] @ z[:t] for t in range(1, len(x) + 1)]


if __name__ == "__main__":
    x = (rng().random(N) < 0.3).astype(float)
    rows = [(kind, f"{N:,}", duration(seconds(lambda kind=kind: released(kind, x)))) for kind in KINDS]
    for name, loop in (("tree-laplace, as a loop", tree_as_a_loop), ("toeplitz, as a loop", root_as_a_loop)):
        rows.append((name, f"{FEW:,}", duration(seconds(lambda loop=loop: loop(x[:FEW])))))
    table("One count, published again and again", ("counter", "people", "in all"), rows)
    times = growing(20_000, first=300, growth=0.2)
    tables = rng().random((times.size, 2, 20, 6, 2, 6))
    made = counter("doubling-toeplitz", 20_000, table_sensitivity(20, 2), epsilon=1, delta=1e-5, times=times)
    table("Whole tables of the river, 20 steps, two families, 25 releases", ("what", "time"), [
        ("all releases", duration(seconds(lambda: made.release(tables, noise_rng=rng())))),
        ("the charge of who came in 16 batches", duration(seconds(lambda: made.charge(range(16)))))])
