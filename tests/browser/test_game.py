"""The game in a bare page: its odds, what it says, and who can play it."""

import json

import games
import numpy as np
import pytest
from scipy import stats
from test_pages import AXE, KEPT_OUT
from test_slider import VENDOR

from privrl_core.pages.game import Game

MILLIONTH = 1e-6  # how often a test of chance may fail, whatever the seed
MANY, SOME = 4_000, 1_000  # bets near a coin, where a mistake is harder to see, and elsewhere
MADE = {}


def made(name):
    return MADE.setdefault(name, games.GAMES[name]())


@pytest.fixture
def opened(visit, tmp_path):
    """opened("welcome", ...) shows these games in a page; the first one is there as `game`."""
    def show(*names, width=900, motion="reduce", theme="light"):
        (tmp_path / "page.html").write_text(games.bare(
            *(Game(made(name)._table) for name in names), script=f"{VENDOR.as_uri()}/widgets.js", style=f"{VENDOR.as_uri()}/widgets.css", theme=theme), "utf-8")
        seen = visit((tmp_path / "page.html").as_uri(), width=width)
        seen.page.emulate_media(reduced_motion=motion)
        seen.game = seen.page.locator(".game-view").first
        return seen
    return show


def ask(seen, body, argument=None):
    return seen.game.evaluate(f"(view, argument) => {{ const game = view.game; {body} }}", argument)


def limits(share: float, rounds: int) -> tuple[float, float]:
    """Within which the count of right bets lies with probability 99.9 %."""
    return stats.binom.ppf(0.0005, rounds, share), stats.binom.ppf(0.9995, rounds, share)


BETS = """game.setLevel?.(argument.level); view.style.display = "none"; game.seed(argument.seed); let right = 0, played = 0;
    while (played < argument.rounds) {
        if (game.state.matches[argument.level].results.length >= game.state.round_limit) game.again();
        game.publish(); right += game.bet(argument.rule === "best" ? game.best() : argument.rule); played++;
    } view.style.display = ""; return right;"""


def play(seen, level, rule, seed, rounds):
    """So many bets at one level through the buttons' own functions, by a rule: the best one, or always the same."""
    return ask(seen, BETS.replace("game.state.round_limit", str(seen.game.evaluate("view => view.game.wanted"))),
               {"level": level, "rule": rule, "seed": seed, "rounds": rounds})


@pytest.mark.parametrize("name", games.GAMES)
def test_the_best_strategy_reaches_the_stated_ceiling_and_always_the_same_reaches_half(opened, name):
    """4,000 bets at each level near a coin, 1,000 at others, at a fixed seed, within limits that hold with probability 99.9 %."""
    seen = opened(name)
    if "rounds" not in made(name)._table.stages:
        pytest.skip("no bets here: see the heaps")
    for level, one in enumerate(made(name)._table.levels):
        rounds = MANY if one.ceiling < 0.6 else SOME
        low, high = limits(one.ceiling, rounds)
        assert low <= play(seen, level, "best", 11 + level, rounds) <= high, one.label
    low, high = limits(0.5, SOME)
    assert low <= play(seen, 0, 0, 5, SOME) <= high
    assert seen.complaints == [] and seen.outside == []


