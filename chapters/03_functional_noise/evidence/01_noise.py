# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Draw a random function one point at a time, exactly: Ornstein-Uhlenbeck paths, the bridge as
#         printed and as it should be, and what they hide.'
# ---

# %% [markdown]
# # Noise that is a curve, checked
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../02_a_random_curve`. Equation (2) of the paper, which draws a random function point by point, is misprinted; with the right
# weights and variance the covariance is exact for every order of questions. The maximum of such a function has a short bound; the paper's
# is up to two hundred times larger, and false for σ > 1. A release of the function is exactly as private as one Gaussian number, with the
# norm of $H^1$ as its sensitivity. In two dimensions the space of the noise need not hold the networks.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2019         # all randomness comes from here
beta = 16.0         # how fast a path forgets: over distances of about 1/β
sigma = 0.32        # how large it is: its standard deviation at each point
delta = 1e-5

# %% tags=["hide-input"]
import json
import math
from copy import deepcopy

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from matplotlib.ticker import LogLocator, NullFormatter
from scipy.special import ndtr

from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show
from privrl_core.functional_noise import (
    GaussianField, OUPath, PiecewiseLinear, band_limited_kernel, bridge, expected_sup_bound,
    manhattan_kernel, relu_network, rkhs_norm, sample_ou, sup_abs_tail, sup_tail,
    sup_tail_exact)
from privrl_core.privacy import gaussian_epsilon, gaussian_mu
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # for the examples; for the noise
same_normals, other_normals, weights_rng = noise_rng.spawn(2) + rng.spawn(1)

# %% [markdown]
# ## Why the noise must be a function
#
# Let $f$ be a function on [0, 1] that is to be released: say, how good it is to be at $x$. A reader asks for $f(x)$ and
# gets $f(x)$ plus noise. If the noise is fresh with each answer, the reader asks again and takes the mean. If
# it is drawn once for each $x$ and kept, the reader asks at $x$, $x + 10^{-9}$, $x + 2\cdot10^{-9}$, … and takes
# the mean, because $f$ hardly changes over such distances. How far off is the mean of 10,000 answers, typically?

# %%
def f(x):
    return 0.5 - np.abs(x - 0.5)     # a reward of the chapter: highest in the middle

close_by, readers = 0.3 + 1e-9 * np.arange(10_000), 100
independent = noise_rng.normal(0, sigma, (readers, close_by.size))
asked_by_all = np.tile(close_by, (readers, 1))
paths = sample_ou(asked_by_all, beta, sigma, noise_rng)            # random functions

both = independent, paths
pd.DataFrame({
    "noise": ["independent for each point", "a path"],
    "error of one answer": [np.std(noise[:, 0]) for noise in both],
    "error of the mean of all": [np.std(noise.mean(axis=1)) for noise in both],
}).style.hide().format(precision=4)

# %% [markdown]
# Against a path the trick does nothing: points close together get nearly the same noise, as they have nearly the same $f$.
# That is the idea of {cite:t}`hall2013`, which {cite:t}`wang2019` bring to reinforcement learning. Their paths have
# mean 0 and covariance
#
# ```{math}
# :label: eq-ou-kernel
# \begin{gathered}
# \operatorname{Cov}\bigl(g(x), g(y)\bigr) = \sigma^2 K(x, y), \\ K(x, y) = e^{-\beta\lvert x - y\rvert},
# \end{gathered}
# ```
#
# the *Ornstein-Uhlenbeck process*. Its size is σ everywhere, and it forgets itself over distances of about $1/\beta$:

# %% mystnb={"image": {"alt": "Three random functions on the unit interval between minus one and one: for beta 1 it wanders slowly, for beta 16 it crosses zero every few tenths, for beta 1000 it looks like white noise."}} tags=["hide-input"]
x = np.linspace(0, 1, 2001)
fig, axes = plt.subplots(1, 3, figsize=(5.6, 2.5), sharey=True)
for ax, b, colour in zip(axes, (1, 16, 1000), PALETTE):
    ax.plot(x, sample_ou(x, b, sigma, deepcopy(same_normals)), color=colour, lw=1)
    ax.set(title=f"β = {b:,}", xlabel="x", xticks=[0, 0.5, 1], ylim=(-1.25, 1.25))
axes[0].set_ylabel("g(x)");

# %% [markdown]
# (ask-and-average)=
# ### Explore: ten thousand questions
#
# **Question:** how much noise is left in the mean of many answers, close together or spread out? The interval [0, 1] stands for 16 to 24 °C, as on the main page.

# %% tags=["hide-input"]
questions_asked = Slider("n", "number of questions", 1, 10_000, 10, points=81, steps=80, low_end="few", high_end="many")
width = Slider("width", "the questions lie within so many °C", 0.001, 2, 0.001, points=67, steps=66, low_end="close together", high_end="spread out")

def of_the_mean(n, width):
    """Standard deviation of the mean of n values of the path, width/n degrees apart."""
    step = -np.expm1(-beta * width / 8 / n)             # 1 - ρ, for ρ the correlation of two neighbouring answers
    kept = 1 - step
    return sigma * np.sqrt((n * step * (1 + kept) + 2 * kept * np.expm1(n * np.log1p(-step))) / (n * step) ** 2)

for n, w in ((1, 1.0), (7, 2.0), (400, 0.5), (400, 2.0)):    # against the sum of all covariances
    asked_at = np.arange(n) * w / 8 / n
    assert np.isclose(of_the_mean(n, w), sigma * np.sqrt(np.exp(-beta * np.abs(np.subtract.outer(asked_at, asked_at))).mean()), rtol=1e-6)
curve_error = Table.of(of_the_mean, questions_asked, width)
point_error = Table.of(lambda n: sigma / np.sqrt(n), questions_asked)

