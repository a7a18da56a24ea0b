# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Lower bounds for every private rule: a packing bound for choosing one of k, and two points for a mean, proved and checked.'
# ---

# %% [markdown]
# # How little noise can be enough
#
# ```{admonition} What this page establishes
# :class: tip
# Gumbel noise on all scores is the exponential mechanism, and exponential noise names the best choice at least as often. No ε-differentially private rule names the best of $k$ with a much shorter lead, because it has to tell $k$ data sets apart that one data set in the middle keeps together; a linear program over all private rules
# attains this bound for three treatments. In the same way the expected error of a private mean is, on some data set, at least about $1/(e\,n\varepsilon)$, where Laplace noise has $1/(n\varepsilon)$. All rules here have δ = 0.
# ```

# %% tags=["parameters", "remove-input"]
effort = 1.0        # the fraction of the full work
seed = 2010         # all randomness comes from here

# %% tags=["hide-input"]
from itertools import combinations_with_replacement, product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.integrate import quad
from scipy.optimize import linprog
from scipy.sparse import coo_matrix
from scipy.stats import binom, expon, gumbel_r

from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.privacy import chain_success_ceiling, exponential_mechanism_probabilities, report_noisy_max_probabilities

use_theme()
rng = np.random.default_rng(seed)

# %% [markdown]
# (two-noises)=
# ## Two noises, and only the winner
#
# Let $k$ choices have scores $q_i$, none of which moves by more than Δ between neighbours, and let $b = 2\Delta/\varepsilon$. Each score gets independent noise $Z_i$ of scale $b$, and the name of the largest is published, as on {doc}`the page for everybody <../07_choosing_one>`.
#
# **Gumbel noise is the exponential mechanism.** It has the distribution function $\Pr[Z \le z] = \exp(-e^{-z/b})$. Write $w_j = e^{q_j/b}$. Given that the noisy score of $i$ is $y$, all others stay below with probability $\prod_{j \ne i} \exp(-w_j e^{-y/b})$. The density of $y$ is the derivative of
# $\exp(-w_i e^{-y/b})$. With $u = e^{-y/b}$,
#
# $$\Pr[i] = \int_0^\infty w_i\, e^{-w_i u} \prod_{j \ne i} e^{-w_j u}\, du = \frac{w_i}{\sum_j w_j} .$$
#
# **Exponential noise keeps the same promise.** Fix the noise of all choices but $i$. Then $i$ is named if $Z_i > c$, where $c = \max_{j \ne i}(q_j + Z_j) - q_i$. For a neighbour $c$ is larger by at most 2Δ. Exponential noise forgets: $\Pr[Z_i > c + 2\Delta] \ge e^{-2\Delta/b} \Pr[Z_i > c]$ for every $c$, also for
# a negative one, where the right side is $e^{-2\Delta/b}$. So the probability of each name falls by a factor of at most $e^{\varepsilon}$. Laplace noise has this property too.
#
# Its probabilities follow as above. With $p_j = e^{-(\max q - q_j)/b}$,
#
# $$\Pr[i] = p_i \int_0^1 \prod_{j \ne i} (1 - p_j s)\, ds ,$$
#
# a polynomial, which the core integrates exactly. {cite:t}`mckenna2020` call the mechanism *permute and flip*.
#
# **Exponential noise names the best at least as often.** For the best choice $p_i = 1$. Let $S$ be the sum of all other $p_j$; the exponential mechanism names the best with probability $1/(1 + S)$. The logarithm of $1 - p s$ is concave in $p$, so among all $p_j \le 1$ with this sum the integral is smallest
# if $m$ of them are 1, one is $f = S - m < 1$, and the others are 0. Then it is
#
# $$\int_0^1 (1 - s)^m (1 - f s)\, ds = \frac{m + 2 - f}{(m + 1)(m + 2)} \ \ge\ \frac{1}{m + 1 + f} ,$$
#
# because $(m + 2 - f)(m + 1 + f) = (m + 1)(m + 2) + f(1 - f)$. That the expected score is never smaller either is a theorem of theirs, as we remember it; the text was not at hand, and here it is only checked.

