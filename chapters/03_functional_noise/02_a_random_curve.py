# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Noise for a whole curve must itself be a curve, or it can be averaged away. How a random curve is drawn
#         where it is asked, and what it hides.'
# ---

# %% [markdown]
# # Noise that is a curve
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A published curve can be asked at any point, any number of times. What noise survives that?
# * **The answer.** One random curve, added to the whole function. It is drawn at the points that are asked, and it never changes an
#   answer.
# * **What is protected.** One function on an interval. Neighbours: any function whose difference from it is short in a norm that this
#   page explains.
# * **What you need.** {doc}`01_read_the_reward`; Gaussian noise and μ from {doc}`../01_foundations/03_noise_that_keeps_it`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2019         # all randomness comes from here
beta = 16.0         # how fast the curve forgets, per length of the interval
sigma = 0.32        # its standard deviation at each point
delta = 1e-4

# %% tags=["remove-cell"]
import math

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.special import ndtr

from privrl_core.functional_noise import OUPath, PiecewiseLinear, bridge, rkhs_norm, sample_ou
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show
from privrl_core.pages.game import Beside, Draws, World, play
from privrl_core.pages.game import Curve as Published
from privrl_core.privacy import gaussian_epsilon
from privrl_core.world import middle_reward

use_theme()
rng, noise_rng, game_rng = np.random.default_rng(seed).spawn(3)

# %% [markdown]
# ## One number is easy, a curve is not
#
# The maker wants to publish a curve $f$ over the temperature. It may be Vera's comfort, or a Q-function learned from it. Other firms ask the curve
# at some temperature and get an answer. To protect Vera, the maker adds Gaussian noise to its answers. Let its standard deviation be
# $\sigma = 0.32$, the value in the paper, where rewards lie between 0 and ½.
#
# Suppose that the noise is drawn anew for every answer. Then an attacker asks for 20 °C ten thousand times and takes the mean. The noise in the mean
# is a hundred times smaller, and Vera's value shows. The maker could pay for every answer, as in {doc}`../01_foundations/03_noise_that_keeps_it`.
# But then the noise must grow with the number of questions, and on a curve there is no end to them.
#
# Two repairs come to mind:
#
# * **A. One number for each point.** The noise at 20 °C is drawn once and kept. Other temperatures get noise of their own.
# * **B. One random curve.** The noise is a continuous curve $g$, drawn once. Every answer is $f(s) + g(s)$.
#
# ### Explore: ten thousand questions
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which of the two repairs stops an attacker with ten thousand questions?** Choose, then move the number of questions to 10,000.
#
# * A: each point has its own noise, and it is never drawn again.
# * B: the noise is one curve.
# * Both.
# ```

# %% tags=["remove-input"]
questions = Slider("n", "number of questions", 1, 10_000, 10, points=81, steps=80, low_end="few", high_end="many")
width = Slider("width", "the questions lie within so many °C", 0.001, 2, 0.001, points=67, steps=66, low_end="close together", high_end="spread out")

def of_the_mean(n, width):
    """Standard deviation of the mean of n values of the curve, width/n degrees apart."""
    step = -np.expm1(-beta * width / 8 / n)             # 1 - ρ, for ρ the correlation of two neighbouring answers
    kept = 1 - step
    return sigma * np.sqrt((n * step * (1 + kept) + 2 * kept * np.expm1(n * np.log1p(-step))) / (n * step) ** 2)

curve_error = Table.of(of_the_mean, questions, width)
point_error = Table.of(lambda n: sigma / np.sqrt(n), questions)

explore(
    name="ask_and_average", sliders=[questions, width], x=questions, y=Axis("error", "noise that is left in the mean", 1e-3, 1),
    curves=[Curve("A: one number for each point", point_error), Curve("B: one random curve", curve_error)],
    readouts=[Readout("points", "left in the mean, A", point_error), Readout("curve", "left in the mean, B", curve_error)],
    guarantee="No privacy guarantee for A: after {n} questions its noise has shrunk to {points}. Of B, answers that lie close together say nearly the same; which guarantee this gives depends on the neighbours, as below.",
    alt="The noise left in the mean of the answers against the number of questions, both logarithmic. For A it falls steadily, to {points} after {n} "
        "questions. For B it stays at {curve} if the questions lie within {width} degrees.",
    caption="Standard deviation of the mean of all answers. One answer has a standard deviation of 0.32.")

