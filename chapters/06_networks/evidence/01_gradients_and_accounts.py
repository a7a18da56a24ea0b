# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence: four ways to one gradient a person, records made to be longer than the clip, a second account, and speeds.'
# ---

# %% [markdown]
# (networks-gradients)=
# # Gradients and accounts, checked
#
# ```{admonition} What this page establishes
# :class: tip
# * Four ways of computing a clipped sum of one gradient a person agree in float64. No record that we could construct is longer than the clip, in float32 either, and a usual shortcut in float32 lets some through. The noise of the account agrees with a second account, written from the definition with errors on both sides. Replacing a person has a pair of its own. How fast each way is, on this machine.
# * **What is protected.** One person's day. Neighbours add or remove one person, or replace one, as each section says. Central model, proved.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 9640         # all randomness comes from here
delta = 1e-5

# %% tags=["hide-input"]
import time

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from IPython.display import Markdown as md
from scipy.special import ndtr
from torch import nn
from torch.func import functional_call, grad, vmap
from torch.nn.functional import linear

from privrl_core.networks import Trajectories, clipped_sum, noise_multiplier, person_gradients, squared_error
from privrl_core.pages import PALETTE, use_theme
from privrl_core.privacy import REPLACE_ONE, gaussian_epsilon, gaussian_mu

torch.set_num_threads(1)
use_theme()

def network(sizes, dtype=torch.float64, key=0):
    torch.manual_seed(seed + key)
    layers = [part for n, m in zip(sizes, sizes[1:]) for part in (nn.Linear(n, m, dtype=dtype), nn.Tanh())]
    return nn.Sequential(*layers[:-1])

def some_days(n, horizon, inputs, outputs, dtype=torch.float64, key=0):
    rng = np.random.default_rng([seed, key])
    tables = [torch.as_tensor(rng.normal(size=(n, horizon, size)), dtype=dtype) for size in (inputs, outputs)]
    return Trajectories(*tables, rng.integers(1, horizon + 1, n))

def flat(gradients):
    return torch.cat([each.flatten() for each in gradients.values()])

# %% [markdown]
# (networks-four-ways)=
# ## Four ways to the same sum
#
# *The definition* is the loop of {doc}`the main path <../02_one_person_one_gradient>`: a backward pass for each person, up to the end of her day, the gradient clipped and added. *By `vmap`* the gradients of all people are made at once. *By layer*: in a layer with inputs $A_i$ (a row for each half hour)
# and slopes $U_i$, person $i$'s gradient is the product $A_i^\top U_i$, so that a batch is one product of matrices. *By Gram matrices* {cite}`goodfellow2015,li2022`, also known as *ghost clipping*: for the length of the gradient the product is not needed,
#
# $$\lVert A_i^\top U_i\rVert^2 = \langle A_i A_i^\top, U_i U_i^\top\rangle .$$
#
# The core uses the third, and the fourth where a layer has many more weights than a person has pairs of half hours. Both papers are cited from memory.

# %%
def by_loop(model, people, clip):
    total = 0.0
    for x, y, length in zip(people.inputs, people.labels, people.lengths):
        loss = squared_error(model(x[:length]), y[:length]).sum() / people.horizon
        slopes = torch.autograd.grad(loss, model.parameters())
        one = torch.cat([g.flatten() for g in slopes])
        total = total + one * min(1.0, clip / one.norm())
    return total

def by_vmap(model, people, clip):
    def loss_of_one(parameters, x, y, weights):  # weights: 1/H up to the day's end
        error = functional_call(model, parameters, (x,)) - y
        return weights @ error.square().sum(dim=-1)

    one_each = vmap(grad(loss_of_one), in_dims=(None, 0, 0, 0))
    parameters = {name: each.detach() for name, each in model.named_parameters()}
    found = one_each(parameters, people.inputs, people.labels, people.weights)
    G = torch.cat([each.flatten(1) for each in found.values()], dim=1)
    return (clip / G.norm(dim=1)).clamp(max=1) @ G

