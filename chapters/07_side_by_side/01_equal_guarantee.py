# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'When may two private methods be ranked by their ε, and which did best on the four problems of this book?'
# ---

# %% [markdown]
# # At an equal guarantee
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Which mechanism of this book is best?
# * **The answer.** An ε ranks two mechanisms only if they protect the same unit, under the same neighbours, and answer the same question. Where they do, exact constants come
#   first. Then the winner on all four problems adds its noise once, to a few sums, just enough to hide how far one person, or one change of a secret reward, can move them.
# * **What is protected.** One trajectory in chapter 2, one stay in chapter 4, which is a trajectory as well, and the reward function in chapter 3. No ε ranks the one against the other.
# * **What you need.** {doc}`/chapters/01_foundations/04_who_is_protected`, and chapters 2 to 4.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0            # the fraction of the full work
seed = 2025             # all randomness comes from here
epsilon, delta = 1.0, 1e-5
n_patients = 10_000

# %% tags=["remove-cell"]
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from matplotlib.colors import ListedColormap

from privrl_core.formatting import at_most, show
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.game import Beside, Dial, Exact, Noisy, Number, World, play
from privrl_core.policy_evaluation import dp_lsw, dp_sufficient_statistics, first_visit_statistics, lsw, tabular_features
from privrl_core.privacy import (
    ADD_OR_REMOVE_ONE, REPLACE_ONE, TRAJECTORY, GaussianNoise, GaussianWorlds, Guarantee, Sensitivity, Status, Unit, as_printed,
    calibrate_exact, compose_guarantees, gaussian_epsilon, gaussian_mu)
from privrl_core.world import recovery_chain, sample_episodes

use_theme()

# %% [markdown]
# ## Two leaflets
#
# A clinic publishes how often a painkiller was given, counted over all visits. Two methods are on offer, and each comes with a leaflet. Leaflet A says *ε = 1 for one visit*.
# Leaflet B says *ε = 2 for a whole stay*. Both add Gaussian noise, with δ = 10⁻⁵. Anna had forty visits in one stay.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which leaflet promises more to Anna?** Choose, then play.
#
# * Leaflet A, since its ε is smaller.
# * Leaflet B, since it speaks of the whole stay.
# * Neither, since 1 for a visit and 2 for a stay come to the same.
# ```
#
# ### Play: was Anna given the painkiller?
#
# At all other visits together it was given 5,000 times, and you know it. A coin decides whether Anna got it at each of her forty visits or at none. Play six rounds with the noise
# of leaflet A, and then six with that of leaflet B. At the left end of the dial the count is exact. When you have seen enough of one kind, let the best attacker play the rest.

# %% tags=["remove-input"]
visits, others = 40, 5_000
leaflets = {"visit": (GaussianNoise.of_epsilon(1.0, delta), 1), "stay": (GaussianNoise.of_epsilon(2.0, delta), visits)}
scales = {name: float(noise.scale(Sensitivity(moved, moved))) for name, (noise, moved) in leaflets.items()}
mu_of_visit, mu_of_stay = gaussian_mu(1.0, delta), gaussian_mu(2.0, delta)
whole_stay = gaussian_epsilon(delta, visits * mu_of_visit)
counts = np.array([[others + visits], [others]], dtype=float)
worlds = {name: GaussianWorlds(means=counts, scales=scale) for name, scale in scales.items()}
play(
    name="leaflets", question="At all other visits the painkiller was given 5,000 times. Was it given to Anna?",
    worlds=[World("given", "given forty times", "Anna got it at all forty visits."), World("not given", "never given", "Anna never got it.")],
    picture=Number("The published count", y="how often the painkiller was given, published",
                   beside=[Beside("if Anna got it", counts[0], world=0), Beside("if not", counts[1], world=1)]),
    levels=[Exact("none: exact count", means=counts, decimals=0, guarantee="An exact count promises nothing to anybody."),
            Noisy(f"leaflet A, {scales['visit']:.1f} visits", worlds["visit"],
                  guarantee=f"ε = 1, δ = 10⁻⁵ for one visit (replace one), proved. For a stay of forty visits this is ε = {at_most(whole_stay)}."),
            Noisy(f"leaflet B, {scales['stay']:.0f} visits", worlds["stay"],
                  guarantee="ε = 2, δ = 10⁻⁵ for one stay of at most forty visits (replace one), proved.")],
    noise=leaflets["stay"][0].draw(1.0, 6_000, np.random.default_rng(seed)), rounds=6, initial=1,
    dial=Dial("noise on the count", low_end="no noise", high_end="more noise", first="Now with leaflet B", next="Now with leaflet B"), stages=("rounds", "dial"),
    caption="One number is published in each round, with the noise of one of the leaflets or with none.",
    alt="One number is published: how often the painkiller was given. It is exact, or has the noise of leaflet A or of leaflet B.")

