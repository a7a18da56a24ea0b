# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'What ε = 1 means to an attacker: right guesses, beliefs, advantage and detections, for pure and for
#         Gaussian releases, side by side.'
# ---

# %% [markdown]
# # What does ε = 1 mean?
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A clinic promises ε = 1. How much does this limit an attacker?
# * **The answer.** ε limits the *most telling* publication. How often an attacker is right is an average over all of
#   them, so it depends on the kind of noise as well.
# * **What you need.** {doc}`02_a_promise`.
# * **How long.** About 10 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.special import expit, logit, ndtr
from scipy.stats import norm

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, show
from privrl_core.privacy import (
    REPLACE_ONE, Guarantee, Status, Unit, advantage_ceiling, belief_ceiling, detection_ceiling, gaussian_advantage_ceiling,
    gaussian_detection_ceiling, gaussian_mu, right_guess_ceiling)

use_theme()

# %% [markdown]
# An attacker knows everybody's records except Anna's, and asks one question about her: *did she skip her medicine?* Before the clinic
# publishes, a coin would be right 50 times in 100.
#
# Two clinics promise ε = 1 to each patient. The first uses **pure** noise, with δ = 0: Anna tosses a bent coin and tells the truth with
# probability $e/(1 + e)$, the opposite otherwise. No other pure noise with ε = 1 lets an attacker be right more often. The second adds Gaussian noise to a count, by {ref}`the recipe <recipe>`, with δ = 10⁻⁵.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Against which clinic is the best attacker right more often?**
#
# * against neither: both promise ε = 1
# * against pure noise, by far
# * against Gaussian noise, because its δ is not 0
# ```

# %% tags=["remove-cell"]
def promise(epsilon, noise):
    """A release with this ε: of pure noise, or of Gaussian noise at the δ of this page."""
    mu = float(gaussian_mu(epsilon, delta)) if noise == "Gaussian" else None
    return Guarantee(epsilon, delta if mu else 0.0, Unit("one answer"), REPLACE_ONE, Status.PROVED, "noise", mu=mu)

def readings(guarantee):
    """What the best attacker can do against this promise."""
    epsilon, mu = guarantee.epsilon, guarantee.mu
    return {
        "right guesses": right_guess_ceiling(guarantee),
        "belief, from 1 %": belief_ceiling(guarantee, 0.01)[0],
        "belief, from 10 %": belief_ceiling(guarantee, 0.1)[0],
        "belief, from 50 %": belief_ceiling(guarantee, 0.5)[0],
        "advantage": float(gaussian_advantage_ceiling(mu) if mu else advantage_ceiling(epsilon, 0)),
        "detections": float(gaussian_detection_ceiling(0.01, mu) if mu else detection_ceiling(0.01, epsilon, 0))}


kinds = ("pure", "Gaussian")
pure, gaussian = (readings(promise(1.0, kind)) for kind in kinds)
mu = float(gaussian_mu(1.0, delta))

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels: how sure of a yes an attacker is after a publication, who started at 50 %. With pure noise there are two bars, at 27 % and at 73 %, each for half of the publications. With Gaussian noise there is a hump around 50 %, which hardly reaches 27 % and 73 %."}}
edges = np.arange(0, 101, 2)
losses = logit(np.clip(edges / 100, 1e-12, 1 - 1e-12))          # the logarithm of the odds; normal in each world
spread = np.diff(sum(norm.cdf(losses, side * mu**2 / 2, mu) for side in (1, -1)) / 2)
fig, axes = plt.subplots(1, 2, figsize=(7.5, 3.1), sharex=True)
axes[0].bar(100 * expit([-1, 1]), [50, 50], width=2, color=PALETTE[1])
axes[1].bar(edges[:-1] + 1, 100 * spread, width=2, color=PALETTE[0])
for ax, title in zip(axes, ("Pure noise: always 27 % or 73 %", "Gaussian noise: mostly near 50 %")):
    for at in 100 * expit([-1, 1]):
        ax.axvline(at, color="#6b7480", ls=":", lw=1.2)
    ax.set(title=title, xlabel="belief that Anna said yes, in %", xticks=[0, 27, 50, 73, 100])
    ax.grid(False, axis="x")
axes[0].set(ylabel="of 100 publications");