def by_gram(model, people, clip, dtype=torch.float64):
    """Lengths from Gram matrices in ``dtype``, then a weighted product a layer."""
    a, outputs, x = [], [], people.inputs
    for layer in model:
        if isinstance(layer, nn.Linear):
            a.append(x.detach())
            outputs.append(linear(x, layer.weight, layer.bias))
            x = outputs[-1]
        else:
            x = layer(x)
    total = (people.weights * squared_error(x, people.labels)).sum()
    u = torch.autograd.grad(total, outputs)
    squares = 0.0
    for p, r in zip(a, u):
        p, r = p.to(dtype), r.to(dtype)
        squares = squares + ((p @ p.mT) * (r @ r.mT)).sum((1, 2)).clamp(min=0)
        squares = squares + r.sum(1).square().sum(1)
    factors = (clip / squares.sqrt()).clamp(max=1).to(people.inputs.dtype)
    parts = []
    for p, r in zip(a, u):
        weighted = factors[:, None, None] * r
        parts += [(weighted.mT @ p).sum(0).flatten(), weighted.sum((0, 1))]
    return torch.cat(parts)

# %% tags=["hide-input"]
rows = []
for key, (sizes, horizon) in enumerate([((7, 16, 16, 1), 36), ((7, 64, 64, 1), 24), ((3, 200, 2), 2), ((7, 32, 1), 60)]):
    model, people = network(sizes, key=key), some_days(max(20, round(60 * effort)), horizon, sizes[0], sizes[-1], key=key)
    clip = float(torch.cat([each.flatten(1) for each in person_gradients(model, squared_error, people).values()], dim=1).norm(dim=1).median())
    truth = by_loop(model, people, clip)
    row = {"network": "-".join(map(str, sizes)), "steps H": horizon, "length of the sum": float(truth.norm())}
    for name, found in (("vmap", by_vmap(model, people, clip)), ("by layer (core)", flat(clipped_sum(model, squared_error, people, clip))), ("Gram matrices", by_gram(model, people, clip))):
        row[name] = float((found - truth).abs().max())
        assert row[name] < 1e-10, row
    rows.append(row)
pd.DataFrame(rows).style.hide().format({"length of the sum": "{:.2f}", "vmap": "{:.0e}", "by layer (core)": "{:.0e}", "Gram matrices": "{:.0e}"})

# %% [markdown]
# The largest difference from the loop in any of the numbers of the sum, float64; trajectories have different lengths and half of all people are clipped. The tests also hold three engines of Opacus, another library for DP-SGD, against the loop, and a network with a memory, and they check that nothing changes when the padding is filled with other numbers.
#
# (networks-adversaries)=
# ## Records that try to be longer than the clip
#
# A proof says that nobody is longer than C. A program rounds. The worst records that we know are days that stay nearly the same while the labels alternate: the gradients of neighbouring half hours cancel, and a length that is computed in few digits loses what is left. Huge inputs and short days are tried as well.

# %% tags=["hide-input"]
def adversary(rng, dtype, horizon=36):
    day = np.tile(10.0 ** rng.uniform(-2, 4) * rng.normal(size=7), (horizon, 1)) + 10.0 ** rng.uniform(-6, -2) * rng.normal(size=(horizon, 7))
    labels = 10.0 ** rng.uniform(0, 6) * (-1.0) ** np.arange(horizon)[:, None]
    length = horizon if rng.random() < 0.7 else int(rng.integers(1, horizon + 1))
    return Trajectories(torch.as_tensor(day[None], dtype=dtype), torch.as_tensor(labels[None], dtype=dtype), [length])

