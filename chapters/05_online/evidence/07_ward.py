# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on the ward: what is counted, one row repaired, the regret for each ε; coins counted for a shuffler, and a device that reports.'
# ---

# %% [markdown]
# (online-ward)=
# # The ward in detail
#
# ```{admonition} What this page establishes
# :class: tip
# * What the ward of {doc}`../07_a_ward` counts, how far one stay moves the counts, and how much noise they get.
# * How one noisy row of counts becomes one plausible row of probabilities, in four steps.
# * The regret of the ward for five values of ε, beside wards with exact counts, with standard errors.
# * For {doc}`../08_nobody_may_see`: how many coins a shuffler needs for one count and for a table, one count in three ways for each ε, the report of a device in code, and why nobody trusted means a hundred to five hundred times as many patients.
# * **What is protected.** One patient's whole stay. Neighbours replace one patient. Against whom is said with each guarantee.
# * **How long.** About 25 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2013         # all randomness comes from here
n_people = 20_000
epsilon, delta = 1.0, 1e-5

# %% tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.stats import binom

from privrl_core.online import (
    FirstVisits, best_policies, binomial_delta, coins_needed, count_days_non_private, counter, exact_values, expected_visits, growing, plausible_counts,
    posterior_sampling_non_private, private_posterior_sampling, table_sensitivity)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore
from privrl_core.privacy import gaussian_mu
from privrl_core.world import ward

use_theme()
clinic, conditions, treatments = ward(), ["recovered", "mild", "serious", "very ill"], ["wait", "gentle", "strong"]
best = float(clinic.initial @ clinic.optimal_values()[0])

at_random = np.full(clinic.rewards.shape, 1 / clinic.n_actions)
loss_at_random = float(clinic.initial @ (clinic.optimal_values() - clinic.policy_values(at_random))[0])

# %% [markdown]
# ## The ward
#
# The ward is invented. It works in the same way on each of the ten days. All patients arrive serious. The doctors know what a day is worth, and nothing else of this table:

# %% tags=["remove-input"]
step, right = clinic.transitions[0], (0, 1, 1, 2)
good = [step[s, :, :max(s, 1)].sum(axis=-1) for s in range(4)]                # better, or still recovered
assert all(g.argmax() == a and np.isclose(np.delete(g, a), np.delete(g, a)[0]).all() for g, a in zip(good, right)) and np.allclose(clinic.rewards.max(axis=(0, 2)) if clinic.rewards.ndim == 3 else clinic.rewards.max(axis=-1), (1, 0.6, 0.2, 0))
md("| today | worth of such a day | right treatment | tomorrow better, or still recovered | with any other treatment |\n|---|---|---|---|---|\n"
   + "\n".join(f"| {c} | {w:g} | {treatments[a]} | with probability **{g[a]:.2f}** | {np.delete(g, a)[0]:.2f} |" for c, w, a, g in zip(conditions, (1, 0.6, 0.2, 0), right, good)))

# %% tags=["remove-input"]
down = [step[1, a, 2] for a in (1, 0, 2)]
assert np.allclose(down, (0.0875, 0.35, 0.35)) and all(np.isclose(step[s, :, s + 1], np.where(np.arange(3) == right[s], 0.0875, 0.35)).all() for s in range(3))
md(f"*Better* is one line up in the table. One line down comes with probability {down[0]:.2f} under the right treatment and {down[1]:.2f} under any other; the very ill cannot get worse. Otherwise the condition stays.\n\n"
   f"Values are in recovered days. Treated rightly on all ten days, a patient's stay is worth {best:.2f} on average. Treated at random, it is worth {best - loss_at_random:.2f}. So each patient who is treated at random loses {loss_at_random:.2f}, and {n_people:,} of them lose {round(n_people * loss_at_random, -2):,.0f}. Such losses, added up over all patients, are the {{doc}}`regret <../05_private_arms>`.")

# %% [markdown]
# (online-ward-counts)=
# ## What is counted, and what is released
#
# Here is Anna's stay, in three of its ten days:
#
# | day | condition | treatment | next condition |
# |---|---|---|---|
# | 1 | serious | gentle | serious |
# | 2 | serious | gentle | mild |
# | 3 | mild | wait | serious |
#
# **What is counted.** Each day adds 1 to one of $4 \times 3 \times 4 = 48$ counts: condition, treatment, next condition. The same counts serve for all ten days, because the ward works in the same way on each of them.
#
# **What Anna can change.** Ten ones. For Gaussian noise, changes in several counts add up like the sides of a right-angled triangle: ten ones in ten different counts have the length $\sqrt{10} = 3.2$, but ten in the same count have the length 10. The longer it is, the more noise it takes. So ten visits to one count are expensive, and the ward counts only the first six visits of each pair
# of condition and treatment in a stay. The six is a choice: with fewer, more of what happens is thrown away, and with more, the noise grows. It did well in trials on {ref}`another world <online-river>`.

