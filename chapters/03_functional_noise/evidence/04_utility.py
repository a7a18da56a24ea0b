# ---
# jupyter:
#   myst:
#     html_meta:
#       description: How much does noise in Q cost? The utility bound of Wang and Hegde fails on a small example;
#         another, which holds, is proved in its place.
# ---

# %% [markdown]
# # What the noise costs
#
# ```{admonition} What this page establishes
# :class: tip
# It backs the verdict of {doc}`../03_the_promise`. The utility bound of the paper, Proposition 10, is false from five states on, even without its factor
# $1/\sqrt n$; one step of its proof treats a choice that depends on the noise as if it did not. Another bound is proved in its place. What a
# fixed point keeps of the noise is computed, and at one guarantee releasing the reward loses less than releasing Q.
# ```
#
# Nobody can say much about deep Q-learning in general. {cite:t}`wang2019` look at the case that can be analysed: finitely
# many states, one path of noise (J = 1), training until it converges.
#
# ```{prf:proposition} no. 10 of the paper
# :label: wang2019-proposition-10
# :nonumber:
# Let $v'$ be the value function that the algorithm learns and $v^*$ the optimal one. With J = 1, n states and γ < 1,
#
# $$E\Bigl[\frac1n\lVert v' - v^*\rVert_1\Bigr] \le \frac{2\sqrt2\,\sigma}{\sqrt{n\pi}\,(1 - \gamma)} .$$
# ```
#
# Read it twice. The loss *for each state* falls like $1/\sqrt n$: with enough states noise costs nothing, "a limit of zero
# as the number of states approaches infinity". Is that plausible? Each state gets noise of its own; why should it become
# smaller because there are other states?

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 10           # all randomness comes from here
epsilon = 0.9       # the last part compares releases at this guarantee
delta = 1e-4
discount = 0.9

# %% tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Markdown as md
from scipy.optimize import linprog

from privrl_core.experiments import grid, run
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore
from privrl_core.privacy import gaussian_mu
from privrl_core.pages import REFERENCE, use_theme
from privrl_core.formatting import show

use_theme()
rng, noise_rng = np.random.default_rng(seed).spawn(2)   # the world, and the noise

# %% [markdown]
# ## Try it
#
# A random decision process, its optimum by policy iteration, and noise of standard deviation 1 on every state and action.

# %%
def random_process(n, m, rng):
    return rng.dirichlet(np.ones(n), size=(n, m)), rng.random((n, m))

def values(P, r, policy):
    rows = np.arange(len(r)), policy
    return np.linalg.solve(np.eye(len(r)) - discount * P[rows], r[rows])

def optimum(P, r):
    """Optimal values and policy; only a strict gain changes an action."""
    policy = np.argmax(r, axis=1)
    while True:
        v = values(P, r, policy)
        q = r + discount * P @ v
        better = np.where(q.max(axis=1) > v + 1e-10, q.argmax(axis=1), policy)
        if np.array_equal(better, policy):
            return v, policy
        policy = better

# %% [markdown]
# "The value function learned" can mean three things, and we should try them all before we call anything false:
#
# * **A** the optimal values of the *noisy* reward $r + z$, as the proof has it;
# * **B** the values, under the true reward, of the policy that is optimal for the noisy one, as its last step has it;
# * **C** what Algorithm 1 really converges to at J = 1. We shall see that this is $Q^* - g$; its value is $\max_a (Q^* - g)$.

# %%
def losses(P, r, noise_rng, sigma=1.0):
    best, _ = optimum(P, r)
    z = sigma * noise_rng.normal(size=r.shape)
    noisy, policy = optimum(P, r + z)
    q = r + discount * P @ best
    return {"A: optimum of the noisy reward": np.mean(np.abs(noisy - best)),
            "B: its policy, true reward": np.mean(best - values(P, r, policy)),
            "C: max of Q* − g": np.mean(np.abs((q - z).max(axis=1) - best))}

def printed_bound(n, sigma=1.0):
    return 2 * np.sqrt(2) * sigma / (np.sqrt(n * np.pi) * (1 - discount))

def one_process(*, rng, states):
    world, noise = rng.spawn(2)
    return losses(*random_process(states, 2, world), noise)

