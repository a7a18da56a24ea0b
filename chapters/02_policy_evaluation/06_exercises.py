# ---
# jupyter:
#   myst:
#     html_meta:
#       description: Exercises on private policy evaluation that check themselves, from warm-ups to research, and
#         a quiz with a reason for each answer.
# ---

# %% [markdown]
# # Exercises and a quiz
#
# ```{admonition} At a glance
# :class: tip
# * **What is here.** Exercises on {doc}`01_problem` to {doc}`05_what_it_costs`: four warm-ups, four core exercises, two proofs with an error,
#   three proofs to write, three longer ones, and two for research. Then five questions that need no pencil.
# * **How it works.** In the notebook (`make lab`), put your answer in place of the `...` and run the cell: it says what is missing, what
#   went wrong, or that you are right. In the book, answers that are numbers can be typed into the page, and solutions can be opened.
#   Proofs have a model answer and a marking scheme.
# * **How long.** Each exercise says it. Half an hour for the warm-ups and the quiz, forty minutes for the core, and about five hours for all.
# ```

# %% tags=["parameters"]
effort = 1.0  # the fraction of the full work
seed = 2016  # all randomness comes from here

# %% tags=["hide-input"]
import numpy as np
from scipy.optimize import isotonic_regression
from scipy.stats import norm

from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_sufficient_statistics, first_visit_statistics,
    shrunken_values, tabular_features)
from privrl_core.world import recovery_chain, sample_episodes
from privrl_core.pages import Exercise, Mistake, close_to
from privrl_core.privacy import gaussian_delta, gaussian_epsilon, gaussian_mu
from privrl_core.formatting import show

epsilon, delta = 1.0, 1e-5
chain = recovery_chain(initial=np.full(40, 1 / 40))       # from any stage
treatment = np.ones((40, 1))
values, F = chain.policy_values(treatment), 1.0
S, features = len(values), tabular_features(len(values))
rng = np.random.default_rng(seed)
patients = first_visit_statistics(
    sample_episodes(chain, treatment, 10_000, rng), S, chain.discount, return_bound=F)

def release(noise_rng):
    return dp_sufficient_statistics(patients, features, return_bound=F,
                                    epsilon=epsilon, delta=delta, noise_rng=noise_rng)

def rmse(parameters):
    return np.sqrt(np.mean((parameters - values) ** 2))

# %% [markdown]
# ## Warm-up
#
# ````{exercise} Counts alone
# :label: ex-counts
# *Practises: how far one patient moves a release. 3 minutes.*
#
# The clinic releases only visit counts, those of stages 1 to 30. What is the Euclidean sensitivity of these 30 counts (replace one)?
# ````

# %% tags=["remove-input"]
counts = Exercise(is_right=close_to(np.sqrt(30), mistakes=[
                      (30, "That is how many counts move, the L1 norm. The Euclidean length takes the root of the sum of squares."),
                      (np.sqrt(60), "A patient who is exchanged moves no count by more than 1: where both have been, nothing changes."),
                      (np.sqrt(40), "That is for the counts of all 40 stages. Thirty of them are released."),
                      (1, "That is one count. All 30 may move at once.")]),
                  hint="By how much can one patient change one count? All 30 at once?")

# %%
sensitivity_of_counts = ...
counts.check(sensitivity_of_counts)

# %% [markdown]
# ````{solution-start} ex-counts
# :class: dropdown
# ````
#
# Each count changes by at most 1. All 30 change by 1 if a patient who comes in at stage 31 is exchanged for one who comes in at stage 1 and gets beyond stage 30.

# %%
sensitivity_of_counts = np.sqrt(30)
counts.check(sensitivity_of_counts)

# %% [markdown]
# The pairs (visits, returns) of these stages have the *same* sensitivity in the norm of {prf:ref}`thm-sufficient`: once the counts are
# released, the returns come with noise of their own, but not with a larger $\sigma$.
#
# ````{solution-end}
# ````
#
# ````{exercise} Read the curve
# :label: ex-curve
# *Practises: from μ to ε. 3 minutes.*
#
# A colleague's release has $\mu = 0.5$. Which $\varepsilon$ can she promise at $\delta = 10^{-6}$? `gaussian_epsilon(delta, mu)` is loaded.
# ````

# %% tags=["remove-input"]
curve = Exercise(is_right=close_to(gaussian_epsilon(1e-6, 0.5), mistakes=[
                     (0.5, "μ is not ε: it is the distance of two bell curves in units of their width."),
                     (0.5 * np.sqrt(2 * np.log(1.25e6)), "That is the classical formula, which asks for more than it has to, and is proved for ε below 1 only. There is an exact one."),
                     (0.5**2 / 2 + 0.5 * np.sqrt(2 * np.log(1e6)), "That is an upper bound by Rényi divergences. It holds, and there is an exact, smaller one."),
                     (gaussian_epsilon(1e-6, 1.0), "That is for μ = 1."),
                     (gaussian_epsilon(1e-5, 0.5), "That is for δ = 10⁻⁵.")]),
                 hint="The function wants δ first.")

# %%
epsilon_of_colleague = ...
curve.check(epsilon_of_colleague)

# %% [markdown]
# ````{solution-start} ex-curve
# :class: dropdown
# ````

# %%
epsilon_of_colleague = gaussian_epsilon(1e-6, 0.5)
print(f"{epsilon_of_colleague:.3f}")
curve.check(epsilon_of_colleague)

# %% [markdown]
# ````{solution-end}
# ````
#
# ````{exercise} Short visits
# :label: ex-short
# *Practises: bounding what one person contributes. 10 minutes.*
#
# If one patient is replaced, the count of a stage moves by $x$ and its sum of returns by $y$. Let the squared length of such a move be $x^2 - xy/F + y^2/F^2$, added up over the stages, where returns lie
# between 0 and $F$. In the clinic of this chapter with its 40 stages it is 40 at most, and noise of this shape needs $\sigma = \sqrt{40}/\mu$. In another clinic no patient ever visits more than $T = 5$ of the 40 stages,
# and this is enforced. How large can the *squared* length of a move now be? So how much smaller may $\sigma$ be?
# ````

# %% tags=["remove-input"]
short_visits = Exercise(is_right=close_to(10, mistakes=[
                            (5, "That is one patient's five stages. The one who takes the place may visit five others."),
                            (20, "In a stage that only one of the two visits the squared length is at most 1."),
                            (np.sqrt(10), "That is the length. Asked for is its square."),
                            (25, "Squares are taken in each stage, and then added up. The number of stages is not squared."),
                            (40, "That is without the limit of five stages.")]),
                        hint="The old patient and the new one need not visit the same stages.")

