# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A promise for one person takes the same noise from ten people as from a thousand: a table that develops as people
#         come, and who needs a public start.'
# ---

# %% [markdown]
# # Who needs whom
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Ten people and a thousand can have the same promise. Why do only the thousand learn from it?
# * **The answer.** The noise must hide one person, however many there are. A thousand people together outweigh it, and ten do not.
# * **What is protected.** One person's whole day, with her doses and meals. Neighbours add or remove one person.
# * **What you need.** {doc}`04_a_model_to_plan_in`.
# * **How long.** About 16 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9500         # all randomness comes from here

# %% tags=["remove-cell"]
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md

from privrl_core.networks import (
    CLINIC, PUBLIC, RANDOMISED, body_network, clipped_sgd_non_private, clipped_sum, dp_sgd, dreamed_days, evaluate, fitted, linear_model, logged_days, noise_multiplier, person_moments_non_private, plan, poly1,
    public_gate, random_policies, release_moments_once, ridge, ridge_head, side_by_side, simulated_days, squared_error, whitened, with_parameters)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.game import Beside, Dial, Noisy, Stems, World, play
from privrl_core.privacy import GaussianWorlds, right_guess_ceiling
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE

torch.set_num_threads(1)
use_theme()
full = effort >= 0.5
numbers, groups, living = (100, 300, 1000), *((10, 2000) if full else (2, 50))      # ten groups of each size, a size that the experiment has fixed
public_rng = np.random.default_rng(9103)
public_days = logged_days(RANDOMISED, 4000, public_rng).to(dtype=torch.float32)

public_network = fitted(body_network(9103), public_days, public_rng, steps=800 if full else 100)      # it costs nobody anything
features = whitened(poly1, public_days)
public_moments = person_moments_non_private(public_days, features)
usual_length = float(np.median(np.sqrt(np.square(public_moments).sum(axis=(1, 2)))))
public_weights = ridge(public_moments.sum(axis=0), 0.0)

def clinic_days(n, s, body=CLINIC):
    return logged_days(body, n, np.random.default_rng(s)).clamped(inputs=20, labels=2.5).to(dtype=torch.float32)

records_of = {(n, s): clinic_days(n, s) for n in numbers for s in range(seed, seed + groups)}
people, noise_rng = records_of[100, seed], np.random.default_rng([seed, 2])

# %% [markdown]
# ## A picture that develops
#
# Three clinics ask how glucose answers to insulin and to meals. One has the records of 10 people, one of 100, and one of 1,000. All promise ε = 1.
#
# They fit a straight line: the change of glucose in a half hour is a weighted sum of eight numbers, the seven that the pump sees and a constant. Least squares finds the weights from sums of products. For one half hour with a dose of 2, a meal of 1 and a change of −3, the products are:
#
# | | dose | meal | **change** |
# |---|---|---|---|
# | dose | 4 | 2 | **−6** |
# | meal | 2 | 1 | **−3** |
# | change | −6 | −3 | 9 |
#
# With nine numbers in place of three, and added up over the day, this is one person’s table of **second moments**. It is symmetric, so 45 of its 81 cells are different numbers.
#
# The **length** of a table is the square root of the sum of its squared cells, here √196 = 14. A longer table than the `clip`, a public length C, is shrunk to C: with C = 7 each cell above would be halved. All tables are added up, and {doc}`noise is added once </chapters/02_policy_evaluation/04_release_sums>` to the 45 sums.
#
# One person moves the sum by at most C, in a crowd of 1,000 as in a group of 10. So the same noise hides her: a standard deviation of 3.73 C in each sum on the diagonal. A number off the diagonal stands twice in the length, so that {ref}`3.73 C/√2 = 2.64 C <networks-noise-in-mean>` is enough there. In the *mean* over 10 people 2.64 C becomes 0.26 C, and over 1,000 people 0.0026 C.
#
# So the table develops like a photograph, and people are the light:

# %% tags=["remove-cell"]
assert 9 * 10 // 2 == 45 and 9 + 36 == 45 and 9 + 2 * 36 == 81
example = np.outer((2, 1, -3), (2, 1, -3))
assert np.square(example).sum() == 196 and np.linalg.norm(example) == 14 and example.tolist() == [[4, 2, -6], [2, 1, -3], [-6, -3, 9]]
in_one_sum = float(noise_multiplier(1.0, 1e-5, sampling=1.0, steps=1))
assert round(in_one_sum, 2) == 3.73
assert round(in_one_sum / 10, 2) == 0.37 and round(in_one_sum / 1000, 4) == 0.0037
in_others = in_one_sum / np.sqrt(2)
assert f"{in_others:.2f} {in_others / 10:.2f} {in_others / 100:.3f} {in_others / 1000:.4f}" == "2.64 0.26 0.026 0.0026"
a_thousand = clinic_days(1000, seed)
tables = {n: release_moments_once(a_thousand.people(slice(0, n)), features, clip=usual_length, epsilon=1.0, delta=1e-5, neighbours=ADD_OR_REMOVE_ONE, noise_rng=np.random.default_rng([seed, 5, n])).moments / (n * usual_length)
          for n in (10, 100, 1000)}
tables["exact"] = person_moments_non_private(a_thousand, features, clip=usual_length).mean(axis=0) / usual_length
off = {n: np.abs(tables[n] - tables["exact"]).mean() for n in (10, 100, 1000)}
assert off[10] > 5 * off[100] and off[1000] < 0.01 < 0.1 < off[10]
wrong_signs = {n: int((np.sign(tables[n][:8, 8]) != np.sign(tables["exact"][:8, 8])).sum()) for n in (10, 100, 1000)}
assert min(wrong_signs[10], wrong_signs[100]) > 0 == wrong_signs[1000] and (not full or wrong_signs == {10: 2, 100: 3, 1000: 0})      # the evidence says so
noise_seen = 1000 * (tables[1000] - tables["exact"])      # in units of C
all_noise = np.sqrt(9 * in_one_sum**2 + 2 * 36 * in_others**2)      # in all 81 cells, with each twin
drawn = np.random.default_rng([seed, 8]).normal(size=(20_000, 9, 9)) * np.where(np.eye(9), in_one_sum, in_others)
drawn = np.triu(drawn) + np.swapaxes(np.triu(drawn, 1), 1, 2)       # the same by draws: symmetric, and in the norm in which tables are cut
assert np.isclose(all_noise, np.sqrt(45) * in_one_sum) and round(all_noise) == 25 and abs(np.sqrt(np.square(drawn).sum(axis=(1, 2)).mean()) / all_noise - 1) < 0.01
assert 19 < np.linalg.norm(noise_seen) < 31                         # and in the photograph of 1,000 people
assert np.linalg.norm(person_moments_non_private(a_thousand, features, clip=usual_length), axis=(1, 2)).max() < usual_length * (1 + 1e-9)
assert 0.75 < noise_seen[np.triu_indices(9, 1)].std() / in_others < 1.25 and 0.5 < np.diag(noise_seen).std() / in_one_sum < 1.5
assert round(np.abs(tables["exact"][:8, 8]).max(), 2) == 0.10 == -round(tables["exact"][:8, 8].min(), 2) and 1 / 13 < in_others / (300 * np.abs(tables["exact"][:8, 8]).max()) < 1 / 10

# %% tags=["remove-input"] mystnb={"image": {"alt": "Four heat maps of a nine by nine table, with a frame around the upper eight cells of the last column. With 10 people all cells have random strong colours. With 100 people a dark diagonal stands out of faint speckles. With 1,000 people the table looks like the exact one: a diagonal, a few pale cells beside it, and in the frame some cells of both signs. A bar gives the colours, from blue for −0.2 C or less to red for 0.2 C or more."}}
fig, axes = plt.subplots(1, 4, figsize=(8.6, 2.3))
for ax, (n, table) in zip(axes, tables.items()):
    photograph = ax.imshow(np.clip(table, -0.2, 0.2), cmap="RdBu_r", vmin=-0.2, vmax=0.2)
    ax.add_patch(plt.Rectangle((7.5, -0.5), 1, 8, fill=False, ec="#22272e", lw=1.8, clip_on=False))
    ax.set(xticks=[8], xticklabels=["change"], yticks=[], title="no noise" if n == "exact" else f"{n:,} people")
    ax.tick_params(length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)
axes[0].set_yticks([3.5, 8], ["eight\nnumbers", "change"])
bar = fig.colorbar(photograph, ax=axes, shrink=0.72, aspect=12, pad=0.015, ticks=(-0.2, -0.1, 0, 0.1, 0.2))
bar.ax.set_yticklabels(("−0.2 C or less", "−0.1 C", "0", "0.1 C", "0.2 C or more"), fontsize=8)
fig.get_layout_engine().set(wspace=0.06);

