# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'From your own table of logged stays to a release with exact noise and a privacy statement to sign, by one command or in twenty lines of Python.'
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
import dataclasses
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.formatting import at_most, show
from privrl_core.pages import PALETTE, Exercise, close_to, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, quadrature
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
# columns, wards and treatments are yours. The column `cost` is a reward in euros, so what the hospital pays is negative; our tables and pictures show costs as positive numbers.
#
# This log is invented, so that we may look at it as often as we like. It has 28,163 stays of 20,000 patients. In a real log, these exact numbers would be protected too.

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
# We want to publish for each ward what a stay costs on average, from the first day in that ward until the patient goes home. A mean is a sum over a count, and both are released with noise.
# The guide of {doc}`03_decide` ends at *sums, once*.
#
# ## Four decisions
#
# No noise is added to what the hospital decides.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# A stay that costs more than some largest cost will count as that cost, and the letter will name it. **Which of these choices gives a patient away?**
#
# * 30,000, by the estimate of a doctor from another hospital
# * the largest cost in the log
# * 30,000, by a trial on invented data
# ```

# %% tags=["remove-input"]
dearest = int(-log.groupby("stay")["cost"].sum().min())
assert dearest > 30_000 and dearest == 41_650 or effort < 1
md(f"**The answer.** The largest cost in the log. Here it would be {dearest:,} euros, and every reader of the letter would know that a patient with exactly this bill was there. The other two choices look at nobody's record here. So decide before anybody looks at the log.")

# %% [markdown]
# **1. Who is protected?** The mechanism protects one episode, here one stay. But people come back. To protect a *patient* you have to say how
# many stays a patient has at most: here three. The table has to keep to that. If a patient has more, keep three at random and drop the rest, before anything
# else.
#
# **2. How much can one stay add up to?** The noise has to hide the most expensive stay that could occur, and not only the most expensive one that did. A
# range of 0 to 30,000 euros means: a stay that costs more counts as 30,000.
#
# **3. How much may the release tell?** That is ε and δ: here ε = 1, and δ = 10⁻⁷. It is publicly known that the hospital has about 20,000 patients a year, and δ should be at most a hundredth of 1/20,000, which is 5 · 10⁻⁷.
#
# **4. Which wards are in the list?** Here four, and *home*, where a stay ends and costs nothing more. The list is published too, so it has to be taken from the signs on the doors and not from the log. A ward that is
# in the list only because one patient was there gives that patient away.

# %%
WARDS = ["emergency", "intensive care", "ward", "rehabilitation", "home"]
STAYS = 3               # at most, of one patient
COSTS = (-30_000, 0)    # the rewards of one stay: costs are negative

# %% tags=["remove-cell"]
stays = Episodes.from_frame(
    log, episode="stay", time="day", state="ward", action="treatment", reward="cost",
    next_state="next_ward", states=WARDS, ends=["home"])
statistics = first_visit_statistics(stays, len(WARDS), 1.0, return_range=COSTS)

# %% tags=["remove-cell"]
assert log.groupby("patient")["stay"].nunique().max() == STAYS and np.isclose(0.01 / 20_000, 5e-7) and delta <= 5e-7
assert stays.state_labels == tuple(WARDS) and stays.labels_from_data == ("actions",)
assert (len(stays), log["patient"].nunique()) == (28_163, 20_000) or effort < 1

# %% [markdown]
# ## Rehearse
#
# Will the result be of use? Rehearse it: release from invented data like these, or from a public log, with noise from a seeded generator, as often as you like. Never rehearse on the real log: each run would be one more release.
# We rehearse twice: once for one stay, and once for a patient with up to three.

# %% tags=["remove-cell"]
one_value_each = np.eye(len(WARDS))    # a value for each ward

def of_one_stay(k):
    """The ε of one stay with which k stays together have ours."""
    return gaussian_epsilon(delta, gaussian_mu(epsilon, delta) / k)

rehearsals = {k: dp_sufficient_statistics(
    statistics, one_value_each, return_range=COSTS,
    epsilon=of_one_stay(k), delta=delta, noise_rng=noise_rng)
    for k in (1, STAYS)}

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# **How much more noise does it take to protect a patient with up to three stays than to protect one stay?**
#
# * No more
# * √3 times as much
# * Three times as much
# ```

# %% tags=["remove-cell"]
# The numbers are those of seeded Gaussian noise. Exact noise cannot be drawn again, so that a page which printed it would be another one each time.
truth = -(COSTS[0] + statistics.return_sums / np.maximum(statistics.visits, 1))
scale = {k: one.noise_scale for k, one in rehearsals.items()}

