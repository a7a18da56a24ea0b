"""Copying practice, fitted Q, people who come again and correlated noise, on the insulin task.

``python -m bench.other_ways choose`` tries settings on a simulator that is 10 to 20 % off the public one; without a word it
prints ten groups of the clinic, with seeds from 9600 that were not looked at before. After either the words ``clone``,
``q``, ``again`` and ``correlated`` pick parts. Two to five minutes each.
"""

import sys
import time
from dataclasses import replace
from functools import lru_cache

import numpy as np
import torch
from scipy.linalg import toeplitz

from bench.private_models import PEOPLE, rate_of, records, row, strangers
from privrl_core.networks import (
    CLINIC,
    PUBLIC,
    RANDOMISED,
    body_network,
    cautious_policy,
    clipped_sgd_non_private,
    cohort,
    dp_fitted_q,
    dp_sgd,
    evaluate,
    expected_to_come,
    explored_days,
    fitted_q_non_private,
    greedy_dose,
    mean_dose,
    policy_network,
    practice,
    private_policy_gradient,
    returning_policy_gradient,
    squared_error,
    to_copy,
    with_parameters,
)
from privrl_core.online import square_root_coefficients

OTHER = replace(PUBLIC, p3=0.8 * PUBLIC.p3, rise=1.1)
SEEDS = range(9600, 9610)
CLONE = dict(clip=0.2, learning_rate=0.02, steps=100)
Q = dict(clip=0.3, learning_rate=0.001, rounds=5, steps=20, discount=0.9)
SMOOTHING = 0.0
ONLINE = dict(clip=0.02, learning_rate=0.02, delta=1e-5)
EPSILONS = None, 10.0, 3.0, 1.0


def generators(seed):
    return dict(sample_rng=np.random.default_rng([seed, 1]), noise_rng=np.random.default_rng([seed, 2]))


def clone(people, epsilon, seed, **settings):
    """The private clone of practice, or the same without noise if epsilon is None."""
    days, start = to_copy(people), policy_network(seed)
    options = dict(sampling=rate_of(len(people)), nominal_size=len(people), **CLONE | settings)
    if epsilon is None:
        found = clipped_sgd_non_private(start, squared_error, days, sample_rng=np.random.default_rng([seed, 1]), **options)
    else:
        found = dp_sgd(start, squared_error, days, epsilon=epsilon, delta=1e-5, **generators(seed), **options).parameters
    return mean_dose(start, found)


def public_q(seed=9103, rounds=12, steps=150, discount=0.9):
    """Fitted Q on days that only a simulator can have, in the randomised public simulator."""
    days = explored_days(RANDOMISED, 4000, np.random.default_rng(seed))
    found = fitted_q_non_private(body_network(seed), days, rounds=rounds, steps=steps, clip=5.0, sampling=128 / 4000,
                                 nominal_size=4000, learning_rate=0.01, discount=discount,
                                 sample_rng=np.random.default_rng(seed))
    return with_parameters(body_network(seed), found)


def q_network(start, people, epsilon, seed, **settings):
    options = dict(sampling=rate_of(len(people)), nominal_size=len(people), **Q | settings)
    if epsilon is None:
        found = fitted_q_non_private(start, people, sample_rng=np.random.default_rng([seed, 1]), **options)
    else:
        found = dp_fitted_q(start, people, epsilon=epsilon, delta=1e-5, **generators(seed), **options).parameters
    return with_parameters(start, found).requires_grad_(False)


@lru_cache
def online_start():
    start = cautious_policy(0)
    return start, expected_to_come(start, PUBLIC, 2000, np.random.default_rng(9600))


def fresh(clinic, epsilon, seed, *, updates=20, people=500, **settings):
    start, baseline = online_start()
    made = private_policy_gradient(start, clinic, epsilon=epsilon, updates=updates, people=people, baseline=baseline,
                                   rng=np.random.default_rng(seed), noise_rng=np.random.default_rng([seed, 1]),
                                   **ONLINE | settings)
    return mean_dose(start, made.parameters[-1])


