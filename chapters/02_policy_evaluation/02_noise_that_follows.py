# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Noise in proportion to what one patient can change gives the patient away by its size. Smooth
#         sensitivity is the cure, in ten lines of code.'
# ---

# %% [markdown]
# # Noise that follows the data
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** May the noise be small when our own data set is harmless?
# * **The answer.** Yes, if its size changes slowly from one data set to the next. If it follows the data exactly, the
#   size of the noise gives a patient away.
# * **What is protected.** One patient's whole trajectory; neighbours replace one.
# * **What you need.** {doc}`01_problem`.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2016         # all randomness comes from here
n_patients = 10_000
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq
from scipy.special import expit

from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore, largest, show
from privrl_core.pages.game import Noisy, Stems, World, play
from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_lsw, first_visit_statistics, noise_scale_lsw_non_private, smooth_bound_lsw, tabular_features)
from privrl_core.privacy import GaussianWorlds, as_printed, calibrate_exact, gaussian_mu, smooth_gaussian_delta
from privrl_core.world import recovery_chain, sample_episodes

use_theme()
rng = np.random.default_rng(seed)
d = 40                                             # published values, one a stage
chain, treatment = recovery_chain(), np.ones((d, 1))
values = chain.policy_values(treatment)
patients = first_visit_statistics(sample_episodes(chain, treatment, n_patients, rng), d, 0.99, return_bound=1)
fixed = 1 / gaussian_mu(epsilon, delta)            # noise per unit of sensitivity, if its size is public
worst_case, tempting = fixed * np.sqrt(d - 1), fixed * np.sqrt(d) / n_patients
assert (patients.visits == n_patients).all()

# %% [markdown]
# ## The tempting idea
#
# The clinic wants to publish forty values, one for each stage: the mean return of the patients who visited it. The
# {doc}`previous page <01_problem>` ended with a dilemma. The only visitor of a stage decides its value alone, so
# noise for the worst case drowns all values. But our clinic is nothing like the worst case. All of its patients visit
# every stage, and each of them moves a mean over thousands of people.
#
# Exactly how far? Returns lie between 0 and 1. Replacing one record moves a mean over $v$ visitors by at most $1/v$. It moves
# the forty means together, as a vector, by at most $\sqrt{40}/v$. The largest move that is possible from the data set at
# hand is called its **local sensitivity**. We use these upper bounds in its place, because they depend only on the numbers of
# visitors.

# %% tags=["remove-input"]
md(f"Noise for the worst case has a standard deviation of at least {worst_case:.0f} in every value, if the promise is "
   f"ε = {show(epsilon)} and δ = {show(delta)}. Noise in proportion to the local sensitivity of our "
   f"{n_patients:,} patients would have **{tempting:.4f}**, ten thousand times less.")

# %% [markdown]
# This is more than the noise that fits the move measured on the page before, because it rests on an upper bound for every record.

# %% tags=["remove-cell"]
assert 9_000 < worst_case / tempting < 11_000

# %% [markdown]
# It is tempting to add just this noise. *What could be wrong with it?*
#
# ## The size of the noise betrays a patient
#
# Suppose that only Anna and one other patient visit stage 1, while thousands visit each of the other stages. The local
# sensitivity is then about 1/2, because of stage 1 alone. Replace Anna's record by that of a patient who starts later, and stage 1 has a
# single visitor. The local sensitivity is then about 1, and the standard deviation of the noise doubles in *all forty values*.
#
# An attacker with the other patients' records knows both standard deviations. To see what they reveal, suppose that
# everything else about the two data sets is equal. The clinic publishes forty values, and what you see is these values with the means subtracted.
#
# ### Play: did Anna visit stage 1?

