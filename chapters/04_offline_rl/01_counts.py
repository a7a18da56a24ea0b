# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A hospital learns from logged stays by counting. What one patient changes in the counts, the noise that hides it,
#         and counts that add up again.'
# ---

# %% [markdown]
# # Counting in private
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A hospital wants to learn a better treatment from old records and publish it. How does it hide each single
#   patient?
# * **The answer.** All it needs are counts. One patient changes only a few of them, by 1 each. Noise hides that, and a simple repair
#   makes the noisy counts add up again.
# * **What is protected.** One patient's whole stay. Neighbouring data sets differ in one stay, which is replaced by another.
# * **What you need.** {doc}`/chapters/01_foundations/03_noise_that_keeps_it`.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2023         # all randomness comes from here
n_patients = 3_000
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.stats import norm

from privrl_core.offline import consistent_counts, count_transitions, noise_bound, sample_counts
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.pages.game import Beside, Noisy, Stems, World, play
from privrl_core.privacy import GaussianNoise, GaussianWorlds, gaussian_epsilon, gaussian_mu
from privrl_core.world import Episodes, EpisodicMDP

use_theme()
rng = np.random.default_rng(seed)             # the patients, and all that is not private
noise_rng = np.random.default_rng([seed, 1])  # the noise has a stream of its own

# %% [markdown]
# ## A better treatment from old records
#
# A ward has treated three thousand patients, each for six days. Every morning a doctor noted the patient's condition, from 0 for
# *critical* to 4 for *well*, and the treatment of the day: *wait*, *gentle* or *strong*. The condition was noted once more when the patient left.

# %% tags=["remove-cell"]
S, A, H = 5, 3, 6
chance_up = np.array([[.15, .20, .45], [.25, .35, .45], [.35, .50, .40], [.45, .65, .35], [.00, .00, .00]])
chance_down = np.array([[.00, .00, .00], [.35, .25, .20], [.25, .15, .25], [.15, .10, .30], [.10, .05, .35]])
one_day = np.zeros((S, A, S))
for s in range(S):
    for a in range(A):
        one_day[s, a, min(s + 1, S - 1)] += chance_up[s, a]
        one_day[s, a, max(s - 1, 0)] += chance_down[s, a]
        one_day[s, a, s] += 1 - chance_up[s, a] - chance_down[s, a]
well = np.tile((np.arange(S) == S - 1)[:, None], (1, A))
ward = EpisodicMDP(np.broadcast_to(one_day, (H, S, A, S)), np.broadcast_to(well, (H, S, A)), [.2, .3, .3, .2, 0])
patients = sample_counts(ward, np.full((H, S, A), 1 / A), n_patients, rng)

treatments = ["wait", "gentle", "strong"]
anna = [0, 1, 1, 2, 3, 3, 4], [2, 2, 0, 1, 1, 0]
other = [3, 2, 3, 4, 4, 4, 3], [0, 1, 1, 0, 0, 0]

# %% [markdown]
# Nothing new may be tried on anybody. The hospital wants to find a better way to treat from these records alone. This is called
# **offline reinforcement learning**.
#
# For each day, condition and treatment it needs the probabilities of the next condition. From these and from the public goal, to be well, the best policy follows, as in
# {doc}`/chapters/01_foundations/01_reinforcement_learning`. And the probabilities are shares of counts:
#
# * a **pair count**: how many patients were in condition $s$ on this day and got treatment $a$;
# * a **triple count**: how many of these were in condition $s'$ on the next day.

# %% tags=["remove-input"]
sick_day = patients.steps[2].toarray().reshape(S, A, S)[1]     # day 3, condition 1
table = pd.DataFrame(sick_day, index=treatments, columns=[f"then {s}" for s in range(S)])
table.insert(0, "pair count", sick_day.sum(axis=1))
table.style.set_caption("Day 3, condition 1, in all three thousand records. The triple counts of a row add up to its pair count.")