def deviation(width, mean, visits, sigma):
    """The standard deviation of a noisy mean, whose count and sum have correlated noise: to first order in sigma over visits."""
    share = mean / width
    return width * sigma * np.sqrt(4 / 3 * (1 - share + share**2)) / visits

spread = {k: deviation(-COSTS[0], truth, np.maximum(statistics.visits, 1), sigma) for k, sigma in scale.items()}
again = np.random.default_rng(seed + 1)                # the noise once more, two thousand times: only on invented data
for k in rehearsals:
    drawn = np.std([dp_sufficient_statistics(statistics, one_value_each, return_range=COSTS, epsilon=of_one_stay(k), delta=delta, noise_rng=again).parameters
                    for _ in range(2_000)], axis=0)
    assert np.allclose(drawn[:HOME], spread[k][:HOME], rtol=0.07) or effort < 1
table = pd.DataFrame({"without noise, for our eyes only": [f"{x:,.0f}" for x in truth]} | {
    f"one {'stay' if k == 1 else f'patient with up to {k} stays'} protected": [f"{0 - x:,.0f} ± {s:,.0f}" for x, s in zip(one.parameters, spread[k])]
    for k, one in rehearsals.items()}, index=WARDS)
assert np.isclose(scale[STAYS], STAYS * scale[1])
shown = table[:-1].style.set_caption("Mean cost from the first day in a ward on, in euros: a rehearsal. After ±, the standard deviation of the noise")

# %% tags=["remove-input"]
share = spread[STAYS][:-1] / truth[:-1]
assert share[REHABILITATION] == share.max() and share.max() > 3 * np.sort(share)[-2] / 2 or effort < 1
assert np.allclose(spread[STAYS], STAYS * spread[1])
md("**The answer.** Three times as much. A patient who is replaced takes three stays along, and in the worst case each of them changes the same sum in the same direction. Three stays move that sum three times as far, so the "
   "standard deviation of the noise is three times as large. √3 would be right if the three stays changed three different sums.\n\n<div class='pst-scrollable-table-container' style='margin-bottom: 1.4rem'>" + shown.to_html() + "</div>\n\n"
   f"For rehabilitation, where few patients come and a day costs little, the noise is {100 * share[REHABILITATION]:.0f}\u00a0% of the mean. If that is too much, there are three remedies: more patients, a narrower range, or fewer wards, "
   "since one stay may pass through all of them. Another seed is not a remedy.")

# %% [markdown]
# ### Explore: how narrow a range?
#
# A mean is wrong by what the range cuts off and by the noise. On an invented log both can be seen.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# From the first day in rehabilitation on, a stay costs about 1,900 euros on average, about one stay in ten costs more than 4,200, and one in a hundred more than 10,400. The noise of a range up to 30,000 euros has a standard deviation of 230 euros if a patient with up to three stays is protected, and that of a narrower range is narrower in proportion. **Up to which cost should a stay count, so that the published mean of rehabilitation is nearest to the truth?** Choose, then move the range.
#
# * About 5,000 euros
# * About 10,000 euros
# * About 25,000 euros
# ```

# %% tags=["remove-input"]
widths = Slider("width", "largest cost that counts, in euros", 5_000, 41_000, 30_000, points=73, steps=72, scale="linear", low_end="narrow", high_end="wide")
ward_choice = Choice("ward", "published for", tuple(WARDS[:-1]), "rehabilitation", low_end="first ward", high_end="last ward")
whom = Choice("whom", "protected", ("one stay", "a patient with up to 3 stays"), "a patient with up to 3 stays", low_end="less noise", high_end="more noise")

def paid(ward):
    """What each stay costs from its first day in this ward on."""
    return np.array([-rewards[days.argmax():].sum() for rewards, days in zip(made.rewards, made.states == ward) if days.any()])

def beyond(ward):
    """What each range cuts off the mean cost from this ward on."""
    return np.maximum(np.subtract.outer(paid(ward), widths.grid), 0).mean(axis=0)

