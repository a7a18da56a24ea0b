"""Balle, Gomrokchi & Precup (2016), Section 6, abstract and conclusion: what the text says of Figure 1.

The paper leaves open where trajectories start and which F_max was used, so each claim is tried from the first state and
from a uniform start, with F_max = 1 (what the chain's returns obey), and where it counts patients with F_max =
R_max/(1 - gamma) = 100 too. The root mean square error of a private method is computed, not sampled: at the expected
visits and returns, bias and noise add up. Only the non-private methods of the first panel are sampled. Aggregated
features give the terminal state a zero row: its value is known.
"""

from functools import cache
from itertools import product

import numpy as np
from numpy.linalg import norm
from scipy.optimize import minimize_scalar

from privrl_core.pages import DEPARTS, HOLDS, NOT_CHECKED, claim, judge, not_checked, rounded
from privrl_core.policy_evaluation import (
    FirstVisitStatistics,
    aggregated_features,
    first_visit_statistics,
    lsl,
    lsl_excess_risk,
    lsl_sensitivity_as_printed,
    lsw,
    lsw_excess_risk,
    noise_scale_lsl_non_private,
    noise_scale_lsw_non_private,
)
from privrl_core.privacy import as_printed, calibrate_exact
from privrl_core.world import recovery_chain, sample_episodes

PAPER, EXPERIMENTS = "Balle et al. 2016", "02_policy_evaluation/evidence/03_experiments"
N, ONES = 40, np.ones(40)
POLICY, DISCOUNT = np.ones((N, 1)), 0.99
CHAIN = recovery_chain(N)
VALUES = CHAIN.policy_values(POLICY)
ZERO = np.sqrt(np.mean(VALUES**2))  # the error of predicting 0 everywhere
PROBABILITIES = {"first": ONES, "uniform": np.arange(1, N + 1) / N}  # of visiting each state
PAPERS, SERIOUS = (0.1, 0.1), (1.0, 1e-5)


@cache
def _features(group):
    if group == 1:
        return np.eye(N)
    features = aggregated_features(N, group)
    features[-1] = 0
    return features[:, features.any(axis=0)]


def _expected(start, m, f_max):
    visits = np.round(PROBABILITIES[start] * m).astype(int)
    return FirstVisitStatistics(visits, visits * VALUES, m, f_max)


def _rmse(features, theta, scale=0.0):
    return np.sqrt(np.mean((features @ theta - VALUES) ** 2) + scale**2 * norm(features) ** 2 / N)


@cache
def _dp_lsw(start, m, f_max, group, rule=as_printed, at=PAPERS):
    """RMSE and excess risk of DP-LSW, w = 1."""
    data, features = _expected(start, m, f_max), _features(group)
    scale = noise_scale_lsw_non_private(data, features, ONES, return_bound=f_max, epsilon=at[0], delta=at[1], rule=rule)
    return _rmse(features, lsw(data, features, ONES), scale), lsw_excess_risk(features, ONES, scale)


@cache
def _dp_lsl(start, m, f_max, group, ridge, length=1.0, rule=as_printed):
    """RMSE and excess risk of DP-LSL, rho = 1, every feature times ``length``."""
    data, features = _expected(start, m, f_max), length * _features(group)
    scale = noise_scale_lsl_non_private(data, features, ONES, ridge, return_bound=f_max, epsilon=0.1, delta=0.1,
                                        rule=rule, sensitivity=lsl_sensitivity_as_printed)
    return (_rmse(features, lsl(data, features, ONES, ridge), scale),
            lsl_excess_risk(data.visits, m, features, ONES, ridge, scale))


@cache
def _best_ridge(start, m, f_max, group, rule=as_printed, most=1e10):
    """The ridge of least RMSE, found on the exact error: what tuning on the data itself would give, at no cost."""
    least = np.log(1.001 * norm(_features(group), 2) ** 2)
    return float(np.exp(minimize_scalar(lambda x: _dp_lsl(start, m, f_max, group, float(np.exp(x)), rule=rule)[0], method="bounded",
                                        bounds=(least, np.log(most)), options={"xatol": 1e-3}).x))


@cache
def _batches(start, m, runs=20):
    first, rng = np.full(N, 1 / N) if start == "uniform" else None, np.random.default_rng(m)
    chain = recovery_chain(N, initial=first)
    return [first_visit_statistics(sample_episodes(chain, POLICY, m, rng, max_length=2000), N, DISCOUNT) for _ in range(runs)]


