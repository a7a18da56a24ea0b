# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'What differential privacy promises, in pictures: ε is how far two worlds may differ, δ is
#         what may stick out. The definition comes last.'
# ---

# %% [markdown]
# # A promise
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How can a clinic publish a number about its patients, and give away almost nothing about any one
#   of them?
# * **The answer.** Compare two worlds: your record is in the data, or a different one is in its place. The numbers ε and δ
#   say how much the publications of the two worlds may differ.
# * **What you need.** Probabilities and densities.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import round_up, show
from privrl_core.pages.game import Beside, Draws, Noisy, Number, World, play
from privrl_core.privacy import GaussianWorlds, discrete_ceiling, gaussian_delta, gaussian_mu, gaussian_success_ceiling

use_theme()
rng = np.random.default_rng(seed)
runs = max(20_000, round(100_000 * effort))

# %% [markdown]
# ## An exact number gives Anna away
#
# A clinic asks its hundred patients: *Did you skip your medicine last week?* It wants to publish the number of patients who said yes. Anna
# is one of the hundred.
#
# **The attack.** Suppose that an attacker knows the other 99 answers, and that 30 of them were yes. If the
# clinic publishes 31, Anna said yes. If it publishes 30, she said no. The number seems to be about a hundred people, but
# for this attacker it *is* Anna's answer.
#
# Few attackers know 99 answers out of a hundred. We assume it all the same, because this is the worst case. A
# protection that holds against this attacker also holds against everybody who knows less.
#
# ## Noise makes every number possible
#
# So the clinic adds a random number to the count before it publishes the count. This random number is called **noise**.
#
# **Coin noise.** This kind of noise needs nothing but a coin. Toss it until it shows heads, and count the tails. Do this
# a second time, and subtract the second count from the first. In code:

# %%
def coin_noise(size, rng):
    tails = rng.geometric(0.5, size=(2, size)) - 1    # before the first heads
    return tails[0] - tails[1]

others = 30                                           # "yes" among the other 99
if_no = others + 0 + coin_noise(runs, rng)            # published, if Anna said no
if_yes = others + 1 + coin_noise(runs, rng)           # published, if she said yes

# %% [markdown]
# Coin noise is **0 in one case out of three**, and each further step away from 0, up or down, is half as likely as the step before.
#
# ### Play: did Anna say yes?
#
# Now you are the attacker. You know that 30 of the others said yes. In each round a coin decides about Anna, and the clinic publishes. How
# often can you be right?
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **How often is the best attacker right?** Choose, then play.
#
# * half of the time, as a coin
# * two times out of three
# * nine times out of ten
# ```

# %% tags=["remove-input"]
answers = [World("yes", "she said yes", "Anna said yes."), World("no", "she said no", "Anna said no.")]
law = [2.0 ** -np.abs(np.arange(-30, 92) - count) / 3 for count in (31, 30)]
played = np.array([count + coin_noise(2_000, np.random.default_rng([seed, count])) for count in (31, 30)])
play(
    name="coin_noise", question="30 of the others said yes. Did Anna?", worlds=answers,
    picture=Number("The published number", y="patients who said yes, published",
                   beside=[Beside("if Anna said yes", [31], world=0), Beside("if she said no", [30], world=1)]),
    levels=[Draws("coin noise", played[..., None], log_ratios=np.log(2) * np.sign(played - 30.5),
                  ceiling=discrete_ceiling(*(p / p.sum() for p in law)),
                  guarantee="Whatever is published is at most twice as likely with Anna's true answer as with the opposite one (replace one answer), proved.")],
    rounds=10, caption="A count of 100 answers with coin noise. The best attacker knows the other 99 answers, as you do.",
    alt="One number is published: how many patients said yes, with noise from a coin.")

# %% [markdown]
# **The answer.** Two times out of three. The best rule bets *yes* on 31 or more. No attacker does better, because on each number this rule bets on the world in which the number is likelier. It cannot always be right, because the noise can
# make a 30 of a 31 and a 31 of a 30.
#
# How often does each number come from each world? Let the clinic publish many times if Anna said no and the true count is 30, and as often if she said yes and it is 31.

