# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on privacy statements: what a reader can believe, proved and checked, and what the package refuses to write.'
# ---

# %% [markdown]
# # Statements, checked
#
# ```{admonition} What this page establishes
# :class: tip
# * Two releases of the same stays add up exactly to the promise that is signed. What a reader can guess or believe afterwards is bounded, by proof and by
#   three checks. The package refuses to write statements for promises that cannot be added, or that are refuted. Three exercises are at the end.
# * **Behind.** {doc}`../03_decide`.
# ```

# %% tags=["parameters"]
effort = 1.0            # the fraction of the full work
seed = 2025             # all randomness comes from here
epsilon, delta = 1.0, 1e-7
n_stays = 50_000

# %% tags=["hide-input"]
from dataclasses import replace

import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.special import expit, log_ndtr, logit, ndtr, ndtri

from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_sufficient_statistics, first_visit_statistics)
from privrl_core.world import DEATH, icu_sepsis, sample_episodes
from privrl_core.pages import Exercise, close_to
from privrl_core.formatting import at_most, power, show
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, largest
from privrl_core.offline import dp_treatment_policy, severity_groups, count_terminal_decisions
from privrl_core.privacy import (
    ADD_OR_REMOVE_ONE, REPLACE_ONE, TRAJECTORY, Guarantee, Status, belief_ceiling,
    gaussian_epsilon, gaussian_mu, privacy_statement, right_guess_ceiling)
from privrl_core.functional_noise import q_learning_as_run_by_authors, release_reward_once

use_stays = n_stays if effort > 0.2 else 2_000
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world's, and the noise's

# %% [markdown]
# ## From the decision to the signature
#
# The hospital of chapter 4 (simulated, on the model of sepsis) wants to publish two things made of the same stays: how many survive,
# by severity; and a treatment for each state. The first is a table of values, of the expert's practice, in three public groups: *sums, once*. The
# second: *last decisions*. It wants to sign for ε = 1 in all, at a δ so small that even a mechanism that hands out each record with probability δ
# would almost surely hand out none: with $n$ stays, $n\delta$ is to be at most a hundredth.

# %%
clinic = icu_sepsis()
groups, expert = severity_groups(clinic), clinic.expert_policy
stays = sample_episodes(clinic.to_the_end(), expert, use_stays, rng,
                        max_length=60)

# %% [markdown]
# What μ may each of the two have? Squares add up, so half of $\mu^2$ for each:

# %%
mu_each = gaussian_mu(epsilon, delta) / np.sqrt(2)

def epsilon_of(mu):
    """The ε of this μ at our δ, which is what mechanisms ask for."""
    return gaussian_epsilon(delta, mu)

half = dict(epsilon=epsilon_of(mu_each), delta=delta)

# %%
everybody = np.append(groups[:DEATH], [3, 3, 3])   # 3: outcomes
by_group = replace(stays, states=np.where(
    stays.states >= 0, everybody[stays.states], -1))
counted = first_visit_statistics(by_group, 4, 1.0, return_bound=1.0)
sums = FirstVisitStatistics(         # the outcomes need no noise
    counted.visits[:3], counted.return_sums[:3], use_stays, 1.0)
table = dp_sufficient_statistics(
    sums, np.eye(3), return_bound=1.0, **half, noise_rng=noise_rng)

policy = dp_treatment_policy(
    count_terminal_decisions(stays, clinic), groups, expert, clinic.admissible,
    **half, noise_rng=noise_rng)

# %% tags=["hide-input"]
true_share = sums.return_sums / sums.visits
pd.DataFrame({"survive, as published": table.parameters, "without noise, for our eyes only": true_share},
             index=["least severe", "in between", "most severe"]).style.format("{:.3f}").set_caption(
    f"Share who survive from the first visit to a group on, {use_stays:,} stays")

# %% [markdown]
# Both guarantees say *one trajectory, replace one*, so the core may add them up, and writes:

# %%
statement = privacy_statement(
    table.guarantee, policy.guarantee,
    released="Survival within 60 steps in three groups of severity, once; "
             "for each state the treatment of the policy. No counts.",
    not_covered=("patients behind the model, which was made from records",
                 "what happens to patients who are treated by the policy"))
statement

# %% tags=["remove-input"]
total = statement.guarantee
assert np.isclose(total.epsilon, epsilon, rtol=1e-3)
assert np.isclose(total.mu, gaussian_mu(epsilon, delta))
md(f"Adding the two ε would have said {at_most(2 * half['epsilon'])} (at twice the δ); the exact sum is **{total.epsilon:.2f}**. "
   f"With {use_stays:,} stays, nδ is {show(use_stays * delta)}. Every ceiling in the text is rounded up. `print(statement)` gives the same in plain text, for "
   "a letter.")

# %% [markdown]
# (statement-sentences)=
# ### What the sentences mean, and where they come from
#
# *One of two neighbouring data sets* is the assumption in the reader's favour: for whoever knows less, and believes that people are
# independent, the ceilings hold all the more. Let $x$ and $x'$ be the two candidates, π the belief in the first, and ℓ the privacy loss of what came out. By Bayes the belief afterwards is
#
# $$\frac{\pi e^\ell}{1 - \pi + \pi e^\ell}.$$
#
# With δ = 0, ℓ is at most ε, so at even odds nobody is ever surer than $e^\varepsilon/(1 + e^\varepsilon)$, 73.1 % at ε = 1. With δ > 0 no such
# sentence holds for every mechanism without an exception: an (ε, δ) mechanism may, with probability δ, give everything away. What holds:
#
# ```{prf:proposition} what somebody can believe
# :label: what-somebody-can-believe
# Of an (ε, δ)-DP release, (i) the best guess between two neighbours at even odds is right with probability at most
# $(e^\varepsilon + \delta)/(e^\varepsilon + 1)$; (ii) ℓ exceeds $\varepsilon + \ln 2$ with probability at most $2\delta$. If the release is μ-GDP, (i) is
# $\Phi(\mu/2)$, and (ii) holds with $\ln 2\delta - \ln \Phi\bigl(\Phi^{-1}(2\delta) - \mu\bigr)$ in place of $\varepsilon + \ln 2$.
# ```
#
# ```{prf:proof}
# (i) A guess has hits $h$ and false alarms $f$, and is right in $\frac12(1 + h - f)$. The promise demands $h \le e^\varepsilon f + \delta$ and
# $1 - f \le e^\varepsilon(1 - h) + \delta$; both are equalities at $h - f = (e^\varepsilon - 1 + 2\delta)/(e^\varepsilon + 1)$, and no point beyond satisfies both.
# For μ-GDP $h \le \Phi(\Phi^{-1}(f) + \mu)$, and $h - f$ is largest at $f = \Phi(-\mu/2)$.
#
# (ii) Let $E$ be the event $\ell > a$, with probability $P$ under the first law and $Q \le e^{-a}P$ under the second. So
# $\delta \ge P - e^\varepsilon Q \ge P(1 - e^{\varepsilon - a})$; take $a = \varepsilon + \ln 2$. For μ-GDP, Neyman and Pearson give
# $Q \ge \Phi(\Phi^{-1}(P) - \mu)$. The right side is convex in $P$ and 0 at 0, so $P/Q \le P/\Phi(\Phi^{-1}(P) - \mu)$, which falls in $P$: if $P$ were
# $2\delta$ or more, ℓ could not exceed the stated bound on all of $E$. As $Q \le P$, the bound holds under both laws.
# ```
#
# Why not the normal law that ℓ has for Gaussian noise, with mean $\mu^2/2$ and variance $\mu^2$? Because what is published is *made of* it: a
# rounded table, a policy, one bit. To merge outcomes makes the surest ones less sure, but more outcomes may be just above a bound. The bound
# in the proposition holds for whatever is made of it, and one bit attains it.
#
# (statement-rho)=
# **From ρ.** Exact noise has no μ but is ρ-zCDP: the Rényi divergence of order α between neighbours is at most αρ. Towards order 1 this bounds the Kullback-Leibler divergence by ρ, so by Pinsker's inequality the total
# variation is at most $\sqrt{\rho/2}$, and the best guess at even odds is right with probability at most $\frac12 + \frac12\sqrt{\rho/2}$. For the belief, take $E$, $P$, $Q \le e^{-a}P$ as above. From
# $P^\alpha Q^{1-\alpha} \le e^{(\alpha - 1)\alpha\rho}$ follows $P \le e^{(\alpha - 1)(\alpha\rho - a)}$, which is smallest at $\alpha = (a + \rho)/2\rho$: there $P \le e^{-(a - \rho)^2/4\rho}$. So ℓ exceeds
# $\rho + 2\sqrt{\rho\ln(1/2\delta)}$ with probability at most 2δ. `privacy_statement` does not use this, and its letters for exact noise are on the safe side.
#
# *Checked* against a law that attains (i), by sampling, and with the bit:

# %%
def proved(epsilon, delta, mu=None):
    return Guarantee(epsilon, delta, TRAJECTORY, REPLACE_ONE,
                     Status.PROVED, "for this cell", mu=mu)

pure = proved(epsilon, 0.0)                     # randomised response
coin = np.exp([epsilon, 0]) / (1 + np.exp(epsilon))
posterior = coin / (coin + coin[::-1])
guessed = np.maximum(coin, coin[::-1]).sum() / 2
assert np.isclose(belief_ceiling(pure)[0], posterior.max())
assert np.isclose(right_guess_ceiling(pure), guessed)

rough = proved(epsilon, 0.05, float(gaussian_mu(epsilon, 0.05)))
belief, exception = belief_ceiling(rough)       # exception: 0.1
draws = rough.mu + noise_rng.standard_normal(200_000)
believed = expit(rough.mu * draws - rough.mu**2 / 2)
assert np.mean(believed > belief) < exception   # of all draws

rho = rough.mu**2 / 2                           # Gaussian noise has both
assert ndtr(rough.mu / 2) <= 0.5 + np.sqrt(rho / 2) / 2
assert logit(belief) <= rho + 2 * np.sqrt(rho * np.log(1 / exception))

above = rough.mu - ndtri(exception)             # the bit "y > above"
told = (draws > above).mean()                   # 0.1; five errors:
assert abs(told - exception) < 0.0035
assert np.isclose(belief, exception / (exception + ndtr(-above)))

# %% [markdown]
# ### Explore: what would they know?
#
# All ceilings with sliders for ε, δ and what was believed before. The curve for any (ε, δ) release is flat in the middle: there the worst mechanism is randomised response, whose best guess is to believe its
# answer, and this guess is right with the same probability whatever was believed before.

# %% tags=["remove-input"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, epsilon, points=41, steps=40, low_end="wider noise", high_end="narrower noise")
delta_choice = Choice("delta", "δ", ("10⁻⁹", "10⁻⁷", "10⁻⁵", "10⁻³"), power(round(np.log10(delta))), low_end="wider noise", high_end="narrower noise")
prior = Slider("prior", "believed before", 0.01, 0.99, 0.5, points=99, steps=98, scale="linear", low_end="unlikely", high_end="likely")
def gaussian_guess(mu, prior):
    t = mu / 2 + np.log((1 - prior) / prior) / mu
    return prior * ndtr(mu - t) + (1 - prior) * ndtr(t)

def gaussian_belief(mu, prior, delta):
    return expit(np.log(prior / (1 - prior)) + np.log(2 * delta) - log_ndtr(ndtri(2 * delta) - mu))

