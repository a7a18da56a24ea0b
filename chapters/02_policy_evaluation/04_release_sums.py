# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Private policy evaluation today: add noise to two sums per stage, once, and compute every average from them.'
# ---

# %% [markdown]
# # Release sums instead
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Can the clinic publish its values so that one stage with few visitors does not spoil all the others?
# * **The answer.** Yes. Make the sums private from which the averages are computed, and divide afterwards.
# * **What is protected.** One patient's whole trajectory; neighbours replace one.
# * **What you need.** {doc}`01_problem`; a little of {doc}`03_smooth_it`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2016         # all randomness comes from here
n_patients = 10_000
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import show
from privrl_core.pages.game import Beside, Noisy, Number, World, play
from privrl_core.policy_evaluation import (
    dp_lsw, dp_sufficient_statistics, first_visit_statistics, noise_scale_lsw_non_private, tabular_features)
from privrl_core.privacy import GaussianWorlds, calibrate_exact, gaussian_mu
from privrl_core.world import recovery_chain, sample_episodes

use_theme()
rng = np.random.default_rng(seed)
noise_rng = np.random.default_rng([seed, 4])
stages, F, treatment, ones = 40, 1.0, np.ones((40, 1)), np.ones(40)
chain = recovery_chain(initial=np.full(stages, 1 / stages))          # patients are referred at any stage
values = chain.policy_values(treatment)
data = first_visit_statistics(sample_episodes(chain, treatment, n_patients, rng), stages, chain.discount, return_bound=F)

# %% [markdown]
# ## A clinic with a rare stage
#
# In this clinic patients do not all start in stage 1. They are referred to it at any stage, each equally likely. So few patients are ever
# seen in stage 1, and nearly all of them in stage 39.

# %% tags=["remove-input"]
md(f"Of {n_patients:,} patients, {data.visits[0]:,} visit stage 1 and {data.visits[38]:,} visit stage 39. With {{doc}}`smooth noise on the averages <03_smooth_it>`, whose size follows the data, the emptiest stage decides "
   "about the noise of all forty values.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# An average is a sum divided by a count. **Where can one patient move the *sum* of returns further: in a stage with two visitors, or in a stage with ten thousand?**
#
# * with two visitors
# * with ten thousand visitors
# * equally far in both
# ```
#
# **The answer.** Equally far. One patient moves the sum by at most 1, whoever else is there. Only the *average* depends on the others, because it divides by their number: it moves by up to 1/2 with two visitors, and by up to 1/10,000 with ten thousand.
#
# ## The idea
#
# For each stage the clinic needs two numbers: how many patients visited it, and the sum of their returns. One
# patient's record changes each count by at most 1. It changes each sum by at most $F$, a public upper bound of the
# returns; here $F = 1$. These are forty counts and forty sums, each of which moves by at most 1. Together they move by at most $\sqrt{80} \approx 8.94$, and the noise needs a standard deviation of $8.94 / \mu = 8.94 / 0.268 = 33.4$ patients. So:
#
# 1. Add Gaussian noise to the counts and the sums, once.
# 2. Divide. This is post-processing, so it costs nothing. Where a noisy count is below 1, say only that the stage has too few visitors.

# %%
sigma = np.sqrt(2 * stages) / gaussian_mu(epsilon, delta)
noisy_visits = data.visits + sigma * noise_rng.normal(size=stages)
noisy_sums = data.return_sums + sigma * F * noise_rng.normal(size=stages)
published = noisy_sums / noisy_visits

# %% tags=["remove-input"]
by_lsw = dp_lsw(data, tabular_features(stages), ones, return_bound=F, epsilon=epsilon, delta=delta, noise_rng=noise_rng).parameters

smooth_scale = noise_scale_lsw_non_private(data, tabular_features(stages), ones, return_bound=F, epsilon=epsilon, delta=delta, rule=calibrate_exact)

def error(published):
    return np.sqrt(np.mean((published[:-1] - values[:-1]) ** 2))

md(f"That is all. In stage 39, with its {data.visits[38]:,} visitors, noise of {sigma:.1f} patients "
   f"hardly matters. In stage 1 it is {100 * sigma / data.visits[0]:.0f} % of the visitors. The picture shows one draw of each release; bars and band are one standard deviation of its noise:")

# %% mystnb={"image": {"alt": "Published values against stage. The values from noisy sums lie on the true curve and scatter a little in the first stages. The values with smooth noise on the averages scatter widely everywhere, far outside of the range 0 to 1. Bars and a band show one standard deviation of each noise: the bars are long in the first stages and vanish in the later ones, the band is equally wide everywhere."}} tags=["remove-input"]
stage = np.arange(1, stages)
fig, ax = plt.subplots(figsize=(7.2, 3.8))
ax.plot(stage, values[:-1], color=REFERENCE, lw=5, alpha=0.4)
ax.fill_between(stage, values[:-1] - smooth_scale, values[:-1] + smooth_scale, color=PALETTE[1], alpha=0.12, lw=0)
ax.plot(stage, by_lsw[:-1], "x", color=PALETTE[1], ms=5, mew=1.5)
own_scale = sigma * np.sqrt(F**2 + values[:-1] ** 2) / data.visits[:-1]
ax.errorbar(stage, published[:-1], yerr=own_scale, fmt="o", color=PALETTE[0], ms=4)
ax.set_ylim(top=ax.get_ylim()[1] + 0.25)
ax.text(1, ax.get_ylim()[1] - 0.05, "smooth noise on the averages", color=PALETTE[1], weight="bold", va="top", bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1})
ax.text(39, ax.get_ylim()[0] + 0.05, "plain noise on the sums", color=PALETTE[0], weight="bold", ha="right", va="bottom", bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1})
ax.set(xlabel="stage", ylabel="value", title="Each stage pays only for its own visitors");

