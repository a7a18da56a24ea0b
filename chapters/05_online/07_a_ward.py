# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Play the doctor with a noisy board. The noise that hides one patient gives way to many, and a ward learns in private
#         while it treats.'
# ---

# %% [markdown]
# # A ward
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A ward learns how to treat while patients keep coming. It sees noisy counts only. What should it do while it is not sure?
# * **The answer.** Draw a world that agrees with the noisy counts, and treat by the best plan for that world. When the counts outgrow the noise, all worlds agree.
# * **What is protected.** One patient's whole stay, in the treatments of all others. Neighbours replace one patient.
# * **What you need.** {doc}`03_from_tree_to_batches`, and policies from {doc}`/chapters/01_foundations/01_reinforcement_learning`.
# * **How long.** About 10 minutes.
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
    FirstVisits, best_policies, count_days_non_private, counter, expected_visits, growing, plausible_counts, posterior_sampling_non_private, private_posterior_sampling,
    table_sensitivity)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Table, explore
from privrl_core.pages.game import Dial, Noisy, Number, World, play
from privrl_core.privacy import GaussianWorlds, right_guess_ceiling
from privrl_core.privacy.joint import billboard
from privrl_core.world import ward

use_theme()
clinic = ward()
best = float(clinic.initial @ clinic.optimal_values()[0])
at_random = np.full(clinic.rewards.shape, 1 / clinic.n_actions)
loss_at_random = float(clinic.initial @ (clinic.optimal_values() - clinic.policy_values(at_random))[0])
better_tomorrow = clinic.transitions[0, 2, :, :2].sum(axis=-1)                 # a serious patient: wait, gentle, strong
assert np.allclose(better_tomorrow, (0.07, 0.35, 0.07))

counting = FirstVisits(6)
sensitivity = table_sensitivity(10, 1, counting, pairs=12)
times = growing(n_people, first=300, growth=0.2)
board_of = counter("doubling-toeplitz", n_people, sensitivity, epsilon=epsilon, delta=delta, times=times)
noise_sd = board_of.standard_deviations
about_anna = np.ceil(1000 * right_guess_ceiling(billboard(board_of.guarantee))) / 10      # rounded up, as in a statement
assert round(noise_sd[0]) == 55 and noise_sd[-1] / noise_sd[0] < 1.5 and times.size == 25 and about_anna == 55.4

# %% [markdown]
# ## A morning in the ward
#
# Patients come to a ward one after another, and each stays for ten days. Every morning a patient is *recovered*, *mild*, *serious* or *very ill*, and you, the doctor, choose: *wait*, a *gentle* treatment or a *strong* one.
#
# For a **serious** patient one of them is right: tomorrow the patient is better with probability 0.35, and with the other two treatments with probability 0.07. Nobody has told you which one is right.
#
# All you have is a board. The ward counts how often each condition, under each treatment, was followed by which condition the next day: **48 counts**. With every batch of patients it publishes the counts again, with noise as in {doc}`03_from_tree_to_batches`, for ε = 1.
#
# ### Play: gentle or strong?
#
# A coin decides whether gentle or strong is right for serious patients. You see one number from the board, the *lead* of gentle: on how many more days serious patients got better after *gentle* than after *strong*. The noise in it has a standard deviation of 78 days. Bet five times after 30 patients. Then ask for more patients.

# %% tags=["remove-cell"]
visits = np.asarray(expected_visits(clinic.transitions[0], at_random, clinic.initial)).reshape(-1, 4, 3)[0]
lead_per_patient = float(visits[2, 1] * (better_tomorrow[1] - better_tomorrow[2]))
lead_sd = float(np.sqrt(2) * noise_sd[0])
boards = {people: GaussianWorlds(means=lead_per_patient * people * np.array([[1.0], [-1.0]]), scales=lead_sd) for people in (30, 100, 300, 1_000)}
doctor = {people: 100 * worlds.ceiling for people, worlds in boards.items()}
capped = count_days_non_private(clinic, at_random[None, None], 100_000, counting, np.random.default_rng(1))[0][2, :, 1] / 100_000
assert round(lead_per_patient, 2) == 0.38 and round(lead_sd) == 78 and abs((capped[1] - capped[2]) / lead_per_patient - 1) < 0.02
assert [round(x) for x in doctor.values()] == [56, 69, 93, 100] and round(30 * lead_per_patient) == 11 and round(1_000 * lead_per_patient) == 382

