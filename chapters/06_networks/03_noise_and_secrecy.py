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
# * **The answer.** It depends on how often a person takes part, and on whether anybody may know *when*. If each step asks a few people at random and the list stays secret, a quarter of the noise is enough that an open list would take. A list that is shuffled and dealt out does not count as such a secret.
# * **What is protected.** One person's day. Neighbours add or remove one person; replacing one stands beside it.
# * **What you need.** {doc}`02_one_person_one_gradient`, and {doc}`how guarantees add up </chapters/01_foundations/06_what_epsilon_means>`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9630         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md
from scipy.interpolate import PchipInterpolator

from privrl_core.networks import noise_multiplier, sampled_gaussian_epsilon, shuffled_epsilon
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore
from privrl_core.privacy import REPLACE_ONE, gaussian_mu

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
# This is exact. No other noise that is Gaussian and the same in each step would do with less.
#
# ## A few people at a time
#
# It is also slow: each step takes the gradients of all 5,000 people of a clinic. Training usually takes a small part of the people in each step, here 250. The other people move nothing in this step.
#
# Let us say how they are chosen. For each step, and for each person, toss a coin that shows heads with probability q = 0.05, and take the person if it does. This is a **Poisson sample**. Nobody but the program may ever know who was in which step. Then an observer of step 7 does not know whether it tells anything about Anna at all.

# %% tags=["remove-cell"]
assert round(1 / mu, 2) == 3.73 and round(10 / mu, 1) == 37.3 and round(mu, 3) == 0.268
in_all, five_known = 10 / mu, np.sqrt(5) / mu
secret = noise_multiplier(1, delta, sampling=0.05, steps=100)
assert np.isclose(noise_multiplier(1, delta, sampling=1, steps=100), in_all) and 2.1 < secret < 2.2 and round(five_known, 1) == 8.3

# %% [markdown]
# Now compare two clinics. Both make 100 steps with about 250 of their 5,000 people, so that each person is in about five.
#
# * **The open clinic** publishes its appointment book: patients 1 to 250 are in step 1, patients 251 to 500 in step 2, and so on, five times round. Each person is in five known steps, so it takes $\sigma = \sqrt 5 / \mu = 8.3$.
# * **The secret clinic** draws Poisson samples with q = 0.05.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How much noise does the secret clinic need in each step, for the same ε = 1?**
#
# * 8.3 as well, because each person is in five steps on average
# * about 6
# * about 2
# ```

# %% tags=["remove-cell"]
epsilon = Slider("epsilon", "privacy loss ε", 0.5, 8, 1, points=13, steps=12, low_end="more private", high_end="less private")
rate = Choice("rate", "share of the people in each step, q", (0.01, 0.05, 0.1, 0.2, 0.5), 0.05, low_end="few", high_end="half of them")
steps = Choice("steps", "steps K", (100, 1000), 100, low_end="short training", high_end="long training")
mus = np.array([float(gaussian_mu(e, delta)) for e in epsilon.grid])

def secret_noise(q, K):
    """The noise at each epsilon: the account at five noises, near what a central limit theorem suggests, and between them by interpolation."""
    tries = np.array([1 / np.sqrt(np.log1p((float(gaussian_mu(e, delta)) / (q * np.sqrt(K))) ** 2)) for e in np.geomspace(0.35, 11, 5)])
    found = [sampled_gaussian_epsilon(noise, delta, sampling=q, steps=K) for noise in tries]
    order = np.argsort(found)
    return np.exp(PchipInterpolator(np.log(np.array(found)[order]), np.log(tries[order]), extrapolate=False)(np.log(epsilon.grid)))

secret_table = np.array([[secret_noise(q, K) for K in steps.options] for q in rate.options]).transpose(2, 0, 1) * 1.005
secret_table[3, 1, 0] = secret                                # where the text quotes it
assert np.isfinite(secret_table).all() and epsilon.grid[3] == 1
open_table = np.sqrt(np.outer(rate.options, steps.options))[None] / mus[:, None, None]
all_table = np.sqrt(np.array(steps.options))[None] / mus[:, None]
where = [(4, 1, 0), (9, 1, 1), (3, 4, 0)]                    # compared with the account itself
off = [secret_table[i, j, k] / noise_multiplier(float(epsilon.grid[i]), delta, sampling=rate.options[j], steps=steps.options[k]) for i, j, k in where]
assert all(1 <= each < 1.015 for each in off), off
assert (secret_table < open_table).all() and (open_table < all_table[:, None]).all()

