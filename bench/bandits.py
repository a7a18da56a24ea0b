"""Bandits, ten arms, a million people and forty runs at once, beside a plain loop over people."""

import time

import numpy as np

from bench.measure import duration, table
from privrl_core.online import (
    adap_ucb,
    dp_se,
    dp_ucb,
    joint_contextual_bandit,
    ldp_ucb,
    ldp_ucb_bernoulli,
    plain_contextual_bandit,
    ucb,
    ucb_with_one_tail,
    ucb_without_forgetting,
)

MEANS, N, RUNS = np.linspace(0.8, 0.4, 10), 1_000_000, 40


def ucb_as_a_loop(n, rng):
    counts, sums = [0] * len(MEANS), [0.0] * len(MEANS)
    means = MEANS.tolist()
    for t in range(1, n + 1):
        log_t = np.log(t)
        index = [np.inf if not m else s / m + np.sqrt(2 * log_t / m) for s, m in zip(sums, counts)]
        arm = index.index(max(index))
        counts[arm] += 1
        sums[arm] += rng.random() < means[arm]
    return counts


def once(function, *arguments, **options):
    start, work = time.perf_counter(), time.process_time()
    result = function(*arguments, **options)
    return result, duration(time.perf_counter() - start), duration(time.process_time() - work)


if __name__ == "__main__":
    rows = []
    for learner in (ucb_with_one_tail, ucb_without_forgetting, adap_ucb, dp_se, ucb, ldp_ucb_bernoulli, ldp_ucb, dp_ucb):
        private = {} if learner is ucb else {"epsilon": 1.0, "noise_rng": np.random.default_rng(2)}
        made, wall, work = once(learner, MEANS, N, runs=RUNS, rng=np.random.default_rng(1), **private)
        regret = made.regret[:, 0]
        rows.append((learner.__name__, wall, work, f"{regret.mean():,.0f} ± {regret.std() / np.sqrt(RUNS):,.0f}"))
    for learner in (joint_contextual_bandit, plain_contextual_bandit):
        made, wall, work = once(learner, [[0.6, 0.4], [0.4, 0.6]], N, epsilon=1.0, runs=RUNS, rng=np.random.default_rng(1),
                                noise_rng=np.random.default_rng(2))
        rows.append((learner.__name__, wall, work, f"{made.regret.mean():,.0f}"))
    few = 20_000
    _, wall, work = once(ucb_as_a_loop, few, np.random.default_rng(1))
    rows.append((f"ucb, a plain loop: {few:,} people, one run", wall, work, ""))
    table(f"{len(MEANS)} arms, {N:,} people, {RUNS} runs, epsilon = 1", ("algorithm", "in all", "processor", "regret"), rows)
