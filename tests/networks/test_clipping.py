"""One gradient a person: four ways to the same sum, and people who try to be longer than C."""

import copy
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from privrl_core.networks import Trajectories, clipped_sum, clipping, person_gradients, squared_error

SIZES = [([7, 16, 16, 1], 24), ([7, 64, 64, 1], 5), ([3, 200, 2], 2), ([2, 1], 1), ([4, 30, 3], 12)]  # by products, too


def network(sizes, dtype=torch.float64, activation=nn.Tanh, bias=True, seed=0):
    torch.manual_seed(seed)
    layers = [part for n, m in zip(sizes[:-1], sizes[1:]) for part in (nn.Linear(n, m, bias=bias, dtype=dtype), activation())]
    return nn.Sequential(*layers[:-1])


class Recurrent(nn.Module):
    """A network with a memory: no feed-forward network, and its steps are not alike."""

    def __init__(self, inputs, outputs, dtype=torch.float64):
        super().__init__()
        self.inputs, self.memory = nn.Linear(inputs, 6, dtype=dtype), nn.Linear(6, 6, dtype=dtype)
        self.outputs = nn.Linear(6, outputs, dtype=dtype)

    def forward(self, x):
        state, states = torch.zeros_like(self.inputs(x[..., 0, :])), []
        for step in range(x.shape[-2]):
            state = torch.tanh(self.inputs(x[..., step, :]) + self.memory(state))
            states.append(state)
        return self.outputs(torch.stack(states, dim=-2))


def days(n, horizon, inputs, outputs, dtype=torch.float64, seed=0):
    rng = np.random.default_rng(seed)
    table = [torch.as_tensor(rng.normal(size=(n, horizon, size)), dtype=dtype) for size in (inputs, outputs)]
    return Trajectories(*table, rng.integers(1, horizon + 1, n))


def loop(model, loss, people):
    """The definition: a backward pass for each person, up to the person's end. ``[N, P]``."""
    parameters, rows = list(model.parameters()), []
    for x, y, length in zip(people.inputs, people.labels, people.lengths):
        total = loss(model(x[:length]), y[:length]).sum() / people.horizon
        rows.append(torch.cat([each.flatten() for each in torch.autograd.grad(total, parameters)]))
    return torch.stack(rows)


def clipped(rows, clip):
    return rows * (clip / rows.norm(dim=1).clamp(min=clip))[:, None]


def flat(gradients):
    return torch.cat([each.flatten() for each in gradients.values()])


@pytest.mark.parametrize("activation, bias", [(nn.Tanh, True), (nn.ReLU, True), (nn.SiLU, False)])
@pytest.mark.parametrize("sizes, horizon", SIZES, ids=str)
def test_layers_and_vmap_agree_with_a_loop(sizes, horizon, activation, bias):
    model, people = network(sizes, activation=activation, bias=bias), days(20, horizon, sizes[0], sizes[-1])
    rows = loop(model, squared_error, people)
    by_person = torch.cat([each.flatten(1) for each in person_gradients(model, squared_error, people).values()], dim=1)
    torch.testing.assert_close(by_person, rows, atol=1e-10, rtol=0)
    for clip in (1e-3, rows.norm(dim=1).median().item(), 1e3):
        torch.testing.assert_close(flat(clipped_sum(model, squared_error, people, clip)), clipped(rows, clip).sum(0), atol=1e-10, rtol=0)


@pytest.mark.parametrize("engine", ["hooks", "functorch", "ew"])
def test_opacus_has_the_same_gradients(engine):
    from opacus.grad_sample import GradSampleModule, GradSampleModuleExpandedWeights
    model, people = network([7, 16, 16, 1]), days(30, 24, 7, 1)
    rows = loop(model, squared_error, people)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about hooks of modules whose inputs need no gradient
        kind = GradSampleModuleExpandedWeights if engine == "ew" else GradSampleModule
        options = {"force_functorch": True} if engine == "functorch" else {}
        wrapped = kind(copy.deepcopy(model), batch_first=True, loss_reduction="sum", **options)
        (people.weights * squared_error(wrapped(people.inputs), people.labels)).sum().backward()
    theirs = torch.cat([each.grad_sample.flatten(1) for each in wrapped.parameters()], dim=1)
    torch.testing.assert_close(theirs, rows, atol=1e-10, rtol=0)


