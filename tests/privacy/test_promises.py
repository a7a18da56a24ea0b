"""Promises as types: groups, other neighbours, data sets, JSON, and the release that carries them."""

import json
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import privrl_core.privacy.guarantees as module
from privrl_core.privacy import (
    ADD_OR_REMOVE_ONE,
    ADD_REMOVE_OR_REPLACE_ONE,
    REPLACE_ONE,
    REWARD_FUNCTION,
    TRAJECTORY,
    AddedNoise,
    DiscreteGaussianNoise,
    GaussianNoise,
    Guarantee,
    LaplaceNoise,
    Model,
    Neighbours,
    PrivacyStatement,
    Relation,
    Release,
    Sensitivity,
    Status,
    Unit,
    compose_guarantees,
    gaussian_delta,
    gaussian_epsilon,
    privacy_statement,
    sup_norm,
    zcdp_epsilon,
)

SCHEMA = json.loads(Path(module.__file__).with_name("schema.json").read_text("utf-8"))


def promise(epsilon=1.0, delta=1e-5, **more):
    return Guarantee(epsilon, delta, **{"unit": TRAJECTORY, "neighbours": REPLACE_ONE, "status": Status.PROVED, "basis": "a test"} | more)


def gaussian(mu, delta=1e-5, **more):
    return promise(float(gaussian_epsilon(delta, mu)), delta, mu=mu, **more)


# ---- groups and other neighbours

@given(mu=st.floats(0.05, 2), k=st.integers(1, 12))
def test_a_group_of_a_gaussian_release_has_k_times_its_mu(mu, k):
    group = gaussian(mu).group(k)
    assert group.mu == pytest.approx(k * mu) and group.epsilon == pytest.approx(float(gaussian_epsilon(1e-5, k * mu)))
    assert group.delta == 1e-5 and group.unit == Unit("one trajectory", "trajectories", k) and group.neighbours == REPLACE_ONE


def test_a_group_of_a_gaussian_release_by_a_second_route():
    """k records moved by one each shift a Gaussian sum by k: the exact delta of that shift, by integrating densities."""
    sigma, k, z = 3.0, 4, np.linspace(-60, 60, 400_001)
    group = gaussian(1 / sigma).group(k)
    excess = np.maximum(norm.pdf(z, k, sigma) - np.exp(group.epsilon) * norm.pdf(z, 0, sigma), 0)
    assert np.trapezoid(excess, z) == pytest.approx(1e-5, rel=1e-4)


def test_a_group_of_a_pure_release_by_a_second_route():
    """Laplace noise on a sum that k records move by one each: the largest log ratio of densities is k epsilon."""
    epsilon, k, z = 0.7, 3, np.linspace(-30, 30, 6001)
    ratio = np.abs(z) - np.abs(z - k)
    assert promise(epsilon, 0.0).group(k).epsilon == pytest.approx(epsilon * ratio.max())


def test_a_group_of_a_concentrated_release_has_k_squared_times_its_rho():
    group = promise(float(zcdp_epsilon(0.02, 1e-5)), rho=0.02).group(3)
    assert group.rho == pytest.approx(0.18) and group.epsilon == pytest.approx(float(zcdp_epsilon(0.18, 1e-5)))


def test_a_group_without_a_curve_by_a_second_route():
    """Chain the definition k times: P0 <= e^eps P1 + delta, P1 <= e^eps P2 + delta, ..."""
    epsilon, delta, k = 0.8, 1e-6, 5
    group, chained = promise(epsilon, delta).group(k), sum(delta * np.exp(epsilon * step) for step in range(k))
    assert (group.epsilon, group.delta) == (pytest.approx(k * epsilon), pytest.approx(chained))
    assert promise(0.0, 1e-6).group(4).delta == pytest.approx(4e-6)


