# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A promise, checked: noise that patients add, an audit from outside, the area of δ by four routes, how small δ must be, what no formula covers.'
# ---

# %% [markdown]
# # The promise, checked
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../02_a_promise` and {doc}`../03_noise_that_keeps_it`. Patients can add the noise themselves; a mechanism can be audited by running it; the area δ
# comes out the same by four routes; δ has to be far below one over the number of people; and some leaks lie outside of every formula.
# ```

# %% tags=["parameters", "remove-input"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here
epsilon = 1.0
delta = 1e-5
n_people = 10_000

# %% tags=["hide-input"]
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.integrate import quad
from scipy.special import expit, ndtr
from scipy.stats import binomtest, laplace, norm

from privrl_core.privacy import (
    REPLACE_ONE, Guarantee, Status, Unit, belief_ceiling, detection_ceiling, epsilon_lower_bound, gaussian_delta,
    gaussian_detection_ceiling, gaussian_mu, right_guess_ceiling)
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore, largest, show
from privrl_core.pages import PALETTE, use_theme

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# (randomised-response)=
# ## Noise that the patients add themselves
#
# On the main pages the clinic knows all records and is trusted. What if it is not? Warner {cite:p}`warner1965` let each person add the noise
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
# *One person in a hundred has a rare condition, and you hear a "yes" at ε = 5. Is it more likely than not that this person has it? And how
# many people does the study need at ε = 1: more or fewer than ten thousand?*

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

# %% [markdown]
# (audit-from-outside)=
# ## How to check a promise from outside
#
# Run the mechanism many times on each of two inputs, count how often something happens, and compare the two counts.
# `epsilon_lower_bound` computes a confidence interval for each probability, by Clopper and Pearson's method, and takes the two values in
# these intervals that are closest together. The logarithm of their ratio is then at most ε. So counting can prove that a
# mechanism is *worse* than some ε. It can never prove that it is better.
#
# Here randomised response is audited. Which outcome to count, here "yes", was fixed beforehand. At the confidence of this cell the proof is wrong once in ten million times:

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
# (area-by-four-routes)=
# ## What sticks out, by four routes
#
# Let $p$ be the density of what is published from our data, and $p'$ that from a neighbour. The logarithm of their ratio is the **privacy
# loss**,
#
# $$L(z) = \ln \frac{p(z)}{p'(z)} .$$
#
# For Laplace noise of scale b and answers at distance Δ, $\lvert L\rvert \le \Delta/b$ everywhere. For Gaussian noise $L$ is a
# straight line in z, which exceeds every ε somewhere. The area of $p$ that sticks out above $e^\varepsilon p'$ is exactly the δ
# that is needed:
#
# ```{math}
# :label: eq-hockey-stick
# \begin{aligned}
# \delta(\varepsilon) &= \int \max\bigl(0,\ p(z) - e^\varepsilon p'(z)\bigr)\,dz \\
#  &= \mathbb E_{z \sim p}\bigl[\max(0,\ 1 - e^{\varepsilon - L(z)})\bigr],
# \end{aligned}
# ```
#
# since $p' = p\,e^{-L}$. This is the area for one pair of neighbours in one order. For a mechanism take the largest over all pairs and
# both orders; for these two noises it is attained by any pair at distance Δ. The area is never more than the probability
# that $L > \varepsilon$, and often much less.

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
# ### Explore: what sticks out
#
# *With Gaussian noise of standard deviation 2, which ε leaves an area of about 0.01? Switch to Laplace noise. From which
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
    low_end="narrow pictures",
    high_end="wide pictures",
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
# **What you should see.** At ε = 0.92 about 0.01 sticks out. With Laplace noise of standard deviation 2, which is $b = \sqrt2$,
# nothing sticks out from $\varepsilon = \sqrt2/2 = 0.71$ on.
#
# Here is the same area by four routes: the formula of the core, the integral, a simulation of the privacy loss, and
# another library.

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
# (which-number)=
# ## Which number gives Anna away
#
# The count of {doc}`../02_a_promise` with noise from a coin, whose steps are made rarer or less rare by the second slider. The ratio of
# the two probabilities is the same for every published number from 31 upwards, and its inverse from 30 downwards.
#
# *At which rarity would 40 make you nine tenths sure of a yes, if both answers were equally likely before?*

# %% tags=["remove-input"]
published_slider = Slider("published", "published number", 22, 40, 33, points=19, steps=18, scale="linear",
                          low_end="below the count", high_end="above the count")
rarer_slider = Slider("rarer", "each step away from 0 is so many times rarer", 1.1, 5, 2, points=81,
                      low_end="more noise", high_end="less noise")