# %% tags=["remove-input"]
quantity = {name: Table((epsilon, rate, steps), values) for name, values in (("secret", secret_table), ("open", open_table))}
everybody = Table((epsilon, steps), all_table)
explore(
    name="noise_and_secrecy", sliders=[epsilon, rate, steps], x=epsilon, y=Axis("noise", "noise multiplier σ of each step", 0.3, 300),
    curves=[Curve("open book", quantity["open"]), Curve("secret book", quantity["secret"]), Curve("everybody in each step", everybody, reference=True)],
    readouts=[Readout("open", "open book, σ", quantity["open"]), Readout("secret", "secret book, σ", quantity["secret"]), Readout("worth", "secrecy is worth a factor of", quantity["open"] / quantity["secret"]), Readout("all", "everybody, σ", everybody)],
    guarantee="ε = {epsilon}, δ = 10⁻⁵ for one person’s day (add or remove one), central model, proved, for all {steps} steps together; with the secret book only if nobody learns who was in which step.",
    alt="Noise multiplier against ε, both logarithmic, for q = {rate} and K = {steps}. At ε = {epsilon} it is {secret} with a secret appointment book, {open} with an open one and {all} with everybody in each step; secrecy is worth a factor of {worth}.",
    caption="Open book and everybody: exact. Secret book: from above, by about half a percent.")

# %% tags=["remove-input"]
md(f"**What you should see.** About 2: σ = {secret:.2f}, nearly four times less than the open clinic's {five_known:.1f}. This factor is what the secrecy of the appointment book is worth. The two clinics ask equally many people equally often. The only difference is what an observer knows: in the open clinic she knows which five sums to look at, "
   "and in the secret one Anna's five are hidden among a hundred. Move q and ε: secrecy is worth most where few people are asked in each step, and little where half of them are.")

# %% [markdown]
# ## Is a sample better than everybody?
#
# The dotted line is much higher: 37.3 where the secret clinic has 2.14. It looks as if samples were the better way by far. But a sum over all 5,000 people may be noisier than one over 250, since it is divided by more.
#
# ```{admonition} Guess first
# :class: hint guess right-1
# The step goes along the *mean* gradient: the sum divided by 5,000, or by 250. **Whose mean has less noise?**
#
# * everybody's, by a little
# * that of the sample of 250, by far
# * they have the same
# ```

# %% tags=["remove-cell"]
means = 1000 * in_all / 5_000, 1000 * secret / 250
assert means[0] < means[1] < 1.3 * means[0] and round(secret, 2) == 2.14

# %% tags=["remove-input"]
md(f"**The answer.** Everybody's, by a little. Its noise is 37.3 C / 5,000 = {means[0]:.1f} C / 1,000, and that of the sample 2.14 C / 250 = {means[1]:.1f} C / 1,000. Samples do not make training more private for the same noise. They make it twenty times cheaper, for nearly the same. With everybody in each step nothing has to be secret, and the account is exact. So if you can afford it, take everybody.")

# %% [markdown]
# ## What counts as a secret sample
#
# Coins are a nuisance: the samples differ in size, some people come often and others never. Most programs do something else. They *shuffle* the list of all people, and deal it out in batches of equal size. Each person then comes exactly once until the list is used up.

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
assert 4.7 < at_least < at_most < 5 and round(hundred, 2) == 0.90

# %% [markdown]
# The list is secret, too. So it is common to compute the noise for Poisson samples, and to shuffle. Take 100 batches, once through the list: the account for Poisson with q = 0.01 and 100 steps gives σ = 0.90 for ε = 1.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **What ε do the shuffled batches keep with this noise?**
#
# * less than 1, because each person takes part only once
# * about 1: the two kinds of samples are nearly the same
# * more than 4
# ```

