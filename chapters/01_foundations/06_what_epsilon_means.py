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
#   them, so it depends on something else as well.
# * **What you need.** {doc}`02_a_promise`; Laplace and Gaussian noise from {doc}`03_noise_that_keeps_it`.
# * **How long.** About 10 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.special import expit, logit, ndtr
from scipy.stats import norm

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, show
from privrl_core.pages.game import Beside, Dial, Draws, Noisy, Number, World, play
from privrl_core.privacy import (
    REPLACE_ONE, GaussianWorlds, Guarantee, LaplaceWorlds, Status, Unit, advantage_ceiling, belief_ceiling, detection_ceiling,
    gaussian_advantage_ceiling, gaussian_detection_ceiling, gaussian_mu, right_guess_ceiling)

use_theme()

# %% [markdown]
# ## Three clinics, one ε
#
# Three clinics ask a hundred patients: *Did you skip your medicine?* Each publishes how many said yes, and each promises ε = 1. An attacker knows that 30 of the other 99 said yes, and asks about Anna.
#
# * The first clinic lets each patient answer with a **bent coin**: an answer is counted as it is with probability $e/(1 + e) = 0.73$, and as the opposite otherwise. To make the clinics comparable, this attacker is told how the other 99 were *counted*, 30 of them as a yes. So only Anna's own coin hides her, and not the coins of the others as well.
# * The second adds **Laplace noise**, with δ = 0 like the coin.
# * The third adds **Gaussian noise**, by {ref}`the recipe <recipe>`, with δ = 10⁻⁵.
#
# ```{admonition} Guess first
# :class: hint guess right-1
# **Against which clinic is the best attacker right most often?** Choose, then play five rounds against each.
#
# * against the bent coin, because it knows only two answers
# * against Gaussian noise, because its δ is not 0
# * against all three equally often: each promises ε = 1
# ```
#
# ### Play: did Anna say yes?

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

# %% tags=["remove-input"]
rng, n_draws = np.random.default_rng(seed), 1_000
truth = np.array([[31.0], [30.0]])
tossed = 30.0 + (rng.random((2, n_draws)) < expit([[1.0], [-1.0]]))
laplace = truth + rng.laplace(size=(2, n_draws))
worlds = GaussianWorlds(means=truth, scales=1 / mu)
play(
    name="three_clinics", question="30 of the others said yes. Did Anna?",
    worlds=[World("yes", "she said yes", "Anna said yes."), World("no", "she said no", "Anna said no.")],
    picture=Number("The published number", y="patients who said yes, published", low=18, high=43, beside=[Beside("if Anna said yes", [31], world=0), Beside("if she said no", [30], world=1)]),
    levels=[Draws("bent coin", tossed[..., None], log_ratios=2 * tossed - 61, ceiling=right_guess_ceiling(promise(1.0, "pure")), guarantee="ε = 1, δ = 0 for one answer (replace one), proved."),
            Draws("Laplace noise", laplace[..., None], log_ratios=np.abs(laplace - 30) - np.abs(laplace - 31), ceiling=LaplaceWorlds(means=truth, scales=1.0).ceiling, guarantee="ε = 1, δ = 0 for one answer (replace one), proved."),
            Noisy("Gaussian noise", worlds, guarantee=f"ε = 1, δ = {show(delta)} for one answer (replace one), proved.")],
    noise=rng.normal(size=10_000), stages=("rounds", "dial"), rounds=5,
    dial=Dial("noise, of which each promises ε = 1", low_end="bent coin", high_end="Gaussian noise", first="Now Laplace noise", next="Now Gaussian noise"),
    caption="The attacker knows the other 99 answers, as you do. A coin decides about Anna in each round.",
    alt="One number is published: how many of a hundred patients said yes, with one of three kinds of noise.")