def as_rows(table, setting, what, value):
    """One row for each of the numbers that a run returns."""
    returned = table.columns.drop([setting, "seed", "seconds", "versions"])
    return table.melt(setting, returned, var_name=what, value_name=value)

sizes = [5, 20, 80, 320]
seeds = range(seed, seed + max(4, round(30 * effort)))
found = as_rows(run(one_process, grid(states=sizes), seeds),
                "states", "reading", "loss")

# %% mystnb={"image": {"alt": "Loss for each state against the number of states on logarithmic axes. The three readings stay level from 5 to 320 states, while the printed bound falls and crosses below all of them."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 4.2))
sns.lineplot(found, x="states", y="loss", hue="reading", style="reading", markers=True, errorbar="sd", ax=ax)
many = np.geomspace(5, 2000, 50)
ax.plot(many, printed_bound(many), color=REFERENCE, lw=2.5, ls=":", label="Proposition 10")
ax.set(xscale="log", yscale="log", xlabel="states n", ylabel="mean loss for each state, σ = 1",
       title="The bound falls with n, and the loss does not")
ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.16), ncols=2, columnspacing=1);

# %% tags=["hide-input"]
mean = found.groupby(["states", "reading"])["loss"].mean().unstack()
assert mean.loc[320].iloc[0] > printed_bound(320)
md(f"With 320 states reading A loses {mean.loc[320].iloc[0]:.2f} a state, where {printed_bound(320):.2f} is allowed; with five "
   f"states {mean.loc[5].iloc[0]:.2f}. Nothing falls as it should. B and C are smaller, and as level in the end: the falling bound meets "
   "them too, only later.")

# %% [markdown]
# (utility-counterexample)=
# ## The smallest counterexample
#
# Simulations persuade; a closed form convinces. Take γ = 0 and *one* action. Then $v = r$, so $v' - v^* = z$, and
#
# $$E\Bigl[\frac1n\lVert v' - v^*\rVert_1\Bigr] = E|z_1| = \sigma\sqrt{2/\pi} \approx 0.798\,\sigma \text{ for every } n,
#   \quad\text{claimed: at most } \frac{1.596\,\sigma}{\sqrt n} .$$
#
# At four states the two are equal; from five on the proposition is false. Where does the $\sqrt n$ come from? The proof
# arrives at a *sum* over states of at most $2\sqrt2\,n\sigma/(\sqrt\pi(1 - \gamma))$ (its Lemma 16), and then divides by n. That
# leaves $2\sqrt2\,\sigma/(\sqrt\pi(1 - \gamma))$. The root appears from nowhere.
#
# So is the proposition right without $\sqrt n$? To see that we have to look at the proof, which takes a beautiful road.
#
# ## The road through linear programming
#
# Optimal values are the smallest $v$ that satisfies all Bellman inequalities, a linear program; its dual counts how often
# each state and action is used:
#
# $$\min_v\ e^\top v \quad\text{s.t. } v \ge r_a + \gamma P_a v, \qquad\qquad
#   \max_{\lambda \ge 0}\ \sum_a \lambda_a^\top r_a \quad\text{s.t. } \sum_a (I - \gamma P_a^\top)\lambda_a = e .$$
#
# (The paper writes that $v$ is optimal *if and only if* it satisfies the inequalities. $v^* + 1$ does too; the minimum
# matters.) With noise on the reward only the *objective* of the dual changes. Let HiGHS solve both.

# %%
def primal(P, r):
    n, m = r.shape
    rows = np.vstack([np.eye(n) - discount * P[:, a] for a in range(m)])
    return linprog(np.ones(n), A_ub=-rows, b_ub=-r.T.ravel(), bounds=(None, None),
                   method="highs")

def dual(P, r):
    n, m = r.shape
    rows = np.hstack([(np.eye(n) - discount * P[:, a]).T for a in range(m)])
    solution = linprog(-r.T.ravel(), A_eq=rows, b_eq=np.ones(n), bounds=(0, None),
                       method="highs")
    return solution.x.reshape(m, n).T                       # [states, actions]

