# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on private networks: ten groups for each row with the worst one, the price of privacy in pairs, constant
#         doses, the old loss, baselines, and Pendulum.'
# ---

# %% [markdown]
# (networks-tables)=
# # Tables: what privacy costs a plan
#
# ```{admonition} What this page establishes
# :class: tip
# * Ten groups of people for each row, with the worst group, the time below 70 and below 54 mg/dL, and the difference to the same training without noise, paired.
# * At ε = 1 and from a public start, privacy costs about 0.1 of risk with 300 people, and nothing measurable with 1,000. From nothing it takes between 300 and 1,000 people before no group fails.
# * Settings were chosen on the public simulator. The table of that choice is here.
# * The old loss of this task rewarded what should not be rewarded: with it a constant dose beats practice.
# * A private baseline makes no measurable difference to a policy gradient that starts with the public simulator's baseline.
# * **What is protected.** One person's whole day. Offline: neighbours add or remove one person, central model. Online: replace one person's day, joint model. All statements are proved, with δ = 10⁻⁵.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 9300         # all randomness comes from here

# %% tags=["hide-input"]
from time import perf_counter

import numpy as np
import pandas as pd
import torch
from IPython.display import Markdown as md
from torch import nn

from privrl_core.functional_noise import GaussianField, band_limited_kernel, manhattan_kernel
from privrl_core.networks import (
    CLINIC, HALF_DAY, PUBLIC, RANDOMISED, body_network, cautious_policy, clipped_sgd_non_private, constant_dose, dp_sgd, dreamed_days, evaluate, expected_to_come, fitted, linear_model,
    logged_days, logged_swings, mean_dose, person_moments_non_private, plan, poly1, practice, private_policy_gradient, public_gate, random_policies, release_moments_once, ridge, ridge_head,
    Trajectories, mediocre, returns, side_by_side, simulated_days, squared_error, starts, train_controller, whitened, with_parameters, with_public_kinematics)
from privrl_core.networks.pendulum import UNITS
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE

torch.set_num_threads(1)
full = effort >= 0.5
groups, living = (10, 2000) if full else (2, 50)
public_rng = np.random.default_rng(9103)
public_days = logged_days(RANDOMISED, 4000, public_rng).to(dtype=torch.float32)

public_network = fitted(body_network(9103), public_days, public_rng, steps=800 if full else 100)
features = whitened(poly1, public_days)
public_moments = person_moments_non_private(public_days, features)
usual_length = float(np.median(np.sqrt(np.square(public_moments).sum(axis=(1, 2)))))
public_weights = ridge(public_moments.sum(axis=0), 0.0)

# %% [markdown]
# ## Ten groups for each row
#
# Each row has ten groups of people, with seeds that were not looked at when settings were chosen. Each group's network is trained with a clip of 0.1 in 100 steps, about 250 people in each or a quarter of them, and planned in from a public policy, in 200 steps of 32 dreamed days. Then 2,000 new people of the clinic live under the plan, the same people for a group in all rows.

# %% tags=["hide-input"]
def learn(start, rate, people, epsilon, s):
    options = dict(clip=0.1, sampling=min(0.25, 250 / len(people)), steps=100 if full else 4, nominal_size=len(people), learning_rate=rate, sample_rng=np.random.default_rng([s, 1]))
    if epsilon is None:
        return with_parameters(start, clipped_sgd_non_private(start, squared_error, people, **options))
    return with_parameters(start, dp_sgd(start, squared_error, people, epsilon=epsilon, delta=1e-5, noise_rng=np.random.default_rng([s, 2]), **options).parameters)

seeds = range(seed, seed + groups)
records_of = {(n, s): logged_days(CLINIC, n, np.random.default_rng(s)).clamped(inputs=20, labels=2.5).to(dtype=torch.float32) for n in (100, 300) for s in seeds}
rows = {}
for n, epsilon in ((100, 1.0), (300, None), (300, 1.0)):
    rows[f"{n} people, public start, " + ("no noise" if epsilon is None else "ε = 1")] = [learn(public_network, 0.01, records_of[n, s], epsilon, s) for s in seeds]
