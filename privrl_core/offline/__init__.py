"""Offline reinforcement learning: Qiao & Wang (2023) as printed and corrected, and today's alternatives."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    count_noise=["count_guarantees", "noise_bound"],
    features=["feature_table", "bounded_features", "unit_features", "feature_coverage"],
    linear_accounting=["LinearNoise", "noise_as_printed", "noise_corrected", "no_noise", "centred_noise", "PrivacyCost",
                       "joint_cost", "cost_of_one_dataset", "cost_of_two_halves", "cost_of_centred_noise", "pair_costs",
                       "half_shift"],
    linear_value_iteration=["LinearPlan", "PrivateLinearPlan", "pevi", "vapvi", "centred_vapvi", "dp_vapvi",
                            "dp_vapvi_as_printed", "dp_vapvi_as_run_by_authors", "dp_vapvi_plus"],
    plans=["Plan", "PrivatePlan"],
    private_counts=["noisy_counts", "consistent_counts", "Transitions", "private_transitions",
                    "empirical_transitions_non_private"],
    step_counts=["StepCounts", "count_steps", "sample_step_counts"],
    tabular_value_iteration=["Constants", "APVI_PRINTED", "DP_APVI_PRINTED", "practical", "bernstein", "hoeffding", "apvi",
                             "dp_apvi"],
    terminal_decisions=["TerminalDecisions", "count_terminal_decisions", "sample_terminal_decisions", "severity_groups",
                        "Priors", "TreatmentPolicy", "dp_treatment_policy"],
    transition_counts=["TransitionCounts", "sampled_steps", "sample_counts", "count_transitions", "pooled_counts"],
)