# %% tags=["remove-input"]
md(f"**The answer.** More than 4: it lies between {at_least:.2f} and {at_most:.2f}. Here is the reason. A shuffled batch has a fixed size, so each person who is in it keeps somebody else out. Suppose that everybody else's gradient points down with length C, and Anna's points up. Then 99 sums of b people are all −b C, and hers is −(b − 2) C, which sticks out by 2 C. If her contribution is zero, it still sticks out, by C. "
   "So in both worlds the observer sees which batch is hers, at least when the noise happens to help, and has to tell 2 C from C *there*. With Poisson samples nothing sticks out in the world without her, and the observer must look for her among the noise of a hundred steps.")

# %% [markdown]
# The upper value is what an open appointment book would give, so shuffling has hidden hardly anything. The lower one holds for batches of one fixed size, if neighbours differ in a person whose contribution becomes zero {cite}`chua2024`. {doc}`The evidence <evidence/03_slips_and_audits>` simulates the observer.
#
# For the secret to count, five things have to be true:
#
# * each person's coin is tossed anew in each step;
# * nobody learns the lists, and nobody learns how many people were in a step;
# * the sum is divided by the public number qN, and not by the number of people who came;
# * a step in which nobody came gets its noise like every other;
# * nobody can see from the outside who takes part. For records this is easy. If taking part means a visit to the clinic, the waiting room tells.
#
# ## If a person is replaced
#
# So far neighbours *add or remove* a person. If she is *replaced* by another, the sum moves by up to 2C, and twice the noise is surely enough. For samples less will do:

# %% tags=["remove-cell"]
rates = (1, 0.25, 0.05, 0.01)
pair = [(noise_multiplier(1, delta, sampling=q, steps=100), noise_multiplier(1, delta, sampling=q, steps=100, neighbours=REPLACE_ONE)) for q in rates]
ratios = [b / a for a, b in pair]
assert np.isclose(ratios[0], 2) and ratios == sorted(ratios, reverse=True) and ratios[-1] < 1.1

# %% tags=["remove-input"]
md("| 100 steps, ε = 1, δ = 10⁻⁵ | σ, add or remove one | σ, replace one | ratio |\n|---|---|---|---|\n" + "\n".join(f"| {'everybody' if q == 1 else f'q = {q:g}'} | {a:.2f} | {b:.2f} | {b / a:.2f} |" for q, (a, b) in zip(rates, pair)))

# %% [markdown]
# With everybody in each step it is exactly twice. With small samples the noise is narrow, and what protects a person is mostly that she is rarely there. Her replacement is there as rarely, and then both show up in the same way. The account for replacing has {ref}`a pair of its own <networks-replace>` {cite}`lebeda2024`; doubling would be safe, and wasteful.
#
# ```{admonition} Where the numbers come from
# :class: note
# The guarantee of everybody in each step is exact. That of Poisson samples adds up {doc}`privacy losses </chapters/01_foundations/evidence/02_finer_accounting>` numerically, always rounded upwards {cite}`doroshenko2022`; the noise is at most about 0.1 % too large. {ref}`A second account <networks-accountant>`, written independently, agrees.
# ```
#
# ## Check yourself
#
# **A program makes 1,000 steps with Poisson samples. After the training the clinic wants to publish how many people were in each step, for its report. May it?**
#
# ```{dropdown} Yes. A number of people says nothing about Anna.
# It is larger by one if she was there. Somebody who knows the others' coins knows hers.
# ```
# ```{dropdown} Yes, if it publishes only the mean.
# The mean of 1,000 exact numbers is an exact number about her, too. q times the number of people is public anyway, and says the same to a reader.
# ```
# ```{dropdown} No. The account assumes that nobody learns who came.
# ✓ Right. It would have to add noise to the numbers, and to count that as well.
# ```
#
# ## To take away
#
# * σ says how wide the noise is against the clip. K steps with everybody take $\sqrt K$ times the noise of one.
# * Poisson samples take much less if nobody knows who was in which step. The factor is what secrecy is worth; here it is nearly four.
# * Samples save work. Divided by the number of people, their noise is not smaller than that of everybody.
# * A shuffled list is no Poisson sample. Accounted as one, it keeps an ε of more than 4 where 1 was promised.
