# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Nobody may see the records, not even the hospital: answer with a coin of your own, and see what it costs a ward, with a shuffler
#         and without.'
# ---

# %% [markdown]
# # Nobody may see
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** So far the hospital saw every record. What if patients do not trust it?
# * **The answer.** Each patient's own device adds noise. The noises of all patients add up, so learning takes far more patients. With a shuffler between, a single count loses little, and a ward takes a few times as many patients.
# * **What is protected.** One patient's answer or whole stay, in what the device sends, against the hospital as well. Neighbours replace one patient.
# * **What you need.** {doc}`07_a_ward`, and central and local privacy from {doc}`/chapters/01_foundations/04_who_is_protected`.
# * **How long.** About 10 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2411         # all randomness comes from here
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.special import ndtr
from scipy.stats import binom

from privrl_core.online import (
    FirstVisits, ShuffledCounter, best_policies, coins_needed, count_days_non_private, counter, exact_values, expected_visits, growing, learn_in_batches, plausible_counts,
    private_posterior_sampling, shuffled_posterior_sampling, table_sensitivity)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore
from privrl_core.pages.game import Beside, Dial, Draws, Number, World, play
from privrl_core.privacy import discrete_ceiling, gaussian_mu
from privrl_core.world import ward

use_theme()
clinic = ward()

# %% [markdown]
# ## Answer with a coin
#
# {doc}`The ward <07_a_ward>` hides Anna from the other patients. The hospital itself has her record in its files. Suppose that you do not trust it, and it asks: *did the new drug make you ill?* Take a coin, and toss it where nobody sees it.
#
# * **Heads:** tell the truth.
# * **Tails:** toss again, and say *yes* if it is heads and *no* if it is tails.
#
# Do it now. Your answer is true with probability 3/4, and nobody can tell whether it is. Such a *randomised response* is three times as likely to be true as to be false. *Guarantee:* local privacy with ε = ln 3 = 1.1 and δ = 0 for one patient's answer (replace one), proved, against everybody who hears it.
#
# Still the hospital learns something about all patients together. Say that 40 of 100 answer *yes*. About 50 tossed tails, and 25 of these said *yes* by chance. The other 15 *yes* come from the 50 truthful answers. So about 30 of 100 were ill.
#
# How good is such an estimate, beside that of a trusted hospital?
#
# ### Play: 400 or 420?
#
# A thousand patients are asked, and a coin decides whether 400 or 420 of them were ill. You are the statistician, and see one number. Each patient is protected with ε = 1 at all three settings. Only the place of the noise differs:
#
# 1. **A trusted hospital** sees all answers and adds noise to the count.
# 2. **Nobody is trusted:** each patient's device answers as you did, truly with probability 0.73, as ε = 1 allows.
# 3. **A shuffler** stands between devices and hospital. How it works comes after the game.

# %% tags=["remove-cell"]
asked, ill, truth = 1_000, (400, 420), np.e / (1 + np.e)
lie, sd_hospital = 1 - truth, float(1 / gaussian_mu(epsilon, delta))
answer_error = float(np.sqrt(truth * lie) / (truth - lie))            # of one corrected answer
coins = coins_needed(epsilon, delta, 1)
rng, each = np.random.default_rng([seed, 4]), 1_000

def answers_yes(k):
    """The distribution of the number of answers yes, if k of all are ill."""
    return np.convolve(binom.pmf(np.arange(k + 1), k, truth), binom.pmf(np.arange(asked - k + 1), asked - k, lie))

def by_device():
    p, q = map(answers_yes, ill)
    yes = np.array([rng.binomial(k, truth, each) + rng.binomial(asked - k, lie, each) for k in ill])
    return (yes - asked * lie) / (truth - lie), np.log(p[yes]) - np.log(q[yes]), discrete_ceiling(p / p.sum(), q / q.sum())

def by_shuffler():
    ones = np.arange(asked + coins + 1)
    p, q = (binom.pmf(ones - k, coins, 0.5) for k in ill)
    seen = np.array([k + rng.binomial(coins, 0.5, each) for k in ill])
    ratios = np.log(np.maximum(p[seen], 1e-30)) - np.log(np.maximum(q[seen], 1e-30))
    return seen - coins / 2, ratios, discrete_ceiling(p / p.sum(), q / q.sum())

