# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'New numbers only now and then, and noise that takes back a part of itself: 98 times less noise than the binary
#         tree, step by step.'
# ---

# %% [markdown]
# # From tree to batches
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A hospital learns from noisy counts of everything that happens to 20,000 patients. How small can the noise be?
# * **The answer.** For a whole table 98 times smaller than with the binary tree, in five steps. Two of them are the subject of this page: the hospital publishes less often, and its noise takes back a part of itself.
# * **What is protected.** One patient's whole stay, in all counts together. Neighbours replace one patient.
# * **What you need.** {doc}`02_a_counter_that_never_stops`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2023         # all randomness comes from here
n_people = 20_000
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from dp_accounting import pld
from IPython.display import Markdown as md

from privrl_core.online import (
    LeastLargest, SquareRoot, counter, counter_standard_deviations, doubling, growing, square_root_coefficients, table_sensitivity)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show
from privrl_core.privacy import gaussian_mu

use_theme()
rng = np.random.default_rng(seed)
mu = float(gaussian_mu(epsilon, delta))

# %% [markdown]
# ## Nobody needs a new number every minute
#
# {doc}`The tree <02_a_counter_that_never_stops>` publishes a count after every patient. A hospital would not use them all: after 10,000 patients, the 10,001st changes hardly anything. It is enough to make a new plan
# when there is much more to learn from, for example when the number of patients has doubled.
#
# So put the patients into *batches*. The first batch is patient 1, the second is patient 2, then come patients 3 and 4, then 5 to 8, and so on. Each batch is as long as everything before it. Each batch gets noise once, and after each batch the
# hospital publishes the sum of all noisy batches so far.

# %% tags=["remove-cell"]
N = doubling(n_people).size
assert N == 16 and (np.diff(doubling(n_people))[:5] == [1, 2, 4, 8, 16]).all()

# %% tags=["remove-input"]
md(f"This is the first method of the last page again, noise on every patient, with batches in place of patients. Each patient is in one batch only. And {n_people:,} patients are only {N} batches, so that the last sum contains {N} noises, and its standard "
   f"deviation is $\\sqrt{{{N}}} = {np.sqrt(N):.0f}$ times that of one noise. With noise on every patient it would be $\\sqrt{{20{{,}}000}} = {np.sqrt(n_people):.0f}$ times.")

# %% [markdown]
# ## Noise that takes back a part of itself
#
# There is a better way to add up noisy batches. Look at two batches, with the sums $x_1$ and $x_2$. Let $z_1$ and $z_2$ be two independent noises with the same standard deviation. The hospital makes two *noisy numbers*. From these it computes two
# *published sums*, for $x_1$ and for $x_1 + x_2$. Only the noisy numbers cost privacy; what is computed from them is free.
#
# | | noisy numbers | a patient of batch 1 moves them by | noise in published sum 1 | in published sum 2 |
# |---|---|---|---|---|
# | noise on every batch | $x_1 + z_1$, $\;x_2 + z_2$ | 1 and 0 | $z_1$ | $z_1 + z_2$ |
# | noise on every sum | $x_1 + z_1$, $\;x_1 + x_2 + z_2$ | 1 and 1 | $z_1$ | $z_2$ |
# | **half and half** | $x_1 + z_1$, $\;\tfrac12 x_1 + x_2 + z_2$ | 1 and $\tfrac12$ | $z_1$ | $\tfrac12 z_1 + z_2$ |
#
# In the last row the batches are *mixed* before the noise is added, and mixed once more, *in the same way*, after it: the second noisy number plus half of the first is $x_1 + x_2 + z_2 + \tfrac12 z_1$, the second published sum.
#
# Why does it help? A patient of batch 1 counts only half in the second noisy number, so the noises need hardly be larger than with noise on every batch. The missing half of $x_1$ comes from the first noisy number, and it brings only half of $z_1$ with it.
#
# Now compare the last error, when all rows keep the same promise. With Gaussian noise, the noise has to grow with the length of what one patient moves: $1$, $\sqrt2$, and $\sqrt{1 + 1/4} = 1.118$.
#
# * Noise on every batch: $\sqrt{1 + 1} \times 1 = 1.41$.
# * Noise on every sum: $1 \times \sqrt2 = 1.41$.
# * Half and half: $\sqrt{1 + 1/4} \times 1.118 = 1.25$. No other share than a half is better.
#
# ### Three batches
#
# By what weight $w$ should the third sum keep the noise of batch 1? The hospital mixes with the weights $(1, \tfrac12, w)$ twice, and in the end batch 1 must be in every sum exactly once. So
# multiply the list by itself, as you multiply polynomials:
#
# | | how much of batch 1 is in it |
# |---|---|
# | sum 1 | $1 \cdot 1 = 1$ |
# | sum 2 | $1 \cdot \tfrac12 + \tfrac12 \cdot 1 = 1$ |
# | sum 3 | $1 \cdot w + \tfrac12 \cdot \tfrac12 + w \cdot 1 = 2w + \tfrac14$, which is 1 if $w = \tfrac38$ |
#
# So $(1, \tfrac12, \tfrac38)$ times itself is $(1, 1, 1)$: it is the *square root* of the running sum. The next weight is $\tfrac5{16}$, and so on.

