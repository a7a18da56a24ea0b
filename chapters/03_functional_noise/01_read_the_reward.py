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
# * **The answer.** No. Bellman's equation, read backwards, turns the Q-function into the rewards, if you know how states move.
# * **What is protected.** Nothing yet. This page says what should be: the whole reward function.
# * **What you need.** {doc}`../01_foundations/01_reinforcement_learning`, and Q-learning from {doc}`the page after it <../01_foundations/01_values_from_records>`.
# * **How long.** About 15 minutes.
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
from privrl_core.pages.game import Curve as Published
from privrl_core.pages.game import Draws, World, play
from privrl_core.world import middle_reward, walk

use_theme()
rng, game_rng, other_rng = np.random.default_rng(seed).spawn(3)
PLACES = 9                                               # every whole degree
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
# to 2 °C, or *cool*, and it gets colder by up to 2 °C. The room stays between 16 and 24 °C.
#
# After each choice the thermostat receives a **reward** between 0 and ½, which is how comfortable Vera is at the temperature that the room has now. The thermostat learns from it which choice
# to make.
#
# Her comfort is nobody's business. It may tell that she is ill, that somebody lives with her, or that she is short of money. A
# clinic that trains an agent is in the same position. Its rewards say how it weighs a patient's health against cost.
#
# The maker never hands out a reward. But it does hand out what was learned, so that other firms can build on
# it. What was learned is the **Q-function**: $Q(s, a)$ is the reward that the agent expects in total if it starts in state $s$,
# takes action $a$, and does what is best from then on. Rewards that come later count less: each step multiplies them by
# $\gamma = 0.9$. Here the state is the temperature, and the Q-function is two curves. The thermostat keeps their values at the nine whole degrees, and joins these by lines.

# %% tags=["remove-cell"]
states, actions, next_states = walk(20_000, rng)
learned = fitted_q_iteration(states, actions, next_states, middle_reward(next_states), discount=discount, n_knots=PLACES)
q = learned.parameters[0].T                              # [place, action]
moves = transitions(states[0], actions[0], next_states[0])
crossing = celsius[np.argmin(np.abs(q[:, 0] - q[:, 1]))]
assert abs(crossing - 20) < 1

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two curves over the temperature from 16 to 24 degrees. The value of heating is higher below 20 degrees, the value of cooling above; they cross at 20 degrees. Both lie between 3 and 4."}}
fig, ax = plt.subplots(figsize=(7.2, 3.0))
for action, (label, x, above) in enumerate((("cool", 23.2, 0.1), ("heat", 16.8, 0.1))):
    ax.plot(celsius, q[:, action], color=PALETTE[action], marker="o", ms=4)
    ax.text(x, np.interp(x, celsius, q[:, action]) + above, label, color=PALETTE[action], weight="bold", ha="center")
ax.set(xlabel="temperature, °C", ylabel="Q", ylim=(q.min() - 0.1, q.max() + 0.25),
       title="What Vera's thermostat publishes: heat on the left, cool on the right");

# %% [markdown]
# The curves say what to do: heat where the curve for heating is higher. Each point is a sum over many quarters of an hour, into a
# future that depends on chance. Can such sums give Vera away?
#
# ### Play: who lives here?
#
# Each round is another home. A person alone has one best temperature, near 20 °C. Two people with different tastes have two, and both suffer in between, near 20 °C. You see one
# curve for each home: the larger of the two Q-values at each temperature, moved up or down so that its mean is 0.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **The published curve of a home has a small dip at 20 °C. How many people live there?** Choose, then play.
#
# * Two
# * One
# * It may be either, equally often.
# ```

# %% tags=["remove-cell"]
HOMES = 250

def homes(people):
    """Rewards [home, temperature] that fall on both sides of about 20 °C; with two people there is a dip in between."""
    middle, dip = game_rng.uniform(19.8, 20.2, HOMES), game_rng.uniform(0.4, 0.5, HOMES)
    fall = game_rng.uniform(*((0.1, 0.2) if people == 1 else (0.14, 0.26)), HOMES)
    away = np.abs(celsius - middle[:, None])
    comfort = 1 - fall[:, None] * away - (people == 2) * dip[:, None] * np.maximum(0, 1 - away / 1.3)
    comfort = np.maximum(0, comfort + 0.015 * game_rng.standard_normal(comfort.shape))
    return 0.5 * comfort / comfort.max(axis=1, keepdims=True)