# %% [markdown]
# The frame marks what a plan needs most: how the *change* of glucose goes with the eight numbers. Without noise its strongest cell is −0.10 C.
#
# The eight numbers in the table are not dose, meal and so on, but {ref}`mixtures of them <networks-three-ways>`: simulated days, before a record was touched, said how to mix and scale them, so that one noise suits all.
#
# In code, the release and what is fitted to it:

# %%
release = release_moments_once(
    people, features, clip=usual_length,    # both from simulated days
    epsilon=1.0, delta=1e-5,
    neighbours=ADD_OR_REMOVE_ONE, noise_rng=noise_rng)
weights = ridge_head(release, prior=public_weights)

# %% tags=["remove-cell"]
assert release.moments.shape == (9, 9) and abs(release.noise.scale / usual_length - in_one_sum) < 0.01

# %% [markdown]
# *Guarantee:* ε = 1, δ = 10⁻⁵ for one person's whole day; neighbours add or remove one person; central model; proved.
#
# The last line is free, since it looks at no record. It solves for the eight weights. The more noise there is, the closer they stay to the `prior`, the simulator’s weights.
#
# ### Play: how strong is insulin here?
#
# This time you are not the attacker. You want to learn. Insulin may be as strong in your people as the public simulator says, or only a little more than half as strong. Insulin is part of several mixtures. So without noise the eight cells in the frame would show one of two patterns. A coin chooses which, and a table is published.
#
# At first ten people come. The noise is 0.26 C in each cell of the mean, and nowhere are the patterns further apart than 0.04 C. After six bets let more people come: then the axis is magnified.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# With any number of people an attacker is right about Anna in at most 55.4 of 100 bets, because of the noise. **How often is a learner right about the insulin of 100 people, from the same table?** Choose, then play until 100 people have come.
#
# * in about 55 of 100 bets, like the attacker
# * in about 70
# * in more than 80
# ```

# %% tags=["remove-cell"]
ours, theirs = (np.sqrt(2) * person_moments_non_private(clinic_days(20_000 if full else 2000, 7, body), features, clip=usual_length)[:, :8, 8] / usual_length for body in (CLINIC, replace(CLINIC, p3=PUBLIC.p3)))
apart = ours.mean(axis=0) - theirs.mean(axis=0)      # of the column, weighted by this difference, the best single number is made
spread = {n: in_one_sum / (n * np.linalg.norm(apart)) for n in (10, 100, 1000)}
apart_in_c = np.linalg.norm(apart) / np.sqrt(2)      # their numbers stand in the table twice
columns = np.stack([each.mean(axis=0) for each in (theirs, ours)]) / np.sqrt(2)      # the two patterns: strong, weak
worlds_of = {n: GaussianWorlds(means=columns, scales=in_others / n) for n in spread}
right = {n: 100 * each.ceiling for n, each in worlds_of.items()}
anna = np.ceil(1000 * right_guess_ceiling(release.guarantees[0])) / 10      # rounded up, as in the statement of page 8
scatter = {n: max((each @ apart).std() for each in (ours, theirs)) / (apart @ apart) / np.sqrt(n) for n in spread}
assert 0.5 < CLINIC.p3 / PUBLIC.p3 < 0.6 and round(anna, 1) == 55.4
if full:
    assert f"{apart_in_c:.2f}" == "0.05" and np.isclose(apart_in_c / (in_others / 100), 1 / spread[100]) and (round(right[10]), round(right[100]), round(right[1000])) == (54, 83, 100) and scatter[1000] < 0.05, (right, scatter)
    differ = {n: scatter[n] / spread[n] for n in spread}
    assert round(differ[100], 1) == 0.2 and 0.6 < differ[1000] < 2 / 3
    one_number = {n: GaussianWorlds(means=[[0.0], [1.0]], scales=spread[n]) for n in spread}      # the eight cells added up with their weights
    assert all(np.isclose(100 * one_number[n].ceiling, right[n]) for n in spread) and 0.03 < np.abs(columns[0] - columns[1]).max() < 0.04
    assert all(0 <= right[n] - 100 * GaussianWorlds(means=[[0.0], [1.0]], scales=float(np.hypot(spread[n], scatter[n]))).ceiling < 0.5 for n in spread)

