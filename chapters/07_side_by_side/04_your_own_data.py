# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'From your own table of logged stays to a release with exact noise and a privacy statement to sign, in some twenty lines.'
# ---

# %% [markdown]
# # Your own data
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** You have a table of what happened to your patients, and you want to publish what a stay costs. How do you get
#   from the table to a statement that you can sign?
# * **The answer.** Make four decisions before you look, rehearse them on invented data, release once, and save the statement.
# * **What is protected.** One patient with at most three stays, in a table of 20,000 patients.
# * **What you need.** {doc}`03_decide`; a little pandas.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0            # the fraction of the full work
seed = 2025             # all randomness but that of the release comes from here
epsilon, delta = 1.0, 1e-7
n_patients = 20_000

# %% tags=["remove-cell"]
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.formatting import at_most
from privrl_core.pages import PALETTE, Exercise, close_to, use_theme
from privrl_core.policy_evaluation import dp_sufficient_statistics, first_visit_statistics
from privrl_core.privacy import (
    ADD_REMOVE_OR_REPLACE_ONE, DiscreteGaussianNoise, PrivacyStatement, Unit, gaussian_epsilon,
    belief_ceiling, gaussian_mu, privacy_statement, right_guess_ceiling, zcdp_epsilon)
from privrl_core.world import Episodes, FiniteMDP, sample_episodes

use_theme()
temporary = TemporaryDirectory()   # goes with the kernel: the notebook leaves nothing beside the book
folder = Path(temporary.name)
use_patients = n_patients if effort > 0.2 else 2_000

# %% [markdown]
# ## The table
#
# Most logs of decisions look like the one below: a CSV file with one row for each decision. A row says whose stay it is, on which day, where the
# patient was, what was done, what it cost and where the patient was the next day. The rows may stand in any order, and the names of
# columns, wards and treatments are yours. The column `cost` is a reward in euros, so what the hospital pays is negative.
#
# This log is invented, so that we may look at it as often as we like. The notebook of this page makes it. In a hurry, or without Python: {ref}`one command <one-command>` does all that follows.

# %% tags=["remove-cell"]
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world's, and that of the rehearsal
EMERGENCY, INTENSIVE, WARD, REHABILITATION, HOME = range(5)
next_ward = np.zeros((5, 2, 5))
next_ward[EMERGENCY] = [[0, 0.05, 0.35, 0, 0.6], [0, 0.4, 0.5, 0, 0.1]]          # watch, operate
next_ward[INTENSIVE] = [[0, 0.6, 0.35, 0, 0.05], [0, 0.5, 0.5, 0, 0]]
next_ward[WARD] = [[0, 0.02, 0.68, 0.1, 0.2], [0, 0.15, 0.65, 0.1, 0.1]]
next_ward[REHABILITATION] = [[0, 0, 0.02, 0.78, 0.2]] * 2
next_ward[HOME, :, HOME] = 1
costs = -np.array([[300, 4200], [1900, 4600], [550, 3900], [350, 350], [0, 0]])
hospital = FiniteMDP(next_ward, np.repeat(costs[:, :, None], 5, axis=2), 1.0, [1, 0, 0, 0, 0], np.arange(5) == HOME)

n_stays = rng.choice([1, 2, 3], use_patients, p=[0.7, 0.2, 0.1])   # of each patient
practice = np.array([[0.8, 0.2], [0.9, 0.1], [0.97, 0.03], [1, 0], [1, 0]])
made = sample_episodes(hospital, practice, n_stays.sum(), rng)
stay, day = np.nonzero(made.actions >= 0)
names = np.array(["emergency", "intensive care", "ward", "rehabilitation", "home"])
pd.DataFrame({
    "patient": np.repeat(np.arange(use_patients), n_stays)[stay] + 1000, "stay": [f"S{i:05d}" for i in stay], "day": day + 1,
    "ward": names[made.states[stay, day]], "treatment": np.array(["watch", "operate"])[made.actions[stay, day]],
    "cost": made.rewards[stay, day], "next_ward": names[made.states[stay, day + 1]],
}).to_csv(folder / "stays.csv", index=False)

