# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Reinforcement learning in one sitting: a world of seven states, values computed in four ways,
#         learning by trial and from old records.'
# ---

# %% [markdown]
# # Reinforcement learning, in one sitting
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A patient gets worse or better, week by week, and each week somebody decides. Which decisions
#   are good, and how does one find out?
# * **What you will see.** A world of seven states; what a treatment is worth there, computed in four ways; how to
#   learn it from patients, by trial, and from old records alone. Each definition has a picture that you can move.
# * **What you need.** Averages, a little probability, a little Python.
# * **What it is for.** All other chapters: they ask what such learning gives away about the people it learnt from.
# * **How long.** About 45 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2026         # all randomness comes from here
discount = 0.9
risk = 0.1          # of the strong treatment, in stage 1

# %% tags=["hide-input"]
from bisect import bisect
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.stats import binom

from privrl_core.policy_evaluation import first_visit_statistics
from privrl_core.world import (
    FiniteMDP, binary_action_behaviour, binary_action_linear_mdp, icu_sepsis, middle_reward,
    nodes, optimal_return, policy_return, recovery_chain, sample_episodes)
from privrl_core.pages.explorer import (
    Axis, Choice, Curve, Readout, Slider, Table, constant, explore)
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## A world, and somebody who decides in it
#
# A patient is in one of five stages of an illness. Stage 1 is the worst; after stage 5 comes *recovered*. Each week a
# doctor chooses one of two treatments:
#
# * **gentle**: with probability one half the patient moves up a stage, otherwise nothing changes;
# * **strong**: the patient moves up with probability 0.8, but may be *lost*. The weaker the patient, the greater the
#   danger: 10 % in stage 1, then 8, 6, 4 and 2 %.

# %% mystnb={"image": {"alt": "Seven circles: stages 1 to 5 in a row, then recovered, and lost below them. Gentle and strong arrows lead from each stage to the next; dashed ones, strong, lead down to lost, the thickest from stage 1."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.0))
places = {s: (s, 0.0) for s in range(6)} | {6: (2.0, -1.75)}
for s, (x, y) in places.items():
    name = {5: "recovered", 6: "lost"}.get(s, f"stage {s + 1}")
    ax.text(
        x,
        y,
        name,
        ha="center",
        va="center",
        fontsize=9,
        color="#22272e",
        zorder=3,
        bbox={"boxstyle": "round,pad=0.5", "fc": "#eef1f4", "ec": "#4a5058"},
    )
for s in range(5):
    for bend, colour in ((-0.35, PALETTE[0]), (0.35, PALETTE[1])):
        ax.annotate(
            "",
            (s + 0.97, 0.2 * np.sign(-bend)),
            (s + 0.03, 0.2 * np.sign(-bend)),
            arrowprops={"arrowstyle": "->", "color": colour, "lw": 1.8, "connectionstyle": f"arc3,rad={bend}"},
        )
    ax.annotate(
        "",
        (2.0 + 0.12 * (s - 2), -1.55),
        (s, -0.27),
        arrowprops={"arrowstyle": "->", "color": PALETTE[1], "lw": 2.4 - 0.4 * s, "ls": (0, (3, 2))},
    )
ax.text(0.5, 0.62, "gentle: ½", color=PALETTE[0], ha="center")
ax.text(4.5, -0.7, "strong: 0.8", color=PALETTE[1], ha="center")
ax.text(0.1, -1.05, f"strong: {risk:g}", color=PALETTE[1], ha="center")
ax.set(
    xlim=(-0.6, 5.7), ylim=(-2.1, 0.85), title="Two treatments, and where they lead (whoever does not move stays)"
)
ax.axis("off");

# %% [markdown]
# ```{prf:definition} Markov decision process
# :label: def-mdp
# A **Markov decision process** (MDP) has *states* $s$, *actions* $a$, a *law* $P(s' \mid s, a)$ of the next state, a
# bounded *reward* $r(s, a, s')$ for each transition, a *discount* $0 \le \gamma < 1$ and a law of the first state. An
# **episode** begins with a first state and ends on entering a *terminal* one. ($\gamma = 1$ will do where every policy
# ends.)
# ```
#
# *Markov* means: the next state depends on the present one and on the action, and on nothing before. That is a
# claim about the description, not about nature. If the past matters, as with a drug that was given last week, it
# must be part of the state.
#
# Here the reward is 1 on entering *recovered*, else 0. In code an MDP is two arrays, indexed by state, action and
# next state:

# %%
GENTLE, STRONG, RECOVERED, LOST = 0, 1, 5, 6

def clinic(discount, risk):
    transitions, rewards = np.zeros((2, 7, 2, 7))
    for s in range(5):
        danger = risk * (5 - s) / 5
        transitions[s, GENTLE, [s, s + 1]] = 0.5, 0.5
        transitions[s, STRONG, [s, s + 1, LOST]] = 0.2 - danger, 0.8, danger
    ends = [RECOVERED, LOST]
    transitions[ends, :, ends] = 1                    # nothing moves any more
    rewards[:5, :, RECOVERED] = 1
    return FiniteMDP(transitions, rewards, discount, initial=np.eye(7)[0],
                     terminal=np.arange(7) >= RECOVERED)

world = clinic(discount, risk)

# %% [markdown]
# ## What is worth more: soon, or much?
#
# A patient's **return** is the sum of the rewards, where each week of waiting multiplies a reward by $\gamma$. What
# this week brings counts in full:
#
# $$G = r_0 + \gamma r_1 + \gamma^2 r_2 + \dots$$

# %%
def discounted_return(rewards, discount):
    return sum(discount**k * reward for k, reward in enumerate(rewards))

one_patient = [0, 0, 0, 0, 0, 0, 1]       # six weeks of waiting, then recovered
assert np.isclose(discounted_return(one_patient, discount), discount**6)
discounted_return(one_patient, discount)

# %% [markdown]
# ### Explore: how far ahead does γ look?
#
# *At γ = 0.9, after how many weeks is a recovery worth half? Which γ makes it half a year, 26 weeks?*

