"""Whatever stands in for one argument of a public function: a ValueError, or a finite and documented result."""

import inspect
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privrl_core import functional_noise, networks, offline, online, policy_evaluation, privacy, world
from privrl_core.functional_noise import theorems
from privrl_core.policy_evaluation import FirstVisitStatistics
from privrl_core.world import Episodes, EpisodicMDP

DATA = FirstVisitStatistics(np.array([3, 2]), np.array([1.0, 1.5]), 4, 1.0)
WORLD = EpisodicMDP(np.full((2, 3, 2, 3), 1 / 3), np.full((2, 3, 2), 0.5), np.ones(3) / 3)
AT_RANDOM = np.full((2, 3, 2), 0.5)
LOGGED = Episodes.from_lists([[0, 1, 2], [2, 2]], [[0, 1], [1]], [[0, 1], [1]])
CLINIC = world.icu_sepsis(1)
CHAIN = world.recovery_chain(3)
FEW = LOGGED.states, LOGGED.actions, LOGGED.rewards, LOGGED.lengths
SIZES = dict(n_states=3, n_actions=2, horizon=2)
COUNTS = offline.sample_counts(WORLD, AT_RANDOM, 500, np.random.default_rng(0))
ENDED = offline.TerminalDecisions(np.array([[3, 1], [0, 4], [1, 1]]), np.array([[1, 2], [2, 0], [0, 1]]))
GAUSSIAN, RNG = privacy.GaussianNoise(5.0), np.random.default_rng(0)
TOTALS = offline.count_steps(LOGGED, **SIZES)
FEATURES = np.eye(6).reshape(3, 2, 6)
NOISY = dict(totals=TOTALS, features=FEATURES, rho=1.0, delta=1e-5, pessimism=0.1, noise_rng=RNG, ridge=1.0, failure=0.1)
TRAINING = theorems.APPENDIX_E3
GENTLE = replace(TRAINING, learning_rate=1e-9)
LINE = functional_noise.PiecewiseLinear(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 0.0]))
TENT = world.middle_reward
NO_START = np.zeros(18)
LEARNER = dict(reward=TENT, epsilon=1.0, delta=1e-4, eta=0.5, n_steps=100, n_knots=3, discount=0.9, rng=RNG, noise_rng=RNG)
BOUND = dict(rule=privacy.calibrate_exact, return_bound=1.0, epsilon=1.0, delta=1e-5)
RELEASE = dict(BOUND, noise_rng=RNG)
EXACT = {name: value for name, value in RELEASE.items() if name != "rule"}
CRITIC = functional_noise.q_learning_output_perturbation(**LEARNER)
ACTOR = dict(reward=TENT, n_episodes=2, batch_episodes=1, learning_rate=1.0, discount=0.9, trace=0.9, n_knots=3)
NETWORK = functional_noise.initial_parameters((1, 2, 2), 1, RNG)
PROMISE = CRITIC.guarantees[0]
COUNTED = dict(kind="doubling", n=5, sensitivity=1.0, epsilon=1.0, delta=1e-5)
COUNTER, TABLE = online.counter(**COUNTED), privacy.Sensitivity(2.0, 1.0, whole=True)
CHOICE = dict(scores=[3.0, 1.0, 2.0], sensitivity=1.0, epsilon=1.0)
ARMS = dict(means=[0.5, 0.6], n_people=20, runs=2, times=[5, 20], rng=RNG)
SEEN = np.tile([0, 1], (2, 20, 1))
PRIVATE_ARMS = dict(ARMS, epsilon=1.0, noise_rng=RNG)
TWO_CONTEXTS = dict(PRIVATE_ARMS, means=[[0.6, 0.4], [0.4, 0.6]])
FREE = dict(world=WORLD, n_people=6, rng=RNG, runs=1, times=[2, 6])
TREATED = dict(FREE, epsilon=3.0, delta=0.1, noise_rng=RNG)
RIGHT = {
    networks.noise_multiplier: dict(epsilon=1.0, delta=1e-3, sampling=0.5, steps=2, neighbours=privacy.REPLACE_ONE),
    networks.sampled_gaussian_epsilon: dict(noise=2.0, delta=1e-3, sampling=0.5, steps=2, neighbours=privacy.REPLACE_ONE),
    networks.shuffled_epsilon: dict(noise=2.0, delta=1e-3, batches=3),
    networks.one_run_epsilon: dict(correct=8, guesses=9, canaries=10, delta=1e-3, confidence=0.9),
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
    policy_evaluation.dp_lsl: dict(sensitivity=policy_evaluation.lsl_sensitivity_improved, statistics=DATA, features=np.eye(2), visit_weights=[1, 1], ridge=3.0, **RELEASE),
    policy_evaluation.dp_sufficient_statistics: dict(statistics=DATA, features=np.eye(2), weights=[1, 1], return_range=None,
                                                     noise=privacy.GaussianNoise, **EXACT),
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
    offline.apvi: dict(counts=COUNTS, rewards=WORLD.rewards, failure=0.1, constants=offline.APVI_PRINTED, pessimism=offline.bernstein,
                               arrival_rewards=[0, 0.1, 0.2], ties=[[0.5, 0.5]] * 3),
    offline.dp_apvi: dict(counts=COUNTS, rewards=WORLD.rewards, epsilon=1.0, delta=1e-5, noise_rng=RNG, failure=0.1, noise=privacy.GaussianNoise,
                          constants=offline.practical(3), pessimism=offline.bernstein, arrival_rewards=[0, 0.1, 0.2],
                          ties=[[0.5, 0.5]] * 3),
    offline.TerminalDecisions: dict(survivals=ENDED.survivals, deaths=ENDED.deaths),
    offline.Priors: dict(states=0.1, treatments=0.1, groups=0.1, pairs=0.1),
    offline.dp_treatment_policy: dict(
        data=ENDED, groups=[0, 0, 1], behaviour=[[0.5, 0.5]] * 3, admissible=np.ones((3, 2), dtype=bool), epsilon=1.0, delta=1e-5,
        noise_rng=RNG, noise=privacy.GaussianNoise, priors=offline.Priors(), caution=1.0),
    offline.count_guarantees: dict(noise=GAUSSIAN),
    privacy.gaussian_log_ratio: dict(releases=[[0.1, 0.2]], mean_inside=[0, 1], covariance_inside=np.eye(2), mean_outside=[1, 0],
                                     covariance_outside=np.eye(2)),
    functional_noise.reward_from_q: dict(q=WORLD.rewards[0], transitions=WORLD.transitions[0], discount=0.9),
    privacy.auc: dict(inside=[1, 2], outside=[0, 1]), privacy.auc_interval: dict(inside=[1, 2], outside=[0, 1], confidence=0.9),
    privacy.GaussianWorlds: dict(means=[[1.0, 2], [0, 0]], scales=2.0), privacy.LaplaceWorlds: dict(means=[[1.0], [0.0]], scales=2.0),
    privacy.discrete_ceiling: dict(p_inside=[0.5, 0.5], p_outside=[0.25, 0.75]),
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
    theorems.sup_failure_as_printed: dict(k=6e3, sigma=1.0, training=TRAINING),
    **{reading: dict(epsilon=0.5, delta=1e-4, training=TRAINING) for reading in (
        theorems.theorem_5_as_printed, theorems.theorem_5_with_root,
        theorems.theorem_5_with_right_tail, theorems.theorem_5_composed_exactly,
        theorems.theorem_5_with_tight_sup, theorems.one_step, theorems.one_step_jointly,
        theorems.one_step_smooth)},
    **{reading: dict(epsilon=0.9, delta=0.1, training=GENTLE) for reading in (
        theorems.theorem_4_as_printed, theorems.theorem_4_with_root, theorems.theorem_4_with_right_tail)},
    functional_noise.bridge: dict(left=0.0, x=0.5, right=1.0, beta=1.0),
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
                                           widths=(1, 4, 2), runs=1, start=NO_START, epsilon=1.0, delta=1e-4, reward=TENT, rng=RNG, noise_rng=RNG),
    functional_noise.q_learning_private_state: dict(**LEARNER, beta=1.0, sensitivity=functional_noise.as_visited, batch_size=50, learning_rate=0.01, runs=1),
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
    offline.dp_vapvi: dict(**NOISY, remainder=0.0), offline.dp_vapvi_plus: NOISY,
    world.binary_action_behaviour: dict(horizon=2, first=0.6), world.binary_action_linear_mdp: dict(horizon=2, seed=0),
    privacy.likelihood_ratio_test: dict(mean=[0, 1], mean_neighbour=[1, 0], scale=1.0, scale_neighbour=1.1, epsilon=0.5),
    privacy.count_events: dict(mechanism=lambda data, rng: rng.random(), data=None, event=lambda x: x < 0.5, trials=9, rng=RNG),
    privacy.right_guess_ceiling: dict(guarantee=PROMISE, prior=0.5), privacy.belief_ceiling: dict(guarantee=PROMISE, prior=0.5),
    privacy.privacy_statement: dict(guarantees=PROMISE, released="a table", delta=1e-5, prior=0.5, not_covered=()),
    policy_evaluation.tabular_features: dict(n_states=4),
    policy_evaluation.FirstVisitStatistics: dict(visits=[3, 2], return_sums=[1.0, 1.5], n_episodes=4, return_bound=1.0, lowest_return=0.0,
                                                 state_labels=None, labels_from_data=False, grid_sums=None),
    policy_evaluation.first_visit_statistics: dict(episodes=LOGGED, n_states=3, discount=0.9, return_bound=1.0, return_range=None),
    policy_evaluation.first_visit_returns: dict(episodes=LOGGED, n_states=3, discount=0.9),
    policy_evaluation.noise_scale_lsw_non_private: dict(statistics=DATA, features=np.eye(2), weights=[1, 1], **BOUND),
    policy_evaluation.noise_scale_lsl_non_private: dict(sensitivity=policy_evaluation.lsl_sensitivity_improved, statistics=DATA, features=np.eye(2), visit_weights=[1, 1], ridge=3.0, **BOUND),
    policy_evaluation.lsw_bound_as_printed: dict(visit_probabilities=[0.5, 1], weights=[1, 1], m=9, beta=0.1),
    policy_evaluation.lsw_bound_as_printed_in_the_text: dict(visit_probabilities=[0.5, 1], weights=[1, 1], m=9, beta=0.1),
    policy_evaluation.lsl_bound_as_printed: dict(joint_visits=np.eye(2), features=np.eye(2), visit_weights=[1, 1], ridge=3.0, m=9, beta=0.1),
    privacy.DiscreteGaussianNoise: dict(rho=1.0, delta=1e-5), privacy.sample_discrete_gaussian: dict(scale=2.0, shape=(2,)),
    offline.feature_table: dict(features=FEATURES, shape=(3, 2)), offline.bounded_features: dict(features=FEATURES),
    offline.cost_of_two_halves: dict(rho=1.0, horizon=3, noise=offline.noise_as_printed(1.0, 3)),
    offline.pair_costs: dict(features=np.eye(2), gram=(1.0, 1.0), vector=(1.0, 1.0)),
    offline.centred_vapvi: dict(totals=TOTALS, features=FEATURES, pessimism=0.1, ridge=1.0),
    offline.dp_vapvi_as_printed: dict(**NOISY, variance_totals=offline.count_steps(LOGGED, **SIZES), remainder=0.0),
    offline.dp_vapvi_as_run_by_authors: dict(**NOISY, remainder=0.0),
    offline.noisy_counts: dict(counts=COUNTS, noise=GAUSSIAN, noise_rng=RNG),
    offline.private_transitions: dict(counts=COUNTS, noise=GAUSSIAN, failure=0.1, noise_rng=RNG),
    offline.empirical_transitions_non_private: dict(counts=COUNTS),
    offline.sampled_steps: dict(mdp=WORLD, policy=AT_RANDOM, n=20, rng=RNG),
    offline.StepCounts: dict(transition_counts=TOTALS.transition_counts, reward_sums=TOTALS.reward_sums, n_episodes=2),
    offline.count_terminal_decisions: dict(episodes=LOGGED, problem=CLINIC),
    offline.sample_terminal_decisions: dict(problem=CLINIC, policy=CLINIC.expert_policy, n=20, rng=RNG, max_length=2),
    offline.severity_groups: dict(problem=CLINIC, n_groups=3),
    functional_noise.q_learning_as_run_by_authors: dict(sigma=0.5, beta=1.0, n_paths=1, n_episodes=1, epsilon=1.0, delta=1e-4, runs=1, reward=TENT,
                                                        rng=RNG, noise_rng=RNG),
    functional_noise.q_learning_dp_sgd: dict(epsilon=1.0, delta=1e-4, eta=0.5, clip=1.0, n_steps=64, batch_size=32, learning_rate=0.01,
                                             discount=0.5, widths=(1, 4, 2), runs=1, reward=TENT, rng=RNG, noise_rng=RNG),
    functional_noise.actor_from_private_q: dict(critic=CRITIC, n_knots=3, rounds=3, learning_rate=1.0),
    functional_noise.actor_critic_reading_rewards: dict(critic=CRITIC, rng=RNG, **ACTOR),
    functional_noise.actor_critic_repaired: dict(critic=CRITIC, epsilon=1.0, delta=1e-4, eta=0.5, rng=RNG, noise_rng=RNG, **ACTOR),
    functional_noise.release_contrast_once: dict(epsilon=1.0, eta=0.5, n_steps=100, discount=0.9, runs=1, reward=TENT, rng=RNG, noise_rng=RNG),
    functional_noise.NetworkQ: dict(parameters=NETWORK, widths=(1, 2, 2)),
    functional_noise.initial_parameters: dict(widths=(1, 2, 2), runs=1, rng=RNG),
    functional_noise.manhattan_kernel: dict(beta=1.0), functional_noise.band_limited_kernel: dict(bandwidth=1.0),
    functional_noise.GaussianField: dict(kernel=functional_noise.manhattan_kernel(1.0), sigma=1.0, rng=RNG, dimension=1, low=0.0, high=1.0),
    functional_noise.LinearQ: dict(parameters=np.zeros((1, 2, 3))),
    functional_noise.OUPath: dict(beta=1.0, sigma=1.0, rng=RNG, low=0.0, high=1.0),
    functional_noise.OUPaths: dict(beta=1.0, sigma=1.0, rng=RNG, shape=(2,), low=0.0, high=1.0),
    functional_noise.gaussian_guarantees: dict(epsilon=1.0, delta=1e-4, eta=0.5, runs=2, basis="Gaussian noise"),
    functional_noise.smallest_epsilon: dict(reading=theorems.one_step, sigma=1.0, delta=1e-4, training=TRAINING),
    world.Episodes: dict(zip(("states", "actions", "rewards", "lengths"), FEW), state_labels=None, action_labels=None, labels_from_data=()),
    world.Episodes.from_lists: dict(states=[[0, 1], [2]], actions=[[0], []], rewards=[[1.0], []]),
    world.FiniteMDP: dict(transitions=CHAIN.transitions, rewards=CHAIN.rewards, discount=0.9, initial=CHAIN.initial, terminal=CHAIN.terminal),
    world.FiniteMDP.policy_values: dict(self=CHAIN, policy=np.ones((3, 1))),
    world.EpisodicMDP: dict(transitions=WORLD.transitions, rewards=WORLD.rewards, initial=WORLD.initial),
    world.EpisodicMDP.policy_values: dict(self=WORLD, policy=AT_RANDOM),
    world.LinearMDP: dict(features=np.ones((1, 2, 1)), measures=np.ones((2, 1, 1)), reward_weights=np.ones((2, 1)), initial=[1.0]),
    world.clinic: dict(discount=0.9, risk=0.1),
    world.strong_from: dict(stage=3),
    world.recovery_chain: dict(n_states=3, stay=0.5, discount=0.9, initial=[1, 0, 0]),
    world.sample_episodes: dict(mdp=CHAIN, policy=np.ones((3, 1)), m=3, rng=RNG, max_length=5),
    world.icu_sepsis: dict(horizon=1), world.state_groups: dict(problem=CLINIC, n_groups=2, rng=RNG),
    world.random_clinic: dict(rng=RNG), world.middle_reward: dict(states=[0.2]), world.move: dict(states=[0.2], actions=[1], rng=RNG),
    world.river_swim: dict(n_states=3, horizon=2), world.ward: dict(horizon=2, improvement=0.3),
    world.random_episodic_mdp: dict(n_states=3, n_actions=2, horizon=2, rng=RNG),
    **{learner: dict(TREATED, counting=online.FirstVisits(2), **more) for learner, more in (
        (online.private_posterior_sampling, dict(kind="doubling", samples=2, width=0.5, prior=np.full((3, 2, 3), 0.5))),
        (online.private_posterior_sampling_from_all_releases, dict(samples=2, width=0.5)),
        (online.private_optimist, dict(kind="doubling", errors=0.2, trust=1.0)))},
    online.shuffled_posterior_sampling: dict(TREATED, samples=2, width=0.5, honest=0.5),
    online.posterior_sampling_non_private: dict(FREE, counting=online.POOLED, samples=2, prior=np.full((3, 2, 3), 0.5)),
    online.optimist_non_private: dict(FREE, counting=online.POOLED, errors=0.2),
    online.private_ucb_vi_as_printed: dict(FREE, epsilon=1.0, noise_rng=RNG, model=privacy.Model.JOINT, failure=0.1, known_people=9),
    online.ucb_vi_as_printed_non_private: dict(FREE, failure=0.1, known_people=9),
    online.published_ucb_vi: dict(FREE, epsilon=1.0, noise_rng=RNG, model=privacy.Model.JOINT),
    online.PrintedBound: dict(horizon=2, n_states=3, n_actions=2, epsilon=1.0, failure=0.1, model=privacy.Model.JOINT),
    online.PublishedLearner: dict(n_states=3, n_actions=2, horizon=2, epsilon=1.0, model=privacy.Model.JOINT, runs=1, noise_rng=RNG),
    online.rlsvi_epsilon: dict(n_people=9, delta=1e-5, horizon=2, n_states=3, n_actions=2),
    online.rlsvi_people: dict(epsilon=1.0, delta=1e-5, horizon=2, n_states=3, n_actions=2),
    online.binomial_delta: dict(epsilon=1.0, coins=9, cells=2), online.coins_needed: dict(epsilon=3.0, delta=0.1, cells=2),
    online.ShuffledCounter: dict(times=[2, 5], epsilon=3.0, delta=0.1, cells=2, honest=0.5, assumes=()),
    world.rewards_of: dict(reward=TENT, states=np.array([0.2])),
    world.episode_returns_non_private: dict(next_states=np.full((1, 100), 0.5), reward=TENT),
    world.policy_return: dict(right=np.full(9, 0.5), reward=TENT),
    world.greedy_return: dict(q=functional_noise.LinearQ(np.zeros((1, 2, 3))), reward=TENT, cells=8),
    world.optimal_return: dict(reward=TENT, cells=8),
    **{choose: dict(CHOICE, noise_rng=RNG, unit=privacy.TRAJECTORY, neighbours=privacy.REPLACE_ONE) for choose in (
        privacy.exponential_mechanism, privacy.report_noisy_max)},
    privacy.exponential_mechanism_probabilities: CHOICE, privacy.report_noisy_max_probabilities: CHOICE,
    privacy.billboard: dict(guarantee=privacy.GaussianNoise(1.0).guarantee("a table")),
    online.square_root_coefficients: dict(n=5), **{kind: dict(n=5) for kind in (
        online.RunningSum, online.BinaryTree, online.SmoothedTree, online.SquareRoot, online.WholeSquareRoot, online.LeastLargest, online.every_person, online.doubling)},
    online.growing: dict(n=50, first=3, growth=0.5), online.counter: dict(COUNTED, times=[2, 5]),
    online.counter_standard_deviations: COUNTED,
    online.Counter: dict(times=[1, 2, 4], factor=online.BinaryTree(3), noise=GAUSSIAN, sensitivity=TABLE, unit=online.PERSON,
                         neighbours=privacy.REPLACE_ONE, assumes=()),
    online.Counter.release: dict(self=COUNTER, batch_sums=[1.0, 2, 3, 4], noise_rng=RNG),
    online.Counter.start: dict(self=COUNTER, shape=(2,), noise_rng=RNG), online.Counter.charge: dict(self=COUNTER, batches=[0, 1]),
    online.Counter.guarantee_of_returning: dict(self=COUNTER, batches=[0, 1]),
    online.FirstVisits: dict(cap=2, groups=[0, 1, 1]), **{of: dict(problem=CLINIC, treatments=[[True] * 25]) for of in (online.protocols, online.clinic_with_protocols)},
    online.first_visits_of_groups: dict(cap=2, groups=np.arange(716) // 300), online.final_groups_known: dict(n_groups=4, n_treatments=2), online.first_visits_energy: dict(horizon=3, cap=2, pairs=4),
    online.table_sensitivity: dict(horizon=3, families=2, counting=online.FirstVisits(2), pairs=4, neighbours=privacy.REPLACE_ONE),
    online.ucb: dict(ARMS, outcomes=SEEN), online.ucb_without_forgetting: dict(PRIVATE_ARMS, alpha=3.1, outcomes=SEEN), **{learner: PRIVATE_ARMS for learner in (online.dp_ucb, online.ldp_ucb, online.ldp_ucb_bernoulli, online.dp_se)},
    **{learner: dict(PRIVATE_ARMS, alpha=3.1) for learner in (online.adap_ucb, online.ucb_with_one_tail)},
    online.wrong_treatment_floor: dict(epsilon=1.0, delta=0.1), online.joint_contextual_bandit: TWO_CONTEXTS,
    online.plain_contextual_bandit: dict(TWO_CONTEXTS, own_share=0.5),
}
ODD = [None, "x", "1", b"1", np.nan, np.inf, -np.inf, 1j, [], [[1.0]], [1.0, np.nan], [1, 2, 3], {}, object(), np.zeros((2, 2)), np.eye(3),
       True, np.array(["a", "b"]), np.ma.array([1.0, -999.0], mask=[False, True]), -2, -1, 0, 1, 2, 3, -1e-9, 1e-300, 0.5, 50.0]
