# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A treatment policy for a model of sepsis, learned in private from the last decision of each stay, at an ε that a
#         hospital could sign.'
# ---

# %% [markdown]
# # A clinic
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A hospital has logged how sepsis was treated and who survived. Can it publish a better treatment, with a promise to every
#   patient that it could sign?
# * **The answer.** Not by counting every step of every stay. But in a model of sepsis, counting only the *last decision* of each stay gives a policy better
#   than the doctors', at ε = 1. In this model the doctors are hardly better than chance.
# * **What is protected.** One stay in intensive care, with all its states, treatments and its outcome. Neighbouring data sets differ in
#   one stay, which is replaced by another.
# * **What you need.** {doc}`01_counts` and {doc}`04_cost`.
# * **How long.** About 25 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2024         # all randomness comes from here
epsilon = 1.0       # a level that a hospital could sign
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.experiments import grid, run
from privrl_core.offline import (
    Constants, dp_apvi, dp_treatment_policy, noise_bound, sample_counts, sample_terminal_decisions, severity_groups)
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.privacy import GaussianNoise, gaussian_epsilon, gaussian_mu
from privrl_core.world import DEATH, SURVIVAL, icu_sepsis

use_theme()
H = 20
clinic = icu_sepsis(H)
S, A = clinic.n_states, clinic.n_actions
expert, to_the_end = clinic.expert_policy, clinic.to_the_end()
mu = gaussian_mu(epsilon, delta)
groups = severity_groups(clinic)

def survival(policy):
    """Chance to survive in the end, exactly."""
    P, ward = np.einsum("sa,san->sn", policy, clinic.transitions[0]), slice(DEATH)
    return float(clinic.initial[ward] @ np.linalg.solve(np.eye(DEATH) - P[ward, ward], P[ward, SURVIVAL]))

best, practice = float(clinic.initial @ to_the_end.optimal_values()), survival(expert)
by_lot = survival(np.full((S, A), 1 / A))

# %% [markdown]
# ## A model of sepsis
#
# *ICU-Sepsis* {cite:p}`choudhary2024` is a simulator that was estimated from real intensive-care records {cite:p}`johnson2016`. A patient is in one of 713 states. Every four
# hours the doctors choose one of 25 treatments, five doses of fluids times five of a drug that raises blood pressure. A stay ends with survival or death. With the model come the
# choices of the real doctors, the *expert*, and a list of the treatments that were used often enough in each state to be *admissible*.
#
# ```{warning}
# These are simulated patients. Nothing on this page is medical advice. That a policy is better *in the model* says nothing about a bedside.
# ```
#
# A simulator lets us compute for every policy the exact chance to survive:

# %% tags=["remove-input"] mystnb={"image": {"alt": "A line of survival chances with three marks: treatments at random and the expert close together at the left, the best policy at the right."}}
fig, ax = plt.subplots(figsize=(7.4, 1.75))
ax.axhline(0, color="#c9ced6", lw=1, zorder=0)
for value, name, colour, side in ((by_lot, "treatments at random", REFERENCE, 1), (practice, "the expert", PALETTE[1], -1), (best, "the best policy", PALETTE[2], 1)):
    ax.plot(value, 0, "o", ms=10, color=colour)
    ax.text(value, 0.5 * side, f"{name}\n{value:.1%}", color=colour, ha="center", va="bottom" if side > 0 else "top", weight="bold", fontsize=9)
ax.set(ylim=(-2.6, 2.4), yticks=[], xlabel="chance to survive", xlim=(min(by_lot, practice) - 0.03, best + 0.03), title="There is much room between the expert and the best policy")
ax.spines["left"].set_visible(False)
ax.grid(False);

# %% tags=["remove-cell"]
noise = GaussianNoise.of_epsilon(epsilon, delta)
n_large = 1_000_000 if effort > 0.2 else 50_000
counts = sample_counts(clinic, np.broadcast_to(expert, (H, S, A)), n_large, np.random.default_rng(seed))
visits = np.array([step.sum(axis=1).reshape(S, A)[:DEATH] for step in counts.steps])
E = 2 * noise_bound(counts, noise, 0.1)
stand_out, pairs = int((visits > E).sum()), H * S * A
asked = 16 * S * H * E * np.log(H * S * A / 0.1)

