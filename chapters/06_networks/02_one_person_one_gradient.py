# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'What one person can change in a step of training a network, how a clip bounds it, and what the clip costs.'
# ---

# %% [markdown]
# # One person, one gradient
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A network learns from people in many small steps. How much can one person change in one of these steps?
# * **The answer.** As it stands, any amount. So each person gets *one* gradient, for the whole day, and it is cut to a public length C. Then adding or removing a person moves the sum by at most C.
# * **What is protected.** One person's day. Neighbours add or remove one person.
# * **What you need.** {doc}`01_insulin_for_a_day`; what a gradient is; {doc}`Gaussian noise and sensitivity </chapters/01_foundations/03_noise_that_keeps_it>`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9620         # all randomness comes from here

# %% tags=["remove-cell"]
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md
from torch import nn

from privrl_core.networks import PUBLIC, UNITS, Trajectories, clipped_sgd_non_private, logged_days, noise_multiplier, person_gradients, squared_error, with_parameters
from privrl_core.networks import clipped_sum as core_clipped_sum
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore
from privrl_core.privacy import gaussian_epsilon

torch.set_num_threads(1)
use_theme()
delta = 1e-5

# %% [markdown]
# ## A step of training
#
# The network of this chapter gets the seven numbers of {doc}`01_insulin_for_a_day` and says how glucose will change. Between input and output it has two layers of 16 tanh units, and 417 numbers to learn. We call them $\theta$.

