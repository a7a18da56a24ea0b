# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on counters that never stop: sensitivities by brute force, exact errors, where a factor of 98 comes from, people who come back.'
# ---

# %% [markdown]
# (online-counters)=
# # Counters, checked
#
# ```{admonition} What this page establishes
# :class: tip
# * What one person can change in a whole table, for every way of counting, by all pairs of days of small worlds. The exact error of every counter at
#   every time, by its formula and by simulation. Which step of the way from a tree with Laplace noise to today's counter is worth how much, and how much of it is
#   bought with δ. How often to renew a sum. What a person pays who comes back.
# * **What is protected.** All data of one person, who is in one batch. Neighbours replace one. The releases are private in the central model; the
#   treatments of all others are then jointly private.
# * **How long.** About 25 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2010         # all randomness comes from here
epsilon = 1.0       # what every counter here promises
delta = 1e-5

# %% tags=["hide-input"]
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from dp_accounting import pld
from IPython.display import Markdown as md
from scipy.special import ndtr

from privrl_core.online import (
    KINDS, PER_STEP, POOLED, Counter, FirstVisits, LeastLargest, RunningSum, SquareRoot, WholeSquareRoot,
    counter, counter_standard_deviations, doubling, growing, square_root_coefficients, table_sensitivity)
from privrl_core.privacy import ADD_OR_REMOVE_ONE, Sensitivity, gaussian_mu
from privrl_core.privacy.noise import DiscreteGaussianNoise
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show

use_theme()
noise_rng = np.random.default_rng(seed)
H, K = 20, 20_000                   # days of a stay, and people: the field's benchmark
mu = float(gaussian_mu(epsilon, delta))

# %% [markdown]
# (online-sensitivities)=
# ## What one person can change
#
# The hospital counts *triples*: condition, treatment, next condition. Some algorithms count *pairs* as well, and rewards. Every step of a person's stay adds one
# to one cell of each family. If another person comes in her place, all her ones disappear and as many others appear. The table
# has a cell for every step (*per step*), or one for all steps (*pooled*), or counts only the first $c$ visits of each pair in a stay.
#
# The formulas of `table_sensitivity` are short. Brute force is the check: every stay in a world of two conditions and two treatments, against every other.

# %%
def all_days(horizon, S=2, A=2):
    """Every stay, as a list of (condition, treatment, next condition)."""
    for path in product(range(S), *[range(A), range(S)] * horizon):
        yield [path[2 * h:2 * h + 3] for h in range(horizon)]

def tables(horizon, counting, families):
    rows = []
    for day in all_days(horizon):
        table, seen = np.zeros((families, horizon, 2, 2, 2)), {}
        for h, (s, a, after) in enumerate(day):
            seen[s, a] = seen.get((s, a), 0) + 1
            if seen[s, a] > getattr(counting, "cap", horizon):
                continue
            step = h if counting is PER_STEP else 0
            table[0, step, s, a, after] += 1
            table[1:, step, s, a, 0] += 1           # pairs, and rewards of 1
        rows.append(table.ravel())
    return np.unique(rows, axis=0)

def largest_change(rows):
    l1 = max(np.abs(rows - row).sum(axis=1).max() for row in rows)
    l2 = max(((rows - row) ** 2).sum(axis=1).max() for row in rows)
    return l1, np.sqrt(l2)

# %%
found = []
for horizon, counting, families in product(
    (1, 2, 3), (PER_STEP, POOLED, FirstVisits(1), FirstVisits(2)), (1, 2)
):
    rows = tables(horizon, counting, families)
    said = table_sensitivity(horizon, families, counting, pairs=4)
    l1, l2 = largest_change(rows)
    one = table_sensitivity(
        horizon, families, counting, pairs=4, neighbours=ADD_OR_REMOVE_ONE
    )
    assert l1 <= said.l1 + 1e-9 and l2 <= said.l2 + 1e-9
    assert np.isclose(rows.sum(axis=1).max(), one.l1) and np.isclose(
        np.linalg.norm(rows, axis=1).max(), one.l2
    )
    found.append(
        {
            "steps": horizon,
            "counted": str(
                getattr(
                    counting, "value", f"first {getattr(counting, 'cap', '')} visits"
                )
            ),
            "families": families,
            "attained": np.isclose([l1, l2], [said.l1, said.l2]).all(),
        }
    )
found = pd.DataFrame(found)

# %% tags=["remove-input"]
missed = found[~found["attained"]]
md(f"In all {len(found)} cases no two stays differ by more than the formula says, and in **{found['attained'].sum()}** of them two stays differ by exactly so "
   "much, in both norms. " + ("What remains is first visits in two families, where a stay of three steps fills so many of the four pairs that no "
   "other stay avoids them all; the formula is an upper bound there." if len(missed) else "")
   + " The tests do the same for all worlds of up to three conditions, treatments and steps, also for adding or removing one.")

# %% [markdown]
# At the size of the benchmark, with two conditions more than enough to avoid each other:

# %% tags=["hide-input"]
sizes = [("per step", 2, PER_STEP), ("per step", 3, PER_STEP), ("pooled", 2, POOLED), ("first 6 visits", 1, FirstVisits(6))]
pd.DataFrame([{"counted": name, "families": f, "L1": s.l1, "L2": s.l2} for name, f, counting in sizes
              for s in [table_sensitivity(H, f, counting, pairs=12)]]).style.hide().format({"L1": "{:.0f}", "L2": "{:.2f}"})

