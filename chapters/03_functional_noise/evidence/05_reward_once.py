# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'To hide a reward function: explore without looking at it, release it once at a few places, and
#         learn from the release for as long as you like.'
# ---

# %% [markdown]
# # The reward, released once
#
# ```{admonition} What this page establishes
# :class: tip
# It backs {doc}`../05_today`. The mechanism is proved, and its sensitivity is checked over all corners. One released number attains the
# ceiling of {doc}`03_privacy` for δ = 0. Five methods are run on a reward and on the same reward upside down, with two ceilings beside them.
# An actor that reads rewards needs noise of its own. The page also lists every statement of the paper with its verdict.
# ```

# %% tags=["parameters"]
effort = 1.0  # the fraction of the full work
seed = 2019  # all randomness comes from here
epsilon, delta = 0.9, 1e-4  # the paper's first level
eta = 0.01  # how far apart neighbouring rewards may be; rewards lie in [0, 0.5]
n_places = 3  # places at which the reward is released

# %% tags=["hide-input"]
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown as md

from privrl_core.pages.explorer import (
    Axis, Choice, Curve, Readout, Slider, Table, constant, explore, show)
from privrl_core.pages import PALETTE, REFERENCE, claims, summary, typeset, use_theme
from privrl_core.functional_noise import (
    actor_critic_reading_rewards, actor_critic_repaired, actor_from_private_q,
    centred_sensitivity, fitted_q_iteration, hat_features, q_learning_input_perturbation,
    q_learning_output_perturbation, q_learning_private_state, release_contrast_once,
    release_reward_once)
from privrl_core.world import (
    greedy_return, middle_reward, nodes, optimal_return, policy_return, walk)
from privrl_core.privacy import chain_success_ceiling, gaussian_mu, gaussian_success_ceiling

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)  # the world's, and the noise's
runs = max(4, round(30 * effort))
best, aimless = optimal_return(), float(policy_return(np.full(nodes().size, 0.5)))

# %% [markdown]
# ## Why learn in private at all?
#
# Private learners pay for every step: 78 updates, 78 releases, noise in each. But what has to be hidden is one function,
# and it enters the training in one place. Everything else, where the walker went and how the world answered, has
# nothing to do with the reward *if the walker does not look at it*. So:
#
# 1. walk at random; the states are public;
# 2. read the reward at a few of them, add noise, publish: once;
# 3. learn from the published reward. All of that is post-processing: any number of steps, any network, no composition.
#
# By hand, with three places:

# %%
states, actions, next_states = walk(5000, rng)         # one walk, rewards unseen
places = np.linspace(0, 1, n_places)
nearest = np.abs(next_states[0][:, None] - places).argmin(axis=0)
y = middle_reward(next_states[0][nearest])             # the only look at the reward

mu = gaussian_mu(epsilon, delta)
sigma = eta * np.sqrt(n_places) / mu                  # each of y moves by at most eta
released = y + sigma * noise_rng.standard_normal(n_places)

rewards = hat_features(next_states, n_places) @ released   # linear in between
q = fitted_q_iteration(states, actions, next_states, rewards,
                       discount=0.9, n_knots=33)
by_hand = float(greedy_return(q)[0])

# %% tags=["remove-input"]
md(f"Rewards {', '.join(show(v) for v in y)} were released as {', '.join(show(v) for v in released)}. Acting on what was "
   f"learned from them earns **{by_hand:.2f}** an episode; the best there is, {best:.2f}; a coin, {aimless:.2f}.")

# %% [markdown]
# (reward-once-proved)=
# ## A little less noise, and the proof
#
# A constant added to all rewards changes no policy. So we need not release it: subtract the mean of the $K$ numbers, and
# what one can still see of a neighbour is smaller.
#
# ```{prf:proposition} the reward, released once
# :label: reward-once
# Let $s_1, \dots, s_K$ be states chosen without looking at the reward, $y_k = r(s_k)$, $P = I - \frac1K 11^\top$ and
# $z \sim \mathcal N(0, \sigma^2 I)$ with $\sigma = \frac{\eta}{\mu}\sqrt{K - \frac{K \bmod 2}{K}}$. Publishing $P(y + z)$, and whatever is
# computed from it and the walk, is $\mu$-Gaussian-DP for the reward function, $\lVert r - r'\rVert_\infty \le \eta$. No smaller
# $\sigma$ is.
# ```
#
# ```{prf:proof}
# A neighbour changes $y$ by a vector $d$ with entries in $[-\eta, \eta]$. What is seen of it is $Pd$, and noise of $P(y+z)$ is standard
# on the range of $P$, so the release is $\mu$-Gaussian-DP with $\mu = \max_d \lVert Pd\rVert/\sigma$, and no less {cite:p}`dong2022`.
# $\lVert Pd\rVert^2 = \sum_k d_k^2 - \frac1K(\sum_k d_k)^2$ is convex in $d$, so the largest is at a corner, $d_k = \pm\eta$: there it is
# $\eta^2\bigl(K - \frac1K(\sum_k \pm 1)^2\bigr)$, and a sum of $K$ signs is at least $K \bmod 2$ in size.
# ```
#
# *Checked* over all corners:

# %%
for K in range(2, 13):
    corners = np.array(list(product([-1.0, 1.0], repeat=K)))
    seen = corners - corners.mean(axis=1, keepdims=True)
    moved = np.linalg.norm(seen, axis=1).max()
    assert np.isclose(moved, centred_sensitivity(K, 1.0), rtol=1e-12)

# %% [markdown]
# The core does the same for many runs at once:

# %%
learned = release_reward_once(
    epsilon=epsilon, delta=delta, eta=eta, n_knots=n_places, runs=runs,
    rng=rng, noise_rng=noise_rng)
returns = greedy_return(learned.q)

# %% tags=["remove-input"]
md(f"Its guarantee: *{learned.guarantees[0]}*.")

# %% tags=["remove-input"]
gap = best - returns.mean()
md(f"{runs} runs earn **{returns.mean():.2f}** on average, {gap:.2f} below the best there is, and the worst of them "
   f"{returns.min():.2f}. For its owner, what was released beside what is true:")

# %% mystnb={"image": {"alt": "The true reward, a tent, less its mean at three places, and the released ones: three points joined by lines, all tents of nearly the same height."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 2.8))
ax.plot(learned.knots, learned.values.T, color=PALETTE[0], lw=0.8, alpha=0.5)
ax.plot(nodes(), middle_reward(nodes()) - middle_reward(learned.knots).mean(), color=REFERENCE, ls=":", lw=2.4)
ax.set(xlabel="state", ylabel="reward, less its mean", title=f"{runs} released rewards, and the true one (dots)");

# %% [markdown]
# **Three places, because we know.** The reward is a tent with its peak in the middle; three places are exactly where it bends.
# That flatters the method. Without this knowledge one would take more places, and pay $\sqrt K$:

# %% tags=["hide-input"]
def by_places(n_knots, eta):
    found = release_reward_once(epsilon=epsilon, delta=delta, eta=eta, n_knots=n_knots, runs=runs, rng=rng, noise_rng=noise_rng)
    return float(greedy_return(found.q).mean())

pd.DataFrame({"places K": [3, 5, 9]} | {f"return at η = {show(e)}": [round(by_places(k, e), 1) for k in (3, 5, 9)]
                                       for e in (0.01, 0.03, 0.1)}).style.hide().format(precision=1)

# %% [markdown]
# ## One number is enough
#
# With this knowledge of the shape one number is enough. The policy depends on $c = r(\tfrac12) - \tfrac12(r(0) + r(1))$. A neighbour
# moves it by at most $2\eta$, so
#
# $$\tilde c = c + z, \qquad z \sim \mathrm{Laplace}(2\eta/\varepsilon),$$
#
# is $(\varepsilon, 0)$-DP: the density of $z$ changes by a factor of at most $e^{\varepsilon}$ if its centre moves by $2\eta$. All else is
# post-processing. The sign, and with it the policy, is right with probability $1 - \frac12 e^{-\varepsilon|c|/2\eta}$; here $|c| = \frac12$.
# `release_contrast_once` does it.
#
# (reward-frontier)=
# ## How far can anybody get?
#
# {doc}`03_privacy` has bounds that need no mechanism. With $r' = \frac12 - r$, the returns of a policy under $r$ and $r'$ add up to 25,
# so no policy earns more than 12.5 under both. A learner that succeeds on both must tell them apart; and
# $k = \lceil 0.5/\eta\rceil$ neighbours lead from one to the other. So, on average over the two, no learner that is
# $\mu$-**Gaussian-DP** succeeds more often than $\Phi(k\mu/2)$, and none that is $(\varepsilon, 0)$-DP more often than
#
# $$1 - \tfrac12 e^{-k\varepsilon/2} \qquad (k \text{ even}).$$
#
# The contrast attains the second where $0.5/\eta$ is an even number: there no better mechanism is left to find. The two promises
# differ. The Gaussian one holds at all δ at once, with one $\mu$; it is (0.9, 10⁻⁴)-DP here, but so are learners that are not
# Gaussian-DP at this $\mu$, and they may do better. Beside their ceilings, every method but noise on gradients, which falls
# short of the best even without noise ({doc}`02_q_learning`):

