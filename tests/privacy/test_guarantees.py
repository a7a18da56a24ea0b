"""The Gaussian privacy curve and guarantees, each against a second route."""

import dp_accounting
import mpmath
import numpy as np
import pytest
from dp_accounting import rdp
from hypothesis import given, settings
from hypothesis import strategies as st

from privrl_core.privacy import (
    REPLACE_ONE,
    TRAJECTORY,
    Guarantee,
    Status,
    compose_gaussians,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
    zcdp_epsilon,
    zcdp_epsilon_as_printed,
)

epsilons = st.floats(1e-3, 30)
deltas = st.floats(1e-10, 0.9)


def guarantee(**changes):
    return Guarantee(**{**dict(epsilon=1.0, delta=1e-5, unit=TRAJECTORY, neighbours=REPLACE_ONE,
                               status=Status.PROVED, basis="a test"), **changes})


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("mu", [0.01, 0.35, 1.0, 8.0])
def test_gaussian_delta_is_the_integral_of_the_positive_part(epsilon, mu):
    """delta = integral of max(p - e^eps q, 0), integrated by mpmath at 40 digits beyond the point where p = e^eps q."""
    with mpmath.workdps(40):
        start = epsilon / mpmath.mpf(mu) + mpmath.mpf(mu) / 2  # q = N(0, 1), p = N(mu, 1)
        true = mpmath.ncdf(mu - start) - mpmath.exp(epsilon) * mpmath.ncdf(-start)
    assert gaussian_delta(epsilon, mu) == pytest.approx(float(true), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("epsilon, delta, sigma", [(1, 1e-5, 3.730632), (0.9, 1e-4, 3.49698), (0.1, 0.1, 2.84692)])
def test_analytic_gaussian_agrees_with_dp_accounting(epsilon, delta, sigma):
    assert 1 / gaussian_mu(epsilon, delta) == pytest.approx(sigma, abs=1e-5)
    assert 1 / gaussian_mu(epsilon, delta) == pytest.approx(dp_accounting.get_sigma_gaussian(epsilon, delta), rel=1e-6)
    assert gaussian_epsilon(delta, 1 / sigma) == pytest.approx(dp_accounting.get_epsilon_gaussian(sigma, delta), rel=1e-5)


@pytest.mark.parametrize("epsilon, mu", [(0.0, 1e-16), (0.0, 1.0), (1e-12, 1e-3), (1e-3, 1e-8), (100.0, 5.0), (700.0, 40.0)])
def test_gaussian_delta_keeps_its_digits(epsilon, mu):
    with mpmath.workdps(60):
        x, m = epsilon / mpmath.mpf(mu), mpmath.mpf(mu)
        true = mpmath.ncdf(m / 2 - x) - mpmath.exp(mpmath.mpf(epsilon)) * mpmath.ncdf(-m / 2 - x)
    assert gaussian_delta(epsilon, mu) == pytest.approx(float(true), rel=1e-9, abs=1e-300)


@given(epsilons, deltas)
def test_gaussian_mu_inverts_gaussian_delta(epsilon, delta):
    mu = gaussian_mu(epsilon, delta)
    assert gaussian_delta(epsilon, mu) == pytest.approx(delta, rel=1e-9)
    assert gaussian_epsilon(delta, mu) == pytest.approx(epsilon, rel=1e-6, abs=1e-9)


@given(epsilons, st.floats(0.01, 10))
def test_gaussian_delta_falls_with_epsilon_and_rises_with_mu(epsilon, mu):
    assert gaussian_delta(epsilon * 1.1, mu) <= gaussian_delta(epsilon, mu) <= gaussian_delta(epsilon, mu * 1.1)


def test_gaussian_epsilon_is_zero_where_delta_is_spent():
    assert gaussian_epsilon(0.5, 0.1) == 0
    assert np.array_equal(gaussian_epsilon([0.5, 1e-5], [0.1, 1.0]) > 0, [False, True])


def test_composition_of_gaussians_is_exact():
    assert gaussian_epsilon(1e-5, compose_gaussians([1, 1 / 2, 1 / 5, 1 / 3])) == pytest.approx(5.327262, abs=1e-6)
    assert compose_gaussians([3.0, 4.0]) == 5.0
    assert compose_gaussians([3e200, 4e200]) == pytest.approx(5e200)


def test_zcdp_conversion_lies_between_the_gaussian_and_the_printed_one():
    """rho = 1/2 at delta = 1e-5: a Gaussian has 4.377, the tight conversion 4.728, the printed one 5.299."""
    assert gaussian_epsilon(1e-5, 1.0) == pytest.approx(4.37718, abs=1e-5)
    assert zcdp_epsilon_as_printed(0.5, 1e-5) == pytest.approx(5.2985, abs=1e-4)
    for rho in (1e-3, 0.5, 5.0):
        tight = zcdp_epsilon(rho, 1e-5)
        assert gaussian_epsilon(1e-5, np.sqrt(2 * rho)) <= tight <= zcdp_epsilon_as_printed(rho, 1e-5)
        accountant = rdp.RdpAccountant(orders=1 + np.geomspace(1e-2, 1e5, 20_000))
        accountant.compose(dp_accounting.ZCDpEvent(rho))
        assert tight == pytest.approx(accountant.get_epsilon(1e-5), rel=1e-4)


@settings(max_examples=30)
@given(st.floats(1e-4, 20), deltas)
def test_zcdp_conversion_is_the_minimum_over_orders(rho, delta):
    excess = np.geomspace(1e-4, 1e8, 100_000)
    bound = rho * (1 + excess) + np.log(excess / (1 + excess)) - np.log(delta * (1 + excess)) / excess
    assert zcdp_epsilon(rho, delta) <= max(bound.min(), 0) + 1e-9
    assert zcdp_epsilon(rho, delta) >= max(bound.min(), 0) * (1 - 1e-4) - 1e-6


def test_a_guarantee_says_whom_it_protects():
    assert str(guarantee()) == ("(ε = 1, δ = 10⁻⁵)-differential privacy for one trajectory (replace one), proved")


def test_a_guarantee_with_mu_has_the_whole_curve():
    mu = float(gaussian_mu(1, 1e-5))
    assert guarantee(mu=mu).at(1e-5).epsilon == pytest.approx(1, rel=1e-9)
    assert guarantee(mu=mu).at(1e-8).epsilon > 1.3
    assert guarantee(epsilon=5, rho=0.5).at(1e-5).epsilon == zcdp_epsilon(0.5, 1e-5)
    with pytest.raises(ValueError, match="only a release with mu or rho has a curve"):
        guarantee().at(1e-6)


@pytest.mark.parametrize("call, message", [
    (lambda: gaussian_delta(-0.1, 1), "epsilon must be at least 0, got -0.1"),
    (lambda: gaussian_delta(1, 0), "mu must be positive, got 0.0"),
    (lambda: gaussian_delta(np.nan, 1), "epsilon must be finite, got nan"),
    (lambda: gaussian_delta(1, np.inf), "mu must be finite, got inf"),
    (lambda: gaussian_mu(1, 0), "delta must be strictly between 0 and 1, got 0.0"),
    (lambda: gaussian_mu(1, [1e-5, 1.0]), "delta must be strictly between 0 and 1, got 1.0"),
    (lambda: gaussian_mu("one", 1e-5), "epsilon must be numeric, got 'one'"),
    (lambda: gaussian_epsilon(1.5, 1), "delta must be strictly between 0 and 1, got 1.5"),
    (lambda: gaussian_epsilon(1e-5, -1), "mu must be positive, got -1.0"),
    (lambda: compose_gaussians([]), "mus must hold at least one release, got none"),
    (lambda: compose_gaussians([1, -2]), "mus must be positive, got -2.0"),
    (lambda: zcdp_epsilon(0, 1e-5), "rho must be positive, got 0.0"),
    (lambda: zcdp_epsilon_as_printed(1, 2), "delta must be strictly between 0 and 1, got 2.0"),
    (lambda: guarantee(epsilon=[1, 2]), "epsilon must be one number, got an array of shape [2]"),
    (lambda: guarantee(status="proved"), "status must be of type Status, got 'proved'"),
    (lambda: guarantee(mu=-1), "mu must be positive, got -1.0"),
    (lambda: guarantee(mu=0.1).at([0.1]), "delta must be one number, got an array of shape [1]"),
    (lambda: guarantee(mu=5.0), "epsilon must be at least 33.1037"),
    (lambda: guarantee(rho=0.5), "epsilon must be at least 4.72839, which mu = None or rho = 0.5 imply at delta = 1e-05, got 1"),
    (lambda: guarantee(delta=0.0, mu=0.1), "epsilon must be at least inf"),
    (lambda: guarantee(unit="one trajectory"), "unit must be of type Unit, got 'one trajectory'"),
    (lambda: guarantee(unit=5), "unit must be of type Unit, got 5"),
    (lambda: guarantee(neighbours="Replace one"), "neighbours must be of type Neighbours, got 'Replace one'"),
    (lambda: guarantee(model="joint"), "model must be of type Model, got 'joint'"),
    (lambda: guarantee(data=" "), "data must not be blank, got ' '"),
    (lambda: gaussian_delta(1j, 1), "epsilon must be numeric, got 1j"),
    (lambda: guarantee(epsilon=-1), "epsilon must be at least 0, got -1.0"),
    (lambda: guarantee(delta=1.0), "delta must be strictly between 0 and 1, got 1.0"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