# %%
log = pd.read_csv(folder / "stays.csv")
log.head(4)

# %% [markdown]
# We want to publish one number for each ward: what a stay costs on average from the first day in that ward until the patient goes home.
# The guide of {doc}`03_decide` ends at *sums, once*.
#
# ## Four decisions, before you look
#
# The hospital makes these decisions before anybody looks at a result. A bound that was chosen because it fits the data tells something about the data, and
# no noise is added to it.
#
# **1. Who is protected?** The mechanism protects one episode, here one stay. But people come back. To protect a *patient* you have to say how
# many stays a patient has at most: here three. The table has to keep to that. If a patient has more, keep three at random and drop the rest, before anything
# else. In Python you check this yourself, by `log.groupby("patient")["stay"].nunique().max()`; the command at the end does it for you.
#
# **2. How much can one stay add up to?** The noise has to hide the most expensive stay that could occur, not the most expensive one that did. A
# range of 0 to 30,000 euros means: a stay that costs more counts as 30,000. A narrow range needs little noise and cuts off the expensive
# stays; a wide range cuts off nothing and needs more noise.
#
# **3. How much may the release tell?** That is ε and δ: here ε = 1, and δ = 10⁻⁷. With 20,000 patients, δ should be at most a hundredth of 1/20,000, which is 5 · 10⁻⁷.
#
# **4. Which wards are in the list?** The list is published too, so it has to be taken from the signs on the doors and not from the log. A ward that is
# in the list only because one patient was there gives that patient away.

# %%
WARDS = ["emergency", "intensive care", "ward", "rehabilitation", "home"]
STAYS = 3               # at most, of one patient
COSTS = (-30_000, 0)    # euros that one stay may add up to

# %% [markdown]
# The core checks the table and names the row in which something is wrong: a day that is missing, a ward that is not in the list, a cost that is not
# a number, a stay that does not end at home.

# %%
stays = Episodes.from_frame(
    log, episode="stay", time="day", state="ward", action="treatment", reward="cost",
    next_state="next_ward", states=WARDS, ends=["home"])
statistics = first_visit_statistics(stays, len(WARDS), 1.0, return_range=COSTS)

# %% tags=["remove-input"]
assert log.groupby("patient")["stay"].nunique().max() == STAYS and np.isclose(0.01 / 20_000, 5e-7) and delta <= 5e-7
assert stays.state_labels == tuple(WARDS) and stays.labels_from_data == ("actions",)
md(f"That makes {len(stays):,} stays of {log['patient'].nunique():,} patients, with {len(log):,} decisions.")

# %% [markdown]
# ## Rehearse
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How much more noise does it take to protect a patient with three stays than to protect one stay?**
#
# * No more
# * √3 times as much
# * Three times as much
# ```
#
# **The answer.** Three times as much. A patient who is replaced takes three stays along, and in the worst case each of them changes the same sum in the same direction. Three stays move that sum three times as far, so the
# standard deviation of the noise is three times as large. √3 would be right if the three stays changed three different sums.
#
# A rehearsal is done on invented data like these, or on a log that is public, with noise from a seeded generator. It tells you whether the result will be of
# use, and it may be repeated until you are content. Never rehearse on the real log: each run would be one more release.

# %%
def of_one_stay(k):
    """The ε of one stay with which k stays together have ours."""
    return gaussian_epsilon(delta, gaussian_mu(epsilon, delta) / k)

rehearsals = {k: dp_sufficient_statistics(
    statistics, np.eye(len(WARDS)), return_range=COSTS,
    epsilon=of_one_stay(k), delta=delta, noise_rng=noise_rng)
    for k in (1, STAYS)}

