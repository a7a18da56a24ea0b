# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Patients are admitted one after another and treated for ten days each: reinforcement learning under joint
#         privacy, by hand and in pictures.'
# ---

# %% [markdown]
# # A ward
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A ward treats each patient for ten days, and the condition changes from day to day. Can it learn how to treat, under joint privacy, while patients keep coming?
# * **The answer.** Yes. It counts what happens and puts noise on the counts. For each group of patients it draws a world that agrees with the noisy counts, and does what is best there. Privacy costs something at the beginning, and little afterwards.
# * **What is protected.** One patient's whole stay, in the treatments of all others. Neighbours replace one patient.
# * **What you need.** {doc}`03_from_tree_to_batches`, and policies from {doc}`/chapters/01_foundations/01_reinforcement_learning`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2013         # all randomness comes from here
n_people = 20_000
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.online import (
    FirstVisits, best_policies, count_days_non_private, counter, exact_values, expected_visits, growing, plausible_counts, posterior_sampling_non_private,
    private_posterior_sampling, table_sensitivity)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore
from privrl_core.world import ward

use_theme()
clinic, conditions, treatments = ward(), ["recovered", "mild", "serious", "very ill"], ["wait", "gentle", "strong"]
best = float(clinic.initial @ clinic.optimal_values()[0])

at_random = np.full(clinic.rewards.shape, 1 / clinic.n_actions)
loss_at_random = float(clinic.initial @ (clinic.optimal_values() - clinic.policy_values(at_random))[0])

# %% [markdown]
# ## Ten days in a ward
#
# Patients are admitted to a ward one after another. Each stays for ten days. Every morning the patient is *recovered*, *mild*, *serious* or *very ill*, and gets one of three treatments: to *wait*, a *gentle* one or a *strong* one. All patients arrive
# serious. The ward is invented, and it does not know what stands in this table:

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
   f"Values are in recovered days. Treated rightly on all ten days, a patient's stay is worth {best:.2f} on average. Treated at random, it is worth {best - loss_at_random:.2f}. So each patient who is treated at random loses {loss_at_random:.2f}, and {n_people:,} of them lose {round(n_people * loss_at_random, -2):,.0f}. Such losses, added up over all patients, are the {{doc}}`regret <05_private_arms>`.")

# %% [markdown]
# A bandit has one reward for each treatment. Here a treatment changes tomorrow's condition, and what it is worth depends on the days that follow. So the ward has to learn *transition probabilities*: from this condition, under this treatment, what comes next?
#
# ## By hand: what is counted, and what is released
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
md(f"**What is released.** The 48 counts, with noise, after 300 patients, after 360, after 432, and so on: each time that the number of patients has grown by a fifth, {times.size} times until {n_people:,}. {{doc}}`The noises are mixed by the square root <03_from_tree_to_batches>`. With ε = 1 and δ = 10⁻⁵, the noise in each count has a standard deviation of {noise_sd[0]:.0f} after 300 patients and of {noise_sd[-1]:.0f} at the end. So it grows by less than a half, while the number of patients grows 67-fold.")

# %% [markdown]
# ## A world for every patient
#
# A noise of 55 easily turns a count of 45 or 155 into 100. What should the ward do with it? If it believes the count, it may treat wrongly for a long time. If it waits until it is sure, it treats nobody well in the meantime. **Posterior sampling** {cite:p}`osband2013` is a simple way in between:
# *draw a world at random from those that the noisy counts allow, and treat the next patients by the best policy of that world.*
#
# Here it is on one row of the board, serious patients who were treated gently, after 300 patients. We show a bad row on purpose, to see what the ward makes of it:

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
# In each batch the ward draws 32 worlds in this way and shares them out among its patients. {ref}`The evidence has it in code <online-sampling-code>`. Half a standard deviation is a rule of thumb, so these are not draws from a true posterior. With less, a lucky count is believed too long, and with more, the ward tries things for longer than it must. A half did best in trials on {ref}`another world <online-river>`, and was not tuned on this ward.
#
# While little is known, the worlds differ. So different patients get different treatments, and the ward learns from what happens. Where the counts outnumber the noise, all draws agree. Worlds are computed from noisy counts, so {doc}`they cost no privacy <01_one_after_another>`. Here are all 32 worlds, early and late:

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
md("```{dropdown} What noise and repair did to them\n"
   f"This is about the panel on the right, after {times[later - 1]:,} patients, and all days are those on the board. For *wait* the noise is to blame: the board says better in {late_better[0]:.0f} of {late_days[0]:.0f} days, and {good[2][0] * late_days[0]:.0f} would be right. For *strong* it is the repair: the board says {late_better[2]:.0f}".replace("-", "−") + f" of {late_days[2]:.0f} days, and a count below zero is lifted. "
   "More patients would mend this, but hardly any serious patient gets these treatments any more.\n```")

