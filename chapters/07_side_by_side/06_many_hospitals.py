# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Federated learning of many hospitals: play the server of a secure sum, and see what is left of the noise when some
#         hospitals collude.'
# ---

# %% [markdown]
# # Many hospitals
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Hospitals want to learn together, and none may show its records to another, nor to a server. What changes?
# * **The answer.** A secure sum takes the place of a trusted server, and each hospital adds a share of the noise. The result is as accurate as with a trusted server, and as private against the server and all readers, as long as no hospital colludes or drops out.
# * **What is protected.** One patient of one hospital, against the server, the other hospitals and all readers. Neighbours replace one patient.
# * **What you need.** The noisy counts of {doc}`/chapters/04_offline_rl/01_counts`, and {doc}`/chapters/05_online/08_nobody_may_see`.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2017         # all randomness comes from here
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from matplotlib.patheffects import withStroke

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore, round_up, show
from privrl_core.pages.game import Dial, Draws, Stems, World, play
from privrl_core.privacy import gaussian_epsilon, gaussian_mu

use_theme()
rng = np.random.default_rng(seed)
sigma = 1 / gaussian_mu(epsilon, delta)

# %% [markdown]
# ## You are the server
#
# Three hospitals count the patients with a complication. They want the sum, as {doc}`a learner from counts </chapters/04_offline_rl/01_counts>` does. To learn from the data of many owners without collecting them is called *federated learning* {cite:p}`mcmahan2017`. None of the three wants its own number known. You are the server that adds up, and you are curious.
#
# One of hospitals 1 and 2 has 305 cases and the other 212. Hospital 3 has 187. So the sum is 704 in any case. A coin decides which is which.
#
# ```{admonition} Guess first
# :class: hint guess right-1
# Any two hospitals agree on a secret random number, a *mask*. One of them adds it to its count and the other subtracts it, so the masks vanish in the sum. The masks are large, but hospital 3 changes sides and tells you its own. **How often can you then tell which of the other two has 305?** Choose, then play.
#
# * no better than a coin
# * about two times in three
# * always
# ```
#
# ### Play: which hospital has 305?
#
# To warm up, the masks are small, at most 60, and hospital 3 tells you nothing. Then comes what you guessed: the masks are large, and those of hospital 3 are taken off all three messages before you see them.

# %% tags=["remove-cell"]
truths, deals = np.array([[305, 212, 187], [212, 305, 187]]), 600
drawn = np.triu([[np.random.default_rng([seed, world, k]).integers(1000, size=(3, 3)) for k in range(deals)] for world in (0, 1)], k=1)
masked = (truths[:, None] + drawn.sum(axis=-1) - drawn.sum(axis=-2)) % 1000
assert (masked.sum(axis=-1) % 1000 == 704).all() and masked.min() >= 0 and masked.max() < 1000
between = np.random.default_rng([seed, 3]).integers(1000, size=(2, deals))                # the mask of hospitals 1 and 2, which 3 does not know
told = np.stack([(truths[:, :1] + between) % 1000, (truths[:, 1:2] - between) % 1000, np.broadcast_to(truths[:, 2:], (2, deals))], axis=-1)
assert (told.sum(axis=-1) % 1000 == 704).all()

# two hospitals with one mask, in full: the pairs of messages are equally likely in both worlds
for modulus, (x, y) in ((7, (3, 5)), (1000, (305, 212))):
    pairs = [sorted(((a + mask) % modulus, (b - mask) % modulus) for mask in range(modulus)) for a, b in ((x, y), (y, x))]
    assert pairs[0] == pairs[1]

