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

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.special import expit, log_ndtr, ndtr, ndtri

from privrl_core.formatting import at_most
from privrl_core.offline import count_terminal_decisions, dp_treatment_policy, severity_groups
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Derived, Readout, Slider, Table, explore, largest, show
from privrl_core.policy_evaluation import FirstVisitStatistics, dp_sufficient_statistics, first_visit_statistics
from privrl_core.privacy import (
    REPLACE_ONE, TRAJECTORY, Guarantee, Status, Unit, belief_ceiling, gaussian_epsilon, gaussian_mu, privacy_statement, right_guess_ceiling)
from privrl_core.world import DEATH, icu_sepsis, sample_episodes

use_stays = n_stays if effort > 0.2 else 2_000
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world's, and the noise's
use_theme()

# %% [markdown]
# ## Three questions, in this order
#
# Whose secret is it? From whom is it kept? What is released? The order matters: if you begin with the mechanism, you end with a promise to the wrong person. The tree shows where the answers lead. Six of its thirteen
# ends read *none of these fits*, which is an answer too. The thick
# line is the way of the clinic of {doc}`chapter 4 </chapters/04_offline_rl/05_clinic>`, which we follow in the next section.

# %% tags=["remove-input"] mystnb={"image": {"alt": "A tree of questions. A secret about people in the log, seen by a curator, leads to: values of a policy, sums once; a treatment for each state, last decisions; a plan, DP-VAPVI plus or DP-APVI; a result every month, all added up; a network or an answer for each person, none of these fits. If nobody may see the records, none fits. A secret reward: small changes, release it once; everything secret, or exploring by the reward, none fits; made from people, go back. Something else: none fits. Nobody's secret: ask first."}}
NONE = "none of these fits"
tree = {
    "the people\nin the log": {"a curator holds the log,\nthe public sees a result": {
        "values of a policy": "sums, once", "a treatment for each state": "last decisions", "a plan": "DP-VAPVI+, or DP-APVI",
        "a result every month": "all of them added up", "a network, a Q-function": NONE, "an answer to each person": NONE},
        "nobody may\nsee the records": {"anything": NONE}},
    "the reward": {"others may see\nwhat is learned": {
        "details are secret": "release it once", "everything is secret": NONE, "explored by looking at it": NONE, "made from people\u2019s clicks": "go back to the people"}},
    "something else": {"": {"": NONE}},
    "nobody\u2019s": {"": {"": "ask for unit, neighbours and reader"}}}
assert [sum(take == end for readers in tree.values() for releases in readers.values() for end in releases.values()) for take in (NONE,)] == [6]
clinic_way = {"values of a policy", "a treatment for each state"}
fig, ax = plt.subplots(figsize=(9.4, 5.4))
ax.set(xlim=(-0.1, 9.9), ylim=(13.0, -1.3))
ax.set_axis_off()
columns, ends = (0.0, 1.75, 4.5, 7.3), (1.05, 3.75, 6.7)
for x, head in zip(columns, ("Whose secret?", "From whom?", "What is released?", "Take")):
    ax.text(x, -0.8, head, weight="bold", va="center")
rows = iter(range(13))

def join(x0, y0, x1, y1, thick):
    middle = x1 - 0.2
    ax.plot([x0, middle, middle, x1 - 0.06], [y0, y0, y1, y1], color=PALETTE[0] if thick else "#aab1bb", lw=2.6 if thick else 1.1, zorder=3 if thick else 1)

for secret, seen in tree.items():
    below = []
    for reader, releases in seen.items():
        found = [(next(rows), *one) for one in releases.items()]
        y = np.mean([row for row, *_ in found])
        thick = clinic_way & set(releases)
        below.append((y, reader, bool(thick)))
        for row, what, take in found:
            here = what in clinic_way
            if what:
                join(ends[1], y, columns[2], row, here)
                ax.text(columns[2], row, what, va="center", size=9.5)
            ax.plot([ends[2] if what else ends[0], columns[3] - 0.06], [row, row], color=PALETTE[0] if here else "#aab1bb", lw=2.6 if here else 1.1)
            ax.text(columns[3], row, take, va="center", size=9.5, weight="bold" if take == NONE else "normal",
                    color=PALETTE[1] if take == NONE else PALETTE[0] if take not in ("go back to the people", "ask for unit, neighbours and reader") else "#22272e")
    middle = np.mean([y for y, *_ in below])
    ax.text(columns[0], middle, secret, va="center", size=9.5)
    for y, reader, thick in below:
        if reader:
            join(ends[0], middle, columns[1], y, thick)
            ax.text(columns[1], y, reader, va="center", size=9.5)

