r"""A privacy statement that one could sign: what releases of one dataset promise together, in figures and in words.

Releases with one unit and one kind of neighbours are added up, also where later ones were chosen after seeing earlier
ones: Gaussian releases exactly, by :math:`\mu = \sqrt{\sum_i \mu_i^2}` (Dong, Roth & Su 2022, Corollary 3.3); if some
have :math:`\rho` alone, by :math:`\rho = \sum_i \rho_i` (Bun & Steinke 2016, Lemma 2.3); what has neither adds its
epsilon and delta. Different units are never added, and nothing refuted is signed.
"""

from dataclasses import dataclass
from math import ceil, log

from scipy.special import expit, logit, ndtr, ndtri

from privrl_core.privacy import Guarantee, Status, compose_gaussians, gaussian_epsilon, zcdp_epsilon
from privrl_core.validation import number, of_kind, open_unit
from privrl_core.words import show

__all__ = ["compose_guarantees", "right_guess_ceiling", "belief_ceiling", "PrivacyStatement", "privacy_statement"]

NEVER_COVERED = (
    "what is true of everybody, and could be learned without the one in question",
    "several such changes at once, as for a person with several records: k of them have up to k μ, or k ε at a larger δ",
    "people who tell about each other: relatives, one household, one ward",
    "settings chosen by looking at the same data, and whatever else is published about it",
    "seeded noise in floating-point arithmetic: a real release uses a vetted library and the system's randomness",
    "running times, error messages, logs, and those who hold the data themselves",
)


def compose_guarantees(*guarantees: Guarantee, delta: float | None = None) -> Guarantee:
    r"""What all releases promise together, adaptive or not.

    ``delta`` is where releases with :math:`\mu` or :math:`\rho` are expressed (None: at the largest of theirs); epsilon
    and delta of the others come on top. PROVED if all are. Raises ValueError without guarantees, for different units or
    neighbours, for a refuted one, and for a ``delta`` where none has a curve.
    """
    if not guarantees:
        raise ValueError("guarantees must hold at least one, got none")
    for one in guarantees:
        if of_kind(Guarantee, "guarantees", one).status is Status.REFUTED:
            raise ValueError(f"guarantees must not be refuted, got {one}: {one.basis}")
    for name in ("unit", "neighbours"):
        if len(found := list(dict.fromkeys(getattr(one, name) for one in guarantees))) > 1:
            raise ValueError(f"{name} must be the same in all guarantees to be added up, got {found[0]!r} and {found[1]!r}")
    curves = [one for one in guarantees if one.mu or one.rho]
    rest = [one for one in guarantees if not (one.mu or one.rho)]
    if delta is not None and not curves:
        raise ValueError(f"delta must be None where no release has mu or rho, got {delta}")

    epsilon, total, mu, rho, ways = 0.0, 0.0, None, None, []
    if curves:
        total = number(open_unit, "delta", max(one.delta for one in curves) if delta is None else delta)
        if all(one.mu for one in curves):
            mu = compose_gaussians([one.mu for one in curves])
            epsilon = float(gaussian_epsilon(total, mu))
            ways.append(f"{len(curves)} Gaussian, exactly, μ = {show(mu)}")
        else:
            rho = sum(one.mu**2 / 2 if one.mu else one.rho for one in curves)
            epsilon = float(zcdp_epsilon(rho, total))
            ways.append(f"{len(curves)} concentrated, ρ = {show(rho)}, tightest conversion for zCDP")
    if rest:
        mu = rho = None  # not of the whole
        epsilon, total = epsilon + sum(one.epsilon for one in rest), total + sum(one.delta for one in rest)
        ways.append(f"{len(rest)} by ε and δ alone")
    status = Status.PROVED if all(one.status is Status.PROVED for one in guarantees) else Status.CLAIMED
    assumes = tuple(dict.fromkeys(line for one in guarantees for line in one.assumes))
    return Guarantee(epsilon, total, one.unit, one.neighbours, status, f"releases: {'; '.join(ways)}", assumes, mu, rho)


def right_guess_ceiling(guarantee: Guarantee, prior: float = 0.5) -> float:
    r"""How often the best guess which of two neighbours it was can be right, if the first has probability ``prior``.

    Of a :math:`\mu`-Gaussian release, with :math:`t = \frac\mu2 + \frac1\mu\ln\frac{1-\pi}{\pi}`, exactly
    :math:`\pi\,\Phi(\mu - t) + (1 - \pi)\,\Phi(t)`; of any :math:`(\varepsilon, \delta)`-DP release at most

    .. math:: \max\Bigl\{1 - \pi + \pi\delta,\ \pi + (1 - \pi)\delta,\
              \frac{e^\varepsilon + \delta}{e^\varepsilon + 1}\Bigr\},

    the largest value at a corner of what :math:`(\varepsilon, \delta)` allows, attained by some mechanism. At even odds
    these are :math:`\Phi(\mu/2)` and the third. ``prior`` in (0, 1); ValueError outside. No units.
    """
    p, mu = number(open_unit, "prior", prior), of_kind(Guarantee, "guarantee", guarantee).mu
    if mu:
        t = mu / 2 - logit(p) / mu
        return float(p * ndtr(mu - t) + (1 - p) * ndtr(t))
    epsilon, delta = guarantee.epsilon, guarantee.delta
    return float(max(1 - p + p * delta, p + (1 - p) * delta, expit(epsilon) + delta * expit(-epsilon)))


