# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Group privacy, add or replace, central and local by simulation, joint privacy, releases every month, and three
#         papers in one table.'
# ---

# %% [markdown]
# # Units, checked
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../04_who_is_protected`. Group privacy is checked against the exact Gaussian curve. Sensitivities for *add or remove* and for *replace* come from
# brute force. The errors of central and local noise agree with a simulation. Four models of trust stand side by side, a release that is
# repeated every month adds up, and one table says what the papers of chapters 2 to 4 promise, with the verdict on each statement.
# ```

# %% tags=["parameters", "remove-input"]
effort = 1.0        # the fraction of the full work
seed = 2014         # all randomness comes from here
epsilon = 1.0       # where sliders of ε start
delta = 1e-5

# %% tags=["hide-input"]
from itertools import combinations, product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from matplotlib.colors import ListedColormap
from scipy.special import expit, log_ndtr, ndtr

from privrl_core.privacy import advantage_ceiling, gaussian_delta, gaussian_epsilon, gaussian_mu
from privrl_core.policy_evaluation import dp_sufficient_statistics, first_visit_statistics
from privrl_core.world import recovery_chain, sample_episodes
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.pages import PALETTE, Verdict, claims, use_theme

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world, and the noise that protects
runs = max(2_000, round(20_000 * effort))

# %% [markdown]
# ## The unit: whose secret is it?
#
# Here is the log of the main page again: six stays by four people, Ada three times. Each square is one *visit*: a state, a
# treatment, a reward. What may change between two neighbouring logs?

# %%
stays = [("Ada", 6), ("Ben", 4), ("Ada", 5),       # who, and how many visits
         ("Cleo", 8), ("Ada", 3), ("Dan", 6)]
longest = max(length for _, length in stays)

def cells(changes):
    """0 outside the log, 1 common to both, 2 where they may differ."""
    return [[1 + changes(i, person, t) if t < length else 0
             for t in range(longest)]
            for i, (person, length) in enumerate(stays)]

units = {"one visit": lambda i, person, t: (i, t) == (2, 2),
         "one trajectory": lambda i, person, t: i == 2,
         "one person": lambda i, person, t: person == "Ada",
         "the reward function": lambda i, person, t: True}

# %% mystnb={"image": {"alt": "The log of six stays, four times, with what may change between neighbours marked: a single square for one visit; one row for one trajectory; the three rows of Ada for one person; and a dot in every square for the reward function, which may change the reward of every visit but not the visits."}} tags=["hide-input"]
fig, panels = plt.subplots(1, 4, figsize=(10, 2.9), sharey=True)
colours = ListedColormap(["#00000000", "#c9ced6", PALETTE[1]])
for ax, (unit, changes) in zip(panels, units.items()):
    log = np.array(cells(changes))
    if unit == "the reward function":
        y, x = np.nonzero(log)
        ax.plot(x, y, "o", ms=5, color=PALETTE[1])
        log = np.minimum(log, 1)
    ax.pcolormesh(np.arange(longest + 1) - 0.5, np.arange(len(stays) + 1) - 0.5, log, cmap=colours, vmin=0, vmax=2,
                  edgecolor="white", lw=2)
    ax.set(title=unit, xlabel="step", xticks=[])
    ax.grid(False)
panels[0].set(yticks=range(len(stays)), yticklabels=[person for person, _ in stays])
panels[0].invert_yaxis();

# %% [markdown]
# | unit | neighbours differ in | who can say "this covers me" | where in this book |
# |---|---|---|---|
# | a **reward** | one number of the log | a person who gave one rating or one answer | a warm-up only |
# | a **visit** | one square: state, action and reward of one step | a person who was seen once | chapter 4, as *what not to do* |
# | a **trajectory** | one row | a patient with one stay | chapters 2 and 4 |
# | a **person** | all rows of one name | everybody | here, and wherever people come back |
# | the **reward function** | the reward of every square, by at most η | not the people in the log, but the *designer* of the rewards, or the person whose wishes they encode | chapter 3 |
#
# Down to the person, each unit contains the one above it, so protection of a larger unit covers the smaller. The last one is of
# another kind. It changes every square, a little, and leaves the visits alone. It protects other secrets of other people, and
# no ε of the one kind can be compared with an ε of the other.
#
# (group-privacy)=
# ## Group privacy
#
# A promise for one unit is a weaker promise for a person who has $k$ of them. For Gaussian noise nothing is lost but the factor:
# μ becomes $k\mu$, and this is attained if all $k$ push the same way. If it is known that they cannot, as for visits to $k$
# different cells of a table, it is less: $\sqrt k\,\mu$. For a mechanism of which only (ε, δ) is known, *group privacy* gives
# $\bigl(k\varepsilon,\ \delta\,\tfrac{e^{k\varepsilon} - 1}{e^\varepsilon - 1}\bigr)$ {cite:p}`dwork2014`.
#
# This rule says kε, *and* multiplies δ by more than $e^{(k-1)\varepsilon}$. So its kε may not be compared with an ε at the old δ. Both rules are checked here, the first by the
# definition of the Gaussian curve, and the second against it, since it must hold for Gaussian noise too:

# %%
def for_person(epsilon, k):
    return gaussian_epsilon(delta, k * gaussian_mu(epsilon, delta))

for e, k in product((0.1, 1.0, 2.0), (2, 3, 10)):
    mu = gaussian_mu(e, delta)
    crude = delta * np.expm1(k * e) / np.expm1(e)
    assert gaussian_delta(k * e, k * mu) <= crude
    assert np.isclose(gaussian_delta(for_person(e, k), k * mu), delta)

# %% tags=["remove-input"]
three = for_person(1.0, 3)
fifty = gaussian_epsilon(delta, gaussian_mu(1.0, delta) / 50)
rule = delta * np.expm1(3) / np.expm1(1)
md(f"With Gaussian noise that has ε = 1 for one stay, three stays have ε = **{three:.2f}** at the same δ. The rule's pair is ε = 3 with a δ that is {rule / delta:.0f} times as "
   f"large; at that δ the Gaussian has ε = {gaussian_epsilon(rule, 3 * gaussian_mu(1.0, delta)):.2f}. For "
   f"fifty visits that all push the same way, a promise of ε = 1 per stay takes ε = **{show(fifty)}** per visit. A small ε is worth little if its δ is no longer far below one over "
   "the number of people. It is best to state μ.")

# %% [markdown]
# (units-of-a-person)=
# ### Explore: small units, large people
#
# A hospital counts *visits* with a complication, and promises ε = 1 and δ = 10⁻⁵ for one visit. Ada has one in each of her visits, and she has $6 + 5 + 3 = 14$ visits.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How often is the best attacker right about Ada then?** Choose, then move the number of units to 14.
#
# * 55 times in 100, as for one unit
# * 66 times in 100, because she has three stays
# * 97 times in 100
# ```

# %% tags=["remove-cell"]
def right_guesses(epsilon, k):
    """In 100, of the best attacker on the person, if the noise is Gaussian."""
    return 100 * ndtr(k * gaussian_mu(epsilon, delta) / 2)

def right_guesses_pure(epsilon, k):
    return 100 * expit(k * epsilon)

each = Slider("epsilon", "ε promised for one unit", 0.01, 4, epsilon, points=41, low_end="strong promise", high_end="weak promise")
units_each = Slider("k", "units that one person has", 1, 20, 1, points=20, steps=19, scale="linear",
                    low_end="one", high_end="twenty")

exact = Table.of(for_person, each, units_each)
gaussian, pure = (Table.of(guesses, each, units_each, scale="linear") for guesses in (right_guesses, right_guesses_pure))

# %% tags=["remove-input"]
explore(
    name="units_of_a_person", sliders=[units_each, each], x=units_each,
    y=Axis("guesses", "right guesses in 100, about the person", 50, 100, scale="linear"),
    curves=[Curve("Gaussian noise, δ = 10⁻⁵", gaussian), Curve("all that δ = 0 allows", pure),
            Curve("a coin", constant(50), reference=True)],
    readouts=[Readout("gaussian", "right, Gaussian noise", gaussian, unit="in 100"),
              Readout("pure", "right at most, δ = 0", pure, unit="in 100"),
              Readout("person", "ε for the person, Gaussian noise", exact, at_most=True)],
    guarantee=f"(ε = {{person}}, δ = {show(delta)})-differential privacy for one person (replace all units of the person, here {{k}}), proved, for a "
              "Gaussian release that promises ε = {epsilon} for one unit, at the same δ.",
    alt="Right guesses about a person against the number of units that the person has, if one unit has ε = {epsilon}. At k = {k} the best attacker is "
        "right {gaussian} times in 100 with Gaussian noise, and at most {pure} times if δ = 0.",
    caption="Right guesses of the best attacker against Gaussian noise, and the most that any mechanism with δ = 0 may allow. Both promise the same ε for one unit.")