# %% tags=["hide-input"]
etas = np.geomspace(1e-3, 1, 10 if effort >= 1 else 4)

def contrast(delta, **setting):
    return release_contrast_once(**setting)             # its delta is 0

methods = {
    "reward released once": release_reward_once,
    "contrast released once": contrast,
    "noise on rewards": q_learning_input_perturbation,
    "noise in the state": q_learning_private_state,
    "noise on the result": q_learning_output_perturbation,
}

def steps(eta):
    return int(np.ceil(0.5 / eta - 1e-9))

def mirrored(states):
    return 0.5 - middle_reward(states)

def both(method):
    """Returns on the reward and on its upside-down reward, every eta at once: eta, run, which."""
    found = [greedy_return(method(epsilon=epsilon, delta=delta, eta=np.repeat(etas, runs), runs=runs * len(etas),
                                  reward=reward, rng=rng, noise_rng=noise_rng).q, reward)
             for reward in (middle_reward, mirrored)]
    return np.stack(found, axis=-1).reshape(len(etas), runs, 2)

frontier = {name: both(method) for name, method in methods.items()}

# %% mystnb={"image": {"alt": "Two panels over the neighbour radius eta, logarithmic. Left, the return on the paper's reward: the contrast released once stays near the best up to eta a twentieth, the reward released once up to a fiftieth, noise on every reward up to one two-hundredth, the others fall earlier; at eta one half the contrast is still above a coin, all others below. Right, the share of runs that succeed on a reward and on the same reward upside down, with two ceilings: the Gaussian-DP one leaves one at eta about a twentieth and falls to a little over one half, the pure one lies above it; the contrast follows the pure one but for eta one."}} tags=["hide-input"]
fig, (left, right) = plt.subplots(1, 2, figsize=(5.6, 4.4))
for color, (name, found) in zip(PALETTE, frontier.items()):
    left.plot(etas, found[..., 0].mean(1), "o-", ms=3.5, color=color, label=name)
    share = (found > 12.5).mean((1, 2))
    right.errorbar(etas, share, 2 * np.sqrt(share * (1 - share) / (2 * runs)), fmt="o-", ms=3.5, elinewidth=0.8, color=color)
left.axhline(best, color=REFERENCE, ls=":")
left.axhline(aimless, color=REFERENCE, ls="--")
fine = np.geomspace(1e-3, 1, 2000)
right.plot(fine, [gaussian_success_ceiling(mu, steps=steps(e)) for e in fine], color=REFERENCE, ls=":", lw=2, label="ceiling, μ-Gaussian-DP")
right.plot(fine, [chain_success_ceiling(epsilon, 0.0, steps(e)) for e in fine], color=REFERENCE, ls="-", lw=1.2, label="ceiling, (ε, 0)-DP")
left.set(xscale="log", xlabel="neighbour radius η", ylabel="return", title="On the paper's reward", ylim=(0, 22))
right.set(xscale="log", xlabel="neighbour radius η", ylabel="runs above 12.5", ylim=(0, 1.03),
          title="On it and upside\ndown (± 2 s.e.)")
handles, labels = (a + b for a, b in zip(left.get_legend_handles_labels(), right.get_legend_handles_labels()))
fig.legend(handles, labels, loc="outside lower center", ncols=2);

# %% tags=["remove-input"]
def reach(found):
    """The largest eta up to which all returns are within one of the best."""
    ok = np.minimum.accumulate(found[..., 0].mean(1) > best - 1)
    return f"up to η = {show(etas[ok].max(), 3)}" if ok.any() else "at none of these η"