# %% tags=["remove-cell"]
numbers = np.arange(25, 37)
shares = [[np.mean(published == number) for number in numbers] for published in (if_no, if_yes)]
at_33 = [share[list(numbers).index(33)] for share in shares]

# %% tags=["remove-cell"]
chances = [2.0 ** -abs(33 - count) / 3 for count in (30, 31)]
assert np.allclose(chances, [1 / 24, 1 / 12])
assert all(abs(share - chance) < 5.5 * np.sqrt(chance / runs) for share, chance in zip(at_33, chances))
assert np.isclose(sum(2.0 ** -abs(k) / 3 for k in range(0, 61)), 2 / 3)    # right guesses: 31 or more if yes

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-4
# The further a published number lies from 30 and 31, the more unusual it is. **Which number says most about Anna's answer?**
#
# * 31
# * 33
# * 40
# * all three say the same
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two panels. Left, bars for the published numbers 25 to 36 in two colours: if Anna said no the bars peak at 30, if she said yes at 31. At 33 the bar for yes is twice as high as the bar for no. Right, the probabilities of the numbers 22 to 40 on a logarithmic axis, as dots: from 31 upwards the dots for yes are always the same distance above those for no, and from 30 downwards the same distance below."}}
far = np.arange(22, 41)
heights = [2.0 ** -np.abs(far - count) / 3 for count in (30, 31)]
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.3))
for share, shift, colour in zip(shares, (-0.2, 0.2), (PALETTE[1], PALETTE[0])):
    left.bar(numbers + shift, share, width=0.38, color=colour)
left.text(29.6, 0.345, "Anna said no", color=PALETTE[1], ha="right", weight="bold")
left.text(31.4, 0.345, "Anna said yes", color=PALETTE[0], ha="left", weight="bold")
left.annotate("33: twice as\noften if yes", (33.2, at_33[1] + 0.004), (33.0, 0.17), arrowprops={"arrowstyle": "-", "color": "#4a5058"}, va="bottom")
left.set(xticks=numbers[::2], ylim=(0, 0.385), xlabel="published number", ylabel="share of runs", title="Every number can come from both")
right.vlines(far, *heights, color="#9aa3ad", lw=1.5)
for one, colour, shape in zip(heights, (PALETTE[1], PALETTE[0]), "so"):
    right.plot(far, one, shape, color=colour, ms=4)
for number in (31, 33, 40):
    top = heights[1][number - 22]
    right.annotate("twice", (number, top), (number + 0.4, top * (3.2 if number == 40 else 1.2)), ha="right" if number == 40 else "left", va="bottom")
right.set(xticks=far[::3], yscale="log", ylim=(1e-4, 1.2), xlabel="published number", ylabel="probability", title="On a log axis every gap is a factor of 2")
for ax in (left, right):
    ax.grid(False, axis="x");

# %% tags=["remove-input"]
md(f"**The answer.** All three say the same. Out of {runs:,} runs in each world, the clinic publishes 33 in {100 * at_33[0]:.1f}\N{NO-BREAK SPACE}% if Anna said no, and in {100 * at_33[1]:.1f}\N{NO-BREAK SPACE}% if she said yes: it is evidence for yes, at odds of two to one. "
   "It is the same for every number from 31 upwards. From 30 downwards, every number is twice as likely if she said no. The number 40 looks suspicious, but it is rare in *both* worlds, and by the same "
   "factor, so its rarity tells nothing about her. {ref}`Two sliders <which-number>` let you try other numbers and other coins.")

