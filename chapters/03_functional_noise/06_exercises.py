# ---
# jupyter:
#   myst:
#     html_meta:
#       description: Exercises on Q-learning with functional noise that check themselves and name common mistakes,
#         and a quiz with a reason for each answer.
# ---

# %% [markdown]
# # Exercises and a quiz
#
# ```{admonition} At a glance
# :class: tip
# * **What is here.** Ten exercises on {doc}`01_read_the_reward` to {doc}`05_today`, from warm-up to research, three proofs with an error
#   among them, and five questions that need no pencil. A *path* is a random curve of {doc}`02_a_random_curve`.
# * **How it works.** In the notebook (`make lab`), put your answer in place of the `...` and run the cell: it says what is missing, what
#   went wrong, or that you are right. In the book, answers that are numbers can be typed into the page, and solutions can be opened.
# * **How long.** Each exercise says what it practises and about how many minutes it takes. Half an hour for the warm-ups and the quiz.
# ```

# %% tags=["parameters"]
effort = 1.0  # the fraction of the full work
seed = 2019  # all randomness comes from here

# %% tags=["hide-input"]
import math

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import brentq

from privrl_core.privacy import (
    compose_gaussians, epsilon_lower_bound, gaussian_epsilon, gaussian_mu, success_ceiling)
from privrl_core.pages import Exercise, Mistake, close_to
from privrl_core.functional_noise import (
    OUPath, PiecewiseLinear, bridge, fitted_q_iteration, h_norm_bound, hat_features, rkhs_norm,
    sample_ou, sup_tail_exact)
from privrl_core.world import greedy_return, middle_reward, optimal_return, walk
from privrl_core.formatting import show

rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world's, and the noise's

# %% [markdown]
# ## Warm-up
#
# ````{exercise} Between two answers
# :label: ex-between
# *Practises: drawing a path where it is asked. 5 minutes.*
#
# A path with β = 2 and σ = 0.5 has been asked at 0.3 and at 0.7, and said 0.4 and −0.2. Somebody asks at 0.4. What will the
# answer be? Give its mean and its standard deviation.
# ````

# %% tags=["remove-input"]
known, told = np.array([0.3, 0.7]), np.array([0.4, -0.2])
its_weights = np.linalg.solve(np.exp(-2 * np.abs(known[:, None] - known)), to_known := np.exp(-2 * np.abs(known - 0.4)))
its_mean, left_over = its_weights @ told, 1 - its_weights @ to_known
between = Exercise(
    is_right=close_to([its_mean, 0.5 * np.sqrt(left_over)], mistakes=[
        ((its_weights[::-1] @ told, ...), "Your mean has the weights exchanged: the *nearer* neighbour counts more. (So does the printed Equation (2).)"),
        ((to_known[0] * told[0], ...), "Your mean forgets the neighbour on the right."),
        ((its_mean * 0.5, ...), "The known values are those of the path as it is: σ does not multiply them again."),
        ((its_mean, 0.5 * left_over), "The mean is right. d is a variance, and takes a root before σ multiplies it."),
        ((its_mean, 0.25 * left_over), "The mean is right. That is the variance; the standard deviation was asked for."),
        ((its_mean, np.sqrt(left_over)), "The mean is right. The standard deviation is that of a path of size 1; this one has σ = 0.5."),
        ((its_mean, np.sqrt(0.5 * left_over)), "The mean is right. The variance is σ²d, not σd as line 16 of the algorithm prints."),
        ((its_mean, 0.5), "The mean is right. So much would be left if nothing were known.")]),
    hint="`bridge` knows two weights and d. Which weight belongs to whom, and what is d?")

# %%
mean_and_deviation = ...    # such as (0.0, 0.5)
between.check(mean_and_deviation)

# %% [markdown]
# ````{solution-start} ex-between
# :class: dropdown
# ````

# %%
w_left, w_right, d = bridge(0.3, 0.4, 0.7, 2)
mean_and_deviation = w_left * 0.4 + w_right * -0.2, 0.5 * np.sqrt(d)
print(f"{mean_and_deviation[0]:.3f} ± {mean_and_deviation[1]:.3f}")
between.check(mean_and_deviation)

# %% [markdown]
# The check solves the 2 × 2 system of {doc}`evidence/01_noise` instead. And where in [0, 1] is an answer least certain? Not half way between
# the two, but at 0 and 1, where there is a neighbour on one side only.
#
# ````{solution-end}
# ````
#
# ````{exercise} How wavy may it be?
# :label: ex-wavy
# *Practises: the norm that a path hides. 10 minutes.*
#
# Two functions differ by $h(x) = 0.02\,\sin(2\pi n x)$. One of them is released under a path with β = 16, σ = 0.32. Up to which
# whole number n of waves is the release (1, 10⁻⁵)-differentially private for this pair?
# ````

# %% tags=["remove-input"]
def most_waves(mu_of):
    waves = np.arange(1, 1000)
    return waves[mu_of(waves) <= gaussian_mu(1, 1e-5)].max(initial=0)

def squared_norm(n):
    return 0.02**2 * ((2 * np.pi * n) ** 2 / (4 * 16) + 16 / 4)

