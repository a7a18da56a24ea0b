# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Values and treatments learnt from patients: averages of returns, Q-learning by trial, and the trap in a log
#         of what doctors did.'
# ---

# %% [markdown]
# # Learning from records
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A clinic does not know its transition probabilities. What can it learn from the records of its patients?
# * **The answer.** Values are averages of returns. The best treatments can be learnt by trial. From a log of what doctors did, they can be learnt only
#   as far as the log covers them, and only with caution.
# * **What you need.** {doc}`01_reinforcement_learning`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2026         # all randomness comes from here
discount = 0.9
risk = 0.1          # of the strong treatment, in stage 1

# %% tags=["remove-cell"]
from bisect import bisect
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore
from privrl_core.world import clinic, sample_episodes, strong_from

use_theme()
rng = np.random.default_rng(seed)
GENTLE, STRONG, RECOVERED, LOST = 0, 1, 5, 6
world, policy = clinic(discount, risk), strong_from(3)
values = world.policy_values(policy)[:5]

# %% [markdown]
# ## Values from records
#
# The clinic is that of {doc}`the page before <01_reinforcement_learning>`: five stages, a gentle and a strong treatment, and the doctor's rule *strong from stage 3 on*.

# %% tags=["remove-input"]
md(f"There the value of stage 1, {values[0]:.2f}, followed from the transition probabilities. A real clinic does not know these. It has **records** of its patients, and each record shows one return. The "
   "mean of the returns is an estimate of the value. It is off by chance, because other patients would have had other returns.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# **With a hundred patients the typical error of the value of stage 1 is 0.02. You want 0.005. How many patients does it take?**
#
# * 400
# * 800
# * 1,600
# ```
#

# %% tags=["remove-cell"]
# a patient is rewarded at most once, and with 1: so the squared return is a return with γ²
spread = np.sqrt(clinic(discount**2, risk).policy_values(policy)[0] - values[0] ** 2)
if (discount, risk) == (0.9, 0.1):
    assert round(spread / np.sqrt(100), 2) == 0.02 and round(spread / np.sqrt(1_600), 3) == 0.005
clinics, sizes = max(20, round(60 * effort)), (100, 400, 1_600)
many = sample_episodes(world, policy, clinics * sizes[-1], np.random.default_rng([seed, 2]))
returns = (many.rewards.sum(axis=1) * discount ** (many.lengths - 1.0)).reshape(clinics, -1)
estimates = [returns[:, :m].mean(axis=1) for m in sizes]
assert all(abs(e.std() / (spread / np.sqrt(m)) - 1) < 6 / np.sqrt(2 * clinics) for e, m in zip(estimates, sizes))

# %% mystnb={"image": {"alt": "Three rows of dots, the estimates of many clinics with 100, 400 and 1,600 patients each, around the true value of stage 1. Each row is half as wide as the row above it."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.4))
ax.axvline(values[0], color="#22272e", lw=1.5)
for row, (m, found) in enumerate(zip(sizes, estimates)):
    error = spread / np.sqrt(m)
    ax.plot([values[0] - error, values[0] + error], [row + 0.36] * 2, color=PALETTE[3], lw=4, solid_capstyle="butt")
    ax.plot(found, np.full(clinics, row) + 0.18 * np.sin(7.0 * np.arange(clinics)), "o", ms=4.5, mew=0, color=PALETTE[3], alpha=0.65)
    ax.text(values[0] + 0.053, row, f"± {error:.2g}", va="center", color=PALETTE[3], weight="bold")
ax.text(values[0] + 0.001, -0.62, "true value", color="#22272e", va="center", weight="bold")
ax.set(yticks=range(3), yticklabels=[f"{m:,} patients" for m in sizes], ylim=(2.6, -0.9), xlim=(values[0] - 0.062, values[0] + 0.066),
       xlabel="estimate of the value of stage 1", title="Four times the patients, half the error")
ax.grid(False, axis="y");

# %% [markdown]
# **The answer.** It takes 1,600. Each dot is the estimate of one clinic, and the bar below it is the typical error. The error falls only with the *root* of the number of patients. So four times
# the patients halve it, and a quarter of the error takes sixteen times the patients [{ref}`one clinic to follow, and many counted <error-of-clinics>`].
#
# To estimate values like this is called **policy evaluation**. In {doc}`/chapters/02_policy_evaluation/index` the averages get noise, because the returns belong to real people.
#
# ## Learning by trial: Q-learning
#
# The *best* policy can be learnt without the transition probabilities, too. Keep a table of guesses $Q(s, a)$ of the {prf:ref}`action values <def-value>`, one for each stage and treatment. After each week of
# a patient, move one guess a little towards what happened:
#
# 1. The table says $Q(5, \text{strong}) = 0.50$. A patient in stage 5 is treated strongly, and recovers. This week was worth 1, so 1 is the *target*. With a *learning rate* of α = 0.1 the guess moves
#    a tenth of the way, to 0.55.
# 2. The table says $Q(4, \text{gentle}) = 0.30$. A patient in stage 4 is treated gently, and moves up to stage 5. There is no reward yet, but next week the patient is in stage 5, where the best treatment is
#    worth 0.55 by now. So the target is $0.9 \cdot 0.55 = 0.495$, and the guess moves a tenth of the way from 0.30, to 0.32.
#
# So the target is this week's reward, plus γ times the best guess for the next stage. In {eq}`eq-optimal` of the page before stands the mean over all that may happen. Here stands what happened to *one* patient. This is called
# **Q-learning**:

# %%
def update(Q, state, action, reward, after, rate):
    target = reward + discount * max(Q[after])
    Q[state][action] += rate * (target - Q[state][action])

# %% [markdown]
# Let a coin decide every treatment, whatever the table says. Still the table learns which treatment is *best*. There are two reasons: the target asks what the *best* next action is
# worth, whatever the coin will do next, and the coin tries everything again and again. The learning rate falls from visit to visit, so that the guesses settle down [{ref}`three rates compared <learning-rates>`].
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Forty clinics each learn such a table, in 30,000 weeks. **In which stage do the tables name the wrong treatment most often?**
#
# * Stage 1
# * Stage 3
# * Stage 5
# ```

# %% tags=["remove-cell"]
best = world.optimal_values()
Q = (world.transitions * (world.rewards + discount * best)).sum(axis=2)[:5]
assert np.allclose([0.5 + 0.1 * (1 - 0.5), 0.3 + 0.1 * (0.9 * 0.55 - 0.3)], [0.55, 0.3195])

def q_learning(world, at, rng):
    """Q after the numbers of weeks ``at``; the learning rate falls with the number n of visits, as n^−0.7."""
    reached = world.transitions.cumsum(axis=2).tolist()
    Q, visits = np.zeros((7, 2)).tolist(), np.zeros((7, 2), int).tolist()
    kept, s = [], 0
    for t, (a, chance) in enumerate(zip(rng.integers(2, size=at[-1]).tolist(), rng.random(at[-1]).tolist()), 1):
        after = bisect(reached[s][a], chance)
        visits[s][a] += 1
        update(Q, s, a, after == RECOVERED, after, visits[s][a] ** -0.7)
        s = after if after < RECOVERED else 0  # the next patient
        if t in at:
            kept.append(np.array(Q[:5]))
    return kept

weeks, runs = (1_000, 30_000), max(10, round(40 * effort))
learnt = np.array([q_learning(world, weeks, np.random.default_rng([seed, k])) for k in range(runs)])     # [run, early or late, stage, action]
gains, truly = np.diff(learnt)[..., 0], np.diff(Q)[:, 0]
wrong = np.mean((gains > 0) != (truly > 0), axis=0)
assert np.abs(learnt[:, 1] - Q).max() < 0.1 and np.abs(learnt[:, 1].mean(axis=0) - Q).max() < 0.02 < np.abs(learnt[:, 0] - Q).max()
others = np.delete(wrong[1], 2)
assert wrong[1].argmax() == 2 == np.abs(truly).argmin() and (wrong[1] <= wrong[0] + 0.1).all() and (effort < 1 or others.max() < 0.15)
assert (discount, risk) != (0.9, 0.1) or np.allclose(truly, [-0.013, -0.006, 0.002, 0.012, 0.025], atol=0.00051)

# %% mystnb={"image": {"alt": "For each stage, what the strong treatment is worth more than the gentle one: a bar for the truth, below zero in stages 1 and 2 and above it in stages 3 to 5, and two clouds of dots, learnt after few weeks and after many. The early clouds spread over both sides of zero in stages 1 to 4. The late ones lie on one side, except in stage 3, where the truth is nearly zero."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.5))
jitter = np.random.default_rng(0).uniform(-0.07, 0.07, runs)
for at, (shift, colour) in enumerate(((-0.18, "#8b93a0"), (0.18, PALETTE[3]))):
    for s in range(5):
        ax.plot(s + 1 + shift + jitter, gains[:, at, s], ".", ms=5, color=colour)
    ax.text(4.2, -0.058 - 0.014 * at, f"{'●'} after {weeks[at]:,} weeks", color=colour, weight="bold")
ax.hlines(truly, np.arange(5) + 0.62, np.arange(5) + 1.38, color="#22272e", lw=2.5)
ax.axhline(0, color="#22272e", lw=0.8)
ax.text(5.42, truly[4], "truth", va="center", weight="bold", color="#22272e")
ax.text(0.5, 0.066, "strong seems better", color=PALETTE[1], weight="bold")
ax.text(0.5, -0.096, "gentle seems better", color=PALETTE[0], weight="bold")
ax.set(xlim=(0.45, 5.9), ylim=(-0.105, 0.08), xticks=range(1, 6), xlabel="stage", ylabel="Q(strong) − Q(gentle)",
       title="Mistakes last where the treatments are worth nearly the same");

# %% tags=["remove-input"]
md(f"**What you should see.** Stage 3. After {weeks[0]:,} weeks many dots of most stages are on the wrong side of zero. After {weeks[1]:,} weeks at most {round(runs * others.max())} of the {runs} tables are wrong in each of the other four stages. "
   f"In stage 3 still {np.sum((gains[:, 1, 2] > 0) != (truly[2] > 0))} tables name the wrong treatment, which is hardly better than a coin. Strong is truly worth −0.013, −0.006, 0.002, 0.012 and 0.025 more than gentle in stages 1 to 5. "
   "In stage 3 the two are worth nearly the same, so a mistake is likely, and costs little. Neither the way to the reward nor the number of patients decides.")

# %% [markdown]
# ## Learning from a log
#
# Outside a trial, a hospital may not toss coins for its patients. It has a **log**: what its doctors did, and what came of it. From a log we learn about a
# treatment only as far as the log contains it. This is called **coverage**. And there is a trap, already with a single decision.
#
# There are twenty treatments for an illness. The usual one cures 60 % of its patients. Of the others, one cures 75 %, and the rest 20 to 55 %. Nobody knows these shares. Six patients in ten get the usual one, and each of the
# others gets another one at random. So the doctors cure 52 % in all. Here is a log of a hundred patients, in which four treatments do not occur:

# %% tags=["remove-cell"]
# the truth, which nobody knows
cures = np.append([0.60, 0.75], np.linspace(0.2, 0.55, 18))

def logged(m, usual, runs, rng):
    shares = np.append(usual, np.full(19, (1 - usual) / 19))
    counts = rng.multinomial(m, shares, size=runs)
    return counts, rng.binomial(counts, cures)

def has_a_lucky_one(counts, cured):
    """A usual treatment near its mean, and one other, not the best, whose record alone is perfect."""
    perfect = np.flatnonzero((counts == cured) & (counts > 0))
    return abs(cured[0] - 0.6 * counts[0]) < 2 and len(perfect) == 1 and perfect[0] > 1 and counts[perfect[0]] >= 2

some = list(zip(*logged(100, 0.6, 5_000, np.random.default_rng(seed))))
one_log = next(one for one in some if has_a_lucky_one(*one))
winner = int(np.argmax(one_log[1] / np.maximum(one_log[0], 1)))

# %% mystnb={"image": {"alt": "One log: for each of twenty treatments the share of its patients who were cured, against the number of its patients. The usual treatment has about sixty patients, fifteen others have a handful each, and four have none. One of the fifteen has a perfect record."}} tags=["remove-input"]
counts, cured = one_log
tried = counts > 0
fig, ax = plt.subplots(figsize=(7.2, 2.7))
for record in sorted(set(zip(counts[tried], cured[tried]))):    # equal records side by side
    same = np.flatnonzero((counts == record[0]) & (cured == record[1]))
    ax.plot(counts[same] * 1.09 ** (np.arange(same.size) - (same.size - 1) / 2), cured[same] / counts[same], "o", ms=7, mew=0, color=PALETTE[3])
for k, words, place, side in ((winner, f"{cured[winner]} of {counts[winner]}", (3, 0.97), "left"),
                              (0, f"the usual treatment: {cured[0]} of {counts[0]}", (0.85 * counts[0], 0.8), "right")):
    ax.annotate(words, (counts[k], cured[k] / counts[k]), place, ha=side, va="center", weight="bold", color="#22272e",
                arrowprops={"arrowstyle": "-", "color": "#22272e"})
ax.set(xscale="log", xlim=(0.75, 100), ylim=(-0.08, 1.12), yticks=(0, 0.5, 1), yticklabels=("0", "a half", "all"),
       xlabel="patients who got the treatment", ylabel="cured", title="One log of a hundred patients, a dot for each treatment")
ax.set_xticks((1, 2, 5, 10, 20, 50), (1, 2, 5, 10, 20, 50))
ax.minorticks_off()
assert seed != 2026 or tried.sum() == 16

# %% [markdown]
# From each of many such logs, you choose the treatment with the best record.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **The log has a hundred patients. Which share of its new patients will the chosen treatment really cure, on average?**
#
# * 75 %
# * About 60 %
# * Less than half
# ```

# %% tags=["remove-cell"]
def score(counts, cured, caution):
    n = np.maximum(counts, 1)
    return np.where(counts > 0, cured / n - caution / np.sqrt(n), -np.inf)    # no record, no choice

def promise_and_cure(counts, cured, caution):
    """All on the treatment with the best score, ties split: what its record promises, and what it cures."""
    scores = score(counts, cured, caution)
    weights = scores == scores.max(axis=-1, keepdims=True)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    records = cured / np.maximum(counts, 1)
    return (weights * records).sum(axis=-1).mean(), (weights @ cures).mean()

log = logged(100, 0.6, max(200, round(4000 * effort)), rng)
bold, careful = promise_and_cure(*log, 0), promise_and_cure(*log, 1)
assert round(mix_at_60 := 0.6 * cures[0] + 0.4 * cures[1:].mean(), 2) == 0.52
assert bold[0] > 0.9 and bold[1] < 0.5 and bold[1] < 0.6 < careful[1] + 0.03

log_slider = Slider("m", "patients in the log", 100, 1e5, 100, points=16, steps=15, low_end="short log", high_end="long log")
caution_slider = Slider("c", "pessimism c", 0, 2, 0, points=9, steps=8, scale="linear", low_end="trust every record", high_end="trust long records only")
usuals = (0.05, 0.3, 0.6, 0.9)
usual_choice = Choice("usual", "got the usual treatment", tuple(f"{100 * u:.0f} %" for u in usuals), "60 %",
                      low_end="all are tried", high_end="hardly any other")
lengths = np.array([10, 15.8, 25.1, 39.8, 63.1, *log_slider.grid])    # shorter logs for the check below
promised, kept_word = np.empty((2, 4, 21, 9))
runs = max(100, round(1000 * effort))
for (i, usual), (j, m) in product(enumerate(usuals), enumerate(np.rint(lengths).astype(int))):
    counts, cured = logged(m, usual, runs, rng)
    for k, caution in enumerate(caution_slider.grid):
        promised[i, j, k], kept_word[i, j, k] = promise_and_cure(counts, cured, caution)
mix = [usual * cures[0] + (1 - usual) * cures[1:].mean() for usual in usuals]
over = usual_choice, log_slider, caution_slider
cured_table, promised_table = Table(over, kept_word[:, 5:]), Table(over, promised[:, 5:])
if effort >= 1:                                                                  # what the answer says
    places = np.searchsorted(lengths, (99, 9_900))
    assert np.allclose(promised[2, places, 0], [0.99, 0.75], atol=0.01)
    assert np.allclose(kept_word[2, places, 0], [0.47, 0.75], atol=0.01)
    assert (kept_word[:, :, 3:] > np.array(mix)[:, None, None] - 0.01).all()   # c from 0.75 on

# %% [markdown]
# **The answer.** Less than half. In logs of a hundred patients the best record promises 99 %, and its treatment cures 47 %, even less than the 52 % of the
# doctors. The best record belongs to a lucky treatment: it was tried two or three times, and happened to work each time. Only in long logs is luck spread so evenly that the
# best record belongs to the best treatment.
#
# The remedy is **pessimism**. The record of $n$ patients is off by something like $1/\sqrt n$, as the values above were. So judge a treatment by what it cures at least: the share of patients cured, minus
# $c/\sqrt n$. The number $c$ says how cautious you are.

# %% tags=["remove-input"]
counts, cured = one_log
lucky, usual_score = (cured[k] / counts[k] - 1 / np.sqrt(counts[k]) for k in (winner, 0))
if seed == 2026:
    assert (cured[winner], counts[winner], cured[0], counts[0]) == (2, 2, 40, 66) and (round(lucky, 2), round(usual_score, 2)) == (0.29, 0.48)
md(f"Take $c = 1$ and the log above. The treatment that cured {cured[winner]} of {counts[winner]} scores $1 - 1/\\sqrt{{{counts[winner]}}} = {lucky:.2f}$. The usual one, which cured {cured[0]} of {counts[0]}, scores "
   f"${cured[0] / counts[0]:.2f} - 1/\\sqrt{{{counts[0]}}} = {usual_score:.2f}$, and wins.")

# %% [markdown]
# ### Explore: how cautious?
#
# How large has $c$ to be, so that the choice does no worse than the doctors? Begin at $c = 0$, and raise it.

# %% tags=["remove-input"]
explore(
    name="pessimism", sliders=[caution_slider, log_slider, usual_choice], x=log_slider,
    y=Axis("cured", "share cured", 0.3, 1, scale="linear"),
    curves=[Curve("cured by the chosen treatment", cured_table), Curve("what its record promises", promised_table),
            Curve("the best treatment", constant(0.75), reference=True),
            Curve("what the doctors give", Table((usual_choice,), mix), reference=True)],
    readouts=[Readout("promise", "promised", promised_table), Readout("cured", "cured", cured_table)],
    guarantee="With c = {c} and {m} logged patients, {usual} of whom got the usual treatment.",
    alt="Share cured by the chosen treatment, and the share that its record promises, against the length of the log, at c = {c}, if {usual} got the usual "
        "treatment. At {m} patients: promised {promise}, cured {cured}.",
    caption=f"Twenty treatments, one decision. The curves are means over {runs:,} random logs. A record promises the plain share of its patients who were cured, at every c.")

# %% tags=["remove-input"]
reached = [lengths[np.argmax(kept_word[2, :, k] > 0.73)] for k in np.searchsorted(caution_slider.grid, (0.5, 2, 0))]
assert effort < 1 or reached[2] == reached[0]
md("From $c = 0.75$ on, the choice does no worse than the doctors, on average over many logs. This holds for every share of patients who got the usual treatment: try all four.\n\nToo much caution has its price. If 60 % of the patients got the usual treatment, the choice cures more than 73 % once the log has about "
   f"{round(reached[0], -2):,.0f} patients at $c = 0.5$, as without any caution, and about {round(reached[1], -2):,.0f} at $c = 2$ [{{ref}}`why this penalty <pessimism-checked>`].")

# %% [markdown]
# In a sequence of decisions the same luck adds up from step to step. {doc}`/chapters/04_offline_rl/index` subtracts a
# penalty in every step, and makes it private.
#
# Values, Q-tables, policies and counts are all learnt from people. Each chapter of this book asks what one of them gives away, in a world of its own
# [{ref}`all worlds on one page <problems-of-the-book>`].
#
# ## Check yourself
#
# **1. The coin in our Q-learning gives each treatment half of the time. What does the learned table converge to?**
#
# ```{dropdown} To the values of treating by coin.
# That would be evaluation. The maximum in the target makes it learn about the *best* policy while following another.
# ```
# ```{dropdown} To the optimal action values, if the rate falls suitably.
# ✓ Right. This is called “off-policy”: it is enough that everything is tried again and again.
# ```
# ```{dropdown} To nothing, since the coin never improves.
# The table improves although the behaviour does not. Only with a constant rate it keeps trembling.
# ```
#
# **2. A log contains only gentle treatments. What can be learnt from it about the strong one?**
#
# ```{dropdown} Its value, with a large error.
# Not even that. No record has anything to say about it, so an error bar would have to cover everything.
# ```
# ```{dropdown} Its value, if the log is long enough.
# Length does not replace coverage: zero times a million is zero.
# ```
# ```{dropdown} Nothing, without assumptions that go beyond the log.
# ✓ Right. That is coverage. More patients of the same kind do not help.
# ```
#
# More questions are {ref}`behind this page <quiz-values>`.
#
# ## To take away
#
# * Values can be estimated by averaging the returns of records. The error of an average of $m$ patients falls like $1/\sqrt m$.
# * Q-learning finds the best policy by trial, while following another one.
# * A log teaches only what it covers. Elsewhere, be pessimistic.
# * Values, Q-tables, policies and counts are functions of *people's data*.
#
# Further reading: {cite:t}`sutton2018`, the textbook, chapters 5 and 6; {cite:t}`gottesman2019`, what to ask of reinforcement learning before it comes
# near a patient. Next: {doc}`02_a_promise`.
