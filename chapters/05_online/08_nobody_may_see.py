# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Nobody may see the records, not even the hospital: noise on each patient''s own device, or coins behind a shuffler, and
#         what they cost a ward.'
# ---

# %% [markdown]
# # Nobody may see
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** So far the hospital saw every record and put noise on the sums. What if patients do not trust the hospital itself?
# * **The answer.** They can put noise on their own reports. The noise of all patients then adds up, and learning takes more of them. A shuffler that mixes envelopes saves most of this, if it is trusted with the mixing.
# * **What is protected.** One patient's whole stay, in what the patient's device sends, against the hospital as well. Neighbours replace one patient.
# * **What you need.** {doc}`07_a_ward`, and central and local privacy from {doc}`/chapters/01_foundations/04_who_is_protected`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2411         # all randomness comes from here
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.stats import binom

from privrl_core.online import (
    FirstVisits, best_policies, binomial_delta, coins_needed, counter, exact_values, expected_visits, growing, plausible_counts, private_posterior_sampling,
    shuffled_posterior_sampling, table_sensitivity)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore
from privrl_core.privacy import gaussian_mu
from privrl_core.world import ward

use_theme()
clinic = ward()
rng = np.random.default_rng(seed)

# %% [markdown]
# ## Who has to be trusted?
#
# In {doc}`the ward <07_a_ward>` the hospital had every record in its files, and added noise to what it put on the board. All other patients learned hardly anything about Anna. The hospital learned everything. A data base that is stolen, or read by its owner, was not part of the promise.
#
# There are three places where the noise can be added:
#
# | | what the hospital gets | who must be trusted |
# |---|---|---|
# | **central** | each patient's records | the hospital |
# | **shuffled** | mixed envelopes without names, with true and false answers in them | a shuffler, to mix and to forget; enough other patients, to toss their coins |
# | **local** | each patient's report, with the patient's own noise | nobody but the own device |
#
# {doc}`Chapter 1 </chapters/01_foundations/04_who_is_protected>` compared the first and the last. Let us ask for one number in all three ways: how many of $n$ patients had a side effect?
#
# **Central.** The hospital counts and adds Gaussian noise, once.
#
# **Local.** Each patient answers by *randomised response*: truly with probability $e^\varepsilon/(1 + e^\varepsilon)$, which is 0.73 at $\varepsilon = 1$, and falsely otherwise. The hospital counts the answers "yes" and corrects for the false ones.
#
# **Shuffled.** Each patient puts the true answer into an envelope without a name. Some patients also toss a coin, and put the result into one more envelope. A public rule says who tosses, for instance the first patients who come; everybody may know *who* they are, and only *how their coins fell* must stay secret.
# The shuffler mixes all envelopes, and the hospital opens them. It learns how many ones there are, which is the true number plus the number of heads, and subtracts the expected number of heads.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two rows. In each, Anna's envelope, the envelopes of nine other patients with four ones, and six coin envelopes go through an arrow labelled shuffler into a sorted pile. In the upper row Anna's envelope holds a one and two coins show heads. In the lower row it holds a zero and three coins show heads. Both piles have seven ones and nine zeros."}}
others, coins_yes, coins_no = [0, 1, 0, 0, 1, 1, 0, 1, 0], [1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]
fig, axes = plt.subplots(2, 1, figsize=(8.6, 2.7))
for ax, anna, coins_fell in ((axes[0], 1, coins_yes), (axes[1], 0, coins_no)):
    sent = [anna, *others, *coins_fell]
    places = np.concatenate([[0.0], 1.5 + np.arange(9), 11 + np.arange(6)])
    colours = [PALETTE[1]] + ["#5b6470"] * 9 + [PALETTE[2]] * 6
    for place, bit, colour in [*zip(places, sent, colours), *zip(22.5 + np.arange(16) * 0.9, sorted(sent, reverse=True), ["#5b6470"] * 16)]:
        ax.add_patch(plt.Rectangle((place - 0.4, 0.1), 0.8, 0.8, fc=colour if bit else "none", ec=colour, lw=1.2))
        ax.text(place, 0.5, bit, ha="center", va="center", color="white" if bit else colour, weight="bold", fontsize=9)
    ax.annotate("", (21.7, 0.5), (17, 0.5), arrowprops=dict(arrowstyle="->", color="#4a5058", lw=1.5))
    ax.text(19.3, 0.62, "shuffler", ha="center", color="#4a5058", fontsize=9)
    for place, words, colour in ((0, "Anna", "#a63d00"), (5.5, "nine other patients", "#4a5058"), (13.5, f"coins: {sum(coins_fell)} heads", PALETTE[2]), (29.2, f"{sum(sent)} ones and {16 - sum(sent)} zeros", "#4a5058")):
        ax.text(place, 1.12, words, ha="center", color=colour, weight="bold", fontsize=9)
    assert sum(sent) == 7
    ax.set(xlim=(-1, 37), ylim=(0, 1.5))
    ax.axis("off")