P, r = random_process(20, 3, rng)
best, policy = optimum(P, r)
visits = dual(P, r)
P_best = P[np.arange(20), policy]
stationary = np.linalg.solve(np.eye(20) - discount * P_best.T, np.ones(20))

# %%
noisy_visits = dual(P, r + noise_rng.normal(size=r.shape))
randomised = noisy_visits / noisy_visits.sum(axis=1, keepdims=True)
P_of_it = np.einsum("sa,san->sn", randomised, P)
of_it = np.linalg.solve(np.eye(20) - discount * P_of_it, (randomised * r).sum(axis=1))
checks = pd.Series({
    "Equation (4): the program finds v*": np.abs(primal(P, r).x - best).max(),
    "the dual has the same value": abs((visits * r).sum() - best.sum()),
    "Lemma 14: Σλ* = (I − γP*ᵀ)⁻¹e": np.abs(visits.sum(axis=1) - stationary).max(),
    "Claim 15: ‖Σλ*‖₁ = n/(1 − γ)": abs(visits.sum() - 20 / (1 - discount)),
    "Claim 17: λ′/Σλ′ earns Σλ′ᵀr": abs(of_it.sum() - (noisy_visits * r).sum())})
assert checks.max() < 1e-5
checks.to_frame("largest difference").style.format("{:.0e}")

# %% [markdown]
# All of these hold. So far the road is sound. Now Lemma 16: the policy $\lambda'$ found with noise loses at most
# $2\sqrt2\,n\sigma/(\sqrt\pi(1 - \gamma))$ in all. Its proof reaches
#
# $$\text{loss} \le E\Bigl[\sum_a (\lambda'_a - \lambda^*_a)^\top z_a\Bigr]
#   \quad\overset{\spadesuit}{\le}\quad \frac{2}{m(1 - \gamma)}\,E\Bigl[\sum_a \lVert z_a\rVert_1\Bigr] ,$$
#
# and the step ♠ treats λ′ as if it were spread evenly and did not know z. But λ′ *chose* its actions by looking at $r + z$: it
# picks what the noise favours. One state and m equal actions show it. The left side is the expected maximum of m normals,
# about $\sqrt{2\ln m}\,\sigma$; the right side stays at 1.6 σ. And with *one* good action, worth 2.5 σ more than all others, the
# lemma itself fails:

# %%
counts = np.unique(np.geomspace(2, 3000, 12).astype(int))
repeats = max(400, round(4000 * effort))

def one_state(m, gap=2.5):
    z = noise_rng.normal(size=(repeats, m))
    outbid = z[:, 1:].max(axis=1) > gap + z[:, 0]
    return {"actions": m, "favoured by noise": np.mean(z.max(axis=1) - z[:, 0]),
            "loss, one action 2.5 σ better": gap * np.mean(outbid)}

outbid = pd.DataFrame([one_state(m) for m in counts])

# %% mystnb={"image": {"alt": "Against the number of actions: what the noise favours rises like the root of a logarithm and passes the flat bound of Lemma 16 at about ten actions; the loss with one good action passes it at a few hundred."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 3.5))
ax.semilogx(outbid["actions"], outbid["favoured by noise"], label="left of ♠, all actions alike")
ax.semilogx(outbid["actions"], outbid["loss, one action 2.5 σ better"], "--", label="loss, one action 2.5 σ better")
ax.axhline(2 * np.sqrt(2 / np.pi), color=REFERENCE, ls=":", lw=2.5, label="Lemma 16, and right of ♠")
ax.set(xlabel="actions m", ylabel="in units of σ", title="One state, γ = 0: the winner is chosen by the noise")
ax.legend();