# %% tags=["remove-input"]
play(
    name="size_of_noise", question="Did Anna visit stage 1?",
    worlds=[World("in", "Anna was there", "Anna visited stage 1."), World("out", "she was not", "Anna did not visit stage 1.")],
    picture=Stems("What is left of the forty values", x="stage", y="published value minus its mean", low=-6, high=6),
    levels=[Noisy("noise by local sensitivity", GaussianWorlds(means=np.zeros((2, d)), scales=[1.0, 2.0]),
                  guarantee="No privacy guarantee: the size of this noise follows the data.")],
    noise=np.random.default_rng(seed + 1).normal(size=16_000), rounds=10, expects=True,
    caption="With Anna, stage 1 has two visitors. Without her it has one.",
    alt="Forty stems of noise, whose standard deviation is 1 if Anna visited stage 1, and 2 if she did not.")

# %% tags=["remove-input"]
def right_guesses(d, visitors):
    """Of 100, by the best attacker: noise as with so many visitors, or one more; else equal; even odds."""
    return 50 + 50 * smooth_gaussian_delta(0, np.inf, 2 * np.log1p(1 / visitors), d)

of_sizes = smooth_gaussian_delta(epsilon, np.inf, np.log(4), d)
md(f"**What you should see.** The size of the noise tells you, every time. From a single value the best attacker is right "
   f"{right_guesses(1, 1):.0f} times in 100; from all forty, {right_guesses(d, 1):.1f} times in 100. The "
   f"promise with ε = {show(epsilon)} would allow at most {100 * expit(epsilon):.0f}. The smallest δ that goes with "
   f"ε = {show(epsilon)} is {of_sizes:.3f}, which is no privacy at all.")

# %% tags=["remove-cell"]
# The best attacker, by playing: the sum of squares decides, at the threshold where both are equally likely.
games = max(20_000, round(200_000 * effort))
threshold = d * np.log(4) / (1 - 1 / 4)
narrow, wide = (width**2 * rng.chisquare(d, games) for width in (1, 2))
won = (np.mean(narrow < threshold) + np.mean(wide > threshold)) / 2
assert abs(100 * won - right_guesses(d, 1)) < 550 * np.sqrt(won * (1 - won) / games)

# %% [markdown]
# ### Explore: how much does the size tell?
#
# With two visitors or one, the noise changes by a factor of 2. With eleven or ten, it changes by a tenth only.
#
# ```{admonition} Guess first
# :class: hint
# The clinic publishes forty values. **How many visitors must the emptiest stage have, 3, 10 or 50, before the best
# attacker is right less than 55 times in 100?** Decide, then move the visitors.
# ```

# %% tags=["remove-input"]
visitor_choice = Choice("visitors", "visitors of the emptiest stage (or one more)", (1, 2, 3, 5, 10, 20, 30, 50, 100, 300), 1,
                        low_end="few", high_end="many")
values_slider = Slider("published", "number of published values", 1, 40, 40, points=40, steps=39, scale="linear",
                       low_end="one", high_end="forty")
correct = Table((visitor_choice, values_slider),
                [[right_guesses(int(count), v) for count in values_slider.grid] for v in visitor_choice.options],
                scale="linear")
larger = Table((visitor_choice,), [100 / v for v in visitor_choice.options])

explore(
    name="size_tells", sliders=[visitor_choice, values_slider], x=values_slider,
    y=Axis("right", "right guesses out of 100", 45, 100, scale="linear"),
    curves=[Curve("the best attacker", correct), Curve("a coin", constant(50.0), reference=True)],
    readouts=[Readout("larger", "the larger noise is larger by", larger, unit="%"),
              Readout("right", "right guesses out of 100", correct)],
    guarantee="No privacy guarantee. The emptiest stage has {visitors} visitors, or one more. From the size of the noise alone "
              "the best attacker says which, and is right {right} times out of 100.",
    alt="Right guesses of the best attacker against the number of published values, from one to forty, if the emptiest "
        "stage has {visitors} visitors or one more. With {published} values it is {right} out of 100; a coin is right 50 times.",
    caption="The attacker sees only how large the noise is, and starts at even odds.")