# %% tags=["remove-input"]
play(
    name="gentle_or_strong", question="Which treatment is right for serious patients?", publish="Show the board", player="doctor", best="best possible doctor", rounds=5,
    worlds=[World("gentle", "gentle", "Gentle was right."), World("strong", "strong", "Strong was right.")],
    picture=Number("The lead of gentle, on the board", y="better days after gentle, minus better days after strong"),
    levels=[Noisy(f"{people:,} patients", worlds, notes=(("true lead of the right treatment", f"{lead_per_patient * people:.0f} days"), ("noise in the lead", f"{lead_sd:.0f} days")),
                  guarantee=f"Joint privacy with ε = 1 and δ = 10⁻⁵ for one patient's stay (replace one), proved, if rewards are public, each patient comes once, and it is public when patients come. A reader of the whole board is right about Anna in at most {about_anna:.1f} of 100.")
            for people, worlds in boards.items()],
    noise=np.random.default_rng([seed, 9]).standard_normal(8_000), dial=Dial("patients on the board", low_end="few", high_end="many", first="More patients", next="More patients"), stages=("rounds", "dial"),
    caption="A board after so many patients, treated at random. The counts are set to their averages, so that only the noise is left to chance. Each count has the noise of the ward's first release.",
    alt="One number on an axis with zero in the middle: the noisy lead of the gentle treatment over the strong one.")

# %% tags=["remove-input"]
md(f"After 30 patients the best possible doctor is right in {doctor[30]:.0f} of 100 rounds, after 300 in {doctor[300]:.0f}, and after 1,000 practically always. Yet the noise is still the same. An attacker would bet on Anna instead: which of two stays was hers? Whatever else is known, with the board such a bet is right in at most {about_anna:.1f} of 100 cases, after any number of patients.")

# %% [markdown]
# **One noise hides Anna and shows the treatment.** Anna stays for ten days, and moves a count by at most six, however many patients come. For if a condition meets the same treatment more often in a stay, the ward counts only the first six of these days. This takes less noise, and loses less than 2 % of the lead. The lead of the right treatment grows with each patient. After 30 it is 11 days, far less than the noise, and after 1,000 it is 382. In the real ward the noise grows as well, but by less than a half until 20,000 patients. {ref}`The evidence counts Anna's days by hand <online-ward-counts>`.
#
# So waiting would help. But patient 31 lies in bed today. What do you do?
#
# ## Draw a world
#
# If you trust the lead at once, you may be wrong and never find out, because nobody gets the other treatment any more. If you treat at random until you are sure, most treatments are wrong in the meantime. **Posterior sampling** {cite:p}`osband2013` lies in between: *draw a world at random from those that the noisy counts allow, and treat the next patients by the best policy of that world.*
#
# Suppose that the lead of gentle on the board is 30 days. The true lead may be some way from it. So add fresh noise, three times. It is half as large as the noise that is in the lead already, a rule of thumb: with less, a lucky lead is believed too long, and with more, the ward tries things for longer than it must. We show a draw in which one world of three is wrong:

# %% tags=["remove-cell"]
fresh = np.random.default_rng(2016).normal(size=3) * lead_sd / 2
worlds_by_hand = [(round(x), 30 + round(x)) for x in fresh]
choices = ["gentle" if lead > 0 else "strong" for _, lead in worlds_by_hand]

