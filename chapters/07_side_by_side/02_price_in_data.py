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
# * **The answer.** One ratio decides: the variance of the noise over that of chance. What it says about large studies, and about a secret reward, you will guess.
# * **What is protected.** One trajectory, replace one; at the end the reward function.
# * **What you need.** {doc}`01_equal_guarantee`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0            # the fraction of the full work
seed = 2025             # all randomness comes from here
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, quadrature, show
from privrl_core.privacy import as_printed, calibrate_exact, gaussian_mu
from privrl_core.world import recovery_chain

use_theme()

# %% [markdown]
# ## How many more patients?
#
# A hospital plans a study of 10,000 patients, and expects an error of 0.005. With privacy the error would be 0.007. Is that much? The hospital would rather know it in people: *how many patients do we
# have to recruit, to get 0.005 with privacy too?*
#
# With $n$ patients, an average is wrong for two reasons. The patients are a sample, which gives a variance of $a/n$. And the *sum* has noise. This noise does not grow with the number of patients, and the
# average divides it by $n$, which gives a variance of $b/n^2$. With the hospital's 10,000 patients, the first is $0.005^2 = 25 \cdot 10^{-6}$. Both together are $0.007^2 = 49 \cdot 10^{-6}$, so the noise has $24 \cdot 10^{-6}$.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# A study of 1,000 patients needs twice as many with privacy, so 1,000 more. **How many more does a study of 100,000 patients need, for the same ε and δ?**
#
# * About 20
# * About 2,000
# * About 100,000
# ```

# %% tags=["remove-cell"]
def times_as_many(q):
    return (1 + np.sqrt(1 + 4 * q)) / 2

# %% tags=["remove-cell"]
assert times_as_many(2) == 2
for a, b, n0 in ((2.0, 30.0, 10.0), (0.1, 5e4, 1e3)):
    same = brentq(lambda n, a=a, b=b, n0=n0: a / n + b / n**2 - a / n0, n0, 1e9, xtol=1e-9)
    assert np.isclose(same / n0, times_as_many(b / (a * n0)), rtol=1e-6) and same - n0 <= b / a
more_of_large = 100_000 * (times_as_many(2 / 100) - 1)
assert 1_900 < more_of_large < 2_000
opening = (0.007 / 0.005) ** 2 - 1                    # variances add up: the noise has what is left
assert np.isclose(10_000 * opening, 9_600) and np.isclose(opening, 24 / 25) and np.allclose([0.005**2, 0.007**2], [25e-6, 49e-6]) and np.isclose(times_as_many(opening), 1.6)

# %% tags=["remove-input"] mystnb={"image": {"alt": "Extra patients for studies of 100 to a million patients, as bars: 400, 1,000, 1,710, 1,960 and just under 2,000. They rise towards a dotted line at 2,000. Above each bar stands the factor, from 5 times to 1.002 times as many."}}
studies = 10.0 ** np.arange(2, 7)
factors = times_as_many(2_000 / studies)
more = studies * (factors - 1)
assert np.isclose(more[1], 1_000) and np.isclose(more[3], more_of_large) and (np.diff(more) > 0).all() and [round(x, -1) for x in more] == [400, 1_000, 1_710, 1_960, 2_000] and more.max() < 2_000
fig, ax = plt.subplots(figsize=(7.4, 2.6))
ax.bar(range(5), more, width=0.7, color=PALETTE[0])
for n, (extra, factor) in enumerate(zip(more, factors)):       # the factor with two digits of what it is above 1; high bars have it inside
    words, inside = f"{1 + float(f'{factor - 1:.2g}'):g} times" + " as many" * (n == 0), extra > 1_500
    ax.text(n, extra + (-90 if inside else 50), words, ha="center", va="top" if inside else "bottom", size=9 if inside else 9.5, color="white" if inside else "#22272e", weight="bold" if inside else "normal")
ax.axhline(2_000, color="#767676", ls=":", lw=1.4)
ax.set(ylim=(0, 2_600), xlabel="patients that are enough without privacy", ylabel="extra patients", title="The factor falls to 1, the extra patients rise to 2,000")
ax.set_xticks(range(5), [f"{n:,.0f}" for n in studies])
ax.set_yticks([0, 1_000, 2_000], ["0", "1,000", "2,000"])
ax.grid(False, axis="x")

