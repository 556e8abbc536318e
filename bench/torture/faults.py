"""Single faults to plant in core, trials and link: what an engineer might have got wrong.

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
        ("no row is up from nought", "Mux(y1, ways_y[1], ways_y[0])", "ways_y[0]"),
        ("an answer does not stay", "bank.read.eq(self.read.en)", "bank.read.eq(1)"),
        (
            "one port writes what it would read",
            "Mux(bank.write, bank.write_row, other)",
            "other",
        ),
    ),
    *_in(
        "hdl/core/bank.py",
        ("both banks of a pair are one", "Cat(port.row, half)", "Cat(port.row, 0)"),
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
        ("nothing is freed", "Mux(releases, 0, told[colour])", "told[colour]"),
        (
            "white sockets alone look free",
            "Mux(cell.red.any(), cell.red, ~sides)",
            "cell.red",
        ),
        (
            "the place of a partner is taken for the entry's",
            "Mux(followed, red.data.at, white.data.at)",
            "white.data.at",
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
            "result.growth.any & (result.growth.side == side)",
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
        ("no line across", " | (mask[Side.EAST] & mask[Side.WEST])", ""),
        ("banks of east and west swapped", "(side == Side.WEST)))", "(side == Side.EAST)))"),
    ),
    *_in(
        "hdl/evaluator/lane.py",
        (
            "full for the other colour",
            "self.full.eq(of(valid, own))",
            "self.full.eq(of(valid, foreign))",
        ),
        ("a space that waits is forced", " & ~of(waits, foreign)", ""),
        (
            "the wrong socket is the position's",
            "self.pair.b_base.eq(of(has, own))",
            "self.pair.b_base.eq(of(has, foreign))",
        ),
        ("never two pairs", "self.waiting.both.eq(waits[0] & waits[1])", "self.waiting.both.eq(0)"),
        ("legal at three", "self.illegal.eq(of(waits, own))", "self.illegal.eq(0)"),
    ),
    *_in(
        "hdl/evaluator/overlay.py",
        (
            "the reader's window is written",
            "write_rows[number], self.of)",
            "write_rows[number], self.thread)",
        ),
        (
            "cells that are not wiped",
            "Cat(number[:bits], 0, number[1], number[bits:])",
            "Cat(number[:bits], 0, 0, number[bits:])",
        ),
        ("the other colour is added", "Mux(red == colour, added", "Mux(red != colour, added"),
        ("whether it is put or not", "self.put & pick", "pick"),
    ),
    *_in(
        "hdl/evaluator/track_ids.py",
        (
            "the tag of half a place",
            "Cat(self.at.x[low], self.at.y[low])",
            "Cat(self.at.x[low], self.at.x[low])",
        ),
        (
            "one window for all threads",
            "self.at.y[:low], self.of)",
            "self.at.y[:low], self.of & 1)",
        ),
    ),
    *_in(
        "hdl/evaluator/union_find.py",
        (
            "fresh names are not told apart",
            "Cat(name.id[_ROW_BITS - 1 :], name.fresh)",
            "Cat(name.id[_ROW_BITS - 1 :], Const(0))",
        ),
    ),
    *_in(
        "hdl/evaluator/first/walk.py",
        (
            "the walk goes on from where it ended",
            "[walking.eq(0), cursor.eq(0)]",
            "walking.eq(0)",
        ),
        (
            "what the table shows of others is taken for an entry",
            "looked.eq(~ports.elsewhere & ~ports.denied)",
            "looked.eq(~ports.elsewhere)",
        ),
    ),
    *_in(
        "hdl/evaluator/first/fetch.py",
        ("spaces line up where there is no room", "room = ~(ready & full)", "room = 1"),
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
            "what outgrows the area goes on",
            "goes_on = fits_grid & forces_some",
            "goes_on = forces_some",
        ),
    ),
    *_in(
        "hdl/evaluator/first/go_on.py",
        ("one space waits at most", "token.two.eq(third.any())", "token.two.eq(0)"),
        (
            "the other track's exits",
            "token.mask_a.eq(by_colour(picked.masks, colour))",
            "token.mask_a.eq(by_colour(picked.masks, ~colour))",
        ),
        (
            "a socket so far on from the wrong side",
            "(opposite(side) + code)[:2]",
            "(side + code)[:2]",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/stage_read.py",
        (
            "a partner has any track's name",
            "limit.eq(Mux(is_given | ~base, 0, read.space))",
            "limit.eq(read.space)",
        ),
        (
            "names that trials give count from the start",
            "given.id.eq(Cat(~read.tiles, ones))",
            "given.id.eq(read.tiles)",
            "they differ all the same; only their rows are more often those of other names",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/stage_pick.py",
        (
            "every track has a name of its own",
            "is_far = ports.partners[colour] < limit",
            "is_far = 1",
        ),
        (
            "sockets of the trial before",
            "added[colour].valid & is_added",
            "added[colour].valid",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/stage_join.py",
        ("the rim of the window is passed", "            | tile.join_far\n", ""),
        ("a name of another tile", "            | named.strange\n", ""),
        (
            "five wait in four places",
            "            | (onward.pushed.valid & (join.waiting == PENDING))\n",
            "",
        ),
        ("illegal beyond the rim", "onward.illegal & ~tile.join_far", "onward.illegal"),
        (
            "more tiles than can be counted",
            "            | (join.tiles == (1 << TRIAL_TILE_BITS) - 1)\n",
            "",
        ),
        (
            "rows of the trial before",
            'here.eq(equal(m, row.epoch, ring.epochs.epochs[2], f"same_epoch{colour.value}"))',
            "here.eq(1)",
        ),
        ("a fetch finds what a trial has left", "here & named.looks,", "here,"),
        (
            "no name has a spare row",
            "Mux(own, row.child, ~join.spare[colour])",
            "Mux(own, row.child, 0)",
        ),
        (
            "a name whose rows are both taken has none",
            "crowded[colour].eq(asked & here & ~own & join.spare[colour])",
            "crowded[colour].eq(0)",
        ),
        (
            "a trial ends though a track's name is not known",
            "held[colour].eq(asked & here & (~own | row.child))",
            "held[colour].eq(asked & here & ~own)",
        ),
        (
            "the track that goes on is not asked for",
            "asked = (join.colour == colour) | tile.join_lanes[0].on",
            "asked = join.colour == colour",
        ),
        (
            "a track's own exits are not noted",
            "Mux(here, row.mask.any(), named.base[colour] & exits.exits[colour].any())",
            "here & row.mask.any()",
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
            "the first tile's second space is not left",
            "read.two.eq(decide.two & ~way.left_two)",
            "read.two.eq(decide.two)",
        ),
        ("the second pair counts as a tile", "read.second.eq(1),", "read.second.eq(0),"),
        (
            "a parent is looked up under the child's name",
            "Mux(tracks.children[n], Value.cast(parent), Value.cast(name))",
            "Value.cast(name)",
        ),
        (
            "a name that is taken on has its own row",
            "read.spare_a.eq(spare_o)",
            "read.spare_a.eq(0)",
        ),
    ),
    *_in(
        "hdl/evaluator/chain/write_back.py",
        (
            "exits are not written",
            "late.valid.eq(play.goes & play.put_a)",
            "late.valid.eq(0)",
        ),
        (
            "joined to itself",
            "row_put.parent.eq(decide.name_a)",
            "row_put.parent.eq(tracks.names[colour])",
        ),
        ("the overlay is not wiped", "overlay.add.eq(15)", "overlay.add.eq(0)"),
        ("a trial that ends adds sockets", "play.goes | enters | epochs.wiping", "1"),
        (
            "of a spare row the own one is written",
            "table.at_spare.eq(decide.spare[colour])",
            "table.at_spare.eq(0)",
        ),
        (
            "of a spare row the own one is written late",
            "late.spare.eq(decide.spare_a)",
            "late.spare.eq(0)",
        ),
    ),
    *_in(
        "hdl/evaluator/next_space.py",
        (
            "a space that waited, on another side",
            "Mux(self.two, token.two_side, self.top.side)",
            "Mux(self.two, token.two_side, self.top.side ^ 1)",
        ),
    ),
    *_in(
        "hdl/evaluator/epochs.py",
        ("a reset leaves old rows", '"wiping": Out(1, init=1)', '"wiping": Out(1)'),
        ("numbers run out unseen", "with m.If(epochs[0].all())", "with m.If(0)"),
    ),
    *_in(
        "hdl/evaluator/slow.py",
        (
            "only what is illegal is taken back",
            "result.status == Status.LEGAL",
            "result.status != Status.LEGAL",
        ),
    ),
    *_in(
        "hdl/evaluator/unit.py",
        (
            "the slow path does not wait",
            "found.eq(chain.slow & ~moves & ~self.stalled)",
            "found.eq(chain.slow & ~moves)",
        ),
        (
            "two outcomes at a time",
            "first.done_ready.eq(~chain.done_valid)",
            "first.done_ready.eq(1)",
        ),
        ("an outcome is not waited for", "self.run & ~self.stalled", "self.run"),
    ),
    *_in(
        "hdl/link/uart.py",
        (
            "a character without a stop bit is one",
            "with m.If(~bit):\n                    m.d.sync += self.framing_error",
            "with m.If(0):\n                    m.d.sync += self.framing_error",
        ),
        (
            "a glitch is a bit",
            "bit.eq((first & second) | (first & self.rx) | (second & self.rx))",
            "bit.eq(first & second & self.rx)",
        ),
    ),
    *_in(
        "hdl/link/protocol_demux.py",
        (
            "a frame that stops is waited for",
            "with m.Elif(quiet == self._pause):",
            "with m.Elif(0):",
        ),
        (
            "a damaged character is none",
            "frame.bad.eq(self.framing_error),\n                    frame.end",
            "frame.bad.eq(0),\n                    frame.end",
        ),
    ),
    *_in(
        "hdl/link/frame_reader.py",
        (
            "the CRC is not looked at",
            "~crc.match_detected | (count != frame.length + _OVERHEAD)",
            "count != frame.length + _OVERHEAD",
        ),
        (
            "the length is not looked at",
            "~crc.match_detected | (count != frame.length + _OVERHEAD)",
            "~crc.match_detected",
        ),
        ("no frame is too long", "with m.Elif(count > MAX_FRAME):", "with m.Elif(0):"),
        (
            "bytes beyond the payload are written",
            " & (place < MAX_PAYLOAD)),",
            "),",
        ),
        ("a framing error is ignored", "with m.Elif(faulty | bad):", "with m.Elif(0):"),
        (
            "the third frame is written over the second",
            "skips.eq(complete & ~moves)",
            "skips.eq(0)",
        ),
    ),
    *_in(
        "hdl/link/rate_control.py",
        ("a rate is for ever", "with m.Elif(self.tick & self.busy):", "with m.Elif(0):"),
        ("any rate is proved", "with m.Elif(self.confirmed):", "with m.Elif(self.busy):"),
    ),
    *_in(
        "hdl/frames/repetitions.py",
        (
            "what comes again is done again",
            "valid & (self.frame.sequence",
            "valid & 0 & (self.frame.sequence",
        ),
        (
            "a number is the same command's, whatever it says",
            " & (self.frame.code == code)",
            "",
        ),
    ),
]
"""All of them."""
