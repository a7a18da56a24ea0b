# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Federated learning of many hospitals: secure sums, a share of the noise from each, and what is left of it when some
#         drop out or collude.'
# ---

# %% [markdown]
# # Many hospitals
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Twenty hospitals want to learn together, and none may show its records to another, nor to a server. What changes?
# * **The answer.** A secure sum takes the place of a trusted server, and each hospital adds a share of the noise. The result is as accurate as with a trusted server. But hospitals that drop out or collude take their shares of the noise away.
# * **What is protected.** One patient of one hospital, against the server, the other hospitals and all readers. Neighbours replace one patient.
# * **What you need.** The noisy counts of {doc}`/chapters/04_offline_rl/01_counts`, and {doc}`/chapters/05_online/08_nobody_may_see`.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2017         # all randomness comes from here
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
from collections import Counter
from itertools import combinations, product

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.online import binomial_delta
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, round_up, show
from privrl_core.privacy import gaussian_epsilon, gaussian_mu

use_theme()
rng = np.random.default_rng(seed)
sigma = 1 / gaussian_mu(epsilon, delta)

# %% [markdown]
# ## One table, twenty owners
#
# The learner of {doc}`chapter 4 </chapters/04_offline_rl/01_counts>` needs counts: in how many stays was a patient in condition $s$, got treatment $a$, and went on to $s'$? Now these stays are in twenty hospitals. The counts of all hospitals are the sums of those of each, so nobody has to see a record of another hospital. To learn from such sums is called *federated learning* {cite:p}`mcmahan2017`.
#
# That alone is not private. A hospital's count may be 1, and then it is about one patient. Even the sum is not private: if it is published again after each patient, the difference of two sums is what that patient adds. So noise is needed, and two questions come before it.
#
# * **Whose secret?** A *patient*, whose stay moves a count by 1. Or a *hospital*, which does not want its own death rate known, and moves a count by as many patients as it has. To hide a hospital with up to 500 patients takes 500 times the noise.
# * **Who sees what?** A server that adds things up sees what it gets. The other hospitals see the result, and each knows what it put in itself. Readers see the result only.
#
# Take one count, with a patient as the unit. The noise that hides a patient at ε = 1 and δ = 10⁻⁵ has the standard deviation σ = 3.7. Where is it added?
#
# | | who adds noise | the server sees | noise in the sum of $n$ hospitals |
# |---|---|---|---|
# | **central** | the server, once | the count of each hospital | σ |
# | **each for itself** | each hospital all of σ | noisy counts | σ√n |
# | **distributed** | each hospital a share, of variance σ²/n | only the sum | σ |
# | **local** | each patient | noisy reports | about √(patients), so 100 with 10,000 of them |
#
# The third row would be the best of both: as little noise as in the first, and no server to trust. But a share of σ²/n is far too little to hide a patient in a hospital's own count. It needs a server that sees the sum and nothing else.
#
# ## A sum that nobody sees the parts of
#
# Before they send, any two hospitals agree on a secret random number. One of them adds it to its count and the other subtracts it. All numbers are reckoned like hours on a clock, here modulo 1,000, so that a number with such a *mask* can be anything, with equal chances. In the sum all masks cancel [{ref}`over all masks <shares-secure-sum>`]. This is *secure aggregation* {cite:p}`bonawitz2017`; the protocol of that paper also lets the others reveal the masks of a hospital that goes silent.

# %%
def sent(numbers, modulus, rng):
    """What each hospital sends: its number, and a mask with each other one."""
    n = len(numbers)
    masks = np.triu(rng.integers(modulus, size=(n, n)), k=1)
    return (numbers + masks.sum(axis=1) - masks.sum(axis=0)) % modulus

# %% tags=["remove-cell"]
counts, shares = np.array([212, 305, 187]), np.array([-2, 3, 1])
seen = sent(counts + shares, 1000, np.random.default_rng(5))
masks = np.triu(np.random.default_rng(5).integers(1000, size=(3, 3)), k=1)      # those that `sent` draws
assert (seen == (counts + shares + masks.sum(axis=1) - masks.sum(axis=0)) % 1000).all() and masks[np.triu_indices(3, 1)].tolist() == [805, 22, 515]
total, noisy = counts.sum(), int(seen.sum() % 1000)
assert noisy == total + shares.sum() == 706

def law(numbers, modulus=3):
    """The exact distribution of what three hospitals send, over all masks."""
    return Counter(((numbers[0] + a + b) % modulus, (numbers[1] - a + c) % modulus, (numbers[2] - b - c) % modulus) for a, b, c in product(range(modulus), repeat=3))

for first, second in combinations(product(range(3), repeat=3), 2):     # any two inputs with the same sum look the same, others never do
    assert (law(first) == law(second)) == ((sum(first) - sum(second)) % 3 == 0)
