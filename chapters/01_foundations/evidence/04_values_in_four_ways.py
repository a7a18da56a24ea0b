# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Values of the small clinic in four ways, all 32 policies, errors of many clinics, learning rates, pessimism,
#         and the problems of the book.'
# ---

# %% [markdown]
# # Values in four ways
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../01_reinforcement_learning` and {doc}`../01_values_from_records`. Four ways to compute the values of the small clinic agree. All 32 policies were tried. The error of
# an average falls like $1/\sqrt m$. Of three learning rates, the one that falls settles down. A simulation of the pessimist agrees with a list of all
# outcomes. The problems of the book stand side by side, with exact values.
# ```

# %% tags=["parameters", "remove-input"]
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
    FiniteMDP, binary_action_behaviour, binary_action_linear_mdp, clinic, icu_sepsis, middle_reward,
    nodes, optimal_return, policy_return, recovery_chain, sample_episodes, strong_from)
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# (values-in-four-ways)=
# ## The clinic in two arrays
#
# The clinic of {doc}`../01_reinforcement_learning` has five stages, *recovered* and *lost*. In code a {prf:ref}`Markov decision process <def-mdp>` is two
# arrays, indexed by state, action and next state:

# %%
GENTLE, STRONG, RECOVERED, LOST = 0, 1, 5, 6
world = clinic(discount, risk)
assert world.transitions.shape == world.rewards.shape == (7, 2, 7)
world.transitions[0].round(2)             # from stage 1: gentle, strong

# %% [markdown]
# (how-far-ahead)=
# ## What is worth more: soon, or much?
#
# What this week brings counts in full, and each week of waiting multiplies a reward by $\gamma$:

# %%
def discounted_return(rewards, discount):
    return sum(discount**k * reward for k, reward in enumerate(rewards))

one_patient = [0, 0, 0, 0, 0, 0, 1]       # six weeks of waiting, then recovered
assert np.isclose(discounted_return(one_patient, discount), discount**6)
discounted_return(one_patient, discount)

# %% [markdown]
# ### Explore: how far ahead does γ look?
#
# *At γ = 0.9, after how many weeks is a recovery worth half? Which γ makes it half a year, 26 weeks?* Decide, then move γ.

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
              "{horizon} weeks in full: this is how far ahead the policy looks.",
    alt="The worth today of a reward against the weeks until it comes, at γ = {gamma}: a curve that falls from 1 "
        "and is at one half "
        "after {half} weeks.",
    caption="What waiting costs.",
)

# %% [markdown]
# **What you should see.** A reward is worth half after 6.6 weeks. For half a year it takes $\gamma = 0.5^{1/26} \approx 0.974$.
#
# ## One policy, four ways
#
# The example is the policy *gentle in stages 1 and 2, strong from stage 3 on*.

# %%
policy = strong_from(3)

# %% [markdown]
# In matrices, {eq}`eq-bellman` is $V = r_\pi + \gamma P_\pi V$, so that $V = (I - \gamma P_\pi)^{-1} r_\pi$. Here $P_\pi$ and $r_\pi$ are the
# transition probabilities and the expected reward if the policy draws the action. For the five stages:

# %%
drawn = policy[:, :, None] * world.transitions          # [state, action, next state]
P_pi = drawn.sum(axis=1)
r_pi = (drawn * world.rewards).sum(axis=(1, 2))
by_solving = np.linalg.solve(np.eye(5) - discount * P_pi[:5, :5], r_pi[:5])

# %% [markdown]
# We now compute the same values in three different ways, to be sure. The package's `policy_values` does the
# same for any MDP. On this chain there is a **closed form**: next week a patient is a stage further up, or in the same stage,
# or lost, so that
# $V(s) = \gamma p_{\text{up}} V(s + 1) + \gamma p_{\text{stay}} V(s)$. Solved for $V(s)$, each stage on the way costs a
# factor $g = \gamma p_{\text{up}}/(1 - \gamma p_{\text{stay}})$. From stage 5 it is $g/\gamma$, since the reward itself
# does not have to wait. The last way is a **simulation**: send patients through the clinic and average their returns.

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
# The first three rows agree to the last digit, and the fourth to two or three.
#
# The variance in the cell above uses a small trick. A patient is rewarded at most once, and with 1. So the *squared* return is again a return, with $\gamma^2$
# in place of $\gamma$. With several rewards it would not be. The tests here and below allow 5.5 standard errors: by chance alone an average
# is farther off once in 26 million times.
#
# ### Explore: how the news travels
#
# There is a fifth way. Start with $V = 0$ everywhere and put that into the right-hand side of {eq}`eq-bellman`. Put
# the result in again, and so on. *After one sweep, which stages know of the reward? How many sweeps does it take for
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
# **What you should see.** After one sweep only stage 5 knows. Stage 1 hears after five sweeps, and after twelve the error is below 0.01 at γ = 0.9;
# at γ = 0.99 after fourteen. The bound has to hold for problems that go on forever. Here an episode is over after 7.4 weeks on
# average, even from stage 1, and what is left to come fades with the number of patients who are still ill.