# %% tags=["remove-input"]
of_laplace = LaplaceWorlds(means=truth, scales=1.0).ceiling
md(f"**The answer.** Against the bent coin: the best attacker is right {100 * pure['right guesses']:.1f} times in 100. With Laplace noise it is {100 * of_laplace:.1f} times, and with Gaussian noise only {100 * gaussian['right guesses']:.1f} times. "
   "The promise limits the *most telling* publication. The coin says as much as ε = 1 allows every time, Laplace noise often, and Gaussian noise hardly ever. Noise with δ = 0 is called *pure*. The coin is the worst pure noise: with any other, an attacker is right at most as often. A δ of 10⁻⁵ can add at most one right guess in 100,000.")

# %% [markdown]
# ## Three readings of one promise
#
# Books and papers say in different ways what ε = 1 means. Start with an attacker who thinks beforehand that Anna said yes with a probability of 50 %. How sure is the attacker after a publication? The bars say how many of 100 publications lead to which belief, if Anna said yes in half of all cases, and how far they reach says how sure an attacker can become:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three panels: how sure of a yes an attacker is after a publication, who started at 50 %. With the bent coin there are two bars, at 27 % and at 73 %, each for half of the publications. With Laplace noise there are two bars at the same places, each for a third, and a few publications for each belief between them. With Gaussian noise there is a hump around 50 %, which hardly reaches 27 % and 73 %."}}
edges = np.arange(0, 101, 2)
losses = logit(np.clip(edges / 100, 1e-12, 1 - 1e-12))          # the logarithm of the odds; normal in each world
spread = np.diff(sum(norm.cdf(losses, side * mu**2 / 2, mu) for side in (1, -1)) / 2)
ends = (1 + np.exp(-1)) / 4                                      # Laplace noise: a number above 31, over both worlds; and below 30
between = np.diff([(np.exp((np.clip(loss, -1, 1) - 1) / 2) - np.exp((-np.clip(loss, -1, 1) - 1) / 2)) / 4 for loss in losses])
fig, axes = plt.subplots(1, 3, figsize=(9, 2.7), sharex=True)
axes[0].bar(100 * expit([-1, 1]), [50, 50], width=2, color=PALETTE[1])
axes[1].bar(edges[:-1] + 1, 100 * between, width=2, color=PALETTE[2])
axes[1].bar(100 * expit([-1, 1]), [100 * ends, 100 * ends], width=2, color=PALETTE[2])
axes[2].bar(edges[:-1] + 1, 100 * spread, width=2, color=PALETTE[0])
for ax, title in zip(axes, ("Bent coin: always 27 or 73", "Laplace: often 27 or 73", "Gaussian: mostly near 50")):
    for at in 100 * expit([-1, 1]):
        ax.axvline(at, color="#6b7480", ls=":", lw=1.2)
    ax.set(title=title, xlabel="belief in a yes, in %", xticks=[0, 27, 50, 73, 100])
    ax.grid(False, axis="x")
axes[0].set(ylabel="of 100 publications");

# %% tags=["remove-input"]
beyond_yes, beyond_no = (1e7 * norm.sf(1, side * mu**2 / 2, mu) for side in (1, -1))     # the loss of a Gaussian release is normal
found_by = [100 * pure["detections"], 100 * np.e * 0.01, 100 * gaussian["detections"]]
md("The readings answer different questions:\n\n"
   "* How **sure** can the attacker become? With the coin and with Laplace noise, never surer than 73 %, of a yes or of a no: the dotted lines. With Gaussian noise a few publications lead beyond 73 %, too few to be seen as a bar: "
   f"{beyond_yes / 100:.1f} of 100,000 if Anna said yes, and {beyond_no / 100:.2f} if she said no. An ε of 1 alone allows $e$ = 2.72 times as many after a yes as after a no, which is {np.e * beyond_no / 100:.1f}. The remaining 1 of 100,000 is the δ.\n"
   "* How often is the attacker **right**? The attacker bets on the likelier answer. After a belief of 73 % in a yes this is right 73 times in 100, after 50 % only 50 times. The bars tell how often each of this happens.\n"
   "* How many does a test **find**? Some attackers must not accuse the wrong people. Suppose that a test accuses only 1 of 100 patients who said no. Without the publication, it would also find only 1 of 100 who said yes. "
   f"With the coin it finds up to {found_by[0]:.2f}, and with Gaussian noise {found_by[2]:.2f}.")

