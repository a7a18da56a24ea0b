"""Records that hold arrays: they compare without an error, and nobody writes to them, copied and unpickled neither."""

import copy
import pickle
from dataclasses import is_dataclass
from functools import cache

import numpy as np
import pytest
from test_odd_arguments import RIGHT, called

from privrl_core import functional_noise, offline, online, policy_evaluation, privacy, world

WINGS = world, privacy, policy_evaluation, functional_noise, offline, online
BASES = {privacy.Release, privacy.Sensitivity}  # the first is what releases share, the second is part of a kind of noise
RECORDS = {thing for wing in WINGS for name in wing.__all__ if isinstance(thing := getattr(wing, name), type) and is_dataclass(thing)} - BASES


def inside(value):
    """Everything in a value, itself included: fields, and entries of tuples and lists."""
    yield value
    parts = vars(value).values() if type(value) in RECORDS else value if isinstance(value, (tuple, list)) else ()
    for part in parts:
        yield from inside(part)


def arrays(record):
    for part in inside(record):
        if isinstance(part, np.ndarray):
            yield part
        elif hasattr(part, "indptr"):
            yield from (part.data, part.indices, part.indptr)


@cache
def examples():
    """One of each kind, as functions hand them out or are handed."""
    found = {}
    for function, arguments in RIGHT.items():
        for part in inside([*arguments.values(), called(function, arguments)]):
            if type(part) in RECORDS:
                found.setdefault(type(part), part)
    return found


def test_there_is_an_example_of_every_record():
    assert RECORDS == set(examples())


def unpickled(record):
    return pickle.loads(pickle.dumps(record))


@pytest.mark.parametrize("kind", sorted(RECORDS, key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__)
def test_records_compare_and_stay_as_they_are(kind):
    record = examples()[kind]
    assert record == record and not record != record
    assert isinstance(record == copy.copy(record), bool)
    hash(record)
    copies = [copy.copy(record)]
    try:
        copies += [copy.deepcopy(record), unpickled(record)]
    except (AttributeError, pickle.PicklingError):  # a function that somebody gave, and that has no name
        assert kind.__name__ in ("RewardRelease",)
    for held in [record, *copies]:
        for array in arrays(held):
            assert not array.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    for made in copies:
        for one, other in zip(arrays(record), arrays(made), strict=True):
            assert np.array_equal(one, other)


def test_one_matrix_for_many_steps_stays_one():
    counts = offline.count_transitions(world.Episodes.from_lists([[0, 1]], [[0]], [[1.0]]), 2, 1, 50)
    for held in counts, copy.deepcopy(counts), unpickled(counts), counts.restricted(np.ones((2, 1), dtype=bool)):
        assert len({id(step) for step in held.steps}) == 2
