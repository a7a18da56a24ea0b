# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Differential privacy in one sitting: one definition built from a coin, two mechanisms, the (ε,
#         δ) curve, composition, and what no formula covers.'
# ---

# %% [markdown]
# # Differential privacy, in one sitting
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How can one say something about many people, and be sure to have said nearly nothing about any
#   one of them?
# * **What you will see.** One definition, built from a coin; two mechanisms; what ε and δ mean, and why δ must be
#   small; how promises add up; and what no formula covers. Each definition has a picture that you can move.
# * **What you need.** Probabilities and densities; no earlier acquaintance with privacy.
# * **What it is for.** All other chapters state their guarantees in the words of this page.
# * **How long.** About 60 minutes. In a hurry: *A coin that protects*, *The promise*, *Why δ must be small*, *Promises
#   add up*.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here
epsilon = 1.0
delta = 1e-5
n_people = 10_000

# %% tags=["hide-input"]
import math
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.integrate import quad
from scipy.special import expit, ndtr, ndtri
from scipy.stats import binom, binomtest, laplace, norm

from privrl_core.privacy import (
    REPLACE_ONE, Guarantee, Status, Unit, compose_gaussians, epsilon_lower_bound,
    gaussian_delta, gaussian_epsilon, gaussian_mu, smooth_gaussian_alpha, zcdp_epsilon,
    zcdp_epsilon_as_printed)
from privrl_core.pages.explorer import (
    Axis, Choice, Curve, Readout, Slider, Table, constant, explore, largest, show)
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## A coin that protects
#
# *Did you skip your medicine last week?* Few like to say yes. Warner {cite:p}`warner1965` let a random device
# answer with them. Unseen by anybody, they toss a bent coin: with probability $p > \frac12$ they tell the truth, else the
# opposite. Whoever hears "yes" cannot be sure: it may have been the coin.
#
# Let $p = e^\varepsilon/(1 + e^\varepsilon)$. Then a "yes" is at most $p/(1 - p) = e^\varepsilon$ times as likely
# from one who skipped as from one who did not; so is a "no", the other way round. Nothing that is heard can speak
# for one truth against the other by more than a factor $e^\varepsilon$.

# %%
def randomised_response(truth, epsilon, rng):
    honest = rng.random(truth.shape) < expit(epsilon)         # e^ε / (1 + e^ε)
    return np.where(honest, truth, ~truth)

skipped = rng.random(n_people) < 0.3
answers = randomised_response(skipped, epsilon, rng)

# %% [markdown]
# (In the words of the next section: each answer is a private release by itself, about one person. Nobody has to be trusted, and
# this is called *local* privacy.) Each answer is nearly worthless, and yet the *share* comes out, since everybody knows the coin: if a share $q$
# skipped, a share $q p + (1 - q)(1 - p)$ says yes. Solve for $q$:

# %%
p = expit(epsilon)
estimate = (answers.mean() - (1 - p)) / (2 * p - 1)
coins = np.sqrt(p * (1 - p))            # of one coin, who skipped is given
standard_error = coins / np.sqrt(n_people) / (2 * p - 1)
assert abs(estimate - skipped.mean()) < 5.5 * standard_error

# %% tags=["remove-input"]
md(
    f"Of {n_people:,} people {skipped.mean():.1%} skipped it. The answers say **{estimate:.1%} ± "
    f"{standard_error:.1%}**, and no answer says much about its owner."
)

# %% [markdown]
# ### Explore: what one answer tells
#
# *One person in a hundred has the condition. Somebody answers yes. How sure are you, at ε = 1? At ε = 5? And how
# many people does the study need, each time?*

# %% tags=["hide-input"]
answer_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=41, steps=40)
prior = Slider(
    "prior",
    "probability before the answer",
    0.001,
    1,
    0.01,
    points=61,
    steps=60,
    low_end="rare",
    high_end="certain",
)
against = Table((prior,), 1 / prior.grid - 1, scale="linear")  # odds
factor = Table.of(lambda epsilon: np.exp(epsilon), answer_slider)
after_yes, after_no = constant(1) / (constant(1) + against / factor), constant(1) / (constant(1) + against * factor)
before = Table.of(lambda prior: prior, prior)
needed = Table.of(lambda epsilon: 0.25e4 / np.tanh(epsilon / 2) ** 2, answer_slider)  # 2p − 1 = tanh(ε/2)

# %% tags=["remove-input"]
explore(
    name="one_answer",
    sliders=[answer_slider, prior],
    x=prior,
    y=Axis("posterior", "probability after it", 1e-4, 1),
    curves=[
        Curve("after a yes", after_yes),
        Curve("after a no", after_no),
        Curve("before", before, reference=True),
    ],
    readouts=[
        Readout(
            "honest", "probability of an honest answer", Table.of(lambda epsilon: expit(epsilon), answer_slider)
        ),
        Readout("yes", "after a yes", after_yes, at_most=True),
        Readout("needed", "people for a share to ± 1 point", needed),
    ],
    guarantee="(ε = {epsilon}, δ = 0)-differential privacy for one answer (replace it by the opposite), proved. "
              "Who believed it with probability {prior} "
              "believes it with at most {yes} after a yes.",
    alt="The probability of the condition after a yes and after a no against that before, both axes logarithmic, "
        "at ε = {epsilon}: from {prior} a yes leads to {yes}. "
        "For a share known to one point it takes {needed} people.",
    caption="What one randomised answer says about its owner. (People needed: for a standard error of one point, of "
            "the share among all people, at a share of one half; without privacy 2,500.)",
)

# %% [markdown]
# ```{dropdown} What one finds
# At ε = 1 you are at 2.7 %, at ε = 5 at 60 %. The study needs 11,700 people at ε = 1 (without privacy 2,500), and a
# million at ε = 0.1: this is the dearest way to be private, since nobody has to be trusted.
# ```
#
# ### How to check such a promise from outside
#
# Let the mechanism run many times on each of two inputs, count how often something happens, and compare. From both counts
# `epsilon_lower_bound` takes the confidence limits (Clopper and Pearson's) under which the two probabilities lie closest
# together; the logarithm of their ratio is then at most ε. So a count can prove that a mechanism is *worse* than some ε,
# never that it is better. Which outcome to count, here "yes", was fixed beforehand. At the confidence of this cell such a proof is wrong once in ten million times:

# %%
runs = max(10_000, round(1_000_000 * effort))
yes_if_true = randomised_response(np.ones(runs, bool), epsilon, rng).sum()
yes_if_false = randomised_response(np.zeros(runs, bool), epsilon, rng).sum()
at_least = epsilon_lower_bound(
    int(yes_if_true), int(yes_if_false), runs, delta=0, confidence=1 - 1e-7
)
assert at_least <= epsilon and (effort < 1 or at_least > 0.97 * epsilon)

# %% tags=["remove-input"]
md(f"Counting proves ε ≥ **{at_least:.3f}**; the mechanism says {show(epsilon)}. The two agree.")