def test_a_network_with_a_memory_is_clipped_as_well():
    model, people = Recurrent(3, 2), days(15, 9, 3, 2)
    rows = loop(model, squared_error, people)
    torch.testing.assert_close(flat(clipped_sum(model, squared_error, people, 0.3)), clipped(rows, 0.3).sum(0), atol=1e-10, rtol=0)


in_parts = pytest.mark.parametrize("at_once", [1, 700, 20_000])  # numbers: one person in a part, some, and several parts in a pass


@in_parts
@pytest.mark.parametrize("model", [network([7, 64, 64, 1]), network([7, 8, 1]), Recurrent(7, 1)], ids=["products", "rows", "vmap"])
def test_parts_of_many_people_add_up(model, at_once, monkeypatch):
    monkeypatch.setitem(clipping.AT_ONCE, "cpu", at_once)
    people = days(70, 3, 7, 1)
    torch.testing.assert_close(flat(clipped_sum(model, squared_error, people, 0.1)),
                               clipped(loop(model, squared_error, people), 0.1).sum(0), atol=1e-10, rtol=0)


def test_only_what_is_trained_has_a_gradient():
    model, people = network([4, 8, 2]), days(5, 3, 4, 2)
    model[0].requires_grad_(False)
    assert list(clipped_sum(model, squared_error, people, 1.0)) == ["2.weight", "2.bias"]


@given(horizon=st.integers(1, 30), width=st.sampled_from([4, 16, 64, 200]), alternating=st.floats(1, 1e6), far=st.floats(0.01, 1e4),
       seed=st.integers(0, 10), length=st.integers(1, 30), dtype=st.sampled_from([torch.float32, torch.float64]))
@settings(max_examples=150, deadline=None)
def test_nobody_is_longer_than_c(horizon, width, alternating, far, seed, length, dtype):
    """People whose steps nearly cancel, huge inputs, any length: what is added to the sum is at most C(1 + 1e-6) long."""
    model, rng = network([7, width, width, 1], dtype, seed=seed), np.random.default_rng(seed)
    day = np.tile(far * rng.normal(size=7), (horizon, 1)) + 1e-6 * rng.normal(size=(horizon, 7))
    labels = alternating * (-1.0) ** np.arange(horizon)[:, None]
    one = Trajectories(torch.as_tensor(day[None], dtype=dtype), torch.as_tensor(labels[None], dtype=dtype), [min(length, horizon)])
    for each in (model, Recurrent(7, 1, dtype)):
        added = flat(clipped_sum(each, squared_error, one, 0.2)).double().norm()
        assert added <= 0.2 * (1 + 1e-6)


def test_a_length_taken_in_float32_would_let_a_person_through():
    """The slip: in float32 the length from products of steps loses its digits for a person whose labels alternate."""
    horizon, width, torn = 24, 256, 0
    model = network([7, width, width, 1], torch.float32)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        day = torch.as_tensor(np.tile(rng.normal(size=7), (horizon, 1)) + 1e-4 * rng.normal(size=(horizon, 7)), dtype=torch.float32)
        labels = torch.as_tensor(1e5 * (-1.0) ** np.arange(horizon)[:, None], dtype=torch.float32)
        one = Trajectories(day[None], labels[None], [horizon])
        a, outputs = [], []
        x = one.inputs
        for layer in model:
            if isinstance(layer, nn.Linear):
                a.append(x)
            x = layer(x)
            if isinstance(layer, nn.Linear):
                outputs.append(x)
        u = torch.autograd.grad((one.weights * squared_error(x, one.labels)).sum(), outputs)
        short = sum(((p @ p.mT) * (q @ q.mT)).sum().clamp(min=0) + q.sum(1).square().sum() for p, q in zip(a, u)).sqrt()
        gradient = torch.cat([each.flatten(1) for each in person_gradients(model, squared_error, one).values()], dim=1).double().norm().item()
        torn = max(torn, gradient * min(1, 0.2 / short.item()) / 0.2)
        assert flat(clipped_sum(model, squared_error, one, 0.2)).double().norm() <= 0.2 * (1 + 1e-6)
    assert torn > 1.01  # a person counts for more than C


def test_a_constant_day_has_length_min_of_g_and_c_and_h_c_if_each_step_is_clipped():
    model = network([7, 16, 1])
    one = Trajectories(torch.ones(1, 24, 7, dtype=torch.float64), torch.full((1, 24, 1), 50.0, dtype=torch.float64), [24])
    steps = Trajectories(one.inputs.reshape(24, 1, 7), one.labels.reshape(24, 1, 1), [1] * 24)  # the slip: steps as rows
    length = loop(model, squared_error, one).norm()
    assert flat(clipped_sum(model, squared_error, one, 0.2)).norm() == pytest.approx(0.2, abs=1e-12)
    assert flat(clipped_sum(model, squared_error, one, 1e6)).norm() == pytest.approx(float(length), rel=1e-12)
    assert flat(clipped_sum(model, squared_error, steps, 0.2)).norm() == pytest.approx(24 * 0.2, abs=1e-9)


