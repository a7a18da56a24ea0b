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
# * **The answer.** Ask not only your own data set how far one record moves the values, but all data sets, and let those that are far away count
#   for less. This is called smooth sensitivity.
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
from scipy.stats import norm

from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, largest, show
from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_lsw, first_visit_statistics, noise_scale_lsw_non_private, smooth_bound_lsw, tabular_features)
from privrl_core.privacy import (
    as_printed, calibrate_exact, gaussian_mu, smooth_gaussian_alpha, smooth_gaussian_beta_max, smooth_gaussian_delta)
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
# Noise in proportion to the {doc}`local sensitivity <02_noise_that_follows>`, the largest move that one record can cause in the data set at hand, gave Anna away. Take one stage. With four visitors
# its local sensitivity is 1/4, with three 1/3, with two 1/2, and with one it is 1. At the last step the noise doubles, and this is what betrays Anna.
#
# We want a number that is never smaller than the local sensitivity, and that changes by at most a factor of 4/3 when one record is replaced. The idea is due to {cite:t}`nissim2007`:
#
# 1. **Look further than your own data.** Three records have to be replaced to turn a data set with four visitors into one with a single visitor.
# 2. **Let a data set that is far away count for less**, by a factor of 3/4 for each record.
# 3. **Take the largest** of all these numbers.
#
# ```{admonition} Guess first
# :class: hint guess right-4
# Our stage has four visitors. Multiply each local sensitivity by 3/4 for each replaced record. **Which data set has the largest number?**
#
# * our own, with four visitors: 1/4
# * three visitors left: 1/3 × 3/4
# * two visitors left: 1/2 × 3/4 × 3/4
# * one visitor left: 1 × 3/4 × 3/4 × 3/4
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels. Left, for a stage with four visitors: local sensitivity after zero, one, two and three replaced records, 0.25, 0.33, 0.50 and 1, as empty bars, and with the discount, 0.25, 0.25, 0.28 and 0.42, as full bars; the last is the largest. Right, sensitivity against the visitors of the stage, from 1 to 15, on a logarithmic axis: smooth sensitivity is a straight line from 1 at one visitor down to nine visitors, and lies on the local sensitivity from there on."}}
several = np.arange(1, 16)
hand = np.array([max(0.75**k / (v - k) for k in range(v)) for v in several])
assert np.allclose(hand[:4], [1, 0.75, 0.5625, 0.421875]) and (hand[:-1] / hand[1:] < 4 / 3 + 1e-12).all() and (hand >= 1 / several).all()
own_decide = 2 + int(np.argmax(hand[1:] == 1 / several[1:]))
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
away, local = np.arange(4), 1 / np.arange(4, 0, -1)
left.bar(away, local, width=0.62, color="none", edgecolor=REFERENCE, linestyle=":", lw=1.6)
left.bar(away, local * 0.75**away, width=0.62, color=["#c9ced4"] * 3 + [PALETTE[1]])
for k in away:
    left.text(k, local[k] * 0.75**k - 0.015, f"{local[k] * 0.75**k:.2f}", ha="center", va="top", weight="bold", color="white" if k == 3 else "black")
left.text(2.62, 0.93, "local", color="#5f6368", ha="right", va="top")
left.set(xticks=away, xticklabels=[f"{k}\n{4 - k} left" for k in away], ylim=(0, 1.05), xlabel="replaced records, and the visitors left", ylabel="sensitivity",
         title="Four visitors: the loneliest data set decides")