NUMBERS = st.one_of(st.integers(-3, 3), st.floats(-3, -1e-9), st.floats(1e-9, 1e4), st.floats(1e-9, 1))
SLOW = {world.icu_sepsis: 50.0, world.random_clinic: None, functional_noise.q_learning_as_run_by_authors: 50.0,
        privacy.sample_discrete_gaussian: None}  # what takes them more than a second
WITH_GAPS = {policy_evaluation.first_visit_returns}  # NaN where a trajectory does not come
# not checked: what a caller's own mechanism gets to see, and methods' selves
NOT_CHECKED = {"data", "self"}
EXCEPTIONS = {
    "an environment of Gymnasium, which has checks of its own": {"from_gymnasium", "sample_episodes_gymnasium", "IntervalWalk"},
    "no function": {"Counting", "Model", "Noise", "Relation", "Status"},
    "takes nothing": {"no_noise"},
    "takes any number of guarantees, and nothing else that could be odd": {"compose_guarantees"},
    "what a function of the core hands out, made of parts that it checked": {
        "Actor", "AddedNoise", "AsPrinted", "BanditRuns", "ContextualRuns", "CounterRelease", "ICUSepsis", "Iterated", "Learned", "LinearNoise", "LinearPlan", "MomentsRelease", "NetworkRelease", "NoisedQ", "Cohort", "Outcome", "ParametersRelease", "Plan", "PoliciesRelease", "PrivacyCost", "PrivacyStatement",
        "PrivateLinearPlan", "PrivatePlan", "Release", "RewardRelease", "RunningCount", "SelectionRelease", "ShuffledCount", "SufficientStatisticsRelease", "Transitions", "TreatmentPolicy", "TreatmentRuns"},
    "takes tensors and networks: tests/networks": {
        "another_day", "best_plans", "body_network", "cautious_policy", "clipped_drift", "clipped_sgd_non_private", "clipped_sum", "cohort",
        "constant_dose", "controller", "dose_logit", "doses_given", "dp_fitted_q", "dp_sgd", "dreamed_days", "dreamed_return", "evaluate",
        "expected_to_come", "explored_days", "fitted", "fitted_q_non_private", "glucose_of", "greedy_dose", "half_vector", "kinematics",
        "kovatchev_risk", "last_hidden", "linear_model", "live", "logged_days", "logged_swings", "meals", "mean_dose", "mediocre", "outcome",
        "person_gradients", "person_moments_non_private", "plan", "planning_loss", "policy_network", "poly1", "poly2", "practice",
        "practice_rule", "private_policy_gradient", "proportional_dose", "public_gate", "q_targets", "random_policies", "release_moments_once", "renoised", "returning_policy_gradient",
        "returns", "ridge", "ridge_head", "seen_next", "seen_pendulum", "side_by_side", "simulated_days", "squared_error", "starts", "swing",
        "to_copy", "train_controller", "trainable", "treats_each_alone", "whitened", "with_dose", "with_parameters", "with_public_kinematics",
        "Clinic", "Day", "Policies", "Trajectories"},
    "checked by tests of their own": {"Guarantee", "Unit", "Neighbours", "sup_norm", "Sensitivity", "read_log"},
    "a formula in an inner loop, on arrays that the loop has checked": {
        "best_policies", "clinic", "count_days_non_private", "count_many_days_non_private", "empty_tables", "exact_values",
        "expected_visits", "greedy", "learn_in_batches", "plausible_counts", "release_times", "table_counter",
        "anywhere", "as_visited", "bernstein", "event_probabilities", "hoeffding", "laplace_sum_tail", "network_gradient", "network_gradient_norms",
        "network_values", "noisy_sum_tail"},
}


