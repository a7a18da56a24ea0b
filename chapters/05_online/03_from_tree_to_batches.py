# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'New numbers only now and then, and noise that takes back a part of itself: the square root of a running sum, found
#         with two batches and a slider.'
# ---

# %% [markdown]
# # From tree to batches
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Noise that is added up grows and grows. Can a later count take some of the earlier noise back?
# * **The answer.** Yes, if every patient is mixed into later noisy numbers, too. A square root that you find by hand is nearly the best mixing.
# * **What is protected.** What one patient adds to one count, in all its sums together. Neighbours replace one patient.
# * **What you need.** {doc}`02_a_counter_that_never_stops`.
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
from IPython.display import Markdown as md

from privrl_core.online import LeastLargest, SquareRoot, counter, doubling, square_root_coefficients
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, show
from privrl_core.privacy import gaussian_mu

use_theme()
rng = np.random.default_rng(seed)
mu = float(gaussian_mu(epsilon, delta))
one_number = 1 / mu                # the standard deviation that one number needs, if a patient moves it by 1

# %% [markdown]
# ## Nobody needs a new number every minute
#
# {doc}`The tree <02_a_counter_that_never_stops>` publishes a count after every patient. But after 10,000 patients, the 10,001st changes hardly anything. So let the hospital publish only when the number of patients has doubled. The first *batch* is patient 1, the second is patient 2, then come patients 3 and 4, then 5 to 8, and so on.

# %% tags=["remove-cell"]
N = doubling(n_people).size
assert N == 16 and (np.diff(doubling(n_people))[:5] == [1, 2, 4, 8, 16]).all() and doubling(n_people)[-1] - doubling(n_people)[-2] < doubling(n_people)[-2]      # the last batch is not full

# %% tags=["remove-input"]
md(f"Now {n_people:,} patients are only {N} batches. Each batch gets noise once, and each published sum adds up the noisy batches so far. So the last sum contains {N} noises, and its standard deviation is $\\sqrt{{{N}}} = {np.sqrt(N):.0f}$ times that of one noise. "
   f"With noise on every patient it would be $\\sqrt{{20{{,}}000}} = {np.sqrt(n_people):.0f}$ times. Still, each sum carries all the noise of the one before. Must it?")

# %% [markdown]
# ## Noise that takes back a part of itself
#
# Two batches are enough to find out. They have 40 and 30 recoveries, so 40 and 70 would be right. The hospital makes two *noisy numbers*, and computes its sums from these. Only the noisy numbers cost privacy; what is computed from them is free.
#
# The first noisy number is batch 1 with noise, and it is also sum 1. Into the second one goes batch 2, and again a *share* of batch 1. What is missing of batch 1 in sum 2 comes from noisy number 1. Here is one draw, with the noises $+6$ and $-2$:
#
# | share of batch 1 | 0 | ½ | 1 |
# |---|---|---|---|
# | noisy number 1, and sum 1 | 40 + 6 = 46 | 40 + 6 = 46 | 40 + 6 = 46 |
# | noisy number 2 | 0 + 30 − 2 = 28 | 20 + 30 − 2 = 48 | 40 + 30 − 2 = 68 |
# | missing of batch 1 | 46 | half of 46 = 23 | nothing |
# | sum 2, where 70 is right | 28 + 46 = **74** | 48 + 23 = **71** | **68** |
#
# With a share of ½, only 3 of the noise of 6 are left in sum 2: *a later sum takes back a part of the earlier noise.*
#
# It has a price. A patient of batch 1 is now in both noisy numbers, so for the same promise all noise must be larger. The bars show the error with this price included.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which share gives sum 2 the smallest error?** Choose, then move the share and watch the second bar.
#
# * 0, where a patient moves only one number
# * ½, where sum 2 contains half of the first noise
# * 1, where sum 2 contains only one noise
# * any share, since what you gain at one end you lose at the other
# ```

# %% tags=["remove-input"]
share = Slider("share", "share of batch 1 in noisy number 2", 0, 1, 0, points=101, steps=100, scale="linear", low_end="noise on every batch", high_end="noise on every sum")
which = Axis("which", "published sum", 1, 2, scale="linear", points=2)

def error_of(share, which):
    """Of sum 1 or 2, as what a patient of batch 1 moves times how much noise is in the sum."""
    return np.sqrt(1 + share**2) * (1 + (which - 1) * (np.sqrt(1 + (1 - share) ** 2) - 1))

