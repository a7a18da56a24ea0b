# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on preferences and federated sums: every formula of the two pages found a second time, by enumeration or by
#         conditioning.'
# ---

# %% [markdown]
# # Labels and shares, checked
#
# ```{admonition} What this page establishes
# :class: tip
# * The variance of a flipped label, the loss of an annotator and the best number of labels, each found by enumeration or by a search. A race of four treatments, simulated.
# * What a secure sum shows, over all masks. The noise that is left after collusion, by conditioning, and the same for coins. What changes with many rounds, and with agents that act in one world.
# * **What is protected.** One label or one annotator in the first half, one patient of one hospital in the second; replace one.
# * **Behind.** {doc}`../05_preferences` and {doc}`../06_many_hospitals`.
# * **How long.** About 10 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2017         # all randomness comes from here
epsilon, delta = 1.0, 1e-5

# %% tags=["hide-input"]
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom

from privrl_core.online import binomial_delta
from privrl_core.pages import PALETTE, use_theme
from privrl_core.privacy import gaussian_epsilon, gaussian_mu

use_theme()

def flip(epsilon):
    return 1 / (1 + np.exp(epsilon))

def factor(epsilon):
    """How many times the variance, where both treatments are liked equally."""
    return ((np.exp(epsilon) + 1) / (np.exp(epsilon) - 1)) ** 2

# %% [markdown]
# (labels-variance)=
# ## The variance of a flipped label
#
# The usual model of preferences is that of {cite:t}`bradley1952`. Each treatment $a$ has a reward $r_a$, and a patient prefers $a$ to $b$ with probability $p = 1/(1 + e^{-(r_a - r_b)})$. Equal rewards give $p = 0.5$, and a difference of 0.4 gives $p = 0.6$.
#
# A share $p$ of true labels becomes a share $p' = q + (1 - 2q)\, p$ of sent ones, so that $(p' - q)/(1 - 2q)$ is right on average. One label that is corrected so has the variance
#
# $$\frac{p'(1-p')}{(1-2q)^2} \;=\; \underbrace{p(1-p)}_{\text{chance}} \;+\; \underbrace{\frac{e^\varepsilon}{(e^\varepsilon - 1)^2}}_{\text{flips}} .$$
#
# At $p = 0.5$ the sum is $\tfrac14 \big(\frac{e^\varepsilon + 1}{e^\varepsilon - 1}\big)^2$. The fraction in brackets, squared, is the factor by which the number of labels grows: 4.68 at ε = 1, 1.72 at ε = 2, and 401 at ε = 0.1.

# %% tags=["remove-cell"]
ratio_09 = 1 + np.e / (np.e - 1) ** 2 / 0.09
assert round(expit(0.4), 1) == 0.6
assert (round(factor(2), 2), round(factor(0.1)), round(ratio_09, 1)) == (1.72, 401, 11.2)

# %% tags=["remove-input"]
md(f"As a ratio of variances the factor is exact at $p = 0.5$ and larger elsewhere: with $p = 0.9$ the variance at ε = 1 is {ratio_09:.1f} times that of true labels, because true labels that agree have little noise of their own. {{cite:t}}`chowdhury2024` estimate rewards from flipped labels, and the abstract of an earlier version has the root of our factor in its error. We have read the abstracts only.")

# %% tags=["remove-cell"]
def send(label, epsilon, rng):
    q = flip(epsilon)
    return np.where(rng.random(label.shape) < q, 1 - label, label)

def estimate(sent, epsilon):
    q = 1 / (1 + np.exp(epsilon))
    return (sent.mean(axis=-1) - q) / (1 - 2 * q)

rng, p, one, q = np.random.default_rng(1952), expit(0.4), 1.0, flip(1.0)
sent_p = q + (1 - 2 * q) * p
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

# %% [markdown]
# A label is 1 with probability $p$ and is flipped with probability $q$. Over the four outcomes the corrected label has mean $p$ and this variance. The check is exact, with fractions, so $e^\varepsilon$ stands for any rational number above 1.

