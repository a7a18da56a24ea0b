# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on private counts: the sensitivity by brute force, problem (3) in closed form, and what sums of noisy counts collect.'
# ---

# %% [markdown]
# # Private counts, checked
#
# ```{admonition} What this page establishes
# :class: tip
# * The sensitivity of all counts is exactly $2H$ for each family, by brute force. Lemma C.1 is exact. Problem (3) has
#   a unique solution in closed form. Sums of noisy counts collect noise, and clipped ones collect bias; consistent counts stay within $E_\rho$.
# * **What is protected.** One patient's whole trajectory, against anyone who reads what was learned; neighbours replace
#   one trajectory.
# * **Behind.** {doc}`../01_counts`.
# * **How long.** About 30 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2023         # all randomness comes from here
n_patients = 3_000
epsilon = 1.0
delta = 1e-5

# %% tags=["hide-input"]
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown as md
from scipy.optimize import linprog

from privrl_core.offline import (
    consistent_counts, count_guarantees, count_transitions, noise_bound, noisy_counts,
    private_transitions, sample_counts)
from privrl_core.privacy import GaussianNoise, LaplaceNoise
from privrl_core.world import Episodes, EpisodicMDP
from privrl_core.formatting import show
from privrl_core.pages import use_theme

use_theme()
rng = np.random.default_rng(seed)             # the patients, and all that is not private
noise_rng = np.random.default_rng([seed, 1])  # the noise: nobody who knows the first may know this

# %% [markdown]
# ## A ward with three treatments
#
# Patients are in one of five conditions, from *critical* (0) to *well* (4), for $H = 6$ days. Each day there are three
# treatments: wait, a gentle one and a strong one. The strong one helps the very ill and harms the others. A good day
# ends better than it began, and we count a day as 1 if the patient was well in the morning. Doctors choose at random
# (our data come from a trial).

# %%
S, A, H = 5, 3, 6
chance_up = np.array([[.15, .20, .45], [.25, .35, .45], [.35, .50, .40],
                      [.45, .65, .35], [.00, .00, .00]])
chance_down = np.array([[.00, .00, .00], [.35, .25, .20], [.25, .15, .25],
                        [.15, .10, .30], [.10, .05, .35]])

one_day = np.zeros((S, A, S))
for s, a in product(range(S), range(A)):
    one_day[s, a, min(s + 1, S - 1)] += chance_up[s, a]
    one_day[s, a, max(s - 1, 0)] += chance_down[s, a]
    one_day[s, a, s] += 1 - chance_up[s, a] - chance_down[s, a]

well = np.tile((np.arange(S) == S - 1)[:, None], (1, A))
ward = EpisodicMDP(np.broadcast_to(one_day, (H, S, A, S)),
                   np.broadcast_to(well, (H, S, A)), [.2, .3, .3, .2, 0])
trial = np.full((H, S, A), 1 / A)

# %% [markdown]
# Whatever one wants to learn from the logs of such a ward, all that matters is *how often* a treatment in a condition
# was followed by which condition. For each day $h$ let $n_{s,a}$ be the number of patients in condition $s$ who got $a$,
# and $n_{s,a,s'}$ the number of those who were in $s'$ the next day. By hand, for two patients and two days:

# %%
records = Episodes.from_lists(states=[[0, 1, 1], [2, 1, 2]],
                              actions=[[2, 1], [0, 1]], rewards=[[0, 0], [0, 0]])

triples = np.zeros((2, S * A, S), dtype=int)           # row s * A + a: a pair
for states, actions in zip(records.states, records.actions):
    for day in range(2):
        triples[day, states[day] * A + actions[day], states[day + 1]] += 1

counts = count_transitions(records, S, A, horizon=2)
assert all((step == by_hand).all() for step, by_hand in
           zip((step.toarray() for step in counts.steps), triples))

# %% [markdown]
# Records may come from anywhere: from a hospital's logs, or from any Gymnasium environment and policy, by
# `sample_episodes_gymnasium`.
#
# For a million patients one need not simulate a million patients. Given how many are in condition $s$, those who get
# each treatment are one multinomial draw; given these, so are the next conditions. That is exact, and costs the same for
# a hundred patients and for a billion:

# %%
patients = sample_counts(ward, trial, n_patients, rng)
sick_day = patients.steps[2].toarray().reshape(S, A, S)[1]     # day 3, condition 1
pd.DataFrame(sick_day, index=["wait", "gentle", "strong"],
             columns=[f"then {s}" for s in range(S)])

# %% [markdown]
# (counts-sensitivity)=
# ## What can one patient change?
#
# On each day a patient adds 1 to one of the pairs and 1 to one of the triples. Replace the patient by another: a 1 moves
# from one cell to another cell, in each of the two families. Its squared length is $1^2 + 1^2 = 2$ a day and family at
# most. So over all days, for pairs and for triples alike,
#
# $$\Delta_2^2 = 2H, \qquad \Delta_1 = 2H.$$
#
# *Checked by brute force*, with every possible pair of patients in a ward of two conditions and two treatments:

# %%
def squared_move(days):
    paths = np.array([(s, *rest) for s in range(2)
                      for rest in product(range(2), repeat=2 * days)])
    states, actions = paths[:, ::2], paths[:, 1::2]
    pair = states[:, :-1] * 2 + actions
    triple = pair * 2 + states[:, 1:]
    return [2 * (cell[:, None] != cell[None]).sum(axis=2).max()
            for cell in (pair, triple)]

for days in (1, 2, 4):
    assert squared_move(days) == [2 * days, 2 * days]

# %% [markdown]
# {cite:t}`qiao2023` measure privacy in $\rho$, *zero-concentrated* differential privacy {cite:p}`bun2016`: Gaussian noise
# of variance $\sigma^2$ costs $\rho = \Delta_2^2/(2\sigma^2)$, and costs add up. Half of the budget for the pairs, half for
# the triples:
#
# ```{prf:lemma} C.1 of the paper, with its Equation (2)
# :label: qiao2023-lemma-c1
# :nonumber:
# With independent noise $\mathcal N(0, \sigma^2)$, $\sigma^2 = 2H/\rho$, on every pair and every triple of every day, the
# noisy counts
#
# $$n'_{s,a} = \{n_{s,a} + \text{noise}\}^+, \qquad n'_{s,a,s'} = \{n_{s,a,s'} + \text{noise}\}^+$$
#
# are $\rho$-zCDP together (one trajectory, replace one).
# ```
#
# ```{prf:proof}
# $\dfrac{2H}{2\sigma^2} + \dfrac{2H}{2\sigma^2} = \dfrac{2H}{\sigma^2} = \rho$. Clipping at 0 looks at nothing but the noisy
# counts.
# ```
#
# *Every cell gets noise, also those that nobody was in.* Zeros without noise would say that nobody was there.
#
# The lemma is exact: two patients who never share a cell cost all of $\rho$. If the promise is about *adding or removing*
# a patient, a 1 appears instead of moving, every square is halved, and the same noise costs $\rho/2$. The guarantee that
# travels with the counts says which of the two it is:

# %%
noise = GaussianNoise.of_epsilon(epsilon, delta)
print(*count_guarantees(noise), sep="\n")

# %% tags=["remove-input"]
printed = np.sqrt(np.log(1 / delta) + epsilon) - np.sqrt(np.log(1 / delta))
md(f"Here ρ = {noise.rho:.4f}, so σ = **{noise.scale(patients.sensitivity):.1f} patients** in every cell. The conversion that most "
   f"papers print, ε = ρ + 2√(ρ ln(1/δ)), would ask for ρ = {printed**2:.4f} and σ = {np.sqrt(2 * H) / printed:.1f}: it holds "
   "for every ρ-zCDP release, and ours are Gaussian, whose exact curve is known.")

