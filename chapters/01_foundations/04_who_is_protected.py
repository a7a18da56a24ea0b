# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A reward, a visit, a trajectory, a person: what the unit of privacy makes of one and the same
#         ε in reinforcement learning, and who may see what.'
# ---

# %% [markdown]
# # Who is protected?
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** "Our reinforcement learner is differentially private with ε = 1." Private *for whom*, and *from whom*?
# * **What is protected.** That is what you decide here: a reward, a visit, a trajectory, a person, the reward function.
# * **What you will do.** See what may change between neighbours, and what that makes of one and the same ε; move between a
#   central, a joint and a local world; place the book's three papers on the map.
# * **What you need.** What a Markov decision process is, and ε, δ and μ: the first pages of this chapter.
# * **How long.** About 30 minutes.
# ```
#
# An ε alone is like a speed without a unit. Differential privacy says that a release looks much the same on any two
# *neighbouring* inputs; all its meaning for people lies in who counts as neighbours, and who gets to see what. In reinforcement
# learning there are more answers than elsewhere, since the data have more structure: rewards within visits within
# trajectories within people.

# %% tags=["parameters"]
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
from scipy.special import log_ndtr, ndtr

from privrl_core.privacy import (
    advantage_ceiling, gaussian_advantage_ceiling, gaussian_delta, gaussian_epsilon,
    gaussian_mu)
from privrl_core.policy_evaluation import dp_sufficient_statistics, first_visit_statistics
from privrl_core.world import recovery_chain, sample_episodes
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, show
from privrl_core.pages import PALETTE, Verdict, claims, use_theme

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world, and the noise that protects
runs = max(2_000, round(20_000 * effort))

# %% [markdown]
# ## The unit: whose secret is it?
#
# Here is a log as a hospital might keep it: six stays by four people, Ada three times. Each square is one *visit*: a state, a
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
# | a **reward** | one number of the log | whoever gave one rating or one answer | a warm-up only |
# | a **visit** | one square: state, action and reward of one step | whoever was seen once | chapter 4, as *what not to do* |
# | a **trajectory** | one row | a patient with one stay | chapters 2 and 4 |
# | a **person** | all rows of one name | everybody | here, and wherever people come back |
# | the **reward function** | the reward of every square, by at most η | not the people in the log: the *designer*, or the one whose wishes it encodes | chapter 3 |
#
# Down to the person, each unit contains the one above it, so protection of a larger unit covers the smaller. The last one is of
# another kind: it changes every square, a little, and leaves the visits alone. It protects other secrets of other people, and
# no ε of the one kind can be compared with an ε of the other.
#
# ### Explore: small units, large people
#
# A promise for one unit is a weaker promise for someone who has $k$ of them. For Gaussian noise nothing is lost but the factor:
# μ becomes $k\mu$, and that is attained if all $k$ push the same way. (Where it is known that they cannot, as for visits to $k$
# different cells of a table, it is less: $\sqrt k\,\mu$.) For a mechanism of which one knows only (ε, δ), *group privacy* gives
# $\bigl(k\varepsilon,\ \delta\,\tfrac{e^{k\varepsilon} - 1}{e^\varepsilon - 1}\bigr)$ {cite:p}`dwork2014`.
#
# **Question:** the promise is ε = 1 for a trajectory. What does Ada have, with three? Take a promise per *visit* and stays of
# fifty visits: how small must ε be, so that a stay has ε = 1? Which of the two rules would you rather sign?

# %% tags=["hide-input"]
each = Slider("epsilon", "ε for one unit", 0.01, 4, epsilon, points=41)
units_each = Slider("k", "units a person has, k", 1, 60, 3, points=60, steps=59, scale="linear",
                    low_end="more private", high_end="less private")

def for_person(epsilon, k):
    return gaussian_epsilon(delta, k * gaussian_mu(epsilon, delta))

def told_apart(epsilon, k):
    return gaussian_advantage_ceiling(k * gaussian_mu(epsilon, delta))

