# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'How much noise smooth sensitivity needs: three rules for α and β, the exact one computed and sampled, and why it
#         takes half of the largest β.'
# ---

# %% [markdown]
# # The calibration, checked
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../03_smooth_it`, and stands between the smooth bounds and the mechanisms of {doc}`02_mechanisms`. Three rules say how much noise goes with a smooth bound: that of {cite:t}`balle2016` as printed, the one proved in their appendix, and an exact one. The exact one is computed and checked by sampling.
# The page also shows what α and β limit, why the exact rule takes half of the largest β, and from how many visitors on one's own data decide.
# What is protected: one trajectory; neighbours replace one.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2016         # all randomness comes from here
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.optimize import brentq
from scipy.stats import norm

from privrl_core.privacy import (
    as_printed, as_proved, calibrate_exact, gaussian_mu, smooth_gaussian_alpha, smooth_gaussian_beta_max,
    smooth_gaussian_delta)
from privrl_core.policy_evaluation import FirstVisitStatistics, noise_scale_lsw_non_private, tabular_features
from privrl_core.pages.explorer import show
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
rng = np.random.default_rng(seed)
Phi, w = tabular_features(40), np.ones(40)
d = 40                                                    # parameters, one a stage

# %% [markdown]
# (exact-calibration)=
# ## Three rules for the noise
#
# The mechanism publishes $\mu_X + \mathcal N(0, \sigma_X^2 I_d)$, with
#
# (a) $\sigma_X \ge \alpha\,\lVert \mu_X - \mu_{X'}\rVert_2$, enough noise to hide the move, and<br>
# (b) $\lvert \ln\sigma_X^2 - \ln\sigma_{X'}^2\rvert \le \beta$, widths that differ little,
#
# for all neighbours. Which $(\alpha, \beta)$ give $(\varepsilon, \delta)$-differential privacy? There are three answers.
#
# ```{prf:lemma} no. 1 of the paper, used by Algorithms 1 and 2
# :label: balle2016-lemma-1
# :nonumber:
# $\displaystyle \alpha = \frac{5\sqrt{2\ln(2/\delta)}}{\varepsilon}$ and $\displaystyle \beta = \frac{\varepsilon}{4\,(d + \ln(2/\delta))}$
# suffice. (Cited from a preprint, without a range for ε. It
# holds wherever one would use it; with $d = 1$ and $\delta = 0.3$ it fails from about $\varepsilon = 50$ on.)
# ```
#
# ```{prf:lemma} no. 14 of the paper, proved in its appendix
# :label: balle2016-lemma-14
# :nonumber:
# For $\varepsilon \le 5$ and $\beta \le \ln 2$,
# $\displaystyle \alpha = \frac{15\sqrt{2\ln(4/\delta)}}{\varepsilon}$ and
# $\displaystyle \beta = \frac{2\ln 2\;\varepsilon/5}{\bigl(\sqrt d + \sqrt{2\ln(4/\delta)}\bigr)^2}$ suffice.
# ```
#
# The third answer is to *compute*. Two Gaussians whose means and widths are as different as (a) and (b) allow have a
# definite $\delta$ at each $\varepsilon$, an integral over one variable. `calibrate_exact` takes half the largest possible
# $\beta$, and with it the smallest $\alpha$ whose $\delta$ is what was promised. (That the worst ratio of widths is one
# of the two ends is not obvious. The proof is folded here.)
#
# ```{dropdown} Why an end is worst
# Let $P = N(0, I_d)$ be the narrower law, $Q_r = N(v, rI_d)$ with $r > 1$, and $E$ the event that the loss exceeds
# $\varepsilon$: a ball, of radius $R$. A Gaussian density solves the heat equation, $\partial_r q = \frac12\Delta q$. Since
# $E$ is the best event, moving its boundary changes nothing to first order, and Gauss's theorem gives
#
# $$\begin{aligned}
# \frac{d\delta}{dr} &= -\frac{e^\varepsilon}{2}\int_E \Delta q \\ &= \frac{1}{2r}\oint_{\partial E} p\;(x - v)\cdot n,
# \end{aligned}$$
#
# because $e^\varepsilon q = p$ on the sphere. There $p$ grows as $e^{\kappa \cos}$ of the angle to $v$, with
# $\kappa = R\lVert v\rVert/(r - 1)$, and the mean of that cosine is $A(\kappa) = I_{d/2}(\kappa)/I_{d/2-1}(\kappa)$. So
# $d\delta/dr$ has the sign of $h - \kappa A(\kappa)$, where, with $\tau = 1/(r-1)$,
#
# $$\begin{aligned}
# h &= \frac{R^2}{r} = \lVert v\rVert^2\tau^2 \\
#   &\quad + \tau\bigl(d \ln(1 + 1/\tau) - 2\varepsilon\bigr), \\
# \kappa^2 &= \lVert v\rVert^2\, h\, \tau(\tau + 1).
# \end{aligned}$$
#
# Where the two terms meet, use $A' = 1 - A^2 - (d-1)A/\kappa$ and write $u = \kappa A'/A$, which lies in $(0, 1)$ because $A$
# rises and $A/\kappa$ falls. What remains is
#
# $$\begin{aligned}
# \tau(\tau+1)\,\frac{d}{d\tau}(h - \kappa A) &= -u\,h\,(2\tau + 1) \\
#   &\quad - \frac{\tau}{2}(1 - u)^2 < 0 .
# \end{aligned}$$
#
# As $r$ grows ($\tau$ falls), $\delta$ can thus turn from falling to rising, and never back: over an interval of ratios it
# is largest at an end. If $P$ is the wider law, exchange the two: $\delta$ becomes $1 - e^\varepsilon + e^\varepsilon$ times the
# same quantity at $-\varepsilon$, and the sign of $\varepsilon$ was never used. The package's tests check each line.
# ```

