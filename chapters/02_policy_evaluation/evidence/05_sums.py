# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Private policy evaluation as one would do it today: release noisy sums once, regress afterwards,
#         and say what privacy costs in patients.'
# ---

# %% [markdown]
# # Noise on the sums, proved
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../04_release_sums` and {doc}`../05_what_it_costs`. Gaussian noise in the shape of an ellipse protects visits and sums of returns, and no smaller noise of this shape
# does. All mechanisms of the chapter stand beside each other at equal promises. The mechanism works for every finite problem, such as a frozen lake.
# What is protected: one trajectory; neighbours replace one.
# ```

# %% tags=["parameters"]
effort = 1.0  # the fraction of the full work
seed = 2016  # all randomness comes from here
n_patients = 10_000
epsilon, delta = 1.0, 1e-5  # a level that means something
paper_epsilon, paper_delta = 0.1, 0.1  # the paper's

# %% tags=["hide-input"]
import gymnasium
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown as md
from scipy.optimize import minimize_scalar

from privrl_core.privacy import (
    as_printed, as_proved, calibrate_exact, gaussian_epsilon, gaussian_mu)
from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_lsl, dp_lsw, dp_sufficient_statistics, first_visit_statistics,
    lsl, lsw, noise_scale_lsl_non_private, noise_scale_lsw_non_private, tabular_features)
from privrl_core.world import from_gymnasium, recovery_chain, sample_episodes
from privrl_core.experiments import grid, run
from privrl_core.pages.explorer import (
    Axis, Choice, Curve, Readout, Slider, Table, constant, explore, quadrature, show)
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
rng = np.random.default_rng(seed)
runs = max(3, round(20 * effort))
levels = {
    f"ε = {show(e)}, δ = {show(d)}": (e, d)
    for e, d in ((paper_epsilon, paper_delta), (epsilon, delta))
}

# %% [markdown]
# ## Two sums are enough
#
# Everything that LSW and LSL know of the data is, for each stage, *how many* patients visited it, $|X_s|$, and the
# *sum* of their first-visit returns, $R_s$. (That is what *sufficient statistics* means.) The paper divides first, and
# adds noise to the quotient: how far a patient moves a quotient depends on the other patients, hence smooth
# sensitivity. But one patient moves a **sum** by no more than their own contribution, whoever the others are. So:
#
# 1. clip each patient's return to the public range $[0, F]$, and add up: two numbers a stage;
# 2. add Gaussian noise to the sums, once;
# 3. divide, regress, aggregate, smooth, plot: all of it *post-processing*, free of charge.
#
# By hand, with the simplest noise. Replacing one patient changes each of the $S$ counts by at most 1 and each of the
# $S$ sums by at most $F$, so with sums counted in units of $F$ the Euclidean length of the change is at most
# $\sqrt{2S}$.

# %%
chain = recovery_chain(n_states=40, stay=0.5, discount=0.99)
treatment, S, F = np.ones((40, 1)), 40, 1.0
values = chain.policy_values(treatment)
patients = sample_episodes(chain, treatment, n_patients, rng)
data = first_visit_statistics(patients, S, chain.discount, return_bound=F)
noise_rng = np.random.default_rng([seed, 4])

# %%
sigma = np.sqrt(2 * S) / gaussian_mu(epsilon, delta)
noisy_visits = data.visits + sigma * noise_rng.standard_normal(S)
noisy_sums = data.return_sums + sigma * F * noise_rng.standard_normal(S)
by_hand = noisy_sums / noisy_visits

# %% tags=["remove-input"]
md(
    f"A few lines, and (ε = {show(epsilon)}, δ = {show(delta)}): the error of these values is "
    f"**{np.sqrt(np.mean((by_hand - values) ** 2)):.4f}**, that of the same division without noise "
    f"{np.sqrt(np.mean((data.return_sums / np.maximum(data.visits, 1) - values) ** 2)):.4f}."
)

# %% [markdown]
# (sums-theorem)=
# ## Noise in the shape of what it has to hide
#
# The bound $\sqrt{2S}$ treats count and return as if they could move independently, anywhere in a square. They
# cannot. In one stage a patient contributes (0, 0) if they never visit it, and (1, return) if they do. Exchange
# one patient for another, and the pair moves by the *difference of two such points*. Where can it go?

# %% mystnb={"image": {"alt": "Left, a patient's contribution to one stage: the origin, or a point of the segment from (1, 0) to (1, F). Right, all differences of two such points lie in a hexagon with six corners; the smallest ellipse around it touches all six and is smaller than the circle of radius root two that simple noise assumes."}} tags=["hide-input"]
angle = np.linspace(0, 2 * np.pi, 200)
M = 2 / 3 * np.array([[2, F], [F, 2 * F**2]])
ellipse = np.linalg.cholesky(M) @ np.array([np.cos(angle), np.sin(angle)])
hexagon = np.array([[1, 0], [1, F], [0, F], [-1, 0], [-1, -F], [0, -F]])
contributions = rng.random((2000, 2)) * [1, F]
contributions[:, 0] = contributions[:, 0] < 0.6
contributions[contributions[:, 0] == 0] = 0
moves = contributions[:1000] - contributions[1000:]

