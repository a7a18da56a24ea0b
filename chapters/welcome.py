# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'An interactive book on learning from people without giving them away: algorithms in a few lines,
#         every claim checked, sliders for the price of privacy.'
# ---

# %% [markdown]
# # Private Reinforcement Learning
#
# Machines learn from people. **This book shows what the privacy of these people costs, and lets you check it.**
#
# ## You are the attacker
#
# A clinic has followed a thousand patients through 39 stages. At each stage a patient scores up to 100 points: the sooner the recovery from there, the more. The clinic publishes the
# average score of each stage. Did Anna take part? If not, her place counts 0. Publish, subtract, and bet. After five exact rounds, press *Now with noise*.

# %% tags=["parameters", "remove-cell"]
effort = 1.0  # the fraction of the full work
seed = 2016  # all randomness comes from here
n_patients = 1_000
delta = 1e-5

# %% tags=["remove-cell"]
import numpy as np
from IPython.display import Markdown as md

from privrl_core.pages import DEPARTS, FAILS, HOLDS, LOOSE, NOT_CHECKED, claims
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, show
from privrl_core.pages.game import Beside, Dial, Exact, Noisy, Subtract, Walk, World, play
from privrl_core.pages.game import Curve as Published
from privrl_core.policy_evaluation import (
    dp_sufficient_statistics, first_visit_returns, first_visit_statistics, tabular_features)
from privrl_core.privacy import (
    GaussianNoise, GaussianWorlds, Sensitivity, gaussian_advantage_ceiling, gaussian_mu, right_guess_ceiling)
from privrl_core.world import recovery_chain, sample_episodes

S, treatment = 40, np.ones((40, 1))
chain = recovery_chain(S)
values = chain.policy_values(treatment)
rng = np.random.default_rng(seed)

def records(m):
    """Patients, and the return of each from each stage."""
    episodes = sample_episodes(chain, treatment, m, rng)
    return episodes, first_visit_returns(episodes, S, chain.discount)[:, :-1]

# Anna: of the patients who recover quickly, the one with the longest wait in the middle, a record with a step in it
episodes, returns = records(4_000)
waits = np.array([np.bincount(row[row >= 0], minlength=S) for row in episodes.states])
ends = np.quantile(episodes.lengths, (0.1, 0.2))
quick = (episodes.lengths >= ends[0]) & (episodes.lengths <= ends[1])
anna = int(np.argmax(np.where(quick, waits[:, 8:28].max(axis=1), 0)))
known = np.array([records(n_patients - 1)[1].sum(axis=0) for _ in range(40)])
worlds = np.array([returns[anna], np.zeros(S - 1)])
by_chance = np.sqrt(np.mean((known / (n_patients - 1) - values[:-1]) ** 2))  # without any noise

def with_noise(epsilon):
    noise = GaussianNoise.of_epsilon(epsilon, delta)
    scale = noise.scale(Sensitivity(S - 1, np.sqrt(S - 1)))
    anybody = right_guess_ceiling(noise.guarantee("the sums"))
    return Noisy(f"noise of {scale:.3g} patients", GaussianWorlds(means=worlds, scales=scale),
                 notes=[("the published values are off by", f"{100 * np.hypot(by_chance, scale / n_patients):.1f} points of 100")],
                 guarantee=f"About the most unusual patient an attacker may be right more often than about Anna, but never more than {100 * anybody:.1f} times in 100, proved.")

walkers = np.full((220, 101), S - 1)
for row, (states, length) in enumerate(zip(np.roll(episodes.states, -anna, axis=0)[:220], np.roll(episodes.lengths, -anna)[:220])):
    walkers[row, :min(length, 101)] = states[:min(length, 101)]

# %% tags=["remove-input"]
play(
    name="attacker", question="You know the records of 999 patients, and what Anna’s would look like. Is Anna in the data?",
    worlds=[World("in", "Anna is in", "Anna was in the data."), World("out", "Anna is out", "Anna was not in the data.")],
    picture=Published("What the clinic publishes", x="stage, from admitted to recovered", y="value of recovery, in points of 100", low=0,
                      high=100, unit="points", beside=[Beside("average", 100 * values[:-1]), Beside("Anna alone", 100 * worlds[0], world=0)]),
    levels=[Exact("none: exact averages", means=worlds, decimals=4, guarantee="Exact averages promise nothing to anybody.",
                  notes=[("the published values are off by", f"{100 * by_chance:.1f} points of 100")]),
            *map(with_noise, (10, 1, 0.1))],
    noise=GaussianNoise.of_epsilon(1.0, delta).draw(1.0, 16_000, rng), known=known, per=n_patients / 100,
    subtract=Subtract("Subtract the other 999", hint="You know these records. Take their sum away from the clinic’s.",
                      title="What is left: 1 patient is 100 points", keys=("if she is in", "if she is out")),
    dial=Dial("noise on every sum of 1,000 patients", low_end="exact averages", high_end="more noise"),
    stages=("rounds", "dial"), rounds=5, walk=Walk(walkers, start="admitted", end="recovered", place="Anna’s place"),
    caption="Published is the mean over 1,000 places. The dots are 220 of the patients on their way from stage to stage.",
    alt="A clinic publishes 39 averages over 1,000 places, of which one may be Anna’s.")

