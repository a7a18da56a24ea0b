# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Evidence on private bandits: regret of eight algorithms in one table, what privacy adds to each, and where theory''s rate is not yet visible.'
# ---

# %% [markdown]
# (online-bandits)=
# # Private arms, checked
#
# ```{admonition} What this page establishes
# :class: tip
# * The regret of eight algorithms beside each other, with standard errors. Two of them, which do not forget, are this book's forms of an idea that the abstract of {cite:t}`azize2025` announces: to keep all rewards, and to use one tail for rewards and noise together.
# * For two of four algorithms that decide rarely, what privacy adds is a term of its own and nearly proportional to 1/ε. For local privacy the rate of the theory is not yet visible at a hundred thousand people.
# * Why the private ones are private, as a program: one reward acts through one noisy sum.
# * A printed regret bound is four to nine times the measured regret, and a printed comparison depends on constants that are not in its text.
# * **What is protected.** One person's reward; neighbours replace one. All algorithms are ε-private with δ = 0, in the central model, or the local one where it says so.
# * **How long.** About 20 minutes.
# ```
#
# ```{admonition} What could be read
# :class: note
# The text of {cite:t}`azize2022` could be read, as submitted; AdaP-UCB here is its algorithm 1 with its index (7). Of {cite:t}`sajed2019`, {cite:t}`shariff2018` and {cite:t}`azize2025` the abstracts could be read. The constants of DP-SE are **from memory**, and agree with a public program by others. DP-UCB is in a form whose
# tail can be proved, since its papers differ. LDP-UCB follows a public program of {cite:t}`ren2020`.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 1902         # all randomness comes from here

# %% tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.online import (
    adap_ucb, dp_se, dp_ucb, laplace_sum_tail, ldp_ucb, ldp_ucb_bernoulli, ucb, ucb_with_one_tail, ucb_without_forgetting)
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore

use_theme()
ten = np.linspace(0.8, 0.4, 10)                 # the mean rewards of ten treatments
two = np.array([0.6, 0.5])

def regret(learner, means, T, epsilon, runs, *key, times=None):
    private = {} if learner is ucb else dict(epsilon=epsilon, noise_rng=np.random.default_rng([seed, 99, *key]))
    return learner(means, T, runs=runs, times=times, rng=np.random.default_rng([seed, *key]), **private).regret

# %% [markdown]
# (online-bandit-table)=
# ## Eight algorithms
#
# Ten treatments with mean rewards from 0.8 to 0.4, and two with 0.6 and 0.5. The algorithms that decide in episodes do a million people in milliseconds; those that decide for every person, and noise every reward or keep a tree, are run for fewer. Regret ± standard error, at ε = 1 where nothing else is said:

# %% tags=["hide-input"]
many, few = max(8, round(60 * effort)), max(3, round(10 * effort))
episodes = {"DP-SE": dp_se, "AdaP-UCB": adap_ucb, "no forgetting": ucb_without_forgetting, "no forgetting, one tail": ucb_with_one_tail}
by_index = {"UCB, without privacy": ucb, "tree (DP-UCB)": dp_ucb, "local, Laplace noise": ldp_ucb, "local, randomised response": ldp_ucb_bernoulli}
short = 50_000 if effort >= 0.5 else 4_000

def entry(x):
    return f"{x.mean():,.0f} ± {x.std(ddof=1) / np.sqrt(x.size):,.0f}"

rows, paid = {}, {}
for i, (name, learner) in enumerate(by_index.items()):
    rows[name] = {f"ten, {short:,}": entry(regret(learner, ten, short, 1.0, few, i)[:, 0])}
for i, (name, learner) in enumerate(episodes.items()):
    paid[name] = [regret(learner, ten, short, 1.0, many, 10, i)[:, 0]]
    rows[name] = {f"ten, {short:,}": entry(paid[name][0])}
    for means, label in ((ten, "ten"), (two, "two")):
        for epsilon in (1.0, 0.1):
            paid[name].append(regret(learner, means, 10**6, epsilon, many, 20, i)[:, 0])
            rows[name][f"{label}, 10⁶" + ("" if epsilon == 1 else ", ε = 0.1")] = entry(paid[name][-1])
pd.DataFrame(rows).T.fillna("")

