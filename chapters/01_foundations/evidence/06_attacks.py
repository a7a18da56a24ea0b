# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Membership inference measured with limits, three attackers against three releases, the ceilings by brute force,
#         and two rewards told apart.'
# ---

# %% [markdown]
# # Attacks, measured
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../05_what_leaks`. The attack on exact averages is measured with confidence limits. Three attackers are played against three releases, and none
# exceeds what the promise allows. The formulas for this ceiling agree with a linear program over all mechanisms. Two rewards are told apart no better than
# allowed. A person with three records loses more, and an insurer's inference does not depend on who took part.
# ```
#
# An attack shows what a promise is *for*. It also keeps us honest. If an
# attack surely does better than a guarantee allows, limits included, then the guarantee is wrong, or the program that claims it. The reverse does not hold. An attack that fails proves
# nothing; there may be a better one.

# %% tags=["parameters", "remove-input"]
effort = 1.0        # the fraction of the full work
seed = 2022         # all randomness comes from here
epsilon = 1.0       # what the mechanisms promise
delta = 1e-5
n_patients = 15     # a small study

# %% tags=["hide-input"]
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md
from scipy.optimize import linprog
from scipy.special import ndtr
from scipy.stats import norm

from privrl_core.functional_noise import (
    fitted_q_iteration, hat_features, q_learning_output_perturbation, release_reward_once,
    reward_from_q)
from privrl_core.privacy import (
    advantage_ceiling, advantage_interval, auc, auc_ceiling, auc_interval, detection_ceiling,
    gaussian_advantage_ceiling, gaussian_auc_ceiling, gaussian_detection_ceiling,
    gaussian_epsilon, gaussian_log_ratio, gaussian_mu, trials_to_exclude)
from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_lsw, dp_sufficient_statistics, first_visit_returns,
    first_visit_statistics, lsw, noise_scale_lsw_non_private)
from privrl_core.world import middle_reward, recovery_chain, sample_episodes, walk
from privrl_core.pages.explorer import (
    Axis, Choice, Curve, Readout, Slider, Table, constant, explore, show)
from privrl_core.pages import PALETTE, REFERENCE, use_theme

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world, and the noise that protects
n, mu = n_patients, gaussian_mu(epsilon, delta)

# %% [markdown]
# ## Was she in the study?
#
# A clinic tries a treatment on a few patients. It is the chain of {cite:t}`balle2016` that chapter 2 is about: forty stages
# from *admitted* to *recovered*; each week a patient moves up one stage or stays in the same stage, with probability one half
# each. The clinic publishes what a paper would print: the **value** of each stage, which is the mean discounted return of
# its patients from there on, to three decimals. No names, no records, 39 averages.
#
# The attacker wants to know whether one person, the *target*, took part. That alone may be a secret: the study may
# be about an illness that she tells nobody of. The attacker
#
# * knows how the target's weeks would look in the data from her diary, her insurer, or an acquaintance who saw her come and go;
# * knows how patients fare in general, well enough to simulate them;
# * knows *nothing* about the other patients of this study.
#
# The game has two worlds. **Inside:** the target is one of the patients. **Outside:** another patient took her place. A coin
# decides, the clinic publishes, and the attacker says which world it is. This is *membership inference*.

# %%
chain = recovery_chain(40, stay=0.5, discount=0.99)
treatment = np.ones((40, 1))                            # one action

def patients(rng, *shape):
    """First-visit returns of simulated patients, [*shape, 39]."""
    episodes = sample_episodes(chain, treatment, int(np.prod(shape)), rng)
    returns = first_visit_returns(episodes, 40, 0.99)   # the last is 0
    return returns[:, :39].reshape(*shape, 39)

def play(games, rng):
    """Targets, exact tables with them inside, and with another instead."""
    people = patients(rng, games, n + 1)
    inside, outside = people[:, :-1].mean(axis=1), people[:, 1:].mean(axis=1)
    return people[:, 0], inside, outside

# %% [markdown]
# The mean in `play` is what the package's regression gives for a table of stages; one clinic to be sure:

# %%
trial = sample_episodes(chain, treatment, n, rng)
data = first_visit_statistics(trial, 40, 0.99, return_bound=1.0)
by_hand = first_visit_returns(trial, 40, 0.99).mean(axis=0)
assert np.allclose(lsw(data, np.eye(40), np.ones(40)), by_hand)

# %% [markdown]
# (the-attack)=
# ### The attack
#
# Whichever world it is, the table is an average, so nearly Gaussian. If patients have mean $m$ and covariance $S$, and the
# target has returns $z$, then over $n$ patients
#
# ```{math}
# :label: eq-two-worlds
# \begin{aligned}
# \text{outside:}\quad & \mathcal N\bigl(m,\ \tfrac1n S\bigr), \\
# \text{inside:}\quad & \mathcal N\bigl(m + \tfrac1n(z - m),\ \tfrac{n-1}{n^2} S\bigr).
# \end{aligned}
# ```
#
# She pulls the average towards herself by one $n$-th. The best score for telling two known distributions apart is the logarithm of the
# ratio of their densities (Neyman and Pearson). These two are known only nearly, so a better attack may exist. Attacks of this kind go back to {cite:t}`homer2008`, who found people in
# pooled genetic data, and are today's standard against machine learning {cite:p}`carlini2022`. The attacker learns $m$ and $S$
# from patients of his own making, *shadow data*:

# %%
shadows = patients(rng, max(5_000, round(20_000 * effort)))
m, S = shadows.mean(axis=0), np.cov(shadows.T)

def score(table, target, noise):
    """Log-likelihood ratio; ``noise`` is the variance of what was added."""
    extra = noise * np.eye(39)
    with_her = m + (target - m) / n, (n - 1) / n**2 * S + extra
    return gaussian_log_ratio(table, *with_her, m, S / n + extra)

rounding = 1e-3**2 / 12        # three decimals are a little noise too

# %% [markdown]
# (attack-measured)=
# ### How good is an attack?
#
# The attacker says "inside" if the score is above a threshold. How often he says so of people who *are* inside is the **true
# positive rate** (TPR, *detections*); how often of people who are not, the **false positive rate** (FPR, *false alarms*). Their
# difference is the {term}`advantage`. A low threshold detects everybody and accuses everybody; the curve of TPR against FPR over
# all thresholds is called {term}`ROC`, and the area below it {term}`AUC`. The area has a meaning of its own: it is the chance
# that somebody inside gets a higher score than somebody outside. One half is a coin, 1 is certainty.
#
# We will ask whether an attack has any power at all against a mechanism, so let us compute how many games it takes to tell.
# Against the Gaussian mechanisms below no attacker has more than a certain advantage; say that we want limits of 95 % which,
# for a powerless attack, exclude that advantage with probability 99 %.