# %% [markdown]
# *For real patients* the noise should be drawn exactly: the last digits of a rounded Gaussian can tell what it was added
# to. `DiscreteGaussianNoise` takes the place of `GaussianNoise` in all that follows. It draws
# whole numbers, by a vetted library and from the system's own randomness, at the same $\rho$ and $\sigma$ (Canonne, Kamath &
# Steinke, 2020); only the exact curve is not its own, so that ε is what $\rho$ implies. It is slow and can't be repeated,
# so this book's figures do without.
#
# With $\delta = 0$, pure privacy, Laplace noise does it. The two families have $\Delta_1 = 2H$ each, so a width of
# $4H/\varepsilon$ on each count is $\varepsilon$-private in total. It pays for every day in full, where Gaussian noise pays for
# the square root of the days.
#
# A slider for how wide this noise is beside the counts is on {doc}`../01_counts`.
#
# (sums-collect-noise)=
# ## They no longer add up
#
# Of the patients in one cell, each is in exactly one condition the next day: $n_{s,a} = \sum_{s'} n_{s,a,s'}$. After the
# noise it is no longer so. Why not drop the noisy pairs, and simply add up the noisy triples?

# %%
slack = noise_bound(patients, noise, failure=0.1)
noisy_days = list(noisy_counts(patients, noise, noise_rng))  # last day first
noisy_triples, noisy_pairs = noisy_days[-1 - 2]
row = noisy_triples[1, 1]
pd.DataFrame({"true": np.append(sick_day[1], sick_day[1].sum()),
              "noisy": np.append(row, noisy_pairs[1, 1])},
             index=[*(f"then {s}" for s in range(S)), "their pair"]
             ).T.style.format("{:.0f}")

# %% [markdown]
# Because noises add up, too. The sum of $S$ noisy triples has $\sqrt S$ times the noise of one pair, says the paper's
# Remark 3.1. It is worse than that: counts are clipped at 0, and where nobody was, the clipped noise has mean
# $0.4\,\sigma$ and never a minus to make up for it. In a row with many empty cells the sum is off by $0.4\,\sigma S$.
#
# The paper's answer is better. All noises are at most $E_\rho/2$ with probability $1 - \delta_f$ (a union bound over all
# counts, Lemma C.2; this $\delta_f$ is about usefulness, not privacy), with
#
# $$E_\rho = 4\sqrt{\frac{H\ln(4HS^2A/\delta_f)}{\rho}}.$$
#
# So find the counts that are nearest to the noisy triples, and do add up to what the noisy pair allows:
#
# ```{math}
# :label: eq-problem-3
# \begin{gathered}
# \tilde n_{s,a,\cdot} = \arg\min_{x \ge 0} \max_{s'} \lvert x_{s'} - n'_{s,a,s'}\rvert
# \quad\text{such that}\quad \Bigl\lvert \sum_{s'} x_{s'} - n'_{s,a} \Bigr\rvert \le \frac{E_\rho}{2}, \\
# \tilde n_{s,a} = \sum_{s'} \tilde n_{s,a,s'}.
# \end{gathered}
# ```
#
# It is a linear program, says the paper's Remark 3.2, and can be solved. It can, but there is one for each pair and day.
# It is easier to think about water.
#
# (water-level)=
# ```{prf:theorem} The solution of problem (3)
# :label: thm-problem-3
# Let $N'$ be the sum of the noisy triples and $[\ell, u]$ what the pair allows, $n'_{s,a} \pm E_\rho/2$. The solution is
# unique: (a) $n'$ itself if $\ell \le N' \le u$; (b) $n' + (\ell - N')/S$ if $N' < \ell$; (c) $(n' - t)^+$ if $N' > u$, with
# the level $t$ at which $\sum_{s'} (n'_{s'} - t)^+ = u$.
# ```
#
# ```{prf:proof}
# If every error may be up to $t$, then $x_{s'}$ may be anything from $(n'_{s'} - t)^+$ to $n'_{s'} + t$, and their sum
# anything from $\sum (n'_{s'} - t)^+$ to $N' + St$. The smallest $t$ for which this interval meets $[\ell, u]$ is the
# optimum. In (b) it meets $\ell$ with its right end, where every $x_{s'}$ must be as large as it may; in (c) it meets $u$ with
# its left end, where every $x_{s'}$ must be as small as it may. Either way there is no choice left.
# ```

# %%
def by_linear_program(row, pair, slack):
    n = len(row)
    near = np.hstack([np.vstack([np.eye(n), -np.eye(n)]), -np.ones((2 * n, 1))])
    total = np.append(np.ones(n), 0)                       # unknowns: x, then t
    return linprog(np.append(np.zeros(n), 1), np.vstack([near, total, -total]),
                   [*row, *-row, pair + slack, slack - pair]).x[:-1]