def trained(rewards):
    """The Q-functions that thermostats learn from these rewards: [home, place, action]."""
    at_once, value = np.einsum("kal,hl->hka", moves, rewards), np.zeros_like(rewards)
    for _ in range(300):
        values = at_once + discount * np.einsum("kal,hl->hka", moves, value)
        value = values.max(axis=2)
    return values

rewards = np.array([homes(1), homes(2)])                 # [people, home, temperature]
tables = np.array([trained(one) for one in rewards])
shapes = tables.max(axis=3) - tables.max(axis=3).mean(axis=2, keepdims=True)     # so that the curve fills the picture
assert np.abs(trained(middle_reward(places)[None])[0] - q).max() < 1e-6

# %% tags=["remove-input"]
play(
    name="who_lives_here", question="Does one person live here, or two with different tastes?",
    worlds=[World("one", "one person", "One person lives here. The reward has a single peak."), World("two", "two people", "Two people live here. The reward has two peaks, and a dip between them.")],
    picture=Published("What the thermostat publishes", x="temperature, °C", y="the larger Q-value, mean 0", first=16, low=-0.12, high=0.16),
    levels=[Draws("no noise", shapes, log_ratios=np.array([[30.0], [-30.0]]) * np.ones((2, HOMES)), ceiling=1.0,
                  guarantee="No privacy guarantee: the Q-function is published as it is.")],
    rounds=10, expects=True,
    caption="Each home has its own taste. The Q-functions are those that thermostats learn from it, γ = 0.9. The picture cuts off the ends of steep curves.",
    alt="The larger of the two Q-values at nine temperatures, for a home whose reward has one peak, or two.")

# %% tags=["remove-cell"]
dips = (shapes[:, :, 3] + shapes[:, :, 5]) / 2 - shapes[:, :, 4]       # how far the curve at 20 °C lies below 19 and 21 °C
assert (dips[0] > 0).all() and (dips[1] > 0).mean() < 0.5 and (dips[0] > 0.0177).mean() > 0.9 and (dips[1] > 0.0177).mean() < 0.06

# %% [markdown]
# **The answer.** One. From 19 or 21 °C the next step may lead to
# the one best temperature. At 20 °C the room is there already, and either action leads away from it. So a person alone makes a dip there. With two people it is flat, or nearly so. The Q-function adds up the comfort of many temperatures, and its shape is not that of
# the reward.
#
# ## Read the equation backwards
#
# The best attacker does not look at shapes, but subtracts, and is always right. The Q-function of a trained agent satisfies **Bellman's equation**. What the agent expects in total is the reward of the next step,
# plus what it expects from there on:
#
# $$Q(s, a) = \underbrace{\bar r(s, a)}_{\text{reward of the next step}} + \gamma \sum_{s'} P(s' \mid s, a)\, \max_{a'} Q(s', a') .$$
#
# $P(s' \mid s, a)$ is the probability that $a$ leads from $s$ to $s'$. {doc}`The page on reinforcement learning <../01_foundations/01_reinforcement_learning>`
# writes the reward of a step as $r(s, a, s')$. Here it depends on the new temperature only, so it is $r(s')$, and $\bar r(s, a)$ is its mean
# over the temperatures to which $a$ may lead.
#
# The agent knows the rewards and looks for $Q$. An attacker knows $Q$ and looks for the rewards. This attacker also has the log of the room's temperatures, and from it the
# probabilities $P$, called `moves`. Then one subtraction is enough:

# %%
def read_reward(q, moves, discount):
    later = discount * q.max(axis=1)     # from each place on
    return q - moves @ later             # the reward of the next step is left

of_actions = read_reward(q, moves, discount)