# %% [markdown]
# The first three rows explain a habit of the papers and a way out of it. In L1, which Laplace noise pays, pooling costs nothing and saves nothing. In L2, which
# Gaussian noise pays, a cell for every step is much cheaper than one for all; but the noisy tables of all steps are then added up again by the learner. Counting only the first visits of a pair keeps
# one table and gives up visits that a person has made many times already. It is unbiased in the sense that $E[N(s') - P(s')N] = 0$, as it is settled
# whether a visit counts before its outcome is seen.
#
# (online-square-root)=
# ## A factor that is its own square root
#
# A counter publishes all running sums $Ax$, with $A$ the lower triangle of ones. Write $A = LR$, publish $L(Rx + z)$: a person moves one column of $R$, and the error at time $t$ is a row of $L$.
# With $R = L = C$, the Toeplitz matrix of the numbers $a_k = \binom{2k}{k}4^{-k}$, both are equally long. These numbers are the coefficients of the series of $1/\sqrt{1-x}$, and a running sum is the series of $1/(1-x)$, with coefficients $1, 1, 1, \dots$

# %%
n = 400
a = square_root_coefficients(n)
apart = np.arange(n)[:, None] - np.arange(n)
C = np.where(apart >= 0, a[np.abs(apart)], 0.0)
assert np.abs(C @ C - np.tril(np.ones((n, n)))).max() < 1e-12
assert np.isclose(np.linalg.norm(C[:, 0]), np.linalg.norm(C[-1]))

# %% [markdown]
# The matrix is lower triangular. So what is published at time $j$ can be computed from $(Cx)_i + z_i$ for $i \le j$, where each $z_i$ is drawn fresh. Replace the person at time $k$. Her change $d$ is fixed when
# she comes, and given what was published, all others bring the same as before. So number $j$ changes by $a_{j-k}d$, whatever the others do. The squared lengths of all changes add up to at most $s_n^2\|d\|^2$, where $s_n^2 = a_0^2 + \dots + a_{n-1}^2$,
# and the bound for Gaussian noise holds for releases of which each may depend on the ones before. For the trees the same argument runs over blocks, and the best factor below is made triangular by a rotation, which changes no length. No counter here needs a stream that is fixed in advance.
#
# How good is it? {cite:t}`henzinger2025` enclose the least possible product of the longest row and the longest column between $0.701 + \ln(n)/\pi$ and $0.846 + \ln(n)/\pi$,
# up to what vanishes. For short streams the best factorisation can be computed, with a dual that proves it:

# %% tags=["hide-input"]
rows = []
for n in (4, 16, 25, 48):
    least = LeastLargest(n)
    assert np.isclose((least.errors() * least.column_l2).max(), least.least_possible)
    rows.append({"n": n, "square root": SquareRoot(n).errors()[-1] ** 2, "best possible": least.least_possible,
                 "0.701 + ln(n)/π": .701 + np.log(n) / np.pi, "0.846 + ln(n)/π": .846 + np.log(n) / np.pi})
pd.DataFrame(rows).style.hide().format("{:.3f}", subset=["square root", "best possible", "0.701 + ln(n)/π", "0.846 + ln(n)/π"])

# %% [markdown]
# The best factorisation has the same error at all times. The square root has less at the first releases, where a learner needs it most, so the learners of this book use the square root.

# %% [markdown]
# (online-take-back)=
# ### From two batches to sixteen
#
# {doc}`The main path <../03_from_tree_to_batches>` finds the weights for two batches and for three. In general, let the batches have the sums $x_1$ and $x_2$, and let $a$ be the share of $x_1$ in the second noisy number:
#
# | noisy number 2 | published sum 2: noisy number 2, plus $1 - a$ times noisy number 1 |
# |---|---|
# | $a x_1 + x_2 + z_2$ | $x_1 + x_2 + z_2 + (1 - a) z_1$ |
#
# A patient of batch 1 moves the two numbers by $1$ and $a$, a length of $\sqrt{1 + a^2}$, and a patient of batch 2 only the second one, by 1. Sum 2 contains a noise of length $\sqrt{(1 - a)^2 + 1}$. So for the same promise the noises at $a = 0$, $\tfrac12$ and $1$ must be 1, 1.12 and 1.41 times as large.
# The product of the two lengths is $\sqrt2$ at both ends and smallest at $a = \tfrac12$, with 1.25.
#
# With six batches, a darker square means more of that noise in that sum. A patient of a later batch than the first moves only the noisy numbers from that batch on, with the same weights, so batch 1 is the worst case.

