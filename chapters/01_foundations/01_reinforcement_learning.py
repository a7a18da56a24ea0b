# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Reinforcement learning in one sitting: a clinic with seven states, what a stage is worth, the best treatment,
#         and how both are learnt from patients.'
# ---

# %% [markdown]
# # Reinforcement learning, in one sitting
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Week by week a patient recovers, stays ill or is lost, and each week a doctor chooses a treatment. Which choices
#   are good, and how can they be learnt?
# * **The answer.** Find out what each stage of the illness is worth. Then choose the treatment that leads to what is worth most. Both can be
#   learnt from patients.
# * **What you need.** Averages and a little probability.
# * **How long.** About 25 minutes.
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
from privrl_core.world import clinic, strong_from

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## A clinic with seven states
#
# A patient is in one of five stages of an illness. Stage 1 is the worst, and after stage 5 the patient has *recovered*. Each week a
# doctor chooses one of two treatments:
#
# * **gentle**: the patient moves up a stage with probability one half, and otherwise stays;
# * **strong**: the patient moves up with probability 0.8, but may also be *lost*. The weaker the patient, the greater the
#   danger: 10 % in stage 1, then 8, 6, 4 and 2 %.

# %% tags=["remove-cell"]
GENTLE, STRONG, RECOVERED, LOST = 0, 1, 5, 6

def draw_clinic(ax, y=0.0, used=None, lost=True):
    """The seven states, or six without *lost*; only the treatments in `used`, one for each stage, or both."""
    for s, (place, height) in enumerate([(s, y) for s in range(6)] + [(2.0, y - 1.75)] * lost):
        name = {5: "recovered", 6: "lost"}.get(s, f"stage {s + 1}")
        ax.text(place, height, name, ha="center", va="center", fontsize=9, color="#22272e", zorder=3,
                bbox={"boxstyle": "round,pad=0.5", "fc": "#eef1f4", "ec": "#4a5058"})
    for s, (action, colour) in product(range(5), enumerate(PALETTE[:2])):
        if used is not None and used[s] != action:
            continue
        side = 1 if action == GENTLE else -1
        ax.annotate("", (s + 0.97, y + 0.2 * side), (s + 0.03, y + 0.2 * side),
                    arrowprops={"arrowstyle": "->", "color": colour, "lw": 1.8, "connectionstyle": f"arc3,rad={-0.35 * side}"})
        if action == STRONG and lost:
            ax.annotate("", (2.0 + 0.12 * (s - 2), y - 1.55), (s, y - 0.27),
                        arrowprops={"arrowstyle": "->", "color": colour, "lw": 2.4 - 0.4 * s, "ls": (0, (3, 2))})
    ax.axis("off")

world, policy = clinic(discount, risk), strong_from(3)

# %% mystnb={"image": {"alt": "Seven boxes: stages 1 to 5 in a row, then recovered, and lost below them. Gentle and strong arrows lead from each stage to the next; dashed ones, strong, lead down to lost, the thickest from stage 1."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.9))
draw_clinic(ax)
ax.text(0.5, 0.62, "gentle: ½", color=PALETTE[0], ha="center", weight="bold")
ax.text(4.5, -0.7, "strong: 0.8", color=PALETTE[1], ha="center", weight="bold")
ax.text(0.1, -1.05, f"lost: {risk:g}", color=PALETTE[1], ha="center", weight="bold")
ax.set(xlim=(-0.6, 5.7), ylim=(-2.1, 0.85), title="The strong treatment is faster, and more dangerous");

