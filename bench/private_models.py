"""The insulin task with networks trained by DP-SGD: what privacy costs, and who needs whom.

``python -m bench.private_models choose`` tries settings on the public simulator alone; without a word, ten seeds from 9300
in the clinic, which were not looked at before. About twenty minutes.
"""

import sys
import time
from dataclasses import replace

import numpy as np
import torch

from bench.measure import table
from privrl_core.networks import (
    CLINIC,
    PUBLIC,
    RANDOMISED,
    best_plans,
    body_network,
    clipped_sgd_non_private,
    constant_dose,
    dp_sgd,
    dreamed_days,
    evaluate,
    fitted,
    linear_model,
    logged_days,
    person_moments_non_private,
    plan,
    poly1,
    practice,
    public_gate,
    random_policies,
    release_moments_once,
    ridge,
    ridge_head,
    side_by_side,
    simulated_days,
    squared_error,
    whitened,
    with_parameters,
)
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE

STARTS, PEOPLE, STEPS, CLIP = 2, 2000, 100, 0.1
#: Chosen on the public simulator: the rate from scratch, and that from a public start.
RATES = {"scratch": 0.02, "public": 0.01}


def rate_of(number):
    """About 250 people a step."""
    return min(0.25, 250 / number)


def public_knowledge(seed=9103):
    """A network and two policies that cost nobody anything: fitted on and planned in the randomised public simulator."""
    days = logged_days(RANDOMISED, 4000, np.random.default_rng(seed))
    model = fitted(body_network(seed), days, np.random.default_rng(seed))
    first = random_policies(STARTS, np.random.default_rng(seed))
    start = plan(simulated_days(RANDOMISED), first, np.random.default_rng(seed)).policies
    return model, start


def records(clinic, number, seed):
    return logged_days(clinic, number, np.random.default_rng(seed)).clamped(inputs=20, labels=2.5).to(dtype=torch.float32)


def trained(people, model, epsilon, rate, seed, clip=CLIP):
    """A network by DP-SGD, or by the same training without noise if epsilon is None."""
    options = dict(clip=clip, sampling=rate_of(len(people)), steps=STEPS, nominal_size=len(people), learning_rate=rate,
                   sample_rng=np.random.default_rng([seed, 1]))
    if epsilon is None:
        parameters = clipped_sgd_non_private(model, squared_error, people, **options)
    else:
        parameters = dp_sgd(model, squared_error, people, epsilon=epsilon, delta=1e-5,
                            noise_rng=np.random.default_rng([seed, 2]), **options).parameters
    return with_parameters(model, parameters).requires_grad_(False)


def planned(models, starts, seed):
    """The best of two plans for each model, by the model's own score, from public policies."""
    days = dreamed_days(side_by_side(models, STARTS))
    return best_plans(plan(days, starts.repeated(len(models)), np.random.default_rng(seed)), STARTS)


def fare(policies, seeds):
    return [evaluate(policies[i], CLINIC, PEOPLE, strangers(seed)) for i, seed in enumerate(seeds)]


def strangers(seed):
    """A generator for fresh people, the same for all policies of a seed."""
    return np.random.default_rng(10_000_000 + seed)


def row(name, outcomes, compared=None):
    risks = np.array([one.risk for one in outcomes])
    paired = "" if compared is None else risks - [one.risk for one in compared]
    cells = (name, f"{risks.mean():.2f} ± {risks.std(ddof=1) / len(risks) ** 0.5:.2f}", f"{risks.max():.2f}",
             f"{np.mean([one.in_range for one in outcomes]):.1%}",
             *(f"{np.mean([getattr(one, low) for one in outcomes]):.1%} ({max(getattr(one, low) for one in outcomes):.1%})"
               for low in ("below_70", "below_54")), str(sum(one.is_overdose for one in outcomes)),
             "" if compared is None else f"{paired.mean():.2f} ± {paired.std(ddof=1) / len(risks) ** 0.5:.2f}")
    print("| " + " | ".join(cells) + " |", flush=True)
    return cells


