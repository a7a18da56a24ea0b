# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on printed algorithms for private learning: what their bonuses do to 20,000 people, and the factor 2 in what they promise.'
# ---

# %% [markdown]
# (online-printed)=
# # Printed bonuses, checked
#
# ```{admonition} What this page establishes
# :class: tip
# * In the form that could be restored from memory, every index of Private-UCB-VI is cut off up to person $S E$, whatever the data. With ties broken at random its regret at 20,000 people is that of treating at random,
#   with privacy and without it. Without privacy half of the best value is reached by some 700,000 people, with joint privacy by hundreds of millions.
# * In the form that could be read, of the paper with self-play, the same bonus has no constants; with all of them 1 it is blind for longer.
# * A printed local privatiser loses exactly $2\varepsilon$. The central one has two readings. In the one, it is private and its error is larger than printed; in the other, the error is as printed and it loses $2\varepsilon$.
# * **What is protected.** One person's whole stay, against all others together or against the hospital itself. Neighbours replace one.
# * **How long.** About 25 minutes.
# ```
#
# ```{admonition} What could be read
# :class: note
# Of {cite:t}`chowdhury2022` the introduction with its table of regrets could be read, and the public program, which has {doc}`a page of its own <04_published_code>`. The formulas of the algorithm could not: those below are **restored from
# memory, and could not be checked against the text**. Of {cite:t}`qiao2023online` and {cite:t}`vietri2020` and {cite:t}`garcelon2021` the abstracts could be read. {cite:t}`qiao2024` could be read as a whole; it generalises the first of these to two players, and with
# one player it is about the same algorithm.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2022         # all randomness comes from here
epsilon = 1.0       # as on the published figures
failure = 0.1       # the probability with which the bounds may fail

# %% tags=["hide-input"]
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.online import (
    PER_STEP, BinaryTree, PrintedBound, count_many_days_non_private, exact_values, greedy, growing,
    private_ucb_vi_as_printed, table_sensitivity, ucb_vi_as_printed_non_private)
from privrl_core.privacy import ADD_OR_REMOVE_ONE
from privrl_core.privacy.guarantees import Model
from privrl_core.world import river_swim
from privrl_core.formatting import show
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the people, and the noise that protects them
river = river_swim()                                    # the benchmark of the published figures
S, A, H, K = 6, 2, 20, 20_000
size = dict(horizon=H, n_states=S, n_actions=A)

# %% [markdown]
# (online-blind)=
# ## Until person $S E$ nobody is treated by what was learned
#
# The algorithm keeps noisy counts $\tilde n$ of pairs and triples, step by step, and treats each person by the largest index
#
# $$\begin{gathered}
# Q_h = \min\Bigl(H - h,\ \frac{\tilde r + \sum_{s'} \tilde n_{s'} V_{h+1}(s')}{\tilde n + E} + b\Bigr), \\
# b = \frac{L + HL}{\sqrt{\tilde n + E}} + \frac{4E + H(S + 2)E}{\tilde n + E}.
# \end{gathered}$$
#
# Here $E$ bounds all noises of all counts together, and $L = \sqrt{2\ln(4SAT/\beta)}$. The last term pays for the noise in every next condition at its worst, at once. On its own it is at least $H$ while
# $\tilde n + E \le (S + 2)E$. Unless the bound on the noise fails, $\tilde n$ lies between $n - E$ and $n + E$ for a pair with $n$ visits so far, and $n$ is at most $k$ after $k$ people.
#
# The estimate in front can be negative, by noise. So go backwards through the steps, and suppose that all values of the next step are cut off at $m = H - h - 1$, which is 0 after the last step. The noise in the sum over the next conditions is at most $SE$, and that in $\tilde r$ at most $E$. So while $n \le SE$, the numerator of the two fractions together is at least
#
# $$m(n - SE) - E + 4E + H(S + 2)E \;\ge\; (m + 1)(n + 2E) \;\ge\; (m + 1)(\tilde n + E).$$
#
# The first of the two inequalities is tightest at $n = SE$ and $m = H - 1$, where the left side is larger by $3E$. The index is thus at least $m + 1 = H - h$ and is cut off, too. Up to person $SE$ every index is cut off at what is left of the stay, whatever the data say. All treatments tie.

