# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Why plain differential privacy treats every patient wrongly at times, however much has been learned, and joint
#         privacy does not.'
# ---

# %% [markdown]
# # Why joint privacy
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** Joint privacy leaves a patient's own treatment out of the promise. Why not protect everything?
# * **The answer.** Because then every patient must be treated wrongly at times, however much the hospital knows, and more often the smaller ε is. Joint privacy has no such floor.
# * **What is protected.** One patient's kind of illness and outcome. Neighbours replace one patient.
# * **What you need.** {doc}`01_one_after_another` and {doc}`05_private_arms`.
# * **How long.** About 12 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2018         # all randomness comes from here

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.online import joint_contextual_bandit, plain_contextual_bandit, wrong_treatment_floor
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, constant, explore, largest

use_theme()
rng = np.random.default_rng(seed)
means = np.array([[0.6, 0.4], [0.4, 0.6]])      # recoveries by kind and treatment
gap = 0.2
floor = wrong_treatment_floor(1)

# %% [markdown]
# ## A hospital with nothing to learn
#
# Some infections come from bacteria and some from a virus. An antibiotic works against bacteria. Against a virus it only does harm, and rest is better. Take a hospital where each patient has either kind with probability ½, whatever the others have.
# The right treatment, antibiotic or rest, cures 60 of 100 patients, and the wrong one 40.
#
# Suppose that the hospital *knows* all this, so that it has nothing to learn.
#
# Which kind of infection Anna has is her secret, and her treatment gives it away. {doc}`Joint privacy <01_one_after_another>` allows this, because it is about the treatments of all *others*. Let us ask for more. Under **plain**
# differential privacy the treatments of *all* patients together, Anna's included, must have similar probabilities, whatever Anna has: no chance may be more than $e^\varepsilon$ times as large with one illness as with the other.
#
# Call $p_1$ the chance that Anna gets the antibiotic if she has bacteria, and $p_0$ the chance if she has a virus. A hospital that is always right has $p_1 = 1$ and $p_0 = 0$.
#
# Try a hospital that errs for one patient in ten: $p_1 = 0.9$ and $p_0 = 0.1$. The ratio of the two is 9. But plain privacy with $\varepsilon = 1$ allows a ratio of at most $e = 2.72$. So one error in ten is too few.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The hospital knows which treatment is right, and promises plain privacy with ε = 1 and δ = 0. **How often must it give Anna the wrong one, at least, if it errs equally often with both kinds?**
#
# * in 14 of 100 cases
# * in 27 of 100 cases
# * in 37 of 100 cases
# ```

# %% tags=["remove-input"] mystnb={"image": {"alt": "A square. Across: p0, the chance that Anna gets the antibiotic if she has a virus. Up: p1, the same if she has bacteria. A parallelogram around the diagonal holds what plain privacy with epsilon 1 allows. Two of its corners are never an antibiotic, at (0, 0), and always an antibiotic, at (1, 1). Its upper edges are p1 = e p0 and 1 minus p0 = e times (1 minus p1); they meet at the best point, (0.27, 0.73). The upper left corner of the square, always right, is far outside."}}
fig, ax = plt.subplots(figsize=(6.2, 5.2))
lens = np.array([[0, 0], [floor, 1 - floor], [1, 1], [1 - floor, floor]])
ax.add_patch(plt.Polygon(lens, fc=PALETTE[0], alpha=0.25, ec="none"))
ax.plot(*lens[:3].T, color=PALETTE[0], lw=2.2)
ax.plot(*lens[[2, 3, 0]].T, color=PALETTE[0], lw=1)
ax.text(0.53, 0.47, "allowed\nat ε = 1", color=PALETTE[0], weight="bold", ha="center", va="center")
ax.plot([0.1], [0.9], "s", color="#767676", ms=8)
ax.text(0.14, 0.9, "wrong for 1 in 10", color="#4a5058", va="center")
ax.plot([0], [1], "*", color=PALETTE[2], ms=17, zorder=5)
ax.text(0.045, 1.0, "always right", color=PALETTE[2], weight="bold", va="center")
ax.plot([floor], [1 - floor], "o", color=PALETTE[1], ms=9, zorder=5)
ax.text(floor + 0.03, 1 - floor - 0.03, f"best: wrong for {100 * floor:.0f} in 100", color="#a63d00", weight="bold", ha="left", va="top")
ax.text(0.125, 0.3, "$p_1 = e\\,p_0$", color="#4a5058", ha="left", va="center")
ax.text(0.54, 0.805, "$1-p_0 = e\\,(1-p_1)$", color="#4a5058", ha="left", va="top", fontsize=9)
ax.plot([0, 1], [0, 1], "o", color="#4a5058", ms=6, zorder=5)
ax.text(0.045, -0.012, "never an antibiotic", color="#4a5058", va="center")
ax.text(0.955, 1.0, "always an antibiotic", color="#4a5058", ha="right", va="center")
ax.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.06), xlabel="$p_0$: chance of the antibiotic if Anna has a virus", ylabel="$p_1$: chance of the antibiotic if she has bacteria", aspect="equal", title="To be always right is not allowed")
ax.grid(False);

