# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'How often a hospital should renew its noisy sums, and the way from the binary tree to 98 times less noise, step by step.'
# ---

# %% [markdown]
# # How little noise is enough
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A hospital learns from noisy counts of everything that happens to 20,000 patients. How often should it renew them, and how small can the noise be?
# * **The answer.** Between often and rarely there is a best pace. For a whole table, five steps lead from the binary tree to much less noise.
# * **What is protected.** One patient's whole stay, in all counts together. Neighbours replace one patient.
# * **What you need.** {doc}`03_from_tree_to_batches`.
# * **How long.** About 12 minutes.
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

from privrl_core.online import SquareRoot, counter_standard_deviations, doubling, growing, table_sensitivity
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show
from privrl_core.privacy import gaussian_mu

use_theme()
mu = float(gaussian_mu(epsilon, delta))
N = doubling(n_people).size
assert N == 16

# %% [markdown]
# ## How often shall the sums be renewed?
#
# {doc}`The page before <03_from_tree_to_batches>` published a sum whenever the number of patients had doubled. The patient just before a new sum is then treated by a sum that knows only half of the patients. The hospital may also publish each time that the number has grown by a tenth, or tenfold.
# Frequent sums contain more noise, and rare sums are old. We need one number for both.
#
# What decides a treatment is a *rate*: recoveries divided by patients. Let 1,000 patients have come, and let the noise in a sum be 10 patients.
#
# * If the sum is new, from all 1,000 patients, the noise moves the rate by $10/1{,}000$, which is one in a hundred.
# * If the sum is old, from the first 500, the same noise moves the rate by $10/500$, which is two in a hundred. The old sum is as noisy as a new one with a noise of 20.
#
# So just before a renewal, with a growth of 100 %, noise counts twice, and with a growth of 10 % it counts 1.1 times. The picture shows this *noise before a renewal*: the noise in the last sum, times one plus the growth. Only noise is in it. What the missing patients would have taught is not counted.
#
# ### Explore: find the best growth
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
    curves=[Curve("noise on every batch", by_sum), Curve("noise on every sum: the same", by_sum * 1), Curve("square root", by_root)],
    readouts=[Readout("batches", "batches", batches)],
    guarantee=f"(ε = {show(epsilon)}, δ = 10⁻⁵)-differential privacy for one patient, in all {{batches}} sums together (replace one), proved.",
    alt="Noise before a renewal against the growth in percent, both axes logarithmic, for {people} patients. Each curve has a lowest point. At {growth} percent there are {batches} batches. The curve of the square root is the lower one.",
    caption="For one count: the noise of the last sum, times one plus the growth. In the last sum, noise on every batch and noise on every sum are equally large.")

# %% tags=["remove-cell"]
k = SIZES.index(20_000)
lowest = [growth.grid[np.argmin(table.values[k])] for table in (by_root, by_sum)]
at_ten, at_twenty, at_hundred = (float(by_root.values[k, np.argmin(abs(growth.grid - g))]) for g in (10, 20, 100))
ends = float(batches.values[k, 0]), float(by_root.values[k, 0]), float(by_sum.values[k, 0])
assert growing(20_000, first=1, growth=1.0).size == N and 10 <= lowest[0] <= 15 and 40 <= lowest[1] <= 70
assert max(at_ten, at_twenty) / by_root.values[k].min() < 1.02 and np.isclose(at_hundred, 2 * SquareRoot(N).errors()[-1] ** 2 / mu)

# of a sum that is renewed at 1 % and at 20 %, not scaled up
few, many = (growing(20_000, first=1, growth=g).size for g in (0.2, 0.01))
assert (few, many) == (49, 591) and round(many / few) == 12 and round(np.sqrt(many / few), 1) == 3.5
assert [round(SquareRoot(m).errors()[-1] ** 2 / mu, 1) for m in (few, many)] == [8.6, 11.6]
assert round(SquareRoot(many).errors()[-1] ** 2 / SquareRoot(few).errors()[-1] ** 2, 2) == 1.34