def height(count):
    def chance(rarer, published):
        return (rarer - 1) / (rarer + 1) * rarer ** -np.abs(published - count)
    return Table.of(chance, rarer_slider, published_slider)

no, yes = height(30), height(31)

explore(
    name="which_number", sliders=[published_slider, rarer_slider], x=published_slider,
    y=Axis("probability", "probability", 1e-6, 1),
    curves=[Curve("Anna said yes", yes), Curve("Anna said no", no)],
    readouts=[Readout("no", "probability of this number, if no", no),
              Readout("yes", "probability of this number, if yes", yes),
              Readout("ratio", "the larger is so many times the smaller", largest(yes / no, no / yes))],
    guarantee="Whatever the clinic publishes is at most {rarer} times as likely with Anna's true answer as with the "
              "opposite one (replace one answer), proved. Here it is {ratio} times.",
    alt="Probability of each published number, on a logarithmic axis, if Anna said no, with its peak at 30, and if she said "
        "yes, with its peak at 31. Each step away from the peak is {rarer} times rarer. At the published number {published} the "
        "probabilities are {no} and {yes}; the larger is {ratio} times the smaller.",
    caption="What the clinic might publish in each world. On this axis equal ratios are equal gaps. The lines join the "
            "probabilities of whole numbers.")

# %% [markdown]
# **What you should see.** At a rarity of 9, which is beyond the slider. At its end, 5, you are five sixths sure, and 31 makes you just as
# sure as 40.
#
# Next is what sticks out of Anna's picture with Gaussian noise. *Which standard deviation leaves a thousandth at ε = 1?*

# %% tags=["remove-input"]
raise_slider = Slider("epsilon", "ε: how far the other picture is raised", 0.05, 2.5, 0.25, points=50, steps=49,
                     scale="linear", low_end="hardly raised", high_end="raised twelvefold")
bell_slider = Slider("s", "standard deviation of the noise", 1, 4, 1, points=7, steps=6, scale="linear",
                       low_end="narrow pictures", high_end="wide pictures")
count_axis = Axis("z", "published number", 26, 36, scale="linear", points=141)

yes_bell, no_bell = (Table((bell_slider, count_axis), norm.pdf(count_axis.grid, count, bell_slider.grid[:, None]))
                     for count in (31, 30))
lifted = Table.of(lambda epsilon: np.exp(epsilon), raise_slider) * no_bell
its_area = Table.of(lambda epsilon, s: gaussian_delta(epsilon, 1 / s), raise_slider, bell_slider)

explore(
    name="what_sticks_out", sliders=[raise_slider, bell_slider], x=count_axis,
    y=Axis("density", "density", 0, 0.6, scale="linear"),
    curves=[Curve("Anna said no", no_bell, reference=True),
            Curve("Anna said yes", yes_bell),
            Curve("Anna said no, raised; shaded: sticks out", lifted, low=lifted, high=largest(lifted, yes_bell))],
    readouts=[Readout("area", "area that sticks out, δ", its_area, at_most=True)],
    guarantee="(ε = {epsilon}, δ = {area})-differential privacy for one answer (replace one), proved, for Gaussian noise of "
              "standard deviation {s}.",
    alt="Density of the published number if Anna said yes, and the density if she said no, raised by a factor e to the "
        "{epsilon}. The noise has standard deviation {s}. The area of the first above the second is {area}.",
    caption="Gaussian noise. The shaded area is the part of the picture for yes that lies above the raised picture for no.")

# %% [markdown]
# **What you should see.** Between 2.5 and 3, although the shaded area is hardly visible long before.

# %% [markdown]
# (small-delta)=
# ## How small δ must be
#
# The careless dice of {doc}`../02_a_promise` publish each person's complete record with probability δ, and are
# $(0, \delta)$-differentially private. Now count the victims:

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
    caption="The worst that δ permits, on average. A mechanism may be far better; then its whole curve shows it, and this pair "
            "does not.",
)

# %% [markdown]
# **What you should see.** For 10,000 people it takes $\delta = 10^{-6}$, a hundredth of $1/n$.
#
# So a δ means something only far below $1/n$. Gaussian noise does nothing as nasty. Its loss grows slowly, so with a δ that is a hundred
# thousand times smaller its ε is only moderately larger. That is a reason to state the whole *curve*, as {doc}`02_finer_accounting`
# does, and not one pair.
#
# (no-formula-covers)=
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
# **The rest.** The running time of a computation, earlier publications, features that were chosen after a look at the
# data, and paper records on a desk can all give somebody away. Differential privacy covers the output of the algorithm that was
# analysed, and nothing else.
#
# ## A guarantee, written out
#
# In this book a guarantee is an object. It carries the unit, the neighbours and the curve, and it refuses to promise more
# than they imply:

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