md("Within one of the best, on average: " + "; ".join(f"{name} {reach(found)}" for name, found in frontier.items())
   + ". "
   f"At η = {show(etas[-1])} the ceilings are {gaussian_success_ceiling(mu, steps=1):.2f} for Gaussian-DP learners, "
   f"{chain_success_ceiling(epsilon, 0.0, 1):.2f} for (ε, 0) and a hair more for (ε, δ); a coin "
   "has 0.50. *A learner that succeeds on this task and on the same upside down nine times in ten, at η = 1, has not kept "
   "ε = 0.9.*")

# %% [markdown]
# ## Explore: who still learns?
#
# *Below which η does each method learn, and how much ε makes up for an η ten times larger?* The noise of each Gaussian method
# depends on η and ε through $\eta/\mu$ only, that of the contrast through $\eta/\varepsilon$: the runs above tell all settings.

# %% tags=["hide-input"]
levels = Choice("epsilon", "privacy loss ε", (0.45, 0.9, 2, 4), 0.9, low_end="more private", high_end="more accurate")
radius = Slider("eta", "neighbour radius η", 0.01, 0.4, 0.03, points=25, low_end="only details hidden", high_end="everything hidden")

def scaled(name, level):
    """Its returns at this level, from those at the level of the runs."""
    noise = level / epsilon if name == "contrast released once" else gaussian_mu(level, delta) / mu
    return np.interp(np.log(radius.grid / noise), np.log(etas), frontier[name][..., 0].mean(1))

explore(
    name="who_learns", sliders=[levels, radius], x=radius,
    y=Axis("reward_sum", "return of an episode", 0, 22, scale="linear"),
    curves=[*(Curve(name, Table((levels, radius), [scaled(name, level) for level in levels.options], scale="linear"))
              for name in methods),
            Curve("the best there is", constant(best), reference=True),
            Curve("tossing a coin", constant(aimless), reference=True)],
    guarantee="(ε = {epsilon}, δ = " + show(delta) + ")-differential privacy for the reward function (sup-norm at most {eta}), "
              "proved, for each method. The curves themselves read the true reward.",
    alt="Return of five methods against the neighbour radius at ε = {epsilon}, marked at η = {eta}: the contrast and the reward "
        "released once stay at the best the longest.",
    caption=f"Means of {runs} runs; where the contrast is shown its δ is 0.")

# %% tags=["remove-input"]
factor = gaussian_mu(9, delta) / gaussian_mu(0.9, delta)
md("**What you should see.** The learners with noise in the state or on the result fall first, noise on each reward next, and the two single releases last. "
   f"For the contrast an ε ten times larger makes up for an η ten times larger. For Gaussian noise such an ε makes up for an η {factor:.0f} times larger.")

# %% [markdown]
# ## Explore: what is left of the reward
#
# *Set ε = 1. At which η does the tent disappear in its own noise? Can you get it back by releasing fewer places? And what do
# you lose by that, if the reward is not a tent?*

# %% tags=["hide-input"]
place = Axis("place", "state", 0, 1, scale="linear", points=41)
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.05, 10, 1, points=41)
eta_slider = Slider("eta", "neighbour radius η", 0.001, 1, 0.03, points=25, low_end="only details hidden", high_end="everything hidden")
places_choice = Choice("places", "places K", (2, 3, 5, 9, 17), 3, low_end="less noise", high_end="more detail")

unit_noise = Table.of(lambda epsilon: 1 / gaussian_mu(epsilon, delta), epsilon_slider)
of_eta = Table.of(lambda eta: eta, eta_slider)
of_places = Table.of(np.vectorize(lambda places: float(centred_sensitivity(int(places), 1.0) * np.sqrt(1 - 1 / int(places)))), places_choice)
noise = unit_noise * of_eta * of_places
tent = Table((places_choice, place), [hat_features(place.grid, k) @ (middle_reward(np.linspace(0, 1, k)) - middle_reward(np.linspace(0, 1, k)).mean())
                                      for k in places_choice.options], scale="linear")
explore(
    name="what_is_left", sliders=[epsilon_slider, eta_slider, places_choice], x=place,
    y=Axis("reward", "reward, less its mean", -0.6, 0.6, scale="linear"),
    curves=[Curve("what would be released without noise, ± one standard deviation", tent, low=tent - noise, high=tent + noise)],
    readouts=[Readout("noise", "noise at a place", noise, at_most=True),
              Readout("multiplier", "noise per unit of sensitivity", unit_noise, at_most=True)],
    guarantee="(ε = {epsilon}, δ = " + show(delta) + ")-differential privacy for the reward function (sup-norm at most {eta}), proved: "
              "the reward released once at {places} places.",
    alt="A released reward over [0, 1] with a band of one standard deviation of its noise, {noise}, at ε = {epsilon}, η = {eta} and "
        "{places} places.",
    caption="The reward of the walk to the middle, joined by lines between the places at which it is released.")