# %% tags=["remove-cell"]
def network():
    return nn.Sequential(nn.Linear(7, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(),
                         nn.Linear(16, 1))

# %% tags=["remove-cell"]
def simulated(clinic, number, key):
    return logged_days(clinic, number, np.random.default_rng([seed, key])).clamped(inputs=20, labels=2.5).to(dtype=torch.float32)

torch.manual_seed(seed)
start = network()
assert sum(each.numel() for each in start.parameters()) == 417
ward = replace(PUBLIC, p3=0.8 * PUBLIC.p3, rise=1.1)         # a simulated clinic that differs a little from the simulator
people = simulated(ward, max(500, round(3_000 * effort)), 1)
model = with_parameters(start, clipped_sgd_non_private(start, squared_error, simulated(PUBLIC, 1_000, 2), clip=0.5, sampling=1, steps=20, nominal_size=1_000, learning_rate=0.02,
                                                       sample_rng=np.random.default_rng([seed, 3]), averaged=0.01))

def rows(model, people):
    """A row for each person: her gradient."""
    return torch.cat([each.flatten(1) for each in person_gradients(model, squared_error, people).values()], dim=1)

G = rows(model, people).double()
lengths = G.norm(dim=1)
anna = 0
slipped = people.people([anna])
typed = Trajectories(slipped.inputs, 120 * torch.exp(0.3 * slipped.inputs[..., :1]), slipped.lengths)     # mg/dL
wild = float(rows(model, typed).double().norm())
bounded = float(rows(model, typed.clamped(inputs=20, labels=2.5)).double().norm())
signs = torch.tensor(np.array(np.meshgrid(*[(-20.0, 20.0)] * 7)).reshape(7, -1).T, dtype=torch.float32)      # all numbers at their bounds
corner = max(float(rows(model, Trajectories(signs[:, None].expand(128, 36, 7).contiguous(), torch.full((128, 36, 1), label), [36] * 128)).double().norm(dim=1).max()) for label in (-2.5, 2.5))
others = float(np.quantile(lengths, 0.5))

# %% [markdown]
# A person's *loss* is how wrong the network is about her day: the squared error of each half hour, added up and divided by 36. Her **gradient** is the direction, in the 417 numbers, in which her loss grows fastest, and its length says how fast. A step of training adds up the gradients of many people and moves $\theta$ against the sum. We assume the worst: that not only the network but the sum of every step becomes known.
#
# ## What one person can change
#
# Say that one column of Anna's record is wrong: where the change of her glucose should be, the glucose itself was copied, 150 where 0.2 should stand. Changes are counted in steps of 0.3 of the logarithm, so that 0.2 is a rise by 6 %.

# %% tags=["remove-input"]
md(f"Her gradient becomes {wild:,.0f} long. Half of all people have one shorter than {others:.2f}. This single record outweighs more than {int(wild / others / 100) * 100:,} typical ones: with Anna the sum points where her record says, and without her it points elsewhere, so its direction gives her away.")

# %% tags=["remove-cell"]
assert round(100 * np.exp(0.3 * 0.2)) == 106 and UNITS[0] == 0.3 and wild > 200 * others and 5 < bounded < 40 and corner > 5 * bounded

# %% [markdown]
# {doc}`Noise </chapters/01_foundations/03_noise_that_keeps_it>` must be as wide as the largest change that one person can cause. Here there is no largest change that we know in advance, so we make one. We choose a length C, the **clip**, once and in public. A gradient that is **longer than C is shortened to C**, and it keeps its direction. All others stay as they are.
#
# To draw this, take a model with two weights instead of 417, one for insulin and one for the meal. Then each person's gradient is an arrow in the plane. There are 41 of them, and the orange one comes from a wrong record. In this small model it is 23 long, where most others are shorter than 0.1:

# %% tags=["remove-cell"]
def two_weights(some):
    x, y, w = some.inputs.double()[..., [4, 6]], some.labels.double()[..., 0], some.weights.double()
    at = torch.tensor([-1.5, 2.6], dtype=torch.float64)
    return 2 * torch.einsum("nh,nh,nhi->ni", w, x @ at - y, x).numpy()

few = two_weights(people.people(slice(0, 40)))
few = np.vstack([few, [18.6, -14.1]])                  # a record in which something went wrong
C2 = 0.06
cut = few * (C2 / np.maximum(C2, np.linalg.norm(few, axis=1)))[:, None]

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels of arrows from one point, each with a compass in its corner that shows where the sum points. Left, as they are: most arrows are short, one orange arrow leaves the picture to the lower right, and the needle of the compass points to the lower right as well. Right, clipped: no arrow leaves a dashed circle of radius C, the orange one ends on it, and the needle points where most arrows point."}}
assert 22.5 < np.linalg.norm(few[-1]) < 23.5 and np.median(np.linalg.norm(few[:-1], axis=1)) < 0.1
fig, panels = plt.subplots(1, 2, figsize=(8.6, 3.3), sharex=True, sharey=True)
for ax, arrows, title in zip(panels, (few, cut), ("As they are: one decides", "Clipped: nobody leaves the circle")):
    for k, (across, up) in enumerate(arrows):
        mine = k == len(arrows) - 1
        ax.annotate("", (across, up), (0, 0), arrowprops={"arrowstyle": "-|>", "color": PALETTE[1] if mine else PALETTE[0], "lw": 2.4 if mine else 1, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9}, annotation_clip=True, zorder=3)
    ax.set(xlim=(-0.17, 0.17), ylim=(-0.15, 0.15), xticks=(-0.1, 0, 0.1), yticks=(-0.1, 0, 0.1), aspect="equal", title=title, xlabel="gradient of the weight of insulin")
    compass = ax.inset_axes([0.02, 0.69, 0.27, 0.29])
    compass.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), aspect="equal", xticks=[], yticks=[])
    compass.axis("off")
    compass.add_patch(plt.Circle((0, 0), 1.15, fill=False, color=PALETTE[2], lw=1.2))
    needle = arrows.sum(axis=0) / np.linalg.norm(arrows.sum(axis=0))
    compass.annotate("", needle, -needle * 0.7, arrowprops={"arrowstyle": "-|>", "color": PALETTE[2], "lw": 3.5, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 15})
    ax.text(0.02, 0.64, "direction\nof the sum", color="#00664a", weight="bold", fontsize=9, transform=ax.transAxes, va="top")