# %% tags=["hide-input"]
gamma_slider = Slider(
    "gamma",
    "discount γ",
    0.5,
    0.99,
    min(max(discount, 0.5), 0.99),
    points=50,
    steps=49,
    scale="linear",
    low_end="impatient",
    high_end="far-sighted",
)
week = Axis("week", "weeks of waiting for the reward", 0, 40, scale="linear", points=41)
worth = Table.of(lambda gamma, week: gamma**week, gamma_slider, week)
explore(
    name="discounting",
    sliders=[gamma_slider],
    x=week,
    y=Axis("worth", "worth today", 0, 1, scale="linear"),
    curves=[Curve("a reward of 1, so many weeks ahead", worth), Curve("half of it", constant(0.5), reference=True)],
    readouts=[
        Readout(
            "half",
            "worth half after",
            Table.of(lambda gamma: np.log(0.5) / np.log(gamma), gamma_slider),
            unit="weeks",
        ),
        Readout(
            "horizon",
            "a reward of 1 every week, for ever, is worth",
            Table.of(lambda gamma: 1 / (1 - gamma), gamma_slider),
        ),
    ],
    guarantee="With γ = {gamma} a reward of 1 every week is worth 1 + γ + γ² + … = 1/(1 − γ) = {horizon}, as much as "
              "{horizon} weeks in full: so far ahead one looks.",
    alt="The worth today of a reward against the weeks until it comes, at γ = {gamma}: a curve that falls from 1 "
        "and is at one half "
        "after {half} weeks.",
    caption="What waiting costs.",
)

# %% [markdown]
# ```{dropdown} What one finds
# Half after 6.6 weeks. For half a year it takes $\gamma = 0.5^{1/26} \approx 0.974$.
# ```
#
# ## A policy, and what it is worth
#
# ```{prf:definition} Policy, value, action value
# :label: def-value
# A **policy** $\pi(a \mid s)$ says with which probability each action is taken in each state. Its **value** is the
# return that one can expect from $s$ on, and its **action value** the same if the first action is $a$:
#
# $$
# \begin{gathered}
# V^\pi(s) = \mathbb E_\pi[G \mid s_0 = s], \\
# Q^\pi(s, a) = \mathbb E_\pi[G \mid s_0 = s, a_0 = a].
# \end{gathered}
# $$
# ```
#
# An example, to be used for a while: *gentle in stages 1 and 2, strong from stage 3 on*.

# %%
def strong_from(stage):
    policy = np.zeros((7, 2))
    policy[:, GENTLE] = np.arange(1, 8) < stage
    policy[:, STRONG] = 1 - policy[:, GENTLE]
    return policy

policy = strong_from(3)

# %% [markdown]
# How does one find the values? A patient who is in stage 2 today gets what this week brings, and next week is in
# some stage again, from where things go on as they always do. So
#
# ```{math}
# :label: eq-bellman
# \begin{gathered}
# V^\pi(s) = \sum_a \pi(a \mid s)\, Q^\pi(s, a), \\
# Q^\pi(s, a) = \sum_{s'} P(s' \mid s, a)\,(r + \gamma V^\pi(s')),
# \end{gathered}
# ```
#
# where $r = r(s, a, s')$, and $V = 0$ once it is over. This is **Bellman's equation**: put the second line into the
# first, and there is one linear equation for each state, in as many unknowns. In matrices
# $V = r_\pi + \gamma P_\pi V$, so that $V = (I - \gamma P_\pi)^{-1} r_\pi$, where $P_\pi$ and $r_\pi$ are the law and the
# expected reward if the policy draws the action. For the five stages:

# %%
drawn = policy[:, :, None] * world.transitions          # [state, action, next state]
P_pi = drawn.sum(axis=1)
r_pi = (drawn * world.rewards).sum(axis=(1, 2))
by_solving = np.linalg.solve(np.eye(5) - discount * P_pi[:5, :5], r_pi[:5])

# %% [markdown]
# A result that matters should be found in a second way. Here are three more. The core's `policy_values` does the
# same for any MDP. On this chain there is a **closed form**: next week a patient is a stage further up, or where they
# were, or lost, so that
# $V(s) = \gamma p_{\text{up}} V(s + 1) + \gamma p_{\text{stay}} V(s)$. Solved for $V(s)$, each stage on the way costs a
# factor $g = \gamma p_{\text{up}}/(1 - \gamma p_{\text{stay}})$ (from stage 5 it is $g/\gamma$, since the reward itself
# does not have to wait). And one can simply *try*: send patients through the world and average their returns.

# %%
by_core = world.policy_values(policy)[:5]

danger = risk * np.arange(5, 0, -1) / 5
up, stay = np.where(policy[:5, STRONG] == 1, [[0.8] * 5, 0.2 - danger], 0.5)
steps_up = discount * up / (1 - discount * stay)
in_closed_form = np.cumprod(steps_up[::-1])[::-1]
in_closed_form /= discount

n_patients = max(2_000, round(100_000 * effort))
patients = sample_episodes(world, policy, n_patients, rng)
seen = first_visit_statistics(patients, 7, discount)
by_trying = (seen.return_sums / np.maximum(seen.visits, 1))[:5]

assert np.allclose(by_solving, by_core)
assert np.allclose(by_core, in_closed_form)
squares = clinic(discount**2, risk).policy_values(policy)[:5]
variance = squares - by_core**2                               # of one return
errors = np.sqrt(variance / seen.visits[:5])
assert (abs(by_trying - by_core) < 5.5 * errors).all()

stages = [f"stage {s}" for s in range(1, 6)]
pd.DataFrame({"solving": by_solving, "the core": by_core,
              "closed form": in_closed_form,
              f"{n_patients:,} patients": by_trying},
             index=stages).T.style.format("{:.4f}")

# %% [markdown]
# Three rows agree to the last digit, the fourth to two or three. (The variance in the cell above uses a small trick:
# a patient is rewarded at most once, and with 1, so that the *squared* return is again a return, with $\gamma^2$ in place
# of $\gamma$. With several rewards it would not be. And 5.5 standard errors, here and below: by chance alone an average
# is farther off once in 26 million times.)
#
# ### Explore: how the news travels
#
# There is a fifth way. Start with $V = 0$ everywhere and put that into the right-hand side of {eq}`eq-bellman`; put
# what comes out in again; and so on. *After one sweep, who knows of the reward? How many sweeps does it take for
# stage 1 to hear of it, and how many until the error is below 0.01? The bound promises a factor γ a sweep; why is
# it so much faster here?*