left.grid(False, axis="x")
right.plot(several, 1 / several, "o:", color=REFERENCE, ms=5)
right.plot(several, hand, "o-", color=PALETTE[1], ms=5, lw=2.2)
right.plot(4, hand[3], "o", ms=11, mfc="none", mec=PALETTE[1], mew=1.6)
right.text(1.2, 0.135, "local: its first\nstep is a factor of 2", color="#5f6368", ha="left", va="top")
right.text(4.6, 0.47, "smooth: no step\nis larger than 4/3", color=PALETTE[1], weight="bold")
right.set(yscale="log", ylim=(0.05, 1.3), xlabel="visitors of the stage", xticks=several[::2], yticks=[0.1, 0.25, 0.5, 1], title="The same for each number of visitors")
right.set_yticklabels(["0.1", "0.25", "0.5", "1"])
right.minorticks_off();

# %% tags=["remove-input"]
md(f"**The answer.** The one with a single visitor. It counts {hand[3]:.2f}, where our own data set counts only 0.25. So {hand[3]:.2f} replaces the local sensitivity, although it comes from a data set that is not ours. In the right panel "
   f"the same is done for other numbers of visitors. The orange line goes down by a factor of 4/3 for each visitor, until it meets the local sensitivity at {own_decide} visitors. From there on our own data decide.")

# %% [markdown]
# ## The definition
#
# Write $e^{-\beta/2}$ for the factor that each replaced record counts; above it was 3/4. The **smooth sensitivity** is
#
# $$S = \max_{k \ge 0}\ e^{-k\beta/2} \times \bigl(\text{largest local sensitivity, } k \text{ records away}\bigr).$$
#
# **Why does it change slowly?** Replace one record of ours. A data set that was $k$ records away is now at most $k + 1$ records away, so it loses at most one factor $e^{-\beta/2}$. Hence $S$ changes
# by at most a factor $e^{\beta/2}$, for every data set and every record. The noise gets the standard deviation $\alpha S$ and changes as slowly.
#
# (half-of-beta)=
# ## How slowly is slowly enough?
#
# Two numbers are still to be chosen. They limit the two ways in which one record can show in the published values:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two bell curves for one published value, drawn with an exaggerated difference: with Anna, narrower, and without her, further to the right and wider. An arrow between the centres is labelled: the move, at most 1 over α standard deviations. An arrow at the sides is labelled: the size, at most a factor e to the power of β over 2."}}
z = np.linspace(-3.6, 5.2, 400)
fig, ax = plt.subplots(figsize=(7.2, 2.5))
for centre, width, colour, words, x, side in ((0, 1, PALETTE[0], "with Anna", -1.0, "right"), (1.1, 1.35, PALETTE[1], "without her", 3.0, "left")):
    ax.plot(z, norm.pdf(z, centre, width), color=colour, lw=2.2)
    ax.text(x, norm.pdf(x, centre, width) + 0.02, words, color=colour, weight="bold", ha=side)
    ax.plot([centre, centre], [0, norm.pdf(0, 0, width)], color=colour, lw=1, ls=":")
ax.annotate("", (1.1, 0.43), (0, 0.43), arrowprops={"arrowstyle": "<->", "color": "#4a5058"})
ax.text(1.25, 0.43, "α limits the move: at most 1/α standard deviations", va="center", color="#4a5058")
ax.annotate("", (1.1 + 1.35, norm.pdf(1, 0, 1.35)), (1.1, norm.pdf(1, 0, 1.35)), arrowprops={"arrowstyle": "<->", "color": PALETTE[1]})
ax.text(2.62, norm.pdf(1, 0, 1.35) - 0.02, "β limits the size: at most $e^{\\beta/2}$ times wider", va="center", color="#4a5058")
ax.set(xlim=(-3.6, 6.6), ylim=(0, 0.5), yticks=[], xticks=[], xlabel="one published value", title="One record moves a value and changes the size of its noise (both exaggerated)");

