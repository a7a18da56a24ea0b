# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Too many treatments to count: a private regression on a few features, and how much noise it needs.'
# ---

# %% [markdown]
# # Many treatments, few features
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** With a hundred treatments nearly every count is small. How can a hospital learn in private all the same?
# * **The answer.** Describe each treatment by a few features, and regress on these. A regression sees the records through two sums, and only
#   they need noise. How much depends on what is subtracted first.
# * **What is protected.** One patient's whole stay. Neighbouring data sets differ in one stay, which is replaced by another.
# * **What you need.** {doc}`01_counts` and {doc}`02_pessimism`; linear regression.
# * **How long.** About 20 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0        # the fraction of the full work
seed = 2023         # all randomness comes from here
horizon = 20
epsilon = 1.0
delta = 1e-5
n_stays = 10_000

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md

from privrl_core.experiments import grid, run
from privrl_core.offline import (
    centred_noise, dp_vapvi_as_run_by_authors, dp_vapvi_plus, half_shift, noise_as_printed, sample_step_counts, unit_features, vapvi)
from privrl_core.pages import PALETTE, use_theme
from privrl_core.pages.explorer import Axis, Choice, Curve, Readout, Slider, Table, constant, explore, show
from privrl_core.privacy import GaussianNoise, gaussian_mu
from privrl_core.world import binary_action_behaviour, binary_action_linear_mdp

use_theme()
rng = np.random.default_rng(seed)
problem, behaviour = binary_action_linear_mdp(horizon), binary_action_behaviour(horizon)
mdp, phi = problem.tabular(), unit_features(problem.features)
d = phi.shape[2]
best = mdp.initial @ mdp.optimal_values()[0]
rho = GaussianNoise.of_epsilon(epsilon, delta).rho

# %% [markdown]
# ## A hundred treatments
#
# A treatment often consists of several decisions: this drug or not, that dose or not. Seven such decisions make 128 treatments. The example of
# {cite:t}`qiao2023` is of this kind. It has a hundred of these treatments, two conditions and twenty days. In 60 of 100 cases the doctors choose treatment 0; otherwise each of the other 99 equally often.

# %% tags=["remove-cell"]
per_cell = 0.4 * n_stays / 2 / 99
assert np.allclose(behaviour[..., 0], 0.6) and np.allclose(behaviour[..., 1:], 0.4 / 99)
noise_per_cell = 2 * np.sqrt(horizon) / gaussian_mu(epsilon, delta)
theta = problem.reward_weights[0]
digits = f"{37:08b}"
shown = 1, 37                                          # a condition and a treatment to follow
parts = problem.features[shown] * theta
assert (problem.features**2).sum(axis=-1).max() == 7
assert digits == "00100101" and np.isclose(parts.sum(), mdp.rewards[0][shown]) and np.flatnonzero(parts).tolist() == [2, 8]
assert np.allclose(problem.features @ theta, mdp.rewards[0])                         # all 200 rewards
assert np.array_equal(problem.features[shown], [0, 0, 1, 0, 0, 1, 0, 1, 1, 0])      # condition 1 before 0; the page turns them round
assert problem.features.shape[2] == 10 and not problem.features[..., 0].any()       # the first of eight digits is 0 below 128
assert np.array_equal(problem.features[..., 8:][:, 1:], np.broadcast_to([[[0, 1]], [[1, 0]]], (2, 99, 2)))
assert np.array_equal(problem.features[:, 0, 8:], [[1, 0], [0, 1]]) and np.isclose(mdp.rewards[0][0, 0], parts[8])     # treatment 0 the other way round

# %% tags=["remove-input"]
md(f"Can the hospital count? Of {n_stays:,} patients, about {n_stays // 2:,} are in the same condition on a day. 40 of 100 get one of the 99 rarer treatments, and that is about {per_cell:.0f} patients for each. The noise of {{doc}}`01_counts`, for stays of twenty days at ε = {show(epsilon)}, has a standard deviation of "
   f"{noise_per_cell:.0f} patients. It is larger than the counts, so counting fails.")

# %% [markdown]
# But the treatments have much in common. A reward starts from a value that depends on the condition, and each decision that is a yes adds its own part, the same in both conditions. A part may be 0. Here are four of the 200 rewards:

# %% tags=["remove-input"] mystnb={"image": {"alt": "Stacked bars of four rewards on the first day. Treatment 5 has its starting value alone, 0.214 in condition 0 and 0.286 in condition 1. In condition 1, treatment 37 has 0.071 more, for a yes to the second decision, and treatment 53 also 0.214, for a yes to the third. A yes to the fifth or seventh, which all four have, adds 0."}}
fig, ax = plt.subplots(figsize=(7.4, 2.35))
pairs = (0, 5), (1, 5), (1, 37), (1, 53)                # each differs from the one before in one digit, or in the condition
for x, (s, treatment) in enumerate(pairs):
    pieces = problem.features[s, treatment] * theta
    stack = [(pieces[8:].sum(), PALETTE[s], "start\n"), *((pieces[k], PALETTE[k], "+ ") for k in (2, 3) if pieces[k])]
    assert np.isclose(sum(size for size, *_ in stack), mdp.rewards[0, s, treatment])
    for k, (size, colour, sign) in enumerate(stack):
        bottom = sum(size for size, *_ in stack[:k])
        ax.bar(x, size, bottom=bottom, color=colour, width=0.62, edgecolor="white", lw=1)
        ax.text(x, bottom + size / 2, f"{sign}{size:.3f}", color="white", weight="bold", ha="center", va="center", fontsize=9)
    ax.text(x, mdp.rewards[0, s, treatment] + 0.01, f"{mdp.rewards[0, s, treatment]:.3f}", ha="center", va="bottom")
for k, words in {2: "second decision", 3: "third decision"}.items():
    ax.text(3.36, mdp.rewards[0, 1, 53] - theta[k:4].sum() + theta[k] / 2, words, color=PALETTE[k], weight="bold", va="center", fontsize=9)
ax.text(3.36, mdp.rewards[0, 1, 53] + 0.04, "fifth, seventh: + 0", color="#4a5058", va="center", fontsize=9)
ax.set_xticks(range(4), [f"treatment {treatment}\n{treatment:07b}\ncondition {s}" for s, treatment in pairs])
ax.set(ylabel="reward on the first day", ylim=(0, 0.7), xlim=(-0.5, 4.6), title="Each decision adds its part")
ax.grid(axis="x", visible=False)

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **What is the reward of treatment 21, in binary 0010101, in condition 1?**
#
# * 0.286
# * 0.500
# * 0.571
# * the picture does not tell
# ```

# %% tags=["remove-input"]
assert f"{mdp.rewards[0, 1, 21]:.3f}" == "0.500" and f"{21:07b}" == "0010101" and theta[5] == theta[7] == 0 and all(f"{treatment:07b}"[k - 1] == "1" for _, treatment in pairs for k in (5, 7))
md(f"**The answer.** {mdp.rewards[0, 1, 21]:.3f}. It starts from {parts[8]:.3f}, as all rewards of the picture in condition 1 do, and its yes to the third decision adds {theta[3]:.3f}. A yes to the fifth or to the seventh decision adds nothing in this example.")