rows["300 people, from nothing, ε = 1"] = [learn(body_network(s), 0.02, records_of[300, s], 1.0, s) for s in seeds]
networks = [public_network.requires_grad_(False), *(each.requires_grad_(False) for models in rows.values() for each in models)]
heads = [ridge_head(release_moments_once(records_of[300, s], features, clip=usual_length, epsilon=1.0, delta=1e-5, neighbours=ADD_OR_REMOVE_ONE, noise_rng=np.random.default_rng([s, 3])),
                    prior=public_weights) for s in seeds]
asked, answered = side_by_side(networks), linear_model(features, np.array(heads))
plans = len(networks) + groups
first = plan(simulated_days(RANDOMISED), random_policies(1, np.random.default_rng(9103)), np.random.default_rng(9103), steps=150 if full else 2, people=32).policies
planned = plan(dreamed_days(lambda inputs: torch.cat((asked(inputs[:len(networks)]), answered(inputs[len(networks):])))), first.repeated(plans),
               np.random.default_rng(9302), steps=200 if full else 2, people=32).policies
passes = public_gate(planned)[1:].reshape(-1, groups)
names = [*rows, "300 people, one release, ε = 1"]
outcomes = {name: [evaluate(planned[1 + i * groups + j], CLINIC, living, np.random.default_rng(10_000_000 + s)) for j, s in enumerate(seeds)] for i, name in enumerate(names)}
outcomes = {"practice": [evaluate(practice(np.random.default_rng(s)), CLINIC, living, np.random.default_rng(10_000_000 + s)) for s in seeds],
            "always 1.5 U": [evaluate(constant_dose(1.5), CLINIC, living, np.random.default_rng(10_000_000 + s)) for s in seeds],
            "no record": [evaluate(planned[0], CLINIC, living, np.random.default_rng(10_000_000 + s)) for s in seeds]} | outcomes

def risks(name):
    return np.array([each.risk for each in outcomes[name]])

def pm(x, digits=2):
    return f"{x.mean():.{digits}f} ± {x.std(ddof=1) / np.sqrt(x.size):.{digits}f}"

table = []
for name, found in outcomes.items():
    twin = name.replace("ε = 1", "no noise")
    table.append({"": name, "risk": pm(risks(name)), "worst": f"{risks(name).max():.2f}", "< 70 (worst), %": f"{100 * np.mean([o.below_70 for o in found]):.1f} ({100 * max(o.below_70 for o in found):.1f})",
                  "< 54 (worst), %": f"{100 * np.mean([o.below_54 for o in found]):.1f} ({100 * max(o.below_54 for o in found):.1f})", "better than no record": f"{int((risks(name) < risks('no record')).sum())} of {groups}",
                  "refused by the gate": "" if name not in names else str(int((~passes[names.index(name)]).sum())), "price of privacy, paired": pm(risks(name) - risks(twin)) if twin != name and twin in outcomes else ""})
pd.DataFrame(table).style.hide()

# %% tags=["remove-cell"]
price = risks("300 people, public start, ε = 1") - risks("300 people, public start, no noise")
if full:
    assert price.mean() < 0.3 and (risks("300 people, public start, ε = 1") < risks("no record")).sum() >= 9, price
    assert risks("300 people, from nothing, ε = 1").mean() > risks("300 people, public start, ε = 1").mean() + 0.5
    assert risks("practice").mean() < risks("always 1.5 U").mean()
    assert abs(risks("practice").mean() - 4.59) < 0.1 and abs(risks("300 people, public start, no noise").mean() - 3.06) < 0.15

# %% tags=["remove-input"]
md(f"With 300 people and a public start the price of ε = 1 is **{pm(price)}**. The planning of this page is lighter than that of the next table, so single risks differ by about 0.1 between the two; a difference between two *plans* of the same network is no price of privacy. Which plans fail depends on the planner, too: from nothing, with 300 people, {int((risks('300 people, from nothing, ε = 1') < risks('no record')).sum())} of {groups} are better than no record here, and six of ten in the next table.")

