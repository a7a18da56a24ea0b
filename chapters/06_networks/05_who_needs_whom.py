# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'How many people private training needs, from nothing and from a public start, and a rival that asks the records
#         for 45 numbers, once.'
# ---

# %% [markdown]
# # Who needs whom
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How many people must take part before a private model is better than public knowledge alone?
# * **The answer.** At ε = 1, one to three hundred if training begins at a public network, and three hundred to a thousand if it begins at nothing. With a thousand people or more, a single release of 45 numbers does nearly as well as a network.
# * **What is protected.** One person's whole day. Neighbours add or remove one person.
# * **What you need.** {doc}`04_a_model_to_plan_in`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 9500         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Markdown as md

from privrl_core.networks import (
    CLINIC, RANDOMISED, body_network, clipped_sgd_non_private, dp_sgd, dreamed_days, evaluate, fitted, linear_model, logged_days, noise_multiplier, person_moments_non_private, plan, poly1,
    public_gate, random_policies, release_moments_once, ridge, ridge_head, side_by_side, simulated_days, squared_error, whitened, with_parameters)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore
from privrl_core.privacy import gaussian_mu
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE

torch.set_num_threads(1)
use_theme()
full = effort >= 0.5
groups = {100: 8, 300: 4, 1000: 3} if full else {100: 2, 300: 2, 1000: 2}      # groups of so many people each
numbers = tuple(groups)
public_rng = np.random.default_rng(9103)
public_days = logged_days(RANDOMISED, 4000, public_rng).to(dtype=torch.float32)

public_network = fitted(body_network(9103), public_days, public_rng, steps=800 if full else 100)      # it costs nobody anything
features = whitened(poly1, public_days)
public_moments = person_moments_non_private(public_days, features)
usual_length = float(np.median(np.sqrt(np.square(public_moments).sum(axis=(1, 2)))))
public_weights = ridge(public_moments.sum(axis=0), 0.0)

# %% [markdown]
# ## Noise does not shrink when people are few
#
# In each step of the private training, the clipped gradients of the people who take part are added up, and {doc}`noise is added to the sum <03_noise_and_secrecy>`. The noise must hide one person. So its size does not depend on how many people there are. But the sum grows with them. Divide both by the number of people: the mean of the clipped gradients is never
# longer than the clip $C$, and the noise in it becomes smaller with every person.
#
# The network has 417 weights, and noise goes into each of them. It is the length of all this noise together that competes with the signal.

# %% tags=["remove-cell"]
parameters, steps = sum(each.numel() for each in public_network.parameters()), 100
assert parameters == 417

def noise_length(epsilon, n):
    """Noise in the mean gradient of n people, all in each step, in units of the clip."""
    return np.sqrt(steps * parameters) / (np.vectorize(gaussian_mu)(epsilon, 1e-5) * n)

level = float(noise_length(1.0, 1))
quarter = noise_multiplier(1.0, 1e-5, sampling=0.25, steps=steps) / 0.25 * np.sqrt(parameters)
assert 1 < quarter / level < 1.03 and 700 < level < 800

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **With how many people, at ε = 1, is the noise in a step as long as the signal can be at most?** Choose, then look where the curve crosses the dotted line.
#
# * about 40
# * about 760
# * about 40,000
# ```

# %% tags=["remove-input"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=21, steps=20, low_end="more noise", high_end="less noise")
patients = Slider("n", "people", 30, 30_000, 300, points=31, steps=30, low_end="few", high_end="many")
one_person = Table.of(lambda epsilon: noise_length(epsilon, 1), epsilon_slider)
in_mean = one_person / Table.of(lambda n: n, patients)
explore(
    name="noise_against_signal", sliders=[epsilon_slider, patients], x=patients, y=Axis("noise", "length of the noise in a step, in units of C", 0.01, 100),
    curves=[Curve("noise", in_mean), Curve("longest mean gradient", constant(1.0), reference=True)],
    readouts=[Readout("noise", "noise over the longest signal", in_mean), Readout("equal", "equal with so many people", one_person)],
    guarantee="ε = {epsilon}, δ = 10⁻⁵ for one person’s whole day (add or remove one), proved, for 100 steps of 417 weights in which everybody takes part.",
    alt="Length of the noise in a mean gradient against the number of people, both axes logarithmic, a falling straight line. With {n} people at ε = {epsilon} it is {noise} times the longest possible signal; they are equal with {equal} people.",
    caption="Exact, for 100 steps in which everybody takes part. If a quarter of the people takes part in each step, in secret, the noise in the mean is 2 % longer.")

