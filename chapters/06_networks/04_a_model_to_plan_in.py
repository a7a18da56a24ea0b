# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A network learns the body from private records; then treatment is planned in the days that it dreams, and
#         planning costs no privacy.'
# ---

# %% [markdown]
# # A model to plan in
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A network has learned from private records how glucose moves. How does the clinic get doses out of it?
# * **The answer.** It lets the network dream whole days, and improves a policy in these dreams. This costs no privacy, however long it takes.
# * **What is protected.** One person's whole day. Neighbours add or remove one person.
# * **What you need.** {doc}`01_insulin_for_a_day`, and the private training of {doc}`02_one_person_one_gradient` and {doc}`03_noise_and_secrecy`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9400         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md

from privrl_core.networks import (
    CLINIC, PUBLIC, RANDOMISED, Cohort, body_network, clipped_sgd_non_private, dp_sgd, dreamed_days, evaluate, fitted, glucose_of, live, logged_days, plan, public_gate, random_policies, seen_next,
    side_by_side, simulated_days, squared_error, with_dose, with_parameters)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore

torch.set_num_threads(1)
use_theme()
full = effort >= 0.5
people = 300

public_rng = np.random.default_rng(9103)
public_network = fitted(body_network(9103), logged_days(RANDOMISED, 4000, public_rng), public_rng, steps=800 if full else 100)      # it costs nobody anything
records_of = {s: logged_days(CLINIC, people, np.random.default_rng(s)).clamped(inputs=20, labels=2.5).to(dtype=torch.float32) for s in range(seed, seed + (5 if full else 2))}
records, sample_rng, noise_rng = records_of[seed], np.random.default_rng([seed, 1]), np.random.default_rng([seed, 2])

# %% [markdown]
# ## The network says what happens, not what to do
#
# The clinic has the records of 300 people, one day each. Five of the seven numbers that a pump knows follow {doc}`public rules <01_insulin_for_a_day>`. A network has to learn the rest: how far glucose moves in the next half hour. It begins as a **public network**, which was trained on days of the public simulator. This
# simulator is free, and wrong about the clinic: its people answer to insulin more strongly. Then the network is trained on the records, with one clipped gradient a person and with noise:

# %%
release = dp_sgd(
    public_network, squared_error, records, epsilon=1.0, delta=1e-5,
    clip=0.1, sampling=0.25, steps=100, nominal_size=300, learning_rate=0.01,
    sample_rng=sample_rng, noise_rng=noise_rng)
private_network = with_parameters(public_network, release.parameters)

# %% [markdown]
# *Guarantee:* ε = 1, δ = 10⁻⁵ for one person's whole day; neighbours add or remove one person; central model; proved. The number 300 is public, and nobody learns who took part in which step. The clip and the learning rate were chosen on the public simulator, so this choice cost nothing.
#
# A network that predicts half an hour can predict a whole day. Start with what the pump sees, ask the network, move everything on by half an hour, and ask again:

# %%
def dream(network, policy, seen, meals):
    glucose = []
    for meal in meals:                           # half an hour each
        after = with_dose(seen, policy(seen))
        change = network(after)[..., 0]          # learned from records
        seen = seen_next(after, change, meal)    # public rules
        glucose.append(glucose_of(seen))
    return torch.stack(glucose)

# %% [markdown]
# We call such a day a **dream**. Nobody lives it. Let us dream a lunch of 50 g of carbohydrate, eaten at 120 mg/dL, with one dose of insulin at the start.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# With 8 U the public network expects that glucose falls to about 85 mg/dL after lunch. **How low does it fall in an average person of the clinic?** Choose, then move the dose to 8 U.
#
# * to about 70, which is nearly too low
# * to about 85, as the public network says
# * hardly below 105
# ```

# %% tags=["remove-cell"]
half_hours, grams = 12, 50.0
dose = Slider("dose", "dose with lunch, in U", 0, 10, 4, scale="linear", points=21, steps=20, low_end="no insulin", high_end="much insulin")
hours = Axis("hours", "hours after lunch", 0.5, 6, points=half_hours, scale="linear")
at_lunch = torch.zeros(21, 7)
at_lunch[:, 5] = grams / 50
first_dose = torch.from_numpy(dose.grid).float()

