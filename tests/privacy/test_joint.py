"""Plain, joint and local privacy are types: what implies what, what adds up, and what would go wrong otherwise."""

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.privacy import (
    ADD_OR_REMOVE_ONE,
    ADD_REMOVE_OR_REPLACE_ONE,
    BILLBOARD,
    FIXED_OR_PUBLIC,
    REPLACE_ONE,
    TRAJECTORY,
    Guarantee,
    Model,
    Status,
    billboard,
    compose_guarantees,
    gaussian_epsilon,
    privacy_statement,
)

EPSILON = np.log(3)


def promise(epsilon=1.0, delta=1e-5, **more):
    return Guarantee(epsilon, delta, **{"unit": TRAJECTORY, "neighbours": REPLACE_ONE, "status": Status.PROVED, "basis": "a test"} | more)


def gaussian(mu, **more):
    return promise(float(gaussian_epsilon(1e-5, mu)), mu=mu, **more)


@pytest.mark.parametrize("one, other", list(permutations(Model, 2)))
def test_guarantees_of_different_models_are_never_added_up(one, other):
    with pytest.raises(ValueError, match=f"^model must be the same in all guarantees to be added up, got '{one.value}' and '{other.value}'"):
        compose_guarantees(promise(model=one), promise(model=other))
    with pytest.raises(ValueError, match="^model must be the same"):
        privacy_statement(promise(model=one), promise(model=other), released="two tables")


@pytest.mark.parametrize("model, words", [(Model.CENTRAL, ")-differential privacy"), (Model.JOINT, ")-joint differential privacy"),
                                          (Model.LOCAL, ")-local differential privacy")])
def test_a_guarantee_says_which(model, words):
    own, both = promise(model=model), compose_guarantees(promise(model=model), promise(model=model))
    assert words in str(own) and words in str(both) and both.model is model and own != promise(model=next(m for m in Model if m is not model))
    assert Guarantee.from_json(own.to_json()) == own


@pytest.mark.parametrize("model", [Model.CENTRAL, Model.LOCAL])
def test_what_is_treated_from_a_billboard_is_jointly_private(model):
    joint = billboard(gaussian(0.3, model=model))
    assert joint.model is Model.JOINT and joint.mu == 0.3 and joint.epsilon == gaussian(0.3).epsilon and joint.assumes == (BILLBOARD,)
    assert "joint by the billboard lemma" in joint.basis and "-joint differential privacy for one trajectory" in str(joint)


@pytest.mark.parametrize("wrong, message", [
    (promise(model=Model.JOINT), "guarantee must be central or local to be made joint"),
    (promise(neighbours=ADD_OR_REMOVE_ONE), "guarantee must be under replace one"),
    (promise(neighbours=ADD_REMOVE_OR_REPLACE_ONE), "guarantee must be under replace one"),
    ("a promise", "guarantee must be of type Guarantee, got 'a promise'")])
def test_what_has_no_joint_guarantee(wrong, message):
    with pytest.raises(ValueError, match=message):
        billboard(wrong)
    assert billboard(promise(neighbours=ADD_OR_REMOVE_ONE).to(REPLACE_ONE)).epsilon == 2


def test_joint_guarantees_add_up_and_say_what_that_takes():
    one, other = (billboard(gaussian(mu)) for mu in (0.3, 0.4))
    both = compose_guarantees(one, other)
    assert both.mu == pytest.approx(0.5) and both.model is Model.JOINT and both.assumes == (BILLBOARD, FIXED_OR_PUBLIC)
    assert FIXED_OR_PUBLIC not in compose_guarantees(one).assumes and FIXED_OR_PUBLIC not in compose_guarantees(gaussian(0.3), gaussian(0.4)).assumes
    assert FIXED_OR_PUBLIC in str(privacy_statement(one, other, released="two hospitals' treatments"))


@given(st.lists(st.floats(0.05, 1), min_size=2, max_size=5), st.booleans())
def test_the_numbers_are_those_of_the_others_views(mus, pure):
    """For each k the views of all others are ordinary releases about k: the same sums as for these."""
    plain = [promise(mu, 0.0) if pure else gaussian(mu) for mu in mus]
    joint = compose_guarantees(*map(billboard, plain), delta=None)
    assert (joint.epsilon, joint.delta, joint.mu) == (compose_guarantees(*plain).epsilon, compose_guarantees(*plain).delta, compose_guarantees(*plain).mu)


# ---- two people with a bit each: a mechanism is P[own bits][outputs], both of shape (2, 2)

RIGHT = np.exp(EPSILON) / (1 + np.exp(EPSILON))
BITS = list(product((0, 1), repeat=2))


def noisy_neighbour():
    """Each person learns the other's bit by randomised response: exactly EPSILON-joint."""
    law = np.zeros((2, 2, 2, 2))
    for (u, v), (o, p) in product(BITS, BITS):
        law[u, v, o, p] = (RIGHT if o == v else 1 - RIGHT) * (RIGHT if p == u else 1 - RIGHT)
    return law


def own_secret():
    """Each person is told her own bit, and nobody anything else: 0-joint."""
    return np.array([[[[float((o, p) == (u, v)) for p in (0, 1)] for o in (0, 1)] for v in (0, 1)] for u in (0, 1)])


def joint_loss(view):
    """The largest log-ratio of ``view[u, v, ...]``, what the second person sees, when the first one's bit u is replaced."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.abs(np.log(view[0]) - np.log(view[1]))
    return np.nan_to_num(logs, nan=0.0, posinf=np.inf).max()


def test_views_of_independent_mechanisms_compose():
    view = noisy_neighbour().sum(axis=2)  # the second person's output
    assert joint_loss(view) == pytest.approx(EPSILON)
    both = view[:, :, :, None] * view[:, :, None, :]
    assert joint_loss(both) == pytest.approx(2 * EPSILON)
    with_secret = view[:, :, :, None] * own_secret().sum(axis=2)[:, :, None, :]
    assert joint_loss(with_secret) == pytest.approx(EPSILON)


def test_what_one_person_was_told_must_not_choose_what_comes_next():
    """Two mechanisms of joint privacy 0. The second ignores the data; chosen by the first's outputs, it publishes one."""
    first = own_secret()
    told = np.zeros((2, 2, 2, 2, 2))  # u, v, the first's outputs, and then what both see
    for o in (0, 1):
        told[:, :, o, :, o] = first[:, :, o, :]
    assert joint_loss(first.sum(axis=2)) == 0
    assert joint_loss(told.sum(axis=2)) == np.inf


def test_a_joint_guarantee_is_no_central_one():
    law = noisy_neighbour()
    assert joint_loss(law) == pytest.approx(EPSILON)
    fitting = own_secret()
    assert joint_loss(fitting.sum(axis=2)) == 0 and joint_loss(fitting) == np.inf


def test_a_claim_or_a_group_stays_what_it_is_when_made_joint():
    claimed = replace(promise(), status=Status.CLAIMED)
    assert billboard(claimed).status is Status.CLAIMED
    assert billboard(gaussian(0.1).group(3)).mu == pytest.approx(0.3) == billboard(gaussian(0.1)).group(3).mu