# %% tags=["remove-input"]
strong, waiting = sick_day[2], sick_day[0]
md(f"In this condition {strong[2] / strong.sum():.0%} were better the next day after the strong treatment, and {waiting[2] / waiting.sum():.0%} after "
   f"waiting. All of them were in the same condition, so equally ill as far as the records can tell; what the condition does not record, the comparison cannot see. Such tables, with {S * A} rows for each of the {H} days, are everything that the hospital has to look at. A row is one pair count and {S} triple counts, so there are {S * A * H} rows and {S * A * H * (S + 1)} **cells**. It is enough to make "
   "*them* private. Whatever is computed from them later costs nothing more.")

# %% [markdown]
# ## What one patient changes
#
# ```{admonition} Guess first
# :class: hint guess right-3
# Anna's record is replaced by that of another patient. **How many counts of the whole table change, at most?**
#
# * 2
# * 12
# * 24
# * 48
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two paths over seven mornings, condition against day. Anna's path has six dots, one a day, and six segments; the path of the other patient has six dots and six segments elsewhere."}}
fig, ax = plt.subplots(figsize=(7.4, 2.9))
for (states, actions), colour, name, place in ((anna, PALETTE[0], "Anna: these counts\ngo down by 1", (3.3, 0.35)),
                                               (other, PALETTE[1], "another patient: these\ngo up by 1", (1.25, 3.6))):
    ax.plot(range(1, H + 2), states, color=colour, lw=2)
    ax.plot(range(1, H + 1), states[:-1], "o", ms=9, color=colour)
    for day, (state, action) in enumerate(zip(states, actions), 1):
        ax.annotate(treatments[action][0], (day, state), color="white", ha="center", va="center", fontsize=8, weight="bold")
    ax.text(*place, name, color=colour, weight="bold", va="center")
ax.set(xticks=range(1, H + 2), yticks=range(S), ylim=(-0.6, 4.5), xlabel="morning of day", ylabel="condition",
       title="Each dot is a pair count, each line a triple count");

# %% tags=["remove-cell"]
pair = [Episodes.from_lists([states], [actions], [[0] * H]) for states, actions in (anna, other)]
difference = np.array([count_transitions(pair[0], S, A, horizon=H).steps[h].toarray()
                       - count_transitions(pair[1], S, A, horizon=H).steps[h].toarray() for h in range(H)])
by_pair = difference.sum(axis=2)
assert np.abs(difference).sum() == np.abs(by_pair).sum() == 12 and set(np.unique(by_pair)) <= {-1, 0, 1}

# %% [markdown]
# **What you should see.** Up to 24 change, each by 1. A dot is a pair count: this condition and this treatment, whose first letter it shows, on this day. A line
# is a triple count, because it leads from a pair to the next condition. Anna contributes 6 dots and 6 lines, which makes 12. The other patient contributes as
# many, in other places if they never share a dot.
#
# ### Play: whose record is it?
#
# The hospital publishes all counts with noise. You know the records of all patients but one, and you have subtracted them. What is left is noise, and a 1 in each of
# Anna's counts or in each of the other patient's. The noise on every single count is three times as large as what you look for. Whose record is it?
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How many times in 100 is the best attacker right?** Choose, then play.
#
# * about 50
# * about 65
# * about 80
# * about 95
# ```

# %% tags=["remove-input"]
touched = np.array([np.repeat([1.0, 0.0], 2 * H), np.repeat([0.0, 1.0], 2 * H)])   # Anna's twelve counts, and the other patient's

def with_noise(scale, label):
    promise = gaussian_epsilon(delta, np.sqrt(4 * H) / scale)
    return Noisy(label, GaussianWorlds(means=touched, scales=scale),
                 guarantee=f"(ε = {round(promise, 1):g}, δ = {show(delta)})-differential privacy for one stay (replace one), proved.")