assert set(law((0, 1, 2)).values()) == {3} and len(law((0, 1, 2))) == 9       # uniform on all messages with this sum

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three hospitals in three rows. Each has a count, 212, 305 and 187, and a small share of noise, minus 2, plus 3 and plus 1. A and B share the mask 805, A and C 22, B and C 515; the upper one adds it and the lower one subtracts it. So each sends a number that looks random, 37, 18 and 651. The server adds the three modulo 1000 and gets 706, the true total 704 plus the noise 2."}}
fig, ax = plt.subplots(figsize=(8.4, 2.9))
def box(x, y, words, fill="#eef1f4", edge="#4a5058"):
    ax.text(x, y, words, ha="center", va="center", fontsize=10, color="#22272e", bbox={"boxstyle": "round,pad=0.35", "fc": fill, "ec": edge})

for x, words, colour in ((1.5, "count", "#4a5058"), (3.6, "share of the noise", "#a63d00"), (6.6, "sent, with masks", "#4a5058"), (9.9, "the server adds up", "#4a5058")):
    ax.text(x, 3.05, words, ha="center", color=colour, weight="bold", fontsize=9.5)
for y, name, count, share, message in zip((2.3, 1.3, 0.3), ("A", "B", "C"), counts, shares, seen):
    ax.text(0.2, y, f"hospital {name}", ha="right", va="center", color="#22272e", fontsize=9.5)
    box(1.5, y, f"{count}")
    box(3.6, y, f"{share:+d}".replace("-", "−"), "#fdf0e6", PALETTE[1])
    box(6.6, y, f"{message}", "#e3e6ea")
    ax.annotate("", (5.9, y), (4.2, y), arrowprops={"arrowstyle": "->", "color": "#4a5058", "lw": 1.4})
    ax.annotate("", (9.0, 1.3 + 0.2 * (y - 1.3)), (7.25, y), arrowprops={"arrowstyle": "->", "color": "#4a5058", "lw": 1.4})
for low, high in ((2.05, 1.55), (1.05, 0.55)):
    ax.annotate("", (5.0, low), (5.0, high), arrowprops={"arrowstyle": "<->", "color": PALETTE[2], "lw": 1.4})
ax.annotate("", (5.35, 2.05), (5.35, 0.55), arrowprops={"arrowstyle": "<->", "color": PALETTE[2], "lw": 1.4})
for x, y, mask, side in ((4.92, 1.8, masks[0, 1], "right"), (4.92, 0.8, masks[1, 2], "right"), (5.43, 1.62, masks[0, 2], "left")):
    ax.text(x, y, f"{mask}", ha=side, va="center", color=PALETTE[2], fontsize=9, weight="bold")
ax.text(5.18, -0.28, "masks: the upper adds, the lower subtracts", ha="center", color=PALETTE[2], fontsize=9, weight="bold")
box(9.9, 1.3, f"{noisy}", "#fdf0e6", PALETTE[1])
ax.text(9.9, 0.72, f"the true {total}\nand noise of {shares.sum():+d}", ha="center", va="top", color="#4a5058", fontsize=9)
ax.set(xlim=(-1.6, 11.2), ylim=(-0.5, 3.3))
ax.axis("off")
ax.set_title("The server learns the noisy sum and nothing else");

# %% tags=["remove-input"]
unwound = int(counts[0] + shares[0] + masks[0].sum())
md(f"Hospital A adds both its masks: {counts[0]} − {-shares[0]} + {masks[0, 1]} + {masks[0, 2]} = {unwound:,}, which is {seen[0]} on the clock of 1,000. B subtracts the {masks[0, 1]} again, and C the {masks[0, 2]}.")

# %% [markdown]
# For privacy we can now think of the sum as made by a server that is trusted, sees everything and tells only the sum. What this rests on is cryptography: the masks come from keys, and a very fast computer could find them. All else stays proved.
#
# ## Some of them talk
#
# Each of twenty hospitals adds Gaussian noise of variance σ²/20. The variances add up to σ². Against the server alone, ε = 1 holds for each patient of each hospital.
#
# But each hospital knows its own share. Against another hospital 19 shares are left, and ε is 1.03. If ten hospitals tell the server theirs, the server subtracts them from the sum, and their counts with them. What is left is the sum of the other ten, with the noise of the other ten.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Ten of twenty hospitals collude with the server. **What is left of the promise for a patient of the others?** Choose, then move the number that collude to 10.
#
# * ε = 1: the patient's own hospital is honest
# * ε = 1.5
# * ε = 2: half of the noise is gone
# ```