fig.suptitle("Anna’s yes and Anna’s no can leave the same pile", x=0.06, ha="left", weight="bold", fontsize=11);

# %% [markdown]
# **How many coins does this take?** Suppose that the hospital knows the answers of all patients but Anna, and that only six coins were tossed. After it has subtracted what it knows, it is left with the number of heads if Anna's answer is *no*, and with one more if it is *yes*. At ε = 1 each number may be at most $e = 2.72$ times as likely with *no* as with *yes*. The {prf:ref}`definition <def-differential-privacy>` of (ε, δ) allows an excess over this, if all excesses together are at most δ:
#
# * Six coins have 64 outcomes. A *zero* is left in 1 of 64 cases with *no*, and never with *yes*. So 1 of 64 is too much.
# * A *one* is left in 6 of 64 cases with *no*, and in 1 of 64 with *yes*. Allowed are 2.72 of 64, so 3.28 of 64 are too much.
# * A *two* is left in 15 of 64 cases with *no*, and in 6 with *yes*. Allowed are 16.3, so nothing is too much, and the same holds for three and more.
#
# Together this is 4.28 of 64, or δ = 0.067. In the picture it is what sticks out. If *yes* and *no* change places, the same sum is found at the right end, at seven and six ones; it is outlined there.

# %% tags=["remove-cell"]
def delta_of_coins(coins, epsilon):
    """What is above e^epsilon times the same with one head more."""
    heads = np.arange(-1, coins + 2)
    here = binom.pmf(heads, coins, 0.5)
    moved = binom.pmf(heads - 1, coins, 0.5)
    return np.maximum(here - np.exp(epsilon) * moved, 0).sum()

six = delta_of_coins(6, 1.0)
other_end = np.maximum(binom.pmf(np.arange(-1, 7), 6, 0.5) - np.e * binom.pmf(np.arange(8), 6, 0.5), 0)
assert np.isclose(other_end.sum(), six) and (other_end > 0).nonzero()[0].tolist() == [6, 7]

