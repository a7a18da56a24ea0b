r"""The method of choice today: release the reward function once, and learn from the release without further noise.

**Unit of privacy:** the reward function. **Neighbours:** :math:`\lVert r - r'\rVert_\infty \le \eta`.
A walk that does not depend on rewards visits states that are as public as the transition probabilities. The rewards at K
of these states form one vector, and a neighbour moves each entry by at most :math:`\eta`, so one Gaussian mechanism
protects it; a single contrast of them needs one Laplace variable. All that follows is post-processing, so that networks
and the number of iterations are unrestricted.
"""

from dataclasses import dataclass

import numpy as np

from privrl_core.checks import discount_below_one, each_run, generator, positive, whole_number
from privrl_core.functional_noise.hat_functions import fitted_q_iteration, hat_features
from privrl_core.functional_noise.results import Learned, added_noise, gaussian_guarantees
from privrl_core.privacy.guarantees import REWARD_FUNCTION, Guarantee, Status, sup_norm
from privrl_core.world.interval_walk import Reward, middle_reward, rewards_of, walk

__all__ = ["RewardRelease", "centred_sensitivity", "release_reward_once", "release_contrast_once"]


@dataclass(frozen=True, eq=False, kw_only=True)
class RewardRelease(Learned):
    """A reward function that may be published, and the ``q`` that was learned from it.

    ``knots[K]`` are equally spaced on [0, 1], and ``values[runs, K]`` are the noised rewards there minus their mean. The
    mean is not released, because a constant added to a reward changes no optimal policy.
    """

    knots: np.ndarray
    values: np.ndarray

    def reward(self, states) -> np.ndarray:
        """The released reward of each run, linear between the knots, at ``states[runs, n]`` or common ``states[n]``."""
        return np.einsum("...nk,...k->...n", hat_features(states, len(self.knots)), self.values)


def centred_sensitivity(n_values: int, eta: float):
    r"""The L2 sensitivity of K values minus their mean, if each value moves by at most :math:`\eta`.

    .. math:: \max_{\lvert d_k \rvert \le \eta} \lVert d - \bar d \rVert_2 = \eta\sqrt{K - (K \bmod 2)/K}

    A convex function is largest at a corner of the cube. There :math:`\sum_k (s_k - \bar s)^2 = K - (\sum_k s_k)^2/K`
    with :math:`s_k = \pm 1`, and the absolute value of a sum of K signs is at least K mod 2. ``n_values >= 2``,
    ``eta > 0`` (arrays allowed), else ValueError.
    """
    n_values = whole_number("n_values", n_values, least=2)
    return positive("eta", eta) * np.sqrt(n_values - n_values % 2 / n_values)


def release_reward_once(*, epsilon, delta, eta, n_knots: int = 3, n_steps: int = 5000, discount: float = 0.9,
                        reward: Reward = middle_reward, runs: int = 1, rng: np.random.Generator,
                        noise_rng: np.random.Generator) -> RewardRelease:
    r"""Walk without using rewards, release the rewards of K states once, and learn from the release.

    At the visited state nearest to each of K equally spaced knots, :math:`y_k = r(s_k)`, and

    .. math:: \tilde y = P (y + z), \qquad z \sim \mathcal N(0, \sigma^2 I), \qquad
              \sigma = \frac{\eta}{\mu}\sqrt{K - \tfrac{K \bmod 2}{K}}, \qquad P = I - \tfrac1K 11^\top .

    :math:`P y` moves by at most :math:`\mu\sigma` between neighbours (`centred_sensitivity`), so this is exactly
    :math:`\mu`-Gaussian-DP. Averaging more rewards into each :math:`y_k` would not lower the sensitivity, because a
    neighbour may move all of them together. Fitted Q-iteration on the walk then uses the released reward in place of
    the true one.

    ``epsilon``, ``delta`` and ``eta`` are numbers or one for each run; ``n_knots >= 2`` and ``discount`` in [0, 1) must be
    public choices, since tuning them on the true reward would consume budget. Three knots distinguish ends and middle at
    the lowest cost; a more complex reward needs more. ValueError outside these ranges and for rewards that are not finite.
    """
    runs, n_knots = whole_number("runs", runs, least=1), whole_number("n_knots", n_knots, least=2)
    eta, mu, guarantees = gaussian_guarantees(epsilon, delta, eta, runs, "Gaussian release of rewards at public states")
    generator("noise_rng", noise_rng)
    discount = discount_below_one(discount)
    taken, knots = walk(n_steps, rng, runs=runs), np.linspace(0, 1, n_knots)
    rewards = _rewards_near(knots, taken[2], reward)
    scale = centred_sensitivity(n_knots, eta) / mu
    noised = rewards + scale[:, None] * noise_rng.standard_normal(rewards.shape)
    return _learned_from(noised - noised.mean(axis=1, keepdims=True), knots, taken, discount, guarantees,
                         added_noise("Gaussian", scale))


