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
# * **The answer.** Yes. It counts what happens, puts noise on the counts, and treats each patient by a world drawn from what the noisy counts allow. Privacy costs something at the beginning, and little afterwards.
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
# serious. A day recovered is worth 1, a mild day 0.6, a serious day 0.2, and a very ill day nothing.
#
# The right thing is to wait with the recovered, to treat mild and serious patients gently, and the very ill strongly. The right treatment makes the next condition better with probability 0.35 each day, and a wrong one mostly makes it worse. The ward is invented, and it does not know any of this.

# %% tags=["remove-input"]
md(f"Treated rightly on all ten days, a patient's stay is worth {best:.2f} on average. Treated at random, it is worth {best - loss_at_random:.2f}. So each patient who is treated at random loses {loss_at_random:.2f}, and {n_people:,} of them lose {round(n_people * loss_at_random, -2):,.0f}. Such losses, added up over all patients, are the {{doc}}`regret <04_private_arms>`.")

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
# **What Anna can change.** Ten ones. For Gaussian noise, changes in several counts add up like the sides of a right-angled triangle: ten ones in ten different counts have the length $\sqrt{10} = 3.2$, but ten in the same count have the length 10. Piles are expensive. The ward therefore counts only the first six visits of each pair
# of condition and treatment in a stay.

# %% tags=["remove-cell"]
counting = FirstVisits(6)
sensitivity = table_sensitivity(10, 1, counting, pairs=12)
times = growing(n_people, first=300, growth=0.2)
board_of = counter("doubling-toeplitz", n_people, sensitivity, epsilon=epsilon, delta=delta, times=times)
noise_sd = board_of.standard_deviations
assert np.isclose(sensitivity.l2, np.sqrt(2 * (36 + 16))) and noise_sd[-1] / noise_sd[0] < 1.5 and round(n_people / 300) == 67 and times.size == 25 and list(times[:3]) == [300, 360, 432]

# %% tags=["remove-input"]
md(f"The worst stay then puts six ones in one count and four in another. Its length is $\\sqrt{{6^2 + 4^2}} = {np.sqrt(52):.1f}$, where it was 10. If another patient comes in Anna's place, her ones go and as many come elsewhere, so all counts together move by at most $\\sqrt2 \\times {np.sqrt(52):.1f} = {sensitivity.l2:.1f}$.")

# %% tags=["remove-input"]
md(f"**What is released.** The 48 counts, with noise, after 300 patients, after 360, after 432, and so on: each time that the number of patients has grown by a fifth, {times.size} times until {n_people:,}. {{doc}}`The noises are mixed by the square root <03_from_tree_to_batches>`. With ε = 1 and δ = 10⁻⁵, the noise in each count has a standard deviation of {noise_sd[0]:.0f} after 300 patients and of {noise_sd[-1]:.0f} at the end. So it grows by less than a half, while the number of patients grows 67-fold.")

# %% [markdown]
# ## A world for every patient
#
# A noisy count of 100 may be 45 or 155 in truth. What should the ward do with it? If it believes the count, it may treat wrongly for a long time. If it waits until it is sure, it treats nobody well in the meantime. There is a simple way in between. It is called **posterior sampling** {cite:p}`osband2013`:
# *draw a world at random from those that the noisy counts allow, and treat the next patient by the best policy of that world.*
#
# 1. **Blur.** Take the 48 noisy counts of the last release. Add fresh noise to each, with half of the standard deviation that is in it already. The noise on the board might have fallen otherwise, and the blur asks what else the board could say.
# 2. **Repair.** Replace negative counts by zero, and lower the others, so that the total of each condition and treatment stays.
# 3. **Draw.** For each condition and treatment, draw the probabilities of the next condition around these counts. The fewer the patients, the further the draws spread.
# 4. **Plan.** Compute the best policy of this drawn world. Treat a patient by it, and count what happens.
#
# In each batch the ward draws 32 worlds in this way and shares them out among its patients. {ref}`The evidence has it in code <online-sampling-code>`. Half a standard deviation is a choice, not a theorem. It did best in trials on {ref}`another world <online-river>`, and was not tuned on this ward.