rng, longest = np.random.default_rng([seed, 20]), []
for width in (16, 256):
    for dtype in (torch.float64, torch.float32):
        model, found = network((7, width, width, 1), dtype), []
        for _ in range(max(30, round(150 * effort))):
            one = adversary(rng, dtype)
            core = float(flat(clipped_sum(model, squared_error, one, 0.1)).double().norm()) / 0.1
            found.append((core, float(by_gram(model, one, 0.1, dtype).double().norm()) / 0.1))
        longest.append({"units a layer": width, "digits": str(dtype).removeprefix("torch."), "core": max(each[0] for each in found), "Gram matrices in the same digits": max(each[1] for each in found)})
longest = pd.DataFrame(longest)
assert (longest["core"] <= 1 + 1e-6).all()
if effort >= 1:
    assert longest["Gram matrices in the same digits"].max() > 1.01
longest.style.hide().format({"core": "{:.7f}", "Gram matrices in the same digits": "{:.4g}"})

# %% tags=["remove-input"]
md(f"The longest contribution, in units of C. The core takes lengths in float64 of the very numbers that it adds, or rounds them up, and the noise is larger by a millionth to pay for rounding. Gram matrices in float32 let a record through that is {longest['Gram matrices in the same digits'].max():.3g} times too long, so the shortcut needs float64.")

# %% [markdown]
# *Replace one* moves the sum by 2C at most, and two people with opposite gradients do it. Let both have the same inputs, the one a label above what the network says and the other a label as far below:

# %%
model, one = network((7, 16, 16, 1)), some_days(1, 36, 7, 1)
said = model(one.inputs).detach()
above, below = (
    Trajectories(one.inputs, said + jump, one.lengths) for jump in (50, -50))
moved = flat(clipped_sum(model, squared_error, above, 0.1)) - flat(
    clipped_sum(model, squared_error, below, 0.1))
assert abs(float(moved.norm()) / 0.1 - 2) < 1e-9

# %% [markdown]
# (networks-rows)=
# ### Half hours clipped in place of people
#
# The slip of the main path, for days of different length. A person whose half hours are all alike moves the sum by exactly as many C as she has half hours. Below it, what noise for ε = 1 then keeps, in one sum that takes everybody; these numbers are exact.

# %% tags=["hide-input"]
mu, table = float(gaussian_mu(1, delta)), {}
for horizon in (1, 6, 12, 24, 36):
    in_rows = Trajectories(torch.ones(horizon, 1, 7, dtype=torch.float64), torch.full((horizon, 1, 1), 50.0, dtype=torch.float64), [1] * horizon)
    longer = float(flat(clipped_sum(model, squared_error, in_rows, 0.1)).norm()) / 0.1
    assert abs(longer - horizon) < 1e-9
    table[f"H = {horizon}"] = {"moves the sum by, in C": longer, "true ε": float(gaussian_epsilon(delta, horizon * mu))}
pd.DataFrame(table).style.format("{:.1f}")

# %% [markdown]
# (networks-accountant)=
# ## A second account
#
# The core takes the noise for Poisson samples from `dp_accounting`, Google's library {cite}`doroshenko2022`. Here is a second account from the definition. In one step the worst pair, or *dominating pair*, is $P = (1-q)N(0,\sigma^2) + q N(1,\sigma^2)$ against $Q = N(0, \sigma^2)$, and the same the other way round. The *privacy loss* is $\ln P(x)/Q(x)$ for $x \sim P$. The pair is the same for *add or remove one* and for *zero-out*, where the person's place stays and her contribution becomes zero: in both she adds a vector of length C at most, with probability q, or nothing. Losses of K independent steps add up, so their
# distribution is a K-fold convolution, which a Fourier transform does. We put the losses on a grid twice: once rounded up, which gives an ε that is surely enough, and once rounded down, which gives one that is surely not too large. The truth lies between.

