"""Whatever stands in for one argument of a public function: a ValueError, or a finite and documented result."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privrl_core import (
    attacks,
    auditing,
    calibration,
    count_noise,
    excess_risk,
    functional_guarantees,
    functional_noise,
    last_decisions,
    linear_accounting,
    linear_features,
    linear_q,
    middle_walk,
    offline_linear,
    offline_tabular,
    policy_evaluation,
    privacy,
    private_counts,
    problems,
    q_learning,
    q_learning_baselines,
    reward_release,
    sobolev,
    step_totals,
    success_ceilings,
    suprema,
    transition_counts,
)
from privrl_core.episodes import Episodes, FirstVisitStatistics
from privrl_core.mdp import EpisodicMDP

DATA = FirstVisitStatistics(np.array([3, 2]), np.array([1.0, 1.5]), 4, 1.0)
WORLD = EpisodicMDP(np.full((2, 3, 2, 3), 1 / 3), np.full((2, 3, 2), 0.5), np.ones(3) / 3)
AT_RANDOM = np.full((2, 3, 2), 0.5)
LOGGED = Episodes.from_lists([[0, 1, 2], [2, 2]], [[0, 1], [1]], [[0, 1], [1]])
SIZES = dict(n_states=3, n_actions=2, horizon=2)
COUNTS = transition_counts.sample_counts(WORLD, AT_RANDOM, 500, np.random.default_rng(0))
ENDED = last_decisions.LastDecisions(np.array([[3, 1], [0, 4], [1, 1]]), np.array([[1, 2], [2, 0], [0, 1]]))
GAUSSIAN, RNG = count_noise.GaussianNoise(5.0), np.random.default_rng(0)
TOTALS = step_totals.step_totals(LOGGED, **SIZES)
FEATURES = np.eye(6).reshape(3, 2, 6)
NOISY = dict(totals=TOTALS, features=FEATURES, rho=1.0, delta=1e-5, pessimism=0.1, noise_rng=RNG, ridge=1.0, failure=0.1)
TRAINING = functional_guarantees.APPENDIX_E3
LINE = sobolev.PiecewiseLinear(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 0.0]))
LEARNER = dict(epsilon=1.0, delta=1e-4, eta=0.5, n_steps=100, n_knots=3, discount=0.9, rng=RNG, noise_rng=RNG)
RELEASE = dict(return_bound=1.0, epsilon=1.0, delta=1e-5)
RIGHT = {
    privacy.gaussian_delta: dict(epsilon=1.0, mu=0.5), privacy.gaussian_mu: dict(epsilon=1.0, delta=1e-5),
    privacy.gaussian_epsilon: dict(delta=1e-5, mu=0.5), privacy.compose_gaussians: dict(mus=[0.5]),
    privacy.zcdp_epsilon: dict(rho=0.5, delta=1e-5), privacy.zcdp_epsilon_as_printed: dict(rho=0.5, delta=1e-5),
    calibration.smooth_gaussian_delta: dict(epsilon=1.0, alpha=3.0, beta=0.01, d=4),
    calibration.smooth_gaussian_alpha: dict(epsilon=1.0, delta=1e-5, beta=0.01, d=4),
    calibration.smooth_gaussian_beta_max: dict(epsilon=1.0, delta=1e-5, d=4),
    calibration.as_printed: dict(epsilon=1.0, delta=1e-5, d=4), calibration.as_proved: dict(epsilon=1.0, delta=1e-5, d=4),
    calibration.exactly: dict(epsilon=1.0, delta=1e-5, d=4),
    policy_evaluation.aggregated_features: dict(n_states=4, group_size=2),
    policy_evaluation.smooth_bound_lsw: dict(visits=[3, 2], weights=[1, 1], beta=0.1),
    policy_evaluation.smooth_bound_lsl: dict(visits=[3, 2], n_episodes=4, features=np.eye(2), visit_weights=[1, 1], ridge=3.0, beta=0.1),
    policy_evaluation.lsl_sensitivity_as_printed: dict(features=np.eye(2), visit_weights=[1, 1], ridge=3.0),
    policy_evaluation.lsl_sensitivity_improved: dict(features=np.eye(2), visit_weights=[1, 1], ridge=3.0),
    policy_evaluation.lsw: dict(statistics=DATA, features=np.eye(2), weights=[1, 1]),
    policy_evaluation.lsl: dict(statistics=DATA, features=np.eye(2), visit_weights=[1, 1], ridge=3.0),
    policy_evaluation.dp_lsw: dict(statistics=DATA, features=np.eye(2), weights=[1, 1], **RELEASE),
    policy_evaluation.dp_lsl: dict(statistics=DATA, features=np.eye(2), visit_weights=[1, 1], ridge=3.0, **RELEASE),
    policy_evaluation.dp_sufficient_statistics: dict(statistics=DATA, features=np.eye(2), weights=[1, 1], **RELEASE),
    policy_evaluation.shrunken_values: dict(visits=[3, 2], return_sums=[1, 1.5], return_bound=1.0, noise_scale=1.0),
    auditing.epsilon_lower_bound: dict(detections=5, false_alarms=1, trials=9, delta=1e-5, confidence=0.9),
    auditing.trials_needed: dict(detection_rate=0.5, false_alarm_rate=0.1, epsilon=0.5, delta=1e-5, confidence=0.9, power=0.9),
    auditing.firing_probabilities: dict(distance=1.0, scale=1.0, scale_neighbour=1.1, d=3, epsilon=0.5),
    auditing.farthest_neighbours: dict(n_states=3, return_bound=1.0),
    transition_counts.TransitionCounts: dict(steps=COUNTS.steps, n_actions=2, horizon=2, contribution=None),
    transition_counts.sample_counts: dict(mdp=WORLD, policy=AT_RANDOM, n=20, rng=RNG),
    transition_counts.count_transitions: dict(episodes=LOGGED, **SIZES),
    transition_counts.pooled_counts: dict(episodes=LOGGED, **SIZES, contribution=1.0),
    step_totals.sample_totals: dict(mdp=WORLD, policy=AT_RANDOM, n_episodes=20, rng=RNG),
    step_totals.step_totals: dict(episodes=LOGGED, **SIZES),
    count_noise.GaussianNoise: dict(rho=1.0, delta=1e-5), count_noise.LaplaceNoise: dict(epsilon=1.0),
    count_noise.noise_bound: dict(counts=COUNTS, noise=GAUSSIAN, failure=0.1),
    private_counts.consistent_counts: dict(noisy_triples=[[1.0, 2]], noisy_pairs=[4.0], slack=0.5),
    offline_tabular.practical: dict(n_states=3), offline_tabular.Constants: dict(deviation=1.0, remainder=1.0),
    offline_tabular.apvi: dict(counts=COUNTS, rewards=WORLD.rewards, failure=0.1, constants=offline_tabular.APVI_PRINTED,
                               arrival_rewards=[0, 0.1, 0.2], ties=[[0.5, 0.5]] * 3),
    offline_tabular.dp_apvi: dict(counts=COUNTS, rewards=WORLD.rewards, noise=GAUSSIAN, noise_rng=RNG, failure=0.1,
                                  constants=offline_tabular.practical(3), arrival_rewards=[0, 0.1, 0.2], ties=[[0.5, 0.5]] * 3),
    last_decisions.LastDecisions: dict(survivals=ENDED.survivals, deaths=ENDED.deaths),
    last_decisions.Priors: dict(states=0.1, treatments=0.1, groups=0.1, pairs=0.1),
    last_decisions.dp_treatment_policy: dict(
        data=ENDED, groups=[0, 0, 1], behaviour=[[0.5, 0.5]] * 3, admissible=np.ones((3, 2), dtype=bool), epsilon=1.0, delta=1e-5,
        noise_rng=RNG, priors=last_decisions.Priors(), caution=1.0),
    attacks.gaussian_log_ratio: dict(releases=[[0.1, 0.2]], mean_inside=[0, 1], covariance_inside=np.eye(2), mean_outside=[1, 0],
                                     covariance_outside=np.eye(2)),
    attacks.reward_from_q: dict(q=WORLD.rewards[0], transitions=WORLD.transitions[0], discount=0.9),
    attacks.auc: dict(inside=[1, 2], outside=[0, 1]), attacks.auc_interval: dict(inside=[1, 2], outside=[0, 1], confidence=0.9),
    attacks.advantage_interval: dict(detections=5, false_alarms=1, trials=9, confidence=0.9),
    attacks.trials_to_exclude: dict(bound=0.4, advantage=0.1, confidence=0.9, power=0.9),
    attacks.detection_ceiling: dict(false_alarm_rate=0.1, epsilon=1.0, delta=1e-5),
    attacks.advantage_ceiling: dict(epsilon=1.0, delta=1e-5), attacks.auc_ceiling: dict(epsilon=1.0, delta=1e-5),
    attacks.gaussian_detection_ceiling: dict(false_alarm_rate=0.1, mu=1.0), attacks.gaussian_advantage_ceiling: dict(mu=1.0),
    attacks.gaussian_auc_ceiling: dict(mu=1.0),
    success_ceilings.success_ceiling: dict(epsilon=1.0, delta=1e-5, n_rewards=2),
    success_ceilings.chain_success_ceiling: dict(epsilon=1.0, delta=1e-5, steps=3),
    success_ceilings.gaussian_success_ceiling: dict(mu=1.0, n_rewards=2, steps=3),
    excess_risk.lsw_excess_risk: dict(features=np.eye(2), weights=[1, 1], scale=1.0),
    excess_risk.lsl_excess_risk: dict(visits=[3, 2], n_episodes=4, features=np.eye(2), visit_weights=[1, 1], ridge=3.0, scale=1.0),
    excess_risk.peak: dict(a=1.0, b=0.1), excess_risk.peak_as_printed: dict(a=1.0, b=0.1),
    excess_risk.capped_peak: dict(a=1.0, b=0.1, m=5), excess_risk.capped_peak_as_printed: dict(a=1.0, b=0.1, m=5),
    excess_risk.lsw_bound: dict(visit_probabilities=[0.5, 1], weights=[1, 1], m=9, beta=0.1),
    excess_risk.lsl_bound: dict(joint_visits=np.eye(2), features=np.eye(2), visit_weights=[1, 1], ridge=3.0, m=9, beta=0.1),
    functional_guarantees.Training: vars(TRAINING), functional_guarantees.Noise: dict(sigma=1.0, beta=1.0, k=2.0),
    functional_guarantees.step: dict(k=2.0, training=TRAINING), functional_guarantees.norm_bound: dict(k=2.0, training=TRAINING),
    functional_guarantees.h_norm_bound: dict(largest=1.0, slope=1.0, beta=1.0),
    functional_guarantees.mu_as_printed: dict(epsilon=0.5, delta=1e-4),
    functional_guarantees.sup_failure_as_printed: dict(k=2.0, sigma=1.0, training=TRAINING),
    **{reading: dict(epsilon=0.5, delta=1e-4, training=TRAINING) for reading in (
        functional_guarantees.theorem_5_as_printed, functional_guarantees.theorem_5_with_root,
        functional_guarantees.theorem_5_with_right_tail, functional_guarantees.theorem_5_composed_exactly,
        functional_guarantees.theorem_5_with_tight_sup, functional_guarantees.one_step, functional_guarantees.one_step_jointly,
        functional_guarantees.one_step_smooth, functional_guarantees.theorem_4_as_printed, functional_guarantees.theorem_4_with_root,
        functional_guarantees.theorem_4_with_right_tail)},
    functional_noise.bridge: dict(left=(0.0, 1.0), x=0.5, right=(1.0, 0.0), beta=1.0),
    functional_noise.sample_ou: dict(points=[0.0, 0.5], beta=1.0, sigma=1.0, rng=RNG),
    sobolev.PiecewiseLinear: dict(knots=LINE.knots, values=LINE.values), sobolev.rkhs_norm: dict(f=LINE, beta=1.0),
    sobolev.relu_network: dict(weights=[[[1.0]], [[1.0]]], biases=[[0.0], [0.0]], low=0.0, high=1.0),
    suprema.expected_sup_bound: dict(beta=1.0, sigma=1.0), suprema.sup_tail: dict(u=2.0, beta=1.0),
    suprema.sup_abs_tail: dict(u=2.0, beta=1.0), suprema.sup_tail_exact: dict(u=2.0, beta=1.0),
    suprema.sup_abs_tail_exact: dict(u=2.0, beta=1.0),
    middle_walk.walk: dict(n_steps=3, rng=RNG, runs=2),
    middle_walk.nodes: dict(cells=4), linear_q.hat_features: dict(states=[0.2], n_knots=3), linear_q.hat_gram: dict(n_knots=3, beta=1.0),
    linear_q.fitted_q_iteration: dict(states=[[0.2, 0.5]], actions=[[0, 1]], next_states=[[0.3, 0.4]], rewards=[[0.1, 0.2]], discount=0.9,
                                      n_knots=3),
    q_learning.q_learning_as_printed: dict(sigma=0.5, beta=1.0, n_paths=1, n_steps=64, batch_size=32, learning_rate=0.01, discount=0.9,
                                           widths=(1, 4, 2), runs=1, rng=RNG, noise_rng=RNG),
    q_learning.q_learning_private_state: dict(**LEARNER, beta=1.0, batch_size=50, learning_rate=0.01, runs=1),
    q_learning_baselines.q_learning_input_perturbation: dict(**LEARNER, runs=1),
    q_learning_baselines.q_learning_output_perturbation: dict(**LEARNER, runs=1),
    reward_release.release_reward_once: dict(**LEARNER, runs=1), reward_release.centred_sensitivity: dict(n_values=3, eta=0.5),
    linear_accounting.noise_as_printed: dict(rho=1.0, horizon=3), linear_accounting.noise_corrected: dict(rho=1.0, horizon=3),
    linear_accounting.centred_noise: dict(step_rho=1.0, half_range=2.0), linear_accounting.joint_cost: dict(gram=1.0, vector=1.0),
    linear_accounting.cost_of_one_dataset: dict(rho=1.0, horizon=3, noise=linear_accounting.noise_as_printed(1.0, 3)),
    linear_accounting.cost_of_centred_noise: dict(rho=1.0),
    linear_accounting.half_shift: dict(scale=1.0, d=2, matrices=3, failure=0.1),
    linear_features.unit_features: dict(features=FEATURES),
    linear_features.feature_coverage: dict(mdp=WORLD, policy=AT_RANDOM, features=FEATURES),
    offline_linear.pevi: dict(totals=TOTALS, features=FEATURES, pessimism=0.1, ridge=1.0),
    offline_linear.vapvi: dict(totals=TOTALS, features=FEATURES, pessimism=0.1, ridge=1.0, remainder=0.1),
    offline_linear.dp_vapvi: NOISY, offline_linear.dp_vapvi_plus: NOISY,
    problems.binary_action_behaviour: dict(horizon=2, first=0.6), problems.binary_action_linear_mdp: dict(horizon=2, seed=0),
}
ODD = st.one_of(
    st.sampled_from([None, "x", "1", np.nan, np.inf, -np.inf, 1j, [], [[1.0]], [1.0, np.nan], [1, 2, 3], {}, object(), np.zeros((2, 2)),
                     np.eye(3), True, np.array(["a", "b"])]),
    st.integers(-3, 3), st.floats(-3, -1e-9), st.floats(1e-9, 1e4), st.floats(1e-9, 1))


def finite(result):
    if isinstance(result, privacy.Guarantee):
        return True
    if isinstance(result, linear_accounting.LinearNoise):
        return not np.isnan([*result.gram, *result.vector]).any()  # infinite noise: not released
    if hasattr(result, "tocoo"):
        return finite(result.data)
    if hasattr(result, "__dataclass_fields__"):
        return finite([value for value in vars(result).values() if value is not None])
    if callable(result):
        return True
    if isinstance(result, (tuple, list)):
        return all(map(finite, result))
    return bool(np.isfinite(result).all())


@pytest.mark.parametrize("function", RIGHT, ids=lambda function: function.__name__)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_an_odd_argument_gives_a_clear_error_or_a_finite_result(function, data):
    arguments = dict(RIGHT[function])
    name = data.draw(st.sampled_from([name for name in arguments if name != "statistics"]))
    arguments[name] = data.draw(ODD)
    if function.__name__.startswith("dp_") and "noise_rng" not in arguments:
        arguments["rng"] = np.random.default_rng(0)
    try:
        result = function(**arguments)
    except ValueError as error:
        assert str(error)
    else:
        assert finite(result)