# %%
bound = PrintedBound(**size, epsilon=epsilon, failure=failure)
local = PrintedBound(**size, epsilon=epsilon, failure=failure, model=Model.LOCAL)
pd.DataFrame(
    [
        {
            "model": name,
            "E": own.bound(K),
            "blind until person S E": own.blind_until(K),
            "blind to the end for every K up to": own.always_blind_up_to(),
        }
        for name, own in (("joint", bound), ("local", local))
    ]
).style.hide().format(
    "{:,.0f}",
    subset=["E", "blind until person S E", "blind to the end for every K up to"],
)

# %% tags=["remove-cell"]
assert np.isclose(bound.blind_until(K), 146_357.78647, atol=1e-4) and bound.always_blind_up_to() == 212_696
n, m = np.meshgrid(np.linspace(0, S * bound.bound(K), 101), np.arange(H))       # the inequality that cuts all indices off
assert (m * (n - S * bound.bound(K)) + (3 + H * (S + 2)) * bound.bound(K) >= (m + 1) * (n + 2 * bound.bound(K))).all()

# %% [markdown]
# Since $E$ grows with $K$ itself, there is a largest number of people for whom nothing is ever learned. How much does that depend on what was remembered?

# %% tags=["hide-input"]
def last_blind(constant=1.0, base=np.e, families=3):
    """The largest K with K <= S E(K), if E had another factor, logarithm or number of families."""
    def excess(k):
        log = np.log(6 * S**2 * A * k * H / failure)
        return S * constant * families * H / epsilon * np.sqrt(8 * (np.log(k) / np.log(base)) ** 3 * log) - k
    people = np.geomspace(10, 1e8, 400_001)
    return people[np.flatnonzero(excess(people) >= 0)[-1]]

variants = {"as restored": last_blind(), "base 2 in the logarithm": last_blind(base=2), "two families": last_blind(families=2),
            "half of E": last_blind(0.5), "a seventh of E": last_blind(1 / 7)}
assert abs(variants["as restored"] / 212_696 - 1) < 1e-3
pd.DataFrame({"blind to the end for every K up to": variants}).style.format("{:,.0f}")

# %% tags=["remove-input"]
md(f"The number itself is fragile. That nobody among the {K:,} people of the figures is treated by what was learned is not: it is so for every $E$ of at least **{K / bound.blind_until(K):.3f}** of the restored one.")

# %% [markdown]
# So the regret needs no simulation. If ties are broken at random, it is $K$ times what treating at random costs. If they are broken by the number of the treatment, as `argmax` does, the numbering decides everything:

# %%
def never(policy):
    return K * float(
        river.initial @ river.optimal_values()[0] - exact_values(river, policy)
    )

at_random = np.full((H, S, A), 0.5)
left, right = np.zeros((H, S, A)), np.zeros((H, S, A))
left[..., 0], right[..., 1] = 1, 1
ties = {
    "at random": never(at_random),
    "to the left": never(left),
    "to the right": never(right),
}
pd.DataFrame({"regret after 20,000 people, exactly": ties}).style.format("{:,.1f}")

# %%
private = private_ucb_vi_as_printed(
    river, K, epsilon=epsilon, rng=rng, noise_rng=noise_rng, runs=2
).regret[:, -1]
locally = private_ucb_vi_as_printed(
    river, K, epsilon=epsilon, model=Model.LOCAL, rng=rng, noise_rng=noise_rng, runs=2
).regret[:, -1]
free = ucb_vi_as_printed_non_private(river, K, rng=rng, runs=2).regret[:, -1]
assert np.allclose([private, locally, free], ties["at random"], atol=1e-6)

