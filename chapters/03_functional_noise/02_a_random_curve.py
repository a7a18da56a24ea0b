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
# * **The answer.** That depends on how the noise at one point is tied to the noise beside it. What it then hides is told by one number, a norm.
# * **What is protected.** One function on an interval. A neighbour differs from it little in height and in steepness; a norm says how little.
# * **What you need.** {doc}`01_read_the_reward`; Gaussian noise and μ from {doc}`../01_foundations/03_noise_that_keeps_it`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2019         # all randomness comes from here
beta = 2.0          # how fast the curve forgets, per °C
sigma = 0.32        # its standard deviation at each point

# %% tags=["remove-cell"]
import math

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.special import ndtr

from privrl_core.functional_noise import OUPath, PiecewiseLinear, bridge, rkhs_norm, sample_ou
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show
from privrl_core.pages.game import Beside, Dial, Draws, World, play
from privrl_core.pages.game import Curve as Published
from privrl_core.world import middle_reward

use_theme()
rng, noise_rng, game_rng, path_rng = np.random.default_rng(seed).spawn(4)
celsius = np.linspace(16, 24, 81)

def correlation(beta, at):
    return np.exp(-beta * np.abs(np.subtract.outer(at, at)))

# %% [markdown]
# ## One number is easy, a curve is not
#
# The maker wants to publish a curve $f$ over the temperature, Vera's comfort or a Q-function. Other firms ask the curve
# at some temperature and get an answer. To protect Vera, the maker adds Gaussian noise with a standard deviation of
# σ = 0.32, the value in the paper of Wang and Hegde {cite:p}`wang2019`, where rewards lie between 0 and ½.
#
# If the noise is drawn anew for every answer, an attacker asks for 20 °C ten thousand times and takes the mean. The noise in the mean
# is a hundred times smaller, and Vera's value shows.
#
# Two repairs come to mind:
#
# * **A. One number for each point.** The noise at 20 °C is drawn once and kept. Other temperatures get noise of their own.
# * **B. One random curve.** The noise is a continuous curve $g$, drawn once. Every answer is $f(s) + g(s)$.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which of the two repairs stops an attacker with ten thousand questions?**
#
# * A: each point has its own noise, and it is never drawn again.
# * B: the noise is one curve.
# * Both.
# ```

# %% tags=["remove-cell"]
def of_the_mean(n, width):
    """Standard deviation of the mean of n values of the curve, width/n degrees apart."""
    step = -np.expm1(-beta * width / n)                 # 1 - ρ, for ρ the correlation of two neighbouring answers
    kept = 1 - step
    return sigma * np.sqrt((n * step * (1 + kept) + 2 * kept * np.expm1(n * np.log1p(-step))) / (n * step) ** 2)

for n, w in ((1, 1.0), (7, 2.0), (400, 0.5), (400, 2.0)):    # against the sum of all covariances
    assert np.isclose(of_the_mean(n, w), sigma * np.sqrt(correlation(beta, np.arange(n) * w / n).mean()), rtol=1e-6)
near, far = (float(of_the_mean(1e4, w)) for w in (0.001, 2.0))
assert round(near, 2) == 0.32 and round(far, 2) == 0.2

# %% tags=["remove-input"]
md(f"**The answer.** Only B stops the attacker. A answers the same question in the same way. But the attacker asks at 20 °C, at 20.0000001 °C, and so on. Vera's curve hardly changes "
   f"over such distances, and the noise averages out, to {sigma / 100:.4f} after 10,000 questions. A random curve hardly changes over such distances either. "
   f"All answers carry the same noise, and it stays at {near:.2f}. Questions spread further apart would lower it, but then "
   "Vera's curve changes too {ref}`[sliders for both] <ask-and-average>`.")

# %% [markdown]
# ## A random curve, drawn where it is asked
#
# A curve has infinitely many points. So it is drawn only where it is asked, and each new answer has to fit all earlier ones.
# The curves of this chapter make this easy. They are paths of the **Ornstein-Uhlenbeck process**: every value has mean 0 and
# standard deviation σ, and the values at two temperatures $x$ and $y$ have the correlation $e^{-\beta\lvert x - y\rvert}$.
#
# The number β says how fast the curve **forgets**: with β = 2 per °C it forgets over half a degree, where the correlation has fallen to 1/e, which is 0.37.
#
# ### Explore: ask here
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The curve was asked once, at 20 °C, and its answer was well above 0. You ask at 20.1 °C, and then at 22 °C. **Which of the two answers do you expect to be well above 0, too?** Choose, then move the question, and give more answers.
#
# * Both
# * Only the one at 20.1 °C
# * Neither
# ```

