"""Online reinforcement learning: counters that never stop, bandits, and treatment under plain, joint and local privacy."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    all_releases=["private_posterior_sampling_from_all_releases"],
    bandit_runs=["ONE_REWARD", "BanditRuns", "laplace_sum_tail", "noisy_sum_tail"],
    contextual_bandits=["ONE_PATIENT", "ContextualRuns", "joint_contextual_bandit", "plain_contextual_bandit",
                        "wrong_treatment_floor"],
    counters=["PERSON", "every_person", "doubling", "growing", "Counter", "CounterRelease", "RunningCount", "counter",
              "counter_standard_deviations", "KINDS"],
    days=["count_days_non_private", "count_many_days_non_private", "empty_tables"],
    episode_bandits=["dp_se", "adap_ucb", "ucb_without_forgetting", "ucb_with_one_tail"],
    factors=["RunningSum", "BinaryTree", "SmoothedTree", "SquareRoot", "WholeSquareRoot",
             "square_root_coefficients"],
    index_bandits=["ucb", "dp_ucb", "ldp_ucb", "ldp_ucb_bernoulli"],
    least_largest=["LeastLargest"],
    optimism=["private_optimist", "optimist_non_private"],
    policies=["greedy", "best_policies", "exact_values", "expected_visits"],
    posterior_sampling=["private_posterior_sampling", "posterior_sampling_non_private", "plausible_counts"],
    printed_ucb_vi=["PrintedBound", "private_ucb_vi_as_printed", "ucb_vi_as_printed_non_private"],
    published_code=["PublishedLearner", "published_ucb_vi"],
    rlsvi=["rlsvi_epsilon", "rlsvi_people"],
    sensitivity=["Counting", "PER_STEP", "POOLED", "FirstVisits", "first_visits_energy", "table_sensitivity"],
    sepsis_protocols=["protocols", "clinic_with_protocols", "first_visits_of_groups", "final_groups_known"],
    shuffling=["binomial_delta", "coins_needed", "ShuffledCounter", "ShuffledCount", "shuffled_posterior_sampling"],
    treatment_runs=["ASSUMES", "TreatmentRuns", "learn_in_batches", "clinic", "release_times", "table_counter"],
)
