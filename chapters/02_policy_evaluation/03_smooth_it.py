# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Smooth sensitivity: noise that follows the data so slowly that its size gives nobody away, by hand, in a
#         picture and in ten lines of code.'
# ---

# %% [markdown]
# # Smooth it
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How can the noise follow the data, if its size may not give a patient away?
# * **The answer.** Let it follow a smoothed number, which one record changes only a little. This number is called smooth sensitivity.
# * **What is protected.** One patient's whole trajectory; neighbours replace one.
# * **What you need.** {doc}`02_noise_that_follows`.
# * **How long.** About 12 minutes.
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
from IPython.display import Markdown as md, display
from scipy.optimize import brentq
from scipy.stats import chi2, poisson

from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore, largest, show
from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_lsw, first_visit_statistics, noise_scale_lsw_non_private, smooth_bound_lsw, tabular_features)
from privrl_core.privacy import calibrate_exact, gaussian_mu, smooth_gaussian_beta_max, smooth_gaussian_delta
from privrl_core.world import recovery_chain, sample_episodes

use_theme()
rng = np.random.default_rng(seed)
d = 40                                             # published values, one a stage
chain, treatment = recovery_chain(), np.ones((d, 1))
values = chain.policy_values(treatment)
patients = first_visit_statistics(sample_episodes(chain, treatment, n_patients, rng), d, 0.99, return_bound=1)
fixed = 1 / gaussian_mu(epsilon, delta)            # noise per unit of sensitivity, if its size is public
worst_case = fixed * np.sqrt(d)                    # all forty counted alike, as for smooth noise

# %% [markdown]
# ## Four visitors, by hand
#
# Noise in proportion to the {doc}`local sensitivity <02_noise_that_follows>`, the largest move that one record can cause in the data set at hand, gave Anna away. Take one stage. With four visitors
# its local sensitivity is 1/4, with three 1/3, with two 1/2, and with one it is 1. At the last step the noise doubles, and this is what betrays Anna.
#
# We want a number that is never smaller than the local sensitivity, but changes more slowly: by at most a factor of 4/3, say, when one record is replaced. The idea is due to {cite:t}`nissim2007`, and {cite:t}`balle2016` used it for the values of a clinic:
#
# 1. **Look at other data sets, too.** Three records have to be replaced to turn a data set with four visitors into one with a single visitor.
# 2. **Let a data set that is far away count for less**, by a factor of 3/4 for each record.
# 3. **Take the largest** of all these numbers.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# Our stage has four visitors. **Which data set has the largest number, and decides?**
#
# * our own, because nothing is taken off
# * one with three or two visitors left, half-way between
# * one with a single visitor, although it is three records away
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels. Left, for a stage with four visitors: local sensitivity after zero, one, two and three replaced records, 0.25, 0.33, 0.50 and 1, as empty bars, and with the discount, 0.25, 0.25, 0.28 and 0.42, as full bars; the last is the largest. Right, sensitivity against the visitors of the stage, from 1 to 15, on a logarithmic axis: smooth sensitivity is a straight line from 1 at one visitor down to nine visitors, and lies on the local sensitivity from there on."}}
several = np.arange(1, 16)
hand = np.array([max(0.75**k / (v - k) for k in range(v)) for v in several])
assert np.allclose(hand[:4], [1, 0.75, 0.5625, 0.421875]) and (hand[:-1] / hand[1:] < 4 / 3 + 1e-12).all() and (hand >= 1 / several).all()
own_decide = 2 + int(np.argmax(hand[1:] == 1 / several[1:]))
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 2.75))
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
md(f"**The answer.** The one with a single visitor. It counts 1 × 3/4 × 3/4 × 3/4 = {hand[3]:.2f}. Our own data set counts only 0.25. The one with three visitors left also counts 0.25, since 1/3 × 3/4 = 1/4. "
   f"So {hand[3]:.2f} replaces the local sensitivity, although it comes from a data set that is not ours.\n\n"
   f"The right panel shows other numbers of visitors. The orange line goes down by a factor of 4/3 for each, until it meets the local sensitivity at {own_decide} visitors. From there on our own data decide.")