explore(
    name="ask_and_average", sliders=[questions_asked, width], x=questions_asked, y=Axis("error", "noise that is left in the mean", 1e-3, 1),
    curves=[Curve("one number for each point", point_error), Curve("one path", curve_error)],
    readouts=[Readout("points", "left in the mean, one number for each point", point_error), Readout("curve", "left in the mean, one path", curve_error)],
    guarantee="No privacy guarantee for one number for each point: after {n} questions its noise has shrunk to {points}. Of a path, answers that lie close together say nearly the same; "
              "which guarantee this gives depends on the neighbours, as below.",
    alt="The noise left in the mean of the answers against the number of questions, both logarithmic. For one number for each point it falls steadily, to {points} after {n} "
        "questions. For a path it stays at {curve} if the questions lie within {width} degrees.",
    caption="Standard deviation of the mean of all answers. One answer has a standard deviation of 0.32.")

# %% tags=["remove-input"]
md(f"**What you should see.** After 10,000 questions {sigma / 100:.4f} is left of separate numbers. Of a path {of_the_mean(1e4, 0.001):.2f} is left if the questions lie close together, and "
   f"{of_the_mean(1e4, 2.0):.2f} if they are spread over 2 °C. But over 2 °C the function changes too, and the mean is no longer its value at one point.")

# %% [markdown]
# (bridge-checked)=
# ## One point at a time
#
# A path is asked where nobody knew beforehand, one point after another, and each answer must fit all
# earlier ones. This process makes it easy. *It is Markov*: what is known further to the left than the nearest known point on the left tells
# nothing more about $g(x)$, and likewise on the right. So condition a Gaussian on two values. For a path of size 1, with
# known points at distances $a/\beta$ and $b/\beta$, the weights solve
#
# $$\begin{pmatrix} 1 & e^{-(a+b)} \\ e^{-(a+b)} & 1 \end{pmatrix}
#   \begin{pmatrix} w_\ell \\ w_r \end{pmatrix} = \begin{pmatrix} e^{-a} \\ e^{-b} \end{pmatrix},$$
#
# and the variance that remains is $d = 1 - w_\ell e^{-a} - w_r e^{-b}$. That is
#
# ```{math}
# :label: eq-bridge
# \begin{gathered}
# w_\ell = \frac{\sinh b}{\sinh(a+b)}, \qquad w_r = \frac{\sinh a}{\sinh(a+b)}, \\
# d = \frac{2\sinh a\,\sinh b}{\sinh(a+b)},
# \end{gathered}
# ```
#
# the *bridge*: the **nearer** known point gets the larger weight, and close to a known point there is no variance left.
#
# ```{admonition} As printed: Equation (2) of the paper
# :class: note
# With $s^- < s < s^+$, $a = \beta(s - s^-)$, $b = \beta(s^+ - s)$,
#
# $$\begin{gathered} \mu = \frac{2\sinh a\; g(s^-) + 2\sinh b\; g(s^+)}{2\sinh(a+b)}, \\
#   d = 1 - \frac{e^{a}\,2\sinh a + e^{b}\,2\sinh b}{2\sinh(a+b)}, \end{gathered}$$
#
# and line 16 of the algorithm draws from $\mathcal N(\mu, \sigma d)$.
# ```

# %%
def bridge_as_printed(left, s, right, beta):
    a, b = beta * (s - left), beta * (right - s)
    whole = np.sinh(a + b)
    d = 1 - (np.exp(a) * np.sinh(a) + np.exp(b) * np.sinh(b)) / whole
    return np.sinh(a) / whole, np.sinh(b) / whole, d

def bridge_by_hand(left, s, right, beta):
    known = np.array([left, right])
    K = np.exp(-beta * np.abs(np.subtract.outer(known, known)))
    k = np.exp(-beta * np.abs(known - s))
    weights = np.linalg.solve(K, k)
    return *weights, 1 - weights @ k

# %%
cases = [(1, 0.2, 0.3, 0.7), (16, 0.2, 0.3, 0.7), (100, 0.2, 0.21, 0.25)]
rows = []
for b, left, s, right in cases:
    by_hand = bridge_by_hand(left, s, right, b)
    assert np.allclose(by_hand, bridge(left, s, right, b))
    printed = bridge_as_printed(left, s, right, b)
    rows.append((b, f"{left} < {s} < {right}", *by_hand, *printed))
columns = pd.MultiIndex.from_tuples(
    [("", "β"), ("", "points")]
    + [(way, q) for way in ("by hand, and the core", "as printed")
       for q in ("left", "right", "d")])
pd.DataFrame(rows, columns=columns).style.hide().format(precision=4)

# %%
gaps, betas = rng.random((2, 20_000)), 10 ** rng.uniform(-2, 2, 20_000)
_, _, printed = bridge_as_printed(-gaps[0], 0, gaps[1], betas)

# %% tags=["remove-input"]
md(f"The printed weights are exchanged, and the printed variance is **negative in {np.mean(printed < 0):.0%} of "
   f"{printed.size:,} random cases**: nobody can draw from it. (It always is: "
   "$e^a\\sinh a + e^b\\sinh b = \\tfrac12(e^{2a} + e^{2b}) - 1 \\ge e^{a+b} - 1 > \\sinh(a+b)$.) The authors' public code has "
   "the weights and the variance right. These are misprints.")

# %% [markdown]
# Three more things must be right before a path is a path.
#
# **The width.** The standard deviation is $\sigma\sqrt d$. Neither reading of $\mathcal N(\mu, \sigma d)$ gives that,
# unless σ = 1. What becomes of the path can be computed exactly, since each value is a linear function of the normals
# drawn:

# %%
random_order = rng.random(64)

def spread(width):
    """Standard deviation over σ of a path at 64 points asked in random order."""
    points, response = random_order, np.zeros((64, 64))
    for k, s in enumerate(points):
        before = points[:k]
        left = max(before[before < s], default=-np.inf)
        right = min(before[before > s], default=np.inf)
        w_left, w_right, d = bridge(left, s, right, 1)
        for neighbour, weight in ((left, w_left), (right, w_right)):
            if np.isfinite(neighbour):
                known = np.flatnonzero(points == neighbour)[0]
                response[k] += weight * response[known]
        response[k, k] = width(d)
    return np.linalg.norm(response, axis=1)[1:] / sigma

readings = {"standard deviation σ √d": lambda d: sigma * np.sqrt(d),
            "as printed, σ d as standard deviation": lambda d: sigma * d,
            "as printed, σ d as variance": lambda d: np.sqrt(sigma * d)}
