# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'A visit, a stay, a person, a reward function: what the unit of privacy makes of one and the same ε, and
#         who may see what.'
# ---

# %% [markdown]
# # Who is protected?
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** "Our reinforcement learner is differentially private with ε = 1." Private *for whom*, and *from whom*?
# * **The answer.** A promise is made for a unit: a visit, a stay, a person, a reward function. A person with many units is protected less. And
#   it makes a great difference who may see the raw data.
# * **What is protected.** One stay (replace one), in the game. Other units after it.
# * **What you need.** {doc}`02_a_promise` and {doc}`03_noise_that_keeps_it`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2014         # all randomness comes from here
epsilon = 1.0       # where sliders of ε start
delta = 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md, display
from scipy.special import expit, ndtr

from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import round_up, show
from privrl_core.pages.game import Beside, Dial, Noisy, Number, World, play
from privrl_core.policy_evaluation import dp_sufficient_statistics, first_visit_statistics
from privrl_core.privacy import GaussianNoise, GaussianWorlds, Sensitivity, gaussian_epsilon, gaussian_mu
from privrl_core.world import recovery_chain, sample_episodes

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world, and the noise that protects

# %% [markdown]
# ## Ada comes three times
#
# Here is a log as a hospital might keep it: six stays by four people. Each square is one *visit* by the doctor, with a state, a
# treatment and a reward. Each row is one stay.

# %% tags=["remove-cell"]
stays = [("Ada", 6), ("Ben", 4), ("Ada", 5), ("Cleo", 8), ("Ada", 3), ("Dan", 6)]     # and how many visits
GREY, LIGHT = "#c9ced6", "#f3c9a5"

def draw_log(ax):
    """Squares in rows; Ada's in a colour of their own."""
    for row, (person, length) in enumerate(stays):
        ax.text(-0.75, row, person, ha="right", va="center", weight="bold" if person == "Ada" else "normal",
                color=PALETTE[1] if person == "Ada" else "#22272e")
        for step in range(length):
            ax.add_patch(plt.Rectangle((step - 0.46, row - 0.42), 0.92, 0.84, color=LIGHT if person == "Ada" else GREY, lw=0))
    ax.set(xlim=(-1.9, 12.6), ylim=(5.6, -0.6))
    ax.axis("off")

# %% mystnb={"image": {"alt": "Six rows of squares, a row for each stay, with the names Ada, Ben, Ada, Cleo, Ada and Dan. Ada's three rows have a colour of their own."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.0))
draw_log(ax)
for row in (0, 2, 4):
    ax.plot([stays[row][1] - 0.35, 8.6], [row, row], color=PALETTE[1], lw=1.2)
ax.plot([8.6, 8.6], [0, 4], color=PALETTE[1], lw=1.2)
ax.text(8.8, 2, "one person,\nthree stays", va="center", color=PALETTE[1], weight="bold")
ax.set_title("Six stays, four people");

# %% [markdown]
# A hospital keeps a large log of this kind. It publishes in how many stays there was a complication, with {doc}`Gaussian noise <03_noise_that_keeps_it>`. The promise is ε = 1 and δ = 10⁻⁵ *for one stay*:
# replace any row by another one, and every published number is nearly as likely as before.
#
# ### Play: is Ada in the log?
#
# You know all other rows, and 40 of them have a complication. Ada has one in each of her stays. A coin decides whether her rows are in the log, or rows without a complication in
# their place. She begins with one stay. After each five rounds she comes more often: three times, then ten, then thirty. The noise stays as it is, and so does the promise: ε = 1 for one stay.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **With how many stays does the best attacker find out about Ada nine times in ten?** Choose, then play.
#
# * With three
# * With ten
# * With no number, because ε = 1 holds for all of them
# ```

# %% tags=["remove-cell"]
def for_person(epsilon, k):
    return gaussian_epsilon(delta, k * gaussian_mu(epsilon, delta))

def right_guesses(epsilon, k):
    """In 100, of the best attacker on the person, if the noise is Gaussian."""
    return 100 * ndtr(k * gaussian_mu(epsilon, delta) / 2)

gauss = GaussianNoise.of_epsilon(epsilon, delta)
scale = gauss.scale(Sensitivity(1, 1))                       # one stay moves the count by 1

def with_stays(k):
    together = "" if k == 1 else f" For her {k} stays together (replace all {k}), ε = {show(round_up(for_person(epsilon, k)))} at the same δ, proved."
    return Noisy("1 stay" if k == 1 else f"{k} stays", GaussianWorlds(means=[[40.0 + k], [40.0]], scales=scale),
                 guarantee=f"ε = {show(epsilon)}, δ = {show(delta)} for one stay (replace one), proved.{together}")

