# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'How much noise keeps the promise: sensitivity, a recipe for Gaussian noise, what adds up, what is free.'
# ---

# %% [markdown]
# # Noise that keeps the promise
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How much noise does a promise need, for one number and for many?
# * **The answer.** Measure how far one person can move what you publish. Add noise in proportion to that.
# * **What you need.** {doc}`02_a_promise`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import norm

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, show
from privrl_core.privacy import gaussian_delta, gaussian_epsilon, gaussian_mu

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## How far can Anna move the number?
#
# The clinic wants to publish how long its hundred patients stayed, on average.
#
# **Two records of Anna.** Suppose that the average is 9.0 days if Anna went home at
# once, which counts as 0 days. If she stayed for 30 days, the total is 30 days larger, and the average is 9.3. If no stay counts for more than
# 30 days, no replacement of one record can move the average further than that.
#
# The largest change that one person can cause is the **sensitivity** of what is published. It is written Δ, and here it is 0.3 days:
#
# $$\Delta = \max_{X \simeq X'} \lvert f(X) - f(X')\rvert .$$
#
# The maximum is over *all* neighbours, so the sensitivity is a property of the computation $f$ and not of the data. That is why the
# limit of 30 days is needed: without it, a single record could move the average to any place, and no noise would be enough. Cutting
# values at a public bound is called **clipping**.
#
# ## The noise must hide the step
#
# Anna's record shifts the average by at most Δ = 0.3 days. The noise has to make the two positions hard to tell apart.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How large must the standard deviation of Gaussian noise be, to promise ε = 1 with δ = 10⁻⁵?**
#
# * about 0.1 days, a third of the step
# * about 0.3 days, as long as the step
# * about 1 day, four times the step
# * about 30 days, as long as Anna's stay
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels, each with two bell curves around 9.0 and 9.3 days. Left, with a standard deviation of 0.1 days, the curves hardly overlap. Right, with a standard deviation of 1.12 days, they nearly coincide."}}
mu = float(gaussian_mu(epsilon, delta))
step = 0.3
sigma = step / mu
days = np.linspace(5.5, 12.8, 800)
fig, axes = plt.subplots(1, 2, figsize=(7.5, 3.0))
for ax, width in zip(axes, (0.1, sigma)):
    for centre, colour in ((9.0, PALETTE[1]), (9.3, PALETTE[0])):
        ax.plot(days, norm.pdf(days, centre, width), color=colour)
    ax.set(xlabel="published average, in days", yticks=[], ylim=(0, 1.25 * norm.pdf(0, 0, width)))
axes[0].set(xlim=(8.4, 9.9), ylabel="density", title="3 standard deviations apart: told apart")
axes[1].set(title="0.27 standard deviations apart: hidden")
for ax, top in zip(axes, (4.3, 0.392)):    # the step, to the scale of each panel
    ax.plot([9.0, 9.3], [top, top], color="#22272e", lw=2.5)
    ax.text(9.15, top * 1.03, "0.3 days", color="#22272e", ha="center", va="bottom", weight="bold", fontsize=9)
axes[0].text(8.93, 3.6, "Anna: 0 days", color=PALETTE[1], ha="right", weight="bold", fontsize=9)
axes[0].text(9.37, 3.6, "Anna: 30 days", color=PALETTE[0], ha="left", weight="bold", fontsize=9);

# %% [markdown]
# **The answer.** About 1 day. With noise of 0.1 days the two curves overlap little, and the best attacker tells them apart 93 times in 100. With noise of 1.12 days, four times the step, they nearly coincide, and this attacker is right 55 times in 100.
# The factor $e^\varepsilon$ alone would allow 73, as in {doc}`02_a_promise`: that is for the worst noise with δ = 0. Noise of 30 days would hide Anna even better, and nothing would be left of the average. The noise has to hide one record's step in the average and not the record.
#
# The step of 0.3 days is the same in both panels, only drawn to another scale. What counts is the step in units of the noise. For **Gaussian noise** with standard deviation σ this
# ratio is called **μ**, and it is all that matters for the promise:
#
# $$\mu = \Delta / \sigma .$$
#
# The smaller μ, the more nearly the two curves coincide, and the less sticks out at every ε.
#
# (recipe)=
# ## The recipe: from ε and δ to the noise
#
# Where do the 1.12 days come from? Three steps lead there:
#
# 1. **The sensitivity.** A hundred patients, and stays of at most 30 days: Δ = 30 / 100 = 0.3 days.
# 2. **From ε and δ to μ.** In {doc}`02_a_promise` you raised one of two heaps, and saw how much of the other sticks out. Now the factor $e^\varepsilon = 2.72$ stays, and the heaps move together until only δ = 10⁻⁵ sticks out. They are then
#    μ = 0.268 standard deviations apart. The area is $\delta = \Phi(\mu/2 - \varepsilon/\mu) - e^\varepsilon\, \Phi(-\mu/2 - \varepsilon/\mu)$, with the normal distribution function Φ, and the function `gaussian_mu` solves this for μ by search.
# 3. **From μ to σ.** The noise needs the standard deviation σ = Δ / μ = 0.3 / 0.268 = 1.12 days.
#
# Noise of about four times the step is enough, and the rest of the book uses these steps again and again: **ε and δ fix μ, and μ fixes the
# noise, $\sigma = \Delta/\mu$**.

