# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Three switches between the binary tree and 98 times less noise for the same ε, and twelve random walks that show why a
#         tiny δ helps so much.'
# ---

# %% [markdown]
# # How little noise is enough
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A hospital counts everything that happens to 20,000 patients, and promises ε = 1. How small can the noise be?
# * **The answer.** You turn three switches, and see how far it falls. Then twelve random walks show why the greatest of the three works.
# * **What is protected.** One patient's whole stay, in all counts together. Neighbours replace one patient.
# * **What you need.** {doc}`03_from_tree_to_batches`.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 0            # all randomness comes from here
n_people = 20_000
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-cell"]
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
from dp_accounting import pld
from IPython.display import HTML
from IPython.display import Markdown as md
from scipy.stats import binom

from privrl_core.online import BinaryTree, SquareRoot, counter_standard_deviations, doubling, square_root_coefficients, table_sensitivity
from privrl_core.pages import PALETTE, use_theme
from privrl_core.privacy import gaussian_mu

use_theme()
mu = float(gaussian_mu(epsilon, delta))
table = table_sensitivity(20, 2)          # twenty steps of a stay, two families of counts
N = doubling(n_people).size

# %% [markdown]
# ## Three switches
#
# Twelve hospitals have the same 20,000 patients, and each of them publishes how many met with a certain treatment. The truth is 10,000. All of them promise ε = 1, and use {doc}`a tree <02_a_counter_that_never_stops>`. Each dot in the picture below is what one hospital publishes. Two of these counts are impossible: they are larger than 20,000.
#
# You have three switches against so much noise. With each of them, ε stays 1:
#
# * **Allow δ = 10⁻⁵** in place of 0, and take Gaussian noise, {doc}`which needs it <02_a_counter_that_never_stops>`.
# * **Mix by the square root** of {doc}`the page before <03_from_tree_to_batches>`, in place of the tree.
# * **Publish after 16 batches**, in place of every patient.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **You may turn on one switch only. Which one makes the noise smallest?** Choose, then try all three. After that, get the noise as low as you can.
#
# * the square root in place of the tree
# * 16 batches in place of 20,000 counts
# * a δ of one in 100,000 in place of 0
# ```

# %% tags=["remove-cell"]
def made(allow, mix, rare):
    """Mixing for a cell, how far a patient moves it in the norm that the noise has to cover, and the noise for that."""
    m = N if rare else n_people
    factor = SquareRoot(m) if mix else BinaryTree(m)
    l1 = square_root_coefficients(m).sum() if mix else factor.levels
    return factor, factor.column_l2 * table.l2 / mu if allow else l1 * table.l1 / epsilon

def largest(allow, mix, rare):
    factor, scale = made(allow, mix, rare)
    return float(factor.errors().max() * scale * (1 if allow else np.sqrt(2)))

def twelve(allow, mix, rare):
    """What twelve hospitals publish beside the truth, at the time of the largest noise, in order."""
    draw, (factor, scale) = np.random.default_rng(seed), made(allow, mix, rare)
    m = N if rare else n_people
    weights = square_root_coefficients(m) if mix else np.ones(round(factor.errors().max() ** 2))
    noises = draw.normal(size=(12, weights.size)) if allow else draw.laplace(size=(12, weights.size))
    return np.sort(noises @ weights * scale)

SWITCHES = list(product((0, 1), repeat=3))
noise_of = {at: largest(*at) for at in SWITCHES}
drawn = {at: twelve(*at) for at in SWITCHES}
for at, kind in (((0, 0, 0), "tree-laplace"), ((1, 0, 0), "tree-gaussian"), ((1, 1, 0), "toeplitz"), ((1, 1, 1), "doubling-toeplitz")):
    assert np.isclose(noise_of[at], counter_standard_deviations(kind, n_people, table, epsilon=epsilon, delta=delta if at[0] else 0).max())