wavy = Exercise(
    is_right=close_to(most_waves(lambda n: np.sqrt(squared_norm(n)) / 0.32), 1e-9, mistakes=[
        (most_waves(lambda n: squared_norm(n) / 0.32), "That takes the square of the norm for the norm, as Theorem 5 does."),
        (most_waves(lambda n: np.sqrt(0.02**2 * 9 + (0.04 * np.pi * n) ** 2 / 32) / 0.32),
         "That is what the bound by height and slope allows. It holds for *all* such functions; this is one, and its norm an integral."),
        (most_waves(lambda n: 0.02 * np.pi * n / 4 / 0.32), "That is just too many. Round down, and see whether your norm holds h² as well as its slope."),
        (most_waves(lambda n: np.sqrt(0.02**2 * ((2 * np.pi * n) ** 2 / 32 + 8)) / 0.32), "The mean of sin² and of cos² is a half.")]),
    hint="Lemma 6 is an integral of sin² and cos²; h is 0 at both ends. Which μ belongs to (1, 10⁻⁵)?")

# %%
waves = ...
wavy.check(waves)

# %% [markdown]
# ````{solution-start} ex-wavy
# :class: dropdown
# ````
#
# $\lVert h\rVert_H^2 = \frac{0.02^2}{2\beta}\Bigl(\frac{(2\pi n)^2}{2} + \frac{\beta^2}{2}\Bigr)$ must be at most $(\mu\sigma)^2$.

# %%
allowed = (gaussian_mu(1, 1e-5) * 0.32 / 0.02) ** 2     # in units of 0.02²
waves = int(np.sqrt((allowed - 16 / 4) * 4 * 16) / (2 * np.pi))

x = np.linspace(0, 1, 20_001)                           # a second way
for n in (waves, waves + 1):
    h = PiecewiseLinear(x, 0.02 * np.sin(2 * np.pi * n * x))
    seen = rkhs_norm(h, 16) / 0.32
    print(f"{n} waves: ε = {gaussian_epsilon(1e-5, seen):.3f}")
wavy.check(waves)

# %% [markdown]
# The height was the same all the time. Noise that is a function hides *smooth* differences.
#
# ````{solution-end}
# ````
#
# ````{exercise} Three learning rates
# :label: ex-tried
# *Practises: counting everything that read the secret. 5 minutes.*
#
# A team releases a reward once, by a Gaussian mechanism at ε = 0.45, δ = 10⁻⁴. Then it trains `q_learning_private_state` with
# three learning rates, each at ε = 0.9, δ = 10⁻⁴, on the true reward; neighbours are the same for all four. It keeps the one that does best *on the
# released reward*, publishes that, and deletes the other two. Which ε can it state for all that it has published, at δ = 10⁻⁴?
# ````

# %% tags=["remove-input"]
mu_reward, mu_training = gaussian_mu(0.45, 1e-4), gaussian_mu(0.9, 1e-4)
tried = Exercise(
    is_right=close_to(gaussian_epsilon(1e-4, np.sqrt(mu_reward**2 + 3 * mu_training**2)), 0.005, mistakes=[
        (gaussian_epsilon(1e-4, np.hypot(mu_reward, mu_training)),
         "That counts one training. But which of the three was published depends on all three: each of them read the reward."),
        (gaussian_epsilon(1e-4, np.sqrt(3) * mu_training), "The released reward is published too, and chose the winner."),
        (0.9, "That is the guarantee of one training, as if nothing else had read the reward."),
        (0.45 + 3 * 0.9, "Adding ε is allowed, but δ adds up then too; and these are Gaussian releases, for which there is an exact way."),
        (0.45 + 0.9, "Adding ε is allowed, but δ adds up then too; and there were three trainings."),
        (np.sqrt(0.45**2 + 3 * 0.9**2), "The squares of μ add up, not those of ε.")]),
    hint="Which computations read the true reward? Each has a μ; `compose_gaussians`.")

# %%
epsilon_of_all = ...
tried.check(epsilon_of_all)

# %% [markdown]
# ````{solution-start} ex-tried
# :class: dropdown
# ````
#
# Four computations read the true reward. What was published is computed from the four results, the choice included.

# %%
mus = [gaussian_mu(0.45, 1e-4)] + 3 * [gaussian_mu(0.9, 1e-4)]
epsilon_of_all = gaussian_epsilon(1e-4, compose_gaussians(mus))
print(f"ε = {epsilon_of_all:.2f}")
tried.check(epsilon_of_all)

# %% [markdown]
# What was deleted has been seen, and helped to choose. Had the team compared the learning rates by their true return, there would be
# no ε to state at all.
#
# ````{solution-end}
# ````
#
# ## Find the error
#
# The first two are steps of the paper's own proof, taken out and made sharp; the third belongs to a colleague. Find the step
# that fails, and show it with numbers.
#
# ````{exercise} Two gentle functions
# :label: ex-steep
# *Practises: reading a proof for what it assumes of a difference. 15 minutes.*
#
# *"Q and Q′ have slopes of at most L, so their difference has. It is nowhere larger than S. Hence
# $\lVert Q - Q'\rVert_H^2 \le S^2(1 + \frac\beta2) + \frac{L^2}{2\beta}$, for which we calibrate the noise."*
#
# Let L = 1, S = 0.1, β = 1. Find Q and Q′, as two `PiecewiseLinear(knots, values)` on [0, 1] with slopes of at most 1 and at
# most 0.1 apart, for which the squared norm is more than **three times** what the proof allows.
# ````