def belief_ceiling(guarantee: Guarantee, prior: float = 0.5) -> tuple[float, float]:
    r"""How sure anybody can be of a neighbour who had probability ``prior`` before, and how often they may be surer.

    By Bayes the belief is :math:`\pi e^\ell / (1 - \pi + \pi e^\ell)` at privacy loss :math:`\ell`. If
    :math:`\delta = 0`, :math:`\ell \le \varepsilon` always. Otherwise the second number is :math:`2\delta`: it bounds
    the probability, whichever neighbour is the true one, of a loss above :math:`\mu^2/2 + \mu\,\Phi^{-1}(1 - 2\delta)`
    (Gaussian, attained) or :math:`\varepsilon + \ln 2`, since :math:`\delta \ge P[\ell > a](1 - e^{\varepsilon - a})`.
    ``prior`` in (0, 1), and the delta of ``guarantee`` below 1/2; ValueError outside.
    """
    p, delta = number(open_unit, "prior", prior), of_kind(Guarantee, "guarantee", guarantee).delta
    if delta >= 0.5:
        raise ValueError(f"delta must be below 1/2 to bound a belief, got {delta}")
    if delta == 0:
        loss = guarantee.epsilon
    elif guarantee.mu:
        loss = max(0.0, guarantee.mu**2 / 2 - guarantee.mu * ndtri(2 * delta))
    else:
        loss = guarantee.epsilon + log(2)
    return float(expit(logit(p) + loss)), 2 * delta


@dataclass(frozen=True)
class PrivacyStatement:
    """What is signed: ``sections`` of a heading and its lines, about ``guarantee``. In a notebook it is Markdown, as a
    string plain text."""

    guarantee: Guarantee
    sections: tuple[tuple[str, tuple[str, ...]], ...]

    def _repr_markdown_(self) -> str:
        return "\n\n".join("\n* ".join((f"**{heading}**\n", *lines)) for heading, lines in self.sections)

    def __str__(self) -> str:
        return "\n\n".join("\n  - ".join((heading.upper(), *lines)) for heading, lines in self.sections)


def privacy_statement(*guarantees: Guarantee, released: str, delta: float | None = None, prior: float = 0.5,
                      not_covered: tuple[str, ...] = ()) -> PrivacyStatement:
    """The statement for releases made from one dataset, added up by `compose_guarantees`.

    ``released`` says in words what is handed out, all of it; ``not_covered`` what else the promise leaves out; ``prior``
    is what somebody who knows all the rest believed before. Raises ValueError as `compose_guarantees`,
    `right_guess_ceiling` and `belief_ceiling` do, and for an empty ``released``.
    """
    if not of_kind(str, "released", released).strip():
        raise ValueError(f"released must say what is released, got {released!r}")
    total = compose_guarantees(*guarantees, delta=delta)
    guess, (belief, surer) = right_guess_ceiling(total, prior), belief_ceiling(total, prior)
    condition = "" if total.status is Status.PROVED else "If the claim holds: "
    unless = f", except with probability {show(surer)} at most" if surer else ""
    sections = (
        ("What is released", (released,)),
        ("Who is protected", (f"{total.unit}; neighbours: {total.neighbours}",)),
        ("The promise", (str(total), f"added up over {total.basis}")),
        ("How it is kept", tuple(f"{one.basis}: ε = {show(one.epsilon)}, δ = {show(one.delta)}, {one.status.value}"
                                 for one in guarantees)),
        ("What it means", (
            f"{condition}Somebody knows everything but {total.unit}, and that it is one of two neighbours: the first with "
            f"probability {_percent(prior)}. Without the release their best guess is right in "
            f"{_percent(max(prior, 1 - prior))} of cases, with it in at most {_percent(guess)}.",
            f"{condition}They can then be at most {_percent(belief)} sure of the first{unless}.")),
        ("What it assumes", total.assumes or ("nothing besides",)),
        ("What it does not cover", (*of_kind(tuple, "not_covered", not_covered), *NEVER_COVERED)),
        ("Signed", ("name, place and date:",)))
    return PrivacyStatement(total, sections)


def _percent(share):
    """A share in percent, rounded up: a ceiling must stay one."""
    return f"{ceil(share * 1000 - 1e-9) / 10:g} %"