across, up = few[-1] / np.linalg.norm(few[-1]) * 0.19
panels[0].plot([0, across], [0, up], color=PALETTE[1], lw=2.4, zorder=3)
edge = few[-1] / np.linalg.norm(few[-1])
side = np.array([-edge[1], edge[0]])
for back in (0.150, 0.158):                            # the arrow is broken off here
    panels[0].plot(*np.array([back * edge - 0.012 * (side + edge / 2), back * edge + 0.012 * (side + edge / 2)]).T, color="#22272e", lw=1.6, zorder=6)
panels[0].text(0.05, -0.1, "23 long, far\noutside the picture", color="#a63d00", ha="right", va="bottom", fontsize=9)
panels[1].add_patch(plt.Circle((0, 0), C2, fill=False, ls="--", color="#4a5058"))
panels[1].text(0.02, C2 + 0.012, "radius C", color="#22272e", weight="bold", ha="left")
panels[0].set(ylabel="gradient of the weight of the meal");

# %% tags=["remove-input"]
md("On the left the orange record decides alone where the sum points. On the right it counts as much as any other long arrow.\n\n"
   f"```{{admonition}} Is it not enough to bound the record?\n:class: note dropdown\nA program should do that as well. This chapter bounds each number of a record, insulin at 100 U for example and a meal at 1,000 g, and the change of the glucose at 2.5, so that the 150 becomes 2.5. But this does not bound gradients well. Anna's is still {bounded:.0f} long, {bounded / others:.0f} times a typical one. A day with all its numbers at their bounds reaches {corner:.0f}, and with other weights $\\theta$ it would be another length. The clip does not depend on $\\theta$.\n```")

# %% [markdown]
# ## The same in general
#
# Write $G_i$ for the gradient of person $i$ over all 417 numbers together, $\lVert G_i\rVert$ for its length, and
#
# $$S = \sum_i G_i \min\Bigl(1, \frac{C}{\lVert G_i\rVert}\Bigr),$$
#
# where a gradient of length 0 adds nothing.
#
# ```{prf:theorem} What one person can change in a clipped sum
# :label: thm-clipped-sum
# Adding or removing a person changes $S$ by a vector of length at most $C$. Replacing a person changes it by at most $2C$, and two people with opposite gradients, both at least $C$ long, attain this.
# ```
#
# *Why:* a person is one term of the sum, and no term is longer than $C$. If she is replaced, one term leaves and another comes.
#
# So take noise with standard deviation $\sigma C$ in each of the 417 numbers. Why does it hide a whole *vector*? Turn the axes so that one of them points along Anna's change. The noise looks the same in all directions, so it does not notice. Along the axis of her change Anna moves the bell curve of the noise by C, and along the 416 others by nothing.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Left: two round clouds of dots in the plane, one around the sum without Anna, one around the sum with her, which lies C further in a slanting direction. They overlap almost fully. Right: two bell curves along this direction, apart by C; across it the two curves are the same."}}
draws = np.random.default_rng([seed, 11]).standard_normal((2, 150, 2)) * 1.3
slant = np.array([np.cos(0.5), np.sin(0.5)])
fig, (plane, line) = plt.subplots(1, 2, figsize=(8.4, 1.8), width_ratios=[1, 1.5])
for cloud, centre, colour in zip(draws, (np.zeros(2), slant), (PALETTE[0], PALETTE[1])):
    plane.plot(*(centre + cloud).T, ".", color=colour, ms=3, alpha=0.45)
plane.annotate("", slant, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "#22272e", "lw": 2.2, "shrinkA": 0, "shrinkB": 0})
plane.plot(*np.outer([-4.4, 4.8], slant).T, color="#4a5058", lw=1, ls="--")
plane.set(xlim=(-4.6, 5), ylim=(-3.2, 3.6), aspect="equal", xticks=[], yticks=[], title="Two of 417 directions")
along = np.linspace(-4.4, 5.4, 300)
for centre, colour, words, place, side in ((0, PALETTE[0], "without Anna", -1.1, "right"), (1, PALETTE[1], "with Anna", 2.1, "left")):
    line.plot(along, np.exp(-(((along - centre) / 1.3) ** 2) / 2), color=colour, lw=2)
    line.text(place, 0.8, words, color="#a63d00" if centre else colour, weight="bold", ha=side)