# %% [markdown]
# So nine numbers are enough for all 200 rewards: one for each of the seven decisions, and two to start from. The **features** of a pair, written $\phi$, say which of the nine it needs:
#
# $$\phi(\text{condition } 1, \text{treatment } 37) = \tfrac1{\sqrt7}\,(\underbrace{0, 1, 0, 0, 1, 0, 1}_{\text{seven decisions}},\ \underbrace{0, 1}_{\text{starting value}}) .$$
#
# The last two numbers say whether the reward starts from the value of condition 0 or of condition 1; only for treatment 0 they are swapped. The factor $1/\sqrt7$ makes no $\phi$ longer than 1, which the noise will need: up to treatment 99, at most six decisions are a yes, and the start adds one more 1.
#
# The reward is a weighted sum of the features. If the transition probabilities are weighted sums, too, then so is the value of every pair. This is called a **linear** decision process. The weights of a day are all that there is to learn.
#
# ## A regression sees two sums
#
# Weights are found by regression. Here is a small one, with three patients and two drugs. The features are the two doses, and $y$ is what came of them.
#
# | patient | $\phi$ | $y$ |
# |---|---|---|
# | A | 1, 0 | 2 |
# | B | 0, 1 | 3 |
# | C | 0.6, 0.8 | 3.6 |
#
# Least squares looks at this table only through a matrix and a vector, which are sums over the patients:
#
# $$\sum \phi\phi^\top = \begin{pmatrix} 1.36 & 0.48 \\ 0.48 & 1.64 \end{pmatrix}, \qquad \sum \phi\,y = \begin{pmatrix} 2 + 0.6 \cdot 3.6 \\ 3 + 0.8 \cdot 3.6 \end{pmatrix} = \begin{pmatrix} 4.16 \\ 5.88 \end{pmatrix} .$$
#
# The weights solve *matrix times weights = vector*: they are 2 and 3. Now replace patient C by one with $\phi = (1, 0)$ and $y = 1$. The sums become
#
# $$\begin{pmatrix} 2 & 0 \\ 0 & 1 \end{pmatrix} \quad\text{and}\quad \begin{pmatrix} 3 \\ 3 \end{pmatrix} ,$$
#
# and the noise has to hide this change. The four numbers of the matrix moved by 0.64, −0.48, −0.48 and −0.64. The vector moved by −1.16 and −2.88, a length of 3.10. This is *one* change; the noise must cover the largest.
#
# In the hospital, $y$ is the reward of the day plus the value of the condition that followed. Both sums get noise, and the rest is computed from them:

# %%
def private_regression(features, y, sigma_matrix, sigma_vector, shift, rng):
    d = features.shape[1]
    Z = sigma_matrix * rng.normal(size=(d, d))
    matrix = features.T @ features + (Z + Z.T) / np.sqrt(2) + shift * np.eye(d)
    vector = features.T @ y + sigma_vector * rng.normal(size=d)
    return np.linalg.solve(matrix, vector)

# %% [markdown]
# The noise of the matrix is symmetric, as the matrix is. It can spoil the matrix: if an eigenvalue comes near 0, the weights become huge. Against this, `shift` is added to all eigenvalues. It pulls the weights a little towards 0, and costs no privacy, as it {ref}`does not look at the records <shifted-matrices>`.
#
# How much noise do the two sums need? {doc}`Squares of μ add up </chapters/01_foundations/03_noise_that_keeps_it>`, so each of the two releases may spend $\mu/\sqrt2$.
#
# * **The matrix.** In the change above, the two numbers off the diagonal are the same, so the noise has to hide −0.48 only once. On the diagonal the noise is $\sqrt2$ times as wide, so 0.64 counts as $0.64/\sqrt2$. The length that counts is $\sqrt{0.48^2 + 0.64^2} = 0.80$. It is at most 1 for any two $\phi$ that are no longer than 1 {ref}`[checked] <noise-in-a-matrix>`. So $\sigma_{\text{matrix}} = 1 \cdot \sqrt2/\mu$, which is 5.3 at ε = 1. A `shift` of 49 then keeps all eigenvalues positive in at least 90 % of all releases. In the others the plan may be bad, and the promise still holds.
# * **The vector.** It loses one $\phi\,y$ and gains another. If $y$ is at most $B$ in size, so is the length of each. So the vector moves by $2B$ at most, and $\sigma_{\text{vector}} = 2B \cdot \sqrt2/\mu$.
#
# With twenty days, values may lie anywhere between 0 and 20, so the paper uses $B = 20$. But look at the first day. Under the best plan the value of the next day is 13.39 in one condition and 13.57 in the other, and the reward of a day lies between 0 and 1. So every $y$ lies between 13.39 and 14.57.
#
# The hospital may subtract a public number from every $y$ before the regression, and add it to the fitted values afterwards. May this number depend on the two values of the next day? Yes. A plan is made backwards, so its estimates of these values came from the private sums of later days, and are public by now.
#
# ### Explore: what should be subtracted?
#
# ```{admonition} Guess first
# :class: hint guess right-3
# With $B = 20$ the noise on the vector is 211 at ε = 1. It puts a value fitted from 10,000 stays off by about 0.5, and the true values all lie between 13.65 and 14.22. **How many times smaller than 211 can it become, for the same promise?** Choose, then move the number that is subtracted until the noise is smallest.
#
# * not at all
# * about 3 times
# * about 30 times
# * about 1,000 times
# ```

