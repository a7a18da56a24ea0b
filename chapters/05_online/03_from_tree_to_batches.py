# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'New numbers only now and then, and noise that takes back a part of itself: the square root of a running sum, found
#         with two batches and a triangle.'
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
from IPython.display import HTML
from IPython.display import Markdown as md
from scipy.linalg import toeplitz

from privrl_core.formatting import show
from privrl_core.online import BinaryTree, LeastLargest, SquareRoot, counter, doubling, square_root_coefficients
from privrl_core.pages import PALETTE, use_theme
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
# Noisy number 1 is batch 1 with noise, and it is also sum 1. Noisy number 2 is batch 2 and once more a *share* of batch 1, with new noise. Sum 2 is noisy number 2, plus the rest of batch 1 from noisy number 1. Here are three shares, with the noises $+6$ and $+1$:
#
# | share of batch 1 | 0 | ½ | 1 |
# |---|---|---|---|
# | noisy number 1, and sum 1 | 40 **+ 6** | 40 **+ 6** | 40 **+ 6** |
# | noisy number 2 | 30 **+ 1** | 20 + 30 **+ 1** | 40 + 30 **+ 1** |
# | the rest, from number 1 | all: 40 **+ 6** | half: 20 **+ 3** | nothing |
# | sum 2 | 70 **+ 7** | 70 **+ 4** | 70 **+ 1** |
#
# With a share of ½, only 3 of the noise of 6 are left in sum 2: *a later sum takes back a part of the earlier noise.* With a share of 1 nothing of it is left. Why not always 1?
#
# Because a patient of batch 1 is now in both noisy numbers, so for the same promise *all* noise must be larger than the +6 and +1 of the table. How much larger? Two lengths decide: the left and the right side of a triangle. Its base and its height are 1, and you move its top to the share $a$. The dashed height cuts the base into $a$ and $1 - a$.
#
# * **Left: how far a patient moves the noisy numbers.** She moves the first by 1 and the second by $a$, and Gaussian noise has to grow with the length of this, $\sqrt{1 + a^2}$. A patient of batch 2 moves less.
# * **Right: how much noise is in sum 2.** All of the second noise, and $1 - a$ of the first. Standard deviations add up like the two short sides of a right-angled triangle, so together they are $\sqrt{1 + (1 - a)^2}$.
#
# **The error of sum 2 is left times right.**
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The further the top moves to the right, the longer the left side and the shorter the right one. **Which share gives sum 2 the smallest error?** Choose, then move the top, and watch the dot.
#
# * 0, where a patient moves only one number
# * ½, where sum 2 contains half of the first noise
# * 1, where sum 2 contains only one noise
# * any share, since what you gain on one side you lose on the other
# ```

# %% tags=["remove-cell"]
def sides(share):
    """What a patient of batch 1 moves, and how much noise is in sum 2."""
    return np.sqrt(1 + share**2), np.sqrt(1 + (1 - share) ** 2)

SHARES = np.arange(11) / 10

def height(error):
    return 10 + (1.45 - error) * 240        # of the curve, in the picture

def told(a):
    left, right = sides(a)
    return (f'<div data-at="{round(10 * a)}"><p><span><b class="left">{left:.2f}</b>a patient of batch 1 moves</span><span>×</span><span><b class="right">{right:.2f}</b>noise in sum 2</span>'
            f'<span>=</span><span><b>{left * right:.2f}</b>error of sum 2</span></p></div>')