# %% tags=["remove-input"]
assert [round(right_guesses_pure(1.0, k)) for k in (1, 3)] == [73, 95] and [round(right_guesses(1.0, k)) for k in (1, 3, 14)] == [55, 66, 97]
assert sum(n for name, n in stays if name == "Ada") == 14
small = gaussian_epsilon(delta, gaussian_mu(1.0, delta) / 14)
md(f"**What you should see.** 97 times. The count moves by 14 if all of Ada's visits are replaced. For ε = 1 about herself the noise would have to be fourteen times as large, which is ε = {show(small)} for one visit. "
   "The dashed curve is what ε = 1 allows at most, with δ = 0: $e^{k\\varepsilon}/(1 + e^{k\\varepsilon})$ of the guesses about $k$ units, which is 73 in 100 about one unit, and 95 about three. Gaussian noise with the same ε at δ = 10⁻⁵ stays far "
   "below this curve, with 55 and 66 [{doc}`what ε = 1 means <../06_what_epsilon_means>`].")

# %% [markdown]
# (add-or-replace)=
# ## The neighbours: add, remove, or replace?
#
# "Differ in one trajectory" can still mean two things: one is **added or removed**, so the logs have different lengths; or one is
# **replaced** by another, so the number $m$ is the same, and public. Papers are not always clear which they mean, and proofs
# have mixed the two (chapter 4 has such a case). The sensitivities differ, and not by a fixed factor. By brute force, over all
# trajectories of a tiny world of three states, each visited or not, with return 0 or 1 where it is visited and an end in one of
# the states. The ½ in the last query centres the returns, so that a visit weighs no more than it must; chapter 2 uses it.

# %%
def trajectories():
    for visited in product([0, 1], repeat=3):
        for returns in product(*([0, 1] if v else [0] for v in visited)):
            for end in np.flatnonzero(visited):
                yield np.array(visited), np.array(returns), np.eye(3)[end]

queries = {
    "how many trajectories": lambda visited, returns, end: [1],
    "in which state they ended": lambda visited, returns, end: end,
    "visits to each state": lambda visited, returns, end: visited,
    "sums of returns less ½, each state":
        lambda visited, returns, end: visited * (returns - 0.5)}
sensitivity = {}
for name, query in queries.items():
    added = np.array([query(*one) for one in trajectories()], dtype=float)
    sensitivity[name] = {
        "add or remove": max(np.linalg.norm(a) for a in added),
        "replace": max(np.linalg.norm(a - b)
                       for a, b in combinations(added, 2))}
pd.DataFrame(sensitivity).T.style.format("{:.2f}")

# %% [markdown]
# Under *replace* the number of people is free to publish, exactly; under *add or remove* it is a secret like any other. A
# replacement is a removal and an addition, so its sensitivity is at most twice as large; it is $\sqrt2$ times as large for a histogram, and no larger at
# all for visits. From one promise to the other: (ε, δ) for *add or remove* gives $(2\varepsilon, (1 + e^\varepsilon)\delta)$ for *replace*,
# and μ gives at most 2μ.
# There is no way back: a release of the exact $m$ has no promise for *add or remove*. **This book replaces, unless it says otherwise.**
#
# (central-or-local-checked)=
# ## Central and local
#
# Surveys were local first {cite:p}`warner1965`: toss a coin in secret, and answer truly or not. For reinforcement
# learning see {cite:t}`garcelon2021`. {cite:t}`vietri2020` brought joint privacy to it.
#
# How many of $n$ patients recovered? In the central model the curator adds Laplace noise of scale $1/(n\varepsilon)$ to the share. In the local model each
# patient reports the truth with probability $p = e^\varepsilon/(1 + e^\varepsilon)$ and its opposite otherwise. The learner corrects for
# this, as in {doc}`../03_noise_that_keeps_it`. The correction divides by $2p - 1$, which is
# $t = \tanh(\varepsilon/2)$. The errors are
#
# $$\text{central: } \frac{\sqrt2}{n\varepsilon}, \qquad
#   \text{local: } \frac{1}{2\sqrt n}\sqrt{\frac1{t^2} - 1}.$$
#
# By chance any $n$ patients differ from all patients by $\tfrac1{2\sqrt n}$ at most.

