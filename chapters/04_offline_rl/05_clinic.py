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
#   than the doctors', from some twenty thousand stays, at ε = 1.
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
from IPython.display import Markdown as md

from privrl_core.experiments import grid, run
from privrl_core.offline import (
    dp_treatment_policy, noise_bound, sample_counts, sample_terminal_decisions, severity_groups)
from privrl_core.pages import PALETTE, REFERENCE, claims, summary, use_theme
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
fig, ax = plt.subplots(figsize=(7.4, 2.0))
ax.axhline(0, color="#c9ced6", lw=1, zorder=0)
for value, name, colour, side in ((by_lot, "treatments at random", REFERENCE, 1), (practice, "the expert", PALETTE[1], -1), (best, "the best policy", PALETTE[2], 1)):
    ax.plot(value, 0, "o", ms=10, color=colour)
    ax.text(value, 0.5 * side, f"{name}\n{value:.1%}", color=colour, ha="center", va="bottom" if side > 0 else "top", weight="bold", fontsize=9)
ax.set(ylim=(-2.6, 2.4), yticks=[], xlabel="chance to survive", xlim=(min(by_lot, practice) - 0.03, best + 0.03), title="There is room between the doctors and the best policy")
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

# %% tags=["remove-input"]
md(f"The best policy would save {100 * (best - practice):.0f} more patients in 100 than the expert. The hospital does not know the model. It has records of stays that the expert treated, "
   "and it knows in advance, as public knowledge, the list of states, the admissible treatments and the expert's usual practice.")

# %% [markdown]
# ## Counting every step fails
#
# ```{admonition} Guess first
# :class: hint
# The hospital has a million stays and uses the algorithm of {doc}`02_pessimism` at ε = 1. There are 358,000 counts of pairs, one for each state, treatment and step. **How many of them
# stand out of the noise: most of them, a tenth, or fewer than one in a hundred?**
# ```

# %% tags=["remove-input"]
assert pairs == 358_000 and 1.2e9 < asked < 2e9
if effort >= 1:
    assert stand_out < 0.02 * pairs
md(f"**The answer.** {stand_out:,} of them, or {stand_out / pairs:.1%}. The bound on the noise is {E:.0f} visits, and most pairs were seen less often. With the constants as printed it is worse: the penalty is below 1, "
   f"the largest chance there is, only from {asked / 1e9:.1f} billion visits of *one pair at one step* on. So every value is cut to 0, and {{ref}}`the algorithm learns nothing <paper-at-full-size>`. "
   "With small constants it {ref}`learns a little <paper-at-full-size>`.")

# %% [markdown]
# The reason is the question, and not the noise. A patient takes part in twenty steps, so every answer has to hide twenty contributions. There are 358,000 pairs to ask about, and 716 next
# states for each. Questions that are not asked leave more room for the others.
#
# ## Ask for less
#
# What would a doctor ask first? *What was given last before the end, and did the patient live?* Take from each stay its last state, its last treatment and its outcome, and nothing else. A stay of any
# length has just one last decision.
#
# ### Explore: how many patients until a cell speaks?
#
# A *cell* is one state with one treatment. We say that it speaks if its count is twice the noise.
#
# ```{admonition} Guess first
# :class: hint
# A treatment was the last decision of one patient in ten thousand. **At ε = 1, how many patients must the hospital have until this cell speaks: about 10,000, 100,000 or a million? And
# which of the three noises grow if stays get longer?** Decide. Then look where the rising line is twice the lowest one, and move the length of a stay.
# ```

# %% tags=["remove-input"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.05, 10, 1.0, points=41, low_end="wider noise", high_end="narrower noise")
delta_slider = Slider("delta", "δ", 1e-9, 1e-2, 1e-5, points=29, low_end="wider noise", high_end="narrower noise")
horizon_slider = Slider("horizon", "steps H of a stay", 5, 500, 20, points=21, low_end="short stays", high_end="long stays")
share_slider = Slider("share", "share of patients in the cell", 1e-5, 0.1, 1e-4, points=33, low_end="rare", high_end="common")
n_axis = Axis("n", "patients", 1e3, 1e7, points=81)

