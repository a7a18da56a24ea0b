"""Today's learner, the printed and the published one, beside a loop over people; and what each costs in regret."""

import time

import numpy as np

from bench.measure import duration, table
from privrl_core.online import (
    FirstVisits,
    count_days_non_private,
    private_optimist,
    private_posterior_sampling,
    private_posterior_sampling_from_all_releases,
    private_ucb_vi_as_printed,
    published_ucb_vi,
    shuffled_posterior_sampling,
)
from privrl_core.privacy.guarantees import Model
from privrl_core.world import river_swim

RIVER, PEOPLE, RUNS = river_swim(), 20_000, 40


def generators():
    return dict(rng=np.random.default_rng(1), noise_rng=np.random.default_rng(2))


def person_by_person(policy, people, cap, rng):
    """What `count_days_non_private` does, as one would write it."""
    counts = np.zeros((6, 2, 6))
    for _ in range(people):
        state, before = 0, {}
        for h in range(RIVER.horizon):
            action = rng.choice(2, p=policy[h, state])
            after = rng.choice(6, p=RIVER.transitions[h, state, action])
            if before.get((state, action), 0) < cap:
                before[state, action] = before.get((state, action), 0) + 1
                counts[state, action, after] += 1
            state = after
    return counts


if __name__ == "__main__":
    at_random, rng = np.full((1, 1, 20, 6, 2), 0.5), np.random.default_rng(0)
    start = time.perf_counter()
    person_by_person(at_random[0, 0], 300, 6, rng)
    loop = (time.perf_counter() - start) / 300
    start = time.perf_counter()
    count_days_non_private(RIVER, at_random, 200_000, FirstVisits(6), rng)
    ours = (time.perf_counter() - start) / 200_000
    table("One person's day of 20 steps, first six visits counted", ("", "a day", "800,000 days"),
          [("loop", duration(loop), duration(loop * RUNS * PEOPLE) + " (extrapolated)"),
           ("count_days_non_private", duration(ours), duration(ours * RUNS * PEOPLE))])

    promise, rows = dict(epsilon=1.0, delta=1e-5, runs=RUNS), []
    for name, learn in {
        "private_posterior_sampling": lambda: private_posterior_sampling(RIVER, PEOPLE, **promise, **generators()),
        "the same, from all releases": lambda: private_posterior_sampling_from_all_releases(RIVER, PEOPLE, **promise,
                                                                                            **generators()),
        "private_optimist": lambda: private_optimist(RIVER, PEOPLE, **promise, **generators()),
        "shuffled_posterior_sampling": lambda: shuffled_posterior_sampling(RIVER, PEOPLE, **promise, **generators()),
        "private_ucb_vi_as_printed": lambda: private_ucb_vi_as_printed(RIVER, PEOPLE, epsilon=1.0, runs=RUNS,
                                                                       **generators()),
        "published_ucb_vi (2,000 people)": lambda: published_ucb_vi(RIVER, 2_000, epsilon=1.0, model=Model.JOINT, runs=RUNS,
                                                                    **generators()),
    }.items():
        start = time.perf_counter()
        regret = learn().regret[:, -1]
        rows.append((name, duration(time.perf_counter() - start),
                     f"{regret.mean():,.0f} ± {regret.std(ddof=1) / np.sqrt(RUNS):,.0f}", f"{regret.max():,.0f}"))
    table(f"RiverSwim, {RUNS} runs of {PEOPLE:,} people, ε = 1, δ = 1e-5, one run each",
          ("learner", "time", "regret", "largest"), rows)

    rows = []  # the means that chapter 5 quotes
    for learn in (private_posterior_sampling, private_posterior_sampling_from_all_releases):
        regret = learn(RIVER, PEOPLE, **(promise | dict(runs=400)), **generators()).regret[:, -1]
        rows.append((learn.__name__, f"{regret.mean():,.0f} ± {regret.std(ddof=1) / 20:,.0f}", f"{np.median(regret):,.0f}",
                     f"{np.quantile(regret, 0.99):,.0f}"))
    table("The same river, 400 runs", ("learner", "regret", "median", "one run in a hundred pays more than"), rows)