def once():
    """A policy that gives the doses of the slider at the first step, and nothing after."""
    left = [first_dose]
    return lambda seen: left.pop().to(seen) if left else torch.zeros_like(seen[..., 0])

def dreamed_lunch(network):
    with torch.no_grad():
        return dream(network, once(), at_lunch, torch.zeros(half_hours, 21)).T.double().numpy()

def true_lunch(clinic):
    one, eaten = torch.ones(21, dtype=torch.float64), torch.zeros(21, 36, dtype=torch.float64)
    eaten[:, 0] = grams
    after, change = live(Cohort(clinic, one, clinic.rise * one, 120 * one, eaten, torch.zeros_like(eaten)), once())
    return (glucose_of(after) * torch.exp(0.3 * change)).numpy()[:, :half_hours]

lunch = {"truth": true_lunch(CLINIC), "public": dreamed_lunch(public_network), "private": dreamed_lunch(private_network)}
tables = {name: Table((dose, hours), values, scale="linear") for name, values in lunch.items()}
lowest = {name: values.min(axis=1) for name, values in lunch.items()}
eight = {name: float(values[16]) for name, values in lowest.items()}
assert dose.grid[16] == 8

# %% tags=["remove-input"]
explore(
    name="one_lunch_dreamed", sliders=[dose], x=hours, y=Axis("glucose", "glucose, in mg/dL", 40, 320, scale="linear"),
    curves=[Curve("clinic’s average person", tables["truth"]), Curve("dreamed, public network", tables["public"]), Curve("dreamed, private network, ε = 1", tables["private"])],
    readouts=[Readout(name, words, Table((dose,), lowest[name], scale="linear"), unit="mg/dL") for name, words in
              (("truth", "lowest, clinic"), ("public", "lowest, public network"), ("private", "lowest, private network"))],
    guarantee="The private network: ε = 1, δ = 10⁻⁵ for one person’s whole day (add or remove one), proved. A dream of {dose} U adds nothing to it, nor does any other dream.",
    alt="Glucose in the six hours after a lunch with {dose} U. All three curves rise within an hour and fall again. The lowest values are {truth} mg/dL in an average person of the clinic, {public} in the dream of the public network, and {private} in that of the private network.",
    caption="The clinic’s curve is that of a person with average answers to insulin and to meals, without chance. The dreams are those of one public and of one private network.")

# %% tags=["remove-cell"]
if full:
    assert 100 < eight["truth"] < 110 and 80 < eight["public"] < 92 and abs(eight["private"] - eight["truth"]) < 14
    assert (lowest["private"] > lowest["public"] + 5)[16:].all()

# %% tags=["remove-input"]
md(f"**What you should see.** Hardly below 105: the lowest value is {eight['truth']:.0f} mg/dL. People of the clinic are resistant to insulin, and the public simulator does not know it. Its network expects {eight['public']:.0f}. The private network expects {eight['private']:.0f}. It learned from 300 records, through the noise, that insulin does less here than in the simulator. "
   "It is not right everywhere: before it has come down it peaks too early, as the public network does, and it knows least about lunches without insulin, because practice nearly always gives some.")

# %% [markdown]
# ## Planning is free
#
# A policy is a small network as well: seven numbers in, a dose out. Dream a day of 64 people under this policy, and take the mean risk over the day. Since the policy, the public rules and the learned network can all be differentiated, so can the whole dream: we get the gradient of the risk with respect to the *policy's* weights. A step along it makes the next dreamed days a little better. After 200 such steps we have a **plan**.
#
# In a dream the network never changes. The people in it are made up: their meals and starting values come from public distributions, and they differ in how they answer to insulin and to meals as much as people in the public simulator do.

# %% tags=["remove-cell"]
questions = 200 * 64 * 36
assert questions == 460_800

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-1
# Planning asks the private network 200 × 64 × 36 = 460,800 questions. **How much is added to ε?**
#
# * nothing
# * about 679, the square root of the number of questions
# * 1 for each question, so that nothing is left of the promise
# ```

