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
# * **The answer.** Between often and rarely there is a best pace. For a whole table, five steps lead from the binary tree to much less noise, and their order matters.
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

from privrl_core.online import SquareRoot, counter_standard_deviations, doubling, growing, square_root_coefficients, table_sensitivity
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
# So just before a renewal, with a growth of 100 %, noise counts twice, and with a growth of 10 % it counts 1.1 times. The picture shows this *noise before a renewal*: the noise in the last sum, times one plus the growth. It measures noise only: what the missing patients would have taught is left out.
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
assert growing(20_000, first=1, growth=1.0).size == N and 10 <= lowest[0] <= 15 and 40 <= lowest[1] <= 70
assert max(at_ten, at_twenty) / by_root.values[k].min() < 1.02 and np.isclose(at_hundred, 2 * SquareRoot(N).errors()[-1] ** 2 / mu)

# of a sum that is renewed at 1 % and at 20 %, not scaled up
few, many = (growing(20_000, first=1, growth=g).size for g in (0.2, 0.01))
assert (few, many) == (49, 591) and round(many / few) == 12 and round(np.sqrt(many / few), 1) == 3.5
assert [round(SquareRoot(m).errors()[-1] ** 2 / mu, 1) for m in (few, many)] == [8.6, 11.6]
assert round(SquareRoot(many).errors()[-1] ** 2 / SquareRoot(few).errors()[-1] ** 2, 2) == 1.34

# %% tags=["remove-input"]
md(f"**What you should see.** With the square root any growth from 10 to 20 % is about best, with a noise of {at_twenty:.0f} patients. With a growth of 100 %, which is doubling, it is {at_hundred:.1f}, as a sum gets too old. At 1,000 % there is little noise in a sum, but it counts eleven times. At 1 % "
   f"the {ends[0]:.0f} sums cost surprisingly little, {ends[1]:.1f} patients, because noise made with the square root grows only like the logarithm of the number of sums. With noise on every batch they would cost {ends[2]:.0f}; that method has to publish rarely.\n\n"
   "{doc}`Later in this chapter <07_a_ward>` a hospital renews its plan at a growth of 20 %.")

# %% [markdown]
# ## A whole table, step by step
#
# So far it was one count. Papers on private reinforcement learning publish a whole table: for each of twenty steps of a stay it counts which condition met which treatment, and which condition came next. So a stay adds 1 to forty cells. With another patient in her place, forty cells lose 1 and forty others gain 1: {ref}`80 changes <online-sensitivities>`.
#
# Begin with a tree in each cell, for 20,000 patients and with δ = 0:
#
# | | |
# |---|---|
# | blocks that change if a patient is replaced | 15 sizes × 80 cells = 1,200, by 1 each |
# | so the Laplace noise in each block has | scale 1,200 |
# | noises in one count | up to 14, the binary ones of 16,383 |
# | standard deviation of a count | $\sqrt{14} \times \sqrt2 \times 1{,}200 = 6{,}350$ patients |
#
# Of 20,000 patients, nothing would be left to learn from. Five steps lead from there to the square root over the 16 batches of {doc}`the page before <03_from_tree_to_batches>`. Each keeps ε = 1:
#
# 1. *Allow δ = 10⁻⁵ in place of 0,* with Laplace noise as before. A picture below shows why this helps.
# 2. *Take Gaussian noise* in place of Laplace noise. It {doc}`needs a δ, too <02_a_counter_that_never_stops>`.
# 3. *Read the tree better.* A block of 8 is also the sum of two blocks of 4. The average of both readings is less noisy than either {cite:p}`honaker2015`. {ref}`The evidence has its error <online-98>`.
# 4. *Take the square root* in place of the tree.
# 5. *Publish after 16 batches* in place of single patients, still with the square root.

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
root_first = np.sqrt(2) * table.l1 * square_root_coefficients(n_people).sum() * SquareRoot(n_people).errors()[-1]      # the square root with Laplace noise, which has to cover the sum of the weights
assert 5 < root_first / noise_of[0] < 6.5 and batches_first < noise_of[2]

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-4
# **The hospital looks for one other way to publish the table than the tree with Laplace noise. Which of these makes the noise smallest?**
#
# * the same tree and Laplace noise, with δ = 10⁻⁵ allowed
# * the square root in place of the tree, with Laplace noise and δ = 0
# * the same tree and Laplace noise, read better
# * Laplace noise on each of 16 batches in place of the tree, with δ = 0
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Seven bars, the largest noise in a cell: 6,350 for the binary tree with Laplace noise, 684 at delta 10 to the minus 5, 484 with Gaussian noise, 361 read better, 141 with the square root, 65 with batches, hardly visible beside the first. The factors are 9.3, 1.4, 1.3, 2.6 and 2.2. Apart from them a last bar of 453: Laplace noise on 16 batches in place of the tree, a factor of 14 below the first bar."}}
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
ax.set(xlim=(0, 7_300), ylim=(-2, 5.5), yticks=rows, yticklabels=[*steps, "16 batches in place of the tree, δ = 0"], xlabel="largest standard deviation of the noise in a cell, in patients", title=f"Five steps, {noise_of[0] / noise_of[-1]:.0f} times less noise")
ax.grid(False, axis="y");