# %% [markdown]
# ## The definition
#
# Choose how much each replaced record counts; above, this discount was 3/4. The **smooth sensitivity** of a data set is
#
# $$S = \max_{k \ge 0}\ \text{discount}^{\,k} \times \bigl(\text{largest local sensitivity, } k \text{ records away}\bigr).$$
#
# For the clinic the largest is easy to find: one record may visit every stage, so $k$ replaced records can take $k$ visitors from each.
#
# **Why does it change slowly?** Replace one record of ours. Every other data set is now at most one record further away than before, so its number is discounted at most once more. In the example it keeps at least 3/4 of its size. This holds for each number, and so for the largest, $S$.
# Replace the record back, and $S$ rises by at most a factor of 4/3.
#
# ## How slowly is slowly enough?
#
# The noise in all forty values gets a standard deviation in proportion to $S$. So one record can show in two ways: it moves the values, and it changes the size of their noise a little. More noise hides a move. It does not hide a change of size, because both noises grow by the same factor.

# %% tags=["remove-input"]
times, beta_exact = calibrate_exact(epsilon, delta, d)
largest_beta = smooth_gaussian_beta_max(epsilon, delta, d)

def change(beta):
    return 100 * np.expm1(np.asarray(beta) / 2)

def outside(larger):
    """The sum of the squared noises, in units of the smaller variance, above which the larger noise is e**ε times as likely; and how
    often the sum is above it, with the larger noise and with the smaller one."""
    far = 2 * (epsilon + d * np.log(larger)) / (1 - larger**-2)
    return far, chi2.sf(far / larger**2, d), chi2.sf(far, d)

far, often, rarely = outside(np.exp(largest_beta / 2))
md(f"How large may the change of size be? Suppose that the noise is {change(largest_beta):.2f}\N{NO-BREAK SPACE}% larger without Anna than with her, and that the forty averages do not move. An attacker who knows the averages "
   f"subtracts them, divides each of the forty noises by its standard deviation with Anna, and adds up the squares. The sum is about {d}. A large sum speaks for the larger noise: above {far:.0f}, every sum is more than $e^\\varepsilon = {np.exp(epsilon):.2f}$ times as likely without Anna.\n\n"
   f"Such sums are rare: {1e5 * rarely:.2f} releases in 100,000 with Anna. Without her the promise allows $e^\\varepsilon$ times as many, and one more for $\\delta = 10^{{-5}}$: {np.exp(epsilon):.2f} × {1e5 * rarely:.2f} + 1 = {1e5 * (np.e * rarely + delta):.1f}.")

# %% mystnb={"image": {"alt": "Two panels. Left, the distribution of the sum of the forty squared noises, with Anna and without her: two hills around 40 that nearly coincide, and a line far to the right, at 85. Right, the releases in 100,000 whose sum is above 85: 4.38 with Anna. Without her the promise allows 11.9, which is 2.72 times as many, and 1 more for δ; this makes 12.9, and there are 12.9."}} tags=["remove-input"]
sums, wider = np.linspace(1, 105, 400), np.exp(largest_beta / 2)
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 2.2), width_ratios=[1, 1.15])
left.plot(sums, chi2.pdf(sums, d), color=PALETTE[0], lw=2.2)
left.plot(sums, chi2.pdf(sums / wider**2, d) / wider**2, color=PALETTE[1], lw=2.2, ls="--")
left.axvline(far, color="#4a5058", lw=1.2)
left.text(28.5, 0.036, "with Anna", color=PALETTE[0], weight="bold", ha="right")
left.text(50, 0.035, "without her", color=PALETTE[1], weight="bold")
left.text(far - 2, 0.02, f"above {far:.0f}", color="#4a5058", weight="bold", ha="right")
left.set(xlim=(0, 105), ylim=(0, 0.05), yticks=[], xlabel="sum of the forty squares, in variances with Anna", title="With Anna and without: hardly a difference")
right.barh([2, 1, 0], 1e5 * np.array([rarely, np.e * rarely, often]), height=0.6, color=[PALETTE[0], "#c9ced4", PALETTE[1]])
right.barh(1, 1e5 * delta, left=1e5 * np.e * rarely, height=0.6, color="#4a5058")
right.text(1e5 * rarely + 0.3, 2, f"{1e5 * rarely:.2f}", va="center", weight="bold")
right.text(0.3, 1, f"{np.exp(epsilon):.2f} × {1e5 * rarely:.2f} = {1e5 * np.e * rarely:.1f}", va="center", color="black")
right.text(1e5 * np.e * rarely + 1.3, 1, "+ 1, for δ", va="center", color="#4a5058", weight="bold")
right.text(1e5 * often + 0.3, 0, f"{1e5 * often:.1f}", va="center", weight="bold")
right.set(yticks=[2, 1, 0], yticklabels=["with Anna", "allowed without her", "without her"], xlim=(0, 17), xlabel=f"releases in 100,000 with a sum above {far:.0f}", title="The promise is used up")
right.grid(False, axis="y");