# %% [markdown]
# (networks-long-table)=
# ## The long table
#
# `python -m bench.private_models` takes about twenty minutes. It plans twice in each network, in 200 steps of 64 dreamed days, and keeps the plan that the network itself likes better. This is its output on the same ten seeds, **recorded and not computed here**; the price is paired with the same training without noise.
#
# | | risk | worst | < 70 (worst), % | better than no record | refused by the gate | price of privacy |
# |---|---|---|---|---|---|---|
# | no record | 3.94 ± 0.02 | 4.02 | 0.1 (0.1) | | | |
# | 100, public start, no noise | 3.05 ± 0.01 | 3.10 | 0.6 (0.7) | 10 of 10 | 0 | |
# | 100, public start, ε = 1 | 4.42 ± 1.21 | 15.32 | 0.9 (2.1) | 9 of 10 | 1 | 1.37 ± 1.21 |
# | 100, from nothing, ε = 1 | 9.38 ± 1.47 | 15.75 | 5.3 (18.7) | 1 of 10 | 9 | 6.42 ± 1.47 |
# | 100, one release, ε = 1 | 7.71 ± 1.37 | 15.55 | 8.2 (42.0) | | | |
# | 300, public start, no noise | 3.06 ± 0.01 | 3.11 | 0.5 (0.7) | 10 of 10 | 0 | |
# | 300, public start, ε = 10 | 3.06 ± 0.02 | 3.13 | 0.6 (0.9) | 10 of 10 | 0 | 0.00 ± 0.01 |
# | 300, public start, ε = 3 | 3.08 ± 0.02 | 3.19 | 0.6 (1.0) | 10 of 10 | 0 | 0.03 ± 0.02 |
# | 300, public start, ε = 1 | 3.13 ± 0.04 | 3.29 | 0.8 (1.3) | 10 of 10 | 0 | 0.07 ± 0.04 |
# | 300, public start, ε = 0.5 | 4.38 ± 1.22 | 15.32 | 0.8 (1.5) | 9 of 10 | 1 | 1.32 ± 1.22 |
# | 300, from nothing, no noise | 2.97 ± 0.02 | 3.06 | 1.4 (2.2) | 10 of 10 | 0 | |
# | 300, from nothing, ε = 3 | 2.99 ± 0.03 | 3.20 | 2.1 (5.1) | 10 of 10 | 0 | 0.03 ± 0.02 |
# | 300, from nothing, ε = 1 | 6.04 ± 2.06 | 24.00 | 11.4 (60.1) | 6 of 10 | 5 | 3.07 ± 2.06 |
# | 300, from nothing, ε = 0.5 | 6.06 ± 0.81 | 12.33 | 9.9 (28.4) | 1 of 10 | 9 | 3.09 ± 0.81 |
# | 300, one release, ε = 1 | 4.54 ± 0.60 | 9.21 | 3.4 (12.3) | | | |
# | 1,000, public start, no noise | 3.05 ± 0.01 | 3.11 | 0.5 (0.7) | 10 of 10 | 0 | |
# | 1,000, public start, ε = 1 | 3.06 ± 0.02 | 3.16 | 0.6 (1.0) | 10 of 10 | 0 | 0.01 ± 0.01 |
# | 1,000, public start, ε = 0.5 | 3.09 ± 0.03 | 3.23 | 0.6 (0.9) | 10 of 10 | 0 | 0.04 ± 0.02 |
# | 1,000, from nothing, no noise | 2.96 ± 0.01 | 3.01 | 1.2 (1.7) | 10 of 10 | 0 | |
# | 1,000, from nothing, ε = 1 | 2.96 ± 0.02 | 3.06 | 1.8 (3.6) | 10 of 10 | 0 | 0.00 ± 0.01 |
# | 1,000, from nothing, ε = 0.5 | 3.12 ± 0.07 | 3.61 | 2.8 (6.2) | 10 of 10 | 1 | 0.17 ± 0.07 |
# | 1,000, one release, ε = 1 | 3.25 ± 0.06 | 3.68 | 1.0 (2.1) | | | |
# | 10,000, public start, no noise | 3.05 ± 0.01 | 3.11 | 0.6 (0.7) | 10 of 10 | 0 | |
# | 10,000, public start, ε = 1 | 3.05 ± 0.01 | 3.11 | 0.6 (0.7) | 10 of 10 | 0 | 0.00 ± 0.00 |
# | 10,000, from nothing, ε = 1 | 2.95 ± 0.01 | 3.02 | 1.3 (1.8) | 10 of 10 | 0 | −0.01 ± 0.00 |
# | 10,000, one release, ε = 1 | 3.15 ± 0.01 | 3.21 | 0.9 (1.3) | | | |
#
# How to read it:
#
# 1. **One failure decides a mean.** At 100 people and at ε = 0.5 with 300, one group of ten gets a plan with a risk of 15.32: it gives hardly any insulin, because the network believes that insulin does nothing. The other nine differ little from those without noise. So look at the worst column first. A gate turns each 15.32 into 3.94.
# 2. **From nothing and from a public start** the same training behaves differently. Ten of ten groups succeed from 1,000 people on, and from 300 people on. With 100 people and a public start nine succeed, and with 300 people from nothing six. Between a factor of three and one of ten is all that this grid can tell.
# 3. **One release** is behind the network by 0.1 to 0.2 with a thousand people or more, which is ten times its standard error with 10,000. It has no setting that was chosen.
# 4. **More people than 300 buy nothing** without noise. Planning in the *true* clinic, which nobody can, gives 2.86 ± 0.06 in `python -m bench.insulin`. What is left is not noise.
# 5. **Time below 70** stays below 4 % and time below 54 below 1 %, in all groups with a public start. From nothing, the worst group with 300 people at ε = 3 has 5.1 %, and with 1,000 people at ε = 0.5 it has 6.2 %.