spreads = pd.DataFrame([(name, spread(width).min(), spread(width).max())
                        for name, width in readings.items()],
                       columns=["width", "smallest spread / σ", "largest"])
assert np.allclose(spreads.iloc[0, 1:].astype(float), 1)
spreads.style.hide().format(precision=2)

# %% [markdown]
# **The ends.** The paper says: where there is no known point on one side, take $s^+ = 1$ or $s^- = 0$. That leaves $g(0)$ and
# $g(1)$ undefined; if they are 0, the path is pinned there. A known point that is missing is better taken to be *at
# infinity*. With $a = \infty$ the bridge {eq}`eq-bridge` becomes $w_\ell = 0$, $w_r = e^{-b}$, $d = 1 - e^{-2b}$, and with
# both missing $d = 1$: the same formula, the exact law.
#
# **The arithmetic.** With the paper's constants β is between 2,000 and 16,000 (we come to that in {doc}`03_privacy`), and
# $\sinh$ overflows where β times a gap exceeds 710. The ratios in {eq}`eq-bridge` do not: written with
# $e^{-a}$ and $1 - e^{-2a}$ every factor is at most 1. And the agent's states are clipped to [0, 1], so that 0 and 1 are
# asked again and again: a known point must be looked up, since the bridge would divide 0 by 0.

# %%
with np.errstate(over="ignore", invalid="ignore"):
    print("as printed:", *bridge_as_printed(0.20, 0.25, 0.30, 16_162))
print("the core:  ", *(f"{part:.3g}" for part in bridge(0.20, 0.25, 0.30, 16_162)))

# %% [markdown]
# ## A path in fifteen lines

# %%
class PathByHand:
    def __init__(self, beta, sigma, normals):
        self.beta, self.sigma, self.normals = beta, sigma, normals
        self.known = {-math.inf: 0, math.inf: 0}    # nothing is known at infinity

    def __call__(self, x):
        if x not in self.known:
            left = max(point for point in self.known if point < x)
            right = min(point for point in self.known if point > x)
            w_left, w_right, d = bridge(left, x, right, self.beta)
            mean = w_left * self.known[left] + w_right * self.known[right]
            self.known[x] = mean + self.sigma * np.sqrt(d) * next(self.normals)
        return self.known[x]

# %% [markdown]
# The core does the same with sorted blocks in place of `max` and `min`: a million adaptive queries take seconds, not weeks.
# With the same normals, the same values. (It draws them 256 at a time, and uses the last first.)

# %%
questions = rng.permutation(np.append(rng.random(98), [0.0, 1.0]))
normals = deepcopy(same_normals).standard_normal(256)[::-1]
by_hand = PathByHand(beta, sigma, iter(normals))
path = OUPath(beta, sigma, deepcopy(same_normals))
assert np.allclose([by_hand(s) for s in questions], path(questions))
assert np.array_equal(path(questions[::-1]), path(questions)[::-1])  # again: the same

# %% mystnb={"image": {"alt": "One path asked at 6, at 30 and at 2000 points: the points of the coarser pictures stay where they are, and the path between them becomes ever rougher."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 3.5))
grown = OUPath(beta, sigma, noise_rng)
for n, style in ((6, dict(marker="o", ms=9, ls="none", color=PALETTE[1], zorder=3)),
                 (30, dict(marker="o", ms=4.5, ls="none", color=PALETTE[2], zorder=2)),
                 (2000, dict(lw=0.8, color=PALETTE[0], zorder=1))):
    at = np.sort(rng.random(n))
    ax.plot(at, grown(at), label=f"{n:,} more points", **style)
ax.set(xlabel="x", ylabel="g(x)", title="Asked more often, a path changes nothing it said")
ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.18), ncols=3, columnspacing=1);

# %% [markdown]
# **Is the law right, whatever the order of the questions?** Deal out unit vectors in place of normals, and the
# covariance appears without sampling, to the last digits. From left to right, from right to left, at random:

# %%
def covariance(questions, beta):
    response = []
    for k in range(len(questions)):
        unit = np.zeros(len(questions))
        unit[k] = 1
        path = PathByHand(beta, sigma, iter(unit))
        response.append([path(s) for s in questions])
    return np.transpose(response) @ response

points = np.array([0, 0.01, 0.0101, 0.2, 0.5, 0.5 + 1e-9, 0.97, 1])
for b in (0.01, 1, 16, 20_000):
    for order in (points, points[::-1], rng.permutation(points)):
        K = np.exp(-b * np.abs(np.subtract.outer(order, order)))
        assert np.allclose(covariance(order, b), sigma**2 * K, atol=1e-12)

# %% [markdown]
# **For ever.** A released function must give the same answer next year, or the reader has two noisy values to average. So
# a path can be saved, with its generator, and continued. What is saved *is the noise*, and as secret as the data:

# %%
text = json.dumps(path.saved())
continued = OUPath.continued(json.loads(text))
new_questions = rng.random(50)
assert np.array_equal(continued(questions), path(questions))
assert np.array_equal(continued(new_questions), path(new_questions))