for _ in range(max(10, round(200 * effort))):
    some_row = np.maximum(rng.normal(1, 2, size=rng.integers(1, 8)), 0)
    some_pair, some_slack = 10 * rng.random(), rng.random()
    assert np.allclose(by_linear_program(some_row, some_pair, some_slack),
                       consistent_counts(some_row, some_pair, some_slack))

# %% [markdown]
# The water is drawn on {doc}`../01_counts`.

# %% [markdown]
# Now the four ways to count a pair, in wards with more and more conditions. (Fifty patients, all of whom move to
# condition 0; noise of width 1.)

# %%
def errors(n_states, rows=max(50, round(400 * effort))):
    true = np.zeros((rows, n_states))
    true[:, 0] = 50
    noisy = true + rng.normal(size=true.shape)     # no release: only widths matter here
    pair = np.maximum(50 + rng.normal(size=rows), 0)
    half_E = np.sqrt(2 * np.log(4 * n_states**2 / 0.1))
    clipped = np.maximum(noisy, 0)
    consistent = consistent_counts(clipped, pair, half_E).sum(axis=1)
    sums = {"consistent": consistent, "noisy pair alone": pair,
            "sum of noisy triples": noisy.sum(axis=1),
            "sum of clipped noisy triples": clipped.sum(axis=1)}
    return [{"conditions": n_states, "count of a pair": name,
             "error": np.abs(total - 50).mean(),
             "at the upper end": np.isclose(consistent, pair + half_E).mean()}
            for name, total in sums.items()]

sizes = pd.DataFrame([row for n_states in (10, 30, 100, 300, 1000)
                      for row in errors(n_states)])

# %% mystnb={"image": {"alt": "Mean error of a pair's count against the number of conditions, both logarithmic: lowest and flat for the noisy pair alone, nearly flat and some six times higher for consistent counts, growing like the square root for plain sums, and linearly for sums of clipped counts."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.6))
sns.lineplot(sizes, x="conditions", y="error", hue="count of a pair", style="count of a pair", markers=True, dashes=False, ax=ax)
ax.set(xscale="log", yscale="log", ylabel="mean error, in units of the noise",
       title="Sums collect noise; consistent counts are E/2 too high, and that can be subtracted");

# %% tags=["remove-input"]
last = sizes[sizes["conditions"] == 1000].set_index("count of a pair")
md(f"With 1,000 conditions the sum of noisy triples is off by **{last.loc['sum of noisy triples', 'error']:.0f}**, the sum of clipped ones by "
   f"**{last.loc['sum of clipped noisy triples', 'error']:.0f}**, the consistent count by **{last.loc['consistent', 'error']:.1f}**, and the noisy pair, "
   f"which nobody touched, by **{last.loc['noisy pair alone', 'error']:.1f}**. In {100 * last['at the upper end'].iloc[0]:.0f} % of rows the consistent "
   "count is at the upper end of what the pair allows.")

# %% [markdown]
# So of these four the noisy pair itself is the best count of a *pair*. With few conditions one can do a little better: weigh in
# the sum of the noisy triples, unclipped, by its precision. With five conditions the mean error is then 0.73 in place of 0.80
# ({ref}`an exercise <ex-ask-once>` does so). In a large ward the water nearly always has too
# much to carry off, and leaves $\tilde n_{s,a} = n'_{s,a} + E_\rho/2$: all of the error of the consistent count is that
# known shift. Where the paper divides by $\tilde n_{s,a} - E_\rho$, it is in truth dividing by about
# $n_{s,a} - E_\rho/2$. Why not keep $n'_{s,a}$, then, and scale the triples to it? One may: it is post-processing,
# and costs no privacy. But scaling moves a cell by a share of itself, so a cell that many go to may move far, and the
# bound that the paper's proof lives on is lost: the one of every *cell*, which comes next.