# %% tags=["remove-input"]
md(f"**The answer.** In {100 * floor:.0f} of 100. If the hospital errs equally often with both kinds, then $p_0 = 1 - p_1$, and the largest ratio that is allowed, $p_1/(1 - p_1) = e$, gives $p_1 = e/(1 + e) = {1 - floor:.3f}$ and $p_0 = {floor:.3f}$. With errors in 14 of 100 cases the ratio is still 86/14 = 6. In 37 of 100, which is $1/e$, the hospital errs more than it must: the ratio is 63/37 = 1.7.\n\n"
   f"It does not help that the hospital knows what is right. What stands in the way is that the right treatment shows what Anna has. Even with these errors, a guess at her illness from her treatment is right in {100 - 100 * floor:.0f} of 100 cases, where a coin is right in 50.")

# %% [markdown]
# ## Always right for one kind
#
# Can the hospital do better by always treating *one* kind correctly? Say that all patients with bacteria get the antibiotic. Then rest has probability 0 for a patient with bacteria. With a virus, plain privacy allows at most $e$ times this probability,
# and $e \times 0 = 0$. So all patients get the antibiotic, and half of them wrongly: $p_0 = p_1 = 1$.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# To be right for nine patients in ten takes a ratio of 9, which is allowed from ε = 2.2 on, because $e^{2.2} = 9$. **From which ε on may the hospital err half as often, for one patient in twenty of either kind?** Choose, then move ε until the allowed region reaches the point where the two grey lines cross: there $p_0 = 0.05$ and $p_1 = 0.95$.
#
# * ε = 2.3
# * ε = 2.95
# * ε = 4.4, which is twice as large
# ```

# %% tags=["remove-input"]
region = Slider("epsilon", "privacy loss ε", 0.05, 5, 1, points=100, steps=99, scale="linear", low_end="more private", high_end="less private")
assert np.isin((2.3, 2.95, 4.4), region.grid).all()             # what the question offers
virus = Axis("virus", "p₀: chance of the antibiotic if Anna has a virus", 0, 1, points=51, scale="linear")
p0, rest = (Table.of(chance, virus, scale="linear") for chance in (lambda virus: virus, lambda virus: 1 - virus))
up, down = (Table.of(factor, region) for factor in (lambda epsilon: np.exp(epsilon), lambda epsilon: np.exp(-epsilon)))
one = constant(1.0)
upper, lower = one - largest(one - up * p0, down * rest), largest(down * p0, one - up * rest)
best_rule = Table.of(lambda epsilon: 100 * wrong_treatment_floor(epsilon), region)
explore(
    name="region_of_plain_privacy", sliders=[region], x=virus, y=Axis("bacteria", "p₁: chance of the antibiotic if Anna has bacteria", 0, 1, scale="linear"),
    curves=[Curve("allowed", upper, low=lower, high=upper), Curve("wrong equally often for both", rest, reference=True), Curve("right for 19 in 20 with bacteria", constant(0.95), reference=True)],
    readouts=[Readout("wrong", "the best rule is wrong for", best_rule, unit="of 100"), Readout("ratio", "largest ratio of two chances", up)],
    guarantee="ε = {epsilon}, δ = 0 for one patient’s kind of illness (replace one), plain privacy, for every point of the region.",
    alt="The allowed chances of the antibiotic at ε = {epsilon}: a parallelogram from the lower left to the upper right corner. It reaches the upper left corner, always right, the more closely the larger ε is. The best rule is wrong for {wrong} of 100 patients; the ratio of two chances is at most {ratio}.",
    caption="Exact. The upper left corner is always right. The best rule is where the upper edge meets the falling grey line.")