sigma = 2 * np.sqrt(H) / gaussian_mu(epsilon, delta)
levels = [with_noise(1.0, "noise of 1 patient"), with_noise(3.0, "noise of 3 patients"), with_noise(sigma, f"noise of {sigma:.1f} patients")]
play(
    name="whose_record", question="Anna’s record, or the other patient’s?",
    worlds=[World("Anna", "it is Anna’s", "It was Anna’s record."), World("other", "it is the other’s", "It was the other patient’s record.")],
    picture=Stems("What is left of the 24 counts", x="count (Anna’s: 1 to 12)", y="patients",
                  beside=[Beside("Anna’s record", touched[0], world=0), Beside("the other’s", touched[1], world=1)]),
    levels=levels[1:2], noise=GaussianNoise.of_epsilon(1.0, delta).draw(1.0, 12_000, np.random.default_rng([seed, 2])),
    rounds=10,
    caption="Each release has noise of 3 patients on every count. A coin decides whose record it is.",
    alt="Twenty-four stems of noise. To twelve of them, on the left or on the right, 1 is added.")

# %% tags=["remove-cell"]
assert 0.785 < levels[1].ceiling < 0.80 and 0.55 < levels[2].ceiling < 0.56 and levels[0].ceiling > 0.99

# %% tags=["remove-input"]
md(f"**The answer.** Noise of 3 patients drowns every single count, and still the best attacker is right {100 * levels[1].ceiling:.0f} times in 100. This attacker adds up Anna's twelve counts and the other patient's twelve, and bets on the larger sum: all 24 counts tell the same story. "
   f"With noise of 1 patient it would be {100 * levels[0].ceiling:.0f} times. Noise of 3 patients is worth ε = {gaussian_epsilon(delta, np.sqrt(4 * H) / 3):.1f}. Only with {sigma:.1f} patients, at ε = {show(epsilon)}, is the best attacker close to a coin, with {100 * levels[2].ceiling:.0f} in 100. The noise has to hide the 24 changes *together*.")

# %% [markdown]
# How far does the table move? Its change is a list of twelve numbers +1 and twelve numbers −1, and the Euclidean length of this list is $\sqrt{24}$. In general, with
# $H$ days, the sensitivity of all the counts together is
#
# $$\Delta = \sqrt{4H} = 2\sqrt H .$$
#
# No other pair of patients moves the table further, which was {ref}`checked for all pairs of patients in a small ward <counts-sensitivity>`.
#
# ## Noise in every cell
#
# Gaussian noise has to have the standard deviation $\sigma = \Delta/\mu$, where the number $\mu$ stands for ε and δ, as in
# {doc}`/chapters/01_foundations/03_noise_that_keeps_it`; at ε = 1 and δ = 10⁻⁵ it is 0.268. Negative counts are set to 0 afterwards, which looks only at the noisy counts and is
# free:

# %%
def noisy(counts, rng):
    sigma = 2 * np.sqrt(H) / gaussian_mu(epsilon, delta)
    with_noise = counts + sigma * rng.normal(size=counts.shape)   # empty cells, too
    return np.maximum(with_noise, 0)

# %% tags=["remove-cell"]
assert np.isclose(sigma, GaussianNoise.of_epsilon(epsilon, delta).scale(patients.sensitivity))
assert round(gaussian_mu(1.0, 1e-5), 3) == 0.268

# %% tags=["remove-input"]
md(f"Here σ = √{4 * H}/{gaussian_mu(epsilon, delta):.3f} = **{sigma:.1f} patients** in every cell. With so much noise the best attacker of the game is right {100 * levels[2].ceiling:.0f} times in 100. The whole table of pair and triple counts then has (ε = {show(epsilon)}, δ = {show(delta)})-differential "
   "privacy for one stay (replace one), proved: Lemma C.1 of {cite:t}`qiao2023`, in whose paper this chapter begins.")

# %% [markdown]
# Cells with a count of 0 get noise, too. Suppose that they did not. If Anna is the only patient who ever got a rare treatment,
# her cell would be noisy with her record and exactly 0 without it, and one look would tell.
#
# ### Explore: how many patients until the noise is small?
#
# The noise does not depend on the number of patients, but the counts do. Suppose that they spread evenly over the 15 pairs of the ward.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **At ε = 1, how many patients does it take until the noise is a tenth of a pair count?** Choose, then move the number of patients.
#
# * 300
# * 3,000
# * 30,000
# ```