# %% tags=["hide-input"]
stage_axis = Axis("stage", "stage", 1, 5, scale="linear", points=5)
sweep_slider = Slider(
    "sweeps",
    "sweeps",
    0,
    40,
    3,
    points=41,
    steps=40,
    scale="linear",
    low_end="know nothing",
    high_end="know it all",
)
gammas = (0.5, 0.8, 0.9, 0.95, 0.99)
gamma_choice = Choice("gamma", "discount γ", gammas, 0.9, low_end="impatient", high_end="far-sighted")

after, settled = [], []
for gamma in gammas:
    sweeps = [np.zeros(5)]
    for _ in range(40):
        sweeps.append(r_pi[:5] + gamma * P_pi[:5, :5] @ sweeps[-1])
    after.append(sweeps)
    settled.append(clinic(gamma, risk).policy_values(policy)[:5])
after, settled = np.array(after), np.array(settled)
missing = np.abs(settled[:, None] - after).max(axis=2)
shrinks = np.array(gammas)[:, None] ** np.arange(41) * settled.max(axis=1, keepdims=True)
assert (missing <= shrinks + 1e-12).all()  # each sweep takes at least a factor γ off the error

explore(
    name="sweeps",
    sliders=[sweep_slider, gamma_choice],
    x=stage_axis,
    y=Axis("value", "value", 0, 1, scale="linear"),
    curves=[
        Curve("value after so many sweeps", Table((gamma_choice, sweep_slider, stage_axis), after, scale="linear")),
        Curve(
            "the solution of Bellman's equation",
            Table((gamma_choice, stage_axis), settled, scale="linear"),
            reference=True,
        ),
    ],
    readouts=[
        Readout("missing", "largest error", Table((gamma_choice, sweep_slider), missing, scale="linear")),
        Readout(
            "bound",
            "it is at most γᵏ times the largest value",
            Table((gamma_choice, sweep_slider), shrinks, scale="linear"),
        ),
    ],
    guarantee="After {sweeps} sweeps at γ = {gamma} the error is {missing}, and it can be no larger than {bound}.",
    alt="Values of the five stages after {sweeps} sweeps, below those that solve Bellman's equation at γ = "
        "{gamma}; the largest "
        "error is {missing}.",
    caption="Values of “strong from stage 3 on”, in sweeps from zero. News of the reward moves one stage a sweep.",
)

# %% [markdown]
# ```{dropdown} What one finds
# After one sweep only stage 5 knows. Stage 1 hears after five, and after twelve the error is below 0.01 (γ = 0.9);
# at γ = 0.99 after fourteen. The bound has to hold for worlds that go on for ever. Here it is over after 7.4 weeks on
# average, even from stage 1, and what is left to come fades with those who are still ill.
# ```

# %% tags=["hide-input"]
# what the answer says; the weeks t of a patient solve t = 1 + P t
small = clinic(0.9, 0.1)
moves = (policy[:, :, None] * small.transitions).sum(axis=1)[:5, :5]
assert round(np.linalg.solve(np.eye(5) - moves, np.ones(5))[0], 1) == 7.4

# %% [markdown]
# ## The best policy
#
# If the action is *chosen* instead of drawn, the mean over actions becomes a maximum:
#
# ```{math}
# :label: eq-optimal
# \begin{gathered}
# V^*(s) = \max_a Q^*(s, a), \\
# Q^*(s, a) = \sum_{s'} P(s' \mid s, a)\,(r + \gamma V^*(s')).
# \end{gathered}
# ```
#
# A policy that takes a best action in every state is best from *every* state at once. That is not obvious (why
# should the best for stage 1 be best for stage 4?), and it is due to the Markov property: where one came from does
# not matter. (Where only a fixed number of steps is left, as in chapter 4, the step must be a part of the state.) With two
# treatments in five stages we can afford to check all 32 policies:

# %%
best = world.optimal_values()

def action_values(world, values):
    target = world.rewards + world.discount * values
    return (world.transitions * target).sum(axis=2)[:5]

Q = action_values(world, best)
everyone = []
for choice in product((GENTLE, STRONG), repeat=5):
    one = np.eye(2)[list(choice) + [GENTLE] * 2]
    everyone.append(world.policy_values(one)[:5])
assert np.allclose(np.max(everyone, axis=0), best[:5])   # each stage's best
behind = np.max(best[:5] - everyone, axis=1)
assert np.isclose(behind.min(), 0)                       # is one policy's

table = pd.DataFrame(Q, columns=["gentle", "strong"], index=stages).round(3)
table["best"] = np.where(Q[:, STRONG] > Q[:, GENTLE], "strong", "gentle")
table.T

# %% [markdown]
# ### Explore: be the doctor
#
# *At γ = 0.9 and a risk of 10 %, from which stage on would you treat strongly? When you touch the dotted line
# everywhere, you have found it. Now be far-sighted, γ = 0.99: what changes, and why? (A patient who is lost never
# recovers. One who waits does.)*

# %% tags=["hide-input"]
risks = (0.05, 0.1, 0.2)
names = tuple(f"stage {s}" for s in range(1, 6)) + ("never",)
threshold = Choice("threshold", "strong treatment from", names, "stage 1", low_end="bold", high_end="careful")
risk_choice = Choice(
    "danger", "risk in stage 1", tuple(f"{r:.0%}" for r in risks), "10%", low_end="safe", high_end="dangerous"
)
yours, optimal, begins = np.empty((3, 50, 6, 5)), np.empty((3, 50, 5)), np.empty((3, 50))
for i, r in enumerate(risks):
    for j, gamma in enumerate(gamma_slider.grid):
        one = clinic(gamma, r)
        yours[i, j] = [one.policy_values(strong_from(k))[:5] for k in range(1, 7)]
        values = one.optimal_values()
        optimal[i, j] = values[:5]
        begins[i, j] = 6 - (np.diff(action_values(one, values)) > 1e-12).sum()
