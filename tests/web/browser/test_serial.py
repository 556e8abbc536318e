"""A board at a serial port by Web Serial; a stub stands for the port, an engine for the board."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.web.browser.conftest import Serving
    from tests.web.browser.table import Table

pytestmark = pytest.mark.xdist_group("browser")


def test_a_board_is_connected_lost_and_found_again(
    server: Serving, sit_down: Callable[..., Table]
) -> None:
    table = sit_down(server.address)
    page = table.page
    address = server.address.replace("http", "ws") + "device/engine"
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
    page.evaluate("() => { window.stub.isUnplugged = false; }")
    table.wait_for_turns(4)
    line.filter(has_text="The rules are asked of").wait_for()
    table.position()
    assert set(page.evaluate("() => window.stub.rates")) == {57600}