# %% tags=["remove-input"]
def typical(publish):
    """The root mean square of the error over many draws."""
    return np.sqrt(np.mean([error(publish(np.random.default_rng([seed, 9, k]))) ** 2 for k in range(200)]))

def divided(rng):
    return (data.return_sums + sigma * F * rng.normal(size=stages)) / (data.visits + sigma * rng.normal(size=stages))

def correlated(rng):
    """The package's noise, drawn as on the next page: counts and sums of a stage have a correlation of one half."""
    one, other = np.sqrt(4 / 3 * stages) / gaussian_mu(epsilon, delta) * rng.normal(size=(2, stages))
    return (data.return_sums + F * (one / 2 + np.sqrt(3) / 2 * other)) / (data.visits + one)

def packaged(rng):
    return dp_sufficient_statistics(data, tabular_features(stages), return_bound=F, epsilon=epsilon, delta=delta, noise_rng=rng).parameters

by_chance = data.return_sums[:-1] / data.visits[:-1] - values[:-1]      # without noise
smooth_typical = np.hypot(np.sqrt(np.mean(by_chance**2)), smooth_scale)
md(f"Both releases promise ε = {show(epsilon)} and δ = {show(delta)} for one trajectory (replace one), proved. The band can be drawn because these patients are simulated; a clinic must not show it. Over many draws the root-mean-square error is **{typical(divided):.3f}** "
   f"with this plain noise on the sums and **{smooth_typical:.2f}** with smooth noise on the averages. A stage with many visitors divides the noise by its own large number. "
   "A stage with few visitors remains uncertain, but it no longer spoils the others.\n\n"
   f"**Shaped noise.** A patient who does not visit a stage adds nothing to its sum either, so counts and sums cannot move independently. Noise in the shape of these moves is smaller: a standard deviation of {np.sqrt(4 / 3 * stages) / gaussian_mu(epsilon, delta):.1f} is enough in place of {sigma:.1f}, if the two noises of a stage have a correlation of ½. "
   f"The error is then {typical(correlated):.3f}, and the promise is the same [{{ref}}`proved <sums-theorem>`]. The package draws this noise, and so does the next page.")

# %% tags=["remove-cell"]
assert error(published) < 0.1 < error(by_lsw) and np.isclose(np.sqrt(80), np.sqrt(2 * stages)) and round(sigma, 1) == 33.4
shaped = np.sqrt(np.mean(by_chance**2 + stages / gaussian_mu(epsilon, delta) ** 2 * 4 / 3 * (F**2 - F * values + values**2)[:-1] / data.visits[:-1] ** 2))
assert typical(packaged) < shaped < 0.7 * typical(divided)          # less noise, and a little shrinkage
assert (n_patients, epsilon, seed) != (10_000, 1.0, 2016) or (f"{smooth_typical:.2f}", f"{typical(correlated):.3f}") == ("0.28", "0.020")    # as the next page quotes
assert abs(typical(correlated) / shaped - 1) < 0.05 and round(np.sqrt(4 / 3 * stages) / gaussian_mu(epsilon, delta), 1) == 27.2