def test_every_public_function_is_asked():
    public = {name: thing for wing in (world, privacy, policy_evaluation, functional_noise, offline, online, networks) for name in wing.__all__
              if callable(thing := getattr(wing, name))}
    left = {name for name, thing in public.items() if thing not in RIGHT}
    assert left == set().union(*EXCEPTIONS.values())


@pytest.mark.parametrize("function", RIGHT, ids=lambda function: function.__qualname__)
def test_right_arguments_are_right_and_all_of_them_are_named(function):
    assert finite(called(function, RIGHT[function])) or function in WITH_GAPS
    assert set(inspect.signature(function).parameters) - set(RIGHT[function]) <= {"dtype"}  # NumPy's own affair


def called(function, arguments):
    """What it returns, all of it; arguments in the order of the signature, as some of them have no names."""
    bound = inspect.signature(function).bind_partial()
    for name, parameter in inspect.signature(function).parameters.items():
        if name in arguments:
            bound.arguments[name] = (arguments[name],) if parameter.kind is parameter.VAR_POSITIONAL else arguments[name]
    result = function(*bound.args, **bound.kwargs)
    return list(result) if isinstance(result, Iterator) else result


def finite(result):
    if isinstance(result, (privacy.Guarantee, privacy.Unit, privacy.Neighbours, online.RunningCount, online.PrintedBound,
                           online.PublishedLearner, online.ShuffledCounter)):
        return True
    if isinstance(result, offline.LinearNoise):
        return not np.isnan([*result.gram, *result.vector]).any()  # infinite noise: not released
    if isinstance(result, privacy.Release):
        return finite([value for value in result.published.values() if value is not None])
    if isinstance(result, offline.PrivacyCost):
        return not np.isnan(list(vars(result).values())).any()  # infinite: nothing is promised
    if hasattr(result, "tocoo"):
        return finite(result.data)
    if hasattr(result, "__dataclass_fields__"):
        return finite([value for value in vars(result).values() if value is not None])
    if callable(result) or isinstance(result, str):
        return True
    if isinstance(result, (tuple, list)):
        return all(map(finite, result))
    return bool(np.isfinite(result).all())


