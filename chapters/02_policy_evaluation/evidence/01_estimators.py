# ---
# jupyter:
#   myst:
#     html_meta:
#       description: How values are estimated from trajectories, by hand, by the package and in closed form; the regressions LSW and LSL.
# ---

# %% [markdown]
# # The estimators, checked
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../01_problem`. First-visit averages by hand, by the package and in closed form agree. Values can also be fitted with fewer parameters than
# stages, by the two regressions of {cite:t}`balle2016`, LSW and LSL.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2016         # all randomness comes from here
n_patients = 10_000

# %% tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.policy_evaluation import (
    aggregated_features, first_visit_returns, first_visit_statistics, lsl, lsw,
    tabular_features)
from privrl_core.world import Episodes, recovery_chain, sample_episodes
from privrl_core.pages import REFERENCE, use_theme

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## A clinic and its patients
#
# A treatment leads from stage 1, *admitted*, to stage 40, *recovered*. Each week a patient stays where they are
# with probability one half, or moves up one stage. Recovery is worth 1, and everything is discounted by
# $\gamma = 0.99$ a week, since health now is better than health next year. This is the example of
# {cite:t}`balle2016`, who gave "the first differentially private algorithms for policy evaluation in the full MDP
# setting". It is simple enough that we know every answer in advance, so that whatever goes wrong later is the fault
# of the privacy mechanism and not of the world.

# %%
chain = recovery_chain(n_states=40, stay=0.5, discount=0.99)
treatment = np.ones((chain.n_states, 1))       # the policy: one action, "go on"
patients = sample_episodes(chain, treatment, n_patients, rng)

# %% mystnb={"image": {"alt": "Stage against week for six patients: rising staircases that reach stage 40 after 60 to 80 weeks."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
for states, length in zip(patients.states[:6], patients.lengths[:6]):
    ax.step(np.arange(length + 1), states[: length + 1] + 1, where="post", lw=1.8)
ax.set(xlabel="week", ylabel="stage", title="Six patients: the same treatment, different speeds");

# %% [markdown]
# Each line is one **trajectory**: all that the clinic's record says about one person. It is also our **unit of
# privacy**. What we protect is not one week of a patient, and not one number, but the whole line.

# %% [markdown]
# (estimators)=
# ## How good is it to be in a stage?
#
# The *value* $V(s)$ of stage $s$ is the discounted reward that a patient can expect from there on. The clinic
# estimates it by **first-visit returns**: for each patient and each stage, find the first week in that stage, and
# add up the discounted rewards from then on. By hand, for one short record:

# %%
states, rewards, discount = [0, 0, 1, 2, 2, 3], [0, 0, 0, 0, 1], 0.9

def first_visit_return(s):
    start = states.index(s)
    return sum(discount**k * reward for k, reward in enumerate(rewards[start:]))

record = pd.DataFrame({
    "stage": range(1, 5),
    "first week": [states.index(s) for s in range(4)],
    "return": [first_visit_return(s) for s in range(4)]})
record.style.hide().format({"return": "{:.4f}"})

# %% [markdown]
# The package does the same for any number of trajectories of any lengths. It has to agree:

# %%
one = Episodes.from_lists([states], [[0] * 5], [rewards])
by_package = first_visit_returns(one, n_states=4, discount=discount)[0]
assert np.allclose(by_package, record["return"])
by_package

# %% [markdown]
# The mean of these returns over the patients who visit $s$ is an unbiased estimate of $V(s)$. For this chain the
# answer has a closed form. With $p$ the probability of staying,
#
# ```{math}
# :label: eq-chain-values
# \begin{gathered}
# V(s) = \frac{g^{N-s}}{\gamma} \ \ (s < N), \\
# V(N) = 0, \qquad g = \frac{\gamma (1-p)}{1 - \gamma p}.
# \end{gathered}
# ```
#
# The last stage has value 0, because an episode ends on entering it and the reward has been paid on the way in.

# %%
V = chain.policy_values(treatment)
g = 0.99 * 0.5 / (1 - 0.99 * 0.5)
assert np.allclose(V[:-1], g ** np.arange(39, 0, -1) / 0.99) and V[-1] == 0
returns = first_visit_returns(patients, chain.n_states, chain.discount)[:100]
estimate = returns.mean(axis=0)
standard_error = returns.std(axis=0, ddof=1) / np.sqrt(len(returns))

# %% mystnb={"image": {"alt": "Estimated values of the 40 stages from a hundred patients with two standard errors; they lie on the exact curve, which rises from 0.46 to 0.99 and drops to 0 at the last stage."}} tags=["hide-input"]
stage = np.arange(1, chain.n_states + 1)
fig, ax = plt.subplots(figsize=(7.5, 3.6))
ax.plot(stage, V, color=REFERENCE, label="exact value")
ax.errorbar(stage, estimate, yerr=2 * standard_error, fmt="o", ms=4, label="100 patients, ± 2 standard errors")
ax.set(xlabel="stage", ylabel="value", title="Without privacy, a hundred patients are plenty")
ax.legend(loc="lower center");