# %%
settings = list(dict.fromkeys([(0.1, 0.1), (epsilon, delta)]))
rules = {"as printed": as_printed, "as proved": as_proved, "exact": calibrate_exact}

def calibrated(name, epsilon, delta):
    alpha, beta = rules[name](epsilon, delta, d)
    return {"ε": epsilon, "δ": delta, "rule": name, "α": alpha, "β": beta,
            "true δ": smooth_gaussian_delta(epsilon, alpha, beta, d)}

calibrations = pd.DataFrame([calibrated(name, *setting)
                             for setting in settings for name in rules])
formats = {"ε": show, "δ": show, "α": "{:.2f}", "β": show, "true δ": show}
calibrations.style.hide().format(formats)

# %% tags=["remove-input"]
def times_too_large(epsilon, delta):
    alpha, beta = as_printed(epsilon, delta, d)
    return alpha / smooth_gaussian_alpha(epsilon, delta, beta, d)

md(f"The first two rules hold, with room to spare: their true δ is not a tenth but a number with tens of zeros. "
   f"That room is paid for in noise: at its own β, the printed rule takes **{times_too_large(0.1, 0.1):.0f} times** too much "
   f"at ε = δ = 0.1 and {times_too_large(epsilon, delta):.1f} times at ε = {show(epsilon)}, δ = {show(delta)}. And its β is "
   "smaller than it has to be.")

# %% [markdown]
# *Checked by sampling.* The integral behind `true δ` is easy to get wrong, so here is a route without it: draw from
# the first Gaussian, measure how much likelier the draw is there than under the second, and average the excess
# $\bigl(1 - e^{\varepsilon - \text{loss}}\bigr)_+$. The worst pair has the largest shift; its widths are either
# equal or a factor $e^{\beta/2}$ apart, in either direction.

# %%
def sampled_delta(epsilon, shift, ratio, n):
    """Mean excess of N(0, I) over N(shift, ratio I), and its standard error."""
    along, across = rng.normal(size=n), rng.chisquare(d - 1, size=n)
    of_first, of_second = along**2 + across, (along - shift) ** 2 + across
    loss = (d * np.log(ratio) + of_second / ratio - of_first) / 2
    excess = np.maximum(0, 1 - np.exp(epsilon - loss))
    return excess.mean(), excess.std() / np.sqrt(n)