# %% [markdown]
# A larger α makes the noise larger, and the move is harder to see. But it does not help against the second: both curves become wider by the same factor, and their ratio stays. In forty values together even a small change of the size is
# seen, as the {doc}`page before <02_noise_that_follows>` showed. So how large may β be?
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **The means are equal, and one record changes the standard deviation of all forty values. Which change keeps the promise ε = 1, δ = 10⁻⁵?**
#
# * a third, as by hand
# * 10 %
# * 2 %
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels over the change of the noise by one record, in percent. Left, δ of the size alone, at ε = 1, on a logarithmic axis: it rises steeply, and crosses 0.00001 at 2.3 percent. Right, α relative to noise of fixed size: 1 at the left, 1.3 at 1.2 percent, and without bound towards 2.3 percent."}}
largest_beta = smooth_gaussian_beta_max(epsilon, delta, d)
alpha_exact, beta_exact = calibrate_exact(epsilon, delta, d)

def change(beta):
    return 100 * np.expm1(np.asarray(beta) / 2)

betas = largest_beta * np.linspace(0.45, 3, 60)
shares = np.concatenate([np.linspace(0.02, 0.9, 45), np.linspace(0.91, 0.985, 16)])
alphas = np.array([smooth_gaussian_alpha(epsilon, delta, share * largest_beta, d) for share in shares]) / fixed
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.3))
left.plot(change(betas), [smooth_gaussian_delta(epsilon, np.inf, beta, d) for beta in betas], color=PALETTE[1], lw=2.2)
left.axhline(delta, color=REFERENCE, ls="--", lw=1)
left.plot(change(largest_beta), delta, "o", color="#4a5058", ms=8)
left.text(change(largest_beta) + 0.25, delta / 2.5, f"largest β: {change(largest_beta):.1f} %", color="#4a5058", weight="bold", va="top")
left.text(0.15, delta * 1.6, "promised δ", color="#5f6368")
left.set(yscale="log", xlim=(0, 7), ylim=(1e-12, 1), xlabel="one record changes the size by, in %", ylabel="what its size alone tells: δ at ε = 1", title="Some change is too much, whatever α is")
right.plot(change(shares * largest_beta), alphas, color=PALETTE[1], lw=2.2)
right.axvline(change(largest_beta), color=REFERENCE, ls="--", lw=1)
right.plot(change(beta_exact), alpha_exact / fixed, "o", color="#4a5058", ms=8)
right.text(change(beta_exact) - 0.05, alpha_exact / fixed + 0.3, f"half of it: {alpha_exact / fixed:.2f}", color="#4a5058", weight="bold", ha="right")
right.set(xlim=(0, 2.6), ylim=(0, 6), xlabel="one record changes the size by, in %", ylabel="α, relative to noise of fixed size", title="Half of it leaves room for the move");

# %% tags=["remove-input"]
md(f"**The answer.** Only 2 %. At {change(largest_beta):.1f} % the size alone tells all that δ allows (left), and at 10 % or a third far more. So there is a **largest β**, {largest_beta:.4f}. But there nothing is left for the move, and α would have to be infinite (right). "
   f"We take **half of the largest β**, {show(beta_exact)}: one record changes the noise by at most {change(beta_exact):.1f} %. Then α is {alpha_exact:.2f}, where noise of a fixed size needs {fixed:.2f}. Smoothness costs "
   f"about a third more noise.")

# %% [markdown]
# The function `calibrate_exact` does this. It finds the smallest α by laying the worst pair of curves over each other and making the area that sticks out equal to δ, as in {doc}`/chapters/01_foundations/02_a_promise` [{ref}`checked by sampling <exact-calibration>`;
# {ref}`why half <why-half>`]. In code, the whole mechanism is:

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
   f"**{np.sqrt(np.mean((released - values) ** 2)):.4f}**, where {smooth_error:.4f} is expected. The promise is ε = {show(epsilon)} and δ = {show(delta)} for one trajectory (replace one), proved. It covers the published values and nothing else: the standard "
   "deviation of the noise follows the data, so *it must never be published*, not even as an error bar ({ref}`what it would give away <secret-width>`).")

