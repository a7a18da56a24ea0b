"""Q-learning on the walk: gradients and updates by second routes, sensitivities by brute force, noise by its law."""

import dp_accounting
import numpy as np
import pytest
import torch
from dp_accounting.pld import PLDAccountant
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, kstest

import privrl_core.experiments as experiments
from privrl_core.functional_noise import (
    NetworkQ,
    OUPaths,
    actor_critic_reading_rewards,
    actor_critic_repaired,
    actor_from_private_q,
    anywhere,
    as_visited,
    centred_sensitivity,
    fitted_q_iteration,
    hat_features,
    hat_gram,
    initial_parameters,
    network_gradient,
    network_gradient_norms,
    network_values,
    q_learning_as_printed,
    q_learning_as_run_by_authors,
    q_learning_dp_sgd,
    q_learning_input_perturbation,
    q_learning_output_perturbation,
    q_learning_private_state,
    release_contrast_once,
    release_reward_once,
)
from privrl_core.privacy import REWARD_FUNCTION, Status, compose_gaussians, gaussian_mu, gaussian_success_ceiling, sup_norm
from privrl_core.world import (
    episode_returns_non_private,
    greedy_return,
    middle_reward,
    move,
    nodes,
    optimal_return,
    policy_return,
    walk,
)

WIDTHS = (1, 5, 4, 2)
LEVEL = 1e-7  # each test of a law fails by chance with this probability at most
TARGET = dict(epsilon=0.9, delta=1e-4)
PRIVATE = [q_learning_private_state, release_reward_once, q_learning_input_perturbation, q_learning_output_perturbation,
           q_learning_dp_sgd]


def streams(seed=0):
    return dict(rng=np.random.default_rng(seed), noise_rng=np.random.default_rng(seed + 1000))


def signs_of(seed):
    """A reward that is -1 or 1, anew in each of 64 cells."""
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], 64)
    return lambda states: signs[np.minimum((np.asarray(states) * 64).astype(int), 63)]


def moved_by(eta, k):
    """A neighbour of the reward: eta more everywhere, or (k > 0) eta more or less in each of 64 cells."""
    return lambda states: middle_reward(states) + eta * (signs_of(k)(states) if k else 1.0)


# ---- networks

def in_torch(parameters, widths, run):
    layers, start = [], 0
    for n, m in zip(widths, widths[1:]):
        layer = torch.nn.Linear(n, m, dtype=torch.float64)
        both = torch.tensor(parameters[run, start:start + (n + 1) * m].reshape(n + 1, m))
        layer.weight.data, layer.bias.data = both[:n].T.contiguous(), both[n].contiguous()
        layers += [layer, torch.nn.ReLU()]
        start += (n + 1) * m
    return torch.nn.Sequential(*layers[:-1])


def flat_gradient(network):
    linear = [layer for layer in network if isinstance(layer, torch.nn.Linear)]
    return torch.cat([torch.cat([layer.weight.grad.T, layer.bias.grad[None]]).ravel() for layer in linear]).numpy()


def test_values_gradients_and_their_lengths_agree_with_torch():
    rng = np.random.default_rng(0)
    parameters, states = initial_parameters(WIDTHS, 3, rng), rng.random((3, 7))
    slopes = rng.normal(size=(3, 7, 2))
    gradient = network_gradient(parameters, WIDTHS, states, lambda values: slopes * values)
    lengths = network_gradient_norms(parameters, WIDTHS, states, slopes)
    for run in range(3):
        network = in_torch(parameters, WIDTHS, run)
        values = network(torch.tensor(states[run, :, None]))
        assert network_values(parameters, WIDTHS, states)[run] == pytest.approx(values.detach().numpy(), abs=1e-13)
        (torch.tensor(slopes[run]) * values**2 / 2).sum().backward()
        assert gradient[run] == pytest.approx(flat_gradient(network), abs=1e-13)
        for t in range(7):
            network.zero_grad()
            (torch.tensor(slopes[run, t]) * network(torch.tensor(states[run, t:t + 1, None]))).sum().backward()
            assert lengths[run, t] == pytest.approx(np.linalg.norm(flat_gradient(network)), rel=1e-12)


def test_the_gradient_agrees_with_finite_differences():
    rng = np.random.default_rng(1)
    parameters, states, targets = initial_parameters(WIDTHS, 2, rng), rng.random((2, 6)), rng.normal(size=(2, 6, 2))
    gradient = network_gradient(parameters, WIDTHS, states, lambda values: values - targets)

    def loss(p):
        return ((network_values(p, WIDTHS, states) - targets) ** 2).sum((1, 2)) / 2
    for k in range(parameters.shape[1]):
        h = 1e-6 * (np.arange(parameters.shape[1]) == k)
        assert gradient[:, k] == pytest.approx((loss(parameters + h) - loss(parameters - h)) / 2e-6, abs=1e-7)


def test_networks_answer_at_common_and_at_their_own_states():
    q = NetworkQ(initial_parameters(WIDTHS, 3, np.random.default_rng(0)), WIDTHS)
    states = np.linspace(0, 1, 4)
    assert np.array_equal(q(states), q(np.tile(states, (3, 1))))


