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
# * **The question.** Noise on every patient adds up, and noise on every count must be large. Is there a better place in between than the tree?
# * **The answer.** Publish after batches of patients, and mix the batches before the noise is added and after it. A later sum takes back a part of the earlier noise, and the error grows only like the logarithm of the number of batches.
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
from IPython.display import Markdown as md

from privrl_core.online import LeastLargest, SquareRoot, counter, doubling, square_root_coefficients
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Slider, Table, explore, show
from privrl_core.privacy import gaussian_mu

use_theme()
rng = np.random.default_rng(seed)
mu = float(gaussian_mu(epsilon, delta))
one_number = 1 / mu                # the standard deviation that one number needs, if a patient moves it by 1

# %% [markdown]
# ## Nobody needs a new number every minute
#
# {doc}`The tree <02_a_counter_that_never_stops>` publishes a count after every patient. A hospital would not use them all: after 10,000 patients, the 10,001st changes hardly anything. It is enough to make a new plan
# when there is much more to learn from, for example when the number of patients has doubled.
#
# So put the patients into *batches*. The first batch is patient 1, the second is patient 2, then come patients 3 and 4, then 5 to 8, and so on. Each batch is as long as everything before it. Each batch gets noise once, and after each batch the
# hospital publishes the sum of all noisy batches so far. While a batch grows, its patients are treated by the last sum that was published. {doc}`The next page <04_how_little_noise>` asks what this costs.

# %% tags=["remove-cell"]
N = doubling(n_people).size
assert N == 16 and (np.diff(doubling(n_people))[:5] == [1, 2, 4, 8, 16]).all() and doubling(n_people)[-1] - doubling(n_people)[-2] < doubling(n_people)[-2]      # the last batch is not full

# %% tags=["remove-input"]
md(f"This is the first method of the last page again, noise on every patient, with batches in place of patients. Each patient is in one batch only. And {n_people:,} patients are only {N} batches, of which the last is not full. So the last sum contains {N} noises, and its standard "
   f"deviation is $\\sqrt{{{N}}} = {np.sqrt(N):.0f}$ times that of one noise. With noise on every patient it would be $\\sqrt{{20{{,}}000}} = {np.sqrt(n_people):.0f}$ times.")

# %% [markdown]
# ## Noise that takes back a part of itself
#
# There is a better way to add up noisy batches. Look at two batches, with the sums $x_1$ and $x_2$. Let $z_1$ and $z_2$ be two independent Gaussian noises with the same standard deviation. The hospital makes two *noisy numbers*. From these it computes two
# *published sums*, for $x_1$ and for $x_1 + x_2$. Only the noisy numbers cost privacy; what is computed from them is free.
#
# The first noisy number is $x_1 + z_1$, and it is also the first published sum. A share $a$ of $x_1$ goes into the second noisy number. What is missing there, the share $1 - a$, comes from the first one:
#
# | noisy number 2 | published sum 2: noisy number 2, plus $1 - a$ times noisy number 1 |
# |---|---|
# | $a x_1 + x_2 + z_2$ | $x_1 + x_2 + z_2 + (1 - a) z_1$ |
#
# With $a = 0$ this is noise on every batch, and sum 2 contains both noises in full. With $a = 1$ it is noise on every sum, and sum 2 contains $z_2$ only. Here is one draw, with $x_1 = 40$, $x_2 = 30$, $z_1 = +6$ and $z_2 = -2$, so that 40 and 70 would be right:
#
# | | $a = 0$ | $a = \tfrac12$ | $a = 1$ |
# |---|---|---|---|
# | noisy number 1, which is sum 1 | 40 + 6 = 46 | 40 + 6 = 46 | 40 + 6 = 46 |
# | noisy number 2 | 0 + 30 − 2 = 28 | 20 + 30 − 2 = 48 | 40 + 30 − 2 = 68 |
# | sum 2 | 28 + 46 = 74 | 48 + 23 = 71 | 68 |
# | error of sum 2 | −2 + 6 = +4 | −2 + 3 = +1 | −2 |
#
# Sum 1 is off by 6. With $a = \tfrac12$ only 3 of this are left in sum 2: *a later sum takes back a part of the earlier noise.* But the more of $x_1$ is in noisy number 2, the more a patient of batch 1 moves, and the larger all noises have to be: for the same promise, those in the three columns must be 1, 1.12 and 1.41 times as large. We compare the error of the last sum, here sum 2, with the same promise for every share. Two lengths make this error:
#
# * *What a patient moves.* A patient of batch 1 moves the two noisy numbers by $1$ and $a$. Gaussian noise has to grow with the length of this, $\sqrt{1 + a^2}$. A patient of batch 2 moves only noisy number 2, by $1$. So batch 1 is the worst case.
# * *How much noise is in sum 2.* It contains $1 - a$ of the first noise and $1$ of the second. Their standard deviations add up like the sides of a triangle, to the length $\sqrt{(1 - a)^2 + 1}$.
#
# So **the error is length times length**.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which share $a$ gives sum 2 the smallest error?** Choose, then move the share.
#
# * a = 0, where a patient moves only one number
# * a = ½, where sum 2 contains half of the first noise
# * a = 1, where sum 2 contains only one noise
# * any a, since what one length gains, the other loses
# ```

