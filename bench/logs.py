"""A log of 100,000 stays with labels: from a DataFrame to a signed statement, beside the loop one would write first."""

import time

import numpy as np
import pandas as pd

from bench.measure import duration, seconds, table
from privrl_core.policy_evaluation import dp_sufficient_statistics, first_visit_statistics, tabular_features
from privrl_core.privacy import DiscreteGaussianNoise, privacy_statement
from privrl_core.world import Episodes

STAYS, WARDS = 100_000, ["emergency", "intensive care", "surgery", "cardiology", "geriatrics", "home"]


def log(rng):
    """Stays of 1 to 20 hours, one row for each hour, that move between wards at random and end at home."""
    hours = rng.integers(1, 21, STAYS)
    stay, n = np.repeat(np.arange(STAYS), hours), hours.sum()
    last = np.cumsum(hours) - 1
    ward = rng.integers(0, len(WARDS) - 1, n)
    following = np.roll(ward, -1)
    following[last] = len(WARDS) - 1
    return pd.DataFrame({
        "stay": np.char.add("stay ", stay.astype(str)), "hour": np.arange(n) - np.repeat(last + 1 - hours, hours),
        "ward": np.take(WARDS, ward), "treatment": rng.choice(["wait", "treat"], n),
        "cost": -rng.integers(0, 500, n), "next_ward": np.take(WARDS, following)})


def from_frame(frame):
    return Episodes.from_frame(frame, episode="stay", time="hour", state="ward", action="treatment", reward="cost",
                               next_state="next_ward", states=WARDS, ends=["home"])


def first_visits_by_loop(frame):
    """Sums of the returns from each first visit, stay by stay: neither checked nor private."""
    sums = dict.fromkeys(WARDS[:-1], 0.0)
    for _, stay in frame.sort_values(["stay", "hour"]).groupby("stay", sort=False):
        returns = stay["cost"].to_numpy()[::-1].cumsum()[::-1]
        for row, ward in stay["ward"].drop_duplicates().items():
            sums[ward] += returns[stay.index.get_loc(row)]
    return sums


def release(episodes):
    released = dp_sufficient_statistics(
        first_visit_statistics(episodes, len(WARDS), 1.0, return_range=(-10_000, 0)), tabular_features(len(WARDS)),
        return_range=(-10_000, 0), epsilon=1.0, delta=1e-7, noise_rng=None, noise=DiscreteGaussianNoise)
    return privacy_statement(released.guarantee, released="Mean costs of six wards.").to_json()


if __name__ == "__main__":
    frame = log(np.random.default_rng(0))
    episodes = from_frame(frame)
    start = time.perf_counter()
    first_visits_by_loop(frame)
    loop = time.perf_counter() - start
    table(f"{STAYS:,} stays, {len(frame):,} rows", ("step", "time"), [
        ("Episodes.from_frame, all rows checked", duration(seconds(lambda: from_frame(frame)))),
        ("first visits, exact noise, statement as JSON", duration(seconds(lambda: release(episodes)))),
        ("only the sums, by a loop over groupby", duration(loop))])
