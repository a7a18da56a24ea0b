# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Learning from preferences in private: a label, a pair or an annotator as the unit, and how many more labels
#         randomised response takes.'
# ---

# %% [markdown]
# # Whose preference?
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A learner asks people which of two treatments, or of two answers, they prefer. What do these preferences reveal, and what does it cost to hide them?
# * **The answer.** Each label can be flipped at random before it is sent. This takes several times as many labels, the more the smaller ε is. If the unit is a person with many labels, it takes far more, unless noise is added to sums.
# * **What is protected.** One label at first, in public pairs. Neighbours replace one label. Then all labels of one annotator.
# * **What you need.** Randomised response from {doc}`/chapters/05_online/08_nobody_may_see`, and units from {doc}`/chapters/01_foundations/04_who_is_protected`.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 1952         # all randomness comes from here

# %% tags=["remove-cell"]
from itertools import combinations, product

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore

use_theme()
rng = np.random.default_rng(seed)

def flip(epsilon):
    return 1 / (1 + np.exp(epsilon))

def factor(epsilon):
    """How many times the variance, where both treatments are liked equally."""
    return ((np.exp(epsilon) + 1) / (np.exp(epsilon) - 1)) ** 2

# %% [markdown]
# ## Rewards that nobody wrote down
#
# So far every record held a reward: a recovery, a cost, a glucose value. Often there is none. What is the reward of a painkiller that works a little better and makes a patient tired? It is easier to ask: *you have tried both, which one do you prefer?* Large language models are trained
# in the same way. People compare two answers, a reward is fitted to their choices, and the model then learns to earn it {cite:p}`christiano2017,ouyang2022`.
#
# The usual model is that of {cite:t}`bradley1952`. Each treatment $a$ has a reward $r_a$, and a patient prefers $a$ to $b$ with probability
#
# $$p = \frac{1}{1 + e^{-(r_a - r_b)}} .$$
#
# Equal rewards give $p = 0.5$. A difference of 0.4 gives $p = 0.6$. A *label* is one such choice, and a person who gives labels is called an *annotator*.
#
# What does a label reveal? If the drug that spares fertility is preferred to the stronger one, that is a plan for a child. If the answer that takes one political side is preferred, that is a vote. As always, the first question is {doc}`whose secret it is </chapters/01_foundations/04_who_is_protected>`, and here there are three answers:
#
# | unit | neighbours differ in | does *not* protect |
# |---|---|---|
# | a **label** | which of the two was preferred | what was compared, and by whom |
# | a **pair** with its label | the two answers, the question behind them, and the label | an annotator with two pairs |
# | an **annotator** | all pairs and labels of one person | what holds for everybody |
#
# If a pair is "tablet or injection?", it is public and the label is enough. If it is a letter to a doctor with two replies, the letter is a medical record, and the label is the least of its secrets.
#
# ## A label that may be false
#
# Take the label as the unit. Nobody has to be trusted if each patient flips her own label with probability $q = 1/(1 + e^\varepsilon)$ and sends the result. This is *randomised response* {cite:p}`warner1965`. A true label is sent with probability $1 - q$, and $(1-q)/q = e^\varepsilon$ is the largest ratio that ε allows. At ε = 1, $q$ is 0.27.

# %%
def send(label, epsilon, rng):
    q = 1 / (1 + np.exp(epsilon))
    return np.where(rng.random(label.shape) < q, 1 - label, label)

def estimate(sent, epsilon):
    q = 1 / (1 + np.exp(epsilon))
    return (sent.mean(axis=-1) - q) / (1 - 2 * q)

# %% [markdown]
# The second function corrects for the flips. A share $p$ of true labels becomes a share $p' = q + (1 - 2q)\, p$ of sent ones, so that $(p' - q)/(1 - 2q)$ is right on average.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# At ε = 1, 27 of 100 labels are flipped. **How many times as many labels does it take to recommend the better of two treatments with the same certainty?** Choose, then move ε.
#
# * 1.4 times, because 73 of 100 labels are still true
# * about 2 times, because 27 false labels cancel 27 true ones, and 46 of 100 remain
# * nearly 5 times
# ```