# %% tags=["remove-input"]
md(f"**The answer.** About 2,000: {np.ceil(more_of_large):,.0f}, rounded up to a whole patient. With a hundred times as many patients the variance of the noise, $b/n^2$, is ten thousand times smaller, and that of chance, $a/n$, only a hundred times. "
   "So noise matters a hundred times less beside chance. The *factor* falls from 2 to 1.02, but 2 % of 100,000 are 2,000 patients, and not 20.")

# %% [markdown]
# Here is the formula. Let $n_0$ patients be enough without privacy, and $q$ be the variance of noise over that of chance at $n_0$ patients. The same error with privacy means $a/n + b/n^2 = a/n_0$. Divide by $a/n_0$, and call
# $n/n_0$, the times as many, $x$: then $1/x + q/x^2 = 1$, or $x^2 - x = q$. So
#
# $$\frac n{n_0} = x = \frac{1 + \sqrt{1 + 4q}}2, \qquad q = \frac{b/n_0^2}{a/n_0} = \frac b{a\,n_0} .$$
#
# The guess has $q = 2$ at 1,000 patients, since $2^2 - 2 = 2$, and $q = 0.02$ at 100,000. The hospital at the beginning has $q = 24/25 = 0.96$, so it has to recruit 1.6 times as many, 16,000 patients.
#
# Why do the bars stop at 2,000? The extra patients are $(x - 1)\,n_0$. Since $x - 1 = q/x$ is at most $q$, they are at most $q\,n_0 = b/a$: 2,000 in the picture, and 9,600 for the hospital. Wherever the squared error is $a/n + b/n^2$, as for a sum to which each patient adds a bounded amount, the same holds: **privacy costs at most a
# fixed number of patients**, $b/a$, at a fixed ε and δ ({prf:ref}`proved <price-in-data>`). For ratios of such sums, as in the picture below, it is {ref}`measured <price-measured>`. A larger study should have a smaller δ, and then the number grows slowly.
#
# ### Explore: a fixed number
#
# Here is the table of forty values of {doc}`chapter 2 </chapters/02_policy_evaluation/04_release_sums>` again, with noise on two sums, and with DP-LSW at exact and at printed constants. All patients start in stage 1. The picture
# shows how many more patients privacy takes, and begins at ε = 10. The grey line is $b/a$ of the lowest curve.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **A study needs 10,000 patients without privacy. How many does it need in all, at ε = 1 with noise on sums?** Choose, then move ε from 10 to 1, and the number of patients.
#
# * About 11,000
# * About 70,000
# * About 500,000
# ```

# %% tags=["remove-input"]
S, chain = 40, recovery_chain(40)
V = chain.policy_values(np.ones((S, 1)))
squares = 0.5 * chain.discount**2 / (1 - 0.5 * chain.discount**2)
a = np.mean(np.append(squares ** np.arange(S - 1, 0, -1) / chain.discount**2 - V[:-1] ** 2, 0))     # every patient visits every stage
b_of_sums = np.mean(S * 4 / 3 * (1 - V + V**2))                                                    # at mu = 1

epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 10, points=25, low_end="wider noise", high_end="narrower noise")
delta_choice = Choice("delta", "δ", ("10⁻⁹", "10⁻⁷", "10⁻⁵", "10⁻³"), "10⁻⁵", low_end="wider noise", high_end="narrower noise")
deltas = dict(zip(delta_choice.options, (1e-9, 1e-7, 1e-5, 1e-3)))
n0_slider = Slider("n0", "patients without privacy n₀", 1e2, 1e7, 1e4, points=11, steps=20, low_end="few", high_end="many")
fixed_number = {"sums": lambda e, d: b_of_sums / a / gaussian_mu(e, d) ** 2, "exact": lambda e, d: S / a * calibrate_exact(e, d, S)[0] ** 2,
                "printed": lambda e, d: S / a * as_printed(e, d, S)[0] ** 2}

people, roots = Table.of(lambda n0: n0, n0_slider), Table.of(lambda n0: 1 / np.sqrt(n0), n0_slider)