errors = Table((share, which), np.array([[error_of(s, w) for w in (1, 2)] for s in share.grid]), scale="linear")
second = Table.of(lambda share: error_of(share, 2), share, scale="linear")
explore(
    name="take_back", sliders=[share], x=which, y=Axis("length", "error, where a single number has 1", 0, 1.5, scale="linear"), bars=True,
    curves=[Curve("error of the sum", errors)], readouts=[Readout("second", "error of sum 2", second)],
    guarantee=f"At each share, {{share}} as well: (ε = {show(epsilon)}, δ = 10⁻⁵)-differential privacy for one patient, in both sums together (replace one), proved.",
    alt="Two bars, the errors of sum 1 and sum 2 at the same promise. The share is {share}, and the error of sum 2 is {second}.",
    caption="Gaussian noise. The unit is the noise that a single number needs: 3.73 patients at this ε and δ.")

# %% tags=["remove-cell"]
for a, two, total in ((0, 28, 74), (0.5, 48, 71), (1, 68, 68)):
    assert a * 40 + 30 - 2 == two and two + (1 - a) * 46 == total and total - 70 == -2 + (1 - a) * 6
product = error_of(share.grid, 2)
assert share.grid[np.argmin(product)] == 0.5 and np.isclose(product.min(), 1.25) and np.allclose(product[[0, -1]], np.sqrt(2))
assert round(1 / mu, 2) == 3.73 and np.isclose(SquareRoot(2).errors()[-1] * SquareRoot(2).column_l2, 1.25) and np.allclose(SquareRoot(2).errors() * SquareRoot(2).column_l2, error_of(0.5, np.array([1, 2])))
assert np.allclose(square_root_coefficients(4), [1, 1 / 2, 3 / 8, 5 / 16]) and np.allclose(np.convolve([1, 1 / 2, 3 / 8], [1, 1 / 2, 3 / 8])[:3], 1)

# %% tags=["remove-input"]
md(r"""**What you should see.** A half: the error of sum 2 is 1.25 there, and 1.41 at both ends. Two lengths make it.

* *What a patient moves.* A patient of batch 1 moves the noisy numbers by 1 and ½. Gaussian noise has to grow with the length $\sqrt{1 + \tfrac14}$ of this. A patient of batch 2 moves less.
* *How much noise is in sum 2.* All of the second noise and half of the first. Standard deviations add up like the sides of a right-angled triangle, to $\sqrt{\tfrac14 + 1}$.

**The error is length times length**, $\sqrt{1 + \tfrac14} \times \sqrt{\tfrac14 + 1} = 1.25$. A half wins because it costs only a quarter in each square. Sum 1 pays for it: its error rises from 1 to 1.12.

There is a symmetry. Before the noise, half of batch 1 is mixed into number 2. After the noise, half of noisy number 1 is mixed into sum 2. The hospital mixes *twice in the same way*. Does this go on?""")

# %% tags=["remove-cell"]
assert round(float(error_of(0.5, 1)), 2) == 1.12