# %% tags=["remove-cell"]
def odd(n):
    return 2 * np.round((np.asarray(n) - 1) / 2) + 1        # no ties

def right(p, n):
    """The chance that more than half of n labels prefer the better treatment."""
    return binom.sf(np.floor(n / 2), n, p)

def needed(p, sure=0.99):
    """The least odd number of labels that is right so often."""
    low, high = 0, 1
    while right(p, 2 * high + 1) < sure:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if right(p, 2 * middle + 1) >= sure else (middle, high)
    return 2 * high + 1

epsilon_slider = Slider("epsilon", "privacy loss ε of a label", 0.1, 10, 1, points=25, steps=24, low_end="more flips", high_end="fewer flips")
better = Slider("difference", "difference of the two rewards", 0.1, 1, 0.4, points=13, steps=12, scale="linear", low_end="hardly", high_end="much")
labels = Axis("n", "labels", 9, 100_001, points=61)
true_share = expit(better.grid)
sent_share = flip(epsilon_slider.grid)[:, None] * (1 - true_share) + (1 - flip(epsilon_slider.grid))[:, None] * true_share
without = Table((better, labels), 100 * right(true_share[:, None], odd(labels.grid)), scale="linear")
private = Table((epsilon_slider, better, labels), 100 * right(sent_share[..., None], odd(labels.grid)), scale="linear")
few = Table((better,), np.array([needed(p) for p in true_share]))
many = Table((epsilon_slider, better), np.vectorize(needed)(sent_share))
flips = Table.of(lambda epsilon: 100 * flip(epsilon), epsilon_slider)

# %% tags=["remove-input"]
explore(
    name="labels_that_may_be_false", sliders=[epsilon_slider, better], x=labels, y=Axis("sure", "right recommendations, in 100", 50, 100, scale="linear"),
    curves=[Curve("flipped labels", private), Curve("true labels", without, reference=True), Curve("99 in 100", constant(99.0), reference=True)],
    readouts=[Readout("flipped", "share that is flipped", flips, unit="in 100"), Readout("few", "for 99 in 100: true labels", few), Readout("many", "for 99 in 100: flipped labels", many)],
    guarantee="ε = {epsilon}, δ = 0 for one label (replace one), proved, in the local model: whoever reads what is sent.",
    alt="Right recommendations in 100 against the number of labels, which is on a logarithmic axis, at ε = {epsilon} and a difference of {difference}. Both curves rise from 50 to 100. The curve of flipped labels is that of true labels moved to the right. It takes {few} true or {many} flipped labels for 99 in 100.",
    caption="Exact, from the binomial distribution. The treatment that most labels prefer is recommended; for this the correction is not even needed.")