# %% tags=["remove-input"] mystnb={"image": {"alt": "Left: filled bars are the chances of 0 to 6 ones with no, outlined bars the same with yes, moved right by one. Short lines mark e times the outlined bars. At 0 and 1 the filled bars stick out above these lines; the parts that stick out add up to 0.067. At 6 and 7 outlined parts show the same for yes and no exchanged. Right: what sticks out against the number of coins, on a logarithmic axis. It falls steadily and reaches one in a hundred thousand at 62 coins."}}
fig, (ax, right) = plt.subplots(1, 2, figsize=(8.2, 3.2), gridspec_kw={"width_ratios": [1.3, 1]})
heads = np.arange(8)
no, yes = binom.pmf(heads, 6, 0.5), binom.pmf(heads - 1, 6, 0.5)
ax.bar(heads, no, 0.8, color=PALETTE[0], alpha=0.3)
ax.bar(heads, np.maximum(no - np.e * yes, 0), 0.8, bottom=np.minimum(no, np.e * yes), color=PALETTE[1])
ax.bar(heads, yes, 0.8, fc="none", ec="#4a5058", lw=1.3)
ax.bar(heads[6:], (yes - np.e * no)[6:], 0.8, bottom=np.e * no[6:], fc="none", ec=PALETTE[1], lw=2, zorder=4, ls=(0, (2, 1)))
ax.annotate("the same, with yes\nand no exchanged", (6.2, 0.08), (7.45, 0.265), color="#a63d00", ha="right", fontsize=9, arrowprops=dict(arrowstyle="-", color="#a63d00", relpos=(0.75, 0)))
ax.hlines(np.e * yes[:3], heads[:3] - 0.46, heads[:3] + 0.46, color="#a63d00", lw=2.4)
ax.text(-0.45, 0.135, f"sticks out:\nδ = {six:.3f}", color="#a63d00", weight="bold")
ax.text(0, no[0] + 0.006, "1", color="#a63d00", ha="center", fontsize=9, weight="bold")
ax.text(1, (no[1] + np.e * yes[1]) / 2, "3.28", color="white", ha="center", va="center", fontsize=9, weight="bold")
ax.text(-0.45, 0.112, "in 64 cases", color="#a63d00", fontsize=9)
ax.text(1.5, 0.27, "e times yes", color="#a63d00", ha="right")
ax.text(2.6, 0.325, "no", color=PALETTE[0], weight="bold", ha="right")
ax.text(4.45, 0.322, "yes", color="#4a5058", weight="bold")
ax.set(ylim=(0, 0.36), xticks=heads, xlabel="ones that are left, with six coins", ylabel="chance", title="Six coins: δ is what sticks out")
many_coins = np.arange(2, 81)
right.plot(many_coins, [delta_of_coins(c, 1.0) for c in many_coins], color=PALETTE[1])
right.axhline(delta, color="#767676", ls=":", lw=1.4)
right.plot([6, 62], [six, delta_of_coins(62, 1.0)], "o", color=PALETTE[1], ms=7)
right.text(9, six * 1.2, "6 coins", color="#4a5058")
right.text(60, delta * 0.75, "62 coins", color="#4a5058", ha="right", va="top")
right.set(yscale="log", ylim=(3e-7, 1), xlabel="coins, in all", ylabel="δ at ε = 1", title="62 coins bring δ below 10⁻⁵");

# %% [markdown]
# ### Explore: one count, three ways
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Ten thousand patients answer, at ε = 1. The central noise has a standard deviation of 3.7 patients. **What is it if each patient uses randomised response?** Choose, then move the patients to 10,000.
#
# * 3.7
# * about 100
# * about 37,000
# ```

# %% tags=["remove-cell"]
def coins_for(epsilon):
    """The fewest coins for this delta."""
    low, high = 0, 1
    while delta_of_coins(high, epsilon) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if delta_of_coins(middle, epsilon) <= delta else (middle, high)
    return high

epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 3.16, 1, points=25, steps=24, low_end="more noise", high_end="less noise")
patients = Slider("n", "patients", 1000, 1e6, 1000, points=31, steps=30, low_end="a thousand", high_end="a million")
tossed = np.array([coins_for(e) for e in epsilon_slider.grid])

def one_answer(e):
    """The standard deviation that one randomised response adds to the corrected count."""
    return np.exp(e / 2) / np.expm1(e)

central = Table.of(lambda epsilon: 1 / np.vectorize(gaussian_mu)(epsilon, delta), epsilon_slider)
shuffled = Table((epsilon_slider,), np.sqrt(tossed) / 2)
local = Table.of(lambda epsilon: one_answer(epsilon), epsilon_slider) * Table.of(lambda n: np.sqrt(n), patients)
coins = Table((epsilon_slider,), tossed)

