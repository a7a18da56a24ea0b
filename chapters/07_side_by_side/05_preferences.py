# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Learning from preferences in private: read an annotator who flips her labels, and see how many more labels
#         randomised response takes.'
# ---

# %% [markdown]
# # Whose preference?
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A learner asks people which of two answers, or of two treatments, they prefer. What do these preferences reveal, and what does it cost to hide them?
# * **The answer.** Each label can be flipped at random before it is sent. That takes several times as many labels. It hides one label, and not a person with many of them.
# * **What is protected.** One label at first, in public pairs. Neighbours replace one label. Then all labels of one annotator.
# * **What you need.** Randomised response from {doc}`/chapters/05_online/08_nobody_may_see`, and units from {doc}`/chapters/01_foundations/04_who_is_protected`.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 1952         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.stats import binom

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.pages.game import Dial, Draws, Stems, World, play
from privrl_core.privacy import discrete_ceiling

use_theme()
rng = np.random.default_rng(seed)

def flip(epsilon):
    return 1 / (1 + np.exp(epsilon))

def factor(epsilon):
    """How many times the variance, where both answers are liked equally."""
    return ((np.exp(epsilon) + 1) / (np.exp(epsilon) - 1)) ** 2

# %% [markdown]
# ## You read what Anna sends
#
# A language model learns from people who compare two of its answers {cite:p}`christiano2017,ouyang2022`. Each choice is a *label*, and a person who gives labels is an *annotator*. Anna is one. Today's ten questions are political, and in each pair one answer takes the left side and one the right. Anna always prefers the same side. That is her vote.
#
# She trusts nobody. So her telephone flips each label with probability 0.27 before it is sent. This is *randomised response* {cite:p}`warner1965`, with ε = 1 for a label.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# If you see one of her labels, the best bet is right 73 times in 100. **How often is it right if you see all ten, each flipped by the same rule?** Choose, then play.
#
# * 73 times: ε is the same
# * about 80 times
# * about 93 times
# ```
#
# ### Play: which side is hers?
#
# She sends one label, then ten. At the last setting each of the ten is flipped with probability 0.475, which is ε = 1/10.

# %% tags=["remove-cell"]
def majority(m, epsilon):
    """How often the majority of m flipped copies is right, in 100; a tie is decided by a coin."""
    k = np.arange(m + 1)
    return 100 * binom.pmf(k, m, 1 - flip(epsilon)) @ ((k > m / 2) + 0.5 * (k == m / 2))

def sends(label, m, epsilon, guarantee, draws=420):
    """Ten places, of which m have a label; the number of labels for one side is all that matters."""
    values = np.zeros((2, draws, 10))
    for world in (0, 1):
        flipped = np.random.default_rng([seed, m, world, round(10 * epsilon)]).random((draws, m)) < flip(epsilon)
        values[world, :, :m] = (1 - 2 * world) * (1 - 2 * flipped)
    k = np.arange(m + 1)
    ceiling = discrete_ceiling(*(binom.pmf(k, m, right) for right in (1 - flip(epsilon), flip(epsilon))))
    assert np.isclose(100 * ceiling, majority(m, epsilon))
    return Draws(label, values, log_ratios=epsilon * values.sum(axis=-1), ceiling=ceiling, guarantee=guarantee)

assert [round(majority(*each)) for each in ((1, 1.0), (10, 1.0), (10, 0.1))] == [73, 93, 56] and round(flip(1.0), 2) == 0.27 and round(flip(0.1), 3) == 0.475

# %% tags=["remove-input"]
ten = sends("ten labels, ε = 1 for each", 10, 1.0, "ε = 1, δ = 0 for one label (replace one), proved, in the local model. For all ten labels of Anna together: ε = 10.")
play(
    name="annas_side", question="What Anna’s telephone sent. Which side does she prefer?", publish="Send",
    worlds=[World("left", "Anna prefers left", "Anna always prefers the left side."), World("right", "Anna prefers right", "Anna always prefers the right side.")],
    picture=Stems("What was sent", x="question", y="label", low=-1.5, high=1.5, key="sent", values=((1, "left"), (0, "not sent"), (-1, "right"))),
    levels=[sends("one label, ε = 1", 1, 1.0, "ε = 1, δ = 0 for one label (replace one), proved, in the local model. She sends one."),
            ten, sends("ten labels, ε = 1/10 for each", 10, 0.1, "ε = 1, δ = 0 for all ten labels of an annotator together (replace all ten), proved, in the local model.")],
    dial=Dial("what she sends", low_end="one label", high_end="ten weak labels", first="Now ten labels", next="Now with ε = 1/10"), stages=("rounds", "dial"), rounds=6,
    caption="Labels after the flips. Where a stem is missing, no label was sent.",
    alt="Stems for ten questions, up if the label that was sent is for the left side and down if it is for the right. At the first setting only the first question has a label.")