# %% tags=["remove-input"]
md(f"Two runs of each: regret **{private[0]:,.4f}** with joint privacy, {locally[0]:,.4f} with local privacy, and {free[0]:,.4f} *without privacy*. It is the same number, since the remaining constants of the bonus do the same thing "
   "to the algorithm without noise. *Blindness is not the price of privacy.* It is what constants do that were chosen for a proof.")

# %% [markdown]
# (online-halfway)=
# ## When does it begin to see?
#
# To find out, let billions of people come, with $K$ = 10¹⁰ in all constants. The algorithm plans again whenever their number has grown by a tenth, and everybody in between is treated alike. While indices are cut off this changes nothing.
# Here it is once more, written out, as a second route beside the package's.

# %%
def restored(K, times, private, rng, noise_rng):
    """Expected reward of the people between times, by the formulas above."""
    L = np.sqrt(2 * np.log(4 * S * A * K * H / failure))
    E, width = (bound.bound(K), 3 * H * K.bit_length() / epsilon) if private else (0, 0)
    counts, blocks, done, values = np.zeros((H, S, A, S)), {}, 0, []
    for time in times:
        needed = [
            (h, done >> h)
            for h in range(done.bit_length())
            if done >> h & 1 and private
        ]
        blocks = {
            key: blocks[key]
            if key in blocks
            else noise_rng.laplace(0, width, (H, S, A, S + 2))
            for key in needed
        }
        noise = sum(blocks.values(), np.zeros((H, S, A, S + 2)))
        visits = counts.sum(axis=-1)
        n = np.maximum(visits + noise[..., S] + E, 1)
        bonus = (L + H * L) / np.sqrt(n) + (4 * E + H * (S + 2) * E) / n
        rewards = visits * river.rewards + noise[..., S + 1]
        V, policy = np.zeros(S), np.empty((H, S, A))
        for h in reversed(range(H)):
            q = (rewards[h] + (counts[h] + noise[h, ..., :S]) @ V) / n[h] + bonus[h]
            q = np.minimum(q, H - h)
            policy[h], V = greedy(q), q.max(axis=-1)
        values.append(float(exact_values(river, policy)))
        counts += count_many_days_non_private(
            river, policy[None, None], [[int(time) - done]], rng
        )[0]
        done = int(time)
    return np.array(values)

# %%
K_large, billions = 10**10, 2 * 10**9 if effort >= 0.5 else 10**7
times = growing(billions, first=1, growth=0.1)
n_runs = max(1, round(3 * effort))
best = float(river.initial @ river.optimal_values()[0])
value = {
    name: np.mean(
        [restored(K_large, times, private, rng, noise_rng) for _ in range(n_runs)],
        axis=0,
    )
    for name, private in (("without privacy", False), ("joint, ε = 1", True))
}

# %%
early = growing(200_000, first=1, growth=0.1)  # the package's, where both can run
package = ucb_vi_as_printed_non_private(river, 200_000, rng=rng, runs=2).regret[:, -1]
by_hand = (best - restored(200_000, early, False, rng, noise_rng)) @ np.diff(
    early, prepend=0
)
assert (
    np.allclose(package, by_hand, rtol=0.005)
    and by_hand < 10 * ties["at random"] - 3_000
)

# %% mystnb={"image": {"alt": "Mean value of a stay against the number of people, logarithmic, up to two billion. Without privacy the curve leaves the value of treating at random near three hundred thousand people and reaches half of the best value near seven hundred thousand; with joint privacy it stays at the bottom until more than a hundred million people."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for (name, curve), colour in zip(value.items(), PALETTE):
    ax.plot(times, curve, color=colour, label=name)