def asked(function, name, odd):
    """A ValueError that names an argument, or a finite result."""
    arguments = {**RIGHT[function], name: odd}
    try:
        result = called(function, arguments)
    except ValueError as error:
        assert any(name in str(error) for name in arguments)
    else:
        assert finite(result) or function in WITH_GAPS


@pytest.mark.parametrize("function", RIGHT, ids=lambda function: function.__qualname__)
def test_an_odd_argument_gives_a_clear_error_or_a_finite_result(function):
    for name in RIGHT[function].keys() - NOT_CHECKED:
        for odd in ODD:
            if not (function in SLOW and odd is SLOW[function]):
                asked(function, name, odd)


@pytest.mark.parametrize("function", [function for function in RIGHT if function not in SLOW], ids=lambda function: function.__qualname__)
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_any_number_gives_a_clear_error_or_a_finite_result(function, data):
    names = [name for name, right in RIGHT[function].items() if isinstance(right, (int, float))]
    if names:
        asked(function, data.draw(st.sampled_from(names)), data.draw(NUMBERS))


@pytest.mark.parametrize("wrong", [0, np.random.RandomState(), np.random, np.random.default_rng, np.random.PCG64(), None],
                         ids=lambda wrong: getattr(wrong, "__name__", str(wrong))[:12])
@pytest.mark.parametrize("function, name", [(function, name) for function, arguments in RIGHT.items() for name in arguments
                                            if name in ("rng", "noise_rng")],
                         ids=lambda part: getattr(part, "__name__", part))
def test_what_is_no_generator_is_refused_in_one_way_everywhere(function, name, wrong):
    with pytest.raises(ValueError, match=f"^{name} must be a numpy.random.Generator, got "):
        called(function, {**RIGHT[function], name: wrong})