# %% tags=["hide-input"]
loss = Slider("epsilon", "privacy loss ε", 0.1, 5, epsilon, points=41)

def central_error(epsilon, n):
    return np.sqrt(2) / (n * epsilon)

def local_error(epsilon, n):
    return np.sqrt(1 / np.tanh(epsilon / 2) ** 2 - 1) / (2 * np.sqrt(n))

def crowd_error(n):
    return 1 / (2 * np.sqrt(n))

# %% tags=["remove-input"]
loud = local_error(1.0, 1) / crowd_error(1)
even = 2 * np.arctanh(np.sqrt(0.5))
assert np.isclose(central_error(1.0, 8), crowd_error(8)) and np.isclose(local_error(even, 1), crowd_error(1))
md(f"The central noise is below the differences from **n = 8** people on, or 8/ε² in general, and a hundredth of them from 80,000 on. The local "
   f"noise **never** is: at ε = 1 it is {loud:.1f} times as large as the differences, for any n, since both fall like 1/√n. It "
   f"takes ε = {even:.2f} for the two to be equal.")

# %% [markdown]
# (trust-nobody)=
# ### What does it cost to trust nobody?
#
# A clinic publishes which share of its 10,000 patients recovered, with ε = 1 and δ = 0 for one patient's answer. Even without privacy the share is off by half a point of 100, because other patients might have come. *Central*
# noise is added once, to the sum, and adds an error of only 0.014 points. *Local* noise is added to each of the 10,000 answers.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **By how much is the share off because of the local noise?**
#
# * 0.014 points, because the promise is the same
# * About 0.1 points
# * About 1 point
# ```

# %% tags=["remove-cell"]
assert [round(100 * error, 3) for error in (crowd_error(10_000), central_error(1.0, 10_000))] == [0.5, 0.014]
dear = local_error(1.0, 10_000) / central_error(1.0, 10_000)
assert round(100 * local_error(1.0, 10_000)) == 1 and round(dear) == 68

# %% tags=["remove-input"]
md(f"**The answer.** About 1 point, {dear:.0f} times the central noise. The noise of one answer is nearly as large as the answer itself, {100 * local_error(1.0, 1):.0f} points of 100 by the formula above. Ten thousand such noises average out only like one over the root of $n$, here to a hundredth. The central noise is "
   "one noise for all, and is divided by the whole $n$. So trusting nobody costs a factor that grows with the root of $n$.")

# %% [markdown]
# (whom-to-trust)=
# ### Explore: whom to trust
#
# How many of $n$ patients recovered? Both releases promise ε = 1 for one patient's answer. Centrally, one noise is added to the share. Locally, each patient's answer is
# randomised. Any $n$ patients also differ from all patients by chance, like any sample, and this error is there without any privacy.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **At ε = 1, how many patients does it take until the *local* noise is smaller than the error by chance?** Choose, then move the number of people.
#
# * About 10
# * About 100,000
# * No number is enough
# ```

# %% tags=["remove-cell"]
people = Slider("n", "people n", 1, 1.05e6, 1.02e3, points=21, steps=20, low_end="one", high_end="a million")

central, local = (Table.of(error, loss, people) for error in (central_error, local_error))
crowd = Table.of(crowd_error, people)

# %% tags=["remove-input"]
explore(
    name="central_or_local", sliders=[people, loss], x=people, y=Axis("error", "typical error of the share", 1e-6, 10),
    curves=[Curve("local: randomised answers", local), Curve("central: one noisy sum", central),
            Curve("chance: which patients came", crowd, reference=True)],
    readouts=[Readout("central", "error from central noise", central), Readout("local", "error from local noise", local),
              Readout("times", "local over central", local / central), Readout("crowd", "error by chance", crowd)],
    guarantee="(ε = {epsilon}, δ = 0)-differential privacy for one person's answer (replace one), proved, in both; central if you trust the "
              "curator, local if you trust nobody.",
    alt="Error of a share against the number of people, at ε = {epsilon}. With {n} people: {central} from central noise, {local} from local "
        "noise, {crowd} by chance. The local line falls as slowly as the last; the central one twice as fast.",
    caption="The same promise, and who has to be trusted for it.")

