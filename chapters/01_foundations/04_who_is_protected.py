# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A visit, a stay, a person, a reward function: what the unit of privacy makes of one and the same ε, and
#         who may see what.'
# ---

# %% [markdown]
# # Who is protected?
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** "Our reinforcement learner is differentially private with ε = 1." Private *for whom*, and *from whom*?
# * **The answer.** A promise is made for a unit: a visit, a stay, a person, a reward function. A person with many units is protected less. And
#   it makes a great difference who may see the raw data.
# * **What is protected.** That is what this page lets you decide.
# * **What you need.** {doc}`02_a_promise` and {doc}`03_noise_that_keeps_it`.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2014         # all randomness comes from here
epsilon = 1.0       # where sliders of ε start
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.special import expit, ndtr

from privrl_core.pages import PALETTE, Verdict, claims, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.policy_evaluation import dp_sufficient_statistics, first_visit_statistics
from privrl_core.privacy import gaussian_epsilon, gaussian_mu
from privrl_core.world import recovery_chain, sample_episodes

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world, and the noise that protects

# %% [markdown]
# ## Ada comes three times
#
# Here is a log as a hospital might keep it: six stays by four people. Each square is one *visit* by the doctor, with a state, a
# treatment and a reward. Each row is one stay.

# %% tags=["remove-cell"]
stays = [("Ada", 6), ("Ben", 4), ("Ada", 5), ("Cleo", 8), ("Ada", 3), ("Dan", 6)]     # and how many visits
GREY, LIGHT = "#c9ced6", "#f3c9a5"

def draw_log(ax):
    """Squares in rows; Ada's in a colour of their own."""
    for row, (person, length) in enumerate(stays):
        ax.text(-0.75, row, person, ha="right", va="center", weight="bold" if person == "Ada" else "normal",
                color=PALETTE[1] if person == "Ada" else "#22272e")
        for step in range(length):
            ax.add_patch(plt.Rectangle((step - 0.46, row - 0.42), 0.92, 0.84, color=LIGHT if person == "Ada" else GREY, lw=0))
    ax.set(xlim=(-1.9, 12.6), ylim=(5.6, -0.6))
    ax.axis("off")

# %% mystnb={"image": {"alt": "Six rows of squares, a row for each stay, with the names Ada, Ben, Ada, Cleo, Ada and Dan. Ada's three rows have a colour of their own."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.5))
draw_log(ax)
for row in (0, 2, 4):
    ax.plot([stays[row][1] - 0.35, 8.6], [row, row], color=PALETTE[1], lw=1.2)
ax.plot([8.6, 8.6], [0, 4], color=PALETTE[1], lw=1.2)
ax.text(8.8, 2, "one person,\nthree stays", va="center", color=PALETTE[1], weight="bold")
ax.set_title("Six stays, four people");

# %% [markdown]
# The hospital publishes what it learnt from this log, with Gaussian noise. It promises ε = 1 and δ = 10⁻⁵ *for one stay*: replace any row by
# another one, and the publication looks nearly the same. The best attacker can tell the two logs apart 55 times in 100, where a coin has 50.
#
# But Ada is not one stay. An attacker who asks about *Ada* compares this log with another one, in which all three of her rows are replaced.
#
# ### Explore: small units, large people
#
# ```{admonition} Guess first
# :class: hint
# **How often is the best attacker right about Ada: still 55 times in 100, 66 times, or 95 times? And if a hospital makes the same promise for
# one *visit*, what does it mean for a patient with fifty visits?** Decide, then move the number of units.
# ```

# %% tags=["remove-cell"]
each = Slider("epsilon", "ε promised for one unit", 0.01, 4, epsilon, points=41, low_end="strong promise", high_end="weak promise")
units_each = Slider("k", "units that one person has", 1, 60, 1, points=60, steps=59, scale="linear",
                    low_end="one", high_end="many")

def for_person(epsilon, k):
    return gaussian_epsilon(delta, k * gaussian_mu(epsilon, delta))

def right_guesses(epsilon, k):
    """In 100, of the best attacker on the person, if the noise is Gaussian."""
    return 100 * ndtr(k * gaussian_mu(epsilon, delta) / 2)

