# ---
# jupyter:
#   myst:
#     html_meta:
#       description: First exercises on reinforcement learning and privacy that check themselves, proofs with a marking scheme, and a quiz.
# ---

# %% [markdown]
# # Exercises and a quiz
#
# ```{admonition} At a glance
# :class: tip
# * **What is here.** Exercises on {doc}`01_reinforcement_learning` to {doc}`07_choosing_one`: six warm-ups with pencil and paper, eight core exercises, three arguments with an error, four proofs to write, two programs, and, as research, a table to
#   improve, which gets a score. Then five questions that need no pencil.
# * **How it works.** In the notebook (`make lab`), put your answer in place of the `...` and run the cell: it says what is missing, what
#   went wrong, or that you are right. In the book, answers that are numbers can be typed into the page, and solutions can be opened.
#   Proofs have a model answer and a marking scheme.
# * **How long.** Each exercise says it. Half an hour for the warm-ups, an hour and a half for the core, and about five hours for all.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0  # the fraction of the full work
seed = 1957   # all randomness comes from here

# %% tags=["hide-input"]
import hashlib

import numpy as np
from scipy.stats import betabinom, norm

from privrl_core.pages import Exercise, Mistake, close_to

# %% [markdown]
# ## Warm-up
#
# Pencil and paper are enough. An answer may be a formula, such as `2 / 7`, `3 ** 0.5` or `np.exp(-2)`.
#
# ````{exercise} Two stages
# :label: ex-two-stages
# *Practises: Bellman's equation. 5 minutes.*
#
# A small clinic has two stages. Each week a patient moves up with probability one half, and otherwise stays. Above stage 1 is stage 2, and above stage 2 the patient has recovered. A recovery brings the reward 1, and γ = 0.8. What is the
# value of **stage 1**?
# ````

# %% tags=["remove-input"]
two_stages = Exercise(
    is_right=close_to(5 / 9, mistakes=[
        (5 / 6, "That is the value of stage 2. Stage 1 is a step further away."),
        (25 / 36, "The week in which a patient moves to stage 2 must be waited for: it is 0.8 V(2), and not V(2), that the patient has from there."),
        (1 / 3, "You have the patients who move up. The other half stays in stage 1, and has 0.8 V(1) next week."),
        (2 / 3, "That is 0.8 V(2), as if every patient moved up in the first week."),
        (4 / 9, "You have discounted the recovery in the week in which it happens. The reward of this week counts in full."),
        (1.0, "That is the probability to recover some day, without a discount for the weeks of waiting.")]),
    hint="Begin with stage 2: V(2) = ½ · 1 + ½ · 0.8 V(2). Then write the same kind of equation for stage 1.")

# %%
value_of_stage_one = ...
two_stages.check(value_of_stage_one)

# %% [markdown]
# ````{solution-start} ex-two-stages
# :class: dropdown
# ````
#
# Begin at the end. $V(2) = 0.5 + 0.4\, V(2)$, so $V(2) = 0.5/0.6 = 5/6$. Then $V(1) = 0.4\, V(2) + 0.4\, V(1)$, so $V(1) = 0.4/0.6 \cdot V(2) = 2/3 \cdot 5/6 = 5/9$.

# %%
one_week = np.array([[0.5, 0.5], [0.0, 0.5]])      # from stages 1 and 2 to them
reward_now = np.array([0.0, 0.5])
both = np.linalg.solve(np.eye(2) - 0.8 * one_week, reward_now)
value_of_stage_one = both[0]
print(f"V(1) = {both[0]:.3f}, V(2) = {both[1]:.3f}")
two_stages.check(value_of_stage_one)

# %% [markdown]
# ````{solution-end}
# ````
#
# ````{exercise} Five records
# :label: ex-five-records
# *Practises: returns, and a value from records. 5 minutes.*
#
# Five patients of a doctor started in stage 1. One recovered in the first week, one in the second, two in the third, and one was lost in the second. A recovery brings 1, and γ = 0.8. What is the estimate of the value of stage 1 under this
# doctor's policy?
# ````

# %% tags=["remove-input"]
five_records = Exercise(
    is_right=close_to(0.616, 0.005, mistakes=[
        (0.77, "You have left out the lost patient, whose return is 0. An estimate from recovered patients only is too high."),
        (0.4928, "A week of waiting too many: the patient who recovers in the first week has not waited, and has the return 1."),
        (0.8, "That is the share of patients who recovered. Their waiting is not in it."),
        (3.08, "That is the sum of the returns. A value is a mean."),
        (0.8 * 0.8**1.25, "You have discounted the mean waiting time. First take each patient's return, then the mean."),
        (0.61, "Two patients recovered in the third week, and each of them counts.")]),
    hint="Write down five returns. Whoever recovers in the third week has waited for two weeks.")

# %%
estimate_of_the_value = ...
five_records.check(estimate_of_the_value)

# %% [markdown]
# ````{solution-start} ex-five-records
# :class: dropdown
# ````
#
# The returns are 1, 0.8, 0.64, 0.64 and 0. Their mean is 3.08 / 5.

# %%
returns_of_five = [1, 0.8, 0.8**2, 0.8**2, 0]
estimate_of_the_value = np.mean(returns_of_five)
five_records.check(estimate_of_the_value)

# %% [markdown]
# ````{solution-end}
# ````
#
# ````{exercise} How patient is this doctor?
# :label: ex-how-patient
# *Practises: discount. 5 minutes.*
#
# With one treatment a patient recovers this week with probability 0.6, and is lost otherwise. With the other one every patient recovers in the third week. A doctor finds both equally good. What is this doctor's γ?
# ````

# %% tags=["remove-input"]
how_patient = Exercise(
    is_right=close_to(np.sqrt(0.6), 0.005, mistakes=[
        (0.6 ** (1 / 3), "That waits for three weeks. A patient who recovers in the third week has waited for two."),
        (0.6, "With γ = 0.6 one week of waiting would be worth as much as the danger. Here two weeks are."),
        (0.36, "You have squared 0.6. It is the other way round: γ² = 0.6."),
        (0.8, "You have taken off 0.2 a week. A discount multiplies: 0.8² is 0.64, and not 0.6."),
        (0.4, "That is the probability to be lost. What is the second treatment worth, as a power of γ?")]),
    hint="What is each treatment worth? The second one is worth γ to some power.")

# %%
gamma_of_the_doctor = ...
how_patient.check(gamma_of_the_doctor)

# %% [markdown]
# ````{solution-start} ex-how-patient
# :class: dropdown
# ````
#
# The first treatment is worth 0.6. The second one is worth $\gamma^2$, because its patients wait for two weeks. So $\gamma = \sqrt{0.6}$.

# %%
gamma_of_the_doctor = 0.6 ** 0.5
print(f"γ = {gamma_of_the_doctor:.3f}")
how_patient.check(gamma_of_the_doctor)

# %% [markdown]
# A doctor with a larger γ takes the slow treatment, and one with a smaller γ the dangerous one.
#
# ````{solution-end}
# ````
#
# ````{exercise} How far off is the count?
# :label: ex-laplace-count
# *Practises: Laplace noise. 5 minutes.*
#
# A clinic publishes how many of its patients skipped their medicine, with Laplace noise, ε = 0.5 and δ = 0 for one answer (replace one). With which probability is the published number off by **more than 6**, up or down? The density of the noise is
# $\frac1{2b} e^{-\lvert z\rvert/b}$, and you choose $b$.
# ````

# %% tags=["remove-input"]
off_by_six = Exercise(
    is_right=close_to(np.exp(-3), mistakes=[
        (np.exp(-3) / 2, "That is one side only. The number may be too large or too small."),
        (np.exp(-12), "You have taken b = ½. A smaller ε needs more noise: b is the sensitivity divided by ε."),
        (np.exp(-6), "You have taken b = 1, which is for ε = 1."),
        (np.exp(-1.5), "You have taken b = 4. One answer that is replaced moves the count by 1, and not by 2."),
        (1 - np.exp(-3), "That is the probability that the number is off by at most 6."),
        (2 * norm.sf(6 / np.sqrt(8)), "That is for Gaussian noise with the same standard deviation. Laplace noise has heavier tails.")]),
    hint="How far can one answer move a count? Which b follows? Then integrate the density from 6 on, and double it.")