# %% tags=["remove-cell"]
paths = sample_ou(celsius, beta, sigma * np.ones(40), path_rng)
path = paths[np.argmin(np.abs(paths[:, 40] - 0.5))]      # one that is well above 0 at 20 °C
first = [40, 12, 69, 46, 25, 58]                         # 20.0, 17.2, 22.9, 20.6, 18.5, 21.8 °C
order = np.array(first + [k for k in rng.permutation(81) if k not in first])
whole = correlation(beta, celsius)

def told(n):
    """What n answers say of the curve everywhere: its mean, and the standard deviation of the fresh part."""
    known = order[:n]
    weights = np.linalg.solve(whole[np.ix_(known, known)], whole[known]).T
    left = 1 - np.einsum("ij,ji->i", weights, whole[known])
    return weights @ path[known], sigma * np.sqrt(np.where(left < 1e-9, 0, left))      # 0 where the curve was asked, but for rounding

# %% tags=["remove-input"]
answers = Choice("answers", "answers given so far", (1, 2, 3, 6, 12, 30, 81), 1, low_end="one", high_end="every tenth of a degree")
ask_at = Slider("temperature", "the next question: temperature, °C", 16, 24, 20.1, points=81, steps=80, scale="linear", low_end="16 °C", high_end="24 °C")
mean, fresh = (Table((answers, ask_at), values, scale="linear") for values in zip(*map(told, answers.options)))
rounded = Table((answers, ask_at), np.round(mean.values, 2) + 0.0, scale="linear")      # no −0.0007
explore(
    name="ask_here", sliders=[ask_at, answers], x=ask_at, y=Axis("noise", "noise g", -1.2, 1.2, scale="linear"),
    curves=[Curve("expected answer", mean, low=mean - fresh * 2, high=mean + fresh * 2)],
    readouts=[Readout("expected", "expected answer, from those given", rounded), Readout("fresh", "standard deviation of the fresh part", fresh)],
    guarantee="No guarantee is at stake: this is the noise alone, σ = 0.32 and β = 2 per °C, answers so far: {answers}.",
    alt="What {answers} answers tell of the noise: the expected answer over the temperature, in a band that closes to a point wherever the curve was asked. At {temperature} °C the "
        "expected answer is {expected}, with a fresh part of standard deviation {fresh}.",
    caption="The band is the expected answer ± 2 standard deviations of the fresh part, and closes where the curve was asked. One curve; the answers come in a fixed order.")

# %% tags=["remove-cell"]
level = float(path[40])
near_mean, near_fresh, far_mean = (float(x) for x in (told(1)[0][41], told(1)[1][41], told(1)[0][60]))
assert level > 0.15 and np.isclose(near_mean, np.exp(-0.2) * level) and np.isclose(near_fresh, sigma * np.sqrt(-np.expm1(-0.4)))
assert far_mean < 0.02 and told(1)[1][60] > 0.3199

# %% tags=["remove-input"]
md(f"**What you should see.** Only the one at 20.1 °C. The first answer was {level:.2f}. At 20.1 °C you expect {near_mean:.2f}, plus a *fresh part*, a new normal number with a standard deviation of {near_fresh:.2f}. At 22 °C the curve has "
   f"forgotten: you expect {far_mean:.2f}, and the fresh part has the full 0.32. Between two known answers, the expected answer is a weighted mean of both, and the nearer one counts more. "
   "The band closes to a point wherever the curve was asked. There it will give the same answer for ever, and averaging is of no use.")

# %% [markdown]
# The code is folded away. `bridge` gives the weights of the two nearest known answers, and the variance of the fresh part for σ = 1 {ref}`[derived] <bridge-checked>`.

# %% tags=["hide-input"]
known = {-math.inf: 0, math.inf: 0}              # nothing is known yet

def ask(x):
    if x not in known:
        left = max(point for point in known if point < x)
        right = min(point for point in known if point > x)
        w_left, w_right, fresh = bridge(left, x, right, beta)
        mean = w_left * known[left] + w_right * known[right]
        known[x] = mean + sigma * np.sqrt(fresh) * next(normals)
    return known[x]