# %% tags=["remove-input"]
def too_long(pair, L=1.0, S=0.1, beta=1.0):
    for f in pair:
        slope = np.abs(np.diff(f.values) / np.diff(f.knots)).max()
        if slope > L + 1e-9:
            raise Mistake(f"A slope of {slope:.3g} is too steep: L = 1.")
    h = pair[0] - pair[1]
    if np.abs(h.values).max() > S + 1e-9:
        raise Mistake(f"Somewhere they are {np.abs(h.values).max():.3g} apart, and at most 0.1 is allowed. "
                      "A difference that climbs has to come down again.")
    ratio = rkhs_norm(h, beta) ** 2 / (S**2 * (1 + beta / 2) + L**2 / (2 * beta))
    if ratio < 3:
        raise Mistake(f"Their squared norm is {show(ratio)} times what the proof allows. How steep can a difference be, and in how "
                      "large a part of [0, 1]?")
    return True

steep = Exercise(is_right=too_long, hint="Two functions on [0, 1]: `(PiecewiseLinear(knots, values), PiecewiseLinear(knots, values))`.")

# %%
two_functions = ...         # a pair of PiecewiseLinear([0, ..., 1], values)
steep.check(two_functions)

# %% [markdown]
# ````{solution-start} ex-steep
# :class: dropdown
# ````
#
# "So their difference has" is the step: while one climbs the other may fall, and the difference has slope 2L. To stay within S
# it turns often, and is steep nearly everywhere.

# %%
knots = np.linspace(0, 1, 11)
zigzag = np.where(np.arange(11) % 2, 0.05, -0.05)       # slopes of ±1
two_functions = (PiecewiseLinear(knots, zigzag),
                 PiecewiseLinear(knots, -zigzag))

squared = rkhs_norm(two_functions[0] - two_functions[1], beta=1) ** 2
allowed, mended = (h_norm_bound(0.1, L, 1) ** 2 for L in (1, 2))
print(f"squared norm {squared:.3f}; the proof allows {allowed:.3f}, "
      f"with a slope of 2L {mended:.3f}")
steep.check(two_functions)

# %% [markdown]
# Nearly four times the square is nearly twice the noise. With 2L for L the bound holds, and these two functions almost
# attain it.
#
# ````{solution-end}
# ````
#
# ````{exercise} How high, and how far apart
# :label: ex-high
# *Practises: saying exactly which event has a small probability. 15 minutes.*
#
# *"Choose k so large that $\max g \ge 2k$ has a probability of 1 % only. Otherwise g(s) and g(s′) are both below 2k, and so the
# noise in an error, $g(s') - g(s)$, is at most 2k in size."*
#
# Let σ = 1, β = 16; the cell below finds this k exactly. With which probability do some s and s′ in [0, 1] break the conclusion,
# $\lvert g(s') - g(s)\rvert > 2k$? Sample it, to within 0.05.
# ````

# %%
k = brentq(lambda k: sup_tail_exact(2 * k, 16) - 0.01, 0.5, 4)
print(f"k = {k:.3f}")

# %% tags=["remove-input"]
def broken(points, paths, rng, k=k):
    """The share of paths that span more than 2k, between the points too: there they are Brownian bridges, nearly."""
    g = sample_ou(np.tile(np.linspace(0, 1, points), (paths, 1)), 16, 1, rng)
    here, there = g[:, :-1], g[:, 1:]
    up, down = (np.sqrt((here - there) ** 2 + 4 * 16 / (points - 1) * rng.standard_exponential(here.shape)) for _ in range(2))
    return np.mean((here + there + up).max(axis=1) - (here + there - down).min(axis=1) > 4 * k)

broken_in = broken(401, 4000, np.random.default_rng(seed))

high = Exercise(
    is_right=close_to(broken_in, absolute=0.05, mistakes=[
        (1 - broken_in, "That is the share of paths that *keep* the conclusion."),
        (0.01, "That is what the proof believes. Sample some paths and take the highest value less the lowest."),
        *((broken_in - 0.1 * k, "Near, but too low. How fine is your grid? A path with β = 16 is rough: what lies between two points counts.")
          for k in (1, 2, 3, 4))]),
    hint="`sample_ou` takes points for each of many paths; `np.ptp` is the highest value less the lowest.")

# %%
probability_broken = ...
high.check(probability_broken)

# %% [markdown]
# ````{solution-start} ex-high
# :class: dropdown
# ````
#
# A bound on the *maximum* says nothing about how low the path goes. Both values are below 2k; one may be at 2 and the other at −2.

# %%
grid = np.tile(np.linspace(0, 1, 4001), (1000, 1))
paths = sample_ou(grid, beta=16, sigma=1, rng=noise_rng)
probability_broken = np.mean(np.ptp(paths, axis=1) > 2 * k)
print(f"{probability_broken:.0%} on 4,001 points; "
      f"with what lies between them {broken_in:.0%}")
high.check(probability_broken)