# %%
off_by_more_than_six = ...
off_by_six.check(off_by_more_than_six)

# %% [markdown]
# ````{solution-start} ex-laplace-count
# :class: dropdown
# ````
#
# One answer moves the count by Δ = 1, so $b = \Delta/\varepsilon = 2$. The area from 6 on is $\int_6^\infty \frac1{2b} e^{-z/b}\,dz = \frac12 e^{-6/b}$, and both sides together have $e^{-6/2} = e^{-3}$, which is 5 %.

# %%
off_by_more_than_six = np.exp(-6 * 0.5 / 1)
print(f"{off_by_more_than_six:.4f}")
off_by_six.check(off_by_more_than_six)

# %% [markdown]
# The number of patients does not matter. In a count of 30, six are a lot, and in a count of 30,000 nobody would notice.
#
# ````{solution-end}
# ````
#
# ````{exercise} A clipped mean
# :label: ex-clipped-mean
# *Practises: sensitivity. 5 minutes.*
#
# A clinic has 40 patients, and this number is public. It clips every return to the interval from −1 to 3, and publishes the mean. What is the sensitivity of this mean, if one patient is replaced?
# ````

# %% tags=["remove-input"]
clipped_mean = Exercise(
    is_right=close_to(0.1, mistakes=[
        (4.0, "That is the sensitivity of the sum."),
        (3 / 40, "You have the largest return over 40. The patient in her place may have a return of −1."),
        (6 / 40, "You have doubled the largest return. From the largest to the smallest it is 4, and not 6."),
        (1 / 40, "That is for returns between 0 and 1."),
        (4 / 39, "Nobody leaves: one patient takes the place of another, and there are 40 in both worlds."),
        (8 / 40, "You have doubled the length of the interval. One return goes out and one comes in, and together they move the sum by 4 at most.")]),
    hint="Which return moves the sum most, if which one takes its place?")

# %%
mean_moves_by = ...
clipped_mean.check(mean_moves_by)

# %% [markdown]
# ````{solution-start} ex-clipped-mean
# :class: dropdown
# ````
#
# The worst case is a return of 3 (or more, which is clipped) in place of a return of −1 (or less). The sum moves by 4, and the mean by 4 / 40.

# %%
mean_moves_by = (3 - (-1)) / 40
clipped_mean.check(mean_moves_by)

# %% [markdown]
# ````{solution-end}
# ````
#
# ````{exercise} What is left?
# :label: ex-what-is-left
# *Practises: adding up promises. 5 minutes.*
#
# A clinic has promised ε = 1 and δ = 0 for one answer, for all that it publishes. It has published two counts with Laplace noise of scale $b = 4$ each. Every patient is in every count, and moves it by at most 1. What is the smallest scale of Laplace
# noise for a third count?
# ````

# %% tags=["remove-input"]
what_is_left = Exercise(
    is_right=close_to(2.0, mistakes=[
        (0.5, "That is the ε which is left. Which scale belongs to it?"),
        (4.0, "That keeps the promise, too, but a smaller scale is enough: ε = ½ is left."),
        (1.0, "That is the scale for the whole ε. Two counts have used up a part of it."),
        (4 / 3, "You have counted one of the two counts that were published."),
        (1 / np.sqrt(7 / 8), "You have added up squares. That is for the μ of Gaussian noise. Here the ε add up."),
        (2 * np.sqrt(2), "That is the standard deviation of the noise. The question is about the scale.")]),
    hint="Which ε does a count of scale 4 have? What is left of 1 after two of them?")

# %%
scale_of_the_third = ...
what_is_left.check(scale_of_the_third)

# %% [markdown]
# ````{solution-start} ex-what-is-left
# :class: dropdown
# ````
#
# Each of the two counts has ε = 1/4. So 1 − 1/4 − 1/4 = 1/2 is left, and its scale is $b = 1/(1/2) = 2$.

# %%
scale_of_the_third = 1 / (1 - 1 / 4 - 1 / 4)
what_is_left.check(scale_of_the_third)

# %% [markdown]
# ````{solution-end}
# ````
#
# ## Core
#
# ````{exercise} How much danger is a week worth?
# :label: ex-danger
# *Practises: Bellman's equation, comparing treatments. 10 minutes.*
#
# In the last stage before recovery there are two treatments. Gentle: the patient recovers with probability 0.5, and otherwise stays. Strong: the patient recovers with probability 0.8, is lost with probability $d$, and otherwise stays. A
# recovery brings 1, and γ = 0.9. For which $d$ are both treatments equally good?
# ````

# %% tags=["remove-input"]
danger = Exercise(
    is_right=close_to(1 / 15, mistakes=[
        (0.08, "A patient who stays under the strong treatment has 0.9 V next week, and not V."),
        (0.06, "Nearly: the last step is to divide by 0.9."),
        ((0.8 / 0.95 - 0.82) / 0.9, "You have taken 0.5 + 0.5 · 0.9 for the gentle treatment, as if all others recovered in the second week. Solve V = 0.5 + 0.45 V."),
        (13 / 15, "You have taken 0.5 for the gentle treatment. Its patients who stay are treated again. Besides, only 0.2 of the strong one's patients do not recover."),
        (0.2, "Then nobody stays, and strong is worth 0.8. Is gentle worth less than that?"),
        (0.02, "That is the danger in stage 5 of the chapter's clinic. At 2 % strong is better.")]),
    hint="The value V is the same for both. Write down Bellman's equation for each, and put the V of the gentle treatment into that of the strong one.")

# %%
same_value_at = ...
danger.check(same_value_at)

# %% [markdown]
# ````{solution-start} ex-danger
# :class: dropdown
# ````
#
# Gentle: $V = 0.5 + 0.45\,V$, so $V = 10/11$. If strong is as good, then this $V$ also solves $V = 0.8 + 0.9\,(0.2 - d)\,V$. Divided by $V$, this is $1 = 0.88 + 0.18 - 0.9\,d$. Hence $d = 0.06/0.9 = 1/15$.

# %%
V_gentle = 0.5 / (1 - 0.45)
same_value_at = (0.8 / V_gentle + 0.18 - 1) / 0.9
print(f"d = {same_value_at:.4f}")
danger.check(same_value_at)

# %% [markdown]
# Up to a danger of 6.7 % the strong treatment is better here. With γ = 0.99 only 0.6 % would be acceptable, because a week of waiting costs less.
#
# ````{solution-end}
# ````
#
# ````{exercise} What sticks out of a table
# :label: ex-table-delta
# *Practises: δ, exactly. 10 minutes.*
#
# A program publishes one of four letters about Anna. These are its probabilities:
#
# | | a | b | c | d |
# |---|---|---|---|---|
# | Anna said yes | 0.50 | 0.30 | 0.15 | 0.05 |
# | Anna said no | 0.25 | 0.30 | 0.30 | 0.15 |
#
# Which δ has the program at $e^\varepsilon = 1.5$?
# ````

# %% tags=["remove-input"]
table_delta = Exercise(
    is_right=close_to(0.15, mistakes=[
        (0.125, "That is what sticks out of *yes* above 1.5 times *no*. The promise also holds with the two worlds exchanged."),
        (0.275, "You have added up both directions. Each of them must be below δ, so take the larger one."),
        (0.25, "That is for ε = 0. First raise the other row by the factor 1.5."),
        (0.075, "That is one letter. The event “c or d” is an event, too."),
        (-0.5, "You have let the negative differences count. Only what sticks out counts, letter by letter."),
        (0.75, "You have added up absolute values. Only what sticks out counts: where a row is below 1.5 times the other, nothing does."),
        (0.8, "You have added up absolute values. Only what sticks out counts: where a row is below 1.5 times the other, nothing does.")]),
    hint="In each direction: multiply the other row by 1.5, subtract, and add up what is positive.")

# %%
delta_of_the_table = ...
table_delta.check(delta_of_the_table)

