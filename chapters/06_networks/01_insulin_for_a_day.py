# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Dose a person for a day: what a pump already knows, the one function that only records can teach, and a simulator that is wrong.'
# ---

# %% [markdown]
# # Insulin for a day
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A clinic wants to dose its patients better, and has the records of their days. What does it have to learn from them, and what does it know without them?
# * **The answer.** Meals, doses, how both are absorbed, and what a good day is are known. One function is not: how the glucose of *these* people answers. The simulator that everybody has is wrong about it.
# * **What is protected.** One person's day. On this page nothing is released yet.
# * **What you need.** Nothing about diabetes. What a {doc}`policy </chapters/01_foundations/01_reinforcement_learning>` is.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9610         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md

from privrl_core.networks import CLINIC, DAY, PUBLIC, UNITS, Cohort, cohort, evaluate, glucose_of, kovatchev_risk, live, logged_days, practice, seen_next
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore

torch.set_num_threads(1)
use_theme()
people = max(400, round(4_000 * effort))

# %% [markdown]
# ## You dose a person
#
# *Glucose* is the sugar in the blood. Every meal raises it, and *insulin*, a hormone, lowers it again. The bodies of people with type 1 diabetes make no insulin, so a pump gives it to them. Between 70 and 180 mg/dL a person is well, and this is
# called *in range*. Below 70 the brain runs short of sugar, and within an hour this can be dangerous. Above 180 nothing happens today, and after years the eyes and the kidneys are damaged.
#
# The pump gives a little insulin all day long, whose effect just keeps glucose where it is. What has to be decided, every half hour, is the *dose* on top. It is measured in units, U. The difficulty is that a dose acts late: what is given now works most strongly
# an hour or two later, and for hours after.
#
# Here is one day of one typical patient: a breakfast with 25 g of carbohydrate at 7:30, a lunch with 30 g at 12:00, a dinner with 30 g at 16:30. With each meal the pump gives a dose in proportion to it. You choose how much for every 10 g.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# Find the dose that is best for the typical patient. **The next patient answers insulin twice as strongly. How will she do on the very same doses?** Choose, then move the sliders.
#
# * about as well, because the body balances small differences
# * too high after each meal
# * too low, for hours
# ```

# %% tags=["remove-cell"]
plate = {1: 25.0, 10: 30.0, 19: 30.0}          # half hours after seven o'clock, and grams
eaten = np.zeros(DAY.horizon)
eaten[list(plate)] = list(plate.values())

def days_of(strengths, per_10_grams):
    """Glucose [people, 37] of a day without noise, one person for each strength, with a dose in proportion to each meal."""
    n = len(strengths)
    ones, own = torch.ones(n, dtype=torch.float64), torch.as_tensor(strengths, dtype=torch.float64)
    who = Cohort(CLINIC, own, CLINIC.rise * ones, 130 * ones, torch.as_tensor(np.tile(eaten, (n, 1))), torch.zeros(n, DAY.horizon, dtype=torch.float64))
    doses = iter(torch.as_tensor(np.outer(eaten, per_10_grams) / 10))
    after, y = live(who, lambda seen: next(doses))
    return np.hstack([130 * np.ones((n, 1)), glucose_of(after[..., :1] + y[..., None]).numpy()])

dose = Slider("dose", "insulin for every 10 g of carbohydrate, U", 0, 3.3, 0.3, points=34, steps=33, scale="linear", low_end="less insulin", high_end="more insulin")
strength = Slider("strength", "how strongly she answers insulin (1: typical)", 0.5, 2, 1, points=21, steps=20, low_end="resistant", high_end="sensitive")
hours = Axis("hours", "hours since midnight", 7, 25, points=37, scale="linear")
grid = [each.ravel() for each in np.meshgrid(dose.grid, strength.grid, indexing="ij")]
glucose = days_of(grid[1], grid[0]).reshape(dose.points, strength.points, -1)
risks = kovatchev_risk(torch.as_tensor(glucose[..., 1:])).mean(dim=-1).numpy()
low = 18 * (glucose[..., 1:] < 70).mean(axis=-1)
best = int(risks[:, list(strength.grid).index(1)].argmin())
two = strength.points - 1

