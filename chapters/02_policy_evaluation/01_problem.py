# ---
# jupyter:
#   myst:
#     html_meta:
#       description: How two exact tables give a patient away, and why noise for the worst case drowns what the clinic
#         wants to say.
# ---

# %% [markdown]
# # Two tables, one patient
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Ten thousand patients went through a treatment. May a clinic publish how well patients do
#   from each stage on?
# * **The answer.** Not exactly. The clinic has to add noise, and noise for the worst case drowns what it wants to say.
# * **What is protected.** One patient's whole trajectory; neighbours replace one.
# * **What you need.** Averages, and the promise of {doc}`/chapters/01_foundations/02_a_promise`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2016         # all randomness comes from here
n_patients = 10_000
epsilon = 1.0
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import show
from privrl_core.pages.game import Curve, Exact, Subtract, World, play
from privrl_core.policy_evaluation import first_visit_returns, first_visit_statistics
from privrl_core.privacy import gaussian_mu
from privrl_core.world import Episodes, recovery_chain, sample_episodes

use_theme()
rng = np.random.default_rng(seed)
chain = recovery_chain(n_states=40, stay=0.5, discount=0.99)
treatment = np.ones((chain.n_states, 1))       # the policy: one action, "go on"
patients = sample_episodes(chain, treatment, n_patients, rng)
values = chain.policy_values(treatment)

# %% [markdown]
# ## A clinic and its patients
#
# A treatment leads from stage 1, *admitted*, to stage 40, *recovered*. Each week a patient stays in the same stage or moves up
# by one stage, with equal probability. Patients differ by chance only.

# %% mystnb={"image": {"alt": "Stage against week for six patients: rising staircases that reach stage 40 after 60 to 80 weeks. One of them, in another colour, is Anna's."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.4))
for k, (states, length) in enumerate(zip(patients.states[:6], patients.lengths[:6])):
    ax.step(np.arange(length + 1), states[: length + 1] + 1, where="post", lw=2.4 if k == 0 else 1.3,
            color=PALETTE[1] if k == 0 else REFERENCE, zorder=3 if k == 0 else 1)
middle = patients.lengths[0] // 2
ax.text(middle - 2, patients.states[0][middle] + 4, "Anna", color=PALETTE[1], weight="bold", ha="right")
ax.set(xlabel="week", ylabel="stage", title="Six patients: the same treatment, different speeds");

# %% [markdown]
# Each line is one **trajectory**. It is all that the clinic's record says about one patient. It is also what we protect:
# not one week of a patient, and not one number, but the whole line.
#
# ## What the clinic wants to publish
#
# How good is it to be in a stage? The sooner a patient recovers from there, the better. Recovery after one week counts 1, after two weeks 0.99, after three
# weeks $0.99 \times 0.99$: each further week makes it worth 1 % less. So recovery after $k$ weeks has the **return** $0.99^{k-1}$. The **value** $V(s)$ of stage $s$ is the return
# that a patient can expect there. The clinic estimates it by an average: the mean return of all patients who visited the stage, counted
# from their first visit.
#
# The clinic's table has forty entries, one for each stage. In stage 40 there is nothing left to wait for, so the last entry is always 0, and 39 of them can change. A hundred patients are enough for a good estimate:

# %% mystnb={"image": {"alt": "Estimated values of the stages from a hundred patients with two standard errors; they lie on the exact curve, which rises from 0.46 to 0.99."}} tags=["remove-input"]
returns = first_visit_returns(patients, chain.n_states, chain.discount)[:100]
estimate, standard_error = returns.mean(axis=0), returns.std(axis=0, ddof=1) / np.sqrt(len(returns))
stage = np.arange(1, chain.n_states)
fig, ax = plt.subplots(figsize=(7.2, 3.4))
ax.plot(stage, values[:-1], color=REFERENCE, lw=4, alpha=0.5)
ax.errorbar(stage, estimate[:-1], yerr=2 * standard_error[:-1], fmt="o", ms=4, color=PALETTE[0])
ax.text(30, 0.79, "the exact value", color="#5f6368", ha="left", va="top")
ax.text(2, 0.72, "100 patients: ± 2 standard errors\nare hardly longer than the dots", color=PALETTE[0], ha="left", weight="bold")
ax.set(xlabel="stage", ylabel="value", title="Without privacy, a hundred patients are plenty");

