r"""Composition: the guarantee of several releases together.

Releases about the same data, with the same unit, neighbours and model, are composed, even if later ones were chosen after
seeing earlier ones. Gaussian releases compose exactly, by :math:`\mu = \sqrt{\sum_i \mu_i^2}` (Dong, Roth & Su 2022,
Corollary 3.3); if some have only :math:`\rho`, by :math:`\rho = \sum_i \rho_i` (Bun & Steinke 2016, Lemma 2.3); without
either, epsilon and delta are added. A release with :math:`\delta = 0` can be composed in each of these ways, and the
smallest epsilon is used. Other releases, and refuted guarantees, are rejected.

*Joint guarantees* are added up in the same ways, and only with joint ones. Fix a person k and everybody else's data: the
others' view :math:`O^i_{-k}` of mechanism i is then an ordinary private mechanism with one input, :math:`U_k`, and all
views together are the composition of these. So every rule above holds, with :math:`O^i_{-k}` in place of a release. What
must hold besides is that the composition is one: later mechanisms may be chosen from :math:`O^{<i}_{-k}`, for *every* k,
which leaves only what everybody sees. If a mechanism is chosen by what one person was told, nothing holds, since the
second may then ignore the data and publish what the first said to that person. Code cannot see how mechanisms were chosen,
so the sum says what it takes for granted: `.FIXED_OR_PUBLIC`.
"""

from collections import Counter
from collections.abc import Sequence

from privrl_core.checks import instance_of, number, open_unit
from privrl_core.formatting import at_most
from privrl_core.privacy.curves import compose_gaussians, gaussian_epsilon, zcdp_epsilon
from privrl_core.privacy.guarantees import Guarantee, Model, Status
from privrl_core.privacy.joint import FIXED_OR_PUBLIC
from privrl_core.privacy.release import Release

__all__ = ["compose_guarantees"]


def compose_guarantees(*guarantees: Guarantee | Release, delta: float | None = None) -> Guarantee:
    r"""The guarantee of all releases together, adaptive or not, in the model of each.

    Each of ``guarantees`` is a `.Guarantee`, or a `.Release`, which stands for its first one. The part with :math:`\mu` or
    :math:`\rho` is expressed at ``delta`` (None: the largest of theirs); epsilon and delta of the others are added to it.
    A release with :math:`\delta = 0` is added in the same way, or treated as one with
    :math:`\mu = 2\,\Phi^{-1}\bigl(e^\varepsilon/(1 + e^\varepsilon)\bigr)`, since :math:`G_\mu` is convex and passes through
    the corner of its trade-off function, or as one with :math:`\rho = \varepsilon^2/2` (Bun & Steinke 2016, Proposition
    1.4), whichever gives the smallest epsilon. If no release has a curve, this requires ``delta``. PROVED if all are. The
    sum of several joint guarantees assumes `.FIXED_OR_PUBLIC` besides.

    Raises ValueError without guarantees, for different units, neighbours, models or data sets, for a release given
    twice, for a refuted guarantee, for a ``delta`` if no release has a curve or :math:`\delta = 0`, and if curves need a
    ``delta`` and have none.
    """
    return totals(stated(guarantees), delta)[0]


def stated(promises: Sequence[Guarantee | Release]) -> list[Guarantee]:
    """The guarantee of each; ValueError if they cannot be composed."""
    guarantees = [one.guarantee if isinstance(one, Release) else instance_of(Guarantee, "guarantees", one)
                  for one in promises]
    if not guarantees:
        raise ValueError("guarantees must hold at least one, got none")
    for one in guarantees:
        if one.status is Status.REFUTED:
            raise ValueError(f"guarantees must not be refuted, got {one}: {one.basis}")
    for name in ("unit", "neighbours", "model", "data"):
        found = list(dict.fromkeys(getattr(one, name) for one in guarantees))
        if len(found) > 1:
            first, second = (getattr(value, "value", str(value)) for value in found[:2])
            raise ValueError(f"{name} must be the same in all guarantees to be added up, got {first!r} and {second!r}")
    times = Counter(name for one in guarantees for name in one.release.split())
    for name, count in times.items():
        if count > 1:
            raise ValueError(f"guarantees must be of different releases, got release {name} {count} times")
    return guarantees


