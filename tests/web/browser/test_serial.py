"""A board at a serial port by Web Serial.

A stub stands for the browser's port. It is bridged to the pseudo-terminal of a simulated board,
by a server that offers this terminal to a WebSocket.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from loopline.hdl.design import DesignConfig
from loopline.sim.board.board import build
from tests.sim.board.running import RunningBoard
from tests.web.browser.conftest import Serving

if TYPE_CHECKING:
    from tests.web.browser.table import Table

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def terminal(browser: object) -> Iterator[str]:
    """The pseudo-terminal of a simulated board."""
    build(DesignConfig())  # The first time that takes longer than a browser waits.
    with RunningBoard([sys.executable, "-m", "loopline.sim"]) as board:
        yield board.pty


@pytest.fixture
def server(terminal: str) -> Iterator[Serving]:
    serving = Serving("--device", terminal)
    serving.start()
    yield serving
    serving.end()


def test_a_board_is_connected_lost_and_found_again(
    server: Serving, terminal: str, sit_down: Callable[..., Table]
) -> None:
    table = sit_down(server.address)
    page = table.page
    address = server.address.replace("http", "ws") + f"device/{quote(terminal, safe='')}"
    stub = {"address": address, "rates": [], "isUnplugged": False}
    page.add_init_script(f"window.stub = {json.dumps(stub)}")
    page.add_init_script(path=Path(__file__).with_name("serial_stub.js"))
    # The page of a project's site: no device but those at the ports.
    nothing = '{"board": null, "devices": []}'
    page.route("**/page.json", lambda route: route.fulfill(body=nothing))
    table.open()
    table.status.filter(has_text="there is no device").wait_for()
    page.get_by_role("button", name="Devices").click()
    page.locator("#baud").fill("57600")
    page.get_by_role("button", name="Connect a board").click()
    page.locator("#devices-dialog").wait_for(state="hidden")
    table.new_game(red="serial1", amount="10", unit="nodes")
    table.play("@0/")
    table.wait_for_turns(2)
    table.spaces.first.wait_for()
    page.evaluate("() => window.stub.unplug()")
    line = page.locator("#device-line")
    line.filter(has_text="connection lost").wait_for()
    # The position is known, so that a turn can be made; the answer comes with the board.
    turn = next(iter(table.position().legal_turns()))
    table.choose(str(turn))
    page.locator("#play").click()
    # The cable is loose: it is lost once more while the port is opened.
    page.evaluate("() => { Object.assign(window.stub, { isUnplugged: false, isLoose: true }); }")
    table.wait_for_turns(4)
    line.filter(has_text="The rules are asked of").wait_for()
    table.position()
    assert set(page.evaluate("() => window.stub.rates")) == {57600}
