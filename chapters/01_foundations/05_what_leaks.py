# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Averages of fifteen patients give away who took part, until there is noise: a game, its scores in two
#         hills, and what no noise can stop.'
# ---

# %% [markdown]
# # What leaks
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A clinic publishes averages over its patients. What can an attacker find out from them?
# * **The answer.** Without noise, a whole record, or who took part. With noise, no more than the promise allows, for every patient and every attacker.
# * **What is protected.** Nothing, at first. Then one patient's trajectory (replace one).
# * **What you need.** {doc}`04_who_is_protected`.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2022         # all randomness comes from here
epsilon = 1.0       # what the mechanisms promise
delta = 1e-5
n_patients = 15     # a small study

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.special import ndtr, ndtri

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.pages.game import Beside, Draws, World, play
from privrl_core.pages.game import Curve as Published
from privrl_core.policy_evaluation import first_visit_returns
from privrl_core.privacy import GaussianWorlds, gaussian_epsilon, gaussian_log_ratio, gaussian_mu
from privrl_core.world import recovery_chain, sample_episodes

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world, and the noise that protects
n, mu = n_patients, gaussian_mu(epsilon, delta)
chain = recovery_chain(40, stay=0.5, discount=0.99)

def patients(rng, *shape):
    """First-visit returns of simulated patients, [*shape, 39]."""
    episodes = sample_episodes(chain, np.ones((40, 1)), int(np.prod(shape)), rng)
    returns = first_visit_returns(episodes, 40, 0.99)   # the last is 0
    return returns[:, :39].reshape(*shape, 39)

# %% [markdown]
# ## Subtract what you know
#
# A clinic tries a treatment on fifteen patients. There are forty stages from *admitted* to *recovered*, and each week a patient stays, or moves up by one
# stage, with equal probability. A patient's record says, for each of the first 39 stages, how much the recovery was worth from there on: its {doc}`return <01_reinforcement_learning>`, which is 1 if it comes at once and falls by 1 % with each
# week of waiting. Afterwards the clinic publishes what a paper would print: for each stage, the average over its fifteen patients. There are no names and no
# records, only 39 averages.
#
# The study is about an illness that Anna tells nobody about. An attacker wants to know whether she took part. Suppose first that the attacker is a nurse, who knows the records of the
# other fourteen patients, and look at a single stage:

# %% tags=["remove-cell"]
games = max(500, round(5_000 * effort))
shadows = patients(rng, max(5_000, round(20_000 * effort)))     # of the attacker's own making
m, S = shadows.mean(axis=0), np.cov(shadows.T)
people = patients(rng, games, n + 1)
annas, instead = people[:, 0], people[:, -1]                    # Anna, or the patient in her place
inside, outside = people[:, :-1].mean(axis=1), people[:, 1:].mean(axis=1)
rounding = 1e-3 / np.sqrt(12)                                   # three decimals are a little noise too

# One Anna for the whole page: of those whose records are as unusual as most, the one that pulls most. If the sum of the others were exactly Gaussian, this is the best
# that an attacker can do who knows none of them; the draws are real patients, and are held against it.
widths = S / n + rounding**2 * np.eye(39)
whitened = np.linalg.solve(np.linalg.cholesky(widths), (annas[:401] - m).T / n)
chosen = max(np.argsort(np.linalg.norm(whitened, axis=0))[190:211], key=lambda k: np.ptp(annas[k] - m))
pull = (annas[chosen] - m) / n
odds = GaussianWorlds(means=[whitened[:, chosen], np.zeros(39)], scales=[np.sqrt((n - 1) / n), 1])
others_in_game, instead_in_game = patients(rng, 330, n - 1).sum(axis=1), patients(rng, 330)
published = np.array([(others_in_game + one).round(9) / n for one in (annas[chosen], instead_in_game)]).round(3)
log_ratios = np.array([gaussian_log_ratio(tables, m + pull, (n - 1) / n**2 * S + rounding**2 * np.eye(39), m, widths) for tables in published])
by_eye = np.array([(tables - m) @ pull / (pull @ pull) for tables in published])     # all 39 hints count alike
by_eye = 50 * (np.mean(by_eye[0] > 0.5) + np.mean(by_eye[1] < 0.5))
assert 52 < by_eye < 72 and 0.75 < odds.ceiling < 0.82
apart = np.mean(log_ratios[0] - log_ratios[1]) / np.mean(np.std(log_ratios, axis=1))          # the hills of the game, from its rounds
assert effort < 1 or f"{2 * ndtri(odds.ceiling):.1f}" == "1.6" == f"{apart:.1f}"