# %% [markdown]
# (networks-choice)=
# ## How the settings were chosen
#
# `python -m bench.private_models choose` trains on 1,000 people of a *changed public simulator*, whose insulin is 20 % weaker and whose meals raise 10 % more, at ε = 1, and measures the squared error on 500 others. No record of the clinic is involved, so the choice costs nothing. The mean of five groups and the worst, recorded:
#
# | | clip 0.1 | clip 0.2 | clip 0.5 |
# |---|---|---|---|
# | from nothing, rate 0.005 | 0.0483 (0.0499) | 0.0490 (0.0508) | 0.0515 (0.0538) |
# | from nothing, rate 0.01 | 0.0428 (0.0451) | 0.0434 (0.0464) | 0.0464 (0.0500) |
# | **from nothing, rate 0.02** | **0.0418 (0.0443)** | 0.0420 (0.0442) | 0.0436 (0.0488) |
# | from nothing, rate 0.05 | 0.0423 (0.0434) | 0.0425 (0.0435) | 0.0445 (0.0464) |
# | from nothing, rate 0.1 | 0.0467 (0.0485) | 0.0465 (0.0490) | 0.0507 (0.0565) |
# | **public start, rate 0.01** | **0.0349 (0.0364)** | 0.0350 (0.0365) | 0.0356 (0.0371) |
# | public start, rate 0.02 | 0.0356 (0.0372) | 0.0357 (0.0373) | 0.0365 (0.0384) |
# | public start, rate 0.05 | 0.0386 (0.0401) | 0.0388 (0.0402) | 0.0401 (0.0424) |
#
# The best choice is flat: a factor of two in clip or rate changes little. A public rate below 0.01 was not tried.
#
# Not all of the task is so clean. Meals and practice of the invented clinic were changed three to five times with outcomes in view before these tables, and the gate's limit was set after a look at groups with other seeds. This is the design of a task, and not the tuning of a method, but a reader should know.

# %% [markdown]
# (networks-old-loss)=
# ## Constant doses, and a loss that should not be used
#
# An earlier version of this task scored only the twelve hours with doses, and capped glucose at 40 and at 400 mg/dL before it took the risk. Both forgive overdoses: insulin that is given late acts after the score, and a glucose of 20 counts as 40.

