# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Smooth sensitivity for policy evaluation: DP-LSW and DP-LSL built in a few lines, each statement
#         checked, with sliders for ε, δ and σ.'
# ---

# %% [markdown]
# # The mechanisms, checked
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../02_noise_that_follows` and {doc}`../03_smooth_it`. The bounds on what one trajectory can change and their smooth versions are checked
# statement by statement, by brute force and by sampling; {doc}`06_calibration` does the same for the size of the noise. DP-LSW and DP-LSL of {cite:t}`balle2016` are built in a few lines each, and agree with the package.
# What is protected: one trajectory; neighbours replace one.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2016         # all randomness comes from here
n_patients = 10_000
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-input"]
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown as md
from numpy.polynomial import chebyshev
from scipy.ndimage import maximum_filter
from scipy.optimize import brentq
from scipy.stats import norm

from privrl_core.privacy import (
    as_printed, as_proved, calibrate_exact, smooth_gaussian_alpha, smooth_gaussian_beta_max,
    smooth_gaussian_delta)
from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_lsl, dp_lsw, first_visit_statistics, lsl,
    lsl_sensitivity_as_printed, lsl_sensitivity_improved, lsw, noise_scale_lsl_non_private,
    noise_scale_lsw_non_private, smooth_bound_lsw, tabular_features)
from privrl_core.world import recovery_chain, sample_episodes
from privrl_core.experiments import grid, run
from privrl_core.pages.explorer import (
    Axis, Choice, Curve, Derived, Follower, Readout, Slider, Table, constant, explore, largest,
    round_up, show)
from privrl_core.pages import REFERENCE, use_theme

use_theme()
rng = np.random.default_rng(seed)
chain = recovery_chain()
V, treatment, stage = chain.policy_values(np.ones((40, 1))), np.ones((40, 1)), np.arange(1, 41)
patients = first_visit_statistics(sample_episodes(chain, treatment, n_patients, rng), 40, 0.99, return_bound=1)
Phi, w, rho = tabular_features(40), np.ones(40), np.ones(40)

# %% [markdown]
# ## How far can one trajectory move *these* means?
#
# The global sensitivity asks about the worst data set of all. The **local sensitivity** asks about the one at hand:
# $\max_{X' \simeq X} \lVert f(X) - f(X')\rVert$, with $X$ fixed. For means it is easy to see: the mean of
# $n$ numbers between 0 and $F_{\max}$ moves by at most $F_{\max}/n$ when one of them is replaced, and by at most
# $F_{\max}/(n+1)$ when one joins.
#
# Throughout, $\lVert v\rVert_\Gamma^2 = \sum_s w_s v_s^2$, and $F_{\max}$ is a *public* bound on returns, to which each
# record is clipped. (The paper takes $R_{\max}/(1-\gamma)$, and remarks that a smaller public bound will do.)
#
# ```{prf:lemma} no. 2 of the paper
# :label: balle2016-lemma-2
# :nonumber:
# Let $X$ and $X'$ have the trajectories $X^\circ$ in common and differ in one, $x$ against $x'$. Then
#
# $$\frac{\lVert F_X - F_{X'} \rVert_\Gamma}{F_{\max}} \le \sqrt{\sum_{s \in x \cup x'} \frac{w_s}{(\lvert X^\circ_s\rvert + 1)^2}}.$$
# ```
#
# ```{prf:corollary} no. 3 of the paper
# :label: balle2016-corollary-3
# :nonumber:
# For every neighbour $X'$ of $X$,
#
# $$\begin{gathered}
# \lVert F_X - F_{X'} \rVert_\Gamma \le F_{\max} \sqrt{\varphi(X)},\\
# \varphi(X) = \sum_s \frac{w_s}{\max\{\lvert X_s\rvert, 1\}^2}.
# \end{gathered}$$
# ```
#
# *Checked by brute force.* Draw many pairs of neighbours as plain tables (a row a trajectory, a column a state, empty
# where it does not come), with returns that are often extreme. No formula of the paper is used on the left side.