# %% tags=["remove-cell"]
both_lengths = np.sqrt(1 + np.linspace(0, 1, 101) ** 2) * np.sqrt(1 + (1 - np.linspace(0, 1, 101)) ** 2)
assert np.argmin(both_lengths) == 50 and np.isclose(both_lengths[50], 1.25) and np.allclose(both_lengths[[0, -1]], np.sqrt(2)) and np.round(np.sqrt(1 + np.array([0, 0.25, 1])), 2).tolist() == [1, 1.12, 1.41]

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three triangles of squares for six batches: rows are the published sums, columns are the noises, and strong squares mean much of a noise. Noise on every batch: the whole triangle is strong. Noise on every sum: only the diagonal. Square root: strong on the diagonal and fading to the left."}}
SIX = 6
fading = np.array([[square_root_coefficients(SIX)[row - column] if column <= row else 0 for column in range(SIX)] for row in range(SIX)])
shares = {"noise on every batch": np.tril(np.ones((SIX, SIX))), "square root": fading, "noise on every sum": np.eye(SIX)}
fig, ax = plt.subplots(figsize=(7.4, 2.6))
for k, (label, share) in enumerate(shares.items()):
    for row in range(SIX):
        for column in range(row + 1):
            ax.add_patch(plt.Rectangle((8.2 * k + column, SIX - 1 - row), 0.92, 0.92, fc=PALETTE[0], alpha=share[row, column], ec="none"))
        first = ("1" if share[row, 0] == 1 else "0") if k != 1 else ("1", "½", "⅜", ".31", ".27", ".25")[row]
        ax.text(8.2 * k + 0.46, SIX - 0.54 - row, first, ha="center", va="center", fontsize=9, color="white" if share[row, 0] > 0.6 else "#22272e")
    ax.text(8.2 * k, SIX + 0.35, label, weight="bold", color="#22272e")
    ax.text(8.2 * k + 3, -0.35, "noise of batch 1 to 6", ha="center", va="top", color="#4a5058")
ax.text(-0.3, SIX / 2, "sum 1 to 6, downwards", rotation=90, ha="right", va="center", color="#4a5058")
ax.set(xlim=(-1.2, 23), ylim=(-1.2, SIX + 1.1), aspect="equal", title="How much of each noise is in each published sum")
ax.axis("off");

# %% tags=["remove-cell"]
s_squared = float(np.sum(square_root_coefficients(16) ** 2))
grows = (np.euler_gamma + 4 * np.log(2)) / np.pi          # s_N² is ln(N)/π plus this, for large N
assert np.round(np.sqrt(12) * 2 / mu) == 26
page_1 = 2 / mu * np.linalg.norm(square_root_coefficients(12)) ** np.arange(3)        # twelve sums, and a vote moves a sum by 2
assert np.round(page_1, 2).tolist()[0] == 7.46 and np.round(page_1, 1).tolist() == [7.5, 10.2, 13.8] and round(round(page_1[1]) * 1.36) == 14 and round(page_1[1] / page_1[0], 2) == 1.36 and round(1 + 1 / 4 + 9 / 64, 2) == 1.39
assert round(s_squared, 2) == 1.94 and round(grows, 2) == 1.07 and abs(grows + np.log(16) / np.pi - s_squared) < 0.01

# %% tags=["remove-input"]
md("Error of the last sum, as length times length:\n\n| batches | square root | noise on every batch |\n|---:|---|---|\n"
   "| 2 | $\\sqrt{1.25} \\times \\sqrt{1.25} = 1 + \\tfrac14 = 1.25$ | $1 \\times \\sqrt2 = 1.41$ |\n| 3 | $\\sqrt{1.39} \\times \\sqrt{1.39} = 1 + \\tfrac14 + \\tfrac9{64} = 1.39$ | $1 \\times \\sqrt3 = 1.73$ |\n"
   f"| 16 | $\\sqrt{{{s_squared:.2f}}} \\times \\sqrt{{{s_squared:.2f}}} = 1 + \\tfrac14 + \\tfrac9{{64}} + \\dots = {s_squared:.2f}$ | $1 \\times \\sqrt{{16}} = {np.sqrt(16):.0f}$ |\n\n"
   f"The unit is the noise of a single number. For $N$ batches the error is about ${grows:.2f} + \\ln(N)/\\pi$ {{cite:p}}`fichtenberger2023,henzinger2023`: it grows like a logarithm.\n\n"
   f"{{doc}}`The noise of the first page <../01_one_after_another>` is made in this way. There a single number needed {page_1[0]:.2f}, as a vote moves a sum by 2. The length of twelve weights is {page_1[1] / page_1[0]:.2f}. So the first sum has ${page_1[0]:.2f} \\times {page_1[1] / page_1[0]:.2f} = {page_1[1]:.0f}$, with one length, and the last one ${page_1[1]:.0f} \\times {page_1[1] / page_1[0]:.2f} = {page_1[2]:.0f}$, with both. Twelve sums with fresh noise in each would have $\\sqrt{{12}} \\times {page_1[0]:.2f} = {np.sqrt(12) * page_1[0]:.0f}$.")

# %% [markdown]
# (online-whole-weights)=
# ## Whole weights for whole-number noise
#
# Discrete Gaussian noise {cite:p}`canonne2020` is for whole sums, and $Cx$ is not whole. Take $R$, the matrix $C$ times a million with each entry rounded, and $L = AR^{-1}$. Then $Rx$ is whole, $z$ is drawn as whole numbers with $\sigma = \|R e_1\|\Delta/\mu$,
# and $L(Rx + z) = Ax + Lz$ is post-processing of $Rx + z$. It may be computed with rounding errors.
#
# *Noise.* It is that of the square root to six digits, as the cell below checks. *Promise.* Let $f$ be the density of a normal variable. In each cell $[k - \tfrac12, k + \tfrac12]$ its mean differs from $f(k)$ by at most $\max|f''|/24$, and
# $\int|f''| = 4\varphi(1)/\sigma^2$. So the discrete Gaussian and a rounded normal variable differ by about $0.02/\sigma^2$ in total variation. The cell finds less than $0.03/\sigma^2$ from $\sigma = 2$ on, and we use this. Rounding $Rx$ plus normal noise is post-processing, and it gives $Rx$ plus rounded noise, because $Rx$ is whole. All noise is drawn independently
# of the data, so this holds for adaptive streams, too. With $m$ noises the promise of normal noise holds with a $\delta$ that is larger by at most $(1 + e^\varepsilon)\,0.03\,m/\sigma^2$.