def worst_sampled(epsilon, delta, n=max(100_000, round(2_000_000 * effort))):
    alpha, beta = calibrate_exact(epsilon, delta, d)
    equal, wider = (1 / alpha, 1), (1 / alpha, np.exp(beta))
    narrower = np.exp(-beta / 2) / alpha, np.exp(-beta)
    return max(sampled_delta(epsilon, *pair, n)
               for pair in (equal, wider, narrower))

# %%
sampled = pd.DataFrame(
    [(*setting, *worst_sampled(*setting)) for setting in settings],
    columns=["ε", "promised δ", "sampled δ", "standard error"])
missed = abs(sampled["sampled δ"] - sampled["promised δ"])
assert (missed < 6 * sampled["standard error"]).all()
sampled.style.hide().format(show)

# %% [markdown]
# (half-of-beta)=
# ### What α and β limit
#
# One record can show in the published values in two ways, and each number limits one of them. Here $\beta$ bounds the change of the variance, so the standard deviation changes by at most a factor $e^{\beta/2}$. This factor is the inverse of the discount for each replaced record on {doc}`../03_smooth_it`.

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
# A larger α makes the noise larger, and the move is harder to see. But it does not help against the second: both curves become wider by the same factor, and their ratio stays.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels over the change of the noise by one record, in percent. Left, δ of the size alone, at ε = 1, on a logarithmic axis: it rises steeply, and crosses 0.00001 at 2.35 percent. Right, α relative to noise of fixed size: 1 at the left, 1.3 at 1.17 percent, and without bound towards 2.35 percent."}}
largest_beta, fixed = smooth_gaussian_beta_max(epsilon, delta, d), 1 / float(gaussian_mu(epsilon, delta))
alpha_exact, beta_exact = calibrate_exact(epsilon, delta, d)

def size_change(beta):
    return 100 * np.expm1(np.asarray(beta) / 2)

some_betas = largest_beta * np.linspace(0.45, 3, 60)
some_shares = np.concatenate([np.linspace(0.02, 0.9, 45), np.linspace(0.91, 0.985, 16)])
alphas_half = np.array([smooth_gaussian_alpha(epsilon, delta, share * largest_beta, d) for share in some_shares]) / fixed
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.3))
left.plot(size_change(some_betas), [smooth_gaussian_delta(epsilon, np.inf, beta, d) for beta in some_betas], color=PALETTE[1], lw=2.2)
left.axhline(delta, color=REFERENCE, ls="--", lw=1)
left.plot(size_change(largest_beta), delta, "o", color="#4a5058", ms=8)
left.text(size_change(largest_beta) + 0.25, delta / 2.5, f"largest β: {size_change(largest_beta):.2f} %", color="#4a5058", weight="bold", va="top")
left.text(0.15, delta * 1.6, "promised δ", color="#5f6368")
left.set(yscale="log", xlim=(0, 7), ylim=(1e-12, 1), xlabel="one record changes the size by, in %", ylabel="what its size alone tells: δ at ε = 1", title="Some change is too much, whatever α is")
right.plot(size_change(some_shares * largest_beta), alphas_half, color=PALETTE[1], lw=2.2)
right.axvline(size_change(largest_beta), color=REFERENCE, ls="--", lw=1)
right.plot(size_change(beta_exact), alpha_exact / fixed, "o", color="#4a5058", ms=8)
right.text(size_change(beta_exact) - 0.05, alpha_exact / fixed + 0.3, f"half of it: {alpha_exact / fixed:.2f}", color="#4a5058", weight="bold", ha="right")
right.set(xlim=(0, 2.6), ylim=(0, 6), xlabel="one record changes the size by, in %", ylabel="α, relative to noise of fixed size", title="Half of it leaves room for the move");

# %% tags=["remove-input"]
md(f"At {size_change(largest_beta):.2f} % the size alone tells all that δ allows (left), and at 10 % or a third far more. So there is a largest β, {largest_beta:.4f}. But there nothing is left for the move, and α would have to be infinite (right). "
   f"The exact rule takes half of the largest β, {show(beta_exact)}: one record changes the noise by at most {size_change(beta_exact):.2f} %.")