first, last = noise_of[0, 0, 0], noise_of[1, 1, 1]
by_delta = first / noise_of[1, 0, 0]
assert N == 16 and table.l1 == 80 and n_people.bit_length() * 80 == 1200 and round(np.sqrt(14) * np.sqrt(2) * 1200, -1) == 6350 == round(first, -1) and max(t.bit_count() for t in range(n_people + 1)) == 14
assert [round(noise_of[at]) for at in ((1, 0, 0), (1, 1, 0), (1, 1, 1))] == [484, 141, 65] and round(first / last) == 98 and last == min(noise_of.values())
assert [round(noise_of[at], -2) for at in ((0, 1, 0), (0, 0, 1))] == [37_100, 1_100] and round(by_delta) == 13 and round(noise_of[0, 1, 0] / first) == 6
assert (drawn[0, 0, 0] > 10_000).sum() == (abs(drawn[0, 0, 0]) > 10_000).sum() == 2
assert round(noise_of[1, 1, 0] / last, 1) == 2.2 and round(first / noise_of[0, 0, 1], 1) == 5.6
spread = np.array([drawn[at].std() / noise_of[at] for at in SWITCHES])
assert (0.5 < spread).all() and (spread < 1.5).all()

def written(noise):
    return f"{round(noise, -1 if noise > 1000 else 0):,.0f}"

def told(at):
    noise = noise_of[at]
    compared = "This is the start." if at == (0, 0, 0) else f"<b>{first / noise:.{0 if first / noise > 10 else 1}f} times less</b> than at the start." if noise < first else f"<b>{noise / first:.1f} times more</b> than at the start."
    beyond = ""
    for ends, kind in ((20_000, "whole"), (500, "near")):
        if off := int((abs(drawn[at]) > ends).sum()):
            beyond += f'<span class="{kind}"> {off} of the dots lie beyond the picture and are drawn at its edges.</span>'
    promise = f"(ε = 1, δ = {'10⁻⁵' if at[0] else '0'})-differential privacy for one patient's whole stay, in all cells and all releases together (replace one), proved."
    return f'<p>Noise: <b>{written(noise)} patients</b>. {compared}{beyond}</p><p class="promise">{promise}</p>'

def place(noise, ends=20_000):
    return f"{50 + 50 * np.clip(noise / ends, -0.985, 0.985):.2f}%"

names = ("delta", "root", "batches")
code = {at: "".join(map(str, at)) for at in SWITCHES}
fog = '<div class="three-switches"><div class="switches">' + "".join(
    f'<label><input type="checkbox" value="{name}"> {words}</label>' for name, words in zip(names, ("allow δ = 10⁻⁵", "mix by the square root", "publish after 16 batches")))
fog += '<label><input type="checkbox" value="near"> magnify 40 times</label></div><div class="world" aria-hidden="true"><span class="possible"></span><span class="truth"></span>' + "".join(
    f'<i style="top:{12 + 6.4 * ((5 * k) % 12):.1f}%;' + ";".join(f"--c{code[at]}:{place(drawn[at][k])};--n{code[at]}:{place(drawn[at][k], 500)}" for at in SWITCHES) + '"></i>' for k in range(12))