# %% tags=["remove-input"]
play(
    name="adas_rows", question="Without Ada, 40 stays have a complication. Is she in the log?",
    worlds=[World("in", "Ada is in", "Ada’s stays were in the log."), World("out", "Ada is out", "Ada’s stays were not in the log.")],
    picture=Number("The published number", y="stays with a complication, published",
                   beside=[Beside("true number with Ada", [41], world=0), Beside("without her", [40], world=1)]),
    levels=[with_stays(k) for k in (1, 3, 10, 30)], noise=gauss.draw(1.0, 12_000, np.random.default_rng([seed, 1])),
    dial=Dial("how often Ada came", low_end="once", high_end="thirty times", first="Now she comes three times", next="Now {}"),
    stages=("rounds", "dial"), rounds=5,
    caption=f"A count with Gaussian noise of standard deviation {scale:.2f}, the same at every setting.",
    alt="One number is published: in how many stays there was a complication, with noise. With Ada the true number is larger by the number of her stays.")

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three panels, for one, three and ten stays of Ada. Each shows two bell curves of the published number, of the same width: without Ada around 40, and with her around 41, 43 and 50. With one stay they nearly coincide, and the best attacker is right 55 times in 100; with three, 66 times; with ten they hardly overlap, and it is 91 times."}}
guesses = {k: right_guesses(1.0, k) for k in (1, 3, 10)}
display(md(f"**What you should see.** With ten. One stay moves the count by 1, and ten move it by 10. The noise has a standard deviation of {scale:.2f} each time, so the two hills are 10/{scale:.2f} = {10 / scale:.1f} standard deviations apart, and the line half-way between errs in 9 of 100 rounds. "
   "With thirty stays the attacker is practically always right. The noise never changed, and the promise was never broken: it was made for a stay. But Ada is not a stay. She is a person, and an attacker who asks about *her* "
   "compares two logs that differ in all of her rows.\n\nThe picture has the published number without Ada and with her, if she came once, three times and ten times:"))
assert [round(guess) for guess in guesses.values()] == [55, 66, 91] and right_guesses(1.0, 30) > 99.9
fig, panels = plt.subplots(1, 3, figsize=(9, 1.8), sharey=True)
published = np.linspace(28, 62, 300)
for ax, (k, guess) in zip(panels, guesses.items()):
    for centre, colour in ((40, PALETTE[1]), (40 + k, PALETTE[0])):
        hill = np.exp(-((published - centre) / scale) ** 2 / 2)
        ax.plot(published, hill, color=colour, lw=2)
        ax.fill_between(published, hill, color=colour, alpha=0.12, lw=0)
    ax.axvline(40 + k / 2, color="#4a5058", lw=1, ls=":")
    ax.set(xlim=(28, 62), ylim=(0, 1.3), yticks=[], xticks=[40, 40 + k] if k > 3 else [40], title=f"{k} stay{'s' * (k > 1)}: right {guess:.0f} times in 100")
    ax.grid(False)
panels[2].text(37, 1.05, "without Ada", color=PALETTE[1], weight="bold", ha="center")
panels[2].text(53, 1.05, "with her", color=PALETTE[0], weight="bold", ha="center")
panels[1].set_xlabel("stays with a complication, published");

# %% [markdown]
# The step between her two logs is $k$ times as long if she has $k$ units. So the μ of {doc}`03_noise_that_keeps_it` becomes $k\mu$ for Gaussian noise, and if δ = 0, ε becomes $k\varepsilon$
# [{ref}`group privacy, checked <group-privacy>`]. The smaller the unit, the more units a person has. Ada has three stays, but $6 + 5 + 3 = 14$ visits: if Gaussian noise promises ε = 1 and δ = 10⁻⁵ for one visit, the best attacker may be right about her, with all her visits, 97 times in 100.

# %% tags=["remove-cell"]
assert round(right_guesses(1.0, 14)) == 97 and sum(n for name, n in stays if name == "Ada") == 14

# %% [markdown]
# ## Say the unit
#
# So an ε without a unit says as little as a price without a currency. Reinforcement learning has four units to choose from. A stay, which is one row of the log, is called a *trajectory* from here on.

# %% mystnb={"image": {"alt": "The same log with four units marked: one square is framed as a visit, the row around it as a trajectory, Ada's three rows are coloured as a person, and every square carries a dot for the reward function."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.45))
draw_log(ax)
for row, (_, length) in enumerate(stays):
    ax.plot(np.arange(length), np.full(length, row), ".", ms=5, color=PALETTE[0])