# %% tags=["remove-cell"]
assert np.allclose(square_root_coefficients(4), [1, 1 / 2, 3 / 8, 5 / 16]) and np.allclose(np.convolve([1, 1 / 2, 3 / 8], [1, 1 / 2, 3 / 8])[:3], 1)
assert np.isclose(SquareRoot(2).errors()[-1] * SquareRoot(2).column_l2, 1.25)
share = np.linspace(0, 1, 101)                     # of batch 1 in the second noisy number
assert share[np.argmin(np.sqrt(1 + share**2) * np.sqrt(1 + (1 - share) ** 2))] == 0.5

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three triangles of squares for six batches: rows are the published sums, columns are the noises, and strong squares mean much of a noise. Noise on every batch: the whole triangle is dark. Noise on every sum: only the diagonal. Square root: dark on the diagonal and fading to the left."}}
SIX = 6
fading = np.array([[square_root_coefficients(SIX)[row - column] if column <= row else 0 for column in range(SIX)] for row in range(SIX)])
shares = {"noise on every batch": np.tril(np.ones((SIX, SIX))), "square root": fading, "noise on every sum": np.eye(SIX)}
fig, ax = plt.subplots(figsize=(7.4, 2.6))
for k, (label, share) in enumerate(shares.items()):
    for row in range(SIX):
        for column in range(row + 1):
            ax.add_patch(plt.Rectangle((8.2 * k + column, SIX - 1 - row), 0.92, 0.92, fc=PALETTE[0], alpha=share[row, column], ec="none"))
    ax.text(8.2 * k, SIX + 0.35, label, weight="bold", color="#22272e")
    ax.text(8.2 * k + 3, -0.35, "noise of batch 1 to 6", ha="center", va="top", color="#4a5058")
ax.text(-0.3, SIX / 2, "sum 1 to 6, downwards", rotation=90, ha="right", va="center", color="#4a5058")
ax.set(xlim=(-1.2, 23), ylim=(-1.2, SIX + 1.1), aspect="equal", title="How much of each noise is in each published sum")
ax.axis("off");

# %% [markdown]
# With the square root, the noise of a batch fades from the sums. The stronger a square, the more of the noise is in it.
#
# How large is the error? A patient of batch 1 moves the noisy numbers by $1, \tfrac12, \tfrac38, \dots$, and the last sum contains the noises with the same weights. So one length comes in twice: once for the size of each noise, once for how many are in the sum. For two batches the squared length is
# $1 + \tfrac14 = 1.25$, the number above. For three it is $1 + \tfrac14 + \tfrac9{64} = 1.39$, where noise on every batch has $\sqrt3 = 1.73$. For $N$ batches let $s_N^2$ be the sum of the first $N$ squared weights. Each noise has to be $s_N$ times as large as for a single number, and the last error is $s_N^2$ times as large.