# %% tags=["remove-cell"]
normals = iter(np.zeros(200))                            # without fresh parts it gives the mean of the picture
for n in (1, 3, 12):
    for k in range(81):
        if k not in order[:n]:
            known = {-math.inf: 0, math.inf: 0} | {celsius[i]: path[i] for i in order[:n]}
            assert np.isclose(ask(celsius[k]), told(n)[0][k], atol=1e-9) and ask(celsius[k]) == known[celsius[k]]
            left, right = (pick(p for p in known if side * (p - celsius[k]) > 0) for pick, side in ((max, -1), (min, 1)))
            assert np.isclose(sigma * np.sqrt(bridge(left, celsius[k], right, beta)[2]), told(n)[1][k], atol=1e-7)
    normals = iter(np.zeros(200))

# %% [markdown]
# The curve is as secret as Vera's data. A server that restarts with a new curve gives a second release.
#
# ## What a random curve hides
#
# Which differences does a random curve hide? You are the attacker. The maker published Vera's comfort $f$ or the other function, $f'$, with noise on top. It has σ = 0.32, and changes slowly: with
# β = ⅛ per °C it forgets over 8 °C.
#
# ### Play: Vera's comfort, or the other one?
#
# In the first ten rounds the other function is higher by 0.1 everywhere. In the next ten it winds around Vera's comfort in ten ripples, and never leaves it by more than 0.1.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which of the two is easier to tell from Vera's comfort?** Choose, then play.
#
# * The one that is 0.1 higher everywhere
# * The one with ripples of height 0.1
# * Neither: both differ by 0.1, under the same noise.
# ```

# %% tags=["remove-cell"]
SMOOTH, RIPPLES, HEIGHT, DRAWS = 1 / 8, 10, 0.1, 200
share = (celsius - 16) / 8                               # of the way from 16 to 24 °C
tent = middle_reward(share)
covariance = sigma**2 * correlation(SMOOTH, celsius)
others = {"0.1 higher": np.full(81, HEIGHT), "with ripples": HEIGHT * np.cos(2 * np.pi * RIPPLES * share)}

def which_of_two(label, difference):
    """Releases of f, and of f + difference, each with a random curve on top; and μ."""
    noise = sample_ou(celsius, SMOOTH, sigma * np.ones((2, DRAWS)), game_rng)
    # the best score compares the two densities; only the part of the noise along this direction counts
    score = np.linalg.solve(covariance, difference)
    mu = np.sqrt(difference @ score)
    values = noise + np.array([tent, tent + difference])[:, None]
    return mu, Draws(f"the other one: {label}", values, log_ratios=mu**2 / 2 - (values - tent) @ score, ceiling=float(ndtr(mu / 2)),
                     guarantee="No guarantee worth the name for this difference." if mu > 6 else
                     f"No attacker who sees these 81 values is right more often than {np.ceil(100 * ndtr(mu / 2)):.0f} times in 100, proved for this difference only.")

(mu_raised, raised), (mu_ripples, ripples) = (which_of_two(*one) for one in others.items())

# %% tags=["remove-input"]
play(
    name="which_of_two", question="Was Vera’s comfort published, or the other one?",
    worlds=[World("Vera's", "Vera’s comfort", "It was Vera’s comfort."), World("the other", "the other one", "It was the other one.")],
    picture=Published("Published: a function, and a random curve", x="temperature in tenths of a °C: 160 is 16 °C", y="published", low=-0.9, high=1.2, first=160,
                      beside=[Beside("Vera's", tent, world=0), Beside("the other one", [tent + h for h in others.values()], world=1)]),
    levels=[raised, ripples], rounds=10, stages=("rounds", "dial"), budget=270_000,
    dial=Dial("the difference", low_end="higher", high_end="ripples", first="Now with ripples", next="Now with ripples"),
    caption="Noise: σ = 0.32, β = ⅛ per °C.", alt="A noisy curve, beside Vera's comfort and the other function: 0.1 higher everywhere at first, then with ripples.")

# %% tags=["remove-input"]
md(f"**The answer.** The ripples. The two differences have the same height, and the noise is the same. Yet the raised function is hidden, and the ripples are not: "
   f"the best attacker is right {100 * ndtr(mu_raised / 2):.0f} times in 100 about the one and practically always about the other. "
   "This noise often lies 0.1 too high or too low as a whole. But its jitter is no regular wave, and the attacker averages it away over the ten ripples. Noise hides what it can imitate.")