def by_hospital():
    seen = np.array(ill)[:, None] + sd_hospital * rng.normal(size=(2, each))
    return seen, ((seen - ill[1]) ** 2 - (seen - ill[0]) ** 2) / (2 * sd_hospital**2), float(ndtr((ill[1] - ill[0]) / (2 * sd_hospital)))

released = {"trusted hospital": by_hospital(), "nobody is trusted": by_device(), "shuffler": by_shuffler()}
promises = ("ε = 1 and δ = 10⁻⁵ for one patient's answer (replace one), proved, against all who see the number. The hospital sees the answers.",
            "ε = 1 and δ = 0 for one patient's answer (replace one), proved, against the hospital as well.",
            "ε = 1 and δ = 10⁻⁵ for one patient's answer (replace one), proved, against the hospital as well, if the shuffler does not work with it and the coins stay secret.")
right = [100 * ceiling for *_, ceiling in released.values()]
sds = [float(seen.std(axis=1).mean()) for seen, *_ in released.values()]
assert [round(x) for x in right] == [100, 63, 99] and round(sd_hospital, 1) == 3.7 and coins == 62 and round(np.sqrt(coins) / 2, 1) == 3.9
assert round(answer_error, 2) == 0.96 and round(answer_error * np.sqrt(asked)) == 30 and np.allclose(sds, (sd_hospital, answer_error * np.sqrt(asked), np.sqrt(coins) / 2), rtol=0.1)
assert round(truth, 2) == 0.73 and round(np.sqrt(truth * lie), 2) == 0.44 and round(truth - lie, 2) == 0.46 and 40 - 25 == 15 and 2 * 15 == 30

# %% tags=["remove-input"]
play(
    name="four_hundred_or_more", question="Were 400 patients ill, or 420?", publish="Ask 1,000 patients", player="statistician", best="best possible statistician", rounds=5,
    worlds=[World("400", "400", "400 patients were ill."), World("420", "420", "420 patients were ill.")],
    picture=Number("What the hospital makes of the answers", y="patients who were ill", low=300, high=520, beside=[Beside("400", [400.0], world=0), Beside("420", [420.0], world=1)]),
    levels=[Draws(label, seen[..., None], log_ratios=ratios, ceiling=ceiling, guarantee=promised) for (label, (seen, ratios, ceiling)), promised in zip(released.items(), promises)],
    dial=Dial("where the noise is added", low_end="1. hospital", high_end="3. shuffler", first="Nobody is trusted", next="Next setting", bars=True), stages=("rounds", "dial"),
    caption="The same patients each time. Only the way in which they are asked differs.",
    alt="One number on an axis from 300 to 520, the estimate of how many patients were ill, with marks at 400 and 420.")

# %% tags=["remove-input"]
md(f"With a trusted hospital the best statistician is right in {right[0]:.1f} of 100 rounds. If nobody is trusted it is only {right[1]:.1f}, hardly better than a coin. The shuffler is a surprise: {right[2]:.1f}, and the hospital never learned who answered what. Why is the second so bad, and the third so good?")

# %% [markdown]
# ## Own noise adds up
#
# A trusted hospital adds noise once: a standard deviation of 3.7 patients, however many are asked. Now the devices. An answer is *yes* with probability 0.73 if the patient was ill, and with 0.27 if not. The coins alone give it a standard deviation of $\sqrt{0.73 \times 0.27} = 0.44$. A patient more who was ill adds only 0.46 to the expected number of *yes*. So the hospital has to divide by 0.46, as it doubled the 15 above, and this stretches the noise as well: to 0.96, or about one patient for each answer. Errors of different signs cancel in part, so 1,000 of them add up to about $\sqrt{1{,}000}$, or 30 patients. That is eight times the noise of the trusted hospital.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **How many patients must be asked, if nobody is trusted, to know their share as exactly as a trusted hospital does with 1,000?** Choose, then move the patients until the upper line meets the grey one.
#
# * about 8,000
# * about 66,000
# * no number is enough
# ```

# %% tags=["remove-cell"]
patients = Slider("n", "patients", 1000, 1e6, 1000, points=61, steps=60, low_end="a thousand", high_end="a million")
hospital = Table.of(lambda n: 100 * sd_hospital / n, patients)
devices = Table.of(lambda n: 100 * answer_error / np.sqrt(n), patients)
enough = (answer_error / sd_hospital) ** 2 * asked**2
assert round(enough, -3) == 66_000 and round(100 * sd_hospital / asked, 2) == 0.37 and round(answer_error * np.sqrt(asked) / sd_hospital) == 8

