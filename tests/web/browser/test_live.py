"""A game of the referee, followed by two viewers of a server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.host.program import environment
from tests.web.browser.conftest import Serving

if TYPE_CHECKING:
    from tests.web.browser.table import Table

pytestmark = pytest.mark.xdist_group("browser")

SitDown = Callable[..., "Table"]


@pytest.fixture
def watching(browser: object, tmp_path: Path) -> Iterator[Serving]:
    """A server that shows ``game.txt``, which is not there yet."""
    serving = Serving("--device", "engine", "--watch", str(tmp_path / "game.txt"))
    serving.start()
    yield serving
    serving.end()


def referee(file: Path, white: str, red: str, pause: str) -> subprocess.Popen[bytes]:
    """Start a game whose record is in a file as it goes on."""
    words = ["referee", "--white", white, "--red", red, "--pause", pause, "--live", str(file)]
    return subprocess.Popen(
        [sys.executable, "-m", "loopline.host", *words, "--no-board"],
        env=environment(),
        stdout=subprocess.DEVNULL,
    )


def test_two_viewers_of_one_game(watching: Serving, sit_down: SitDown, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    first, second = sit_down(watching.address), sit_down(watching.address)
    for table in (first, second):
        table.open("#live")
        table.status.filter(has_text="game.txt is not there yet.").wait_for()
    with referee(file, "random:1", "random:2", "0.6"):
        for table in (first, second):
            table.wait_for_turns(3)
            table.status.filter(has_text="Live: ").wait_for()
            assert not table.spaces.count()
        # One looks back, while the game goes on.
        first.page.get_by_role("button", name="One turn back").click()
        first.status.filter(has_text="After turn").wait_for()
        shown = first.page.locator("#history [aria-current]").inner_text()
        count = len(second.turns())
        first.wait_for_turns(count + 1)
        second.wait_for_turns(count + 1)
        assert first.page.locator("#history [aria-current]").inner_text() == shown
        first.page.get_by_role("button", name="Back to the live game").click()
        first.status.filter(has_text="Live: ").wait_for()
        watching.end()
        for table in (first, second):
            table.status.filter(has_text="connection to the server is lost").wait_for()
        watching.start()
        late = sit_down(watching.address)
        late.open("#live")
        tables = (first, second, late)
        for table in tables:
            table.status.filter(has_text="White wins with a loop.").wait_for()
            assert len(table.turns()) == 15
            table.page.locator("#board .halo").first.wait_for()
            names = table.page.locator("#players .name").all_inner_texts()
            assert names == ["random:1", "random:2"]
    assert first.violations() == []
    # The next game is shown as it begins, also after the page was reloaded.
    second.page.reload()
    second.status.filter(has_text="White wins with a loop.").wait_for()
    with referee(file, "greedy:3", "random:4", "0"):
        for table in tables:
            table.page.locator("#player-white", has_text="greedy:3").wait_for()
            table.status.filter(has_text="wins with a").wait_for()
            table.position()
    # From an earlier position a viewer begins a game of his own.
    late.page.get_by_role("button", name="To the beginning").click()
    late.play("@0+")
    late.status.filter(has_text="Red to move.").wait_for()
    assert late.turns() == ["@0+"]
    late.page.get_by_role("button", name="Games").click()
    late.page.get_by_role("button", name="Watch game.txt").click()
    late.status.filter(has_text="wins with a").wait_for()