def _non_private(start, m, group):
    """RMSE of LSW and of LSL with ridge sqrt(m), [runs, 2], each on the same sampled batches."""
    features = _features(group)
    return np.array([[_rmse(features, lsw(data, features, ONES)), _rmse(features, lsl(data, features, ONES, np.sqrt(m)))]
                     for data in _batches(start, m)])


BATCHES = (100, 1000, 10_000)


@claim(PAPER, "Figure 1, first panel", "LSW and LSL are very stable, tabular and aggregated",
       also="Figure 1 (ICML)", verdict=HOLDS, see=EXPERIMENTS)
def test_the_plain_regressions_are_stable():
    def spread(start, m, group):
        errors = _non_private(start, m, group)
        return 100 * np.max(errors.std(axis=0, ddof=1) / np.sqrt(len(errors)) / errors.mean(axis=0))
    most = {m: max(spread(start, m, group) for start, group in product(PROBABILITIES, (1, 2))) for m in BATCHES}
    return judge(f"20 runs, two starts: standard errors at most {rounded(max(most[1000], most[10_000]))} % of "
                 f"the error from m = 1,000 on ({rounded(most[100])} % at m = 100, where some batches miss a "
                 "state)", true=max(most[1000], most[10_000]) < 20)


@claim(PAPER, "text, section 6 (LSW faster)", "LSW converges faster than LSL", verdict=HOLDS, see=EXPERIMENTS)
def test_lsw_converges_faster():
    ratios = [np.divide(*_non_private(start, m, 1).mean(axis=0)[::-1]) for start, m in product(PROBABILITIES, BATCHES)]
    return judge(f"tabular, λ = √m: the error of LSL is {rounded(min(ratios))} to {rounded(max(ratios))} times "
                 "that of LSW", true=min(ratios) > 1)


@claim(PAPER, "text, section 6 (same solution)", "as can be seen in the first panel, LSW and LSL converge to the same solution",
       verdict=HOLDS, see=EXPERIMENTS, instead="w = ρp, as the paper says elsewhere: then the limits are the same, from every start")
def test_both_regressions_have_the_same_limit_as_far_as_the_panel_shows():
    """The panel shows errors. They have the same limit but for one of the four settings that the paper leaves open, where the
    limits differ by less than a line is wide."""
    def limits(start, group, weights, m=10**12):  # at λ = √m the ridge's own share is below 10⁻⁴
        data, features = _expected(start, m, 1.0), _features(group)
        found = lsw(data, features, weights), lsl(data, features, ONES, np.sqrt(m))
        return np.max(np.abs(features @ (found[0] - found[1]))), [_rmse(features, theta) for theta in found]
    cases = list(product(PROBABILITIES, (1, 2)))
    plain = {case: limits(*case, ONES) for case in cases}
    apart, errors = plain.pop(("uniform", 2))
    mended = [limits(start, group, PROBABILITIES[start])[0] for start, group in cases]
    assert max(mended) < 1e-4
    return judge(f"as m grows, λ = √m, w = ρ = 1: values {rounded(max(one for one, _ in plain.values()), 1)} apart at most in three of four settings; with "
                 f"pairs and a uniform start up to {rounded(apart, 1)}, and errors of {rounded(errors[0], 4)} and {rounded(errors[1], 4)}, which is "
                 f"what the pairs cost. With w = ρp always {rounded(max(mended), 1)} at most",
                 true=max(one for one, _ in plain.values()) < 1e-4 and abs(errors[1] / errors[0] - 1) < 0.01)


@claim(PAPER, "Figure 1, second panel",
       "all methods over a range of λ, two batch sizes: λ trades accuracy against privacy",
       also="Figure 1 (ICML)", verdict=HOLDS, see=EXPERIMENTS)
def test_the_ridge_trades_accuracy_against_privacy():
    found = []
    for start, m in product(PROBABILITIES, (10**4, 10**5)):
        best = _best_ridge(start, m, 1.0, 1)
        found.append((_dp_lsl(start, m, 1.0, 1, best)[0], min(_dp_lsl(start, m, 1.0, 1, best * x)[0] for x in (0.1, 10)), best))
    (low, _, ridge), inner = found[0], all(best < beside for best, beside, _ in found)
    return judge(f"F_max = 1, first state, m = 10,000: least error {rounded(low)} at λ = {rounded(ridge)}; "
                 f"inside the range in all {len(found)} settings (predicting 0: {rounded(ZERO)})", true=inner)