# %% tags=["remove-input"]
md(f"**What you should see.** About 760: it is {level:.0f}. With 100 people the noise is nearly 8 times as long as the signal can be, and with 40 it is {level / 40:.0f} times as long. With 40,000 people it is {level / 40000:.2f} of the signal: that many are comfortable, and not necessary. "
   "Even below 760 people not all is lost. The noise is new in each of the 100 steps and cancels in part, while the signal keeps its direction. How much this helps depends on how far the network has to move, and so on where it begins.")

# %% tags=["remove-cell"]
assert 7 < level / 100 < 8 and round(level, -1) in (760, 770)
sampling = 0.25                                                # about a quarter of the people in each step

def private(start, rate, people, seed):
    options = dict(clip=0.1, sampling=sampling, steps=steps if full else 4, nominal_size=len(people), learning_rate=rate)
    made = dp_sgd(start, squared_error, people, epsilon=1.0, delta=1e-5, sample_rng=np.random.default_rng([seed, 1]), noise_rng=np.random.default_rng([seed, 2]), **options)
    return with_parameters(start, made.parameters)

def head(people, seed):
    made = release_moments_once(people, features, clip=usual_length, epsilon=1.0, delta=1e-5, neighbours=ADD_OR_REMOVE_ONE, noise_rng=np.random.default_rng([seed, 3]))
    return ridge_head(made, prior=public_weights)

records_of = {(n, s): logged_days(CLINIC, n, np.random.default_rng(s)).clamped(inputs=20, labels=2.5).to(dtype=torch.float32) for n in numbers for s in range(seed, seed + groups[n])}
scratch = [private(body_network(s), 0.02, people, s) for (_, s), people in records_of.items()]
from_public = [private(public_network, 0.01, people, s) for (_, s), people in records_of.items()]
heads = [head(people, s) for (_, s), people in records_of.items()]
without_noise = with_parameters(public_network, clipped_sgd_non_private(
    public_network, squared_error, records_of[300, seed], clip=0.1, sampling=sampling, steps=steps if full else 4, nominal_size=300, learning_rate=0.01, sample_rng=np.random.default_rng([seed, 1])))

networks = [public_network, without_noise, *scratch, *from_public]
asked, answered = side_by_side([each.requires_grad_(False) for each in networks]), linear_model(features, np.array(heads))

def all_models(inputs):
    return torch.cat((asked(inputs[:len(networks)]), answered(inputs[len(networks):])))

first = plan(simulated_days(RANDOMISED), random_policies(1, np.random.default_rng(9103)), np.random.default_rng(9103), steps=150 if full else 2, people=32).policies
plans = len(networks) + len(heads)
planned = plan(dreamed_days(all_models), first.repeated(plans), np.random.default_rng(9302), steps=200 if full else 2, people=32).policies
fare = [evaluate(planned[i], CLINIC, 2000 if full else 50, np.random.default_rng(10_009_500)) for i in range(plans)]
passes = public_gate(planned)
no_record, no_noise = fare[0].risk, fare[1].risk
kinds = ("scratch", "public", "release")
cut = np.cumsum([groups[n] for n in numbers])[:-1]

def by_kind(values):
    """For each kind, an array for each number of people."""
    return {kind: np.split(each, cut) for kind, each in zip(kinds, np.split(np.array(values), 3))}

