r"""What several releases promise together.

Releases with one unit and one kind of neighbours are added up, also where later ones were chosen after seeing earlier
ones: Gaussian releases exactly, by :math:`\mu = \sqrt{\sum_i \mu_i^2}` (Dong, Roth & Su 2022, Corollary 3.3); if some
have :math:`\rho` alone, by :math:`\rho = \sum_i \rho_i` (Bun & Steinke 2016, Lemma 2.3); what has neither adds its
epsilon and delta. A release with :math:`\delta = 0` can be added in each of these ways, and the smallest epsilon counts.
Different units are never added, and nothing refuted is signed.
"""

from scipy.special import log_expit, ndtri_exp

from privrl_core.checks import instance_of, number, open_unit
from privrl_core.formatting import at_most
from privrl_core.privacy.curves import compose_gaussians, gaussian_epsilon, zcdp_epsilon
from privrl_core.privacy.guarantees import Guarantee, Status

__all__ = ["compose_guarantees"]


def compose_guarantees(*guarantees: Guarantee, delta: float | None = None) -> Guarantee:
    r"""What all releases promise together, adaptive or not.

    ``delta`` is where releases with :math:`\mu` or :math:`\rho` are expressed (None: at the largest of theirs); epsilon
    and delta of the others come on top. A release with :math:`\delta = 0` comes on top, or counts as one with
    :math:`\mu = 2\,\Phi^{-1}\bigl(e^\varepsilon/(1 + e^\varepsilon)\bigr)`, since :math:`G_\mu` is convex and passes through
    the corner of what it allows, or as one with :math:`\rho = \varepsilon^2/2` (Bun & Steinke 2016, Proposition 1.4):
    whichever gives the smallest epsilon; where none has a curve, only with a ``delta`` of yours. PROVED if all are.

    Raises ValueError without guarantees, for different units or neighbours, for a refuted one, for a ``delta`` where none
    has a curve or :math:`\delta = 0`, and where curves need a ``delta`` and have none.
    """
    return views(guarantees, delta)[0]


def views(guarantees, delta):
    """What is true of the whole: the smallest epsilon first, then what adds to it by a μ or by a delta of 0."""
    if not guarantees:
        raise ValueError("guarantees must hold at least one, got none")
    for one in guarantees:
        if instance_of(Guarantee, "guarantees", one).status is Status.REFUTED:
            raise ValueError(f"guarantees must not be refuted, got {one}: {one.basis}")
    for name in ("unit", "neighbours"):
        if len(found := list(dict.fromkeys(getattr(one, name) for one in guarantees))) > 1:
            raise ValueError(f"{name} must be the same in all guarantees to be added up, got {found[0]!r} and {found[1]!r}")
    curves = [one for one in guarantees if one.mu or one.rho]
    pure = [one for one in guarantees if one.epsilon > 0 and one.delta == 0 and not (one.mu or one.rho)]
    rest = [one for one in guarantees if one.delta > 0 and not (one.mu or one.rho)]
    if delta is not None and not (curves or pure):
        raise ValueError(f"delta must be None where no release has mu or rho, got {delta}")
    if delta is None and curves and not any(one.delta for one in curves):
        raise ValueError(f"delta must be given where no release with mu or rho has one above 0, got None for {curves[0]}")
    at = max((one.delta for one in curves), default=None) if delta is None else delta

    gaussian = all(one.mu for one in curves)
    mus, rhos = [one.mu for one in curves if one.mu], [one.mu**2 / 2 if one.mu else one.rho for one in curves]
    ways = [((mus, []) if gaussian else ([], rhos), pure + rest)]
    if pure and at is not None:
        if gaussian:
            ways.append((([*mus, *(-2 * ndtri_exp(log_expit(-one.epsilon)) for one in pure)], []), rest))
        ways.append((([], [*rhos, *(one.epsilon**2 / 2 for one in pure)]), rest))
    status = Status.PROVED if all(one.status is Status.PROVED for one in guarantees) else Status.CLAIMED
    assumes = tuple(dict.fromkeys(line for one in guarantees for line in one.assumes))

    def view(mus, rhos, on_top):
        epsilon, total, mu, rho, words = 0.0, 0.0, None, None, []
        if mus or rhos:
            total = number(open_unit, "delta", at)
        if mus:
            mu = compose_gaussians(mus)
            epsilon = float(gaussian_epsilon(total, mu))
            words.append(f"{len(mus)} as Gaussian, exactly, μ = {at_most(mu)}")
        elif rhos:
            rho = sum(rhos)
            epsilon = float(zcdp_epsilon(rho, total))
            words.append(f"{len(rhos)} as concentrated, ρ = {at_most(rho)}, tightest conversion for zCDP")
        if on_top or not words:
            mu = rho = None  # not of the whole
            epsilon, total = epsilon + sum(one.epsilon for one in on_top), total + sum(one.delta for one in on_top)
            words.append(f"{len(on_top)} by ε and δ alone")
        return Guarantee(epsilon, total, guarantees[0].unit, guarantees[0].neighbours, status,
                         f"releases: {'; '.join(words)}", assumes, mu, rho)

    smallest, *others = sorted((view(*numbers, on_top) for numbers, on_top in ways), key=lambda one: one.epsilon)
    return [smallest, *(one for one in others if one.mu or one.delta == 0)]