@pytest.mark.parametrize("name", games.GAMES)
def test_scores_in_the_page_are_those_of_the_core(opened, name):
    """The best score of a round, and what is left and published, computed once more in Python."""
    seen, table = opened(name), made(name)._table
    for level, one in enumerate(table.levels):
        found = ask(seen, """game.seed(3); game.setLevel?.(argument);
            return Array.from({length: 60}, () => game.deal()).map(({world, published, left, score, x}) => ({world, published, left, score, x}));""", level)
        if one.kind == "noisy":
            left = np.array([each["left"] for each in found])
            assert np.array([each["score"] for each in found]) == pytest.approx(one.worlds.log_ratio(left), rel=1e-4, abs=1e-4)
            published = np.array([each["published"] for each in found])
            known = (published * table.per - left)
            nearest = np.array([0.0]) if table.known is None else table.known
            assert all(np.abs(nearest - row).max(axis=-1).min() < 1e-3 * max(1, np.abs(row).max()) for row in known)
        elif one.kind == "exact":
            assert all((each["score"] > 0) == (each["world"] == 0) for each in found)
            assert all(each["published"] == [round(value, one.decimals) for value in each["published"]] for each in found)
        else:
            rows = {}  # releases may look alike and have different scores, where the attacker sees more than is shown
            for world in (0, 1):
                for row, ratio in zip(one.values[world], one.log_ratios[world]):
                    rows.setdefault((world, *np.float32(row)), []).append(ratio)
            assert all(any(each["score"] == pytest.approx(ratio, rel=1e-6) for ratio in rows[each["world"], *each["published"]]) for each in found)


def test_the_page_deals_every_stored_draw_once_before_it_shuffles_and_tosses_a_fair_coin(opened):
    """The coin by Hoeffding, the noise by Dvoretzky, Kiefer and Wolfowitz: each fails with probability below 1e-6."""
    seen, table = opened("one_number"), made("one_number")._table
    n = table.noise.size
    found = ask(seen, "game.seed(9); return Array.from({length: argument}, () => game.deal()).map(({world, left}) => [world, left[0]]);", n)
    world, left = (np.array(column) for column in zip(*found))
    unit = (left - table.levels[0].worlds.means[world.astype(int), 0]) / table.levels[0].worlds.scales[0]
    assert np.sort(unit) == pytest.approx(np.sort(table.noise), abs=1e-3)
    assert abs(world.mean() - 0.5) < np.sqrt(np.log(2 / MILLIONTH) / (2 * n))
    for side in (0, 1):
        part = unit[world == side]
        assert stats.kstest(part, stats.laplace.cdf).statistic < np.sqrt(np.log(2 / MILLIONTH) / (2 * part.size))


def test_what_is_left_of_many_rounds_follows_the_law_of_both_worlds(opened):
    """The match of 3,000 rounds with 39 values each: normal around 1 and 0, by the same inequality at 1e-6."""
    seen, level = opened("welcome"), 3
    worlds = made("welcome")._table.levels[level].worlds
    found = ask(seen, "game.seed(4); game.setLevel(argument); return Array.from({length: 3000}, () => game.deal()).map(({world, left}) => [world, ...left]);", level)
    world, left = np.array(found)[:, 0], np.array(found)[:, 1:]
    anna = worlds.means[0]
    match = left @ anna / (anna @ anna)
    for side in (0, 1):
        part = match[world == side]
        law = stats.norm(1 - side, worlds.scales[0] / np.linalg.norm(anna))
        assert stats.kstest(part, law.cdf).statistic < np.sqrt(np.log(2 / MILLIONTH) / (2 * part.size))


def said(seen):
    return seen.game.locator(".g-said").text_content()


def test_the_best_score_is_told_when_the_rounds_are_over_and_wrong_strategies_are_named(opened):
    seen = opened("one_number")
    best = seen.game.locator('[data-out="best"]')
    for k in range(10):
        assert best.text_content() == "after the rounds" and "of 100" not in said(seen)
        ask(seen, "game.publish(); game.bet(0);")
        assert ("You always bet “in”" in said(seen)) == (k == 9)
    assert "The best possible attacker is right in 70 of 100" in said(seen) and "50 of 100, whatever is published" in said(seen)
    assert best.text_content() == "70 of 100"
    ask(seen, "game.again();")
    for _ in range(10):
        ask(seen, "game.publish(); game.bet(game.state.round.world);")
    assert "You were right 10 of 10 times" in said(seen) and "That was luck: even the best attacker gets 10 or more in only 3 of 100 tries" in said(seen)


