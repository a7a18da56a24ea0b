r"""Tables of features :math:`\phi(s, a) \in \mathbb R^d`, and how well the data of a policy cover them."""

import numpy as np

from privrl_core.checks import distributions, instance_of, number, positive, shaped, whole_number, within
from privrl_core.world.models import EpisodicMDP

__all__ = ["feature_table", "bounded_features", "unit_features", "feature_coverage"]


def feature_table(features, shape=None) -> np.ndarray:
    """``features[S, A, d]`` as floats; ValueError unless they have three axes, with the first two as in ``shape`` if it is
    given, and absolute values of at most 1e100."""
    shape = ("S", "A") if shape is None else tuple(whole_number("shape", size, least=1) for size in np.atleast_1d(shape))
    features = shaped("features", features, (*shape, "d"))
    return within("features", features, -1e100, 1e100)  # so that their squares do not overflow


def bounded_features(features) -> np.ndarray:
    """`feature_table` for vectors of length at most 1, as the privacy proofs assume; ValueError otherwise."""
    features = feature_table(features)
    if (longest := _longest(features)) > 1 + 1e-9:
        raise ValueError(f"features must have length at most 1 (see unit_features), got {longest:.6g}")
    return features


def unit_features(features) -> np.ndarray:
    """``features[S, A, d]`` divided by the length of the longest vector. ValueError if all are 0."""
    features = feature_table(features)
    return features / number(positive, "the longest feature", _longest(features))


def feature_coverage(mdp: EpisodicMDP, policy, features) -> np.ndarray:
    r""":math:`\kappa_h = \lambda_{\min}\bigl(\mathbb E_\pi[\phi(s_h, a_h)\phi(s_h, a_h)^\top]\bigr)` at each step, [H].

    For ``policy[H, S, A]`` and ``features[S, A, d]``; results that rounding makes negative become 0. ValueError for other
    shapes. The theory assumes that all are positive: Qiao & Wang (2023), Equation (1) and Assumption 2.2.
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