# %% tags=["hide-input"]
for p, growth in product([Fraction(1, 2), Fraction(3, 5), Fraction(9, 10)], [Fraction(11, 10), Fraction(27, 10), Fraction(8)]):
    q = 1 / (1 + growth)
    outcomes = [((p if label else 1 - p) * (q if flipped else 1 - q), ((label ^ flipped) - q) / (1 - 2 * q))
                for label, flipped in product((0, 1), repeat=2)]
    mean = sum(chance * value for chance, value in outcomes)
    variance = sum(chance * (value - mean) ** 2 for chance, value in outcomes)
    assert mean == p and variance == p * (1 - p) + growth / (growth - 1) ** 2
    assert p != Fraction(1, 2) or variance == Fraction(1, 4) * ((growth + 1) / (growth - 1)) ** 2
    assert variance / (p * (1 - p)) >= ((growth + 1) / (growth - 1)) ** 2       # never less than at p = 1/2

# %% [markdown]
# (labels-annotator)=
# ## An annotator with many labels
#
# All outputs of $m$ flipped labels are enumerated for all pairs of inputs. The largest ratio is $e^{m\varepsilon}$, where all labels differ. With $\varepsilon/m$ for each it is $e^\varepsilon$.

# %% tags=["hide-input"]
def loss(m, each):
    """The largest logarithm of a ratio, over all inputs and outputs of m labels."""
    right = 1 / (1 + np.exp(-each))
    def chance(inputs, outputs):
        return np.prod([right if a == b else 1 - right for a, b in zip(inputs, outputs)])
    words = list(product((0, 1), repeat=m))
    return max(np.log(chance(x, out) / chance(y, out)) for x, y in product(words, repeat=2) for out in words)

for m in (1, 2, 3, 4):
    assert np.isclose(loss(m, 1.0), m) and np.isclose(loss(m, 1.0 / m), 1.0)

# %% [markdown]
# How many labels are worth asking for, at $p = 1/2$? Of $m$ labels with $\varepsilon/m$ each, the mean has $\frac{1}{4m} \coth^2(\varepsilon/2m)$ times the variance over the number of annotators. With $u = \varepsilon/m$ this is $\frac{1}{4\varepsilon}\, u \coth^2(u/2)$. Its derivative is zero where $\sinh(u/2)\cosh(u/2) = u$, that is, where $\sinh u = 2u$.

# %% tags=["hide-input"]
best = brentq(lambda u: np.sinh(u) - 2 * u, 1, 4)
grid = np.linspace(0.1, 10, 200_001)
assert abs(grid[np.argmin(grid / np.tanh(grid / 2) ** 2)] - best) < 1e-4
for budget in (0.5, 1, 2.0, 8, 20):
    m = np.arange(1, 40)
    asked = m[np.argmin(1 / np.tanh(budget / m / 2) ** 2 / m)]
    assert asked in {max(1, int(np.floor(budget / best))), int(np.ceil(budget / best))}

# %% tags=["remove-input"]
equal = 4 * (0.25 + np.exp(0.1) / np.expm1(0.1) ** 2 / 10)           # ten equal labels of each annotator, with ε = 1/10 each
assert round(equal) == 41 and round(1 / np.tanh(0.05) ** 2 / 10) == 40 and 1 / np.tanh(0.5) ** 2 < 5
md(f"The search agrees with $u = {best:.3f}$. With ε = 20 it asks for {np.round(20 / best):.0f} labels, and with every ε up to 2 for one. "
   f"This is for independent labels. If the ten labels of an annotator are all equal, as in the game, nine more true ones would say nothing new. Ten with ε = 1/10 each then have {equal:.0f} times the variance of one true label, in place of 40, and one label by lot, with {1 / np.tanh(0.5) ** 2:.1f} times, wins as well.")

# %% tags=["remove-cell"]
people, rng = 1000, np.random.default_rng(1952)
m = np.arange(1, 31)

def each(m, epsilon=1.0, p=0.5):
    """Variance of the estimated share times the number of annotators, if each label has ε/m."""
    return (p * (1 - p) + np.exp(epsilon / m) / np.expm1(epsilon / m) ** 2) / m