# %% [markdown]
# ```{admonition} After the game: what the noise did
# :class: dropdown
# In the exact rounds you find out every time. Once the other 999 are subtracted, what is left is Anna's own record, or nothing.
# *Now with noise* adds Gaussian noise to every sum over the patients. With a standard deviation of 3 patients, which is 300 points, Anna is hidden badly: the best attacker is still right about her 77 times in 100.
# With 23 patients this is 54 times, 55 for the most unusual patient, and the curve still rises as it should. With 192 patients the bets are no better than a coin's, but the published curve is of little use.
# ```
#
# ## The middle ground
#
# Between an exact curve and a useless one lies a middle ground, in which the curve is right and the patient is hidden. **Differential privacy** creates it. This book measures how wide it is for algorithms that learn from
# sequences of states, actions and rewards.
#
# The slider below shows the same trade for every amount of noise. It moves a number called ε, the *privacy loss*: how much the publication may tell about one
# patient. {doc}`01_foundations/02_a_promise` defines it.
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which is the smallest of these ε at which the curve still rises clearly?** Choose, then move the slider.
#
# * ε = 3
# * ε = 0.3
# * ε = 0.03
# ```

# %% tags=["remove-input", "welcome"]
def study():
    """What a thousand patients add up to, stage by stage."""
    return first_visit_statistics(records(n_patients)[0], S, chain.discount, return_bound=1)

studies = [study() for _ in range(max(20, round(400 * effort)))]
epsilon = Slider("epsilon", "privacy loss ε", 0.03, 30, 1, points=61, low_end="more noise", high_end="less noise")
stage = Axis("stage", "stage, from admitted to recovered", 1, S - 1, points=S - 1, scale="linear")

def published(e):
    """One release for each study, [study, stage]; the same noise at every ε, in another size."""
    return np.array([dp_sufficient_statistics(
        data, tabular_features(S), return_bound=1, epsilon=e, delta=delta,
        noise_rng=np.random.default_rng([seed, k])).parameters[:-1]
        for k, data in enumerate(studies)])

def attacker(epsilon):
    """Right guesses in 100 of the strongest attacker: her record, or another's?"""
    return 50 * (1 + gaussian_advantage_ceiling(np.vectorize(gaussian_mu)(epsilon, delta)))

releases = np.stack([published(e) for e in epsilon.grid], axis=-1)  # [study, stage, ε]
error = np.sqrt(np.mean((releases - values[:-1, None]) ** 2, axis=(0, 1)))

here = 100 * np.sqrt(np.mean((published(1.0) - values[:-1]) ** 2))  # and in the game, at the same ε and δ, with noise on the sums alone
there = 100 * np.hypot(by_chance, GaussianNoise.of_epsilon(1.0, delta).scale(Sensitivity(S - 1, np.sqrt(S - 1))) / n_patients)
assert there < here < 1.1 * there

def over(numbers):
    return Table((stage, epsilon), 100 * numbers, scale="linear")

explore(
    name="welcome", sliders=[epsilon], x=stage, y=Axis("value", "value of recovery, in points of 100", 0, 100, scale="linear"),
    curves=[Curve("published, and where 95 of 100 such studies lie", over(releases[0]),
                  low=over(np.quantile(releases, 0.025, axis=0)), high=over(np.quantile(releases, 0.975, axis=0))),
            Curve("the truth", Table((stage,), 100 * values[:-1], scale="linear"), reference=True)],
    readouts=[Readout("error", "the published values are off by", Table((epsilon,), 100 * error), unit="points"),
              Readout("guesses", "an attacker guesses right about a patient, at most", Table.of(attacker, epsilon), unit="in 100")],
    guarantee=f"The promise in technical words, which chapter 1 explains: (ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one trajectory (replace one), proved.",
    alt="Value of the treatment by stage: one noisy publication and the band where 95 of 100 lie, around the true curve, which "
        "rises. At ε = {epsilon} the published values are off by about {error} points of 100, and an attacker guesses right about one "
        "patient at most {guesses} times in 100.",
    caption="No attacker guesses right about one patient more often than this, even with the records of all others. A coin is right 50 times in 100. "
            f"The game published 39 sums. Here the number of patients at each stage is secret as well, and gets noise too: at ε = 1 the values are off by {here:.1f} points, in the game by {there:.1f}. "
            "Where the noise is large, the published values are shrunk towards their mean. Without this they would be off by far more.")

