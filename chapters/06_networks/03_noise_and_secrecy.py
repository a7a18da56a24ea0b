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
# * **The question.** Anna takes part in about five steps of a hundred. How much noise must be in each step, so that nobody can tell?
# * **The answer.** It depends on what an observer knows: that these are her five steps, or only that a secret coin decides in each step whether she comes. The page says how much this matters, and which samples count as secret.
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
from privrl_core.pages.game import Beside, Dial, Draws, Noisy, Stems, World, play
from privrl_core.privacy import GaussianWorlds, gaussian_epsilon, gaussian_mu

torch.set_num_threads(1)
use_theme()
delta = 1e-5
mu = float(gaussian_mu(1, delta))

# %% [markdown]
# ## Find Anna in a hundred steps
#
# A clinic of 5,000 people trains a network in 100 steps. Each step takes about 250 of them, adds up their arrows, each at most C long, and adds noise with standard deviation σC. The number σ is called the **noise multiplier**. All hundred noisy sums are published.
#
# ### Play: did Anna take part?
#
# You know everybody's arrow, and subtract the others from each sum. What is left is noise, and, in the steps in which Anna takes part, her arrow of length 1 C. There are two clinics, with the same noise:
#
# * **The open clinic** has published its appointment book. If Anna takes part at all, it is in steps 51 to 55. Then these five add up to 5 C on average, and otherwise to 0. If she does not, nobody else gets her place in these steps. We call it her *slot*.
# * **The secret clinic** tosses a coin for each person in each step, which shows heads once in 20 times. You are told the coins of all others, and not Anna’s. If she takes part, she is in about five steps, and these may be any.

# %% tags=["remove-cell"]
assert round(1 / mu, 2) == 3.73 and round(10 / mu, 1) == 37.3 and round(mu, 3) == 0.268
in_all, five_known = 10 / mu, np.sqrt(5) / mu
secret = noise_multiplier(1, delta, sampling=0.05, steps=100)
assert np.isclose(noise_multiplier(1, delta, sampling=1, steps=100), in_all) and 2.1 < secret < 2.2 and round(five_known, 1) == 8.3


# %% tags=["remove-cell"]
steps, q, rng = 100, 0.05, np.random.default_rng([seed, 7])
booked = np.zeros(steps)
booked[50:55] = 1

def by_coins(n):
    """What is left of n secret trainings with Anna and of n without, and the best score of each."""
    left = secret * rng.standard_normal((2, n, steps))
    left[0] += rng.random((n, steps)) < q
    return left, np.log1p(q * np.expm1((left - 0.5) / secret**2)).sum(axis=-1)

_, scores = by_coins(40_000)
found = {"open": GaussianWorlds(means=[booked, 0 * booked], scales=secret), "secret": float(np.mean(np.r_[scores[0] > 0, scores[1] < 0]))}
left, scores = by_coins(200)
open_mu = np.sqrt(5) / secret
open_epsilon = float(gaussian_epsilon(delta, open_mu))
assert 0.695 < found["open"].ceiling < 0.703 and 0.54 < found["secret"] < 0.565 and 4.5 < open_epsilon < 5

# %% tags=["remove-input"]
play(
    name="appointment_book", question="Did Anna take part?", publish="Train once",
    worlds=[World("in", "she did", "Anna took part."), World("out", "she did not", "Anna did not take part.")],
    picture=Stems("What is left in each step, in C", x="step", y="noisy sum without the others, in C", low=-8, high=8, key="noisy sum", beside=[Beside("what Anna adds in the open clinic", booked, world=0)]),
    levels=[Noisy("open book", found["open"], guarantee=f"ε = {np.ceil(100 * open_epsilon) / 100:.2f}, δ = 10⁻⁵ for one person’s day, central model, proved, for all 100 steps. Her contribution is set to zero, and her slot stays."),
            Draws("secret book", left, log_ratios=scores, ceiling=round(found["secret"], 3), guarantee="ε = 1, δ = 10⁻⁵ for one person’s day (add or remove one), central model, proved, for all 100 steps, if nobody learns who was in which step.")],
    noise=rng.standard_normal(10_000), dial=Dial("appointment book", low_end="open", high_end="secret", first="On to the secret clinic", next="On to the secret clinic"), stages=("rounds", "dial"), rounds=8, budget=210_000,
    caption="The same noise in both clinics. In the open clinic look at steps 51 to 55.",
    alt="A hundred stems, one for each step: noise, and an arrow of length 1 in the steps in which Anna takes part.")

# %% tags=["remove-input"]
md(f"```{{admonition}} After the game: what you have seen\n:class: note dropdown\nThe best attacker is right in {100 * found['open'].ceiling:.0f} of 100 rounds with the open book: they add up the five sums and look whether the total is above 2.5 C, half of Anna's five arrows. With the secret book it is {100 * found['secret']:.0f} in a simulation of 40,000 trainings, hardly better than a coin. They have to weigh all hundred, and with them the noise of the 95 steps in which Anna never was.\n```")

