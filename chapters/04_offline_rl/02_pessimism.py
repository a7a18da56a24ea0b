# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Why a private learner should be cautious: lucky streaks, penalties for chance and for noise, and an algorithm
#         that plans with both.'
# ---

# %% [markdown]
# # Caution in private
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Some counts are small, and all of them are noisy. Which treatments may a hospital recommend on such evidence?
# * **The answer.** Subtract from each estimate a penalty for what the data cannot tell, and take what is left. In private the noise is a
#   second doubt, and what was seen too rarely counts as unknown.
# * **What is protected.** One patient's whole stay. Neighbouring data sets differ in one stay, which is replaced by another.
# * **What you need.** {doc}`01_counts`.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2023         # all randomness comes from here
n_patients = 30_000
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.stats import binom, norm

from privrl_core.experiments import grid, run
from privrl_core.offline import Constants, apvi, dp_apvi, noise_bound, practical, private_transitions, sample_counts
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, largest, show
from privrl_core.privacy import GaussianNoise, gaussian_mu
from privrl_core.world import EpisodicMDP

use_theme()
rng = np.random.default_rng(seed)  # for data only; noise has streams of its own
draws = max(2_000, round(20_000 * effort))

# %% [markdown]
# ## The treatment that was lucky
#
# A hospital knows its usual treatment well: of 900 patients, half were cured. Twenty other treatments were tried on four patients each. Suppose
# that none of the twenty is any good, and that each truly cures 30 patients in 100. The hospital does not know this. It has only the records.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **In how many of 100 such hospitals does at least one of the twenty look better than the usual treatment?**
#
# * about 8
# * about 40
# * about 80
# * nearly all 100
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Share of patients cured, for the usual treatment at one half and twenty others tried on four patients each. Three of the twenty have higher shares and are coloured. From each dot a line leads down to a lower end; the highest lower end is that of the usual treatment."}}
tried, truly, width = 4, 0.3, 1.0
lucky = 1 - binom.cdf(2, tried, truly) ** 20                # three of four cured, or all
cured = np.random.default_rng(306).binomial(tried, truly, 20) / tried
shares, sizes = np.append(0.5, cured), np.append(900, np.full(20, tried))
lower = shares - width / np.sqrt(sizes)
colours = np.array([PALETTE[1], *np.where(cured > 0.5, PALETTE[0], REFERENCE)])
fig, ax = plt.subplots(figsize=(7.4, 3.5))
ax.vlines(range(21), np.maximum(lower, 0), shares, color=colours, lw=2)
ax.scatter(range(21), shares, s=[80, *[36] * 20], color=colours, zorder=3)
ax.axhline(lower[0], color=PALETTE[1], ls=":", lw=1.2)
ax.text(-0.3, 0.56, "the usual\ntreatment", color=PALETTE[1], weight="bold", va="bottom")
lucky_ones = 1 + np.flatnonzero(cured > 0.5)
ax.text(lucky_ones.mean(), 0.8, "lucky", color=PALETTE[0], weight="bold", ha="center", va="bottom")
ax.text(16.5, lower[0] - 0.015, "lower end of the\nusual treatment", color=PALETTE[1], ha="center", va="top")
ax.set(xlabel="treatment", ylabel="share cured", xticks=[], ylim=(0, 1.02), title="The luckiest looks best; its lower end does not");

# %% tags=["remove-input"]
md(f"**What you should see.** It happens in {100 * lucky:.0f} of 100. A single one of the twenty is lucky 8 times in 100, when it cures three or four of its four patients, but there are twenty of them. In this hospital "
   f"{('two', 'three')[np.sum(cured > 0.5) - 2]} look better, and the best of them seems to cure {100 * cured.max():.0f} %. The more treatments are compared, the luckier the luckiest becomes. The line under each dot leads down to a *lower end*, of which the next paragraph speaks.")