# %% tags=["remove-input"]
# The numbers are those of seeded Gaussian noise. Exact noise cannot be drawn again, so that a page which printed it would be another one each time.
truth = -(COSTS[0] + statistics.return_sums / np.maximum(statistics.visits, 1))
again = np.random.default_rng(seed + 1)                # the noise once more, two hundred times: only on invented data
spread = {k: np.std([dp_sufficient_statistics(statistics, np.eye(len(WARDS)), return_range=COSTS, epsilon=of_one_stay(k), delta=delta, noise_rng=again).parameters
                     for _ in range(200)], axis=0) for k in rehearsals}
table = pd.DataFrame({"without noise, for our eyes only": [f"{x:,.0f}" for x in truth]} | {
    f"one {'stay' if k == 1 else f'patient with {k} stays'} protected": [f"{0 - x:,.0f} ± {s:,.0f}" for x, s in zip(one.parameters, spread[k])]
    for k, one in rehearsals.items()}, index=WARDS)
scale = {k: one.noise_scale for k, one in rehearsals.items()}
assert np.isclose(scale[STAYS], STAYS * scale[1])
table[:-1].style.set_caption("Mean cost from the first day in a ward on, in euros: a rehearsal. After ±, the standard deviation of the noise")

# %% tags=["remove-input"]
share = spread[STAYS][:-1] / truth[:-1]
assert share[REHABILITATION] == share.max() and share.max() > 3 * np.sort(share)[-2] / 2 or effort < 1
md(f"To protect a patient, the noise has to be {scale[STAYS] / scale[1]:.0f} times as large as for a stay. A single draw may still fall nearer to the truth, so judge by the standard deviation. It is small beside the mean for the first three wards. "
   f"For rehabilitation, where few patients come, it is {100 * share[REHABILITATION]:.0f} % of the mean. If that is too much, there are three remedies: a narrower range, fewer wards, or more "
   "patients. Another seed is not a remedy.\n\n"
   "How narrow may the range be? This too is rehearsed on invented data:")

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two errors of the mean cost from intensive care on, against the largest cost that counts. What is cut off falls steeply, from thousands of euros at 5,000 to nearly nothing at 40,000. The noise for a patient with three stays rises in proportion to the range. They cross between 20,000 and 30,000."}}
here = made.states == INTENSIVE
reached = here.any(axis=1)
first_day = here.argmax(axis=1)
paid = -np.array([rewards[start:].sum() for rewards, start in zip(made.rewards[reached], first_day[reached])])
widths = np.geomspace(5_000, 100_000, 60)
cut_off = np.array([np.maximum(paid - width, 0).mean() for width in widths])
noise = spread[STAYS][INTENSIVE] * widths / -COSTS[0]
fig, ax = plt.subplots(figsize=(7.4, 3.0))
ax.plot(widths, cut_off, color=PALETTE[1])
ax.plot(widths, noise, color=PALETTE[0])
ax.axvline(-COSTS[0], color="#8a929c", ls=":", lw=1.2)
ax.set(xscale="log", yscale="log", ylim=(1, 5e3), xlabel="largest cost of a stay that counts, in euros", ylabel="error of the mean, in euros",
       title="A narrow range cuts off, a wide range needs noise")
ax.text(5_100, 900, "cut off", color=PALETTE[1], weight="bold", size=9.5)
ax.text(80_000, 1.35 * noise[-6], "noise", color=PALETTE[0], weight="bold", ha="right", size=9.5)
ax.text(31_000, 2_500, "our range", color="#4a5058", size=9.5)
ax.set_xticks([5_000, 10_000, 30_000, 100_000], ["5,000", "10,000", "30,000", "100,000"])
ax.minorticks_off()

# %% tags=["remove-input"]
at_ours = np.maximum(paid + COSTS[0], 0).mean()
md(f"From intensive care on, our range cuts off {at_ours:,.0f} euros of the mean, and its noise has a standard deviation of {spread[STAYS][INTENSIVE]:,.0f}.")

