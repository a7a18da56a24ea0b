# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'To hide a reward function: explore without looking at it, release it once at a few places or as one number,
#         and learn from the release for as long as you like.'
# ---

# %% [markdown]
# # What you would do today
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How do you hand out what an agent has learned, and keep its rewards private, at the smallest cost?
# * **The answer.** Let the agent explore without looking at rewards. Release the *reward* once, with noise. Learn from the release, for as long as
#   you like.
# * **What is protected.** The reward function; neighbours differ by at most η everywhere.
# * **What you need.** {doc}`04_what_is_possible`; post-processing from {doc}`../01_foundations/03_noise_that_keeps_it`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2019         # all randomness comes from here
epsilon, delta = 0.9, 1e-4
eta = 0.01

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.functional_noise import (
    PiecewiseLinear, fitted_q_iteration, hat_features, q_learning_input_perturbation, q_learning_private_state,
    release_contrast_once, release_reward_once, rkhs_norm)
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, explore, show
from privrl_core.privacy import chain_success_ceiling, gaussian_mu
from privrl_core.world import greedy_return, middle_reward, nodes, optimal_return, policy_return, walk

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)
best, aimless = optimal_return(), float(policy_return(np.full(nodes().size, 0.5)))

def comfort(celsius):
    return middle_reward((np.asarray(celsius) - 16) / 8)

# %% [markdown]
# ## Where does the secret enter?
#
# The learner of {doc}`04_what_is_possible` paid 78 times, because each of its 78 updates reads Vera's rewards. But what has to be hidden is one function. Where
# the room's temperature went, and how it got there, has nothing to do with her comfort *if the thermostat does not look at her comfort when it
# explores*. So there is a shorter way:
#
# 1. **Explore at random.** Heat or cool by a coin. The temperatures may be published.
# 2. **Release the reward once.** Take the rewards that the thermostat received nearest to a few chosen temperatures, add noise, publish.
# 3. **Learn from the release.** All of that is post-processing, and it is free: any number of updates, any network, no
#    privacy to account for.
#
# Here is step 2, for three temperatures. `reward(t)` is the reward that the thermostat received nearest to $t$ °C:

# %%
n_places = 3
places = np.linspace(16, 24, n_places)          # 16, 20 and 24 °C
mu = gaussian_mu(epsilon, delta)
sigma = eta * np.sqrt(n_places) / mu            # each value moves by η

def release(reward, rng):
    return reward(places) + sigma * rng.standard_normal(n_places)

# %% [markdown]
# A neighbour moves each of the three values by at most η, so it moves them by at most $\eta\sqrt 3$ in Euclidean length. Gaussian noise of
# $\sigma = \eta\sqrt3/\mu$ hides this, and the release is μ-Gaussian-DP {ref}`[proof, with 6 % less noise] <reward-once-proved>`.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# The learner with a private state stayed within 1.5 of the best return up to about η = 0.004, at ε = 0.9. **Up to which η will a learner do so that sees only three
# noisy numbers?**
#
# * 0.004 again: less to see, but less noise
# * 0.03
# * 0.3
# ```

# %% tags=["remove-cell"]
states, actions, next_states = walk(5000, rng)         # rewards unseen
published = release(comfort, noise_rng)
q = fitted_q_iteration(states, actions, next_states, hat_features(next_states, n_places) @ published, discount=0.9, n_knots=33)
by_hand = float(greedy_return(q)[0])

etas, runs = np.geomspace(1e-3, 0.5, 11), max(40, round(50 * effort))

def once(eta, **setting):
    learned = release_reward_once(eta=np.sqrt(9 / 8) * eta, **setting)      # it subtracts the mean, and needs √(8/3) where the page has √3
    assert np.allclose(learned.noise.scale, eta * np.sqrt(3) / mu)
    return learned

def state(**setting):
    own = dict(zip(("rng", "noise_rng"), np.random.default_rng([seed, 78]).spawn(2)))      # the learner and the curve of the page before
    return q_learning_private_state(learning_rate=3e-4, discount=0.99, **setting | own)

methods = {"reward, once": once, "each reward": q_learning_input_perturbation, "in the state": state}
curves = {}
for name, method in methods.items():
    learned = method(epsilon=epsilon, delta=delta, eta=np.repeat(etas, runs), runs=runs * etas.size, rng=rng, noise_rng=noise_rng)
    curves[name] = greedy_return(learned.q, cells=200).reshape(etas.size, runs).mean(axis=1)