cut_off = np.array([beyond(ward) for ward in range(HOME)])
in_full = truth[:HOME] + [cut[np.abs(widths.grid + COSTS[0]).argmin()] for cut in cut_off]        # nothing cut off
noise = np.array([[deviation(widths.grid, in_full[ward] - cut_off[ward], statistics.visits[ward], scale[k]) for k in (1, STAYS)] for ward in range(HOME)])
cut, noisy = Table((ward_choice, widths), np.maximum(cut_off, 0.01)), Table((ward_choice, whom, widths), noise)
whole = quadrature(cut, noisy)
explore(
    name="range_of_costs", sliders=[widths, ward_choice, whom], x=widths, y=Axis("error", "error of the mean, in euros", 1, 5e3),
    curves=[Curve("both together", whole), Curve("cut off", cut), Curve("noise", noisy)],
    readouts=[Readout("all", "error in all, euros", whole), Readout("cut", "cut off", cut), Readout("noise", "noise, one standard deviation", noisy)],
    guarantee=f"(ε = {show(epsilon)}, δ = {show(delta)})-differential privacy for {{whom}} (add, remove or replace one), proved. The range changes the noise and not the promise.",
    alt="Error of the mean cost from {ward} on, against the largest cost that counts. What is cut off falls, the noise rises nearly in proportion to the range. At {width} euros, with {whom} protected: {cut} cut off, noise of {noise}, {all} in all.",
    caption="A rehearsal on the invented log. Together: the root of the sum of squares. Less than a cent is shown as a cent.")

# %% tags=["remove-input"]
in_all = np.hypot(cut_off[:, None], noise)
best_width = widths.grid[in_all.argmin(axis=2)]
at_ours = np.hypot(beyond(INTENSIVE)[np.abs(widths.grid + COSTS[0]).argmin()], spread[STAYS][INTENSIVE])
assert beyond(INTENSIVE)[np.abs(widths.grid - 10_000).argmin()] > 1_000 or effort < 1
assert {10_000, 25_000, -COSTS[0]} <= set(widths.grid.round()) and 22_000 < best_width[INTENSIVE, 1] < 28_000 and 8_000 < best_width[REHABILITATION, 1] < 13_000 or effort < 1
assert (round(truth[REHABILITATION], -2), round(np.quantile(paid(REHABILITATION), 0.99), -2), round(spread[STAYS][REHABILITATION], -1)) == (1_900, 10_400, 230) and 0.08 < (paid(REHABILITATION) > 4_200).mean() < 0.12 or effort < 1
narrow, wide = (np.abs(widths.grid - width).argmin() for width in (5_000, 25_000))
assert cut_off[REHABILITATION, narrow] > 4 * noise[REHABILITATION, 1, narrow] and noise[REHABILITATION, 1, wide] > 4 * cut_off[REHABILITATION, wide] or effort < 1
md(f"**What you should see.** About 10,000 euros. The least error, {in_all[REHABILITATION, 1].min():,.0f}, is at {best_width[REHABILITATION, 1]:,.0f}. With 5,000 the error is {in_all[REHABILITATION, 1, narrow]:,.0f}, most of it cut off, and with 25,000 it is {in_all[REHABILITATION, 1, wide]:,.0f}, most of it noise. "
   f"But a release has one range for all its wards, and with 10,000 the mean of intensive care would be too small by more than a thousand euros. Nothing in the release would show it. Intensive care does best with {round(best_width[INTENSIVE, 1], -3):,.0f}, and an error of {in_all[INTENSIVE, 1].min():,.0f}. Our 30,000 is a little wider, with an error of {at_ours:,.0f}, since real patients may cost more than invented ones.")

# %% [markdown]
# ## Release, and sign
#
# For real patients the noise is *exact*: whole numbers from a discrete Gaussian distribution, because the last digits of rounded noise can betray the true sum. They come from the randomness of the operating system, so that nobody can draw them again. So each release draws other noise, and we kept the numbers of one run. The picture shows what the hospital would publish, and, since the log is invented, also what it hides:

# %% tags=["remove-cell"]
command = """
python -m privrl_core release stays.csv --into published
    --episode stay --time day --state ward --action treatment
    --reward cost --next-state next_ward --ends home --patient patient
    --states "emergency,intensive care,ward,rehabilitation,home"
    --return-range -30000 0 --unit stay --stays-per-patient 3
    --epsilon 1 --delta 1e-7 --about "St Mary's, 2024"
"""

def in_a_terminal(command):
    words = [sys.executable, *shlex.split(command)[1:]]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    return fill(done.stdout + done.stderr, 84)

answered = in_a_terminal(command)

