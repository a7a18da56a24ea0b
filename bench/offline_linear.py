"""Private planning in the linear problem of Qiao & Wang: a release, against the number of episodes; and Figure 1."""

import time
from functools import partial

import numpy as np

from bench.measure import duration, seconds, table
from privrl_core.offline import (
    dp_vapvi,
    dp_vapvi_as_run_by_authors,
    dp_vapvi_plus,
    pevi,
    sample_step_counts,
    unit_features,
    vapvi,
)
from privrl_core.world import binary_action_behaviour, binary_action_linear_mdp

EPISODES, BUDGETS, REPETITIONS = (5, 10, 20, 50, 100, 200, 300, 500, 700, 1000), (1.0, 5.0, 25.0, 100.0), 40
SETTINGS, PRIVATE = dict(pessimism=0.03, ridge=0.01), (dp_vapvi_as_run_by_authors, dp_vapvi, dp_vapvi_plus)


def times(K, mdp, behaviour, features):
    """Of sampling K episodes, and of each release from them."""
    rng, noise_rng = np.random.default_rng(0), np.random.default_rng(1)
    totals = sample_step_counts(mdp, behaviour, K, rng)
    private = dict(rho=1.0, delta=1e-5, noise_rng=noise_rng, **SETTINGS)
    return [seconds(call) for call in (partial(sample_step_counts, mdp, behaviour, K, rng),
                                       *(partial(plan, totals, features, **private) for plan in PRIVATE))]


def figure_1(mdp, behaviour, features):
    """Gaps of all methods at all budgets: [repetitions, episodes, curves]."""
    best, gaps = mdp.initial @ mdp.optimal_values()[0], []
    for run in range(REPETITIONS):
        rng, noise_rng, row = np.random.default_rng(run), np.random.default_rng([run, 1]), []
        for K in EPISODES:
            totals = sample_step_counts(mdp, behaviour, K, rng)
            plans = [pevi(totals, features, **SETTINGS), vapvi(totals, features, **SETTINGS)]
            plans += [dp_vapvi_as_run_by_authors(totals, features, rho=rho, delta=1e-5, noise_rng=noise_rng, **SETTINGS)
                      for rho in BUDGETS]
            row.append([best - mdp.initial @ mdp.policy_values(plan.policy)[0] for plan in plans])
        gaps.append(row)
    return np.array(gaps)


if __name__ == "__main__":
    problem, behaviour = binary_action_linear_mdp(), binary_action_behaviour()
    mdp, features = problem.tabular(), unit_features(problem.features)
    rows = [(f"{K:,}", *map(duration, times(K, mdp, behaviour, features))) for K in (10**2, 10**4, 10**6, 10**8)]
    table("One release: 2 states, 100 actions, 10 features, 20 steps",
          ("episodes", "to sample them", *(plan.__name__ for plan in PRIVATE)), rows)
    start = time.perf_counter()
    gaps = figure_1(mdp, behaviour, features)
    table(f"Figure 1, {REPETITIONS} repetitions, {len(EPISODES)} numbers of episodes, {2 + len(BUDGETS)} curves",
          ("time", "releases and plans"), [(duration(time.perf_counter() - start), gaps.size)])