# %% tags=["remove-cell"]
assert 0.79 < lucky < 0.84 and np.sum(cured > 0.5) >= 2 and lower[0] > lower[1:].max()
assert 0.08 < 1 - binom.cdf(2, tried, truly) < 0.085 and width / np.sqrt(4) == 0.5 and round(width / np.sqrt(900), 2) == 0.03
simulated = (np.random.default_rng([seed, 2]).binomial(tried, truly, (draws, 20)) >= 3).any(axis=1)
assert abs(simulated.mean() - lucky) < 5.5 * np.sqrt(lucky * (1 - lucky) / draws)

# %% tags=["remove-input"]
all_cured = 1 - (1 - truly**4) ** 20
assert round(100 * all_cured) == 15 and 1 - width / 2 > lower[0] > 0.75 - width / 2        # four of four still wins, three of four does not
md(f"""A doctor at the bedside would try a lucky treatment again, and soon see the mistake. *Offline* nobody tries anything again. So a learner from old records has to be cautious: from each estimate it subtracts a **penalty** that is large where the data are few. What is left is its lower end.
For a share of $n$ patients we take $1/\\sqrt n$ as the penalty, which is at least two standard deviations: 0.5 for four patients, and 0.03 for nine hundred. The learner then takes the treatment whose lower end is highest. This is called **pessimism**.
It does not rule out luck. A useless treatment still wins if it cures all four of its patients, but this happens in only {100 * all_cured:.0f} of 100 hospitals.""")

# %% [markdown]
# ## A penalty for chance, and one for noise
#
# Now the shares are computed from the noisy counts of {doc}`the page before <01_counts>`. From here on they come from a **large ward**, with $S = 10$ conditions, $A = 4$ treatments and $H = 10$ days. Take one pair of condition and treatment on one day, with $n$ patients, and the share of them that are in a given condition the next day. This share has two errors:
#
# * **Chance** rarely puts it off by more than $1/\sqrt n$, as above.
# * **Noise** puts it off by up to $E_\rho/n$ if the share is small, and by up to twice as much if it is large. Here $E_\rho$ bounds the error of every repaired count, with a probability of 90 %. At ε = 1 it was 162 patients in the small ward; in the large one, with 4,400 cells and more days, it is 231.
#
# | patients of the pair, $n$ | from chance, $1/\sqrt n$ | from noise, $231/n$ |
# |---|---|---|
# | 400 | 0.05 | 0.58 |
# | 10,000 | 0.01 | 0.023 |
# | 1,000,000 | 0.001 | 0.00023 |
#
# They are equal at $n = 231^2$, about 53,000 patients of the pair. With fewer, the noise is the larger doubt; with more, chance is.
#
# But a plan needs the value of the next day, which is a mean over the $S = 10$ next conditions, weighted by their shares. How wrong can this mean be, for a pair with 10,000 patients?
#
# * **By chance,** as wrong as any mean of 10,000 values. If they have a standard deviation of 0.3, say, the mean has one of $0.3/\sqrt{10{,}000} = 0.003$.
# * **By the noise,** each of the ten shares may be off by 0.023, and no value is larger than $H = 10$, the number of days. The paper adds up all ten errors: $10 \cdot 10 \cdot 0.023 = 2.3$.
#
# *DP-APVI*, the algorithm of {cite:t}`qiao2023`, subtracts both, each times a factor. Both factors contain a logarithm ι, or its root, because the plan has to be right about all $HSA = 400$ pairs at once:
#
# | | as printed | as used here |
# |---|---|---|
# | $\iota = \ln(HSA/0.1)$ | 8.3 | 8.3 |
# | for chance, $C_1\sqrt\iota$ | $C_1 = \sqrt2$, so 4.1 | $C_1 = 0.1$, so 0.29 |
# | for the noise, $C_2\,\iota$ | $C_2 = 16$, so 133 | $C_2 = 0.001$, so 0.0083 |
# | penalty of this pair | over 300 | 0.02 |
#
# With the printed factors the penalty of this pair is $4.1 \cdot 0.003 + 133 \cdot 2.3$, and all that can be earned in ten days is 10. So the pair is worth nothing, although 10,000 patients have tried it. The printed 16 is so large because the proof replaces a sum of three errors {ref}`by a much larger product <kept-apart>`.
#
# Is 0.001 not far too small? The 2.3 supposes that all ten errors have the same direction, and that each is as large as the largest in the whole ward. But the noise of a single count has a standard deviation of only 23.6, a tenth of $E_\rho$, and ten errors partly cancel. For every pair in our data, the small penalty is larger than what the noise does.
#
# ```{dropdown} The penalty of any pair, the exact bound on a share, √ι, and why 0.001 is enough
# * For a pair with the repaired count $\tilde n$, the penalty is $C_1\sqrt{\iota}$ times the standard deviation of the next value over $\sqrt{\tilde n - E_\rho}$, plus $C_2\,\iota$ times $SH E_\rho/\tilde n$. Under the root stands $\tilde n - E_\rho$, because at worst the pair had that many patients fewer than its count says.
# * A share $p$ is one count divided by another, and both are off by up to $E_\rho$. So the noise puts it off by at most $(1 + p)\,E_\rho/\tilde n$.
# * A single pair may be wrong with a probability of only $0.1/400$. A normal error is beyond $\sqrt{2\iota} = 4.1$ standard deviations less often than that. Hence $\sqrt\iota$, and the $\sqrt2$ of the paper.
# * In the part for the noise, ι makes room for a smaller error of chance that {ref}`the paper adds to it <where-16-comes-from>`.
# * $E_\rho$ is ten times 23.6: 4.9 standard deviations for the unluckiest of 4,400 cells, and as much again for the repair. As the ten shares add up to 1, only the differences between the next values count. If these are about 0.3, then the noise puts the mean off by about $23.6 \cdot \sqrt{10} \cdot 0.3/10{,}000 = 0.002$. The small penalty for noise is 0.019.
# ```