# %%
largest_squared_length = ...
short_visits.check(largest_squared_length)

# %% [markdown]
# ````{solution-start} ex-short
# :class: dropdown
# ````
#
# The old and the new patient may visit different stages, $2T = 10$ in all. In a stage that only one of them visits the
# move is $\pm(1, f)$, whose squared length $1 - f/F + f^2/F^2$ is at most 1; where both visit it is $(0, f - f')$, at most
# 1 too.

# %%
largest_squared_length = 2 * 5
short_visits.check(largest_squared_length)

# %% [markdown]
# So $\sigma = \sqrt{10}/\mu$ instead of $\sqrt{40}/\mu$: half the noise. In general $\sqrt{\min(S, 2T)}$.
#
# ````{solution-end}
# ````
#
# ````{exercise} What is free?
# :label: ex-what-is-free
# *Practises: post-processing. 5 minutes.*
#
# A clinic has released noisy counts and noisy sums of its ten stages, once, with Gaussian noise. Its standard deviation σ was computed from the number of stages and from μ. Which of these may it publish afterwards at no further cost?
#
# 1. The mean return over stages 1 to 5 together, from the released numbers.
# 2. The σ of the noise.
# 3. The list of all stages with fewer than 50 visitors, from the records.
# 4. A straight line, fitted to the ten released averages with the noisy counts as weights.
# 5. The largest difference between a released average and the exact one.
#
# Answer with five numbers, 1 for *free* and 0 for *not free*.
# ````

# %% tags=["remove-input"]
what_is_free = Exercise(
    is_right=close_to([1, 1, 0, 1, 0], absolute=0.1, mistakes=[
        ((..., ..., 1, ..., ...), "The third one reads the records again: one patient may bring a stage from 49 visitors to 50."),
        ((..., ..., ..., ..., 1), "The last one is computed from exact averages. With it, the released number nearly gives the exact one away."),
        ((..., 0, ..., ..., ...), "σ was computed from the number of stages and from μ. Both are public."),
        ((0, ..., ..., ..., ...), "The first one is computed from released numbers alone: two sums of five numbers each, and a quotient."),
        ((..., ..., ..., 0, ...), "The weights of the line are released numbers as well.")]),
    hint="Ask of each: could you compute it if you had the released numbers, and no record?")

# %%
free_or_not = ...             # five numbers, such as [0, 0, 0, 0, 0]
what_is_free.check(free_or_not)

# %% [markdown]
# ````{solution-start} ex-what-is-free
# :class: dropdown
# ````
#
# 1, 2 and 4 are computed from what is already public. 3 and 5 look at the records again, so each of them is a release of its own.

# %%
free_or_not = [1, 1, 0, 1, 0]
what_is_free.check(free_or_not)

# %% [markdown]
# The list of the third line is free if it is made from the *noisy* counts, and then it may be wrong about a stage.
#
# ````{solution-end}
# ````
#
# ## Core
#
# ````{exercise} Two stages, smoothed
# :label: ex-smoothed-pair
# *Practises: smooth sensitivity. 10 minutes.*
#
# A clinic publishes the mean returns of two stages, with three visitors in one and six in the other. Returns lie between 0 and 1. With $v$ and $w$ visitors the two means together move by at most $\sqrt{1/v^2 + 1/w^2}$. A replaced record takes a
# visitor from both stages, but never the last one of a stage. Each replaced record counts with a discount of ¾. What is the smooth sensitivity?
# ````

# %% tags=["remove-input"]
smoothed_pair = Exercise(
    is_right=close_to(0.75**2 * np.hypot(1, 1 / 4), mistakes=[
        (np.hypot(1 / 3, 1 / 6), "That is the local sensitivity of our own data set. Look at data sets that are further away, too."),
        (np.hypot(1, 1 / 4), "You have found the data set that decides. It is two records away, and each of them counts with ¾."),
        (0.75 * np.hypot(1 / 2, 1 / 5), "That is one record away. Go on: which data set has the largest number?"),
        (0.75**3 * np.hypot(1, 1 / 3), "That is three records away. Nothing is gained by the third one in the first stage, which keeps its last visitor."),
        (0.75**2, "The second stage moves as well."),
        (np.hypot(0.75**2, 0.75**5), "You have smoothed each stage for itself. One data set has to be the same distance away for both."),
        (0.75**3 * np.hypot(1, 1 / 4), "From three visitors to one takes two replaced records, and not three.")]),
    hint="After k replaced records there are 3 − k and 6 − k visitors, at least one in each. Take the discount to the power k, and the largest number.")

# %%
smooth_sensitivity = ...
smoothed_pair.check(smooth_sensitivity)

# %% [markdown]
# ````{solution-start} ex-smoothed-pair
# :class: dropdown
# ````

# %%
for k in range(6):
    visitors = np.maximum([3 - k, 6 - k], 1)
    print(k, visitors, f"{0.75**k * np.linalg.norm(1 / visitors):.3f}")
smooth_sensitivity = 0.75**2 * np.hypot(1, 1 / 4)
smoothed_pair.check(smooth_sensitivity)

# %% [markdown]
# The data set that decides is two records away, where the first stage has its last visitor. The second stage, with six visitors, hardly matters, and yet its value gets the same noise.
#
# ````{solution-end}
# ````
#
# ````{exercise} Whose data decide?
# :label: ex-own-data
# *Practises: how many visitors smooth sensitivity takes. 10 minutes.*
#
# A single stage has $v$ visitors, and each replaced record counts with a discount of 0.9. From which $v$ on is the smooth sensitivity that of the own data set, $1/v$?
# ````

# %% tags=["remove-input"]
def own_data_from(discount):
    return next(v for v in range(2, 1000) if all(discount**k / (v - k) <= 1 / v for k in range(v)))

own_data = Exercise(
    is_right=close_to(own_data_from(0.9), 1e-9, mistakes=[
        (own_data_from(0.9) - 1, "That is one too few: there the data set with a single visitor still counts a little more."),
        (10, "You have compared your own data with those one record away. The data set with a single visitor counts more."),
        (own_data_from(0.75), "That is for a discount of ¾."),
        (25, "You have scaled up the nine visitors of the discount ¾. Smaller steps take more visitors than in proportion."),
        (own_data_from(0.9) + 1, "One fewer is enough.")]),
    hint="The data set with a single visitor is v − 1 records away. When does it count no more than 1/v?")