line.annotate("", (1, 1.07), (0, 1.07), arrowprops={"arrowstyle": "<->", "color": "#22272e", "shrinkA": 0, "shrinkB": 0})
line.text(1.15, 1.08, "C", weight="bold", va="center")
line.set(yticks=[], xticks=[], ylim=(0, 1.2), xlabel="noisy sum", title="Along her change the bell curve moves by C");

# %% [markdown]
# So this noise hides a change of length C as well as {doc}`noise with standard deviation σ hides a change of 1 </chapters/01_foundations/03_noise_that_keeps_it>`. This is *DP-SGD* {cite}`abadi2016`, for all data of a person instead of single examples {cite}`mcmahan2018`. The usual names are *user-level* and *example-level* privacy.
#
# Here is the sum as a program. Look where the clip stands: in the loop over *people*, once for a whole day. {ref}`Faster ways <networks-four-ways>` give the same sum, and {ref}`no record that we could invent <networks-adversaries>` is longer than C after the clip.

# %%
def clipped_sum(model, people, clip):
    total = 0.0
    for x, y, length in zip(people.inputs, people.labels, people.lengths):
        loss = (model(x[:length]) - y[:length]).square().sum() / 36  # her whole day
        slopes = torch.autograd.grad(loss, model.parameters())
        G = torch.cat([each.flatten() for each in slopes])           # 417 numbers
        total = total + G * min(1, clip / G.norm())
    return total

# %% tags=["remove-cell"]
both = [clipped_sum(model, people.people(slice(0, 60)), 0.3).double(), torch.cat([each.flatten() for each in core_clipped_sum(model, squared_error, people.people(slice(0, 60)), 0.3).values()]).double()]
assert torch.allclose(*both, atol=1e-4) and both[0].shape == (417,)

# %% [markdown]
# ## Set the clip
#
# A small clip needs little noise, since the noise is in proportion to C. But it cuts many people. Does the sum of many cut gradients still point where the training should go? Take the gradients of 30 people. They and the others of their clinic are simulated, with insulin 20 % weaker and meals 10 % stronger than in the public simulator, so that the network, which was trained on that simulator, is a little wrong about them. The lengths of patients' gradients are private data, **so the clip must not be chosen by looking at them.** On simulated people you may try every clip.

# %% tags=["remove-cell"]
clip = Slider("clip", "the clip C", 0.05, 5, 0.5, points=41, steps=40, low_end="cuts nearly everybody", high_end="cuts nobody")
who = Axis("who", f"30 of {len(people):,} people, by the length of their gradients", 1, 30, points=30, scale="linear")
shown = np.sort(lengths[:30].numpy())
mean = G.mean(dim=0)
cut_means = torch.stack([(G * (c / lengths.clamp(min=c))[:, None]).mean(dim=0) for c in clip.grid.tolist()])
kept = cut_means.norm(dim=1).numpy()
turned = np.degrees(np.arccos(np.clip((cut_means @ mean / cut_means.norm(dim=1) / mean.norm()).numpy(), -1, 1)))
turned[turned < 1e-3] = 0                      # rounding
share = np.array([float((lengths > c).double().mean()) for c in clip.grid])
tenth = int(np.argmin(abs(share - 0.9)))

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# Choose the clip so small that nine people in ten are cut. **How far does the direction of the sum turn?** Choose, then move the clip.
#
# * not at all, because every gradient keeps its direction
# * by about 20 degrees, because the long ones lose weight
# * by about 60 degrees, because little is left of most
# ```

