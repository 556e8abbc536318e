"""Single faults to plant in core, evaluator and link: what an engineer might have got wrong.

Each is a text that stands once in a file, and what stands there instead.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FAULTS", "Fault"]


class Fault(NamedTuple):
    """One fault.

    ``harmless`` says why nothing can find it: the gateware then does what it should all the same.
    """

    file: str
    what: str
    right: str
    wrong: str
    harmless: str = ""


def _in(file: str, *faults: tuple[str, ...]) -> list[Fault]:
    return [Fault(file, *fault) for fault in faults]


FAULTS = [
    *_in(
        "hdl/core/tile.py",
        (
            "two in different halves are not two",
            "(mask[0] & mask[1]) | (mask[2] & mask[3]) | (low & high)",
            "(mask[0] & mask[1]) | (mask[2] & mask[3])",
        ),
        ("the forced tile is red's", "Mux(has_two(white), white,", "Mux(has_two(red), white,"),
        (
            "a space with red sockets is new",
            "((self.white | self.red) == 0)",
            "(self.white == 0)",
        ),
        (
            "attached to the other colour",
            "own = Mux(self.colour, self.red, self.white)",
            "own = Mux(self.colour, self.white, self.red)",
        ),
        ("a space is forced again", " & ~has_two(foreign)", ""),
    ),
    *_in(
        "hdl/core/cells.py",
        ("a bank too many is written", "(target == number)", "(target[1] == number >> 1)"),
        (
            "opposite neighbours swapped",
            "at[1] ^ bool(number >> 1) for at",
            "at[1] ^ (not number >> 1) for at",
        ),
        ("no row is down from 0", "Mux(y1, uppers_y[1], uppers_y[0])", "uppers_y[0]"),
        ("an answer does not stay", "bank.r_en.eq(self.read.en)", "bank.r_en.eq(1)"),
        (
            "one port writes what it would read",
            "Mux(bank.w_en, bank.w_addr, other)",
            "other",
        ),
    ),
    *_in(
        "hdl/core/bank.py",
        ("both banks of a pair are one", "Cat(port.r_addr, half)", "Cat(port.r_addr, 0)"),
    ),
    *_in(
        "hdl/core/spaces.py",
        ("high too low", "indices.next_free == self.high", "indices.next_free > self.high"),
        (
            "released one is not the next",
            "indices.next_free.eq(written)",
            "indices.next_free.eq(indices.next_free)",
        ),
        (
            "a release is not taken back",
            "indices.allocate | indices.unrelease",
            "indices.allocate",
        ),
        ("nothing is freed", "Mux(releases, 0, half[colour])", "half[colour]"),
        (
            "white sockets alone look free",
            "Mux(cell.red.any(), cell.red, ~sides)",
            "cell.red",
        ),
        (
            "the place of a partner is taken for the entry's",
            "Mux(followed, red.data.where, white.data.where)",
            "white.data.where",
        ),
        (
            "tiles are entries",
            "self.write.en & self.write.space",
            "self.write.en",
        ),
    ),
    *_in(
        "hdl/core/memory.py",
        ("high has the first rows", "high.w_addr | first, low.w_addr", "high.w_addr, low.w_addr"),
        (
            "high writes without a grant",
            "Mux(self.grant, high.w_en, low.w_en)",
            "high.w_en | low.w_en",
        ),
    ),
    *_in(
        "hdl/core/box.py",
        (
            "a line of nine",
            "wide = extent(box.west, box.east) >= length - 1",
            "wide = extent(box.west, box.east) >= length",
        ),
        (
            "lines in one order of ends only",
            "(first[side] & second[side.opposite]) | (first[side.opposite] & second[side])",
            "first[side] & second[side.opposite]",
        ),
        ("an area larger by one", "last = (area - 1)[: len(area)]", "last = area"),
        ("east is inside", "Side.EAST: box.east + 1,", "Side.EAST: box.east,"),
        ("no growth to the west", "self.grown.west.eq(self.place.x)\n        ", "()\n        "),
    ),
    *_in(
        "hdl/core/joiner.py",
        (
            "the ends swapped",
            "Mux(join.a.attached, partner, join.a.index)",
            "Mux(join.a.attached, join.a.index, partner)",
        ),
        ("one track of two is journalled", "port.changed.eq(join.b.attached)", "[]"),
        (
            "a line is kept for the next turn",
            "[port.loops.eq(0), lines.eq(0)]",
            "[port.loops.eq(0)]",
        ),
        ("every join of two tracks a loop", "& (first == join.b.index)", ""),
        ("white takes red's partners", "writes & ~join.colour", "writes"),
        ("a line while a turn is unmade", "judged.eq(port.find_lines)", "judged.eq(1)"),
        ("the space has no end of its own", "self.cell.white.any()", "0"),
        ("a pair of two colours", "Mux(self.colour, has[1], has[0])", "has.any()"),
    ),
    *_in(
        "hdl/core/forced.py",
        ("taken twice", "~self.empty & ~taken", "~self.empty"),
    ),
    *_in(
        "hdl/core/journal.py",
        (
            "a full journal overwrites",
            "(self.push_track | self.push_tile) & ~full",
            "self.push_track | self.push_tile",
        ),
        (
            "the entry below the top",
            "Mux(self.pop, self.level - 2, less)",
            "Mux(self.pop, self.level - 2, self.level - 2)",
        ),
        (
            "tracks are pushed as tiles",
            "entry.kind.eq(EntryKind.TRACK)",
            "entry.kind.eq(self.kind)",
        ),
    ),
    *_in(
        "hdl/core/placer.py",
        (
            "the first tile frees an index",
            "self.indices.release.eq(~r.open_sides.all())",
            "self.indices.release.eq(1)",
        ),
        ("loops of the turn before", "self.joiner.begin.eq(1)", "self.joiner.begin.eq(0)"),
        ("tiles of the turn before", "r.tiles.eq(0)", "r.tiles.eq(r.tiles)"),
        (
            "the joiner is not waited for",
            "with m.Elif(self._queue.empty & ~self.joiner.busy):",
            "with m.Elif(self._queue.empty):",
        ),
        (
            "nothing is forced",
            "self._queue.push.eq(r.serve & step.forced & legal)",
            "self._queue.push.eq(0)",
        ),
        (
            "unmade in the same order",
            "Mux(r.unmaking, last_of(rest), first_of(rest))",
            "first_of(rest)",
        ),
        (
            "an empty cell keeps its index",
            "Mux(step.is_new, 0, r.neighbour.index)",
            "r.neighbour.index",
        ),
        (
            "the first open side is passed over",
            "Mux(r.fitting, first_of(r.unread), r.next_side)",
            "r.next_side",
        ),
        (
            "a tile's space is not found again",
            "r.next_side.eq(~r.open_sides), r.state.eq(self._after_sides(r))",
            "r.state.eq(self._after_sides(r))",
        ),
        (
            "illegal as long as it joins",
            "joins.valid.eq(pairs.complete & legal)",
            "joins.valid.eq(pairs.complete)",
            "what an illegal turn has joined is unmade join by join, and its loops and lines "
            "do not count",
        ),
        ("the box stays", "self.box[edge].eq(at)", "[]"),
        ("a tile that is lifted stays", "r.lifted.eq(1)", "r.lifted.eq(0)"),
        (
            "only first tiles are lifted",
            "(r.state == State.POP) | (r.state == State.BOX)",
            "r.state == State.BOX",
        ),
        (
            "the first tile had an index",
            "self.indices.unrelease.eq(~r.open_sides.all())",
            "self.indices.unrelease.eq(1)",
        ),
        (
            "the reserved rows are its own",
            "journal.level <= self._depth - ENTRIES_PER_TILE",
            "journal.level <= self._grid.journal - ENTRIES_PER_TILE",
        ),
        ("one journal entry too few", "ENTRIES_PER_TILE = 5", "ENTRIES_PER_TILE = 6"),
        ("one free space too many", "SPACES_PER_TILE = 4", "SPACES_PER_TILE = 5"),
    ),
    *_in(
        "hdl/core/moves.py",
        ("free entries are live", "live & some", "some"),
        ("a shape is passed over", "(first_shape <= code.value)", "(first_shape < code.value)"),
        (
            "one entry too many",
            "with m.Elif(index >= self.high):",
            "with m.Elif(index > self.high):",
        ),
        ("outside of the area, too", "fits & ~outside", "fits"),
    ),
    *_in(
        "hdl/core/unit.py",
        ("lines in every variant", "part.lines.eq(self.rules.lines)", "part.lines.eq(1)"),
        (
            "an entry is read at the command's place",
            "m.d.comb += placer.hold.eq(0)",
            "m.d.comb += placer.hold.eq(1)",
        ),
        (
            "every candidate grows the box",
            "result.growth.valid & (result.growth.side == side)",
            "result.growth.side == side",
        ),
        (
            "the evaluator keeps the journal while turns are made",
            "evaluating.eq(evaluator.run & ~evaluator.slow)",
            "evaluating.eq(evaluator.run)",
        ),
        (
            "the frontier table does not wait for an outcome",
            "spaces.en.eq(~evaluator.stalled)",
            "spaces.en.eq(1)",
        ),
        (
            "the first job after the evaluation is lost",
            "r.state.eq(_State.IDLE), r.evaluating.eq(0)",
            "r.state.eq(_State.IDLE)",
        ),
    ),
    *_in(
        "hdl/evaluator/sides.py",
        ("no line across", " | (exits[Side.EAST] & exits[Side.WEST])", ""),
        ("banks of east and west swapped", "(side == Side.WEST)))", "(side == Side.EAST)))"),
    ),
    *_in(
        "hdl/evaluator/lane.py",
        (
            "overflow by the other colour",
            "self.overflow.eq(of(valid, own))",
            "self.overflow.eq(of(valid, foreign))",
        ),
        ("a pending space is forced", " & ~of(paired, foreign)", ""),
        (
            "the wrong socket is the position's",
            "self.pair.b_base.eq(of(has, own))",
            "self.pair.b_base.eq(of(has, foreign))",
        ),
        (
            "never two pairs",
            "self.revisit.both.eq(paired[0] & paired[1])",
            "self.revisit.both.eq(0)",
        ),
        ("legal at three", "self.illegal.eq(of(paired, own))", "self.illegal.eq(0)"),
    ),
    *_in(
        "hdl/evaluator/overlay.py",
        (
            "the reader's window is written",
            "write_rows[number], self.w_thread)",
            "write_rows[number], self.r_thread)",
        ),
        (
            "cells that are not wiped",
            "Cat(number[:bits], 0, number[1], number[bits:])",
            "Cat(number[:bits], 0, 0, number[bits:])",
        ),
        ("the other colour is added", "Mux(red == colour, added", "Mux(red != colour, added"),
        ("written without w_en", "self.w_en & pick", "pick"),
    ),
    *_in(
        "hdl/evaluator/track_ids.py",
        (
            "the tag of half a place",
            "Cat(self.w_cell.x[low], self.w_cell.y[low])",
            "Cat(self.w_cell.x[low], self.w_cell.x[low])",
        ),
        (
            "one window for all threads",
            "self.w_cell.y[:low], self.w_thread)",
            "self.w_cell.y[:low], self.w_thread & 1)",
        ),
    ),
    *_in(
        "hdl/evaluator/union_find.py",
        (
            "new tracks are not told apart",
            "Cat(track_id.number[_ROW_BITS - 1 :], track_id.is_new)",
            "Cat(track_id.number[_ROW_BITS - 1 :], Const(0))",
        ),
    ),
    *_in(
        "hdl/evaluator/first/first.py",
        (
            "the walk goes on from where it ended",
            "[walking.eq(0), cursor.eq(0)]",
            "walking.eq(0)",
        ),
        (
            "another unit's read is taken for an entry",
            "served.eq(~self.table_taken & ~self.denied)",
            "served.eq(~self.table_taken)",
        ),
    ),
    *_in(
        "hdl/evaluator/first/fetch.py",
        ("a full queue takes another space", "room = ~(valid & full)", "room = 1"),
    ),
    *_in(
        "hdl/evaluator/first/neighbours.py",
        (
            "a red edge looks white",
            "Mux(tile, ~edge, two | three)",
            "Mux(tile, edge, two | three)",
        ),
    ),
    *_in(
        "hdl/evaluator/first/evaluate.py",
        (
            "a candidate outside of the area enters the chain",
            "space.forces[code].eq(fits_grid & forces)",
            "space.forces[code].eq(forces)",
        ),
    ),
    *_in(
        "hdl/evaluator/first/enter_chain.py",
        (
            "one space is pending at most",
            "token.extra.valid.eq(third.any())",
            "token.extra.valid.eq(0)",
        ),
        (
            "the other track's exits",
            "token.exits_a.eq(by_colour(selected.exits, colour))",
            "token.exits_a.eq(by_colour(selected.exits, ~colour))",
        ),
        (
            "a code that counts from the wrong side",
            "(opposite(side) + code)[:2]",
            "(side + code)[:2]",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/stage_read.py",
        (
            "any lower partner is taken for the id",
            "limit.eq(Mux(is_given | ~of_position, 0, read.space))",
            "limit.eq(read.space)",
        ),
        (
            "ids of new tracks are not inverted",
            "given_id.number.eq(Cat(~read.tiles, ones))",
            "given_id.number.eq(read.tiles)",
            "they differ all the same; only their rows are taken by other tracks more often",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/stage_pick.py",
        (
            "the far end always has the id",
            "is_far = ports.partners[colour] < source.limit",
            "is_far = 1",
        ),
        (
            "sockets of the candidate before",
            "added[colour].valid & is_added",
            "added[colour].valid",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/stage_join.py",
        ("the border of the window is passed", "            | read.join_beyond_window\n", ""),
        ("an id of another tile", "            | picked.wrong_tile\n", ""),
        (
            "five pending spaces in four rows",
            "            | (next_space.pushed.valid & (join.pending == PENDING_SPACES))\n",
            "",
        ),
        (
            "illegal beyond the window",
            "next_space.illegal & ~read.join_beyond_window",
            "next_space.illegal",
        ),
        (
            "more tiles than can be counted",
            "            | (join.tiles == (1 << TILE_NUMBER_BITS) - 1)\n",
            "",
        ),
        (
            "rows of the candidate before",
            'valid.eq(equal(m, row.epoch, ring.epochs.epochs[2], f"same_epoch{colour.value}"))',
            "valid.eq(1)",
        ),
        ("a fetch reads a candidate's row", "valid & picked.is_candidate, ", "valid, "),
        (
            "no track has a row in the second way",
            "Mux(own, row.has_parent, ~join.second_way[colour])",
            "Mux(own, row.has_parent, 0)",
        ),
        (
            "a track whose rows are both taken has none",
            "both_ways_taken[colour].eq(needed & valid & ~own & join.second_way[colour])",
            "both_ways_taken[colour].eq(0)",
        ),
        (
            "a candidate ends though a track is not resolved",
            "join_unresolved[colour].eq(needed & valid & (~own | row.has_parent))",
            "join_unresolved[colour].eq(needed & valid & ~own)",
        ),
        (
            "the track that goes on is not resolved",
            "needed = (join.colour == colour) | read.join_edges[0].valid",
            "needed = join.colour == colour",
        ),
        (
            "a track's own exits are not noted",
            "Mux(valid, row.exits.any(), picked.is_base[colour] & exits.exits[colour].any())",
            "valid & row.exits.any()",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/stage_decide.py",
        (
            "the slow path does not wait for the others",
            "(ring.join.mode == Mode.SLOW) & settled",
            "ring.join.mode == Mode.SLOW",
        ),
        (
            "white takes red's loop",
            "(tracks.same << decide.colour)[:2]",
            "(tracks.same << ~decide.colour)[:2]",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/recirculate.py",
        (
            "the extra pending space stays pending",
            "read.extra.valid.eq(decide.extra.valid & ~route.takes_extra)",
            "read.extra.valid.eq(decide.extra.valid)",
        ),
        ("the second pair counts as a tile", "read.second.eq(1),", "read.second.eq(0),"),
        (
            "a joined track is looked up instead of its parent",
            "Mux(tracks.has_parent[n], Value.cast(parent), Value.cast(track_id))",
            "Value.cast(track_id)",
        ),
        (
            "a track that goes on has its row in the first way",
            "read.second_way_a.eq(by_colour(decide.second_way, foreign))",
            "read.second_way_a.eq(0)",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/write_back.py",
        (
            "exits are not written",
            "deferred.valid.eq(decided.writes & decided.writes_a)",
            "deferred.valid.eq(0)",
        ),
        (
            "joined to itself",
            "row.parent.eq(decide.id_a)",
            "row.parent.eq(tracks.ids[colour])",
        ),
        ("the overlay is not wiped", "overlay.w_sides.eq(15)", "overlay.w_sides.eq(0)"),
        ("a candidate that ends adds sockets", "decided.writes | enters | epochs.wiping", "1"),
        (
            "the first way is written in place of the second",
            "union_find.w_second_way.eq(decide.second_way[colour])",
            "union_find.w_second_way.eq(0)",
        ),
        (
            "the first way is written in place of the second, late",
            "deferred.second_way.eq(decide.second_way_a)",
            "deferred.second_way.eq(0)",
        ),
    ),
    *_in(
        "hdl/evaluator/next_space.py",
        (
            "a pending space, on another side",
            "Mux(self.takes_extra, token.extra.side, self.top.side)",
            "Mux(self.takes_extra, token.extra.side, self.top.side ^ 1)",
        ),
    ),
    *_in(
        "hdl/evaluator/epochs.py",
        ("a reset leaves old rows", '"wiping": Out(1, init=1)', '"wiping": Out(1)'),
        ("epochs are used up unnoticed", "with m.If(epochs[0].all())", "with m.If(0)"),
    ),
    *_in(
        "hdl/evaluator/slow.py",
        (
            "only what is illegal is unmade",
            "result.status == Status.LEGAL",
            "result.status != Status.LEGAL",
        ),
    ),
    *_in(
        "hdl/evaluator/unit.py",
        (
            "the slow path does not wait",
            "shows_place.eq(chain.slow & ~advances & ~self.stalled)",
            "shows_place.eq(chain.slow & ~advances)",
        ),
        (
            "two outcomes at a time",
            "first.evaluations.ready.eq(~chain.evaluation_valid)",
            "first.evaluations.ready.eq(1)",
        ),
        ("an outcome is not waited for", "self.run & ~self.stalled", "self.run"),
    ),
    *_in(
        "hdl/link/uart.py",
        (
            "a character without a stop bit is accepted",
            "with m.If(~bit):\n                    m.d.sync += self.framing_error",
            "with m.If(0):\n                    m.d.sync += self.framing_error",
        ),
        (
            "a glitch becomes a bit",
            "bit.eq((first & second) | (first & self.rx) | (second & self.rx))",
            "bit.eq(first & second & self.rx)",
        ),
    ),
    *_in(
        "hdl/link/protocol_demux.py",
        (
            "a frame that stops is never cut",
            "with m.Elif(quiet == self._pause):",
            "with m.Elif(0):",
        ),
        (
            "a framing error within a frame is ignored",
            "frame.bad.eq(self.framing_error),\n                    frame.end",
            "frame.bad.eq(0),\n                    frame.end",
        ),
    ),
    *_in(
        "hdl/link/frame_reader.py",
        (
            "the CRC is not checked",
            "~crc.match_detected | (count != frame.length + _OVERHEAD)",
            "count != frame.length + _OVERHEAD",
        ),
        (
            "the length is not checked",
            "~crc.match_detected | (count != frame.length + _OVERHEAD)",
            "~crc.match_detected",
        ),
        ("a frame of any length is accepted", "with m.Elif(count > MAX_FRAME):", "with m.Elif(0):"),
        (
            "bytes beyond the payload are written",
            " & (place < MAX_PAYLOAD)),",
            "),",
        ),
        ("a malformed frame is accepted", "with m.Elif(faulty | bad):", "with m.Elif(0):"),
        (
            "the third frame overwrites the second",
            "skips.eq(complete & ~moves)",
            "skips.eq(0)",
        ),
    ),
    *_in(
        "hdl/link/rate_control.py",
        (
            "the trial of a rate never ends",
            "with m.Elif(self.tick & self.busy):",
            "with m.Elif(0):",
        ),
        (
            "every rate is confirmed at once",
            "with m.Elif(self.confirmed):",
            "with m.Elif(self.busy):",
        ),
    ),
    *_in(
        "hdl/frames/repetitions.py",
        (
            "a repeated frame is obeyed again",
            "valid & (self.frame.sequence",
            "valid & 0 & (self.frame.sequence",
        ),
        (
            "a repetition need not have the same code",
            " & (self.frame.code == code)",
            "",
        ),
    ),
]
"""All of them."""