# %% [markdown]
# ````{solution-start} ex-table-delta
# :class: dropdown
# ````
#
# *Yes* above 1.5 times *no*: a sticks out by 0.5 − 0.375 = 0.125, and nothing else. *No* above 1.5 times *yes*: c sticks out by 0.3 − 0.225 = 0.075 and d by 0.15 − 0.075 = 0.075, together 0.15. δ is the larger one.

# %%
if_yes_table = np.array([0.5, 0.3, 0.15, 0.05])
if_no_table = np.array([0.25, 0.3, 0.3, 0.15])
delta_of_the_table = max(np.maximum(p - 1.5 * q, 0).sum() for p, q in (
    (if_yes_table, if_no_table), (if_no_table, if_yes_table)))
print(f"δ = {delta_of_the_table:.3f}")
table_delta.check(delta_of_the_table)

# %% [markdown]
# At $e^\varepsilon = 3$ nothing sticks out in either direction, so this program has ε = ln 3 and δ = 0.
#
# ````{solution-end}
# ````
#
# ````{exercise} A rare illness
# :label: ex-rare-illness
# *Practises: right guesses and beliefs. 10 minutes.*
#
# Anna answers by a bent coin: with probability ¾ she says the truth, and otherwise the opposite. Before she answers, an attacker thinks that her truth is *yes* with probability 0.2. The attacker hears her answer, and then bets as well as possible.
# With which probability is the bet right?
# ````

# %% tags=["remove-input"]
rare_illness = Exercise(
    is_right=close_to(0.8, mistakes=[
        (0.75, "That attacker bets on what Anna says. After a yes, is *yes* really likelier than *no*?"),
        (3 / 7, "That is the belief in *yes* after she has said yes. How often is the better bet right?"),
        (0.6, "You have multiplied the probability 0.2 by 3. It is the odds that are multiplied by 3: 1 to 4 become 3 to 4."),
        (0.35, "That is the probability that she says yes."),
        (0.5, "Without any answer the attacker would bet on *no*, and already be right more often than this."),
        (0.95, "You have added the 0.15 to the 0.8. They belong to two different bets after a yes, and only one of them can be made.")]),
    hint="There are four cases: truth and answer. For each answer, the attacker takes the likelier truth.")

# %%
best_bet_is_right = ...
rare_illness.check(best_bet_is_right)

# %% [markdown]
# ````{solution-start} ex-rare-illness
# :class: dropdown
# ````
#
# She says yes with probability 0.2 · ¾ = 0.15 if it is true, and 0.8 · ¼ = 0.2 if it is not. So even after a yes the best bet is *no*. She says no with probability 0.2 · ¼ = 0.05 and 0.8 · ¾ = 0.6, and the best bet is *no* again: 0.2 + 0.6 = 0.8.

# %%
prior_odds = np.array([[0.2], [0.8]])
truth_and_answer = prior_odds * np.array([[0.75, 0.25], [0.25, 0.75]])
best_bet_is_right = truth_and_answer.max(axis=0).sum()
rare_illness.check(best_bet_is_right)

# %% [markdown]
# The coin has $e^\varepsilon = 3$. An attacker whose odds are more than 3 to 1 always bets the same, and the answer is of no use for a bet. It still changes the belief in *yes*, from 20 % to 43 % after a yes. With even odds, the same coin raises right guesses from 50 to 75 in 100.
#
# ````{solution-end}
# ````
#
# ````{exercise} First visits
# :label: ex-first-visits
# *Practises: the sensitivity of many numbers. 10 minutes.*
#
# There are ten stages. For each of them a hospital counts how many patients *ever visited* it: a patient who comes back counts once. A patient may begin in any stage and skip stages. By how much can the ten counts move together, in the L2 norm, if one patient is replaced by another?
# ````

# %% tags=["remove-input"]
first_visits = Exercise(
    is_right=close_to(np.sqrt(10), 0.005, mistakes=[
        (10.0, "That is the L1 norm, which Laplace noise needs. The L2 norm adds squares."),
        (np.sqrt(20), "You have counted two moves in each stage. If both patients visit a stage, its count does not move at all."),
        (1.0, "That is how far each of the ten counts moves. They all move at once."),
        (3.0, "You have compared a patient who visits all stages with one who visits a single one. Two patients who share no stage move one count more."),
        (2 * np.sqrt(10), "That would need counts that move by 2. A count moves by at most 1."),
        (np.sqrt(2), "That is for patients who visit one stage each.")]),
    hint="By how much can a single count move? Can all ten move by so much at once?")

# %%
counts_move_by = ...
first_visits.check(counts_move_by)

# %% [markdown]
# ````{solution-start} ex-first-visits
# :class: dropdown
# ````
#
# Each count moves by 1 at most, so the norm is at most $\sqrt{10}$. It is reached if each stage is visited by one of the two patients and not by both, for example stages 1 to 5 by one and 6 to 10 by the other.

# %%
visits_of_one = np.array(5 * [1] + 5 * [0])
counts_move_by = np.linalg.norm(visits_of_one - (1 - visits_of_one))
print(f"{counts_move_by:.3f}")
first_visits.check(counts_move_by)

# %% [markdown]
# For *add or remove one* it is $\sqrt{10}$ as well: a patient who visits all stages comes or goes. Replacing does not cost twice as much here.
#
# ````{solution-end}
# ````
#
# ````{exercise} Two releases, three stays
# :label: ex-three-stays
# *Practises: μ over releases and over the stays of one person. 10 minutes.*
#
# A hospital publishes two counts of stays with Gaussian noise, the first with standard deviation 3 and the second with standard deviation 4. One stay moves each count by at most 1. Anna has three stays in the log, and each of them is in both counts. What is her μ for
# both releases together?
# ````

# %% tags=["remove-input"]
three_stays = Exercise(
    is_right=close_to(1.25, 0.005, mistakes=[
        (5 / 12, "That is the μ of one stay. Anna has three, and they may all move the counts in the same direction."),
        (5 / 12 * np.sqrt(3), "Roots are for independent noises. Her three stays are hidden by the same noise, so the step is three times as long."),
        (1.75, "You have added up the μ of the two releases. Their noises are independent, so the squares add up."),
        (0.6, "You have combined the noises to 5. It is the squares of Δ/σ that add up: each release gives away something of its own."),
        (0.8, "That is 1/μ. The step stands above the noise: μ = Δ/σ."),
        (1.0, "That is the first release alone. The second one gives away more.")]),
    hint="First the μ of each release for all her three stays, then add up squares.")

# %%
mu_of_anna = ...
three_stays.check(mu_of_anna)

# %% [markdown]
# ````{solution-start} ex-three-stays
# :class: dropdown
# ````
#
# Her three stays move each count by 3. So the two releases have $\mu_1 = 3/3 = 1$ and $\mu_2 = 3/4$, together $\sqrt{1 + 9/16} = 5/4$.

# %%
mu_of_anna = np.hypot(3 / 3, 3 / 4)
three_stays.check(mu_of_anna)

# %% [markdown]
# With Laplace noise the same would be a sum both times: over the two releases, and over the three stays.
#
# ````{solution-end}
# ````
#
# ````{exercise} Three quarters honest
# :label: ex-honest
# *Practises: randomised response. 10 minutes.*
#
# Nobody trusts the clinic. So each of 400 patients answers by a bent coin: with probability ¾ the truth, and otherwise the opposite. 180 patients say yes. Estimate the share of patients whose truth is *yes*.
# ````

# %% tags=["remove-input"]
honest = Exercise(
    is_right=close_to(0.4, mistakes=[
        (0.45, "That is the share who *said* yes. Among them are patients whose coin made a yes of their no."),
        (0.2, "You have subtracted the ¼ of false answers. What is left still has to be divided by something: if the truth of all is *yes*, only ¾ say so."),
        (0.2 / 0.75, "You have divided by ¾. A share q leads to ¼ + q (¾ − ¼) of yeses."),
        (0.6, "Either you have divided 0.45 by ¾, or this is the share of *no*. Write the share of yeses as a function of the share q, and solve for q."),
        (0.45 * 0.75, "You have multiplied by ¾. Some of those who say no have a *yes*, too."),
        (160.0, "That is the number of patients. The question is about the share.")]),
    hint="If a share q has the truth *yes*, which share says yes?")

# %%
share_of_yes = ...
honest.check(share_of_yes)

