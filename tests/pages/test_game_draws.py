"""Games as pages make them: what the browser gets, what it costs, and what is refused."""

import json
from dataclasses import replace

import games
import numpy as np
import pytest
from scipy import stats

from privrl_core.pages.game import Beside, Curve, Dial, Draws, Exact, Noisy, Number, Stems, Subtract, Walk, World, play
from privrl_core.pages.game.levels import Pile
from privrl_core.pages.game.still import odds, still
from privrl_core.pages.game.table import Table
from privrl_core.privacy import (
    GaussianNoise,
    GaussianWorlds,
    LaplaceWorlds,
    Sensitivity,
    gaussian_success_ceiling,
    right_guess_ceiling,
)

MILLIONTH = 1e-6  # how often a test of chance may fail, whatever the seed
PLAYED = {name: make() for name, make in games.GAMES.items()}
WORLDS = GaussianWorlds(means=[[1.0, 2.0], [0.0, 0.0]], scales=2.0)
NOISE = np.random.default_rng(0).standard_normal(4_000)
EXACT = Exact("exact", means=[[1.0, 2.0], [0, 0]], guarantee="nothing")
NOISY = Noisy("noisy", WORLDS, guarantee="something")
RELEASES = WORLDS.draw(400, np.random.default_rng(1))
DRAWS = dict(label="drawn", values=RELEASES, log_ratios=WORLDS.log_ratio(RELEASES), ceiling=WORLDS.ceiling, guarantee="something")
CURVE = dict(title="what is published", x="place", y="value", low=-9.0, high=9.0, first=1, unit="", beside=[Beside("typical", [0.0, 1.0])])
SUBTRACT = dict(button="Subtract", hint="you know them", title="what is left", keys=("in", "out"), y="")
RIGHT = dict(
    name="small", question="Is Anna in?", worlds=games.IN_OR_OUT, picture=Curve(**CURVE), levels=[EXACT, NOISY], noise=NOISE,
    known=np.ones((3, 2)), per=2.0, subtract=Subtract(**SUBTRACT), dial=Dial("noise", low_end="less", high_end="more"),
    stages=("rounds", "dial", "piles"), initial=0, rounds=10, publish="Publish", player="attacker", best="best possible attacker", names=True, expects=True, walk=None,
    caption="words", alt="what is seen", budget=100_000)
SAMPLERS = {"gaussian": stats.norm, "laplace": stats.laplace}


def stored(game, place):
    return np.frombuffer(game.tables, "<f4")[place[0]:place[0] + place[1]]


@pytest.mark.parametrize("game", PLAYED.values(), ids=PLAYED)
def test_the_browser_gets_draws_that_follow_the_law_of_the_mechanism(game):
    """By the Dvoretzky-Kiefer-Wolfowitz inequality a distance is larger with probability below 1e-6."""
    for level, entry in zip(game._table.levels, game.specification["levels"]):
        if level.kind == "noisy":
            assert entry["law"] == level.worlds.law
            unit = stored(game, game.specification["noise"])
            assert stats.kstest(unit, SAMPLERS[level.worlds.law].cdf).statistic < np.sqrt(np.log(2 / MILLIONTH) / (2 * unit.size))
            assert stored(game, entry["means"]).reshape(2, -1) == pytest.approx(level.worlds.means, rel=1e-6)
            assert entry["scales"] == list(level.worlds.scales)
        elif level.kind == "draws":
            assert np.array_equal(stored(game, entry["values"]), np.float32(level.values.ravel()))
            assert np.array_equal(stored(game, entry["ratios"]), np.float32(level.log_ratios.ravel()))


def test_the_game_of_the_first_page_adds_the_noise_that_the_mechanism_would():
    """The scale is that of the sums of 39 values in [0, 1], of which one patient replaces each; and so is the ceiling."""
    levels = PLAYED["welcome"]._table.levels
    anna = levels[0].means[0]
    assert (levels[0].means[1] == 0).all() and ((0 <= anna) & (anna <= 1)).all()
    for level, epsilon in zip(levels[1:], games.EPSILONS, strict=True):
        noise = GaussianNoise.of_epsilon(epsilon, games.DELTA)
        assert level.worlds.scales == pytest.approx(np.sqrt(39) / noise.mu)
        assert noise.scale(Sensitivity(39, np.sqrt(39))) == pytest.approx(level.worlds.scales[0])
        # the worst patient, whose record is 1 in place of 0 throughout, is no better hidden than is promised, and Anna better
        assert gaussian_success_ceiling(noise.mu) == pytest.approx(right_guess_ceiling(noise.guarantee("the sums")), rel=1e-9)
        assert level.ceiling == pytest.approx(gaussian_success_ceiling(np.linalg.norm(anna) / level.worlds.scales[0]), rel=1e-9)
        assert level.ceiling < gaussian_success_ceiling(noise.mu)
        assert f"{100 * gaussian_success_ceiling(noise.mu):.1f} of 100" in level.guarantee