# %% tags=["remove-cell"]
counting = FirstVisits(6)
sensitivity = table_sensitivity(10, 1, counting, pairs=12)
times = growing(n_people, first=300, growth=0.2)
board_of = counter("doubling-toeplitz", n_people, sensitivity, epsilon=epsilon, delta=delta, times=times)
noise_sd = board_of.standard_deviations
assert np.isclose(sensitivity.l2, np.sqrt(2 * (36 + 16))) and noise_sd[-1] / noise_sd[0] < 1.5 and round(n_people / 300) == 67 and times.size == 25 and list(times[:3]) == [300, 360, 432]

# %% tags=["remove-input"]
md(f"The worst stay then puts six ones in one count and four in another. Its length is $\\sqrt{{6^2 + 4^2}} = {np.sqrt(52):.1f}$, where it was 10. If another patient comes in Anna's place, her ones disappear from the table and the other patient's appear. Together, all counts move by at most $\\sqrt2 \\times {np.sqrt(52):.1f} = {sensitivity.l2:.1f}$.")

# %% tags=["remove-input"]
md(f"**What is released.** The 48 counts, with noise, after 300 patients, after 360, after 432, and so on: each time that the number of patients has grown by a fifth, {times.size} times until {n_people:,}. {{doc}}`The noises are mixed by the square root <../03_from_tree_to_batches>`. With ε = 1 and δ = 10⁻⁵, the noise in each count has a standard deviation of {noise_sd[0]:.0f} after 300 patients and of {noise_sd[-1]:.0f} at the end. So it grows by less than a half, while the number of patients grows 67-fold.")

# %% [markdown]
# (online-ward-row)=
# ## One noisy row becomes one plausible row
#
# {ref}`The learner in code <online-sampling-code>` has four steps for each world: blur, repair, draw, plan. Here they are on one row of the board, serious patients who were treated gently, after 300 patients. It is a bad row on purpose, to see what the ward makes of it:

# %% tags=["remove-cell"]
def treat_and_learn(board, noise_sd, rng):
    counts, sd, exact_counts, history = np.zeros((4, 3, 4)), 0.0, np.zeros((4, 3, 4)), []
    for people, next_sd in zip(np.diff(times, prepend=0), noise_sd):
        allowed = counts + sd / 2 * rng.normal(size=(32, 4, 3, 4))
        chances = rng.standard_gamma(plausible_counts(allowed) + 1 / 4)
        worlds = chances / chances.sum(axis=-1, keepdims=True)
        policies = best_policies(worlds[:, None], clinic.rewards)
        happened = count_days_non_private(clinic, policies[None], people, counting, rng)[0]
        history.append((worlds, policies, counts, exact_counts))
        counts, sd, exact_counts = board.add(happened), next_sd, exact_counts + happened
    return history

history = treat_and_learn(board_of.start((4, 3, 4), noise_rng=np.random.default_rng([seed, 1])), noise_sd, np.random.default_rng(seed))
later = 14                                                     # a batch
looked_at = {1: f"after {times[0]:,} patients", later: f"after {times[later - 1]:,} patients"}
better = {j: history[j][0][:, 2, :, :2].sum(axis=-1) for j in looked_at}     # [32, treatment]
gentle = {j: float(np.mean(history[j][1][:, 0, 2, 1])) for j in looked_at}
own_regret = sum((best - exact_values(clinic, policies).mean()) * people for (_, policies, _, _), people in zip(history, np.diff(times, prepend=0)))
on_board = history[1][2][2, :, 1]                              # serious, then mild
assert round(on_board[1]) == 100 and round(noise_sd[0]) == 55