# %% [markdown]
# ````{solution-start} ex-honest
# :class: dropdown
# ````
#
# A share $q$ of true yeses leads to a share $\frac34 q + \frac14 (1 - q) = \frac14 + \frac12 q$ of answers *yes*. So $0.45 = 0.25 + 0.5\, q$, and $q = 0.4$.

# %%
share_of_yes = (180 / 400 - 1 / 4) / (3 / 4 - 1 / 4)
error_of_share = np.sqrt(3 / 4 * 1 / 4 / 400) / (3 / 4 - 1 / 4)
print(f"{share_of_yes:.2f} ± {error_of_share:.3f}")
honest.check(share_of_yes)

# %% [markdown]
# The error of 0.043 is that of the coins. Each of them is private with ε = ln 3. Laplace noise with the same ε, added once by a trusted clinic, would change the share by about 0.003.
#
# ````{solution-end}
# ````
#
# ````{exercise} Named by chance
# :label: ex-named
# *Practises: the exponential mechanism. 10 minutes.*
#
# Treatment A helped 20 patients, B helped 16 and C helped 12. One patient who is replaced can move each of these counts by 1, up or down. The clinic publishes the name of the best treatment by the exponential mechanism, with ε = 0.4. With which probability does it name A?
# ````

# %% tags=["remove-input"]
named_by_chance = Exercise(
    is_right=close_to(1 / (1 + np.exp(-0.8) + np.exp(-1.6)), 0.005, mistakes=[
        (1 / (1 + np.exp(-1.6) + np.exp(-3.2)), "You have taken the weights e^(εq). One patient may raise the weight of one treatment and lower those of all others, and so the exponent is εq/2."),
        (1 / (1 + np.exp(-2) + np.exp(-4)), "That is for ε = 1."),
        (20 / 48, "You have divided the counts by their sum. A weight grows exponentially with its count."),
        (1 / (1 + np.exp(-0.8)), "That is A against B only. C may be named as well."),
        (np.exp(-0.8) / (1 + np.exp(-0.8) + np.exp(-1.6)), "That is the probability of B."),
        (1.0, "A leads by four patients, and the noise has scale 5. It does not always name A.")]),
    hint="What is the weight of each treatment? Only the leads of A count, 4 and 8.")

# %%
names_treatment_a = ...
named_by_chance.check(names_treatment_a)

# %% [markdown]
# ````{solution-start} ex-named
# :class: dropdown
# ````
#
# The weights are $e^{0.2 \cdot 20}$, $e^{0.2 \cdot 16}$ and $e^{0.2 \cdot 12}$. Divided by the first one they are 1, $e^{-0.8}$ and $e^{-1.6}$, so A has the share $1/(1 + 0.449 + 0.202)$.

# %%
helped = np.array([20, 16, 12])
weights_of_names = np.exp(0.4 * helped / 2)
names_treatment_a = weights_of_names[0] / weights_of_names.sum()
print(f"{names_treatment_a:.3f}")
named_by_chance.check(names_treatment_a)

# %% [markdown]
# Report noisy max with Gumbel noise of scale 2/ε = 5 on each count names A equally often. With 200, 196 and 192 patients the probability would be the same, since only the leads count.
#
# ````{solution-end}
# ````
#
# ````{exercise} Too few patients
# :label: ex-too-few
# *Practises: a limit for every private rule. 10 minutes.*
#
# A rule is to say which one of 10,000 answers is right. It keeps ε = 0.2 and δ = 0 if one patient is replaced. For each answer there is a data set of $n$ patients for which it is the right one. On each of these data sets the rule should be right with probability ½ at least. Now compare them all with one data set $B$ of $n$ patients, which you may choose.
# At most $n$ patients are replaced between $B$ and any other of these data sets, and each of these steps changes the probability of an answer by a factor of $e^{0.2}$ at most. On $B$ the probabilities of all answers add up to at most 1. This argument is called *packing*. Choose $B$ so that it excludes as many $n$ as possible. What is the smallest whole $n$ that is not excluded?
# ````

# %% tags=["remove-input"]
too_few = Exercise(
    is_right=close_to(np.ceil(np.log(9999) / 0.2), 1e-3, mistakes=[
        (np.log(9999) / 0.2, "Patients are whole. Round up, since fewer are impossible."),
        (np.floor(np.log(9999) / 0.2), "That is just excluded: e^(0.2 · 46) is less than 9,999."),
        (np.ceil(np.log(5000) / 0.2), "This bound is true for every data set B, and a better B gives more. Take one of the 10,000 data sets themselves: on it the rule is right in half of the cases."),
        (np.log(5000) / 0.2, "This bound is true for every data set B, and a better B gives more. Besides, patients are whole."),
        (np.floor(np.log(5000) / 0.2), "That is excluded with every data set B: e^(0.2 · 42) is less than 5,000. A better B excludes more."),
        (np.ceil(np.log(9999)), "That is for ε = 1."),
        (np.ceil(np.log(9999) / 0.1), "The ½ of the exponential mechanism is not in this bound: n replacements change a probability e^(nε) times at most."),
        (25_000.0, "A probability may grow exponentially with the number of replacements.")]),
    hint="The probabilities of all answers on B add up to 1 at most. How many replacements lead from B to the data set of an answer? For which B do you know that one of the probabilities is large?")

# %%
least_patients = ...
too_few.check(least_patients)

# %% [markdown]
# ````{solution-start} ex-too-few
# :class: dropdown
# ````
#
# At most $n$ replacements lead from $B$ to the data set $X_i$ of answer $i$. On $X_i$ the rule gives answer $i$ with probability ½ or more, so on $B$ it does so with probability $\frac12 e^{-0.2 n}$ or more. For every $B$ these 10,000 probabilities add up to at most 1, and hence $5000\, e^{-0.2 n} \le 1$. That excludes all $n$ below 43.
#
# It is better to take $B = X_1$. There answer 1 has the probability ½ or more, since no record is replaced. The other 9,999 leave it no more than the other half: $\frac12 + 9999 \cdot \frac12 e^{-0.2 n} \le 1$, and hence $e^{0.2 n} \ge 9999$. If you found 47 by $\ln(10{,}000)/0.2$, the number is right by chance: that is the bound for a rule that is always right, with any $B$.

# %%
least_patients = int(np.ceil(np.log(9999) / 0.2))
print(f"{least_patients}, and with any B {int(np.ceil(np.log(5000) / 0.2))}")
too_few.check(least_patients)

# %% [markdown]
# This holds for every question with so many answers. A hundred times as many answers need only 23 more patients, since the logarithm grows by 4.6.
#
# ````{solution-end}
# ````
#
# ## Find the error
#
# Each of these arguments ends in a claim that does not hold. Find the step, and show it with numbers.
#
# ````{exercise} The mean of those who came
# :label: ex-visitors
# *Practises: sensitivity. 10 minutes.*
#
# *"There are a hundred patients with returns from 0 to 1. One of them moves the mean return by at most 1/100. Some of the hundred visited stage 3. Their mean return is also a mean over patients of this data set, so it moves by at most 1/100, too. Laplace noise of scale 1/(100 ε) is enough for both."*
#
# Find two neighbouring data sets of a hundred records for which the second mean moves by at least 0.5. A record is a pair: 1 if the patient visited stage 3, or 0 if not; and the return.
# ````

# %%
def mean_of_visitors(records):
    returns = [G for visited, G in records if visited]
    return sum(returns) / len(returns) if returns else 0.0

# %% tags=["remove-input"]
def mean_moves(pair):
    if len(pair) != 2:
        raise Mistake("Two data sets, please: a pair of lists.")
    one, other = ([(visited, float(G)) for visited, G in records] for records in pair)
    if len(one) != 100 or len(other) != 100:
        raise Mistake(f"A hundred records in each data set, please; these have {len(one)} and {len(other)}.")
    if any(visited not in (0, 1) for visited, _ in one + other):
        raise Mistake("The first part of a record is 1 or 0.")
    if not all(0 <= G <= 1 for _, G in one + other):
        raise Mistake("Returns are from 0 to 1.")
    common = sum(min(one.count(record), other.count(record)) for record in set(one))
    if common != 99:
        raise Mistake(f"The two data sets differ in {100 - common} records. Neighbours differ in one.")
    moved = abs(mean_of_visitors(one) - mean_of_visitors(other))
    if moved < 0.5 - 1e-12:
        raise Mistake(f"The mean moves by {moved:.2g}. Over how many patients is it a mean?")
    return True

