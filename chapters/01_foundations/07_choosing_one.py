# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'The exponential mechanism and report-noisy-max: to name the best of many costs one ε, whatever their number.'
# ---

# %% [markdown]
# # Choosing one of many
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A clinic wants to say which of many treatments is best, and nothing else. How much noise does that need?
# * **The answer.** The noise has to hide one small shift, whatever the number of treatments. The noisy counts stay in the clinic, and only the name of the winner leaves it.
# * **What is protected.** All that one patient said of all treatments. Neighbours replace one patient.
# * **What you need.** {doc}`02_a_promise`; Laplace noise from {doc}`03_noise_that_keeps_it`.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2007         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import laplace

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Slider, Table, constant, explore
from privrl_core.privacy import exponential_mechanism_probabilities, report_noisy_max_probabilities

use_theme()
names = np.array(list("ABCDEFGHIJ"))
counts = np.array([88, 104, 97, 79, 101, 92, 85, 99, 71, 94])
best = int(counts.argmax())

# %% [markdown]
# ## Only the name
#
# Two hundred patients with migraine have each tried ten treatments, A to J, and said of each whether it helped. The clinic counts, for each treatment, how many it helped. It wants to print one line: *the treatment that helped most
# patients is B*.
#
# The line is not harmless. If two treatments are nearly equal, one patient decides which of them is printed. So the clinic adds noise to the counts.
#
# If it published *all* ten noisy counts, the noise would have to be large. Anna may have said yes ten times or not at all, so one patient can move all ten counts by 1. {ref}`Laplace noise <promises-add-up>` has to cover the sum of the moves: at ε = 1 and δ = 0 its scale is 10 for each count. But the clinic keeps the noisy counts to itself. It prints the name of the largest one.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which is the smallest of these scales that is enough for the noise on each of the ten counts, if only the name of the largest is published, at ε = 1 and δ = 0?**
#
# * 10, because Anna still moves all ten counts
# * 2, because she can move one count by at most 2 against another
# * 1, because she moves no count by more than 1
# ```
#
# **The answer.** Scale 2 is enough, for ten treatments and for ten thousand. The name says much less than ten numbers. Anna can move each treatment's count up or down by 1, so she can shift it by at most 2 *against the others*: one up, while they go down by 1. The noise has to hide this shift of 2 once. The scale 10
# is for ten published numbers: it adds her ten moves up. The scale 1 hides a move of one count and forgets that the others may move the other way.
#
# A kind of noise that fits is **Gumbel noise**. It has one hump, like a bell curve, and a longer tail to the right. The picture shows one draw of it for each count, and the code does the same:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Ten rows, one for each treatment, from B with 104 patients at the top to I with 71. In each row a hump of Gumbel noise, with a longer tail to the right, stands at the count, and a dot marks the noisy count. The hump of B reaches furthest to the right, but those of E and H overlap with it. The dot furthest to the right belongs to B; it is orange, with a dotted line through it."}}
def hump(x):
    """The density of Gumbel noise of scale 2, ε = 1; its mode is 0."""
    return np.exp(-x / 2 - np.exp(-x / 2)) / 2

assert np.isclose(quad(hump, -40, 200, points=[0])[0], 1) and np.isclose(quad(lambda x: x * hump(x), -40, 200, points=[0])[0], 2 * np.euler_gamma)
draw = counts + np.random.default_rng(seed).gumbel(scale=2, size=10)
fig, ax = plt.subplots(figsize=(7.2, 2.5))
for row, i in enumerate(np.argsort(-counts)):
    x = np.linspace(counts[i] - 6, counts[i] + 14, 200)
    ax.fill_between(x, -row, -row + 5 * hump(x - counts[i]), color=PALETTE[0], alpha=0.25, lw=0)
    ax.plot(x, -row + 5 * hump(x - counts[i]), color=PALETTE[0], lw=1.2)
    ax.plot(draw[i], -row + 0.12, "o", ms=6, color=PALETTE[1] if i == draw.argmax() else "#4a5058", zorder=3)
ax.axvline(draw.max(), color=PALETTE[1], lw=1, ls=":")
ax.text(draw.max() + 0.8, -7.4, f"the largest:\n{names[draw.argmax()]} is named", color=PALETTE[1], weight="bold", va="center")
ax.set(yticks=-np.arange(10) + 0.15, yticklabels=names[np.argsort(-counts)], ylim=(-9.4, 1.3), xlim=(64, 122), xlabel="patients whom it helped, with noise", title="The dots stay in the clinic; one name leaves it")
ax.grid(False, axis="y");

