# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on the program behind published figures: what it runs, a lower bound on its ε from others'' treatments, audits with their power.'
# ---

# %% [markdown]
# (online-published-code)=
# # The published program, audited
#
# ```{admonition} What this page establishes
# :class: tip
# * The program behind the figures of {cite:t}`chowdhury2022` runs another algorithm than the one that we restored from memory, and says itself that its noise only mimics the tree. Its "JDP" draws its noise anew for every plan; its "LDP" draws noise that all pairs share.
# * Through the treatments of later people alone, the ε on its figure of value iteration with the label JDP is refuted, for our rewriting of the program: ε is about 4 at least, with confidence 99.9 %, where the figure says 1. The label LDP needs no audit. The program's second algorithm, with the same noise, was not audited.
# * Five wrong implementations of private learning are caught, with a stated power, and two correct ones are left alone.
# * **What is protected.** One person's whole stay, against all others together. Neighbours replace one.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 1704           # all randomness comes from here
delta = 1e-5

# %% tags=["hide-input"]
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.online import (
    FirstVisits, PublishedLearner, counter, exact_values, growing, published_ucb_vi, square_root_coefficients, table_sensitivity)
from privrl_core.privacy import GaussianNoise, epsilon_lower_bound, firing_probabilities, gaussian_delta, trials_needed
from privrl_core.privacy.guarantees import Model
from privrl_core.world import river_swim
from privrl_core.formatting import show
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
river = river_swim()
def generators(*key):
    """The people's generator, and the one of the noise."""
    return dict(rng=np.random.default_rng([seed, *key]), noise_rng=np.random.default_rng([seed, 99, *key]))

# %% [markdown]
# (online-what-runs)=
# ## What it runs
#
# The repository PrivateTabularRL of XingyuZhou989 on GitHub names the paper, and could be read. It is careful about its worlds and its seeds, and it says of its central noise that it is there "to mimic the tree-based algorithm". `published_ucb_vi` rewrites its value iteration. It has a second algorithm, UCBPO, which is not rewritten here. In short:
#
# | | printed, as restored from memory | program |
# |---|---|---|
# | counts | a table for each step | one table for all steps |
# | bonus | $2\ln(4SAT/\beta)$ under the root | $2\ln 3$ |
# | ceiling of an index | what is left of the stay | none |
# | central noise | one tree for each count, whose blocks keep their noise | $\lfloor\ln k\rfloor + 1$ draws of $\mathrm{Lap}(1/\varepsilon)$ on each count, *new for every person's plan* |
# | local noise | a draw for each cell of each person | for each person a draw of $\mathrm{Lap}(1/\varepsilon)$ for visits, one for rewards and one for each next condition, *the same for all pairs* $(s, a)$ |
#
# The two last rows are about privacy. A count to which new noise is added 20,000 times can be averaged. And a noise that all pairs share drops out of every difference between pairs. Nothing here is about the width either: one tree with blocks of noise $\mathrm{Lap}(1/\varepsilon)$ would promise $6H \cdot 15\,\varepsilon$, 1,800 times the label.
#
# How far does the noise change what is learned? That is what the figures show, and this part of them can be rebuilt:

# %%
n_people, n_runs = (2_000, 4) if effort >= 0.5 else (400, 2)
times = np.unique(np.geomspace(10, n_people, 60).astype(int))
times = np.append(times[times < n_people], n_people)
settings = {
    "without noise": (None, None),
    "labelled JDP, ε = 1": (1.0, Model.JOINT),
    "labelled LDP, ε = 1": (1.0, Model.LOCAL),
}
curves = {
    name: published_ucb_vi(
        river,
        n_people,
        epsilon=e,
        model=model,
        times=times,
        runs=n_runs,
        **generators(1),
    )
    for name, (e, model) in settings.items()
}

# %% tags=["remove-cell"]
lost = river.initial @ river.optimal_values()[0] - exact_values(river, np.full((20, 6, 2), 0.5))  # by each person, at random