# %% tags=["remove-input"]
rows = [("How **sure** of a yes can an attacker become, from 50 %?", f"{100 * pure['belief, from 50 %']:.1f} %", f"{100 * pure['belief, from 50 %']:.1f} %", f"{100 * pure['belief, from 50 %']:.1f} %, and more in {beyond_yes / 100:.0f} of 100,000 cases after a yes"),
        ("How often is the best attacker **right**?", *(f"{100 * number:.1f} in 100" for number in (pure["right guesses"], of_laplace, gaussian["right guesses"]))),
        ("How many does a test **find** that accuses 1 in 100 wrongly?", *(f"{number:.2f} in 100" for number in found_by))]
md("| at ε = 1 | bent coin | Laplace noise | Gaussian noise |\n|---|---|---|---|\n" + "\n".join("| " + " | ".join(row) + " |" for row in rows)
   + f"\n\nSome papers give the **advantage**, twice the right guesses minus 1: {pure['advantage']:.3f} for the coin, {2 * of_laplace - 1:.3f} for Laplace and {gaussian['advantage']:.3f} for Gaussian noise.")

# %% [markdown]
# ## Other values of ε
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Against the coin the best attacker is right 73 times in 100 at ε = 1, and 99 times at ε = 5. **How often is the best attacker of *Gaussian* noise right at ε = 5?** Choose, then move ε.
#
# * 99 times as well, because the promise is the same
# * about 71 times
# * still about 55 times, because δ is the same
# ```

# %% tags=["remove-input"]
slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=61, steps=60, low_end="hard to guess", high_end="easy to guess")

def ceiling(name, kind):
    return Table((slider,), [100 * readings(promise(e, kind))[name] for e in slider.grid], scale="linear")

right, found = ([ceiling(name, kind) for kind in kinds] for name in ("right guesses", "detections"))

explore(
    name="what_epsilon_means", sliders=[slider], x=slider, y=Axis("right", "right guesses in 100", 50, 100, scale="linear"),
    curves=[Curve("bent coin, the worst pure noise", right[0]), Curve("Gaussian noise", right[1])],
    readouts=[Readout("pure", "right guesses, pure noise at most", right[0], unit="in 100"), Readout("gaussian", "right guesses, Gaussian noise", right[1], unit="in 100"),
              Readout("found_pure", "found by a test, pure noise at most", found[0], unit="in 100"),
              Readout("found_gaussian", "found by a test, Gaussian noise", found[1], unit="in 100")],
    guarantee=f"ε = {{epsilon}} for one answer (replace one), proved; δ = 0 for pure noise, δ = {show(delta)} for Gaussian noise.",
    alt="Right guesses of the best attacker against ε, for pure and for Gaussian noise; the Gaussian curve is lower. At ε = {epsilon} they are {pure} "
        "and {gaussian} in 100, and a test that accuses 1 in 100 wrongly finds {found_pure} and {found_gaussian} in 100.",
    caption="Upper bounds for every attacker, and some attacker reaches each of them. The test accuses 1 in 100 wrongly. Where it says 100, it is a little less.")

# %% [markdown]
# **What you should see.** About 71 times. Gaussian noise reaches the 73 of the coin at ε = 5.5 or so. At 2.5 its attacker is right 62 times in 100, and at 9.5 already 83 times. So an ε of 5 may be a promise that hardly limits anybody, or one that still protects. Ask which noise was used, or for
# the number μ of {doc}`03_noise_that_keeps_it`, which tells the right guesses without asking: 55 at μ = 0.25, 60 at 0.5, 69 at 1 and 84 at 2.