def of(name):
    """The factor, 1/2 + sqrt(1/4 + q), and the extra patients, (b/a) / factor: both from tables of b/a and of its root."""
    limit = np.array([[fixed_number[name](e, d) for d in deltas.values()] for e in epsilon_slider.grid])
    factor = quadrature(0.5, Table((epsilon_slider, delta_choice), np.sqrt(limit)) * roots) + 0.5
    return factor, Table((epsilon_slider, delta_choice), limit) / factor

most = Table((epsilon_slider, delta_choice), np.array([[fixed_number["sums"](e, d) for d in deltas.values()] for e in epsilon_slider.grid]))
(times, sums), (_, exact), (_, printed) = map(of, fixed_number)
explore(
    name="extra_patients", sliders=[epsilon_slider, delta_choice, n0_slider], x=n0_slider,
    y=Axis("extra", "extra patients for privacy", 1e2, 1e8),
    curves=[Curve("noise on two sums", sums), Curve("DP-LSW, exact", exact), Curve("DP-LSW as printed", printed),
            Curve("b/a of two sums", most, reference=True)],
    readouts=[Readout("extra", "extra patients, sums", sums), Readout("all", "patients in all, sums", people + sums), Readout("times", "times as many, sums", times),
              Readout("of_printed", "extra patients, as printed", printed)],
    guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one trajectory (replace one), proved, for all three: against anybody who reads "
              "the table, even if they know all other patients.",
    alt="How many patients privacy costs against the number that is enough without it, at ε = {epsilon}, δ = {delta}. At {n0}: noise on two sums {extra} more, {times} times as many "
        "in all; DP-LSW as printed {of_printed} more. Each curve rises with the study up to its own b/a; that of the lowest is the grey line.",
    caption="By the formula above, for the chain of forty stages. Every patient passes every stage, so DP-LSW has the visits that it needs.")

# %% tags=["remove-cell"]
def in_all(name, n0):
    limit = float(fixed_number[name](1.0, 1e-5))
    return n0 * float(times_as_many(limit / n0))

fixed = float(fixed_number["sums"](1.0, 1e-5))
extra = {name: in_all(name, 1e4) - 1e4 for name in fixed_number}
assert 405_000 < fixed < 415_000 and show(in_all("sums", 1e4), 3) == "69,500" and float(fixed_number["sums"](10.0, 1e-5)) < 10_000
at_the_end = [in_all(name, 1e7) - 1e7 for name in ("printed", "sums")]
assert f"{extra['printed'] / extra['sums']:.1f} {at_the_end[0] / at_the_end[1]:.0f} {float(fixed_number['printed'](1.0, 1e-5)) / fixed:.0f}" == "6.8 22 40"
at_ten = float(fixed_number["sums"](10.0, 1e-5))
begun, late = (n0 * float(times_as_many(at_ten / n0)) - n0 for n0 in (1e4, 1e6))
assert show(begun, 3) == "4,960" and late > 0.99 * at_ten

# %% tags=["remove-input"]
md(f"**What you should see.** At ε = 10 the lowest curve rises to the grey line, {show(at_ten, 3)} extra patients: {show(begun, 3)} in a study of 10,000, and almost all of them in one of a million. At ε = 1 the study needs {show(in_all('sums', 1e4), 3)} patients in all. Privacy is dear at this size: forty values are asked for at once, and on this chain patients differ little, so chance is small beside the noise. "
   f"A study of a million needs {in_all('sums', 1e6) / 1e6:.1f} million, and towards the right end the curve nears its $b/a$, {show(fixed, 3)} extra patients. "
   "{ref}`Simulated studies <price-measured>` agree with these curves.\n\n"
   f"**Constants are people.** All three curves make the same promise. At ε = 1, the study of 10,000 takes {show(extra['printed'], 3)} patients more with DP-LSW as printed, {show(extra['exact'], 3)} with exact constants and {show(extra['sums'], 3)} with noise on two sums. "
   f"So the printed constants take {extra['printed'] / extra['sums']:.1f} times as many extra patients as the sums, {at_the_end[0] / at_the_end[1]:.0f} times in a study of ten million, and {float(fixed_number['printed'](1.0, 1e-5)) / fixed:.0f} times in the limit. {{ref}}`A plan from a log <price-plan>` has the same lesson.")