fig, (left, right) = plt.subplots(1, 2, figsize=(8.4, 4), width_ratios=[1, 1.5])
left.fill([0, 1, 1], [0, 0, F], color=PALETTE[0], alpha=0.15)
left.plot([1, 1], [0, F], color=PALETTE[0], lw=4)
left.plot(0, 0, "o", color=PALETTE[0], ms=9)
left.annotate("does not visit", (0, 0), xytext=(4, -16), textcoords="offset points")
left.annotate(
    "visits,\nreturn 0 to F", (1, F / 2), xytext=(-84, 0), textcoords="offset points"
)
left.set(
    xlim=(-0.3, 1.3),
    ylim=(-0.3, 1.3),
    title="One patient in one stage",
    xlabel="visits",
    ylabel="returns / F",
)
right.plot(*moves.T, ".", color=REFERENCE, ms=3, alpha=0.6)
right.fill(*hexagon.T, color=PALETTE[0], alpha=0.12)
right.plot(
    *np.vstack([hexagon, hexagon[:1]]).T, color=PALETTE[0], label="hexagon of all moves"
)
right.plot(*ellipse, color=PALETTE[1], label="smallest ellipse around it")
right.plot(
    2**0.5 * np.cos(angle),
    2**0.5 * np.sin(angle),
    ls="--",
    color=REFERENCE,
    lw=1.2,
    label="circle of radius √2",
)
right.set(
    aspect="equal",
    title="Exchange one patient for another",
    xlabel="change of visits",
    ylabel="change of returns / F",
    xlim=(-1.6, 1.6),
    ylim=(-1.6, 2.4),
)
right.legend(loc="upper left");

# %% [markdown]
# Noise needs to hide the hexagon and nothing else. Gaussian noise hides ellipses: so take the smallest one around
# the hexagon, and let the noise have its shape.
#
# ```{prf:theorem} Sufficient statistics, once
# :label: thm-sufficient
# Let each trajectory's first-visit returns be clipped to $[0, F]$, and let
#
# $$M = \frac23 \begin{pmatrix} 2 & F \\ F & 2F^2 \end{pmatrix}.$$
#
# Adding to each of the $S$ pairs $(|X_s|, R_s)$ independent noise $\mathcal N(0, \sigma^2 M)$ with
# $\sigma = \sqrt S/\mu$ is $\mu$-Gaussian differentially private for one trajectory (replace one), whatever the data.
# No smaller $\sigma$ is. Among all covariances that suffice in the same way for one stage, $M$ has the smallest
# determinant.
# ```
#
# ````{prf:proof}
# *One stage.* Replacing a trajectory moves the pair by $z = c - c'$ with both $c$ and $c'$ in the triangle with
# corners $(0,0)$, $(1,0)$, $(1,F)$. The differences of a triangle's points form the hexagon with corners
# $\pm(1,0)$, $\pm(0,F)$, $\pm(1,F)$. Since
#
# $$\begin{gathered}
# M^{-1} = \begin{pmatrix} 1 & -\frac{1}{2F} \\ -\frac{1}{2F} & \frac{1}{F^2} \end{pmatrix},\\
# z^\top M^{-1} z = 1 \text{ at each corner},
# \end{gathered}$$
#
# and $z \mapsto z^\top M^{-1} z$ is convex, it is at most 1 on the whole hexagon.
#
# *All stages.* The squared lengths add up: $\sum_s z_s^\top M^{-1} z_s \le S$. Equality is possible: exchange a
# patient with return 0 from every stage for one with return $F$ from every stage.
#
# *Privacy.* Multiply each pair by $M^{-1/2}$: the query now has Euclidean sensitivity exactly $\sqrt S$ and the noise
# is $\mathcal N(0, \sigma^2 I)$. This is the Gaussian mechanism, which is $\mu$-Gaussian-DP with
# $\mu = \sqrt S/\sigma$ and nothing better {cite:p}`dong2022`. What is computed from the release afterwards cannot
# weaken that.
#
# *Smallest.* An ellipse $\{z^\top M^{-1}z \le 1\}$ around a symmetric polygon is the one of smallest area if it
# touches it at points $z_i$ with weights $c_i > 0$ such that $\sum_i c_i z_i z_i^\top = M$ (John's condition). Here
# $c_i = \frac23$ at $(1,0)$, $(0,F)$, $(1,F)$ does it. $\square$
# ````
#
# No trust: the next cell checks each step with numbers, the first by brute force over exchanges of patients who may
# contribute anything at all.

# %% tags=["hide-input"]
def contribution(kind):
    visits = rng.random(S) < rng.random() if kind == "anything" else np.ones(S)
    returns = F * (rng.random(S) if rng.random() < 0.5 else rng.integers(0, 2, S))
    return np.stack([visits, visits * returns])

def squared_length(z):
    return np.einsum("is,ij,js->", z, np.linalg.inv(M), z)