# %%
N, counts = 25, 48                                    # the ward of the main path
root, whole = SquareRoot(N), WholeSquareRoot(N)
weights = np.rint(1e6 * square_root_coefficients(N))
late = np.arange(N)[:, None] - np.arange(N)
R, A = np.where(late >= 0, weights[np.abs(late)], 0), np.tril(np.ones((N, N)))
L = np.linalg.solve(R.T, A.T).T
assert np.allclose(L @ R, A)
assert np.allclose(np.linalg.norm(L, axis=1), whole.errors())
assert np.allclose(np.linalg.norm(R[:, 0]), whole.column_l2)
assert np.allclose(whole.errors() * whole.column_l2,
                   root.errors() * root.column_l2, rtol=1e-6)
for scale in (2, 5, 20, 100):
    k = np.arange(-12 * scale, 12 * scale + 1)
    discrete = np.exp(-k**2 / (2 * scale**2))
    rounded = np.diff(ndtr(np.append(k - 0.5, k[-1] + 0.5) / scale))
    apart = abs(discrete / discrete.sum() - rounded).sum() / 2
    assert 0.019 < apart * scale**2 < 0.03
one_stay = table_sensitivity(10, 1, FirstVisits(6), pairs=12).l2
sigma = whole.column_l2 * one_stay / mu
more = (1 + np.e) * 0.03 * N * counts / sigma**2
assert more < 1e-12

# %% [markdown]
# For the ward, with 25 batches of 48 counts at ε = 1, δ grows by less than $10^{-12}$. A `Counter` with the factor `WholeSquareRoot` and `DiscreteGaussianNoise` draws such noise. Its guarantee is the somewhat larger ε that zCDP implies for whole numbers {cite:p}`canonne2020`, without the argument on this page.
#
# (online-whole-ward)=
# ### What whole numbers cost the ward
#
# A vetted library draws noise for whole sums. There are two ways to have them:

# %% tags=["remove-cell"]
batches = growing(20_000, first=300, growth=0.2)
board = counter("doubling-toeplitz", 20_000, table_sensitivity(10, 1, FirstVisits(6), pairs=12), epsilon=1.0, delta=1e-5, times=batches)
whole_noise = DiscreteGaussianNoise.of_epsilon(1.0, 1e-5)
halves = growing(20_000, first=300, growth=1.0)
plain_sums = Counter(times=halves, factor=RunningSum(halves.size), noise=whole_noise, sensitivity=board.sensitivity)
exact = Counter(times=batches, factor=WholeSquareRoot(N), noise=whole_noise, sensitivity=board.sensitivity)
with_whole_weights = exact.standard_deviations[-1]
same_promise = exact.factor.errors() * exact.factor.column_l2 * board.sensitivity.l2 / float(gaussian_mu(1.0, 1e-5))      # with the account above
assert batches.size == N and np.allclose(same_promise, board.standard_deviations, rtol=1e-6) and exact.guarantee.epsilon <= 1
assert weights[:5].tolist() == [1_000_000, 500_000, 375_000, 312_500, 273_438] and halves.size == 8
assert round(plain_sums.standard_deviations[-1]) == 117 and round(board.standard_deviations[-1]) == 79 and round(with_whole_weights) == 86

# %% tags=["remove-input"]
md(f"""* **Plain sums of doubling batches** are whole. In the ward they end with a noise of {plain_sums.standard_deviations[-1]:.0f}, after {halves.size} batches. The square root has {board.standard_deviations[-1]:.0f}, after {N}.
* **Whole weights.** Multiply the weights by a million and round: 1,000,000, 500,000, 375,000, 312,500, 273,438, … Now the mixed sums are whole. Add whole-number noise, and undo the mixing with the same weights, which is post-processing. By the package's account the noise is {with_whole_weights:.0f} then; with the argument above it is {board.standard_deviations[-1]:.0f} again, to six digits. This is the way for real patients. The simulations of this chapter, with invented ones, draw real-valued noise.""")

# %% [markdown]
# (online-errors)=
# ## The exact error, and a simulation
#
# One count, which one person changes by one. The error is the standard deviation of the noise in what stands published, at its worst time:

# %% tags=["hide-input"]
names = {"tree-laplace": "tree, Laplace noise (δ = 0)", "tree-gaussian": "tree, Gaussian noise", "tree-smoothed": "the same, all blocks read",
         "toeplitz": "square root", "doubling": "doubling batches", "doubling-toeplitz": "doubling, square root",
         "doubling-best": "doubling, best factor"}
assert list(names) == list(KINDS)
worst = pd.DataFrame({f"{people:,}": {label: counter_standard_deviations(kind, people, epsilon=epsilon, delta=delta).max()
                                      for kind, label in names.items()} for people in (10**4, 10**5, 10**6)})
worst.loc["one release"] = 1 / mu
worst.style.format("{:.2f}")

# %%
n_cells = max(4_000, round(60_000 * effort))
off = []
for kind in KINDS:
    made = counter(kind, 37, Sensitivity(3.0, 2.0), epsilon=epsilon, delta=delta)
    totals = made.release(
        np.zeros((made.times.size, n_cells)), noise_rng=noise_rng
    ).totals
    off.append(np.abs(totals.std(axis=1) / made.standard_deviations - 1).max())