def release_contrast_once(*, epsilon, eta, n_steps: int = 5000, discount: float = 0.9, reward: Reward = middle_reward,
                          runs: int = 1, rng: np.random.Generator, noise_rng: np.random.Generator) -> RewardRelease:
    r"""Walk without using rewards, release how much more the middle pays than the ends, and learn from this number.

    At the visited states nearest to 0, ½ and 1,

    .. math:: \tilde c = r(s_{1/2}) - \tfrac12\bigl(r(s_0) + r(s_1)\bigr) + z, \qquad
              z \sim \operatorname{Laplace}(2\eta/\varepsilon).

    A neighbour moves c by at most :math:`2\eta`, so this is :math:`(\varepsilon, 0)`-DP. The policy depends on the sign
    of :math:`\tilde c`, which is right with probability :math:`1 - \tfrac12 e^{-\varepsilon|c|/2\eta}`. The method assumes
    the shape of the reward: about one that is not a tent it learns nothing.

    ``epsilon`` and ``eta`` are numbers or one for each run, ``discount`` in [0, 1); ValueError outside these ranges
    and for rewards that are not finite. Source: Dwork, McSherry, Nissim & Smith (2006) for the mechanism.
    """
    runs = whole_number("runs", runs, least=1)
    epsilon, eta = each_run("epsilon", positive, epsilon, runs), each_run("eta", positive, eta, runs)
    guarantees = tuple(Guarantee(e, 0.0, REWARD_FUNCTION, sup_norm(radius), Status.PROVED,
                                 "Laplace release of a contrast of rewards at public states")
                       for e, radius in zip(epsilon.tolist(), eta.tolist()))
    generator("noise_rng", noise_rng)
    discount = discount_below_one(discount)
    taken, knots = walk(n_steps, rng, runs=runs), np.linspace(0, 1, 3)
    contrast = _rewards_near(knots, taken[2], reward) @ np.array([-0.5, 1, -0.5])
    noised = contrast + 2 * eta / epsilon * noise_rng.laplace(size=runs)
    return _learned_from(noised[:, None] * np.array([-1, 2, -1]) / 3, knots, taken, discount, guarantees,
                         added_noise("Laplace", 2 * eta / epsilon))


def _rewards_near(knots, next_states, reward):
    nearest = np.abs(next_states[:, :, None] - knots).argmin(axis=1)
    return rewards_of(reward, np.take_along_axis(next_states, nearest, axis=1))


def _learned_from(values, knots, taken, discount, guarantees, noise):
    states, actions, next_states = taken
    released = np.einsum("rnk,rk->rn", hat_features(next_states, len(knots)), values)
    q = fitted_q_iteration(states, actions, next_states, released, discount=discount, n_knots=33)
    return RewardRelease(q=q, states=states, actions=actions, next_states=next_states, guarantees=guarantees, noise=noise,
                         knots=knots, values=values)