# %% tags=["remove-cell"]
p, one = expit(0.4), 1.0
assert round(p, 1) == 0.6 and round(100 * flip(one)) == 27 and round(100 * (1 - 2 * flip(one))) == 46 and round(1 / (1 - flip(one)), 1) == 1.4 and round(1 / (1 - 2 * flip(one)), 1) == 2.2
sent_p = flip(one) + (1 - 2 * flip(one)) * p
n_true, n_sent = needed(p), needed(sent_p)
assert right(p, n_true) >= 0.99 > right(p, n_true - 2) and right(sent_p, n_sent) >= 0.99 > right(sent_p, n_sent - 2)
# the variance in closed form, by all outcomes of a label and a flip, and by simulation
q = flip(one)
outcomes = [(a * p + (1 - a) * (1 - p), f * q + (1 - f) * (1 - q), ((a ^ f) - q) / (1 - 2 * q)) for a, f in product((0, 1), repeat=2)]
mean = sum(x * y * z for x, y, z in outcomes)
variance = sum(x * y * (z - mean) ** 2 for x, y, z in outcomes)
closed = p * (1 - p) + np.exp(one) / np.expm1(one) ** 2
assert np.isclose(mean, p) and np.isclose(variance, closed) and np.isclose(sent_p * (1 - sent_p) / (1 - 2 * q) ** 2, closed)
assert np.isclose(0.25 + np.e / (np.e - 1) ** 2, 0.25 * factor(1)) and np.isclose(factor(1), 1 / np.tanh(0.5) ** 2) and round(factor(1), 2) == 4.68
drawn = estimate(send((rng.random((4000, 100)) < p).astype(int), one, rng), one)
assert abs(100 * drawn.var() / closed - 1) < 0.15 and abs(drawn.mean() - p) < 0.02
ratio_09 = 1 + np.e / (np.e - 1) ** 2 / 0.09
assert round(100 * ((1 - q) - q)) == 46

# %% tags=["remove-input"]
md(f"**What you should see.** Nearly 5 times. With a difference of 0.4, {n_true} true labels are right in 99 of 100 cases, and it takes {n_sent} flipped ones: {n_sent / n_true:.1f} times as many. The first answer counts the true labels, but nobody knows which ones they are. The second answer is close to the reason. "
   f"The flips shrink the lead of the better treatment to 46 % of what it was, but they do not shrink the noise. To see a lead that is {1 / (1 - 2 * q):.2f} times smaller in the same noise takes ${1 / (1 - 2 * q):.2f}^2 = {factor(1):.2f}$ times as many labels.")

# %% [markdown]
# In general one corrected label has the variance [{ref}`checked <labels-variance>`]
#
# $$\frac{p'(1-p')}{(1-2q)^2} \;=\; \underbrace{p(1-p)}_{\text{chance}} \;+\; \underbrace{\frac{e^\varepsilon}{(e^\varepsilon - 1)^2}}_{\text{flips}} .$$
#
# At $p = 0.5$ the sum is $\tfrac14 \big(\frac{e^\varepsilon + 1}{e^\varepsilon - 1}\big)^2$. The fraction in brackets, squared, is the factor by which the number of labels grows: 4.68 at ε = 1, 1.72 at ε = 2, and 401 at ε = 0.1.

# %% tags=["remove-cell"]
assert (round(factor(2), 2), round(factor(0.1)), round(ratio_09, 1)) == (1.72, 401, 11.2)

# %% tags=["remove-input"]
md(f"As a ratio of variances the factor is exact at $p = 0.5$ and larger elsewhere: with $p = 0.9$ the variance at ε = 1 is {ratio_09:.1f} times that of true labels, because true labels that agree have little noise of their own. {{cite:t}}`chowdhury2024` estimate rewards from flipped labels, and the abstract of an earlier version has the root of our factor in its error. We have read the abstracts only.")

# %% [markdown]
# ## A bandit that asks
#
# Now let the hospital choose what to compare. There are four treatments, with rewards 0, 0.3, 0.6 and 1. Each new patient tries two of those that are still in the race and sends a label, flipped or not. A treatment is out as soon as another one beats it for certain, that is, by more than a confidence radius. Such a learner is a *duelling bandit* {cite:p}`yue2012`. What is sent is already private, so every choice
# that follows from it is {term}`post-processing`.

# %% tags=["remove-cell"]
rewards = np.array([0, 0.3, 0.6, 1.0])
checks = np.ceil(20 * 1.1 ** np.arange(150)).astype(int)               # labels of a pair, when the race is looked at