# only the sign of the contrast counts, so two policies are all that its learner knows, and its return has a closed form
to_middle, to_ends = (float(greedy_return(release_contrast_once(epsilon=1.0, eta=1e-9, reward=shape, runs=runs, rng=rng, noise_rng=noise_rng).q, cells=200).mean())
                      for shape in (middle_reward, lambda at: 0.5 - middle_reward(at)))

def with_contrast(eta):
    wrong = np.exp(-epsilon * 0.5 / (2 * eta)) / 2          # Laplace noise beyond 1/2, on one side
    return (1 - wrong) * to_middle + wrong * to_ends

curves["contrast, once"] = with_contrast(etas)
tried = greedy_return(release_contrast_once(epsilon=epsilon, eta=0.25, runs=200, rng=rng, noise_rng=noise_rng).q, cells=200)
assert abs(tried.mean() - with_contrast(0.25)) < 5.5 * tried.std() / np.sqrt(tried.size)      # the closed form against runs
contrast_reach = -epsilon * 0.5 / 2 / np.log(2 * (to_middle - (best - 1.5)) / (to_middle - to_ends))

def reach(name, level=best - 1.5):
    """The largest η up to which the mean return stays within 1.5 of the best."""
    return float(np.exp(np.interp(-level, -np.minimum.accumulate(curves[name]), np.log(etas))))

# %% tags=["remove-input"] mystnb={"image": {"alt": "Return of an episode against eta for the reward released once and for noise in the state after each update. The reward released once stays at the best return for an eta about ten times as large."}}
fig, ax = plt.subplots(figsize=(7.2, 3.3))

smooth = np.geomspace(1e-3, 0.5, 300)

def draw(ax, names, colours):
    for name, colour in zip(names, colours):
        if name == "contrast, once":
            ax.plot(smooth, with_contrast(smooth), color=colour)
        else:
            ax.plot(etas, curves[name], "o-", ms=4, color=colour)
    ax.axhspan(best - 1.5, best, color=REFERENCE, alpha=0.2, lw=0)
    for level, label in ((best, "the best there is, and 1.5 below it (grey)"), (aimless, "tossing a coin")):
        ax.axhline(level, color=REFERENCE, ls=":", lw=1.4)
        ax.text(0.0011, level + 0.3, label, color="#4a5058", va="bottom")
    ax.set(xscale="log", xlabel="η: how far neighbours may differ (rewards lie between 0 and 0.5)", ylabel="return of 50 steps", ylim=(0, 24.5))

draw(ax, ["reward, once", "in the state"], PALETTE)
ax.text(reach("reward, once") * 1.9, best - 3.5, "reward released once", color=PALETTE[0], weight="bold")
ax.text(0.0035, 5.5, "noise in the state, 78 updates", color=PALETTE[1], weight="bold")
ax.set_title(f"The same guarantee: released once, or in 78 updates (ε = {epsilon:g})");

# %% tags=["remove-input"]
md(f"**The answer.** Up to about η = {show(reach('reward, once'), 1)} it stays within 1.5 of the best return, {best:.1f}. The learner with a private state "
   f"reaches η = {show(reach('in the state'), 1)}; its curve is the one of {{doc}}`04_what_is_possible`. Both keep (0.9, 10⁻⁴)-differential privacy for the reward function (sup-norm at most η), proved. Both learn from "
   "5,000 steps of a random walk. But 78 updates are 78 releases of the rewards, which cost √78 ≈ 9 times the noise of one, and the three numbers are one release. At η = 0.3 the three numbers too are mostly noise. Each point is a mean of "
   f"{runs} runs.")

# %% tags=["remove-cell"]
assert 0.025 < reach("reward, once") < 0.1 and reach("reward, once") > 5 * reach("in the state")
assert by_hand > best - 2

# %% [markdown]
# ## How many places?
#
# Three temperatures are enough for a tent with its peak at 20 °C. But the maker is not supposed to know that it is a tent. More places show more
# detail, and each costs noise.
#
# ### Explore: detail against noise
#
# ```{admonition} Guess first
# :class: hint guess right-3
# Vera's comfort is released at 17 places in place of 3, with the same promise. **What does the picture show of her tent?** Choose,
# then move the number of places, also down to 2.
#
# * More of it: every half degree is in the picture.
# * Neither more nor less: each place has its own noise.
# * Less: it is lost in noise.
# ```