# %% tags=["hide-input"]
# what the answer says; the weeks t of a patient solve t = 1 + P t
small = clinic(0.9, 0.1)
moves = (policy[:, :, None] * small.transitions).sum(axis=1)[:5, :5]
assert round(np.linalg.solve(np.eye(5) - moves, np.ones(5))[0], 1) == 7.4

# %% [markdown]
# (all-32-policies)=
# ## All 32 policies
#
# A policy that takes a best action in every state is best from *every* state at once. That is not obvious: why
# should the best for stage 1 be best for stage 4? It is due to the Markov property: where a patient came from does
# not matter. If only a fixed number of steps is left, as in chapter 4, the step must be a part of the state. With two
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
# (error-of-clinics)=
# ## The error of many clinics
#
# The mean of the returns from a stage on is an
# unbiased estimate of its value. Its error falls like one over the root of the number of patients who reach it. That is why
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
if (discount, risk) == (0.9, 0.1):
    assert np.allclose(4e4 * variance[[0, 4]], [1_600, 1_000], rtol=0.05) and round(np.sqrt(variance[0] / 100), 2) == 0.02

m_slider = Slider("m", "patients m", 10, 1e4, 100, points=61, steps=60, low_end="few", high_end="many")
stage_choice = Choice("from_stage", "from", ("stage 1", "stage 5"), "stage 1", low_end="a long way", high_end="nearly there")
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

# %% tags=["remove-input"]
explore(
    name="one_clinic", sliders=[m_slider, stage_choice], x=m_slider,
    y=Axis("miss", "estimate minus the true value", -0.08, 0.08, scale="linear"),
    curves=[Curve("mean return of the first m patients", Table((stage_choice, m_slider), one_clinic, scale="linear")),
            Curve("the truth, and where 19 of 20 clinics are, at each m", constant(0.0),
                  low=constant(0.0) - sd * 2 / root_m, high=sd * 2 / root_m, reference=True)],
    readouts=[Readout("error", "standard error", sd / root_m),
              Readout("needed", "patients for a standard error of 0.01", sd * sd * 1e4)],
    guarantee="With {m} patients the standard error is {error}. Nothing here is private: how much more error privacy costs is what "
              "this book is about.",
    alt="One clinic's running mean against the number of patients, from {from_stage} on, inside a band around the true value that "
        "narrows like one over the root. At {m} patients the standard error is {error}.",
    caption="Evaluation from trajectories. The band holds 19 of 20 clinics at any one number of patients.")

# %% tags=["remove-input"]
md(f"**What you should see.** Two standard errors are below 0.01 from 1,600 patients on, and in stage 5 from 1,000 on. *This* clinic stays within 0.01 from "
   f"{stays_close[0]:,} patients on, and in stage 5 from {stays_close[1]:,} on. From stage 5 there is less time for patients to differ, and less risk to be lost.")

# %% [markdown]
# A clinic that is close to the truth earlier is so by luck, and cannot know it. The band is for one look, at a number of patients that was chosen beforehand. To stay inside
# at *every* number of patients is more, and takes a wider band.
#
# (learning-rates)=
# ## Three learning rates
#
# Q-learning moves a guess a little towards what {eq}`eq-optimal` says it should be:
#
# ```{math}
# :label: eq-q-learning
# \begin{gathered}
# Q(s, a) \leftarrow Q(s, a) + \alpha \bigl(\text{target} - Q(s, a)\bigr), \\
# \text{target} = r + \gamma \max_{a'} Q(s', a').
# \end{gathered}
# ```
#
# A constant learning rate never comes to rest. It forgets the past exponentially, so the last few patients always count
# too much. A rate that falls with the number $n$ of visits, slowly enough to get anywhere
# ($\sum\alpha = \infty$) and fast enough to average the luck away ($\sum\alpha^2 < \infty$), converges to $Q^*$ with
# probability one if every pair is tried again and again {cite:p}`watkins1992`. The rate $n^{-0.7}$ does so: $\sum n^{-c}$ is infinite
# for $c \le 1$, as for 0.7, and finite above, as for 1.4. The same coins and the same patients for each:

# %% tags=["hide-input"]
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

rates = {"α = 0.5": lambda n: 0.5, "α = 0.05": lambda n: 0.05, "α = n^−0.7": lambda n: n**-0.7}
decades = 3 if effort >= 0.5 else 2
at = np.rint(np.geomspace(100, 100 * 10**decades, 5 * decades + 1)).astype(int)
learned = np.array([q_learning(world, at.tolist(), rate, np.random.default_rng([seed, 1])) for rate in rates.values()])
off = abs(learned - Q).max(axis=(2, 3))
if effort >= 1:
    assert off[2, -1] < 0.02 and off[2, -1] < off[1, -1] < off[0, -1]

steps_axis = Slider("steps", "weeks of experience", 100, 100 * 10**decades, 1000, points=at.size,
                    steps=at.size - 1, low_end="beginner", high_end="experienced")
rate_choice = Choice("rate", "learning rate", tuple(rates), "α = 0.05", low_end="hasty", high_end="settles down")
wrong = (learned.argmax(axis=3) != Q.argmax(axis=1)).sum(axis=2)
lost_value = np.empty(wrong.shape)
for index in np.ndindex(wrong.shape):
    greedy = np.eye(2)[np.append(learned[index].argmax(axis=1), [0, 0])]
    lost_value[index] = best[0] - world.policy_values(greedy)[0]
axes = rate_choice, steps_axis, stage_axis

# %% tags=["remove-input"]
md(f"After {at[-1]:,} weeks the largest error of the table is " + ", ".join(f"**{e:.3f}** with {name}" for name, e in zip(rates, off[:, -1])) + ".")

# %% [markdown]
# ### Explore: watch it learn
#
# *Which rate is best after a thousand weeks, and which in the end? Where do the two curves cross, and does the
# learner get the crossing right? How much does it lose if not?*

# %% tags=["remove-input"]
explore(
    name="q_learning", sliders=[steps_axis, rate_choice], x=stage_axis,
    y=Axis("q", "action value", 0, 1, scale="linear"),
    curves=[Curve("gentle, as learned", Table(axes, learned[..., GENTLE], scale="linear")),
            Curve("strong, as learned", Table(axes, learned[..., STRONG], scale="linear")),
            Curve("gentle, true", Table((stage_axis,), Q[:, GENTLE], scale="linear"), reference=True),
            Curve("strong, true", Table((stage_axis,), Q[:, STRONG], scale="linear"), reference=True)],
    readouts=[Readout("off", "largest error", Table((rate_choice, steps_axis), off, scale="linear")),
              Readout("wrong", "stages that get the worse treatment", Table((rate_choice, steps_axis), wrong, scale="linear")),
              Readout("lost", "value that this loses, from stage 1",
                      Table((rate_choice, steps_axis), np.maximum(lost_value, 0), scale="linear"))],
    guarantee="After {steps} weeks with {rate}: largest error {off}; stages that get the worse treatment: {wrong}, which costs {lost} of value. "
              "This table also tells what the agent was rewarded for: chapter 3 is about that.",
    alt="Learned action values of both treatments against the stage, after {steps} weeks with {rate}, beside the true ones; the largest error "
        "is {off}.",
    caption=f"Q-learning in the small clinic, γ = {discount:g}. One run; all rates see the same coins. With n^−0.7 the rate falls with the "
            "number n of visits.")

# %% [markdown]
# **What you should see.** In this run the falling rate is best after a thousand weeks, and in the end. After a hundred weeks it is α = 0.5, which learns fast and
# then trembles forever; α = 0.05 is slow and trembles less. The two curves cross between stages 2 and 3, where the two
# treatments are worth nearly the same. A wrong choice is most likely there, and costs little.
#
# With states that are numbers, not names, the table becomes a function with parameters, and the step becomes a step of
# gradient descent. That is what {doc}`/chapters/03_functional_noise/index` does, on a walk along [0, 1].
#
# (pessimism-checked)=
# ## Pessimism, counted
#
# The best record belongs to a lucky treatment: one that was tried two or three times and happened to work each
# time. The more treatments, the luckier the luckiest. A pessimist subtracts $c/\sqrt n$ from the mean of a record of $n$ patients. The larger $c$, the rarer it is that
# luck wins with a short record, and what wins keeps its word. By Hoeffding's inequality a treatment is worse than its score
# with probability $e^{-2c^2}$ at most. For twenty treatments together, each tried a number of times that was fixed beforehand, 5 % take $c = 1.73$. A learner that
# *can* try things uses the plus sign: optimism, to find out.
#
# Twenty treatments, 100 patients, as on the main page:

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
   f"with caution, c = 1, the choice promises {careful[0]:.0%} and **cures {careful[1]:.0%}**.")

