# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'How many more patients a study needs if their privacy is kept: one ratio decides, and sometimes no number is enough.'
# ---

# %% [markdown]
# # What privacy costs in data
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How many more patients does a study need for the same error, if their privacy is kept?
# * **The answer.** One ratio decides: noise against chance. For sums over patients, privacy costs at most a fixed *number* of patients. For a secret that
#   touches every record, no number is enough.
# * **What is protected.** One trajectory, replace one; at the end the reward function.
# * **What you need.** {doc}`01_equal_guarantee`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0            # the fraction of the full work
seed = 2025             # all randomness comes from here
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq

from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, quadrature, show
from privrl_core.privacy import as_printed, calibrate_exact, gaussian_mu
from privrl_core.world import recovery_chain

# %% [markdown]
# ## One ratio decides
#
# An error of 0.007 in place of 0.005 says little to a hospital that plans a study. It asks in people: *do we need to recruit 16,000 in place of 10,000?*
#
# With $n$ patients, an average is wrong for two reasons. The patients are a sample, which gives a variance of $a/n$. And the *sum* has noise. This noise does not grow with the number of patients, and the
# average divides it by $n$, which gives a variance of $b/n^2$.
#
# ```{admonition} Guess first
# :class: hint
# A study of 1,000 patients needs twice as many with privacy, so 1,000 more. **How many more does a study of 100,000 patients need, at the same ε and δ: hardly any, at most 2,000, or 100,000?**
# ```
#
# Let $n_0$ patients be enough without privacy. The same error with privacy means $a/n + b/n^2 = a/n_0$. This is a quadratic equation in $n$, and its solution depends only on the ratio κ of the two variances at $n_0$
# patients:
#
# $$\frac n{n_0} = \frac{1 + \sqrt{1 + 4\kappa}}2, \qquad \kappa = \frac{b/n_0^2}{a/n_0} .$$

# %%
def times_as_many(kappa):
    return (1 + np.sqrt(1 + 4 * kappa)) / 2

# %% tags=["remove-cell"]
assert times_as_many(2) == 2
for a, b, n0 in ((2.0, 30.0, 10.0), (0.1, 5e4, 1e3)):
    same = brentq(lambda n, a=a, b=b, n0=n0: a / n + b / n**2 - a / n0, n0, 1e9, xtol=1e-9)
    assert np.isclose(same / n0, times_as_many(b / (a * n0)), rtol=1e-6) and same - n0 <= b / a
more_of_large = 100_000 * (times_as_many(2 / 100) - 1)
assert 1_900 < more_of_large < 2_000

# %% tags=["remove-input"]
md(f"**The answer.** At most 2,000. A factor of 2 means κ = 2 at 1,000 patients. At 100,000 patients κ is a hundred times smaller, and the study needs {more_of_large:,.0f} more, about 2 %. However large the study is, it "
   "never needs more than $b/a$ = 2,000 patients more.")

# %% [markdown]
# So where an answer is made of sums to which each patient adds a bounded amount, **privacy costs at most a fixed number of patients**, at a fixed ε and δ
# ({prf:ref}`proved <price-in-data>`). If δ shrinks as the study grows, as it should, the number grows slowly.
#
# ### Explore: how many more?
#
# The table of forty values of chapter 2 again, with noise on two sums, and DP-LSW with exact and with printed constants.
#
# ```{admonition} Guess first
# :class: hint
# Your study needs 10,000 patients without privacy. **How many times as many does it need at ε = 1 with noise on sums: 1.1, 7 or 50? And with the printed DP-LSW?** Decide, then move the number of patients.
# ```

# %% tags=["remove-input"]
S, chain = 40, recovery_chain(40)
starts = {"stage 1": np.eye(S)[0], "any stage": np.full(S, 1 / S)}
V = chain.policy_values(np.ones((S, 1)))
squares = 0.5 * chain.discount**2 / (1 - 0.5 * chain.discount**2)
variance = np.append(squares ** np.arange(S - 1, 0, -1) / chain.discount**2 - V[:-1] ** 2, 0)
reach = {start: np.cumsum(law) for start, law in starts.items()}
a_of = {start: np.mean(variance / p) for start, p in reach.items()}
b_of_sums = {start: np.mean(S * 4 / 3 * (1 - V + V**2) / p**2) for start, p in reach.items()}       # at mu = 1

epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, epsilon, points=13, low_end="wider noise", high_end="narrower noise")
delta_choice = Choice("delta", "δ", ("10⁻³", "10⁻⁵", "10⁻⁷", "10⁻⁹"), "10⁻⁵", low_end="narrower noise", high_end="wider noise")
deltas = dict(zip(delta_choice.options, (1e-3, 1e-5, 1e-7, 1e-9)))
n0_slider = Slider("n0", "patients without privacy n₀", 1e2, 1e7, 1e3, points=11, low_end="few", high_end="many")
start_choice = Choice("start", "patients start in", tuple(starts), "stage 1")
noises = {"sums": lambda e, d: 1 / gaussian_mu(e, d), "exact": lambda e, d: calibrate_exact(e, d, S)[0], "printed": lambda e, d: as_printed(e, d, S)[0]}
multipliers = {name: Table((epsilon_slider, delta_choice), [[noise(e, d) for d in deltas.values()] for e in epsilon_slider.grid])
               for name, noise in noises.items()}