# %% mystnb={"image": {"alt": "Cumulative regret against people, up to two thousand: the program without noise is lowest and flattens, with the noise labelled joint it is about twice as high and flattens, too, with the noise labelled local it differs widely between runs and still rises; treating at random is a straight line far above."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for (name, made), colour in zip(curves.items(), PALETTE):
    mean, se = made.regret.mean(axis=0), made.regret.std(axis=0, ddof=1) / np.sqrt(n_runs)
    ax.plot(times, mean, color=colour, label=name)
    ax.fill_between(times, mean - se, mean + se, color=colour, alpha=0.2, lw=0)
ax.plot(times, lost * times, color=REFERENCE, ls="--", label="treating at random")
top = 1.15 * max(made.regret.mean(axis=0)[-1] for made in curves.values())
ax.set(xlabel="people", ylabel="regret", ylim=(0, top), title="What noise of this size does to learning; the labels are the figure's")
ax.legend(loc="lower right");

# %% tags=["remove-input"]
last = {name: made.regret[:, -1] for name, made in curves.items()}
md(f"Exact regret after {n_people:,} people, mean and standard error of {n_runs} runs: " + ", ".join(f"{name} {x.mean():,.0f} ± {x.std(ddof=1) / np.sqrt(n_runs):,.0f}" for name, x in last.items()) +
   f"; treating at random {lost * n_people:,.0f}. *Guarantee:* none. The package marks these releases as refuted, and refuses to compose them.")

# %% [markdown]
# (online-refuted)=
# ## The label is refuted from outside
#
# Joint privacy is a promise about what *all others* see. So an auditor may play all others, but nobody's treatments: those are the hospital's answers. What can be chosen, before anything happens, is how each person would respond to every treatment, a *tree of answers*. Here is a pair of worlds that differ in one person.
#
# * Six people stay in condition 0, with reward ½ whatever they get.
# * The target stays in condition 0, too. In one world she has reward 1 exactly when she is treated *left*, in the other exactly when she is treated *right*.
# * Twenty more people come. They stay in condition 5 until the last step, which they spend in condition 0, without rewards. There they note what they are treated with.
#
# The twenty notes are all that the auditor uses.

# %%
def treated_left(epsilon, later, target, runs, key):
    learner = PublishedLearner(
        6,
        2,
        20,
        epsilon=epsilon,
        model=Model.JOINT,
        runs=runs,
        noise_rng=np.random.default_rng([seed, *key]),
    )
    stays, returns = np.zeros((runs, 21), dtype=int), np.full((runs, 21), 5)
    returns[:, 19:] = 0
    left = np.zeros(runs, dtype=int)
    for k in range(7 + later):
        policy = learner.plan()
        states = stays if k < 7 else returns
        actions = np.take_along_axis(policy, states[:, :-1, None], axis=2)[..., 0]
        rewards = (
            np.full((runs, 20), 0.5)
            if k < 6
            else (actions == target) * 1.0
            if k == 6
            else np.zeros((runs, 20))
        )
        learner.learn(states, actions, rewards)
        if k >= 7:
            left += actions[:, -1] == 0
    return left

# %% [markdown]
# The event is "fewer than $c$ of the twenty are treated left", or its opposite. The best $c$ is chosen on one half of the runs, and counted on the other half, so that the confidence is honest.

# %%
def audit(epsilon, later, runs):
    choose, count = (
        [
            treated_left(epsilon, later, target, runs, (half, target))
            for target in (0, 1)
        ]
        for half in (1, 2)
    )
    bounds = [
        epsilon_lower_bound(
            int((choose[0] >= c).sum()), int((choose[1] >= c).sum()), runs, delta=0
        )
        for c in range(1, later + 1)
    ]
    c = 1 + int(np.argmax(bounds))
    hits = [int((side >= c).sum()) for side in count]
    return c, hits, epsilon_lower_bound(*hits, runs, delta=0), count