# %% [markdown]
# A patient who does not move stays in the same stage for another week. Such a model has a name:
#
# ```{prf:definition} Markov decision process
# :label: def-mdp
# A **Markov decision process** (MDP) has *states* $s$, *actions* $a$, *transition probabilities* $P(s' \mid s, a)$ of the next state, a
# bounded *reward* $r(s, a, s')$ for each transition, a *discount* $0 \le \gamma < 1$ and a distribution of the first state. An
# **episode** begins in a first state and ends when it enters a *terminal* state.
# ```
#
# *Markov* means that the next state depends on the present state and on the action, and on nothing before. This is a
# claim about the description, not about nature. If the past matters, as with a drug that was given last week, it
# must be part of the state.
#
# ## What is a stage worth?
#
# A recovery brings the reward 1, and nothing else brings a reward. But sooner is better. Each week of waiting multiplies a reward by
# γ, so with γ = 0.9 a recovery after ten weeks of waiting is worth $0.9^{10} = 0.35$ today. The sum of all rewards, each discounted for its
# waiting time, is a patient's **return**:
#
# $$G = r_0 + \gamma r_1 + \gamma^2 r_2 + \dots$$
#
# A doctor follows a rule, such as *gentle in stages 1 and 2, strong from stage 3 on*. Such a rule is called a **policy**. What a
# stage is worth under a policy is the return that a patient can expect from there on.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The doctor follows this rule. Stage 5 is one step away from recovery, and stage 1 is five steps away. **How much of the worth of
# stage 5 is left in stage 1?**
#
# * Nine tenths
# * About a half
# * About a tenth
# ```

# %% mystnb={"image": {"alt": "The chain of stages with only the treatments of the rule, gentle from stages 1 and 2 and strong from stages 3 to 5, and above each stage a bar for its value. The bars rise from 0.44 in stage 1 to 0.95 in stage 5."}} tags=["remove-input"]
values = world.policy_values(policy)[:5]
treatments = policy[:5].argmax(axis=1)
fig, ax = plt.subplots(figsize=(7.2, 2.9))
draw_clinic(ax, used=treatments, lost=False)
for s, (value, colour) in enumerate(zip(values, np.array(PALETTE)[treatments])):
    ax.bar(s, 2.2 * value, bottom=0.75, width=0.5, color=colour)
    ax.text(s, 0.8 + 2.2 * value, f"{value:.2f}", ha="center", va="bottom", weight="bold", color="#22272e")
ax.text(0.5, 2.3, "gentle", color=PALETTE[0], ha="center", weight="bold")
ax.text(2.35, 2.75, "strong", color=PALETTE[1], ha="center", weight="bold")
ax.set(xlim=(-0.6, 5.7), ylim=(-0.6, 3.2), title="Each stage nearer to recovery is worth more");

# %% tags=["remove-input"]
md(f"**What you should see.** About a half. In stage 5 a patient can expect a return of {values[4]:.2f}, and in stage 1 of {values[0]:.2f}. Each stage on the way "
   "costs a little less than a fifth of the value, partly for the weeks of waiting and partly for the danger. Discounting alone, with one week a stage, would leave "
   f"$0.9^4 = {0.9**4:.2f}$ of it.")

# %% tags=["remove-cell"]
assert 0.42 < values[0] / values[4] < 0.58
steps_cost = 1 - values[:-1] / values[1:]
assert (steps_cost > 0.14).all() and (steps_cost < 0.2).all()

# %% [markdown]
# ```{prf:definition} Policy, value, action value
# :label: def-value
# A **policy** $\pi(a \mid s)$ says with which probability each action is taken in each state. Its **value** is the expected
# return from $s$ on, $V^\pi(s) = \mathbb E_\pi[G \mid s_0 = s]$. Its **action value** is the same, if the first action is $a$:
# $Q^\pi(s, a) = \mathbb E_\pi[G \mid s_0 = s, a_0 = a]$.
# ```
#
# Where do the bars come from? Take the last one. In stage 5 the rule is strong. With probability 0.8 the patient recovers now, which is worth 1. With probability
# 0.02 the patient is lost, which is worth nothing. With probability 0.18 the patient stays, and next week stage 5 is worth what it is worth today, but a week later:

# %% tags=["remove-input"]
V4 = 0.8 * 0.9 * values[4] / (1 - 0.16 * 0.9)
md(rf"$$V(5) = 0.8 \cdot 1 + 0.18 \cdot 0.9\, V(5), \qquad\text{{so}}\qquad V(5) = \frac{{0.8}}{{1 - 0.162}} = {values[4]:.2f} .$$"
   "\n\nNow stage 4. With probability 0.8 the patient is in stage 5 next week, with probability 0.04 lost, and with probability 0.16 still in stage 4:\n\n"
   rf"$$V(4) = 0.8 \cdot 0.9\, V(5) + 0.16 \cdot 0.9\, V(4), \qquad\text{{so}}\qquad V(4) = {V4:.2f} .$$")