def right_guesses_pure(epsilon, k):
    return 100 * expit(k * epsilon)

exact = Table.of(for_person, each, units_each)
gaussian, pure = (Table.of(guesses, each, units_each, scale="linear") for guesses in (right_guesses, right_guesses_pure))

# %% tags=["remove-input"]
explore(
    name="units_of_a_person", sliders=[units_each, each], x=units_each,
    y=Axis("guesses", "right guesses in 100, about the person", 50, 100, scale="linear"),
    curves=[Curve("Gaussian noise", gaussian), Curve("pure noise", pure),
            Curve("a coin", constant(50), reference=True)],
    readouts=[Readout("gaussian", "right about the person, Gaussian noise", gaussian, unit="in 100"),
              Readout("pure", "right about the person, pure noise", pure, unit="in 100"),
              Readout("person", f"ε for the person, Gaussian, at δ = {show(delta)}", exact, at_most=True)],
    guarantee=f"(ε = {{person}}, δ = {show(delta)})-differential privacy for a person who has {{k}} such units (replace all of them), proved, for a "
              "Gaussian release that promises ε = {epsilon} for one unit, at the same δ.",
    alt="Right guesses about a person against the number of units that the person has, if one unit has ε = {epsilon}. At k = {k} the best attacker is "
        "right {gaussian} times in 100 with Gaussian noise, and at most {pure} times with pure noise.",
    caption="Right guesses of the best attacker; an upper bound for pure noise. Both kinds of noise promise the same ε for one unit; δ = 10⁻⁵ for Gaussian noise, and 0 for pure noise.")

# %% tags=["remove-input"]
one, three, fifty = (right_guesses(1.0, k) for k in (1, 3, 50))
assert round(one) == 55 and round(three) == 66 and round(right_guesses_pure(1.0, 3)) == 95 and fifty > 99.99
small = gaussian_epsilon(delta, gaussian_mu(1.0, delta) / 50)
md(f"**What you should see.** With Gaussian noise {three:.0f} times in 100: for Ada as a person the promise is ε = {for_person(1.0, 3):.1f} at the same δ. With pure "
   f"noise it may be 95 times, because ε is 3 for her. After fifty visits nothing is left, and the attacker is practically always right. "
   f"For a stay of fifty visits to have ε = 1, each visit would need ε = {show(small)}.")

# %% [markdown]
# The rule behind the curves: a person with $k$ units has $k\mu$ instead of μ, and $k\varepsilon$ instead of ε if δ = 0. For a mechanism of which only a pair
# (ε, δ) is known, δ grows as well [{ref}`group privacy, checked <group-privacy>`].
#
# ## Say the unit
#
# So an ε without a unit is like a speed without one. In reinforcement learning there are many units to choose from, because the
# data have a structure: rewards within visits within stays within people.

# %% mystnb={"image": {"alt": "The same log with four units marked: one square is framed as a visit, the row around it as a trajectory, Ada's three rows are coloured as a person, and every square carries a dot for the reward function."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.7))
draw_log(ax)
for row, (_, length) in enumerate(stays):
    ax.plot(np.arange(length), np.full(length, row), ".", ms=5, color=PALETTE[0])
ax.add_patch(plt.Rectangle((-0.58, 1.48), 5.16, 1.04, fill=False, ec="#22272e", lw=2))
ax.add_patch(plt.Rectangle((3.52, 1.57), 0.96, 0.86, fill=False, ec=PALETTE[3], lw=3))
lines = [(0.0, (5.5, 0.0), "one person: all of Ada's rows", PALETTE[1]), (1.6, (4.6, 1.75), "one trajectory: a row", "#22272e"),
         (2.45, (4.5, 2.2), "one visit: a square", PALETTE[3]), (4.9, (5.3, 4.95), "the reward function: every\nreward, each by a little", PALETTE[0])]
for height, tip, words, colour in lines:
    ax.annotate(words, tip, (8.1, height), color=colour, va="center", weight="bold",
                arrowprops={"arrowstyle": "-", "color": colour, "lw": 1.2})
ax.set_title("Four units: what may change between two neighbouring logs");

