"""A million trajectories and their first-visit statistics, beside a loop over an environment."""

import time

import gymnasium
import numpy as np

from bench.measure import duration, peak_gigabytes, seconds, table
from privrl_core.policy_evaluation import first_visit_statistics
from privrl_core.world import from_gymnasium, recovery_chain, sample_episodes


class RecoveryChain:
    """The chain as an environment that is stepped: what one would write first."""

    def __init__(self, n_states, stay, rng):
        self.n_states, self.stay, self.rng = n_states, stay, rng

    def reset(self):
        self.state = 0
        return self.state, {}

    def step(self, action):
        self.state += self.rng.random() >= self.stay
        end = self.state == self.n_states - 1
        return self.state, float(end), end, False, {}


def statistics_by_loop(env, n_actions, m, discount, rng):
    """First-visit visits and sums of returns, one step and one trajectory after the other; and the steps made."""
    visits, sums, steps = {}, {}, 0
    for _ in range(m):
        state, _ = env.reset()
        path, rewards, end, cut = [state], [], False, False
        while not (end or cut):
            state, reward, end, cut, _ = env.step(int(rng.integers(n_actions)))
            path.append(state)
            rewards.append(reward)
        G, first = 0.0, {path[-1]: 0.0}
        for s, r in zip(path[-2::-1], rewards[::-1], strict=True):
            G = r + discount * G
            first[s] = G
        for s, G in first.items():
            visits[s] = visits.get(s, 0) + 1
            sums[s] = sums.get(s, 0.0) + G
        steps += len(rewards)
    return visits, sums, steps


def compare(name, mdp, env, m, few):
    """Ours on ``m`` trajectories of the uniform policy, the loop on ``few``, scaled by the number of steps."""
    policy, first = np.full((mdp.n_states, mdp.n_actions), 1 / mdp.n_actions), np.argmax(mdp.initial)
    episodes = sample_episodes(mdp, policy, m, np.random.default_rng(0))
    sampling = seconds(lambda: sample_episodes(mdp, policy, m, np.random.default_rng(0)))
    counting = seconds(lambda: first_visit_statistics(episodes, mdp.n_states, mdp.discount, return_bound=1.0))
    statistics = first_visit_statistics(episodes, mdp.n_states, mdp.discount)
    peak, transitions = peak_gigabytes(), int(episodes.lengths.sum())
    start = time.perf_counter()
    visits, sums, steps = statistics_by_loop(env, mdp.n_actions, few, mdp.discount, np.random.default_rng(1))
    loop = (time.perf_counter() - start) * transitions / steps
    values = (
        mdp.policy_values(policy)[first], statistics.return_sums[first] / statistics.visits[first],
        sums[first] / visits[first],
    )
    return (
        name, f"{transitions:,}", duration(sampling), duration(counting), duration(sampling + counting),
        f"{peak:.2f} GB", duration(loop), f"{loop / (sampling + counting):,.0f}",
        " / ".join(f"{value:.4f}" for value in values),
    )


if __name__ == "__main__":
    lake = gymnasium.make("FrozenLake-v1", max_episode_steps=1000)
    walk = RecoveryChain(40, 0.5, np.random.default_rng(2))
    m = 1_000_000
    rows = [
        compare("recovery chain", recovery_chain(), walk, m, few=2000),
        compare("FrozenLake", from_gymnasium(lake, discount=0.99), lake, m, few=5000),
    ]
    table(
        f"{m:,} trajectories (peak: of the process so far; the loop is timed on a few thousand and scaled)",
        ("problem", "transitions", "sampling", "statistics", "together", "peak", "a loop over steps",
         "times faster", "value of the start: exact / here / loop"),
        rows,
    )