# %% tags=["remove-input"]
md(f"**What you should see.** {majority(10, 1.0):.0f} times in 100, by the majority of the ten. Flips that hide one label cancel out over many. No promise was broken: it was made for a label, and Anna sends ten. If all ten of hers change, the factors multiply to $e^{{10}}$, so {{ref}}`she has ε = 10 <group-privacy>`. With ε = 1/10 for each, ε = 1 holds for her, and you are right {majority(10, 0.1):.0f} times.")

# %% [markdown]
# ## Say whose secret it is
#
# So there are three units to choose from.
#
# | unit | neighbours differ in | does *not* protect |
# |---|---|---|
# | a **label** | which of the two was preferred | what was compared, and by whom |
# | a **pair** with its label | the two answers, the question behind them, and the label | an annotator with two pairs |
# | an **annotator** | all pairs and labels of one person | what holds for everybody |
#
# If a pair is "tablet or injection?", it is public and the label is enough. If it is a letter to a doctor with two replies, the letter is a medical record, and noise on the label does not hide it [{ref}`checked <labels-pair>`].
#
# ## What a flip costs
#
# First the price of hiding a label. A hospital asks patients for labels, *tablet or injection?*, to recommend what most prefer. A label is flipped with probability $q$, and $(1-q)/q = e^\varepsilon$ is the largest factor that ε allows. At ε = 1, 27 of 100 labels are false.

# %%
def send(label, epsilon, rng):
    q = 1 / (1 + np.exp(epsilon))
    return np.where(rng.random(label.shape) < q, 1 - label, label)

# %% tags=["remove-cell"]
for world in (0, 1):        # as in the game
    again = send(np.full((420, 10), 1 - world), 1.0, np.random.default_rng([seed, 10, world, 10]))
    assert (2 * again - 1 == ten.values[world]).all()

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# To recommend the better treatment with the same certainty, it takes nearly 5 times as many labels at ε = 1. **How many times as many does it take at ε = 0.1?** Choose, then move ε.
#
# * about 10 times
# * about 50 times
# * about 400 times
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
better = Slider("share", "better treatment preferred, in 100", 54, 75, 60, points=8, steps=7, scale="linear", low_end="hardly more than half", high_end="most")
labels = Axis("n", "labels", 9, 100_001, points=61)
true_share = better.grid / 100
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
    alt="Right recommendations in 100 against the number of labels, which is on a logarithmic axis, at ε = {epsilon}, where {share} of 100 patients prefer the better treatment. Both curves rise towards 100. The curve of flipped labels is that of true labels moved to the right. It takes {few} true or {many} flipped labels for 99 in 100.",
    caption="From the binomial distribution, at the odd number of labels next to each point of a curve. The treatment that most labels prefer is recommended.")

# %% tags=["remove-cell"]
p, one, q = 0.6, 1.0, flip(1.0)
sent_p = q + (1 - 2 * q) * p
n_true, n_sent, n_weak = needed(p), needed(sent_p), needed(flip(0.1) + (1 - 2 * flip(0.1)) * p)
assert right(p, n_true) >= 0.99 > right(p, n_true - 2) and right(sent_p, n_sent) >= 0.99 > right(sent_p, n_sent - 2)
assert round(100 * q) == 27 and round(100 * (1 - 2 * q)) == 46 and round(1 / (1 - q), 1) == 1.4 and round(1 / (1 - 2 * q), 1) == 2.2 and round(factor(1), 2) == 4.68
assert 4.5 < n_sent / n_true < 5 and round(factor(0.1)) == 401 and round(100 * sent_p) == 55 and abs(100 * (2 * sent_p - 1) - 9.2) < 0.1 and round(100 * (2 * p - 1)) == 20
assert 390 < n_weak / n_true < 410

# %% tags=["remove-input"]
md(f"**What you should see.** About 400 times: {n_true} true labels are right in 99 of 100 cases, and it takes {n_sent} flipped ones at ε = 1 and {show(n_weak, 3)} at ε = 0.1. Reckon with 100 labels at ε = 1. Of 60 for the tablet 44 are still for it after the flips, and of 40 for the injection 11 have changed to it. So 60 to 40 becomes 55 to 45. The lead shrinks from 20 to 9, while the scatter of the votes stays the same. "
   f"To see a lead that is {1 / (1 - 2 * q):.2f} times smaller in the same scatter takes ${1 / (1 - 2 * q):.2f}^2 = {factor(1):.2f}$ times as many labels. At ε = 0.1 it is {1 / (1 - 2 * flip(0.1)):.0f} times smaller.\n\n"
   r"In general the factor is $\big(\frac{e^\varepsilon + 1}{e^\varepsilon - 1}\big)^2$ where both are liked about equally [{ref}`checked <labels-variance>`]: 4.7 at ε = 1, and 401 at ε = 0.1. {ref}`A whole race of four treatments <labels-race>` pays the same.")