# %% tags=["remove-input"]
play(
    name="what_the_noise_leaves", question="How strong is insulin in these people?", publish="Publish a table", player="learner",
    worlds=[World("strong", "it is strong", "Insulin is strong in these people."), World("weak", "it is weak", "Insulin is weak in these people.")],
    picture=Stems("The frame, in C: how the change goes with each mixture", x="cell, from the top", y="mean product, in C", beside=[Beside("strong insulin", columns[0], world=0), Beside("weak insulin", columns[1], world=1)]),
    levels=[Noisy(f"{n:,} people", worlds_of[n], notes=(("right about Anna, at most", f"{anna:.1f} of 100"),),
                  guarantee="ε = 1, δ = 10⁻⁵ for one person’s whole day (add or remove one), central model, proved.") for n in spread],
    noise=np.random.default_rng([seed, 6]).normal(size=16_000), rounds=6, best="best learner from the frame",
    dial=Dial("people in the table", low_end="10 people", high_end="1,000 people", first="On to 100 people", next="On to {}"), stages=("rounds", "dial"),
    caption="Exact averages of simulated people, with the noise of a release. That people differ is left out: it would cost less than one of 100 bets.",
    alt="Eight stems, one for each cell of the frame, beside two lines that are close together: one for strong insulin and one for weak. The noise of the stems shrinks as people come.")

# %% tags=["remove-input"]
md(f"**The answer.** In {right[100]:.0f} of 100 bets, by adding up weak hints. The best learner from the frame gives each cell a weight, in proportion to weak minus strong there, adds up, and looks whether the sum is closer to that of the one pattern or of the other. If the squared weights add up to 1, the sum has the noise of a single cell, 0.026 C, and the two sums are {apart_in_c:.2f} C apart. Half of this is a little less than one standard deviation, and a normal number stays below that in {right[100]:.0f} of 100 cases. With 10 people the noise is ten times as large:\n\n| right, of 100 bets | 10 people | 100 people | 1,000 people |\n|---|---|---|---|\n| the best learner | {right[10]:.0f} | {right[100]:.0f} | {right[1000]:.0f} |\n| the best attacker, at most | {anna:.1f} | {anna:.1f} | {anna:.1f} |\n\nWith 10 people the learner knows less than an attacker may know of Anna. With 1,000 it is practically certain that in our clinic insulin is weak, which the public simulator does not know. **The noise hides one person. It does not hide what a thousand people have in common.**")

# %% [markdown]
# ## What a clinic with few people can do
#
# A plan needs more than one number. What can a clinic with 300 people do? One person moves an answer by at most its clip C, so 300 people move it by at most 300 C, if all pull one way. The noise has a length, too. That of the table is √45 · 3.73 C = 25 C, since the smaller noise off the diagonal counts twice. A network has 417 weights, and its gradient as many noisy numbers, √417 · 3.73 C = 76 C. Each C is a clip of its own, so compare the shares:

# %% tags=["remove-cell"]
parameters, steps = sum(each.numel() for each in public_network.parameters()), 100
assert np.isclose(noise_multiplier(1.0, 1e-5, sampling=1.0, steps=4 * steps), 2 * noise_multiplier(1.0, 1e-5, sampling=1.0, steps=steps))
in_a_step, in_all_steps = np.sqrt(parameters) * in_one_sum, steps * np.sqrt(parameters) * noise_multiplier(1.0, 1e-5, sampling=1.0, steps=steps) / np.sqrt(steps)
assert parameters == 417 and round(in_a_step) == 76 and 0.24 < in_a_step / 300 < 0.26 and round(all_noise) == 25 and 300 / 25 == 12
assert np.isclose(in_all_steps, steps * in_a_step, rtol=1e-3)      # steps times as much, as of the signal; everybody in each step: with a quarter of them it is 2 % more
assert round(100 * (noise_multiplier(1.0, 1e-5, sampling=0.25, steps=steps) / 0.25 / noise_multiplier(1.0, 1e-5, sampling=1.0, steps=steps) - 1)) == 2

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three horizontal bars. The longest is what 300 people can move, at most 300 C. A quarter as long is the noise in one gradient of a network, 417 numbers: 76 C. A twelfth as long is the noise in the table, 45 numbers: 25 C."}}
fig, ax = plt.subplots(figsize=(8, 1.7))
lengths = {"300 people, at most": 300, "noise in one gradient\nof a network, 417 numbers": round(in_a_step), "noise in the table,\n45 numbers": round(all_noise)}
for row, length in enumerate(lengths.values()):
    ax.barh(row, length, height=0.62, color=PALETTE[1] if row else PALETTE[0], alpha=0.75)
    ax.text(length + 3, row, f"{length} C" + ("", ": a quarter", ": a twelfth")[row], va="center", color="#22272e")