# %% [markdown]
# | unit | neighbours differ in | in this book |
# |---|---|---|
# | a **visit** | state, action and reward of one step | chapter 4, as *what not to do* |
# | a **trajectory** | one whole row | chapters 2 and 4 |
# | a **person** | all rows of one name | here, and wherever people come back |
# | the **reward function** | the reward of every square, by at most η | chapter 3 |
#
# Protection of a row covers each square in it, and protection of a person covers each of her rows. The last unit is of another kind. It protects what the
# *designer* of the rewards wants, and none of the people in the log. No ε of this kind can be compared with an ε of the others.
#
# One more choice belongs to the unit. Neighbours may **replace** one row by another, or **add or remove** a row. With *replace*, the number of rows is the same for both
# neighbours, so it may be published exactly. With *add or remove* it is a secret like any other, and the sensitivities differ
# [{ref}`by brute force <add-or-replace>`]. This book replaces, unless it says otherwise.
#
# ## From whom?
#
# * **Central.** People give their data to a *curator* whom they trust. What the curator publishes is private. All three papers
#   of this book are of this kind.
# * **Local.** Nobody is trusted. Each person adds noise before the data leave the house, as with randomised response.
# * **Joint.** A learner *serves* the people from whom it learns. What all *others* see hardly depends on your data, but what you are told yourself may
#   depend on them {cite:p}`kearns2014`.
#
# ### Explore: whom to trust
#
# ```{admonition} Guess first
# :class: hint
# How many of $n$ patients recovered? Both releases promise ε = 1. Centrally, one noise is added to the share. Locally, each patient's answer is
# randomised. Any $n$ patients also differ from all patients by chance, like any sample. **From how many patients on is the central noise smaller than this chance: about
# 10, 1,000 or 100,000? And the local noise?**
# ```

# %% tags=["remove-cell"]
loss = Slider("epsilon", "privacy loss ε", 0.1, 5, epsilon, points=41)
people = Slider("n", "people n", 10, 1e7, 1000, points=25, low_end="few", high_end="many")

def central_error(epsilon, n):
    return np.sqrt(2) / (n * epsilon)

def local_error(epsilon, n):
    return np.sqrt(1 / np.tanh(epsilon / 2) ** 2 - 1) / (2 * np.sqrt(n))

def crowd_error(n):
    return 1 / (2 * np.sqrt(n))

central, local = (Table.of(error, loss, people) for error in (central_error, local_error))
crowd = Table.of(crowd_error, people)

