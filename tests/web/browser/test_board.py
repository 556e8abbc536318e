"""Games in a browser against the gateware itself: the board in the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from loopline.hdl.design import DesignConfig
from loopline.sim.board.board import build
from loopline.web.screenshots import serve_folder
from tests.web.browser.conftest import Serving
from tests.web.browser.test_game import check_the_end, play_to_the_end

if TYPE_CHECKING:
    from tests.web.browser.table import Table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


@pytest.fixture
def address(browser: object, static_page: Path) -> Iterator[str]:
    """A server of static files, as any other."""
    with serve_folder(static_page) as address:
        yield address


def test_a_whole_game_against_a_simulated_board_of_the_server(
    browser: object, sit_down: Callable[..., Table], static_page: Path
) -> None:
    """The page has its own board, too, which answers the questions about the rules."""
    build(DesignConfig())  # The first time that takes longer than a browser waits.
    serving = Serving("--device", "sim", "--page", str(static_page))
    serving.start()
    try:
        table = sit_down(serving.address)
        table.open()
        table.new_game(red="server:sim", amount="10", unit="nodes")
        play_to_the_end(table)
        check_the_end(table)
    finally:
        serving.end()


def test_a_whole_game_against_the_gateware(address: str, sit_down: Callable[..., Table]) -> None:
    table = sit_down(address)
    table.open()
    table.new_game(red="board", amount="10", unit="nodes")
    play_to_the_end(table)
    check_the_end(table)
    # The gateware evaluates the position before the end.
    table.page.get_by_role("button", name="One turn back").click()
    table.page.locator("#evaluate").check()
    table.page.wait_for_selector("#score:text-matches('depth')")
    # In the old notation, too; and nothing is said of another position.
    table.page.get_by_role("button", name="Settings").click()
    table.page.locator("#notation").select_option("old")
    table.page.get_by_role("button", name="Close").click()
    table.page.wait_for_selector("#line:text-matches('[A-Z1-9][SCULDR]( |$)')")
    table.page.locator("#evaluate").uncheck()
    table.page.get_by_role("button", name="To the beginning").click()
    table.page.wait_for_selector("#score:text-is('–')")
    assert not table.page.locator("#line").inner_text()