# %% tags=["remove-input"]
md(f"At {change(largest_beta):.2f} % the sums above {far:.0f} use up the whole promise, and nothing is left for the move of the values [{{ref}}`other changes of size <half-of-beta>`]. We take half of the largest, **{change(beta_exact):.2f} %**.\n\n"
   f"What is left of the promise has to hide the move. `calibrate_exact` finds the smallest noise that does it: a standard deviation of **{times:.2f} S**. "
   f"A larger change would leave less, and the factor would be larger than {times:.2f}. A smaller change would take many more visitors until our own data decide [{{ref}}`why half <why-half>`].\n\n"
   f"Noise whose size is public needs {fixed:.2f} times the sensitivity. So smooth noise costs about a third more where $S$ is the local sensitivity, and far more elsewhere.")

# %% tags=["remove-cell"]
assert round(far) == 85 and f"{1e5 * rarely:.1f}" == "4.4" and [f"{1e5 * p:.2f}" for p in (often, np.e * rarely, often - np.e * rarely, rarely)] == ["12.90", "11.90", "1.00", "4.38"] and f"{2.72 * 4.38:.1f}" == "11.9"
assert np.isclose(often - np.exp(epsilon) * rarely, smooth_gaussian_delta(epsilon, np.inf, largest_beta, d), rtol=1e-6)
assert [f"{1e5 * poisson.cdf(d / 2 - 1, half):.1f}" for half in (85 / 2, 85 / 2 / np.exp(largest_beta))] == ["4.4", "12.9"]       # the same from Poisson counts
tried = np.linspace(50, 130, 400)                  # no other sum tells more
assert (chi2.sf(tried * np.exp(-largest_beta), d) - np.e * chi2.sf(tried, d)).max() <= often - np.e * rarely

# %% [markdown]
# In code, `times` is the factor 4.91, and `beta` = 0.0232 stands for the change: one record changes the *variance* of the noise by at most a factor of $e^\beta$. So the standard deviation changes by at most a factor of $e^{\beta/2} = 1.0117$, and each replaced record is discounted by $e^{-\beta/2} = 0.9885$.

# %%
def private_means(visits, return_sums, epsilon, delta, rng):
    times, beta = calibrate_exact(epsilon, delta, len(visits))
    discount = np.exp(-beta / 2)                     # 0.9885
    S = 0
    for k in range(visits.max() + 1):                # k records away
        left = np.maximum(visits - k, 1)             # visitors of each stage then
        sensitivity = np.sqrt(np.sum(1 / left**2))   # of all averages together
        S = max(S, discount**k * sensitivity)
    means = return_sums / np.maximum(visits, 1)
    return means + times * S * rng.normal(size=len(visits))

# %% tags=["remove-input"]
smooth_error = times * np.sqrt(d) / n_patients
md(f"Our {n_patients:,} patients all start in stage 1 and visit every stage. The noise in each of their forty values has a standard deviation of "
   f"**{smooth_error:.4f}**. The promise is ε = {show(epsilon)} and δ = {show(delta)} for one trajectory (replace one), proved. The standard "
   "deviation of the noise follows the data, so *it must never be published*, not even as an error bar [{ref}`why <secret-width>`].")

# %% tags=["remove-cell"]
released = private_means(patients.visits, patients.return_sums, epsilon, delta, np.random.default_rng(seed))
assert 0.5 < np.sqrt(np.mean((released - values) ** 2)) / smooth_error < 1.5
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
# In the example one record could change the noise by a third, and our own data decided from nine visitors on. Now one record may change it by 1.17 % only.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **From how many visitors in each stage on do our own data decide?** Choose, then move the change to its left end, 1.17 %.
#
# * about 50
# * about 250
# * about 500
# * about 5,000
# ```