lengths = [
    squared_length(contribution(one) - contribution(other))
    for one in ("anything", "everywhere")
    for other in ("anything", "everywhere")
    for _ in range(max(100, round(3000 * effort)))
]
farthest = squared_length(np.stack([np.zeros(S), np.full(S, F)]))
corners = np.array([[1, 0], [0, F], [1, F]])
assert max(lengths) <= S + 1e-9 and np.isclose(farthest, S)  # bounded, and attained
assert np.allclose(
    np.einsum("ki,ij,kj->k", corners, np.linalg.inv(M), corners), 1
)  # touches
assert np.allclose(2 / 3 * corners.T @ corners, M)  # John's condition

# %% tags=["remove-input"]
md(
    f"Over {len(lengths):,} exchanges the largest squared length was {max(lengths):.1f}; the bound is {S}, and the worst "
    f"exchange attains {farthest:.1f}. The area of the ellipse is {100 * np.sqrt(np.linalg.det(M)) / 2:.0f} % of that of the circle."
)

# %% [markdown]
# ## The same from the package
#
# `dp_sufficient_statistics` adds this noise and ends with a careful division: a stage that nearly nobody visited
# has a quotient that is nearly all noise, so values are drawn towards the pooled mean as far as their own noise
# demands. Is its noise what the theorem says? Whiten the noise of many releases, and look at its covariance.

# %%
def release_once():
    return dp_sufficient_statistics(
        data, tabular_features(S), return_bound=F,
        epsilon=epsilon, delta=delta, noise_rng=noise_rng)

def whitened_noise(release):
    noise = np.stack(
        [release.visits - data.visits, release.return_sums - data.return_sums]
    )
    return np.linalg.solve(np.linalg.cholesky(S / release.guarantee.mu**2 * M), noise)

noise = np.concatenate(
    [whitened_noise(release_once()) for _ in range(max(50, round(250 * effort)))],
    axis=1,
)
covariance = noise @ noise.T / noise.shape[1]
assert np.abs(covariance - np.eye(2)).max() < 6 * np.sqrt(
    2 / noise.shape[1]
)  # beyond by chance: below 1e-6
pd.DataFrame(covariance, ["visits", "returns"], ["visits", "returns"]).style.format(
    "{:.3f}"
)

# %%
release = release_once()
error = np.sqrt(np.mean((release.parameters - values) ** 2))

# %% tags=["remove-input"]
md(
    f"One release: error **{error:.4f}**, {release.guarantee}. Basis: {release.guarantee.basis}."
)

# %% [markdown]
# (sums-beside)=
# ## Beside the paper's mechanisms
#
# The same 10,000 patients, the same guarantee, the same public bound $F = 1$, tabular features. DP-LSL gets its
# $\lambda$ from an oracle that has seen one other batch and the true values: more than anybody has.

# %% tags=["hide-input"]
starts = {"stage 1": np.eye(40)[0], "any stage": np.full(40, 1 / 40)}
ones, features = np.ones(S), tabular_features(S)

def draw(start, m, rng):
    problem = recovery_chain(initial=starts[start])
    return first_visit_statistics(
        sample_episodes(problem, treatment, m, rng), S, problem.discount, return_bound=F
    )

def rmse(parameters):
    return np.sqrt(np.mean((parameters - values) ** 2))

rehearsal = {
    start: draw(start, n_patients, np.random.default_rng([seed, 1])) for start in starts
}

def oracle_ridge(start, rule, level):
    """The best ridge in hindsight, on a rehearsal with true values. Nobody pays for it."""

    def error(log_ridge):
        scale = noise_scale_lsl_non_private(
            rehearsal[start],
            features,
            ones,
            np.exp(log_ridge),
            return_bound=F,
            epsilon=levels[level][0],
            delta=levels[level][1],
            rule=rule,
        )
        return np.hypot(
            rmse(lsl(rehearsal[start], features, ones, np.exp(log_ridge))), scale
        )

    return np.exp(
        minimize_scalar(error, bounds=np.log([10, 1e6]), options={"xatol": 0.01}).x
    )

# %% tags=["hide-input"]
in_words = {as_printed: "as printed", as_proved: "as proved", calibrate_exact: "exact"}
rules = list(in_words)
ridges = {
    (start, rule, level): oracle_ridge(start, rule, level)
    for start in starts
    for rule in rules
    for level in levels
}

def compare(*, rng, start, level):
    noise_rng, (eps, dlt) = rng.spawn(1)[0], levels[level]
    data = draw(start, n_patients, rng)
    promise = dict(return_bound=F, epsilon=eps, delta=dlt, noise_rng=noise_rng)
    return {
        "LSW, no privacy": rmse(lsw(data, features, ones)),
        "sufficient statistics": rmse(
            dp_sufficient_statistics(data, features, **promise).parameters
        ),
        **{
            f"DP-LSW, {in_words[rule]}": rmse(
                dp_lsw(data, features, ones, rule=rule, **promise).parameters
            )
            for rule in rules
        },
        **{
            f"DP-LSL (oracle λ), {in_words[rule]}": rmse(
                dp_lsl(
                    data,
                    features,
                    ones,
                    ridges[start, rule, level],
                    rule=rule,
                    **promise,
                ).parameters
            )
            for rule in rules
        },
    }

comparison = run(
    compare, grid(start=list(starts), level=list(levels)), range(seed, seed + runs)
)