# %% tags=["remove-cell"]
# The package publishes the same, to the last digits.
package = dp_lsw(patients, tabular_features(d), np.ones(d), return_bound=1, epsilon=epsilon, delta=delta,
                 noise_rng=np.random.default_rng(seed))
assert np.allclose(released, package.parameters)
beta_trial, visits_trial = 0.1, np.array([3, 0, 7, 1])
by_hand = max(np.exp(-k * beta_trial / 2) * np.sqrt(np.sum(1 / np.maximum(visits_trial - k, 1) ** 2)) for k in range(8))
assert np.isclose(by_hand**2, smooth_bound_lsw(visits_trial, np.ones(4), beta_trial))

# %% [markdown]
# ## How many visitors does it take?
#
# By hand, with a factor of 4/3, our own data decided from nine visitors on. A factor of 1.012 falls much more slowly. Here is the right panel of the first picture once more, for forty stages with equally many visitors each.
#
# ### Explore: whose data decide?
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **From how many visitors on is smooth sensitivity no larger than the local one, if one record changes it by at most 1.17 %?** Choose, then move the change from 33.3 % to 1.17 %.
#
# * about 50
# * about 250
# * about 550
# ```

# %% tags=["remove-input"]
percent = Slider("percent", "largest change by one record, in %", 0.505, 33.3, 33.3, points=61, steps=60, low_end="slowly", high_end="as by hand")
visitors = Slider("visitors", "visitors of each stage", 1, 801, 301, points=201, steps=200, scale="linear", low_end="one", high_end="many")

lonely = Table.of(lambda percent, visitors: np.sqrt(d) * np.exp(-np.log1p(percent / 100) * (visitors - 1)), percent, visitors)
own = constant(np.sqrt(d)) / Table.of(lambda visitors: visitors, visitors, scale="linear")

def cliff(beta):
    """With more visitors than this, the own data decide: beta (v - 1) = 2 ln v."""
    return brentq(lambda v: beta * (v - 1) - 2 * np.log(v), 2 / beta, 1e9)

decide = Table.of(np.vectorize(lambda percent: np.ceil(cliff(2 * np.log1p(percent / 100)))), percent)

explore(
    name="whose_data", sliders=[percent, visitors], x=visitors,
    y=Axis("sensitivity", "sensitivity", 1e-3, 10),
    curves=[Curve("smooth sensitivity", largest(own, lonely)), Curve("local sensitivity", own, reference=True),
            Curve("worst case", constant(np.sqrt(d)), reference=True)],
    readouts=[Readout("decide", "our own data decide from, in visitors", decide),
              Readout("own", "our own data, with these visitors", own, at_most=True),
              Readout("smooth", "smooth sensitivity", largest(own, lonely), at_most=True)],
    guarantee="Replace one trajectory, and the smooth sensitivity changes by at most {percent} %. This bounds what the size of the noise can tell about one patient.",
    alt="Sensitivity against the visitors of each stage, from one to 800. Smooth sensitivity falls in a straight line and lies on the local sensitivity from {decide} visitors on. "
        "At {visitors} visitors it is {smooth}, and the local sensitivity is {own}.",
    caption="Forty stages with equally many visitors. The straight line is the data set with a single visitor, discounted; the curve is our own.")

# %% tags=["remove-input"]
ratio = 300 * np.exp(-beta_exact * 299 / 2)
md(f"**What you should see.** About 550: {int(np.ceil(cliff(2 * np.log1p(0.0117))))} visitors at 1.17 %, and {int(np.ceil(cliff(beta_exact)))} with all digits of β. With 300, the data set with a single visitor decides: it is 299 records away, and still counts {ratio:.0f} times as much as our own. "
   "A change that is 28 times as slow needs more than 28 times nine visitors, because the local sensitivity goes on falling and has to be met further down. Move the change to the left end, and the line becomes nearly flat: the closer the "
   "factor is to 1, the closer smooth sensitivity comes to the worst case.")