# %% tags=["remove-input"]
explore(
    name="central_or_local", sliders=[people, loss], x=people, y=Axis("error", "error of the share (RMSE)", 1e-8, 10),
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
loud = local_error(1.0, 1) / crowd_error(1)
assert np.isclose(central_error(1.0, 8), crowd_error(8))
md(f"**What you should see.** The central noise is smaller from 8 patients on. The local noise *never* is: at ε = 1 it is {loud:.1f} times as large as chance for "
   f"every number of patients, because both fall like one over the root of $n$, and the central noise falls like $1/n$. To trust nobody costs a factor "
   "that grows with the root of $n$ [{ref}`checked by simulation <central-or-local-checked>`].")

# %% [markdown]
# ### Why *joint*?
#
# ```{admonition} Guess first
# :class: hint
# A learner recommends treatments, and publishes the list of all recommendations. Your treatment must fit your illness. The list is centrally private with ε = 1, also
# for *you*. **With millions of earlier patients, how often can your treatment be the right one: nearly always, or 73 times in 100?**
# ```

# %% tags=["remove-input"]
odds = expit(1.0)
assert round(100 * odds) == 73
md(f"**The answer.** At most {100 * odds:.0f} times in 100, however many patients there were. A treatment that fits your illness tells your illness, and the list may tell it with "
   f"probability $e^\\varepsilon/(1 + e^\\varepsilon)$ at most. Joint privacy shows your treatment to you alone, and protects you against all the others, even if they compare "
   "what they were told. Then thirty earlier patients are enough to be right most of the time [{ref}`four models side by side <joint-or-central>`].")

# %% [markdown]
# ## What the three papers promise
#
# The answers of the three papers of this book differ, and each is a legitimate choice:

# %% tags=["remove-input"]
def as_printed(paper, *statements):
    found = claims(paper).set_index("statement").loc[list(statements), "verdict"]
    verdicts = list(dict.fromkeys(Verdict(verdict) for verdict in found))
    return ", ".join(f"{verdict.symbol} {verdict.value}" for verdict in verdicts)

balle = as_printed("Balle et al. 2016", "Theorem 6", "Theorem 10")
wang = as_printed("Wang & Hegde 2019", "Theorem 5")
qiao = as_printed("Qiao & Wang 2023", "Theorem 3.4 (privacy)", "Theorem 4.1 (privacy)")
md(f"""
| | unit | released | does *not* protect | promise as printed |
|---|---|---|---|---|
| {{cite:t}}`balle2016` | one trajectory | values, once | a person with several trajectories | {balle} |
| {{cite:t}}`wang2019` | the reward function | a Q-function, queried anywhere | the people in the log | {wang} |
| {{cite:t}}`qiao2023` | one trajectory | a policy | a person with several trajectories | {qiao} |
""")

# %% [markdown]
# All three are central. *Loose* means that the promise is true, with more noise than needed. *Fails* means that the algorithm as printed does not keep it. The
# chapters have corrected versions, and those keep their promises. {ref}`The longer table <three-papers>` has neighbours and attackers, and
# each statement by itself.
#
# ## Four questions for every claim
#
# 1. **Whose secret?** What is the unit, and is a person one unit or many?
# 2. **From whom?** Who sees the raw data, and what does the attacker see?
# 3. **What is released, and how often?** Is *everything* covered that depends on the data: each query, each error bar, the
#    tuning? {ref}`What is published every month adds up <what-a-learner-releases>`.
# 4. **How much, and who says so?** Which ε, at which δ? Is it proved, or only claimed?
#
# A release of this book answers them by itself. For instance the sums of chapter 2, of a thousand patients:

# %% tags=["remove-cell"]
patients = sample_episodes(recovery_chain(10), np.ones((10, 1)), 1000, rng)
data = first_visit_statistics(patients, 10, 0.99, return_bound=1.0)

# %%
release = dp_sufficient_statistics(
    data, np.eye(10), return_bound=1.0,
    epsilon=epsilon, delta=delta, noise_rng=noise_rng)
str(release.guarantee)

# %% [markdown]
# ## Check yourself
#
# **1. A Gaussian release is (0.1, 10⁻⁵)-private for one visit. A patient's stay has 40 visits. What does she have for her whole stay?**
#
# ```{dropdown} ε = 0.1: every visit is protected.
# Each alone. All forty together move the release up to forty times as far.
# ```
# ```{dropdown} About ε = 6 at the same δ, in the worst case.
# ✓ Right. Her μ grows by a factor of forty. Move the first sliders to ε = 0.1 and 40 units, and read 5.95.
# ```
# ```{dropdown} ε = 0.1/40, since the noise is spread over the visits.
# It is the other way round. To have 0.1 for the stay, each visit would need far less than 0.1.
# ```
#
# **2. An app recommends therapies and is jointly private with ε = 1. Your recommendation is shown to you. May it depend strongly on your illness?**
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
# Three more questions are {ref}`behind this page <quiz-units>`.
#
# ## To take away
#
# * **ε has a unit.** Say: *for one trajectory, replace one*. Then say how many units a person has.
# * **Promises for small units fade with their number**: at worst $k\mu$ for Gaussian noise, and $k\varepsilon$ for pure noise.
# * **Central, joint, local** say who may see what. Trusting nobody costs a factor of about $\sqrt n$.
# * **The reward function is a secret of another kind.** Protecting it protects none of the people in the log.
#
# Further reading: {cite:t}`dwork2014`, group privacy, central and local; {cite:t}`vietri2020`, joint privacy for reinforcement learning. Next:
# {doc}`05_what_leaks`, where we attack.

# %% tags=["remove-cell"]
# what the answers above say
assert np.isclose(for_person(0.1, 40), 5.95, atol=0.005)