risk, lows, refused = by_kind([each.risk for each in fare[2:]]), by_kind([100 * each.below_70 for each in fare[2:]]), by_kind(~passes[2:])

def picture(shown, title):
    """Risk against people, a dot for each group and kind."""
    fig, ax = plt.subplots(figsize=(7.4, 3.7))
    names = {"scratch": "from nothing", "public": "from the public network", "release": "one release"}
    looks = {"scratch": (PALETTE[1], "s"), "public": (PALETTE[0], "o"), "release": (PALETTE[2], "^")}
    for k, kind in enumerate(shown):
        colour, shape = looks[kind]
        for j, n in enumerate(numbers):
            ax.plot(n * np.exp(0.16 * (k - (len(shown) - 1) / 2) + 0.02 * (np.arange(groups[n]) - (groups[n] - 1) / 2)), risk[kind][j], shape, color=colour, ms=6, alpha=0.85)
        ax.text(0.985, 0.95 - 0.085 * k, {"s": "■ ", "o": "● ", "^": "▲ "}[shape] + names[kind], color=colour, weight="bold", ha="right", va="top", transform=ax.transAxes)
    ax.axhline(no_record, color="#767676", ls=":", lw=1.5)
    ax.text(560, no_record * 1.03, "public network, no record", color="#4a5058", ha="center", va="bottom")
    ax.axhline(no_noise, color="#767676", ls="--", lw=1.2)
    ax.text(560, no_noise * 0.97, "records without noise", color="#4a5058", ha="center", va="top")
    ax.set(xscale="log", yscale="log", ylim=(2.5, 40), xlim=(70, 1400), yticks=(3, 5, 10, 20), xticks=numbers, xlabel="people in the records", ylabel="mean risk in the clinic", title=title)
    ax.set_xticklabels([f"{n:,}" for n in numbers])
    ax.set_yticklabels(["3", "5", "10", "20"])
    ax.minorticks_off()

# %% [markdown]
# ## From nothing
#
# Suppose that there is no simulator, and no public network. The network begins with random weights, and the records must teach it everything. In the code the first argument differs from the page before, and the learning rate, which was chosen again on the public simulator:

# %% tags=["remove-cell"]
people, sample_rng, noise_rng = records_of[300, seed], np.random.default_rng([seed, 1]), np.random.default_rng([seed, 2])

# %%
from_nothing = dp_sgd(
    body_network(seed), squared_error, people, epsilon=1.0, delta=1e-5,
    clip=0.1, sampling=0.25, steps=100, nominal_size=300, learning_rate=0.02,
    sample_rng=sample_rng, noise_rng=noise_rng)

# %% [markdown]
# *Guarantee:* ε = 1, δ = 10⁻⁵ for one person's whole day; neighbours add or remove one person; central model; proved. The same holds for each dot of the pictures below.
#
# We take eight groups of 100 people, four of 300 and three of 1,000, train a network on each, plan in it, and let 2,000 new people of the clinic live under the plan.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Mean risk, logarithmic, against 100, 300 and 1,000 people, orange squares for the groups, for networks that begin at nothing. With 100 people most are far above the line of no record, up to 16. With 300 people most lie between that line and the line of no noise. With 1,000 people all lie at the line of no noise, at 3."}}
picture(["scratch"], "From nothing, a hundred people are too few")

# %% tags=["remove-cell"]
better = {kind: [int((each < no_record).sum()) for each in values] for kind, values in risk.items()}
if full:
    assert better["scratch"][0] <= 3 and better["scratch"][2] == 3 and risk["scratch"][2].max() < 3.4, risk["scratch"]
    assert 4 <= better["public"][0] < 8 and better["public"][1:] == [4, 3] and risk["public"][1].max() < 3.9 and better["public"][0] > better["scratch"][0] + 1, risk["public"]
    assert risk["release"][2].mean() < 3.4 and better["release"][1] >= 2 and 1 <= better["release"][0], risk["release"]
    assert -0.05 < risk["release"][2].mean() - risk["public"][2].mean() < 0.35, (risk["release"], risk["public"])