# %% [markdown]
# ### Play: Anna, once more
#
# When the noise followed the data, {doc}`its size <02_noise_that_follows>` told you whether Anna was there. Try it with the plain noise on the sums. Anna visited the stages 1 to 39, or in her place there is a patient who is seen in stage 40 only. Subtract the other patients. What is left of the eighty numbers is noise, plus Anna if she was there. The best attacker adds it all up, with more weight where Anna would add more, and scales the total: without noise it would be **1 with Anna and 0 without her**. This total is the dot.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **How often is the best attacker right?** Choose, then play.
#
# * 73 times in 100
# * 55 times in 100
# * more than 99 times in 100
# ```

# %% tags=["remove-input"]
recovered = first_visit_statistics(sample_episodes(recovery_chain(initial=np.eye(stages)[0]), treatment, 1, np.random.default_rng(seed)), stages, chain.discount, return_bound=F)
anna, other = np.concatenate([recovered.visits - np.eye(stages)[-1], recovered.return_sums]), np.concatenate([np.eye(stages)[-1], np.zeros(stages)])
worlds = GaussianWorlds(means=[anna, other], scales=sigma)
total = GaussianWorlds(means=[[1.0], [0.0]], scales=sigma / np.linalg.norm(anna - other))    # of the eighty, weighted by anna - other
assert np.isclose(total.ceiling, worlds.ceiling)
play(
    name="sums_and_anna", question="Are these the sums with Anna, or without her?",
    worlds=[World("with Anna", "with Anna", "These were the sums with Anna."), World("without her", "without her", "These were the sums without her.")],
    picture=Number("What the best attacker looks at", y="what is left, added up; Anna adds 1",
                   beside=[Beside("with Anna: 1", [1], world=0), Beside("without her: 0", [0], world=1)]),
    levels=[Noisy("plain noise on the sums", total, guarantee=f"ε = {show(epsilon)}, δ = {show(delta)} for one trajectory (replace one), proved.")],
    noise=np.random.default_rng(seed + 2).normal(size=16_000), rounds=10,
    caption=f"The noise in each count and sum has a standard deviation of {sigma:.1f} patients, with her and without her. In the total this is {total.scales[0]:.1f} times what Anna adds.",
    alt=f"One number on an axis: 1 with Anna and 0 without her, with noise of standard deviation {total.scales[0]:.1f}.")

# %% tags=["remove-input"]
md(f"**The answer.** {100 * worlds.ceiling:.0f} times in 100, and a coin is right 50 times. The dots of both worlds lie in the same places, because the two marks are only {1 / total.scales[0]:.2f} standard deviations apart. A promise with ε = {show(epsilon)} alone would allow up to 73. "
   "The noise has the same size in both cases, so its size tells nothing, and it may be published.")

# %% [markdown]
# These sums are called **sufficient statistics**: everything that the averages need to know of the data. They are published with the values, so every other analysis of them is free. The principle reaches far
# beyond this clinic. *Where an answer is computed from sums over people, make the sums private and compute the answer afterwards.*
#
# {doc}`/chapters/07_side_by_side/04_your_own_data` makes such a release with the secure random numbers that a real one needs. What this costs, in wrong decisions and in patients, and what you would do today, is on the next page: {doc}`05_what_it_costs`.
#
# ## Check yourself
#
# **The clinic divides each stage into *men* and *women* after the release and asks for two more averages per stage. What does this cost?**
#
# ```{dropdown} Nothing. It is post-processing.
# Only what can be computed from the *released* sums is free. They do not know who is a woman.
# ```
# ```{dropdown} A second release, with noise of its own.
# ✓ Right. The new sums look at the data again. Squares of μ add up. Better: release the finer sums in the first place, and add them up for the
# coarser averages.
# ```
# ```{dropdown} It cannot be done privately.
# It can. It is one more Gaussian release, or a finer one from the start.
# ```
#
# ## To take away
#
# * How far one patient moves an average depends on all the others. How far one patient moves a sum does not.
# * Release the sums once, with noise, and compute every answer from them.
# * Each stage then pays only for its own visitors.