# %% [markdown]
# ## The promise
#
# ```{prf:definition} Differential privacy
# :label: def-differential-privacy
# Say which data sets are **neighbours**, $X \simeq X'$. A random algorithm $M$ is
# $(\varepsilon, \delta)$-**differentially private** if for all neighbours and every set $E$ of outputs
#
# $$\Pr[M(X) \in E] \le e^\varepsilon \Pr[M(X') \in E] + \delta .$$
#
# With $\delta = 0$ one speaks of *pure* differential privacy {cite:p}`dwork2006`. (Read δ as what may stick out
# above the factor $e^\varepsilon$, for now; what that may be has {ref}`a section of its own <small-delta>`.)
# ```
#
# Everything hangs on the word *neighbours*. It says **whom** the promise protects:
#
# * *add or remove one person*: whether you took part at all is hidden;
# * *replace one person's record*: what you contributed is hidden, and the number of people is public (most of this
#   book);
# * replace one *visit*, or one *reward*: only that is hidden. A person with many visits gets less than they may
#   think.
#
# It is a promise about the *algorithm*, for every data set and every reader, however clever and whatever else they
# know. It does not say that nothing will be learnt about you: if a study finds that smoking kills, this is true of
# you too, whether or not you took part.
#
# ## How far can one person move the answer?
#
# Let $f$ be what we want to publish. Its **global sensitivity** is the largest change between any two neighbours,
# $\Delta = \max_{X \simeq X'} \lvert f(X) - f(X')\rvert$. For a mean of $n$ numbers in $[0, 1]$ it is $1/n$, if one of
# them is replaced: each of them moves the sum by at most 1. (If one may be added or removed, $n$ is a secret too, and the mean
# of an unknown number of people has no such bound: release the sum and the number.) Noise is measured against Δ. (Not every $f$ is so tame. What
# to do then has {ref}`a section of its own <smooth-sensitivity>`.)
#
# ## Two mechanisms
#
# The **Laplace mechanism** adds noise with density $\frac1{2b} e^{-\lvert z\rvert/b}$, the **Gaussian mechanism**
# noise $\mathcal N(0, \sigma^2)$. Move the answer by Δ, and each density moves by Δ. How different do the two look?
# Call the logarithm of their ratio the **privacy loss**,
#
# $$L(z) = \ln \frac{p(z)}{p'(z)} .$$
#
# With Laplace noise $\lvert L\rvert \le \Delta/b$ everywhere: pure differential privacy, $\varepsilon = \Delta/b$.
# With Gaussian noise $L$ is a straight line. It exceeds every ε somewhere, but where it is large, $p$ is small.

# %% mystnb={"image": {"alt": "Left: two Laplace and two Gaussian densities, one unit apart. Right: the logarithm of their ratio: for Laplace noise flat, then falling, then flat; for Gaussian noise a falling straight line."}} tags=["hide-input"]
z, width = np.linspace(-6, 7, 400), 2.0
fig, axes = plt.subplots(1, 2, figsize=(7.5, 2.9))
for noise, colour in ((norm(scale=width), PALETTE[0]), (laplace(scale=width / np.sqrt(2)), PALETTE[1])):
    axes[0].plot(z, noise.pdf(z), color=colour)
    axes[0].plot(z, noise.pdf(z - 1), color=colour, ls=":")
    axes[1].plot(z, noise.logpdf(z) - noise.logpdf(z - 1), color=colour)
axes[0].set(title="Answers 0 (solid) and 1 (dotted)", xlabel="published number z", ylabel="density")
axes[1].set(title="Privacy loss", xlabel="published number z", ylabel="L(z)")
axes[1].text(2.2, -1.6, "Gaussian", color=PALETTE[0])
axes[1].text(-5.5, 0.3, "Laplace", color=PALETTE[1])
beyond = ndtr(1 / (2 * width) - np.sqrt(2))        # P[L > √2/σ] for L ~ N(1/2σ², 1/σ²)

# %% tags=["remove-input"]
md(f"Both noises have standard deviation {width:g} and Δ = 1. The Laplace loss is never above √2/{width:g} = "
   f"{np.sqrt(2) / width:.2f}; the Gaussian one is, with probability {beyond:.0%}.")

# %% [markdown]
# So what is δ? Draw the density $p$, and $e^\varepsilon$ times that of the neighbour. Where $p$ is below, ε does
# its duty. What **sticks out** above is not covered by ε, and its area is exactly the δ that is needed:
#
# ```{math}
# :label: eq-hockey-stick
# \begin{aligned}
# \delta(\varepsilon) &= \int \max\bigl(0,\ p(z) - e^\varepsilon p'(z)\bigr)\,dz \\
#  &= \mathbb E_{z \sim p}\bigl[\max(0,\ 1 - e^{\varepsilon - L(z)})\bigr],
# \end{aligned}
# ```
#
# since $p' = p\,e^{-L}$. (That is for one pair of neighbours, in one order. For a mechanism take the largest over all
# pairs and both orders; for these two noises that is any pair at distance Δ.) $\delta(\varepsilon)$ is no more than the probability that $L > \varepsilon$, and often much less.
#
# ### Explore: what sticks out
#
# *With Gaussian noise of standard deviation 2, which ε leaves an area of about 0.01? Switch to Laplace noise: from which
# ε on does nothing stick out at all?*

# %% tags=["remove-input"]
size_slider = Slider(
    "s",
    "standard deviation of the noise",
    1,
    8,
    2,
    points=7,
    steps=6,
    low_end="more accurate",
    high_end="more private",
)
z_axis = Axis("z", "published number z", -4, 5, scale="linear", points=37)
noises = ("Gaussian", "Laplace")
noise_choice = Choice("noise", "noise", noises, "Gaussian")
loss_slider = Slider("epsilon", "privacy loss ε", 0.05, 5, 0.5, points=31, steps=30)

def density(noise, s, z):
    return norm.pdf(z, scale=s) if noise == "Gaussian" else laplace.pdf(z, scale=s / np.sqrt(2))

def sticking_out(noise, s, epsilon):
    if noise == "Gaussian":
        return gaussian_delta(epsilon, 1 / s)
    return np.maximum(0, -np.expm1((epsilon - np.sqrt(2) / s) / 2))

shapes = [
    [[density(noise, s, z_axis.grid - centre) for s in size_slider.grid] for noise in noises] for centre in (0, 1)
]
ours, theirs = (Table((noise_choice, size_slider, z_axis), shape) for shape in shapes)
raised = Table.of(lambda epsilon: np.exp(epsilon), loss_slider) * theirs
area = Table(
    (noise_choice, size_slider, loss_slider),
    [sticking_out(noise, *np.meshgrid(size_slider.grid, loss_slider.grid, indexing="ij")) for noise in noises],
    scale="linear",
)

# %% tags=["remove-input"]
explore(
    name="sticks_out",
    sliders=[loss_slider, size_slider, noise_choice],
    x=z_axis,
    y=Axis("density", "density", 0, 0.6, scale="linear"),
    curves=[
        Curve("our data: p", ours),
        Curve(
            "e^ε times the neighbour's, and what of p sticks out", raised, low=raised, high=largest(raised, ours)
        ),
        Curve("the neighbour's", theirs, reference=True),
    ],
    readouts=[Readout("area", "area that sticks out, δ", area, at_most=True)],
    guarantee="(ε = {epsilon}, δ = {area})-differential privacy for one record that moves the answer by at most 1 "
              "(add, remove or replace it), proved, for {noise} noise of standard "
              "deviation {s}.",
    alt="The density of the published number for our data, for a neighbour, and the latter raised by a factor e to"
        " the {epsilon}, for {noise} noise of standard deviation {s}. The area of the first above "
        "the last is {area}.",
    caption="Answers 0 (ours) and 1 (the neighbour's).",
)

# %% [markdown]
# ```{dropdown} What one finds
# At ε = 0.92 about 0.01 sticks out. With Laplace noise of standard deviation 2, which is $b = \sqrt2$, nothing does from
# $\varepsilon = \sqrt2/2 = 0.71$ on.
# ```
#
# The same area by four routes: the formula of the core, the integral, a simulation of the privacy loss, and another
# library.

# %%
from dp_accounting import get_epsilon_gaussian
from dp_accounting.pld import privacy_loss_distribution

sigma, at_epsilon = 2.0, 0.5
by_formula = gaussian_delta(at_epsilon, 1 / sigma)
def above(z):
    return norm.pdf(z, 0, sigma) - np.exp(at_epsilon) * norm.pdf(z, 1, sigma)

by_integral = quad(lambda z: max(0, above(z)), -30, 30, points=[-1.5])[0]
z = rng.normal(0, sigma, max(20_000, round(400_000 * effort)))
gains = np.maximum(0, 1 - np.exp(at_epsilon - (1 - 2 * z) / (2 * sigma**2)))
assert np.isclose(by_formula, by_integral, rtol=1e-6)
assert abs(gains.mean() - by_formula) < 5.5 * gains.std() / np.sqrt(z.size)
assert np.isclose(get_epsilon_gaussian(sigma, by_formula), at_epsilon)