# %%
needed = trials_to_exclude(gaussian_advantage_ceiling(mu), advantage=0.0)
games = max(1_000, round(needed * effort))
pilot = max(500, games // 2)    # to choose a threshold, never counted

# %% tags=["remove-input"]
width = advantage_interval(needed // 2, needed // 2, needed)[1]
md(f"It takes **{needed:,} games** of each kind. Each rate gets limits of Clopper and Pearson, at half of the risk. They hold for "
   f"any number of games and are careful: ± {width:.2f} for the advantage, where two standard errors would be ± "
   f"{2 * np.sqrt(0.5 / needed):.2f}.")

# %% [markdown]
# The attacker is **honest**: he chooses his threshold on games that are not counted. An attacker who picks the best threshold
# afterwards has seen the answers. `judge` finds the threshold with the largest advantage in the pilot; then it counts.

# %% tags=["hide-input"]
def judge(inside, outside):
    """AUC and advantage of scores [pilot + games], with 95 % limits."""
    first, second = np.sort(inside[:pilot]), np.sort(outside[:pilot])
    cuts = np.concatenate([first, second])
    gains = np.searchsorted(second, cuts) - np.searchsorted(first, cuts)
    threshold = cuts[np.argmax(gains)]
    inside, outside = inside[pilot:], outside[pilot:]
    hits, alarms = np.sum(inside >= threshold), np.sum(outside >= threshold)
    low, high = advantage_interval(hits, alarms, games)
    return {"advantage": (hits - alarms) / games, "low": low, "high": high,
            "AUC": auc(inside, outside),
            "AUC limits": auc_interval(inside, outside)}

# %%
target, inside, instead = play(pilot + games, rng)
target_out, with_her, outside = play(pilot + games, rng)    # other games
scores = (score(inside.round(3), target, rounding),
          score(outside.round(3), target_out, rounding))
exact = judge(*scores)
assert exact["AUC limits"][0] > 0.8

# %% [markdown]
# On ordinary axes the ROC shows how good the attack is on the whole. *Logarithmic* axes show what matters most in
# practice: an attacker who accuses few people, and is nearly always right. Beside the counts stands a closed form. With
# $\lambda^2 = (z - m)^\top S^{-1}(z - m)/n$, the score is nearly $\mathcal N(\pm\lambda^2/2, \lambda^2)$, so only $\lambda$
# matters, and it is about $\sqrt{39/n}$.

# %% tags=["hide-input"]
widths, axes = np.linalg.eigh(S)

def strength(noise, targets):
    """lambda for each target, if noise of this variance is in the table."""
    pulls = ((targets - m) @ axes) ** 2
    return np.sqrt(np.sum(pulls / (n * widths + n**2 * noise), axis=1))

def expected_roc(lam, rates):
    """TPR at these FPR, one threshold for all targets, in closed form."""
    size = np.sqrt(np.mean(lam**2))
    cuts = size * np.linspace(-9 - size, 9 + size, 1501)[:, None]
    alarms, hits = (ndtr(sign * lam / 2 - cuts / lam).mean(axis=1)
                    for sign in (-1, 1))
    return np.interp(rates, alarms[::-1], hits[::-1])

def counted_roc(inside, outside, rates, pilot=pilot):
    """TPR at thresholds whose FPR on the pilot is ``rates``."""
    cuts = np.quantile(outside[:pilot], 1 - rates)
    return np.array([np.mean(inside[pilot:] >= cut) for cut in cuts])

# %% mystnb={"image": {"alt": "Two pictures of one ROC curve, on linear and on logarithmic axes. The counted curve lies on the closed form, and a little below it under three per cent false alarms; both are far above the diagonal. At one per cent false alarms it detects about every fifth target, where a coin would detect one in a hundred."}} tags=["hide-input"]
rates = np.geomspace(4e-3, 1, 60)
closed = expected_roc(strength(rounding, shadows[:400]), rates)
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
for ax in (left, right):
    ax.plot(rates, closed, color=PALETTE[0], label="closed form")
    ax.plot(rates, counted_roc(*scores, rates), ".", color=PALETTE[1], label="counted")
    ax.plot(rates, rates, ":", color=REFERENCE, label="a coin")
    ax.set(xlabel="false alarms (FPR)", ylabel="detections (TPR)")
right.set(xscale="log", yscale="log", title="The same, for the cautious attacker")
left.set(title="Inside or outside?")
left.legend(loc="lower right");

# %% tags=["remove-input"]
few = counted_roc(*scores, np.array([0.01]))[0]
md(f"From 39 averages of {n} patients: **AUC {exact['AUC']:.2f}** (95 % limits {exact['AUC limits'][0]:.2f} to "
   f"{exact['AUC limits'][1]:.2f}, {games:,} games a side). The advantage is "
   f"{exact['advantage']:.2f} ({exact['low']:.2f} to {exact['high']:.2f}). And the cautious attacker, who is wrong about one outsider in a "
   f"hundred, still finds **{few:.0%}** of those inside. (The closed form promises him {np.interp(0.01, rates, closed):.0%}: it takes the mean of {n} patients for "
   "Gaussian, which is least true far out, where he looks.) Averages are not anonymous.")

# %% [markdown]
# (weeks-add-up)=
# ### The same by adding up weeks
#
# {doc}`../05_what_leaks` reads 39 unrelated hints off the averages: the mean weeks of the patients in each stage. Multiply, in each stage, these weeks minus the usual ones by the target's weeks minus the usual ones, and add up all 39 products.
# The attack above does this in one step, by the right weight for each average.

# %% tags=["hide-input"]
def weeks_in(averages):
    """Mean weeks in each of the 39 stages. A week costs a factor of 0.99, and a recovery at once is one week."""
    following = np.concatenate([averages[..., 1:], np.full((*averages.shape[:-1], 1), 1 / 0.99)], axis=-1)
    return np.log(averages / following) / np.log(0.99)

usual = weeks_in(m)
assert np.allclose(weeks_in(target), np.round(weeks_in(target)), atol=1e-6) and (abs(usual - 2) < 0.1).all()
by_weeks = []
for table, one, sign in ((inside, target, 1), (outside, target_out, -1)):
    more = weeks_in(one) - usual
    lean = ((weeks_in(table.round(3)) - usual) * more).sum(axis=1) / (more**2).sum(axis=1)
    by_weeks.append(np.mean(sign * (lean - 0.5 / n) > 0))
by_weeks = 50 * sum(by_weeks)

# %% tags=["remove-input"]
assert n != 15 or 74.5 < by_weeks < 82.5
md(f"With the line half-way, at half of what the target adds, the sum of products is right **{by_weeks:.0f}** times in 100.")

# %% [markdown]
# (when-a-crowd)=
# ### Explore: when is an average a crowd?
#
# Against this attacker, who knows the population and nobody in the study, the AUC is about $\Phi(\sqrt{d/2n})$ for $d$ numbers
# that tell different things about a patient. Here $d = 39$. It is a little less, since not all patients are equally unusual,
# and it is only a rough guide for the smallest studies.
#
# *With 39 exact numbers, how many patients bring the AUC below 0.6? If the clinic publishes only four of its
# averages, how many then? What happens to a study that publishes more numbers than it has patients?*

# %% tags=["hide-input"]
people = Slider("n", "patients n", 3, 3000, n_patients, points=61, low_end="easy to find", high_end="lost in the crowd")
numbers = Choice("d", "published numbers d", (1, 2, 4, 10, 20, 39, 100, 200), 39, low_end="few", high_end="many")
area = Table.of(lambda n, d: ndtr(np.sqrt(d / n / 2)), people, numbers, scale="linear")
gap = Table.of(lambda n, d: 2 * ndtr(np.sqrt(d / n) / 2) - 1, people, numbers)
explore(
    name="crowd", sliders=[people, numbers], x=people, y=Axis("area", "AUC and advantage", 0, 1, scale="linear"),
    curves=[Curve("AUC", area), Curve("advantage, TPR − FPR", gap),
            Curve("AUC of a coin", constant(0.5), reference=True)],
    readouts=[Readout("area", "AUC", area), Readout("gap", "advantage", gap)],
    guarantee="No guarantee: {d} exact averages over about {n} patients. The AUC of {area} is about that of an attacker who knows the "
              "population; one who knows more does at least as well.",
    alt="AUC and advantage of the attack against the number of patients, for {d} published numbers; both fall. At {n} patients the AUC "
        "is {area} and the advantage {gap}.",
    caption="The attacker who knows the population only, in closed form (Gaussian, exact averages).")

# %% [markdown]
# **What you should see.** With 39 numbers the AUC is below 0.6 from 304 patients on; with four, from 32 on. A study that publishes more numbers than it
# has patients has an AUC above $\Phi(\sqrt{1/2}) = 0.76$, if the numbers tell different things. The three decimals of our clinic
# change little for 15 patients, and help more where a few hundred have been averaged.

# %% tags=["hide-input"]
# what the answer says: the least n with Φ(√(d/2n)) < 0.6
sizes = np.arange(1, 1000)
assert [sizes[ndtr(np.sqrt(d / sizes / 2)) < 0.6][0] for d in (39, 4)] == [304, 32]
assert round(ndtr(np.sqrt(1 / 2)), 2) == 0.76

# %% [markdown]
# (exposed)=
# ### Two things the average hides
#
# **Not all are equally exposed.** $\lambda$ grows with the distance of $z$ from $m$: unusual patients pull the
# averages most. Sort the targets of the same games by their λ:

# %%
lam, lam_out = strength(rounding, target), strength(rounding, target_out)
edges = np.quantile(lam, [0, 0.25, 0.5, 0.75, 1])
quarter, quarter_out = (np.searchsorted(edges[1:-1], x) for x in (lam, lam_out))
quarters = pd.DataFrame([{
    "λ up to": edges[k + 1],
    "AUC counted": auc(scores[0][quarter == k], scores[1][quarter_out == k]),
    "AUC expected": ndtr(lam[quarter == k] / np.sqrt(2)).mean()}
    for k in range(4)],
    index=["most usual quarter", "second", "third", "most unusual quarter"])
quarters.style.format("{:.2f}")

# %% [markdown]
# An AUC is a mean over people. The promise of privacy is to each of them, and most of all to those who stand out.
#
# **An attacker who knows the others needs no statistics.** Suppose that a new patient joins and the table is published again, or that the
# attacker is a nurse who knows all the others. Then a subtraction is enough:

# %%
others = patients(rng, n - 1)
she = patients(rng, 1)[0]
table = np.vstack([others, she]).mean(axis=0)
assert np.allclose(n * table - others.sum(axis=0), she) # her record

# %% [markdown]
# This works for any $n$. Differential privacy is made for this attacker, *who knows everything, except whether the
# record is yours*.
#
# (two-hills)=
# ### Explore: noise pushes the hills together
#
# Noise on each average lowers every score. Divide the score by its standard deviation if the target is not in the data: then the scores of those who are not inside form a hill at 0, and those of the targets inside
# a second hill to its right. *Which noise brings the attacker who knows nobody below 55 right guesses in 100? And one who knows all the others?*

# %% tags=["hide-input"]
noise_slider = Slider("s", "noise on each average, standard deviation", 5e-4, 2, 5e-4, points=19, steps=18, low_end="hardly any", high_end="very much")
line_slider = Slider("line", "where the attacker draws the line", -1, 5, 0.8, points=31, steps=30, scale="linear", low_end="accuse many", high_end="accuse few")
kinds = Choice("kind", "attacker", ("knows nobody", "knows the others", "knows the others, unusual record"), "knows nobody",
               low_end="weak", high_end="strong")
lean = Axis("lean", "score", -4, 9, scale="linear", points=66)
some = slice(0, 1000)

def hills(kind, noise):
    """Mean and standard deviation of the score, for some targets inside."""
    if kind == "knows nobody":
        pulls = ((target[some] - m) @ axes) ** 2 / (widths / n + noise**2) ** 2
        size = np.sqrt((pulls * (widths / n + noise**2)).sum(axis=1))
        return size / n, np.sqrt((pulls * ((n - 1) / n**2 * widths + noise**2)).sum(axis=1)) / size
    if kind == "knows the others":
        return np.linalg.norm(inside[some] - instead[some], axis=1) / noise, np.ones(len(inside[some]))
    return np.array([np.sqrt(39) / n / noise]), np.ones(1)          # all returns 1, or all 0

shape = [[hills(kind, s) for s in noise_slider.grid] for kind in kinds.options]
hill = np.array([[(norm.pdf((lean.grid[:, None] - mean) / sd) / sd).mean(axis=1) for mean, sd in row] for row in shape])
hits = np.array([[ndtr((mean - line_slider.grid[:, None]) / sd).mean(axis=1) for mean, sd in row] for row in shape])
inside_hill, outside_hill = Table((kinds, noise_slider, lean), hill, scale="linear"), Table.of(lambda lean: norm.pdf(lean), lean)
beyond = Table((line_slider, lean), (lean.grid >= line_slider.grid[:, None] - 1e-9).astype(float), scale="linear")
detections = Table((kinds, noise_slider, line_slider), hits, scale="linear")
alarms = Table.of(lambda line: ndtr(-line), line_slider, scale="linear")
explore(
    name="two_hills", sliders=[noise_slider, kinds, line_slider], x=lean,
    y=Axis("density", "share of games", 0, 0.6, scale="linear"),
    curves=[Curve("inside, and the share that is found", inside_hill, low=constant(0.0), high=inside_hill * beyond),
            Curve("not inside", outside_hill)],
    readouts=[Readout("found", "finds, of those inside", detections), Readout("alarms", "accuses, of the others", alarms),
              Readout("guesses", "right with this line", constant(50) + constant(50) * detections - constant(50) * alarms, unit="in 100"),
              Readout("ceiling", "no attacker is right more than", Table.of(lambda s: 100 * ndtr(np.sqrt(39) / n / s / 2), noise_slider, scale="linear"),
                      unit="in 100", at_most=True),
              Readout("epsilon", f"ε, at δ = {show(delta)}", Table.of(lambda s: gaussian_epsilon(delta, np.sqrt(39) / n / s), noise_slider), at_most=True)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one trajectory (replace one by another that passes every stage), proved. No "
              "attacker, whatever they know or compute, is right more than {ceiling} times in 100.",
    alt="Scores of an attacker who {kind}: a hill for targets inside and a hill for those who are not, with noise of standard deviation {s} on each "
        "average. With the line at {line} the attacker is right {guesses} times in 100; no attacker is right more than {ceiling} times.",
    caption="The shaded part lies to the right of the line. If the hills are far apart, the second one has left the picture. Only half-way between the hills is the line a good one.")

# %% [markdown]
# **What you should see.** A noise of 0.05 pushes the hills of the first attacker together. One who knows all the others needs more, and against the most unusual record it takes 1.6.
#
# (attackers-counted)=
# ## What a private release leaves of it
#
# Now the clinic makes a promise, ε = 1 and δ = 10⁻⁵ for one trajectory (replace one), and keeps it in one of two ways. Chapter 2
# is about both; here it is enough to know what they add to the table.
#
# * **Sums**: the Gaussian mechanism of {doc}`../03_noise_that_keeps_it`. Each of a patient's 40 returns lies between 0 and 1, so
#   replacing one patient moves the sums of returns by at most $\sqrt{40}$ in all. They get noise $\sigma = \sqrt{40}/\mu$, and
#   are divided by $n$. {doc}`/chapters/02_policy_evaluation/04_release_sums` releases noisy visits with them. Everybody passes every stage
#   here, so that the visits are no secret; less what they tell, this is the noise that remains.
# * **DP-LSW** {cite:p}`balle2016`, with the least noise that its proof allows: noise on the averages themselves, with the standard deviation that their
#   smooth sensitivity demands.
#
# Either way it is the exact table plus Gaussian noise of a variance that the attacker knows.

# %% tags=["hide-input"]
promise = dict(return_bound=1.0, epsilon=epsilon, delta=delta)
stages, ones = np.eye(40), np.ones(40)

def statistics(table, m):
    """Of m patients who pass every stage, with these mean returns."""
    return FirstVisitStatistics(np.full(40, m), m * table, m, 1.0)

def lsw_variance(m):
    data = statistics(np.zeros(40), m)
    return noise_scale_lsw_non_private(data, stages, ones, **promise) ** 2

def publish_lsw(tables, m, rng):
    width = np.sqrt(lsw_variance(m))
    return tables + width * rng.standard_normal(tables.shape)

def publish_sums(tables, m, rng):
    return tables + np.sqrt(40) / mu / m * rng.standard_normal(tables.shape)

# %% tags=["hide-input"]
# these lines stand in for thousands of calls: they must be the package's mechanisms
tables = np.hstack([inside[:2], np.zeros((2, 1))])     # stage 40: value 0
again = np.random.default_rng(0)
by_package = [dp_lsw(statistics(table, n), stages, ones, noise_rng=again, **promise).parameters
              for table in tables]
assert np.allclose(publish_lsw(tables, n, np.random.default_rng(0)), by_package)

package = [dp_sufficient_statistics(statistics(tables[0], n), stages, noise_rng=again, **promise)
           for _ in range(250)]
# given the noisy visits, half of their noise is the best guess of the noise of the returns
left = np.array([r.return_sums - (r.visits - n) / 2 for r in package]) - n * tables[0]
told_by_visits = np.array([r.visits - n for r in package])
tolerance = 5.5 / np.sqrt(2 * left.size)               # relative, of a standard deviation
assert np.isclose(left.std(), np.sqrt(40) / mu, rtol=tolerance)
assert abs(np.corrcoef(left.ravel(), told_by_visits.ravel())[0, 1]) < 5.5 / np.sqrt(left.size)

# %% [markdown]
# Three attackers. The first knows the **population**. The second knows **all the others** in the study, and who might have taken
# the target's place. The third may also **choose the records**: a study of one patient, whose returns are all 1 or all 0. For
# the sums no two records are easier to tell apart; that is what a guarantee must stand up to.

# %% tags=["hide-input"]
releases = {                                           # and their variance
    "exact, 3 decimals": (lambda tables, m, rng: tables.round(3),
                          lambda m: rounding),
    "DP-LSW": (publish_lsw, lsw_variance),
    "sums": (publish_sums, lambda m: 40 / mu**2 / m**2)}

def attacked(publish, variance):
    """The scores of the three attackers, inside and outside."""
    def with_last(tables):
        full = np.hstack([tables, np.zeros((len(tables), 1))])
        return publish(full, n, noise_rng)[:, :39]
    yield "population", (score(with_last(inside), target, variance(n)),
                         score(with_last(outside), target_out, variance(n)))
    v = variance(n) * np.eye(39)
    yield "all the others", (
        gaussian_log_ratio(with_last(inside), inside, v, instead, v),
        gaussian_log_ratio(with_last(outside), with_her, v, outside, v))
    v, size = variance(1) * np.eye(40), (pilot + games, 40)
    alone = [publish(np.full(size, r), 1, noise_rng) for r in (1.0, 0.0)]
    yield "chosen records", [
        gaussian_log_ratio(table, ones, v, 0 * ones, v) for table in alone]

found = pd.DataFrame([
    {"release": name, "attacker": attacker, **judge(*pair)}
    for name, (publish, variance) in releases.items()
    for attacker, pair in attacked(publish, variance)])
allowed = advantage_ceiling(epsilon, delta), gaussian_advantage_ceiling(mu)
apart = np.linalg.norm(inside - instead, axis=1) / (np.sqrt(40) / mu / n)
typical_gain = gaussian_advantage_ceiling(apart).mean()    # of who knows all the others

# %% tags=["hide-input"]
private = found[found["release"] != "exact, 3 decimals"]
assert (private["high"] < allowed[0]).all()                 # the guarantee stands ...
assert (private["low"] <= allowed[1]).all()                 # ... and the tighter ceiling, too
assert (private["AUC limits"].str[1] < auc_ceiling(epsilon, delta)).all()
shown = found.assign(**{
    "advantage": [f"{a:.2f} ({lo:.2f} to {hi:.2f})".replace("-", "−")
                  for a, lo, hi in found[["advantage", "low", "high"]].values],
    "AUC": [f"{a:.2f} ({lo:.2f} to {hi:.2f})" for a, (lo, hi) in zip(found["AUC"], found["AUC limits"])]})
shown[["release", "attacker", "advantage", "AUC"]].style.hide()

# %% tags=["remove-input"]
md(f"*How to read it: {games:,} games a side, 95 % limits in brackets; that is 95 % for each, at one threshold, and of a dozen "
   f"one may miss the truth by chance.* An (ε = {epsilon:g}, δ = {show(delta)}) guarantee allows an advantage "
   f"of **{allowed[0]:.2f}** and an AUC of {auc_ceiling(epsilon, delta):.2f}, to anybody. Gaussian noise with that guarantee allows less: "
   f"**{allowed[1]:.2f}** and {gaussian_auc_ceiling(mu):.2f}, since (ε, δ) is only one point of its curve.\n\n"
   "For the private releases every limit lies below the first ceiling. An attacker who chooses the records should reach the second one with the "
   f"sums, {allowed[1]:.3f}, and comes as close as so many games can tell. The study of one patient is the worst case "
   "for the sums. For DP-LSW it is one case, and this attacker gets a little less. The other two attackers do no better than guessing. Against the sums, knowing all the others is worth "
   f"an advantage of {typical_gain:.2f} or so by computation, too little to be seen here: for two patients as they come, the tables are "
   "not as far apart as for the worst two.")

# %% [markdown]
# ### Where the ceilings come from
#
# Let $\alpha$ be the probability of a false alarm. The definition of (ε, δ)-differential privacy, used for the event "he says
# *inside*" and for its complement, in both directions, leaves {cite:p}`kairouz2015`
#
# ```{math}
# :label: eq-roc-region
# \text{TPR} \le \min\bigl\{ e^\varepsilon \alpha + \delta,\ \ 1 - e^{-\varepsilon}(1 - \delta - \alpha) \bigr\} .
# ```
#
# The two lines meet at $\alpha = (1 - \delta)/(1 + e^\varepsilon)$, and there
#
# $$\text{TPR} - \text{FPR} = \frac{e^\varepsilon - 1 + 2\delta}{e^\varepsilon + 1}, \qquad
#   \text{AUC} \le 1 - \frac{(1 - \delta)^2}{1 + e^\varepsilon}.$$
#
# For μ-Gaussian releases $\text{TPR} \le \Phi(\Phi^{-1}(\alpha) + \mu)$ {cite:p}`dong2022`, so the advantage is at most
# $2\Phi(\mu/2) - 1$ and the AUC at most $\Phi(\mu/\sqrt2)$. That is a lot of formulas to trust. So the next cell goes by
# brute force: of *all* mechanisms with four outcomes that keep the promise, a linear program finds the one that is worst for
# privacy, and its advantage is the formula's.

# %% tags=["hide-input"]
events = np.array([*product([0, 1], repeat=4)])
detects = np.array([1, 1, 0, 0])

def worst_mechanism(epsilon, delta):
    """The largest P[E] - P'[E] over laws P, P' of four outcomes."""
    grown = np.exp(epsilon) * events
    keep = np.block([[events, -grown], [-grown, events]])
    return -linprog(np.concatenate([-detects, detects]),
                    keep, np.full(len(keep), delta),            # the promise
                    np.kron(np.eye(2), np.ones(4)), [1, 1]).fun

for e, dl in ((0.1, 0.1), (1.0, 1e-5), (3.0, 0.01)):
    assert np.isclose(worst_mechanism(e, dl), advantage_ceiling(e, dl))
alarms = np.linspace(1e-6, 1, 100_001)
assert np.isclose(np.max(gaussian_detection_ceiling(alarms, mu) - alarms),
                  allowed[1], atol=1e-6)
assert np.isclose(np.mean(detection_ceiling(alarms, epsilon, delta)),
                  auc_ceiling(epsilon, delta), atol=1e-4)

# %% [markdown]
# ### Explore: ε, and what the attackers make of it
#
# The counted curves come from the noise of the sums mechanism, with thresholds from the pilot; a few hundred pilot games
# place a threshold for two false alarms in a hundred only roughly, so they wobble on the left.
#
# *At ε = 1, how do the counts compare with what (ε, δ) alone allows, and with what the Gaussian allows? From which
# ε on does the attacker who knows only the population get anywhere? Is that a reason to publish at ε = 100?*

# %% tags=["hide-input"]
def budget(epsilon):
    return gaussian_mu(epsilon, delta)

loss = Slider("epsilon", "privacy loss ε", 0.1, 1e4, epsilon, points=61)
alarm = Axis("f", "false alarms (FPR)", 0.02, 1, points=61)
rates = alarm.grid
anyone = Table((alarm, loss), detection_ceiling(rates[:, None], loss.grid, delta))
gaussian = Table((alarm, loss), gaussian_detection_ceiling(rates[:, None], budget(loss.grid)))
expected = np.column_stack([expected_roc(strength(40 / budget(e) ** 2 / n**2, shadows[:200]), rates) for e in loss.grid])
noises = noise_rng.standard_normal((2, pilot + games, 39))
sums_of_40 = np.sqrt(40) * noise_rng.standard_normal((2, 20_000))   # all that chosen records tell: the sum over stages

def population(e):
    spread = np.sqrt(40) / budget(e) / n
    return counted_roc(*(score(tables + spread * noise, who, spread**2)
                         for tables, noise, who in zip((inside, outside), noises, (target, target_out))), rates)

def chosen(e):
    return counted_roc(*(40 * truth + np.sqrt(40) / budget(e) * noise for truth, noise in zip((1, 0), sums_of_40)), rates, pilot=10_000)

counted, counted_chosen = (np.column_stack([attack(e) for e in loss.grid]) for attack in (population, chosen))
lines = {"allowed by (ε, δ)": anyone, "allowed by the Gaussian": gaussian,
         "chosen records, counted": Table((alarm, loss), np.maximum(counted_chosen, 1e-3)),
         "population, closed form": Table((alarm, loss), expected),
         "population, counted": Table((alarm, loss), np.maximum(counted, 1e-3))}

# %% tags=["hide-input"]
most, most_gaussian = (Table.of(ceiling, loss)
                       for ceiling in (lambda epsilon: advantage_ceiling(epsilon, delta),
                                       lambda epsilon: gaussian_advantage_ceiling(budget(epsilon))))
explore(
    name="roc_allowed", sliders=[loss], x=alarm, y=Axis("tpr", "detections (TPR)", 0.01, 1),
    curves=[*(Curve(name, table) for name, table in lines.items()),
            Curve("a coin", Table.of(lambda f: f, alarm), reference=True)],
    readouts=[Readout("most", "largest advantage that (ε, δ) allows", most, at_most=True),
              Readout("gaussian", "largest advantage that the Gaussian allows", most_gaussian, at_most=True)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one trajectory (replace one by another that passes every stage), proved: no attacker, whatever they know, has an "
              "advantage above {most} (1 is no limit at all); for this mechanism none above {gaussian}.",
    alt="Detections against false alarms at ε = {epsilon}. The counted curve for chosen records lies on the line that the Gaussian "
        "allows, below the line for (ε, δ); the curves of the attacker who knows the population lie on each other. The largest allowed "
        "advantages are {most} and {gaussian}.",
    caption="What attackers do to the released sums of the small study, against what is allowed.")

# %% tags=["remove-input"]
reach = np.array([np.mean(ndtr(strength(40 / budget(e) ** 2 / n**2, shadows[:200]) / np.sqrt(2))) for e in loss.grid])
starts = loss.grid[reach > 0.6][0]
md(f"**What you should see.** At ε = 1 the counts of chosen records lie on what the Gaussian allows, an advantage of {allowed[1]:.2f}, far below the {allowed[0]:.2f} "
   "of (ε, δ) alone. The attacker who knows only the population gets an AUC above 0.6 from ε = "
   f"{show(starts, 1)} on, when no guarantee is left to speak of. That is no reason to publish at ε = 100: there an attacker "
   "who chooses the records is certain, and tomorrow's attackers know more than today's.")

# %% [markdown]
# ### And the price?

# %% tags=["remove-input"]
md(f"For {n} patients the noise of each value is {np.sqrt(40) / mu / n:.2g} with the sums (and {np.sqrt(lsw_variance(n)):.2g} with DP-LSW), on values "
   f"between 0 and 1. **Nothing useful is left**, and little can be: forty numbers about fifteen people cannot both be right and say "
   f"nothing about each of the fifteen. With 10,000 patients the same promise costs {np.sqrt(40) / mu / 10_000:.2g} per value with the sums. "
   "The guarantee did not become weaker; the crowd became larger.")

# %% [markdown]
# The whole curve is in {doc}`/chapters/02_policy_evaluation/05_what_it_costs`.

# %% [markdown]
# ## What was it rewarded for?
#
# Chapter 3 protects the *reward function* of a learner whose Q-function is handed out. What is there to protect? Bellman's
# equation says $Q(s, a) = r(s, a) + \gamma\, E\max_{a'} Q(s', a')$. An attacker who has Q and knows how the world moves can read it from
# right to left:
#
# $$\begin{aligned}
#   r(s, a) = {} & Q(s, a) \\
#   & - \gamma \sum_{s'} P(s' \mid s, a) \max_{a'} Q(s', a').
#   \end{aligned}$$
#
# Take chapter 3's world {cite:p}`wang2019`, a walk on [0, 1] that is paid most in the middle, and its learner without noise:
# fitted Q-iteration, eleven knots, 5,000 steps. The visited places are public there, since the paper does not protect them. They give
# the attacker the very transition matrix that the learner used.

# %%
K, discount = 11, 0.9
knots = np.linspace(0, 1, K)
states, actions, next_states = walk(5000, rng)
learned = fitted_q_iteration(
    states, actions, next_states, middle_reward(next_states),
    discount=discount, n_knots=K)
q = learned.parameters[0].T                                 # [K, 2]

def transitions(states, actions, next_states):
    """From each knot by each action to each knot, [K, 2, K]."""
    here, there = hat_features(states, K), hat_features(next_states, K)
    weights = here[:, :, None] * np.eye(2)[actions][:, None]
    return np.einsum("tka,tl->kal", weights / weights.sum(axis=0), there)

P = transitions(states[0], actions[0], next_states[0])
moves = P.reshape(-1, K)
by_action = reward_from_q(q, P, discount)                   # r(s, a) ...
by_place = np.linalg.lstsq(moves, by_action.ravel())[0]     # = E r(s')
error = np.abs(by_place - middle_reward(knots)).max() / 0.5
assert error < 1e-8

# %% tags=["remove-input"]
own = transitions(*(part.ravel() for part in walk(1000, rng, runs=50)))
own_error = np.abs(reward_from_q(q, own, discount) - own @ middle_reward(knots)).max() / 0.5
md(f"The reward comes back **to {show(error, 2)} of its range** at every place: it is in the Q-function, whole. And if the walk is not published? "
   f"An attacker who lets a simulator of his own walk 50,000 steps gets the expected reward of each action in each place to within "
   f"{own_error:.0%}; what he misses are the learner's own sampling errors.")

# %% [markdown]
# (noise-hides-reward)=
# ### Explore: how much noise hides a reward?
#
# Each of the 22 numbers of Q, for eleven places and two actions, gets Gaussian noise. The rewards lie between 0 and ½. *At which noise can you no longer see that the middle pays most? And
# how much does it take for ε = 1, if rewards that differ by up to 0.05 are to look alike?*

# %% tags=["remove-cell"]
prior, prior_sd = 0.25, 0.5 / np.sqrt(12)                     # rewards uniform on [0, 1/2]
hidden_by = noise_rng.normal(size=(max(60, round(300 * effort)), K, 2))

def read_off(sigma):
    """The attacker's reward for each release, [draws, K]."""
    seen = np.array([reward_from_q(q + sigma * z, P, discount).ravel() for z in hidden_by]) - prior * moves.sum(axis=1)
    precision = moves.T @ moves / sigma**2 + np.eye(K) / prior_sd**2
    return prior + np.linalg.solve(precision, moves.T @ seen.T / sigma**2).T

q_noise = Slider("sigma", "noise σ on each number of Q", 1e-5, 31.6, 0.001, points=40, steps=39, low_end="hardly any", high_end="very much")
place = Axis("s", "place", 0, 1, points=K, scale="linear")
loose = np.array([read_off(s) for s in q_noise.grid])         # [σ, draws, K]
in_middle = np.mean(abs(knots[loose.argmax(axis=2)] - 0.5) < 0.15, axis=1)     # chance of it: 3 in 11
fits = np.clip(loose, 0, 0.5)
off_by = np.abs(fits - middle_reward(knots)).max(axis=2) / 0.5
over_places = (place, q_noise)
lowest, highest = (Table(over_places, np.quantile(fits, level, axis=1).T, scale="linear") for level in (0.025, 0.975))
one_release = Table(over_places, fits[:, 0].T, scale="linear")
typical = Table((q_noise,), 100 * np.median(off_by, axis=1))
per_sigma = 0.05 * np.sqrt(2 * K) / (1 - discount)
hidden = Table.of(lambda sigma: gaussian_epsilon(delta, per_sigma / sigma), q_noise, tolerance=0.02)

# %% tags=["remove-input"]
explore(
    name="reward_read_off", sliders=[q_noise], x=place, y=Axis("reward", "reward", 0, 0.55, scale="linear"),
    curves=[Curve("read off one release, and where 95 of 100 lie at each place", one_release, low=lowest, high=highest),
            Curve("true reward", Table((place,), middle_reward(place.grid), scale="linear"), reference=True)],
    readouts=[Readout("middle", "releases whose largest reward is near the middle", Table((q_noise,), 100 * in_middle, scale="linear"), unit="in 100"),
              Readout("error", "largest error, of the range (median)", typical, unit="%"),
              Readout("epsilon", f"ε for rewards 0.05 apart, at δ = {show(delta)}", hidden, at_most=True)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for the reward function (sup-norm at most 0.05), proved: output "
              "perturbation with σ = {sigma}.",
    alt="The reward read off a noisy Q at σ = {sigma}, beside the true tent. The median of the largest error is {error} per cent of the "
        "range of rewards.",
    caption=f"One release, and a band from {len(hidden_by)} of them. The attacker knows that rewards lie between 0 and ½, and averages all rewards that fit what he sees.")

# %% tags=["remove-input"]
gone = q_noise.grid[in_middle < 0.5][0]
md(f"**What you should see.** From σ = {show(gone, 1)} on, the largest reward that he reads is near the middle in fewer than half of all releases. But for rewards 0.05 apart "
   f"this is ε = {show(gaussian_epsilon(delta, per_sigma / gone), 2)}, which promises next to nothing. ε = 1 takes σ = {show(per_sigma / gaussian_mu(1, delta), 2)}. "
   "For large σ the band narrows because the release tells him nothing about the reward, not because he knows it: he says ¼ everywhere.")

# %% tags=["remove-cell"]
assert 0.3 < gone < 2 and gaussian_epsilon(delta, per_sigma / gone) > 5

# %% [markdown]
# (two-rewards)=
# ### Telling two rewards apart
#
# Hidden to the eye is not private. The guarantee of chapter 3 is that nobody can tell neighbouring rewards apart, say those
# within η = 0.05 of one another. So play the game with two rewards, the worst pair for each release, at ε = 1:
#
# * the **exact** Q: one look decides;
# * a **noisy Q**, `q_learning_output_perturbation`, against $r$ and $r + \eta$: every number of Q moves by $\eta/(1-\gamma)$;
# * a **reward released once**, `release_reward_once`: the reward at three places, with noise; all that is learned afterwards is
#   post-processing. The two rewards differ most there if one is higher by η in the middle and lower by η at both ends, and the
#   attacker looks at twice the middle less the ends.

# %%
eta = 0.05
how = dict(epsilon=epsilon, delta=delta, eta=eta, n_steps=200,
           runs=pilot + games, rng=rng, noise_rng=noise_rng)

def shifted(s):
    return middle_reward(s) + eta

def sharper(s):
    return middle_reward(s) + np.where(np.abs(s - 0.5) < 0.25, eta, -eta)

def noisy_q(reward):
    released = q_learning_output_perturbation(
        reward=reward, discount=0.5, **how)
    return released.q.parameters.mean(axis=(1, 2))  # all of them move alike

def once(reward):
    released = release_reward_once(reward=reward, discount=0.0, **how)
    return released.values @ [-1, 2, -1]            # the way they move

pairs = {"noisy Q": (noisy_q(shifted), noisy_q(middle_reward)),
         "reward, once": (once(sharper), once(middle_reward))}
rewards = pd.DataFrame([{"release": name, **judge(*pair)}
                        for name, pair in pairs.items()])
assert (rewards["high"] < allowed[0]).all()
assert (rewards["low"] <= allowed[1]).all()

# %% mystnb={"image": {"alt": "Advantage with 95 per cent limits of every attack on this page at epsilon = 1. All lie at or below the line of what the Gaussian allows, 0.11, within their limits, and all limits lie far below what epsilon and delta allow, 0.46. The exact table stands at 0.6 and at 1."}} tags=["hide-input"]
every = pd.concat([found, rewards.assign(attacker="two rewards")], ignore_index=True)
colours = {"exact, 3 decimals": REFERENCE, "DP-LSW": PALETTE[1], "sums": PALETTE[0], "noisy Q": PALETTE[3], "reward, once": PALETTE[2]}
fig, ax = plt.subplots(figsize=(7.6, 4.4))
labels = every["release"] + ": " + every["attacker"]
for y, row in every.iterrows():
    ax.plot([row["low"], row["high"]], [y, y], color=colours[row["release"]], lw=3)
    ax.plot(row["advantage"], y, "o", color=colours[row["release"]])
ax.axvline(allowed[0], color=REFERENCE, ls="--", label="allowed by (1, 10⁻⁵)")
ax.axvline(allowed[1], color=REFERENCE, ls=":", label="allowed by the Gaussian")
ax.set(yticks=range(len(every)), yticklabels=labels, xlabel="advantage, TPR − FPR", xlim=(-0.1, 1.02),
       title="Every attack of this page, with its limits")
ax.invert_yaxis()
ax.legend(loc="lower right");

# %% tags=["remove-input"]
md("At ε = 1 the attacker has, " + " and, ".join(
    f"from the {what}, an advantage of **{row['advantage']:.2f}** ({row['low']:.2f} to {row['high']:.2f}) and an AUC of {row['AUC']:.2f}"
    for what, row in zip(("noisy Q", "reward released once"), rewards.to_dict("records"))) + ".")

# %% [markdown]
# {doc}`/chapters/03_functional_noise/05_today` says what it costs the learner to hide its reward.
#
# ## What no such mechanism stops
#
# (three-records)=
# ### A person is more than a trajectory
#
# The clinic protects *one trajectory*. A patient who comes three times has three. If all of hers are replaced, the release
# moves three times as far: $3\mu$ for Gaussian noise. Attack the sums again with three chosen records in place of one.

# %%
three = [np.full((pilot + games, 40), 3 * truth) for truth in (1.0, 0.0)]
visits = judge(*(publish_sums(sums, 1, noise_rng).sum(axis=1)
                 for sums in three))
assert visits["low"] > allowed[1]
assert visits["low"] <= gaussian_advantage_ceiling(3 * mu)

# %% tags=["remove-input"]
md(f"Advantage **{visits['advantage']:.2f}** ({visits['low']:.2f} to {visits['high']:.2f}): well above the {allowed[1]:.2f} that the mechanism allows for one "
   f"trajectory, and what 3μ allows is {gaussian_advantage_ceiling(3 * mu):.2f}. For the person, the promise is ε = "
   f"{gaussian_epsilon(delta, 3 * mu):.2f} instead of {epsilon:g}. Nothing went wrong: the promise was never about people. To make it about people, count "
   "people: bound how many trajectories each may give, and let all of them be one record.")

# %% [markdown]
# {doc}`../04_who_is_protected` has a slider for it.
#
# (inference)=
# ### Inference is not membership
#
# A large study, ten thousand patients, publishes private sums. An insurer reads them and learns how slowly patients
# recover under this treatment. He then predicts how long *one* patient will take, and raises her premium. Was her privacy
# violated? Play it. In each game the treatment is a different one: the chance to stay in a stage is between 0.3 and 0.8, and the
# insurer knows no more than this. The target is inside or not.

# %%
studies, crowd = max(200, round(1_000 * effort)), 10_000
stay = rng.uniform(0.3, 0.8, size=studies)

def weeks(size):
    """Of patients to recovery: 39 moves, and all the weeks they stay."""
    return 39 + rng.negative_binomial(39, 1 - stay, size=(size, studies))

def insurer(durations):
    """Weeks he expects, from the private value of stage 1."""
    value = (0.99 ** (durations - 1)).mean(axis=0)
    value += np.sqrt(40) / mu / crowd * noise_rng.normal(size=studies)
    g = (0.99 * value) ** (1 / 39)                  # chapter 2: V = g^39 / 0.99
    stays = (0.99 - g) / (0.99 * (1 - g))           # g = 0.99 (1-p) / (1-0.99p)
    return 39 / (1 - stays)

hers, others = weeks(1)[0], weeks(crowd)
any_treatment = rng.uniform(0.3, 0.8, size=20_000)
usual = np.median(39 + rng.negative_binomial(39, 1 - any_treatment))
guesses = {"nothing is published": usual,
           "she is inside": insurer(np.vstack([others[1:], hers])),
           "she is outside": insurer(others)}

# %% tags=["hide-input"]
misses = {name: np.abs(hers - guess) for name, guess in guesses.items()}
weeks_off = pd.DataFrame({"weeks off": {name: miss.mean() for name, miss in misses.items()},
                          "± two standard errors": {name: 2 * miss.std() / np.sqrt(studies) for name, miss in misses.items()}})
assert abs(weeks_off["weeks off"].iloc[1] - weeks_off["weeks off"].iloc[2]) < 1
weeks_off.style.format("{:.1f}")

# %% tags=["remove-input"]
md(f"He is off by {weeks_off['weeks off'].iloc[0]:.0f} weeks if nothing is published, and by **{weeks_off['weeks off'].iloc[1]:.1f}** weeks after a private release, "
   f"*whether she took part or not* ({weeks_off['weeks off'].iloc[2]:.1f}). What he learned is a fact about the treatment. She could not have kept it from him by "
   "staying out of the study, and that is exactly what differential privacy promises: *taking part changes next to nothing*. "
   "It does not promise that nothing is learned about you. Whether the study should be published at all is a good question, and not one "
   "that noise answers.")

# %% [markdown]
# (quiz-attacks)=
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. The attacker tries 200 thresholds on the games that he counts, and reports the best. What is wrong?**
#
# ```{dropdown} Nothing: attackers may do what they like.
# They may. But then the limits around the counts, which assume a threshold fixed beforehand, are wrong.
# ```
# ```{dropdown} The largest of many noisy counts is too large: his limits no longer hold.
# ✓ Yes. The threshold has to be chosen on other games. Then the counts are binomial, and the limits are what they say.
# ```
# ```{dropdown} He should report the mean over thresholds.
# That measures nothing that anybody wants to know. Choosing the best is fine, on games apart.
# ```
#
# **2. A company publishes an agent's Q-function to nine digits, not its reward. The world is a known game, and so is γ. What does a
# rival know?**
#
# ```{dropdown} The expected reward of every action in every state.
# ✓ Yes: $r = Q - \gamma P \max Q$, as far as Q satisfies Bellman's equation.
# ```
# ```{dropdown} The order of the actions, as if the policy had been published.
# Much more. A policy says which action is best; Q says by how much, everywhere, and Bellman's equation ties that to the reward.
# ```
# ```{dropdown} The reward up to a constant factor.
# The factor too: Q is in units of reward.
# ```
#
# **3. A Gaussian release is (1, 10⁻⁵)-private for one trajectory. A patient has three in the data. What protects her?**
#
# ```{dropdown} The same ε = 1: each of her trajectories is protected.
# Each for itself, yes. All three together move the release three times as far.
# ```
# ```{dropdown} A promise about three times weaker, unless her trajectories were bounded or added up beforehand.
# ✓ Yes. Group privacy is what is left when the unit is smaller than the person.
# ```
# ```{dropdown} Nothing at all.
# There is protection, but less: with Gaussian noise ε is 3.4 at the same δ.
# ```
#
# ## To take away
#
# * Exact averages: AUC about $\Phi(\sqrt{d/2n})$ for $d$ numbers about $n$ patients, for an attacker who knows nobody in the study.
# * A guarantee is a ceiling in closed form: $(e^\varepsilon - 1 + 2\delta)/(e^\varepsilon + 1)$ for the advantage; for
#   Gaussian noise less, $2\Phi(\mu/2) - 1$. The strongest attacks of this page come as close to the second as the games can tell, and none
#   is above it by more than chance.
# * **Attack honestly**: the number of games computed beforehand, thresholds chosen on other games, limits beside every number.
#
# ## Further reading

#
# * {cite:t}`homer2008` began it: a person's DNA found in a pooled sample. {cite:t}`dwork2015traceability` show when such tracing must
#   work, with the $\sqrt{d/n}$ of this page.
# * {cite:t}`shokri2017` brought membership inference to machine learning, with shadow models; {cite:t}`carlini2022` made it a likelihood-ratio test,
#   and insist on logarithmic axes.
# * {cite:t}`pan2019` attack deep reinforcement learning: what a policy gives away of the world it was trained in.
# * {cite:t}`ng2000`: rewards from behaviour, the harder problem when there is only a policy and no Q.
# * {cite:t}`jagielski2020`: attacks as audits of a mechanism; {doc}`/chapters/02_policy_evaluation/evidence/04_audit` does it here.
