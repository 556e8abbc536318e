"""One tile as text, in characters that know their colour and their ground."""

from __future__ import annotations

from typing import NamedTuple

from loopline.game import Colour, Side, Tile

__all__ = ["HEIGHT", "WIDTHS", "Ink", "draw_tile", "paint"]

HEIGHT = 3
WIDTHS = (7, 5)
"""The widths in which a tile can be drawn, the preferred one first."""

_LINES = {
    # The strokes of each colour by the sides they join: N is bit 0, E 1, S 2, W 3.
    Colour.WHITE: {0b0101: "║", 0b1010: "═", 0b0011: "╚", 0b0110: "╔", 0b1100: "╗", 0b1001: "╝"},
    Colour.RED: {0b0101: "┃", 0b1010: "━", 0b0011: "┗", 0b0110: "┏", 0b1100: "┓", 0b1001: "┛"},
}
_UPRIGHT = Side.NORTH.bit | Side.SOUTH.bit
_RIBBON = "█"
_OWN_CORNERS = "┌┐└┘"
_FORCED_CORNERS = "····"

_FOREGROUND = {"white": "1;38;5;231", "red": "1;38;5;203", "mark": "38;5;221", "label": "2"}
_BACKGROUND = {"dark": "48;5;235", "light": "48;5;237", "own": "48;5;24", "forced": "48;5;23"}


class Ink(NamedTuple):
    """One character of the drawing: what, in which colour, on what."""

    char: str = " "
    ink: str = ""
    ground: str = ""


_NAMES = {Colour.WHITE: "white", Colour.RED: "red"}


def _strokes(sides: int, width: int) -> list[tuple[int, int, int]]:
    """Return a track through one tile as (column, line, sides joined there) of its characters."""
    middle = width // 2
    if sides == Side.NORTH.bit | Side.SOUTH.bit:
        return [(middle, line, sides) for line in range(HEIGHT)]
    if sides == Side.EAST.bit | Side.WEST.bit:
        return [(column, 1, sides) for column in range(width)]
    # A curve: a staircase from the middle of the north or south edge to the east or west one.
    flat = Side.EAST.bit | Side.WEST.bit
    line = 0 if sides & Side.NORTH.bit else HEIGHT - 1
    if sides & Side.WEST.bit:
        beside, rest = middle - 1, range(middle - 1)
    else:
        beside, rest = middle + 1, range(middle + 2, width)
    return [
        (middle, line, sides),
        (beside, line, sides ^ 0b1111),
        (beside, 1, sides),
        *((column, 1, flat) for column in rest),
    ]


def draw_tile(
    tile: Tile, width: int, ground: str, ribbon: Colour | None, order: str = ""
) -> list[list[Ink]]:
    """Return the characters of one tile; the ``ribbon`` colour's track is drawn thick.

    ``order`` replaces the first corner of a forced tile.
    """
    drawing = [[Ink(ground=ground) for _ in range(width)] for _ in range(HEIGHT)]
    # Where tracks cross, the upright one bridges the other; a ribbon is on top of either.
    tracks = [(colour is ribbon, tile.edges(colour) == _UPRIGHT, colour) for colour in Colour]
    for _, _, colour in sorted(tracks):
        for column, line, sides in _strokes(tile.edges(colour), width):
            char = _RIBBON if colour is ribbon else _LINES[colour][sides]
            drawing[line][column] = Ink(char, _NAMES[colour], ground)
    corners = {"own": _OWN_CORNERS, "forced": _FORCED_CORNERS}.get(ground)
    if corners:
        places = [(0, 0), (0, -1), (-1, 0), (-1, -1)]
        for (line, column), char in zip(places, corners, strict=True):
            drawing[line][column] = Ink(char, "mark", ground)
        if order:
            drawing[0][0] = Ink(order, "mark", ground)
    return drawing


def paint(inks: list[Ink], colour: bool) -> str:
    """Return one line of text, with colours or without."""
    if not colour:
        return "".join(ink.char for ink in inks).rstrip()
    while inks and inks[-1].char == " " and not inks[-1].ground:
        inks = inks[:-1]
    parts: list[str] = []
    current = ""
    for ink in inks:
        # A blank looks the same in every foreground.
        codes = [_FOREGROUND.get(ink.ink, ""), _BACKGROUND.get(ink.ground, "")]
        wanted = ";".join(code for code in codes if code)
        if wanted != current:
            parts.append(f"\x1b[0;{wanted}m" if wanted else "\x1b[0m")
            current = wanted
        parts.append(ink.char)
    if current:
        parts.append("\x1b[0m")
    return "".join(parts)
