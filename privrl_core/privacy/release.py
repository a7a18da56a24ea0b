r"""The common form of everything that may be published: the value, its guarantees, and the noise that was added."""

import json
from copy import copy
from dataclasses import asdict, dataclass, field, fields
from secrets import token_hex

import numpy as np

from privrl_core.checks import Record, instance_of, set_fields
from privrl_core.privacy.guarantees import Guarantee, Neighbours

__all__ = ["AddedNoise", "Release"]

OWN = "guarantees", "noise", "identity"  # the fields that describe the published value


@dataclass(frozen=True)
class AddedNoise:
    """The noise in a published value: the name of its distribution, ``law``, and its ``scale`` in the units of the value, a
    standard deviation or the scale b of a Laplace distribution; one number, or one for each table, run or update; None if
    the scale depends on the data and must not be published."""

    law: str
    scale: float | tuple[float, ...] | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Release(Record):
    """A value of which every field may be published: all fields other than these three are the published value.

    ``guarantees`` holds one guarantee for each neighbour relation under which there is one, the mechanism's own relation
    first. Several independent runs have one for each run, and none for all together. ``noise`` describes the added noise.
    ``identity`` is a random name, drawn when the release is made and copied into its guarantees, so that a release cannot
    be composed with itself by mistake. Arrays are read-only.
    """

    guarantees: tuple[Guarantee, ...]
    noise: AddedNoise
    identity: str = field(default_factory=lambda: token_hex(8), repr=False)

    def __post_init__(self):
        instance_of(AddedNoise, "noise", self.noise)
        for one in instance_of(tuple, "guarantees", self.guarantees):
            instance_of(Guarantee, "guarantees", one)
        several = len({one.neighbours for one in self.guarantees}) < len(self.guarantees)
        marked = tuple(_marked(one, f"{self.identity}/{run}" if several else self.identity)
                       for run, one in enumerate(self.guarantees))
        super().__post_init__()
        set_fields(self, guarantees=marked)

    @property
    def published(self) -> dict:
        """The published value: every field but guarantees, noise and identity, by its name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name not in OWN}

    @property
    def guarantee(self) -> Guarantee:
        """The first guarantee. Raises ValueError if there is none, and for several runs with one each."""
        if not self.guarantees:
            raise ValueError(f"this {type(self).__name__} has no guarantee, because none is claimed")
        return self._one_release()[0]

    def under(self, neighbours: Neighbours) -> Guarantee:
        """The guarantee under a neighbour relation: one stated by the mechanism, or else one that these imply.

        Raises ValueError if there is none, and for several runs with one each.
        """
        instance_of(Neighbours, "neighbours", neighbours)
        for one in self._one_release():
            if one.neighbours == neighbours:
                return one
        for one in self.guarantees:
            try:
                return one.to(neighbours)
            except ValueError:
                continue
        stated = "; ".join(str(one.neighbours) for one in self.guarantees) or "none"
        raise ValueError(f"neighbours must be implied by a guarantee of this release ({stated}), got {neighbours}")

    def _one_release(self):
        if len({one.neighbours for one in self.guarantees}) < len(self.guarantees):
            raise ValueError(f"a guarantee must be taken from `guarantees`, one for each of {len(self.guarantees)} runs, as "
                             "there is none for all of them together: compose_guarantees(*release.guarantees) adds them up")
        return self.guarantees

    def to_json(self) -> str:
        """The published value, the noise and the guarantees as JSON. What is neither a number nor an array is left out."""
        values = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in self.published.items()
                  if isinstance(value, (np.ndarray, int, float, str, type(None)))}
        return json.dumps({"kind": "release", "schema": 1, "published": values, "noise": asdict(self.noise),
                           "guarantees": [one.as_data() for one in self.guarantees]}, ensure_ascii=False, indent=2)


def _marked(guarantee, identity):
    """A copy of the guarantee, marked as belonging to this release, without checking it again."""
    marked = copy(guarantee)
    object.__setattr__(marked, "release", identity)
    return marked