assert np.allclose(yours.max(axis=2), optimal)  # a threshold is enough, at every γ and risk

share_of_best = Table((risk_choice, gamma_slider, threshold, stage_axis), yours / optimal[:, :, None])
in_stage_1 = Table((risk_choice, gamma_slider, threshold), yours[..., 0])
at_worst = Table((risk_choice, gamma_slider, threshold), np.round(100 * (1 - yours / optimal[:, :, None]).max(axis=-1), 6), scale="linear")
explore(
    name="be_the_doctor",
    sliders=[gamma_slider, risk_choice, threshold],
    x=stage_axis,
    y=Axis("share", "your value, as a share of the best", 0.7, 1.02, scale="linear"),
    curves=[Curve("your policy", share_of_best), Curve("the best policy", constant(1.0), reference=True)],
    readouts=[
        Readout("yours", "yours, from stage 1", in_stage_1),
        Readout("best", "the best, from stage 1", Table((risk_choice, gamma_slider), optimal[..., 0])),
        Readout("loss", "you lose, in the stage where it is most", at_worst, unit=" %"),
        Readout(
            "begins",
            "strong is best from this stage on (6: never)",
            Table((risk_choice, gamma_slider), begins, scale="linear"),
        ),
    ],
    guarantee="Strong from: {threshold}. At γ = {gamma} and a risk of {danger} your patients can expect {yours} "
              "from stage 1 on; the best policy gives {best}. In the stage where you lose most, it is {loss} %.",
    alt="Values of the five stages under strong treatment from {threshold}, as shares of the best policy's, at γ ="
        " {gamma} and a risk of {danger}. "
        "From stage 1: {yours} against {best}.",
    caption="A policy by hand. The value of a stage is its chance of recovery, discounted for the weeks it takes.",
)

# %% [markdown]
# ```{dropdown} What one finds
# At γ = 0.9 and 10 % the best is *strong from stage 3*. At γ = 0.99 it is *never*: waiting costs next to nothing,
# so that no risk is worth taking. The discount is not a technical constant. It decides about treatments.
# ```
#
# ## Evaluation from data
#
# So far we knew the law $P$. A clinic does not; it has *records*. The mean of the returns from a stage on is an
# unbiased estimate of its value, and the error falls like one over the root of the number of patients who reach it. That is why
# a study with four times the patients is only twice as accurate. Let many clinics try, each with $m$ patients:

# %%
sizes = [10, 30, 100, 300, 1000]
clinics = max(100, round(400 * effort))
s0 = np.sqrt(variance[0])        # standard deviation of a return from stage 1

pool = sample_episodes(world, policy, clinics * max(sizes), rng)
outcome = pool.rewards.sum(axis=1) * discount ** (pool.lengths - 1.0)
outcome = outcome.reshape(clinics, -1)              # one row for each clinic
off = outcome.mean() - by_core[0]
assert abs(off) < 5.5 * s0 / np.sqrt(outcome.size)

estimates = [outcome[:, :m].mean(axis=1) for m in sizes]
measured = [np.sqrt(np.mean((e - by_core[0]) ** 2)) for e in estimates]
expected = s0 / np.sqrt(sizes)
assert np.allclose(measured, expected, rtol=5.5 / np.sqrt(2 * clinics) + 0.03)

# %% mystnb={"image": {"alt": "Root-mean-square error of many clinics' estimates against the number of patients, both logarithmic: points on a straight line that falls by a factor ten where the patients grow a hundredfold."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.0))
ax.plot(sizes, expected, color=REFERENCE, label=f"{s0:.2f} / √m")
ax.plot(sizes, measured, "o", ms=6, label=f"measured over {clinics:,} clinics")
ax.set(
    xscale="log",
    yscale="log",
    xlabel="patients m",
    ylabel="error of V(stage 1)",
    title="A hundred times the patients, a tenth of the error",
)
ax.set_yticks([0.005, 0.01, 0.02, 0.05], ["0.005", "0.01", "0.02", "0.05"])
ax.minorticks_off()
ax.legend();

# %% [markdown]
# ### Explore: one clinic, patient by patient
#
# *How many patients does it take for an estimate within 0.01 of the truth, in 19 of 20 clinics? And this clinic? Look at
# both stages: why is the band narrower in stage 5?*

# %% tags=["hide-input"]
m_slider = Slider("m", "patients m", 10, 1e4, 100, points=61, steps=60, low_end="few", high_end="many")
stage_choice = Choice(
    "from_stage", "from", ("stage 1", "stage 5"), "stage 1", low_end="a long way", high_end="nearly there"
)
counted = np.rint(m_slider.grid).astype(int)
one_clinic, stays_close = [], []
for s in (0, 4):
    start = FiniteMDP(world.transitions, world.rewards, discount, np.eye(7)[s], world.terminal)
    own = sample_episodes(start, policy, 10_000, rng)
    returns = own.rewards.sum(axis=1) * discount ** (own.lengths - 1.0)
    misses = np.cumsum(returns) / np.arange(1, 10_001) - by_core[s]
    one_clinic.append(misses[counted - 1])
    stays_close.append(1 + np.flatnonzero(abs(misses) >= 0.01)[-1] + 1)
sd = Table((stage_choice,), np.sqrt(variance[[0, 4]]))
root_m = Table.of(lambda m: np.sqrt(m), m_slider)
explore(
    name="one_clinic",
    sliders=[m_slider, stage_choice],
    x=m_slider,
    y=Axis("miss", "estimate less the truth", -0.08, 0.08, scale="linear"),
    curves=[
        Curve("mean return of the first m patients", Table((stage_choice, m_slider), one_clinic, scale="linear")),
        Curve(
            "the truth, and where 19 of 20 clinics are, at each m",
            constant(0.0),
            low=constant(0.0) - sd * 2 / root_m,
            high=sd * 2 / root_m,
            reference=True,
        ),
    ],
    readouts=[
        Readout("error", "standard error", sd / root_m),
        Readout("needed", "patients for a standard error of 0.01", sd * sd * 1e4),
    ],
    guarantee="With {m} patients the standard error is {error}. Nothing here is private: how much more error "
              "privacy costs is what "
              "this book is about.",
    alt="One clinic's running mean against the number of patients, from {from_stage} on, inside a band around the "
        "true value that "
        "narrows like one over the root. At {m} patients the standard error is {error}.",
    caption="Evaluation from trajectories (first-visit Monte Carlo).",
)