anna, others = annas[chosen], people[chosen, 1:-1]               # for the nurse: the fourteen beside her
table = np.vstack([others, anna]).mean(axis=0)

# %% tags=["remove-input"]
stage = int(np.argmax(np.abs(anna - table)))
total, known, waited = round(n * table[stage], 3), round(others[:, stage].sum(), 3), round(np.log(anna[stage]) / np.log(0.99))
assert np.isclose(anna[stage], 0.99**waited) and abs(total - known - anna[stage]) < 0.0011
assert effort < 1 or seed != 2022 or f"{total - known:.3f}" == f"{anna[stage]:.3f}" and f"{n * round(table[stage], 5):.3f}" == f"{total:.3f}"
md(f"* The average at stage {stage + 1} is {table[stage]:.5f}. Times fifteen, this is {total:.3f}, the sum of all.\n"
   f"* The other fourteen returns add up to {known:.3f}.\n"
   f"* So Anna's return is {total:.3f} − {known:.3f} = {total - known:.3f}. This is $0.99^{{{waited}}}$: from stage {stage + 1} on, she waited {waited} weeks for her recovery.\n\n"
   "The same subtraction in all stages is one line:")

# %%
annas_record = n * table - others.sum(axis=0)

# %% tags=["remove-cell"]
assert np.allclose(annas_record, anna)

# %% [markdown]
# **Averages are not anonymous.** This works for any number of patients. Differential privacy is made for exactly this attacker, who
# knows everything except one record. What can other attackers do?
#
# ## An attacker who knows no other patient
#
# The second attacker knows only two things: Anna's record, perhaps from her diary, and which averages are typical, by a simulation of the treatment. What is left to find out? That she was in *this* study, and so has this illness.
#
# ### Play: is Anna one of the fifteen?
#
# You are this attacker. A coin decides whether Anna is one of the fifteen, or another patient in her place. All values lie between 0 and 1, and the picture counts in hundredths. The solid line shows by how much the published averages differ from the typical ones. The dotted line shows in which direction Anna
# would pull them, three times enlarged. A simple rule: if the solid line leans towards the dotted one, bet that she is in. The best attacker has a better one.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How often is the best attacker right, who knows these 39 numbers and no other patient?** Choose, then play. After ten rounds a new button piles them up.
#
# * 50 times in 100, like a coin
# * About 60 times in 100
# * Nearly 80 times in 100
# ```

# %% tags=["remove-input"]
play(
    name="fifteen", question="39 averages over fifteen patients. Is Anna one of them?",
    worlds=[World("in", "Anna is in", "Anna was one of the fifteen."), World("out", "Anna is out", "Another patient was in her place.")],
    picture=Published("Published averages, minus the typical ones", x="stage, from admitted to recovered", y="difference, in hundredths", low=-3.5, high=3.5, unit="hundredths", key="published minus typical, in hundredths",
                      beside=[Beside("Anna’s pull if she is in, three times enlarged", 300 * pull)]),
    levels=[Draws("exact averages", 100 * (published - m), log_ratios=log_ratios, ceiling=odds.ceiling,
                  guarantee="No promise: exact averages. An attacker who knows the other fourteen patients is right every time.")],
    stages=("rounds", "piles"), best="best attacker who knows no other patient",
    caption="The other patients are drawn anew in every round. The best score is computed as if a sum of fourteen patients were exactly Gaussian, which it nearly is.",
    alt="The averages of fifteen patients at 39 stages, minus the typical averages, and the small pull that Anna’s record would have on them.")