# %% [markdown]
# This goes on to stage 1. Each value is what this week brings, plus γ times the value of the state in which the patient is next week. For any policy:
#
# ```{math}
# :label: eq-bellman
# \begin{gathered}
# V^\pi(s) = \sum_a \pi(a \mid s)\, Q^\pi(s, a), \\
# Q^\pi(s, a) = \sum_{s'} P(s' \mid s, a)\,\bigl(r(s, a, s') + \gamma V^\pi(s')\bigr),
# \end{gathered}
# ```
#
# with $V = 0$ in a terminal state. This is **Bellman's equation**. It is one linear equation for each stage, with as many unknowns. If `P[s, after]` are the
# transition probabilities between the five stages under the policy, and `r[s]` is the reward that stage $s$ can expect this week, a linear solver finds all five values at once:

# %% tags=["remove-cell"]
drawn = policy[:, :, None] * world.transitions    # [state, action, next state]
P, r = drawn.sum(axis=1)[:5, :5], (drawn * world.rewards).sum(axis=(1, 2))[:5]
assert np.isclose(values[3], V4) and np.isclose(values[4], 0.8 / (1 - 0.162))

# %%
values = np.linalg.solve(np.eye(5) - discount * P, r)

# %% tags=["remove-cell"]
assert np.allclose(values, world.policy_values(policy)[:5])
# a patient is rewarded at most once, and with 1: so the squared return is a return with γ²
spread = np.sqrt(clinic(discount**2, risk).policy_values(policy)[0] - values[0] ** 2)
if (discount, risk) == (0.9, 0.1):
    assert round(spread / np.sqrt(100), 2) == 0.02 and round(spread / np.sqrt(1_600), 3) == 0.005

# %% [markdown]
# A simulation and two more computations lead to the same values [{ref}`checked <values-in-four-ways>`].
#
# ## Which treatment is best?
#
# ### Explore: be the doctor
#
# Now you are the doctor. With γ = 0.9, the rule of the last section is the best one that there is. The picture shows your five values as bars, in the colour of the
# treatment, and the best possible values as lines. Your rule is best when every bar reaches its line.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **With γ = 0.99, waiting costs next to nothing. From which stage on should the doctor treat strongly then?** Choose, then move γ, and look for the rule that reaches all lines.
#
# * From stage 1 on
# * From stage 3 on, as before
# * Never
# ```

# %% tags=["remove-cell"]
def action_values(world, values):
    target = world.rewards + world.discount * values
    return (world.transitions * target).sum(axis=2)[:5]

best = world.optimal_values()
Q = action_values(world, best)

stage_axis = Axis("stage", "stage", 1, 5, scale="linear", points=5)
gamma_slider = Slider("gamma", "discount γ", 0.5, 0.99, min(max(discount, 0.5), 0.99), points=50, steps=49, scale="linear",
                      low_end="impatient", high_end="patient")
risks = (0.05, 0.1, 0.2)
names = ("in every stage", *(f"from stage {s}" for s in range(2, 5)), "in stage 5", "never")
threshold = Choice("threshold", "you treat strongly", names, names[0], low_end="bold", high_end="careful")
risk_choice = Choice("danger", "danger in stage 1", tuple(f"{r:.0%}" for r in risks), "10%", low_end="safer", high_end="more dangerous")
yours, optimal = np.empty((3, 50, 6, 5)), np.empty((3, 50, 5))
for i, danger in enumerate(risks):
    for j, gamma in enumerate(gamma_slider.grid):
        one = clinic(gamma, danger)
        yours[i, j] = [one.policy_values(strong_from(k))[:5] for k in range(1, 7)]
        optimal[i, j] = one.optimal_values()[:5]
assert np.allclose(yours.max(axis=2), optimal)  # a threshold is enough, at every γ and risk

def best_from(gamma, danger):
    """The stage from which on strong is better; 6 for never."""
    one = clinic(gamma, danger)
    return 6 - (np.diff(action_values(one, one.optimal_values())) > 1e-12).sum()

assert [best_from(*setting) for setting in ((0.9, 0.1), (0.99, 0.1), (0.8, 0.1), (0.9, 0.05), (0.9, 0.2))] == [3, 6, 1, 1, 5]

