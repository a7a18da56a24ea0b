# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Patients are treated with what was learned from earlier ones. A game: find out about one patient from everybody
#         else''s treatments.'
# ---

# %% [markdown]
# # One after another
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A hospital treats patients one after another and learns from each of them. What do the treatments of all other
#   patients tell about Anna?
# * **The answer.** In the worst case everything, if the hospital counts exactly. Noise on its counts prevents this. The promise that it gives is called
#   joint privacy, and a hospital can keep it and still learn.
# * **What is protected.** One patient's data, against all other patients together. Neighbours replace one patient.
# * **What you need.** {doc}`/chapters/01_foundations/02_a_promise`.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2014         # all randomness comes from here
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.linalg import solve_toeplitz
from scipy.special import ndtr
from scipy.stats import binom

from privrl_core.online import counter, square_root_coefficients
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.game import Dial, Draws, Exact, Stems, World, play
from privrl_core.privacy import GaussianWorlds, right_guess_ceiling
from privrl_core.privacy.joint import billboard

use_theme()
days, first_day, per_day = 12, 9, 20
times = first_day + per_day * np.arange(days)

def noisy_sums(epsilon):
    """The counter of the hospital: one sum a day, each vote in one of them. To replace one vote moves it by 2."""
    return counter("doubling-toeplitz", int(times[-1]), 2.0, epsilon=epsilon, delta=delta, times=times)

# %% [markdown]
# ## A hospital that learns while it treats
#
# In the chapters before, the records were collected first, and the learning came afterwards. Here the patients come one after another,
# and each of them should be treated with what was learned from the earlier ones. Here is a very small hospital. It has two treatments, **gentle** and **strong**, and does not know which one is better. Each patient recovers or does not, and the
# hospital lets the outcomes vote:
#
# * A patient who recovers gives a vote to the treatment that she received.
# * A patient who does not recover gives a vote to the other treatment.
#
# Every evening the hospital takes the sum of all votes so far, where a vote for *strong* counts $+1$ and a vote for *gentle* counts $-1$, and **the next day everybody
# gets the treatment that is ahead**. Patients see how they are treated. They see neither the votes nor the sum.

# %% tags=["remove-cell"]
def treat(votes_of_each_day, sums):
    treatments = []
    for votes in votes_of_each_day:
        so_far = sums.add(votes)                      # exact or with noise
        treatments.append(+1 if so_far > 0 else -1)   # for the next day
    return treatments

one_run = treat([1] + [0] * (days - 1), noisy_sums(1).start(noise_rng=np.random.default_rng(seed)))
same_run = noisy_sums(1).release([1] + [0] * (days - 1), noise_rng=np.random.default_rng(seed))
assert one_run == list(np.where(same_run.totals > 0, 1, -1)) and np.isclose(same_run.guarantees[0].epsilon, 1)

index_rng = np.random.default_rng(seed)            # they are at the head of the chapter's index
drawn = ["".join(" ▲▼"[to] for to in treat([vote] + [0] * (days - 1), noisy_sums(1).start(noise_rng=index_rng))) for vote in 3 * [1] + 3 * [-1]]
assert drawn == ["▼▲▲▲▲▼▲▲▲▲▲▲", "▼▲▲▲▲▲▲▲▲▲▲▲", "▼▼▼▼▼▼▼▼▼▼▼▲", "▲▲▲▲▲▲▲▲▲▲▲▲", "▼▲▼▼▼▼▼▼▲▲▲▼", "▲▲▼▼▼▲▲▲▼▲▼▲"]

# %% [markdown]
# ## What the others can find out
#
# Anna came on the first day and received the strong treatment. Whether it helped her is her secret. Eight other patients came on the same day, and their votes are
# even: four for *strong*, four for *gentle*. So Anna's vote decides.
#
# Suppose that all other patients work together, the later ones as well. They know all their own outcomes, and even choose what they report. On every
# later day half of them vote for *strong* and half for *gentle*. This keeps the sum as close to zero as it was, where a single vote matters most. As {doc}`before </chapters/01_foundations/02_a_promise>` we look at the worst case: a protection that holds there holds everywhere.
#
# ### Play: did the treatment help Anna?
#
# You are all other patients together. In each round a coin decides whether Anna recovered, and the hospital treats you for twelve more days. First it adds up
# the votes exactly. Two rounds are enough.

