"""Games for benches: made by the rules from a seed, or read from files of records.

The same number and seed make the same game on every machine. The styles take turns:

- ``random``: turns at random until the game ends;
- ``greedy``: :class:`~loopline.host.players.software.GreedyPlayer` against itself;
- ``long``: turns at random, but none that ends the game;
- ``lines``: turns at random, but none that completes a loop;
- ``chains``: of several turns, the one that forces the most tiles.
"""

from __future__ import annotations

import random
from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    STANDARD,
    Position,
    RecordError,
    Shape,
    TraxError,
    Turn,
    Variant,
    read_records,
)
from loopline.hdl.config import GridConfig
from loopline.host.players.software import GreedyPlayer
from loopline.tools.arguments import Parser, seed, whole_number

__all__ = ["STYLES", "Game", "add_games", "chosen_games", "made_game"]

STYLES = ("random", "greedy", "long", "lines", "chains")
VARIANTS = (STANDARD, LOOP, STANDARD, LIMITED, STANDARD, MINI, STANDARD, DELUXE)

_GAMES = 200
"""The number of games that are made unless another is asked for."""

_LONGEST = 120
"""The most turns of a game; of every other game a number from 10 to this."""

_TRIES = 8
"""The turns of which ``chains`` takes the one with the most tiles."""


class Game(NamedTuple):
    """A game: its kind, its name, its variant, and its turns.

    The kind is the style of a game that was made, and ``recorded`` for one from a file.
    """

    kind: str
    name: str
    variant: Variant
    turns: list[str]


def made_game(
    number: int, seed: int = 1, variant: Variant | None = None, limit: int = GridConfig().limit
) -> Game:
    """Make the game of this number; its variant is one of :data:`VARIANTS` unless given.

    A game whose formation has ``limit`` columns or rows goes no further.
    """
    kind, round_ = STYLES[number % len(STYLES)], number // len(STYLES)
    variant = variant or VARIANTS[round_ % len(VARIANTS)]
    rng = random.Random(f"{seed}:{number}")
    most = rng.randint(10, _LONGEST) if round_ % 2 else _LONGEST
    position, greedy = Position(variant), GreedyPlayer(rng.getrandbits(32))
    while not position.ending and position.turns < most:
        if max(position.width, position.height) == limit:
            break
        if kind == "greedy" and position.turns > 2:
            turn: Turn | None = greedy.choose(position)
        else:
            turns = _some_turns(position, rng, kind)
            tries = islice(turns, _TRIES if kind == "chains" else 1)
            turn = max(tries, key=lambda turn: _tiles(position, turn), default=None)
        if turn is None:
            break
        position.play(turn)
    turns = [str(played.turn) for played in position.history]
    return Game(kind, f"game {number} of seed {seed}", variant, turns)


def _some_turns(position: Position, rng: random.Random, kind: str) -> Iterator[Turn]:
    """Yield legal turns of a style in random order."""
    spaces = position.frontier() if position.turns else [(0, 0)]
    for space in rng.sample(spaces, len(spaces)):
        column, row = position.label(*space) if position.turns else (0, 0)
        for shape in rng.sample([*Shape], len(Shape)):
            turn = Turn(column, row, shape)
            try:
                position.play(turn)
            except TraxError:
                continue
            loop = position.result is not None and "loop" in position.result.kind
            unwanted = position.ending if kind == "long" else loop and kind == "lines"
            position.undo()
            if not unwanted:
                yield turn


def _tiles(position: Position, turn: Turn) -> int:
    position.play(turn)
    return len(position.undo().tiles)


def _recorded(files: Sequence[Path]) -> Iterator[Game]:
    """Yield the games of files of records. Raises :exc:`OSError` and :exc:`ValueError`."""
    for path in files:
        try:
            with path.open(encoding="utf-8") as file:
                for number, record in enumerate(read_records(file), 1):
                    turns = list(map(str, record.turns))
                    yield Game("recorded", f"{path}, game {number}", record.variant, turns)
        except RecordError as error:
            raise ValueError(f"{path}: {error}") from None


def add_games(parser: Parser) -> None:
    """Add the arguments of :func:`chosen_games` to a parser: ``FILE``, ``--games``, ``--seed``."""
    parser.add_argument(
        "files",
        type=Path,
        nargs="*",
        metavar="FILE",
        help="files of records in place of games that are made from the seed",
    )
    parser.add_value("--games", whole_number(1), f"the number of games ({_GAMES}; all of files)")
    parser.add_value("--seed", seed, "the seed of the games", default=1)


def chosen_games(
    parser: Parser, options: Namespace, limit: int, variant: Variant | None = None
) -> list[Game]:
    """Return the games that the arguments of :func:`add_games` ask for, of any or one variant.

    Of recorded games it takes those at the front. Ends the program if a file cannot be read.
    """
    files = options.files
    if not files:
        numbers = range(options.games or _GAMES)
        return [made_game(number, options.seed, variant, limit) for number in numbers]
    try:
        games = (game for game in _recorded(files) if variant in (None, game.variant))
        found = list(islice(games, options.games))
    except OSError as error:
        parser.error(f"{error.strerror} ({error.filename})")
    except ValueError as error:
        parser.error(str(error))
    if not found:
        kind = "games" if variant is None else f"{variant} games"
        parser.error(f"there are no {kind} in {', '.join(map(str, files))}")
    return found