# %%
visitors_from = ...
own_data.check(visitors_from)

# %% [markdown]
# ````{solution-start} ex-own-data
# :class: dropdown
# ````
#
# $k$ records away the number is $0.9^k/(v - k)$. Its logarithm is a convex function of $k$, so it is largest at one of the two ends: at $k = 0$ with $1/v$, or at $k = v - 1$ with $0.9^{v-1}$. The own data decide if $v \cdot 0.9^{v-1} \le 1$.

# %%
visitors_from = next(v for v in range(2, 100) if v * 0.9 ** (v - 1) <= 1)
print(visitors_from)
own_data.check(visitors_from)

# %% [markdown]
# With a discount of ¾ it takes nine visitors, and with the $e^{-\beta/2}$ of {doc}`03_smooth_it` it takes 544. To four digits this discount is 0.9885, and with the rounded number you would find 546.
#
# ````{solution-end}
# ````
#
# ````{exercise} Enough visitors
# :label: ex-enough-visitors
# *Practises: from the noise of two sums to that of an average. 10 minutes.*
#
# A clinic releases the count and the sum of returns of each stage. Each of these numbers gets independent Gaussian noise with a standard deviation of 12. In one stage the mean return is 0.75. How many visitors must this stage have, so that the noise in its published
# average has a standard deviation of 0.05? Suppose that the noise is small beside the count.
# ````

# %% tags=["remove-input"]
enough_visitors = Exercise(
    is_right=close_to(300, mistakes=[
        (240, "You have the noise of the sum alone. The count below it has noise, too."),
        (180, "You have the noise of the count alone."),
        (420, "Independent noises add up in their squares: 12 and 9 make 15, and not 21."),
        (12 * np.sqrt(2) / 0.05, "An error of the count moves the average by only 0.75 times as much as one of the sum."),
        ((15 / 0.05) ** 2, "You have squared. The noise stays the same and is divided by the number of visitors, and not by its root."),
        (15 / 0.05**2, "You have squared the 0.05. The noise stays the same and is divided by the number of visitors.")]),
    hint="(R + a)/(v + b) is R/v + (a − 0.75 b)/v, nearly. What is the standard deviation of a − 0.75 b?")

# %%
visitors_needed = ...
enough_visitors.check(visitors_needed)

# %% [markdown]
# ````{solution-start} ex-enough-visitors
# :class: dropdown
# ````
#
# Let the noise be $a$ in the sum and $b$ in the count. With $R = 0.75\, v$ the error of the average is
#
# $$\frac{R + a}{v + b} - \frac Rv = \frac{a - 0.75\, b}{v + b} \approx \frac{a - 0.75\, b}{v} .$$
#
# The standard deviation of $a - 0.75\, b$ is $\sqrt{12^2 + 9^2} = 15$, so $v = 15/0.05$.

# %%
visitors_needed = np.hypot(12, 0.75 * 12) / 0.05
noise_of_sum, noise_of_count = 12 * rng.standard_normal((2, 100_000))
averages = (0.75 * 300 + noise_of_sum) / (300 + noise_of_count)
print(f"{visitors_needed:.0f}; tried with 300: ± {averages.std():.4f}")
enough_visitors.check(visitors_needed)

# %% [markdown]
# A stage with twice as many visitors has half of this noise, whatever the other stages do.
#
# ````{solution-end}
# ````
#
# ````{exercise} Two kinds of error
# :label: ex-two-errors
# *Practises: ignorance and privacy, in patients. 10 minutes.*
#
# A clinic with 1,000 patients has released values. Their error is 0.05: ignorance has a part of 0.03 in it, privacy one of 0.04, and squares add up. Next year the release will have the same ε and δ. How many patients does it take for an error of 0.01?
# ````

# %% tags=["remove-input"]
ignorance, privacy = 1_000 * 0.03**2, 1_000**2 * 0.04**2
two_errors = Exercise(
    is_right=close_to((ignorance + np.sqrt(ignorance**2 + 4 * 0.01**2 * privacy)) / (2 * 0.01**2), mistakes=[
        (25_000, "You have let the whole error fall like one over the root of the number of patients. Privacy's part falls faster."),
        (5_000, "You have let the whole error fall like one over the number of patients. Ignorance falls like one over its root."),
        (9_000, "That is for ignorance alone. Privacy's part comes on top of it."),
        (4_000, "That is for privacy alone. Ignorance comes on top of it."),
        (13_000, "You have added up the patients of both parts. They are the same patients, and one equation holds both parts."),
        (16_000, "You have let privacy's part fall like one over the root. The same noise is divided by the number of patients.")]),
    hint="With m patients the square of the error is a/m + b/m². Find a and b from the first release.")

# %%
patients_needed = ...
two_errors.check(patients_needed)

# %% [markdown]
# ````{solution-start} ex-two-errors
# :class: dropdown
# ````
#
# The square of the error is $a/m + b/m^2$. At $m = 1{,}000$ its parts are $0.03^2$ and $0.04^2$, so $a = 0.9$ and $b = 1{,}600$. Then $0.01^2 m^2 - a\, m - b = 0$.

# %%
a, b = 1_000 * 0.03**2, 1_000**2 * 0.04**2
patients_needed = (a + np.sqrt(a**2 + 4 * 0.01**2 * b)) / (2 * 0.01**2)
parts = np.sqrt([a / patients_needed, b / patients_needed**2])
print(f"{patients_needed:,.0f} patients: ignorance {parts[0]:.4f}, "
      f"privacy {parts[1]:.4f}")
two_errors.check(patients_needed)

# %% [markdown]
# The larger part has become the smaller one. With many patients privacy is no longer the problem.
#
# ````{solution-end}
# ````
#
# ## Find the error
#
# Each of these proofs ends in a guarantee that does not hold. Find the step, and show it with numbers.
#
# ````{exercise} A colleague saves half the noise
# :label: ex-average
# *Practises: to doubt a width that follows the data. 15 minutes.*
#
# *"I publish $\theta = F_X$, the mean first-visit returns. A patient's return lies in $[0, F]$, and the mean at $s$ is over
# $|X_s|$ patients, so one patient moves it by at most $F/|X_s|$. I add Gaussian noise of width
# $\sigma_s = F/(|X_s|\,\mu)$ to each stage, from the counts of my own data. For a single stage the two bell curves are then μ standard deviations apart: sensitivity over
# width is $\mu$."*
#
# Find two neighbouring data sets for a single stage (as lists of first-visit returns, `None` for a patient who never comes)
# for which the release at $\mu = 1$ has a larger $\delta$ at $\varepsilon = 1$ than two bell curves of the same width have that are one standard deviation apart. Here $F = 1$.
# ````