# %% [markdown]
# ## One patient, worked out
#
# Back to the third clinic, at ε = 1. Before the publication an attacker thought that Anna said yes with a probability of 10 %. Of the others, 30 said yes. The clinic publishes **40**.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **How sure of Anna's yes is the attacker now?**
#
# * about 11 %
# * about 18 %
# * about 90 %
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "The belief in a yes after a published number, for an attacker who started at 10 %: a line that climbs from 7 % at 25 over 10 % at 30.5 to 24 % at 45, with dots at 35, 13 %, at 40, 18 %, and at 45, 24 %. A dotted line marks 23 %, where the bent coin leads."}}
def factor(number):
    """How much likelier this number is if Anna said yes."""
    return np.exp((number - 30.5) * mu**2)

def belief(number):
    return factor(number) / (9 + factor(number))

numbers = np.linspace(22, 47, 200)
fig, ax = plt.subplots(figsize=(7.2, 3.0))
ax.plot(numbers, 100 * belief(numbers), color=PALETTE[0], lw=2.2)
ax.axhline(100 * np.e / (9 + np.e), color=PALETTE[1], ls=":", lw=1.6)
ax.text(22.2, 100 * np.e / (9 + np.e) + 0.5, "the bent coin, each time that it says yes", color=PALETTE[1], weight="bold", va="bottom")
for number, rare in ((30.5, "more than half"), (35, "1 in 7"), (40, "1 in 125"), (45, "1 in 11,000")):
    ax.plot(number, 100 * belief(number), "o", color=PALETTE[0], ms=7)
    ax.text(number - 0.3, 100 * belief(number) + 0.5, f"{100 * belief(number):.0f} %", color=PALETTE[0], weight="bold", ha="right", va="bottom")
    ax.text(number, 1.2, rare, color="#5f6368", ha="center")
ax.text(22.2, 1.2, "after a yes, this\nnumber or more:", color="#5f6368")
ax.set(xlim=(22, 47), ylim=(0, 28), xlabel="published number", ylabel="belief in a yes, in %", xticks=[25, 30, 35, 40, 45], title="Gaussian noise: a number has to be far out, and rare, to tell much");

# %% tags=["remove-input"]
at_40 = factor(40)
md(f"**The answer.** About {100 * belief(40):.0f} %. Before, the odds are 1 to 9. The noise has a standard deviation of {1 / mu:.2f}, so the number 40 is {at_40:.1f} times as likely with 31 yeses as with 30. Afterwards the odds are {at_40:.1f} to 9, and this is {100 * belief(40):.0f} %. "
   "It is not 90 %, because 40 is rare in both worlds, and only the ratio of the two probabilities counts.")

# %% tags=["remove-input"]
md(f"A bent coin that says yes multiplies the odds by {np.e:.2f} and leads from 10 % to {100 * np.e / (9 + np.e):.0f} %, and it says yes 73 times in 100 if Anna did. Gaussian noise needs a number of about 44 for that, which hardly ever comes. And from 1 % even the coin only leads to "
   f"{100 * pure['belief, from 1 %']:.1f} %: a rare belief stays a rare belief.")