# %% tags=["remove-input"]
explore(
    name="one_count_three_ways", sliders=[patients, epsilon_slider], x=patients, y=Axis("noise", "standard deviation of the noise, in patients", 1, 1e4),
    curves=[Curve("central", central), Curve("local", local), Curve("shuffled", shuffled)],
    readouts=[Readout("coins", "coins for the shuffler, in all", coins, digits=6)],
    guarantee="ε = {epsilon} for one patient’s answer (replace one), proved: central and shuffled with δ = 10⁻⁵, local with δ = 0. The shuffled count needs {coins} coins, tossed and kept secret, and a shuffler that does not work with the hospital.",
    alt="Standard deviation of the noise of one count against the number of patients, both axes logarithmic. At {n} patients and ε = {epsilon} the legend gives its values; the shuffled count has {coins} coins. Central and shuffled are flat, the local one rises like a square root.",
    caption="Exact. The shuffled count has as many coins as its δ needs. The lines of central and shuffled nearly coincide.")

# %% tags=["remove-cell"]
here = {"central": float(1 / gaussian_mu(1.0, delta)), "shuffled": float(np.sqrt(coins_for(1.0)) / 2), "local": float(one_answer(1.0) * 100)}
ends = [int(tossed[0]), int(tossed[-1])]
assert epsilon_slider.on_grid and (tossed / 4 < (one_answer(epsilon_slider.grid) * np.sqrt(1000))**2).all()      # local is the noisiest in the whole picture
assert (round(np.e / (1 + np.e), 6), round((np.e + delta) / (1 + np.e), 6)) == (0.731059, 0.731061)
assert round(six, 3) == 0.067 and abs(64 * six - (1 + 6 - np.e)) < 1e-9 and 6 * np.e > 15 and abs((np.e + delta) / (1 + np.e) - np.e / (1 + np.e)) < 3e-6
assert coins_for(1.0) == 62 and abs(delta_of_coins(62, 1.0) - binomial_delta(1.0, 62, 1)) < 1e-8 and abs(here["local"] - 96) < 0.5
answers = rng.random((max(400, round(4_000 * effort)), 1000)) < np.e / (1 + np.e)          # of a thousand patients who all had the side effect
lie = 1 / (1 + np.e)
corrected = (answers.sum(axis=1) - 1000 * lie) / (1 - 2 * lie)
assert abs(corrected.std() / (one_answer(1.0) * np.sqrt(1000)) - 1) < 0.15 and abs(corrected.mean() - 1000) < 6

# %% tags=["remove-input"]
md(f"**What you should see.** About 100: it is {here['local']:.0f}. Each answer may be false, which is an error of about one patient. Errors of different signs cancel, so 10,000 independent errors add up to $\\sqrt{{10{{,}}000}} = 100$ of them, and not to 10,000 or more. But the central noise stays at {here['central']:.1f}, however many patients there are. "
   f"The local count is {here['local'] / here['central']:.0f} times as noisy, and with a million patients {one_answer(1.0) * 1000 / here['central']:.0f} times. The other two have δ = 10⁻⁵, and the local answers have δ = 0. But that is not why the local count is worse. With δ = 10⁻⁵ an answer could be true with probability 0.731061 in place of 0.731059.")

# %% tags=["remove-input"]
md(f"The shuffled count is a surprise. With the {coins_for(1.0)} coins of {coins_for(1.0)} patients its noise is {here['shuffled']:.1f}, hardly more than the central one. At ε = 0.1 it takes {ends[0]:,} coins. Why is so little noise enough? The hospital does not see who sent which envelope. Anna's own answer is not noisy at all; it is hidden among the "
   "heads of the others.")

# %% [markdown]
# Two conditions come with it. The shuffler must not work together with the hospital. And enough coins must be tossed and kept secret: if half of those who toss may tell the hospital how their coins fell, twice as many have to toss. The evidence {ref}`counts whole tables in this way <online-shuffler>`, and says what we could read. For reinforcement
# learning the model was proposed by {cite:t}`bai2024`. True bits among coin tosses are the usual protocol of this model; the exact count of coins is ours.
#
# ## What it costs the ward
#
# Now the ward of the last page, with the same posterior sampling, and the noise in the other two places. Each patient takes part with a device of her own. It knows the policies on the board, chooses the treatments, and keeps the record of her ten days. It never sends this record.
#
# There is a catch. {doc}`A treatment that fits shows the condition <09_what_stays_open>`, so nobody but the patient may see her treatments. A pharmacy that dispenses them, or an insurer who pays for them, sees them all the same. The promise of this page covers what the device sends, and nothing else.
#
# **Local.** To report ten days with noise for ten days is expensive. It is cheaper to draw *one* of the ten days by lot and to report that day only:

# %%
def report(stay, epsilon, rng):
    """One day of a stay, as a table of bits with randomised response."""
    bits = np.zeros((4, 3, 4), dtype=int)        # condition, treatment, next
    bits[stay[rng.integers(len(stay))]] = 1
    lie = 1 / (1 + np.exp(epsilon / 2))          # two bits move: half each
    return np.where(rng.random(bits.shape) < lie, 1 - bits, bits)

# %% tags=["remove-cell"]
example = report([(2, 1, 1), (1, 1, 1)], 1.0, rng)
flip = 1 / (1 + np.exp(0.5))
assert example.shape == (4, 3, 4) and np.isclose(((1 - flip) / flip) ** 2, np.e)           # the worst ratio of two reports: two bits

def local_ward(times, runs, rng, noise_rng):
    """Regret of posterior sampling on such reports: the sum of a batch's reports is drawn at once, by its exact law."""
    best, regret, done = float(clinic.initial @ clinic.optimal_values()[0]), np.zeros((runs, len(times) + 1)), 0
    totals, variance = np.zeros((runs, 4, 3, 4)), 0.0
    for j, time in enumerate(times):
        people = int(time) - done
        drawn = totals[:, None] + 0.5 * np.sqrt(variance) * rng.normal(size=(runs, 32, 4, 3, 4))
        chances = rng.standard_gamma(plausible_counts(drawn) + 1 / 4)
        policies = best_policies((chances / chances.sum(axis=-1, keepdims=True))[:, :, None], clinic.rewards)
        share = np.full(32, people // 32) + (np.arange(32) < people % 32)
        regret[:, j + 1] = regret[:, j] + (best - exact_values(clinic, policies)) @ share
        # a day drawn by lot: the pair by how often it occurs in a stay, then the next condition
        law = (expected_visits(clinic.transitions[0], policies, clinic.initial) / clinic.horizon)[..., None] * clinic.transitions[0]
        cells = rng.multinomial(share, law.reshape(runs, 32, -1)).sum(axis=1)
        ones = noise_rng.binomial(cells, 1 - flip) + noise_rng.binomial(people - cells, flip)
        totals += ((ones - people * flip) / (1 - 2 * flip)).reshape(totals.shape)
        variance += people * flip * (1 - flip) / (1 - 2 * flip) ** 2
        done = int(time)
    return regret[:, 1:]

# %% [markdown]
# Two reports of a day differ in two bits, so each bit may use half of ε. The whole report is ε-differentially private with δ = 0, against everybody who reads it. The device must avoid two mistakes. A report must never be made twice with new noise, because the noise could be averaged away. And every bit needs noise of its own: if two bits share one noise, their difference can be read exactly.
# The evidence has {ref}`such a program <online-what-runs>`.
#
# **Shuffled.** The device puts its bits into envelopes, and each of the 48 counts needs coins of its own. A stay that moves a count several times would need many more of them, so only the first visit of each pair in a stay is counted. Two stays of ten days then differ in at most 20 bits. Twenty moves by 1 have the length $\sqrt{20}$, so the noise must be $\sqrt{20}$ times as large as for one bit. Its variance is 20 times as large, and so is the number of coins: where one count took a few dozen, each of the 48 takes about a thousand in each batch. The patients of the batch share them.
#
# ```{dropdown} How many coins exactly
# With Gaussian noise one bit needs the variance of 55.7 coins, so 20 bits need $20 \times 55.7 = 1{,}114$ coins for each count and batch. The 62 coins of a single count are a few more than 55.7, because so few coins are not quite Gaussian. In the first batch of 300, each device tosses $1{,}114 \times 48 / 300 = 178$ coins.
# ```

# %% tags=["remove-cell"]
few, many = (20_000, 1_000_000) if effort >= 0.5 else (2_000, 100_000)
runs, more_runs = max(4, round(32 * effort)), max(4, round(48 * effort))

def generators(*key):
    return dict(rng=np.random.default_rng([seed, *key]), noise_rng=np.random.default_rng([seed, *key, 1]))

promise = dict(epsilon=epsilon, delta=delta, runs=runs)
times = growing(many, first=300, growth=0.2)
found = {"central": private_posterior_sampling(clinic, few, **promise, **generators(1)), "shuffled": shuffled_posterior_sampling(clinic, few, **promise, **generators(2))}
regret = {name: run.regret for name, run in found.items()} | {"local": local_ward(times, more_runs, **generators(3))}
at = {name: run.times for name, run in found.items()} | {"local": times}
at_random = np.full(clinic.rewards.shape, 1 / 3)
per_patient = float(clinic.initial @ (clinic.optimal_values() - clinic.policy_values(at_random))[0])
mean, error = {name: r.mean(axis=0) for name, r in regret.items()}, {name: r.std(axis=0, ddof=1) / np.sqrt(len(r)) for name, r in regret.items()}

def loss_of_new(name):
    """What each new patient loses, as a share of treating at random, in every batch."""
    return np.diff(mean[name], prepend=0) / np.diff(at[name], prepend=0) / per_patient

def falls_below(name, share=0.1):
    return last_above(name, loss_of_new(name), share)

def last_above(name, losses, share=0.1):
    above = np.flatnonzero(losses >= share)                        # the last batch that is not below
    return int(at[name][above[-1]]) if above.size and above[-1] + 1 < len(at[name]) else None

def resampled(name, times=1000):
    """The same of runs that are drawn again, with replacement: nineteen of twenty are within this range."""
    again, each = np.random.default_rng([seed, 7]), np.diff(regret[name], prepend=0, axis=1) / np.diff(at[name], prepend=0) / per_patient
    last = [last_above(name, each[again.integers(len(each), size=len(each))].mean(axis=0)) or at[name][-1] for _ in range(times)]
    return np.array(last)

learned = {name: falls_below(name) for name in regret}
again = {name: resampled(name) for name in regret}
between = {name: np.percentile(x, [2.5, 97.5]) for name, x in again.items()}
times_more = np.percentile(again["local"] / again["central"], [2.5, 97.5])
assert round(4 / gaussian_mu(epsilon, delta) ** 2, 1) == 55.7 and np.ceil(20 * 4 / gaussian_mu(epsilon, delta) ** 2) == 1_114 and coins_needed(epsilon, delta, 20) == 1_114 and round(1_114 * 48 / 300) == 178 and growing(20_000, first=300, growth=0.2).size == 25

# %% tags=["remove-input"]
md("Say that a ward *has learned* when from then on its new patients lose less than a tenth of what they would lose if treated at random. The central ward has learned after a few thousand patients at most: "
   f"between {round(between['central'][0], -2):,.0f} and {round(between['central'][1], -2):,.0f}. We have {runs} simulated wards only, so we give each number of this kind as a 95 % range, from wards that are drawn again among these.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# **After how many patients has the local ward learned, at the same ε = 1?**
#
# * about 4,000
# * about 40,000
# * about 400,000
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "What each new patient loses, in percent of treating at random, against the number of patients on a logarithmic axis up to a million. Central falls first, within the first thousand, shuffled soon after, local stays near 100 percent until tens of thousands of patients and falls below ten percent only after more than a hundred thousand."}}
fig, ax = plt.subplots(figsize=(7.4, 3.5))
for (name, x, y), colour in zip((("central", 420, 24), ("shuffled", 1_900, 42), ("local", 90_000, 45)), (PALETTE[0], PALETTE[2], PALETTE[1])):
    ax.step(np.append(at[name][0] / 1.2, at[name]), 100 * np.append(loss_of_new(name)[0], loss_of_new(name)), where="pre", color=colour, lw=2)
    ax.text(x, y, name, color=colour, weight="bold", ha="right" if name == "central" else "left")
    if learned[name]:
        ax.plot(between[name], [10, 10], color=colour, lw=5, alpha=0.35, solid_capstyle="butt")
        ax.plot([learned[name]], [10], "o", color=colour, ms=7, zorder=5)