# %% tags=["remove-input"]
assert local_error(5.0, 1) < crowd_error(1) < local_error(1.5, 1)
md(f"**What you should see.** No number is enough. At ε = 1 the local noise is {loud:.1f} times as large as the error by chance, for every number of patients, because both fall like one over the root of $n$. "
   "The central noise falls like $1/n$, and is the smaller one from 8 patients on. So trusting nobody costs a factor that grows with the root of $n$. Only a much larger ε brings the local line below chance.")

# %% [markdown]
# A simulation agrees with both formulas:

# %%
def share_errors(n, e, share=0.5):
    """Errors of both, by simulation: the share itself is known."""
    answers = rng.random((runs // 10, n)) < share
    lies = rng.random(answers.shape) > np.exp(e) / (1 + np.exp(e))
    heard = (answers ^ lies).mean(axis=1)
    local = 0.5 + (heard - 0.5) / np.tanh(e / 2) - answers.mean(axis=1)
    central = noise_rng.laplace(scale=1 / (n * e), size=runs)
    return np.sqrt(np.mean(central**2)), np.sqrt(np.mean(local**2))

expected = central_error(1.0, 200), local_error(1.0, 200)
assert np.allclose(share_errors(200, 1.0), expected, rtol=0.15)

# %% [markdown]
# The local error falls like $1/\sqrt n$, the central one like $1/n$. So the price of trusting nobody is a factor that grows with
# $\sqrt n$, and at a fixed ε no other local mechanism escapes it {cite:p}`beimel2008`. If the answers may be mixed by a trusted party
# before they are read, most of it can be saved; this book does not go there. Take the local model where you must, and
# the curator where there is one.
#
# (joint-or-central)=
# ## Joint privacy
#
# A learner recommends treatments, and yours must fit you: with your illness A is right, with another B. If *every* output had to
# be private for you, your own treatment too, it could hardly depend on what you have. Say that $n$ earlier patients with your
# illness voted, each for the better treatment with probability 0.7.
#
# * **No privacy:** the majority decides.
# * **Joint:** the majority with central Laplace noise, which all may see, and then *your* illness, exactly, which only you see.
# * **Local:** the majority of randomised votes, and your illness, exactly; the choice is made at your home.
# * **Central on everything:** as joint, but the published list includes your treatment, so your illness has to be randomised too.
#   More patients cannot help here. If a learner is right with a certain probability *whichever* illness you have, its list gives
#   the illness away with that probability, and privacy allows no more than $e^\varepsilon/(1 + e^\varepsilon)$.
#
# ### Explore: why *joint*?
#
# ```{admonition} Guess first
# :class: hint guess right-2
# A list of all recommendations is centrally private with ε = 1 and δ = 0, also for *you*. The two illnesses are equally frequent. **With millions of earlier patients to learn from, how often can your treatment be the right one?**
#
# * Nearly always
# * 73 times in 100 at most
# * 50 times in 100, like a coin
# ```
#
# Choose, then move the number of earlier patients. *What do the four get right with 30 of them?*

# %% tags=["hide-input"]
voters = Slider("n", "earlier patients n", 10, 10_000, 30, points=61, low_end="fewer", high_end="more")
lean = 0.7 - 0.3                                            # mean of a vote of ±1

def majority(n, mean=lean):
    """Chance that n votes of ±1 with this mean add up to more than 0, nearly Gaussian."""
    return ndtr(mean * n / np.sqrt((1 - mean**2) * n))

def joint_right(epsilon, n):
    """The same with Laplace noise of width 2/ε, since one vote moves the sum by 2."""
    spread, width = np.sqrt((1 - lean**2) * n), 2 / epsilon
    m, s = lean * n / spread, spread / width
    wrong, rescued = (np.exp(sign * m * s + s**2 / 2 + log_ndtr(sign * -m - s)) / 2 for sign in (-1, 1))
    return ndtr(m) - wrong + rescued

def local_right(epsilon, n):
    return majority(n, mean=lean * np.tanh(epsilon / 2))

def all_right(epsilon, n):
    honest = 1 / (1 + np.exp(-epsilon))
    return honest * joint_right(epsilon, n) + (1 - honest) * (1 - joint_right(epsilon, n))

joint, at_home, everything = (Table.of(right, loss, voters, scale="linear") for right in (joint_right, local_right, all_right))
explore(
    name="joint_privacy", sliders=[loss, voters], x=voters, y=Axis("right", "right treatment for you", 0.5, 1, scale="linear"),
    curves=[Curve("joint", joint), Curve("local", at_home), Curve("central, on everything", everything),
            Curve("no privacy", Table.of(majority, voters, scale="linear"), reference=True)],
    readouts=[Readout("joint", "joint", joint), Readout("local", "local", at_home), Readout("all", "central, on everything", everything)],
    guarantee="(ε = {epsilon}, δ = 0)-privacy for one patient (replace one), proved: joint, against all others; local, against everybody; "
              "central on everything, for your illness as for your vote.",
    alt="Chance of the right treatment against the number of earlier patients at ε = {epsilon}. With {n} patients: joint {joint}, local {local}, "
        "central on everything {all}, which more patients do not raise any further.",
    caption="What you may be told is not what everybody may see.")

# %%
def counted_right(n, e):
    """Joint and local by simulation, votes counted one by one."""
    votes = 2 * rng.binomial(n, 0.7, size=runs) - n
    noisy = votes + noise_rng.laplace(scale=2 / e, size=runs)
    said = 0.5 + (0.7 - 0.5) * np.tanh(e / 2)           # after the coin
    heard = 2 * rng.binomial(n, said, size=runs) - n
    return np.mean(noisy > 0), np.mean(heard > 0) + np.mean(heard == 0) / 2

expected = joint_right(1.0, 30), local_right(1.0, 30)
assert np.allclose(counted_right(30, 1.0), expected, atol=0.03)
odds = np.exp(1.0) / (1 + np.exp(1.0))
assert np.isclose(2 * odds - 1, advantage_ceiling(1.0, 0.0))    # as for attackers

# %% tags=["remove-input"]
assert joint_right(1.0, 30) > 0.9 and round(100 * odds) == 73
md(f"**What you should see.** At most {100 * odds:.0f} times in 100, however many patients there were. The right treatment tells your illness, and so an attacker who reads the list would be right about it as often as the list is. With 30 earlier patients and ε = 1: joint {joint_right(1.0, 30):.2f}, local {local_right(1.0, 30):.2f}, central on everything "
   f"**{all_right(1.0, 30):.2f}**. With 1,000 the first two are right practically always; the third is right never more often than {odds:.2f}. A treatment that fits you says something about you. Joint privacy lets it say so *to you*. It "
   "holds even if all the others compare their notes. The protection ends where you show them yours.")

# %% [markdown]
# (what-a-learner-releases)=
# ## What is released?
#
# The same learner may hand out very different things, and each has its own way to leak:
#
# | released | seen by | what to watch |
# |---|---|---|
# | a **table of values**, once | everybody | everything printed beside it: counts, error bars, the standard deviation of noise that follows the data |
# | a **Q-function** that can be queried | all who may ask, as often as they like | fresh noise for each answer averages away; one random curve, drawn once and added to all answers, does not (chapter 3). Q contains the reward: {doc}`../05_what_leaks` |
# | a **policy** | everybody, or those who meet it | less than Q, but not nothing: which action is best is a fact about data. It is private if made from private numbers alone |
# | **each action**, as it is taken | the person it is meant for | joint privacy; and what the learner uses or shows for others must be private as one long stream, not only at the end |
#
# Whatever is computed from a private release alone is as private as the release (*post-processing*). Whatever is released again,
# from the data, adds up (*composition*).
#
# ### Explore: the same table every month
#
# *A clinic publishes monthly for five years, each table with ε = 0.1 about the whole log. What has it promised in the
# end? With which ε per table would the total be 1?* The two curves have different δ, so they are two promises and not two measurements of one.

# %% tags=["hide-input"]
monthly = Slider("epsilon", "ε of one release", 0.01, 1, 0.1, points=41)
times = Slider("T", "releases T", 1, 120, 60, points=120, steps=119, scale="linear",
               low_end="once", high_end="for years")

def in_total(epsilon, T):
    return gaussian_epsilon(delta, np.sqrt(T) * gaussian_mu(epsilon, delta))

total, added_up = Table.of(in_total, monthly, times), Table.of(lambda epsilon, T: T * epsilon, monthly, times)
explore(
    name="released_again", sliders=[monthly, times], x=times, y=Axis("total", "ε in total", 0.01, 100),
    curves=[Curve("Gaussian releases, √T μ, at the same δ", total, at_most=True),
            Curve("adding up, Tε, at T times the δ", added_up, at_most=True)],
    readouts=[Readout("total", "ε in total, Gaussian", total, at_most=True), Readout("sum", "Tε", added_up, at_most=True)],
    guarantee=f"(ε = {{total}}, δ = {show(delta)})-differential privacy in total for one trajectory (replace one), proved, after {{T}} Gaussian "
              "releases of ε = {epsilon} each.",
    alt="Privacy loss in total against the number of releases, each of ε = {epsilon}. After {T} releases: {total} for Gaussian noise, counted "
        "exactly; {sum} by adding up.",
    caption="What is released again adds up; how, depends on the noise.")

# %% tags=["remove-input"]
five_years, each_table = in_total(0.1, 60), gaussian_epsilon(delta, gaussian_mu(1.0, delta) / np.sqrt(60))
assert np.isclose(in_total(each_table, 60), 1, rtol=1e-3)
md(f"**What you should see.** After sixty tables ε = **{five_years:.2f}** in total, where adding up says 6 at sixty times the δ. For a total of 1 each table may "
   f"have ε = **{each_table:.3f}**. That is hardly more than 0.1, because five years of 0.1 add up to nearly 1.")

# %% [markdown]
# (three-papers)=
# ## The papers of chapters 2 to 4
#
# | | {cite:t}`balle2016` | {cite:t}`wang2019` | {cite:t}`qiao2023` |
# |---|---|---|---|
# | chapter | 2 | 3 | 4 |
# | unit | one trajectory | the reward function | one trajectory |
# | neighbours | replace one | $\lVert r - r'\rVert_\infty \le 1$, that is η = 1 | replace one |
# | model | central | central | central |
# | released | the parameters of a value function, once | a Q-function, to be queried anywhere and any number of times | a policy, made from noisy counts or sums |
# | promise | (ε, δ) | (ε, δ) | ρ-zCDP |
# | protects against | all readers, even if they know all other trajectories | all who query it, even if they know that the reward is one of two neighbours | all readers, even if they know all other trajectories |
# | does *not* protect | a person with several trajectories; the number of trajectories; the standard deviation of the noise, if it is printed | the people whose states were visited, and how the world moves | a person with several trajectories; their number; patients who later *meet* the policy |
#
# With a smaller η the second promise is about fewer rewards, and takes less noise in proportion.
#
# Does the promise hold as printed? The verdicts are those of {ref}`the ledger <claims>` of this book, which has each
# statement in full, and the test behind it:

# %% tags=["hide-input"]
in_words = {
    ("Balle et al. 2016", "Theorem 6"): "DP-LSW, values for each state: (ε, δ)",
    ("Balle et al. 2016", "Theorem 10"): "DP-LSL, values by features: (ε, δ)",
    ("Wang & Hegde 2019", "Theorem 5"): "Q-learning with a random curve added: (ε, and δ plus a remainder)",
    ("Qiao & Wang 2023", "Theorem 3.4 (privacy)"): "learning from noisy counts: ρ-zCDP",
    ("Qiao & Wang 2023", "Theorem 4.1 (privacy)"): "learning from noisy sums of features: ρ-zCDP"}
verdicts = [Verdict(claims(paper).set_index("statement").loc[statement, "verdict"]) for paper, statement in in_words]
ledger = pd.DataFrame([(*statement, promised, f"{verdict.symbol} {verdict.value}")
                       for (statement, promised), verdict in zip(in_words.items(), verdicts)],
                      columns=["paper", "statement", "promise", "as printed"])
ledger.style.hide().set_properties(**{"text-align": "left", "white-space": "normal"})

# %% [markdown]
# *Loose* means true, with more noise than needed. *Fails* means that the algorithm as printed does not keep its promise; the
# chapters have corrected versions of everything, and those keep theirs.
#
# The first and the third take one trajectory for each person, and protect the person as long as that is so. None is local or joint, as the learners of {doc}`chapter 5 </chapters/05_online/index>` are, and the second protects none of the people in the
# log at all. That is no fault: a paper may choose its problem. But a paper that says no more than "differentially private reinforcement
# learning" leaves the reader to guess.
#
# ## Four questions to ask of any private-RL claim
#
# 1. **Whose secret?** What is the unit, and what do neighbours have in common? Is a person one unit, or many?
# 2. **From whom?** Who sees the raw data? What does the attacker see, and what may the attacker know already?
# 3. **What is released, and how often?** Is *everything* covered that depends on the data: each query, each action, each error bar, the
#    tuning?
# 4. **How much, and who says so?** Which ε, at which δ, over the whole life of the system? Proved, by an accountant, or claimed? Under which
#    assumptions?
#
# The sums of chapter 2, of a thousand patients, answer them one by one:

# %%
patients = sample_episodes(recovery_chain(10), np.ones((10, 1)), 1000, rng)
data = first_visit_statistics(patients, 10, 0.99, return_bound=1.0)
release = dp_sufficient_statistics(data, np.eye(10), return_bound=1.0,
                                   epsilon=epsilon, delta=delta, noise_rng=noise_rng)
promise = release.guarantee
str(promise)

# %% tags=["hide-input"]
answers = {"1. Whose secret?": f"{promise.unit}; neighbours: {promise.neighbours}",
           "2. From whom?": "all readers, even if they know all the others (central)",
           "3. What is released?": "noisy visits and returns of 10 states, once, and what is made of them",
           "4. How much, who says so?": f"ε = {show(promise.epsilon)}, δ = {show(promise.delta)}; {promise.status.value}: "
                                        f"{promise.basis}; assuming that {'; '.join(promise.assumes)}"}
pd.Series(answers).to_frame("").style.set_properties(**{"text-align": "left", "white-space": "normal"})

# %% [markdown]
# (quiz-units)=
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. A paper protects "the reward function within η = 0.05" with ε = 0.5. Which secret does that ε cover?**
#
# ```{dropdown} That a certain patient was treated.
# No. The visits are the same for both neighbours, and nothing hides them.
# ```
# ```{dropdown} That some states pay half a point more than others.
# Half a point is ten steps of 0.05. By group privacy ten steps have ε = 5, at a larger δ: a promise of little worth.
# ```
# ```{dropdown} Whether a reward is 0.30 or 0.33 in some state.
# ✓ Yes: such rewards are neighbours, in one state or in all at once.
# ```
#
# **2. A report states the exact number of trajectories, and noisy values. For which neighbours can it be private?**
#
# ```{dropdown} Replace one: the number is the same for both.
# ✓ Yes. Then the number is public by definition.
# ```
# ```{dropdown} Add or remove one.
# The exact number tells the two logs apart with certainty. No ε covers that.
# ```
# ```{dropdown} Both, if the number is large.
# A large number makes the change *relatively* small. It remains exactly one, and exactly visible.
# ```
#
# **3. Ten thousand phones send randomised data to a learner. Why not simply trust the learner with the data, and add noise there?**
#
# ```{dropdown} Because the learner must be trusted then, with its keepers, its intruders, its courts. For the error alone central is better.
# ✓ Yes. The local model buys independence of trust, and pays with √n.
# ```
# ```{dropdown} Because local noise is smaller.
# It is larger, by a factor that grows with √n.
# ```
# ```{dropdown} Because the central model protects only the published result, which is never seen.
# It protects against those who see the result. It does not protect against the curator.
# ```
#
# **4. An app recommends therapies and is jointly private with ε = 1. Your recommendation is shown to you. May it depend strongly on your illness?**
#
# ```{dropdown} No, no probability may change by more than a factor of e.
# That would hold for central privacy of all outputs, yours included, and make the app useless.
# ```
# ```{dropdown} Yes: the promise is about what all *others* see together.
# ✓ Right. If your therapy is posted where others see it, the promise does not cover that.
# ```
# ```{dropdown} Yes, because recommendations are post-processing.
# Not of the private release alone: yours uses your own data too. *Joint* means that this is allowed.
# ```
#
# ## To take away
#
# * Group privacy makes ε grow, and δ too, unless the noise is known to be Gaussian or pure.
# * Neighbours decide what is public: under *replace*, the number of people is.
# * **Whose secret, from whom, what is released, how much and who says so.** No answer, no promise.
#
# ## Further reading
#
# * {cite:t}`dwork2014`: definitions, group privacy, local and central, in a textbook.
# * {cite:t}`kasiviswanathan2011`: what can be learned locally. {cite:t}`warner1965`: where it began, with a coin.
# * {cite:t}`kearns2014`: joint differential privacy. {cite:t}`shariff2018`: why contextual bandits need it. {cite:t}`vietri2020`: joint
#   privacy for exploring learners, with regret. {cite:t}`garcelon2021`: the local model for them.
# * {cite:t}`kifer2011`: how neighbours relate to beliefs about the world.
