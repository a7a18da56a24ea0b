r"""Private bandits that decide rarely: what an episode brought is released once, with noise of its own.

Each reward is in one episode, and the sum of an episode's rewards is released once with Laplace noise of scale
:math:`1/\varepsilon`. One person's reward changes one of these sums by at most 1, and nothing else is used to decide. So
each algorithm here is :math:`\varepsilon`-DP (pure), with no factor for the number of people or of episodes.

=============================  ======================================================================================
`dp_se`                        Sajed & Sheffet (2019): successive elimination, all treatments left in turn, afresh
`adap_ucb`                     Azize & Basu (2022): an upper confidence bound from the last episode alone
`ucb_without_forgetting`       this book: the same episodes, and all of them count
`ucb_with_one_tail`            this book: and one tail for rewards and noise together
=============================  ======================================================================================
"""

import numpy as np

from privrl_core.checks import number, positive
from privrl_core.online.bandit_runs import BanditRuns, laplace_sum_tail, noisy_sum_tail, published, setting

__all__ = ["dp_se", "adap_ucb", "ucb_without_forgetting", "ucb_with_one_tail"]


class _Clock:
    """Regret at given times, while runs play one treatment for a while, each on its own clock."""

    def __init__(self, own):
        self.own, self.now = own, np.zeros(own.runs, dtype=int)
        self.pulls = np.zeros((own.runs, own.means.size), dtype=int)
        self.regret = np.zeros((own.runs, own.times.size))

    def play(self, arm, many):
        """Every run plays ``arm[run]`` ``many[run]`` times, from now on."""
        passed = np.clip(self.own.times - self.now[:, None], 0, many[:, None])
        self.regret += self.own.gaps[arm][:, None] * passed
        self.pulls[np.arange(self.own.runs), arm] += many
        self.now += many


def adap_ucb(means, n_people: int, *, epsilon: float | None, alpha: float = 3.1, runs: int = 1, times=None,
             rng: np.random.Generator, noise_rng: np.random.Generator | None) -> BanditRuns:
    r"""AdaP-UCB of Azize & Basu (2022): an upper confidence bound from the last episode alone.

    A treatment is given in episodes, each as long as all its earlier ones together (1, 1, 2, 4, ...). When an episode
    begins, with person t, the treatment with the largest index is chosen, where n and S belong to its *last* episode:

    .. math:: \frac{S + \mathrm{Lap}(1/\varepsilon)}{n} + \sqrt{\frac{\alpha \ln(2t)}{2 n}}
              + \frac{\alpha \ln t}{\varepsilon n} .

    ``means[A]`` in [0, 1]; ``epsilon > 0``, or None: no noise and no promise; ``alpha > 0``; ``times`` (None: the end) are
    those of the regret; ValueError otherwise. **Unit:** one person's reward, replace one; :math:`\varepsilon`-DP.
    Source: Azize & Basu (2022), arXiv 2209.02570. Its α, last episode, noise and log(2t) were held against its text, the
    rest is from memory of the paper, not checked against its text.
    """
    def above(episodes, lengths, log_t):
        sampling = np.sqrt(alpha * (log_t + np.log(2)) * lengths / 2)
        return sampling if epsilon is None else sampling + alpha * log_t / epsilon
    alpha = number(positive, "alpha", alpha)
    return _in_episodes(means, n_people, epsilon, runs, times, rng, noise_rng, above, forget=True)