# %%
def best_treatment(helped, epsilon, rng):
    counts = helped.sum(axis=0)         # one row per patient
    noisy = counts + rng.gumbel(scale=2 / epsilon, size=counts.size)
    return np.argmax(noisy)             # nothing else is published

# %% [markdown]
# This is ε-differentially private for all ten answers of one patient (replace one), proved.

# %% [markdown]
# ## Why one ε is enough
#
# With Gumbel noise the probabilities of the names have a simple form. If $q_i$ is the count of treatment $i$, and 2/ε the scale of the noise, then treatment $i$ is named with probability
#
# $$\Pr[i] = \frac{e^{\varepsilon q_i / 2}}{e^{\varepsilon q_1 / 2} + e^{\varepsilon q_2 / 2} + \dots + e^{\varepsilon q_k / 2}} .$$
#
# Each treatment gets a weight that grows exponentially with its count, and its probability is its share of all weights [{ref}`proved and checked <two-noises>`]. Now replace Anna by another patient. No count changes by more than 1, so
#
# 1. the weight of treatment $i$ grows at most $e^{\varepsilon/2}$ times;
# 2. each weight falls to no less than $e^{-\varepsilon/2}$ of what it was, and so does their *sum*, however many there are.
#
# The share therefore grows at most $e^{\varepsilon/2} \times e^{\varepsilon/2} = e^\varepsilon$ times. This is the promise, and $k$ does not occur in it. The two factors are also why the scale is 2/ε and not 1/ε.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels, for ten treatments A to J. Left, how many patients each helped, in two worlds: in one Anna says that only B helped, in the other that all but B helped; each count differs by 1. Right, the chance of being named at ε = 1: B has 74 % in the first world and 52 % in the second, E 17 % and 31 %, H 6 % and 12 %, and each of the others less than 5 %."}}
only_b = counts
all_but_b = counts + np.where(names == "B", -1, 1)
chances = [exponential_mechanism_probabilities(q, sensitivity=1, epsilon=1.0) for q in (only_b, all_but_b)]
order, place = np.argsort(-counts), np.arange(10)
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 2.8))
for q, p, colour, shape, shift in zip((only_b, all_but_b), chances, (PALETTE[0], PALETTE[1]), "os", (-0.2, 0.2)):
    left.plot(place + shift / 2, q[order], shape, color=colour, ms=5)
    right.bar(place + shift, 100 * p[order], width=0.38, color=colour)
left.text(9.3, 104, "Anna: only B helped", color=PALETTE[0], weight="bold", ha="right")
left.text(9.3, 99.5, "Anna: all but B helped", color=PALETTE[1], weight="bold", ha="right")
left.set(xticks=place, xticklabels=names[order], ylabel="patients whom it helped", title="Anna moves each count by 1")
right.set(xticks=place, xticklabels=names[order], ylabel="chance of being named, in %", title="No chance grows more than 2.72 times")
for ax in (left, right):
    ax.grid(False, axis="x");

# %% tags=["remove-input"]
ratios = chances[1] / chances[0]
runner_up = order[1]
md(f"In the blue world Anna said that only B helped, in the orange one that all but B did. Nobody can move the counts more against B. From blue to orange, the chance that B is named falls from {100 * chances[0][best]:.0f}\N{NO-BREAK SPACE}% to {100 * chances[1][best]:.0f}\N{NO-BREAK SPACE}%, and that of E grows from {100 * chances[0][runner_up]:.1f}\N{NO-BREAK SPACE}% to {100 * chances[1][runner_up]:.1f}\N{NO-BREAK SPACE}%. "
   f"The counts of the nine others all rise by 1, so their chances grow by the same factor, {ratios.max():.2f}. That is below $e^1$ = 2.72.")

# %% [markdown]
# The counts may be any scores with a known {doc}`sensitivity <03_noise_that_keeps_it>` Δ, such as the mean returns of policies. Then ε/2 becomes ε/2Δ:
#
# ```{prf:definition} The exponential mechanism
# :label: def-exponential-mechanism
# Let $k$ choices have the scores $q_1, \dots, q_k$, none of which changes by more than $\Delta$ between neighbours. The **exponential mechanism** publishes the choice $i$ with a probability that is proportional to
#
# $$e^{\varepsilon q_i / 2\Delta} .$$
# ```
#
# It is ε-differentially private with δ = 0 {cite:p}`mcsherry2007`. Mind the names:
#
# * **Report noisy max** is the recipe: noise on each score, and only the name of the largest is published.
# * With *Gumbel* noise of scale 2Δ/ε it is the *exponential mechanism*.
# * With *exponential* noise of this scale, which is never negative, it keeps the same promise and names the best choice at least as often [{ref}`proved and checked <two-noises>`]. So take this if you have the choice; Gumbel noise has the simpler proof.
#
# ## How clear must the lead be?
#
# The price is not zero: with many treatments, many have a chance to get a lucky noise. Let one treatment lead by the same number of patients over all others, who are equal.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# With ten treatments and ε = 1, a lead of 9 patients is needed before Gumbel noise gives the right name in 90 of 100 cases. **Which lead is needed with a thousand treatments?** Choose, then move the number of treatments and the lead.
#
# * about 900 patients, a hundred times as many
# * about 90 patients, ten times as many
# * about 18 patients, twice as many
# * about 9 patients, as before
# ```