# %% tags=["remove-input"]
assert 77 < 100 * odds.ceiling < 79.5 and 55 < by_eye < 66
md(f"**What you should see.** Nearly 80: the best attacker who knows no other patient is right {100 * odds.ceiling:.0f} times in 100. By eye this is hard, because Anna's pull is small beside what chance does. An attacker who only asks how far the solid line leans towards the dotted one, "
   f"and lets all 39 stages count alike, is right {by_eye:.0f} times.\n\n"
   "In the piles, every round falls on one of two heaps, one for each world. The further to the right it falls, the likelier the best attacker finds it that Anna is in. "
   "Move the line to the right: fewer patients are found, and fewer are accused wrongly. "
   "All lines together make the second picture, the ROC curve [{ref}`on two kinds of axes <attack-measured>`]. The button *How much higher is “in”?* repeats {doc}`02_a_promise`.")

# %% [markdown]
# ## Small hints add up
#
# Anna is one of fifteen, so she moves no average by much. How can the best attacker still find her? Measure every average in standard deviations of a single patient:
#
# 1. **One average is a small hint.** An average over fifteen patients varies by $1/\sqrt{15} = 0.26$. If Anna's record is 1 away from the mean, she pulls the average by
#    $1/15 = 0.07$, about a quarter of what chance does. Studies with and without her form two hills that nearly coincide.
# 2. **Many hints add up.** Add up 39 hints that have nothing to do with each other. Anna pulls each of them the same way, so her pull grows 39-fold. Chance goes up in some and down in others, so it grows only $\sqrt{39}$-fold. The two hills are then $\sqrt{39/15} = 1.6$ standard deviations apart.

# %% tags=["remove-cell"]
def with_hints(d):
    return 100 * ndtr(np.sqrt(d / n) / 2)

assert n != 15 or round(with_hints(1)) == 55 and 78 < with_hints(39) < 80 and round(np.sqrt(1 / 15), 2) == 0.26 and round(np.sqrt(39 / 15), 1) == 1.6
assert effort < 1 or published.shape[1] == 330
heaps = (log_ratios - log_ratios[1].mean()) / np.mean(np.std(log_ratios, axis=1))       # the rounds of the game, in standard deviations

# %% mystnb={"image": {"alt": "Two panels with two bell curves each, orange for studies without Anna and blue for studies with her. Left, with one average, the curves are 0.26 standard deviations apart and nearly coincide. Right, with all 39, they are 1.6 apart, over heaps of 330 rounds of each kind that look the same."}} tags=["remove-input"]
z, blue, orange = np.linspace(-3.4, 5, 300), PALETTE[0], PALETTE[1]
fig, axes = plt.subplots(1, 2, figsize=(9, 2.3), sharey=True)
for ax, d, words in zip(axes, (1, 39), ("One average", "All 39")):
    gap = np.sqrt(d / n)
    ax.plot(z, np.exp(-z**2 / 2) / np.sqrt(2 * np.pi), color=orange, lw=2.2, ls="--")
    ax.plot(z, np.exp(-(z - gap)**2 / 2) / np.sqrt(2 * np.pi), color=blue, lw=2.2)
    ax.axvline(gap / 2, color="#4a5058", lw=1.2)
    ax.text(-0.9, 0.33, "without Anna", color=orange, weight="bold", ha="right")
    ax.text(gap + 0.9, 0.33, "with Anna", color=blue, weight="bold")
    ax.set(xlim=(z[0], z[-1]), ylim=(0, 0.5), yticks=[], xlabel="score, in standard deviations", title=f"{words}: the hills are {gap:.2g} apart")
    ax.grid(False)