# the algorithm with small constants, for twenty steps, and the expert after these
by_step = dp_apvi(counts.restricted(clinic.admissible), np.broadcast_to(0.0, (H, S, A)), ties=expert, arrival_rewards=np.eye(S)[SURVIVAL],
                  epsilon=epsilon, delta=delta, constants=Constants(0.1, 0.01 / (S * H)), noise_rng=np.random.default_rng([seed, 2])).policy
small_constants = to_the_end.policy_values(expert)
for policy in by_step[::-1]:
    entered = np.einsum("sa,san->sn", policy, clinic.transitions[0])
    small_constants = np.where(np.arange(S) < DEATH, entered[:, :DEATH] @ small_constants[:DEATH] + entered[:, SURVIVAL], 0)
small_constants = float(clinic.initial @ small_constants)

# %% tags=["remove-input"]
md(f"The best policy would save {100 * (best - practice):.0f} more patients in 100 than the expert. In this model the expert is hardly better than treatments drawn at random, so there is much to learn. The hospital does not know the model. It has records of stays that the expert treated, "
   "and it knows in advance, as public knowledge, the list of states, the admissible treatments and the expert's usual practice.")

# %% [markdown]
# ## Counting every step fails
#
# The hospital has a million stays and uses the algorithm of {doc}`02_pessimism` at ε = 1, on the first twenty steps of each stay. With 713 states and three for the ends, 25 treatments and twenty steps
# there are 358,000 counts of pairs.

# %% tags=["remove-input"]
assert pairs == 358_000 and 1.2e9 < asked < 2e9 and round(pairs * (S + 1) / 1e6) == 257
if effort >= 1:
    assert stand_out < 0.01 * pairs and abs(small_constants - practice) < 0.005
    assert f"{small_constants:.1%}" == f"{practice:.1%}"
md(f"A million stays of twenty steps are at most twenty million visits, **{1e6 * H / pairs:.0f} visits** for each of the 358,000 counts, while the noise may be as large as $E_\\rho$ = **{E:.0f}**. It is so large because σ is {2 * np.sqrt(H) / mu:.0f} and the bound covers 257 million cells. "
   f"So hardly anything is learned. With small constants in the penalty, the private policy saves {small_constants:.1%} of the patients, as many as the expert. With the printed constants **nothing at all is learned** until a pair has been seen {asked / 1e9:.1f} billion times. Below these $16\\,SHE_\\rho\\,\\iota$ visits the penalty is larger than 1, the most that any treatment can be worth {{ref}}`[run at full size] <paper-at-full-size>`.")

# %% [markdown]
# Both private policies, with small and with printed constants, have (ε = 1, δ = 10⁻⁵)-differential privacy for one stay (replace one), proved. For a million stays this δ is too large to sign. We keep it to compare noises, and try a smaller one at the end.
#
# Where does so much noise come from? One stay is in the counts of every one of its twenty steps, and all of this has to be hidden. If less is asked of each stay, less has to be hidden.
#
# ## Ask for less
#
# What would a doctor ask first? *What was given last before the end, and did the patient live?* Take from each stay its last state, its last treatment and its outcome, and nothing else.
#
# Call one state with one treatment a **cell**. There are three ways to fill the cells from the stays:
#
# 1. **Each step apart**: a table for each of twenty steps. One stay is in a cell of every table.
# 2. **Whole stays added up**: one table for all steps. One stay may be in the same cell twenty times.
# 3. **Last decision**: one table, and one stay is in one cell.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **Which way needs the most noise on a count, and which the least, at the same ε?**
#
# * Each step apart the most, the last decision the least: a table for each step is the most to hide.
# * Each step apart the most, whole stays the least: one table with the largest counts.
# * Whole stays the most, the last decision the least.
# * All need the same: one stay has to be hidden in each.
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three horizontal bars, the standard deviation of the noise on one count. Whole stays added up need a bar of about 149 patients, of which 106 are solid, each step apart one of 33, of which 24 are solid, and the last decision one of 6."}}
sigma = np.sqrt(5 / 2) / mu
widths = {"whole stays added up": 2 * H / mu, "each step apart": 2 * np.sqrt(H) / mu, "last decision": sigma}
moves = ("40", "√80", "√2.5")                     # how far one stay moves the tables
fig, ax = plt.subplots(figsize=(7.4, 1.9))
for place, (name, width) in enumerate(widths.items()):
    colour = PALETTE[0] if name == "last decision" else REFERENCE
    ax.barh(2 - place, width, color=colour, height=0.6, alpha=1 if name == "last decision" else 0.45)
    if name != "last decision":
        ax.barh(2 - place, width / np.sqrt(2), color=colour, height=0.6)
        ax.text(width / np.sqrt(2) - 1, 2 - place, f"{width / np.sqrt(2):.0f}", va="center", ha="right", color="white", weight="bold", fontsize=9)
    ax.text(width + 1.5, 2 - place, (f"{width:.1f}" if width < 10 else f"{width:.0f}") + f" = {moves[place]}/μ", va="center", weight="bold", color="#22272e")