# %% tags=["remove-cell"]
middle = PLACES // 2
total, future = (round(float(value), 3) for value in (q[middle, 1], discount * moves[middle, 1] @ q.max(axis=1)))
assert abs(total - future - of_actions[middle, 1]) < 0.0011 and abs(total - future - 0.375) < 0.02

# %% tags=["remove-input"]
md(f"**An example.** At 20 °C, *heat* has the Q-value {total:.3f}. Of this, {future:.3f} is the future: γ times what the next temperatures are worth, on average. What is left is the reward of the next step: "
   f"**{total:.3f} − {future:.3f} = {total - future:.3f}**.\n\nIs it right? Vera's comfort is a tent: 0.5 at 20 °C, and 0.125 less for each degree away from it. Heating leads to some temperature between 20 and 22 °C, where it falls from 0.5 to 0.25, "
   f"with a mean of 0.375. The table knows whole degrees only, so steps from 19.7 or 20.3 °C count for 20 °C as well. In this log that makes it {total - future:.3f}. The picture below shows the larger value of the two actions.")

# %% [markdown]
# Nine temperatures and two actions give 18 such numbers, each a mean of the nine rewards that Vera keeps secret, with known weights,
# $\bar r(s, a) = \sum_{s'} P(s' \mid s, a)\, r(s')$. One line solves these **18 linear equations for nine unknowns**.

# %%
def by_place(of_actions, moves):
    return np.linalg.lstsq(moves.reshape(-1, PLACES), of_actions.ravel(), rcond=None)[0]

# %% tags=["remove-cell"]
found = by_place(of_actions, moves)
error = np.abs(found - middle_reward(places)).max()
assert np.allclose(of_actions, reward_from_q(q, moves, discount)) and error < 0.0005
all_found = np.array([[by_place(read_reward(table, moves, discount), moves) for table in one] for one in tables])
assert np.abs(all_found - rewards).max() < 1e-5
better = all_found[:, :, 4] - (all_found[:, :, 3] + all_found[:, :, 5]) / 2    # 20 °C against 19 and 21 °C
assert (better[0] > 0).all() and (better[1] < 0).all()   # so the best attacker of the game is never wrong

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels. Left: the larger Q-value of Vera's thermostat and that of a home with two people, two similar flat hills. Right: what is read off: a tent with one peak at 20 degrees, and a reward with two peaks and a dip between them. Dots lie on the true curves."}}
two = rewards[1, 0]
fig, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.1))
for colour, table, truth in ((PALETTE[1], q, middle_reward(places)), (PALETTE[0], tables[1, 0], two)):
    left.plot(celsius, table.max(axis=1), "o-", ms=4, color=colour)
    right.plot(celsius, truth, color=REFERENCE, lw=5, alpha=0.45)
    right.plot(celsius, by_place(read_reward(table, moves, discount), moves), "o", ms=6, color=colour)
left.set(xlabel="temperature, °C", ylabel="larger Q-value", title="Published")
right.set(xlabel="temperature, °C", ylabel="reward", ylim=(-0.02, 0.62), title="Read off (dots), and secret (grey)")
right.text(20, 0.55, "Vera", color=PALETTE[1], weight="bold", ha="center")
right.text(celsius[-1], 0.55, "two people", color=PALETTE[0], weight="bold", ha="right");

# %% tags=["remove-input"]
md("The secret comes back **at every temperature**, with an error below a thousandth of the range. The published Q-values contain the future, and the future can be computed from "
   "the published Q-values. So the subtraction removes it, however far it reaches.")

# %% [markdown]
# The next attacker has never seen this room, nor its log.
#
# ### Explore: can a far-sighted agent hide its reward?
#
# An agent with $\gamma = 0$ looks one step ahead. With $\gamma = 0.98$ it adds up about fifty steps. The attacker watches another thermostat of the
# same type, in another home, and learns from it how temperatures move.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Is the reward of a far-sighted agent harder to read off?** Choose, then move γ from 0 to 0.98, and then the days.
#
# * No: the error is the same for every γ.
# * Yes: at γ = 0.98 the error is about twice that at γ = 0.
# * Yes: at γ = 0.98 the error is about fifty times that at γ = 0.
# ```