# %% tags=["remove-input"]
subtracted = Slider("c", "subtracted from every y", 0, 16, 0, points=161, steps=160, scale="linear", low_end="nothing", high_end="more than any y")
epsilon_slider = Slider("epsilon", "privacy loss ε", 0.1, 10, epsilon, points=31, low_end="wider noise", high_end="narrower noise")
per_B = Table.of(lambda epsilon: 2 * np.sqrt(2) / gaussian_mu(epsilon, delta), epsilon_slider)
largest_y = Table.of(lambda c: np.maximum(14.57 - c, c - 13.39), subtracted)
explore(
    name="what_to_subtract", sliders=[subtracted, epsilon_slider], x=subtracted, y=Axis("sigma", "standard deviation of the noise on the vector", 0.5, 2_000),
    curves=[Curve("noise on the vector", per_B * largest_y), Curve("for values up to 20, as in the paper", per_B * constant(20.0), reference=True)],
    readouts=[Readout("B", "largest size of what is left of y, B", largest_y), Readout("sigma", "noise on the vector", per_B * largest_y)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one stay (replace one), proved, for the two sums of this day together, if the number that is subtracted and the range of y are public: fixed beforehand, or computed from what is already released.",
    alt="Noise on the vector against the number that is subtracted, at ε = {epsilon}: it falls until about 14 and rises again. With {c} subtracted B is {B}, where the paper has 20, and the noise {sigma}.",
    caption="For y between 13.39 and 14.57, as on the first day of the example.")

# %% tags=["remove-cell"]
V, rewards = mdp.optimal_values(), mdp.rewards[0]
truth = (rewards + mdp.transitions[0] @ V[1]).ravel()
middle, half = (V[1].max() + V[1].min() + 1) / 2, (V[1].max() - V[1].min() + 1) / 2
state = rng.integers(2, size=n_stays)
action = np.where(rng.random(n_stays) < 0.6, 0, rng.integers(1, 100, size=n_stays))
after = (rng.random(n_stays) < mdp.transitions[0, state, action, 1]).astype(int)
y, features = rewards[state, action] + V[1, after], phi[state, action]
sigma_matrix = 1 / np.sqrt(rho)                        # half of the budget: Δ²/4σ² = ρ/2 with Δ² = 2
shift = half_shift(sigma_matrix, d, 1, 0.1)
assert np.isclose(2 / (4 * sigma_matrix**2) + (2 * half) ** 2 / (2 * (2 * half / np.sqrt(rho)) ** 2), rho)
panels = {}
for name, B, centre in (("noise for values up to 20", 20.0, 0.0), ("centred noise", half, middle)):
    weights = private_regression(features, y - centre, sigma_matrix, 2 * B / np.sqrt(rho), shift, np.random.default_rng([seed, 4]))
    panels[name] = phi.reshape(-1, d) @ weights + centre
fits = {name: np.corrcoef(fitted, truth)[0, 1] for name, fitted in panels.items()}
assert y.min() > 13.35 and y.max() < 14.65 and 30 < 20 / half < 40 and round(middle, 2) == 13.98
assert sorted(np.round(V[1], 2)) == [13.39, 13.57] and 0 <= mdp.rewards.min() and mdp.rewards.max() <= 1

# %% tags=["remove-input"]
md(f"**What you should see.** About 30 times: the noise is smallest near 14. The slider goes in tenths; in the exact middle, at 13.98, what is left of $y$ is at most $B$ = {half:.2f} in size, so the noise is {20 / half:.0f} times smaller than with $B = 20$: {2 * half / np.sqrt(rho):.1f} "
   f"instead of {40 / np.sqrt(rho):.0f}, with all of ε = {show(epsilon)} for this one day. Part of the 34 is not the work of the subtraction: as long as no feature and no $y$ is negative, the vector cannot move by $2B$, but only by $\\sqrt2B$, and noise made for that would be only {20 / half / np.sqrt(2):.0f} times as wide as the centred noise. We fitted the values of all 200 pairs from {n_stays:,} stays. With $B = 20$ their correlation with the true values is {fits['noise for values up to 20']:.2f}, and with the centred noise {fits['centred noise']:.2f}. Each of the two fits has (ε = {show(epsilon)}, δ = {show(delta)})-differential privacy for one stay (replace one), central model, proved, and spends it all on this one day. Subtracting a constant hides nobody, but it leaves less to be hidden.")

# %% tags=["remove-cell"]
assert fits["noise for values up to 20"] < 0.6 and fits["centred noise"] > 0.9
small = np.array([[1, 0], [0, 1], [0.6, 0.8]]), np.array([2, 3, 3.6])
assert np.allclose(np.linalg.solve(small[0].T @ small[0], small[0].T @ small[1]), [2, 3]) and np.allclose(small[0].T @ small[1], [4.16, 5.88])
assert np.allclose(small[0].T @ small[0], [[1.36, 0.48], [0.48, 1.64]]) and np.allclose(np.linalg.norm(small[0], axis=1), 1)
other = np.array([[1, 0], [0, 1], [1, 0]]), np.array([2, 3, 1])
assert np.array_equal(other[0].T @ other[0], [[2, 0], [0, 1]]) and np.array_equal(other[0].T @ other[1], [3, 3])
changes = [other[0].T @ other[k] - small[0].T @ small[k] for k in (0, 1)]
assert np.allclose(changes[0], [[0.64, -0.48], [-0.48, -0.64]]) and np.allclose(changes[1], [-1.16, -2.88]) and [f"{np.linalg.norm(change):.2f}" for change in changes] == ["1.13", "3.10"]
assert np.isclose(np.sqrt(0.64**2 / 2 + 0.48**2 + 0.64**2 / 2), np.linalg.norm(changes[0]) / np.sqrt(2)) and f"{np.linalg.norm(changes[0]) / np.sqrt(2):.2f}" == "0.80"
if (epsilon, delta) == (1.0, 1e-5):
    puts_off = 40 / np.sqrt(rho) * np.linalg.norm(np.linalg.solve(features.T @ features + shift * np.eye(d), phi.reshape(-1, d).T), axis=0)
    assert n_stays == 10_000 and round(puts_off.mean(), 1) == 0.5 and 13.65 < truth.min() and truth.max() < 14.22
    assert f"{np.sqrt(2) / gaussian_mu(epsilon, delta):.1f}" == "5.3" and f"{shift:.0f} {40 / np.sqrt(rho):.0f}" == "49 211" and np.isclose(np.sqrt(2) / gaussian_mu(epsilon, delta), sigma_matrix)
    # two features without a negative entry: u y - v z is longest if they are orthogonal, unless y and z may have opposite signs
    pairs_of = np.abs(rng.normal(size=(2, 10_000, 3))) / np.array([1, 2, 30])
    pairs_of /= np.linalg.norm(pairs_of, axis=2, keepdims=True)
    ends = rng.choice([0.0, 1.0], size=(2, 10_000, 1))
    assert (mdp.rewards >= 0).all() and (phi >= 0).all() and 1.35 < np.linalg.norm(pairs_of[0] * ends[0] - pairs_of[1] * ends[1], axis=1).max() <= np.sqrt(2) + 1e-9
    assert round(20 / half / np.sqrt(2)) == 24
    assert np.isclose(2 * np.sqrt(2) / gaussian_mu(epsilon, delta), 2 / np.sqrt(rho)) and round((14.57 - 13.39) / 2, 2) == round(half, 2) == 0.59

# %% tags=["remove-cell"]
ratio = noise_as_printed(rho, horizon).vector[2] / centred_noise(rho / horizon, half - 0.5).vector[2]
assert np.isclose(ratio, 20 / half * np.sqrt(5 / 2 * 32 / 25)) and [round(ratio), round(20 / half), round(ratio * half / 20, 1)] == [61, 34, 1.8]      # two sums for five, and all costs together
assert round(450_000 / ratio, -2) == 7_400

# %% [markdown]
# ## Planning for twenty days
#
# A plan needs such a regression for each of the twenty days. Squares add up, so each day gets $\mu/\sqrt{20}$ of the whole $\mu$, and its noise is $\sqrt{20}$ times wider. The paper's second algorithm, **DP-VAPVI**, plans backwards in this way, and subtracts a penalty, as on {doc}`the page before <02_pessimism>`. It fits each day twice: once to see which next values vary much, and once more so that patients with such values count less. Our **DP-VAPVI+** changes two things, and keeps {ref}`the same promise, proved <spend-what-is-left>`: it subtracts the middle of what $y$ can be, and it fits once.
#
# | each day | DP-VAPVI | DP-VAPVI+ |
# |---|---|---|
# | noise made for what is left of $y$, up to | 20 | 0.59 |
# | noisy sums | two matrices, three vectors | one matrix, one vector |
#
# In the one fit all patients count alike, since in this example no next value varies so much that the paper would lower a weight. Two sums share the budget of a day, and not five. With a closer count of what they cost together this saves another factor of 1.8, so the noise on the vector is 61 times smaller in all.
#
# ### Explore: how many stays does it take?
#
# The gap is what a plan earns less than the best plan. Choosing a treatment at random has a gap of 5.2. At ε = 1, DP-VAPVI needs about 450,000 stays until its gap is below 1. The error that the noise brings into a value falls like $1/n$ with $n$ stays.
#
# ```{admonition} Guess first
# :class: hint guess right-3
# **How many stays does DP-VAPVI+ need for a gap below 1, at ε = 1?** Choose, then find where its curve falls below 1, and move ε.
#
# * about 150,000
# * about 50,000
# * about 5,000
# * about 500
# ```

# %% tags=["remove-cell"]
levels = (0.3, 1.0, 3.0, 10.0)
budgets = {level: GaussianNoise.of_epsilon(level, delta).rho for level in levels}
settings = dict(delta=delta, pessimism=0.03, ridge=0.01)
size_axis = Axis("K", "stays in the records", 1_000, 1e7, points=9)
sizes = np.round(size_axis.grid).astype(int)

def gap(plan):
    return best - mdp.initial @ mdp.policy_values(plan.policy)[0]

def gaps_at(K, rng):
    data, found = sample_step_counts(mdp, behaviour, K, rng), {}
    for level, budget in budgets.items():
        for name, plan in (("printed", dp_vapvi_as_run_by_authors), ("plus", dp_vapvi_plus)):
            found[f"{name} {level:g}"] = gap(plan(data, phi, rho=budget, noise_rng=rng.spawn(1)[0], **settings))
    return found | {"none": gap(vapvi(data, phi, pessimism=0.03, ridge=0.01))}

repetitions = max(2, round(8 * effort))
means = run(gaps_at, grid(K=sizes), range(seed, seed + repetitions)).drop(columns=["seed", "seconds", "versions"]).groupby("K").mean().clip(lower=1e-3)
at_random = best - mdp.initial @ mdp.policy_values(np.full_like(behaviour, 0.01))[0]
assert 5.15 < at_random < 5.25

# %% tags=["remove-input"]
level_choice = Choice("epsilon", "privacy loss ε", levels, 1.0, low_end="wider noise", high_end="narrower noise")
size_slider = Slider("n", "stays in the records", 1_000, 1e7, 10_000, points=9, steps=8, low_end="fewer patients", high_end="more patients")

def curve(name):
    return Table((level_choice, size_slider), [means[f"{name} {level:g}"].to_numpy() for level in levels])

explore(
    name="all_methods", sliders=[size_slider, level_choice], x=size_slider, y=Axis("gap", "gap to the best plan, down to 0.001", 5e-4, 20),
    curves=[Curve("DP-VAPVI+, ours", curve("plus")), Curve("DP-VAPVI, the paper's", curve("printed")),
            Curve("no privacy", Table((size_slider,), means["none"].to_numpy()), reference=True),
            Curve("the gap to reach", constant(1.0), reference=True)],
    readouts=[Readout("plus", "gap of DP-VAPVI+, down to 0.001", curve("plus")), Readout("printed", "gap of DP-VAPVI, down to 0.001", curve("printed"))],
    guarantee=f"Both private plans: (ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one stay (replace one), proved. The plan without privacy has no guarantee.",
    alt="Gap to the best plan against the number of stays, at ε = {epsilon}. With {n} stays DP-VAPVI+ has a gap of {plus}, and DP-VAPVI one of {printed}.",
    caption=f"Means of {repetitions} simulated data sets for each size. Smaller gaps, and none at all, are shown as 0.001.")

# %% tags=["remove-cell"]
def first_below(name, limit=1.0):
    good = means[name] < limit
    return next((K for K in means.index if good.loc[K:].all()), None)

reached = {name: first_below(name) for name in ("plus 1", "printed 1", "none")}

def crossing(name, limit=1.0):
    """Stays at which the drawn line falls below the limit."""
    after = list(means.index).index(first_below(name, limit))
    logs = np.log(means[name].iloc[[after, after - 1]])
    return float(np.exp(np.interp(np.log(limit), logs, np.log(means.index[[after, after - 1]]))))

crossed = {name: crossing(name) if reached[name] not in (None, means.index[0]) else np.nan for name in ("plus 1", "printed 1")}
if effort >= 1:
    assert 30 < crossing("printed 1", 0.1) / crossing("plus 1", 0.1) < 50         # as quoted in the last chapter
    assert [f"{means.loc[100_000, 'printed 1']:.1f}", f"{means.loc[100_000, 'plus 1']:.2f}"] == ["2.0", "0.03"]
    assert crossing("printed 1") / crossing("plus 1") > 2 * 20 / half
    assert 4_500 < crossed["plus 1"] < 6_000 and 425_000 < crossed["printed 1"] < 475_000 and sigma_matrix * np.sqrt(rho) == 1
    one_plan = dp_vapvi_plus(sample_step_counts(mdp, behaviour, 5_000, np.random.default_rng([seed, 5])), phi, rho=rho, noise_rng=np.random.default_rng([seed, 6]), **settings)
    assert np.ptp(one_plan.values, axis=1).max() < 2                            # so it fits each day once
    assert reached["plus 1"] == 10_000 and reached["printed 1"] == 1_000_000

# %% tags=["remove-input"]
places = {name: "more than ten million" if np.isnan(K) else f"{float(f'{K:.{digits}g}'):,.0f}" for (name, K), digits in zip(crossed.items(), (1, 2))}
md(f"**What you should see.** With DP-VAPVI+ the curve falls below 1 at about {places['plus 1']} stays, and with DP-VAPVI at about {places['printed 1']}. Noise that is 61 times smaller explains most of it, since 450,000/61 is about 7,400. "
   "The rest comes from the weights in the second fit of DP-VAPVI. They are computed from noisy sums and are often too small, so many patients count for little {ref}`[one change at a time] <taken-apart>`. With more stays, both approach the plan without privacy: at ten million "
   f"the gap of DP-VAPVI is {means.loc[10**7, 'printed 1']:.3f}. "
   "No theorem says how good the plans of DP-VAPVI+ are; that they are private is proved.")

# %% [markdown]
# **What holds of the paper.** Its plans are {ref}`as private as it says <court-case>`, and the error of the noise falls like $1/n$, {ref}`as it promises <linear-rates>`. But its own example has features that are up to $\sqrt7$ long. Without our division by $\sqrt7$
# its vectors could move $\sqrt7$ times as far, and its matrices 7 times. In $\mu^2$ these cost 7 and 49 times as much, and {ref}`together about 45 times <short-features>`. With our division they use half of the budget for this table of features. Without it they would spend 23 times the budget.
#
# ## Check yourself
#
# **Before the regression, a hospital subtracts the exact mean of all values $y$ in the records. Is the promise still kept?**
#
# ```{dropdown} Yes, it is just a number that is added again.
# The exact mean was computed from the records and has no noise. It is one more release.
# ```
# ```{dropdown} No. The mean looks at the records.
# ✓ Right. The range of the later values is public already, because they were computed from private sums.
# ```
# ```{dropdown} Yes, if there are many patients.
# Then it gives away little. But the promise holds only for what was computed with noise.
# ```
#
# ## To take away
#
# * A regression sees the records through a matrix and a vector. Noise on these two makes it private.
# * The noise grows with the size of the values. Subtract what is public first: here this makes it at least 24 times smaller.
# * Features must be bounded, and the matrix moves with the square of the bound.
# * In practice: centre values on what is public, scale features by a public bound, and choose all constants before you look.
#
# Next: how many patients a private plan needs, in {doc}`04_cost`.