# %% tags=["remove-cell"]
ceiling = {name: one.ceiling for name, one in worlds.items()}
assert ceiling["visit"] > 0.999999 and 0.59 < ceiling["stay"] < 0.605 and 100 < whole_stay < 105

# %% tags=["remove-input"]
md(f"**The answer.** Leaflet B. Leaflet A protects one visit if the other thirty-nine are known, with noise of {scales['visit']:.1f} visits. Anna's forty visits move the count by 40, so "
   f"you bet as safely as with the exact count. For her whole stay leaflet A has forty times the μ of a visit, and that is an ε of {at_most(whole_stay)}, against 2. Leaflet B covers all "
   f"forty with noise of {scales['stay']:.0f} visits, and the best attacker is right {100 * ceiling['stay']:.0f} times in 100. A small ε for a small unit is often the weaker promise.")

# %% [markdown]
# ## What may be ranked
#
# So the sentence *A beats B at ε = 1* means something only under four conditions:
#
# 1. **The unit and the neighbours are the same.** Otherwise the two ε measure different things.
# 2. **The question is the same.** A table of values and a treatment policy cannot be ranked.
# 3. **Both promises hold.** A method whose noise is too small wins every comparison.
# 4. **δ is the same**, or better the whole curve: the same μ where noise is Gaussian.
#
# *Adding up* two promises takes less: the same unit, the same neighbours, and promises that hold. A hospital that publishes two results from the same patients has to add them up.
#
# Here are six promises of this book, all with ε = 1 and δ = 10⁻⁵:
#
# | | what is released | unit | neighbours |
# |---|---|---|---|
# | 1 | values of a policy, with noise on two sums | one trajectory | replace one |
# | 2 | values of a policy, with noise on the answer | one trajectory | replace one |
# | 3 | a treatment for each state | one trajectory | replace one |
# | 4 | a treatment for each state | one trajectory | add or remove one |
# | 5 | a reward function, released once | the reward function | within η everywhere |
# | 6 | Q-learning as printed, {ref}`refuted <fifth-matrix>` | the reward function | within η everywhere |
#
# ```{admonition} Guess first
# :class: hint guess right-1
# **Which of the six may be ranked against each other?** The matrix below shows it for all pairs.
#
# * Only 1 and 2
# * 1 and 2, and 3 and 4
# * 1 and 2, 3 and 4, and 5 and 6
# * 1, 2 and 3
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "A square matrix of six promises, numbered on both axes. Promises 1 and 2, tables of values, may be ranked against each other. Promise 3, a treatment, may be added to them. Promise 4, under add or remove, and promise 5, a reward, meet only themselves. The row of promise 6, refuted, is empty."}}
REWARD = Unit("the reward function")
kinds = {
    "1  values, noise on two sums": (TRAJECTORY, REPLACE_ONE, "value", Status.PROVED),
    "2  values, noise on the answer": (TRAJECTORY, REPLACE_ONE, "value", Status.PROVED),
    "3  treatment, replace one": (TRAJECTORY, REPLACE_ONE, "treatment", Status.PROVED),
    "4  treatment, add or remove": (TRAJECTORY, ADD_OR_REMOVE_ONE, "treatment", Status.PROVED),
    "5  reward, released once": (REWARD, REPLACE_ONE, "reward", Status.PROVED),
    "6  Q-learning as printed": (REWARD, REPLACE_ONE, "reward", Status.REFUTED)}
