# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'What private policy evaluation costs a clinic, in wrong rankings of two treatments and in patients, and what
#         you would do today.'
# ---

# %% [markdown]
# # What it costs
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** What does privacy cost a clinic, in wrong decisions and in patients? And what should it do today?
# * **The answer.** First put the noise in the right place, on the sums. Then privacy is paid in patients. At ε = 1, one table of values with an error of 0.01 needs about 19,000 of them.
# * **What is protected.** One patient's whole trajectory; neighbours replace one.
# * **What you need.** {doc}`03_smooth_it` and {doc}`04_release_sums`.
# * **How long.** About 15 minutes.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0  # the fraction of the full work
seed = 2016  # all randomness comes from here
n_patients = 10_000
epsilon, delta = 1.0, 1e-5

# %% tags=["remove-cell"]
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown as md
from scipy.optimize import brentq
from scipy.special import ndtr

from privrl_core.experiments import grid, run
from privrl_core.pages import PALETTE, REFERENCE, use_theme
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, show
from privrl_core.pages.game import Beside, Dial, Draws, World, play
from privrl_core.pages.game import Curve as Published
from privrl_core.policy_evaluation import (
    FirstVisitStatistics, dp_lsw, dp_sufficient_statistics, first_visit_statistics, lsw, noise_scale_lsw_non_private, tabular_features)
from privrl_core.privacy import as_printed, calibrate_exact, gaussian_mu
from privrl_core.world import recovery_chain, sample_episodes

use_theme()
runs = max(3, round(20 * effort))
chain, treatment, S, F = recovery_chain(n_states=40, stay=0.5, discount=0.99), np.ones((40, 1)), 40, 1.0
values = chain.policy_values(treatment)
starts = {"stage 1": np.eye(40)[0], "any stage": np.full(40, 1 / 40)}
visited = {start: np.cumsum(law) for start, law in starts.items()}    # the share of the patients who visit each stage
ones, features = np.ones(S), tabular_features(S)

# %% [markdown]
# ## Which treatment is better?
#
# A clinic compares a new treatment with the old one. Under the old one a patient stays in a stage for another week with probability 0.50, under the new one with probability 0.48. So the new one is better in each of the stages 1 to 39.
# At stage 1 it raises the value by 0.014, and in later stages by less. Ten thousand patients take part, half of them on each treatment. They start at any stage, as on the {doc}`page before <04_release_sums>`.
#
# The clinic publishes two private tables of values, with ε = 1 and δ = 10⁻⁵. Each patient is in only one of them, and which one is public, so the second table costs no further privacy. Now you are the doctor. The treatments are called A and B, and a coin decides which of
# them is the new one. You see table A minus table B from stage 11 on, first with {doc}`smooth noise <03_smooth_it>` on the averages. Noise on the sums is from here on the {doc}`shaped noise <04_release_sums>`.
#
# ```{admonition} Guess first
# :class: hint guess right-1
# **In how many of 100 such trials does the best statistician choose the better treatment from the tables with smooth noise?** Choose, then play five trials. Five more follow with noise on the sums, and five without noise.
#
# * about 51
# * about 65
# * about 80
# * about 95
# ```
#
# ### Play: be the doctor

# %% tags=["remove-cell"]
arms = {"standard": 0.50, "new": 0.48}

def private_values(method, data, rng):
    promise = dict(return_bound=F, epsilon=epsilon, delta=delta, noise_rng=rng)
    if method == "no privacy":
        return lsw(data, features, ones)
    if method == "sufficient statistics":
        return dp_sufficient_statistics(data, features, **promise).parameters
    return dp_lsw(data, features, ones, rule=calibrate_exact, **promise).parameters

methods = ["no privacy", "sufficient statistics", "DP-LSW, exact"]

def wrong_rankings(*, rng, start):
    noise_rng = rng.spawn(1)[0]
    trial = {
        arm: first_visit_statistics(
            sample_episodes(
                recovery_chain(stay=stay, initial=starts[start]),
                treatment,
                n_patients // 2,
                rng,
            ),
            S,
            chain.discount,
            return_bound=F,
        )
        for arm, stay in arms.items()
    }
    better = {
        method: private_values(method, trial["new"], noise_rng)
        > private_values(method, trial["standard"], noise_rng)
        for method in methods
    }
    return {method: S - 1 - np.sum(better[method][:-1]) for method in methods}