# %% tags=["remove-cell"]
if (epsilon, delta) == (1.0, 1e-5):
    assert round(beta_exact, 4) == 0.0232 and round(float(size_change(beta_exact)), 2) == 1.17 and round(float(size_change(largest_beta)), 2) == 2.35

# %% [markdown]
# (why-half)=
# ### Why half of the largest β
#
# A large β leaves little of δ for the move of the means, so α is large. A small β hardly discounts the data sets that are far away, so it takes more visitors until our own data decide. Half of the
# largest β is a compromise. Any other share keeps the promise as well, if it is chosen without a look at the data.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels over β, as a share of its largest value. Left, α relative to noise of fixed size: 1 at the left, 1.3 at one half, and without bound towards the right end. Right, the number of visitors from which on our own data decide, logarithmic: tens of thousands at the left, 544 at one half, 240 at the right."}} tags=["hide-input"]
def cliff(beta):
    """From this many visitors on the near end wins: beta (v - 1) = 2 ln v."""
    return brentq(lambda v: beta * (v - 1) - 2 * np.log(v), 2 / beta, 1e9)

largest_beta, fixed = smooth_gaussian_beta_max(epsilon, delta, d), 1 / float(gaussian_mu(epsilon, delta))
shares = np.concatenate([np.linspace(0.02, 0.9, 45), np.linspace(0.91, 0.985, 16)])
alphas = np.array([smooth_gaussian_alpha(epsilon, delta, share * largest_beta, d) for share in shares]) / fixed
cliffs = np.array([cliff(share * largest_beta) for share in shares])
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.3))
for ax, number in ((left, alphas), (right, cliffs)):
    ax.plot(shares, number, lw=2.2)
    ax.plot(0.5, np.interp(0.5, shares, number), "o", color="#4a5058", ms=8)
    ax.axvline(1, color=REFERENCE, ls="--", lw=1)
    ax.set(xlim=(0, 1.05), xlabel="β, as a share of the largest")
left.set(ylim=(0, 6), ylabel="α, relative to fixed noise", title="A large β: more noise per unit")
right.set(yscale="log", ylim=(100, 3e4), ylabel="visitors until our own data decide", title="A small β: more visitors needed")
left.text(0.48, 1.6, f"{np.interp(0.5, shares, alphas):.2f}", color="#4a5058", weight="bold", ha="right")
right.text(0.52, 640, f"{int(np.ceil(cliff(largest_beta / 2)))}", color="#4a5058", weight="bold");

# %% tags=["remove-input"]
assert int(np.ceil(cliff(largest_beta / 2))) == 544 or (epsilon, delta) != (1.0, 1e-5)
md(f"At half of the largest β, α is {smooth_gaussian_alpha(epsilon, delta, largest_beta / 2, d):.2f}, and noise of a fixed size needs {fixed:.2f}. At a tenth it would be hardly more than the fixed one, but then a stage needs {show(cliff(0.1 * largest_beta), 2)} visitors "
   f"until its own data decide, and not {int(np.ceil(cliff(largest_beta / 2)))}; at a quarter, {int(np.ceil(cliff(largest_beta / 4))):,}. Beyond the half α rises steeply, and little is gained in visitors.")

# %% [markdown]
# (whose-data-decide)=
# ### Whose data decide?
#
# {doc}`../03_smooth_it` has a slider for the change by one record. Its straight line is the data set with a single visitor, discounted; its curve is our own data. No data set between the two ever decides, since the discounted sensitivity is convex in the number of records. A brute force over all of them agrees, for three changes.

# %% tags=["remove-input"]
md(f"Our own data decide from {int(np.ceil(cliff(2 * np.log1p(0.0117))))} visitors on at 1.17 %, and from {int(np.ceil(cliff(beta_exact)))} on with all digits of β. The steps are then {np.log(4 / 3) / (beta_exact / 2):.0f} times smaller than by hand, with a discount of 3/4, where nine visitors were enough. But {np.log(4 / 3) / (beta_exact / 2):.0f} times nine visitors are not enough, because with more visitors the local sensitivity is smaller, "
   "and the discounted number has to fall below it. The closer the discount is to 1, the closer smooth sensitivity comes to the worst case.")