def test_the_exact_group_is_never_worse_than_the_generic_bound():
    for mu, k in product((0.1, 0.5), (2, 5)):
        exact, generic = gaussian(mu).group(k), promise(*[getattr(gaussian(mu), name) for name in ("epsilon", "delta")]).group(k)
        assert float(gaussian_delta(generic.epsilon, exact.mu)) <= generic.delta


def test_a_group_of_which_nothing_is_promised_is_refused():
    with pytest.raises(ValueError, match="k must be small enough for a delta below 1, got 40"):
        promise(1.0, 1e-5).group(40)
    with pytest.raises(ValueError, match="k must be small enough for a delta below 1, got 2000"):
        promise(1.0, 1e-5).group(2000)  # e^2000 is no double
    with pytest.raises(ValueError, match="k must be a whole number of at least 1, got 0"):
        promise().group(0)


def test_groups_of_groups_multiply_and_functions_move_apart():
    twice, once = gaussian(0.1).group(2).group(3), gaussian(0.1).group(6)
    assert (twice.mu, twice.unit, twice.epsilon) == (pytest.approx(once.mu), once.unit, pytest.approx(once.epsilon))
    assert once.basis == "a test, each; 6 at once by group privacy: μ = 0.6" and gaussian(0.1).group(1) == gaussian(0.1)
    reward = gaussian(0.2, unit=REWARD_FUNCTION, neighbours=sup_norm(0.01))
    assert reward.group(5).neighbours == sup_norm(0.05) and reward.group(5).unit == REWARD_FUNCTION
    assert reward.to(sup_norm(0.03)).mu == pytest.approx(0.6) and reward.to(sup_norm(0.031)).mu == pytest.approx(0.8)
    assert reward.to(sup_norm(0.005)).mu == 0.2, "closer functions are neighbours too"


def test_add_or_remove_becomes_replace_by_two_steps_and_nothing_else_becomes_anything():
    either = gaussian(0.3, neighbours=ADD_REMOVE_OR_REPLACE_ONE)
    assert [either.to(one).mu for one in (REPLACE_ONE, ADD_OR_REMOVE_ONE)] == [0.3, 0.3]
    added = gaussian(0.3, neighbours=ADD_OR_REMOVE_ONE)
    assert added.to(ADD_REMOVE_OR_REPLACE_ONE).mu == pytest.approx(0.6)
    replaced = added.to(REPLACE_ONE)
    assert replaced.mu == pytest.approx(0.6) and replaced.neighbours == REPLACE_ONE and replaced.unit == TRAJECTORY
    assert added.to(ADD_OR_REMOVE_ONE) is added
    assert promise(0.5, 0.0, neighbours=ADD_OR_REMOVE_ONE).to(REPLACE_ONE).epsilon == 1.0
    for guarantee, neighbours in ((replaced, ADD_OR_REMOVE_ONE), (replaced, sup_norm(1)), (promise(neighbours=sup_norm(1)), REPLACE_ONE)):
        with pytest.raises(ValueError, match="neighbours must be implied by"):
            guarantee.to(neighbours)


def test_units_and_neighbours_say_what_they_are():
    assert str(TRAJECTORY) == "one trajectory" and str(Unit("one trajectory", "trajectories", 3)) == "one person with at most 3 trajectories"
    assert str(Unit("one answer", records=2)) == "one person with at most 2 times one answer"
    assert [str(one) for one in (REPLACE_ONE, ADD_OR_REMOVE_ONE, sup_norm(0.01))] == ["replace one", "add or remove one", "sup-norm at most 0.01"]
    assert "(ε = 1, δ = 10⁻⁵)-joint differential privacy for one trajectory" in str(promise(model=Model.JOINT))