# %% tags=["remove-input"]
md(f"**What you should see.** With the square root any growth from 10 to 20 % is about best, with a noise of {at_twenty:.0f} patients. With a growth of 100 %, which is doubling, it is {at_hundred:.1f}, as a sum gets too old. At 1,000 % there is little noise in a sum, but it counts eleven times. At 1 % "
   f"the {ends[0]:.0f} sums cost surprisingly little, {ends[1]:.0f} patients, because noise made with the square root grows only like the logarithm of the number of sums. With noise on every batch they would cost {ends[2]:.0f}; that method has to publish rarely.\n\n"
   "{doc}`Later in this chapter <07_a_ward>` a hospital renews its plan at a growth of 20 %.")

# %% [markdown]
# ## A whole table, step by step
#
# So far it was one count. Papers on private reinforcement learning publish a whole table: for each of twenty steps of a stay, how often a condition and a treatment occurred, and how often they led to which next
# condition. It has two counts for each step. One patient's stay adds 1 to forty cells, and another patient in her place adds 1 to forty others: {ref}`80 changes of 1 in all <online-sensitivities>`.
#
# Begin with a tree in each cell. For 20,000 patients it has blocks of 15 sizes, so to replace a patient changes $15 \times 80 = 1{,}200$ blocks, by 1 each. With δ = 0 each block needs Laplace noise of scale 1,200. A count contains up to 14 of them, and its standard deviation is
# $\sqrt{14} \times \sqrt2 \times 1{,}200 = 6{,}350$ patients. Of 20,000 patients, nothing would be left to learn from.
#
# Five steps lead from there to the square root over batches, the 16 batches of {doc}`the page before <03_from_tree_to_batches>`. Each keeps ε = 1. Steps 4 and 5 are known from there, and step 2
# from {doc}`the tree <02_a_counter_that_never_stops>`. Steps 1 and 3 are new:
#
# 1. *Allow δ = 10⁻⁵ in place of 0, with Laplace noise as before.* With δ = 0 the losses of 1,200 noises add up. With a δ they may {doc}`add up as they do with high probability </chapters/01_foundations/evidence/02_finer_accounting>`, with signs that cancel in part.
# 2. *Take Gaussian noise,* which needs a δ, too.
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
assert round(np.sqrt(14) * np.sqrt(2) * 1200, -1) == 6350 == round(noise_of[0], -1) and max(t.bit_count() for t in range(n_people + 1)) == 14 and n_people.bit_length() * table.l1 == 1200
assert round(1200**0.5 / mu) == 129 and round(1200 / 129, 1) == round(factors[0], 1) and round(total / by_delta, 1) == 7.5 and round(1 / mu, 2) == 3.73
assert round(batches_first) == 453 and round(noise_of[0] / batches_first) == 14 and round(batches_first / noise_of[-1]) == 7

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-1
# **Which of these steps is worth most, if they are made in this order?**
#
# * step 1, since 1,200 losses hardly ever fall badly together
# * step 2, since Gaussian noise needs only the root of 1,200
# * step 4, since old noise is taken back in every cell
# * step 5, since 16 releases replace 20,000
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Seven bars, the largest noise in a cell: 6,350 for the binary tree with Laplace noise, 684 at delta 10 to the minus 5, 484 with Gaussian noise, 361 read better, 141 with the square root, 65 with batches, hardly visible beside the first. The factors are 9.3, 1.4, 1.3, 2.6 and 2.2. Apart from them a last bar of 453: the first bar with batches alone, a factor of 14."}}
fig, ax = plt.subplots(figsize=(7.6, 2.9))
rows = [*np.arange(len(steps))[::-1], -1.5]
colours = ["#767676", *2 * [PALETTE[1]], *3 * [PALETTE[2]], "#767676"]           # before; δ; better noise; batches first
shown, divided = [*noise_of, batches_first], [None, *factors, noise_of[0] / batches_first]
ax.barh(rows, shown, height=0.6, color=colours)
for row, value, factor, colour in zip(rows, shown, divided, colours):
    ax.annotate(f"{value:,.0f}", (value, row), (6, 0), textcoords="offset points", va="center", weight="bold", color=colour if factor else "#4a5058")
    if factor:
        ax.text(1_700, row, f"÷ {factor:.1f}" if factor < 10 else f"the first bar ÷ {factor:.0f}", va="center", color="#4a5058")