strongly = np.array([strong_from(k)[:5, STRONG] for k in range(1, 7)])
over = risk_choice, gamma_slider, threshold
gently, boldly = (Table((*over, stage_axis), yours * used, scale="linear") for used in (1 - strongly, strongly))
behind = yours / optimal[:, :, None]
as_good = Table(over, (behind > 1 - 1e-9).sum(axis=-1), scale="linear")
at_worst = Table(over, np.round(100 * (1 - behind).max(axis=-1), 6), scale="linear")

# %% tags=["remove-input"]
explore(
    name="be_the_doctor", sliders=[risk_choice, threshold, gamma_slider], x=stage_axis, bars=True,
    y=Axis("value", "value of the stage", 0, 1, scale="linear"),
    curves=[Curve("yours, treated gently", gently), Curve("yours, treated strongly", boldly),
            Curve("the best possible", Table((risk_choice, gamma_slider, stage_axis), optimal, scale="linear"), reference=True)],
    readouts=[Readout("good", "stages in which yours is the best possible value", as_good, unit="of 5"),
              Readout("loss", "you lose, in the stage where it is most", at_worst, unit="%")],
    guarantee="You treat strongly {threshold}, at γ = {gamma} and a danger of {danger} in stage 1. Your value is the best possible in {good} of 5 stages. "
              "Where you lose most, you lose {loss} %.",
    alt="A bar for the value of each of the five stages if strong treatment is given {threshold}, at γ = {gamma} and a danger of {danger} in stage 1, and a line "
        "for the best possible value. In {good} of 5 stages the bar reaches the line.",
    caption="The value of a stage is its chance of recovery, discounted for the weeks it takes.")

# %% [markdown]
# **What you should see.** Never. If waiting costs next to nothing, not even the danger of 2 % in stage 5 is worth a week. At γ = 0.8 it is the other way round: strong is
# best in every stage. So the discount is not a technical constant. It decides about treatments, and so does the danger: at γ = 0.9, strong is best in every stage if the danger in
# stage 1 is 5 %, and only in stage 5 if it is 20 %.
#
# If the action is *chosen* instead of drawn, the mean over actions in {eq}`eq-bellman` becomes a maximum:
#
# ```{math}
# :label: eq-optimal
# \begin{gathered}
# V^*(s) = \max_a Q^*(s, a), \\
# Q^*(s, a) = \sum_{s'} P(s' \mid s, a)\,\bigl(r(s, a, s') + \gamma V^*(s')\bigr).
# \end{gathered}
# ```
#
# A policy that takes a best action in every state is best from *every* state at once, because it does not matter
# where a patient came from [{ref}`checked with all 32 policies <all-32-policies>`].
#
# ## Values from records
#
# So far we knew the transition probabilities. A clinic does not. It has **records** of its patients, and each record shows one return. The
# mean of the returns is an estimate of the value.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **With a hundred patients the typical error of the value of stage 1 is 0.02. You want 0.005. How many patients does it take?**
#
# * 400
# * 800
# * 1,600
# ```
#
# **The answer.** It takes 1,600. The typical error falls only with the *root* of the number of patients, so a quarter of the error takes sixteen times the patients. Four times
# the patients, 400, would halve it [{ref}`one clinic to follow, and many counted <error-of-clinics>`].
#
# This is **policy evaluation**. In {doc}`/chapters/02_policy_evaluation/index` the returns belong to real people, and the averages
# get noise.
#
# ## Learning by trial: Q-learning
#
# The *best* policy can be learnt without the transition probabilities, too. Keep a table of guesses $Q(s, a)$. Whenever action $a$ in state
# $s$ led to the reward $r$ and the state $s'$, move the guess a little towards what {eq}`eq-optimal` says it should be. How far it moves is the
# *learning rate* α:

# %%
def update(Q, state, action, reward, after, rate):
    target = reward + discount * max(Q[after])
    Q[state][action] += rate * (target - Q[state][action])

# %% [markdown]
# Let a coin decide every treatment. Then nothing learnt is ever used, and still the table learns which treatment is *best*. The target asks what the best next action is
# worth, whatever the coin will do next, and the coin tries everything again and again.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **For which stage does the table name the wrong treatment longest?**
#
# * Stage 1, where most is at risk
# * Stage 3, in the middle
# * Stage 5, where the reward is near
# ```

# %% tags=["remove-cell"]
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
assert wrong[1].argmax() == 2 == np.abs(truly).argmin() and (wrong[1] <= wrong[0] + 0.1).all()

