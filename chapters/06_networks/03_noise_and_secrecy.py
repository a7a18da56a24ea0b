# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'How much noise many steps of training take, what it is worth that nobody knows who took part when, and a shuffled list.'
# ---

# %% [markdown]
# # Noise and secrecy
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Training takes a hundred noisy sums of the same people. How much noise does each of them need?
# * **The answer.** It depends on how often a person takes part, and on whether anybody knows *when*. If each step asks a few people at random and the list stays secret, a quarter of the noise is enough, compared with an open list. A list that is shuffled and dealt out does not count as such a secret.
# * **What is protected.** One person's day. Neighbours add or remove one person, unless a line says otherwise.
# * **What you need.** {doc}`02_one_person_one_gradient`, and {doc}`how guarantees add up </chapters/01_foundations/06_what_epsilon_means>`.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9630         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md
from scipy.interpolate import CubicSpline

from privrl_core.networks import noise_multiplier, sampled_gaussian_epsilon, shuffled_epsilon
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore
from privrl_core.privacy import gaussian_mu

torch.set_num_threads(1)
use_theme()
delta = 1e-5
mu = float(gaussian_mu(1, delta))

# %% [markdown]
# ## Everybody, every time
#
# {doc}`The page before <02_one_person_one_gradient>` ended with one noisy sum: each person moves it by at most C, and the noise has standard deviation σC in each number. The number σ is called the **noise multiplier**. For ε = 1 and δ = 10⁻⁵ one sum takes σ = 3.73.
#
# Training takes many sums. If all people are in all of them, this is {doc}`Gaussian noise used again and again </chapters/01_foundations/06_what_epsilon_means>`. K sums, each with its own noise, tell as much as one sum with noise that is $\sqrt K$ times narrower. So each of a hundred sums needs ten times the noise of one:
#
# $$\sigma = \frac{\sqrt K}{\mu}, \qquad \mu = 0.268 \text{ for } \varepsilon = 1, \qquad \sigma = 37.3 \text{ for } K = 100.$$
#
# This σ is exact, not an upper bound.
#
# ## A few people at a time
#
# Training usually takes a small part of the people in each step, here 250 of the 5,000 of a clinic. The others move nothing in this step. Two reasons are given for it: it saves time, and secrecy saves noise. The first is plainly true. This page looks at the second, and then at what is left of it.
#
# Let us say how the people are chosen. For each step, and for each person, toss a coin that shows heads with probability q = 0.05, and take the person if it does. This is a **Poisson sample**. Nobody but the program may ever know who was in which step. Then an observer of step 7 does not know whether it tells anything about Anna at all.

# %% tags=["remove-cell"]
assert round(1 / mu, 2) == 3.73 and round(10 / mu, 1) == 37.3 and round(mu, 3) == 0.268
in_all, five_known = 10 / mu, np.sqrt(5) / mu
secret = noise_multiplier(1, delta, sampling=0.05, steps=100)
assert np.isclose(noise_multiplier(1, delta, sampling=1, steps=100), in_all) and 2.1 < secret < 2.2 and round(five_known, 1) == 8.3

# %% [markdown]
# Now compare two clinics. Both make 100 steps with about 250 of their 5,000 people, so that each person is in about five.
#
# * **The open clinic** publishes its appointment book in advance: patients 1 to 250 are in step 1, patients 251 to 500 in step 2, and so on, five times round. An observer looks at the five sums with Anna's number. The clinic needs $\sigma = \sqrt 5 / \mu = 8.3$.
# * **The secret clinic** draws Poisson samples with q = 0.05. An observer has to look for Anna in a hundred sums.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How much noise does the secret clinic need in each step, for the same ε = 1?**
#
# * 8.3 as well, because each person is in five steps on average
# * about 6, since a secret helps a little
# * about 2, since a sum says little if she is rarely in it
# ```

# %% tags=["remove-cell"]
epsilon = Slider("epsilon", "privacy loss ε", 0.5, 8, 1, points=13, steps=12, low_end="more private", high_end="less private")
rate = Choice("rate", "share of the people in each step, q", (0.01, 0.05, 0.1, 0.2, 0.5), 0.05, low_end="few", high_end="half of them")
mus = np.array([float(gaussian_mu(e, delta)) for e in epsilon.grid])
# noise_multiplier at ε = 0.5, 1, 2, 4 and 8 takes a minute; it gave these, and one account each checks them
at_nodes = {0.01: (1.1427, 0.9020, 0.7367, 0.5905, 0.4645), 0.05: (3.7397, 2.1423, 1.3445, 0.9395, 0.6957), 0.1: (7.2143, 3.9418, 2.2477, 1.3860, 0.9359), 0.2: (14.2134, 7.6255, 4.1723, 2.3752, 1.4437),
            0.5: (35.2531, 18.7469, 10.0678, 5.5112, 3.1144)}