# small masks, without a clock: all that is seen is what the masks of hospitals 1 and 3 add up to
small, gap = 60, 305 - 212
reach = np.arange(-2 * small, 2 * small + 1)
low, high = (np.maximum(np.maximum(reach[:, None], reach) - small, -small), np.minimum(np.minimum(reach[:, None], reach) + small, small))
ways = np.maximum(high - low + 1, 0)                                     # for a mask of 1 and 2, of 1 and 3, of 2 and 3: first row sum against third
likely = np.zeros((2, reach.size + gap, reach.size))
likely[0, gap:], likely[1, :-gap] = ways, ways
assert ways.sum() == (2 * small + 1) ** 3
little = np.random.default_rng([seed, 4]).integers(-small, small + 1, size=(3, 2, deals))
weak = np.stack([truths[:, :1] + little[0] + little[1], truths[:, 1:2] - little[0] + little[2], truths[:, 2:] - little[1] - little[2]], axis=-1)
first, third = weak[..., 0] - 212 + 2 * small, 187 - weak[..., 2] + 2 * small
with np.errstate(divide="ignore"):
    weak_score = np.clip(np.log(likely[0, first, third]) - np.log(likely[1, first, third]), -10, 10)
weak_ceiling = float(np.maximum(*likely).sum() / ways.sum() / 2)
assert round(100 * weak_ceiling) == 85 and (weak.sum(axis=-1) == 704).all() and weak.min() >= 0 and weak.max() < 1000
assert abs(((weak_score > 0) == (np.arange(2) == 0)[:, None]).mean() - weak_ceiling) < 0.04

# %% tags=["remove-input"]
play(
    name="behind_masks", question="What the server gets from hospitals 1, 2 and 3. Which of 1 and 2 has 305 cases?", publish="Send",
    worlds=[World("hospital 1", "hospital 1 has 305", "Hospital 1 had 305 cases, and hospital 2 had 212."), World("hospital 2", "hospital 2 has 305", "Hospital 2 had 305 cases, and hospital 1 had 212.")],
    picture=Stems("What the server gets", x="hospital", y="number sent", low=0, high=1000, key="sent"),
    levels=[Draws("small masks", weak, log_ratios=weak_score, ceiling=weak_ceiling, guarantee="Masks of at most 60 promise a hospital nothing: some messages give it away for certain."),
            Draws("large masks, and hospital 3 talks", told, log_ratios=np.zeros((2, deals)), ceiling=0.5,
                  guarantee="Against the server and hospital 3: they learn 305 + 212 and no more, proved, if the mask of hospitals 1 and 2 is secret and uniform. The sum itself is exact and promises a patient nothing.")],
    dial=Dial("what is sent", low_end="small masks", high_end="large masks, and a traitor", first="Now large masks", next="Now large masks"), stages=("rounds", "dial"), rounds=4, player="server", best="best possible server",
    caption="Numbers on a clock of 1,000: after 999 comes 0. Add the three up on this clock: it is 704 every time. With large masks, those that hospital 3 shares have been taken off all three messages.",
    alt="Three stems from 0 to 1,000: what hospitals 1, 2 and 3 send. With small masks the taller of the first two is often the one with 305. With large ones the stems jump from round to round, and only their sum stays.")

# %% [markdown]
# **What you should see.** No better than a coin, even with a traitor. Hospitals 1 and 2 still share a mask that hospital 3 has never seen. It can be any number up to 999, so every pair of messages with the sum 517 is equally likely, whichever of them has 305. A small mask cannot do that. With masks of at most 60 the best bet was right 85 times in 100.
#
# ## How the masks vanish
#
# One hospital adds the mask and the other subtracts it, on a clock of 1,000. In the sum all masks cancel. Each message alone is equally likely to be any number if the masks are truly random [{ref}`over all masks <shares-secure-sum>`]. This is *secure aggregation* {cite:p}`bonawitz2017`. In practice two hospitals stretch a short secret key into their masks, and trust that the server cannot break the cryptography.

# %%
def sent(numbers, modulus, rng):
    """What each hospital sends: its number, and a mask with each other one."""
    n = len(numbers)
    masks = np.triu(rng.integers(modulus, size=(n, n)), k=1)
    return (numbers + masks.sum(axis=1) - masks.sum(axis=0)) % modulus

# %% tags=["remove-cell"]
assert all((sent(truth, 1000, np.random.default_rng([seed, world, k])) == masked[world, k]).all() for world, truth in enumerate(truths) for k in range(deals))      # as in the game