for heap, colour in zip(heaps, (blue, orange)):
    axes[1].hist(heap, bins=np.arange(-3.5, 5.1, 0.5), density=True, color=colour, alpha=0.22);

# %% [markdown]
# The line half-way between the hills decides. With one average the attacker is right 55 times in 100, and with all 39 nearly 80 times. The curves are for unrelated hints. The heaps are 330 rounds of the game with Anna and 330 without.
#
# But adjacent averages look alike. Are these still 39 hints? Yes: the *ratio* of two adjacent averages tells how long the fifteen stayed in the first of the two stages, because each week costs a factor of 0.99. The weeks in one stage have nothing to do with those in another. Take stage 6, in one round of the game:

# %% tags=["remove-cell"]
def weeks_in(averages):
    """Mean weeks in each of the 39 stages. The last average is 0.99 for each week of waiting, and a recovery at once is one week."""
    following = np.concatenate([averages[..., 1:], np.full((*averages.shape[:-1], 1), 1 / 0.99)], axis=-1)
    return np.log(averages / following) / np.log(0.99)

assert n != 15 or round(5 / 15, 2) == 0.33 and round(np.sqrt((1 - 0.5) / 0.5**2 / 15), 2) == 0.37      # weeks in a stage: geometric, at least 1, with mean 2
usual, hers = weeks_in(m), weeks_in(annas[chosen])
assert np.allclose(hers, np.round(hers)) and (abs(usual - 2) < 0.1).all()
weeks, hers_more = weeks_in(published) - usual, hers - 2                                # [in or out, round, stage], more than usual
lean = (weeks * hers_more).sum(axis=2) / (hers_more**2).sum()                           # the slope of a line through the dots of a round
by_weeks = 50 * (np.mean(lean[0] > 0.5 / n) + np.mean(lean[1] < 0.5 / n))               # what the evidence counts with other Annas
assert 74.5 < by_weeks < 82.5 and abs(lean[0].mean() - 1 / n) < 0.01 and abs(lean[1].mean()) < 0.01
shown = int(np.argmin(abs(lean[0] - 1 / n)))                                            # a round that leans as much as is expected

# %% tags=["remove-input"]
at, after = published[0, shown, 5:7]
assert effort < 1 or seed != 2022 or round(hers[5]) == 7 > np.delete(hers, 5).max() + 0.5
md(f"* The average is {at:.3f} at stage 6 and {after:.3f} at stage 7. The ratio is {at / after:.4f}, about {100 * (1 - at / after):.1f} hundredths below 1. So the fifteen stayed in stage 6 for about **{100 * (1 - at / after):.1f} weeks** on average. Usual are 2.\n"
   "* Anna stayed there for 7 weeks, 5 more than usual and longer than in any other stage. If she is in, this raises the mean of fifteen by 5/15 = 0.33 weeks. Chance moves it by 0.37.\n\n"
   "So there are 39 unrelated hints, one for each stage [{ref}`how their sum finds Anna <weeks-add-up>`].")

# %% tags=["remove-cell"]
def score(table, anna, mean, spread):
    """How far a table leans towards Anna; `spread` is its covariance without her."""
    direction = np.linalg.solve(spread, anna - mean)
    return direction @ (table - mean) / np.sqrt(direction @ spread @ direction)

# %% tags=["remove-cell"]
def scores(tables, noise):
    spread = S / n + noise**2 * np.eye(39)
    return np.array([score(table, anna, m, spread) for table, anna in zip(tables, annas)])

def in_closed_form(noise, annas):
    """Mean and standard deviation of the score if Anna is inside, for each Anna."""
    widths, axes = np.linalg.eigh(S)
    pulls = ((annas - m) @ axes) ** 2 / (widths / n + noise**2) ** 2
    size = np.sqrt((pulls * (widths / n + noise**2)).sum(axis=1))
    variance = (pulls * ((n - 1) / n**2 * widths + noise**2)).sum(axis=1) / size**2
    return (pulls * (widths / n + noise**2)).sum(axis=1) / n / size, np.sqrt(variance)