# %% [markdown]
# **What you should see.** At ε = 3 the curve is nearly perfect, at 0.3 it is bent and still rises, and at 0.03 nothing is left of it. Around ε = 1 the
# curve is good and the attacker is hardly better than a coin. {doc}`01_foundations/06_what_epsilon_means` says what each ε means.
#
# ## Where to start
#
# ````{grid} 1 1 3 3
# :gutter: 3
# ```{grid-item-card} New to reinforcement learning
# :link: 01_foundations/01_reinforcement_learning
# :link-type: doc
# Policies and values, then Q-learning and learning from logs: two short pages, with pictures that move.
# ```
# ```{grid-item-card} New to privacy
# :link: 01_foundations/02_a_promise
# :link-type: doc
# What ε and δ promise, how noise keeps the promise, what it does not protect.
# ```
# ```{grid-item-card} You know both
# :link: ../book/claims
# :link-type: doc
# The claims ledger: the statements of the papers, each with a verdict, and the test that finds it.
# ```
# ````
#
# {doc}`../book/how_to_read` says how pages, notebooks and verdicts work. All of it runs, here in the page without installing anything,
# or on your computer as notebooks. {doc}`run_at_scale` runs it at any size. To teach it, there is a {doc}`course <../book/course/index>`.
# To read it on paper or without a network, {doc}`print or pack it <../book/how_to_read>`.
#
# ## The chapters
#
# {doc}`Foundations <01_foundations/index>`
# : You learn both fields from zero, see whom a promise protects, and attack: it works, until there is noise.
#
# {doc}`Private policy evaluation <02_policy_evaluation/index>`
# : How good is a treatment, from the records of its patients? Balle, Gomrokchi and Precup gave the first private algorithms. We
#   calibrate them, and say what to do today.
#
# {doc}`Q-learning with functional noise <03_functional_noise/index>`
# : Can you publish what an agent has learned, and keep secret what it was rewarded for? Wang and Hegde add noise that is a
#   function. We refute their promise from outside, and find what can be promised.
#
# {doc}`Offline reinforcement learning <04_offline_rl/index>`
# : Qiao and Wang find a better treatment in logged stays, from noisy counts and with private caution. You see what their constants
#   ask for, and get a policy for a model of sepsis, at an ε that a hospital could sign.
#
# {doc}`Learning while treating <05_online/index>`
# : Patients come one after another, and each is treated with what was learned from the earlier ones. You build counters that never stop,
#   bandits, and learners under joint and local privacy.
#
# {doc}`Networks <06_networks/index>`
# : Each person gives one gradient, and noise hides it. You plan in a private model of the world, see what a few hundred people are enough
#   for, and measure the ε that programs with an error really have.
#
# {doc}`Side by side <07_side_by_side/index>`
# : We compare all mechanisms at an equal guarantee, where that means something, and count what privacy costs in people. A guide ends at a
#   statement that you could sign.

# %% tags=["remove-input"]
ledger = claims()
found = ledger["verdict"].value_counts()
assert found[[one.value for one in (HOLDS, FAILS, LOOSE, DEPARTS, NOT_CHECKED)]].sum() == len(ledger)
md("Each chapter on a paper builds its algorithms in a few lines, runs its experiments again, and checks what it says. Of "
   f"{len(ledger)} statements **{found[HOLDS.value]}** hold as printed and **{found[FAILS.value]}** fail. Of the others, {found[LOOSE.value]} are true but larger than "
   f"need be, {found[DEPARTS.value]} are true only in another setting or reading, and {found[NOT_CHECKED.value]} no computation can reach [{{ref}}`all verdicts <claims>`].")

# %% [markdown]
# Where a paper errs, we say so and show it. Where it is right, we say so too. These papers came first, and everything
# mended here builds on them.

# %% tags=["remove-cell"]
# what the text above says: the noise of the game, and what the slider leaves of the curve, in points of 100
scales = [float(level.scale(Sensitivity(S - 1, np.sqrt(S - 1)))) for level in (GaussianNoise.of_epsilon(e, delta) for e in (10, 1, 0.1))]
assert [round(scale) for scale in scales] == [3, 23, 192]
assert [round(100 * GaussianWorlds(means=worlds, scales=scale).ceiling) for scale in scales[:2]] == [77, 54]
assert round(attacker(1.0)) == 55
rise = np.mean(releases[:, -1] - releases[:, 0], axis=0) / (values[-2] - values[0])  # of the trend, at each ε
at = dict(zip((3, 0.3, 0.03), np.searchsorted(epsilon.grid, (2.9, 0.29, 0.029))))
assert 100 * error[at[3]] < 2 and rise[at[3]] > 0.9 and 0.3 < rise[at[0.3]] < 1 and rise[at[0.03]] < 0.3