# %% tags=["remove-cell"]
s_squared = float(np.sum(square_root_coefficients(N) ** 2))
grows = (np.euler_gamma + 4 * np.log(2)) / np.pi          # s_N² is ln(N)/π plus this, for large N
page_1 = 2 / mu * np.linalg.norm(square_root_coefficients(12)) ** np.arange(3)        # twelve sums, and a vote moves a sum by 2
assert np.round(page_1, 1).tolist() == [7.5, 10.2, 13.8] and round(page_1[1] / page_1[0], 2) == 1.36 and round(1 + 1 / 4 + 9 / 64, 2) == 1.39
assert round(s_squared, 2) == 1.94 and round(grows, 2) == 1.07 and abs(grows + np.log(N) / np.pi - s_squared) < 0.01

# %% tags=["remove-input"]
md(f"For {N} batches $s_N^2$ is {s_squared:.2f}, where noise on every batch has $\\sqrt{{{N}}} = {np.sqrt(N):.0f}$. It grows like ${grows:.2f} + \\ln(N)/\\pi$ {{cite:p}}`fichtenberger2023,henzinger2023`.\n\n"
   f"This answers {{doc}}`the question of page 1 <01_one_after_another>`. Its twelve sums are made with the square root, and $s_{{12}}$ is {page_1[1] / page_1[0]:.2f}. One number needed a noise of {page_1[0]:.1f}. So the first sum has ${page_1[0]:.1f} \\times {page_1[1] / page_1[0]:.2f} = {page_1[1]:.0f}$, and the last one {page_1[2]:.0f}, not the 26 of fresh noise.")

# %%
weights = square_root_coefficients(N)                       # 1, 1/2, 3/8, 5/16, ...
z = rng.normal(size=N) * np.linalg.norm(weights) / mu       # longest column: s_N
noise = np.array([weights[:j + 1][::-1] @ z[:j + 1] for j in range(N)])

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the sum after each of 16 batches, for one count at epsilon 1. Noise on every batch rises like a square root from 4 to 15. Noise on every sum is flat at 15. The square root rises from 5 to about 7."}}
j = np.arange(1, N + 1)
rooted = counter("doubling-toeplitz", n_people, epsilon=epsilon, delta=delta).standard_deviations
summed = counter("doubling", n_people, epsilon=epsilon, delta=delta).standard_deviations
fig, ax = plt.subplots(figsize=(7.2, 2.4))
for y, label, colour, at, lift in ((summed, "noise on every batch", PALETTE[0], 7, -1.9), (np.full(N, np.sqrt(N) / mu), "noise on every sum", PALETTE[1], 1, 0.5),
                                   (rooted, "square root: in between", PALETTE[2], 9, -1.6)):
    ax.plot(j, y, "o-", color=colour, ms=4)
    ax.text(at, y[at - 1] + lift, label, color=colour, weight="bold")
ax.set(xticks=j, ylim=(0, 17), xlabel="batch", ylabel="standard deviation, in patients", title="A little more noise at first, half as much at the end");

# %% tags=["remove-cell"]
assert np.allclose(rooted, SquareRoot(N).errors() * SquareRoot(N).column_l2 / mu) and np.isclose(summed[-1], np.sqrt(N) / mu)
check = np.array([[weights[t - k] if k <= t else 0 for k in range(N)] for t in range(N)])
assert np.allclose(check @ check, np.tril(np.ones((N, N)))) and np.allclose(noise, check @ z)
assert list(rooted[:3] > summed[:3]) == [True, True, False] and (rooted[2:] < summed[2:]).all() and (rooted < np.sqrt(N) / mu).all()
best = LeastLargest(N).errors().max() * LeastLargest(N).column_l2

# %% tags=["remove-input"]
md(f"Each curve promises ε = {show(epsilon)} and δ = 10⁻⁵ for one patient (replace one), proved. After {N} batches the square root has an error of {rooted[-1]:.1f} patients, and the other two have {summed[-1]:.1f}. At first it is worse: "
   f"the sum after batch 1 has {rooted[0]:.1f} in place of {summed[0]:.1f}, and from batch 3 on it is better. {{ref}}`No way of mixing at all <online-square-root>` can have a largest error below {best / mu:.1f}.")