# %% tags=["remove-input"]
md(f"**What you should see.** Only 50 visitors are enough. With 3 visitors the attacker is right {right_guesses(d, 3):.0f} "
   f"times, with 10 still {right_guesses(d, 10):.0f} times, and with 50 visitors {right_guesses(d, 50):.1f} times. Noise "
   "that doubles tells everything; noise that changes by 2 % tells very little. This is the way out: the noise may "
   "follow the data, if it follows *slowly*.")

# %% tags=["remove-cell"]
assert right_guesses(d, 10) > 55 > right_guesses(d, 50)

# %% [markdown]
# ## The cure: smooth sensitivity
#
# How can we make sure that the noise changes slowly, whatever the data? The idea is due to {cite:t}`nissim2007`. Do not look at our data set alone.
# For every number $k$, find the largest local sensitivity among the data sets that differ from ours in
# $k$ records. These data sets are not ours, so let them count for less, by a factor for every replaced record.
#
# Take one stage with four visitors, and a factor of 1/2. Its local sensitivity is 1/4. One record away there may be three visitors:
# 1/3, counted half, is 1/6. Two records away there may be two: 1/2, counted a quarter, is 1/8. Three records away a single visitor may be left: 1,
# counted an eighth, is 1/8. The largest of 1/4, 1/6, 1/8 and 1/8 is 1/4, so our own data decide. With a factor of 3/4 the four numbers are 0.25, 0.25,
# 0.28 and 0.42, and the data set with the single visitor decides, although it is three records away.
#
# With the factor written as $e^{-\beta/2}$, the largest of these numbers is the **smooth sensitivity**:
#
# $$S = \max_{k \ge 0}\ e^{-k\beta/2} \times \bigl(\text{largest local sensitivity, } k \text{ records away}\bigr).$$
#
# **Why does it change slowly?** Replace one record of ours. A data set that was $k$ records away is now at most $k + 1$ records
# away, so it loses at most one factor $e^{-\beta/2}$. Hence $S$ changes by at most a factor $e^{\beta/2}$, for every data set and
# every record. We write the factor with $\beta/2$ so that β itself is the largest change of the noise's
# *variance*, on a logarithmic scale.
#
# ### Explore: whose data decide?
#
# Replace $k$ of the $v$ visitors of a stage by patients who do not visit it. Then $v - k$ visitors are left, and one more record moves their
# mean by up to $1/(v - k)$. At $k = v - 1$ a single visitor is left: the worst case.
#
# ```{admonition} Guess first
# :class: hint
# A clinic has 300 patients, and all of them visit every stage. **Which data set decides how much noise it needs: its own, or one that
# differs in 299 records?** And which one decides in a clinic with 1,000 patients? Decide, then move the slider.
# ```

# %% tags=["remove-input"]
visitors = Choice("visitors", "visitors of each stage", (100, 300, 500, 600, 1000, 1300, 2000), 300,
                  low_end="few", high_end="many")
beta_slider = Slider("beta", "β: discount for each replaced record", 0.005, 0.1, 0.0232, scale="linear", points=2,
                     low_end="far away counts nearly as much", high_end="far away hardly counts")
share = Axis("share", "replaced records, as a share of v − 1", 0, 1, scale="linear", points=201)

left = Table.of(lambda visitors, share: visitors - share * (visitors - 1), visitors, share, scale="linear")
away = constant(np.sqrt(d)) / left
discount = Table.of(lambda beta, visitors, share: np.exp(-beta * share * (visitors - 1) / 2), beta_slider, visitors, share)
own = Table.of(lambda visitors: np.sqrt(d) / visitors, visitors)
lonely = Table.of(lambda beta, visitors: np.sqrt(d) * np.exp(-beta * (visitors - 1) / 2), beta_slider, visitors)

