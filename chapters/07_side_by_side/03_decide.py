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
# * **What you need.** {doc}`/chapters/01_foundations/03_noise_that_keeps_it`. {doc}`01_equal_guarantee` helps, but is not needed.
# * **How long.** About 20 minutes, with a quiz at the end.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0            # the fraction of the full work
seed = 2025             # all randomness comes from here
epsilon, delta = 1.0, 1e-7
n_stays = 50_000

# %% tags=["remove-cell"]
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq
from scipy.special import expit, log_ndtr, ndtr, ndtri

from privrl_core.formatting import at_most, round_up
from privrl_core.offline import count_terminal_decisions, dp_treatment_policy, severity_groups
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, largest, show
from privrl_core.policy_evaluation import FirstVisitStatistics, dp_sufficient_statistics, first_visit_statistics
from privrl_core.privacy import (
    REPLACE_ONE, TRAJECTORY, Guarantee, Status, Unit, belief_ceiling, gaussian_epsilon, gaussian_mu, privacy_statement, right_guess_ceiling)
from privrl_core.world import DEATH, icu_sepsis, sample_episodes

use_theme()
use_stays = n_stays if effort > 0.2 else 2_000
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world's, and the noise's

# %% [markdown]
# ## Three questions, in this order
#
# Whose secret is it? From whom is it kept? What is released? The order matters: if you begin with the mechanism, you end with a promise to the wrong person. The guide below asks these questions, so try it on a case.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# A shop trains an agent. Its rewards are made from the clicks of its customers, and what each customer clicked is secret. The shop wants to publish the trained network. **Which mechanism fits?** Choose, then answer the questions of the guide for the shop.
#
# * the reward, released once, with noise before the training
# * noise on what the finished network computes
# * one gradient a person, with noise in every step of the training
# ```
#
# % Each end of the guide is one line: a chapter that has a mechanism for it is named there.
#
# ````{admonition} The guide
# :class: guide
# **Whose secret is it?**
#
# * It belongs to the people in the log: patients, pupils, drivers
#
#   If a person may have several records, the *person* is the unit. Bound the records of each, k at most, before anything else, and take noise for μ/k.
#
#   **From whom is it kept?**
#
#   * From the public, which sees a result. A curator may see the records.
#
#     **What is released?**
#
#     * How good a given policy is, state by state
#
#       **Sums, once**, as in {doc}`/chapters/02_policy_evaluation/04_release_sums`, for few states or publicly known groups. Fix the groups and the bound of returns before you look. Without groups, *none of these fits*; look for private gradients {cite:p}`xie2019`. Function: `dp_sufficient_statistics`.
#
#     * A treatment for each state, where stays end well or badly
#
#       **Last decisions**, as in {doc}`/chapters/04_offline_rl/05_clinic`. Where records are few the noise decides, so compare with current practice. What a treatment does *later* is not looked at; rehearse this on a public model. Function: `dp_treatment_policy`.
#
#     * A plan for a known number of steps
#
#       **DP-VAPVI+**, as in {doc}`/chapters/04_offline_rl/03_linear`, if a few public features describe state and action. **DP-APVI** with practical constants, as in {doc}`/chapters/04_offline_rl/02_pessimism`, if there are few pairs, each seen thousands of times at every step, and rewards are known. Otherwise *none of these fits*; ask for less first. Functions: `dp_vapvi_plus`, `dp_apvi`.
#
#     * A trained network, or its Q-function
#
#       **One gradient a person**, as in {doc}`/chapters/06_networks/02_one_person_one_gradient`: learn a model of the world and {doc}`plan in it </chapters/06_networks/04_a_model_to_plan_in>`, which costs nothing more. With a public simulator a few hundred people may be enough; {doc}`without one it takes more </chapters/06_networks/05_who_needs_whom>`. The printed Q-learning of chapter 3 protects no person at all. Function: `dp_sgd`.
#
#     * A new result every month, from the growing log
#
#       **Each release by its mechanism, and all of them added up.** Twelve Gaussian releases of μ make √12 μ. If the results are sums or counts, a **counter that never stops** publishes them again and again with far less noise, as in {doc}`/chapters/05_online/03_from_tree_to_batches`; it needs to know how many people can come at most. Functions: `compose_guarantees`, `counter`.
#
#     * An answer to each person, for themselves
#
#       **Learning with joint privacy**, as in {doc}`/chapters/05_online/07_a_ward`: counts that never stop, and a plan made from them for each person. A person's own treatment, her household and her second stay are {doc}`not covered, or cost extra </chapters/05_online/09_what_stays_open>`. Function: `private_posterior_sampling`.
#
#   * From everybody: nobody may see the records
#
#     **What is released?**
#
#     * What counts or sums can tell: a share, the better of two treatments, a plan for a small ward
#
#       **Noise on each person's own device, or a shuffler**, as in {doc}`/chapters/05_online/08_nobody_may_see`. Count your people first: with the noise on their own devices it takes very many, as {doc}`02_price_in_data` tells too. With fewer, *none of these fits*.
#
#     * A trained network, or its Q-function
#
#       **None of these fits.** This book has no mechanism for it, and a curator would help only partly: see the answer for the public.
#
# * It is the reward of the agent
#
#   **Whose is this reward?** It may be made from the records of other people.
#
#   * Its owner's, like a goal, a price or a taste
#
#     **From whom is it kept?** First say by how much the reward may change, at every place, and the change still has to stay hidden. Call this η.
#
#     * From the public, which sees what was learned. The trainer may see the reward.
#
#       **What is released?**
#
#       * A policy or a Q-function, and η is small beside the range of rewards
#
#         **The reward, released once**, as in {doc}`/chapters/03_functional_noise/05_today`, at as few places as the task allows. Then learn from it with anything, for ever. Functions: `release_reward_once`, and `release_contrast_once` if all hangs on one number.
#
#       * A policy or a Q-function, and η is as large as the range: everything about the reward is secret
#
#         **None of these fits**, and at an ε well below 1 nothing can: a learner that cannot tell two tasks apart succeeds on one of them {doc}`hardly more often than a coin </chapters/03_functional_noise/04_what_is_possible>`. At ε = 3 this rules nothing out any more, and 3 promises little. {doc}`More data do not help <02_price_in_data>`.
#
#       * The walk itself, and the agent explores by looking at the reward
#
#         **None of these fits.** The states that the agent visits tell of the reward, and the Gaussian releases of this book do not cover the visits. Explore without looking, or release the reward first and explore with the release.
#
#     * From the trainer as well
#
#       **The reward, released once**, by its owner and before training, if η is small beside the range. Only the noisy reward is handed over, so what is released later costs nothing more. If η is as large as the range, *none of these fits*.
#
#   * That of people: it was made from their clicks, ratings or records
#
#     Then the secret is what each of them did. The *person* is the unit, with k records at most.
#
#     **From whom is it kept, and what is released?**
#
#     * From the public: numbers that are sums over these people, like the clicks on each page
#
#       **Sums, once**, as in {doc}`/chapters/02_policy_evaluation/04_release_sums`, with a bound on what one person can add. The reward is made from the noisy sums, and whatever is learned from it costs nothing more.
#
#     * From the public: a network that was trained on them, or its Q-function
#
#       **One gradient a person**, as in {doc}`/chapters/06_networks/02_one_person_one_gradient`, over all that one person did. A reward released once hides small changes of the reward as a whole, and not what one person did. Function: `dp_sgd`.
#
#     * From everybody: nobody may see what one of them did
#
#       **Noise on each person's own device, or a shuffler**, as in {doc}`/chapters/05_online/08_nobody_may_see`, if counts are enough. Otherwise *none of these fits*.
#
# * It is something else: how a factory works, one visit of many, where a person lives
#
#   **Can you say what may differ between two neighbours, and bound it?**
#
#   * Yes
#
#     **Noise for this bound**, as in {doc}`/chapters/01_foundations/03_noise_that_keeps_it`. No mechanism of this book was made for it, so its proof is yours. From whom it is kept and what is released decide where the noise goes, as above.
#
#   * No
#
#     **None of these fits.** As long as nobody can say what may differ, no ε will mean anything.
#
# * Nobody's, but I was told to "make it private"
#
#   **Ask for the unit, the neighbours and the reader.** If nobody knows, the honest statement is that nothing was promised.
# ````
#
# **The answer.** *One gradient a person*. Two ways lead there: *the people in the log*, or *the reward of the agent* and then *that of people*. The secret is what each customer did, and a reward released once does not hide that. Noise on what the network computes would need a bound on how far one
# customer can move the finished network, and no such bound is known. In training there is one: each customer's gradient is clipped before all are added up. Four of the 18 ends of the guide read *none of these fits*, and this is an answer too.
#
# ```{dropdown} All ends of the guide
# The *owner of the reward* has to say how much it may change at every place; this is η. The *walk* is the list of states that the agent visits.
#
# | whose secret | from whom | what is released | end |
# |---|---|---|---|
# | people in the log | the public | values of a policy | sums, once |
# | | | a treatment for each state | last decisions |
# | | | a plan for some steps | DP-VAPVI+, or DP-APVI |
# | | | a trained network | one gradient a person |
# | | | a new result every month | all added up, or a counter |
# | | | an answer to each person | learning with joint privacy |
# | | everybody | counts, or a plan from them | own device, or a shuffler |
# | | | a trained network | none of these fits |
# | the owner of the reward | the public | a policy, small η | the reward, released once |
# | | | a policy, η as large as the range | none of these fits |
# | | | the walk | none of these fits |
# | | the trainer, too | anything learned, small η | the reward, released once |
# | people behind the reward | the public | sums over them | sums, once |
# | | | a network trained on them | one gradient a person |
# | | everybody | counts | own device, or a shuffler |
# | something else | | a bound is known | noise for this bound |
# | | | no bound is known | none of these fits |
# | nobody's | | | ask for unit, neighbours and reader |
# ```
#
# ## From the decision to the signature
#
# The simulated clinic of {doc}`chapter 4 </chapters/04_offline_rl/05_clinic>` has a log of 50,000 stays, and wants to sign for ε = 1 in all. Here is its way through the guide:
#
# 1. **Whose secret?** That of the people in the log. In this simulated clinic nobody comes back, so one stay is one person.
# 2. **From whom?** From the public. The clinic is the curator.
# 3. **What is released?** Two results. One is the share of patients who survive, in three public groups of severity. It ends at *sums, once*: noise on how many came to a group and on how many of them survived. The other is a
#    treatment for each state. It ends at *last decisions*: noise on the counts of what was done last, and how it ended.
#
# Its δ is 10⁻⁷. Why so small? Take a mechanism that publishes each record in full with probability δ, and otherwise nothing. By {prf:ref}`the definition <def-differential-privacy>` it keeps (0, δ)-differential privacy. At δ = 10⁻³ it would hand out 50 of the 50,000 stays on average.
# At 10⁻⁷ the average is 0.005, so it almost surely hands out none. On this page we sign for a hundredth of a record at most.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Both releases use Gaussian noise, and one stay is to move each of them equally far, by μ standard deviations of its noise. **Which ε may each have, if the two together have ε = 1 at the same δ?**
#
# * 0.5
# * About 0.7
# * 1
# ```

