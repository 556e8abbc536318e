"""The controls around the board, against an engine behind a WebSocket."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from loopline.game import Colour
from loopline.game.threats import attacks
from tests.web.node import PAGE

if TYPE_CHECKING:
    from tests.web.browser.conftest import Serving
    from tests.web.browser.table import Table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

SitDown = Callable[..., "Table"]


def test_take_back_swap_and_resign(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:")
    table.new_game(red="server:engine", amount="10", unit="nodes", clock="10 min")
    table.play("@0/")
    table.wait_for_turns(2)
    clocks = table.page.locator("#players time")
    assert all(re.fullmatch(r"9:\d\d|10:00", text) for text in clocks.all_inner_texts())
    table.spaces.first.wait_for()
    table.page.get_by_role("button", name="Take back").click()
    table.page.wait_for_selector("#history li", state="detached")
    table.play("@0+")
    table.wait_for_turns(2)
    table.spaces.first.wait_for()
    # Now the engine is White, who is to move.
    table.page.get_by_role("button", name="Swap sides").click()
    table.wait_for_turns(3)
    names = table.page.locator("#players .name").all_inner_texts()
    assert names == ["engine, 10 nodes", "You"]
    table.spaces.first.wait_for()
    table.page.get_by_role("button", name="Resign").click()
    table.status.filter(has_text="White wins as Red has resigned.").wait_for()
    assert not table.spaces.count()
    # The end is kept when the page is reloaded, and when an address with another game is opened.
    table.page.reload()
    table.status.filter(has_text="White wins as Red has resigned.").wait_for()
    table.page.goto(f"{server.address}?again#standard:@0/")
    table.wait_for_turns(1)
    table.page.get_by_role("button", name="Games").click()
    table.page.get_by_role("button", name="3 turns · White wins as Red").click()
    table.wait_for_turns(3)
    table.page.get_by_role("button", name="Rematch").click()
    table.spaces.first.wait_for()
    assert table.page.locator("#players .name").all_inner_texts() == ["You", "engine, 10 nodes"]


def test_the_end_takes_no_focus_and_leaves_the_players(server: Serving, sit_down: SitDown) -> None:
    from playwright.sync_api import expect

    table = sit_down(server.address)
    page = table.page
    table.open("#standard:@0/")
    table.new_game(red="server:engine", amount="10", unit="nodes")
    table.play("@0/")
    table.wait_for_turns(2)
    table.spaces.first.wait_for()
    swap = page.get_by_role("button", name="Swap sides")
    assert swap.is_visible()
    page.get_by_role("button", name="Resign").focus()
    page.keyboard.press("Enter")
    table.status.filter(has_text="Red wins as White has resigned.").wait_for()
    expect(page.locator("#board")).to_be_focused()
    # Who has played does not change any more, also if an earlier turn is looked at.
    expect(swap).to_be_hidden()
    page.get_by_role("button", name="One turn back").click()
    table.status.filter(has_text="After turn 1 of 2").wait_for()
    expect(swap).to_be_hidden()
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="Take back").click()
    table.spaces.first.wait_for()
    expect(swap).to_be_visible()


def test_a_game_goes_on_after_the_time_is_over(server: Serving, sit_down: SitDown) -> None:
    """From the last turn, or from an earlier one as another game."""
    table = sit_down(server.address)
    page = table.page
    page.clock.install()
    table.open("#standard:")
    table.new_game(red="you", clock="3 min + 2 s")
    for count, turn in enumerate(("@0/", "B1+"), 1):
        table.play(turn)
        table.wait_for_turns(count)
        table.spaces.first.wait_for()
    over = table.status.filter(has_text="Red wins as White's time is over.")
    page.clock.fast_forward("04:00")
    over.wait_for()
    page.get_by_role("button", name="Take back").click()
    table.status.filter(has_text="White to move.").wait_for()
    assert table.turns() == ["@0/", "B1+"]
    assert re.fullmatch(r"3:00|2:5\d", page.locator("#player-white time").inner_text())
    page.clock.fast_forward("04:00")
    over.wait_for()
    page.get_by_role("button", name="One turn back").click()
    table.status.filter(has_text="After turn 1 of 2").wait_for()
    table.play("A0\\")
    table.status.filter(has_text="White to move.").wait_for()
    page.clock.run_for(1000)
    assert table.status.inner_text() == "White to move."


def test_a_long_search_can_be_ended_and_a_watched_game_paused(
    server: Serving, sit_down: SitDown
) -> None:
    table = sit_down(server.address)
    page = table.page
    table.open("#standard:")
    table.new_game(white="server:engine", red="server:engine", amount="1000", unit="seconds")
    for count in (1, 2):
        page.get_by_role("button", name="Move now").click()
        table.wait_for_turns(count)
    page.get_by_role("button", name="Pause").click()
    table.status.filter(has_text="paused").wait_for()
    assert len(table.turns()) == 2
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Move now").click()
    table.wait_for_turns(3)
    # A game that was left is among the games, and goes on from there.
    table.new_game(white="you", red="you", variant="limited-N", size="3")
    table.spaces.first.wait_for()
    page.get_by_role("button", name="Games").click()
    page.get_by_role("button", name="standard · 3 turns").first.click()
    table.wait_for_turns(3)


def test_the_position_of_a_puzzle_stays(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    page = table.page
    table.open("#standard:")
    page.get_by_role("button", name="Puzzles").click()
    page.get_by_role("button", name="Next puzzle").click()
    table.status.filter(has_text="win in 2 turns of your own").wait_for()
    table.spaces.first.wait_for()
    turns = table.turns()
    page.get_by_role("button", name="Take back").click()
    table.status.filter(has_text="There is no turn of yours to take back.").wait_for()
    assert table.turns() == turns
    assert not page.get_by_role("button", name="Swap sides").is_visible()
    table.play(next(str(turn) for turn in table.position().legal_turns()))
    table.wait_for_turns(len(turns) + 2)
    table.spaces.first.wait_for()
    page.get_by_role("button", name="Take back").click()
    table.status.filter(has_text="win in 2 turns of your own").wait_for()
    assert table.turns() == turns


def test_a_size_that_is_not_used_may_be_wrong(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:@0/")
    table.new_game(variant="limited-N", size="100")
    dialog = table.page.locator("#new-dialog")
    assert dialog.is_visible()
    table.page.locator("#new-variant").select_option("standard")
    table.page.get_by_role("button", name="Start").click()
    dialog.wait_for(state="hidden")


def test_the_area_of_a_variant_is_the_devices(server: Serving, sit_down: SitDown) -> None:
    """In an area of one row and column no second tile is legal: a draw."""
    table = sit_down(server.address)
    table.open("#limited-1:@0/")
    table.status.filter(has_text="Drawn: no legal turn is left.").wait_for()
    table.open("#limited-2:@0/,B1+", guided=False)
    table.spaces.first.wait_for()
    labels = [each.get_attribute("aria-label") or "" for each in table.spaces.all()]
    assert labels
    assert not any(label.startswith(("@1", "C1")) for label in labels)


def test_an_illegal_address_is_shown_up_to_its_error(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:@0/,B1+,B1+,A0/")
    table.status.filter(has_text="Turn 3, B1+, is not legal").wait_for()
    assert table.turns() == ["@0/", "B1+"]


def test_threats_of_both_players_are_marked_and_named(server: Serving, sit_down: SitDown) -> None:
    """They are those of the rules, whichever player is to move."""
    from tests.web.browser.table import hash_of

    table = sit_down(server.address)
    table.open(hash_of("@0+ B1+ A0/ B0+ C3\\ A1+ A0/ D4/ @4\\ A5/ A6\\".split()))
    table.spaces.first.wait_for()
    targets = table.page.locator("#board .target")
    assert not targets.count()
    table.page.get_by_label("Show threats").check()
    targets.first.wait_for()
    position = table.position()
    winning = {
        colour: {turn for attack in attacks(position, colour) for turn in attack.turns}
        for colour in Colour
    }
    assert all(winning.values())
    spaces = {colour: {str(turn)[:-1] for turn in winning[colour]} for colour in Colour}
    assert spaces[Colour.WHITE] & spaces[Colour.RED]
    assert targets.count() == len(spaces[Colour.WHITE] | spaces[Colour.RED])
    text = table.page.locator("#threats-text").inner_text()
    assert re.fullmatch(r"White attacks, to win by a .*\. Red attacks, to win by a .*\.", text)
    labels = [each.get_attribute("aria-label") or "" for each in table.spaces.all()]
    for colour, said in zip(Colour, text.split(". "), strict=True):
        assert set(re.findall(r"[@A-Z]\d[+/\\]", said)) == {str(turn) for turn in winning[colour]}
        named = [label for label in labels if re.search(f"{colour.name.title()}.* can win", label)]
        assert {label.partition(",")[0] for label in named} == spaces[colour]
    table.page.keyboard.press("T")
    targets.first.wait_for(state="detached")
    assert not table.page.locator("#threats").is_checked()
    assert not table.page.locator("#threats-text").inner_text()


def test_threats_are_shown_while_a_device_searches(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:")
    table.page.keyboard.press("t")
    table.page.locator("#threats-text").filter(has_text="Neither player has a threat.").wait_for()
    table.new_game(red="server:engine", amount="1000", unit="seconds")
    table.play("@0/")
    table.status.filter(has_text="Red is thinking").wait_for()
    table.page.locator("#threats-text").filter(has_text="Neither player has a threat.").wait_for()


def test_the_choice_of_a_tile_hides_no_space(server: Serving, sit_down: SitDown) -> None:
    from tests.web.browser.table import hash_of

    table = sit_down(server.address)
    table.open(hash_of(["@0/", *(f"A{row}+" for row in range(2, 16))]))
    table.spaces.first.wait_for()
    table.spaces.last.click()
    chooser = table.page.locator("#chooser")
    chooser.wait_for()
    assert lowest(table) <= chooser.evaluate("chooser => chooser.getBoundingClientRect().top")


def lowest(table: Table) -> float:
    """Return where the lowest space ends, in pixels. All are measured before the next redraw."""
    return table.spaces.evaluate_all(
        "spaces => Math.max(...spaces.map((space) => space.getBoundingClientRect().bottom))"
    )


@pytest.mark.parametrize(("width", "height"), [(780, 360), (568, 320)])
def test_a_phone_on_its_side_has_the_board_beside_the_rest(
    server: Serving, sit_down: SitDown, width: int, height: int
) -> None:
    table = sit_down(server.address, viewport={"width": width, "height": height}, has_touch=True)
    table.open("#standard:@0/,@1~")
    table.spaces.first.wait_for()
    board = table.page.locator("#board").bounding_box()
    panel = table.page.locator("aside").bounding_box()
    assert board
    assert panel
    assert board["x"] + board["width"] <= panel["x"]
    assert board["height"] >= height / 2
    table.choose("A0/")
    table.page.locator("#preview-text:text-matches('wins')").wait_for()
    chooser = table.page.locator("#chooser").bounding_box()
    assert chooser
    for button in table.page.locator("#chooser button").all():
        box = button.bounding_box()
        assert box
        assert chooser["x"] <= box["x"]
        assert box["x"] + box["width"] <= chooser["x"] + chooser["width"] <= width
    assert lowest(table) <= chooser["y"]
    assert table.violations() == []


def test_pan_and_zoom(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    page = table.page
    table.open("#standard:@0/,B1+")
    table.spaces.first.wait_for()
    board = page.locator("#board")

    def box() -> list[float]:
        return [float(word) for word in (board.get_attribute("viewBox") or "").split()]

    whole = box()
    place = board.bounding_box()
    assert place
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -100)
    page.wait_for_timeout(100)
    near = box()
    assert near[2] < whole[2]
    page.mouse.down()
    page.mouse.move(x + 120, y + 60, steps=4)
    page.mouse.up()
    moved = box()
    assert moved[2] == pytest.approx(near[2])
    assert moved[0] < near[0]
    assert moved[1] < near[1]
    # A drag chooses nothing, and a wheel that turns sideways does not zoom.
    page.mouse.wheel(100, 0)
    page.wait_for_timeout(100)
    assert box() == moved
    assert not page.locator("#chooser").is_visible()
    page.get_by_role("button", name="Show the whole board").click()
    assert box() == pytest.approx(whole)


def test_records_are_read_once_and_not_behind_a_closed_dialog(
    server: Serving, sit_down: SitDown
) -> None:
    table = sit_down(server.address)
    page = table.page
    table.open("#standard:@0/")
    table.spaces.first.wait_for()
    page.get_by_role("button", name="Games").click()
    page.locator("#record").fill("@0+ B1+ A0/\n@0+ A2+\n")
    page.evaluate("() => { for (const _ of 'ab') document.querySelector('#read').click(); }")
    table.status.filter(has_text="After turn 0 of 3").wait_for()
    page.get_by_role("button", name="Games").click()
    games = page.locator("#games li button:first-child")
    assert [text.partition(" · ")[2] for text in games.all_inner_texts()] == ["standard · 2 turns"]
    page.locator("#record").fill("@0+ B1+ A2/\n@0+ A2+ A3+\n")
    page.evaluate("() => { document.querySelector('#read').click(); }")
    page.evaluate("() => { document.querySelector('#games-dialog').close(); }")
    page.get_by_role("button", name="To the end").click()
    table.status.filter(has_text="Red to move.").wait_for()
    page.wait_for_timeout(2000)
    assert table.turns() == ["@0+", "B1+", "A0/"]


def test_a_record_is_saved_with_its_tags_and_comments(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    page = table.page
    table.open("#standard:@0/")
    table.spaces.first.wait_for()
    tags = '[White "A"]\n[Red "B"]\n[Date "1998"]\n[Variant "standard"]\n[Event "E"]\n'
    text = f'{tags}[Result "*"]\n\n1. @0+ 2. B1+\n# well\n*\n'
    page.get_by_role("button", name="Games").click()
    page.locator("#record").fill(text)
    page.get_by_role("button", name="Read").click()
    table.status.filter(has_text="After turn 0 of 2").wait_for()

    def saved() -> str:
        with page.expect_download() as download:
            page.get_by_role("button", name="Download", exact=True).click()
        return download.value.path().read_text()

    assert saved() == text
    # Another game of others begins when a turn is made.
    page.get_by_role("button", name="To the end").click()
    table.play("A0/")
    table.wait_for_turns(3)
    assert "Event" not in saved()
    assert "2. B1+\n# well\n3. A0/" in saved()


def test_a_turn_of_a_device_is_announced(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:")
    table.new_game(red="server:engine", amount="10", unit="nodes")
    table.play("@0/")
    table.wait_for_turns(2)
    turn = table.turns()[1]
    table.status.filter(has_text=f"Red has played {turn}. White to move.").wait_for()


def test_letter_keys_can_be_switched_off(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    page = table.page
    table.open("#standard:@0/,B1+")
    table.spaces.first.wait_for()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Keys U, T and F").uncheck()
    page.get_by_role("button", name="Close").click()
    table.spaces.first.wait_for()
    page.keyboard.press("t")
    page.keyboard.press("u")
    page.keyboard.press("PageUp")
    table.status.filter(has_text="After turn 1 of 2").wait_for()
    assert not page.locator("#threats").is_checked()
    page.reload()
    table.spaces.first.wait_for()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Keys U, T and F").check()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("t")
    page.locator("#threats:checked").wait_for()


def test_a_board_does_not_stick_to_the_mouse(server: Serving, sit_down: SitDown) -> None:
    """The button is released outside of the page's board, where it hears nothing of it."""
    table = sit_down(server.address)
    page = table.page
    table.open("#standard:@0/,B1+")
    table.spaces.first.wait_for()
    board = page.locator("#board")
    place = board.bounding_box()
    panel = page.locator("#status").bounding_box()
    assert place
    assert panel
    whole = board.get_attribute("viewBox")
    page.mouse.move(place["x"] + 40, place["y"] + 40)
    page.mouse.down()
    page.mouse.move(panel["x"] + 5, panel["y"] + 5)
    page.mouse.up()
    page.mouse.move(place["x"] + 150, place["y"] + 150, steps=4)
    assert board.get_attribute("viewBox") == whole