# %% [markdown]
# The masks hide a *hospital* from the server. They do not hide a *patient* in the sum. Suppose that the sum was 704 yesterday and is 705 today, and one patient came in between: you know that this patient has a complication. So each hospital also adds a little noise, its *share*, before the masks. From here on the unit is a patient. To hide a whole hospital in a published sum {ref}`would take hundreds of times as much noise <shares-more>`.

# %% tags=["remove-cell"]
counts, shares = np.array([212, 305, 187]), np.array([-2, 3, 1])
seen = sent(counts + shares, 1000, np.random.default_rng(5))
masks = np.triu(np.random.default_rng(5).integers(1000, size=(3, 3)), k=1)      # those that `sent` draws
assert (seen == (counts + shares + masks.sum(axis=1) - masks.sum(axis=0)) % 1000).all() and masks[np.triu_indices(3, 1)].tolist() == [805, 22, 515]
total, noisy = counts.sum(), int(seen.sum() % 1000)
assert noisy == total + shares.sum() == 706

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three hospitals in three rows. Each has a count, 212, 305 and 187, and a small share of noise, minus 2, plus 3 and plus 1. 1 and 2 share the mask 805, 1 and 3 22, 2 and 3 515; the upper one adds it and the lower one subtracts it. So each sends a number that looks random, 37, 18 and 651. The server adds the three modulo 1000 and gets 706, the true total 704 plus the noise 2."}}
fig, ax = plt.subplots(figsize=(8.4, 2.9))
def box(x, y, words, fill="#eef1f4", edge="#4a5058"):
    ax.text(x, y, words, ha="center", va="center", fontsize=10, color="#22272e", bbox={"boxstyle": "round,pad=0.35", "fc": fill, "ec": edge})

for x, words, colour in ((1.5, "count", "#4a5058"), (3.6, "share of the noise", "#a63d00"), (6.6, "sent, with masks", "#4a5058"), (9.9, "the server adds up", "#4a5058")):
    ax.text(x, 3.05, words, ha="center", color=colour, weight="bold", fontsize=9.5)
for y, name, count, share, message in zip((2.3, 1.3, 0.3), ("1", "2", "3"), counts, shares, seen):
    ax.text(0.2, y, f"hospital {name}", ha="right", va="center", color="#22272e", fontsize=9.5)
    box(1.5, y, f"{count}")
    box(3.6, y, f"{share:+d}".replace("-", "−"), "#fdf0e6", PALETTE[1])
    box(6.6, y, f"{message}", "#e3e6ea")
    ax.annotate("", (5.9, y), (4.2, y), arrowprops={"arrowstyle": "->", "color": "#4a5058", "lw": 1.4})
    ax.annotate("", (9.0, 1.3 + 0.2 * (y - 1.3)), (7.25, y), arrowprops={"arrowstyle": "->", "color": "#4a5058", "lw": 1.4})
for low, high in ((2.05, 1.55), (1.05, 0.55)):
    ax.annotate("", (4.8, low), (4.8, high), arrowprops={"arrowstyle": "<->", "color": PALETTE[2], "lw": 1.4})
over = [withStroke(linewidth=5, foreground="white")]       # one curve, past hospital 2 and over its arrow
ax.annotate("", (5.2, 2.15), (5.2, 0.45), arrowprops={"arrowstyle": "<->", "color": PALETTE[2], "lw": 1.4, "connectionstyle": "arc3,rad=0.25", "path_effects": over})
for x, y, mask, side in ((4.72, 1.8, masks[0, 1], "right"), (4.72, 0.8, masks[1, 2], "right"), (5.68, 1.62, masks[0, 2], "left")):
    ax.text(x, y, f"{mask}", ha=side, va="center", color=PALETTE[2], fontsize=9, weight="bold")
ax.text(5.18, -0.28, "masks: the upper adds, the lower subtracts", ha="center", color=PALETTE[2], fontsize=9, weight="bold")
box(9.9, 1.3, f"{noisy}", "#fdf0e6", PALETTE[1])
ax.text(9.9, 0.72, f"the true {total}\nand noise of {shares.sum():+d}", ha="center", va="top", color="#4a5058", fontsize=9)
ax.set(xlim=(-1.6, 11.2), ylim=(-0.5, 3.3))
ax.axis("off")
ax.set_title("The server learns the noisy sum and nothing else");