summed = 0.25 / m + 2 / people
assert (np.diff(each(m)) > 0).all() and np.isclose(4 * each(10), factor(0.1) / 10)
sides = rng.integers(0, 2, size=(20_000, 1)) * np.ones((1, 10), dtype=int)          # ten equal labels of each annotator
equal = estimate(send(sides, 0.1, rng), 0.1).var()
assert abs(equal / (0.25 + np.exp(0.1) / np.expm1(0.1) ** 2 / 10) - 1) < 0.05

# %% tags=["remove-input"] mystnb={"image": {"alt": "The variance of the estimate, in multiples of that of one true label of each annotator, against the labels of each annotator, from 1 to 30, on a logarithmic vertical axis. Smaller epsilon for each label rises from 4.7 to 120. One label by lot is flat at 4.7. Noise on the sum falls from 1 to 0.04, close above true labels without privacy."}}
fig, ax = plt.subplots(figsize=(7.2, 3.4))
ax.plot(m, 4 * each(m), color=PALETTE[1], lw=2.2)
ax.axhline(4 * each(1), color=PALETTE[2], lw=2.2)
ax.plot(m, 4 * summed, color=PALETTE[0], lw=2.2)
ax.plot(m, 1 / m, color="#767676", ls=":", lw=1.4)
for x, y, words, colour in ((10.5, 76, "each label with ε/m", "#a63d00"), (19, 5.8, "one label by lot, with ε", PALETTE[2]), (15, 0.136, "noise on the sum, 1,000 people", PALETTE[0]), (19, 0.022, "no privacy", "#4a5058")):
    ax.text(x, y, words, color=colour, weight="bold", fontsize=9.5)
ax.set(yscale="log", ylim=(0.016, 240), xlabel="labels m of each annotator", ylabel="variance, in true labels", title="More flipped labels of the same person tell less");

# %% [markdown]
# An attacker on an annotator whose $m$ labels all agree takes the majority. Its rate, from the binomial distribution on the main page, is found here by enumeration:

# %% tags=["hide-input"]
right = 1 / (1 + np.exp(-epsilon))
for m in (1, 2, 5, 10):
    found = sum(right ** sum(bits) * (1 - right) ** (m - sum(bits)) * (0.5 if 2 * sum(bits) == m else 2 * sum(bits) > m) for bits in product((0, 1), repeat=m))
    k = np.arange(m + 1)
    assert np.isclose(found, binom.pmf(k, m, right) @ ((k > m / 2) + 0.5 * (k == m / 2)))

# %% [markdown]
# A majority of thirty labels of an annotator, each with ε = 1, is right in 99.6 of 100 cases. A trained model can betray her as well, without a look at what was sent. If she is the only one who judged a rare question, a reward that was fitted closely repeats her choice. An attacker only has to put this question to the model.

# %% tags=["remove-cell"]
k = np.arange(31)
assert round(100 * binom.pmf(k, 30, 1 - flip(1.0)) @ ((k > 15) + 0.5 * (k == 15)), 1) == 99.6

# %% [markdown]
# A sum of $nm$ labels that a trusted hospital makes has noise of variance $2m^2/\varepsilon^2$, so $2/(\varepsilon n)^2$ on the mean, however many labels each person gives.
#
# (labels-pair)=
# ## What is not in the picture, and the pair as the unit
#
# The picture takes $p = 0.5$ and ε = 1 for an annotator, and takes all labels for independent. If Anna's ten labels agree with each other, they tell less than one label of each of ten people. Then one label by lot does even better in comparison.
#
# The sum also shows what the *pair* as a unit changes. If the pairs are public, a label that changes moves one sum by 1. If the pair itself is secret, another pair takes its place. A table that counts for each pair who won then loses 1 in one cell and gains 1 in another, so it moves by 2, and the noise is twice as large. And no noise on labels hides a letter that the trained model repeats; for that the whole training has to be private, {doc}`as in chapter 6 </chapters/06_networks/02_one_person_one_gradient>`. {cite:t}`wu2024` train a language model by reinforcement learning under differential privacy; we have read the abstract only.