assert max(off) < 6 * np.sqrt(5 / n_cells)

# %% tags=["remove-input"]
md(f"*Simulated:* {n_cells:,} cells, all seven counters, 37 people, every time. The standard deviation found differs from the formula by at most {100 * max(off):.1f} %, which is chance.")

# %% mystnb={"image": {"alt": "Standard deviation of the noise in a whole table against the number of people, both logarithmic. The Laplace tree is highest and jumps up and down, the Gaussian tree is far below it, the square root is smooth and lower, and the doubling counter with the square root is lowest, rising slowly to 65."}} tags=["hide-input"]
table = table_sensitivity(H, 2, PER_STEP)
times = np.unique(np.geomspace(1, K, 400).astype(int))
fig, ax = plt.subplots(figsize=(7.5, 4))
for kind in ("tree-laplace", "tree-gaussian", "toeplitz", "doubling-toeplitz"):
    sd = counter_standard_deviations(kind, K, table, epsilon=epsilon, delta=delta)
    ax.plot(times, sd[times - 1], label=names[kind])
ax.set(xscale="log", yscale="log", xlabel="people so far", ylabel="standard deviation in each cell",
       title="A whole table at ε = 1: a tree in each cell, or batches and a square root")
ax.legend(loc="center left", bbox_to_anchor=(0, 0.56));

# %% [markdown]
# (online-98)=
# ## Where the factor of 98 comes from
#
# RiverSwim, $H = 20$, $K = 20{,}000$, two families with a cell for every step, $\varepsilon = 1$, $\delta = 10^{-5}$ where there is one. The largest standard deviation in a cell:

# %% tags=["hide-input"]
error = {kind: counter_standard_deviations(kind, K, table, epsilon=epsilon, delta=delta).max() for kind in KINDS}
printed = np.sqrt(2 * 14) * 2 * H * np.log2(K) / epsilon          # Lap(2H log2 K / ε) in each block, 14 blocks at worst
true_epsilon = 15 * table.l1 / (2 * H * np.log2(K))               # what that promises: 15 blocks, 80 cells
pure_batches = np.sqrt(2 * 16) * table.l1 / epsilon               # sixteen batches, Laplace noise, summed
steps = [("tree, Laplace noise, correctly calibrated", error["tree-laplace"], "ε-DP, δ = 0"),
         ("tree, Laplace noise, in one reading of print", printed, f"{true_epsilon:.1f} ε-DP, δ = 0"),
         ("16 doubling batches, Laplace noise, summed", pure_batches, "ε-DP, δ = 0"),
         ("tree, Laplace noise, accounted at δ = 10⁻⁵", 684.0, "(ε, δ)-DP, by dp_accounting"),
         ("tree, Gaussian noise", error["tree-gaussian"], "(ε, δ)-DP"),
         ("the same tree, read by Honaker's estimate", error["tree-smoothed"], "(ε, δ)-DP"),
         ("square root, after every person", error["toeplitz"], "(ε, δ)-DP"),
         ("16 doubling batches, summed", error["doubling"], "(ε, δ)-DP"),
         ("16 doubling batches, square root", error["doubling-toeplitz"], "(ε, δ)-DP"),
         ("16 doubling batches, best factor", error["doubling-best"], "(ε, δ)-DP"),
         ("a single release at the end", table.l2 / mu, "(ε, δ)-DP")]
pd.DataFrame(steps, columns=["counter", "standard deviation", "promise"]).style.hide().format({"standard deviation": "{:,.0f}"})

# %% tags=["remove-cell"]
assert np.isclose(error["tree-laplace"] / error["doubling-toeplitz"], 97.9, atol=0.1)
assert round(printed / error["doubling-toeplitz"]) == 47 and (round(error["doubling-best"]), round(error["doubling-toeplitz"])) == (57, 65)
assert np.isclose(printed, 3024, atol=1) and np.isclose(true_epsilon, 2.1, atol=0.005)
assert np.isclose(error["tree-gaussian"], 483.5, atol=0.5) and np.isclose(error["tree-smoothed"], 361, atol=0.5)

# %% tags=["remove-input"]
by_delta, law = error["tree-laplace"] / 684, 684 / error["tree-gaussian"]
root, batches = error["tree-gaussian"] / error["toeplitz"], error["toeplitz"] / error["doubling-toeplitz"]
md(f"From the correctly calibrated pure tree to the square root over batches it is **{error['tree-laplace'] / error['doubling-toeplitz']:.0f} times** less noise: {by_delta:.1f} for allowing "
   f"δ = 10⁻⁵ at all, with the very same noise, {law:.1f} for Gaussian noise in place of Laplace noise, which needs δ too and makes {by_delta * law:.0f} of the two, {root:.1f} for the square root in place of the tree, and {batches:.1f} for publishing sixteen times in place of 20,000. Two fairer comparisons "
   f"for the middle step and for the whole: a tree can be read better than it is, which takes {error['tree-gaussian']:.0f} to {error['tree-smoothed']:.0f} (a factor of {error['tree-gaussian'] / error['tree-smoothed']:.1f}) and leaves {error['tree-smoothed'] / error['toeplitz']:.1f} for the root; and at δ = 0 sixteen "
   f"batches already have {pure_batches:.0f}, {error['tree-laplace'] / pure_batches:.0f} times less than the tree. So what a step is worth depends on the order of the steps.")

