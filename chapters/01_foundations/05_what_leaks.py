# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Two attacks that work until there is noise: was Anna in the study, and what was the reward? And what noise
#         cannot stop.'
# ---

# %% [markdown]
# # What leaks
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A clinic publishes averages, and a company publishes a Q-function. What can an attacker find out from them?
# * **The answer.** Without noise, nearly everything: who took part, and what was rewarded. With noise, no more than the promise allows.
# * **What is protected.** Nothing, at first. Then one patient's trajectory (replace one), and the reward function.
# * **What you need.** {doc}`04_who_is_protected`.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2022         # all randomness comes from here
epsilon = 1.0       # what the mechanisms promise
delta = 1e-5
n_patients = 15     # a small study
sigma = 0.001       # the noise on Q at which its slider starts

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.special import ndtr
from scipy.stats import norm

from privrl_core.functional_noise import fitted_q_iteration, hat_features
from privrl_core.functional_noise import reward_from_q as of_the_package
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.policy_evaluation import first_visit_returns
from privrl_core.privacy import gaussian_epsilon, gaussian_mu
from privrl_core.world import middle_reward, recovery_chain, sample_episodes, walk

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
# ## Averages are not anonymous
#
# A clinic tries a treatment on fifteen patients. There are forty stages from *admitted* to *recovered*, and each week a patient stays, or moves up by one
# stage, with equal probability. Afterwards the clinic publishes what a paper would print: how well patients do from each stage on. There are no names and no
# records, only 39 averages over fifteen people.
#
# The study is about an illness that Anna tells nobody about. An attacker wants to know whether she took part. Suppose first that the attacker is a nurse, who knows the
# other fourteen patients. Then one line is enough:

# %% tags=["remove-cell"]
others, anna = patients(rng, n - 1), patients(rng, 1)[0]
table = np.vstack([others, anna]).mean(axis=0)

# %%
annas_record = n * table - others.sum(axis=0)

# %% tags=["remove-cell"]
assert np.allclose(annas_record, anna)

# %% [markdown]
# **Averages are not anonymous.** This works for any number of patients, and no statistics are needed. Differential privacy is made for exactly this attacker, who
# knows everything except one record. But few attackers are nurses of this clinic. What can the others do?
#
# ## An attacker who knows nobody
#
# The second attacker knows none of the other patients. He knows how Anna's weeks would look in the data, perhaps from her diary. And he knows how patients fare in general, because he can
# simulate the treatment. A coin decides whether Anna is one of the fifteen, or another patient has taken her place. The clinic publishes the 39 averages, with three decimals.
#
# ```{admonition} Guess first
# :class: hint
# Anna is one of fifteen, and each average hides her among them. **How often can this attacker tell whether she took part: 52, 65 or 80 times in 100?**
# ```
#
# Anna pulls every average a little towards her own record. The attacker adds up these small pulls, and divides by how much such a sum varies if Anna is *not* in
# the data. The result is a **score**: how many standard deviations the table leans towards Anna.

# %%
def score(table, anna, mean, spread):
    """How far a table leans towards Anna; `spread` is its covariance without her."""
    direction = np.linalg.solve(spread, anna - mean)
    return direction @ (table - mean) / np.sqrt(direction @ spread @ direction)

# %% tags=["remove-cell"]
games = max(500, round(5_000 * effort))
shadows = patients(rng, max(5_000, round(20_000 * effort)))     # of the attacker's own making
m, S = shadows.mean(axis=0), np.cov(shadows.T)
people = patients(rng, games, n + 1)
annas, instead = people[:, 0], people[:, -1]                    # Anna, or the patient in her place
inside, outside = people[:, :-1].mean(axis=1), people[:, 1:].mean(axis=1)
rounding = 1e-3 / np.sqrt(12)                                   # three decimals are a little noise too

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

# %% mystnb={"image": {"alt": "Two histograms of the attacker's score. If Anna is not in the study the scores lie around 0, if she is they lie around 1.6. A line at 0.8 separates most of the one from most of the other."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.3))
bins = np.linspace(-4, 6, 61)
for values, colour in ((scores_out, PALETTE[1]), (scores_in, PALETTE[0])):
    ax.hist(values, bins, density=True, color=colour, alpha=0.55)