# %% [markdown]
# ## ε: how far the heights may differ
#
# The factor between the two pictures is what the clinic can promise: *whatever we publish, it is at most twice as likely
# with your answer as with the opposite one, and at least half as likely*. The factor is written $e^\varepsilon$, and ε is called the **privacy
# loss**. A factor of 2 is $\varepsilon = \ln 2 \approx 0.69$; $\varepsilon = 1$ stands for a factor of
# $e \approx 2.72$. The logarithm is used because factors of several releases multiply, and so their logarithms add up.
#
# By Bayes' rule, this factor multiplies the attacker's odds:
#
# $$\frac{\Pr[\text{yes} \mid \text{published}]}{\Pr[\text{no} \mid \text{published}]}
#   = \frac{\Pr[\text{published} \mid \text{yes}]}{\Pr[\text{published} \mid \text{no}]} \times \frac{\Pr[\text{yes}]}{\Pr[\text{no}]} .$$
#

# %% tags=["remove-input"]
md("With the coin noise, even odds of 1 to 1 become at most 2 to 1, so an attacker who was 50 % sure ends at most 67 % sure. "
   f"In the same way 50 % becomes at most $e^\\varepsilon/(1 + e^\\varepsilon)$, which is {100 * expit(0.1):.1f}\N{NO-BREAK SPACE}% if ε = 0.1, {100 * expit(1):.1f} % if ε = 1, and "
   f"{100 * expit(5):.1f} % if ε = 5. This is the most that anybody can ever believe. "
   f"How often a bet is right is an average over all outputs, and may be far less: {100 * gaussian_success_ceiling(gaussian_mu(1, 1e-5)):.0f} in 100 for the Gaussian noise of the next page, at ε = 1 and a tiny δ. "
   "The smaller ε, the better Anna is protected, and the more noise it takes.")

# %% [markdown]
# ## δ: what may stick out
#
# In this book one patient often moves forty numbers at once. Then a bell curve needs much less noise than the coin, as {doc}`03_noise_that_keeps_it` shows. It is called **Gaussian noise**.

# %% tags=["remove-input"]
def bell_ratio(z, s=1):
    return norm.pdf(z, 31, s) / norm.pdf(z, 30, s)

md(f"How do the two pictures differ now? With a standard deviation of 1, the number 32 is {bell_ratio(32):.1f} times as likely if Anna said yes. For 33 this "
   f"ratio is {bell_ratio(33):.0f}, and for 34 it is {bell_ratio(34):.0f}. It grows without end. However large we choose ε, "
   "the ratio exceeds $e^\\varepsilon$ for some numbers.")

# %% [markdown]
# But the larger the ratio, the rarer the number. So let a part of the picture break the rule, and measure how large this part is:
#
# 1. Take the picture of the other world, *no*, and raise it by the factor $e^\varepsilon$.
# 2. Where the picture for *yes* lies below the raised one, the rule is kept.
# 3. What **sticks out** above the raised one breaks the rule. Its area is what *yes* has in excess of the raised *no*.

# %% [markdown]
# ### Play: how much sticks out?
#
# Here is the clinic again, with Gaussian noise of standard deviation 1, so that published counts have decimals. Each round falls on one of two heaps. Play 500 rounds, and raise the heap of *no* with the slider. At the end, *give it a name*.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **If the heap of no is made 2.72 times as high, which is ε = 1, how much of yes still sticks out?**
#
# * about a half
# * about an eighth
# * about a thousandth
# ```

# %% tags=["remove-input"]
play(
    name="piles", question="30 of the others said yes. How much of “yes” sticks out above “no”?", worlds=answers,
    picture=Number("The published number", y="patients who said yes, published",
                   beside=[Beside("if Anna said yes", [31], world=0), Beside("if she said no", [30], world=1)]),
    levels=[Noisy("Gaussian noise", GaussianWorlds(means=[[31.0], [30.0]], scales=1.0),
                  guarantee="Each pair of ε and δ that the slider finds is a promise for one answer (replace one), proved.")],
    noise=np.random.default_rng([seed, 1]).normal(size=10_000), stages=("piles",), names=True,
    caption="A count of 100 answers with Gaussian noise of standard deviation 1.",
    alt="Two heaps of published numbers, if Anna said yes and if she said no, which overlap.")