for top, bottom, words, colour in ((4, 3, f"bought with δ: ÷ {by_delta:.0f}", PALETTE[1]), (2, 0, f"better noise: ÷ {total / by_delta:.1f}", PALETTE[2])):
    ax.plot([2_500, 2_500], [bottom - 0.3, top + 0.3], color=colour, lw=2)
    ax.text(2_650, (top + bottom) / 2, words, va="center", color=colour, weight="bold")
ax.set(xlim=(0, 7_300), ylim=(-2, 5.5), yticks=rows, yticklabels=[*steps, "batches first, nothing else, δ = 0"], xlabel="largest standard deviation of the noise in a cell, in patients", title=f"Five steps, {noise_of[0] / noise_of[-1]:.0f} times less noise")
ax.grid(False, axis="y");

# %% tags=["remove-input"]
md(f"**The answer.** To allow δ = 10⁻⁵, which is worth a factor of {factors[0]:.1f}. With δ = 0 the promise has to hold even if all 1,200 noises fall badly at once. With a δ the root counts, as for Gaussian noise: each noise may be about as small as if the scale were $\\sqrt{{1{{,}}200}} \\times 3.73 = 129$ in place of 1,200, where 3.73 is what a single number needs. So little is left for step 2. Steps 1 and 2 need δ, and together they are a factor of {by_delta:.0f}; all five are {{ref}}`a factor of {total:.0f} <online-98>`.\\\n"
   f"Are batches worth so little? Only because they come last: with the square root the noise grows like a logarithm, so 16 releases in place of 20,000 save just {factors[4]:.1f}. As the *first* step, with Laplace noise added up and no δ at all, they are worth a factor of {noise_of[0] / batches_first:.0f}: the bar at the bottom. What a step is worth depends on those before it.\n\n"
   f"In all, a cell counts up to 20,000 patients, and its noise falls from {noise_of[0]:,.0f} to {noise_of[-1]:.0f}. "
   "Every bar promises ε = 1 for one patient's stay (replace one), proved; the first and the lowest with δ = 0, the others with δ = 10⁻⁵.")

# %% [markdown]
# ## Check yourself
#
# **A hospital with 20,000 patients renews its sums at a growth of 1 % in place of 20 %, with the square root. It publishes 591 sums in place of 49, twelve times as many. How much more noise is in the last sum?**
#
# ```{dropdown} Twelve times as much, since twelve times as many sums share ε.
# That would be Laplace noise on every sum, where the losses of all sums add up. Here a patient of batch 1 is in all sums, but in most noisy numbers only with a small weight.
# ```
# ```{dropdown} About 3.5 times as much, the root of twelve.
# That is noise on every batch, where the last sum contains twelve times as many noises. With the square root the old noises fade.
# ```
# ```{dropdown} About a third more.
# ✓ Right. The noise grows like the logarithm of the number of sums, from 8.6 to 11.6 patients.
# ```
#
# ## To take away
#
# * With the square root the best growth from one release to the next is 10 to 20 %, and publishing more often costs little.
# * For a whole table it is 98 times less noise than with the tree: a factor of 13 by allowing a tiny δ, and 7.5 by better noise.
# * The order of the steps matters: {ref}`batches that come first are a factor of 14 <online-98>`, without any δ.
