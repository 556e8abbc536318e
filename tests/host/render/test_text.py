"""Boards in characters."""

import re

import pytest

from loopline.game import MINI, Colour, Position, Side, limited
from loopline.host.render.text import board_ascii, board_text
from tests.host.positions import (
    BOTH_GAME,
    FORCED_GAME,
    ORDERED_GAME,
    position_after,
    random_position,
)

EMPTY = """\
    @
 0  ·  0
    @
"""

FIRST = """\
    @    A    B
 0       ·       0
      ┌ ╔╝  ┐
 1  · ══╝ ┏━━ ·  1
      └  ┏┛ ┘
 2       ·       2
    @    A    B
"""

FORCED = """\
    @    A      B    C
 0       ·      ·       0
         ║      ║
 1  · ━━━║━━━━━━║━━━ ·  1
         ║      ║
      ·  ╚╗ ·┌ ╔╝  ┐
 2  · ━━┓ ╚════╝ ┏━━ ·  2
      · ┗┓  ·└  ┏┛ ┘
 3       ·      ·       3
    @    A      B    C
"""

LOOP = """\
    @   A    B    C   D
 0      ·    ·           0
      ·┏┛ ·┌ ┗┓┐
 1  · ━┛ ████ ┗━  ·      1
      · ██·└██ ┘
        █    █    ║
 2  · ━━█━━━━█━━━━║━━ ·  2
        █    █    ║
        ██  ██
 3  · ━┓ ████ ┏━  ·      3
       ┗┓    ┏┛
 4      ·    ·           4
    @   A    B    C   D
"""

CUT = """\
     B    C    D   E
 0   ·    ·    ·      0
     ║    ║  ┌ ║ ┐
 1 ━━║━━━━║━━━━║━━ ·  1
     ║    ║  └ ║ ┘
 2   ·    ·    ·      2
     B    C    D   E
(columns B to E of @ to E: the terminal is narrow)
"""


def draw(turns: str, *, width: int = 80, marked: bool = True, colour: bool = False) -> str:
    position = position_after(turns)
    last = position.history[-1] if marked and turns else None
    return board_text(position, last=last, width=width, colour=colour)


def test_empty_board() -> None:
    assert draw("") == EMPTY


def test_first_turn() -> None:
    assert draw("@0/") == FIRST


def test_last_turn_and_its_forced_tile_are_marked() -> None:
    assert draw(FORCED_GAME) == FORCED


def test_without_the_last_turn_nothing_is_marked() -> None:
    unmarked = draw(FORCED_GAME, marked=False).splitlines()
    assert unmarked[5] == "         ╚╗    ╔╝"
    assert unmarked[7] == "        ┗┓      ┏┛"
    assert not re.search("[┌┐└┘]", "".join(unmarked))


def test_winners_loop_is_a_ribbon_and_tiles_are_narrow_where_wide_ones_do_not_fit() -> None:
    assert draw("@0+ B1+ B2/ C1+ B0\\", width=32) == LOOP


def test_only_the_winners_track_is_a_ribbon_when_both_colours_complete_one() -> None:
    position = position_after(BOTH_GAME)
    assert position.result is not None
    assert position.result.both
    tracks = position.winning_tracks()
    assert tracks.keys() == set(Colour)
    # A curve takes four characters of five by three, a straight one five or three.
    ribbon = draw(BOTH_GAME, width=40).count("█")
    assert 3 * len(tracks[Colour.RED]) <= ribbon <= 5 * len(tracks[Colour.RED])


def test_formation_that_does_not_fit_is_cut_to_the_columns_around_the_last_turn() -> None:
    assert draw("@0+ B1+ C1+ D1+", width=26) == CUT


@pytest.mark.parametrize("seed", range(20))
def test_colours_change_no_character(seed: int) -> None:
    position = random_position(seed, 30)
    last = position.history[-1]
    plain = board_text(position, last=last, width=120)
    painted = board_text(position, last=last, width=120, colour=True)
    assert "\x1b[" not in plain
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()
    for line in painted.splitlines():
        assert "\x1b[" not in line or line.endswith("\x1b[0m")


@pytest.mark.parametrize("seed", range(20))
def test_every_edge_of_every_tile_shows_its_colour(seed: int) -> None:
    position = random_position(seed, 25)
    drawn = board_text(position, width=300).splitlines()
    ribbon = position.result.winner if position.result else None
    margin = len(str(position.height + 1)) + 2
    strokes = {Colour.WHITE: "║═╚╔╗╝█", Colour.RED: "┃━┗┏┓┛█"}
    edges = 0
    for x, y, tile in position.cells():
        column, row = position.label(x, y)
        left, top = margin + 3 + 7 * (column - 1), 2 + 3 * (row - 1)
        ends = {
            Side.NORTH: (top, left + 3),
            Side.EAST: (top + 1, left + 6),
            Side.SOUTH: (top + 2, left + 3),
            Side.WEST: (top + 1, left),
        }
        for side, (line, place) in ends.items():
            colour = tile.colour(side)
            assert drawn[line][place] in strokes[colour], (x, y, side)
            assert drawn[line][place] != "█" or colour is ribbon
            edges += 1
    assert edges == 4 * position.tiles