# %% tags=["remove-cell"]
for beta in (beta_exact, beta_exact / 2, 2 * np.log1p(0.333)):
    v = int(np.ceil(cliff(beta)))
    for count, own_data_decide in ((v - 1, False), (v, True)):
        k = np.arange(count)
        discounted = np.exp(-k * beta / 2) / (count - k)
        assert (np.argmax(discounted) == 0) == own_data_decide and np.argmax(discounted) in (0, count - 1)
assert 0.333 / np.expm1(beta_exact / 2) > 28 and abs(change(beta_exact) - 1.17) < 0.005

# %% [markdown]
# ## From sensitivity to noise
#
# Multiply by α, and the picture shows the noise in each value. The values themselves lie between 0 and 1:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the noise in each value against the number of visitors of each stage, both logarithmic. Worst-case noise is flat at 23. Smooth noise starts on a plateau a little higher, falls off a cliff between a hundred and five hundred visitors, and then runs parallel to and just above the noise by local sensitivity. With the paper's constants the plateau is about five times higher and the cliff is at 3,400 visitors."}}
sizes = np.unique(np.geomspace(10, 1e5, 400).round())
def smooth_noise(rule, v, level=(epsilon, delta)):
    alpha, beta = rule(*level, d)
    return alpha * np.sqrt(d) * np.maximum(1 / v, np.exp(-beta * (v - 1) / 2))

fig, ax = plt.subplots(figsize=(7.2, 3.8))
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
md(f"* **Few visitors.** The noise is about as large as in the worst case. With fewer than {crosses} visitors it is even larger: {smooth_noise(calibrate_exact, 10):.0f} with 10, and {worst_case:.0f} in the worst case.\n"
   f"* **Hundreds.** The noise falls off a cliff, to {smooth_noise(calibrate_exact, 300):.2f} with 300 visitors and {smooth_noise(calibrate_exact, 500):.3f} with 500.\n"
   f"* **More than {int(np.ceil(cliff(beta_exact)))}.** It is {alpha_exact / fixed:.2f} times what the local sensitivity asks for: {smooth_noise(calibrate_exact, 10_000):.4f} with 10,000.\n\n"
   f"The price is paid where a single stage is nearly empty, because *the emptiest stage sets the noise of all forty*. If the same "
   f"{n_patients:,} patients start anywhere, equally many in each stage, stage 1 has {referred[0]} visitors. The noise in every value is then "
   f"{noise_referred:.2f} instead of {smooth_noise(calibrate_exact, 10_000):.4f}. In the picture it is larger still at {referred[0]} visitors, because there all forty stages are as empty as this one.")

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
# {cite:t}`balle2016` brought this idea to reinforcement learning. The mechanism above is theirs; they call it DP-LSW. It {ref}`keeps its promise <exact-calibration>`, and their bound on what one patient can change {ref}`cannot be improved <sensitivity-tight>`.
# Their constants are {ref}`far too large <loose-constants>`: a stage needs 3,400 visitors instead of 544. Their formula for the remaining error is {ref}`far below the truth <theorem-11>` where visitors are few. {ref}`Their second algorithm <dp-lsl>` and
# {doc}`every panel of their figure <evidence/03_experiments>` are rebuilt in the evidence.
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
# * The noise has to hide the move and its own size. Half of the largest β leaves room for both, for about a third more noise.
# * It costs almost nothing where every stage has many visitors, and nearly everything where one stage has few.

# %% tags=["remove-cell"]
assert round(float(smooth_noise(calibrate_exact, 10))) == 28 and crosses == 26 and 1.3 < alpha_exact / fixed < 1.33
assert round(beta_exact, 4) == 0.0232 and round(100 * np.expm1(beta_exact / 2), 1) == 1.2 and round(100 * np.expm1(largest_beta / 2), 1) == 2.3 and np.isclose(smooth_error, smooth_noise(calibrate_exact, n_patients))