per_unit = Table.of(lambda epsilon, delta: np.sqrt(5 / 2) / gaussian_mu(epsilon, delta), epsilon_slider, delta_slider)
by_step_noise = per_unit * Table.of(lambda horizon: 2 * np.sqrt(horizon / 2.5), horizon_slider)
whole_stays = per_unit * Table.of(lambda horizon: 2 * horizon / np.sqrt(2.5), horizon_slider)
in_cell = Table.of(lambda n: n, n_axis) * Table.of(lambda share: share, share_slider)
needed = per_unit * Table.of(lambda share: 2 / share, share_slider)
explore(
    name="a_cell_speaks", sliders=[epsilon_slider, delta_slider, horizon_slider, share_slider], x=n_axis,
    y=Axis("count", "patients in a cell, and noise of its count", 0.01, 1e6),
    curves=[Curve("patients in the cell", in_cell),
            Curve("noise: last decision", per_unit),
            Curve("noise: each step apart", by_step_noise),
            Curve("noise: whole stays added up", whole_stays)],
    readouts=[Readout("sigma", "noise, last decision", per_unit),
              Readout("sigma_h", "noise, each step apart", by_step_noise),
              Readout("needed", "patients until the cell speaks, last decision", needed)],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one stay (replace one), proved, for each of the three noises.",
    alt="The patients in a cell, a line that rises with their number, against three levels of noise of its count at ε = {epsilon}, δ = {delta} and H = "
        "{horizon}: {sigma} for last decisions, {sigma_h} for each step apart, and more for whole stays. For last decisions a cell of share "
        "{share} stands at twice its noise from {needed} patients on.",
    caption="Standard deviation of the noise on the count of one state and one treatment, for three ways to count. With each step apart the cells are also rarer.")

# %% tags=["remove-input"]
sigma = np.sqrt(5 / 2) / mu
speaks = 2 * sigma / 1e-4
assert 1.1e5 < speaks < 1.3e5 if (epsilon, delta) == (1, 1e-5) else True
md(f"**What you should see.** About {round(speaks, -3):,.0f} patients. The noise on a last decision is {sigma:.3g} patients, however long stays are. With each step apart it is {2 * np.sqrt(H) / mu:.3g} at twenty steps and grows with the "
   f"root of the length; with whole stays added up it is {2 * H / mu:.0f} and grows with the length itself.")

# %% [markdown]
# ## What is released
#
# A single state has seen few patients. So the hospital counts at two levels: by state, and by one of three **groups** of states, from mild to severe. The groups are public. A group's counts are of hundreds of
# patients, so they can bear twice the noise:

# %%
def release(survivals, deaths, rng):
    by_group = np.eye(3)[groups].T                    # three public groups of states
    exact = [by_group @ survivals, by_group @ deaths, survivals, deaths]
    widths = [2 * sigma, 2 * sigma, sigma, sigma]
    return [table + rng.normal(0, width, table.shape)   # every cell, empty or not
            for table, width in zip(exact, widths)]

# %% [markdown]
# How large must σ be? Follow one stay. It ended in state 412 after treatment 6, and the patient lived. It adds 1 to the survivals of (412, 6), and 1 to the survivals of its group with
# treatment 6. Replace this stay by any other. At each level at most two counts change, by 1 each. Measured in units of the noise, the tables move by at most
#
# $$\sqrt{\frac{1 + 1}{(2\sigma)^2} + \frac{1 + 1}{\sigma^2}} = \frac{\sqrt{5/2}}{\sigma} ,$$
#
# and this has to be μ. So $\sigma = \sqrt{5/2}/\mu$. This short argument is {ref}`the whole proof <last-decisions-proved>`. We {ref}`compared every kind of stay with every other <all-neighbours>` and
# {ref}`attacked the release <an-attack>`. Noise that a careless colleague would choose is found out, and ours is not.