def race(epsilon, rng):
    """Labels until one treatment is left, and which; epsilon None: true labels."""
    shrink, q = (1.0, 0.0) if epsilon is None else (1 - 2 * flip(epsilon), flip(epsilon))
    inside, ones, asked, used = set(range(4)), np.zeros((4, 4)), 0, 0
    for check in checks:
        for a, b in combinations(sorted(inside), 2):
            ones[a, b] += rng.binomial(check - asked, q + shrink * expit(rewards[a] - rewards[b]))
            used += check - asked
        asked, radius = check, np.sqrt(np.log(2 * 6 * checks.size / 0.01) / (2 * check)) / shrink
        lead = {(a, b): (ones[a, b] / check - q) / shrink - 0.5 for a, b in combinations(sorted(inside), 2)}
        inside -= {b for (a, b), x in lead.items() if x > radius} | {a for (a, b), x in lead.items() if x < -radius}
        if len(inside) == 1:
            break
    return used, inside == {3}

races = max(20, round(400 * effort))
budgets = np.array([0.3, 0.5, 0.8, 1.0, 1.5, 2, 3, 5])
runs = {e: np.array([race(e, np.random.default_rng([seed, k, r])) for r in range(races)]) for k, e in enumerate([None, *budgets])}
free, paid = runs[None][:, 0].mean(), np.array([runs[e][:, 0].mean() for e in budgets])
assert min(found[:, 1].mean() for found in runs.values()) >= 0.98
slack = 0.1 + 0.2 * (effort < 1)
assert np.abs(paid / free / factor(budgets) - 1).max() < slack, paid / free / factor(budgets)

# %% tags=["remove-input"] mystnb={"image": {"alt": "Labels until one treatment is left, against epsilon from 0.3 to 5, both axes logarithmic. Eight dots, the simulated races, lie on a falling line: the labels without privacy times the factor of flipped labels. A dotted level line marks the labels without privacy; the dots come close to it at epsilon 5."}}
fig, ax = plt.subplots(figsize=(7.2, 3.2))
fine = np.geomspace(0.3, 5, 100)
ax.plot(fine, free * factor(fine), color=PALETTE[1], lw=2)
ax.plot(budgets, paid, "o", color=PALETTE[1], ms=7)
ax.axhline(free, color="#767676", ls=":", lw=1.4)
ax.text(0.31, free * 1.12, "true labels", color="#4a5058")
ax.text(0.62, free * 16, "flipped labels: dots are races,\nthe line is the factor of one pair", color="#a63d00")
ax.set(xscale="log", yscale="log", xlabel="privacy loss ε of a label", ylabel="labels until one is left", title="A whole race of four pays the factor of one pair")
ax.set_xticks([0.3, 0.5, 1, 2, 5], ["0.3", "0.5", "1", "2", "5"])
ax.set_yticks([2e3, 5e3, 1e4, 2e4, 5e4], ["2,000", "5,000", "10,000", "20,000", "50,000"])
ax.minorticks_off()

# %% tags=["remove-input"]
md(f"Without flips a race takes {free:,.0f} labels on average. At ε = 1 it takes {paid[3]:,.0f}, which is {paid[3] / free:.1f} times as many, where the line has {factor(1):.1f}. The confidence radius is the same for all pairs, as if each had $p = 0.5$, so that the factor does not grow where the rewards differ. Dots and line differ by up to a tenth: the line is a calculation for one pair, and the dots are means of {races} simulated races, which can end only where they are looked at, at numbers of labels that are 10 % apart.")

# %% [markdown]
# ## Ten labels of one person
#
# Suppose that each annotator gives ten labels. Every label is protected with ε = 1, so what about the annotator? All ten may differ between neighbours, and the ratios multiply: $e^{10}$. By {ref}`group privacy <group-privacy>` the annotator has ε = 10.
#
# That is not a mere worst case. Here is an attack. Somebody who reads what Anna sent wants to know whether she always prefers the answers of one political side. Say that she always prefers that side or never does, with even odds. Then one flipped label betrays her in 73 of 100 cases. With ten labels the reader takes the majority.

