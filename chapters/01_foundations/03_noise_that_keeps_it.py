# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'How much noise keeps the promise: sensitivity, Laplace and Gaussian noise, what adds up, what is free.'
# ---

# %% [markdown]
# # Noise that keeps the promise
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How much noise does a promise need, for one number and for many?
# * **The answer.** Measure how far one person can move what you publish. Add noise in proportion to that.
# * **What you need.** {doc}`02_a_promise`.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here
epsilon = 1.0
delta = 1e-5
n_people = 10_000

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq
from scipy.special import expit

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.privacy import gaussian_delta, gaussian_epsilon, gaussian_mu

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## How far can Anna move the number?
#
# The clinic wants to publish how long its hundred patients stayed, on average. Anna stayed for 2 days. Suppose that her record is replaced
# by one of 30 days. The total grows by 28 days, and the average by 0.28. If no stay counts for more than 30 days,
# no replacement can move the average by more than 0.3.
#
# The largest change that one person can cause is the **sensitivity** of what is published. It is written Δ:
#
# $$\Delta = \max_{X \simeq X'} \lvert f(X) - f(X')\rvert .$$
#
# The sensitivity is a property of the computation $f$ and not of the data, because the maximum is over *all* neighbours. That
# is why the cut at 30 days is needed: without it a single record could move the average to any place, and no noise would
# be enough. Cutting values at a public bound is called **clipping**. With it, a private average is three lines long:

# %%
def private_average(stays, longest, sigma, rng):
    clipped = np.clip(stays, 0, longest)          # Δ = longest / number of stays
    return clipped.mean() + sigma * rng.normal()

# %% [markdown]
# The number of patients is public here, and one patient's record is replaced by another. If patients may be added or removed,
# publish the total and the number of patients instead, each with noise of its own.
#
# ## Two kinds of noise
#
# The noise must hide a step of length Δ. Two shapes of noise are used most:
#
# * **Laplace noise** has the density $\frac1{2b} e^{-\lvert z\rvert/b}$. A step of length Δ changes this density by a factor of at
#   most $e^{\Delta/b}$, everywhere. So it keeps the promise with $\varepsilon = \Delta/b$ and $\delta = 0$. It is the coin noise of the
#   page before, for real numbers.
# * **Gaussian noise** has standard deviation σ. Only the ratio $\mu = \Delta/\sigma$ matters. It keeps the promise with a whole
#   curve of pairs, and δ is never 0.
#
# ### Explore: one release, many pairs
#
# ```{admonition} Guess first
# :class: hint
# Both kinds of noise have a standard deviation of 4, and Δ = 1. **At ε = 1, is the δ of Gaussian noise closer to a hundredth or to
# a millionth? And which of the two kinds promises more?** Decide, then read the picture at ε = 1, and move ε down.
# ```

# %% tags=["remove-input"]
curve_slider = Slider("epsilon", "ε: where the curves are read", 0.1, 10, 1, points=41, steps=40,
                      low_end="small", high_end="large")
wide_slider = Slider("s", "standard deviation of the noise", 0.5, 32, 4, points=13, steps=12,
                     low_end="more accurate", high_end="more private")
gaussian_curve = Table.of(lambda epsilon, s: np.maximum(gaussian_delta(epsilon, 1 / s), 1e-30), curve_slider, wide_slider)

def laplace_delta(epsilon, s):
    return np.maximum(0, -np.expm1((epsilon - np.sqrt(2) / s) / 2))     # zero from √2/σ on

laplace_curve = Table((curve_slider, wide_slider), laplace_delta(curve_slider.grid[:, None], wide_slider.grid), scale="linear")

