# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Three questions lead from a secret to a mechanism, or to none; and from a release to a privacy statement that somebody signs.'
# ---

# %% [markdown]
# # Decide, and sign
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** You have data, your hospital wants a result, and you have to sign. Which mechanism do you take, and which sentence do you sign?
# * **The answer.** Ask whose secret it is, from whom it is kept, and what is released. The mechanism follows, or none fits. Then add up everything that is made of the same people, and say it
#   in words.
# * **What is protected.** That is the first thing you decide here.
# * **What you need.** {doc}`01_equal_guarantee`.
# * **How long.** About 20 minutes. A quiz on the chapter is at the end.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0            # the fraction of the full work
seed = 2025             # all randomness comes from here
epsilon, delta = 1.0, 1e-7
n_stays = 50_000

# %% tags=["remove-cell"]
from dataclasses import replace

import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.special import expit, log_ndtr, ndtr, ndtri

from privrl_core.offline import count_terminal_decisions, dp_treatment_policy, severity_groups
from privrl_core.pages.explorer import Axis, Curve, Derived, Readout, Slider, Table, explore, largest, show
from privrl_core.policy_evaluation import FirstVisitStatistics, dp_sufficient_statistics, first_visit_statistics
from privrl_core.privacy import (
    REPLACE_ONE, TRAJECTORY, Guarantee, Status, belief_ceiling, gaussian_epsilon, gaussian_mu, privacy_statement, right_guess_ceiling)
from privrl_core.world import DEATH, icu_sepsis, sample_episodes

use_stays = n_stays if effort > 0.2 else 2_000
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world's, and the noise's

# %% [markdown]
# ## Three questions, in this order
#
# Open what is true for you, then what is true inside (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). The order matters. If you begin
# with the mechanism, you end with a promise to the wrong person.
#
# `````{dropdown} The secret is about the people in the log: patients, pupils, drivers
# **From whom?** Is there somebody who may see all records as they are?
#
# ````{dropdown} Yes: a curator holds the log, and the public sees a result
# **What will be released?**
#
# ```{dropdown} How good a given policy is, state by state
# Few states, or groups that are publicly known: **sums, once**, `dp_sufficient_statistics`
# ({doc}`/chapters/02_policy_evaluation/04_release_sums`). Fix the bound of returns and the groups before you look. States that cannot be grouped:
# *none of these fits*; look for private gradients {cite:p}`xie2019`.
# ```
# ```{dropdown} A treatment for each state, where stays end well or badly
# **Last decisions**, `dp_treatment_policy` ({doc}`/chapters/04_offline_rl/05_clinic`). Where the tables are silent,
# the noise decides: compare with current practice before you use it. It looks at the last decision only. If what a
# treatment does *later* is the point, it is a bet; rehearse it on a public model.
# ```
# ```{dropdown} A plan for a known number of steps
# A few public features that describe state and action: **DP-VAPVI+**, `dp_vapvi_plus` ({doc}`/chapters/04_offline_rl/03_linear`). Few pairs, each
# seen thousands of times at every step, and known rewards: **DP-APVI**, `dp_apvi`, with practical constants
# ({doc}`/chapters/04_offline_rl/02_pessimism`). Neither few features nor few pairs: *none of these fits*; ask for less first.
# ```
# ```{dropdown} A trained network, or its Q-function
# *None of these fits.* The printed Q-learning of chapter 3 protects no person at all. Private gradients with one trajectory as
# the example {cite:p}`abadi2016` are the standard, with a cost that this book has not measured for people.
# ```
# ```{dropdown} A new result every month, from the growing log
# Each release by the mechanism above; **all of them added up**, `compose_guarantees`. Twelve Gaussian releases of μ make
# $\sqrt{12}\,\mu$. If there is no last month, *none of these fits*: decide on an end, or look for continual observation.
# ```
# ```{dropdown} An answer to each person, for themselves
# *None of these fits.* You need the joint model {cite:p}`vietri2020`; see {doc}`/chapters/01_foundations/04_who_is_protected`.
# ```
# ````
# ````{dropdown} No: nobody may
# *None of these fits.* All mechanisms of this book are central. The local model {cite:p}`garcelon2021` costs a fixed factor of people
# ({doc}`02_price_in_data`).
# ````
# ````{dropdown} Many people have several records
# Choose the *person* as the unit. Bound the records of each, k at most, before anything else; then any branch above, with noise for
# $\mu/k$. `guarantee.group(k)` then says what a person with k records is promised, and the statement says so too.
# ````
# `````
#
# `````{dropdown} The secret is what the agent is rewarded for
# **How far apart may two rewards be that nobody must tell apart?** Call it η, everywhere at once.
#
# ````{dropdown} η is small beside the range of rewards
# The task is public but for details: **release the reward once**, at as few places as the task allows, `release_reward_once`; if all hangs on one
# number, `release_contrast_once` ({doc}`/chapters/03_functional_noise/05_today`). Then learn from it with anything, for ever.
# ````
# ````{dropdown} η is as large as the range: everything about it is secret
# *None of these fits*, and at an ε well below 1 nothing can: a learner that cannot tell two tasks apart succeeds on one of them hardly more often
# than a coin ({doc}`/chapters/03_functional_noise/04_what_is_possible`). At ε = 3 this no longer rules anything out, and 3 promises little. More data do not help ({doc}`02_price_in_data`).
# ````
# ````{dropdown} The reward was made from people's clicks, ratings or records
# Then the secret is about *people*: go back to the first branch, with their records as the log.
# ````
# ````{dropdown} The agent explores by looking at the reward
# The states it visits tell of the reward, and *none of the Gaussian releases here* covers them. Explore without looking, or release the reward
# first and explore with the release.
# ````
# `````
#
# `````{dropdown} The secret is something else
# How the world moves (a factory's process, a game's engine), one visit of many, where somebody lives: *none of these fits.* Write down what two
# neighbours would be. If you can say what may differ between them and bound it, chapter 1 tells how to find the noise; if you
# cannot, no ε will mean anything.
# `````
#
# `````{dropdown} Nobody's secret, but I was told to "make it private"
# Ask for the unit, the neighbours and the reader. If nobody knows, the honest statement is that nothing was promised.
# `````
#
# ## From the decision to the signature
#
# The simulated hospital of {doc}`/chapters/04_offline_rl/05_clinic` wants to publish two things from the same stays. One is how many patients survive, in three public groups of severity: *sums, once*. The
# other is a treatment for each state: *last decisions*. It wants to sign for ε = 1 in all. Its δ is to be so small that even a mechanism that hands out each
# record with probability δ would almost surely hand out none.
#
# ```{admonition} Guess first
# :class: hint
# Both releases use Gaussian noise, and both are to have the same μ. **Which ε may each of them have: 0.5, about 0.7, or 1?**
# ```
#
# **The answer.** Squares of μ add up, so each release may have half of $\mu^2$:

# %% tags=["remove-cell"]
mu_each = gaussian_mu(epsilon, delta) / np.sqrt(2)
half = dict(epsilon=gaussian_epsilon(delta, mu_each), delta=delta)
clinic = icu_sepsis()
groups, expert = severity_groups(clinic), clinic.expert_policy
stays = sample_episodes(clinic.to_the_end(), expert, use_stays, rng, max_length=60)
everybody = np.append(groups[:DEATH], [3, 3, 3])   # 3: outcomes
by_group = replace(stays, states=np.where(stays.states >= 0, everybody[stays.states], -1))
counted = first_visit_statistics(by_group, 4, 1.0, return_bound=1.0)
sums = FirstVisitStatistics(counted.visits[:3], counted.return_sums[:3], use_stays, 1.0)      # the outcomes need no noise

# %% tags=["remove-input"]
assert 0.65 < half["epsilon"] < 0.75 if epsilon == 1 else True
md(f"ε = {show(half['epsilon'])} for each, at δ = {show(delta)}. To add up the two ε would have said {2 * half['epsilon']:.2f}, which is true and too pessimistic.")

# %%
table = dp_sufficient_statistics(
    sums, np.eye(3), return_bound=1.0, **half, noise_rng=noise_rng)
policy = dp_treatment_policy(
    count_terminal_decisions(stays, clinic), groups, expert, clinic.admissible,
    **half, noise_rng=noise_rng)

# %% tags=["remove-input"]
true_share = sums.return_sums / sums.visits
pd.DataFrame({"survive, as published": table.parameters, "without noise, for our eyes only": true_share},
             index=["least severe", "in between", "most severe"]).style.format("{:.3f}").set_caption(
    f"Share who survive from the first visit to a group on, {use_stays:,} stays. Each release: ε = {show(half['epsilon'])}, δ = {show(delta)} for one stay (replace one), proved")

# %% [markdown]
# Both guarantees say *one trajectory, replace one*. So the package may add them up, and it writes the statement:

# %%
statement = privacy_statement(
    table.guarantee, policy.guarantee,
    released="Survival within 60 steps in three groups of severity, once; "
             "for each state the treatment of the policy. No counts.",
    not_covered=("patients behind the model, which was made from records",
                 "what happens to patients who are treated by the policy"))
statement

# %% tags=["remove-cell"]
total = statement.guarantee
assert np.isclose(total.epsilon, epsilon, rtol=1e-3) and np.isclose(total.mu, gaussian_mu(epsilon, delta))