# %% [markdown]
# (how-high-a-path-goes)=
# ## How high does it go?
#
# The paper's proof needs a bound on the whole path, since the noise enters what the agent learns from.
#
# ```{prf:lemma} no. 8 of the paper
# :label: wang2019-lemma-8
# :nonumber:
# For $g$ with kernel $\sigma^2 e^{-\beta\lvert x-y\rvert}$ on [0, 1] and any $u > 0$,
# $\displaystyle \Pr\Bigl(\max_x g(x) \ge 8.68\sqrt\beta\,\sigma + u\Bigr) \le e^{-u^2/2}$.
# ```
#
# Two things can be checked. *The mean*: increments of $g$ are smaller than those of $\sqrt{2\beta}\,\sigma$ times a Brownian
# motion, so by the inequality of Sudakov and Fernique $\mathbb E\max g \le 2\sqrt{\beta/\pi}\,\sigma = 1.13\sqrt\beta\,\sigma$. *The
# tail*: Gaussian maxima deviate from their mean like a normal of standard deviation σ, so it should read
# $e^{-u^2/2\sigma^2}$. As printed it forgets σ, which matters once σ > 1.
#
# There is a bound without such detours. How long is the path above $u$, on average? For a path of size 1, a share
# $\Psi(u) = \Pr(\mathcal N(0,1) \ge u)$ of the interval. And once it gets there, it stays for a while.
#
# ```{prf:theorem} A bound on the maximum
# :label: sup-tail
# For a path of size 1 on [0, 1] and $u \ge 0$, with $q(s) = \Psi\bigl(u\sqrt{\tanh(\beta s/2)}\bigr)$ and any $a, c \ge 0$,
#
# $$\Pr\Bigl(\max_x g(x) \ge u\Bigr) \le (a + c)\,\Psi(u) \quad\text{if }
#   a\int_0^y q(s)\,ds + c\,q(y) \ge 1 \text{ for all } y \in [0, 1].$$
# ```
#
# ```{prf:proof}
# Let the path first be at $u$ or above at the point $1 - y$. From there on it is a new one (strong Markov property). At distance $s$
# it is above $u$ with probability at least that for a start *at* $u$: with $\rho = e^{-\beta s}$ it is
# $\mathcal N(\rho u, 1 - \rho^2)$ there, so that is $\Psi(u(1-\rho)/\sqrt{1-\rho^2}) = q(s)$. So $a$ times the length that it
# spends above $u$ in [0, 1], plus $c$ if it is above at 1, is on average at least $a\int_0^y q + c\,q(y) \ge 1$. Without the
# condition the average is $(a + c)\Psi(u)$, and it is at least the probability of getting there, times 1.
# ```
#
# The function $q$ is convex, so that the midpoint rule never exceeds its integral: `sup_tail`, which looks for the best $c$, is a bound
# in fact and not only up to a quadrature error. (Where the probability comes near 1, it bounds parts of the interval and puts them
# together.) For comparison the *exact* probability, `sup_tail_exact`: a path killed at $u$ is a diffusion, and its
# survival a sum over the eigenvalues of its generator.

# %%
levels = np.arange(0, 6.76, 0.25)
for b in (0.01, 1, 16, 1000, 20_000):
    assert all(sup_tail(u, b) >= sup_tail_exact(u, b) - 1e-10 for u in levels[::3])

grid = np.linspace(0, 1, 2001)
runs = max(200, round(1000 * effort))
highest = sample_ou(np.tile(grid, (runs, 1)), beta, 1, noise_rng).max(axis=1)

# %% mystnb={"image": {"alt": "Probability that a path exceeds a level, on a logarithmic axis, for the chosen beta: sampled and exact curves coincide, the bound is within a few per cent above three, and the curve of Lemma 8 begins only far to the right."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 4.2))
far = np.linspace(0, 45, 400)
ax.plot(levels, [sup_tail_exact(u, beta) for u in levels], color=REFERENCE, lw=5, alpha=0.5, label="exact")
ax.plot(far, sup_tail(far, beta), label="the bound above")
mean_bound, lemma_mean = expected_sup_bound(beta), 8.68 * np.sqrt(beta)
ax.plot(far, np.exp(-np.maximum(far - mean_bound, 0) ** 2 / 2), label="Sudakov-Fernique and Borell")
ax.plot(far, np.exp(-np.maximum(far - lemma_mean, 0) ** 2 / 2), label="Lemma 8")
ax.plot(np.sort(highest), 1 - np.arange(runs) / runs, ".", ms=3, color=PALETTE[4], label=f"{runs:,} paths")
ax.set(yscale="log", ylim=(1e-8, 2), xlabel="u / σ", ylabel="Pr(max g ≥ u)", title=f"How high a path goes (β = {beta:g})")
ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.18), ncols=2);

# %%
p = 1 - (1 - 5e-5) ** (1 / 78)     # what Appendix E.3 grants each of its 78 paths
u, borell = np.arange(0, 12, 0.01), np.sqrt(-2 * np.log(p))
quantiles = pd.DataFrame([{
    "β": b,
    "Lemma 8": 8.68 * np.sqrt(b) + borell,
    "Sudakov-Fernique and Borell": expected_sup_bound(b) + borell,
    "the bound above": u[np.argmax(sup_tail(u, b) <= p)],
    "the same for max |g|": u[np.argmax(sup_abs_tail(u, b) <= p)],
} for b in (0.01, 1, 16, 100, 1e4, 16_162)])
quantiles.style.hide().format("{:,g}", "β").format("{:,.2f}", quantiles.columns[1:])

# %%
b, wide, u = 0.01, 5, 3
true_tail = sup_tail_exact(8.68 * np.sqrt(b) + u / wide, b)
assert true_tail > np.exp(-u**2 / 2)

# %% tags=["remove-input"]
last = quantiles.iloc[-1]
md(f"Levels, in units of σ, that one path exceeds with probability {show(p)} at most. For the roughest path of the paper's "
   f"appendix Lemma 8 asks for {last['Lemma 8']:,.0f} σ, where **{last['the bound above']:.1f} σ** will do. And with σ = {wide}, "
   f"β = {b}, u = {u} the lemma allows {np.exp(-u**2 / 2):.3f} where the truth is **{true_tail:.3f}**: it holds for σ ≤ 1 only. "
   "(The paper uses σ up to 1; the earlier version allows up to 5.)")

# %% [markdown]
# (what-a-path-hides)=
# ## What it hides
#
# A path is added to $f$, or to a neighbour $f'$. How well can a reader tell, who asks wherever they like? Asked at $n$
# points, two Gaussian vectors with the same covariance $\sigma^2 K$ and means that differ by $h = (f - f')(x_1, \dots, x_n)$ are
# as far apart as $\mathcal N(0, 1)$ and $\mathcal N(\mu, 1)$, with $\mu = \sqrt{h^\top K^{-1} h}/\sigma$. More points can only
# help the reader. But they help less and less:

# %%
def mu_after(n, difference, noise):
    at = np.linspace(0, 1, n)
    h = difference(at)
    if noise == "independent":
        return np.sqrt(h @ h) / sigma
    K = np.exp(-beta * np.abs(np.subtract.outer(at, at)))
    return np.sqrt(h @ np.linalg.solve(K, h)) / sigma

bump = PiecewiseLinear([0, 0.3, 0.5, 0.7, 1], [0, 0, 0.1, 0, 0])
numbers = 2 ** np.arange(1, 11) + 1       # each grid holds the one before
limit = rkhs_norm(bump, beta) / sigma

# %% mystnb={"image": {"alt": "How far apart two released functions are, against the number of queries. With independent noise it grows without end like the root of the number; with a path it levels off at a limit that the norm gives."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 3.4))
for noise in ("independent", "one path"):
    ax.plot(numbers, [mu_after(n, bump, noise) for n in numbers], "o-", ms=4, label=noise)
ax.axhline(limit, color=REFERENCE, ls=":", label=r"$\|f - f'\|_H\,/\,\sigma$")
ax.set(xscale="log", yscale="log", xlabel="queries", ylabel="μ", title="Noise that is a function runs out of things to tell")
ax.yaxis.set_major_formatter("{x:g}")
ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
ax.yaxis.set_minor_formatter(NullFormatter())
ax.legend();

# %% [markdown]
# The limit is a norm of $h = f - f'$, that of the *reproducing-kernel Hilbert space* of $K$:
#
# ```{prf:lemma} no. 6 of the paper
# :label: wang2019-lemma-6
# :nonumber:
# The functions on [0, 1] with a square-integrable (weak) derivative, $H^1$, with
#
# $$\langle f, g\rangle = \tfrac12\bigl(f(0)g(0) + f(1)g(1)\bigr) + \frac{1}{2\beta}\int_0^1 f'g' + \beta^2 f g \;dx,$$
#
# are the Hilbert space with reproducing kernel $K_y(x) = e^{-\beta\lvert x-y\rvert}$: $\langle f, K_y\rangle = f(y)$.
# ```
#
# ```{prf:proposition} no. 4 of the paper, after Hall, Rinaldo and Wasserman; here in its exact form
# :label: functional-mechanism
# :nonumber:
# Releasing $f + g$, a path $g$ with covariance $\sigma^2K$, at any number of points, is $\mu$-Gaussian differentially private with
# $\mu = \max_{f \simeq f'} \lVert f - f'\rVert_H/\sigma$.
# ```
#
# *Checked.* For the lemma, the inner product with $K_y$ of a cubic and of a hat; for the proposition, the limit in the picture.
# (In the lemma's proof stands $f(x)^2 \le 2\beta\langle f,f\rangle$, which takes $f(0) = 0$ for granted. Since
# $f(x)^2 = \langle f, K_x\rangle^2$ and $\langle K_x, K_x\rangle = 1$, what holds is $f(x)^2 \le \langle f, f\rangle$.)

# %%
fine = np.union1d(np.linspace(0, 1, 20_001), [0.3])
K_y = np.exp(-beta * np.abs(fine - 0.3))

def inner(f, g):      # (|f + g|² - |f - g|²) / 4
    plus, minus = (rkhs_norm(PiecewiseLinear(fine, f + sign * g), beta) ** 2
                   for sign in (1, -1))
    return (plus - minus) / 4

for values in (fine**3, f(fine)):
    at_y = values[fine == 0.3][0]
    assert np.isclose(inner(values, K_y), at_y, atol=1e-5 * (1 + beta))
assert 0.9 * limit < mu_after(numbers[-1], bump, "one path") < limit * (1 + 1e-9)
constant = PiecewiseLinear([0, 1], [1, 1])
# 2β⟨f, f⟩ = 0.1 < f² = 1:
assert np.isclose(rkhs_norm(constant, 0.05) ** 2, 1 + 0.05 / 2)

# %% [markdown]
# So it is not the *height* of a difference that counts but its norm, and that has slopes in it. Four differences, none
# above 0.1:

# %%
def zigzag(teeth):
    knots = np.linspace(0, 1, 2 * teeth + 1)
    return PiecewiseLinear(knots, np.where(np.arange(knots.size) % 2, 0.1, -0.1))

differences = {"constant 0.1": PiecewiseLinear([0, 1], [0.1, 0.1]),
               "bump of 0.1": bump,
               "zigzag, 10 teeth": zigzag(10),
               "zigzag, 100 teeth": zigzag(100)}

def steepest(h):
    return np.max(np.abs(np.diff(h.values, axis=0).T / np.diff(h.knots)))

hidden = pd.DataFrame([{
    "difference": name, "steepest slope": steepest(h),
    "norm": rkhs_norm(h, beta), "μ": rkhs_norm(h, beta) / sigma,
    "ε": gaussian_epsilon(delta, rkhs_norm(h, beta) / sigma)}
    for name, h in differences.items()])
hidden.style.hide().format("{:.3g}", ["steepest slope", "norm", "μ", "ε"])

# %% [markdown]
# For a guarantee one has to know how *steep* a difference can be. If $\lvert h\rvert \le S$ and its slope is at most $\Lambda$,
# then
#
# ```{math}
# :label: eq-norm-bound
# \begin{gathered}
# \lVert h\rVert_H^2 \le S^2\bigl(1 + \tfrac\beta2\bigr) + \frac{\Lambda^2}{2\beta}, \\
# \text{least at } \beta = \Lambda/S: \quad S^2 + S\Lambda .
# \end{gathered}
# ```
#
# A paper that protects a network's output must therefore bound how steep the *difference of two networks* can be: 2L if each
# has slope at most L, not L. And L has to be *enforced*. The paper says that it depends on the architecture only, but:

# %%
def random_network(scale, rng, sizes=(1, 16, 16, 1)):
    pairs = list(zip(sizes, sizes[1:]))
    weights = [scale * rng.normal(size=(after, before)) / np.sqrt(before)
               for before, after in pairs]
    biases = [scale * rng.normal(size=after) for _, after in pairs]
    return relu_network(weights, biases)

