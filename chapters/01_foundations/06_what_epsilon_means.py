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
# * **The answer.** Four readings of one promise: right guesses, beliefs, advantage, detections. Gaussian noise is much
#   safer than its ε suggests.
# * **What you need.** {doc}`02_a_promise`.
# * **How long.** About 5 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here
delta = 1e-5

# %% tags=["remove-cell"]
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show
from privrl_core.privacy import (
    REPLACE_ONE, Guarantee, Status, Unit, advantage_ceiling, belief_ceiling, detection_ceiling, gaussian_advantage_ceiling,
    gaussian_detection_ceiling, gaussian_mu, right_guess_ceiling)

# %% [markdown]
# An attacker knows everybody's records except Anna's, and asks one question about her, such as *did she skip her medicine?* Before the
# clinic publishes, a coin would be right 50 times in 100.
#
# ```{admonition} Guess first
# :class: hint
# The clinic publishes with ε = 1. **How often can the best attacker be right now, 51, 55, 73 or 99 times in 100? And does it
# matter which kind of noise was used?** Decide, then look, and switch the noise.
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

# %% tags=["remove-input"]
slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=61, steps=60, low_end="more private", high_end="less private")
kinds = Choice("noise", "noise", ("pure", "Gaussian"), "pure")
found = {name: Table((kinds, slider), [[readings(promise(e, kind))[name] for e in slider.grid] for kind in kinds.options], scale="linear")
         for name in readings(promise(1.0, "pure"))}

explore(
    name="what_epsilon_means", sliders=[slider, kinds], x=slider, y=Axis("share", "probability", 0, 1, scale="linear"),
    curves=[Curve("right guesses", found["right guesses"]),
            Curve("belief that started at 10 %", found["belief, from 10 %"]),
            Curve("detections, 1 % false alarms", found["detections"])],
    readouts=[Readout("guesses", "right guesses, a coin has 0.5", found["right guesses"]),
              Readout("one", "a belief of 1 % rises to", found["belief, from 1 %"]),
              Readout("ten", "a belief of 10 % rises to", found["belief, from 10 %"]),
              Readout("fifty", "a belief of 50 % rises to", found["belief, from 50 %"]),
              Readout("advantage", "advantage", found["advantage"]),
              Readout("detections", "detected with 1 % false alarms", found["detections"])],
    guarantee=f"ε = {{epsilon}} for one answer (replace one), proved; δ = 0 for pure noise, δ = {show(delta)} for Gaussian noise.",
    alt="What the best attacker can do, against ε, for {noise} noise. At ε = {epsilon}: right guesses {guesses}, a belief of 10 % "
        "rises to {ten}, detections at 1 % false alarms {detections}.",
    caption="All curves are upper bounds, and some attacker reaches each of them. With Gaussian noise a belief may rise further than shown, with "
            f"a probability of at most {show(2 * delta)}.")

# %% tags=["remove-input"]
pure, gaussian = (readings(promise(1.0, kind)) for kind in kinds.options)
md(f"**What you should see.** With pure noise the best attacker is right {100 * pure['right guesses']:.1f} times in 100. With Gaussian noise it is only "
   f"{100 * gaussian['right guesses']:.1f} times. Both releases promise ε = 1. A pure release may use its whole ε every time, as randomised "
   f"response does. A Gaussian release comes close to its ε only in rare cases: on most days it tells much less.")

# %% [markdown]
# ## Four readings of one promise
#
# * **Right guesses.** Her answer is *yes* or *no*, equally likely. This is the largest probability of a right guess.
# * **Belief.** An attacker who believed something about Anna with probability 1 %, 10 % or 50 % believes it afterwards with at most
#   this probability. The same ε moves a rare belief only a little in absolute terms.
# * **Advantage.** Detections minus false alarms of the best test. It is twice the right guesses above one half.
# * **Detections.** A test may raise a false alarm for 1 % of the people who are *not* in the data. This is the share of people in the data that
#   it finds. Blind guessing finds 1 %.

# %% tags=["remove-input"]
rows = {(kind, f"{e:g}"): readings(promise(e, kind)) for e in (0.1, 0.5, 1.0, 2.0, 5.0, 10.0) for kind in kinds.options}
table = pd.DataFrame(rows).T.sort_index(level=0, ascending=False, sort_remaining=False)
table.index.names = ["noise", "ε"]
table.style.format("{:.3f}").set_caption(f"Upper bounds for every attacker. Gaussian noise at δ = {show(delta)}")

# %% [markdown]
# Where the bounds come from: {cite:t}`kairouz2015` for pairs (ε, δ), {cite:t}`dong2022` for Gaussian releases. The same
# numbers by another route are {ref}`checked <epsilon-means-checked>`.
#
# ## To take away
#
# * At ε = 1 the best attacker is right 73 times in 100, and against Gaussian noise 55 times.
# * At ε = 5 or 10 a pure promise hardly limits anybody. A Gaussian release may still protect: ask for its μ.
# * Compare promises by one of these readings, for the same unit and neighbours. ε alone does not decide.

# %% tags=["remove-cell"]
assert pure["right guesses"] < 0.735 and gaussian["right guesses"] < 0.56 and gaussian["right guesses"] > 0.55
assert all(np.isclose(r["advantage"], 2 * r["right guesses"] - 1) for r in (pure, gaussian))