# %% tags=["remove-input"]
md(f"**The answer.** Against pure noise the best attacker is right {100 * pure['right guesses']:.1f} times in 100, against Gaussian noise only "
   f"{100 * gaussian['right guesses']:.1f} times. The picture shows why: it collects how sure of a *yes* an attacker is after each publication, "
   "having started at 50 %. The dotted lines are as far as ε = 1 lets the belief go. Pure noise goes there every time. Gaussian noise hardly "
   "ever does. So the same ε does not mean the same risk. And δ limits what happens beyond the dotted lines: at 10⁻⁵ it is "
   "far too little to make up for this.")

# %% [markdown]
# ## Six numbers, one picture
#
# Every number that is said about an attacker follows from how far a publication moves the odds, and the picture shows this for even odds. An attacker who is 73 % sure bets on *yes* and is right 73 times in
# 100. So **right guesses are the average of the belief in the likelier answer**.

# %% tags=["remove-input"]
def percent(share):
    return f"{100 * share:.1f} %"

starts = {start: (pure[f"belief, from {start}"], gaussian[f"belief, from {start}"]) for start in ("50 %", "10 %", "1 %")}
loss = logit(starts["50 %"][1])
how = {start: f"odds of 1 to {no}, times 2.7 or {np.exp(loss):.1f}" for start, no in (("50 %", 1), ("10 %", 9), ("1 %", 99))}
rows = [("**Right guesses**", f"{100 * pure['right guesses']:.1f} in 100", f"{100 * gaussian['right guesses']:.1f} in 100",
         "average belief in the likelier answer"),
        ("**Advantage**", f"{pure['advantage']:.3f}", f"{gaussian['advantage']:.3f}", "2 × right guesses − 1; a coin has 0"),
        ("**Detections** at 1 % false alarms", percent(pure["detections"]), percent(gaussian["detections"]),
         f"2.7 times 1 %; Gaussian: two bell curves, {mu:.3f} apart"),
        *((f"**Belief** from {start}, exceeded in at most 2 of 100,000 cases", percent(values[0]), percent(values[1]), how[start]) for start, values in starts.items())]
md("| at ε = 1 | pure noise | Gaussian noise | how it follows |\n|---|---|---|---|\n" + "\n".join("| " + " | ".join(row) + " |" for row in rows))

# %% tags=["remove-input"]
md(f"The first three rows tell how often an attacker is right, and Gaussian noise has the smaller numbers. The last three are about the "
   f"most telling publications, and there Gaussian noise is worse: the odds may grow {np.exp(loss):.1f} times, where pure noise never allows more than $e$ = 2.7 times. "
   f"The {np.exp(loss):.1f} comes from the two bell curves: an event with a probability of 2 in 100,000, that is 2δ, in one world can be at most {np.exp(loss):.1f} times rarer in the other. "
   f"So publications that raise the odds further are rarer still.")

# %% [markdown]
# * **Detections** answer another question. A test accuses 1 % of the people who said *no*, and this is the share of the people who said
#   *yes* that it finds. Blind guessing finds 1 %.
# * With pure noise, a **belief** that starts at 1 % ends nearly at the same number as the detections, because both multiply something small by
#   2.7. The same ε moves a rare belief only a little: from 1 % to 2.7 %.
#
# ## Other values of ε
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **At which ε does the best attacker of *Gaussian* noise reach 73 right guesses in 100?** Choose, then move ε.
#
# * ε = 1.5
# * ε = 2.5
# * ε = 5.5
# ```

# %% tags=["remove-input"]
slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=61, steps=60, low_end="hard to guess", high_end="easy to guess")

def ceiling(name, kind):
    return Table((slider,), [100 * readings(promise(e, kind))[name] for e in slider.grid], scale="linear")

right, found = ([ceiling(name, kind) for kind in kinds] for name in ("right guesses", "detections"))

explore(
    name="what_epsilon_means", sliders=[slider], x=slider, y=Axis("right", "right guesses in 100", 50, 100, scale="linear"),
    curves=[Curve("pure noise", right[0]), Curve("Gaussian noise", right[1])],
    readouts=[Readout("pure", "right guesses, pure", right[0], unit="in 100"), Readout("gaussian", "right guesses, Gaussian", right[1], unit="in 100"),
              Readout("found_pure", "detections, pure", found[0], unit="in 100"),
              Readout("found_gaussian", "detections, Gaussian", found[1], unit="in 100")],
    guarantee=f"ε = {{epsilon}} for one answer (replace one), proved; δ = 0 for pure noise, δ = {show(delta)} for Gaussian noise.",
    alt="Right guesses of the best attacker against ε, for pure and for Gaussian noise; the Gaussian curve is lower. At ε = {epsilon} they are {pure} "
        "and {gaussian} in 100, and {found_pure} and {found_gaussian} in 100 are detected at 1 % false alarms.",
    caption="Upper bounds for every attacker, and some attacker reaches each of them. Detections are at 1 % false alarms.")