# %% tags=["remove-input"]
lost = 0.5 / float(unit_noise.at(epsilon=1.0) * of_places.at(places=3))
md(f"**What you should see.** At ε = 1 and three places the standard deviation of the noise reaches the height of the tent, 0.5, at η = {show(lost, 2)}. Fewer places have "
   "less noise, but two places are the two ends: there the tent is flat, and nothing is left of it. A reward that is no tent needs more places.")

# %% [markdown]
# (actor-private)=
# ## And an actor?
#
# The paper adds an actor, a policy trained beside Q, and says rightly that it is private if it sees only the private Q. If its
# advantages read rewards again, the guarantee of Q is no guarantee of it; it needs noise of its own:

# %% tags=["hide-input"]
few = dict(epsilon=epsilon, delta=delta, eta=0.001)
critic = release_reward_once(**few, runs=6, rng=rng, noise_rng=noise_rng)
actors = {
    "sees the private Q only": actor_from_private_q(critic),
    "reads rewards": actor_critic_reading_rewards(critic, n_episodes=60, rng=rng),
    "reads rewards, noise on its updates": actor_critic_repaired(critic, **few, n_episodes=60, rng=rng, noise_rng=noise_rng),
}
pd.DataFrame([{"actor": name, "return": f"{policy_return(actor.policy(nodes())).mean():.1f}",
               "guarantee (η = 0.001)": f"ε = {show(actor.guarantees[0].epsilon)}, {actor.guarantees[0].status.value}"}
              for name, actor in actors.items()]).style.hide()

# %% [markdown]
# The last one pays twice, for Q and for the policy, $\sqrt{\mu_Q^2 + \mu^2}$. It earns less than the first here, but so
# does the one without noise: sixty episodes are few, and at this η the second payment costs hardly any return. It costs ε, for
# rewards that the critic had already used.
#
# ## What it does not do
#
# * It protects a *function*, not a person. If your reward is built from the clicks of users, ask what one user can change of
#   it: that is η, and often it is not small.
# * Few places suffice for a tent. A reward with more structure needs more of them, and σ grows like $\sqrt K$.
# * How many places? Choosing $K$ by looking at the reward costs budget that nobody has paid. Choose by what you know of the task.
# * A walk at random reaches all of [0, 1]. In a large world it would not, and a walker that uses rewards to explore has to
#   release them as it goes.
#
# ## Claimed, reproduced, departs, fails
#
# Each statement of the paper is a test; {ref}`the ledger <claims>` is written from what they find. This paper's part of it:

# %% tags=["hide-input"]
ledger = claims("Wang & Hegde 2019")
summary(ledger)

# %% [markdown]
# All of it in one table, what fails first. Unfold:

# %% tags=["hide-input", "hide-output"]
columns = {"statement": "where", "says": "what it says", "verdict": "verdict", "figure": "measured", "instead": "use instead"}
worst_first = {word: place for place, word in enumerate(("fails", "departs", "loose", "not checked", "holds"))}
ordered = ledger.sort_values("verdict", key=lambda verdict: verdict.map(worst_first), kind="stable")
ordered[list(columns)].map(typeset).rename(columns=columns).style.hide().set_properties(**{"text-align": "left", "white-space": "normal"})

# %% [markdown]
# ## Exercises
#
# ```{exercise}
# :label: ex-averaging
# The walker has seen 5,000 rewards, and we release the reward at three of its states. Would it not be better to average all
# rewards near each place before adding noise? Decide; then compute by how much a neighbour can move such an average.
# ```
#
# ```{solution} ex-averaging
# :class: dropdown
# No. A neighbour may move *all* rewards near a place by η together, so their mean moves by η too: the sensitivity of a mean is that
# of a single one. Averaging helps against noise in the data, and there is none here; against a neighbour who changes everything
# nothing is gained. (With one *user* a reward it would be: then a mean of n moves by η/n.)
# ```
#
# ```{exercise}
# :label: ex-two-peaks
# The reward below has two peaks. How many places does it take before the released reward is worth learning from, and what is
# the largest η at which it is? Change `n_knots` and `eta`.
# ```

