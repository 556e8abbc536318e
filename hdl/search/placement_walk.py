"""Placement walk: finds the next placement of a node, in the order of the search."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import exit_sides, leaves
from loopline.hdl.core.client import PositionReader
from loopline.hdl.core.rules import is_limited, rules_layout
from loopline.hdl.core.tile import TileFit, first_of
from loopline.hdl.core.types import ShapeCode, turn_layout
from loopline.hdl.search.config import FIRST_WALK, SearchConfig
from loopline.hdl.search.track_scan import near_layout
from loopline.hdl.search.types import STAGE_BITS, optional_move_layout, span_layout

__all__ = ["PlacementWalk", "found_layout", "walk_layout"]


def walk_layout(grid: GridConfig) -> data.StructLayout:
    """A cursor: where to look for the next placement.

    - ``stage``: 0 to 2 for the move of the transposition table and the killers, 3 or more for a
      stage in which the frontier table is read.
    - ``index``, ``symbol``: in a stage of 3 or more, the first placement that counts; a ``symbol``
      of 3 is before the next index. 0 in other stages.
    - ``every``: find all placements, in the order of the frontier table. ``stage`` is ignored.
    - ``answers``: only placements near the attacks. Not with ``every``.
    """
    return data.StructLayout(
        {
            "stage": STAGE_BITS,
            "index": grid.index_bits,
            "symbol": 2,
            "every": 1,
            "answers": 1,
        }
    )


def found_layout(grid: GridConfig) -> data.StructLayout:
    """A placement and its stage, or none if not ``found``. After ``every`` the stage is not
    valid."""
    return data.StructLayout({"found": 1, "stage": STAGE_BITS, "turn": turn_layout(grid)})


class PlacementWalk(wiring.Component):
    """Finds the first placement at a cursor or after it, in the order of docs/search.md: the move
    of the transposition table, the killers, and the other placements by their distance from the
    last two turns.

    ::

                ┌────────┐ index  ┌────────┐  entry  ┌────────┐ distances ┌────────┐
        job ─┬─►│  LOOK  ├───────►│  READ  ├────────►│ MATCH  ├──────────►│ DECIDE ├──► result
             │  └────────┘        └────────┘         └────────┘           └────────┘
             │   cell of           an entry of        does a tile          its stage;
             │   a move            the table          fit? where?          is it the first?
             └────── index ──────────► ▲

    A move of stage 0 to 2 is looked for by the frontier index in its cell. Only a space in use has
    an entry with the place of the move, so an entry with another place says that the move does not
    fit here.

    From stage 3 on the frontier table is read from the cursor on, for the rest of the cursor's
    stage; and then once more, for all later stages at the same time: of each of them the first
    placement could be the next one, so the walk remembers the one of the lowest stage. It ends with
    the first placement of the lowest stage that there can be.

    Latency, from the transfer of the job to the cycle in which the result is valid. ``n`` valid
    moves of stage 0 to 2 are looked for, ``index`` is the cursor's, and ``high`` the number of
    entries. ``found`` is the frontier index of the result:

    ====================================================  =====================================
    found                                                 cycles
    ====================================================  =====================================
    the ``k``-th move, from 1 on                          3 + k
    in the cursor's stage, or after ``every``             3 + found - index
    in the next stage                                     3 + (high - index) + found
    later, or none                                        2 + (high - index) + high
    none, and the cursor's stage is the last, or          2 + high - index
    ``every``
    ====================================================  =====================================

    A cursor in stages 0 to 2, and that of stage 3 with index 0 and shape 0, have no rest of a
    stage before them. In the lines from "in the next stage" on, stage 3 is then the next stage, and
    ``high - index`` is ``n + 1``, or 0 if ``n`` is 0. An empty table counts as one entry.

    Parameters
    ----------
    config : SearchConfig
        The grid, the number of stages (``locality``), and the distance from attacks of what is
        tried as an answer (``quiescence_radius``, 0 for all).

    Members
    -------
    jobs : In(stream of walk_layout), may_begin : In(1)
        The cursor. All other inputs hold from its offer to the result. ``may_begin`` is high
        whenever a job is on offer: that one is may be known late.
    results : Out(stream of found_layout)
        One for each job; its turn stays until the next job. To find the next placement after it,
        continue with its stage, its turn's index, and its turn's symbol + 1; after a stage of 0 to
        2 with the next stage and 0.
    table, first, second : In(optional_move_layout)
        The moves of stages 0 to 2. They are passed over later.
    near : In(near_layout)
        Where the attacks are, without the radius.
    turns : In(span_layout), two
        The last two turns.
    rules : In(rules_layout)
        The variant that is played.
    reader : Out(PositionReader)
        The position. The walk is active from the transfer of a job to the result, and while one
        may begin.
    """

    def __init__(self, config: SearchConfig):
        self._locality = config.pruning.locality
        self._radius = config.pruning.quiescence_radius
        self._grid = grid = config.grid
        super().__init__(
            {
                "jobs": In(stream.Signature(walk_layout(grid))),
                "may_begin": In(1),
                "results": Out(stream.Signature(found_layout(grid))),
                "table": In(optional_move_layout(grid)),
                "first": In(optional_move_layout(grid)),
                "second": In(optional_move_layout(grid)),
                "near": In(near_layout(grid)),
                "turns": In(span_layout(grid)).array(2),
                "rules": In(rules_layout(grid)),
                "reader": Out(PositionReader(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid, reader, job = self._grid, self.reader, self.jobs.payload
        moves = (self.table, self.first, self.second)
        result = self.results.payload

        # The job: it is under way, the table is still to be read, ``every``, ``answers``. The
        # first distance after the cursor's stage.
        walking = Signal()
        reading = Signal()
        every = Signal()
        answers = Signal()
        floor = Signal(range(self._locality + 2))
        # A job begins, which is known late; until then all is as if one began.
        begin = Signal()
        active = Signal()
        finish = Signal()
        m.d.comb += [
            self.jobs.ready.eq(~walking & ~self.results.valid),
            begin.eq(self.jobs.valid & self.jobs.ready),
            active.eq(begin | walking),
        ]
        # There is no rest of a stage to be read first.
        fresh = Signal()
        m.d.comb += fresh.eq(
            (job.stage < FIRST_WALK)
            | ((job.stage == FIRST_WALK) & ~job.index.any() & ~job.symbol.any())
        )

        # LOOK: the cell of one of the moves.
        left = Signal(len(moves))
        moves_left = Signal(len(moves))
        looked = Signal(len(moves))
        m.d.comb += moves_left.eq(left)
        with m.If(~walking):
            m.d.comb += moves_left.eq(
                Cat(move.valid & (job.stage <= n) & ~job.every for n, move in enumerate(moves))
            )
        look = first_of(moves_left)
        m.d.sync += [left.eq(moves_left & ~look), looked.eq(look & active.replicate(len(moves)))]
        m.d.comb += reader.cells.en.eq(1)
        for n, move in enumerate(moves):
            with m.If(look[n]):
                m.d.comb += [
                    reader.cells.x.eq(move.move.place.x),
                    reader.cells.y.eq(move.move.place.y),
                ]

        # READ: the entry of the cell, or else the next one. ``later``: of the second round, for
        # the stages after the cursor's.
        index = Signal(grid.index_bits)
        now = Signal(grid.index_bits)
        later = Signal()
        now_later = Signal()
        m.d.comb += [now.eq(index), now_later.eq(later)]
        with m.If(~walking):
            m.d.comb += [now.eq(job.index), now_later.eq(fresh & ~job.every)]
        read = Signal()
        ends = Signal()
        following = now + 1
        m.d.comb += [
            read.eq((begin | reading) & ~looked.any() & ~moves_left.any()),
            ends.eq(following >= reader.high),
            reader.active.eq(self.may_begin | walking),
            reader.en.eq(1),
            reader.index.eq(Mux(looked.any(), reader.cells.cell.index[: grid.index_bits], now)),
        ]
        entered = Signal()
        entry_later = Signal(reset_less=True)
        entry_move = Signal(len(moves), reset_less=True)
        entry_index = Signal(grid.index_bits, reset_less=True)
        first_shape = Signal(2, reset_less=True)
        m.d.sync += [
            index.eq(now),
            later.eq(now_later),
            entered.eq(read | looked.any()),
            entry_later.eq(now_later),
            entry_move.eq(looked),
            entry_index.eq(reader.index),
            first_shape.eq(Mux(walking, 0, job.symbol)),
        ]
        with m.If(begin):
            m.d.sync += [walking.eq(1), reading.eq(1), every.eq(job.every), answers.eq(job.answers)]
            m.d.sync += floor.eq(Mux(fresh, 0, job.stage - (FIRST_WALK - 1)))
        with m.If(read):
            m.d.sync += index.eq(following)
            with m.If(ends):
                m.d.sync += index.eq(0)
                m.d.sync += later.eq(1)
                # The stage of the job is the last one.
                last = Mux(
                    walking, floor > self._locality, job.stage == FIRST_WALK + self._locality
                )
                with m.If(now_later | last | Mux(walking, every, job.every)):
                    m.d.sync += reading.eq(0)

        # MATCH: the shapes of a new placement here; how far it is from the last turns.
        entry = reader.entry
        self._match(m, moves, first_shape)
        bits = grid.coord_bits
        relative = data.StructLayout({"x": bits, "y": bits})
        here = Signal(relative)
        m.d.comb += [
            here.x.eq(entry.place.x - reader.edges.beside[Side.WEST]),
            here.y.eq(entry.place.y - reader.edges.beside[Side.NORTH]),
        ]
        outside = is_limited(self.rules) & leaves(
            reader.edges.area_full, exit_sides(reader.edges.beside, entry.place)
        )
        matched = Signal()
        inside = Signal()
        place = Signal(relative, reset_less=True)
        match_later = Signal(reset_less=True)
        match_move = Signal(len(moves), reset_less=True)
        turn = Signal(turn_layout(grid), reset_less=True)
        m.d.sync += [
            matched.eq(entered),
            inside.eq(~outside),
            place.eq(here),
            match_later.eq(entry_later),
            match_move.eq(entry_move),
            turn.x.eq(entry.place.x),
            turn.y.eq(entry.place.y),
            turn.index.eq(entry_index),
        ]
        apart = self._measure(m, here)

        # DECIDE: the first shape that counts; the first placement, or the one with the lowest stage
        # so far.
        one = match_move.any()
        fits = Signal()
        shape = Signal(ShapeCode)
        self._choose(m, moves, match_move, every, fits, shape)
        stage = Signal(STAGE_BITS)
        m.d.comb += stage.eq(
            Mux(one, Cat(match_move[1], match_move[2]), (apart + FIRST_WALK)[:STAGE_BITS])
        )
        counts = Signal()
        at_once = Signal()
        better = ~result.found | (stage < result.stage)
        m.d.comb += [
            counts.eq(
                one | every | Mux(match_later, (apart >= floor) & better, apart + 1 == floor)
            ),
            at_once.eq(one | every | ~match_later | (apart == floor)),
        ]
        near = self._is_near(m, place) | ~answers
        hit = walking & matched & fits & inside & near & counts
        m.d.comb += finish.eq(walking & ((hit & at_once) | (~reading & ~entered)))
        with m.If(begin):
            m.d.sync += result.found.eq(0)
        with m.If(hit):
            m.d.sync += [result.found.eq(1), result.stage.eq(stage), result.turn.eq(turn)]
            m.d.sync += result.turn.symbol.eq(shape)
        with m.If(self.results.ready):
            m.d.sync += self.results.valid.eq(0)
        with m.If(finish):
            m.d.sync += [
                self.results.valid.eq(1),
                *(flag.eq(0) for flag in (walking, reading, left, looked, entered)),
            ]
        return m

    def _match(self, m: Module, moves: Sequence[data.View], first_shape: Value) -> None:
        """A cycle later: which moves are at the entry's place; which shapes fit the entry and have
        not been found yet."""
        entry = self.reader.entry
        live = (entry.white | entry.red).any()
        self._here = Signal(len(moves), reset_less=True)
        self._fitting = Signal(len(ShapeCode), reset_less=True)
        m.d.sync += self._here.eq(
            Cat(move.valid & (move.move.place == entry.place) for move in moves)
        )
        for code in ShapeCode:
            name = code.name.lower()
            m.submodules[f"fit_{name}"] = fit = TileFit()
            m.d.comb += [fit.white.eq(entry.white), fit.red.eq(entry.red), fit.shape.eq(code)]
            m.d.sync += self._fitting[code.value].eq(fit.fits & live & (first_shape <= code.value))

    def _choose(self, m, moves, match_move, every, fits, shape) -> None:
        """Find the first shape that fits; of the entry of a move its shape only."""
        for code in reversed(ShapeCode):
            table, first, second = (
                same & (move.move.symbol == code)
                for same, move in zip(self._here, moves, strict=True)
            )
            # The entry of a move: 0, 1, 2. Of no move: the shape must be that of none.
            allowed = Mux(
                match_move.any(),
                (table & match_move[0])
                | (~table & (first & match_move[1]))
                | (~table & (second & match_move[2])),
                every | ~(table | first | second),
            )
            with m.If(self._fitting[code.value] & allowed):
                m.d.comb += [fits.eq(1), shape.eq(code)]

    def _is_near(self, m: Module, here: data.View) -> Value:
        """Whether a place, relative to that beside the box's corner, is near all attacks."""
        radius = self._radius
        if radius == 0:
            return Value.cast(1)
        inside = []
        for at, low, high in (
            (here.x, self.near.west, self.near.east),
            (here.y, self.near.north, self.near.south),
        ):
            least = Signal(len(at))
            most = Signal(len(at) + 1)
            m.d.sync += [least.eq(Mux(low < radius, 0, low - radius)), most.eq(high + radius)]
            inside += [at >= least, at <= most]
        return Cat(inside).all()

    def _measure(self, m: Module, here: data.View) -> Value:
        """The distance from the nearer one of the last two turns, a cycle later; ``locality`` if
        it is that or more, or if there is no such turn."""
        far, edges = self._locality, self.reader.edges

        def least(value: Value) -> Value:
            return Mux(value < far, value, far)

        both = []
        for number, turn in enumerate(self.turns):
            sums: list[Value] = []
            for axis, at, low, size, side in (
                ("x", here.x, turn.west, turn.width, Side.WEST),
                ("y", here.y, turn.north, turn.height, Side.NORTH),
            ):
                bits = len(at)
                name = f"turn{number}_{axis}"
                # The turn's first column or row, counted like the place, and the one after its
                # last; how far the place is after both.
                corner = Signal(bits, name=f"{name}_corner")
                after = Signal(bits + 1, name=f"{name}_after")
                offset = Signal(signed(bits + 1), name=f"{name}_offset", reset_less=True)
                beyond = Signal(signed(bits + 2), name=f"{name}_beyond", reset_less=True)
                first = (low - edges.beside[side])[:bits]
                m.d.sync += [
                    corner.eq(first),
                    after.eq(first + size + 1),
                    offset.eq(at - corner),
                    beyond.eq(at - after),
                ]
                # One less than the distance, on either side: ~n is -n - 1.
                before = offset < 0
                steps = Mux(before, ~offset, beyond)[:bits]
                away = Signal(range(far + 1), name=f"{name}_away")
                m.d.comb += away.eq(Mux(before | (beyond >= 0), least(least(steps) + 1), 0))
                sums.append(away)
            apart = Signal(range(far + 1), name=f"turn{number}_apart")
            m.d.comb += apart.eq(Mux(turn.valid, least(sums[0] + sums[1]), far))
            both.append(apart)
        nearer = Signal(range(far + 1))
        m.d.comb += nearer.eq(Mux(both[0] < both[1], both[0], both[1]))
        return nearer
