# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'From records to a private network, decision by decision: public start, whom to ask, what costs nothing, and a statement to sign.'
# ---

# %% [markdown]
# # What you would do today
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** You hold the days of a few thousand people and want to publish a policy. What do you do, and what do you write under it?
# * **The answer.** Use all that is public first. Release once what a few numbers can carry, and train a network only for the rest. Take everybody in every step if you can. Then plan as long as you like.
# * **What is protected.** One person’s whole day; neighbours add or remove one.
# * **What you need.** {doc}`04_a_model_to_plan_in` and {doc}`05_who_needs_whom`.
# * **How long.** About 10 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9080         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md
from torch import nn

from privrl_core.networks import CLINIC, dp_sgd, logged_days, noise_multiplier, squared_error
from privrl_core.pages import PALETTE, use_theme
from privrl_core.privacy import gaussian_epsilon, gaussian_mu, privacy_statement

torch.set_num_threads(1)
use_theme()
delta, K, some = 1e-5, 100, 250
mu = float(gaussian_mu(1, delta))
days = logged_days(CLINIC, 300, np.random.default_rng(seed)).clamped(inputs=20, labels=2.5).to(dtype=torch.float32)
torch.manual_seed(seed)
public_network = nn.Sequential(nn.Linear(7, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))

# %% [markdown]
# ## First: what need the records not teach?
#
# Every number that the records must teach costs noise. So begin with what everybody may know. In {doc}`our clinic <01_insulin_for_a_day>` doses, meals, their absorption and the loss are public. Only one function is left, and even for that there is a public simulator. It is wrong about this clinic, but a network that was trained in it
# is a good place to start from, and {doc}`with few people it decides <05_who_needs_whom>`.
#
# Choose all settings there as well: the clip C, the learning rate, the number of steps. We did. Settings that are tried on the records are releases, and have to be paid for.
#
# ## Second: one release, or a network?
#
# | If … | then … | because … |
# |---|---|---|
# | few coefficients of public features carry the answer | release second moments once, {doc}`as here <05_who_needs_whom>` | one noise, no account of steps, and everything after it is free |
# | the function needs a network | train it by DP-SGD, from a public start | noise in each step, but features that fit |
# | a rehearsal in the simulator, with as many people as you have, gains nothing | publish the public policy, and say so | noise drowns what the records could teach |
# | people keep coming and are treated by the policy | {doc}`learn on fresh people <06_learning_on_people>` under joint privacy | each person is in one update, so nothing adds up |
#
# Make both, one release and a network, if the budget allows. They disagree where one of them is wrong. {ref}`A value function in place of a model <networks-fitted-q>` costs more for the same ε here, and fails without a public start.
#
# ## Third: whom do you ask in a step?
#
# DP-SGD is mostly run on small random samples, because {doc}`a secret sample needs less noise <03_noise_and_secrecy>`. With a thousand people and 250 of them in a step, σ falls from 37 to 9.5. But the noise is divided by fewer people, too.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# With 10,000 people, ε = 1 and 100 steps, you may take a secret sample of about 250 people in each step, or everybody. **Which way leaves less noise in the mean gradient of a step?**
#
# * the sample, because secrecy comes on top
# * everybody
# * both the same, since the account takes care of it
# ```

# %% tags=["remove-cell"]
people = np.array([300, 1_000, 3_000, 10_000, 30_000, 100_000])
everybody = np.sqrt(K) / mu / people
sampled = np.array([noise_multiplier(1, delta, sampling=some / n, steps=K) for n in people]) / some
ten = list(people).index(10_000)
assert np.isclose(everybody, [noise_multiplier(1, delta, sampling=1, steps=K) / n for n in people]).all()
assert (sampled > everybody * 0.999).all() and round(np.sqrt(K) / mu) == 37 and round(sampled[1] * some, 1) == 9.5

# %% tags=["remove-input"] mystnb={"image": {"alt": "The noise in the mean gradient against the number of people, both axes logarithmic. With everybody in each step it falls in proportion to one over the number of people. With samples of 250 it is the same at 300 and 1,000 people and then levels off, up to seven times higher at 100,000."}}
fig, ax = plt.subplots(figsize=(7.4, 3.4))
ax.plot(people, sampled, "o-", color=PALETTE[1], lw=2.2)
ax.plot(people, everybody, "s-", color=PALETTE[0], lw=2.2)
ax.text(100_000, sampled[-1] * 1.9, "a secret sample of 250", color="#a63d00", weight="bold", ha="right", va="bottom")
ax.text(26_000, everybody[-1] * 1.6, "everybody in each step", color=PALETTE[0], weight="bold", ha="right")
ax.set(xscale="log", yscale="log", xticks=people, xticklabels=[f"{n:,}" for n in people], xlabel="people", ylabel="standard deviation / C", title="Everybody in each step leaves less noise in the mean")
ax.minorticks_off();

