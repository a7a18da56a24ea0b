"""Games as a page would make them; the tests play them, and `python tests/games.py PAGE.html` writes them to a bare page."""

import json
import sys
from pathlib import Path

import numpy as np
from scipy.linalg import solve_toeplitz

from privrl_core.online import counter, square_root_coefficients, ucb, ucb_without_forgetting
from privrl_core.pages.game import Beside, Curve, Dial, Draws, Exact, Game, Noisy, Number, Stems, Subtract, Walk, World, play
from privrl_core.pages.hospital import Hospital, treat
from privrl_core.policy_evaluation import first_visit_returns
from privrl_core.privacy import (
    GaussianNoise,
    GaussianWorlds,
    LaplaceNoise,
    LaplaceWorlds,
    Sensitivity,
    discrete_ceiling,
    right_guess_ceiling,
)
from privrl_core.privacy.joint import billboard
from privrl_core.world import recovery_chain, sample_episodes

STAGES, PLACES, DELTA = 39, 1_000, 1e-5
EPSILONS = (30, 10, 3, 1, 0.3, 0.1)
IN_OR_OUT = (World("in", "Anna is in", "Anna was in the data."), World("out", "Anna is out", "Anna was not in the data."))


def unit_noise(kind, n: int, rng) -> np.ndarray:
    """Draws of the mechanism's own sampler, in multiples of its scale."""
    return kind.draw(1.0, n, rng)


def welcome(**changes) -> Game:
    """Anna's place among a thousand: exact averages, then with noise on the 39 sums."""
    rng = np.random.default_rng(2016)
    chain, treatment = recovery_chain(STAGES + 1), np.ones((STAGES + 1, 1))
    typical = chain.policy_values(treatment)[:STAGES]

    def records(m):
        episodes = sample_episodes(chain, treatment, m, rng)
        return episodes, first_visit_returns(episodes, STAGES + 1, chain.discount)[:, :STAGES]

    # of the patients who recover quickly, the one with the longest wait in the middle: a record with a step in it
    episodes, returns = records(4_000)
    waits = np.array([np.bincount(row[row >= 0], minlength=STAGES + 1) for row in episodes.states])
    quick = (episodes.lengths >= (ends := np.quantile(episodes.lengths, (0.1, 0.2)))[0]) & (episodes.lengths <= ends[1])
    chosen = int(np.argmax(np.where(quick, waits[:, 8:28].max(axis=1), 0)))
    anna = returns[chosen]
    known = np.array([records(PLACES - 1)[1].sum(axis=0) for _ in range(40)])
    means = np.array([anna, np.zeros(STAGES)])
    spread = np.sqrt(np.mean((known / (PLACES - 1) - typical) ** 2))  # what chance does, without any noise

    def level(epsilon):
        noise = GaussianNoise.of_epsilon(epsilon, DELTA)
        scale = noise.scale(Sensitivity(STAGES, np.sqrt(STAGES)))
        anybody = right_guess_ceiling(noise.guarantee("the sums"))
        patients = f"{scale:.1f}" if scale < 10 else f"{scale:.0f}"
        return Noisy(f"noise of {patients} patients", GaussianWorlds(means=means, scales=scale),
                     notes=[("the published values are off by", f"{100 * np.hypot(spread, scale / PLACES):.1f} points of 100")],
                     guarantee=f"No attacker, whoever the patient, is right more often than in {100 * anybody:.1f} of 100. This is proved.")

    walkers = np.full((220, 101), STAGES, dtype=int)
    for row, (states, length) in enumerate(zip(np.roll(episodes.states, -chosen, axis=0)[:220], np.roll(episodes.lengths, -chosen)[:220])):
        path = states[:min(length, 101)]
        walkers[row, :len(path)] = path
    every = dict(
        name="welcome", question="You know the records of 999 patients, and what Anna’s would look like. Is Anna in the data?",
        worlds=IN_OR_OUT,
        picture=Curve("What the clinic publishes", x="stage of the illness", y="value of recovery, in points of 100", low=0, high=100,
                      unit="points", beside=[Beside("typical", 100 * typical), Beside("Anna alone", 100 * anna, world=0)]),
        levels=[Exact("none: exact averages", means=means, decimals=2, guarantee="Exact averages promise nothing to anybody.",
                      notes=[("the published values are off by", f"{100 * spread:.1f} points of 100")]), *map(level, EPSILONS)],
        noise=unit_noise(GaussianNoise.of_epsilon(1.0, DELTA), 16_000, rng), known=known, per=PLACES / 100,
        subtract=Subtract("Subtract the other 999", hint="You know these records. Take their sum away from the clinic’s.",
                          title="What is left, in patients", keys=("if she is in", "if she is out")),
        dial=Dial("noise on every sum of 1,000 patients", low_end="exact averages", high_end="more noise"),
        stages=("rounds", "dial"), expects=True,
        walk=Walk(walkers, start="admitted", end="recovered", place="Anna’s place"),
        caption="Published: how much recovery is worth at each stage, the mean over 1,000 places. If Anna did not come, her place counts 0.",
        alt="A clinic publishes 39 averages over 1,000 places, of which one may be Anna’s.")
    return play(**every | changes)