# %% tags=["remove-input"]
unwound = int(counts[0] + shares[0] + masks[0].sum())
md(f"Check hospital 1: {counts[0]} − {-shares[0]} + {masks[0, 1]} + {masks[0, 2]} = {unwound:,}, which is {seen[0]} on the clock of 1,000.\n\n"
   f"How much noise? A trusted server would add noise once, with a standard deviation of σ = {sigma:.1f} for ε = 1 and δ = 10⁻⁵, for one patient who is replaced. Variances add up, so each of three hospitals adds σ/√3 = {sigma / np.sqrt(3):.1f}, and each of twenty σ/√20 = {sigma / np.sqrt(20):.1f}. The sum then has σ again, and each patient the same promise. If each of twenty added all of σ, to hide its patients on its own, the sum would have {np.sqrt(20):.1f} times as much noise. This holds for Gaussian noise in real numbers; {{ref}}`whole numbers <shares-more>` change it a little.")

# %% [markdown]
# ## Hospital 3 falls silent
#
# The masks are agreed, and 1 and 2 have sent 37 and 18. Then the line of hospital 3 goes dead, and 651 never comes.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The server adds up what it has: 37 + 18 = 55. **What does 55 say about the sum of hospitals 1 and 2, which is 518 with their noise?** Choose.
#
# * Nearly all: only hospital 3 is missing
# * Nothing
# * Too much: both numbers can be read
# ```

# %% tags=["remove-cell"]
lost = int(masks[0, 2] + masks[1, 2])
assert (seen[0] + seen[1]) % 1000 == 55 and counts[:2].sum() + shares[:2].sum() == 518 and lost == 537 and (55 - lost) % 1000 == 518
assert (seen[2] + lost) % 1000 == counts[2] + shares[2] == 188

# %% [markdown]
# `````{container} guess-answer
# **The answer.** Nothing. The masks 22 and 515, which hospital 3 was to subtract, are left over, and they are random.
#
# The sum can still be saved, with a spare key. Before anything is sent, each hospital deals the key of its masks out to the others in parts. Two parts together give the key, and one gives nothing. Hospitals 1 and 2 now hand in their parts of the key of hospital 3, and the server takes its two masks off: 55 − 22 − 515 = −482, which is 518 on the clock. The mask 805 between 1 and 2 stays on, so neither of them can be read.
#
# ```{dropdown} And if hospital 3 was only slow?
# Its 651 arrives late, and 651 + 22 + 515 is 188 on the clock: its count of 187, with its noise of 1. So in the real protocol each message has a second mask. If the message came, the server gets the second mask, and if it did not, the spare key: never both.
# ```
# `````
#
# ## Some of them talk
#
# A share alone is too little to hide a patient. Each of twenty hospitals knows its own share. If ten tell the server theirs, the server subtracts them from the sum, and their counts with them. What is left is the sum of the other ten, with the noise of the other ten.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Ten of twenty hospitals collude with the server. **What is left of the promise for a patient of the others?** Choose, then move *collude or drop out* to 10.
#
# * ε = 1: the patient's own hospital is honest
# * ε = 1.5
# * ε = 2: half of the noise is gone
# ```

# %% tags=["remove-cell"]
talking = Slider("c", "collude or drop out", 0, 19, 0, points=20, steps=19, scale="linear", low_end="none", high_end="all but one")
planned = Choice("spare", "failures planned for", (0, 5, 10, 15), 0, low_end="none: little noise", high_end="many: more noise")
mu = gaussian_mu(epsilon, delta)

def left(c, spare):
    return np.sqrt((20 - c) / (20 - spare))

def true_epsilon(c, spare):
    return np.vectorize(lambda share: gaussian_epsilon(delta, mu / share))(left(c, spare))

share, loss = Table.of(left, talking, planned), Table.of(true_epsilon, talking, planned)
price = Table.of(lambda spare: np.sqrt(20 / (20 - spare)), planned)
parts = Table.of(lambda spare: 20.0 - spare, planned)