curve = " ".join(f"{50 + 200 * a:.1f},{height(np.prod(sides(a))):.2f}" for a in np.linspace(0, 1, 51))
grid = "".join(f'<line class="grid" x1="50" x2="250" y1="{height(e):.1f}" y2="{height(e):.1f}"/><text x="44" y="{height(e) + 4:.1f}" text-anchor="end">{e}</text>' for e in (1.2, 1.3, 1.4))
picture = ('<div class="two-sides"><div class="drawn"><svg viewBox="0 0 300 76" role="img" aria-label="The error of sum 2 over the share of batch 1: a dot for the chosen share. All dots together make a curve that is lowest in the middle.">'
           f'<text x="256" y="13">error of</text><text x="256" y="32">sum 2</text>{grid}<polyline class="curve" points="{curve}"/><circle r="5"/></svg>'
           '<div class="tops" role="radiogroup" aria-label="share of batch 1 in noisy number 2">' + "".join(
               f'<label><input type="radio" name="two-sides" value="{k}"{" checked" if k == 0 else ""} aria-label="{show(a) if a else 0}"></label>' for k, a in enumerate(SHARES)) + "</div>"
           '<svg viewBox="0 0 300 240" role="img" aria-label="A triangle with base 1 and height 1, its top at the chosen share. The left side is what a patient moves, the right side is the noise in sum 2.">'
           '<g class="triangle"><path class="face" d="M0,0 L0,-200 L200,0 Z"/><path class="left" d="M0,0 L0,-200"/><path class="right" d="M200,0 L0,-200"/></g>'
           '<line class="base" x1="50" x2="250" y1="205" y2="205"/><line class="foot" x1="50" x2="50" y1="0" y2="205"/>'
           '<path class="bracket" d="M51,211 v6 h198 v-6"/><path class="cut" d="M50,211 v9"/><text class="half" x="50" y="232" text-anchor="middle"><tspan class="part-a">a</tspan></text><text class="half rest" x="250" y="232" text-anchor="middle"><tspan>1 − a</tspan></text><text class="side" x="40" y="100" text-anchor="end">left</text><text class="side" x="160" y="100">right</text></svg></div>'
           '<div class="told" aria-live="polite">' + "".join(map(told, SHARES))
           + f'<p class="promise">At each share: (ε = {show(epsilon)}, δ = 10⁻⁵)-differential privacy for one patient, in both sums together (replace one), proved. An error of 1 is the noise that a single number needs: {one_number:.2f} patients.</p></div></div>')
style = """
.two-sides { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem 2rem; max-width: 46rem; margin: 1rem 0; }
.two-sides .drawn { flex: 1 1 19rem; max-width: 25rem; }
.two-sides svg { display: block; width: 100%; height: auto; overflow: visible; }
.two-sides .tops { display: flex; justify-content: space-between; margin: .4rem calc(16.67% - .6rem) 0; }
.two-sides .tops label { margin: 0; width: 1.2rem; height: 1.2rem; display: grid; place-items: center; cursor: pointer; }
.two-sides input { margin: 0; accent-color: #0072b2; cursor: pointer; }
.two-sides text { font-size: 11px; fill: var(--pst-color-text-base, currentColor); }
.two-sides .half { font-style: italic; font-size: 14px; }
.two-sides path.bracket, .two-sides path.cut { stroke: var(--pst-color-text-base, currentColor); stroke-width: 1.2px; opacity: .7; }
.two-sides .side { transform: translateX(calc(100px * var(--a))); font-size: 13px; }
.two-sides .grid, .two-sides .foot { stroke: rgb(128 128 128 / .45); }
.two-sides .foot { stroke-dasharray: 3 4; }
.two-sides .base { stroke: var(--pst-color-text-base, currentColor); stroke-width: 2; }
.two-sides path { fill: none; stroke-width: 4.5px; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.two-sides path.left { stroke: #0072b2; }
.two-sides path.right { stroke: #d55e00; }
.two-sides .face { fill: rgb(128 128 128 / .14); }
.two-sides .curve { fill: none; stroke: var(--pst-color-text-base, currentColor); stroke-width: 2; }
.two-sides circle { fill: #009e73; }
.two-sides .triangle { transform: matrix(1, 0, calc(-1 * var(--a)), 1, 50, 205); }
.two-sides circle { transform: translate(calc(50px + 200px * var(--a)), calc(1px * var(--e))); }
.two-sides .foot, .two-sides .cut { transform: translateX(calc(200px * var(--a))); }
.two-sides .half { transform: translateX(calc(100px * var(--a))); opacity: clamp(0, (var(--a) - .05) * 10, 1); }
.two-sides .half.rest { transform: translateX(calc(-100px * (1 - var(--a)))); opacity: clamp(0, (.95 - var(--a)) * 10, 1); }
.two-sides .triangle, .two-sides circle, .two-sides .foot, .two-sides .cut, .two-sides .half, .two-sides .side { transition: transform .35s ease-in-out; }
.two-sides .told { flex: 1 1 15rem; }
.two-sides .told div p { display: flex; gap: .7rem; margin: 0 0 1rem; font-size: .85em; line-height: 1.25; }
.two-sides .told span:nth-child(odd) { flex: 1; }
.two-sides .told span b { display: block; font-size: 1.7rem; line-height: 1.3; }
.two-sides .told span:nth-child(even) { font-size: 1.5rem; }
.two-sides .told .left { color: #0072b2; }
.two-sides .told .right { color: #b34700; }
html[data-theme="dark"] .two-sides .told .left { color: #56b4e9; }
html[data-theme="dark"] .two-sides .told .right { color: #ff9248; }
.two-sides .promise { padding: .5rem .9rem; border-left: 3px solid #0072b2; font-size: .85em; }
.two-sides [data-at] { display: none; }
@media screen and (scripting: enabled) { .bd-article:has(p.guess-hidden) .two-sides .curve { visibility: hidden; } }
@media (prefers-reduced-motion: reduce) { .two-sides * { transition: none !important; } }
""" + "".join(f'.two-sides:has([value="{k}"]:checked) {{ --a: {a:.1f}; --e: {height(np.prod(sides(a))):.2f}; }} .two-sides:has([value="{k}"]:checked) [data-at="{k}"] {{ display: block; }}\n' for k, a in enumerate(SHARES))