# %% tags=["remove-input"]
sight = Choice("discount", "how far the agent looks ahead, γ", (0, 0.5, 0.8, 0.9, 0.95, 0.98), 0, low_end="one step", high_end="fifty steps")
days = np.array([10, 20, 50, 100, 300, 1200])
watched = Choice("watched", "days of watching another thermostat", tuple(f"{n:,}" for n in days), "50", low_end="short", high_end="long")
temperature = Axis("temperature", "temperature, °C", 16, 24, points=PLACES, scale="linear")

far = [fitted_q_iteration(states, actions, next_states, middle_reward(next_states), discount=g, n_knots=PLACES).parameters[0].T
       for g in sight.options]
ATTACKERS = 20                                           # each watches a home of its own
read = []
for _ in range(ATTACKERS):
    watching = walk(24 * 96, other_rng, runs=50)         # 96 quarters of an hour a day
    seen = [transitions(*(part[:, :96 * n // 50].ravel() for part in watching)) for n in days]
    read.append([[by_place(read_reward(table, known, g), known) for known in seen] for table, g in zip(far, sight.options)])
read = np.array(read)                                    # [attacker, γ, days, temperature]
errors = (np.abs(read - middle_reward(places)).max(axis=3) / 0.5 * 100).mean(axis=0)
per_step = np.array([(1 - g) * table.max(axis=1) for g, table in zip(sight.options, far)])

explore(
    name="far_sighted", sliders=[sight, watched], x=temperature, y=Axis("reward", "reward", -0.1, 0.8, scale="linear"),
    curves=[Curve("read off by one attacker", Table((sight, watched, temperature), read[0], scale="linear")),
            Curve("published: the larger Q-value, times 1 − γ", Table((sight, temperature), per_step, scale="linear")),
            Curve("Vera's comfort", Table((temperature,), middle_reward(places), scale="linear"), reference=True)],
    readouts=[Readout("largest", "highest point of Q, before it is multiplied by 1 − γ", Table((sight,), [table.max() for table in far], scale="linear")),
              Readout("error", "largest error of a reading, of the range", Table((sight, watched), errors, scale="linear"), unit="%")],
    guarantee="No privacy guarantee, at γ = {discount} as at any other: the Q-function is published as it is.",
    alt="The reward read off the Q-function of an agent with discount {discount}, after {watched} days of watching, beside the true tent. "
        "The largest error is {error} per cent of the range of rewards. The published Q has another shape.",
    caption=f"The blue curve is one attacker's, the error a mean over {ATTACKERS} attackers. A Q-value is a sum of about 1/(1 − γ) rewards. Times 1 − γ it is a mean of them, and fits into the picture.")

# %% tags=["remove-input"]
at = list(sight.options).index
md(f"**What you should see.** The far-sighted agent publishes a nearly flat curve: times 1 − γ it varies by {np.ptp(per_step[-1]):.2f} only, where the comfort varies by 0.5. "
   f"The tent can be read off it all the same, with about twice the error, and more days make it smaller. After 50 days the largest error is {errors[at(0), 2]:.0f}\u00a0% "
   f"of the range for γ = 0 and {errors[at(0.98), 2]:.0f}\u00a0% for γ = 0.98. After 1,200 days it is {errors[at(0), -1]:.0f}\u00a0% and {errors[at(0.98), -1]:.0f}\u00a0%. Where more future is subtracted, mistakes "
   "about how temperatures move weigh more, and more watching makes these mistakes smaller. Looking far ahead is a nuisance for the attacker, not a protection.")

# %% tags=["remove-cell"]
assert (np.diff(errors, axis=1) < 0).all(), errors
assert (1.5 < errors[-1, 1:] / errors[0, 1:]).all() and (errors[-1, 1:] / errors[0, 1:] < 2.7).all(), errors
assert errors[at(0.98), -1] < 15 and np.ptp(per_step[-1]) < 0.05
assert (np.abs(places[read[:, :, 3:].mean(axis=0).argmax(axis=2)] - 0.5) < 0.15).all()

# %% [markdown]
# Reading rewards off behaviour is a field of its own, *inverse reinforcement learning*. With the whole Q-function at hand it is easy.
# {doc}`../01_foundations/05_what_leaks` adds noise to each number of the table, and shows how much of it an attacker can take.
#
# ## What should be hidden
#
# The maker still wants to hand out Q-functions, and Vera wants her comfort kept secret. A promise must say what exactly. In this chapter one record is one
# **reward function**, the whole of it, since everything that the thermostat knows of her is in her rewards. And which differences between two reward functions
# should be hidden? Draw a tube of half-width η around Vera's comfort. All reward functions inside it are to look alike.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Vera's tent with a shaded tube of half-width 0.08 around it. A second reward wriggles inside the tube and never leaves it. All lies between 0 and 0.5."}}
tube, fine = 0.08, np.linspace(0, 1, 400)
wriggle = middle_reward(fine) + 0.075 * np.cos(10 * np.pi * fine) * (0.75 + 0.25 * np.sin(7 * fine))
assert np.abs(wriggle - middle_reward(fine)).max() < tube and wriggle.min() > 0 and wriggle.max() < 0.5
fig, ax = plt.subplots(figsize=(7.2, 2.8))
ax.fill_between(16 + 8 * fine, np.maximum(0, middle_reward(fine) - tube), np.minimum(0.5, middle_reward(fine) + tube), color=REFERENCE, alpha=0.25, lw=0)
ax.plot(16 + 8 * fine, middle_reward(fine), color=PALETTE[1], lw=2.4)
ax.plot(16 + 8 * fine, wriggle, color=PALETTE[0], lw=1.8)
ax.text(21.0, 0.48, "Vera's comfort", color=PALETTE[1], weight="bold")
ax.text(17.3, 0.31, "a neighbour", color=PALETTE[0], weight="bold", ha="right")
ax.annotate("", (23, 0.125 + tube), (23, 0.125), arrowprops={"arrowstyle": "<->", "color": "#4a5058", "shrinkA": 0, "shrinkB": 0})
ax.text(23.1, 0.175, "η", color="#4a5058", weight="bold")
ax.set(xlabel="temperature, °C", ylabel="reward", ylim=(-0.02, 0.6), title="Neighbours of Vera's comfort stay inside the tube");

# %% [markdown]
# Two reward functions $r$ and $r'$ are **neighbours** if they differ by at most η at every temperature:
#
# $$\lVert r - r' \rVert_\infty = \max_s \lvert r(s) - r'(s) \rvert \le \eta .$$
#
# The number η is a choice, and the most important one of this chapter. With $\eta = 0.01$ a promise covers
# details only: whether Vera likes 21 °C a little more or a little less. With $\eta = 0.5$ it covers everything, because no two rewards between 0 and ½
# differ by more. But what hides everything can teach hardly anything. We come back to this on {doc}`04_what_is_possible`.
#
# Two things are *not* protected in this chapter: which temperatures occurred, and how temperatures move.
#
# In 2019 Wang and Hegde {cite:p}`wang2019` promised to hand out a Q-function of a *continuous* state, such as a temperature, and to
# keep the reward function private. They were among the first to ask for this. Their test problem is our thermostat in other words: a
# walk on the interval from 0 to 1 that is paid most in the middle. They add noise, and it has to be noise for a whole curve:
# {doc}`02_a_random_curve`. Then there is the promise. Is it kept?
#
# ## Check yourself
#
# **1. The maker publishes only which action is best at each temperature, and not the Q-function. What does an attacker learn?**
#
# ```{dropdown} Nothing about the rewards.
# The best action changes at 20 °C. So rewards are higher near 20 °C than far from it.
# ```
# ```{dropdown} About where Vera, who lives alone, is most comfortable, but not how much the reward falls on either side.
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
# * The attacker needs to know how states move, and that can be learned anywhere. Looking far ahead makes it slower, not impossible.
# * One record is the whole reward function. Neighbours differ by at most η everywhere, and η says how much is to be hidden.

# %% tags=["remove-cell"]
shifted = np.maximum(0, 0.5 - np.abs(places - 0.75))     # what the second question says
assert abs(shifted[-1] - middle_reward(places)[-1] - 0.25) < 1e-12