explore(
    name="whose_data", sliders=[visitors, beta_slider], x=share,
    y=Axis("sensitivity", "sensitivity", 1e-4, 10),
    curves=[Curve("discounted", discount * away), Curve("smooth: its maximum", largest(own, lonely)),
            Curve("not discounted", away, reference=True)],
    readouts=[Readout("own", "our own data (k = 0)", own, at_most=True),
              Readout("lonely", "one visitor left, discounted", lonely, at_most=True),
              Readout("smooth", "the larger of the two: smooth sensitivity", largest(own, lonely), at_most=True)],
    guarantee="Replace one trajectory, and the smooth sensitivity changes by a factor of at most exp(β/2), β = {beta}. This "
              "bounds what the size of the noise can tell about one patient.",
    alt="Sensitivity against the share of replaced records, for {visitors} visitors of each stage and β = {beta}. The "
        "discounted curve starts at {own}, sags, and ends at {lonely} where one visitor is left. Its maximum is {smooth}.",
    caption="Forty stages with v visitors each. Left end: our own data. Right end: one visitor is left.")

# %% tags=["remove-input"]
beta_exact = calibrate_exact(epsilon, delta, d)[1]

def cliff(beta):
    """With more visitors than this, the own data decide: beta (v - 1) = 2 ln v."""
    return brentq(lambda v: beta * (v - 1) - 2 * np.log(v), 2 / beta, 1e9)

ratio = 300 * np.exp(-beta_exact * 299 / 2)
md(f"**What you should see.** With 300 patients, the lonely data set decides: though it is 299 records away and heavily "
   f"discounted, its sensitivity is still {ratio:.0f} times that of our own data. With 1,000 patients our own data decide, "
   f"and the smooth sensitivity is no larger than the local one. At β = {show(beta_exact)} the change comes at {int(np.ceil(cliff(beta_exact)))} "
   f"visitors, and at half of this β only at {int(np.ceil(cliff(beta_exact / 2))):,}. With equally many visitors in all "
   "stages, the maximum is always at one of the two ends.")

# %% tags=["remove-cell"]
for beta in (beta_exact, beta_exact / 2):
    v = int(np.ceil(cliff(beta)))
    for count, own_data_decide in ((v - 1, False), (v, True)):
        k = np.arange(count)
        discounted = np.exp(-k * beta / 2) / (count - k)
        assert (np.argmax(discounted) == 0) == own_data_decide and np.argmax(discounted) in (0, count - 1)

# %% [markdown]
# ## The mechanism in nine lines
#
# Two numbers remain to be chosen: β, and the noise per unit of smooth sensitivity, which we call α. Between neighbours,
# the means move by at most $S$, and the standard deviation changes by a factor of at most $e^{\beta/2}$. Lay the worst pair of bell curves
# that this allows over each other, as on the page {doc}`/chapters/01_foundations/02_a_promise`, and compute the area that
# sticks out. If β is too large, this area exceeds δ however large α is, because the sizes of the noise alone tell too much. The function
# `calibrate_exact` takes half of the largest possible β, a choice that suits most data, and finds the smallest α that keeps the promise
# ({ref}`checked by sampling <exact-calibration>`).

# %%
def private_means(visits, return_sums, rng):
    alpha, beta = calibrate_exact(epsilon, delta, len(visits))
    smooth = 0
    for k in range(visits.max() + 1):                # k records away,
        left = np.maximum(visits - k, 1)             # so many visitors are left
        sensitivity = np.sqrt(np.sum(1 / left**2))   # when one more is replaced
        smooth = max(smooth, np.exp(-k * beta / 2) * sensitivity)
    means = return_sums / np.maximum(visits, 1)
    return means + alpha * smooth * rng.normal(size=len(visits))

# %% tags=["remove-input"]
alpha_exact = calibrate_exact(epsilon, delta, d)[0]
released = private_means(patients.visits, patients.return_sums, np.random.default_rng(seed))
md(f"For our {n_patients:,} patients, β = {show(beta_exact)} and α = {alpha_exact:.2f}; noise of a fixed size would need "
   f"{fixed:.2f}. The forty published values have a root-mean-square error of "
   f"**{np.sqrt(np.mean((released - values) ** 2)):.4f}**, with ε = {show(epsilon)} and δ = {show(delta)} for one trajectory.")