@pytest.mark.parametrize("model", [network([3, 8, 1]), Recurrent(3, 1)], ids=["layers", "vmap"])
def test_padding_changes_nothing(model):
    people = days(6, 10, 3, 1)
    inside = (torch.arange(10) < people.lengths[:, None])[..., None]
    other = Trajectories(torch.where(inside, people.inputs, float("nan")), torch.where(inside, people.labels, 1e300), people.lengths)
    assert torch.equal(flat(clipped_sum(model, squared_error, people, 0.2)), flat(clipped_sum(model, squared_error, other, 0.2)))


def mixing(outputs, labels):
    """A loss of the right shape that standardises over all that it is given."""
    return ((outputs - labels) / (outputs - labels).std()).square().sum(dim=-1)


@pytest.mark.parametrize("model", [network([3, 8, 1]), Recurrent(3, 1)], ids=["layers", "vmap"])
def test_a_loss_sees_one_person_at_a_time(model):
    people = days(20, 6, 3, 1)
    alone = sum(flat(clipped_sum(model, mixing, people.people([i]), 0.1)) for i in range(20))
    torch.testing.assert_close(flat(clipped_sum(model, mixing, people, 0.1)), alone, atol=1e-12, rtol=0)


@pytest.mark.parametrize("model", [network([3, 8, 1], torch.float32), network([3, 200, 1], torch.float32), Recurrent(3, 1, torch.float32)],
                         ids=["layers", "products", "vmap"])
@pytest.mark.parametrize("her", [0, 4, 9])
@in_parts
def test_a_person_whose_gradient_is_not_finite_adds_nothing_and_makes_no_error(model, at_once, her, monkeypatch):
    monkeypatch.setitem(clipping.AT_ONCE, "cpu", at_once)
    people = days(10, 1, 3, 1, torch.float32)
    labels = people.labels.clone()
    labels[her] = 3e38
    others = people.people([i for i in range(10) if i != her])
    with_her = clipped_sum(model, squared_error, Trajectories(people.inputs, labels, people.lengths), 0.1)
    torch.testing.assert_close(flat(with_her), flat(clipped_sum(model, squared_error, others, 0.1)), atol=1e-7, rtol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_one_of_many_moves_the_sum_by_c_also_in_float32_and_under_autocast(dtype):
    model, people = network([3, 16, 1], dtype), days(5000, 4, 3, 1, dtype)
    people = Trajectories(people.inputs.abs(), people.labels + 50, people.lengths)  # all pull the same way, and are long
    with torch.autocast("cpu", dtype=torch.bfloat16):
        moved = flat(clipped_sum(model, squared_error, people, 0.2)) - flat(clipped_sum(model, squared_error, people.people(slice(1, None)), 0.2))
    assert moved.norm() <= 0.2 * (1 + 1e-6)


def test_autocast_and_layers_that_overwrite_change_no_digit():
    people = days(20, 4, 3, 1, torch.float32)
    model = network([3, 16, 1], torch.float32)
    alone = flat(clipped_sum(model, squared_error, people, 0.2))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(flat(clipped_sum(model, squared_error, people, 0.2)), alone)
    torch.manual_seed(1)
    overwritten = nn.Sequential(nn.Linear(3, 8), nn.ReLU(inplace=True), nn.Linear(8, 1)).double()
    people = days(20, 4, 3, 1)
    torch.testing.assert_close(flat(clipped_sum(overwritten, squared_error, people, 0.2)),
                               clipped(loop(overwritten, squared_error, people), 0.2).sum(0), atol=1e-10, rtol=0)


class Doubled(nn.Sequential):
    def forward(self, x):
        return 2 * super().forward(x)


def rewritten():
    model = network([3, 6, 1])
    torch.nn.utils.parametrizations.weight_norm(model[0])
    return model


def hooked():
    model = network([3, 6, 1])
    model[0].register_forward_hook(lambda module, x, out: 3 * out)
    return model


@pytest.mark.parametrize("model", [Doubled(*network([3, 6, 1])), rewritten(), hooked()], ids=["subclass", "rewritten", "hooked"])
def test_what_looks_like_layers_and_is_none_has_its_own_gradients(model):
    people = days(12, 5, 3, 1)
    torch.testing.assert_close(flat(clipped_sum(model, squared_error, people, 0.3)), clipped(loop(model, squared_error, people), 0.3).sum(0),
                               atol=1e-10, rtol=0)


TIED = nn.Linear(3, 3, dtype=torch.float64)


@pytest.mark.parametrize("wrong, message", [
    (dict(model=nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))), "model must treat each person alone, got BatchNorm1d"),
    (dict(model=nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5))), "model must draw nothing by itself, got Dropout"),
    (dict(model=nn.Tanh()), "model must have parameters that require a gradient, got none"),
    (dict(model=network([3, 1], torch.float16)), r"model must have parameters in float32 or float64, .* got torch.float16"),
    (dict(model="network"), "model must be of type Module"),
    (dict(model=nn.Sequential(TIED, nn.Tanh(), TIED)), "model must use each parameter once, got some again under other names: 2.bias, 2.weight"),
    (dict(people="days"), "people must be of type Trajectories"),
    (dict(clip=0), "clip must be positive, got 0"),
    (dict(clip=float("nan")), "clip must be finite, got nan"),
    (dict(loss=torch.nn.functional.mse_loss), r"loss must give one number for each step, \[5\], got \[\]"),
    (dict(loss=lambda outputs, labels: (outputs - labels) ** 2), r"loss must give one number for each step, \[5\], got \[5, 1\]"),
], ids=[str(number) for number in range(11)])
@pytest.mark.parametrize("model", [network([3, 1]), Recurrent(3, 1)], ids=["layers", "vmap"])
def test_what_cannot_be_clipped_is_one_sentence(model, wrong, message):
    arguments = dict(model=model, loss=squared_error, people=days(4, 5, 3, 1), clip=0.1)
    with pytest.raises(ValueError, match=message):
        clipped_sum(**arguments | wrong)