nodes = np.array([0.5, 1, 2, 4, 8])
for q, found in at_nodes.items():
    for e, noise in zip(nodes, found):
        if effort >= 1 or e == 1:
            assert 0.998 * e < sampled_gaussian_epsilon(noise * 1.0003, delta, sampling=q, steps=100) <= e, (q, e)
between_nodes = 1 + 0.002 * ~np.isin(epsilon.grid, nodes)       # what interpolation may be off by
secret_table = np.array([np.exp(CubicSpline(np.log(nodes), np.log(found))(np.log(epsilon.grid))) for found in at_nodes.values()]).T * 1.0003 * between_nodes[:, None]
secret_table[3, 1] = secret                                     # where the text quotes it
assert epsilon.grid[3] == 1 and abs(secret / at_nodes[0.05][1] - 1) < 5e-4 and np.isin(nodes, epsilon.grid).all() and list(at_nodes) == list(rate.options)
open_table, all_table = np.sqrt(np.array(rate.options) * 100) / mus[:, None], 10 / mus
where = [(1, 0), (11, 1)] if effort >= 1 else [(1, 1)]          # between nodes, where interpolation is worst: compared with noise_multiplier
off = [secret_table[i, j] / noise_multiplier(float(epsilon.grid[i]), delta, sampling=rate.options[j], steps=100) for i, j in where]
assert all(1 <= each < 1.005 for each in off), off
assert (secret_table < open_table).all() and (open_table < all_table[:, None]).all()
worth = open_table / secret_table
assert (round(worth[3, 0], 1), round(worth[3, 4], 1), round(worth[12, 0], 1)) == (4.1, 1.4, 1.3)      # the evidence has them
assert (np.diff(worth[3]) < 0).all() and (worth[12] < 2.1).all() and worth[12, 0] == worth[12].min()

# %% tags=["remove-input"]
quantity = {name: Table((epsilon, rate), values) for name, values in (("secret", secret_table), ("open", open_table))}
everybody = Table((epsilon,), all_table)
explore(
    name="noise_and_secrecy", sliders=[epsilon, rate], x=epsilon, y=Axis("noise", "noise multiplier σ of each step", 0.3, 100),
    curves=[Curve("open book", quantity["open"]), Curve("secret book", quantity["secret"]), Curve("everybody in each step", everybody, reference=True)],
    readouts=[Readout("open", "open book, σ", quantity["open"]), Readout("secret", "secret book, σ", quantity["secret"]), Readout("all", "everybody, σ", everybody)],
    guarantee="ε = {epsilon}, δ = 10⁻⁵ for one person’s day, central model, proved, for all 100 steps together. Open book: her contribution is set to zero, and her slot stays. Secret book, if nobody learns who was in which step, and everybody: add or remove one.",
    alt="Noise multiplier against ε, both logarithmic, for q = {rate} and 100 steps. At ε = {epsilon} it is {secret} with a secret appointment book, {open} with an open one and {all} with everybody in each step.",
    caption="Open book and everybody: exact. Secret book: at most half a percent too large.")

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels with two bell curves each, of standard deviation 2.14. Left, open book: one curve around 0, the other around 1, clearly apart. Right, secret book: one around 0, the other a mixture of 95 percent of it and 5 percent of a curve around 1; the two nearly coincide. An inset shows their difference 20 times as large: a small wave, below zero on the left and above zero on the right."}}
fig, panels = plt.subplots(1, 2, figsize=(8.2, 2.9), sharey=True)
at = np.linspace(-7, 8, 400)

def bell(centre):
    return np.exp(-(((at - centre) / secret) ** 2) / 2) / (secret * np.sqrt(2 * np.pi))

for ax, share, title in zip(panels, (1, 0.05), ("Open book: she is in this step", "Secret book: she is in it once in 20 times")):
    ax.plot(at, bell(0), color=PALETTE[0], lw=2)
    ax.plot(at, (1 - share) * bell(0) + share * bell(1), color=PALETTE[1], lw=2, ls="--")
    ax.set(title=title, xlabel="noisy sum in Anna's direction, in C", yticks=[], ylim=(0, 0.2))