ax.set(yticks=range(3), yticklabels=list(lengths), xlim=(0, 340), xticks=(), title="More numbers, longer noise")
ax.invert_yaxis()
ax.tick_params(length=0)
ax.spines[:].set_visible(False)
ax.grid(False);

# %% [markdown]
# A network asks for its gradient 100 times, because it changes as the network learns. That does not shrink the quarter. For the same ε each step needs √100 = 10 times the noise, and 100 independent noises add up to 10 times the length of one: {ref}`100 times in all <networks-noise-in-mean>`. The signal of 100 steps is at most 100 times that of one, too.
#
# And people pull one way only at first. As a network comes near the truth, {ref}`its signal fades <networks-signal-fades>`, and the noise does not. A start near the truth has a shorter way to go, and a smaller question has less noise. So we compare three ways:
#
# * **From nothing**: a network with random weights, 417 numbers in each of 100 steps.
# * **From the public network**: the same, but it begins as the network that fits the simulator.
# * **One release**: the table, 45 numbers, once, and a straight line fitted to it. The simulator helps here, too: it has set the scales.

# %% tags=["remove-cell"]
sampling = 0.25                                                # about a quarter of the people in each step

def private(start, rate, n, s):
    options = dict(clip=0.1, sampling=sampling, steps=steps if full else 4, nominal_size=n, learning_rate=rate)
    made = dp_sgd(start, squared_error, records_of[n, s], epsilon=1.0, delta=1e-5, sample_rng=np.random.default_rng([s, 1]), noise_rng=np.random.default_rng([s, 2]), **options)
    return with_parameters(start, made.parameters)

def head(n, s):
    made = release_moments_once(records_of[n, s], features, clip=usual_length, epsilon=1.0, delta=1e-5, neighbours=ADD_OR_REMOVE_ONE, noise_rng=np.random.default_rng([s, 3]))
    return ridge_head(made, prior=public_weights)

scratch = [private(body_network(s), 0.02, n, s) for n, s in records_of]
from_public = [private(public_network, 0.01, n, s) for n, s in records_of]
heads = [head(n, s) for n, s in records_of]
without_noise = with_parameters(public_network, clipped_sgd_non_private(
    public_network, squared_error, records_of[300, seed], clip=0.1, sampling=sampling, steps=steps if full else 4, nominal_size=300, learning_rate=0.01, sample_rng=np.random.default_rng([seed, 1])))

def signal(network, n=300):
    """The share of people whose gradient is cut, and the length of their clipped sum / C."""
    def length(of, clip):
        return float(torch.cat([each.flatten() for each in clipped_sum(network, squared_error, of, clip).values()]).norm())
    return np.mean([length(records_of[n, seed].people(slice(i, i + 1)), 1e6) > 0.1 for i in range(n)]), length(records_of[n, seed], 0.1) / 0.1

if full:
    (cut_before, before), (cut_after, after) = signal(public_network), signal(without_noise)
    # the evidence has the shares that are cut as well
    assert cut_before > 0.9 and 245 < before < 255 and 0.78 < cut_after < 0.84 and after < 10, (cut_before, before, cut_after, after)

networks = [public_network, without_noise, *scratch, *from_public]
asked, answered = side_by_side([each.requires_grad_(False) for each in networks]), linear_model(features, np.array(heads))

def all_models(inputs):
    return torch.cat((asked(inputs[:len(networks)]), answered(inputs[len(networks):])))

first = plan(simulated_days(RANDOMISED), random_policies(1, np.random.default_rng(9103)), np.random.default_rng(9103), steps=150 if full else 2, people=32).policies
plans = len(networks) + len(heads)
planned = plan(dreamed_days(all_models), first.repeated(plans), np.random.default_rng(9302), steps=200 if full else 2, people=32).policies
fare = [evaluate(planned[i], CLINIC, living, np.random.default_rng(10_009_501)) for i in range(plans)]      # the people of the page before
passes = public_gate(planned)
no_record, no_noise = fare[0].risk, fare[1].risk
kinds = ("scratch", "public", "release")

def by_kind(values):
    """For each kind, an array of numbers of people by groups."""
    return dict(zip(kinds, np.array(values).reshape(3, len(numbers), groups)))

