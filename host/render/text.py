"""A position as text: the board as a person sees it in a terminal.

White tracks are double lines, red tracks single heavy ones: the drawing can be read without
colours. A tile is five or seven characters wide and three lines high::

     White north-west        White north-south        ┌ ┐  the last turn's own tile is in
     and red east-south      and red east-west        └ ┘  light corners, a tile that it
                                                           forced in dots
          ╔╝                       ║
         ═╝ ┏━                   ━━║━━
           ┏┛                      ║

A figure in a corner gives the order of several forced tiles. Columns and rows have the names of the
next turn; empty ones around have a name if a tile may be laid there. A dot marks an empty space
where a tile may be laid. Along a side on which a limited area is full, there is a light line. The
winner's loop or line is a thick ribbon.

With threats, a letter may replace a dot: ``W`` or ``R`` wins there next turn, ``w`` or ``r`` can
make two attacks.

In a game on the screen the turn that a person looks at is drawn, too: its own tile in blocks as
corners, those that it would force in small ones.

The drawing in ASCII has other characters: white tracks are thick, red ones thin, the ribbon is
``@``, the corners of the last turn's own tile are plus signs, those of forced tiles colons::

          ##                       #
         ##  .-                  --#--
           .-'                     #
"""

from __future__ import annotations

from typing import NamedTuple

from loopline.game import Colour, Played, Position, Side, Tile
from loopline.host.render.threats import Threats
from loopline.host.render.view import Cell, Notation, View, column_names, row_names

__all__ = [
    "CORNERS",
    "HEIGHT",
    "WIDTHS",
    "Ink",
    "Marks",
    "board_ascii",
    "board_text",
    "mark_corners",
    "paint",
]

BORDER = 3
"""The width of the empty columns around; the empty rows are one line high."""

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
CORNERS = {"own": "┌┐└┘", "forced": "····", "chosen": "▛▜▙▟", "follows": "▘▝▖▗"}
"""The corners of the last turn's own tile, of those it forced, and the same of a turn to come."""

_FOREGROUND = {"white": "1;38;5;231", "red": "1;38;5;203", "mark": "38;5;221", "label": "2"}
_BACKGROUND = {"dark": "48;5;235", "light": "48;5;237", "own": "48;5;24", "forced": "48;5;23"}
_BACKGROUND |= {"chosen": "48;5;58", "follows": "48;5;94"}

_SPACE = "·"
_INKS = {_SPACE: "label", "W": "white", "R": "red"}
_ORDER = "123456789abcdefghijklmnopqrstuvwxyz"
"""The signs for the order of forced tiles; further tiles of a turn have no sign."""

_ASCII = str.maketrans("║═╚╔╗╝┃━┏┓┗┛█·┌┐└┘│─", "######|-..''@:++++|-")


def _labels(position: Position) -> tuple[range, range]:
    """Return the numbers of the columns and rows to draw: all that a turn may name."""
    if position.tiles == 0:
        return range(1), range(1)
    return range(position.width + 2), range(position.height + 2)


def _inside(number: int, numbers: range) -> bool:
    """Whether a column or row can hold tiles; the first and last are the empty ones around."""
    return number not in (numbers[0], numbers[-1])