def test_first_weights_are_uniform_and_as_wide_as_torchs():
    parameters = initial_parameters((4, 3, 2), 500, np.random.default_rng(0))
    assert kstest(parameters[:, :15].ravel() * 2, "uniform", (-1, 2)).pvalue > LEVEL  # 1/sqrt(4)
    assert kstest(parameters[:, 15:].ravel() * np.sqrt(3), "uniform", (-1, 2)).pvalue > LEVEL


# ---- hats

@pytest.mark.parametrize("n_knots, beta", [(2, 1.0), (5, 0.3), (11, 17.0)])
def test_the_gram_matrix_is_that_of_the_hilbert_space(n_knots, beta):
    """By the reproducing property: for K_y in place of one of the functions the inner product is a value."""
    gram = hat_gram(n_knots, beta)
    cells = 40 * (n_knots - 1)  # of a grid that holds the knots
    grid, values = nodes(4 * cells), hat_features(nodes(4 * cells), n_knots)
    kernel = np.exp(-beta * np.abs(grid[:, None] - grid))
    # h^T K^-1 h on a grid rises to the squared norm; of piecewise linear functions with second order in the cell
    assert values.T @ np.linalg.solve(kernel, values) == pytest.approx(gram, rel=1e-3, abs=1e-3)
    x, w = np.polynomial.legendre.leggauss(4)
    ends, total = np.linspace(0, 1, n_knots), np.zeros((n_knots, n_knots))
    for a, b in zip(ends, ends[1:]):
        phi = hat_features((a + b) / 2 + (b - a) / 2 * x, n_knots)
        slope = (hat_features(b, n_knots) - hat_features(a, n_knots)) / (b - a)
        total += (b - a) / (4 * beta) * (beta**2 * np.einsum("i,ij,ik->jk", w, phi, phi) + 2 * np.outer(slope, slope))
    total[0, 0] += 0.5
    total[-1, -1] += 0.5
    assert gram == pytest.approx(total, rel=1e-12)


def test_fitted_q_iteration_reaches_its_fixed_point():
    states, actions, next_states = walk(300, np.random.default_rng(0), runs=2)
    rewards = middle_reward(next_states)
    q = fitted_q_iteration(states, actions, next_states, rewards, discount=0.9, n_knots=6)
    for run in range(2):
        for a in range(2):
            chosen = actions[run] == a
            weights = hat_features(states[run, chosen], 6)
            future = np.interp(next_states[run, chosen], np.linspace(0, 1, 6), q.parameters[run].max(0))
            targets = rewards[run, chosen] + 0.9 * future
            assert q.parameters[run, a] == pytest.approx(weights.T @ targets / weights.sum(0), abs=1e-7)


@pytest.mark.parametrize("discount", [0.9, 0.999])
def test_fitted_q_iteration_solved_at_once_is_where_its_rounds_lead(discount, monkeypatch):
    states, actions, next_states = walk(40, np.random.default_rng(0), runs=4)
    rewards = np.random.default_rng(1).normal(size=states.shape)
    found = []
    for iterated in 0.9999, 0.0:
        monkeypatch.setattr("privrl_core.functional_noise.hat_functions.ITERATED", iterated)
        found.append(fitted_q_iteration(states, actions, next_states, rewards, discount=discount, n_knots=6).parameters)
    assert np.abs(found[0] - found[1]).max() < 2e-9 * np.abs(found[1]).max()


def test_fitted_q_iteration_takes_no_minutes_near_discount_one(monkeypatch):
    monkeypatch.setattr(np, "log", lambda x: 1 / 0)  # of which the number of rounds is made
    q = fitted_q_iteration([[0.0, 1.0]], [[1, 0]], [[1.0, 0.0]], [[1.0, 3.0]], discount=0.99999, n_knots=2)
    # to and fro for ever: V(0) = 1 + g V(1), V(1) = 3 + g V(0)
    g = 0.99999
    assert q.parameters[0].max(0) == pytest.approx([(1 + 3 * g) / (1 - g**2), (3 + g) / (1 - g**2)], rel=1e-9)


@pytest.mark.parametrize("discount", [0.0, 0.5, 0.9])
def test_fitted_q_iteration_moves_by_no_more_than_its_bound(discount):
    data, eta = walk(200, np.random.default_rng(3), runs=1), 0.3
    rewards = middle_reward(data[2])

    def fit(r):
        return fitted_q_iteration(*data, r, discount=discount, n_knots=5).parameters
    moved = [np.abs(fit(rewards + eta * signs_of(k)(data[2])) - fit(rewards)).max() for k in range(200)]
    assert max(moved) <= eta / (1 - discount) * (1 + 1e-12)
    together = np.abs(fit(rewards + eta) - fit(rewards))
    assert together == pytest.approx(np.full((1, 2, 5), eta / (1 - discount)), rel=1e-6)


# ---- Algorithm 1 as printed, by a slow second route