# %% [markdown]
# Not in one case of a hundred but in nine of ten. (Between the points of a grid a path goes further still; the check adds that.) What
# does give $\lvert g(s') - g(s)\rvert \le 2k$ is $\max\lvert g\rvert \le k$: half the height, and two sides (`sup_abs_tail`), for
# each action. The paper's proof makes this step. Where its theorem applies that does no harm, since its bound on the maximum is so much
# too large; with a sharp bound it would.
#
# ````{solution-end}
# ````
#
# ````{exercise} Noise of mean zero
# :label: ex-optimist
# *Practises: expectation and maximum. 15 minutes.*
#
# *"In each update g is drawn anew, and its mean is zero. So the error $r + \gamma\max_a(Q + g)(s', a) - (Q + g)(s, a)$ is on
# average what it is without noise, and with small steps Q settles where it would anyway: at $Q^\star$."*
#
# Take a world with one state and two equally good actions, γ = 0.9, and noise of σ = 0.32 that is independent for the two.
# How far above $Q^\star$ does Q settle?
# ````

# %% tags=["remove-input"]
higher = 0.32 / np.sqrt(np.pi)            # the mean of the larger of two normals
optimist = Exercise(
    is_right=close_to(0.9 * higher / (1 - 0.9), 0.02, mistakes=[
        (0.9 * higher, "That is what one update adds. The next one starts from there."),
        (higher, "That is the mean of the larger of two normals. How does it enter an update, and where does Q settle?"),
        (higher / (1 - 0.9), "The maximum is in the target, which is discounted once more."),
        (0.9 * 0.32 * np.sqrt(2 * np.log(2)) / (1 - 0.9), "That is a bound on the mean of the maximum. For two normals it is known exactly.")]),
    hint="What is the mean of max(g₁, g₂)? Put it into the equation that Q solves when it has settled.")

# %%
too_high_by = ...
optimist.check(too_high_by)

# %% [markdown]
# ````{solution-start} ex-optimist
# :class: dropdown
# ````
#
# The mean of a maximum is not the maximum of the means: $\mathbb E\max(g_1, g_2) = \sigma/\sqrt\pi$. Q settles where
# $Q = r + \gamma(Q + \sigma/\sqrt\pi)$, above $r/(1 - \gamma)$ by

# %%
too_high_by = 0.9 * 0.32 / np.sqrt(np.pi) / (1 - 0.9)

updates, alpha, r = max(5_000, round(20_000 * effort)), 0.01, 0.25
truth = r / (1 - 0.9)
Q, trace = np.full(2, truth), []
for g in 0.32 * noise_rng.standard_normal((updates, 2)):
    Q = Q + alpha * (r + 0.9 * np.max(Q + g) - (Q + g))
    trace.append(Q.mean())