# %% tags=["hide-input"]
errors = comparison.melt(
    ["start", "level"],
    [
        name
        for name in comparison
        if "S" in name and name[0] in "LD" or name[0:3] == "suf"
    ],
    "method",
    "error",
)
order = errors["method"].unique()
summary = errors.groupby(["method", "start", "level"])["error"].agg(["mean", "sem"])
text = (
    summary.apply(lambda row: f"{show(row['mean'], 2)} ± {show(row['sem'], 1)}", axis=1)
    .unstack(["start", "level"])
    .loc[order]
)
text.style.set_caption(
    f"RMSE at {n_patients:,} patients, {runs} runs ± standard error; a table of zeros has {rmse(0):.2f}"
)

# %% tags=["remove-input"]
mean = summary["mean"]
paper_level, level = levels
gain = mean["DP-LSW, as printed"] / mean["sufficient statistics"]
exact_gain = mean["DP-LSW, exact"] / mean["sufficient statistics"]
md(
    f"From stage 1 at the paper's level the error is {mean['sufficient statistics', 'stage 1', paper_level]:.4f}, where DP-LSW "
    f"as printed has {mean['DP-LSW, as printed', 'stage 1', paper_level]:.0f}; from any stage "
    f"{mean['sufficient statistics', 'any stage', paper_level]:.4f} against {mean['DP-LSW, as printed', 'any stage', paper_level]:.0f}. "
    f"At ε = {show(epsilon)}, δ = {show(delta)} it is {gain['stage 1', level]:.0f} and {gain['any stage', level]:,.0f} times smaller. "
    f"Against DP-LSW *calibrated exactly* the factors are {exact_gain['stage 1', level]:.1f} and {exact_gain['any stage', level]:.0f} "
    f"(at the paper's level {exact_gain['stage 1', paper_level]:.1f} and {exact_gain['any stage', paper_level]:.1f})."
)

# %% [markdown]
# So, in fairness: once smooth sensitivity is calibrated exactly and the batch is past the cliff, DP-LSW is about as
# accurate. Sufficient statistics have no cliff, need neither $\beta$ nor $\lambda$, publish nothing whose width
# follows the data, and serve LSW, LSL and every other analysis of these sums at once. What it looks like:

# %% mystnb={"image": {"alt": "Estimated values of 40 stages, two panels by start. Released sufficient statistics lie on the true curve; from any stage they scatter a little in the first stages. DP-LSW calibrated exactly lies on it from stage 1, and scatters widely from any stage."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
stages = np.arange(1, S + 1)
for ax, start in zip(axes, starts):
    promise = dict(
        return_bound=F,
        epsilon=epsilon,
        delta=delta,
        noise_rng=np.random.default_rng([seed, 2]),
    )
    ax.plot(stages, values, color=REFERENCE, lw=5, alpha=0.4, label="true values")
    ax.plot(
        stages,
        dp_lsw(rehearsal[start], features, ones, **promise).parameters,
        "x",
        color=PALETTE[1],
        ms=5,
        mew=1.5,
        label="DP-LSW, calibrated exactly",
    )
    ax.plot(
        stages,
        dp_sufficient_statistics(rehearsal[start], features, **promise).parameters,
        "o",
        color=PALETTE[0],
        ms=4,
        label="sufficient statistics",
    )
    ax.set(
        title=f"{n_patients:,} patients, start in {start}",
        xlabel="stage",
        ylim=(-0.5, 1.5),
    )
axes[0].set_ylabel("value")
axes[0].legend(loc="lower left");

# %% [markdown]
# ### One release, a whole curve of guarantees
#
# A pair $(\varepsilon, \delta)$ is one point of what a release promises. Because this one is Gaussian, a single number
# $\mu$ gives all of them, and `Guarantee.at` reads them off. The $\sigma_X$ of DP-LSW follows the data, and no such
# curve comes with it.

# %% mystnb={"image": {"alt": "Epsilon against delta for two releases. The one at epsilon 0.1, delta 0.1 is also epsilon 1.3 at delta 1e-5, and lies close to the one calibrated at epsilon 1, delta 1e-5."}} tags=["hide-input"]
deltas = np.geomspace(1e-10, 0.2, 30)
fig, ax = plt.subplots(figsize=(6.8, 3.6))
for (name, (eps, dlt)), color in zip(levels.items(), (PALETTE[1], PALETTE[0])):
    guarantee = dp_sufficient_statistics(
        data, features, return_bound=F, epsilon=eps, delta=dlt, noise_rng=noise_rng
    ).guarantee
    ax.plot(
        deltas,
        [guarantee.at(d).epsilon for d in deltas],
        color=color,
        label=f"calibrated at {name}: μ = {guarantee.mu:.3f}",
    )
    ax.plot(dlt, eps, "o", color=color)
ax.set(
    xscale="log",
    xlabel="δ",
    ylabel="ε",
    title="Each release satisfies every point of its curve",
)
ax.legend();