# %% [markdown]
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
# **At ε = 1 the 20,000 patients lose as much as if some of them had been treated at random, and all others rightly. How many?** Choose, then move the patients to 20,000.
#
# * about 300
# * about 900
# * about 9,000
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
    assert 4 < rest[0.25] / rest[1.0] < 5 and 8 < rest[1.0] / rest[4.0] < 9.5
    assert 750 < worth[1.0] < 1_250 and 0.25 < first_batch / final[1.0] < 0.42 and 2 < final[0.25] / final[1.0] < 5 and free_regret < 100 and all(final_error[e] < 0.15 * final[e] for e in final)
    assert 980 < first_batch < 1_060 and first_batch <= exact_regret < first_batch + 20 and abs(first_batch / (300 * loss_at_random) - 1) < 0.04

# %% tags=["remove-input"]
md(f"""**What you should see.** About {round(worth[1.0], -2):.0f}. The first release is too noisy to show what is best, so 300 would be too few. But 9,000 is far too many. After 300 patients the true counts of gentle and of the other two differ by hardly more than their noise. After 1,000 they clearly differ, because the noise has only grown to {noise_sd[7]:.0f}. Then the curve gets flatter and flatter: the last 10,000 patients together lose {round(second_half, -1):.0f}.

| {n_people:,} patients lose, on average | recovered days |
|---|---|
| never learning | {round(n_people * loss_at_random, -2):,.0f} |
| the private ward, ε = 1 | {round(final[1.0], -1):,.0f} ± {round(final_error[1.0], -1):.0f} |
| exact counts, released at the same times | {round(exact_regret, -1):,.0f} |
| exact counts, renewed after 1, 2, 3, … patients, then whenever they have grown by a tenth | {free_regret:.0f} |

Exact counts at the same times lose hardly more than the first 300 patients do, {round(first_batch, -1):,.0f}. So of the loss of the private ward, {round(first_batch, -1):,.0f} is the price of waiting for the first release, and the rest is the price of noise. In the unluckiest of {runs} wards the private one loses {round(float(private[1.0].regret[:, -1].max()), -1):,.0f}.

Now move ε. At ε = 0.25 the patients lose {round(final[0.25], -1):,.0f} ± {round(final_error[0.25], -1):.0f}, and at ε = 4 they lose {round(final[4.0], -1):,.0f} ± {max(10, round(final_error[4.0], -1)):.0f}. The first batch costs the same {round(first_batch, -1):,.0f} each time. What is lost after it is {round(rest[0.25], -1):,.0f}, {round(rest[1.0], -1):,.0f} and {round(rest[4.0], -1):,.0f} at ε = 0.25, 1 and 4. The ± are standard errors of {runs} runs.""")

# %% [markdown]
# The noise of a count is proportional to 1/ε, and the ward is blind until the counts outnumber the noise. So what it loses because of noise should be about proportional to 1/ε. From 0.25 to 1 it is: four times ε, a loss about four times smaller. From 1 to 4 the loss falls faster, because at ε = 4 the first release already shows most of what the ward needs.
#
# Not every world is as easy. In {ref}`the river <online-river>`, the standard test of such learners, learning takes longer. There the largest gain came from asking for less: one table for all days in place of one for each day.
#
# ## Check yourself
#
# **A ward like this one has learned from its first 20,000 patients at ε = 1. It plans for another 180,000. About how much more regret should it expect from them?**
#
# ```{dropdown} Ten times as much as so far, because there are ten times as many patients.
# That would be so under plain privacy, where every patient pays. Here most of the regret was paid before the counts outgrew the noise.
# ```
# ```{dropdown} Three times as much, by the square root.
# The square root is the rate of the theory for worlds in the worst case. In a fixed world the curve gets flatter than that, as the picture shows.
# ```
# ```{dropdown} Less than it has paid so far.
# ✓ Right. The curve is nearly flat after 20,000 patients. Note that a counter is made for a fixed number of batches: the ward has to plan for all 200,000 from the start, which makes the noise a little larger, or begin a second counter.
# ```
#
# ## To take away
#
# * Count transitions, put noise on the running counts, and treat each patient by a world drawn from what the noisy counts allow.
# * The promise comes from the counts alone. Nothing that is computed from them costs anything, so the planning may be as clever as you like.
# * Privacy costs patients at the beginning, and more, the smaller ε is. Pool what is alike, and count less of what piles up.

# %% tags=["remove-cell"]
assert private[1.0].guarantees[0].epsilon < 1 + 1e-6 and private[1.0].guarantees[0].model.value == "joint"
assert 0 < own_regret < 3 * max(final[1.0], 1) or effort < 1
if effort >= 1:
    longer = private_posterior_sampling(clinic, 200_000, epsilon=epsilon, delta=delta, runs=4, rng=np.random.default_rng([seed, 60]), noise_rng=np.random.default_rng([seed, 60, 1]))
    so_far = longer.regret[:, np.searchsorted(longer.times, 20_000)].mean()
    assert longer.regret[:, -1].mean() < 1.5 * so_far
assert np.isclose(clinic.transitions[0, 2, 1, :2].sum(), 0.35) and gentle[later] > gentle[1]
assert better[later][:, [0, 2]].max() < better[later][:, 1].min()
