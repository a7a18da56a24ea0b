# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A thermostat learns what its owner finds comfortable, and hands out its Q-function. Her comfort can be
#         read off it, at every temperature.'
# ---

# %% [markdown]
# # What a Q-function gives away
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** An agent has learned from rewards that are secret. May it hand out its Q-function?
# * **The answer.** No. Bellman's equation, read backwards, turns the Q-function into the rewards.
# * **What is protected.** Nothing yet. This page says what should be: the whole reward function.
# * **What you need.** {doc}`../01_foundations/01_reinforcement_learning`, up to Q-learning.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2019         # all randomness comes from here
discount = 0.9

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.functional_noise import fitted_q_iteration, hat_features, reward_from_q
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Table, explore
from privrl_core.world import middle_reward, walk

use_theme()
rng = np.random.default_rng(seed)
PLACES = 11
places = np.linspace(0, 1, PLACES)
celsius = 16 + 8 * places

def transitions(states, actions, next_states):
    """How often each action leads from each place to each place: [place, action, next place]."""
    here, there = hat_features(states, PLACES), hat_features(next_states, PLACES)
    weights = here[:, :, None] * np.eye(2)[actions][:, None]
    return np.einsum("tka,tl->kal", weights / weights.sum(axis=0), there)

# %% [markdown]
# ## A thermostat that knows Vera
#
# Vera's thermostat learns by itself. Every quarter of an hour it chooses: *heat*, and the room gets warmer by a random amount of up
# to 2 °C, or *cool*, and it gets colder by up to 2 °C. The room stays between 16 and 24 °C. After each choice the thermostat receives
# a reward between 0 and ½. The reward is how comfortable Vera is, and the thermostat learns from it which choice to make.
#
# Her comfort is nobody's business. It may tell that she is ill, that her mother lives with her, or that she is short of money. A
# clinic that trains an agent is in the same position. Its rewards say how it weighs a patient's health against cost.
#
# The maker of the thermostat never hands out a reward. But it does hand out what was learned, so that other firms can build on
# it. What was learned is the **Q-function**. $Q(s, a)$ is the reward that the agent expects in total if it starts in state $s$,
# takes action $a$, and does what is best from then on. Rewards that come later count less: each step multiplies them by
# $\gamma = 0.9$. Here the state is the temperature, and the Q-function is two curves.

# %% tags=["remove-cell"]
states, actions, next_states = walk(20_000, rng)
learned = fitted_q_iteration(states, actions, next_states, middle_reward(next_states), discount=discount, n_knots=PLACES)
q = learned.parameters[0].T                              # [place, action]
moves = transitions(states[0], actions[0], next_states[0])
crossing = celsius[np.argmin(np.abs(q[:, 0] - q[:, 1]))]
assert abs(crossing - 20) < 1

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two curves over the temperature from 16 to 24 degrees. The value of heating is higher below 20 degrees, the value of cooling above; they cross at 20 degrees. Both lie between 3 and 4."}}
fig, ax = plt.subplots(figsize=(7.2, 3.3))
for action, (label, x, above) in enumerate((("cool", 23.2, 0.1), ("heat", 16.8, 0.1))):
    ax.plot(celsius, q[:, action], color=PALETTE[action], marker="o", ms=4)
    ax.text(x, np.interp(x, celsius, q[:, action]) + above, label, color=PALETTE[action], weight="bold", ha="center")
ax.set(xlabel="temperature, °C", ylabel="Q", ylim=(q.min() - 0.1, q.max() + 0.25),
       title="What is published: heat below 20 °C, cool above");

# %% [markdown]
# The curves say what to do: heat where the curve for heating is higher. Each point is a sum over many quarters of an hour, into a
# future that depends on chance.
#
# ```{admonition} Guess first
# :class: hint
# You see the two curves and nothing else. You know thermostats, so you know how *heat* and *cool* move the temperature. **How much
# of Vera's comfort can you work out: only that 20 °C is best for her, the rough shape, or her reward at every temperature?**
# Decide before you read on.
# ```
#
# ## Read the equation backwards
#
# The Q-function of a trained agent satisfies **Bellman's equation**. What the agent expects in total is the reward of the next step,
# plus what it expects from there on:
#
# $$Q(s, a) = \underbrace{r(s, a)}_{\text{reward of the next step}} + \gamma \sum_{s'} P(s' \mid s, a)\, \max_{a'} Q(s', a') .$$
#
# $P(s' \mid s, a)$ is the probability that action $a$ leads from $s$ to $s'$. The agent knows $r$ and looks for $Q$. An attacker knows
# $Q$ and looks for $r$. For the attacker this is one subtraction:

# %%
def read_reward(q, moves, discount):
    later = discount * q.max(axis=1)     # from each place on
    return q - moves @ later             # the reward of the next step is left

of_actions = read_reward(q, moves, discount)

# %% [markdown]
# This gives the expected reward after *heat* and after *cool*, at each temperature. Vera is paid for the temperature that she gets. So
# one more step, a system of linear equations, turns these 22 numbers into the comfort at each of the 11 temperatures.

# %% tags=["remove-cell"]
def by_place(of_actions, moves):
    return np.linalg.lstsq(moves.reshape(-1, PLACES), of_actions.ravel(), rcond=None)[0]

found = by_place(of_actions, moves)
error = np.abs(found - middle_reward(places)).max()
assert np.allclose(of_actions, reward_from_q(q, moves, discount)) and error < 0.0005

# %% tags=["remove-input"] mystnb={"image": {"alt": "Vera's true comfort, a tent from zero at 16 degrees up to one half at 20 degrees and down to zero at 24, and eleven dots read off the Q-function. All dots lie on the tent."}}
fig, ax = plt.subplots(figsize=(7.2, 3.3))
ax.plot(celsius, middle_reward(places), color=REFERENCE, lw=4, alpha=0.5)
ax.plot(celsius, found, "o", color=PALETTE[1], ms=7)
ax.text(21.5, 0.36, "Vera's comfort,\nnever published", color="#4a5058", weight="bold")
ax.text(17.9, 0.29, "read off\nthe Q-function", color=PALETTE[1], weight="bold", ha="right")
ax.set(xlabel="temperature, °C", ylabel="reward", ylim=(-0.02, 0.56), title="The secret comes back, at every temperature");

# %% tags=["remove-input"]
md("**The answer.** Her reward at every temperature. The largest error is below a thousandth of the range. The Q-function mixes the whole "
   "future, but it mixes the *same* future on both sides of the equation, and the subtraction takes it out.")

# %% [markdown]
# For this picture the attacker had the log of the room's temperatures, which the maker does not treat as secret. The next picture does
# without it.
#
# ### Explore: can a far-sighted agent hide its reward?
#
# ```{admonition} Guess first
# :class: hint
# An agent with $\gamma = 0$ looks one step ahead. With $\gamma = 0.98$ it adds up about fifty steps. **Is the reward of the
# far-sighted agent harder to read off? And how long must the attacker watch another thermostat of the same type, to learn how
# temperatures move, before the shape of the reward shows: a hundred days, ten years, or for ever?** Decide, then move both sliders.
# ```

# %% tags=["remove-input"]
sight = Choice("discount", "how far the agent looks ahead, γ", (0.0, 0.5, 0.8, 0.9, 0.95, 0.98), 0.9, low_end="one step", high_end="fifty steps")
watched = Choice("watched", "days of watching another thermostat", (10, 20, 50, 100, 300, 1200), 10, low_end="short", high_end="long")
temperature = Axis("temperature", "temperature, °C", 16, 24, points=PLACES, scale="linear")