scores_in, scores_out = scores(inside.round(3), rounding), scores(outside.round(3), rounding)
cut = 0.8
found, accused = np.mean(scores_in > cut), np.mean(scores_out > cut)
right = 50 * (1 + found - accused)

# %% tags=["remove-input"]
md(f"Over {games:,} games with other Annas the best attacker is right about as often as with ours. "
   "The attack becomes stronger with more published numbers, and weaker with more patients [{ref}`a slider for both <when-a-crowd>`]. "
   "It finds unusual patients more easily than others [{ref}`how much more easily <exposed>`].")

# %% tags=["remove-cell"]
assert 75 < right < 81 and abs(right - 100 * odds.ceiling) < 2
closed_mean, closed_sd = in_closed_form(rounding, annas)
for counted, expected in ((scores_in, ndtr((closed_mean - cut) / closed_sd).mean()), (scores_out, ndtr(-cut))):
    assert abs(np.mean(counted > cut) - expected) < 5.5 * 0.5 / np.sqrt(games) + 0.02     # a mean of 15 is nearly Gaussian

# %% [markdown]
# ## Noise pushes the hills together
#
# Now the clinic adds Gaussian noise to each average before it publishes them. How much it takes depends on the attacker:
#
# * The **second attacker** knows no other patient.
# * The **nurse** now plays the same game, and knows even more than before: the other fourteen records, Anna's, and that of the patient in her place. Only the coin is unknown.
# * The **nurse, in the worst case**: every return of Anna's counts as 1, and every return of the patient in her place as 0. No real pair differs so much, so this is an upper bound for all pairs.
#
# ### Explore: until the attacker is a coin
#
# ```{admonition} Guess first
# :class: hint guess right-3
# The averages lie between 0 and 1. A noise of about 0.05 brings the second attacker down to about 55 right guesses in 100. **Which noise brings the nurse down to about 55, in the worst case?** Choose, then move the noise to the right.
#
# * About 0.05 as well
# * About 0.2
# * About 1.56
# ```

# %% tags=["remove-cell"]
noise_slider = Slider("s", "noise on each average, standard deviation", 4.93e-4, 4.93, 0.493, points=41, steps=40, low_end="hardly any", high_end="very much")
kinds = ("knows nobody", "knows the others", "knows the others, unusual record")
few = slice(0, 2000)

def hills(kind, noise):
    """Mean and standard deviation of the score, for some Annas who are inside; those of Annas who are outside are 0 and 1."""
    if kind == "knows nobody":
        return in_closed_form(noise, annas[few])
    if kind == "knows the others":
        return np.linalg.norm(annas[few] - instead[few], axis=1) / n / noise, np.ones(len(annas[few]))
    return np.array([np.sqrt(39) / n / noise]), np.ones(1)          # all returns 1, or all 0

def with_a_good_line(kind, s):
    """Right guesses in 100, with the line half-way between the hills."""
    mean, sd = hills(kind, s)
    return 50 * (ndtr(mean / 2 / sd) + ndtr(mean / 2)).mean()

nobodys, nurses = (Table((noise_slider,), [with_a_good_line(kind, s) for s in noise_slider.grid], scale="linear") for kind in kinds[:2])
told = Table.of(lambda s: gaussian_epsilon(delta, np.sqrt(39) / n / s), noise_slider)
ceiling = Table.of(lambda s: 100 * ndtr(np.sqrt(39) / n / s / 2), noise_slider, scale="linear")