# %% [markdown]
# This is the winner's curse, and it visits everybody who takes a maximum over noisy
# numbers.
#
# (bound-that-holds)=
# ## A bound that holds
#
# ```{prf:proposition} no. 10 of the paper, mended
# :label: prop-noisy-reward
# :nonumber:
# Let $z$ have independent entries $\mathcal N(0, \sigma^2)$ for n states and m actions. In reading A
#
# $$E\lVert v' - v^*\rVert_\infty \le \frac{\sigma\sqrt{2\ln 2nm}}{1 - \gamma} ,$$
#
# in reading B twice as much, in reading C $E\bigl[\frac1n\lVert v' - v^*\rVert_1\bigr] \le \sigma\sqrt{2\ln 2m}$. With one
# action, A is at most $\sigma\sqrt{2/\pi}/(1 - \gamma)$ for each state.
# ```
#
# ```{prf:proof}
# The optimal value of each state is a maximum over policies of $\sum_t \gamma^t E[r_t]$, so it moves by at most
# $\max|z|/(1 - \gamma)$; the expected maximum of the nm numbers $|z|$ is at most $\sigma\sqrt{2\ln 2nm}$. B: the policy loses at most
# twice what values move. C: a maximum over m actions moves by at most the largest of m noises. One action:
# $v' - v^* = (I - \gamma P)^{-1}z$, whose entry i is normal with standard deviation $\sigma$ times the length of row i, at most
# $\sigma/(1 - \gamma)$ since the row is non-negative and sums to $1/(1 - \gamma)$.
# ```
#
# Is the logarithm needed? Let action a lead to state a, from everywhere, with all rewards zero. Then the state with the
# luckiest noise is within reach of everybody, at every step:

# %%
def teleport(n):
    return np.tile(np.eye(n), (n, 1, 1)), np.zeros((n, n))

def lucky_loss(*, rng, states):
    return losses(*teleport(states), rng)["A: optimum of the noisy reward"]

towns = np.array([5, 10, 20, 40, 80])
teleported = run(lucky_loss, grid(states=towns),
                 range(seed, seed + max(3, round(12 * effort))))
lucky = pd.DataFrame({"states": towns,
                      "loss A": teleported.groupby("states")["value"].mean().to_numpy(),
                      "Proposition 10": printed_bound(towns),
                      "without √n": printed_bound(1),
                      "mended": np.sqrt(2 * np.log(2 * towns**2)) / (1 - discount)})
assert (lucky["loss A"] < lucky["mended"]).all()
lucky.style.hide().format("{:.1f}", subset=list(lucky.columns[1:]))

# %% [markdown]
# The loss *grows* with the number of states, like the mended bound. So the proposition fails without $\sqrt n$, too,
# and the truth is of order $\sqrt{\ln n}$ at worst, and constant at best. Noise does not go away.
#
# ## Which noise is left?
#
# The paper reasons that noise on the value function is equivalent to noise on the reward. For *this* algorithm it is not.
# With one path g the update is
#
# $$Q \leftarrow Q + \alpha\bigl(r + \gamma P\max_a(Q + g) - (Q + g)\bigr) ,$$
#
# and $W = Q + g$ follows plain Q-learning: $W \to Q^*$. The noise does not act as a reward but as a *potential*: it shifts
# Q and leaves W alone. So it matters much which of the two you use, and how often g is drawn anew:

# %%
P, r = random_process(20, 2, rng)
optimal = r + discount * P @ optimum(P, r)[0]
sweeps, alpha = 3000, 0.02

def learned(*, rng, paths):
    """Error of both releases, a standard deviation, after training with J paths."""
    Q, g = np.zeros_like(r), rng.normal(size=r.shape)
    for t in range(sweeps):
        if t * paths % sweeps < paths:
            g = rng.normal(size=r.shape)
        Q = Q + alpha * (r + discount * P @ np.max(Q + g, axis=1) - (Q + g))
    return {"Q (NeurIPS version)": np.std(Q - optimal),
            "Q + g (arXiv version)": np.std(Q + g - optimal)}

trained = run(learned, grid(paths=[1, 3, 10, 30, 100, 300, 1000, 3000]),
              range(seed, seed + max(2, round(5 * effort))))
kept = as_rows(trained, "paths", "release", "error")

# %% mystnb={"image": {"alt": "Error of two releases against the number of paths J. Q alone errs by one with a single path and by a tenth with thousands; Q plus g errs by nothing with one path and by one with thousands."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 3.5))
sns.lineplot(kept, x="paths", y="error", hue="release", style="release", markers=True, errorbar=("se", 2), ax=ax)
ax.set(xscale="log", ylim=(-0.05, 1.5), xlabel="paths J", ylabel="error of the release, σ = 1",
       title="Few paths: Q + g is exact. Many paths: Q is.")