def test_the_score_picture_puts_every_share_on_its_place_and_tells_whose_rounds_they_are(opened):
    """None right of two is at 0 on an axis with numbers; the attacker's rounds look another way, and no line goes past an open level."""
    seen = opened("all_the_others")
    ask(seen, "game.reach(\"dial\");")
    assert {"0", "50", "100"} <= set(seen.game.locator('[data-part="scores"] text').all_text_contents())
    for level in (0, 2):
        ask(seen, f"game.setLevel({level}); for (const k of [1, 2]) {{ game.publish(); game.bet(1 - game.state.round.world); }} game.rest();")
    assert seen.game.locator(".g-pips .g-wrong:not(.g-theirs)").count() == 2 and seen.game.locator(".g-pips .g-theirs").count() == 8
    places = seen.game.locator('[data-part="scores"]').evaluate("""(svg) => ({
        zero: Number([...svg.querySelectorAll("text")].find((one) => one.textContent === "0").getAttribute("y")) - 4,
        yours: [...svg.querySelectorAll("path")].filter((one) => one.getAttribute("d").endsWith("z")).map((one) => one.getBBox()).map((box) => box.y + box.height / 2),
        lines: [...svg.querySelectorAll("path")].filter((one) => !one.getAttribute("d").endsWith("z")).length})""")
    assert np.allclose(places["yours"], 2 * [places["zero"]], atol=0.1) and places["lines"] == 0
    ask(seen, "game.setLevel(1); game.rest();")
    assert seen.game.locator('[data-part="scores"] path:not([d$="z"])').count() == 2
    assert seen.complaints == []


def test_the_button_and_the_message_call_the_player_by_name(opened):
    seen = opened("two_rewards")
    assert seen.game.locator('[data-part="rest"]').text_content() == "Let the best learner play the rest"
    ask(seen, "game.publish(); game.bet(0); game.rest();")
    assert "The best learner played 9 rounds for you" in said(seen) and "In the long run that learner is right in" in said(seen)
    assert "attacker" not in seen.game.text_content()


def test_it_is_played_by_keyboard_alone_and_says_what_it_shows(opened):
    seen = opened("welcome", motion="no-preference")
    keyboard = seen.page.keyboard
    focused = "() => document.activeElement.dataset.do ?? document.activeElement.dataset.bet ?? document.activeElement.dataset.part"
    seen.page.locator("h1").click()
    keyboard.press("Tab")  # how many will you get right?
    assert seen.page.evaluate(focused) == "expect"
    keyboard.press("End")
    assert seen.game.locator('[data-out="expect"]').text_content() == "10 of 10"
    keyboard.press("Tab")
    assert seen.page.evaluate(focused) == "subtract"
    keyboard.press("Enter")
    right = 0
    for k in range(10):
        if seen.page.evaluate(focused) != "publish":
            keyboard.press("Tab")
        assert seen.page.evaluate(focused) == "publish"
        keyboard.press("Enter")
        words = said(seen)
        assert f"Round {k + 1} of 10." in words and "percent of the difference" in words  # what the picture shows, in words
        inside = float(words.split("What is left holds ")[1].split(" percent")[0].replace("−", "-")) > 50
        keyboard.press("Tab")
        assert seen.page.evaluate(focused) == "0"
        outline = seen.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        if not inside:
            keyboard.press("Tab")
        keyboard.press("Space")
        right += said(seen).startswith("Right.")
    assert right == 10, "exact tables are read off"
    assert "you expected 10" in said(seen) and "right in 100 of 100" in said(seen)
    keyboard.press("Enter")  # now with noise
    dial = seen.game.locator('[data-part="dial"]')
    dial.wait_for()
    assert dial.get_attribute("aria-valuetext") == "noise of 1.3 patients"
    dial.focus()
    keyboard.press("End")
    assert dial.get_attribute("aria-valuetext") == "noise of 192 patients"
    seen.game.locator('[data-part="publish"]').focus()
    for key in ("p", "2"):
        keyboard.press(key)
    assert "round 1" in seen.game.locator(".g-pips").text_content() and said(seen).split(".")[0] in ("Right", "Wrong")
    seen.game.locator("summary").focus()
    keyboard.press("Enter")
    seen.game.locator("tbody tr").first.wait_for()
    assert seen.game.locator("tbody tr").count() == 39
    assert seen.complaints == []