rng = np.random.default_rng(0)
row_on_board, row_in_truth = history[1][2][2, 1], history[1][3][2, 1]
row_blurred = row_on_board + noise_sd[0] / 2 * rng.normal(size=4)
row_repaired = plausible_counts(row_blurred)
row_drawn = rng.standard_gamma(row_repaired + 1 / 4)
row_drawn = row_drawn / row_drawn.sum()
assert round(row_drawn[1], 2) == 0.36 and row_in_truth[0] == 0 and row_on_board[0] < -2 * noise_sd[0] and 1.5 < (row_in_truth.sum() - row_on_board.sum()) / (2 * noise_sd[0]) < 1.6      # an unlucky row
assert row_on_board.min() < 0 and np.isclose(row_repaired.sum(), row_blurred.sum()) and row_repaired.min() == 0 and np.isclose(*(row_blurred - row_repaired)[1:3])

# %% tags=["remove-input"] mystnb={"image": {"alt": "Four panels with four bars each, for the next condition recovered, mild, serious and very ill. On the board: one count is far below zero, two are high; pale bars behind show the true counts, zero for recovered, more than the board says for all four. Blurred: each has moved a little. Repaired: the negative count is zero, the others are lower, and the total is the same. Drawn: four probabilities that sum to one, mostly serious, then mild."}}
fig, axes = plt.subplots(1, 4, figsize=(9.2, 2.7))
for ax, row, title in zip(axes, (row_on_board, row_blurred, row_repaired, row_drawn), ("on the board", "1. blurred", "2. repaired", "3. drawn")):
    if ax is axes[0]:
        ax.bar(range(4), row_in_truth, color="#c9ced4", width=0.95)
    ax.bar(range(4), row, color=PALETTE[2], width=0.7 if ax is not axes[0] else 0.6)
    ax.axhline(0, color="#767676", lw=1)
    for s, value in enumerate(row):
        ax.text(s, value + (1 if value >= 0 else -1) * (0.02 if ax is axes[3] else 8), f"{value:.2f}" if ax is axes[3] else f"{value:.0f}".replace("-", "−").replace("−0", "0"), ha="center", va="bottom" if value >= 0 else "top", fontsize=9)
    ax.set(xticks=range(4), xticklabels=["rec.", "mild", "ser.", "v. ill"], yticks=[], ylim=(-0.62, 0.85) if ax is axes[3] else (-165, 225), title=title)
    ax.spines["left"].set_visible(False)
    ax.grid(False)
axes[0].text(-0.45, 198, "pale: true counts", color="#4a5058", fontsize=9)
axes[0].set_xlabel("next condition, in days")
axes[3].set_xlabel("probability")
fig.suptitle("One noisy row becomes one plausible row", x=0.06, ha="left", weight="bold", fontsize=11);

# %% tags=["remove-input"]
md(f"The pale bars are the true counts, which nobody may see: {', '.join(f'{v:.0f}' for v in row_in_truth)}. Together they are {row_in_truth.sum():.0f} days, and the board says {row_on_board.sum():.0f}. The first count, −123, is more than two standard deviations of {noise_sd[0]:.0f} below the true 0. The ward makes a world of it in four steps:")

# %% [markdown]
# 1. **Blur.** Add fresh noise to each count, with half of the standard deviation that is in it already. The true count may be some way from the noisy one, so different worlds should start from different counts.
# 2. **Repair.** A negative count becomes zero, and the others are lowered equally, so that the total of the row stays. If this makes another count negative, it becomes zero as well, until none is left.
# 3. **Draw.** Draw the four probabilities around these counts, from a Dirichlet distribution. The fewer the patients, the further the draws spread. Here *mild* gets 0.36, near the true 0.35 by luck.
# 4. **Plan.** Do this for all twelve rows. Compute the best policy of the drawn world, treat patients by it, and count what happens.
#
# Half a standard deviation is a rule of thumb, so these are not draws from a true posterior. With less, a lucky count is believed too long, and with more, the ward tries things for longer than it must. A half did best in trials on {ref}`another world <online-river>`, and was not tuned on this ward.
#
# Here are all 32 worlds, early and late, for all three treatments:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels. In each, 32 dots for each of three treatments: the probability that a serious patient is better tomorrow, in 32 drawn worlds. After 300 patients the dots of all three treatments are spread widely and overlap. After about 3,000 patients the dots of the gentle treatment lie around 0.35, those of the other two around 0.07 and below 0.2."}}
fig, axes = plt.subplots(1, 2, figsize=(8.6, 3.3), sharey=True)
colours = (PALETTE[1], PALETTE[2], PALETTE[0])
jitter = np.random.default_rng(3).uniform(-0.22, 0.22, 32)
for ax, (j, title) in zip(axes, looked_at.items()):
    for a, colour in enumerate(colours):
        ax.plot(a + jitter, better[j][:, a], "o", color=colour, ms=4, alpha=0.75)
        ax.plot([a - 0.36, a + 0.36], [clinic.transitions[0, 2, a, :2].sum()] * 2, color="#22272e", lw=2)
    ax.set(xticks=range(3), xticklabels=treatments, ylim=(0, 1), title=title)