# %% tags=["remove-cell"]
assert 2_000 * 1e-3 == 2 and np.isclose(0.01 / 2_000, 5e-6)
clinic = icu_sepsis()
groups, expert = severity_groups(clinic), clinic.expert_policy
stays = sample_episodes(clinic.to_the_end(), expert, use_stays, rng, max_length=60)
everybody = np.append(groups[:DEATH], [3, 3, 3])   # 3: outcomes
by_group = replace(stays, states=np.where(stays.states >= 0, everybody[stays.states], -1))
counted = first_visit_statistics(by_group, 4, 1.0, return_bound=1.0)
sums = FirstVisitStatistics(counted.visits[:3], counted.return_sums[:3], use_stays, 1.0)      # the outcomes need no noise
decisions = count_terminal_decisions(stays, clinic)

# %% tags=["remove-cell"]
each = gaussian_epsilon(delta, gaussian_mu(epsilon, delta) / np.sqrt(2))
half = dict(epsilon=each, delta=delta)
table = dp_sufficient_statistics(
    sums, np.eye(3), return_bound=1.0, **half, noise_rng=noise_rng)
policy = dp_treatment_policy(
    decisions, groups, expert, clinic.admissible, **half, noise_rng=noise_rng)
true_share = sums.return_sums / sums.visits
# what the noise does to a share, from noisy numbers alone: its count and its sum have correlated noise
deviation = table.noise_scale * np.sqrt(4 / 3 * (1 - table.parameters + table.parameters**2)) / table.visits
again = np.random.default_rng(seed + 1)                # the noise once more, two hundred times: only in a simulation
spread = np.std([dp_sufficient_statistics(sums, np.eye(3), return_bound=1.0, **half, noise_rng=again).parameters for _ in range(200)], axis=0)
assert np.allclose(spread, deviation, rtol=0.25) and (np.abs(table.parameters - true_share) < 3 * deviation).all() or effort < 1