# %% [markdown]
# Where the bounds come from: {cite:t}`kairouz2015` for pairs (ε, δ), {cite:t}`dong2022` for Gaussian releases. The evidence lets the best attackers play against these bounds, and gives all readings {ref}`at six values of ε <epsilon-means-checked>`.
#
# ## Check yourself
#
# **A hospital releases a model by Gaussian noise with ε = 1 and δ = 10⁻⁵. The press writes: "An attacker can now be right about you 73 times in 100." Is that so?**
#
# ```{dropdown} Yes, this is what ε = 1 means.
# It is what ε = 1 *allows*. Gaussian noise at this ε and δ allows 55.
# ```
# ```{dropdown} No, 55 times in 100, on average.
# ✓ Right. A rare publication may still make the attacker 73 % sure or more, and the rare ones are what ε limits.
# ```
# ```{dropdown} No, at most 2.7 times in 100.
# So many of 100 are found by a test that accuses 1 in 100 wrongly, with pure noise. It answers another question.
# ```
#
# ## To take away
#
# * ε limits the most telling publication: an attacker's odds grow at most $e^\varepsilon$ times, except in the rare cases that δ allows.
# * Right guesses average over all publications. At ε = 1 the best attacker is right at most 73 times in 100 against pure noise, and 55 times
#   against Gaussian noise with δ = 10⁻⁵.
# * At ε = 5 or 10 a pure promise hardly limits anybody. A Gaussian release may still protect.
# * Compare promises by one of these readings, for the same unit and neighbours. ε alone does not decide.
#
# Next: {doc}`07_choosing_one`, where a clinic publishes a name in place of numbers.

# %% tags=["remove-cell"]
# what the text above says
assert pure["right guesses"] < 0.735 and gaussian["right guesses"] < 0.56 and gaussian["right guesses"] > 0.55
assert all(np.isclose(r["advantage"], 2 * r["right guesses"] - 1) for r in (pure, gaussian))
# right guesses are the average belief in the likelier answer: by the same losses, finely
grid = np.linspace(-8 * mu, 8 * mu, 400_001)
often = sum(norm.pdf(grid, side * mu**2 / 2, mu) for side in (1, -1)) / 2
assert np.isclose(np.trapezoid(often * np.maximum(expit(grid), expit(-grid)), grid), gaussian["right guesses"], atol=1e-6)
assert np.isclose(ndtr(mu / 2), gaussian["right guesses"]) and np.isclose(expit(1.0), pure["right guesses"])
by_epsilon = {e: readings(promise(e, "Gaussian"))["right guesses"] for e in (1.5, 2.5, 5.0, 5.5, 9.5)}
assert 0.57 < by_epsilon[1.5] < 0.58 and round(100 * by_epsilon[5.0]) == 71 and [round(100 * ndtr(x / 2)) for x in (0.25, 0.5, 1, 2)] == [55, 60, 69, 84] and round(100 * by_epsilon[2.5]) == 62 and round(100 * by_epsilon[5.5]) == 73 and round(100 * by_epsilon[9.5]) == 83
assert round(100 * readings(promise(5.0, "pure"))["right guesses"]) == 99
assert norm.sf(1.0, mu**2 / 2, mu) < 0.001                      # beyond the dotted line: one Gaussian release in a thousand, at most
assert 0.0266 < pure["belief, from 1 %"] < 0.0268 and 0.0271 < pure["detections"] < 0.0272 and round(np.exp(1), 1) == 2.7
assert round(100 * belief(40)) == 18 and factor(44) < np.e < factor(45) and [round(1 / norm.sf((x - 31) * mu), n) for x, n in ((35, 0), (45, -3))] == [7, 11_000]
assert 120 < 1 / norm.sf((40 - 31) * mu) < 130 and round(expit(1), 2) == 0.73 and norm.sf((30.5 - 31) * mu) > 0.5 and round(30.5 + 1 / mu**2) == 44 and round(100 * of_laplace, 1) == 69.7
assert delta == 1e-5 and round(beyond_yes) == 1612 and round(beyond_no) == 556 and round(np.e * beyond_no) == 1512 == round(2.72 * 556) and round(16.1 - 15.1) == 1 and np.isclose(beyond_yes - np.e * beyond_no, 100, rtol=1e-4)
assert np.isclose(between.sum() + 2 * ends, 1) and np.isclose(found_by[0], 2.72, atol=0.005) and np.isclose(found_by[1], found_by[0]) and round(found_by[2], 2) == 1.98
assert np.isclose(ends * 2 * expit(1) + (between * expit(abs((losses[1:] + losses[:-1]) / 2))).sum(), of_laplace, atol=2e-3)