# %% tags=["remove-input"]
rng, each = np.random.default_rng(seed), 280
anna = np.zeros((days, 2, 1))
anna[0] = [[1], [-1]]                          # her vote, in the two worlds; all other votes cancel out

def boards(epsilon, n, rng):
    """``[days, 2, n]``: the noisy sums of every evening, in both worlds."""
    return noisy_sums(epsilon).release(np.broadcast_to(anna, (days, 2, n)), noise_rng=rng).totals

def on_twelve_days(epsilon):
    made, sums = noisy_sums(epsilon), boards(epsilon, each, rng)
    column = square_root_coefficients(days)
    worlds = GaussianWorlds(means=[column, -column], scales=made.scale)
    own_noise = solve_toeplitz((column, np.eye(days)[0]), sums.reshape(days, -1))    # the sums, with noises that are independent again
    ceiling = right_guess_ceiling(billboard(made.guarantee))
    assert np.isclose(ceiling, worlds.ceiling)
    return Draws(f"ε = {epsilon:g}", np.moveaxis(np.where(sums > 0, 1.0, -1.0), 0, -1),
                 log_ratios=worlds.log_ratio(own_noise.T).reshape(2, each), ceiling=ceiling,
                 guarantee=f"Jointly private with ε = {epsilon:g} and δ = 10⁻⁵ for one patient's vote (replace one), proved. Whatever the others do, they are right in at most {np.ceil(1000 * ceiling) / 10:.1f} of 100.")

game = dict(
    question="These are your treatments on twelve days. Did the strong treatment help Anna?",
    worlds=[World("recovered", "she recovered", "Anna recovered: her vote was for strong."),
            World("not recovered", "she did not", "Anna did not recover: her vote was for gentle.")],
    picture=Stems("How all of you are treated", x="day", y="treatment", low=-1.5, high=1.5, first=2, key="your treatment", values=((1, "strong"), (-1, "gentle"))),
    publish="Treat for twelve days",
    alt="Twelve stems, one for each day: up if everybody gets the strong treatment on that day, down if the gentle one.")
play(name="all_the_others_exactly", levels=[Exact("exact sums", means=np.outer([1, -1], np.ones(days)), decimals=0, guarantee="Exact sums promise nothing to anybody.")],
     rounds=2, best="attacker with the sums in hand", caption="On the first day eight of you voted four to four, and Anna had the vote that decides. On each later day your votes cancel out.", **game)

# %% [markdown]
# Without noise the sum is Anna's vote, $+1$ if she recovered and $-1$ if not. So everybody's treatment repeats her secret, every day.
#
# ### Play: the noisy hospital
#
# Now the hospital adds Gaussian noise to each sum, a little at first: ε = 10, with δ = 10⁻⁵ throughout. Say with the small slider how many of ten rounds you will get right, and play them. Then press *More noise* for ε = 5, and for ε = 1.
#
# The ceiling beside your score belongs to an attacker with the noisy sums themselves, from which your treatments are computed. With the treatments alone nobody does better in the long run.

# %% tags=["remove-input"]
play(name="all_the_others", levels=[*map(on_twelve_days, (10, 5, 1))],
     dial=Dial("noise on the sums of votes", low_end="little noise", high_end="more noise", first="More noise"), stages=("rounds", "dial"), expects=True,
     best="best attacker with the noisy sums in hand", caption="The same patients and votes as before. Only the sums are noisy now.", **game)

# %% tags=["remove-cell"]
many = max(10_000, round(60_000 * effort))

def most_days(epsilon):
    """How often the others are right if they bet on the treatment of most days; the first day, where the noise is smallest, decides a tie. How often all days agree, and how often they are then wrong."""
    ups = np.where(boards(epsilon, many, np.random.default_rng([seed, 1])) > 0, 1, -1)
    bets = np.sign(ups.sum(axis=0) + 0.5 * ups[0])
    clean = abs(ups.sum(axis=0)) == days
    return (np.mean(bets[0] > 0) + np.mean(bets[1] < 0)) / 2, clean.mean(), (np.sum(clean[0] & (bets[0] < 0)) + np.sum(clean[1] & (bets[1] > 0))) / clean.sum()