visitors = Exercise(is_right=mean_moves, hint="Two lists of a hundred pairs, such as `100 * [(1, 0.3)]`. How many visitors should there be?")

# %%
two_hundred_records = ...     # two lists, such as 100 * [(1, 0.3)]
visitors.check(two_hundred_records)

# %% [markdown]
# ````{solution-start} ex-visitors
# :class: dropdown
# ````
#
# The step *"so it moves by at most 1/100, too"*. The mean is over the visitors, and there may be a single one. Then this patient alone decides.

# %%
nobody_else = 99 * [(0, 0.0)]
two_hundred_records = ([(1, 1.0)] + nobody_else, [(1, 0.0)] + nobody_else)
print([mean_of_visitors(records) for records in two_hundred_records])
visitors.check(two_hundred_records)

# %% [markdown]
# The sensitivity is a maximum over all data sets, and it is 1 here. The way out is to release the sum of the visitors' returns and their number, each with noise. {doc}`Chapter 2 </chapters/02_policy_evaluation/index>` is about this.
#
# ````{solution-end}
# ````
#
# ````{exercise} Draw again
# :label: ex-draw-again
# *Practises: what the noise may be. 10 minutes.*
#
# *"Coin noise is 0 with probability 1/3, and each further step away is half as likely. It keeps ε = ln 2 and δ = 0. But a count that is off by ten looks foolish. So I draw the noise again until it is between −2 and 2. This does not depend on the data, and the noise is smaller than before. So everything holds as before."*
#
# An attacker knows all other answers. Suppose that Anna said yes. With which probability does the published count *prove* that she did?
# ````

# %% tags=["remove-input"]
draw_again = Exercise(
    is_right=close_to(0.1, mistakes=[
        (1 / 12, "That is the probability before anything is drawn again. The probability of the far numbers is shared out among those that remain."),
        (0.2, "You have both ends. At the lower end the count is possible if she said no as well."),
        (1 / 6, "That is the probability that the noise must be drawn again. What can the published count show?"),
        (0.3, "A count that is one too high can also come from a *no*, with noise 2. It proves nothing."),
        (1 / 24, "That is the probability of noise 3, which never comes any more."),
        (0.4, "That is the probability of no noise. Then a *no* with noise 1 would explain the count, too.")]),
    hint="Let the others have 30 yeses. Which counts are possible if Anna said yes, and impossible if she said no?")

# %%
proof_of_a_yes = ...
draw_again.check(proof_of_a_yes)

# %% [markdown]
# ````{solution-start} ex-draw-again
# :class: dropdown
# ````
#
# The step *"so everything holds as before"*. With 30 yeses among the others, the count is 29 to 33 if Anna said yes, and 28 to 32 if she said no. A 33 proves the yes. It needs noise 2, with probability $\frac1{12} / (\frac13 + 2 \cdot \frac16 + 2 \cdot \frac1{12}) = \frac1{10}$.

# %%
chances = 0.5 ** np.abs(np.arange(-2, 3)) / 3
proof_of_a_yes = chances[-1] / chances.sum()
print(f"{proof_of_a_yes:.2f}")
draw_again.check(proof_of_a_yes)

# %% [markdown]
# So δ is 0.1 at ε = ln 2, and it is 0.1 at every larger ε, too. Noise with an edge shows its centre. Cut off the *published number* instead, at 0 and at the number of patients: this is post-processing.
#
# ````{solution-end}
# ````
#
# ````{exercise} The mean wait
# :label: ex-mean-wait
# *Practises: values are means of returns. 10 minutes.*
#
# *"A patient recovers each week with probability p. The weeks of waiting before are $(1-p)/p$ on average. A recovery after that many weeks is worth γ to this power. So this is the value, and I need not solve any equation."*
#
# Find p and γ for which the true value is at least ten times as large.
# ````

# %% tags=["remove-input"]
def wait_is_wrong(pair):
    p, gamma = (float(number) for number in pair)
    if not 0 < p <= 1:
        raise Mistake("p is a probability above 0.")
    if not 0 < gamma < 1:
        raise Mistake("γ lies between 0 and 1, and is neither of them.")
    if p == 1:
        raise Mistake("With p = 1 nobody waits, and the colleague is right.")
    value, claimed = p / (1 - gamma * (1 - p)), gamma ** ((1 - p) / p)
    if value < 10 * claimed:
        raise Mistake(f"The value is {value:.3g} and the colleague's {claimed:.3g}, a factor of {value / claimed:.3g}. Which patients make the mean wait long, and what do they do to the mean return?")
    return True

mean_wait = Exercise(is_right=wait_is_wrong, hint="Two numbers, p and γ. The value is V = p + (1 − p) γ V, solved for V.")

# %%
p_and_gamma = ...             # such as (0.5, 0.9)
mean_wait.check(p_and_gamma)

# %% [markdown]
# ````{solution-start} ex-mean-wait
# :class: dropdown
# ````
#
# The step *"so this is the value"*. The value is the mean of $\gamma^{\text{wait}}$, and not γ to the mean wait. With p = 0.1 the mean wait is nine weeks, but one patient in ten does not wait at all and has the return 1. Bellman's equation, $V = p + (1 - p)\,\gamma V$, gives $V = p/(1 - \gamma (1 - p))$.

# %%
p, gamma = p_and_gamma = (0.1, 0.5)
print(f"{p / (1 - gamma * (1 - p)):.3f} and {gamma ** ((1 - p) / p):.3f}")
mean_wait.check(p_and_gamma)