# %% tags=["remove-cell"]
def treat_and_learn(board, noise_sd, rng):
    counts, sd, history = np.zeros((4, 3, 4)), 0.0, []
    for people, next_sd in zip(np.diff(times, prepend=0), noise_sd):
        allowed = counts + sd / 2 * rng.normal(size=(32, 4, 3, 4))
        chances = rng.standard_gamma(plausible_counts(allowed) + 1 / 4)
        worlds = chances / chances.sum(axis=-1, keepdims=True)
        policies = best_policies(worlds[:, None], clinic.rewards)
        happened = count_days_non_private(clinic, policies[None], people, counting, rng)[0]
        history.append((worlds, policies, counts))
        counts, sd = board.add(happened), next_sd
    return history

history = treat_and_learn(board_of.start((4, 3, 4), noise_rng=np.random.default_rng([seed, 1])), noise_sd, np.random.default_rng(seed))
later = 14                                                     # a batch
looked_at = {1: f"after {times[0]:,} patients", later: f"after {times[later - 1]:,} patients"}
better = {j: history[j][0][:, 2, :, :2].sum(axis=-1) for j in looked_at}     # [32, treatment]
gentle = {j: float(np.mean(history[j][1][:, 0, 2, 1])) for j in looked_at}
own_regret = sum((best - exact_values(clinic, policies).mean()) * people for (_, policies, _), people in zip(history, np.diff(times, prepend=0)))
chosen = history[1][1][:, 0, 2].argmax(axis=-1)               # the treatment of a serious patient on the first day, in each world
plain = np.flatnonzero(better[1].argmax(axis=-1) == chosen)   # where the best is also what makes better most often
three = [int(plain[chosen[plain] == a][0]) for a in range(3) if (chosen[plain] == a).any()]
three = sorted((three + [int(k) for k in plain if k not in three])[:3])
on_board = history[1][2][2, :, 1]                              # serious, then mild
assert round(on_board[1]) == 100 and round(noise_sd[0]) == 55 and len(set(chosen[three])) > 1

# %% [markdown]
# Look at serious patients after the first release. On the left is what the board says, on the right three of the 32 worlds and what is best in each of them:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Four panels in a row. Left: for each of three treatments, the noisy number of days after which a serious patient was mild, with a bar of one standard deviation of the noise to each side; the bars overlap. Then three worlds: for each treatment the probability that a serious patient is better tomorrow. The worlds differ, and in each the best treatment is marked."}}
fig, axes = plt.subplots(1, 4, figsize=(9, 2.9), width_ratios=(1.25, 1, 1, 1))
colours = (PALETTE[1], PALETTE[2], PALETTE[0])
for a, colour in enumerate(colours):
    axes[0].plot([on_board[a] - noise_sd[0], on_board[a] + noise_sd[0]], [2 - a] * 2, color=colour, lw=2)
    axes[0].plot(on_board[a], 2 - a, "o", color=colour, ms=7)
    axes[0].text(on_board[a], 2.18 - a, f"{on_board[a]:.0f}", color=colour, weight="bold", ha="center")
axes[0].axvline(0, color="#767676", lw=1)
axes[0].set(yticks=range(3), yticklabels=treatments[::-1], ylim=(-0.5, 2.6), xlabel="days, serious → mild", title="on the board, ± noise")
for number, (ax, k) in enumerate(zip(axes[1:], three)):
    for a, colour in enumerate(colours):
        ax.barh(2 - a, better[1][k, a], color=colour, alpha=1 if a == chosen[k] else 0.3, height=0.55)
        if a == chosen[k]:
            ax.text(0.03, 2 - a, "best", va="center", color="white", weight="bold")
    ax.set(yticks=[], ylim=(-0.5, 2.6), xlim=(0, 0.85), xlabel="better tomorrow", title=f"world {number + 1}: {treatments[chosen[k]]}")
    ax.grid(False, axis="y")
fig.suptitle("One board, three plausible worlds, their best treatments", x=0.06, ha="left", weight="bold", fontsize=11);

# %% [markdown]
# So different patients get different treatments while little is known, and the ward learns from what happens. Where the counts outnumber the noise, all draws agree. Worlds are computed from noisy counts, so {doc}`they cost no privacy <01_one_after_another>`. Here are all 32 worlds, early and late:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels. In each, 32 dots for each of three treatments: the probability that a serious patient is better tomorrow, in 32 drawn worlds. After 300 patients the dots of all three treatments are spread widely and overlap. After about 3,000 patients the dots of the gentle treatment lie around 0.35, those of the other two around 0.07 and below 0.2."}}
fig, axes = plt.subplots(1, 2, figsize=(8.6, 3.3), sharey=True)
jitter = np.random.default_rng(3).uniform(-0.22, 0.22, 32)
for ax, (j, title) in zip(axes, looked_at.items()):
    for a, colour in enumerate(colours):
        ax.plot(a + jitter, better[j][:, a], "o", color=colour, ms=4, alpha=0.75)
        ax.plot([a - 0.36, a + 0.36], [clinic.transitions[0, 2, a, :2].sum()] * 2, color="#22272e", lw=2)
    ax.set(xticks=range(3), xticklabels=treatments, ylim=(0, 1), title=title)