ax.add_patch(plt.Rectangle((-0.58, 1.48), 5.16, 1.04, fill=False, ec="#22272e", lw=2))
ax.add_patch(plt.Rectangle((3.52, 1.57), 0.96, 0.86, fill=False, ec=PALETTE[3], lw=3))
lines = [(0.0, (5.5, 0.0), "one person: all of Ada's rows", PALETTE[1]), (1.6, (4.6, 1.75), "one trajectory: a stay, a row", "#22272e"),
         (2.45, (4.5, 2.2), "one visit: a square", PALETTE[3]), (4.9, (5.3, 4.95), "the reward function: every\nreward, each by a little", PALETTE[0])]
for height, tip, words, colour in lines:
    ax.annotate(words, tip, (8.1, height), color=colour, va="center", weight="bold",
                arrowprops={"arrowstyle": "-", "color": colour, "lw": 1.2})
ax.set_title("Four units: what may change between two neighbouring logs");

# %% [markdown]
# | unit | neighbours differ in | does *not* protect | in this book |
# |---|---|---|---|
# | a **visit** | one square | a whole row | a warning in chapter 4 |
# | a **trajectory** | one row | a person with two rows | chapters 2, 4 and 5 |
# | a **person** | all rows of one name | a family with several names | chapters 6 and 7 |
# | the **rewards** | every reward, a little | the people in the log | chapter 3 |
#
# The last unit is of another kind. It protects what the *designer* of the rewards wants, and no ε of this kind can be compared with an ε of the others. {ref}`A longer table <three-papers>` has the units and promises of the papers in full, and says
# which of them hold as printed.
#
# One more choice belongs to the unit. If neighbours **replace** one row by another, our log has six rows in both worlds, and the number of rows is public. If they **add or remove** a row, it has six rows or five, and the
# number is a secret like any other [{ref}`by brute force <add-or-replace>`]. This book replaces, unless it says otherwise.
#
# ## From whom?
#
# The second question is who may see the raw data. Three answers are common:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Three diagrams. Central: people give raw data to a curator, and noise enters between the curator and everybody else. Local: noise enters between each person and everybody. Joint: people give raw data to a learner; noise enters between the learner and all others, and an arrow without noise leads from the learner back to you. Below each stands who sees raw data: the curator, nobody, the learner."}}
fig, ax = plt.subplots(figsize=(7.4, 2.3))

def arrow(tail, tip, noisy=False, bend=0.0):
    ax.annotate("", tip, tail, arrowprops={"arrowstyle": "-|>", "lw": 1.5, "color": PALETTE[1] if noisy else "#4a5058", "shrinkA": 0, "shrinkB": 0,
                                           "connectionstyle": f"arc3,rad={bend}"})

def sign(x, y, words, noise=False):
    ax.text(x, y, words, ha="center", va="center", fontsize=9, color=PALETTE[1] if noise else "#22272e", weight="bold" if noise else "normal",
            bbox={"boxstyle": "round,pad=0.25" if noise else "round,pad=0.4", "fc": "white" if noise else "#eef1f4", "ec": PALETTE[1] if noise else "#4a5058"})

for left, title, holder, readers in ((0.0, "central", "curator", "everybody"), (6.6, "local", "", "everybody"), (11.6, "joint", "learner", "all others")):
    middle = left + (1.85 if title == "local" else 2.45)
    for y in (2.2, 1.2, 0.2):
        ax.plot(left, y, "o", ms=8, color=PALETTE[0])
        if title == "local":
            arrow((left + 0.2, y), (left + 2.15, 1.2 + 0.25 * (y - 1.2)), True)
            sign(left + 0.95, y + 0.27 * (1.2 - y), "noise", True)
        else:
            arrow((left + 0.2, y), (left + 1.05, 1.2 + 0.3 * (y - 1.2)))
    if title == "local":
        sign(left + 3.1, 1.2, readers)
    else:
        sign(left + 1.75, 1.2, holder)
        arrow((left + 2.45, 1.2), (left + 4.1, 1.2), True)
        sign(left + 3.15, 1.2, "noise", True)
        ax.text(left + 4.2, 1.2, readers, va="center", fontsize=9, color="#22272e")
    ax.text(middle, 3.15, title, ha="center", weight="bold", color="#22272e")
    ax.text(middle, -0.55, "sees raw data: " + (f"the {holder}" if holder else "nobody"), ha="center", fontsize=9, color="#22272e")
ax.text(11.45, 2.5, "you", ha="center", fontsize=9, color=PALETTE[0], weight="bold")
arrow((13.35, 1.6), (11.85, 2.3), bend=0.35)
ax.text(13.3, 2.2, "your result", fontsize=9, color="#22272e", ha="left")
ax.set(xlim=(-0.4, 17.9), ylim=(-0.75, 3.4))
ax.axis("off");

