"""The forced plays of four trials at a time, one tile of each in turn."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.types import Status, box_layout, cell_layout, place_layout
from loopline.hdl.trials.epochs import Epochs
from loopline.hdl.trials.equal import equal
from loopline.hdl.trials.exits import Exits
from loopline.hdl.trials.names import Names, name_rows
from loopline.hdl.trials.onward import Onward, added_layout, next_layout, pushed_layout
from loopline.hdl.trials.overlay import Overlay, wiping_cell, wiping_cells
from loopline.hdl.trials.stages import Named, Play, Ring, Source, Tile, Tracks, Way
from loopline.hdl.trials.surroundings import Surroundings
from loopline.hdl.trials.types import (
    PENDING,
    THREADS,
    TRIAL_TILE_BITS,
    Mode,
    fetch_layout,
    fetched_layout,
    first_layout,
    name_layout,
    slot_layout,
    sockets_layout,
    token_layout,
    trial_layout,
    waiting_layout,
    waiting_rows,
    whole,
    window_bits,
)
from loopline.hdl.trials.unions import UNION_ROWS, Unions, name_of, row_of, tag_of

__all__ = ["Chain"]


def _row(waiting: Value) -> Value:
    """So many that wait, as a row of a thread's stack."""
    return waiting[: (PENDING - 1).bit_length()]


def _by_colour(values, colour: Value) -> Value:
    """One of two values, by a colour."""
    return Mux(colour, Value.cast(values[1]), Value.cast(values[0]))


def _later(m: Module, value, *stages: str) -> list:
    """A value of READ in the stages that follow, by the names of the registers."""
    late = [value]
    for stage in stages:
        late.append(Signal.like(value, name=stage))
        m.d.sync += late[-1].eq(late[-2])
    return late[1:]