# %% tags=["remove-input"]
def width_follows_the_data(pair, mu=1.0):
    """delta(1) of the colleague's release on the two data sets, against that of two bell curves mu apart."""
    one, other = pair
    if len(one) != len(other):
        raise Mistake("Replace one: as many patients in both data sets.")
    if sum(min(one.count(r), other.count(r)) for r in set(one)) < len(one) - 1:
        raise Mistake("These differ in more than one patient.")
    seen = [[r for r in returns if r is not None] for returns in (one, other)]
    if not all(seen) or not all(0 <= r <= 1 for r in sum(seen, [])):
        raise Mistake("Returns lie between 0 and 1, and somebody must visit the stage in both data sets.")
    (m0, s0), (m1, s1) = [(np.mean(r), 1 / (len(r) * mu)) for r in seen]
    if s0 == s1:
        raise Mistake("As many visitors in both: the noise has the same width, and the colleague is right about this pair.")
    where = np.linspace(min(m0, m1) - 12 * max(s0, s1), max(m0, m1) + 12 * max(s0, s1), 200_001)
    p, q = norm.pdf(where, m0, s0), norm.pdf(where, m1, s1)
    deltas = [np.trapezoid(np.maximum(a - np.e * b, 0), where) for a, b in ((p, q), (q, p))]
    if max(deltas) <= 1.05 * gaussian_delta(1.0, mu):
        raise Mistake(f"Here δ is {max(deltas):.3f}, and two bell curves of one width have {gaussian_delta(1.0, mu):.3f}: the widths differ too little.")
    return True

average = Exercise(is_right=width_follows_the_data,
                   hint="The width is computed from the data as well. When does exchanging one patient change it most?")

# %%
two_neighbours = ...    # two lists; ([0.5, 0.7], [0.5, 0.2]) shows nothing yet
average.check(two_neighbours)

# %% [markdown]
# ````{solution-start} ex-average
# :class: dropdown
# ````
#
# The step *"sensitivity over width is μ"* holds for noise of one width. Here the neighbour has another: with one visitor
# fewer the noise is wider, and a value far out is likelier there by any factor.

# %%
two_neighbours = ([0.0, 1.0], [0.0, None])
average.check(two_neighbours)

# %% [markdown]
# That is why {doc}`evidence/02_mechanisms` needs a *smooth* bound: the width may follow the data, but slowly, and $\delta$ has to pay
# for it.
#
# ````{solution-end}
# ````
#
# ````{exercise} Twice the same patient
# :label: ex-every-visit
# *Practises: to find what a proof did not bound. 5 minutes.*
#
# *"First visits waste data. I sum the returns of every visit: for a patient who visits stage $s$ several times, all of them.
# A return is at most $F$, so one patient still moves the count $|X_s|$ by at most 1 and the sum $R_s$ by at most $F$, and the
# same $\sigma$ will do."*
#
# Give the largest Euclidean length by which one patient, whose trajectory has at most 100 steps, can change the *count* of a
# single stage in this way (replace one), on the chain of this chapter, where a patient may stay in a stage.
# ````

# %% tags=["remove-input"]
every_visit = Exercise(is_right=close_to(100, 0.011, mistakes=[
                           (1, "That is with first visits. Here a patient may be counted in the same stage week after week."),
                           (200, "The other patient cannot be there fewer than 0 times."),
                           (10, "Visits of one patient to one stage all move the same count. No root is taken of their number."),
                           (100 * np.sqrt(2), "One count moves here. The visits of the new patient go up as those of the old one go down."),
                           (100 / 40, "The patient need not spread the visits over all stages.")]),
                       hint="How often can a trajectory of 100 steps be in the same stage? And the patient whom it replaces?")

# %%
largest_change_of_a_count = ...
every_visit.check(largest_change_of_a_count)

# %% [markdown]
# ````{solution-start} ex-every-visit
# :class: dropdown
# ````
#
# A patient may stay in one stage for all 100 steps, and replace one who never was there.

# %%
largest_change_of_a_count = 100
slow = recovery_chain(stay=0.99, initial=np.eye(40)[0])
unlucky = sample_episodes(
    slow, treatment, 200, np.random.default_rng(seed), max_length=100)
visits = (unlucky.states[:, :-1] == 0).sum(axis=1)
print(f"among 200 patients who mostly stay, one is there {visits.max()} times")
every_visit.check(largest_change_of_a_count)