@pytest.mark.parametrize("make, message", [
    (lambda: Unit(5), "one must be of type str, got 5"), (lambda: Unit(" "), "one must say what is protected, got ' '"),
    (lambda: Unit("one stay", records=0), "records must be a whole number of at least 1, got 0"),
    (lambda: Neighbours("Replace one"), "relation must be of type Relation, got 'Replace one'"),
    (lambda: Neighbours(Relation.REPLACE_ONE, 0.1), "distance must be None for replace one, got 0.1"),
    (lambda: sup_norm(0), "distance must be positive, got 0"), (lambda: sup_norm(None), "distance must be"),
    (lambda: promise().to("replace one"), "neighbours must be of type Neighbours, got 'replace one'"),
    (lambda: Sensitivity(0, 1), "l1 must be positive, got 0"),
    (lambda: LaplaceNoise.of_epsilon(1.0, 1e-5), "delta must be 0 for Laplace noise, got 1e-05"),
])
def test_wrong_promises_say_so(make, message):
    with pytest.raises(ValueError) as error:
        make()
    assert message in str(error.value)


# ---- what may be added up

@pytest.mark.parametrize("other, message", [
    (dict(model=Model.JOINT), "model must be the same in all guarantees to be added up, got 'central' and 'joint'"),
    (dict(data="St Mary's"), "data must be the same in all guarantees to be added up, got 'the data set' and \"St Mary's\""),
    (dict(unit=Unit("one trajectory", "trajectories", 2)), "got 'one trajectory' and 'one person with at most 2 trajectories'"),
    (dict(neighbours=ADD_OR_REMOVE_ONE), "got 'replace one' and 'add or remove one'"),
])
def test_only_what_is_alike_is_added_up(other, message):
    with pytest.raises(ValueError) as error:
        compose_guarantees(promise(), promise(**other))
    assert message in str(error.value)


@dataclass(frozen=True, eq=False, kw_only=True)
class Table(Release):
    numbers: np.ndarray
    note: str = ""


def table(numbers=(1.0, 2.0), *guarantees):
    return Table(guarantees=guarantees or (gaussian(0.3), gaussian(0.2, neighbours=ADD_OR_REMOVE_ONE)), noise=AddedNoise("Gaussian", 3.0),
                 numbers=np.array(numbers))


def test_the_same_release_is_not_added_twice_and_two_releases_are():
    one, other = table(), table()
    both = compose_guarantees(one, other)
    for twice in ((one, one), (one.guarantee, one.guarantees[0]), (one, other, one.guarantee.at(1e-6)), (both, one),
                  (one, Guarantee.from_json(one.guarantee.to_json()))):
        with pytest.raises(ValueError, match="guarantees must be of different releases, got release [0-9a-f]{16} 2 times"):
            compose_guarantees(*twice)
    assert compose_guarantees(one, other).mu == pytest.approx(np.hypot(0.3, 0.3)) == compose_guarantees(gaussian(0.3), gaussian(0.3)).mu


def test_several_runs_are_several_releases():
    runs = table((1.0, 2.0), gaussian(0.3), gaussian(0.4))
    for ask in (lambda: runs.guarantee, lambda: runs.under(REPLACE_ONE), lambda: privacy_statement(runs, released="two runs")):
        with pytest.raises(ValueError, match="one for each of 2 runs, as there is none for all of them together"):
            ask()
    assert compose_guarantees(*runs.guarantees).mu == pytest.approx(0.5)


def test_a_release_says_what_it_promises_under_which_neighbours():
    release = table()
    assert release.guarantee == gaussian(0.3) and release.under(ADD_OR_REMOVE_ONE).mu == 0.2 and release.published.keys() == {"numbers", "note"}
    assert table((1.0,), gaussian(0.2, neighbours=ADD_OR_REMOVE_ONE)).under(REPLACE_ONE).mu == pytest.approx(0.4), "two steps"
    with pytest.raises(ValueError, match=r"neighbours must be implied by a guarantee of this release \(replace one\), got add or remove one"):
        table((1.0,), gaussian(0.3)).under(ADD_OR_REMOVE_ONE)
    with pytest.raises(ValueError, match="read-only"):
        release.numbers[0] = 9
    with pytest.raises(ValueError, match="no guarantee"):
        _ = replace(release, guarantees=()).guarantee
    with pytest.raises(ValueError, match="guarantees must be of type Guarantee, got 'proved'"):
        table((1.0,), "proved")