def _window(numbers: range, room: int, focus: int) -> range:
    """Return ``room`` of the numbers, with ``focus`` near the middle."""
    start = min(max(focus - room // 2, 0), max(0, len(numbers) - room))
    return numbers[start : start + room]


def _letters(colours: frozenset[Colour]) -> str:
    return "".join(colour.letter for colour in sorted(colours))


class Marks:
    """The marks of a drawing: last turn, spaces, threats, the winner's track.

    Parameters
    ----------
    position : Position
        The position.
    view : View
        Its view, with the last turn.
    threats : Threats or None
        The threats to be marked.
    chosen : Played or None
        A turn that is marked as one to come; the position is the one after it.
    """

    def __init__(
        self,
        position: Position,
        view: View,
        threats: Threats | None = None,
        chosen: Played | None = None,
    ) -> None:
        self._position = position
        tiles = view.last
        self._grounds = {**dict.fromkeys(tiles[1:], "forced"), **dict.fromkeys(tiles[:1], "own")}
        self._order = dict(zip(tiles[1:], _ORDER, strict=False)) if view.ordered else {}
        if chosen:
            first, *forced = [(placed.x, placed.y) for placed in chosen.tiles]
            self._grounds |= {**dict.fromkeys(forced, "follows"), first: "chosen"}
            self._order = dict(zip(forced, _ORDER, strict=False)) if len(forced) > 1 else {}
        self._ribbon = position.result.winner if position.result else None
        self._winning: set[Cell] = set()
        if self._ribbon is not None:
            self._winning.update(position.winning_tracks()[self._ribbon])
        self._spaces = dict.fromkeys(view.spaces, _SPACE)
        (wide, high), box = view.growth or (1, 1), view.box
        sides = (box.west - 1, box.east + 1), (box.north - 1, box.south + 1)
        self._left_right: tuple[int, ...] = () if wide else sides[0]
        self._above_below: tuple[int, ...] = () if high else sides[1]
        if threats:
            for space, players in threats.doubles.items():
                self._spaces[space] = _letters(players - threats.wins.get(space, frozenset()))
                self._spaces[space] = self._spaces[space].lower()
            for space, players in threats.wins.items():
                others = self._spaces[space].replace(_SPACE, "")
                self._spaces[space] = _letters(players) + others

    def draw(self, x: int, y: int, width: int) -> list[list[Ink]]:
        """Return the characters of a space with its content."""
        tile = self._position.tile_at(x, y)
        if tile is not None:
            ribbon = self._ribbon if (x, y) in self._winning else None
            ground = self._grounds.get((x, y)) or ("light" if x + y & 1 else "dark")
            return draw_tile(tile, width, ground, ribbon, self._order.get((x, y), ""))
        cell = [[Ink() for _ in range(width)] for _ in range(HEIGHT)]
        # The border of a limited area. Of the rows above and below only the middle line is shown.
        if y in self._above_below:
            cell[HEIGHT // 2] = [Ink("─", "label")] * width
        if x in self._left_right:
            west = x == self._left_right[0]
            for line in cell:
                line[:] = [Ink()] * width
                line[-1 if west else 0] = Ink("│", "label")
            if y in self._above_below:
                corner = "┌┐└┘"[2 * (y != self._above_below[0]) + (not west)]
                cell[HEIGHT // 2][-1 if west else 0] = Ink(corner, "label")
        sign = self._spaces.get((x, y), "")
        start = (width - len(sign)) // 2
        for place, char in enumerate(sign, start):
            cell[HEIGHT // 2][place] = Ink(char, _INKS[char.upper()])
        return cell


def board_text(
    position: Position,
    *,
    last: Played | None = None,
    notation: Notation = "standard",
    threats: Threats | None = None,
    colour: bool = False,
    width: int = 80,
) -> str:
    """Draw a position.

    Parameters
    ----------
    position : Position
        The position. If the game is won, the winner's loop or line is marked.
    last : Played or None
        The last turn, whose tiles are marked.
    notation : str
        The names of columns and rows, as in :func:`.board_svg`.
    threats : Threats or None
        The threats of the position, to be marked.
    colour : bool
        Whether to add ANSI colours. The characters are the same.
    width : int
        The characters per line. Tiles are drawn as wide as fits. A formation that does not fit is
        cut to the columns around the last turn, and a last line tells it.

    Returns
    -------
    str
        Lines without trailing blanks, each ended by a line feed.
    """
    columns, rows = _labels(position)
    view = View.of(position, last)
    named_columns, named_rows = column_names(view, notation), row_names(view, notation)
    margin = len(str(rows[-1])) + 2
    spare = width - 2 * margin - sum(not _inside(number, columns) for number in columns) * BORDER
    inner = sum(_inside(number, columns) for number in columns)
    tile_width = next((wide for wide in WIDTHS if wide * inner <= spare), WIDTHS[-1])
    own = (last.tiles[0].x, last.tiles[0].y) if last else None
    focus = own[0] - position.west + 1 if own else len(columns) // 2
    shown = columns
    if tile_width * inner > spare:
        shown = _window(columns, max(1, (width - 2 * margin) // tile_width), focus)
    widths = {number: tile_width if _inside(number, columns) else BORDER for number in shown}
    marks = Marks(position, view, threats)

    west, north = view.box.west - 1, view.box.north - 1
    if not view.tiles:
        west, north = 0, 0
    letters = "".join(named_columns.get(west + n, "").center(widths[n]) for n in shown)
    heading = paint([Ink(char, "label") for char in " " * margin + letters], colour)
    lines = [heading]
    for row in rows:
        cells = [marks.draw(west + column, north + row, widths[column]) for column in shown]
        name = named_rows.get(north + row, "")
        for line in range(HEIGHT) if _inside(row, rows) else (HEIGHT // 2,):
            named = name if line == HEIGHT // 2 else ""
            inks = [Ink(char, "label") for char in named.rjust(margin - 1) + " "]
            inks += [ink for cell in cells for ink in cell[line]]
            inks += [Ink(char, "label") for char in " " + named]
            lines.append(paint(inks, colour))
    lines.append(heading)
    if shown != columns:
        seen = [named_columns[west + n] for n in shown if west + n in named_columns]
        names = list(named_columns.values())
        cut = f"{seen[0]} to {seen[-1]} of {names[0]} to {names[-1]}"
        lines.append(f"(columns {cut}: the terminal is narrow)")
    return "\n".join(lines) + "\n"


def board_ascii(
    position: Position,
    *,
    last: Played | None = None,
    notation: Notation = "standard",
    threats: Threats | None = None,
    width: int = 80,
) -> str:
    """Draw a position as :func:`.board_text` does, in printable ASCII characters only."""
    drawing = board_text(position, last=last, notation=notation, threats=threats, width=width)
    return drawing.translate(_ASCII)


class Ink(NamedTuple):
    """One character of the drawing, with the names of its colour and of its ground."""

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
    # Where tracks cross, the upright one bridges the other; a ribbon is on top.
    tracks = [(colour is ribbon, tile.edges(colour) == _UPRIGHT, colour) for colour in Colour]
    for _, _, colour in sorted(tracks):
        for column, line, sides in _strokes(tile.edges(colour), width):
            char = _RIBBON if colour is ribbon else _LINES[colour][sides]
            drawing[line][column] = Ink(char, _NAMES[colour], ground)
    if ground in CORNERS:
        mark_corners(drawing, ground, ground)
        if order:
            drawing[0][0] = Ink(order, "mark", ground)
    return drawing


def mark_corners(drawing: list[list[Ink]], name: str, ground: str = "") -> None:
    """Mark the corners of a space with the characters of this name in :data:`CORNERS`."""
    places = [(0, 0), (0, -1), (-1, 0), (-1, -1)]
    for (line, column), char in zip(places, CORNERS[name], strict=True):
        drawing[line][column] = Ink(char, "mark", ground)


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