# %% [markdown]
# ## A secret reward
#
# So far two neighbours differed in one patient of many. Chapter 3 protects a *reward function* instead, such as the comfort that rewards a thermostat at each temperature. Two neighbouring rewards may differ by up to η at *every* temperature, and so in every record of the log.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **An agent walks sixteen times as many steps before its reward is released, at the same ε. What becomes of its return?**
#
# * It comes close to the best, since noise averages out over more steps.
# * It gets somewhat better, like the root of the number of steps.
# * It stays the same.
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Noise on an average against the number of records, both relative to the beginning and on logarithmic axes. If one person is hidden, the noise falls to a sixteenth with sixteen times as many records. If a reward is hidden, the line is flat."}}
times_more = np.geomspace(1, 16, 50)
fig, ax = plt.subplots(figsize=(7.4, 2.9))
ax.plot(times_more, 1 / times_more, color=PALETTE[0])
ax.plot(times_more, np.ones(50), color=PALETTE[1])
ax.text(5, 0.15, "hide one person:\nthe noise on the sum stays the same", color=PALETTE[0], weight="bold", ha="right", va="top", size=9.5)
ax.text(16, 1.12, "hide the reward: the noise on the sum grows with it", color=PALETTE[1], weight="bold", ha="right", va="bottom", size=9.5)
ax.set(xscale="log", yscale="log", ylim=(0.04, 2), xlabel="times as many records", ylabel="noise on the average", title="More people thin the noise out; more steps do not")
ax.set_xticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
ax.set_yticks([1 / 16, 1 / 4, 1], ["1/16", "1/4", "1"])
ax.minorticks_off()

# %% [markdown]
# **The answer.** It stays the same. A patient is one of many records, so the noise on a sum is shared among all of them. A reward function touches every record: if the thermostat sees
# 20 °C sixteen times, all sixteen rewards may move by η together, so their sum moves by 16η and their average by η, as after one visit. The {doc}`reward released once </chapters/03_functional_noise/05_today>`, with neighbouring rewards that differ by at most η = 0.05, earned
# 17, 15 and 17 after 500, 2,000 and 8,000 steps of a {ref}`simulation <price-no-data>`, where 21 is the best. Each figure is uncertain by about 2.5, and no rise shows. If you meant to hide one visit, and not the whole reward, choose other neighbours; more data will not do it for you.
#
# ## Check yourself
#
# **At 1,000 patients central privacy takes twice as many. In the local model each patient adds noise before the answers are collected. Suppose that it takes twice as many, too. How do the two compare at 100,000 patients?**
#
# ```{dropdown} Both take twice as many.
# In the local model, yes. Noise on a *sum* does not grow with the study.
# ```
# ```{dropdown} The central one takes about 2 % more, the local one still twice as many.
# ✓ Right. Every new patient of the local model brings new noise, so $q$ never shrinks. The {doc}`randomised answers of chapter 1 </chapters/01_foundations/04_who_is_protected>` add noise with 1.92 times the standard deviation of chance at ε = 1,
# so at this ε they take $1 + 1.92^2$, or 4.7 times as many patients in a study of any size.
# ```
# ```{dropdown} Both take about 2 % more.
# In the local model every new patient brings new noise.
# ```
#
# Exercises are at the end of the {doc}`evidence page <evidence/02_price_in_data>`.

# %% tags=["remove-cell"]
local = 1 / np.tanh(0.5) ** 2 - 1        # the variance of randomised answers over that of chance, at ε = 1: see chapter 1
assert f"{np.sqrt(local):.2f}" == "1.92" and f"{1 + local:.1f}" == "4.7"
careful = float(fixed_number["sums"](1.0, 1e-9)) / fixed
assert f"{careful:.1f}" == "2.2"

# %% [markdown]
# ## To take away
#
# * **The ratio $q$ of noise to chance gives the price**: $(1 + \sqrt{1 + 4q})/2$ times as many patients.
# * **Central privacy of bounded sums costs at most a fixed number of patients**, $b/a$, at a fixed ε and δ. With a smaller δ it grows slowly: from 10⁻⁵ to 10⁻⁹ it becomes
#   2.2 times as large. The local model costs a fixed factor.
# * **Constants are people.** At ε = 1, in a study of 10,000, the printed constants take 6.8 times as many extra patients as noise on sums, for the same promise.
# * **Where a neighbour changes everything, more data do not help.**
#
# Next: {doc}`03_decide`.
