"""Smooth bounds of the local sensitivity in closed form, beside the scan over k that defines them."""

import numpy as np

from bench.measure import duration, seconds, table
from privrl_core.policy_evaluation import first_visit_statistics, smooth_bound_lsl, smooth_bound_lsw, tabular_features
from privrl_core.privacy import calibrate_exact
from privrl_core.world import recovery_chain, sample_episodes

M, N_STATES, RIDGE = 1_000_000, 40, 1000.0


def in_blocks(term):
    """max of term(k) over k = 0 .. M, a thousand at a time: the fastest way to scan."""
    return max(term(np.arange(k, min(k + 1000, M + 1))[:, None]).max() for k in range(0, M + 1, 1000))


if __name__ == "__main__":
    # from every state equally often: forty different numbers of visits, the hardest case for the closed form
    chain = recovery_chain(N_STATES, initial=np.full(N_STATES, 1 / N_STATES))
    episodes = sample_episodes(chain, np.ones((N_STATES, 1)), M, np.random.default_rng(0))
    visits = first_visit_statistics(episodes, N_STATES, chain.discount).visits
    features, ones, (_, beta) = tabular_features(N_STATES), np.ones(N_STATES), calibrate_exact(0.1, 0.1, N_STATES)

    def lsw_term(k):
        return np.exp(-beta * k[:, 0]) * (1 / np.maximum(visits - k, 1) ** 2).sum(axis=1)

    def lsl_term(k):
        reach = np.minimum(visits + k, M).sum(axis=1)
        return np.exp(-beta * k[:, 0]) * (np.sqrt(reach / (2 * RIDGE)) + np.sqrt(N_STATES)) ** 2

    rows = []
    for name, closed, term in (
        ("DP-LSW", lambda: smooth_bound_lsw(visits, ones, beta), lsw_term),
        ("DP-LSL", lambda: smooth_bound_lsl(visits, M, features, ones, RIDGE, beta), lsl_term),
    ):
        here, scan = seconds(closed), seconds(lambda term=term: in_blocks(term))
        one = np.array([[0]])
        loop = seconds(lambda term=term, one=one: term(one)) * (M + 1)
        rows.append((
            name, duration(here), duration(loop), f"{loop / here:,.0f}", duration(scan), f"{scan / here:,.0f}",
            f"{abs(closed() / in_blocks(term) - 1):.1e}",
        ))
    table(
        f"Smooth bounds at {visits.max():,} visits, {N_STATES} states (the loop is timed at one k)",
        ("bound", "closed form", "scan, a loop", "times faster", "scan, vectorised", "times faster", "difference"),
        rows,
    )