ax.set(yticks=[2, 1, 0], yticklabels=list(widths), xlim=(0, 185), xlabel="noise on one count, in patients (standard deviation)", title="The same promise: the question decides the noise")
ax.grid(False, axis="y")

# %% tags=["remove-input"]
speaks = 2 * sigma / 1e-4
assert np.isclose(2 * np.sqrt(H), np.sqrt(80)) and 2 * H == 40 and 32.5 < widths["each step apart"] < 33.5 and 5.5 < sigma < 6.5 and (1.1e5 < speaks < 1.3e5 if (epsilon, delta) == (1, 1e-5) else True)
md(f"**What you should see.** Whole stays need {widths['whole stays added up']:.0f}, each step apart {widths['each step apart']:.0f}, and last decisions {sigma:.1f}. The noise has to hide everything that one stay changes. Replacing a stay changes 80 counts by 1 with each step apart, $4H$ as on {{doc}}`01_counts`, and the list of these changes is √80 long. "
   f"Whole stays added up change fewer counts, but by more: four counts by up to 20 each, and √1,600 = 40. The last decision changes two counts at each of two levels, as we shall see. The first two ways also count the next states; the solid part of their bars is the noise without these.")

# %% tags=["remove-input"]
md(f"Now a rare treatment is seen, too. Suppose that it is the last decision of one patient in ten thousand. With {round(speaks, -3):,.0f} patients about twelve are in its cell, twice the noise, and the cell begins to speak, however long the stays are. "
   "The evidence has {ref}`sliders <any-cell-speaks>` for all this.")

# %% [markdown]
# What does the last decision teach? Suppose that in one state 100 stays ended after treatment A, 90 of them with survival, and 100 after treatment B, 70 with survival. All these patients were in the same state, so equally ill as far as the model can tell, and the end came at once. So A looks
# better there. The comparison cannot see what the state does not record: perhaps B was given to the sickest. Nor does it see what a treatment does for those who stay longer.

# %% [markdown]
# ## What is released
#
# A single state has seen few patients. So the hospital counts survivals and deaths at two levels: by state and treatment, and by treatment in one of three public **groups** of states, from mild to severe. Every cell of a state,
# empty or not, gets noise with standard deviation σ. A group's counts are larger, so they can bear twice the noise, 2σ.

# %% tags=["remove-cell"]
def release(survivals, deaths, rng):
    by_group = np.eye(3)[groups].T                    # three public groups of states
    exact = [by_group @ survivals, by_group @ deaths, survivals, deaths]
    widths = [2 * sigma, 2 * sigma, sigma, sigma]
    return [table + rng.normal(0, width, table.shape)   # every cell, empty or not
            for table, width in zip(exact, widths)]

# %% [markdown]
# How large must σ be? Follow one stay. It ended in state 412 after treatment 6, and the patient lived. It adds 1 to the survivals of (412, 6), and 1 to the survivals of its group with
# treatment 6. Replace it by any other stay. At each level at most two counts change, by 1 each. Measured in units of the noise, the tables move by at most
#
# $$\sqrt{\frac{1 + 1}{(2\sigma)^2} + \frac{1 + 1}{\sigma^2}} = \frac{\sqrt{5/2}}{\sigma} ,$$
#
# and this has to be μ. So $\sigma = \sqrt{5/2}/\mu$. This short argument is {ref}`the whole proof <last-decisions-proved>`. We {ref}`compared every kind of stay with every other <all-neighbours>`, and
# {ref}`attacked the release <an-attack>` to see whether less noise would have been found out.

# %% tags=["remove-cell"]
data = sample_terminal_decisions(clinic, expert, 100_000, np.random.default_rng(seed), max_length=60)
alive, dead, lived, died = release(data.survivals, data.deaths, np.random.default_rng([seed, 10]))
assert alive.shape == (3, A) and np.isclose(np.sqrt(2 / (2 * sigma) ** 2 + 2 / sigma**2), mu)