other = privacy_loss_distribution.from_laplace_mechanism(2.0)    # σ = 2√2
of_laplace = sticking_out("Laplace", 2 * np.sqrt(2), 0.1)
assert np.isclose(other.get_delta_for_epsilon(0.1), of_laplace, rtol=1e-3)
pd.DataFrame({"formula": [by_formula], "integral": [by_integral],
              "simulation": [gains.mean()]}).style.hide().format("{:.5f}")

# %% [markdown]
# ## The whole curve
#
# A mechanism has no *one* (ε, δ). It has a curve, one δ for each ε, and a stated pair is a point on it or above it.
# For the Gaussian mechanism the curve depends on one number, $\mu = \Delta/\sigma$ {cite:p}`balle2018`:
#
# ```{math}
# :label: eq-gaussian-curve
# \delta(\varepsilon) = \Phi\Bigl(\frac\mu2 - \frac\varepsilon\mu\Bigr) - e^\varepsilon\,\Phi\Bigl(-\frac\mu2 - \frac\varepsilon\mu\Bigr).
# ```
#
# ### Explore: one release, many pairs
#
# *With a standard deviation of 4, which δ goes with ε = 1? How much larger is ε at δ = 10⁻¹⁰ than at 10⁻⁵? What does Laplace noise
# of the same size promise?*

# %% tags=["hide-input"]
curve_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=41, steps=40)
wide_slider = Slider(
    "s",
    "standard deviation of the noise",
    0.5,
    32,
    4,
    points=13,
    steps=12,
    low_end="more accurate",
    high_end="more private",
)
gaussian_curve = Table.of(
    lambda epsilon, s: np.maximum(gaussian_delta(epsilon, 1 / s), 1e-30), curve_slider, wide_slider
)
laplace_values = sticking_out("Laplace", wide_slider.grid, curve_slider.grid[:, None])     # zero from √2/σ on
laplace_curve = Table((curve_slider, wide_slider), laplace_values, scale="linear")

# %% tags=["remove-input"]
explore(
    name="whole_curve",
    sliders=[curve_slider, wide_slider],
    x=curve_slider,
    y=Axis("delta", "δ", 1e-12, 1),
    curves=[Curve("Gaussian noise", gaussian_curve, at_most=True), Curve("Laplace noise", laplace_curve)],
    readouts=[
        Readout("delta", "δ at this ε, Gaussian (10⁻³⁰: that or less)", gaussian_curve, at_most=True),
        Readout(
            "at5", "ε at δ = 10⁻⁵, Gaussian", Table.of(lambda s: gaussian_epsilon(1e-5, 1 / s), wide_slider), at_most=True
        ),
        Readout(
            "at10", "ε at δ = 10⁻¹⁰, Gaussian", Table.of(lambda s: gaussian_epsilon(1e-10, 1 / s), wide_slider), at_most=True
        ),
        Readout("pure", "ε at δ = 0, Laplace", Table.of(lambda s: np.sqrt(2) / s, wide_slider), at_most=True),
    ],
    guarantee="Gaussian noise of standard deviation {s}: (ε = {epsilon}, δ = {delta})-differential privacy for one record that moves "
              "the answer by at most 1, proved; and ({at5}, 10⁻⁵), and ({at10}, 10⁻¹⁰): the same release.",
    alt="δ against ε, both logarithmic, for noise of standard deviation {s}: the Gaussian curve bends down ever "
        "more steeply, through δ = {delta} at ε = {epsilon}; the Laplace curve drops to zero at {pure}.",
    caption="Sensitivity 1. The Laplace curve is above the Gaussian one for small ε and ends at a finite one.",
)

# %% [markdown]
# ```{dropdown} What one finds
# δ = 2.9 × 10⁻⁶. The step from δ = 10⁻⁵ to 10⁻¹⁰ takes ε from 0.93 to 1.5 only. Laplace noise promises ε = 0.35
# with δ = 0, which is better still.
# ```
#
# **Then why not always Laplace noise?** For a single number, published once, it is better where δ is small, as the
# picture says. (Publish ten, each with noise of 4, and at δ = 10⁻⁵ it has ε = 3.5 against 3.3: the second cell below.)
# And a person often moves many numbers at once. Then Laplace noise is scaled to the *sum* of the moves, Gaussian noise to the root
# of the sum of their *squares* (their sensitivities are measured in the norms $L_1$ and $L_2$). If one person moves
# each of $d$ numbers by 1, the noise in each is

# %%
d = np.array([1, 3, 10, 100, 1000])
of_laplace = np.sqrt(2) * d / epsilon
of_gaussian = np.sqrt(d) / gaussian_mu(epsilon, delta)
assert of_laplace[0] < of_gaussian[0] and of_laplace[-1] > of_gaussian[-1]
in_each = pd.DataFrame({"d": d, "Laplace, δ = 0": of_laplace,
                        f"Gaussian, δ = {show(delta)}": of_gaussian})
in_each.style.hide().format("{:.1f}", in_each.columns[1:]).set_caption(
    f"Standard deviations for ε = {show(epsilon)}")

# %% tags=["hide-input"]
# ten releases of one number, each with noise of standard deviation 4, by the same library as above
one_laplace = privacy_loss_distribution.from_laplace_mechanism(4 / np.sqrt(2))
ten_laplace = one_laplace.self_compose(10).get_epsilon_for_delta(1e-5)
ten_gaussian = gaussian_epsilon(1e-5, np.sqrt(10) / 4)
assert round(ten_laplace, 1) == 3.5 and round(ten_gaussian, 1) == 3.3

# %% [markdown]
# (Textbooks print $\sigma = \sqrt{2 \ln(1.25/\delta)}\,\Delta/\varepsilon$ {cite:p}`dwork2014`. It is valid for ε <
# 1 only, and never the least. The core's `gaussian_mu` inverts the exact curve.)

# %%
comparison = pd.DataFrame({"ε": [0.1, 0.3, 0.9]})
textbook = np.sqrt(2 * np.log(1.25 / delta))
comparison["textbook σ"] = textbook / comparison["ε"]
comparison["exact σ"] = 1 / gaussian_mu(comparison["ε"].to_numpy(), delta)
assert (comparison["exact σ"] < comparison["textbook σ"]).all()
comparison.style.hide().format("{:.3g}")

# %% [markdown]
# (small-delta)=
# ## Why δ must be small
#
# Here is a mechanism with $\varepsilon = 0$, which could not be better, and with the δ of your choice:
#
# > For each person, throw dice. With probability δ, publish their complete record. Otherwise publish nothing of them.
#
# Replace one person's record: the output changes only if *their* dice say so. So no event changes its probability
# by more than δ, and the mechanism is $(0, \delta)$-differentially private. Now count the victims:

# %%
careless = rng.binomial(n_people, 0.01)
trials = max(1000, round(20_000 * effort))
victims = rng.binomial(n_people, 1 / n_people, size=trials)
share_with_victims = np.mean(victims > 0)
by_arithmetic = -np.expm1(n_people * np.log1p(-1 / n_people))
assert abs(share_with_victims - by_arithmetic) < 5.5 / (2 * np.sqrt(trials))

# %% tags=["remove-input"]
md(
    f"With δ = 0.01 it has just published **{careless} complete records** of {n_people:,}. With δ = 1/n it "
    f"publishes somebody in **{share_with_victims:.0%}** of all runs (by arithmetic, {by_arithmetic:.0%})."
)

# %% [markdown]
# ### Explore: how small?
#
# *For your number of people, which δ keeps the chance that anybody at all is published below 1 %?*

# %% tags=["hide-input"]
n_slider = Slider("n", "people n", 10, 1e7, 1e4, points=31, steps=30, low_end="few", high_end="many")
delta_slider = Slider("delta", "δ", 1e-10, 0.1, 1e-5, points=28, steps=27)
victims = Table.of(lambda n: n, n_slider) * Table.of(lambda delta: delta, delta_slider)
anybody = Table.of(lambda n, delta: -np.expm1(n * np.log1p(-delta)), n_slider, delta_slider)
safe = Table.of(lambda n: -np.expm1(np.log1p(-0.01) / n), n_slider)