@pytest.mark.parametrize("sigma", [0.0, 0.5])
def test_as_printed_follows_the_algorithm_step_by_step(sigma):
    """With J = 1 the path still knows all its values, so the whole run can be done again with torch."""
    found = q_learning_as_printed(sigma=sigma, beta=3.0, n_paths=1, n_steps=96, batch_size=32, learning_rate=0.2,
                                  discount=0.7, widths=WIDTHS, **streams(5))
    rng = np.random.default_rng(5)
    network = in_torch(initial_parameters(WIDTHS, 1, rng), WIDTHS, 0)

    def noise(s):
        return found.noised_q.paths(np.array([[s]]))[0]

    def q(s):
        return network(torch.tensor([[s]])).squeeze(0) + torch.tensor(noise(s))
    losses, s_next = [], 0.0
    for t in range(96):
        s = rng.random(1)[0] if t % 50 == 0 else s_next
        a = int(q(s).argmax())
        s_next = move(np.array([s]), np.array([a]), rng)[0]
        assert (s, a, s_next) == (found.states[0, t], found.actions[0, t], found.next_states[0, t])
        target = 0.5 - abs(s_next - 0.5) + 0.7 * q(s_next).max().detach()
        losses.append((q(s)[a] - target) ** 2 / 2)
        if len(losses) == 32:
            network.zero_grad()
            torch.stack(losses).mean().backward()
            with torch.no_grad():
                for weights in network.parameters():
                    weights -= 0.2 * weights.grad
            losses = []
    assert found.q(nodes(8))[0] == pytest.approx(network(torch.tensor(nodes(8))[:, None]).detach().numpy(), abs=1e-12)


@pytest.mark.parametrize("n_paths", [1, 7, 10, 78])
def test_as_printed_uses_as_many_paths_as_one_says(n_paths, monkeypatch):
    restarts, old = [], OUPaths.restart
    monkeypatch.setattr(OUPaths, "restart", lambda self, points=None: restarts.append(1) or old(self, points))
    q_learning_as_printed(sigma=1.0, beta=1.0, n_paths=n_paths, **streams())
    assert len(restarts) == n_paths + 1  # and one when they are made


def test_all_runs_can_start_from_one_public_network():
    start = initial_parameters(WIDTHS, 1, np.random.default_rng(0))[0]
    setting = dict(sigma=0.0, beta=1.0, n_steps=32, batch_size=32, n_paths=1, widths=WIDTHS, runs=3)
    found = q_learning_as_printed(start=start, learning_rate=1e-12, **setting, **streams())
    assert found.q.parameters == pytest.approx(np.tile(start, (3, 1)), abs=1e-9)
    assert start.tobytes() == initial_parameters(WIDTHS, 1, np.random.default_rng(0))[0].tobytes()


def test_the_noised_release_answers_the_same_for_ever():
    found = q_learning_as_printed(sigma=0.7, beta=5.0, n_steps=128, n_paths=2, runs=3, **streams())
    states = np.array([0.3, 0.9, 0.3, 0.0])
    first = found.noised_q(states)
    found.noised_q(np.linspace(0, 1, 50))
    assert np.array_equal(found.noised_q(states), first) and np.array_equal(first[:, 0], first[:, 2])
    assert np.all(np.abs(first - found.q(states)) > 1e-9)


def test_the_noise_of_the_release_has_its_law():
    sigma, states = np.repeat([0.5, 2.0], 1000), np.array([0.1, 0.4])
    found = q_learning_as_printed(sigma=sigma, beta=4.0, n_steps=64, n_paths=1, widths=(1, 2), runs=2000, **streams(3))
    left, right = np.moveaxis((found.noised_q(states) - found.q(states)) / sigma[:, None, None], 1, 0)
    new = (right - np.exp(-1.2) * left) / np.sqrt(1 - np.exp(-2.4))
    for part in (left[:1000], left[1000:], right, new):
        assert kstest(part.ravel(), "norm").pvalue > LEVEL


# ---- as run by the authors, by a slow second route

def test_as_run_follows_the_public_settings_step_by_step():
    """Without noise, against torch's RMSprop and Huber loss in double precision: one walk, nearly one network."""
    found = q_learning_as_run_by_authors(sigma=0.0, n_episodes=4, **streams(8))
    rng, widths = np.random.default_rng(8), (1, 16, 16, 2)
    first = initial_parameters(widths, 1, rng).astype(np.float32).astype(float)
    network, target = in_torch(first, widths, 0), in_torch(first, widths, 0)
    optimiser, memory, agreed, s_next = torch.optim.RMSprop(network.parameters(), lr=0.01), [], 0, 0.0
    for t in range(200):
        s = rng.random(1)[0] if t % 50 == 0 else s_next
        greedy = int(network(torch.tensor([[s]])).argmax())
        explores, other = rng.random(1)[0] < 0.05 + 0.85 * np.exp(-t / 200), rng.integers(2, size=1)[0]
        agreed += found.actions[0, t] == (other if explores else greedy)
        a = found.actions[0, t]
        s_next = move(np.array([s]), np.array([a]), rng)[0]
        assert (s, s_next) == (found.states[0, t], found.next_states[0, t])
        memory.append((s, a, s_next, 0.5 - abs(s_next - 0.5), t % 50 == 49))
        if t >= 127:
            batch = [memory[k] for k in rng.choice(t + 1, 128, replace=False, shuffle=False)]
            here, actions, there, rewards, over = (torch.tensor(np.array(part)) for part in zip(*batch))
            with torch.no_grad():
                goals = rewards + 0.999 * torch.where(over, 0, target(there[:, None]).max(1).values)
            optimiser.zero_grad()
            values = network(here[:, None]).gather(1, actions[:, None])[:, 0]
            torch.nn.functional.smooth_l1_loss(values, goals).backward()
            torch.nn.utils.clip_grad_value_(network.parameters(), 1.0)
            optimiser.step()
        if t == 49:
            target.load_state_dict(network.state_dict())
    assert agreed >= 198  # a tie to single precision may fall either way
    assert found.q(nodes(40))[0] == pytest.approx(network(torch.tensor(nodes(40))[:, None]).detach().numpy(), abs=5e-3)


