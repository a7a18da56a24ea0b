"""Excess risk: arguments that are wrong say so. That the numbers are right is what tests/claims is about."""

import numpy as np
import pytest

from privrl_core.policy_evaluation import (
    capped_peak,
    capped_peak_as_printed,
    lsl_bound,
    lsl_bound_as_printed,
    lsl_excess_risk,
    lsw_bound,
    lsw_bound_as_printed,
    lsw_bound_as_printed_in_the_text,
    lsw_excess_risk,
    peak,
    peak_as_printed,
)

P, W, EYE, JOINT = np.array([0.5, 1.0]), np.ones(2), np.eye(2), np.array([[0.5, 0.5], [0.5, 1.0]])
LSW, LSL = (lsw_bound, lsw_bound_as_printed, lsw_bound_as_printed_in_the_text), (lsl_bound, lsl_bound_as_printed)


@pytest.mark.parametrize("call, message", [
    (lambda: lsw_excess_risk(EYE, -W, 1), "weights must be at least 0, got -1"),
    (lambda: lsw_excess_risk(EYE, W, 0), "scale must be positive, got 0"),
    (lambda: lsw_excess_risk(np.full((2, 2), np.nan), W, 1), "features must be finite, got nan"),
    (lambda: lsl_excess_risk(W, 0, EYE, W, 1, 1), "n_episodes must be a whole number of at least 1, got 0"),
    (lambda: lsl_excess_risk(W, 3, EYE, W, 0, 1), "ridge must be positive, got 0"),
    *((lambda f=f: f(0.5, 1), "a must be at least 1, got 0.5") for f in (peak, peak_as_printed)),
    *((lambda f=f: f(2, 0), "b must be positive, got 0") for f in (peak, peak_as_printed)),
    *((lambda f=f: f(3, 1, 2), "a must be at most m = 2, got 3") for f in (capped_peak, capped_peak_as_printed)),
    *((lambda f=f: f(2 * P, W, 3, 0.1), r"visit_probabilities must be in \[0, 1\], got 2") for f in LSW),
    *((lambda f=f: f(P, np.ones(3), 3, 0.1), r"weights must have shape \[2\], got \[3\]") for f in LSW),
    *((lambda f=f: f(P, W, 0, 0.1), "m must be a whole number of at least 1, got 0") for f in LSW),
    *((lambda f=f: f(P, W, 3, np.inf), "beta must be finite, got inf") for f in LSW),
    *((lambda f=f: f(EYE[:1], EYE, W, 3, 5, 0.1), r"joint_visits must have shape \[2, 2\]") for f in LSL),
    *((lambda f=f: f(JOINT[::-1], EYE, W, 3, 5, 0.1), "joint_visits must hold probabilities") for f in LSL),
    *((lambda f=f: f(JOINT, np.ones(2), W, 3, 5, 0.1), r"features must have shape \[2, d\]") for f in LSL),
    *((lambda f=f: f(JOINT, EYE, W, -3, 5, 0.1), "ridge must be positive, got -3") for f in LSL),
    *((lambda f=f: f(JOINT, EYE, W, 3, 5, 0), "beta must be positive, got 0") for f in LSL),
])
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