# %% tags=["remove-input"]
share = Slider("share", "share a of batch 1 in noisy number 2", 0, 1, 0, points=101, steps=100, scale="linear", low_end="noise on every batch", high_end="noise on every sum")
moved = Table.of(lambda share: np.sqrt(1 + share**2), share, scale="linear")
held = Table.of(lambda share: np.sqrt(1 + (1 - share) ** 2), share, scale="linear")
explore(
    name="take_back", sliders=[share], x=share, y=Axis("length", "length, in multiples of one noise", 0.9, 1.5, scale="linear"),
    curves=[Curve("what a patient of batch 1 moves", moved), Curve("how much noise is in sum 2", held), Curve("their product: the error of sum 2", moved * held)],
    guarantee=f"At each share, {{share}} as well: (ε = {show(epsilon)}, δ = 10⁻⁵)-differential privacy for one patient, in both sums together (replace one), proved.",
    alt="Three curves over the share from 0 to 1. What a patient moves rises from 1 to 1.41, the noise in sum 2 falls from 1.41 to 1, and their product is 1.41 at both ends and 1.25 in the middle. The share is {share}.",
    caption="The unit is the noise that a single number needs: 3.73 patients at this ε and δ.")

# %% tags=["remove-cell"]
for a, two, total in ((0, 28, 74), (0.5, 48, 71), (1, 68, 68)):
    assert a * 40 + 30 - 2 == two and two + (1 - a) * 46 == total and total - 70 == -2 + (1 - a) * 6
product = (moved * held).at(share=share.grid)
assert share.grid[np.argmin(product)] == 0.5 and np.isclose(product.min(), 1.25) and np.allclose(product[[0, -1]], np.sqrt(2))
assert round(1 / mu, 2) == 3.73 and np.isclose(SquareRoot(2).errors()[-1] * SquareRoot(2).column_l2, 1.25)
assert np.allclose(square_root_coefficients(4), [1, 1 / 2, 3 / 8, 5 / 16]) and np.allclose(np.convolve([1, 1 / 2, 3 / 8], [1, 1 / 2, 3 / 8])[:3], 1)

# %% [markdown]
# **What you should see.** A half. At both ends the error is $1 \times \sqrt2 = 1.41$, and at a half it is $\sqrt{1 + \tfrac14} \times \sqrt{\tfrac14 + 1} = 1.25$. The lengths do not just trade: a half counts only as a quarter in a square, and both lengths profit from that.
#
# At a half, the batches are mixed *twice in the same way*: before the noise, half of batch 1 is mixed into number 2, and after the noise, half of noisy number 1 into sum 2. This is why both lengths are equal.
#
# ### Three batches
#
# We keep this rule for three batches: mix in the same way before the noise and after it. A batch enters its own noisy number with the weight $1$, the next one with $\tfrac12$, and the one after that with some weight $w$.
# A noisy number enters its own sum and the two next ones with the same weights $1$, $\tfrac12$ and $w$. What must $w$ be? Batch 1 has to be in sum 3 exactly once, and it gets there in three ways:

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
# The three ways make $w + \tfrac14 + w$, which is 1 if $w = \tfrac38$. The sums before come out right as well: batch 1 is in sum 1 with $1 \cdot 1 = 1$, and in sum 2 with $1 \cdot \tfrac12 + \tfrac12 \cdot 1 = 1$. To mix once with these weights is half of the way to the running sum. To mix twice is the whole way: each batch is in each later sum exactly once. So the mixing is the *square root* of the running sum. It goes on in a simple way. Each weight is the one before, times $\tfrac12$, then times $\tfrac34$, $\tfrac56$, $\tfrac78$, and so on: $1, \tfrac12, \tfrac38, \tfrac5{16}, \dots$

# %%
weights = [1.0]
for k in range(1, N):
    weights.append(weights[-1] * (2 * k - 1) / (2 * k))     # 1, 1/2, 3/8, 5/16, ...
