r"""Privacy guarantees as types: the unit of privacy, the neighbours, the model and the numbers.

Two guarantees can be composed or compared only if they protect the same unit, under the same neighbour relation, in the
same model, on the same data. All four are therefore part of a `Guarantee`, and each has a type of its own, so that a
misspelt relation is an error and not a new relation.
"""

import json
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from math import ceil, isclose
from pathlib import Path
from typing import Self

import numpy as np

from privrl_core.checks import instance_of, nonnegative, number, open_unit, positive, set_fields, whole_number
from privrl_core.formatting import show
from privrl_core.privacy.curves import cached_gaussian_epsilon, zcdp_epsilon

__all__ = ["Status", "Model", "Unit", "TRAJECTORY", "REWARD_FUNCTION", "Relation", "Neighbours", "ADD_OR_REMOVE_ONE",
           "REPLACE_ONE", "ADD_REMOVE_OR_REPLACE_ONE", "sup_norm", "Guarantee", "SCHEMA"]

#: The JSON schema of the output of ``to_json``: guarantees, statements and releases.
SCHEMA = Path(__file__).with_name("schema.json")


class Status(Enum):
    """How far a guarantee can be trusted."""

    PROVED = "proved"
    CLAIMED = "claimed, not proved"
    REFUTED = "refuted"


class Model(Enum):
    """The trust model. ``CENTRAL``: a trusted curator publishes one output for all. ``JOINT``: each person is protected
    against all others together, who see everything but that person's own outputs. ``LOCAL``: nobody is trusted, and each
    person's data are noised before they are collected."""

    CENTRAL = "central"
    JOINT = "joint"
    LOCAL = "local"


@dataclass(frozen=True)
class Unit:
    """The unit of privacy: its name in the singular, ``one`` ("one trajectory"), and in the plural, ``many``
    ("trajectories"), and the largest number of such ``records`` of one person.

    Raises ValueError unless ``one`` is not blank and ``records`` is a positive whole number.
    """

    one: str
    many: str = ""
    records: int = 1

    def __post_init__(self):
        for name in ("one", "many"):
            instance_of(str, name, getattr(self, name))
        if not self.one.strip():
            raise ValueError(f"one must say what is protected, got {self.one!r}")
        object.__setattr__(self, "records", whole_number("records", self.records, least=1))

    def __str__(self) -> str:
        if self.records == 1:
            return self.one
        return f"one person with at most {self.records} {self.many or f'times {self.one}'}"


#: One logged episode: all data of one stay, visit or walk.
TRAJECTORY = Unit("one trajectory", "trajectories")
#: The rewards that a learner receives, as a function of the state.
REWARD_FUNCTION = Unit("the reward function")


class Relation(Enum):
    """How two data sets may differ to count as neighbours."""

    ADD_OR_REMOVE_ONE = "add or remove one"
    REPLACE_ONE = "replace one"
    ADD_REMOVE_OR_REPLACE_ONE = "add, remove or replace one"
    SUP_NORM = "sup-norm at most"


@dataclass(frozen=True)
class Neighbours:
    r"""A neighbour relation: add or remove one unit, replace one unit, or two functions whose difference is at most
    ``distance`` :math:`\eta` everywhere: see `ADD_OR_REMOVE_ONE`, `REPLACE_ONE` and `sup_norm`.

    Raises ValueError unless ``relation`` is a `Relation` and ``distance`` is positive where the relation has one.
    """

    relation: Relation
    distance: float | None = None

    def __post_init__(self):
        instance_of(Relation, "relation", self.relation)
        if self.relation is Relation.SUP_NORM:
            object.__setattr__(self, "distance", number(positive, "distance", self.distance))
        elif self.distance is not None:
            raise ValueError(f"distance must be None for {self.relation.value}, got {self.distance}")

    def __str__(self) -> str:
        return self.relation.value if self.distance is None else f"{self.relation.value} {show(self.distance, 6)}"


#: Neighbours differ in one unit that is in only one of them: their sizes differ, so the size is protected too.
ADD_OR_REMOVE_ONE = Neighbours(Relation.ADD_OR_REMOVE_ONE)
#: Neighbours differ in the content of one unit: their sizes are equal, and the size is public.
REPLACE_ONE = Neighbours(Relation.REPLACE_ONE)
#: Neighbours differ in the presence or the content of one unit. k steps lead from any k units to any others.
ADD_REMOVE_OR_REPLACE_ONE = Neighbours(Relation.ADD_REMOVE_OR_REPLACE_ONE)


def sup_norm(eta: float) -> Neighbours:
    r"""Functions r and r' with :math:`\lVert r - r' \rVert_\infty \le \eta`. ``eta > 0``, ValueError otherwise."""
    return Neighbours(Relation.SUP_NORM, eta)


