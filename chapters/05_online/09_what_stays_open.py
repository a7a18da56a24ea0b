# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'What joint privacy leaves open: your own treatment, your household, coming back. What a hospital can do today,
#         and a letter to its patients.'
# ---

# %% [markdown]
# # What stays open
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** What does joint privacy *not* protect? And what should a hospital do today that wants to learn while it treats?
# * **The answer.** Joint privacy leaves open what your own treatment tells. It is weaker for households and for patients who come back, by an amount that can be computed. With this in mind, a hospital can sign a promise today and learn from its patients.
# * **What is protected.** One patient's whole stay, in the treatments of all others. Neighbours replace one stay. Then all stays of a patient who comes back, replaced together.
# * **What you need.** {doc}`07_a_ward`, and ceilings for right guesses from {doc}`/chapters/01_foundations/06_what_epsilon_means`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2014         # all randomness comes from here
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.special import ndtr

from privrl_core.online import FirstVisits, PrintedBound, SquareRoot, best_policies, counter, growing, table_sensitivity
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Slider, Table, explore
from privrl_core.pages.game import Dial, Draws, Noisy, Number, World, play
from privrl_core.privacy import GaussianWorlds, gaussian_epsilon, gaussian_mu, right_guess_ceiling
from privrl_core.privacy.joint import billboard
from privrl_core.world import ward

use_theme()
clinic = ward()
conditions, treatments = ["recovered", "mild", "serious", "very ill"], ["wait", "gentle", "strong"]
times = growing(20_000, first=300, growth=0.2)
board = counter("doubling-toeplitz", 20_000, table_sensitivity(10, 1, FirstVisits(6), pairs=12), epsilon=epsilon, delta=delta, times=times)
N = times.size
once = right_guess_ceiling(billboard(board.guarantee))
mu = float(gaussian_mu(epsilon, delta))
same_two, same_eight = (100 * float(ndtr(mu * g / 2)) for g in (2, 8))
letter = [f"{np.ceil(10 * share) / 10:.1f}" for share in (100 * once, same_two, same_eight)]      # at most, so rounded up
assert letter == ["55.4", "60.6", "85.9"] and abs(once - float(ndtr(mu / 2))) < 1e-3          # the ceiling is that of Gaussian noise: delta adds nothing to it

# %% [markdown]
# ## A letter to patients
#
# A {doc}`ward <07_a_ward>` that learns while it treats can sign this letter. Would you stay there? Read it as a patient, and look for what it does not promise.

# %% tags=["remove-input"]
md(f"""> **To our patients.** From 20,000 stays we learn how to treat. After 300 stays, and then {N - 1} times more, we put 48 noisy counts on a board, and nothing else from our files is used for others. Others are treated by this board and by their own charts.
>
> *What it costs you:* the first 300 patients are treated as if at random. Later ones are sometimes given a treatment only because little is known yet. In a rehearsal on an invented ward, 20,000 patients together lost as much as if 900 of them had been treated at random.
>
> *Who is protected:* each stay, against everybody who reads the board or sees how others are treated, whatever they know, report or compute. *What this means:* suppose that a reader of the board knows everything about you except the answer to one question, yes or no. A coin would be right in 50 of 100 cases, and the reader in at most {letter[0]}. If you come twice, it is at most {letter[1]}, and if you come eight times, at most {letter[2]}; this is the worst case, all stays in one batch.
>
> *What this does not cover:* your own treatment and chart, which we keep confidential; us, the hospital; what is true of all patients.
>
> *Small print:* ({epsilon:g}, 10⁻⁵)-differential privacy for one stay, in the treatments of all others (replace one), proved. The 10⁻⁵ is already counted in the ceilings above. The sums and their noise are whole numbers, and a vetted library draws the noise. A stay has at most ten days. When patients come is public. What a day is worth is fixed beforehand.
>
> Signed: the ward, place and date""")