# %% tags=["remove-input"]
at_one, at_two, wider = (round_up(float(gaussian_delta(e, 1 / s))) for e, s in ((1, 1), (2, 1), (1, 2)))
md(f"**What you should see.** At 2.72 times, {show(at_one)} of *yes* sticks out, about an eighth. At 7.39 times, which is ε = 2, it is "
   f"still {show(at_two)}. This area is called **δ**. A half is too much, because even without raising *no*, more than half of *yes* lies behind it. A thousandth takes more "
   "noise or a larger ε. Something always sticks out, because the ratio has no upper bound. So a Gaussian release has not one ε but "
   "a whole curve of pairs: each ε has its own δ, and δ falls quickly as ε grows.")

# %% tags=["remove-cell"]
# The same areas from the integral; and each world takes its turn as the one that is raised.
def sticks_out(epsilon, s, ours, theirs):
    def excess(z):
        return max(0.0, norm.pdf(z, ours, s) - np.exp(epsilon) * norm.pdf(z, theirs, s))
    edge = 30.5 + (s**2 * epsilon if ours > theirs else -(s**2) * epsilon)
    return quad(excess, 30.5 - 20 * s, 30.5 + 20 * s, points=[edge], limit=200)[0]

for epsilon, s in ((0.5, 2), (1, 2), (1, 4), (1, 1), (2, 1)):
    for worlds in ((31, 30), (30, 31)):
        assert np.isclose(sticks_out(epsilon, s, *worlds), gaussian_delta(epsilon, 1 / s), rtol=1e-6)
assert np.isclose(bell_ratio(40) / bell_ratio(36), bell_ratio(37) / bell_ratio(33))    # the ratio grows by the same factor
assert show(at_one) == "0.127" and 1 / 9 < gaussian_delta(1, 1) < 1 / 7 and gaussian_delta(0, 1) < 0.5 and [round(np.exp(e), 2) for e in (1, 2)] == [2.72, 7.39]

# %% [markdown]
# A formula computes these areas, and {ref}`three other routes lead to the same numbers <area-by-four-routes>`.
#
# ## The promise
#
# Now ε and δ fit into one sentence. Let $E$ be any set of outputs, such as "31 or more". Its probability if *yes* is the coloured area, in two parts:
#
# 1. Under the raised *no*: up to $e^\varepsilon$ times the probability if *no*.
# 2. What sticks out: up to δ, since all that sticks out adds up to δ.

# %% tags=["remove-input"] mystnb={"image": {"alt": "The bell curve for yes around 31, and the one for no around 30, raised 2.72 times. The area under yes from 31 on is coloured in two parts: most of it lies under the raised no, and the rest, from 31.5 on, sticks out above it."}}
z = np.linspace(26.8, 34.8, 801)
no, yes = np.e * norm.pdf(z, 30), norm.pdf(z, 31)
fig, ax = plt.subplots(figsize=(7.2, 2.7))
over = z >= 31
ax.fill_between(z, 0, np.minimum(no, yes), where=over, color=PALETTE[1], alpha=0.3, lw=0)
ax.fill_between(z, no, yes, where=over & (yes > no), color=PALETTE[0], alpha=0.55, lw=0)
ax.plot(z, no, color=PALETTE[1], lw=2.2)
ax.plot(z, yes, color=PALETTE[0], lw=2.2)
ax.plot([31, 34.8], [-0.02, -0.02], color="#22272e", lw=4, solid_capstyle="butt")
ax.text(34.8, 0.07, "E: 31 or more", color="#22272e", weight="bold", ha="right")
ax.text(29.2, 0.95, "no, raised 2.72 times", color=PALETTE[1], weight="bold", ha="right")
ax.text(31.35, 0.16, "1", color=PALETTE[1], weight="bold", fontsize=13, ha="center", va="center")
ax.annotate(f"2   sticks out, δ = {float(gaussian_delta(1, 1)):.3f}", (32.0, 0.2), (32.5, 0.42), color=PALETTE[0], weight="bold", arrowprops={"arrowstyle": "-", "color": PALETTE[0]})
ax.text(30.15, 0.27, "yes", color=PALETTE[0], weight="bold", ha="right")
ax.set(xlabel="published number", ylabel="density", yticks=[], ylim=(-0.04, 1.15), title="What lies over E: one part under the raised no, the rest sticks out");

