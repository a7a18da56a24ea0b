# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Several treatments, and each patient gets one: bandits with private rewards, what episodes are good for, and what
#         privacy adds to the regret.'
# ---

# %% [markdown]
# # Private arms
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A hospital has several treatments and has to find the best one while it treats. What does it cost to keep every outcome private?
# * **The answer.** Some lost recoveries, on top of those that chance costs. Their number grows only like the logarithm of the number of patients.
# * **What is protected.** One patient's outcome, in all treatments that are given. Neighbours replace one patient.
# * **What you need.** {doc}`01_one_after_another`. {doc}`02_a_counter_that_never_stops` helps.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2022         # all randomness comes from here
n_people = 100_000

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.online import BinaryTree, adap_ucb, dp_ucb, laplace_sum_tail, ucb, ucb_without_forgetting
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore

use_theme()
means = np.array([0.8, 0.7, 0.6, 0.5, 0.4])
times = (1_000, 10_000, 100_000)

# %% [markdown]
# ## Five treatments
#
# A hospital has five treatments. They help 80, 70, 60, 50 and 40 of 100 patients, and the hospital does not know which is which. Each patient gets one treatment, and recovers or does not. Such a problem
# is called a *bandit*, after the slot machines that take your money, and the treatments are called *arms*.
#
# Each patient with the second-best treatment costs 0.1 recoveries on average, and each with the worst costs 0.4. The sum of these losses over all patients is called **regret**. We want it to be small.
#
# The hospital has two duties that collide. It should give the treatment that looks best, and it should try the others often enough to know that they are worse. A rule that balances them well is *optimism*: give to each treatment an index, its mean so far plus a bonus for how little we know of it,
# and choose the treatment with the largest index. A treatment that was tried a few times has a large bonus, so it is tried again. Its bonus shrinks, and if its mean is low, it is hardly ever chosen from then on. This is the rule UCB of
# {cite:t}`auer2002`; the name stands for *upper confidence bound*.
#
# ## Make it private
#
# **Why this can be private at all.** A patient's treatment is chosen *before* her outcome is known, so it tells nothing about her outcome. Her outcome can show only in the treatments of later patients, and these are computed from noisy sums.
# So the treatments of *all* patients, her own included, can be private.
#
# The rule above needs only one sum for each treatment, the sum of its outcomes; how many patients had it is known from the published treatments. Put noise on the sums, and the rest is post-processing. There are three ways, all with δ = 0:
#
# 1. **A tree for each treatment.** The sums are published after every patient, with {doc}`a binary tree <02_a_counter_that_never_stops>` {cite:p}`mishra2015`.
# 2. **Episodes that forget.** When a treatment is chosen, it is given to a whole *episode* of patients: to 1 the first time, again to 1 the second time, then to 2, 4, 8, …, always to as many as in all its earlier episodes together. After an episode its sum is published with one noise, and only the
#    *last* episode counts {cite:p}`azize2022`. Each patient is in one episode, so the noise has scale 1/ε.
# 3. **Sums that do not forget.** The same episodes, but all of them count.

# %% tags=["remove-input"] mystnb={"image": {"alt": "One treatment given to 32 patients in six episodes of 1, 1, 2, 4, 8 and 16. In the upper row only the last episode of 16 is filled: 16 patients and one noise. In the lower row all six are filled: 32 patients and six noises."}}
fig, axes = plt.subplots(2, 1, figsize=(7.4, 2.5), sharex=True)
starts, lengths = np.array([0, 1, 2, 4, 8, 16]), np.array([1, 1, 2, 4, 8, 16])
for ax, title, colour, used in ((axes[0], "Episodes that forget: 16 patients, 1 noise", PALETTE[1], [False] * 5 + [True]),
                                (axes[1], "Sums that do not: 32 patients, 6 noises", PALETTE[2], [True] * 6)):
    for start, length, full in zip(starts, lengths, used):
        ax.add_patch(plt.Rectangle((start + 0.06, 0.1), length - 0.12, 0.8, fc=colour if full else "none", ec=colour, lw=1.3, alpha=0.9 if full else 0.6))
        if full:
            ax.text(start + length / 2, 0.5, "z", ha="center", va="center", color="white", weight="bold", style="italic")
    ax.set(ylim=(0, 1), yticks=[], xlim=(0, 32), title=title)
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)
axes[1].set(xticks=[0, 8, 16, 24, 32], xlabel="patients with this treatment; z is one noise");