# %%
def random_records(rng, pairs, m, n_states=4):
    """m trajectories in common, then one more for each; NaN where no visit."""
    returns = rng.choice([0, 1, 0.3, np.nan], p=[0.3, 0.3, 0.1, 0.3],
                         size=(pairs, m + 2, n_states))
    adversarial = returns[: pairs // 2, :m]         # there, everybody else has 0
    adversarial[~np.isnan(adversarial)] = 0
    return returns

def mean_returns(records):
    visits = (~np.isnan(records)).sum(axis=1)
    return np.nansum(records, axis=1) / np.maximum(visits, 1), visits

# %%
def largest_ratios(m, pairs=max(500, round(10_000 * effort))):
    records, weights = random_records(rng, pairs, m), rng.uniform(0.1, 2, 4)
    (F, visits), (F_other, _) = (mean_returns(np.delete(records, -one, axis=1))
                                 for one in (1, 2))        # without x', without x
    moved = np.sqrt((F - F_other) ** 2 @ weights)
    _, common = mean_returns(records[:, :-2])
    touched = ~np.isnan(records[:, -2:]).all(axis=1)
    lemma_2 = np.sqrt((touched / (common + 1) ** 2) @ weights)
    corollary_3 = np.sqrt((1 / np.maximum(visits, 1) ** 2) @ weights)
    return {"others": m, "Lemma 2": (moved / np.maximum(lemma_2, 1e-300)).max(),
            "Corollary 3": (moved / corollary_3).max()}

# %%
brute_force = pd.DataFrame([largest_ratios(m) for m in (0, 1, 2, 5, 20)])
assert (brute_force[["Lemma 2", "Corollary 3"]] <= 1 + 1e-12).all(axis=None)
brute_force.style.hide().format(precision=4)

# %% [markdown]
# The table shows the largest *actual move over bound* among the pairs tried. Nothing above 1, and 1 is reached: both
# statements hold and neither can be improved. On our patients' data $\sqrt{\varphi}$ is tiny:

# %%
phi = np.sum(w / np.maximum(patients.visits, 1) ** 2)

# %% tags=["remove-input"]
md(f"√φ = **{np.sqrt(phi):.5f}** with {n_patients:,} patients who all visit all stages.")

# %% [markdown]
# ## Why not just use it?
#
# Because the width of the noise would tell. Suppose a stage was visited by two patients; in the neighbouring data set
# by one. The local sensitivity doubles, and so does the noise. Look at an output far out:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two bell curves around zero, the second twice as wide as the first. Beyond three standard deviations of the narrow one, only the wide one has any mass."}} tags=["hide-input"]
x = np.linspace(-7, 7, 400)
fig, ax = plt.subplots(figsize=(7.5, 3.2))
for width, label in (1, "two visitors: narrow noise"), (2, "one visitor: noise twice as wide"):
    ax.plot(x, norm.pdf(x, scale=width), label=label)
    ax.fill_between(x, norm.pdf(x, scale=width), alpha=0.15)
ax.set(xlabel="noise", ylabel="density", title="An output far out says which of the two it was")
ax.legend(loc="upper right");

# %%
d = 40                                                    # parameters, one a stage
delta_of_widths = smooth_gaussian_delta(epsilon, np.inf, np.log(4), d)

# %% tags=["remove-input"]
md(f"Even if the means were equal, {d} parameters with noise of width 1 or 2 are only "
   f"(ε = {show(epsilon)}, δ = **{delta_of_widths:.3f}**)-private, that is, not private at all: "
   "the sum of their squares gives the width away.")

# %% [markdown]
# ## Smooth it
#
# The idea of {cite:t}`nissim2007`: use not the local sensitivity but an upper bound of it that *cannot change quickly*
# from one data set to its neighbours. Then the width says little.
#
# The bound $\varphi$ depends on the data only through the *signature* $v = (\lvert X_s\rvert)_s$, the numbers of
# visitors. Replacing one trajectory changes each by at most one: $\lVert v - v'\rVert_\infty \le 1$.
#
# ```{prf:definition} Smooth upper bound
# :label: def-smooth
# $\psi \ge \varphi$ is a $\beta$-smooth upper bound if $\psi(v') \le e^\beta \psi(v)$ whenever
# $\lVert v - v'\rVert_\infty \le 1$.
# ```
#
# ```{prf:lemma} no. 4 of the paper, after Nissim, Raskhodnikova and Smith
# :label: balle2016-lemma-4
# :nonumber:
# Let $\varphi_k(v)$ be the largest $\varphi(v')$ over all $v'$ within distance $k$ of $v$. The smallest
# $\beta$-smooth upper bound of $\varphi$ is
#
# $$\psi(v) = \max_{k \ge 0}\; e^{-k\beta}\, \varphi_k(v).$$
# ```
#
# In words: look $k$ replaced trajectories away, take the worst sensitivity found there, and let it count
# for a factor $e^{-\beta}$ less per step. Danger that is far away hardly counts.
#
# ```{prf:proof}
# *Smooth.* Whatever is $k$ steps from $v'$ is at most $k + 1$ steps from $v$: $\varphi_k(v') \le \varphi_{k+1}(v)$, so
# $\psi(v') \le \max_k e^{-k\beta}\varphi_{k+1}(v) \le e^{\beta}\psi(v)$. *Smallest.* A smooth bound that is at least
# $\varphi(v')$ at a point $k$ steps away is at least $e^{-k\beta}\varphi(v')$ at $v$.
# ```
#
# ```{prf:lemma} no. 5 of the paper
# :label: balle2016-lemma-5
# :nonumber:
# For DP-LSW, $\displaystyle \varphi_k(v) = \sum_s \frac{w_s}{\max\{v_s - k, 1\}^2}$, which is $\sum_s w_s$ as soon as
# $k \ge \max_s v_s - 1$.
# ```
#
# *Checked on every signature of a small grid.* For Lemma 4, start from $\varphi$ and raise each point until no
# neighbour demands more; what comes out is the smallest smooth bound *by construction*. For Lemma 5, take maxima over
# whole boxes.

# %%
beta, weights = 0.3, np.array([1.0, 2.0])
v = np.stack(np.meshgrid(np.arange(25), np.arange(25), indexing="ij"), axis=-1)
phi_grid = (weights / np.maximum(v, 1) ** 2).sum(axis=-1)

raised, before = phi_grid, None
while not np.array_equal(raised, before):
    before = raised
    raised = np.maximum(before, np.exp(-beta) * maximum_filter(before, size=3))

formula = [[smooth_bound_lsw(signature, weights, beta) for signature in row]
           for row in v]
assert np.allclose(raised, formula, rtol=1e-12)

# %%
for k in range(8):
    within_k_steps = maximum_filter(phi_grid, size=2 * k + 1)
    lemma_5 = (weights / np.maximum(v - k, 1) ** 2).sum(axis=-1)
    assert np.allclose(within_k_steps, lemma_5, rtol=1e-12)
md(f"Both hold on all {raised.size} signatures.")

# %% [markdown]
# ### The picture to remember
#
# For stages that all have $v$ visitors, $e^{-k\beta}\varphi_k = e^{-k\beta}\, d/\max(v-k, 1)^2$. Its maximum $\psi$ is at one of two ends:
# at $k = 0$, *the data as they are*, or at $k = v - 1$, *everybody but one replaced*, where some stage could be moved
# all the way by one person.

# %% tags=["remove-input"] mystnb={"image": {"alt": "The discounted sensitivity against the number of replaced trajectories on a logarithmic axis, for 300, 1000 and 3000 visitors. For 300 the curve ends higher than it starts; for 3000 it starts at its maximum and ends far below."}} tags=["hide-input"]
beta_shown = calibrate_exact(epsilon, delta, d)[1]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for visitors in (300, 1000, 3000):
    k = np.arange(visitors)
    curve = np.exp(-k * beta_shown) * d / np.maximum(visitors - k, 1) ** 2
    line, = ax.plot(k / (visitors - 1), curve, label=f"{visitors:,} visitors")
    ax.plot(np.argmax(curve) / (visitors - 1), curve.max(), "o", color=line.get_color(), ms=9)
ax.set(yscale="log", ylim=(1e-12, 10), xlabel="k, as a share of the stage's visitors",
       ylabel=r"$e^{-k\beta}\varphi_k$", title=f"Few visitors: the far end wins. Many: the near end (β = {beta_shown:.3f})")
ax.legend();

# %% [markdown]
# ### Explore: which end wins?
#
# *At how many visitors does the near end take over, with β = 0.023? And when β is halved?*

# %% tags=["remove-input"]
beta_slider = Slider("beta", "smoothness β", 0.005, 0.1, 0.023, scale="linear", points=2,
                     low_end="width says little: more private", high_end="width follows the data: more accurate")
visitors = Choice("visitors", "visitors of each stage", (100, 300, 500, 600, 1000, 1300, 2000), 300,
                  low_end="few", high_end="many")
replaced = Axis("k", "replaced trajectories k", 0, 2000, scale="linear", points=1001)

left = largest(Table.of(lambda visitors: visitors, visitors, scale="linear")
               - Table.of(lambda k: k, replaced, scale="linear"), 1)       # visitors who are left
phi_k = constant(d) / (left * left)
far_counts_less = Table.of(lambda beta, k: np.exp(-beta * k), beta_slider, replaced)
near_end = Table.of(lambda visitors: d / visitors**2, visitors)
far_end = Table.of(lambda beta, visitors: d * np.exp(-beta * (visitors - 1)), beta_slider, visitors)

explore(
    name="smooth_bound", sliders=[visitors, beta_slider], x=replaced,
    y=Axis("sensitivity", "sensitivity, squared", 1e-8, 100),
    curves=[Curve("discounted by distance, e^(−kβ) φₖ", far_counts_less * phi_k),
            Curve("its maximum, ψ", largest(near_end, far_end)),
            Curve("not discounted, φₖ", phi_k, reference=True)],
    readouts=[Readout("near", "near end: our data as they are", near_end, at_most=True),
              Readout("far", "far end: all but one visitor replaced", far_end, at_most=True),
              Readout("psi", "the larger of the two, ψ", largest(near_end, far_end), at_most=True)],
    guarantee="Replace one trajectory, and ψ changes by a factor of at most e^β with β = {beta}: this is all that the "
              "width of the noise can tell about one trajectory. How private that is, is for the rule to say.",
    alt="Sensitivity against the number k of replaced trajectories, for {visitors} visitors and β = {beta}. The "
        "discounted curve starts at {near}, sags, and ends at {far} where one visitor is left. Its maximum is {psi}.",
    caption="The smooth bound ψ of DP-LSW, for 40 stages with equally many visitors.")

# %% [markdown]
# The maximum is *always* at an end or at a corner where some stage runs out of visitors, since between corners
# each term is log-convex and sums of log-convex functions are. So the core looks at $N + 1$ points where the paper
# scans as many as there are visits.

# %% [markdown]
# ## How much noise is that?
#
# The mechanism publishes $\mu_X + \mathcal N(0, \sigma_X^2 I_d)$, with
#
# (a) $\sigma_X \ge \alpha\,\lVert \mu_X - \mu_{X'}\rVert_2$, enough noise to hide the move, and<br>
# (b) $\lvert \ln\sigma_X^2 - \ln\sigma_{X'}^2\rvert \le \beta$, widths that differ little,
#
# for all neighbours. {doc}`06_calibration` has three rules that say which α and β keep a promise: the printed one, the one that was proved, and the exact one, `calibrate_exact`. Here are their numbers:

# %% tags=["hide-input"]
settings = list(dict.fromkeys([(0.1, 0.1), (epsilon, delta)]))
rules = {"as printed": as_printed, "as proved": as_proved, "exact": calibrate_exact}

def calibrated(name, epsilon, delta):
    alpha, beta = rules[name](epsilon, delta, d)
    return {"ε": epsilon, "δ": delta, "rule": name, "α": alpha, "β": beta}

def cliff(beta):
    """From this many visitors on the near end wins: beta (v - 1) = 2 ln v."""
    return brentq(lambda v: beta * (v - 1) - 2 * np.log(v), 2 / beta, 1e9)

calibrations = pd.DataFrame([calibrated(name, *setting)
                             for setting in settings for name in rules])
calibrations.style.hide().format({"ε": show, "δ": show, "α": "{:.2f}", "β": show})

# %% [markdown]
# ## DP-LSW in ten lines
#
# Everything is there. $\theta^w_X$ moves by at most $\lVert(\Gamma^{1/2}\Phi)^\dagger\rVert\,\lVert F_X - F_{X'}\rVert_\Gamma$,
# so the noise is
#
# ```{math}
# :label: eq-sigma-lsw
# \sigma_X = \alpha\, F_{\max}\, \lVert(\Gamma^{1/2}\Phi)^\dagger\rVert \sqrt{\psi(X)}.
# ```
#
# With one feature a stage and $w = 1$, the norm is 1:

# %%
def dp_lsw_by_hand(visits, return_sums, rng, *, return_bound=1):
    alpha, beta = calibrate_exact(epsilon, delta, len(visits))
    theta = return_sums / np.maximum(visits, 1)   # LSW: the means
    psi = 0
    for k in range(visits.max() + 1):             # k replaced trajectories away
        phi_k = np.sum(1 / np.maximum(visits - k, 1) ** 2)
        psi = max(psi, np.exp(-k * beta) * phi_k)  # counts for this much
    sigma = alpha * return_bound * np.sqrt(psi)
    return theta + sigma * rng.normal(size=len(visits))

# %% [markdown]
# From the core, with the same seed, the same numbers:

# %%
by_hand = dp_lsw_by_hand(patients.visits, patients.return_sums,
                         np.random.default_rng(seed))
release = dp_lsw(patients, Phi, w, return_bound=1, epsilon=epsilon, delta=delta,
                 noise_rng=np.random.default_rng(seed))
assert np.allclose(by_hand, release.parameters)
print(release.guarantee)

# %% [markdown]
# A release holds the parameters and the guarantee, and nothing else. The width $\sigma_X$ follows the data and no
# guarantee covers it: **never publish $\sigma_X$**. The package's functions for it say `non_private` in their
# names. And seeded floating-point noise, as here, is for learning; a release to an adversary takes
# more care (see {doc}`/book/how_to_read`).
#
# ```{prf:theorem} no. 6 of the paper
# :label: balle2016-theorem-6
# :nonumber:
# DP-LSW is $(\varepsilon, \delta)$-differentially private (one trajectory, replace one).
# ```
#
# ```{prf:proof}
# (a) holds by Corollary 3 and $\psi \ge \varphi$, (b) because $\psi$ is $\beta$-smooth (Lemma 4) and everything else in
# {eq}`eq-sigma-lsw` is public. The rule does the rest.
# ```
#
# *Checked* on random neighbours, with random features and weights: (a) as the largest
# $\alpha\lVert\theta_X - \theta_{X'}\rVert/\sigma_X$, (b) as the largest $\lvert\ln\sigma_X^2 - \ln\sigma_{X'}^2\rvert/\beta$,
# and the true $\delta$ of the rule as a share of the promised one. None may be above 1.

# %%
def neighbours(m):
    """Two neighbouring data sets with m trajectories in common, as statistics."""
    records = random_records(rng, 2, m)[rng.integers(2)]
    for data in np.delete(records, -1, axis=0), np.delete(records, -2, axis=0):
        visits = (~np.isnan(data)).sum(axis=0)
        yield FirstVisitStatistics(visits, np.nansum(data, axis=0), m + 1, 1.0)

def conditions(fit, noise_scale, arguments):
    """What (a) and (b) compare, for one random pair of neighbours."""
    alpha, beta = calibrate_exact(epsilon, delta, 2)
    X, other = neighbours(rng.integers(0, 30))
    sigma, sigma_other = (
        noise_scale(data, *arguments, return_bound=1, epsilon=epsilon, delta=delta)
        for data in (X, other))
    moved = np.linalg.norm(fit(X, *arguments) - fit(other, *arguments))
    return {"(a)": alpha * moved / min(sigma, sigma_other),
            "(b)": 2 * abs(np.log(sigma / sigma_other)) / beta}

def against_what_is_allowed(found):
    found = pd.DataFrame(found).max()
    true_delta = smooth_gaussian_delta(epsilon, *calibrate_exact(epsilon, delta, 2), 2)
    found["true δ / δ"] = true_delta / delta
    assert (found <= 1 + 1e-9).all()
    return pd.DataFrame([found, found * 0 + 1], index=["largest found", "allowed"])

# %%
tries = max(100, round(1_000 * effort))
def lsw_arguments():
    return rng.normal(size=(4, 2)), rng.uniform(0.1, 2, size=4)  # features, w

against_what_is_allowed(
    conditions(lsw, noise_scale_lsw_non_private, lsw_arguments())
    for _ in range(tries)).style.format("{:.4f}")

# %% [markdown]
# ## What is left of the estimate
#
# Ten thousand patients, all admitted in stage 1. The same data, the same guarantee, three rules:

# %%
def errors(*, rng, guarantee):
    """The error of a release by each rule, all from the same fresh data."""
    rng, noise_rng = rng.spawn(2)
    episodes = sample_episodes(chain, treatment, n_patients, rng)
    data = first_visit_statistics(episodes, 40, 0.99, return_bound=1)
    promise = dict(return_bound=1, epsilon=guarantee[0], delta=guarantee[1])
    released = {
        name: dp_lsw(data, Phi, w, **promise, rule=rule, noise_rng=noise_rng).parameters
        for name, rule in rules.items()}
    return {name: np.sqrt(np.mean((theta - V) ** 2))
            for name, theta in released.items()}

runs = max(3, round(20 * effort))
error = (run(errors, grid(guarantee=settings), range(seed, seed + runs))
         .melt(["guarantee", "seed"], list(rules), "rule", "error")
         .sort_values("guarantee", kind="stable"))
error["guarantee"] = [f"ε = {show(e)}, δ = {show(d)}" for e, d in error["guarantee"]]

# %% tags=["remove-input"] mystnb={"image": {"alt": "Root-mean-square error of DP-LSW under three calibration rules, logarithmic, at two guarantees. At epsilon and delta one tenth the printed and the proved rule are far above the error of publishing zeros, the exact rule far below. At epsilon 1, delta 1e-5, printed and exact are below."}} tags=["hide-input"]
zeros = np.sqrt(np.mean(V**2))
fig, ax = plt.subplots(figsize=(7.5, 4))
sns.pointplot(error, x="guarantee", y="error", hue="rule", dodge=0.4, linestyle="none", errorbar="se", ax=ax)
ax.axhline(zeros, color=REFERENCE, ls="--", lw=1)
ax.text(1.45, zeros * 1.15, "publishing zeros", ha="right", color=REFERENCE)
ax.set(yscale="log", xlabel="", ylabel="root-mean-square error",
       title=f"DP-LSW, {n_patients:,} patients: the rule decides whether it is of any use");

# %% tags=["remove-input"]
mean_error = error.groupby(["guarantee", "rule"], sort=False)["error"].agg(["mean", "sem"]).reset_index()
mean_error.columns = ["guarantee", "rule", "mean error", "standard error"]
mean_error.style.hide().format({"mean error": show, "standard error": lambda x: show(x, 2)})

# %% [markdown]
# ### Plateau, cliff, slope
#
# Why do some of these miss by a factor of thousands? Because the far end of the picture to remember has won. With few
# patients $\psi$ sits at its ceiling $\sum_s w_s$ discounted a little: **the plateau**. When $\beta v$
# passes $2 \ln v$ the near end takes over: **the cliff**. Beyond it the noise falls like $1/m$: **the slope** that theory
# promises.

# %%
def noise_scale(rule, epsilon, delta, m):
    everyone_everywhere = FirstVisitStatistics(np.full(40, m), np.zeros(40), m, 1.0)
    return noise_scale_lsw_non_private(
        everyone_everywhere, Phi, w, return_bound=1,
        epsilon=epsilon, delta=delta, rule=rule)

sizes = np.unique(np.geomspace(10, 1e6, 120).astype(int))
widths = pd.DataFrame([{"patients": m, "rule": name,
                        "σ": noise_scale(rule, 0.1, 0.1, m)}
                       for name, rule in rules.items() for m in sizes])

# %% tags=["remove-input"] mystnb={"image": {"alt": "Width of DP-LSW's noise against the number of patients, both logarithmic, at epsilon and delta one tenth. Each rule has a flat plateau, then falls off a cliff of several powers of ten, then follows a line like one over m. The exact rule's cliff is at about three hundred patients, the printed one at thirty-six thousand."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 4))
sns.lineplot(widths, x="patients", y="σ", hue="rule", style="rule", ax=ax)
ax.axhline(1, color=REFERENCE, lw=1, ls=":")
ax.set(xscale="log", yscale="log", ylabel="width of the noise",
       title="ε = δ = 0.1: plateau, cliff, slope. Values lie below the dotted line");

# %%
calibrations["patients before the cliff"] = calibrations["β"].map(cliff)
calibrations[["ε", "δ", "rule", "patients before the cliff"]].style.hide().format(
    {"ε": show, "δ": show, "patients before the cliff": show})

# %% [markdown]
# ## Explore: two are free, the third follows
#
# Privacy loss ε, failure probability δ, and σ, the noise per unit of sensitivity under the exact rule (its α). Choose two
# of them, and the third is determined. The picture shows what it does to the values that a small clinic publishes, one
# with a thousand patients: bands of ± one standard deviation of the noise around the true values.
#
# *At ε = 1 and δ = 10⁻⁵ the printed rule's band leaves the picture. At which ε does it come back? How far can you go
# down with ε before the exact rule's band fills the picture too? And what does moving δ to 0.1 buy, at what price?*

# %% tags=["remove-input"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 5, min(max(epsilon, 0.1), 5), points=9)
delta_slider = Slider("delta", "failure probability δ", 1e-8, 0.1, min(max(delta, 1e-8), 0.1), points=129)

def fitted(rule):
    """α and β of a rule over ε and δ. A root search is behind the exact one: 96 of them, and Chebyshev polynomials between."""
    low, high = (np.log([getattr(slider, end) for slider in (epsilon_slider, delta_slider)]) for end in ("low", "high"))
    def basis(epsilon, delta):
        u = 2 * (np.log(np.stack([epsilon, delta])) - low[:, None]) / (high - low)[:, None] - 1
        return chebyshev.chebvander2d(*u, [7, 11])
    def at(u):
        return np.exp(low[:, None] + (high - low)[:, None] * (u + 1) / 2)
    nodes = at(np.stack([places.ravel() for places in np.meshgrid(chebyshev.chebpts1(8), chebyshev.chebpts1(12))]))
    weights = np.linalg.solve(basis(*nodes), np.log([rule(*node, d) for node in nodes.T]))
    def fit(epsilon, delta):
        return np.exp(basis(epsilon, delta) @ weights).T * [[1 + 2e-4], [1]]          # no α below the rule's
    tried = at(np.random.default_rng(0).uniform(-1, 1, (2, 20)))
    excess = fit(*tried) / np.transpose([rule(*place, d) for place in tried.T]) - 1
    assert excess[0].min() >= 0 and np.abs(excess).max() < 1e-3
    return fit

def tabulated(fit):
    return [Table.of(lambda epsilon, delta, i=i: fit(np.ravel(epsilon), np.ravel(delta))[i].reshape(np.shape(epsilon)),
                     epsilon_slider, delta_slider) for i in (0, 1)]

fits = {name: fitted(rule) for name, rule in rules.items()}
tables = {name: tabulated(fit) for name, fit in fits.items()}
alpha, beta = ({name: pair[i] for name, pair in tables.items()} for i in (0, 1))

# %% tags=["remove-input"]
stages = Axis("stage", "stage", 1, 39, scale="linear", points=39)
values = Table((stages,), V[:-1], scale="linear")

sigma_slider = Slider("sigma", "noise per unit of sensitivity σ", round_up(alpha["exact"].values.min()), round_up(alpha["exact"].values.max()),
                      round_up(1.0077 * float(alpha["exact"].exact(epsilon=epsilon_slider.initial, delta=delta_slider.initial))),  # with what is added below
                      points=81, low_end="more accurate", high_end="more private")
fine = np.geomspace(epsilon_slider.high, epsilon_slider.low, 1000)

@cache
def alphas_at(delta):
    return np.log(fits["exact"](fine, np.full(fine.size, delta))[0])

@np.vectorize
def epsilon_for(sigma, delta):
    """Where α meets σ; beyond the slider's ends it goes on straight."""
    x, y, s = alphas_at(delta), np.log(fine), np.log(sigma)
    first, last = ((y[i + 1] - y[i]) / (x[i + 1] - x[i]) for i in (0, -2))
    return np.exp(np.interp(s, x, y) + first * min(s - x[0], 0) + last * max(s - x[-1], 0))

epsilon_table = Table((sigma_slider, delta_slider), epsilon_for(sigma_slider.grid[:, None], delta_slider.grid), function=epsilon_for)

def width(name, visitors):
    """σ_X over the sliders for equally many visitors everywhere: the derived axes it needs, and the quantity."""
    low, high, rule = beta[name].values.min(), beta[name].values.max(), name.split()[-1]
    beta_axis = Axis(f"beta_{rule}", "β", low * 0.999, high * 1.001, points=5)
    decay_axis = Axis(f"decay_{rule}", "β (v − 1)", 0, 100, scale="linear", points=2)
    over_visitors = [visitors] if isinstance(visitors, Axis) else []

    def decay(**at):
        smoothness, count = (*at.values(), visitors)[:2]
        return np.minimum(smoothness * (count - 1), 100)    # beyond 100 the far end has long lost

    axes = beta_axis, *over_visitors
    grid = dict(zip([axis.name for axis in axes], np.meshgrid(*[axis.grid for axis in axes], indexing="ij")))
    table = Table(axes, decay(**grid), function=decay)
    far = Table.of(lambda **at: np.exp(-at[decay_axis.name] / 2), decay_axis)
    near = Table.of(lambda **at: 1 / at[visitors.name], visitors) if over_visitors else constant(1 / visitors)
    derived = [Derived(beta_axis, beta[name]), Derived(decay_axis, table)]
    return derived, alpha[name] * np.sqrt(d) * largest(near, far)

# %% tags=["remove-input"]
def label(name):
    return "exact rule" if name == "exact" else f"rule {name}"

small_clinic = 1_000
noise = {name: width(name, small_clinic) for name in rules}
explore(
    name="two_are_free", sliders=[epsilon_slider, delta_slider, sigma_slider], x=stages,
    y=Axis("value", "value", -0.2, 1.6, scale="linear"),
    curves=[Curve("rule as printed", values, low=values - noise["as printed"][1], high=values + noise["as printed"][1]),
            Curve("exact rule", values, low=values - noise["exact"][1], high=values + noise["exact"][1]),
            Curve("true values, not private", values, reference=True)],
    followers=[Follower(sigma_slider, alpha["exact"], of=(epsilon_slider, delta_slider)),
               Follower(epsilon_slider, epsilon_table, of=(sigma_slider,))],
    derived=[derived for name in rules for derived in noise[name][0]],
    readouts=[Readout(f"{kind}_{name.split()[-1]}", f"{words}, {label(name)}", quantity, at_most=kind == "alpha")
              for kind, words, source in (("alpha", "noise per unit of sensitivity", alpha),
                                          ("width", "noise in each value", {n: q for n, (_, q) in noise.items()}))
              for name, quantity in source.items()],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one trajectory (replace one), proved under each of the "
              "three rules. Noise in each value: about {width_printed} as printed, {width_proved} as proved, {width_exact} exact.",
    alt="Values of stages 1 to 39 with bands of one standard deviation of DP-LSW's noise at ε = {epsilon}, δ = {delta}: "
        "± {width_exact} under the exact rule, ± {width_printed} as printed.",
    caption=f"DP-LSW with {small_clinic:,} patients who all start in stage 1; returns at most 1.")

# %% [markdown]
# ## Explore: over the cliff
#
# *With ε = 1 and δ = 10⁻⁵, how many patients does each rule need before its noise is below 0.1? Does more privacy move the
# cliff, or the slope, or both?*

# %% tags=["remove-input"]
patients_slider = Slider("patients", "patients", 10, 1e6, min(max(n_patients, 10), 1e6), points=61,
                         low_end="few", high_end="many")
noise = {name: width(name, patients_slider) for name in rules}
explore(
    name="cliff", sliders=[patients_slider, epsilon_slider, delta_slider], x=patients_slider,
    y=Axis("noise", "noise in each value", 1e-6, 1e5),
    curves=[*(Curve(f"{label(name)}", quantity) for name, (_, quantity) in noise.items()),
            Curve("the largest value there is", constant(1.0), reference=True)],
    derived=[derived for name in rules for derived in noise[name][0]],
    readouts=[Readout(f"width_{name.split()[-1]}", f"noise in each value, {label(name)}", quantity)
              for name, (_, quantity) in noise.items()],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one trajectory (replace one), proved under each of "
              "the three rules.",
    alt="Width of DP-LSW's noise against the number of patients at ε = {epsilon}, δ = {delta}: plateau, cliff, slope. At "
        "{patients} patients it is {width_printed} as printed, {width_proved} as proved, {width_exact} exact.",
    caption="The width of DP-LSW's noise when all patients start in stage 1 and returns are at most 1. (It follows the "
            "data: in a real release it stays secret.)")

# %% [markdown]
# (dp-lsl)=
# ## DP-LSL
#
# The ridge helps in another way: with $\lambda/2$ added to every curvature, no single trajectory can tip the fit. How far
# one can:
#
# ```{prf:lemma} no. 7 of the paper
# :label: balle2016-lemma-7
# :nonumber:
# Let $\Delta$ be diagonal with entries $1_{s \in x} - 1_{s \in x'}$ and $\Gamma_\rho$ with entries $\rho_s$. If
# $\lambda > \lVert\Phi^\top\Delta\Gamma_\rho\Phi\rVert$,
#
# $$\begin{aligned}
# &\lVert\theta^\lambda_X - \theta^\lambda_{X'}\rVert_2 \\ &\ \le
#   \frac{2\,\bigl\lVert(\Delta\Phi\theta^\lambda_X - F_x + F_{x'})^\top\Gamma_\rho\Phi\bigr\rVert_2}
#        {\lambda - \lVert\Phi^\top\Delta\Gamma_\rho\Phi\rVert}.
# \end{aligned}$$
# ```
#
# ```{prf:corollary} no. 8 of the paper
# :label: balle2016-corollary-8
# :nonumber:
# If $\lambda > \lVert\Phi\rVert^2\lVert\rho\rVert_\infty$, then for every neighbour
#
# $$\begin{aligned}
# &\lVert\theta^\lambda_X - \theta^\lambda_{X'}\rVert_2 \\ &\ \le
#   \frac{2 F_{\max}\lVert\Phi\rVert}{\lambda - \lVert\Phi\rVert^2\lVert\rho\rVert_\infty}\sqrt{\varphi^\lambda(X)},
# \end{aligned}$$
#
# $$\begin{aligned}
# &\sqrt{\varphi^\lambda(X)} \\ &\ = \frac{\lVert\Phi\rVert\lVert\rho\rVert_\infty}{\sqrt{2\lambda}}
#   \sqrt{\sum_s \rho_s\lvert X_s\rvert} + \lVert\rho\rVert_2.
# \end{aligned}$$
# ```
#
# Both remain true with the denominator $\lambda$ alone, and then need no condition on $\lambda$. Subtract the two normal
# equations, $H\theta = b$ and $H'\theta' = b'$: what remains is
# $H'(\theta' - \theta) = \tfrac1m \Phi^\top\Gamma_\rho(F_{x'} - F_x + \Delta\Phi\theta)$, and $\lVert H'^{-1}\rVert \le 2m/\lambda$. This is
# `lsl_sensitivity_improved`.
#
# *Checked by brute force.* The fits come from stacking one row for each visit and calling a least-squares solver, not
# from the normal equations.

# %%
def fit_by_rows(records, features, rho, ridge):
    """The minimiser of the sum of squares that defines LSL, one row a visit."""
    trajectory, state = np.nonzero(~np.isnan(records))
    root, d = np.sqrt(rho[state]), features.shape[1]
    rows = np.vstack([root[:, None] * features[state],
                      np.sqrt(ridge / 2) * np.eye(d)])
    targets = np.append(root * records[trajectory, state], np.zeros(d))
    return np.linalg.lstsq(rows, targets, rcond=None)[0]

# %%
def bounds(X, x, other, theta, features, rho, ridge):
    """Lemma 7 and Corollary 8, each with the denominator as printed and with λ."""
    size, visits = np.linalg.norm(features, 2), (~np.isnan(X)).sum(axis=0)
    D = (~np.isnan(x)).astype(float) - ~np.isnan(other)
    change = D * (features @ theta) - np.nan_to_num(x) + np.nan_to_num(other)
    lemma_7 = 2 * np.linalg.norm(change * rho @ features)
    least = np.linalg.norm(features.T * (D * rho) @ features, 2)
    c = size * rho.max() / np.sqrt(2 * ridge)
    root_phi = c * np.sqrt(rho @ visits) + np.linalg.norm(rho)
    printed = lsl_sensitivity_as_printed(features, rho, ridge)
    improved = lsl_sensitivity_improved(features, rho, ridge)
    return {"Lemma 7": lemma_7 / (ridge - least),
            "Lemma 7 with λ": lemma_7 / ridge,
            "Corollary 8": printed * root_phi,
            "Corollary 8 with λ": improved * root_phi}

# %%
def lsl_ratios(m):
    records = random_records(rng, 2, m)[rng.integers(2)]
    features, rho = rng.normal(size=(4, 2)), rng.uniform(0.05, 1, 4)
    least = np.linalg.norm(features, 2) ** 2 * rho.max()
    problem = features, rho, least * rng.choice([1.01, 1.5, 5, 50])
    theta = fit_by_rows(X := records[:-1], *problem)
    other_theta = fit_by_rows(np.delete(records, -2, axis=0), *problem)
    moved = np.linalg.norm(theta - other_theta)
    return {name: moved / max(bound, 1e-300)
            for name, bound in bounds(X, *records[-2:], theta, *problem).items()}

# %%
tries_lsl = max(300, round(3_000 * effort))
found = pd.DataFrame([lsl_ratios(m) for m in rng.integers(0, 15, tries_lsl)]).max()
assert (found <= 1 + 1e-9).all()
found.to_frame("largest actual / bound").T.style.format("{:.4f}")

# %% [markdown]
# Again nothing above 1. The smooth bound has the same shape as before, except that more visitors are now *worse*, and
# nobody can add visitors beyond $m$:
#
# ```{prf:lemma} no. 9 of the paper
# :label: balle2016-lemma-9
# :nonumber:
# With $\varphi^\lambda(v) = \bigl(c\sqrt{\sum_s\rho_s v_s} + \lVert\rho\rVert_2\bigr)^2$,
# $c = \lVert\Phi\rVert\lVert\rho\rVert_\infty/\sqrt{2\lambda}$ and $0 \le v_s \le m$,
#
# $$\begin{aligned}
# &\varphi^\lambda_k(v) \\ &= \Bigl(c\sqrt{\textstyle\sum_s \rho_s \min\{v_s + k, m\}} + \lVert\rho\rVert_2\Bigr)^2,
# \end{aligned}$$
#
# which no longer grows once $k \ge m - \min_s v_s$. (The lemma is printed with *max* for *min*; Algorithm 2 has it right.)
# ```

# %%
m, rho_3, c = 9, np.array([0.2, 0.7, 1.0]), 0.4
v = np.stack(np.meshgrid(*[np.arange(m + 1)] * 3, indexing="ij"), axis=-1)

def phi_lsl(v):
    return (c * np.sqrt(v @ rho_3) + np.linalg.norm(rho_3)) ** 2

for k in range(m + 3):
    within_k_steps = maximum_filter(phi_lsl(v), size=2 * k + 1)
    assert np.allclose(within_k_steps, phi_lsl(np.minimum(v + k, m)), rtol=1e-12)

# %% tags=["remove-input"]
too_large = (phi_lsl(np.maximum(v + 1, m)) / maximum_filter(phi_lsl(v), size=3)).max()
md(f"Lemma 9 holds with *min* on all {v[..., 0].size:,} signatures, for every k. With *max*, as the lemma is printed, the "
   f"value at k = 1 would be up to {too_large:.1f} times too large: still private, but more noise than needed.")

# %% [markdown]
# By hand, for one feature a stage and $\rho = 1$, so that $\lVert\Phi\rVert = 1$:

# %%
def dp_lsl_by_hand(visits, return_sums, m, ridge, rng, *, return_bound=1):
    alpha, beta = calibrate_exact(epsilon, delta, len(visits))
    theta = return_sums / (visits + ridge / 2)     # LSL, one stage at a time
    c, k = 1 / np.sqrt(2 * ridge), np.arange(m + 1)
    reach = np.minimum(visits + k[:, None], m).sum(axis=1)  # k more everywhere
    phi_k = (c * np.sqrt(reach) + np.sqrt(len(visits))) ** 2
    psi = np.max(np.exp(-k * beta) * phi_k)
    sigma = alpha * return_bound * 2 / ridge * np.sqrt(psi)  # as printed: ridge - 1
    return theta + sigma * rng.normal(size=len(visits))

# %%
ridge = 100 * np.sqrt(n_patients)
by_hand = dp_lsl_by_hand(patients.visits, patients.return_sums, n_patients, ridge,
                         np.random.default_rng(seed))
release = dp_lsl(patients, Phi, rho, ridge, return_bound=1, epsilon=epsilon,
                 delta=delta, noise_rng=np.random.default_rng(seed))
assert np.allclose(by_hand, release.parameters)
print(release.guarantee)

# %% [markdown]
# ```{prf:theorem} no. 10 of the paper
# :label: balle2016-theorem-10
# :nonumber:
# DP-LSL is $(\varepsilon, \delta)$-differentially private (one trajectory, replace one).
# ```
#
# The proof is that of Theorem 6 with Corollary 8 and Lemma 9 in place of Corollary 3 and
# Lemma 5. *Checked* in the same way, here with the improved denominator:

# %%
def lsl_arguments():
    features, rho = rng.normal(size=(4, 2)), rng.uniform(0.05, 1, size=4)
    return features, rho, rng.choice([0.1, 1, 10, 100])

against_what_is_allowed(
    conditions(lsl, noise_scale_lsl_non_private, lsl_arguments())
    for _ in range(tries)).style.format("{:.4f}")

# %% [markdown]
# A large ridge needs little noise and pulls to zero; a small one is honest and noisy. Which is best depends on the data,
# and looking would cost privacy that nobody has paid. {doc}`03_experiments` shows the whole trade-off.
#
# ```{exercise}
# :label: ex-half-beta
# The exact rule takes *half* the largest possible β. Why not 90 % of it, or 10 %? Predict which is better for 300 and
# for 10,000 patients; then find the best share in the cell below.
# ```

# %%
def noise_with(share, m):
    """σ_X at the guarantee above if β is this share of the largest possible one."""
    beta = share * smooth_gaussian_beta_max(epsilon, delta, d)
    alpha = smooth_gaussian_alpha(epsilon, delta, beta, d)
    return alpha * np.sqrt(smooth_bound_lsw(np.full(d, m), w, beta))

widths = {f"{m:,} patients": noise_with(0.5, m) for m in (300, 10_000)}
pd.Series(widths).to_frame("σ_X").style.format(show)

# %% [markdown]
# ```{solution} ex-half-beta
# :class: dropdown
# A larger β brings the cliff to the left and costs a larger α everywhere. Before the cliff the exponential decides, and
# a large share is better; well beyond it only α counts, and a small share is better, as long as the
# cliff stays to the left. `min(np.linspace(0.05, 0.95, 19), key=lambda share: noise_with(share, m))` finds the best.
# But it depends on the visits, which are private: choosing the share by looking at them costs privacy that
# nobody has paid. Half is a choice that does not look.
# ```
#
# ## To take away
#
# * The local sensitivity is tiny on our data, but a width that follows it exactly gives the data away.
# * Smooth sensitivity: $\psi = \max_k e^{-k\beta}\varphi_k$. It has two ends, and the larger one sets the noise.
# * The sensitivity analysis of the paper holds, and that of DP-LSW cannot be improved. Its constants can: by a factor
#   of tens at the paper's own setting, which decides whether ten thousand patients are enough.
# * Check a statement by a route that does not use its proof: brute force, raising to a fixed point, sampling.