promises = {name: (Guarantee(epsilon, delta, unit, neighbours, status, name), question) for name, (unit, neighbours, question, status) in kinds.items()}
names = list(promises)

def may_be_added(one, other):
    """The package decides it from the promises alone."""
    try:
        return bool(compose_guarantees(one, other))
    except ValueError:     # other unit, other neighbours, or refuted
        return False

may = np.array([[int(may_be_added(promises[a][0], promises[b][0])) * (1 + (promises[a][1] == promises[b][1])) for b in names] for a in names])
fig, ax = plt.subplots(figsize=(6.6, 3.9))
ax.pcolormesh(may, cmap=ListedColormap(["#00000000", "#c9ced6", PALETTE[0]]), vmin=0, vmax=2, edgecolor="white", lw=1.5)
for i, j in product(range(len(names)), repeat=2):
    ax.text(j + 0.5, i + 0.5, ("", "+", "=")[may[i, j]], ha="center", va="center", color="white" if may[i, j] == 2 else "#22272e", weight="bold")
ax.set(xticks=np.arange(len(names)) + 0.5, xticklabels=[name[0] for name in names], yticks=np.arange(len(names)) + 0.5, yticklabels=names,
       title="=  may be ranked      +  may only be added up      blank: neither")
ax.invert_yaxis()
ax.grid(False)
ax.tick_params(length=0)

# %% tags=["remove-cell"]
assert may[0, 1] == 2 and may[0, 2] == 1 and may[0, 3] == may[2, 3] == 0 and may[4, 4] == 2 and not may[5].any() and not may[4, :4].any()
assert (np.triu(may, 1) == 2).sum() == 1

# %% [markdown]
# **What you should see.** Only 1 and 2. The treatment 3 has the same unit and neighbours but answers another question, so it may be added to the tables and not ranked against them. The
# treatments 3 and 4 answer the same question, but the same ε means less under *add or remove one*. The last row is empty even on the diagonal, because a refuted promise may not be compared with
# anything. Of the 91 pairs that all mechanisms of the book make, {ref}`14 may be ranked <fifth-matrix>`.
#
# ## Values of a policy: constants first
#
# Where ranking is allowed, let us rank. Chapter 2 has a table of values for forty stages of an illness. *DP-LSW*, the method of its paper, adds noise to the finished answer, with constants as
# {doc}`printed or calibrated exactly </chapters/02_policy_evaluation/02_noise_that_follows>`. The other method {doc}`adds noise to two sums </chapters/02_policy_evaluation/04_release_sums>`. We release each table
# from the records of ten thousand patients and measure its error:

# %% tags=["remove-cell"]
S, treatment = 40, np.ones((40, 1))
starts = {"stage 1": np.eye(S)[0], "any stage": np.full(S, 1 / S)}
truth, features = recovery_chain(S).policy_values(treatment), tabular_features(S)
levels, repeats = [0.1, 0.3, 1.0, 3.0, 10.0], 12
mechanisms = {"sums": dp_sufficient_statistics,
              "exact": lambda *data, **promise: dp_lsw(*data, np.ones(S), rule=calibrate_exact, **promise),
              "printed": lambda *data, **promise: dp_lsw(*data, np.ones(S), rule=as_printed, **promise)}

def rmse(tables):
    return float(np.sqrt(np.mean((np.array(tables) - truth) ** 2)))