fog += '</div><div class="scale" aria-hidden="true"><span style="left:25%"><b class="whole">0</b><b class="near">9,750</b></span><span style="left:50%">10,000, the truth</span><span style="left:75%"><b class="whole">20,000</b><b class="near">10,250</b></span></div><div class="told" aria-live="polite">'
fog += "".join(f'<div data-at="{code[at]}">{told(at)}</div>' for at in SWITCHES) + "</div></div>"
style = """
.three-switches { max-width: 46rem; margin: 1rem 0; }
.three-switches .switches { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin-bottom: .6rem; }
.three-switches .switches label { cursor: pointer; padding: .3rem 0; margin: 0; font-weight: 600; }
.three-switches input { accent-color: #0072b2; width: 1.1rem; height: 1.1rem; vertical-align: -.15rem; }
.three-switches .world { position: relative; height: 9.5rem; overflow: hidden; border: 1px solid rgb(128 128 128 / .5); border-radius: 4px; }
.three-switches .possible { position: absolute; left: 25%; right: 25%; top: 0; bottom: 0; background: rgb(128 128 128 / .16); }
.three-switches .truth { position: absolute; left: calc(50% - 1px); width: 2px; top: 0; bottom: 0; background: var(--pst-color-text-base, currentColor); }
.three-switches i { position: absolute; width: 12px; height: 12px; margin-left: -6px; border-radius: 50%; background: #d55e00; transition: left .7s ease-in-out; }
.three-switches .scale { position: relative; height: 1.8em; font-size: .85em; }
.three-switches .scale span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.three-switches .scale b { font: inherit; }
.three-switches i { left: var(--far); }
.three-switches:has([value=near]:checked) i { left: var(--near); }
.three-switches:has([value=near]:checked) .possible { left: 0; right: 0; }
.three-switches:has([value=near]:checked) .whole, .three-switches:not(:has([value=near]:checked)) .near { display: none; }
.three-switches .told { min-height: 7.5em; }
.three-switches .told p { margin: .3rem 0; }
.three-switches .promise { padding: .5rem .9rem; border-left: 3px solid #0072b2; font-size: .9em; }
.three-switches [data-at] { display: none; }
@media (prefers-reduced-motion: reduce) { .three-switches i { transition: none; } }
"""
for at in SWITCHES:
    state = ".three-switches" + "".join(f":has([value={name}]:checked)" if on else f":not(:has([value={name}]:checked))" for name, on in zip(names, at))
    style += f'{state} i {{ --far: var(--c{code[at]}); --near: var(--n{code[at]}); }} {state} [data-at="{code[at]}"] {{ display: block; }}\n'

# %% tags=["remove-input"]
HTML(f"<style>{style}</style>{fog}")

# %% [markdown]
# *Grey: possible counts. The number is the standard deviation after the worst count.*

# %% tags=["remove-input"]
md(f"**What you should see.** The δ: it divides the noise by {by_delta:.0f}. The batches divide it by {first / noise_of[0, 0, 1]:.1f}. And the square root alone makes it {noise_of[0, 1, 0] / first:.1f} times *larger*. A patient moves all later noisy numbers a little. Laplace noise has to cover the sum of these moves, Gaussian noise only the length.\n\n"
   f"With all three on, the noise is **{last:.0f} patients, {first / last:.0f} times less than at the start**. Magnify, to see the dots again. What a switch is worth depends on the others:\n\n"
   "| noise, in patients | δ = 0 | δ = 10⁻⁵ |\n|---|---:|---:|\n" + "".join(f"| {words} | {written(noise_of[0, *rest])} | {written(noise_of[1, *rest])} |\n" for words, rest in (
       ("tree, after every patient", (0, 0)), ("square root, after every patient", (1, 0)), ("tree, after 16 batches", (0, 1)), ("square root, after 16 batches", (1, 1))))
   + f"\nThe δ alone makes a factor of {by_delta:.0f}, and it is only one in 100,000. How can so little buy so much?")

# %% [markdown]
# ## The walk that nobody sees
#
# Why is there so much noise at the start? The count is one cell of a large table, and each cell has a tree. In each of twenty steps, a stay adds 1 to the cell of what was done, and 1 to the cell of what came next. So Anna's stay is in forty cells, and with another stay in its place {ref}`80 change <online-sensitivities>`. In each of these a block of every size changes:

# %% tags=["remove-input"] mystnb={"image": {"alt": "A grid of 80 columns and 15 rows, 1,200 squares. The columns are 40 cells of Anna's stay and 40 cells of the stay in her place, the rows are the 15 sizes of blocks."}}
fig, ax = plt.subplots(figsize=(7.4, 1.75))
for start, words, colour in ((0, "40 cells of Anna's stay", PALETTE[0]), (41, "40 cells of the stay in her place", PALETTE[1])):
    ax.scatter(*np.meshgrid(start + np.arange(40), np.arange(15)), marker="s", s=15, color=colour, lw=0)
    ax.text(start + 19.5, 15.3, words, ha="center", color=colour, weight="bold")
