# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A running count, published after every patient: three ways to share out the noise, and a tree that
#         you can grow patient by patient.'
# ---

# %% [markdown]
# # A counter that never stops
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A hospital publishes, after every patient, how many have recovered so far. How much noise does it need?
# * **The answer.** Noise on every patient adds up, and noise on every count must be large. A tree of blocks needs a few small noises for each count.
# * **What is protected.** One patient's outcome, in all counts together. Neighbours replace one patient.
# * **What you need.** {doc}`01_one_after_another`, and Laplace noise from {doc}`/chapters/01_foundations/03_noise_that_keeps_it`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2010         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML
from IPython.display import Markdown as md

from privrl_core.online import BinaryTree, counter, counter_standard_deviations
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore
from privrl_core.privacy import gaussian_mu

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## Two ways that come to mind
#
# On {doc}`the page before <01_one_after_another>`, the hospital put a noisy sum on a board every evening. Now it wants to do so after *every patient*: the number of those who recovered so far,
# again and again. All of these counts together must keep the promise with $\varepsilon = 1$. One patient who recovers adds 1 to the next count and to every later one.
#
# Take fifteen patients, and let us share out the noise by hand.
#
# 1. **Noise on every patient.** Add Laplace noise of scale 1 to each patient's outcome, once, and publish sums of these noisy outcomes. Laplace noise of scale $b$ has the standard deviation $\sqrt2\,b$, so here it is 1.41. Each patient is in one noisy number only. But the count after
#    fifteen patients contains fifteen noises. Variances add up, so its standard deviation is $\sqrt{15}$ times that of one noise. It grows like $\sqrt t$, where $t$ is the number of patients so far.
# 2. **Noise on every count.** Publish each count with noise of its own. Each count contains a single noise. But the first patient is in all fifteen counts, so that each of them
#    may only use a fifteenth of ε. The noise has the scale 15, from the first count to the last.
#
# Either a count contains many noises, or a patient is in many counts. What lies in between?
#
# ## Blocks
#
# Take the count after 13 patients. It is the sum over patients 1 to 8, plus that over 9 to 12, plus patient 13: three *blocks*, of 8, 4 and 1 patients. So give noise to the blocks. The blocks
# of 2 are the patients 1 and 2, then 3 and 4, and so on. The blocks of 4 are 1 to 4, then 5 to 8, and so on. Every block gets its noise once, when it is full. A count is put together from the fewest blocks that cover all patients so far.
#
# ### Explore: grow the tree
#
# Below are fifteen patients. Each box is a block, and the number in it says how many of its patients recovered. Choose how many patients have come. A pale box with a number is a full block,
# and the strong boxes make up the present count. Each block has Laplace noise of scale 4; the reason follows.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Patient 1 is in all counts. The picture goes on upwards in the same way, with boxes of 16, 32, 64, … **If a thousand patients come, in how many boxes is patient 1?** Choose, then tick the box below the picture.
#
# * in 4
# * in 10
# * in 500
# * in 1,000
# ```

# %% tags=["remove-cell"]
n, LEVELS = 15, 4
recovered = np.array([1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1])
ones = np.round(BinaryTree(n).errors() ** 2)

drawn = {}                                        # one noise for each block, for the text below the picture
noise_of_blocks = np.random.default_rng([seed, 38])      # a draw with noises of both signs; the errors that are told beside it do not depend on it

def blocks_of(t):
    """The blocks of the count after t patients, the largest first: (first patient, size)."""
    sizes = [2**h for h in reversed(range(LEVELS)) if t >> h & 1]
    return list(zip(np.cumsum([0, *sizes[:-1]]).tolist(), sizes))

def in_words(things):
    return things[0] if len(things) == 1 else ", ".join(things[:-1]) + " and " + things[-1]