fig.suptitle("The worlds agree where it matters", x=0.06, ha="left", weight="bold", fontsize=11)
axes[0].set_ylabel("better tomorrow, if serious")
axes[1].text(2.4, 0.6, "a dot is a world,\na line the truth", ha="right", color="#4a5058");

# %% tags=["remove-cell"]
late_board = history[later][2][2]                               # serious: treatment, next condition
late_days, late_better = late_board.sum(axis=-1), late_board[:, :2].sum(axis=-1)
assert late_better[0] / late_days[0] > 0.12 and late_better[2] < 0 and better[later][:, 2].mean() > 0.09

# %% tags=["remove-input"]
md(f"After {times[0]:,} patients the worlds disagree: on the first day {100 * gentle[1]:.0f} % of the serious patients of the next batch are treated gently. After {times[later - 1]:,} patients the worlds "
   f"agree about the gentle treatment, and {100 * gentle[later]:.0f} % get it.\n\n"
   "The dots of the other two treatments are above their lines, because of the noise and of the repair. This does no harm, as long as they are below those of the gentle one.\n\n*Guarantee:* joint privacy with ε = 1 and δ = 10⁻⁵ for one patient's stay (replace one), proved, if rewards are public, each patient comes once, and it is public when patients come.")

# %% tags=["remove-input"]
md(   f"This is about the panel on the right, after {times[later - 1]:,} patients, and all days are those on the board. For *wait* the noise is to blame: the board says better in {late_better[0]:.0f} of {late_days[0]:.0f} days, and {good[2][0] * late_days[0]:.0f} would be right. For *strong* it is the repair: the board says {late_better[2]:.0f}".replace("-", "−") + f" of {late_days[2]:.0f} days, and a count below zero is lifted. "
   "More patients would mend this, but hardly any serious patient gets these treatments any more.")

# %% [markdown]
# (online-ward-regret)=
# ## What it costs
#
# The regret of each policy that was used is computed exactly, from the true transition probabilities. It is still random, because worlds are drawn, noise is drawn, and patients differ. So the ward is simulated several times, and what follows are means.

# %% tags=["remove-cell"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.25, 4, 1, points=5, steps=4, low_end="more private", high_end="less private")
runs = max(4, round(48 * effort))
few = n_people if effort >= 0.5 else 2_000
shown = growing(few, first=300, growth=0.2)
patients = Slider("patients", "patients so far", 300, 2e4, 300, points=25, steps=24, low_end="few", high_end="20,000")

# All wards meet the same patients and draw the same first worlds: what comes before the first release is one number.
private = {e: private_posterior_sampling(clinic, few, epsilon=e, delta=delta, runs=runs, rng=np.random.default_rng([seed, 0]), noise_rng=np.random.default_rng([seed, k, 1]))
           for k, e in enumerate(epsilon_slider.grid)}
exact = posterior_sampling_non_private(clinic, few, runs=runs, counting=counting, times=shown, rng=np.random.default_rng([seed, 0]))
free = posterior_sampling_non_private(clinic, few, runs=runs, rng=np.random.default_rng([seed, 20]))
free_regret, exact_regret = (float(run.regret[:, -1].mean()) for run in (free, exact))

def along(run):
    """Mean regret at the places of the slider."""
    return np.array([np.interp(patients.grid, np.append(0, run.times), np.append(0, r)) for r in run.regret])

regret = {e: along(run) for e, run in private.items()}
final = {e: float(run.regret[:, -1].mean()) for e, run in private.items()}
final_error = {e: float(run.regret[:, -1].std(ddof=1) / np.sqrt(runs)) for e, run in private.items()}
first_batch = float(exact.regret[:, 0].mean())
blank = np.random.default_rng([seed, 70]).standard_gamma(np.full((20_000, 4, 3, 4), 1 / 4))      # worlds drawn from nothing
blank_loss = best - exact_values(clinic, best_policies((blank / blank.sum(axis=-1, keepdims=True))[:, None], clinic.rewards))
assert round(300 * blank_loss.mean(), -1) == 1_020 and blank_loss.mean() - 2 * blank_loss.std() / np.sqrt(20_000) > loss_at_random      # not by chance
assert all(np.allclose(run.regret[:, 0], exact.regret[:, 0]) for run in private.values())
assert list(free.times[:4]) == [1, 2, 3, 4] and times[7] == 1_078 and (np.diff(free.times)[4:] <= np.maximum(1, np.ceil(0.1 * free.times[4:-1]))).all()