# %% tags=["remove-input"] mystnb={"image": {"alt": "The published mean cost of four wards with bars of one standard deviation of the noise, and the means without noise beside them. The bars are narrow for emergency and ward, and about 240 euros to each side for intensive care and rehabilitation. Every mean without noise lies in its bar or close to it."}}
kept = np.array([3_352, 8_229, 3_301, 2_167])          # euros, from the release.json of one run with 20,000 patients
exact = spread[STAYS] * gaussian_mu(epsilon, delta) / np.sqrt(2 * DiscreteGaussianNoise.of_epsilon(epsilon, delta).rho)      # a little wider than in the rehearsal
assert (np.abs(kept - truth[:-1]) < 3 * exact[:-1]).all() and 1.05 < exact[0] / spread[STAYS][0] < 1.08 or effort < 1
fig, ax = plt.subplots(figsize=(7.4, 2.5))
ax.errorbar(kept, range(HOME), xerr=exact[:-1], fmt="o", color=PALETTE[0], ms=8, capsize=4, lw=2)
ax.plot(truth[:-1], range(HOME), "|", color=PALETTE[1], ms=18, mew=2.5)
for y, (mean, scatter) in enumerate(zip(kept, exact)):
    ax.text(mean + scatter + 150, y, f"{mean:,} ± {scatter:,.0f}", color=PALETTE[0], size=9.5, va="center")
ax.text(truth[1], 1.6, "without noise", color=PALETTE[1], size=9.5, ha="center", va="center")
ax.set(xlim=(0, 10_400), ylim=(3.5, -0.5), yticks=range(HOME), yticklabels=WARDS[:-1], xlabel="mean cost from the first day in the ward on, in euros", title="What the hospital publishes, from one run")
ax.grid(False, axis="y")
ax.tick_params(axis="y", length=0)
ax.set_xticks([0, 2_000, 4_000, 6_000, 8_000, 10_000], ["0", "2,000", "4,000", "6,000", "8,000", "10,000"])
ax.minorticks_off()

# %% [markdown]
# The bars are one standard deviation of the noise. It is 6 % wider than in the rehearsal: the promise of exact noise is proved by way of a number called ρ, and a little is lost when ρ is turned into ε. The letter holds no noise: it is the same for all runs.

# %% tags=["remove-input"]
published = sorted(path.name for path in (folder / "published").iterdir())
assert published == ["release.json", "statement.json", "statement.md"]
by_command = PrivacyStatement.from_json((folder / "published" / "statement.json").read_text())
signed, rho = by_command.guarantee, by_command.guarantee.rho
any_release = [f"{np.ceil(1000 * share) / 10:.1f}" for share in (right_guess_ceiling(signed), belief_ceiling(signed)[0])]
of_rho = [f"{np.ceil(1000 * share) / 10:.1f}" for share in (0.5 + np.sqrt(rho / 2) / 2, 1 / (1 + np.exp(-rho - 2 * np.sqrt(rho * np.log(1 / (2 * delta))))))]
assert np.sqrt(2 * rho) < gaussian_mu(1.0, delta)                 # wider noise: less moves in its units
assert signed.mu is None and any_release == ["73.2", "84.5"] and all(share in str(by_command) for share in any_release) and of_rho == ["55.1", "75.7"], (any_release, of_rho)
assert "floating-point" not in str(by_command)
assert round(100 * (np.sqrt(2 * rho) / gaussian_mu(1.0, delta)) ** -1 - 100) == 6
md(f"**To a patient** you can say: *Somebody who knows all other stays, and holds two versions of yours for equally likely, guesses the right one at most {of_rho[0]} times in 100, instead of 50.* It holds for up to three stays of yours together. This follows from ρ = {at_most(rho)} [{{ref}}`proved <statement-rho>`]. The letter says {any_release[0]} times, which is true as well but larger, since the package computes it from ε and δ alone.")

# %% tags=["remove-input"]
words = {"features": "are our list of wards", "weights": "are equal for all wards", "return_bound": "is our range of costs", "returns": "are costs with a minus sign"}
assert all(word in str(by_command) for word in words)
each_stay = f"{by_command.guarantee.rho / STAYS**2:.6f}"
assert f"ρ = {each_stay}, each" in by_command.folded() and "zCDP" in by_command.folded()
md("````{dropdown} The letter: privacy statement\n" + by_command.folded() + "\n\nIn these lists, " + ", ".join(f"*{word}* {meaning}" for word, meaning in words.items())
   + f". ρ = {each_stay} is that of *each* stay, and three at once have 3² times as much. *zCDP* is the promise that ρ measures.\n````")

# %% [markdown]
# (one-command)=
# ### One command
#
# The release was made by one command. It asks for the four decisions, checks that no patient has more stays than you say, and writes the release and the letter. It needs OpenDP, which comes with a hand-out and with `make env`. `--unit stay` is the name of an episode; with `--stays-per-patient 3` the promise is for a patient.
#
# ```console
# $ python -m privrl_core release stays.csv --into published
#     --episode stay --time day --state ward --action treatment
#     --reward cost --next-state next_ward --ends home --patient patient
#     --states "emergency,intensive care,ward,rehabilitation,home"
#     --return-range -30000 0 --unit stay --stays-per-patient 3
#     --epsilon 1 --delta 1e-7 --about "St Mary's, 2024"
# ```

