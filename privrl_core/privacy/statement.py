"""A privacy statement for signature: the joint guarantee of the releases of one data set, in numbers and in words."""

import json
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Self

from privrl_core.checks import instance_of
from privrl_core.formatting import at_most
from privrl_core.privacy.composition import stated, totals
from privrl_core.privacy.guarantees import Guarantee, Model, Relation, Status, parsed
from privrl_core.privacy.lower_bounds import belief_ceiling, right_guess_ceiling
from privrl_core.privacy.release import Release

__all__ = ["PrivacyStatement", "privacy_statement"]

NEVER_COVERED = (
    "facts about the population, which could be learned without the person in question",
    "information that people reveal about each other: relatives, one household, one ward",
    "settings chosen by looking at the same data, and anything else published about them",
    "running times, error messages, logs, and people with access to the data",
)

FLOATING_POINT = ("seeded noise in floating-point arithmetic: a real release uses a vetted library and the system's "
                  "randomness")

LONG = "How it is kept", "What it assumes", "What it does not cover"

MODELS = {Model.JOINT: "in the joint model: against all others, who do not see that person's own outputs",
          Model.LOCAL: "in the local model: also against the collector of the data"}

COMPARED = {Relation.ADD_OR_REMOVE_ONE: "the data with it and without it",
            Relation.REPLACE_ONE: "the data with it and with another in its place",
            Relation.ADD_REMOVE_OR_REPLACE_ONE: "the data with it, without it, and with another in its place",
            Relation.SUP_NORM: "it with any other that is near it everywhere"}