# %% [markdown]
# ## How often shall the sums be renewed?
#
# The hospital may also publish each time that the number of patients has grown by a tenth, or tenfold. Rare sums contain less noise. But they are old: with doubling,
# the patient just before a new sum is treated by a sum that knows only half of the patients.
#
# We need one number for both. Suppose that 1,000 patients have come, and that the last sum is from the first 500. A treatment is chosen by a rate, the recoveries per patient, and noise divided by 500 is as large as twice this noise divided by 1,000. So the hospital doubles the sum and its noise. The picture shows this *noise in the scaled-up sum*,
# just before the next release, where the sum is oldest. With a growth of 100 % the factor is two, and with 10 % it is 1.1.
#
# The first batch has 100 patients now, because a sum of one or two teaches nothing. With doubling, 20,000 patients are then 9 batches and not 16.
#
# ### Explore: find the best growth
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The sums are made with the square root, for 20,000 patients. **By how much should the number of patients grow from one release to the next?** Choose, then move the growth and look for the lowest point.
#
# * by 1 %, so that nobody is treated by an old sum
# * by 15 % or so
# * by 100 %, as with doubling
# * by 1,000 %, so that there is little noise
# ```

# %% tags=["remove-input"]
growth = Slider("growth", "growth from one release to the next, in %", 1, 1000, 100, points=61, steps=60, low_end="often", high_end="rarely")
people = Choice("people", "patients", ("2,000", "20,000", "1,000,000"), "20,000", low_end="few", high_end="many")
FIRST = 100

SIZES = (2_000, 20_000, 1_000_000)

def of_growth(what):
    return Table((people, growth), [[what(growing(k, first=FIRST, growth=g / 100).size) * (1 + g / 100) / mu for g in growth.grid] for k in SIZES])

batches = Table((people, growth), [[growing(k, first=FIRST, growth=g / 100).size for g in growth.grid] for k in SIZES])
by_root = of_growth(lambda count: SquareRoot(count).errors()[-1] ** 2)
by_sum = of_growth(np.sqrt)
explore(
    name="best_growth", sliders=[growth, people], x=growth, y=Axis("scaled", "noise in the scaled-up sum, in patients", 5, 200),
    curves=[Curve("noise on every batch", by_sum), Curve("square root", by_root)],
    readouts=[Readout("batches", "batches", batches)],
    guarantee=f"(ε = {show(epsilon)}, δ = 10⁻⁵)-differential privacy for one patient, in all {{batches}} sums together (replace one), proved.",
    alt="Noise in the scaled-up sum against the growth in percent, both axes logarithmic, for {people} patients. Both curves have a lowest point. At {growth} percent there are {batches} batches. The curve of the square root is the lower one.",
    caption=f"For one count: the noise of the last sum, times one plus the growth. The first batch has {FIRST} patients.")

# %% tags=["remove-cell"]
k = SIZES.index(20_000)
lowest = [growth.grid[np.argmin(table.values[k])] for table in (by_root, by_sum)]
at_lowest, at_hundred, at_fifth = (float(by_root.values[k, np.argmin(abs(growth.grid - g))]) for g in (lowest[0], 100, 20))
assert growing(20_000, first=FIRST, growth=1.0).size == 9
assert 10 <= lowest[0] <= 25 and 30 <= lowest[1] <= 110

# %% tags=["remove-input"]
md(f"**What you should see.** With the square root the lowest point is near {lowest[0]:.0f} %, and it is flat: at {lowest[0]:.0f} % the noise is {at_lowest:.1f} patients, at 20 % it is {at_fifth:.1f}, and with doubling {at_hundred:.1f}. At 1,000 % there is little noise in a sum, but it must be scaled up by eleven. At 1 % "
   f"there are {float(batches.values[k, 0]):.0f} sums to share the budget, and the noise is {float(by_root.values[k, 0]):.1f}. With noise on every batch the best growth is near {lowest[1]:.0f} %: that method adds up the noises, so it has to publish more rarely. {{doc}}`Later in this chapter <06_a_ward>` a hospital renews its plan at a growth of 20 %.")