# %%
def composed_epsilon(p, q, steps, up, h=4e-5, size=2**20):
    """ε at δ of ``steps`` steps with mixtures p, q; their loss grows with x."""
    x = np.linspace(-8.5 * sigma - 1, 8.5 * sigma + 1, 200_001)
    loss = np.log(p.density(x)) - np.log(q.density(x))
    edge = np.ceil(loss[1:] / h) if up else np.floor(loss[:-1] / h)
    low = size // 2
    mass = np.bincount((edge + low).astype(int), np.diff(p.below(x)), size)
    shift = np.exp(2j * np.pi * np.arange(size // 2 + 1) * (steps - 1) * low / size)
    total = np.fft.irfft(np.fft.rfft(mass) ** steps * shift, size).clip(0)
    losses = ((np.arange(size) - low) * h)[::-1]
    above = np.cumsum(total[::-1])
    weighted = np.cumsum(total[::-1] * np.exp(-losses))
    enough = above - np.exp(losses) * weighted <= delta   # δ(ε), every ε of the grid
    return losses[enough].min()

class Mixture:
    def __init__(self, weights, means):
        self.parts = list(zip(weights, means))
    def density(self, x):
        return sum(w * np.exp(-((x - m) / sigma) ** 2 / 2) for w, m in self.parts)
    def below(self, x):
        return sum(w * ndtr((x - m) / sigma) for w, m in self.parts)

class Mirrored(Mixture):
    """The same for -x, so that the loss in the other direction grows as well."""
    def __init__(self, weights, means):
        super().__init__(weights, [-m for m in means])

# %% tags=["hide-input"]
def enclosed(q, steps, replace):
    """The interval that the true ε at the noise ``sigma`` lies in: the worse direction of the two."""
    pairs = [(Mixture([1 - q, q], [0, 1]), Mixture([1 - q, q], [0, -1]) if replace else Mixture([1], [0]))]
    if not replace:
        pairs.append((Mirrored([1], [0]), Mirrored([1 - q, q], [0, 1])))
    return tuple(max(composed_epsilon(p, r, steps, up) for p, r in pairs) for up in (False, True))

plans = [(1, 0.25, 100, False), (1, 0.05, 100, False), (3, 0.01, 100, False), (1, 0.05, 100, True), (3, 0.25, 100, True)]
plans = plans if effort >= 0.5 else plans[1:2]
rows = []
for epsilon, q, steps, replace in plans:
    options = dict(neighbours=REPLACE_ONE) if replace else {}
    made = noise_multiplier(epsilon, delta, sampling=q, steps=steps, **options)
    sigma = made
    low, high = enclosed(q, steps, replace)
    sigma = made / 1.005
    less = enclosed(q, steps, replace)[0]
    assert low <= epsilon + 1e-3 and high <= epsilon + 6e-3 and less > epsilon, (epsilon, q, steps, replace, low, high, less)
    rows.append({"neighbours": "replace" if replace else "add, remove", "q": q, "K": steps, "promise": epsilon, "σ": made, "ε from": low, "ε to": high, "σ/1.005: ε from": less})
pd.DataFrame(rows).style.hide().format({"q": "{:g}", "σ": "{:.3f}", "ε from": "{:.4f}", "ε to": "{:.4f}", "σ/1.005: ε from": "{:.4f}"})

# %% [markdown]
# *Promise* is the ε for which the core made σ; between *from* and *to* lies the true one. The last column has the lower end for half a percent less noise. With the noise of the core the true ε is never above the promised one by more than the width of this account's own interval, and with half a percent less noise it is above. So σ is right within 0.5 %. The tests repeat this with the accountant of Opacus, a third program, and compare one step with numerical integrals.
#
# With everybody in each step no account is needed: $\mu = \sqrt K/\sigma$ is exact {cite}`dong2022`, and the core returns it to nine digits.

# %% tags=["remove-cell"]
assert np.isclose(noise_multiplier(1, delta, sampling=1, steps=100), 10 / mu, rtol=1e-9)

# %% [markdown]
# (networks-secrecy-worth)=
# ### What secrecy is worth
#
# {doc}`Page 3 <../03_noise_and_secrecy>` compares an open appointment book with a secret one, and computes the noise of both for 100 steps. At ε = 1 secrecy is worth most where few people are asked in each step: a factor of 4.1 in the noise for q = 0.01, and of 1.4 for q = 0.5. At ε = 8 it is worth less, and for q = 0.01 only 1.3: the noise is so narrow there that a single sum shows whether she was in it.
#
# The guarantee of everybody in each step, and that of the open book, are exact. That of Poisson samples adds up {doc}`privacy losses </chapters/01_foundations/evidence/02_finer_accounting>` numerically, always rounded upwards, so that the noise is never too small, and at most half a percent too large.
#
# In one step of each, with the same noise, the two worlds differ as follows. If Anna is known to be in the step, her presence moves the whole bell curve by 1. If a secret coin decides, one twentieth of it moves. The account takes what an observer can learn from the second pair, the dominating pair, and adds it up over a hundred steps.

# %% tags=["remove-cell"]
narrow = noise_multiplier(1, delta, sampling=0.05, steps=100)
assert 2.13 < narrow < 2.15

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels with two bell curves each, of standard deviation 2.14. Left, open book: one curve around 0, the other around 1, clearly apart. Right, secret book: one around 0, the other a mixture of 95 percent of it and 5 percent of a curve around 1; the two nearly coincide. An inset shows their difference 20 times as large: a small wave, below zero on the left and above zero on the right."}}
fig, panels = plt.subplots(1, 2, figsize=(8.2, 2.9), sharey=True)
at = np.linspace(-7, 8, 400)

def bell(centre):
    return np.exp(-(((at - centre) / narrow) ** 2) / 2) / (narrow * np.sqrt(2 * np.pi))

for ax, share, title in zip(panels, (1, 0.05), ("Open book: she is in this step", "Secret book: she is in it once in 20 times")):
    ax.plot(at, bell(0), color=PALETTE[0], lw=2)
    ax.plot(at, (1 - share) * bell(0) + share * bell(1), color=PALETTE[1], lw=2, ls="--")
    ax.set(title=title, xlabel="noisy sum in Anna's direction, in C", yticks=[], ylim=(0, 0.2))
panels[0].text(-2.3, 0.165, "without Anna", color=PALETTE[0], weight="bold", ha="right")
panels[0].text(3, 0.165, "with Anna", color="#a63d00", weight="bold")
panels[1].text(-2.3, 0.165, "without Anna", color=PALETTE[0], weight="bold", ha="right")
panels[1].text(3, 0.165, "with Anna", color="#a63d00", weight="bold")
inset = panels[1].inset_axes([0.66, 0.36, 0.33, 0.34])
inset.plot(at, bell(1) - bell(0), color="#4a5058", lw=1.5)      # 20 times the difference: 1 / 0.05
inset.axhline(0, color="#767676", lw=0.8)
inset.set(xticks=[], yticks=[])
inset.set_title("difference, × 20", fontsize=8.5, color="#4a5058");

# %% [markdown]
# (networks-five-things)=
# ### What a secret sample takes
#
# For the secret to count, five things have to be true:
#
# * each person's coin is tossed anew in each step;
# * nobody learns the lists, nor how many people were in a step;
# * the sum is divided by a public number near qN, and not by the number of people who came;
# * a step in which nobody came gets its noise like every other;
# * nobody can see from the outside who takes part. If taking part means a visit to the clinic, the waiting room tells.
#
# Opacus tosses such coins unless it is told otherwise. With everybody in all K steps the noise is $\sigma = \sqrt K / \mu$, with μ = 0.268 for ε = 1 and δ = 10⁻⁵, so 37.3 for K = 100. This is exact, not an upper bound.
#
# (networks-neighbours)=
# ### Which neighbours
#
# The open book must not tell whether Anna agreed to take part. If she were taken off a list that is dealt out, everybody behind her would move up one place, and many sums would change. So her slot stays if she does not agree, and only her contribution is zero. Such neighbours are called **zero-out**. It makes a difference only where slots are dealt out. A coin for Anna, or a step with everybody, takes nobody else's place, so that there zero-out and *add or remove one* take the same noise.
#
# *Why the list of five things?* Without fresh coins the steps would not be independent. The number of people in a step is larger by one if Anna is there, and a sum that is divided by it tells the same. Missing noise would tell that nobody came. For records it is easy to hide who takes part.
#
# *If a person is replaced* by another, and not added or removed, the sum moves by up to 2C. With everybody in each step this takes exactly twice the noise. Poisson samples take less than twice, 1.97 times for q = 0.25 and 1.06 times for q = 0.01, as the next section shows.

# %% [markdown]
# (networks-replace)=
# ## Replacing a person
#
# If a person is replaced, the worst pair of a Poisson step is $(1-q)N(0,\sigma^2) + qN(1,\sigma^2)$ against $(1-q)N(0,\sigma^2) + qN(-1,\sigma^2)$ {cite}`lebeda2024`: she pulls up, or the other person pulls down, and neither is there with probability $1-q$. The last two rows above check this pair with the second account. Doubling the noise of *add or remove one* would do as well. How much it would waste:

# %% tags=["hide-input"]
rates, levels = (0.25, 0.05, 0.01), (1, 3) if effort >= 0.5 else (1,)
ratios = pd.DataFrame({f"q = {q:g}": {f"ε = {e}": noise_multiplier(e, delta, sampling=q, steps=100, neighbours=REPLACE_ONE) / noise_multiplier(e, delta, sampling=q, steps=100) for e in levels} for q in rates})
assert ((ratios > 1) & (ratios < 2.003)).all(axis=None)
assert round(ratios.loc["ε = 1", "q = 0.25"], 2) == 1.97 and round(ratios.loc["ε = 1", "q = 0.01"], 2) == 1.06
ratios.style.format("{:.2f}")

# %% [markdown]
# σ for *replace one* over σ for *add or remove one*, 100 steps. With everybody in each step the ratio is 2. It falls where samples are small and ε is large, because the noise is narrow there. The noise multipliers themselves at ε = 1:

# %% tags=["hide-input"]
pair = pd.DataFrame({name: {"everybody" if q == 1 else f"q = {q:g}": noise_multiplier(1, delta, sampling=q, steps=100, **options) for q in (1, *rates)}
                     for name, options in (("σ, add or remove one", {}), ("σ, replace one", {"neighbours": REPLACE_ONE}))})
pair["ratio"] = pair["σ, replace one"] / pair["σ, add or remove one"]
assert np.isclose(pair["ratio"].iloc[0], 2) and (pair["ratio"].diff().iloc[1:] < 0).all() and pair["ratio"].iloc[-1] < 1.1
pair.style.format("{:.2f}")

# %% [markdown]
# Why do Poisson samples take less than twice the noise? Here is one step of each kind, with the same noise. It is drawn narrower than the account needs, so that the tails can be seen:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels of three curves, probability on a logarithmic axis against the noisy sum. Left, everybody in each step: three parabolas, another person in her place at minus one, nobody at zero, Anna at one, all apart. Right, once in a hundred times: in the tail on the right the curves of nobody and of another person lie on each other, and Anna’s is far above both; in the tail on the left it is the other way round."}}
fig, panels = plt.subplots(1, 2, figsize=(8.4, 2.9), sharey=True)
at, wide = np.linspace(-4, 4, 400), 0.6
for ax, share, title in zip(panels, (1, 0.01), ("Everybody in each step: three worlds", "She in 1 of 100: two worlds in a tail")):
    for centre, colour, dash in ((-1, PALETTE[3], ":"), (0, PALETTE[0], "-"), (1, PALETTE[1], "--")):
        height = (1 - share) * np.exp(-((at / wide) ** 2) / 2) + share * np.exp(-(((at - centre) / wide) ** 2) / 2)
        ax.semilogy(at, height / (wide * np.sqrt(2 * np.pi)), color=colour, ls=dash, lw=2)
    ax.set(title=title, xlabel="noisy sum in Anna's direction, in C", ylim=(1e-8, 5), xlim=(-4, 4))
panels[0].set(ylabel="probability density")
panels[1].text(2.6, 1e-3, "Anna", color="#a63d00", weight="bold")
panels[1].text(2.15, 3e-7, "nobody, or\nanother person", color=PALETTE[0], weight="bold", ha="right")
panels[0].text(1.1, 1.8, "Anna", color="#a63d00", weight="bold", va="center")
panels[0].text(0, 1.8, "nobody", color=PALETTE[0], weight="bold", ha="center", va="center")
panels[0].text(-1, 1.8, "another person", color=PALETTE[3], weight="bold", ha="right", va="center");

# %% tags=["remove-cell"]
replaced = [[(1 - q) + q * np.exp((3 * centre - centre**2 / 2) / wide**2) for centre in (1, 0, -1)] for q in (1, 0.01)]      # densities over that of nobody, at a sum of 3 C
assert replaced[0][0] / replaced[0][2] > 1000 and abs(replaced[1][1] / replaced[1][2] - 1) < 0.011 and replaced[1][0] > 10

# %% [markdown]
# On the left Anna is twice as far from another person as from nobody. On the right look at sums above 2 C, which give her away. There *nobody* and *another person* look alike, since the other person would also come only once in a hundred times.
#
# That 3.73 for q = 0.05 and *replace one* is also the noise of a single sum with everybody at ε = 1 is a coincidence.
#
# (networks-speed)=
# ## How fast
#
# Clipped sums in float32 on one thread, measured while this page was made, so that the numbers vary with what else the machine does. The loop is what a first program would do.

# %% tags=["hide-input"]
def rate(task, *arguments, people, seconds=0.15 + 0.35 * effort):
    """People a second: the best of repeated runs."""
    task(*arguments, people, 0.1)
    best, until = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < until:
        first = time.perf_counter()
        task(*arguments, people, 0.1)
        best = min(best, time.perf_counter() - first)
    return len(people) / best

speeds = []
for sizes, horizon in (((7, 16, 16, 1), 36), ((7, 64, 64, 1), 36), ((7, 256, 256, 1), 24)):
    model, people = network(sizes, torch.float32), some_days(128, horizon, 7, 1, torch.float32)
    few = people.people(slice(0, 16))
    speeds.append({"network": "-".join(map(str, sizes)), "H": horizon, "loop": rate(by_loop, model, people=few),
                   "vmap": rate(by_vmap, model, people=people), "core": rate(clipped_sum, model, squared_error, people=people)})
speeds = pd.DataFrame(speeds)
speeds["core over loop"] = speeds["core"] / speeds["loop"]
speeds.style.hide().format({"loop": "{:,.0f}", "vmap": "{:,.0f}", "core": "{:,.0f}", "core over loop": "{:.0f}"})

# %% [markdown]
# People a second. `python -m bench.person_gradients` measures more sizes, and beside them three engines of Opacus.
#
# ```{exercise}
# :label: ex-networks-gram
# For which days are the two ways to a length most different in cost: $\lVert A^\top U\rVert$ by the product, and by Gram matrices? Count multiplications for H half hours, n inputs and m outputs.
# ```
#
# ```{solution} ex-networks-gram
# :class: dropdown
# The product takes $Hnm$ multiplications, the Gram matrices $H^2(n + m)$ and $H^2$ more. Gram matrices win for short days and wide layers, about where $nm > H(n + m)$, and lose for long days. The core switches by measurement, where $nm > 16H^2$, since one large product is faster than two small ones.
# ```
#
# ## To take away
#
# * Four ways to the same clipped sum agree to 1e-10 in float64.
# * A length in float32 from Gram matrices lets crafted records through. The core's does not.
# * The noise multipliers of the chapter are right within 0.5 %, by an account of our own that encloses ε from both sides.
# * Replacing a person takes between 1 and 2 times the noise of adding one; doubling is safe.
