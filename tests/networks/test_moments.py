"""One release: its sensitivity attained and never exceeded, the law of its noise, and ridge by a second route."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from torch import nn

from privrl_core.networks.insulin import PUBLIC, logged_days
from privrl_core.networks.moments import (
    MomentsRelease,
    half_vector,
    last_hidden,
    linear_model,
    person_moments_non_private,
    poly1,
    poly2,
    release_moments_once,
    renoised,
    ridge,
    ridge_head,
    whitened,
)
from privrl_core.networks.trajectories import Trajectories
from privrl_core.privacy.curves import gaussian_mu
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE, ADD_REMOVE_OR_REPLACE_ONE, REPLACE_ONE

PROMISE = {"epsilon": 1.0, "delta": 1e-5}


class Silent(np.random.Generator):
    """A generator of zeros: the release without its noise."""

    def __init__(self):
        super().__init__(np.random.PCG64())

    def normal(self, loc=0.0, scale=1.0, size=None):
        return np.zeros(size)


def of(inputs, labels, lengths=None):
    inputs, labels = torch.as_tensor(inputs, dtype=torch.float64), torch.as_tensor(labels, dtype=torch.float64)
    return Trajectories(inputs, labels, torch.full((len(inputs),), inputs.shape[1]) if lengths is None else torch.as_tensor(lengths))


def identity(inputs):
    return inputs


def simulated(people=60, seed=0):
    return logged_days(PUBLIC, people, np.random.default_rng(seed))


# ------------------------------------------------------------------------- sensitivity

def test_two_orthogonal_people_attain_root_two_and_no_more_is_claimed():
    inputs = np.zeros((2, 4, 3))
    inputs[0, :, 0], inputs[1, :, 1] = 100.0, 100.0  # their moments point in orthogonal directions, and are clipped
    one, other = person_moments_non_private(of(inputs, np.zeros((2, 4, 1))), identity, clip=0.7)
    assert np.linalg.norm(one) == pytest.approx(0.7, rel=1e-12)
    assert np.linalg.norm(one - other) == pytest.approx(np.sqrt(2) * 0.7, abs=1e-9)


def test_ten_thousand_random_pairs_never_exceed_it():
    rng = np.random.default_rng(9108)
    for _ in range(10):
        people, horizon, d = 1000, rng.integers(1, 9), rng.integers(1, 5)
        scale = 10.0 ** rng.uniform(-6, 6, (2 * people, 1, 1))
        # most pairs nearly parallel or nearly orthogonal, where the bound could fail
        base = rng.standard_normal((2 * people, 1, d)) + 10.0 ** rng.uniform(-3, 1) * rng.standard_normal((2 * people, horizon, d))
        labels = rng.choice([-1e5, -1.0, 1.0, 1e5], (2 * people, horizon, 1))
        moments = person_moments_non_private(of(scale * base, labels), identity, clip=1.5)
        assert np.linalg.norm(moments, axis=(1, 2)).max() <= 1.5 * (1 + 1e-12)
        assert np.linalg.norm(moments[:people] - moments[people:], axis=(1, 2)).max() <= np.sqrt(2) * 1.5 * (1 + 1e-12)


@given(st.lists(st.floats(-1e150, 1e150), min_size=6, max_size=6), st.sampled_from([1e-3, 1.0, 1e5]))
def test_no_person_is_longer_than_the_clip(values, clip):
    inputs = np.array(values[:4]).reshape(1, 2, 2)
    labels = np.array(values[4:]).reshape(1, 2, 1)
    moments = person_moments_non_private(of(inputs / 1e75, labels), identity, clip=clip)
    assert np.linalg.norm(moments[0]) <= clip * (1 + 1e-12)


def test_the_half_vector_is_an_isometry():
    rng = np.random.default_rng(0)
    a, b = (each + each.T for each in rng.standard_normal((2, 6, 6)))
    assert half_vector(a).shape == (21,)
    assert half_vector(a) @ half_vector(b) == pytest.approx(np.sum(a * b), rel=1e-12)


def test_padding_is_not_seen():
    day = simulated(5)
    short = of(day.inputs[:, :10], day.labels[:, :10], [4] * 5)
    spoilt = of(day.inputs[:, :10], day.labels[:, :10], [4] * 5)
    spoilt.inputs[:, 4:] = 1e30
    assert np.array_equal(person_moments_non_private(short, poly2), person_moments_non_private(spoilt, poly2))


# -------------------------------------------------------------------- the release itself

@pytest.mark.parametrize("neighbours, length", [(ADD_OR_REMOVE_ONE, 1.0), (REPLACE_ONE, np.sqrt(2))])
def test_scale_and_guarantees(neighbours, length):
    release = release_moments_once(simulated(), poly1, clip=3.0, neighbours=neighbours, noise_rng=np.random.default_rng(0), **PROMISE)
    mu = float(gaussian_mu(1.0, 1e-5))
    assert release.noise.scale == pytest.approx(length * 3.0 / mu, rel=1e-12)
    assert release.guarantee.neighbours == neighbours and release.guarantee.mu == pytest.approx(mu, rel=1e-12)
    assert release.guarantee.epsilon == pytest.approx(1.0, rel=1e-6)
    for other, own in ((ADD_OR_REMOVE_ONE, 1.0), (REPLACE_ONE, np.sqrt(2))):
        assert release.under(other).mu == pytest.approx(own * 3.0 / release.noise.scale, rel=1e-12)


def test_without_noise_the_release_is_the_sum_and_blocks_do_not_matter():
    people = simulated(5000)
    release = release_moments_once(people, poly1, clip=2.0, neighbours=REPLACE_ONE, noise_rng=Silent(), **PROMISE)
    assert release.moments == pytest.approx(person_moments_non_private(people, poly1, clip=2.0).sum(axis=0), rel=1e-12)


def test_the_noise_is_of_the_stated_law():
    """Whitened by its law, the noise of 400 releases has squares whose sum is a chi-square, on and above the diagonal."""
    people = simulated(3)
    silent = release_moments_once(people, poly1, clip=1.0, neighbours=REPLACE_ONE, noise_rng=Silent(), **PROMISE)
    rng = np.random.default_rng(9109)
    noise = np.array([release_moments_once(people, poly1, clip=1.0, neighbours=REPLACE_ONE, noise_rng=rng, **PROMISE).moments
                      for _ in range(400)]) - silent.moments
    assert np.array_equal(noise, np.swapaxes(noise, 1, 2))
    row, column = np.triu_indices(9, 1)
    for part in (np.diagonal(noise, axis1=1, axis2=2), np.sqrt(2) * noise[:, row, column]):
        low, high = chi2.ppf([1e-7, 1 - 1e-7], part.size)  # fails by chance four times in ten million runs
        assert low < np.square(part / silent.noise.scale).sum() < high


def test_the_same_seed_gives_the_same_bytes():
    one, two = (release_moments_once(simulated(), poly2, clip=1.0, neighbours=REPLACE_ONE, noise_rng=np.random.default_rng(3),
                                     **PROMISE).moments.tobytes() for _ in range(2))
    assert one == two


# ----------------------------------------------------------------------------- heads

def test_ridge_by_its_equation_and_least_squares_without_noise():
    moments = person_moments_non_private(simulated(200), poly1).sum(axis=0)
    a, b = moments[:-1, :-1], moments[:-1, -1]
    prior, strength = np.arange(8) / 8, 2.0 * np.sqrt(16) * 0.3
    expected = np.linalg.solve(a + strength * np.eye(8), b + strength * prior)
    assert ridge(moments, 0.3, prior=prior, factor=2.0) == pytest.approx(expected, rel=1e-9)
    assert ridge(moments, 0.0) == pytest.approx(np.linalg.solve(a, b), rel=1e-7)
    assert ridge(moments, 1e12, prior=prior) == pytest.approx(prior, abs=1e-6)


def test_eigenvalues_that_noise_made_negative_are_raised():
    strength = np.sqrt(4) * 1.0
    moments = np.diag([-50.0, 3.0, 1.0])
    moments[:2, 2] = moments[2, :2] = 1.0
    assert ridge(moments, 1.0) == pytest.approx([1 / (strength / 2), 1 / (3 + strength)], rel=1e-12)


def test_a_head_of_many_people_finds_the_rule_and_of_few_the_prior():
    rng = np.random.default_rng(9110)
    truth = np.array([0.3, -0.5, 0.2])
    inputs = rng.standard_normal((20_000, 10, 2))
    labels = np.concatenate((np.ones((20_000, 10, 1)), inputs), axis=2) @ truth + 0.1 * rng.standard_normal((20_000, 10))
    people, prior = of(inputs, labels[..., None]), np.array([0.0, 0.0, 1.0])
    many, few = (ridge_head(release_moments_once(people.people(slice(n)), poly1, clip=3.0, neighbours=ADD_OR_REMOVE_ONE,
                                                 noise_rng=rng, **PROMISE), prior=prior)
                 for n, rng in ((20_000, np.random.default_rng(0)), (2, Silent())))
    assert many == pytest.approx(truth, abs=0.02)
    assert few == pytest.approx(prior, abs=0.1)


def test_an_ensemble_for_free_carries_twice_the_variance():
    release = release_moments_once(simulated(), poly1, clip=1.0, neighbours=REPLACE_ONE, noise_rng=np.random.default_rng(1), **PROMISE)
    moments, scale = renoised(release, 2000, np.random.default_rng(9111))
    assert scale == pytest.approx(np.sqrt(2) * release.noise.scale)
    fresh = half_vector(moments - release.moments) / release.noise.scale
    low, high = chi2.ppf([1e-7, 1 - 1e-7], fresh.size)
    assert low < np.square(fresh).sum() < high
    assert ridge(moments, scale).shape == (2000, 8)


def test_features():
    x = torch.arange(14, dtype=torch.float64).reshape(2, 7)
    assert poly1(x).shape == (2, 8) and poly2(x).shape == (2, 36)
    assert torch.equal(poly2(x)[:, 8], x[:, 0] ** 2)
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(7, 16), nn.Tanh(), nn.Linear(16, 1)).double()
    prior = torch.cat((net[-1].bias, net[-1].weight[0])).detach().numpy()
    assert torch.allclose(linear_model(last_hidden(net), prior)(x), net(x))


def test_whitened_features_have_unit_moments_where_public_days_say_anything_and_give_the_same_fits():
    public = simulated(300, 1)

    def eigenvalues(features):
        return np.linalg.eigvalsh(person_moments_non_private(public, features).sum(axis=0)[:-1, :-1] / float(public.weights.sum()))
    white, plain = eigenvalues(whitened(poly1, public)), eigenvalues(poly1)
    assert np.sort(white) == pytest.approx(np.sort(np.minimum(1, plain / (0.01 * plain.mean()))), abs=1e-9)
    assert (white > 0.999).sum() >= 6
    twice = eigenvalues(whitened(lambda inputs: torch.cat((inputs, inputs), dim=-1), public))
    assert twice[:7] == pytest.approx(np.zeros(7), abs=1e-9)
    x = simulated(3, 2).inputs
    heads = [linear_model(each, ridge(person_moments_non_private(public, each).sum(axis=0), 0.0))(x)
             for each in (whitened(poly1, public), poly1)]
    assert torch.allclose(*heads, atol=1e-8)


def test_features_see_one_person_at_a_time_and_what_is_not_finite_adds_nothing():
    people = logged_days(PUBLIC, 30, np.random.default_rng(1))
    alone = np.concatenate([person_moments_non_private(people.people([i]), lambda x: (x - x.mean()) / x.std()) for i in range(30)])
    assert person_moments_non_private(people, lambda x: (x - x.mean()) / x.std()) == pytest.approx(alone, abs=1e-12)
    assert (person_moments_non_private(people, lambda x: x / 0) == 0).all()
    nobody = release_moments_once(people.people(slice(0, 0)), poly1, clip=1.0, epsilon=1.0, delta=1e-5, neighbours=ADD_OR_REMOVE_ONE,
                                  noise_rng=np.random.default_rng(2))
    assert nobody.moments.shape == (9, 9) and (nobody.moments != 0).all()


@pytest.mark.parametrize("change, message", [
    ({"clip": 0}, "clip must be positive, got 0"),
    ({"clip": float("nan")}, "clip must be finite, got nan"),
    ({"label_bound": -1}, "label_bound must be positive, got -1"),
    ({"epsilon": -1.0}, "epsilon must be at least 0, got -1.0"),
    ({"neighbours": ADD_REMOVE_OR_REPLACE_ONE}, "neighbours must be replace one or add or remove one, got add, remove or replace one"),
    ({"noise_rng": 0}, "noise_rng must be a numpy.random.Generator, got 0"),
    ({"people": np.zeros((2, 3, 7))}, "people must be of type Trajectories"),
    ({"features": lambda x: x[0]}, "features must map [H, d] to [H, p]"),
    ({"people": of(np.zeros((2, 3, 7)), np.zeros((2, 3, 2)))}, "labels must be one number a step, got 2"),
])
def test_bad_input_is_one_sentence(change, message):
    arguments = {"people": simulated(2), "features": poly1, "clip": 1.0, "neighbours": REPLACE_ONE,
                 "noise_rng": np.random.default_rng(0), **PROMISE} | change
    people, features = arguments.pop("people"), arguments.pop("features")
    with pytest.raises(ValueError) as error:
        release_moments_once(people, features, **arguments)
    assert str(error.value).startswith(message)


def test_nan_in_the_records_names_the_trajectory():
    inputs = np.zeros((3, 2, 7))
    inputs[1, 1, 4] = np.nan
    with pytest.raises(ValueError, match="in trajectory 1 at step 1"):
        of(inputs, np.zeros((3, 2, 1)))


def test_a_release_is_what_may_be_published():
    release = release_moments_once(simulated(), poly1, clip=1.0, neighbours=REPLACE_ONE, noise_rng=np.random.default_rng(1), **PROMISE)
    assert isinstance(release, MomentsRelease) and set(release.published) == {"moments"}
    with pytest.raises(ValueError, match="read-only"):
        release.moments[0, 0] = 1.0
