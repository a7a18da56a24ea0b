"""Deep reinforcement learning with PyTorch: one gradient a person, noise and its account, and planning in a private model.

Needs the extra ``networks``; no other wing imports torch.
"""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    accounting=["noise_multiplier", "sampled_gaussian_epsilon"],
    audits=["one_run_epsilon", "shuffled_epsilon"],
    clipping=["squared_error", "person_gradients", "clipped_sum", "trainable"],
    private_training=["NetworkRelease", "clipped_sgd_non_private", "dp_sgd", "with_parameters"],
    trajectories=["Trajectories"],
)
