r"""Q-learning with functional noise: Wang & Hegde's algorithm as printed, as its authors ran it, and corrected.

**Unit of privacy:** the reward function. **Neighbours:** :math:`\lVert r - r'\rVert_\infty \le \eta`; the paper takes
:math:`\eta = 1`, twice the whole range of its rewards. Visited states are not protected. The problem is the walk of
`privrl_core.world.interval_walk`; all runs (seeds and settings) advance together along the leading axis. ``rng`` drives the
world and the networks' first weights, ``noise_rng`` the noise.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import (
    discount_below_one,
    each_run,
    finite,
    generator,
    instance_of,
    nonnegative,
    number,
    open_unit,
    positive,
    up_to,
    whole_batches,
    whole_number,
)
from privrl_core.functional_noise.batched_mlp import NetworkQ, Widths, initial_parameters, network_gradient, network_values
from privrl_core.functional_noise.hat_functions import LinearQ, hat_features, hat_gram
from privrl_core.functional_noise.ou_paths import OUPaths
from privrl_core.functional_noise.results import Iterated, Learned, added_noise, gaussian_guarantees
from privrl_core.privacy.guarantees import REWARD_FUNCTION, Guarantee, Status, sup_norm
from privrl_core.world.interval_walk import HORIZON, Reward, middle_reward, move, rewards_of, walk

__all__ = ["AsPrinted", "NoisedQ", "q_learning_as_printed", "q_learning_as_run_by_authors", "anywhere", "as_visited",
           "q_learning_private_state"]

PATHS = "Gaussian process"


@dataclass(frozen=True, eq=False)
class NoisedQ:
    """Networks with a noise path for each action. A call, as for `.NetworkQ`, adds both; repeated calls agree."""

    network: NetworkQ
    paths: OUPaths

    def __call__(self, states) -> np.ndarray:
        columns = np.atleast_2d(finite("states", states)).T
        return self.network(states) + np.stack([self.paths(column[:, None]) for column in columns], axis=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class AsPrinted(Learned):
    """Both releases of Algorithm 1: ``q`` (2019, line 24) and ``noised_q`` (arXiv version, lines 23 to 27)."""

    noised_q: NoisedQ


# ---------------------------------------------------------------------------------------------------- as printed

# beta, paths, steps, batch, rate, discount and widths of appendix E.3, for which a test counted the released Qs
AUDITED = (1 / 6.19e-5, 78, 5000, 64, 3e-4, 0.999, (1, 16, 16, 2))


def q_learning_as_printed(*, sigma, beta: float, n_paths: int = 78, n_steps: int = 5000, batch_size: int = 64,
                          learning_rate: float = 3e-4, discount: float = 0.999, widths: Widths = (1, 16, 16, 2),
                          start=None, epsilon=None, delta: float = 1e-4, reward: Reward = middle_reward,
                          runs: int = 1, rng: np.random.Generator, noise_rng: np.random.Generator) -> AsPrinted:
    r"""Algorithm 1 of Wang & Hegde (2019), with the fewest repairs that make it run.

    For each of the T/B batches, with noise paths :math:`g_a` that are redrawn ``n_paths`` = J times in all,

    .. math:: a_t = \arg\max_a Q_\theta(s_t, a) + g_a(s_t), \qquad
              \theta \leftarrow \theta - \frac{\alpha}{B} \sum_{t} \bigl(Q_\theta(s_t, a_t) + g_{a_t}(s_t)
              - r_t - \gamma \max_a [Q_\theta(s_{t+1}, a) + g_a(s_{t+1})]\bigr) \nabla_\theta Q_\theta(s_t, a_t)

    The repairs: descent (line 21 prints ascent); the exact bridge (Equation 2 has negative variances); noise at
    :math:`s_t` when a path is new (the paper inserts only :math:`s_{t+1}`); t = jB + b (line 11); B terms (line 21 sums
    B + 1); :math:`g_{a_t}` (line 20: :math:`g_a`), and g inside the maximum (line 19). The target is held fixed in the
    gradient, as in deep Q-learning. Nothing enforces the Lipschitz constant L.

    ``sigma >= 0`` (a number, or one for each run), ``beta > 0``, ``1 <= n_paths <= n_steps // batch_size``,
    ``0 <= discount < 1``, ``learning_rate > 0``; ValueError otherwise and for rewards that are not finite. ``start[P]``
    are public initial weights; without it each run draws its own. ``epsilon`` (one, or one for each run) and ``delta`` are
    what is claimed for this sigma; no formula in the paper connects them. Without ``epsilon`` there are no guarantees.
    Guarantees are CLAIMED, but REFUTED where counts of released Qs show that two rewards can be told apart better than
    the guarantee allows: from a public start (a guarantee must hold for each), with all else as in the paper, at
    sigma = 0.32, for epsilon up to 0.9 at delta up to 1e-4 (tests/claims/test_wang_2019_learning.py).
    """
    runs, (n_steps, batch_size, updates) = whole_number("runs", runs, least=1), whole_batches(n_steps, batch_size)
    n_paths = up_to("n_paths", whole_number("n_paths", n_paths, least=1), updates, "n_steps // batch_size")
    learning_rate, discount = number(positive, "learning_rate", learning_rate), discount_below_one(discount)
    delta = number(open_unit, "delta", delta)
    sigma = each_run("sigma", nonnegative, sigma, runs)[:, None]
    generator("noise_rng", noise_rng)
    paths = OUPaths(number(positive, "beta", beta), sigma, noise_rng, shape=(runs, 2))
    parameters = initial_parameters(widths, runs, rng)
    if start is not None:
        if np.shape(start) not in (parameters.shape, parameters.shape[1:]):
            raise ValueError(f"start must have shape {list(parameters.shape[1:])}, got {list(np.shape(start))}")
        parameters[:] = finite("start", start)
    states, next_states = np.empty((2, runs, n_steps))
    noise, next_noise = np.empty((2, runs, n_steps, 2))
    actions = np.empty((runs, n_steps), int)
    for t in range(n_steps):
        update, place = divmod(t, batch_size)
        new_path = place == 0 and update * n_paths % updates < n_paths and update < updates
        if new_path:
            paths.restart()
        follows = t % HORIZON > 0
        states[:, t] = next_states[:, t - 1] if follows else rng.random(runs)
        noise[:, t] = next_noise[:, t - 1] if follows and not new_path else paths(states[:, t, None])
        actions[:, t] = np.argmax(network_values(parameters, widths, states[:, t, None])[:, 0] + noise[:, t], axis=-1)
        next_states[:, t] = move(states[:, t], actions[:, t], rng)
        next_noise[:, t] = paths(next_states[:, t, None])
        if place == batch_size - 1:
            batch = slice(t + 1 - batch_size, t + 1)
            targets = rewards_of(reward, next_states[:, batch]) + discount * np.max(
                network_values(parameters, widths, next_states[:, batch]) + next_noise[:, batch], axis=-1)
            parameters -= learning_rate * _mean_gradient(
                parameters, widths, states[:, batch], actions[:, batch], targets[..., None] - noise[:, batch], np.inf)
    settings = beta, n_paths, n_steps, batch_size, learning_rate, discount, tuple(widths)
    counted = start is not None and settings == AUDITED
    guarantees = _labels(epsilon, delta, runs,
                         lambda each: counted & (sigma[:, 0] == 0.32) & (each <= 0.9) & (delta <= 1e-4),
                         "Wang & Hegde 2019, Theorem 5 and appendix E.3, whose parameters are never noised")
    q = NetworkQ(parameters, tuple(widths))
    return AsPrinted(q=q, states=states, actions=actions, next_states=next_states, guarantees=guarantees,
                     noise=added_noise(PATHS, sigma[:, 0]), noised_q=NoisedQ(q, paths))


# ------------------------------------------------------------------------------------------ as run by the authors

def q_learning_as_run_by_authors(*, sigma, beta: float = 1.0, n_paths: int | None = None, n_episodes: int = 100,
                                 epsilon=None, delta: float = 1e-4, reward: Reward = middle_reward, runs: int = 1,
                                 rng: np.random.Generator, noise_rng: np.random.Generator) -> Learned:
    r"""Q-learning with functional noise in the settings of the authors' public code (2019), not those of the paper.

    After every step, a batch of 128 from all earlier steps; Huber loss, gradients clipped to :math:`\pm 1`, RMSprop at
    rate 0.01, discount 0.999 with value 0 after the last step, :math:`\varepsilon`-greedy actions (0.9 falling to 0.05)
    on the noised Q, a target network copied every ten episodes with noise paths of its own, and new paths in every
    episode, or ``n_paths`` times in all. To the right of all known points, the authors' code conditions on the leftmost
    point; here the path has the correct distribution.

    ``sigma >= 0`` (a number, or one for each run), ``beta > 0``, ``n_episodes >= 1``, ``n_paths`` from 1 to
    ``n_episodes``, else ValueError. ``q`` is the network without noise. ``epsilon`` (one, or one for each run) and
    ``delta`` label the guarantee. It is CLAIMED, and REFUTED at sigma = 0: no theorem covers these settings, because
    RMSprop rescales each step, so that the sensitivity is not of order alpha. Without ``epsilon`` there is no guarantee.
    """
    runs, n_steps = whole_number("runs", runs, least=1), HORIZON * whole_number("n_episodes", n_episodes, least=1)
    n_paths = n_episodes if n_paths is None else whole_number("n_paths", n_paths, least=1)
    up_to("n_paths", n_paths, n_episodes, "n_episodes")
    widths, batch_size, discount, delta = (1, 16, 16, 2), 128, 0.999, number(open_unit, "delta", delta)
    sigma = each_run("sigma", nonnegative, sigma, runs)[:, None]
    generator("noise_rng", noise_rng)
    paths, target_paths = (OUPaths(number(positive, "beta", beta), sigma, noise_rng, shape=(runs, 2)) for _ in range(2))
    # single precision, as in the authors' code: twice as fast
    parameters = initial_parameters(widths, runs, rng, dtype=np.float32)
    target_parameters, squares = parameters.copy(), np.zeros_like(parameters)
    states, next_states, rewards = np.empty((3, runs, n_steps))
    noise, next_noise = np.empty((2, runs, n_steps, 2))
    actions = np.empty((runs, n_steps), int)
    first_of_run = n_steps * np.arange(runs)[:, None]  # in the flattened arrays
    for t in range(n_steps):
        episode, place = divmod(t, HORIZON)
        if place == 0 and episode * n_paths % n_episodes < n_paths:
            # new paths are sampled at once at the old states, which replay may use, and at new states as they are visited
            noise[:, :t] = np.moveaxis(paths.restart(states[:, None, :t]), 1, -1)
            next_noise[:, :t] = np.moveaxis(target_paths.restart(next_states[:, None, :t]), 1, -1)

        states[:, t] = next_states[:, t - 1] if place else rng.random(runs)
        noise[:, t] = paths(states[:, t, None])
        noised_q = network_values(parameters, widths, states[:, t, None])[:, 0] + noise[:, t]
        explores = rng.random(runs) < 0.05 + 0.85 * np.exp(-t / 200)
        actions[:, t] = np.where(explores, rng.integers(2, size=runs), np.argmax(noised_q, axis=-1))
        next_states[:, t] = move(states[:, t], actions[:, t], rng)
        rewards[:, t] = rewards_of(reward, next_states[:, t])
        next_noise[:, t] = target_paths(next_states[:, t, None])

        if t + 1 >= batch_size:
            steps = np.stack([rng.choice(t + 1, batch_size, replace=False, shuffle=False) for _ in range(runs)])
            flat = first_of_run + steps  # several times faster than indexing by run and step
            here, taken, reward_there, there = (part.take(flat) for part in (states, actions, rewards, next_states))
            noise_here, noise_there = (part.reshape(-1, 2).take(flat, axis=0) for part in (noise, next_noise))
            target_q = network_values(target_parameters, widths, there) + noise_there
            is_last = steps % HORIZON == HORIZON - 1
            future = np.where(is_last, 0, np.maximum(target_q[..., 0], target_q[..., 1]))
            targets = (reward_there + discount * future)[..., None] - noise_here
            gradient = np.clip(_mean_gradient(parameters, widths, here, taken, targets, largest_error=1), -1, 1)
            squares += 0.01 * (gradient**2 - squares)
            parameters -= 0.01 * gradient / (np.sqrt(squares) + 1e-8)
        if place == HORIZON - 1 and episode % 10 == 0:
            target_parameters = parameters.copy()
    guarantees = _labels(epsilon, delta, runs, lambda _: sigma[:, 0] == 0,
                         "Wang & Hegde 2019, Theorem 5, for other settings than these")
    return Learned(q=NetworkQ(parameters, widths), states=states, actions=actions, next_states=next_states,
                   guarantees=guarantees, noise=added_noise(PATHS, sigma[:, 0]))


# ------------------------------------------------------------------------------------------------------ corrected

def anywhere(features: np.ndarray, gram: np.ndarray) -> np.ndarray:
    r"""The largest norm in H of :math:`\frac1B \sum_t d_t \phi_t` with all :math:`|d_t| \le 1`, for any walk.

    By the triangle inequality it is :math:`\max_s \lVert\phi(s)\rVert_H`, attained at a knot, since the squared norm is
    convex between knots.
    ``features[..., B, d]`` of hats, ``gram[d, d]``; returns ``[...]``.
    """
    return np.broadcast_to(np.sqrt(gram.diagonal().max()), features.shape[:-2])


def as_visited(features: np.ndarray, gram: np.ndarray) -> np.ndarray:
    r"""A bound on the same norm for the states visited: the smaller of :math:`\sqrt{p^\top |G|\, p}` and `anywhere`.

    Here :math:`p = \frac1B \sum_t \phi_t`, which bounds the sum entry by entry as hats are non-negative; :math:`|G|` is
    the entrywise absolute value.
    """
    p = features.mean(axis=-2)
    return np.minimum(np.sqrt(np.einsum("...i,ij,...j->...", p, np.abs(gram), p)), anywhere(features, gram))


def q_learning_private_state(*, epsilon, delta, eta, sensitivity=as_visited, beta: float = 17.0, n_knots: int = 11,
                             n_steps: int = 5000, batch_size: int = 64, learning_rate: float = 0.02,
                             discount: float = 0.9, reward: Reward = middle_reward, runs: int = 1,
                             rng: np.random.Generator, noise_rng: np.random.Generator) -> Iterated:
    r"""The corrected algorithm: functional noise added to the parameters, on a walk that does not depend on rewards.

    .. math:: \theta \leftarrow \theta - \frac{\alpha}{B} \sum_t \bigl(Q_\theta(s_t, a_t) - r_t
              - \gamma \max_a Q_\theta(s_{t+1}, a)\bigr)\, \phi(s_t, a_t) + \mathcal N(0, \sigma_j^2\, G^{-1})

    :math:`\phi` holds the hats of both actions and G is their Gram matrix in the Hilbert space of :math:`e^{-\beta|x-y|}`,
    so the noise is the projection of a Gaussian process onto the features: post-processing of the functional mechanism.
    Given :math:`\theta`, the reward enters linearly: one update moves by at most :math:`\eta\alpha \Delta_j` in H, for
    both actions together, with :math:`\Delta_j` from ``sensitivity`` (`as_visited`, or `anywhere`, which does not use the
    walk). All T/B updates at :math:`\sigma_j = \eta\alpha\Delta_j \sqrt{T/B}/\mu` compose to :math:`\mu` exactly. Every
    iterate is released.

    ``epsilon``, ``delta``, ``eta``: numbers or one for each run. ``beta > 0``, ``n_knots >= 2``, ``learning_rate > 0``,
    ``discount`` in [0, 1), ``1 <= batch_size <= n_steps``. ValueError otherwise and for rewards that are not finite.
    The proof does not extend to a network, whose gradient depends on the hidden parameters; see `.q_learning_dp_sgd`.
    """
    runs, (n_steps, batch_size, updates) = whole_number("runs", runs, least=1), whole_batches(n_steps, batch_size)
    learning_rate, discount = number(positive, "learning_rate", learning_rate), discount_below_one(discount)
    eta, mu, guarantees = gaussian_guarantees(epsilon, delta, eta, runs,
                                              f"functional Gaussian mechanism, {updates} updates, exact composition")
    generator("noise_rng", noise_rng)
    instance_of(Callable, "sensitivity", sensitivity)
    n_knots = whole_number("n_knots", n_knots, least=2)
    gram = np.kron(np.eye(2), hat_gram(n_knots, beta))
    try:
        root = np.linalg.inv(np.linalg.cholesky(gram))  # of the covariance: G^-1 = root^T root
    except np.linalg.LinAlgError:
        raise ValueError(f"beta must be large enough for an invertible Gram matrix, got {beta}") from None
    states, actions, next_states = walk(n_steps, rng, runs=runs)
    rewards = rewards_of(reward, next_states)
    iterates, scales = np.zeros((runs, updates + 1, 2, n_knots)), np.empty((runs, updates))
    for j in range(updates):
        batch, theta = slice(j * batch_size, (j + 1) * batch_size), iterates[:, j]
        here, there = hat_features(states[:, batch], n_knots), hat_features(next_states[:, batch], n_knots)
        features = (_one_hot(actions[:, batch])[..., None] * here[:, :, None]).reshape(runs, batch_size, 2 * n_knots)
        future = np.einsum("rbk,rak->rba", there, theta).max(axis=-1)
        errors = np.einsum("rbk,rk->rb", features, theta.reshape(runs, -1)) - rewards[:, batch] - discount * future
        scales[:, j] = eta * learning_rate * sensitivity(features, gram) * np.sqrt(updates) / mu
        noise = scales[:, j, None] * (noise_rng.standard_normal((runs, 2 * n_knots)) @ root)
        step = noise - learning_rate * np.einsum("rb,rbk->rk", errors, features) / batch_size
        iterates[:, j + 1] = theta + step.reshape(theta.shape)
    return Iterated(q=LinearQ(iterates[:, -1]), states=states, actions=actions, next_states=next_states,
                    guarantees=guarantees, noise=added_noise(PATHS, scales), iterates=iterates)


def _labels(epsilon, delta, runs, refuted, basis):
    """The claimed guarantee of each run, or none without ``epsilon``; ``refuted(epsilons[runs])`` marks false ones."""
    if epsilon is None:
        return ()
    epsilon = each_run("epsilon", positive, epsilon, runs)
    return tuple(Guarantee(float(e), delta, REWARD_FUNCTION, sup_norm(1), Status.REFUTED if no else Status.CLAIMED, basis)
                 for e, no in zip(epsilon, refuted(epsilon)))


def _mean_gradient(parameters, widths, states, actions, targets, largest_error):
    """The mean over a batch of the clipped error Q - ``targets[runs, n, 2]`` of the action taken times the gradient of Q."""
    share = _one_hot(actions) / actions.shape[1]
    return network_gradient(parameters, widths, states,
                            lambda q: np.clip(q - targets, -largest_error, largest_error) * share)


def _one_hot(actions: np.ndarray) -> np.ndarray:
    return np.eye(2).take(actions, axis=0)