# %% tags=["remove-cell"]
def cliff(beta):
    """With more visitors than this, the own data decide: beta (v - 1) = 2 ln v."""
    return brentq(lambda v: beta * (v - 1) - 2 * np.log(v), 2 / beta, 1e9)

percent = Choice("percent", "largest change by one record, in %", (1.17, 1.5, 2, 3, 5, 7, 10, 15, 20, 33.3), 33.3, low_end="in our clinic", high_end="in the example")
def exactly(percent):
    """The slider's first stop, 1.17 %, stands for the change of the page, 1.168 %."""
    return np.where(np.isclose(percent, 1.17), change(beta_exact), percent)

each_stage = Slider("visitors", "visitors of each stage", 1, 601, 7, points=101, steps=100, scale="linear", low_end="one", high_end="many")
lonely = Table.of(lambda percent, visitors: np.exp(-np.log1p(exactly(percent) / 100) * (visitors - 1)), percent, each_stage)
own = constant(1) / Table.of(lambda visitors: visitors, each_stage, scale="linear")
decide = Table.of(np.vectorize(lambda percent: np.ceil(cliff(2 * np.log1p(exactly(percent) / 100)))), percent)

# %% tags=["remove-input"]
explore(
    name="whose_data", sliders=[percent, each_stage], x=each_stage,
    y=Axis("sensitivity", "sensitivity of one average", 1e-3, 1),
    curves=[Curve("single visitor left, discounted", lonely, at_most=True), Curve("smooth sensitivity", largest(own, lonely), at_most=True),
            Curve("local sensitivity", own, at_most=True, reference=True)],
    readouts=[Readout("decide", "visitors from which our own data decide", decide),
              Readout("ratio", "smooth sensitivity ÷ local sensitivity", largest(own, lonely) / own)],
    guarantee="Replace one trajectory, and the smooth sensitivity changes by at most {percent} %. This bounds what the size of the noise can tell about one patient.",
    alt="Sensitivity against the visitors of each stage, from one to 600. Smooth sensitivity falls in a straight line and lies on the local sensitivity from {decide} visitors on. "
        "At {visitors} visitors the quotient of the two is {ratio}.",
    caption="One average, with equally many visitors in each stage. Smooth sensitivity is the larger of the other two. Numbers are rounded up. The left end, shown as 1.17 %, is computed with 1.168 %.")

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the noise in each value against the number of visitors of each stage, both logarithmic. Worst-case noise is flat at 24. Smooth noise starts on a plateau a little higher, falls off a cliff between a hundred and five hundred visitors, and then runs parallel to and just above the noise by local sensitivity."}}
ratio = 300 * np.exp(-beta_exact * 299 / 2)
display(md(f"**The answer.** From {np.ceil(cliff(beta_exact)):.0f} on. From there on smooth noise is only {times / fixed:.1f} times what the local sensitivity asks for. With 300 visitors, the data set with a single visitor still decides: it is 299 records away, and yet counts {ratio:.0f} times as much as our own. "
   "Two things happen as the change becomes smaller. The straight line falls more slowly, and it has to fall further, because with more visitors the local sensitivity is smaller.\n\n"
   "The slider shows a single average. The $S$ of all forty is $\\sqrt{40}$ times larger, and the noise is $4.91\\,S$: in all, 31 times as much. The noise falls off a **cliff**, which ends at 544 visitors, where our own data begin to decide. Below 25 it is even larger than noise for the worst case. The values lie between 0 and 1:"))

def smooth_noise(v):
    return times * np.sqrt(d) * np.maximum(1 / v, np.exp(-beta_exact * (v - 1) / 2))

sizes = np.unique(np.geomspace(10, 1e5, 400).round())
fig, ax = plt.subplots(figsize=(7.2, 2.65))
ax.axhspan(1, 60, color=REFERENCE, alpha=0.09, lw=0)
ax.plot(sizes, np.full(sizes.size, worst_case), color=PALETTE[2], ls="--")
ax.plot(sizes, smooth_noise(sizes), color=PALETTE[1], lw=2.6)
ax.plot(sizes, fixed * np.sqrt(d) / sizes, color=REFERENCE, ls=":")
for x, y, words, colour in ((2e4, 9, "worst case", PALETTE[2]), (640, 0.11, "smooth", PALETTE[1]), (13, 0.03, "local sensitivity:\nnot private", "#5f6368")):
    ax.text(x, y, words, color=colour, weight="bold")
