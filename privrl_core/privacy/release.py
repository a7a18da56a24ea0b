r"""One shape for everything that may be published: the value, its guarantees, and the noise that made it."""

import json
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256

import numpy as np

from privrl_core.checks import instance_of, set_fields
from privrl_core.privacy.guarantees import Guarantee, Neighbours

__all__ = ["AddedNoise", "Release"]


@dataclass(frozen=True)
class AddedNoise:
    """The noise in a published value: its ``law`` in words, and its ``scale`` in the units of the value, a standard
    deviation or the width of a Laplace law, one number or one for each table, run or update; None where the scale follows
    the data and may not be published."""

    law: str
    scale: float | tuple[float, ...] | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Release:
    """What may be published, all of it: the fields of a release beside these two are the published value.

    ``guarantees`` holds one guarantee for each neighbour relation under which there is one, the mechanism's own relation
    first, and for several independent runs one for each run. ``noise`` is what was added. Arrays cannot be written to.
    """

    guarantees: tuple[Guarantee, ...]
    noise: AddedNoise

    def __post_init__(self):
        for one in instance_of(tuple, "guarantees", self.guarantees):
            instance_of(Guarantee, "guarantees", one)
        instance_of(AddedNoise, "noise", self.noise)
        set_fields(self, **{field.name: getattr(self, field.name) for field in fields(self)})

    @property
    def published(self) -> dict:
        """The published value: every field but guarantees and noise, by its name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in ("guarantees", "noise")}

    def _identity(self) -> str:
        digest = sha256()
        for name, value in self.published.items():
            digest.update(name.encode() + (value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()))
        return digest.hexdigest()[:16]

    @property
    def guarantee(self) -> Guarantee:
        """The first guarantee, marked as that of this release, so that it cannot be added to itself by mistake."""
        if not self.guarantees:
            raise ValueError(f"this {type(self).__name__} has no guarantee: nobody claims one")
        return replace(self.guarantees[0], release=self._identity())

    def under(self, neighbours: Neighbours) -> Guarantee:
        """The guarantee under a neighbour relation: one that the mechanism states, else one that these imply.

        Raises ValueError if there is none.
        """
        instance_of(Neighbours, "neighbours", neighbours)
        for one in self.guarantees:
            if one.neighbours == neighbours:
                return replace(one, release=self._identity())
        for one in self.guarantees:
            try:
                return replace(one.to(neighbours), release=self._identity())
            except ValueError:
                continue
        stated = "; ".join(str(one.neighbours) for one in self.guarantees) or "none"
        raise ValueError(f"neighbours must be implied by a guarantee of this release ({stated}), got {neighbours}")

    def to_json(self) -> str:
        """The published value, the noise and the guarantees as JSON. What is neither a number nor an array is left out."""
        values = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in self.published.items()
                  if isinstance(value, (np.ndarray, int, float, str, type(None)))}
        return json.dumps({"kind": "release", "schema": 1, "published": values, "noise": asdict(self.noise),
                           "guarantees": [one.as_data() | {"release": self._identity()} for one in self.guarantees]},
                          ensure_ascii=False, indent=2)