# %% [markdown]
# **What you should see.** At ε = 5.5 or so. At 2.5 the attacker is right 62 times in 100. Pure noise gives 73 right guesses at ε = 1, and at
# ε = 5 it gives 99: an attacker is nearly always right. So an ε of 5 may be a weak promise or a fair one. Ask which noise was used, or for
# the number μ of {doc}`03_noise_that_keeps_it`.

# %% tags=["remove-input"]
columns = {"right guesses in 100": ("right guesses", 100), "detections in 100": ("detections", 100), "belief in %, from 10 %": ("belief, from 10 %", 100)}
table = pd.DataFrame({(words, kind): {f"{e:g}": scale * readings(promise(e, kind))[name] for e in (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)}
                      for words, (name, scale) in columns.items() for kind in kinds})
table.index.name = "ε"
table.style.format("{:.1f}").set_caption(f"Upper bounds for every attacker. Gaussian noise at δ = {show(delta)}")

# %% [markdown]
# Where the bounds come from: {cite:t}`kairouz2015` for pairs (ε, δ), {cite:t}`dong2022` for Gaussian releases. The same numbers by another
# route, and all readings at each ε, are {ref}`checked <epsilon-means-checked>`.
#
# ## Check yourself
#
# **A hospital releases a model by Gaussian noise with ε = 1. The press writes: "An attacker can now be right about you 73 times in 100." Is that so?**
#
# ```{dropdown} Yes, this is what ε = 1 means.
# It is what ε = 1 *allows*. Gaussian noise at this ε allows 55.
# ```
# ```{dropdown} No, 55 times in 100, on average.
# ✓ Right. A rare publication may still make the attacker 73 % sure or more, and the rare ones are what ε limits.
# ```
# ```{dropdown} No, at most 2.7 times in 100.
# That is the share of people detected at 1 % false alarms, with pure noise. It answers another question.
# ```
#
# ## To take away
#
# * ε limits the most telling publication: an attacker's odds grow at most $e^\varepsilon$ times.
# * Right guesses average over all publications. At ε = 1 the best attacker is right 73 times in 100 against pure noise, and 55 times
#   against Gaussian noise.
# * At ε = 5 or 10 a pure promise hardly limits anybody. A Gaussian release may still protect.
# * Compare promises by one of these readings, for the same unit and neighbours. ε alone does not decide.

# %% tags=["remove-cell"]
# what the text above says
assert pure["right guesses"] < 0.735 and gaussian["right guesses"] < 0.56 and gaussian["right guesses"] > 0.55
assert all(np.isclose(r["advantage"], 2 * r["right guesses"] - 1) for r in (pure, gaussian))
# right guesses are the average belief in the likelier answer: by the same losses, finely
grid = np.linspace(-8 * mu, 8 * mu, 400_001)
often = sum(norm.pdf(grid, side * mu**2 / 2, mu) for side in (1, -1)) / 2
assert np.isclose(np.trapezoid(often * np.maximum(expit(grid), expit(-grid)), grid), gaussian["right guesses"], atol=1e-6)
assert np.isclose(ndtr(mu / 2), gaussian["right guesses"]) and np.isclose(expit(1.0), pure["right guesses"])
by_epsilon = {e: readings(promise(e, "Gaussian"))["right guesses"] for e in (1.5, 2.5, 5.5)}
assert 0.57 < by_epsilon[1.5] < 0.58 and round(100 * by_epsilon[2.5]) == 62 and round(100 * by_epsilon[5.5]) == 73
assert round(100 * readings(promise(5.0, "pure"))["right guesses"]) == 99
assert norm.sf(1.0, mu**2 / 2, mu) < 0.001                      # beyond the dotted line: one Gaussian release in a thousand, at most
assert 0.0266 < pure["belief, from 1 %"] < 0.0268 and 0.0271 < pure["detections"] < 0.0272 and round(np.exp(1), 1) == 2.7
assert delta == 1e-5 and np.isclose(np.exp(loss), 2 * delta / norm.cdf(norm.ppf(2 * delta) - mu))    # 2 of 100,000, and 3.3 times