ax.axhline(10, color="#767676", ls=":", lw=1.4)
ax.text(24_000, 2.5, "dot, with a range: has learned", color="#4a5058", fontsize=9)
ax.set(xscale="log", ylim=(0, 108), xlabel="patients", ylabel="loss of a new patient,\nin % of treating at random", title="Without trust, learning takes very many more patients");

# %% tags=["remove-cell"]
if effort >= 1:
    assert learned["local"] > 100_000 and learned["central"] < learned["shuffled"] < 10 * learned["central"]
    assert max(error["local"][-1] / mean["local"][-1], error["central"][-1] / mean["central"][-1]) < 0.1
    ratio = learned["local"] / learned["central"]
    assert 250 < ratio < 350
else:
    ratio = 1.0
released = growing(20_000, first=300, growth=0.2)
shared_sums = counter("doubling-toeplitz", 20_000, table_sensitivity(10, 1, FirstVisits(6), pairs=12), epsilon=epsilon, delta=delta, times=released)
first_noise = np.sqrt(coins_needed(epsilon, delta, 20)) / 2
signal = released / np.sqrt(1 + np.arange(released.size))                   # counts over their noise, but for a factor
assert list(released[:2]) == [300, 360] and (signal[1:5] < signal[0]).all() and signal[5] > 0.999 * signal[0] > 0 and 740 < released[5] < 760 and (np.diff(signal[5:-1]) > 0).all()
if effort >= 1:
    behind = loss_of_new("shuffled") - loss_of_new("central")
    assert behind[1] < 0 and (behind[2:20] > 0).all() and (loss_of_new("shuffled")[2:6] > loss_of_new("shuffled")[1]).all() and loss_of_new("shuffled")[6] < loss_of_new("shuffled")[1]
    assert round(learned["local"], -5) == 400_000 and 50 < times_more[0] < 150 and 350 < times_more[1] < 600