# %% tags=["hide-input"]
rows = []
for units in (None, 0, 1, 1.5, 3, 10):
    row = {"": "practice" if units is None else f"always {units:g} U"}
    for label, day in (("18 hours, caps 20 and 600", None), ("12 hours, caps 40 and 400", HALF_DAY)):
        policy = practice(np.random.default_rng(seed)) if units is None else constant_dose(units)
        found = evaluate(policy, CLINIC, 2000 if full else 300, np.random.default_rng(10_009_300), *([] if day is None else [day]))
        row |= {label: found.risk, f"{label}: < 70, %": 100 * found.below_70}
    rows.append(row)
losses = pd.DataFrame(rows).set_index("")
new, old = losses["18 hours, caps 20 and 600"], losses["12 hours, caps 40 and 400"]
losses.style.format("{:.1f}")

# %% tags=["remove-cell"]
assert new["practice"] < new.drop("practice").min() and old["always 1.5 U"] < old["practice"]
assert new["always 10 U"] > 2.5 * new["always 0 U"] and old["always 10 U"] < 1.5 * old["always 0 U"]

# %% tags=["remove-input"]
md(f"With the old loss a constant dose of 1.5 U beats practice, {old['always 1.5 U']:.2f} against {old['practice']:.2f}, and 10 U every half hour is only {old['always 10 U'] / old['always 0 U']:.1f} times as bad as no insulin. With the loss of this chapter practice beats every constant dose of the table, and 10 U is {new['always 10 U'] / new['always 0 U']:.1f} times as bad as none. "
   "For people who differ so much, a loss decides what counts as good before any learning begins.")

# %% [markdown]
# (networks-baseline)=
# ## The baseline that clipping bends, in the clinic
#
# The main path compares four groups. Here are ten, at ε = 3, each group with the simulator's baseline as it is and as the start of a private one.

# %% tags=["hide-input"]
start = cautious_policy(0, steps=300 if full else 20)
simulated = expected_to_come(start, PUBLIC, 2000, np.random.default_rng(9600))
ended = {share: np.array([evaluate(mean_dose(start, private_policy_gradient(
    start, CLINIC, epsilon=3.0, delta=1e-5, updates=20 if full else 2, people=500 if full else 30, clip=0.02, baseline=simulated, learning_rate=0.05, baseline_share=share,
    rng=np.random.default_rng(300 + s), noise_rng=np.random.default_rng([300 + s, 1])).parameters[-1]), CLINIC, living, np.random.default_rng(10_009_601)).risk for s in seeds]) for share in (0, 0.1)}
difference = ended[0.1] - ended[0]

# %% tags=["remove-cell"]
if full:
    assert abs(difference.mean()) < 0.2 and max(each.max() for each in ended.values()) < 4.2, ended

# %% tags=["remove-input"]
md(f"The mean risk is {pm(ended[0])} with the simulator's baseline, worst {ended[0].max():.2f}, and {pm(ended[0.1])} with a private one, worst {ended[0.1].max():.2f}. The paired difference is **{difference.mean():+.2f} ± {difference.std(ddof=1) / np.sqrt(groups):.2f}**. "
   "We had expected a difference of at least 1, because an earlier version of the task, with the old loss, had shown one. In this task it is not there.")

# %% [markdown]
# (networks-pendulum)=
# ## A task that everybody knows
#
# Pendulum is the task of Gymnasium: swing a pendulum up and hold it, with a weak motor, in 200 steps. Here one *person* is one episode of a mediocre logging policy. The reward and the way an angle moves are public, so that the network has to learn one function: how the velocity changes. A small run, with 500 episodes and one group:

# %% tags=["hide-input"]
episodes = 500 if full else 30
log = logged_swings(episodes, np.random.default_rng(seed))
torch.manual_seed(seed)
velocity_network = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
made = dp_sgd(velocity_network, squared_error, Trajectories(log.inputs, log.labels[..., 2:3], log.lengths), epsilon=1.0, delta=1e-5, clip=0.1, sampling=0.25, steps=100 if full else 3,
              nominal_size=episodes, learning_rate=0.02, sample_rng=np.random.default_rng([seed, 1]), noise_rng=np.random.default_rng([seed, 2]))