for scale in (1, 3, 10):
    network = random_network(scale, deepcopy(weights_rng))
    print(f"weights times {scale:2d}: L = {steepest(network):8.2f},  "
          f"norm {rkhs_norm(network, beta)[0]:8.2f}")

# %% [markdown]
# ### Why a network lies in the space, and what a neighbouring reward does to it
#
# A ReLU network with one input is a chain of straight pieces, so its norm is a finite sum over its knots, and
# `rkhs_norm` is exact (the paper's Corollary 7 says that the norm is finite). Take a network with one hidden layer, do one step of
# gradient descent towards rewards $r$ and, from the same start and on the same 64 states, towards $r' = r + h$:

# %%
def one_step(rewards, states, step=0.05, units=16):
    """A hidden layer of ReLU units after one step on the squared error."""
    w1, b1, w2 = deepcopy(weights_rng).normal(size=(3, units))
    w2, b2 = w2 / 4, 0.0
    before = np.outer(states, w1) + b1
    hidden, on = np.maximum(before, 0), before > 0
    error = (hidden @ w2 + b2 - rewards) / states.size    # its part of the mean
    back = error[:, None] * on * w2
    w1, b1 = w1 - step * states @ back, b1 - step * back.sum(axis=0)
    w2, b2 = w2 - step * error @ hidden, b2 - step * error.sum()
    return relu_network([w1[:, None], w2[None]], [b1, [b2]])

states = rng.random(64)
neighbours = {"0.1 everywhere": np.full(64, 0.1),
              "0.1 on the left half": 0.1 * (states < 0.5),
              "± 0.1, at random": 0.1 * rng.choice([-1, 1], size=64)}
moved = {name: one_step(f(states), states) - one_step(f(states) + h, states)
         for name, h in neighbours.items()}
after = pd.DataFrame([{
    "r′ − r": name, "largest |Q − Q′|": np.abs(h.values).max(),
    "norm of Q − Q′": rkhs_norm(h, beta)[0],
    "μ of one release": rkhs_norm(h, beta)[0] / sigma} for name, h in moved.items()])
after.style.hide().format("{:.4f}", after.columns[1:])

# %% mystnb={"image": {"alt": "Differences of two networks after one step under neighbouring rewards: piecewise linear functions with kinks at the knots of both networks; largest for a constant shift of the reward."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 3.4))
for name, h in moved.items():
    ax.plot(h.knots, h.values[:, 0], label=name)
ax.set(xlabel="x", ylabel="Q − Q′", title="One step under neighbouring rewards")
ax.legend(title="r′ − r", loc="upper center", bbox_to_anchor=(0.45, -0.18), ncols=3, columnspacing=1);

# %% [markdown]
# One step moves the network a little. It does *not* help that the batch has 64 states: rewards may change at all of them, and the
# mean moves as much as each. What happens over many steps, when the next one starts from a network that was never hidden, is
# the matter of {doc}`03_privacy`.
#
# One more thing to keep apart. The paper speaks of paths *in* $H^1$. A path has infinite norm; at $n$ points it is a
# chi-square with $n$ degrees of freedom. $H^1$ holds the shifts that the noise can hide, which are smoother than the noise.

# %%
for n in (100, 1_000, 10_000):
    values = sample_ou(np.linspace(0, 1, n), beta, 1, noise_rng)
    decay = np.exp(-beta / (n - 1))
    steps = (values[1:] - decay * values[:-1]) / np.sqrt(1 - decay**2)
    squared = values[0] ** 2 + steps @ steps
    print(f"{n:6,} points: squared norm of what is known {squared:8,.0f}")

# %% [markdown]
# ### Explore: rough or smooth?
#
# The curve that a reader sees is $f + g$, for one and the same sequence of normals. *Which β gives the smallest ε at this σ?
# Equation {eq}`eq-norm-bound` knows; find it by moving. What does a very rough path do to the slope of what is seen, and why does it
# not hide better?*

# %% tags=["hide-input"]
height, slope = 0.1, 1.0      # of a difference of neighbours: at most

def mu_of(sigma, beta):
    return np.sqrt(height**2 * (1 + beta / 2) + slope**2 / (2 * beta)) / sigma

sigma_slider = Slider("sigma", "size of the noise σ", 0.1, 2, min(max(sigma, 0.1), 2), points=49,
                      low_end="more accurate", high_end="more private")
beta_choice = Choice("beta", "roughness β", (0.5, 1, 2, 5, 10, 20, 50, 200, 1000), 50,
                     low_end="smooth: hides heights", high_end="rough: hides slopes")
place = Axis("x", "x", 0, 1, scale="linear", points=201)
truth = Table((place,), f(place.grid), scale="linear")
unit_path = Table((beta_choice, place), [sample_ou(place.grid, b, 1, deepcopy(other_normals))
                                         for b in beta_choice.grid], scale="linear")
size = Table.of(lambda sigma: sigma, sigma_slider)
loss = Table.of(np.vectorize(lambda sigma, beta: gaussian_epsilon(1e-5, mu_of(sigma, beta))), sigma_slider, beta_choice)
top = Table((beta_choice,), [expected_sup_bound(b) for b in beta_choice.grid])

explore(
    name="sample_path", sliders=[sigma_slider, beta_choice], x=place,
    y=Axis("value", "value", -2, 3, scale="linear"),
    curves=[Curve("released, f + g", truth + size * unit_path, low=truth - size * 1.96, high=truth + size * 1.96),
            Curve("f, not private", truth, reference=True)],
    readouts=[Readout("epsilon", "privacy loss ε at δ = 10⁻⁵", loss, at_most=True),
              Readout("band", "19 of 20 points of f + g are within ±", size * 1.96),
              Readout("top", "mean of the highest point of g, at most", size * top)],
    guarantee="({epsilon}, 10⁻⁵)-differential privacy for one function on [0, 1], asked anywhere and for ever; neighbours: "
              "functions that differ by at most 0.1, with slopes that differ by at most 1. Proved, for noise with σ = {sigma}.",
    alt="The tent f and a released f + g at σ = {sigma}, β = {beta}, with a band of ± {band} around f. The privacy loss is "
        "{epsilon}; the highest point of the noise is {top} on average or less.",
    caption="A function under one path of noise.")

