# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Smooth sensitivity: noise that follows the data so slowly that its size gives nobody away, by hand, in a
#         picture and in nine lines of code.'
# ---

# %% [markdown]
# # Smooth it
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How large must the noise be, so that its size changes slowly whatever the data are?
# * **The answer.** Take the largest local sensitivity of all data sets, and let those that are far away count for less. This is called
#   smooth sensitivity. It costs little where every stage has hundreds of visitors, and nearly everything where one stage has few.
# * **What is protected.** One patient's whole trajectory; neighbours replace one.
# * **What you need.** {doc}`02_noise_that_follows`.
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

from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore, largest, show
from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_lsw, first_visit_statistics, noise_scale_lsw_non_private, smooth_bound_lsw, tabular_features)
from privrl_core.privacy import as_printed, calibrate_exact, gaussian_mu, smooth_gaussian_alpha, smooth_gaussian_beta_max
from privrl_core.world import recovery_chain, sample_episodes

use_theme()
rng = np.random.default_rng(seed)
d = 40                                             # published values, one a stage
chain, treatment = recovery_chain(), np.ones((d, 1))
values = chain.policy_values(treatment)
patients = first_visit_statistics(sample_episodes(chain, treatment, n_patients, rng), d, 0.99, return_bound=1)
fixed = 1 / gaussian_mu(epsilon, delta)            # noise per unit of sensitivity, if its size is public
worst_case = fixed * np.sqrt(d - 1)

# %% [markdown]
# ## Four visitors, by hand
#
# Noise that follows the {doc}`local sensitivity <02_noise_that_follows>`, the largest move that one record can cause in the data set at hand, gave Anna away. Take one stage. With four visitors its local sensitivity is 1/4, with three 1/3, with two 1/2, and
# with one it is 1. The last step is the bad one: the noise doubles.
#
# We want a number that is never smaller than the local sensitivity, and that changes by at most a factor of 4/3 when one record is replaced. The idea is due to {cite:t}`nissim2007`: look further than your own data. A data set with four visitors is
# three records away from one with a single visitor. So let that one count as well, but less, by a factor of 3/4 for every record:
#
# | records away | visitors left | local sensitivity | counted as |
# |---:|---:|---:|---:|
# | 0 | 4 | 1/4 | 0.25 |
# | 1 | 3 | 1/3 | 0.33 × 3/4 = 0.25 |
# | 2 | 2 | 1/2 | 0.50 × 3/4 × 3/4 = 0.28 |
# | 3 | 1 | 1 | 1 × 3/4 × 3/4 × 3/4 = **0.42** |
#
# The largest number in the last column is 0.42. It replaces 1/4, although it comes from a data set that is not ours. With three visitors the same computation gives 0.56, with two 0.75, and with one 1. Each step is a factor of 4/3, and none is larger.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Sensitivity of one stage against its visitors, from one to twelve, on a logarithmic axis. The local sensitivity falls from 1 to one half in its first step and ever more slowly afterwards. Smooth sensitivity lies on or above it: a straight line from 1 at one visitor down to about nine visitors, with a factor of four thirds for each step, and the local sensitivity from there on."}}
several = np.arange(1, 16)
hand = np.array([max(0.75**k / (v - k) for k in range(v)) for v in several])
assert np.allclose(hand[:4], [1, 0.75, 0.5625, 0.421875]) and (hand[:-1] / hand[1:] < 4 / 3 + 1e-12).all() and (hand >= 1 / several).all()
own_decide = int(several[np.argmax(hand == 1 / several) if hand[0] != 1 else 1 + np.argmax(hand[1:] == 1 / several[1:])])
fig, ax = plt.subplots(figsize=(7.2, 3.2))
ax.plot(several, 1 / several, "o:", color=REFERENCE, ms=5)
ax.plot(several, hand, "o-", color=PALETTE[1], ms=5, lw=2.2)
ax.text(1.1, 0.17, "local sensitivity:\nits first step is a factor of 2", color="#5f6368", ha="left", va="top")
ax.text(4.3, 0.48, "smooth sensitivity:\nno step is larger than 4/3", color=PALETTE[1], weight="bold")
ax.set(yscale="log", ylim=(0.05, 1.3), xlabel="visitors of the stage", ylabel="sensitivity", xticks=several, yticks=[0.1, 0.25, 0.5, 1],
       title="Smooth sensitivity never jumps")