# %% tags=["remove-input"]
places_choice = Choice("places", "released places", (2, 3, 5, 9, 17), 3, low_end="less noise", high_end="more detail")
eta_slider = Slider("eta", "η of neighbours", 0.001, 0.06, 0.025, points=28, steps=54, low_end="less hidden",
                    high_end="more hidden")
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.5, 10, 0.9, points=41, steps=40, low_end="more private", high_end="less private")
temperature = Axis("temperature", "temperature, °C", 16, 24, scale="linear", points=33)    # all places are among these
at = (temperature.grid - 16) / 8

per_mu = Table.of(lambda epsilon: 1 / gaussian_mu(epsilon, delta), epsilon_slider)
of_eta = Table.of(lambda eta: eta, eta_slider)
of_places = Table.of(np.vectorize(lambda places: np.sqrt(int(places))), places_choice)
noise = per_mu * of_eta * of_places

clean, draws = [], []
for k in places_choice.options:
    hats = hat_features(at, k)
    clean.append(hats @ middle_reward(np.linspace(0, 1, k)))
    draws.append(hats @ noise_rng.standard_normal(k))
clean, draws = (Table((places_choice, temperature), values, scale="linear") for values in (clean, draws))

explore(
    name="detail_against_noise", sliders=[places_choice, eta_slider, epsilon_slider], x=temperature,
    y=Axis("reward", "reward", -0.8, 1.3, scale="linear"),
    curves=[Curve("one release, ± one standard deviation", clean + noise * draws, low=clean + noise * draws - noise,
                  high=clean + noise * draws + noise),
            Curve("Vera's comfort", Table((temperature,), middle_reward(at), scale="linear"), reference=True)],
    readouts=[Readout("noise", "standard deviation at each place", noise, at_most=True)],
    guarantee="(ε = {epsilon}, δ = " + show(delta) + ")-differential privacy for the reward function (sup-norm at most {eta}), proved: "
              "the reward is released once, at {places} places.",
    alt="One released reward over the temperature with a band of one standard deviation, {noise}, at ε = {epsilon}, η = {eta} and {places} places, beside the "
        "true reward.",
    caption="One draw of the noise for each number of places, joined by lines. The range of Vera's rewards is 0.5.")

# %% tags=["remove-input"]
few, many = (float(noise.at(epsilon=0.9, eta=0.025, places=k)) for k in (3, 17))
md(f"**What you should see.** Less: with 17 places the tent is lost in noise. The standard deviation at each place grows from {few:.3f} to {many:.3f}, to 2.4 times as much. A neighbour may move all places at once, so it moves $K$ numbers by up to $\\eta\\sqrt K$ in Euclidean length, "
   "and $\\sqrt{17/3} \\approx 2.4$. With 2 places the noise is smallest, and the tent is gone as well: 16 and 24 °C are its "
   "two feet. So choose the places by what you know of the task, and choose them before you look. A choice that depends on the reward is a release too.")

# %% tags=["remove-cell"]
assert np.isclose(few, 0.025 * np.sqrt(3) / float(gaussian_mu(epsilon, delta)), rtol=0.01) and np.isclose(many / few, np.sqrt(17 / 3), rtol=0.01)
assert 0.14 < few < 0.16 and 0.35 < many < 0.375

# %% tags=["remove-cell"]
# neighbours within η that are no steeper than L, per length of the interval: the norm of chapter 3, page 2, at β = L/η
height = 0.025
slope = 4 * height
smooth_norm = height * np.sqrt(1 + slope / height)
smooth_noise = smooth_norm / float(gaussian_mu(epsilon, delta))
fine = np.linspace(0, 1, 2001)
for wave in (lambda x: height * np.cos(4 * x), lambda x: 0 * x + height, lambda x: height - slope * np.minimum(x, 0.5)):
    assert rkhs_norm(PiecewiseLinear(fine, wave(fine)), slope / height) <= smooth_norm * (1 + 1e-9)
assert few < smooth_noise < many