# %% tags=["remove-input"]
md(f"The four tables, of survivals and deaths at two levels, together have (ε = {show(epsilon)}, δ = {show(delta)})-differential privacy for one stay (replace one), proved. Nothing else is ever asked of the records.")

# %% [markdown]
# ## From tables to a policy
#
# The rest is free, since it is computed from the noisy tables. Follow two cells:

# %% tags=["remove-input"]
common = alive.sum() / (alive.sum() + dead.sum())
often = np.unravel_index(np.argmax((1 - common) * lived - common * died), lived.shape)
exact = data.survivals + data.deaths
typical = np.median(exact[clinic.admissible])
estimates = common + dp_treatment_policy(data, groups, expert, clinic.admissible, epsilon=epsilon, delta=delta, noise_rng=np.random.default_rng([seed, 10]), caution=0.0).effects
in_state = [table.sum(axis=1) for table in (lived, died)]
apart = np.abs((lived / (lived + died)) - (in_state[0] / (in_state[0] + in_state[1]))[:, None]) > 0.1      # the cell says something else than its state
silent = clinic.admissible & (exact == typical) & (died < -1) & (lived > 8) & (lived + died > 6) & apart
rare = tuple(np.argwhere(silent)[0]) if silent.any() else tuple(np.argwhere(clinic.admissible)[0])
rows = []
for cell in (often, rare):
    own, state = lived[cell] / (lived[cell] + died[cell]), in_state[0][cell[0]] / (in_state[0][cell[0]] + in_state[1][cell[0]])
    group = alive[groups[cell[0]], cell[1]] / (alive + dead)[groups[cell[0]], cell[1]]
    assert effort < 1 or min(own, state, group) < estimates[cell] < max(own, state, group)
    rows.append((f"state {cell[0]}, treatment {cell[1]}", f"{data.survivals[cell]:.0f} of {exact[cell]:.0f}", f"{lived[cell]:.1f}".replace("-", "−"), f"{died[cell]:.1f}".replace("-", "−"), *(f"{share:.0%}" for share in (own, state, group, estimates[cell]))))
pd.DataFrame(rows, columns=["last decision", "lived, in truth (secret)", "lived (noisy)", "died (noisy)", "own share", "in its state", "in its group", "estimate"]).style.hide().set_caption(
    "Two cells, from 100,000 stays. Shares come from noisy counts, so they may exceed 100 %.")

# %% tags=["remove-cell"]
if effort >= 1:
    assert float(rows[1][5][:-1]) < float(rows[1][7][:-1]) < float(rows[1][6][:-1]) and clinic.admissible[rare[0]].sum() >= 2 and silent.any() and exact[often] > 50 * sigma and 2 * sigma < typical < 3 * sigma
    assert abs(estimates[often] - lived[often] / (lived[often] + died[often])) < 0.06 and 0 < estimates[rare] < 1 < lived[rare] / (lived[rare] + died[rare])

# %% tags=["remove-input"]
md(f"""1. **A cell with many stays** speaks for itself. The noise of {sigma:.1f} on each count is small beside them, so the estimate is close to the cell's own share.
2. **A cell with few stays** says nothing by itself: its deaths with noise may be below zero. Half of the admissible cells have {typical:.0f} stays or fewer. Take one of them: its own share of {rows[1][4]} counts for little. The estimate, {rows[1][7]}, lies between the {rows[1][5]} of all treatments in its state and the {rows[1][6]} of this treatment in its group, whose counts are large.
3. **The policy** takes, among the admissible treatments of a state, the one with the best estimate less one standard deviation. This choice is cautious ({{doc}}`02_pessimism`).""")

# %% [markdown]
# The weaker a count is beside its noise, the less it weighs; {ref}`least squares <tables-to-policy>` does the weighing. No theorem says how good the policy is, so we measure it. Its constants were chosen on *invented* clinics and {ref}`not on this one <six-constants>`.
#
# ### Explore: what is it worth?
#
# We draw a dozen data sets of each of six sizes, with stays of up to sixty steps, and publish a policy from each.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **From which size on are all twelve policies better than the expert, at ε = 1?** Choose, then move the number of stays.
#
# * about 7,000 stays
# * about 24,000 stays
# * about 83,000 stays
# * a million stays
# ```