# %% tags=["remove-cell"]
assert abs(np.log(9) - 2.2) < 0.01 and abs(100 * float(wrong_treatment_floor(2.24)) - 9.6) < 0.1
assert round(np.log(19), 3) == 2.944 and wrong_treatment_floor(2.95) < 0.05 < wrong_treatment_floor(2.94) and np.isclose(wrong_treatment_floor(np.log(19)), 0.05) and round(100 * float(wrong_treatment_floor(4.4)), 1) == 1.2 and round(100 * float(wrong_treatment_floor(2.3))) == 9 and np.exp(0.7) > 2 > np.exp(0.65)

# %% [markdown]
# **What you should see.** At ε = 2.95. The ratio of 0.95 to 0.05 is 19, and $\ln 19$ is 2.944. A ratio that is twice as large needs only 0.7 more of ε. At ε = 2.3 still 9 patients in 100 must be treated wrongly, and at ε = 4.4 hardly more than 1.
#
# Now in general. The definition of {prf:ref}`differential privacy <def-differential-privacy>` gives one inequality for the antibiotic, and one for rest:
#
# $$p_1 \le e^\varepsilon p_0 + \delta, \qquad 1 - p_0 \le e^\varepsilon (1 - p_1) + \delta .$$
#
# On the left are the right treatments: the antibiotic against bacteria, $p_1$, and rest with a virus, $1 - p_0$. On the right are the wrong ones: the antibiotic with a virus, $p_0$, and rest with bacteria, $1 - p_1$. Add the two inequalities:
#
# $$p_1 + 1 - p_0 \;\le\; e^\varepsilon (p_0 + 1 - p_1) + 2 \delta .$$
#
# Let $w = \tfrac12 (p_0 + 1 - p_1)$ be the probability that Anna is treated wrongly, on average over both kinds. Then $p_0 + 1 - p_1 = 2w$. The right and the wrong chances together make 2, so the left side is $p_1 + 1 - p_0 = 2 - 2w$:
#
# $$2 - 2w \;\le\; 2 w\, e^\varepsilon + 2 \delta .$$
#
# Solved for $w$, this is the floor:
#
# ```{prf:theorem} Under plain privacy everybody is treated wrongly at times
# :label: thm-wrong-treatment
# Suppose that each patient is of one of two kinds, both equally likely whatever the data of the others are, and that the treatment that is right for the one kind is wrong for the other. If all treatments together are $(\varepsilon, \delta)$-differentially private, then for each patient the probability of a wrong treatment, averaged over her two kinds, is
#
# $$w \ge \frac{1 - \delta}{1 + e^\varepsilon} .$$
# ```
#
# The two inequalities hold with any data of all the others, and so does the floor: for the first patient and for the millionth. It is needed that these data do not tell her kind. In an epidemic, where all have the same infection, a private count of the others shows what she has, and she is treated rightly without her own data. {ref}`The evidence finds the same floor in another way <online-floor>`.
#
# The floor can be reached. For each patient the hospital tosses a biased coin in secret, and on one side of it gives the treatment of the *other* kind. This is *randomised response*, {doc}`which chapter 1 </chapters/01_foundations/04_who_is_protected>` used for single answers:

# %%
def treat(kind, epsilon, rng):
    right = np.exp(epsilon) / (1 + np.exp(epsilon))
    return kind if rng.random() < right else 1 - kind

# %% tags=["remove-cell"]
tries = max(4_000, round(20_000 * effort))
wrong = np.mean([treat(k % 2, 1.0, rng) != k % 2 for k in range(tries)])
assert abs(wrong - floor) < 5 * np.sqrt(floor * (1 - floor) / tries)
assert round(100 * (1 - floor)) == 73 and np.isclose(floor, 1 / (1 + np.e)) and round(floor, 3) == 0.269 and round((1 - floor) / floor, 3) == 2.718
assert round(86 / 14) == 6 and round(63 / 37, 1) == 1.7 and round(100 / np.e) == 37 and round(100 / (1 + np.exp(-0.1)), 1) == 52.5
assert np.allclose(lens[1], [floor, np.e * floor]) and np.isclose(1 - lens[1, 0], np.e * (1 - lens[1, 1]))    # both constraints hold with equality