# %% [markdown]
# (counts-to-laws)=
# ## From counts to transition probabilities
#
# ```{prf:lemma} C.3 of the paper
# :label: qiao2023-lemma-c3
# :nonumber:
# If every noise is at most $E_\rho/2$ in size, all consistent counts are within $E_\rho$ of the true ones:
# $\lvert\tilde n_{s,a,s'} - n_{s,a,s'}\rvert \le E_\rho$ and $\lvert\tilde n_{s,a} - n_{s,a}\rvert \le E_\rho$.
# ```
#
# ```{prf:proof}
# The true counts satisfy the constraints of {eq}`eq-problem-3`, with a largest error of at most $E_\rho/2$; the minimiser
# does no worse. Add the distance from noisy to true. For the pair, add the $E_\rho/2$ of the constraint.
# ```
#
# So a pair with $\tilde n_{s,a} > E_\rho$ has really been seen, and gets the transition probabilities
# $\tilde P(s' \mid s, a) = \tilde n_{s,a,s'}/\tilde n_{s,a}$. About all others we know nothing, and say so. Since
# $\tilde n_{s,a} \le n'_{s,a} + E_\rho/2$, a pair with $n'_{s,a} \le E_\rho/2$ is lost whatever its triples are, so their
# noise need not even be drawn: what comes out has the same law, and in a hospital with 716 conditions it is what makes
# the computation quick.

# %%
def known_pairs(n, noise):
    counts = sample_counts(ward, trial, n, rng)
    laws = list(private_transitions(counts, noise, 0.1, noise_rng))
    true = one_day.reshape(-1, S)
    off = [np.abs(law.probabilities - true[law.row]).sum(axis=1).mean()
           for law in laws if law.row.size]
    return {"patients": n, "pairs known, of 90": sum(law.row.size for law in laws),
            "their laws off by (L1)": np.mean(off) if off else np.nan}

kinds = {"Gaussian": noise, "Laplace": LaplaceNoise(epsilon)}
table = pd.DataFrame([{"noise": name, **known_pairs(n, kind)}
                      for n in (300, 3_000, 30_000, 300_000)
                      for name, kind in kinds.items()])
table.pivot(index="patients", columns="noise").style.format("{:.3g}", na_rep="–")

# %% tags=["remove-input"]
md(f"ε = {epsilon:g} for one trajectory (replace one), with δ = {show(delta)} for Gaussian noise and 0 for Laplace noise. Pairs "
   "that the trial cannot reach yet (nobody is well on the first day) are never known.")

# %% [markdown]
# What a policy can be made of that is the subject of {doc}`02_pessimism`.
#
# ```{exercise}
# :label: ex-counts-short
# Some patients leave after two days. What does that do to the sensitivity? And what if one stays for $2H$ days and the
# hospital counts them all?
# ```
#
# ```{solution} ex-counts-short
# :class: dropdown
# Two short records that share no cell move $2 \cdot 2$ in squared length instead of $2H$: shorter is only safer, and the
# guarantee holds as it is. Longer breaks it. A record of $2H$ days moves twice as much as the noise was made for, and costs $2\rho$;
# `count_transitions` refuses it.
# ```
#
# ```{exercise}
# :label: ex-counts-uneven
# The triples decide the law, the pairs only whether it is used. Give the triples a share $\rho_3$ and the pairs
# $\rho_2 = \rho - \rho_3$. What are the two variances?
# ```
#
# ```{solution} ex-counts-uneven
# :class: dropdown
# $\sigma_2^2 = H/\rho_2$ and $\sigma_3^2 = H/\rho_3$: each family costs $2H/(2\sigma^2)$. Half and half gives back $2H/\rho$.
# ```
#
# ## To take away
#
# * One patient moves two 1s a day. Noise of variance $2H/\rho$ on *every* count is exactly $\rho$-zCDP under replace-one, and
#   $\rho/2$ under add-or-remove.
# * Sums of noisy counts collect noise, and clipped ones collect bias. Counts nearest to the noisy ones that add up have a
#   closed form: a water level. They serve a bound for every cell; for a pair alone its own noisy count is better.
# * What was not seen more than $E_\rho$ times is treated as unknown. That is careful: $E_\rho$ is nine or ten standard deviations of
#   the noise, and the noisy count of a single pair is hardly ever off by more than five.
