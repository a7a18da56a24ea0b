"""Private releases from the statistics of a million trajectories: the first in a process, and any later one."""

import time

import numpy as np

from bench.measure import duration, seconds, table
from privrl_core.policy_evaluation import (
    dp_lsl,
    dp_lsw,
    dp_sufficient_statistics,
    first_visit_statistics,
    lsw,
    tabular_features,
)
from privrl_core.privacy import as_printed, as_proved, calibrate_exact
from privrl_core.world import recovery_chain, sample_episodes

M, N_STATES, EPSILON, DELTA = 1_000_000, 40, 1.0, 1e-5

if __name__ == "__main__":
    chain = recovery_chain(N_STATES)
    episodes = sample_episodes(chain, np.ones((N_STATES, 1)), M, np.random.default_rng(0))
    statistics = first_visit_statistics(episodes, N_STATES, chain.discount, return_bound=1.0)
    features, ones = tabular_features(N_STATES), np.ones(N_STATES)
    values = chain.policy_values(np.ones((N_STATES, 1)))
    private = dict(return_bound=1.0, epsilon=EPSILON, delta=DELTA, noise_rng=np.random.default_rng(1))
    releases = {"none (not private)": lambda: lsw(statistics, features, ones)}
    for rule in (as_printed, as_proved, calibrate_exact):
        releases[f"dp_lsw, {rule.__name__}"] = lambda rule=rule: dp_lsw(
            statistics, features, ones, rule=rule, **private).parameters
        releases[f"dp_lsl, {rule.__name__}"] = lambda rule=rule: dp_lsl(
            statistics, features, ones, 1000.0, rule=rule, **private).parameters
    releases["dp_sufficient_statistics"] = lambda: dp_sufficient_statistics(
        statistics, features, **private).parameters
    rows = []
    for name, release in releases.items():
        start = time.perf_counter()
        error = np.sqrt(np.mean((release() - values) ** 2))
        first = time.perf_counter() - start
        rows.append((name, duration(first), duration(seconds(release)), f"{error:.2g}"))
    table(f"Releases from {M:,} trajectories, epsilon = {EPSILON:g}, delta = {DELTA:g}, ridge 1000",
          ("release", "first call", "later calls", "error of one (RMS over states)"), rows)