def one_number(**changes) -> Game:
    """A count with Laplace noise at ε = 1."""
    rng, noise = np.random.default_rng(7), LaplaceNoise.of_epsilon(1.0)
    worlds = LaplaceWorlds(means=[[413.0], [412.0]], scales=noise.scale(Sensitivity(1, 1)))
    every = dict(
        name="one_number", question="412 of the others stayed longer than a month. Anna would be one more. Is she in?", worlds=IN_OR_OUT,
        picture=Number("The published number", y="patients who stayed longer than a month, published",
                       beside=[Beside("with Anna", [413], world=0), Beside("without her", [412], world=1)]),
        levels=[Noisy("ε = 1", worlds, guarantee="ε = 1, δ = 0 for one patient (add or remove one), proved")],
        noise=unit_noise(noise, 10_000, rng), caption="Laplace noise of width 1 on a count.",
        alt="One number is published: the count of patients who stayed longer than a month, with noise of width 1.")
    return play(**every | changes)


def piles(**changes) -> Game:
    """The same kind of number with Gaussian noise; every round falls on a heap, and the heaps give ε and δ their names."""
    rng, noise = np.random.default_rng(8), GaussianNoise.of_epsilon(1.0, 0.05)
    scale = noise.scale(Sensitivity(1, 1))
    every = dict(
        name="piles", question="Play many rounds. Where would you draw the line?", worlds=IN_OR_OUT,
        picture=Number("The published number", y="the published count",
                       beside=[Beside("with Anna", [413], world=0), Beside("without her", [412], world=1)]),
        levels=[Noisy("Gaussian noise", GaussianWorlds(means=[[413.0], [412.0]], scales=scale),
                      guarantee=f"{noise.guarantee('the count')}")],
        noise=unit_noise(noise, 10_000, rng), stages=("piles",), names=True,
        caption=f"Gaussian noise with a standard deviation of {scale:.2f} on a count.",
        alt="Two heaps of published numbers, with Anna and without her, which overlap.")
    return play(**every | changes)


def lines(**changes) -> Game:
    """The same after rounds: first a line between the heaps, then the names."""
    return piles(**dict(name="lines", stages=("rounds", "piles")) | changes)


def width(**changes) -> Game:
    """Noise that follows the data: nothing is left but noise, and its width gives the patient away."""
    rng = np.random.default_rng(9)
    worlds = GaussianWorlds(means=np.zeros((2, 12)), scales=[1.0, 1.6])
    every = dict(
        name="width", question="The noise follows the data. Is it narrow or wide?",
        worlds=(World("narrow", "narrow", "The noise was narrow: nobody is alone."), World("wide", "wide", "The noise was wide: one visitor is alone.")),
        picture=Stems("Published minus true values", x="state", y="noise", low=-6, high=6),
        levels=[Noisy("noise that follows the data", worlds, guarantee="This noise promises nothing: its width is data.")],
        noise=unit_noise(GaussianNoise.of_epsilon(1.0, DELTA), 12_000, rng), rounds=20,
        caption="Twelve published values, less the true ones.", alt="Twelve stems of noise, whose standard deviation is 1 or 1.6.")
    return play(**every | changes)


def two_rewards(**changes) -> Game:
    """Releases that another mechanism made: whole numbers, stored with their scores."""
    rng = np.random.default_rng(10)
    at, ratio = np.arange(-40, 41), np.exp(-0.5)
    laws = [(1 - ratio) / (1 + ratio) * ratio ** np.abs(at - centre) for centre in (1, -1)]
    laws = [law / law.sum() for law in laws]
    values = np.array([rng.choice(at, size=3_000, p=law) for law in laws])
    every = dict(
        name="two_rewards", question="Which of two rewards was it?", publish="Release",
        worlds=(World("reward A", "reward A", "It was reward A."), World("reward B", "reward B", "It was reward B.")),
        picture=Number("The released whole number", y="the released whole number"),
        levels=[Draws("whole numbers", values[..., None], log_ratios=(np.abs(values + 1) - np.abs(values - 1)) / 2,
                      ceiling=discrete_ceiling(*laws), guarantee="ε = 1 for the reward function, proved")],
        stages=("rounds", "piles"), player="learner", best="best possible learner", caption="Geometric noise.", alt="One whole number is released for one of two rewards.")
    return play(**every | changes)