# %% [markdown]
# ```{dropdown} What one finds
# Two standard errors are below 0.01 from 1,600 patients on (from 1,000 in stage 5). A clinic that is closer earlier is so
# by luck, and cannot know. (The band is for one look, at an m that was chosen beforehand. To stay inside *whenever* one
# looks is more, and takes a wider band.) From stage 5 there is less time for patients to differ, and less risk to be lost.
# ```

# %% tags=["remove-input"]
md(f"*This* clinic stays within 0.01 from {stays_close[0]:,} patients on, and in stage 5 from {stays_close[1]:,} on.")

# %% [markdown]
# This is **policy evaluation**, the subject of {doc}`/chapters/02_policy_evaluation/index`. There the returns
# belong to real people, and the averages get noise.
#
# ## Learning by trial: Q-learning
#
# To find the *best* policy one needs no law either. Keep a table of guesses $Q(s, a)$. Whenever action $a$ in state
# $s$ has led to reward $r$ and state $s'$, move the guess a little towards what {eq}`eq-optimal` says it should be:
#
# ```{math}
# :label: eq-q-learning
# \begin{gathered}
# Q(s, a) \leftarrow Q(s, a) + \alpha \bigl(\text{target} - Q(s, a)\bigr), \\
# \text{target} = r + \gamma \max_{a'} Q(s', a').
# \end{gathered}
# ```
#
# Here a coin decides each treatment, and yet the table learns about the *best* policy. That is the work of the maximum:
# the target asks what the best next action is worth, whatever the coin will do next. All that is needed of the coin is
# that it tries everything, again and again. The *learning rate* $\alpha$ says how far to move.

# %%
def q_learning(world, at, rate, rng):
    """Q after the numbers of steps ``at``; ``rate(n)`` at the n-th visit."""
    reached = world.transitions.cumsum(axis=2).tolist()
    Q, visits = np.zeros((7, 2)).tolist(), np.zeros((7, 2), int).tolist()
    coins = rng.integers(2, size=at[-1]).tolist()
    chances, kept = rng.random(at[-1]).tolist(), []
    s, due = 0, set(at)
    for t, (a, chance) in enumerate(zip(coins, chances), 1):
        after = bisect(reached[s][a], chance)
        visits[s][a] += 1
        target = (after == RECOVERED) + world.discount * max(Q[after])
        Q[s][a] += rate(visits[s][a]) * (target - Q[s][a])
        s = after if after < RECOVERED else 0  # the next patient
        if t in due:
            kept.append(np.array(Q[:5]))
    return np.array(kept)

rates = {
    "α = 0.5": lambda n: 0.5,
    "α = 0.05": lambda n: 0.05,
    "α = n^−0.7": lambda n: n**-0.7,
}
decades = 3 if effort >= 0.5 else 2
at = np.rint(np.geomspace(100, 100 * 10**decades, 5 * decades + 1)).astype(int)
learned = np.array([
    q_learning(world, at.tolist(), rate, np.random.default_rng([seed, 1]))
    for rate in rates.values()])
off = abs(learned - Q).max(axis=(2, 3))

# %% tags=["remove-input"]
if effort >= 1:
    assert off[2, -1] < 0.02 and off[2, -1] < off[1, -1] < off[0, -1]
md(
    f"After {at[-1]:,} weeks the largest error of the table is "
    + ", ".join(f"**{e:.3f}** with {name}" for name, e in zip(rates, off[:, -1]))
    + "."
)

# %% [markdown]
# A constant rate never comes to rest: it forgets the past exponentially, so that the last few patients are always
# heard too loudly. A rate that falls with the number $n$ of visits, slowly enough to get anywhere
# ($\sum\alpha = \infty$) and fast enough to average the luck away ($\sum\alpha^2 < \infty$), converges to $Q^*$ with
# probability one if every pair is tried for ever {cite:p}`watkins1992`. So does $n^{-0.7}$: $\sum n^{-c}$ is infinite
# for $c \le 1$, as for 0.7, and finite above, as for 1.4.
#
# ### Explore: watch it learn
#
# *Which rate is best after a thousand weeks, and which in the end? Where do the two curves cross, and does the
# learner get the crossing right? How much does it lose if not?*

# %% tags=["hide-input"]
steps_axis = Slider("steps", "weeks of experience", 100, 100 * 10**decades, 1000, points=at.size,
                    steps=at.size - 1, low_end="beginner", high_end="experienced")
rate_choice = Choice("rate", "learning rate", tuple(rates), "α = 0.05", low_end="hasty", high_end="settles down")
wrong = (learned.argmax(axis=3) != Q.argmax(axis=1)).sum(axis=2)
lost_value = np.empty(wrong.shape)
for index in np.ndindex(wrong.shape):
    greedy = np.eye(2)[np.append(learned[index].argmax(axis=1), [0, 0])]
    lost_value[index] = best[0] - world.policy_values(greedy)[0]
axes = rate_choice, steps_axis, stage_axis
explore(
    name="q_learning",
    sliders=[steps_axis, rate_choice],
    x=stage_axis,
    y=Axis("q", "action value", 0, 1, scale="linear"),
    curves=[
        Curve("gentle, as learned", Table(axes, learned[..., GENTLE], scale="linear")),
        Curve("strong, as learned", Table(axes, learned[..., STRONG], scale="linear")),
        Curve("gentle, true", Table((stage_axis,), Q[:, GENTLE], scale="linear"), reference=True),
        Curve("strong, true", Table((stage_axis,), Q[:, STRONG], scale="linear"), reference=True),
    ],
    readouts=[
        Readout("off", "largest error", Table((rate_choice, steps_axis), off, scale="linear")),
        Readout(
            "wrong", "stages that get the worse treatment", Table((rate_choice, steps_axis), wrong, scale="linear")
        ),
        Readout(
            "lost",
            "value that this loses, from stage 1",
            Table((rate_choice, steps_axis), np.maximum(lost_value, 0), scale="linear"),
        ),
    ],
    guarantee="After {steps} weeks with {rate}: largest error {off}; stages that get the worse treatment: "
              "{wrong}, which costs {lost} of value. "
              "Whoever reads this table learns what the agent was rewarded for: chapter 3 is about that.",
    alt="Learned action values of both treatments against the stage, after {steps} weeks with {rate}, beside the "
        "true ones; the largest error "
        "is {off}.",
    caption=f"Q-learning in the small clinic, γ = {discount:g}. One run; all rates see the same coins.",
)