# %% tags=["remove-input"]
explore(
    name="share_of_the_ill", sliders=[patients], x=patients, y=Axis("noise", "standard deviation of the noise, in % of the patients", 1e-4, 10),
    curves=[Curve("trusted hospital", hospital), Curve("nobody is trusted", devices), Curve("trusted hospital, 1,000 patients", constant(100 * sd_hospital / asked), reference=True)],
    guarantee="{n} patients answer, each with ε = 1 for the own answer (replace one), proved: a trusted hospital with δ = 10⁻⁵ against all others, devices with δ = 0 against the hospital as well.",
    alt="The noise in percent of the patients against their number, both axes logarithmic, here at {n} patients. Both lines fall. That of the trusted hospital falls twice as steeply as that of the devices.",
    caption="Exact. The line of the shuffler is left out: it would be 5.5 % above that of the trusted hospital.")

# %% tags=["remove-cell"]
assert round(100 * (np.sqrt(coins) / 2 / sd_hospital - 1), 1) == 5.5

# %% [markdown]
# **What you should see.** About 66,000. Eight times as many patients are not enough, because they bring more noise of their own: it grows like $\sqrt n$, so in percent of the $n$ patients it falls only like $1/\sqrt n$. To be eight times as exact takes about $8^2$ times as many. And the lines move apart: the more exact a count has to be, the more it costs to trust nobody.
#
# But in the game the shuffler did nearly as well as the trusted hospital. How?
#
# ## A shuffler between
#
# Let each patient put the *true* answer into an envelope without a name. The first few patients also toss a coin, and put the result into one more envelope, as 1 for heads and 0 for tails. A shuffler mixes all envelopes, and then the hospital opens them. It counts the ones, and subtracts half the number of coins.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two rows. In each, Anna's envelope, the envelopes of nine other patients with four ones, and six coin envelopes go through an arrow labelled shuffler into a sorted pile. In the upper row Anna's envelope holds a one and two coins show heads. In the lower row it holds a zero and three coins show heads. Both piles have seven ones and nine zeros."}}
others, coins_yes, coins_no = [0, 1, 0, 0, 1, 1, 0, 1, 0], [1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]
fig, axes = plt.subplots(2, 1, figsize=(7.2, 2.7))
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
# Anna's answer carries no noise of its own. It is hidden among the heads of the others: a *yes* with two heads and a *no* with three leave the same pile. Suppose even that the hospital knows all answers but hers and subtracts them. It is left with the heads, and one more if she said *yes*.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **What is the smallest number of coins that hides Anna's answer with ε = 1 and δ = 10⁻⁵, if a thousand patients answer?** Choose, then move the coins until δ, the part that ε does not cover, is at most 0.00001.
#
# * 6
# * 62
# * 100
# ```

# %% tags=["remove-cell"]
coin_numbers = (2, 6, 14, 30, 62, 100)
tossed = Choice("coins", "coins, in all", tuple(map(str, coin_numbers)), "6", low_end="few", high_end="many")
left = Axis("left", "ones that are left, minus half the number of coins", -16, 16, points=33, scale="linear")
places = np.arange(-16, 17)

def excess(coins):
    """The part of no that is above e times yes."""
    heads = np.arange(-1, coins + 2)
    return np.maximum(binom.pmf(heads, coins, 0.5) - np.e * binom.pmf(heads - 1, coins, 0.5), 0).sum()