swinger = train_controller(with_public_kinematics(with_parameters(velocity_network, made.parameters).requires_grad_(False)), np.random.default_rng(5), steps=300 if full else 3)
held = starts(1000, np.random.default_rng(77))
swung = returns(lambda seen: UNITS[3] * swinger((seen / UNITS[:3]).float())[..., 0].double(), held)
logged = float(returns(mediocre(np.random.default_rng(1)), held).mean())

# %% tags=["remove-cell"]
assert not full or swung.mean() > -220, swung.mean()

# %% tags=["remove-input"]
md(f"At ε = 1 the return is **{swung.mean():.0f} ± {swung.std() / len(swung) ** 0.5:.0f}** over 1,000 starts, where the log has {logged:.0f}. *Guarantee:* δ = 10⁻⁵ for one episode, add or remove one, central, proved.")

# %% [markdown]
# Two larger runs of `python -m bench.pendulum`, of ten groups each, **recorded and not computed here**. With public rules, 1,000 episodes and ε = 1 the mean return is −154.2 ± 1.2, worst −164.0; without noise it is −153.5 ± 0.4, worst −155.5. With everything learned, the reward and the motion of the angle too, from 30,000 episodes at ε = 3, it is −155.7 ± 1.4, worst −165.8. About −145 is the best that is known.
#
# (networks-functional)=
# ## Functional noise in seven dimensions
#
# {doc}`Chapter 3 </chapters/03_functional_noise/02_a_random_curve>` adds a random function to a learned one. Could it protect a network of seven inputs? Noise of a random field is drawn point by point, each new value conditioned on all values before. We draw it at half hours of simulated days, scaled to the unit cube:

# %%
size = 600 if full else 60
points = public_days.inputs.double().reshape(-1, 7).numpy()[:size]
points = (points - points.min(axis=0)) / (points.max(axis=0) - points.min(axis=0))

def fresh(kernel):
    """Median sd of a value given all others, of sd 1 each; and seconds for drawing."""
    began = perf_counter()
    GaussianField(kernel, 1.0, np.random.default_rng(1), dimension=7)(points)
    seconds = perf_counter() - began
    gram = kernel(points[:, None], points) + 1e-10 * np.eye(len(points))
    return float(np.median(np.diag(np.linalg.inv(gram)) ** -0.5)), seconds

# %% tags=["remove-input"]
found = {name: fresh(kernel) for name, kernel in (("slow, β = 1", manhattan_kernel(1.0)), ("fast, β = 10", manhattan_kernel(10.0)), ("band-limited", band_limited_kernel(1.0)))}
if full:
    assert found["fast, β = 10"][0] > 0.6 and 0.1 < found["slow, β = 1"][0] < 0.4 and found["band-limited"][0] < 0.01
md(f"{len(points)} values take {max(t for _, t in found.values()):.1f} s at most, and the n-th value takes a number of steps that grows like n². One pass over 10,000 people has 360,000 questions, and would need a table of 360,000 × 360,000 numbers. What a value has of its own, given all others, as a share of its standard deviation: "
   + "; ".join(f"{name} {share:.3f}" for name, (share, _) in found.items())
   + ". So in seven dimensions the noise is either nearly new at each point, and then a gradient averages it away, or it has only a few coefficients, and then those few numbers could be released directly. It also protects a function against a change in its own function space, and not a person's day. What survives of the idea is {doc}`one release <../05_who_needs_whom>`: noise in the few numbers of which the function is made.")

# %% [markdown]
# (networks-papers)=
# ## What could be read
#
# * {cite:t}`abadi2016`, private training by clipped and noisy gradients: algorithm and abstract, from memory; our account does not use their moments accountant.
# * {cite:t}`rio2024`, PriMORL: private training of an ensemble of models on whole trajectories, and planning in it. We could read summaries only. According to them their guarantees lie at ε between about 5 and 94 with δ = 10⁻⁵, for up to 30,000 trajectories of 1,000 steps. Ours are not comparable: other tasks, shorter trajectories, a public start.
# * {cite:t}`rio2025` and {cite:t}`he2025`, private policy gradients: abstracts and summaries. According to a summary, the first claims joint privacy as well, and has personal dosing among its tasks; the proof on the main path was made without their texts.
# * Planning through learned dynamics is older: {cite:t}`deisenroth2011`, from memory.