risk, lows, refused = by_kind([each.risk for each in fare[2:]]), by_kind([100 * each.below_70 for each in fare[2:]]), by_kind(~passes[2:])
good = {kind: (risk[kind] < no_record) & (lows[kind] <= 4) for kind in kinds}
counts = {kind: good[kind].sum(axis=1) for kind in kinds}
counted = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "all ten")
few_good, few_refused = good["public"][0], refused["public"][0]        # of the public network with 100 people
names = {"scratch": "from nothing", "public": "from the public network", "release": "one release"}
looks = {"scratch": (PALETTE[3], "s"), "public": (PALETTE[0], "o"), "release": (PALETTE[2], "^")}

# %% [markdown]
# Ten groups each of 100, 300 and 1,000 people go {ref}`all three ways <networks-three-ways>`. A plan is made in each model, and 2,000 new people live under it. It is {doc}`good <04_a_model_to_plan_in>` if its risk is below the 4.2 of the public policy, which was planned in the public network and asks no record, and its people are below 70 mg/dL for at most 4 % of the time.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **With 300 people, which way makes the most good plans of ten?**
#
# * from nothing, as it takes nothing from a simulator that is wrong
# * from the public network, as it has learned already
# * one release, as it has the least noise
# ```

# %% tags=["remove-cell"]
if full:
    assert counts["scratch"][0] <= 2 and 4 <= counts["scratch"][1] <= 8 and counts["scratch"][2] == 10, (risk["scratch"], lows["scratch"])
    assert abs(risk["scratch"][2].mean() - risk["public"][2].mean()) < 0.05 and 1.5 < lows["scratch"][2].mean() / lows["public"][2].mean() < 3
    assert 5 <= counts["public"][0] <= 8 and (counts["public"][1:] == 10).all(), (risk["public"], lows["public"])
    assert counts["public"][0] == 6 and abs(risk["public"][2].mean() - 3.02) < 0.01 and abs(risk["release"][2].mean() - 3.22) < 0.01 and abs(risk["release"][1].mean() - 4.25) < 0.05, risk      # the evidence quotes them
    assert counts["release"][0] < 7 and counts["release"][1] >= 8 and counts["release"][2] == 10, (risk["release"], lows["release"])
    timid = [each for each in fare[2:] if 13 < each.risk < 17]
    assert (lows['scratch'][1][~good['scratch'][1]] > 4).all() and len(timid) > 4 and few_refused[risk['public'][0].argmax()] and ((13 < risk['scratch'][0]) & (risk['scratch'][0] < 17)).sum() == 6 and max(each.insulin for each in timid) < 5, [(each.risk, each.insulin) for each in timid]
    assert 0.05 < risk["release"][2].mean() - risk["public"][2].mean() < 0.35, (risk["release"], risk["public"])

gated = {kind: [np.where(refused[kind][j], no_record, risk[kind][j]).mean() for j in range(3)] for kind in kinds}
if full:
    assert all(risk[kind][0].mean() > no_record for kind in kinds) and gated["public"][0] < no_record - 0.3 and min(gated["scratch"][0], gated["release"][0]) > no_record - 0.05 and (counts["public"][1], counts["scratch"][1], counts["release"][1]) == (10, 6, 9)


# %% tags=["remove-input"] mystnb={"image": {"alt": "Mean risk on a stretched axis, in columns for 100, 300 and 1,000 people, ten marks for each way. With 100 people the marks of all three ways spread widely, and most squares, networks from nothing, are far above the line of the public policy. With 300 people all dots, from the public network, lie below this line, most squares too, and one triangle, a release, is at 11. With 1,000 people squares and dots lie together at 3, and the triangles a little above. Plans whose people are too low for more than 4 percent of the time are hollow: some with 100 people, a few squares and the triangle at 11 with 300, and none with 1,000. Above each way stands how many of its ten plans are good: with 100 people 1, 6 and 4, with 300 people 6, 10 and 9, and with 1,000 people 10 each."}}
fig, ax = plt.subplots(figsize=(8, 3.7))
for kind in kinds:
    colour, shape = looks[kind]
    for j in range(len(numbers)):
        across, low = j + 0.29 * (kinds.index(kind) - 1) + np.linspace(-0.1, 0.1, groups), lows[kind][j] > 4
        ax.plot(across[~low], risk[kind][j][~low], shape, color=colour, ms=5, alpha=0.85, clip_on=False)
        ax.plot(across[low], risk[kind][j][low], shape, mec=colour, mfc="none", mew=1.4, ms=5, clip_on=False)
        ax.text(across.mean(), 21.5, str(counts[kind][j]), color=colour, weight="bold", ha="center", va="bottom")
