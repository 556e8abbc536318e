"""A person at the page: real clicks and keys, and what there is to be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from loopline.game import Position, Turn, parse_turn
from loopline.game.notation import column_name

__all__ = ["Table", "hash_of"]

TIMEOUT = 60_000


def hash_of(turns: Sequence[str], variant: str = "standard") -> str:
    """The part of an address behind ``#`` for a game."""
    return f"#{variant}:{','.join(turns)}".replace("\\", "~")


class Table:
    """The page in a tab of a browser; errors of its scripts are collected."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.errors: list[str] = []
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        expect.set_options(timeout=TIMEOUT)

    def open(self, fragment: str = "", *, guided: bool = True) -> None:
        if guided:
            self.page.add_init_script("localStorage.setItem('loopline.guided', 'true')")
        self.page.goto(self.address + fragment)

    @property
    def spaces(self) -> Locator:
        return self.page.locator("#board .space")

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    def turns(self) -> list[str]:
        return self.page.locator("#history button").all_inner_texts()

    def position(self) -> Position:
        """The position after the turns of the page, by the rules."""
        position = Position()
        for turn in self.turns():
            position.play(turn)
        return position

    def space(self, turn: Turn) -> Locator:
        """The space of a turn."""
        place = f"{column_name(turn.column)}{turn.row}"
        return self.page.locator(f'#board .space[aria-label^="{place},"]')

    def choose(self, text: str) -> None:
        """Choose a space and a tile by clicks."""
        turn = parse_turn(text)
        self.space(turn).click()
        self.page.get_by_role("button", name=f"Tile {turn.shape.value}", exact=True).click()

    def play(self, text: str) -> None:
        self.choose(text)
        self.page.locator("#play").click()

    def new_game(self, **fields: str) -> None:
        """Begin a game; fields of the dialog by name: white, red, variant, amount, unit ..."""
        self.page.get_by_role("button", name="New game").click()
        for name, value in fields.items():
            field = self.page.locator(f"#new-{name}")
            if name in ("amount", "size"):
                field.fill(value)
            else:
                field.select_option(value)
        self.page.get_by_role("button", name="Start").click()

    def wait_for_turns(self, count: int) -> None:
        self.page.wait_for_selector(f"#history li:nth-child({count})")

    def violations(self) -> list[dict[str, Any]]:
        """What axe finds wrong."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [
            {"id": each["id"], "nodes": [node["html"][:200] for node in each["nodes"]]}
            for each in found
        ]

    def is_over(self) -> bool:
        return bool(re.search(r"wins|Drawn", self.status.inner_text()))