# %% tags=["remove-cell"]
means_paid = np.array([[x.mean() for x in of_one] for of_one in paid.values()])       # algorithms by columns
forgetting = means_paid[1] / means_paid[2]
assert effort < 1 or (np.diff(means_paid, axis=0) < 0).all() and 1.15 < forgetting.min() and forgetting.max() < 2.05, (means_paid, forgetting)

# %% [markdown]
# Among the four that decide in episodes the order is the same in every column. An elimination that waits for the slowest arm pays most. Episodes that forget their past pay from 1.2 times to twice what those pay that keep it and have the same kind of bonus. The abstract of {cite:t}`azize2025` announces that forgetting is not needed; it names no factor. A tree spreads the same ε over all levels. With noise on every single
# reward, randomised response does better than Laplace noise for rewards of 0 and 1, and at ε = 1 and so few people it is as good as AdaP-UCB. It is the strongest promise of all, and its price grows with ln T and with 1/ε².
#
# DP-SE and the episodes change their minds only at a few times, so all runs commit in the same episode and standard errors can be small for reasons that have nothing to do with precision.
#
# (online-bandit-index)=
# ## The index of the sums that do not forget
#
# The main path gives this index in words. Exactly, where $t$ is the number of the present person, and a treatment had so many `patients` in so many `episodes`:

# %%
def index(noisy_sum, patients, episodes, t, epsilon):
    mean = noisy_sum / patients
    for_chance = np.sqrt(3.1 * np.log(t) / (2 * patients))
    for_noise = laplace_sum_tail(episodes, 2 * np.log(t)) / (epsilon * patients)
    return mean + for_chance + for_noise

# %% tags=["remove-cell"]
checks = np.random.default_rng([seed, 7]).laplace(size=(200_000, 10)).sum(axis=1)
assert all((checks > laplace_sum_tail(10, 2 * np.log(t))).mean() < t**-2.0 for t in (5, 10, 30))
share = laplace_sum_tail(10, 2 * np.log(1e5)) / np.log(1e5)
assert round(float(share), 1) == 3.6
assert np.isclose(index(70.0, 100, 7, 1e5, 1.0) - 0.7, np.sqrt(3.1 * np.log(1e5) / 200) + laplace_sum_tail(7, 2 * np.log(1e5)) / 100)

# %% [markdown]
# The 3.1 is the $\alpha$ of AdaP-UCB, and $\sqrt{3.1 \ln t/(2n)}$ is Hoeffding's bound, which the mean of $n$ outcomes exceeds with probability at most $t^{-3.1}$. The last bonus is an upper bound of the noise: with this many episodes, the sum of their noises exceeds it with probability at most $1/t^2$, by Chernoff's bound. For ten
# episodes and $t$ = 100,000 it is 3.6 times $\ln t/(\varepsilon n)$.
#
# This is one reason why the rate $\ln(T)/\varepsilon$ for each bad treatment is too small. At ε = 0.1 and 100,000 people it gives 460 for the four bad treatments of the main path, and the simulation there loses about 6 times as much. The other reason is that episodes double, so that a bad treatment is given up to twice as often as it needs to be.
#
# (online-bandit-privacy)=
# ## One reward acts through one noisy sum
#
# The proof that episodes are ε-private fits in a line: move one reward, move the noise of its episode's sum back by as much, and nothing that the algorithm does changes. The densities of the two noises differ by a factor of $e^\varepsilon$ at most. Run it:

# %%
class Moved(np.random.Generator):
    """Draws as ever, but one sum of rewards is 1 larger, or one noise 1 smaller."""

    def __init__(self, key, call):
        super().__init__(np.random.PCG64(key))
        self.call, self.calls = call, 0

    def _move(self, drawn, shift):
        drawn = np.array(drawn, dtype=float)
        if self.calls == self.call:
            drawn.flat[0] += shift
        self.calls += 1
        return drawn

    def binomial(self, n, p, size=None):
        return self._move(super().binomial(n, p, size), 1.0)

    def laplace(self, loc, scale, size=None):
        return self._move(super().laplace(loc, scale, size), -1.0)

for learner in (adap_ucb, ucb_without_forgetting, ucb_with_one_tail):
    setting = dict(
        means=[0.4, 0.5, 0.6], n_people=30_000, epsilon=1.0, times=[100, 30_000]
    )
    plain = learner(**setting, rng=Moved(1, None), noise_rng=Moved(2, None))
    for call in (0, 3, 7, 12):
        moved = learner(**setting, rng=Moved(1, call), noise_rng=Moved(2, call))
        assert np.array_equal(plain.pulls, moved.pulls) and np.array_equal(
            plain.regret, moved.regret
        )