# %% tags=["remove-cell"]
levels = (0.5, 1.0, 3.0)
stays_axis = Axis("n", "stays in the records", 2_000, 1e6, points=6)
sizes = np.round(stays_axis.grid).astype(int)
runs = max(2, round(12 * effort))

to_sign = 1e-8       # a hundredth of one over a million stays

def learn(data, noise_rng, level, delta=delta):
    return survival(dp_treatment_policy(data, groups, expert, clinic.admissible, epsilon=level, delta=delta, noise_rng=noise_rng).policy)

def policies(patients, rng):
    data = sample_terminal_decisions(clinic, expert, patients, rng, max_length=60)
    learned = {f"{level:g}": learn(data, rng.spawn(1)[0], level) for level in (*levels, 1000.0)}
    return learned | {"smaller δ": learn(data, rng.spawn(1)[0], 1.0, to_sign)}

found = run(policies, grid(patients=sizes), range(seed, seed + runs)).drop(columns=["seed", "seconds", "versions"]).groupby("patients")
mean, worst, top = found.mean(), found.min(), found.max()

# %% tags=["remove-input"]
level_choice = Choice("epsilon", "privacy loss ε", levels, 1.0, low_end="wider noise", high_end="narrower noise")
stays_slider = Slider("n", "stays in the records", 2_000, 1e6, 2_000, points=6, steps=5, low_end="fewer patients", high_end="more patients")

def over(table):
    return Table((level_choice, stays_slider), [100 * table[f"{level:g}"].to_numpy() for level in levels], scale="linear")

explore(
    name="worth_in_the_clinic", sliders=[stays_slider, level_choice], x=stays_slider, y=Axis("survival", "chance to survive, in %", 75, 90, scale="linear"),
    curves=[Curve("private policy, and its range", over(mean), low=over(worst), high=over(top)),
            Curve("the same without privacy", Table((stays_slider,), 100 * mean["1000"].to_numpy(), scale="linear"), reference=True),
            Curve("the expert", constant(100 * practice), reference=True)],
    readouts=[Readout("mean", "chance to survive in %, mean of all policies", over(mean)), Readout("worst", "with the worst of them", over(worst))],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one stay (replace one), proved. The policy without privacy has no guarantee.",
    alt="Chance to survive with the private policy against the number of stays, at ε = {epsilon}. With {n} stays it is {mean} % on average and {worst} % with the worst of the policies.",
    caption=f"For each number of stays: {runs} policies from fresh samples of stays and of noise. Between the six sizes, straight lines are drawn. The best policy of all would reach {100 * best:.1f} %.")

# %% tags=["remove-cell"]
share = (mean.loc[sizes[-1], "1"] - practice) / (best - practice)
if effort >= 1 and (epsilon, delta) == (1, 1e-5):
    assert worst.loc[sizes[-1], "smaller δ"] > practice and abs(mean.loc[sizes[-1], "smaller δ"] - mean.loc[sizes[-1], "1"]) < 0.02
    assert worst.loc[sizes[0], "1"] < worst.loc[sizes[1], "1"] < practice and (worst.loc[sizes[2]:, "1"] > practice).all() and 0.6 < share < 0.9
    assert f"{small_constants:.1%}" == "78.2%" and f"{mean.loc[sizes[-1], '1']:.1%}" == "85.5%"         # as quoted in the last chapter
    assert [[f"{100 * worst.loc[size, f'{level:g}']:.1f}" for size in sizes[1:3]] for level in levels] == [
        ["77.2", "78.5"], ["77.9", "79.2"], ["78.8", "80.5"]]                                                # as on the slides of the course

# %% tags=["remove-input"]
assert [round(size, -3) for size in sizes[1:4]] == [7_000, 24_000, 83_000]
md(f"**What you should see.** From {round(sizes[2], -3):,} stays on, with a mean of {mean.loc[sizes[2], '1']:.1%}. At {round(sizes[1], -3):,} the worst of the {runs} is still below the expert's {practice:.1%}, and with {sizes[0]:,} it has {worst.loc[sizes[0], '1']:.1%}: a gamble. "
   f"A million stays reach {mean.loc[sizes[-1], '1']:.1%}, which is {share:.0%} of all there is to gain. With δ = 10⁻⁸, small enough to sign for a million stays, they reach {mean.loc[sizes[-1], 'smaller δ']:.1%}. Without privacy the same design reaches {mean.loc[sizes[-1], '1000']:.1%}: by then the loss comes "
   "from looking at the last step only, and not from the noise. Whole stays added up, at the same ε, {ref}`stay near the expert <whole-stays>` until there are a hundred thousand of them.")

