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
# * **The answer.** Some lost recoveries, on top of those that chance costs. Once the hospital has begun to learn, their number grows only like the logarithm of the number of patients.
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
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show

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
# ## Here even plain privacy works
#
# {doc}`Joint privacy <01_one_after_another>` leaves a patient's own treatment out of the promise. A bandit need not do so. A patient's treatment is chosen *before* her outcome is known, so it tells nothing about her outcome. Her outcome can show only in the treatments of later patients, and these are computed from noisy sums.
# So the treatments of *all* patients, her own included, can be private. {doc}`The next page <06_why_joint>` shows where this ends.
#
# The rule above needs only one sum for each treatment, the sum of its outcomes; how many patients had it is known from the published treatments. Put noise on the sums, and the rest is post-processing. There are three ways, all with δ = 0:
#
# 1. **A tree for each treatment.** The sums are published after every patient, with {doc}`a binary tree <02_a_counter_that_never_stops>` {cite:p}`mishra2015`.
# 2. **Episodes that forget.** When a treatment is chosen, it is given to a whole *episode* of patients: 1, 1, 2, 4, 8, 16, … After an episode its sum is published with one noise, and only the *last* episode counts {cite:p}`azize2022`. Each patient is in one episode, so the noise has scale 1/ε.
# 3. **Sums that do not forget.** The same episodes, but all of them count. That forgetting is not needed is the message of {cite:t}`azize2025`.
#
# Here a treatment has had 32 patients. Each box is a block or an episode with its number of patients, and only filled boxes are in the sum:

# %% tags=["remove-input"] mystnb={"image": {"alt": "One treatment given to 32 patients, in three rows. A tree: nested boxes of 1, 2, 4, 8, 16 and 32 patients above patient 1, of which only the box of 32 is filled: 32 patients, one noise 17 times as large. Episodes of 1, 1, 2, 4, 8 and 16 that forget: only the last one is filled, 16 patients and one noise. The same episodes in sums that do not forget: all six are filled, 32 patients and six noises."}}
fig, axes = plt.subplots(3, 1, figsize=(7.4, 4.5), sharex=True, gridspec_kw={"height_ratios": [1.9, 1, 1]}, layout="constrained")
starts, lengths = np.array([0, 1, 2, 4, 8, 16]), np.array([1, 1, 2, 4, 8, 16])
for h, length in enumerate((1, 2, 4, 8, 16, 32)):
    axes[0].add_patch(plt.Rectangle((0.06, h / 6 + 0.01), length - 0.12, 0.13, fc=PALETTE[0] if length == 32 else "none", ec=PALETTE[0], lw=1.3))
axes[0].text(16, 5 / 6 + 0.075, "32 + 17z", ha="center", va="center", color="white", weight="bold", fontsize=9)
axes[0].text(17, 0.42, "the blocks of patient 1;\n11 larger ones are still to come", color=PALETTE[0], va="center", fontsize=9)
axes[0].set_title("A tree: 32 patients, 1 noise, 17 times as large")
for ax, title, colour, used in ((axes[1], "Episodes that forget: 16 patients, 1 noise", PALETTE[1], [False] * 5 + [True]),
                                (axes[2], "Sums that do not: 32 patients, 6 noises", PALETTE[2], [True] * 6)):
    for start, length, full in zip(starts, lengths, used):
        ax.add_patch(plt.Rectangle((start + 0.06, 0.1), length - 0.12, 0.8, fc=colour if full else "none", ec=colour, lw=1.3, alpha=0.9 if full else 0.6))
        ax.text(start + length / 2, 0.5, f"{length} + z" if full and length > 1 else length, ha="center", va="center", color="white" if full else colour, weight="bold", fontsize=9)
    ax.set_title(title)
for ax in axes:
    ax.set(ylim=(0, 1), yticks=[], xlim=(0, 32))
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(bottom=ax is axes[2])
axes[2].set(xticks=[0, 8, 16, 24, 32], xlabel="patients with this treatment; z is a noise of scale 1/ε");

