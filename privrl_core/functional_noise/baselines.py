r"""Other places to put the noise, at the same guarantee: the rewards, the gradients, the result, and the policy.

**Unit of privacy:** the reward function. **Neighbours:** :math:`\lVert r - r'\rVert_\infty \le \eta`, so a neighbour may
change every reward at once. Every batch is therefore affected, and sampling batches does not amplify privacy. All walks are
random and do not depend on rewards, except those of an actor, which depend only on released values. Every guarantee is the
exact one of Gaussian releases.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.signal import lfilter
from scipy.special import expit

from privrl_core.checks import (
    discount_below_one,
    finite,
    generator,
    instance_of,
    number,
    positive,
    whole_batches,
    whole_number,
    within,
)
from privrl_core.functional_noise.batched_mlp import (
    NetworkQ,
    Widths,
    initial_parameters,
    network_gradient,
    network_gradient_norms,
    network_values,
)
from privrl_core.functional_noise.hat_functions import LinearQ, fitted_q_iteration, hat_features
from privrl_core.functional_noise.results import Iterated, Learned, added_noise, gaussian_guarantees
from privrl_core.privacy.curves import compose_gaussians, gaussian_epsilon
from privrl_core.privacy.guarantees import Guarantee, Status
from privrl_core.world.interval_walk import HORIZON, Reward, middle_reward, move, rewards_of, walk

__all__ = ["q_learning_input_perturbation", "q_learning_output_perturbation", "q_learning_dp_sgd", "Actor",
           "actor_from_private_q", "actor_critic_reading_rewards", "actor_critic_repaired"]

LARGEST_WEIGHT = 10.0  # clipping released weights is post-processing, and keeps large noise from overflowing


# ------------------------------------------------------------------------------------------- rewards, result, gradients

def q_learning_input_perturbation(*, epsilon, delta, eta, n_steps: int = 5000, n_knots: int = 11, discount: float = 0.9,
                                  reward: Reward = middle_reward, runs: int = 1, rng: np.random.Generator,
                                  noise_rng: np.random.Generator) -> Learned:
    r"""Noise on every reward, :math:`r_t + \mathcal N(0, \sigma^2)`, then fitted Q-iteration as post-processing.

    A neighbour moves all T rewards by up to :math:`\eta`, so :math:`\sigma = \eta\sqrt T/\mu` is exact. ``epsilon``,
    ``delta``, ``eta``: numbers or one for each run; ``n_knots >= 2``, ``discount`` in [0, 1), else ValueError. Source:
    Venkitasubramaniam (2013), in the comparison of Wang & Hegde (2019, appendix E.2).
    """
    runs = whole_number("runs", runs, least=1)
    eta, mu, guarantees = gaussian_guarantees(epsilon, delta, eta, runs, "Gaussian noise on rewards, exact composition")
    generator("noise_rng", noise_rng)
    states, actions, next_states = walk(n_steps, rng, runs=runs)
    noise = (eta * np.sqrt(n_steps) / mu)[:, None] * noise_rng.standard_normal(states.shape)
    noised = rewards_of(reward, next_states) + noise
    q = fitted_q_iteration(states, actions, next_states, noised, discount=discount, n_knots=n_knots)
    return Learned(q=q, states=states, actions=actions, next_states=next_states, guarantees=guarantees,
                   noise=added_noise("Gaussian", eta * np.sqrt(n_steps) / mu))


def q_learning_output_perturbation(*, epsilon, delta, eta, n_steps: int = 5000, n_knots: int = 11,
                                   discount: float = 0.9, reward: Reward = middle_reward, runs: int = 1,
                                   rng: np.random.Generator, noise_rng: np.random.Generator) -> Learned:
    r"""Fitted Q-iteration, then Gaussian noise with :math:`\sigma = \tfrac{\eta}{1-\gamma}\sqrt{2K}/\mu` on its result.

    A neighbour moves each of the 2K parameters by at most :math:`\eta/(1-\gamma)` (`.fitted_q_iteration`), attained if
    all rewards move together. Arguments as in `q_learning_input_perturbation`.
    """
    runs, discount = whole_number("runs", runs, least=1), discount_below_one(discount)
    eta, mu, guarantees = gaussian_guarantees(epsilon, delta, eta, runs, "Gaussian release of fitted parameters")
    generator("noise_rng", noise_rng)
    states, actions, next_states = walk(n_steps, rng, runs=runs)
    theta = fitted_q_iteration(states, actions, next_states, rewards_of(reward, next_states), discount=discount,
                               n_knots=n_knots).parameters
    scale = eta * np.sqrt(2 * n_knots) / ((1 - discount) * mu)
    q = LinearQ(theta + scale[:, None, None] * noise_rng.standard_normal(theta.shape))
    return Learned(q=q, states=states, actions=actions, next_states=next_states, guarantees=guarantees,
                   noise=added_noise("Gaussian", scale))


def q_learning_dp_sgd(*, epsilon, delta, eta, clip: float = 1.0, n_steps: int = 5000, batch_size: int = 64,
                      learning_rate: float = 0.3, discount: float = 0.5, widths: Widths = (1, 16, 16, 2),
                      reward: Reward = middle_reward, runs: int = 1, rng: np.random.Generator,
                      noise_rng: np.random.Generator) -> Iterated:
    r"""Stochastic gradient descent with noise on each update of a network, whose state is thus private at every step.

    .. math:: \theta \leftarrow \theta - \alpha \Bigl[\frac1B \sum_t e_t \nabla Q_\theta(s_t, a_t)
              \min\Bigl(1, \frac{C}{\lVert\nabla Q_\theta(s_t, a_t)\rVert_2}\Bigr) + \mathcal N(0, \sigma^2 I)\Bigr],
              \qquad e_t = Q_\theta(s_t, a_t) - r_t - \gamma \max_a Q_\theta(s_{t+1}, a)

    Given :math:`\theta`, which is released, only :math:`e_t` depends on the reward, so the sum moves by at most
    :math:`\eta C` and :math:`\sigma = \eta C \sqrt{T/B}/\mu`. Parameters are clipped to :math:`\pm 10`. Abadi et al.
    clip the whole product :math:`e_t \nabla Q`; neighbours that change every example can then move the sum by up to 2C,
    however small :math:`\eta` is.

    ``epsilon``, ``delta``, ``eta``: numbers or one for each run; ``clip > 0`` (C), ``learning_rate > 0``, ``discount``
    in [0, 1), ``1 <= batch_size <= n_steps``, else ValueError. Source: Abadi et al. (2016), without its amplification.
    """
    runs, (n_steps, batch_size, updates) = whole_number("runs", runs, least=1), whole_batches(n_steps, batch_size)
    learning_rate, discount = number(positive, "learning_rate", learning_rate), discount_below_one(discount)
    eta, mu, guarantees = gaussian_guarantees(epsilon, delta, eta, runs,
                                              f"Gaussian mechanism on {updates} gradients, exact composition")
    generator("noise_rng", noise_rng)
    states, actions, next_states = walk(n_steps, rng, runs=runs)
    rewards = rewards_of(reward, next_states)
    first = initial_parameters(widths, runs, rng)
    iterates = np.repeat(first[:, None], updates + 1, axis=1)
    scale = eta * number(positive, "clip", clip) * np.sqrt(updates) / mu
    for j in range(updates):
        batch, theta = slice(j * batch_size, (j + 1) * batch_size), iterates[:, j]
        here, taken = states[:, batch], actions[:, batch, None] == np.arange(2)
        future = network_values(theta, widths, next_states[:, batch]).max(axis=-1)
        errors = (network_values(theta, widths, here) * taken).sum(-1) - rewards[:, batch] - discount * future
        kept = np.minimum(1, clip / np.maximum(network_gradient_norms(theta, widths, here, taken), 1e-300))
        slopes = (errors * kept / batch_size)[..., None] * taken
        gradient = network_gradient(theta, widths, here, lambda q, slopes=slopes: slopes)
        noise = scale[:, None] * noise_rng.standard_normal(theta.shape)
        iterates[:, j + 1] = np.clip(theta - learning_rate * (gradient + noise), -LARGEST_WEIGHT, LARGEST_WEIGHT)
    return Iterated(q=NetworkQ(iterates[:, -1], widths), states=states, actions=actions, next_states=next_states,
                    guarantees=guarantees, noise=added_noise("Gaussian", scale), iterates=iterates)


# ----------------------------------------------------------------------------------------------------- with an actor

@dataclass(frozen=True, eq=False, kw_only=True)
class Actor(Learned):
    r"""The critic ``q`` with a policy that moves right with probability :math:`1 / (1 + e^{-\phi(s)^\top \omega})`.

    ``weights[runs, knots]`` are :math:`\omega`; ``policy(states[n])`` gives the probabilities, ``[runs, n]``.
    """

    weights: np.ndarray

    def policy(self, states) -> np.ndarray:
        return expit(np.einsum("...nk,...k->...n", hat_features(states, self.weights.shape[-1]), self.weights))


def actor_from_private_q(critic: Learned, *, n_knots: int = 11, rounds: int = 200,
                         learning_rate: float = 100.0) -> Actor:
    r"""Gradient ascent on :math:`\sum_t \sum_a \pi(a|s_t) Q(s_t, a)` for a released Q, which is post-processing.

    The states are those of the critic's walk. ``n_knots >= 2``, ``rounds >= 1``, ``learning_rate > 0``, else
    ValueError. Source: Wang & Hegde (2019), section 3.3, first paragraph.
    """
    learning_rate = number(positive, "learning_rate", learning_rate)
    places = np.linspace(0, 1, 201)
    n_knots = whole_number("n_knots", n_knots, least=2)
    features, values = hat_features(places, n_knots), instance_of(Learned, "critic", critic).q(places)
    runs = len(critic.states)
    visits = np.stack([np.histogram(s, 201, (-0.0025, 1.0025))[0] / s.size for s in critic.states])
    advantage, weights = visits * (values[..., 1] - values[..., 0]), np.zeros((runs, n_knots))
    for _ in range(whole_number("rounds", rounds, least=1)):
        right = expit(weights @ features.T)
        weights = weights + learning_rate * (advantage * right * (1 - right)) @ features
    return Actor(q=critic.q, states=critic.states, actions=critic.actions, next_states=critic.next_states,
                 guarantees=critic.guarantees, noise=critic.noise, weights=weights)


def _actor_critic(critic, scale, n_episodes, batch_episodes, learning_rate, discount, trace, n_knots, reward, rng,
                  noise_rng):
    """Policy gradients whose advantages read the rewards; ``scale[runs]`` times an update's ``reach`` is its noise."""
    generator("rng", rng)
    runs, steps, n_knots = len(critic.states), HORIZON * batch_episodes, whole_number("n_knots", n_knots, least=2)
    weights, walks = np.zeros((runs, n_knots)), []
    for _ in range(n_episodes // batch_episodes):
        states, actions, next_states = np.empty((runs, steps)), np.empty((runs, steps), int), np.empty((runs, steps))
        for t in range(steps):
            states[:, t] = next_states[:, t - 1] if t % HORIZON else rng.random(runs)
            right = expit(np.einsum("rk,rk->r", hat_features(states[:, t], n_knots), weights))
            actions[:, t] = rng.random(runs) < right
            next_states[:, t] = move(states[:, t], actions[:, t], rng)
        walks.append((states, actions, next_states))
        errors = rewards_of(reward, next_states) + discount * critic.q(next_states).max(-1) - critic.q(states).max(-1)
        backwards = errors.reshape(runs, batch_episodes, HORIZON)[..., ::-1]
        advantages = lfilter([1.0], [1.0, -trace * discount], backwards)[..., ::-1].reshape(runs, steps)
        features = hat_features(states, n_knots)
        scores = actions - expit(np.einsum("rtk,rk->rt", features, weights))
        gradient = np.einsum("rt,rt,rtk->rk", advantages, scores, features) / steps
        reach = np.linalg.norm(np.einsum("rt,rtk->rk", np.abs(scores), features) / steps, axis=-1)
        noise = (scale * reach)[:, None] * noise_rng.standard_normal(weights.shape)
        weights = weights + learning_rate * (gradient + noise)
    return (*(np.concatenate(part, axis=1) for part in zip(*walks)), weights)


def actor_critic_reading_rewards(critic: Learned, *, n_episodes: int = 100, batch_episodes: int = 2,
                                 learning_rate: float = 10.0, discount: float = 0.9, trace: float = 0.9,
                                 n_knots: int = 11, reward: Reward = middle_reward,
                                 rng: np.random.Generator) -> Actor:
    r"""A private critic, and an actor whose advantages read the rewards again, which voids the critic's guarantee.

    .. math:: \omega \leftarrow \omega + \frac{\alpha}{n} \sum_t A_t \nabla \ln \pi_\omega(a_t|s_t), \qquad
              A_t = \sum_{k \ge 0} (\lambda\gamma)^k \bigl(r_{t+k} + \gamma v(s_{t+k+1}) - v(s_{t+k})\bigr),
              \quad v = \max_a Q

    The critic's guarantees are returned as REFUTED, because noiseless updates of the policy distinguish any two rewards
    that lead to different updates. ``trace`` :math:`\lambda` in [0, 1]; other arguments positive, else ValueError.
    Source: Wang & Hegde (2019), section 3.3, which notes this; `actor_critic_repaired` adds the required noise.
    """
    checked = _checked(n_episodes, batch_episodes, learning_rate, discount, trace)
    no_noise = np.zeros(len(instance_of(Learned, "critic", critic).states)), np.random.default_rng(0)
    states, actions, next_states, weights = _actor_critic(critic, no_noise[0], *checked, n_knots, reward, rng, no_noise[1])
    broken = tuple(replace(guarantee, status=Status.REFUTED, mu=None, basis="updates of the policy read rewards")
                   for guarantee in critic.guarantees)
    return Actor(q=critic.q, states=states, actions=actions, next_states=next_states, guarantees=broken, noise=critic.noise,
                 weights=weights)


def actor_critic_repaired(critic: Learned, *, epsilon, delta, eta, n_episodes: int = 100, batch_episodes: int = 2,
                          learning_rate: float = 10.0, discount: float = 0.9, trace: float = 0.9, n_knots: int = 11,
                          reward: Reward = middle_reward, rng: np.random.Generator,
                          noise_rng: np.random.Generator) -> Actor:
    r"""`actor_critic_reading_rewards` with Gaussian noise on every update of the policy.

    Given the released weights :math:`\omega`, the walk is public, and a neighbour moves every advantage by at most
    :math:`\eta c` with :math:`c = \sum_{k<50} (\lambda\gamma)^k`. Each entry of the update moves by at most
    :math:`\alpha\eta c\, p_k` with :math:`p = \tfrac1n \sum_t |a_t - \pi(s_t)|\, \phi(s_t)`. U updates with noise of
    standard deviation :math:`\alpha\eta c \lVert p \rVert_2 \sqrt U/\mu` are therefore :math:`\mu`-Gaussian-DP, with
    the mu of ``epsilon`` and ``delta``. The result's guarantee is that of critic and actor together,
    :math:`\sqrt{\mu_Q^2 + \mu^2}` at the same delta. ``critic`` must have a Gaussian guarantee for the same ``eta``;
    other arguments as in `actor_critic_reading_rewards`, ValueError otherwise.
    """
    runs = len(instance_of(Learned, "critic", critic).states)
    checked = _checked(n_episodes, batch_episodes, learning_rate, discount, trace)
    generator("noise_rng", noise_rng)
    updates, decay = checked[0] // checked[1], checked[3] * checked[4]
    basis = f"{critic.guarantees[0].basis}; Gaussian noise on {updates} updates of the policy"
    eta, mu, guarantees = gaussian_guarantees(epsilon, delta, eta, runs, basis)
    for theirs, ours in zip(critic.guarantees, guarantees):
        if theirs.mu is None or theirs.status is not Status.PROVED or theirs.neighbours != ours.neighbours:
            raise ValueError(f"critic must have a proved Gaussian guarantee for {ours.neighbours}, got {theirs}")
    reach = eta * np.sum(decay ** np.arange(HORIZON))
    scale = reach * np.sqrt(updates) / mu
    states, actions, next_states, weights = _actor_critic(critic, scale, *checked, n_knots, reward, rng, noise_rng)
    together = tuple(_together(theirs, ours) for theirs, ours in zip(critic.guarantees, guarantees))
    return Actor(q=critic.q, states=states, actions=actions, next_states=next_states, guarantees=together,
                 noise=added_noise("Gaussian", scale), weights=weights)


@lru_cache
def _together(theirs: Guarantee, ours: Guarantee) -> Guarantee:
    mu = compose_gaussians([theirs.mu, ours.mu])
    return replace(ours, mu=mu, epsilon=float(gaussian_epsilon(ours.delta, mu)))


def _checked(n_episodes, batch_episodes, learning_rate, discount, trace):
    batch_episodes = whole_number("batch_episodes", batch_episodes, least=1)
    trace = number(finite, "trace", within("trace", trace, 0, 1))
    return (whole_number("n_episodes", n_episodes, least=batch_episodes), batch_episodes,
            number(positive, "learning_rate", learning_rate), discount_below_one(discount), trace)