exact, linear = Table.of(for_person, each, units_each), Table.of(lambda epsilon, k: k * epsilon, each, units_each)
advantage = Table.of(told_apart, each, units_each)
explore(
    name="units_of_a_person", sliders=[each, units_each], x=units_each, y=Axis("loss", "ε for the person", 0.01, 1000),
    curves=[Curve("Gaussian noise, kμ, at the same δ", exact, at_most=True),
            Curve("rule for any mechanism, kε, at a larger δ", linear, at_most=True)],
    readouts=[Readout("person", "ε for the person, Gaussian", exact, at_most=True), Readout("crude", "kε", linear, at_most=True),
              Readout("advantage", "an attacker's largest advantage, Gaussian", advantage, at_most=True)],
    guarantee=f"(ε = {{person}}, δ = {show(delta)})-differential privacy for a person with {{k}} units (replace all of them), proved, for a "
              "Gaussian release that promises ε = {epsilon} for one unit.",
    alt="ε for a person against the number of units that the person has, if one unit has ε = {epsilon}. At k = {k} the Gaussian curve is at "
        "{person}, the rule for any mechanism at {crude}. An attacker's largest advantage is {advantage}.",
    caption="What a promise per unit is worth to a person.")

# %% tags=["remove-input", "hide-output"] mystnb={"code_prompt_show": "What one finds", "code_prompt_hide": "What one finds"}
three = for_person(1.0, 3)
fifty = gaussian_epsilon(delta, gaussian_mu(1.0, delta) / 50)
md(f"With Gaussian noise Ada has ε = **{three:.2f}** at the same δ. The rule's 3 only looks better: its δ is {np.expm1(3) / np.expm1(1):.0f} times as large. For "
   f"fifty visits that all push the same way a promise of ε = 1 per stay takes ε = **{show(fifty)}** per visit. Whether one signs the first rule or the second is a "
   "matter of δ: a small ε with a δ that is no longer far below one over the number of people is worth little. Best sign neither, but μ.")

# %% [markdown]
# The rule for any mechanism says kε, *and* multiplies δ by more than $e^{(k-1)\varepsilon}$. Both checked, the first by the definition
# of the Gaussian curve, and the second against it, since it must hold for Gaussian noise too:

# %%
for e, k in product((0.1, 1.0, 2.0), (2, 3, 10)):
    mu = gaussian_mu(e, delta)
    crude = delta * np.expm1(k * e) / np.expm1(e)
    assert gaussian_delta(k * e, k * mu) <= crude
    assert np.isclose(gaussian_delta(for_person(e, k), k * mu), delta)

# %% [markdown]
# ## The neighbours: add, remove, or replace?
#
# "Differ in one trajectory" can still mean two things: one is **added or removed**, so the logs have different lengths; or one is
# **replaced** by another, so the number $m$ is the same, and public. Papers are not always clear which they mean, and proofs
# have mixed the two (chapter 4 has such a case). The sensitivities differ, and not by a fixed factor. By brute force, over all
# trajectories of a tiny world of three states, each visited or not, with return 0 or 1 where it is visited and an end in one of
# the states. (The ½ in the last query centres the returns, so that a visit weighs no more than it must; chapter 2 uses it.)

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
# replacement is a removal and an addition, so its sensitivity is at most twice as large; $\sqrt2$ for a histogram, and no more at
# all for visits. From one promise to the other: (ε, δ) for *add or remove* gives $(2\varepsilon, (1 + e^\varepsilon)\delta)$ for *replace*,
# and μ gives at most 2μ.
# There is no way back: what publishes $m$ has no promise for *add or remove*. **This book replaces, unless it says otherwise.**
#
# ## From whom? Central, joint, local
#
# * **Central.** The people give their data to a *curator*, whom they trust. What the curator publishes is private. All three papers
#   of this book are of this kind.
# * **Local.** Nobody is trusted. Each person randomises their own data before they leave the house; the learner never sees
#   anything else. Surveys did this first {cite:p}`warner1965`: toss a coin in secret, and answer truly or not. For reinforcement
#   learning see {cite:t}`garcelon2021`.
# * **Joint** (JDP). For a learner that *serves* the people it learns from. What *everybody else* gets to see may hardly depend on your data;
#   what you are told yourself may {cite:p}`kearns2014`. {cite:t}`vietri2020` brought it to reinforcement learning.
#
# ### Explore: whom to trust
#
# How many of $n$ patients recovered? Central: the curator adds Laplace noise to the share, of width $1/(n\varepsilon)$. Local: each
# patient reports the truth with probability $e^\varepsilon/(1 + e^\varepsilon)$ and its opposite otherwise; the learner corrects for
# it, as on {doc}`the page before <03_noise_that_keeps_it>`. There the correction divides by $2p - 1$, which is
# $t = \tanh(\varepsilon/2)$. The errors are
#
# $$\text{central: } \frac{\sqrt2}{n\varepsilon}, \qquad
#   \text{local: } \frac{1}{2\sqrt n}\sqrt{\frac1{t^2} - 1},$$
#
# beside $\tfrac1{2\sqrt n}$ at most by which any $n$ patients differ from all patients.
#
# **Question:** at ε = 1, from how many people on does the central noise disappear behind the differences between people? And the
# local one?