# %% tags=["remove-input"]
assert 0.65 < each < 0.75 if epsilon == 1 else True
assert n_stays * 1e-7 == 0.005 and n_stays * 1e-3 == 50 or n_stays != 50_000
whole = gaussian_mu(epsilon, delta)
assert f"{whole:.4f} {whole / np.sqrt(2):.4f} {at_most(each)} {at_most(2 * each)}" == "0.2137 0.1511 0.693 1.39" or (epsilon, delta) != (1, 1e-7)
md(f"**The answer.** {at_most(each)} for each, at δ = {show(delta)}. The two noises are independent, so the two moves stand at right angles, and by Pythagoras the squares of μ add up. The whole ε = 1 is μ = {whole:.4f}, so each release may have {whole:.4f}/√2 = {whole / np.sqrt(2):.4f}, and this is an ε of {at_most(each)}. "
   f"To add up the two ε says {at_most(2 * each)} in all, which is true but larger than it has to be. With 0.5 for each the clinic would add more noise than it has to, and with 1 for each it would break its promise.")

# %% tags=["remove-input"]
assert policy.policy[:DEATH].shape == (713, 25)
by_chance = np.sqrt(table.parameters * (1 - table.parameters) / table.visits)      # of the patients, from noisy numbers alone
assert deviation.max() < by_chance.min() or effort < 1
in_points = f"{np.ceil(1e4 * deviation.max()) / 1e2:.2f}"
md("The first release is small:\n\n| group | least severe | middle | most severe |\n|---|---|---|---|\n| survive the next 60 steps | " + " | ".join(f"{100 * share:.1f}\u00a0%" for share in table.parameters) + " |\n\n"
   f"The noise in a share has a standard deviation of at most {in_points} percentage points. Chance matters more: the standard deviation of a share is up to {100 * by_chance.max():.1f} points between sets of {n_stays:,} stays. "
   f"The second release is one of 25 treatments for each of {DEATH} states.\n\n"
   f"Each release comes with its guarantee, and `guarantees` lists the two. Both protect one stay, *replace one*, so the package may add them up. It writes the statement, and would {{ref}}`refuse to <refuses-to-write>` with a refuted promise:")