# %% tags=["remove-input"]
explore(
    name="clip_thirty_people", sliders=[clip], x=who, y=Axis("length", "length of the gradient", 0.03, 3), bars=True,
    curves=[Curve("after the clip", Table((clip, who), np.minimum(clip.grid[:, None], shown), scale="linear")), Curve("as it is", Table((who,), shown, scale="linear"), reference=True)],
    readouts=[Readout("cut", "cut", Table((clip,), 100 * share, scale="linear"), unit=f"% of all {len(people):,}"), Readout("moves", "one person moves the sum by at most", Table.of(lambda clip: clip, clip), at_most=True),
              Readout("turned", "the sum turns by", Table((clip,), turned, scale="linear"), unit="degrees"), Readout("kept", "and keeps", Table((clip,), 100 * kept / float(mean.norm()), scale="linear"), unit="% of its length")],
    guarantee="No noise yet, so no privacy: with C = {clip}, adding or removing one person moves the sum by at most {moves}.",
    alt="Bars for the lengths of the gradients of 30 people, sorted. With the clip at {clip} no bar is higher than it; of all people {cut} percent are cut. The sum of all people turns by {turned} degrees and keeps {kept} percent of its length.",
    caption=f"Simulated people. Direction and length of the sum, and the share that is cut, are those of all {len(people):,}. The axis of lengths is logarithmic.")

# %% tags=["remove-cell"]
assert 14 < turned[tenth] < 23 and turned.max() < 25 and abs(share[tenth] - 0.9) < 0.06 and np.cos(np.radians(turned[tenth])) > 0.92
assert turned[-1] < 1e-3 and (np.diff(share) <= 1e-9).all()

# %% tags=["remove-input"]
md(f"**What you should see.** By about 20 degrees. At C = {clip.grid[tenth]:.2g}, {100 * share[tenth]:.0f} % of the people are cut, and the sum turns by {turned[tenth]:.0f} degrees. Each gradient keeps its direction, but the long ones lose weight against the short ones, and they do not all point in the same direction. "
   f"A step that is {turned[tenth]:.0f} degrees off still goes {100 * np.cos(np.radians(turned[tenth])):.0f} % as far in the right direction. The sum also shrinks, to {100 * kept[tenth] / float(mean.norm()):.0f} % of its length. That does no harm here: the optimiser that moves the weights divides each of the 417 numbers by its usual size, so that a factor which is the same in all steps drops out.")

# %% [markdown]
# ## The clip and the noise
#
# Now add the noise. Its standard deviation is $\sigma C$ in each of the 417 numbers, and ε = 1 in this one step takes σ = 3.73. This is 1/μ, with the μ = 0.268 that {doc}`chapter 1 </chapters/01_foundations/03_noise_that_keeps_it>` found for ε = 1 and δ = 10⁻⁵. By how much does the *noisy* sum point away from where all people together want to go? The clip turns the sum, and the noise turns it again, at a right angle to the first turn. So the two angles do not simply add up.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The simulated clinic has 300 people. At C = 0.05 nearly all of them are cut, and at C = 2 hardly any. **Which is the worse mistake?** Choose, then move the clip, and the people.
#
# * C = 0.05, because the sum has lost most of its length
# * C = 2, because the noise is made for arrows that nobody has
# * neither, because the angle is nearly the same at both
# ```

# %% tags=["remove-cell"]
many = Choice("many", "people in the step", (100, 300, 1_000, 3_000, 10_000), 300, low_end="few", high_end="many")
sigma = noise_multiplier(1, delta, sampling=1, steps=1)
noise_length = sigma * clip.grid[:, None] * np.sqrt(417) / np.array(many.options)
angle = np.degrees(np.arccos(np.cos(np.radians(turned))[:, None] * kept[:, None] / np.hypot(kept[:, None], noise_length)))
noise_angle = np.degrees(np.arctan(noise_length / kept[:, None]))
at = {c: int(np.argmin(abs(np.log(clip.grid / c)))) for c in (0.1, 0.5, 2, 5)}
n300 = many.options.index(300)
noise_rng = np.random.default_rng([seed, 9])
drawn = cut_means[at[2]].numpy() + sigma * clip.grid[at[2]] / many.options[n300] * noise_rng.standard_normal((400, 417))
seen = np.degrees(np.arccos(drawn @ mean.numpy() / np.linalg.norm(drawn, axis=1) / float(mean.norm())))
assert abs(seen.mean() - angle[at[2], n300]) < 1        # the formula for the angle, by drawing the noise
best = int(angle[:, n300].argmin())
level = angle[(clip.grid <= 0.3), n300]
assert round(sigma, 2) == 3.73 and np.ptp(level) < 2 and clip.grid[at[0.5]] == 0.5
assert share[0] > 0.9 and share[at[2]] < 0.05 and angle[at[2], n300] > 15 + angle[0, n300] and clip.grid[0] == 0.05
assert share[at[0.5]] > 0.24 and angle[at[2], n300] > 1.4 * angle[at[0.5], n300] and abs(angle[at[0.1], n300] - angle[best, n300]) < 3 and clip.grid[best] <= 0.8