# %% tags=["remove-cell"]
S, A, H = 10, 4, 10
world_rng = np.random.default_rng(7)
world = EpisodicMDP(world_rng.dirichlet(np.ones(S), size=(H, S, A)), world_rng.random((H, S, A)), np.full(S, 1 / S))
at_random = np.full((H, S, A), 1 / A)
iota = np.log(H * S * A / 0.1)
assert np.isclose(0.3 / np.sqrt(10_000), 0.003) and round(S * H * 231 / 10_000, 1) == 2.3 and 10_000 - 231 == 9_769 and H * S * A == 400
assert round(16 * iota) == 133 and round(4.1 * 0.003, 3) == 0.012 and 300 < 133 * 2.3 < 310 and round(np.sqrt(2 * iota), 1) == 4.1 and 2 * norm.sf(np.sqrt(2 * iota)) < 0.1 / (H * S * A)         # a normal error
assert [round(231 / n, 4) for n in (400, 10_000, 1_000_000)] == [0.5775, 0.0231, 0.0002] and round(231 / 10**6, 5) == 0.00023 and 53_000 < 231**2 < 53_500 and [n**-0.5 for n in (400, 10_000, 1_000_000)] == [0.05, 0.01, 0.001]
assert round(0.1 * np.sqrt(iota), 2) == 0.29 and round(0.001 * iota, 4) == 0.0083 and round(0.29 * 0.003 + 0.0083 * 2.3, 2) == 0.02

# %% [markdown]
# ### Explore: when does a pair count for anything?
#
# A pair with a noisy count of at most $E_\rho$ may have had no patient at all. It is **unknown**, and counts as worth 0. A known pair is worth nothing either, if its penalty is larger than all that it can earn. On the first day this is 10.
#
# At $C_2 = 16$, as printed, the part for noise is below 10 from 307,000 visits on. A hospital with a million patients in this ward has 25,000 for each pair on a day, where this part is still 123. So it would learn nothing.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How small must $C_2$ be, so that a pair of the first day can be worth more than 0 as soon as it is known, from 232 visits on?** Choose, then lower $C_2$.
#
# * about 1
# * about 0.1
# * about 0.01
# ```