# %% [markdown]
# ```{prf:definition} Differential privacy
# :label: def-differential-privacy
# Two data sets $X$ and $X'$ are **neighbours**, $X \simeq X'$, if they differ in one person's record. A random algorithm $M$ is
# $(\varepsilon, \delta)$-**differentially private** if for all neighbours $X$ and $X'$ and every set $E$ of outputs
#
# $$\Pr[M(X) \in E] \le e^\varepsilon \Pr[M(X') \in E] + \delta .$$
# ```
#
# With $\delta = 0$ it is called *pure* differential privacy {cite:p}`dwork2006`. Each part of the sentence matters:
#
# * *All neighbours*: it holds for every patient and every data set, so knowing the others does not get around it. It also holds with $X$ and $X'$
#   exchanged. A "no" is protected as well as a "yes".
# * *Every set of outputs*: no computation on the published number gets around it.
# * *One person's record*: here it is one answer. It may also be one visit, or a patient's whole history. {doc}`04_who_is_protected` shows
#   how much depends on it.
#
# One patient moves the count by at most 1, so any two neighbours look like our two pictures, or exactly alike. The coin noise keeps the
# promise with $\varepsilon = \ln 2$ and $\delta = 0$. Gaussian noise of standard deviation 1 keeps it with ε = 1 and δ = 0.127, and with every other pair that the slider finds.
#
# The promise does *not* say that nothing will be learnt about Anna. If most patients skip their medicine, then she probably does so too,
# whether or not she took part.
#
# ## Why δ must be tiny
#
# The factor $e^\varepsilon$ limits what anybody learns. What sticks out is not limited at all, as this algorithm shows:
#
# > For each patient, roll dice. With probability δ, publish the patient's complete record. Otherwise, publish nothing.
#
# If Anna's record is replaced by another, the output changes only if her dice say so, with probability δ. So the algorithm keeps the
# promise with this δ and ε = 0. It still publishes complete records: on average, δ times the number of patients.

# %% tags=["remove-input"]
md(f"With δ = 0.01 and a hundred patients, that is one record on average. So a δ protects *everyone* only if it is far "
   f"below one over the number of people. Most of this book takes δ = 10⁻⁵ [{{ref}}`how small it must be <small-delta>`]. Gaussian noise gets there easily: at ε = 1, δ is {show(at_one)} for a "
   f"standard deviation of 1, {show(wider)} for 2, and {show(round_up(float(gaussian_delta(1, 1 / 4))))} for 4.")

# %% [markdown]
# ## Check yourself
#
# **A registry of a million people is released with ε = 0.5 and δ = 0.001. Is this a good promise?**
#
# ```{dropdown} Yes, because ε is small.
# ε says nothing about the part that sticks out. With this δ, a thousand complete records might be published.
# ```
# ```{dropdown} Yes, because δ is small.
# What counts is δ times the number of people, and that is a thousand.
# ```
# ```{dropdown} No, it is worth little.
# ✓ Right. δ should be far below one in a million. A Gaussian release may still be fine, because its curve has
# other pairs. Ask for them.
# ```
#
# ## To take away
#
# * Two pictures are compared: what might be published with your record, and what might be published with another one
#   in its place. Privacy means that they are hard to tell apart.
# * ε bounds the ratio of their heights: apart from δ, an attacker's odds change by a factor of at most $e^\varepsilon$.
# * δ is the area that may stick out, where this bound fails. It must be far below one over the number of people.
# * The promise is about the algorithm. It holds for every data set and against every attacker.
#
# Further reading: {cite:t}`dwork2006`, where it began, and {cite:t}`dwork2014`, the textbook. Next: {doc}`03_noise_that_keeps_it`.
