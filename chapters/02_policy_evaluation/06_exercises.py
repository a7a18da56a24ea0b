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
# * **What is here.** Nine exercises on {doc}`01_problem` to {doc}`05_what_it_costs`, from warm-up to research, an open problem, and five
#   questions that need no pencil.
# * **How it works.** In the notebook (`make lab`), put your answer in place of the `...` and run the cell: it says what is missing, what
#   went wrong, or that you are right. In the book, answers that are numbers can be typed into the page, and solutions can be opened.
# * **How long.** Each exercise says it. Half an hour for the warm-ups and the quiz.
# ```

# %% tags=["parameters"]
effort = 1.0  # the fraction of the full work
seed = 2016  # all randomness comes from here

# %% tags=["hide-input"]
import numpy as np
from scipy.optimize import isotonic_regression
from scipy.stats import norm

from privrl_core.policy_evaluation import (
    dp_sufficient_statistics, first_visit_statistics, shrunken_values, tabular_features)
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
# The clinic releases only the 40 visit counts. What is their Euclidean sensitivity (replace one)?
# ````

# %% tags=["remove-input"]
counts = Exercise(is_right=close_to(np.sqrt(40), mistakes=[
                      (40, "That is how many counts move, the L1 norm. The Euclidean length takes the root of the sum of squares."),
                      (np.sqrt(80), "A patient who is exchanged moves no count by more than 1: where both have been, nothing changes."),
                      (1, "That is one count. All 40 may move at once.")]),
                  hint="By how much can one patient change one count? All 40 at once?")

# %%
sensitivity_of_counts = ...
counts.check(sensitivity_of_counts)

# %% [markdown]
# ````{solution-start} ex-counts
# :class: dropdown
# ````
#
# Each count changes by at most 1. All change by 1 if a patient whose record ends in stage 20 is exchanged for one who comes in
# stage 21 and visits all the others.

# %%
sensitivity_of_counts = np.sqrt(40)
counts.check(sensitivity_of_counts)

# %% [markdown]
# The pairs (visits, returns) have the *same* sensitivity in the norm of {prf:ref}`thm-sufficient`: once the counts are
# released, the returns come with noise of their own, but not with a larger $\sigma$.
#
# ````{solution-end}
# ````
#
# ````{exercise} Read the curve
# :label: ex-curve
# *Practises: from μ to ε. 3 minutes.*
#
# A colleague's release has $\mu = 0.5$. Which $\varepsilon$ can she promise at $\delta = 10^{-6}$?
# ````

# %% tags=["remove-input"]
curve = Exercise(is_right=close_to(gaussian_epsilon(1e-6, 0.5), mistakes=[
                     (0.5, "μ is not ε: it is the distance of two bell curves in units of their width."),
                     (0.5 * np.sqrt(2 * np.log(1.25e6)), "That is the classical formula, which asks for more than it has to. There is an exact one."),
                     (gaussian_epsilon(1e-5, 0.5), "That is for δ = 10⁻⁵.")]),
                 hint="Look at the functions of `privrl_core.privacy`.")

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
# In another clinic no patient ever visits more than $T = 5$ of the 40 stages, and this is enforced. How large can the
# *squared* length of a move now be, in the norm of {prf:ref}`thm-sufficient`? (So how much smaller may $\sigma$ be?)
# ````