with_no, with_yes = ([binom.pmf(places + c // 2 - more, c, 0.5) for c in coin_numbers] for more in (0, 1))
deltas = np.array([excess(c) for c in coin_numbers])
assert abs(np.sum(with_no, axis=1) - 1).max() < 0.01 and excess(62) <= delta < excess(60) and round(deltas[1], 3) == 0.067
assert round(np.sqrt(6) / 2, 1) == 1.2 and np.isclose(excess(6), (1 + 6 - np.e) / 64)

# %% tags=["remove-input"]
explore(
    name="coins_hide_an_answer", sliders=[tossed], x=left, bars=True, y=Axis("p", "probability", 0, 0.55, scale="linear"),
    curves=[Curve("Anna says no", Table((tossed, left), with_no, scale="linear")), Curve("Anna says yes", Table((tossed, left), with_yes, scale="linear"), reference=True)],
    readouts=[Readout("delta", "δ at ε = 1", Table((tossed,), deltas, scale="log")), Readout("noise", "standard deviation of the count", Table((tossed,), np.sqrt(coin_numbers) / 2, scale="linear"), unit="patients")],
    guarantee="With {coins} coins, the mixed envelopes promise ε = 1 and δ = {delta} for one patient’s answer (replace one), proved, against the hospital as well, if the shuffler does not work with it and the coins stay secret.",
    alt="Bars show how many ones are left if Anna says no, and lines show where their tops are if she says yes, one place further to the right. With {coins} coins δ is {delta}. With few coins bars and lines differ clearly, with many coins they nearly agree.",
    caption="Exact. The number of other patients does not matter: the hospital has subtracted their answers.")

# %% [markdown]
# **What you should see.** 62. With six coins *yes* is the pile of *no*, moved by a good part of its spread of 1.2, and at the ends one of the two hardly ever occurs: δ = 0.067. With 62 the same step is small beside the spread of 3.9, and only the far ends give Anna away, with a probability below δ. So the number of coins depends on ε and δ, and not on the number of patients. The count's noise is 3.9, where the trusted hospital had 3.7.
#
# Two things must be trusted. The shuffler must not work together with the hospital, and the coins must stay secret. {ref}`The evidence counts the coins <online-one-count>`.
#
# ## What it costs the ward
#
# Now the ward of the last page, with its 48 counts. Each device keeps its patient's record, and reports in one of two ways:
#
# * **Through a shuffler.** The device puts a bit into an envelope for each of the 48 counts: 1 if the stay has such a day. Each count has coins of its own in each batch, about a thousand, which the patients of the batch share. *Guarantee:* ε = 1 and δ = 10⁻⁵ for one patient's stay (replace one), proved, against the hospital as well, behind a shuffler that can be trusted, with coins that stay secret.
# * **If nobody is trusted.** The device draws one day of ten and reports that day with noise of its own. *Guarantee:* ε = 1 and δ = 0 for one patient's stay (replace one), proved, against all who see the report.
#
# {ref}`The evidence has both reports, the second in code <online-ward-devices>`.
#
# A ward *has learned* when its new patients, from then on, lose less than a tenth of what they would lose if treated at random. With a trusted hospital that takes one to three thousand patients.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **After how many patients has the ward learned if nobody is trusted, at the same ε = 1?**
#
# * about 20,000
# * hundreds of thousands
# * no number is enough
# ```

# %% tags=["remove-cell"]
flip = 1 / (1 + np.exp(0.5))                     # two bits of a report move: half of ε each

def local_ward(times, runs, rng, noise_rng):
    """Regret of posterior sampling on such reports: the sum of a batch's reports is drawn at once, by its exact distribution."""
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

# %% tags=["remove-input"] mystnb={"image": {"alt": "What each new patient loses, in percent of treating at random, against the number of patients on a logarithmic axis up to a million. That of the trusted hospital falls first, within the first thousand, that of the shuffler soon after. If nobody is trusted it stays near 100 percent until tens of thousands of patients and falls below ten percent only after more than a hundred thousand."}}
fig, ax = plt.subplots(figsize=(7.4, 3.5))
for (name, x, y), colour in zip((("central", 255, 22), ("shuffled", 1_900, 42), ("local", 90_000, 45)), (PALETTE[0], PALETTE[2], PALETTE[1])):
    ax.step(np.append(at[name][0] / 1.2, at[name]), 100 * np.append(loss_of_new(name)[0], loss_of_new(name)), where="pre", color=colour, lw=2)
    ax.text(x, y, {"central": "trusted\nhospital", "shuffled": "shuffler", "local": "nobody is trusted"}[name], color=colour, weight="bold", ha="left")
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
if effort >= 1:
    behind = loss_of_new("shuffled") - loss_of_new("central")
    assert behind[1] < 0 and (behind[2:20] > 0).all() and (loss_of_new("shuffled")[2:6] > loss_of_new("shuffled")[1]).all() and loss_of_new("shuffled")[6] < loss_of_new("shuffled")[1]
    assert learned["central"] == 1_294 and round(learned["local"], -5) == 400_000 and 100 < times_more[0] and 50 < times_more[0] < 150 and 350 < times_more[1] < 600
assert effort < 1 or loss_of_new("shuffled")[1] < loss_of_new("central")[1]

# %% tags=["remove-cell"]
first_both = {name: float(np.interp(few, at[name], mean[name])) for name in mean}
once, six = FirstVisits(1), FirstVisits(6)
boards = {"hospital": counter("doubling-toeplitz", few, table_sensitivity(10, 1, six, pairs=12), epsilon=epsilon, delta=delta, times=at["central"]),
          "coins": ShuffledCounter(times=at["shuffled"], epsilon=epsilon, delta=delta, cells=20),
          "hospital, once": counter("doubling-toeplitz", few, table_sensitivity(10, 1, once, pairs=12), epsilon=epsilon, delta=delta, times=at["central"])}
sd = {name: made.standard_deviations for name, made in boards.items()}

def with_noise_of(board, counting, key):
    """What the patients lose, and its standard error, if stays are counted so and the sums get the noise of this board, whatever it would promise."""
    dice = generators(8, key)

    def plan(totals, deviation):
        blurred = totals[:, None] + deviation / 2 * dice["rng"].normal(size=(len(totals), 32, *totals.shape[1:]))
        chances = dice["rng"].standard_gamma(plausible_counts(blurred) + 1 / 4)
        return best_policies((chances / chances.sum(axis=-1, keepdims=True))[:, :, None], clinic.rewards)
    end = learn_in_batches(clinic, counting, boards[board].times, plan, boards[board], runs=2 * runs, **dice).regret[:, -1]
    return float(end.mean()), float(end.std(ddof=1) / np.sqrt(2 * runs))

of_both = {(board, counting.cap): with_noise_of(board, counting, 2 * k + j) for k, board in enumerate(("hospital", "coins")) for j, counting in enumerate((once, six))}
of_both["hospital, once", 1] = with_noise_of("hospital, once", once, 4)
rightly = best_policies(clinic.transitions[None], clinic.rewards)[0]
smaller = {}                                                     # days on which serious patients got better under gentle
for name, policy in (("at random", at_random), ("rightly", rightly)):
    by_cap = [count_days_non_private(clinic, policy[None, None], 20_000, counting, np.random.default_rng([seed, 9]))[0][2, 1, 1] for counting in (once, six)]
    smaller[name] = by_cap[0] / by_cap[1]
overtakes = int(np.argmax(sd["coins"] > sd["hospital"])) + 1      # a batch
more_patients = np.percentile(again["shuffled"] / again["central"], [2.5, 97.5])
assert all(abs(smaller[name] - x) < 0.05 for name, x in (("at random", 0.55), ("rightly", 0.34)))
if effort >= 1:
    assert 1.9 < first_both["shuffled"] / first_both["central"] < 2.2 and len(sd["coins"]) == 25 and [round(x[k]) for x in (sd["coins"], sd["hospital"]) for k in (0, -1)] == [17, 97, 55, 79]
    assert overtakes == 19 and (sd["coins"][overtakes - 1:] > sd["hospital"][overtakes - 1:]).all()
    for cap in (1, 6):                                           # in both ways of counting the coins are the better noise
        assert of_both["coins", cap][0] + 2 * np.hypot(of_both["coins", cap][1], of_both["hospital", cap][1]) < of_both["hospital", cap][0]
    assert of_both["hospital", 1][0] > 2 * of_both["hospital", 6][0] and of_both["coins", 1][0] > 2 * of_both["coins", 6][0]
    assert abs(of_both["hospital", 6][0] / first_both["central"] - 1) < 0.1 and abs(of_both["coins", 1][0] / first_both["shuffled"] - 1) < 0.15
    assert 1 < more_patients[0] < 3 and more_patients[1] < 20
shuffler_costs = (f"Behind the shuffler, this ward's {few:,} patients lose {round(first_both['shuffled'], -1):,.0f} recovered days, and with a trusted hospital {round(first_both['central'], -1):,.0f}. The noise is not the trouble: in a count it is {sd['coins'][0]:.0f} days after the first batch, where the trusted hospital has {sd['hospital'][0]:.0f}, and more than there only from batch {overtakes} of 25 on. "
                  "But a bit says only *that* a stay has such a day, and the trusted ward counts up to six of them. So the counts are about half as large at first, and a third once serious patients are treated rightly. To count six days, a stay would take many more coins.")

# %% tags=["remove-input"]
md("**The answer.** About 400,000. " + (f"That is {round(times_more[0], -2):.0f} to {round(times_more[1], -2):.0f} times as many as with a trusted hospital. " if effort >= 1 else "") + """It is the square root again. When a trusted ward has learned, devices would still be ten times as noisy in its 48 counts. More patients bring more noise, so to make up for this takes about a hundred times as many. {ref}`The evidence has this estimate, and where the ten comes from <online-why-so-many>`. It is a little too small.

""" + shuffler_costs + """

A cleverer report may cost less, but none is free: {cite:t}`garcelon2021` prove a lower bound in which local privacy *multiplies* the regret. And no noise in the report hides what a pharmacy sees, since {doc}`a treatment that fits shows the condition <09_what_stays_open>`.""")

# %% tags=["remove-input"]
md(f"""```{{dropdown}} How sure these numbers are, and what each ward promises
Ranges of 95 %, from {runs} simulated wards that are drawn again, {more_runs} for the last one:

| | has learned after | {few:,} patients lose | *guarantee*: ε = 1 for one stay (replace one), proved |
|---|---|---:|---|
| trusted hospital | {round(between['central'][0], -2):,.0f} to {round(between['central'][1], -2):,.0f} | {round(first_both['central'], -1):,.0f} | joint, against other patients, δ = 10⁻⁵ |
| shuffler | {round(between['shuffled'][0], -2):,.0f} to {round(between['shuffled'][1], -2):,.0f} | {round(first_both['shuffled'], -1):,.0f} | against the hospital as well, δ = 10⁻⁵, with the two things trusted |
| nobody is trusted | {round(between['local'][0], -4):,.0f} to {round(between['local'][1], -4):,.0f} | {round(first_both['local'], -2):,.0f} | against all who see the report, δ = 0 |

Treated at random, {few:,} patients would lose {round(per_patient * few, -2):,.0f} recovered days. Nobody trusted takes {round(times_more[0], -1):.0f} to {round(times_more[1], -1):.0f} times as many patients as a trusted hospital. Standard errors of the losses are at most {100 * max(float(error[name][-1] / mean[name][-1]) for name in mean):.0f} % at the ends.
```""")

# %% tags=["remove-input"]
lose = {key: f"{round(mean, -1):,.0f} ± {round(error, -1):.0f}" for key, (mean, error) in of_both.items()}
md(f"""```{{dropdown}} Noise or bits: what makes the shuffler lose more?
Each ward can be simulated with the noise of the other. Recovered days that {few:,} patients lose, ± standard errors of {2 * runs} runs:

| | noise of the trusted hospital, {sd['hospital'][0]:.0f} to {sd['hospital'][-1]:.0f} | noise of the coins, {sd['coins'][0]:.0f} to {sd['coins'][-1]:.0f} |
|---|---:|---:|
| a count holds up to six days of a stay | {lose['hospital', 6]} | {lose['coins', 6]} |
| a count holds a stay once | {lose['hospital', 1]} | {lose['coins', 1]} |

In neither row are the coins the worse noise. To count a stay once is what costs so much. A trusted ward that counts once needs less noise for the same promise, {sd['hospital, once'][0]:.0f} to {sd['hospital, once'][-1]:.0f}, and loses {lose['hospital, once', 1]}. The coins of all batches add up, so their noise grows faster than this. In the second batch there is as much of it again for only 60 patients more, and the curve of the shuffler rises once more.
```""")

# %% [markdown]
# ## To take away
#
# * Where the noise is added decides which party has to be trusted: the hospital, a shuffler, or only your own device.
# * A trusted hospital adds noise once. Devices add it with every patient, so it grows like $\sqrt n$, and in this ward learning took a hundred to five hundred times as many patients.
# * Behind a shuffler true answers hide among coins, 62 for one count at ε = 1 and δ = 10⁻⁵, and the count is nearly as exact as with a trusted hospital. In this ward an envelope counts a stay once, so all counts are smaller. The 20,000 patients lost twice as much, and learning took a few times as many.