# %% [markdown]
# ### Play: the curious neighbour
#
# Anna's neighbour knows all about her, except which kind of the illness she has, the *mild* kind or the *severe* kind. First he sees only how all *others* were treated. The most that the board can tell him is one number, −1 or +1 with noise, and the game supposes that it does. Then Anna comes twice, and eight times, with the same kind. In the end he sees Anna's *own* treatment. Bet with him.

# %% tags=["remove-cell"]
seen_of = {stays: GaussianWorlds(means=np.array([[1.0], [-1.0]]), scales=2 / (mu * stays)) for stays in (1, 2, 8)}
about = ["One stay", "Two stays", "Eight stays"]
covered = "Joint privacy with ε = 1 and δ = 10⁻⁵ for one stay (replace one), proved. "
levels = [Noisy(f"all others’ treatments, {words.lower()}", worlds, guarantee=covered + ("" if stays == 1 else f"{words} in one batch, all replaced: a guess is right in at most {np.ceil(1000 * worlds.ceiling) / 10:.1f} of 100."))
          for words, (stays, worlds) in zip(about, seen_of.items())]
own = np.repeat([[[1.0]], [[-1.0]]], 400, axis=1)
levels.append(Draws("her own treatment", own, log_ratios=30 * own[..., 0], ceiling=1.0, guarantee="No privacy guarantee: joint privacy does not cover Anna’s own treatment."))
assert [round(100 * worlds.ceiling, 1) for worlds in seen_of.values()] == [55.3, round(same_two, 1), round(same_eight, 1)] and [round(100 * worlds.ceiling) for worlds in seen_of.values()] == [55, 61, 86]

# %% tags=["remove-input"]
play(
    name="curious_neighbour", question="Which kind of the illness does Anna have?", publish="Look", player="neighbour", best="best possible neighbour", rounds=5,
    worlds=[World("severe", "the severe kind", "Anna has the severe kind."), World("mild", "the mild kind", "Anna has the mild kind.")],
    picture=Number("What the neighbour sees", y="less than 0: rather mild; more than 0: rather severe"), levels=levels,
    noise=np.random.default_rng([seed, 3]).standard_normal(8_000), dial=Dial("what the neighbour sees", low_end="others, one stay", high_end="her own treatment", first="She comes twice", next="See more", bars=True), stages=("rounds", "dial"),
    caption="The largest shift that the promise allows, in the noise of the ward. Two and eight stays are all in one batch, the worst case.",
    alt="One number on an axis with zero in the middle. With one stay the noise hides the secret, with eight stays it shows on average, and the own treatment shows it always.")

# %% tags=["remove-input"]
md(f"From all others' treatments no neighbour is right in more than about {100 * seen_of[1].ceiling:.0f} of 100 cases. If Anna comes twice it is {100 * seen_of[2].ceiling:.0f}, if eight times {100 * seen_of[8].ceiling:.0f}. Once the ward has learned, her own treatment tells him for certain. These are the two edges of the letter, and the rest of the page is about them.")

# %% [markdown]
# ## "Your own treatment"
#
# The ward has learned: it waits with the recovered, treats mild and serious patients gently, and very ill patients strongly. A visitor sees that Anna gets the strong treatment today. What does the visitor know?
#
# That Anna is very ill, for certain. No noise was added to Anna's own treatment, and a good treatment fits the patient.

# %% tags=["remove-cell"]
policy = best_policies(clinic.transitions[None], clinic.rewards)[0]
here, together = clinic.initial, []
for day in range(9):                               # on the tenth day every treatment is as good as another
    pairs = here[:, None] * policy[day]
    together.append(pairs)
    here = np.einsum("sa,san->n", pairs, clinic.transitions[day])