# %% tags=["remove-input"]
patients_slider = Slider("patients", "patients in the records", 100, 1e5, 300, points=61, low_end="small counts", high_end="large counts")
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 5, 1, points=35, low_end="wider noise", high_end="narrower noise")
delta_slider = Slider("delta", "δ of the Gaussian noise", 1e-8, 0.1, delta, points=65, low_end="wider noise", high_end="narrower noise")
share = Table.of(lambda patients: S * A / patients, patients_slider)
exact = Table.of(lambda epsilon, delta: 2 * np.sqrt(H) / gaussian_mu(epsilon, delta), epsilon_slider, delta_slider)
laplace = Table.of(lambda epsilon: np.sqrt(2) * 4 * H / epsilon, epsilon_slider)

explore(
    name="noise_on_counts", sliders=[patients_slider, epsilon_slider, delta_slider], x=patients_slider,
    y=Axis("noise", "noise as a share of the count", 1e-4, 100),
    curves=[Curve("Gaussian noise", exact * share), Curve("Laplace noise, δ = 0", laplace * share), Curve("a tenth of a count", constant(0.1), reference=True)],
    readouts=[Readout("share", "Gaussian noise, as a share", exact * share),
              Readout("exact", "Gaussian noise, in patients", exact),
              Readout("laplace", "Laplace noise, in patients", laplace)],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one stay (replace one), proved. With Laplace noise δ is 0.",
    alt="Standard deviation of the noise as a share of a pair's count, against the number of patients, at ε = {epsilon} and "
        "δ = {delta}: two falling lines. The Gaussian noise is {exact} patients, {share} of a count; Laplace noise is {laplace} patients.",
    caption=f"Standard deviation of the noise in a ward with {S} conditions, {A} treatments and {H} days.")

# %% tags=["remove-input"]
tenth = {e: 10 * S * A * 2 * np.sqrt(H) / gaussian_mu(e, delta) for e in (1.0, 0.1)}
assert 8 < tenth[0.1] / tenth[1.0] < 9
ratio = np.sqrt(2) * 4 * H / (2 * np.sqrt(H) / gaussian_mu(1.0, delta))
md(f"**What you should see.** It takes about {round(tenth[1.0], -2):,.0f} patients, {round(tenth[1.0] / 15, -1):.0f} for each pair. With 300 patients the noise is nearly as large as the count of {300 / 15:.0f}. At ε = 0.1 it takes {round(tenth[0.1], -3):,.0f}, "
   f"more than eight times as many. Laplace noise is {ratio:.1f} times as wide at δ = {show(delta)}, because it has to cover the *sum* of the 24 changes and not "
   "only their Euclidean length.")

# %% tags=["remove-cell"]
assert 2_000 < tenth[1.0] < 4_000 and 8 < tenth[0.1] / tenth[1.0] < 10