def again(clinic, epsilon, seed, *, number, sampling, updates=20, **settings):
    start, baseline = online_start()
    population = cohort(clinic, number, np.random.default_rng([seed, 3]))
    made = returning_policy_gradient(start, population, epsilon=epsilon, updates=updates, sampling=sampling,
                                     nominal_size=number, baseline=baseline, rng=np.random.default_rng(seed),
                                     **generators(seed), **ONLINE | settings)
    return mean_dose(start, made.parameters[-1])


def square_root(updates):
    """R with R R the lower triangle of ones."""
    return toeplitz(square_root_coefficients(updates), np.zeros(updates))


def risk(policy, clinic, seed, people=1000):
    return evaluate(policy, clinic, people, strangers(seed)).risk


def tried(name, risks):
    error = np.std(risks, ddof=1) / len(risks) ** 0.5
    print(f"{name}: {np.mean(risks):.2f} ± {error:.2f} (worst {max(risks):.2f})", flush=True)


def choose_clone(seeds=range(9500, 9505)):
    people = {seed: records(OTHER, 1000, seed) for seed in seeds}
    for rate in (0.02, 0.05, 0.1):
        for clip in (0.2, 0.5, 2.0):
            made = {s: clone(people[s], 1.0, s, learning_rate=rate, clip=clip) for s in seeds}
            tried(f"clone, rate {rate}, clip {clip}", [risk(made[s], OTHER, s) for s in seeds])


def from_nothing(people, epsilon, seed):
    model = q_network(body_network(seed), people, epsilon, seed, clip=1.0, learning_rate=0.02, rounds=10, steps=30)
    return greedy_dose(model, smoothing=SMOOTHING)


def choose_q(seeds=range(9500, 9505)):
    start, people = public_q(), {seed: records(OTHER, 1000, seed) for seed in seeds}
    tried("public Q", [risk(greedy_dose(start, smoothing=SMOOTHING), OTHER, s) for s in seeds])
    for epsilon in (None, 1.0):
        tried(f"from nothing, ε = {epsilon}", [risk(from_nothing(people[s], epsilon, s), OTHER, s) for s in seeds])
    grid = [(5, rate, clip) for clip in (0.1, 0.3, 1.0) for rate in (0.0003, 0.001, 0.003, 0.01)]
    for rounds, rate, clip in grid + [(10, rate, 0.3) for rate in (0.0003, 0.001, 0.003)]:
        models = [q_network(start, people[s], 1.0, s, rounds=rounds, learning_rate=rate, clip=clip) for s in seeds]
        for smoothing in (0.0, 0.05, 0.1):
            policies = [greedy_dose(model, smoothing=smoothing) for model in models]
            tried(f"Q, {rounds} rounds, rate {rate}, clip {clip}, smoothing {smoothing}",
                  [risk(policy, OTHER, s) for policy, s in zip(policies, seeds)])


def choose_again(seeds=range(9500, 9504)):
    for number, sampling, updates in ((10_000, 0.05, 20), (10_000, 0.05, 40), (1000, 0.5, 20), (1000, 0.25, 40)):
        for rate in (0.02, 0.05, 0.1):
            options = dict(number=number, sampling=sampling, updates=updates, learning_rate=rate)
            tried(f"again, {number} people, q = {sampling}, {updates} updates, rate {rate}",
                  [risk(again(OTHER, 1.0, s, **options), OTHER, s) for s in seeds])


#: The best of `choose_correlated` for each.
CHOSEN = {(500, "SGD", "independent"): 120.0, (500, "SGD", "square root"): 120.0, (500, "Adam", "independent"): 0.02,
          (500, "Adam", "square root"): 0.05, (100, "SGD", "independent"): 30.0, (100, "SGD", "square root"): 30.0,
          (100, "Adam", "independent"): 0.05, (100, "Adam", "square root"): 0.1}