ax.text(1.05e5, 1.15, "more noise than signal", ha="right", va="bottom", color="#5f6368")
ax.set(xscale="log", yscale="log", ylim=(1e-4, 60), xlim=(10, 1.1e5), xlabel="visitors of each stage",
       ylabel="standard deviation of the noise", title="Below 300 visitors there is more noise than signal");

# %% tags=["remove-input"]
referred = np.arange(1, d + 1) * (n_patients // d)
noise_referred = noise_scale_lsw_non_private(
    FirstVisitStatistics(referred, np.zeros(d), n_patients, 1.0), tabular_features(d), np.ones(d),
    return_bound=1, epsilon=epsilon, delta=delta, rule=calibrate_exact)
md("**Where the price is paid.** *The emptiest stage decides about the noise of all forty.* If the same "
   f"{n_patients:,} patients start anywhere, equally many in each stage, only {referred[0]} of them visit stage 1. The noise in every value is then "
   f"{noise_referred:.2f} instead of {smooth_noise(10_000):.4f}. If all forty stages had only {referred[0]} visitors, it would be {smooth_noise(referred[0]):.1f}.")

# %% tags=["remove-cell"]
def everybody(v):
    return FirstVisitStatistics(np.full(d, v), np.zeros(d), v, 1.0)

for v in (30, 300, 500, 1000, 10_000):
    assert np.isclose(smooth_noise(v), noise_scale_lsw_non_private(
        everybody(v), tabular_features(d), np.ones(d), return_bound=1, epsilon=epsilon, delta=delta, rule=calibrate_exact))
assert smooth_noise(24) > worst_case > smooth_noise(25) and abs(smooth_noise(referred[0]) / np.sqrt(d) / noise_referred - 1) < 0.01 and int(np.ceil(cliff(2 * np.log(4 / 3)))) == own_decide
assert round(times * np.sqrt(d)) == 31 and smooth_noise(300) > 0.9 and smooth_noise(544) < 0.06 and int(np.ceil(cliff(beta_exact))) == 544 and 1.3 < times / fixed < 1.33
assert np.isclose(smooth_error, smooth_noise(n_patients))
assert round(float(change(beta_exact)), 2) == 1.17 and np.isclose(beta_exact, largest_beta / 2, rtol=0.01) and round(worst_case) == 24 and round(times, 2) == 4.91 and round(float(change(largest_beta)), 2) == 2.35 and round(beta_exact, 4) == 0.0232 and round(float(np.exp(-beta_exact / 2)), 4) == 0.9885 and round(ratio) == round(300 * 0.9885**299) and round(float(np.exp(beta_exact / 2)), 4) == 1.0117
assert round(0.9885**99, 2) == 0.32 and 38 < smooth_noise(100) / (fixed * np.sqrt(d) / 100) < 44 and smooth_noise(100) < worst_case / 2

# %% [markdown]
# With the constants of the paper {ref}`a stage needs 3,400 visitors <whose-data-decide>`. Can the clinic publish its values so that a nearly empty stage does not spoil the others? It can, without local or smooth
# sensitivity: {doc}`04_release_sums`.
#
# ## Check yourself
#
# **Each stage has 100 visitors. The analyst adds smooth noise for ε = 1, and expects a third more noise than the local sensitivity asks for. Is this right?**
#
# ```{dropdown} Yes. Smoothness costs a third more.
# Only where our own data decide. With 100 visitors the data set with a single visitor does.
# ```
# ```{dropdown} No. It is about 40 times as much.
# ✓ Right. The data set with a single visitor is 99 records away, and is discounted only to $0.9885^{99} = 0.32$. The local sensitivity is 0.01, so $S$ is 32 times as large, and the factor 4.91 takes a third more.
# ```
# ```{dropdown} No. It is the noise of the worst case.
# It is less than half of that: 0.32 in place of 1, with a third more noise.
# ```
#
# ## To take away
#
# * Smooth sensitivity looks at all data sets, discounts those that are far away, and takes the largest. One record
#   changes it only a little.
# * For ε = 1, one record may change the size of the noise in forty values by 1.17 %. From 544 visitors in each stage on, this costs about a third more noise than the local sensitivity asks for. With fewer it costs far more.
# * A single stage with few visitors spoils the values of all stages.
