"""The page where something around it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.web.browser.conftest import Serving
    from tests.web.browser.table import Table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

SitDown = Callable[..., "Table"]


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