def measured(initial):
    """Error of each mechanism at each ε. In a figure they may share the records; real patients would pay for all."""
    rng, noise_rng = np.random.default_rng(seed).spawn(2)
    studies = [first_visit_statistics(sample_episodes(recovery_chain(initial=initial), treatment, n_patients, rng), S, 0.99, return_bound=1.0)
               for _ in range(repeats)]
    found = {name: [rmse([release(data, features, return_bound=1.0, epsilon=e, delta=delta, noise_rng=noise_rng).parameters for data in studies])
                    for e in levels] for name, release in mechanisms.items()}
    return found | {"not private": [rmse([lsw(data, features, np.ones(S)) for data in studies])] * len(levels)}

errors = {name: measured(initial) for name, initial in starts.items()}
at = {start: {name: curve[levels.index(1.0)] for name, curve in found.items()} for start, found in errors.items()}
near, far = at.values()

def draw(panels):
    labels = {"stage 1": {"printed": (0.75, 0.1, "DP-LSW as printed"), "exact": (0.115, 0.045, "DP-LSW, exact"), "sums": (0.115, 0.0016, "noise on\ntwo sums")},
              "any stage": {"printed": (1.2, 16, "DP-LSW as printed"), "exact": (0.115, 1.8, "DP-LSW, exact"), "sums": (0.115, 0.016, "noise on\ntwo sums")}}
    titles = {"stage 1": "All start in stage 1: constants matter", "any stage": "Start in any stage: sums matter too"}
    fig, axes = plt.subplots(1, len(panels), figsize=(4.6 * len(panels), 3.7), sharey=True, squeeze=False)
    for ax, start in zip(axes[0], panels):
        found = errors[start]
        for colour, style, name in zip((PALETTE[2], PALETTE[1], PALETTE[0]), (":", "--", "-"), ("printed", "exact", "sums")):
            ax.plot(levels, found[name], style, color=colour, marker="o", ms=4)
            x, y, words = labels[start][name]
            ax.text(x, y, words, color=colour, size=9.5, linespacing=1.05)
        for error, words, style in ((found["not private"][0], "not private", ":"), (rmse([np.zeros(S)]), "a table of zeros", "--")):
            ax.axhline(error, color=REFERENCE, ls=style, lw=1.2)
            ax.text(11, error * 0.85, words, color=REFERENCE, ha="right", va="top", size=9.5)
        ax.set(xscale="log", yscale="log", ylim=(5e-5, 1e3), xlabel="privacy loss ε", title=titles[start])
        ax.set_xticks(levels, [f"{e:g}" for e in levels])
    axes[0, 0].set_ylabel("error of the values (RMSE)")

# %% tags=["remove-input"] mystnb={"image": {"alt": "Measured error of the table of values against epsilon if all patients start in stage 1. Three lines fall towards the dotted line without privacy. DP-LSW as printed is about five times as high as the other two, which almost coincide."}}
draw(["stage 1"])

# %% tags=["remove-input"]
md(f"At ε = 1 exact constants make the error {near['printed'] / near['exact']:.1f} times smaller. To add noise to sums instead of to the answer gains only another factor of {near['exact'] / near['sums']:.1f}. "
   "All patients start in stage 1 here and pass every stage, so each stage has ten thousand visits. Now let them start in any stage. Few of them see the first stages.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# **How many times smaller than that of exact DP-LSW is the error of noise on sums now, at ε = 1?**
#
# * About 1.3 times, as before
# * About 2 times
# * More than 10 times
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "The same picture with a second panel, where patients start in any stage. There DP-LSW as printed lies far above the line of a table of zeros up to epsilon 1, exact DP-LSW falls below it between epsilon 0.3 and 1 and nears the sums at 3, and noise on two sums lies far below at every epsilon."}}
draw(list(starts))

# %% tags=["remove-cell"]
assert 4 < near["printed"] / near["exact"] < 7 and 1.25 <= near["exact"] / near["sums"] < 1.35
assert 10 < far["exact"] / far["sums"] < 25 and 30 < far["printed"] / far["exact"] < 70 and far["sums"] < 0.05 < far["exact"] < 0.5 < 5 < far["printed"]

