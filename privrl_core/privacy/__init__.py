"""Privacy guarantees: their meaning, their composition, the noise they need, and their audits. Independent of `world`."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    attacks=["gaussian_log_ratio", "auc", "auc_interval", "advantage_interval", "trials_to_exclude"],
    auditing=["epsilon_lower_bound", "trials_needed", "count_events", "likelihood_ratio_test", "firing_probabilities"],
    composition=["compose_guarantees"],
    curves=["gaussian_delta", "gaussian_epsilon", "gaussian_mu", "compose_gaussians", "zcdp_epsilon",
            "zcdp_epsilon_as_printed"],
    guarantees=["Status", "Model", "Unit", "TRAJECTORY", "REWARD_FUNCTION", "Relation", "Neighbours", "ADD_OR_REMOVE_ONE",
                "REPLACE_ONE", "ADD_REMOVE_OR_REPLACE_ONE", "sup_norm", "Guarantee", "SCHEMA"],
    joint=["BILLBOARD", "FIXED_OR_PUBLIC", "billboard"],
    lower_bounds=["success_ceiling", "chain_success_ceiling", "gaussian_success_ceiling", "right_guess_ceiling",
                  "belief_ceiling", "detection_ceiling", "advantage_ceiling", "auc_ceiling", "gaussian_detection_ceiling",
                  "gaussian_advantage_ceiling", "gaussian_auc_ceiling"],
    noise=["Sensitivity", "Noise", "GaussianNoise", "LaplaceNoise", "DiscreteGaussianNoise", "sample_discrete_gaussian"],
    release=["AddedNoise", "Release"],
    selection=["SelectionRelease", "exponential_mechanism", "report_noisy_max", "exponential_mechanism_probabilities",
               "report_noisy_max_probabilities"],
    smooth_sensitivity=["smooth_gaussian_delta", "smooth_gaussian_alpha", "smooth_gaussian_beta_max", "event_probabilities",
                        "as_printed", "as_proved", "calibrate_exact"],
    statement=["PrivacyStatement", "privacy_statement"],
    two_worlds=["GaussianWorlds", "LaplaceWorlds", "discrete_ceiling"],
)