def ucb_without_forgetting(means, n_people: int, *, epsilon: float | None, alpha: float = 3.1, runs: int = 1, times=None,
                           rng: np.random.Generator, noise_rng: np.random.Generator | None, outcomes=None) -> BanditRuns:
    r"""The episodes of `adap_ucb`, and all of them count: no reward that was paid for is forgotten.

    With n and :math:`\tilde S` summed over all episodes of a treatment, j of them, each with noise of its own,

    .. math:: \frac{\tilde S}{n} + \sqrt{\frac{\alpha \ln t}{2 n}} + \frac{x_j(2 \ln t)}{\varepsilon n},

    where :math:`x_j(L)` is exceeded by j Laplace noises with probability at most :math:`e^{-L}` (`.laplace_sum_tail`). As j
    is about :math:`\log_2 n`, the last term grows little, while n is twice as large as that of the last episode.

    Arguments, errors and unit as `adap_ucb`, and ``outcomes`` as `.ucb`. Source: this book; that forgetting is not needed is
    also the message of Azize et al. (2025), arXiv 2505.05613 (abstract).
    """
    def above(episodes, lengths, log_t):
        sampling = np.sqrt(alpha * log_t * lengths / 2)
        return sampling if epsilon is None else sampling + laplace_sum_tail(episodes, 2 * log_t) / epsilon
    alpha = number(positive, "alpha", alpha)
    return _in_episodes(means, n_people, epsilon, runs, times, rng, noise_rng, above, forget=False, outcomes=outcomes)


def ucb_with_one_tail(means, n_people: int, *, epsilon: float | None, alpha: float = 3.1, runs: int = 1, times=None,
                      rng: np.random.Generator, noise_rng: np.random.Generator | None) -> BanditRuns:
    r"""`ucb_without_forgetting`, with one tail for rewards and noise together: they are seldom extreme at the same time.

    .. math:: \frac{\tilde S + x}{n}, \qquad P(\text{rewards and noise exceed their mean by } x) \le t^{-\alpha},

    by `.noisy_sum_tail`. What privacy adds is then no longer a term of its own: nearly nothing where :math:`\varepsilon
    \sqrt n` is large.

    Arguments, errors and unit as `adap_ucb`. Source: this book; a Chernoff bound for both is what Azize et al. (2025), arXiv
    2505.05613, use as well (abstract).
    """
    def above(episodes, lengths, log_t):
        return noisy_sum_tail(lengths, episodes, epsilon, alpha * log_t)
    alpha = number(positive, "alpha", alpha)
    return _in_episodes(means, n_people, epsilon, runs, times, rng, noise_rng, above, forget=False)


def _in_episodes(means, n_people, epsilon, runs, times, rng, noise_rng, above, *, forget, outcomes=None):
    """Episodes as long as all earlier ones of the treatment. ``above`` is what the index adds to a sum, from the number of
    episodes in it, their total length, and the logarithm of the time."""
    own = setting(means, n_people, runs, times, epsilon, rng, noise_rng, outcomes)
    clock, size, run = _Clock(own), (own.runs, own.means.size), np.arange(own.runs)
    if outcomes is not None:  # how many recovered before each person
        so_far = np.pad(own.outcomes.cumsum(axis=1), ((0, 0), (1, 0), (0, 0)))
    sums, lengths, episodes = np.zeros(size), np.zeros(size), np.zeros(size)  # of what an index is computed from
    while (left := own.n_people - clock.now).any():
        once = np.maximum(lengths, 1)
        index = (sums + above(np.maximum(episodes, 1), once, np.log(clock.now + 1.0)[:, None])) / once
        index[lengths == 0] = np.inf
        arm = largest_at_random(index, rng)
        many = np.minimum(np.maximum(clock.pulls[run, arm], 1), left)
        if outcomes is None:
            brought = rng.binomial(many, own.means[arm]).astype(float)
        else:
            brought = so_far[run, clock.now + many, arm] - so_far[run, clock.now, arm]
        if own.epsilon is not None:
            brought += noise_rng.laplace(0, 1 / own.epsilon, own.runs)
        playing = many > 0
        for table, new in ((sums, brought), (lengths, many), (episodes, 1.0)):
            before = 0.0 if forget else table[run, arm]
            table[run, arm] = np.where(playing, before + new, table[run, arm])
        clock.play(arm, many)
    return published(own, clock.pulls, clock.regret, "each reward in one episode, whose sum has Laplace noise of scale 1/ε",
                     None if own.epsilon is None else 1 / own.epsilon)