@claim(PAPER, "Figure 1, third panel",
       "error with aggregation against batch size: the curves of DP-LSW and DP-LSL cross",
       also="Figure 1 (ICML)", verdict=HOLDS, see=EXPERIMENTS)
def test_the_private_methods_cross():
    at = {(start, f_max): _crossing(start, f_max, 2) for start, f_max in product(PROBABILITIES, (1.0, 100.0))}
    return judge(f"pairs of states, λ tuned: from the first state at m = {rounded(at['first', 1.0], 1)} (F_max "
                 f"= 1) and {rounded(at['first', 100.0], 1)} (F_max = 100), uniform start at "
                 f"{rounded(at['uniform', 1.0], 1)} and {rounded(at['uniform', 100.0], 1)}",
                 true=all(100 < m < 1e9 for m in at.values()))


SIZES = [40 * round(10 ** (k / 8) / 40) for k in range(17, 68)]  # from 120 to 2e8, multiples of 40


@cache
def _crossing(start, f_max, group):
    """The first batch size at which DP-LSW has the smaller error, DP-LSL's ridge being tuned for each."""
    return next((m for m in SIZES if _dp_lsw(start, m, f_max, group)[0] < _dp_lsl(start, m, f_max, group, _best_ridge(start, m, f_max, group))[0]),
                np.inf)


@claim(PAPER, "text, section 6 (which when)", "DP-LSL works better with small batches, DP-LSW with large ones",
       verdict=HOLDS, see=EXPERIMENTS, instead="sufficient statistics released once, at every batch size")
def test_lsl_for_small_and_lsw_for_large_batches():
    def better(start, f_max, group, m):
        return _dp_lsl(start, m, f_max, group, _best_ridge(start, m, f_max, group))[0] < _dp_lsw(start, m, f_max, group)[0]
    cases = list(product(PROBABILITIES, (1.0, 100.0), (1, 2)))
    true = all(better(*case, 120) and not better(*case, 10**9) for case in cases)
    small = min(_dp_lsl(*case[:1], 1000, *case[1:], _best_ridge(case[0], 1000, *case[1:]))[0] for case in cases)
    return judge(f"λ tuned, in all {len(cases)} settings; but at m = 1,000 the error of DP-LSL is "
                 f"{rounded(small)} or more, and predicting 0 has {rounded(ZERO)}", true=true)


@claim(PAPER, "text, section 6 (private limit)",
       "the private algorithms converge to the solutions of the non-private ones", verdict=HOLDS,
       see=EXPERIMENTS, instead="exact calibration gets there with a fraction of the data")
def test_the_private_algorithms_have_the_plain_limits():
    limit = 0.01 + _rmse(_features(2), lsw(_expected("first", 40, 1.0), _features(2), ONES))

    def reached(error):  # the batch size from which on the error is within 0.01 of the plain one's limit
        return [next((m for m in SIZES if error(start, m) < limit), np.inf) for start in PROBABILITIES]
    small, large, exact = (reached(lambda start, m, f=f_max, by=rule: _dp_lsw(start, m, f, 2, by)[0])
                           for f_max, rule in ((1.0, as_printed), (100.0, as_printed), (1.0, calibrate_exact)))
    tuned = reached(lambda start, m: _dp_lsl(start, m, 1.0, 2, _best_ridge(start, m, 1.0, 2))[0])
    small_at, large_at, exact_at, tuned_at = (" and ".join(rounded(m, 1) for m in found)
                                              for found in (small, large, exact, tuned))
    return judge(f"pairs of states, first state and uniform start, within 0.01: DP-LSW from m = {small_at} (F_max = 1), "
                 f"{large_at} (100), exactly calibrated {exact_at}; DP-LSL with tuned λ {tuned_at}",
                 true=max(*small, *large, *tuned) < np.inf)


@claim(PAPER, "text, section 6 (λ ∝ √m)", "in DP-LSL λ should be set in proportion to √m", verdict=DEPARTS,
       see=EXPERIMENTS,
       instead="λ ≈ 100√m with F_max = 1; the best λ found on the data costs privacy that nobody paid")
