"""Q-learning with functional noise: Wang & Hegde (2019) as printed, as run and corrected, and today's alternatives."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    baselines=["q_learning_input_perturbation", "q_learning_output_perturbation", "q_learning_dp_sgd", "Actor",
               "actor_from_private_q", "actor_critic_reading_rewards", "actor_critic_repaired"],
    batched_mlp=["NetworkQ", "initial_parameters", "network_values", "network_gradient", "network_gradient_norms"],
    gaussian_fields=["manhattan_kernel", "band_limited_kernel", "GaussianField"],
    hat_functions=["LinearQ", "hat_features", "hat_gram", "fitted_q_iteration"],
    ou_paths=["bridge", "OUPath", "OUPaths", "sample_ou"],
    q_learning=["AsPrinted", "NoisedQ", "q_learning_as_printed", "q_learning_as_run_by_authors", "anywhere", "as_visited",
                "q_learning_private_state"],
    results=["Learned", "Iterated", "gaussian_guarantees"],
    reward_inversion=["reward_from_q"],
    reward_release=["RewardRelease", "centred_sensitivity", "release_reward_once", "release_contrast_once"],
    rkhs=["PiecewiseLinear", "relu_network", "rkhs_norm"],
    suprema=["expected_sup_bound", "sup_tail", "sup_abs_tail", "sup_tail_exact", "sup_abs_tail_exact"],
    theorems=["Training", "APPENDIX_E3", "PathNoise", "norm_bound", "h_norm_bound", "mu_as_printed",
              "sup_failure_as_printed", "theorem_5_as_printed", "theorem_5_with_root", "theorem_5_with_right_tail",
              "theorem_5_composed_exactly", "theorem_5_with_tight_sup", "one_step", "one_step_jointly", "one_step_smooth",
              "theorem_4_as_printed", "theorem_4_with_root", "theorem_4_with_right_tail", "smallest_epsilon"],
)
