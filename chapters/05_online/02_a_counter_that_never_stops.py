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
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq

from privrl_core.online import BinaryTree, counter, counter_standard_deviations
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore
from privrl_core.privacy import gaussian_mu

rng = np.random.default_rng(seed)

# %% [markdown]
# ## Two ways that come to mind
#
# On {doc}`the page before <01_one_after_another>`, the hospital put a noisy sum on a board every evening. Now it wants to do so after *every patient*: the number of those who recovered so far,
# again and again, for as long as patients come. All of these counts together shall keep the promise with $\varepsilon = 1$. One patient who recovers adds 1 to the next count and to every later one.
#
# Take fifteen patients, and let us share out the noise by hand.
#
# 1. **Noise on every patient.** Add Laplace noise of scale 1 to each patient's outcome, once, and publish sums of these noisy outcomes. Each patient is in one noisy number only. But the count after
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
# Move the slider to add patients one by one. A low box is a block that is full. A high box is one that is used for the present count.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **Which of these counts contains the most noise?** Choose, then move the patients.
#
# * the count after 8 patients
# * the count after 12 patients
# * the count after 15 patients
# ```

# %% tags=["remove-input"]
n, LEVELS = 15, 4
patients = Slider("patients", "patients so far", 1, n, 5, points=n, steps=n - 1, scale="linear", low_end="one", high_end="fifteen")
place = Axis("place", "patient", 0.5, n + 0.5, points=10 * n + 1, scale="linear")

def boxes(h):
    """How high each place is drawn at level h, for every number of patients: 0.75 in use, 0.3 full, 0 not yet."""
    height = np.zeros((n, place.points))
    for t in range(1, n + 1):
        for i in range(t >> h):
            used = t >> h & 1 and i == (t >> h) - 1
            inside = (place.grid > (i << h) + 0.55) & (place.grid < (i + 1 << h) + 0.45)
            height[t - 1, inside] = 0.75 if used else 0.3
    return height

ground = [Table((), np.asarray(float(h)), scale="linear") for h in range(LEVELS)]
blocks = [Table((patients, place), h + boxes(h), scale="linear") for h in range(LEVELS)]
ones = np.round(BinaryTree(n).errors() ** 2)
parts = Table((patients,), ones, scale="linear")
explore(
    name="grow_the_tree", sliders=[patients], x=place, y=Axis("level", "level: blocks of 1, 2, 4 and 8 patients", 0, 4, scale="linear"),
    curves=[Curve(label, blocks[h], low=ground[h], high=blocks[h])
            for h, label in ((3, "blocks of 8"), (2, "blocks of 4"), (1, "blocks of 2"), (0, "single patients"))],
    readouts=[Readout("parts", "noises in this count", parts),
              Readout("by_patients", "with noise on every patient", Table((patients,), patients.grid, scale="linear"))],
    guarantee="After {patients} patients the count contains {parts} noises. All counts together are ε-differentially private for one patient (replace one), proved, "
              "if each block has Laplace noise of scale 4/ε, since a patient is in at most 4 blocks.",
    alt="A tree of blocks over fifteen patients, of which {patients} have come. Full blocks are low boxes; {parts} high boxes, side by side without a gap, cover all patients so far.",
    caption="From below: single patients, blocks of 2, of 4 and of 8. Low boxes are full blocks, high boxes make up the present count.")

# %% [markdown]
# **What you should see.** The count after 15 patients contains the most noise: its blocks have 8, 4, 2 and 1 patients, and each of them brings a noise of its own. The count after 12 contains two noises, that after 8 only one. A longer
# count is not always a noisier one: when a block of 8 is full, it replaces all the smaller ones.
#
# The blocks can be read off from the binary digits of $t$. Thirteen is $1101$ in binary, which is $8 + 4 + 1$, and each digit 1 is a block. So a count contains at most as many noises as $t$ has binary digits.
# Look at a patient next, patient 1 for example. She is in the single block, in one block of 2, one of 4 and one of 8. So she is in four noisy numbers only, although she is in all fifteen counts. After a thousand counts it is ten. For $K$ patients this number is
#
# $$L = \lfloor \log_2 K \rfloor + 1 .$$
#
# A million patients need only 20 levels, and a billion 30. So each block gets noise of scale $L/\varepsilon$, and all counts together are ε-differentially private. This is the *binary tree* of
# {cite:t}`dwork2010continual` and {cite:t}`chan2011`. We could not read the papers beyond the abstract of the second; what we say about the tree is proved, and {ref}`checked in the evidence <online-errors>`.

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
# Does it matter that the patients of page 1 could choose what they report after they have seen earlier counts? It does not. The noise of a block does not depend on anything that
# comes later. So the promise also holds against patients who react to the counts.
#
# ## How large is the error?
#
# For fifteen patients the tree is no gain. Four noises of scale 4 add up to $\sqrt4 \times 4 = 8$ times one noise of scale 1, and fifteen noises of scale 1 only to $\sqrt{15} = 3.9$ times. The advantage of the tree comes with time.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# A million patients will come, and the tree is made for them: it has 20 levels. **After how many patients does a count from the tree become better than one with noise on every patient?** Choose, then move the patients.
#
# * after about 20, as there are 20 levels
# * after about 100
# * after about 3,000
# ```