# %% tags=["remove-input"]
explore(
    name="noise_that_is_left", sliders=[talking, planned], x=talking, y=Axis("left", "noise that still hides a patient, in units of σ", 0, 2.1, scale="linear"),
    curves=[Curve("noise of the honest hospitals", share), Curve("what ε = 1 needs", constant(1.0), reference=True)],
    readouts=[Readout("share", "noise that is left, in σ", share), Readout("loss", "so the true ε is", loss, at_most=True), Readout("price", "noise in the sum if all are honest, in σ", price), Readout("h", "each adds σ² divided by", parts)],
    guarantee="ε = {loss}, δ = 10⁻⁵ for one patient of an honest hospital (replace one), proved, if each of 20 hospitals adds Gaussian noise of variance σ²/{h}, as real numbers, and {c} of them collude or drop out; against the server and those that collude. The sum must be secure, and a spare key must take more parts than those that collude hold.",
    alt="The standard deviation of the noise that is left, in units of what epsilon 1 needs, against the number of the twenty hospitals that collude. The curve falls slowly at first and steeply at the end. With {c} that collude or drop out and {spare} failures planned for, {share} is left, and the true epsilon is {loss}.",
    caption="Exact. Below the level line ε = 1 does not hold. If more failures are planned for, the curve rises, and so does the noise that all have to live with.")

# %% tags=["remove-cell"]
half, one_left = float(true_epsilon(10, 0)), float(true_epsilon(19, 0))
assert show(round_up(half)) == "1.47" and show(round_up(one_left)) == "5.41" and round(half, 1) == 1.5 and round(float(left(10, 0)), 2) == 0.71 and round(sigma, 1) == 3.7
# the same by conditioning: the variance of the sum of twenty shares, given ten of them
n, c = 20, 10
joint = np.zeros((c + 1, c + 1))
joint[:c, :c], joint[c, :c], joint[:c, c], joint[c, c] = np.eye(c) / n, 1 / n, 1 / n, 1.0
given = joint[c, c] - joint[c, :c] @ np.linalg.solve(joint[:c, :c], joint[:c, c])
assert np.isclose(given, left(10, 0) ** 2)
drawn = rng.normal(scale=np.sqrt(1 / n), size=(max(20_000, round(100_000 * effort)), n))
assert abs((drawn.sum(axis=1) - drawn[:, :c].sum(axis=1)).std() / left(10, 0) - 1) < 0.03
enough = float(np.sqrt(20 / 10))

# %% tags=["remove-input"]
md(f"**What you should see.** ε = 1.5, or {show(round_up(half))} with three digits. Half of the *variance* is gone, and the standard deviation is $\\sqrt{{10/20}} = {float(left(10, 0)):.2f}$ of σ. The patient's own hospital is honest, but it adds only a twentieth of the variance. If all but one collude, ε is {show(round_up(one_left))} for the patients of the last.")

# %% tags=["remove-input"]
md(f"Now set *failures planned for* to 10 as well. Then $h = 20 - 10$ hospitals are trusted to stay and to keep their shares secret. Each adds a variance of σ²/h, and ε = 1 holds. The price is a sum that is noisier than it has to be if all are honest, {enough:.2f} times. The fewer hospitals you trust, the more noise it takes. {{cite:t}}`dwork2006ourselves` had the idea of noise in shares.")

# %% [markdown]
# A hospital that falls silent takes its share away as well: the spare key saves the sum, but not the noise. With $c$ that collude and $d$ that drop out of $n$, what is left of σ is $\sqrt{(n-c-d)/h}$ [{ref}`by conditioning <shares-left>`]. Whole numbers, many rounds, and agents that act in one world are {ref}`on the evidence page <shares-more>`.
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
# * With equal shares the noise is no larger than with a trusted server. Hospitals that collude or drop out take theirs away, so plan the shares for those that you trust to stay.
# * The masks hide a hospital from the server, and the noise hides a patient from all readers. Say which of the two you promise.

# %% tags=["remove-cell"]
assert round(np.sqrt(39 / 40), 3) == 0.987 and 1 < gaussian_epsilon(delta, mu / np.sqrt(39 / 40)) < 1.02