def said(t):
    found = blocks_of(t)
    parts = [int(recovered[start:start + size].sum()) for start, size in found]
    assert sum(parts) == recovered[:t].sum() and len(parts) == ones[t - 1]
    noises = [drawn.setdefault(block, round(float(noise_of_blocks.laplace(0, LEVELS)), 1)) for block in found]
    with_noise = in_words([f"{z:+.1f}".replace("-", "−") for z in noises])
    adds = " + ".join(map(str, parts)) + (f" = {sum(parts)}" if len(parts) > 1 else "")
    return (f"<b>After {t} patient{'s' * (t > 1)}</b> the count is {adds} recovered, from {'blocks' if len(found) > 1 else 'a block'} of {in_words([str(size) for _, size in found])}. "
            f"So it contains <b>{len(parts)} noise{'s' * (len(parts) > 1)}</b>. "
            f"In one draw {'they are' if len(noises) > 1 else 'it is'} {with_noise}, and the hospital publishes <b>{sum(parts) + sum(noises):.1f}</b>. ".replace("<b>-", "<b>−")
            + f"Standard deviation of this count: {np.sqrt(2 * len(parts)) * LEVELS:.1f}. With noise on every patient it would be {np.sqrt(2 * t):.1f}, and with noise on every count {np.sqrt(2) * n:.1f}.")

def box(h, i):
    start, size = i << h, 1 << h
    return (f'<div class="gt-box" aria-hidden="true" style="grid-row:{LEVELS - h};grid-column:{start + 2}/span {size};--end:{start + size};--size:{size};--left:{int(i % 2 == 0)}"'
            f'{" data-first" if start == 0 else ""}>{recovered[start:start + size].sum()}</div>')

tree = '<div class="grow-tree">' + "".join(
    f'<span class="gt-row" aria-hidden="true" style="grid-row:{LEVELS - h}">{"single" if h == 0 else f"of {2**h}"}</span>' + "".join(box(h, i) for i in range(n >> h)) for h in reversed(range(LEVELS)))
tree += '<span class="gt-row" id="grow-tree-label" style="grid-row:5">patients</span><div class="come" role="radiogroup" aria-labelledby="grow-tree-label">' + "".join(
    f'<label><input type="radio" name="grow-tree" value="{t}"{" checked" if t == 13 else ""}><span>{t}</span></label>' for t in range(1, n + 1)) + "</div>"
tree += '<div class="told"><label class="hers"><input type="checkbox" value="first"> show the boxes that patient 1 is in</label><p aria-live="polite">' + "".join(
    f'<span data-at="{t}">{said(t)}</span>' for t in range(1, n + 1)) + "</p></div></div>"
style = """
.grow-tree { display: grid; grid-template-columns: 3.6em repeat(15, minmax(0, 1fr)); gap: 4px 3px; max-width: 46rem; margin: 1rem 0; align-items: stretch; }
.grow-tree .gt-row { grid-column: 1; align-self: center; font-size: .85em; }
.grow-tree .gt-box { --full: clamp(0, var(--t) - var(--end) + 1, 1); --used: calc(var(--full) * var(--left) * clamp(0, var(--end) + var(--size) - var(--t), 1));
  display: grid; place-items: center; min-height: 2.1rem; border-radius: 3px; font-weight: 600; border: 2px solid rgb(0 114 178 / calc(.12 + .88 * var(--full)));
  background: rgb(0 114 178 / calc(.1 * var(--full) + .9 * var(--used))); 
  color: color-mix(in srgb, white calc(100% * var(--used)), color-mix(in srgb, var(--pst-color-text-base, currentColor) calc(100% * var(--full)), transparent)); }
.grow-tree .come { grid-row: 5; grid-column: 2 / -1; display: grid; grid-template-columns: subgrid; }
.grow-tree .come label { display: grid; justify-items: center; margin: 0; padding: .3rem 0; cursor: pointer; font-size: .85em; line-height: 1.5; }
.grow-tree input { margin: 0; accent-color: #0072b2; }
.grow-tree .told { grid-row: 6; grid-column: 1 / -1; }
.grow-tree .told p { margin: .4rem 0 0; min-height: 5em; }
.grow-tree [data-at] { display: none; }
.grow-tree:has([value=first]:checked) [data-first] { outline: 4px solid #d55e00; outline-offset: -1px; }
""" + "".join(f'.grow-tree:has([value="{t}"]:checked) {{ --t: {t}; }} .grow-tree:has([value="{t}"]:checked) [data-at="{t}"] {{ display: inline; }}\n' for t in range(1, n + 1))
assert blocks_of(13) == [(0, 8), (8, 4), (12, 1)]

# %% tags=["remove-input"]
HTML(f"<style>{style}</style>{tree}")