# %% tags=["remove-input"]
explore(
    name="small_delta",
    sliders=[delta_slider, n_slider],
    x=n_slider,
    y=Axis("count", "records published", 1e-6, 1e6),
    curves=[
        Curve("expected number, nδ", victims, at_most=True),
        Curve("probability that there is one", anybody, at_most=True),
        Curve("one record", constant(1.0), reference=True),
    ],
    readouts=[
        Readout("victims", "records published, on average", victims, at_most=True),
        Readout("anybody", "probability of one or more", anybody, at_most=True),
        Readout("safe", "δ for a probability of 1 %", safe),
    ],
    guarantee="(ε = 0, δ = {delta})-differential privacy for one person (replace one), proved; and {victims} "
              "complete records of {n} people published on average.",
    alt="Expected number of published records and the probability of at least one against the number of people, at"
        " δ = {delta}. With {n} people: {victims} and {anybody}.",
    caption="As bad, on average, as δ permits. A given mechanism may be far from it, but then its whole curve says so, not"
            " this pair.",
)

# %% [markdown]
# ```{dropdown} What one finds
# For 10,000 people $\delta = 10^{-6}$, a hundredth of $1/n$.
# ```
#
# So a δ means something only far below $1/n$. Gaussian noise does nothing as nasty: its loss grows slowly, and with
# δ a hundred thousand times smaller ε is only moderately larger, as you saw. That is a reason to state the *curve*,
# by μ, and not one pair.
#
# ## Two numbers that are a whole curve: μ and ρ
#
# Let a reader guess which of two neighbours they see. A test has two errors: false alarms α and misses. The
# **trade-off curve** $f(\alpha)$ is the smallest share of misses that any test with α false alarms can have;
# nothing learnt is $f(\alpha) = 1 - \alpha$. A mechanism is **μ-Gaussian-DP** {cite:p}`dong2022` if telling
# neighbours apart is at least as hard as telling $\mathcal N(0, 1)$ from $\mathcal N(\mu, 1)$:
#
# $$f(\alpha) \ge \Phi\bigl(\Phi^{-1}(1 - \alpha) - \mu\bigr).$$
#
# What does a pair (ε, δ) say? Apply the definition to the event *alarm*, and then, with the roles exchanged, to *no
# alarm*:
#
# $$
# \begin{aligned}
# \text{misses} &\ge 1 - \delta - e^\varepsilon \alpha, \\
# \text{misses} &\ge e^{-\varepsilon}(1 - \delta - \alpha).
# \end{aligned}
# $$
#
# Two straight lines, below which no test can get. The best δ for each ε makes them *touch* the curve.
#
# ### Explore: the trade-off
#
# *Move ε and watch the lines roll along the curve. At μ = 1, what share of the victims does a test with 5 % false
# alarms find? Which μ would you accept?*

# %% tags=["remove-input"]
mu_slider = Slider(
    "mu", "μ", 0.2, 3, 1, points=15, steps=14, scale="linear", low_end="more private", high_end="more accurate"
)
tangent_slider = Slider("epsilon", "privacy loss ε of the lines", 0.1, 10, 1, points=21, steps=20)
alpha_axis = Axis("alpha", "false alarms α", 0, 1, scale="linear", points=41)
with np.errstate(all="ignore"):
    trade = ndtr(ndtri(1 - alpha_axis.grid) - mu_slider.grid[:, None])
false_alarms = Table.of(lambda alpha: alpha, alpha_axis, scale="linear")
growth = Table.of(lambda epsilon: np.exp(epsilon), tangent_slider)
delta_there = Table(
    (tangent_slider, mu_slider), gaussian_delta(tangent_slider.grid[:, None], mu_slider.grid), scale="linear"
)
left = constant(1) - delta_there
found = Table.of(lambda mu: 1 - ndtr(ndtri(0.95) - mu), mu_slider)
at_five = Table.of(lambda mu: gaussian_epsilon(1e-5, mu), mu_slider)

# %% tags=["remove-input"]
explore(
    name="trade_off",
    sliders=[mu_slider, tangent_slider],
    x=alpha_axis,
    y=Axis("misses", "misses", 0, 1, scale="linear"),
    curves=[
        Curve("μ-Gaussian-DP", Table((mu_slider, alpha_axis), trade, scale="linear")),
        Curve("(ε, δ) that touches it", largest(0, left - growth * false_alarms, (left - false_alarms) / growth)),
        Curve("nothing learnt", constant(1) - false_alarms, reference=True),
    ],
    readouts=[
        Readout("delta", "δ of the lines", delta_there, at_most=True),
        Readout("found", "found with 5 % false alarms", found, at_most=True),
        Readout("exact", "ε at δ = 10⁻⁵", at_five, at_most=True),
    ],
    guarantee="{mu}-Gaussian-DP, for whichever neighbours μ was computed, is (ε = {epsilon}, δ = "
              "{delta})-differential privacy, and at δ = 10⁻⁵ ε = {exact}, proved. A test with 5 % false alarms "
              "finds {found}.",
    alt="Misses against false alarms at μ = {mu}: a convex curve below the diagonal, and two straight lines, (ε, "
        "δ) = ({epsilon}, {delta}), that touch it. At 5 % false alarms a test finds {found}.",
    caption="All that any test can achieve, for a Gaussian release and for a pair (ε, δ).",
)

# %% [markdown]
# ```{dropdown} What one finds
# 26 %, five times as many as by chance. At μ = 0.2 it is 7 %, at μ = 3 it is 91 %. Where the line is drawn is no
# mathematical question, but this is the number to look at. (Where ε is large for its μ, say 1 at μ = 0.2, the lines touch
# the curve in its corners only: that pair says little about this release.)
# ```
#
# A cousin of μ is **ρ-zCDP** {cite:p}`bun2016`. It bounds all moments of $e^L$ at once,
# $\mathbb E\,e^{(a - 1)L} \le e^{(a - 1) a \rho}$ for all $a > 1$, and is what many libraries count. A Gaussian
# release has $\rho = \mu^2/2$. Converting back from ρ alone loses something, as a table below shows: other mechanisms
# with the same ρ are worse. One fact is behind all of this: under $p$ the loss of a Gaussian release is itself
# Gaussian, with mean $\mu^2/2$ and variance $\mu^2$. The cell checks the moments, and that all pairs (ε, δ) together
# give the trade-off curve back:

# %%
mu = 0.7
draws = max(20_000, round(200_000 * effort))
losses = mu**2 / 2 + mu * rng.standard_normal(draws)
for a in (1.5, 2):
    moments = np.exp((a - 1) * losses)
    off = moments.mean() - np.exp((a - 1) * a * mu**2 / 2)
    assert abs(off) < 5.5 * moments.std() / np.sqrt(draws)

# all the lines together are the curve
tests = np.linspace(0.01, 0.99, 99)[:, None]
losses = np.linspace(0, 12, 600)
left = 1 - gaussian_delta(losses, mu)
lines = np.maximum(left - np.exp(losses) * tests,
                   np.exp(-losses) * (left - tests))
curve = ndtr(ndtri(1 - tests[:, 0]) - mu)
assert np.allclose(lines.max(axis=1), curve, atol=2e-4)

# %% [markdown]
# ## Promises add up
#
# Publish twice, and a reader has two chances. That is **composition**, and it holds also if the second question is
# chosen after hearing the first answer, as long as the number of releases and the ε of each were fixed beforehand
# (whoever lets answers decide on these needs more: {cite:t}`rogers2016`). $k$ releases, each ε₀-differentially private, together are
#
# * **naively** $(k\varepsilon_0, 0)$: losses add;
# * by **advanced composition**
#   $\bigl(\varepsilon_0\sqrt{2k\ln(1/\delta)} + k\varepsilon_0(e^{\varepsilon_0} - 1),\ \delta\bigr)$
#   {cite:p}`dwork2010`: the loss $L$ of each release is random and has a sign, and mostly they do not all point the same
#   way;
# * **exactly** as bad as $k$ randomised responses, the worst of all ε₀-private mechanisms {cite:p}`kairouz2015`,
#   for which the loss is $\varepsilon_0$ times heads minus tails, so that {eq}`eq-hockey-stick` is a sum over the
#   binomial distribution.

