# ---
# jupyter:
#   myst:
#     html_meta:
#       description: How two exact monthly tables give a patient away, how values are estimated from trajectories,
#         and why worst-case noise drowns them.
# ---

# %% [markdown]
# # The problem, and why the obvious noise fails
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Ten thousand patients went through a treatment. May a clinic publish how well patients do
#   from each stage on?
# * **What is protected.** One patient's whole trajectory, against anyone who reads the publication, even someone
#   who knows all the other trajectories.
# * **What you will see.** How two exact monthly tables give a patient away, how the values are estimated, and
#   why noise scaled to the worst case never becomes useful.
# * **What you need.** Averages, least squares, a little Python. No differential privacy.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2016         # all randomness comes from here
n_patients = 10_000
epsilon = 1.0
delta = 1e-5

# %% tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown as md

from privrl_core.policy_evaluation import (
    aggregated_features, first_visit_returns, first_visit_statistics, lsl, lsw,
    tabular_features)
from privrl_core.world import Episodes, recovery_chain, sample_episodes
from privrl_core.pages.explorer import show
from privrl_core.privacy import gaussian_mu
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

# %% [markdown]
# ## Two tables, one patient
#
# These are averages over thousands of people. What could they possibly give away? Let the clinic publish the exact
# means every month. Anna's record is completed in February. Nobody else's changes. A neighbour reads both tables.

# %%
def records(first, last):
    return Episodes(patients.states[first:last], patients.actions[first:last],
                    patients.rewards[first:last], patients.lengths[first:last])

def table(episodes):
    return lsw(first_visit_statistics(episodes, 40, 0.99), Phi, w)

n = n_patients
january_table, february_table = table(records(1, n)), table(records(0, n))

annas_returns = n * february_table - (n - 1) * january_table
weeks_to_recovery = 1 + np.log(annas_returns[:-1]) / np.log(0.99)

# %% tags=["remove-input"]
by_neighbour = np.rint(weeks_to_recovery).astype(int)
assert by_neighbour[0] == patients.lengths[0]
md(f"The neighbour computes that Anna needed **{by_neighbour[0]} weeks** from admission to recovery, "
   f"{by_neighbour[9]} of them from stage 10 on and {by_neighbour[29]} from stage 30 on. "
   f"The record says {patients.lengths[0]}. It is all there, week by week, in two averages over {n:,} people.")

# %% [markdown]
# Nothing was broken into. It is arithmetic, and it works with any statistic that is published exactly and often
# enough. Whoever wants to publish must add noise, and the question is how much.

# %% [markdown]
# ## The promise
#
# ```{prf:definition} Differential privacy, for one trajectory
# :label: def-dp
# Two data sets $X \simeq X'$ of $m$ trajectories are **neighbours** if one trajectory of $X$ is *replaced* by another
# in $X'$ (any other, likely or not). A randomised algorithm $A$ is $(\varepsilon, \delta)$-**differentially private** if
# for all neighbours and every set $E$ of outputs
#
# $$\Pr[A(X) \in E] \le e^{\varepsilon}\,\Pr[A(X') \in E] + \delta.$$
# ```
#
# *The unit is one trajectory; neighbours replace one.* So the number $m$ of patients is public, and whether Anna's
# record is the true one or any made-up one hardly changes what anyone will read. {cite:t}`dwork2014` is the
# textbook. The promise holds against a reader who knows every other patient's record: the neighbour above, but also
# anybody cleverer.
#
# Suppose the reader thinks it equally likely that Anna's record is $x$ or $x'$. After reading, how sure can they be?
# With $\delta = 0$ the odds change by a factor of at most $e^\varepsilon$:

# %%
certainty = pd.DataFrame({"ε": [0.1, 1, 3, 5]})
certainty["certainty after reading, at most"] = 1 / (1 + np.exp(-certainty["ε"]))
certainty.style.hide().format(show, "ε").format("{:.1%}", certainty.columns[1])

# %% [markdown]
# ### What δ means, and why δ = 0.1 is no privacy
#
# The $\delta$ is what the promise leaves uncovered. It has to be small *against one over the number of people*. Here is
# a mechanism with $\varepsilon = 0$, which looks perfect, and $\delta = 0.1$:
#
# > For each patient, throw a ten-sided die. On a 1, publish the patient's complete record.
#
# Replace Anna's record by another and the outcome changes only if Anna's die shows a 1, so no event changes its
# probability by more than 0.1: the mechanism *is* $(0, 0.1)$-differentially private.

# %%
published = rng.random(n_patients) < 0.1

# %% tags=["remove-input"]
md(f"It has just published **{published.sum():,} of {n_patients:,} complete records**.")

# %% [markdown]
# The paper's experiments use $\varepsilon = \delta = 0.1$. Its algorithms do not publish records at random, and the paper
# wants to show how errors scale, for which any constants serve. But a guarantee should be read at
# its word, and at $\delta = 0.1$ the word is worth nothing. Throughout this chapter we show the paper's setting and,
# beside it, $\varepsilon = 1$ and $\delta = 10^{-5}$, a tenth of one patient in ten thousand.