KINDS = {"SGD": (torch.optim.SGD, (15.0, 30.0, 60.0, 120.0)), "Adam": (torch.optim.Adam, (0.01, 0.02, 0.05, 0.1))}


def choose_correlated(seeds=range(9500, 9504)):
    for people in (500, 100):
        for name, (optimiser, rates) in KINDS.items():
            for rate in rates:
                for factor in (None, square_root(20)):
                    options = dict(people=people, learning_rate=rate, optimiser=optimiser, factor=factor)
                    tried(f"20 of {people}, {name}, rate {rate}, {'independent' if factor is None else 'square root'}",
                          [risk(fresh(OTHER, 1.0, s, **options), OTHER, s) for s in seeds])


def lived(policies):
    return [evaluate(policy, CLINIC, PEOPLE, strangers(seed)) for seed, policy in policies]


def rows_clone():
    row("practice", lived((s, practice(np.random.default_rng(s))) for s in SEEDS))
    for number in (1000, 10_000):
        people, compared = {s: records(CLINIC, number, s) for s in SEEDS}, None
        for epsilon in EPSILONS:
            found = lived((s, clone(people[s], epsilon, s)) for s in SEEDS)
            row(f"clone, N = {number:,}, {'no noise' if epsilon is None else f'ε = {epsilon:g}'}", found, compared)
            compared = compared or found


def rows_q():
    start = public_q()
    row("public Q, no record", lived((s, greedy_dose(start, smoothing=SMOOTHING)) for s in SEEDS))
    for number in (1000, 10_000):
        people, compared = {s: records(CLINIC, number, s) for s in SEEDS}, None
        for epsilon in EPSILONS:
            policies = ((s, greedy_dose(q_network(start, people[s], epsilon, s), smoothing=SMOOTHING)) for s in SEEDS)
            found = lived(policies)
            row(f"Q, N = {number:,}, {'no noise' if epsilon is None else f'ε = {epsilon:g}'}", found, compared)
            compared = compared or found
        if number == 1000:
            for epsilon in (None, 1.0):
                row(f"Q from nothing, N = {number:,}, {'no noise' if epsilon is None else f'ε = {epsilon:g}'}",
                    lived((s, from_nothing(people[s], epsilon, s)) for s in SEEDS))


def rows_again():
    for epsilon in (1.0, 3.0):
        row(f"fresh, 20 of 500, ε = {epsilon:g}", lived((s, fresh(CLINIC, epsilon, s)) for s in SEEDS))
        for number, sampling, updates in ((10_000, 0.05, 20), (10_000, 0.05, 40), (1000, 0.5, 20), (500, 1, 20)):
            row(f"again, {number:,}, q = {sampling}, {updates} updates, ε = {epsilon:g}",
                lived((s, again(CLINIC, epsilon, s, number=number, sampling=sampling, updates=updates)) for s in SEEDS))


def rows_correlated():
    for people in (500, 100):
        for name, (optimiser, _) in KINDS.items():
            compared = None
            for label, factor in (("independent", None), ("square root", square_root(20))):
                options = dict(people=people, factor=factor, optimiser=optimiser, learning_rate=CHOSEN[people, name, label])
                found = lived((s, fresh(CLINIC, 1.0, s, **options)) for s in SEEDS)
                row(f"20 of {people}, {name}, {label}", found, compared)
                compared = compared or found


if __name__ == "__main__":
    torch.set_num_threads(1)
    wanted, every = sys.argv[1:], {"clone": rows_clone, "q": rows_q, "again": rows_again, "correlated": rows_correlated}
    choices = {"clone": choose_clone, "q": choose_q, "again": choose_again, "correlated": choose_correlated}
    chosen, wanted = (choices, wanted[1:]) if wanted[:1] == ["choose"] else (every, wanted)
    for each in [chosen[word] for word in wanted] or chosen.values():
        began = time.time()
        each()
        print(f"    {time.time() - began:.0f} s", flush=True)