# %% tags=["remove-cell"]
# what the answers above say
assert np.allclose(expit(np.log(0.01 / 0.99) + np.array([1, 5])), [0.027, 0.60], rtol=0.02)
assert np.allclose(0.25e4 / np.tanh(np.array([1, 0.1]) / 2) ** 2, [11_700, 1e6], rtol=0.01)
assert gaussian_delta(1, 1 / 2.5) > 1e-3 > gaussian_delta(1, 1 / 3)
assert np.isclose(gaussian_delta(0.92, 1 / 2), 0.01, rtol=0.01)
assert -np.expm1(1e4 * np.log1p(-1e-6)) < 0.01

# %% [markdown]
# (epsilon-means-checked)=
# ## What ε means, by brute force
#
# {doc}`../06_what_epsilon_means` gives bounds by formula. Here the best attackers play. Against randomised response at ε = 1 the best
# guess repeats the answer. Against Gaussian noise with the μ of ε = 1 and δ = 10⁻⁵, the best guess asks on which side of the middle the
# published number lies, and the best detector raises an alarm above the 99 % quantile of the world without Anna. Each count
# lies within 5.5 standard errors of its bound.

# %%
games = max(20_000, round(1_000_000 * effort))
mu = float(gaussian_mu(1.0, 1e-5))
anna = rng.random(games) < 0.5
by_response = np.mean(randomised_response(anna, 1.0, rng) == anna)
published = rng.normal(size=games) + mu * anna
by_side = np.mean((published > mu / 2) == anna)
detected = np.mean(published[anna] > norm.ppf(0.99))

exact = gaussian_detection_ceiling(0.01, mu)
bounds = [expit(1.0), ndtr(mu / 2), exact]
for count, bound in zip((by_response, by_side, detected), bounds):
    assert abs(count - bound) < 5.5 * np.sqrt(bound * (1 - bound) / (games / 3))
pd.DataFrame({"attacker": ["response, right", "Gaussian, right", "Gaussian, detected"],
              "counted": [by_response, by_side, detected],
              "bound": bounds}).style.hide().format("{:.4f}", ["counted", "bound"])

# %% [markdown]
# All readings of {doc}`../06_what_epsilon_means`, at six values of ε:

# %% tags=["hide-input"]
def readings(e, at_delta):
    """What the best attacker can do against pure noise, or against Gaussian noise at this δ."""
    mu = float(gaussian_mu(e, at_delta)) if at_delta else None
    promise = Guarantee(e, at_delta, Unit("one answer"), REPLACE_ONE, Status.PROVED, "noise", mu=mu)
    right = right_guess_ceiling(promise)
    return {"right guesses": right, "advantage": 2 * right - 1,
            "detections": float(gaussian_detection_ceiling(0.01, mu) if mu else detection_ceiling(0.01, e, 0)),
            **{f"belief, from {prior:.0%}": belief_ceiling(promise, prior)[0] for prior in (0.01, 0.1, 0.5)}}

table = pd.DataFrame({(kind, f"{e:g}"): readings(e, at_delta) for kind, at_delta in (("pure", 0.0), ("Gaussian", delta))
                      for e in (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)}).T
table.index.names = ["noise", "ε"]
table.style.format("{:.3f}").set_caption(f"Upper bounds for every attacker. Gaussian noise at δ = {show(delta)}")

# %% tags=["remove-input"]
grows = 2e-5 / norm.cdf(norm.ppf(2e-5) - mu)
surest = expit(norm.isf(2e-5, mu**2 / 2, mu))                    # of the number itself, whose log-odds are normal
half = readings(1.0, delta)["belief, from 50%"]
assert round(grows, 1) == 3.3 and delta == 1e-5 and np.isclose(half / (1 - half), grows) and round(surest, 3) == 0.757 < half < 0.769
md(f"No Gaussian release keeps beliefs below a bound for certain. The beliefs of its rows are exceeded in at most 2 of 100,000 cases, that is 2δ at δ = 10⁻⁵: an event with this probability in one world can be at most {grows:.1f} times rarer in the other at ε = 1, so publications that raise the odds further are rarer still. "
   f"The published number itself, at ε = 1 and from 50 %, leads beyond {100 * surest:.1f} % in 2 of 100,000 cases after a yes. The {100 * half:.1f} % of its row are a little higher, because they hold for everything that is computed from the number as well. "
   "Pure noise never lets them grow more than $e$ = 2.7 times.")

# %% [markdown]
# ## Check yourself
#
# **Somebody answers "yes" by randomised response with ε = 0.1. What do you know about them?**
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
