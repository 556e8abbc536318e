"""Games in a browser, by real clicks, against an engine behind a WebSocket."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from loopline.game import (
    Colour,
    Ending,
    GameRecord,
    Turn,
    format_old_turn,
    parse_turn,
    read_records,
)

if TYPE_CHECKING:
    from tests.web.browser.conftest import Serving
    from tests.web.browser.table import Table

pytestmark = pytest.mark.xdist_group("browser")

SitDown = Callable[..., "Table"]
LINE = "@0/ A2+ B2\\ C2/ A0+ B4\\ @2+ A3/ E3/ @4\\ G3/ @3/ D0+ B6+ F3+ F2/ A7/ F0/".split()
ENGINE = {"red": "server:engine", "amount": "10", "unit": "nodes"}


def any_turn(table: Table) -> Turn:
    """A legal turn by the rules, which are not the page's."""
    return next(iter(table.position().legal_turns()))


def play_to_the_end(table: Table, reload_at: int = -1) -> None:
    """Play White's turns by clicks until the game has ended; the device plays Red's."""
    while not table.is_over():
        count = len(table.turns())
        assert count % 2 == 0
        if count == reload_at:
            table.page.reload()
            table.spaces.first.wait_for()
            assert len(table.turns()) == count
        table.play(str(any_turn(table)))
        table.page.locator("#status", has_text="to move.").or_(
            table.page.locator("#status", has_text="wins")
        ).filter(visible=True).wait_for()
        table.page.wait_for_selector(
            f"#history li:nth-child({count + 2}), #status:text-matches('wins|Drawn')"
        )
        table.page.wait_for_selector(
            "#board .space, #status:text-matches('wins|Drawn')", state="attached"
        )


def check_the_end(table: Table) -> None:
    """The page says the same about the game as the rules."""
    position = table.position()
    result = position.history[-1].result
    assert result is not None
    assert table.status.inner_text().startswith(f"{result.winner.name.title()} wins with a")
    assert table.page.locator("#board .halo").count() == len(
        position.winning_tracks()[result.winner]
    )