# %% tags=["remove-input"]
md("| world | on the board | fresh noise | plausible lead | serious patients get |\n|---|---:|---:|---:|---|\n"
   + "".join(f"| {k} | 30 | {x:+d} | {lead:d} | {to} |\n".replace("-", "−") for k, ((x, lead), to) in enumerate(zip(worlds_by_hand, choices), 1)))

# %% [markdown]
# With these three worlds a third of the next patients get the strong treatment, and the ward goes on learning about both. The larger the lead, the fewer they are. The ward does the same with all 48 counts. It draws 32 worlds, plans ten days ahead in each of them, and shares them out among the patients of the next batch:

# %% tags=["remove-cell"]
def treat_and_learn(board, noise_sd, rng):
    counts, sd, history = np.zeros((4, 3, 4)), 0.0, []
    for people, next_sd in zip(np.diff(times, prepend=0), noise_sd):
        allowed = counts + sd / 2 * rng.normal(size=(32, 4, 3, 4))
        chances = rng.standard_gamma(plausible_counts(allowed) + 1 / 4)
        worlds = chances / chances.sum(axis=-1, keepdims=True)
        policies = best_policies(worlds[:, None], clinic.rewards)
        history.append((worlds, policies, counts))
        counts, sd = board.add(count_days_non_private(clinic, policies[None], people, counting, rng)[0]), next_sd
    return history

history = treat_and_learn(board_of.start((4, 3, 4), noise_rng=np.random.default_rng([seed, 1])), noise_sd, np.random.default_rng(seed))
counts, sd, rewards, rng = history[1][2], noise_sd[0], clinic.rewards, np.random.default_rng(0)

# %%
# 1. blur: add half of the noise once more, in 32 worlds
blurred = counts + sd / 2 * rng.normal(size=(32, 4, 3, 4))
# 2. repair: no count below zero, and the sum of each row as before
repaired = plausible_counts(blurred)
# 3. draw probabilities, less surely where counts are small;
#    1/4 more in each count, so that nothing is ruled out
chances = rng.standard_gamma(repaired + 1 / 4)
worlds = chances / chances.sum(axis=-1, keepdims=True)
# 4. plan: the best treatments in each world, found from the last day back
policies = best_policies(worlds[:, None], rewards)

# %% [markdown]
# All this is computed from noisy counts, so {doc}`it costs no privacy <01_one_after_another>`. {ref}`The evidence follows one row of counts through the four steps <online-ward-row>`. How long does it take until the worlds agree, and what does it cost?
#
# ## The worlds agree
#
# Take one ward. Each bar of its picture is one of 32 worlds. A blue world treats serious patients gently, which is right here, and an orange one does not. The height says how much the world expects from this: how much it gains over the next best treatment, in recovered days. A day counts 1 if the patient is recovered, 0.6 if mild, 0.2 if serious and 0 if very ill.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **At ε = 1 the 20,000 patients lose as much as if some of them had been treated at random, and all others rightly. How many?** Choose, then move the patients from 0 to 20,000.
#
# * about 100
# * about 900
# * about 9,000
# ```