ax.set_yticklabels(["0.1", "0.25", "0.5", "1"])
ax.minorticks_off();

# %% tags=["remove-input"]
md(f"From {own_decide} visitors on, our own data give the largest number, and smooth sensitivity is the local one. So it costs something only where visitors are few. How few depends on the factor: for a whole table it has to be much closer to 1, and then a few hundred visitors are few.")

# %% [markdown]
# ## The definition
#
# Write the factor for every record as $e^{-\beta/2}$. For a whole table, local sensitivity is a length in forty dimensions, and nothing else changes. The **smooth sensitivity** is
#
# $$S = \max_{k \ge 0}\ e^{-k\beta/2} \times \bigl(\text{largest local sensitivity, } k \text{ records away}\bigr).$$
#
# **Why does it change slowly?** Replace one record of ours. A data set that was $k$ records away is now at most $k + 1$ records
# away, so it loses at most one factor $e^{-\beta/2}$. Hence $S$ changes by at most a factor $e^{\beta/2}$, for every data set and
# every record.
#
# ### Explore: whose data decide?
#
# Now to a clinic in which all patients visit every stage. Replace $k$ of the $v$ visitors of each stage by patients who do not visit it. Then $v - k$ visitors are left, and one more record moves the means by up to
# $\sqrt{40}/(v - k)$. The discount is milder than above, because the noise may change by a percent or two only:
# we take β = 0.0232, so that one record changes the noise by at most 1.2 %. {ref}`Below <half-of-beta>` we say why.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **A clinic has 300 patients. Which data set decides how much noise it needs?** Choose, then move the visitors to 300.
#
# * its own, because the others are not its data
# * the one that is 299 records away, with a single visitor left
# * one in between, where about half of the visitors are left
# ```

# %% tags=["remove-input"]
visitors = Choice("visitors", "visitors of each stage", (100, 300, 500, 600, 1000, 1300, 2000), 600,
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
md(f"**What you should see.** With 300 patients, the lonely data set, the one with a single visitor, decides: though it is 299 records away and heavily "
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
# (half-of-beta)=
# ## How much noise? Half of the largest β
#
# The noise gets the standard deviation $\alpha S$. Two numbers are still to be chosen: β, how fast this standard deviation may change, and α, the noise per unit of smooth sensitivity. Together they have to hide two things, the move of
# the means and the change of the noise itself.
#
# **There is a largest β.** Suppose that the means do not move at all. Then only the size of the noise tells something, as in the {doc}`game on the page before <02_noise_that_follows>`. A larger α does not help, since it makes both kinds of noise larger by the same
# factor. So the size alone must not tell more than ε and δ allow, and this limits β.

# %% tags=["remove-input"]
largest_beta = smooth_gaussian_beta_max(epsilon, delta, d)
md(f"For forty values, ε = {show(epsilon)} and δ = {show(delta)}, the largest β is {largest_beta:.4f}: one record may change the standard deviation by at most {100 * np.expm1(largest_beta / 2):.1f} %.")

# %% [markdown]
# **At the largest β nothing is left for the means.** The size of the noise has used up all of δ, and α is infinite. The smaller β, the closer α comes to that of noise with a fixed size. But a small β hardly
# discounts the data sets that are far away, and then it takes more visitors until our own data decide.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Take half of the largest β. How much larger is α than for noise of a fixed size?**
#
# * 3 %
# * 30 %
# * 300 %
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels over β, as a share of its largest value. Left, α relative to noise of fixed size: 1 at the left, 1.3 at one half, and without bound towards the right end. Right, the number of visitors from which on our own data decide, logarithmic: tens of thousands at the left, 544 at one half, 240 at the right."}}
shares = np.concatenate([np.linspace(0.02, 0.9, 45), np.linspace(0.91, 0.985, 16)])
alphas = np.array([smooth_gaussian_alpha(epsilon, delta, share * largest_beta, d) for share in shares]) / fixed
cliffs = np.array([cliff(share * largest_beta) for share in shares])
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.3))
for ax, number in ((left, alphas), (right, cliffs)):
    ax.plot(shares, number, color=PALETTE[1], lw=2.2)
    ax.plot(0.5, np.interp(0.5, shares, number), "o", color="#4a5058", ms=8)
    ax.axvline(1, color=REFERENCE, ls="--", lw=1)
    ax.set(xlim=(0, 1.05), xlabel="β, as a share of the largest")