explore(
    name="whole_curve", sliders=[curve_slider, wide_slider], x=curve_slider, y=Axis("delta", "δ", 1e-12, 1),
    curves=[Curve("Gaussian noise", gaussian_curve, at_most=True), Curve("Laplace noise", laplace_curve)],
    readouts=[Readout("delta", "δ at this ε, Gaussian (10⁻³⁰: that or less)", gaussian_curve, at_most=True),
              Readout("at5", "ε at δ = 10⁻⁵, Gaussian", Table.of(lambda s: gaussian_epsilon(1e-5, 1 / s), wide_slider), at_most=True),
              Readout("at10", "ε at δ = 10⁻¹⁰, Gaussian", Table.of(lambda s: gaussian_epsilon(1e-10, 1 / s), wide_slider), at_most=True),
              Readout("pure", "ε at δ = 0, Laplace", Table.of(lambda s: np.sqrt(2) / s, wide_slider), at_most=True)],
    guarantee="Gaussian noise of standard deviation {s}: (ε = {epsilon}, δ = {delta})-differential privacy for one record that moves "
              "the answer by at most 1, proved; and ({at5}, 10⁻⁵), and ({at10}, 10⁻¹⁰): the same release.",
    alt="δ against ε, both logarithmic, for noise of standard deviation {s}: the Gaussian curve bends down ever "
        "more steeply, through δ = {delta} at ε = {epsilon}; the Laplace curve drops to zero at {pure}.",
    caption="Sensitivity 1. A point on a curve is a pair (ε, δ) that this noise promises.")

# %% [markdown]
# **What you should see.** The δ of Gaussian noise is 2.9 millionths at ε = 1. Its curve falls ever more steeply: δ = 10⁻⁵ goes with ε = 0.93, and δ = 10⁻¹⁰
# already with ε = 1.5. Laplace noise promises more where it counts: its curve ends at ε = 0.35, with δ = 0. Left of ε = 0.33 it lies above
# the Gaussian one, but there both δ are far too large to protect anybody.
#
# The recipe for Gaussian noise reads the curve backwards. For ε = 1 and δ = 10⁻⁵ it gives $\mu = 0.268$, so the noise needs the standard deviation
# $\sigma = \Delta/\mu = 3.73\,\Delta$. For the average stay, with $\Delta = 0.3$ days, this is 1.1 days:

# %%
sigma = 0.3 / gaussian_mu(epsilon, delta)

# %% [markdown]
# ## One person, many numbers
#
# Then why does most of this book use Gaussian noise? Because one person seldom moves only one number. Suppose that the clinic publishes $d$
# numbers, and that one patient can move each of them by 1. Laplace noise has to cover the *sum* of the moves, which is $d$.
# Gaussian noise has to cover their Euclidean length, which is only $\sqrt d$. From seven numbers on Gaussian noise is smaller, at the price of a δ that is not 0.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the noise in each number against how many numbers are published, both logarithmic. The line for Laplace noise starts lower and climbs twice as steeply; the two lines cross at seven numbers."}}
d = np.geomspace(1, 1000, 50)
of_laplace, of_gaussian = np.sqrt(2) * d / epsilon, np.sqrt(d) / gaussian_mu(epsilon, delta)
crossing = (epsilon / gaussian_mu(epsilon, delta)) ** 2 / 2
fig, ax = plt.subplots(figsize=(7.2, 3.2))
ax.plot(d, of_laplace, color=PALETTE[1])
ax.plot(d, of_gaussian, color=PALETTE[0])
ax.text(100, 260, "Laplace, δ = 0", color=PALETTE[1], ha="right", weight="bold")
ax.text(150, 25, f"Gaussian, δ = {show(delta)}", color=PALETTE[0], weight="bold")
ax.plot(crossing, np.sqrt(2) * crossing / epsilon, "o", color="#4a5058")
ax.set(xscale="log", yscale="log", xlabel="numbers that one patient can move by 1", ylabel="noise in each",
       title=f"From {np.ceil(crossing):.0f} numbers on, Gaussian noise is smaller (ε = {epsilon:g})");

# %% [markdown]
# ## Promises add up
#
# The clinic publishes once a month, and Anna is in the data each time. Every release gives the attacker one more chance. How
# much of the promise is left after a year?
#
# ```{admonition} Guess first
# :class: hint
# Each of the twelve releases is Gaussian and promises ε = 1 at δ = 10⁻⁵. **What do they promise together, at the same δ: ε = 1, ε = 4 or ε = 12?**
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "The ε of all releases together against their number, up to 24. The sum of the ε is a straight line to 24. The exact curve for Gaussian noise bends and is far below it."}}
k = np.arange(1, 25)
one = gaussian_mu(epsilon, delta)
together = gaussian_epsilon(delta, np.sqrt(k) * one)
fig, ax = plt.subplots(figsize=(7.2, 3.2))
ax.plot(k, k * epsilon, color=PALETTE[1])
ax.plot(k, together, color=PALETTE[0], marker="o", ms=3)
ax.text(14, 15.8, "sum of all ε", color=PALETTE[1], ha="right", weight="bold")
ax.text(17, together[16] - 1.0, "Gaussian noise, exactly", color=PALETTE[0], va="top", weight="bold")
ax.set(xlabel="monthly releases", ylabel="ε of all together", title="Twelve releases cost far less than twelve times one");