fig.suptitle("The worlds agree where it matters", x=0.06, ha="left", weight="bold", fontsize=11)
axes[0].set_ylabel("better tomorrow, if serious")
axes[1].text(2.4, 0.6, "a dot is a world,\na line the truth", ha="right", color="#4a5058");

# %% tags=["remove-input"]
md(f"After {times[0]:,} patients the worlds disagree. In some of them the gentle treatment is best for a serious patient, in others not: on the first day {100 * gentle[1]:.0f} % of the patients of the next batch get it. After {times[later - 1]:,} patients the worlds "
   f"agree about the gentle treatment, and {100 * gentle[later]:.0f} % get it. They still differ about the other two, which are hardly given to serious patients any more. This does no harm, because even the best of these worlds has them below the gentle one. *Guarantee:* joint privacy with ε = 1 and δ = 10⁻⁵ for one patient's stay (replace one), proved, if rewards are public, each patient comes once, and it is public when patients come.")

# %% [markdown]
# ## What it costs
#
# The regret of each policy that was used is computed exactly, from the true transition probabilities. It is still random, because worlds are drawn, noise is drawn, and patients differ. So the ward is simulated several times, and what follows are means.

# %% tags=["remove-cell"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.25, 4, 1, points=5, steps=4, low_end="more private", high_end="less private")
runs = max(4, round(48 * effort))
few = n_people if effort >= 0.5 else 2_000
shown = growing(few, first=300, growth=0.2)
patients = Slider("patients", "patients so far", 300, 2e4, 2e4, points=25, steps=24, low_end="few", high_end="20,000")

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
assert all(np.allclose(run.regret[:, 0], exact.regret[:, 0]) for run in private.values())
assert list(free.times[:4]) == [1, 2, 3, 4] and times[7] == 1_078 and (np.diff(free.times)[4:] <= np.maximum(1, np.ceil(0.1 * free.times[4:-1]))).all()

visits = np.asarray(expected_visits(clinic.transitions[0], at_random, clinic.initial)).reshape(-1, 4, 3)[0]
serious = 300 * float(visits[2, 0])                           # days on which a serious patient gets one of the treatments
improves = clinic.transitions[0, 2, :, :2].sum(axis=-1)
assert np.allclose(improves, clinic.transitions[0, 2, :, 1])                  # better is one cell of the table: mild
assert round(serious, -1) == 410 and np.allclose(improves, [0.07, 0.35, 0.07], atol=0.005)

# %% tags=["remove-input"]
md(f"Where does the regret come from? Without privacy the ward can renew its policies after 1, 2, 3, … patients, and later whenever their number has grown by a tenth. Then {n_people:,} patients lose only {free_regret:.0f} in all. The private ward must wait: every release costs noise, so the first one comes after 300 patients. These are treated by worlds about which nothing is known. "
   f"They lose {first_batch:,.0f}, about as if treated at random, which is $300 \\times {loss_at_random:.2f} = {300 * loss_at_random:,.0f}$. *With exact counts* that would be nearly all. A ward that releases exact counts at the same 25 times loses {exact_regret:,.0f} in all.")

# %% [markdown]
# And with noise? Look at the first release.

