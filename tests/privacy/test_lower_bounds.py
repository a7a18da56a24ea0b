"""What no private learner can do, by construction of the best one and by simulation-free integrals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import linprog
from scipy.stats import norm

from privrl_core.privacy import chain_success_ceiling, gaussian_mu, gaussian_success_ceiling, success_ceiling


@pytest.mark.parametrize("epsilon, delta, n", [(0.9, 1e-4, 2), (0.45, 1e-4, 2), (1.0, 0.1, 3), (0.0, 0.05, 5),
                                               (3.0, 0.0, 4)])
def test_no_mechanism_does_better(epsilon, delta, n):
    """The best mechanism of n inputs and n outputs is a linear program, singletons and all other events included."""
    events = [np.array([(mask >> j) & 1 for j in range(n)]) for mask in range(1, 2**n - 1)]
    rows = [np.kron(np.eye(n)[i] - np.exp(epsilon) * np.eye(n)[j], event) for event in events
            for i in range(n) for j in range(n) if i != j]
    best = linprog(-np.eye(n).ravel() / n, A_ub=rows, b_ub=np.full(len(rows), delta),
                   A_eq=np.kron(np.eye(n), np.ones(n)), b_eq=np.ones(n), bounds=(0, 1))
    assert -best.fun == pytest.approx(success_ceiling(epsilon, delta, n), abs=1e-9)


@pytest.mark.parametrize("epsilon, delta, steps", [(0.9, 1e-4, 1), (0.9, 1e-4, 2), (0.9, 0.0, 5), (0.3, 0.02, 6), (0.0, 0.05, 7),
                                                   (1.0, 0.1, 8), (2.0, 1e-3, 3)])
def test_no_mechanism_does_better_on_a_chain(epsilon, delta, steps):
    """A linear program once more: of steps + 1 inputs, good for the first, good for the last, or for neither."""
    n, events = steps + 1, [np.array([(mask >> j) & 1 for j in range(3)]) for mask in range(1, 7)]
    rows = [np.kron(np.eye(n)[i] - np.exp(epsilon) * np.eye(n)[j], event) for event in events
            for i in range(n) for j in (i - 1, i + 1) if 0 <= j < n]
    success = np.zeros((n, 3))
    success[0, 0] = success[-1, 1] = 0.5
    best = linprog(-success.ravel(), A_ub=rows, b_ub=np.full(len(rows), delta), A_eq=np.kron(np.eye(n), np.ones(3)),
                   b_eq=np.ones(n), bounds=(0, 1))
    assert -best.fun == pytest.approx(chain_success_ceiling(epsilon, delta, steps), abs=1e-9)


@given(st.floats(0, 5), st.floats(0, 0.5), st.integers(1, 40))
def test_a_chain_of_one_and_of_many_steps(epsilon, delta, steps):
    assert chain_success_ceiling(epsilon, delta, 1) == pytest.approx(success_ceiling(epsilon, delta), abs=1e-12)
    assert chain_success_ceiling(epsilon, delta, steps) <= chain_success_ceiling(epsilon, delta, steps + 1) + 1e-12
    laplace = 1 - np.exp(-steps * epsilon / 2) / 2  # of a statistic that each step moves by one
    assert laplace <= chain_success_ceiling(epsilon, 0, steps) + 1e-12
    assert steps % 2 or laplace == pytest.approx(chain_success_ceiling(epsilon, 0, steps), abs=1e-12)


@pytest.mark.parametrize("epsilon, delta, steps", [(0.9, 1e-4, 5), (0.45, 1e-4, 20), (3.0, 1e-6, 1)])
def test_a_gaussian_learner_stays_below_the_ceiling_for_all(epsilon, delta, steps):
    ours = gaussian_success_ceiling(float(gaussian_mu(epsilon, delta)), steps=steps)
    assert ours < chain_success_ceiling(epsilon, delta, steps)


def test_the_papers_walk():
    assert success_ceiling(0.9, 1e-4) == pytest.approx(0.711, abs=5e-4)
    assert success_ceiling(0.45, 1e-4) == pytest.approx(0.611, abs=5e-4)
    assert success_ceiling(0, 0, 7) == pytest.approx(1 / 7)


@given(st.floats(1e-3, 8), st.integers(1, 50))
def test_two_gaussians_closed_form(mu, steps):
    assert gaussian_success_ceiling(mu, steps=steps) == pytest.approx(norm.cdf(steps * mu / 2), abs=1e-12)


@pytest.mark.parametrize("mu, n", [(0.5, 3), (2.0, 3), (1.0, 10)])
def test_gaussians_at_the_corners_of_a_simplex_stay_below(mu, n):
    """n means, all mu apart, one observation: the best guess is the nearest, and its success one integral."""
    success, _ = quad(lambda x: norm.pdf(x - mu / np.sqrt(2)) * norm.cdf(x) ** (n - 1), -12, 12 + mu)
    ceiling = gaussian_success_ceiling(mu, n)
    assert 1 / n < success <= ceiling < success + 0.1


@given(st.floats(1e-3, 3), st.integers(2, 1000))
def test_the_ceiling_grows_with_mu_and_falls_with_choice(mu, n):
    ceiling = gaussian_success_ceiling(mu, n)
    assert 1 / n < ceiling < gaussian_success_ceiling(1.1 * mu, n) and gaussian_success_ceiling(mu, n + 1) < ceiling
    assert gaussian_success_ceiling(mu, n, steps=3) == pytest.approx(gaussian_success_ceiling(3 * mu, n), rel=1e-12)


@pytest.mark.parametrize("call, message", [
    (lambda: success_ceiling(-1, 0.1), "epsilon must be at least 0, got -1"),
    (lambda: success_ceiling(1, 1), "delta must be strictly between 0 and 1, got 1"),
    (lambda: success_ceiling(1, -0.1), "delta must be strictly"),
    (lambda: success_ceiling(1, 0.1, 1), "n_rewards must be a whole number of at least 2, got 1"),
    (lambda: chain_success_ceiling(-1, 0, 2), "epsilon must be at least 0, got -1"),
    (lambda: chain_success_ceiling(1, 1.5, 2), "delta must be strictly between 0 and 1, got 1.5"),
    (lambda: chain_success_ceiling(1, 0, 0), "steps must be a whole number of at least 1, got 0"),
    (lambda: gaussian_success_ceiling(0), "mu must be positive, got 0"),
    (lambda: gaussian_success_ceiling(1, 2.5), "n_rewards must be a whole number"),
    (lambda: gaussian_success_ceiling(1, steps=0), "steps must be a whole number of at least 1, got 0")])
def test_wrong_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
