"""Deep reinforcement learning with PyTorch: one gradient a person, noise and its account, and planning in a private model.

Needs the extra ``networks``; no other wing imports torch.
"""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    accounting=["noise_multiplier", "sampled_gaussian_epsilon"],
    audits=["one_run_epsilon", "shuffled_epsilon"],
    clipping=["squared_error", "person_gradients", "clipped_sum", "trainable", "treats_each_alone"],
    cloning=["dose_logit", "policy_network", "to_copy"],
    fitted_q=["DOSE_GRID", "q_targets", "dp_fitted_q", "fitted_q_non_private", "greedy_dose"],
    insulin=["Clinic", "PUBLIC", "CLINIC", "Day", "DAY", "HALF_DAY", "SEEN", "UNITS", "LARGEST_DOSE", "Cohort",
             "kovatchev_risk", "kinematics", "glucose_of", "seen_next", "with_dose", "cohort", "meals", "live", "practice",
             "practice_rule", "proportional_dose", "constant_dose", "logged_days", "doses_given", "another_day"],
    moments=["MomentsRelease", "release_moments_once", "person_moments_non_private", "ridge", "ridge_head", "renoised",
             "half_vector", "poly1", "poly2", "last_hidden", "whitened", "linear_model"],
    outcomes=["Outcome", "outcome", "evaluate"],
    pendulum=["starts", "swing", "seen_pendulum", "mediocre", "returns", "logged_swings", "controller",
              "with_public_kinematics", "dreamed_return", "train_controller"],
    planning=["Policies", "Plan", "random_policies", "dreamed_days", "simulated_days", "plan", "best_plans", "public_gate",
              "side_by_side", "planning_loss"],
    policy_gradient=["ONE_DAY", "ALL_DAYS", "PoliciesRelease", "private_policy_gradient", "returning_policy_gradient",
                     "expected_to_come", "clipped_drift", "mean_dose"],
    private_training=["NetworkRelease", "clipped_sgd_non_private", "dp_sgd", "with_parameters"],
    public_training=["RANDOMISED", "body_network", "fitted", "cautious_policy", "explored_days"],
    trajectories=["Trajectories"],
)