# %% tags=["remove-cell"]
# The package publishes the same, to the last digits.
package = dp_lsw(patients, tabular_features(d), np.ones(d), return_bound=1, epsilon=epsilon, delta=delta,
                 noise_rng=np.random.default_rng(seed))
assert np.allclose(released, package.parameters)
beta_trial, visits_trial = 0.1, np.array([3, 0, 7, 1])
by_hand = max(np.exp(-k * beta_trial / 2) * np.sqrt(np.sum(1 / np.maximum(visits_trial - k, 1) ** 2)) for k in range(8))
assert np.isclose(by_hand**2, smooth_bound_lsw(visits_trial, np.ones(4), beta_trial))

# %% [markdown]
# The promise covers the published values and nothing else. The standard deviation of the noise follows the data, so
# *it must never be published*, not even as an error bar ({ref}`what it would give away <secret-width>`).
#
# ## What it costs
#
# How much noise does this mechanism add? The figure shows the standard deviation in each value, at ε = 1 and
# δ = 10⁻⁵. The other curves are noise for the worst case and noise in proportion to the local sensitivity.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the noise in each value against the number of visitors of each stage, both logarithmic. Worst-case noise is flat at 23. Smooth noise starts on a plateau about as high, falls off a cliff between a hundred and five hundred visitors, and then runs parallel to and just above the noise by local sensitivity. With the paper's constants the plateau is about five times higher and the cliff is at 3,400 visitors."}}
sizes = np.unique(np.geomspace(10, 1e5, 400).round())
def smooth_noise(rule, v, level=(epsilon, delta)):
    alpha, beta = rule(*level, d)
    return alpha * np.sqrt(d) * np.maximum(1 / v, np.exp(-beta * (v - 1) / 2))

fig, ax = plt.subplots(figsize=(7.2, 4.3))
ax.axhspan(1, 500, color=REFERENCE, alpha=0.09, lw=0)
ax.plot(sizes, np.full(sizes.size, worst_case), color=PALETTE[2], ls="--")
ax.plot(sizes, smooth_noise(as_printed, sizes), color=PALETTE[1], ls="-.")
ax.plot(sizes, smooth_noise(calibrate_exact, sizes), color=PALETTE[0], lw=2.6)
ax.plot(sizes, fixed * np.sqrt(d) / sizes, color=REFERENCE, ls=":")
for x, y, words, colour in ((2e4, 30, "worst case", PALETTE[2]), (1.5e3, 80, "smooth,\nconstants of the paper", PALETTE[1]),
                            (640, 0.11, "smooth", PALETTE[0]), (13, 0.03, "local sensitivity:\nnot private", "#5f6368")):
    ax.text(x, y, words, color=colour, weight="bold")
ax.text(1.05e5, 1.15, "more noise than signal", ha="right", va="bottom", color="#5f6368")
ax.set(xscale="log", yscale="log", ylim=(1e-4, 500), xlim=(10, 1.1e5), xlabel="visitors of each stage",
       ylabel="standard deviation of the noise", title="Nearly free from 550 visitors on, useless below 300");