# %% [markdown]
# ## The obvious noise, and why it fails
#
# The standard recipe: find how far one trajectory can ever move the result, and add Gaussian noise of that size
# times a constant.
#
# ```{prf:definition} Global sensitivity
# :label: def-global-sensitivity
# $\Delta = \max_{X \simeq X'} \lVert f(X) - f(X') \rVert_2$, over *all* pairs of neighbours with $m$ trajectories.
# ```
#
# A mean over $m$ people, each contributing a number between 0 and 1, moves by at most $1/m$. With ten thousand patients
# that is nothing. But ours are means over *the patients who visit the stage*, and how many those are is itself
# private. Imagine a clinic to which everybody is referred as already recovered, except for one
# patient, whose record replaces another such:

# %%
def counts(episodes):
    data = first_visit_statistics(episodes, 40, 0.99, return_bound=1)
    return np.array([data.visits, data.return_sums])

def means(counts):
    visits, return_sums = counts
    return return_sums / np.maximum(visits, 1)

recovered_on_arrival = counts(Episodes.from_lists([[39]], [[]], [[]]))
long_record = counts(Episodes.from_lists([list(range(40))], [[0] * 39], [[1] * 39]))

def worst_move(m):
    everybody = m * recovered_on_arrival
    replaced = everybody - recovered_on_arrival + long_record
    return np.linalg.norm(means(replaced) - means(everybody))

# %% [markdown]
# In 39 stages the long record is the only one, so its return *is* the mean. (Returns are clipped to the public
# bound 1, so one record moves one mean by at most 1.) Beside it, our own clinic's data, where the same long record
# replaces one of thousands:

# %%
def our_move(m):
    ours, replaced = counts(records(0, m)), counts(records(m - 1, m))
    return np.linalg.norm(means(ours - replaced + long_record) - means(ours))

sizes = np.unique(np.geomspace(10, n_patients, max(4, round(7 * effort))).astype(int))
moves = pd.DataFrame({
    "patients": sizes,
    "worst pair of data sets": [worst_move(m) for m in sizes],
    "our data, one record replaced": [our_move(m) for m in sizes]})

# %% mystnb={"image": {"alt": "How far one record moves the 40 means, against the number of patients, both axes logarithmic: a flat line at 6.2 for the worst pair of data sets, and a line falling like one over m for our own data."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
sns.lineplot(moves.melt("patients", var_name="", value_name="move"), x="patients", y="move", hue="", style="",
             markers=True, dashes=False, ax=ax)
ax.set(xscale="log", yscale="log", ylabel="distance between the two results",
       title="The worst case does not care how many patients there are");

# %% tags=["remove-input"]
mu = gaussian_mu(epsilon, delta)
global_noise, local_noise = moves.iloc[-1, 1:] / mu
md(f"At ε = {show(epsilon)}, δ = {show(delta)} (one trajectory, replace one) Gaussian noise takes {1 / mu:.2f} standard deviations per "
   f"unit of sensitivity. For the worst case that is at least **{global_noise:.0f} in every stage, with ten patients or ten "
   f"million**, where the values to be published lie between 0 and 1. Noise to fit the move that we measured on our own "
   f"data would be **{local_noise:.4f}**.")

# %% [markdown]
# That is the whole difficulty of this chapter. The worst case is real, and a guarantee must cover it. But it is not
# *our* data set, nor anything like it: with us, one record moves the result by next to nothing.
#
# So could the noise follow the data: little where every stage is well visited, a lot where some stage is nearly
# empty? Yes, but not naively. The *amount* of noise would then be a statement about the data as well, and it can
# give a patient away too. How to do it properly is the subject of the {doc}`next notebook <02_mechanisms>`.
#
# ```{exercise}
# :label: ex-anna-rounded
# Suppose that the clinic rounds its monthly means to four digits. Does the neighbour still learn how long Anna took?
# Guess first. Then let `table` return `np.round(..., 4)` and run the two cells again. How
# many patients would there have to be before four digits are safe? Is that a *guarantee*?
# ```
#
# ```{solution} ex-anna-rounded
# :class: dropdown
# Rounding changes a mean by up to 0.00005, which is multiplied by $n = 10{,}000$: Anna's return comes out with an error of
# up to about one, and she is hidden *this time*. In a clinic of a hundred it is known to within 0.01, which is
# two weeks. But it is no guarantee: two means on either side of a rounding edge still differ, the tables of
# many months can be combined, and someone who knows how the other patients did can tell on which side of the edge
# Anna's record pushed the mean. Differential privacy is a statement about *all* such readers at once.
# ```
#
# ## To take away
#
# * The unit of privacy is one whole trajectory; neighbours replace one; the number of patients is public.
# * Exact averages, published twice, are one subtraction away from a patient's record.
# * A $\delta$ must be far below one over the number of people; $\delta = 0.1$ permits publishing a tenth of them.
# * First-visit means divide by the number of visitors, which may be one. That is why the global sensitivity never
#   falls, however many patients there are.