# %% tags=["remove-input"]
md(f"If neighbours are smooth as well as close, {{doc}}`one random curve <02_a_random_curve>` avoids this price. Suppose that they differ by at most η = {height}, and that the difference "
   f"changes by at most {slope / 8:.4f} per degree. Then a curve with σ = **{smooth_noise:.2f}** hides the reward at 17 places or at 1,700, where separate noise needs {many:.2f} for 17 places, and {few:.2f} for three. In a single release of much detail, noise that is a curve is the right tool. "
   "An exercise on {doc}`06_exercises` builds it.\n\n"
   f"````{{dropdown}} Where {smooth_noise:.2f} comes from\nThe best β is the largest slope divided by the largest height, {slope / 8:.4f}/{height} = 0.5 per °C, and no difference is longer than\n\n"
   "$$\\lVert h \\rVert^2 = \\underbrace{0.025^2}_{\\text{ends}} + \\underbrace{\\tfrac{0.5}{2} \\cdot 8 \\cdot 0.025^2}_{\\text{height}} + \\underbrace{\\tfrac{1}{2 \\cdot 0.5} \\cdot 8 \\cdot 0.0125^2}_{\\text{steepness}} "
   f"= 0.0031, \\qquad \\lVert h \\rVert = {smooth_norm:.3f} .$$\n\n"
   f"No difference is at its highest and at its steepest everywhere, so this is on the safe side. So σ = {smooth_norm:.3f}/{float(gaussian_mu(epsilon, delta)):.3f} = {smooth_noise:.2f}.\n````")

# %% tags=["remove-cell"]
assert np.isclose(smooth_norm**2, 0.025**2 + 0.25 * 8 * 0.025**2 + 8 * 0.0125**2) and round(smooth_norm**2, 4) == 0.0031 and np.isclose(slope / 8, 0.0125)

# %% [markdown]
# ## One number is enough
#
# The maker may know beforehand that the only question is *middle or ends?* Then it need not release a curve at all, only the **contrast** with which you played on {doc}`04_what_is_possible`:
#
# $$c = r(20\,°\mathrm C) - \tfrac12\bigl(r(16\,°\mathrm C) + r(24\,°\mathrm C)\bigr).$$
#
# A neighbour moves $c$ by at most 2η, so Laplace noise with scale $2\eta/\varepsilon$ makes it private, even with δ = 0:

# %%
def release_contrast(reward, epsilon, eta, rng):
    contrast = reward(20) - (reward(16) + reward(24)) / 2
    return contrast + rng.laplace(scale=2 * eta / epsilon)

# %% tags=["remove-cell"]
found = np.array([release_contrast(comfort, epsilon, 0.05, noise_rng) for _ in range(2000)])
assert abs(np.median(found) - 0.5) < 0.03
each = np.sqrt(5000) / float(gaussian_mu(epsilon, delta))
assert np.isclose(np.exp(-epsilon) / 2, 1 - float(chain_success_ceiling(epsilon, 0, 2)))
assert 245 < each < 250 and round(2 / epsilon, 1) == 2.2 and round(np.sqrt(2) * 2 / epsilon, 1) == 3.1 and round(np.sqrt(3) / float(gaussian_mu(epsilon, delta)), 1) == 6.1

# %% [markdown]
# Now there are four places for the noise:
#
# 1. **In the state**, after each of 78 updates.
# 2. **In each of the 5,000 rewards** that the thermostat receives, with $\sigma = \eta\sqrt{5000}/\mu$, which is 247 η. But the learner takes means of hundreds of rewards, and the noise averages out again.
# 3. **In the reward at three places**, with $\sigma = \eta\sqrt3/\mu$, which is 6.1 η.
# 4. **In one contrast**, with Laplace noise of scale $2\eta/\varepsilon$, which is 2.2 η, a standard deviation of 3.1 η.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Return of an episode against eta for four ways to place the noise. The contrast released once stays near the best return the longest, then the reward released once, then noise on each reward; noise in the state falls first."}}
fig, ax = plt.subplots(figsize=(7.2, 3.8), layout="constrained")
order = ["reward, once", "in the state", "contrast, once", "each reward"]
draw(ax, order, PALETTE)
ends, lowest = sorted(order, key=lambda name: curves[name][-1]), -np.inf
spread = {name: (lowest := max(curves[name][-1], lowest + 1.7)) for name in ends}      # labels beside the ends, apart from each other
for name, label in (("contrast, once", "one contrast"), ("reward, once", "three places"), ("each reward", "5,000 rewards"), ("in the state", "state, 78 updates")):
    ax.annotate(label, (etas[-1], curves[name][-1]), xytext=(0.62, spread[name]), color=PALETTE[order.index(name)], weight="bold", va="center", annotation_clip=False,
                arrowprops={"arrowstyle": "-", "color": PALETTE[order.index(name)], "lw": 0.8, "relpos": (0, 0.5)})