def test_values_have_names_at_the_axis_in_the_key_and_in_the_table(opened):
    """Treatments are called strong and gentle, and the key says whose they are."""
    seen = opened("all_the_others")
    ask(seen, "game.seed(3); game.publish();")
    assert "your treatment" in seen.game.locator('[data-part="keys-published"]').inner_text()
    drawn = seen.game.locator('[data-part="published"] text').all_text_contents()
    assert {"strong", "gentle"} <= set(drawn) and not {"1", "−1"} & set(drawn)
    seen.game.locator('[data-part="table"] summary').click()
    seen.game.locator('[data-part="rows"] td').first.wait_for()
    cells = seen.game.locator('[data-part="rows"] td').all_text_contents()
    assert len(cells) == 12 and len(set(cells) & {"strong", "gentle"}) == len(set(cells)) == 1     # exact sums repeat the secret
    words = seen.game.locator(".g-spoken").all_text_contents()
    assert any("Your treatment: strong" in each for each in words)


def test_rounds_pile_up_and_names_come_last(opened):
    seen = opened("lines")
    ask(seen, 'game.reach("piles");')
    assert "ε" not in seen.game.locator('[data-part="piles-stage"]').inner_text()
    seen.game.get_by_role("button", name="Play 1 round").click()
    assert seen.game.locator('[data-part="heap"] circle').count() == 1
    for _ in range(10):
        seen.game.get_by_role("button", name="Play 500").click()
    assert seen.game.locator('[data-out="rounds"]').text_content() == "5,001"
    ceiling = made("lines")._table.levels[0].ceiling
    low, high = limits(ceiling, 5_001)
    right = seen.game.locator('[data-out="right"]').text_content()
    assert low / 50.01 - 1 <= float(right.split(" ")[0]) <= high / 50.01 + 1
    line = seen.game.locator('[data-part="line"]')
    before = seen.game.locator('[data-part="roc"] circle').get_attribute("cx")
    line.focus()
    for _ in range(20):
        seen.page.keyboard.press("ArrowRight")
    assert seen.game.locator('[data-part="roc"] circle').get_attribute("cx") != before
    assert "times as high as out in the long run" in seen.game.locator('[data-out="ratio"]').text_content()
    seen.game.get_by_role("button", name="How much higher").click()
    naming = seen.game.locator('[data-out="naming"]')
    assert "stick" in naming.text_content() and "δ" not in naming.text_content()
    seen.game.get_by_role("button", name="Give it a name").click()
    assert "ε" in naming.text_content()
    # wherever the slider stands, δ is the core's
    names_agree_with_the_core(seen, "lines")


def names_agree_with_the_core(seen, name):
    naming = seen.game.locator('[data-out="naming"]')
    worlds, factor = made(name)._table.levels[0].worlds, seen.game.locator('[data-part="factor"]')
    for stop in (0, 8, 30):
        factor.fill(str(stop))
        words = naming.text_content().replace("\N{NO-BREAK SPACE}", " ")
        epsilon, delta = (float(words.split(f"{name} = ")[1].split(" ")[0].rstrip(":")) for name in "εδ")
        assert delta == pytest.approx(float(worlds.delta(epsilon)), rel=0.06, abs=5e-4)
    assert seen.complaints == []