# %% tags=["remove-cell"]
STAY = Unit("one stay", "stays")
guarantees = [replace(one.guarantee, unit=STAY) for one in (table, policy)]

# %%
statement = privacy_statement(
    *guarantees,
    released="Survival within 60 steps in three groups of severity, once; "
             "for each state the treatment of the policy. The noisy "
             "counts behind the policy stay with the clinic.",
    not_covered=("patients behind the model, which was made from records",
                 "what happens to patients who are treated by the policy"))

# %% tags=["remove-input"]
words = {"features": "are the three groups", "weights": "are equal for all groups", "return_bound": "is the 1 that a survivor counts", "behaviour policy": "is what the experts do"}
assert all(word in str(statement) for word in words) and f"ρ = {policy.guarantee.mu**2 / 2:.4g}" in str(statement)
md("````{admonition} Privacy statement\n\n" + statement.folded() + "\n````\n\nIn the folded lists, " + ", ".join(f"*{word}* {meaning}" for word, meaning in words.items()) + ", and ρ is μ²/2 of one release.")

# %% tags=["remove-cell"]
total = statement.guarantee
assert np.isclose(total.epsilon, epsilon, rtol=1e-3) and np.isclose(total.mu, gaussian_mu(epsilon, delta))
assert "2 Gaussian releases, μ² added" in str(statement) and "except one stay" in str(statement), str(statement)