assert round(first_noise) == 17 and round(shared_sums.standard_deviations[0]) == 55 and (effort < 1 or loss_of_new("shuffled")[1] < loss_of_new("central")[1])
first_both = {name: float(np.interp(few, at[name], mean[name])) for name in mean}

# %% tags=["remove-input"]
md("**The answer.** About 400,000. " + (f"The estimate is {round(learned['local'], -4):,}, and the range {round(between['local'][0], -4):,.0f} to {round(between['local'][1], -4):,.0f}, so not even its lower end is near 40,000. That is between {round(times_more[0], -1):.0f} and {round(times_more[1], -1):.0f} times as many patients as the central ward needs. The shuffled ward needs {round(between['shuffled'][0], -2):,.0f} to {round(between['shuffled'][1], -2):,.0f}, a few times as many as the central one, whose dot is at the lower end of its range. " if effort >= 1 else "")
   + f"""

| | {few:,} patients lose | *guarantee*: ε = 1 for one patient's stay (replace one), proved |
|---|---|---|
| central | {round(first_both['central'], -1):,.0f} | joint, against other patients, δ = 10⁻⁵ |
| shuffled | {round(first_both['shuffled'], -1):,.0f} | against the hospital as well, δ = 10⁻⁵, under the two conditions above |
| local | {round(first_both['local'], -2):,.0f} | against all who see the report, δ = 0 |
| treated at random | {round(per_patient * few, -2):,.0f} | |

The curves are means of {runs} simulated wards, and of {more_runs} for the local one; standard errors are at most {100 * max(float(error[name][-1] / mean[name][-1]) for name in mean):.0f} % at the ends. The central ward is the one of the last page in other runs.

```{{dropdown}} Why the shuffled curve falls, rises, and falls again
In the batch after the first release the shuffled ward is ahead. Its noise in a count is {first_noise:.0f}, where the central one is {shared_sums.standard_deviations[0]:.0f}. Then it gets worse for a while, because each batch brings the same number of coins, and the noises of different batches add up. The second batch has only 60 patients: the counts grow by a fifth, and their noise by $\\sqrt2$. Only after some 750 patients is the count again as large beside its noise as it was after 300. After {released.size} batches the noise is {first_noise * np.sqrt(released.size):.0f}, and counts of first visits only are smaller, too.
```""")

