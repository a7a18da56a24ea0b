# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A policy gradient from fresh people keeps every day private at no composition. What clipping does to its baseline,
#         in closed form and in the clinic.'
# ---

# %% [markdown]
# # Learning on people
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** There are no records yet. Can the clinic learn a policy while it treats, and keep every person's day private?
# * **The answer.** Yes. If each person takes part once, a hundred updates cost no more ε than one. But clipping changes what a baseline does: if the baseline is badly wrong, the updates go the wrong way.
# * **What is protected.** One person's day, from everybody else: joint privacy. Neighbours replace one person's day.
# * **What you need.** {doc}`02_one_person_one_gradient`, and joint privacy from {doc}`/chapters/05_online/01_one_after_another`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9601         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md

from privrl_core.networks import (
    CLINIC, PUBLIC, cautious_policy, clipped_drift, evaluate, expected_to_come, mean_dose, private_policy_gradient)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore

torch.set_num_threads(1)
use_theme()
full = effort >= 0.5
rng, noise_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])

policy = cautious_policy(0, steps=300 if full else 20)
simulator_baseline = expected_to_come(policy, PUBLIC, 2000, np.random.default_rng(9600))
true_baseline = expected_to_come(policy, CLINIC, 2000, np.random.default_rng(9600))

# %% [markdown]
# ## Try, and push
#
# Until now there were records of the past. Now there are none. The clinic has a cautious policy, which gives 30 % of what practice would give, and it wants to improve this policy on the people who come.
#
# A **policy gradient** does this without a model. Each person lives one day under the present policy, which tries something: each dose is a little larger or smaller than the policy alone would have it, at random. If the rest of the day went *better than expected*, the policy is pushed towards what was tried, and otherwise away from it. The person's vector says in which direction the weights should
# move, and how far. What is expected is called the **baseline**, and *how much better than expected* the **advantage**:
#
# $$\text{advantage} = \text{what came} - \text{baseline}.$$
#
# In each update 500 people take part. Each sends one vector, clipped to length $C$. The clinic adds the vectors, adds Gaussian noise, and moves the policy. Then 500 *new* people come.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# Each update is (ε, δ)-private with ε = 1. **What is the promise for all 20 updates together, if nobody takes part twice?**
#
# * ε = 20, because the losses add up
# * about ε = 5, because twenty Gaussian releases add up like a square root
# * ε = 1
# ```
#
# **The answer.** ε = 1. The losses add up only for a person who takes part in several updates, and here nobody does. All that comes before Anna's update does not depend on her. All that comes after depends on her through one noisy sum only.
#
# The promise is {doc}`joint privacy </chapters/05_online/05_why_joint>`: her own doses do depend on her own glucose, and they should. The published policies, and so the doses of everybody else, hardly do. How many people each update has is public, and the queue never moves up: if her day is replaced, it is replaced by another day in the same place. People who come again, by a secret coin, have {ref}`another account, and it can be cheaper <networks-again>`.

# %%
release = private_policy_gradient(
    policy, CLINIC, epsilon=1.0, delta=1e-5, updates=20, people=500, clip=0.02,
    baseline=simulator_baseline, learning_rate=0.05, rng=rng, noise_rng=noise_rng)

# %% tags=["remove-cell"]
updates, asked = (20, 500) if full else (3, 40)
living = 2000 if full else 50
path = [evaluate(mean_dose(policy, release.parameters[k]), CLINIC, living, np.random.default_rng(10_009_601)) for k in (0, 3, 6, 10, 15, 20)]
sigma = release.noise.scale / 0.02
assert abs(sigma - 2 / 0.2681) < 0.01

# %% tags=["remove-input"]
md(f"*Guarantee:* ε = 1, δ = 10⁻⁵ for one person's day; neighbours replace one person's day; joint model; proved. The sum moves by at most 2C, so the noise has a standard deviation of {sigma:.2f} C.\n\n"
   f"The mean risk in the clinic falls from {path[0].risk:.1f} to {path[1].risk:.1f} after 3 updates, {path[3].risk:.1f} after 10 and {path[5].risk:.1f} after 20, with {100 * path[5].below_70:.1f} % of the time below 70 mg/dL. Practice has 4.6. "
   "So 10,000 people, each asked once, improve their own treatment in private. A {doc}`plan in a private model <04_a_model_to_plan_in>` has a lower risk, from fewer people. But it needs records, and nobody has lived under it before it is published.")

# %% tags=["remove-cell"]
if full:
    assert 6.5 < path[0].risk < 9 and path[5].risk < 4 and path[5].below_70 < 0.04
    assert path[0].risk > path[1].risk > path[3].risk

