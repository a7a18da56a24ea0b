r"""Bandits that decide anew for every person, by the largest of A indices: without privacy, with a tree, and locally.

An index is an estimate of a treatment's mean reward and a bonus for how little is known of it. With n rewards so far of
which :math:`\tilde S` is (or stands for) the sum, and person t next:

===================================  ============================================================================
`ucb`                                :math:`\tilde S/n + \sqrt{2 \ln t/n}`, without privacy
`dp_ucb`                             the same with the sum from a binary tree, and a bonus for the tree's noise
`ldp_ucb`                            every reward is noised before it is sent: central trust is not needed
`ldp_ucb_bernoulli`                  every reward is answered by randomised response
===================================  ============================================================================

All runs advance together, one person at a time, as each reward may change the next decision. Rewards and noise are drawn in
blocks, and a bonus for privacy uses the time at the end of its block of at most 1 % of the time so far, which is an upper
bound. Ties are broken at random.
"""

from collections.abc import Callable

import numpy as np

from privrl_core.checks import number, positive
from privrl_core.online.bandit_runs import BanditRuns, laplace_sum_tail, published, setting
from privrl_core.online.factors import BinaryTree
from privrl_core.privacy.guarantees import Model

__all__ = ["ucb", "dp_ucb", "ldp_ucb", "ldp_ucb_bernoulli"]

LONGEST = 2048  # people in a block: their random numbers fit into the cache
FIRST = 1e6  # above every index: what was not tried yet
TIE = 1e-12  # differences below this decide nothing


def ucb(means, n_people: int, *, runs: int = 1, times=None, rng: np.random.Generator, outcomes=None) -> BanditRuns:
    r"""UCB1 of Auer, Cesa-Bianchi & Fischer (2002): the largest :math:`S/n + \sqrt{2 \ln t/n}`. Not private.

    ``means[A]`` in [0, 1]; ``times`` (None: the end) are those of the regret; ``outcomes[runs, n_people, A]`` of 0 and 1, if
    given, are what each person would have with each treatment, and nothing is drawn of ``means``; ValueError otherwise.
    """
    own = setting(means, n_people, runs, times, None, rng, None, outcomes)
    pulls, regret = _play(own, rng, np.sqrt(2), None, _as_they_are)
    return published(own, pulls, regret, "", None)


def dp_ucb(means, n_people: int, *, epsilon: float, runs: int = 1, times=None, rng: np.random.Generator,
           noise_rng: np.random.Generator) -> BanditRuns:
    r"""UCB with the sums of rewards from binary trees, one for each treatment (Mishra & Thakurta 2015; Tossou &
    Dimitrakakis 2016).

    A reward is in at most :math:`L = \lfloor \log_2 T \rfloor + 1` blocks of one tree (T = ``n_people``), each with noise
    :math:`\mathrm{Lap}(L/\varepsilon)`: :math:`\varepsilon`-DP. The index of a treatment with n rewards is

    .. math:: \frac{S + \text{tree}_n}{n} + \sqrt{\frac{2 \ln t}{n}} + \frac{L\, x_j(2 \ln t)}{\varepsilon n},
              \qquad j = \lfloor \log_2 n \rfloor + 1,

    where j Laplace noises exceed :math:`x_j(L)` with probability at most :math:`e^{-L}` (`.laplace_sum_tail`).

    Arguments and errors as `ucb`; ``epsilon > 0``. **Unit:** one person's reward, replace one. Sources: the papers above,
    whose forms of the bonus differ; this one is from memory of them, not checked against their texts, with the number of
    blocks and the tail as they can be proved.
    """
    own = setting(means, n_people, runs, times, number(positive, "epsilon", epsilon), rng, noise_rng)
    scale = BinaryTree(own.n_people).levels / own.epsilon

    def more(log_t):
        tails = scale * laplace_sum_tail(np.arange(own.n_people.bit_length() + 1), 2 * log_t)
        return lambda counts: tails.take(np.frexp(counts)[1]) / counts  # the exponent is floor(log2 n) + 1
    trees = _Trees(own.runs * own.means.size, own.n_people, scale, noise_rng)
    pulls, regret = _play(own, rng, np.sqrt(2), more, _as_they_are, trees)
    return published(own, pulls, regret, f"binary trees of Laplace noise, {trees.levels} blocks for each reward", scale)


def ldp_ucb(means, n_people: int, *, epsilon: float, runs: int = 1, times=None, rng: np.random.Generator,
            noise_rng: np.random.Generator) -> BanditRuns:
    r"""LDP-UCB-L of Ren, Zhou, Liu & Shroff (2020): each person sends her reward with noise Lap(1/ε).

    .. math:: \frac{\tilde S}{n} + \sqrt{\frac{2 \ln t}{n}} + \sqrt{\frac{32 \ln t}{\varepsilon^2 n}},

    and a treatment with :math:`n \le 4 \ln(t + 1)` comes first. The reports are :math:`\varepsilon`-DP in the local model.

    Arguments and errors as `dp_ucb`. **Unit:** one person's reward, replace one. Source: Ren, Zhou, Liu & Shroff (2020),
    arXiv 2007.03121, as in the code that its authors published; not checked against its text.
    """
    own = setting(means, n_people, runs, times, number(positive, "epsilon", epsilon), rng, noise_rng)

    def report(people):
        noise = noise_rng.laplace(0, 1 / own.epsilon, (people, own.runs))
        return lambda rewards, k: rewards + noise[k]

    def more(log_t):
        few = 4 * np.log(np.exp(log_t) + 1)
        return lambda counts: FIRST * (counts <= few)
    pulls, regret = _play(own, rng, np.sqrt(2) + np.sqrt(32) / own.epsilon, more, report)
    return published(own, pulls, regret, "each reward sent with Laplace noise of scale 1/ε", 1 / own.epsilon, Model.LOCAL)


