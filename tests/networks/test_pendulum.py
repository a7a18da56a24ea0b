"""The standard task: its dynamics are Gymnasium's, and a dream in the true dynamics is the truth."""

import gymnasium
import numpy as np
import pytest
import torch

from privrl_core.networks import (
    controller,
    dreamed_return,
    logged_swings,
    mediocre,
    returns,
    seen_pendulum,
    starts,
    swing,
    train_controller,
    with_public_kinematics,
)
from privrl_core.networks.pendulum import CHANGES, UNITS


def true_model(asked):
    """What a perfect model would say, from the public dynamics."""
    seen = asked[..., :3] * UNITS[:3]
    state = torch.stack((torch.atan2(seen[..., 1], seen[..., 0]), seen[..., 2]), dim=-1)
    after, reward = swing(state, asked[..., 3] * 2)
    return torch.cat((seen_pendulum(after) - seen, reward[..., None]), dim=-1) / CHANGES


def test_every_step_is_that_of_gymnasium():
    env, rng = gymnasium.make("Pendulum-v1").unwrapped, np.random.default_rng(1)
    env.reset(seed=1)
    for angle, velocity, torque in rng.uniform((-7, -8, -3), (7, 8, 3), (300, 3)):
        env.state = np.array([angle, velocity])
        seen, reward, *_ = env.step(np.array([torque]))
        state, ours = swing(torch.tensor([[angle, velocity]]), torch.tensor([torque]))
        assert seen_pendulum(state)[0].numpy() == pytest.approx(seen, abs=1e-6)
        assert float(ours[0]) == pytest.approx(float(reward), abs=1e-9)


def test_starts_are_those_of_gymnasium():
    env = gymnasium.make("Pendulum-v1").unwrapped
    theirs = np.array([(env.reset(seed=seed), env.state)[1] for seed in range(300)])
    ours = starts(300, np.random.default_rng(1)).numpy()
    assert (abs(theirs) <= [np.pi, 1]).all() and (abs(ours) <= [np.pi, 1]).all()
    assert abs(theirs).max(axis=0) == pytest.approx(abs(ours).max(axis=0), rel=0.05)


def test_public_kinematics_complete_a_true_velocity():
    """The change of velocity alone, from the true dynamics, is completed to everything that a perfect model would say."""
    asked = torch.from_numpy(np.random.default_rng(1).uniform((-np.pi, -8, -1), (np.pi, 8, 1), (300, 3)))
    asked = torch.cat((seen_pendulum(asked) / UNITS[:3], asked[:, 2:]), dim=-1)
    completed = with_public_kinematics(lambda each: true_model(each)[..., 2:3])(asked)
    torch.testing.assert_close(completed, true_model(asked), atol=1e-6, rtol=1e-6)


def test_a_dream_in_the_true_dynamics_is_the_truth():
    """float32 against float64 over 60 steps of a swing, which doubles an error about every ten."""
    policy, start = controller(3), starts(50, np.random.default_rng(2))
    dreamed = dreamed_return(true_model, policy, start, 60).detach().numpy()

    def torque(seen):
        return 2 * policy((seen / UNITS[:3]).float())[..., 0].double()
    state, total = start, 0
    for _ in range(60):
        state, reward = swing(state, torque(seen_pendulum(state)).detach())
        total = total + reward
    assert dreamed == pytest.approx(total.numpy(), rel=2e-3, abs=2e-2)


def test_a_log_holds_what_happened():
    people = logged_swings(40, np.random.default_rng(3))
    seen, said = people.inputs * UNITS, people.labels * CHANGES
    assert people.inputs.shape == (40, 200, 4) and people.inputs.dtype == torch.float32 and int(people.lengths.min()) == 200
    assert (seen[:, 1:, :3] - seen[:, :-1, :3]).numpy() == pytest.approx(said[:, :-1, :3].numpy(), abs=1e-5)
    assert true_model(people.inputs.double()).float().numpy() == pytest.approx(people.labels.numpy(), abs=2e-5)
    assert people.inputs.abs().max() <= 1


def test_the_logging_policy_is_mediocre():
    """The mean return of 4,000 episodes; its standard error is about 5."""
    rng = np.random.default_rng(4)
    assert returns(mediocre(rng), starts(4000, rng)).mean() == pytest.approx(-1135, abs=50)


def test_a_plan_in_the_true_dynamics_swings_up():
    """The best known policies have about -145; a plan of 400 short dreams has to be near them."""
    policy = train_controller(true_model, np.random.default_rng(5))
    found = returns(lambda seen: 2 * policy((seen / UNITS[:3]).float())[..., 0].double(), starts(1000, np.random.default_rng(6)))
    assert -180 < found.mean() < -130


@pytest.mark.parametrize("wrong, message", [
    (lambda: starts(0, np.random.default_rng()), "people must be a whole number of at least 1, got 0"),
    (lambda: starts(3, 7), "rng must be a numpy.random.Generator, got 7"), (lambda: mediocre(None), "rng must be a numpy.random.Generator"),
], ids=["people", "rng", "mediocre"])
def test_bad_input_is_one_sentence(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()