# %% tags=["hide-input"]
tries, worst_gap, largest_ratio = max(100, round(1000 * effort)), np.inf, 0.0
for _ in range(tries):
    k, epsilon = rng.integers(2, 9), rng.uniform(0.1, 3)
    scores, arguments = rng.integers(0, 12, k).astype(float), dict(sensitivity=1, epsilon=epsilon)
    gumbel, exponential = (f(scores, **arguments) for f in (exponential_mechanism_probabilities, report_noisy_max_probabilities))
    worst_gap = min(worst_gap, exponential @ scores - gumbel @ scores)          # of the expected score
    assert exponential[scores.argmax()] >= gumbel[scores.argmax()] - 1e-12
    moved = scores + rng.integers(-1, 2, k)
    for f, p in ((exponential_mechanism_probabilities, gumbel), (report_noisy_max_probabilities, exponential)):
        largest_ratio = max(largest_ratio, abs(np.log(p / f(moved, **arguments))).max() / epsilon)
assert worst_gap > -1e-12 and largest_ratio <= 1 + 1e-9
for m, f in product(range(5), (0, 0.3, 0.9)):
    assert np.isclose(quad(lambda s, m=m, f=f: (1 - s) ** m * (1 - f * s), 0, 1)[0], (m + 2 - f) / (m + 1) / (m + 2))
for noise, f in ((gumbel_r, exponential_mechanism_probabilities), (expon, report_noisy_max_probabilities)):
    by_integral = quad(lambda y, noise=noise: noise.pdf(y, 5, 2) * noise.cdf(y, 4, 2) * noise.cdf(y, 2, 2), -20, 80, points=[2, 4, 5], limit=300)[0]
    assert np.isclose(by_integral, f([5, 4, 2], sensitivity=1, epsilon=1)[0], atol=1e-8)
md(f"In {tries:,} random cases the expected score under exponential noise was never the smaller one, and no random neighbour changed a probability by more than $e^{{\\varepsilon}}$: the largest change was {largest_ratio:.3f} ε. The formulas agree with integrals over the noise.")

# %% [markdown]
# (packing)=
# ## A packing: one of k
#
# A data set in the middle has to be treated nearly like $k$ others, each of which needs another answer.
#
# ```{prf:theorem} Packing
# :label: thm-packing
# Let $X_1, \dots, X_k$ be data sets with different right answers, each at most $d$ replaced patients away from one data set $B$. Every ε-differentially private rule (replace one) is right, on average over the $k$ data sets, with probability at most
#
# $$\min\Bigl\{\tfrac1k\, e^{d\varepsilon},\ \ 1 - \bigl(1 - \tfrac1k\bigr) e^{-d\varepsilon}\Bigr\} .$$
# ```
#
# *Proof.* Let $p_i$ be the probability of answer $i$ on $X_i$, and $b_i$ that on $B$. There are $d$ steps from $B$ to $X_i$, and each changes a probability by a factor of at most $e^\varepsilon$. So $p_i \le e^{d\varepsilon} b_i$, and for all other answers together $1 - p_i \ge e^{-d\varepsilon}(1 - b_i)$. Take the mean over $i$; the
# $b_i$ add up to at most 1. ∎
#
# Any two data sets of $n$ patients are at most $n$ replacements apart. So a rule that is right in half of the cases, for each of $k$ answers, needs
#
# $$n\varepsilon \ge \ln \frac k2 ,$$
#
# whatever the question is. This is the simplest form of the packing bounds of {cite:t}`hardt2010`.
#
# A rule that is right in half of the cases on *each* of the $k$ data sets needs more. Take for $B$ one of them, $X_1$. On it the right answer has a probability of ½ or more. Each of the other $k - 1$ answers has at least $\frac12 e^{-n\varepsilon}$. All of these add up to at most 1, so
#
# $$n\varepsilon \ge \ln (k - 1) .$$
#
# For $k = 10{,}000$ and ε = 0.2 these are 47 patients, where the bound for every $B$ gives 43.
#
# **A lead of g patients.** The bound says more about counts. Let $B$ hold, for each treatment $i$, $g/2$ patients whom *all treatments but i* helped. All counts are then equal. In $X_i$ these $g/2$ patients are replaced by others whom *only i* helped. Each replacement raises the count of $i$ by 1 and lowers all others by 1, so that $i$ leads by
# $g$, at a distance of $d = g/2$. To be right with probability $1 - \beta$, a private rule therefore needs a lead of at least
#
# $$g \ge \frac2\varepsilon \max\Bigl\{\ln \bigl(k(1 - \beta)\bigr),\ \ \ln \frac{1 - 1/k}{\beta}\Bigr\} .$$
#
# The exponential mechanism needs $\frac2\varepsilon \ln \frac{(k-1)(1 - \beta)}{\beta}$, since its weights are $e^{g\varepsilon/2}$ for the best and 1 for each other. With β = 1/2 the two differ by less than $\frac2\varepsilon \ln 2$, which is 1.4 patients at ε = 1:

# %% tags=["hide-input"]
def ceiling(k, d_epsilon):
    return np.minimum(np.exp(d_epsilon) / k, 1 - (1 - 1 / k) * np.exp(-d_epsilon))

def of_gumbel(k, x):
    return 1 / (1 + (k - 1) * np.exp(-x))

def of_exponential(k, x):
    p = np.exp(-x)
    return -np.expm1(k * np.log1p(-p)) / (k * p)

def bound(k, beta):
    return 2 * max(np.log(k * (1 - beta)), np.log((1 - 1 / k) / beta))

x = np.linspace(1e-6, 30, 300_001)
rows = []
for k, beta in ((2, 0.1), *product((10, 1000, 1_000_000), (0.5, 0.1))):
    leads = [2 * x[np.argmax(chance(k, x) >= 1 - beta)] for chance in (ceiling, of_exponential, of_gumbel)]
    formula = 2 * np.log((k - 1) * (1 - beta) / beta)
    assert abs(leads[0] - bound(k, beta)) < 1e-3 and abs(leads[2] - formula) < 1e-3 and leads[0] <= leads[1] + 1e-9 <= leads[2] + 2e-9
    rows.append([f"{k:,}", f"{100 * (1 - beta):.0f} in 100", *(f"{abs(one):.1f}" for one in leads)])
pd.DataFrame(rows, columns=["k", "right names", "every private rule, at least", "exponential noise", "Gumbel noise"]).style.hide()

# %% [markdown]
# Leads are in patients, at ε = 1. For two treatments exponential noise reaches the bound at every lead: it is wrong with probability $\frac12 e^{-g\varepsilon/2}$.

# %% tags=["remove-cell"]
leads = np.arange(2, 41, 2)
assert np.allclose(1 - of_exponential(2, leads / 2), np.exp(-leads / 2) / 2) and np.allclose(ceiling(2, leads / 2), 1 - np.exp(-leads / 2) / 2)
assert np.allclose([chain_success_ceiling(1.0, 0.0, int(g)) for g in leads], ceiling(2, leads / 2))    # the core's, by another proof

# %% tags=["hide-input"] mystnb={"image": {"alt": "Right names against the lead, at epsilon 1 and a hundred treatments. The ceiling for every private rule climbs first: it reaches 50 at a lead of 7.8, and 99 at 9.2, where it bends. Exponential noise reaches 50 at a lead of 8.3 and Gumbel noise at 9.2."}}
lead = np.linspace(0.01, 24, 400)
fig, ax = plt.subplots(figsize=(7.2, 3.2))
for chance, label, colour in ((ceiling, "no private rule above this", REFERENCE), (of_exponential, "exponential noise", PALETTE[1]), (of_gumbel, "Gumbel noise", PALETTE[0])):
    ax.plot(lead, 100 * chance(100, lead / 2), color=colour, lw=2.2, label=label)
ax.legend(loc="lower right")
ax.set(xlabel="lead of the best, in patients", ylabel="right names in 100", ylim=(0, 103), title="The lead that is needed at ε = 1, for a hundred treatments");

