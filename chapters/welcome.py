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
# Machines learn from people. **This book shows what the privacy of these people costs, and lets you check it.** Here a clinic
# publishes how well a treatment works, from the records of a thousand patients:

# %% tags=["parameters", "remove-cell"]
effort = 1.0  # the fraction of the full work
seed = 2016  # all randomness comes from here
n_patients = 1_000
delta = 1e-5

# %% tags=["remove-input", "welcome"]
import numpy as np
from IPython.display import Markdown as md

from privrl_core.privacy import gaussian_advantage_ceiling, gaussian_mu
from privrl_core.policy_evaluation import (
    dp_sufficient_statistics, first_visit_statistics, tabular_features)
from privrl_core.world import recovery_chain, sample_episodes
from privrl_core.pages.explorer import Axis, Curve, Readout, Slider, Table, explore, show
from privrl_core.pages import FAILS, HOLDS, claims

S, treatment = 40, np.ones((40, 1))
chain = recovery_chain(S)
values = chain.policy_values(treatment)
rng = np.random.default_rng(seed)

def study():
    """What a thousand patients add up to, stage by stage."""
    patients = sample_episodes(chain, treatment, n_patients, rng)
    return first_visit_statistics(patients, S, chain.discount, return_bound=1)

studies = [study() for _ in range(max(20, round(400 * effort)))]
epsilon = Slider("epsilon", "privacy loss ε", 0.1, 30, 1, points=26)
stage = Axis("stage", "stage of the illness", 1, S - 1, points=S - 1, scale="linear")

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

def over(numbers):
    return Table((stage, epsilon), 100 * numbers, scale="linear")

explore(
    name="welcome", sliders=[epsilon], x=stage, y=Axis("value", "value of the treatment, in points of 100", 0, 100, scale="linear"),
    curves=[Curve("published, and where 95 of 100 such studies lie", over(releases[0]),
                  low=over(np.quantile(releases, 0.025, axis=0)), high=over(np.quantile(releases, 0.975, axis=0))),
            Curve("the truth", Table((stage,), 100 * values[:-1], scale="linear"), reference=True)],
    readouts=[Readout("error", "the published values are off by", Table((epsilon,), 100 * error), unit="points"),
              Readout("guesses", "an attacker guesses right about a patient", Table.of(attacker, epsilon), unit="in 100", at_most=True)],
    guarantee=f"(ε = {{epsilon}}, δ = {show(delta)})-differential privacy for one trajectory (replace one), proved.",
    alt="Value of the treatment by stage: one noisy publication and the band where 95 of 100 lie, around the true curve, which "
        "rises. At ε = {epsilon} the published values are off by about {error} points of 100, and an attacker guesses right about one "
        "patient at most {guesses} times in 100.",
    caption="The attacker knows all other patients, and two records, one of which is in the study: which? A coin is right 50 times "
            "in 100. No attacker, whatever they compute, does better than this number.")

# %% [markdown]
# ```{admonition} In ten seconds
# :class: tip
# On the right the numbers are good, and give patients away. On the left nobody is found out, and nothing is learned. In
# between there is room for both: at ε = 1 the curve is good, and the attacker hardly better than a coin. To make such room
# is what **differential privacy** is for. How much of it there is, for algorithms that learn from sequences of states,
# actions and rewards, is the matter of this book.
# ```
#
# ## Where to start
#
# ````{grid} 1 1 3 3
# :gutter: 3
# ```{grid-item-card} New to reinforcement learning
# :link: 01_foundations/01_reinforcement_learning
# :link-type: doc
# Policies, values, Q-learning, learning from logs: in one sitting, with pictures that move.
# ```
# ```{grid-item-card} New to privacy
# :link: 01_foundations/02_a_promise
# :link-type: doc
# What ε and δ promise, how noise keeps the promise, what it does not protect.
# ```
# ```{grid-item-card} You know both
# :link: ../book/claims
# :link-type: doc
# The claims ledger: each statement of three papers, a verdict, and the test that finds it.
# ```
# ````
#
# {doc}`../book/how_to_read` says how pages, notebooks and verdicts work. All of it runs: in this page without a server and
# without installing anything, on your computer with `make lab`, at any size with {doc}`run_at_scale`. To teach it, there is
# a {doc}`course <../book/course/index>`.
#
# ## The chapters
#
# {doc}`Foundations <01_foundations/index>`
# : Reinforcement learning and differential privacy from zero; whom a promise protects; and attacks that work, until there is
#   noise.
#
# {doc}`Private policy evaluation <02_policy_evaluation/index>`
# : How good is a treatment, from the records of its patients? The first private algorithms for it, by Balle, Gomrokchi and
#   Precup; how to calibrate them; and what to do today.
#
# {doc}`Q-learning with functional noise <03_functional_noise/index>`
# : May one hand out what an agent has learned, and keep to oneself what it was rewarded for? Noise that is a function, by Wang
#   and Hegde; the paper's promise, refuted from outside; and what can be promised.
#
# {doc}`Offline reinforcement learning <04_offline_rl/index>`
# : A better treatment from logged stays: noisy counts, private caution, linear models, by Qiao and Wang; what their constants
#   ask for; and a policy for a model of sepsis, at an ε that a hospital could sign.
#
# {doc}`Side by side <05_side_by_side/index>`
# : All mechanisms at an equal guarantee, where that means something; what privacy costs in people; and a guide that ends at a
#   statement one could sign.

# %% tags=["remove-input"]
ledger = claims()
found = ledger["verdict"].value_counts()
md(f"Each chapter on a paper builds its algorithms in a few lines, runs its experiments again, and checks what it says: "
   f"{len(ledger)} statements so far, of which **{found[HOLDS.value]}** hold as printed and **{found[FAILS.value]}** fail; "
   "the rest are loose, hold in another setting, or are out of reach of a computation.")

# %% [markdown]
# Where a paper errs we say so and show it. Where it is right we say so too. Somebody had to be first, and whatever
# we mend here stands on what they built.