# %% tags=["hide-input"]
loss = Slider("epsilon", "privacy loss ε", 0.1, 5, epsilon, points=41)
people = Slider("n", "people n", 10, 1e7, 1000, points=25, low_end="fewer", high_end="more")

def central_error(epsilon, n):
    return np.sqrt(2) / (n * epsilon)

def local_error(epsilon, n):
    return np.sqrt(1 / np.tanh(epsilon / 2) ** 2 - 1) / (2 * np.sqrt(n))

def crowd_error(n):
    return 1 / (2 * np.sqrt(n))

central, local = (Table.of(error, loss, people) for error in (central_error, local_error))
crowd = Table.of(crowd_error, people)
explore(
    name="central_or_local", sliders=[loss, people], x=people, y=Axis("error", "error of the share (RMSE)", 1e-8, 10),
    curves=[Curve("local: randomised answers", local), Curve("central: one noisy sum", central),
            Curve("people differ", crowd, reference=True)],
    readouts=[Readout("central", "error from central noise", central), Readout("local", "error from local noise", local),
              Readout("times", "local over central", local / central), Readout("crowd", "people differ by", crowd)],
    guarantee="(ε = {epsilon}, δ = 0)-differential privacy for one person's answer (replace one), proved, in both; central if you trust the "
              "curator, local if you trust nobody.",
    alt="Error of a share against the number of people, at ε = {epsilon}. With {n} people: {central} from central noise, {local} from local "
        "noise, {crowd} because people differ. The local line falls as slowly as the last; the central one twice as fast.",
    caption="The same promise, and who has to be trusted for it.")

# %% tags=["remove-input", "hide-output"] mystnb={"code_prompt_show": "What one finds", "code_prompt_hide": "What one finds"}
loud = local_error(1.0, 1) / crowd_error(1)
even = 2 * np.arctanh(np.sqrt(0.5))
assert np.isclose(central_error(1.0, 8), crowd_error(8)) and np.isclose(local_error(even, 1), crowd_error(1))
md(f"The central noise is below the differences from **n = 8** people on (8/ε² in general), and a hundredth of them from 80,000 on. The local "
   f"noise **never** is: at ε = 1 it is {loud:.1f} times as large as the differences, for any n, since both fall like 1/√n. It "
   f"takes ε = {even:.2f} for the two to be equal.")

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
# The local error falls like $1/\sqrt n$, the central one like $1/n$: the price of trusting nobody is a factor that grows with
# $\sqrt n$, and at a fixed ε no other local mechanism escapes it {cite:p}`beimel2008`. (Who trusts somebody just to mix the
# answers before they are read can have most of it back; this book does not go there.) Take the local model where you must; take
# the curator where there is one.
#
# ### Explore: why *joint*?
#
# A learner recommends treatments, and yours must fit you: with your illness A is right, with another B. If *every* output had to
# be private for you, your own treatment too, it could hardly depend on what you have. Say that $n$ earlier patients with your
# illness voted, each for the better treatment with probability 0.7.
#
# * **No privacy:** the majority decides.
# * **Joint:** the majority with central Laplace noise (it is seen by all), and then *your* illness, exactly (seen by you).
# * **Local:** the majority of randomised votes, and your illness, exactly; the choice is made at your home.
# * **Central on everything:** as joint, but the published list includes your treatment, so your illness has to be randomised too.
#   More patients cannot help here. If a learner is right with a certain probability *whichever* illness you have, its list gives
#   the illness away with that probability, and privacy allows no more than $e^\varepsilon/(1 + e^\varepsilon)$.
#
# **Question:** at ε = 1 and 30 patients, what do the four get right? Which of them does *more data* not help?

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

