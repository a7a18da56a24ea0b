"""Online reinforcement learning: counters that never stop, bandits, and treatment under plain, joint and local privacy."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    counters=["PERSON", "every_person", "doubling", "growing", "Counter", "CounterRelease", "RunningCount", "counter",
              "counter_standard_deviations", "KINDS"],
    days=["count_days_non_private", "count_many_days_non_private", "empty_tables"],
    factors=["RunningSum", "BinaryTree", "SmoothedTree", "SquareRoot", "square_root_coefficients"],
    optimism=["private_optimist", "optimist_non_private"],
    policies=["greedy", "best_policies", "exact_values", "expected_visits"],
    posterior_sampling=["private_posterior_sampling", "posterior_sampling_non_private", "plausible_counts"],
    printed_ucb_vi=["PrintedBound", "private_ucb_vi_as_printed", "ucb_vi_as_printed_non_private"],
    published_code=["PublishedLearner", "published_ucb_vi"],
    rlsvi=["rlsvi_epsilon", "rlsvi_people"],
    sensitivity=["Counting", "PER_STEP", "POOLED", "FirstVisits", "first_visits_energy", "table_sensitivity"],
    shuffling=["binomial_delta", "coins_needed", "ShuffledCounter", "shuffled_posterior_sampling"],
    treatment_runs=["ASSUMES", "TreatmentRuns", "learn_in_batches", "clinic"],
)