# %% [markdown]
# ## 98 times less noise
#
# So far it was one count. Papers on private reinforcement learning publish a whole table: for each of twenty steps of a stay, how often a condition and a treatment occurred, and how often they led to which next
# condition. It has two counts for each step. One patient's stay adds 1 to forty cells, and another patient in her place adds 1 to forty others: {ref}`80 changes of 1 in all <online-sensitivities>`.
#
# With a tree in each cell the noise is large, because one patient moves so many cells. Five steps lead from there to the square root over batches. Each keeps ε = 1. Steps 4 and 5 are those of this page, step 2 was made
# on {doc}`the page before <02_a_counter_that_never_stops>`. Steps 1 and 3 are new here:
#
# 1. *Allow δ = 10⁻⁵ in place of 0, with Laplace noise as before.* The losses of many noises may then {doc}`add up as they do with high probability </chapters/01_foundations/evidence/02_finer_accounting>`, and not as in the worst case.
# 2. *Take Gaussian noise,* which needs this δ.
# 3. *Read the tree better.* A block of 8 is also the sum of two blocks of 4, so an average of both is less noisy than either {cite:p}`honaker2015`. {ref}`The evidence has its error <online-98>`.
# 4. *Take the square root* in place of the tree.
# 5. *Publish after batches* in place of single patients.

# %% tags=["remove-cell"]
table = table_sensitivity(20, 2)

def largest(kind):
    return counter_standard_deviations(kind, n_people, table, epsilon=epsilon, delta=0 if kind == "tree-laplace" else delta).max()

LAPLACE_AT_DELTA = 684.0       # of a tree with Laplace noise at δ = 10⁻⁵: composed exactly in tests/online/test_counters.py

def epsilon_of_laplace_tree(deviation):
    """At this delta: 80 cells move by one in each of 15 levels, 1,200 Laplace noises, composed by dp_accounting."""
    one = pld.privacy_loss_distribution.from_laplace_mechanism(deviation / np.sqrt(2 * 14), sensitivity=1, value_discretization_interval=1e-4)
    return one.self_compose(15 * 80).get_epsilon_for_delta(delta)

assert abs(epsilon_of_laplace_tree(LAPLACE_AT_DELTA) - 1) < 0.03
steps = {"binary tree, Laplace noise, δ = 0": largest("tree-laplace"), "the same tree at δ = 10⁻⁵": LAPLACE_AT_DELTA, "with Gaussian noise": largest("tree-gaussian"),
         "the tree read better": largest("tree-smoothed"), "square root in place of the tree": largest("toeplitz"), "batches in place of patients": largest("doubling-toeplitz")}
noise_of = list(steps.values())
factors = [before / after for before, after in zip(noise_of, noise_of[1:])]
batches_first = np.sqrt(2 * N) * table.l1 / epsilon      # sixteen batches with Laplace noise, δ = 0, added up
total, by_delta = noise_of[0] / noise_of[-1], noise_of[0] / noise_of[2]
assert table.l1 == 80 and round(total) == 98 and max(factors) == factors[0] and np.isclose(np.prod(factors), total)
assert [round(factor, 1) for factor in factors] == [9.3, 1.4, 1.3, 2.6, 2.2] and round(by_delta) == 13
assert round(batches_first) == 453 and round(noise_of[0] / batches_first) == 14 and round(batches_first / noise_of[-1]) == 7

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-1
# **Which of these steps is worth most, if they are made in this order?**
#
# * step 1: to allow δ = 10⁻⁵
# * step 2: Gaussian noise
# * step 4: the square root
# * step 5: batches, since a count then contains 16 noises at most
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Six bars on a logarithmic axis, the largest noise in a cell: 6,350 for the binary tree with Laplace noise, 684 at delta 10 to the minus 5, 484 with Gaussian noise, 361 read better, 141 with the square root, 65 with batches. Between them the factors 9.3, 1.4, 1.3, 2.6 and 2.2."}}
fig, ax = plt.subplots(figsize=(7.6, 2.8))
rows = np.arange(len(steps))[::-1]
colours = ["#767676", PALETTE[1], PALETTE[1], "#767676", PALETTE[2], PALETTE[2]]           # before; δ; the tree; this page
ax.hlines(rows, 10, noise_of, color=colours, lw=5)
for row, value, colour in zip(rows, noise_of, colours):
    ax.annotate(f"{value:,.0f}", (value, row), (6, 0), textcoords="offset points", va="center", weight="bold", color=colour)