# %% tags=["remove-input"]
print(answered)

# %% [markdown]
# `release.json` holds the published numbers, `statement.md` is the letter to sign, and `statement.json` is the same for computers. All three are written or none, and nothing else may leave the house.

# %% tags=["remove-input"]
text = (folder / "stays.csv").read_text()
(folder / "cut.csv").write_text(text[:-10])

lines = text.splitlines(keepends=True)
second = next(i for i, line in enumerate(lines) if ",2,ward," in line)
(folder / "gap.csv").write_text("".join(lines[:second] + lines[second + 1:]))
wrong = "\n\n".join(in_a_terminal(command.replace("stays.csv", file).replace("published", "again")) for file in ("cut.csv", "gap.csv"))
assert "the file may have been cut; nothing was written" in wrong.replace("\n", " ") and wrong.count("nothing was written") == 2
md("````{dropdown} If the table is wrong\nThe command names the line and writes nothing. Two examples are a file that was cut off while it was copied, and one in which the last day of a stay is missing. "
   "Such a sentence shows what is in the table, so keep it as secret as the table.\n\n```text\n" + wrong + "\n```\n````")

# %% tags=["remove-cell"]
assert not (folder / "again").exists()

# %% [markdown]
# ### The same in Python
#
# The same release can be built into a program of your own. The noise that hides the replacement of a stay also hides that one is added or removed, since this moves the sums no further. So the letter promises all three. A rehearsal on invented data leaves out `noise=` and takes a seeded generator as `noise_rng`. The program makes a second release of the same stays; only invented ones can afford it. `WARDS`, `STAYS`, `COSTS`, `epsilon` and `delta` are the four decisions.

# %% tags=["hide-input"]
# read the table; the core names the row in which something is wrong
stays = Episodes.from_frame(
    log, episode="stay", time="day", state="ward", action="treatment", reward="cost",
    next_state="next_ward", states=WARDS, ends=["home"])

# a patient may have three stays, which the command checks for you
assert log.groupby("patient")["stay"].nunique().max() <= STAYS

# counts and sums of each ward, with every stay cut off at 30,000 euros
statistics = first_visit_statistics(stays, len(WARDS), 1.0, return_range=COSTS)

# k stays together have k² times the ρ of one
budget = DiscreteGaussianNoise.of_epsilon(epsilon, delta).rho / STAYS**2

# exact noise, from the operating system: no generator
release = dp_sufficient_statistics(
    statistics, np.eye(len(WARDS)), return_range=COSTS, noise=DiscreteGaussianNoise,
    noise_rng=None, epsilon=zcdp_epsilon(budget, delta), delta=delta)

# the promise for one stay that is added, removed or replaced
one_stay = dataclasses.replace(
    release.under(ADD_REMOVE_OR_REPLACE_ONE), unit=Unit("one stay", "stays"))

# the promise for a patient, and the letter
statement = privacy_statement(one_stay.group(STAYS).about("St Mary's, 2024"), released=(
    "For each ward, once: how many stays pass through it, and the sum and the "
    "mean of their costs from there on, at most 30,000 euros each."))

(folder / "release.json").write_text(release.to_json())
(folder / "statement.json").write_text(statement.to_json())
(folder / "statement.md").write_text(str(statement));

# %% tags=["remove-cell"]
assert np.isclose(statement.guarantee.epsilon, epsilon) and statement.guarantee.unit.records == STAYS
assert PrivacyStatement.from_json((folder / "statement.json").read_text()) == statement
assert release.state_labels.tolist() == WARDS and np.allclose(exact, spread[STAYS] * release.noise_scale / scale[STAYS])
assert np.isclose(by_command.guarantee.rho, statement.guarantee.rho)
assert all(one.under(ADD_REMOVE_OR_REPLACE_ONE).epsilon == one.guarantee.epsilon for one in rehearsals.values())

# %% [markdown]
# ```{exercise} Five stays
# :label: ex-five-stays
# The release is out, made for up to three stays, when the hospital finds that it cannot rule out five. More noise is no longer possible. Which ε can it sign for a patient with five stays, at
# the same δ, if the noise was Gaussian? `gaussian_mu` and `gaussian_epsilon` of `privrl_core.privacy` compute it.
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
# * **What leaves the house is the release and the statement**, and nothing that was made on the way.