# %% [markdown]
# The same tree with reasons, and with the name of each function. Open what is true for you, then what is true inside, with the mouse or with <kbd>Tab</kbd> and <kbd>Enter</kbd>.
#
# `````{dropdown} The secret is about the people in the log: patients, pupils, drivers
# **If a person may have several records**, choose the *person* as the unit. Bound the records of each, k at most, before anything else, and take noise for $\mu/k$. `guarantee.group(k)` then says what a
# person with k records is promised, and the statement says so too.
#
# **From whom?** May a curator see all records as they are?
#
# ````{dropdown} Yes: a curator holds the log, and the public sees a result
# **What will be released?**
#
# ```{dropdown} How good a given policy is, state by state
# Few states, or groups that are publicly known: **sums, once** ({doc}`/chapters/02_policy_evaluation/04_release_sums`). Fix the bound of returns and the groups before you look. States that cannot be
# grouped: **none of these fits**; look for private gradients {cite:p}`xie2019`. Function: `dp_sufficient_statistics`.
# ```
# ```{dropdown} A treatment for each state, where stays end well or badly
# **Last decisions** ({doc}`/chapters/04_offline_rl/05_clinic`). In states with few records the noise decides: compare with current practice before you use it. It looks at the last decision only. If
# what a treatment does *later* is the point, it is a bet; rehearse it on a public model. Function: `dp_treatment_policy`.
# ```
# ```{dropdown} A plan for a known number of steps
# A few public features that describe state and action: **DP-VAPVI+** ({doc}`/chapters/04_offline_rl/03_linear`). Few pairs of state and action, each seen thousands of times at every step, and known
# rewards: **DP-APVI** with practical constants ({doc}`/chapters/04_offline_rl/02_pessimism`). Neither few features nor few pairs: **none of these fits**; ask for less first.
# Functions: `dp_vapvi_plus`, `dp_apvi`.
# ```
# ```{dropdown} A trained network, or its Q-function
# **None of these fits.** The printed Q-learning of chapter 3 protects no person at all. Private gradients with one trajectory as
# the example {cite:p}`abadi2016` are the standard, with a cost that this book has not measured for people.
# ```
# ```{dropdown} A new result every month, from the growing log
# Each release by the mechanism above, and **all of them added up**. Twelve Gaussian releases of μ make $\sqrt{12}\,\mu$. If there is no last month, **none of these fits**: decide on an end, or look
# for continual observation. Function: `compose_guarantees`.
# ```
# ```{dropdown} An answer to each person, for themselves
# **None of these fits.** You need the joint model {cite:p}`vietri2020`; see {doc}`/chapters/01_foundations/04_who_is_protected`.
# ```
# ````
# ````{dropdown} No: nobody may
# **None of these fits.** All mechanisms of this book are central. The local model {cite:p}`garcelon2021` costs a fixed factor of people
# ({doc}`02_price_in_data`).
# ````
# `````
#
# `````{dropdown} The secret is what the agent is rewarded for
# **How far apart may two rewards be that must not be told apart?** Call it η, everywhere at once.
#
# ````{dropdown} η is small beside the range of rewards
# The task is public but for details: **release the reward once**, at as few places as the task allows
# ({doc}`/chapters/03_functional_noise/05_today`). Then learn from it with anything, for ever. Functions: `release_reward_once`, and `release_contrast_once` if all hangs on one number.
# ````
# ````{dropdown} η is as large as the range: everything about it is secret
# **None of these fits**, and at an ε well below 1 nothing can: a learner that cannot tell two tasks apart succeeds on one of them hardly more often
# than a coin ({doc}`/chapters/03_functional_noise/04_what_is_possible`). At ε = 3 this no longer rules anything out, and 3 promises little. More data do not help ({doc}`02_price_in_data`).
# ````
# ````{dropdown} The reward was made from people's clicks, ratings or records
# Then the secret is about *people*: go back to the first branch, with their records as the log.
# ````
# ````{dropdown} The agent explores by looking at the reward
# The states it visits tell of the reward, and **none of these fits**: the Gaussian releases of this book do not cover the visits. Explore without looking, or release the reward
# first and explore with the release.
# ````
# `````
#
# `````{dropdown} The secret is something else
# How the world moves, such as a factory's process or a game's engine; one visit of many; where a person lives: **none of these fits.** Write down what two
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
# The simulated clinic has a log of 50,000 stays. The secret is about the people in it, a curator holds the log, and two results go to the public. One is how many patients survive, in three public groups of
# severity. That is a value of the current practice in few states, so the tree ends at *sums, once*. The other is a treatment for each state, where it ends at *last decisions*. The clinic wants to sign
# for ε = 1 in all.
#
# Its δ is 10⁻⁷, and here is why. A mechanism that hands out each record with probability δ is allowed by δ. With 50,000 stays it would hand out 50,000 × 10⁻⁷ = 0.005 records on average, so almost surely none.
# A hundredth of a record is the most that this book signs for.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Both releases use Gaussian noise, and both are to have the same μ. **Which ε may each of them have, at the same δ?**
#
# * 0.5
# * About 0.7
# * 1
# ```