# %% [markdown]
# ## Three batches, by hand
#
# Mix three batches by the same rule. A batch goes into its own noisy number with the weight 1, into the next one with ½, and into the one after that with some weight $w$. Noisy numbers go into the sums with the same weights. Batch 1 reaches sum 3 in three ways, and has to be in it exactly once. Take a pencil: what is $w$?

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three ways from batch 1 on the left to sum 3 on the right: over noisy number 1 with weights 1 and w, over noisy number 2 with weights one half and one half, and over noisy number 3 with weights w and 1. On the right their products w, one quarter and w."}}
fig, ax = plt.subplots(figsize=(7.6, 2.5))
node = {"boxstyle": "round,pad=0.4", "fc": "white", "ec": "#22272e", "lw": 1.3}
ax.text(0, 1, "batch 1", ha="center", va="center", bbox=node)
ax.text(4, 1, "sum 3", ha="center", va="center", bbox=node)
for number, (before, after, weights, product, colour) in enumerate((("1", "w", (1, 3 / 8), "1 · w", PALETTE[0]), ("½", "½", (1 / 2, 1 / 2), "½ · ½ = ¼", PALETTE[1]), ("w", "1", (3 / 8, 1), "w · 1", PALETTE[2])), 1):
    y = 3 - number
    ax.plot([0.45, 1.5], [1, y], color=colour, lw=5 * weights[0], solid_capstyle="round")
    ax.plot([2.5, 3.6], [y, 1], color=colour, lw=5 * weights[1], solid_capstyle="round")
    ax.text(2, y, f"noisy number {number}", ha="center", va="center", color=colour, weight="bold", bbox={"boxstyle": "round,pad=0.25", "fc": "white", "ec": colour})
    for x, weight in ((0.98, before), (3.05, after)):
        ax.text(x, (1 + y) / 2, weight, ha="center", va="center", color=colour, weight="bold", bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"})
    ax.text(4.75, y, product, va="center", color=colour, weight="bold")
ax.set(xlim=(-0.5, 5.7), ylim=(-0.35, 2.35), title="Three ways from batch 1 to sum 3")
ax.axis("off");

# %% [markdown]
# ```{dropdown} What is w?
# The three ways make $w + \tfrac14 + w = 1$, so $w = \tfrac38$.
# ```
#
# To mix twice with these weights is to add up the batches: each batch reaches each later sum exactly once. So to mix once is half of the way, and it is called the *square root* of the running sum. It goes on for any number of batches. Each weight is the one before, times $\tfrac12$, then $\tfrac34$, $\tfrac56$, $\tfrac78$, and so on, as {ref}`a series of powers shows <online-square-root>`:

# %%
weights = [1.0]
for k in range(1, N):
    weights.append(weights[-1] * (2 * k - 1) / (2 * k))     # 1, 1/2, 3/8, 5/16, ...
length = np.linalg.norm(weights)              # of what a patient of batch 1 moves
z = rng.normal(size=N) * length * one_number  # 3.73 at ε = 1, δ = 10⁻⁵
noise = [np.dot(weights[j::-1], z[:j + 1]) for j in range(N)]  # in sum 1, 2, ...

# %% [markdown]
# ## What it saves
#
# A patient of batch 1 moves the noisy numbers by $1, \tfrac12, \tfrac38, \dots$, and the last sum contains the noises with the same weights. Both lengths are equal, so the error of the last sum is the squared length:
#
# $$1 + \tfrac14 + \tfrac9{64} + \dots$$

# %% tags=["remove-cell"]
s_squared = float(np.sum(square_root_coefficients(N) ** 2))
assert round(s_squared, 2) == 1.94

# %% tags=["remove-input"]
md(f"For {N} batches this is {s_squared:.2f}. It was {np.sqrt(N):.0f} with noise on every batch. The terms shrink, so that even a million batches would have only {np.sum(square_root_coefficients(10**6) ** 2):.1f}: {{ref}}`the error grows like a logarithm <online-take-back>` {{cite:p}}`fichtenberger2023,henzinger2023`. In patients:")

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
tree = counter("tree-gaussian", n_people, epsilon=epsilon, delta=delta).standard_deviations.max()
assert round(best / mu, 1) == 6.4 and round(rooted.max(), 1) == round(rooted[-1], 1) == 7.3 and round(float(100 * (rooted.max() * mu / best - 1))) == 14 and 1 - best / mu / rooted.max() < 1 / 8 and round(tree) == 54

# For two batches all mixings are R = [[p, 0], [s, 1]] up to a rotation and the unit of noise: a grid beside the package's optimum.
p, s = np.meshgrid(np.linspace(0.2, 3, 561), np.linspace(-2, 2, 801))
row_1, row_2 = 1 / p, np.hypot((1 - s) / p, 1)                        # the rows of A R⁻¹
on_grid = (np.maximum(row_1, row_2) * np.maximum(np.hypot(p, s), 1)).min()
two = LeastLargest(2).errors().max() * LeastLargest(2).column_l2
assert np.isclose(two, 2 / np.sqrt(3)) and two - 1e-9 <= on_grid < two + 0.005 and two < 1.25      # so the square root is nearly the best, not the best

# %% tags=["remove-input"]
md(f"Each curve promises ε = {show(epsilon)} and δ = 10⁻⁵ for one patient (replace one), proved. The first two sums are a little worse than with noise on every batch. The last one has {rooted[-1]:.1f} in place of {summed[-1]:.1f}. "
   f"{{doc}}`The tree <02_a_counter_that_never_stops>` with the same promise has up to {tree:.0f}, but it publishes after every patient.\n\n"
   f"The square root is nearly the best mixing. Its largest error is {rooted.max():.1f} patients, and in whichever way the 16 batches are mixed, {{ref}}`the largest error is at least {best / mu:.1f} <online-square-root>`. It is {100 * (rooted.max() * mu / best - 1):.0f} % above this floor.\n\nThis was one count. {{doc}}`The next page <04_how_little_noise>` takes a whole table, and asks what all our ideas save together.")

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
# The first sixteen noisy numbers have used up the whole budget of a patient of batch 1. A further number about her adds to her loss, however little.
# ```
#
# ## To take away
#
# * Publish rarely: 20,000 patients are 16 batches, and each patient is in one of them.
# * Mix the batches before the noise, and the noisy numbers once more in the same way. Then a later sum takes back a part of the earlier noise, and the error grows like the logarithm of the number of batches. For 16 batches no mixing has a largest error that is more than an eighth smaller.
# * The error is length times length: how far a patient moves the noisy numbers, times how much of their noise is in a sum.