# %% [markdown]
# The tree is made for 100,000 patients and has blocks of 17 sizes, so each noise has to be 17 times as large. The sum that does not forget has 32 patients in place of 16, and six noises in place of one: the two boxes of one patient have a noise each, too. The square root of {doc}`page 3 <03_from_tree_to_batches>` would add the noises up better, but it needs a δ. We use this sum, with an index of three parts. Let $n$ be how many patients had the treatment, and $t$ how many patients have come in all:
#
# $$\begin{aligned}\text{index} = {} & \text{noisy mean} \\ & + \text{about } \sqrt{\ln(t)/n} \text{ for chance} \\ & + \text{about } \ln(t)/(\varepsilon n) \text{ for the noise.}\end{aligned}$$
#
# Chance moves a mean of $n$ outcomes by about $1/\sqrt n$. The noise on the *sum* has a size of about $1/\varepsilon$ however many patients it counts, so in the mean $n$ divides it. The logarithm makes sure that the bounds hold
# nearly always. {ref}`The evidence has the exact index <online-bandit-index>`. Here it is at work in one hospital. Move the patients from left to right. The treatment with the highest bar is given next; the grey marks are at its height, and only its own bar reaches them. Then its bonuses shrink, and it is the turn of another one.

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

helps = Axis("helps", "treatment: it helps so many of 100", 40, 80, points=5, scale="linear")
looks = index_parts(np.geomspace(100, 1e5, 13).round(), 1.0, np.random.default_rng([seed, 5]))
so_far = tuple(f"{now:,.0f}" for now, *_ in looks)
people_so_far = Choice("so_far", "patients so far", so_far, so_far[0], low_end="few", high_end="many")
whole = np.array([parts.sum(axis=0) for _, parts, _, _ in looks])
first_look, last_look = looks[0], looks[-1]
assert looks[-1][1][1:].sum() < looks[0][1][1:].sum() / 2 and looks[-1][2].argmax() == 0 and looks[-1][2][0] > 0.9 * looks[-1][2].sum() and len({arm for *_, arm in looks}) > 2
assert all(whole[k].max() == whole[k][arm] for k, (*_, arm) in enumerate(looks)) and whole.max() < 3 and (first_look[2] >= 16).all() and first_look[0] == 112

# %% tags=["remove-input"]
def stacked(many):
    "The first so many parts of the index, one upon the other; treatments from worst to best."
    return Table((people_so_far, helps), np.array([parts[:many].sum(axis=0)[::-1] for _, parts, _, _ in looks]), scale="linear")

explore(
    name="index_in_motion", sliders=[people_so_far], x=helps, bars=True, y=Axis("index", "index", 0, 2.5, scale="linear"),
    curves=[Curve("on top: bonus for the noise", stacked(3)), Curve("in the middle: bonus for chance", stacked(2)), Curve("below: noisy mean", stacked(1)),
            Curve("as high as the highest bar, which is next", Table((people_so_far, helps), np.array([np.full(5, w[arm]) for w, (*_, arm) in zip(whole, looks)]), scale="linear"), reference=True)],
    readouts=[Readout("next", "next is the treatment that helps", Table((people_so_far,), [10.0 * (8 - arm) for *_, arm in looks], scale="linear"), unit="of 100"),
              Readout("best", "patients with the best treatment so far", Table((people_so_far,), [patients[0] for _, _, patients, _ in looks]), digits=6)],
    guarantee="After any number of patients, here {so_far}: ε = 1, δ = 0 for one patient’s outcome, in all treatments together (replace one), proved.",
    alt="Five bars, one for each treatment, each made of the noisy mean, the bonus for chance and the bonus for the noise. After {so_far} patients the treatment that helps {next} of 100 has the highest bar and is next; {best} patients had the best treatment. The bonuses are large at first and shrink as patients come.",
    caption="One simulated hospital, at thirteen of the times when a treatment is chosen for the next episode. Heights in the table are those of the tops.")

# %% tags=["remove-input"]
md(f"The first {first_look[0]} patients have tried everything: each treatment was given to at least {int(first_look[2].min())} of them, and the bonuses are still longer than the means. In the end {last_look[2][0]:,.0f} of {last_look[2].sum():,.0f} patients have had the best treatment, and only {last_look[2][4]:,.0f} the worst.")