# %% tags=["remove-cell"]
assert (epsilon, delta) != (1.0, 1e-5) or round(np.log(4 / 3) / (beta_exact / 2)) == 25 and 25 * int(np.ceil(cliff(2 * np.log(4 / 3)))) < 300

# %% tags=["remove-cell"]
for beta_tried in (beta_exact, beta_exact / 2, 2 * np.log1p(0.333)):
    least = int(np.ceil(cliff(beta_tried)))
    for count, own_data_decide in ((least - 1, False), (least, True)):
        k = np.arange(count)
        discounted = np.exp(-k * beta_tried / 2) / (count - k)
        assert (np.argmax(discounted) == 0) == own_data_decide and np.argmax(discounted) in (0, count - 1)

# %% [markdown]
# Multiplied by α, this is the noise in each value. The worst case is that of {doc}`../01_problem`: a single record decides about 39 averages.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the noise in each value against the number of visitors of each stage, both logarithmic. Worst-case noise is flat at 23. Smooth noise starts on a plateau a little higher, falls off a cliff between a hundred and five hundred visitors, and then runs just above the noise by local sensitivity. With the paper's constants the plateau is about five times higher and the cliff is at 3,400 visitors."}} tags=["hide-input"]
sizes = np.unique(np.geomspace(10, 1e5, 400).round())
worst_case = fixed * np.sqrt(d - 1)

def smooth_noise(rule, v):
    alpha, beta = rule(epsilon, delta, d)
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
ax.set(xscale="log", yscale="log", ylim=(1e-4, 500), xlim=(10, 1.1e5), xlabel="visitors of each stage",
       ylabel="standard deviation of the noise", title="The paper's constants move the cliff to the right");

# %% tags=["remove-input"]
crosses = int(np.arange(1, 300)[np.argmax(smooth_noise(calibrate_exact, np.arange(1, 300)) < worst_case)])
md(f"* **Few visitors.** With fewer than {crosses} visitors smooth noise is even larger than in the worst case: {smooth_noise(calibrate_exact, 10):.0f} with 10 visitors, and {worst_case:.0f} in the worst case.\n"
   f"* **Hundreds.** The noise falls off a cliff, to {smooth_noise(calibrate_exact, 300):.2f} with 300 visitors and {smooth_noise(calibrate_exact, 500):.3f} with 500.\n"
   f"* **More than {int(np.ceil(cliff(beta_exact)))}.** It is {smooth_gaussian_alpha(epsilon, delta, beta_exact, d) / fixed:.2f} times what the local sensitivity asks for: {smooth_noise(calibrate_exact, 10_000):.4f} with 10,000 visitors.\n"
   f"* **The constants of the paper.** The cliff comes at {show(cliff(as_printed(epsilon, delta, d)[1]), 2)} visitors.")

# %% tags=["remove-cell"]
for v_tried in (30, 300, 500, 1000, 10_000):
    for rule in (calibrate_exact, as_printed):
        assert np.isclose(smooth_noise(rule, v_tried), noise_scale_lsw_non_private(
            FirstVisitStatistics(np.full(d, v_tried), np.zeros(d), v_tried, 1.0), Phi, w, return_bound=1, epsilon=epsilon, delta=delta, rule=rule))
if (epsilon, delta) == (1.0, 1e-5):
    assert round(float(smooth_noise(calibrate_exact, 10))) == 28 and crosses == 26 and round(cliff(as_printed(epsilon, delta, d)[1]), -2) == 3_400
    assert smooth_noise(calibrate_exact, 300) > 0.9 and abs(smooth_noise(calibrate_exact, 30) / worst_case - 1) < 0.1 and smooth_noise(calibrate_exact, 550) < 0.06

# %% [markdown]
# ## To take away
#
# * Two numbers limit what one record shows: α how far it moves the values, β how much it changes the size of the noise.
# * The printed constants hold, with room to spare that is paid for in noise. The exact rule computes δ and takes half of the largest β.
# * The noise has a plateau and a cliff. The calibration decides where the cliff stands: at 544 visitors, or at 3,400 with the printed constants.