# %% [markdown]
# ## The counts no longer add up
#
# The triple counts of a row used to add up to its pair count. After the noise they do not. Could the hospital drop the noisy pair counts, and add up the noisy triple counts instead?
#
# What happens then is best seen where many cells are empty, in a hospital that tells twelve conditions apart. From one pair, 120 patients went on to one condition, 60 to another, and nobody to the other
# ten. Each of the twelve triple counts gets noise, here with a standard deviation of 12 patients, and negative ones are set to 0.
#
# ```{admonition} Guess first
# :class: hint guess right-1
# **Compared with the true 180 patients, what is the sum of the twelve noisy counts?**
#
# * too high
# * about right
# * too low
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels. Left, twelve bars of noisy counts, two tall and the others short, with a horizontal water level. Right, what sticks out above the level: the two tall bars, and little else."}}
true_row = np.zeros(12)
true_row[[3, 7]] = 120, 60
bars = np.maximum(true_row + np.random.default_rng(5).normal(0, 12, 12), 0)
noisy_pair = 183.0
kept = consistent_counts(bars, noisy_pair, 0.0)
level = (bars - kept).max()
fig, axes = plt.subplots(1, 2, figsize=(8.8, 3.1), sharey=True)
axes[0].bar(range(12), np.minimum(bars, level), color=REFERENCE, alpha=0.35)
axes[0].bar(range(12), kept, bottom=level, color=PALETTE[0])
axes[0].axhline(level, ls="--", lw=1.4, color=PALETTE[1])
axes[0].text(11.6, level + 16, f"water level, {level:.0f}", color=PALETTE[1], ha="right", va="bottom", weight="bold")
axes[0].text(2.3, 96, "what sticks\nout is kept", color=PALETTE[0], ha="right", weight="bold")
axes[0].set(ylabel="patients", title=f"Before: the bars add up to {bars.sum():.0f}")
axes[1].bar(range(12), kept, color=PALETTE[0])
axes[1].plot(range(12), true_row, "k_", ms=15)
axes[1].text(3.7, 120, "true count", va="center")
for at in np.flatnonzero(kept >= 0.5):
    tall = kept[at] > 100
    axes[1].text(at + (0.6 if tall else 0), kept[at] + (-16 if tall else 2), f"{kept[at]:.1f}", ha="left" if tall else "center", va="bottom", fontsize=8, color="#4a5058")
axes[1].set(title=f"After: they add up to {noisy_pair:.0f}")
for ax in axes:
    ax.set(xlabel="next condition", xticks=range(12))
    ax.grid(False, axis="x");

# %% tags=["remove-input"]
off = [np.abs(row - true_row).sum() for row in (bars, kept)]
assert np.isclose(kept.sum(), noisy_pair)
md(f"**What you should see.** The sum is too high: the bars on the left add up to {bars.sum():.0f}, where 180 patients are true. Setting negative counts to 0 "
   "keeps the noise that points upwards and drops the rest. It would be about right without this step, since noise goes up as often as down. What points upwards adds 0.4 standard deviations on average, so each of the ten empty cells adds 0.4 · 12 = 4.8 patients. With a thousand conditions, "
   "{ref}`such a sum is off by hundreds <sums-collect-noise>`."
   f"\n\nSo the pair count is needed after all, since its noise enters only once. Here the noisy pair count is {noisy_pair:.0f}. **A water level.** Let water rise over the noisy bars, and stop as soon as what sticks out adds up to "
   f"{noisy_pair:.0f}. The sum is nearly right now, and of the ten empty conditions only three still stick out. The true bars are lowered, too: the second from {bars[7]:.0f} to {kept[7]:.0f}, where 60 is true. But all twelve errors together shrink from {off[0]:.0f} patients to {off[1]:.0f}.")

# %% tags=["remove-cell"]
dry = int(np.sum(kept[true_row == 0] > 0.5))
assert dry == 3 and abs(12 / np.sqrt(2 * np.pi) - 4.8) < 0.05 and off[1] < 0.7 * off[0]

def water(noisy_triples, allowed):
    """Lower all counts by the same level, down to 0, until their sum is allowed."""
    tallest_first = np.sort(noisy_triples)[::-1]
    levels = (np.cumsum(tallest_first) - allowed) / np.arange(1, len(noisy_triples) + 1)
    return np.maximum(noisy_triples - max(levels.max(), 0), 0)

# %% tags=["remove-cell"]
assert np.allclose(water(bars, noisy_pair), kept)
assert all(np.allclose(water(row, total), consistent_counts(row, total, 0.0))
           for row, total in ((rng.exponential(3, size=7), 2.0) for _ in range(50)))

# %% [markdown]
# ## When is a count more than noise?
#
# Back to our ward. A tenth of a count, above, was the *typical* noise on *one* count. The next page needs a bound on *all* noise at once.

