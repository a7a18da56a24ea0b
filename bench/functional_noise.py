"""Functional noise: adaptive queries beside dense conditioning and a list, known points, many paths, suprema."""

from bisect import bisect_left

import numpy as np

from bench.measure import duration, seconds, table
from privrl_core.functional_noise import (
    GaussianField,
    OUPath,
    OUPaths,
    bridge,
    manhattan_kernel,
    sample_ou,
    sup_tail,
    sup_tail_exact,
)
from privrl_core.functional_noise.suprema import _spectrum

BETA, SIGMA = 16.0, 0.32


def rng():
    return np.random.default_rng(0)


def asked(n):
    path = OUPath(BETA, SIGMA, rng())
    for x in points(n):
        path(x)


def points(n):
    return np.random.default_rng(1).random(n).tolist()


def with_a_list(n):
    """Algorithm 1 with the corrected bridge: one sorted list, and numpy for each number."""
    xs, values, normal = [-np.inf, np.inf], [0.0, 0.0], rng()
    for x in points(n):
        place = bisect_left(xs, x)
        w_left, w_right, d = bridge(xs[place - 1], x, xs[place], BETA)
        value = w_left * values[place - 1] + w_right * values[place] + SIGMA * np.sqrt(d) * normal.standard_normal()
        xs.insert(place, x)
        values.insert(place, value)


def densely(n):
    """Conditioning on everything known, by solving with the Gram matrix: any kernel, no thought."""
    xs, values, normal = np.empty(0), np.empty(0), rng()
    for x in points(n):
        gram, k = np.exp(-BETA * np.abs(np.subtract.outer(xs, xs))), np.exp(-BETA * np.abs(xs - x))
        weights = np.linalg.solve(gram, k)
        value = weights @ values + SIGMA * np.sqrt(max(1 - weights @ k, 0)) * normal.standard_normal()
        xs, values = np.append(xs, x), np.append(values, value)


def as_a_field(n):
    GaussianField(manhattan_kernel(BETA), SIGMA, rng(), dimension=1)(np.reshape(points(n), (n, 1)))


def batches(n_paths, resets):
    paths, world = OUPaths(BETA, SIGMA, rng(), shape=(n_paths,)), np.random.default_rng(2)
    for _ in range(resets):
        paths.restart()
        for _ in range(64):
            paths(world.random(n_paths))


def exact(u):
    _spectrum.cache_clear()
    sup_tail_exact(u, BETA)


if __name__ == "__main__":
    rows = []
    for name, function, sizes in (
            ("OUPath", asked, (1000, 100_000, 1_000_000)), ("a list, numpy", with_a_list, (1000, 30_000)),
            ("growing Cholesky factor", as_a_field, (1000,)), ("dense solve", densely, (300,))):
        for n in sizes:
            time = seconds(lambda f=function, n=n: f(n))
            rows.append((name, f"{n:,}", duration(time), duration(time / n)))
    table(f"Adaptive queries on one path, one at a time, in random order (beta = {BETA:g})",
          ("way", "queries", "in all", "each"), rows)
    million = np.array(points(1_000_000))
    rows = [("sample_ou, in any order", duration(seconds(lambda: sample_ou(million, BETA, SIGMA, rng()))))]
    ordered = np.sort(million)
    decay = np.exp(-BETA * np.diff(ordered, prepend=-np.inf))
    push = SIGMA * np.sqrt(1 - decay**2) * rng().standard_normal(len(decay))

    def loop():
        g = 0.0
        return [g := a * g + b for a, b in zip(decay.tolist(), push.tolist())]
    rows.append(("the recursion as a loop, sorted and scaled beforehand", duration(seconds(loop))))
    table("1,000,000 known points", ("way", "in all"), rows)
    rows = [(f"{n}", duration(seconds(lambda n=n: batches(n, 10)) / 640)) for n in (60, 240)]
    table("OUPaths, reset after 64 queries", ("paths", "a query of all"), rows)
    table("P(sup X >= 5)", ("way", "time"), [
        ("sup_tail, a bound that holds", duration(seconds(lambda: sup_tail(5.0, BETA)))),
        ("sup_tail_exact, the first at a level", duration(seconds(lambda: exact(5.0)))),
        ("sup_tail_exact, later ones", duration(seconds(lambda: sup_tail_exact(5.0, BETA))))])
