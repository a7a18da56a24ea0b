r"""What several releases promise together.

Releases about the same data, with one unit, one kind of neighbours and one model, are added up, also where later ones were
chosen after seeing earlier ones: Gaussian releases exactly, by :math:`\mu = \sqrt{\sum_i \mu_i^2}` (Dong, Roth & Su 2022,
Corollary 3.3); if some have :math:`\rho` alone, by :math:`\rho = \sum_i \rho_i` (Bun & Steinke 2016, Lemma 2.3); what has
neither adds its epsilon and delta. A release with :math:`\delta = 0` can be added in each of these ways, and the smallest
epsilon counts. Nothing else is added, and nothing refuted.
"""

from collections import Counter
from collections.abc import Sequence

from privrl_core.checks import instance_of, number, open_unit
from privrl_core.formatting import at_most
from privrl_core.privacy.curves import compose_gaussians, gaussian_epsilon, zcdp_epsilon
from privrl_core.privacy.guarantees import Guarantee, Model, Status
from privrl_core.privacy.release import Release

__all__ = ["compose_guarantees"]


def compose_guarantees(*guarantees: Guarantee | Release, delta: float | None = None) -> Guarantee:
    r"""What all releases promise together, adaptive or not.

    Each of ``guarantees`` is a `.Guarantee`, or a `.Release`, which stands for its first one. ``delta`` is where releases
    with :math:`\mu` or :math:`\rho` are expressed (None: at the largest of theirs); epsilon
    and delta of the others come on top. A release with :math:`\delta = 0` comes on top, or counts as one with
    :math:`\mu = 2\,\Phi^{-1}\bigl(e^\varepsilon/(1 + e^\varepsilon)\bigr)`, since :math:`G_\mu` is convex and passes through
    the corner of what it allows, or as one with :math:`\rho = \varepsilon^2/2` (Bun & Steinke 2016, Proposition 1.4):
    whichever gives the smallest epsilon; where none has a curve, only with a ``delta`` of yours. PROVED if all are.

    Raises ValueError without guarantees, for different units, neighbours, models or data sets, for a release given
    twice, for a refuted one, for a ``delta`` where none has a curve or :math:`\delta = 0`, and where curves need a
    ``delta`` and have none.
    """
    return totals(stated(guarantees), delta)[0]


def stated(promises: Sequence[Guarantee | Release]) -> list[Guarantee]:
    """The guarantee of each; ValueError if they must not be added up."""
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
    if guarantees[0].model is Model.JOINT and len(guarantees) > 1:
        raise ValueError("model must be central or local for guarantees to be added up, got joint: what a person is told "
                         "about themselves may not decide on what is released next, and this cannot be seen here")
    times = Counter(name for one in guarantees for name in one.release.split())
    for name, count in times.items():
        if count > 1:
            raise ValueError(f"guarantees must be of different releases, got release {name} {count} times")
    return guarantees


def totals(guarantees: list[Guarantee], delta: float | None) -> list[Guarantee]:
    """What is true of the whole: the smallest epsilon first, then what adds to it by a μ or by a delta of 0."""
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
        found.append(_gaussian(guarantees, mus, at, pure + rest))
    else:
        found.append(_concentrated(guarantees, rhos, at, pure + rest))
    if pure and at is not None:
        if gaussian:
            from scipy.special import log_expit, ndtri_exp  # takes longer to import than all else here

            as_gaussian = [-2 * ndtri_exp(log_expit(-one.epsilon)) for one in pure]
            found.append(_gaussian(guarantees, mus + as_gaussian, at, rest))
        found.append(_concentrated(guarantees, rhos + [one.epsilon**2 / 2 for one in pure], at, rest))
    smallest, *others = sorted(found, key=lambda one: one.epsilon)
    return [smallest, *(one for one in others if one.mu or one.delta == 0)]


def _gaussian(guarantees, mus, at, on_top):
    mu, at = compose_gaussians(mus), number(open_unit, "delta", at)
    return _added(guarantees, on_top, float(gaussian_epsilon(at, mu)), at, mu=mu,
                  words=[f"{len(mus)} as Gaussian, exactly, μ = {at_most(mu)}"])


def _concentrated(guarantees, rhos, at, on_top):
    rho, at = sum(rhos), number(open_unit, "delta", at)
    return _added(guarantees, on_top, float(zcdp_epsilon(rho, at)), at, rho=rho,
                  words=[f"{len(rhos)} as concentrated, ρ = {at_most(rho)}, tightest conversion for zCDP"])


def _added(guarantees, on_top, epsilon=0.0, delta=0.0, *, mu=None, rho=None, words=()):
    """The guarantee of all: epsilon and delta of the part with a curve, plus those of what comes ``on_top``."""
    words = list(words)
    if on_top or not words:
        mu = rho = None  # they are not those of the whole
        epsilon, delta = epsilon + sum(one.epsilon for one in on_top), delta + sum(one.delta for one in on_top)
        words.append(f"{len(on_top)} by ε and δ alone")
    first = guarantees[0]
    status = Status.PROVED if all(one.status is Status.PROVED for one in guarantees) else Status.CLAIMED
    assumes = tuple(dict.fromkeys(line for one in guarantees for line in one.assumes))
    return Guarantee(epsilon, delta, first.unit, first.neighbours, status, f"releases: {'; '.join(words)}", assumes, mu, rho,
                     first.model, first.data, " ".join(one.release for one in guarantees if one.release))