# %% tags=["remove-input"]
smallest = [gaussian_epsilon(1e-5, mu_of(0.32, b)) for b in (10, 1000)]
md(f"**What you should see.** β = 10, the largest slope divided by the largest height, gives the smallest ε: {smallest[0]:.1f} at σ = 0.32, against "
   f"{smallest[1]:.1f} at β = 1,000. A very rough path makes the curve that is seen very steep. It does not hide better, because a difference of 0.1 over "
   "the whole interval shows through it as a mean of many nearly independent values.")

# %% [markdown]
# (shift-or-ripple)=
# ### Explore: the ripples and the shift
#
# Noise that forgets faster, with a larger β, is rougher, and can imitate ripples. Here β is per °C, and 16 to 24 °C stand for [0, 1], as on the main page.
#
# **Question:** what does rougher noise do, at σ = 0.32, to a difference of 0.1 everywhere, and to a wave between −0.1 and 0.1?

# %% tags=["hide-input"]
rough = Slider("beta", "β: how fast the noise forgets, per °C", 0.125, 125, 0.125, points=61, steps=60, low_end="slow noise", high_end="rough noise")
waves = Choice("waves", "ripples of the wave", (1, 2, 5, 10, 20, 50), 10, low_end="few", high_end="many")

def norm_of_shift(beta):
    return 0.1 * np.sqrt(1 + 4 * beta)

def norm_of_wave(waves, beta):
    return 0.1 * np.sqrt(1 + 2 * beta + (2 * np.pi * waves / 8) ** 2 * 2 / beta)

for b in (16.0, 1000.0):
    fine = np.linspace(0, 1, 40_001)
    assert np.isclose(norm_of_wave(20, b / 8), rkhs_norm(PiecewiseLinear(fine, 0.1 * np.cos(40 * np.pi * fine)), b), rtol=1e-3)
    assert np.isclose(norm_of_shift(b / 8), rkhs_norm(PiecewiseLinear([0, 1], [0.1, 0.1]), b), rtol=1e-9)

def right(norm):
    return ndtr(norm / 0.32 / 2)

def at_delta(norm):
    return gaussian_epsilon(1e-4, norm / 0.32)

shifted = Table.of(lambda beta: right(norm_of_shift(beta)), rough)
rippled = Table.of(lambda waves, beta: right(norm_of_wave(waves, beta)), waves, rough)
explore(
    name="shift_or_ripple", sliders=[rough, waves], x=rough, y=Axis("right", "right guesses of the best attacker", 0.5, 1, scale="linear"),
    curves=[Curve("shift: 0.1 everywhere", shifted, at_most=True), Curve("ripples between −0.1 and 0.1", rippled, at_most=True)],
    readouts=[Readout("shift", "right guesses, 0.1 everywhere", shifted, at_most=True),
              Readout("ripple", "right guesses, ripples", rippled, at_most=True),
              Readout("epsilon", f"ε for the ripples, at δ = {show(1e-4)}",
                      Table.of(lambda waves, beta: at_delta(norm_of_wave(waves, beta)), waves, rough), at_most=True)],
    guarantee="(ε = {epsilon}, δ = " + show(1e-4) + ")-differential privacy for one function, asked anywhere and for ever; neighbours: two functions that "
              "differ by this wave (ripples: {waves}); proved, for σ = 0.32 and β = {beta} per °C.",
    alt="Right guesses of the best attacker against β, for a difference of 0.1 everywhere and for a wave (ripples: {waves}). At β = {beta} per °C they are "
        "{shift} and {ripple}. The first curve climbs with β; the second falls and then climbs.",
    caption="A coin is right in half of the cases. The attacker may ask at every temperature. An ε of 30, say, is a guarantee in name only.")

# %% tags=["remove-input"]
md(f"**What you should see.** With ten ripples the right guesses about them fall from practically 100 in 100 to {100 * right(norm_of_wave(10, 2.5 * np.pi)):.0f} at β ≈ {2.5 * np.pi:.0f} per °C, where the curves cross, and climb again by the height of the "
   f"ripples. Those about the shift climb from {100 * right(norm_of_shift(0.125)):.0f} to {100 * right(norm_of_shift(125.0)):.0f}. With more ripples the crossing moves to larger β, and lies higher.")

# %% [markdown]
# (more-dimensions)=
# ## More dimensions
#
# A state is rarely one number. The paper's discussion offers $e^{-\beta\lVert x - y\rVert_1}$ (Manhattan distance) and, as another
# choice, band-limited functions, and says that but for the calibration everything holds, at a cost of $O(N^2)$. The first kernel is a
# product, one path along each axis. On a *grid* one can therefore draw with two recursions, one along each axis:

# %%
side = max(60, round(250 * effort))
axis = np.linspace(0, 1, side)
white = sample_ou(np.tile(axis, (side, 1)), 8, 1, noise_rng)      # side paths
decay = np.exp(-8 * np.diff(axis, prepend=-np.inf))
sheet = [white[0]]
for k in range(1, side):                # the same recursion, from path to path
    sheet.append(decay[k] * sheet[-1] + np.sqrt(1 - decay[k] ** 2) * white[k])

band_limited = GaussianField(band_limited_kernel(2), 1, noise_rng, dimension=2)
coarse = np.linspace(0, 1, max(15, round(45 * effort)))
points = np.stack(np.meshgrid(coarse, coarse), axis=-1).reshape(-1, 2)
smooth_sheet = band_limited(points)

# %% mystnb={"image": {"alt": "Two random sheets over the unit square as colours: on the left the Manhattan kernel, rough, with streaks along both axes; on the right the band-limited kernel, smooth hills and valleys."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(5.6, 2.8))
for ax, values, title in ((axes[0], np.array(sheet), "Manhattan, β = 8"),
                          (axes[1], smooth_sheet.reshape(coarse.size, -1), "band-limited")):
    picture = ax.imshow(values, origin="lower", extent=(0, 1, 0, 1), cmap="cividis", vmin=-3, vmax=3)
    ax.set(title=title, xlabel="x₁", xticks=[0, 0.5, 1])
    ax.grid(False)