# %% [markdown]
# The proof bounds the *return* of a visit, and forgets the number of visits. First visits are not a whim of statisticians:
# they bound what one person contributes.
#
# ````{solution-end}
# ````
#
# ## Proofs to write
#
# No program checks these. Write your proof first, open the model answer, and give yourself points by the scheme. Each proof has ten.
#
# ````{exercise} The size of the noise betrays
# :label: ex-proof-size
# *Practises: δ from an event, Chebyshev's inequality. 20 minutes.*
#
# A clinic publishes $d$ numbers. Suppose that they are only noise: independent and normal with mean 0, and with standard deviation 1 if Anna was there and 2 if she was not.
#
# (a) Let $d = 1$. Prove that the release has a δ of at least 0.19 at ε = 1.
#
# (b) Prove that an attacker who starts at even odds can be right with a probability of at least $1 - 5/d$.
#
# For (a) you need that a normal number is further from its mean than one standard deviation with probability 0.3173, and further than two with probability 0.0455. For (b) you need that the square of a standard normal number has mean 1 and variance 2.
# ````
#
# ````{solution-start} ex-proof-size
# :class: dropdown
# ````
#
# **Model answer.** *(a)* Let $E$ be the event that the published number is further from 0 than 2. Without Anna this is one standard deviation, and with her it is two. So $\Pr[E \mid \text{without}] = 0.3173$ and $\Pr[E \mid \text{with}] = 0.0455$. A promise with ε = 1 says for this event that
#
# $$0.3173 \le e \cdot 0.0455 + \delta,$$
#
# so $\delta \ge 0.3173 - 2.7183 \cdot 0.0455 > 0.19$.
#
# *(b)* Let $A$ be the mean of the squares of the $d$ numbers. The attacker says *with* if $A < 2$, and *without* otherwise. With Anna, each square has mean 1 and variance 2. The numbers are independent, so $A$ has mean 1 and variance $2/d$. Without her each square is four times that of a standard normal number. So $A$ has mean 4 and variance $16 \cdot 2/d$. By Chebyshev's inequality
#
# $$\begin{gathered} \Pr[A \ge 2 \mid \text{with}] \le \Pr\bigl[\lvert A - 1\rvert \ge 1\bigr] \\ \le \frac{2/d}{1^2} = \frac2d, \\ \Pr[A < 2 \mid \text{without}] \le \Pr\bigl[\lvert A - 4\rvert \ge 2\bigr] \\ \le \frac{32/d}{2^2} = \frac8d . \end{gathered}$$
#
# At even odds the attacker is wrong with the mean of these two probabilities, which is at most $5/d$.
#
# | step | points |
# |---|---:|
# | (a) An event far out, and its probability in both worlds | 2 |
# | (a) The promise for this event, in the direction that is broken | 2 |
# | (b) A rule that looks at the size, such as the mean of squares and a threshold | 2 |
# | (b) Mean and variance of it in both worlds | 2 |
# | (b) Chebyshev for both errors, and their mean | 2 |
#
# **Often lost.** In (a) the event *"closer to 0 than something"* breaks nothing at ε = 1: near 0 the two densities differ by a factor of 2 at most. The order of the two worlds matters, too: far out it is the larger noise that is more likely. *"The law of large numbers says so"* in (b) proves no rate, and costs two points.
#
# ````{solution-end}
# ````
#
# ````{exercise} The smallest smooth bound
# :label: ex-proof-smooth
# *Practises: smooth sensitivity. 20 minutes.*
#
# Data sets have $m$ records each. Let $L(X) \ge 0$ be the local sensitivity of $X$, let $d(X, Y)$ be the number of records in which two data sets differ, and let $c$ be a discount with $0 < c < 1$. Returns are bounded, so $L$ is bounded, and
#
# $$S(X) = \sup_Y\, c^{\,d(X, Y)} L(Y)$$
#
# is finite. Call a function $T$ of data sets *smooth* if $T(X) \le T(X')/c$ for all neighbours. Prove that (a) $S \ge L$, (b) $S$ is smooth, and (c) every smooth function $T \ge L$ is at least $S$.
# ````
#
# ````{solution-start} ex-proof-smooth
# :class: dropdown
# ````
#
# **Model answer.** *(a)* Take $Y = X$. Then $d(X, X) = 0$ and $S(X) \ge c^0 L(X) = L(X)$.
#
# *(b)* Let $X$ and $X'$ be neighbours, and let $Y$ be any data set. If $Y$ differs from $X$ in $k$ records, then it differs from $X'$ in at most $k + 1$: those in which $X$ and $Y$ differ, and the one in which $X$ and $X'$ do. So $d(X', Y) \le d(X, Y) + 1$. As $c < 1$, a larger exponent gives a smaller number, and
#
# $$\begin{gathered} c^{\,d(X, Y)} L(Y) = \frac1c\, c^{\,d(X, Y) + 1} L(Y) \\ \le \frac1c\, c^{\,d(X', Y)} L(Y) \le \frac1c\, S(X') . \end{gathered}$$
#
# The right-hand side does not depend on $Y$. So it is at least the supremum of the left-hand side, which is $S(X)$.
#
# *(c)* Let $Y$ be any data set, and $k = d(X, Y)$. Replace the $k$ records one after another. This gives data sets $X = X_0, X_1, \dots, X_k = Y$, each a neighbour of the next. $T$ is smooth, so $T(X_{j+1}) \le T(X_j)/c$, which is $T(X_j) \ge c\, T(X_{j+1})$. Hence
#
# $$T(X) \ge c\, T(X_1) \ge \dots \ge c^k\, T(Y) \ge c^k L(Y) .$$
#
# This holds for every $Y$, so $T(X)$ is at least the supremum, which is $S(X)$.
#
# | step | points |
# |---|---:|
# | (a) with $Y = X$ | 1 |
# | (b) $d(X', Y) \le d(X, Y) + 1$, with its reason | 2 |
# | (b) From there to $c^{d(X, Y)} L(Y) \le S(X')/c$, for every $Y$ | 2 |
# | (b) The supremum over $Y$ | 1 |
# | (c) A chain of neighbours from $X$ to $Y$ | 2 |
# | (c) Smoothness along the chain, $T \ge L$ at its end, and the supremum | 2 |
#
# **Often lost.** In (b) a proof that looks only at the $Y$ where the supremum of $S(X)$ is attained loses one point if it does not say why it is attained. In (c) it is not enough to compare $X$ with its neighbours: this has at most two of the four points.
#
# ````{solution-end}
# ````
#
# ````{exercise} Noise on the sums keeps its promise
# :label: ex-proof-sums
# *Practises: sensitivity in the L2 norm, Gaussian noise. 20 minutes.*
#
# There are $S$ stages. A patient visits any set of them, with a return from 0 to $F$ in each. Let $N_s$ be the number of visitors of stage $s$, and $R_s$ the sum of their returns. The clinic releases all $N_s$ with Gaussian noise of standard deviation σ, and all $R_s$ with Gaussian
# noise of standard deviation $\sigma F$. All noises are independent. Prove for *replace one* that the release is μ-Gaussian-DP if $\sigma = \sqrt{2S}/\mu$, and that no smaller σ is enough.
#
# You may use that two normal distributions of variance 1 with means μ apart are told apart at even odds with probability $\Phi(\mu/2)$ at best. The promise of μ-Gaussian-DP is that nobody tells neighbours apart better than two such distributions.
# ````
#
# ````{solution-start} ex-proof-sums
# :class: dropdown
# ````
#
# **Model answer.** Divide every released sum by $F$. This is one-to-one, so it changes nothing for an attacker, and now all $2S$ numbers have noise of standard deviation σ. Let $v$ be the vector of the differences between their exact values for two neighbours.
#
# *The length of $v$.* In each stage the old patient contributes $(0, 0)$ or $(1, f/F)$ with $0 \le f \le F$, and so does the new one. Each coordinate of a contribution lies between 0 and 1, so each of the $2S$ coordinates of $v$ lies between −1 and 1, and $\lVert v\rVert \le \sqrt{2S}$.
#
# *One direction is left.* If $v = 0$, both worlds have the same distribution. Otherwise rotate the space so that the first axis is parallel to $v$. Independent normal noise of one standard deviation stays such noise. In the new coordinates the two worlds differ in the first one only, by $\lVert v\rVert$. The others are independent of it and have the same distribution in both worlds, so an attacker could draw them. Hence telling the worlds apart
# is exactly as hard as telling apart $\mathcal N(0, 1)$ and $\mathcal N(\ell, 1)$ with $\ell = \lVert v\rVert/\sigma$.
#
# *A shorter step is no easier.* We have $\ell \le \sqrt{2S}/\sigma = \mu$. From a number with distribution $\mathcal N(0, 1)$ or $\mathcal N(\mu, 1)$ one can make one with $\mathcal N(0, 1)$ or $\mathcal N(\ell, 1)$: multiply it by $\ell/\mu$, and add independent normal noise of variance $1 - (\ell/\mu)^2$. So nobody tells the second pair apart better than the first. This is the promise.
#
# *No smaller σ.* Let one patient visit all stages with the return $F$, and let the patient in her place visit none. Then every coordinate of $v$ is 1 or −1, and $\lVert v\rVert = \sqrt{2S}$. With $\sigma < \sqrt{2S}/\mu$ we have $\ell > \mu$. The best attacker is right with probability $\Phi(\ell/2) > \Phi(\mu/2)$, more often than the promise allows.
#
# | step | points |
# |---|---:|
# | One unit for counts and sums, and all coordinates of the move between −1 and 1 | 2 |
# | $\lVert v\rVert \le \sqrt{2S}$, for all neighbours | 1 |
# | Rotation: one coordinate has the difference, the others can be drawn | 2 |
# | A shorter step is no easier to see | 2 |
# | Neighbours that attain $\sqrt{2S}$ | 1 |
# | A smaller σ lets an attacker be right too often | 2 |
#
# **Often lost.** *"Each of the $2S$ numbers is private, so all are"* adds up something else, and has at most two points. A bound of $\sqrt{4S}$, for a patient who leaves and one who comes, forgets that a contribution is never negative.
#
# ````{solution-end}
# ````
#
# ## Longer ones
#
# ````{exercise} Other neighbours
# :label: ex-add-remove
# *Practises: the smallest ellipse around a set of moves. 20 minutes.*
#
# If neighbours *add or remove* one patient, the pair moves by $\pm(1, f)$ with $0 \le f \le F$. Find the smallest
# ellipse that holds these moves, as a matrix $M$ for $F = 1$: all moves $z$ have $z^\top M^{-1} z \le 1$.
# The area of this ellipse is $\pi\sqrt{\det M}$. Gaussian noise of covariance $M/\mu^2$ hides all moves in it. A linear map multiplies all areas by the same number, so it takes smallest ellipses to smallest ellipses.
# ````