ax.set(title=f"How far each way of placing the noise reaches (ε = {epsilon:g})");

# %% tags=["remove-input"]
reaches = [reach("in the state"), reach("each reward"), reach("reward, once"), contrast_reach]
assert effort < 1 or [f"{one:.{digits}f}" for one, digits in zip(reaches, (3, 3, 2, 2))] == ["0.004", "0.013", "0.03", "0.12"]
assert np.isclose(with_contrast(contrast_reach), best - 1.5)
md(f"How far does each reach, until the return is 1.5 below the best? Noise in the state to η = 0.004, noise in each reward to 0.013, three places to 0.03, and the contrast to {contrast_reach:.2f}. At η = 0.25 no learner does better: the contrast tells the tent from the upside-down tent {100 * (1 - np.exp(-epsilon * 0.5 / 0.5) / 2):.0f} times in 100, which is {{doc}}`the ceiling <04_what_is_possible>` {{ref}}`[more] <reward-frontier>`. "
   "But the contrast answers one question only, whether the middle is better than the ends.\n\n"
   "At large η three curves sink below the coin, for the reason given on {doc}`04_what_is_possible`: noise keeps the room at one end. The curves are measured on true rewards, and are not private themselves. That of the contrast is computed from its probability to be wrong, the others from runs.")

# %% tags=["remove-cell"]
assert reach("contrast, once") > reach("reward, once") > reach("each reward") > reach("in the state")

# %% [markdown]
# The same methods, with runs on the upside-down tent and the ceilings beside them: {ref}`the frontier <reward-frontier>`.
#
# ## A recipe
#
# 1. **Ask what η means** to the owner of the reward. If all rewards are neighbours and ε is small, stop: little can be learned.
# 2. **Explore without the rewards.** If exploration must use them, release as you go, and pay for each release.
# 3. **Release the reward once**, at places chosen beforehand; or one contrast, if the question is known.
# 4. **Learn from the release** with anything, for as long as you like, and hand out what you learned.
# 5. **State the promise in full**: ε, δ, the unit, which is the reward function, and η.
#
# For Vera, η = 0.03 means: what is published hardly tells whether 21 °C suits her a little better or a little worse, by up to 0.03. That she likes it best near 20 °C, it shows.
#
# ## What it does not do
#
# * It protects one function. If rewards are built from the clicks of many users, ask how far *one user* can move them. This is the η to use, and it may be
#   small or large.
# * A walk at random reaches every temperature. It does not reach every state of a large world.
# * The temperatures are public here. If they tell about Vera too, they need a promise of their own.
#
# ## Check yourself
#
# **1. Why does learning for a million steps from a released reward cost no more privacy than one step?**
#
# ```{dropdown} Because the noise averages out over the steps.
# It is drawn once, and is the same in every step. A policy that is wrong because of it stays wrong.
# ```
# ```{dropdown} Because all that comes after the release is post-processing.
# ✓ Yes. What does not look at the reward again cannot give more of it away.
# ```
# ```{dropdown} Because the discount bounds the sum of rewards.
# It bounds values. It does not bound what they tell.
# ```
#
# **2. The thermostat has seen 5,000 rewards. Would it help to average all rewards near 20 °C, instead of releasing a single one?**
#
# ```{dropdown} Yes: the average of n rewards moves by η/n only.
# That is so if one of the n rewards changes. Here a neighbour may move all of them by η at once.
# ```
# ```{dropdown} No: a neighbour may move all of them together, so the average moves by η as well.
# ✓ Yes. The unit is the whole reward function.
# ```
# ```{dropdown} No: averages are never private.
# They can be, with noise for their sensitivity. But their sensitivity here is not smaller.
# ```
#
# ## To take away
#
# * Find the one place where the secret enters, and make that private. Everything after it is free.
# * Do not release what nobody needs. One number reaches further than three, and three further than 5,000.
# * The random curve of the paper is a good tool, for a release that happens once.
#
# Further reading: {cite:t}`hall2013` on noise for functions; {cite:t}`abadi2016` on private gradients, the standard for networks;
# {cite:t}`dong2022` on Gaussian differential privacy, by which everything here is counted. The paper: {cite:t}`wang2019`. Each of its statements
# has a row in {ref}`the ledger <claims>`.