# %% tags=["remove-cell"]
data = sample_terminal_decisions(clinic, expert, 100_000, np.random.default_rng(seed), max_length=60)
alive, dead, *_ = release(data.survivals, data.deaths, np.random.default_rng([seed, 10]))
assert alive.shape == (3, A) and np.isclose(np.sqrt(2 / (2 * sigma) ** 2 + 2 / sigma**2), mu)

# %% tags=["remove-input"]
md(f"All four tables together have (ε = {show(epsilon)}, δ = {show(delta)})-differential privacy for one stay (replace one), proved. From 100,000 stays the hospital reads, for instance: in the most severe group, with treatment 0 "
   f"last, {alive[2, 0]:,.0f} lived and {dead[2, 0]:,.0f} died. Nothing else is ever asked of the records.")

# %% [markdown]
# ## From tables to a policy
#
# The rest is free. For each cell, compare the survivals with what the average survival rate would predict. A state with few stays says little, so its estimate is drawn towards that of its
# group, and a group's towards that of all patients, each as far as its own noise demands. Among the admissible treatments of a state, the policy takes the best estimate less one standard deviation: the caution
# of {doc}`02_pessimism`. {ref}`The estimate in full <tables-to-policy>` is one least-squares problem.
#
# This improves only the last decision. What a treatment does for those who stay longer is not looked at. No theorem says how good the policy is, so we measure it. The constants of the estimate were
# chosen on *invented* clinics and {ref}`not on this one <six-constants>`.
#
# ### Explore: what is it worth?
#
# ```{admonition} Guess first
# :class: hint
# **How many stays does the hospital need at ε = 1 until every policy that we drew is better than the expert: 2,000, 20,000 or 200,000? And what do a million stays
# gain, of all there is to gain?** Decide, then move the number of stays and ε.
# ```

# %% tags=["remove-cell"]
levels = (0.5, 1.0, 3.0)
stays_axis = Axis("n", "stays in the records", 2_000, 1e6, points=6)
sizes = np.round(stays_axis.grid).astype(int)
runs = max(2, round(12 * effort))

def learn(data, noise_rng, level):
    return survival(dp_treatment_policy(data, groups, expert, clinic.admissible, epsilon=level, delta=delta, noise_rng=noise_rng).policy)

def policies(patients, rng):
    data = sample_terminal_decisions(clinic, expert, patients, rng, max_length=60)
    return {f"{level:g}": learn(data, rng.spawn(1)[0], level) for level in (*levels, 1000.0)}

found = run(policies, grid(patients=sizes), range(seed, seed + runs)).drop(columns=["seed", "seconds", "versions"]).groupby("patients")
mean, worst, top = found.mean(), found.min(), found.max()

# %% tags=["remove-input"]
level_choice = Choice("epsilon", "privacy loss ε", levels, 1.0, low_end="wider noise", high_end="narrower noise")
stays_slider = Slider("n", "stays in the records", 2_000, 1e6, 2_000, points=6, steps=5, low_end="fewer patients", high_end="more patients")

def over(table):
    return Table((level_choice, stays_slider), [table[f"{level:g}"].to_numpy() for level in levels], scale="linear")

explore(
    name="worth_in_the_clinic", sliders=[stays_slider, level_choice], x=stays_slider, y=Axis("survival", "chance to survive", 0.75, 0.9, scale="linear"),
    curves=[Curve("private policy, and its range", over(mean), low=over(worst), high=over(top)),
            Curve("the same without privacy", Table((stays_slider,), mean["1000"].to_numpy(), scale="linear"), reference=True),
            Curve("the expert", constant(practice), reference=True)],
    readouts=[Readout("mean", "chance to survive, mean of all policies", over(mean)), Readout("worst", "with the worst of them", over(worst))],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one stay (replace one), proved. The policy without privacy has no guarantee.",
    alt="Chance to survive with the private policy against the number of stays, at ε = {epsilon}. With {n} stays it is {mean} on average and {worst} with the worst of the policies.",
    caption=f"Each number of stays: {runs} policies from fresh stays and fresh noise. The best policy of all would reach {best:.3f}.")

