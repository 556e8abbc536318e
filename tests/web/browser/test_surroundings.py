"""The page where something around it is missing, fails, or is there twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.conftest import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.browser.table import Table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

SitDown = Callable[..., "Table"]

SMALL = "engine:grid=16,table_bits=8"


@pytest.fixture(scope="module")
def small(browser: object) -> Iterator[Serving]:
    """A server with an engine that has room for 14 rows and columns."""
    serving = Serving("--device", SMALL)
    serving.start()
    yield serving
    serving.end()


def trapping_module() -> bytes:
    """A WebAssembly module with the functions of a board, of which ``run`` traps."""

    def section(number: int, *items: bytes) -> bytes:
        body = bytes([len(items)]) + b"".join(items)
        return bytes([number, len(body)]) + body

    def function(body: bytes) -> bytes:
        return bytes([len(body) + 2, 0]) + body + b"\x0b"

    nothing, power_on, number, run, push = range(5)
    zero, size, unreachable = b"\x41\x00", b"\x41\x10", b"\x00"
    functions = {
        "_initialize": (nothing, b""),
        "power_on": (power_on, b""),
        "buffer_address": (number, zero),
        "buffer_size": (number, size),
        "pull": (number, zero),
        "run": (run, unreachable),
        "push": (push, b""),
    }
    types = ["6000 00", "6003 7f7f7f 00", "6000 017f", "6001 7f 017f", "6001 7f 00"]
    exports = [
        bytes([len(name)]) + name.encode() + bytes([0, index])
        for index, name in enumerate(functions)
    ]
    return b"".join(
        [
            b"\0asm\1\0\0\0",
            section(1, *map(bytes.fromhex, types)),
            section(3, *(bytes([kind]) for kind, _ in functions.values())),
            section(5, b"\x00\x01"),
            section(7, b"\x06memory\x02\x00", *exports),
            section(10, *(function(body) for _, body in functions.values())),
        ]
    )


def test_a_board_whose_program_fails_is_started_again(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    settings = {"board": {"file": "board.wasm", "bit_cycles": 8, "build": 1}, "devices": []}
    table.page.route("**/page.json", lambda route: route.fulfill(body=json.dumps(settings)))
    table.page.context.route("**/board.wasm", lambda route: route.fulfill(body=trapping_module()))
    table.open("#standard:")
    line = table.page.locator("#device-line")
    line.filter(has_text="unreachable").filter(has_text="it is tried again").wait_for()
    with table.page.context.expect_event(
        "request", lambda request: request.url.endswith("board.wasm"), timeout=60_000
    ):
        pass


def test_an_address_can_be_copied_by_hand(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    # As on pages that are not from https.
    without = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    table.page.add_init_script(without)
    table.open("?token=secret#standard:@0/,B1+")
    table.spaces.first.wait_for()
    bar = table.page.url
    table.page.get_by_role("button", name="Share").click()
    address = table.page.get_by_label("The address of this position")
    assert address.input_value() == server.address + "#standard:@0/,B1+"
    assert not address.is_editable()
    assert table.page.evaluate("() => getSelection().toString()") == address.input_value()
    assert table.violations() == []
    table.page.get_by_role("button", name="Close").click()
    assert table.page.url == bar
    assert "secret" in bar


def test_puzzles_that_do_not_come_are_named(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:@0/")
    table.spaces.first.wait_for()
    puzzles = table.page.get_by_role("button", name="Puzzles")
    table.page.route("**/tactics.txt", lambda route: route.abort())
    puzzles.click()
    table.status.filter(has_text="The puzzles cannot be read: Failed to fetch.").wait_for()
    table.page.unroute_all()
    table.page.route("**/tactics.txt", lambda route: route.fulfill(status=404, body="1 | none"))
    puzzles.click()
    table.status.filter(has_text="The puzzles cannot be read: 404 Not Found.").wait_for()
    table.page.unroute_all()
    puzzles.click()
    table.page.get_by_role("button", name="Next puzzle").click()
    table.status.filter(has_text="win in 2 turns of your own").wait_for()


def test_each_tab_has_its_game(server: Serving, sit_down: SitDown) -> None:
    table = sit_down(server.address)
    table.open("#standard:@0/,B1+")
    table.spaces.first.wait_for()
    other: Page = table.page.context.new_page()
    # A new tab goes on with the last game.
    other.goto(server.address)
    other.wait_for_selector("#history li:nth-child(2)")
    other.goto(server.address + "#standard:@0+")
    other.wait_for_selector("#history li:nth-child(2)", state="detached")
    other.wait_for_selector("#board .space")
    table.page.reload()
    table.spaces.first.wait_for()
    assert table.turns() == ["@0/", "B1+"]


def test_a_game_that_has_no_room_on_the_device_is_kept(small: Serving, sit_down: SitDown) -> None:
    table = sit_down(small.address)
    turns = ["@0/", *(f"A{row}+" for row in range(2, 18))]
    table.open(f"#standard:{','.join(turns)}")
    said = "The device has no room for turn 15, A15+: the game is shown up to it."
    table.status.filter(has_text=said).wait_for()
    assert table.turns() == turns
    table.page.get_by_role("button", name="Settings").click()
    table.page.locator("#notation").select_option("old")
    table.page.get_by_role("button", name="Close").click()
    table.page.wait_for_selector('#history button:text-is("A14S")')
    assert len(table.turns()) == len(turns)
    table.page.get_by_role("button", name="One turn back").click()
    table.status.filter(has_text="After turn 13 of 17").wait_for()
    table.page.get_by_role("button", name="To the end").click()
    table.status.filter(has_text=said).wait_for()
    # A record of it is not called illegal.
    table.page.get_by_role("button", name="Games").click()
    table.page.locator("#record").fill(" ".join(turns))
    table.page.get_by_role("button", name="Read").click()
    problem = table.page.locator("#record-error:text-matches('.')")
    assert problem.inner_text() == "Game 1: the device has no room for turn 15, A15+."
