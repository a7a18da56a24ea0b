"""Consistent counts beside a linear program, and DP-APVI on the whole ICU-Sepsis model."""

import time

import numpy as np
from scipy.optimize import linprog

from bench.measure import duration, peak_gigabytes, seconds, table
from privrl_core.offline import consistent_counts, dp_apvi, sample_counts
from privrl_core.world import SURVIVAL, icu_sepsis

N_ROWS, N_STATES, SLACK, HORIZON = 716 * 25, 716, 43.0, 20


def linear_program(triples, pairs):
    """Problem (4), as printed."""
    near = np.hstack([np.vstack([np.eye(N_STATES), -np.eye(N_STATES)]), -np.ones((2 * N_STATES, 1))])
    total = np.append(np.ones(N_STATES), 0)
    return linprog(np.append(np.zeros(N_STATES), 1), np.vstack([near, total, -total]),
                   np.concatenate([triples, -triples, [pairs + SLACK, SLACK - pairs]]), method="highs").x[:-1]


def clinic():
    problem = icu_sepsis(HORIZON)
    practice = np.broadcast_to(problem.expert_policy, problem.rewards.shape)
    survival, nothing = np.eye(N_STATES)[SURVIVAL], np.broadcast_to(0.0, problem.rewards.shape)
    rows = []
    for n in (10**4, 10**5, 10**6):
        start = time.perf_counter()
        counts = sample_counts(problem, practice, n, np.random.default_rng(0))
        sampled = time.perf_counter()
        dp_apvi(counts, nothing, arrival_rewards=survival, epsilon=1.0, delta=1e-5,
                noise_rng=np.random.default_rng(1))
        planned = time.perf_counter()
        rows.append((f"{n:,}", duration(sampled - start), duration(planned - sampled), duration(planned - start),
                     f"{peak_gigabytes():.2f} GB"))
    table(f"ICU-Sepsis, 716 states, 25 treatments, {HORIZON} steps, epsilon = 1, one run each",
          ("episodes", "sampling", "DP-APVI", "together", "peak memory so far"), rows)


def rows_of_counts():
    rng = np.random.default_rng(0)
    triples = np.maximum(rng.normal(0, 6.3, size=(N_ROWS, N_STATES)), 0)
    pairs = np.maximum(rng.normal(20, 6.3, size=N_ROWS), 0)
    ours = seconds(lambda: consistent_counts(triples, pairs, SLACK)) / N_ROWS
    theirs = seconds(lambda: linear_program(triples[0], pairs[0]))
    off = np.abs(consistent_counts(triples[0], pairs[0], SLACK) - linear_program(triples[0], pairs[0])).max()
    table(f"Problem (3) with {N_STATES} next states, {N_ROWS:,} rows; the two differ by {off:.0e}",
          ("solver", "a row", "all rows", "times faster"),
          [("HiGHS (scipy.optimize.linprog)", duration(theirs), duration(theirs * N_ROWS) + " (extrapolated)", "1"),
           ("consistent_counts", duration(ours), duration(ours * N_ROWS), f"{theirs / ours:,.0f}")])


if __name__ == "__main__":
    clinic()
    rows_of_counts()