class Chain(wiring.Component):
    """Follows the forced plays of up to four trials, each one tile further every four cycles.

    ::

        ┌─► READ ───────────► PICK ─────────────► JOIN ───────────► DECIDE ─┐
        │   addresses of      the two spaces that what each space   on with │
        │   the neighbours,   the tile's open     becomes; rows of  which   │
        │   of the tracks     edges lead to; the  the tracks' names space,  │
        │   that end here     tracks' names                         writes  │
        └───────────────────────────────────────────────────────────────────┘

    A token that cannot go on yet, since a name stands for another one, its row is taken, or a write
    port is, goes round once more as it is.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    box : In(box_layout), edges : In(edges_layout)
        The position's box, and what follows from it.
    place : Out(place_layout), banks : In(ArrayLayout(cell_layout, 4))
        The cell map: the neighbours of a cell by bank, one cycle later.
    space : Out, partners : In
        By colour, the other end of the track that ends in a frontier space, one cycle later.
    follow : Out(2), partner_places : In
        By colour, whether its coordinates are asked for in that cycle; they are there in the next.
    fetch : In(fetch_layout), fetch_valid : In(1), fetch_ready : Out(1)
        A space to read for :class:`First`: it comes before a first tile.
    fetched_near : Out(1), fetched_outside : Out(4)
        In this cycle the cell map shows what a fetch has read, and on which sides that is outside
        of the box. In the order of the fetches.
    fetched_rest : Out(1), fetched : Out(fetched_layout)
        The rest of it, two cycles later.
    first : In(first_layout), first_valid : In(1), first_ready : Out(1)
        A trial whose first tile forces something.
    done : Out(trial_layout), done_valid : Out(1)
        The outcome of a trial, in one cycle.
    slow : Out(1), slow_outcome : In
        A trial is left to the slow path, and nothing else is under way; ``done.index`` and
        ``done.symbol`` say which. The unit has to stand still until its outcome is there.
    idle : Out(1)
        Nothing is under way.
    names_white, names_red, waiting : Out(Rows)
        Memories. What they hold while nothing is under way, or all that is waits for the slow path,
        does not matter.
    slot : Out(slot_layout)
        What DECIDE does in this cycle; ``first`` and ``moves`` are not set here.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
                # The position.
                "place": Out(place_layout(grid)),
                "banks": In(data.ArrayLayout(cell_layout(grid), 4)),
                "space": Out(grid.index_bits),
                "partners": In(data.ArrayLayout(grid.index_bits, 2)),
                "follow": Out(2),
                "partner_places": In(data.ArrayLayout(place_layout(grid), 2)),
                # Fetches.
                "fetch": In(fetch_layout(grid)),
                "fetch_valid": In(1),
                "fetch_ready": Out(1),
                "fetched_near": Out(1),
                "fetched_outside": Out(4),
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
                "slow_outcome": In(trial_layout(grid)),
                "idle": Out(1),
                "names_white": Out(name_rows(grid)),
                "names_red": Out(name_rows(grid)),
                "waiting": Out(waiting_rows(grid)),
                "slot": Out(slot_layout()),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid

        m.submodules.overlay = overlay = Overlay(grid)
        names = [Names(grid) for _ in Colour]
        unions = [Unions(grid) for _ in Colour]
        for colour in Colour:
            m.submodules[f"names_{colour.name.lower()}"] = names[colour]
            m.submodules[f"unions_{colour.name.lower()}"] = unions[colour]
            rows = self.names_red if colour is Colour.RED else self.names_white
            connect(m, names[colour].rows, flipped(rows))
        m.submodules.epochs = epochs = Epochs(grid)
        m.submodules.exits = exits = Exits(grid)
        m.submodules.surroundings = surroundings = Surroundings(grid)
        m.submodules.onward = onward = Onward(grid)

        tokens = [Signal(token_layout(grid), name=f"token{n}") for n in range(THREADS)]
        read, pick, join, decide = tokens
        m.d.sync += [pick.eq(read), join.eq(pick), decide.eq(join)]
        turn = Signal(2)
        m.d.sync += turn.eq(turn + 1)
        threads = [(turn - n)[:2] for n in range(THREADS)]
        ring = Ring(*tokens, threads, overlay, names, unions, epochs, exits, surroundings, onward)

        self._read(m, ring)
        sources = self._sources(m, ring)
        tile = self._tile(m, ring)
        self._pick_spaces(m, ring, tile)
        named = self._pick_names(m, ring, tile, sources)
        tracks = self._join_tracks(m, ring, tile, named)
        way = self._join_spaces(m, ring, tile, named, tracks)
        # A second row of a table of unions that a play writes, a cycle after the first one.
        late_shape = {"valid": 1, "colour": 1, "name": name_layout(grid), "spare": 1, "mask": 4}
        late = Signal(data.StructLayout(late_shape))
        play = self._decide(m, ring, tracks, way, late)
        self._tell(m, ring, way, play)
        enters = self._enter(m, ring, way, play, late)
        self._go_round(m, ring, tracks, way, play, enters)
        self._remember_sockets(m, ring, way, play, enters)
        self._remember_tracks(m, ring, tracks, way, play, enters, late)
        self._answer_fetches(m, ring, tile, tracks, way)
        return m

    def _read(self, m: Module, ring: Ring) -> None:
        """READ: the addresses of what lies around the tile."""
        read, exits, surroundings, overlay = ring.read, ring.exits, ring.surroundings, ring.overlay
        m.d.comb += [
            self.place.eq(read.place),
            self.space.eq(read.space),
            exits.box.eq(self.box),
            exits.edges.eq(self.edges),
            exits.place.eq(read.place),
            exits.growth.eq(read.growth),
            surroundings.token.eq(read),
            surroundings.outside.eq(exits.outside),
            overlay.place.eq(surroundings.near),
            overlay.thread.eq(ring.threads[0]),
        ]

    def _sources(self, m: Module, ring: Ring) -> list[Source]:
        """READ: by colour, where the name of the track comes from, and what is known of it."""
        read, names = ring.read, ring.names
        tags = []
        for colour in Colour:
            tile = ring.surroundings.tiles[colour]
            m.d.comb += [names[colour].cell.eq(tile), names[colour].thread.eq(ring.threads[0])]
            tag = Signal(2, name=f"tag_{colour.name.lower()}")
            m.d.sync += tag.eq(Cat(tile.x[-1], tile.y[-1]))
            tags.append(tag)

        sources = []
        shape = name_layout(self._grid)
        works = (read.mode != Mode.EMPTY) & (read.mode != Mode.SLOW)
        for colour in Colour:
            mine = read.colour == colour
            valid = mine | read.other.valid
            is_given = ~valid | read.known[colour]
            base = Mux(mine, read.b_base & (read.mode != Mode.RESOLVE), read.other_base)
            is_base, is_asked = (Signal(name=f"{n}{colour.value}") for n in ("is_base", "is_asked"))
            given, known = Signal(shape), Signal(shape, name=f"known{colour.value}")
            with m.If(is_given & valid):
                m.d.comb += given.eq(read.names[colour])
            with m.Elif(is_given):
                ones = Const(-1, len(given.id) - TRIAL_TILE_BITS)
                m.d.comb += [given.fresh.eq(1), given.id.eq(Cat(~read.tiles, ones))]
            with m.Elif(base):
                m.d.comb += given.id.eq(read.space)
            row = Signal.like(ring.unions[colour].read_row, name=f"known_row{colour.value}")
            limit = Signal.like(read.space, name=f"limit{colour.value}")
            m.d.sync += [
                known.eq(given),
                limit.eq(Mux(is_given | ~base, 0, read.space)),
                row.eq(row_of(given, read.spare[colour])),
                is_base.eq(~is_given & base & works),
                is_asked.eq(~is_given & ~base),
            ]
            sources.append(Source(is_base, is_asked, known, row, limit, tags[colour]))
        return sources

    def _tile(self, m: Module, ring: Ring) -> Tile:
        """READ: the tile's open edges, for the stages that follow."""
        surroundings, exits = ring.surroundings, ring.exits
        pick_lanes, join_lanes = _later(m, surroundings.lanes, "pick_lanes", "join_lanes")
        (pick_outside,) = _later(m, exits.outside, "pick_outside")
        _, join_far = _later(m, surroundings.far, "pick_far", "join_far")
        return Tile(pick_lanes, join_lanes, join_far, pick_outside)

    def _pick_spaces(self, m: Module, ring: Ring, tile: Tile) -> None:
        """PICK: the spaces beyond the open edges, and the one of those that wait."""
        onward = ring.onward
        base_words = Array([Value.cast(self.banks[n]) for n in range(4)])
        added_words = Array([Value.cast(ring.overlay.banks[n].sockets) for n in range(4)])
        # Which bank is meant is chosen after the comparison: that takes fewer of them.
        there = Array(
            [
                equal(m, ring.overlay.banks[n].epoch, ring.epochs.epochs[1], f"same_overlay{n}")
                for n in range(4)
            ]
        )
        for n in range(2):
            bank = tile.pick_lanes[n].bank
            base = Signal(cell_layout(self._grid), name=f"base{n}")
            added = Signal(sockets_layout(), name=f"added{n}")
            is_added = Signal(name=f"is_added{n}")
            m.d.comb += [onward.bases[n].eq(base), onward.added[n].eq(added)]
            m.d.sync += [
                Value.cast(base).eq(base_words[bank]),
                Value.cast(added).eq(added_words[bank]),
                is_added.eq(there[bank]),
            ]
            # Whether it is there is known last, and asked for in JOIN only.
            for colour in Colour:
                m.d.comb += onward.added[n][colour].valid.eq(added[colour].valid & is_added)

        # What waits is on a stack for each thread; the one on top may be next.
        top = _row(ring.pick.waiting - 1)
        m.d.comb += self.waiting.row.eq(Cat(top, ring.threads[1]))

    def _pick_names(self, m: Module, ring: Ring, tile: Tile, sources: list[Source]) -> Named:
        """PICK: by colour, the name of the track. READ has worked out where it comes from, since it
        is late when the lower end of a track is known."""
        pick, names, unions = ring.pick, ring.names, ring.unions
        name_shape = name_layout(self._grid)
        join_names = [Signal(name_shape, name=f"join_name{n}") for n in range(2)]
        join_base, join_strange = Signal(2), Signal()
        # A fetch uses a thread whose last trial is over.
        join_looks = Signal()
        m.d.sync += join_looks.eq(pick.mode != Mode.FETCH)
        strange = []
        for colour in Colour:
            is_base, is_asked, known, known_row, limit, tag = sources[colour]
            name, partner = (Signal(name_shape, name=f"{n}{colour.value}") for n in ("name", "far"))
            near_row = Signal.like(known_row, name=f"near_row{colour.value}", attrs={"keep": 1})
            asked = Mux(is_asked, Value.cast(names[colour].name), 0)
            # Which end is the lower one is known last, so it chooses last.
            is_far = self.partners[colour] < limit
            m.d.comb += [
                partner.id.eq(self.partners[colour]),
                Value.cast(name).eq(Mux(is_far, partner, Value.cast(known) | asked)),
                near_row.eq(known_row ^ asked[: len(known_row)]),
                unions[colour].read_row.eq(
                    Mux(is_far, row_of(partner, pick.spare[colour]), near_row)
                ),
                unions[colour].thread.eq(ring.threads[1]),
            ]
            m.d.comb += self.follow[colour].eq(is_base & ring.exits.matter)
            m.d.sync += [join_names[colour].eq(name), join_base[colour].eq(is_base)]
            asks = is_asked & ((pick.colour == colour) | tile.pick_lanes[0].on)
            strange.append(asks & (names[colour].tag != tag))
        m.d.sync += join_strange.eq(strange[0] | strange[1])
        return Named(join_names, join_base, join_looks, join_strange)

    def _join_tracks(self, m: Module, ring: Ring, tile: Tile, named: Named) -> Tracks:
        """JOIN: by colour, what the track's row says of it."""
        join, unions, exits = ring.join, ring.unions, ring.exits
        m.d.comb += [exits.ends.eq(self.partner_places), exits.ends_growth.eq(join.growth)]
        name_shape = name_layout(self._grid)
        decide_names = [Signal(name_shape, name=f"decide_name{n}") for n in range(2)]
        parents = [Signal(name_shape, name=f"parent{n}") for n in range(2)]
        children = Signal(2)
        found, (leaves, spare) = [], (Signal(2) for _ in range(2))
        unknown, crowded, held = Signal(2), Signal(2), Signal(2)
        for colour in Colour:
            row, name = unions[colour].found, named.names[colour]
            here, own, child = (Signal(name=f"{n}{colour.value}") for n in ("here", "own", "child"))
            mask = Signal(4, name=f"found{colour.value}")
            asked = (join.colour == colour) | tile.join_lanes[0].on
            m.d.comb += [
                here.eq(equal(m, row.epoch, ring.epochs.epochs[2], f"same_epoch{colour.value}")),
                own.eq(equal(m, row.tag, tag_of(name), f"same_tag{colour.value}")),
                child.eq(here & own & row.child),
                # With a row that is another name's the play is not made.
                mask.eq(
                    Mux(
                        here & named.looks,
                        row.mask,
                        Mux(named.base[colour], exits.exits[colour], 0),
                    )
                ),
            ]
            m.d.sync += [
                # The parent is looked up next, or the spare row.
                unknown[colour].eq(asked & here & Mux(own, row.child, ~join.spare[colour])),
                crowded[colour].eq(asked & here & ~own & join.spare[colour]),
            ]
            # One of the two.
            m.d.comb += held[colour].eq(asked & here & (~own | row.child))
            # Whether the mask has any, worked out beside it.
            m.d.sync += leaves[colour].eq(
                Mux(here, row.mask.any(), named.base[colour] & exits.exits[colour].any())
            )
            m.d.sync += [
                children[colour].eq(child),
                parents[colour].eq(row.parent),
                decide_names[colour].eq(name),
            ]
            m.d.sync += spare[colour].eq(~child & (join.spare[colour] | (here & ~own)))
            # It is late, so DECIDE chooses by colour.
            found.append(Signal(4, name=f"decide_found{colour.value}"))
            m.d.sync += found[colour].eq(mask)
        join_same, same = Signal(), Signal()
        m.d.comb += join_same.eq(_by_colour(named.names, join.colour) == Value.cast(join.name_a))
        m.d.sync += same.eq(join_same)
        looked_up = (decide_names, parents, children, found, leaves, spare)
        return Tracks(*looked_up, unknown, crowded, held, join_same, same)

    def _join_spaces(self, m: Module, ring: Ring, tile: Tile, named: Named, tracks: Tracks) -> Way:
        """JOIN: which spaces are forced, and which comes next."""
        join, exits, onward = ring.join, ring.exits, ring.onward
        m.d.comb += [
            onward.token.eq(join),
            onward.lanes.eq(tile.join_lanes),
            onward.top.eq(self.waiting.found),
        ]
        leaving = onward.exits & exits.counting.replicate(2)
        on, pushed = Signal(next_layout(self._grid)), Signal(pushed_layout())
        adds = Signal(data.ArrayLayout(added_layout(), 2))
        left_two, illegal, stuck = Signal(), Signal(), Signal()
        decide_exits, open_edges = Signal(4), Signal()
        m.d.sync += [
            on.eq(onward.next),
            pushed.eq(onward.pushed),
            adds.eq(onward.adds),
            left_two.eq(onward.two),
            # Beyond the rim the overlay shows what lies at the opposite one.
            illegal.eq(onward.illegal & ~tile.join_far),
            stuck.eq(
                onward.full
                | (onward.pushed.valid & (join.waiting == PENDING))
                | tile.join_far
                | named.strange
                | (join.tiles == (1 << TRIAL_TILE_BITS) - 1)
            ),
            decide_exits.eq(leaving),
            open_edges.eq(tile.join_lanes[0].on),
        ]

        # What the trial has to remember of the tracks, if this play is not its last.
        join_more = Signal()
        more, last_play, put_b = (Signal() for _ in range(3))
        goes_on, leaves_a, leaves_o = (Signal() for _ in range(3))
        plays = join.mode == Mode.CHAIN
        m.d.comb += join_more.eq(onward.forced | join.waiting.any() | join.both)
        m.d.sync += [
            more.eq(plays & join_more),
            last_play.eq(plays & ~join_more),
            put_b.eq(join_more & ~tracks.join_same),
            goes_on.eq(join_more & tile.join_lanes[0].on),
            leaves_a.eq(join.mask_a.any()),
            leaves_o.eq(leaving.any()),
        ]
        return Way(
            on,
            pushed,
            adds,
            left_two,
            illegal,
            stuck,
            decide_exits,
            open_edges,
            more,
            last_play,
            put_b,
            goes_on,
            leaves_a,
            leaves_o,
        )

    def _decide(self, m: Module, ring: Ring, tracks: Tracks, way: Way, late: data.View) -> Play:
        """DECIDE: what the play does, and what becomes of the trial."""
        join, decide = ring.join, ring.decide
        put_a, put_o = (Signal() for _ in range(2))
        m.d.comb += [
            put_a.eq(way.put_b & (way.leaves_a | _by_colour(tracks.leaves, decide.colour))),
            put_o.eq(way.goes_on & (way.leaves_o | _by_colour(tracks.leaves, ~decide.colour))),
        ]
        chain = decide.mode == Mode.CHAIN
        resolve = decide.mode == Mode.RESOLVE
        mask_pair = decide.mask_a | _by_colour(tracks.masks, decide.colour)
        mask_other = _by_colour(tracks.masks, ~decide.colour) | way.exits
        loops, lines, tiles = Signal(2), Signal(2), Signal.like(decide.tiles)
        completes = Signal(2)
        m.d.comb += [
            loops.eq(decide.loops | (tracks.same << decide.colour)[:2]),
            completes.eq(
                ((~tracks.same & whole(mask_pair)) << decide.colour)
                | ((way.open_edges & whole(mask_other)) << ~decide.colour)
            ),
            lines.eq(decide.lines | completes),
            tiles.eq(decide.tiles + ~decide.second),
        ]
        blocked = late.valid & Mux(late.colour == decide.colour, way.put_b, put_o)
        asks, halts, holds = tracks.unknown.any(), way.stuck | tracks.crowded.any(), Signal()
        m.d.sync += holds.eq(tracks.held.any())
        again, slow = Signal(), Signal()
        works = chain | resolve | (decide.mode == Mode.REVISIT)
        m.d.comb += [
            again.eq(works & ~way.illegal & ~halts & (asks | (chain & blocked))),
            slow.eq(works & ~way.illegal & halts),
        ]
        # A forced play with more to come is written down. It does not matter if it is illegal, or
        # left to the slow path: then nobody will read it.
        goes = Signal()
        m.d.comb += goes.eq(way.more & ~asks & ~blocked)

        # Only with more to come there is something to write that could hold a play up.
        over, ended, free, vacant = Signal(), Signal(), Signal(), Signal(init=1)
        m.d.sync += vacant.eq((join.mode == Mode.EMPTY) | (join.mode == Mode.FETCH))
        m.d.comb += [
            over.eq(way.last_play & (way.illegal | ~(way.stuck | holds))),
            ended.eq(over | (way.more & way.illegal)),
            free.eq(vacant | ended | self.slow),
        ]
        return Play(
            loops,
            lines,
            tiles,
            mask_pair,
            mask_other,
            put_a,
            put_o,
            again,
            slow,
            goes,
            ended,
            over,
            vacant,
            free,
        )

    def _tell(self, m: Module, ring: Ring, way: Way, play: Play) -> None:
        """DECIDE: the outcome of a trial, and what there is to tell of the ring."""
        decide = ring.decide
        m.d.comb += [
            self.done_valid.eq(play.ended | self.slow),
            self.done.index.eq(decide.index),
            self.done.symbol.eq(decide.symbol),
            self.done.growth.eq(decide.growth),
            self.done.status.eq(Mux(way.illegal, Status.FORCED, Status.LEGAL)),
            self.done.tiles.eq(play.tiles),
            self.done.loops.eq(play.loops),
            self.done.lines.eq(play.lines),
        ]
        with m.If(decide.mode == Mode.SLOW):
            m.d.comb += [
                self.done.status.eq(self.slow_outcome.status),
                self.done.tiles.eq(self.slow_outcome.tiles),
                self.done.loops.eq(self.slow_outcome.loops),
                self.done.lines.eq(self.slow_outcome.lines),
            ]
        settled = Cat(
            (token.mode == Mode.SLOW) | (token.mode == Mode.EMPTY) for token in ring[:THREADS]
        ).all()
        # Once one waits nothing enters, so what has settled stays so until it has gone round.
        m.d.sync += self.slow.eq((ring.join.mode == Mode.SLOW) & settled)
        m.d.comb += [
            self.idle.eq(Cat(token.mode == Mode.EMPTY for token in ring[:THREADS]).all()),
            self.slot.mode.eq(decide.mode),
            self.slot.again.eq(play.again),
            self.slot.ended.eq(self.done_valid),
            self.slot.wiping.eq(ring.epochs.wiping),
        ]

    def _enter(self, m: Module, ring: Ring, way: Way, play: Play, late: data.View) -> Value:
        """DECIDE: whether a trial enters where one has ended, or a fetch, unless one waits for the
        slow path or the memories are to be wiped."""
        epochs = ring.epochs
        # That memories are to be wiped takes longer to begin than it takes to know.
        closed, enters = Signal(init=1), Signal()
        waits = Cat(token.mode == Mode.SLOW for token in ring[:THREADS]).any()
        m.d.sync += closed.eq(waits | epochs.last | epochs.wiping)
        m.d.comb += [
            self.fetch_ready.eq(play.free & ~closed),
            # An illegal trial that had more to come leaves its place to a fetch only: so what is
            # written is known without knowing whether the trial is legal.
            self.first_ready.eq(
                (play.vacant | play.over) & ~closed & ~self.fetch_valid & ~late.valid
            ),
            enters.eq(self.first_valid & self.first_ready),
        ]
        m.d.comb += [
            epochs.enters.eq(enters),
            epochs.more.eq(way.more),
            epochs.idle.eq(self.idle),
        ]
        return enters

    def _go_round(
        self, m: Module, ring: Ring, tracks: Tracks, way: Way, play: Play, enters: Value
    ) -> None:
        """DECIDE: the token's next round, or who has its place now."""
        read, decide = ring.read, ring.decide
        # What an empty token or a fetch does not use keeps what was there.
        m.d.sync += read.eq(decide)
        for n, (name, parent) in enumerate(zip(tracks.names, tracks.parents, strict=True)):
            # For the next round, if it looks the parent up; with a parent nothing else is done.
            m.d.sync += Value.cast(read.names[n]).eq(
                Mux(tracks.children[n], Value.cast(parent), Value.cast(name))
            )
        found_b = _by_colour(tracks.masks, decide.colour)
        name_b, name_o = (_by_colour(tracks.names, c) for c in (decide.colour, ~decide.colour))
        spare_b, spare_o = (_by_colour(decide.spare, c) for c in (decide.colour, ~decide.colour))
        with m.If(play.free):
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
                    read.other.valid.eq(1),
                    read.other_base.eq(1),
                    read.known.eq(0),
                    read.spare.eq(0),
                ]
            with m.Elif(enters):
                m.d.sync += read.eq(self.first.token)
        with m.Else():
            m.d.sync += [read.known.eq(0), read.spare.eq(0)]
            with m.If(play.again):
                # A parent is known. A name that goes on to its spare row is found as before.
                known = decide.known | (tracks.unknown & ~tracks.spare)
                m.d.sync += [read.known.eq(known), read.spare.eq(tracks.spare)]
            with m.Elif(play.slow | (decide.mode == Mode.SLOW)):
                m.d.sync += read.mode.eq(Mode.SLOW)
            with m.Elif(decide.mode == Mode.RESOLVE):
                m.d.sync += [
                    read.mode.eq(Mode.CHAIN),
                    Value.cast(read.name_a).eq(name_b),
                    read.mask_a.eq(found_b),
                    read.spare_a.eq(spare_b),
                ]
            with m.Else():
                m.d.sync += [
                    read.mode.eq(Mode.CHAIN),
                    read.place.eq(way.on.place),
                    read.space.eq(way.on.space),
                    read.colour.eq(way.on.pair.colour),
                    read.a.eq(way.on.pair.a),
                    Value.cast(read.name_a).eq(name_b),
                    read.mask_a.eq(found_b),
                    read.spare_a.eq(spare_b),
                    read.b.eq(way.on.pair.b),
                    read.b_base.eq(way.on.pair.b_base),
                    read.other.eq(way.on.pair.other),
                    read.other_base.eq(way.on.pair.other_base),
                    read.both.eq(way.on.pair.both),
                    read.second.eq(0),
                ]
                with m.If(decide.mode == Mode.CHAIN):
                    m.d.sync += [
                        Value.cast(read.name_a).eq(name_o),
                        read.mask_a.eq(play.mask_other),
                        read.spare_a.eq(spare_o),
                        read.loops.eq(play.loops),
                        read.lines.eq(play.lines),
                        read.tiles.eq(play.tiles),
                        read.both.eq(0),
                    ]
                    with m.If(way.pushed.valid):
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
                    with m.Elif(~way.on.valid):
                        m.d.sync += [
                            read.mode.eq(Mode.REVISIT),
                            read.waiting.eq(decide.waiting - ~way.left_two),
                            read.two.eq(decide.two & ~way.left_two),
                        ]

    def _written(self, decide: data.View, way: Way) -> data.View:
        """The place of the tile that is written down."""
        place = Mux(way.more, Value.cast(decide.place), Value.cast(self.first.place))
        return data.View(place_layout(self._grid), place)

    def _remember_sockets(self, m: Module, ring: Ring, way: Way, play: Play, enters: Value) -> None:
        """DECIDE: the sockets that the trial leaves behind for its next tiles, and what waits."""
        decide, overlay, epochs = ring.decide, ring.overlay, ring.epochs
        at_place = self._written(decide, way)
        window = window_bits(self._grid)
        m.d.comb += [
            overlay.at.x.eq(at_place.x[:window]),
            overlay.at.y.eq(at_place.y[:window]),
            overlay.of.eq(ring.threads[3]),
            overlay.epoch.eq(epochs.epoch),
        ]
        with m.If(epochs.wiping):
            cell = wiping_cell(
                epochs.row[: (wiping_cells(self._grid) - 1).bit_length()], self._grid
            )
            m.d.comb += [overlay.at.eq(cell), overlay.add.eq(15), overlay.of.eq(epochs.thread)]
        with m.Elif(~way.more):
            m.d.comb += overlay.add.eq(self.first.add)
        with m.Else():
            for side in Side:
                here = [way.adds[n].valid & (way.adds[n].side == side) for n in range(2)]
                m.d.comb += overlay.add[side].eq(here[0] | here[1])
        m.d.comb += overlay.put.eq(play.goes | enters | epochs.wiping)
        m.d.comb += overlay.colours.eq(
            Mux(way.more, (~decide.colour).replicate(4), ~self.first.tile)
        )
        with m.If(way.more):
            for side in Side:
                m.d.comb += Value.cast(overlay.kept[side]).eq(
                    Mux(
                        way.adds[0].side == side,
                        Value.cast(way.adds[0].kept),
                        Value.cast(way.adds[1].kept),
                    )
                )
        pushes = Signal(waiting_layout(self._grid))
        m.d.comb += [
            pushes.place.eq(decide.place),
            pushes.side.eq(way.pushed.side),
            pushes.colour.eq(~decide.colour),
        ]
        stack = self.waiting
        # Nobody asks for it before two cycles later, so that it may be written in the next one.
        m.d.sync += [
            stack.put.eq(Mux(way.more, play.goes & way.pushed.valid, enters)),
            stack.at.eq(Cat(Mux(way.more, _row(decide.waiting), 0), ring.threads[3])),
            stack.given.eq(Mux(way.more, pushes, self.first.waits)),
        ]

    def _remember_tracks(
        self,
        m: Module,
        ring: Ring,
        tracks: Tracks,
        way: Way,
        play: Play,
        enters: Value,
        late: data.View,
    ) -> None:
        """DECIDE: by colour, what the trial leaves behind of the tracks."""
        decide, names, unions, epochs = ring.decide, ring.names, ring.unions, ring.epochs
        at_place = self._written(decide, way)
        window = window_bits(self._grid)
        for colour in Colour:
            mine = decide.colour == colour
            table, row_put = unions[colour], unions[colour].row
            m.d.comb += [
                names[colour].at.x.eq(at_place.x[:window]),
                names[colour].at.y.eq(at_place.y[:window]),
                names[colour].of.eq(ring.threads[3]),
                names[colour].put.eq(enters | (play.goes & ~mine & way.open_edges)),
                Value.cast(names[colour].given).eq(
                    Mux(
                        way.more,
                        Value.cast(tracks.names[colour]),
                        Value.cast(self.first.names[colour]),
                    )
                ),
            ]
            m.d.comb += [table.of.eq(ring.threads[3]), row_put.epoch.eq(epochs.epoch)]
            m.d.comb += [row_put.parent.eq(decide.name_a), row_put.mask.eq(play.mask_other)]
            with m.If(epochs.wiping):
                m.d.comb += [
                    table.put.eq(1),
                    table.of.eq(epochs.thread),
                    table.at.eq(name_of(epochs.row[: (UNION_ROWS - 1).bit_length()], self._grid)),
                ]
            with m.Elif(late.valid & (late.colour == colour)):
                # It is the thread's that was here a cycle ago.
                m.d.comb += [
                    table.put.eq(1),
                    table.of.eq(ring.threads[0]),
                    table.at.eq(late.name),
                    table.at_spare.eq(late.spare),
                    row_put.mask.eq(late.mask),
                    row_put.epoch.eq(epochs.epochs[0]),
                ]
            with m.Elif(~way.more):
                m.d.comb += [
                    table.put.eq(enters & self.first.masks[colour].any()),
                    table.at.eq(self.first.names[colour]),
                    row_put.mask.eq(self.first.masks[colour]),
                ]
            with m.Else():
                m.d.comb += [
                    table.put.eq(play.goes & Mux(mine, way.put_b, play.put_o)),
                    table.at.eq(tracks.names[colour]),
                    table.at_spare.eq(decide.spare[colour]),
                    row_put.child.eq(mine),
                ]
        m.d.sync += [
            late.valid.eq(play.goes & play.put_a),
            late.colour.eq(decide.colour),
            late.name.eq(decide.name_a),
            late.spare.eq(decide.spare_a),
            late.mask.eq(play.mask_pair),
        ]

    def _answer_fetches(self, m: Module, ring: Ring, tile: Tile, tracks: Tracks, way: Way) -> None:
        """PICK and DECIDE: what a fetch has found."""
        m.d.comb += [
            self.fetched_near.eq(ring.pick.mode == Mode.FETCH),
            self.fetched_outside.eq(tile.pick_outside),
            self.fetched_rest.eq(ring.decide.mode == Mode.FETCH),
            self.fetched.names.eq(Cat(Value.cast(name) for name in tracks.names)),
            *(self.fetched.masks[colour].eq(tracks.masks[colour]) for colour in Colour),
        ]
