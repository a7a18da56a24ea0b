"""Pendulum, everything learned from 30,000 episodes of a mediocre policy at ε = 3, beside the same training without noise;
and with public kinematics and reward from 1,000 episodes at ε = 1. Ten seeds; about half an hour."""

import time

import numpy as np
import torch
from torch import nn

from bench.measure import table
from privrl_core.networks import (
    Trajectories,
    clipped_sgd_non_private,
    dp_sgd,
    dreamed_return,
    logged_swings,
    mediocre,
    returns,
    squared_error,
    starts,
    train_controller,
    with_parameters,
    with_public_kinematics,
)
from privrl_core.networks.pendulum import UNITS

SEEDS = range(9500, 9510)


def network(outputs, seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, outputs))


def trained(people, outputs, epsilon, seed, *, sampling, steps, rate):
    options = dict(clip=0.1, sampling=sampling, steps=steps, nominal_size=len(people), learning_rate=rate,
                   sample_rng=np.random.default_rng([seed, 1]))
    start = network(outputs, seed)
    if epsilon is None:
        return with_parameters(start, clipped_sgd_non_private(start, squared_error, people, **options))
    release = dp_sgd(start, squared_error, people, epsilon=epsilon, delta=1e-5, noise_rng=np.random.default_rng([seed, 2]),
                     **options)
    return with_parameters(start, release.parameters)


def fare(model, seed):
    """The better of two plans, by the model's own dreams of whole episodes: more plans cost no privacy."""
    plans = [train_controller(model, np.random.default_rng([seed, 3, k]), seed=10 * seed + k) for k in range(2)]
    with torch.no_grad():
        dreamed = starts(300, np.random.default_rng([seed, 4]))
        policy = max(plans, key=lambda plan: float(dreamed_return(model, plan, dreamed).mean()))
    held = starts(1000, np.random.default_rng(77))
    return float(returns(lambda seen: UNITS[3] * policy((seen / UNITS[:3]).float())[..., 0].double(), held).mean())


if __name__ == "__main__":
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    rows = [("the log", f"{float(returns(mediocre(rng), starts(1000, rng)).mean()):.0f}", "", "")]
    for name, people, outputs, epsilon, plan in (
            ("everything learned, N = 30,000", 30_000, 4, 3.0, dict(sampling=0.02, steps=300, rate=0.02)),
            ("public kinematics, N = 1,000", 1000, 1, 1.0, dict(sampling=0.25, steps=100, rate=0.02))):
        found = {}
        for one in (epsilon, None):
            began, values = time.time(), []
            for seed in SEEDS:
                log = logged_swings(people, np.random.default_rng(seed))
                if outputs == 1:
                    log = Trajectories(log.inputs, log.labels[..., 2:3], log.lengths)
                model = trained(log, outputs, one, seed, **plan)
                values.append(fare(with_public_kinematics(model) if outputs == 1 else model, seed))
                print(name, one, seed, f"{values[-1]:.1f}", f"{time.time() - began:.0f} s", flush=True)
            found[one] = np.array(values)
            rows.append((f"{name}, {'no noise' if one is None else f'ε = {one:g}'}",
                         f"{np.mean(values):.1f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.1f}", f"{min(values):.1f}",
                         f"{(found[epsilon] - found[one]).mean():.1f}"))
    table("Return over 1,000 starts", ("", "mean", "worst", "ε less this"), rows)