# %% tags=["remove-input"]
at_even = Guarantee(epsilon * (1 + 1e-6), delta, STAY, REPLACE_ONE, Status.PROVED, "for this cell", mu=float(gaussian_mu(epsilon, delta)))
right, certain = right_guess_ceiling(at_even), belief_ceiling(at_even)[0]
assert f"{100 / (1 + np.exp(-1)):.2f}" == "73.11"
bare = replace(at_even, mu=None)                       # the same promise, if nothing is known but ε and δ
right_bare, certain_bare = right_guess_ceiling(bare), belief_ceiling(bare)[0]
assert np.isclose(certain_bare / (1 - certain_bare), 2 * np.exp(epsilon), rtol=1e-4)

def up(share):
    return f"{np.ceil(1000 * share) / 10:.1f}"

assert [up(share) for share in (right, certain, right_bare, certain_bare)] == ["54.3", "75.9", "73.2", "84.5"] or (epsilon, delta) != (1, 1e-7)
assert all(f"{up(share)} {words}" in str(statement) for share, words in ((right, "times in 100"), (certain, "% sure"))) or (epsilon, delta) != (1, 1e-7)
# how sure the release leaves the insurer of one of the two stays, whichever is true: its log odds have mean μ²/2 and standard deviation μ
def at_least(sure, mu=at_even.mu):
    """The share of releases after which the insurer is at least so sure of either stay."""
    odds = np.log(sure / (1 - sure))
    return ndtr((mu**2 / 2 - odds) / mu) + ndtr((-(mu**2) / 2 - odds) / mu)

sure_of = np.linspace(0.5, 0.77, 200)
assert np.isclose(at_least(0.5), 1) and 0.9 * delta < at_least(certain) < delta or (epsilon, delta) != (1, 1e-7)
assert np.isclose(0.5 + np.trapezoid(at_least(np.linspace(0.5, 0.99, 20_001)), dx=0.49 / 20_000), right)       # the mean of the curve is the first number
typical = brentq(lambda sure: at_least(sure) - 0.05, 0.51, 0.76)
assert f"{100 * typical:.1f}" == "60.4" or (epsilon, delta) != (1, 1e-7)
md(f"The statement has two numbers, {up(right)} and {up(certain)}. How can both be true? Think of an insurer that knows every stay but yours, and thinks it a coin toss which of two yours is. The release leaves it a little surer of one of the two, by chance more or less:")

# %% tags=["remove-input"] mystnb={"image": {"alt": "A falling curve on a logarithmic axis: in how many of all releases the insurer is at least so sure of either stay. All releases leave it at least 50 percent sure, one in twenty at least 60.4 percent, and fewer than 1 in ten million 75.9 percent, where the statement allows 2. A mark at 54.3 percent is the average."}}
fig, ax = plt.subplots(figsize=(7.4, 2.4))
ax.plot(100 * sure_of, at_least(sure_of), color=PALETTE[0])
ax.axvline(100 * right, color=REFERENCE, ls=":", lw=1.4)
ax.text(100 * right + 0.4, 3e-7, f"on average {up(right)} %:\nso often the best guess is right", color="#4a5058", size=9.5, va="center")
ax.plot(100 * certain, at_least(certain), "o", color=PALETTE[1], ms=8)
ax.text(100 * certain + 1, 4e-7, f"{up(certain)} % or more: fewer\nthan 1 in ten million", color=PALETTE[1], size=9.5, weight="bold", va="center")
ax.plot(100 * typical, 0.05, "o", color=PALETTE[0], ms=8)
ax.text(100 * typical + 0.7, 0.06, f"{100 * typical:.1f} % or more: one release in twenty", color=PALETTE[0], size=9.5, va="bottom")
ax.set(yscale="log", xlim=(50, 88), ylim=(3e-8, 2), xlabel="how sure the insurer is of either stay, in %", ylabel="share of releases", title="One noise, two numbers")
ax.set_yticks([1, 1e-2, 1e-4, 1e-6], ["all", "1 in 100", "1 in 10,000", "1 in a million"])
ax.minorticks_off()