# %% tags=["remove-cell"]
def of_gumbel(k, x):
    """How often the best is named whose lead is x times the scale of the noise."""
    return 1 / (1 + (k - 1) * np.exp(-x))

def of_exponential(k, x):
    p = np.exp(-np.maximum(x, 1e-12))
    return -np.expm1(k * np.log1p(-p)) / (k * p)

nodes, node_weights = np.polynomial.legendre.leggauss(200)

def of_laplace(k, x):
    """The same with Laplace noise: an integral over the noisy count of the best, below the others, between, and above."""
    x = np.asarray(x, float)
    below = np.exp(-x) * 0.5**k / k
    above = -np.expm1(k * np.log1p(-np.exp(-x) / 2)) / (k * np.exp(-x))
    y = x[..., None] * (nodes + 1) / 2
    between = (np.exp(y - x[..., None]) * (1 - np.exp(-y) / 2) ** (k - 1) / 2) @ node_weights * x / 2
    return below + between + above

# %% tags=["remove-input"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=21, steps=20, low_end="more private", high_end="less private")
many = Choice("k", "treatments", (2, 3, 10, 30, 100, 300, 1000), 10, low_end="two", high_end="a thousand")
lead = Slider("lead", "lead of the best, in patients", 0, 60, 9, points=61, steps=60, scale="linear", low_end="none", high_end="clear")

def table(chance, scale):
    """A chance in 100, for noise whose scale depends on k and ε."""
    return Table((epsilon_slider, many, lead), np.array([[100 * chance(k, lead.grid / scale(k, e)) for k in many.grid] for e in epsilon_slider.grid]), scale="linear")

gumbel, exponential = (table(chance, lambda k, e: 2 / e) for chance in (of_gumbel, of_exponential))
all_counts = table(of_laplace, lambda k, e: k / e)
explore(
    name="choose_one", sliders=[epsilon_slider, many, lead], x=lead, y=Axis("right", "right names in 100", 0, 100, scale="linear"),
    curves=[Curve("only the name, exponential noise", exponential), Curve("only the name, Gumbel noise", gumbel), Curve("all counts published, Laplace noise", all_counts),
            Curve("90 of 100", constant(90.0), reference=True)],
    guarantee="ε = {epsilon}, δ = 0 for all that one patient said of {k} treatments (replace one), proved, for each curve.",
    alt="How often the best of {k} treatments is named against its lead over the others, at ε = {epsilon}; the legend gives the values at a lead of {lead} patients. All curves climb towards 100: exponential noise first, then Gumbel noise, and far more slowly, if there are many treatments, Laplace noise on counts that are all published.",
    caption="Exact: closed forms, and for the published counts a numerical integral. All treatments but the best have equal counts.")

# %% tags=["remove-cell"]
needed = {k: 2 * np.log(9 * (k - 1)) for k in (10, 1000)}
less = {k: 2 * brentq(lambda x, k=k: of_exponential(k, x) - 0.9, 0.1, 40) for k in (10, 1000)}
first = {k: int(np.argmax([of_laplace(k, np.array(g / k)) >= 0.9 for g in range(40 * k)])) for k in (2, 10)}

# %% tags=["remove-input"]
md(f"**What you should see.** A little over 18 patients: {needed[1000]:.1f}, which is 19 on the slider, against {needed[10]:.1f} for ten treatments. Exponential noise needs a little less, {less[1000]:.1f} and {less[10]:.1f}. The lead enters the weights as an exponent, and 999 rivals in place of 9 are 111 times as many. They take only ln 111 = {np.log(111):.1f} more in the exponent, which is {2 * np.log(111):.1f} patients. If all counts are published, the noise grows with the number of treatments: "
   f"then even ten treatments need a lead of {first[10]} patients, in place of 9.\n\n"
   "So the price of many choices is a logarithm. No rule with the same promise avoids it: {ref}`to be right in half of all cases, every one needs a lead of this order <packing>`.")