# ---- as JSON

@given(st.builds(
    promise, st.floats(0, 50), st.sampled_from([0.0, 1e-9, 0.3]), status=st.sampled_from([Status.CLAIMED, Status.REFUTED]),
    unit=st.builds(Unit, st.text(min_size=1).filter(str.strip), st.text(), st.integers(1, 9)),
    neighbours=st.sampled_from([REPLACE_ONE, ADD_OR_REMOVE_ONE, sup_norm(0.1)]), model=st.sampled_from(Model),
    data=st.text(min_size=1).filter(str.strip), assumes=st.lists(st.text()).map(tuple),
    mu=st.none() | st.floats(1e-3, 9), rho=st.none() | st.floats(1e-3, 9), release=st.sampled_from(["", "0123456789abcdef"])))
def test_a_guarantee_survives_json(guarantee):
    text = guarantee.to_json()
    back = Guarantee.from_json(text)
    assert back == guarantee and back.release == guarantee.release
    jsonschema.validate(json.loads(text), SCHEMA)


def test_a_statement_and_a_release_survive_json_and_fit_the_schema():
    one, other = table(), table((3.0, 4.0))
    statement = privacy_statement(one, other, released="two tables")
    back = PrivacyStatement.from_json(statement.to_json())
    assert back == statement and str(back) == str(statement) and len(back.parts) == 2
    jsonschema.validate(json.loads(statement.to_json()), SCHEMA)
    written = json.loads(one.to_json())
    jsonschema.validate(written, SCHEMA)
    assert written["published"]["numbers"] == [1.0, 2.0] and written["noise"] == {"law": "Gaussian", "scale": 3.0}
    assert Guarantee.from_data(written["guarantees"][0]) == one.guarantee


def test_a_statement_names_its_data_its_model_and_the_group():
    said = str(privacy_statement(gaussian(0.1, model=Model.JOINT).about("St Mary's, 2019 to 2024").group(3), released="a table"))
    assert "a person with more than 3 trajectories" in said and "several such changes at once" not in said
    assert "one person with at most 3 trajectories" in said and "in: St Mary's, 2019 to 2024" in said and "in the joint model: against all others" in said


@pytest.mark.parametrize("text, message", [
    ("nonsense", "text must be JSON"), ("[1]", "text must be a guarantee of schema 1, got 'list'"),
    ('{"kind": "release", "schema": 1}', "text must be a guarantee of schema 1, got 'release'"),
    ('{"kind": "guarantee", "schema": 1}', "text must be a guarantee as to_json writes it, got KeyError"),
    (promise().to_json().replace('"replace one"', '"Replace one"'), "'Replace one' is not a valid Relation"),
    (promise().to_json().replace('"delta": 1e-05', '"delta": 2'), "delta must be strictly between 0 and 1, got 2"),
])
def test_what_is_no_guarantee_is_not_read_as_one(text, message):
    with pytest.raises(ValueError) as error:
        Guarantee.from_json(text)
    assert message in str(error.value)


# ---- noise from a promise

@pytest.mark.parametrize("kind, delta", [(GaussianNoise, 1e-5), (LaplaceNoise, 0.0), (DiscreteGaussianNoise, 1e-5)])
def test_a_kind_of_noise_keeps_the_promise_it_was_made_from(kind, delta):
    noise = kind.of_epsilon(0.9, delta)
    guarantee = noise.guarantee("a query")
    assert (guarantee.epsilon, guarantee.delta) == (pytest.approx(0.9), delta)
    half = noise.guarantee("a query", share=Sensitivity(0.5, 0.5), neighbours=ADD_OR_REMOVE_ONE)
    assert half.epsilon < guarantee.epsilon and half.neighbours == ADD_OR_REMOVE_ONE
    assert noise.scale(Sensitivity(2.0, 2.0, whole=True)) == pytest.approx(2 * noise.scale(Sensitivity(1.0, 1.0, whole=True)))