ax.legend(title=None);

# %% tags=["hide-input"]
ends = kept.groupby(["paths", "release"])["error"].mean().unstack()
md(f"That J = 1 is the worst case for utility, as the paper says, is true of Q ({ends.iloc[0, 0]:.2f} against {ends.iloc[-1, 0]:.2f} with a new path for "
   f"each update) and the opposite of true of Q + g ({show(ends.iloc[0, 1], 1)} against {ends.iloc[-1, 1]:.2f}).")

# %% [markdown]
# And wherever a release is nearly exact, it is nearly without noise, and protects nothing: {doc}`03_privacy` read the rewards
# off both. **Accuracy that costs nothing is a warning.**
#
# ## What you would do today, on finitely many states
#
# If noise must stay in the release, put it where it hurts least. Two candidates for nm numbers, at one guarantee, each
# released *once*: the optimal Q, or the *reward* itself, from which anybody can compute values and a policy afterwards.
# For neighbours within η, the reward moves by $\eta\sqrt{nm}$ at most in Euclidean length. Q moves by up to $1/(1 - \gamma)$
# times as much, since a reward that changes everywhere adds up over time.

# %%
def policy_loss(*, rng, eta, release):
    """Lost value for each state, acting on the release, in the units of a value."""
    world, noise_rng = rng.spawn(2)
    P, r = random_process(30, 3, world)
    sigma = eta * np.sqrt(r.size) / gaussian_mu(epsilon, delta)
    best = optimum(P, r)[0]
    if release == "the reward":
        policy = optimum(P, r + sigma * noise_rng.normal(size=r.shape))[1]
    else:
        noise = sigma / (1 - discount) * noise_rng.normal(size=r.shape)
        policy = np.argmax(r + discount * P @ best + noise, axis=1)
    return np.mean(best - values(P, r, policy))

today = run(policy_loss, grid(eta=np.geomspace(1e-4, 1, 9),
                              release=["the reward", "optimal Q"]),
            range(seed, seed + max(3, round(20 * effort))))

# %% mystnb={"image": {"alt": "Lost value against the neighbour radius on a logarithmic axis. Releasing the reward loses next to nothing up to a radius of three thousandths and then rises; releasing the optimal Q rises ten times earlier; both end at the loss of a random policy."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(5.6, 3.5))
sns.lineplot(today, x="eta", y="value", hue="release", style="release", markers=True, errorbar=("se", 2), ax=ax)
ax.set(xscale="log", xlabel="neighbour radius η (rewards lie in [0, 1])", ylabel="lost value for each state",
       title=f"At ε = {epsilon:g}, δ = {show(delta)}: release the reward, not the value")
ax.legend(title=None);

# %% tags=["remove-input"]
lost = today.groupby(["release", "eta"])["value"].mean().unstack(0).cummax()   # level ends may waver
level = lost.to_numpy().max() / 2
reach = {release: np.exp(np.interp(level, lost[release], np.log(lost.index))) for release in lost}
md(f"The same loss, half of the largest in the picture, is reached at η = {reach['the reward']:.2g} by releasing the reward and already at η = "
   f"{reach['optimal Q']:.2g} by releasing Q: a factor of about 1/(1 − γ) = {1 / (1 - discount):.0f}.")

# %% [markdown]
# In continuous spaces the same idea, with a few features in place of states, is `release_reward_once`: {doc}`05_reward_once`.
#
# ### Explore: does a bound still say anything?
#
# Values of rewards in [0, 1] lie between 0 and $1/(1 - \gamma)$: a bound above that says nothing. **Question:** with ten states,
# at which radius does the mended bound begin to say something? Does a longer horizon change the answer?

# %% tags=["hide-input"]
loss_slider = Slider("epsilon", "privacy loss ε", 0.1, 8, 0.9, points=25)
radius = Slider("eta", "neighbour radius η", 1e-5, 1, 1e-3, points=9, low_end="more accurate", high_end="more private")
horizon = Slider("horizon", "horizon 1/(1 − γ)", 1.5, 100, 10, points=9, low_end="short", high_end="long")
many = Axis("n", "states n (two actions)", 2, 10_000, points=65)

