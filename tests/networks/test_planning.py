"""Planning: gradients against differences, plans side by side against plans alone, and what a plan is for."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from privrl_core.networks.insulin import DAY, PUBLIC, Day, cohort, constant_dose, kovatchev_risk, live
from privrl_core.networks.outcomes import evaluate
from privrl_core.networks.planning import (
    Plan,
    Policies,
    best_plans,
    dreamed_days,
    plan,
    planning_loss,
    public_gate,
    random_policies,
    side_by_side,
    simulated_days,
)

SHORT = Day(decisions=6, watched=3)


def network(seed=0):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(7, 16), nn.Tanh(), nn.Linear(16, 1))


def falling(x):
    """A body on which insulin in plasma lowers, and a meal raises, for arithmetic by hand."""
    return 0.5 * x[..., 6:7] - 0.5 * x[..., 4:5] - 0.1 * x[..., :1]


def as_double(policies):
    return Policies(*(each.double() for each in policies.parts))


@pytest.mark.parametrize("days", [dreamed_days(network().double()), simulated_days(PUBLIC)], ids=["dreamed", "simulated"])
def test_the_gradient_through_a_day_is_that_of_differences(days):
    parts = [each.requires_grad_() for each in as_double(random_policies(2, np.random.default_rng(0))).parts]

    def loss(parts):
        return planning_loss(days(Policies(*parts), 8, np.random.default_rng(1)), 1.5).mean()
    slopes = torch.autograd.grad(loss(parts), parts)
    rng = np.random.default_rng(2)
    directions = [torch.from_numpy(rng.standard_normal(each.shape)) for each in parts]
    ahead, behind = (loss([each + step * d for each, d in zip(parts, directions)]) for step in (1e-5, -1e-5))
    along = sum((slope * d).sum() for slope, d in zip(slopes, directions))
    assert float(along.detach()) == pytest.approx(float((ahead - behind).detach()) / 2e-5, rel=1e-5)


def test_the_loss_is_kovatchevs_risk_within_its_caps_and_rises_beyond():
    glucose = torch.tensor([21.0, 70.0, 112.5, 180.0, 599.0], dtype=torch.float64)
    assert planning_loss(glucose.log(), 1.0).numpy() == pytest.approx(kovatchev_risk(glucose).numpy(), rel=1e-12)
    assert planning_loss(glucose.log(), 3.0)[:2].numpy() == pytest.approx(3 * kovatchev_risk(glucose)[:2].numpy(), rel=1e-12)
    beyond = torch.tensor([1e-3, 1.0, 10.0, 20.0, 600.0, 1e3, 1e5], dtype=torch.float64).log().requires_grad_()
    slopes = torch.autograd.grad(planning_loss(beyond, 1.0).sum(), beyond)[0]
    assert (slopes[:4] < -100).all() and (slopes[4:] > 50).all()


@pytest.mark.parametrize("between", [nn.Tanh, nn.ReLU], ids=["stacked products", "vmap"])
def test_networks_side_by_side_are_the_networks_alone(between):
    """Numbers and gradients, in order, two copies of each."""
    torch.manual_seed(5)
    models = [nn.Sequential(nn.Linear(7, 9), between(), nn.Linear(9, 5), between(), nn.Linear(5, 1)).double() for _ in range(3)]
    x = torch.randn(6, 11, 7, dtype=torch.float64, requires_grad=True)
    said = side_by_side(models, 2)(x)
    alone = torch.stack([models[k // 2](x[k]) for k in range(6)])
    torch.testing.assert_close(said, alone, atol=1e-13, rtol=1e-12)
    both = [torch.autograd.grad(each.square().sum(), x)[0] for each in (said, alone)]
    torch.testing.assert_close(*both, atol=1e-12, rtol=1e-10)


def test_plans_side_by_side_are_the_plans_alone():
    """Twice the same model beside another, from two starts each: every plan as if it had been the only one."""
    models, start = [network(1), network(2)], random_policies(4, np.random.default_rng(3))
    start = Policies(*(each.double() for each in start.parts))
    together = plan(dreamed_days(side_by_side([each.double() for each in models], 2), day=SHORT), start, np.random.default_rng(4),
                    steps=5, people=8, day=SHORT)
    for i in range(4):
        alone = plan(dreamed_days(models[i // 2].double(), day=SHORT), start[i], np.random.default_rng(4), steps=5, people=8, day=SHORT)
        assert together.score[i] == pytest.approx(alone.score[0], rel=1e-9)
        for here, there in zip(together.policies[i].parts, alone.policies.parts):
            assert torch.allclose(here, there, rtol=1e-9, atol=1e-12)


def test_the_same_seed_gives_the_same_plan():
    start = random_policies(2, np.random.default_rng(0))
    one, two = (plan(dreamed_days(falling, day=SHORT), start, np.random.default_rng(5), steps=4, people=8, day=SHORT) for _ in range(2))
    assert all(torch.equal(here, there) for here, there in zip(one.policies.parts, two.policies.parts))
    assert one.score.tobytes() == two.score.tobytes()


def test_a_dream_of_the_true_rule_without_noise_is_the_day_itself():
    """A body without hidden state, dreamed with its own rule, and lived by that rule one half hour at a time."""
    policies = as_double(random_policies(1, np.random.default_rng(0)))
    dreamt = dreamed_days(falling, spread=0.0, noise=0.0)(policies, 3, np.random.default_rng(1))
    assert dreamt.shape == (1, 3, DAY.horizon)
    steps = torch.diff(dreamt, dim=-1) / 0.3
    assert steps.abs().max() < 2.5


def test_predictions_are_bounded():
    wild = dreamed_days(lambda x: 1e6 * torch.ones_like(x[..., :1]), noise=0.0)
    glucose = wild(as_double(random_policies(1, np.random.default_rng(0))), 3, np.random.default_rng(1))
    assert torch.allclose(torch.diff(glucose, dim=-1), torch.full((1, 3, 35), 0.3 * 2.5, dtype=torch.float64))


def test_a_plan_of_the_public_simulator_beats_every_constant_dose_and_keeps_lows_rare():
    found = plan(simulated_days(PUBLIC), random_policies(1, np.random.default_rng(9106)), np.random.default_rng(9106), steps=80, people=32, rate=0.05)
    planned = evaluate(found.policies, PUBLIC, 1000, np.random.default_rng(9107))
    constants = [evaluate(constant_dose(u), PUBLIC, 1000, np.random.default_rng(9107)).risk for u in np.arange(0, 2, 0.25)]
    assert planned.risk < 0.85 * min(constants)
    assert planned.below_70 <= 0.04 and planned.below_54 <= 0.01


def test_from_an_overdose_the_planner_finds_back():
    """All units at 10 U: beyond the caps the loss still has a slope."""
    start = random_policies(1, np.random.default_rng(0))
    start = Policies(start.hidden, start.shift, start.out, torch.full((1, 1, 1), 2.0))
    assert evaluate(start, PUBLIC, 200, np.random.default_rng(1)).is_overdose
    found = plan(simulated_days(PUBLIC), start, np.random.default_rng(2), steps=80, people=32, rate=0.1)
    assert not evaluate(found.policies, PUBLIC, 500, np.random.default_rng(3)).is_overdose


def test_of_several_starts_the_best_by_its_own_score_is_kept():
    policies = random_policies(4, np.random.default_rng(0))
    best = best_plans(Plan(policies, np.array([2.0, 1.0, np.nan, 3.0])), 2)
    assert torch.equal(best.hidden, policies.hidden[[1, 3]])


def test_the_gate_refuses_overdoses_and_plans_without_insulin_by_public_knowledge_alone():
    policies = random_policies(3, np.random.default_rng(0))
    bias = torch.tensor([-2.7, 4.0, -9.0])[:, None, None]  # about 0.6 U, 10 U, nothing
    assert public_gate(Policies(policies.hidden, policies.shift, 0 * policies.out, bias), people=300).tolist() == [True, False, False]


def test_plans_can_be_asked_about_the_same_people_or_each_about_its_own():
    policies, people = random_policies(3, np.random.default_rng(0)), cohort(PUBLIC, 5, np.random.default_rng(1))
    after, _ = live(people, policies)
    assert after.shape == (3, 5, 36, 7)
    alone, _ = live(people, policies[1])
    assert torch.allclose(after[1:2], alone, atol=1e-5)


@pytest.mark.parametrize("make, message", [
    (lambda: random_policies(0, np.random.default_rng(0)), "plans must be a whole number of at least 1, got 0"),
    (lambda: Policies(*(torch.zeros(1, 7, 16),) * 4), "shift must have shape [1, 1, 16], got [1, 7, 16]"),
    (lambda: dreamed_days(falling, noise=-1), "noise must be at least 0, got -1"),
    (lambda: plan(dreamed_days(falling), random_policies(1, np.random.default_rng(0)), np.random.default_rng(0), rate=0), "rate must be positive"),
    (lambda: plan(dreamed_days(lambda x: torch.nan * x[..., :1], day=SHORT), random_policies(1, np.random.default_rng(0)),
                  np.random.default_rng(0), day=SHORT), "days must have a finite loss, got [nan] at step 0"),
    (lambda: best_plans(Plan(random_policies(2, np.random.default_rng(0)), np.zeros(2)), 3), "starts must divide the 2 plans, got 3"),
    (lambda: side_by_side([]), "models must hold at least one network, got none"),
    (lambda: simulated_days(replace), "clinic must be of type Clinic"),
])
def test_bad_input_is_one_sentence(make, message):
    with pytest.raises(ValueError) as error:
        make()
    assert str(error.value).startswith(message)