def test_a_whole_game_with_a_reload_in_the_middle(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open(guided=False)
    table.page.get_by_role("heading", name="Trax in five pictures").wait_for()
    assert table.page.locator("#guide svg").count() == 5
    table.page.get_by_role("button", name="Play", exact=True).click()
    table.new_game(**ENGINE)
    play_to_the_end(table, reload_at=2)
    check_the_end(table)


def test_a_preview_shows_what_a_turn_forces_and_completes(
    server: Serving, sit_down: SitDown
) -> None:
    from tests.web.browser.table import hash_of

    table = sit_down(server.address)
    table.open(hash_of(LINE))
    table.choose("D8\\")
    preview = table.page.locator("#preview-text")
    assert preview.inner_text() == (
        "D8\\ forces 2 tiles and completes White’s line. White wins with a line."
    )
    ghosts = table.page.locator("#board .ghost .face")
    ghosts.nth(2).wait_for()
    assert ghosts.count() == 3
    table.page.keyboard.press("Escape")
    assert not table.page.locator("#chooser").is_visible()
    assert table.turns() == LINE
    # The same space again and again: its tiles in turn.
    space = table.space(parse_turn("D8+"))
    texts = []
    for _ in range(4):
        space.click()
        texts.append(preview.inner_text().split()[0])
    legal = [str(turn) for turn in table.position().legal_turns()]
    mine = [text for text in legal if text.startswith("D8")]
    assert sorted(set(texts)) == sorted(mine)
    assert texts[0] == texts[len(mine)]
    table.play("D8\\")
    table.page.wait_for_selector("#status:text-matches('wins')")
    check_the_end(table)


def test_a_preview_that_comes_leaves_the_buttons_of_tiles(
    server: Serving, sit_down: SitDown
) -> None:
    """A click would be lost whose button is replaced between pressing and releasing the mouse."""
    from tests.web.browser.table import hash_of

    table = sit_down(server.address)
    table.open(hash_of(LINE))
    table.choose("D8+")
    table.page.evaluate("""() => {
        document.querySelectorAll("#tiles button")[2].click();
        window.button = document.querySelectorAll("#tiles button")[2];
    }""")
    table.page.locator("#board .ghost.forced").nth(1).wait_for()
    assert table.page.evaluate("() => window.button.isConnected")


def test_keys_alone(server: Serving, sit_down: SitDown) -> None:
    """Tab to the board, then arrows, space bar, a tile's sign, Enter."""
    table = sit_down(server.address)
    table.open("#standard:@0/")
    table.spaces.first.wait_for()
    keyboard = table.page.keyboard
    for _ in range(20):
        keyboard.press("Tab")
        if table.page.locator("#board .space:focus").count():
            break
    label = table.page.locator("#board .space:focus").get_attribute("aria-label")
    keyboard.press("ArrowRight")
    keyboard.press("ArrowDown")
    moved = table.page.locator("#board .space:focus").get_attribute("aria-label")
    assert moved
    assert moved != label
    keyboard.press(" ")
    keyboard.press("+")
    keyboard.press("Enter")
    table.wait_for_turns(2)
    assert table.turns() == ["@0/", moved.partition(",")[0] + "+"]
    table.page.wait_for_selector("#board .space:focus")
    keyboard.press("u")
    table.page.wait_for_selector("#history li:nth-child(2)", state="detached")
    keyboard.press("PageUp")
    table.status.filter(has_text="After turn 0 of 1").wait_for()


@pytest.mark.slow
def test_the_focus_stays_where_the_keys_are_used(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:")
    table.new_game(**ENGINE)
    keyboard, find = table.page.keyboard, table.page.locator
    table.spaces.first.focus()
    keyboard.press(" ")
    keyboard.press("Enter")
    # It is back on the board after the device's turn.
    table.wait_for_turns(2)
    find("#board .space:focus").wait_for()
    keyboard.press(" ")
    find("#tiles button:enabled").last.focus()
    keyboard.press("Enter")
    find("#tiles button[aria-pressed=true]:focus").wait_for()
    find("#play").focus()
    keyboard.press("Enter")
    table.wait_for_turns(4)
    find("#board .space:focus").wait_for()
    find("#history button").first.focus()
    keyboard.press("Enter")
    table.status.filter(has_text="After turn 1 of 4").wait_for()
    assert find("#history button[aria-current]:focus").count() == 1


@pytest.mark.slow
def test_records_in_and_out(server: Serving, sit_down: SitDown, tmp_path: Path) -> None:
    from tests.web.browser.table import hash_of

    table = sit_down(server.address, permissions=["clipboard-read", "clipboard-write"])
    table.open(hash_of(LINE))
    table.spaces.first.wait_for()
    with table.page.expect_download() as download:
        table.page.get_by_role("button", name="Download", exact=True).click()
    file = tmp_path / "game.txt"
    download.value.save_as(file)
    record = next(iter(read_records(file.read_text().splitlines(keepends=True))))
    assert isinstance(record, GameRecord)
    assert [str(turn) for turn in record.turns] == LINE
    # The same in the notation before 1998, as a file.
    position, words = GameRecord(()).position(), []
    for text in LINE:
        words.append(format_old_turn(position, parse_turn(text)))
        position.play(text)
    old = tmp_path / "old.txt"
    tags = '[White "A"]\n[Red "B"]\n[Date "1998-03-02"]\n[Variant "standard"]\n'
    old.write_text(f"{tags}\n{' '.join(words)} *\n")
    table.page.get_by_role("button", name="Games").click()
    table.page.locator("#file").set_input_files(old)
    table.status.filter(has_text="After turn 0 of 18").wait_for()
    assert table.turns() == LINE
    assert table.page.locator("#players .name").all_inner_texts() == ["A", "B"]
    with table.page.expect_download() as download:
        table.page.get_by_role("button", name="Download", exact=True).click()
    download.value.save_as(file)
    assert file.read_text().startswith(tags)
    table.page.get_by_role("button", name="Settings").click()
    table.page.locator("#notation").select_option("old")
    table.page.get_by_role("button", name="Close").click()
    # All turns are named, those behind the position that is shown, too.
    table.page.wait_for_selector(f'#history button:text-is("{words[-1]}")')
    assert table.turns() == words
    table.page.get_by_role("button", name="To the end").click()
    # So are the turns at each space, for screen readers.
    names = {format_old_turn(position, turn) for turn in position.legal_turns()}
    table.page.locator("#board .space[aria-label^=Turns]").first.wait_for()
    labels = [each.get_attribute("aria-label") or "" for each in table.spaces.all()]
    assert {word for label in labels for word in label.split()[1:]} == names
    # An illegal turn is named.
    table.page.get_by_role("button", name="Games").click()
    table.page.locator("#record").fill("@0/ B1+ B1+")
    table.page.get_by_role("button", name="Read").click()
    problem = table.page.locator("#record-error:text-matches('.')")
    assert problem.inner_text() == "Game 1: turn 3, B1+, is not legal."
    table.page.get_by_role("button", name="Close").click()
    table.page.get_by_role("button", name="Share").click()
    table.status.filter(has_text="copied").wait_for()
    copied = table.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == server.address + hash_of(LINE)
    # Games that were left are among all, with players and result.
    table.page.get_by_role("button", name="Settings").click()
    table.page.locator("#notation").select_option("standard")
    table.page.get_by_role("button", name="Close").click()
    table.page.goto(server.address + hash_of(LINE))
    table.play("D8\\")
    table.page.wait_for_selector("#status:text-matches('wins')")
    table.page.get_by_role("button", name="To the beginning").click()
    with table.page.expect_download() as download:
        table.page.get_by_role("button", name="Download", exact=True).click()
    download.value.save_as(file)
    assert '[Termination "line"]\n[Result "1-0"]\n' in file.read_text()
    table.new_game(white="you", red="you")
    table.page.get_by_role("button", name="Games").click()
    table.page.get_by_role("button", name="White wins with a line.").wait_for()
    with table.page.expect_download() as download:
        table.page.get_by_role("button", name="Download all").click()
    download.value.save_as(file)
    games = [
        (game.tags["White"], len(game.turns), game.ending)
        for game in read_records(file.read_text().splitlines(keepends=True))
        if isinstance(game, GameRecord)
    ]
    assert games[:2] == [("You", 19, Ending(Colour.WHITE, "line")), ("A", 18, None)]


def test_games_of_the_browser_make_no_room_for_records(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:@0/,A2+")
    table.spaces.first.wait_for()
    table.page.get_by_role("button", name="Games").click()
    table.page.locator("#record").fill("@0+ B1+\n" * 101)
    table.page.get_by_role("button", name="Read").click()
    problem = table.page.locator("#record-error:text-matches('.')")
    assert problem.inner_text() == (
        "These are 101 games, and there is room for 100: the browser keeps 100. Download some and "
        "delete them first."
    )


@pytest.mark.slow
def test_the_game_in_play_goes_on_while_records_are_read(
    server: Serving, sit_down: SitDown
) -> None:
    """All games before a wrong one are kept."""
    table = sit_down(server.address)
    table.open("#standard:")
    table.new_game(red="server:engine", amount="2", unit="seconds")
    table.play("@0/")
    table.status.filter(has_text="Red is thinking").wait_for()
    table.page.get_by_role("button", name="Games").click()
    table.page.locator("#record").fill("@0+ A2+ A3+\n@0+ B1+\n@0+ B1+ B1+\n")
    table.page.get_by_role("button", name="Read").click()
    problem = table.page.locator("#record-error:text-matches('.')")
    assert problem.inner_text() == "Game 3: turn 3, B1+, is not legal."
    games = table.page.locator("#games li button:first-child").all_inner_texts()
    assert [text.partition(" · ")[2] for text in games] == [
        "standard · 3 turns",
        "standard · 2 turns",
    ]
    table.page.get_by_role("button", name="Close").click()
    table.wait_for_turns(2)
    table.spaces.first.wait_for()
    assert table.turns()[0] == "@0/"
    assert table.status.inner_text().endswith(" White to move.")


def test_the_first_visit_begins_with_the_first_picture(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address, viewport={"width": 390, "height": 700})
    table.open(guided=False)
    table.page.get_by_role("heading", name="Trax in five pictures").wait_for()
    assert table.page.locator("#guide li").count() == 5
    assert table.page.locator("#rules-dialog").evaluate("(dialog) => dialog.scrollTop") == 0


@pytest.mark.slow
def test_two_devices_play_and_puzzles_are_won(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:")
    table.new_game(white="server:engine", variant="mini", **ENGINE)
    table.page.wait_for_selector("#status:text-matches('wins|Drawn')")
    table.page.wait_for_selector("#history li:nth-child(3)")
    table.page.get_by_role("button", name="Puzzles").click()
    table.page.get_by_role("button", name="Next puzzle").click()
    table.status.filter(has_text="win in 2 turns of your own").wait_for()
    table.spaces.first.wait_for()
    # The engine's own turns solve it.
    for _ in range(2):
        count = len(table.turns())
        table.page.locator("#evaluate").check()
        table.page.wait_for_selector("#score:text-matches('wins in')")
        best = table.page.locator("#line").inner_text().split()[0]
        table.page.locator("#evaluate").uncheck()
        table.spaces.first.wait_for()
        table.play(best)
        table.page.wait_for_selector(
            f"#history li:nth-child({count + 2}), #status:text-matches('Solved')"
        )
        if "Solved" in table.status.inner_text():
            break
        table.spaces.first.wait_for()
    table.status.filter(has_text="Solved").wait_for()
    table.page.get_by_role("button", name="Next puzzle").click()
    table.status.filter(has_text="win in 2 turns of your own").wait_for()


def test_a_lost_connection_comes_back(sit_down: SitDown, browser: object) -> None:
    from tests.web.browser.conftest import Serving

    serving = Serving("--device", "engine")
    serving.start()
    try:
        table = sit_down(serving.address)
        table.open("#standard:@0/,B1+")
        table.spaces.first.wait_for()
        serving.end()
        line = table.page.locator("#device-line")
        line.filter(has_text="connection lost (the server does not answer)").wait_for()
        # It is announced, but once, not each time that the connection is tried.
        assert table.page.get_by_role("status").filter(has_text="connection lost").count() == 1
        table.page.evaluate("""() => {
            window.said = 0;
            const line = document.querySelector('#device-line');
            new MutationObserver(() => ++window.said).observe(line, { childList: true });
        }""")
        table.page.wait_for_timeout(2500)
        assert table.page.evaluate("() => window.said") == 0
        serving.start()
        table.play("A0\\")
        table.wait_for_turns(3)
        table.spaces.first.wait_for()
        line.filter(has_text="The rules are asked of").wait_for()
        assert table.turns() == ["@0/", "B1+", "A0\\"]
    finally:
        serving.end()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_nothing(server: Serving, sit_down: SitDown, scheme: str) -> None:
    from tests.web.browser.table import hash_of

    table = sit_down(server.address, color_scheme=scheme, viewport={"width": 390, "height": 844})
    table.open(hash_of(LINE))
    table.spaces.first.wait_for()
    table.page.locator("#threats").check()
    table.page.locator("#legend").wait_for()
    assert table.violations() == []
    table.choose("D8\\")
    table.page.locator("#preview-text:text-matches('wins')").wait_for()
    assert table.violations() == []
    table.page.keyboard.press("Escape")
    for name in ("New game", "Games", "Puzzles", "Devices", "Rules", "Settings"):
        table.page.get_by_role("button", name=name).click()
        table.page.locator("dialog[open]").wait_for()
        assert table.violations() == [], name
        table.page.keyboard.press("Escape")