def test_root_m_is_the_best_schedule_with_the_right_constant_only():
    def exponent(start, f_max, low=10**4, high=10**6):
        return np.log(_best_ridge(start, high, f_max, 1) / _best_ridge(start, low, f_max, 1)) / np.log(high / low)
    near, far = ([exponent(start, f_max) for start in PROBABILITIES] for f_max in (1.0, 100.0))
    limit = exponent("first", 1.0, 10**8, 10**9)
    constants = [_best_ridge(start, 10**5, 1.0, 1) / np.sqrt(10**5) for start in PROBABILITIES]
    plain = _dp_lsl("first", 10**4, 1.0, 1, 1 + np.sqrt(10**4))[0]
    return judge(f"best exponent, m from 10⁴ to 10⁶: {' and '.join(rounded(x) for x in near)} with F_max = 1 "
                 f"(constant {' and '.join(rounded(x) for x in sorted(constants))}), "
                 f"{' and '.join(rounded(x) for x in far)} with F_max = 100; {rounded(limit)} at 10⁹; λ = 1 + "
                 f"√m itself: error {rounded(plain)}",
                 true=all(abs(x - 0.5) < 0.1 for x in near + far) and plain < ZERO,
                 elsewhere=all(abs(x - 0.5) < 0.1 for x in near))


@claim(PAPER, "Figure 1, fourth panel", "excess empirical risk falls with the batch size",
       also="Figure 1 (ICML)", verdict=HOLDS, see=EXPERIMENTS)
def test_the_excess_risk_falls():
    ms = [10**k for k in range(3, 9)]
    curves = {(start, group): ([_dp_lsw(start, m, 1.0, group)[1] for m in ms],
                               [_dp_lsl(start, m, 1.0, group, 9 + np.sqrt(m))[1] for m in ms]) for start, group in product(PROBABILITIES, (1, 2))}
    falls = all(np.all(np.diff(curve) < 0) for pair in curves.values() for curve in pair)
    plain, ridge = curves["first", 2]
    return judge(f"states in pairs, start in the first, m from 1,000 to 10⁸: DP-LSW {rounded(plain[0])} to {rounded(plain[-1])}, "
                 f"DP-LSL (λ = 9 + √m) {rounded(ridge[0])} to {rounded(ridge[-1])}", true=falls)


@claim(PAPER, "text, section 6 (aggregation)",
       "more aggressive aggregation helps both private algorithms converge faster", verdict=DEPARTS,
       see=EXPERIMENTS, instead="true of DP-LSW; of DP-LSL only if λ is tuned anew for each aggregation, or "
                                "each column of Φ has length one")
def test_aggregation_helps_lsw_and_hurts_lsl():
    groups, cases = (1, 2, 4, 8), list(product(PROBABILITIES, (10**4, 10**5, 10**6)))
    plain = [[_dp_lsw(start, m, 1.0, g)[1] for g in groups] for start, m in cases]
    fixed = [[_dp_lsl(start, m, 1.0, g, 9 + c * np.sqrt(m))[1] for g in groups] for (start, m), c in product(cases, (1, 100))]
    tuned = [[_dp_lsl(start, m, 1.0, g, _best_ridge(start, m, 1.0, g))[1] for g in groups] for start, m in cases]
    unit = [[_dp_lsl(start, m, 1.0, g, 9 + c * np.sqrt(m), g**-0.5)[1] for g in groups] for (start, m), c in product(cases, (1, 100))]

    def always_helps(curves):
        return all(np.all(np.diff(curve) < 0) for curve in curves)
    worse = [curve[-1] / curve[0] for curve in fixed]
    return judge(f"excess risk by 1 to 8 states: DP-LSW falls in all {len(cases)} settings; DP-LSL at the "
                 f"same λ (1 and 100 √m) grows ×{rounded(min(worse))} to ×{rounded(max(worse))}; with λ tuned "
                 "for each, or features of length one, it falls", true=always_helps(plain + fixed),
                 elsewhere=always_helps(plain + tuned + unit))


@cache
def _statistical_error(start, m):
    """RMSE of LSW itself, tabular: the variance of a first-visit return over the expected visits."""
    def power(discount):  # E[G^2] is the value at discount^2
        return recovery_chain(N, discount=discount).policy_values(POLICY)
    return np.sqrt(np.mean((power(DISCOUNT**2) - VALUES**2) / (m * PROBABILITIES[start])))