# %% tags=["remove-input"]
near, far = (float(of_the_mean(1e4, w)) for w in (0.001, 2.0))
md(f"**What you should see.** Only B stops the attacker. A answers the same question in the same way, but with A the attacker asks at 20 °C, at 20.0000001 °C, and so on. Vera's curve hardly changes "
   f"over such distances, and the noise averages out, to {sigma / 100:.4f} after 10,000 questions. A random curve hardly changes over such distances either. "
   f"All answers carry the same noise, and it stays at {near:.2f}. Spreading the questions over 2 °C lowers it to {far:.2f}, but then "
   "Vera's curve changes too, and the mean is no longer her value at 20 °C.")

# %% tags=["remove-cell"]
pieces = 400                                            # the formula, against the sum of all covariances; and A
for n, w in ((1, 1.0), (7, 2.0), (pieces, 0.5), (pieces, 2.0)):
    at = np.arange(n) * w / 8 / n
    total = np.exp(-beta * np.abs(np.subtract.outer(at, at))).mean()
    assert np.isclose(of_the_mean(n, w), sigma * np.sqrt(total), rtol=1e-6)
assert round(near, 2) == 0.32

# %% [markdown]
# The idea of noise that is a curve is due to Hall, Rinaldo and Wasserman {cite:p}`hall2013`. Wang and Hegde brought it to reinforcement
# learning, where a Q-function must answer for states that nobody has foreseen.
#
# ## A random curve, drawn where it is asked
#
# A curve has infinitely many points. How can it be drawn at all? Only at the points that are asked, and each new answer has to fit all
# earlier ones. The curves of this chapter make this easy. They are paths of the **Ornstein-Uhlenbeck process**: every value has mean 0 and
# standard deviation σ, and the correlation of two values decays with their distance, as $e^{-\beta\lvert x - y\rvert}$. From here on $x$ is the
# temperature on a scale from 0 to 1: 0 is 16 °C and 1 is 24 °C. The number β says how fast the curve forgets. With β = 16 it forgets over a distance of
# 1/16, which is half a degree, and with β = 1 over 8 °C.
#
# For a new point, only the nearest known point on each side matters. The curve at the new point is a weighted mean of these two values, in which the *nearer* one
# counts more, plus a fresh normal number. Where a known point is close by, the fresh part is small. The function `bridge` gives the two weights and the
# variance of the fresh part, for σ = 1:

# %%
class RandomCurve:
    def __init__(self, beta, sigma, normals):
        self.beta, self.sigma, self.normals = beta, sigma, normals
        self.known = {-math.inf: 0, math.inf: 0}     # nothing is known yet

    def __call__(self, x):
        if x not in self.known:
            left = max(point for point in self.known if point < x)
            right = min(point for point in self.known if point > x)
            w_left, w_right, fresh = bridge(left, x, right, self.beta)
            mean = w_left * self.known[left] + w_right * self.known[right]
            self.known[x] = mean + self.sigma * np.sqrt(fresh) * next(self.normals)
        return self.known[x]

# %% tags=["remove-cell"]
normals = iter(noise_rng.standard_normal(3000))
curve = RandomCurve(beta, sigma, normals)
first, more = np.array([0.15, 0.5, 0.8]), np.sort(rng.random(12))
told = [curve(x) for x in first]
also = [curve(x) for x in more]
fine = np.sort(rng.random(1500))
everywhere = [curve(x) for x in fine]
assert told == [curve(x) for x in first]

# %% tags=["remove-input"] mystnb={"image": {"alt": "The same random curve over the temperature, asked three times: large dots for the first three answers, small dots for the next twelve, and a rough line for 1,500 more. The line passes through all dots."}}
fig, ax = plt.subplots(figsize=(7.2, 3.3))
ax.plot(16 + 8 * fine, everywhere, color=PALETTE[0], lw=0.8, alpha=0.75, zorder=1)
ax.plot(16 + 8 * more, also, "o", color=PALETTE[2], ms=5, zorder=2)
ax.plot(16 + 8 * first, told, "o", color=PALETTE[1], ms=10, zorder=3)
ax.set(xlabel="temperature, °C", ylabel="noise g", ylim=(-1.15, 1.4), title="Asked more often, the curve changes nothing that it said")
for label, x, color in (("3 answers", 16.2, PALETTE[1]), ("12 more", 18.6, PALETTE[2]), ("1,500 more", 20.7, PALETTE[0])):
    ax.text(x, 1.2, label, color=color, weight="bold")