other = walk(24 * 96, rng, runs=50)                      # 96 quarters of an hour a day, in other homes
seen = [transitions(*(part[:, :96 * days // 50].ravel() for part in other)) for days in watched.options]
tables = [fitted_q_iteration(states, actions, next_states, middle_reward(next_states), discount=g, n_knots=PLACES).parameters[0].T
          for g in sight.options]
read = np.array([[by_place(read_reward(table, known, g), known) for known in seen] for table, g in zip(tables, sight.options)])
best = np.array([table.max(axis=1) - table.max(axis=1).min() for table in tables])
errors = np.abs(read - middle_reward(places)).max(axis=2) / 0.5 * 100

explore(
    name="far_sighted", sliders=[sight, watched], x=temperature, y=Axis("reward", "reward", -0.1, 1.1, scale="linear"),
    curves=[Curve("read off by the attacker", Table((sight, watched, temperature), read, scale="linear")),
            Curve("what was published: the larger Q, less its minimum", Table((sight, temperature), best, scale="linear")),
            Curve("Vera's comfort", Table((temperature,), middle_reward(places), scale="linear"), reference=True)],
    readouts=[Readout("largest", "largest Q", Table((sight,), [table.max() for table in tables], scale="linear")),
              Readout("error", "largest error of the reading, of the range", Table((sight, watched), errors, scale="linear"), unit=" %")],
    guarantee="No privacy guarantee, at γ = {discount} as at any other: the Q-function is published as it is.",
    alt="The reward read off the Q-function of an agent with discount {discount}, after {watched} days of watching, beside the true tent. "
        "The largest error is {error} per cent of the range of rewards. The published Q has another shape.",
    caption="The attacker never saw Vera's room. What was published is shown less its minimum, so that it fits into the picture.")

# %% tags=["remove-input"]
at = list(sight.options).index
ten, hundred, years = errors[at(0.9)][[0, 3, -1]]
md(f"**What you should see.** The published curve changes with γ: it becomes higher and rounder, and its largest value grows from {tables[0].max():.1f} to "
   f"{tables[-1].max():.0f}. The reading hardly changes. Looking far ahead hides nothing, because the attacker knows γ and subtracts what it "
   f"adds. A hundred days of watching are enough to see the shape. At γ = 0.9 the largest error is {ten:.0f}\u00a0% of the range after ten days, "
   f"{hundred:.0f}\u00a0% after a hundred, and {years:.0f}\u00a0% after three years.")

# %% tags=["remove-cell"]
assert errors[:, 1:].max() < 60 and errors[at(0.98), -1] < errors[at(0.0), -1] + 30, errors
assert (np.abs(places[read[:, 2:].argmax(axis=2)] - 0.5) < 0.15).all()

# %% [markdown]
# Reading rewards off behaviour is a field of its own, *inverse reinforcement learning*. With the whole Q-function at hand it is easy. {doc}`../01_foundations/05_what_leaks` adds noise to each number of the table, and shows how much of it an attacker
# can take.
#
# ## What should be hidden
#
# In this chapter one record is one **reward function**, the whole of it. That fits Vera: everything that the thermostat knows of her is
# in her rewards. Which differences between two reward functions should be hidden? Two reward functions $r$ and $r'$ are
# **neighbours** if they differ by at most η at every temperature:
#
# $$\lVert r - r' \rVert_\infty = \max_s \lvert r(s) - r'(s) \rvert \le \eta .$$
#
# The number η is a choice, and the most important one of this chapter. With $\eta = 0.01$ a promise hides the details: nobody can
# tell whether Vera likes 21 °C a little more or a little less. With $\eta = 0.5$ it hides everything, because no two rewards between 0 and ½
# differ by more. An agent from which everything is hidden cannot learn anything. We come back to this on {doc}`04_what_is_possible`.
#
# Two things are *not* protected in this chapter: which temperatures occurred, and how temperatures move.
#
# ## Where we are going
#
# In 2019 Wang and Hegde {cite:p}`wang2019` asked how to hand out a Q-function of a *continuous* state, such as a temperature, and to
# keep the reward function private. They were among the first to ask. Their test problem is our thermostat in other words: a
# walk on the interval from 0 to 1 that is paid most in the middle. Their answer has two parts. The first is noise that is itself a curve, and it
# is sound: {doc}`02_a_random_curve`. The second puts this noise into the training, and there the promise is lost:
# {doc}`03_the_promise`.
#
# ## Check yourself
#
# **1. The maker publishes only which action is best at each temperature, and not the Q-function. What does an attacker learn?**
#
# ```{dropdown} Nothing about the rewards.
# The best action changes at 20 °C. So rewards are higher near 20 °C than far from it.
# ```
# ```{dropdown} Where Vera is most comfortable, but not how much the reward falls on either side.
# ✓ Yes. Many reward functions have the same best actions. That is less than the Q-function tells, and it is not nothing.
# ```
# ```{dropdown} Just as much as from the Q-function.
# The subtraction needs the numbers. Actions alone do not determine the rewards: twice the reward gives the same actions.
# ```
#
# **2. Which rewards are neighbours for η = 0.1?**
#
# ```{dropdown} Any two that differ at one temperature only.
# The difference may be at all temperatures at once. But nowhere may it be larger than 0.1.
# ```
# ```{dropdown} A reward function, and the same plus 0.1 at every temperature.
# ✓ Yes. The difference is 0.1 everywhere, and that is allowed.
# ```
# ```{dropdown} Vera's tent, and a tent with its peak at 22 °C instead of 20 °C.
# At 24 °C they differ by 0.25.
# ```
#
# ## To take away
#
# * A Q-function contains the rewards. Bellman's equation, read backwards, takes them out by subtraction.
# * The attacker needs to know how states move, and that can be learned anywhere. Looking far ahead is no protection.
# * One record is the whole reward function. Neighbours differ by at most η everywhere, and η says how much is to be hidden.

# %% tags=["remove-cell"]
shifted = np.maximum(0, 0.5 - np.abs(places - 0.75))     # what the second question says
assert abs(shifted[-1] - middle_reward(places)[-1] - 0.25) < 1e-12