visits = np.asarray(expected_visits(clinic.transitions[0], at_random, clinic.initial)).reshape(-1, 4, 3)[0]
serious = 300 * float(visits[2, 0])                           # days on which a serious patient gets one of the treatments
improves = clinic.transitions[0, 2, :, :2].sum(axis=-1)
assert np.allclose(improves, clinic.transitions[0, 2, :, 1])                  # better is one cell of the table: mild
true_days, all_days = history[1][3][2, :, 1], history[1][3][2].sum(axis=-1)
board_days = history[1][2][2].sum(axis=-1)                     # noisy, too
share_of, share_seen = ([round(100 * x[a] / days[a]) for a in (1, 0, 2)] for x, days in ((true_days, all_days), (on_board, board_days)))
lead, lead_sd = on_board[1] - on_board[2], np.sqrt(2) * noise_sd[0]
assert share_of[0] > 4 * max(share_of[1:]) and share_seen == [65, 9, 23] and round(board_days[1]) == round(row_on_board.sum()) and lead < lead_sd / 2
assert true_days.argmax() == 1 and [round(x) for x in on_board] == [61, 100, 67] and round(serious, -1) == 410 and np.allclose(improves, [0.07, 0.35, 0.07], atol=0.005)

# %% tags=["remove-input"]
md(f"The ward must treat its first 300 patients before the first release, without knowing anything. Treated at random they would lose $300 \\times {loss_at_random:.2f} = {300 * loss_at_random:,.0f}$. They lose {round(first_batch, -1):,.0f}, because a plan for a world drawn from nothing, kept for a whole stay, is a little worse than a new choice every day. An earlier release would show even less: its counts would be smaller, under the same noise.\n\nAnd then? Here is the first release in the ward of the pictures, for serious patients:\n\n"
   "| treatment | days | better on the next day | days on the board | better on the board |\n|---|---:|---:|---:|---:|\n"
   + "".join(f"| {treatments[a]} | {all_days[a]:.0f} | {true_days[a]:.0f} | {board_days[a]:.0f} | {on_board[a]:.0f} |\n" for a in (1, 0, 2))
   + f"\nThe true counts say that gentle is far ahead: better after {share_of[0]} of 100 days, against {share_of[1]} and {share_of[2]}. With a noise of {noise_sd[0]:.0f} in each count, the board says {share_seen[0]}, {share_seen[1]} and {share_seen[2]}, each much too high. Gentle is ahead on the board as well, but its {on_board[1]:.0f} better days are only {round(on_board[1]) - round(on_board[2])} more than those of strong, and the noise in such a difference has the standard deviation $\\sqrt2 \\times {noise_sd[0]:.0f} = {lead_sd:.0f}$. So the lead could be noise. With more patients the true differences grow in proportion, and the noise by less than a half.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **Divide ε by four, from 1 to 0.25. How does what 20,000 patients lose change?** Choose, then move the patients to 20,000 and ε to 0.25.
#
# * it doubles
# * about three times as much
# * sixteen times as much
# ```

# %% tags=["remove-input"]
mean = Table((epsilon_slider, patients), [regret[e].mean(axis=0) for e in epsilon_slider.grid])
low, high = (Table((epsilon_slider, patients), [pick(regret[e]) for e in epsilon_slider.grid]) for pick in (lambda r: r.min(axis=0), lambda r: r.max(axis=0)))
same_times, without = (Table((patients,), along(run).mean(axis=0)) for run in (exact, free))
never = Table.of(lambda patients: loss_at_random * patients, patients)
explore(
    name="regret_in_the_ward", sliders=[epsilon_slider, patients], x=patients, y=Axis("regret", "regret, in recovered days", 10, 1e5),
    curves=[Curve("private, and the range of its runs", mean, low=low, high=high), Curve("exact counts, the same releases", same_times),
            Curve("exact counts, renewed often", without, reference=True), Curve("never learning", never, reference=True)],
    readouts=[Readout("as_many", "the private ward: as if treated at random", mean * (1 / loss_at_random), unit="patients")],
    guarantee="(ε = {epsilon}, δ = 10⁻⁵)-joint privacy for one patient’s stay (replace one), proved, of a ward that plans for 20,000 patients, if rewards are public, each patient comes once, and it is public when patients come. The wards with exact counts promise nothing.",
    alt="Regret against the number of patients, both axes logarithmic, at ε = {epsilon}. After {patients} patients the private ward has lost as much as if {as_many} patients had been treated at random; the legend gives the regret of all four wards. "
        "The private curve starts on that of never learning and bends away from it, the sooner the larger ε is.",
    caption=f"Samples: each curve is the mean of {runs} simulated wards, the private one with their range. It was computed for five values of ε. Between releases, straight lines.")

# %% tags=["remove-cell"]
rest = {e: final[e] - first_batch for e in final}                # lost after the first batch
worth = {e: final[e] / loss_at_random for e in final}
second_half = final[1.0] - float(np.interp(few / 2, shown, private[1.0].regret.mean(axis=0)))
if effort >= 1:
    assert 1 < final[1.0] / final[4.0] < 4 and final[0.25] / final[1.0] < 4        # less than in proportion to 1/ε
    assert round(worth[1.0], -2) == 900                        # the letter of the page on what stays open says so
    assert 4 < rest[0.25] / rest[1.0] < 5 and round(final[0.25] / final[1.0]) == 3 and 8 < rest[1.0] / rest[4.0] < 9.5
    assert 750 < worth[1.0] < 1_250 and 0.25 < first_batch / final[1.0] < 0.42 and 2 < final[0.25] / final[1.0] < 5 and free_regret < 100 and all(final_error[e] < 0.15 * final[e] for e in final)
    assert 980 < first_batch < 1_060 and first_batch <= exact_regret < first_batch + 20 and abs(first_batch / (300 * loss_at_random) - 1) < 0.04

# %% tags=["remove-input"]
md(f"""**What you should see.** About three times as much: at ε = 1 the patients lose {round(final[1.0], -1):,.0f} ± {round(final_error[1.0], -1):.0f}, and at ε = 0.25 they lose {round(final[0.25], -1):,.0f} ± {round(final_error[0.25], -1):.0f}. At ε = 4 it is {round(final[4.0], -1):,.0f} ± {max(10, round(final_error[4.0], -1)):.0f}. The first batch costs the same {round(first_batch, -1):,.0f} each time. What is lost after it is {round(rest[0.25], -1):,.0f}, {round(rest[1.0], -1):,.0f} and {round(rest[4.0], -1):,.0f} at ε = 0.25, 1 and 4. The ± are standard errors of {runs} runs.

At ε = 1 it is as if about {round(worth[1.0], -2):.0f} patients had been treated at random. The first release is too noisy to show what is best, so 300 would be too few. But 9,000 is far too many. After 300 patients the true counts of gentle and of the other two differ by hardly more than their noise. After 1,000 they clearly differ, because the noise has only grown to {noise_sd[7]:.0f}. Then the curve gets flatter and flatter: the last 10,000 patients together lose {round(second_half, -1):.0f}.

| {n_people:,} patients lose, on average | recovered days |
|---|---|
| never learning | {round(n_people * loss_at_random, -2):,.0f} |
| the private ward, ε = 1 | {round(final[1.0], -1):,.0f} ± {round(final_error[1.0], -1):.0f} |
| exact counts, released at the same times | {round(exact_regret, -1):,.0f} |
| exact counts, renewed after 1, 2, 3, … patients, then whenever they have grown by a tenth | {free_regret:.0f} |

Exact counts at the same times lose hardly more than the first 300 patients do, {round(first_batch, -1):,.0f}. So of the loss of the private ward, {round(first_batch, -1):,.0f} is the price of waiting for the first release, and the rest is the price of noise. In the unluckiest of {runs} wards the private one loses {round(float(private[1.0].regret[:, -1].max()), -1):,.0f}.""")

# %% [markdown]
# The noise of a count is proportional to 1/ε, and the ward is blind until the counts outnumber the noise. So what it loses because of noise should be about proportional to 1/ε. From 0.25 to 1 it is: four times ε, a loss about four times smaller. From 1 to 4 the loss falls faster, because at ε = 4 the first release already shows most of what the ward needs.

# %% tags=["remove-cell"]
assert private[1.0].guarantees[0].epsilon < 1 + 1e-6 and private[1.0].guarantees[0].model.value == "joint"
assert 0 < own_regret < 3 * max(final[1.0], 1) or effort < 1
assert np.isclose(clinic.transitions[0, 2, 1, :2].sum(), 0.35) and gentle[later] > gentle[1]
assert better[later][:, [0, 2]].max() < better[later][:, 1].min()

# %% [markdown]
# (online-one-count)=
# ## One count, three ways
#
# How many of $n$ patients had a side effect? {doc}`The page on devices and shufflers <../08_nobody_may_see>` asks it with the noise in three places:
#
# | | what the hospital gets | who must be trusted |
# |---|---|---|
# | **central** | each patient's records | the hospital |
# | **shuffled** | mixed envelopes without names, with true and false answers in them | a shuffler, to mix and to forget; enough other patients, to toss their coins |
# | **local** | each patient's report, with the patient's own noise | nobody but the own device |
#
# A public rule says which patients toss a coin for the shuffler, for instance the first ones who come; everybody may know *who* they are, and only *how their coins fell* must stay secret. Behind the shuffler Anna's answer is hidden among the heads of others. How many coins does this take?
#
# Suppose that the hospital knows the answers of all patients but Anna, and that only six coins were tossed. After it has subtracted what it knows, it is left with the number of heads if Anna's answer is *no*, and with one more if it is *yes*. At ε = 1 each number may be at most $e = 2.72$ times as likely with *no* as with *yes*. The {prf:ref}`definition <def-differential-privacy>` of (ε, δ) allows an excess over this, if all excesses together are at most δ:
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
    curves=[Curve("central", central), Curve("local", local), Curve("shuffled", shuffled, reference=True)],
    readouts=[Readout("coins", "coins for the shuffler, in all", coins, digits=6)],
    guarantee="ε = {epsilon} for one patient’s answer (replace one), proved: central and shuffled with δ = 10⁻⁵, local with δ = 0. The shuffled count needs {coins} coins, tossed and kept secret, and a shuffler that does not work with the hospital.",
    alt="Standard deviation of the noise of one count against the number of patients, both axes logarithmic. At {n} patients and ε = {epsilon} the legend gives its values; the shuffled count has {coins} coins. Central and shuffled are flat, the local one rises like a square root.",
    caption="Exact. The shuffled count has as many coins as its δ needs. The grey dots of shuffled lie almost on the line of central.")

