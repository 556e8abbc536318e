"""Proofs of the facts that the gateware relies on, over everything that tiles can make on a board.

The rules are those of ``rules_spec.py`` beside this file, not the gateware's. A board is four by
four cells, or five by five, with any tiles that match, be it a position that can arise or not,
unless a proof says what it assumes. What is proved of one tile or one forced play holds for turns
of any length.

Each proof is given the rule or the function that it is about, so that it can be given a wrong one.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from amaranth.asserts import AnyConst
from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from loopline.game import Colour, Side, Tile
from loopline.hdl.config import GridConfig
from loopline.hdl.core import box as box_module
from loopline.hdl.core.types import box_layout, cell_layout, is_occupied, place_layout
from tests.hdl.core.proofs.rules_spec import Board, any_board, any_of, beside, count
from tests.hdl.support_formal import finds_it, prove

GRID = GridConfig(size=8)
SMALL = 4
"""Columns and rows of the board."""

sizes = pytest.mark.parametrize("size", [SMALL, pytest.param(5, marks=pytest.mark.slow)])


def one_of(m, places, name):
    """Any one of some places: for each of them whether it is that."""
    number = AnyConst(range(len(places)))
    m.d.comb += Assume(number < len(places))
    chosen = {}
    for index, place in enumerate(places):
        chosen[place] = Signal(name=f"{name}_{index}")
        m.d.comb += chosen[place].eq(number == index)
    return chosen


def of(chosen, value):
    """What ``value`` has for the chosen place."""
    result = Const(0)
    for place, condition in chosen.items():
        result = result | Mux(condition, Value.cast(value(place)), 0)
    return result


def sound_board(m, size, *, settled=False):
    """Any board; if so asked, one that a turn may end with."""
    board = any_board(m, size, size)
    m.d.comb += Assume(board.is_sound())
    if settled:
        m.d.comb += Assume(board.is_settled())
    return board


def any_tile(m):
    """Any oriented tile."""
    tile = AnyConst(4)
    m.d.comb += Assume(any_of(tile == code for code in Tile))
    return tile


def neighbours(board, place):
    """The sides of a place where there is a tile."""
    return Cat(board.taken(beside(place, side)) for side in Side)


# The box: a space outside of it has one neighbour, so that only the first tile of a turn changes
# it.


def forced_plays_keep_the_box(size, is_forced=Board.is_forced, kind=Board):
    m = Module()
    board = kind(m, sound_board(m, size).tiles, name="box")
    at = one_of(m, board.places, "at")
    inside, forced, beside_it = Signal(), Signal(), Signal(4)
    m.d.comb += [
        inside.eq(of(at, board.inside)),
        forced.eq(of(at, lambda place: is_forced(board, place))),
        beside_it.eq(of(at, lambda place: neighbours(board, place))),
        Assert(inside | (count(beside_it) <= 1)),
        Assert(~forced | inside),
    ]
    after = board.with_tile(m, at, any_tile(m), name="after")
    with m.If(forced):
        for lines in (Board.columns, Board.rows):
            before_it, after_it = lines(board), lines(after)
            for number in range(size):
                m.d.comb += [
                    Assert(any_of(before_it[:number]) == any_of(after_it[:number])),
                    Assert(any_of(before_it[number:]) == any_of(after_it[number:])),
                ]
    prove(m, cycles=1)


class ForgetsARow(Board):
    """Its box lacks the uppermost row."""

    def rows(self):
        rows = super().rows()
        return [row & any_of(rows[:number]) for number, row in enumerate(rows)]


# Between turns: one socket of each colour, which names the track that ends there.


def sockets_name_tracks(size, is_settled=Board.is_settled):
    m = Module()
    board = sound_board(m, size)
    m.d.comb += Assume(is_settled(board))
    at = one_of(m, board.places, "at")
    space = Signal()
    m.d.comb += space.eq(of(at, board.is_space))
    for colour in Colour:
        sockets = Signal(4, name=f"sockets_{colour.name.lower()}")
        m.d.comb += sockets.eq(of(at, lambda place, colour=colour: board.sockets(place, colour)))
        with m.If(space):
            m.d.comb += Assert(count(sockets) <= 1)
    with m.If(space):
        m.d.comb += Assert(count(of(at, lambda place: neighbours(board, place))[:4]) <= 2)
    prove(m, cycles=1)


# The word of a space in the cell map is never taken for a tile's.


def spaces_do_not_look_like_tiles(size, is_tile=is_occupied):
    m = Module()
    board = sound_board(m, size)
    at = one_of(m, board.places, "at")
    cell = Signal(cell_layout(GRID))
    m.d.comb += [
        cell.white.eq(of(at, lambda place: board.white[place])),
        cell.red.eq(of(at, lambda place: board.red[place])),
        Assert(~is_tile(cell)),
    ]
    prove(m, cycles=1)


# The first tile of a turn joins no two ends of a colour, so alone it makes no loop.


def first_tile_joins_nothing(size, settled=True):
    m = Module()
    board = sound_board(m, size, settled=settled)
    at, tile = one_of(m, board.places, "at"), any_tile(m)
    m.d.comb += Assume(of(at, lambda place: board.is_space(place) & board.fits(place, tile)))
    met = Signal(4)
    m.d.comb += met.eq(of(at, lambda place: neighbours(board, place)))
    for edges in (tile, ~tile):
        # One of the colour's two edges leads out of the tile into an empty cell.
        m.d.comb += Assert((edges & ~met)[:4].any())
    prove(m, cycles=1)


# A loop or line that a tile makes goes through that tile.


def others_stay_as_they_are(size, colour=Colour.WHITE, through=False):
    m = Module()
    board = sound_board(m, size)
    at, tile = one_of(m, board.cells, "at"), any_tile(m)
    m.d.comb += Assume(of(at, lambda place: board.is_space(place) & board.fits(place, tile)))
    after = board.with_tile(m, at, tile, name="after")
    # Any set of tiles that no track of this colour leaves: whole tracks, one or more.
    tracks = {cell: AnyConst(1) for cell in board.cells}
    for cell in board.cells:
        if not through:
            m.d.comb += Assume(~(at[cell] & tracks[cell]))
        m.d.comb += Assume(after.taken(cell) | ~tracks[cell])
        for side in (Side.EAST, Side.SOUTH):
            other = beside(cell, side)
            if other in tracks:
                linked = after.edges(cell, colour)[side] & after.edges(other, colour)[side ^ 2]
                m.d.comb += Assume(~linked | (tracks[cell] == tracks[other]))
    for side in Side:
        ends, lasts = {}, {}
        for position in (board, after):
            open_edges = [
                tracks[cell]
                & position.edges(cell, colour)[side]
                & ~position.taken(beside(cell, side))
                for cell in board.cells
            ]
            ends[position] = Cat(open_edges)
            lasts[position] = Cat(
                is_open & position.outermost(cell, side)
                for cell, is_open in zip(board.cells, open_edges, strict=True)
            )
        m.d.comb += [
            # The same ends, none of which has come to lead out of the box.
            Assert(ends[board] == ends[after]),
            Assert((lasts[after] & ~lasts[board]) == 0),
        ]
    prove(m, cycles=1)


# Forced plays: one tile or none fits, and which is made first does not matter.


def a_forced_tile_is_one_tile(size, is_forced=Board.is_forced, tile_of=Board.forced_tile):
    m = Module()
    board = sound_board(m, size)
    at = one_of(m, board.places, "at")
    m.d.comb += Assume(of(at, lambda place: is_forced(board, place)))
    tile, illegal, met = Signal(4), Signal(), Signal(4)
    fitting = [of(at, lambda place, code=code: board.fits(place, Const(code, 4))) for code in Tile]
    m.d.comb += [
        tile.eq(of(at, lambda place: tile_of(board, place))),
        illegal.eq(of(at, lambda place: board.most(place, 3))),
        met.eq(of(at, lambda place: neighbours(board, place))),
        Assert(sum(fitting) == ~illegal),
    ]
    pairs = []
    for colour, edges in ((Colour.WHITE, tile), (Colour.RED, ~tile)):
        sockets = of(at, lambda place, colour=colour: board.sockets(place, colour))
        pair = Signal(name=f"pair_{colour.name.lower()}")
        m.d.comb += pair.eq(count(sockets[:4]) == 2)
        pairs.append(pair)
        with m.If(pair & ~illegal):
            # It joins the pair; what it leaves open, at most two edges, is of the other colour.
            m.d.comb += [Assert(edges[:4] == sockets[:4]), Assert((edges & ~met)[:4] == 0)]
    m.d.comb += Assert(illegal | any_of(pairs))
    prove(m, cycles=1)


def order_does_not_matter(size, is_forced=Board.is_forced, tile_of=Board.forced_tile):
    """Of two forced plays, either leaves the other forced, with the same tile, or is illegal; and
    what is forced or illegal stays so until it is filled. So all sequences of forced plays end
    with the same tiles, or all of them come to an illegal space."""
    m = Module()
    board = sound_board(m, size)
    one, other, third = (one_of(m, board.places, name) for name in ("one", "other", "third"))
    for place in board.places:
        m.d.comb += [Assume(~(one[place] & (other[place] | third[place])))]
    forced = [of(chosen, lambda place: is_forced(board, place)) for chosen in (one, other)]
    m.d.comb += [Assume(forced[0] & forced[1]), Assume(~board.is_illegal())]
    tiles = []
    for chosen in (one, other):
        tile = Signal(4, name=f"tile{len(tiles)}")
        m.d.comb += tile.eq(of(chosen, lambda place: tile_of(board, place)))
        tiles.append(tile)
    first = board.with_tile(m, one, tiles[0], name="first")
    second = board.with_tile(m, other, tiles[1], name="second")
    # The other one is still to be made, as it was.
    again = Signal(4)
    m.d.comb += again.eq(of(other, lambda place: tile_of(first, place)))
    spoilt = of(other, lambda place: first.most(place, 3))
    m.d.comb += [
        Assert(of(other, lambda place: is_forced(first, place))),
        Assert(spoilt | (again == tiles[1])),
    ]
    # So both orders lead to the same tiles, and one is illegal where the other is.
    for number in (2, 3):
        m.d.comb += Assert(
            ~of(third, lambda place, number=number: board.most(place, number))
            | of(third, lambda place, number=number: first.most(place, number))
        )
    met_as_well = of(one, lambda place: second.most(place, 3))
    m.d.comb += Assert(spoilt == met_as_well)
    both = first.with_tile(m, other, tiles[1], name="both")
    turned = second.with_tile(m, one, tiles[0], name="turned")
    with m.If(~spoilt):
        m.d.comb += [
            Assert(both.is_sound()),
            Assert(Cat(both.tiles.values()) == Cat(turned.tiles.values())),
        ]
    prove(m, cycles=1)


def lowest_tile(board, place):
    """Of the tiles that fit, that of the lowest number."""
    result = Const(0, 4)
    for code in sorted(Tile, reverse=True):
        result = Mux(board.fits(place, Const(code, 4)), Const(code, 4), result)
    return result


FAULTS = {
    forced_plays_keep_the_box: {
        "every space is forced": {"is_forced": Board.is_space},
        "the box lacks a row": {"kind": ForgetsARow},
    },
    sockets_name_tracks: {
        "forced plays are left": {"is_settled": lambda board: ~board.is_illegal()}
    },
    spaces_do_not_look_like_tiles: {
        "two sockets": {"is_tile": lambda cell: cell.white[0] & cell.red[1]}
    },
    first_tile_joins_nothing: {"forced plays are left": {"settled": False}},
    others_stay_as_they_are: {"through the tile": {"through": True}},
    a_forced_tile_is_one_tile: {
        "one socket forces": {"is_forced": Board.is_space},
        "the other colour": {"tile_of": lambda board, place: ~board.forced_tile(place)},
    },
    order_does_not_matter: {
        "one socket forces": {"is_forced": Board.is_space, "tile_of": lowest_tile},
        "not if there is a third tile": {
            "is_forced": lambda board, place: (
                board.is_forced(place) & (count(neighbours(board, place)) < 3)
            )
        },
    },
}
"""The facts, and what each proof is given in place of what it is about, which it has to find."""


def _marks(fact):
    """This one takes longest."""
    return pytest.mark.slow if fact is order_does_not_matter else ()


@sizes
@pytest.mark.parametrize(
    "fact", [pytest.param(fact, marks=_marks(fact), id=fact.__name__) for fact in FAULTS]
)
def test_fact(fact, size):
    fact(size)


@sizes
def test_other_tracks_of_red_stay_as_they_are(size):
    others_stay_as_they_are(size, Colour.RED)


@pytest.mark.parametrize(
    ("fact", "fault"),
    [
        pytest.param(fact, fault, marks=_marks(fact), id=f"{fact.__name__}: {name}")
        for fact, faults in FAULTS.items()
        for name, fault in faults.items()
    ],
)
def test_proof_finds_a_fault(fact, fault):
    with finds_it:
        fact(SMALL, **fault)


# Ends and lines: two ends by the places of their spaces tell what the tiles tell.


LINE = 3
"""How long a line is in this proof: the boards are small."""


def ends_tell_lines(size, colour, length=LINE):
    m = Module()
    board = sound_board(m, size)
    grid = GridConfig(size=8)
    box = Signal(box_layout(grid))
    # The board's first column is the torus' last but one: the box reaches over its edge.
    for lines, low, high in (
        (board.columns(), box.west, box.east),
        (board.rows(), box.north, box.south),
    ):
        for order, edge in ((reversed(range(size)), low), (range(size), high)):
            for number in order:
                with m.If(lines[number]):
                    m.d.comb += edge.eq((number + 6) % 8)
    exits, leaving = [], []
    for name in ("one", "other"):
        end = one_of(m, board.places, name)
        place = Signal(place_layout(grid), name=f"{name}_place")
        m.d.comb += [
            place.x.eq(of(end, lambda at: Const((at[0] + 6) % 8, 3))),
            place.y.eq(of(end, lambda at: Const((at[1] + 6) % 8, 3))),
            # A track of this colour ends here, and one only.
            Assume(of(end, lambda at: ~board.taken(at) & (count(board.sockets(at, colour)) == 1))),
        ]
        exits.append(box_module.exit_sides(box_module.beside_of(box), place))

        def out(at, side):
            """Whether the end at a place leaves the last tile in that direction on this side."""
            inner = beside(at, side.opposite)
            return board.sockets(at, colour)[side.opposite] & board.outermost(inner, side)

        sides = Signal(4, name=f"{name}_sides")
        m.d.comb += sides.eq(Cat(of(end, lambda at, side=side: out(at, side)) for side in Side))
        leaving.append(sides)
        m.d.comb += Assert(exits[-1] == sides)
    one, other = leaving
    line = Signal()
    for lines, low, high in (
        (board.columns(), Side.WEST, Side.EAST),
        (board.rows(), Side.NORTH, Side.SOUTH),
    ):
        long = any_of(
            lines[first] & lines[last]
            for first, last in combinations(range(size), 2)
            if last - first >= length - 1
        )
        with m.If(long & ((one[low] & other[high]) | (one[high] & other[low]))):
            m.d.comb += line.eq(1)
    long = box_module.is_long(box, box_module.LINE_LENGTH)
    m.d.comb += Assert(box_module.completes_line(long, *exits) == line)
    prove(m, cycles=1)


@pytest.fixture
def short_lines(monkeypatch):
    """Lines that a small board is long enough for."""
    monkeypatch.setattr(box_module, "LINE_LENGTH", LINE)


@sizes
@pytest.mark.parametrize("colour", Colour, ids=str)
def test_ends_tell_lines(short_lines, size, colour):
    ends_tell_lines(size, colour)


def faulty_exits(beside, place):
    """Takes the last row for the one beyond it."""
    exits = real_exit_sides(beside, place)
    return Cat(exits[:2], place.y == (beside[Side.SOUTH] - 1)[:3], exits[3])


def faulty_crossing(first, second, side):
    """Takes two ends on one side for a crossing."""
    return first[side] & second[side]


real_exit_sides = box_module.exit_sides
LINE_FAULTS = {
    "a row too early": ("exit_sides", faulty_exits),
    "there and back": ("crosses", faulty_crossing),
    "a cell too long": ("LINE_LENGTH", LINE + 1),
    "a cell too short": ("LINE_LENGTH", LINE - 1),
}


@pytest.mark.parametrize("name", LINE_FAULTS)
def test_line_proof_finds_a_fault(short_lines, monkeypatch, name):
    monkeypatch.setattr(box_module, *LINE_FAULTS[name])
    with finds_it:
        ends_tell_lines(SMALL, Colour.WHITE)