# %% [markdown]
# ## Ten weak labels, or one by lot?
#
# Back to Anna. She is to have ε = 1 for all her ten labels, and nobody is trusted. Her telephone can send ten weak labels, with ε = 1/10 each. Or it draws *one* of the ten by lot, flips it with ε = 1, and throws nine away. In the game, the best bet was right 56 times in 100 against the ten, and 73 times against the one.
#
# Now her ten questions are unrelated, so her labels are independent. A learner wants to know what share of all labels, of many annotators, prefers the left.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **Which of the two serves the learner better?**
#
# * ten weak labels: nothing is thrown away
# * neither: ε = 1 for Anna in both cases
# * one label by lot
# ```

# %% tags=["remove-cell"]
people = 1000

def each(m, epsilon=1.0, p=0.5):
    """Variance of the estimated share times the number of annotators, if each label has ε/m."""
    return (p * (1 - p) + np.exp(epsilon / m) / np.expm1(epsilon / m) ** 2) / m

weak, lot = 100 * 4 * each(10), 100 * 4 * each(1)         # annotators as good as 100 true labels
assert np.isclose(each(10), factor(0.1) / 40) and np.isclose(each(1), factor(1) / 4) and np.isclose(np.log((1 - flip(0.1)) / flip(0.1)) * 10, 1)
assert round(weak, -1) == 4010 and round(lot) == 468 and round(weak / lot, 1) == 8.6
noise = rng.laplace(scale=10, size=200_000) / (people * 10)              # the sum of ten labels of each of 1000 people
assert abs(noise.var() * people / (2 / people) - 1) < 0.05

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels with two bars each. What an attacker gets from Anna, right guesses in 100, from 50 for a coin: 56 from ten weak labels and 73 from one by lot, which is the most that epsilon 1 allows. What a learner needs, annotators as good as 100 true labels: 4,010 with ten weak labels each, 468 with one by lot."}}
fig, axes = plt.subplots(1, 2, figsize=(8.4, 2.2))
for ax, values, title, label, low, high in ((axes[0], (majority(10, 0.1), majority(1, 1.0)), "What the attacker gets", "right in 100, from a coin’s 50", 50, 80),
                                            (axes[1], (weak, lot), "What the learner needs", "annotators, as good as 100 true labels", 0, 5000)):
    ax.barh((1, 0), np.array(values) - low, left=low, color=(PALETTE[1], PALETTE[2]), height=0.6)
    for row, value in zip((1, 0), values):
        ax.text(value + 0.015 * (high - low), row, f"{value:,.0f}" if value < 1000 else f"{round(value, -1):,.0f}", va="center", weight="bold", color="#22272e")
    ax.set(yticks=(1, 0), yticklabels=("ten weak labels", "one by lot"), xlim=(low, high), xlabel=label)
    ax.set_title(title, fontsize=10.5)
    ax.grid(False, axis="y")
axes[0].axvline(majority(1, 1.0), color="#767676", ls=":", lw=1.4)
axes[0].text(majority(1, 1.0) + 0.4, 1, "the most\nε = 1 allows", va="center", color="#4a5058", fontsize=8.5)
axes[1].set(yticklabels=())
axes[1].set_xticks(range(0, 5001, 1000), [f"{n:,}" for n in range(0, 5001, 1000)]);

# %% tags=["remove-input"]
md(f"**The answer.** One label by lot. It has {factor(1):.1f} times the variance of a true label. A weak label has {factor(0.1):.0f} times, so the mean of ten still has {factor(0.1):.0f}/10 = {factor(0.1) / 10:.0f} times, {weak / lot:.1f} times as much as the one. But the attacker reads the same messages as the learner, and learns more from the one label as well. ε = 1 allows up to 73.1 right guesses in 100. One label reaches this ceiling. Ten weak ones stay far below it, and tell less, to the attacker and to the learner [{{ref}}`checked for other ε <labels-annotator>`].\n\n"
   f"With trust there is a better way. A hospital that sees all true labels adds them up. Anna moves the sum by at most 10, so Laplace noise of scale 10 is added once. With {people:,} annotators of ten independent labels, equally often for either side, that is {100 * ((0.25 / 10 + 2 / people) / (0.25 / 10) - 1):.0f} % more variance than without privacy.\n\n"
   "*Guarantee:* ε = 1, δ = 0 for all ten labels of an annotator (replace all ten), proved, in the central model: for everybody who reads the noisy sum. The hospital sees the labels.\n\nWhat if nobody is trusted with the sum? {doc}`The next page <06_many_hospitals>` adds up without trust.")

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
# * Flipped labels take $\big(\frac{e^\varepsilon + 1}{e^\varepsilon - 1}\big)^2$ times as many, for two treatments that are liked about equally: 4.7 at ε = 1.
# * For an annotator with many labels, in the local model and at ε = 1, one label by lot beats many with a share of ε each. With a trusted hospital, noise on the sum is far better than both.