@pytest.mark.parametrize("game", PLAYED.values(), ids=PLAYED)
def test_a_game_adds_at_most_160_kilobytes_to_a_page(game):
    shown = still(game._table)
    coded = -(-(len(game.tables) + len(game.paths)) // 3) * 4
    assert coded + len(json.dumps(game.specification, ensure_ascii=False).encode()) + len(shown.encode()) <= 160_000


@pytest.mark.parametrize("game", PLAYED.values(), ids=PLAYED)
def test_the_still_picture_says_the_question_and_the_odds_and_runs_nothing(game):
    table = game._table
    figure = still(table)
    assert figure == still(table) and "<script" not in figure and figure.startswith('<figure class="game-still"')
    assert table.question.split("’")[0] in figure and table.alt.split("’")[0] in figure
    assert all(f"{level.label}: {odds(level.ceiling)}" in figure for level in table.levels)


@pytest.mark.parametrize("share, words", [(1, "100 in 100"), (0.9601, "96 in 100"), (0.503, "50.3 in 100"), (0.994, "99.4 in 100")])
def test_odds_show_what_tells_them_from_a_coin_and_from_certainty(share, words):
    assert odds(share) == words


@pytest.mark.parametrize("level", [NOISY, Draws(**DRAWS), Noisy("widths", GaussianWorlds(means=np.zeros((2, 9)), scales=[1, 2.0]), guarantee=""),
                                   Noisy("number", GaussianWorlds(means=[[3.0], [2.0]], scales=1.0), guarantee=""),
                                   Noisy("laplace", LaplaceWorlds(means=[[2.0], [3.0]], scales=0.7), guarantee="")],
                         ids=lambda level: level.label)
def test_the_heaps_of_the_long_run_hold_everything_and_what_sticks_out_shrinks_to_nothing(level):
    pile = Pile(level)
    step = (pile.range[1] - pile.range[0]) / (pile.POINTS - 1)
    assert pile.density.sum(axis=1) * step == pytest.approx([1, 1], abs=0.03)
    assert pile.deltas[0] == pytest.approx(2 * level.ceiling - 1, abs=0.05 if level.kind == "draws" else 1e-9)
    assert (np.diff(pile.deltas) <= 1e-12).all() and pile.deltas[-1] < 5e-4
    if level.kind == "noisy":
        out = np.maximum(0, pile.density[0] - np.exp(pile.epsilons[20]) * pile.density[1]).sum() * step
        assert out == pytest.approx(pile.deltas[20], abs=0.01), "the picture shows the number"


def test_what_stands_beside_one_number_is_where_it_would_be_without_noise_at_this_level():
    levels = [Noisy(f"{k} stays", GaussianWorlds(means=[[40.0 + k], [40.0]], scales=4.0), guarantee="") for k in (1, 10)]
    game = play(name="stays", question="Is she in?", worlds=games.IN_OR_OUT, levels=levels, noise=NOISE, stages=("rounds", "dial"),
                picture=Number("number", y="stays", beside=[Beside("with her", [41], world=0), Beside("without", [40], world=1), Beside("usual", [38])]),
                dial=Dial("stays", low_end="one", high_end="ten", first="Ten", next="More"), best="nurse", caption="", alt="words")
    assert [[stored(game, place).item() for place in level["besides"]] for level in game.specification["levels"]] == [[41, 40, 38], [50, 40, 38]]
    assert game.specification["best"] == "nurse" and game.specification["dial"]["first"] == "Ten" and "The nurse guesses right" in still(game._table)


def test_what_stands_beside_a_curve_may_change_from_level_to_level():
    rows = [[0.0, 1.0], [2.0, 3.0]]
    game = play(**RIGHT | {"picture": Curve(**CURVE | {"beside": [Beside("the other", rows, world=1), Beside("typical", [0.0, 1.0])]})})
    assert [stored(game, level["besides"][0]).tolist() for level in game.specification["levels"]] == rows
    assert len({tuple(level["besides"][1]) for level in game.specification["levels"]}) == 1


def test_noise_that_does_not_fit_makes_the_axis_longer_and_nothing_else_does():
    game = play(**RIGHT | {"levels": [EXACT, NOISY, Noisy("loud", replace(WORLDS, scales=[9.0, 9.0]), guarantee="")]})
    *quiet, loud = [(level["low"], level["high"]) for level in game.specification["levels"]]
    assert quiet == [(-9, 9)] * 2 and loud[0] < -3 * 9 / 2 and loud[1] > 3 * 9 / 2


def test_ceilings_that_the_draws_contradict_are_refused():
    with pytest.raises(ValueError, match="drawn: ceiling must agree with log_ratios, which are right in"):
        Draws(**DRAWS | {"ceiling": WORLDS.ceiling + 0.15})
    with pytest.raises(ValueError, match="noise must be in multiples of the scale: mean 0 and standard deviation 1, got"):
        play(**RIGHT | {"noise": 2 * NOISE})
    with pytest.raises(ValueError, match="exact: decimals must show the difference between the worlds, which is at most 1, got 0"):
        play(**RIGHT | {"levels": [replace(EXACT, decimals=0), NOISY]})


@pytest.mark.parametrize("changes, message", [
    ({"rounds": 0}, "rounds must be a whole number of at least 1, got 0"),
    ({"rounds": 101}, "rounds must be a whole number of at most 100, got 101"),
    ({"name": "two words"}, "name must be a Python identifier, got 'two words'"),
    ({"levels": []}, "levels must be at least one, got none"),
    ({"levels": [EXACT]}, "levels must be at least two where there is a dial, got 1"),
    ({"levels": [NOISY, NOISY]}, "levels must have different labels"),
    ({"dial": None}, "dial must be given if it is one of the stages, and only then, got None"),
    ({"stages": ("dial", "rounds")}, r"stages must be some of \('rounds', 'dial', 'piles'\), in this order"),
    ({"stages": ("rounds", "dial")}, "names must be False where no rounds pile up"),
    ({"initial": 2}, "initial must be a whole number of at most 1, got 2"),
    ({"known": None}, "known must be given, as there is something to subtract, got None"),
    ({"noise": None}, "noise must be draws in multiples of the scale, as some level is Noisy, got None"),
    ({"noise": NOISE[:1_000]}, "noise must be at least 2,000 draws, got 1,000"),
    ({"known": np.ones((3, 5))}, r"known must have shape \[K, 2\], got \[3, 5\]"),
    ({"levels": [EXACT, Draws(**DRAWS)], "noise": None}, "known must be None where a level has draws of its own"),
    ({"worlds": games.IN_OR_OUT[:1]}, "worlds must be two, got 1"),
    ({"picture": Number("a number", y="number")}, "picture must be a Number if and only if one value is published, got 'number' for 2"),
    ({"picture": Stems("stems", y="value", beside=[Beside("short", [1.0])])}, "short: beside must have 2 values, or as many for each level, got 1"),
    ({"picture": Stems("stems", y="value", beside=[Beside("three", np.ones((3, 2)))])}, "three: beside must have 2 values, or as many for each level, got 3 times 2"),
    ({"budget": 1_000}, "small: the draws must fit into 1,000 bytes, got 1"),
])
def test_what_cannot_be_played_says_why(changes, message):
    with pytest.raises(ValueError, match=message):
        play(**RIGHT | changes)


@pytest.mark.parametrize("values", [((1, 2),), ((np.nan, "none"),), "strong", ((1,),), 3])
def test_named_values_are_pairs_of_a_number_and_its_name(values):
    with pytest.raises(ValueError, match="values must be"):
        Stems("stems", y="value", values=values)


ODD = [None, "x", "1", b"1", np.nan, np.inf, 1j, [], [[1.0]], [1.0, np.nan], [1, 2, 3], {}, object(), np.zeros((2, 2)), True,
       np.array(["a", "b"]), np.ma.array([1.0, -999.0], mask=[False, True]), -2, -1, 0, 1, 2, 3, 1e-300, 0.5, 50.0]
RECORDS = {
    play: RIGHT, Curve: CURVE, Subtract: SUBTRACT, Draws: DRAWS | {"notes": [("off by", "1")]},
    Exact: dict(label="exact", means=[[1.0, 2.0], [0, 0]], guarantee="nothing", decimals=3, notes=()),
    Noisy: dict(label="noisy", worlds=WORLDS, guarantee="something", notes=()), Beside: dict(label="typical", values=[1.0, 2], world=None),
    World: dict(name="in", bet="in", truth="in"), Dial: dict(label="noise", low_end="a", high_end="b", first="on", next="more"),
    Walk: dict(paths=np.zeros((3, 9), dtype=int), start="a", end="b", place="c")}


@pytest.mark.parametrize("make", RECORDS, ids=lambda make: make.__name__)
def test_an_odd_argument_gives_a_clear_error_or_a_game(make):
    right = RECORDS[make]
    assert make(**right) is not None
    for name in right:
        for odd in ODD:
            try:
                made = make(**right | {name: odd})
            except ValueError as error:
                assert any(word in str(error) for word in right), f"{name} = {odd!r}: {error}"
            else:
                if make is play:
                    json.dumps(made.specification, allow_nan=False)


def test_a_table_is_a_record_that_nobody_writes_to():
    table = PLAYED["welcome"]._table
    assert isinstance(table, Table)
    with pytest.raises(ValueError):
        table.noise[0] = 0