# %% [markdown]
# * **Central.** People give their data to a *curator* whom they trust. What the curator publishes is private. The papers of chapters 2 to 4
#   are of this kind.
# * **Local.** Nobody is trusted. The patients change their answers at random before they give them away [{ref}`randomised response <randomised-response>`]. Central noise is added once, to the sum, and local noise to each of the $n$ answers. At ε = 1 and δ = 0,
#   a share of 10,000 patients then has 68 times as much noise. This factor grows like $\sqrt n$ [{ref}`a guess, and the errors <trust-nobody>`].
# * **Joint.** The learner sees the raw data, and *serves* the people from whom it learns. What you are told may depend on your data, and what all *others* are told hardly depends on them {cite:p}`kearns2014`.
#
# Why is joint privacy needed? Suppose that there are two illnesses, equally likely, each with its own right treatment, and that a learner publishes a list of everybody's treatments. If the list is right about you, it tells your illness to everybody. With central privacy at
# ε = 1 and δ = 0 it may be right about you at most 73 times in 100. So your treatment is right at most 73 times in 100, however much the learner knows. *Joint* privacy shows your treatment to you alone
# [{ref}`four models side by side <joint-or-central>`]. {doc}`Chapter 5 </chapters/05_online/06_why_joint>` has such a learner.
#
# ## Four questions for every claim
#
# Each release of this book says in one sentence what it promises. Here is the sentence of the sums of chapter 2:

# %% tags=["remove-cell"]
patients = sample_episodes(recovery_chain(10), np.ones((10, 1)), 1000, rng)
data = first_visit_statistics(patients, 10, 0.99, return_bound=1.0)
release = dp_sufficient_statistics(data, np.eye(10), return_bound=1.0, epsilon=epsilon, delta=delta, noise_rng=noise_rng)
found = release.guarantee
sentence = str(found)
how_much, whose, status = f"(ε = {show(found.epsilon)}, δ = {show(found.delta)})", f"{found.unit} ({found.neighbours})", found.status.value
assert sentence == f"{how_much}-differential privacy for {whose}, {status}" and found.model.value == "central"

# %% tags=["remove-input"]
md(f"""> {sentence}

| question | answer |
|---|---|
| **Whose secret?** | *{whose}*. A person may have several. |
| **From whom?** | From all readers: the model is central, unless the sentence says *local* or *joint*. |
| **What is released, and how often?** | Noisy visits and sums, once. {{ref}}`Every month would add up <what-a-learner-releases>`. |
| **How much, and who says so?** | *{how_much}*, *{status}*. |
""")

# %% [markdown]
# ## Check yourself
#
# **A Gaussian release is (0.1, 10⁻⁵)-private for one visit. A patient's stay has 20 visits. What does she have for her whole stay?**
#
# ```{dropdown} ε = 0.1: every visit is protected.
# Each alone. All twenty together move the release up to twenty times as far.
# ```
# ```{dropdown} ε = 2.7 at the same δ: twenty visits count twenty times in μ.
# ✓ Right. All twenty may push the release the same way. So her μ grows by a factor of twenty, and this is ε = 2.7 [{ref}`a slider for other ε and other numbers of units <units-of-a-person>`].
# ```
# ```{dropdown} About ε = 0.5 at the same δ, since twenty visits cost √20 times as much.
# That is the rule for twenty releases, each with new noise. Here one release has noise once, and all twenty visits may push it the same way.
# ```
#
# Four more questions are {ref}`behind this page <quiz-units>`.
#
# ## To take away
#
# * **ε has a unit.** Say: *for one trajectory, replace one*. Then say how many units a person has.
# * **Promises for small units fade with their number**: at worst $k\mu$ for Gaussian noise, and $k\varepsilon$ if δ = 0.
# * **Central, joint, local** say who may see what. Trusting nobody takes far more noise.
# * **The reward function is a secret of another kind.** Protecting it protects none of the people in the log.
#
# Further reading: {cite:t}`dwork2014`, group privacy, central and local; {cite:t}`vietri2020`, joint privacy for reinforcement learning. Next:
# {doc}`05_what_leaks`, where we attack.

# %% tags=["remove-cell"]
# what the text and the answers above say
assert round(100 * expit(1.0)) == 73
assert abs(for_person(0.1, 20) - 2.7) < 0.05 and round(gaussian_epsilon(delta, np.sqrt(20) * gaussian_mu(0.1, delta)), 1) == 0.5
# randomised response has the standard deviation √e / ((e - 1) √n) in a share, Laplace noise √2 / n
assert np.isclose(local := np.sqrt(np.e) / (np.e - 1) / np.sqrt(2), 2 / 3, atol=0.02) and round(local * np.sqrt(10_000)) == 68