def test_as_run_uses_as_many_paths_as_one_says(monkeypatch):
    restarts, old = [], OUPaths.restart
    monkeypatch.setattr(OUPaths, "restart", lambda self, points=None: restarts.append(1) or old(self, points))
    for n_paths, expected in ((None, 5), (1, 1), (2, 2), (5, 5)):
        restarts.clear()
        q_learning_as_run_by_authors(sigma=1.0, n_paths=n_paths, n_episodes=5, **streams())
        assert len(restarts) == 2 * (1 + expected)  # for Q and for its target, and one when they are made


def test_without_noise_the_authors_settings_learn_to_stay_in_the_middle():
    found = q_learning_as_run_by_authors(sigma=0.0, n_episodes=40, runs=8, **streams(1))
    assert np.all(episode_returns_non_private(found.next_states)[:, -10:].mean(1) > 18)
    assert np.all(greedy_return(found.q) > 19)


# ---- randomness: the same seeds, the same bytes; the world's stream apart from the noise's

@pytest.mark.parametrize("learn", [
    lambda **s: q_learning_as_printed(sigma=0.3, beta=9.0, n_steps=200, n_paths=3, runs=3, **s),
    lambda **s: q_learning_as_run_by_authors(sigma=0.3, n_episodes=3, runs=2, **s),
    *[lambda f=f, **s: f(**TARGET, eta=0.01, n_steps=200, runs=3, **s) for f in PRIVATE]])
def test_the_same_seeds_give_the_same_bytes(learn):
    one, two = learn(**streams(4)), learn(**streams(4))
    assert one.q(nodes(8)).tobytes() == two.q(nodes(8)).tobytes()
    assert one.next_states.tobytes() == two.next_states.tobytes()
    other = learn(rng=np.random.default_rng(4), noise_rng=np.random.default_rng(7))
    assert not np.array_equal(one.q(nodes(8)), other.q(nodes(8)))