# %% tags=["remove-input"]
md(f"**The answer.** Together they promise ε = {together[11]:.1f}. The sum, ε = 12, is also true, and too pessimistic. It would be reached only if each of the twelve "
   "releases happened to speak against Anna as loudly as its ε allows.")

# %% [markdown]
# The rule for Gaussian noise is short and exact. Squares of μ add up:
#
# $$\mu = \sqrt{\mu_1^2 + \mu_2^2 + \dots + \mu_k^2} .$$
#
# It holds even if each question is chosen after the answer to the one before. For other noise the ε and δ of the releases
# add up, and {doc}`evidence/02_finer_accounting` has sharper rules.
#
# A different rule applies if one *person* has several records. A visit is protected with ε = 1, and Anna came
# five times. Her five records may all point the same way, and nothing cancels: ε becomes 5 with Laplace noise, and μ is multiplied
# by 5 with Gaussian noise. A promise for a visit is a weak promise for a patient.
#
# ## What costs nothing
#
# Whatever is computed from the published numbers alone is as private as they are. Round them, plot them, fit a model to them, print
# them in a newspaper. This is called **post-processing**, and it is free because the promise covers *every* set of outputs, so
# also those that are defined by a computation.
#
# It stops being free with the next look at the data. If the clinic compares its private average with the exact one,
# and repeats the release when it does not like the noise, the comparison tells something about Anna.
#
# ## Noise that the patients add themselves
#
# So far the clinic knows all records and is trusted. What if it is not? Warner {cite:p}`warner1965` let each person add the noise
# before anybody hears the answer. Unseen, Anna tosses a bent coin. With probability $p = e^\varepsilon/(1 + e^\varepsilon)$ she tells the truth,
# and otherwise the opposite. A "yes" is then at most $p/(1 - p) = e^\varepsilon$ times as likely if she skipped her medicine
# as if she did not. This is called **randomised response**.

# %%
def randomised_response(truth, epsilon, rng):
    honest = rng.random(truth.shape) < expit(epsilon)         # e^ε / (1 + e^ε)
    return np.where(honest, truth, ~truth)

# %% tags=["remove-input"]
skipped = rng.random(n_people) < 0.3
answers = randomised_response(skipped, epsilon, rng)
p = expit(epsilon)
estimate = (answers.mean() - (1 - p)) / (2 * p - 1)
coins = np.sqrt(p * (1 - p))            # of one coin, given the truths
standard_error = coins / np.sqrt(n_people) / (2 * p - 1)
assert abs(estimate - skipped.mean()) < 5.5 * standard_error
md(f"Each answer is nearly worthless, and yet the *share* comes out. If a share $q$ skipped, a share $q p + (1 - q)(1 - p)$ says yes; "
   f"solve this for $q$. Of {n_people:,} people, {skipped.mean():.1%} skipped their medicine here. From their answers we estimate **{estimate:.1%} ± "
   f"{standard_error:.1%}**.")

# %% [markdown]
# ### Explore: what one answer tells
#
# ```{admonition} Guess first
# :class: hint
# One person in a hundred has a rare condition, and you hear a "yes" at ε = 5. **Is it more likely than not that this person has it? And how many people does the
# study need at ε = 1: more or fewer than ten thousand?** Decide, then move ε.
# ```

# %% tags=["remove-input"]
answer_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=41, steps=40)
prior = Slider("prior", "probability before the answer", 0.001, 1, 0.01, points=61, steps=60, low_end="rare", high_end="certain")
against = Table((prior,), 1 / prior.grid - 1, scale="linear")  # odds
factor = Table.of(lambda epsilon: np.exp(epsilon), answer_slider)
after_yes, after_no = constant(1) / (constant(1) + against / factor), constant(1) / (constant(1) + against * factor)
before = Table.of(lambda prior: prior, prior)
needed = Table.of(lambda epsilon: 0.25e4 / np.tanh(epsilon / 2) ** 2, answer_slider)  # 2p − 1 = tanh(ε/2)

