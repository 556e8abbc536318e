"""The forced plays of four trials at a time, one tile of each in turn."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import LINE_LENGTH, Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, box_layout, cell_layout, place_layout
from loopline.hdl.trials.lane import Lane
from loopline.hdl.trials.names import Names
from loopline.hdl.trials.overlay import Overlay, overlay_word
from loopline.hdl.trials.types import (
    EPOCH_BITS,
    OFFSET_BITS,
    THREADS,
    TRIAL_TILE_BITS,
    Mode,
    bank_of,
    growth_layout,
    name_layout,
    near_layout,
    opposite,
    slot_layout,
    sockets_layout,
    token_layout,
    trial_layout,
    unit_step,
    whole,
    window_bits,
)
from loopline.hdl.trials.unions import Unions, row_layout, tag_of

__all__ = ["Chain", "fetch_layout", "fetched_layout", "first_layout"]


def first_layout(grid: GridConfig) -> data.StructLayout:
    """A trial whose first tile forces something: where it goes on, and what that tile leaves.

    ``add``: the sides of the tile on which a space gets a socket that the trial has to remember;
    ``tile``: its white edges; ``names``, ``masks``: the tracks through it, by colour.
    """
    return data.StructLayout(
        {
            "token": token_layout(grid),
            "place": place_layout(grid),
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
    ``counting``: the sides that count for lines."""
    return data.StructLayout(
        {
            "names": data.ArrayLayout(name_layout(grid), 2),
            "masks": data.ArrayLayout(4, 2),
            "outside": 4,
            "counting": 4,
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
    box : In(box_layout), lines : In(1)
        The position's box, and whether lines count.
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
    slow : Out(1), slow_place : Out(place_layout), slow_done : In(1), slow_outcome : In
        A trial is left to the slow path, and nothing else is under way; ``done.symbol`` is its
        shape. The unit stands still until ``slow_done``.
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
                "slow_place": Out(place_layout(grid)),
                "slow_done": In(1),
                "slow_outcome": In(trial_layout(grid)),
                "idle": Out(1),
                "slot": Out(slot_layout()),
            }
        )

    def _limits(self, growth: data.View) -> dict[Side, Value]:
        """The box with a trial's first tile: the outermost column or row on each side."""
        box = self.box
        bits = self._grid.coord_bits
        edges = {
            Side.NORTH: (box.north, -1),
            Side.EAST: (box.east, 1),
            Side.SOUTH: (box.south, 1),
            Side.WEST: (box.west, -1),
        }
        return {
            side: Mux(growth.any & (growth.side == side), (edge + step)[:bits], edge)
            for side, (edge, step) in edges.items()
        }

    def _counting(self, growth: data.View) -> Value:
        """The sides on which an end outside the box counts for a line."""
        lateral, long = growth.side[0], self._long
        wide = long[0] | (growth.any & lateral & long[1])
        high = long[2] | (growth.any & ~lateral & long[3])
        return Cat(high, wide, high, wide)

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
        bits, window = grid.coord_bits, window_bits(grid)

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
            x, y = _step(low, side)
            m.d.comb += [
                names[colour].cell.x.eq(x),
                names[colour].cell.y.eq(y),
                names[colour].thread.eq(threads[0]),
            ]
            tag = Signal(2, name=f"tag_{colour.name.lower()}")
            m.d.sync += tag.eq(Cat(x[-1], y[-1]))
            tags.append(tag)
        limits = self._limits(read.growth)
        outside = Cat(
            read.place.y == limits[Side.NORTH],
            read.place.x == limits[Side.EAST],
            read.place.y == limits[Side.SOUTH],
            read.place.x == limits[Side.WEST],
        )
        # Two's complement offsets at the rim of the window.
        highest, lowest = (1 << (OFFSET_BITS - 1)) - 1, 1 << (OFFSET_BITS - 1)
        at_rim = Cat(
            read.offset.y == lowest,
            read.offset.x == highest,
            read.offset.y == highest,
            read.offset.x == lowest,
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
        with m.If(open_sides[0]):
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
            pick_far.eq((open_sides & ~outside & at_rim).any()),
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

        tids = []
        for colour in Colour:
            tid = Signal(name_shape, name=f"tid_{colour.name.lower()}")
            partner = self.partners[colour]
            m.d.comb += tid.id.eq(Mux(partner < pick.space, partner, pick.space))
            tids.append(tid)

        def by_colour(values, colour: Value) -> Value:
            return Mux(colour, Value.cast(values[1]), Value.cast(values[0]))

        own, foreign = pick.colour, ~pick.colour
        found_names = [names[colour].name for colour in Colour]
        strange = [names[colour].tag != tags[colour] for colour in Colour]
        base_b = pick.b_base & (pick.mode != Mode.RESOLVE)
        name_b, name_o = Signal(name_shape), Signal(name_shape)
        with m.If(pick.b_known):
            m.d.comb += name_b.eq(pick.name_b)
        with m.Elif(base_b):
            m.d.comb += Value.cast(name_b).eq(by_colour(tids, own))
        with m.Else():
            m.d.comb += Value.cast(name_b).eq(by_colour(found_names, own))
        with m.If(~pick.other.valid):
            m.d.comb += [name_o.fresh.eq(1), name_o.id.eq(pick.tiles)]
        with m.Elif(pick.other_known):
            m.d.comb += name_o.eq(pick.name_other)
        with m.Elif(pick.other_base):
            m.d.comb += Value.cast(name_o).eq(by_colour(tids, foreign))
        with m.Else():
            m.d.comb += Value.cast(name_o).eq(by_colour(found_names, foreign))
        for colour in Colour:
            m.d.comb += [
                Value.cast(unions[colour].name).eq(
                    Mux(pick.colour == colour, Value.cast(name_b), Value.cast(name_o))
                ),
                unions[colour].thread.eq(threads[1]),
            ]
        join_name_b, join_name_o = Signal(name_shape), Signal(name_shape)
        join_strange = Signal()
        m.d.sync += [
            join_name_b.eq(name_b),
            join_name_o.eq(name_o),
            join_strange.eq(
                (~pick.b_known & ~base_b & by_colour(strange, own))
                | (
                    pick_lanes[0].on
                    & pick.other.valid
                    & ~pick.other_known
                    & ~pick.other_base
                    & by_colour(strange, foreign)
                )
            ),
        ]

        # JOIN
        limits = self._limits(join.growth)
        counting = self._counting(join.growth)
        far = []
        for colour in Colour:
            place = self.partner_places[colour]
            exits = Cat(
                place.y == (limits[Side.NORTH] - 1)[:bits],
                place.x == (limits[Side.EAST] + 1)[:bits],
                place.y == (limits[Side.SOUTH] + 1)[:bits],
                place.x == (limits[Side.WEST] - 1)[:bits],
            )
            far.append(exits & counting)
        rows = [unions[colour].found for colour in Colour]

        def track(prefix: str, name, colour: Value, base: Value):
            """What is known of a track: is it another's child, whose, its exits; see ``find``."""
            row = data.View(row_layout(grid), by_colour(rows, colour))
            here = Signal(name=f"{prefix}_here")
            # A fetch uses a thread whose last trial is over.
            m.d.comb += here.eq((row.epoch == epochs[2]) & (join.mode != Mode.FETCH))
            hit = Signal(name=f"{prefix}_hit")
            m.d.comb += hit.eq(here & (row.tag == tag_of(name)))
            shape = data.StructLayout(
                {"name": name_shape, "parent": name_shape, "child": 1, "crowded": 1, "mask": 4}
            )
            found = Signal(shape, name=f"join_{prefix}")
            known = Signal(shape, name=f"decide_{prefix}")
            m.d.comb += [
                found.name.eq(name),
                found.parent.eq(row.parent),
                found.child.eq(hit & row.child),
                found.crowded.eq(here & ~hit),
                found.mask.eq(Mux(hit, row.mask, Mux(base, by_colour(far, colour), 0))),
            ]
            m.d.sync += known.eq(found)
            return found, known

        base_b = join.b_base & ~join.b_known & (join.mode != Mode.RESOLVE)
        join_b, track_b = track("b", join_name_b, join.colour, base_b)
        base_o = join.other.valid & join.other_base & ~join.other_known
        join_o, track_o = track("o", join_name_o, ~join.colour, base_o)
        join_same, same = Signal(), Signal()
        m.d.comb += join_same.eq(Value.cast(join_name_b) == Value.cast(join.name_a))
        m.d.sync += same.eq(join_same)
        decide_counting = Signal(4)
        m.d.sync += decide_counting.eq(counting)

        for lane, where in zip(lanes, join_lanes, strict=True):
            m.d.comb += [lane.colour.eq(~join.colour), lane.entry.eq(opposite(where.side))]
        inside = [where.on & ~where.outside for where in join_lanes]
        forced = [lane.forced & on for lane, on in zip(lanes, inside, strict=True)]
        illegal, stuck = Signal(), Signal()
        second_next = Signal()
        m.d.comb += second_next.eq(~forced[0] | (forced[1] & lanes[1].full & ~lanes[0].full))
        add = [
            inside[0] & (~forced[0] | second_next),
            inside[1] & ~(second_next & forced[1]),
        ]
        full = (add[0] & lanes[0].full) | (add[1] & lanes[1].full)
        push = forced[0] & forced[1]
        revisit = join.mode == Mode.REVISIT
        next_side = Signal(2)
        m.d.comb += next_side.eq(
            Mux(revisit, Side.NORTH, Mux(second_next, join_lanes[1].side, join_lanes[0].side))
        )
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
                "offset": read.offset.shape(),
                "space": grid.index_bits,
            }
        )
        on = Signal(on_shape)
        x, y = _step(join.place, next_side)
        dx, dy = _step(join.offset, next_side)
        m.d.sync += [
            on.valid.eq(forced[0] | forced[1]),
            on.pair.eq(pair),
            on.place.x.eq(x),
            on.place.y.eq(y),
            on.offset.eq(join.offset),
            on.space.eq(Mux(~revisit & second_next, lanes[1].base.index, lanes[0].base.index)),
        ]
        with m.If(~revisit):
            m.d.sync += [on.offset.x.eq(dx), on.offset.y.eq(dy)]
        pushed = Signal(data.StructLayout({"valid": 1, "offset": read.offset.shape()}))
        dx, dy = _step(join.offset, push_side)
        m.d.sync += [pushed.valid.eq(push), pushed.offset.x.eq(dx), pushed.offset.y.eq(dy)]
        added = [
            Signal(
                data.StructLayout({"valid": 1, "side": 2, "sockets": sockets_layout()}),
                name=f"added{n}",
            )
            for n in range(2)
        ]
        for n, lane in enumerate(lanes):
            m.d.sync += [
                added[n].valid.eq(add[n]),
                added[n].side.eq(join_lanes[n].side),
                added[n].sockets.eq(lane.after),
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
                | (push & (join.waiting == 2))
                | join_far
                | join_strange
                | (join.tiles == (1 << TRIAL_TILE_BITS) - 1)
            ),
            exits.eq(exit_bits & counting),
            open_edges.eq(join_lanes[0].on),
        ]

        # What the trial has to remember of the tracks, if this play is not its last.
        join_more, join_put_b, join_put_a, join_put_o = (Signal() for _ in range(4))
        more, put_b, put_a, put_o, unknown = (Signal() for _ in range(5))
        m.d.comb += [
            join_more.eq(forced[0] | forced[1] | join.waiting.any() | join.both),
            join_put_b.eq(join_more & ~join_same),
            join_put_a.eq(join_put_b & (join.mask_a | join_b.mask).any()),
            join_put_o.eq(
                join_more & join_lanes[0].on & (join_o.mask | (exit_bits & counting)).any()
            ),
        ]
        m.d.sync += [
            more.eq(join_more),
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
        late_shape = data.StructLayout(
            {"valid": 1, "thread": 2, "name": name_shape, "mask": 4, "epoch": EPOCH_BITS}
        )
        late = [Signal(late_shape, name=f"late_{colour.name.lower()}") for colour in Colour]
        blocked = Mux(
            decide.colour,
            (late[1].valid & put_b) | (late[0].valid & put_o),
            (late[0].valid & put_b) | (late[1].valid & put_o),
        )
        # A row that the trial would need for another name.
        crowded = (put_b & track_b.crowded) | (put_a & decide.crowded_a) | (put_o & track_o.crowded)
        again, slow = Signal(), Signal()
        m.d.comb += [
            again.eq(
                (
                    chain
                    & ~illegal
                    & ~stuck
                    & (track_b.child | (open_edges & track_o.child) | blocked)
                )
                | ((resolve | (decide.mode == Mode.REVISIT)) & track_b.child)
            ),
            slow.eq((chain & ~illegal & ~again & (stuck | crowded)) | (resolve & stuck)),
        ]
        goes = Signal()  # a forced play that is made now, with more to come
        m.d.comb += goes.eq(chain & ~illegal & ~again & ~slow & more)

        ended = Signal()
        m.d.comb += ended.eq(chain & (illegal | (~again & ~slow & ~more)))
        free = Signal()
        parked = decide.mode == Mode.SLOW
        m.d.comb += free.eq(
            (decide.mode == Mode.EMPTY)
            | (decide.mode == Mode.FETCH)
            | ended
            | (parked & self.slow_done)
        )
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
        any_parked = Cat(token.mode == Mode.SLOW for token in tokens).any()
        settled = Cat(
            (token.mode == Mode.SLOW) | (token.mode == Mode.EMPTY) for token in tokens
        ).all()
        m.d.comb += [
            self.slow.eq(parked & settled),
            self.slow_place.x.eq((decide.place.x - decide.offset.x.as_signed())[:bits]),
            self.slow_place.y.eq((decide.place.y - decide.offset.y.as_signed())[:bits]),
            self.idle.eq(Cat(token.mode == Mode.EMPTY for token in tokens).all()),
        ]

        # The epochs run out: wipe everything once nothing is under way. After a reset, too: the
        # epochs begin again, and what earlier trials have left in the memories outlives it.
        last = Cat(*(epoch.all() for epoch in epochs)).any()
        wiping = Signal(init=1)
        wipe_rows = max(overlay.rows, unions[0].rows)
        row = Signal(range(wipe_rows))
        with m.If(wiping):
            m.d.sync += row.eq(row + 1)
            with m.If(row == wipe_rows - 1):
                m.d.sync += wiping.eq(0)
                m.d.sync += row.eq(0)
        with m.Elif(last & self.idle):
            m.d.sync += wiping.eq(1)
        m.d.comb += [overlay.wipe.eq(wiping), overlay.row.eq(row)]
        for table in unions:
            m.d.comb += [table.wipe.eq(wiping), table.wiped.eq(row)]

        m.d.comb += [
            self.slot.mode.eq(decide.mode),
            self.slot.again.eq(again),
            self.slot.ended.eq(self.done_valid),
            self.slot.wiping.eq(wiping),
        ]

        # What enters where a trial has ended.
        may_enter = free & ~any_parked & ~last & ~wiping
        enters = Signal()
        m.d.comb += [
            self.fetch_ready.eq(may_enter),
            # An illegal trial that had more to come leaves its place to a fetch only: so what is
            # written is known without knowing whether the trial is legal.
            self.first_ready.eq(
                may_enter
                & ~(chain & more)
                & ~self.fetch_valid
                & ~(late[0].valid & self.first.masks[0].any())
                & ~(late[1].valid & self.first.masks[1].any())
            ),
            enters.eq(self.first_valid & self.first_ready),
        ]
        following = (epochs[3] + 1)[:EPOCH_BITS]
        epoch = Mux(chain & more, epochs[3], following)
        m.d.sync += epochs[0].eq(Mux(enters, following, epochs[3]))
        with m.If(wiping):
            m.d.sync += [e.eq(0) for e in epochs]

        # The token's next round.
        # What an empty token or a fetch does not use keeps what was there.
        m.d.sync += read.eq(decide)
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
                    read.b_known.eq(0),
                    read.other.valid.eq(fetch.red),
                    read.other_base.eq(1),
                    read.other_known.eq(0),
                ]
            with m.Elif(enters):
                m.d.sync += read.eq(self.first.token)
        with m.Else():
            with m.If(again):
                with m.If(track_b.child):
                    m.d.sync += [read.b_known.eq(1), read.name_b.eq(track_b.parent)]
                with m.If(chain & open_edges & track_o.child):
                    m.d.sync += [read.other_known.eq(1), read.name_other.eq(track_o.parent)]
            with m.Elif(slow):
                m.d.sync += read.mode.eq(Mode.SLOW)
            with m.Elif(resolve):
                m.d.sync += [
                    read.mode.eq(Mode.CHAIN),
                    read.name_a.eq(track_b.name),
                    read.mask_a.eq(track_b.mask),
                    read.crowded_a.eq(track_b.crowded),
                    read.b_known.eq(0),
                ]
            with m.Elif(decide.mode == Mode.REVISIT):
                m.d.sync += [
                    read.mode.eq(Mode.CHAIN),
                    read.place.eq(on.place),
                    read.space.eq(on.space),
                    read.name_a.eq(track_b.name),
                    read.mask_a.eq(track_b.mask),
                    read.crowded_a.eq(track_b.crowded),
                    read.a.eq(on.pair.a),
                    read.b.eq(on.pair.b),
                    read.b_base.eq(1),
                    read.b_known.eq(0),
                    read.other.eq(on.pair.other),
                    read.other_base.eq(on.pair.other_base),
                    read.other_known.eq(0),
                    read.both.eq(on.pair.both),
                    read.second.eq(0),
                ]
            with m.Elif(chain):
                m.d.sync += [
                    read.loops.eq(loops),
                    read.lines.eq(lines),
                    read.tiles.eq(tiles),
                    read.b_known.eq(0),
                    read.other_known.eq(0),
                    read.second.eq(0),
                    read.both.eq(0),
                ]
                with m.If(pushed.valid):
                    m.d.sync += [
                        read.pending[1].eq(decide.pending[0]),
                        read.pending[0].x.eq(pushed.offset.x),
                        read.pending[0].y.eq(pushed.offset.y),
                        read.pending[0].name.eq(track_o.name),
                        read.pending[0].colour.eq(~decide.colour),
                        read.waiting.eq(decide.waiting + 1),
                    ]
                with m.If(decide.both):
                    sides = (1 << decide.a)[:4] | (1 << decide.b)[:4] | (1 << decide.other.side)[:4]
                    left = ~sides
                    m.d.sync += [
                        read.mode.eq(Mode.RESOLVE),
                        read.colour.eq(~decide.colour),
                        read.a.eq(Cat(left[1] | left[3], left[2] | left[3])),
                        read.b.eq(decide.other.side),
                        read.b_base.eq(decide.other_base),
                        read.other.valid.eq(0),
                        read.second.eq(1),
                    ]
                with m.Elif(on.valid):
                    m.d.sync += [
                        read.place.eq(on.place),
                        read.offset.eq(on.offset),
                        read.space.eq(on.space),
                        read.colour.eq(on.pair.colour),
                        read.a.eq(on.pair.a),
                        read.name_a.eq(track_o.name),
                        read.mask_a.eq(mask_o),
                        read.crowded_a.eq(track_o.crowded),
                        read.b.eq(on.pair.b),
                        read.b_base.eq(on.pair.b_base),
                        read.other.eq(on.pair.other),
                        read.other_base.eq(on.pair.other_base),
                    ]
                with m.Else():
                    top = decide.pending[0]

                    def away(to: Value, offset: Value) -> Value:
                        return to.as_signed() - offset.as_signed()

                    m.d.sync += [
                        read.mode.eq(Mode.REVISIT),
                        read.offset.x.eq(top.x),
                        read.offset.y.eq(top.y),
                        read.b_known.eq(1),
                        read.name_b.eq(top.name),
                        read.colour.eq(top.colour),
                        read.place.x.eq((decide.place.x + away(top.x, decide.offset.x))[:bits]),
                        read.place.y.eq((decide.place.y + away(top.y, decide.offset.y) + 1)[:bits]),
                        read.pending[0].eq(decide.pending[1]),
                        read.waiting.eq(decide.waiting - 1),
                    ]

        # What the trial leaves behind for its further tiles.
        writes_at = Mux(chain & more, Value.cast(decide.place), Value.cast(self.first.place))
        at_place = data.View(place_layout(grid), writes_at)
        m.d.comb += [
            overlay.at.x.eq(at_place.x[:window]),
            overlay.at.y.eq(at_place.y[:window]),
            overlay.of.eq(threads[3]),
            overlay.epoch.eq(epoch),
        ]
        for side in Side:
            here = [added[n].side == side for n in range(2)]
            with m.If(~(chain & more)):
                white = self.first.tile[side]
                m.d.comb += overlay.add[side].eq(enters & self.first.add[side])
                for colour in Colour:
                    m.d.comb += [
                        overlay.sockets[side][colour].valid.eq(white == (colour == Colour.WHITE)),
                        overlay.sockets[side][colour].side.eq(side.opposite),
                    ]
            with m.Else():
                m.d.comb += [
                    overlay.add[side].eq(
                        goes & ((added[0].valid & here[0]) | (added[1].valid & here[1]))
                    ),
                    overlay.sockets[side].eq(
                        Mux(
                            added[0].valid & here[0],
                            Value.cast(added[0].sockets),
                            Value.cast(added[1].sockets),
                        )
                    ),
                ]
        for colour in Colour:
            mine = decide.colour == colour
            table, row = unions[colour], unions[colour].row
            m.d.comb += [
                names[colour].at.x.eq(at_place.x[:window]),
                names[colour].at.y.eq(at_place.y[:window]),
                names[colour].of.eq(threads[3]),
                names[colour].put.eq(enters | (goes & ~mine & open_edges)),
                Value.cast(names[colour].given).eq(
                    Mux(
                        chain & more, Value.cast(track_o.name), Value.cast(self.first.names[colour])
                    )
                ),
            ]
            m.d.sync += late[colour].valid.eq(0)
            m.d.comb += [table.of.eq(threads[3]), row.epoch.eq(epoch)]
            with m.If(late[colour].valid):
                m.d.comb += [
                    table.put.eq(1),
                    table.of.eq(late[colour].thread),
                    table.at.eq(late[colour].name),
                    row.mask.eq(late[colour].mask),
                    row.epoch.eq(late[colour].epoch),
                ]
            with m.Elif(~(chain & more)):
                m.d.comb += [
                    table.put.eq(enters & self.first.masks[colour].any()),
                    table.at.eq(self.first.names[colour]),
                    row.mask.eq(self.first.masks[colour]),
                ]
            with m.Elif(mine):
                m.d.comb += [
                    table.put.eq(goes & put_b),
                    table.at.eq(track_b.name),
                    row.child.eq(1),
                    row.parent.eq(decide.name_a),
                ]
                m.d.sync += [
                    late[colour].valid.eq(goes & put_a),
                    late[colour].thread.eq(threads[3]),
                    late[colour].name.eq(decide.name_a),
                    late[colour].mask.eq(mask_k),
                    late[colour].epoch.eq(epochs[3]),
                ]
            with m.Else():
                m.d.comb += [
                    table.put.eq(goes & put_o),
                    table.at.eq(track_o.name),
                    row.mask.eq(mask_o),
                ]

        # Fetches are answered from two stages.
        m.d.comb += [
            self.fetched_near.eq(pick.mode == Mode.FETCH),
            self.fetched_rest.eq(decide.mode == Mode.FETCH),
            self.fetched.names[0].eq(track_b.name),
            self.fetched.names[1].eq(track_o.name),
            self.fetched.masks[0].eq(track_b.mask),
            self.fetched.masks[1].eq(track_o.mask),
            self.fetched.outside.eq(decide_outside),
            self.fetched.counting.eq(decide_counting),
        ]
        return m