@claim(PAPER, "text, abstract and sections 1, 6, 7", "the accuracy of the private algorithms does not suffer when the data set is large",
       verdict=DEPARTS, see=EXPERIMENTS, instead="true of DP-LSW; of DP-LSL with no λ. Exact calibration, or sufficient statistics released once")
def test_accuracy_does_not_suffer_when_data_are_large():
    def enough(f_max, rule, at):  # noise below the statistical error, tabular, from the first state and from any
        found = [next((m for m in (40 * round(10 ** (k / 8)) for k in range(4, 140))
                       if _dp_lsw(start, m, f_max, 1, rule, at)[0] < _statistical_error(start, m)), np.inf)
                 for start in PROBABILITIES]
        return " and ".join(rounded(m, 1) for m in found), max(found) < np.inf
    (printed, _), (exact, _), (wide, ends) = (enough(1.0, as_printed, PAPERS), enough(1.0, calibrate_exact, PAPERS),
                                              enough(100.0, as_printed, PAPERS))
    (strict, _), (strict_exact, _) = enough(1.0, as_printed, SERIOUS), enough(1.0, calibrate_exact, SERIOUS)

    def times(m, rule):  # DP-LSL at its best λ in hindsight, over the statistical error, from the first state
        return _dp_lsl("first", m, 1.0, 1, _best_ridge("first", m, 1.0, 1, rule, 1e13), rule=rule)[0] / _statistical_error("first", m)
    sizes = [40 * round(10**k / 40) for k in (4, 6, 10, 16)]
    tuned, tuned_exact = ([times(m, rule) for m in sizes] for rule in (as_printed, calibrate_exact))
    return judge(f"ε = δ = 0.1. DP-LSW's noise is below the statistical error from m = {printed} on (first state and uniform start; F_max = 100: "
                 f"{wide}; exactly calibrated {exact}; at ε = 1, δ = 10⁻⁵ {strict} and {strict_exact}). DP-LSL at its best λ in hindsight: error {', '.join(rounded(x, 3) for x in tuned)} "
                 f"times the statistical error at m = 10⁴, 10⁶, 10¹⁰, 10¹⁶, exactly calibrated {rounded(tuned_exact[0], 3)} to {rounded(tuned_exact[-1], 3)}",
                 true=ends and min(tuned) < 1, elsewhere=ends and tuned == sorted(tuned) and tuned_exact == sorted(tuned_exact))


@claim(PAPER, "text, section 6 (rapidly)",
       "as the batch grows, the noise of the private mechanism decreases rapidly", verdict=DEPARTS,
       see=EXPERIMENTS, instead="exact calibration: the plateau ends earlier, from the first state at a few hundred")
def test_noise_decreases_rapidly_beyond_its_plateau():
    rapid = np.sqrt(10)  # for ten times the data: faster than the statistical error

    def falls(start, rule):
        noise = [_dp_lsw(start, 120 * 10**k, 1.0, 1, rule)[0] for k in range(8)]
        return np.divide(noise[:-1], noise[1:])
    printed, exact = ({start: falls(start, rule) for start in PROBABILITIES} for rule in (as_printed, calibrate_exact))
    figure = "; ".join(f"{start}: ÷{', ÷'.join(rounded(x) for x in falls[:4])}" for start, falls in printed.items())
    return judge(f"DP-LSW for ten times the data, from m = 120 on: {figure}; rapid (more than ÷√10) from 12,000 on, "
                 f"exactly calibrated from 120 on (÷{rounded(min(exact['first']))} or more) if all start in the first state",
                 true=min(map(min, printed.values())) > rapid,
                 elsewhere=min(exact["first"]) > rapid and min(falls[2:].min() for falls in printed.values()) > rapid)


@claim(PAPER, "Figure 1, heights", "the heights of the curves", also="Figure 1 (ICML)", verdict=NOT_CHECKED,
       see=EXPERIMENTS, instead="the panels rebuilt, in every setting that the paper leaves open")
def test_the_heights_of_the_curves():
    return not_checked("read as text, the papers give no number for any curve, nor the start, F_max or the "
                       "batch sizes that would fix them")