# %% tags=["remove-input"]
def bound_on_noise(epsilon):
    return 4 * np.sqrt(H * np.log(4 * H * S**2 * A / 0.1) * 2) / gaussian_mu(epsilon, 1e-5)  # rho = mu^2 / 2

E_rho = bound_on_noise(1.0)
c2_slider = Slider("c2", "C₂, the weight of the part for noise", 0.001, 16, 16, points=9, low_end="as used below", high_end="as printed")
visits_axis = Axis("visits", "visits of the pair", 232, 1e7, points=101)
by_visits = Table.of(lambda visits: 1 / visits, visits_axis)
size = Table.of(lambda c2: c2 * S * H * iota * E_rho, c2_slider)
explore(
    name="penalty", sliders=[c2_slider], x=visits_axis, y=Axis("worth", "worth at most", 0, 11, scale="linear"),
    curves=[Curve("ten days, less the part for noise", largest(constant(float(H)) - size * by_visits, constant(0.0))),
            Curve("all there is to earn in ten days", constant(float(H)), reference=True)],
    readouts=[Readout("needed", "visits from which a pair of the first day can be worth more than 0", largest(size / constant(float(H)), constant(E_rho + 1)))],
    guarantee="(ε = 1, δ = 10⁻⁵)-differential privacy for one stay (replace one), proved, at C₂ = {c2} as at any other.",
    alt="What a pair of the first day can be worth at most against its visits, logarithmic, from 232 on, at C₂ = {c2}: 0 up to {needed} visits, then a curve that rises steeply and levels off below ten.",
    caption="The most that a pair of the first day can be worth at ε = 1: 10, less the part for noise of its penalty. The picture begins at 232 visits, because a pair with fewer is unknown.")

# %% tags=["remove-input"]
asked = 16 * S * E_rho * iota
worked = 0.1 * np.sqrt(iota) * 0.3 / np.sqrt(10_000 - E_rho), 0.001 * iota * S * H * E_rho / 10_000
assert [f"{part:.1g}" for part in worked] == ["0.0009", "0.02"] and f"{worked[1]:.3f}" == "0.019"
assert round(asked, -3) == 307_000 and round(E_rho) == 231 and round(iota, 1) == 8.3 and round(10 * asked / 25_000) == 123 and 10**6 / S / A == 25_000 and round(np.sqrt(iota), 1) == 2.9 and H * S * A * (S + 1) == 4_400
of_one_count = 2 * np.sqrt(H) / gaussian_mu(1, 1e-5)
assert round(of_one_count, 1) == 23.6 and round(E_rho / 2 / of_one_count, 1) == 4.9 and round(E_rho / of_one_count) == 10
enough = H / (S * H * iota)
last, at_threshold = world.rewards[-1], 0.001 * S * H * iota
assert round(enough, 3) == 0.012 and f"{enough / H:.4f}" == "0.0012" and last.max() <= 1 and (last < at_threshold).sum() == 31
assert 231 < E_rho < 231.5 and 0.1 * np.sqrt(iota) * (H - 1) / 2 / np.sqrt(232 - E_rho) < 2         # values of the next day lie between 0 and 9
md(f"**What you should see.** About 0.01. At the threshold of $E_\\rho$ visits the part for noise is 8.3 · 10 · 10 · $C_2$, about {S * H * iota:.0f} $C_2$. This is below 10 for $C_2$ below {enough:.3f}. "
   f"On the last day a pair can earn 1 at most, so there $C_2$ has to be below {enough / H:.4f}. We use 0.001. This subtracts {at_threshold:.2f} at the threshold, and {np.sum(last < at_threshold)} of the {last.size} pairs of the last day earn less. "
   "The part for chance is left out here. At $C_1 = 0.1$ it is below 2 from 232 visits on, and {ref}`it falls with the visits, too <penalty-two-constants>`.")