# %% tags=["remove-input"]
E = 2 * noise_bound(patients, GaussianNoise.of_epsilon(epsilon, delta), 0.1)
cells = H * S * A * (1 + S)
widest = norm.isf((1 - 0.9 ** (1 / cells)) / 2)
assert cells == 540 and sick_day.max() < E < sick_day.sum(axis=1).min() and np.isclose(E / 2 / sigma, np.sqrt(2 * np.log(4 * H * S**2 * A / 0.1)))
exact = np.array([step.toarray() for step in patients.steps]).reshape(H * S * A, S)
triples, of_pairs = (table + sigma * noise_rng.normal(size=table.shape) for table in (exact, exact.sum(axis=1)))
repaired = consistent_counts(np.maximum(triples, 0), np.maximum(of_pairs, 0), E / 2)
assert max(np.abs(triples - exact).max(), np.abs(of_pairs - exact.sum(axis=1)).max()) < E / 2        # as in 90 of 100 releases
assert np.abs(repaired - exact).max() < E and np.abs(repaired.sum(axis=1) - exact.sum(axis=1)).max() < E
assert np.abs(repaired - np.maximum(triples, 0)).max() < E / 2 and round(E / 2) == 81 and f"{widest:.1f}" == "3.7" and f"{E / 2 / sigma:.1f}" == "4.4" and round(E / sigma) == 9
md(f"""1. **One cell.** Noise beyond 2σ is rare.
2. **All {cells} cells.** Among so many, some are unlucky. With a probability of 90 % the largest of {cells} normal numbers stays below {widest:.1f} σ in size. The bound of the paper is a little more careful: {E / 2 / sigma:.1f} σ, which is {E / 2:.0f} patients.
3. **A repaired count.** The repair may move a count by as much again, so no repaired count is off by more than twice this, $E_\\rho$ = **{E:.0f} patients**. The letter ρ says that it depends on the privacy budget.

In the table of day 3, the pair counts, from {sick_day.sum(axis=1).min()} to {sick_day.sum(axis=1).max()}, are not far above $E_\\rho$. A pair count below $E_\\rho$ is too uncertain to rest a decision on.""")

# %% [markdown]
# Why does the repair move no count by more than 81? The noisy pair count may itself be 81 patients too low. So {cite:t}`qiao2023` change the triple counts of a row only if their sum is more than 81 away from the noisy pair count, and only until it is 81 away. Their water stops earlier than ours, and if the sum is too low, all counts of the row rise alike. From then on the pair count is the sum of its row. As long as no noise is larger than 81, no count then moves by more than 81
# {ref}`[proof] <counts-to-laws>`. The authors compute such **consistent** counts by a linear program, {ref}`which has just this solution <water-level>`.
#
# ## Check yourself
#
# **1. A promise of ε = 1 was made for stays of six days. Some patients left after two days. Is the promise kept for them?**
#
# ```{dropdown} No, because their records are different from the others.
# The promise is about every record of at most six days. What counts is how many counts a record can change.
# ```
# ```{dropdown} Yes. They change fewer counts than the noise was made for.
# ✓ Right. Shorter stays are only safer. A stay of twelve days would break the promise, since it changes twice as many counts.
# ```
# ```{dropdown} Only if their days are padded with noise.
# Every cell has its noise already, whatever the records are.
# ```
#
# **2. Before it publishes the noisy table, a hospital leaves out all cells whose *noisy* count is below 100. Is the promise kept?**
#
# ```{dropdown} No. A missing cell tells that few patients were there.
# It tells that the *noisy* count was low, and this was allowed to be published.
# ```
# ```{dropdown} Yes. Which cells are left out depends on the noisy counts only.
# ✓ Right. If it depended on the true counts, the promise would be broken: an exact 0 says for certain that Anna was not there.
# ```
# ```{dropdown} Only if no true count was 0.
# Cells with a true count of 0 have noise like all others, so the rule does not know them.
# ```
#
# ## To take away
#
# * To learn from logged stays, counts are enough. Make them private once, and everything after that is free.
# * Replacing one patient's stay of $H$ days changes at most $4H$ counts by 1. The sensitivity is $2\sqrt H$, whatever the number of patients.
# * Every cell gets noise, also the empty ones.
# * Sums of noisy counts collect noise. A water level makes the counts consistent with the noisy pair count.
#
# Next: {doc}`02_pessimism`, how to decide from such counts.
