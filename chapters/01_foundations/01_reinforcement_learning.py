# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Reinforcement learning in one clinic: seven states, what a stage of the illness is worth, and which
#         treatment is best.'
# ---

# %% [markdown]
# # Reinforcement learning, in one clinic
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Week by week a patient recovers, stays ill or is lost, and each week a doctor chooses a treatment. Which choices
#   are good?
# * **The answer.** Find out what each stage of the illness is worth. Then choose the treatment that leads to what is worth most.
# * **What you need.** Averages and a little probability.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2026         # all randomness comes from here
discount = 0.9
risk = 0.1          # of the strong treatment, in stage 1

# %% tags=["remove-cell"]
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore
from privrl_core.world import clinic, sample_episodes, strong_from

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## A clinic with seven states
#
# A patient is in one of five stages of an illness. Stage 1 is the worst, and after stage 5 the patient has *recovered*. Together with *recovered* and *lost* these are seven states. Each week a
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

# %% mystnb={"image": {"alt": "Seven boxes: stages 1 to 5 in a row, then recovered, and lost below them. Gentle and strong arrows lead from each stage to the next; dashed ones, strong, lead down to lost, with probabilities that fall from 0.1 in stage 1 to 0.02 in stage 5."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.9))
draw_clinic(ax)
ax.text(0.5, 0.62, "gentle: ½", color=PALETTE[0], ha="center", weight="bold")
ax.text(4.5, -0.7, "strong: 0.8", color=PALETTE[1], ha="center", weight="bold")
dangers = [world.transitions[s, STRONG, LOST] for s in range(5)]
assert np.allclose(dangers, risk * np.array([1, 0.8, 0.6, 0.4, 0.2]))
for s, danger in enumerate(dangers):
    ax.text(s + 0.5 * (2.0 + 0.12 * (s - 2) - s), -0.92, f"{danger:g}", color=PALETTE[1], ha="center", va="center", weight="bold", fontsize=9,
            bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none"})
ax.set(xlim=(-0.6, 5.7), ylim=(-2.1, 0.85), title="The strong treatment is faster, and more dangerous");

# %% [markdown]
# A patient who does not move stays in the same stage for another week.
#
# ## What is a patient's course worth?
#
# A doctor of this clinic follows a rule: *gentle in stages 1 and 2, strong from stage 3 on*. Here are three of the doctor's patients. Each square is a
# week, with the stage in which the patient was.

# %% tags=["remove-cell"]
seen = sample_episodes(world, policy, 2_000, rng)
last = seen.states[np.arange(2_000), seen.lengths]

def first_patient(weeks, end):
    return int(np.flatnonzero((seen.lengths == weeks) & (last == end))[0])

three = [first_patient(7, RECOVERED), first_patient(12, RECOVERED), first_patient(8, LOST)]

# %% mystnb={"image": {"alt": "Three rows of squares, one for each week of a patient, with the number of the stage and the colour of the treatment. The first patient recovers in the seventh week and has a return of 0.53, the second in the twelfth and has 0.31, the third is lost in the eighth week and has 0."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.3))
for row, k in enumerate(three):
    weeks = int(seen.lengths[k])
    ax.text(-0.75, row, "ABC"[row], ha="right", va="center", weight="bold", color="#22272e")
    for week in range(weeks):
        ax.add_patch(plt.Rectangle((week - 0.46, row - 0.36), 0.92, 0.72, color=PALETTE[seen.actions[k, week]], lw=0))
        ax.text(week, row, f"{seen.states[k, week] + 1}", ha="center", va="center", color="white", weight="bold", fontsize=9)
    end = rf"recovered:  $0.9^{{{weeks - 1}}}$ = {0.9 ** (weeks - 1):.2f}" if last[k] == RECOVERED else "lost:  0"
    ax.text(weeks - 0.3, row, end, va="center", color="#22272e")
ax.text(0, -0.72, "gentle", color=PALETTE[0], weight="bold", ha="center")
ax.text(1.6, -0.72, "strong", color=PALETTE[1], weight="bold", ha="center")
ax.set(xlim=(-1.4, 15.6), ylim=(2.5, -1.0))
ax.axis("off")
ax.set_title("Three patients, week by week, and what each course is worth");

# %% [markdown]
# A recovery brings the **reward** 1, and nothing else brings a reward. But sooner is better: each week of waiting multiplies the reward by a **discount** γ. Here γ = 0.9. Patient A
# waited for six weeks and recovered in the seventh, which is worth $0.9^6 = 0.53$. Patient B waited for eleven weeks, which leaves $0.9^{11} = 0.31$. Patient C was lost, which is worth nothing. In general,
# the rewards $r_0, r_1, r_2, \dots$ of all weeks, each discounted for its waiting time, add up to a patient's **return**:
#
# $$G = r_0 + \gamma r_1 + \gamma^2 r_2 + \dots$$
#
# These are the parts of a model that has a name. It leaves open in which state a patient starts, which may be random:
#
# ```{prf:definition} Markov decision process
# :label: def-mdp
# A **Markov decision process** (MDP) has *states* $s$, *actions* $a$, *transition probabilities* $P(s' \mid s, a)$ of the next state, a
# bounded *reward* $r(s, a, s')$ for each transition, a *discount* $0 \le \gamma < 1$ and a distribution of the first state. An
# **episode** begins in a first state and ends when it enters a *terminal* state.
# ```
#
# *Markov* means that the next state depends on the present state and on the action, and on nothing before. If the past matters, as with a drug that was given last
# week, it must be part of the state.
#
# ## What is a stage worth?
#
# The doctor's rule is called a **policy**. The **value** of a stage under a policy is the mean return of very many patients who start from this stage.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Stage 5 is one step away from recovery, and stage 1 is five steps away. **How much of the value of stage 5 is left in stage 1?**
#
# * Nine tenths
# * About a half
# * About a tenth
# ```

# %% mystnb={"image": {"alt": "The chain of stages with only the treatments of the rule, gentle from stages 1 and 2 and strong from stages 3 to 5, and above each stage a bar for its value. The bars rise from 0.443 in stage 1 to 0.955 in stage 5."}} tags=["remove-input"]
values = world.policy_values(policy)[:5]
treatments = policy[:5].argmax(axis=1)
fig, ax = plt.subplots(figsize=(7.2, 2.9))
draw_clinic(ax, used=treatments, lost=False)
for s, (value, colour) in enumerate(zip(values, np.array(PALETTE)[treatments])):
    ax.bar(s, 2.2 * value, bottom=0.75, width=0.5, color=colour)
    ax.text(s, 0.8 + 2.2 * value, f"{value:.3f}", ha="center", va="bottom", weight="bold", color="#22272e")
ax.text(0.5, 2.3, "gentle", color=PALETTE[0], ha="center", weight="bold")
ax.text(2.35, 2.75, "strong", color=PALETTE[1], ha="center", weight="bold")
ax.set(xlim=(-0.6, 5.7), ylim=(-0.6, 3.2), title="Each stage nearer to recovery is worth more");

# %% tags=["remove-input"]
md(f"**What you should see.** About a half. The value of stage 5 is {values[4]:.3f}, and that of stage 1 is {values[0]:.3f}. Each stage on the way "
   f"costs {100 * (1 - values[:-1] / values[1:]).min():.0f} to {100 * (1 - values[:-1] / values[1:]).max():.0f} % of the value, partly for the weeks of waiting and partly for the danger. Discounting alone, with one week a stage, would leave "
   f"$0.9^4 = {0.9**4:.2f}$ of it.")

# %% tags=["remove-cell"]
assert 0.42 < values[0] / values[4] < 0.58
assert (discount, risk) != (0.9, 0.1) or (round(values[0], 3), round(values[4], 3)) == (0.443, 0.955)   # the picture's alternative text
steps_cost = 1 - values[:-1] / values[1:]
assert (steps_cost > 0.14).all() and (steps_cost < 0.2).all()

# %% [markdown]
# Each value follows from one equation. Start at the last one. In stage 5 the rule is strong, and three things can happen this week:
#
# 1. With probability 0.8 the patient recovers now. This is worth 1.
# 2. With probability 0.02 the patient is lost. This is worth nothing.
# 3. With probability 0.18 the patient stays. Then next week is like today, and worth $V(5)$, but a week later: $0.9\, V(5)$.

# %% tags=["remove-input"]
V4 = 0.8 * 0.9 * values[4] / (1 - 0.16 * 0.9)
md(rf"$$\begin{{gathered}} V(5) = 0.8 \cdot 1 + 0.18 \cdot 0.9\, V(5), \\ \text{{so}}\quad V(5) = \frac{{0.8}}{{1 - 0.162}} = {values[4]:.3f} . \end{{gathered}}$$"
   "\n\nNow stage 4. With probability 0.8 the patient is in stage 5 next week, with probability 0.04 lost, and with probability 0.16 still in stage 4:\n\n"
   rf"$$\begin{{gathered}} V(4) = 0.8 \cdot 0.9\, V(5) + 0.16 \cdot 0.9\, V(4), \\ \text{{so}}\quad V(4) = \frac{{0.72 \cdot {values[4]:.3f}}}{{1 - 0.144}} = {V4:.2f} . \end{{gathered}}$$")

# %% [markdown]
# This goes on down to stage 1. Every value is what this week brings on average, plus γ times the mean value of the state in which the patient is next week. This is
# **Bellman's equation**, with $V = 0$ for *recovered* and *lost*. There is one such equation for each stage, and all are linear. As a vector, the five values are $V = r + \gamma P V$, where $r$ has the mean reward of this week in each stage, and the matrix $P$ the
# transition probabilities between the five stages under the rule. Hence $(I - \gamma P)\, V = r$, and a linear solver finds all five values at once:

# %% tags=["remove-cell"]
drawn = policy[:, :, None] * world.transitions    # [state, action, next state]
P, r = drawn.sum(axis=1)[:5, :5], (drawn * world.rewards).sum(axis=(1, 2))[:5]
assert np.isclose(values[3], V4) and np.isclose(values[4], 0.8 / (1 - 0.162))

# %%
values = np.linalg.solve(np.eye(5) - discount * P, r)

# %% tags=["remove-cell"]
assert np.allclose(values, world.policy_values(policy)[:5])

# %% [markdown]
# A simulation leads to the same values [{ref}`and so do two more ways <values-in-four-ways>`].
#
# ## Which treatment is best?
#
# In stage 1 strong treatment moves up 80 in 100 patients each week, and not 50. But it loses 10 in 100.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Would strong be better in stage 1, too?** Let the doctor give it there *this week only*, and follow the rule afterwards.
#
# * yes, speed wins
# * no, but it is close
# * no, it costs half of the value
# ```

# %% tags=["remove-input"]
strong_now = 0.8 * 0.9 * values[1] + 0.1 * 0.9 * values[0]
assert (discount, risk) != (0.9, 0.1) or round(0.72 * round(values[1], 3) + 0.09 * round(values[0], 3), 2) == round(strong_now, 2) < round(values[0], 3) - 0.01
assert (discount, risk) != (0.9, 0.1) or strong_now > 0.95 * values[0]
md(f"**The answer.** No, but it is close. With probability 0.8 the patient is in stage 2 next week, and with probability 0.1 still in stage 1. So strong treatment is worth $0.8 \\cdot 0.9\\, V(2) + 0.1 \\cdot 0.9\\, V(1) = 0.72 \\cdot {values[1]:.3f} + 0.09 \\cdot {values[0]:.3f} = {strong_now:.2f}$. The rule gives $V(1) = {values[0]:.3f}$, which is more. So the doctor stays gentle.")

# %% [markdown]
# The value of this detour is called $Q(1, \text{strong})$. Comparing $Q$ with $V$ in every stage shows whether a policy can be improved:
#
# ```{prf:definition} Policy, value, action value
# :label: def-value
# A **policy** $\pi(a \mid s)$ says with which probability each action is taken in each state. Its **value** is the expected
# return from $s$ on, $V^\pi(s) = \mathbb E_\pi[G \mid s_0 = s]$. Its **action value** $Q^\pi(s, a)$ is the expected return if the first action
# is $a$, and the policy decides afterwards.
# ```
#
# With them, Bellman's equation for every policy has two lines. The first is the mean over the actions, the second the one over what comes next:
#
# ```{math}
# :label: eq-bellman
# \begin{gathered}
# V^\pi(s) = \sum_a \pi(a \mid s)\, Q^\pi(s, a), \\
# Q^\pi(s, a) = \sum_{s'} P(s' \mid s, a)\,\bigl(r(s, a, s') + \gamma V^\pi(s')\bigr).
# \end{gathered}
# ```
#
# ### Explore: be the doctor
#
# Now you are the doctor, and choose from which stage on you treat strongly. The picture shows your five values as bars, in the colour of the
# treatment, and the best possible values as lines. Your rule is best if every bar reaches its line. At the start, γ = 0.9 and strong *from stage 3*, all five do.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **With γ = 0.99, waiting costs next to nothing. From which stage on should the doctor treat strongly then?** Choose, then move γ, and look for the rule that reaches all lines.
#
# * From stage 1
# * From stage 3, as before
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
names = (*(f"from stage {s}" for s in range(1, 6)), "never")
threshold = Choice("threshold", "strong treatment", names, names[2], low_end="from stage 1", high_end="never")
risk_choice = Choice("danger", "danger in stage 1", tuple(f"{100 * r:.0f} %" for r in risks), "10 %", low_end="safer", high_end="more dangerous")
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
              Readout("loss", "largest loss in any stage", at_worst, unit="%")],
    guarantee="Strong treatment: {threshold}, at γ = {gamma} and a danger of {danger} in stage 1.",
    alt="A bar for the value of each of the five stages with strong treatment {threshold}, at γ = {gamma} and a danger of {danger} in stage 1, and a line "
        "for the best possible value. In {good} of 5 stages the bar reaches the line.",
    caption="The value of a stage is its chance of recovery, discounted for the weeks it takes. The danger in the other stages grows and shrinks with that in stage 1.")