# %% [markdown]
# To be sure of the simulation, here is the same for two treatments and two patients each, by listing all nine outcomes:

# %%
two = np.array(list(product(range(3), repeat=2)))        # cured, of 2 and of 2
chance = binom.pmf(two, 2, [0.6, 0.4]).prod(axis=1)
listed = chance @ chosen(np.array([2, 2]), two, 0) @ [0.6, 0.4]

drawn = rng.binomial(2, [0.6, 0.4], size=(20_000, 2))
simulated = chosen(np.array([2, 2]), drawn, 0) @ [0.6, 0.4]
assert np.isclose(chance.sum(), 1)
assert abs(simulated.mean() - listed) < 5.5 * simulated.std() / np.sqrt(20_000)

# %% [markdown]
# On the main page, with $c = 0$, the promise at 100 patients is 99 % and the cure 47 %. At 10,000
# patients both are 75 %. If everything is tried alike, caution makes
# little difference, because no record is much shorter than another.
#
# Where every action of the policy to be judged was tried at
# times, the returns can also be weighted by how much more often it would have taken them. This is called *importance sampling*. Its variance
# grows quickly with the number of steps. What was never tried needs an *assumption*, for instance that a drug works as others of its family do.
#
# (problems-of-the-book)=
# ## The problems of this book
#
# Every chapter has a world in which its algorithms are tried, and asks what a result that was learnt there gives away about the people behind it:
#
# | chapter | world | what is published | whose data |
# |---|---|---|---|
# | {doc}`2 </chapters/02_policy_evaluation/index>` | a chain of 40 stages | values | patients' trajectories |
# | {doc}`3 </chapters/03_functional_noise/index>` | a walk on [0, 1] | a Q-function | the reward function |
# | {doc}`4 </chapters/04_offline_rl/index>` | a linear world; a model of sepsis | a policy | the log |
#
# All worlds are in `privrl_core.world.problems`, and all have
# values that can be computed, so that an error is known and not guessed. In `interval_walk` the rewards are what is kept secret.

# %% tags=["remove-cell"]
# what the answers above say
assert round(np.log(0.5) / np.log(0.9), 1) == 6.6 and round(0.5 ** (1 / 26), 3) == 0.974
assert np.isclose(20 * np.exp(-2 * 1.73**2), 0.05, atol=1e-3)
if (discount, risk) == (0.9, 0.1):
    heard = after[2] > 0                                   # sweeps by stages, at γ = 0.9
    assert heard[1].tolist() == [False] * 4 + [True] and heard[:, 0].argmax() == 5
    assert [int(np.argmax(missing[i] < 0.01)) for i in (2, 4)] == [12, 14]

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
# (quiz-values)=
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
# That is one week of waiting. Ten weeks cost ten factors.
# ```
# ```{dropdown} 10 × 0.9 = 9
# That would be a reward every week, and without compounding. Here a single reward comes, late.
# ```
#
# **2. One policy is best from stage 1, another is best from stage 4. Can it be that *no* policy is best from both?**
#
# ```{dropdown} Yes: it depends on the start.
# Values depend on the start. But one policy attains the best value in all states at once: what is best from stage 4
# on is best however a patient got there.
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
# Another γ is another question. Choose a question because its answer matters, not because it is easy.
# ```
#
# **4. A treatment was tried three times and cured three patients. Why does a pessimist with $c = 1$ not choose it over
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
# ## To take away
#
# * Linear algebra, a formula, a simulation and repeated sweeps find the same values.
# * One policy is best from every state at once.
# * A falling learning rate settles down; a constant one trembles.
#
# ## Further reading
#
# * {cite:t}`puterman1994`: Markov decision processes, with all proofs.
# * {cite:t}`watkins1992`: Q-learning, and why it converges.
# * {cite:t}`levine2020`: a tutorial on learning from logs. {cite:t}`jin2021`: in which sense pessimism is the right
#   thing to do.