def plans_of(kind, j):
    of, k = ("eight", "four", "three")[j], better[kind][j]
    which = f"all {of} plans" if k == groups[numbers[j]] else f"{('none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven')[k]} of the {of} plans"
    return f"{which} {'is' if k <= 1 else 'are'}"

# %% tags=["remove-input"]
md(f"With 100 people {plans_of('scratch', 0)} better than the plan without any record, and with 300 people {plans_of('scratch', 1)}. In ten other groups of 300 people, planned in for longer, six plans are better and two are overdose policies. With 1,000 people {plans_of('scratch', 2)} better, and so were the ten others; the noise can hardly be seen any more, with a mean risk of {risk['scratch'][2].mean():.2f}. "
   f"A failed plan is no small loss. The worst one here has a risk of {max(each.max() for each in risk['scratch']):.0f}, where a plan that gives no insulin at all has about 15, and practice 4.6.")

# %% [markdown]
# ## From the public network
#
# Now the training begins at the public network. It knows how meals raise glucose and how insulin lowers it, and is wrong about how much.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **How many of the eight plans with 100 people are better than no record, if the training begins at the public network?**
#
# * about as few as from nothing, because the noise does not care where the training begins
# * half of them or more, but not all
# * all, and as good as without noise
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "The picture above, with blue dots for networks that begin at the public network. With 100 people at least half are below the line of no record; with 300 and with 1,000 people all lie close to the line of no noise."}}
picture(["scratch", "public"], "A public start saves most of the people")

# %% tags=["remove-input"]
md(f"**The answer.** Half of them or more, but not all: {plans_of('public', 0)} better, and from nothing {better['scratch'][0]} of eight. The worst has a risk of {risk['public'][0].max():.1f}, where from nothing it is {risk['scratch'][0].max():.0f}. With 300 people their mean risk is {risk['public'][1].mean():.2f}, close to the {no_noise:.2f} without noise, where from nothing it is {risk['scratch'][1].mean():.2f}. The noise is the same, but the way is shorter: what has to be corrected is mostly one strength of insulin, and all 100 steps agree about it. The public network is not in the way, although it is wrong. "
   "In the ten other groups nine of ten plans succeed with 100 people, and ten of ten with 300. The one that fails gives no insulin at all, and {ref}`the public gate refuses it <networks-tables>`.")

# %% tags=["remove-input"]
md(f"With 1,000 people the two starts end at nearly the same risk, {risk['scratch'][2].mean():.2f} from nothing and {risk['public'][2].mean():.2f} from the public network. But after the start from nothing people are below 70 mg/dL for {lows['scratch'][2].mean():.1f} % of the time, and after the public start for {lows['public'][2].mean():.1f} %. "
   "Public knowledge is an insurance: it is worth most when people are few.")

# %% [markdown]
# ## The honest rival: one release
#
# A hundred noisy steps for 417 weights are a lot of machinery. Let us ask for less. Take a linear model of the seven numbers and a constant. For least squares it is enough to know how often each two of these eight numbers, and the label, go together: the **second moments**. This is a symmetric 9 × 9 table, and has 45 different numbers. The clinic adds up each person's table, clipped to a public length, and adds Gaussian noise {doc}`once </chapters/02_policy_evaluation/04_release_sums>`:

# %%
release = release_moments_once(
    people, features, clip=usual_length, epsilon=1.0, delta=1e-5,
    neighbours=ADD_OR_REMOVE_ONE, noise_rng=noise_rng)
weights = ridge_head(release, prior=public_weights)

# %% [markdown]
# *Guarantee:* the same as above, and exact: ε = 1, δ = 10⁻⁵ for one person's whole day, add or remove one, central, proved. There is no sampling that must stay secret, no number of steps, and no learning rate.
#
# The last line is post-processing. It solves for the eight weights, and pulls them towards those of the public simulator, the more so the more noise there is. The features were turned and scaled with public days, so that the noise hurts all of them equally.