# %% [markdown]
# The package {ref}`refuses to write <refuses-to-write>` a statement for promises that cannot be added, or for a promise that is refuted. It cannot see what you did not tell it: settings that were tuned on the records, or an
# exact number in an annual report.
#
# ### Explore: what would they know?
#
# ```{admonition} Guess first
# :class: hint
# An insurer is 10 % sure that you were treated for an illness, and it is the best-informed reader there could be. **How sure can it be after a release with ε = 1 and Gaussian noise: 11 %, 26 % or 73 %?** Decide. Then move
# *believed before* to 0.1, and read the line *belief*.
# ```

# %% tags=["remove-input"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 8, epsilon, points=33, low_end="wider noise", high_end="narrower noise")
delta_slider = Slider("delta", "δ", 1e-9, 1e-2, delta, points=29, low_end="wider noise", high_end="narrower noise")
prior = Slider("prior", "believed before", 0.01, 0.99, 0.5, points=99, steps=98, scale="linear", low_end="unlikely", high_end="likely")
mu_axis = Axis("mu", "μ", 0.01, 8, points=121)
loss_axis = Axis("loss", "largest loss of a μ-GDP release", 0.03, 20, points=121)

of_mu = Table.of(lambda epsilon, delta: gaussian_mu(epsilon, delta), epsilon_slider, delta_slider)
of_loss = Table.of(lambda epsilon, delta: np.log(2 * delta) - log_ndtr(ndtri(2 * delta) - gaussian_mu(epsilon, delta)),
                   epsilon_slider, delta_slider)

def gaussian_guess(mu, prior):
    t = mu / 2 + np.log((1 - prior) / prior) / mu
    return prior * ndtr(mu - t) + (1 - prior) * ndtr(t)

gaussian = Table.of(gaussian_guess, mu_axis, prior, scale="linear")
middle = Table.of(lambda epsilon, delta: expit(epsilon) + delta * expit(-epsilon), epsilon_slider, delta_slider, scale="linear")
nothing = largest(Table.of(lambda prior: prior, prior, scale="linear"), Table.of(lambda prior: 1 - prior, prior, scale="linear"))
sides = [Table.of(function, prior, delta_slider, scale="linear") for function in (
    lambda prior, delta: 1 - prior + prior * delta, lambda prior, delta: prior + (1 - prior) * delta)]
anything = largest(*sides, middle)
belief = Table.of(lambda loss, prior: expit(np.log(prior / (1 - prior)) + loss), loss_axis, prior, scale="linear", tolerance=0.02)

def proved(epsilon, delta, mu):
    return Guarantee(epsilon, delta, TRAJECTORY, REPLACE_ONE, Status.PROVED, "for this cell", mu=mu)

for e, p in ((0.5, 0.3), (2.0, 0.9)):
    release = proved(e * (1 + 1e-6), delta, float(gaussian_mu(e, delta)))
    assert np.isclose(gaussian_guess(release.mu, p), right_guess_ceiling(release, p))
    loss = np.log(2 * delta) - log_ndtr(ndtri(2 * delta) - release.mu)
    assert np.isclose(expit(np.log(p / (1 - p)) + loss), belief_ceiling(release, p)[0])

explore(
    name="what_would_they_know", sliders=[epsilon_slider, delta_slider, prior], x=prior, y=Axis("share", "probability", 0, 1, scale="linear"),
    derived=[Derived(mu_axis, of_mu), Derived(loss_axis, of_loss)],
    curves=[Curve("right guess, Gaussian release", gaussian, at_most=True), Curve("right guess, any (ε, δ) release", anything, at_most=True),
            Curve("belief, Gaussian release", belief, at_most=True), Curve("right guess without the release", nothing, reference=True)],
    readouts=[Readout("guess", "right guess, Gaussian, at most", gaussian, at_most=True), Readout("any", "right guess, any mechanism, at most", anything, at_most=True),
              Readout("sure", "belief, Gaussian, at most (but for 2δ)", belief, at_most=True), Readout("before", "right guess without it", nothing)],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one trajectory (replace one): against somebody who knows all other trajectories, and "
              "that yours is one of two. Proved, for both kinds of release.",
    alt="What somebody can know after a release of ε = {epsilon}, δ = {delta}, against what they believed before. A reader who was {prior} sure guesses right at most {guess} of the "
        "time after a Gaussian release, {any} after some other; without it {before}. Their belief is at most {sure}.",
    caption="Ceilings for the best reader there could be; most know much less.")