ax.axhline(best, color=REFERENCE, ls="--", label="best value")
ax.axvline(K, color=REFERENCE, lw=1)
ax.text(K * 0.85, best / 2, "the published\nfigures end here", color=REFERENCE, ha="right", fontsize=9)
ax.set(xscale="log", xlabel="person", ylabel="expected reward of a stay", title="The restored algorithm begins to learn long after the figures end")
ax.legend(loc="center left", bbox_to_anchor=(0, 0.75));

# %%
def half_way(curve):
    reached = np.flatnonzero(curve >= best / 2)
    return times[reached[0]] if reached.size else np.inf

halves = {name: half_way(curve) for name, curve in value.items()}

# %% tags=["remove-cell"]
assert 5e5 < halves["without privacy"] < 9e5
assert effort < 0.5 or 2.5e8 < halves["joint, ε = 1"] < 8e8

# %% tags=["remove-input"]
md(f"Half of the best value is reached by person **{show(halves['without privacy'], 2)}** without privacy, and " + (f"by person **{show(halves['joint, ε = 1'], 2)}** with joint privacy" if np.isfinite(halves['joint, ε = 1']) else
   f"not within {show(float(billions), 1)} people with joint privacy") + f" (mean of {n_runs} runs). Here is the true price of privacy in this form: a factor of some hundreds in people.")

# %% [markdown]
# *Not tuned.* Papers that run such algorithms often scale the bonus by hand. That helps little here, since the noise itself, of a standard deviation near 900 in each block, hides what there is to see. And to choose the scale by looking at the result is a release that no guarantee covers.
#
# (online-read-bonus)=
# ## The bonus that could be read
#
# {cite:t}`qiao2024` have, with one player, the bonus
#
# $$C_2\sqrt{\frac{\operatorname{Var}_{\tilde P}(V)\,\iota}{\tilde n}} + \frac{C_2 H S E \iota}{\tilde n} + \frac{C_2 H^2 S \iota}{\tilde n}, \qquad \iota = \ln\frac{30HSAK}{\beta},$$
#
# with universal constants that are not given, and $E$ of order $\frac H\varepsilon \ln^2\frac{HSAK}{\beta}$. An index is cut off at $H$. The second term alone reaches it while $\tilde n \le C_2 S E \iota$. With every constant set to 1:

# %% tags=["remove-input"]
log = np.log(H * S * A * K / failure)
E_read, iota = H / epsilon * log**2, np.log(30 * H * S * A * K / failure)
blind = (S * iota - 1) * E_read
assert round(blind, -4) == 790_000
md(f"$E$ = {E_read:,.0f}, ι = {iota:.1f}, and every index is cut off up to person **{show(blind, 2)}**, of {K:,}. The order of the regret is not in question: $S^2AH^3/\\varepsilon$ is {S**2 * A * H**3 / epsilon:,.0f} here, and "
   f"the regret cannot exceed {ties['at random']:,.0f} by treating at random. A theorem on orders says nothing about such a size, and does not claim to. The threshold in the abstract of {{cite:t}}`qiao2023online`, $\\varepsilon > S^{{1.5}}A^{{0.5}}H^2/\\sqrt T$, is "
   f"ε > {S**1.5 * A**0.5 * H**2 / np.sqrt(H * K):.1f} for these {K:,} people.")

# %% [markdown]
# (online-factor-2)=
# ## A factor of two in the local promise
#
# The local privatiser of {cite:t}`qiao2024`, section 5.2, adds $\mathrm{Lap}(2H/\varepsilon)$ to every cell of the two families of counts, since each "has $\ell_1$ sensitivity $H$". A stay puts $H$ ones into a family. But the definition compares *any two* stays:
# $H$ ones go, and $H$ others come. All pairs of stays, for a world of two conditions and two treatments:

# %%
def cells(horizon, S=2, A=2, first=None):
    for path in product(range(S), *[range(A), range(S)] * horizon):
        if first is None or path[0] == first:
            day = [path[2 * h : 2 * h + 3] for h in range(horizon)]
            yield {(h, s, a, n) for h, (s, a, n) in enumerate(day)} | {
                (h, s, a) for h, (s, a, _) in enumerate(day)
            }