# %% tags=["remove-input"]
def an_ellipse(matrix):
    """A matrix that stands for an ellipse, or the mistake."""
    matrix = np.asarray(matrix, float)
    if matrix.shape != (2, 2) or not np.allclose(matrix, matrix.T):
        raise Mistake("An ellipse belongs to a symmetric matrix with two rows and two columns.")
    if np.linalg.eigvalsh(matrix)[0] <= 0:
        raise Mistake("The matrix must be positive definite, or it is no ellipse.")
    return matrix

def farthest(matrix, moves):
    return np.einsum("ki,ij,kj->k", moves, np.linalg.inv(matrix), moves).max()

def holds_and_is_small(matrix):
    matrix, moves = an_ellipse(matrix), np.stack([np.ones(101), np.linspace(0, 1, 101)], axis=1)
    if (out := farthest(matrix, moves)) > 1 + 1e-9:
        raise Mistake(f"A move lies outside: there z⊤M⁻¹z is {out:.3f}. Is it M or its inverse that you have given?")
    if (size := np.linalg.det(matrix)) > 1.001:
        raise Mistake(f"It holds all moves, but its determinant is {size:.3f}. Around the hexagon of *replace one* it is 4/3; here less is enough.")
    return True

add_or_remove = Exercise(is_right=holds_and_is_small,
                         hint="It must touch at (1, 0) and (1, 1). Which linear map takes (1, 0) and (0, 1) there? And what is the smallest ellipse around ±(1, 0) and ±(0, 1)?")

# %%
ellipse_add_remove = ...
add_or_remove.check(ellipse_add_remove)

# %% [markdown]
# ````{solution-start} ex-add-remove
# :class: dropdown
# ````
#
# The moves have the corners $\pm(1, 0)$ and $\pm(1, 1)$. The matrix $A$ with these two columns takes $\pm(1, 0)$ and $\pm(0, 1)$ there. Around these four points the smallest ellipse is the unit circle, and $A$ takes it to the ellipse
# of $M = AA^\top$, which is the sum of the two corners' outer products.

# %%
ellipse_add_remove = np.outer([1, 0], [1, 0]) + np.outer([1, 1], [1, 1])
print(ellipse_add_remove)
add_or_remove.check(ellipse_add_remove)

# %% [markdown]
# Its determinant is 1 instead of 4/3. But then the number of patients is no longer public.
#
# ````{solution-end}
# ````
#
# ````{exercise} Free smoothing
# :label: ex-monotone
# *Practises: post-processing with public knowledge. 30 minutes.*
#
# Patients who are further along are closer to recovery: on the chain values increase from stage 1 to stage 39. You may
# know that without looking at data. Write `smooth(visits, return_sums)`, which turns one release into 40 values, so that
# the error with patients from any stage becomes a tenth smaller than the package's, at no cost in privacy. It has to work in
# other clinics, too: the check draws four new ones each time, quick and slow, in which patients stay longer in some stages than in others.
# ````

# %% tags=["remove-input"]
def a_clinic(slowest, quickest, rng, n=10_000):
    """Patients from any stage of a chain whose stages take different times: their statistics, and the values."""
    moves_on = rng.uniform(slowest, quickest, S - 1)
    weeks = np.cumsum(rng.geometric(moves_on, (n, S - 1))[:, ::-1], axis=1)[:, ::-1]      # from each stage to the end
    seen = np.arange(S - 1) >= rng.integers(0, S, n)[:, None]
    per_stage = 0.99 * moves_on / (1 - 0.99 * (1 - moves_on))
    log = FirstVisitStatistics(np.append(seen.sum(axis=0), n), np.append((seen * 0.99 ** (weeks - 1)).sum(axis=0), 0.0), n, F)
    return log, np.append(np.cumprod(per_stage[::-1])[::-1] / 0.99, 0)