# %% [markdown]
# **What you should see.** With fifteen patients she is in one box of every size: four boxes, of 1, 2, 4 and 8. Each further size doubles the number of patients and adds a single box. A thousand patients need sizes up to 512, which makes ten. So patient 1 moves ten noisy numbers only, although she is in a thousand counts. In 500 she would be if her boxes grew with the number of patients. They grow with the number of sizes only, because each size has just one box with her.
#
# No patient is in more boxes than patient 1. With fifteen patients she moves four numbers by 1 each, and {doc}`Laplace noise has to cover the sum of all changes </chapters/01_foundations/03_noise_that_keeps_it>`, which is 4. In general, with $K$ patients there are $L = \lfloor \log_2 K \rfloor + 1$ sizes: 20 for a million patients, and 30 for a billion. Each block gets noise of scale $L/\varepsilon$, and all counts together are ε-differentially private for one patient (replace one), proved.
#
# Few noises are in a count, too. Choose 8, 12, 13 and 15 patients in turn: there are 1, 2, 3 and 4. The blocks of a count are the binary digits of $t$. Thirteen is $1101$ in binary, which is $8 + 4 + 1$, and each digit 1 is a block. So a count contains at most as many noises as $t$ has binary digits, and the count after 16 patients contains a single one.
#
# This is the *binary tree* of {cite:t}`dwork2010continual` and {cite:t}`chan2011`. What we say about it is proved, and {ref}`checked in the evidence <online-errors>`.

# %% [markdown]
# ## How large is the error?
#
# For fifteen patients the tree is no gain. Four noises of scale 4 make $\sqrt4 \times 4 = 8$ times one noise of scale 1, and fifteen noises of scale 1 only $\sqrt{15} = 3.9$ times. The advantage of the tree comes with time.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# A million patients will come, and the tree is made for them: it has blocks of 20 sizes. **From about how many patients on is a count from the tree better than one with noise on every patient, on average?** Choose, then move the patients.
#
# * from about 200 on
# * from about 400 on
# * from about 2,600 on
# ```

# %% tags=["remove-input"]
N = 10**6
L = BinaryTree(N).levels
time = Slider("time", "patients so far", 100, 1e6, 100, points=41, steps=40, low_end="a hundred", high_end="a million")
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.3, 3, 1, points=41, low_end="more noise", high_end="less noise")
delta_choice = Choice("delta", "δ (0 is Laplace noise)", ("0", "10⁻⁹", "10⁻⁵", "10⁻³"), "0", low_end="none", high_end="one in a thousand")
deltas = (None, 1e-9, 1e-5, 1e-3)

def unit(delta, epsilon):
    """The standard deviation of one noise, per unit of sensitivity."""
    return np.sqrt(2) / epsilon if delta is None else 1 / gaussian_mu(epsilon, delta)

def typical(t):
    """The first binary digit is a 1, and half of the others on average: √ of the mean number of blocks in a count with so many digits."""
    return np.sqrt((int(t).bit_length() + 1) / 2)

one = Table((delta_choice, epsilon_slider), [[float(unit(d, e)) for e in epsilon_slider.grid] for d in deltas])
spread = [Table((delta_choice,), [in_l1, *3 * [in_l2]]) for in_l1, in_l2 in ((N, np.sqrt(N)), (L, np.sqrt(L)))]
on_patients = one * Table.of(lambda time: np.sqrt(time), time)
on_counts = one * spread[0]
on_blocks = one * spread[1] * Table((time,), [typical(t) for t in time.grid])
explore(
    name="three_counters", sliders=[time, epsilon_slider, delta_choice], x=time, y=Axis("error", "standard deviation of a count, in patients", 0.4, 5e6),
    curves=[Curve("noise on every patient", on_patients), Curve("noise on every count", on_counts), Curve("noise on blocks: the tree", on_blocks)],
    readouts=[Readout("ratio", "noise on every patient, divided by that of the tree", on_patients / on_blocks)],
    guarantee="Each curve: ({epsilon}, {delta})-differential privacy for one patient, in all of a million counts together (replace one), proved.",
    alt="Standard deviation of a count against the number of patients so far, both axes logarithmic. Noise on every patient rises with the square root; noise on every count is flat and far above; "
        "the tree rises very slowly. After {time} patients the error with noise on every patient is {ratio} times that of the tree.",
    caption="Made for a million patients. The noise of the tree jumps up and down with the digits of the count; the curve is its average over all counts with as many digits.")