# %% [markdown]
# ## What clipping does to a baseline
#
# Where does the baseline come from? The public simulator has one: the mean of what comes, over simulated days. It is free. It is also too optimistic, because the clinic's people are harder to treat. Does that matter?
#
# Without clipping it does not. A wrong baseline adds the same to all advantages, and on average the pushes that come from it cancel. Every textbook says so, and it is true. With clipping it is no longer true. The smallest example has two treatments and one number, the chance $p$ of the better one. The better treatment is worth ½ and the other −½.
# A policy gradient moves the log odds of $p$. Each person who gets the better treatment pushes by (advantage) × (1 − p), and each other person by −(advantage) × p. Clipped, the push is this on average:

# %%
def drift(p, baseline, clip):
    better = (0.5 - baseline) * (1 - p)          # her push, if she got the better one
    other = -(-0.5 - baseline) * p               # and if she got the other one
    return (p * np.clip(better, -clip, clip)
            + (1 - p) * np.clip(other, -clip, clip))

# %% tags=["remove-cell"]
grid = np.linspace(0, 1, 41)
for beta in (-2.0, 0.0, 0.7, 2.0):
    for C in (0.05, 0.3, 1e9):
        assert np.allclose(drift(grid, beta, C), clipped_drift(grid, (0.5 - beta, -0.5 - beta), C))
assert np.allclose(drift(grid, 2.0, 1e9), grid * (1 - grid))

# %% [markdown]
# If the drift is positive, the better treatment gains.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# The baseline is −2: it expects far too little, so every person does better than expected. The clip is $C = 0.1$, and the better treatment is behind, with a chance of $p = 0.3$. **What happens to it on average?** Choose, then move the baseline.
#
# * it gains, more slowly than without clipping
# * nothing: clipped pushes of both sides cancel
# * it loses what it has
# ```

# %% tags=["remove-input"]
expects = Slider("beta", "baseline", -2, 2, 0, scale="linear", points=33, steps=32, low_end="expects too little", high_end="expects too much")
clipped_at = Slider("clip", "clip C", 0.05, 2, 0.1, points=17, steps=16, low_end="much is clipped", high_end="hardly anything is clipped")
chance = Axis("p", "chance of the better treatment, p", 0, 1, points=41, scale="linear")
shape = (expects.grid.size, clipped_at.grid.size, chance.grid.size)
values = np.array([[drift(chance.grid, b, c) for c in clipped_at.grid] for b in expects.grid])
assert values.shape == shape
with_clip, without_clip = Table((expects, clipped_at, chance), values, scale="linear"), Table((chance,), chance.grid * (1 - chance.grid), scale="linear")
behind = Table((expects, clipped_at), values[:, :, int(np.argmin(abs(chance.grid - 0.3)))], scale="linear")
explore(
    name="drift_of_two_treatments", sliders=[expects, clipped_at], x=chance, y=Axis("drift", "mean step of the log odds", -0.3, 0.3, scale="linear"),
    curves=[Curve("clipped", with_clip), Curve("without clipping", without_clip, reference=True)],
    readouts=[Readout("behind", "mean step at p = 0.3, clipped", behind)],
    guarantee="None: this is the mean of what people send, before the noise. Noise does not change the mean. The sensitivity is set by the clip, C = {clip}, and not by the baseline of {beta}.",
    alt="Mean step of the log odds against the chance of the better treatment. Without clipping it is an arch above zero, highest at one half. With clip {clip} and baseline {beta} it is {behind} at a chance of 0.3. If the baseline is high, the clipped curve falls from above zero to below zero and crosses at one half; if the baseline is low, it rises from below to above zero.",
    caption="Exact. The better treatment is worth ½, the other −½.")

# %% tags=["remove-cell"]
b, c = -2.0, 0.1
assert np.isclose(drift(0.3, b, c), c * (2 * 0.3 - 1)) and np.isclose(drift(0.3, 2.0, c), c * (1 - 2 * 0.3)) and np.isclose(drift(0.9, 2.0, c), -0.08)
assert clipped_at.grid.min() <= 0.1 and np.isclose(drift(0.3, -2.0, 1e9), 0.21)

# %% [markdown]
# **What you should see.** It loses what it has. Every person pushes towards the own treatment, and all pushes are cut to the same length. So all that counts is how *often* a treatment is given, and the treatment that is given more often wins: the drift is $C(2p - 1)$, which is −0.04 at $p = 0.3$. It would be 0.21 without clipping. How much better one of them is has been cut off.
#
# Now move the baseline to 2, so that every person does worse than expected. All push *away* from their own treatment, equally hard, and the more frequent treatment gets more pushes. The drift is $C(1 - 2p)$: the policy is pulled to indifference, $p = ½$, from both sides. At a baseline of 0, between the two values, clipping only makes learning slower.