panels[0].text(-2.3, 0.165, "without Anna", color=PALETTE[0], weight="bold", ha="right")
panels[0].text(3, 0.165, "with Anna", color="#a63d00", weight="bold")
panels[1].text(-2.3, 0.165, "without Anna", color=PALETTE[0], weight="bold", ha="right")
panels[1].text(3, 0.165, "with Anna", color="#a63d00", weight="bold")
inset = panels[1].inset_axes([0.66, 0.36, 0.33, 0.34])
inset.plot(at, bell(1) - bell(0), color="#4a5058", lw=1.5)      # 20 times the difference: 1 / 0.05
inset.axhline(0, color="#767676", lw=0.8)
inset.set(xticks=[], yticks=[])
inset.set_title("difference, × 20", fontsize=8.5, color="#4a5058");

# %% tags=["remove-input"]
md(f"**What you should see.** About 2: σ = {secret:.2f}, nearly four times less than the open clinic's {five_known:.1f}. This factor is what the secrecy of the appointment book is worth. The two clinics ask equally many people equally often. They differ in what an observer knows. The picture shows one step of each, with the same noise. In a step where Anna is known to be, her presence moves the bell curve by 1. "
   "In the secret clinic only one twentieth of it moves, and the two curves nearly coincide. The account takes what an observer can learn from this pair of curves, the *dominating pair* of a step, and adds it up over a hundred steps. How much secrecy is worth {ref}`for other shares and other ε <networks-secrecy-worth>` is in the evidence.")

# %% tags=["remove-cell"]
means = 1000 * in_all / 5_000, 1000 * secret / 250
assert means[0] < means[1] < 1.3 * means[0] and round(secret, 2) == 2.14

# %% [markdown]
# ## Is a sample better than everybody?
#
# With everybody in each step σ is 37.3, and the secret clinic has 2.14. It looks as if samples were the better way by far. But the training moves along a *mean*, and a sum over all 5,000 people is divided by more.

# %% tags=["remove-input"]
md(f"""In everybody’s mean the noise is 37.3 C / 5,000 = {means[0]:.1f} C / 1,000, and in that of the sample 2.14 C / 250 = {means[1]:.1f} C / 1,000. So everybody’s mean has even a little less. Samples make training twenty times cheaper, for nearly the same noise. With everybody in each step nothing has to be secret, and the account is exact. If you can afford it, take everybody.""")

# %% [markdown]
# ## What counts as a secret sample
#
# Coins are a nuisance: the samples differ in size, some people come often and others never. Some libraries toss them all the same; Opacus does so unless it is told otherwise. Many training loops do something else. They *shuffle* the list of all people, and deal it out in batches of equal size. Each person then comes exactly once until the list is used up.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two grids of 20 people by 10 steps, with a dot where a person takes part. Left, Poisson: rows with none to four dots, and columns with none to five. Right, a shuffled list: exactly one dot in each row and two in each column."}}
rng = np.random.default_rng([seed, 1])
taken = rng.random((20, 10)) < 0.1
dealt = np.zeros((20, 10), bool)
dealt[rng.permutation(20), np.repeat(np.arange(10), 2)] = True
fig, panels = plt.subplots(1, 2, figsize=(7.6, 3.9), sharey=True)
for ax, who, colour, title in zip(panels, (taken, dealt), (PALETTE[0], PALETTE[1]), ("Poisson: a coin for each dot", "Shuffled: once each, two a step")):
    person, step = np.nonzero(who)
    ax.plot(step + 1, person + 1, "o", color=colour, ms=7)
    ax.set(xlim=(0.3, 10.7), ylim=(0.2, 20.8), xticks=range(1, 11), yticks=[1, 5, 10, 15, 20], xlabel="step", title=title)
panels[0].set(ylabel="person")
panels[0].invert_yaxis();

# %% tags=["remove-cell"]
assert dealt.sum(axis=0).tolist() == [2] * 10 and (dealt.sum(axis=1) == 1).all() and len(set(taken.sum(axis=1))) >= 3
hundred = noise_multiplier(1, delta, sampling=0.01, steps=100)
at_least = float(shuffled_epsilon(hundred, delta, batches=100))
at_most = float(sampled_gaussian_epsilon(hundred, delta, sampling=1, steps=1))
assert 4.7 < at_least < at_most < 5 and round(hundred, 2) == 0.90 and abs(hundred / secret_table[3, 0] - 1) < 1e-3
down, up = np.floor(at_least * 100) / 100, np.ceil(at_most * 100) / 100
assert (down, up) == (4.77, 4.94)                             # the same digits stand on page 7