# %% tags=["remove-cell"]
clinic = icu_sepsis()
groups, expert = severity_groups(clinic), clinic.expert_policy
stays = sample_episodes(clinic.to_the_end(), expert, use_stays, rng, max_length=60)
everybody = np.append(groups[:DEATH], [3, 3, 3])   # 3: outcomes
by_group = replace(stays, states=np.where(stays.states >= 0, everybody[stays.states], -1))
counted = first_visit_statistics(by_group, 4, 1.0, return_bound=1.0)
sums = FirstVisitStatistics(counted.visits[:3], counted.return_sums[:3], use_stays, 1.0)      # the outcomes need no noise
decisions = count_terminal_decisions(stays, clinic)

# %% tags=["remove-input"]
each = gaussian_epsilon(delta, gaussian_mu(epsilon, delta) / np.sqrt(2))
assert 0.65 < each < 0.75 if epsilon == 1 else True
assert n_stays * 1e-7 == 0.005 or n_stays != 50_000
md(f"**The answer.** {at_most(each)} for each, at δ = {show(delta)}. Squares of μ add up, so each release may have half of $\\mu^2$. To add up the two ε says {2 * each:.2f} in all, which is true and too pessimistic. With 0.5 for each the clinic "
   "would add more noise than it has to, and with 1 for each it would break its promise.")

# %% [markdown]
# In code, `gaussian_mu` turns ε into μ, and `gaussian_epsilon` turns it back:

# %%
mu_each = gaussian_mu(epsilon, delta) / np.sqrt(2)
half = dict(epsilon=gaussian_epsilon(delta, mu_each), delta=delta)

# %% [markdown]
# Now both releases are made. In `sums` are, for each group, how many stays visit it and how many of these end well; in `decisions` how often each last decision was followed by survival and by death.

# %%
table = dp_sufficient_statistics(
    sums, np.eye(3), return_bound=1.0, **half, noise_rng=noise_rng)
policy = dp_treatment_policy(
    decisions, groups, expert, clinic.admissible, **half, noise_rng=noise_rng)

# %% tags=["remove-input"]
true_share = sums.return_sums / sums.visits
pd.DataFrame({"survive, as published": table.parameters, "without noise, for our eyes only": true_share},
             index=["least severe", "in between", "most severe"]).style.format("{:.3f}").set_caption(
    f"Share who survive 60 steps from the first visit to a group on, {use_stays:,} stays. Each of the two releases: ε = {at_most(half['epsilon'])}, δ = {show(delta)} for one stay (replace one), proved")

# %% [markdown]
# Both guarantees protect one stay, *replace one*. So the package may add them up, and it writes the statement:

# %%
STAY = Unit("one stay", "stays")
statement = privacy_statement(
    *(replace(one.guarantee, unit=STAY) for one in (table, policy)),
    released="Survival within 60 steps in three groups of severity, once; "
             "for each state the treatment of the policy. No counts.",
    not_covered=("patients behind the model, which was made from records",
                 "what happens to patients who are treated by the policy"))