# %% [markdown]
# Lemma 1 of {cite:t}`azize2022`, on means over disjoint stretches, is what this rests on; it holds.
#
# (online-bandit-additive)=
# ## What privacy adds
#
# The theory says that ε enters through a term of its own, of the order of $A\ln(T)/\varepsilon$. So extra regret times ε should be flat:

# %% tags=["hide-input"]
epsilons, n_runs = (0.1, 0.25, 1.0), max(8, round(200 * effort))
rows = []
for i, (name, learner) in enumerate(episodes.items()):
    for means, label in ((ten, "ten"), (two, "two")):
        free = regret(learner, means, 10**6, None, n_runs, 30, i)[:, 0]
        extra = {e: e * (regret(learner, means, 10**6, e, n_runs, 31, i)[:, 0].mean() - free.mean()) for e in epsilons}
        error = free.std(ddof=1) / np.sqrt(n_runs)
        rows.append({"algorithm": name, "treatments": label, **{f"ε = {e:g}": x for e, x in extra.items()}, "largest over smallest": max(extra.values()) / min(extra.values()) if min(extra.values()) > 0 else np.nan, "± at ε = 1": error})
extra = pd.DataFrame(rows)
flat = extra[(extra["treatments"] == "ten") & extra["algorithm"].isin(["AdaP-UCB", "no forgetting"])]["largest over smallest"].max()
assert effort < 1 or flat < 1.4
spread = extra.set_index(["algorithm", "treatments"])["largest over smallest"]
assert effort < 1 or spread["no forgetting", "two"] < 1.4 and 1.6 < spread["AdaP-UCB", "two"] < 3 and min(spread["DP-SE", "ten"], spread["no forgetting, one tail", "ten"]) > 1.6
extra.style.hide().format("{:,.0f}", subset=[f"ε = {e:g}" for e in epsilons] + ["± at ε = 1"]).format("{:.2f}", subset=["largest over smallest"], na_rep="")

# %% [markdown]
# With ten treatments it is flat to within a third for AdaP-UCB and for the one that keeps its rewards: *additive, and about 1/ε*. With two it still is for the one that keeps its rewards. For AdaP-UCB it is less so, since a gap of 0.1 leaves little room between the two regimes. DP-SE takes the maximum of two sample sizes and not their sum, so at ε = 1 privacy adds little to it. The single tail of the last one is made so that rewards and noise share their bonus, and what ε adds is no term of its own.
#
# In the theory this term does not depend on the gap. For the one that keeps its rewards, with two treatments, ε = 0.1 and a million people:

# %% tags=["hide-input"]
of_gap = {gap: [regret(ucb_without_forgetting, np.array([0.8, 0.8 - gap]), 10**6, e, n_runs, 32, k).mean() for k, e in enumerate((None, 0.1))] for gap in (0.05, 0.4)}
by_chance = of_gap[0.05][0] / of_gap[0.4][0]
by_noise = (of_gap[0.05][1] - of_gap[0.05][0]) / (of_gap[0.4][1] - of_gap[0.4][0])
assert by_noise < 2.2 < 4 < by_chance

# %% tags=["remove-input"]
md(f"If the gap is 0.05 in place of 0.4, chance costs {by_chance:.1f} times as much, and what ε adds is {by_noise:.1f} times as large.")

# %% [markdown]
# (online-two-bonuses)=
# ### The two bonuses, side by side
#
# Without their constants the two bonuses are $\sqrt{\ln(T)/n}$ for chance and $\ln(T)/(\varepsilon n)$ for the noise. A bad treatment is given up when both are smaller than its gap.
#
# ```{admonition} Guess first
# :class: hint guess right-1
# The second-best treatment has a gap of 0.1, and ε = 1. **Which of the two bonuses keeps it in use longer?** Choose, then move the number of patients until each curve is below the gap.
#
# * the bonus for chance
# * the bonus for the noise
# * both equally long
# ```