# %% [markdown]
# ### Why so many?
#
# Local noise grows like √n. Here is an estimate.

# %% tags=["remove-cell"]
then = int(np.flatnonzero(released == 1_294)[0])
per_answer = np.sqrt(flip * (1 - flip)) / (1 - 2 * flip)
noise_then = {"central": float(shared_sums.standard_deviations[then]), "local": float(10 * per_answer * np.sqrt(1_294))}
noisier = round(noise_then["local"] / noise_then["central"])
assert abs(per_answer - 2) < 0.03 and (effort < 1 or learned["central"] == 1_294)

# %% tags=["remove-input"]
md(f"Look at one of the 48 counts after 1,294 patients, near the lower end of the range of the central ward. Centrally its noise has a standard deviation of {noise_then['central']:.0f} visits. Locally half of ε goes to each of two bits, so each patient's answer adds an error of about {per_answer:.0f}, where it was about one before. Only one day of ten is reported, so a report stands for ten visits, and the errors add up to $10 \\times {per_answer:.2f} \\times \\sqrt{{1{{,}}294}} = {noise_then['local']:.0f}$ visits. So the local count is {noisier} times as noisy. "
   f"More patients help slowly: the count grows like $n$ and its local noise like $\\sqrt n$. To make up for a factor of {noisier} takes ${noisier}^2 = {noisier**2}$ times as many patients.")

# %% tags=["remove-input"]
md((f"That is just below the range of the simulation, {round(times_more[0], -1):.0f} to {round(times_more[1], -1):.0f}. " if effort >= 1 else "") + "One reason to expect more than the estimate is that it lets all counts grow. A treatment which looks bad is hardly given any more: its counts stop growing, and its local noise goes on growing with every patient.")

# %% [markdown]
# A smaller ε widens the difference. Centrally, half of ε takes about twice as many patients, and locally four times as many. The report of one day is our design, and a better one may exist. But no local design gets rid of noise that is there again with every patient. {cite:t}`garcelon2021` prove a lower bound in which local privacy *multiplies* the regret; {ref}`the evidence has the details <online-shuffler>`.
#
# ## Check yourself
#
# **A device sends Anna's report through randomised response at ε = 1. The hospital did not get it, and asks the device to send it again. What should the device do?**
#
# ```{dropdown} Answer again, with new noise. Each report is private.
# Each alone is. Two reports about the same day let the noise be averaged, and together they cost up to 2ε.
# ```
# ```{dropdown} Send the same report once more, noise and all.
# ✓ Right. The same message tells nothing new. But the device must keep the noise for this one day only. If it used the same noise for *another* day, the difference of the two reports would show what changed.
# ```
# ```{dropdown} Refuse, because the budget is used up.
# It may refuse. But to repeat the very same message costs nothing.
# ```
#
# ## To take away
#
# * Where the noise is added decides who has to be trusted: the hospital, a shuffler, or nobody.
# * Central noise is added once. Local noise is added by every patient and grows like $\sqrt n$, so learning takes a number of patients in proportion to 1/ε² and not to 1/ε, and in this ward it took a hundred to five hundred times as many.
# * With a shuffler one count needs a few dozen coins in all, and is nearly as exact as with central noise. A table in 25 batches needs about a thousand coins for each count and batch, and this ward learns with a few times as many patients as centrally. The shuffler has to be trusted to mix, and the others to toss their coins and keep them secret.