ax.text(-1.5, 7, "15 sizes\nof blocks", ha="right", va="center", color="#4a5058")
ax.set(xlim=(-10, 82), ylim=(-1, 18))
ax.axis("off");

# %% [markdown]
# Each square is a block. The Laplace noise of each has to cover all $80 \times 15 = 1{,}200$ together, and a count adds up as many as 14 such noises.
#
# Is Anna's stay in the table, or another one in its place? An attacker looks at all 1,200 squares. Each is a witness: its noisy number is a little likelier with Anna or a little likelier without her. The logarithm of how many times likelier is the *privacy loss* of the block. In the blocks of her own forty cells the curve of the Laplace noise stands 1 further to the right with Anna, and in those of the other forty 1 further to the left. Here is a block of hers:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two Laplace curves, without Anna and with her, the second a little further to the right. Left of both peaks the curve without her is e to the 1/b times as high everywhere, right of both peaks the curve with her."}}
fig, ax = plt.subplots(figsize=(7.2, 2.1))
at = np.linspace(-4, 5, 800)
for centre, colour, words in ((0, PALETTE[1], "without Anna"), (1, PALETTE[0], "with Anna")):
    ax.plot(at, np.exp(-abs(at - centre) / 1.6), color=colour)
    ax.text(centre + (0.35 if centre else -0.35), 0.97, words, color=colour, weight="bold", ha="left" if centre else "right")
for ends, words in (((-4, 0), "loss −1/b"), ((1, 5), "loss +1/b")):
    ax.annotate("", (ends[0], -0.14), (ends[1], -0.14), arrowprops={"arrowstyle": "<->", "color": "#4a5058", "shrinkA": 0, "shrinkB": 0}, annotation_clip=False)
    ax.text(np.mean(ends), -0.2, words, ha="center", va="top", color="#4a5058")
ax.set(xlim=(-4, 5), ylim=(0, 1.12), xticks=[], yticks=[])
ax.spines["left"].set_visible(False);

# %% [markdown]
# Left of both peaks the curve without her is everywhere $e^{1/b}$ times as high as the other, and right of both peaks the curve with her. Between the peaks lies hardly anything if $b$ is large. So the loss is nearly always $+1/b$ or $-1/b$, by the toss of a nearly fair coin. The losses add up, and the attacker's evidence is a random walk.
#
# Take four fair coins, and steps of $\tfrac14$. There are sixteen walks. One of them goes up four times and ends at 1. Four end at $\tfrac12$, six at 0, and the other five below. A promise of ε = 1 for *all sixteen* walks needs steps of $\tfrac14$. If one walk in sixteen may be left out, the steps may be $\tfrac12$, twice as long, and the noise half as large.
#
# Now take a coin for each of the 1,200 squares. Here are twelve walks of fair coins, and the worst one. The true coins lean a little towards up.
#
# ```{admonition} Guess first
# :class: hint guess right-4
# At a noise of scale 1,200, just the worst walk ends at 1. Turn the noise down, and all steps become longer. **When does the first of the twelve walks end above 1?** Choose, then turn it down.
#
# * at once, at 600
# * at 300
# * at 129
# * later than that
# ```

# %% tags=["remove-cell"]
BLOCKS, NOISES = 1200, (1200, 600, 300, 129, 60)
walks = np.cumsum(np.random.default_rng(seed).choice([-1, 1], (12, BLOCKS)), axis=1)
above = {b: int((walks[:, -1] > b).sum()) for b in NOISES}
assert list(above.values()) == [0, 0, 0, 0, 1] and abs(walks).max() < 129 and round(walks[:, -1].max() / 129, 1) == 0.5 and (walks[:, -1] < -60).sum() == 1
assert abs(walks).max() / 60 < 2 and 150 + 100 * abs(walks).max() / 60 < 352 and round(BLOCKS * np.tanh(1 / 120)) == 10

