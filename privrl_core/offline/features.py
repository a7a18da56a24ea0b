r"""Tables of features :math:`\phi(s, a) \in \mathbb R^d`, and how well a policy's data cover them."""

import numpy as np

from privrl_core.checks import distributions, finite, instance_of, number, positive
from privrl_core.world.models import EpisodicMDP

__all__ = ["feature_table", "bounded_features", "unit_features", "feature_coverage"]


def feature_table(features, shape=None) -> np.ndarray:
    """``features[S, A, d]`` as floats; ValueError unless they have three axes, the first two as in ``shape`` if given,
    and are at most 1e100 in size."""
    features = finite("features", features)
    if features.ndim != 3 or 0 in features.shape or (shape is not None and features.shape[:2] != tuple(shape)):
        expected = "S, A" if shape is None else f"{shape[0]}, {shape[1]}"
        raise ValueError(f"features must have shape [{expected}, d], got {list(features.shape)}")
    if (largest := np.abs(features).max()) > 1e100:  # their squares are needed
        raise ValueError(f"features must be at most 1e+100 in size, got {largest}")
    return features


def bounded_features(features) -> np.ndarray:
    """The same, whose vectors are no longer than 1, as the privacy proofs assume; ValueError otherwise."""
    features = feature_table(features)
    if (longest := _longest(features)) > 1 + 1e-9:
        raise ValueError(f"features must have length at most 1 (see unit_features), got {longest:.6g}")
    return features


def unit_features(features) -> np.ndarray:
    """``features[S, A, d]`` divided by the length of the longest. ValueError if all are 0."""
    features = feature_table(features)
    return features / number(positive, "the longest feature", _longest(features))


def feature_coverage(mdp: EpisodicMDP, policy, features) -> np.ndarray:
    r""":math:`\kappa_h = \lambda_{\min}\bigl(\mathbb E_\pi[\phi(s_h, a_h)\phi(s_h, a_h)^\top]\bigr)` at each step, [H].

    For ``policy[H, S, A]`` and ``features[S, A, d]``; rounding below 0 is cut. ValueError for other shapes. Theory
    wants all of them positive: Qiao & Wang (2023), Equation (1) and Assumption 2.2.
    """
    policy = distributions("policy", policy, instance_of(EpisodicMDP, "mdp", mdp).rewards.shape)
    features, visits, kappa = feature_table(features, mdp.rewards.shape[1:]), mdp.initial, []
    for h in range(mdp.horizon):
        pairs = visits[:, None] * policy[h]
        kappa.append(np.linalg.eigvalsh(np.einsum("sa,sai,saj->ij", pairs, features, features))[0])
        visits = np.einsum("sa,san->n", pairs, mdp.transitions[h])
    return np.maximum(kappa, 0)


def _longest(features):
    return np.sqrt(np.square(features).sum(axis=2).max())