# %% [markdown]
# The number 684 is that of Google's accountant for 1,200 Laplace noises, 15 blocks of 80 cells; the tests recompute it. The first row is the tree as it has to be calibrated. In one of the two readings of {cite:t}`qiao2024`,
# noise $\mathrm{Lap}(2H\log_2 K/\varepsilon)$ goes into each block. Then the true privacy loss is up to $2.1\,\varepsilon$, because two families of $2H$ moved cells in $\lfloor\log_2 K\rfloor + 1$ blocks are more than this width allows for, and the factor from there to
# the last counter is 47 in place of 98. In the other reading, which is closer to the words, the promise holds. {doc}`03_printed_bonuses` has both. The best mixing that is possible has 57 in place of the square root's 65.
#
# ```{admonition} One block more than the logarithm
# :class: note
# The binary mechanism is often written with noise $\mathrm{Lap}(\log_2 T/\varepsilon)$ in each block. A person is in $\lfloor\log_2 T\rfloor + 1$ blocks, which is always more:
# 5 % more at 20,000, and twice as much at $T = 2$. The papers of {cite:t}`dwork2010continual` and {cite:t}`chan2011` could not be checked against this: of the second we could read the abstract only, and of the first nothing.
# ```

# %% [markdown]
# ### Five steps, one by one
#
# {doc}`The main path <../04_how_little_noise>` has three switches. Here is the way in five steps: allow δ, with Laplace noise as before; take Gaussian noise; read the tree better; take the square root; publish after 16 batches.
# To read the tree better is to use that a block of 8 is also the sum of two blocks of 4. The average of both readings is less noisy than either {cite:p}`honaker2015`.

# %% tags=["remove-cell"]
LAPLACE_AT_DELTA = 684.0       # of a tree with Laplace noise at δ = 10⁻⁵: composed exactly in tests/online/test_counters.py

def epsilon_of_laplace_tree(deviation):
    """At this delta: 80 cells move by one in each of 15 levels, 1,200 Laplace noises, composed by dp_accounting."""
    one = pld.privacy_loss_distribution.from_laplace_mechanism(deviation / np.sqrt(2 * 14), sensitivity=1, value_discretization_interval=1e-4)
    return one.self_compose(15 * 80).get_epsilon_for_delta(delta)

assert abs(epsilon_of_laplace_tree(LAPLACE_AT_DELTA) - 1) < 0.03
five = {"binary tree, Laplace noise, δ = 0": error["tree-laplace"], "the same tree at δ = 10⁻⁵": LAPLACE_AT_DELTA, "with Gaussian noise": error["tree-gaussian"],
        "the tree read better": error["tree-smoothed"], "square root in place of the tree": error["toeplitz"], "batches in place of patients": error["doubling-toeplitz"]}
noise_of = list(five.values())
factors = [before / after for before, after in zip(noise_of, noise_of[1:])]
total, both = noise_of[0] / noise_of[-1], noise_of[0] / noise_of[2]
assert table.l1 == 80 and round(total) == 98 and max(factors) == factors[0] and np.isclose(np.prod(factors), total)
assert [round(factor, 1) for factor in factors] == [9.3, 1.4, 1.3, 2.6, 2.2] and round(both) == 13
assert round(np.sqrt(14) * np.sqrt(2) * 1200, -1) == 6350 == round(noise_of[0], -1) and max(t.bit_count() for t in range(K + 1)) == 14 and K.bit_length() * table.l1 == 1200
assert round(1200**0.5 / mu) == 129 and round(1200 / 129, 1) == round(factors[0], 1) and round(total / both, 1) == 7.5 and round(1 / mu, 2) == 3.73
assert doubling(K).size == 16 and round(pure_batches) == 453 and round(noise_of[0] / pure_batches) == 14 and round(pure_batches / noise_of[-1]) == 7
root_first = np.sqrt(2) * table.l1 * square_root_coefficients(K).sum() * SquareRoot(K).errors()[-1]      # the square root with Laplace noise, which has to cover the sum of the weights
assert 5 < root_first / noise_of[0] < 6.5 and pure_batches < noise_of[2]

# %% tags=["remove-input"] mystnb={"image": {"alt": "Seven bars, the largest noise in a cell: 6,350 for the binary tree with Laplace noise, 684 at delta 10 to the minus 5, 484 with Gaussian noise, 361 read better, 141 with the square root, 65 with batches, hardly visible beside the first. The factors are 9.3, 1.4, 1.3, 2.6 and 2.2. Apart from them a last bar of 453: Laplace noise on 16 batches in place of the tree, a factor of 14 below the first bar."}}
fig, ax = plt.subplots(figsize=(7.6, 2.9))
rows = [*np.arange(len(five))[::-1], -1.5]
colours = ["#767676", *2 * [PALETTE[1]], *3 * [PALETTE[2]], "#767676"]           # before; δ; better noise; batches first
shown, divided = [*noise_of, pure_batches], [None, *factors, noise_of[0] / pure_batches]
ax.barh(rows, shown, height=0.6, color=colours)
for row, value, factor, colour in zip(rows, shown, divided, colours):
    ax.annotate(f"{value:,.0f}", (value, row), (6, 0), textcoords="offset points", va="center", weight="bold", color=colour if factor else "#4a5058")
    if factor:
        ax.text(1_700, row, f"÷ {factor:.1f}" if factor < 10 else f"the first bar ÷ {factor:.0f}", va="center", color="#4a5058")