shares = np.mean(together[1:], axis=0)             # everybody arrives serious, so the first day tells nothing
guess_with, guess_without = float(shares.max(axis=0).sum()), float(shares.sum(axis=1).max())
day_with, day_without = float(np.mean([p.max(axis=0).sum() for p in together[1:]])), float(np.mean([p.sum(axis=1).max() for p in together[1:]]))
assert (policy[:9, [1, 2], 1] == 1).all() and (policy[:9, 3, 2] == 1).all()
assert np.isclose(shares.sum(), 1) and sum(round(100 * x) for x in shares.max(axis=0)) == round(100 * guess_with) and (shares[:3, 2] == 0).all() and (shares[3, :2] == 0).all()

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three bars, one for each treatment, divided by the patient's condition on days 2 to 9. Wait holds only recovered patients, strong only very ill ones, gentle holds mild and serious ones in about equal parts."}}
fig, ax = plt.subplots(figsize=(7.4, 2.5))
for row, a in enumerate((2, 1, 0)):
    left = 0.0
    for s, colour in enumerate((PALETTE[2], PALETTE[0], "#767676", PALETTE[1])):
        width = 100 * shares[s, a]
        if width:
            ax.barh(row, width, left=left, color=colour, height=0.62)
            ax.text(left + width / 2 if width > 8 else left + width + 0.6, row, conditions[s], ha="center" if width > 8 else "left", va="center",
                    color="white" if width > 8 else colour, weight="bold")
        left += width
ax.set(yticks=range(3), yticklabels=["strong", "gentle", "wait"], xlabel="of 100 patients in the ward, days 2 to 9", title="Anna’s own treatment shows her condition")
ax.grid(False, axis="y");

# %% tags=["remove-input"]
md(f"""So serious and very ill are told apart by the treatment, without error. Among all four conditions {100 * guess_with:.0f} guesses in 100 are right with it, and {100 * guess_without:.0f} without.

```{{dropdown}} How the {100 * guess_with:.0f} come about
For *wait* guess recovered, for *gentle* guess {conditions[shares[:, 1].argmax()]}, for *strong* guess very ill: {' + '.join(f'{100 * x:.0f}' for x in shares.max(axis=0))} = {100 * guess_with:.0f}. Between mild and serious the treatment does not help, because both are treated gently. The first day is left out, when all patients are serious, and the last, when no treatment matters any more. If it is known which day it is, {100 * day_with:.0f} guesses in 100 are right with the treatment, and {100 * day_without:.0f} without it.
```""")

# %% [markdown]
# Better noise would not repair this. {doc}`In a hospital with only two kinds of patients <06_why_joint>`, to hide the kind at ε = 1 means to treat more than one patient in four wrongly. The own treatment must be kept confidential by other means.
#
# ## "If you come twice"
#
# The promise compares two worlds that differ in *one stay*. But Anna's flu is also her brother's flu. And Anna may come back: among 20,000 stays, some are of the same patient. Then one secret is in more than one stay.
#
# **In one batch.** If $g$ such stays fall in the same batch, they move the noisy sums $g$ times as far. The promise is then that of $g\mu$ in place of $\mu$, the {doc}`parameter of Gaussian noise </chapters/01_foundations/06_what_epsilon_means>`.
#
# **In different batches.** Does it help if they are spread out? Take {doc}`two batches, mixed half and half <03_from_tree_to_batches>`. A stay in batch 1 moves the two noisy numbers by 1 and ½, a length of $\sqrt{1 + 1/4} = 1.12$. A stay in batch 2 moves only the second one, by 1.
#
# | two stays | they move the two numbers by | length | the first one alone | ratio |
# |---|---|---|---|---|
# | both in batch 1 | 2 and 1 | $\sqrt{4 + 1} = 2.24$ | 1.12 | **2.00** |
# | one after the other | 1 and 1½ | $\sqrt{1 + 9/4} = 1.80$ | 1.12 | **1.61** |
# | independent noises, one after the other | 1 and 1 | $\sqrt{1 + 1} = 1.41$ | 1 | **1.41** |
#
# So spreading out helps, but less than with independent noises. The square root mixes its noises, so a second stay moves numbers that the first one has moved already. In the ward's 25 batches, the moves of neighbouring ones overlap more than here, and those of distant ones less.