@dataclass(frozen=True)
class Guarantee:
    """(epsilon, delta)-differential privacy: for which ``unit``, between which ``neighbours``, in which ``model``, of which
    ``data``.

    ``basis`` is the origin of the guarantee, and ``assumes`` lists further conditions. ``mu`` (Gaussian DP) or ``rho``
    (zCDP) is present if one number determines the whole (epsilon, delta) curve. ``data`` names the data set (`about`), and
    ``release`` identifies the published value that the guarantee belongs to, if any (`.Release.guarantee`).

    Raises ValueError unless ``epsilon >= 0``, ``0 <= delta < 1``, ``unit``, ``neighbours``, ``status`` and ``model`` have
    the right types, ``basis`` and ``data`` are not blank, ``mu`` and ``rho`` are None or positive, and the epsilon of a
    proved guarantee is at least the one they imply.
    """

    epsilon: float
    delta: float
    unit: Unit
    neighbours: Neighbours
    status: Status
    basis: str
    assumes: tuple[str, ...] = ()
    mu: float | None = None
    rho: float | None = None
    model: Model = Model.CENTRAL
    data: str = "the data set"
    release: str = field(default="", compare=False, repr=False)

    def __post_init__(self):
        set_fields(self, epsilon=number(nonnegative, "epsilon", self.epsilon))
        is_pure = np.ndim(self.delta) == 0 and self.delta == 0
        set_fields(self, delta=number(nonnegative if is_pure else open_unit, "delta", self.delta))
        for kind, name in ((Unit, "unit"), (Neighbours, "neighbours"), (Status, "status"), (Model, "model")):
            instance_of(kind, name, getattr(self, name))
        for name in ("basis", "data"):
            if not instance_of(str, name, getattr(self, name)).strip():
                raise ValueError(f"{name} must not be blank, got {getattr(self, name)!r}")
        for name in ("mu", "rho"):
            if getattr(self, name) is not None:
                set_fields(self, **{name: number(positive, name, getattr(self, name))})
        instance_of(str, "release", self.release)
        for line in instance_of(tuple, "assumes", self.assumes):
            instance_of(str, "assumes", line)
        if self.status is Status.PROVED and (self.mu or self.rho):
            implied = float("inf") if self.delta == 0 else self._epsilon_at(self.delta)
            if implied > self.epsilon * (1 + 1e-6) + 1e-9:
                raise ValueError(f"epsilon must be at least {implied:.6g}, which mu = {self.mu} or rho = {self.rho} imply "
                                 f"at delta = {self.delta}, got {self.epsilon}")

    def _epsilon_at(self, delta):
        if self.mu is None:
            return float(zcdp_epsilon(self.rho, delta))
        return cached_gaussian_epsilon(float(delta), float(self.mu))

    def at(self, delta: float) -> Self:
        """The guarantee of the same release at another ``delta``. Raises ValueError if it has neither ``mu`` nor ``rho``."""
        delta = number(open_unit, "delta", delta)
        if self.mu is None and self.rho is None:
            raise ValueError(f"only a release with mu or rho has a curve, got {self}")
        return replace(self, epsilon=self._epsilon_at(delta), delta=delta)

    def about(self, data: str) -> Self:
        """The same guarantee with its data set named: "St Mary's, intensive care, 2019 to 2024"."""
        return replace(self, data=data)

    def group(self, k: int) -> Self:
        r"""The guarantee for a person with at most ``k`` of the unit, or for functions that are k times as far apart.

        Two such data sets are at most k neighbour steps apart, and the guarantee covers each step. Under *replace one* both
        persons must have the same number of units, which the guarantee then assumes to be public; under *add, remove or
        replace one* any numbers up to k are allowed.

        .. math:: \mu \to k\mu, \qquad \rho \to k^2\rho, \qquad (\varepsilon, \delta) \to
                  \Bigl(k\varepsilon,\ \delta\,\frac{e^{k\varepsilon} - 1}{e^\varepsilon - 1}\Bigr).

        With a :math:`\mu` or a :math:`\rho` the new epsilon is that of the new curve at the same delta; otherwise the third
        rule applies, which for delta = 0 gives :math:`k\varepsilon`. Raises ValueError unless ``k`` is a positive whole
        number, and if the new delta is 1 or more, which would be no guarantee.
        Sources: Dong, Roth & Su (2022), Theorem 2.14; Bun & Steinke (2016), Proposition 1.9; Vadhan (2017), Lemma 2.2.
        """
        k = whole_number("k", k, least=1)
        if k == 1:
            return self
        stretched = self._stretched(k)
        curve = f"μ = {stretched.mu:.4g}" if stretched.mu else f"ρ = {stretched.rho:.4g}" if stretched.rho else "ε and δ"
        stretched = replace(stretched, basis=f"{self.basis}, each; {k} at once by group privacy: {curve}")
        if self.neighbours.relation is Relation.SUP_NORM:
            return replace(stretched, neighbours=sup_norm(k * self.neighbours.distance))
        assumes = self.assumes
        if self.neighbours == REPLACE_ONE:  # replacements do not change the number of units
            assumes += (f"how many {self.unit.many or 'of the unit'} each person has is public",)
        return replace(stretched, unit=replace(self.unit, records=k * self.unit.records), assumes=assumes)

    def to(self, neighbours: Neighbours) -> Self:
        r"""The guarantee that this one implies under another neighbour relation.

        To replace is to remove and then add, so a guarantee under *add or remove one* applies as for a group of two. A
        guarantee under *add, remove or replace one* implies the other two.
        Functions that are :math:`\eta'` apart are :math:`\lceil\eta'/\eta\rceil` steps of :math:`\eta` apart. Raises
        ValueError for every other pair of relations: a guarantee under *replace one* does not cover data sets of different
        size. The guarantee that a mechanism states itself for a relation is often better than the one implied here.
        """
        here, there = self.neighbours, instance_of(Neighbours, "neighbours", neighbours)
        if there == here:
            return self
        if here == ADD_REMOVE_OR_REPLACE_ONE and there in (ADD_OR_REMOVE_ONE, REPLACE_ONE):
            return replace(self, neighbours=there)
        if here == ADD_OR_REMOVE_ONE and there in (REPLACE_ONE, ADD_REMOVE_OR_REPLACE_ONE):
            return replace(self._stretched(2), neighbours=there, basis=f"{self.basis}; replaced in two steps")
        if here.relation is there.relation is Relation.SUP_NORM:
            ratio = there.distance / here.distance
            steps = round(ratio) if isclose(ratio, round(ratio), rel_tol=1e-12) else ceil(ratio)
            return replace(self._stretched(max(steps, 1)), neighbours=there)
        raise ValueError(f"neighbours must be implied by {here}, got {there}")

    def _stretched(self, k: int) -> Self:
        """The guarantee with the numbers for data sets that are k neighbour steps apart."""
        if k == 1:
            return self
        mu, rho = self.mu and k * self.mu, self.rho and k**2 * self.rho
        if self.mu or self.rho:
            wider = replace(self, status=Status.CLAIMED, mu=mu, rho=rho)  # as its epsilon is not updated yet
            return replace(wider, status=self.status, epsilon=wider._epsilon_at(self.delta))
        delta = self.delta
        if delta:
            with np.errstate(over="ignore"):
                growth = np.expm1(k * self.epsilon) / np.expm1(self.epsilon) if self.epsilon else k
            if not (delta := float(delta * growth)) < 1:
                raise ValueError(f"k must be small enough for a delta below 1, got {k}, which makes it {delta:.3g}")
        return replace(self, epsilon=k * self.epsilon, delta=delta)

    def to_json(self) -> str:
        """The guarantee as JSON, by the schema in `SCHEMA`; `from_json` reads it back."""
        return json.dumps(self.as_data(), ensure_ascii=False, allow_nan=False, indent=2)

    def as_data(self) -> dict:
        """The content of `to_json` as dictionaries, lists, strings and numbers."""
        return {"kind": "guarantee", "schema": 1} | asdict(self) | {
            "neighbours": {"relation": self.neighbours.relation.value, "distance": self.neighbours.distance},
            "status": self.status.value, "model": self.model.value, "assumes": list(self.assumes)}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The guarantee that `to_json` wrote. Raises ValueError for anything else."""
        return cls.from_data(parsed("guarantee", text))

    @classmethod
    def from_data(cls, data: dict) -> Self:
        """The guarantee that `as_data` gave. Raises ValueError for anything else."""
        try:
            fields = {name: value for name, value in data.items() if name not in ("kind", "schema")}
            relation = fields["neighbours"]
            return cls(**fields | {
                "unit": Unit(**fields["unit"]),
                "neighbours": Neighbours(Relation(relation["relation"]), relation["distance"]),
                "status": Status(fields["status"]), "model": Model(fields["model"]),
                "assumes": tuple(instance_of(list, "assumes", fields["assumes"]))})
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"text must be a guarantee as to_json writes it, got {type(error).__name__}: {error}") from None

    def __str__(self) -> str:
        model = "" if self.model is Model.CENTRAL else f"{self.model.value} "
        return (f"(ε = {show(self.epsilon)}, δ = {show(self.delta)})-{model}differential privacy for {self.unit}"
                f" ({self.neighbours}), {self.status.value}")


def parsed(kind: str, text: str) -> dict:
    """The JSON object in ``text``; ValueError unless it is one of this ``kind`` and of schema 1."""
    try:
        data = json.loads(instance_of(str, "text", text))
    except json.JSONDecodeError as error:
        raise ValueError(f"text must be JSON, got an error at {error}") from None
    if not isinstance(data, dict) or (data.get("kind"), data.get("schema")) != (kind, 1):
        found = data.get("kind") if isinstance(data, dict) else type(data).__name__
        raise ValueError(f"text must be a {kind} of schema 1, got {found!r}")
    return data