for top, bottom, words, colour in ((4, 3, f"bought with δ: ÷ {both:.0f}", PALETTE[1]), (2, 0, f"better noise: ÷ {total / both:.1f}", PALETTE[2])):
    ax.plot([2_500, 2_500], [bottom - 0.3, top + 0.3], color=colour, lw=2)
    ax.text(2_650, (top + bottom) / 2, words, va="center", color=colour, weight="bold")
ax.set(xlim=(0, 7_300), ylim=(-2, 5.5), yticks=rows, yticklabels=[*five, "16 batches in place of the tree, δ = 0"], xlabel="largest standard deviation of the noise in a cell, in patients", title=f"Five steps, {noise_of[0] / noise_of[-1]:.0f} times less noise")
ax.grid(False, axis="y");

# %% tags=["remove-input"]
md(f"The last bar is one other way from the start, still with δ = 0: Laplace noise on each of 16 batches in place of the tree. A patient is in one batch only, and a sum adds up at most 16 noises. That is a factor of {noise_of[0] / pure_batches:.0f}, more than from any single step of the five. "
   f"Batches that come last are worth just {factors[4]:.1f}: with the square root the noise grows only like a logarithm, so that 16 releases in place of 20,000 save little. And the square root in place of the tree with Laplace noise and δ = 0 makes the noise *larger*, {root_first / noise_of[0]:.1f} times: Laplace noise has to cover the sum of all its weights, and the weights fade too slowly for that.\n\n"
   "Every bar promises ε = 1 for one patient's stay (replace one), proved; the first and the lowest with δ = 0, the others with δ = 10⁻⁵.")

# %% [markdown]
# (online-renewals)=
# ## How often to renew
#
# A sum that is published whenever the number of patients has doubled is old just before the next one: it knows only half of the patients. Frequent sums contain more noise. We need one number for both.
#
# What decides a treatment is a *rate*: recoveries divided by patients. Let 1,000 patients have come, and let the noise in a sum be 10 patients.
#
# * If the sum is new, from all 1,000 patients, the noise moves the rate by $10/1{,}000$, which is one in a hundred.
# * If the sum is old, from the first 500, the same noise moves the rate by $10/500$, which is two in a hundred. The old sum is as noisy as a new one with a noise of 20.
#
# So just before a renewal, with a growth of 100 %, noise counts twice, and with a growth of 10 % it counts 1.1 times. The picture shows this *noise before a renewal*: the noise in the last sum, times one plus the growth. It measures noise only: what the missing patients would have taught is left out.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The sums are made with the square root, for 20,000 patients, and the first batch is a single patient. **By how much should the number of patients grow from one release to the next?** Choose, then move the growth and look for the lowest point of the square root.
#
# * by 1 %
# * by 15 %
# * by 100 %
# * by 1,000 %
# ```

# %% tags=["remove-input"]
growth = Slider("growth", "growth from one release to the next, in %", 1, 1000, 100, points=61, steps=60, low_end="often", high_end="rarely")
people = Choice("people", "patients", ("2,000", "20,000", "1,000,000"), "20,000", low_end="few", high_end="many")

SIZES = (2_000, 20_000, 1_000_000)

def of_growth(what):
    return Table((people, growth), [[what(growing(k, first=1, growth=g / 100).size) * (1 + g / 100) / mu for g in growth.grid] for k in SIZES])

batches = Table((people, growth), [[growing(k, first=1, growth=g / 100).size for g in growth.grid] for k in SIZES])
by_root = of_growth(lambda count: SquareRoot(count).errors()[-1] ** 2)
by_sum = of_growth(np.sqrt)
explore(
    name="best_growth", sliders=[growth, people], x=growth, y=Axis("scaled", "noise before a renewal, in patients", 5, 200),
    curves=[Curve("noise on every batch, or on every sum", by_sum), Curve("square root", by_root)],
    readouts=[Readout("batches", "batches", batches)],
    guarantee=f"(ε = {show(epsilon)}, δ = 10⁻⁵)-differential privacy for one patient, whose stay changes the count by at most 1, in all {{batches}} sums together (replace one), proved.",
    alt="Noise before a renewal against the growth in percent, both axes logarithmic, for {people} patients. Each curve has a lowest point. At {growth} percent there are {batches} batches. The curve of the square root is the lower one.",
    caption="For one count. In its last sum, noise on every batch and noise on every sum are equally large, so both have one curve.")

# %% tags=["remove-cell"]
k = SIZES.index(20_000)
lowest = [growth.grid[np.argmin(table.values[k])] for table in (by_root, by_sum)]
at_ten, at_twenty, at_hundred = (float(by_root.values[k, np.argmin(abs(growth.grid - g))]) for g in (10, 20, 100))
ends = float(batches.values[k, 0]), float(by_root.values[k, 0]), float(by_sum.values[k, 0])
assert growing(20_000, first=1, growth=1.0).size == 16 and 10 <= lowest[0] <= 15 and 40 <= lowest[1] <= 70
assert max(at_ten, at_twenty) / by_root.values[k].min() < 1.02 and np.isclose(at_hundred, 2 * SquareRoot(16).errors()[-1] ** 2 / mu)