# %% tags=["remove-input"]
md(f"**The answer.** Noise on 16 batches in place of the tree: the bar at the bottom, a factor of {noise_of[0] / batches_first:.0f}. A patient is in one batch only, and a sum adds up at most 16 noises. To allow δ = 10⁻⁵ divides by {factors[0]:.1f}, and to read the tree better only by {factors[2]:.1f}. The square root in place of the tree makes it *worse*, {root_first / noise_of[0]:.1f} times: Laplace noise has to cover the sum of all its weights, and the weights fade too slowly for that.\n\n"
   f"In the list batches come last and are worth just {factors[4]:.1f}. With the square root, the noise grows only like a logarithm, so that 16 releases in place of 20,000 save little. What a step is worth depends on those before it. All five together are {{ref}}`a factor of {total:.0f} <online-98>`.\n\n"
   "Every bar promises ε = 1 for one patient's stay (replace one), proved; the first and the lowest with δ = 0, the others with δ = 10⁻⁵.")

# %% [markdown]
# ### Why δ helps so much
#
# With Laplace noise of scale 1,200, each changed block speaks either for the patient or against her, and adds a privacy loss of about $+1/1{,}200$ or $-1/1{,}200$. This is the logarithm of how many times likelier what is seen becomes by her data. It is nearly a fair coin which of the two. So the loss of all 1,200 blocks together is a random walk:

# %% tags=["remove-cell"]
walks = np.cumsum(np.random.default_rng(seed).choice([-1.0, 1.0], (12, 1200)), axis=1)
typical = np.sqrt(1200)
assert round(1200 / typical) == 35 and round(typical / 129, 2) == 0.27 and round(129 / typical, 1) == 3.7 and round(1200 / 129, 1) == 9.3
assert abs(walks).max() < 129

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels with the same twelve random walks of 1,200 steps. Left, steps of 1/1,200: the walks stay near 0, while a straight line of the worst case reaches epsilon, 1, at the end. Right, steps of 1/129: the walks spread to about plus and minus 0.3 and stay below 1, and the worst case leaves the picture at once."}}
fig, axes = plt.subplots(1, 2, figsize=(8.2, 2.5), sharey=True)
at = np.arange(1, 1201)
for ax, scale, title in zip(axes, (1200, 129), ("δ = 0: the worst walk counts", "δ = 10⁻⁵: nearly all walks count")):
    ax.plot(at[::4], walks[:, ::4].T / scale, color=PALETTE[0], lw=0.8, alpha=0.7)
    ax.plot([0, 1200], [0, 1200 / scale], color=PALETTE[1], lw=2)
    ax.axhline(1, color="#767676", ls=":", lw=1.6)
    ax.set(xlim=(0, 1200), ylim=(-0.7, 1.25), xticks=[0, 400, 800, 1200], xlabel="changed blocks so far", title=title)
    ax.text(1190, -0.62, f"steps of 1/{scale:,}", ha="right", color=PALETTE[0], weight="bold")
axes[0].text(560, 0.62, "the worst walk", ha="right", color="#a63d00", weight="bold")
axes[1].text(180, 0.66, "the worst walk ends at 9.3", color="#a63d00", weight="bold")
axes[1].text(1190, 1.06, "ε = 1", ha="right", color="#4a5058")
axes[0].set_ylabel("privacy loss so far");

# %% tags=["remove-input"]
md(f"With δ = 0 the worst walk counts, in which all steps go up. It ends at 1, but a typical walk ends within $\\sqrt{{1{{,}}200}}/1{{,}}200 = 1/35$. A δ leaves the worst walks out. So the steps may be {factors[0]:.1f} times as long, $1/129$, which is Laplace noise of scale 129. A typical walk then ends within 0.27, and 1 is 3.7 times as far.\n\n"
   f"Step 2 is now easy to read off. Laplace noise of scale 129 has the standard deviation $\\sqrt2 \\times 129$, and Gaussian noise does with 129: a factor of {factors[1]:.1f}. Steps 1 and 2 are bought with δ and make {by_delta:.0f} together. The other three make {total / by_delta:.1f}.")

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
# ✓ Right. The noise in the last sum grows like the logarithm of the number of sums, from 8.6 to 11.6 patients. The picture shows a little more, because its sums grow old until the next one.
# ```
#
# ## To take away
#
# * With the square root the best growth from one release to the next is 10 to 20 %, and publishing more often costs little.
# * For a whole table, five steps make 98 times less noise than the tree: a factor of 13 by allowing a tiny δ, and 7.5 by better noise.
# * What a step is worth depends on those before it: {ref}`noise on 16 batches in place of the tree <online-98>` is a factor of 14 without any δ, and batches are a factor of 2.2 if they are the last step.