# %% tags=["remove-input"]
paper_mu = gaussian_mu(paper_epsilon, paper_delta)
md(
    f"A release calibrated at the paper's ({show(paper_epsilon)}, {show(paper_delta)}) is also "
    f"(ε = {gaussian_epsilon(delta, paper_mu):.2f}, δ = {show(delta)})-DP. *For this mechanism* δ = 0.1 is therefore not the disaster "
    "that the number alone allows; its curve says so. A mechanism that gives only the pair leaves you to assume the worst."
)

# %% [markdown]
# (price-of-privacy)=
# ## The price of privacy
#
# The same comparison in patients. How many would the clinic have to recruit for an error of at most 0.01, in values up to 1? DP-LSL takes its best ridge in hindsight.

# %% tags=["hide-input"]
def return_variance(stay=0.5, discount=0.99):
    squared = (
        discount**2 * (1 - stay) / (1 - discount**2 * stay)
    )  # as g, for the discount squared
    return np.append(
        squared ** np.arange(S - 1, 0, -1) / discount**2 - values[:-1] ** 2, 0
    )

def sampling_error(m, visited):
    return np.sqrt(np.mean(return_variance() / (m * visited)))

def statistics_noise(m, visited, mu):
    return np.sqrt(
        np.mean(
            S / mu**2 * 4 / 3 * (F**2 - F * values + values**2) / (m * visited) ** 2
        )
    )

expected = (
    sampling_error(n_patients, np.ones(S)),
    statistics_noise(n_patients, np.ones(S), gaussian_mu(epsilon, delta)),
)

# %% tags=["hide-input"]
def typical(m, visited):
    """The sums that one expects of m patients."""
    visits = np.round(m * visited)
    return FirstVisitStatistics(visits, visits * values, round(m), return_bound=F)

visited = {start: np.cumsum(law) for start, law in starts.items()}

def error_at(method, m, start, level):
    visited, promise = (
        np.cumsum(starts[start]),
        dict(return_bound=F, epsilon=levels[level][0], delta=levels[level][1]),
    )
    sampling, data = sampling_error(m, visited), typical(m, visited)
    if method == "no privacy":
        return sampling
    if method == "sufficient statistics":
        return np.hypot(
            sampling, statistics_noise(m, visited, gaussian_mu(*levels[level]))
        )
    rule = calibrate_exact if "exact" in method else as_printed
    if "DP-LSW" in method:
        return np.hypot(
            sampling,
            noise_scale_lsw_non_private(data, features, ones, rule=rule, **promise),
        )
    return minimize_scalar(
        lambda log: np.hypot(
            rmse(lsl(data, features, ones, np.exp(log))),
            noise_scale_lsl_non_private(
                data, features, ones, np.exp(log), rule=rule, **promise
            ),
        ),
        bounds=(0, 25),
    ).fun

# %% tags=["hide-input"]
target = 0.01
methods_needed = [
    "no privacy",
    "sufficient statistics",
    "DP-LSW, exact",
    "DP-LSW, as printed",
    "DP-LSL (oracle λ), exact",
]

def patients_needed(*, rng, method, start, level):
    low, high = np.log(100), np.log(1e10)
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (
            (low, middle)
            if error_at(method, np.exp(middle), start, level) <= target
            else (middle, high)
        )
    return np.exp(high)

needed = run(
    patients_needed,
    grid(method=methods_needed, start=list(starts), level=list(levels)),
    [seed],
)
needed = needed.pivot(index="method", columns=["start", "level"], values="value").loc[
    methods_needed
]
times = needed.loc["DP-LSW, as printed"] / needed.loc["sufficient statistics"]

# %% tags=["remove-input"]
shown = needed.xs(level, axis=1, level="level").loc[["no privacy", "sufficient statistics", "DP-LSW, exact", "DP-LSW, as printed"]]
names = ["no privacy", "noise on the sums", "smooth noise, exact constants", "smooth noise, the paper's constants"]
shown.index = names
shown.columns = [f"start in {start}" for start in shown.columns]
shown.rename_axis(None).map(lambda m: "100 or fewer" if m < 105 else show(m, 2)).style.set_caption(
    f"Patients needed for an error of {show(target)}, {level}")

# %% tags=["remove-input"]
exactly = needed.loc["DP-LSW, exact"] / needed.loc["sufficient statistics"]
md(f"If patients start anywhere, the paper's constants need **{times['any stage', level]:.0f} times as many** patients as noise on the sums. If all start in stage 1, they need "
   f"{times['stage 1', level]:.0f} times as many. At the paper's own level of privacy, ε = δ = 0.1, the factors are {times['any stage', paper_level]:.0f} and {times['stage 1', paper_level]:.0f}."
   f" With exact constants they are {exactly['any stage', level]:.1f} and {exactly['stage 1', level]:.1f}: past its cliff, smooth noise is nearly as good as noise on the sums.")