# %% tags=["remove-cell"]
columns = np.array([[1, 0.5], [0, 1]])
assert np.isclose(np.linalg.norm(columns[0]), SquareRoot(2).column_l2) and round(float(np.linalg.norm(columns[0])), 2) == 1.12
assert round(float(np.linalg.norm(columns.sum(axis=0))), 2) == 1.80 and round(float(np.linalg.norm(columns.sum(axis=0)) / np.linalg.norm(columns[0])), 2) == 1.61
assert round(float(np.linalg.norm(2 * columns[0])), 2) == 2.24

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# From the treatments of all others, a guess is right in at most 55.4 of 100 cases if Anna comes once, and in 85.9 if she comes eight times in the same batch. **What is it if her eight stays are spread evenly over all 25 batches?** Choose, and look at eight stays. Then move their number.
#
# * 56 of 100
# * 65 of 100, as with independent noises
# * 73 of 100
# * 80 of 100
# ```

# %% tags=["remove-input"]
stays = Slider("g", "stays that share the secret", 1, 16, 8, points=16, steps=15, scale="linear", low_end="one", high_end="sixteen")
epsilon_slider = Slider("epsilon", "privacy loss ε, for one stay", 0.25, 4, 1, points=25, steps=24, low_end="more private", high_end="less private")
numbers = np.arange(1, 17)
in_a_row = np.array([board.charge(range(g)) for g in numbers])
evenly = np.array([board.charge(np.linspace(0, N - 1, g).round().astype(int)) for g in numbers])
assert all(board.charge(range(k, k + 8)) <= in_a_row[7] + 1e-9 for k in range(N - 7)) and (evenly <= in_a_row + 1e-9).all()       # the first batches are the worst
mu_of = np.array([float(gaussian_mu(e, delta)) for e in epsilon_slider.grid])

def ceiling(charges):
    return Table((stays, epsilon_slider), 100 * ndtr(np.multiply.outer(charges, mu_of) / 2), scale="linear")

row_curve, same, apart, spread = ceiling(in_a_row), ceiling(numbers), ceiling(np.sqrt(numbers)), ceiling(evenly)
explore(
    name="coming_back", sliders=[stays, epsilon_slider], x=stays, y=Axis("right", "right guesses in 100, at most", 50, 100, scale="linear"),
    curves=[Curve("all in one batch", same), Curve("in the first batches, one after another", row_curve), Curve("spread evenly over all batches", spread), Curve("plain sums, less accurate", apart)],
    guarantee="Joint privacy with ε = {epsilon} and δ = 10⁻⁵ for one stay. Number of stays with one secret: {g}. If all of them are replaced, a guess is right at most as often as the first three curves say; proved.",
    alt="The largest share of right guesses against the number of stays that share the secret, at ε = {epsilon}. The number of stays is {g}, and the legend gives the four ceilings there. The highest curve is that of all stays in one batch, then in batches one after another, then spread evenly over all batches; with many stays the curve of plain sums is the lowest.",
    caption=f"Exact, for the counter of the ward with {N} batches. The last curve is that of plain sums, with each stay in another batch: their noises are independent, and they need more noise for the same ε.")

# %% tags=["remove-cell"]
hits = {name: 100 * ndtr(mu * charge / 2) for name, charge in (("row", in_a_row[7]), ("same", 8), ("even", evenly[7]), ("apart", np.sqrt(8)), ("two", in_a_row[1]), ("same_two", 2))}
assert [round(float(in_a_row[g - 1]), 2) for g in (2, 4, 8, 16)] == [1.84, 3.38, 6.15, 10.71] and round(100 * once, 1) == 55.3
assert round(hits["row"], 1) == 79.5 and round(hits["two"], 1) == 59.7 and round(hits["apart"], 1) == 64.8
spread_out = evenly[7]
assert round(hits["even"], 1) == 72.6 and round(hits["same"], 1) == 85.8
assert evenly[1] < np.sqrt(2) and evenly[7] > np.sqrt(8) and (in_a_row[1:] > np.sqrt(numbers[1:])).all()
assert np.isclose(hits["same"], same_eight) and np.isclose(hits["same_two"], same_two)
plain_sums = counter("doubling", 20_000, table_sensitivity(10, 1, FirstVisits(6), pairs=12), epsilon=epsilon, delta=delta, times=times)
louder = float(plain_sums.standard_deviations[-1] / board.standard_deviations[-1])