def beats_the_package(smooth):
    rng = np.random.default_rng()         # not from the seed: nobody shall know these clinics beforehand
    found, said = [], []
    for speed in ((0.1, 0.3), (0.2, 0.8), (0.4, 0.6), (0.6, 0.95)):
        log, truth = a_clinic(*speed, rng)
        for _ in range(8):
            one = dp_sufficient_statistics(log, features, return_bound=F, epsilon=epsilon, delta=delta, noise_rng=rng)
            said.append(np.asarray(smooth(one.visits.copy(), one.return_sums.copy()), float))
            if said[-1].shape != (S,):
                raise Mistake(f"Forty values, please; these have the shape {list(said[-1].shape)}.")
            found.append([np.sqrt(np.mean((of - truth) ** 2)) for of in (said[-1], one.parameters)])
    mine, theirs = np.mean(found, axis=0)
    if np.array_equal(said[0], said[-1]):
        raise Mistake("Your function says the same of two clinics. So it knows something besides the release, or does not look at it.")
    if not mine < 0.9 * theirs:
        raise Mistake(f"Your error is {mine:.4f}, and the package's {theirs:.4f}; at most {0.9 * theirs:.4f} is asked for. Whose values are trustworthy, and "
                      "in which order must they be?")
    return True

smoothing = Exercise(is_right=beats_the_package,
                     hint="`scipy.optimize.isotonic_regression` takes weights: whose values are trustworthy?")

# %%
smooth = ...
smoothing.check(smooth)

# %% [markdown]
# ````{solution-start} ex-monotone
# :class: dropdown
# ````
#
# First what the package does, then the increasing sequence nearest to it, where stages with many visits count more.

# %%
def smooth(visits, return_sums):
    sigma = np.sqrt(S) / gaussian_mu(epsilon, delta)
    cautious = shrunken_values(
        visits, return_sums, return_bound=F, noise_scale=sigma)
    return np.append(
        isotonic_regression(cautious[:-1], weights=np.maximum(visits[:-1], 1)).x, 0)

once = release(np.random.default_rng(seed))
print(f"package {rmse(once.parameters):.4f}, "
      f"monotone {rmse(smooth(once.visits, once.return_sums)):.4f}")
smoothing.check(smooth)

# %% [markdown]
# ````{solution-end}
# ````
#
# ````{exercise} When privacy is no longer the problem
# :label: ex-even
# *Practises: when noise stops to matter. 20 minutes.*
#
# All patients start in stage 1, so each of the $S = 40$ stages has $n_s = m$ visitors. Count and sum of each stage get noise of the shape that hides one patient best. The error of the released values is then
#
# $$\text{error}^2 = \underbrace{\frac1S \sum_s \frac{\operatorname{Var}_s}{n_s}}_{\text{patients differ}}
#  + \underbrace{\frac1S \sum_s \frac{S}{\mu^2}\,\frac{\frac43 (F^2 - F V_s + V_s^2)}{n_s^2}}_{\text{privacy}} ,$$
#
# where $V_s$ is the value of stage $s$ and $\operatorname{Var}_s$ the variance of a return from there. In each stage a patient moves up with probability ½ each week; γ = 0.99 and $F = 1$. At $\varepsilon = 1$, $\delta = 10^{-5}$: from how many
# patients $m$ on is the first term larger than the second? To 3 %; a simulation of the variances does as well as a formula.
# ````

# %% tags=["remove-input"]
g, g2 = (discount * 0.5 / (1 - 0.5 * discount) for discount in (0.99, 0.99**2))
k = np.arange(S - 1, 0, -1)
variance_of_patients = np.sum(g2**k / 0.99**2 - g ** (2 * k) / 0.99**2) / S
assert np.allclose(g**k / 0.99, values[:-1])
variance_of_noise = np.mean(S / gaussian_mu(1, 1e-5) ** 2 * 4 / 3 * (F**2 - F * values + values**2))
break_even = Exercise(is_right=close_to(variance_of_noise / variance_of_patients, 0.03, mistakes=[
                          (np.sqrt(variance_of_noise / variance_of_patients), "Both terms are variances already: no root is missing."),
                          (np.mean(2 * S / gaussian_mu(1, 1e-5) ** 2 * (F**2 + values**2)) / variance_of_patients,
                           "That is with independent noise on counts and sums. The noise of the formula has another shape."),
                          (S / gaussian_mu(1, 1e-5) ** 2 * 4 / 3 * F**2 / variance_of_patients, "The noise of the sums alone. The counts have noise, too."),
                          (variance_of_patients / variance_of_noise, "The other way round.")]),
                      hint="One term is a number over m, the other a number over m².")

# %%
patients_to_break_even = ...
break_even.check(patients_to_break_even)

# %% [markdown]
# ````{solution-start} ex-even
# :class: dropdown
# ````
#
# The first term is the variance of one patient's return over $m$, the second that of the noise over $m^2$: they are equal
# where $m$ is their ratio at one patient. All patients pass all stages, so each stage has $m$ visits. The noise of
# $R - V\lvert X\rvert$ is that of {prf:ref}`thm-sufficient`. A patient who needs $T$ weeks from stage $k$ on has the return
# $0.99^{T - 1}$; the mean of $0.99^T$ and that of its square are powers of one stage's, as the weeks in a stage are independent.

# %%
V = values[:-1]
noise = np.mean(S / gaussian_mu(1, 1e-5) ** 2
                * 4 / 3 * (F**2 - F * values + values**2))

def of_one_stage(discount):          # mean of discount^weeks
    return discount * 0.5 / (1 - 0.5 * discount)

stages = np.arange(S - 1, 0, -1)
squares = of_one_stage(0.99**2) ** stages / 0.99**2
differ = np.sum(squares - V**2) / S
patients_to_break_even = noise / differ
print(f"about {show(patients_to_break_even)} patients")
break_even.check(patients_to_break_even)