# %% tags=["remove-cell"]
share = (mean.loc[sizes[-1], "1"] - practice) / (best - practice)
if effort >= 1 and (epsilon, delta) == (1, 1e-5):
    assert worst.loc[sizes[0], "1"] < practice and (worst.loc[sizes[2]:, "1"] > practice).all() and 0.6 < share < 0.9

# %% tags=["remove-input"]
md(f"**What you should see.** With {sizes[0]:,} stays the policies are a gamble: the worst of {runs} has {worst.loc[sizes[0], '1']:.3f}, where the expert has {practice:.3f}. From about {round(sizes[2], -3):,} stays on every one of them is better, with a mean of "
   f"{mean.loc[sizes[2], '1']:.3f}. A million stays reach {mean.loc[sizes[-1], '1']:.3f}, which is {share:.0%} of all there is to gain. Without privacy the same design reaches {mean.loc[sizes[-1], '1000']:.3f}: by then it is the "
   "single step that limits it, and not the privacy. Whole stays added up, at the same ε, {ref}`stay near the expert <whole-stays>` until there are a hundred thousand of them.")

# %% [markdown]
# ## What you would do today
#
# 1. **Agree on the promise first.** Name the unit, the neighbours, ε and δ, before anybody has seen how well it works. Keep δ well below one over the number of patients: for a million stays
#    10⁻⁷, which widens the noise by a quarter.
# 2. **Write down what is public**: states, admissible treatments, groups, and current practice. If practice has to be estimated from the same patients, that costs budget too.
# 3. **Rehearse on a public model or on invented data**, with all designs and constants. Then freeze them.
# 4. **Ask for little, release it once**, and compute whatever you like from it.
# 5. **Fall back to current practice** where the tables are silent. Let clinicians judge what the policy changes, and test it on later patients in a trial before anybody relies on it
#    {cite:p}`gottesman2019`.

# %% tags=["remove-cell"]
assert 1.2 < gaussian_mu(1, 1e-5) / gaussian_mu(1, 1e-7) < 1.3
assert abs(gaussian_epsilon(1e-5, 3 * gaussian_mu(1, 1e-5)) - 3.41) < 0.01

# %% [markdown]
# ## What the promise does not cover
#
# * **Patients who come back.** The unit is one stay. A patient with three stays is protected with $3\mu$, which is ε = 3.41 here. If patients return, make the *patient* the unit and
#   {ref}`bound their stays <ex-returning>`.
# * **What is taken as public.** The states, the admissible treatments and the expert's practice were computed from real patients, without any guarantee.
# * **What everybody shares.** If the policy shows that a treatment helps, it tells something about you as well, whether or not you were in the records.
# * **The arithmetic.** Noise in floating point can leak through its last digits. For real patients {ref}`draw whole numbers <not-covered-clinic>`.
# * **Truth.** The model was estimated from what doctors happened to do, and sicker patients got more. No guarantee of privacy repairs that.
#
# ## The paper and this page
#
# The idea of {cite:t}`qiao2023`, to make counts private once and to compute everything else from them, has carried this chapter to its end. So has their caution, as one standard deviation. Their paper has no clinic, and its constants serve a proof.
# Here is how each of its statements fared in {ref}`the ledger <claims>`:

# %% tags=["remove-input"]
summary(claims("Qiao & Wang 2023"))

# %% [markdown]
# ## Quiz
#
# **1. Why does DP-APVI, as printed, learn nothing here, even from a million patients?**
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
# * **The question decides, and not the noise.** From every step apart to the last decision: the same promise, other numbers.
# * **Public knowledge is free**: which treatments are admissible, how severe a state is, what is done today.
# * **Constants are post-processing**, but choosing them by looking at patients is not.
# * **A private policy can be better than practice, in a model**, from tens of thousands of stays. Whether the model is right is another question, and the more important one.
#
# To read next: {cite:t}`choudhary2024` and {cite:t}`komorowski2018` on the model, {cite:t}`gottesman2019` on what to ask of reinforcement learning before it comes near a patient. Exercises are on {doc}`06_exercises`.