# %% tags=["remove-cell"]
here = {"central": float(1 / gaussian_mu(1.0, delta)), "shuffled": float(np.sqrt(coins_for(1.0)) / 2), "local": float(one_answer(1.0) * 100)}
ends = [int(tossed[0]), int(tossed[-1])]
assert epsilon_slider.on_grid and (tossed / 4 < (one_answer(epsilon_slider.grid) * np.sqrt(1000))**2).all()      # local is the noisiest in the whole picture
assert (round(np.e / (1 + np.e), 6), round((np.e + delta) / (1 + np.e), 6)) == (0.731059, 0.731061)
assert round(six, 3) == 0.067 and abs(64 * six - (1 + 6 - np.e)) < 1e-9 and 6 * np.e > 15 and abs((np.e + delta) / (1 + np.e) - np.e / (1 + np.e)) < 3e-6
assert coins_for(1.0) == 62 and abs(delta_of_coins(62, 1.0) - binomial_delta(1.0, 62, 1)) < 1e-8 and abs(here["local"] - 96) < 0.5
rng = np.random.default_rng(2411)
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
# The shuffler must not work together with the hospital. And enough coins must be tossed and kept secret: if half of those who toss may tell the hospital how their coins fell, twice as many have to toss. {ref}`Whole tables are counted in the same way <online-shuffler>`. For reinforcement learning the model was proposed by {cite:t}`bai2024`. True bits among coin tosses are the usual protocol of this model; the exact count of coins is ours.
#
# (online-ward-devices)=
# ## The report of a device
#
# Each patient takes part with a device of her own. It knows the policies on the board, chooses the treatments, and keeps the record of her ten days. It never sends this record.
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