# %% [markdown]
# ```{dropdown} What one finds
# In this run: after a thousand weeks, and in the end, the falling rate. After a hundred it is α = 0.5, which learns fast and then
# trembles for ever; α = 0.05 is slow and trembles less. The curves cross between stages 2 and 3, where the two
# treatments are worth nearly the same: just there a wrong choice is likely, and costs little.
# ```
#
# With states that are numbers, not names, the table becomes a function with parameters, and the step a step of
# gradient descent. That is what {doc}`/chapters/03_functional_noise/index` does, on a walk along [0, 1].
#
# ## Learning from records alone
#
# A hospital cannot try. It has a *log*: what some policy did, and what came of it. From a log one can learn about a
# treatment only as far as the log contains it: this is **coverage**. Where it contains nothing, one has to *assume*
# something, say that a drug works as others of its family do. (Where every action of the policy to be judged was tried at
# times, the returns can be weighed by how much more often it would have taken them: *importance sampling*, whose variance
# grows quickly with the number of steps.) And here lies a trap, already with a single
# decision. Twenty treatments; doctors mostly give the usual one, which cures 60 %. Most others are worse, one is
# better. Take the treatment with the best record?

# %%
# the truth, which nobody knows
cures = np.append([0.60, 0.75], np.linspace(0.2, 0.55, 18))

def chosen(counts, cured, caution):
    """Weights of the treatments: all on that with the best score, ties split.

    The score is the record, less a penalty for a short one; −∞ without any.
    """
    n = np.maximum(counts, 1)
    score = np.where(counts > 0, cured / n - caution / np.sqrt(n), -np.inf)
    best = score == score.max(axis=-1, keepdims=True)
    return best / best.sum(axis=-1, keepdims=True)

def promise_and_cure(counts, cured, caution):
    weights = chosen(counts, cured, caution)
    records = cured / np.maximum(counts, 1)
    return (weights * records).sum(axis=-1).mean(), (weights @ cures).mean()

def logged(m, usual, runs, rng):
    shares = np.append(usual, np.full(19, (1 - usual) / 19))
    counts = rng.multinomial(m, shares, size=runs)
    return counts, rng.binomial(counts, cures)

log = logged(100, 0.6, max(200, round(4000 * effort)), rng)
bold, careful = promise_and_cure(*log, 0), promise_and_cure(*log, 1)
assert bold[0] > 0.9 and bold[1] < 0.6 < careful[1] + 0.03

# %% tags=["remove-input"]
md(f"With 100 logged patients, on average: the best record promises {bold[0]:.0%} and **cures {bold[1]:.0%}**; "
   f"with caution, see below, the choice promises {careful[0]:.0%} and **cures {careful[1]:.0%}**.")

# %% [markdown]
# The best record belongs to somebody lucky: a treatment that was tried two or three times and happened to work each
# time. The more treatments, the luckier the luckiest. The remedy is **pessimism**: judge a treatment by the *least*
# that its record makes plausible, the mean minus $c/\sqrt n$ for $n$ patients. The larger $c$, the rarer it is that
# luck wins with a short record, and what wins keeps its word: by Hoeffding's inequality a treatment is worse than that
# with probability $e^{-2c^2}$ at most, so that for twenty treatments together, tried as often as was fixed beforehand, 5 % take $c = 1.73$. (Where one *can* try, the sign is plus: optimism, to find
# out.)
#
# To be sure of the simulation, the same for two treatments and two patients each, by listing all nine outcomes:

# %%
two = np.array(list(product(range(3), repeat=2)))        # cured, of 2 and of 2
chance = binom.pmf(two, 2, [0.6, 0.4]).prod(axis=1)
listed = chance @ chosen(np.array([2, 2]), two, 0) @ [0.6, 0.4]

drawn = rng.binomial(2, [0.6, 0.4], size=(20_000, 2))
simulated = chosen(np.array([2, 2]), drawn, 0) @ [0.6, 0.4]
assert np.isclose(chance.sum(), 1)
assert abs(simulated.mean() - listed) < 5.5 * simulated.std() / np.sqrt(20_000)

# %% [markdown]
# ### Explore: how cautious?
#
# *With c = 0, how far is the promise from the cure at 100 patients? At 10,000? Now find a c that never does worse
# than the doctors. What does too much caution cost? And when the doctors try everything alike, is caution needed?*

# %% tags=["hide-input"]
log_slider = Slider(
    "m", "patients in the log", 10, 1e5, 100, points=21, steps=20, low_end="short log", high_end="long log"
)
caution_slider = Slider(
    "c", "pessimism c", 0, 2, 0, points=9, steps=8, scale="linear", low_end="bold", high_end="timid"
)
usuals = (0.05, 0.3, 0.6, 0.9)
usual_choice = Choice(
    "usual",
    "share of the usual treatment",
    tuple(f"{u:.0%}" for u in usuals),
    "60%",
    low_end="everything is tried",
    high_end="habit",
)
promised, kept_word = np.empty((2, 4, 21, 9))
runs = max(100, round(1000 * effort))
for (i, usual), (j, m) in product(enumerate(usuals), enumerate(np.rint(log_slider.grid).astype(int))):
    counts, cured = logged(m, usual, runs, rng)
    for k, caution in enumerate(caution_slider.grid):
        promised[i, j, k], kept_word[i, j, k] = promise_and_cure(counts, cured, caution)