ax.axvline(cut, color="#22272e", ls="--")
ax.text(cut + 0.1, 0.52, "says “she took part”  →", va="center")
ax.text(-1.3, 0.33, "Anna did\nnot take part", color=PALETTE[1], ha="right", weight="bold")
ax.text(3.1, 0.33, "Anna\ntook part", color=PALETTE[0], weight="bold")
ax.set(xlabel="score: how far the 39 averages lean towards Anna", ylabel="share of games", yticks=[], ylim=(0, 0.58),
       title="If Anna took part, the averages lean towards her");

# %% tags=["remove-input"]
md(f"**What you should see.** Nearly 80 times in 100. The attacker draws a line half-way between the two hills, and says *she took part* if the score lies to its right. In {games:,} games of each "
   f"kind this finds {found:.0%} of the Annas who took part, and accuses {accused:.0%} of those who did not. He is right {right:.0f} times in 100.")

# %% tags=["remove-cell"]
assert 75 < right < 81
closed_mean, closed_sd = in_closed_form(rounding, annas)
for counted, expected in ((scores_in, ndtr((closed_mean - cut) / closed_sd).mean()), (scores_out, ndtr(-cut))):
    assert abs(np.mean(counted > cut) - expected) < 5.5 * 0.5 / np.sqrt(games) + 0.02     # a mean of 15 is nearly Gaussian

# %% [markdown]
# Each average by itself tells next to nothing, but 39 small hints add up. The attack becomes weaker with more patients and stronger with more published numbers: what counts is their ratio,
# $39/15$ [{ref}`a slider for both <when-a-crowd>`]. And the more unusual Anna's record is, the further apart are the two hills [{ref}`by quarters <exposed>`]. The attacker
# may also draw the line further to the right. Then he finds fewer, and is wrong less often. All such lines together are
# called the ROC curve [{ref}`on two kinds of axes <attack-measured>`].
#
# ## Noise pushes the hills together
#
# Now the clinic adds Gaussian noise to each average before it publishes them. You are the attacker again, and you know how much noise was added.
#
# ### Explore: until the attacker is a coin
#
# ```{admonition} Guess first
# :class: hint
# The averages lie between 0 and 1. **Which noise brings the attacker who knows nobody below 55 right guesses in 100: 0.001, 0.05 or 1.6? And is this enough against
# an attacker who knows all the others, also if Anna's record is as unusual as a record can be?** Decide, then move the noise, and change the attacker.
# ```

# %% tags=["remove-cell"]
noise_slider = Slider("s", "noise on each average, standard deviation", 5e-4, 2, 5e-4, points=37, steps=36, low_end="hardly any", high_end="very much")
line_slider = Slider("line", "where the attacker draws the line", -1, 5, 0.8, points=61, steps=60, scale="linear", low_end="accuse many", high_end="accuse few")
kinds = Choice("kind", "attacker", ("knows nobody", "knows the others", "knows the others, unusual record"), "knows nobody",
               low_end="weak", high_end="strong")
lean = Axis("lean", "score", -4, 9, scale="linear", points=131)
few = slice(0, 2000)

def hills(kind, noise):
    """Mean and standard deviation of the score, for some Annas who are inside."""
    if kind == "knows nobody":
        return in_closed_form(noise, annas[few])
    if kind == "knows the others":
        return np.linalg.norm(annas[few] - instead[few], axis=1) / n / noise, np.ones(len(annas[few]))
    return np.array([np.sqrt(40) / n / noise]), np.ones(1)          # all returns 1, or all 0

shape = [[hills(kind, s) for s in noise_slider.grid] for kind in kinds.options]
density = np.array([[(norm.pdf((lean.grid[:, None] - mean) / sd) / sd).mean(axis=1) for mean, sd in row] for row in shape])
hits = np.array([[ndtr((mean - line_slider.grid[:, None]) / sd).mean(axis=1) for mean, sd in row] for row in shape])
inside_hill = Table((kinds, noise_slider, lean), density, scale="linear")
outside_hill = Table.of(lambda lean: norm.pdf(lean), lean)
beyond = Table((line_slider, lean), (lean.grid >= line_slider.grid[:, None] - 1e-9).astype(float), scale="linear")
detections = Table((kinds, noise_slider, line_slider), hits, scale="linear")
alarms = Table.of(lambda line: ndtr(-line), line_slider, scale="linear")
guesses = constant(50) + constant(50) * detections - constant(50) * alarms
told = Table.of(lambda s: gaussian_epsilon(delta, np.sqrt(40) / n / s), noise_slider)
ceiling = Table.of(lambda s: 100 * ndtr(np.sqrt(40) / n / s / 2), noise_slider, scale="linear")