def test_no_line_is_longer_than_the_terminal_and_none_ends_in_blanks() -> None:
    position = random_position(3, 40)
    for width in range(30, 130, 7):
        for line in board_text(position, last=position.history[-1], width=width).splitlines():
            assert line == line.rstrip()
            assert len(line) <= max(width, 52)  # the note on the columns is 52 long at most


def test_labels_beyond_z() -> None:
    turns = "@0+ " + " ".join(f"{'ABCDEFGH'[n]}1+" for n in range(1, 7))
    position = position_after(turns)
    assert position.result is None
    for _ in range(20):  # columns of tiles to the left until there are more than 26
        position.play("@1/" if position.is_legal("@1/") else "@1\\")
    heading = board_text(position, width=300).splitlines()[0]
    assert heading.split()[:2] == ["@", "A"]
    assert heading.split()[-3:] == ["Z", "AA", "AB"]


def test_terminal_too_narrow_for_the_only_column_that_a_turn_can_name() -> None:
    position = Position(limited(1))
    position.play("@0+")
    assert board_text(position, width=5).splitlines()[-1].startswith("(columns A to A of A to A: ")


def test_order_of_several_forced_tiles() -> None:
    drawn = draw(ORDERED_GAME).splitlines()
    # The turn's own tile is C1; it forces D1, then B1, then A1.
    assert drawn[2] == "      3 ┏┛  ·2 ╔╝  ·┌  ╚╗ ┐1  ┗┓ ·"


def test_columns_and_rows_as_before_1998() -> None:
    assert board_text(Position(), notation="old").split() == ["A", "1", "·", "1", "A"]
    standard, old = (
        board_text(position_after("@0/ B1+"), notation=notation).splitlines()
        for notation in ("standard", "old")
    )
    assert standard[0].split() == ["@", "A", "B", "C"]
    assert old[0].split() == ["A", "B", "C"]
    assert old[0][5:] == standard[0][5:]
    assert standard[1].split()[0] == "0"
    assert old[1].split()[0] == "·"
    assert old[2:-2] == standard[2:-2]


def test_nothing_is_named_and_no_dot_stands_beyond_a_limited_area() -> None:
    position = Position(MINI)
    for turn in "@0+ B1+ C1+".split():
        position.play(turn)
    drawn = board_text(position).splitlines()
    assert drawn[0].split() == ["A", "B", "C"]
    assert [line.split()[0] for line in drawn[1:-1]] == ["0", "│", "1", "│", "2"]
    assert drawn[3].startswith(" 1   │━━━║")


def test_the_border_of_a_limited_area_where_it_is_full() -> None:
    position = Position(limited(4))
    drawings = []
    for turn in "@0+ B1+ C1+ D1+ C0+ C0+ B4+".split():
        position.play(turn)
        drawings.append(board_text(position).splitlines())
    part, wide, full = drawings[2], drawings[3], drawings[6]
    assert not any({*line} & {*"│─"} for line in part)
    # Four columns: a border to the left and to the right, but neither above nor below.
    assert all(line[5] == line[34] == "│" for line in wide[1:-1])
    assert not any("─" in line for line in wide)
    # And four rows.
    assert (full[1], full[-2]) == (f"{'':5}┌{'─' * 28}┐", f"{'':5}└{'─' * 28}┘")
    assert board_ascii(position).splitlines()[1] == f"{'':5}+{'-' * 28}+"


@pytest.mark.parametrize("seed", range(10))
def test_ascii_is_ascii_and_has_the_shape_of_the_text(seed: int) -> None:
    position = random_position(seed, 30)
    last = position.history[-1]
    drawn = board_ascii(position, last=last, width=120)
    assert drawn.isascii()
    assert all(char.isprintable() or char == "\n" for char in drawn)
    text = board_text(position, last=last, width=120)
    blank = [[char == " " for char in line] for line in text.splitlines()]
    assert [[char == " " for char in line] for line in drawn.splitlines()] == blank


def test_ascii_tells_the_colours_apart() -> None:
    white_upright = board_ascii(position_after("@0+")).splitlines()[3]
    assert white_upright == " 1  : ---#--- :  1"