def test_the_clock_runs_while_a_player_looks_back(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    page = table.page
    page.clock.install()
    table.open("#standard:")
    table.new_game(red="you", clock="3 min + 2 s")
    for count, turn in enumerate(("@0/", "B1+"), 1):
        table.play(turn)
        table.wait_for_turns(count)
        table.spaces.first.wait_for()
    back = page.get_by_role("button", name="One turn back")
    back.click()
    table.status.filter(has_text="After turn 1 of 2").wait_for()
    page.clock.fast_forward("04:00")
    table.status.filter(has_text="Red wins as White's time is over.").wait_for()
    # No time is lost after the end.
    left = page.locator("#player-red time").inner_text()
    back.click()
    table.status.filter(has_text="After turn 1 of 2").wait_for()
    page.clock.fast_forward("04:00")
    page.clock.run_for(1000)
    assert page.locator("#player-red time").inner_text() == left
    assert table.status.inner_text().startswith("After turn 1 of 2")


def test_a_size_is_needed_and_is_a_number(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:@0/")
    table.new_game(variant="limited-N", size="")
    dialog = table.page.locator("#new-dialog")
    assert dialog.is_visible()
    table.page.locator("#new-size").fill("1e1")
    table.page.get_by_role("button", name="Start").click()
    dialog.wait_for(state="hidden")
    table.spaces.first.wait_for()
    game = table.page.evaluate("() => JSON.parse(localStorage.getItem('loopline.current'))")
    assert game["variant"] == "limited-10"


def test_long_names_have_room_and_a_drag_closes_no_dialog(
    server: Serving, sit_down: SitDown
) -> None:
    table = sit_down(server.address, viewport={"width": 390, "height": 844})
    page = table.page
    table.open("#standard:@0/")
    table.spaces.first.wait_for()
    page.get_by_role("button", name="Games").click()
    game = f'[White "{120 * "W"}"]\n1. @0+ 2. B1+ *\n'
    page.locator("#record").fill(game + game)
    page.get_by_role("button", name="Read").click()
    table.status.filter(has_text="After turn 0 of 2").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="Games").click()
    games = page.locator("#games")
    assert games.evaluate("(list) => list.scrollWidth <= list.clientWidth")
    dialog = page.locator("#games-dialog")
    text = page.locator("#record").bounding_box()
    assert text
    page.mouse.move(text["x"] + 20, text["y"] + 20)
    page.mouse.down()
    page.mouse.move(2, 2)
    page.mouse.up()
    assert dialog.is_visible()
    page.mouse.click(2, 2)
    dialog.wait_for(state="hidden")


def test_a_search_that_fails_is_said(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    module = (PAGE / "device.js").read_text()
    broken = module.replace("    let stop;\n", '    throw new DeviceError("it is broken");\n')
    table.page.route(
        "**/device.js", lambda route: route.fulfill(body=broken, content_type="text/javascript")
    )
    table.open("#standard:")
    table.new_game(red="server:engine")
    table.play("@0/")
    table.status.filter(has_text="it is broken").wait_for(timeout=10_000)