def test_batch_norm_with_fixed_statistics_and_dropout_that_is_off_are_allowed():
    model = nn.Sequential(nn.Linear(3, 4, dtype=torch.float64), nn.BatchNorm1d(4, dtype=torch.float64), nn.Dropout(), nn.Linear(4, 1, dtype=torch.float64)).eval()
    people = days(4, 5, 3, 1)
    assert flat(clipped_sum(model, squared_error, people, 0.1)).norm() <= 0.4


@pytest.mark.parametrize("arguments, message", [
    ((np.zeros((2, 3)), np.zeros((2, 3, 1)), [1, 2]), r"inputs must have one axis each .* got \[2, 3\]"),
    ((np.zeros((2, 3, 1), int), np.zeros((2, 3, 1)), [1, 2]), "inputs must be float32 or float64, .* got torch.int64"),
    ((np.zeros((2, 3, 1), np.float16), np.zeros((2, 3, 1)), [1, 2]), "inputs must be float32 or float64, .* got torch.float16"),
    ((np.zeros((2, 3, 1)), np.zeros((3, 3, 1)), [1, 2]), "labels must have the people"),
    ((np.zeros((2, 3, 1)), np.zeros((2, 3, 1), np.float32), [1, 2]), "labels must have the people"),
    ((np.zeros((2, 3, 1)), np.zeros((2, 3, 1)), [0, 2]), "lengths must be from 1 to H = 3, got 0 for trajectory 0"),
    ((np.zeros((2, 3, 1)), np.zeros((2, 3, 1)), [1, 4]), "lengths must be from 1 to H = 3, got 4 for trajectory 1"),
    ((np.zeros((2, 3, 1)), np.zeros((2, 3, 1)), [1.0, 2.0]), "lengths must be 2 whole numbers"),
    ((np.zeros((2, 3, 1)), np.array([[[0.], [0.], [0.]], [[0.], [np.nan], [0.]]]), [1, 2]), r"labels must be finite, got \[nan\] in trajectory 1 at step 1"),
], ids=[str(number) for number in range(9)])
def test_what_is_no_trajectory_is_one_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        Trajectories(*arguments)


def test_public_bounds_hold_for_each_number():
    people = days(5, 4, 3, 2).clamped(inputs=0.5, labels=0.1)
    assert people.inputs.abs().max() == 0.5 and people.labels.abs().max() == 0.1
    with pytest.raises(ValueError, match="labels must be a positive bound, got 0"):
        people.clamped(inputs=1, labels=0)