# %%
def exact_epsilon(k, epsilon_0, delta):
    """The smallest ε of k randomised responses; an array, as ``epsilon_0``."""
    epsilon_0 = np.asarray(epsilon_0, float)[..., None]
    heads = np.arange(k + 1)
    loss = (2 * heads - k) * epsilon_0
    chance = binom.pmf(heads, k, expit(epsilon_0))
    low, high = np.zeros(epsilon_0.shape[:-1]), k * epsilon_0[..., 0]
    for _ in range(45):  # δ falls with ε: bisect
        middle = (low + high) / 2
        sticks_out = -np.expm1(np.minimum(middle[..., None] - loss, 0))
        too_small = (chance * sticks_out).sum(axis=-1) > delta
        low = np.where(too_small, middle, low)
        high = np.where(too_small, high, middle)
    return high

def advanced(k, epsilon_0, delta):
    by_chance = epsilon_0 * np.sqrt(2 * k * np.log(1 / delta))
    return by_chance + k * epsilon_0 * np.expm1(epsilon_0)

by_chance = 2 / (1 + np.exp(0.3))  # how often that library's coin decides
coin = privacy_loss_distribution.from_randomized_response(by_chance, 2)
by_library = coin.self_compose(30).get_epsilon_for_delta(1e-5)
assert np.isclose(by_library, exact_epsilon(30, 0.3, 1e-5), rtol=1e-3)
assert exact_epsilon(1, 0.3, 0) == 0.3

# %% [markdown]
# ### Explore: k releases
#
# The picture shows each total as a share of the naive sum. *At ε₀ = 0.1, from how many releases on does advanced
# composition beat that sum? At ε₀ = 1? How many releases does each of the three allow if the total is to be ε = 3?*

# %% tags=["hide-input"]
k_slider = Slider(
    "k",
    "releases k",
    1,
    60,
    30,
    points=60,
    steps=59,
    scale="linear",
    low_end="more private",
    high_end="more is said",
)
each_slider = Slider("epsilon_0", "privacy loss ε₀ of each", 0.01, 1, 0.1, points=13, steps=12)
releases = Table.of(lambda k: k, k_slider)
loss_of_one = Table.of(lambda epsilon_0: epsilon_0, each_slider)
naive = releases * loss_of_one
by_theorem = Table.of(lambda k: np.sqrt(2 * k * np.log(1e5)), k_slider) * loss_of_one + naive * Table.of(
    lambda epsilon_0: np.expm1(epsilon_0), each_slider
)
exact_table = Table(
    (k_slider, each_slider), [exact_epsilon(k, each_slider.grid, 1e-5) for k in np.rint(k_slider.grid).astype(int)]
)

# %% tags=["remove-input"]
explore(
    name="composition",
    sliders=[k_slider, each_slider],
    x=k_slider,
    y=Axis("share", "ε of all together, naive sum = 1", 0, 3, scale="linear"),
    curves=[
        Curve("advanced, δ = 10⁻⁵", by_theorem / naive),
        Curve("exact, δ = 10⁻⁵", exact_table / naive),
        Curve("naive, δ = 0", constant(1.0), reference=True),
    ],
    readouts=[
        Readout("naive", "ε, naive", naive, at_most=True),
        Readout("advanced", "ε, advanced", by_theorem, at_most=True),
        Readout("exact", "ε, exact", exact_table, at_most=True),
    ],
    guarantee="Releases about the same unit and neighbours, {k} in number, each (ε = {epsilon_0}, δ = 0)-differentially "
              "private, are (ε = {exact}, δ = 10⁻⁵)-differentially private as a whole, proved.",
    alt="The ε of k releases as a share of the naive sum kε₀, against k, at ε₀ = {epsilon_0}: advanced composition falls "
        "from far above 1, exact composition is never above 1. For {k} releases: {naive}, {advanced} and {exact}.",
    caption="Composition of k pure mechanisms. The exact curve is attained by randomised response, so nobody can "
            "do better without knowing more about the mechanisms.",
)

# %% [markdown]
# ```{dropdown} What one finds
# From 29 releases on; at ε₀ = 1 never. For a total of 3 at ε₀ = 0.1: 30 naively, 31 by the theorem, 54 exactly.
# ```
#
# For Gaussian releases it is simpler, and exact: $\mu^2$ adds up, $\mu = \sqrt{\sum_i \mu_i^2}$, and so does ρ.
# Nothing is lost on the way, which is why this book counts in μ:

# %%
rounds, mu_0 = 50, 0.2
together = float(compose_gaussians([mu_0] * rounds))
assert np.isclose(together, mu_0 * np.sqrt(rounds))

each = gaussian_epsilon(delta / (2 * rounds), mu_0)
ways = pd.Series({
    "naive": rounds * gaussian_epsilon(delta / rounds, mu_0),
    "advanced": rounds * each * np.expm1(each)
                + each * np.sqrt(2 * rounds * np.log(2 / delta)),
    "zCDP, as printed": zcdp_epsilon_as_printed(together**2 / 2, delta),
    "zCDP, tightest": zcdp_epsilon(together**2 / 2, delta),
    "μ, exact": gaussian_epsilon(delta, together)})

one = privacy_loss_distribution.from_gaussian_mechanism(1 / mu_0)
by_library = one.self_compose(rounds).get_epsilon_for_delta(delta)
assert np.isclose(by_library, ways["μ, exact"], rtol=1e-3)
assert ways.idxmin() == "μ, exact"
title = f"ε of {rounds} releases with μ = {mu_0}"
ways.to_frame(title).style.format("{:.2f}")

# %% [markdown]
# (*As printed* is the usual conversion of ρ, $\varepsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}$; the *tightest* is the
# best that we know to follow from ρ alone. Advanced composition comes out *worse* than the naive sum here: it is good for many small
# releases, and these are fifty with ε of about one.)
#
# ## What comes after costs nothing
#
# Whatever is computed from a private release, *without looking at the data again*, is as private as the release.
# Round it, clip it, fit a model to it, publish it in a newspaper. This is **post-processing**, and it follows in a
# line: $\Pr[g(M(X)) \in E] = \Pr[M(X) \in g^{-1}(E)]$, and the definition covers that event already.
# (If $g$ draws lots of its own, this holds for each outcome of the lots, and so on average.)
#
# As an example, a Gaussian release that is rounded to multiples of 4. For each pair of answers the curve can only
# come down, since a reader of the rounded number knows less:

# %%
def rounded_delta(w, first, epsilons):
    """δ(ε) of round(first + noise) against round(first + 1 + noise)."""
    edges = (np.arange(-round(15 / w) - 2, round(15 / w) + 3) + 0.5) * w
    ours = np.diff(ndtr(edges - first))
    theirs = np.diff(ndtr(edges - first - 1))
    above = ours - np.exp(epsilons)[:, None] * theirs
    return np.maximum(0, above).sum(axis=1)

losses = np.linspace(0, 4, 81)
raw = gaussian_delta(losses, 1.0)
rounded = {
    "0 and 1": rounded_delta(4, 0, losses),
    "1.5 and 2.5": rounded_delta(4, 1.5, losses),
}
assert all((curve <= raw + 1e-12).all() for curve in rounded.values())
assert np.isclose(rounded["1.5 and 2.5"][[0, 80]], raw[[0, 80]]).all()  # and may touch
assert np.isclose(rounded["0 and 1"][50], raw[50])  # ε = 2.5

# %% mystnb={"image": {"alt": "δ against ε: the raw curve on top; the two for rounded answers below it, touching it here and there: that for 0 and 1 at ε = 2.5, that for 1.5 and 2.5 at ε = 0 and again at ε = 4."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 2.9))
ax.plot(losses, raw, color=REFERENCE, label="raw")
for answers, curve in rounded.items():
    ax.plot(losses, curve, label=f"rounded, answers {answers}")
ax.set(
    yscale="log",
    ylim=(1e-5, 1),
    xlabel="ε",
    ylabel="δ",
    title="Rounding to multiples of 4, noise of standard deviation 1",
)
ax.legend();