# %% tags=["remove-cell"]
def follow(p, baseline, clip, updates=120):
    out = [p]
    for _ in range(updates):
        odds = np.log(out[-1] / (1 - out[-1])) + float(drift(out[-1], baseline, clip))
        out.append(1 / (1 + np.exp(-odds)))
    return np.array(out)

paths = {"baseline 0": follow(0.3, 0.0, 0.1), "baseline 2: too high": follow(0.3, 2.0, 0.1), "baseline −2: too low": follow(0.3, -2.0, 0.1), "not clipped, any baseline": follow(0.3, 2.0, 1e9)}
ends = {name: each[-1] for name, each in paths.items()}
assert ends["baseline 0"] > 0.95 and abs(ends["baseline 2: too high"] - 0.5) < 0.01 and ends["baseline −2: too low"] < 0.01 and ends["not clipped, any baseline"] > 0.98
assert np.allclose(follow(0.3, -2.0, 1e9), paths["not clipped, any baseline"])

# %% tags=["remove-input"] mystnb={"image": {"alt": "Chance of the better treatment against updates, from 0.3. Without clipping it rises quickly to one. Clipped with baseline 0 it rises more slowly to one. With a baseline of 2 it rises to one half and stays. With a baseline of minus 2 it falls to zero."}}
fig, ax = plt.subplots(figsize=(7.2, 3.5))
for (name, each), colour, style, (x, y, side) in zip(paths.items(), (PALETTE[0], PALETTE[2], PALETTE[1], "#767676"), ("-", "-", "-", "--"), ((52, 0.83, "left"), (70, 0.53, "left"), (40, 0.07, "left"), (24, 1.02, "left"))):
    ax.plot(each, color=colour, ls=style, lw=2)
    ax.text(x, y, name, color="#4a5058" if style == "--" else colour, weight="bold", ha=side)
ax.set(xlim=(0, 120), ylim=(0, 1.1), xlabel="updates", ylabel="chance of the better treatment", title="Clipped at 0.1, a wrong baseline decides where learning ends");

# %% [markdown]
# The remedy is to *learn* the baseline. Each person's vector gets a second part, which says by how much the day differed from the baseline, hour by hour. Both parts are clipped *together* to $C$, so the promise stays the same. We give a tenth of $C^2$ to the second part. The noisy sum of it corrects the baseline for the next update. This is the **private baseline**; it takes 5 % of the first part's length.

# %% tags=["remove-cell"]
assert round(100 * (1 - np.sqrt(0.9))) == 5
seeds = range(seed, seed + (4 if full else 2))

def ended(baseline, share, epsilon):
    """How people live under the last policy, for each seed."""
    out = []
    for s in seeds:
        made = private_policy_gradient(policy, CLINIC, epsilon=epsilon, delta=1e-5, updates=updates, people=asked, clip=0.02, baseline=baseline, learning_rate=0.05, baseline_share=share,
                                       rng=np.random.default_rng(s), noise_rng=np.random.default_rng([s, 1]))
        out.append((evaluate(mean_dose(policy, made.parameters[-1]), CLINIC, living, np.random.default_rng(10_009_601)), made))
    return out

found = {(name, share): ended(baseline, share, 3.0) for name, baseline in (("simulator", simulator_baseline), ("zero", np.zeros(24))) for share in (0, 0.1)}
risk = {key: np.array([each.risk for each, _ in runs]) for key, runs in found.items()}
lows = {key: np.array([100 * each.below_70 for each, _ in runs]) for key, runs in found.items()}
last = found["simulator", 0.1][0][1].parameters[-1]
trained = expected_to_come(policy, CLINIC, 10, np.random.default_rng(1))      # of the start; the end follows from its risk
start_gap = -10 * float(true_baseline[0] - simulator_baseline[0])
end_expected, begin_expected, simulated = float(np.median(risk["simulator", 0.1])), -10 * float(true_baseline[0]), -10 * float(simulator_baseline[0])

# %% [markdown]
# ## In the clinic
#
# Does a real policy suffer as the two treatments do? We try two baselines at ε = 3, with four groups of people each. One is the public simulator's, which is too optimistic. The other expects no risk at all, which is absurd: then every day is worse than expected. Each is used as it is, and as the start of a private baseline.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Where does the private baseline make a difference?**
#
# * with both baselines, because both are wrong
# * only with the absurd one
# * with neither, because the noise hides it
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels of dots for four groups of people. Left: final risk. With the simulator's baseline all eight dots lie between 3.4 and 3.8, with or without a private baseline. With the baseline of zero the dots kept as they are spread from 4 to above 7, and with the private baseline from 3.7 to 4.5. Right: time below 70 in percent, small everywhere but for the baseline of zero kept as it is, where it reaches far above the limit of 4."}}
fig, axes = plt.subplots(1, 2, figsize=(8.6, 3.4))
places = {("simulator", 0): 0, ("simulator", 0.1): 1, ("zero", 0): 2.6, ("zero", 0.1): 3.6}
for ax, values in zip(axes, (risk, lows)):
    for key, place in places.items():
        ax.plot(place + 0.07 * (np.arange(len(seeds)) - (len(seeds) - 1) / 2), values[key], "o" if key[1] else "s", color=PALETTE[0] if key[1] else PALETTE[1], ms=7)
    ax.set(xlim=(-0.6, 4.2), xticks=(0, 1, 2.6, 3.6))
    ax.set_xticklabels(["kept", "private", "kept", "private"])
    ax.set_xlabel("simulator’s baseline                 expects no risk", fontsize=9)
    ax.grid(False, axis="x")