left.set(ylim=(0, 6), ylabel="α, relative to fixed noise", title="A large β: more noise per unit")
right.set(yscale="log", ylim=(100, 3e4), ylabel="visitors until our own data decide", title="A small β: more visitors needed")
left.text(0.48, 1.6, f"{np.interp(0.5, shares, alphas):.2f}", color="#4a5058", weight="bold", ha="right")
right.text(0.52, 640, f"{int(np.ceil(cliff(beta_exact)))}", color="#4a5058", weight="bold");

# %% tags=["remove-input"]
alpha_exact = calibrate_exact(epsilon, delta, d)[0]
md(f"**The answer.** By about 30 %: α is {alpha_exact:.2f}, and noise of a fixed size needs {fixed:.2f}. At a tenth of the largest β it would be hardly more than the fixed one, but then a stage needs {show(cliff(0.1 * largest_beta), 2)} visitors until its own data "
   f"decide, and not {int(np.ceil(cliff(beta_exact)))}. Beyond the half α rises steeply, and little is gained in visitors.")

# %% [markdown]
# The function `calibrate_exact` does this. It finds the largest β, takes half of it, and finds the smallest α: it lays the worst pair of bell curves that α and β allow over each other, as on the page
# {doc}`/chapters/01_foundations/02_a_promise`, and makes the area that sticks out equal to δ ({ref}`checked by sampling <exact-calibration>`). Half is a compromise that suits most data. Any other share would keep the promise as well, if it is chosen without a look at the data.
#
# ## The mechanism in nine lines

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
smooth_error = alpha_exact * np.sqrt(d) / n_patients
released = private_means(patients.visits, patients.return_sums, np.random.default_rng(seed))
md(f"Our {n_patients:,} patients all start in stage 1 and visit every stage. In this draw their forty published values have a root-mean-square error of "
   f"**{np.sqrt(np.mean((released - values) ** 2)):.4f}**, where {smooth_error:.4f} is expected, with ε = {show(epsilon)} and δ = {show(delta)} for one trajectory (replace one), proved.")

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
# ## Plateau, cliff, slope
#
# How much noise does this mechanism add? The figure shows the standard deviation in each value, at ε = 1 and
# δ = 10⁻⁵, if all stages have equally many visitors.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the noise in each value against the number of visitors of each stage, both logarithmic. Worst-case noise is flat at 23. Smooth noise starts on a plateau a little higher, falls off a cliff between a hundred and five hundred visitors, and then runs parallel to and just above the noise by local sensitivity. With the paper's constants the plateau is about five times higher and the cliff is at 3,400 visitors."}}
sizes = np.unique(np.geomspace(10, 1e5, 400).round())
def smooth_noise(rule, v, level=(epsilon, delta)):
    alpha, beta = rule(*level, d)
    return alpha * np.sqrt(d) * np.maximum(1 / v, np.exp(-beta * (v - 1) / 2))

fig, ax = plt.subplots(figsize=(7.2, 4.3))
ax.axhspan(1, 500, color=REFERENCE, alpha=0.09, lw=0)
ax.plot(sizes, np.full(sizes.size, worst_case), color=PALETTE[2], ls="--")
ax.plot(sizes, smooth_noise(as_printed, sizes), color=PALETTE[1], ls="-.", lw=1.3)
ax.plot(sizes, smooth_noise(calibrate_exact, sizes), color=PALETTE[1], lw=2.6)
ax.plot(sizes, fixed * np.sqrt(d) / sizes, color=REFERENCE, ls=":")
for x, y, words, colour in ((2e4, 30, "worst case", PALETTE[2]), (1.5e3, 80, "smooth,\nconstants of the paper", PALETTE[1]),
                            (640, 0.11, "smooth", PALETTE[1]), (13, 0.03, "local sensitivity:\nnot private", "#5f6368")):
    ax.text(x, y, words, color=colour, weight="bold")
ax.text(1.05e5, 1.15, "more noise than signal", ha="right", va="bottom", color="#5f6368")
ax.set(xscale="log", yscale="log", ylim=(1e-4, 500), xlim=(10, 1.1e5), xlabel="visitors of each stage",
       ylabel="standard deviation of the noise", title="Nearly free from 550 visitors on, useless below 300");