def largest_move(days):
    return max(len(one ^ other) for one, other in product(days, repeat=2))

loss = [
    largest_move([*cells(h)]) / (2 * h) for h in (1, 2, 3)
]  # in units of ε, at width 2H/ε
alike = [largest_move([*cells(h, S=3, A=1, first=0)]) / (2 * h) for h in (1, 2, 3)]
assert loss == [2, 2, 2] and np.allclose(alike, [2 - 1 / h for h in (1, 2, 3)])
assert table_sensitivity(H, 2, PER_STEP).l1 / (2 * H) == 2
assert table_sensitivity(H, 2, PER_STEP, neighbours=ADD_OR_REMOVE_ONE).l1 / (2 * H) == 1

# %% [markdown]
# The privacy loss of Laplace noise of width $2H/\varepsilon$ is exactly $2\varepsilon$, attained by two stays that share no cell. If all stays begin alike and treatments follow from conditions, it is $(2 - 1/H)\varepsilon$. The width is right for *adding or removing* one person, whose stay is compared with none; local
# privacy has no such neighbours. Twice the noise mends it, and no order in the paper changes. The form of {cite:t}`chowdhury2022` that we remember, with three families and width $3H/\varepsilon$, has the same factor.
#
# (online-two-readings)=
# ## Two readings of the central promise
#
# For joint privacy the text applies the "Binary Mechanism with input parameter $\varepsilon' = \varepsilon/(2H\log K)$" to every count. Everything depends on whose parameter that is. With logarithms to base 2:

# %% tags=["hide-input"]
streams = table_sensitivity(H, 2, PER_STEP).l1            # 4H counts change in one place
blocks = BinaryTree(K).levels                             # of each, so many blocks
own = 1 / (2 * H * np.log2(K))                            # ε' at ε = 1
worst_sum = 14                                            # blocks that the worst running sum adds up
readings = pd.DataFrame([
    {"ε' is the parameter of": "each counter as a whole", "true ε": streams * own, "standard deviation of a count": np.sqrt(2 * worst_sum) * blocks / own, "error grows like": "(log K)³"},
    {"ε' is the parameter of": "each block of a counter", "true ε": streams * blocks * own, "standard deviation of a count": np.sqrt(2 * worst_sum) / own, "error grows like": "(log K)²"}])
readings.style.hide().format({"true ε": "{:.2f}", "standard deviation of a count": "{:,.0f}"})

# %% tags=["remove-cell"]
assert np.isclose(readings["true ε"][1], 2.1, atol=0.005) and np.isclose(readings["standard deviation of a count"][1], 3024, atol=1)

# %% [markdown]
# In the first reading, which is what the words say, the promise is kept several times over, and the error is a factor $\log K$ larger than the printed order $\frac H\varepsilon\log^2$. In the second the error is as printed, and the loss is $2\varepsilon L/\log_2 K$ with $L = \lfloor\log_2K\rfloor + 1$ blocks. Lemma 5.1
# hides logarithms and is true in the first reading. The remedy is the same in both: compute the sensitivity of the whole table once, and its noise from that ({doc}`01_counters`).
#
# The guarantee that `private_ucb_vi_as_printed` returns says $2\varepsilon$:

# %%
print(
    private_ucb_vi_as_printed(
        river, 50, epsilon=epsilon, rng=rng, noise_rng=noise_rng
    ).guarantee
)

# %% [markdown]
# ## To take away
#
# * A bonus that bounds every noise at once, at its worst, cuts all indices off. The bonus of a noise should be as large as the noise of what is planned with: one number for each pair.
# * Compare a private algorithm with the same algorithm without privacy. Here both are blind.
# * Local privacy compares any two records, so a one that moves counts twice.