# %% tags=["remove-input"] mystnb={"image": {"alt": "δ at ε = 1 against μ, the second axis logarithmic: a curve that climbs steeply from the left and flattens. A dot marks δ = 0.00001 at μ = 0.268."}}
between = np.linspace(0.18, 1.2, 120)
fig, ax = plt.subplots(figsize=(7.2, 2.9))
ax.plot(between, gaussian_delta(1.0, between), color=PALETTE[0], lw=2.2)
ax.plot([0.12, mu, mu], [delta, delta, 1e-9], color="#4a5058", lw=1.2, ls=":")
ax.plot(mu, delta, "o", color="#4a5058", ms=8)
ax.annotate(f"μ = {mu:.3f}", (mu, delta), (mu + 0.07, delta), va="center", weight="bold", color="#4a5058")
ax.set(yscale="log", xlabel="μ, how many standard deviations the curves are apart", ylabel="area that sticks out, δ", xlim=(0.12, 1.22), ylim=(1e-9, 1),
       title="At ε = 1, δ falls steeply when the curves move together");

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# **The clinic has 1,000 patients in place of 100, and promises the same ε and δ. How much noise does its average need?**
#
# * 1.12 days, as before
# * 0.35 days, √10 times less
# * 0.11 days, ten times less
# ```
#
# **The answer.** 0.11 days. The promise fixes μ, and not σ. What changes is the sensitivity: Δ = 30 / 1000 = 0.03 days, and so
# σ = 0.03 / 0.268. A factor of √10 appears where many noises are averaged, as in the {ref}`next section <promises-add-up>`, but here there is
# only one. Averages over many people are cheap
# to protect.
#
# In code:

# %%
def private_average(stays, longest, epsilon, delta, rng):
    clipped = np.clip(stays, 0, longest)
    sensitivity = longest / stays.size
    sigma = sensitivity / gaussian_mu(epsilon, delta)
    return clipped.mean() + sigma * rng.normal()

# %% [markdown]
# The result is (ε, δ)-differentially private for one patient's record (replace one), proved. The number of patients is public here. If patients may be
# added or removed, publish the total and the number instead, each with noise of its own.
#
# (promises-add-up)=
# ## How promises add up
#
# The clinic publishes once a month, with new noise each time, and Anna's record is in the data each time. Every release gives the attacker
# one more chance, and the mean of all releases is less noisy than each one.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Each of twelve releases promises ε = 1 at δ = 10⁻⁵. What do they promise together, at the same δ?** Choose, then move the slider to 12.
#
# * ε = 1
# * ε = 4
# * ε = 12
# ```

# %% tags=["remove-input"]
months = Slider("k", "monthly releases", 1, 24, 1, points=24, steps=23, scale="linear", low_end="one", high_end="two years")
average = Axis("x", "mean of all published averages, in days", 7.5, 10.8, points=111, scale="linear")

def bell(centre):
    return Table((months, average), np.exp(-months.grid[:, None] * ((average.grid - centre) / sigma) ** 2 / 2), scale="linear")

apart = Table.of(lambda k: mu * np.sqrt(k), months)
together = Table.of(lambda k: gaussian_epsilon(delta, mu * np.sqrt(k)), months)
guesses = Table.of(lambda k: 100 * ndtr(mu * np.sqrt(k) / 2), months)

