"""Whatever stands in for one argument of a public function: a ValueError, or a finite and documented result."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privrl_core import functional_noise, offline, policy_evaluation, privacy, world
from privrl_core.functional_noise import theorems
from privrl_core.policy_evaluation import FirstVisitStatistics
from privrl_core.world import Episodes, EpisodicMDP

DATA = FirstVisitStatistics(np.array([3, 2]), np.array([1.0, 1.5]), 4, 1.0)
WORLD = EpisodicMDP(np.full((2, 3, 2, 3), 1 / 3), np.full((2, 3, 2), 0.5), np.ones(3) / 3)
AT_RANDOM = np.full((2, 3, 2), 0.5)
LOGGED = Episodes.from_lists([[0, 1, 2], [2, 2]], [[0, 1], [1]], [[0, 1], [1]])
SIZES = dict(n_states=3, n_actions=2, horizon=2)
COUNTS = offline.sample_counts(WORLD, AT_RANDOM, 500, np.random.default_rng(0))
ENDED = offline.TerminalDecisions(np.array([[3, 1], [0, 4], [1, 1]]), np.array([[1, 2], [2, 0], [0, 1]]))
GAUSSIAN, RNG = privacy.GaussianNoise(5.0), np.random.default_rng(0)
TOTALS = offline.count_steps(LOGGED, **SIZES)
FEATURES = np.eye(6).reshape(3, 2, 6)
NOISY = dict(totals=TOTALS, features=FEATURES, rho=1.0, delta=1e-5, pessimism=0.1, noise_rng=RNG, ridge=1.0, failure=0.1)
TRAINING = theorems.APPENDIX_E3
LINE = functional_noise.PiecewiseLinear(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 0.0]))
LEARNER = dict(epsilon=1.0, delta=1e-4, eta=0.5, n_steps=100, n_knots=3, discount=0.9, rng=RNG, noise_rng=RNG)
RELEASE = dict(return_bound=1.0, epsilon=1.0, delta=1e-5, noise_rng=RNG)
RIGHT = {
    privacy.gaussian_delta: dict(epsilon=1.0, mu=0.5), privacy.gaussian_mu: dict(epsilon=1.0, delta=1e-5),
    privacy.gaussian_epsilon: dict(delta=1e-5, mu=0.5), privacy.compose_gaussians: dict(mus=[0.5]),
    privacy.zcdp_epsilon: dict(rho=0.5, delta=1e-5), privacy.zcdp_epsilon_as_printed: dict(rho=0.5, delta=1e-5),
    privacy.smooth_gaussian_delta: dict(epsilon=1.0, alpha=3.0, beta=0.01, d=4),
    privacy.smooth_gaussian_alpha: dict(epsilon=1.0, delta=1e-5, beta=0.01, d=4),
    privacy.smooth_gaussian_beta_max: dict(epsilon=1.0, delta=1e-5, d=4),
    privacy.as_printed: dict(epsilon=1.0, delta=1e-5, d=4), privacy.as_proved: dict(epsilon=1.0, delta=1e-5, d=4),
    privacy.calibrate_exact: dict(epsilon=1.0, delta=1e-5, d=4),
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
    privacy.epsilon_lower_bound: dict(detections=5, false_alarms=1, trials=9, delta=1e-5, confidence=0.9),
    privacy.trials_needed: dict(detection_rate=0.5, false_alarm_rate=0.1, epsilon=0.5, delta=1e-5, confidence=0.9, power=0.9),
    privacy.firing_probabilities: dict(distance=1.0, scale=1.0, scale_neighbour=1.1, d=3, epsilon=0.5),
    policy_evaluation.farthest_neighbours: dict(n_states=3, return_bound=1.0),
    offline.TransitionCounts: dict(steps=COUNTS.steps, n_actions=2, horizon=2, contribution=None),
    offline.sample_counts: dict(mdp=WORLD, policy=AT_RANDOM, n=20, rng=RNG),
    offline.count_transitions: dict(episodes=LOGGED, **SIZES),
    offline.pooled_counts: dict(episodes=LOGGED, **SIZES, contribution=1.0),
    offline.sample_step_counts: dict(mdp=WORLD, policy=AT_RANDOM, n_episodes=20, rng=RNG),
    offline.count_steps: dict(episodes=LOGGED, **SIZES),
    privacy.GaussianNoise: dict(rho=1.0, delta=1e-5), privacy.LaplaceNoise: dict(epsilon=1.0),
    offline.noise_bound: dict(counts=COUNTS, noise=GAUSSIAN, failure=0.1),
    offline.consistent_counts: dict(noisy_triples=[[1.0, 2]], noisy_pairs=[4.0], slack=0.5),
    offline.practical: dict(n_states=3), offline.Constants: dict(deviation=1.0, remainder=1.0),
    offline.apvi: dict(counts=COUNTS, rewards=WORLD.rewards, failure=0.1, constants=offline.APVI_PRINTED,
                               arrival_rewards=[0, 0.1, 0.2], ties=[[0.5, 0.5]] * 3),
    offline.dp_apvi: dict(counts=COUNTS, rewards=WORLD.rewards, epsilon=1.0, delta=1e-5, noise_rng=RNG, failure=0.1,
                                  constants=offline.practical(3), arrival_rewards=[0, 0.1, 0.2], ties=[[0.5, 0.5]] * 3),
    offline.TerminalDecisions: dict(survivals=ENDED.survivals, deaths=ENDED.deaths),
    offline.Priors: dict(states=0.1, treatments=0.1, groups=0.1, pairs=0.1),
    offline.dp_treatment_policy: dict(
        data=ENDED, groups=[0, 0, 1], behaviour=[[0.5, 0.5]] * 3, admissible=np.ones((3, 2), dtype=bool), epsilon=1.0, delta=1e-5,
        noise_rng=RNG, priors=offline.Priors(), caution=1.0),
    privacy.gaussian_log_ratio: dict(releases=[[0.1, 0.2]], mean_inside=[0, 1], covariance_inside=np.eye(2), mean_outside=[1, 0],
                                     covariance_outside=np.eye(2)),
    functional_noise.reward_from_q: dict(q=WORLD.rewards[0], transitions=WORLD.transitions[0], discount=0.9),
    privacy.auc: dict(inside=[1, 2], outside=[0, 1]), privacy.auc_interval: dict(inside=[1, 2], outside=[0, 1], confidence=0.9),
    privacy.advantage_interval: dict(detections=5, false_alarms=1, trials=9, confidence=0.9),
    privacy.trials_to_exclude: dict(bound=0.4, advantage=0.1, confidence=0.9, power=0.9),
    privacy.detection_ceiling: dict(false_alarm_rate=0.1, epsilon=1.0, delta=1e-5),
    privacy.advantage_ceiling: dict(epsilon=1.0, delta=1e-5), privacy.auc_ceiling: dict(epsilon=1.0, delta=1e-5),
    privacy.gaussian_detection_ceiling: dict(false_alarm_rate=0.1, mu=1.0), privacy.gaussian_advantage_ceiling: dict(mu=1.0),
    privacy.gaussian_auc_ceiling: dict(mu=1.0),
    privacy.success_ceiling: dict(epsilon=1.0, delta=1e-5, n_rewards=2),
    privacy.chain_success_ceiling: dict(epsilon=1.0, delta=1e-5, steps=3),
    privacy.gaussian_success_ceiling: dict(mu=1.0, n_rewards=2, steps=3),
    policy_evaluation.lsw_excess_risk: dict(features=np.eye(2), weights=[1, 1], scale=1.0),
    policy_evaluation.lsl_excess_risk: dict(visits=[3, 2], n_episodes=4, features=np.eye(2), visit_weights=[1, 1], ridge=3.0, scale=1.0),
    policy_evaluation.peak: dict(a=1.0, b=0.1), policy_evaluation.peak_as_printed: dict(a=1.0, b=0.1),
    policy_evaluation.capped_peak: dict(a=1.0, b=0.1, m=5), policy_evaluation.capped_peak_as_printed: dict(a=1.0, b=0.1, m=5),
    policy_evaluation.lsw_bound: dict(visit_probabilities=[0.5, 1], weights=[1, 1], m=9, beta=0.1),
    policy_evaluation.lsl_bound: dict(joint_visits=np.eye(2), features=np.eye(2), visit_weights=[1, 1], ridge=3.0, m=9, beta=0.1),
    theorems.Training: vars(TRAINING), theorems.PathNoise: dict(sigma=1.0, beta=1.0, k=2.0),
    theorems.step: dict(k=2.0, training=TRAINING), theorems.norm_bound: dict(k=2.0, training=TRAINING),
    theorems.h_norm_bound: dict(largest=1.0, slope=1.0, beta=1.0),
    theorems.mu_as_printed: dict(epsilon=0.5, delta=1e-4),
    theorems.sup_failure_as_printed: dict(k=2.0, sigma=1.0, training=TRAINING),
    **{reading: dict(epsilon=0.5, delta=1e-4, training=TRAINING) for reading in (
        theorems.theorem_5_as_printed, theorems.theorem_5_with_root,
        theorems.theorem_5_with_right_tail, theorems.theorem_5_composed_exactly,
        theorems.theorem_5_with_tight_sup, theorems.one_step, theorems.one_step_jointly,
        theorems.one_step_smooth, theorems.theorem_4_as_printed, theorems.theorem_4_with_root,
        theorems.theorem_4_with_right_tail)},
    functional_noise.bridge: dict(left=(0.0, 1.0), x=0.5, right=(1.0, 0.0), beta=1.0),
    functional_noise.sample_ou: dict(points=[0.0, 0.5], beta=1.0, sigma=1.0, rng=RNG),
    functional_noise.PiecewiseLinear: dict(knots=LINE.knots, values=LINE.values), functional_noise.rkhs_norm: dict(f=LINE, beta=1.0),
    functional_noise.relu_network: dict(weights=[[[1.0]], [[1.0]]], biases=[[0.0], [0.0]], low=0.0, high=1.0),
    functional_noise.expected_sup_bound: dict(beta=1.0, sigma=1.0), functional_noise.sup_tail: dict(u=2.0, beta=1.0),
    functional_noise.sup_abs_tail: dict(u=2.0, beta=1.0), functional_noise.sup_tail_exact: dict(u=2.0, beta=1.0),
    functional_noise.sup_abs_tail_exact: dict(u=2.0, beta=1.0),
    world.walk: dict(n_steps=3, rng=RNG, runs=2),
    world.nodes: dict(cells=4), functional_noise.hat_features: dict(states=[0.2], n_knots=3), functional_noise.hat_gram: dict(n_knots=3, beta=1.0),
    functional_noise.fitted_q_iteration: dict(states=[[0.2, 0.5]], actions=[[0, 1]], next_states=[[0.3, 0.4]], rewards=[[0.1, 0.2]], discount=0.9,
                                      n_knots=3),
    functional_noise.q_learning_as_printed: dict(sigma=0.5, beta=1.0, n_paths=1, n_steps=64, batch_size=32, learning_rate=0.01, discount=0.9,
                                           widths=(1, 4, 2), runs=1, rng=RNG, noise_rng=RNG),
    functional_noise.q_learning_private_state: dict(**LEARNER, beta=1.0, batch_size=50, learning_rate=0.01, runs=1),
    functional_noise.q_learning_input_perturbation: dict(**LEARNER, runs=1),
    functional_noise.q_learning_output_perturbation: dict(**LEARNER, runs=1),
    functional_noise.release_reward_once: dict(**LEARNER, runs=1), functional_noise.centred_sensitivity: dict(n_values=3, eta=0.5),
    offline.noise_as_printed: dict(rho=1.0, horizon=3), offline.noise_corrected: dict(rho=1.0, horizon=3),
    offline.centred_noise: dict(step_rho=1.0, half_range=2.0), offline.joint_cost: dict(gram=1.0, vector=1.0),
    offline.cost_of_one_dataset: dict(rho=1.0, horizon=3, noise=offline.noise_as_printed(1.0, 3)),
    offline.cost_of_centred_noise: dict(rho=1.0),
    offline.half_shift: dict(scale=1.0, d=2, matrices=3, failure=0.1),
    offline.unit_features: dict(features=FEATURES),
    offline.feature_coverage: dict(mdp=WORLD, policy=AT_RANDOM, features=FEATURES),
    offline.pevi: dict(totals=TOTALS, features=FEATURES, pessimism=0.1, ridge=1.0),
    offline.vapvi: dict(totals=TOTALS, features=FEATURES, pessimism=0.1, ridge=1.0, remainder=0.1),
    offline.dp_vapvi: NOISY, offline.dp_vapvi_plus: NOISY,
    world.binary_action_behaviour: dict(horizon=2, first=0.6), world.binary_action_linear_mdp: dict(horizon=2, seed=0),
}
ODD = st.one_of(
    st.sampled_from([None, "x", "1", np.nan, np.inf, -np.inf, 1j, [], [[1.0]], [1.0, np.nan], [1, 2, 3], {}, object(), np.zeros((2, 2)),
                     np.eye(3), True, np.array(["a", "b"])]),
    st.integers(-3, 3), st.floats(-3, -1e-9), st.floats(1e-9, 1e4), st.floats(1e-9, 1))


def finite(result):
    if isinstance(result, privacy.Guarantee):
        return True
    if isinstance(result, offline.LinearNoise):
        return not np.isnan([*result.gram, *result.vector]).any()  # infinite noise: not released
    if isinstance(result, privacy.Release):
        return finite([value for value in result.published.values() if value is not None])
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
    try:
        result = function(**arguments)
    except ValueError as error:
        assert str(error)
    else:
        assert finite(result)


@pytest.mark.parametrize("wrong", [0, np.random.RandomState(), np.random, np.random.default_rng, np.random.PCG64(), None],
                         ids=lambda wrong: getattr(wrong, "__name__", str(wrong))[:12])
@pytest.mark.parametrize("function, name", [(function, name) for function, arguments in RIGHT.items() for name in arguments
                                            if name in ("rng", "noise_rng")],
                         ids=lambda part: getattr(part, "__name__", part))
def test_what_is_no_generator_is_refused_in_one_way_everywhere(function, name, wrong):
    with pytest.raises(ValueError, match=f"^{name} must be a numpy.random.Generator, got "):
        function(**{**RIGHT[function], name: wrong})