@pytest.mark.parametrize("learn", PRIVATE)
def test_the_walk_depends_on_the_world_alone(learn):
    one = learn(**TARGET, eta=0.01, n_steps=200, **streams(4))
    other = learn(**TARGET, eta=0.5, n_steps=200, reward=lambda s: s, rng=np.random.default_rng(4),
                  noise_rng=np.random.default_rng(9))
    for name in ("states", "actions", "next_states"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_without_noise_the_noise_stream_plays_no_part():
    one, other = (q_learning_as_printed(sigma=0.0, beta=9.0, n_steps=200, n_paths=3, rng=np.random.default_rng(1),
                                        noise_rng=np.random.default_rng(k)) for k in (2, 3))
    assert one.q(nodes(8)).tobytes() == other.q(nodes(8)).tobytes()


# ---- guarantees

@pytest.mark.parametrize("learn", PRIVATE)
def test_guarantees_say_what_was_asked_and_for_whom(learn):
    found = learn(epsilon=[0.9, 2.0], delta=1e-4, eta=[0.01, 0.2], n_steps=128, runs=2, **streams())
    assert [(g.epsilon, g.delta, g.unit, g.neighbours, g.status) for g in found.guarantees] == [
        (0.9, 1e-4, REWARD_FUNCTION, sup_norm(0.01), Status.PROVED),
        (2.0, 1e-4, REWARD_FUNCTION, sup_norm(0.2), Status.PROVED)]
    for guarantee in found.guarantees:
        assert dp_accounting.get_epsilon_gaussian(1 / guarantee.mu, 1e-4) == pytest.approx(guarantee.epsilon, rel=1e-5)


def test_the_papers_algorithms_are_not_called_proved():
    run = q_learning_as_run_by_authors(sigma=[0.32, 0.0], epsilon=0.9, n_episodes=1, runs=2, **streams())
    assert [guarantee.status for guarantee in run.guarantees] == [Status.CLAIMED, Status.REFUTED]
    assert q_learning_as_run_by_authors(sigma=0.3, n_episodes=1, **streams()).guarantees == ()


def test_only_what_was_counted_is_called_refuted():
    start = initial_parameters((1, 16, 16, 2), 1, np.random.default_rng(6))[0]
    audited = dict(beta=1 / 6.19e-5, epsilon=[0.9, 0.9, 2.0], sigma=[0.32, 1e9, 0.32], start=start, runs=3)
    found = q_learning_as_printed(**audited, **streams()).guarantees
    assert [guarantee.status for guarantee in found] == [Status.REFUTED, Status.CLAIMED, Status.CLAIMED]
    for other in (dict(start=None), dict(n_paths=77), dict(delta=1e-3), dict(learning_rate=1e-9)):
        found = q_learning_as_printed(**{**audited, **other}, **streams()).guarantees
        assert {guarantee.status for guarantee in found} == {Status.CLAIMED}
    assert q_learning_as_printed(sigma=0.3, beta=1.0, n_steps=64, n_paths=1, **streams()).guarantees == ()


@pytest.mark.parametrize("learn, rounds", [(q_learning_private_state, 78), (q_learning_dp_sgd, 78),
                                           (q_learning_input_perturbation, 5000)])
def test_compositions_agree_with_the_privacy_loss_distribution(learn, rounds):
    """The noise multiplier that `rounds` equal Gaussian mechanisms of one guarantee have, through dp-accounting."""
    mu = learn(**TARGET, eta=0.01, **streams()).guarantees[0].mu
    accountant = PLDAccountant()
    accountant.compose(dp_accounting.GaussianDpEvent(np.sqrt(rounds) / mu), rounds)
    assert accountant.get_epsilon(1e-4) == pytest.approx(0.9, abs=2e-3)
    assert accountant.get_delta(0.9) == pytest.approx(1e-4, rel=0.02)


def test_the_noise_multipliers_of_the_audit():
    mu = gaussian_mu(np.array([0.9, 0.45]), 1e-4)
    assert np.sqrt(5000 / 64) / mu == pytest.approx([30.9, 57.2], abs=0.1)
    assert np.sqrt(5000) / mu == pytest.approx([247, 458], abs=0.7)


# ---- sensitivities by brute force: neighbouring rewards, the same seeds and noise, one update or one release

def gram_norm(difference, gram):
    return np.sqrt(np.einsum("...i,ij,...j->...", difference, gram, difference))


@pytest.mark.parametrize("seed", range(3))
def test_one_update_of_the_private_state_moves_by_no_more_than_its_sensitivity(seed):
    eta, setting = 0.2, dict(n_steps=64, batch_size=64, n_knots=4, learning_rate=0.5, **TARGET)
    gram, moved = np.kron(np.eye(2), hat_gram(4, 17.0)), []
    base = q_learning_private_state(eta=eta, **setting, **streams(seed))
    features = (base.actions[..., None, None] == np.arange(2)[:, None]) * hat_features(base.states, 4)[:, :, None]
    bound = 0.5 * eta * as_visited(features.reshape(1, 64, 8), gram)[0]
    assert bound <= 0.5 * eta * anywhere(features.reshape(1, 64, 8), gram)[0]
    for k in range(60):
        other = q_learning_private_state(eta=eta, **setting, reward=moved_by(eta, k), **streams(seed))
        moved.append(gram_norm((other.iterates - base.iterates)[0, 1].ravel(), gram))
    # the worst that 64 free signs can do: each step's sign against that of its neighbours, found one by one
    signs = np.ones(64)
    rows = features.reshape(64, 8)
    for _ in range(10):
        for t in range(64):
            signs[t] = max((-1.0, 1.0), key=lambda s: gram_norm(signs @ rows + (s - signs[t]) * rows[t], gram))
    moved.append(0.5 * eta * gram_norm(signs @ rows / 64, gram))
    assert max(moved) <= bound * (1 + 1e-12)
    assert max(moved) > bound / 2.5


@given(st.integers(2, 6), st.floats(0.1, 50), st.integers(0, 2**32 - 1))
def test_no_signs_move_a_mean_of_features_by_more_than_the_bounds(n_knots, beta, seed):
    rng = np.random.default_rng(seed)
    features, gram = hat_features(rng.random(int(rng.integers(1, 20))) ** 2, n_knots), hat_gram(n_knots, beta)
    signs = rng.choice([-1.0, 1.0], size=(100, len(features)))
    furthest = gram_norm(signs @ features / len(features), gram).max()
    assert furthest <= as_visited(features, gram) * (1 + 1e-9) <= anywhere(features, gram) * (1 + 2e-9)


@pytest.mark.parametrize("rule", [anywhere, as_visited])
def test_the_noise_in_the_state_is_functional_and_as_large_as_the_proof_asks(rule):
    """Without reward and from 0, the first update is noise alone: over its covariance it is standard normal."""
    n, eta = 3000, 0.1
    found = q_learning_private_state(**TARGET, eta=eta, sensitivity=rule, n_steps=64, batch_size=32, n_knots=3,
                                     beta=2.0, learning_rate=0.3, reward=np.zeros_like, runs=n, **streams(6))
    gram = np.kron(np.eye(2), hat_gram(3, 2.0))
    here = hat_features(found.states[:, :32], 3)
    features = ((found.actions[:, :32, None] == np.arange(2))[..., None] * here[:, :, None]).reshape(n, 32, 6)
    scale = eta * 0.3 * rule(features, gram) * np.sqrt(2) / found.guarantees[0].mu
    white = found.iterates[:, 1].reshape(n, 6) @ np.linalg.cholesky(gram) / scale[:, None]
    assert kstest(white.ravel(), "norm").pvalue > LEVEL
    energy = np.sum(np.einsum("ni,ni->n", white, white))
    assert chi2.ppf(LEVEL / 2, 6 * n) < energy < chi2.ppf(1 - LEVEL / 2, 6 * n)
    # 15 correlations, each beyond with probability 1.2e-8
    assert np.abs(np.corrcoef(white.T) - np.eye(6)).max() < 5.7 / np.sqrt(n)


@pytest.mark.parametrize("n_knots", [2, 3, 4, 5])
def test_the_released_rewards_move_by_exactly_their_sensitivity(n_knots):
    eta = 0.3
    base = release_reward_once(**TARGET, eta=eta, n_knots=n_knots, n_steps=100, **streams())
    largest = 0.0
    for signs in np.stack(np.meshgrid(*[[-1, 1]] * n_knots), -1).reshape(-1, n_knots):
        def neighbour(states, signs=signs):
            return middle_reward(states) + eta * signs[np.abs(states[..., None] - base.knots).argmin(-1)]
        other = release_reward_once(**TARGET, eta=eta, n_knots=n_knots, n_steps=100, reward=neighbour, **streams())
        largest = max(largest, np.linalg.norm(other.values - base.values))
    assert largest == pytest.approx(centred_sensitivity(n_knots, eta), rel=1e-9)


def test_the_released_rewards_have_the_noise_that_their_guarantee_asks():
    found = release_reward_once(**TARGET, eta=0.05, n_knots=3, n_steps=100, runs=2000, **streams(2))
    nearest = np.abs(found.next_states[:, :, None] - found.knots).argmin(1)
    rewards = middle_reward(np.take_along_axis(found.next_states, nearest, 1))
    noise = found.values - (rewards - rewards.mean(1, keepdims=True))
    noise *= found.guarantees[0].mu / (0.05 * np.sqrt(8 / 3))
    basis = np.array([[1, 0, -1], [1, -2, 1]]) / np.sqrt([[2], [6]])
    assert kstest((noise @ basis.T).ravel(), "norm").pvalue > LEVEL and np.abs(noise.sum(1)).max() < 1e-9


def test_the_released_contrast_moves_by_exactly_its_sensitivity():
    eta, rewards = 0.3, []
    for signs in np.stack(np.meshgrid(*[[-1, 1]] * 3), -1).reshape(-1, 3):
        def neighbour(states, signs=signs):
            return middle_reward(states) + eta * signs[np.abs(states[..., None] - [0, 0.5, 1]).argmin(-1)]
        found = release_contrast_once(epsilon=1.0, eta=eta, n_steps=100, reward=neighbour, **streams())
        rewards.append(1.5 * found.values[0, 1])
    base = 1.5 * release_contrast_once(epsilon=1.0, eta=eta, n_steps=100, **streams()).values[0, 1]
    assert np.abs(np.array(rewards) - base).max() == pytest.approx(2 * eta, rel=1e-9)


def test_the_released_contrast_has_the_noise_that_its_guarantee_asks():
    found = release_contrast_once(epsilon=[0.9] * 2000, eta=0.05, n_steps=100, runs=2000, **streams(2))
    nearest = np.abs(found.next_states[:, :, None] - found.knots).argmin(1)
    rewards = middle_reward(np.take_along_axis(found.next_states, nearest, 1))
    noise = 1.5 * found.values[:, 1] - rewards @ [-0.5, 1, -0.5]
    assert kstest(noise * 0.9 / (2 * 0.05), "laplace").pvalue > LEVEL and np.abs(found.values.sum(1)).max() < 1e-12
    assert str(found.guarantees[0]) == ("(ε = 0.9, δ = 0)-differential privacy for the reward function "
                                        "(sup-norm at most 0.05), proved")


def test_one_noisy_gradient_moves_by_no_more_than_the_clipped_reward():
    eta, setting = 0.2, dict(clip=0.5, n_steps=64, batch_size=64, learning_rate=0.01, **TARGET)
    base = q_learning_dp_sgd(eta=eta, **setting, **streams(1))
    others = [q_learning_dp_sgd(eta=eta, **setting, reward=moved_by(eta, k), **streams(1)) for k in range(31)]
    moved = [np.linalg.norm((other.iterates - base.iterates)[0, 1]) for other in others]
    assert 0.3 * 0.01 * eta * 0.5 < max(moved) <= 0.01 * eta * 0.5 * (1 + 1e-9)


def test_noise_on_rewards_results_and_gradients_is_as_large_as_the_proofs_ask():
    """One knot apart from none: linear in the noise, so its variance is known exactly."""
    mu, eta, n = gaussian_mu(0.9, 1e-4), 0.1, 2000
    silent = dict(**TARGET, eta=eta, runs=n, discount=0.0, reward=np.zeros_like)
    found = q_learning_output_perturbation(**silent, n_steps=50, n_knots=2, **streams())
    assert kstest(found.q.parameters.ravel() * mu / (eta * 2), "norm").pvalue > LEVEL
    found = q_learning_input_perturbation(**silent, n_steps=50, n_knots=2, **streams(1))
    weights = np.stack([hat_features(found.states, 2) * (found.actions == a)[..., None] for a in range(2)], 1)
    spread = np.sqrt((weights**2).sum(2)) / weights.sum(2)
    assert kstest((found.q.parameters / spread * mu / (eta * np.sqrt(50)))[:, 1, 0], "norm").pvalue > LEVEL
    found = q_learning_dp_sgd(**silent, clip=0.7, n_steps=64, batch_size=32, widths=(1, 2), learning_rate=1e-3,
                              **streams(2))
    first, here, taken = found.iterates[:, 0], found.states[:, :32], found.actions[:, :32, None] == np.arange(2)
    kept = np.minimum(1, 0.7 / network_gradient_norms(first, (1, 2), here, taken))[..., None]
    gradient = network_gradient(first, (1, 2), here, lambda q: q * taken * kept / 32)
    noise = (first - found.iterates[:, 1]) / 1e-3 - gradient
    assert kstest(noise.ravel() * mu / (eta * 0.7 * np.sqrt(2)), "norm").pvalue > LEVEL


# ---- actors

def critic(eta=0.001, runs=3):
    return release_reward_once(**TARGET, eta=eta, runs=runs, **streams(2))


def test_an_actor_that_only_sees_a_private_q_keeps_its_guarantee_and_its_return():
    found = critic()
    actor = actor_from_private_q(found)
    assert actor.guarantees == found.guarantees
    assert policy_return(actor.policy(nodes())) == pytest.approx(greedy_return(found.q), abs=0.5)


def test_an_actor_that_reads_rewards_breaks_the_guarantee_and_noise_repairs_it():
    found = critic(runs=2)
    reads = actor_critic_reading_rewards(found, n_episodes=60, rng=np.random.default_rng(0))
    assert {g.status for g in reads.guarantees} == {Status.REFUTED} and reads.guarantees[0].mu is None
    assert np.all(policy_return(reads.policy(nodes())) > 17)
    repaired = actor_critic_repaired(found, **TARGET, eta=0.001, n_episodes=60, **streams())
    assert repaired.guarantees[0].mu == pytest.approx(compose_gaussians([found.guarantees[0].mu] * 2))
    assert repaired.guarantees[0].epsilon == pytest.approx(
        dp_accounting.get_epsilon_gaussian(1 / repaired.guarantees[0].mu, 1e-4), rel=1e-5)
    assert repaired.next_states.shape == (2, 3000)


def test_one_update_of_a_repaired_actor_moves_by_no_more_than_its_noise_allows():
    found, eta, c = critic(eta=0.05, runs=1), 0.05, np.sum(0.45 ** np.arange(50))
    setting = dict(**TARGET, eta=eta, n_episodes=2, discount=0.9, trace=0.5, learning_rate=3.0)
    base = actor_critic_repaired(found, **setting, **streams(3))
    reach = np.linalg.norm((hat_features(base.states[0], 11) * 0.5).mean(0))  # the first policy tosses a coin
    others = [actor_critic_repaired(found, **setting, reward=moved_by(eta, k), **streams(3)) for k in range(31)]
    moved = [np.linalg.norm(other.weights - base.weights) for other in others]
    assert 0 < max(moved) <= 3.0 * eta * c * reach


# ---- what one would do today

def test_a_reward_released_once_teaches_almost_the_optimum():
    """Bar: within 0.4 of the optimum at (0.9, 1e-4) and eta = 0.01, over 40 runs."""
    found = release_reward_once(**TARGET, eta=0.01, runs=40, **streams(7))
    assert optimal_return() - greedy_return(found.q).mean() < 0.1


def test_no_learner_succeeds_more_often_than_the_ceiling():
    """At eta = 0.1 on two mirrored rewards; 5.4 standard errors of 600 fair runs allowed: 7e-8."""
    wins = []
    for seed, reward in enumerate((middle_reward, lambda states: 0.5 - middle_reward(states))):
        found = release_reward_once(**TARGET, eta=0.1, n_steps=500, runs=300, reward=reward, **streams(seed))
        wins.append(greedy_return(found.q, reward) > 12.5)
    assert np.mean(wins) <= gaussian_success_ceiling(gaussian_mu(0.9, 1e-4), steps=5) + 5.4 * 0.5 / np.sqrt(600)


def test_a_released_contrast_succeeds_as_often_as_its_formula_says():
    """At eta = 0.1, with 5.4 standard errors of 1,200 runs: 1e-7; above what any Gaussian-DP learner with mu could do."""
    exact = 1 - np.exp(-0.9 * 0.5 / 0.2) / 2
    wins = []
    for seed, reward in enumerate((middle_reward, lambda states: 0.5 - middle_reward(states))):
        found = release_contrast_once(epsilon=0.9, eta=0.1, runs=600, n_steps=1000, reward=reward, **streams(seed))
        wins.append(greedy_return(found.q, reward) > 12.5)
    # the visited states nearest to 0, 1/2 and 1 shorten the contrast a little: 1/1000 of it moves the formula by 1e-4
    assert np.mean(wins) == pytest.approx(exact, abs=5.4 * np.sqrt(exact * (1 - exact) / 1200) + 1e-3)
    assert np.mean(wins) > gaussian_success_ceiling(gaussian_mu(0.9, 1e-4), steps=5) + 0.1


def test_an_interrupted_sweep_loses_no_finished_seed(tmp_path):
    """Three seeds, the second of which is interrupted the first time: the next run computes what is missing."""
    whole = experiments.run(_one_return, experiments.grid(eta=[0.01, 0.1]), range(3))
    (tmp_path / "computed").touch()

    def interrupted(*, rng, eta):
        with (tmp_path / "computed").open("a+") as log:
            log.write("x")
            log.seek(0)
            if log.read() == "xxx":
                raise KeyboardInterrupt
        return _one_return(rng=rng, eta=eta)
    with pytest.raises(KeyboardInterrupt):
        experiments.run(interrupted, experiments.grid(eta=[0.01, 0.1]), range(3), cache=tmp_path / "rows")
    resumed = experiments.run(interrupted, experiments.grid(eta=[0.01, 0.1]), range(3), cache=tmp_path / "rows")
    assert (tmp_path / "computed").read_text() == "x" * 7  # six rows, one of them twice
    assert resumed["value"].tolist() == whole["value"].tolist()


def _one_return(*, rng, eta):
    world, noise = rng.spawn(2)
    return float(greedy_return(release_reward_once(**TARGET, eta=eta, n_steps=200, rng=world, noise_rng=noise).q)[0])


def test_the_released_reward_is_linear_between_its_knots():
    found = release_reward_once(**TARGET, eta=0.001, n_steps=500, runs=2, **streams(5))
    assert found.reward(found.knots) == pytest.approx(found.values)
    assert found.reward(np.array([0.25])) == pytest.approx((found.values[:, :1] + found.values[:, 1:2]) / 2)
    assert found.reward(found.next_states).shape == (2, 500)


# ---- wrong arguments

PRINTED = dict(sigma=0.3, beta=1.0, n_steps=128, n_paths=1)
RIGHT = dict(**TARGET, eta=0.01, n_steps=128)


@pytest.mark.parametrize("learn, right, wrong, message", [
    *((q_learning_as_printed, PRINTED, wrong, message) for wrong, message in [
        (dict(sigma=-0.1), "sigma must be at least 0, got -0.1"), (dict(beta=0), "beta must be positive, got 0"),
        (dict(sigma=[0.1, 0.2]), "sigma must be one number or one for each of 1 runs"),
        (dict(batch_size=129), "batch_size must be at most n_steps = 128, got 129"),
        (dict(n_paths=3), "n_paths must be at most n_steps // batch_size = 2, got 3"),
        (dict(n_paths=0), "n_paths must be a whole number"),
        (dict(discount=1.0), "discount must be in \\[0, 1\\), got 1.0"),
        (dict(learning_rate=0), "learning_rate must be positive"),
        (dict(start=np.zeros(3)), "start must have shape \\[338\\], got \\[3\\]"),
        (dict(epsilon=0), "epsilon must be positive, got 0"),
        (dict(runs=0), "runs must be a whole number of at least 1"), (dict(widths=(1,)), "widths must name at least"),
        (dict(reward=lambda s: s * np.nan), "reward\\(states\\) must be finite, got nan"),
        (dict(learning_rate=1e200), "parameters must be finite")]),
    *((q_learning_as_run_by_authors, dict(sigma=0.3, n_episodes=1), wrong, message) for wrong, message in [
        (dict(sigma=-1), "sigma must be at least 0, got -1"), (dict(beta=-1), "beta must be positive, got -1"),
        (dict(n_episodes=0), "n_episodes must be a whole number of at least 1, got 0"),
        (dict(n_paths=2), "n_paths must be at most n_episodes = 1, got 2"),
        (dict(n_paths=0), "n_paths must be a whole number of at least 1, got 0"),
        (dict(reward=lambda s: s * np.nan), "reward\\(states\\) must be finite, got nan")]),
    *((learn, RIGHT, wrong, message) for learn in PRIVATE for wrong, message in [
        (dict(epsilon=0), "epsilon must be positive, got 0"),
        (dict(delta=1), "delta must be strictly between 0 and 1, got 1"),
        (dict(eta=0), "eta must be positive, got 0"),
        (dict(eta=[0.1, 0.2]), "eta must be one number or one for each of 1 runs"),
        (dict(n_steps=0), "n_steps must be a whole number of at least 1, got 0"),
        (dict(discount=1), "discount must be in \\[0, 1\\), got 1"),
        (dict(reward=lambda s: s * np.nan), "reward\\(states\\) must be finite, got nan")]),
    (q_learning_private_state, RIGHT, dict(beta=-2), "beta must be positive, got -2"),
    (q_learning_private_state, RIGHT, dict(batch_size=129), "batch_size must be at most n_steps = 128, got 129"),
    (q_learning_dp_sgd, RIGHT, dict(batch_size=129), "batch_size must be at most n_steps = 128, got 129"),
    (q_learning_dp_sgd, RIGHT, dict(clip=0), "clip must be positive, got 0"),
    *((release_contrast_once, dict(epsilon=0.9, eta=0.01, n_steps=128), wrong, message) for wrong, message in [
        (dict(epsilon=0), "epsilon must be positive, got 0"), (dict(eta=-1), "eta must be positive, got -1"),
        (dict(discount=1), "discount must be in \\[0, 1\\), got 1"),
        (dict(reward=lambda s: s * np.nan), "reward\\(states\\) must be finite, got nan")]),
    (release_reward_once, RIGHT, dict(n_knots=1), "n_knots must be a whole number of at least 2, got 1"),
    (q_learning_input_perturbation, RIGHT, dict(n_knots=1), "n_knots must be a whole number of at least 2, got 1"),
])
def test_wrong_arguments_say_what_is_wrong(learn, right, wrong, message):
    with np.errstate(all="ignore"), pytest.raises(ValueError, match=message):
        learn(**{**right, **streams(), **wrong})


@pytest.mark.parametrize("call, message", [
    (lambda: actor_critic_repaired(critic(), **TARGET, eta=0.5, **streams()),
     "critic must have a proved Gaussian guarantee for sup-norm at most 0.5"),
    (lambda: actor_critic_reading_rewards(critic(), trace=1.5, rng=np.random.default_rng(0)),
     "trace must be in \\[0, 1\\], got 1.5"),
    (lambda: actor_critic_reading_rewards(critic(), n_episodes=1, rng=np.random.default_rng(0)),
     "n_episodes must be a whole number of at least 2"),
    (lambda: actor_from_private_q(critic(), learning_rate=0), "learning_rate must be positive"),
    (lambda: hat_features([1.5], 3), "states must be in \\[0, 1\\], got 1.5"),
    (lambda: hat_gram(3, 0), "beta must be positive, got 0"),
])
def test_wrong_arguments_of_the_parts_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()