least = Table.of(lambda epsilon: 1 / gaussian_mu(epsilon, delta), loss_slider)
eta_table, horizon_table = Table.of(lambda eta: eta, radius), Table.of(lambda horizon: horizon, horizon)
moved = Table.of(lambda n: np.sqrt(2 * n), many)                              # of nm numbers, in units of eta
mended = Table.of(lambda n: np.sqrt(2 * np.log(4 * n)), many)
rooted = Table.of(lambda n: 2 * np.sqrt(2 / (np.pi * n)), many)
noise = least * eta_table * moved
ten = (least * eta_table * horizon_table) * Table((), np.sqrt(20) * np.sqrt(2 * np.log(40)))

# %% tags=["hide-input"]
explore(
    name="utility_bounds", sliders=[loss_slider, radius, horizon], x=many,
    y=Axis("loss", "mean loss for each state", 1e-3, 1e4),
    curves=[Curve("mended bound", noise * mended * horizon_table), Curve("Proposition 10", noise * rooted * horizon_table),
            Curve("the whole range of values", horizon_table, reference=True)],
    readouts=[Readout("range", "the whole range of values", horizon_table),
              Readout("ten", "mended bound at ten states", ten, at_most=True)],
    guarantee="(ε = {epsilon}, δ = " + show(delta) + ")-differential privacy for the reward function (sup-norm at most "
              "η = {eta}), proved: the reward is released once, by the Gaussian mechanism, and values are computed from the release.",
    alt="Two bounds on the loss for each state against the number of states, at η = {eta} and a horizon of {horizon}. At ten states the "
        "mended bound is {ten}, where values range over {range}. The printed bound stays level, as the noise grows with the number of "
        "states just as fast as it falls.",
    caption="The loss that the two bounds allow when the reward of n states is released once.")

# %% tags=["remove-input"]
says = gaussian_mu(epsilon, delta) / np.sqrt(20 * 2 * np.log(40))
md(f"**What you should see.** At ε = {epsilon:g} the mended bound at ten states falls below the whole range of values at η = {show(says)}. The horizon does not change "
   "that: it multiplies the bound and the range alike.")

# %% [markdown]
# What the ledger finds of each statement, with its test: {ref}`claims`.
#
# ## Exercises
#
# ```{exercise}
# :label: ex-one-state
# One state, one action, discount γ, noise σ. What are the losses A, B and C exactly? Which of them does the printed bound
# with n = 1 cover?
# ```
#
# ```{solution} ex-one-state
# :class: dropdown
# A: $|z|/(1 - \gamma)$, on average $\sqrt{2/\pi}\,\sigma/(1 - \gamma)$, half of the printed bound. B: 0, there is only one
# policy. C: $|g|$, on average $\sqrt{2/\pi}\,\sigma$. All are covered: n = 1 is where the bound is right.
# ```
#
# ```{exercise}
# :label: ex-many-actions
# In which of the three readings does the loss of the random processes above grow with the number of actions? Predict, then
# use the cell.
# ```

# %%
pd.DataFrame({m: losses(*random_process(40, m, rng), noise_rng) for m in (2, 10)})

# %% [markdown]
# ```{solution} ex-many-actions
# :class: dropdown
# In all of them. A grows most: at every step the noisy reward offers a maximum over m noises, and $1/(1 - \gamma)$ such steps
# add up. C takes the maximum once. B is limited by how much worse a random action is than the best one, about half the
# range of the rewards times $1/(1 - \gamma)$, however loud the noise.
# ```
#
# ## To take away
#
# * Test a bound at its ends, $n \to \infty$ and γ = 0, before you follow its proof. Here both ends decide at once.
# * "The value learned" may mean several things. Say which; try all.
# * A maximum over noisy numbers chooses its noise. Every proof that averages afterwards has to pay for that.
# * What a fixed point keeps of the noise is not what went in. Compute the fixed point.
# * Release once, where the sensitivity is smallest; let others do the planning.
#
# How far does that get on the paper's own task? {doc}`05_reward_once`.