for kind in kinds:
    ax.plot([], [], looks[kind][1], color=looks[kind][0], ms=6, label=names[kind])
ax.plot([], [], "o", mec="#4a5058", mfc="none", mew=1.4, ms=6, label="hollow: goes too low")
ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=4, frameon=False, handletextpad=0.2, columnspacing=1.4)
for edge in (0.5, 1.5):
    ax.axvline(edge, color="#767676", lw=0.6, alpha=0.5)
ax.axhline(no_record, color="#767676", ls=":", lw=1.5)
ax.text(-0.53, 21.5, "good plans\nof ten", color="#4a5058", ha="right", va="bottom", fontsize=9)
ax.text(2.53, no_record, "public\npolicy", color="#4a5058", va="center", fontsize=9)
ax.set_yscale("function", functions=(lambda x: np.log(np.maximum(x - 2.3, 1e-3)), lambda x: np.exp(x) + 2.3))
ax.set(xticks=range(3), xticklabels=[f"{n:,} people" for n in numbers], xlim=(-0.5, 2.5), ylim=(2.75, 20), yticks=(3, 3.5, 4, 5, 7, 10, 15), yticklabels=("3", "3.5", "4", "5", "7", "10", "15"),
       ylabel="mean risk, axis stretched", title="Three ways for few people\n")
ax.tick_params(axis="x", length=0)
ax.grid(False, axis="x");

# %% tags=["remove-input"]
md(f"**The answer.** From the public network: {counted[counts['public'][1]]} are good. One release makes {counted[counts['release'][1]]} good plans, and a start from nothing {counted[counts['scratch'][1]]}, as its bad plans let people go too low. The mean risk after the public start is {risk['public'][1].mean():.1f}: it begins closer. The tenth plan of one release is an overdose.\n\n"
   f"**With 1,000 people** all thirty plans are good. Both networks have a mean risk of {risk['public'][2].mean():.1f}, and one release has {risk['release'][2].mean():.1f}. Most of the difference is {{ref}}`the price of a straight line <networks-one-release>`.\n\n"
   f"**With 100 people** no way is reliable. Six plans from nothing stand at 15, as they give hardly any insulin. Here the {{ref}}`public gate <networks-gate>` of the page before may help. It lets each plan treat simulated people first, and where they fare badly, the clinic keeps the public policy, with its {no_record:.1f}:\n\n"
   f"| mean risk, 100 people | without the gate | with the gate |\n|---|---|---|\n"
   + "".join(f"| {names[kind]} | {risk[kind][0].mean():.1f} | {gated[kind][0]:.1f} |\n" for kind in kinds) +
   f"\nOnly after a public start the mean ends clearly below {no_record:.1f}. There the gate refuses {counted[few_refused[~few_good].sum()]} bad plans and {counted[few_refused[few_good].sum()]} good one, and one bad plan passes. From nothing it refuses nearly all plans, so that the public policy is left. Of one release it refuses only the two whose people go too low. On average these two had a lower risk than the public policy, so that the gate raises the mean, and it lets four bad plans pass. With 300 people the gate stops the overdose.\n\n"
   f"So a public start can stand in for people. The evidence has {{ref}}`other ε, and up to 10,000 people <networks-long-table>`, and for very few people {{ref}}`a release of only two numbers <networks-two-numbers>`.")

# %% tags=["remove-cell"]
linear = 3.16           # the evidence asserts it
if full:
    assert round(linear - risk["public"][2].mean(), 2) == 0.14 and round(risk["release"][2].mean() - linear, 2) == 0.06, risk

# %% tags=["remove-cell"]
all_risk, all_lows, all_refused = (np.stack([each[kind] for kind in kinds]) for each in (risk, lows, refused))
failed = (all_lows > 4) | (all_risk >= no_record)
passed = failed & ~all_refused
if full:
    assert all_risk[~all_refused].max() < 6.5 and passed.sum() <= 10 and passed.sum() < 0.3 * failed.sum() and all_refused[all_risk > 6.5].all() and all_refused[all_lows > 4].all(), (passed.sum(), all_risk[passed], all_lows[passed])
    assert passed[1, 0].sum() <= 2 and not passed[2, 1].any(), (all_risk[1, 0], all_refused[1, 0])