# %% [markdown]
# ## What you would do today
#
# 1. **Agree on the promise first.** Name the unit, the neighbours, ε and δ, before anybody has seen how well it works. With $n$ stays, keep δ at $1/(100\,n)$ or below:
#    for a million stays 10⁻⁸, which makes the noise 37 % wider than at 10⁻⁵.
# 2. **Write down what is public**: states, admissible treatments, groups, and current practice.
# 3. **Rehearse on a public model or on invented data**, with all designs and constants. Then freeze them.
# 4. **Ask for little, release it once**, and compute whatever you like from it.
# 5. **Keep to current practice** where the counts are no larger than the noise, and test the policy on later patients in a trial before anybody relies on it {cite:p}`gottesman2019`.

# %% tags=["remove-cell"]
assert 1.36 < gaussian_mu(1, 1e-5) / gaussian_mu(1, 1e-8) < 1.374
assert abs(gaussian_epsilon(1e-5, 3 * gaussian_mu(1, 1e-5)) - 3.41) < 0.01

# %% [markdown]
# ## What the promise does not cover
#
# * **Patients who come back.** The unit is one stay. A patient with three stays is protected with $3\mu$, which is ε = 3.41 here and not 3, because it is μ that adds up. If patients return, make the *patient* the unit and
#   {ref}`bound their stays <ex-returning>`.
# * **What is taken as public.** The states, the admissible treatments and the expert's practice were computed from real patients, without any guarantee. If a hospital estimates them from its own patients, this costs budget, too.
# * **Truth.** The model was estimated from what doctors happened to do, and sicker patients got more. No guarantee of privacy repairs that.
# * **What is true of everybody**, and the last digits of computed noise [{ref}`evidence <not-covered-clinic>`].
#
# ## Check yourself
#
# **1. Why does the paper's algorithm, DP-APVI, learn nothing here as printed, even from a million patients?**
#
# ```{dropdown} Because ε = 1 is too strict.
# The penalty scales with 1/√ρ. At ε = 10 it would still ask for two hundred million visits of a pair.
# ```
# ```{dropdown} Because its penalty, which serves a proof, is larger than any value until a pair has more than a billion visits.
# ✓ Yes. The constants cost no privacy, so you may choose others. Then the noise on each step apart becomes the limit.
# ```
# ```{dropdown} Because the expert does not visit good treatments.
# The expert visits all admissible pairs, and without privacy the same data get close to the optimum.
# ```
#
# **2. Stays get twice as long. What happens to the noise of the last-decision tables?**
#
# ```{dropdown} It doubles.
# That would be so if whole stays were added up.
# ```
# ```{dropdown} It grows by √2.
# This is how it is with each step apart, as in DP-APVI.
# ```
# ```{dropdown} Nothing.
# ✓ Yes. A stay has one last decision. What grows is what the design does not see: all decisions before.
# ```
#
# **3. The hospital tries five designs on its patients' records, each with ε = 1, and publishes the policy of the
# best. What has it promised?**
#
# ```{dropdown} At most what five releases and the comparison cost together.
# ✓ Yes: √5 μ for five Gaussian releases, and more if they were compared on the records, unless that was private, too.
# ```
# ```{dropdown} ε = 1, since one policy is published.
# Which one was published depends on all five, and on how "best" was found.
# ```
# ```{dropdown} Nothing can be said.
# Composition says it. It is just more than ε = 1.
# ```
#
# ## To take away
#
# * **The question decides how much noise there is.** One promise needs noise of 33 patients for each step apart, and of 6 for the last decision.
# * **Public knowledge is free**: which treatments are admissible, how severe a state is, what is done today.
# * **Constants are post-processing**, but choosing them by looking at patients is not.
# * **A private policy can be better than practice, in a model**, from about 24,000 stays on. Whether the model is right is another question, and the more important one.
#
# The idea to make counts private once, and the caution, are those of {cite:t}`qiao2023`; the evidence lists {ref}`how each of its statements fared <qiao-summary>`. To read next: {cite:t}`choudhary2024` and {cite:t}`komorowski2018` on the model, {cite:t}`gottesman2019` on what to ask of reinforcement learning before it comes near a patient. Exercises are on {doc}`06_exercises`.