# %% [markdown]
# A curve touches the raw one where the place at which $p = e^\varepsilon p'$ falls on the edge of a cell (ε = 2.5
# for answers 0 and 1, ε = 0 and ε = 4 for 1.5 and 2.5): there rounding forgets nothing that matters. A guarantee must hold
# for *all* neighbours, and if answers may be any real numbers, some pair touches at each ε. So post-processing never hurts, and it is nothing to count
# on.
#
# ## Families, and people who come twice
#
# The promise is for *one* unit. If $g$ records change at once, a family's or those of one patient who came $g$
# times, apply it $g$ times: ε becomes at most $g\varepsilon$ for a pure mechanism, μ at most $g\mu$, and ρ at most $g^2\rho$.
# (For an (ε, δ) in general, $\delta\,\frac{e^{g\varepsilon} - 1}{e^\varepsilon - 1}$: keep the curve if you have
# it.) This is **group privacy**. In one way it is a feature: what many people say together is meant to be heard.
#
# A visit is protected with ε = 1. What protects a patient who came $g$ times?

# %%
g = np.array([1, 2, 5, 10, 20])
of_gaussian = gaussian_epsilon(delta, g * gaussian_mu(epsilon, delta))
groups = pd.DataFrame({"visits g": g, "Laplace noise, δ = 0": g * epsilon,
                       f"Gaussian noise, δ = {show(delta)}": of_gaussian})
assert np.isclose(of_gaussian[0], epsilon)
assert of_gaussian[-1] > 20 * epsilon
groups.style.hide().format("{:.3g}", groups.columns[1:])

# %% [markdown]
# An ε of 20 is a factor of 500 million in the odds: nothing. To protect patients, make the *patient* the unit and
# bound their visits. There is a slider for this on {doc}`the next page <03_who_is_protected>`.
#
# ## Tuning costs, too
#
# Ten learning rates are tried on the private data, each in an ε-private way, and the best result is published. One
# release? No. Take Laplace noise, answers 0 or 1, and publish the best of $K$. For results below both answers the
# density of the maximum is $K p(z) P(z)^{K-1}$, where $P(z)$ is the chance that one try comes out below $z$. There $p$
# and $P$ both differ by $e^\varepsilon$ between neighbours, so that the loss is $K\varepsilon$: **the naive sum is
# attained**.

# %%
def best_loss(K, epsilon, z):
    """Privacy loss, at z, of the best of K tries: answer 0 against 1."""
    ours, theirs = laplace(0, 1 / epsilon), laplace(1, 1 / epsilon)
    return (ours.logpdf(z) - theirs.logpdf(z)
            + (K - 1) * (ours.logcdf(z) - theirs.logcdf(z)))

for K in (1, 3, 10):
    bad, good = best_loss(K, epsilon, -1.0), best_loss(K, epsilon, 40.0)
    assert np.isclose(bad, K * epsilon) and np.isclose(good, -epsilon)

def stopped_loss(q, epsilon, z):
    """The same, if one stops after each try with probability q."""
    ours, theirs = laplace(0, 1 / epsilon), laplace(1, 1 / epsilon)
    return (ours.logpdf(z) - theirs.logpdf(z)
            - 2 * np.log(1 - (1 - q) * ours.cdf(z))
            + 2 * np.log(1 - (1 - q) * theirs.cdf(z)))

places = np.linspace(-9, 9, 1801)
at_worst = [abs(stopped_loss(q, 1.0, places)).max() for q in (0.5, 0.001)]
assert np.allclose(at_worst, [1.38, 1.98], atol=0.01) and max(at_worst) < 3

# %% mystnb={"image": {"alt": "Privacy loss against the published best result for 1, 3 and 10 tries: 1, 3 and 10 for bad results, falling to minus 1 for good ones."}} tags=["hide-input"]
z = np.linspace(-2, 8, 300)
fig, ax = plt.subplots(figsize=(7.5, 2.9))
for K in (1, 3, 10):
    ax.plot(z, best_loss(K, epsilon, z), label=f"best of {K}")
ax.set(
    xlabel="published result z",
    ylabel="privacy loss",
    title=f"Each try has ε = {show(epsilon)}. Their best has not",
)
ax.legend();

# %% [markdown]
# There are ways out. Tune on public or simulated data: free. Or toss a coin after each try, stop with probability $q$,
# and publish the best: 3ε for pure differential privacy, however many tries there were {cite:p}`liu2019,papernot2022`. For summed over all numbers of
# tries the density of the best is $q\,p/(1 - (1 - q)P)^2$, and between neighbours $p$ changes by a factor of at most
# $e^\varepsilon$, and $1 - (1 - q) P = q + (1 - q)(1 - P)$ too, twice. (The last function of the cell is this loss; Laplace
# noise has about 2ε, some mechanism 3ε.)
# What is *not* a way out: to look at the private data without noise, choose, and state the ε of the final run. Then
# there is no guarantee at all, since between two neighbours the choice itself can flip:

# %%
def tuned(error_of_a, error_of_b):
    return "A" if error_of_a <= error_of_b else "B"

# one record moves an error by 0.0002
with_anna, without_her = (0.2000, 0.2001), (0.2002, 0.2001)
assert tuned(*with_anna) != tuned(*without_her)
tuned(*with_anna), tuned(*without_her)

# %% [markdown]
# The published setting is A with her record and B without it, with certainty: δ = 1. Whoever reads a paper should
# ask how its constants were found. In this book, whatever was tuned on private data says that its budget is unpaid.
#
# (smooth-sensitivity)=
# ## When the width of the noise would tell
#
# A *median* of $n$ numbers in $[0, 1]$ has global sensitivity 1: with 501 zeros and 500 ones it is 0, and one person
# makes it 1. Noise for that drowns everything, and real data is rarely so torn. So why not measure the noise against
# *our* data, by the **local sensitivity** $A_0(X) = \max_{X' \simeq X} \lvert f(X) - f(X')\rvert$? Because then its
# *width* is computed from the data, without noise. With 501 zeros the width is 1, as we saw. With 502 zeros and 499 ones
# no single person can move the median, and the width is 0. The two are neighbours; and whoever reads a median of 0.3 knows which
# of them it was, with certainty.
#
# The way out is a width that changes slowly from neighbour to neighbour, the **smooth sensitivity** {cite:p}`nissim2007`
#
# $$S_\beta(X) = \max_{k \ge 0}\ e^{-\beta k} A_k(X),$$
#
# where $A_k$ is the largest local sensitivity of any data set that differs from ours in at most $k$ people. It
# changes by a factor of at most $e^\beta$ between neighbours. What the width still says has to be paid for: the noise is
# $\sigma = \alpha\,S_\beta(X)$, where the factor α depends on ε, δ and β and is larger than for a public width
# ({doc}`/chapters/02_policy_evaluation/02_mechanisms` computes it; its β is that of the *variance*, twice the one here).
#
# For the median of $n$ sorted numbers, $n$ odd, with zeros before and ones behind them and the median at place $m$, let
# $k$ people change and then one more. Together they can push the median over $k + 1$ gaps between neighbouring numbers, some of them to the
# left and the rest to the right of where it is, and $A_k$ is the widest such stretch:
#
# $$A_k = \max_{0 \le t \le k + 1} \bigl(x_{m + t} - x_{m + t - k - 1}\bigr).$$

# %% tags=["hide-input"]
def median_sensitivities(x):
    """A_k for k = 0, ..., n."""
    n, middle = len(x), len(x) // 2
    padded = np.concatenate([np.zeros(n + 2), np.sort(x), np.ones(n + 2)])
    A = []
    for k in range(n + 1):
        right = middle + n + 2 + np.arange(k + 2)
        left = np.maximum(right - k - 1, 0)
        A.append((padded[np.minimum(right, 3 * n + 3)] - padded[left]).max())
    return np.array(A)

# two clinics of 1,001 people who differ in one of them
torn, settled = (np.repeat([0.0, 1.0], [zeros, 1001 - zeros])
                 for zeros in (501, 502))
assert median_sensitivities(torn)[0] == 1
assert median_sensitivities(settled)[0] == 0