# %% tags=["remove-input"]
md(f"**To a patient** you can say it like this: *The insurer's best guess is right at most {up(right)} times in 100, instead of 50. In at most 2 of ten million releases it can be more than {up(certain)}\u00a0% sure.* "
   f"In the picture it is fewer than 1; the statement says 2, so that it also holds for {{ref}}`whatever is made of a release <statement-sentences>`. The package takes both numbers from μ. From ε and δ alone it could only write {up(right_bare)} times in 100, which is chapter 1's 73.11, rounded up.")

# %% [markdown]
# ### Explore: what would they know?
#
# What a release tells depends on what its reader believed before.
#
# ```{admonition} Guess first
# :class: hint guess right-1
# An insurer knows every stay but yours, and thinks it 10 % likely that you were treated for an illness. A release with ε = 1 and Gaussian noise may raise this to 26 %. **How often is its best guess right, with the release?** Choose. Then move
# *believed before* to 0.1.
#
# * 90 times in 100, as without the release
# * 92 times in 100
# * 97 times in 100
# ```

# %% tags=["remove-input"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.25, 4, epsilon, points=41, steps=40, low_end="wider noise", high_end="narrower noise")
prior = Slider("prior", "believed before", 0.1, 0.9, 0.5, points=81, steps=80, scale="linear", low_end="unlikely", high_end="likely")
def gaussian_guess(mu, prior):
    t = mu / 2 + np.log((1 - prior) / prior) / mu
    return prior * ndtr(mu - t) + (1 - prior) * ndtr(t)

def gaussian_belief(mu, prior):
    return expit(np.log(prior / (1 - prior)) + np.log(2 * delta) - log_ndtr(ndtri(2 * delta) - mu))

# the sliders stop at the points of these tables only, so nothing between them has to be rounded up
gaussian, belief = (Table.of(lambda epsilon, prior, of=of: of(gaussian_mu(epsilon, delta), prior), epsilon_slider, prior, scale="linear") for of in (gaussian_guess, gaussian_belief))
nothing = largest(Table.of(lambda prior: prior, prior, scale="linear"), Table.of(lambda prior: 1 - prior, prior, scale="linear"))

def proved(epsilon, delta, mu):
    return Guarantee(epsilon, delta, TRAJECTORY, REPLACE_ONE, Status.PROVED, "for this cell", mu=mu)

for e, p in ((0.5, 0.3), (2.0, 0.9)):
    release = proved(e * (1 + 1e-6), delta, float(gaussian_mu(e, delta)))
    assert np.isclose(gaussian_guess(release.mu, p), right_guess_ceiling(release, p))
    assert np.isclose(gaussian_belief(release.mu, p), belief_ceiling(release, p)[0])
assert all(round_up(float(gaussian.at(epsilon=e, prior=p))) == 1 - p for e, p in ((1.0, 0.1), (0.25, 0.1)))      # a release that changes no guess must not seem to
assert round_up(float(belief.at(epsilon=4.0, prior=0.9))) < 1      # nor is a ceiling to be called 1