ceilings = {e: right_guess_ceiling(noisy_sums(e).guarantee) for e in (10, 5, 1)}
alone, clean, misleading = ({e: found[e][k] for e in ceilings} for found in [{e: most_days(e) for e in ceilings}] for k in range(3))
assert all(0.5 < alone[e] < ceilings[e] for e in alone) and round(100 * ceilings[1], 2) == 55.33
assert 0.16 < clean[10] < 0.21 and 0.015 < misleading[10] < 0.035 and 0.06 < clean[1] < 0.10 and 0.3 < misleading[1] < 0.47
switches = (days - 1) * np.mean(np.diff(np.where(boards(1, 4_000, np.random.default_rng([seed, 4])) > 0, 1, -1), axis=0) != 0)
assert round(switches) == 3 and (days - 1) / 2 == 5.5                 # so many with a coin for each day

# %% tags=["remove-input"]
md("```{dropdown} What you have just seen: open it after your rounds\nSome rounds look as clean as before. Each day's noise is made from one new random number and from those of all days before, so the noises of neighbouring days resemble each other. At ε = 1 the treatment changes only about three times in twelve days, where coins would change it five or six times. Sometimes all twelve days agree. "
   f"But now a clean round can be wrong. At ε = 10 that is rare; at ε = 1, of 100 rounds in which all twelve days agree, about {100 * misleading[1]:.0f} tell the wrong story.\n\n"
   "| right guesses in 100 | ε = 10 | ε = 5 | ε = 1 |\n|---|---|---|---|\n"
   f"| you, if you bet on what most days show, and at six to six on the first day | {100 * alone[10]:.0f} | {100 * alone[5]:.0f} | {100 * alone[1]:.1f} |\n"
   f"| the ceiling, with the noisy sums in hand | {np.ceil(1000 * ceilings[10]) / 10:.1f} | {np.ceil(1000 * ceilings[5]) / 10:.1f} | {np.ceil(1000 * ceilings[1]) / 10:.1f} |\n```")

# %% tags=["remove-cell"]
mu, hidden_by = noisy_sums(1).guarantee.mu, 2 / noisy_sums(1).guarantee.mu
first_noise, last_noise = noisy_sums(1).standard_deviations[[0, -1]]
assert round(mu, 3) == 0.268 == round(2 / round(hidden_by, 2), 3) and round(hidden_by, 2) == 7.46 and np.isclose(ndtr(mu / 2), ceilings[1]) and (round(first_noise), round(last_noise)) == (10, 14) and round(np.sqrt(days) * hidden_by) == 26
assert not np.isclose(ceilings[5], (ceilings[10] + ceilings[1]) / 2, atol=0.01) and np.isclose(ceilings[5], (ceilings[10] + ceilings[1]) / 2, atol=0.02)

# %% tags=["remove-input"]
md(f"Where does the ceiling come from? At ε = 1 the noise has the standard deviation {first_noise:.0f} on the first evening and {last_noise:.0f} on the last. {{doc}}`Page 3 <03_from_tree_to_batches>` shows how it is made. Twelve sums tell more than one. "
   f"All of them contain the same vote of Anna's. The best weighted average of the twelve shows it with the least noise. As their noises resemble each other, averaging gains little: its standard deviation is still {hidden_by:.2f}. No attacker can do better than with this *one* number. Anna's vote with its noise has one of two bell curves:")

# %% tags=["remove-input"] mystnb={"image": {"alt": "Two bell curves with standard deviation 7.46 that nearly coincide. The one for Anna not recovered is centred at minus 1, the one for recovered at plus 1. The part of the second curve to the right of zero and that of the first to the left of zero are shaded: 55.33 of 100 each."}}
fig, ax = plt.subplots(figsize=(7.2, 1.7))
x = np.linspace(-26, 26, 400)
for centre, label, side, colour in ((-1, "she did not\nrecover", "right", PALETTE[1]), (1, "she\nrecovered", "left", PALETTE[0])):
    bell = np.exp(-((x - centre) / hidden_by) ** 2 / 2)
    ax.plot(x, bell, color=colour, ls="--" if centre < 0 else "-")
    ax.text(10 * centre, 0.78, label, color=colour, ha=side, va="center", weight="bold")