def delta_of(b):
    """At ε = 1, of 1,200 Laplace noises of scale b, composed exactly."""
    return pld.privacy_loss_distribution.from_laplace_mechanism(b, sensitivity=1, value_discretization_interval=1e-4).self_compose(BLOCKS).get_delta_for_epsilon(1)

deltas = {b: delta_of(b) for b in NOISES}
assert 0.97e-5 < deltas[129] <= 1e-5 and deltas[300] < 1e-12 and round(BLOCKS / 129, 1) == 9.3 and round(BLOCKS**0.5) == 35
with_laplace = np.sqrt(2) * np.sqrt(14) * 129       # 684 in the evidence, where the scale has more digits
assert abs(with_laplace / 684 - 1) < 0.01 and round(684 / noise_of[1, 0, 0], 1) == 1.4 and round(first / 684, 1) == 9.3 and round(684) == 684
assert round(9.3 * 1.4) == 13 and round((first / last) / by_delta, 1) == 7.5 and round(1200**0.5 / mu) == 129
heads = binom(BLOCKS, 1 / (1 + np.exp(-1 / 129)))
assert 5_000 < 1 / heads.sf(np.floor((BLOCKS + 129) / 2)) < 7_000
four = np.array(list(product((-1, 1), repeat=4))).sum(axis=1) / 4
assert [int((four == end).sum()) for end in (1, 0.5, 0)] == [1, 4, 6] and (four < 0).sum() == 5

many, out, bars = {}, {}, ""
toss, more = np.random.default_rng(seed), 10**6
for b in NOISES:                                   # a million more walks, of coins that lean as those of the blocks
    ends = 2 * toss.binomial(BLOCKS, 1 / (1 + np.exp(-1 / b)), more) - BLOCKS
    many[b], out[b] = int((ends > b).sum()), float(np.maximum(0, 1 - np.exp(1 - ends / b)).sum())
    found, edges = np.histogram(ends, b + 0.5 + 10 * np.arange(-260, 40))
    bars += f'<g class="ends" data-at="{b}">' + "".join(
        f'<rect{" class=above" if low > b else ""} x="0" y="{-low - 10:.1f}" width="{36 * np.log10(1 + n):.0f}" height="10"/>' for n, low in zip(found, edges) if n) + "</g>"
assert [many[b] for b in NOISES] == [0, 0, 0, 161, 70_353] and round(out[129]) == 10 and abs(out[60] / more / deltas[60] - 1) < 0.05

def said(b):
    ends = f"Steps of 1/{b:,}. The worst walk ends at {BLOCKS / b:.{0 if b in (1200, 600, 300, 60) else 1}f}. " + (
        "None of the twelve ends above 1." if above[b] == 0 else "<b>One of the twelve ends above 1.</b>")
    ends += '<span class="million"> Of a million more walks, ' + ("none ends above 1." if many[b] == 0 else f"<b>{many[b]:,} end above 1</b>. Counted by how far they stick out, they make {round(out[b], -3 if out[b] > 100 else 0):,.0f} of a million.") + "</span>"
    d = "0" if b == 1200 else "less than 10⁻¹²" if deltas[b] < 1e-12 else "10⁻⁵" if b == 129 else f"{round(deltas[b] + 5e-4, 3):g}"
    return f'<p>{ends}</p><p class="promise">(ε = 1, δ = {d})-differential privacy for one patient\'s whole stay, in all cells and all releases together (replace one), proved.</p>'.replace("δ = less", "δ less")