# %% [markdown]
# The green sum counts twice as many patients, at the price of five more noises. The square root of {doc}`the last page <03_from_tree_to_batches>` would add them up better, but it needs a δ. We use the green sum with an index of three parts. Let $n$ be how many patients had the treatment, and $t$ how many patients have come in all:
#
# $$\begin{aligned}\text{index} = {} & \text{noisy mean} \\ & + \text{about } \sqrt{\ln(t)/n} \text{ for chance} \\ & + \text{about } \ln(t)/(\varepsilon n) \text{ for the noise.}\end{aligned}$$
#
# Chance moves a mean of $n$ outcomes by about $1/\sqrt n$. The noise on the *sum* has a size of about $1/\varepsilon$ however many patients it counts, so in the mean $n$ divides it. The logarithm makes sure that the bounds hold
# nearly always. {ref}`The evidence has the exact index <online-bandit-index>`. Here it is at work in one hospital:

# %% tags=["remove-cell"]
def index_parts(looks, epsilon, rng):
    "One hospital with the sums that do not forget: noisy means, both bonuses and patients of each treatment, at some times."
    sums, patients, episodes, now, seen = np.zeros(5), np.zeros(5), np.zeros(5), 0, []
    while len(seen) < len(looks):
        parts = [sums / np.maximum(patients, 1), np.sqrt(3.1 * np.log(now + 1) / (2 * np.maximum(patients, 1))),
                 [float(laplace_sum_tail(max(j, 1), 2 * np.log(now + 1))) / (epsilon * max(n, 1)) for j, n in zip(episodes, patients)]]
        arm = int(np.argmax(np.where(patients, np.sum(parts, axis=0), np.inf)))
        if now >= looks[len(seen)]:
            seen.append((now, np.array(parts), patients.copy(), arm))
        many = int(max(patients[arm], 1))
        sums[arm] += rng.binomial(many, means[arm]) + rng.laplace(0, 1 / epsilon)
        patients[arm], episodes[arm], now = patients[arm] + many, episodes[arm] + 1, now + many
    return seen

looks = index_parts((1_000, 30_000), 1.0, np.random.default_rng([seed, 5]))
assert looks[1][3] == 0 and looks[1][1][1:].sum() < looks[0][1][1:].sum() and abs(looks[0][1].sum(axis=0)[:4] - looks[0][1].sum(axis=0)[:4].mean()).max() < 1

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels with five horizontal bars each, one for each treatment. A bar is made of three parts: the noisy mean, the bonus for chance and the bonus for the noise. After about 1,000 patients the bonuses are about as long as the means. After about 30,000 the bars of all treatments are shorter, and the best treatment, with the longest mean, has the shortest bonuses."}}
fig, axes = plt.subplots(1, 2, figsize=(8, 2.5), sharex=True, sharey=True)
for ax, (now, parts, patients, arm) in zip(axes, looks):
    left = np.zeros(5)
    for part, label, colour in zip(parts, ("noisy mean", "for chance", "for the noise"), (PALETTE[0], "#9aa1a9", PALETTE[1])):
        ax.barh(range(5), part, left=left, color=colour, height=0.62, label=label)
        left = left + part
    for a in range(5):
        ax.text(left[a] + 0.03, a, f"{patients[a]:,.0f}" + (" ← next" if a == arm else ""), va="center", color="#22272e", weight="bold" if a == arm else None)
    ax.set(yticks=range(5), yticklabels=[f"helps {100 * m:.0f}" for m in means], ylim=(4.5, -0.5), xlim=(0, 1.5), xlabel="index; the number says how many had it", title=f"after {now:,} patients")
    ax.grid(False, axis="y")
axes[1].legend(loc="lower right", fontsize=8.5, frameon=False, handlelength=0.8, borderaxespad=0)
fig.suptitle("The longest bar is next, and its bonuses shrink (ε = 1)", x=0.06, ha="left", weight="bold", fontsize=11);