# %% mystnb={"image": {"alt": "For each stage, what the strong treatment is worth more than the gentle one: a bar for the truth, below zero in stages 1 and 2 and above it in stages 3 to 5, and two clouds of dots, learnt after few weeks and after many. The early clouds spread over both sides of zero in stages 1 to 4. The late ones lie on one side, except in stage 3, where the truth is nearly zero."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.5))
jitter = np.random.default_rng(0).uniform(-0.07, 0.07, runs)
for at, (shift, colour) in enumerate(((-0.18, "#8b93a0"), (0.18, PALETTE[3]))):
    for s in range(5):
        ax.plot(s + 1 + shift + jitter, gains[:, at, s], ".", ms=5, color=colour)
    ax.text(4.2, -0.058 - 0.014 * at, f"{'●'} after {weeks[at]:,} weeks", color=colour, weight="bold")
ax.hlines(truly, np.arange(5) + 0.62, np.arange(5) + 1.38, color="#22272e", lw=2.5)
ax.axhline(0, color="#22272e", lw=0.8)
ax.text(1.45, truly[0], "truth", va="center", weight="bold", color="#22272e")
ax.text(0.5, 0.066, "strong seems better", color=PALETTE[1], weight="bold")
ax.text(0.5, -0.078, "gentle seems better", color=PALETTE[0], weight="bold")
ax.set(xlim=(0.45, 5.7), ylim=(-0.085, 0.08), xticks=range(1, 6), xlabel="stage", ylabel="Q(strong) − Q(gentle)",
       title="Mistakes last where the treatments are worth nearly the same");

# %% tags=["remove-input"]
md(f"**What you should see.** Stage 3. After {weeks[0]:,} weeks many dots are on the wrong side of zero. After {weeks[1]:,} weeks nearly all are on the right side, "
   f"but in stage 3 still {wrong[1, 2]:.0%} of the {runs} tables name the wrong treatment. There the two treatments are worth nearly the same, so a mistake is likely, and costs little. Being close to the danger or to "
   "the reward has nothing to do with it.")

# %% [markdown]
# How far to move the guess matters. A large constant rate learns fast and then trembles forever, and a rate that falls slowly settles down
# [{ref}`watch three rates learn <learning-rates>`]. The tables here use $\alpha = n^{-0.7}$ at the $n$-th visit.
#
# ## Learning from records alone
#
# A hospital cannot toss coins for its patients. It has a **log**: what its doctors did, and what came of it. From a log we learn about a
# treatment only as far as the log contains it. This is called **coverage**. And there is a trap, already with a single decision.
#
# ### Explore: how cautious?
#
# There are twenty treatments. Doctors mostly give the usual one, which cures 60 %. Most of the others are worse, and one cures 75 %. Together, what the doctors give cures 52 %. In a
# log of a hundred patients you choose the treatment with the best record. This record is nearly always perfect.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **Which share of new patients will the treatment with the best record really cure?**
#
# * 75 %
# * About 60 %
# * Less than half
# ```

# %% tags=["remove-cell"]
# the truth, which nobody knows
cures = np.append([0.60, 0.75], np.linspace(0.2, 0.55, 18))

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

def logged(m, usual, runs, rng):
    shares = np.append(usual, np.full(19, (1 - usual) / 19))
    counts = rng.multinomial(m, shares, size=runs)
    return counts, rng.binomial(counts, cures)

log = logged(100, 0.6, max(200, round(4000 * effort)), rng)
bold, careful = promise_and_cure(*log, 0), promise_and_cure(*log, 1)
assert round(mix_at_60 := 0.6 * cures[0] + 0.4 * cures[1:].mean(), 2) == 0.52
assert bold[0] > 0.9 and bold[1] < 0.5 and bold[1] < 0.6 < careful[1] + 0.03

log_slider = Slider("m", "patients in the log", 10, 1e5, 100, points=21, steps=20, low_end="short log", high_end="long log")
caution_slider = Slider("c", "pessimism c", 0, 2, 0, points=9, steps=8, scale="linear", low_end="trust every record", high_end="trust long records only")
usuals = (0.05, 0.3, 0.6, 0.9)
usual_choice = Choice("usual", "patients who got the usual treatment", tuple(f"{u:.0%}" for u in usuals), "60%",
                      low_end="all are tried", high_end="hardly any other")