verdict = {kind: ["yes" if each >= 0.9 * groups else "with the gate" if each >= 0.5 * groups else "no" for each in counts[kind]] for kind in kinds}
if full:
    assert refused["scratch"][2].sum() == 1 and good["scratch"][2].all() and abs(gated["scratch"][2] - 3.13) < 0.03
    assert np.allclose([gated["public"][0], gated["public"][1], gated["public"][2], gated["release"][1], gated["release"][2]], (3.87, 3.23, 3.02, 3.57, 3.22), atol=0.03), gated      # page 8 quotes them
    assert round(risk["public"][0].mean(), 1) == 5.1 and round(risk["public"][0].max()) == 15      # the index has these
    out = refused["release"][0]
    assert refused['scratch'][0].sum() == 9 and passed[1, 0].sum() == 1 and out.sum() == 2 and risk["release"][0][out].mean() < no_record and (out == (lows["release"][0] > 4)).all() and out[risk["release"][0].argmin()] and passed[2, 0].sum() == 4 and gated["release"][0] > risk["release"][0].mean()
    mended = np.where(refused["release"][1], no_record, risk["release"][1])      # after the gate: no worse than no record, and more than 0.25 behind the network
    assert refused["release"][1].sum() == 1 and refused["release"][1][lows["release"][1].argmax()] and mended.max() <= no_record and gated["release"][1] > gated["public"][1] + 0.25
    recorded = {"scratch": [(11.35, 15.46, 2.8, 19.2, 9, 4.20), (3.80, 7.01, 3.6, 5.6, 4, 3.70), (3.00, 3.13, 1.6, 3.1, 1, 3.13)], "public": [(5.09, 15.45, 2.6, 7.5, 4, 3.87), (3.23, 3.71, 1.3, 2.5, 0, 3.23), (3.02, 3.13, 0.8, 1.0, 0, 3.02)],
                "release": [(4.34, 6.02, 1.5, 5.1, 2, 4.41), (4.25, 11.00, 4.9, 39.9, 1, 3.57), (3.22, 3.62, 0.9, 1.5, 0, 3.22)]}      # the evidence has this table
    for kind, rows in recorded.items():
        of = [(risk[kind][j].mean(), risk[kind][j].max(), lows[kind][j].mean(), lows[kind][j].max(), refused[kind][j].sum(), gated[kind][j]) for j in range(3)]
        assert np.allclose(of, rows, atol=0.06), (kind, of)
    assert (failed.sum(), (failed & all_refused).sum(), (all_refused & ~failed).sum()) == (24, 19, 2) and round(all_risk.max()) == 15 and round(no_record, 1) == 4.2 and round(no_noise, 1) == 3.0
    assert round(all_risk[~all_refused].max(), 1) == 6.0 and round(all_lows[~all_refused].max(), 1) == 3.3 and np.allclose([counts[kind] for kind in kinds], [[1, 6, 10], [6, 10, 10], [4, 9, 10]])
    assert verdict == {"scratch": ["no", "with the gate", "yes"], "public": ["with the gate", "yes", "yes"], "release": ["no", "yes", "yes"]}, counts

# %% tags=["remove-cell"]
if full:      # page 8 applies its rules to these, after the gate
    after_gate = {(kind, n): np.where(refused[kind][j], no_record, risk[kind][j]) for kind in ("release", "public") for j, n in enumerate(numbers)}
    assert np.allclose([after_gate[kind, n].max() for n in (1000, 300, 100) for kind in ("release", "public")], (3.62, 3.13, 4.23, 3.71, 6.02, 5.22), atol=0.03) and round(no_record, 2) == 4.23

# %% [markdown]
# ## Check yourself
#
# **A clinic with 200 people and no public simulator asks for a private network at ε = 1. What do you answer?**
#
# ```{dropdown} Train longer. With more steps the noise averages out.
# Four times as many steps make the noise of all four times as long, and the signal four times at most.
# ```
# ```{dropdown} Publish no plan. First build a simulator, or find a public start.
# ✓ Right. From nothing, even 300 people gave four bad plans of ten here, and without a simulator no gate can tell which.
# ```
# ```{dropdown} Take one release, which asks for the fewest numbers.
# A simulator set the scales of its table, and a public gate refused its overdose. This clinic has neither.
# ```
#
# ## To take away
#
# * The noise hides one person. In the mean of N people it falls like 1/N, so that a crowd teaches much and each person in it hardly shows.
# * With a public start fewer people are enough: 300 gave ten good plans of ten, where a start from nothing gave six. With 100 people each way had a higher mean risk than the public policy, and only the public start, with a gate, came clearly below it.
# * More steps do not improve the share of noise.
# * A public start may be wrong about your people, as the simulator is here. It helps if it is closer to them than a random start.