axes[0].set_ylabel("x₂")
fig.colorbar(picture, ax=axes, shrink=0.85);

# %% [markdown]
# Asked at points that nobody knew beforehand, there are no two points that tell all. The value depends on *everything* known: the
# $n$-th question takes about $n^2/2$ multiplications (one triangular solve; the factor grows by a row), and $N$ questions
# $N^3/6$ in this way, not $O(N^2)$; a kernel of low rank, or a Markov one, takes less. How much is *new* in an answer, given all before it, depends on the kernel. A band-limited
# field has few degrees of freedom: after so many questions, the rest is all but known. (A speck of independent noise, $10^{-5}\sigma$,
# keeps the linear algebra from dividing by what is left.)

# %%
kernels = {"Manhattan, β = 8": manhattan_kernel(8),
           "band-limited, 4 periods": band_limited_kernel(4),
           "band-limited, 2 periods": band_limited_kernel(2)}
questions_2d, new = rng.random((max(100, round(500 * effort)), 2)), {}
for name, kernel in kernels.items():
    field = GaussianField(kernel, 1, noise_rng, dimension=2)
    answers = field(questions_2d)
    assert np.array_equal(field(questions_2d[::-1]), answers[::-1])
    new[name] = field.conditional_spreads

# %% mystnb={"image": {"alt": "What is new in an answer against the number of questions, on a logarithmic axis: with the Manhattan kernel it stays near one half; with band-limited kernels it falls steeply after some tens of questions, down to the speck of independent noise."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 3.7))
for name, spreads_of in new.items():
    ax.plot(np.arange(1, spreads_of.size + 1), spreads_of, ".", ms=4, label=name)
ax.set(yscale="log", xlabel="questions", ylabel="spread, given all before", title="A band-limited field has soon said it all")
ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.18), ncols=2, markerscale=2);

# %% [markdown]
# **But does the space hold the networks?** With the Manhattan kernel the norm contains the *mixed* second derivative
# $\partial_1\partial_2 h$. For a ReLU unit across both axes, $\max(0, x_1 + x_2 - 1)$, that is a ridge of point masses along a line, and
# not square-integrable. The norm is infinite, and no σ hides a change of such a unit:

# %%
def squared_norm_on_grid(h, n, beta=1.0):
    at, decay = np.linspace(0, 1, n + 1), np.exp(-beta / n)
    whiten = (np.eye(n + 1) - decay * np.eye(n + 1, k=-1)) / np.sqrt(1 - decay**2)
    whiten[0, 0] = 1                            # the factor of K⁻¹ along one axis
    return np.sum((whiten @ h(at[:, None], at) @ whiten.T) ** 2)

units = {"ReLU unit": lambda x, y: np.maximum(x + y - 1, 0),
         "tanh unit": lambda x, y: np.tanh(x + y - 1)}
sides = (16, 32, 64, 128, 256)
in_two = pd.DataFrame({"points": [f"{n + 1} × {n + 1}" for n in sides]} | {
    name: [squared_norm_on_grid(h, n) for n in sides] for name, h in units.items()})
assert in_two["ReLU unit"].iloc[-1] > 1.9 * in_two["ReLU unit"].iloc[-2]
in_two.style.hide().format("{:.2f}", in_two.columns[1:])

# %% [markdown]
# It doubles with every refinement, while smooth units settle. (Band-limited functions hold neither: all of them are analytic.) So in
# two dimensions the step from "recalibrate" to "done" needs another activation, or features that lie in the space.
#
# ```{exercise}
# :label: ex-wrong-end
# The authors' public code has one slip that the paper doesn't: to the right of all known points it conditions on the *leftmost*
# known value. Ask such a path at 0.2, 0.4, 0.6, 0.8, 1 in this order, with β = 1, σ = 1. What is the
# covariance of $g(0.2)$ and $g(1)$, and what should it be? (Do it on paper: each new value is a multiple of $g(0.2)$ plus
# something independent.)
# ```
#
# ```{solution} ex-wrong-end
# :class: dropdown
# The slip takes the distance to the nearest point and the value of the leftmost: $g(1) = e^{-0.2}g(0.2) + \dots$, so the
# covariance is $e^{-0.2} = 0.82$ and should be $e^{-0.8} = 0.45$. The path remembers its first value for ever.
# ```
#
# ```{exercise}
# :label: ex-ends-of-beta
# A difference of neighbours is at most $S = 0.1$ high with slopes of at most $\Lambda = 2$. Which β would you choose, and what σ does
# ε = 1 at δ = 10⁻⁵ take? How much more would it take with β = 16,162, from the paper's appendix?
# ```

# %%
def sigma_for(beta, mu, height=0.1, slope=2):
    return np.sqrt(height**2 * (1 + beta / 2) + slope**2 / (2 * beta)) / mu

our_choice, printed = (sigma_for(beta, gaussian_mu(1, 1e-5)) for beta in (20, 16_162))
assert round(our_choice, 2) == 1.71 and round(printed, 1) == 33.5

# %% [markdown]
# ```{solution} ex-ends-of-beta
# :class: dropdown
# $\beta = \Lambda/S = 20$ and $\lVert h\rVert_H^2 \le S^2 + S\Lambda = 0.21$. With `gaussian_mu(1, 1e-5)` = 0.268,
# σ = √0.21/0.268 = 1.71. With β = 16,162 it is 9.0/0.268 = 33.5, twenty times as much: such a path is white noise to the eye, and a
# difference of 0.1 everywhere is plain to see through it.
# ```
#
# ## To take away
#
# * Noise for a function must be a function: then nearby questions get nearby noise, and asking on tells less and less.
# * An Ornstein-Uhlenbeck path is Markov, so it can be asked anywhere, at any time, from two known points. A known point that
#   is missing is one at infinity.
# * It hides differences that are small in the norm of $H^1$, which counts height *and slope*. A promise has to bound both.
# * Its maximum has a short, rigorous bound; the paper's is up to two hundred times larger, and false for σ > 1.
# * With two inputs the networks may leave the space. Check before you calibrate.