# %% tags=["remove-input"]
explore(
    name="dose_a_person", sliders=[dose, strength], x=hours, y=Axis("glucose", "glucose, mg/dL", 40, 300, scale="linear"),
    curves=[Curve("her glucose", Table((dose, strength, hours), glucose, scale="linear")), Curve("180: too high above", constant(180.0), reference=True), Curve("70: too low below", constant(70.0), reference=True)],
    readouts=[Readout("lowest", "lowest", Table((dose, strength), glucose.min(axis=-1), scale="linear"), unit="mg/dL"), Readout("highest", "highest", Table((dose, strength), glucose.max(axis=-1), scale="linear"), unit="mg/dL"),
              Readout("risk", "risk of her day", Table((dose, strength), risks, scale="linear"))],
    guarantee="No record is used and nothing is released: an invented person, without chance, on {dose} U for 10 g.",
    alt="Glucose over a day from 7 to 25 hours for {dose} U per 10 g and a person of strength {strength}, with lines at 70 and 180. It rises after each of three meals. The lowest value is {lowest}, the highest {highest}, the risk {risk}.",
    caption="One day without chance. The risk is explained below: lower is better.")

# %% tags=["remove-input"]
md(f"**What you should see.** Too low, for hours. For the typical patient about {dose.grid[best]:.1f} U for 10 g are best, and her glucose stays between {glucose[best, list(strength.grid).index(1)].min():.0f} and {glucose[best, list(strength.grid).index(1)].max():.0f}. On the same doses the sensitive patient falls to {glucose[best, two].min():.0f} and spends "
   f"{low[best, two]:.0f} hours of 18 below 70. The body does not balance this: insulin that has been given cannot be taken back. A patient who answers half as strongly stays too high instead, up to {glucose[best, 0].max():.0f}.")

# %% [markdown]
# Nobody knows in advance how strongly a patient answers. But it *shows*: glucose falls faster than expected, or more slowly. So a good policy looks at the glucose before it doses. To know what to look for, it must know how bodies answer.
#
# ## What a good day is
#
# A low is worse than a high of the same distance, so averages of glucose say little. Clinicians use a *risk* {cite}`kovatchev1997`. It is 0 at 112 mg/dL, and grows in both directions on a scale on which 70 is about as bad as 180.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Risk against glucose from 20 to 600 on a logarithmic axis: a valley with its floor, zero, at 112. At 70 it is 7.8 and at 180 it is 7.7, marked by dots; the band between them is shaded and called in range. At 20 and at 600 it reaches 100."}}
fig, ax = plt.subplots(figsize=(6.6, 2.9))
at = np.geomspace(20, 600, 400)
ax.axvspan(70, 180, color=PALETTE[2], alpha=0.13, lw=0)
ax.plot(at, kovatchev_risk(torch.as_tensor(at)), color=PALETTE[0])
ax.plot([70, 180], kovatchev_risk(torch.tensor([70.0, 180.0])), "o", color=PALETTE[0], ms=6)
ax.text(112, 42, "in range", color="#00664a", weight="bold", ha="center")
ax.text(63, 0, "7.8 at 70", ha="right", color="#22272e")
ax.text(196, 5, "7.7 at 180", ha="left", color="#22272e")
ax.set(xscale="log", xticks=[20, 40, 70, 112, 180, 300, 600], ylim=(-3, 104), xlabel="glucose, mg/dL", ylabel="risk", title="Both directions are dangerous, the low one sooner")
ax.set_xticklabels([20, 40, 70, 112, 180, 300, 600])
ax.minorticks_off();

# %% tags=["remove-cell"]
risk_at = kovatchev_risk(torch.tensor([20.0, 70, 112.5, 180, 600], dtype=torch.float64)).numpy()
assert np.allclose(risk_at[[1, 3]], (7.8, 7.7), atol=0.05) and risk_at[2] < 0.01 and np.allclose(risk_at[[0, 4]], 100, atol=1)
usual = evaluate(practice(np.random.default_rng([seed, 1])), CLINIC, people, np.random.default_rng([seed, 2]))

# %% tags=["remove-input"]
md(f"The risk of a day is the mean over its 36 half hours: twelve hours with doses and six more in which the last ones act, so that nothing given late goes uncounted. What the doctors of our clinic do has a risk of {usual.risk:.1f}, with {100 * usual.in_range:.0f} % of the time in range and {100 * usual.below_70:.1f} % below 70. "
   "Besides the risk we always report the time below 70, which should be at most 4 %, and below 54, at most 1 % {cite}`battelino2019`.")

# %% [markdown]
# ## What nobody has to learn
#
# The pump sees seven numbers. It also knows what it does itself. Look at each number and ask whether a patient's record is needed to know how it moves:
#
# | what is seen | how it moves in half an hour | who knows that |
# |---|---|---|
# | the glucose, and how it has just changed | **by how this person's body answers** | **only records tell** |
# | insulin under the skin, in two stages, and in the blood | by the dose, and by the known speed of absorption | public |
# | the meal in the gut, in two stages | by the meal, which is announced, and the known speed of digestion | public |
#
# Five of the seven numbers move by a rule that everybody can look up. What counts as a good day is public as well, and so are the doses that a policy gives. Only **one function** is left: how much the glucose changes in the next half hour, given the seven numbers after dose and meal.
#
# $$y = f(x_1, \dots, x_7), \qquad y = \text{the change of the logarithm of glucose.}$$
#
# The record of a person gives 36 pairs of $x$ and $y$, one for each half hour. A network learns $f$ from the pairs of all people:

# %%
rng = np.random.default_rng(seed)
days = logged_days(CLINIC, 1_000, rng)      # a day of each of 1,000 people
x, y = days.inputs, days.labels             # what was seen, and what glucose did
x.shape, y.shape

# %% tags=["remove-cell"]
check = cohort(CLINIC, 20, np.random.default_rng([seed, 3]))
after, change = live(check, practice(np.random.default_rng([seed, 4])))
moved = seen_next(after[:, :-1], change[:, :-1], check.meals[:, 1:])
assert torch.allclose(moved[..., [0, 1, 3, 4, 5, 6]], after[:, 1:, [0, 1, 3, 4, 5, 6]], atol=1e-12)     # all but the dose of the next half hour
who = next(i for i in range(len(days)) if int(days.lengths[i]) < 34 and int(days.lengths[i]) > 24)
length = int(days.lengths[who])
ended = float((days.lengths < 36).double().mean())

# %% tags=["remove-input"] mystnb={"image": {"alt": "One person's record. The upper part is glucose over the day with the range of 70 to 180 shaded; it rises after meals and comes down late. It ends in the evening, where the sensor failed. The lower part has bars for meals in grams and for doses in units, given with the meals and late in addition."}}
row, change = x[who, :length].numpy(), y[who, :length, 0].numpy()
clock = 7 + np.arange(length + 1) / 2
seen = 120 * np.exp(0.3 * np.append(row[:, 0], row[-1, 0] + change[-1]))
kept = (1 - 5 / 55) ** 6
given = UNITS[2] * (row[:, 2] - kept * np.append(0, row[:-1, 2]))
fed = UNITS[5] * (row[:, 5] - (1 - 5 / 40) ** 6 * np.append(0, row[:-1, 5]))
fig, (top, bottom) = plt.subplots(2, 1, figsize=(7.2, 4.2), sharex=True, height_ratios=[2, 1])
top.axhspan(70, 180, color=PALETTE[2], alpha=0.13, lw=0)
top.plot(clock, seen, "-o", color=PALETTE[0], ms=3.5)
top.axvline(clock[-1], color="#767676", ls=":")
top.text(clock[-1] + 0.15, seen[-1], "the sensor\nfailed", color="#4a5058", va="center")
top.set(ylabel="glucose, mg/dL", title="One row of the records: what one person's day looks like")
bottom.bar(clock[:-1] - 0.1, fed, width=0.2, color=PALETTE[1])
units = bottom.twinx()
units.bar(clock[:-1] + 0.12, given, width=0.2, color=PALETTE[3])
units.grid(False)
units.spines["right"].set_visible(True)
bottom.set(xlim=(6.8, 25.2), xticks=range(8, 25, 2), ylim=(0, 62), xlabel="hours since midnight")
bottom.set_ylabel("meals, g", color="#a63d00", weight="bold")
units.set(ylim=(0, 12.4))
units.set_ylabel("doses, U", color=PALETTE[3], weight="bold");

# %% tags=["remove-input"]
md(f"Such a row is what has to be protected, as a whole. It tells when a person eats, how much, and how ill she is. In {100 * ended:.0f} % of the rows the sensor fails before the day is over, so the rows differ in length. We pad them to 36 half hours.")

# %% [markdown]
# ## The simulator that everybody has
#
# Do we need these records at all? Simulators of diabetes are public. Ours has the same equations as the clinic {cite}`bergman1981,hovorka2004`, and one thing is wrong in it: its people are not the clinic's. Those of the clinic answer insulin only about half as strongly, and meals raise them more.
#
# So search in the simulator, as you did above: a dose in proportion to each meal, the same proportion for all people.

# %% tags=["remove-cell"]
def in_proportion(per_10_grams):
    def policy(seen):
        grams = UNITS[5] * seen[..., 5]
        return torch.where((grams > 9.9) & (seen[..., 5] > 2 * seen[..., 6]), grams, 0.0) * per_10_grams / 10
    return policy

tried = np.arange(0.5, 3.51, 0.25)
found = {name: [evaluate(in_proportion(each), clinic, people, np.random.default_rng([seed, 5])) for each in tried]
         for name, clinic in (("simulator", PUBLIC), ("clinic", CLINIC))}