# %% tags=["remove-input"]
explore(
    name="clip_and_noise", sliders=[clip, many], x=clip, y=Axis("degrees", "degrees away from the true direction", 0, 90, scale="linear"),
    curves=[Curve("the noisy sum", Table((clip, many), angle, scale="linear")), Curve("by the noise alone", Table((clip, many), noise_angle, scale="linear")), Curve("by the clip alone", Table((clip,), turned, scale="linear"), reference=True)],
    readouts=[Readout("angle", "the noisy sum is off by", Table((clip, many), angle, scale="linear"), unit="degrees"), Readout("width", "standard deviation of the noise", sigma * Table.of(lambda clip: clip, clip), at_most=True)],
    guarantee="ε = 1, δ = 10⁻⁵ for one person’s day (add or remove one), central model, proved: one noisy sum with C = {clip}.",
    alt="Angle between the noisy sum and the true one against the clip, for {many} people. At C = {clip} it is {angle} degrees. To the left it is nearly flat; to the right, where nobody is cut any more, it rises steeply. The part of the clip falls to zero at about one and a half.",
    caption=f"Noise of standard deviation {{width}} in each of 417 numbers, in one step. The clip's own angle is that of all {len(people):,} simulated people.")

# %% tags=["remove-input"]
md(f"**What you should see.** C = 2: there the noisy sum is off by {angle[at[2], n300]:.0f} degrees, and at C = 0.05 by {angle[0, n300]:.0f}. Beyond the longest gradients a larger clip adds noise and nothing else. "
   f"To the left the curve is nearly flat, from {angle[at[0.5], n300]:.0f} degrees at C = 0.5 to {angle[at[0.1], n300]:.0f} at C = 0.1, because noise and gradients shrink together: 417 numbers of size $\\sigma C$ make an arrow of length $\\sigma C\\sqrt{{417}}$. At C = 0.5 this noise is {sigma * 0.5 * 417**0.5:.0f} long and the sum {300 * kept[at[0.5]]:.0f}, at C = 0.1 it is {sigma * 0.1 * 417**0.5:.1f} and {300 * kept[at[0.1]]:.0f}. So a clip that is too small costs only the turn. With more people the noise fades, and the clip's own angle is what remains.")

# %% [markdown]
# *From the noisy sum to a network.* The sum is divided by a public round number near that of the people in a step; the true number is not published. Then the optimiser *Adam* moves $\theta$ against it; it divides each of the 417 numbers by its usual size. After the last step the mean of the last quarter of all $\theta$ is published, which averages much of the noise away. All this is computed from noisy sums alone. So it is {doc}`post-processing </chapters/01_foundations/03_noise_that_keeps_it>` and costs nothing.
#
# For the networks that learn the body in this chapter, the clip C = 0.1, the learning rates and the number of steps were chosen on simulated people, which is free. Any C from 0.05 to 0.3 would have served as well: sum and noise shrink alike, and Adam takes their common size out.
#
# ## A mistake that no curve shows
#
# A record has 36 half hours, and libraries like long tables. So a program may split the days into rows, one for each half hour, and hand them to a library that clips *each row's* gradient to C. It learns well, and the clip has the same C.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **By how much can one person now move the sum?**
#
# * by C as before, because no row is longer than C
# * by at most 6 C, because 36 gradients in random directions are √36 = 6 times as long as one
# * by 36 C, because all 36 gradients can point in one direction
# ```