# %% tags=["remove-cell"]
assert policies.shape == (32, 10, 4, 3) and np.allclose(worlds.sum(axis=-1), 1)
runs = max(4, round(48 * effort))
few = n_people if effort >= 0.5 else 2_000
found = private_posterior_sampling(clinic, few, epsilon=epsilon, delta=delta, runs=runs, rng=np.random.default_rng([seed, 0]), noise_rng=np.random.default_rng([seed, 2, 1]))
used = np.append(0, times[:-1])                                     # what is on the board when a batch is treated
same = posterior_sampling_non_private(clinic, few, runs=runs, counting=counting, times=growing(few, first=300, growth=0.2), rng=np.random.default_rng([seed, 0]))
often = posterior_sampling_non_private(clinic, few, runs=runs, rng=np.random.default_rng([seed, 20]))
lost = np.interp(np.append(used[:-1], n_people), np.append(0, found.times), np.append(0, found.regret.mean(axis=0))) / loss_at_random
lost_exact = np.interp(np.append(used[:-1], n_people), np.append(0, often.times), np.append(0, often.regret.mean(axis=0))) / loss_at_random
gently = np.array([int(policies[:, 0, 2, 1].sum()) for _, policies, _ in history])
error = float(found.regret[:, -1].std(ddof=1) / np.sqrt(runs)) / loss_at_random
told = tuple(f"{n:,}" for n in (*used[:-1], n_people))
so_far = Choice("so_far", "patients so far", told, told[1], low_end="none", high_end="20,000")
world_axis = Axis("world", "32 worlds, in order", 1, 32, points=32, scale="linear")
def leads(worlds):
    """What gentle today gains for a serious patient over the best of the other two, in each world, if all later days are treated best."""
    value = np.zeros(worlds.shape[:-2])
    for day in range(clinic.horizon - 1, -1, -1):
        each = rewards[day] + np.einsum("wsat,wt->wsa", worlds, value)
        value = each.max(axis=-1)
    return each[:, 2, 1] - np.maximum(each[:, 2, 0], each[:, 2, 2])

in_order = np.array([np.sort(leads(drawn)) for drawn, *_ in history])
true_lead = float(leads(clinic.transitions[:1])[0])
assert in_order.shape == (25, 32) and abs(in_order).max() < 1.5 and ((in_order > 0).sum(axis=1) == gently).all() and abs(np.median(in_order[-1]) - true_lead) < 0.1

# %% tags=["remove-input"]
explore(
    name="worlds_agree", sliders=[so_far], x=world_axis, bars=True, y=Axis("gain", "gain over the next best treatment, in recovered days", 0, 1.5, scale="linear"),
    curves=[Curve("treats gently", Table((so_far, world_axis), np.maximum(in_order, 0), scale="linear")), Curve("treats otherwise", Table((so_far, world_axis), np.maximum(-in_order, 0), scale="linear")),
            Curve("true gain of gentle", Table((world_axis,), np.full(32, true_lead), scale="linear"), reference=True)],
    readouts=[Readout("gently", "worlds that treat serious patients gently, of 32", Table((so_far,), gently.astype(float), scale="linear")),
              Readout("lost", "lost so far: as if treated at random", Table((so_far,), lost, scale="linear"), unit="patients"),
              Readout("lost_exact", "the same with exact counts, renewed often", Table((so_far,), lost_exact, scale="linear"), unit="patients")],
    guarantee="After any number of patients, here {so_far}: joint privacy with ε = 1 and δ = 10⁻⁵ for one patient’s stay (replace one), proved, if rewards are public, each patient comes once, and it is public when patients come.",
    alt="32 bars, one for each world. After {so_far} patients {gently} of 32 worlds treat serious patients gently; their bars are blue, the others orange. At first there are many orange bars; later nearly all are blue, and their heights are near the true gain of about one day.",
    caption=f"The worlds of one simulated ward, sorted. What is lost is the mean of {runs} simulated wards. A ward with exact counts promises nothing.")

# %% tags=["remove-cell"]
first, final = float(found.regret[:, 0].mean()) / loss_at_random, float(found.regret[:, -1].mean()) / loss_at_random
assert abs(first / 300 - 1) < 0.04                                 # the first batch is treated as if at random
if effort >= 1:
    assert round(final, -2) == 900 and error < 70                   # the letter of the page on what stays open says so
    assert gently[1] == 16 and gently[0] < 16 and (gently[-8:] == 32).all() and (gently[2:] >= 28).all()
    assert (np.diff(gently[1:7]) < 0).any()                        # the agreement is lost again in between
on_the_board = [float(history[k][2][2, 1, 1] - history[k][2][2, 2, 1]) for k in (1, 2)]      # of gentle over strong
if effort >= 1:
    assert [round(x) for x in on_the_board] == [33, 171] and gently[2] == 32 and used[2] - used[1] == 60 and on_the_board[0] < 0.4 * 300 * lead_per_patient < 60 < 360 * lead_per_patient < on_the_board[1]