# %% [markdown]
# The longest bar gets the next patients. Its bonuses then shrink, and it is the turn of another one, until only a treatment with a large mean can be the longest.
#
# ## What does it cost?
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Call *extra regret* what a private rule loses more than the same rule without noise, which is the grey dotted line below. **What happens to the extra regret of the sums that do not forget, if ε is divided by ten?** Choose, then move ε.
#
# * it becomes about 3 times as large
# * it becomes 6 to 10 times as large
# * it becomes about 100 times as large, like the variance of the noise
# ```

# %% tags=["remove-cell"]
runs = max(8, round(20 * effort))

def generators(place):
    return dict(rng=np.random.default_rng([seed, place]), noise_rng=np.random.default_rng([seed, place, 1]))

def both(done):
    """Mean regret at the times, and its standard error."""
    return done.regret.mean(axis=0), done.regret.std(axis=0, ddof=1) / np.sqrt(len(done.regret))

epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=9, steps=8, low_end="more private", high_end="less private")
epsilons = epsilon_slider.grid
plain = both(ucb(means, n_people, runs=runs, times=times, rng=np.random.default_rng([seed, 99])))
five = [both(dp_ucb(means, n_people, epsilon=e, runs=runs, times=times, **generators(k))) for k, e in enumerate(epsilons[::2])]
trees = [five[k // 2] if k % 2 == 0 else tuple(np.sqrt(five[k // 2][i] * five[k // 2 + 1][i]) for i in (0, 1)) for k in range(len(epsilons))]        # halfway on log axes
forget, keep = ([both(rule(means, n_people, epsilon=e, runs=10 * runs, times=times, **generators(20 + k))) for k, e in enumerate([*epsilons, None])]
                for rule in (adap_ucb, ucb_without_forgetting))

# %% tags=["remove-input"]
spoken = tuple(f"{t:,}" for t in times)
people = Choice("people", "patients", spoken, spoken[-1], low_end="few", high_end="many")

def table(results):
    return Table((people, epsilon_slider), np.array([r[0] for r in results[:len(epsilons)]]).T)

curves = {"tree": table(trees), "forget": table(forget), "keep": table(keep)}
without = Table((people,), keep[-1][0])
explore(
    name="private_arms", sliders=[epsilon_slider, people], x=epsilon_slider, y=Axis("regret", "regret, in recoveries", 10, 1e5),
    curves=[Curve("a tree for each treatment", curves["tree"]), Curve("episodes that forget", curves["forget"]), Curve("sums that do not forget", curves["keep"]),
            Curve("the same sums without noise", without, reference=True)],
    readouts=[Readout("keep", "sums that do not forget", curves["keep"]), Readout("free", "the same without noise", without), Readout("extra", "extra regret, the difference", curves["keep"] - without)],
    guarantee="ε = {epsilon}, δ = 0 for one patient’s outcome, in all treatments together (replace one), proved for each private curve.",
    alt="Regret after {people} patients against ε, both axes logarithmic. It is lowest with sums that do not forget: {keep} at ε = {epsilon}, beside {free} without noise, so that the extra regret is {extra}. Below ε = 5 it is highest with trees.",
    caption=f"Means over {runs} simulated hospitals at five values of ε for the trees, and over {10 * runs} at nine values for the others; straight lines between.")

# %% tags=["remove-cell"]
def extra(results, k):
    """Over the same rule without noise, after all patients; and the standard error."""
    return results[k][0][-1] - results[-1][0][-1], np.hypot(results[k][1][-1], results[-1][1][-1])

middle, low = list(epsilons).index(1), 0
more = {name: (extra(results, middle)[0], extra(results, low)[0]) for name, results in (("keep", keep), ("forget", forget))}
assert BinaryTree(n_people).levels == 17
assert 6 < more["keep"][1] / more["keep"][0] < 10 and more["forget"][0] > 1.2 * more["keep"][0]
assert trees[middle][0][-1] > 2 * keep[middle][0][-1] and trees[low][0][-1] > 3 * keep[low][0][-1]

# %% tags=["remove-input"]
md(f"**What you should see.** It becomes {more['keep'][1] / more['keep'][0]:.0f} times as large, and not quite ten times, because at ε = 0.1 some of the learning is still to come. Without noise the sums lose {keep[-1][0][-1]:.0f} recoveries among 100,000 patients, with ε = 1 another {more['keep'][0]:.0f}, and with ε = 0.1 another {round(more['keep'][1], -1):,.0f}. So the extra regret grows nearly like 1/ε, and the variance, which is proportional to 1/ε², "
   f"misleads. The rule UCB in its usual form, without privacy, loses {plain[0][-1]:.0f}. Episodes that forget lose nearly twice as much in all, because they throw away half of the patients that they have treated: {round(forget[middle][0][-1], -1):,.0f} beside {round(keep[middle][0][-1], -1):,.0f} at ε = 1. The trees lose {round(trees[middle][0][-1], -1):,.0f}. Each of their noises is 17 times as wide, since a patient is in 17 blocks. "
   f"The evidence has {{ref}}`a table of eight rules <online-bandit-table>`, and {{ref}}`where the rate of the theory is not yet visible <online-bandit-rates>`. The standard errors are at most {max(100 * max(r[1][-1] / r[0][-1] for r in results) for results in (trees, forget, keep, [plain])):.0f} % of a value.")

# %% [markdown]
# ## What ε costs is added
#
# Why 1/ε? Let the *gap* be how much worse a treatment is than the best one. The hospital gives a bad treatment up when both of its bonuses have become smaller than the gap. Here you see them shrink.
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
# **What you should see.** The bonus for chance: it needs 1,150 patients, and the noise only 115. The noise falls twice as steeply on this picture, because it is divided by $n$ and not by $\sqrt n$. Now lower ε: at ε = 0.1, which is the gap, both need the same 1,150, and below it the noise needs more. So noise matters where ε is
# smaller than the gap. With the gap of 0.4 that is already so at ε = 0.3.
#
# In formulas, with $T$ for the number of all patients, to make each bonus as small as the gap takes about
#
# $$\begin{aligned} & \ln(T)/\text{gap}^2 \text{ patients for chance,} \\ & \ln(T)/(\varepsilon \cdot \text{gap}) \text{ patients for the noise.}\end{aligned}$$
#
# Each of them loses one gap. So each bad treatment costs about
#
# $$\frac{\ln T}{\text{gap}} \;+\; \frac{\ln T}{\varepsilon}$$
#
# recoveries. The second part is {ref}`what privacy adds <online-bandit-additive>`. In this theory it does not depend on the gap, and it grows only like the logarithm of the number of patients.

# %% tags=["remove-cell"]
rate = 4 * log_all / 0.1                       # four bad treatments at ε = 0.1
constant = more["keep"][1] / rate
tail = float(laplace_sum_tail(10, 2 * log_all)) / log_all
assert 5 < constant < 7 and round(tail, 1) == 3.6

# %% [markdown]
# This is a rate, without its constant. The simulation above loses 6 times as much, {ref}`for two reasons <online-bandit-index>`. And there the extra regret {ref}`does depend on the gap, but far less <online-bandit-additive>` than what chance costs.
#
# No ε-private rule that does well with all treatments avoids a loss of this order. {cite:t}`shariff2018` announce the first such lower bound, and later papers cite it as $\ln T/\varepsilon$ for each treatment; {ref}`the evidence says what is proved <online-bandit-lower>`.

# %% tags=["remove-cell"]
long_times = np.unique(np.geomspace(100, 10**7, 31).round().astype(int))
shown = {None: "without privacy", 1.0: "ε = 1", 0.1: "ε = 0.1"}
long_runs = {e: ucb_without_forgetting(means, 10**7, epsilon=e, runs=10 * runs, times=long_times, **generators(40 + k)).regret.mean(axis=0) for k, e in enumerate(shown)}
at_million, at_ten_million = (int(np.argmin(abs(long_times - t))) for t in (10**6, 10**7))
gained = {e: long_runs[e] - long_runs[None] for e in (1.0, 0.1)}
early = {t: {None: keep[-1][0][k], 0.1: keep[low][0][k]} for k, t in enumerate((10**3, 10**4))}          # those of the slider
never = {t: (means.max() - means).mean() * t for t in early}
assert 0.88 < early[10**3][0.1] / never[10**3] < 1 and 0.6 < early[10**4][0.1] / never[10**4] < 0.72 and 4 < early[10**4][0.1] / early[10**4][None] < 6
assert 3.8 < gained[0.1][at_ten_million] / (early[10**4][0.1] - early[10**4][None]) < 4.8
assert 7 < gained[0.1][at_ten_million] / gained[1.0][at_ten_million] < 11

# %% tags=["remove-input"] mystnb={"image": {"alt": "Regret of the sums that do not forget against the number of patients, from one hundred to ten million on a logarithmic axis. Without privacy the curve ends below 1,000, with epsilon 1 a little above, with epsilon 0.1 above 5,000. From about 100,000 patients on all three rise slowly."}}
fig, ax = plt.subplots(figsize=(7.2, 2.8))
for (e, label), colour in zip(shown.items(), ("#767676", PALETTE[0], PALETTE[1])):
    ax.plot(long_times, long_runs[e], color=colour, ls=":" if e is None else "-")
    ax.text(1.15e7, long_runs[e][-1] + {None: -160, 1.0: 120, 0.1: 0}[e], label, color=colour if e else "#4a5058", weight="bold", va="center")
ax.plot(long_times, (means.max() - means).mean() * long_times, color="#767676", lw=1)
ax.text(9_000, 2_550, "never learning", color="#4a5058", ha="right")
ax.set(xscale="log", xlim=(100, 1e8), ylim=(0, 6_000), xticks=10.0 ** np.arange(2, 8), xlabel="patients", ylabel="regret, in recoveries", title="A small ε delays the learning; then all curves rise slowly");

# %% tags=["remove-input"]
md(f"Here are the sums that do not forget. On this axis a straight line is a logarithm. With ε = 0.1 the hospital learns little from the first ten thousand patients, who lose {round(early[10**4][0.1], -1):,.0f} recoveries, where never learning would lose {never[10**4]:,.0f}. Then its regret rises like a logarithm, as all others do. The small steps come from long episodes. Among ten million patients it loses {round(long_runs[0.1][at_ten_million], -1):,.0f}, and without privacy {round(long_runs[None][at_ten_million], -1):,.0f}: the difference is one recovery in "
   f"{round(10**7 / gained[0.1][at_ten_million], -2):,.0f} patients.")

# %% [markdown]
# That forgetting is not needed is the message of {cite:t}`azize2025`. The rule that is drawn here is our own form of it. Which texts we could read, and what is rebuilt from memory, {ref}`stands in the evidence <online-bandits>`.
#
# On this page even a patient's own treatment was protected, because it is chosen before anything is known of the patient. A doctor who first looks at the patient cannot have this. {doc}`05_why_joint` shows by how much.
#
# ## Check yourself
#
# **Two hospitals with five treatments use sums that do not forget, with ε = 0.1. One treats ten thousand patients, the other ten million. Which one should hesitate to promise privacy?**
#
# ```{dropdown} The large one, because it has more patients to protect.
# Each patient has the same promise. And the extra regret grows only like the logarithm of their number, so it is a smaller share of ten million.
# ```
# ```{dropdown} Neither. The extra regret is nearly the same in both.
# It is about four times as large among ten million, and that is still a small share of them. Of ten thousand patients it is a large share.
# ```
# ```{dropdown} The small one. The price is a number of patients, and it has few.
# ✓ Right. After ten thousand patients ε = 0.1 has still lost two thirds of what never learning loses, and about five times as much as without privacy. A larger ε, or fewer treatments, would help this hospital.
# ```
#
# ## To take away
#
# * A bandit publishes its treatments, and they can be private as a whole: a treatment is chosen before its outcome is seen.
# * Publish after episodes, so that each patient is in one sum, and keep what you paid for.
# * Chance costs about $\ln T/\text{gap}$ for each treatment, privacy adds about $\ln T/\varepsilon$. It is a price per treatment, and not per patient.