paths = "".join('<path d="M0,0 ' + "L" + " ".join(f"{t + 1},{-walk[t]}" for t in range(7, BLOCKS, 8)) + '"/>' for walk in walks)
picture = ('<div class="twelve-walks"><svg viewBox="0 0 720 384" role="img" aria-label="Twelve random walks of 1,200 steps around 0, and a straight line, the worst walk. A dotted line marks a privacy loss of 1. The smaller the noise, the more the walks spread; at 129 none of them ends above 1, at 60 one does.">'
           '<line class="axis" x1="0" x2="720" y1="150" y2="150"/><line class="limit" x1="0" x2="720" y1="50" y2="50"/>'
           f'{bars}<g class="walks">{paths}</g><g class="worst"><path d="M0,0 L{BLOCKS},{-BLOCKS}"/></g>'
           '<text x="110" y="40">privacy loss 1</text><text x="6" y="143">0</text><text x="504" y="376" text-anchor="end">1,200 blocks</text><text class="million" x="714" y="376" text-anchor="end">a million ends</text><text class="name" x="12" y="114">the worst walk</text></svg>'
           '<div class="noises" role="radiogroup" aria-labelledby="walks-label"><span id="walks-label">scale of the noise</span>' + "".join(
               f'<label><input type="radio" name="twelve-walks" value="{b}"{" checked" if b == 1200 else ""}> {b:,}</label>' for b in NOISES)
           + '</div><label class="more"><input type="checkbox" value="million"> a million more walks</label><div class="told" aria-live="polite">' + "".join(f'<div data-at="{b}">{said(b)}</div>' for b in NOISES) + "</div></div>")
walk_style = """
.twelve-walks { max-width: 46rem; margin: 1rem 0; }
.twelve-walks svg { width: 100%; height: auto; display: block; border: 1px solid rgb(128 128 128 / .5); border-radius: 4px; overflow: hidden; }
.twelve-walks :is(.walks, .worst) { transform: translateY(150px) scale(.42, var(--s)); transition: transform .9s ease-in-out; }
.twelve-walks .ends { transform: translate(520px, 150px) scale(1, var(--s)); }
.twelve-walks rect { fill: #0072b2; }
.twelve-walks rect.above { fill: #d55e00; }
.twelve-walks:not(:has([value=million]:checked)) :is(.ends, .million) { visibility: hidden; }
.twelve-walks path { fill: none; vector-effect: non-scaling-stroke; stroke: #0072b2; stroke-width: 1.3px; opacity: .8; }
.twelve-walks .worst path { stroke: #d55e00; stroke-width: 2.5px; opacity: 1; }
.twelve-walks line { stroke: var(--pst-color-text-base, currentColor); }
.twelve-walks .axis { stroke-width: .7; opacity: .5; }
.twelve-walks .limit { stroke-dasharray: 3 5; stroke-width: 2; }
.twelve-walks text { fill: var(--pst-color-text-base, currentColor); font-size: 17px; paint-order: stroke; stroke: var(--pst-color-background, white); stroke-width: 5px; stroke-linejoin: round; }
.twelve-walks .name { fill: #a63d00; font-weight: 700; transform: translateX(calc(23px / var(--s))); transition: transform .9s ease-in-out; }
html[data-theme="dark"] .twelve-walks .name { fill: #ff9248; }
html[data-theme="dark"] .twelve-walks .walks path { stroke: #56b4e9; }
.twelve-walks .noises { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .6rem 0 .2rem; }
.twelve-walks .noises label, .twelve-walks .more { margin: 0; cursor: pointer; font-weight: 600; padding: .2rem 0; }
.twelve-walks input { accent-color: #0072b2; }
.twelve-walks .told { min-height: 7em; }
.twelve-walks .told p { margin: .3rem 0; }
.twelve-walks .promise { padding: .5rem .9rem; border-left: 3px solid #0072b2; font-size: .9em; }
.twelve-walks [data-at] { display: none; }
@media (max-width: 600px) { .twelve-walks text { font-size: 26px; } }
@media (prefers-reduced-motion: reduce) { .twelve-walks :is(g, .name) { transition: none; } }
""" + "".join(f'.twelve-walks:has([value="{b}"]:checked) {{ --s: {100 / b:.5f}; }} .twelve-walks:has([value="{b}"]:checked) [data-at="{b}"] {{ display: block; }}\n' for b in NOISES)