# %% tags=["remove-input"]
explore(
    name="until_a_coin", sliders=[noise_slider], x=noise_slider, y=Axis("right", "right guesses in 100", 50, 100, scale="linear"),
    curves=[Curve("second attacker", nobodys), Curve("nurse", nurses), Curve("nurse, worst case", ceiling, at_most=True),
            Curve("a coin", constant(50), reference=True)],
    readouts=[Readout("ceiling", "no attacker is right more than", ceiling, unit="in 100", at_most=True),
              Readout("epsilon", f"ε of the release, at δ = {show(delta)}", told, at_most=True)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one trajectory (replace one by another that passes every stage), proved: no attacker is right more than {{ceiling}} times in 100. "
              f"At 100 this is no promise.",
    alt="Right guesses of three attackers against the noise on each average, all falling from the left to a coin's 50 on the right, that of the second attacker first, the nurse's next, and the worst case last. "
        "At noise {s} no attacker is right more than {ceiling} times in 100.",
    caption="Right guesses on average over many Annas, with the line half-way between the hills. The worst case is also the limit for every attacker, and is rounded up. The curves begin at a small noise, not at none.")

# %% tags=["remove-cell"]
def at_best(kind, s):
    mean, sd = hills(kind, s)
    lines = np.linspace(-1, 5, 601)[:, None]
    return 50 * (1 + (ndtr((mean - lines) / sd).mean(axis=1) - ndtr(-lines[:, 0])).max())

nobody, known, unusual = (at_best(kind, 0.05) for kind in kinds)
assert at_best("knows nobody", 0.001) > 70 and nobody < 55 < known < 60 and unusual > 99
for kind in kinds:                                                  # half-way is as good as the best line
    assert all(at_best(kind, s) - 1.5 < with_a_good_line(kind, s) < at_best(kind, s) + 0.5 for s in (0.002, 0.05, 1.6))
enough = np.ceil(100 * np.sqrt(39) / n / mu) / 100                    # rounded up, as the promise asks
assert told.values[0] > 1e5 and [f"{stop:g}" for stop in noise_slider.grid[[20, 26, 35]]] == ["0.0493", "0.196", "1.56"] and noise_slider.on_grid
assert n != 15 or enough == 1.56 and gaussian_epsilon(delta, np.sqrt(39) / n / 1.55) > 1 > gaussian_epsilon(delta, np.sqrt(39) / n / enough)
assert round(at_best(kinds[2], enough)) == 55 and 80 < 100 * ndtr(np.sqrt(39) / n / 0.2 / 2) < 99
# the hills of the first attacker, counted with noise
for s in (0.002, 0.05):
    draws = noise_rng.normal(size=(2, *inside.shape)) * s
    mean, sd = in_closed_form(s, annas)
    for tables, draw, expected in ((inside, draws[0], ndtr((mean - 0.5) / sd).mean()), (outside, draws[1], ndtr(-0.5))):
        assert abs(np.mean(scores(tables + draw, s) > 0.5) - expected) < 5.5 * 0.5 / np.sqrt(games) + 0.02

# %% tags=["remove-input"]
md(f"**What you should see.** About {enough:.2f}. At a noise of 0.05 the nurse is right {known:.0f} times in 100, if Anna is a patient like any other. "
   f"But in the worst case the nurse is right practically always, and at 0.2 still {100 * ndtr(np.sqrt(39) / n / 0.2 / 2):.0f} times in 100. Only at {enough:.2f} is every attacker down to about 55.\n\n"
   f"A promise has to hold for every patient and against every attacker, so the worst case sets the noise. For fifteen patients ε = 1 asks for a noise of **{enough:.2f}** on values between 0 and 1, which leaves nothing of them. Thirty-nine numbers about fifteen people "
   "cannot both be right and say nothing about each of the fifteen.")

# %% tags=["remove-input"]
md(f"With 10,000 patients ε = 1 costs a noise of only **{enough * n / 10_000:.2g}** on each value, because a single patient moves an average of 10,000 so little. This works because every patient here passes every stage. "
   "If patients may skip stages, a stage may have a single visitor in a study of any size. {doc}`Chapter 2 </chapters/02_policy_evaluation/01_problem>` begins with this.\n\n"
   "The second attacker, the nurse, and a third that may even choose the records were played against two private releases at ε = 1. All stay below what the promise allows [{ref}`their scores <attackers-counted>`]. This proves nothing, because there may be a better attack. "
   "**An attack can refute a promise, never prove one** [{ref}`how many games it takes <attack-measured>`].")

# %% tags=["remove-cell"]
assert (epsilon, n) != (1, 15) or f"{np.sqrt(39) / mu / 10_000:.2g}" == f"{enough * n / 10_000:.2g}" == "0.0023"

# %% [markdown]
# ## What no such noise stops
#
# * **More than one record.** The clinic protects *one trajectory*. Ada, {doc}`of the page before <04_who_is_protected>`, was admitted three times and has three. If all three are replaced, the hills move three times as far apart
#   [{ref}`an attack on three records <three-records>`].
# * **Inference.** A large study publishes private sums. An insurer learns from them how slowly patients recover, and raises Anna's premium. The insurer predicts her recovery equally well *whether or not she took part* [{ref}`played out with and without her <inference>`]. By staying out of the study she could not have kept this fact secret.
#
# ## Check yourself
#
# **1. Another study has 150 patients in place of 15, and also publishes its 39 averages exactly. How often is the best attacker right who knows no other patient?**
#
# ```{dropdown} Nearly 80 times in 100, as before: there are still 39 hints.
# There are 39, but each is weaker. Anna pulls an average of 150 ten times less, and chance moves it only $\sqrt{10}$ times less.
# ```
# ```{dropdown} 50 times in 100: among 150 she is hidden.
# Weaker hints still add up. A crowd of any size hides less than everything.
# ```
# ```{dropdown} About 60 times in 100.
# ✓ Right. The hills are about $\sqrt{39/150} = 0.5$ standard deviations apart, and not 1.6.
# ```
#
# **2. Gaussian noise at ε = 1 brings every attacker down to about 55. Other mechanisms with the same ε may let an attacker be right up to 73 times in 100, as {doc}`the next page <06_what_epsilon_means>` shows. An attack on such a mechanism is right 60 times. What follows?**
#
# ```{dropdown} Nothing speaks against the promise. More cannot be learnt from an attack that stays below the ceiling.
# ✓ Right. Only an attack that is surely *above* 73 in 100 decides anything.
# ```
# ```{dropdown} The mechanism breaks its promise: more than 50 means that something leaks.
# Something does leak, and may: the promise allows up to 73 right guesses in 100.
# ```
# ```{dropdown} The mechanism keeps its promise, since 60 is below 73.
# A weak attack proves nothing about the mechanism. A better one may exist.
# ```
#
# Three more questions are {ref}`behind this page <quiz-attacks>`.
#
# ## To take away
#
# * **Averages leak.** An attacker who knows all the others subtracts. One who knows no other patient still wins, if many numbers are published about few people.
# * **A guarantee is a ceiling for every attacker**, and for the most unusual patient. Typical attacks fail long before.
# * **An attack can refute a promise, never prove one.** If it fails, there may be a better one.
# * **Mind the unit.** A promise per trajectory is weaker per person.
#
# Further reading: {cite:t}`homer2008`, a person's DNA found in a pooled sample; {cite:t}`carlini2022`, attacks on machine learning. Next:
# {doc}`06_what_epsilon_means`.

# %% tags=["remove-cell"]
# what the answers above say
assert round(100 / (1 + np.exp(-1.0))) == 73 and round(100 * ndtr(np.sqrt(39 / 150) / 2)) == 60 and round(np.sqrt(39 / 150), 1) == 0.5
assert people.max() <= 1 and people[..., 0].max() <= 0.99**38 < 0.69            # at stage 1, nobody comes near 1
