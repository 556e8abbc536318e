"""Whether a turn may be made on a board, and if not, what exactly is wrong with it."""

from __future__ import annotations

from loopline.game.board import FIRST_SPACE, FIRST_TILES, Board
from loopline.game.chain import FITTING, Chain, entering, make_chain
from loopline.game.errors import (
    ColourMismatchError,
    FirstTurnError,
    ForcedPlayError,
    NotAdjacentError,
    OccupiedError,
    OutsideAreaError,
)
from loopline.game.grid import coordinates, key
from loopline.game.notation import Turn, space_name
from loopline.game.tiles import Colour, Side, Tile

__all__ = ["chain_of"]


def chain_of(board: Board, turn: Turn) -> Chain:
    """All tiles of a turn, without conflict.

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
    size = board.variant.size
    if size is not None and not board.is_inside(space):
        raise OutsideAreaError(turn, size)
    chain = make_chain(board.sockets, space, _orient(turn, board.sockets[space]))
    if chain.conflict:
        crowded, colour = chain.conflict
        label = space_name(*board.box.label(*coordinates(crowded)))
        raise ForcedPlayError(turn, label, colour)
    return chain


def _orient(turn: Turn, sockets: int) -> Tile:
    """The tile of the turn's shape that fits the sockets.

    Raises :exc:`ColourMismatchError` if there is none: the tile is turned to fit the first socket,
    clockwise from the north, and the first edge that is wrong then is reported.
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