explore(
    name="adds_up", sliders=[months], x=average, y=Axis("density", "density, relative to its peak", 0, 1.1, scale="linear"),
    curves=[Curve("Anna stayed 30 days", bell(9.3)), Curve("Anna stayed 0 days", bell(9.0))],
    readouts=[Readout("mu", "standard deviations apart, μ", apart),
              Readout("epsilon", f"ε of all releases at δ = {show(delta)}", together, at_most=True),
              Readout("guesses", "best attacker is right", guesses, unit="in 100")],
    guarantee=f"Monthly releases: {{k}}. Together: (ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one patient's record (replace one), proved.",
    alt="Two bell curves, the mean of {k} monthly averages if Anna stayed 0 days and if she stayed 30. They are "
        "{mu} standard deviations apart, and all releases together have ε = {epsilon}.",
    caption="The true average is taken to be the same every month, so the attacker takes the mean of all releases. Its noise shrinks as they grow in number, and Anna's step does not. The ε is rounded up.")

# %% tags=["remove-input"]
twelve = gaussian_epsilon(delta, np.sqrt(12) * mu)
md(f"**What you should see.** Twelve releases together promise ε = {twelve:.2f}. The noise of the mean is √12 = {np.sqrt(12):.1f} times smaller, so the two curves stand "
   f"{np.sqrt(12):.1f} times as many standard deviations apart: μ grows from {mu:.3f} to {np.sqrt(12) * mu:.2f}. The sum, ε = 12, is also true and far too pessimistic: "
   "it would be right only if all twelve releases told as much about Anna as their ε allows, which hardly ever happens. "
   f"To promise ε = 1 for all twelve together, each needs noise of √12 × {sigma:.2f} = {np.sqrt(12) * sigma:.1f} days. ε = 1 would be right if her "
   "record were in only one of the twelve.")

# %% [markdown]
# The rule for Gaussian noise is short and exact. Squares of μ add up:
#
# $$\mu = \sqrt{\mu_1^2 + \mu_2^2 + \dots + \mu_k^2} .$$
#
# It holds even if each question is chosen after the answer to the one before. For every kind of noise, the sum of all ε and the sum of
# all δ are upper bounds, and {doc}`evidence/02_finer_accounting` has sharper ones.
#
# Do not mix this up with *five records of one person* in one release. They may all push the number in the same direction, so the step is five times as long, and μ is multiplied by 5. Over five releases it is multiplied by √5, because each
# has a new noise of its own. {doc}`04_who_is_protected` begins with this.
#
# ## One person, many numbers
#
# The same rule covers many numbers that are published at once. Suppose that the clinic publishes $d$ numbers, and that one patient can
# move each of them by 1. Now Δ is the length of the step of all $d$ together, and two kinds of noise measure it in two ways:
#
# * **Gaussian noise** measures as Pythagoras does: $\Delta = \sqrt{1 + 1 + \dots} = \sqrt d$. For 40 numbers at ε = 1 and δ = 10⁻⁵ each gets noise of $\sqrt{40}/0.268 = 24$.
# * **Laplace noise** is the coin noise of {doc}`02_a_promise`, for real numbers. It has no δ, and measures the *sum* of the moves: $\Delta = d$. For 40 numbers at ε = 1 each gets noise of $\sqrt2 \times 40 = 57$.
#
# For a few numbers Laplace noise is the smaller one. From seven numbers on it is the other way round:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the noise in each number against how many numbers are published, both logarithmic. The line for Laplace noise starts lower and climbs twice as steeply; the two lines cross at seven numbers."}}
d = np.geomspace(1, 1000, 50)
of_laplace, of_gaussian = np.sqrt(2) * d / epsilon, np.sqrt(d) / gaussian_mu(epsilon, delta)
crossing = (epsilon / gaussian_mu(epsilon, delta)) ** 2 / 2
fig, ax = plt.subplots(figsize=(7.2, 3.0))
ax.plot(d, of_laplace, color=PALETTE[1])
ax.plot(d, of_gaussian, color=PALETTE[0])
ax.text(100, 260, "Laplace, δ = 0", color=PALETTE[1], ha="right", weight="bold")
ax.text(150, 25, f"Gaussian, δ = {show(delta)}", color=PALETTE[0], weight="bold")
ax.plot(crossing, np.sqrt(2) * crossing / epsilon, "o", color="#4a5058")
ax.set(xscale="log", yscale="log", xlabel="numbers that one patient can move by 1", ylabel="standard deviation in each",
       title=f"From {np.ceil(crossing):.0f} numbers on, Gaussian noise is smaller (ε = {epsilon:g})");

