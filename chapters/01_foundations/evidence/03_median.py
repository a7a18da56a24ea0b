# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Noise for a median: local, global and smooth sensitivity, by formula and by brute force.'
# ---

# %% [markdown]
# # Noise for a median
#
# ```{admonition} What this page establishes
# :class: tip
# Noise that is measured against our own data gives its readers a second message, its standard deviation. Smooth sensitivity
# limits what this message says. For the median it has a formula, which agrees with brute force. {doc}`/chapters/02_policy_evaluation/evidence/02_mechanisms`
# uses the same idea for the value of a treatment.
# ```

# %% tags=["parameters", "remove-input"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here

# %% tags=["hide-input"]
from itertools import product

import numpy as np
from scipy.stats import norm

from privrl_core.privacy import gaussian_mu, smooth_gaussian_alpha
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore

# %% [markdown]
# (smooth-sensitivity)=
# ## Noise measured against our own data tells something, too
#
# A *median* of $n$ numbers in $[0, 1]$ has global sensitivity 1. With 501 zeros and 500 ones the median is 0, and one person
# can make it 1. Noise for a change of 1 drowns everything, and real data are rarely so evenly split. So why not measure the noise against
# *our* data, by the **local sensitivity** $A_0(X) = \max_{X' \simeq X} \lvert f(X) - f(X')\rvert$? Because the standard
# deviation of the noise would then be computed from the data, without noise. With 501 zeros it is proportional to 1, as we saw. With 502
# zeros and 499 ones no single person can move the median, and it is 0. These two data sets are neighbours, and a published
# median of 0.3 tells its readers with certainty which of them it was.
#
# The way out is a standard deviation that changes slowly from neighbour to neighbour. It is proportional to the **smooth
# sensitivity** {cite:p}`nissim2007`
#
# $$S_\beta(X) = \max_{k \ge 0}\ e^{-\beta k/2} A_k(X),$$
#
# where $A_k$ is the largest local sensitivity of any data set that differs from ours in at most $k$ people. Between neighbours
# $S_\beta$ changes by a factor of at most $e^{\beta/2}$, and the variance of the noise by at most $e^\beta$. What this change tells has
# to be paid for. The noise is $\sigma = \alpha\,S_\beta(X)$, where the factor α depends on ε, δ and β and is larger than for
# noise of a public size; {doc}`/chapters/02_policy_evaluation/evidence/06_calibration` computes it.
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

smooth = (np.exp(-0.6 / 2 * np.arange(4)) * formula).max(axis=1)
ratios = smooth[:, None] / smooth
assert ratios[distance <= 1].max() <= np.exp(0.6 / 2) * (1 + 1e-12)  # smooth for β = 0.6

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
    0.005,
    0.125,
    0.065,
    points=13,
    steps=12,
    scale="linear",
    low_end="its size tells little",
    high_end="its size follows the data",
)
clinic_choice = Choice("clinic", "answers in the clinic", tuple(clinics), "alike")
distance_axis = Axis("k", "people who differ from our data, k", 0, 600, scale="linear", points=31)

def smooth_of(beta, clinic):
    return np.max(np.exp(-np.multiply.outer(beta / 2, np.arange(n + 1))) * sensitivities[clinic], axis=-1)

def spread(beta):
    return smooth_gaussian_alpha(1.0, 1e-5, float(beta), 1)

A_table = Table(
    (clinic_choice, distance_axis),
    [sensitivities[name][np.rint(distance_axis.grid).astype(int)] for name in clinics],
)
fading = Table.of(lambda beta, k: np.exp(-beta * k / 2), beta_slider, distance_axis)
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
        Curve("discounted: e^(−βk/2) Aₖ", fading * A_table),
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
              " standard deviation {noise}, which follows the data at "
              "β = {beta}, or of {worst} if it may not.",
    alt="Sensitivity of the median against the number k of people who differ, for the clinic “{clinic}”: the local"
        " sensitivity rises with k, from {local} to 1; discounted with β = {beta} "
        "it has its maximum at {smooth}, the smooth sensitivity. The global one is 1.",
    caption=f"The median of {n:,} answers in [0, 1].",
)

# %% [markdown]
# **What you should see.** At β = 0.065 the noise is 6.8 times $S_\beta$. It is 0.010 for the clinic whose patients are alike, 0.079
# where all answers are equally frequent, and 1.3 for the two camps. The median of the camps moves by only 0.0012 if one person
# changes. But in a clinic that differs from theirs in twenty people, one more moves the median by more than a third of the whole
# range. With a small β even clinics very different from ours count; a large β lets the noise say more, and pays
# with a larger factor α.

# %% tags=["hide-input"]
# what the answer says
assert round(spread(0.065), 1) == 6.8 and round(1 / gaussian_mu(1, 1e-5), 1) == 3.7
sizes = [spread(0.065) * smooth_of(0.065, name) for name in clinics]
assert np.allclose(sizes, [0.010, 0.079, 1.3], rtol=0.02), sizes
assert round(sensitivities["two camps"][0], 4) == 0.0012 and sensitivities["two camps"][20] > 1 / 3

# and the worst that neighbours can be: their medians S apart, their standard deviations a factor e^(β/2)
def outside(width, shift):        # of N(0, 1), where p > e q for q = N(shift, width²)
    z = np.linspace(-60, 60, 2_000_001)
    return np.maximum(norm.pdf(z) - np.e * norm.pdf(z, shift, width), 0).sum() * (z[1] - z[0])

for beta in (0.005, 0.065):
    for width in (np.exp(beta / 2), np.exp(-beta / 2)):
        assert outside(width, min(width, 1) / spread(beta)) <= 1e-5 * (1 + 1e-3)

# %% [markdown]
# In most of this book the function is a *sum*, to which each person contributes a bounded amount. Its local
# sensitivity is never below half the global one, so smooth sensitivity would gain little there.
#
# ## Check yourself
#
# **The median's local sensitivity on our data is 0.001. May we add noise for 0.001?**
#
# ```{dropdown} No, but for the smooth sensitivity, times a factor that depends on ε, δ and β.
# ✓ Yes. It is never below the local one, and changes by a factor of at most $e^{\beta/2}$ between neighbours. The factor
# pays for what its size still tells.
# ```
# ```{dropdown} Yes, our data are our data.
# The promise compares neighbours, and the noise of a neighbour may be larger. Then the *size* of the noise tells which data set
# it was.
# ```
# ```{dropdown} No, one must always take the global sensitivity.
# That is allowed, but there is a better way: a bound that changes slowly between neighbours.
# ```