root_ratio = {"sums": [np.sqrt(b_of_sums[start] / a_of[start]) for start in starts]}
root_ratio |= dict.fromkeys(("exact", "printed"), [np.sqrt(np.sum(1 / reach[start] ** 2) / a_of[start]) for start in starts])
per_root = Table.of(lambda n0: 1 / np.sqrt(n0), n0_slider)

def times_more(name):
    """1/2 + sqrt(1/4 + kappa), with the root of kappa a product of three tables."""
    return quadrature(0.5, multipliers[name] * Table((start_choice,), root_ratio[name]) * per_root) + 0.5

sums, exact, printed = map(times_more, noises)
people = Table.of(lambda n0: n0, n0_slider)
explore(
    name="price_in_data", sliders=[epsilon_slider, delta_choice, n0_slider, start_choice], x=n0_slider,
    y=Axis("times", "times as many patients", 1, 1e5),
    curves=[Curve("noise on two sums", sums), Curve("DP-LSW, exact", exact), Curve("DP-LSW as printed", printed)],
    readouts=[Readout("of_sums", "times as many, sums", sums), Readout("of_exact", "times as many, DP-LSW exact", exact),
              Readout("of_printed", "times as many, as printed", printed), Readout("more", "patients in all, sums", sums * people)],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one trajectory (replace one), proved, for all three: against anybody who reads "
              "the table, even if they know all other patients.",
    alt="How many times more patients privacy costs against their number without privacy, at ε = {epsilon}, δ = {delta}, start in {start}. At {n0}: "
        "noise on two sums {of_sums} times, DP-LSW exact {of_exact}, as printed {of_printed}.",
    caption="By the formula above, for the chain of forty stages. DP-LSW also needs enough visits to every stage.")

# %% tags=["remove-cell"]
def factor_at(name, n0, start="stage 1"):
    ratio = dict(zip(starts, root_ratio[name]))[start] * noises[name](1.0, 1e-5)
    return float(times_as_many(ratio**2 / n0))

fixed = (root_ratio["sums"][0] / gaussian_mu(1.0, 1e-5)) ** 2
tenth = brentq(lambda n: factor_at("sums", n) - 1.1, 1e2, 1e9)

# %% tags=["remove-input"]
md(f"**What you should see.** At 10,000 patients, noise on sums needs {factor_at('sums', 1e4):.1f} times as many, exact DP-LSW {factor_at('exact', 1e4):.1f} times, and DP-LSW as printed {factor_at('printed', 1e4):.0f} times. Privacy looks dear here, because forty values are asked for at once and "
   f"patients differ little. From {show(round(tenth, -int(np.log10(tenth)) + 1), 2)} patients on, the sums cost less than a tenth more. The fixed number is {show(fixed, 2)} patients. {{ref}}`Simulated studies <price-measured>` agree with these lines.")

# %% [markdown]
# **Constants are people.** The gap between the lowest and the highest curve is not a matter of privacy, since all three make the same promise. The same holds for {ref}`a plan from a log <price-plan>`. There the printed method needs
# about eighty times as many stays as today's. A part of this is budget that was never spent, and the larger part is noise in the wrong place.
#
# ## Where no data help
#
# ```{admonition} Guess first
# :class: hint
# Chapter 3 protects a *reward function*. Two neighbouring rewards may differ a little at *every* place. **An agent walks sixteen times as many steps. Does its return get better at the same ε?**
# ```
#
# **The answer.** It does not. A patient is one of many records, and the others average the noise away. A reward function touches every record. More steps are more places at which the two
# rewards differ, so the noise has to grow as fast as averaging shrinks it. {ref}`Measured returns <price-no-data>` stay flat. If this is not what you mean by privacy, you need other neighbours,
# and no amount of data will tell you so.
#
# ## Check yourself
#
# **At 1,000 patients privacy takes twice as many. In the local model, where each patient adds noise, it takes twice as many as well. How do the two compare at 100,000 patients?**
#
# ```{dropdown} Both take twice as many.
# In the local model, yes. Noise on a *sum* does not grow with the study.
# ```
# ```{dropdown} The central one takes about 2 % more, the local one still twice as many.
# ✓ Right. To trust nobody costs a fixed factor. To trust a curator costs at most a fixed number.
# ```
# ```{dropdown} Both take about 2 % more.
# In the local model every new patient brings new noise.
# ```
#
# Exercises are at the end of the {doc}`evidence page <evidence/02_price_in_data>`.
#
# ## To take away
#
# * **The ratio κ of noise to chance gives the price**: $(1 + \sqrt{1 + 4\kappa})/2$ times as many patients.
# * **Central privacy of bounded sums costs at most a fixed number of patients**, at fixed ε and δ. The local model costs a fixed factor.
# * **Constants are people.** Printed, corrected and today's mechanism differ by orders of magnitude in patients, at one stated promise.
# * **Where a neighbour changes everything, more data do not help.**
#
# Next: {doc}`03_decide`.