def all_the_others(**changes) -> Game:
    """Treatments that follow from noisy sums: what is shown is coarser than what the best attacker reads, and looks alike in many rounds."""
    rng, days, each = np.random.default_rng(11), 12, 280
    column, anna = square_root_coefficients(days), np.zeros((days, 2, each))
    anna[0] = [[1], [-1]]

    def level(epsilon):
        made = counter("doubling-toeplitz", 229, 2.0, epsilon=epsilon, delta=DELTA, times=9 + 20 * np.arange(days))
        sums = made.release(anna, noise_rng=rng).totals
        worlds = GaussianWorlds(means=[column, -column], scales=made.scale)
        ratios = worlds.log_ratio(solve_toeplitz((column, np.eye(days)[0]), sums.reshape(days, -1)).T)
        return Draws(f"ε = {epsilon}", np.moveaxis(np.where(sums > 0, 1.0, -1.0), 0, -1), log_ratios=ratios.reshape(2, each),
                     ceiling=right_guess_ceiling(billboard(made.guarantee)), guarantee=f"Jointly private with ε = {epsilon}, proved.")

    every = dict(
        name="all_the_others", question="Did the strong treatment help Anna?", publish="Treat",
        worlds=(World("recovered", "she recovered", "Anna recovered."), World("not recovered", "she did not", "Anna did not recover.")),
        picture=Stems("How all of you are treated", x="day", y="treatment", low=-1.5, high=1.5, first=2, key="your treatment", values=((1, "strong"), (-1, "gentle"))),
        levels=[Exact("none", means=np.outer([1, -1], np.ones(days)), decimals=0, guarantee="Exact sums promise nothing to anybody."), *map(level, (10, 3, 1))],
        dial=Dial("noise on the sums", low_end="exact", high_end="more noise"), stages=("rounds", "dial"), expects=True,
        best="attacker who also sees the sums", caption="Anna’s vote decides.", alt="Twelve stems, up or down.")
    return play(**every | changes)


def hospital(**changes) -> Hospital:
    """Three treatments in sixteen hospitals: every outcome, and sums with noise for ε = 1 and 0.3, as on the page *Private arms*."""
    noise_rng = np.random.default_rng([2022, 6])
    every = dict(
        name="be_the_hospital", question="Which treatment is the best?", means=(0.8, 0.6, 0.4), noise=unit_noise(LaplaceNoise.of_epsilon(1.0), (16, 200), noise_rng),
        epsilons=(1.0, 0.3), sizes=(1, 5, 25), rule=ucb, private_rule=ucb_without_forgetting, rng=np.random.default_rng([2022, 5]), noise_rng=noise_rng,
        caption="Patients as they come.", alt="Boxes of many widths.")
    return treat(**every | changes)


GAMES = {make.__name__: make for make in (welcome, one_number, piles, lines, width, two_rewards, all_the_others)}


def bare(*games: Game, script: str, style: str, theme: str = "light") -> str:
    """A page with nothing but games, and the script and the style of the book."""
    from ipywidgets.embed import embed_data, escape_script
    from widget_state import FRONT_ENDS

    data = embed_data(views=games, drop_defaults=False)
    for model in data["manager_state"]["state"].values():
        for module, front_end in FRONT_ENDS.items():
            if model["state"].get("_anywidget_id", "").startswith(module):
                model["state"]["_esm"] = front_end
                model["state"].pop("_css", None)
    state, *views = (escape_script(json.dumps(part)) for part in (data["manager_state"], *data["view_specs"]))
    stills = [game._repr_mimebundle_()["text/html"] for game in games]
    return "\n".join([
        f'<!doctype html><html lang="en" data-theme="{theme}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f'<title>games</title><link rel="stylesheet" href="{style}"><script defer src="{script}"></script>',
        '<style>html[data-theme="dark"] { background: #0f1216; color: #e4e8ed } body { max-width: 820px; margin: 1rem auto; padding: 0 .5rem }',
        "@media (max-width: 480px) { body { margin: .5rem 0 } }</style><body><main><h1>Games</h1>",
        f'<script type="application/vnd.jupyter.widget-state+json">{state}</script>',
        *(f'<script type="application/vnd.jupyter.widget-view+json">{view}</script>{still}' for view, still in zip(views, stills)), "</main>"])


if __name__ == "__main__":
    root = Path(__file__).parents[1]
    sys.path.insert(0, str(root / "tools"))
    vendor = (root / "book" / "assets" / "vendor" / "widgets").resolve().as_uri()
    Path(sys.argv[1]).write_text(bare(*(GAMES[name]() for name in sys.argv[2:] or GAMES), script=f"{vendor}/widgets.js", style=f"{vendor}/widgets.css"), "utf-8")