# %% [markdown]
# With $a$ and $b$ for β times the distance to the left and to the right point, the weights are $\sinh b$ and $\sinh a$, divided by $\sinh(a + b)$, and the variance is
# $2 \sinh a \sinh b/\sinh(a + b)$ {ref}`[derived; the printed formula is wrong] <bridge-checked>`.
#
# The curve is as secret as Vera's data, and must be kept for ever. A server that restarts with a new curve gives a second release.
#
# ## What a random curve hides
#
# Which differences does a random curve hide? You are the attacker. You know that the maker published one of two functions, Vera's comfort $f$ or another one, $f'$,
# and noise on top of it. The noise has σ = 0.32, and the difference of the two is nowhere larger than 0.1. Here the noise changes slowly, with β = 1.
#
# ### Play: raised by 0.1
#
# First, the other function is higher by 0.1 everywhere.

# %% tags=["remove-cell"]
POINTS, SMOOTH, RIPPLES, HEIGHT, DRAWS = 49, 1.0, 10, 0.1, 200
grid = np.linspace(0, 1, POINTS)
tent = middle_reward(grid)
covariance = sigma**2 * np.exp(-SMOOTH * np.abs(np.subtract.outer(grid, grid)))

def which_of_two(name, difference, bet, about, sentence):
    """A game: was f published, or f + difference? Each with a random curve on top."""
    other = tent + difference
    noise = sample_ou(grid, SMOOTH, sigma * np.ones((2, DRAWS)), game_rng)
    # the best score compares the two densities; only the part of the noise along this direction counts
    score = np.linalg.solve(covariance, difference)
    mu = np.sqrt(difference @ score)
    values = noise + np.array([tent, other])[:, None]
    ratios = mu**2 / 2 - (values - tent) @ score
    return mu, play(
        name=name, question=f"Was Vera’s comfort published, or the one {about}?",
        worlds=[World("Vera's", "Vera’s comfort", "It was Vera’s comfort."), World("the other", bet, sentence)],
        picture=Published("Published: a function, and a random curve", x="49 temperatures, from 16 to 24 °C", y="published", low=-0.9, high=1.2,
                          beside=[Beside("Vera's", tent, world=0), Beside("the other", other, world=1)]),
        levels=[Draws("a random curve", values, log_ratios=ratios, ceiling=float(ndtr(mu / 2)),
                      guarantee="No guarantee worth the name for this difference." if mu > 6 else
                      f"No attacker who sees these 49 values is right more often than {100 * ndtr(mu / 2):.1f} times in 100, proved for this difference only.")],
        rounds=10, caption="Noise: σ = 0.32, β = 1.", alt=f"A noisy curve, beside Vera's comfort and the one {about}.")

mu_raised, raised = which_of_two("raised", np.full(POINTS, HEIGHT), "the raised one", "that is 0.1 higher", "It was the raised one.")
mu_ripples, ripples = which_of_two("ripples", HEIGHT * np.cos(2 * np.pi * RIPPLES * grid), "the one with ripples", "with ripples", "It was the one with ripples.")

# %% tags=["remove-input"]
raised

# %% [markdown]
# ### Play: ten ripples
#
# Now the other function waves around Vera's comfort, ten times up and down, and never leaves it by more than 0.1. The noise is as before.

# %% tags=["remove-input"]
ripples

# %% tags=["remove-input"]
md(f"**What you have just seen.** The two differences have the same height, and the noise is the same. Yet the raised function is hidden, and the ripples are not: "
   f"the best attacker is right {100 * ndtr(mu_raised / 2):.0f} times in 100 about the one and practically always about the other. "
   "This noise often lies 0.1 too high or too low as a whole, but it never ripples. Noise hides what it can imitate.")

# %% tags=["remove-cell"]
assert 55 < 100 * ndtr(mu_raised / 2) < 60 and ndtr(mu_ripples / 2) > 0.9999

# %% [markdown]
# ### Explore: the ripples and the shift
#
# Noise that forgets faster, with a larger β, is rougher, and can imitate ripples.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **What does rougher noise do, at the same σ?** Choose, then move β.
#
# * It hides both differences better.
# * It hides the ripples better, and the shift as well as before.
# * It hides the ripples better, and the shift worse.
# ```