# %% tags=["remove-input"]
HTML(f"<style>{walk_style}</style>{picture}")

# %% [markdown]
# *The bars at the right count where the million walks end, on a logarithmic scale, with the coins leaning as they do. Orange: above 1.*

# %% tags=["remove-input"]
md(f"**What you should see.** Later: at 60, where one of the twelve ends above 1. At 129 the steps are {BLOCKS / 129:.1f} times as long, and the highest of the twelve still ends at about a half. The lean of the true coins changes little: at 60, ten more of the 1,200 steps go up than down, and fewer at a larger noise. The worst walk needs 1,200 coins that all fall on the same side. You would not see it in the lifetime of the universe, but δ = 0 makes the hospital pay for it. A typical walk of $n$ steps ends only about $\\sqrt n$ steps away from 0, here 35.\n\n"
   f"Now stay at 129, and add *a million more walks*. {many[129]} of them end above 1, and only just. A walk that ends at 1.07 counts as $1 - e^{{-0.07}} = 0.07$ of a walk, {{doc}}`as the heaps did </chapters/01_foundations/02_a_promise>`, and together they count as {out[129]:.0f}. **That is δ: {out[129]:.0f} in a million.** The four coins were cruder, as a walk that was left out counted in full. Walks that end below −1 do not count. Anna's stay is in the table, so they mislead the attacker.\n\n"
   f"So a small δ lets the hospital pay for the walks that happen. This divides the noise by {first / 684:.1f}, still with Laplace noise. The losses of many small steps add up to a bell curve, as those of Gaussian noise do. So Gaussian noise with a standard deviation of 129 protects as well as Laplace noise of scale 129, whose standard deviation is $\\sqrt2 \\times 129$. That is another factor of {684 / noise_of[1, 0, 0]:.1f}, and ${first / 684:.1f} \\times {684 / noise_of[1, 0, 0]:.1f} = {by_delta:.0f}$. The other two switches make {first / last / by_delta:.1f} together.")

# %% [markdown]
# {ref}`The evidence <online-98>` takes the way in smaller steps. {ref}`It also finds how often to publish <online-renewals>`. {doc}`The next page <05_private_arms>` begins to treat with noisy sums.

# %% tags=["remove-cell"]
longer = table_sensitivity(80, 2)
assert longer.l1 == 4 * table.l1 and np.isclose(longer.l2, 2 * table.l2)

# %% [markdown]
# ## Check yourself
#
# **A stay has 80 steps in place of 20, so that a patient changes four times as many cells. How much more noise does each cell need for the same ε, with δ = 0 and Laplace noise, and with δ = 10⁻⁵ and Gaussian noise?**
#
# ```{dropdown} Four times as much in both cases, since four times as many blocks tell of her.
# With δ = 0 this is right. With Gaussian noise the evidence is a typical walk, and four times as many steps take it only twice as far.
# ```
# ```{dropdown} Twice in both cases, since a walk goes as far as the root of its steps.
# With Gaussian noise this is right. With δ = 0 the noise has to cover the worst walk, and that one becomes four times as long.
# ```
# ```{dropdown} Four times with δ = 0, and twice with δ = 10⁻⁵.
# ✓ Right. The worst walk becomes four times as long. The typical one goes as far as the root of its steps, which is twice as far.
# ```
#
# ## To take away
#
# * With three switches, a hospital needs 98 times less noise than with the tree, for the same ε. The δ makes a factor of 13, and the square root and publishing less often make 7.5 together.
# * With δ = 0 the noise has to cover the worst walk, in which everything speaks against a patient. With a tiny δ it covers the walks that happen, and these go only as far as the root of their steps.