# brute force: all sets of three numbers out of five, and all their neighbours
levels = np.linspace(0, 1, 5)
everything = np.array(list(product(levels, repeat=3)))
distance = (everything[:, None] != everything).sum(axis=2)
medians = np.median(everything, axis=1)
change = abs(medians[:, None] - medians)
local = np.where(distance <= 1, change, 0).max(axis=1)
by_force = np.array([np.where(distance <= k, local, 0).max(axis=1)
                     for k in range(4)]).T
formula = np.array([median_sensitivities(x) for x in everything])
assert np.allclose(by_force, formula)

smooth = (np.exp(-0.3 * np.arange(4)) * formula).max(axis=1)
ratios = smooth[:, None] / smooth
assert ratios[distance <= 1].max() <= np.exp(0.3) * (1 + 1e-12)  # β-smooth

# %% [markdown]
# ### Explore: global, local, smooth
#
# Three clinics publish a median. *How much less noise than 3.7, for the global sensitivity, does each of them need? Which
# of them has a small local sensitivity, and must still add a lot? Move β: what has it to balance?*

# %% tags=["remove-input"]
n = 1001
quantiles = (np.arange(n) + 0.5) / n
camps = [norm.ppf((np.arange(size) + 0.5) / size, centre, 0.05) for size, centre in ((521, 0.2), (480, 0.8))]
clinics = {"alike": norm.ppf(quantiles, 0.5, 0.05), "anything": quantiles, "two camps": np.concatenate(camps)}
clinics = {name: np.clip(x, 0, 1) for name, x in clinics.items()}
sensitivities = {name: median_sensitivities(x) for name, x in clinics.items()}
beta_slider = Slider(
    "beta",
    "smoothness β",
    0.0025,
    0.0625,
    0.0325,
    points=13,
    steps=12,
    scale="linear",
    low_end="width says little",
    high_end="width follows the data",
)
clinic_choice = Choice("clinic", "answers in the clinic", tuple(clinics), "alike")
distance_axis = Axis("k", "people who differ from our data, k", 0, 600, scale="linear", points=31)

def smooth_of(beta, clinic):
    return np.max(np.exp(-np.multiply.outer(beta, np.arange(n + 1))) * sensitivities[clinic], axis=-1)

def spread(beta):
    return smooth_gaussian_alpha(1.0, 1e-5, 2 * float(beta), 1)  # the variance changes by e^2β

A_table = Table(
    (clinic_choice, distance_axis),
    [sensitivities[name][np.rint(distance_axis.grid).astype(int)] for name in clinics],
)
fading = Table.of(lambda beta, k: np.exp(-beta * k), beta_slider, distance_axis)
smooth_table = Table.of(np.vectorize(smooth_of), beta_slider, clinic_choice)
spread_table = Table.of(np.vectorize(spread), beta_slider)

# %% tags=["remove-input"]
explore(
    name="sensitivities",
    sliders=[clinic_choice, beta_slider],
    x=distance_axis,
    y=Axis("s", "sensitivity of the median", 1e-5, 2),
    curves=[
        Curve("local, k people away: Aₖ", A_table),
        Curve("discounted: e^(−βk) Aₖ", fading * A_table),
        Curve("smooth: the maximum of that", smooth_table, at_most=True),
        Curve("global", constant(1.0), reference=True),
    ],
    readouts=[
        Readout("local", "local sensitivity", Table((clinic_choice,), [a[0] for a in sensitivities.values()])),
        Readout("smooth", "smooth sensitivity", smooth_table, at_most=True),
        Readout("factor", "factor α", spread_table, at_most=True),
        Readout("noise", "noise σ = α × smooth sensitivity", spread_table * smooth_table, at_most=True),
        Readout("worst", "noise σ, by global sensitivity", constant(1 / gaussian_mu(1, 1e-5)), at_most=True),
    ],
    guarantee="(ε = 1, δ = 10⁻⁵)-differential privacy for one answer (replace one), proved, with Gaussian noise of"
              " standard deviation {noise} whose width follows the data at "
              "β = {beta}, or of {worst} if it may not.",
    alt="Sensitivity of the median against the number k of people who differ, for the clinic “{clinic}”: the local"
        " sensitivity rises with k, from {local} to 1; discounted with β = {beta} "
        "it has its maximum at {smooth}, the smooth sensitivity. The global one is 1.",
    caption=f"The median of {n:,} answers in [0, 1].",
)

# %% [markdown]
# ```{dropdown} What one finds
# At β = 0.0325 the noise is 6.8 times $S_\beta$: 0.010 for the clinic whose patients are alike, 0.079 where anything is
# equally frequent, and 1.3 for the two camps. The median of the camps moves by 0.0012 if one person changes. But in a
# clinic that differs from theirs in twenty people, one more moves it by more than a third of the whole range. A small
# β makes clinics count that are nothing like ours; a large one lets the width say more, and pays with a larger factor α.
# ```

# %% tags=["remove-cell"]
# what the answers above say
assert np.allclose(expit(np.log(0.01 / 0.99) + np.array([1, 5])), [0.027, 0.60], rtol=0.02)
assert np.allclose(0.25e4 / np.tanh(np.array([1, 0.1]) / 2) ** 2, [11_700, 1e6], rtol=0.01)
assert np.isclose(gaussian_delta(0.92, 1 / 2), 0.01, rtol=0.01)
assert np.isclose(gaussian_delta(1, 1 / 4), 2.9e-6, rtol=0.01)
assert np.allclose([gaussian_epsilon(d, 1 / 4) for d in (1e-5, 1e-10)], [0.93, 1.49], rtol=0.005)
assert -np.expm1(1e4 * np.log1p(-1e-6)) < 0.01
assert np.allclose(ndtr(ndtri(0.05) + np.array([1, 0.2, 3])), [0.26, 0.07, 0.91], atol=0.005)

# %% tags=["hide-input"]
# what the answer says
assert round(spread(0.0325), 1) == 6.8 and round(1 / gaussian_mu(1, 1e-5), 1) == 3.7
widths = [spread(0.0325) * smooth_of(0.0325, name) for name in clinics]
assert np.allclose(widths, [0.010, 0.079, 1.3], rtol=0.02), widths
assert round(sensitivities["two camps"][0], 4) == 0.0012 and sensitivities["two camps"][20] > 1 / 3

# and the worst that neighbours can be: their medians S apart, their widths a factor e^β
def outside(width, shift):        # of N(0, 1), where p > e q for q = N(shift, width²)
    z = np.linspace(-60, 60, 2_000_001)
    return np.maximum(norm.pdf(z) - np.e * norm.pdf(z, shift, width), 0).sum() * (z[1] - z[0])

for beta in (0.0025, 0.0325):
    for width in (np.exp(beta), np.exp(-beta)):
        assert outside(width, min(width, 1) / spread(beta)) <= 1e-5 * (1 + 1e-3)

# %% [markdown]
# In most of this book the function is a *sum*, to which each person contributes a bounded amount. There the local
# sensitivity is never below half the global one, so that little could be gained, and life is simple.
#
# ## What no formula covers
#
# **The seed.** A proof assumes noise that nobody can guess. This book's noise comes from a seeded generator, so
# that each number can be made again, by you, and by anybody:

# %%
secret_count = 137
released = secret_count + np.random.default_rng(seed).laplace(scale=10)

same_noise = np.random.default_rng(seed).laplace(scale=10)  # whoever knows it
recovered = released - same_noise
assert round(recovered) == secret_count

# %% [markdown]
# **The gaps between floating-point numbers.** The proof adds *real* numbers. A computer takes $U$ out of $2^{53}$
# equally spaced values and returns $x \pm b \ln(2U)$, and most numbers are *not* among the results
# {cite:p}`mironov2012`. Which ones are depends on $x$. So an attacker inverts the formula and asks: can this output
# come from a count of 0? From a count of 1? (For $U < \frac12$ numpy computes $\ln(U + U)$, so that $2^{53}$ times the
# argument is even; above it computes $-\ln(2 - U - U)$, and of eight arguments in a row rounding leaves four.)