# %% tags=["remove-input"]
rough = Slider("beta", "β: how fast the curve of noise forgets", 1, 1000, 1, points=61, steps=60, low_end="slow noise", high_end="rough noise")
waves = Choice("waves", "ripples of the wave", (1, 2, 5, 10, 20, 50), 10, low_end="few", high_end="many")

def norm_of_shift(beta):
    return 0.1 * np.sqrt(1 + beta / 2)

def norm_of_wave(waves, beta):
    return 0.1 * np.sqrt(1 + beta / 4 + (2 * np.pi * waves) ** 2 / (4 * beta))

def right(norm):
    return ndtr(norm / sigma / 2)

def at_delta(norm):
    return gaussian_epsilon(delta, norm / sigma)

shifted = Table.of(lambda beta: right(norm_of_shift(beta)), rough)
rippled = Table.of(lambda waves, beta: right(norm_of_wave(waves, beta)), waves, rough)
explore(
    name="shift_or_ripple", sliders=[rough, waves], x=rough, y=Axis("right", "right guesses of the best attacker", 0.5, 1, scale="linear"),
    curves=[Curve("shift: 0.1 everywhere", shifted, at_most=True), Curve("ripples between −0.1 and 0.1", rippled, at_most=True)],
    readouts=[Readout("shift", "right guesses, 0.1 everywhere", shifted, at_most=True),
              Readout("ripple", "right guesses, ripples", rippled, at_most=True),
              Readout("epsilon", f"ε for the ripples, at δ = {show(delta)}",
                      Table.of(lambda waves, beta: at_delta(norm_of_wave(waves, beta)), waves, rough), at_most=True)],
    guarantee="(ε = {epsilon}, δ = " + show(delta) + ")-differential privacy for one function, asked anywhere and for ever; neighbours: two functions that "
              "differ by this wave (ripples: {waves}); proved, for σ = 0.32 and β = {beta}.",
    alt="Right guesses of the best attacker against β, for a difference of 0.1 everywhere and for a wave (ripples: {waves}). At β = {beta} they are "
        "{shift} and {ripple}. The first curve climbs with β; the second falls and then climbs.",
    caption="A coin is right in half of the cases. The attacker may ask at every temperature. An ε of 30, say, is a guarantee in name only.")

# %% tags=["remove-input"]
best_beta = 2 * np.pi * RIPPLES
level, slow, rough_shift = (100 * float(right(norm)) for norm in (norm_of_wave(RIPPLES, best_beta), norm_of_shift(1.0), norm_of_shift(1000.0)))
md(f"**What you should see.** The ripples are hidden better, and the shift worse. Rough noise cannot lie 0.1 too high as a whole, as it averages out over the "
   f"interval: the right guesses about the shift climb from {slow:.0f} in 100 to {rough_shift:.0f}. The best compromise for these two differences is where the curves "
   f"cross, at β ≈ {best_beta:.0f}, with {level:.0f} right guesses in 100 about either. Even larger β lets the ripples show again, by their height. No β is best for every difference.")

# %% tags=["remove-cell"]
x = np.linspace(0, 1, 40_001)
for n, b in ((1, 16.0), (20, 16.0), (20, 1000.0)):
    h = PiecewiseLinear(x, 0.1 * np.cos(2 * np.pi * n * x))
    assert np.isclose(norm_of_wave(n, b), rkhs_norm(h, b), rtol=1e-3)
    assert np.isclose(norm_of_shift(b), rkhs_norm(PiecewiseLinear([0, 1], [0.1, 0.1]), b), rtol=1e-9)
assert all(level < 100 * right(norm_of_wave(RIPPLES, best_beta * c)) for c in (0.5, 2)) and np.isclose(norm_of_shift(best_beta), norm_of_wave(RIPPLES, best_beta))
shift, ripple = (100 * float(right(norm)) for norm in (norm_of_shift(16.0), norm_of_wave(20, 16.0)))
assert 60 < shift < 72 and ripple > 99
path, again = OUPath(beta, sigma, np.random.default_rng(seed)), sample_ou(x[:5], beta, sigma, noise_rng)
assert path(0.2) == path(0.2) and again.shape == (5,)