# %% tags=["remove-input", "hide-output"] mystnb={"code_prompt_show": "What one finds", "code_prompt_hide": "What one finds"}
md(f"With 30 earlier patients and ε = 1: joint {joint_right(1.0, 30):.2f}, local {local_right(1.0, 30):.2f}, central on everything "
   f"**{all_right(1.0, 30):.2f}**. With 1,000 the first two are right practically always; the third never more often than {odds:.2f}. A treatment that fits you says something about you. Joint privacy lets it say so *to you*. It "
   "holds even if all the others compare their notes. It ends where you show them yours.")

# %% [markdown]
# ## What is released?
#
# The same learner may hand out very different things, and each has its own way to leak:
#
# | released | seen by | what to watch |
# |---|---|---|
# | a **table of values**, once | everybody | everything printed beside it: counts, error bars, the width of noise that follows the data |
# | a **Q-function** that can be queried | whoever may ask, as often as they like | fresh noise for each answer averages away; one random curve, drawn once and added to all answers, does not (chapter 3). Q contains the reward: {doc}`05_what_leaks` |
# | a **policy** | everybody, or those who meet it | less than Q, but not nothing: which action is best is a fact about data. It is private if made from private numbers alone |
# | **each action**, as it is taken | the person it is meant for | joint privacy; and what the learner uses or shows for others must be private as one long stream, not only at the end |
#
# Whatever is computed from a private release alone is as private as the release (*post-processing*). Whatever is released again,
# from the data, adds up (*composition*).
#
# ### Explore: the same table every month
#
# **Question:** a clinic publishes monthly for five years, each table with ε = 0.1 about the whole log. What has it promised in the
# end? With which ε per table would the total be 1?

# %% tags=["hide-input"]
monthly = Slider("epsilon", "ε of one release", 0.01, 1, 0.1, points=41)
times = Slider("T", "releases T", 1, 120, 60, points=120, steps=119, scale="linear",
               low_end="more private", high_end="less private")

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

# %% tags=["remove-input", "hide-output"] mystnb={"code_prompt_show": "What one finds", "code_prompt_hide": "What one finds"}
five_years, each_table = in_total(0.1, 60), gaussian_epsilon(delta, gaussian_mu(1.0, delta) / np.sqrt(60))
assert np.isclose(in_total(each_table, 60), 1, rtol=1e-3)
md(f"After sixty tables ε = **{five_years:.2f}** in total, where adding up says 6 at sixty times the δ. For a total of 1 each table may "
   f"have ε = **{each_table:.3f}**: hardly more than now, since there five years already add up to nearly 1.")

# %% [markdown]
# ## The three papers of this book
#
# | | {cite:t}`balle2016` | {cite:t}`wang2019` | {cite:t}`qiao2023` |
# |---|---|---|---|
# | chapter | 2 | 3 | 4 |
# | unit | one trajectory | the reward function | one trajectory |
# | neighbours | replace one | $\lVert r - r'\rVert_\infty \le 1$, that is η = 1 | replace one |
# | model | central | central | central |
# | released | the parameters of a value function, once | a Q-function, to be queried anywhere and as often as one likes | a policy, made from noisy counts or sums |
# | promise | (ε, δ) | (ε, δ) | ρ-zCDP |
# | protects against | whoever reads it, even if they know all other trajectories | whoever queries it, even if they know the reward but for one of two neighbours | whoever reads it, even if they know all other trajectories |
# | does *not* protect | a person with several trajectories; the number of trajectories; the width of the noise, should somebody print it | the people whose states were visited, and how the world moves | a person with several trajectories; their number; patients who later *meet* the policy |
#
# (With a smaller η the second promise is about fewer rewards, and takes less noise in proportion.)
#
# And does the promise hold as printed? The verdicts are those of {ref}`the ledger <claims>` of this book, which has each
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
# The first and the third take one trajectory for each person, and protect the person as long as that is so. None is local or joint, and the second protects none of the people in the
# log at all. That is no fault: a paper may choose its problem. But whoever says no more than "differentially private reinforcement
# learning" leaves the reader to guess.
#
# ## Four questions to ask of any private-RL claim
#
# 1. **Whose secret?** What is the unit, and what do neighbours have in common? Is a person one unit, or many?
# 2. **From whom?** Who sees the raw data? What does the attacker see, and what may they know already?
# 3. **What is released, and how often?** Is *everything* covered that depends on the data: each query, each action, each error bar, the
#    tuning?
# 4. **How much, and who says so?** Which ε, at which δ, over the whole life of the system? Proved, by an accountant, or claimed? Under which
#    assumptions?
#
# A release of this book answers them by itself. For instance the sums of chapter 2, of a thousand patients:

# %%
patients = sample_episodes(recovery_chain(10), np.ones((10, 1)), 1000, rng)
data = first_visit_statistics(patients, 10, 0.99, return_bound=1.0)
release = dp_sufficient_statistics(data, np.eye(10), return_bound=1.0,
                                   epsilon=epsilon, delta=delta, noise_rng=noise_rng)
promise = release.guarantee
str(promise)

# %% tags=["hide-input"]
answers = {"1. Whose secret?": f"{promise.unit}; neighbours: {promise.neighbours}",
           "2. From whom?": "whoever reads the release and knows all the others (central)",
           "3. What is released?": "noisy visits and returns of 10 states, once, and what is made of them",
           "4. How much, who says so?": f"ε = {show(promise.epsilon)}, δ = {show(promise.delta)}; {promise.status.value}: "
                                        f"{promise.basis}; assuming that {'; '.join(promise.assumes)}"}
pd.Series(answers).to_frame("").style.set_properties(**{"text-align": "left", "white-space": "normal"})

# %% [markdown]
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. A learner is (0.1, 10⁻⁵)-private for one visit. A patient's stay has 40 visits. What does she have for her whole stay?**
#
# ```{dropdown} ε = 0.1: every visit is protected.
# Each alone. All forty together move the release up to forty times as far.
# ```
# ```{dropdown} At most ε = 4, by group privacy, at a δ some five hundred times as large.
# ✓ Yes. For Gaussian noise one can be exact: at worst its μ grows by a factor forty, and at the *same* δ that is ε = 5.95. Move the first
# sliders to ε = 0.1 and k = 40.
# ```
# ```{dropdown} ε = 0.1/40, since the noise is spread over the visits.
# It is the other way round: to have 0.1 for the stay, each visit would need far less than 0.1.
# ```
#
# **2. A paper protects "the reward function within η = 0.05" with ε = 0.5. Which secret does that ε cover?**
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
# **3. A report states the exact number of trajectories, and noisy values. For which neighbours can it be private?**
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
# **4. Ten thousand phones send randomised data to a learner. Why not simply trust the learner with the data, and add noise there?**
#
# ```{dropdown} Because one has to trust the learner then: its keepers, its intruders, its courts. For the error alone central is better.
# ✓ Yes. The local model buys independence of trust, and pays with √n.
# ```
# ```{dropdown} Because local noise is smaller.
# It is larger, by a factor that grows with √n.
# ```
# ```{dropdown} Because the central model protects only the published result, which is never seen.
# It protects against those who see the result. Against the curator it does not protect, that is the point.
# ```
#
# **5. An app recommends therapies and is jointly private with ε = 1. Your recommendation is shown to you. May it depend strongly on your illness?**
#
# ```{dropdown} No, by e at most in every probability.
# That would hold for central privacy of all outputs, yours included, and make the app useless.
# ```
# ```{dropdown} Yes: the promise is about what all *others* see together.
# ✓ Yes. And if your therapy is posted where others see it, the promise does not cover that.
# ```
# ```{dropdown} Yes, because recommendations are post-processing.
# Not of the private release alone: yours uses your own data too. That it is fine is what *joint* means.
# ```
#
# ## To take away
#
# * **ε has a unit.** Say: *for one trajectory, replace one*. Then say what a person is in these units.
# * **Promises for small units fade with their number**: at worst kμ for Gaussian noise, which somebody attains.
# * **Neighbours decide what is public**: under *replace*, the number of people is.
# * **Central, joint, local** say who may see what. Trusting nobody costs a factor of about √n.
# * **The reward function is a secret of another kind.** Protecting it protects none of the people in the log.
# * **Whose secret, from whom, what is released, how much and who says so.** No answer, no promise.
#
# ## Further reading
#
# * {cite:t}`dwork2014`: definitions, group privacy, local and central, in a textbook.
# * {cite:t}`kasiviswanathan2011`: what can be learned locally. {cite:t}`warner1965`: where it began, with a coin.
# * {cite:t}`kearns2014`: joint differential privacy. {cite:t}`shariff2018`: why contextual bandits need it. {cite:t}`vietri2020`: joint
#   privacy for exploring learners, with regret. {cite:t}`garcelon2021`: the local model for them.
# * {cite:t}`kifer2011`: what neighbours have to do with what one believes about the world.
#
# Next: {doc}`05_what_leaks`, where we attack.