# %% [markdown]
# The list is secret, too. So it is common to compute the noise for Poisson samples, and then to shuffle. Take 100 batches, once through the list: the account for Poisson with q = 0.01 and 100 steps gives σ = 0.90 for ε = 1.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **What ε do the shuffled batches keep with this noise?**
#
# * less than 1, because each person takes part only once, and with Poisson samples some come more often
# * about 1: the two kinds of samples are nearly the same
# * nearly 5, because in a batch of fixed size Anna's slot keeps another person out
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Arrows of three batches of three people. In an ordinary batch three arrows point down, sum minus 3 C. In Anna's batch, if her contribution is zero, two point down, sum minus 2 C. With Anna two point down and hers up, sum minus C."}}
fig, left = plt.subplots(figsize=(6, 3))
for place, ups, words, sums, colour in ((0, (-1, -1, -1), "any other\nbatch", "−3 C", "#4a5058"), (1.3, (-1, -1), "her batch,\nshe adds zero", "−2 C", PALETTE[0]), (2.6, (-1, -1, 1), "her batch,\nwith Anna", "−1 C", "#a63d00")):
    for k, way in enumerate(ups):
        mine = way > 0
        left.annotate("", (place + 0.3 * (k - 1), 0.5 + 0.42 * way), (place + 0.3 * (k - 1), 0.5 - 0.42 * way), arrowprops={"arrowstyle": "-|>", "color": PALETTE[1] if mine else "#4a5058", "lw": 3 if mine else 1.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14})
    if len(ups) == 2:
        left.plot(place + 0.3, 0.5, "o", color=PALETTE[0], ms=7)
    left.text(place, 1.25, words, ha="center", va="bottom", color=colour, weight="bold", fontsize=9.5)
    left.text(place, -0.15, f"sum {sums}", ha="center", va="top", color=colour, weight="bold")
left.text(1.3, -0.5, "sticks out by C", ha="center", va="top", color=PALETTE[0], fontsize=9)
left.text(2.6, -0.5, "sticks out by 2 C", ha="center", va="top", color="#a63d00", fontsize=9)
left.set(xlim=(-0.6, 3.25), ylim=(-0.8, 1.8), title="Her batch sticks out in both worlds")
left.axis("off");

# %% tags=["remove-input"]
md(f"**The answer.** Nearly 5: ε is at least {down} and at most {up}. Compare a world with Anna and one in which her contribution is zero, and take batches of three. Suppose that everybody else's gradient points down with length C, and Anna's points up. An ordinary batch then has the sum −3 C. Her slot is filled or empty, but nobody else gets it. So her batch has −2 C without her, and −1 C with her. **In both worlds exactly one batch sticks out: by C without her, and by 2 C with her.**\n\n"
   "Why is the same noise enough for Poisson samples? A coin for Anna keeps nobody out. Without her no batch sticks out, and with her only those in which she is, by C. {ref}`The evidence <networks-shuffled>` has the probabilities, and simulates the observer.")

# %% [markdown]
# The upper value is what an open appointment book would give, so shuffling has hidden hardly anything. The lower value {cite:p}`chua2024` holds for batches of a fixed size, if Anna's slot stays and her contribution becomes zero. {ref}`Which neighbours are meant where <networks-neighbours>` is in the evidence.
#
# For the secret to count, five things have to be true:
#
# * each person's coin is tossed anew in each step;
# * nobody learns the lists, nor how many people were in a step;
# * the sum is divided by a public number near qN, and not by the number of people who came;
# * a step in which nobody came gets its noise like every other;
# * nobody can see from the outside who takes part. If taking part means a visit to the clinic, the waiting room tells.
#
# The account of Poisson samples adds up privacy losses numerically, always rounded upwards {cite}`doroshenko2022`, and {ref}`a second account <networks-accountant>`, written independently, agrees.
#
# ## Check yourself
#
# **A program makes 1,000 steps with Poisson samples. After the training the clinic wants to publish how many people were in each step, for its report. May it?**
#
# ```{dropdown} Yes. A number of people says nothing about Anna.
# It is larger by one if she was there. Somebody who knows the others' coins knows hers.
# ```
# ```{dropdown} Yes, if it publishes only the mean.
# The mean of 1,000 exact numbers is an exact number about her, too. The public number near qN says about as much to a reader.
# ```
# ```{dropdown} No. The account assumes that nobody learns who came.
# ✓ Right. It would have to add noise to the numbers, and to count that as well.
# ```
#
# ## To take away
#
# * σ is the standard deviation of the noise in units of the clip. With everybody in all K steps, each step takes $\sqrt K$ times the noise of one.
# * Poisson samples take much less if nobody knows who was in which step. The factor is what secrecy is worth; here it is nearly four.
# * Samples save work. With as many steps, and divided by the number of people, their noise is not smaller than that of everybody.
# * A shuffled list is no Poisson sample. Accounted as one, it keeps an ε of nearly 5 where 1 was promised.