# %% [markdown]
# ## When to release sums instead
#
# A name is cheap because it says little. Publish the noisy counts themselves if
#
# * **there are two treatments.** Two counts that one patient can move need Laplace noise of scale 2/ε, no more than the name alone. From the counts all can see who leads, and by how much.
# * **each patient tried one treatment,** and which one is public. Then she is in one count only, and Laplace noise of scale 1/ε on each keeps the promise for all counts together. The name alone would need noise of the same scale.
# * **there will be a second question.** *Which is second best? What is the count of the winner?* Each answer needs noise and a new ε of its own, and {ref}`these add up <promises-add-up>`. Noisy sums are paid for once, and all that follows from them is free.
#
# ## Check yourself
#
# **A programmer tries 500 settings of a model on patients' records. One patient can move all 500 scores, each by at most Δ. Report noisy max with ε = 1, that is, with exponential noise of scale 2Δ, publishes the best setting. The programmer then prints the 500 noisy scores as well. What is promised?**
#
# ```{dropdown} ε = 1, because the noise was drawn only once.
# The promise covers the name alone. Its proof uses that nothing else about the noisy scores is published.
# ```
# ```{dropdown} Nothing.
# ✓ Right. Exponential noise is never negative, so no printed score is below the true one. A low one shows for certain that some patients are not in the data. Even Laplace noise of scale 2Δ would promise only ε = 250, which is 1/2 for each of the 500 scores.
# ```
# ```{dropdown} ε = 2: once for the name and once for the scores.
# The scores are 500 releases and not one, because one patient moves all of them.
# ```
#
# ## To take away
#
# * Noise on all scores, and only the name of the largest published, costs one ε, whatever the number of choices. The scale is 2Δ/ε.
# * With Gumbel noise this is the exponential mechanism: probabilities proportional to $e^{\varepsilon q_i / 2\Delta}$. Exponential noise is at least as good.
# * The lead that the best choice needs grows with the logarithm of the number of choices.
# * Release sums where one patient is in few of them, or where more than a name will be asked.
#
# Next: {doc}`08_exercises`, and then {doc}`/chapters/02_policy_evaluation/index`, where the averages of a clinic get noise.

# %% tags=["remove-cell"]
# what the text above says, each by a second route
rng = np.random.default_rng(seed)
tries = max(2_000, round(20_000 * effort))
patients = (np.arange(200)[:, None] < counts).astype(int)              # any answers with these counts
named = np.bincount([best_treatment(patients, 1.0, rng) for _ in range(tries)], minlength=10) / tries
assert (abs(named - chances[0]) < 5 * np.sqrt(chances[0] * (1 - chances[0]) / tries) + 1e-3).all()
assert np.allclose(np.delete(ratios, best), ratios.max()) and ratios[best] < 1 and ratios.max() <= np.e and (1 / ratios).max() <= np.e and names[best] == "B" and names[runner_up] == "E"
assert [[round(100 * p[i]) for i in order[:3]] for p in chances] == [[74, 17, 6], [52, 31, 12]] and max(p[order[3:]].max() for p in chances) < 0.05
for k, e, g in ((2, 1.0, 4), (10, 1.0, 9), (30, 0.3, 20), (1000, 2.0, 5)):
    scores = np.r_[g, np.zeros(k - 1)]
    assert np.isclose(of_gumbel(k, g * e / 2), exponential_mechanism_probabilities(scores, sensitivity=1, epsilon=e)[0], rtol=1e-12)
    assert np.isclose(of_exponential(k, g * e / 2), report_noisy_max_probabilities(scores, sensitivity=1, epsilon=e)[0], rtol=1e-9)
    x = g * e / k
    by_quad = quad(lambda y, x=x, k=k: laplace.pdf(y, x) * laplace.cdf(y) ** (k - 1), -40, 40 + x, points=[0, x], limit=500)[0]
    assert np.isclose(of_laplace(k, np.array(x)), by_quad, atol=1e-8)
assert [round(value, 1) for value in needed.values()] == [8.8, 18.2] and of_gumbel(1000, 19 / 2) >= 0.9 > of_gumbel(1000, 18 / 2) and of_gumbel(10, 9 / 2) >= 0.9 > of_gumbel(10, 8 / 2)
assert np.isclose(needed[1000] - needed[10], 2 * np.log(111)) and round(needed[1000] - needed[10], 1) == round(18.2 - 8.8, 1) == 9.4 and all((of_exponential(k, x) >= of_gumbel(k, x) - 1e-12).all() for k in many.grid for x in [np.linspace(0, 30, 61)])
assert all((of_laplace(k, np.array(g / k)) < of_gumbel(k, g / 2)) for k in many.grid[1:] for g in range(4, 61))