# %% tags=["remove-cell"]
assert 55 < 100 * ndtr(mu_raised / 2) < 60 and ndtr(mu_ripples / 2) > 0.9999

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-3
# Noise with a larger β forgets faster and is rougher. **What does rougher noise do, at the same σ, up to β = 8 per °C?**
#
# * It hides both differences better.
# * It hides the ripples better, and the shift as well as before.
# * It hides the ripples better, and the shift worse.
# ```

# %% tags=["remove-cell"]
def norm_of_shift(beta):
    return 0.1 * np.sqrt(1 + 4 * beta)

def norm_of_wave(waves, beta):
    return 0.1 * np.sqrt(1 + 2 * beta + (2 * np.pi * waves / 8) ** 2 * 2 / beta)

def right(norm):
    return ndtr(norm / sigma / 2)

best_beta = 2 * np.pi * RIPPLES / 8

# %% tags=["remove-input"] mystnb={"image": {"alt": "Right guesses of the best attacker against beta, logarithmic. About the shift they climb from 58 in 100 to nearly 100. About the ripples they fall from 100 to 81, where the curves cross near beta 8, and climb again."}}
fig, ax = plt.subplots(figsize=(7.2, 2.5))
rough = np.geomspace(0.125, 125, 200)
ax.plot(rough, 100 * right(norm_of_shift(rough)), color=PALETTE[0], lw=2.2)
ax.plot(rough, 100 * right(norm_of_wave(RIPPLES, rough)), color=PALETTE[1], lw=2.2)
ax.text(0.5, 64.5, "0.1 higher", color=PALETTE[0], weight="bold", ha="right")
ax.text(0.9, 99, "ten ripples", color=PALETTE[1], weight="bold")
ax.axhline(50, color=REFERENCE, ls=":", lw=1.4)
ax.text(125, 51, "a coin", color="#4a5058", ha="right")
ax.set(xscale="log", xlabel="β per °C: slow noise on the left, rough noise on the right", ylabel="right guesses, in 100", ylim=(47, 104),
       title="Up to β ≈ 8, rougher noise hides the ripples better, and the shift worse");

# %% tags=["remove-input"]
level, slow, rough_shift = (100 * float(right(norm)) for norm in (norm_of_wave(RIPPLES, best_beta), norm_of_shift(0.125), norm_of_shift(125.0)))
md(f"**The answer.** The ripples are hidden better, and the shift worse. Rough noise cannot lie 0.1 too high as a whole, as it averages out over the "
   f"interval: the right guesses about the shift climb from {slow:.0f} in 100 to {rough_shift:.0f}. The best compromise for these two differences is where the curves "
   f"cross, at β ≈ {best_beta:.0f} per °C, with {level:.0f} right guesses in 100 about either. Even larger β lets the ripples show again, by their height. No β is best for every difference {{ref}}`[sliders] <shift-or-ripple>`.")

# %% tags=["remove-cell"]
x = np.linspace(0, 1, 40_001)
for n, b in ((1, 16.0), (20, 16.0), (20, 1000.0)):       # the core's interval is [0, 1], and its β eight times ours
    h = PiecewiseLinear(x, 0.1 * np.cos(2 * np.pi * n * x))
    assert np.isclose(norm_of_wave(n, b / 8), rkhs_norm(h, b), rtol=1e-3)
    assert np.isclose(norm_of_shift(b / 8), rkhs_norm(PiecewiseLinear([0, 1], [0.1, 0.1]), b), rtol=1e-9)
assert all(level < 100 * right(norm_of_wave(RIPPLES, best_beta * c)) for c in (0.5, 2)) and np.isclose(norm_of_shift(best_beta), norm_of_wave(RIPPLES, best_beta))
shift, ripple = (100 * float(right(norm)) for norm in (norm_of_shift(2.0), norm_of_wave(20, 2.0)))
assert 60 < shift < 72 and ripple > 99
kept, again = OUPath(beta, sigma, np.random.default_rng(seed)), sample_ou(x[:5], beta, sigma, noise_rng)
assert kept(0.2) == kept(0.2) and again.shape == (5,)