# %% [markdown]
# ## What does it cost?
#
# ```{admonition} Guess first
# :class: hint guess right-2
# Call *extra regret* what a private rule loses on top of the same rule without noise. That rule is the grey line below. **How large does the extra regret of the sums that do not forget become, if ε is divided by ten?** Choose, then move ε from 1 to 0.1.
#
# * about 3 times as large, like the root of ten
# * about 10 times as large, like the noise
# * about 100 times as large, like the variance of the noise
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
    name="private_arms", sliders=[epsilon_slider, people], x=epsilon_slider, y=Axis("regret", "regret, in recoveries", 50, 5e4),
    curves=[Curve("a tree for each treatment", curves["tree"]), Curve("episodes that forget", curves["forget"]), Curve("sums that do not forget", curves["keep"]),
            Curve("the same sums without noise", without, reference=True)],
    readouts=[Readout("extra", "extra regret of the sums that do not forget", curves["keep"] - without)],
    guarantee="ε = {epsilon}, δ = 0 for one patient’s outcome, in all treatments together (replace one), proved for each private curve.",
    alt="Regret after {people} patients against ε, both axes logarithmic. It is lowest with sums that do not forget, whose extra regret is {extra} at ε = {epsilon}. Below ε = 5 it is highest with trees.",
    caption=f"Means over {runs} simulated hospitals at five values of ε for the trees, and over {10 * runs} at nine values for the others; straight lines between.")

# %% tags=["remove-cell"]
def extra(results, k):
    """Over the same rule without noise, after all patients; and the standard error."""
    return results[k][0][-1] - results[-1][0][-1], np.hypot(results[k][1][-1], results[-1][1][-1])

middle, low = list(epsilons).index(1), 0
more = {name: (extra(results, middle)[0], extra(results, low)[0]) for name, results in (("keep", keep), ("forget", forget))}
assert BinaryTree(n_people).levels == 17
assert 6 < more["keep"][1] / more["keep"][0] < 10 and more["forget"][0] > 1.2 * more["keep"][0]
assert effort < 1 or forget[low][0][0] < 1.02 * keep[low][0][0]           # after 1,000 patients
assert trees[middle][0][-1] > 2 * keep[middle][0][-1] and trees[low][0][-1] > 3 * keep[low][0][-1]

# %% tags=["remove-input"]
md(f"""**What you should see.** About 10 times, or a little less. It becomes {more['keep'][1] / more['keep'][0]:.1f} times as large: {show(more['keep'][0])} recoveries at ε = 1, and {show(more['keep'][1])} at ε = 0.1. So it grows nearly like 1/ε. The variance of the noise, which grows like 1/ε², misleads. The factor is below ten, because at ε = 0.1 the hospital has not learned all it will. Move the patients to 1,000: there no rule has learned much, at small ε all lose nearly the same, and to forget is no disadvantage yet.

| 100,000 patients | regret | why |
|---|---|---|
| sums that do not forget, without noise | {show(keep[-1][0][-1])} | a treatment is kept for a whole episode |
| sums that do not forget, ε = 1 | {show(keep[middle][0][-1])} | a sum holds six or more noises, one for each episode |
| episodes that forget, ε = 1 | {show(forget[middle][0][-1])} | half of the patients are thrown away |
| a tree for each treatment, ε = 1 | {show(trees[middle][0][-1])} | each noise is 17 times as large |

Without episodes and without noise, UCB in its usual form loses {show(plain[0][-1])}. Standard errors are at most {max(100 * max(r[1][-1] / r[0][-1] for r in results) for results in (trees, forget, keep, [plain])):.0f} % of a value. The evidence has {{ref}}`a table of eight rules <online-bandit-table>`, and {{ref}}`where the rate of the theory is not yet visible <online-bandit-rates>`.""")