# %% tags=["remove-input"]
def folded(heading, lines):
    """A section of the statement, its long lists folded."""
    points = "".join(f"\n* {line}" for line in lines)
    if heading in ("How it is kept", "What it does not cover"):
        return f"<details style='margin-bottom: 1rem'><summary><strong>{heading}</strong>: {len(lines)} points</summary>\n\n{points}\n\n</details>"
    return f"**{heading}**\n{points}"

md("\n\n".join(folded(*section) for section in statement.sections))

# %% tags=["remove-cell"]
total = statement.guarantee
assert np.isclose(total.epsilon, epsilon, rtol=1e-3) and np.isclose(total.mu, gaussian_mu(epsilon, delta))
assert "2 Gaussian releases, μ² added" in str(statement) and "except one stay" in str(statement), str(statement)

# %% tags=["remove-input"]
at_even = Guarantee(epsilon * (1 + 1e-6), delta, STAY, REPLACE_ONE, Status.PROVED, "for this cell", mu=float(gaussian_mu(epsilon, delta)))
right, certain = right_guess_ceiling(at_even), belief_ceiling(at_even)[0]
md(f"To a patient you can say it like this: *Suppose an insurer knows every stay but yours, and thinks it a coin toss which of two yours is. After reading the release it guesses right at most {np.ceil(1000 * right) / 10:.1f} times in 100, instead of 50.* "
   f"This is an average over all that might be released. The {np.ceil(1000 * certain) / 10:.1f} % in the second sentence are for the most revealing release that there could be, and only a chance of 2 in ten million is left out. With δ = 0 an ε of 1 would allow {100 * expit(1):.1f} %, as on {{doc}}`/chapters/01_foundations/02_a_promise`. Gaussian noise passes the factor e now and then, within its δ. "
   f"How large a factor may be in all but a chance of 2δ, {{ref}}`follows from μ <statement-sentences>`: it is {certain / (1 - certain):.2f}.")

# %% [markdown]
# The package {ref}`refuses to write <refuses-to-write>` a statement for promises that cannot be added, or for a promise that is refuted. It cannot see what you did not tell it: settings that were tuned on the records, or an
# exact number in an annual report.
#
# ### Explore: what would they know?
#
# ```{admonition} Guess first
# :class: hint guess right-2
# An insurer thinks it 10 % likely that you were treated for an illness, and it is the best-informed reader there could be. **How sure can it be after a release with ε = 1 and Gaussian noise?** Choose. Then move
# *believed before* to 0.1, and read the curve *belief afterwards*.
#
# * 11 %
# * 26 %
# * 76 %
# ```

# %% tags=["remove-input"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 8, epsilon, points=33, low_end="wider noise", high_end="narrower noise")
prior = Slider("prior", "believed before", 0.01, 0.99, 0.5, points=99, steps=98, scale="linear", low_end="unlikely", high_end="likely")
mu_axis = Axis("mu", "μ", 0.01, 8, points=121)
loss_axis = Axis("loss", "largest loss of a μ-GDP release", 0.03, 20, points=121)

of_mu = Table.of(lambda epsilon: gaussian_mu(epsilon, delta), epsilon_slider)
of_loss = Table.of(lambda epsilon: np.log(2 * delta) - log_ndtr(ndtri(2 * delta) - gaussian_mu(epsilon, delta)), epsilon_slider)

def gaussian_guess(mu, prior):
    t = mu / 2 + np.log((1 - prior) / prior) / mu
    return prior * ndtr(mu - t) + (1 - prior) * ndtr(t)

gaussian = Table.of(gaussian_guess, mu_axis, prior, scale="linear")
nothing = largest(Table.of(lambda prior: prior, prior, scale="linear"), Table.of(lambda prior: 1 - prior, prior, scale="linear"))
belief = Table.of(lambda loss, prior: expit(np.log(prior / (1 - prior)) + loss), loss_axis, prior, scale="linear", tolerance=0.02)

def proved(epsilon, delta, mu):
    return Guarantee(epsilon, delta, TRAJECTORY, REPLACE_ONE, Status.PROVED, "for this cell", mu=mu)