# %% [markdown]
# ## What the floor does to learning
#
# Now let the hospital learn. It no longer knows which treatment suits which kind. We compare two hospitals:
#
# * **Under joint privacy.** A board shows, for each kind and treatment, how many patients there were and how many recovered. It is renewed after 1, 2, 4, 8, … patients, and {doc}`each batch gets Laplace noise once <03_from_tree_to_batches>`. A patient's
#   treatment follows from the board and from her own kind.
# * **Under plain privacy.** The same, but a tenth of ε pays for the board, and nine tenths for the patient's own kind, which enters the treatment through randomised response. The noise on the board makes errors only at the beginning, and that on the kind with every patient, the millionth as well. So the kind gets nine tenths, which makes 29 errors in 100 at ε = 1. With half of ε it would be 38.
#
# Each patient who gets the wrong treatment loses 0.2 recoveries on average. The sum of these losses is the {doc}`regret <05_private_arms>`.

# %% tags=["remove-cell"]
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.2, 5, 1, points=13, steps=12, low_end="more private", high_end="less private")
patients = Slider("patients", "patients so far", 100, 1e6, 1000, points=21, steps=20, low_end="few", high_end="a million")
times, runs = patients.grid.round().astype(int), max(40, round(1000 * effort))

def losses(learner, **split):
    """Mean regret and its standard error: a row for each epsilon, a column for each time."""
    found = [learner(means, times[-1], epsilon=epsilon, **split, runs=runs, times=times, rng=np.random.default_rng([seed, k]),
                     noise_rng=np.random.default_rng([seed, k, 1])).regret for k, epsilon in enumerate(epsilon_slider.grid)]
    return np.array([r.mean(axis=0) for r in found]), np.array([r.std(axis=0, ddof=1) / np.sqrt(runs) for r in found])

(joint, joint_error), (plain, plain_error) = losses(joint_contextual_bandit), losses(plain_contextual_bandit, own_share=0.9)
nearly_exact = joint_contextual_bandit(means, times[-1], epsilon=1e9, runs=runs, times=times, rng=np.random.default_rng([seed, 50]), noise_rng=np.random.default_rng([seed, 50, 1]))
free = nearly_exact.regret.mean(axis=0)                    # noise of a billionth: without privacy
first, thousand = int(np.argmin(abs(epsilon_slider.grid - 1))), int(np.argmin(abs(times - 1000)))

# %% tags=["remove-input"]
md(f"At ε = 1 the hospital under joint privacy has lost about {joint[first, thousand]:.0f} recoveries when a thousand patients have come, and without privacy it would have lost {free[thousand]:.0f}.")

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# **When a million patients have come, how many times as much has the hospital under plain privacy lost?** Choose, then move the patients.
#
# * 3 times as much
# * 30 times as much
# * 300 times as much
# ```

# %% tags=["remove-input"]
curve = {name: Table((epsilon_slider, patients), found) for name, found in (("joint", joint), ("plain", plain))}
exactly = Table((patients,), free)
least_share = Table.of(lambda epsilon: 100 * wrong_treatment_floor(epsilon), epsilon_slider)
least = Table.of(lambda epsilon: wrong_treatment_floor(epsilon), epsilon_slider) * Table.of(lambda patients: gap * patients, patients)
explore(
    name="plain_and_joint", sliders=[epsilon_slider, patients], x=patients, y=Axis("regret", "regret, in recoveries", 1, 1e6),
    curves=[Curve("under plain privacy", curve["plain"]), Curve("under joint privacy", curve["joint"]), Curve("the floor of plain privacy", least, reference=True),
            Curve("exact counts, no privacy", exactly, reference=True)],
    readouts=[Readout("share", "the floor, in wrong treatments", least_share, unit="in 100")],
    guarantee="ε = {epsilon}, δ = 0 for one patient’s kind and outcome (replace one), proved: for all treatments together under plain privacy, for those of all others under joint privacy.",
    alt="Regret against the number of patients, both axes logarithmic, at ε = {epsilon} and {patients} patients; the legend gives the values there. The floor of plain privacy is {share} wrong treatments in 100. "
        "The curve of plain privacy runs beside the straight line of the floor, that of joint privacy bends and becomes nearly flat.",
    caption=f"The three curves of hospitals are means over {runs} simulated runs, so they wobble a little. The floor is exact.")