# %% tags=["remove-input"]
md(f"**The answer.** Everybody. At 10,000 people the sample leaves {sampled[ten] / everybody[ten]:.1f} times as much noise in every coordinate of the mean gradient, and at 100,000 people {sampled[-1] / everybody[-1]:.1f} times. At a thousand there is no difference. "
   "Samples save computing time, and this is their use. With everybody the account is exact, one line long, and no list of who took part must stay secret. A small network takes tens of thousands of days a second, so that 10,000 people and 100 steps need well under a minute.")

# %% [markdown]
# The curves hold for 100 steps, δ = 10⁻⁵ and *add or remove one*.
#
# ## Fourth: what costs nothing, and what does
#
# | costs nothing | costs privacy |
# |---|---|
# | planning in the model, from several starts, for as long as you like | trying a learning rate on the records |
# | publishing the network of every step, and averaging them | training five networks and keeping the best |
# | a new reward, another horizon, a stricter limit on low glucose | stopping when the error on the records no longer falls |
# | many models from one release, with fresh noise on it | a mean or a standard deviation of the records, to scale the inputs |
# | refusing a policy that does badly in the public simulator | refusing a policy that does badly in the records |
#
# What stands on the left is computed from what was published and from public knowledge. What stands on the right looks at the records once more. Use the left: plan from several starts, and let the {doc}`public gate <04_a_model_to_plan_in>` refuse policies that overdose in the public simulator. A mean risk hides a single disaster, so
# look at the worst run.
#
# ## Fifth: write it down
#
# The release knows its promise. You add what was released and what is not covered.

# %%
release = dp_sgd(
    public_network, squared_error, days, epsilon=1.0, delta=delta, clip=0.1,
    sampling=1, steps=20, nominal_size=300, learning_rate=0.01,
    sample_rng=np.random.default_rng(), noise_rng=np.random.default_rng())
statement = privacy_statement(release, released=(
    "The weights of a network that predicts glucose, and a dosing policy "
    "that was planned in it."), not_covered=(
    "A second day of the same person.", "Settings, if they are ever chosen on records."))

# %% tags=["remove-cell"]
promise = release.guarantees[0]
assert promise.epsilon <= 1 + 1e-9 and promise.mu <= mu * (1 + 1e-9) and "A second day" in str(statement)

# %% tags=["remove-input"]
md("````{admonition} Privacy statement\n\n" + statement.folded() + "\n````")

# %% [markdown]
# **The guarantee.** *Unit:* one person’s day. *Neighbours:* add or remove one. *Model:* central. *Status:* proved, for real numbers as noise.
#
# ## What is not claimed
#
# * **The clinic is invented.** Its bodies follow published equations, but its people, its doctors and its meals are ours. Nothing here is advice for treatment. Whether a policy may be used is decided by a clinical trial and not by a risk on a screen.
# * **A lower risk may come with more lows.** The risk weighs high glucose against low glucose, and some good policies spend more time below 70 mg/dL than the careful doctors. Read {doc}`both numbers <04_a_model_to_plan_in>`, and weigh lows more if you must.
# * **The settings were free only because of the simulator.** A clinic without a public simulator pays for every setting that it tries, or takes the settings of others.
# * **Computers round.** The proofs are about Gaussian noise on real numbers. Ours is drawn in double precision by a generator that is not cryptographic. {doc}`Exact noise </chapters/07_side_by_side/04_your_own_data>` exists for sums of whole numbers. Our training of networks does not have it.
# * **One day a person.** A person with two days in the records moves every sum twice as far, so μ doubles.

# %% tags=["remove-input"]
md(f"With ε = 1 for a day, a person with two days has ε = {np.ceil(100 * gaussian_epsilon(delta, 2 * mu)) / 100:.2f} at the same δ, and not ε = 1.")

# %% [markdown]
# ## The field in three sentences
#
# DP-SGD {cite:p}`abadi2016` works for reinforcement learning as soon as a gradient belongs to a *person* and not to a step, and the way to use it is to learn a model and to plan in it, as {cite:t}`rio2024` propose, because planning is free. How good the result is depends first on what is already public and on how many people there are, and only then on the
# choice between one release and a network. Most errors happen in programs and not in proofs: {doc}`rows in place of people, and shuffles in place of samples <07_find_the_slip>`.
#
# Of {cite:t}`rio2024` we read the abstract and the introduction, and no number of that paper is used here.
#
# ## Check yourself
#
# **You have 5,000 people and a private network with ε = 1. Its policy is too timid at night. You change the loss so that the night counts double, and plan again in the same network. What do you owe?**
#
# ```{dropdown} A second ε = 1, because a new policy is published.
# The new policy is computed from the published network and from a loss that you have chosen. The records are not looked at again.
# ```
# ```{dropdown} Nothing.
# ✓ Right. This is post-processing. It would be different if you had found the fault by looking into the records.
# ```
# ```{dropdown} A factor √2 in μ.
# This would be right for a second network trained on the records with the same noise.
# ```
#
# ## To take away
#
# * Public knowledge first, settings from the simulator, one release where few numbers suffice, a network where they do not.
# * Everybody in each step, if time allows: least noise, an exact account, and no secret list.
# * Everything that is computed from the published model is free. Everything that looks at the records again is a release.
# * A statement names the unit, the neighbours, the model, what is assumed, and what is not covered.