def ldp_ucb_bernoulli(means, n_people: int, *, epsilon: float, runs: int = 1, times=None, rng: np.random.Generator,
                      noise_rng: np.random.Generator) -> BanditRuns:
    r"""LDP-UCB-B of Ren, Zhou, Liu & Shroff (2020): each person answers 0 or 1 by randomised response.

    A reward r is sent as 1 with probability :math:`(r e^\varepsilon + 1 - r)/(1 + e^\varepsilon)`, and UCB1 plays on the
    answers, whose means lie :math:`(e^\varepsilon - 1)/(e^\varepsilon + 1)` times as far apart. No estimate has to be
    corrected, since only the order of the indices matters. The reports are :math:`\varepsilon`-DP in the local model.

    Arguments, errors, unit and source as `ldp_ucb`.
    """
    own = setting(means, n_people, runs, times, number(positive, "epsilon", epsilon), rng, noise_rng)

    def report(people):
        lies = noise_rng.random((people, own.runs)) < 1 / (1 + np.exp(own.epsilon))
        return lambda rewards, k: rewards ^ lies[k]
    pulls, regret = _play(own, rng, np.sqrt(2), None, report)
    return published(own, pulls, regret, "each reward sent by randomised response", None, Model.LOCAL)


def _as_they_are(people):
    return lambda rewards, k: rewards


def _play(own, rng, factor: float, more: Callable | None, report: Callable, trees=None):
    """Pulls and regret of all runs. The index is estimate + ``factor`` √(ln t/n) + ``more(ln t)(n)``. In a block of people,
    ``report(people)(rewards, k)`` is what the learner gets of the k-th person's rewards, one for each run."""
    n_arms, size = own.means.size, own.runs * own.means.size
    base, chance = np.arange(own.runs) * n_arms, np.tile(own.means, own.runs)
    counts, sums = np.zeros(size, dtype=int), np.zeros(size)
    level, width = FIRST * (1 + rng.random(size)), np.zeros(size)  # the index is level + width √(ln t)
    by_run, widths, index = level.reshape(-1, n_arms), width.reshape(-1, n_arms), np.empty((own.runs, n_arms))
    regret, done, stops = np.empty((own.runs, own.times.size)), 0, iter([*own.times.tolist(), own.n_people])
    stop, saved = next(stops), 0
    while done < own.n_people:
        people = min(max(done // 100, 1), LONGEST, stop - done)
        log_t = np.log(np.arange(done + 1.0, done + people + 1))
        uniform, ties = rng.random((people, own.runs)), TIE * rng.random((people, own.runs))
        send = report(people)
        if more is not None:
            tried, bonus = np.flatnonzero(counts), more(log_t[-1])
            estimate = sums[tried] if trees is None else sums[tried] + trees.noise(tried, counts[tried])
            level[tried] = estimate / counts[tried] + bonus(counts[tried]) + TIE * rng.random(tried.size)
        for k, root in enumerate(np.sqrt(log_t)):
            np.add(np.multiply(widths, root, out=index), by_run, out=index)
            arm = index.argmax(axis=1) + base
            n = counts.take(arm) + 1
            drawn = uniform[k] < chance.take(arm) if own.outcomes is None else own.outcomes[:, done + k].ravel().take(arm)
            total = sums.take(arm) + send(drawn, k)
            counts.put(arm, n)
            sums.put(arm, total)
            if trees is not None:
                total = total + trees.noise(arm, n)
            new = total / n + ties[k]
            level.put(arm, new if more is None else new + bonus(n))
            width.put(arm, factor / np.sqrt(n))
        done += people
        while done == stop and saved < own.times.size:
            regret[:, saved] = counts.reshape(-1, n_arms) @ own.gaps
            saved, stop = saved + 1, next(stops)
    return counts.reshape(-1, n_arms), regret


class _Trees:
    """The noise of many binary trees, each at its own time, without keeping their streams.

    The noise of the prefix n is that of the prefix without its last binary one, and one draw more. Within blocks of
    ``SHORT`` it is drawn at once; above, ``latest[tree, h]`` keeps the noise at the latest multiple of 2^h blocks.
    """

    SHORT = 4096

    def __init__(self, n_trees, n, scale, noise_rng):
        self.levels, self.scale, self.noise_rng = BinaryTree(n).levels, scale, noise_rng
        self.latest, self.block = np.zeros((n_trees, 64)), np.zeros(n_trees, dtype=int)
        self.table = np.zeros((n_trees, self.SHORT))
        self.table[:, 1:] = self._within((n_trees,)).T
        self.flat = self.table.reshape(-1)

    def _draw(self, shape):
        return self.noise_rng.laplace(0, self.scale, shape)

    def _within(self, shape=()):
        return BinaryTree(self.SHORT - 1).noise(self._draw, shape)

    def noise(self, trees, counts):
        """The noise of ``trees`` after ``counts`` rewards, as many as before or one more."""
        place = counts & (self.SHORT - 1)
        if np.count_nonzero(place) < place.size:
            for tree, block in zip(trees[place == 0], counts[place == 0] // self.SHORT):
                if self.block[tree] < block:
                    self._begin(tree, int(block))
        return self.flat.take(trees * self.SHORT + place)

    def _begin(self, tree, block):
        zeros = (block & -block).bit_length() - 1
        here = self.latest[tree, zeros + 1] + self._draw(())
        self.latest[tree, :zeros + 1] = self.table[tree, 0] = here
        self.table[tree, 1:] = here + self._within()
        self.block[tree] = block