# %% tags=["remove-cell"]
def crossing(times_as_large):
    """The first count in which so many times the variance of a noise, in each block, are no more than one noise for each patient."""
    return next(t for t in range(1, N) if t >= times_as_large * typical(t) ** 2)

laplace, gauss = crossing(L**2), crossing(L)
at_end = [np.sqrt(2 * N), np.sqrt(2) * N, np.sqrt(2) * L * typical(N)]
gauss_end = [np.sqrt(N) / gaussian_mu(1, 1e-5), np.sqrt(L) * typical(N) / gaussian_mu(1, 1e-5)]
long = counter_standard_deviations("tree-laplace", N, epsilon=1)
assert np.isclose(np.sqrt(np.mean(long[2**18 - 1:2**19 - 1] ** 2)), np.sqrt(2) * L * typical(2**18), rtol=1e-9)
assert np.isclose(np.mean(long[2**11 - 1:2**12 - 1] ** 2), 2 * L**2 * 6.5)
assert round(at_end[0] / at_end[2]) == 15 and gauss_end[1] < at_end[2] and gauss_end[0] > at_end[0] and (laplace, gauss) == (2600, 80)
assert laplace.bit_length() == 12 and np.isclose(typical(laplace) ** 2, 6.5) and np.isclose(typical(N) ** 2, 10.5) and N.bit_length() == 20
assert all((t >= L**2 * typical(t) ** 2) == (t >= laplace) and (t >= L * typical(t) ** 2) == (t >= gauss) for t in range(1, 20_000))
assert BinaryTree(10**8).levels == 27 and (10**9).bit_length() == 30

# %% tags=["remove-input"]
md(f"**What you should see.** From about {laplace:,} patients on. A patient is in 20 blocks, so each block has noise of scale 20, as large as 400 noises of scale 1. Counts near {laplace:,} contain {typical(laplace)**2:.1f} of them on average, and 6.5 × 400 = 2,600. "
   f"For such numbers have twelve binary digits: the first is a 1, and of the other eleven digits half are 1 on average. Variances add up, and the curves cross where\\\n"
   "$\\quad 6.5 \\times 20^2 = 2{,}600 = 2{,}600 \\times 1^2 ,$\\\nwith the tree on the left and noise on every patient on the right.\n\n"
   "Left of the crossing the tree pays for its many sizes. Right of it, it wins by more and more. Now move ε: the three curves rise and fall together, and the crossing stays where it is. How much noise there is depends on ε; which method is best does not.")

# %% tags=["remove-cell"]
ratios = np.array([unit(None, e) * np.sqrt(laplace) / (unit(None, e) * L * typical(laplace)) for e in (0.3, 1, 3)])
assert np.allclose(ratios, 1)
assert all(BinaryTree(2**k).errors()[-1] == 1 for k in (1, 5, 10))           # a full tree of 2^k patients: its last count is one block
full_trees = 1 + sum((k + 1) ** 2 for k in range(19))                        # variances: trees of 1, 1, 2, 4, ... patients, one noise each, as wide as the tree has sizes
chain, one_tree = full_trees + 20**2 * 19 / 2, 20**2 * (1 + 19 / 2)          # and half of 19 digits of the growing one; the same for a single tree
assert 1.21 < np.sqrt(chain / one_tree) < 1.23
assert len([1] + [2**k for k in range(19)]) == 20 and sum([1] + [2**k for k in range(19)]) == 2**19 == 524_288

# %% [markdown]
# ## Root times root
#
# With a δ above 0 the noise may be Gaussian, and it is smaller then. Move δ away from 0. A patient moves 20 blocks by 1 each. Laplace noise has to cover the sum of these changes, which is 20, the $L_1$ norm. Gaussian noise has to cover
# only the root of the sum of their squares. This is $\sqrt{20} = 4.5$, the $L_2$ norm. Now the methods are mirror images of each other. With fifteen patients you can count the squares:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three rows of squares, to the left of a middle line for noises in the count after 15 patients, to the right for noisy numbers that patient 1 moves. Noise on every patient: 15 and 1, error 3.9. The tree: 4 and 4, error 4. Noise on every count: 1 and 15, error 3.9."}}
fig, ax = plt.subplots(figsize=(7.6, 2))
for row, (label, held, moved, colour) in enumerate((("noise on every count", 1, n, PALETTE[1]), ("the tree", LEVELS, LEVELS, PALETTE[2]), ("noise on every patient", n, 1, PALETTE[0]))):
    for k in range(held):
        ax.add_patch(plt.Rectangle((-1 - k, row), 0.84, 0.62, color=colour))
    for k in range(moved):
        ax.add_patch(plt.Rectangle((0.2 + k, row), 0.84, 0.62, fc="none", ec=colour, lw=1.6))
    ax.text(-15.8, row + 0.3, label, ha="right", va="center", color=colour, weight="bold")
    ax.text(15.8, row + 0.3, f"√{held} × √{moved} = {np.sqrt(held * moved):.1f}", va="center", color="#22272e")