@dataclass(frozen=True)
class PrivacyStatement:
    """A statement: ``sections`` with a heading and lines each, about ``guarantee``, the composition of its ``parts``.

    Notebooks show it as Markdown, ``str`` gives plain text, and `to_json` a machine-readable form.
    """

    guarantee: Guarantee
    parts: tuple[Guarantee, ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]

    def _repr_markdown_(self) -> str:
        return "\n\n".join("\n* ".join((f"**{heading}**\n", *lines)) for heading, lines in self.sections)

    def folded(self) -> str:
        """The statement as Markdown for a page, with its three long lists folded as HTML ``details``."""
        def section(heading, lines):
            points = "".join(f"\n* {line}" for line in lines)
            if heading in LONG:
                count = f"{len(lines)} point{'s' * (len(lines) > 1)}"
                return (f"<details style='margin-bottom: 1rem'><summary><strong>{heading}</strong>: {count}</summary>\n\n"
                        f"{points}\n\n</details>")
            return f"**{heading}:** {lines[0]}" if len(lines) == 1 else f"**{heading}**\n{points}"
        return "\n\n".join(section(*each) for each in self.sections)

    def __str__(self) -> str:
        return "\n\n".join("\n  - ".join((heading.upper(), *lines)) for heading, lines in self.sections)

    def to_json(self) -> str:
        """The statement as JSON, by the schema in `.SCHEMA`; `from_json` reads it back."""
        return json.dumps({"kind": "privacy statement", "schema": 1, "guarantee": self.guarantee.as_data(),
                           "parts": [one.as_data() for one in self.parts],
                           "sections": [{"heading": heading, "lines": list(lines)} for heading, lines in self.sections]},
                          ensure_ascii=False, indent=2)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The statement that `to_json` wrote. Raises ValueError for anything else."""
        data = parsed("privacy statement", text)
        try:
            return cls(Guarantee.from_data(data["guarantee"]), tuple(map(Guarantee.from_data, data["parts"])),
                       tuple((section["heading"], tuple(section["lines"])) for section in data["sections"]))
        except (TypeError, KeyError) as error:
            raise ValueError(f"text must be a statement as to_json writes it, got {type(error).__name__}: {error}") from None


def privacy_statement(*guarantees: Guarantee | Release, released: str, delta: float | None = None, prior: float = 0.5,
                      not_covered: tuple[str, ...] = ()) -> PrivacyStatement:
    """The statement for releases made from one data set, composed by `.compose_guarantees`.

    ``released`` describes everything that is released, in words; ``not_covered`` lists further exclusions; ``prior`` is the
    prior probability of an observer with all other knowledge. Raises ValueError as `.compose_guarantees`,
    `.right_guess_ceiling` and `.belief_ceiling` do, and for an empty ``released``.
    """
    if not instance_of(str, "released", released).strip():
        raise ValueError(f"released must say what is released, got {released!r}")
    parts = stated(guarantees)
    promises = totals(parts, delta)
    total = promises[0]
    model = () if total.model is Model.CENTRAL else (MODELS[total.model],)
    sections = (
        ("What is released", (released,)),
        ("Who is protected", (f"{total.unit}: the promise compares {COMPARED[total.neighbours.relation]} "
                              f"({total.neighbours})", *model, *_named(total))),
        ("The promise", tuple(f"(ε = {at_most(one.epsilon)}, δ = {at_most(one.delta)})-differential privacy for {one.unit} "
                              f"({one.neighbours}), {one.status.value}: {one.basis}" for one in promises)),
        ("How it is kept", tuple(f"{one.basis}: ε = {at_most(one.epsilon)}, δ = {at_most(one.delta)}, {one.status.value}"
                                 for one in parts)),
        ("What it means", _meaning(promises, prior)),
        ("What it assumes", total.assumes or ("nothing besides",)),
        ("What it does not cover", (*instance_of(tuple, "not_covered", not_covered), _beyond(total),
                                     *NEVER_COVERED, *_inexact(parts))),
        ("Signed", ("name, place and date:",)))
    return PrivacyStatement(total, tuple(parts), sections)


def _named(total):
    """A line that names the data set, if it has a name."""
    return () if total.data == Guarantee.data else (f"in: {total.data}",)


def _inexact(parts):
    """A line on the arithmetic, unless every release has exact noise: `.DiscreteGaussianNoise` says so in its basis."""
    exact = all(one.status is Status.PROVED and one.rho is not None and one.basis.startswith("discrete Gaussian noise")
                for one in parts)
    return () if exact else (FLOATING_POINT,)


def _beyond(total):
    """A line on simultaneous changes beyond those that the unit covers."""
    if total.unit.records > 1:
        return f"a person with more than {total.unit.records} {total.unit.many}, or several such persons at once"
    return ("several such changes at once, such as all records of one person: "
            "for k of them, μ, or ε at a larger δ, is up to k times as large")


def _meaning(promises, prior):
    """Two sentences on a reader with all other knowledge: how often the best guess is right, and how sure it can be."""
    guess = min(right_guess_ceiling(one, prior) for one in promises)
    (first, surer), (second, surer_there) = (min(belief_ceiling(one, p) for one in promises) for p in (prior, 1 - prior))
    if_true = [words for words, needed in (("the claim holds", promises[0].status is not Status.PROVED),
                                           ("what is assumed below is true", promises[0].assumes)) if needed]
    condition = f"If {' and '.join(if_true)}: " if if_true else ""
    suppose, after = (condition + word.lower() if condition else word for word in ("Suppose", "After"))
    if prior == 0.5:
        known, sure = "Both are equally likely to this reader", f"{_percent(first)} % sure of either{_unless(surer)}"
    else:
        known = f"To this reader the first is {100 * prior:.12g} % likely"
        sure = (f"{_percent(first)} % sure of the first{_unless(surer)}, and at most {_percent(second)} % sure of the "
                f"second{_unless(surer_there)}")
    return (f"{suppose} a reader {_knows(promises[0])}. {known}. Without the release the reader's best guess is right "
            f"{100 * max(prior, 1 - prior):.12g} times in 100, with it at most {_percent(guess)} times in 100.",
            f"{after} the release, whatever it is, this reader is at most {sure}.")


def _knows(total):
    """What this reader knows: all but the unit."""
    if total.neighbours.relation is Relation.ADD_OR_REMOVE_ONE:
        return f"knows everything except whether {total.unit} is in the data"
    content = f"those of {total.unit}" if total.unit.records > 1 else str(total.unit)
    return f"knows all the data except {content}, and knows that there are two possibilities"


def _percent(share):
    """A share in percent, rounded up to three digits of the share or, near 100 %, of its complement."""
    least = Decimal(100 * max(min(share, 1 - share), 1e-12))
    up = (Decimal(100 * share) - least / 10**9).quantize(Decimal(1).scaleb(least.adjusted() - 2), ROUND_CEILING)
    return f"{min(up, Decimal(100)).normalize():f}"


def _unless(surer):
    return f" (except with probability {at_most(surer)} at most)" if surer else ""