# %% tags=["remove-cell"]
share = float(wrong_treatment_floor(0.9))              # nine tenths of ε are for the kind
assert (round(100 * share), round(100 * float(wrong_treatment_floor(0.5)))) == (29, 38)
assert free[-1] < joint[first, -1] and 45 < free[-1] < 60
assert 2 < joint[first, -1] / joint[first, thousand] < 5 and 150 < joint[first, -1] < 250 and 0 < plain[first, -1] / (gap * 1e6 * share) - 1 < 0.05
assert (joint_error / joint).max() < 0.15 / np.sqrt(min(1, effort)) and (plain > gap * times * wrong_treatment_floor(epsilon_slider.grid)[:, None]).all()
most = 100 * max((joint_error / joint).max(), (plain_error / plain).max())
five = [float(wrong_treatment_floor(e)) for e in (5, 4.5)]                # the floor, and the hospital that has nine tenths of ε for the kind
assert five[0] < 0.01 and round(100 * five[1]) == 1
ten = int(np.argmin(abs(times - 10_000)))
times_as_much = plain[first, -1] / joint[first, -1]
assert effort < 1 or 250 < times_as_much < 350

# %% tags=["remove-input"]
md(f"**What you should see.** 300 times as much. After a million patients the hospital under plain privacy has lost {round(plain[first, -1], -2):,.0f} recoveries, under joint privacy {joint[first, -1]:.0f}, and without privacy {free[-1]:.0f}. Under joint privacy the noise on the board is by then small beside the counts, and hardly any patient is treated wrongly. Under plain privacy "
   f"each further patient costs as much as the one before, and no rule can lose less than the floor of {round(gap * 1e6 * floor, -2):,.0f}. A factor of 3 is right only after the first few thousand: after 10,000 patients it is already {plain[first, ten] / joint[first, ten]:.0f}.\n\n"
   f"Now move ε to 5. The floor is below 1 wrong treatment in 100 there. But at ε = 5 privacy promises little. The standard errors are at most {most:.0f} % of a value.")

# %% [markdown]
# {cite:t}`shariff2018` found that plain privacy makes regret grow in proportion to the number of patients. The floor above, with its constant, and its short proof are ours.
#
# ## What joint privacy asks in return
#
# On {doc}`the page before <05_private_arms>` all treatments together were private in the plain sense. How was that possible? Those patients were all alike. A treatment was chosen before the outcome was known, and there was no
# kind of illness that it had to fit. As soon as treatments should fit the patient, the choice is this:
#
# | | plain privacy | joint privacy |
# |---|---|---|
# | who may see Anna's own treatment | everybody | Anna, and those who treat her |
# | right guesses of her kind from her own treatment, at ε = 1 | at most 73 in 100, a coin 50 | up to 100 in 100 |
# | right guesses of her kind from the others' treatments, at ε = 1 | at most 52.5 in 100 in the hospital above, up to 73 in others | at most 73 in 100 with Laplace noise, 55.4 with Gaussian |
# | wrong treatments at ε = 1, after long learning | about 27 in 100 at least | nearly as few as without privacy |
#
# These 73 are what ε = 1 with δ = 0 allows. Gaussian noise with δ = 10⁻⁵ keeps more than its ε, as {doc}`the first page <01_one_after_another>` has shown. The 52.5 are so few because the hospital above spends only a tenth of ε on its board.
#
# So joint privacy is a weaker promise, but it is weaker in one place only. It draws a line around Anna's own treatment, which is kept confidential by other means, as medical records should be. In exchange she is treated well.
#
# ## Check yourself
#
# **A hospital wants to publish every patient's treatment under plain privacy, and accepts one wrong treatment in 100. Which ε can it promise at best, with δ = 0?**
#
# ```{dropdown} ε = 0.01
# At ε = 0.01 the floor is 0.4975: half of the treatments would be wrong, as with a coin.
# ```
# ```{dropdown} Any ε, if it has learned from enough patients.
# The floor does not depend on the number of patients, nor on what is known.
# ```
# ```{dropdown} ε = 4.6
# ✓ Right. $1/(1 + e^\varepsilon) = 0.01$ gives $e^\varepsilon = 99$. At this ε a reader of Anna's treatment is right about her kind in 99 of 100 cases.
# ```
#
# ## To take away
#
# * Under plain privacy every patient is treated wrongly with a probability that is at least $(1 - \delta)/(1 + e^\varepsilon)$ on average over the two kinds. At ε = 1 that is 27 in 100. More patients and more knowledge do not help.
# * Joint privacy leaves a patient's own treatment out. So it has no floor, and once a hospital under joint privacy has learned, it treats hardly any further patient wrongly.
# * The price is that treatments must stay confidential. They are the part of the output that joint privacy does not protect.

# %% tags=["remove-cell"]
assert round(float(wrong_treatment_floor(0.01)), 4) == 0.4975 and abs(np.log(99) - 4.6) < 0.01 and float(wrong_treatment_floor(5)) < 0.01