def choose(seeds=range(9200, 9205)):
    """Rates and clips, for a thousand people of a simulator that is 10 to 20 % off the public one."""
    public, start = public_knowledge()
    other = replace(PUBLIC, p3=0.8 * PUBLIC.p3, rise=1.1)
    for kind, rates in (("scratch", (0.005, 0.01, 0.02, 0.05, 0.1)), ("public", (0.01, 0.02, 0.05))):
        for rate in rates:
            for clip in (0.1, 0.2, 0.5):
                found = []
                for seed in seeds:
                    people, held = records(other, 1000, seed), records(other, 500, seed + 50)
                    model = trained(people, public if kind == "public" else body_network(seed), 1.0, rate, seed, clip)
                    left = squared_error(model(held.inputs), held.labels)
                    found.append(float((held.weights * left).sum() / held.weights.sum()))
                print(f"{kind}, rate {rate}, clip {clip}: error {np.mean(found):.4f} (worst {max(found):.4f})", flush=True)


def main(seeds=range(9300, 9310)):
    rows, (public, start) = [], public_knowledge()
    rows.append(row("practice", [evaluate(practice(np.random.default_rng(seed)), CLINIC, PEOPLE, strangers(seed))
                                 for seed in seeds]))
    rows.append(row("1.5 U always", [evaluate(constant_dose(1.5), CLINIC, PEOPLE, strangers(seed)) for seed in seeds]))
    alone = fare(planned([public] * len(seeds), start, 9301), seeds)
    rows.append(row("no record", alone))
    whitening = logged_days(RANDOMISED, 4000, np.random.default_rng(9103)).to(dtype=torch.float32)
    features = whitened(poly1, whitening)
    moments = person_moments_non_private(whitening, features)
    bound = float(np.median(np.sqrt(np.square(moments).sum(axis=(1, 2)))))
    prior = ridge(moments.sum(axis=0), 0.0)
    for number in (100, 300, 1000, 10_000):
        began = time.time()
        people = [records(CLINIC, number, seed) for seed in seeds]
        for kind in ("public", "scratch"):
            compared = None
            for epsilon in (None, 10.0, 3.0, 1.0, 0.5) if number in (300, 1000) else (None, 1.0):
                models = [trained(each, public if kind == "public" else body_network(seed), epsilon, RATES[kind], seed)
                          for seed, each in zip(seeds, people)]
                policies = planned(models, start, 9302)
                found = fare(policies, seeds)
                label = f"N = {number:,}, {kind}, {'no noise' if epsilon is None else f'ε = {epsilon:g}'}"
                rows.append(row(label, found, compared))
                compared = found if epsilon is None else compared
                better = sum(one.risk < other.risk for one, other in zip(found, alone))
                refused = int((~public_gate(policies, largest_risk=5.0)).sum())
                print(f"    better than no record in {better} of {len(seeds)}; the gate refuses {refused}", flush=True)
        releases = [release_moments_once(each, features, clip=bound, epsilon=1.0, delta=1e-5, neighbours=ADD_OR_REMOVE_ONE,
                                         noise_rng=np.random.default_rng([seed, 3])) for seed, each in zip(seeds, people)]
        heads = [ridge_head(release, prior=prior) for release in releases]
        days = dreamed_days(linear_model(features, np.repeat(heads, STARTS, axis=0)))
        found = plan(days, start.repeated(len(seeds)), np.random.default_rng(9302))
        rows.append(row(f"N = {number:,}, one release, ε = 1", fare(best_plans(found, STARTS), seeds)))
        print(f"    {time.time() - began:.0f} s", flush=True)
    table("Insulin, ten seeds", ("", "risk", "worst", "in range", "below 70 (worst)", "below 54 (worst)", "overdoses",
                                 "less noise-free"), rows)


if __name__ == "__main__":
    torch.set_num_threads(1)
    choose() if sys.argv[1:] == ["choose"] else main()
