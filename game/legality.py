"""Check a turn against the rules: its tiles if it is legal, the exact reason if not.

Each reason has its own exception. The message is one line that begins with the turn. The same facts
are attributes and the constructor's arguments, so that an exception can be pickled.
"""

from __future__ import annotations

from loopline.game.board import FIRST_SPACE, FIRST_TILES, Board
from loopline.game.chain import FITTING, Chain, entering, make_chain
from loopline.game.errors import TraxError
from loopline.game.grid import coordinates, key
from loopline.game.notation import Turn, space_name
from loopline.game.result import Draw, Result
from loopline.game.tiles import Colour, Side, Tile

__all__ = [
    "ColourMismatchError",
    "FirstTurnError",
    "ForcedPlayError",
    "GameOverError",
    "IllegalTurnError",
    "NotAdjacentError",
    "OccupiedError",
    "OutsideAreaError",
    "chain_of",
]


class IllegalTurnError(TraxError):
    """A turn that the rules do not allow in this position: ``turn``."""

    def __init__(self, turn: Turn, *facts: object) -> None:
        """Keep the turn; ``facts`` are the further arguments of a subclass."""
        super().__init__(turn, *facts)
        self.turn = turn

    def __str__(self) -> str:
        """Return the turn in notation, and the reason."""
        return f"{self.turn}: {self._reason()}"

    def _reason(self) -> str:
        """Return why the turn is not legal, in words."""
        return "the turn is not legal"


class GameOverError(IllegalTurnError):
    """A turn after the end of the game: ``result`` is what ended it, a win or a draw."""

    def __init__(self, turn: Turn, result: Result | Draw) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(turn, result)
        self.result = result

    def _reason(self) -> str:
        return f"the game is over, {self.result}"


class FirstTurnError(IllegalTurnError):
    """A first turn other than the two that the notation knows."""

    def _reason(self) -> str:
        return "the first turn is @0/ or @0+"


class OccupiedError(IllegalTurnError):
    """A turn in a space that has a tile already."""

    def _reason(self) -> str:
        return f"{self.turn.space} is occupied"


class NotAdjacentError(IllegalTurnError):
    """A turn in a space that touches no tile."""

    def _reason(self) -> str:
        return f"{self.turn.space} is not adjacent to any tile"


class OutsideAreaError(IllegalTurnError):
    """The formation would have more than ``size`` columns or rows, more than the variant allows."""

    def __init__(self, turn: Turn, size: int) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(turn, size)
        self.size = size

    def _reason(self) -> str:
        return f"{self.turn.space} lies outside the area of {self.size} x {self.size} spaces"


class ColourMismatchError(IllegalTurnError):
    """A tile that does not fit: on ``side`` the neighbour's edge has ``colour``, the tile's not."""

    def __init__(self, turn: Turn, side: Side, colour: Colour) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(turn, side, colour)
        self.side = side
        self.colour = colour

    def _reason(self) -> str:
        side, colour = self.side.name.lower(), self.colour.name.lower()
        return (
            f"the {side} edge would be {self.colour.other.name.lower()} "
            f"but the neighbour's edge is {colour}"
        )


class ForcedPlayError(IllegalTurnError):
    """A forced play that cannot be made: three tracks of ``colour`` enter the space ``label``.

    The label counts as the turn itself does, from the box before the turn.
    """

    def __init__(self, turn: Turn, label: str, colour: Colour) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(turn, label, colour)
        self.label = label
        self.colour = colour

    def _reason(self) -> str:
        return (
            f"the forced play at {self.label} cannot be made, "
            f"three {self.colour.name.lower()} tracks enter there"
        )


def chain_of(board: Board, turn: Turn) -> Chain:
    """Return all tiles of a legal turn.

    Raises the fitting :exc:`IllegalTurnError` if the turn is not legal, and :exc:`ValueError` if
    it names a column or row below zero.
    """
    space = key(*board.box.locate(turn.column, turn.row))
    if not board.tiles:
        tile = turn.shape.tiles[0]
        if space != FIRST_SPACE or tile not in FIRST_TILES:
            raise FirstTurnError(turn)
        return make_chain(board.sockets, space, tile)
    if space in board.tiles:
        raise OccupiedError(turn)
    if space not in board.sockets:
        raise NotAdjacentError(turn)
    tile, size = _orient(turn, board.sockets[space]), board.variant.size
    if size is not None and not board.is_inside(space):
        raise OutsideAreaError(turn, size)
    chain = make_chain(board.sockets, space, tile)
    if chain.conflict:
        crowded, colour = chain.conflict
        label = space_name(*board.box.label(*coordinates(crowded)))
        raise ForcedPlayError(turn, label, colour)
    return chain


def _orient(turn: Turn, sockets: int) -> Tile:
    """Return the tile of the turn's shape that fits the sockets.

    Raises :exc:`ColourMismatchError` if no tile fits. It names an edge: with the tile turned to fit
    the first socket, clockwise from the north, the first one that is wrong.
    """
    for tile in FITTING[sockets]:
        if tile.shape is turn.shape:
            return tile
    tracks = [
        (side, colour) for side in Side for colour in Colour if entering(sockets, colour) & side.bit
    ]
    side, colour = tracks[0]
    tile = next(tile for tile in turn.shape.tiles if tile.colour(side) is colour)
    side, colour = next(track for track in tracks if tile.colour(track[0]) is not track[1])
    raise ColourMismatchError(turn, side, colour)