# %% [markdown]
# ### The formula
#
# The error of released sums has two parts. Patients differ, so a mean over $m$ of them is uncertain by about
# $1/\sqrt m$. The noise on a sum does not depend on $m$ at all, so divided by $m$ it is about $1/m$. In squares:
#
# ```{math}
# :label: eq-error-today
# \text{error}^2 = \underbrace{\frac1S \sum_s \frac{\operatorname{Var}_s}{n_s}}_{\text{patients differ}}
#  + \underbrace{\frac1S \sum_s \frac{S}{\mu^2}\,\frac{\frac43 (F^2 - F V_s + V_s^2)}{n_s^2}}_{\text{privacy}} .
# ```
#
# Here $n_s$ is the number of visitors of stage $s$, $V_s$ its value, $F$ the largest return and $\operatorname{Var}_s$ the variance of a return. The second term is the variance of
# the noise on the sums, divided by $n_s^2$ ({ref}`above <sums-theorem>`). Double the patients: the first term is halved, the second falls to a quarter.

# %% [markdown]
# Both parts at once, at ε = 1 and δ = 10⁻⁵. On the left everybody starts in stage 1, so all patients pass through every stage; on the right they start anywhere, and stage 1 sees only one patient in forty.

# %% mystnb={"image": {"alt": "Error of the values against the number of patients, both logarithmic, in two panels. In both, noise on the sums falls steadily, and smooth noise starts far above, falls off a cliff and then runs just above noise on the sums. The cliff is at about 550 patients if all start in stage 1, and at about 22,000 if they start anywhere. The error without privacy is far below and falls more slowly."}} tags=["hide-input"]
serious = f"ε = {show(epsilon)}, δ = {show(delta)}"
ways = {"no privacy": (REFERENCE, ":"), "sufficient statistics": (PALETTE[0], "-"), "DP-LSW, exact": (PALETTE[1], "-")}
sizes = np.geomspace(100, 1e5, 61)
error = {(start, way): np.array([error_at(way, m, start, serious) for m in sizes]) for start in starts for way in ways}
fig, axes = plt.subplots(1, 2, figsize=(9, 3.7), sharey=True)
for ax, start, title in zip(axes, starts, ("All start in stage 1", "They start anywhere")):
    for way, (colour, style) in ways.items():
        ax.plot(sizes, error[start, way], color=colour, ls=style, lw=2)
    ax.axvline(n_patients, color=REFERENCE, lw=0.8)
    ax.set(xscale="log", yscale="log", xlim=(100, 1e5), ylim=(5e-5, 100), xlabel="patients", title=title)
axes[0].set_ylabel("error of the values")
axes[1].text(1.2e3, 15, "smooth noise", color=PALETTE[1], weight="bold")
axes[1].text(150, 0.13, "noise on\nthe sums", color=PALETTE[0], weight="bold", ha="left", va="top")
axes[1].text(150, 3.5e-3, "no privacy", color="#5f6368", va="top")
axes[1].text(1.1e4, 7e-5, "10,000", color="#5f6368");

# %% tags=["remove-input"]
def times_larger(m, start):
    return error_at("DP-LSW, exact", m, start, serious) / error_at("sufficient statistics", m, start, serious)

even = {start: (statistics_noise(1, shares, gaussian_mu(epsilon, delta)) / sampling_error(1, shares)) ** 2 for start, shares in visited.items()}
assert all(1.15 < times_larger(100_000, start) < 1.35 for start in starts) and 10 < times_larger(n_patients, "any stage") < 18
assert 4e5 < even["stage 1"] < 4.3e5 and 5e6 < even["any stage"] < 5.3e6
md(f"The great difference between the panels is the place of the cliff. Smooth noise needs 544 visitors in the *emptiest* stage: 544 patients on the left, and forty times as many, about 22,000, on the right. So at {n_patients:,} patients its error is "
   f"{times_larger(n_patients, 'stage 1'):.1f} times as large as that of noise on the sums on the left, and {times_larger(n_patients, 'any stage'):.0f} times as large on the right. With a hundred thousand it is less than 1.5 times in both. Both parts of the error of released sums are equally large at about "
   f"{show(even['stage 1'], 2)} patients if all start in stage 1, and at {show(even['any stage'], 2)} if they start anywhere. There the whole error is below {1.5 * sampling_error(even['stage 1'], visited['stage 1']):.4f}.")

# %% [markdown]
# ### Explore: the price of privacy
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **At ε = 1 and δ = 10⁻⁵, all patients start in stage 1. From how many patients on is privacy's part of the error below 0.001?** Choose, then move the patients. How many would a tenfold
# smaller ε need?
#
# * 2,500
# * 25,000
# * 250,000
# ```

# %% tags=["hide-input"]
epsilon_slider = Slider("epsilon", "ε: how much the release may tell", 0.05, 10, epsilon, points=41)
delta_slider = Slider("delta", "δ: what may stick out", 1e-9, 0.1, delta, points=41)
patients_slider = Slider(
    "patients",
    "patients",
    1e3,
    1e6,
    n_patients,
    points=31,
    low_end="few",
    high_end="many",
)
start_choice = Choice("start", "patients start in", tuple(starts), "stage 1")

def over(*axes):
    """The table over these axes of a function of single values."""
    return lambda function: Table.of(np.vectorize(function), *axes)