learning, through_wait = (round(float(run.regret[:, -1].mean()) / loss_at_random) for run in (often, same))
waiting, noise = through_wait - learning, round(final) - through_wait       # the rounded parts add up
if effort >= 1:
    assert 0 <= through_wait - first < 3 and (learning, waiting) == (18, 285) and abs(noise - 591) <= 1 and abs(noise / final - 2 / 3) < 0.02 and abs(waiting / final - 1 / 3) < 0.02

# %% tags=["remove-input"]
md(f"""**What you should see.** About {round(final, -2):.0f} of 20,000. Before the first release the ward knows nothing, so the first 300 patients are treated as if at random. After it {gently[1]} of the 32 worlds are blue. That is less certain than you were in the game, where only two treatments were left: the ward has to tell three apart, from 48 noisy counts that it blurs once more. Only 60 patients later all {gently[2]} are blue. That is luck: on the board the lead of gentle over strong was {on_the_board[0]:.0f} days, and with the noise of the second release it is {on_the_board[1]:.0f}. Later {gently[3]} or {gently[6]} worlds are blue again, because each batch draws its worlds anew. In the end the bars come to rest near the true gain. Other conditions take longer, so the loss goes on growing, but more and more slowly.

How much of it is the price of privacy? Let two more wards treat the same kind of patients, with exact counts:""")

# %% tags=["remove-input"] mystnb={"image": {"alt": "Loss so far against the number of patients, up to 20,000. A ward with exact counts, renewed often, stays close to zero and ends near 20. One with exact counts at the same releases jumps to about 300 and is flat from then on. The private ward starts on the same 300, rises ever more slowly, and ends near 900. Arrows at the right end name the three parts: learning, waiting and noise."}}
fig, ax = plt.subplots(figsize=(7.4, 3.4))
for run, colour, words, above in ((found, PALETTE[0], "private, ε = 1", 40), (same, PALETTE[1], "exact counts, the same releases", 40), (often, "#5b6470", "exact counts, renewed often", 40)):
    so_much = run.regret.mean(axis=0) / loss_at_random
    ax.plot(np.append(0, run.times), np.append(0, so_much), color=colour, lw=2)
    ax.text(few * 0.5, np.interp(few * 0.5, run.times, so_much) + above * (-3 if run is found else 1), words, color=colour, weight="bold")
for low, high, words in ((learning, through_wait, f"waiting: {waiting:.0f}"), (through_wait, final, f"noise: {noise:.0f}")):
    ax.annotate("", (few * 1.02, low), (few * 1.02, high), arrowprops=dict(arrowstyle="<->", color="#4a5058", shrinkA=0, shrinkB=0), annotation_clip=False)
    ax.text(few * 1.035, (low + high) / 2, words, color="#4a5058", va="center")
ax.annotate(f"learning: {learning:.0f}", (few * 1.005, learning / 2), (few * 1.035, learning + 45), color="#4a5058", va="center", arrowprops=dict(arrowstyle="->", color="#4a5058", shrinkA=1, shrinkB=0), annotation_clip=False)
ax.set(xlim=(0, few * 1.2), ylim=(0, 1.1 * final), xticks=np.arange(5) * few / 4, xlabel="patients", ylabel="lost so far, in patients\ntreated at random", title="Most of the price is for the noise")
ax.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}");

# %% tags=["remove-input"]
md(f"""Of the {final:.0f}, {learning:.0f} are for learning itself: a ward with exact counts that renews them after nearly every patient loses them as well. Another {waiting:.0f} are for waiting: with exact counts at the same releases, nearly all is lost before the first one. The other {noise:.0f} are for the noise. {{ref}}`The evidence has other values of ε, and the spread of these losses <online-ward-regret>`.""")