# %% tags=["remove-input"]
n_people = 100_000
log_all = np.log(n_people)
tried = Slider("n", "patients with this treatment", 10, 1e4, 10, points=31, steps=30, low_end="few", high_end="many")
loss = Slider("epsilon", "privacy loss ε", 0.01, 1, 1, points=41, steps=40, low_end="more private", high_end="less private")
gap_choice = Choice("gap", "gap of the treatment", ("0.1", "0.2", "0.3", "0.4"), "0.1", low_end="nearly as good", high_end="worst")
by_chance, by_noise = Table.of(lambda n: np.sqrt(log_all / n), tried), Table.of(lambda epsilon: log_all / epsilon, loss) / Table.of(lambda n: n, tried)
gaps = Table.of(lambda gap: np.asarray(gap, dtype=float), gap_choice)
explore(
    name="two_bonuses", sliders=[tried, loss, gap_choice], x=tried, y=Axis("bonus", "size of the bonus", 0.001, 200),
    curves=[Curve("for the noise: ln T / (ε n)", by_noise), Curve("for chance: √(ln T / n)", by_chance), Curve("the gap", gaps, reference=True)],
    readouts=[Readout("noise", "bonus for the noise", by_noise), Readout("chance", "bonus for chance", by_chance)],
    guarantee="ε = {epsilon}, δ = 0 for one patient’s outcome (replace one), proved for the rule, whose bonuses are these times constants.",
    alt="Two bonuses against the number of patients with a treatment, both axes logarithmic. The one for the noise falls twice as steeply as the one for chance. After {n} patients and with ε = {epsilon} the noise has {noise} and chance {chance}, beside a gap of {gap}.",
    caption="The two formulas with T = 100,000 patients in all, without their constants.")

# %% tags=["remove-cell"]
assert round(log_all / 0.1**2, -1) == 1150 and round(log_all / 0.1) == 115 and abs(log_all / 0.4 - 28.8) < 0.05 and abs(log_all / 0.4**2 - 72) < 0.1

# %% [markdown]
# **What you should see.** The bonus for chance: it needs 1,150 patients, and the noise only 115. The noise falls twice as steeply on this picture, because it is divided by $n$ and not by $\sqrt n$. Now lower ε: at ε = 0.1, which is the gap, both need the same 1,150, and below it the noise needs more. So in these formulas noise
# matters more than chance where ε is smaller than the gap. With the gap of 0.4 that is already so at ε = 0.3. These are
# the formulas without their constants.
#
# In the rule itself the constants are 1.55 under the root, and 3.6 for ten noises. The two bonuses are then equally long where ε is 2.3 times the gap. For the worst treatment of the main path, with its gap of 0.4, that is nearly at ε = 1. And in the index the bonuses are added, so that the shorter one counts as well. This is why noise nearly doubles the regret there already at ε = 1.
#
# (online-bandit-rates)=
# ## Where the theory's rate is not yet visible
#
# Local privacy costs a factor, not a term. With randomised response the means of the answers lie $\tanh(\varepsilon/2)$ as far apart, so regret should end at $1/\tanh^2(\varepsilon/2)$ times that without privacy, 400 times at ε = 0.1. But no algorithm loses more than treating at random. Two treatments:

# %%
horizon = 100_000 if effort >= 0.5 else 5_000
points = np.unique(np.geomspace(200, horizon, 25).astype(int))
free = regret(ucb, two, horizon, None, few, 40, times=points).mean(axis=0)
local = {
    e: regret(ldp_ucb_bernoulli, two, horizon, e, few, 41, times=points).mean(axis=0)
    for e in (4.0, 1.0, 0.25)
}

# %% mystnb={"image": {"alt": "Regret under randomised response over regret without privacy, against people: at epsilon four close to one throughout, at epsilon one rising to about three with its dashed limit a little higher, at epsilon one quarter still rising far below its limit of 64, along the ceiling of treating at random."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.8))
for (e, curve), colour in zip(local.items(), PALETTE):
    ax.plot(points, curve / free, color=colour, label=f"ε = {e:g}")
    ax.axhline(1 / np.tanh(e / 2) ** 2, color=colour, ls=":", lw=1.2)
ax.plot(points, 0.05 * points / free, color=REFERENCE, ls="--", label="treating at random")
ax.set(xscale="log", yscale="log", xlabel="people", ylabel="regret over that without privacy", ylim=(0.8, 100),
       title="The factor of local privacy shows only when arms are told apart")
ax.legend(loc="upper left");