# %% tags=["remove-input"]
HTML(f"<style>{style}</style>{picture}")

# %% tags=["remove-cell"]
for a, two, rest in ((0, 30, 40), (0.5, 50, 20), (1, 70, 0)):
    assert a * 40 + 30 == two and (1 - a) * 40 == rest and two + rest == 70
    assert 1 + (1 - a) * 6 == {0: 7, 0.5: 4, 1: 1}[a]
fine = np.linspace(0, 1, 101)
product = np.prod(sides(fine), axis=0)
assert fine[np.argmin(product)] == 0.5 and np.isclose(product.min(), 1.25) and np.allclose(product[[0, -1]], np.sqrt(2)) and round(float(sides(0.5)[0]), 2) == 1.12
angle = np.arctan(fine) + np.arctan(1 - fine)            # at the top of the triangle, whose area is 1/2 always
assert np.allclose(product * np.sin(angle), 1) and fine[np.argmax(angle)] == 0.5 and angle.max() < np.pi / 2
assert round(1 / mu, 2) == 3.73 and np.allclose(SquareRoot(2).errors() * SquareRoot(2).column_l2, [sides(0.5)[0], 1.25])
assert np.allclose(square_root_coefficients(4), [1, 1 / 2, 3 / 8, 5 / 16])
two, three = (toeplitz([1, 1 / 2, 3 / 8][:n], np.zeros(n)) for n in (2, 3))
assert np.allclose(two @ two, np.tril(np.ones((2, 2)))) and np.allclose(three @ three, np.tril(np.ones((3, 3))))

# %% tags=["remove-input"]
md(r"""**What you should see.** A half: the error of sum 2 is 1.25 there, and 1.41 at both ends. The area of the triangle is always the same, and it is half of left × right × the sine of the angle between them. So the product of the two sides is smallest where the angle is widest, which is in the middle. Sum 1 pays for it: it contains only one noise, so its error is the left side alone, 1.12 in place of 1.

There is a symmetry. Before the noise, half of batch 1 is mixed into number 2. After the noise, half of noisy number 1 is mixed into sum 2. The hospital mixes *twice in the same way*. As a matrix, the mixing times itself is the running sum of two batches:

$$\begin{pmatrix} 1 & 0 \\ \tfrac12 & 1 \end{pmatrix} \begin{pmatrix} 1 & 0 \\ \tfrac12 & 1 \end{pmatrix} = \begin{pmatrix} 1 & 0 \\ 1 & 1 \end{pmatrix}$$""")

# %% [markdown]
# ## Three batches, by hand
#
# Does this go on? For three batches there is one more weight $w$, with which batch 1 goes into noisy number 3. Take a pencil: which $w$ makes the lower left corner of the product 1?
#
# $$\begin{pmatrix} 1 & 0 & 0 \\ \tfrac12 & 1 & 0 \\ w & \tfrac12 & 1 \end{pmatrix} \begin{pmatrix} 1 & 0 & 0 \\ \tfrac12 & 1 & 0 \\ w & \tfrac12 & 1 \end{pmatrix} = \begin{pmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ \Large ? & 1 & 1 \end{pmatrix}$$
#
# ```{dropdown} What is w?
# The last row times the first column is $w + \tfrac12 \cdot \tfrac12 + w = 1$, so $w = \tfrac38$. With a fourth batch comes $v + \tfrac12 \cdot \tfrac38 + \tfrac38 \cdot \tfrac12 + v = 1$, so $v = \tfrac5{16}$.
# ```
#
# It goes on for any number of batches, and the mixing is called the *square root* of the running sum. Each weight is the one before, times $\tfrac12$, then $\tfrac34$, $\tfrac56$, $\tfrac78$, and so on, as {ref}`a series of powers shows <online-square-root>`:

# %% tags=["remove-cell"]
batches = rng.binomial(np.diff(doubling(n_people), prepend=0), 0.6)      # how many recovered in each