# %% tags=["remove-cell"]
cells = {(i, j): np.eye(4)[2 * i + j] for i, j in product((0, 1), repeat=2)}        # two pairs, two winners
assert max(abs(x - y).sum() for x, y in product(cells.values(), repeat=2)) == 2
wins = [np.array([winner]) for winner in (0, 1)]                                     # a public pair: only how often the first won
assert max(abs(x - y).sum() for x, y in product(wins, repeat=2)) == 1

# %% [markdown]
# (labels-race)=
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
runs = {e: np.array([race(e, np.random.default_rng([1952, k, r])) for r in range(races)]) for k, e in enumerate([None, *budgets])}
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
# (shares-secure-sum)=
# ## What a secure sum shows
#
# Three hospitals, modulo 3: all 27 inputs, and for each all 27 masks. Two inputs with the same sum give the same distribution of messages, so the messages show nothing but the sum. The distribution is uniform on all messages with this sum.

# %% tags=["hide-input"]
def messages(numbers, modulus=3):
    return Counter(((numbers[0] + a + b) % modulus, (numbers[1] - a + c) % modulus, (numbers[2] - b - c) % modulus)
                   for a, b, c in product(range(modulus), repeat=3))

laws = {numbers: messages(numbers) for numbers in product(range(3), repeat=3)}
for one, other in combinations(laws, 2):
    assert (laws[one] == laws[other]) == (sum(one) % 3 == sum(other) % 3)
assert all(len(law) == 9 and set(law.values()) == {3} for law in laws.values())

# %% [markdown]
# (shares-left)=
# ## The noise that is left
#
# The shares $z_1, \dots, z_n$ are independent Gaussians. An observer who knows $c$ of them has, for the sum of those that arrive, the conditional distribution. Its variance is the Schur complement of the joint covariance. It is $(n - c - d)/n$ of $\sigma^2$ for every $n$, $c$ and $d$ below. As the distribution is Gaussian, the exact ε follows from it.

# %% tags=["hide-input"]
for n, c, d in ((2, 1, 0), (12, 3, 2), (20, 10, 0), (20, 0, 10), (50, 6, 5), (200, 10, 0)):
    arrives, known = np.arange(n) < n - d, np.arange(n) < c
    pick = np.vstack([np.eye(n)[known], arrives])                     # what is known, and the sum
    joint = pick @ pick.T / n
    given = joint[-1, -1] - joint[-1, :-1] @ np.linalg.pinv(joint[:-1, :-1]) @ joint[:-1, -1]
    assert np.isclose(given, (n - c - d) / n)

mu = gaussian_mu(epsilon, delta)
table = [(c, np.sqrt((20 - c) / 20), gaussian_epsilon(delta, mu / np.sqrt((20 - c) / 20))) for c in (0, 1, 5, 10, 15, 19)]
assert all(before[2] < after[2] for before, after in zip(table, table[1:])) and np.isclose(table[0][2], 1)

# %% tags=["remove-input"]
md("| of 20 hospitals collude | left of σ | ε at δ = 10⁻⁵ |\n|---:|---:|---:|\n" + "\n".join(f"| {c} | {left:.3f} | {eps:.3f} |" for c, left, eps in table))

# %% [markdown]
# Coins in place of Gaussian noise: the number of heads of 20 hospitals with four coins each, convolved twenty times, is that of 80 coins. After ten have told theirs, the 40 coins that are left have the δ of the main page, here from the two distributions themselves:

# %% tags=["hide-input"]
four, all_heads = binom.pmf(np.arange(5), 4, 0.5), np.ones(1)
for _ in range(20):
    all_heads = np.convolve(all_heads, four)
assert np.allclose(all_heads, binom.pmf(np.arange(81), 80, 0.5))
heads = binom.pmf(np.arange(-1, 42), 40, 0.5)
direct = np.maximum(heads - np.exp(epsilon) * binom.pmf(np.arange(-2, 41), 40, 0.5), 0).sum()
assert np.isclose(direct, binomial_delta(epsilon, 40, 1), rtol=1e-6) and direct > 10 * delta

# %% [markdown]
# (shares-more)=
# ## Whole numbers