def largest_at_random(index, rng) -> np.ndarray:
    """``[run]``: the place of the largest of ``index[run, A]``; among equals, each as likely as the others."""
    best = index == index.max(axis=1, keepdims=True)
    return np.argmax(best * (1 - rng.random(index.shape)), axis=1)


def dp_se(means, n_people: int, *, epsilon: float | None, runs: int = 1, times=None, rng: np.random.Generator,
          noise_rng: np.random.Generator | None) -> BanditRuns:
    r"""DP-SE of Sajed & Sheffet (2019): successive elimination, in epochs that start afresh.

    In epoch e each of the s treatments left is given R times, in turn, with :math:`\beta = 1/T` and T = ``n_people``:

    .. math:: R = \max\Bigl\{ 32 \cdot 4^e \ln\frac{8 s e^2}{\beta},\ \frac{8 \cdot 2^e}{\varepsilon}
              \ln\frac{4 s e^2}{\beta} \Bigr\} + 1 .

    Then each mean is released with noise :math:`\mathrm{Lap}(1/(\varepsilon R))`, and a treatment is dropped if it is more
    than :math:`2\bigl(\sqrt{\ln(8 s e^2/\beta)/(2R)} + \ln(4 s e^2/\beta)/(\varepsilon R)\bigr)` below the best. The last
    one left is given to everybody else.

    Arguments, errors and unit as `adap_ucb`. Source: Sajed & Sheffet (2019), arXiv 1905.09383; the constants from memory of
    the paper, not checked against its text; they agree with a public implementation by others.
    """
    own = setting(means, n_people, runs, times, epsilon, rng, noise_rng)
    size = own.runs, own.means.size
    left, now = np.ones(size, dtype=bool), np.zeros(own.runs, dtype=int)
    pulls, regret, epoch = np.zeros(size, dtype=int), np.zeros((own.runs, own.times.size)), 0
    while (now < own.n_people).any():
        epoch += 1
        many = left.sum(axis=1)
        log_mean = np.log(8.0 * many * epoch**2 * own.n_people)
        log_noise = np.log(4.0 * many * epoch**2 * own.n_people) / (np.inf if epsilon is None else epsilon)
        length = np.maximum(32 * 4.0**epoch * log_mean, 8 * 2.0**epoch * log_noise) + 1
        length = np.where(many == 1, own.n_people, np.minimum(length, own.n_people)).astype(int)  # the last one: for good
        order = np.argsort(np.where(left, rng.random(size), 2), axis=1).argsort(axis=1)  # whose turn it is in a round

        lasts = np.minimum(many * length, own.n_people - now)
        for k, time in enumerate(own.times):
            regret[:, k] += _in_turns(np.clip(time - now, 0, lasts), left, order) @ own.gaps
        pulls += _in_turns(lasts, left, order)
        now = now + lasts
        value = rng.binomial(length[:, None], np.broadcast_to(own.means, size)) / length[:, None]
        if epsilon is not None:
            value += noise_rng.laplace(0, 1 / (epsilon * length[:, None]), size)
        margin = 2 * (np.sqrt(log_mean / (2 * length)) + log_noise / length)
        left &= value >= np.where(left, value, -np.inf).max(axis=1, keepdims=True) - margin[:, None]
    return published(own, pulls, regret, "each reward in one epoch's sum, which has Laplace noise of scale 1/ε",
                     None if epsilon is None else 1 / epsilon)


def _in_turns(elapsed, left, order):
    """``[run, A]``: how often each treatment that is ``left`` was given to ``elapsed[run]`` people, one round after another
    in the ``order`` of the epoch."""
    many, elapsed = left.sum(axis=1, keepdims=True), elapsed[:, None]
    return np.where(left, elapsed // many + (order < elapsed % many), 0)
