r"""What one would do today: release the reward function once, and learn from the release as long as one likes.

**Unit of privacy:** the reward function. **Neighbours:** :math:`\lVert r - r'\rVert_\infty \le \eta`.
A walk that never looks at rewards visits states that are as public as the law of the world. The rewards at K of them
are one vector, a neighbour moves each entry by at most :math:`\eta`, one Gaussian mechanism covers it. All else is
post-processing: no composition, no bound on networks, noise or iterations.
"""

from dataclasses import dataclass

import numpy as np

from privrl_core.learned import Learned, discount_factor, gaussian_guarantees
from privrl_core.linear_q import fitted_q_iteration, hat_features
from privrl_core.middle_walk import Reward, middle_reward, rewards_of, walk
from privrl_core.validation import positive, whole_number

__all__ = ["RewardRelease", "centred_sensitivity", "release_reward_once"]


@dataclass(frozen=True)
class RewardRelease(Learned):
    """A reward function that may be published, and the ``q`` that was learned from it.

    ``knots[K]`` are equally spaced on [0, 1], ``values[runs, K]`` the noised rewards there less their mean: a constant
    added to a reward changes no policy, so it is not released.
    """

    knots: np.ndarray
    values: np.ndarray

    def reward(self, states) -> np.ndarray:
        """The released reward of each run, linear between the knots, at ``states[runs, n]`` or common ``states[n]``."""
        return np.einsum("...nk,...k->...n", hat_features(states, len(self.knots)), self.values)


def centred_sensitivity(n_values: int, eta: float):
    r"""How far K values, less their mean, move if each moves by at most :math:`\eta`.

    .. math:: \max_{\lvert d_k \rvert \le \eta} \lVert d - \bar d \rVert_2 = \eta\sqrt{K - (K \bmod 2)/K}

    A convex function is largest at a corner of the cube, where :math:`\sum_k (s_k - \bar s)^2 = K - (\sum_k s_k)^2/K`
    with :math:`s_k = \pm 1`, and a sum of K signs is at least K mod 2. ``n_values >= 2``, ``eta > 0`` (arrays allowed),
    else ValueError.
    """
    n_values = whole_number("n_values", n_values, least=2)
    return positive("eta", eta) * np.sqrt(n_values - n_values % 2 / n_values)


def release_reward_once(*, epsilon, delta, eta, n_knots: int = 3, n_steps: int = 5000, discount: float = 0.9,
                        reward: Reward = middle_reward, runs: int = 1, rng: np.random.Generator,
                        noise_rng: np.random.Generator) -> RewardRelease:
    r"""Walk without looking, release the rewards of K states once, learn from the release.

    At the visited state nearest to each of K equally spaced knots, :math:`y_k = r(s_k)`, and

    .. math:: \tilde y = P (y + z), \qquad z \sim \mathcal N(0, \sigma^2 I), \qquad
              \sigma = \frac{\eta}{\mu}\sqrt{K - \tfrac{K \bmod 2}{K}}, \qquad P = I - \tfrac1K 11^\top .

    :math:`P y` moves by at most :math:`\mu\sigma` between neighbours (`centred_sensitivity`), so this is
    :math:`\mu`-Gaussian-DP, exactly. Averaging more rewards into each :math:`y_k` would not lower the sensitivity: a
    neighbour may move all of them together. Then fitted Q-iteration on the walk, with the released reward in place of
    the true one.

    ``epsilon``, ``delta`` and ``eta`` are numbers or one for each run; ``n_knots >= 2`` and ``discount`` in [0, 1) are
    public choices (tuned on the true reward they would cost budget). Three knots tell ends and middle apart, and cost
    least; a reward with more structure needs more. ValueError for arguments outside and rewards that are not finite.
    """
    runs, n_knots = whole_number("runs", runs, least=1), whole_number("n_knots", n_knots, least=2)
    eta, mu, guarantees = gaussian_guarantees(epsilon, delta, eta, runs, "Gaussian release of rewards at public states")
    discount = discount_factor(discount)
    states, actions, next_states = walk(n_steps, rng, runs=runs)
    knots = np.linspace(0, 1, n_knots)
    nearest = np.abs(next_states[:, :, None] - knots).argmin(axis=1)
    rewards = rewards_of(reward, np.take_along_axis(next_states, nearest, axis=1))
    noised = rewards + (centred_sensitivity(n_knots, eta) / mu)[:, None] * noise_rng.standard_normal(rewards.shape)
    values = noised - noised.mean(axis=1, keepdims=True)
    released = np.einsum("rnk,rk->rn", hat_features(next_states, n_knots), values)
    q = fitted_q_iteration(states, actions, next_states, released, discount=discount, n_knots=33)
    return RewardRelease(q, states, actions, next_states, guarantees, knots, values)