# %% tags=["remove-input"]
explore(
    name="two_hills", sliders=[noise_slider, kinds, line_slider], x=lean,
    y=Axis("density", "share of games", 0, 0.6, scale="linear"),
    curves=[Curve("Anna took part, and the share that is found", inside_hill, low=constant(0.0), high=inside_hill * beyond),
            Curve("Anna did not take part", outside_hill)],
    readouts=[Readout("found", "finds, of those who took part", detections), Readout("alarms", "accuses, of those who did not", alarms),
              Readout("guesses", "right with this line", guesses, unit="in 100"),
              Readout("ceiling", "no attacker is right more than", ceiling, unit="in 100", at_most=True),
              Readout("epsilon", f"ε, at δ = {show(delta)}", told, at_most=True)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one trajectory (replace one by another that passes every stage), proved. No "
              "attacker, whatever they know or compute, is right more than {ceiling} times in 100.",
    alt="Scores of an attacker: {kind}. The hill for “Anna took part” and the hill for “Anna did not take part”, with noise of standard deviation {s} on each "
        "average. With the line at {line} the attacker is right {guesses} times in 100; no attacker is right more than {ceiling} times.",
    caption="The shaded part lies to the right of the line. If the hills are far apart, the second hill has left the picture.")

# %% tags=["remove-cell"]
def at_best(kind, s):
    mean, sd = hills(kind, s)
    lines = np.linspace(-1, 5, 601)[:, None]
    return 50 * (1 + (ndtr((mean - lines) / sd).mean(axis=1) - ndtr(-lines[:, 0])).max())

nobody, known, unusual = (at_best(kind, 0.05) for kind in kinds.options)
assert at_best("knows nobody", 0.001) > 70 and nobody < 55 < known < 60 and unusual > 99
enough = np.sqrt(40) / n / mu
assert round(enough, 1) == 1.6 and round(at_best(kinds.options[2], enough)) == 55
# the hills of the first attacker, counted with noise
for s in (0.002, 0.05):
    draws = noise_rng.normal(size=(2, *inside.shape)) * s
    mean, sd = in_closed_form(s, annas)
    for tables, draw, expected in ((inside, draws[0], ndtr((mean - 0.5) / sd).mean()), (outside, draws[1], ndtr(-0.5))):
        assert abs(np.mean(scores(tables + draw, s) > 0.5) - expected) < 5.5 * 0.5 / np.sqrt(games) + 0.02

# %% tags=["remove-input"]
md(f"**What you should see.** Noise of 0.05 is enough against the attacker who knows nobody. One who knows all the others is then right {known:.0f} times in 100, if Anna is a patient like any other. "
   f"But if her record is as unusual as possible, he is right practically always. Only at a noise of {enough:.1f} is every attacker down to 55 in 100. This is what ε = 1 asks for.")

# %% [markdown]
# You have seen this picture before. The two hills are the two worlds of {doc}`02_a_promise`, and the strongest attacker's hills are $\mu$ apart. A weaker attacker's hills
# are closer together. So the promise holds for every patient and against every attacker, and it is paid for by the worst case.
#
# For fifteen patients the price is everything: noise of 1.6 on values between 0 and 1 leaves nothing useful. This has to be so, because forty numbers about fifteen people
# cannot both be right and say nothing about each of the fifteen.

# %% tags=["remove-input"]
md(f"With 10,000 patients the same promise costs a noise of {np.sqrt(40) / mu / 10_000:.2g} on each value. The guarantee did not become weaker; the crowd became larger. "
   "Three attackers, played out against two private releases at ε = 1, all stay below what the promise allows [{ref}`counted <attackers-counted>`].")

# %% [markdown]
# ## What was it rewarded for?
#
# Chapter 3 protects another secret. A company trained an agent, and hands out its Q-function, but not the *reward function* behind it. Bellman's equation
# ties the two together: $Q(s, a)$ is the expected reward plus γ times what the next state is worth. An attacker who knows how the world moves reads
# this equation from right to left:

# %%
def reward_from_q(Q, P, discount):
    return Q - discount * P @ Q.max(axis=1)

# %% tags=["remove-cell"]
K, discount = 11, 0.9
knots = np.linspace(0, 1, K)
states, actions, next_states = walk(5000, rng)
q = fitted_q_iteration(states, actions, next_states, middle_reward(next_states), discount=discount, n_knots=K).parameters[0].T     # [K, 2]

def transitions(states, actions, next_states):
    """From each knot by each action to each knot, [K, 2, K]."""
    here, there = hat_features(states, K), hat_features(next_states, K)
    weights = here[:, :, None] * np.eye(2)[actions][:, None]
    return np.einsum("tka,tl->kal", weights / weights.sum(axis=0), there)

P = transitions(states[0], actions[0], next_states[0])
moves = P.reshape(-1, K)
by_action = reward_from_q(q, P, discount)                   # r(s, a) ...
assert np.allclose(by_action, of_the_package(q, P, discount))
by_place = np.linalg.lstsq(moves, by_action.ravel())[0]     # = E r(s')
error = np.abs(by_place - middle_reward(knots)).max() / 0.5
assert error < 1e-8

# %% tags=["remove-input"]
md("Try it on the world of chapter 3, a walk on [0, 1] that is paid most in the middle {cite:p}`wang2019`. From an exact Q-function the reward comes back at every place, to within a "
   "hundred-millionth of its range. The whole reward is in the Q-function. {doc}`/chapters/03_functional_noise/01_read_the_reward` goes on from here.")

# %% [markdown]
# ### Explore: how much noise hides a reward?
#
# ```{admonition} Guess first
# :class: hint
# Each of the 22 numbers of Q gets Gaussian noise. The rewards lie between 0 and ½. **At which noise can you no longer see that the middle pays most: about
# 0.01, 0.7 or 9? And how much does it take for ε = 1, if rewards that differ by up to 0.05 are to look alike?**
# ```

# %% tags=["remove-cell"]
prior, spread = 0.25, 0.5 / np.sqrt(12)                     # rewards uniform on [0, 1/2]
draws = noise_rng.normal(size=(max(60, round(300 * effort)), K, 2))

def read_off(sigma):
    """The attacker's reward for each release, [draws, K]."""
    seen = np.array([reward_from_q(q + sigma * z, P, discount).ravel() for z in draws]) - prior * moves.sum(axis=1)
    precision = moves.T @ moves / sigma**2 + np.eye(K) / spread**2
    return prior + np.linalg.solve(precision, moves.T @ seen.T / sigma**2).T

noise = Slider("sigma", "noise σ on each number of Q", 1e-5, 31.6, sigma, points=40, steps=39, low_end="hardly any", high_end="very much")
place = Axis("s", "place", 0, 1, points=K, scale="linear")
loose = np.array([read_off(s) for s in noise.grid])         # [σ, draws, K]
fits = np.clip(loose, 0, 0.5)
errors = np.abs(fits - middle_reward(knots)).max(axis=2) / 0.5
over = (place, noise)
low, high = (Table(over, np.quantile(fits, level, axis=1).T, scale="linear") for level in (0.025, 0.975))
one = Table(over, fits[:, 0].T, scale="linear")
typical = Table((noise,), 100 * np.median(errors, axis=1))
per_sigma = 0.05 * np.sqrt(2 * K) / (1 - discount)
hidden = Table.of(lambda sigma: gaussian_epsilon(delta, per_sigma / sigma), noise, tolerance=0.02)

# %% tags=["remove-input"]
explore(
    name="reward_read_off", sliders=[noise], x=place, y=Axis("reward", "reward", 0, 0.55, scale="linear"),
    curves=[Curve("read off one release, and where 95 of 100 lie at each place", one, low=low, high=high),
            Curve("true reward", Table((place,), middle_reward(place.grid), scale="linear"), reference=True)],
    readouts=[Readout("error", "largest error, of the range (median)", typical, unit=" %"),
              Readout("epsilon", f"ε for rewards 0.05 apart, at δ = {show(delta)}", hidden, at_most=True)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for the reward function (sup-norm at most 0.05), proved: output "
              "perturbation with σ = {sigma}.",
    alt="The reward read off a noisy Q at σ = {sigma}, beside the true tent. The median of the largest error is {error} per cent of the "
        "range of rewards.",
    caption="The same release, the same attack: only σ moves. The attacker knows that rewards lie between 0 and ½.")

# %% tags=["remove-input"]
in_middle = np.mean(abs(knots[loose.argmax(axis=2)] - 0.5) < 0.15, axis=1)     # chance of it: 3 in 11
gone = noise.grid[in_middle < 0.5][0]
md(f"**What you should see.** From σ = {show(gone, 1)} on, the largest reward that he reads is near the middle in fewer than half of all releases. But for rewards 0.05 apart "
   f"this is ε = {show(gaussian_epsilon(delta, per_sigma / gone), 2)}, which promises nothing. ε = 1 takes σ = {show(per_sigma / gaussian_mu(1, delta), 2)}. "
   "For large σ the band narrows because the release tells him nothing about the reward, not because he knows it: he says ¼ everywhere.")

# %% tags=["remove-cell"]
assert 0.3 < gone < 2

# %% [markdown]
# The eye asks for the whole shape. The promise is stronger: not even two rewards that somebody *names* can be told apart, by any method
# [{ref}`the worst pairs, counted <two-rewards>`].
#
# ## What no such noise stops
#
# **More than one record.** The clinic protects *one trajectory*. If all three of Ada's are replaced, the release moves three times as far, and so do the hills
# [{ref}`attacked <three-records>`].
#
# **Inference.** A large study publishes private sums. An insurer reads them, learns how slowly patients recover, and raises Anna's premium. Was her privacy
# violated? He predicts her recovery equally well *whether or not she took part* [{ref}`played out <inference>`]. What he learnt is a fact about the treatment, and she could not have kept it
# from him by staying out of the study. Whether the study should be published at all is a good question, and not one that noise answers.
#
# ## What an attack can show
#
# An attack that does surely better than a guarantee allows proves that the guarantee is wrong, or the program that claims it. An attack that fails proves nothing, because there may be a better
# one. So an attack can refute a promise, and never prove one. An honest attacker chooses the line on games that are not counted, and reports limits beside every number
# [{ref}`how many games it takes <attack-measured>`].
#
# ## Check yourself
#
# **1. A clinic publishes 39 averages of 15 patients, exactly. Why does the attack on them work?**
#
# ```{dropdown} Because the clinic forgot to remove the names.
# No names were published. The attack uses the numbers alone.
# ```
# ```{dropdown} Because averages of returns are biased.
# They are unbiased estimates of the values. Being right on average does not hide those who were averaged.
# ```
# ```{dropdown} Because each patient moves each average a little, and 39 small hints add up.
# ✓ Right. The hills are about $\sqrt{39/15}$ apart: with more numbers or fewer patients, the hints weigh more.
# ```
#
# **2. An attack on a mechanism with (1, 10⁻⁵) is right 55 times in 100. What follows?**
#
# ```{dropdown} Nothing speaks against the promise. More cannot be learnt from an attack that stays below the ceiling.
# ✓ Right. Only an attack that is surely *above* the ceiling of 73 in 100 decides anything.
# ```
# ```{dropdown} The mechanism breaks its promise: more than 50 means that something leaks.
# Something does leak, and may: the promise allows up to 73 right guesses in 100.
# ```
# ```{dropdown} The mechanism keeps its promise, since 55 is below 73.
# A weak attack proves nothing about the mechanism. A better one may exist.
# ```
#
# Three more questions are {ref}`behind this page <quiz-attacks>`.
#
# ## To take away
#
# * **Averages leak.** An attacker who knows all the others subtracts. One who knows nobody still wins, if many numbers are published about few people.
# * **Q contains the reward.** Bellman's equation can be read in both directions.
# * **A guarantee is a ceiling for every attacker**, and for the most unusual patient. Typical attacks fail long before.
# * **An attack can refute a promise, never prove one.**
# * **Mind the unit.** A promise per trajectory is weaker per person. And what is true of everybody is nobody's secret.
#
# Further reading: {cite:t}`homer2008`, a person's DNA found in a pooled sample; {cite:t}`carlini2022`, attacks on machine learning. Next:
# {doc}`06_what_epsilon_means`.

# %% tags=["remove-cell"]
# what the answers above say
assert round(100 / (1 + np.exp(-1.0))) == 73
