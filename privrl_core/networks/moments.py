r"""One release: the second moments of public features and labels, from which any ridge regression follows for free.

Person i's day gives :math:`z_t = (\varphi(x_t), \operatorname{clip}(y_t, \pm b)) \in \mathbb R^{p+1}`, with public features,
and

.. math:: M_i = \frac1H \sum_{t < h_i} z_t z_t^\top, \qquad
          \tilde M = \sum_i M_i \min\Bigl(1, \frac{C}{\lVert M_i\rVert_F}\Bigr) + E .

**Sensitivity.** Symmetric matrices with the Frobenius norm are isometric to :math:`\mathbb R^{(p+1)(p+2)/2}` by
(diagonal, :math:`\sqrt2` times what is above it), `half_vector`. The noise E is :math:`N(0, s^2)` in every entry of the half
vector: on the diagonal variance :math:`s^2`, above it :math:`s^2/2`. With :math:`s = \Delta C/\mu` the release is therefore
exactly :math:`\mu`-Gaussian-DP, where :math:`\Delta = 1` if one person is added or removed. If one is *replaced*,
:math:`\Delta = \sqrt2`, and not 2: :math:`M_i` and :math:`M_j` are positive semidefinite, so that

.. math:: \langle M_i, M_j\rangle = \operatorname{tr}\bigl(M_i^{1/2} M_j M_i^{1/2}\bigr) \ge 0, \qquad
          \lVert M_i - M_j\rVert_F^2 \le \lVert M_i\rVert_F^2 + \lVert M_j\rVert_F^2 \le 2 C^2 ;

two people whose z are orthogonal attain it.

**Ridge.** The noise acts on a regression by its operator norm, about :math:`\sqrt{2p}\,s`, which is the natural ridge. With
A the moments of the features and b those with the label,

.. math:: w = (A + \lambda I)^{-1} (b + \lambda w_0), \qquad \lambda = c \sqrt{2p}\, s ,

shrinks towards a public :math:`w_0`. All of it is post-processing, and so are ensembles from `renoised` copies: the law of E
is known, so fresh noise of the same law shows what the noise of the release may have done. A copy carries :math:`\sqrt2 s`.

Regression from noisy moments is old (Vu & Slavković 2009; Wang 2018, arXiv 1803.02596), from memory and not checked against
the texts; the :math:`\sqrt2` for replacement and the noise by half vector are proved above and tested.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import finite, generator, instance_of, nonnegative, number, positive, shaped, whole_number
from privrl_core.lazy import needs
from privrl_core.networks.clipping import treats_each_alone
from privrl_core.networks.trajectories import Trajectories
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE, REPLACE_ONE, Neighbours
from privrl_core.privacy.noise import GaussianNoise, Sensitivity
from privrl_core.privacy.release import AddedNoise, Release

with needs("networks"):
    import torch
    from torch import nn

__all__ = ["MomentsRelease", "release_moments_once", "person_moments_non_private", "ridge", "ridge_head", "renoised",
           "half_vector", "poly1", "poly2", "last_hidden", "whitened", "linear_model"]

Features = Callable[[torch.Tensor], torch.Tensor]
BLOCK = 1 << 12  # people whose moments are made together
LENGTH = {ADD_OR_REMOVE_ONE: 1.0, REPLACE_ONE: float(np.sqrt(2))}  # the sensitivity in units of the clip


@dataclass(frozen=True, eq=False, kw_only=True)
class MomentsRelease(Release):
    """Noisy second ``moments[p+1, p+1]`` of features and label, the label last, summed over people. The noise has standard
    deviation ``noise.scale`` on the diagonal and in every entry of the half vector."""

    moments: np.ndarray


def poly1(inputs: torch.Tensor) -> torch.Tensor:
    """``[..., d + 1]``: 1 and the inputs."""
    return torch.cat((torch.ones_like(inputs[..., :1]), inputs), dim=-1)


def poly2(inputs: torch.Tensor) -> torch.Tensor:
    """``[..., (d + 1)(d + 2)/2]``: 1, the inputs and all products of two of them."""
    row, column = np.triu_indices(inputs.shape[-1])
    return torch.cat((poly1(inputs), inputs[..., row] * inputs[..., column]), dim=-1)


def last_hidden(network: nn.Sequential) -> Features:
    """1 and the last hidden layer of a public network, an ``nn.Sequential`` that ends in a linear layer, whose own head
    ``[bias, *weight]`` is then a prior. ValueError for other networks."""
    if not isinstance(network, nn.Sequential) or not len(network) or not isinstance(network[-1], nn.Linear):
        raise ValueError(f"network must be an nn.Sequential that ends in a linear layer, got {network!r:.200}")
    hidden = treats_each_alone(network)[:-1]
    return lambda inputs: poly1(hidden(inputs))


def whitened(features: Features, public: Trajectories) -> Features:
    """The same features, turned and scaled so that their second moments in ``public`` trajectories, such as simulated ones,
    are the identity: noise of one size is then equally small for all. Directions with less than a hundredth of the mean
    variance are scaled as if they had that much, because nothing is known of them. Whitening looks at no record."""
    moments = person_moments_non_private(public, features).sum(axis=0)[:-1, :-1] / float(public.weights.sum())
    values, vectors = np.linalg.eigh(moments)
    turn = torch.from_numpy(vectors / np.sqrt(np.maximum(values, 0.01 * values.mean())))
    return lambda inputs: features(inputs) @ turn.to(inputs)


def linear_model(features: Features, weights) -> Callable:
    """The model of a head: ``[..., d]`` to ``[..., 1]`` by ``weights[p]``, ``[P, N, d]`` to ``[P, N, 1]`` by ``[P, p]``."""
    weights = torch.from_numpy(np.array(finite("weights", weights)))[..., None]
    return lambda inputs: features(inputs) @ weights.to(inputs)


def half_vector(symmetric: np.ndarray) -> np.ndarray:
    r"""``[..., n (n + 1)/2]`` of ``symmetric[..., n, n]``: the diagonal, then :math:`\sqrt2` times what is above it."""
    row, column = np.triu_indices(symmetric.shape[-1], 1)
    return np.concatenate((np.diagonal(symmetric, axis1=-2, axis2=-1), np.sqrt(2) * symmetric[..., row, column]), axis=-1)


def _symmetric(vector, n):
    """The symmetric matrices ``[..., n, n]`` of half vectors."""
    row, column = np.triu_indices(n, 1)
    made = np.zeros((*vector.shape[:-1], n, n))
    made[..., row, column] = vector[..., n:] / np.sqrt(2)
    made += np.swapaxes(made, -1, -2)
    made[..., np.arange(n), np.arange(n)] = vector[..., :n]
    return made


def person_moments_non_private(people: Trajectories, features: Features, *, clip: float = np.inf,
                               label_bound: float = 2.5) -> np.ndarray:
    r"""``[N, p+1, p+1]``: each person's moments, clipped, in float64. Private data.

    ``features`` maps ``[..., d]`` to ``[..., p]`` and is given one person at a time. Moments that are not finite count as
    zeros: an error would tell that this person is there. ``clip`` C > 0 may be infinite, for comparison. Raises ValueError
    for labels of more than one number, and for features of another shape.
    """
    instance_of(Trajectories, "people", people)
    label_bound = number(positive, "label_bound", label_bound)
    clip = clip if clip == np.inf else number(positive, "clip", clip)
    if people.labels.shape[2] != 1:
        raise ValueError(f"labels must be one number a step, got {people.labels.shape[2]}")
    def of_one(day):
        phi = features(day)
        if not isinstance(phi, torch.Tensor) or phi.ndim != 2 or len(phi) != len(day):
            raise ValueError(f"features must map [H, d] to [H, p], here {list(day.shape)}, got "
                             f"{list(getattr(phi, 'shape', ()))}")
        return phi

    with torch.no_grad(), torch.autocast(people.inputs.device.type, enabled=False):
        phi = torch.func.vmap(of_one)(people.inputs)  # no person's features see another
    z = torch.cat((phi.double(), people.labels.double().clamp(-label_bound, label_bound)), dim=-1)
    weights = (people.weights > 0).double() / people.horizon
    with np.errstate(all="ignore"):
        # padding may hold anything once features are taken: it is left out and not only weighted by 0
        z = torch.where(weights[..., None] > 0, z, 0.0)
        moments = ((z * weights[..., None]).mT @ z).cpu().numpy()
        lengths = np.sqrt(np.square(moments).sum(axis=(1, 2)))
    moments[~np.isfinite(lengths)], lengths[~np.isfinite(lengths)] = 0.0, 0.0
    return moments if clip == np.inf else moments * (clip / np.maximum(lengths, clip))[:, None, None]


def release_moments_once(people: Trajectories, features: Features, *, clip: float, label_bound: float = 2.5, epsilon: float,
                         delta: float, neighbours: Neighbours, noise_rng: np.random.Generator) -> MomentsRelease:
    r"""The noisy moments, (epsilon, delta)-DP for one trajectory under ``neighbours``, replace one, or add or remove one;
    the guarantee under the other relation is stated as well, with :math:`\mu` times or divided by :math:`\sqrt2`.

    ``features``, ``clip`` C > 0, ``label_bound`` b > 0 (in the units of the label) and the horizon are public: choosing them
    by the records costs what the guarantee does not include. ``noise_rng`` is used for privacy noise only. Errors as in
    `person_moments_non_private`, and ValueError for a promise out of range or other neighbours.
    """
    clip = number(positive, "clip", clip)
    if neighbours not in LENGTH:
        raise ValueError(f"neighbours must be replace one or add or remove one, got {neighbours}")
    law, generator_ = GaussianNoise.of_epsilon(epsilon, delta), generator("noise_rng", noise_rng)
    instance_of(Trajectories, "people", people)
    nobody = Trajectories(*(torch.zeros(1, *each.shape[1:]).to(each) for each in (people.inputs, people.labels)), [1])
    blocks = (people.people(slice(first, first + BLOCK)) for first in range(0, len(people), BLOCK))
    total = np.zeros_like(person_moments_non_private(nobody, features)[0])  # also where nobody is there
    for block in blocks:
        total += person_moments_non_private(block, features, clip=clip, label_bound=label_bound).sum(axis=0)
    n = len(total)
    size = n * (n + 1) // 2
    scale = law.scale(Sensitivity(LENGTH[neighbours] * clip * np.sqrt(size), LENGTH[neighbours] * clip))
    noisy = half_vector(total) + law.draw(scale, size, generator_)  # what stands below the diagonal rounds otherwise
    query = "clipped second moments"
    assumes = ("features, clip, label bound and horizon are public",)
    other = next(each for each in LENGTH if each != neighbours)
    share = LENGTH[other] / LENGTH[neighbours]
    guarantees = (law.guarantee(query, neighbours=neighbours, assumes=assumes),
                  law.guarantee(query, share=Sensitivity(share, share), neighbours=other, assumes=assumes))
    return MomentsRelease(moments=_symmetric(noisy, n), guarantees=guarantees, noise=AddedNoise(law.law, scale))


def ridge(moments: np.ndarray, noise_scale: float, *, prior=None, factor: float = 1.0) -> np.ndarray:
    r"""``[..., p]``: the head w of ``moments[..., p+1, p+1]`` with noise of this scale, shrunk towards ``prior[p]`` (None:
    zeros) by :math:`\lambda` = ``factor`` :math:`\sqrt{2p}\, s`. Eigenvalues of :math:`A + \lambda I` below
    :math:`\lambda/2`, which noise makes, are raised to it. Without noise it is least squares. ValueError for other shapes,
    and for numbers below 0.
    """
    moments, factor = finite("moments", moments), number(nonnegative, "factor", factor)
    if moments.ndim < 2 or moments.shape[-1] != moments.shape[-2] or moments.shape[-1] < 2:
        raise ValueError(f"moments must be square, with a row for each feature and the label, got {list(moments.shape)}")
    p = moments.shape[-1] - 1
    prior = np.zeros(p) if prior is None else shaped("prior", prior, (p,))
    strength = factor * np.sqrt(2 * p) * number(nonnegative, "noise_scale", noise_scale)
    values, vectors = np.linalg.eigh(moments[..., :p, :p])
    least = max(strength / 2, np.finfo(float).eps * p * float(np.abs(values).max()), np.finfo(float).tiny)
    values = np.maximum(values + strength, least)
    right = np.einsum("...ji,...j->...i", vectors, moments[..., :p, p] + strength * prior)
    return np.einsum("...ij,...j->...i", vectors, right / values)


def ridge_head(release: MomentsRelease, *, prior=None, factor: float = 1.0) -> np.ndarray:
    """`ridge` of a release with the noise that it says it has. Post-processing."""
    instance_of(MomentsRelease, "release", release)
    return ridge(release.moments, release.noise.scale, prior=prior, factor=factor)


def renoised(release: MomentsRelease, members: int, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    r"""An ensemble for free: ``[members, p+1, p+1]``, the released moments with fresh noise of the same law on each, and the
    scale :math:`\sqrt2 s` of the noise in each, for `ridge`. Post-processing: the guarantee is that of the release."""
    scale, n = instance_of(MomentsRelease, "release", release).noise.scale, len(release.moments)
    drawn = generator("rng", rng).normal(0, scale, (whole_number("members", members, least=1), n * (n + 1) // 2))
    return release.moments + _symmetric(drawn, n), float(np.sqrt(2) * scale)