curve = {name: np.array([one.risk for one in outcomes]) for name, outcomes in found.items()}
chosen, right = (int(curve[name].argmin()) for name in ("simulator", "clinic"))
fresh = cohort(CLINIC, people, np.random.default_rng([seed, 5]))

def error(policy):
    """The standard error of the mean risk."""
    after, y = live(fresh, policy)
    return float(kovatchev_risk(glucose_of(after[..., :1] + y[..., None])).mean(dim=1).std()) / people**0.5

errors = error(in_proportion(tried[chosen])), error(practice(np.random.default_rng([seed, 1])))

# %% tags=["remove-input"]
md(f"In the simulator the best is {tried[chosen]:.2f} U for 10 g, with a risk of {curve['simulator'][chosen]:.1f}. Now take this policy to the clinic, where the doctors have a risk of {usual.risk:.1f}.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# **How will the policy that is best in the simulator do in the clinic, compared with the doctors?**
#
# * better, since it was chosen among all proportions
# * about as well
# * worse
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Risk against the dose for 10 g of carbohydrate. In the simulator it has its minimum at 1.25 units. In the clinic it is far higher there and goes on falling to about 3 units. A dotted line is the risk of the doctors, which the clinic's curve at 1.25 is above."}}
fig, ax = plt.subplots(figsize=(6.8, 3.5))
for name, colour in (("simulator", PALETTE[0]), ("clinic", PALETTE[1])):
    ax.plot(tried, curve[name], "-", color=colour)
ax.plot(tried[chosen], curve["simulator"][chosen], "o", color=PALETTE[0], ms=7)
ax.plot(tried[chosen], curve["clinic"][chosen], "s", color=PALETTE[1], ms=7)
ax.annotate("", (tried[chosen], curve["clinic"][chosen] - 0.2), (tried[chosen], curve["simulator"][chosen] + 0.2), arrowprops={"arrowstyle": "->", "color": "#4a5058"})
ax.axhline(usual.risk, color="#767676", ls=":")
ax.text(3.5, usual.risk + 0.12, "the doctors in the clinic", color="#4a5058", ha="right")
ax.text(2.55, curve["simulator"][8] + 0.75, "in the simulator", color=PALETTE[0], weight="bold", ha="right")
ax.text(0.85, 9, "in the clinic", color="#a63d00", weight="bold")
ax.set(ylim=(2, 10.4), xlabel="insulin for 10 g of carbohydrate, U", ylabel="risk", title="What is best in the simulator is poor in the clinic");

# %% tags=["remove-cell"]
assert curve["clinic"][chosen] > usual.risk + 3 * np.hypot(*errors) and tried[chosen] in (1.0, 1.25, 1.5) and tried[right] >= 2
if effort >= 1:
    assert tried[chosen] == 1.25 and curve["clinic"][right] < usual.risk

# %% tags=["remove-input"]
md(f"**The answer.** Worse: {curve['clinic'][chosen]:.2f} ± {errors[0]:.2f} against {usual.risk:.2f} ± {errors[1]:.2f} of the doctors, in standard errors of {people:,} people. The choice was the best for the people of the simulator, and the clinic's people need more than twice as much. With {tried[right]:.2f} U it would have {curve['clinic'][right]:.1f}, better than the doctors. "
   "But to know that, you have to look at the clinic's people.")

# %% [markdown]
# Cleverer use of the simulator gets further: a policy that watches the glucose, and is prepared for many kinds of people. {doc}`A later page <04_a_model_to_plan_in>` judges every private method against the best that we found without any record. Still, the records of this clinic know something that the simulator does not. They are the days of people.
#
# ```{admonition} An invented clinic
# :class: note
# The equations and most constants are those of published work on glucose control, which we know through programs and papers that quote it. The clinic, its doctors and its people are ours, and several versions of their meals and habits were tried before this one stood. Nobody in it eats sugar against a low, does sports, or sleeps. So differences between *learning methods* mean something here, and no policy is for patients.
# ```
#
# ## Check yourself
#
# **A policy is planned for this clinic. For which part of the work are the patients' records needed?**
#
# ```{dropdown} To know when patients eat and how insulin is absorbed
# Meals are announced to the pump, and absorption is in textbooks. Neither takes a record.
# ```
# ```{dropdown} To know how glucose changes, given meal, insulin and glucose
# ✓ Right. This one function differs between the clinic and the simulator. Everything else is public, so nothing else needs protection from the learner.
# ```
# ```{dropdown} To know which days are good
# The risk is a public formula.
# ```
#
# ## To take away
#
# * List what is public before you learn anything in private. Here it is five of seven numbers, the doses, the meals and the loss.
# * What records must teach is one function: how these people's glucose answers.
# * A public simulator is a good start, and it is wrong about your people.
# * The unit to protect is one person's whole day, of up to 36 half hours.