# %% [markdown]
# **By brute force.** Is there a rule that attains the bound on all data sets at once? A rule for three treatments and three patients is a table of 120 data sets by three names, and the promise is linear in it. So the best of *all* private rules solves a linear program.

# %% tags=["hide-input"]
def best_rule(epsilon, k=3):
    """Mean success on X_1 to X_k of the best private rule for k patients; their leads are 2, at distance 1 from B."""
    kinds = list(product((0, 1), repeat=k))                                    # what a patient may say
    sets = {one: place for place, one in enumerate(combinations_with_replacement(kinds, k))}
    near = sorted({(place, sets[other]) for one, place in sets.items() for r in range(k) for kind in kinds
                   if (other := tuple(sorted(one[:r] + one[r + 1:] + (kind,)))) != one})
    here, there = np.array(near).T
    row, name = np.arange(len(near) * k), np.tile(np.arange(k), len(near))
    columns = np.repeat(here, k) * k + name, np.repeat(there, k) * k + name
    private = coo_matrix((np.repeat([1, -np.exp(epsilon)], len(row)), (np.tile(row, 2), np.concatenate(columns))), shape=(len(row), len(sets) * k))
    sums = coo_matrix((np.ones(len(sets) * k), (np.repeat(np.arange(len(sets)), k), np.arange(len(sets) * k))))
    only = np.eye(k, dtype=int)
    right = np.zeros(len(sets) * k)
    for i in range(k):
        patients = [tuple(map(int, only[i])) if j == i else tuple(map(int, 1 - only[j])) for j in range(k)]
        right[sets[tuple(sorted(patients))] * k + i] = 1 / k
    found = linprog(-right, A_ub=private.tocsr(), b_ub=np.zeros(len(row)), A_eq=sums.tocsr(), b_eq=np.ones(len(sets)), bounds=(0, 1))
    return len(sets), -found.fun

rows = []
for epsilon in (0.3, 1.0, 2.0):
    size, best = best_rule(epsilon)
    assert size == 120 and np.isclose(best, ceiling(3, epsilon), atol=1e-8)
    rows.append([f"{epsilon:g}", *(f"{100 * value:.2f}" for value in (ceiling(3, epsilon), best, of_exponential(3, epsilon), of_gumbel(3, epsilon)))])
pd.DataFrame(rows, columns=["ε", "the bound", "best of all private rules", "exponential noise", "Gumbel noise"]).style.hide()

# %% [markdown]
# Right names in 100, at a lead of 2. The linear program finds a rule that attains the bound, so the theorem cannot be improved in this case. That rule is made for these three data sets, though. The two noises do not know them.
#
# (two-points)=
# ## Two points: a mean
#
# How exact can a private mean of $n$ numbers between 0 and 1 be? {doc}`Laplace noise <../03_noise_that_keeps_it>` of scale $1/(n\varepsilon)$ has an expected error of $1/(n\varepsilon)$. Again, compare two data sets with one in the middle.
#
# ```{prf:theorem} Two points
# :label: thm-two-points
# Let two data sets be $d$ replaced patients apart, and let their right answers be the numbers $m$ and $m'$. For every ε-differentially private answer $M$, the mean of its two expected errors is at least
#
# $$\tfrac12\, \lvert m - m' \rvert\, e^{-\lceil d/2 \rceil \varepsilon} .$$
# ```
#
# *Proof.* Let $p$ and $p'$ be the densities of the answer on the two data sets, and $E$ the set where $p < p'$. The area under both curves is $\int \min(p, p') = \Pr[M(X) \in E] + \Pr[M(X') \notin E]$. Go to a data set in the middle, at most $\lceil d/2 \rceil$ replacements from both. There the probabilities of $E$ and of its
# complement add up to 1, and each of the two terms is at least $e^{-\lceil d/2 \rceil \varepsilon}$ times as large. So the area is at least $e^{-\lceil d/2 \rceil \varepsilon}$. At each $y$ the two errors $\lvert y - m\rvert + \lvert y - m'\rvert$ are at least $\lvert m - m'\rvert$. Hence the two expected errors together are at least
#
# $$\int \min(p, p')\, \bigl(\lvert y - m\rvert + \lvert y - m'\rvert\bigr)\, dy \ \ge\ \lvert m - m'\rvert\, e^{-\lceil d/2 \rceil \varepsilon} . \qquad ∎$$
#
# This is Le Cam's method of two points, with group privacy in the place of a distance between distributions. If $d$ patients change from 0 to 1, the mean moves by $d/n$. The best choice is $d = 2/\varepsilon$, if that is an even number of at most $n$ patients:
#
# $$\text{error} \ \ge\ \max_d \frac{d}{2n}\, e^{-\lceil d/2 \rceil\varepsilon} = \frac1{e\, n\varepsilon} .$$
#
# Laplace noise is within a factor of $e$ of it. The factor comes from the comparison of only two data sets. The best private mean of *all* data sets of 0 and 1 is a linear program once more:

# %% tags=["hide-input"]
def best_mean(n, epsilon):
    """The smallest possible largest expected error of a private count of n answers, from answers 0, 1/2, 1, ..., n."""
    said, sets = np.arange(2 * n + 1) / 2, np.arange(n + 1)
    cell = np.arange((n + 1) * said.size).reshape(n + 1, said.size)
    pairs = np.concatenate([np.c_[cell[:-1].ravel(), cell[1:].ravel()], np.c_[cell[1:].ravel(), cell[:-1].ravel()]])
    row = np.arange(len(pairs))
    entries = [(row, pairs[:, 0], np.ones(len(row))), (row, pairs[:, 1], np.full(len(row), -np.exp(epsilon))),
               (len(row) + np.repeat(sets, said.size), cell.ravel(), abs(said - sets[:, None]).ravel()),
               (len(row) + sets, np.full(n + 1, cell.size), -np.ones(n + 1))]
    r, c, v = (np.concatenate(part) for part in zip(*entries))
    limits = coo_matrix((v, (r, c)), shape=(len(row) + n + 1, cell.size + 1)).tocsr()
    sums = coo_matrix((np.ones(cell.size), (np.repeat(sets, said.size), cell.ravel())), shape=(n + 1, cell.size + 1)).tocsr()
    return linprog(np.eye(cell.size + 1)[-1], A_ub=limits, b_ub=np.zeros(limits.shape[0]), A_eq=sums, b_eq=np.ones(n + 1), bounds=(0, None)).fun

def two_points(n, epsilon):
    d = np.arange(1, n + 1)
    return (d / 2 * np.exp(-np.ceil(d / 2) * epsilon)).max()

rows = []
for n, epsilon in ((20, 0.2), (20, 0.5), (20, 1.0)):
    lower, best = two_points(n, epsilon), best_mean(n, epsilon)
    by_core = max(d * (1 - chain_success_ceiling(epsilon, 0.0, d)) for d in range(1, n + 1))
    assert lower <= by_core + 1e-12 and by_core <= best <= 1 / epsilon and np.isclose(lower, 1 / (np.e * epsilon))
    rows.append([n, f"{epsilon:g}", f"{lower:.2f}", f"{best:.2f}", f"{1 / epsilon:.2f}"])
pd.DataFrame(rows, columns=["n", "ε", "two points, at least", "best of all private means", "Laplace noise"]).style.hide()