# %% [markdown]
# Two reports of a day differ in two bits, so each bit may use half of ε. The whole report is ε-differentially private with δ = 0, against everybody who reads it. The device must avoid two mistakes. A report must never be made twice with new noise, because the noise could be averaged away. And every bit needs noise of its own: if two bits share one noise, their difference can be read exactly.
# {ref}`A public program <online-what-runs>` does so.
#
# **Shuffled.** The device puts its bits into envelopes, and each of the 48 counts needs coins of its own. A stay that moves a count several times would need many more of them, so only the first visit of each pair in a stay is counted. Two stays of ten days then differ in at most 20 bits. Twenty moves by 1 have the length $\sqrt{20}$, so the noise must be $\sqrt{20}$ times as large as for one bit. Its variance is 20 times as large, and so is the number of coins: where one count took a few dozen, each of the 48 takes about a thousand in each batch. The patients of the batch share them.
#
# ```{dropdown} How many coins exactly
# With Gaussian noise one bit needs the variance of 55.7 coins, so 20 bits need $20 \times 55.7 = 1{,}114$ coins for each count and batch. The 62 coins of a single count are a few more than 55.7, because so few coins are not quite Gaussian. In the first batch of 300, each device tosses $1{,}114 \times 48 / 300 = 178$ coins.
# ```