# %% [markdown]
# The colleague's number is always too low (Jensen's inequality). At p = 0.5 and γ = 0.9 it is off by one per cent only, which is why such mistakes live long.
#
# ````{solution-end}
# ````
#
# ## Proofs to write
#
# No program checks these. Write your proof first, open the model answer, and give yourself points by the scheme. Each proof has ten. All sets and functions here, and in the proofs of later chapters, are measurable, so a proof need not mention it.
#
# ````{exercise} Laplace keeps ε
# :label: ex-proof-laplace
# *Practises: densities, sensitivity in the L1 norm. 10 minutes.*
#
# A function $f$ of the data has $d$ values. For all neighbours let $\lVert f(X) - f(X')\rVert_1 \le \Delta$, with $\Delta > 0$. To each value, independent Laplace noise of scale $b = \Delta/\varepsilon$ is added. Prove that the result is ε-differentially private, with δ = 0.
# ````
#
# ````{solution-start} ex-proof-laplace
# :class: dropdown
# ````
#
# **Model answer.** Let $X$ and $X'$ be neighbours. The noises are independent, so the density of the result at $z \in \mathbb R^d$ is a product, and
#
# $$\begin{gathered} \frac{p_X(z)}{p_{X'}(z)} = \prod_{j=1}^d \frac{e^{-\lvert z_j - f_j(X)\rvert/b}}{e^{-\lvert z_j - f_j(X')\rvert/b}} \\ = \exp \frac1b \sum_{j=1}^d \bigl(\lvert z_j - f_j(X')\rvert - \lvert z_j - f_j(X)\rvert\bigr). \end{gathered}$$
#
# By the triangle inequality each bracket is at most $\lvert f_j(X) - f_j(X')\rvert$. These add up to at most Δ. So the ratio is at most $e^{\Delta/b} = e^\varepsilon$ at every $z$. For every set $E$ therefore
#
# $$\begin{gathered} \Pr[M(X) \in E] = \int_E p_X(z)\,dz \\ \le e^\varepsilon \int_E p_{X'}(z)\,dz = e^\varepsilon \Pr[M(X') \in E]. \end{gathered}$$
#
# The neighbours were arbitrary, so this also holds with $X$ and $X'$ exchanged.
#
# | step | points |
# |---|---:|
# | The density is a product, because the noises are independent | 2 |
# | The ratio as one exponential | 2 |
# | The triangle inequality in each coordinate | 2 |
# | Their sum is at most Δ: the L1 norm, and *all* neighbours | 2 |
# | From densities to every set $E$, by integration | 2 |
#
# **Often lost.** *"The ratio is $e^\varepsilon$"* in place of *at most* costs one point. A proof for $d = 1$ only has at most six points. An argument with the L2 norm does not work: in it Δ may be smaller, and does not bound the ratio.
#
# ````{solution-end}
# ````
#
# ````{exercise} Post-processing cannot help the attacker
# :label: ex-proof-post
# *Practises: every set of outputs. 15 minutes.*
#
# Let $M$ be (ε, δ)-differentially private, and let $g$ be any function of its output. Prove that $g(M(X))$ is (ε, δ)-differentially private. Then let $g$ also use coins of its own. At which point of the proof is it needed that $g$ does not look at the data?
# ````
#
# ````{solution-start} ex-proof-post
# :class: dropdown
# ````
#
# **Model answer.** Let $X$ and $X'$ be neighbours, and let $E$ be a set of outputs of $g$. Let $g^{-1}(E) = \{y : g(y) \in E\}$ be the set of all outputs of $M$ which $g$ takes into $E$. Then $g(M(X)) \in E$ happens exactly if $M(X) \in g^{-1}(E)$. The promise of $M$ holds for every set, and so for this one:
#
# $$\begin{gathered} \Pr[g(M(X)) \in E] = \Pr[M(X) \in g^{-1}(E)] \\ \le e^\varepsilon \Pr[M(X') \in g^{-1}(E)] + \delta \\ = e^\varepsilon \Pr[g(M(X')) \in E] + \delta . \end{gathered}$$
#
# Now let $g$ use coins $c$, which are independent of the output of $M$. For every fixed $c$, the function $g_c$ is one without coins, so the inequality holds for it. Take the mean over $c$ on both sides. The coins have the same distribution in both worlds, so
#
# $$\begin{gathered} \Pr[g(M(X)) \in E] = \mathbb E_c \Pr[g_c(M(X)) \in E] \\ \le \mathbb E_c\bigl[e^\varepsilon \Pr[g_c(M(X')) \in E] + \delta\bigr] \\ = e^\varepsilon \Pr[g(M(X')) \in E] + \delta . \end{gathered}$$
#
# If $g$ looked at the data, there would be two functions $g_X$ and $g_{X'}$, and so two sets $g_X^{-1}(E)$ and $g_{X'}^{-1}(E)$. The promise of $M$ compares the probabilities of *one* set in two worlds. The coins, too, must not depend on the data.
#
# | step | points |
# |---|---:|
# | Fixes neighbours and a set $E$ of outputs of $g$, and not of $M$ | 1 |
# | The set $g^{-1}(E)$, and that the two events are the same | 3 |
# | The promise of $M$ for this set, and the chain back to $g$ | 2 |
# | Coins: for fixed coins, then the mean, with δ not multiplied | 2 |
# | Where the data would enter: the two sets would differ | 2 |
#
# **Often lost.** *"$g$ has no access to the data, so it cannot reveal anything"* repeats the claim and gets no points. A proof for one-to-one functions only loses the three points for $g^{-1}(E)$, and so has at most seven.
#
# ````{solution-end}
# ````
#
# ````{exercise} Replacing is at most removing and adding
# :label: ex-proof-replace
# *Practises: neighbours. 15 minutes.*
#
# Let $M$ be (ε, δ)-differentially private if one record is *added or removed*. Prove that it is $(2\varepsilon, (1 + e^\varepsilon)\,\delta)$-differentially private if one record is *replaced*. Then show by an example that no promise for *replace one* implies any promise for *add or remove one* with a δ below 1.
# ````
#
# ````{solution-start} ex-proof-replace
# :class: dropdown
# ````
#
# **Model answer.** Let $X$ and $X'$ differ in one record, and let $X_0$ be what they have in common. So $X_0$ comes from $X$ by removing one record, and $X'$ comes from $X_0$ by adding one. For every set $E$ the promise holds for each of the two steps:
#
# $$\begin{gathered} \Pr[M(X) \in E] \le e^\varepsilon \Pr[M(X_0) \in E] + \delta, \\ \Pr[M(X_0) \in E] \le e^\varepsilon \Pr[M(X') \in E] + \delta . \end{gathered}$$
#
# The second one, put into the first, gives
#
# $$\begin{gathered} \Pr[M(X) \in E] \le e^\varepsilon \bigl(e^\varepsilon \Pr[M(X') \in E] + \delta\bigr) + \delta \\ = e^{2\varepsilon} \Pr[M(X') \in E] + (1 + e^\varepsilon)\,\delta . \end{gathered}$$
#
# *The example.* Publish the exact number of records. If a record is replaced, the number stays, so the output is the same in both worlds: ε = 0 and δ = 0. If a record is removed, the number is certain to differ. The event *"the number is that of $X$"* has probability 1 in one world and 0 in the other, so $1 \le e^\varepsilon \cdot 0 + \delta$ and δ = 1 at every ε.
#
# | step | points |
# |---|---:|
# | The data set in between, and that both steps are neighbours | 2 |
# | Both inequalities, for the same set $E$ | 2 |
# | Put together, with the δ that is multiplied by $e^\varepsilon$ | 3 |
# | An example with ε = 0 for *replace one* | 1 |
# | That its δ for *add or remove one* is 1: an event and its two probabilities | 2 |
#
# **Often lost.** The result $(2\varepsilon, 2\delta)$ forgets that the second δ is multiplied, and costs two points. The step in between must be a *smaller* data set or a *larger* one, and not a replacement.
#
# ````{solution-end}
# ````
#
# ````{exercise} Bellman's operator contracts
# :label: ex-proof-contraction
# *Practises: Bellman's equation. 20 minutes.*
#
# There are finitely many states and actions. For a table of values $V$ and a discount $0 \le \gamma < 1$ let
#
# $$(TV)(s) = \max_a \sum_{s'} P(s' \mid s, a)\,\bigl(r(s, a, s') + \gamma V(s')\bigr) .$$
#
# Prove that $\lVert TV - TW\rVert_\infty \le \gamma\, \lVert V - W\rVert_\infty$ for all tables $V$ and $W$. Conclude that $V = TV$ has one solution at most. Conclude also that, if $V^* = TV^*$, then after $k$ steps of $V \leftarrow TV$ the distance $\lVert V - V^*\rVert_\infty$
# is at most $\gamma^k$ times what it was.
# ````
#
# ````{solution-start} ex-proof-contraction
# :class: dropdown
# ````
#
# **Model answer.** Write $Q_V(s, a)$ for the sum. First, for every state and action, the rewards cancel:
#
# $$\begin{gathered} \lvert Q_V(s, a) - Q_W(s, a)\rvert = \gamma\, \Bigl\lvert \sum_{s'} P(s' \mid s, a)\,\bigl(V(s') - W(s')\bigr)\Bigr\rvert \\ \le \gamma \sum_{s'} P(s' \mid s, a)\, \lVert V - W\rVert_\infty = \gamma\, \lVert V - W\rVert_\infty , \end{gathered}$$
#
# because the probabilities add up to 1. Second, a maximum moves no further than what it is taken of. Let $a^*$ be an action that attains the maximum for $V$ in state $s$. There is one, as there are finitely many actions. Then
#
# $$\begin{gathered} (TV)(s) - (TW)(s) \le Q_V(s, a^*) - Q_W(s, a^*) \\ \le \gamma\, \lVert V - W\rVert_\infty , \end{gathered}$$
#
# since $(TW)(s) = \max_a Q_W(s, a) \ge Q_W(s, a^*)$. The same holds with $V$ and $W$ exchanged. So $\lvert (TV)(s) - (TW)(s)\rvert \le \gamma\, \lVert V - W\rVert_\infty$ for every $s$.
#
# *One solution at most.* If $V = TV$ and $W = TW$, then $V - W = TV - TW$, and so $\lVert V - W\rVert_\infty \le \gamma\, \lVert V - W\rVert_\infty$. As γ < 1, this norm is 0.
#
# *The error.* Let $V^* = TV^*$. Then
#
# $$\begin{gathered} \lVert T^k V - V^*\rVert_\infty = \lVert T\,T^{k-1} V - T V^*\rVert_\infty \\ \le \gamma\, \lVert T^{k-1} V - V^*\rVert_\infty , \end{gathered}$$
#
# and $k$ times this gives $\gamma^k \lVert V - V^*\rVert_\infty$.
#
# | step | points |
# |---|---:|
# | Rewards cancel, and γ comes out | 2 |
# | Each difference is at most the norm, and probabilities add up to 1 | 2 |
# | The maximum: an action $a^*$ that is best for $V$, used for $W$ | 2 |
# | Both directions, then the maximum over states | 1 |
# | One solution at most, with γ < 1 | 2 |
# | The error after $k$ steps, by induction | 1 |
#
# **Often lost.** *"The best action is the same for both tables"* is not true, and costs two points. A proof for a fixed policy, without the maximum, has at most seven.
#
# ````{solution-end}
# ````
#
# ## Longer ones
#
# ````{exercise} A private mean
# :label: ex-private-mean
# *Practises: clipping, sensitivity, Laplace noise. 20 minutes.*
#
# Write the function `private_mean(returns, epsilon, rng)`. It clips each return to the interval from 0 to 1, and publishes the mean with Laplace noise that is just large enough for ε and δ = 0 (replace one; the number of patients is public). The check calls it some thousand times, with returns that may lie outside the interval.
# ````