# %% [markdown]
# **The answer.** Nothing. The questions go to the published network, and no longer to the records. Differential privacy holds for everything that is {doc}`computed from a release </chapters/01_foundations/02_a_promise>`, however often it is used. So the clinic may also plan ten times, from different starts, and keep the plan that the network likes best. It may *not* choose the plan that does best on the records: this would be a new question to the records, and it would have to be paid for.

# %% tags=["remove-cell"]
budgets = (0.1, 0.3, 1.0)

def learn(start, records, epsilon, seed):
    options = dict(clip=0.1, sampling=0.25, steps=100 if full else 4, nominal_size=people, learning_rate=0.01, sample_rng=np.random.default_rng([seed, 1]))
    if epsilon is None:
        return with_parameters(start, clipped_sgd_non_private(start, squared_error, records, **options))
    return with_parameters(start, dp_sgd(start, squared_error, records, epsilon=epsilon, delta=1e-5, noise_rng=np.random.default_rng([seed, 2]), **options).parameters)

runs = [(None, seed), *((epsilon, s) for epsilon in budgets for s in records_of)]
models = [public_network, *(learn(public_network, records_of[s], epsilon, s) for epsilon, s in runs)]
first = plan(simulated_days(RANDOMISED), random_policies(1, np.random.default_rng(9103)), np.random.default_rng(9103), steps=150 if full else 2, people=32).policies
planned = plan(dreamed_days(side_by_side([model.requires_grad_(False) for model in models])), first.repeated(len(models)), np.random.default_rng(9302), steps=200 if full else 2, people=32).policies
fare = [evaluate(planned[i], CLINIC, 2000 if full else 50, np.random.default_rng(10_009_400)) for i in range(len(models))]
in_public = [evaluate(planned[i], PUBLIC, 500, np.random.default_rng(0)).risk for i in range(len(models))]
passes = public_gate(planned)
no_record, no_noise, private = fare[0], fare[1], fare[2:]
risk = np.array([each.risk for each in private]).reshape(len(budgets), -1)
lows = 100 * np.array([each.below_70 for each in private]).reshape(len(budgets), -1)
refused = ~passes[2:].reshape(risk.shape)

# %% [markdown]
# ## What ε does to the plan
#
# We plan in the networks of three budgets, for five groups of 300 people each, and let 2,000 new people of the clinic live under each plan. Two things count: the mean risk, and the time below 70 mg/dL, which should be at most 4 %.