def equal(g):
    """The ceiling of plain sums that are as accurate in the last sum, with stays in g batches."""
    return 100 * float(ndtr(louder * plain_sums.charge(range(g)) * mu / 2))

assert np.allclose([plain_sums.charge(range(g)) for g in numbers], np.sqrt(numbers))
assert [equal(g) < 100 * ndtr(in_a_row[g - 1] * mu / 2) for g in numbers] == [False] * 10 + [True] * 6 and all(equal(g) > 100 * ndtr(evenly[g - 1] * mu / 2) for g in numbers) and round(louder, 1) == 2.4 and round(equal(8), 1) == 81.8
eps_eight, eps_two = float(gaussian_epsilon(delta, in_a_row[7] * mu)), float(gaussian_epsilon(delta, in_a_row[1] * mu))

# %% tags=["remove-input"]
md(f"**What you should see.** 73 of 100: at most {np.ceil(10 * hits['even']) / 10:.1f}. Eight stays that are spread evenly move the noisy numbers {spread_out:.2f} times as far as one. So the ceiling is $\\Phi({spread_out:.2f} \\times {mu:.3f} / 2)$. With independent noises it would be $\\sqrt8 = 2.83$ times as far, and {np.ceil(10 * hits['apart']) / 10:.1f}. The worst of all batches are the first ones: eight stays there, one after another, move the numbers {in_a_row[7]:.2f} times as far, and the ceiling is {np.ceil(10 * hits['row']) / 10:.1f}. The ε of all eight together is then {eps_eight:.1f}, with the same δ. "
   f"No guess exceeds these ceilings, and an attacker who reads the board and knows everything but the secret can come close to them. The evidence has {{ref}}`the factor for every counter <online-returning>`.\n\n"
   "```{dropdown} Plain sums have independent noises. Should the ward use them, then?\n"
   "No. If they are to be as accurate as the square root, they protect better only from eleven stays on, one after another, and never if the stays are spread evenly.\n\n"
   f"For the same ε plain sums need {louder:.1f} times the noise in the last sum. To be as accurate as the square root, they must promise less for one stay: a ceiling of {np.ceil(1000 * ndtr(louder * mu / 2)) / 10:.1f}. For eight stays that makes {np.ceil(10 * equal(8)) / 10:.1f}, where the square root has {np.ceil(10 * hits['row']) / 10:.1f}.\n```")

# %% [markdown]
# So a hospital has two honest ways.
#
# * **Count each patient once.** A second stay is not counted. Which patients have been there before must then be as public as the days of admission. Could the second stay be counted *instead of* the first? No: the first one must then be taken out of the sums, and the second one put in. Each of the two moves the sums, so both stays count.
# * **Pay for $g$ stays.** Fix a largest number of stays, and make the noise larger by the factor above. For a household this is the only way, because the hospital does not know which patients live together. If a paper counts "unique users", it has chosen the first way, or assumes that nobody comes back.
#
# ## What else a patient should know
#
# * **The hospital sees everything.** If it must not, {doc}`the noise belongs in the patient's device <08_nobody_may_see>`.
# * **When you came.** The days of admission and the number of patients are public here.
# * **What everybody learns.** If the ward finds out that a treatment works, that tells something about you as well, with or without your stay.
# * **How settings were chosen.** Batches, caps and constants must not be tuned on the patients. A trigger such as "publish when 50 were cured" looks at them, unless it looks at noisy counts only.
# * **The last digits.** The proof is about real numbers. A computer rounds them, and the last digits of what it publishes can betray the exact count. So for real patients all sums are made whole, and a vetted library {doc}`draws whole-number noise </chapters/07_side_by_side/04_your_own_data>`. {ref}`It costs next to nothing <online-whole-ward>`.