def totals(guarantees: list[Guarantee], delta: float | None) -> list[Guarantee]:
    """Valid guarantees of the whole: the one with the smallest epsilon first, then others that have a μ or delta 0."""
    curves = [one for one in guarantees if one.mu or one.rho]
    pure = [one for one in guarantees if one.epsilon > 0 and one.delta == 0 and not (one.mu or one.rho)]
    rest = [one for one in guarantees if one.delta > 0 and not (one.mu or one.rho)]
    if delta is not None and not (curves or pure):
        raise ValueError(f"delta must be None where no release has mu or rho, got {delta}")
    if delta is None and curves and not any(one.delta for one in curves):
        raise ValueError(f"delta must be given where no release with mu or rho has one above 0, got None for {curves[0]}")
    at = max((one.delta for one in curves), default=None) if delta is None else delta
    gaussian = all(one.mu for one in curves)
    mus = [one.mu for one in curves if one.mu]
    rhos = [one.mu**2 / 2 if one.mu else one.rho for one in curves]

    found = []
    if not curves:
        found.append(_added(guarantees, pure + rest))
    elif gaussian:
        found.append(_gaussian(guarantees, mus, at, pure + rest, "Gaussian "))
    else:
        found.append(_concentrated(guarantees, rhos, at, pure + rest))
    if pure and at is not None:
        if gaussian:
            from scipy.special import log_expit, ndtri_exp  # slow to import

            as_gaussian = [-2 * ndtri_exp(log_expit(-one.epsilon)) for one in pure]
            found.append(_gaussian(guarantees, mus + as_gaussian, at, rest))
        found.append(_concentrated(guarantees, rhos + [one.epsilon**2 / 2 for one in pure], at, rest))
    smallest, *others = sorted(found, key=lambda one: one.epsilon)
    return [smallest, *(one for one in others if one.mu or one.delta == 0)]


def _gaussian(guarantees, mus, at, on_top, kind=""):
    mu, at = compose_gaussians(mus), number(open_unit, "delta", at)
    return _added(guarantees, on_top, float(gaussian_epsilon(at, mu)), at, mu=mu,
                  words=[f"{_releases(len(mus), 'μ²', kind)}, μ = {at_most(mu)}"])


def _concentrated(guarantees, rhos, at, on_top):
    rho, at = sum(rhos), number(open_unit, "delta", at)
    return _added(guarantees, on_top, float(zcdp_epsilon(rho, at)), at, rho=rho,
                  words=[f"{_releases(len(rhos), 'ρ')}, ρ = {at_most(rho)}, tightest conversion for zCDP"])


def _releases(count, added, kind=""):
    """"2 Gaussian releases, μ² added"; nothing is said to be added if there is one alone."""
    alone = count == 1 and added != "ε and δ"
    return f"{count} {kind}release{'s' * (count != 1)}{f', {added} added' if added and not alone else ''}"


def _added(guarantees, on_top, epsilon=0.0, delta=0.0, *, mu=None, rho=None, words=()):
    """The guarantee of all: epsilon and delta of the part with a curve, plus those of what comes ``on_top``."""
    words = list(words)
    if on_top or not words:
        mu = rho = None  # the whole has no such curve
        epsilon, delta = epsilon + sum(one.epsilon for one in on_top), delta + sum(one.delta for one in on_top)
        words.append(_releases(len(on_top), "ε and δ" if len(guarantees) > 1 else ""))
    first = guarantees[0]
    status = Status.PROVED if all(one.status is Status.PROVED for one in guarantees) else Status.CLAIMED
    of_choice = (FIXED_OR_PUBLIC,) if first.model is Model.JOINT and len(guarantees) > 1 else ()
    assumes = tuple(dict.fromkeys((*(line for one in guarantees for line in one.assumes), *of_choice)))
    return Guarantee(epsilon, delta, first.unit, first.neighbours, status, "; ".join(words), assumes, mu, rho,
                     first.model, first.data, " ".join(one.release for one in guarantees if one.release))
