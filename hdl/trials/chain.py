"""The forced plays of four trials at a time, one tile of each in turn."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game import LINE_LENGTH, Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, box_layout, cell_layout, place_layout
from loopline.hdl.trials.lane import Lane
from loopline.hdl.trials.names import Names
from loopline.hdl.trials.overlay import Overlay, overlay_word, wiping_cell, wiping_cells
from loopline.hdl.trials.types import (
    EPOCH_BITS,
    PENDING,
    THREADS,
    TRIAL_TILE_BITS,
    WINDOW_BITS,
    Mode,
    bank_of,
    growth_layout,
    name_layout,
    near_layout,
    opposite,
    slot_layout,
    socket_layout,
    sockets_layout,
    token_layout,
    trial_layout,
    unit_step,
    waiting_layout,
    whole,
    window_bits,
)
from loopline.hdl.trials.unions import UNION_ROWS, Unions, name_of, tag_of

__all__ = ["Chain", "fetch_layout", "fetched_layout", "first_layout"]


def first_layout(grid: GridConfig) -> data.StructLayout:
    """A trial whose first tile forces something: where it goes on, and what that tile leaves.

    ``waits``: a space that has to wait, if one has; ``add``: the sides of the tile on which a space
    gets a socket that the trial has to remember; ``tile``: its white edges; ``names``, ``masks``:
    the tracks through it, by colour.
    """
    return data.StructLayout(
        {
            "token": token_layout(grid),
            "place": place_layout(grid),
            "waits": waiting_layout(grid),
            "add": 4,
            "tile": 4,
            "names": data.ArrayLayout(name_layout(grid), 2),
            "masks": data.ArrayLayout(4, 2),
        }
    )


def fetch_layout(grid: GridConfig) -> data.StructLayout:
    """A space whose neighbours and tracks are to be read: its index, what the box grows by when it
    is filled, and whether it has a red socket."""
    return data.StructLayout(
        {
            "place": place_layout(grid),
            "space": grid.index_bits,
            "growth": growth_layout(),
            "red": 1,
        }
    )


def fetched_layout(grid: GridConfig) -> data.StructLayout:
    """What a fetch has found: by colour, the name of the space's track and on which sides its
    other end leaves the box; ``outside``: the sides on which a neighbour is outside the box;
    ``counting``: whether an end there counts for a line, to the north and south and to the east
    and west."""
    return data.StructLayout(
        {
            "names": data.ArrayLayout(name_layout(grid), 2),
            "masks": data.ArrayLayout(4, 2),
            "outside": 4,
            "counting": 2,
        }
    )


def _step(place: data.View, side: Value) -> tuple[Value, Value]:
    """The coordinates of the neighbour on a side."""
    bits = len(place.x)
    columns, rows = unit_step(side, bits)
    return (place.x + columns)[:bits], (place.y + rows)[:bits]


class Chain(wiring.Component):
    """Follows the forced plays of up to four trials, each one tile further every four cycles.

    ::

        ┌─► READ ───────────► PICK ─────────────► JOIN ───────────► DECIDE ─┐
        │   addresses of      the two spaces that what each space   on with │
        │   the neighbours,   the tile's open     becomes; rows of  which   │
        │   of the tracks     edges lead to; the  the tracks' names space,  │
        │   that end here     tracks' names                         writes  │
        └───────────────────────────────────────────────────────────────────┘

    A token that cannot go on yet, since a name stands for another one or a write port is taken,
    goes round once more as it is.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    box : In(box_layout), beside : In(ArrayLayout, 4), lines : In(1)
        The position's box, the columns and rows beside it, and whether lines count.
    place : Out(place_layout), banks : In(ArrayLayout(cell_layout, 4))
        The cell map: the neighbours of a cell by bank, one cycle later.
    space : Out, partners, partner_places : In
        By colour, the other end of the track that ends in a frontier space, one cycle later, and
        its coordinates, two cycles later.
    fetch : In(fetch_layout), fetch_valid : In(1), fetch_ready : Out(1)
        A space to read for :class:`First`: it comes before a first tile.
    fetched_near : Out(1), fetched_rest : Out(1), fetched : Out(fetched_layout)
        In this cycle the cell map shows what a fetch has read; ``fetched`` does, two later. In the
        order of the fetches.
    first : In(first_layout), first_valid : In(1), first_ready : Out(1)
        A trial whose first tile forces something.
    done : Out(trial_layout), done_valid : Out(1)
        The outcome of a trial, in one cycle.
    slow : Out(1), slow_done : In(1), slow_outcome : In
        A trial is left to the slow path, and nothing else is under way; ``done.index`` and
        ``done.symbol`` say which. The unit stands still until ``slow_done``.
    idle : Out(1)
        Nothing is under way.
    slot : Out(slot_layout)
        What DECIDE does in this cycle; ``first`` and ``moves`` are not set here.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "beside": In(data.ArrayLayout(grid.coord_bits, 4)),
                "lines": In(1),
                # The position.
                "place": Out(place_layout(grid)),
                "banks": In(data.ArrayLayout(cell_layout(grid), 4)),
                "space": Out(grid.index_bits),
                "partners": In(data.ArrayLayout(grid.index_bits, 2)),
                "partner_places": In(data.ArrayLayout(place_layout(grid), 2)),
                # Fetches.
                "fetch": In(fetch_layout(grid)),
                "fetch_valid": In(1),
                "fetch_ready": Out(1),
                "fetched_near": Out(1),
                "fetched_rest": Out(1),
                "fetched": Out(fetched_layout(grid)),
                # Trials.
                "first": In(first_layout(grid)),
                "first_valid": In(1),
                "first_ready": Out(1),
                "done": Out(trial_layout(grid)),
                "done_valid": Out(1),
                # The slow path.
                "slow": Out(1),
                "slow_done": In(1),
                "slow_outcome": In(trial_layout(grid)),
                "idle": Out(1),
                "slot": Out(slot_layout()),
            }
        )

    def _outside(self, place: data.View, growth: data.View) -> Value:
        """The sides on which a cell's neighbour is outside of the box with a trial's first tile."""
        box = self.box
        edges = (
            (place.y, box.north),
            (place.x, box.east),
            (place.y, box.south),
            (place.x, box.west),
        )
        return Cat(
            at == Mux(growth.any & (growth.side == side), self.beside[side], edge)
            for side, (at, edge) in zip(Side, edges, strict=True)
        )

    def _exits(self, place: data.View, growth: data.View) -> Value:
        """The sides on which a frontier space lies outside of the box with a trial's first tile.

        Before that tile all of them lie in the box or right beside it.
        """
        at = (place.y, place.x, place.y, place.x)
        return Cat(
            (at[side] == self.beside[side]) & ~(growth.any & (growth.side == side)) for side in Side
        )

    def _counting(self, growth: data.View) -> Value:
        """Whether an end outside of the box counts; see :func:`fetched_layout`."""
        lateral, long = growth.side[0], self._long
        wide = long[0] | (growth.any & lateral & long[1])
        high = long[2] | (growth.any & ~lateral & long[3])
        return Cat(high, wide)

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        # Whether the box is long enough for a line, and whether one more makes it so: the box has
        # been still for some cycles before it is asked for.
        self._long = Signal(4)
        width = (self.box.east - self.box.west)[: grid.coord_bits]
        height = (self.box.south - self.box.north)[: grid.coord_bits]
        one_short = LINE_LENGTH - 2
        m.d.sync += self._long.eq(
            Mux(
                self.lines,
                Cat(width > one_short, width == one_short, height > one_short, height == one_short),
                0,
            )
        )
        name_shape = name_layout(grid)
        window = window_bits(grid)

        m.submodules.overlay = overlay = Overlay(grid)
        names = [Names(grid) for _ in Colour]
        unions = [Unions(grid) for _ in Colour]
        lanes = [Lane(grid), Lane(grid)]
        for colour in Colour:
            m.submodules[f"names_{colour.name.lower()}"] = names[colour]
            m.submodules[f"unions_{colour.name.lower()}"] = unions[colour]
        m.submodules.lane1, m.submodules.lane2 = lanes

        tokens = [Signal(token_layout(grid), name=f"token{n}") for n in range(THREADS)]
        read, pick, join, decide = tokens
        m.d.sync += [pick.eq(read), join.eq(pick), decide.eq(join)]
        turn = Signal(2)
        m.d.sync += turn.eq(turn + 1)
        threads = [(turn - n)[:2] for n in range(THREADS)]
        epochs = [Signal(EPOCH_BITS, name=f"epoch{n}") for n in range(THREADS)]
        m.d.sync += [epochs[n + 1].eq(epochs[n]) for n in range(THREADS - 1)]

        # READ
        revisits = read.mode == Mode.REVISIT
        lookup = Mux(read.mode == Mode.RESOLVE, read.a, read.b)
        low = data.View(near_layout(grid), Cat(read.place.x[:window], read.place.y[:window]))
        m.d.comb += [
            self.place.eq(read.place),
            self.space.eq(read.space),
            overlay.place.eq(low),
            overlay.thread.eq(threads[0]),
        ]
        tags = []
        for colour in Colour:
            side = Mux(read.colour == colour, lookup, read.other.side)
            columns, rows = unit_step(side, window)
            stays = (revisits & (read.colour == colour)).replicate(window)
            x, y = (low.x + (columns & ~stays))[:window], (low.y + (rows & ~stays))[:window]
            m.d.comb += [
                names[colour].cell.x.eq(x),
                names[colour].cell.y.eq(y),
                names[colour].thread.eq(threads[0]),
            ]
            tag = Signal(2, name=f"tag_{colour.name.lower()}")
            m.d.sync += tag.eq(Cat(x[-1], y[-1]))
            tags.append(tag)
        outside = Signal(4)
        m.d.comb += outside.eq(self._outside(read.place, read.growth))
        far = Const(0)
        if grid.coord_bits > WINDOW_BITS:
            opposed = 1 << (WINDOW_BITS - 2)
            far = ((read.place.x[1:WINDOW_BITS] ^ read.origin.x) == opposed) | (
                (read.place.y[1:WINDOW_BITS] ^ read.origin.y) == opposed
            )
        taken = (
            (1 << read.a)[:4]
            | (1 << read.b)[:4]
            | Mux(read.other.valid, (1 << read.other.side)[:4], 0)
        )
        open_sides = Signal(4)
        with m.If((read.mode == Mode.CHAIN) & ~read.both & ~read.second):
            m.d.comb += open_sides.eq(~taken)
        e1, e2 = Signal(2), Signal(2)
        with m.If(revisits):
            m.d.comb += e1.eq(read.a)
        with m.Elif(open_sides[0]):
            m.d.comb += e1.eq(0)
        with m.Elif(open_sides[1]):
            m.d.comb += e1.eq(1)
        with m.Elif(open_sides[2]):
            m.d.comb += e1.eq(2)
        with m.Elif(open_sides[3]):
            m.d.comb += e1.eq(3)
        with m.If(open_sides[3]):
            m.d.comb += e2.eq(3)
        with m.Elif(open_sides[2]):
            m.d.comb += e2.eq(2)
        with m.Else():
            m.d.comb += e2.eq(1)

        def at(mask: Value, side: Value) -> Value:
            return mask.bit_select(side, 1)

        # Which of the two lanes is in use, where it leads.
        lane_shape = data.StructLayout({"on": 1, "side": 2, "outside": 1, "bank": 2})
        read_lanes = []
        for n, (side, on) in enumerate(
            ((e1, open_sides.any()), (e2, (open_sides != (1 << e1)[:4]) & open_sides.any()))
        ):
            lane = Signal(lane_shape, name=f"read_lane{n}")
            m.d.comb += [
                lane.on.eq(on),
                lane.side.eq(side),
                lane.outside.eq(at(outside, side)),
                lane.bank.eq(bank_of(read.place, side)),
            ]
            read_lanes.append(lane)
        pick_lanes = [Signal(lane_shape, name=f"pick_lane{n}") for n in range(2)]
        join_lanes = [Signal(lane_shape, name=f"join_lane{n}") for n in range(2)]
        m.d.sync += [late.eq(early) for late, early in zip(pick_lanes, read_lanes, strict=True)]
        m.d.sync += [late.eq(early) for late, early in zip(join_lanes, pick_lanes, strict=True)]
        pick_outside, join_outside, decide_outside = Signal(4), Signal(4), Signal(4)
        m.d.sync += [
            pick_outside.eq(outside),
            join_outside.eq(pick_outside),
            decide_outside.eq(join_outside),
        ]
        pick_far, join_far = Signal(), Signal()
        m.d.sync += [
            pick_far.eq(far & (read.mode == Mode.CHAIN)),
            join_far.eq(pick_far),
        ]

        # PICK
        base_words = Array([Value.cast(self.banks[n]) for n in range(4)])
        added_words = Array([Value.cast(overlay.banks[n]) for n in range(4)])
        for lane, where in zip(lanes, pick_lanes, strict=True):
            word = data.View(overlay_word(), Signal(overlay_word().size, name="added_word"))
            base = Signal(cell_layout(grid), name="base")
            added = Signal(sockets_layout(), name="added")
            m.d.comb += Value.cast(word).eq(added_words[where.bank])
            m.d.sync += Value.cast(base).eq(base_words[where.bank])
            m.d.sync += added.eq(Mux(word.epoch == epochs[1], Value.cast(word.sockets), 0))
            m.d.comb += [lane.base.eq(base), lane.added.eq(added)]

        # What waits is on a stack for each thread; the one on top may be next.
        depth = 1 << (PENDING - 1).bit_length()
        m.submodules.waiting = stack = Memory(
            shape=waiting_layout(grid), depth=THREADS * depth, init=[]
        )
        stack_write, stack_read = stack.write_port(), stack.read_port()
        row_bits = depth.bit_length() - 1
        m.d.comb += stack_read.addr.eq(Cat((pick.waiting - 1)[:row_bits], threads[1]))
        top = stack_read.data

        tids = []
        for colour in Colour:
            tid = Signal(name_shape, name=f"tid_{colour.name.lower()}")
            partner = self.partners[colour]
            m.d.comb += tid.id.eq(Mux(partner < pick.space, partner, pick.space))
            tids.append(tid)

        def by_colour(values, colour: Value) -> Value:
            return Mux(colour, Value.cast(values[1]), Value.cast(values[0]))

        # What is known of the tracks goes by colour from here on, as the tables do.
        join_names = [Signal(name_shape, name=f"join_name{n}") for n in range(2)]
        join_base, join_strange = Signal(2), Signal()
        strange = []
        for colour in Colour:
            mine = pick.colour == colour
            known = pick.known[colour]
            valid = mine | pick.other.valid
            base = Mux(mine, pick.b_base & (pick.mode != Mode.RESOLVE), pick.other_base)
            name = Signal(name_shape, name=f"pick_name{colour.value}")
            with m.If(~valid):
                m.d.comb += [name.fresh.eq(1), name.id.eq(pick.tiles)]
            with m.Elif(known):
                m.d.comb += name.eq(pick.names[colour])
            with m.Elif(base):
                m.d.comb += name.eq(tids[colour])
            with m.Else():
                m.d.comb += name.eq(names[colour].name)
            m.d.comb += [
                unions[colour].name.eq(name),
                unions[colour].thread.eq(threads[1]),
            ]
            m.d.sync += [
                join_names[colour].eq(name),
                join_base[colour].eq(valid & base & ~known),
            ]
            asked = mine | (pick_lanes[0].on & pick.other.valid)
            strange.append(asked & ~known & ~base & (names[colour].tag != tags[colour]))
        m.d.sync += join_strange.eq(strange[0] | strange[1])

        # JOIN
        counting = Signal(2)
        m.d.comb += counting.eq(self._counting(join.growth))
        # By colour, the track's name, or that of the one that it was joined to.
        resolved = [Signal(name_shape, name=f"resolved{n}") for n in range(2)]
        known_shape = data.StructLayout({"child": 1, "crowded": 1, "mask": 4})
        found = []
        for colour in Colour:
            row, name = unions[colour].found, join_names[colour]
            here, hit = Signal(name=f"here{colour.value}"), Signal(name=f"hit{colour.value}")
            track = Signal(known_shape, name=f"found{colour.value}")
            exits = self._exits(self.partner_places[colour], join.growth) & counting.replicate(2)
            m.d.comb += [
                # A fetch uses a thread whose last trial is over.
                here.eq((row.epoch == epochs[2]) & (join.mode != Mode.FETCH)),
                hit.eq(here & (row.tag == tag_of(name))),
                track.child.eq(hit & row.child),
                track.crowded.eq(here & ~hit),
                track.mask.eq(Mux(hit, row.mask, Mux(join_base[colour], exits, 0))),
            ]
            m.d.sync += Value.cast(resolved[colour]).eq(
                Mux(track.child, Value.cast(row.parent), Value.cast(name))
            )
            found.append(track)
        join_b, join_o = (Signal(known_shape, name=f"join_{which}") for which in "bo")
        track_b, track_o = (Signal(known_shape, name=f"decide_{which}") for which in "bo")
        m.d.comb += [
            Value.cast(join_b).eq(by_colour(found, join.colour)),
            Value.cast(join_o).eq(by_colour(found, ~join.colour)),
        ]
        m.d.sync += [track_b.eq(join_b), track_o.eq(join_o)]
        join_same, same = Signal(), Signal()
        m.d.comb += join_same.eq(by_colour(join_names, join.colour) == Value.cast(join.name_a))
        m.d.sync += same.eq(join_same)
        decide_counting = Signal(2)
        m.d.sync += decide_counting.eq(counting)

        for lane, where in zip(lanes, join_lanes, strict=True):
            m.d.comb += [lane.colour.eq(~join.colour), lane.entry.eq(opposite(where.side))]
        inside = [where.on & ~where.outside for where in join_lanes]
        forced = [lane.forced & on for lane, on in zip(lanes, inside, strict=True)]
        illegal, stuck = Signal(), Signal()
        second_next = Signal()
        revisit = join.mode == Mode.REVISIT
        m.d.comb += second_next.eq(
            ~revisit & (~forced[0] | (forced[1] & lanes[1].full & ~lanes[0].full))
        )
        add = [
            inside[0] & (~forced[0] | second_next),
            inside[1] & ~(second_next & forced[1]),
        ]
        full = (add[0] & lanes[0].full) | (add[1] & lanes[1].full)
        push = forced[0] & forced[1]
        next_side = Mux(second_next, join_lanes[1].side, join_lanes[0].side)
        push_side = Mux(second_next, join_lanes[0].side, join_lanes[1].side)
        pair = Signal(lanes[0].pair.shape())
        m.d.comb += pair.eq(
            Mux(
                revisit,
                Value.cast(lanes[0].waiting),
                Mux(second_next, Value.cast(lanes[1].pair), Value.cast(lanes[0].pair)),
            )
        )
        on_shape = data.StructLayout(
            {
                "valid": 1,
                "pair": pair.shape(),
                "place": place_layout(grid),
                "space": grid.index_bits,
            }
        )
        on = Signal(on_shape)
        x, y = _step(join.place, next_side)
        m.d.sync += [
            on.valid.eq(forced[0] | forced[1]),
            on.pair.eq(pair),
            on.place.x.eq(x),
            on.place.y.eq(y),
            on.space.eq(Mux(second_next, lanes[1].base.index, lanes[0].base.index)),
        ]
        # With nothing forced, one that has waited.
        two = join.two & (join.waiting == 1)
        with m.If(~revisit & ~forced[0] & ~forced[1]):
            m.d.sync += [
                on.place.eq(top.place),
                on.pair.a.eq(Mux(two, join.two_side, top.side)),
                on.pair.b_base.eq(0),
                on.pair.colour.eq(Mux(two, join.two_colour, top.colour)),
            ]
        pushed = Signal(data.StructLayout({"valid": 1, "side": 2}))
        left_two = Signal()
        m.d.sync += [pushed.valid.eq(push), pushed.side.eq(push_side), left_two.eq(two)]
        added = [
            Signal(
                data.StructLayout({"valid": 1, "side": 2, "kept": socket_layout()}),
                name=f"added{n}",
            )
            for n in range(2)
        ]
        for n, lane in enumerate(lanes):
            m.d.sync += [
                added[n].valid.eq(add[n]),
                added[n].side.eq(join_lanes[n].side),
                added[n].kept.eq(lane.kept),
            ]
        exits, open_edges = Signal(4), Signal()
        exit_bits = 0
        for where in join_lanes:
            exit_bits = exit_bits | Mux(where.on & where.outside, (1 << where.side)[:4], 0)
        m.d.sync += [
            # Beyond the rim the overlay shows what lies at the opposite one.
            illegal.eq(
                ((inside[0] & lanes[0].illegal) | (inside[1] & lanes[1].illegal)) & ~join_far
            ),
            stuck.eq(
                full
                | (push & (join.waiting == PENDING))
                | join_far
                | join_strange
                | (join.tiles == (1 << TRIAL_TILE_BITS) - 1)
            ),
            exits.eq(exit_bits & counting.replicate(2)),
            open_edges.eq(join_lanes[0].on),
        ]

        # What the trial has to remember of the tracks, if this play is not its last.
        join_more, join_put_b, join_put_a, join_put_o = (Signal() for _ in range(4))
        more, last_play, put_b, put_a, put_o, unknown = (Signal() for _ in range(6))
        plays = join.mode == Mode.CHAIN
        m.d.comb += [
            join_more.eq(forced[0] | forced[1] | join.waiting.any() | join.both),
            join_put_b.eq(join_more & ~join_same),
            join_put_a.eq(join_put_b & (join.mask_a | join_b.mask).any()),
            join_put_o.eq(
                join_more
                & join_lanes[0].on
                & (join_o.mask | (exit_bits & counting.replicate(2))).any()
            ),
        ]
        m.d.sync += [
            more.eq(plays & join_more),
            last_play.eq(plays & ~join_more),
            put_b.eq(join_put_b),
            put_a.eq(join_put_a),
            put_o.eq(join_put_o),
            unknown.eq(join_b.child | (join_lanes[0].on & join_o.child)),
        ]

        # DECIDE
        chain = decide.mode == Mode.CHAIN
        resolve = decide.mode == Mode.RESOLVE
        mask_k = decide.mask_a | track_b.mask
        mask_o = track_o.mask | exits
        loops, lines, tiles = Signal(2), Signal(2), Signal.like(decide.tiles)
        completes = Signal(2)
        m.d.comb += [
            loops.eq(decide.loops | (same << decide.colour)[:2]),
            completes.eq(
                ((~same & whole(mask_k)) << decide.colour)
                | ((open_edges & whole(mask_o)) << ~decide.colour)
            ),
            lines.eq(decide.lines | completes),
            tiles.eq(decide.tiles + ~decide.second),
        ]
        # The second row of one table that a play writes, a cycle after the first.
        late = Signal(data.StructLayout({"valid": 1, "colour": 1, "name": name_shape, "mask": 4}))
        blocked = late.valid & Mux(late.colour == decide.colour, put_b, put_o)
        # A row that the trial would need for another name.
        crowded = (put_b & track_b.crowded) | (put_a & decide.crowded_a) | (put_o & track_o.crowded)
        again, slow = Signal(), Signal()
        works = chain | resolve | (decide.mode == Mode.REVISIT)
        m.d.comb += [
            again.eq(works & ~illegal & ~stuck & (unknown | (chain & blocked))),
            slow.eq(works & ~illegal & ~again & (stuck | (chain & crowded))),
        ]
        # A forced play with more to come is written down. It does not matter if it is illegal, or
        # left to the slow path: then nobody will read it.
        goes = Signal()
        m.d.comb += goes.eq(more & ~unknown & ~blocked)

        # Only with more to come there is something to write that could hold a play up.
        over, ended, free, vacant = Signal(), Signal(), Signal(), Signal(init=1)
        parked = decide.mode == Mode.SLOW
        m.d.sync += vacant.eq((join.mode == Mode.EMPTY) | (join.mode == Mode.FETCH))
        m.d.comb += [
            over.eq(last_play & (illegal | ~(unknown | stuck))),
            ended.eq(over | (more & illegal)),
            free.eq(vacant | ended | (parked & self.slow_done)),
        ]
        m.d.comb += [
            self.done_valid.eq(ended | (parked & self.slow_done)),
            self.done.index.eq(decide.index),
            self.done.symbol.eq(decide.symbol),
            self.done.growth.eq(decide.growth),
            self.done.status.eq(Mux(illegal, Status.FORCED, Status.LEGAL)),
            self.done.tiles.eq(tiles),
            self.done.loops.eq(loops),
            self.done.lines.eq(lines),
        ]
        with m.If(parked):
            m.d.comb += [
                self.done.status.eq(self.slow_outcome.status),
                self.done.tiles.eq(self.slow_outcome.tiles),
                self.done.loops.eq(self.slow_outcome.loops),
                self.done.lines.eq(self.slow_outcome.lines),
            ]
        settled = Cat(
            (token.mode == Mode.SLOW) | (token.mode == Mode.EMPTY) for token in tokens
        ).all()
        m.d.comb += [
            self.slow.eq(parked & settled),
            self.idle.eq(Cat(token.mode == Mode.EMPTY for token in tokens).all()),
        ]

        # The epochs run out: wipe everything once nothing is under way. After a reset, too: the
        # epochs begin again, and what earlier trials have left in the memories outlives it.
        last = Signal()
        m.d.sync += last.eq(Cat(*(epoch.all() for epoch in epochs)).any())
        cells = wiping_cells(grid)
        wipe_rows = max(cells, UNION_ROWS)
        wiping = Signal(init=1)
        row = Signal(range(THREADS * wipe_rows))
        wiped = row[: (wipe_rows - 1).bit_length()]
        with m.If(wiping):
            m.d.sync += [row.eq(row + 1), wiping.eq(~row.all())]

        m.d.comb += [
            self.slot.mode.eq(decide.mode),
            self.slot.again.eq(again),
            self.slot.ended.eq(self.done_valid),
            self.slot.wiping.eq(wiping),
        ]

        # What enters where a trial has ended, unless one waits for the slow path or the memories
        # are to be wiped, which takes longer to begin than it takes to know.
        closed, enters = Signal(init=1), Signal()
        waits = Cat(token.mode == Mode.SLOW for token in tokens).any()
        m.d.sync += closed.eq(waits | last | wiping)
        m.d.comb += [
            self.fetch_ready.eq(free & ~closed),
            # An illegal trial that had more to come leaves its place to a fetch only: so what is
            # written is known without knowing whether the trial is legal.
            self.first_ready.eq((vacant | over) & ~closed & ~self.fetch_valid & ~late.valid),
            enters.eq(self.first_valid & self.first_ready),
        ]
        following = Signal(EPOCH_BITS)
        m.d.sync += following.eq(epochs[2] + 1)
        epoch = Mux(more | wiping, epochs[3], following)
        m.d.sync += epochs[0].eq(Mux(enters, following, epochs[3]))
        with m.If(last & self.idle & ~wiping):
            m.d.sync += [wiping.eq(1), *(e.eq(0) for e in epochs)]

        # The token's next round.
        # What an empty token or a fetch does not use keeps what was there.
        m.d.sync += read.eq(decide)
        m.d.sync += [read.names[n].eq(resolved[n]) for n in range(2)]
        name_b, name_o = (by_colour(resolved, c) for c in (decide.colour, ~decide.colour))
        with m.If(free):
            m.d.sync += read.mode.eq(Mode.EMPTY)
            with m.If(self.fetch_valid & self.fetch_ready):
                fetch = self.fetch
                m.d.sync += [
                    read.mode.eq(Mode.FETCH),
                    read.place.eq(fetch.place),
                    read.space.eq(fetch.space),
                    read.growth.eq(fetch.growth),
                    read.colour.eq(Colour.WHITE),
                    read.b_base.eq(1),
                    read.other.valid.eq(fetch.red),
                    read.other_base.eq(1),
                    read.known.eq(0),
                ]
            with m.Elif(enters):
                m.d.sync += read.eq(self.first.token)
        with m.Else():
            m.d.sync += read.known.eq(0)
            with m.If(again):
                children = Cat(track_b.child, open_edges & track_o.child)
                m.d.sync += read.known.eq(
                    decide.known | Mux(decide.colour, Cat(children[1], children[0]), children)
                )
            with m.Elif(slow | parked):
                m.d.sync += read.mode.eq(Mode.SLOW)
            with m.Elif(resolve):
                m.d.sync += [
                    read.mode.eq(Mode.CHAIN),
                    Value.cast(read.name_a).eq(name_b),
                    read.mask_a.eq(track_b.mask),
                    read.crowded_a.eq(track_b.crowded),
                ]
            with m.Else():
                m.d.sync += [
                    read.mode.eq(Mode.CHAIN),
                    read.place.eq(on.place),
                    read.space.eq(on.space),
                    read.colour.eq(on.pair.colour),
                    read.a.eq(on.pair.a),
                    Value.cast(read.name_a).eq(name_b),
                    read.mask_a.eq(track_b.mask),
                    read.crowded_a.eq(track_b.crowded),
                    read.b.eq(on.pair.b),
                    read.b_base.eq(on.pair.b_base),
                    read.other.eq(on.pair.other),
                    read.other_base.eq(on.pair.other_base),
                    read.both.eq(on.pair.both),
                    read.second.eq(0),
                ]
                with m.If(chain):
                    m.d.sync += [
                        Value.cast(read.name_a).eq(name_o),
                        read.mask_a.eq(mask_o),
                        read.crowded_a.eq(track_o.crowded),
                        read.loops.eq(loops),
                        read.lines.eq(lines),
                        read.tiles.eq(tiles),
                        read.both.eq(0),
                    ]
                    with m.If(pushed.valid):
                        m.d.sync += [read.waiting.eq(decide.waiting + 1)]
                    with m.If(decide.both):
                        m.d.sync += [
                            read.mode.eq(Mode.RESOLVE),
                            read.place.eq(decide.place),
                            read.space.eq(decide.space),
                            read.colour.eq(~decide.colour),
                            # The side that is left: of all four this is 0.
                            read.a.eq(decide.a ^ decide.b ^ decide.other.side),
                            read.b.eq(decide.other.side),
                            read.b_base.eq(decide.other_base),
                            read.other.valid.eq(0),
                            read.second.eq(1),
                        ]
                    with m.Elif(~on.valid):
                        m.d.sync += [
                            read.mode.eq(Mode.REVISIT),
                            read.waiting.eq(decide.waiting - ~left_two),
                            read.two.eq(decide.two & ~left_two),
                        ]

        # What the trial leaves behind for its further tiles.
        writes_at = Mux(more, Value.cast(decide.place), Value.cast(self.first.place))
        at_place = data.View(place_layout(grid), writes_at)
        m.d.comb += [
            overlay.at.x.eq(at_place.x[:window]),
            overlay.at.y.eq(at_place.y[:window]),
            overlay.of.eq(threads[3]),
            overlay.epoch.eq(epoch),
        ]
        with m.If(wiping):
            cell = wiping_cell(wiped[: (cells - 1).bit_length()], grid)
            m.d.comb += [overlay.at.eq(cell), overlay.add.eq(15), overlay.of.eq(row[-2:])]
        with m.Elif(~more):
            m.d.comb += overlay.add.eq(self.first.add & enters.replicate(4))
        with m.Else():
            for side in Side:
                here = [lane.valid & (lane.side == side) for lane in added]
                m.d.comb += overlay.add[side].eq(goes & (here[0] | here[1]))
        m.d.comb += overlay.colours.eq(Mux(more, (~decide.colour).replicate(4), ~self.first.tile))
        with m.If(more):
            for side in Side:
                m.d.comb += Value.cast(overlay.kept[side]).eq(
                    Mux(added[0].side == side, Value.cast(added[0].kept), Value.cast(added[1].kept))
                )
        pushes = Signal(waiting_layout(grid))
        m.d.comb += [
            pushes.place.eq(decide.place),
            pushes.side.eq(pushed.side),
            pushes.colour.eq(~decide.colour),
            stack_write.en.eq(Mux(more, goes & pushed.valid, enters)),
            stack_write.addr.eq(Cat(Mux(more, decide.waiting[:row_bits], 0), threads[3])),
            stack_write.data.eq(Mux(more, pushes, self.first.waits)),
        ]
        for colour in Colour:
            mine = decide.colour == colour
            table, row_put = unions[colour], unions[colour].row
            m.d.comb += [
                names[colour].at.x.eq(at_place.x[:window]),
                names[colour].at.y.eq(at_place.y[:window]),
                names[colour].of.eq(threads[3]),
                names[colour].put.eq(enters | (goes & ~mine & open_edges)),
                Value.cast(names[colour].given).eq(
                    Mux(
                        more,
                        Value.cast(resolved[colour]),
                        Value.cast(self.first.names[colour]),
                    )
                ),
            ]
            m.d.comb += [table.of.eq(threads[3]), row_put.epoch.eq(epoch)]
            m.d.comb += [row_put.parent.eq(decide.name_a), row_put.mask.eq(mask_o)]
            with m.If(wiping):
                m.d.comb += [
                    table.put.eq(1),
                    table.of.eq(row[-2:]),
                    table.at.eq(name_of(wiped[: (UNION_ROWS - 1).bit_length()], grid)),
                ]
            with m.Elif(late.valid & (late.colour == colour)):
                # It is the thread's that was here a cycle ago.
                m.d.comb += [
                    table.put.eq(1),
                    table.of.eq(threads[0]),
                    table.at.eq(late.name),
                    row_put.mask.eq(late.mask),
                    row_put.epoch.eq(epochs[0]),
                ]
            with m.Elif(~more):
                m.d.comb += [
                    table.put.eq(enters & self.first.masks[colour].any()),
                    table.at.eq(self.first.names[colour]),
                    row_put.mask.eq(self.first.masks[colour]),
                ]
            with m.Else():
                m.d.comb += [
                    table.put.eq(goes & Mux(mine, put_b, put_o)),
                    table.at.eq(resolved[colour]),
                    row_put.child.eq(mine),
                ]
        m.d.sync += [
            late.valid.eq(goes & put_a),
            late.colour.eq(decide.colour),
            late.name.eq(decide.name_a),
            late.mask.eq(mask_k),
        ]

        # Fetches are answered from two stages.
        m.d.comb += [
            self.fetched_near.eq(pick.mode == Mode.FETCH),
            self.fetched_rest.eq(decide.mode == Mode.FETCH),
            self.fetched.names.eq(Cat(Value.cast(name) for name in resolved)),
            self.fetched.masks[0].eq(track_b.mask),
            self.fetched.masks[1].eq(track_o.mask),
            self.fetched.outside.eq(decide_outside),
            self.fetched.counting.eq(decide_counting),
        ]
        return m
