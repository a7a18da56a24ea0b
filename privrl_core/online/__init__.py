"""Online reinforcement learning: counters that never stop, bandits, and treatment under plain, joint and local privacy."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    bandit_runs=["ONE_REWARD", "BanditRuns", "laplace_sum_tail", "noisy_sum_tail"],
    contextual_bandits=["ONE_PATIENT", "ContextualRuns", "joint_contextual_bandit", "plain_contextual_bandit",
                        "wrong_treatment_floor"],
    counters=["PERSON", "every_person", "doubling", "growing", "Counter", "CounterRelease", "RunningCount", "counter",
              "counter_standard_deviations", "KINDS"],
    episode_bandits=["dp_se", "adap_ucb", "ucb_without_forgetting", "ucb_with_one_tail"],
    factors=["RunningSum", "BinaryTree", "SmoothedTree", "SquareRoot", "square_root_coefficients"],
    index_bandits=["ucb", "dp_ucb", "ldp_ucb", "ldp_ucb_bernoulli"],
    least_largest=["LeastLargest"],
    sensitivity=["Counting", "PER_STEP", "POOLED", "FirstVisits", "first_visits_energy", "table_sensitivity"],
)