axes[0].set(ylabel="mean risk at the end", title="A bad baseline harms, unless it learns", ylim=(2.8, max(8, risk["zero", 0].max() + 0.5)))
axes[1].axhline(4, color="#767676", ls=":", lw=1.5)
axes[1].text(-0.5, 4.3, "at most 4 %", color="#4a5058")
axes[1].set(ylabel="time below 70 mg/dL, in %", title="It sends people low, too", ylim=(0, max(8, lows["zero", 0].max() + 2)));

# %% tags=["remove-cell"]
same = risk["simulator", 0.1] - risk["simulator", 0]
worse = risk["zero", 0] - risk["zero", 0.1]
median = {key: float(np.median(each)) for key, each in risk.items()}
if full:
    assert abs(same.mean()) < 0.3 and max(risk["simulator", 0].max(), risk["simulator", 0.1].max()) < 4
    assert median["zero", 0] > median["zero", 0.1] + 0.3 and risk["zero", 0].max() > 6 and lows["zero", 0].max() > 10, (risk, lows)

# %% tags=["remove-input"]
md(f"**The answer.** Only with the absurd one. From the simulator's baseline the median risk is {median['simulator', 0]:.2f} if it is kept, and {median['simulator', 0.1]:.2f} if it learns. The paired difference is {same.mean():+.2f} ± {same.std(ddof=1) / np.sqrt(same.size):.2f}: none that we can measure. With a baseline that expects no risk, the median is {median['zero', 0]:.1f} if it is kept, and {median['zero', 0.1]:.1f} if it learns; "
   f"and one group that keeps it is below 70 mg/dL for {lows['zero', 0].max():.0f} % of the time.")

# %% tags=["remove-input"]
md(f"Why is the simulator's baseline good enough? It is badly wrong only at first. For the cautious start it expects a mean risk of {simulated:.1f}, and people of the clinic have {begin_expected:.1f}. But the policy improves within a few updates, and then their risk is near {end_expected:.1f}, close to what the baseline has expected all the time. "
   "*Guarantee of all these runs:* ε = 3, δ = 10⁻⁵ for one person's day, replace one, joint, proved.")

# %% [markdown]
# We should be honest about this finding. An earlier version of this task forgave overdoses, and there the private baseline decided between a good policy and a disaster, with the simulator's baseline too. In the task as it is now, it does so only if the baseline is badly wrong. A tenth of $C^2$ is a small premium for not having to know which case it is.
#
# That one use of each person makes many updates jointly private is an old argument, as for the counters of {doc}`chapter 5 </chapters/05_online/01_one_after_another>` {cite:p}`vietri2020`. For policy gradients {cite:t}`rio2025` and {cite:t}`he2025` have worked it out, the first with dosing among their tasks; of both we read abstracts and summaries only. The drift of two treatments is ours.
#
# ## Check yourself
#
# **A program divides each update's advantages by their standard deviation over the 500 people, as most programs for policy gradients do, and then clips and adds noise. Is the promise kept?**
#
# ```{dropdown} Yes, because the vectors are clipped afterwards.
# Each vector is at most C long. But if Anna's day is replaced, the standard deviation changes, and with it the vectors of all others. The sum can move by more than 2C.
# ```
# ```{dropdown} No. Every person's vector now depends on everybody's day.
# ✓ Right. A standard deviation of the same 500 people is one more question to them, which nobody has paid for. Divide by a public number, or by something learned from earlier, other people.
# ```
# ```{dropdown} Yes, if the standard deviation is not published.
# It need not be published. It acts on the policy, and the policy is published.
# ```
#
# ## To take away
#
# * With fresh people in each update nothing adds up: ε of one update is ε of all.
# * Clipping turns a baseline from harmless into a bias. If all advantages are negative, learning is pulled to indifference; if all are positive, whatever is given most often wins.
# * Pay a tenth of the clip's square for a private baseline. With a tolerable public baseline it makes no measurable difference here, and with a bad one it saves the policy.
