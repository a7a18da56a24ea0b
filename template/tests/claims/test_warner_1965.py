"""Warner (1965), Randomized Response: what is said of the estimate.

The paper writes p for the probability of the truth and π for the share to be estimated.
"""

from functools import cache

import numpy as np
from scipy.stats import binom

from privrl_core.pages import HOLDS, claim, judge, rounded
from privrl_core.survey.randomised_response import share, truthful

PAPER, PAGE = "Warner 1965", "99_survey/01_randomised_response"


@cache
def moments():
    """Mean and variance of the estimate by the exact law, beside the printed ones, for 50 people drawn at random."""
    found, n = [], 50
    for epsilon in (0.1, 1.0, 3.0):
        p = truthful(epsilon)
        estimates = np.array([share(np.arange(n) < heard, epsilon) for heard in range(n + 1)])
        for pi in (0.0, 0.2, 0.5, 0.9):
            law = binom.pmf(range(n + 1), n, pi * p + (1 - pi) * (1 - p))
            mean = law @ estimates
            printed = pi * (1 - pi) / n + (1 / (16 * (p - 0.5) ** 2) - 0.25) / n
            found.append((abs(mean - pi), law @ (estimates - mean) ** 2 / printed))
    return np.array(found).T


@claim(PAPER, "estimate", "the estimate of the share has no bias", verdict=HOLDS, see=PAGE)
def test_no_bias():
    bias = moments()[0].max()
    return judge(f"12 settings, by the exact law: bias below {rounded(max(bias, 1e-9), 1)}", true=bias < 1e-9)


@claim(PAPER, "variance", "its variance is π(1 − π)/n + (1/(16(p − ½)²) − ¼)/n", verdict=HOLDS, see=PAGE)
def test_variance():
    ratios = moments()[1]
    return judge("12 settings, by the exact law: equal to 9 digits", true=np.allclose(ratios, 1, rtol=1e-9, atol=0))