for e, p in ((0.5, 0.3), (2.0, 0.9)):
    release = proved(e * (1 + 1e-6), delta, float(gaussian_mu(e, delta)))
    assert np.isclose(gaussian_guess(release.mu, p), right_guess_ceiling(release, p))
    loss = np.log(2 * delta) - log_ndtr(ndtri(2 * delta) - release.mu)
    assert np.isclose(expit(np.log(p / (1 - p)) + loss), belief_ceiling(release, p)[0])

explore(
    name="what_you_sign", sliders=[epsilon_slider, prior], x=prior, y=Axis("share", "probability", 0, 1, scale="linear"),
    derived=[Derived(mu_axis, of_mu), Derived(loss_axis, of_loss)],
    curves=[Curve("belief afterwards", belief, at_most=True), Curve("right guess with the release", gaussian, at_most=True),
            Curve("right guess without it", nothing, reference=True)],
    readouts=[Readout("sure", "belief afterwards, at most", belief, at_most=True), Readout("guess", "right guess with it, at most", gaussian, at_most=True),
              Readout("before", "right guess without it", nothing)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one stay (replace one), by Gaussian noise, proved: against a reader who knows all other stays, and "
              f"that yours is one of two. The belief may be exceeded with probability {show(2 * delta)}.",
    alt="What a reader can know after a Gaussian release of ε = {epsilon}, against what was believed before. A reader who was {prior} sure can be {sure} sure at most, and guesses right at most {guess} of the "
        "time; without the release {before}.",
    caption="Ceilings for the best reader there could be; most know much less.")

# %% tags=["remove-input"]
insurer = proved(1.0 * (1 + 1e-6), delta, float(gaussian_mu(1.0, delta)))
sure, guess = belief_ceiling(insurer, 0.1)[0], right_guess_ceiling(insurer, 0.1)
assert 0.2 < sure < 0.35 and abs(guess - 0.9) < 1e-4 and 0.755 < belief_ceiling(insurer, 0.5)[0] < 0.765
assert 3.13 < sure / (1 - sure) * 9 < 3.15 and f"{100 * expit(1):.1f}" == "73.1"
md(f"**What you should see.** It can become {100 * sure:.0f} % sure at most, except with a probability of {show(2 * delta)}. Gaussian noise with ε = 1 multiplies its odds by {sure / (1 - sure) * 9:.2f} at most, so one to nine becomes about one to three. The 76 % are for a reader at even odds, like that of the statement. "
   f"Even this most revealing release would not change the insurer's decision: its best guess stays *not treated*, which is right 90 times in 100, with the release as without it. "
   "The bounds are {ref}`proved and checked <statement-sentences>`, and the evidence has a slider for δ and a curve for releases that are not Gaussian.")

# %% [markdown]
# ## Before you sign
#
# 1. Is the unit a *person* where people come back?
# 2. Was everything that is called public really fixed before anybody looked at the records?
# 3. Is every number in the report made from a release, every count, error bar and legend?
# 4. Is δ at most a hundredth of one over the number of protected units, here of stays?
# 5. Are all other releases of these data in the sum, last year's too?
# 6. Is the noise drawn by a vetted library, with the system's randomness (`privrl_core.offline.discrete_gaussian` for counts)?
# 7. Is the status *proved*, and have you read the proof, or a colleague whom you trust?
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
# ✓ Yes. $q = 2$ at 1,000 means b/a = 2,000, and at the same ε and δ no study pays more than that.
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
# * **Whose secret, from whom, what is released: in this order**, and the mechanism follows. "None of these fits" is an answer.
# * **A statement adds up everything that was made of the same people**, exactly where noise is Gaussian.
# * **An ε can be said in words**: how often the best guess is right on average, and how sure a reader can be after the most revealing release; δ is the chance of an exception.
# * **What is refuted is not signed**; what is claimed says so; what is not covered is in the text.
#
# Further reading:
#
# * {cite:t}`dwork2014`: what (ε, δ) means, in a textbook. {cite:t}`dong2022`: guesses, trade-offs and exact sums.
# * {cite:t}`bun2016`: sums of concentrated releases. {cite:t}`kifer2011`: what no promise for one record covers, when people tell about each other.
# * {cite:t}`gottesman2019`: what to ask, besides privacy, before a policy meets a patient.