# %% [markdown]
# ## The norm that counts
#
# So the height of a difference does not decide whether noise hides it. What does? Let $h$ be the difference of two functions. Ask from left to right, at temperatures that are $d$ degrees apart.
#
# 1. **The first answer.** Its noise has the standard deviation σ, and the two functions differ by $h(x_1)$ there. That is $\lvert h(x_1)\rvert/\sigma$ standard deviations.
# 2. **Each next answer.** From the answer before, at $x$, you predict part of the noise in the next, at $y$: its expected value is $e^{-\beta d}$ times that before. You subtract the prediction.
#    What this leaves of the difference is the **surprise**, $h(y) - e^{-\beta d}\,h(x)$. Only the fresh part hides it, with standard deviation $\sigma\sqrt{1 - e^{-2\beta d}}$.
# 3. **All together.** The fresh parts are independent. So the squares add up, as for several releases {doc}`(why) <../01_foundations/03_noise_that_keeps_it>`.

# %% tags=["remove-input"] mystnb={"image": {"alt": "The difference h, 0.1 everywhere, at the neighbouring temperatures 20 and 21 degrees. A dashed line falls from 0.1 at 20 degrees to 0.014 at 21 degrees, the part that is known from the answer before. An arrow from there up to 0.1 is the surprise."}}
fig, ax = plt.subplots(figsize=(7.2, 2.1))
known_part = np.linspace(20, 21, 60)
ax.plot([19.8, 21.4], [0.1, 0.1], color=PALETTE[1], lw=2.2)
ax.plot(known_part, 0.1 * np.exp(-beta * (known_part - 20)), color=REFERENCE, lw=2, ls="--")
ax.plot([20, 21], [0.1, 0.1], "o", color=PALETTE[1], ms=8)
ax.annotate("", (21, 0.097), (21, 0.1 * np.exp(-beta)), arrowprops={"arrowstyle": "->", "color": PALETTE[0], "lw": 2.2})
ax.text(21.03, 0.055, f"surprise {0.1 * -np.expm1(-beta):.4f},\nhidden by a fresh part\nof {sigma * np.sqrt(-np.expm1(-2 * beta)):.3f}", color=PALETTE[0], weight="bold", va="center")
ax.text(20.3, 0.066, "known from the answer before", color="#4a5058", ha="left")
ax.text(19.82, 0.107, "h, 0.1 everywhere", color=PALETTE[1], weight="bold")
ax.set(xlabel="temperature, °C", ylabel="difference h", xlim=(19.75, 21.55), ylim=(0, 0.125), xticks=[20, 21], title="The next answer: only the surprise has to be hidden");

# %% tags=["remove-cell"]
def nine(h):
    """μ of the answers at nine whole degrees."""
    surprise = h[1:] - np.exp(-beta) * h[:-1]
    return float(np.sqrt(h[0]**2 + (surprise**2).sum() / -np.expm1(-2 * beta)) / sigma)

flat = np.full(9, 0.1)
assert np.isclose(nine(flat)**2, flat @ np.linalg.solve(sigma**2 * correlation(beta, np.arange(9.0)), flat))
surprise, part = 0.1 * -np.expm1(-beta), sigma * np.sqrt(-np.expm1(-2 * beta))
assert nine(flat) < norm_of_shift(2.0) / sigma
lengths = {"shift": (0.01, 0.08, 0.0), "ripples": (0.01, 0.04, norm_of_wave(10, 2.0)**2 - 0.05)}
for terms, norm in zip(lengths.values(), (norm_of_shift(2.0), norm_of_wave(10, 2.0))):
    assert np.isclose(sum(terms), norm**2)
assert np.isclose(lengths["ripples"][2], 8 / (2 * 2) * 0.005 * (2 * np.pi * 10 / 8)**2)
assert show(float(right(norm_of_shift(2.0)))) == "0.68"

# %% tags=["remove-input"]
md(f"For example, take the shift, $h = 0.1$ everywhere, with β = {beta:g} per °C, and ask at the nine whole degrees. The first answer gives $(0.1/0.32)^2 = {(0.1 / sigma)**2:.3f}$. Each of the eight others has a surprise of {surprise:.4f} "
   f"against a fresh part of {part:.3f}, and gives $({surprise:.4f}/{part:.3f})^2 = {(surprise / part)**2:.3f}$. Together $\\mu^2 = {(0.1 / sigma)**2:.3f} + 8 \\cdot {(surprise / part)**2:.3f} = {nine(flat)**2:.2f}$, so **nine answers** "
   f"give $\\mu = {nine(flat):.2f}$. In the same way one answer gives $0.1/0.32 = {0.1 / sigma:.2f}$, and more than nine give more. Is there a limit?")