habit = [usual * cures[0] + (1 - usual) * cures[1:].mean() for usual in usuals]
axes = usual_choice, log_slider, caution_slider
cured_table, promised_table = Table(axes, kept_word), Table(axes, promised)
explore(
    name="pessimism",
    sliders=[log_slider, caution_slider, usual_choice],
    x=log_slider,
    y=Axis("cured", "share cured", 0.3, 1, scale="linear"),
    curves=[
        Curve("cured by the chosen treatment", cured_table),
        Curve("what its record promises", promised_table),
        Curve("the best treatment", constant(0.75), reference=True),
        Curve("the doctors' habit", Table((usual_choice,), habit), reference=True),
    ],
    readouts=[Readout("promise", "promised", promised_table), Readout("cured", "cured", cured_table)],
    guarantee="With c = {c} and {m} logged patients, {usual} of whom got the usual treatment, the chosen one "
              "promises {promise} and cures {cured}.",
    alt="Share cured by the chosen treatment, and the share that its record promises, against the length of the "
        "log, at c = {c} and a habit of "
        "{usual}. At {m} patients: promised {promise}, cured {cured}.",
    caption=f"Twenty treatments, one decision; means over {runs:,} logs. One cures 75 %, the usual one 60 %, the "
            f"others 20 to 55 %.",
)

# %% [markdown]
# ```{dropdown} What one finds
# With c = 0 the promise at 100 patients is 99 % and the cure 47 %, which is worse than the doctors' habit; at 10,000
# both are 75 %. From c = 0.75 on the choice is no worse than the habit, for all logs of these sliders. But c = 2 takes about ten
# times as many records as c = 0.5 to find the best treatment. And where everything is tried alike, caution makes
# little difference: no record is much shorter than another.
# ```
#
# In a sequence of decisions the same luck adds up from step to step. Pessimistic value iteration subtracts a
# penalty in every step of {eq}`eq-optimal`; {doc}`/chapters/04_offline_rl/index` makes it private. There the noise
# of privacy is one more reason to be unsure, and the penalty grows with it.
#
# ## The problems of this book
#
# Every chapter has a world in which its algorithms are tried. All are in `privrl_core.world.problems`, and all have
# values that can be computed, so that an error is known and not guessed. Look at the pictures now, and come back when a
# chapter takes one of them up. (In `interval_walk` the rewards are what is kept secret.)

# %% tags=["remove-cell"]
# what the answers above say
assert round(np.log(0.5) / np.log(0.9), 1) == 6.6 and round(0.5 ** (1 / 26), 3) == 0.974
if (discount, risk) == (0.9, 0.1):
    heard = after[2] > 0                                   # sweeps by stages, at γ = 0.9
    assert heard[1].tolist() == [False] * 4 + [True] and heard[:, 0].argmax() == 5
    assert [int(np.argmax(missing[i] < 0.01)) for i in (2, 4)] == [12, 14]
    assert np.allclose(4e4 * variance[[0, 4]], [1_600, 1_000], rtol=0.05)
for gamma, from_stage in ((0.9, 3), (0.99, 6)):
    gains = np.diff(action_values(clinic(gamma, 0.1), clinic(gamma, 0.1).optimal_values()))
    assert 6 - (gains > 1e-12).sum() == from_stage
if effort >= 1:
    at = np.searchsorted(log_slider.grid, (99, 9_900))
    assert np.allclose(promised[2, at, 0], [0.99, 0.75], atol=0.01)
    assert np.allclose(kept_word[2, at, 0], [0.47, 0.75], atol=0.01)
    assert (kept_word[:, :, 3:] > np.array(habit)[:, None, None] - 0.01).all()   # c from 0.75 on

# %%
chain = recovery_chain()
linear = binary_action_linear_mdp()
sepsis = icu_sepsis()
logged_linear = linear.policy_values(binary_action_behaviour())
best_linear = linear.optimal_values()
practice = np.broadcast_to(sepsis.expert_policy, sepsis.rewards.shape)
expert = sepsis.policy_values(practice)
best_sepsis = sepsis.optimal_values()
grid = nodes()
to_middle = np.select([grid < 0.5, grid > 0.5], [1.0, 0.0], 0.5)
assert np.isclose(policy_return(to_middle), optimal_return(), atol=1e-3)
assert np.isclose(optimal_return(), 497 / 24, atol=1e-3)

def row(name, model, task):
    steps = f"{model.horizon} steps"
    return name, model.n_states, model.n_actions, steps, task, "ch. 4"

pd.DataFrame([
    ("recovery_chain", chain.n_states, chain.n_actions, "until the end",
     "evaluate", "ch. 2"),
    ("interval_walk", "[0, 1]", 2, "50 steps", "find the middle", "ch. 3"),
    row("binary_action_linear_mdp", linear, "learn from a log"),
    row("icu_sepsis", sepsis, "survive")],
    columns=["problem", "states", "actions", "episode", "task", "in"],
).style.hide()

# %% mystnb={"image": {"alt": "Four panels. Recovery chain: values rise with the stage, more steeply for a smaller discount. Middle walk: the reward is a tent over [0, 1], and a move reaches a quarter to either side. Binary actions: expected reward still to come against the step, best policy above the logged one. Sepsis: chance to survive against the organ-failure score, falling, the best policy above the clinicians."}} tags=["hide-input"]
fig, axes = plt.subplots(2, 2, figsize=(7.5, 5.4))
for gamma in (0.99, 0.95):
    axes[0, 0].plot(
        range(1, 40), recovery_chain(discount=gamma).policy_values(np.ones((40, 1)))[:-1], label=f"γ = {gamma}"
    )
axes[0, 0].set(title="recovery_chain", xlabel="stage", ylabel="value")
axes[0, 1].plot(grid, middle_reward(grid))
axes[0, 1].annotate("", (0.45, 0.1), (0.2, 0.1), arrowprops={"arrowstyle": "-|>", "color": PALETTE[1]})
axes[0, 1].plot([0.2], [0.1], "o", color=PALETTE[1])
axes[0, 1].text(0.46, 0.085, "a step right:\nup to here", color=PALETTE[1], va="center", fontsize=9)
axes[0, 1].set(title="interval_walk", xlabel="place", ylabel="reward")
for values, name in ((best_linear, "best policy"), (logged_linear, "policy that logged")):
    axes[1, 0].plot(range(1, 21), values[:-1].mean(axis=1), label=name)