ax.fill_between(x, np.where(x >= 0, bell, 0), color=PALETTE[0], alpha=0.18, lw=0, where=x >= 0)
ax.fill_between(x, np.exp(-((x + 1) / hidden_by) ** 2 / 2), color=PALETTE[1], alpha=0.14, lw=0, where=x <= 0)
ax.axvline(0, color="#767676", ls=":", lw=1.6)
for side, at in (("left", 0.6), ("right", -0.6)):
    ax.text(at, 0.25, f"{100 * ceilings[1]:.2f} of 100", color="#22272e", weight="bold", ha=side)
ax.set(xlim=(-26, 26), ylim=(0, 1.08), yticks=[], xlabel="her vote, +1 or −1, with noise", title="A number right of 0 comes from either story")
ax.grid(False)

# %% tags=["remove-input"]
md(f"The two are 2 apart, which is only $\\mu = 2/{hidden_by:.2f} = {mu:.3f}$ standard deviations. The best bet is the side of 0 on which the number lies. It is right in $\\Phi(\\mu/2)$ of all cases, which is {100 * ceilings[1]:.2f} of 100: the shaded part of either curve. Rounded up, as in a privacy statement, it is {np.ceil(1000 * ceilings[1]) / 10:.1f}. {{doc}}`Nobody is right more often </chapters/01_foundations/06_what_epsilon_means>`.")

# %% [markdown]
# ## What is promised: joint privacy
#
# The game left one treatment out: Anna's own. It has to. A doctor who treats Anna for a broken leg knows that she has a broken leg, and so does everybody who sees the plaster.
# A treatment that hides the patient's condition even from those who see the treatment {doc}`cannot fit the patient <06_why_joint>`. So the promise covers the treatments of all *others*:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Five patients from left to right, Anna is the second. Each patient's data go into a board of noisy sums, where each sum leads to the next. Each patient's treatment below comes from the board as it was before, and from the patient's own data. A crossed-out arrow from Anna's data to Ben's treatment, past the board, does not exist. The treatments of all but Anna are what the promise is about."}}
fig, ax = plt.subplots(figsize=(7.6, 3.0))
names, hers, other = ["Ali", "Anna", "Ben", "Cleo", "Dan"], PALETTE[1], "#767676"
ax.add_patch(plt.Rectangle((-1.3, 0.72), 6.35, 0.56, fc="none", ec=PALETTE[0], lw=1.8))
ax.text(-0.72, 1, "the board:\nnoisy sums", color=PALETTE[0], weight="bold", ha="center", va="center")
arrow = {"arrowstyle": "-|>", "lw": 1.4, "shrinkA": 9, "shrinkB": 7}
for k, name in enumerate(names):
    colour = hers if name == "Anna" else other
    ax.plot(k, 2, "o", ms=15, color=colour)
    ax.text(k, 2.22, f"{name}'s data", ha="center", color=colour, weight="bold" if name == "Anna" else None)
    ax.plot(k, 0, "s", ms=15, color=hers if name == "Anna" else PALETTE[2])
    ax.text(k, -0.36, f"{name}'s\ntreatment", ha="center", va="center", color=hers if name == "Anna" else PALETTE[2], weight="bold" if name == "Anna" else None)
    ax.text(k + 0.62, 1, f"sum {k + 1}", ha="center", va="center", color=PALETTE[0])
    ax.annotate("", (k + 0.56, 1.1), (k, 2), arrowprops=arrow | {"color": colour, "lw": 2.4 if name == "Anna" else 1.4})
    ax.annotate("", (k, 0), (k, 2), arrowprops=arrow | {"color": colour, "ls": ":", "shrinkB": 9})
    if k:
        ax.annotate("", (k + 0.4, 1), (k - 0.16, 1), arrowprops=arrow | {"color": PALETTE[0], "lw": 1, "shrinkA": 0, "shrinkB": 0})
        ax.annotate("", (k, 0), (k - 0.36, 0.9), arrowprops=arrow | {"color": PALETTE[0], "shrinkA": 3, "shrinkB": 9})
ax.annotate("", (2, 0), (1, 2), arrowprops=arrow | {"color": hers, "ls": "--", "shrinkB": 9, "connectionstyle": "arc3,rad=0.35"})
ax.plot(1.29, 0.5, "x", ms=13, mew=2.6, color="#b3261e")
ax.set(xlim=(-1.4, 5.15), ylim=(-0.62, 2.45), title="Anna reaches the others only through the board")
ax.axis("off");

