"""The game on a screen of a test, and opponents that do what the test wants."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from loopline.game import STANDARD, Colour, Position, Turn, Variant, parse_turn, play_game
from loopline.host.errors import DeviceGoneError
from loopline.host.players.base import Player
from loopline.host.players.spec import PlayerOpener
from loopline.host.ui.opponent import Opponent
from loopline.host.ui.screen.app import GameScreen
from loopline.host.ui.session import Session, Side

TIMEOUT = 60.0


class Slow:
    """Thinks until it is told its turn, or closed; ``thinks`` is set meanwhile."""

    name = "slow"

    def __init__(self) -> None:
        self.thinks = threading.Event()
        self.closed = False
        self._told = threading.Event()
        self._turn: str | None = None

    def tell(self, turn: str) -> None:
        self._turn = turn
        self._told.set()

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        pass

    def hear(self, turn: Turn) -> None:
        pass

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        self.thinks.set()
        self._told.wait()
        self._told.clear()
        self.thinks.clear()
        if self.closed or self._turn is None:
            raise DeviceGoneError("slow was closed")
        return parse_turn(self._turn)

    def close(self) -> None:
        self.closed = True
        self._told.set()


class Shelf:
    """Opens one player after the other, or raises what stands in a player's place."""

    def __init__(self, *players: Player | Exception) -> None:
        self._players = list(players)

    def open(self, _spec: str) -> Player:
        player = self._players.pop(0)
        if isinstance(player, Exception):
            raise player
        return player


def program(spec: str) -> Opponent:
    return Opponent(spec, PlayerOpener())


def on_shelf(*players: Player | Exception) -> Opponent:
    return Opponent("shelf", Shelf(*players))


@asynccontextmanager
async def screen(
    white: Side,
    red: Side,
    turns: str = "",
    *,
    size: tuple[int, int] = (80, 24),
    find: Callable[[str], Opponent] = program,
    **options: object,
) -> AsyncIterator[tuple[GameScreen, Pilot[None]]]:
    """A game after some turns; its clock stands still."""
    session = Session((white, red), **options)
    opening = [played.turn for played in play_game(turns.split(), session.variant).history]
    app = GameScreen(session, find, opening, now=lambda: 0.0)
    try:
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: session.ready or session.failed)
            await pilot.pause()
            yield app, pilot
    finally:
        app.close()


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait until something is so, and is shown."""
    async with asyncio.timeout(TIMEOUT):
        while not condition():
            await asyncio.sleep(0.02)
    await pilot.pause()


async def until_asked(pilot: Pilot[None], app: GameScreen) -> None:
    await until(pilot, lambda: app.session.asked or app.session.ending or app.session.failed)


def lines(app: GameScreen) -> list[str]:
    """What is on the screen, without trailing blanks."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


def text(app: GameScreen) -> str:
    return "\n".join(lines(app)) + "\n"


def message(app: GameScreen) -> str:
    """What is said below the board."""
    return str(app.query_one("#message").content)


def coloured(app: GameScreen) -> bool:
    """Whether a character on the screen has a colour that is not the terminal's own."""
    styles = [
        segment.style
        for strip in app.screen._compositor.render_strips()
        for segment in strip
        if segment.style
    ]
    colours = [colour for style in styles for colour in (style.color, style.bgcolor) if colour]
    return any(not colour.is_default for colour in colours)