# %% tags=["remove-input"]
def is_a_private_mean(function, calls=4_000):
    for case, (n, at) in enumerate(((50, 0.5), (20, 2.0))):
        draw = np.random.default_rng([seed, case])
        returns = draw.normal(0.9, 0.6, n)
        said = [function(returns.copy(), at, draw) for _ in range(calls)]
        if any(np.ndim(one) for one in said):
            raise Mistake("Return one number.")
        said = np.array(said, float)
        if not np.isfinite(said).all():
            raise Mistake("It returns something that is no finite number.")
        b, centre = 1 / (n * at), np.clip(returns, 0, 1).mean()
        if np.ptp(said) < 1e-9:
            raise Mistake("It returns the same number each time. Take the noise from `rng`, afresh in each call.")
        if abs(np.median(said) - returns.mean()) < abs(np.median(said) - centre):
            raise Mistake("It is the mean of the returns as they are. Without clipping one return may move the mean to any place, and no noise is enough.")
        away = np.abs(said - np.median(said))
        if away.mean() / said.std() > 0.76:
            raise Mistake("This noise has no Laplace distribution. See `rng.laplace`.")
        times = away.mean() / b
        for factor, what in ((n, "It is as wide as for a sum. The mean of n returns moves by 1/n."),
                             (at, "It is the same for every ε."),
                             (at**2, "You have multiplied by ε. A smaller ε needs more noise."),
                             (2, "Clipped returns lie between 0 and 1, so a replacement moves the sum by 1, and not by 2."),
                             (2**-0.5, "You have made its standard deviation 1/(nε). This is what its *scale* should be.")):
            if abs(times / factor - 1) < 0.1:
                raise Mistake(f"The noise has {times:.2g} times the scale that is needed. {what}")
        if abs(times - 1) > 0.1:
            raise Mistake(f"The noise has {times:.2g} times the scale that is needed.")
        if abs(np.median(said) - centre) > 8 * b / np.sqrt(calls):
            raise Mistake(f"The noise is right, but its middle is {np.median(said) - centre:+.2g} away from the mean of the clipped returns.")
    return True

a_private_mean = Exercise(is_right=is_a_private_mean, hint="A function of an array, a number and a random generator: clip, take the mean, add `rng.laplace(scale=...)`.")

# %%
private_mean = ...            # a function of returns, epsilon and rng
a_private_mean.check(private_mean)

# %% [markdown]
# ````{solution-start} ex-private-mean
# :class: dropdown
# ````
#
# One clipped return moves the sum by 1 at most, so the mean of $n$ moves by $1/n$.

# %%
def private_mean(returns, epsilon, rng):
    clipped = np.clip(returns, 0, 1)
    return clipped.mean() + rng.laplace(scale=1 / (len(returns) * epsilon))

a_private_mean.check(private_mean)

# %% [markdown]
# Clip each return *before* the mean is taken. If the mean is clipped in place of the returns, one return may still move it from 0 to 1.
#
# ````{solution-end}
# ````
#
# ````{exercise} Values of five stages, from records
# :label: ex-stage-values
# *Practises: returns from a stage on, first visits. 25 minutes.*
#
# Write the function `stage_values(records, discount)` for the clinic of {doc}`01_reinforcement_learning`. A record is a pair. Its first part has the patient's stage, from 1 to 5, in each week. Its second part is `True` if the patient recovered in the last of these weeks, and `False` if the patient was lost in it.
#
# The function returns five numbers. Number $s$ is the mean, over all patients who were ever in stage $s$, of the return from their *first* week in stage $s$ on. If nobody was there it is 0. For the four records here and γ = 0.5 it begins with 0.25 · (0.125 + 0.25 + 0.0625 + 0).
# ````

# %%
four_records = [
    ([1, 2, 3, 5], True), ([1, 3, 4], True),
    ([1, 1, 2, 4, 5], True), ([1, 1, 2], False)]

# %% tags=["remove-input"]
# what a function returns for the records of the check is compared by a digest, so that no answer stands here
known_values = {
    "67fdb39032f9e831": "You have averaged over every week in the stage. Each patient counts once, from the first week on.",
    "1429d98482a4e203": "You have begun in the last week in the stage. Begin in the first.",
    "65cd8fe04280ae72": "You have taken each patient's return from admission. What counts is the return from the first week in the stage on.",
    "1f13cca31e6ceb17": "One week of waiting too many: a recovery in this week counts in full.",
    "45222e1e552c8f3c": "The lost patients are missing. They visited the stage, too, and their return is 0.",
    "fd0932c35758d0bf": "You have divided by the number of all patients. Only those who visited the stage count."}

def digest(values):
    return hashlib.sha256(" ".join(f"{value:.8f}" for one in values for value in one).encode()).hexdigest()[:16]

def are_stage_values(function):
    courses = "1233445+ 112- 1234- 2345+ 11233- 134445+ 445+ 1122+ 2333- 113355+".split()
    patients = [([int(stage) for stage in course.strip("+-")], course[-1] == "+") for course in courses]
    cases = (patients, 0.9), (patients[:3], 0.7), (four_records, 0.5), ([([1, 2], False), ([2, 2], True)], 0.5)
    found = [np.asarray(function([(list(stages), recovered) for stages, recovered in records], gamma_of_case), float) for records, gamma_of_case in cases]
    if any(one.shape != (5,) for one in found):
        raise Mistake("Return five numbers, one for each stage.")
    if any(np.isnan(one).any() for one in found):
        raise Mistake("A stage that nobody visited has the value 0, and not 0/0.")
    if what := known_values.get(digest(found)):
        raise Mistake(what)
    return digest(found) == "b9b216effda6401e"

five_values = Exercise(is_right=are_stage_values, hint="For each record and stage: `stages.index(s)` is the first week in stage s. From there on, how many weeks does the patient wait?")

# %%
stage_values = ...            # a function of records and discount
five_values.check(stage_values)

# %% [markdown]
# ````{solution-start} ex-stage-values
# :class: dropdown
# ````
#
# A patient with $n$ weeks who comes to a stage in week $t$, counted from 0, waits for $n - 1 - t$ weeks.

# %%
def stage_values(records, discount):
    values = []
    for s in range(1, 6):
        returns = [recovered * discount ** (len(stages) - 1 - stages.index(s))
                   for stages, recovered in records if s in stages]
        values.append(sum(returns) / len(returns) if returns else 0.0)
    return values

print(np.round(stage_values(four_records, 0.5), 3))
five_values.check(stage_values)