# %%
def possible(z, count):
    """Can count + Laplace noise of scale 1, as numpy computes it, be z?"""
    noise = z - count
    near = round(math.exp(-abs(noise)) * 2**53)
    sign = -1 if noise < 0 else 1
    lots = (0, 2, 4, 6) if noise < 0 else (0, 1, 4, 7)
    return any(
        u % 8 in lots and count - sign * math.log(u / 2**53) == z
        for u in range(max(near - 6, 1), min(near + 7, 2**53 + 1))
    )

# the true count is 0, and ε = 1
outputs = rng.laplace(size=max(500, round(3000 * effort)))
assert all(possible(z, 0) for z in outputs)
betrayed = np.mean([not possible(z, 1) for z in outputs])
larger = rng.laplace(120, size=outputs.size)
betrayed_later = np.mean([not possible(z, 121) for z in larger])
assert betrayed > 0.5 and betrayed_later < 0.05
counted = binomtest(round(betrayed * len(outputs)), len(outputs))
fewest = counted.proportion_ci(1 - 1e-6).low

# %% mystnb={"image": {"alt": "Two rows of ticks, the floating-point numbers near -0.7 that a count of 0 and a count of 1 can lead to. Of 20 ticks of count 0 only 3 have one of count 1 below them; the other 17, in another colour, betray the count."}} tags=["hide-input"]
candidates = [-0.7 + k * 2.0**-53 for k in range(-40, 41)]     # all floating-point numbers there
of_0, of_1 = (np.array([possible(z, count) for z in candidates]) for count in (0, 1))
assert (of_0.sum(), of_1.sum(), (of_0 & ~of_1).sum()) == (20, 7, 17)
fig, ax = plt.subplots(figsize=(7.5, 1.9))
for row, ticks, colour in ((1, of_0 & of_1, 0), (1, of_0 & ~of_1, 1), (0, of_1, 0)):
    ax.vlines(np.flatnonzero(ticks) - 40, row + 0.15, row + 0.85, color=PALETTE[colour], lw=2)
ax.set(
    yticks=[0.5, 1.5],
    yticklabels=["count 1", "count 0"],
    xlabel="distance from −0.7, in units of 2⁻⁵³",
    title="Outputs that can happen; in the second colour, those that only a count of 0 explains",
)
ax.grid(False)

# %% tags=["remove-input"]
md(
    f"For a true count of 0 at ε = 1, **{betrayed:.0%}** of all outputs are impossible for a count of 1. In "
    f"floating point, “ε = 1, δ = 0” is false here, and δ is at least {fewest:.2f}. "
    f"(For counts of 120 and 121 it is {betrayed_later:.1%}: adding to a larger number rounds most traces away. "
    f"That is luck, not protection.)"
)

# %% [markdown]
# For a release to an adversary use a library that draws *discrete* noise from a secure source, such as OpenDP. This
# book is for learning and for research.
#
# **The rest.** How long a computation took; what was published before; who decided on the features after a look at
# the data; records that were never in the computer's database but on a desk. Differential privacy covers the output
# of the algorithm that was analysed, and nothing else.
#
# ## A guarantee, written out
#
# In this book a guarantee is an object that carries all that was said here, and it refuses to promise more than is
# proved:

# %%
mu = gaussian_mu(epsilon, delta)
patients = {"unit": Unit("one patient's answer"), "neighbours": REPLACE_ONE,
            "status": Status.PROVED, "mu": float(mu)}
promise = Guarantee(epsilon, delta, basis="Gaussian mechanism", **patients)
later = promise.at(1e-10)
try:
    Guarantee(epsilon / 2, delta, basis="wishful thinking", **patients)
except ValueError as refusal:
    assert "imply" in str(refusal)

# %% tags=["remove-input"]
md(f"* As promised: {promise}.\n* The same release at another δ: {later}.\n* Half the ε for the same noise: refused. At "
   f"ε = {show(epsilon / 2)} a release with μ = {show(mu)} has δ = {show(gaussian_delta(epsilon / 2, mu))}, and not {show(delta)}.")

# %% [markdown]
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
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
# ✓ Yes. And from ten thousand such answers one knows the share all the same, to about ten points.
# ```
#
# **2. A registry of a million people is released with ε = 0.5 and δ = 10⁻³. Is that good?**
#
# ```{dropdown} Yes, ε is small.
# ε says nothing about what δ lets through. A mechanism with this pair may publish a thousand complete records.
# ```
# ```{dropdown} One cannot tell from this pair alone, and as a promise it is worth little.
# ✓ Yes. δ has to be far below one in a million. If it is a Gaussian release, ask for μ: the curve may be fine.
# ```
# ```{dropdown} Yes, since δ is below one per cent.
# Per cents are not the measure; people are: nδ = 1,000.
# ```
#
# **3. The median's local sensitivity on our data is 0.001. May we add noise for 0.001?**
#
# ```{dropdown} No, but for the smooth sensitivity, times a factor that depends on ε, δ and β.
# ✓ Yes. It is never below the local one, and changes by a factor of at most $e^\beta$ between neighbours. The factor
# pays for what its width still tells.
# ```
# ```{dropdown} Yes, our data are our data.
# The promise compares with neighbours, and theirs may be wider: then the *size* of the noise tells which data set
# it was.
# ```
# ```{dropdown} No, one must always take the global sensitivity.
# One may, but there is better: a bound that changes slowly between neighbours.
# ```
#
# **4. Four Gaussian releases with μ = 0.5 each, about the same people. And one more with μ = 1, all taken together?**
#
# ```{dropdown} μ = 3
# That would be adding μ. For Gaussian releases the *squares* add up.
# ```
# ```{dropdown} μ = √2
# ✓ Yes. 4 × 0.25 + 1 = 2, and the root of it. Exactly, not as a bound.
# ```
# ```{dropdown} μ = 1, the largest counts
# The largest counts only if the releases are about *different* people, and it is public who belongs to which.
# ```
#
# **5. A table has been released with ε-differential privacy. You fit a curve to it, do not like it, and fit three others
# to the same table. The total cost?**
#
# ```{dropdown} The ε of the table, once.
# ✓ Yes. Post-processing is free, as often as you like, and for whatever reason, if the reason was seen in the *table*.
# If you compared the curve with the raw data, you looked again, and without noise.
# ```
# ```{dropdown} Four times ε.
# The fits touch the published table, not the data.
# ```
# ```{dropdown} It depends on how many of the four I publish.
# All four can be computed from the table by anybody who has it. Publish them all.
# ```
#
# **6. A visit is protected with ε = 0.5 by Laplace noise. A patient has eight visits. What is the patient's ε?**
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
# **7. A paper tried a hundred settings on the private data without noise and reports its best, ε = 1. What is
# protected?**
#
# ```{dropdown} ε = 1, since only the best run is published.
# The *choice* of that run was computed from the data, without noise.
# ```
# ```{dropdown} ε = 100 at worst.
# That would hold if each of the hundred had been run and compared privately, with ε = 1 each.
# ```
# ```{dropdown} By the numbers stated, nothing is proved.
# ✓ Yes. The leak may be small in practice, but a guarantee covers the worst case, or it is none.
# ```
#
# ## To take away
#
# * A guarantee is *a unit, neighbours, and a curve*. One pair (ε, δ) is a point of the curve.
# * ε bounds the odds; δ is what sticks out, and must be far below one over the number of people.
# * Noise is scaled to what one person can change, and bounding that is half of the work.
# * Gaussian releases are one number: μ. Squares add up, groups multiply.
# * What comes after is free. Whatever looked at the data before is not.
# * Seeds, floating point, timing and tuning are outside the formula. Ask about them.
#
# ## Further reading
#
# * {cite:t}`dwork2014`: the textbook. {cite:t}`dwork2006`: where it began. {cite:t}`warner1965`: where it began
#   forty years earlier.
# * {cite:t}`nissim2007`: smooth sensitivity, with the median as its first example.
# * {cite:t}`balle2018`: the Gaussian mechanism, exactly. {cite:t}`dong2022`: trade-off curves and μ.
#   {cite:t}`bun2016`: zCDP.
# * {cite:t}`dwork2010` and {cite:t}`kairouz2015`: composition, advanced and exact.
# * {cite:t}`liu2019` and {cite:t}`papernot2022`: private tuning. {cite:t}`mironov2012`: floating point.