# %% [markdown]
# This clinic is the example of {cite:t}`balle2016`, the first private algorithms for this task. Its exact values are known, so each error below can be measured. The {ref}`evidence <estimators>`
# checks the estimates, also with fewer numbers than stages.
#
# ## Two tables
#
# The clinic publishes its table every month, without noise. To keep the arithmetic short, Anna's record is added: in February the records are those of January and hers. Replacing a record works the same way, as you will see. You have both tables.
# Each of them is an average over about ten thousand people. Was Anna one of the quickest patients, or one of the slowest? Press *Publish* for the table of February, subtract that of January, and bet.
#
# ### Play: how did Anna fare?

# %% tags=["remove-cell"]
def table(first, last):
    """The forty averages, of the patients from first to last."""
    chosen = Episodes(patients.states[first:last], patients.actions[first:last], patients.rewards[first:last], patients.lengths[first:last])
    sums = first_visit_statistics(chosen, 40, 0.99)
    return sums.return_sums / np.maximum(sums.visits, 1)

n = n_patients
january, february = table(1, n), table(0, n)      # Anna is patient 0

# the game: two records, and the sums of the other patients in several Januaries
several = first_visit_returns(sample_episodes(chain, treatment, 2_000, np.random.default_rng(seed + 1)), 40, 0.99)[:, :-1]
ranked = several[np.argsort(several[:, 0])]
slow, quick = ranked[len(ranked) // 50], ranked[-len(ranked) // 50]
januaries = np.array([first_visit_statistics(sample_episodes(chain, treatment, n - 1, np.random.default_rng([seed, k])), 40, 0.99).return_sums[:-1]
                      for k in range(max(2, round(8 * effort)))])

# %% tags=["remove-input"]
play(
    name="two_tables", question="Anna was quick, or she was slow. Which?",
    worlds=[World("quick", "she was quick", "Anna was one of the quickest."), World("slow", "she was slow", "Anna was one of the slowest.")],
    picture=Curve("The table of February", x="stage", y="mean return", low=0, high=1),
    levels=[Exact("exact averages", means=np.array([quick, slow]), decimals=8, guarantee="Exact averages promise nothing to anybody.")],
    known=januaries, per=n,
    subtract=Subtract("Subtract January", hint="Multiply each table by its number of patients, and take the difference.", title="What is left: the returns of one patient",
                      keys=("if she was quick", "if she was slow")),
    rounds=3, caption=f"Forty averages over {n:,} patients, of which the last is 0 and not drawn. They are published with eight digits.",
    alt=f"A clinic publishes 39 averages over {n:,} patients, one of whom is Anna.")

# %% [markdown]
# **What you have just seen.** You are right every time. Before the subtraction, a February with a quick Anna and one with a slow Anna look the same. Afterwards Anna's record stands alone. The arithmetic takes two lines, here for the
# January and the February of the ten thousand patients above:

# %%
annas_returns = n * february - (n - 1) * january
weeks_to_recovery = 1 + np.log(annas_returns[:-1]) / np.log(0.99)

# %% tags=["remove-input"]
weeks = np.rint(weeks_to_recovery).astype(int)
assert weeks[0] == patients.lengths[0]
entered = [int(np.argmax(patients.states[0] == s)) for s in range(39)]
assert np.array_equal(weeks, patients.lengths[0] - np.array(entered))     # every stage, exactly
md(f"A **subtraction** gives Anna's return in each stage, and a **logarithm** turns returns into weeks. The Anna of the first picture needed **{weeks[0]} weeks** "
   f"from admission to recovery, {weeks[9]} of them from stage 10 on and {weeks[29]} from stage 30 on. The differences between consecutive "
   f"stages give her whole line, every week of it, from two averages over {n:,} people. "
   "If Anna's record had replaced another one, the difference would be her record minus that one, and an attacker with the replaced record would have hers.")

# %% [markdown]
# The attack works with every statistic that is published exactly and often enough. So the clinic must add noise.
#
# ## How much noise?
#
# The {ref}`recipe for Gaussian noise <recipe>` asks for the sensitivity: how far can one patient's record move the
# forty averages, in the worst case? An average over ten thousand returns between 0 and 1 moves by at most one ten-thousandth. That
# would be next to nothing.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **How much smaller does the largest possible move of the whole table become if the clinic has a hundred times as many patients?**
#
# * ten times
# * it stays as it is
# * a hundred times
# ```

# %% tags=["remove-cell"]
def counts(episodes):
    data = first_visit_statistics(episodes, 40, 0.99, return_bound=1)
    return np.array([data.visits, data.return_sums])

def means(counts):
    visits, return_sums = counts
    return return_sums / np.maximum(visits, 1)

recovered_on_arrival = counts(Episodes.from_lists([[39]], [[]], [[]]))
long_record = counts(Episodes.from_lists([list(range(40))], [[0] * 39], [[1] * 39]))

def worst_move(m):
    """Everybody is seen in the last stage only; one such record is replaced by a long one."""
    everybody = m * recovered_on_arrival
    return np.linalg.norm(means(everybody - recovered_on_arrival + long_record) - means(everybody))

def our_move(m):
    """The same long record replaces one of our patients."""
    ours = counts(Episodes(patients.states[:m], patients.actions[:m], patients.rewards[:m], patients.lengths[:m]))
    last = counts(Episodes(patients.states[m - 1:m], patients.actions[m - 1:m], patients.rewards[m - 1:m], patients.lengths[m - 1:m]))
    return np.linalg.norm(means(ours - last + long_record) - means(ours))

sizes = np.unique(np.geomspace(10, n_patients, max(4, round(7 * effort))).astype(int))
worst, ours = [worst_move(m) for m in sizes], [our_move(m) for m in sizes]

# %% mystnb={"image": {"alt": "Two panels. Left, the worst data set: nine patients are dots at stage 40, and one patient is a line through all stages. Right, how far one record moves the forty averages, against the number of patients, both axes logarithmic: a flat line at 6.2 for the worst data set, and a line falling like one over m for our own data."}} tags=["remove-input"]
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
left.plot(np.full(9, 40), np.arange(2, 11), "o", color=REFERENCE, ms=5)
left.plot([1, 40], [1, 1], "-", color=PALETTE[1], lw=3)
left.text(38, 6, "all the others:\nonly in stage 40", color="#5f6368", ha="right", va="center")
left.text(1, 1.5, "one patient in all stages", color=PALETTE[1], weight="bold")
left.set(xlabel="stage", ylabel="patient", yticks=[1, 10], xticks=[1, 10, 20, 30, 40], ylim=(0.3, 10.7), title="The worst data set")
right.plot(sizes, worst, "o-", color=PALETTE[1])
right.plot(sizes, ours, "o-", color=PALETTE[0])
right.text(sizes[-1], worst[-1] * 0.72, "worst data set", color=PALETTE[1], ha="right", va="top", weight="bold")
right.text(12, ours[-1] * 3, "a long record\nin our own data", color=PALETTE[0], weight="bold")
right.set(xscale="log", yscale="log", xlabel="patients", ylabel="how far one record moves the table", title="It does not improve with more patients");

# %% tags=["remove-input"]
global_noise = worst[-1] / gaussian_mu(epsilon, delta)
assert np.allclose(worst, np.sqrt(39)) and round(global_noise) == 23
md(f"**The answer.** It stays as it is. A stage's average is over its *visitors*, and this may be a single patient (left). Replace this record, and each of the 39 averages can move by 1, "
   f"together by √39 ≈ {worst[-1]:.1f}, with ten patients or ten million (right). In this worst data set all "
   f"patients but one have already recovered when their records begin, so they are seen in stage 40 only, and the remaining record *is* the average of the stages 1 to 39. *A hundred times* would be right if every patient visited every stage, as in our own data.\n\n"
   f"At ε = {show(epsilon)} and δ = {show(delta)}, the recipe divides the sensitivity {worst[-1]:.1f} by μ = {gaussian_mu(epsilon, delta):.3f}: the noise in every value has a standard deviation of {worst[-1]:.1f} / {gaussian_mu(epsilon, delta):.3f} ≈ **{global_noise:.0f}**, while the values lie between 0 and 1.")

# %% [markdown]
# This is the dilemma of the chapter. The worst case is possible, and a promise must cover it. But it is nothing like
# *our* data. Could the noise follow the data instead: little where every stage has many visitors, and much where a stage is
# nearly empty? {doc}`02_noise_that_follows` shows how this goes wrong, and how it can be done.
#
# ## Check yourself
#
# ```{exercise}
# :label: ex-anna-rounded
# Suppose that the clinic rounds its monthly averages to four digits. Does the attacker still learn how long Anna took?
# How many patients would there have to be before four digits are safe? Is that a *guarantee*? To try it in the downloaded notebook, round `january` and `february`.
# ```
#
# ```{solution} ex-anna-rounded
# :class: dropdown
# In a clinic of a hundred, each return is known to within 0.01, or two weeks. With ten thousand patients the two rounding errors are multiplied by 10,000, so a return comes out with an error of up to about one. Returns lie between 0 and 1, so a single stage hides her: it tells the quick Anna of the game from the slow one only 54 times in 100.
# But there are 39 stages, and small hints add up. An attacker bets on the record that is nearer to all 39 returns together. Both months mostly round to the same digit, and where a digit jumps, it shows in which direction she pulls the average. With ten thousand patients this bet is right 93 times in 100, with 100,000 still 59 times, and with a million about 51 times.
# So no number of patients is safe, and nothing is guaranteed. The tables of many months can be combined, too, and an attacker with the other patients' records knows more. Differential privacy is a statement about *all* such attackers at once.
# ```
#
# ## To take away
#
# * Exact averages, published twice, are one subtraction away from a patient's record.
# * The unit of privacy in this chapter is one whole trajectory. Neighbours replace one, and the number of patients is public.
# * First-visit averages divide by the number of visitors, which may be one. So noise for the worst case never shrinks,
#   however many patients there are.

# %% tags=["remove-cell"]
def told_apart(n, games, rng):
    """Right guesses in 100, from tables of n patients with four digits: by the nearer record in all 39 stages, and in stage 1 alone."""
    spread = np.linalg.cholesky(np.cov(several.T) + 1e-12 * np.eye(39))
    others = (n - 1) * several.mean(axis=0) + np.sqrt(n - 1) * rng.normal(size=(games, 39)) @ spread.T
    is_slow = rng.integers(2, size=games) == 1
    before, after = (others / (n - 1)).round(4), ((others + np.where(is_slow[:, None], slow, quick)) / n).round(4)
    left = n * after - (n - 1) * before
    assert abs(left - np.where(is_slow[:, None], slow, quick)).max() <= n * 1e-4
    nearer_slow = ((left - slow) ** 2).sum(axis=1) < ((left - quick) ** 2).sum(axis=1)
    return [100 * np.mean(bet == is_slow) for bet in (nearer_slow, abs(left - slow)[:, 0] < abs(left - quick)[:, 0])]

# what the solution on rounding says
found = [told_apart(m, max(2_000, round(20_000 * effort)), np.random.default_rng([seed, m])) for m in (10_000, 100_000, 1_000_000)]
assert np.allclose([found[0][0], found[1][0], found[2][0], found[0][1]], [93, 59, 51, 54], atol=0.6 if effort >= 1 else 4)