# %% [markdown]
# ## What ε costs is added
#
# Why 1/ε? Let the *gap* be how much worse a treatment is than the best one. The hospital gives a bad treatment up when its bonuses have become smaller than the gap. The bonus for the noise falls like $1/n$, and that for chance only like $1/\sqrt n$.
# So, with $T$ for the number of all patients, to make each bonus as small as the gap takes about
#
# $$\begin{aligned} & \ln(T)/\text{gap}^2 \text{ patients for chance,} \\ & \ln(T)/(\varepsilon \cdot \text{gap}) \text{ patients for the noise.}\end{aligned}$$
#
# Each of these patients loses one gap. So each bad treatment costs about
#
# $$\frac{\ln T}{\text{gap}} \;+\; \frac{\ln T}{\varepsilon}$$
#
# recoveries, each part times a constant. The second part is {ref}`what privacy adds <online-bandit-additive>`. In this formula it does not depend on the gap, and it grows only like the logarithm of the number of patients.
#
# Is it so? Here are hospitals with only two treatments. The better one helps 80 of 100 patients, and the other one is worse by a small or a large gap. A million patients come, and ε = 0.1 and δ = 0 for one patient's outcome (replace one), proved.

# %% tags=["remove-cell"]
gaps, million = np.array([0.05, 0.1, 0.2, 0.4]), 10**6
two_arms = np.array([[both(ucb_without_forgetting(np.array([0.8, 0.8 - gap]), million, epsilon=e, runs=10 * runs, times=(million,), **generators(60 + k)))[0][0] for k, gap in enumerate(gaps)] for e in (None, 0.1)])
by_chance, by_noise = two_arms[0], two_arms[1] - two_arms[0]
for_chance, for_noise = by_chance * gaps / np.log(million), by_noise * 0.1 / np.log(million)      # the constants
assert 5 < by_chance[0] / by_chance[-1] < 7.5 and 0.55 < by_noise[-1] / by_noise[0] < 0.75 and by_noise.max() / by_noise.min() < 1.8
assert 1.4 < for_chance.min() and for_chance.max() < 2.5 and 4.6 < for_noise.min() and for_noise.max() < 9

# %% tags=["remove-input"] mystnb={"image": {"alt": "Regret against the gap, 0.05 to 0.4, in hospitals with two treatments and a million patients. What chance costs falls from about 440 to 73. What epsilon 0.1 adds stays between about 750 and 1,170."}}
fig, ax = plt.subplots(figsize=(7.2, 2.5))
for y, label, colour, at, lift in ((by_noise, "what ε = 0.1 adds", PALETTE[1], 1, 1.2), (by_chance, "what chance costs, without noise", PALETTE[0], 1, 1.2)):
    ax.plot(gaps, y, "o-", color=colour, ms=5)
    ax.text(gaps[at] * 1.05, y[at] * lift, label, color=colour, weight="bold")
ax.set(xscale="log", yscale="log", ylim=(40, 2_500), xlabel="gap between the two treatments", ylabel="regret, in recoveries", title="A larger gap makes chance cheap, and noise a little cheaper")
ax.set_xticks(gaps, [f"{gap:g}" for gap in gaps])
ax.set_yticks([100, 1_000], ["100", "1,000"])
ax.minorticks_off();

# %% tags=["remove-cell"]
log_all = np.log(n_people)
rate = 4 * log_all / 0.1                       # four bad treatments at ε = 0.1
constant = more["keep"][1] / rate
tail = float(laplace_sum_tail(10, 2 * log_all)) / log_all
assert 5 < constant < 7 and round(tail, 1) == 3.6 and round(tail / (3.1 / 2), 1) == 2.3

# %% tags=["remove-input"]
md("Nearly. With the gap eight times as large, chance costs a sixth, and what ε adds falls only by a third or so. The formula has the right shape, times a constant: about 2 for chance, and 5 to 9 for the noise. With such a constant the noise already matters at ε = 1, as the table shows.\n\n"
   "```{dropdown} Where the constant comes from\n"
   f"Among the five treatments at ε = 0.1 it is {constant:.0f}: the formula gives $4 \\ln(T)/\\varepsilon = {round(rate, -1):.0f}$ for the four bad ones, and the simulation {show(more['keep'][1])}. There are two reasons. To hold nearly always, the bonus for a sum of ten noises is {tail:.1f} times $\\ln(T)/(\\varepsilon n)$. And each episode is as long as all before it, so when a treatment is given up it has had up to twice as many patients as it took to see that it is bad.\n\n"
   "The evidence has {ref}`the exact index <online-bandit-index>`, {ref}`the two bonuses side by side <online-two-bonuses>`, and {ref}`how far the extra regret does depend on the gap <online-bandit-additive>`.\n```")