# the sliders stop at the points of these tables only, so nothing between them has to be rounded up
deltas = np.array([1e-9, 1e-7, 1e-5, 1e-3])
mu = np.array([[gaussian_mu(e, d) for d in deltas] for e in epsilon_slider.grid])[:, :, None]
gaussian = Table((epsilon_slider, delta_choice, prior), gaussian_guess(mu, prior.grid), scale="linear")
belief = Table((epsilon_slider, delta_choice, prior), gaussian_belief(mu, prior.grid, deltas[:, None]), scale="linear")
middle = Table((epsilon_slider, delta_choice), expit(epsilon_slider.grid)[:, None] + deltas * expit(-epsilon_slider.grid)[:, None], scale="linear")
nothing = largest(Table.of(lambda prior: prior, prior, scale="linear"), Table.of(lambda prior: 1 - prior, prior, scale="linear"))
sides = [Table((delta_choice, prior), a + (1 - a) * deltas[:, None], scale="linear") for a in (prior.grid, 1 - prior.grid)]
anything = largest(*sides, middle)

for e, p in ((0.5, 0.3), (2.0, 0.9)):
    release = proved(e * (1 + 1e-6), delta, float(gaussian_mu(e, delta)))
    assert np.isclose(gaussian_guess(release.mu, p), right_guess_ceiling(release, p))
    assert np.isclose(gaussian_belief(release.mu, p, delta), belief_ceiling(release, p)[0])

explore(
    name="what_would_they_know", sliders=[epsilon_slider, delta_choice, prior], x=prior, y=Axis("share", "probability", 0, 1, scale="linear"),
    curves=[Curve("right guess, Gaussian release", gaussian, at_most=True), Curve("right guess, any (ε, δ) release", anything, at_most=True),
            Curve("belief, Gaussian release", belief, at_most=True), Curve("right guess without the release", nothing, reference=True)],
    readouts=[Readout("guess", "right guess, Gaussian, at most", gaussian, digits=4, at_most=True), Readout("any", "right guess, any mechanism, at most", anything, at_most=True),
              Readout("sure", "belief, Gaussian, at most (but for 2δ)", belief, at_most=True), Readout("before", "right guess without it", nothing)],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one trajectory (replace one): against somebody who knows all other trajectories, and "
              "that yours is one of two. Proved, for both kinds of release.",
    alt="What somebody can know after a release of ε = {epsilon}, δ = {delta}, against what they believed before. A reader who was {prior} sure guesses right at most {guess} of the "
        "time after a Gaussian release, {any} after some other; without it {before}. Their belief is at most {sure}.",
    caption="Ceilings for the best reader there could be; most know much less.")

# %% [markdown]
# **What you should see.** A release of another kind, with the same ε and δ, may tell more than a Gaussian one. At even odds and ε = 1 its best guess may be right 73.2 times in 100, against fewer than 54 for Gaussian noise.
#
# (refuses-to-write)=
# ### What it refuses to write
#
# A statement is worth something because some cannot be had. Promises for different secrets are not added:

# %%
reward = release_reward_once(
    epsilon=1.0, delta=delta, eta=0.01, n_steps=500,
    rng=rng, noise_rng=noise_rng).guarantees[0]

def refusal(*guarantees):
    try:
        privacy_statement(*guarantees, released="a table, and more")
    except ValueError as error:
        return md(f"> {error}")

refusal(table.guarantee, reward)

# %% [markdown]
# Nor are two neighbour relations of one and the same release; nor is anything signed that is refuted. What is only *claimed* may be written
# down, and says so in every sentence:

# %%
without_noise, with_noise = q_learning_as_run_by_authors(
    sigma=[0.0, 0.4], runs=2, n_episodes=10, epsilon=0.9, delta=1e-4,
    rng=rng, noise_rng=noise_rng).guarantees
refusal(table.guarantee, policy.under(ADD_OR_REMOVE_ONE))

# %%
refusal(without_noise)

# %%
claimed = privacy_statement(with_noise, released="A Q-function.")
_, (sentence, _) = claimed.sections[4]
md(f"> {sentence}")