# %% [markdown]
# ## What you would do today
#
# A ward gets to such a letter in seven steps. In italics is what the ward of the letter did. The {doc}`decision guide </chapters/07_side_by_side/03_decide>` puts them beside the other ways of the book.
#
# 1. **Ask whether you must learn while you treat.** If the records are there already, {doc}`count them once </chapters/04_offline_rl/05_clinic>`. It takes far less noise. *No records: the treatments were new.*
# 2. **Say who must not learn it.** Against the other patients: joint privacy. Against the hospital as well: {doc}`a shuffler, or the patient's own device <08_nobody_may_see>`. Against an insurer who sees the patient's own bill, no noise helps. Keep the bill confidential. *Joint privacy.*
# 3. **Fix the unit.** One patient with at most $g$ stays. Charge for $g$, or count each patient once. *One stay; the ceilings for two and eight are in the letter.*
# 4. **Count little.** One table for all days, if the days are alike; the first visits only; no rewards if they are known. *48 counts, six visits.*
# 5. **Publish rarely, with the square root.** Renew when the number of patients has grown by a fifth, with a number of batches that is fixed beforehand, and {ref}`whole-number noise <online-whole-ward>`. *25 releases, the first after 300 stays.*
# 6. **Treat by posterior samples** of what was published. A patient's own condition today may be used freely. *32 worlds in each batch.*
# 7. **Rehearse on invented wards**, choose all settings there, and freeze them. Keep a doctor between the policy and the patient. *The rehearsal cost as much as 900 patients treated at random.*

# %% tags=["remove-cell"]
assert round(100 * float(ndtr(mu)), 1) == 60.6 and round(hits["same"], 1) == 85.8 and board.guarantee.epsilon < 1 + 1e-6
assert 7.85 < eps_eight < 7.95

# %% tags=["remove-cell"]
assert PrintedBound(20, 6, 2, 1.0).blind_until(20_000) > 20_000

# %% [markdown]
# **And the papers?** The idea of this field holds up, that joint privacy adds something to the regret, about in proportion to 1/ε. Some printed constants and experiments do not, and {doc}`the verdict on each paper <evidence/06_papers>` says which.
#
# ## Check yourself
#
# **A ward promises joint privacy at ε = 1 for one stay. Two sisters with the same hereditary disease are treated in the same week, in one batch. A third sister wants to know whether the disease is in the family. What is the ceiling for her guess from the treatments of the other patients?**
#
# ```{dropdown} 55.4 of 100, because each sister is protected.
# The promise for each of them supposes that the stay of the other one is known already. Here both stays hold the same secret.
# ```
# ```{dropdown} 57.5 of 100, by the square root of two.
# That would be so for two batches with independent noises. Two stays in one batch move the same numbers, twice as far.
# ```
# ```{dropdown} 60.6 of 100, because two stays in one batch move the sums twice as far.
# ✓ Right. It is $\Phi(2\mu/2)$ with $\mu = 0.268$. And if she sees her sisters' own treatments, there is no ceiling at all.
# ```
#
# ## To take away
#
# * Joint privacy protects you from all others. It says nothing about what your own treatment shows.
# * Stays that share a secret cost more: up to $g$ times in one batch. In the ward, eight in successive batches cost about as much as six in one batch.
# * A hospital can promise ε = 1 today and learn from thousands of patients. It counts little, publishes rarely, and fixes everything before the first patient comes.

# %% tags=["remove-cell"]
assert round(100 * float(ndtr(mu * np.sqrt(2) / 2)), 1) == 57.5