# %% [markdown]
# May the hospital simply take a $C_2$ of 0.001? Yes: **the constants cost no privacy.** The penalty looks only at the noisy counts, so it is post-processing.
#
# ## The algorithm
#
# A cautious plan is made backwards, from the last day to the first. On each day, every pair is worth the reward of the day plus the expected value $V$ of the next
# condition, less both penalties:

# %%
def cautious_worth(reward, shares, visits, V, E, c1, c2):
    if visits <= E:
        return 0                                # an unknown pair
    mean = shares @ V
    variance = max(shares @ V**2 - mean**2, 0)
    fewest = visits - E                         # patients of the pair, at worst
    chance = c1 * np.sqrt(variance * iota / fewest)
    noise = c2 * S * H * E * iota / visits
    return max(reward + mean - chance - noise, 0)

# %% [markdown]
# In each condition, the plan takes the best treatment. If all treatments of a condition are unknown or worth 0, the plan has no reason to prefer one. It then keeps to the doctors' usual
# practice, which has to be public knowledge.

# %% tags=["remove-cell"]
def cautious_values(days, rewards, E, c1, c2):
    V = np.zeros((H + 1, S))
    for h, day in zip(reversed(range(H)), days):        # private counts, last day first; unknown pairs are left out
        Q = np.zeros(S * A)
        for pair, shares, visits in zip(day.row, day.probabilities, day.visits):
            Q[pair] = cautious_worth(rewards[h].ravel()[pair], shares, visits, V[h + 1], E, c1, c2)
        V[h] = np.clip(Q, 0, H - h).reshape(S, A).max(axis=1)
    return V

# %% tags=["remove-cell"]
privacy = GaussianNoise.of_epsilon(epsilon, delta)
data = sample_counts(world, at_random, n_patients, rng)
days = list(private_transitions(data, privacy, 0.1, np.random.default_rng([seed, 1])))
values = cautious_values(days, world.rewards, 2 * noise_bound(data, privacy, 0.1), 0.1, 0.01 / S)
plan = dp_apvi(data, world.rewards, epsilon=epsilon, delta=delta, constants=Constants(0.1, 0.01 / S), noise_rng=np.random.default_rng([seed, 1]))
assert np.allclose(values, plan.values)
best = world.initial @ world.optimal_values()[0]
earned = world.initial @ world.policy_values(plan.policy)[0]
assert practical(S) == Constants(0.1, 0.01 / S) == Constants(0.1, 0.001) and (n_patients != 30_000 or n_patients / S / A == 750)
# the error that noise brings into a share p, and into a mean of next values: the bounds of the text
E = 2 * noise_bound(data, privacy, 0.1)
for V, step, day in zip(values[:0:-1], reversed(data.steps), days):
    exact = step.toarray()[day.row]
    exact = exact / exact.sum(axis=1, keepdims=True)
    off, each = day.probabilities - exact, E / day.visits[:, None]
    assert (np.abs(off) <= (1 + exact) * each).all() and np.allclose(off.sum(axis=1), 0, atol=1e-9)
    moved = (off @ V) * day.visits                     # about 23.6 √10 times the standard deviation of the next values; the small penalty covers it
    assert 0.75 * moved.std() <= 23.6 * np.sqrt(S) * V.std() + 1e-9 and (np.abs(moved) <= 0.001 * iota * S * H * E).all()
assert round(23.6 * np.sqrt(10) * 0.3 / 10_000, 3) == 0.002