found = np.mean(trace[updates // 2:]) - truth
print(f"{too_high_by:.3f}; in a run of {updates:,} updates {found:.3f}")
optimist.check(too_high_by)

# %% [markdown]
# An error in Q of more than three times the largest reward, and it does not average out. It hurts if some states have close actions and others
# don't: then noise makes the former look better. More actions make it worse, like $\sqrt{2\ln m}$ ({doc}`evidence/04_utility`).
#
# ````{solution-end}
# ````
#
# ## Longer ones
#
# ````{exercise} A path for a smooth secret
# :label: ex-smooth
# *Practises: changing a mechanism, proving that it is as private, and measuring what was won. 30 minutes.*
#
# A reward is to be released once, at 101 equally spaced places. {doc}`evidence/05_reward_once` adds independent noise, and the width grows like the
# root of the number of places. Suppose the owner's neighbours are smooth: two rewards are neighbours if they differ by at
# most η = 0.01 *and* their slopes by at most Λ = 0.1. Change the noise: give the covariance of other Gaussian noise (a 101 × 101
# matrix) with the same guarantee, (0.9, 10⁻⁴), whose standard deviation at each place is at most 0.4 of what independent
# noise needs.
#
# `largest_mu` tries your matrix on sixteen hundred such differences. That is a necessary check; the proof is yours.
# ````

# %%
places = np.linspace(0, 1, 101)
eta, slope, mu = 0.01, 0.1, gaussian_mu(0.9, 1e-4)
independent = 101 * eta**2 / mu**2 * np.eye(101)

def differences():
    """A constant and triangle waves, as steep and high as allowed."""
    yield np.full(101, eta)
    for period in range(2, 202):
        for shift in np.arange(0, period, period / 8):
            step = (np.arange(101) + shift) % period
            wave = slope / 100 * np.minimum(step, period - step)
            yield np.clip(wave - wave.max() / 2, -eta, eta)

tests = np.array(list(differences()))

def largest_mu(covariance):
    weighed = np.linalg.solve(covariance, tests.T)
    return np.sqrt(np.sum(tests.T * weighed, axis=0).max())

print(f"independent noise: σ = {np.sqrt(independent[0, 0]):.3f}, "
      f"largest μ = {largest_mu(independent):.3f} of {mu:.3f}")

# %% tags=["remove-input"]
def as_private_and_smaller(covariance, mu=mu, independent=independent):
    covariance = np.asarray(covariance, dtype=float)
    if covariance.shape != (101, 101) or not np.allclose(covariance, covariance.T):
        raise Mistake("A covariance of 101 values is a symmetric 101 × 101 matrix.")
    eigenvalues = np.linalg.eigvalsh(covariance)
    if eigenvalues[0] < 1e-9 * eigenvalues[-1]:
        raise Mistake("Some combination of the 101 values gets (almost) no noise: its neighbour would show through. So smooth a path hides "
                      "smooth functions only, and a kink is not one.")
    seen, width = largest_mu(covariance), np.sqrt(np.diag(covariance).max() / independent[0, 0])
    if seen > mu * (1 + 1e-6):
        advice = ("Noise that is independent from place to place cannot be made smaller." if np.count_nonzero(covariance) == 101 else
                  "What is the largest norm of a difference, at your β?")
        raise Mistake(f"One of the differences is seen with μ = {show(seen)}, and only {show(mu)} is allowed. {advice}")
    if width > 0.4:
        advice = ("Is that σ before the exponential? A covariance takes σ²." if largest_mu(covariance * covariance.max()) <= mu else
                  "At which β is the norm of a neighbouring difference least?")
        raise Mistake(f"These differences are hidden, but the noise is {show(width)} times as wide as independent noise; asked for is 0.4. {advice}")
    return True

smooth = Exercise(is_right=as_private_and_smaller, hint="Noise that is a curve, among the evidence, bounds the norm of such a difference for every β; a path has the covariance σ² exp(−β|x − y|).")

# %%
covariance = ...
smooth.check(covariance)

# %% [markdown]
# ````{solution-start} ex-smooth
# :class: dropdown
# ````
#
# A path asked at 101 places is post-processing of the whole path, and that hides what is small in its norm: at
# $\beta = \Lambda/\eta$ all of these differences have $\lVert h\rVert_H^2 \le \eta^2 + \eta\Lambda$. The number of places does not enter.

# %%
beta = slope / eta
covariance = ((eta**2 + eta * slope) / mu**2
              * np.exp(-beta * np.abs(places[:, None] - places)))
print(f"a path: σ = {np.sqrt(covariance[0, 0]):.3f}, "
      f"largest μ = {largest_mu(covariance):.3f} of {mu:.3f}")
smooth.check(covariance)

# %% [markdown]
# And what is it worth? Learn from both releases, on walks that never look at a reward.

# %%
runs = max(6, round(30 * effort))
states, actions, next_states = walk(5000, rng, runs=runs)

def earned(covariance):
    released = middle_reward(places) + noise_rng.multivariate_normal(
        np.zeros(101), covariance, size=runs, method="cholesky")
    hats = hat_features(next_states, 101)
    rewards = np.einsum("rnk,rk->rn", hats, released)
    q = fitted_q_iteration(states, actions, next_states, rewards,
                           discount=0.9, n_knots=33)
    returns = greedy_return(q, cells=200)
    error = returns.std(ddof=1) / np.sqrt(runs)
    return f"{returns.mean():.1f} ± {error:.1f}"

print(f"independent noise {earned(independent)}, a path "
      f"{earned(covariance)}, the best {optimal_return():.1f}")

# %% [markdown]
# Here functional noise is the right tool: the secret is a function, its neighbours are smooth, and it is released *once*. Two
# things to keep in mind. The noise is three times smaller at each place, but neighbouring places share it, so averages over many places
# gain less. And the promise is smaller too: a difference steeper than Λ is hidden less well.
#
# ````{solution-end}
# ````
#
# ````{exercise} Three servers
# :label: ex-servers
# *Practises: an audit from outside. 30 minutes.*
#
# Three servers answer questions about a function on [0, 1], each under a path with β = 2. Each promises (1, 10⁻⁵)-differential
# privacy for neighbours that differ by 0.1 everywhere, for as many questions as you like. **One breaks its promise.** Write
# `attack(ask)`: it may ask `ask(x)` at most 1,000 times, each time at one x, and returns one number. Then name the server.
#
# The check runs your attack on that server, ten times with $f$ and ten with $f + 0.1$ to put a threshold half way, then sixty times with each
# to count. You are right if the counts prove ε > 1 at 99.9 % confidence.
# ````

# %% tags=["remove-input"] jupyter={"source_hidden": true}
nature_of = dict(zip("ABC", np.random.default_rng(seed).permutation(["plain", "rounded", "forgetful"])))

def server(name, shift, noise_rng, beta=2.0):
    """One of the three, set up with noise of its own; f is the tent of the chapter, moved by ``shift``."""
    nature, asked, last_x, last = nature_of[name], 0, 0.0, 0.0
    sigma = 0.1 * np.sqrt(1 + beta / 2) / gaussian_mu(1, 1e-5)     # the norm of a constant, exactly
    path = OUPath(beta, sigma, noise_rng)

    def ask(x):
        nonlocal asked, last_x, last
        asked += 1
        if asked > 1000:
            raise Mistake("Your attack asks more than 1,000 times.")
        truth = 0.5 - abs(x - 0.5) + shift
        if nature == "forgetful":     # it knows its latest answer only
            keep = math.exp(-beta * abs(x - last_x)) if asked > 1 else 0.0
            last_x, last = x, keep * last + sigma * math.sqrt(1 - keep**2) * noise_rng.standard_normal()
            return truth + last
        return round(truth + path(float(x)), 1) if nature == "rounded" else truth + path(float(x))
    return ask

def proves_it(name_and_attack):
    name, attack = name_and_attack
    if name not in nature_of:
        raise Mistake("The servers are called A, B and C: answer with `(\"A\", attack)`, for example.")
    private = np.random.default_rng(seed)

    def numbers(shift, times):
        return np.array([float(attack(server(name, shift, private))) for _ in range(times)])
    low, high = numbers(0.0, 10).mean(), numbers(0.1, 10).mean()
    side = 1 if high > low else -1
    hits, false_alarms = (int(np.sum(side * (numbers(shift, 60) - (low + high) / 2) > 0)) for shift in (0.1, 0.0))
    proved = epsilon_lower_bound(hits, false_alarms, 60, delta=1e-5)
    if proved <= 1:
        advice = {"forgetful": "This server can be caught: use all your questions, and ask where the answers have little to do with each other.",
                  "plain": "Has this server ever given you two answers to one question?",
                  "rounded": "Rounding is done after the noise, whatever it looks like: post-processing."}[nature_of[name]]
        raise Mistake(f"Your number is on the side of f + 0.1 in {hits} of 60 runs with f + 0.1 and in {false_alarms} of 60 with f: that proves "
                      f"ε ≥ {show(proved)} only. {advice}")
    return True

servers = Exercise(is_right=proves_it, hint="`(\"A\", attack)`, where `attack(ask)` returns a number.")

# %%
name_and_attack = ...       # such as ("A", lambda ask: ask(0.5))
servers.check(name_and_attack)

# %% [markdown]
# ````{solution-start} ex-servers
# :class: dropdown
# ````
#
# First look: ask here, ask there, ask here again. An honest path gives the same answer for ever; so does a rounded one.

# %%
first_look = {}
for name in "ABC":
    ask = server(name, 0.0, np.random.default_rng(seed + 1))
    first_look[name] = [ask(x) for x in (0.0, 0.0, 1.0, 0.0, 1.0)]
    print(name, *(f"{answer:.2f}" for answer in first_look[name]))

# %% [markdown]
# One of them remembers its latest answer only, "to save memory": asked twice in a row it is consistent, asked elsewhere in between it
# is not. So its noise averages out, best between the two ends, where answers have the least to do with each other:

# %%
def attack(ask):
    return np.mean([ask(end) for _ in range(500) for end in (0.0, 1.0)])

guilty = next(name for name in "ABC"
              if first_look[name][3] != first_look[name][0])
name_and_attack = guilty, attack
servers.check(name_and_attack)

# %% [markdown]
# A thousand answers that are nearly independent have a mean with a thirtieth of the noise. A path is secret *and for ever*: a server that
# forgets, or restarts without its `saved()` noise, makes a new release. Against the other two no attack succeeds, with any number
# of questions; {doc}`evidence/01_noise` proves it.
#
# ````{solution-end}
# ````
#
# ````{exercise} Nobody does better
# :label: ex-best-coin
# *Practises: ceilings, and mechanisms that attain them. 15 minutes.*
#
# Rewards lie in [0, 0.5] and neighbours are within η = 1: every two rewards are neighbours. The ceiling of {doc}`evidence/03_privacy`,
# {prf:ref}`prop-ceiling`, says that at ε = 0.9,
# δ = 0 no learner is right more often than 0.711, on the mean of the walk's reward $r$ and of the upside-down reward $\frac12 - r$. The policy is
# one of two, *walk to the middle* or *walk to the ends*. Write `chance_of_middle(reward)`, the probability with which your learner
# chooses the middle, for a `reward` that is a function on [0, 1]. It must be 0.9-differentially private and reach the ceiling. (The check tries eight
# rewards. That can refute your learner, and cannot prove it private: for that you need an argument for *all* rewards.)
# ````

# %% tags=["remove-input"]
def attains_the_ceiling(chance, epsilon=0.9):
    secrets = [middle_reward, lambda s: 0.5 - middle_reward(s), lambda s: 0 * np.asarray(s, dtype=float), lambda s: 0.5 + 0 * np.asarray(s),
               lambda s: 0.5 * np.asarray(s), lambda s: 0.25 + 0.25 * np.cos(4 * np.pi * np.asarray(s)),
               lambda s: 0.3 + 0.1 * middle_reward(s), lambda s: 0.3 - 0.1 * middle_reward(s)]
    chances = np.array([float(chance(reward)) for reward in secrets])
    if not np.all((chances >= 0) & (chances <= 1)):
        raise Mistake("A probability is between 0 and 1.")
    ends = 1 - chances
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = max(np.nan_to_num(np.log(p.max() / p.min()), nan=0.0, posinf=np.inf) for p in (chances, ends))
    if loss > epsilon * (1 + 1e-9):
        raise Mistake(f"Two of the check's rewards are told apart with ε = {show(loss)}." if np.isfinite(loss) else
                      "For some rewards your learner is certain. Then its choice tells: ε is infinite.")
    success, ceiling = (chances[0] + ends[1]) / 2, success_ceiling(epsilon, 0.0)
    if success < ceiling - 1e-6:
        advice = ("It does not look at the reward." if loss < 1e-12 else
                  "Noise on a number that is then only compared with zero wastes some of it: all that is needed is one bit.")
        raise Mistake(f"Private, and right with probability {success:.3f}; the ceiling is {ceiling:.3f}. {advice}")
    return True

best_coin = Exercise(is_right=attains_the_ceiling, hint="A function of a reward that returns a number between 0 and 1.")

# %%
chance_of_middle = ...      # a function of a reward
best_coin.check(chance_of_middle)

# %% [markdown]
# ````{solution-start} ex-best-coin
# :class: dropdown
# ````
#
# The answer is one bit, so release one bit: randomised response, the truth with odds of $e^\varepsilon$ to 1.

# %%
def chance_of_middle(reward, epsilon=0.9):
    better = reward(0.5) > (reward(0.0) + reward(1.0)) / 2
    odds = np.exp(epsilon if better else -epsilon)
    return odds / (1 + odds)

def with_laplace(reward, epsilon=0.9, eta=0.5):
    """The contrast, released; rewards in [0, 0.5] are within 0.5."""
    contrast = reward(0.5) - (reward(0.0) + reward(1.0)) / 2
    tail = np.exp(-abs(contrast) * epsilon / (2 * eta)) / 2
    return 1 - tail if contrast > 0 else tail

print(f"randomised response {chance_of_middle(middle_reward):.3f}, "
      f"a Laplace contrast {with_laplace(middle_reward):.3f}")
best_coin.check(chance_of_middle)

# %% [markdown]
# The Laplace contrast of {doc}`evidence/05_reward_once` attains the ceiling for an *even* number of steps between the two rewards; here it is one
# step. But randomised response does not care how clear the case is. With a smaller η noise on the contrast uses that
# a clear case stays clear for neighbours, and wins.
#
# ````{solution-end}
# ````
#
# ## Research
#
# ````{exercise} A kernel for creases
# :label: ex-crease
# *Practises: which functions a kernel can hide. An hour, or a paper.*
#
# In two dimensions {doc}`evidence/01_noise` ended badly: the Manhattan kernel has no finite norm for a ReLU unit across the axes, and so no
# σ hides a change of one. Find a kernel that does: a function `kernel(x, y)` of arrays `x[..., 2]`, `y[..., 2]`, positive definite
# with $K(x, x) = 1$, in whose space ReLU units of *all* directions have a finite norm.
#
# The check looks at two necessary properties. On grids of 9², 17² and 33² points the squared norm of a unit grows, as more points tell
# more. If it has a limit, what a refinement adds must not grow. (For the Manhattan kernel it doubles.) Near the border so few points cannot
# tell; there the check looks at how K falls off over distances of a ten-thousandth.
# ````

# %%
def squared_norms(kernel, sides=(8, 16, 32)):
    """Of ReLU units in four directions, on finer and finer grids."""
    angles = np.array([0, np.pi / 8, np.pi / 4, 2.0])
    found = []
    for n in sides:
        axis = np.linspace(0, 1, n + 1)
        points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        across = (points - 0.5) @ [np.cos(angles), np.sin(angles)]
        gram = kernel(points[:, None], points[None])
        root = np.linalg.cholesky(gram + 1e-10 * np.eye(len(gram)))
        white = solve_triangular(root, np.maximum(across, 0), lower=True)
        found.append(np.sum(white**2, axis=0))
    return np.array(found)

def manhattan(x, y):
    return np.exp(-np.abs(x - y).sum(axis=-1))

with np.printoptions(precision=2, suppress=True):
    print(squared_norms(manhattan))

# %% tags=["remove-input"]
def seems_to_hold_creases(kernel):
    points = np.random.default_rng(seed).random((200, 2))
    gram = np.asarray(kernel(points[:, None], points[None]), dtype=float)
    if gram.shape != (200, 200) or not np.allclose(gram, gram.T) or not np.allclose(np.diag(gram), 1):
        raise Mistake("A kernel is symmetric and K(x, x) = 1; `kernel(x[:, None], x[None])` has the shape [n, n].")
    if np.linalg.eigvalsh(gram)[0] < -1e-9:
        raise Mistake("On some points this is no covariance: an eigenvalue is negative.")
    norms = squared_norms(kernel)
    if np.max(norms[-1] / norms[0]) > 1.5 and np.max(norms[-1]) > 100:
        raise Mistake(f"A unit has the squared norm {show(norms[-1].max())} on the finest grid, and it keeps growing. Such fields are too smooth in some "
                      "direction: they hold no crease across it.")
    added = np.diff(norms, axis=0)
    growth = np.max(added[1] / np.maximum(added[0], 1e-4 * norms[0]))
    if growth > 1.2:
        raise Mistake(f"In the worst direction each refinement adds {growth:.2f} times what the one before did: no limit in sight.")
    step = 1e-4 * np.stack([np.cos([0, 0.4, 0.8, 2.0]), np.sin([0, 0.4, 0.8, 2.0])], axis=1)
    fall = [1 - kernel(np.full((4, 2), 0.4), 0.4 + times * step) for times in (1, 2)]
    if np.max(np.log2(fall[1] / fall[0])) > 0.97:
        raise Mistake("At small distances 1 − K is proportional to the distance, or to a higher power of it. Then the norm grows like a logarithm "
                      "at least. You are near; the paths have to be a little rougher.")
    return True

crease = Exercise(is_right=seems_to_hold_creases, hint="`kernel(x, y)` takes arrays with two numbers in the last axis.")

# %%
kernel = ...
crease.check(kernel)

# %% [markdown]
# ````{solution-start} ex-crease
# :class: dropdown
# ````
#
# Rougher paths hold rougher functions. The kernel $e^{-\lVert x - y\rVert^\alpha}$, with the *Euclidean* distance so that all directions
# are alike, is positive definite for $0 < \alpha \le 2$, and its spectrum falls like $\lvert\omega\rvert^{-(2 + \alpha)}$ in two dimensions. A
# crease has a spectrum of $\lvert\omega\rvert^{-2}$ along one direction, so its squared norm is about
#
# $$\int^\infty \omega^{-4}\,\omega^{2 + \alpha}\,d\omega = \int^\infty \omega^{\alpha - 2}\,d\omega ,$$
#
# finite for α < 1, and a logarithm at α = 1.

# %%
def kernel(x, y):
    return np.exp(-np.sqrt(np.linalg.norm(x - y, axis=-1)))    # α = ½

with np.printoptions(precision=3, suppress=True):
    print(squared_norms(kernel))
crease.check(kernel)

# %% [markdown]
# What a refinement adds falls by a factor of $2^{-(1 - \alpha)} = 0.71$ in the limit, and by a little more on these grids. The check
# cannot replace the integral: on a few grids a logarithm and a limit look alike.
#
# **Open.** How large is the norm of a *difference of two networks* with bounded weights in this space, and so the noise that a
# release takes? What does roughness cost in utility, and is there a kernel that can be drawn faster than in $n^2$ steps for each question? In d
# dimensions the spectrum falls like $\lvert\omega\rvert^{-(d + \alpha)}$: show that no kernel of this family holds a crease from some d
# on, and find one that does.
#
# ````{solution-end}
# ````
#
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. Three differences of two functions, none above 0.1. Which one takes the most noise to hide under a path with β = 16?**
#
# ```{dropdown} A constant 0.1.
# It is as high as can be, everywhere, and has no slope: its norm is 0.1·√(1 + β/2) = 0.3.
# ```
# ```{dropdown} One wave, 0.1·sin(2πx).
# It has some slope, but is lower than 0.1 nearly everywhere: its norm is 0.21, the least of the three.
# ```
# ```{dropdown} A zigzag of a hundred teeth.
# ✓ Yes: its norm is 7.1. The norm counts slopes, and this one is steep everywhere. A path moves slowly; what moves quickly shows through it.
# ```
#
# **2. A learner adds fresh noise to every Q that it *releases*, after each update, but goes on from the Q without noise. What is the trouble?**
#
# ```{dropdown} The hidden difference grows, so that later releases differ by more than one step.
# ✓ Yes. Composition counts steps that start from what was *released*. Write the noise into the parameters, or account for
# the whole difference each time.
# ```
# ```{dropdown} None: everything that leaves the house is noisy.
# Each release is. But two rewards drive the hidden parameters apart, update by update, while the noise stays as large as one update needs.
# ```
# ```{dropdown} Fresh noise can be averaged out over the updates.
# True of any repeated release, and composition pays for it: with √T in σ. It is not what is special here.
# ```
#
# **3. A proof shows that ‖Q − Q′‖² is at most C = 0.0072, and then takes C for the sensitivity. What becomes of the noise?**
#
# ```{dropdown} It is too large: the square errs on the safe side.
# If C were above 1. Below 1 the root is the larger one.
# ```
# ```{dropdown} It is twelve times too small.
# ✓ Yes: √0.0072 = 0.085, and 0.085/0.0072 = 11.8. A look at the units would have found it: noise is measured like Q, not like Q².
# ```
# ```{dropdown} Nothing, since σ is tuned afterwards.
# If σ were tuned for utility afterwards, there would be no guarantee left at all.
# ```
#
# **4. With a single path for the whole training, one may release $Q_\theta + g$ and act on it, and it earns as much as without noise. What do you conclude?**
#
# ```{dropdown} That functional noise is cheap.
# It is not in the release any more: training drives Q + g to Q*, whatever g is.
# ```
# ```{dropdown} That σ should be larger.
# It would cancel as well.
# ```
# ```{dropdown} That the noise has cancelled, and with it the protection.
# ✓ Yes. What stands on both sides of a fixed point drops out of it. From such a release the rewards come back to the last digit.
# ```
#
# **5. A theorem says that what noise costs in utility tends to zero as the number of states grows. What is the first thing to do?**
#
# ```{dropdown} Believe it: noise averages out.
# Where would it be averaged? Each state has a noise of its own, and a loss of its own.
# ```
# ```{dropdown} Put in the simplest case: one action, γ = 0.
# ✓ Yes. Then the loss of a state is its own noise, of size 0.8 σ however many other states there are. Five states refute the bound.
# ```
# ```{dropdown} Simulate a hundred states with a deep network.
# It would take a day and leave room for excuses. A case that can be done in the head has none.
# ```
#
# ## To take away
#
# * Name the event: *the maximum is below*, *the values are within*, *the mean is zero* are three different things.
# * A difference can be twice as steep as its parts, and a maximum is larger on average than what it is taken of.
# * Count every look at the secret, those that were thrown away too. A second path is a second look.
# * Noise has a shape. Choose it for the differences that must be hidden, and check that the space holds them.