# %% tags=["remove-input"]
referred = np.arange(1, d + 1) * (n_patients // d)
noise_referred = noise_scale_lsw_non_private(
    FirstVisitStatistics(referred, np.zeros(d), n_patients, 1.0), tabular_features(d), np.ones(d),
    return_bound=1, epsilon=epsilon, delta=delta, rule=calibrate_exact)
crosses = int(np.arange(1, 300)[np.argmax(smooth_noise(calibrate_exact, np.arange(1, 300)) < worst_case)])
md(f"* **Plateau.** With few visitors the lonely data set decides, and the noise is about as large as in the worst case. With fewer than {crosses} visitors it is even larger: with 10 it is {smooth_noise(calibrate_exact, 10):.0f}, and noise for the "
   f"worst case only {worst_case:.0f}. There the larger α is paid for, and buys nothing.\n"
   f"* **Cliff.** The more visitors, the further away the lonely data set, and the less it counts. The noise falls to "
   f"{smooth_noise(calibrate_exact, 300):.2f} with 300 visitors and {smooth_noise(calibrate_exact, 500):.3f} with 500.\n"
   f"* **Slope.** From {int(np.ceil(cliff(beta_exact)))} visitors on our own data decide. The noise is {alpha_exact / fixed:.2f} times what their local sensitivity "
   f"asks for, and falls like one over the number of visitors: {smooth_noise(calibrate_exact, 10_000):.4f} at 10,000.\n\n"
   f"The price is paid where a stage is nearly empty, because *the emptiest stage sets the noise of all forty*. If the same "
   f"{n_patients:,} patients start anywhere, equally many in each stage, stage 1 has {referred[0]} visitors, and the noise in every value is "
   f"{noise_referred:.2f} instead of {smooth_noise(calibrate_exact, 10_000):.4f}. In the figure the noise at {referred[0]} visitors is larger still, because there all forty stages are as empty as this one.")

# %% tags=["remove-cell"]
def everybody(v):
    return FirstVisitStatistics(np.full(d, v), np.zeros(d), v, 1.0)
for v in (30, 300, 500, 1000, 10_000):
    for rule in (calibrate_exact, as_printed):
        assert np.isclose(smooth_noise(rule, v), noise_scale_lsw_non_private(
            everybody(v), tabular_features(d), np.ones(d), return_bound=1, epsilon=epsilon, delta=delta, rule=rule))
assert smooth_noise(calibrate_exact, 300) > 0.9 and abs(smooth_noise(calibrate_exact, 30) / worst_case - 1) < 0.1 and smooth_noise(calibrate_exact, 550) < 0.06 and int(np.ceil(cliff(beta_exact))) == 544

# %% tags=["remove-cell"]
beta_printed = as_printed(epsilon, delta, d)[1]
assert round(cliff(beta_printed), -2) == 3_400          # and 544 is asserted above

# %% [markdown]
# ## The verdict on the paper
#
# {cite:t}`balle2016` brought this idea to reinforcement learning. The mechanism above is theirs; they call it DP-LSW. With their constants it
# {ref}`keeps its promise <exact-calibration>` for ε up to 40, and their bound on what one patient can change {ref}`cannot be improved <sensitivity-tight>`. Their constants are {ref}`far too large <loose-constants>`: a stage needs 3,400 visitors
# instead of 544. Their formula for the remaining error is {ref}`far below the truth <theorem-11>` where visitors are few. {ref}`Their second algorithm <dp-lsl>` and {doc}`every panel of their figure <evidence/03_experiments>` are rebuilt in the evidence.
#
# Can the clinic publish these values so that a nearly empty stage does not spoil the others? It can, without local or smooth
# sensitivity: {doc}`04_release_sums`.
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
# * Smooth sensitivity looks at all data sets, discounts those that are far away, and takes the largest. One record
#   changes it only a little.
# * The noise has to hide the move and its own size. Half of the largest β leaves room for both, for 30 % more noise.
# * It costs almost nothing where every stage has many visitors, and nearly everything where one stage has few.

# %% tags=["remove-cell"]
assert round(float(smooth_noise(calibrate_exact, 10))) == 28 and crosses == 26 and 1.3 < alpha_exact / fixed < 1.33
assert round(beta_exact, 4) == 0.0232 and round(100 * np.expm1(beta_exact / 2), 1) == 1.2 and np.isclose(smooth_error, smooth_noise(calibrate_exact, n_patients))