# %% tags=["remove-cell"]
long, long_runs = (200_000 if effort >= 0.5 else 20_000), max(4, round(48 * effort))
longer = private_posterior_sampling(clinic, long, epsilon=epsilon, delta=delta, runs=long_runs, rng=np.random.default_rng([seed, 60]), noise_rng=np.random.default_rng([seed, 60, 1]))
stages = np.array([300, 2_000, 20_000, 200_000])
in_stage = np.diff([np.interp(stages, np.append(0, longer.times), np.append(0, run)) / loss_at_random for run in longer.regret], axis=1, prepend=0)
each_stage, stage_error = in_stage.mean(axis=0), in_stage.std(axis=0, ddof=1) / np.sqrt(long_runs)
if effort >= 1:
    assert each_stage[3] + 3 * stage_error[3] < each_stage[:3].sum() / 8 and 15 < each_stage[:3].sum() / each_stage[3] < 30
    assert (np.diff(each_stage / np.diff(stages, prepend=0)) < 0).all()
long_noise = counter("doubling-toeplitz", long, sensitivity, epsilon=epsilon, delta=delta, times=growing(long, first=300, growth=0.2)).standard_deviations
if effort >= 1:
    assert long_noise.size == 37 and round(100 * (long_noise[0] / noise_sd[0] - 1)) == 3 and abs(each_stage[:3].sum() - final) < np.hypot(error, in_stage[:, :3].sum(axis=1).std(ddof=1) / np.sqrt(long_runs))
assert longer.guarantees[0].epsilon < 1 + 1e-6

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# **This ward has learned from 20,000 patients. The next one plans for 200,000 from the start. How much do its last 180,000 patients lose, beside its first 20,000?**
#
# * nine times as much, since there are nine times as many
# * three times as much, by the square root
# * less than its first 20,000
# ```

# %% tags=["remove-input"]
md(f"""**The answer.** Less: its first 20,000 lose {each_stage[:3].sum():.0f}, and all others together {each_stage[3]:.0f}, with a standard error of {stage_error[3]:.0f}. The curve gets flatter and flatter:

| patients | lose together, as if treated at random | of every 1,000 |
|---|---:|---:|
""" + "".join(f"| {a + 1:,} to {b:,} | {x:.0f} ± {e:.0f} | {1_000 * x / (b - a):,.{1 if 1_000 * x < b - a else 0}f} |\n" for a, b, x, e in zip((0, *stages[:-1]), stages, each_stage, stage_error))
   + f"""
Means of {long_runs} simulated wards, ± their standard errors. The first 300 lose a little more than at random, because each keeps a plan that was drawn from nothing for a whole stay. The first 20,000 lost {final:.0f} ± {error:.0f} in the ward above. To plan for {long_noise.size} releases in place of {times.size} takes only {100 * (long_noise[0] / noise_sd[0] - 1):.0f} % more noise, and the rest of the difference is within chance. Under plain privacy each patient would pay. Here most was paid before the counts outgrew the noise. The square root is the rate of the theory for worlds in the worst case.""")

# %% [markdown]
# This ward is small. {ref}`The clinic of chapter 4, with its 716 states, can learn while it treats as well <online-sepsis>`: a bandit at ε = 1 finds the best of six protocols, and to count three groups of conditions, as this ward counts its four, brings nothing more.
#
# So far the hospital itself saw every record. What if patients do not trust the hospital? That is {doc}`the next page <08_nobody_may_see>`.
#
# ## To take away
#
# * What a treatment does adds up over patients, and what Anna did does not. So one noise can hide her and show the treatment.
# * While you are not sure, draw a world that the noisy counts allow, and treat by its best plan.
# * Privacy costs patients at the beginning. This ward at ε = 1 loses as if about 900 of 20,000 had been treated at random: a third for waiting, nearly two thirds for the noise, and only 18 for learning itself.

# %% tags=["remove-cell"]
assert found.guarantees[0].epsilon < 1 + 1e-6 and found.guarantees[0].model.value == "joint" and choices.count("gentle") == 2