runs = max(400, round(1_500 * effort))
c, hits, found, notes = audit(1.0, 20, runs)
c_half, hits_half, found_half, _ = audit(0.5, 20, max(400, runs // 2))
assert found > 2 and found_half > 1
assert effort < 1 or found > 3.5  # the figure says 1

# %% mystnb={"image": {"alt": "Shares of runs against how many of twenty later people are treated left. With the target rewarded for left, most runs have twelve or more; rewarded for right, they spread from zero to about ten. A dashed line stands just below the number that divides the runs into two groups."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.2))
for side, name, colour in zip(notes, ("target rewarded for left", "target rewarded for right"), PALETTE):
    ax.vlines(np.arange(21) + (0.15 if colour == PALETTE[1] else -0.15), 0, np.bincount(side, minlength=21) / runs, color=colour, lw=5, label=name)
ax.axvline(c - 0.5, color=REFERENCE, ls="--")
ax.set(xlabel="later people treated left, of 20", ylabel="share of runs", ylim=(0, 0.25), xticks=range(0, 21, 4), title="What others are treated with tells which person it was")
ax.legend();

# %% tags=["remove-input"]
p, q = (np.clip(h / runs, 3 / runs, 1 - 3 / runs) for h in hits)
md(f"Fewer than {c} of 20 are treated left in {runs - hits[1]:,} of {runs:,} runs if the target is rewarded for right, and in {runs - hits[0]:,} if she is rewarded for left. With confidence 99.9 %, **ε ≥ {found:.2f}**, where the figure says 1. For the figure's other label, 0.5, the same pair gives ε ≥ {found_half:.2f}. "
   f"*Power:* with the probabilities found, {trials_needed(p, q, epsilon=1.0, delta=0):,} runs on each side suffice to refute ε = 1 with a power of 99.9 %.")

# %% [markdown]
# Say it exactly: the repository announces noise "to mimic" a tree. What is refuted is the ε on the figure of value iteration, for the program as it is rewritten here. The algorithm in print we know only as far as we could restore it from memory, and {doc}`03_printed_bonuses` is about that.
#
# *The local label needs no audit.* All pairs share their noise:

# %%
local = PublishedLearner(
    6,
    2,
    20,
    epsilon=1.0,
    model=Model.LOCAL,
    runs=1,
    noise_rng=np.random.default_rng(seed),
)
for _ in range(100):
    local.plan()
noise = local._shared_triples[:, None, None, :] + np.zeros((1, 6, 2, 6))
assert (
    np.ptp(noise, axis=(1, 2)).max() == 0
)  # the same for all pairs: differences are exact

# %% [markdown]
# A hospital that sees the noisy counts of a person who was in one pair only sees in which one. No ε holds.
#
# (online-audits)=
# ## Would we have caught our own mistakes?
#
# A release of today's counter is Gaussian, so the best distinguisher is known: whiten all 25 releases and project them on what the person moved. If the noise is as large as promised, the two means are $\mu$ = 0.268 apart, in units of the standard deviation. Here is the worst pair of stays, two that share no cell:

# %%
K, epsilon = 20_000, 1.0
made = counter(
    "doubling-toeplitz",
    K,
    table_sensitivity(20, 1, FirstVisits(6), pairs=12),
    epsilon=epsilon,
    delta=delta,
    times=growing(K, first=300, growth=0.2),
)
apart = np.array([6.0, 6, 6, 2, -6, -6, -6, -2])
column, N = square_root_coefficients(made.times.size), made.times.size
assert np.isclose(np.linalg.norm(apart), made.sensitivity.l2)

def looks(times_smaller, side, trials, key):
    """The best score for a person in the first batch, with noise that is too small."""
    wrong = replace(made, noise=GaussianNoise(made.noise.rho * times_smaller**2, delta))
    batches = np.zeros((N, trials, 8))
    batches[0] = side * apart / 2
    totals = wrong.release(
        batches, noise_rng=np.random.default_rng([seed, 5, *key])
    ).totals
    direction = column[:, None] * apart / np.linalg.norm(apart) / np.linalg.norm(column)
    undo = -column / (2 * np.arange(N) - 1)
    weights = np.stack(
        [np.correlate(direction[:, cell], undo, "full")[N - 1 :] for cell in range(8)],
        axis=1,
    )
    return np.einsum("ntc,nc->t", totals, weights) / made.scale

# %% tags=["hide-input"]
cases = [("correct", 1.0), ("noise divided by three", 3.0), ("noise for one step of the stay", float(made.sensitivity.l2 / np.sqrt(2)))]
rows = []
for number, (name, smaller) in enumerate(cases):
    mu, trials = made.guarantee.mu * smaller, max(2_000, round(12_000 * effort))
    one, other = (looks(smaller, side, trials, (number, side > 0)) for side in (1, -1))
    threshold = epsilon / mu / smaller
    hits_here = [int((x > threshold).sum()) for x in (one, other)]
    row = {"implementation": name, "μ": mu, "μ measured": (one.mean() - other.mean()) / one.std(), "δ at ε = 1": gaussian_delta(epsilon, mu),
           "trials a side": trials, "found: ε ≥": epsilon_lower_bound(*hits_here, trials, delta=delta)}
    if smaller > 1:
        row["trials for power 99.9 %"] = trials_needed(*firing_probabilities(mu, 1, 1, 1, epsilon), epsilon=epsilon, delta=delta)
    rows.append(row)
table = pd.DataFrame(rows)

# %% [markdown]
# Three more have a power of one, as a single look decides:

# %% tags=["hide-input"]
def lower(one, other, trials=1_000):
    return epsilon_lower_bound(one, other, trials, delta=delta)

rng, sd = np.random.default_rng([seed, 7]), made.standard_deviations[0]
def trigger(noise, target):
    """Others have brought a count to 63, and the plan changes at 64: does it change after the target?"""
    return int((63 + target + noise * rng.normal(size=1_000) >= 64).sum())

first = rng.laplace(0, 2 / epsilon, size=1_000)
same_noise = [int(((visits + first) - first > 0.5).sum()) for visits in (1, 0)]
more = [("raw counts published", lower(1_000, 0)), ("plan triggered by a raw count", lower(trigger(0, 1), trigger(0, 0))),
        ("plan triggered by a released count", lower(trigger(sd, 1), trigger(sd, 0))), ("local noise used again for a second report", lower(*same_noise))]
assert [bound > 4.8 for _, bound in more] == [True, True, False, True]
table = pd.concat([table, pd.DataFrame([{"implementation": name, "trials a side": 1_000, "found: ε ≥": bound} for name, bound in more])], ignore_index=True)

# %% tags=["hide-input"]
numbers = {"μ": "{:.3f}", "μ measured": "{:.3f}", "δ at ε = 1": show, "trials a side": "{:,.0f}", "found: ε ≥": "{:.2f}", "trials for power 99.9 %": "{:,.0f}"}
table.style.hide().format(numbers, na_rep="")

# %% [markdown]
# All promise ε = 1. The correct counter and the trigger on released counts are left alone. Over 2,000 repeats of an audit with confidence 99.9 % a correct mechanism raises at most two alarms on average; the tests allow eight. Note what does *not* help: a type, or a guarantee in the output, says what a mechanism was told, and a counter with the noise of one step promises exactly the same.
#
# ```{exercise}
# :label: ex-online-fresh-noise
# A hospital publishes a count $n$ with new noise $\mathrm{Lap}(1/\varepsilon)$ every day. How well is $n$ known after 400 days, and what is the true ε?
# ```
#
# ```{solution} ex-online-fresh-noise
# :class: dropdown
# The mean of 400 draws has the standard deviation $\sqrt 2/(20\,\varepsilon)$, a twentieth of that of a day, and the total is $400\,\varepsilon$ by pure composition. A tree, or any counter here, draws the noise of a sum once and keeps it.
# ```
#
# ## To take away
#
# * A figure labelled with an ε is a claim, and can be tested from outside, by choosing how people answer and never what they are given.
# * Noise that is drawn again, or shared, hides nothing.
# * An audit without its power proves nothing when it finds nothing.