# %% tags=["remove-cell"]
constant_day = Trajectories(torch.ones(1, 36, 7), torch.full((1, 36, 1), 2.5), [36])
in_rows = Trajectories(constant_day.inputs.reshape(36, 1, 7), constant_day.labels.reshape(36, 1, 1), [1] * 36)
flat = [float(torch.cat([each.flatten() for each in core_clipped_sum(model, squared_error, each_way, 0.1).values()]).norm()) / 0.1 for each_way in (constant_day, in_rows)]
assert np.allclose(flat, [1, 36], atol=1e-3)
some = people.people(slice(0, 300))
kept_rows = some.weights > 0
typical_steps = torch.stack([torch.cat([each.flatten() for each in core_clipped_sum(model, squared_error, Trajectories(some.inputs[i][kept_rows[i]][:, None], some.labels[i][kept_rows[i]][:, None], [1] * int(some.lengths[i])), 0.1).values()])
                             for i in range(60 if effort >= 0.5 else 20)]).norm(dim=1) / 0.1
typical = float(typical_steps.median())
true_epsilon = float(gaussian_epsilon(delta, 36 / sigma))
one_by_one = float(gaussian_epsilon(delta, 6 / sigma))
assert 60 < true_epsilon < 120 and typical > 6

# %% tags=["remove-input"] mystnb={"image": {"alt": "Above, one arrow of length C: a person's day, clipped as a whole. Below, 36 arrows of length C, head to tail in one line, which is 36 C long: the same day, clipped half hour by half hour."}}
fig, ax = plt.subplots(figsize=(8.6, 1.3))
for first, up in [(0, 1)] + [(k, 0) for k in range(36)]:
    ax.annotate("", (first + 1, up), (first, up), arrowprops={"arrowstyle": "-|>", "color": PALETTE[0] if up else PALETTE[1], "lw": 1.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9})
ax.text(1.6, 1, "her day, clipped as a whole: C", color=PALETTE[0], weight="bold", va="center")
ax.text(18, 0.42, "her day, clipped half hour by half hour: 36 C", color="#a63d00", weight="bold", ha="center", va="center")
ax.set(xlim=(-0.3, 36.5), ylim=(-0.35, 1.35))
ax.axis("off");

# %% tags=["remove-input"]
md(f"**The answer.** By 36 C. Nothing makes the 36 gradients point in random directions. A person whose day is the same in every half hour has 36 equal ones, and they add up to {flat[1]:.1f} C; we ran it. Even a typical simulated person moves the sum by {typical:.0f} C. "
   f"With noise that was made for ε = 1 the true ε is {true_epsilon:.0f}, which is no protection. Even the optimistic 6 C would make it {one_by_one:.1f}. Clipping each half hour to C/36 would have been valid. No learning curve gives the mistake away.")

# %% [markdown]
# A program can be tested for it. Give it a single person whose day is constant, and measure what it adds to the sum: it must not be longer than C. {doc}`Find the slip <07_find_the_slip>` has more of this kind.
#
# ## Check yourself
#
# **A clinic records each person on two days and keeps them as two trajectories. Each trajectory's gradient is clipped to C. By how much does the sum move if a person's data are removed?**
#
# ```{dropdown} By at most C
# That is true for one trajectory. She has two in the sum.
# ```
# ```{dropdown} By at most 2 C
# ✓ Right. Both terms can point in the same direction. To protect the person, add the gradients of her two days first and clip the sum, or count with 2C.
# ```
# ```{dropdown} It depends on how similar her days are
# The actual change does. The largest possible one is what the noise must hide.
# ```
#
# ## To take away
#
# * One person has one gradient, of all that the sum learns from her, and it is clipped to a public length C.
# * Then one person moves the sum by at most C, and by at most 2C if she is replaced.
# * A small clip turns the sum little where people agree. {doc}`Page 6 <06_learning_on_people>` has a case in which long and short gradients point in opposite directions, and the clip decides between them. A clip beyond the longest gradient turns nothing and only adds noise.
# * Optimiser and average come after the noise and cost nothing.
# * Clipping half hours in place of people lets one person move the sum 36 times as far.
# * The clip is chosen without looking at the records.