# %% [markdown]
# And it does not know what you did not tell it. It cannot see that settings were tuned on the records, that the exact number of deaths stands in an
# annual report, or that `noise_rng` was seeded with 1; nor that two tables are of different months, so that no stay is in both: it adds them all the
# same. Those lines are in every statement, under *what it does not cover*; whoever signs has read them.
#
# ## Exercises
#
# ```{exercise} Twelve months
# :label: ex-twelve-months
# The hospital wants to publish the table of survival every month for a year, from a log in which each stay appears from its month on, and to
# sign for ε = 1, δ = 10⁻⁵ at the end. Which ε may each table have, if all twelve may contain the same stay? Replace the dots.
# ```

# %%
your_monthly_epsilon = ...

# %% tags=["hide-input"]
Exercise(is_right=close_to(gaussian_epsilon(1e-5, gaussian_mu(1, 1e-5) / np.sqrt(12)), 0.02),
         hint="Squares of μ add up: each table has the μ of the year over √12; then back to an ε at the same δ.").check(your_monthly_epsilon)

# %% [markdown]
# ```{solution} ex-twelve-months
# :class: dropdown
# `gaussian_epsilon(1e-5, gaussian_mu(1, 1e-5) / np.sqrt(12))`, which is 0.26; a twelfth, by adding ε, would be 0.083. If the month of each stay
# is public, and neighbours differ in one stay *of the same month*, tables of this month's stays only would be cheaper still: the stay is then in one
# table, and each may have all of ε = 1. Name the month with `guarantee.about("January")`, and `compose_guarantees` refuses to add
# guarantees about different data.
# ```
#
# ```{exercise} Not quite all
# :label: ex-laplace-on-top
# A colleague adds the number of deaths on the ward, with Laplace noise of ε = 0.2. What does the statement become? Write it with
# `Guarantee(0.2, 0.0, TRAJECTORY, REPLACE_ONE, Status.PROVED, "Laplace noise on a count")`, and say why it now makes two promises.
# ```
#
# ```{solution} ex-laplace-on-top
# :class: dropdown
# ε = 1.2 at the same δ: the Gaussian part is added exactly, the other comes on top. But a release of ε = 0.2 with δ = 0 is also μ-GDP, with
# $\mu = 2\,\Phi^{-1}(e^{0.2}/(1 + e^{0.2}))$ = 0.25; added by squares the whole has μ = 0.33. At this δ that means ε = 1.59, which is worse; the best guess is
# right in 56.6 % at most, where ε = 1.2 alone allows 76.9 %, which is better. Both hold. A Gaussian count with the same standard deviation, 7.1, has
# μ = 0.14, and the whole would have ε = 1.21 and 55.1 %: almost the same ε, and one number for all of it.
# ```
#
# ```{exercise} In the newspaper
# :label: ex-newspaper
# A journalist writes "the chance that an insurer finds out about your illness is at most 73 %, says the hospital". What did the hospital say? Use π = 1 %.
# ```
#
# ```{solution} ex-newspaper
# :class: dropdown
# 73 % is what somebody can come to believe who was 50 % sure *before*, at ε = 1, δ = 0. With π = 1 % it is $e/(99 + e)$ = 2.7 %. Nor is it the chance to "find out": it
# is how sure the best-informed reader could at most become, of one of two things between which they wavered.
# ```
#
# ## To take away
#
# * **Secret, reader, release: in this order**, and the mechanism follows. "None of these fits" is an answer.
# * **A statement adds up everything that was made of the same people**, exactly where noise is Gaussian.
# * **An ε can be said in words**: how often the best guess is right, and how sure it can be; with δ, but for an exception.
# * **What is refuted is not signed**; what is claimed says so; what is not covered is in the text.
#
# ## Further reading
#
# * {cite:t}`dwork2014`: what (ε, δ) means, in a textbook. {cite:t}`dong2022`: guesses, trade-offs and exact sums.
# * {cite:t}`bun2016`: sums of concentrated releases. {cite:t}`kifer2011`: what no promise for one record covers, when people tell about each other.
# * {cite:t}`gottesman2019`: what to ask, besides privacy, before a policy meets a patient.