explore(
    name="what_you_sign", sliders=[epsilon_slider, prior], x=prior, y=Axis("share", "probability", 0, 1, scale="linear"),
    curves=[Curve("belief afterwards, at most", belief, at_most=True), Curve("right guess with the release, at most", gaussian, at_most=True),
            Curve("right guess without it", nothing, reference=True)],
    readouts=[Readout("sure", "belief afterwards, at most", belief, at_most=True), Readout("guess", "right guess with it, at most", gaussian, at_most=True),
              Readout("before", "right guess without it", nothing)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one stay (replace one), by Gaussian noise, proved: against a reader who knows all other stays, and "
              f"that yours is one of two. The belief may be exceeded, with probability {show(2 * delta)} at most.",
    alt="What a reader can know after a Gaussian release of ε = {epsilon}, against what was believed before. A reader who was {prior} sure can be {sure} sure at most, and guesses right at most {guess} of the "
        "time; without the release {before}.",
    caption="Ceilings for the best reader there could be; most know much less.")

# %% tags=["remove-input"]
insurer = proved(1.0 * (1 + 1e-6), delta, float(gaussian_mu(1.0, delta)))
sure, guess = belief_ceiling(insurer, 0.1)[0], right_guess_ceiling(insurer, 0.1)
assert round(100 * sure) == 26 and abs(guess - 0.9) < 1e-4 and 0.755 < belief_ceiling(insurer, 0.5)[0] < 0.765
assert at_most(sure / (1 - sure) * 9) == "3.15" and round(1e6 * ndtr((insurer.mu**2 / 2 - 1) / insurer.mu)) == 2 and round(np.e, 2) == 2.72 or delta != 1e-7
md(f"**What you should see.** 90 times, as without it. Gaussian noise with ε = 1 multiplies the insurer's odds by {at_most(sure / (1 - sure) * 9)} at most, except with a probability of {show(2 * delta)}. This is more than e = 2.72, which Gaussian noise passes in 2 of a million releases. So one to nine becomes at most about one to three, a belief of {100 * sure:.0f}\u00a0%, and *not treated* stays the better guess. "
   f"In the statement the odds were even, and the same factor gives {up(certain)}\u00a0%. "
   "The {ref}`evidence <statement-sentences>` proves and checks the bounds. It has a slider for δ, and a curve for releases that are not Gaussian.")

# %% [markdown]
# ## Before you sign
#
# 1. Is the unit a *person* where people come back?
# 2. Was everything that is called public really fixed before anybody looked at the records?
# 3. Is every number in the report made from a release, every count, error bar and legend?
# 4. Is δ at most a hundredth of one over the number of protected units, here of stays?
# 5. Are all other releases of these data in the sum, last year's too?
# 6. Is the noise drawn by a vetted library, with the system's randomness?
# 7. Is the status *proved*, and have you read the proof, or a colleague whom you trust?
# 8. Would you say the sentence under *what it means* to one of the people in the log?
#
# ## Quiz
#
# **1. A practice with 2,000 patients wants to sign for ε = 1 with δ = 10⁻³. What do you say?**
#
# ```{dropdown} Sign: one in a thousand is a small chance.
# This δ allows a mechanism that hands out each record with probability 10⁻³. Of 2,000 records these are two on average.
# ```
# ```{dropdown} First take a δ of 5 · 10⁻⁶ or less.
# ✓ Yes. This is a hundredth of one over 2,000, so that almost surely no record is handed out.
# ```
# ```{dropdown} Sign, if ε is below 1. Then δ does not matter.
# What happens within δ is not bounded by any ε.
# ```
#
# **2. Two letters promise ε = 1 with δ = 10⁻⁷ for the same unit. One says that a guess is right at most 54.3 times in 100, the other 73.2 times. Is one of them wrong?**
#
# ```{dropdown} Yes: the same ε and δ allow the same guesses.
# They allow 73.2. A mechanism may keep below that, and Gaussian noise does.
# ```
# ```{dropdown} No: the first one knows more than ε and δ.
# ✓ Yes. It knows that the noise is Gaussian, and takes μ.
# ```
# ```{dropdown} No: the second release has less noise.
# The letter does not tell. Its ceiling may be loose.
# ```
#
# **3. The guide ended at "none of these fits". What now?**
#
# ```{dropdown} Take the mechanism that comes nearest, and name its unit in the letter.
# The letter is true then, but it protects somebody else. The secret that you were asked to keep is still open.
# ```
# ```{dropdown} Take the mechanism that comes nearest, at a much smaller ε.
# A smaller ε protects the wrong unit better. What it promises for the right one, nobody has shown.
# ```
# ```{dropdown} Publish less.
# ✓ Yes. For a share or a count the guide has an end. The other way is to prove a mechanism for the neighbours that you need.
# ```
#
# **4. The statement is signed, and the mechanism right. What can undo the promise?**
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
# * **Whose secret, from whom, what is released: in this order**, and the mechanism follows.
# * **A statement adds up everything that was made of the same people**, exactly where noise is Gaussian.
# * **An ε can be said in words**: how often the best guess is right on average, and how sure a reader can be after the most revealing release.
# * **Do not sign a refuted promise.** If a promise has no checked proof, the letter has to say so, and also what is not covered. {cite:t}`kifer2011` tell what no promise for one record covers, and {cite:t}`gottesman2019` what else to ask before a policy meets a patient.