explore(
    name="one_answer", sliders=[answer_slider, prior], x=prior, y=Axis("posterior", "probability after it", 1e-4, 1),
    curves=[Curve("after a no", after_no, at_most=True), Curve("after a yes", after_yes, at_most=True), Curve("before", before, reference=True)],
    readouts=[Readout("honest", "probability of an honest answer", Table.of(lambda epsilon: expit(epsilon), answer_slider)),
              Readout("yes", "after a yes", after_yes, at_most=True),
              Readout("needed", "people for a share to ± 1 point", needed)],
    guarantee="(ε = {epsilon}, δ = 0)-differential privacy for one answer (replace it by the opposite), proved. "
              "A reader who believed it with probability {prior} believes it with at most {yes} after a yes.",
    alt="The probability of the condition after a yes and after a no against that before, both axes logarithmic, "
        "at ε = {epsilon}: from {prior} a yes leads to {yes}. For a share known to one point it takes {needed} people.",
    caption="What one randomised answer says about its owner. Without privacy 2,500 people are enough for a standard error of one point.")

# %% [markdown]
# **What you should see.** A "yes" at ε = 5 takes you from 1 % to 60 %, so yes, more likely than not. At ε = 1 it takes you to 2.7 %. The study
# needs 11,700 people at ε = 1, and a million at ε = 0.1. Without privacy it needs 2,500. If nobody is trusted, privacy is at its
# most expensive, because each person's noise stays in the data.
#
# ## Check yourself
#
# **1. Somebody answers "yes" by randomised response with ε = 0.1. What do you know about them?**
#
# ```{dropdown} That they probably did it.
# Only if you thought so before. The odds change by a factor of at most 1.105.
# ```
# ```{dropdown} Nothing at all.
# A little: the odds move by up to a factor $e^{0.1}$. "Nothing at all" would be ε = 0, and then the answers are of
# no use.
# ```
# ```{dropdown} Hardly more than before.
# ✓ Yes. Ten thousand such answers still give the share, to about ten points.
# ```
#
# **2. A table has been released with ε-differential privacy. You fit a curve to it, do not like it, and fit three others
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
# **3. A visit is protected with ε = 0.5 by Laplace noise. A patient has eight visits. What is the patient's ε?**
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
# * Laplace noise is best for one number, Gaussian noise for many. Gaussian noise is described by one number, $\mu = \Delta/\sigma$.
# * Squares of μ add up over releases. Several records of one person multiply μ.
# * Computing with published numbers is free. Looking at the data again is not.
# * Seeds, rounding and tuning can break a promise without appearing in its formula: {ref}`no-formula-covers`.
#
# Further reading: {cite:t}`dwork2014`, the textbook; {cite:t}`balle2018`, the Gaussian curve; {cite:t}`dong2022`, μ and what adds up.

# %% tags=["remove-cell"]
# what the answers above say
serious = float(gaussian_mu(1, 1e-5))
assert (round(serious, 3), round(1 / serious, 2), round(0.3 / serious, 1)) == (0.268, 3.73, 1.1)
assert laplace_delta(0.32, 4) > gaussian_delta(0.32, 1 / 4) > 0.01 and laplace_delta(0.33, 4) < gaussian_delta(0.33, 1 / 4)
assert np.allclose(expit(np.log(0.01 / 0.99) + np.array([1, 5])), [0.027, 0.60], rtol=0.02)
assert np.allclose(0.25e4 / np.tanh(np.array([1, 0.1]) / 2) ** 2, [11_700, 1e6], rtol=0.01)
assert np.isclose(gaussian_delta(1, 1 / 4), 2.9e-6, rtol=0.01)
assert np.allclose([gaussian_epsilon(d, 1 / 4) for d in (1e-5, 1e-10)], [0.93, 1.49], rtol=0.005)
assert np.isclose(np.sqrt(2) / 4, 0.35, atol=0.005) and 3.5 < gaussian_epsilon(1e-5, np.sqrt(12) * gaussian_mu(1, 1e-5)) < 4.5
exact_crossing = brentq(lambda d: np.sqrt(2) * d - np.sqrt(d) / gaussian_mu(1, 1e-5), 2, 100)
assert abs(exact_crossing - (1 / gaussian_mu(1, 1e-5)) ** 2 / 2) < 1e-6 and np.ceil(exact_crossing) == 7