# %% tags=["remove-cell"]
tossed = -(-62 // 20)                 # each of twenty hospitals tosses its share, and binomial counts add up to a binomial count
lost = binomial_delta(epsilon, 20 * tossed - 10 * tossed, 1)
assert binomial_delta(epsilon, 62, 1) <= delta < lost and 20 * tossed == 80

# %% tags=["remove-input"]
md(f"Masks need whole numbers on a clock, and Gaussian noise is not whole. {{doc}}`The coins of chapter 5 </chapters/05_online/08_nobody_may_see>` are. There 62 coins hid a patient at ε = 1. Shared among twenty hospitals that is 3.1 each. Rounded up, each tosses four, {20 * tossed} in all, and the sum of their heads has exactly the distribution of {20 * tossed} coins tossed in one place. If ten hospitals tell, {10 * tossed} coins are left, and at ε = 1 the δ is {1e4 * lost:.1f} · 10⁻⁴ in place of 10⁻⁵. "
   "Rounded Gaussian noise can be used too, but the sum of discrete Gaussians is not quite a discrete Gaussian. {cite:t}`kairouz2021` bound the difference, as we remember it; the text was not at hand.")

# %% [markdown]
# ## A hospital as the unit, and a patient alone
#
# A *patient* moves a count by 1. A *hospital* that does not want its own death rate known moves it by as many patients as it has. To hide a hospital with up to 500 patients takes 500 times the noise. If no hospital is trusted either, each patient sends a noisy report, and the noise in the sum has a standard deviation of about √(patients), so 100 with 10,000 of them.
#
# A hospital that drops out does harm in two ways. If its message never comes, the masks that it shared with the others do not cancel. In our simple protocol the sum is then useless, a random number. The protocol of {cite:t}`bonawitz2017` lets the others reveal these masks, so that the server can take them out. After that the sum is right, but the hospital's share of the noise is missing, as if it had colluded. Against one other hospital, out of twenty that are otherwise honest, 19 shares are left, and ε is 1.03.

# %% tags=["remove-cell"]
assert round(float(gaussian_epsilon(delta, mu / np.sqrt(19 / 20))), 2) == 1.03

# %% [markdown]
# ## Round after round
#
# A learner needs more than one sum. Federated training asks for one in each round, and each round is a release about the same patients. After 100 rounds the noise of each has to be √100 = 10 times as large for the same promise, {doc}`as with any release that is repeated </chapters/07_side_by_side/01_equal_guarantee>`. If each patient's data come in one round only, as with patients who arrive one after another, {doc}`the counters of chapter 5 </chapters/05_online/02_a_counter_that_never_stops>` do with much less. Their noise is made of Gaussian numbers too, so hospitals can add it in shares, and the same $\sqrt{(n-c-d)/n}$ says what is left.

# %% tags=["remove-cell"]
rounds = 100
assert np.isclose(gaussian_epsilon(delta, mu / 10 * np.sqrt(rounds)), epsilon)          # a hundred rounds, each with ten times the noise

# %% [markdown]
# ## Agents that meet
#
# Hospitals in a federation only share what they know. *Agents* of a multi-agent system act in the same world: two surgeries that book the same operating theatre, cars on one road, players of one game. Then data leave an agent by a second door. What one of them does changes what the others see, and no noise on messages hides it.
#
# * **What is released** is now all that the others see: messages, results, and the world itself.
# * **The right promise** is that of {doc}`joint privacy </chapters/05_online/01_one_after_another>`. What all others see and do must hardly depend on one agent's data. Her own action may depend on them, and where it is seen by others, it has to be part of what is protected.
# * **A mediator** that recommends an action to each player, under joint privacy, is the setting in which {cite:t}`kearns2014` defined it. {cite:t}`qiao2024` learn two-player games by self-play, with the players of one episode as the unit; {doc}`the ledger </book/claims/qiao-wang-2024>` has the verdicts on their statements.
#
# Bandits in federation are the best studied case. {cite:t}`dubey2020` let agents share noisy sums of linear bandits, and {cite:t}`huang2023` take a whole agent as the unit, with and without a trusted server. We have read the abstracts only.