# %%
def two_peaks(states):
    return 0.25 + 0.25 * np.cos(4 * np.pi * (np.asarray(states) - 0.25))

attempt = release_reward_once(
    epsilon=epsilon, delta=delta, eta=0.01, n_knots=3, reward=two_peaks,
    runs=max(4, runs // 4), rng=rng, noise_rng=noise_rng)
earned = float(greedy_return(attempt.q, two_peaks).mean())
round(earned, 2), round(optimal_return(two_peaks), 2)

# %% [markdown]
# ```{solution} ex-two-peaks
# :class: dropdown
# At 0, ½ and 1 this reward is zero: three places see nothing at all, and however small η is the agent learns noise. Five places
# (0, ¼, ½, ¾, 1) see both peaks, and at η = 0.01 come within a point of the best. That is the price of not knowing the shape: $\sqrt{5}$
# in place of $\sqrt{3}$, and a choice that has to be made before looking.
# ```
#
# ```{exercise}
# :label: ex-pure
# A friend proposes to leave out the noise when η is "obviously too small to matter", say η = 10⁻⁶. What does the guarantee say then?
# ```
#
# ```{solution} ex-pure
# :class: dropdown
# Nothing: without noise, one query tells $r$ from any $r'$ that differs at a place, however little. With noise the cost is what
# it always was, $\sigma = \eta\sqrt K/\mu$, here six millionths; it is free. Small η is no reason to leave out the noise, it is the reason it
# is cheap.
# ```
#
# ## Quiz
#
# **1. Why does learning for a million steps from a released reward cost no more than for one?**
#
# ```{dropdown} Because the noise averages out over the steps.
# It does not: it is drawn once and is the same in every step. That is also why the learned policy may be wrong in the same way for ever.
# ```
# ```{dropdown} Because everything after the release is post-processing.
# ✓ Yes. What never looks at the reward again cannot give more of it away.
# ```
# ```{dropdown} Because the discount bounds the sum of rewards.
# That bounds values, not what they reveal.
# ```
#
# **2. The walk must not look at rewards. What breaks if it does?**
#
# ```{dropdown} The states become a function of the secret, and publishing anything that depends on them is no longer covered.
# ✓ Yes. One may explore with what has been *released*, step by step, and pay for each release.
# ```
# ```{dropdown} Nothing; states are not protected anyway.
# They are not protected *as such*. But if the reward decides where the walker goes, the states tell of the reward.
# ```
# ```{dropdown} The Markov property.
# The world stays Markov, whoever looks.
# ```
#
# **3. Someone reports a private learner at η = 1, rewards in [0, 0.5], ε = 0.45, δ = 10⁻⁴, that succeeds in 95 of 100 runs on any task of this
# kind. What do you say?**
#
# ```{dropdown} Impressive; show me the algorithm.
# It would not help: the bound does not ask how it works.
# ```
# ```{dropdown} That δ is too large.
# It is small enough. The success rate is what cannot be.
# ```
# ```{dropdown} That the guarantee is wrong, or the task is always the same.
# ✓ Yes. At most 61 of 100 if it must succeed on a reward and on the same upside down. One that always walks to the middle succeeds every
# time, and learns nothing.
# ```
#
# ## To take away
#
# * **Find the one place where the secret enters, and make that private.** Everything after it is free.
# * **A neighbour relation can make a task impossible.** Ask what two neighbours may differ in before asking for ε.
# * **A ceiling needs no algorithm.** Two opposite tasks and a little arithmetic bound every learner that keeps a promise, and the
#   ceiling depends on the promise: μ-Gaussian-DP, (ε, 0) or (ε, δ).
# * **Do not release what nobody needs**: the mean of the rewards changes no policy.
#
# ## Why this paper, and what to read next
#
# {cite:t}`wang2019` asked how to publish a value *function* on a continuum, answered with a tool that deserves to be better known,
# the functional mechanism of {cite:t}`hall2013`, and brought it into a training loop. The lesson of this chapter, that the state of an
# iterative algorithm must itself be private, is one that many papers have had to learn, and few can be checked as well as this one.
#
# * {cite:t}`hall2013`: noise for functions, and which functions it hides.
# * {cite:t}`abadi2016`: private gradients, the standard for networks; there, each person is one example, and sampling helps.
# * {cite:t}`dong2022`: Gaussian differential privacy, by which everything here is counted.