# %% [markdown]
# This is *first-visit Monte Carlo*, and {doc}`chapter 2 </chapters/02_policy_evaluation/index>` makes it private. One patient is in up to five of these means, and moves each of them by up to one over the number of its visitors.
#
# ````{solution-end}
# ````
#
# ## Research
#
# ````{exercise} A private choice
# :label: ex-private-choice
# *Practises: a policy from private data. One hour, or a weekend.*
#
# A hospital has tried two treatments: the usual one on 20 patients, and a new one on 4. From how many were cured it chooses one treatment for all new patients. The choice shall be private with ε = 0.5 and δ = 0: one patient's outcome may be replaced, and which treatment a patient got is public.
#
# Such a rule is a table of 21 × 5 probabilities. Row $i$, column $j$ says how likely the new treatment is chosen if $i$ of the 20 and $j$ of the 4 were cured. Its score is the share of new patients who are cured, on average over all hospitals, if each treatment's true share of cures is equally likely to be
# anything from 0 to 1. Tossing a coin scores 0.500, and the best choice without privacy scores 0.648. Design a private table that scores more than 0.62.
# ````

# %%
i, j = np.arange(21)[:, None], np.arange(5)         # cured by the usual, by the new
likely = betabinom.pmf(i, 20, 1, 1) * betabinom.pmf(j, 4, 1, 1)
usual, new = (i + 1) / 22, (j + 1) / 6              # expected shares of cures

def cure_rate(table):
    return float(np.sum(likely * ((1 - table) * usual + table * new)))

def epsilon_of(table):
    neighbours = [(p[1:], p[:-1]) for chance in (table, 1 - table)
                  for p in (chance, chance.T)]
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(max(np.nanmax(np.abs(np.log(p / q))) for p, q in neighbours))

# %% tags=["remove-input"]
def is_a_good_choice(table):
    table = np.asarray(table, float)
    if table.shape != (21, 5):
        raise Mistake(f"A table of 21 rows (cured by the usual treatment) and 5 columns (by the new one), please; this one has the shape {list(table.shape)}.")
    if not ((table >= 0) & (table <= 1)).all():
        raise Mistake("Probabilities lie between 0 and 1.")
    if (epsilon_found := epsilon_of(table)) > 0.5 + 1e-4:
        raise Mistake(f"It promises ε = {epsilon_found:.4f}, and not 0.5. Neighbouring cells may differ by a factor of 1.649 at most, and so may what is left to 1.")
    if (score := cure_rate(table)) <= 0.62:
        raise Mistake(f"It is private, and its score is {score:.4f}. More than 0.62 is possible. In which cells does a wrong choice cost most, and where does a patient of four move the table more than a patient of twenty?")
    return True

a_private_choice = Exercise(is_right=is_a_good_choice, hint="Begin with noise on the difference of the two shares, and look at its score with `cure_rate`. The score and the promise are both linear in the table.")

# %%
choice_table = ...            # an array of 21 rows and 5 columns
a_private_choice.check(choice_table)

# %% [markdown]
# ````{solution-start} ex-private-choice
# :class: dropdown
# ````
#
# Three ways, from plain to best. *Randomised response* makes the best choice, and turns it round with probability $1/(1 + e^\varepsilon)$. *Laplace noise* is added to the difference of the two expected shares, which one of the four patients moves by 1/6. *The best table* is the solution of a linear program: the score is linear in the
# table, and so is each condition $p \le e^\varepsilon q$ and $1 - q \le e^\varepsilon (1 - p)$ for neighbouring cells.

# %%
from scipy.optimize import linprog

epsilon_of_choice = 0.5
gain = new - usual
false_answer = 1 / (1 + np.exp(epsilon_of_choice))
turned_round = np.where(gain > 0, 1 - false_answer, false_answer)
tail = np.exp(-np.abs(gain) * 6 * epsilon_of_choice) / 2    # of Laplace noise
with_noise = np.where(gain > 0, 1 - tail, tail)

cell = np.arange(105).reshape(21, 5)
next_to = [(p, q) for a, b in ((cell[1:], cell[:-1]), (cell[:, 1:], cell[:, :-1]))
           for p, q in (*zip(a.ravel(), b.ravel()), *zip(b.ravel(), a.ravel()))]
raised, unit = np.exp(epsilon_of_choice), np.eye(105)
conditions = np.array([unit[p] - raised * unit[q] for p, q in next_to]
                      + [raised * unit[p] - unit[q] for p, q in next_to])
bounds = np.repeat([0, raised - 1], len(next_to))
best = linprog(-(likely * gain).ravel(),
               A_ub=conditions, b_ub=bounds, bounds=(0, 1))
choice_table = np.clip(best.x, 0, 1).reshape(21, 5)

named = {"randomised response": turned_round, "Laplace noise": with_noise,
         "best table": choice_table}
for name, each in named.items():
    print(f"{name}: {cure_rate(each):.4f}, ε = {epsilon_of(each):.3f}")
a_private_choice.check(choice_table)

# %% [markdown]
# No private table is better than the last one, for *this* distribution of hospitals. What stays open: which table is good for every pair of true shares? How much better may it be with δ = 10⁻⁵? With three treatments the table has a third axis, and with a sequence of decisions it has as many axes as the log has cells. Then nobody can solve the linear program, and the rest of this book is
# about what to do instead.
#
# ````{solution-end}
# ````
#
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. All rewards of the clinic are doubled. What happens to the values and to the best policy?**
#
# ```{dropdown} Both change: the doctor dares more for a reward of 2.
# A recovery is worth twice as much, and so is every other chance of one. What the doctor compares keeps its order.
# ```
# ```{dropdown} The values are doubled, and the best policy stays.
# ✓ Yes. Bellman's equation is linear in rewards and values together. All action values are doubled, so the largest one stays the largest.
# ```
# ```{dropdown} Nothing, because γ is the same.
# γ says what waiting costs. A value is a mean of discounted rewards, and these are doubled.
# ```
#
# **2. A count over 100 patients and one over 1,000,000 patients are released with the same ε. Which one needs more noise?**
#
# ```{dropdown} Both the same.
# ✓ Yes. One patient moves either count by 1, and the noise has to hide this. As a share of the *patients* the noise is 10,000 times smaller in the large one.
# ```
# ```{dropdown} The larger one, because there are more people to protect.
# Each of them is protected by the same noise: it hides one patient, whichever it is.
# ```
# ```{dropdown} The smaller one, because there are fewer people to hide among.
# Differential privacy does not count on the others to hide anybody. The attacker may know all of them.
# ```
#
# **3. What can be published with ε = 0 and δ = 0?**
#
# ```{dropdown} Nothing at all.
# Something can be: a fixed sentence, or the result of a coin. It just has nothing to do with the patients.
# ```
# ```{dropdown} Averages over very many patients.
# One patient moves such an average by a little, and not by nothing.
# ```
# ```{dropdown} Only what has the same distribution for all data sets.
# ✓ Yes. All neighbours must have the same distribution, and one leads from any data set to any other by replacing one record after the other. What is published then says nothing about the data.
# ```
#
# **4. A clinic publishes one count a month, each with ε = 0.5 and δ = 0, over the patients who were admitted in this month. Each patient is admitted once, and everybody knows when. What is promised to a patient for the whole year?**
#
# ```{dropdown} ε = 6, because there are twelve releases.
# Promises add up for a patient whose record is used again and again. Here each record is used in one release.
# ```
# ```{dropdown} ε = 0.5.
# ✓ Yes. If her record is replaced, one of the twelve counts changes its distribution, and the other eleven do not. If the month were a secret as well, a replacement could change two counts, and it would be ε = 1.
# ```
# ```{dropdown} ε = 0.5 · √12 = 1.7.
# A root belongs to Gaussian noise and to patients who are in all twelve. Here each patient is in one.
# ```
#
# **5. To clip returns, a programmer takes the largest return in the data as the bound. The noise is made for this bound. What is wrong?**
#
# ```{dropdown} Nothing: no return is larger than the largest one.
# Nothing is cut off, that is true. But the bound itself depends on one patient.
# ```
# ```{dropdown} The bound is too large, so there is more noise than needed.
# It may be too large. It would still be fine, if it had been chosen without looking.
# ```
# ```{dropdown} The bound depends on the data. If the patient with the largest return is replaced, the width of the noise changes.
# ✓ Yes. The width may be seen in the output, and the next largest return bounds the noise in the other world. A bound must be public, or be released with an ε of its own.
# ```