# %% tags=["remove-input"]
short_visits = Exercise(is_right=close_to(10, mistakes=[
                            (5, "That is one patient's five stages. The one who takes the place may visit five others."),
                            (20, "In a stage that only one of the two visits the squared length is at most 1."),
                            (np.sqrt(10), "That is the length. Asked for is its square."),
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
# $\sigma_s = F/(|X_s|\,\mu)$ to each stage, from the counts of my own data. For $S = 1$ that is $\mu$-GDP: sensitivity over
# width is $\mu$."*
#
# Find two neighbouring data sets for a single stage (as lists of first-visit returns, `None` for a patient who never comes)
# for which the release at $\mu = 1$ has a larger $\delta$ at $\varepsilon = 1$ than 1-GDP allows.
# ````

# %% tags=["remove-input"]
def width_follows_the_data(pair, mu=1.0):
    """delta(1) of the colleague's release on the two data sets, against what mu-GDP allows."""
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
        raise Mistake(f"Here δ is {max(deltas):.3f}, and 1-GDP allows {gaussian_delta(1.0, mu):.3f}: the widths differ too little.")
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
# A return is at most $F$, so one patient still moves the pair $(|X_s|, R_s)$ by one of the moves of the hexagon, and the
# same $\sigma$ will do."*
#
# Give the largest Euclidean length by which one patient, whose trajectory has at most 100 steps, can change the *count* of a
# single stage in this way (replace one), on the chain of this chapter, where a patient may stay in a stage.
# ````

# %% tags=["remove-input"]
every_visit = Exercise(is_right=close_to(100, 0.011, mistakes=[
                           (1, "That is with first visits. Here a patient may be counted in the same stage week after week."),
                           (200, "The other patient cannot be there fewer than 0 times."),
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
# ## Longer ones
#
# ````{exercise} Other neighbours
# :label: ex-add-remove
# *Practises: the smallest ellipse around a set of moves. 20 minutes.*
#
# If neighbours *add or remove* one patient, the pair moves by $\pm(1, f)$ with $0 \le f \le F$. Find the smallest
# ellipse that holds these moves, as a matrix $M$ for $F = 1$: all moves $z$ have $z^\top M^{-1} z \le 1$.
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
                         hint="It must touch at (1, 0) and (1, 1). John's condition tells the rest.")

# %%
ellipse_add_remove = ...
add_or_remove.check(ellipse_add_remove)

# %% [markdown]
# ````{solution-start} ex-add-remove
# :class: dropdown
# ````
#
# The moves have the corners $\pm(1, 0)$, $\pm(1, 1)$: two contact points in two dimensions, so both have weight 1 in
# John's condition.

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
# another clinic, too, whose patients stay longer in each stage.
# ````

# %% tags=["remove-input"]
other_chain = recovery_chain(stay=0.7, initial=np.full(40, 1 / 40))
other_patients = first_visit_statistics(
    sample_episodes(other_chain, treatment, 10_000, np.random.default_rng([seed, 1])), S, other_chain.discount, return_bound=F)

def errors(smooth, log, truth, trials=20):
    """The mean error of the reader's values and of the package's, over the same releases."""
    made = [dp_sufficient_statistics(log, features, return_bound=F, epsilon=epsilon, delta=delta, noise_rng=np.random.default_rng(trial))
            for trial in range(trials)]
    return [np.mean([np.sqrt(np.mean((np.asarray(of(one), float) - truth) ** 2)) for one in made])
            for of in (lambda one: smooth(one.visits.copy(), one.return_sums.copy()), lambda one: one.parameters)]

def beats_the_package(smooth):
    mine, theirs = errors(smooth, patients, values)
    elsewhere, there = errors(smooth, other_patients, other_chain.policy_values(treatment))
    if mine < 0.9 * theirs and elsewhere > there:
        raise Mistake(f"Your error is {mine:.4f} here, the package's {theirs:.4f}; but with the release of another clinic it is {elsewhere:.4f} against "
                      f"{there:.4f}. Your function knows something besides the release.")
    if mine >= 0.9 * theirs:
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
# At $\varepsilon = 1$, $\delta = 10^{-5}$, all patients starting in stage 1: from how many patients on is the first term of
# {eq}`eq-error-today` (patients differ) larger than the second (privacy)?
# ````

# %% tags=["remove-input"]
g, g2 = (discount * 0.5 / (1 - 0.5 * discount) for discount in (0.99, 0.99**2))
k = np.arange(S - 1, 0, -1)
variance_of_patients = np.sum(g2**k / 0.99**2 - g ** (2 * k) / 0.99**2) / S
assert np.allclose(g**k / 0.99, values[:-1])
variance_of_noise = np.mean(S / gaussian_mu(1, 1e-5) ** 2 * 4 / 3 * (F**2 - F * values + values**2))
break_even = Exercise(is_right=close_to(variance_of_noise / variance_of_patients, 0.03, mistakes=[
                          (np.sqrt(variance_of_noise / variance_of_patients), "Both terms are variances already: no root is missing."),
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
# What matters in the end is the noise of $R_s - V_s|X_s|$, whose variance is proportional to
# $(-V, 1)\,M\,(-V, 1)^\top$. Suppose a rough guess of the value is public, say $V = 0.9$ (with $F = 1$). Find an ellipse
# $M$ around the hexagon for which this number is smaller than for the theorem's $M$, where it is
# $\frac43(1 - V + V^2)$. How small can it get, and for which $V$ is the theorem's $M$ already the best?
# ````

# %% tags=["remove-input"]
def better_with_hint(matrix, V=0.9):
    matrix, direction = an_ellipse(matrix), np.array([-V, 1])
    if (out := farthest(matrix, np.array([[1, 0], [1, 1], [0, 1]]))) > 1 + 1e-9:
        raise Mistake(f"A corner of the hexagon lies outside: there z⊤M⁻¹z is {out:.3f}.")
    mine, theirs = direction @ matrix @ direction, 4 / 3 * (1 - V + V**2)
    if mine >= 0.9 * theirs:
        raise Mistake(f"It holds the hexagon, and your number is {mine:.3f}, where the theorem's M has {theirs:.3f}. Gain a tenth at least.")
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
# ````{exercise} Open
# :label: ex-open
# {prf:ref}`thm-sufficient` lets a patient's returns from different stages be anything. On a chain they cannot: whoever
# gets from stage 3 to the end in 70 weeks gets from stage 4 there in fewer, so their returns increase with the
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