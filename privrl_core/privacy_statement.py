r"""A privacy statement that one could sign: what releases of one dataset promise together, in figures and in words.

Releases with one unit and one kind of neighbours are added up, also where later ones were chosen after seeing earlier
ones: Gaussian releases exactly, by :math:`\mu = \sqrt{\sum_i \mu_i^2}` (Dong, Roth & Su 2022, Corollary 3.3); if some
have :math:`\rho` alone, by :math:`\rho = \sum_i \rho_i` (Bun & Steinke 2016, Lemma 2.3); what has neither adds its
epsilon and delta. A release with :math:`\delta = 0` can be added in each of these ways, and the smallest epsilon counts.
Different units are never added, and nothing refuted is signed.
"""

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from math import log

from scipy.special import expit, log_expit, log_ndtr, logit, ndtr, ndtri, ndtri_exp

from privrl_core.privacy import Guarantee, Status, compose_gaussians, gaussian_epsilon, zcdp_epsilon
from privrl_core.success_ceilings import success_ceiling
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
    and delta of the others come on top. A release with :math:`\delta = 0` comes on top, or counts as one with
    :math:`\mu = 2\,\Phi^{-1}\bigl(e^\varepsilon/(1 + e^\varepsilon)\bigr)`, since :math:`G_\mu` is convex and passes through
    the corner of what it allows, or as one with :math:`\rho = \varepsilon^2/2` (Bun & Steinke 2016, Proposition 1.4):
    whichever gives the smallest epsilon; where none has a curve, only with a ``delta`` of yours. PROVED if all are.

    Raises ValueError without guarantees, for different units or neighbours, for a refuted one, for a ``delta`` where none
    has a curve or :math:`\delta = 0`, and where curves need a ``delta`` and have none.
    """
    return _views(guarantees, delta)[0]


def _views(guarantees, delta):
    """What is true of the whole: the smallest epsilon first, then what adds to it by a μ or by a delta of 0."""
    if not guarantees:
        raise ValueError("guarantees must hold at least one, got none")
    for one in guarantees:
        if of_kind(Guarantee, "guarantees", one).status is Status.REFUTED:
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
            words.append(f"{len(mus)} as Gaussian, exactly, μ = {_up(mu)}")
        elif rhos:
            rho = sum(rhos)
            epsilon = float(zcdp_epsilon(rho, total))
            words.append(f"{len(rhos)} as concentrated, ρ = {_up(rho)}, tightest conversion for zCDP")
        if on_top or not words:
            mu = rho = None  # not of the whole
            epsilon, total = epsilon + sum(one.epsilon for one in on_top), total + sum(one.delta for one in on_top)
            words.append(f"{len(on_top)} by ε and δ alone")
        return Guarantee(epsilon, total, guarantees[0].unit, guarantees[0].neighbours, status,
                         f"releases: {'; '.join(words)}", assumes, mu, rho)

    smallest, *others = sorted((view(*numbers, on_top) for numbers, on_top in ways), key=lambda one: one.epsilon)
    return [smallest, *(one for one in others if one.mu or one.delta == 0)]


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
    return float(max(1 - p + p * delta, p + (1 - p) * delta, success_ceiling(epsilon, delta)))


def belief_ceiling(guarantee: Guarantee, prior: float = 0.5) -> tuple[float, float]:
    r"""How sure anybody can be of a neighbour who had probability ``prior`` before, and how often they may be surer.

    By Bayes the belief is :math:`\pi e^\ell / (1 - \pi + \pi e^\ell)` at privacy loss :math:`\ell`. If
    :math:`\delta = 0`, :math:`\ell \le \varepsilon` always. Otherwise the second number is :math:`2\delta`: it bounds
    the probability, whichever neighbour is the true one, of a loss above :math:`\varepsilon + \ln 2`, since
    :math:`\delta \ge P[\ell > a](1 - e^{\varepsilon - a})`, and of any :math:`\mu`-Gaussian-DP release above

    .. math:: \ln 2\delta - \ln \Phi\bigl(\Phi^{-1}(2\delta) - \mu\bigr),

    which some attain: by Neyman and Pearson an event of probability :math:`P` has :math:`Q \ge \Phi(\Phi^{-1}(P) - \mu)`
    under the other neighbour, a convex function of :math:`P`, so :math:`P \ge 2\delta` leaves :math:`P/Q` no larger. (The
    loss of one Gaussian shift alone is normal and stays lower, but what is made of it need not.) ``prior`` in (0, 1), and
    the delta of ``guarantee`` below 1/2; ValueError outside.
    """
    p, delta = number(open_unit, "prior", prior), of_kind(Guarantee, "guarantee", guarantee).delta
    if delta >= 0.5:
        raise ValueError(f"delta must be below 1/2 to bound a belief, got {delta}")
    if delta == 0:
        loss = guarantee.epsilon
    elif guarantee.mu:
        loss = log(2 * delta) - log_ndtr(ndtri(2 * delta) - guarantee.mu)
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
    views = _views(guarantees, delta)
    total = views[0]
    guess = min(right_guess_ceiling(view, prior) for view in views)
    (first, surer), (second, surer_there) = (min(belief_ceiling(view, p) for view in views) for p in (prior, 1 - prior))
    if_true = [words for words, needed in (("the claim holds", total.status is not Status.PROVED),
                                           ("what is assumed below is true", total.assumes)) if needed]
    condition = f"If {' and '.join(if_true)}: " if if_true else ""
    sections = (
        ("What is released", (released,)),
        ("Who is protected", (f"{total.unit}; neighbours: {total.neighbours}",)),
        ("The promise", tuple(f"(ε = {_up(one.epsilon)}, δ = {_up(one.delta)})-differential privacy for {one.unit} "
                              f"({one.neighbours}), {one.status.value}, added up over {one.basis}" for one in views)),
        ("How it is kept", tuple(f"{one.basis}: ε = {_up(one.epsilon)}, δ = {_up(one.delta)}, {one.status.value}"
                                 for one in guarantees)),
        ("What it means", (
            f"{condition}Somebody knows that the data are one of two neighbouring data sets, the first with probability "
            f"{100 * prior:.12g} %. Without the release their best guess is right in "
            f"{100 * max(prior, 1 - prior):.12g} % of cases, with it in at most {_percent(guess)} %.",
            f"{condition}They can then be at most {_percent(first)} % sure of the first{_unless(surer)}, and at most "
            f"{_percent(second)} % sure of the second{_unless(surer_there)}.")),
        ("What it assumes", total.assumes or ("nothing besides",)),
        ("What it does not cover", (*of_kind(tuple, "not_covered", not_covered), *NEVER_COVERED)),
        ("Signed", ("name, place and date:",)))
    return PrivacyStatement(total, sections)


def _up(value):
    """As `show`, but rounded up: a ceiling must stay one. (A billionth of it is left to rounding errors.)"""
    return show(float(Context(3, ROUND_CEILING).create_decimal(Decimal(float(value) * (1 - 1e-9)))))


def _percent(share):
    """A share in percent, rounded up, with three digits of it or, near 100 %, of what is missing."""
    least = Decimal(100 * max(min(share, 1 - share), 1e-12))
    up = (Decimal(100 * share) - least / 10**9).quantize(Decimal(1).scaleb(least.adjusted() - 2), ROUND_CEILING)
    return f"{min(up, Decimal(100)).normalize():f}"


def _unless(surer):
    return f" (except with probability {_up(surer)} at most)" if surer else ""