# the game: what the two published tables say, from real trials and the real mechanisms
trial_rng, n_trials = np.random.default_rng([seed, 7]), max(4, round(12 * effort))
trials = [[first_visit_statistics(sample_episodes(recovery_chain(stay=stay, initial=starts["any stage"]), treatment, n_patients // 2, trial_rng),
                                  S, chain.discount, return_bound=F) for stay in (0.48, 0.50)] for _ in range(n_trials)]
new_values = recovery_chain(stay=0.48).policy_values(treatment)
gain = (new_values - values)[:-1]

def covariance(stay, truth):
    """Of the mean returns of half of the patients, who differ by chance."""
    one, squared = (g * (1 - stay) / (1 - g * stay) for g in (chain.discount, chain.discount**2))
    variance = squared ** np.arange(S - 1, 0, -1) / chain.discount**2 - truth[:-1] ** 2
    later = np.maximum.outer(np.arange(S - 1), np.arange(S - 1))
    apart = abs(np.subtract.outer(np.arange(S - 1), np.arange(S - 1)))
    return one**apart * (variance / (n_patients / 2 * np.cumsum(starts["any stage"])[:-1]))[later]

by_chance = covariance(0.48, new_values) + covariance(0.50, values)

smooth_scales = {id(data): noise_scale_lsw_non_private(data, features, ones, return_bound=F, epsilon=epsilon, delta=delta, rule=calibrate_exact)
                 for both in trials for data in both}

def drawn(method, data, rng):
    """As `private_values`; the size of smooth noise, which takes a moment, is computed once for each trial."""
    if method == "DP-LSW, exact":
        return lsw(data, features, ones) + smooth_scales[id(data)] * rng.normal(size=S)
    return private_values(method, data, rng)

one = trials[0][0]
assert np.allclose(*(draw("DP-LSW, exact", one, np.random.default_rng(seed)) for draw in (drawn, private_values)))

def of_privacy(method):
    """The variance of the noise in the difference of the two tables."""
    if method == "sufficient statistics":
        seen = n_patients / 2 * np.cumsum(starts["any stage"])[:-1]
        return 2 * S / gaussian_mu(epsilon, delta) ** 2 * 4 / 3 * (F**2 - F * values + values**2)[:-1] / seen**2
    return np.full(S - 1, 2 * np.mean(np.square(list(smooth_scales.values()))))

first = 10    # the game leaves out the stages with so few visitors that noisy sums, divided, are not nearly Gaussian

def of_the_doctor(method, label, guarantee, n=210):
    """One setting of the game: n differences if A is the better one, and n if B is."""
    rng = np.random.default_rng([seed, 8])
    shown = np.array([sign * (drawn(method, new, rng) - drawn(method, old, rng))[:-1]
                      for sign in (1, -1) for new, old in (trials[k % n_trials] for k in range(n))]).reshape(2, n, S - 1)[..., first:]
    noise = 0 * gain if method == "no privacy" else of_privacy(method)
    weights = np.linalg.solve(by_chance[first:, first:] + np.diag(noise[first:]), gain[first:])
    return Draws(label, shown, log_ratios=2 * shown @ weights, ceiling=float(ndtr(np.sqrt(gain[first:] @ weights))), guarantee=guarantee)

rankings = (
    run(wrong_rankings, grid(start=list(starts)), range(seed, seed + runs))
    .groupby("start")[methods]
    .mean()
)

# %% tags=["remove-input"]
promised = f"ε = {show(epsilon)}, δ = {show(delta)} for one trajectory (replace one), proved."
settings = [of_the_doctor("DP-LSW, exact", "smooth noise on the averages", promised), of_the_doctor("sufficient statistics", "noise on the sums", promised)]
assert effort < 1 or round(gain[0], 3) == 0.014 == round(gain.max(), 3)
play(
    name="doctor", question="Table A minus table B. Which treatment is better?", publish="Run a trial", player="statistician", best="best statistician", rounds=5,
    worlds=[World("A", "A is better", "Treatment A was the new one, and better."), World("B", "B is better", "Treatment B was the new one, and better.")],
    picture=Published("What the two tables say", x="stage", y="value under A minus value under B", first=first + 1,
                      beside=[Beside("if A is better, without noise", gain[first:], world=0), Beside("if B is better", -gain[first:], world=1)]),
    levels=[*settings, of_the_doctor("no privacy", "no noise", "The two tables without noise promise nothing.")],
    dial=Dial("how the two tables are made", low_end="smooth noise", high_end="no noise", first="Now noise on the sums", next="Now without noise"),
    stages=("rounds", "dial"), budget=220_000,
    caption=f"The axis follows the noise. Two tables of {n_patients // 2:,} patients each, who start at any stage. The first ten stages, which few patients visit, are left out. The best statistician's score is computed as if all errors were exactly Gaussian, which they nearly are.",
    alt="The difference of two published tables at the stages 11 to 39. With smooth noise it is many times larger than the two curves without noise; with noise on the sums it follows one of them, closely in the late stages.")

# %% tags=["remove-input"]
smoothed, summed = (100 * one.ceiling for one in settings)
assert 50.6 < smoothed < 51.5 and summed > 99.9
md(f"**The answer.** In {smoothed:.1f} of 100, and a coin is right in 50. The emptiest stage decides about smooth noise in all values, and stage 1 has only {n_patients // 80} visitors on each treatment, far fewer than the "
   f"544 that smooth noise needs. The noise is so large that the two tables differ by several units, although no two values between 0 and 1 can differ by more than 1. Beside it both true curves look flat. With noise on the sums the best statistician is practically always right. The patients and the promise are the same. Only the place of the noise is different.")

# %% [markdown]
# ## Stage by stage
#
# The best statistician of the game weighs the stages together. A doctor with a patient in stage 10 asks a harder question: which treatment is better *there*? We compare the two tables stage by stage, and count the stages in which the worse treatment has the higher value.

# %% tags=["remove-cell"]
def return_variance(stay=0.5, discount=0.99):
    squared = discount**2 * (1 - stay) / (1 - discount**2 * stay)    # as the factor of one stage, for the discount squared
    return np.append(squared ** np.arange(S - 1, 0, -1) / discount**2 - values[:-1] ** 2, 0)

def sampling_error(m, visited):
    return np.sqrt(np.mean(return_variance() / (m * visited)))

def statistics_noise(m, visited, mu):
    return np.sqrt(np.mean(S / mu**2 * 4 / 3 * (F**2 - F * values + values**2) / (m * visited) ** 2))

def smooth_noise(m, visited, epsilon, rule=calibrate_exact):
    visits = np.round(m * visited)                                   # the sums that one expects of m patients
    data = FirstVisitStatistics(visits, visits * values, round(m), return_bound=F)
    return noise_scale_lsw_non_private(data, features, ones, return_bound=F, epsilon=epsilon, delta=delta, rule=rule)

def errors(m, visited, epsilon):
    """Without privacy, with noise on the sums, with smooth noise."""
    without = sampling_error(m, visited)
    return np.array([without, np.hypot(without, statistics_noise(m, visited, gaussian_mu(epsilon, delta))),
                     np.hypot(without, smooth_noise(m, visited, epsilon))])

sizes = np.geomspace(100, 1e6, 161)
error = {start: np.array([errors(m, shares, epsilon) for m in sizes]).T for start, shares in visited.items()}

def patients_for(target, number):
    """How many of the ``sizes`` it takes until this error is below the target."""
    return np.exp(np.interp(-np.log(target), -np.log(np.minimum.accumulate(number)), np.log(sizes)))

def wrong_stages(m):
    """Expected wrong choices with noise on the sums: each stage's difference is close to normal."""
    visits = m / 2 * visited["any stage"][:-1]
    noise = S / gaussian_mu(epsilon, delta) ** 2 * 4 / 3 * (F**2 - F * values + values**2)[:-1] / visits**2
    return np.sum(ndtr(-gain / np.sqrt(2 * (return_variance()[:-1] / visits + noise))))

for_two = brentq(lambda m: wrong_stages(m) - 2, 1e4, 1e6)

# %% mystnb={"image": {"alt": "Wrong rankings of 39 stages for three ways to publish, if patients start anywhere. Without privacy and with noise on the sums few are wrong; with smooth noise on the averages nearly half of them are, as with a coin."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 2.2))
names = ["no privacy", "noise on the sums", "smooth noise"]
wrong = rankings.loc["any stage", methods].to_numpy()
ax.barh(names[::-1], wrong[::-1], color=[PALETTE[1], PALETTE[0], "#5f6368"], height=0.6)
for k, number in enumerate(wrong[::-1]):
    inside = number > 5
    ax.text(number + (-0.3 if inside else 0.3), k, f"{number:.1f}", va="center", ha="right" if inside else "left",
            color="white" if inside else "black", weight="bold")
ax.axvline((S - 1) / 2, color=REFERENCE, ls="--")
ax.text((S - 1) / 2 + 0.4, 2.3, "a coin: 19.5", color="#5f6368", va="top")
ax.set(xlim=(0, 25), xlabel="stages in which you choose wrongly, of 39", title="Where the noise is put decides how often you err")
ax.grid(False, axis="y");

# %% tags=["remove-input"]
from_admission = rankings.loc["stage 1"]
md(f"With noise on the sums all stages together decide surely, and yet {wrong[1]:.1f} of the 39 stages, each taken alone, point to the worse treatment. These are mostly the late stages, where hardly anything is to be gained, and the first few, which few patients visit. "
   f"With smooth noise the tables are hardly better than a coin, or not at all. "
   f"Where patients start matters. If everybody starts in stage 1, no stage is short of visitors. Then smooth noise errs in {from_admission['DP-LSW, exact']:.1f} stages, nearly as few as noise on the sums with {from_admission['sufficient statistics']:.1f}.\n\n"
   f"The bars are means over {runs} trials. The two private tables promise ε = {show(epsilon)} and δ = {show(delta)} for one trajectory (replace one), proved. The bar without privacy promises nothing.")

# %% [markdown]
# ## What you would do today
#
# Take the clinic of this page, with forty stages and ε = 1.
#
# 1. **Decide** which ε you can sign, and which error you can tolerate. By *error* we mean the root-mean-square error of the values, over the stages and over many releases. The next section turns both into a number of patients.
# 2. **Release sums.** Clip each return to a public range, here 0 to 1. Count the visits of each stage and add up the returns. Add {doc}`shaped noise <04_release_sums>` to these eighty numbers, once. Divide, fit and plot afterwards, at no further cost.
# 3. **Say how accurate it is.** This noise does not follow the data, so its size may be published.
#
# In code, step 2 takes seven lines:

# %%
def release_values(visits, return_sums, noise_rng):
    n = len(visits)
    sigma = np.sqrt(4 / 3 * n) / gaussian_mu(epsilon, delta)
    one, other = sigma * noise_rng.normal(size=(2, n))
    noisy_visits = visits + one
    noisy_sums = return_sums + one / 2 + np.sqrt(3) / 2 * other
    noisy_visits[noisy_visits < 1] = np.nan          # too few visitors: no value
    return noisy_sums / noisy_visits, noisy_visits

# %% tags=["remove-input"]
middle, sigma = 19, np.sqrt(4 / 3 * S) / float(gaussian_mu(epsilon, delta))
visits_there = round(19_000 * visited["any stage"][middle])
factor = np.sqrt(1 - values[middle] + values[middle] ** 2)
width = sigma * factor / visits_there
md(f"An error of 0.01 takes about 19,000 patients on one treatment, as the next section shows. With so many you would print for stage 20: value {values[middle]:.3f} from about {visits_there:,} visits, where the noise has a standard deviation of {width:.4f}. Where does it come from? One visit too many in the count lowers the value as much as {values[middle]:.3f} too little in the sum. The two errors partly cancel, because they are correlated: together they are "
   f"${sigma:.2f} \\times \\sqrt{{1 - {values[middle]:.3f} + {values[middle]:.3f}^2}} = {sigma * factor:.1f}$ in the sum, and {sigma * factor:.1f}/{visits_there:,} = {width:.4f} in the value.")

# %% tags=["remove-cell"]
# the recipe, drawn: 19,000 patients who start at any stage, and the error over many releases of the same data
recruited = first_visit_statistics(sample_episodes(recovery_chain(initial=starts["any stage"]), treatment, 19_000, np.random.default_rng([seed, 19])),
                                   S, chain.discount, return_bound=F)
recipe_rng = np.random.default_rng([seed, 20])
drawn_values = np.array([release_values(recruited.visits, recruited.return_sums, recipe_rng)[0] for _ in range(4_000)])[:, :-1]
recipe_error = np.sqrt(np.mean((drawn_values - values[:-1]) ** 2))
assert 0.009 < recipe_error < 0.011 and abs(drawn_values[:, middle].std() / width - 1) < 0.06      # five standard errors
# what counts and sums need: by the ellipse around all moves, and as drawn
shape = np.array([[4, 2], [2, 4]]) / 3 * S / float(gaussian_mu(epsilon, delta)) ** 2
mixing = sigma * np.array([[1, 0], [1 / 2, np.sqrt(3) / 2]])
assert np.allclose(mixing @ mixing.T, shape) and round(sigma, 1) == 27.2

# %% [markdown]
# This works for every finite set of states, {ref}`a frozen lake with holes <frozen-lake>`, for example. From the same release you can also fit a model with fewer parameters than states.

# %% [markdown]
# ## How many patients?
#
# More patients make every table better. With 50,000 in place of 10,000, noise on the sums would point to the worse treatment in 2 stages and not in 11. How fast does the error fall? It has two parts:
#
# * **Ignorance.** Patients differ, so a mean over $m$ of them is uncertain, in proportion to $1/\sqrt m$.
# * **Privacy.** Noise of the same size is added to a sum, however many patients it is about, and then the sum is divided by their number.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Ten thousand patients start at any stage, and privacy makes nearly all of the error. Ten times as many patients come. How much smaller is privacy's part?**
#
# * $\sqrt{10} \approx 3.2$ times
# * 10 times
# * it stays, because the noise is the same
# ```

# %% mystnb={"image": {"alt": "Error of the values against the number of patients who start anywhere, both logarithmic. Noise on the sums falls steadily. Smooth noise starts far above, falls off a cliff at about 22,000 patients and then runs just above noise on the sums. The error without privacy is far below and falls more slowly."}} tags=["remove-input"]
fig, ax = plt.subplots(figsize=(7.2, 3.8))
for number, colour, style in zip(error["any stage"], (REFERENCE, PALETTE[0], PALETTE[1]), (":", "-", "-")):
    ax.plot(sizes, number, color=colour, ls=style, lw=2)
ax.axvline(n_patients, color=REFERENCE, lw=0.8)
ax.set(xscale="log", yscale="log", xlim=(100, 1e6), ylim=(5e-5, 100), xlabel="patients, who start anywhere", ylabel="error of the values", title="Privacy's error falls like 1/m, that of ignorance like 1/√m")
ax.text(1.2e3, 15, "smooth noise", color=PALETTE[1], weight="bold")
ax.text(150, 0.13, "noise on\nthe sums", color=PALETTE[0], weight="bold", ha="left", va="top")
ax.text(150, 2.4e-3, "ignorance alone:\nno privacy", color="#5f6368", va="top")
ax.text(1.1e4, 7e-5, "10,000", color="#5f6368");

# %% tags=["remove-input"]
def even_at(shares):
    """Patients at which both parts of the error are equal, at ε = 1."""
    return (statistics_noise(1, shares, gaussian_mu(epsilon, delta)) / sampling_error(1, shares)) ** 2

ends = {start: np.divide(*errors(100_000, shares, epsilon)[:0:-1]) for start, shares in visited.items()}
now = {start: errors(n_patients, shares, epsilon) for start, shares in visited.items()}
needed = [patients_for(0.01, number) for number in error["any stage"]]
even = {start: even_at(shares) for start, shares in visited.items()}
md(f"**The answer.** 10 times: the same noise is divided by ten times as many patients. The factor √10 belongs to ignorance, the dotted curve. So ignorance catches up, but late: at ε = 1 the two parts are equal at about {even['any stage'] / 1e6:.0f} million patients, to the right of the picture. "
   f"Until then privacy makes the larger part of the error, but the error soon becomes small. Smooth noise has a cliff. At {n_patients:,} patients its error is {now['any stage'][2]:.2f}, {now['any stage'][2] / now['any stage'][1]:.0f} times the {now['any stage'][1]:.3f} of noise on the sums. A formula gives both; {{doc}}`the page before <04_release_sums>` found 0.28 and 0.020 for one drawn group of patients. Beyond 22,000 patients the emptiest stage "
   f"has its 544 visitors, and the error is only {ends['any stage']:.1f} times that of noise on the sums. {{ref}}`The formula of the error, and the same picture if all start in stage 1 <price-of-privacy>`, are in the evidence.")

# %% [markdown]
# ### Explore: patients for a smaller ε
#
# Now turn the picture round. A clinic knows which error it can tolerate, and wants to know how many patients that takes. With noise on the sums and ε = 1, the 19,000 patients of the recipe bring the error of one table down to 0.01. The other treatment needs as many again.

# %% tags=["remove-cell"]
epsilon_slider = Slider("epsilon", "ε: what the release may tell", 0.1, 10, 1, points=21, steps=20, low_end="more private", high_end="fewer patients")
target_slider = Slider("target", "tolerated error of the values", 0.003, 0.05, 0.01, points=31, steps=30, low_end="small", high_end="large")
anywhere, many = visited["any stage"], np.geomspace(100, 1e8, 400)
unit = sampling_error(1, anywhere), statistics_noise(1, anywhere, 1)

def for_sums(epsilon, target):
    """Solves target² = a/m + b/m²."""
    a, b = unit[0] ** 2, (unit[1] / np.vectorize(gaussian_mu)(epsilon, delta)) ** 2
    return (a + np.sqrt(a**2 + 4 * target**2 * b)) / (2 * target**2)

def for_smooth(e):
    """Patients at each target, with the ``many`` sizes as stepping stones."""
    falling = np.minimum.accumulate([np.hypot(sampling_error(m, anywhere), smooth_noise(m, anywhere, e)) for m in many])
    return np.exp(np.interp(-np.log(target_slider.grid), -np.log(falling), np.log(many)))

by_sums = Table.of(for_sums, epsilon_slider, target_slider)
by_smooth = Table((epsilon_slider, target_slider), [for_smooth(e) for e in epsilon_slider.grid])
without = Table((target_slider,), np.maximum(5 * S, np.ceil((unit[0] / target_slider.grid) ** 2)))    # five visitors of stage 1

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **How many patients does one table with an error of 0.01 take at ε = 0.1?** Choose, then move ε to 0.1, its left end.
#
# * about three times as many
# * about eight times as many
# * about a hundred times as many
# ```

# %% tags=["remove-input"]
explore(
    name="patients_to_recruit", sliders=[epsilon_slider, target_slider], x=target_slider, y=Axis("patients", "patients needed", 1, 1e7),
    curves=[Curve("noise on the sums", by_sums), Curve("smooth noise", by_smooth), Curve("no privacy, at most", without, reference=True)],
    readouts=[Readout("sums", "patients, with noise on the sums", by_sums), Readout("smooth", "patients, with smooth noise", by_smooth),
              Readout("without", "patients, without privacy", without, unit="or fewer")],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one trajectory (replace one), proved for both kinds of noise. Without privacy nothing is promised.",
    alt="Patients needed against the tolerated error, both logarithmic, at ε = {epsilon}. For an error of {target} it takes {sums} patients with noise on the sums, {smooth} with smooth noise and at most {without} "
        "without privacy. Noise on the sums follows a straight line; smooth noise hardly falls where the tolerated error is large.",
    caption="Patients start at any of the forty stages; RMSE over the stages, returns at most 1. The dotted curve does not fall below 200: "
            "the formula holds only from five visitors of stage 1 on. With plain noise on the sums, an error of 0.01 at ε = 1 would take 30,000.")

# %% tags=["remove-input"]
tenth = float(for_sums(0.1, 0.01)) / float(for_sums(1, 0.01))
loose = [float(for_sums(1, 0.05)), by_smooth.values[np.argmin(abs(epsilon_slider.grid - 1)), -1]]
md(f"**What you should see.** {show(float(for_sums(0.1, 0.01)))} patients, about {tenth:.0f} times as many. Privacy's part of the error falls like $1/m$, so ten times the noise would take ten times the patients. But a tenth of ε does not take ten times the noise, because δ is not made smaller as well. The noise has the size 1/μ, and μ falls from {gaussian_mu(1, delta):.3f} to {gaussian_mu(0.1, delta):.4f}, {gaussian_mu(1, delta) / gaussian_mu(0.1, delta):.1f} times.\n\n"
   f"Now put ε back to 1 and move the tolerated error to 0.05. Noise on the sums needs only {show(loose[0])} patients, and smooth noise still about {show(loose[1], 2)}, because its error is small only beyond its cliff.")

# %% tags=["remove-cell"]
by_paper = np.array([np.hypot(sampling_error(m, visited["any stage"]), smooth_noise(m, visited["any stage"], epsilon, as_printed)) for m in sizes])
printed_needs = patients_for(0.01, by_paper)

# %% tags=["remove-input"]
md(f"**The verdict on the paper.** {{cite:t}}`balle2016` asked the question first, and the promise of their smooth noise holds, but their constants ask for about five times as many patients: for an error of 0.01, {show(printed_needs, 2)} in place of {show(needed[2], 2)} [{{doc}}`each statement, with a verdict <evidence/04_audit>`].")

# %% [markdown]
# ## Check yourself
#
# **A clinic has 10,000 patients on one treatment, who start at any stage. A table of their values with smooth noise at ε = 1 has an error of 0.27. Which change makes the error smaller at no cost in patients, privacy or detail?**
#
# ```{dropdown} Publish a new table each week, and take the mean of all.
# Each table is another release about the same patients, so their losses add up.
# ```
# ```{dropdown} Put the noise on the sums.
# ✓ Right. The error becomes 0.019, a fourteenth, with the same promise for the same patients.
# ```
# ```{dropdown} Take the mean of neighbouring values of the published table.
# It costs no privacy, but detail. Even the mean of all forty still has noise of $0.27/\sqrt{40} = 0.04$, and says nothing about a single stage.
# ```
#
# ## To take away
#
# * Too much noise turns a trial into a coin. Compare mechanisms by decisions and by patients.
# * Release sums. Their noise was smaller than smooth noise in every case of this page, and far smaller where some stage has few visitors.
# * Privacy's part of the error falls like 1/m, that of ignorance like 1/√m. At ε = 1 and with patients who start anywhere, privacy's part is the larger one until there are millions of patients.

# %% tags=["remove-cell"]
def share(m, e):
    return statistics_noise(m, visited["any stage"], gaussian_mu(e, delta))

check = now["any stage"]
assert [round(check[2], 2), round(check[1], 3), round(check[2] / check[1]), round(check[2] / np.sqrt(40), 2)] == [0.27, 0.019, 14, 0.04]
assert effort < 1 or round(wrong[1]) == 11 and round(wrong_stages(50_000)) == 2
assert round(share(20_000, 1), 2) == 0.01 and round(share(200_000, 1), 3) == 0.001 and 0.9 < share(40_000, 0.5) / share(20_000, 1) < 1 and round(float(for_sums(1, 0.01)), -3) == 19_000
assert round(brentq(lambda v: as_printed(epsilon, delta, S)[1] * (v - 1) - 2 * np.log(v), 1_000, 1e5), -2) == 3_400
assert 4 < printed_needs / needed[2] < 6
assert effort < 1 or wrong[1] < 12 < 15 < wrong[2] < 20
assert all(1.15 < ratio < 1.35 for ratio in ends.values()) and 10 < now["any stage"][2] / now["any stage"][1] < 18
assert round(float(for_sums(0.1, 0.01)), -4) == 160_000 and round(tenth) == 8 and 1.2 < needed[2] / needed[1] < 1.4 and 15_500 < loose[1] < 16_500
assert 4.5e4 < for_two < 5.5e4 and 4e5 < even["stage 1"] < 4.3e5 and 5e6 < even["any stage"] < 5.3e6 and (unit[0] / 0.01) ** 2 < 200 < (unit[0] / 0.003) ** 2
# plain noise of 33.4 on each number: the error at 10,000 patients as on the page before, and the patients for 0.01
def plain_error(m):
    noise = 2 * S / gaussian_mu(epsilon, delta) ** 2 * (F**2 + values**2) / (m * anywhere) ** 2
    return np.sqrt(sampling_error(m, anywhere) ** 2 + np.mean(noise))

assert round(brentq(lambda m: plain_error(m) - 0.01, 1e4, 1e5), -3) == 30_000 and 0.029 < plain_error(n_patients) < 0.032