for x, words in ((-8, "noises in the count after 15"), (8, "numbers that patient 1 moves")):
    ax.text(x, 3.05, words, ha="center", color="#4a5058")
ax.axvline(0.02, ymax=0.78, color="#767676", lw=1)
ax.text(18.6, 3.05, "error", color="#4a5058")
ax.set(xlim=(-25.5, 23), ylim=(-0.25, 3.6), title="Mirror images: many noises in a count, or a patient in many numbers")
ax.axis("off");

# %% [markdown]
# On the left, the variances of all noises in a count add up. On the right, the noise has to cover all numbers that a patient moves. With Gaussian noise both count by their roots. So
#
# **the error is the root of the left number, times the root of the right one.**
#
# The unit is the noise of a single number, 3.73 patients at ε = 1 and δ = 10⁻⁵. For fifteen patients the tree is no better than the others. For a million, the others have $\sqrt{1{,}000{,}000} = 1{,}000$ units, and the tree has $\sqrt{10.5} \times \sqrt{20} = 14.5$, as a count of 20 binary digits has $1 + 19/2 = 10.5$ ones on average:

# %% tags=["remove-input"]
md("| error near a million patients, on average, ε = 1 | a patient moves | δ = 0 | δ = 10⁻⁵ |\n|---|---:|---:|---:|\n"
   f"| noise on every patient | 1 number | {round(at_end[0], -1):,.0f} | {round(gauss_end[0], -1):,.0f} |\n"
   f"| noise on every count | 1,000,000 numbers | {round(at_end[1], -4):,.0f} | {round(gauss_end[0], -1):,.0f} |\n"
   f"| noise on blocks: the tree | 20 numbers | {at_end[2]:.0f} | {gauss_end[1]:.0f} |")

# %% [markdown]
# Noise on every count gains most, because there a patient moves most numbers. Noise on every patient gets worse with δ, because for a single number Gaussian noise is larger than Laplace noise. So with δ = 10⁻⁵ the tree is better than it from 80 patients on already.

# %% tags=["remove-cell"]
assert ones[n - 1] == LEVELS == BinaryTree(n).moved([0])[0] and round(np.sqrt(10.5 * 20), 1) == 14.5
assert round(gauss_end[0], -1) == 3730 and round(1 / gaussian_mu(1, 1e-5), 2) == 3.73 and (round(14.5 * 3.73), round(gauss_end[1]), round(at_end[2])) == (54, 54, 92)

# %% [markdown]
# ## The tree in code, and without an end
#
# Here is the whole counter. Each block draws its noise once, when a count first needs it:

# %%
def tree_counts(outcomes, scale, rng):
    noise, counts = {}, []
    for t in range(1, len(outcomes) + 1):
        count, end = 0, 0
        for size in (2 ** h for h in reversed(range(t.bit_length()))):
            if t & size:                             # a binary digit 1: a block
                block = (end, end + size)
                if block not in noise:               # noise is drawn once
                    noise[block] = rng.laplace(0, scale)
                count += outcomes[end:end + size].sum() + noise[block]
                end += size
        counts.append(count)
    return counts

# %% tags=["remove-cell"]
outcomes, runs = rng.integers(0, 2, n), max(500, round(4_000 * effort))
off = np.array([tree_counts(outcomes, LEVELS, rng) for _ in range(runs)]) - np.cumsum(outcomes)
exact = counter_standard_deviations("tree-laplace", n, epsilon=1)
assert np.allclose(exact, np.sqrt(2 * ones) * LEVELS)
assert (abs(off.std(axis=0) / exact - 1) < 6 * np.sqrt(1.25 / runs)).all()      # a Laplace variable has kurtosis 6
assert [int(ones[t - 1]) for t in (8, 12, 13, 15)] == [1, 2, 3, 4]
assert counter("tree-laplace", n, epsilon=1).guarantee.epsilon == 1 and BinaryTree(10**6).levels == 20