# %% tags=["remove-input"]
md(f"A plan in the public network alone, without any record, has a risk of {no_record.risk:.1f}. A plan with the records and no noise has {no_noise.risk:.1f}. Both are hardly ever too low: below 70 mg/dL for {100 * no_record.below_70:.1f} % and {100 * no_noise.below_70:.1f} % of the time.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **What happens to the five plans when ε goes down to 0.1?**
#
# * all become a little worse, each by about as much
# * some stay better than the plan without any record, and others fail badly
# * all end as plans that give no insulin
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels against epsilon, five dots at each of 0.1, 0.3 and 1. Left: mean risk, logarithmic. At epsilon 1 all dots lie near the line of no noise, at 3. At 0.1 they spread from the dotted line of no record, at 4, up to 15. Right: time below 70 in percent. At 1 all dots are below the limit of 4 percent; at 0.3 and at 0.1 some are above it. Orange squares mark the plans that the public gate refuses."}}
fig, axes = plt.subplots(1, 2, figsize=(8.4, 3.5))
spread = np.exp(0.05 * np.arange(risk.shape[1]) - 0.025 * (risk.shape[1] - 1))
for ax, values in zip(axes, (risk, lows)):
    for epsilon, row, out in zip(budgets, values, refused):
        ax.plot((epsilon * spread)[~out], row[~out], "o", color=PALETTE[0], ms=6)
        ax.plot((epsilon * spread)[out], row[out], "s", color=PALETTE[1], ms=7)
    ax.set(xscale="log", xticks=budgets, xticklabels=[f"{e:g}" for e in budgets], xlabel="privacy loss ε")
    ax.minorticks_off()
axes[0].axhline(no_record.risk, color="#767676", ls=":", lw=1.5)
axes[0].text(1.2, no_record.risk * 1.03, "no record", color="#4a5058", ha="right", va="bottom")
axes[0].axhline(no_noise.risk, color="#767676", ls="--", lw=1.2)
axes[0].text(1.2, no_noise.risk * 0.97, "no noise", color="#4a5058", ha="right", va="top")
axes[1].axhline(4, color="#767676", ls=":", lw=1.5)
axes[1].text(1.2, 4.07, "at most 4 %", color="#4a5058", ha="right", va="bottom")
axes[1].text(0.97, 0.96, "■ refused by the\n     gate below", color="#a63d00", weight="bold", transform=axes[1].transAxes, ha="right", va="top")
axes[0].set(yscale="log", ylabel="mean risk in the clinic", title="With much noise, some plans fail", ylim=(2.5, 25), yticks=(3, 5, 10, 20), yticklabels=("3", "5", "10", "20"))
axes[0].minorticks_off()
axes[1].set(ylabel="time below 70 mg/dL, in %", title="Some plans go low", ylim=(0, max(7.5, lows.max() + 1)))
axes[1].set_axisbelow(True);

# %% tags=["remove-cell"]
error = risk[2].std(ddof=1) / np.sqrt(risk.shape[1])
better, low = (risk < no_record.risk).sum(axis=1), lows > 4
hidden = risk[low].min() if low.any() else np.nan                 # the least risk of a plan that goes low
counted = ("none", "one", "two", "three", "four", "five")
if full:
    assert 1 <= better[0] < 5 and better[2] == 5 and risk[2].mean() < no_noise.risk + 0.5 and lows[2].max() < 4, (risk, lows, refused)
    assert refused[lows > 4].all() and not refused[2].any() and refused[risk > 10].all(), (lows, refused)
    assert 14 < risk[0].max() < 16.5 and lows[0, risk[0].argmax()] < 0.1 and hidden < no_record.risk and max(each.below_54 for each in private) < 0.03

# %% tags=["remove-input"]
md(f"**The answer.** Some stay better, and others fail badly. At ε = 1 all five plans have a lower risk than the plan without any record, {risk[2].mean():.2f} ± {error:.2f} on average, and without noise it is {no_noise.risk:.2f}. At ε = 0.1 {counted[better[0]]} of the five still {'has' if better[0] == 1 else 'have'} a lower risk than the plan without any record. The worst has a risk of {risk[0].max():.0f}: it gives no insulin at all. "
   f"And {counted[min(int(low.sum()), 5)]} of the plans with small ε are below 70 mg/dL for more than 4 % of the time, up to {lows.max():.1f} %. The risk may hide this: one of these plans has a mean risk of only {hidden:.1f}, because its people also spend less time high. "
   f"*Status:* each dot is one group of {people} people and one training. Five dots show roughly how the plans spread, and no more.")

# %% [markdown]
# ## A gate that asks no record
#
# Noise can turn a network that learns *insulin does less here* into one that believes *insulin does hardly anything*. A plan in such a network gives too much of it, or, since nothing seems to help, none at all. The network itself cannot warn us, because it believes what it dreams. New people of the clinic could tell, but then it is too late for them. The records could tell, but their answer would cost privacy.
#
# The public simulator can tell, and costs nothing. It is wrong in detail and right in kind: its people are healthier, so a plan that is too strong for the clinic is much too strong for them. The **public gate** lets each plan treat 500 simulated people, and refuses it if their mean risk exceeds 5. A refused plan is replaced by the plan without any record. The best constant dose has a risk of 4.0 there; the gate allows a quarter more, because a good plan for resistant people gives the simulated ones rather much.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Each plan is a dot: across, its risk in the public simulator, logarithmic, with the limit of 5 as the left edge of a shaded region; up, its risk in the clinic, logarithmic. Most plans are to the left of the limit, at risks from 3 to 5; the refused ones, orange squares, are to the right, some of them far above at a risk of 15."}}
fig, ax = plt.subplots(figsize=(6.6, 3.7))
publicly, out = np.array(in_public[2:]), refused.ravel()
ax.axvspan(5, 40, color=PALETTE[1], alpha=0.1, lw=0)
ax.plot(publicly[~out], risk.ravel()[~out], "o", color=PALETTE[0], ms=6)
ax.plot(publicly[out], risk.ravel()[out], "s", color=PALETTE[1], ms=7)
for those, words in ((lows.ravel() > 4, "below 70 too long"), (risk.ravel() > 10, "no insulin")):
    if (out & those).any():
        ax.text(publicly[out & those].max() * 1.06, np.exp(np.log(risk.ravel()[out & those]).mean()), words, color="#a63d00", va="center", fontsize=9)
ax.plot(in_public[0], no_record.risk, "D", color="#4a5058", ms=6)
ax.text(in_public[0] * 1.04, no_record.risk * 1.05, "no record", color="#4a5058")
ax.text(5.2, 19.5, "refused", color="#a63d00", weight="bold")
ax.set(xscale="log", yscale="log", xlim=(2.2, 20), ylim=(2.5, 25), xticks=(3, 5, 10, 20), yticks=(3, 5, 10, 20), xlabel="risk in the public simulator, which the gate sees", ylabel="mean risk in the clinic",
       title="The gate catches the worst plans")
for axis in (ax.xaxis, ax.yaxis):
    axis.set_ticklabels(["3", "5", "10", "20"])
ax.minorticks_off();

# %% tags=["remove-input"]
bad = (lows > 4) | (risk > no_record.risk)
caught, among = int((refused & bad).sum()), int(bad.sum())
slipped = risk[bad & ~refused]
missed = "" if not slipped.size else f"It lets {counted[min(slipped.size, 5)]} pass, with a risk of {slipped.max():.1f} at most: worse than no record, but no disaster. "
assert not full or (not (refused & ~bad).any() and (not slipped.size or slipped.max() < 6))
md(f"Of the {lows.size} private plans {among} either have a higher risk than the plan without any record or are below 70 mg/dL for more than 4 % of the time. The gate refuses {'all of them' if caught == among else f'{caught} of them'}, and no others. {missed}The limit of 5 was set after a look at outcomes of *other* groups of people in the clinic, which a real clinic could not have done; on the groups of this page it had not been tried before. "
   "{ref}`The evidence <networks-tables>` has ten groups for each budget, and the plans that went wrong.")

# %% [markdown]
# Two more precautions cost nothing, and every plan on this page has them. People in a dream differ, since a plan for the average person alone would send sensitive people low. And planning starts at a *public policy*, planned in the public simulator. From random starts some plans end as an overdose policy, from which a gradient finds no way out.
#
# The whole recipe, a model by private training and then a plan in it, is that of PriMORL by {cite:t}`rio2024`, of which we could read summaries only. Their model is an ensemble of networks, and their tasks are standard ones without people; the public start, the dreamed differences between people and the gate are ours.
#
# ## Check yourself
#
# **The clinic has ten plans from one private network, and may publish one. Which choice keeps ε = 1?**
#
# ```{dropdown} The plan with the least risk on the clinic's own records, because they are the best information it has.
# The records were paid for once, in the training. Ten more questions to them are not covered by ε = 1.
# ```
# ```{dropdown} The plan with the least risk in the dreams of the network, if the public gate lets it pass.
# ✓ Right. Dreams and public simulator are computed without a look at the records. Both may be asked as often as we like.
# ```
# ```{dropdown} Any choice, because planning is free.
# Planning *in the network* is free. A choice that uses the records is not planning in the network.
# ```
#
# ## To take away
#
# * A private network of the body can be asked as often as we like. Dreaming, planning, several starts and a public gate cost no privacy.
# * With 300 people and a public start, ε = 1 costs little in this task. When ε becomes small, plans do not all become a little worse. Some stay good, and others fail: they go low, or give no insulin at all.
# * Report the lows beside the risk. Never choose a plan by the records.
