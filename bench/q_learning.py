"""The sixty runs of Wang & Hegde's Figure 1 together, beside one run in torch as one would write it first."""

import time

import numpy as np

from bench.measure import duration, table
from privrl_core.functional_noise import (
    OUPath,
    q_learning_as_printed,
    q_learning_as_run_by_authors,
    q_learning_dp_sgd,
    q_learning_input_perturbation,
    q_learning_private_state,
    release_reward_once,
)
from privrl_core.world import episode_returns_non_private, greedy_return, middle_reward, move

SIGMAS, SEEDS, N_STEPS = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], 10, 5000


def one_run_in_torch(sigma: float, beta: float, seed: int, n_steps: int, batch_size: int = 64):
    """Algorithm 1 with a tape of operations for each step and a path asked point by point."""
    import torch

    torch.manual_seed(seed)
    rng, noise_rng = np.random.default_rng(seed), np.random.default_rng(seed + 1000)
    network = torch.nn.Sequential(torch.nn.Linear(1, 16), torch.nn.ReLU(), torch.nn.Linear(16, 16), torch.nn.ReLU(),
                                  torch.nn.Linear(16, 2))
    optimiser, losses, state = torch.optim.SGD(network.parameters(), lr=3e-4), [], rng.random()
    for t in range(n_steps):
        if t % batch_size == 0:
            paths = [OUPath(beta, sigma, noise_rng) for _ in range(2)]
        here = network(torch.tensor([state], dtype=torch.float32)) + torch.tensor([path(state) for path in paths])
        action = int(here.argmax())
        state = float(move(np.array(state), np.array(action), rng))
        with torch.no_grad():
            there = network(torch.tensor([state], dtype=torch.float32)) + torch.tensor([path(state) for path in paths])
        losses.append((here[action] - float(middle_reward(state)) - 0.999 * there.max()) ** 2 / 2)
        if len(losses) == batch_size:
            optimiser.zero_grad()
            torch.stack(losses).mean().backward()
            optimiser.step()
            losses = []
        if t % 50 == 49:
            state = rng.random()


def timed(function):
    start, busy = time.perf_counter(), time.process_time()
    result = function()
    return result, duration(time.perf_counter() - start), duration(time.process_time() - busy)


if __name__ == "__main__":
    sigma, runs = np.repeat(SIGMAS, SEEDS), len(SIGMAS) * SEEDS
    streams = dict(runs=runs, rng=np.random.default_rng(0), noise_rng=np.random.default_rng(1))
    figure = {"as printed, 78 paths": lambda: q_learning_as_printed(sigma=sigma, beta=2222.0, **streams),
              "as printed, 8 paths": lambda: q_learning_as_printed(sigma=sigma, beta=2222.0, n_paths=8, **streams),
              "as printed, 1 path": lambda: q_learning_as_printed(sigma=sigma, beta=2222.0, n_paths=1, **streams),
              "as run by the authors": lambda: q_learning_as_run_by_authors(sigma=sigma, **streams)}
    rows, curves = [], []
    for name, learn in figure.items():
        learned, *times = timed(learn)
        rows.append((f"{name}, all {runs} runs", *times))
        curves.append((name, *(f"{value:.2f}" for value in episode_returns_non_private(learned.next_states)[:, -50:]
                               .mean(1).reshape(len(SIGMAS), SEEDS).mean(1))))
    _, *times = timed(lambda: one_run_in_torch(0.4, 2222.0, 0, N_STEPS))
    rows.append(("as printed, one run, a loop in torch", *times))
    table(f"Figure 1 of Wang & Hegde: {N_STEPS:,} steps a run", ("what", "time", "processor time"), rows)
    table("Mean return of the last 50 episodes", ("setting", *(f"sigma {value:g}" for value in SIGMAS)), curves)

    private, rows = {**streams, "epsilon": 0.9, "delta": 1e-4, "runs": 40}, []
    for learn in (release_reward_once, q_learning_input_perturbation, q_learning_private_state, q_learning_dp_sgd):
        returns, spent = [], ""
        for eta in (0.001, 0.01, 0.02, 0.03, 0.1):
            learned, spent, _ = timed(lambda: learn(eta=eta, **private))  # noqa: B023 (called at once)
            returns.append(f"{greedy_return(learned.q).mean():.2f}")
        rows.append((learn.__name__, *returns, spent))
    table("Mean return of 40 released policies at (0.9, 1e-4), by neighbour radius (the best policy: 20.71)",
          ("method", "eta 0.001", "0.01", "0.02", "0.03", "0.1", "time of 40 runs"), rows)