# %% [markdown]
# It is a large number because the chain's returns vary so little; both errors are tiny long before.
#
# ````{solution-end}
# ````
#
# ## Research
#
# ````{exercise} A hint about the value
# :label: ex-hint
# *Practises: noise with a shape. An hour.*
#
# With $F = 1$, replacing a patient moves the pair $z = (|X_s|, R_s)$ of a stage within the hexagon with the corners $\pm(1, 0)$, $\pm(0, 1)$ and $\pm(1, 1)$. Noise with covariance $\sigma^2 M$ hides this if
# $z^\top M^{-1} z \le 1$ at each corner. The book's $M = \frac23 \begin{pmatrix} 2 & 1 \\ 1 & 2 \end{pmatrix}$ does. What matters in the end is the noise of $R_s - V|X_s|$, whose variance is proportional to
# $(-V, 1)\,M\,(-V, 1)^\top$. Suppose a rough guess of the value is public, say $V = 0.9$. Find an $M$ around the hexagon for which this number is smaller than for the book's $M$, where it is
# $\frac43(1 - V + V^2)$. How small can it get, and for which $V$ is the book's $M$ already the best?
# ````

# %% tags=["remove-input"]
def better_with_hint(matrix, V=0.9):
    matrix, direction = an_ellipse(matrix), np.array([-V, 1])
    if (out := farthest(matrix, np.array([[1, 0], [1, 1], [0, 1]]))) > 1 + 1e-9:
        raise Mistake(f"A corner of the hexagon lies outside: there z⊤M⁻¹z is {out:.3f}.")
    mine, theirs = direction @ matrix @ direction, 4 / 3 * (1 - V + V**2)
    if mine >= 0.9 * theirs:
        raise Mistake(f"It holds the hexagon, and your number is {mine:.3f}, where the book's M has {theirs:.3f}. Gain a tenth at least.")
    return True

hint = Exercise(is_right=better_with_hint,
                hint="Let the ellipse be long in the direction (1, V): noise there hardly hurts.")

# %%
ellipse_with_hint = ...
hint.check(ellipse_with_hint)

# %% [markdown]
# ````{solution-start} ex-hint
# :class: dropdown
# ````
#
# No ellipse gets below 1, since it must hold the corner $(0, 1)$, for which $R - V|X|$ moves by 1. And 1 is
# attained by $M^{-1} = \begin{pmatrix} a & -V \\ -V & 1 \end{pmatrix}$ with $a = \min(1, 2V)$, as long as $0 < V < 1$. At
# $V = \frac12$ this is the theorem's $M$. The price: at $V = 0.9$ the noise of the count alone has five times the variance
# 1 of its own move.

# %%
V = 0.9
ellipse_with_hint = np.linalg.inv([[min(1, 2 * V), -V], [-V, 1]])
direction = np.array([-V, 1])
print(f"with the hint {show(direction @ ellipse_with_hint @ direction)}, "
      f"by the theorem {show(4 / 3 * (1 - V + V**2))}")
hint.check(ellipse_with_hint)

# %% [markdown]
# Without a hint one can spend a part of the budget on getting one. That the gain is at most
# $1 - \sqrt{3/4} = 13$ % of the noise tells you how much of it you may spend.
#
# ````{solution-end}
# ````
#
# ````{exercise} Returns that increase
# :label: ex-open
# *Practises: noise with a shape, across stages. A paper.*
#
# In {prf:ref}`thm-sufficient` a patient's returns from different stages may be anything. On a chain they cannot: a
# patient with 70 weeks from stage 3 to the end needs fewer from stage 4, so a patient's returns increase with the
# stage. The set of moves is therefore smaller than a product of hexagons. Is there noise, correlated between
# stages, that gives the same guarantee with less error? Begin with two stages, and a program that enumerates the
# corners.
# ````
#
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. Why do released sums need no smooth sensitivity?**
#
# ```{dropdown} Because the number of patients is public.
# It is, but that alone is not the reason: the *quotient* has a large sensitivity at a rarely visited stage, public $m$ or not.
# ```
# ```{dropdown} Because the noise is larger than with smooth sensitivity.
# It is not, once divided by the visits: in every comparison above the error is about that of exactly calibrated DP-LSW or smaller.
# ```
# ```{dropdown} Because one patient moves a sum by at most their own contribution, whoever the others are.
# ✓ Yes. The worst case over all datasets equals the typical case, so the global sensitivity loses nothing.
# ```
#
# **2. The clinic releases the sums with ε = 1, δ = 10⁻⁵, and then fits twelve different regressions to them. What does it promise?**
#
# ```{dropdown} ε = 12, since twelve results are published.
# That would be right if each regression touched the records. They touch only what is already public.
# ```
# ```{dropdown} ε = 1, δ = 10⁻⁵, as before.
# ✓ Yes. Whatever is computed from a private release is as private as the release: post-processing.
# ```
# ```{dropdown} It depends on how the regressions were chosen.
# Not if they were chosen by looking at the release. It would if somebody had peeked at the *records* to choose them; then
# the peeking is what has to be paid for.
# ```
#
# **3. A hospital wants to publish σ_X of DP-LSW, so that readers can judge the accuracy. Is that fine?**
#
# ```{dropdown} No: σ_X follows the data, and the guarantee covers only the noisy parameters.
# ✓ Yes. For the sums σ is public: it depends on S and μ and on nothing else. That is one more reason to prefer them.
# ```
# ```{dropdown} Yes, the noise level is not about any patient.
# For most mechanisms that is true. But σ_X is computed from the visit counts, and one patient changes it.
# ```
# ```{dropdown} Yes, if it is rounded.
# Rounding makes leaks rarer, not impossible: somewhere a single patient tips the rounded number.
# ```
#
# **4. What does δ = 0.1 permit, taken by itself?**
#
# ```{dropdown} An ε that is 10 % larger than stated.
# δ does not rescale ε. It is added to a probability.
# ```
# ```{dropdown} A mechanism that publishes all records with probability one tenth.
# ✓ Yes. It may be that a particular mechanism is nowhere near that bad, but then its whole curve says so, not this pair.
# ```
# ```{dropdown} That ten per cent of the accuracy is lost.
# δ says nothing about accuracy.
# ```
#
# **5. A stage was visited by three patients. What will the released sums say about it?**
#
# ```{dropdown} Nearly nothing: its value is mostly noise, and is drawn to the pooled mean.
# ✓ Yes, and so it should be: three people cannot be hidden in three people. The other stages do not suffer from it.
# ```
# ```{dropdown} Nothing can be released at all.
# All stages are released; this one with a large error of its own. It is DP-LSW where one empty stage spoils all others.
# ```
# ```{dropdown} Its value to within 1/3.
# That would be so if the noise were as small as one patient. It hides a patient in *all* stages at once, and is larger by √S/μ.
# ```
#