# %% [markdown]
# ## Release, and sign
#
# For real patients the noise is drawn exactly, from the randomness of the operating system, so that nobody can draw it again: `DiscreteGaussianNoise`
# in place of a generator. It has no μ but a budget ρ, which plays the part of $\mu^2/2$. So k stays together have k² times the ρ of one, and the first line divides by
# `STAYS**2`. The line `promise` says whom the release protects, one stay, and `group` makes a promise for three of it.

# %%
budget = DiscreteGaussianNoise.of_epsilon(epsilon, delta).rho / STAYS**2
release = dp_sufficient_statistics(
    statistics, np.eye(len(WARDS)), return_range=COSTS, noise=DiscreteGaussianNoise,
    noise_rng=None, epsilon=zcdp_epsilon(budget, delta), delta=delta)
promise = replace(release.under(ADD_REMOVE_OR_REPLACE_ONE),
                  unit=Unit("one stay", "stays")).group(STAYS)
statement = privacy_statement(promise.about("St Mary's, 2024"), released=(
    "For each ward, once: how many stays pass through it, and the sum and the "
    "mean of their costs from there on, at most 30,000 euros each."))
(folder / "release.json").write_text(release.to_json())
(folder / "statement.json").write_text(statement.to_json())
(folder / "letter.txt").write_text(str(statement));

# %% [markdown]
# That is all: some twenty lines of code from the data frame to the saved statement. `release.json` holds the published numbers, the scale of the
# noise and the guarantee for one stay. `statement.json` holds the promise for a patient in a form that a computer can check and add to other promises, and
# `letter.txt` is the same for people. Nothing else may leave the house: not `statistics`, and not a second release.
#
# We do not print the released numbers, since they would be others whenever this page is made. The letter holds no noise. Here it is, with its long lists folded; *features* and
# *return_bound* in them are our list of wards and our range:

# %% tags=["remove-input"]
md("````{admonition} Privacy statement\n\n" + statement.folded() + "\n````")

# %% tags=["remove-input"]
signed, rho = statement.guarantee, statement.guarantee.rho
any_release = [f"{np.ceil(1000 * share) / 10:.1f}" for share in (right_guess_ceiling(signed), belief_ceiling(signed)[0])]
of_rho = [f"{np.ceil(1000 * share) / 10:.1f}" for share in (0.5 + np.sqrt(rho / 2) / 2, 1 / (1 + np.exp(-rho - 2 * np.sqrt(rho * np.log(1 / (2 * delta))))))]
assert signed.mu is None and any_release == ["73.2", "84.5"] and all(share in str(statement) for share in any_release) and of_rho == ["55.1", "75.7"], (any_release, of_rho)
md(f"**Why {any_release[0]} here, and 54.3 in {{doc}}`03_decide`, at the same ε and δ?** That letter knows μ. Exact noise is not quite Gaussian, so it has no μ, and the package takes what ε and δ allow *any* release: {any_release[0]} times in 100, "
   f"and {any_release[1]} % sure. These ceilings are on the safe side. By its ρ = {at_most(rho)} this release {{ref}}`allows no more <statement-rho>` than {of_rho[0]} times in 100 and {of_rho[1]} %, so your patients are protected about as well as there.")

# %% tags=["remove-input"]
assert np.isclose(statement.guarantee.epsilon, epsilon) and statement.guarantee.unit.records == STAYS
assert PrivacyStatement.from_json((folder / "statement.json").read_text()) == statement
assert release.state_labels.tolist() == WARDS