# %% tags=["remove-cell"]
def majority(m, epsilon):
    """How often the majority of m flipped copies is right, in 100; a tie is decided by a coin."""
    k = np.arange(m + 1)
    return 100 * binom.pmf(k, m, 1 - flip(epsilon)) @ ((k > m / 2) + 0.5 * (k == m / 2))

by_hand = {m: 100 * sum(np.prod([1 - flip(1.0) if bit else flip(1.0) for bit in bits]) * (1.0 if 2 * sum(bits) > m else 0.5 if 2 * sum(bits) == m else 0.0)
                        for bits in product((0, 1), repeat=m)) for m in (1, 10)}
assert all(np.isclose(majority(m, 1.0), share) for m, share in by_hand.items())

# %% tags=["remove-input"]
md(f"The majority of ten is right in {majority(10, 1.0):.0f} of 100 cases, and that of thirty in {majority(30, 1.0):.1f}. Nothing was broken: the promise was made for a label, and Anna is not a label.\n\n"
   "A trained model can betray her as well, without a look at what was sent. If she is the only one who judged a rare question, a reward that was fitted closely repeats her choice. The reader only has to put this question to the model.\n\n"
   "So let the annotator be the unit: ε = 1 for all ten labels together. What are the choices?\n\n"
   "* **Smaller ε.** Each label is flipped with ε = 1/10.\n"
   "* **One label.** Each annotator draws one of the ten labels by lot and flips it with ε = 1. The other nine are thrown away.\n"
   "* **Sums.** A hospital that is trusted adds up all true labels. A person moves the sum by at most 10, so Laplace noise of scale 10 is added to it once.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **There is nobody to trust, so the first two are left. Which of them finds the better treatment with fewer annotators?**
#
# * ten labels, each with ε = 1/10: more data
# * one label with ε = 1: less noise
# * both need the same number: ε is the same
# ```

# %% tags=["remove-cell"]
people = 1000
m = np.arange(1, 31)

def each(m, epsilon=1.0, p=0.5):
    """Variance of the estimated share times the number of annotators, if each label has ε/m."""
    return (p * (1 - p) + np.exp(epsilon / m) / np.expm1(epsilon / m) ** 2) / m

by_lot, summed = each(1), 0.25 / m + 2 / people
best_budget = brentq(lambda u: np.sinh(u) - 2 * u, 1, 4)               # where u coth²(u/2) is least
grid = np.linspace(0.1, 8, 80_000)
assert abs(grid[np.argmin(grid / np.tanh(grid / 2) ** 2)] - best_budget) < 1e-3 and round(best_budget, 2) == 2.18
assert np.isclose(np.log((1 - flip(0.1)) / flip(0.1)) * 10, 1)          # ten labels that all differ use up ε = 1 exactly
assert (np.diff(each(m)) > 0).all() and np.isclose(each(10), factor(0.1) / 40)
noise = rng.laplace(scale=10, size=200_000) / (people * 10)              # the sum of ten labels of each of 1000 people
assert abs(noise.var() * people / (2 / people) - 1) < 0.05

# %% tags=["remove-input"] mystnb={"image": {"alt": "The variance of the estimate, times the number of annotators, against the labels of each annotator, from 1 to 30, on a logarithmic vertical axis. Smaller epsilon for each label rises from 1.2 to 30. One label by lot is flat at 1.2. Noise on the sum falls from 0.25 to 0.01, close below it true labels without privacy."}}
fig, ax = plt.subplots(figsize=(7.2, 3.4))
ax.plot(m, each(m), color=PALETTE[1], lw=2.2)
ax.axhline(by_lot, color=PALETTE[2], lw=2.2)
ax.plot(m, summed, color=PALETTE[0], lw=2.2)
ax.plot(m, 0.25 / m, color="#767676", ls=":", lw=1.4)
for x, y, words, colour in ((10.5, 19, "each label with ε/m", "#a63d00"), (19, by_lot * 1.25, "one label by lot, with ε", PALETTE[2]), (15, 0.034, "noise on the sum, 1,000 people", PALETTE[0]), (19, 0.0055, "no privacy", "#4a5058")):
    ax.text(x, y, words, color=colour, weight="bold", fontsize=9.5)
ax.set(yscale="log", ylim=(0.004, 60), xlabel="labels m of each annotator", ylabel="variance × annotators", title="More flipped labels of the same person tell less");

# %% tags=["remove-input"]
md(f"**The answer.** One label with ε = 1. At ε = 1/10 the flips are nearly fair coins: a label has {factor(0.1):.0f} times the variance of a true one. Ten such labels have {factor(0.1) / 10:.0f} times that of one true label, against {factor(1):.1f} for the label by lot. The same ε for the annotator does not mean the same error. "
   f"Only where ε is large is it worth while to ask more: the best number of labels is about $\\varepsilon / u$, where $u = {best_budget:.2f}$ solves $\\sinh u = 2u$ [{{ref}}`by a search <labels-annotator>`].\n\n"
   f"The third choice needs trust, and it wins by far. Its noise has the variance $2m^2/\\varepsilon^2$ on a sum of $nm$ labels, so $2/(\\varepsilon n)^2$ on the mean, however many labels each person gives. With {people:,} annotators of ten labels that is {100 * ((0.25 / 10 + 2 / people) / (0.25 / 10) - 1):.0f} % more variance than without privacy. {{doc}}`06_many_hospitals` shows how to get such a sum if the server is not trusted.")

# %% [markdown]
# The picture takes $p = 0.5$, and takes all labels for independent. If Anna's ten labels agree with each other, they tell less than one label of each of ten people. Then one label by lot does even better in comparison.
#
# The sum also shows what the *pair* as a unit changes. If the pairs are public, a label that changes moves one sum by 1. If the pair itself is secret, another pair takes its place. A table that counts for each pair who won then loses 1 in one cell and gains 1 in another, so it moves by 2, and the noise is twice as large. And no noise on labels hides a letter that the trained model repeats; for that the whole training has to be private, {doc}`as in chapter 6 </chapters/06_networks/02_one_person_one_gradient>`. {cite:t}`wu2024` train a language model by reinforcement learning under differential privacy; we have read the abstract only.

# %% tags=["remove-cell"]
cells = {(i, j): np.eye(4)[2 * i + j] for i, j in product((0, 1), repeat=2)}        # two pairs, two winners
assert max(abs(x - y).sum() for x, y in product(cells.values(), repeat=2)) == 2
wins = [np.array([winner]) for winner in (0, 1)]                                     # a public pair: only how often the first won
assert max(abs(x - y).sum() for x, y in product(wins, repeat=2)) == 1

# %% [markdown]
# ## Check yourself
#
# **A firm has a million labels of a thousand annotators, each flipped with ε = 2. It writes: "our annotators are protected with ε = 2." What is wrong?**
#
# ```{dropdown} Nothing: randomised response has ε = 2.
# It has ε = 2 for one label. An annotator has a thousand of them.
# ```
# ```{dropdown} The annotators have ε = 2000, which promises nothing.
# ✓ Right. Ratios multiply, so the losses add up. A habit that shows in each of a thousand labels can be read off their majority.
# ```
# ```{dropdown} With so many labels ε is smaller, because they hide each other.
# Other people's labels hide a label only if a trusted party adds them up or shuffles them, and shows nothing else.
# ```
#
# ## To take away
#
# * A preference is a record like any other. Say whether a promise is for the label, the pair or the annotator.
# * Flipped labels take $\big(\frac{e^\varepsilon + 1}{e^\varepsilon - 1}\big)^2$ times as many: 4.7 at ε = 1, for two treatments that are liked about equally, and for a whole race of four.
# * For an annotator with many labels, in the local model and at ε = 1, one label by lot beats many with a share of ε each. Noise on a sum that is trusted is far better than both.