# %% [markdown]
# For the picture, let one patient come at a time, and read it from top to bottom. Each patient's data enter the next sum on the board, where noise is added. Each treatment is computed from two things: the board as it
# was before, and the patient's own data. The dotted lines show this second way, which does not touch the board. The crossed-out arrow, from Anna to Ben's treatment past the board, does not exist:
# Anna's data reach the green treatments only through the noise.
#
# Call $U_k$ the data of patient $k$: in the hospital above, whether each of the two treatments would help her. Call $O_k$ the treatments that she gets, and $O_{-k}$ those of everybody else.
#
# ```{prf:definition} Joint differential privacy
# :label: def-joint-privacy
# A hospital is $(\varepsilon, \delta)$-**jointly private** if for every patient $k$, for all data $U$ and $U'$ that differ only in $U_k$, and for every set $E$ of outputs
#
# $$\Pr[O_{-k}(U) \in E] \le e^\varepsilon \Pr[O_{-k}(U') \in E] + \delta .$$
# ```
#
# The only change from {prf:ref}`differential privacy <def-differential-privacy>` is the index $-k$. Whatever Anna's data are, all others together see nearly the same. What she sees herself is left out.
#
# ```{dropdown} What if patients lie?
# The same holds if patients lie, and let a lie depend on what has been published so far. Then $U_k$ is patient $k$'s plan, with a report for each board that may be seen.
# ```
#
# ## Everything after the release is free
#
# ```{prf:theorem} Billboard lemma
# :label: thm-the-board
# Suppose that the sequence of all releases on the board is $(\varepsilon, \delta)$-differentially private, even if patients read the board before they choose what to report. Suppose that each treatment is computed from earlier releases and from the patient's own data, and from nothing else. Then the hospital is $(\varepsilon, \delta)$-jointly private.
# ```
#
# *Proof.* Fix the data and plans of all patients but $k$, and all dice that doctors roll. What another patient reports follows from her plan and the board, and her treatment from her data and the board. So once the board is
# known, $U_k$ is not needed to compute the treatments of all others: $O_{-k}$ is post-processing of the board, which cannot undo a promise. This holds for all dice, and so on average over them. ∎ The evidence {ref}`checks it by enumeration <online-billboard>`.
#
# The lemma tells a designer where to spend the budget. Only the sums cost something. Anything may be done with them, and a
# patient's own chart may be used for her own treatment without any noise. The rest of this chapter is about making the sums as exact as possible.
#
# *Where this comes from.* {cite:t}`kearns2014` defined joint privacy for games, and the lemma for a single release is that of {cite:t}`hsu2014`. {cite:t}`shariff2018` took joint privacy to bandits, and {cite:t}`vietri2020` to reinforcement learning.
#
# ## It still learns
#
# Now let the patients be honest. *Strong* helps 60 of 100 patients and *gentle* helps 40. Then 60 of 100 votes are for *strong*, whichever treatment was given. Nine patients come on the first day and twenty on every later one. So the lead of *strong* is about 2 votes on the first evening, and it grows by 4 votes a day, to 46 on the evening of
# day 12. The noise at ε = 1 goes from 10 to 14.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **On how many of the next twelve days does the hospital choose the wrong treatment, on average?**
#
# * on about six, since a lead of 2 is lost in noise of 10
# * on between one and two, since the lead grows by 4 votes a day
# * on fewer than one, since 229 votes outweigh such noise
# ```