length = np.linalg.norm(weights)              # of what a patient of batch 1 moves
z = rng.normal(size=N) * length * one_number  # 3.73 at ε = 1, δ = 10⁻⁵
noise = [np.dot(weights[j::-1], z[:j + 1]) for j in range(N)]  # in sum 1, 2, ...

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

# %% [markdown]
# A darker square means more of that noise in that sum. With the square root, the noise of batch 1 is in sum 1 in full, in sum 2 by a half, in sum 3 by three eighths, and so on.
#
# How large is the error of the last sum? Again it is length times length. A patient of batch 1 moves the noisy numbers by $1, \tfrac12, \tfrac38, \dots$. A patient of a later batch moves only those from that batch on, with the same weights, so batch 1 is the worst case. The last sum contains the noises with the same weights. So both lengths are the same, and the error is the *squared* length of the weights:

# %% tags=["remove-cell"]
s_squared = float(np.sum(square_root_coefficients(N) ** 2))
grows = (np.euler_gamma + 4 * np.log(2)) / np.pi          # s_N² is ln(N)/π plus this, for large N
assert np.round(np.sqrt(12) * 2 / mu) == 26
page_1 = 2 / mu * np.linalg.norm(square_root_coefficients(12)) ** np.arange(3)        # twelve sums, and a vote moves a sum by 2
assert np.round(page_1, 2).tolist()[0] == 7.46 and np.round(page_1, 1).tolist() == [7.5, 10.2, 13.8] and round(round(page_1[1]) * 1.36) == 14 and round(page_1[1] / page_1[0], 2) == 1.36 and round(1 + 1 / 4 + 9 / 64, 2) == 1.39
assert round(s_squared, 2) == 1.94 and round(grows, 2) == 1.07 and abs(grows + np.log(N) / np.pi - s_squared) < 0.01

# %% tags=["remove-input"]
md("Error of the last sum, as length times length:\n\n| batches | square root | noise on every batch |\n|---:|---|---|\n"
   "| 2 | $\\sqrt{1.25} \\times \\sqrt{1.25} = 1 + \\tfrac14 = 1.25$ | $1 \\times \\sqrt2 = 1.41$ |\n| 3 | $\\sqrt{1.39} \\times \\sqrt{1.39} = 1 + \\tfrac14 + \\tfrac9{64} = 1.39$ | $1 \\times \\sqrt3 = 1.73$ |\n"
   f"| {N} | $\\sqrt{{{s_squared:.2f}}} \\times \\sqrt{{{s_squared:.2f}}} = 1 + \\tfrac14 + \\tfrac9{{64}} + \\dots = {s_squared:.2f}$ | $1 \\times \\sqrt{{{N}}} = {np.sqrt(N):.0f}$ |\n\n"
   f"The unit is the noise of a single number. For $N$ batches the error is about ${grows:.2f} + \\ln(N)/\\pi$ {{cite:p}}`fichtenberger2023,henzinger2023`: it grows like a logarithm.\n\n"
   f"{{doc}}`The noise of page 1 <01_one_after_another>` is made in this way. There a single number needed {page_1[0]:.2f}, as a vote moves a sum by 2. The length of twelve weights is {page_1[1] / page_1[0]:.2f}. So the first sum has ${page_1[0]:.2f} \\times {page_1[1] / page_1[0]:.2f} = {page_1[1]:.0f}$, with one length, and the last one ${page_1[1]:.0f} \\times {page_1[1] / page_1[0]:.2f} = {page_1[2]:.0f}$, with both. Twelve sums with fresh noise in each would have $\\sqrt{{12}} \\times {page_1[0]:.2f} = {np.sqrt(12) * page_1[0]:.0f}$.")

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
md(f"Each curve promises ε = {show(epsilon)} and δ = 10⁻⁵ for one patient (replace one), proved. After {N} batches the square root has an error of {rooted[-1]:.1f} patients, and the other two have {summed[-1]:.1f}. It is worse than noise on every batch for the first two sums only. "
   f"To mix in the same way twice is a choice, and a good one: in whichever way the batches are mixed, the largest error {{ref}}`is at least {best / mu:.1f} <online-square-root>`. {{doc}}`The next page <04_how_little_noise>` asks how often a hospital should publish, and how small the noise in a whole table can be.")

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
# * Mix the batches before the noise is added, and mix the noisy numbers once more in the same way. A later sum takes back a part of the earlier noise, and the error grows like the logarithm of the number of batches.
# * The error is length times length: how far a patient moves the noisy numbers, times how much of their noise is in a sum.
