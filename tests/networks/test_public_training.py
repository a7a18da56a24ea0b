"""What costs nobody anything: a network of the body, a policy that copies practice, and plans for several models."""

import numpy as np
import pytest
import torch
from torch import nn

from privrl_core.networks import (
    CLINIC,
    LARGEST_DOSE,
    PUBLIC,
    RANDOMISED,
    Trajectories,
    body_network,
    cautious_policy,
    cohort,
    evaluate,
    fitted,
    live,
    logged_days,
    practice,
    random_policies,
)


def test_a_network_of_the_body_has_417_weights_of_its_seed():
    state = torch.get_rng_state()
    one, again, other = body_network(1), body_network(1), body_network(2)
    cautious_policy(0, steps=1)
    assert torch.equal(torch.get_rng_state(), state)        # nobody else's draws change
    assert sum(each.numel() for each in one.parameters()) == 417
    assert torch.equal(one[0].weight, again[0].weight) and not torch.equal(one[0].weight, other[0].weight)


def test_a_linear_body_is_found():
    """Without noise in the labels least squares has one solution; Adam comes near it, whatever the padding holds."""
    rng = np.random.default_rng(0)
    inputs, rule = rng.standard_normal((200, 5, 7)), rng.uniform(-0.5, 0.5, (7, 1))
    inputs[:, 3:] = 1e6
    model = nn.Linear(7, 1)
    people = Trajectories(torch.from_numpy(inputs), torch.from_numpy(np.clip(inputs @ rule, -2, 2)), np.full(200, 3))
    inside = np.abs(inputs[:, :3] @ rule).max(axis=(1, 2)) < 2                  # nowhere clipped
    assert fitted(model, people.people(np.flatnonzero(inside)), rng, steps=1500) is model
    assert model.weight.detach().numpy()[0] == pytest.approx(rule[:, 0], abs=0.01)


def test_a_fitted_network_explains_days_that_it_has_not_seen():
    rng = np.random.default_rng(0)
    model = fitted(body_network(0), logged_days(RANDOMISED, 500, rng), rng, steps=300)
    days = logged_days(RANDOMISED, 300, rng).to(dtype=torch.float32)
    weights = days.weights[..., None]
    with torch.no_grad():
        left = float((weights * (model(days.inputs) - days.labels).square()).sum() / weights.sum())
    assert left < 0.5 * float((weights * days.labels.square()).sum() / weights.sum())


def test_a_cautious_policy_gives_about_its_share_of_practice():
    """The mean dose of 300 people's days, in the states to which the policy itself leads."""
    for share in (0.3, 0.6):
        policy, doctors, doses = cautious_policy(0, share=share), practice(np.random.default_rng(4)), []

        def dose(now, policy=policy, doctors=doctors, doses=doses):
            with torch.no_grad():
                given = LARGEST_DOSE * torch.sigmoid(policy(now.float())[..., 0]).double()
            doses.append((given.mean(), doctors(now).mean()))
            return given
        live(cohort(PUBLIC, 300, np.random.default_rng(3)), dose)
        given, practised = np.array(doses).sum(axis=0)
        assert given / practised == pytest.approx(share, abs=0.1)


def test_plans_are_repeated_for_each_model():
    first = random_policies(2, np.random.default_rng(0))
    many = first.repeated(3)
    seen = torch.randn(6, 4, 7)
    assert len(many) == 6
    assert torch.equal(many(seen)[2:4], first(seen[2:4])) and torch.equal(many(seen)[4:], first(seen[4:]))
    outcomes = [evaluate(many[i], CLINIC, 20, np.random.default_rng(1)) for i in (0, 2, 4)]
    assert outcomes[0] == outcomes[1] == outcomes[2]


@pytest.mark.parametrize("call, says", [
    (lambda: body_network(-1), "seed must be"),
    (lambda: fitted(body_network(0), 3, np.random.default_rng(0)), "people must be"),
    (lambda: fitted(body_network(0), logged_days(RANDOMISED, 2, np.random.default_rng(0)), 7), "rng must be"),
    (lambda: fitted(body_network(0), logged_days(RANDOMISED, 2, np.random.default_rng(0)), np.random.default_rng(0), steps=0), "steps must be"),
    (lambda: fitted(body_network(0), logged_days(RANDOMISED, 2, np.random.default_rng(0)), np.random.default_rng(0), batch=0), "batch must be"),
    (lambda: cautious_policy(0, share=1.5), r"share must be in \(0, 1\], got 1.5"),
    (lambda: cautious_policy(0, share=0), "share must be positive, got 0"),
    (lambda: cautious_policy(0, steps=0), "steps must be"),
    (lambda: random_policies(1, np.random.default_rng(0)).repeated(0), "models must be"),
])
def test_bad_input_is_refused(call, says):
    with pytest.raises((ValueError, TypeError), match=says):
        call()