for row, factor, colour in zip(rows[1:], factors, colours[1:]):
    ax.text(11, row + 0.5, f"÷ {factor:.1f}", va="center", color=colour)
for row, label, colour in ((3.5, "bought with δ", PALETTE[1]), (0.5, "the steps of this page", PALETTE[2])):
    ax.text(18_000, row, label, ha="right", va="center", color=colour, weight="bold")
ax.set(xscale="log", xlim=(10, 20_000), yticks=rows, yticklabels=list(steps), xlabel="largest standard deviation of the noise in a cell, in patients", title=f"Five steps, {noise_of[0] / noise_of[-1]:.0f} times less noise")
ax.grid(False, axis="y");

# %% tags=["remove-input"]
md(f"**The answer.** To allow δ = 10⁻⁵. It is worth a factor of {factors[0]:.1f}. A patient makes 80 changes in each of 15 levels, which are in 1,200 Laplace noises. With δ = 0 the promise has to hold even if all 1,200 fall badly at once. Gaussian noise adds {factors[1]:.1f}. It needs δ too, so "
   f"that δ buys a factor of {by_delta:.0f} in all. To read the tree better adds {factors[2]:.1f}, the square root {factors[3]:.1f} and the batches {factors[4]:.1f}. {{ref}}`Multiplied before rounding <online-98>` they make {total:.0f}. So a cell that has 20,000 patients at most has a noise of {noise_of[-1]:.0f}, where {noise_of[0]:,.0f} had drowned most of it. Batches are worth only {factors[4]:.1f} because they come last: with the square root the noise grows only like a logarithm of the number of releases, so 16 releases in place of 20,000 save little. "
   "Every bar promises ε = 1 for one patient's stay (replace one), proved; the first with δ = 0, the others with δ = 10⁻⁵.")

# %% [markdown]
# ## Check yourself
#
# **A hospital has planned for 20,000 patients in 16 batches, with the square root. After the 16th batch more patients come, and the hospital wants to go on. May it publish a 17th sum in the same way?**
#
# ```{dropdown} Yes. Each new patient is in one batch, as everybody else.
# A new patient is. But the noise was made for 16 weights. In the 17th sum a patient of batch 1 moves one more noisy number, and the length of what she moves becomes larger than the noise allows.
# ```
# ```{dropdown} No. It can keep its sums, and start a second counter for the new patients.
# ✓ Right. A patient of the first counter is not in the second, so the same ε and δ hold for everybody. The number of batches must be known before the noise is drawn.
# ```
# ```{dropdown} Yes, if it doubles the noise of batch 17.
# The first sixteen noisy numbers have used up the whole budget of a patient of batch 1. A further number about her is too much, however noisy it is.
# ```
#
# ## To take away
#
# * Publish rarely: 20,000 patients are 16 batches, and each patient is in one of them.
# * Mix the batches before the noise is added, and mix the noisy numbers once more in the same way. The new noise takes back a part of the old, and the error grows like the logarithm of the number of batches.
# * The square root lets a hospital publish often: its best growth is near 15 %.
# * For a whole table it is 98 times less noise than with the tree: 13 by allowing a tiny δ, and the rest by better noise. The order of the steps matters: {ref}`batches that come first are a factor of 14 <online-98>`, without any δ.