# %% [markdown]
# ## What secrecy saves
#
# So the open clinic needs more noise for the same promise. How much? Say that K sums all contain her, each with its own noise. Their mean contains her too, and has $\sqrt K$ times less noise. So each sum must have $\sqrt K$ times more noise than one sum alone would need, which is σ = 3.73 for ε = 1 and δ = 10⁻⁵. The open clinic has her in five, so it takes $\sqrt 5 \cdot 3.73 = 8.3$.
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

# %% tags=["remove-input"]
md(f"**What you should see.** About 2: σ = {secret:.2f}, the noise of the game, nearly four times less than the open clinic’s {five_known:.1f}. Both ask equally many people equally often, and differ only in what an observer knows. Now move *q* to 0.5. The secret saves only a factor of {worth[3, 4]:.1f} there, because a sum that has her every second time is nearly a sum that has her. {{ref}}`The evidence <networks-secrecy-worth>` has the two bell curves behind this.")

# %% tags=["remove-cell"]
means = 1000 * in_all / 5_000, 1000 * secret / 250
assert means[0] < means[1] < 1.3 * means[0] and round(secret, 2) == 2.14

# %% tags=["remove-input"]
md(f"""**Should a clinic then take samples at all?** With everybody in all 100 steps σ is {in_all:.1f}, which looks far worse. But training moves along a *mean*. Everybody’s sum is divided by 5,000, which leaves noise of {in_all:.1f} C / 5,000 = {means[0] / 1000:.4f} C. The sample’s smaller σ is divided by only 250, which leaves {means[1] / 1000:.4f} C. So everybody’s mean has even a little less noise, and nothing has to be secret; but samples are twenty times cheaper. The next two pages train many networks, on a quarter of the people in each step. {{doc}}`Page 8 <08_what_you_would_do_today>` trains one, on everybody.""")

# %% [markdown]
# ## What counts as a secret sample
#
# The secret clinic's samples are called **Poisson samples**. They differ in size, which is a nuisance, so many programs do something else: they *shuffle* the list of all people, and deal it out in batches of equal size. Each person then comes exactly once until the list is used up.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two grids of 20 people by 10 steps, with a dot where a person takes part. Left, Poisson: rows with none to four dots, and columns with none to five. Right, a shuffled list: exactly one dot in each row and two in each column."}}
rng = np.random.default_rng([seed, 1])
taken = rng.random((20, 10)) < 0.1
dealt = np.zeros((20, 10), bool)
dealt[rng.permutation(20), np.repeat(np.arange(10), 2)] = True
fig, panels = plt.subplots(1, 2, figsize=(7.6, 3.1), sharey=True)
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
# This list is secret, too. So it is common to compute the noise for Poisson samples, and then to shuffle. Take 100 batches, once through the list. For Poisson samples of one in a hundred, σ = 0.90 would be enough for ε = 1.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **What ε do the shuffled batches keep with this noise?** For Poisson samples the neighbours add or remove one person. A shuffled batch keeps its size, so here Anna’s contribution is set to zero, and her slot stays.
#
# * less than 1, because each person takes part only once, and with Poisson samples some come more often
# * about 1: the two kinds of samples are nearly the same
# * nearly 5, because in a batch of fixed size Anna's slot keeps another person out
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Arrows of three batches of three people. In an ordinary batch three arrows point down, sum minus 3 C. In Anna's batch, if her contribution is zero, two point down, sum minus 2 C. With Anna two point down and hers up, sum minus C."}}
fig, left = plt.subplots(figsize=(6, 2.7))
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
md(f"**The answer.** Nearly 5: ε is at least {down} and at most {up}. Take batches of three. Everybody else's gradient points down with length C, and Anna's points up. Any other batch has the sum −3 C. In her batch nobody else gets her slot, whether she takes part or not. So her batch has −1 C with her, and −2 C if she adds zero. **In both worlds exactly one batch sticks out: by 2 C with her, and by C without her.**\n\n"
   "Once the noise lets an observer find this batch, only one question is left, C or 2 C. That is nearly the question of the open book, which would give 4.94. So shuffling has hidden hardly anything. The lower value {cite:p}`chua2024` holds for {ref}`batches of a fixed size in which her slot stays <networks-neighbours>`.\n\n"
   "Why is the same noise enough for Poisson samples? A coin for Anna keeps nobody out, so without her no batch sticks out at all. And a high sum is most likely mere noise, because each batch has her only once in a hundred times. {ref}`The evidence <networks-shuffled>` has the probabilities, and simulates the observer.")

# %% [markdown]
# For a secret to count, the coins must be tossed anew in each step, and nobody may learn who came, nor how many. {ref}`Five conditions <networks-five-things>` are in the evidence, and a {ref}`second account <networks-accountant>` of the noise.
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
# * A sum in which Anna *may* be tells less than one in which she *is*. Here a secret appointment book saves nearly three quarters of the noise.
# * If a person is in K of the sums and everybody knows which, each takes $\sqrt K$ times the noise of one.
# * Against everybody in each step, samples save work and no noise: everybody's sum needs more of it, but the mean has as little.
# * A shuffled list is no Poisson sample. Accounted as one, it keeps an ε of nearly 5 where 1 was promised.