# %% tags=["remove-input"]
N = 10**6
L = BinaryTree(N).levels
time = Slider("time", "patients so far", 1, 1e6, 100, points=61, low_end="one", high_end="a million")
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=41, low_end="more noise", high_end="less noise")
delta_choice = Choice("delta", "failure probability δ (0: Laplace noise)", ("0", "10⁻⁹", "10⁻⁵", "10⁻³"), "0", low_end="none", high_end="one in a thousand")
deltas = (None, 1e-9, 1e-5, 1e-3)

def unit(delta, epsilon):
    """The standard deviation of one noise, per unit of sensitivity."""
    return np.sqrt(2) / epsilon if delta is None else 1 / gaussian_mu(epsilon, delta)

def typical(t):
    """Half of the lower binary digits are one: the mean number of blocks among counts of about this size."""
    return np.sqrt(1 + np.log2(t) / 2)

one = Table((delta_choice, epsilon_slider), [[float(unit(d, e)) for e in epsilon_slider.grid] for d in deltas])
spread = [Table((delta_choice,), [in_l1, *3 * [in_l2]]) for in_l1, in_l2 in ((N, np.sqrt(N)), (L, np.sqrt(L)))]
on_patients = one * Table.of(lambda time: np.sqrt(time), time)
on_counts = one * spread[0]
on_blocks = one * spread[1] * Table.of(lambda time: typical(time), time)
explore(
    name="three_counters", sliders=[time, epsilon_slider, delta_choice], x=time, y=Axis("error", "standard deviation of a count, in patients", 0.1, 1e8),
    curves=[Curve("noise on every patient", on_patients), Curve("noise on every count", on_counts), Curve("noise on blocks: the tree", on_blocks)],
    readouts=[Readout("ratio", "noise on every patient, divided by that of the tree", on_patients / on_blocks)],
    guarantee="Each curve: ({epsilon}, {delta})-differential privacy for one patient, in all of a million counts together (replace one), proved.",
    alt="Standard deviation of a count against the number of patients so far, both axes logarithmic. Noise on every patient rises with the square root; noise on every count is flat and far above; "
        "the tree rises very slowly. After {time} patients the error with noise on every patient is {ratio} times that of the tree.",
    caption="Made for a million patients. For the tree a typical count is drawn, with half of the binary digits equal to one after the first.")

# %% tags=["remove-cell"]
def crossing(cost):
    return brentq(lambda log_t: np.exp(log_t / 2) - cost * typical(np.exp(log_t)), 0, np.log(N))

laplace, gauss = np.exp(crossing(L)), np.exp(crossing(np.sqrt(L)))
at_end = [np.sqrt(2 * N), np.sqrt(2) * N, np.sqrt(2) * L * typical(N)]
gauss_end = [np.sqrt(N) / gaussian_mu(1, 1e-5), np.sqrt(L) * typical(N) / gaussian_mu(1, 1e-5)]
long = counter_standard_deviations("tree-laplace", N, epsilon=1)
assert np.isclose(np.sqrt(np.mean(long[2**18 - 1:2**19 - 1] ** 2)), np.sqrt(2) * L * typical(2**18), rtol=1e-9)
assert 2_500 < laplace < 3_500 and 60 < gauss < 120

# %% tags=["remove-input"]
md(f"**What you should see.** After about {round(laplace, -2):,.0f} patients. A patient is in 20 blocks, so each block has noise of scale 20, and a typical count there contains between six and seven of them. Noise on every patient has to add up $20^2 \\times 6.7$ noises of "
   f"scale 1 before it is as large. From there on the tree wins by more and more: after a million patients its error is {at_end[2]:.0f}, and {round(at_end[0], -1):,.0f} with noise on every patient. Noise on every count has an error of {round(at_end[1], -4):,.0f}, more than "
   "there are patients.")

# %% [markdown]
# Now move δ away from 0, which changes the noise from Laplace to Gaussian noise. For Laplace noise, changes in several numbers count by their sum, the $L_1$ norm. For Gaussian noise they count by the square root of the
# sum of their squares, the $L_2$ norm. A patient who moves $L$ blocks by 1 each has an $L_1$ norm of $L$, but an $L_2$ norm of only $\sqrt L$. This makes the tree better, and noise on every count much better.

# %% tags=["remove-input"]
md(f"With δ = 10⁻⁵ and ε = 1 the tree wins from about {gauss:.0f} patients on. After a million its error is {gauss_end[1]:.0f}, beside {round(gauss_end[0], -1):,.0f} for noise on every patient, and now the same {round(gauss_end[0], -1):,.0f} for noise on every count. These two are mirror images. In the one, a count "
   "contains $K$ small noises. In the other, a patient is in $K$ counts, so that each noise has to be $\\sqrt K$ times as large. The tree lies in between: a count contains few noises, and a patient is in few blocks. "
   "The {doc}`next page <03_from_tree_to_batches>` looks for the best place in between.")

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
# * Noise on every patient adds up like $\sqrt t$. Noise on every count has to be shared among all counts.
# * A tree puts noise on blocks of 1, 2, 4, 8, … patients. A patient is in $L = \lfloor\log_2 K\rfloor + 1$ blocks, where $K$ is the number of all patients, and a count uses at most as many.
# * So the error grows like a power of $\log K$, and the counter can go on nearly for ever.

# %% tags=["remove-cell"]
thousand = counter("tree-laplace", 1000, epsilon=1)
assert thousand.charge([0, 999]) == 1.4 and thousand.charge([0, 1]) == 2 and BinaryTree(1000).moved([0])[0] == 10 and BinaryTree(n).moved([0])[0] == LEVELS