# %% tags=["remove-input"]
md("Dotted: the factor that theory gives in the end. " + " ".join(f"At ε = {e:g} the ratio is {curve[-1] / free[-1]:.1f} after {horizon:,} people, with a limit of {1 / np.tanh(e / 2)**2:.1f}." for e, curve in local.items()) +
   " While all arms still look alike, regret is that of treating at random, and no rate can be read off.")

# %% [markdown]
# (online-bandit-print)=
# ## A printed bound, and a printed comparison
#
# Theorem 7 of {cite:t}`azize2022` bounds the regret of AdaP-UCB by $\sum_{\Delta_a > 0}\bigl(\frac{16\alpha\ln T}{\min\{\Delta_a, \varepsilon\}} + \frac{\alpha}{\alpha - 3}\bigr)$, with $\alpha$ = 3.1:

# %% tags=["hide-input"]
five = np.array([0.75, 0.625, 0.5, 0.375, 0.25])
rows = []
for i, (name, means, epsilon) in enumerate((("ten", ten, 0.1), ("ten", ten, 1.0), ("two", two, 0.25), ("five, of their figure", five, 1.0))):
    gaps = np.sort(means.max() - means)[1:]
    bound = float(np.sum(16 * 3.1 / np.minimum(gaps, epsilon) * np.log(1e6) + 3.1 / 0.1))
    found = regret(adap_ucb, means, 10**6, epsilon, many, 50, i)[:, 0].mean()
    rows.append({"treatments": name, "ε": epsilon, "bound": bound, "regret at T = 10⁶": found, "ratio": bound / found})
assert all(row["ratio"] >= 1 for row in rows) and (effort < 1 or all(4 < row["ratio"] < 9 for row in rows))
pd.DataFrame(rows).style.hide().format("{:,.0f}", subset=["bound", "regret at T = 10⁶"]).format("{:.1f}", subset=["ratio"]).format("{:g}", subset=["ε"])

# %%
T = 10**7
se, ada, ours = (
    regret(learner, five, T, 1.0, max(4, round(20 * effort)), 60)[:, 0]
    for learner in (dp_se, adap_ucb, ucb_with_one_tail)
)
tree, short_ada = (
    regret(dp_ucb, five, short, 1.0, few, 61)[:, 0],
    regret(adap_ucb, five, short, 1.0, many, 61)[:, 0],
)

# %% tags=["remove-input"]
md(f"The text beside their Figure 2, at ε = 1 and T = 10⁷ with the five treatments, says that AdaP-UCB and AdaP-KLUCB have almost ten times lower regret than DP-SE and DP-UCB. With the constants that this book has, DP-SE pays **{se.mean() / ada.mean():.1f}** times as much as AdaP-UCB there, and a UCB with a tree pays {tree.mean() / short_ada.mean():.1f} times as much at T = {short:,}. "
   f"The constants of the two others are not in the text, so the comparison could not be checked. The episodes that keep all rewards, with one tail, pay {ours.mean() / ada.mean():.2f} of AdaP-UCB's regret.")

# %% [markdown]
# (online-bandit-lower)=
# ## Lower bounds
#
# {cite:t}`azize2022` prove, with constants, that every ε-private bandit that is good in all worlds pays at least of the order of $A\ln(T)/\varepsilon$. The condition is needed: a rule that always gives the first treatment loses nothing where the first is best. {cite:t}`shariff2018` announce the first bound of this kind in their abstract, and later papers cite it as of this order. Statements about all algorithms are out of reach of a run. What a run can say is that nothing here falls below them; {ref}`the ledger <claims>` has the figures.
#
# ```{exercise}
# :label: ex-online-forget
# Why does an algorithm that keeps all its episodes need a wider tail for the noise than one that uses only the last? And why does it pay less all the same?
# ```
#
# ```{solution} ex-online-forget
# :class: dropdown
# Its sum contains the noise of every episode, about $\log_2 n$ of them, so the tail is that of a sum. But its mean is over twice as many rewards as those of the last episode, and both bonuses are divided by that number. The sum of ten Laplace noises is about three times as wide as one, and at a high level its tail hardly differs from the tail of one.
# ```
#
# ## To take away
#
# * Decide rarely, noise each sum once, and keep what was paid for.
# * In the central model privacy adds a term of about $1/\varepsilon$; in the local model it multiplies, and the factor appears only late.
# * A comparison of private algorithms is a comparison of constants, so these belong in the text.