def test_where_heaps_are_the_whole_game_there_is_no_line_and_one_begins_at_its_own_height(opened):
    seen = opened("piles")
    def part(name):
        return seen.game.locator(f"""[data-part="{name}"]""")

    assert not any(part(name).is_visible() for name in ("line", "cutting", "ratio", "trade", "table", "sticking", "name"))
    seen.game.get_by_role("button", name="Play 500").click()
    assert not any(part(name).is_visible() for name in ("line", "cutting", "ratio", "trade", "table"))
    naming, worlds = part("naming"), made("piles")._table.levels[0].worlds
    share = float(naming.text_content().replace("\N{NO-BREAK SPACE}", " ").split(" in 100")[0].split(" ")[-1])
    assert share == pytest.approx(100 * float(worlds.delta(0.0)), rel=0.005) and "δ" not in naming.text_content()
    part("factor").fill("100")
    assert "next to nothing" in naming.text_content() and "Make it higher" not in naming.text_content()
    seen.game.get_by_role("button", name="Give it a name").click()
    names_agree_with_the_core(seen, "piles")


PLACES = """view => [...view.querySelectorAll("button, input, svg[data-part], canvas, .g-said, .g-score, .g-guarantee")]
    .filter(one => one.checkVisibility()).map(one => { const { x, y, width, height } = one.getBoundingClientRect(); return [one.dataset.part ?? one.className, x, y + scrollY, width, height].join(); })"""


@pytest.mark.parametrize("width", [900, 380])
@pytest.mark.parametrize("name", ["welcome", "one_number", "width"])
def test_nothing_shifts_while_a_round_is_played_and_nothing_is_too_wide(opened, name, width):
    seen = opened(name, width=width)
    if name == "welcome":
        ask(seen, "game.subtract();")
    before = seen.game.evaluate(PLACES)
    for k in range(made(name)._table.rounds):
        ask(seen, "game.publish();")
        assert seen.game.evaluate(PLACES) == before, f"published, round {k + 1}"
        ask(seen, "game.bet(1);")
        assert seen.game.evaluate(PLACES) == before, f"told, round {k + 1}"
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", games.GAMES)
def test_it_fits_a_telephone(opened, name):
    seen = opened(name, width=380)
    everything(seen)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 380
    over = seen.game.evaluate("""view => [...view.querySelectorAll("*")].filter(one => one.checkVisibility() && !one.closest("details, .g-spoken, clipPath")
        && !one.matches("g") && one.getBoundingClientRect().right > 381).map(one => one.outerHTML.slice(0, 100))""")
    assert over == []


def everything(seen):
    """A game in which each part is to be seen."""
    ask(seen, """if (view.querySelector("[data-do=subtract]")) game.subtract();
        if (view.querySelector("[data-bet]")) { game.publish(); game.bet(0); game.publish(); game.rest(); }
        for (const stage of ["dial", "piles"]) if (view.querySelector(`[data-part="${stage}-stage"]`)) game.reach(stage);
        if (view.querySelector("[data-do=name]")) { game.pile(300); const name = view.querySelector("[data-do=name]"); name.click(); if (!name.hidden) name.click(); }
        for (const fold of view.querySelectorAll("details")) fold.open = true;""")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", games.GAMES)
def test_nothing_keeps_anybody_out(opened, name, theme):
    seen = opened(name, theme=theme)
    seen.page.evaluate(AXE)
    for _ in range(2):
        looked_at, found = seen.page.evaluate(KEPT_OUT, ["", {"preload": False}])
        assert looked_at and found == []
        everything(seen)


def test_a_still_picture_takes_its_place_on_paper_and_without_scripts(opened, visit, tmp_path):
    seen = opened("welcome", "width")
    stills = seen.page.locator(".game-still")
    assert seen.game.is_visible() and not stills.first.is_visible()
    seen.page.emulate_media(media="print")
    assert not seen.game.is_visible() and all(still.is_visible() for still in stills.all())
    without = visit((tmp_path / "page.html").as_uri(), scripts=False).page.locator(".game-still")
    assert without.count() == 2 and all(still.is_visible() for still in without.all())
    assert json.dumps(made("welcome").specification)