# %% [markdown]
# ## The norm that counts
#
# So the height of a difference does not decide whether noise hides it. What does? Suppose that an attacker asks at the points $x_1 < x_2 < \dots$ and compares two
# functions with the difference $h$. Go from point to point, as `bridge` does. At the first point the answer carries noise of variance $\sigma^2$, so $h(x_1)^2$ counts relative to
# that. At each further point the noise is mostly known from the point before, and only its fresh part still hides anything. For neighbouring points the fresh
# variance is small, about $2\beta\lvert x - y\rvert\,\sigma^2$. Compared with it stands the *change* of the difference, $(h(x) - h(y))^2$. So each step adds about
# $(h(x) - h(y))^2/(2\beta\lvert x - y\rvert)$. On a fine grid these add up to $\frac{1}{2\beta}\int h'^2$, and what is left
# over gives two terms more:
#
# $$\lVert h \rVert_H^2 = \underbrace{\tfrac12\bigl(h(0)^2 + h(1)^2\bigr)}_{\text{ends}}
#   + \underbrace{\tfrac{\beta}{2}\int_0^1 h^2}_{\text{height}} + \underbrace{\tfrac{1}{2\beta}\int_0^1 h'^2}_{\text{steepness}} .$$
#
# With small β a steep difference is long, so it is easy to detect. With large β a high one is. {ref}`Derived in full, and checked by asking at more and more points <what-a-path-hides>`.
# With this norm the whole curve behaves like *one* Gaussian number: the two functions are $\mu = \lVert h \rVert_H/\sigma$ standard deviations apart.

# %% tags=["remove-cell"]
length = float(norm_of_shift(16.0))
assert np.isclose(length**2, 0.01 + 8 * 0.01) and np.isclose(length, 0.3) and np.isclose(length / sigma, 0.9375)
assert show(float(right(length))) == "0.68"

# %% tags=["remove-input"]
md(f"For example, take the shift of 0.1 at β = 16. The ends give ½(0.1² + 0.1²) = 0.01, the height gives 8 · 0.1² = 0.08, and the steepness nothing. So "
   f"‖h‖² = 0.09 and ‖h‖ = {length:.1f}. With σ = {sigma} this is μ = {length / sigma:.2f}, and the best attacker is right {100 * float(right(length)):.0f} times in 100. The "
   "slider shows the same at β = 16.")

# %% [markdown]
# ```{prf:proposition} Noise that is a curve
# :label: prop-noise-curve
# Publish $f + g$, where $g$ is a random curve with standard deviation σ, and answer any number of questions anywhere. If every neighbour $f'$
# satisfies $\lVert f - f' \rVert_H \le \Delta$, the release is μ-Gaussian-DP with $\mu = \Delta/\sigma$.
# ```
#
# *μ-Gaussian-DP* means: nobody tells two neighbours apart better than two normal distributions of variance 1 whose means are μ apart. The proposition
# is the theorem of Hall, Rinaldo and Wasserman that the paper builds on. It holds, and so does the paper's formula for the norm. To use it, the maker has to know
# how steep a difference between two neighbours can be. The best β is then the largest slope divided by the largest height.
#
# ## Check yourself
#
# **1. A server adds a random curve. To save memory it forgets all but its latest answer. Is this as good?**
#
# ```{dropdown} Yes: each answer carries the same amount of noise.
# The amount is the same. But asked here, then far away, then here again, it draws new noise, and that averages out.
# ```
# ```{dropdown} No: an attacker that jumps back and forth gets fresh noise each time.
# ✓ Yes. The same question must get the same answer, for ever. An exercise lets you catch such a server.
# ```
# ```{dropdown} Yes, if nobody asks twice at the same point.
# Nearby points are enough. Their noise should be nearly the same, and after a jump it is not.
# ```
#
# **2. Two functions differ by at most 0.1, and by a slope of at most 2 per length of the interval. Which β do you choose?**
#
# ```{dropdown} A small one, because smooth noise is stronger at each point.
# The noise at a point has standard deviation σ for every β.
# ```
# ```{dropdown} 20
# ✓ Yes: the largest slope divided by the largest height, 2/0.1.
# ```
# ```{dropdown} As large as possible, because rough noise hides every detail.
# It hides details, and lets a shift through.
# ```
#
# ## To take away
#
# * Noise that differs from point to point averages out. Noise for a function must be a function.
# * A random curve can be drawn at the points that are asked. It is kept for ever.
# * It hides a difference that is short in a norm which counts height and steepness. Then one μ covers any number of questions.