# %% tags=["remove-input"]
referred = np.arange(1, d + 1) * (n_patients // d)
noise_referred = noise_scale_lsw_non_private(
    FirstVisitStatistics(referred, np.zeros(d), n_patients, 1.0), tabular_features(d), np.ones(d),
    return_bound=1, epsilon=epsilon, delta=delta, rule=calibrate_exact)
md(f"* **Plateau.** With few visitors the lonely data set decides, and the noise is as large as in the worst case: "
   f"{smooth_noise(calibrate_exact, 30):.0f} with 30 visitors, where values lie between 0 and 1.\n"
   f"* **Cliff.** The more visitors, the further away the lonely data set, and the less it counts. The noise falls to "
   f"{smooth_noise(calibrate_exact, 300):.2f} with 300 visitors and {smooth_noise(calibrate_exact, 500):.3f} with 500.\n"
   f"* **Slope.** From {int(np.ceil(cliff(beta_exact)))} visitors on our own data decide. The noise is {alpha_exact / fixed:.2f} times what their local sensitivity "
   f"asks for, and falls like one over the number of visitors: {smooth_noise(calibrate_exact, 10_000):.4f} at 10,000.\n\n"
   f"The price is paid where a stage is nearly empty, because *the emptiest stage sets the noise of all forty*. If the same "
   f"{n_patients:,} patients start anywhere, equally many in each stage, stage 1 has {referred[0]} visitors, and the noise in every value is "
   f"{noise_referred:.2f} instead of {smooth_noise(calibrate_exact, 10_000):.4f}.")

# %% tags=["remove-cell"]
def everybody(v):
    return FirstVisitStatistics(np.full(d, v), np.zeros(d), v, 1.0)
for v in (30, 300, 500, 1000, 10_000):
    for rule in (calibrate_exact, as_printed):
        assert np.isclose(smooth_noise(rule, v), noise_scale_lsw_non_private(
            everybody(v), tabular_features(d), np.ones(d), return_bound=1, epsilon=epsilon, delta=delta, rule=rule))
assert smooth_noise(calibrate_exact, 300) > 0.9 and abs(smooth_noise(calibrate_exact, 30) / worst_case - 1) < 0.1 and smooth_noise(calibrate_exact, 550) < 0.06 and int(np.ceil(cliff(beta_exact))) == 544

# %% [markdown]
# ## The verdict on the paper

# %% tags=["remove-cell"]
beta_printed = as_printed(epsilon, delta, d)[1]
assert round(cliff(beta_printed), -2) == 3_400          # and 544 is asserted above

# %% [markdown]
# {cite:t}`balle2016` brought this idea to reinforcement learning, in the first private algorithms for the task. Their mechanism is the one above; they call
# it DP-LSW. Their bound on what one patient can change {ref}`cannot be improved <sensitivity-tight>`, and for ε up to 40 their
# algorithms {ref}`keep the promise <exact-calibration>`. Their constants are {ref}`far too large <loose-constants>`: a stage needs 3,400 visitors instead of
# 544. Their formula for the remaining error is {ref}`far below the truth <theorem-11>` where visitors are few. A second algorithm of theirs, DP-LSL, uses a ridge
# penalty. It is {ref}`rebuilt <dp-lsl>` as well, and so is {doc}`every panel of their figure <evidence/03_experiments>`.
#
# Can the clinic publish these values so that a nearly empty stage does not spoil the others? It can, without local or smooth
# sensitivity: {doc}`03_release_sums`.
#
# ## Check yourself
#
# **The local sensitivity of your data set is 0.001. May you add noise for a sensitivity of 0.001?**
#
# ```{dropdown} Yes. It is the largest change that one record can make here.
# The promise compares neighbours, and the noise of a neighbour may be larger. Then its size tells which data set it was.
# ```
# ```{dropdown} No. It has to be the global sensitivity.
# That is safe, but there is something better: a sensitivity that changes slowly between neighbours.
# ```
# ```{dropdown} No. But the smooth sensitivity is enough.
# ✓ Right. It is never below the local one, and one record changes it by a factor of at most $e^{\beta/2}$. A somewhat
# larger α pays for the little that its size still tells.
# ```
#
# ## To take away
#
# * Noise in proportion to the local sensitivity is small, but not private: its size tells who is in the data.
# * Smooth sensitivity looks at all data sets, discounts those that are far away, and takes the largest. One record
#   changes it only a little.
# * It costs almost nothing where every stage has many visitors, and nearly everything where one stage has few.