# %% [markdown]
# **What you should see.** Never. If waiting costs next to nothing, the doctor should not take even the danger of 2 % in stage 5 to save a week. At γ = 0.8 it is the other way round: waiting is so costly that strong is
# best in every stage. So the discount is not a technical constant. It decides about treatments. The danger decides as well: at γ = 0.9, strong is best in every stage if the danger in
# stage 1 is 5 %, and only in stage 5 if it is 20 %.
#
# How did we find the lines? The best doctor takes, in every stage, the action with the largest action value. So the mean over actions in {eq}`eq-bellman` becomes a maximum:
#
# ```{math}
# :label: eq-optimal
# \begin{gathered}
# V^*(s) = \max_a Q^*(s, a), \\
# Q^*(s, a) = \sum_{s'} P(s' \mid s, a)\,\bigl(r(s, a, s') + \gamma V^*(s')\bigr).
# \end{gathered}
# ```
#
# A policy that takes a best action in every state is best from *every* state at once, because what is still to come depends on the present state alone
# [{ref}`checked with all 32 policies <all-32-policies>`].
#
# We found these values because we knew the transition probabilities. A clinic does not know them. It has patients, and has to learn from them. The next page,
# {doc}`01_values_from_records`, shows how.
#
# ## Check yourself
#
# **1. In stage 5, gentle treatment leads to recovery with probability one half, and otherwise the patient stays. What is the value of stage 5, if the doctor always treats gently there, at γ = 0.9?**
#
# ```{dropdown} 0.5
# That counts only the patients who recover this week. The others are treated again next week, and the week after.
# ```
# ```{dropdown} 0.5 + 0.5 · 0.9 = 0.95
# That lets all others recover next week. But half of them stay once more. This is why $V$ stands on both sides of Bellman's equation.
# ```
# ```{dropdown} 0.5 / (1 − 0.45) = 0.91
# ✓ Right. $V = 0.5 \cdot 1 + 0.5 \cdot 0.9\, V$, solved for $V$. Strong treatment gives 0.955 there.
# ```
#
# **2. Why does a doctor with γ = 0.99 treat more carefully than one with γ = 0.9?**
#
# ```{dropdown} Because a recovery is worth less.
# A recovery in ten weeks is worth more at γ = 0.99 than at γ = 0.9, because waiting takes less from it.
# ```
# ```{dropdown} Because waiting costs less, while a lost patient costs as much as before.
# ✓ Right. Strong treatment buys time with danger. At γ = 0.99 time is nearly free, so the danger is not worth it.
# ```
# ```{dropdown} Because strong treatment is more dangerous at γ = 0.99.
# The transition probabilities are those of the illness. The discount does not change them. It changes what weeks are worth.
# ```
#
# More questions are {ref}`behind this page <quiz-values>`.
#
# ## To take away
#
# * A Markov decision process has states, actions, transition probabilities, rewards and a discount. The state must hold everything of the past that matters.
# * A return is what one patient's course is worth. A value is an expected return.
# * Bellman's equation: a value is what this week brings on average, plus γ times the mean value of the next state.
# * The best policy takes the action with the largest action value in every state. Which one this is depends on the discount and on the dangers.
#
# Further reading: {cite:t}`sutton2018`, the textbook, chapters 3 and 4. Next: {doc}`01_values_from_records`.

# %% tags=["remove-cell"]
# what the answers above say
assert round(0.5 / (1 - 0.45), 2) == 0.91 and round(world.policy_values(policy)[4], 3) == 0.955