# %% tags=["remove-input"]
sure = belief_ceiling(proved(1.0, delta, float(gaussian_mu(1.0, delta))), 0.1)[0]
guess = right_guess_ceiling(proved(1.0, delta, float(gaussian_mu(1.0, delta))), 0.5)
assert 0.2 < sure < 0.35
md(f"**What you should see.** It can become {sure:.0%} sure at most, except with a probability of {show(2 * delta)}. On most days it learns much less: at even odds its best guess is right only "
   f"{100 * guess:.1f} times in 100. A release of another kind, with the same ε and δ, may tell more. The bounds are {{ref}}`proved and checked <statement-sentences>`.")

# %% [markdown]
# ## Before you sign
#
# 1. Is the unit a *person* where people come back?
# 2. Was everything that is called public really fixed before anybody looked?
# 3. Is every number in the report made from a release, every count, error bar and legend?
# 4. Is δ at most a hundredth of one over the number of people?
# 5. Are all other releases of these data in the sum, last year's too?
# 6. Is the noise drawn by a vetted library, with the system's randomness (`privrl_core.offline.discrete_gaussian` for counts)?
# 7. Is the status *proved*, and have you, or somebody you trust, read the proof?
# 8. Would you say the sentence under *what it means* to one of the people in the log?
#
# ## Quiz
#
# **1. A registry protects *one visit* with ε = 0.5, a hospital *one stay* with ε = 2, both by Gaussian noise and at δ = 10⁻⁵. Which promises more to a
# patient with forty visits in one stay?**
#
# ```{dropdown} The registry: its ε is smaller.
# Its ε is for one fortieth of what the patient has in the log.
# ```
# ```{dropdown} The hospital.
# ✓ Yes. For the stay the registry promises a μ forty times as large, and no more: an ε of 40. A smaller unit needs a *much* smaller ε.
# ```
# ```{dropdown} They can't be compared, not even after converting.
# Not ε with ε. But both can be brought to the same unit, and then they can.
# ```
#
# **2. At $n_0$ = 1,000 patients privacy takes twice as many. How many times as many does it take at 100,000?**
#
# ```{dropdown} Hardly more than once: at most 2,000 patients more.
# ✓ Yes. κ = 2 at 1,000 means b/a = 2,000, and at the same ε and δ no study pays more than that.
# ```
# ```{dropdown} Twice.
# That would be so in the local model, where noise averages like people.
# ```
# ```{dropdown} Two hundred times.
# Noise on a sum does not grow with the study.
# ```
#
# **3. Two Gaussian releases of the same stays, each ε = 1 at δ = 10⁻⁵. The statement says ε = 1.47 at δ = 10⁻⁵. Is that an error?**
#
# ```{dropdown} Yes: 1 + 1 = 2.
# Adding is allowed, and true, and too pessimistic for Gaussian noise.
# ```
# ```{dropdown} No: squares of μ add up.
# ✓ Yes: μ grows by √2, and ε at the same δ by a little more than that.
# ```
# ```{dropdown} No, since the second is post-processing.
# It looks at the stays again, so it is not.
# ```
#
# **4. The guide ended at "none of these fits". What now?**
#
# ```{dropdown} Take the mechanism that comes nearest, and call its ε.
# Then the promise is to somebody else. It would be better to promise nothing.
# ```
# ```{dropdown} Use ε = 10, to be on the safe side.
# A larger ε is the less safe side, and the wrong unit stays wrong at every ε.
# ```
# ```{dropdown} Say which neighbours you would need, and look for, or prove, a mechanism for these; or publish less.
# ✓ Yes. To publish less is a mechanism too, and often the best one.
# ```
#
# **5. The statement is signed, and the mechanism right. What can undo the promise?**
#
# ```{dropdown} Nothing; that is what the signature is for.
# Read the list under *what it does not cover*.
# ```
# ```{dropdown} The sentence "the treatment works badly for people like you".
# It may hurt, but it is learned with you in the log or without. The promise never spoke of it, and still holds.
# ```
# ```{dropdown} Settings tuned on the records, or a noise generator with a known seed.
# ✓ Yes. The first is a release that nobody added; with the second, noise can be subtracted.
# ```
#
# ## To take away
#
# * **Secret, reader, release: in this order**, and the mechanism follows. "None of these fits" is an answer.
# * **A statement adds up everything that was made of the same people**, exactly where noise is Gaussian.
# * **An ε can be said in words**: how often the best guess is right, and how sure it can be; with δ, but for an exception.
# * **What is refuted is not signed**; what is claimed says so; what is not covered is in the text.
#
# Further reading:
#
# * {cite:t}`dwork2014`: what (ε, δ) means, in a textbook. {cite:t}`dong2022`: guesses, trade-offs and exact sums.
# * {cite:t}`bun2016`: sums of concentrated releases. {cite:t}`kifer2011`: what no promise for one record covers, when people tell about each other.
# * {cite:t}`gottesman2019`: what to ask, besides privacy, before a policy meets a patient.