# %% [markdown]
# ### A report that was lost
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

# %% tags=["remove-cell"]
assert round(4 / gaussian_mu(epsilon, delta) ** 2, 1) == 55.7 and np.ceil(20 * 4 / gaussian_mu(epsilon, delta) ** 2) == 1_114 and coins_needed(epsilon, delta, 20) == 1_114 and round(1_114 * 48 / 300) == 178 and times.size == 25
first_noise = np.sqrt(coins_needed(epsilon, delta, 20)) / 2
signal = times / np.sqrt(1 + np.arange(times.size))                   # counts over their noise, but for a factor
assert list(times[:2]) == [300, 360] and (signal[1:5] < signal[0]).all() and signal[5] > 0.999 * signal[0] > 0 and 740 < times[5] < 760 and (np.diff(signal[5:-1]) > 0).all()
assert round(first_noise) == 17 and round(noise_sd[0]) == 55

# %% tags=["remove-input"]
md(f"**Why the shuffled ward learns, forgets, and learns again.** In the batch after the first release the shuffled ward is ahead of the central one. Its noise in a count is {first_noise:.0f}, where the central one is {noise_sd[0]:.0f}. Then it gets worse for a while, because each batch brings the same number of coins, and the noises of different batches add up. The second batch has only 60 patients: the counts grow by a fifth, and their noise by $\\sqrt2$. Only after some 750 patients is the count again as large beside its noise as it was after 300. After {times.size} batches the noise is {first_noise * np.sqrt(times.size):.0f}, and counts of first visits only are smaller, too.")

# %% [markdown]
# (online-why-so-many)=
# ## Why so many patients, if nobody is trusted?

# %% tags=["remove-cell"]
then = int(np.flatnonzero(times == 1_294)[0])
per_answer = np.sqrt(flip * (1 - flip)) / (1 - 2 * flip)
noise_then = {"central": float(noise_sd[then]), "local": float(10 * per_answer * np.sqrt(1_294))}
noisier = round(noise_then["local"] / noise_then["central"])
assert abs(per_answer - 2) < 0.03 and noisier**2 == 100

# %% tags=["remove-input"]
md(f"Look at one of the 48 counts after 1,294 patients, near the lower end of the range of the central ward. Centrally its noise has a standard deviation of {noise_then['central']:.0f} visits. Locally half of ε goes to each of two bits, so each patient's answer adds an error of about {per_answer:.0f}, where it was about one before. Only one day of ten is reported, so a report stands for ten visits, and the errors add up to $10 \\times {per_answer:.2f} \\times \\sqrt{{1{{,}}294}} = {noise_then['local']:.0f}$ visits. So the local count is {noisier} times as noisy. "
   f"More patients help slowly: the count grows like $n$ and its local noise like $\\sqrt n$. To make up for a factor of {noisier} takes ${noisier}^2 = {noisier**2}$ times as many patients.")

# %% [markdown]
# That is below the range of {doc}`the simulation <../08_nobody_may_see>`. One reason to expect more than the estimate is that it lets all counts grow. A treatment which looks bad is hardly given any more: its counts stop growing, and its local noise goes on growing with every patient.
#
# A smaller ε widens the difference. Centrally, half of ε takes about twice as many patients, and locally four times as many. The report of one day is our design, and a better one may exist. But no local design gets rid of noise that is there again with every patient. {cite:t}`garcelon2021` prove a lower bound in which local privacy *multiplies* the regret; {ref}`more of it is in the evidence on learners <online-shuffler>`.
#
# ## To take away
#
# * One stay moves the counts of the ward by at most 10.2, if only the first six visits of a pair are counted. The noise follows from this.
# * Of what the private ward loses at ε = 1, about a third is for waiting and the rest for noise. What is lost by noise is about proportional to 1/ε from 0.25 to 1.
# * Noise of the devices' own grows like the square root of the number of patients. A few dozen coins behind a shuffler do nearly as well as a trusted hospital, for one count.