# %% [markdown]
# ### Who visits what
#
# In our clinic everybody starts in stage 1, so every patient visits every stage. Suppose instead that patients are
# referred to the clinic at any stage, each equally likely. Then few are ever seen in stage 1. Keep this
# picture in mind: later, *the emptiest stage decides how much noise every stage gets*. (The paper does not say
# where its patients start. We shall try both.)

# %%
referred = recovery_chain(initial=np.full(40, 1 / 40))
referrals = sample_episodes(referred, treatment, n_patients, rng)
admitted_data = first_visit_statistics(patients, 40, 0.99, return_bound=1)
referred_data = first_visit_statistics(referrals, 40, 0.99, return_bound=1)

# %% mystnb={"image": {"alt": "Number of patients who visit each stage, on a logarithmic axis: constant if all start in the first stage; rising from a fortieth of the patients to all of them if they start anywhere."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.2))
ax.plot(stage, admitted_data.visits, label="all start in stage 1")
ax.plot(stage, referred_data.visits, label="start anywhere")
ax.set(yscale="log", ylim=(n_patients / 100, 2 * n_patients), xlabel="stage", ylabel="patients who visit it",
       title="Where patients start decides who is seen where")
ax.legend(loc="lower right");

# %% [markdown]
# ## Two regressions
#
# With many stages, one describes each by $d$ features $\phi_s$ (a row of the matrix $\Phi$) and fits
# $V(s) \approx \phi_s^\top\theta$. Let $\lvert X_s\rvert$ be the number of patients who visit $s$ and $F_X(s)$ the
# mean of their returns, 0 if there are none. The paper fits $\theta$ in two ways.
#
# **LSW**, least squares with fixed *weights* $w_s > 0$, diagonal of $\Gamma$:
#
# ```{math}
# :label: eq-lsw
# \begin{aligned}
# \theta^w_X &= \arg\min_\theta \sum_s w_s \bigl(F_X(s) - \phi_s^\top\theta\bigr)^2 \\
#            &= (\Gamma^{1/2}\Phi)^\dagger\, \Gamma^{1/2} F_X.
# \end{aligned}
# ```
#
# **LSL**, least squares with a ridge $\lambda > 0$, in which each stage counts as often as it is visited, times a
# preference $0 \le \rho_s \le 1$:
#
# ```{math}
# :label: eq-lsl
# \begin{aligned}
# \theta^\lambda_X &= \arg\min_\theta \frac1m \sum_{x \in X} \sum_{s \in x} \rho_s \bigl(F_{x,s} - \phi_s^\top\theta\bigr)^2
#   \\ &\quad + \frac{\lambda}{2m} \lVert\theta\rVert^2 \\
#   &= \Bigl(\Phi^\top \Gamma_X \Phi + \frac{\lambda}{2m} I\Bigr)^{-1} \Phi^\top \Gamma_X F_X,
# \end{aligned}
# ```
#
# where $\Gamma_X$ is diagonal with entries $\rho_s\lvert X_s\rvert/m$. By hand, each is one line:

# %%
Phi, w, rho = tabular_features(40), np.ones(40), np.ones(40)
m, ridge = n_patients, np.sqrt(n_patients)
F = referred_data.return_sums / np.maximum(referred_data.visits, 1)
seen = rho * referred_data.visits / m

theta_w = np.linalg.solve(Phi.T * w @ Phi, Phi.T @ (w * F))
theta_l = np.linalg.solve(Phi.T * seen @ Phi + ridge / (2 * m) * np.eye(40),
                          Phi.T @ (seen * F))

assert np.allclose(theta_w, lsw(referred_data, Phi, w))
assert np.allclose(theta_l, lsl(referred_data, Phi, rho, ridge))

# %% [markdown]
# What the ridge does: it pulls towards zero, and most where there is little data.

# %% mystnb={"image": {"alt": "Fitted values against stage: least squares with weights lies on the exact curve; the ridge root m bends the early stages down; the ridge m takes nearly everything from the early stages and a third from the late ones."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
ax.plot(stage, V, color=REFERENCE, label="exact value")
ax.plot(stage, theta_w, "o", ms=4, label="LSW")
ax.plot(stage, theta_l, "s", ms=4, label="LSL, λ = √m")
ax.plot(stage, lsl(referred_data, Phi, rho, m), "^", ms=4, label="LSL, λ = m")
ax.set(xlabel="stage", ylabel="value", title=f"{m:,} referred patients: a ridge pulls emptier stages to zero")
ax.legend(loc="lower center", ncols=2);

# %% [markdown]
# Features can also *pool* stages: one parameter for each pair, say. The last stage is a special case. Its value is 0
# by definition and needs no data, so it gets no feature at all; in a pair with stage 39, whose value is nearly 1, it
# would spoil the fit, and the error would have nothing to do with privacy.

# %%
pairs = aggregated_features(40, 2)
pairs_without_end = pairs.copy()
pairs_without_end[-1] = 0

def root_mean_square_error(features):
    return np.sqrt(np.mean((features @ lsw(admitted_data, features, w) - V) ** 2))

# %% tags=["remove-input"]
md(f"Root-mean-square error of pairs over the 40 stages: **{root_mean_square_error(pairs):.3f}** with stage 40 in the "
   f"last pair, **{root_mean_square_error(pairs_without_end):.4f}** without it.")