# %% tags=["remove-input"]
coin = world.initial @ world.policy_values(at_random)[0]
md(f"In this ward the best policy earns {best:.2f} over ten days, and choosing at random earns {best - coin:.2f} less. From {n_patients:,} patients, about {n_patients / S / A:.0f} for each pair on a day, and with the small "
   f"constants $C_1 = 0.1$ and $C_2 = 0.001$, the private plan earns **{earned:.2f}**, while its own estimate, after all penalties, was {world.initial @ plan.values[0]:.2f}. A cautious plan promises less than it earns. Its "
   f"privacy: (ε = {show(epsilon)}, δ = {show(delta)}) for one stay (replace one), proved, since everything is computed from the private counts: "
   "{ref}`Theorem 3.4 of the paper <pessimism-by-hand>`.")

# %% [markdown]
# ## Does caution help?
#
# Caution helps where luck is dangerous. So here is a third ward, the **ward of gambles**, of the same size as the large one:
#
# | treatment | what it does until the next day |
# |---|---|
# | the usual one | one condition better, with a chance of 60 %; otherwise nothing |
# | three gambles | the best condition at once, with a chance between 10 and 50 % that differs from day to day and between conditions; otherwise the worst |
#
# Most gambles are for the worse. The doctor tries each of the three on one patient in a hundred. We compare plans with the small constants and with none, and make each of them with and without privacy.
#
# ```{admonition} Guess first
# :class: hint guess right-1
# **For which plan will the penalty change the loss more?**
#
# * for the plan without privacy
# * for the private plan
# * for both alike
# ```

# %% tags=["remove-cell"]
gamble_rng = np.random.default_rng(8)
cures = gamble_rng.uniform(0.1, 0.5, size=(H, S, A, 1))
gambles = cures * np.eye(S)[S - 1] + (1 - cures) * np.eye(S)[0]
better = np.minimum(np.arange(S) + 1, S - 1)
gambles[:, :, 0] = 0.6 * np.eye(S)[better] + 0.4 * np.eye(S)   # the usual treatment
well = np.broadcast_to((np.arange(S) / (S - 1))[:, None], (H, S, A))
casino = EpisodicMDP(gambles, well, np.full(S, 1 / S))
careful = np.broadcast_to([0.97, 0.01, 0.01, 0.01], (H, S, A))

def losses_in_the_casino(patients, rng):
    counts, noise_rng = sample_counts(casino, careful, patients, rng), rng.spawn(1)[0]
    plain = {name: apvi(counts, well, ties=careful[0], constants=c) for name, c in (
        ("not private, small penalty", Constants(0.1, 0.01)), ("not private, no penalty", Constants(0, 0)))}
    private = {name: dp_apvi(counts, well, ties=careful[0], constants=c, epsilon=epsilon, delta=delta, noise_rng=noise_rng)
               for name, c in (("private, small penalty", practical(S)), ("private, no penalty", Constants(0, 0)))}
    most = casino.optimal_values()[0]
    return {name: casino.initial @ (most - casino.policy_values(plan.policy)[0]) for name, plan in (plain | private).items()}

seeds = range(seed, seed + max(2, round(8 * effort)))
in_the_casino = run(losses_in_the_casino, grid(patients=[100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]), seeds)
lost = in_the_casino.drop(columns=["seed", "seconds", "versions"]).groupby("patients").mean()
def known_pairs(patients, rng):
    """The true visits of the known pair that was seen least, and the known gambles outside the best condition."""
    counts, privacy = sample_counts(casino, careful, patients, rng), GaussianNoise.of_epsilon(epsilon, delta)
    threshold, laws = 2 * noise_bound(counts, privacy, 0.1), private_transitions(counts, privacy, 0.1, rng.spawn(1)[0])
    known = [(law.row[law.visits > threshold], np.ravel(step.sum(axis=1))) for step, law in zip(reversed(counts.steps), laws)]
    return {"seen": min(visits[rows].min(initial=patients) for rows, visits in known), "gambles": sum(np.sum((rows % A > 0) & (rows < (S - 1) * A)) for rows, _ in known)}