# %% [markdown]
# The patients of page 1 could choose what they report after they had seen earlier counts. This does no harm. Replace patient 1, and suppose that the same counts were published up to now. Then all others report the same as before, because their choice depends on the counts only. So only her own blocks differ, as before. The {ref}`evidence has the proof <online-square-root>`.
#
# Does this counter ever have to stop? A tree is made for $K$ patients, and $K$ must be fixed before the first one, because the noise depends on it. When the tree is full, the hospital starts a second one for the next patients, and adds its counts to the last count of the first tree. Then no patient is in both trees, so the promise is the same ε:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Five triangles in a row above 16 patients: trees for 1, 1, 2, 4 and 8 patients. The first four are full and filled, the last one is growing and drawn in outline."}}
fig, ax = plt.subplots(figsize=(7.2, 1.9))
for start, size in ((0, 1), (1, 1), (2, 2), (4, 4), (8, 8)):
    full = size < 8
    ax.fill([start + 0.08, start + size - 0.08, start + size / 2], [0, 0, np.sqrt(size)], fc=PALETTE[0] if full else "none", ec=PALETTE[0], alpha=0.85 if full else 1, lw=1.5)
    ax.text(start + size / 2 if start > 1 else 1, -0.16, f"for {size}" if start > 1 else "for 1 each" if start else "", ha="center", va="top", color="#4a5058")
ax.text(4.1, 2.35, "full: one noise each", color=PALETTE[0], weight="bold", ha="center")
ax.text(12, 0.75, "growing", color=PALETTE[0], weight="bold", ha="center")
ax.set(xlim=(0, 16), ylim=(-0.65, 2.95), title="Each new tree is as large as all before it")
ax.axis("off");

# %% [markdown]
# Each full tree adds a single noise. Twenty such trees take a hospital from one patient to half a million, and so on without end. From there to a million, a count from this chain has on average about a fifth more noise than one from a tree that was made for a million patients. This is the price of a counter that never has to stop. The {doc}`next page <03_from_tree_to_batches>` looks for less noise.

# %% [markdown]
# ## Check yourself
#
# **A tree is made for 1,000 patients, and a patient comes twice, as number 1 and as number 1,000. Does the promise hold for her with the same ε?**
#
# ```{dropdown} Yes, each of her two outcomes is protected with ε.
# Each outcome alone is. Both together move the blocks of both.
# ```
# ```{dropdown} No. Her two outcomes move two sets of blocks, so her loss is more than ε.
# ✓ Right. Number 1 is in blocks of every size. Number 1,000 is in blocks of 1, 2, 4 and 8 only, because none of its larger blocks gets full before the patients end. So her loss is 14/10 of ε here. If she came as number 1 and number 2, it would be 2ε, the worst case. The unit is one visit, and a
# patient who returns has to be counted for what she is. {ref}`The evidence does so <online-returning>`.
# ```
# ```{dropdown} Yes, if the hospital does not notice that it is the same patient.
# The noise does not know what the hospital notices. Her secret is in more blocks than the noise was made for.
# ```
#
# ## To take away
#
# * Noise on every patient adds up like $\sqrt t$. With noise on every count, all counts share the same ε, and a patient is in all of them.
# * A tree puts noise on blocks of 1, 2, 4, 8, … patients. A patient is in $L = \lfloor\log_2 K\rfloor + 1$ blocks, where $K$ is the number of all patients, and a count uses at most as many.
# * So the error grows like $(\log K)^{1.5}$ with Laplace noise, and like $\log K$ with Gaussian noise. The number $K$ must be fixed before the first patient of a tree, but it may be large, and when the tree is full another one goes on.

# %% tags=["remove-cell"]
thousand = counter("tree-laplace", 1000, epsilon=1)
assert thousand.charge([0, 999]) == 1.4 and thousand.charge([0, 1]) == 2 and BinaryTree(1000).moved([0])[0] == 10 and BinaryTree(n).moved([0])[0] == LEVELS