# %% [markdown]
# In this book one patient moves many numbers: the values of all the states that she visited. That is why most of its noise is Gaussian, at the
# price of a δ that is not 0.
#
# Why does Laplace noise measure the sum? Its density $\frac1{2b} e^{-\lvert z\rvert/b}$ changes by a factor of at most $e^{\Delta/b}$ everywhere if it moves by Δ. So one number keeps the promise with ε = Δ/b. The factors
# of $d$ numbers multiply, and so their moves add up. The standard deviation is $\sqrt2\,b = \sqrt2\,\Delta/\varepsilon$.
#
# ## What costs nothing
#
# Whatever is computed from the published numbers alone is as private as they are: rounding, plots, a model fitted to them. This is called
# **post-processing**. It is free because the promise holds for *every* set of outputs. Suppose that a value rounded to 9 gave Anna away. All values that round to 9 are a set of outputs, and the promise covers this set, too.
# Another look at the data is not free. If the clinic compares its private average with the exact one, and repeats the release
# when it does not like the noise, the comparison tells something about Anna.
#
# And if the clinic is not trusted? Then each patient can add noise before anybody hears the answer. {ref}`randomised-response` shows how,
# and why this needs many more people.
#
# ## Check yourself
#
# **1. A table has been released with ε-differential privacy. You fit a curve to it, do not like it, and fit three others
# to the same table. The total cost?**
#
# ```{dropdown} The ε of the table, once.
# ✓ Yes. Post-processing is free, as often as you like, as long as you look only at the *table*.
# If you compared the curve with the raw data, you looked again, and without noise.
# ```
# ```{dropdown} Four times ε.
# The fits touch the published table, not the data.
# ```
# ```{dropdown} It depends on how many of the four I publish.
# All four can be computed from the table by anybody who has it. Publish them all.
# ```
#
# **2. A visit is protected with ε = 0.5 by Laplace noise. A patient has eight visits. What is the patient's ε?**
#
# ```{dropdown} 0.5
# That is the promise for one visit, if the other seven are known.
# ```
# ```{dropdown} 0.5 × √8 = 1.4
# Roots appear where *independent* losses partly cancel. Eight records of one person may all pull the same way.
# ```
# ```{dropdown} 4
# ✓ Yes. Eight records change at once, and losses add. If patients are to be protected, make them the unit, and
# bound their visits.
# ```
#
# ## To take away
#
# * Noise is measured against the sensitivity: how far one person can move what is published. Clipping makes it finite.
# * The recipe: ε and δ fix μ, and the noise has the standard deviation σ = Δ / μ.
# * Squares of μ add up over releases, and over numbers that are published together. Several records of one person multiply μ.
# * Computing with published numbers is free. Looking at the data again is not.
# * Seeds, the computer's own rounding, and tuning can break a promise without appearing in its formula: {ref}`no-formula-covers`.
#
# Further reading: {cite:t}`dwork2014`, the textbook; {cite:t}`balle2018`, the Gaussian curve; {cite:t}`dong2022`, μ and what adds up. Next: {doc}`04_who_is_protected`.

# %% tags=["remove-cell"]
# what the text above says
serious = float(gaussian_mu(1, 1e-5))
assert (round(serious, 3), round(1 / serious, 1), round(0.3 / serious, 2), round(0.03 / serious, 2)) == (0.268, 3.7, 1.12, 0.11)
assert (round(0.3 / 0.268, 2), round(0.03 * np.sqrt(10) / serious, 2), round(serious, 2)) == (1.12, 0.35, 0.27)
average_stay = private_average(np.full(100, 9.0), 30, 1, 1e-5, np.random.default_rng(seed))
assert average_stay == 9.0 + 0.3 / serious * np.random.default_rng(seed).normal()
assert 3.5 < gaussian_epsilon(1e-5, np.sqrt(12) * serious) < 4.5
exact_crossing = brentq(lambda d: np.sqrt(2) * d - np.sqrt(d) / gaussian_mu(1, 1e-5), 2, 100)
assert abs(exact_crossing - (1 / gaussian_mu(1, 1e-5)) ** 2 / 2) < 1e-6 and np.ceil(exact_crossing) == 7
assert (round(np.sqrt(2) * 40), round(np.sqrt(40) / serious)) == (57, 24)
assert [round(100 * ndtr(step / noise / 2)) for noise in (0.1, sigma)] == [93, 55] and round(100 * np.e / (1 + np.e)) == 73