# %% tags=["remove-input"]
md(f"In 300 stays treated at random, serious patients are given each treatment on about {round(serious, -1):.0f} days. They are better next day with probability {improves[1]:.2f} if it is gentle, and {improves[0]:.2f} if it is not. So the counts to compare are about {round(improves[1] * serious, -1):.0f} and {round(improves[0] * serious, -1):.0f}, and each has a noise of {noise_sd[0]:.0f}. "
   f"On the board above they read {on_board[1]:.0f} for gentle, {on_board[0]:.0f} for wait and {on_board[2]:.0f} for strong. With more patients the true differences grow in proportion. The noise grows by less than a half.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **At ε = 1 the 20,000 patients lose as much as if some of them had been treated at random, and all others rightly. How many?** Choose, then look at 20,000 patients, and move back.
#
# * about 300, because the first release already shows what is best
# * about 1,000
# * about 10,000, because the noise is never gone
# ```

# %% tags=["remove-input"]
mean = Table((epsilon_slider, patients), [regret[e].mean(axis=0) for e in epsilon_slider.grid])
low, high = (Table((epsilon_slider, patients), [pick(regret[e]) for e in epsilon_slider.grid]) for pick in (lambda r: r.min(axis=0), lambda r: r.max(axis=0)))
same_times, without = (Table((patients,), along(run).mean(axis=0)) for run in (exact, free))
never = Table.of(lambda patients: loss_at_random * patients, patients)
explore(
    name="regret_in_the_ward", sliders=[epsilon_slider, patients], x=patients, y=Axis("regret", "regret, in days recovered", 10, 1e5),
    curves=[Curve("private, and the range of its runs", mean, low=low, high=high), Curve("exact counts, the same releases", same_times),
            Curve("exact counts, renewed often", without, reference=True), Curve("never learning", never, reference=True)],
    readouts=[Readout("mean", "private", mean), Readout("same", "exact counts, the same releases", same_times), Readout("without", "exact counts, renewed often", without),
              Readout("never", "never learning", never)],
    guarantee="(ε = {epsilon}, δ = 10⁻⁵)-joint privacy for one patient’s stay (replace one), proved, of a ward that plans for 20,000 patients. The wards with exact counts promise nothing.",
    alt="Regret against the number of patients, both axes logarithmic, at ε = {epsilon}. After {patients} patients the private ward has lost {mean}, the ward with exact counts and the same releases {same}, the one that renews often {without}, and one that never learns {never}. "
        "The private curve starts on that of never learning and bends away from it, the sooner the larger ε is.",
    caption=f"Samples: each curve is the mean of {runs} simulated wards, the private one with their range. It was computed for five values of ε. Between releases, straight lines.")

# %% tags=["remove-cell"]
worth = {e: final[e] / loss_at_random for e in final}
second_half = final[1.0] - float(np.interp(few / 2, shown, private[1.0].regret.mean(axis=0)))
if effort >= 1:
    assert 1 < final[1.0] / final[4.0] < 4 and final[0.25] / final[1.0] < 4        # less than in proportion to 1/ε
    assert 750 < worth[1.0] < 1_250 and 0.25 < first_batch / final[1.0] < 0.42 and 2 < final[0.25] / final[1.0] < 5 and free_regret < 100 and all(final_error[e] < 0.15 * final[e] for e in final)
    assert 980 < first_batch < 1_060 and first_batch <= exact_regret < first_batch + 20 and abs(first_batch / (300 * loss_at_random) - 1) < 0.04

# %% tags=["remove-input"]
md(f"**What you should see.** About 1,000: the {n_people:,} patients lose {round(final[1.0], -1):,.0f} ± {round(final_error[1.0], -1):.0f} on average, {round(float(private[1.0].regret[:, -1].max()), -1):,.0f} in the unluckiest of {runs} wards, and {free_regret:.0f} without privacy. The mean is as much as {round(worth[1.0], -1):.0f} patients treated at random. Had it never learned, the ward would lose {round(n_people * loss_at_random, -2):,.0f}. Of the {round(final[1.0], -1):,.0f}, {first_batch:,.0f} are lost in the first batch, and the rest because of the noise. "
   f"After 300 patients the two counts still differ by hardly more than their noise. After 1,000 they clearly differ, because the noise has only grown to {noise_sd[7]:.0f}. So the curve bends away from never learning and gets flatter and flatter: the last 10,000 patients together lose {round(second_half, -1):.0f}.\n\n"
   f"Now move ε. At ε = 0.25 the {n_people:,} patients lose {round(final[0.25], -1):,.0f} ± {round(final_error[0.25], -1):.0f}, and at ε = 4 they lose {round(final[4.0], -1):,.0f} ± {max(10, round(final_error[4.0], -1)):.0f}. The ± are standard errors of {runs} runs.")

# %% [markdown]
# The noise of a count is proportional to 1/ε, and the ward is blind until the counts outnumber the noise. So the number of patients until it sees is about proportional to 1/ε, and each of them costs something. The first batch of 300 costs the same for all ε, so at a large ε little else is left.
#
# Not every world is as easy. In {ref}`the river <online-river>`, the standard test of such learners, the way has to be found step by step, and each step must outgrow the noise on its own. There the largest gain came from asking for less: one table for all days in place of one for each day.
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