inverse_mu = Table.of(
    lambda epsilon, delta: 1 / gaussian_mu(epsilon, delta), epsilon_slider, delta_slider
)
printed_alpha = over(epsilon_slider, delta_slider)(
    lambda epsilon, delta: as_printed(epsilon, delta, S)[0]
)
sampling = over(patients_slider, start_choice)(
    lambda patients, start: sampling_error(patients, visited[start])
)
per_patient = over(patients_slider, start_choice)(
    lambda patients, start: statistics_noise(patients, visited[start], 1)
)
at_best = over(patients_slider, start_choice)(
    lambda patients, start: np.sqrt(np.sum(1 / (patients * visited[start]) ** 2))
)
sums = quadrature(sampling, inverse_mu * per_patient)
lsw_at_best = quadrature(sampling, printed_alpha * at_best)

# %% tags=["remove-input"]
explore(
    name="price_of_privacy",
    sliders=[epsilon_slider, delta_slider, patients_slider, start_choice],
    x=patients_slider,
    y=Axis("error", "error of the values", 1e-5, 10),
    curves=[
        Curve("noise on the sums", sums),
        Curve("smooth noise, the paper's constants, at best", lsw_at_best),
        Curve("not private", sampling, reference=True),
        Curve("a table of zeros", constant(rmse(0)), reference=True),
    ],
    readouts=[
        Readout("error", "error of the values", sums),
        Readout("privacy", "privacy's part of it", inverse_mu * per_patient),
        Readout("without", "error without privacy", sampling),
        Readout("lsw", "smooth noise, the paper's constants, at best", lsw_at_best),
    ],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one trajectory (replace one), proved.",
    alt="Error against the number of patients at ε = {epsilon}, δ = {delta}, start in {start}. At {patients} patients noise on "
    "the sums has {error}, of which privacy {privacy}; without privacy it would be {without}. Smooth noise with the paper's constants has at "
    "least {lsw}.",
    caption="RMSE over the 40 stages, returns at most 1. The formula is accurate where noise is small beside visits; "
    "beyond, shrinking keeps the error below what is drawn.",
)

# %% tags=["remove-input"]
def share(m, e):
    return statistics_noise(m, np.ones(S), gaussian_mu(e, delta))

enough = [1e4 * share(1e4, e) / 0.001 for e in (1, 0.1)]        # the share falls like 1/m
assert round(enough[0], -2) == 24_600 and 7 < enough[1] / enough[0] < 10
md(f"**What you should see.** From about {show(enough[0], 2)} patients on. A tenfold smaller ε needs {enough[1] / enough[0]:.0f} times as many, and δ "
   "matters much less than ε. Without privacy the error falls by a factor of only √10 for ten times the patients, privacy's part by a factor of 10. So there is always a "
   "size of the batch beyond which privacy is nearly free.")

# %% [markdown]
# ### Wrong stages with the paper's constants
#
# {doc}`../05_what_it_costs` compares two treatments stage by stage. With smooth noise and exact constants nearly half of the 39 stages point to the worse treatment, and with the paper's constants it is no better:

# %% tags=["hide-input"]
def wrong_stages(trials, rng, noise_rng):
    """Stages in which the worse of two treatments has the higher value, with smooth noise by the paper's constants."""
    wrong = []
    for _ in range(trials):
        values_of = [dp_lsw(first_visit_statistics(sample_episodes(recovery_chain(stay=stay, initial=np.full(S, 1 / S)), treatment, n_patients // 2, rng),
                                                   S, chain.discount, return_bound=F),
                            tabular_features(S), np.ones(S), return_bound=F, epsilon=epsilon, delta=delta, noise_rng=noise_rng, rule=as_printed).parameters
                     for stay in (0.48, 0.50)]
        wrong.append(np.sum(values_of[0][:-1] <= values_of[1][:-1]))
    return np.mean(wrong)

printed_wrong = wrong_stages(runs, *np.random.default_rng([seed, 5]).spawn(2))
assert effort < 1 or printed_wrong > 15

# %% tags=["remove-input"]
md(f"{printed_wrong:.1f} of 39 on average over {runs} trials, where a coin would err in 19.5.")

# %% [markdown]
# (frozen-lake)=
# ## Not only chains: a frozen lake
#
# The mechanism never used the chain. It wants a finite set of states and trajectories of any lengths. Take
# Gymnasium's *FrozenLake*, 64 states on slippery ice: holes end an episode with nothing, the far corner with reward 1. We
# evaluate a policy that plays the best action most of the time and a random one otherwise, from logged episodes that
# last between a few and a few hundred steps.

# %%
lake = from_gymnasium(gymnasium.make("FrozenLake-v1", map_name="8x8"), discount=0.99)
best = lake.optimal_values()
q = np.einsum("san,san->sa", lake.transitions, lake.rewards + lake.discount * best)
policy = 0.8 * np.eye(lake.n_actions)[q.argmax(axis=1)] + 0.2 / lake.n_actions
lake_values = lake.policy_values(policy)
logged = sample_episodes(lake, policy, n_patients, rng, max_length=2000)
lake_data = first_visit_statistics(
    logged, lake.n_states, lake.discount, return_bound=1
)

# %% tags=["remove-input"]
md(
    f"{len(logged):,} episodes of {logged.lengths.min()} to {logged.lengths.max()} steps; the states are visited by "
    f"{lake_data.visits.min():,} to {lake_data.visits.max():,} of them."
)

# %%
open_ice = ~lake.terminal  # terminal states have the known value 0, and no feature
lake_features, weights = np.eye(64)[:, open_ice], open_ice.astype(float)
promise = dict(return_bound=1.0, epsilon=epsilon, delta=delta, noise_rng=noise_rng)
release = dp_sufficient_statistics(lake_data, lake_features, weights, **promise)
by_lsw = dp_lsw(lake_data, lake_features, weights, **promise)
tables = {
    "true values": lake_values,
    "no privacy": lake_features @ lsw(lake_data, lake_features, weights),
    "sufficient statistics": lake_features @ release.parameters,
    "DP-LSW, exact": lake_features @ by_lsw.parameters,
}

# %% mystnb={"image": {"alt": "Four maps of the frozen lake, coloured by value: the true values, estimated without privacy, from private sufficient statistics, and by DP-LSW calibrated exactly. The first two look alike; the third agrees with them along the well-travelled edges and fades to the mean where few episodes went; the fourth is noise from end to end."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 4, figsize=(10.5, 3.1))
for ax, (name, table) in zip(axes, tables.items()):
    error = np.sqrt(np.mean((table - lake_values)[~lake.terminal] ** 2))
    sns.heatmap(
        np.where(lake.terminal, np.nan, table).reshape(8, 8),
        ax=ax,
        vmin=0,
        vmax=1,
        cmap="viridis",
        cbar=False,
        square=True,
        xticklabels=False,
        yticklabels=False,
    )
    ax.set_title(name if name == "true values" else f"{name}\nerror {error:.2g}", fontsize=10);

# %% [markdown]
# DP-LSW's noise has one width for all states, set by the emptiest. The sums have noise of one width too, but
# a well-visited state divides it by its own many visits. Where hardly anybody went the map knows little, and shows
# the mean.

# %% tags=["remove-input"]
squared = ((tables["sufficient statistics"] - lake_values) ** 2)[open_ice]
seldom = lake_data.visits[open_ice] < n_patients / 10
md(f"Of the squared error of the sums, {100 * squared[seldom].sum() / squared.sum():.0f} % is in the {seldom.sum()} states that fewer "
   "than a tenth of the episodes visit.")

# %% [markdown]
# Features need not be a table. Because the sums are released, any regression on them is free: here a polynomial of degree
# two in row and column, fitted to the *same release*, at no further cost.

# %% tags=["hide-input"]
row, column = np.divmod(np.arange(64), 8) / np.array([[7], [7]])
polynomial = (
    np.stack([row**i * column**j for i in range(3) for j in range(3 - i)], axis=1)
    * weights[:, None]
)
confidence = np.sqrt(np.maximum(release.visits, 0) * weights)
fit = np.linalg.lstsq(
    confidence[:, None] * polynomial,
    confidence * release.return_sums / np.maximum(release.visits, 1),
    rcond=None,
)[0]
plain = np.linalg.lstsq(
    np.sqrt(lake_data.visits * weights)[:, None] * polynomial,
    np.sqrt(lake_data.visits * weights)
    * lake_data.return_sums
    / np.maximum(lake_data.visits, 1),
    rcond=None,
)[0]
away = np.sqrt(np.average((polynomial @ (fit - plain)) ** 2, weights=lake_data.visits))

# %% tags=["remove-input"]
md(
    f"The private surface is {away:.3f} away from the one fitted without privacy, on average over visits."
)

# %% [markdown]
# ## To take away
#
# * **Release sums, not answers.** Where an answer is a function of sums over people, and each person's contribution is
#   bounded, make the sums private, once.
# * **Fit the noise to the contribution.** The set of moves is a hexagon here, not a square: a third to two thirds less variance, for nothing.
# * **Exact calibration first.** Much of what looked like the price of smooth sensitivity was the price of loose constants.
# * **Say the unit, the neighbours, and the whole curve.** One trajectory, replace one, $\mu$.
# * **Privacy costs $1/m$, ignorance $1/\sqrt m$.** So for large batches privacy is free, and the question is only *when*.
#
# ## Why this paper, and what to read next
#
# {cite:t}`balle2016` gave the first differentially private algorithms for policy evaluation in the full MDP setting, and their
# choice of unit, the whole trajectory, is still the right one. Their analysis of sensitivity is tight ({doc}`04_audit`). That a
# simpler mechanism does better today is owed to tools that came later, or were not yet common.
#
# * {cite:t}`nissim2007`: smooth sensitivity, where this chapter's mechanism comes from, and where it shines: medians, and
#   other answers that are *not* functions of sums.
# * {cite:t}`balle2018`: the exact calibration of Gaussian noise. {cite:t}`dong2022`: why $\mu$ is the right way to
#   count, and composition that loses nothing. {cite:t}`bun2016`: concentrated differential privacy, the relative used
#   by many libraries.
# * {cite:t}`wang2018`: sufficient statistics for private linear regression (AdaSSP), the closest relative of what we did.
# * {cite:t}`xie2019`: off-policy evaluation with value function approximation by private gradients, for problems whose
#   states cannot be counted.
# * {cite:t}`dwork2014`: the textbook. {cite:t}`sutton2018`: that of reinforcement learning.