# %% tags=["remove-cell"]
hospitals = Slider("n", "hospitals", 12, 200, 20, points=29, steps=28, low_end="few", high_end="many")
talking = Slider("c", "hospitals that collude, or drop out", 0, 10, 0, points=11, steps=10, scale="linear", low_end="none", high_end="ten")
mu = gaussian_mu(epsilon, delta)

def left(n, c):
    return np.sqrt((n - c) / n)

def true_epsilon(n, c):
    return np.vectorize(lambda share: gaussian_epsilon(delta, mu / share))(left(n, c))

share = Table.of(left, hospitals, talking)
planned = Table.of(lambda n, c: np.sqrt((n - c) / (n / 2)), hospitals, talking)
alone = Table.of(lambda n, c: np.sqrt(n - c), hospitals, talking)
loss = Table.of(true_epsilon, hospitals, talking)

# %% tags=["remove-input"]
explore(
    name="noise_that_is_left", sliders=[hospitals, talking], x=hospitals, y=Axis("left", "noise that still hides a patient, in units of σ", 0.3, 20),
    curves=[Curve("each adds σ²/n", share), Curve("each adds 2σ²/n", planned), Curve("each adds all of σ²", alone), Curve("what ε = 1 needs", constant(1.0), reference=True)],
    readouts=[Readout("share", "left of σ, if each adds σ²/n", share), Readout("loss", "so the true ε is", loss, at_most=True)],
    guarantee="ε = {loss}, δ = 10⁻⁵ for one patient of an honest hospital (replace one), proved, if each of {n} hospitals adds σ²/n and {c} of them collude or drop out; against the server and those that collude, if the secure sum is secure.",
    alt="The standard deviation of the noise that is left, in units of what epsilon 1 needs, against the number of hospitals, both axes logarithmic. With {n} hospitals of which {c} collude, {share} is left if each adds an equal share, so that the true epsilon is {loss}. Twice the share lies above; all of the noise from each hospital rises far above.",
    caption="Exact. Below the level line ε = 1 does not hold. With 2σ²/n that happens only if more than half collude or drop out; the price is a sum that is noisier than it has to be when all are honest.")