known = run(known_pairs, grid(patients=[1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]), seeds)
seen_at_least, gambles_known = int(known["seen"].min()), known.groupby("patients")["gambles"].agg(["min", "max"])
all_gambles = 3 * (S - 1) * H                  # outside the best condition
doctor, usual = (float(casino.initial @ (casino.optimal_values()[0] - casino.policy_values(policy)[0]))
                 for policy in (careful, np.broadcast_to(np.eye(A)[0], (H, S, A))))

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels, loss against the number of patients. Left, without privacy, the plan without a penalty is worse than the doctor up to a thousand patients, and the one with a small penalty falls earlier. Right, in private, both plans are nearly the same: as bad as the doctor with a hundred patients, flat at the loss of the usual treatment from three thousand to a hundred thousand patients, and then falling to zero."}}
fig, axes = plt.subplots(1, 2, figsize=(9.2, 3.9), sharey=True)
for ax, kind in zip(axes, ("not private", "private")):
    for which, colour, style in (("no penalty", PALETTE[1], "o-"), ("small penalty", PALETTE[0], "s--")):
        ax.plot(lost.index, lost[f"{kind}, {which}"], style, ms=4, color=colour)
    ax.axhline(doctor, color=REFERENCE, lw=1.2, ls=":")
    ax.text(1.05e6, doctor + 0.03, "the doctor", color="#4a5058", ha="right", va="bottom")
    ax.set(xscale="log", ylim=(0, 2.5), xlabel="patients")
axes[0].text(480, 2.28, "no penalty", color=PALETTE[1], weight="bold")
axes[0].text(105, 0.9, "small penalty", color=PALETTE[0], weight="bold")
axes[0].set(ylabel="loss against the best plan", title="Without privacy: caution helps")
axes[1].axhline(usual, color=REFERENCE, lw=1.2, ls="-.")
axes[1].text(100, usual - 0.05, "always the usual treatment", color="#4a5058", va="top")
axes[1].text(1.1e5, 0.80, "no penalty", color=PALETTE[1], weight="bold", ha="right")
axes[1].text(1.1e5, 0.62, "small penalty", color=PALETTE[0], weight="bold", ha="right")
for step, (at, height) in enumerate(((100, 1.98), (17_000, 1.5), (1e6, 0.22)), 1):
    axes[1].text(at, height, f"{step}", ha="center", va="center", color="white", weight="bold", fontsize=9, bbox={"boxstyle": "circle,pad=0.25", "fc": "#4a5058", "ec": "none"})
axes[1].set(title="In private: the noise is caution already");

# %% tags=["remove-input"]
md(f"**What you should see.** For the plan without privacy. From a thousand patients this one loses {lost.loc[1000, 'not private, no penalty']:.2f} without a penalty and "
   f"{lost.loc[1000, 'not private, small penalty']:.2f} with the small one, as much as the usual treatment alone. Without a penalty, 300 patients are even worse than 100: more gambles have been tried, and the lucky ones are believed. "
   f"In private the penalty changes hardly anything up to 100,000 patients. Each dot is the mean of {len(seeds)} simulated data sets."
   f"""

What does privacy cost here? It costs patients. Read the right panel in three steps:

1. **100 patients.** Every pair is unknown, so the private plan does what the doctor did, gambles included, and loses as much. As more patients come, the usual treatment becomes known in one condition after the other, and the loss falls.
2. **3,000 to 100,000 patients.** The plan loses as much as the usual treatment alone. Each gamble was tried on one patient in a hundred. In the best condition there is nothing to win, and elsewhere at most {gambles_known['max'][100_000]} of the {all_gambles} gambles are known.
3. **A million patients.** Now all gambles are known. The plan takes the good ones, and its loss is {lost.loc[1_000_000, 'private, small penalty']:.2f}.

**In private the threshold alone was caution enough.** A lucky gamble that was tried a few times is unknown, so no private plan here believes it, with a penalty or without. From a thousand patients the private plan without a penalty loses {lost.loc[1000, 'private, no penalty']:.2f}: less than the {lost.loc[1000, 'not private, no penalty']:.2f} of the plan without privacy and without a penalty, and more than the {lost.loc[1000, 'not private, small penalty']:.2f} of the plan without privacy and with a penalty. When at last a gamble is known, it was truly tried often, in these data at least {seen_at_least} times. Then a penalty can even cost something: {lost.loc[300_000, 'private, small penalty']:.2f} against {lost.loc[300_000, 'private, no penalty']:.2f} with 300,000 patients. All private plans have (ε = {show(epsilon)}, δ = {show(delta)})-differential privacy for one stay (replace one), proved.""")