# %% [markdown]
# In general,
#
# $$\mu^2 = \frac{h(x_1)^2}{\sigma^2} + \sum_{\text{next answers}} \frac{\bigl(h(y) - e^{-\beta d}\,h(x)\bigr)^2}{\sigma^2\,(1 - e^{-2\beta d})} .$$
#
# With ever smaller steps the sum becomes an integral {ref}`[checked at more and more points] <what-a-path-hides>`. What is left is $\mu = \lVert h \rVert_H/\sigma$, with the **norm**
#
# $$\lVert h \rVert_H^2 = \underbrace{\tfrac12\bigl(h(16)^2 + h(24)^2\bigr)}_{\text{ends}}
#   + \underbrace{\tfrac{\beta}{2}\int_{16}^{24} h^2}_{\text{height}} + \underbrace{\tfrac{1}{2\beta}\int_{16}^{24} h'^2}_{\text{steepness}} .$$
#
# ```{dropdown} From the sum to the norm
# For a small step $d$ the surprise is about $(h' + \beta h)\,d$, and the variance of the fresh part about $2\beta d\,\sigma^2$. So a step adds
# $(h' + \beta h)^2 d/(2\beta\sigma^2)$, and the sum becomes an integral. Its mixed term, $\int h\,h' = \frac12\bigl(h(24)^2 - h(16)^2\bigr)$, joins the first answer.
# ```
#
# With large β the height counts most, with small β the steepness. Here are both differences at the β of the game, at 2, and at 7.85. At 7.85 they are equally long:

# %% tags=["remove-input"]
rows = []
for b, shown in ((SMOOTH, "⅛"), (beta, f"{beta:g}"), (best_beta, f"{best_beta:.2f}")):
    slope = 2 * np.pi * RIPPLES / 8                      # of the ripples, times their height at most
    for label, terms in (("0.1 higher", (0.01, b / 2 * 8 * 0.01, 0.0)), ("ten ripples", (0.01, b / 2 * 4 * 0.01, 4 * (0.1 * slope)**2 / (2 * b)))):
        norm = np.sqrt(sum(terms))
        assert np.isclose(norm, norm_of_shift(b) if label == "0.1 higher" else norm_of_wave(RIPPLES, b))
        guesses = 100 * float(right(norm))
        rows.append(f"| {shown} | {label} | " + " | ".join(f"{term:.3g}" for term in (*terms, norm**2)) + f" | {norm / sigma:.2f} | {'practically all' if guesses > 99.9 else f'{guesses:.0f} in 100'} |")
md("| β | difference | ends | height | steepness | ‖h‖² | μ = ‖h‖/0.32 | right guesses |\n|---|---|---|---|---|---|---|---|\n" + "\n".join(rows))

# %% [markdown]
# **Which β?** Let a difference be at most $a$ high and at most $b$ per °C steep. Over 8 °C, height then gives at most $\frac\beta2 \cdot 8a^2 = 4\beta a^2$, and steepness $\frac1{2\beta} \cdot 8b^2 = 4b^2/\beta$. Their sum is smallest where they are equal, at $\beta = b/a$, the largest slope divided by the
# largest height. The ripples have $b = 0.1 \cdot 2\pi \cdot 10/8 = 0.785$ per °C and $a = 0.1$, so β = 7.85.
#
# The noise is made for one number, the norm, and covers any number of questions. The release is called *μ-Gaussian-DP* if nobody tells two neighbours apart better than two normal
# distributions of variance 1 whose means are μ apart.
#
# ```{prf:proposition} Noise that is a curve
# :label: prop-noise-curve
# Publish $f + g$, where $g$ is a random curve with standard deviation σ, and answer any number of questions anywhere. If every neighbour $f'$
# satisfies $\lVert f - f' \rVert_H \le \Delta$, the release is μ-Gaussian-DP with $\mu = \Delta/\sigma$.
# ```
#
# This is a theorem of Hall, Rinaldo and Wasserman {cite:p}`hall2013`, which Wang and Hegde brought to reinforcement learning. It holds, and so does their formula for the norm.
# On the evidence pages and in the exercises the interval has length 1 in place of 8 °C, so β is eight times as large there.
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
# **2. Two functions differ by at most 0.1, and the difference changes by at most 0.25 per °C. Which β do you choose?**
#
# ```{dropdown} A small one, because smooth noise is stronger at each point.
# The noise at a point has standard deviation σ for every β.
# ```
# ```{dropdown} 2.5 per °C
# ✓ Yes: the largest slope divided by the largest height, 0.25/0.1.
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