# %% tags=["remove-cell"]
assert release.moments.shape == (9, 9) and 9 * 10 // 2 == 45

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **With 1,000 people, how does the plan from one release compare with the network from the public start?**
#
# * it fails, because the body is not linear
# * it is nearly as good
# * it is better, because it has less noise
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "The same picture with green triangles for one release. With 100 people one lies above the line of no record; with 300 all are below it, and with 1,000 people they lie just above the line of no noise."}}
picture(["scratch", "public", "release"], "One release nearly ties with a thousand people")

# %% tags=["remove-input"]
errors = {kind: risk[kind][2].std(ddof=1) / np.sqrt(groups[1000]) for kind in kinds}
md(f"**The answer.** It is nearly as good: its mean risk is {risk['release'][2].mean():.2f} ± {errors['release']:.2f}, and that of the network {risk['public'][2].mean():.2f} ± {errors['public']:.2f}. The body is not linear, but over half an hour, in logarithms, it is close to it. With 300 people the release has {risk['release'][1].mean():.2f}, and the network {risk['public'][1].mean():.2f}. "
   f"With 100 people {plans_of('release', 0)} better than no record. In the ten other groups with 100 people it failed more often than the network did, so neither is safe with so few. "
   "The noise of the release does not depend on a network's 417 weights, but on 45 numbers; and the public weights, like the public start, leave only a correction to be learned.")

# %% tags=["remove-input"]
md(f"Of all {len(fare) - 2} plans on this page, the public gate refuses {sum(int(each.sum()) for kind in kinds for each in refused[kind])}. Among those that it lets pass, the highest risk is {max(x for kind in kinds for each, out in zip(risk[kind], refused[kind]) for x in each[~out]):.1f}, where no record has {no_record:.1f}. So with a gate a failure is mostly replaced by public knowledge, and costs little.")

# %% [markdown]
# ## What to remember of the numbers
#
# | | 100 people | 300 people | 1,000 people and more |
# |---|---|---|---|
# | nothing public | do not | not reliably | any method |
# | a public start | with a gate | privacy costs nearly nothing at ε = 1 | privacy costs nothing that we can measure |
# | one release, with public weights | not reliably | with a gate | nearly as good, and much simpler |
#
# The numbers of people belong to this task: one network, one function to learn, one invented clinic. What carries over is the order of the rows, and that the comparison has to be made. {ref}`The evidence <networks-tables>` has ten groups for each cell and goes to 10,000 people.
#
# That little is gained by training whole networks privately where a linear model on good public features will do is not new. {cite:t}`tramer2021` showed it for images; from memory, and not checked against the text. Our linear model is simpler still and uses the inputs themselves.
#
# ## Check yourself
#
# **A clinic with 200 people and no public simulator asks for a private network at ε = 1. What do you answer?**
#
# ```{dropdown} Train longer. With more steps the noise averages out.
# More steps need more noise in each, at the same ε. The noise of the sum of 400 steps is twice that of 100, and each step has twice the noise.
# ```
# ```{dropdown} With so few people and nothing public, do not publish a plan. Build a simulator, or find a public start.
# ✓ Right. From nothing, neither 100 nor 300 people gave reliable plans here. Even a simulator that is wrong about the clinic saves most of the people.
# ```
# ```{dropdown} Use ε = 10 instead.
# It lowers the noise, and with 300 people it works here. But ε = 10 {doc}`promises little </chapters/01_foundations/06_what_epsilon_means>`, and this should be said as loudly as the plan's risk.
# ```
#
# ## To take away
#
# * The noise hides one person, so it does not shrink when people are few. In the mean it falls like 1/N.
# * A public start saves most of the people. It need not be right; it has to be close enough that many small steps can correct it.
# * Try one release first. It has no hyper-parameters and an exact account, and with a thousand people it nearly ties here.