# %% [markdown]
# A private rule that works in every hospital, whichever treatment is best there, cannot avoid a loss of this order. {cite:t}`shariff2018` announced the first such lower bound; {ref}`the evidence says what is proved <online-bandit-lower>`.

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
assert 7 < gained[0.1][at_ten_million] / gained[1.0][at_ten_million] < 11 and 7 / 4 == 1.75

# %% tags=["remove-input"] mystnb={"image": {"alt": "Regret of the sums that do not forget against the number of patients, from one hundred to ten million on a logarithmic axis. Without privacy the curve ends below 1,000, with epsilon 1 a little above, with epsilon 0.1 above 5,000. From about 100,000 patients on all three rise slowly."}}
fig, ax = plt.subplots(figsize=(7.2, 2.8))
for (e, label), colour in zip(shown.items(), ("#767676", PALETTE[0], PALETTE[1])):
    ax.plot(long_times, long_runs[e], color=colour, ls=":" if e is None else "-")
    ax.text(1.15e7, long_runs[e][-1] + {None: -160, 1.0: 120, 0.1: 0}[e], label, color=colour if e else "#4a5058", weight="bold", va="center")
ax.plot(long_times, (means.max() - means).mean() * long_times, color="#767676", lw=1)
ax.text(9_000, 2_550, "never learning", color="#4a5058", ha="right")
ax.set(xscale="log", xlim=(100, 1e8), ylim=(0, 6_000), xticks=10.0 ** np.arange(2, 8), xlabel="patients", ylabel="regret, in recoveries", title="A small ε delays the learning; then all curves rise slowly");

# %% tags=["remove-input"]
md(f"Here are the sums that do not forget. On this axis a straight line is a logarithm. With ε = 0.1 the hospital learns little from the first ten thousand patients, who lose {show(early[10**4][0.1])} recoveries, where never learning would lose {never[10**4]:,.0f} and learning without noise {show(early[10**4][None])}. Then its regret rises like a logarithm, as all others do. The small steps come from long episodes. Among ten million patients it loses {show(long_runs[0.1][at_ten_million])}, and without privacy {show(long_runs[None][at_ten_million])}.\n\n"
   f"So the extra regret of ten million is about four times that of ten thousand. The logarithm alone would be 1.75 times. It is more, because after ten thousand patients the hospital has hardly begun to learn, and most of the price is still to come. Shared among all patients it falls, from one recovery in {10**4 / (early[10**4][0.1] - early[10**4][None]):.0f} patients to one in {round(10**7 / gained[0.1][at_ten_million], -2):,.0f}.")

# %% [markdown]
# On this page even a patient's own treatment was protected, because it is chosen before anything is known of the patient. A doctor who first looks at the patient cannot have this, as {doc}`the next page <06_why_joint>` shows.
#
# ## Check yourself
#
# **Two hospitals with five treatments use sums that do not forget, with ε = 0.1. One treats ten thousand patients, the other ten million. In which one does privacy cost a patient more?**
#
# ```{dropdown} In the large one, because its extra regret is larger.
# It is larger, about four times. But a thousand times as many patients share it.
# ```
# ```{dropdown} In neither, because each patient has the same ε.
# The promise is the same, and its price is not. The extra regret is a number of recoveries that grows like a logarithm, so the share of each patient falls.
# ```
# ```{dropdown} In the small one, because few patients share the extra regret.
# ✓ Right. After ten thousand patients ε = 0.1 has still lost two thirds of what never learning loses, and about five times as much as without privacy. So the small hospital should hesitate before it promises ε = 0.1. A larger ε, or fewer treatments, would help it.
# ```
#
# ## To take away
#
# * A bandit publishes its treatments, and they can be private as a whole: a treatment is chosen before its outcome is seen.
# * Publish after episodes, so that each patient is in one sum, and keep what you paid for.
# * Chance costs about $\ln T/\text{gap}$ for each bad treatment, and privacy adds about $\ln T/\varepsilon$, each times a constant. The price of privacy depends little on the gap, and its share for each patient falls.