# %% [markdown]
# (one-command)=
# ## The same without Python
#
# The command line asks for the same decisions. It takes exact noise by itself, checks that no patient has more stays than you say, and writes the release, the
# statement and the letter, which is called `statement.md` here, into a new folder: all three or none. A Parquet file will do as well, where the package `pyarrow` is installed.
#
# ```console
# $ python -m privrl_core release stays.csv --into published
#     --episode stay --time day --state ward --action treatment
#     --reward cost --next-state next_ward --ends home --patient patient
#     --states "emergency,intensive care,ward,rehabilitation,home"
#     --return-range -30000 0 --unit stay --stays-per-patient 3
#     --epsilon 1 --delta 1e-7 --about "St Mary's, 2024"
# ```

# %% tags=["remove-cell"]
command = """
python -m privrl_core release stays.csv --into published
    --episode stay --time day --state ward --action treatment
    --reward cost --next-state next_ward --ends home --patient patient
    --states "emergency,intensive care,ward,rehabilitation,home"
    --return-range -30000 0 --unit stay --stays-per-patient 3
    --epsilon 1 --delta 1e-7 --about "St Mary's, 2024"
"""

# %% tags=["remove-input"]
def in_a_terminal(command):
    words = [sys.executable, *shlex.split(command)[1:]]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    print(fill(done.stdout + done.stderr, 84))

in_a_terminal(command)

# %% tags=["remove-input"]
published = sorted(path.name for path in (folder / "published").iterdir())
assert published == ["release.json", "statement.json", "statement.md"]
by_command = PrivacyStatement.from_json((folder / "published" / "statement.json").read_text())
assert np.isclose(by_command.guarantee.rho, statement.guarantee.rho)
md("It made the same promise, with other noise. It is a second release of the same stays, which we may afford because they are invented.")

# %% [markdown]
# If a table is wrong, the command says so in one sentence, which names the line, and writes nothing. In the first example the file was cut off while it was
# copied. In the second, the row of the last day of a stay is missing, so that the stay seems to end in a ward and not at home. Such a sentence shows what is in the table, so keep it as secret as the table:

# %% tags=["remove-input"]
text = (folder / "stays.csv").read_text()
(folder / "cut.csv").write_text(text[:-10])
in_a_terminal(command.replace("stays.csv", "cut.csv").replace("published", "again"))

lines = text.splitlines(keepends=True)
second = next(i for i, line in enumerate(lines) if ",2,ward," in line)
(folder / "gap.csv").write_text("".join(lines[:second] + lines[second + 1:]))
in_a_terminal(command.replace("stays.csv", "gap.csv").replace("published", "again"))

# %% tags=["remove-input"]
assert not (folder / "again").exists()

# %% [markdown]
# ## Exercise
#
# ```{exercise} Five stays
# :label: ex-five-stays
# A colleague finds out that the hospital cannot rule out five stays of one patient. The release is out, made for three. Which ε can she sign for a patient with five stays, at
# the same δ, if the noise was Gaussian? `gaussian_mu` and `gaussian_epsilon` are at hand; the notebook of this page checks your answer.
# ```

# %% tags=["remove-cell"]
your_epsilon = ...

# %% tags=["remove-cell"]
Exercise(is_right=close_to(gaussian_epsilon(delta, gaussian_mu(epsilon, delta) * 5 / 3), 0.02),
         hint="μ grows in proportion to the number of stays: take that of three stays, times 5/3, and go back to an ε.").check(your_epsilon)

# %% [markdown]
# ```{solution} ex-five-stays
# :class: dropdown
# `gaussian_epsilon(delta, gaussian_mu(epsilon, delta) * 5 / 3)`, which is 1.73. In the core, `group(5)` of the guarantee for one stay gives it.
# ```
#
# ## To take away
#
# * **Decide before you look**: who is protected, the range of returns, ε and δ, and the list of labels.
# * **A patient with k stays takes k times the noise** of a stay. Say in the letter whether you protect a patient or a stay.
# * **Rehearse on invented data, release once**, with exact noise.
# * **Costs are fine**: a range may be negative, and its width alone decides on the noise.
# * **What leaves the house is the release and the statement**, and nothing that was made on the way.