# of a sum that is renewed at 1 % and at 20 %, not scaled up
few, many = (growing(20_000, first=1, growth=g).size for g in (0.2, 0.01))
assert (few, many) == (49, 591) and round(many / few) == 12 and round(np.sqrt(many / few), 1) == 3.5
assert [round(SquareRoot(m).errors()[-1] ** 2 / mu, 1) for m in (few, many)] == [8.6, 11.6]
assert round(SquareRoot(many).errors()[-1] ** 2 / SquareRoot(few).errors()[-1] ** 2, 2) == 1.34

# %% tags=["remove-input"]
md(f"**What you should see.** With the square root any growth from 10 to 20 % is about best, with a noise of {at_twenty:.0f} patients. With a growth of 100 %, which is doubling, it is {at_hundred:.1f}, as a sum gets too old. At 1,000 % there is little noise in a sum, but it counts eleven times. At 1 % "
   f"the {ends[0]:.0f} sums cost surprisingly little, {ends[1]:.1f} patients, because noise made with the square root grows only like the logarithm of the number of sums. With noise on every batch they would cost {ends[2]:.0f}; that method has to publish rarely.\n\n"
   "{doc}`The ward <../07_a_ward>` renews its plan at a growth of 20 %. From there to 1 %, from 49 sums to 591, the noise of the last sum grows by a third only, from 8.6 to 11.6 patients. The picture shows a little more, because its sums grow old until the next one.")

# %% [markdown]
# (online-billboard)=
# ## From private releases to joint privacy
#
# ```{prf:theorem} Billboard lemma
# :label: thm-billboard
# Let the sequence of all releases be $(\varepsilon, \delta)$-private under *replace one*, also if people choose what they bring by what was released before. If each person's treatment is a
# function of her own data, her own randomness, and earlier releases, then the treatments of all others together are $(\varepsilon, \delta)$-indistinguishable when one person is replaced.
# ```
#
# ```{prf:proof}
# Fix all other people, and everybody's treatment randomness, that of the replaced person included; it does not depend on her data. Every other treatment is now a function of the releases, and what the others
# bring to later releases is a function of earlier ones. So the others' treatments are post-processing of an adaptive stream's releases. Averaging over the randomness that was fixed keeps the inequality.
# ```
#
# The definition is that of {cite:t}`kearns2014`. For a single release the lemma is that of {cite:t}`hsu2014`; learning needs it for a sequence, to which people may react. Both are cited here as later papers that we could read state them; their own texts could be read only in their abstracts, and so could those of {cite:t}`shariff2018`, on bandits, and {cite:t}`vietri2020`, on reinforcement learning. The tests check the lemma by
# enumerating 400 adaptive mechanisms for three people: the largest ratio is $e^\varepsilon$, and with a person's own treatment in view it is infinite for nearly all of them.
#
# (online-returning)=
# ## People who come back
#
# The papers assume unique users. A person who comes $g$ times moves $g$ columns of $R$, and what counts is the length of their *sum*. In the worst case all visits are in one batch: $\mu$ becomes $g\mu$. In different batches
# it depends on the counter. If the batches' noises are independent, columns are orthogonal and the factor is $\sqrt g$. The columns of the square root all point in similar directions, and the factor is nearly $g$.

# %% tags=["hide-input"]
today = counter("doubling-toeplitz", K, epsilon=epsilon, delta=delta, times=growing(K, first=300, growth=0.2))
plain = counter("doubling", K, epsilon=epsilon, delta=delta, times=growing(K, first=300, growth=0.2))
visits = pd.DataFrame([{"visits, each in its own batch": g, "factor, square root": today.charge(range(g)), "factor, plain sums": plain.charge(range(g)),
                        "right guesses, %": 100 * ndtr(mu * today.charge(range(g)) / 2), "true ε": today.guarantee_of_returning(range(g)).epsilon}
                       for g in (1, 2, 4, 8, 16)])
assert np.allclose(visits["factor, square root"], [1, 1.84, 3.38, 6.15, 10.71], atol=0.005)
visits.style.hide().format("{:.2f}", subset=["factor, square root", "factor, plain sums", "true ε"]).format("{:.1f}", subset=["right guesses, %"])

# %% tags=["remove-input"]
md(f"{len(today.times)} batches, as in the learners of this chapter, visits in the first ones. *Right guesses*: what all other people together reach at most, if a coin has decided which of two persons came. "
   "For a household of $g$ people who share a secret it is the same. Merge a person's visits into one, or charge $g$.")

# %% [markdown]
# ```{exercise}
# :label: ex-online-late
# A person comes twice, in the first batch and in the last. Is the factor larger or smaller than for two visits in the first two batches, and why?
# ```
#
# ```{solution} ex-online-late
# :class: dropdown
# Smaller: the column of the last batch has a single entry, 1, where the column of the first is nearly at its smallest, so that they are nearly orthogonal. `today.charge([0, 24])` is 1.26.
# ```

# %% tags=["remove-cell"]
assert 1.25 < today.charge([0, 24]) < 1.27

# %% [markdown]
# ## To take away
#
# * The sensitivity of a whole table has a formula for every way of counting, and brute force agrees with it.
# * The 98 in five steps: about 13 by allowing δ (9.3 by δ itself, 1.4 by Gaussian noise, which needs it), 1.3 by reading the tree better, 2.6 by the root and 2.2 by batches. In another order the steps are worth other factors.
# * With the square root, the best growth from one release to the next is 10 to 20 %, and publishing more often costs little.
# * With correlated batches, $\sqrt g$ is not enough for $g$ visits; the factor is nearly $g$.