# %% tags=["remove-input"]
md(f"**What you should see.** {far['exact'] / far['sums']:.0f} times. The noise of DP-LSW follows the stage with the fewest visits, and all stages get it. Noise on sums hurts only the stages that are rarely visited. "
   f"The constants matter even more: as printed the error is {far['printed']:.0f}, larger than that of a table of zeros, exact it is {show(far['exact'], 2)}, and with noise on sums {show(far['sums'], 2)}. So calibrate "
   "exactly before you judge a mechanism, and then look at where its noise goes.")

# %% [markdown]
# For all three, at each ε: (ε, δ = 10⁻⁵)-differential privacy for one trajectory, replace one, proved. The {ref}`evidence <fifth-values>` has sliders for ε, the number of patients and their start.
#
# ## One pattern on four problems
#
# The other chapters made the same comparison, at ε = 1 and δ = 10⁻⁵. Each row has one problem and one promise, and the noise in two places:

# %% tags=["remove-input"]
md(f"""| what is published | from | noise first went | better: noise goes | what this gains |
|---|---|---|---|---|
| values of a policy, above | 10,000 patients | on the finished answer | on two sums | error {show(far['exact'], 2)} → {show(far['sums'], 2)} |
| {{doc}}`a secret reward </chapters/03_functional_noise/05_today>` | 5,000 steps | on every update of Q | on three rewards | return 5.8 → 20.7, the best there is |
| {{doc}}`a plan for 20 days </chapters/04_offline_rl/03_linear>` | 100,000 stays | on two sums, as if values reached 20 | on the same sums, less noise, as values differ by far less | gap to the best plan 2.0 → 0.03 |
| {{doc}}`a treatment </chapters/04_offline_rl/05_clinic>` | a million stays | on every step of every stay | on the last decision of each stay | survival 78.2 % → 85.5 % |

In the second row, neighbouring rewards differ by at most η = 0.01. The evidence compares more mechanisms on {{ref}}`the reward <fifth-reward>`, {{ref}}`the plan <fifth-plan>` and {{ref}}`the treatment <fifth-treatment>`, partly from fewer records.""")

# %% [markdown]
# The rows cannot be ranked against each other, since an ε for a trajectory and an ε for a reward measure different things. What carries over is a pattern. **Add noise once, to a few sums over the
# data, just enough to hide how far one person, or one change of the reward, can move them. Compute everything else from these sums.** In three rows this decides where the noise goes, and in the third row how wide it is.
#
# Two of the winners leave something out: the rewards between three places, and what a treatment does later. This is a bet on the problem, and it has to be made before looking at the data.
#
# ## Check yourself
#
# **A paper reports ε = 1 for adding or removing one person, another ε = 1 for replacing one. Both use Gaussian noise on the same counts, and the first is more accurate. Is its method better?**
#
# ```{dropdown} Yes, at the same ε it has the smaller error.
# The same ε means less under add or remove, since only one count changes.
# ```
# ```{dropdown} It cannot be told from this.
# ✓ Right. Replacing moves two counts, so the second adds √2 times as much noise for the same ε. Bring both to one kind of neighbours first.
# ```
# ```{dropdown} No, the second is better.
# It might be. But its larger error may come from its stricter promise alone, or from its method.
# ```
#
# Exercises are at the end of the {doc}`evidence page <evidence/01_equal_guarantee>`.
#
# ## To take away
#
# * **Same unit, same neighbours, same question, same δ, and a promise that holds**: only then does ε rank anything. Better still is one μ.
# * **Same unit and neighbours** are enough to add promises up. This is a duty for everything that is made of the same people.
# * **Constants before ideas**: calibrate exactly before you judge a mechanism.
# * **On all four problems the winner added its noise once**, to few numbers, just enough to hide how far one person, or one change of the reward, can move them.
#
# Next: {doc}`02_price_in_data`, the same comparison counted in people.