promised, kept_word = np.empty((2, 4, 21, 9))
runs = max(100, round(1000 * effort))
for (i, usual), (j, m) in product(enumerate(usuals), enumerate(np.rint(log_slider.grid).astype(int))):
    counts, cured = logged(m, usual, runs, rng)
    for k, caution in enumerate(caution_slider.grid):
        promised[i, j, k], kept_word[i, j, k] = promise_and_cure(counts, cured, caution)
mix = [usual * cures[0] + (1 - usual) * cures[1:].mean() for usual in usuals]
over = usual_choice, log_slider, caution_slider
cured_table, promised_table = Table(over, kept_word), Table(over, promised)
if effort >= 1:                                                                  # what the answer says
    places = np.searchsorted(log_slider.grid, (99, 9_900))
    assert np.allclose(promised[2, places, 0], [0.99, 0.75], atol=0.01)
    assert np.allclose(kept_word[2, places, 0], [0.47, 0.75], atol=0.01)
    assert (kept_word[:, :, 3:] > np.array(mix)[:, None, None] - 0.01).all()   # c from 0.75 on

# %% tags=["remove-input"]
explore(
    name="pessimism", sliders=[caution_slider, log_slider, usual_choice], x=log_slider,
    y=Axis("cured", "share cured", 0.3, 1, scale="linear"),
    curves=[Curve("cured by the chosen treatment", cured_table), Curve("what its record promises", promised_table),
            Curve("the best treatment", constant(0.75), reference=True),
            Curve("what the doctors give", Table((usual_choice,), mix), reference=True)],
    readouts=[Readout("promise", "promised", promised_table), Readout("cured", "cured", cured_table)],
    guarantee="With c = {c} and {m} logged patients, {usual} of whom got the usual treatment, the chosen one promises {promise} and cures {cured}.",
    alt="Share cured by the chosen treatment, and the share that its record promises, against the length of the log, at c = {c}, if {usual} got the usual "
        "treatment. At {m} patients: promised {promise}, cured {cured}.",
    caption=f"Twenty treatments, one decision. The curves are means over {runs:,} random logs. One cures 75 %, the usual one 60 %, the others 20 to 55 %.")

# %% [markdown]
# **What you should see.** Less than half. At $c = 0$ and a hundred patients the best record promises 99 %, and the treatment cures 47 %. This is worse than what the
# doctors give. The best record belongs to a lucky treatment: it was tried two or three times, and happened to work each time.
#
# The remedy is **pessimism**. Judge a treatment by the *least* that its record makes plausible: the share of patients cured, minus
# $c/\sqrt n$, where $n$ is the number of patients who got it. Take $c = 1$. A treatment that cured 2 of 2 scores $1 - 1/\sqrt 2 = 0.29$. The usual one, which cured 36 of 60, scores
# $0.6 - 1/\sqrt{60} = 0.47$, and wins. From $c = 0.75$ on, the choice is never worse than what the doctors give.

# %% tags=["remove-input"]
reached = [log_slider.grid[np.argmax(kept_word[2, :, k] > 0.73)] for k in np.searchsorted(caution_slider.grid, (0.5, 2))]
md("Too much caution has its price. If 60 % of the patients got the usual treatment, the choice cures more than 73 % once the log has about "
   f"{reached[0]:,.0f} patients at $c = 0.5$, and about {reached[1]:,.0f} at $c = 2$ [{{ref}}`why this penalty <pessimism-checked>`].")

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
# Four more questions are {ref}`behind this page <quiz-values>`.
#
# ## To take away
#
# * A Markov decision process has states, actions, transition probabilities, rewards and a discount. The state must hold everything of the past that matters.
# * A value is an expected return. Values solve Bellman's equation, and can also be estimated by averaging records. The error of an average of $m$ patients falls like $1/\sqrt m$.
# * Q-learning finds the best policy by trial, while following another one.
# * A log teaches only what it covers. Elsewhere, be pessimistic.
# * Values, Q-tables, policies and counts are functions of *people's data*.
#
# Further reading: {cite:t}`sutton2018`, the textbook, chapters 3 to 6; {cite:t}`gottesman2019`, what to ask of reinforcement learning before it comes
# near a patient. Next: {doc}`02_a_promise`.