# %% [markdown]
# Expected errors times $n$, that is, in patients. The best private mean is much closer to Laplace noise than to the bound; where $2/\varepsilon$ is not small against $n$, it gains by never answering below 0 or above 1.
#
# (coupling)=
# ## A coupling: a mean of people not yet seen
#
# Let the $n$ answers be drawn: each is a yes with probability 1/2, or with probability $1/2 + a$. The two worlds are drawn *together*: with probability $a$ a person says no in the first world and yes in the second, and otherwise the same in both. Such a joint drawing is called a **coupling**. The number $D$ of replaced answers is then binomial,
# with $n$ trials and probability $a$. Given the two data sets, the area under both curves is at least $e^{-\lceil D/2 \rceil \varepsilon}$, as above. The area under both *mean* curves is no smaller than the mean of these areas, because the smaller of two sums is at least the sum of the smaller ones. So for every $a$
#
# $$\text{error in estimating the probability of a yes} \ \ge\ \frac a2\; \mathbb E\, e^{-\lceil D/2\rceil \varepsilon} .$$
#
# The error is the larger of the two expected errors. {cite:t}`acharya2021` prove bounds of this kind for many problems, as we remember it; the text was not at hand, and the proof above does not need it. The expectation is a finite sum. Here it is, for the best $a$, beside a private mean with Laplace noise and what chance alone does to an exact mean:

# %% tags=["hide-input"] mystnb={"image": {"alt": "Expected error against the number of people, both logarithmic, at epsilon 0.1. The error with Laplace noise falls first like 1/n and then like one over the root of n, when it joins the error of the exact mean. The bound by coupling is a straight line like 1/n, below the Laplace error by a factor of about three for small n."}}
epsilon, people = 0.1, np.geomspace(30, 10_000, 26).round().astype(int)

def coupling_bound(n, epsilon):
    changed = np.arange(n + 1)
    shares = np.minimum(0.5, np.geomspace(0.1, 10, 61) / (n * (1 - np.exp(-epsilon / 2))))
    return max(a / 2 * (binom.pmf(changed, n, a) @ np.exp(-np.ceil(changed / 2) * epsilon)) for a in shares)

def errors(n, epsilon):
    """Of an exact mean, and with Laplace noise of scale b, whose expected distance from u is |u| + b exp(-|u|/b)."""
    yes = np.arange(n + 1)
    off, p, b = abs(yes / n - 0.5), binom.pmf(yes, n, 0.5), 1 / (n * epsilon)
    return p @ off, p @ (off + b * np.exp(-off / b))

lower = np.array([coupling_bound(n, epsilon) for n in people])
exact, private = np.array([errors(n, epsilon) for n in people]).T
assert (lower < private).all() and (exact < private).all()
fig, ax = plt.subplots(figsize=(7.2, 3.3))
ax.plot(people, private, color=PALETTE[0])
ax.plot(people, exact, color=REFERENCE, ls="--")
ax.plot(people, lower, color=PALETTE[1])
ax.text(60, 0.22, "mean with Laplace noise", color=PALETTE[0], weight="bold")
ax.text(1500, 0.0165, "exact mean: chance alone", color=REFERENCE, weight="bold")
ax.text(300, 0.0045, "no private mean below this", color=PALETTE[1], weight="bold", ha="right")
ax.set(xscale="log", yscale="log", xlabel="people, n", ylabel="expected error", title="Privacy costs at least of the order 1/n (ε = 0.1)");

# %% tags=["remove-cell"]
a, n = 0.04, 300
changed = np.arange(n + 1)
smooth = binom.pmf(changed, n, a) @ np.exp(-changed * epsilon / 2)
assert np.isclose(smooth, (1 - a * (1 - np.exp(-epsilon / 2))) ** n)                    # the binomial's generating function
assert np.exp(-epsilon / 2) * smooth <= binom.pmf(changed, n, a) @ np.exp(-np.ceil(changed / 2) * epsilon) <= smooth
drawn, b = rng.binomial(n, 0.5, max(20_000, round(200_000 * effort))) / n, 1 / (n * epsilon)
simulated = abs(drawn + rng.laplace(0, b, drawn.size) - 0.5)
assert abs(simulated.mean() - errors(n, epsilon)[1]) < 5 * simulated.std() / np.sqrt(drawn.size)
ratio = (private / lower)[people < 100]

# %% tags=["remove-input"]
md(f"With fewer than a hundred people the noise dominates, and Laplace noise is within a factor of {ratio.max():.1f} of the bound. With many people chance dominates: a private mean costs nearly no more than an exact one, whose error falls like $1/\\sqrt n$.")