axes[1, 0].set(title="binary_action_linear_mdp", xlabel="step", ylabel="reward to come")
sofa, alive = sepsis.sofa[:713], slice(0, 713)
bins = np.arange(0, 18, 2)
for values, name in ((best_sepsis, "best policy"), (expert, "clinicians")):
    middle = [values[0][alive][(sofa >= low) & (sofa < low + 2)].mean() for low in bins]
    axes[1, 1].plot(bins + 1, middle, "o-", ms=4, label=name)
axes[1, 1].set(title="icu_sepsis", xlabel="organ-failure score (SOFA)", ylabel="survive in 20 steps", ylim=(0, 1))
for ax in (axes[0, 0], axes[1, 0], axes[1, 1]):
    ax.legend()

# %% tags=["remove-input"]
start = sepsis.initial @ np.array([expert[0], best_sepsis[0]]).T
md(
    f"In the sepsis model a patient survives twenty steps with probability **{start[0]:.1%}** under the "
    f"clinicians' policy, and **{start[1]:.1%}** under the best "
    "one for the *model*. The model was made from the same clinicians' records: whether its best policy would be "
    "best for a patient is another question, "
    "and a serious one."
)

# %% [markdown]
# ## Where people come in
#
# Look back at what was learnt from whom. The value table is made of patients' *trajectories*. The Q-table is made
# of them too, and of the *reward function*, which says what somebody wants. The log's counts say who got what. Each
# can be published, and each says something about those behind it. How much, and how to say less, is the matter of
# {doc}`the next page <02_a_promise>`.
#
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. A patient recovers, with reward 1, after ten weeks of waiting. What is the return at γ = 0.9?**
#
# ```{dropdown} 0.9¹⁰ = 0.35
# ✓ Yes. Each week of waiting costs a factor γ, and there is only one reward.
# ```
# ```{dropdown} 0.9
# That is one week's wait. Ten weeks cost ten factors.
# ```
# ```{dropdown} 10 × 0.9 = 9
# That would be a reward every week, and without compounding. Here a single reward comes, late.
# ```
#
# **2. One policy is best from stage 1, another is best from stage 4. Can it be that *no* policy is best from both?**
#
# ```{dropdown} Yes: it depends on where one starts.
# Values depend on the start. But one policy attains the best value in all states at once: what is best from stage 4
# on is best however one got there.
# ```
# ```{dropdown} Yes, unless treatments may be drawn by lot.
# Drawing by lot never helps to maximise here: a mean of two values is no larger than the larger.
# ```
# ```{dropdown} No: some policy is best from every state at once.
# ✓ Yes. That follows from the Markov property, and we checked it with all 32 policies.
# ```
#
# **3. A study estimates a value to ±0.04 with 500 patients. How many for ±0.01?**
#
# ```{dropdown} 2,000
# Four times the patients halve the error, to ±0.02: the error falls with the root of m.
# ```
# ```{dropdown} 8,000
# ✓ Yes. A quarter of the error takes sixteen times the patients.
# ```
# ```{dropdown} 500 are enough if γ is smaller
# Another γ is another question. One may not choose the question by how easily it is answered.
# ```
#
# **4. The coin in our Q-learning gives each treatment half of the time. What does the learned table converge to?**
#
# ```{dropdown} To the values of treating by coin.
# That would be evaluation. The maximum in the target makes it learn about the *best* policy while following another.
# ```
# ```{dropdown} To the optimal action values, if the rate falls suitably.
# ✓ Yes. It is “off-policy”: it is enough that everything is tried again and again.
# ```
# ```{dropdown} To nothing, since the coin never improves.
# The table improves though the behaviour does not. Only with a constant rate it keeps trembling.
# ```
#
# **5. A treatment was tried three times and cured three patients. Why does a pessimist with $c = 1$ not choose it over
# one with 600 cures in 1,000?**
#
# ```{dropdown} Because three in three is plausible for a treatment that cures far fewer than 60 %.
# ✓ Yes. A treatment that cures 40 % does it once in sixteen times, and with many treatments, some will. So it scores
# $1 - 1/\sqrt3 = 0.42$, against $0.6 - 1/\sqrt{1000} = 0.57$.
# ```
# ```{dropdown} Because 3 of 3 is less than 600 of 1,000.
# As a share it is more: 100 % against 60 %. The trouble is how little that share can be trusted.
# ```
# ```{dropdown} Because rare treatments are worse.
# Nobody said so; in our example the best one is rare. A pessimist chooses it as soon as enough records speak for it.
# ```
#
# **6. A log contains only gentle treatments. What can be learnt from it about the strong one?**
#
# ```{dropdown} Its value, with a large error.
# Not even that: no record has anything to say about it. An error bar would have to cover everything.
# ```
# ```{dropdown} Its value, if the log is long enough.
# Length does not replace coverage: zero times a million is zero.
# ```
# ```{dropdown} Nothing, without assumptions that go beyond the log.
# ✓ Yes. That is coverage. More patients of the same kind do not help.
# ```
#
# ## To take away
#
# * An MDP is states, actions, a law, rewards and a discount. The state must hold all of the past that matters.
# * Values solve Bellman's equation: by linear algebra if the law is known, by averaging if there are only records.
#   The two agree.
# * The error of an average of $m$ patients falls like $1/\sqrt m$. Privacy will add an error of its own, and the
#   question is which is larger.
# * Q-learning finds the best policy by trial, while following another.
# * From a log one learns about what the log covers; elsewhere, be pessimistic.
# * Values, Q-tables, policies and counts are functions of *people's data*.
#
# ## Further reading
#
# * {cite:t}`sutton2018`: the textbook, from the beginning; chapters 3 to 6 are this page at length.
# * {cite:t}`puterman1994`: Markov decision processes, with all proofs.
# * {cite:t}`watkins1992`: Q-learning, and why it converges.
# * {cite:t}`levine2020`: a tutorial on learning from logs. {cite:t}`jin2021`: in which sense pessimism is the right
#   thing to do.
# * {cite:t}`gottesman2019`: what to ask of reinforcement learning before it comes near a patient. Short, and for
#   clinicians.
