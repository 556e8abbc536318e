"""Games that the browser keeps: of this tab and another one, with no room for them, with clocks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from loopline.game import parse_turn

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.browser.conftest import Serving
    from tests.web.browser.table import Table

pytestmark = pytest.mark.xdist_group("browser")

SitDown = Callable[..., "Table"]


def begun(table: Table, *turns: str, **fields: str) -> None:
    """Begin a game of two people with these turns."""
    table.open("#standard:")
    table.new_game(red="you", **fields)
    for count, turn in enumerate(turns, 1):
        table.play(turn)
        table.wait_for_turns(count)
        table.spaces.first.wait_for()


def kept(table: Table) -> list[dict[str, Any]]:
    """The games that were left, the last one first."""
    found: list[dict[str, Any]] = json.loads(
        table.page.evaluate("() => localStorage.getItem('loopline.games') ?? '[]'")
    )
    return found


def test_the_entry_of_the_game_in_play_does_not_undo_its_turns(
    server: Serving, sit_down: SitDown
) -> None:
    table = sit_down(server.address)
    begun(table, "@0/", "B1+")
    table.new_game(red="you")
    table.page.wait_for_selector("#history li", state="detached")
    entry = table.page.get_by_role("button", name="2 turns", exact=False).first
    table.page.get_by_role("button", name="Games").click()
    entry.click()
    table.wait_for_turns(2)
    table.spaces.first.wait_for()
    table.play("C1+")
    table.wait_for_turns(3)
    table.page.get_by_role("button", name="Games").click()
    entry.click()
    table.page.locator("#games-dialog").wait_for(state="hidden")
    assert table.turns() == ["@0/", "B1+", "C1+"]


def test_a_game_that_another_tab_went_on_with_is_kept(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    begun(table, "@0/", "B1+")
    # As another tab leaves them.
    longer = """() => {
        const game = JSON.parse(sessionStorage.getItem('loopline.current'));
        const turns = [...game.turns, game.turns[1]];
        localStorage.setItem('loopline.games', JSON.stringify([{ ...game, turns }]));
    }"""
    table.page.evaluate(longer)
    table.new_game(red="you")
    table.page.wait_for_selector("#history li", state="detached")
    assert [len(game["turns"]) for game in kept(table)] == [3]
    # The list on the screen is older than what the other tab keeps now.
    table.page.get_by_role("button", name="Games").click()
    table.page.evaluate("""() => {
        const [game] = JSON.parse(localStorage.getItem('loopline.games'));
        const games = [{ ...game, id: 'another' }, game];
        localStorage.setItem('loopline.games', JSON.stringify(games));
    }""")
    table.page.get_by_role("button", name="Delete the game").click()
    table.page.wait_for_function("""() =>
        JSON.parse(localStorage.getItem('loopline.games')).length === 1""")
    assert [game["id"] for game in kept(table)] == ["another"]


def test_a_game_that_two_tabs_play_on_becomes_two(server: Serving, sit_down: SitDown) -> None:
    from tests.web.browser.table import Table

    table = sit_down(server.address)
    begun(table, "@0/", "B1+")
    other = Table(table.page.context.new_page(), server.address)
    other.open()
    for tab, turn in ((table, "C1+"), (other, "A0\\")):
        tab.wait_for_turns(2)
        tab.spaces.first.wait_for()
        tab.play(turn)
        tab.wait_for_turns(3)
        tab.spaces.first.wait_for()
    table.new_game(red="you")
    table.page.wait_for_selector("#history li", state="detached")
    # What the other tab has kept can be opened, though it is of the same game.
    other.page.get_by_role("button", name="Games").click()
    other.page.locator("#games li button").first.click()
    other.page.wait_for_selector('#history button:text-is("C1+")')
    other.spaces.first.wait_for()
    assert [game["turns"][2]["row"] for game in kept(table)] == [0, 1]
    # One tab may take turns back: that is no other game.
    other.page.get_by_role("button", name="Take back").click()
    other.page.wait_for_selector('#board[aria-label*="last turn B1+"]')
    taken = ("C1+", "A0\\")
    turn = next(str(turn) for turn in other.position().legal_turns() if str(turn) not in taken)
    other.play(turn)
    other.wait_for_turns(3)
    other.new_game(red="you")
    other.page.wait_for_selector("#history li", state="detached")
    assert len(kept(table)) == 2
    assert other.errors == []


def test_a_browser_without_room_makes_room_or_says_so(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    begun(table, "@0/", "B1+")
    table.new_game(red="you")
    table.play("@0+")
    table.wait_for_turns(1)
    table.spaces.first.wait_for()
    table.play("B1+")
    table.wait_for_turns(2)
    table.spaces.first.wait_for()
    full = """(room) => {
        const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (name, text) {
            if (name === 'loopline.games' && JSON.parse(text).length > room) {
                throw new DOMException('full', 'QuotaExceededError');
            }
            set.call(this, name, text);
        };
    }"""
    table.page.evaluate(full, 1)
    table.new_game(red="you")
    table.page.wait_for_selector("#history li", state="detached")
    # The oldest one has made room.
    assert [game["turns"][0]["shape"] for game in kept(table)] == [0]
    table.play("@0/")
    table.wait_for_turns(1)
    table.spaces.first.wait_for()
    table.play("B1+")
    table.wait_for_turns(2)
    table.spaces.first.wait_for()
    table.page.evaluate(full, 0)
    table.new_game(red="you")
    table.status.filter(has_text="The browser has no room for the last game").wait_for()


def test_the_focus_stays_in_the_list_when_games_are_deleted(
    server: Serving, sit_down: SitDown
) -> None:
    from playwright.sync_api import expect

    table = sit_down(server.address)
    page = table.page
    table.open("#standard:@0/,B1+")
    table.spaces.first.wait_for()
    page.evaluate("""() => {
        const game = JSON.parse(localStorage.getItem('loopline.current'));
        const games = ['a', 'b', 'c'].map((id) => ({ ...game, id }));
        localStorage.setItem('loopline.games', JSON.stringify(games));
    }""")
    page.get_by_role("button", name="Games").click()
    delete = page.get_by_role("button", name="Delete the game")
    delete.nth(1).focus()
    for count, at in ((2, 1), (1, 0)):
        page.keyboard.press("Enter")
        expect(delete).to_have_count(count)
        expect(delete.nth(at)).to_be_focused()
    page.keyboard.press("Enter")
    expect(delete).to_have_count(0)
    expect(page.get_by_role("button", name="Close")).to_be_focused()


def test_a_reload_gives_no_time_back(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.page.clock.install()
    begun(table, "@0/", "B1+", clock="3 min + 2 s")
    table.page.clock.run_for(60_000)
    table.page.reload()
    table.spaces.first.wait_for()
    assert table.page.locator("#player-white time").inner_text().startswith(("1:5", "2:0"))


def test_a_tab_that_is_closed_keeps_its_game(server: Serving, sit_down: SitDown) -> None:
    """A new tab goes on with the game that was played last, and the other one is among those that
    were left, with all its turns."""
    from tests.web.browser.table import Table

    table = sit_down(server.address)
    begun(table, "@0/", "B1+")
    other = Table(table.page.context.new_page(), server.address)
    begun(other, "@0+", "B1/", "C1+")
    for tab, turn, count in ((table, "C1+", 3), (other, "D1+", 4)):
        tab.play(turn)
        tab.wait_for_turns(count)
        tab.spaces.first.wait_for()
    for tab in (table, other):
        with tab.page.expect_event("close"):
            tab.page.close(run_before_unload=True)
    new = Table(table.page.context.new_page(), server.address)
    new.open()
    new.wait_for_turns(4)
    assert [len(game["turns"]) for game in kept(new)] == [3]
    new.page.get_by_role("button", name="Games").click()
    new.page.locator("#games li button").first.click()
    new.wait_for_turns(3)
    assert new.turns() == ["@0/", "B1+", "C1+"]
    # A reload adds none.
    new.page.reload()
    new.wait_for_turns(3)
    assert [len(game["turns"]) for game in kept(new)] == [4, 3]


def test_a_clock_runs_for_its_tab_alone(server: Serving, sit_down: SitDown) -> None:
    """The last game that was begun or played on is a new tab's, not one whose clock runs."""
    table = sit_down(server.address)
    table.page.clock.install()
    begun(table, "@0/", "B1+", clock="3 min + 2 s")
    other: Page = table.page.context.new_page()
    other.goto(server.address + "#standard:@0+")
    other.wait_for_selector("#board .space")
    table.page.clock.run_for(10_000)
    new: Page = table.page.context.new_page()
    table.page.close()
    new.goto(server.address)
    new.wait_for_selector("#board .space")
    assert new.locator("#history button").all_inner_texts() == ["@0+"]
    assert new.locator("#player-white time").is_hidden()


