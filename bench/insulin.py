"""The insulin task without a network's noise: practice, constant doses, plans without any record, plans in fitted models and
in one release. ``python -m bench.insulin`` takes about ten minutes; seeds from 9100, which are for choosing."""

import time

import numpy as np
import torch

from bench.measure import table
from privrl_core.networks.insulin import CLINIC, DAY, HALF_DAY, PUBLIC, constant_dose, logged_days, practice
from privrl_core.networks.moments import (
    last_hidden,
    linear_model,
    person_moments_non_private,
    poly1,
    poly2,
    release_moments_once,
    ridge,
    ridge_head,
    whitened,
)
from privrl_core.networks.outcomes import evaluate
from privrl_core.networks.planning import (
    best_plans,
    dreamed_days,
    plan,
    random_policies,
    side_by_side,
    simulated_days,
)
from privrl_core.networks.public_training import RANDOMISED, body_network, fitted
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE

SEEDS, STARTS, PEOPLE = range(9100, 9105), 2, 2000


def fitted_to(people, seed: int):
    """A network of the body after plain training on people."""
    return fitted(body_network(seed), people, np.random.default_rng(seed)).eval().requires_grad_(False)


def residual(model, people) -> float:
    """The standard deviation of log glucose that a model leaves unexplained in half an hour."""
    with torch.no_grad():
        left = model(people.inputs.float()).double() - people.labels
    return 0.3 * float((people.weights[..., None] * left.square()).sum() / people.weights.sum()) ** 0.5


def summary(name, outcomes, seconds=None):
    risks = [one.risk for one in outcomes]
    mean = {field: np.mean([getattr(one, field) for one in outcomes]) for field in ("in_range", "below_70", "below_54")}
    error = np.std(risks, ddof=1) / np.sqrt(len(risks)) if len(risks) > 1 else 0
    lows = [part for field in ("below_70", "below_54")
            for part in (f"{mean[field]:.1%}", f"{max(getattr(one, field) for one in outcomes):.1%}")]
    row = (name, f"{np.mean(risks):.2f} ± {error:.2f}", f"{max(risks):.2f}", f"{mean['in_range']:.1%}", *lows,
           "" if seconds is None else f"{seconds:.0f} s")
    print("| " + " | ".join(row) + " |", flush=True)
    return row


def fare(policies, day=DAY, clinic=CLINIC):
    """The outcome of each policy for fresh people, the same for the same seed."""
    return [evaluate(policies[i], clinic, PEOPLE, np.random.default_rng(10_000_000 + SEEDS[0] + i % len(SEEDS)), day)
            for i in range(len(policies))]


def main():
    torch.set_num_threads(1)
    rows = []
    for name, day in (("", DAY), (", half a day, capped at 40 and 400", HALF_DAY)):
        rows.append(summary("practice" + name, [evaluate(practice(np.random.default_rng(seed)), CLINIC, PEOPLE,
                                                         np.random.default_rng(10_000_000 + seed), day) for seed in SEEDS]))
        for units in (0, 1, 1.5, 2, 3, 10):
            always = [evaluate(constant_dose(units), CLINIC, PEOPLE, np.random.default_rng(10_000_000 + seed), day)
                      for seed in SEEDS]
            rows.append(summary(f"always {units} U{name}", always))

    print("\nHow much lows should count, and how far people differ in dreams: chosen in the public simulator.")
    starts = {day: plan(simulated_days(RANDOMISED, day), random_policies(3, np.random.default_rng(9101)),
                        np.random.default_rng(9101), lows=1.0, day=day).policies for day in (DAY, HALF_DAY)}
    public_nets = [fitted_to(logged_days(PUBLIC, 4000, np.random.default_rng(seed)), seed) for seed in SEEDS[:3]]
    for lows in (1.0, 1.5):
        for spread in (0.0, 0.3):
            days = dreamed_days(side_by_side(public_nets, STARTS), spread=spread)
            best = best_plans(plan(days, starts[DAY][:STARTS].repeated(3), np.random.default_rng(9105), lows=lows), STARTS)
            summary(f"lows {lows:g}, spread {spread:g}, dreamed from public days, living in the public simulator",
                    fare(best, clinic=PUBLIC))
        found = plan(simulated_days(RANDOMISED), random_policies(5, np.random.default_rng(9100)),
                     np.random.default_rng(9100), lows=lows).policies
        summary(f"lows {lows:g}, planned in the randomised public simulator, living in the public one",
                fare(found, clinic=PUBLIC))
        rows.append(summary(f"no record: planned in the randomised public simulator, lows {lows:g}", fare(found)))
    for day in (DAY, HALF_DAY):
        oracle = plan(simulated_days(CLINIC, day), starts[day], np.random.default_rng(9102), day=day)
        rows.append(summary(f"oracle, {day.horizon // 2} hours", fare(oracle.policies, day)))
        rows.append(summary(f"its start, {day.horizon // 2} hours", fare(starts[day], day)))

    public_days = logged_days(RANDOMISED, 4000, np.random.default_rng(9103)).to(dtype=torch.float32)
    public_net = fitted_to(public_days, 9103)
    error = residual(public_net, logged_days(PUBLIC, 2000, np.random.default_rng(9104)))
    print(f"\nerror of the public network in the public simulator: {error:.3f} of log glucose")

    def plans(name, model, seconds, days=(DAY,)):
        for day in days:
            start = time.time()
            many = starts[day][:STARTS].repeated(len(SEEDS))
            found = plan(dreamed_days(model, day=day), many, np.random.default_rng(9105), day=day)
            rows.append(summary(f"{name}, {day.horizon // 2} hours", fare(best_plans(found, STARTS), day),
                                seconds + time.time() - start))

    plans("public network", side_by_side([public_net] * len(SEEDS), STARTS), 0)
    for number in (1000, 10_000):
        records = [logged_days(CLINIC, number, np.random.default_rng(seed)).to(dtype=torch.float32) for seed in SEEDS]
        start = time.time()
        models = [fitted_to(people, seed) for seed, people in zip(SEEDS, records)]
        plans(f"network, no noise, N = {number:,}", side_by_side(models, STARTS), time.time() - start, (DAY, HALF_DAY))
        for label, basis in (("poly1", poly1), ("deep", last_hidden(public_net)), ("poly2", poly2)):
            features = whitened(basis, public_days)
            moments = person_moments_non_private(public_days, features)
            clip = float(np.median(np.sqrt(np.square(moments).sum(axis=(1, 2)))))
            prior = ridge(moments.sum(axis=0), 0.0)
            for epsilon in (1.0, None):
                start = time.time()
                heads = []
                for seed, people in zip(SEEDS, records):
                    if epsilon is None:
                        heads.append(ridge(person_moments_non_private(people, features, clip=clip).sum(axis=0), 0.0))
                    else:
                        release = release_moments_once(people, features, clip=clip, epsilon=epsilon, delta=1e-5,
                                                       neighbours=ADD_OR_REMOVE_ONE, noise_rng=np.random.default_rng(seed))
                        heads.append(ridge_head(release, prior=prior))
                plans(f"one release, {label}, {'no noise' if epsilon is None else 'ε = 1'}, N = {number:,}",
                      linear_model(features, np.repeat(heads, STARTS, axis=0)), time.time() - start,
                      (DAY, HALF_DAY) if label == "poly1" else (DAY,))
    print()
    table("Insulin", ("", "risk", "worst", "in range", "< 70", "worst", "< 54", "worst", "time"), rows)


if __name__ == "__main__":
    main()