# %%
# the weights of batch 1: the first column of the square root
weights = [1.0]
for k in range(1, N):
    weights.append(weights[-1] * (2 * k - 1) / (2 * k))  # 1, 1/2, 3/8, 5/16, ...
mix = toeplitz(weights, np.zeros(N))                     # the matrix, for 16 batches
# how far a patient moves all numbers, times one number's noise
z = rng.normal(size=N) * np.linalg.norm(weights) * one_number
numbers = mix @ batches + z                              # mix before the noise
sums = mix @ numbers                                     # and once more after it

# %% [markdown]
# ## What it saves
#
# A patient of batch 1 moves the noisy numbers by $1, \tfrac12, \tfrac38, \dots$, and the last sum contains the noises with the same weights. Left and right are equally long, so the error of the last sum is the squared length:
#
# $$1 + \tfrac14 + \tfrac9{64} + \dots$$

# %% tags=["remove-cell"]
s_squared = float(np.sum(square_root_coefficients(N) ** 2))
assert round(s_squared, 2) == 1.94

# %% tags=["remove-input"]
md(f"For {N} batches this is **{s_squared:.2f}**. It was **{np.sqrt(N):.0f}** with noise on every batch. The terms shrink, so that even a million batches would have only {np.sum(square_root_coefficients(10**6) ** 2):.1f}: {{ref}}`the error grows like a logarithm <online-take-back>` {{cite:p}}`fichtenberger2023,henzinger2023`. In patients, the three ways compare as follows:")

# %% tags=["remove-input"] mystnb={"image": {"alt": "Standard deviation of the sum after each of 16 batches, for one count at epsilon 1. Noise on every batch rises like a square root from 4 to 15. A tree over the batches jumps between 8 and 17. The square root rises from 5 to about 7."}}
j = np.arange(1, N + 1)
rooted = counter("doubling-toeplitz", n_people, epsilon=epsilon, delta=delta).standard_deviations
summed = counter("doubling", n_people, epsilon=epsilon, delta=delta).standard_deviations
planted = BinaryTree(N).errors() * BinaryTree(N).column_l2 / mu
fig, ax = plt.subplots(figsize=(7.2, 2.6))
for y, label, colour, x, at in ((planted, "tree over the batches", PALETTE[1], 1, 15), (summed, "noise on every batch", PALETTE[0], 11.6, 9.6), (rooted, "square root", PALETTE[2], 9, 5)):
    ax.plot(j, y, "o-", color=colour, ms=4)
    ax.text(x, at, label, color=colour, weight="bold")
ax.set(xticks=j, ylim=(0, 18), xlabel="batch", ylabel="standard deviation, in patients", title="More noise at first, half as much at the end");

# %% tags=["remove-cell"]
assert np.allclose(rooted, SquareRoot(N).errors() * SquareRoot(N).column_l2 / mu) and np.isclose(summed[-1], np.sqrt(N) / mu)
assert np.allclose(mix @ mix, np.tril(np.ones((N, N)))) and np.allclose(sums, np.cumsum(batches) + mix @ z) and batches.size == N
assert [round(100 * (rooted[k] / summed[k] - 1)) for k in (0, 1)] == [39, 10] and rooted[-1] < 0.52 * summed[-1]      # the title
assert (planted > rooted).all() and round(planted.min(), 1) == 8.3 and round(planted.max(), 1) == 16.7
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
md(f"Each curve promises ε = {show(epsilon)} and δ = 10⁻⁵ for one patient (replace one), proved. The last sum has {rooted[-1]:.1f} in place of {summed[-1]:.1f}. The first two are worse, {rooted[0]:.1f} in place of {summed[0]:.1f} and {rooted[1]:.1f} in place of {summed[1]:.1f}. {{doc}}`The tree <02_a_counter_that_never_stops>`, with a batch in place of a patient, is worse after each batch. "
   f"A tree over the 20,000 patients publishes after every one, and the worst of its counts has {tree:.0f}.\n\n"
   f"The square root is nearly the best mixing. In whichever way the 16 batches are mixed, {{ref}}`the largest error is at least {best / mu:.1f} <online-square-root>`. That of the square root is {rooted.max():.1f}, {100 * (rooted.max() * mu / best - 1):.0f} % more.\n\nThis was one count. {{doc}}`The next page <04_how_little_noise>` takes a whole table, and asks what all our ideas save together.")

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
# * Mix the batches before the noise, and the noisy numbers once more in the same way. A later sum takes back a part of the earlier noise, and the error grows like the logarithm of the number of batches.
# * The error is left times right: how far a patient moves the noisy numbers, times how much of their noise is in a sum.