def test_a_space_is_chosen_in_the_position_that_is_shown(
    server: Serving, sit_down: SitDown
) -> None:
    """Enter is hit again before the device has answered the turn that it made."""
    table = sit_down(server.address)
    begun(table, "@0/")
    turn = parse_turn("B1+")
    table.choose(str(turn))
    table.space(turn).focus()
    enter = "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })"
    # In one step, as from a slow device's page.
    table.page.evaluate(f"""() => {{
        const space = document.activeElement;
        for (let i = 0; i < 3; ++i) space.dispatchEvent({enter});
    }}""")
    table.wait_for_turns(2)
    table.spaces.first.wait_for()
    assert table.turns() == ["@0/", "B1+"]
    assert table.page.locator("#play").is_hidden()
    assert table.errors == []


def test_a_record_gets_no_tags_that_it_does_not_have(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    page = table.page
    table.open("#standard:@0/")
    table.spaces.first.wait_for()
    page.get_by_role("button", name="Games").click()
    page.locator("#record").fill("1. @0+ 2. B1+ *")
    page.get_by_role("button", name="Read").click()
    table.status.filter(has_text="After turn 0 of 2").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download", exact=True).click()
    tags = '[Variant "standard"]\n[Result "*"]\n'
    assert download.value.path().read_text() == f"{tags}\n1. @0+ 2. B1+ *\n"