# %% tags=["remove-cell"]
half = float(true_epsilon(20, 10))
assert show(round_up(half)) == "1.47"
one_left = float(true_epsilon(20, 19))
assert round(float(true_epsilon(20, 1)), 2) == 1.03 and round(float(left(20, 10)), 2) == 0.71 and round(half, 1) == 1.5 and round(sigma, 1) == 3.7
# the same by conditioning: the variance of the sum of twenty shares, given ten of them
n, c = 20, 10
joint = np.zeros((c + 1, c + 1))
joint[:c, :c], joint[c, :c], joint[:c, c], joint[c, c] = np.eye(c) / n, 1 / n, 1 / n, 1.0
given = joint[c, c] - joint[c, :c] @ np.linalg.solve(joint[:c, :c], joint[:c, c])
assert np.isclose(given, left(n, c) ** 2)
drawn = rng.normal(scale=np.sqrt(1 / n), size=(max(20_000, round(100_000 * effort)), n))
assert abs((drawn.sum(axis=1) - drawn[:, :c].sum(axis=1)).std() / left(n, c) - 1) < 0.03
enough = float(np.sqrt(20 / 10))
# coins: each of twenty hospitals tosses its share, and binomial counts add up to a binomial count
tossed = -(-62 // 20)
lost = binomial_delta(epsilon, 20 * tossed - 10 * tossed, 1)
assert binomial_delta(epsilon, 62, 1) <= delta < lost and 20 * tossed == 80

# %% tags=["remove-input"]
md(f"**What you should see.** ε = 1.5, or {show(round_up(half))} with three digits. Half of the *variance* is gone, and the standard deviation is that of ten shares: $\\sqrt{{10/20}} = {float(left(20, 10)):.2f}$ of σ. The patient's own hospital is honest, but it keeps only its own share secret. If all but one collude, the last hospital has a twentieth of the variance, and ε = {one_left:.1f} for its patients.")

# %% [markdown]
# **A hospital that drops out** does harm in two ways. If its message never comes, the masks that it shared with the others do not cancel. In our simple protocol the sum is then useless, a random number. The real protocol lets the others reveal these masks, so that the server can take them out. After that the sum is right, but the hospital's share of the noise is missing, as if it had colluded. So with $n$ hospitals, of which $c$ collude and $d$ drop out, the standard deviation that is left [{ref}`by conditioning <shares-left>`] is
#
# $$\sigma \sqrt{\frac{n - c - d}{n}} .$$
#
# The remedy is to plan for it. If at least $h$ hospitals are sure to stay and to be silent, each adds a variance of $\sigma^2/h$. The promise then holds with ε = 1, and the price is a sum whose noise is larger than it has to be when all are honest.

# %% tags=["remove-input"]
md(f"With $h = 10$ of 20 it is $\\sqrt{{20/10}} = {enough:.2f}$ times σ. If a hospital trusts nobody else, $h = 1$, and the noise is σ√20, as if each protected itself: {np.sqrt(20):.1f} times σ. How much noise it takes is a question of how many others you trust. {{cite:t}}`dwork2006ourselves` had the idea of noise in shares.")

# %% tags=["remove-input"]
md(f"**Whole numbers.** Masks need whole numbers on a clock, and Gaussian noise is not whole. {{doc}}`The coins of chapter 5 </chapters/05_online/08_nobody_may_see>` are. There 62 coins hid a patient at ε = 1. Shared among twenty hospitals that is 3.1 each. Rounded up, each tosses four, {20 * tossed} in all, and the sum of their heads has exactly the distribution of {20 * tossed} coins tossed in one place. If ten hospitals tell, {10 * tossed} coins are left, and at ε = 1 the δ is {1e4 * lost:.1f} · 10⁻⁴ in place of 10⁻⁵. "
   "Rounded Gaussian noise can be used too, but the sum of discrete Gaussians is not quite a discrete Gaussian. {cite:t}`kairouz2021` bound the difference, as we remember it; the text was not at hand.")

# %% [markdown]
# ## Round after round
#
# A learner needs more than one sum. Federated training asks for one in each round, and each round is a release about the same patients. After 100 rounds the noise of each has to be √100 = 10 times as large for the same promise, {doc}`as with any release that is repeated </chapters/07_side_by_side/01_equal_guarantee>`. If each patient's data come in one round only, as with patients who arrive one after another, {doc}`the counters of chapter 5 </chapters/05_online/02_a_counter_that_never_stops>` do with much less. Their noise is made of Gaussian numbers too, so hospitals can add it in shares, and the same $\sqrt{(n-c-d)/n}$ says what is left.

# %% tags=["remove-cell"]
rounds = 100
assert np.isclose(gaussian_epsilon(delta, mu / 10 * np.sqrt(rounds)), epsilon)          # a hundred rounds, each with ten times the noise

# %% [markdown]
# ## Agents that meet
#
# Hospitals in the federation above only share what they know. *Agents* of a multi-agent system act in the same world: two surgeries that book the same operating theatre, cars on one road, players of one game. Then data leave an agent by a second door. What one of them does changes what the others see, and no noise on messages hides it.
#
# * **What is released** is now all that the others see: messages, results, and the world itself.
# * **The right promise** is that of {doc}`joint privacy </chapters/05_online/01_one_after_another>`. What all others see and do must hardly depend on one agent's data. Her own action may depend on them, and where it is seen by others, it has to be part of what is protected.
# * **A mediator** that recommends an action to each player, under joint privacy, is the setting in which {cite:t}`kearns2014` defined it. {cite:t}`qiao2024` learn two-player games by self-play, with the players of one episode as the unit; {doc}`the ledger </book/claims/qiao-wang-2024>` has the verdicts on their statements.
#
# Bandits in federation are the best studied case. {cite:t}`dubey2020` let agents share noisy sums of linear bandits, and {cite:t}`huang2023` take a whole agent as the unit, with and without a trusted server. We have read the abstracts only.
#
# ## Check yourself
#
# **Fifty hospitals each add Gaussian noise of variance σ²/40 to a secure sum, where σ is what ε = 1 needs. Five drop out, and six collude with the server. Does ε = 1 hold for the patients of the others?**
#
# ```{dropdown} Yes: 45 shares arrive, and 40 were planned for.
# Six of these 45 are known to the server, which subtracts them.
# ```
# ```{dropdown} No: 39 shares are left, and 40 are needed.
# ✓ Right. What is left is $\sqrt{39/40} = 0.987$ of σ, so ε is slightly above 1. A promise that nearly holds is stated with the ε that holds.
# ```
# ```{dropdown} No: a single hospital that colludes breaks a secure sum.
# It takes its own count and its own noise out of the sum. The others stay hidden in what remains.
# ```
#
# ## To take away
#
# * Secure aggregation replaces the trust in a server by cryptography: the server sees the sum and nothing else. The sum itself still needs noise.
# * With equal shares the noise is no larger than with a trusted server. If $c$ hospitals collude and $d$ drop out, they leave $\sqrt{(n-c-d)/n}$ of it. Plan the shares for the number of hospitals that you trust to stay.
# * Say whether a patient or a hospital is protected, and from whom. Where agents act in one world, their actions are a release too.

# %% tags=["remove-cell"]
assert round(np.sqrt(39 / 40), 3) == 0.987 and 1 < gaussian_epsilon(delta, mu / np.sqrt(39 / 40)) < 1.02
