"""Models of the world, logged episodes and named problems. Independent of `privacy`."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    clinics=["river_swim", "ward", "random_episodic_mdp"],
    episodes=["Episodes"],
    gymnasium_episodes=["sample_episodes_gymnasium"],
    gymnasium_models=["from_gymnasium"],
    interval_walk=["LONGEST_MOVE", "HORIZON", "middle_reward", "move", "rewards_of", "walk", "episode_returns_non_private",
                   "nodes", "policy_return", "greedy_return", "optimal_return"],
    interval_walk_env=["IntervalWalk"],
    logs=["read_log"],
    models=["FiniteMDP", "EpisodicMDP", "LinearMDP"],
    problems=["clinic", "strong_from", "recovery_chain", "binary_action_linear_mdp", "binary_action_behaviour"],
    sampling=["sample_episodes"],
    sepsis=["DEATH", "SURVIVAL", "DISCHARGED", "ICUSepsis", "icu_sepsis", "state_groups"],
    synthetic_clinic=["random_clinic"],
)