# %% tags=["remove-cell"]
flat = lost.loc[3_000:100_000, "private, small penalty"]
if effort >= 1:
    assert 50 < seen_at_least < 231 and gambles_known["max"][10_000] == 0 and gambles_known["max"][100_000] < 12 and gambles_known["min"][1_000_000] == all_gambles
    assert lost.loc[1000, "not private, small penalty"] < lost.loc[1000, "not private, no penalty"] > lost.loc[1000, "private, no penalty"]
    assert f"{lost.loc[1000, 'not private, small penalty']:.2f}" == f"{usual:.2f}" and lost.loc[1000, "private, no penalty"] > lost.loc[1000, "not private, small penalty"] and gambles_known.loc[3_000:100_000, "max"].max() < 12
    assert lost.loc[300, "not private, no penalty"] > lost.loc[100, "not private, no penalty"]
    penalised = lost["private, small penalty"] - lost["private, no penalty"]
    assert penalised.loc[:100_000].abs().max() < 0.04 and 0.04 < penalised.loc[300_000] == penalised.max() < 0.25
    assert abs(lost.loc[100, "private, small penalty"] - doctor) < 1e-3 and usual < lost.loc[1000, "private, small penalty"] < doctor
    assert (flat - usual).abs().max() < 0.05 and lost.loc[1_000_000, "private, small penalty"] < 0.1

# %% [markdown]
# **What holds of the paper.** Its penalty does cover the error of every known pair, with very much room: {ref}`in our data <where-16-comes-from>` the errors were less than a thousandth of it. One step of the proof
# supposes that the values of the next day have nothing to do with where the patients went. But both come from the same patients, so this step {ref}`needs another argument <same-patients>`.
#
# ## Check yourself
#
# **1. A hospital computes plans with twenty pairs of constants from one release of noisy counts, and publishes all twenty. What is the privacy loss?**
#
# ```{dropdown} Twenty times ε.
# That would be so if each plan drew fresh noise from the records.
# ```
# ```{dropdown} ε, as for one plan.
# ✓ Right. All of them are computed from the same noisy counts, and this is free.
# ```
# ```{dropdown} √20 times μ.
# This is the cost of twenty Gaussian *releases*. Here there is only one.
# ```
#
# **2. And if the hospital compares the twenty plans on the records of its patients, and publishes the best?**
#
# ```{dropdown} Still ε, since only one plan is published.
# Which one was published depends on the records, and this second look had no noise.
# ```
# ```{dropdown} More than ε: the comparison looks at the records again.
# ✓ Right. It may compare the plans' own pessimistic values for free, because these come from the noisy counts.
# ```
# ```{dropdown} Nothing can be said.
# The comparison is one more release. If it is made private, its cost can be added.
# ```
#
# ## To take away
#
# * Among many treatments the best estimate is often the luckiest. Offline, choose by the lower end.
# * In private there are two reasons for doubt. Chance falls like $1/\sqrt n$ and noise like $1/n$, so noise is the larger one when patients are few.
# * What was not seen more than $E_\rho$ times counts as unknown. In private this alone was caution enough in the ward of gambles.
# * The constants of the penalty cost no privacy. They decide how much is learned.
#
# Next: {doc}`03_linear`, for hospitals with too many treatments to count.