# %% tags=["remove-cell"]
drift = 0.2                                        # a vote's mean, whichever treatment was given: 0.6 − 0.4
noise = noisy_sums(1).standard_deviations
wrong = {"exact sums": binom.cdf((times - 1) // 2, times, 0.6),
         "noisy sums, ε = 1": ndtr(-drift * times / np.sqrt((1 - drift**2) * times + noise**2))}

def walked(noisy, runs=max(2_000, round(20_000 * effort))):
    """The same by playing it: votes of +1 and −1, and the counter's own noise."""
    people = np.diff(times, prepend=0)
    votes = 2.0 * np.random.default_rng([seed, 2]).binomial(people[:, None], 0.6, (days, runs)) - people[:, None]
    sums = noisy_sums(1).release(votes, noise_rng=np.random.default_rng([seed, 3])).totals if noisy else np.cumsum(votes, axis=0)
    return np.mean(sums <= 0)

assert np.isclose(walked(True), wrong["noisy sums, ε = 1"].mean(), atol=0.02)
assert np.isclose(walked(False), wrong["exact sums"].mean(), atol=0.02) and 1 < wrong["noisy sums, ε = 1"].sum() < 2
lead = drift * times
added = sum(wrong["noisy sums, ε = 1"] - wrong["exact sums"])
assert 0.95 < added < 1.05
assert per_day * drift == 4 and 5 < noise[0] / lead[0] < 6 and lead[2] < noise[2] and lead[3] > noise[3]
assert times[-1] == 229 and np.allclose(noise[[0, -1]], [first_noise, last_noise]) and (round(lead[0]), round(lead[-1])) == (2, 46)

# %% tags=["remove-input"] mystnb={"image": {"alt": "Probability of the wrong treatment on days 2 to 13. With exact sums it falls from about 27 percent to nearly zero within six days. With noisy sums at epsilon 1 it starts at 43 percent and falls to about one percent on day 13."}}
fig, ax = plt.subplots(figsize=(7.2, 2.5))
at = np.arange(2, days + 2)
for (label, chance), colour, shape, lift in zip(wrong.items(), (PALETTE[0], PALETTE[1]), "os", (2.5, 3.5)):
    ax.plot(at, 100 * chance, shape + "-", color=colour, ms=5)
    ax.text(at[3] + 0.2, 100 * chance[3] + lift, label, color=colour, weight="bold")
ax.fill_between(at, 100 * wrong["exact sums"], 100 * wrong["noisy sums, ε = 1"], color=PALETTE[1], alpha=0.15, lw=0)
ax.annotate(f"together {added:.1f} days", (3, 26), (5.1, 38), color="#a63d00", va="center", weight="bold", arrowprops={"arrowstyle": "-", "color": "#a63d00"})
ax.axhline(50, color="#767676", ls=":", lw=1.6)
ax.text(at[-1], 48.5, "a coin", color="#4a5058", ha="right", va="top")
ax.set(xticks=at, ylim=(0, 54), xlabel="day", ylabel="wrong treatment, in 100", title="The noise costs one more day of wrong treatments")
ax.grid(False);

# %% tags=["remove-input"]
md(f"**The answer.** On {wrong['noisy sums, ε = 1'].sum():.1f} days; with exact sums it is {wrong['exact sums'].sum():.1f}. At first the noise is more than five times the lead, and the hospital does little better than a coin. On the fourth evening the lead has overtaken the noise, "
   f"and from the next day to the last, wrong choices fall from {100 * wrong['noisy sums, ε = 1'][3]:.0f} of 100 to {100 * wrong['noisy sums, ε = 1'][-1]:.0f}. The noise costs about {added:.0f} day, which is {per_day} patients. *Strong* helps 60 of 100 and *gentle* 40, so {per_day} patients with the wrong treatment lose {per_day * drift:.0f} recoveries. The hospital is jointly private with ε = 1 and δ = 10⁻⁵ for one patient's "
   "vote (replace one), proved.")

# %% [markdown]
# Here privacy costs a day's patients, once. We shall see in this chapter whether that is so in general: *does privacy cost a learning hospital some number of patients, or a share of all patients?* And how can the noise on a sum that is read a million times stay small? The answer begins with {doc}`02_a_counter_that_never_stops`.
#
# ## Check yourself
#
# **A hospital is jointly private with ε = 0.1. Anna's insurer sees the list of medicines that Anna received, one of which is given for heart disease only. What has the promise done for Anna?**
#
# ```{dropdown} The insurer can hardly tell whether she has heart disease, since ε is small.
# The promise is about the treatments of all others. Anna's own medicines may depend on her condition as closely as her doctor likes.
# ```
# ```{dropdown} Nothing against this insurer. It protects her against everybody who sees other patients' treatments.
# ✓ Right. Her own list must be kept secret by other means. {doc}`09_what_stays_open` measures how much such a list tells.
# ```
# ```{dropdown} The promise was broken, because her condition became known.
# It was kept. It never covered her own treatment. Where treatments have to fit the patient, no promise could cover it {doc}`without treating some patients wrongly <06_why_joint>`.
# ```
#
# ## To take away
#
# * A hospital that learns while it treats publishes: every patient's treatment is a message about the patients before.
# * Joint privacy protects a patient against all others together, whatever they know and do. It says nothing about her own treatment.
# * Put noise on the sums, and compute every treatment from noisy sums and the patient's own data. Everything after the release is free.
