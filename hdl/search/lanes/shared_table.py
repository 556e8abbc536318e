"""One transposition table for several lanes, in the order of their clocks."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out, connect, flipped
from amaranth.utils import ceil_log2

from loopline.hdl.search.config import BEATS_DELAY, DELAYED_STORES, MOST_LANES, SearchConfig
from loopline.hdl.search.hashing import HASH_BITS
from loopline.hdl.search.lanes.turnstile import BEAT_BITS
from loopline.hdl.search.table import TableMemory, TableOp, TranspositionTable, finding_layout

__all__ = ["SharedTable", "table_port"]


def table_port(config: SearchConfig) -> wiring.Signature:
    """A table that lanes share, as seen by a lane.

    ``requests`` : Out(stream of {op, hash, entry, beat})
        What to do, as of :class:`TranspositionTable`, and the lane's clock. The clock does not go
        back but at a ``CLEAR``.
    ``answers`` : In(stream of {found, entry})
        One for each ``PROBE``, in order. A lane takes an answer whatever others do: all wait for
        it.
    """
    finding = finding_layout(config)
    request = {"op": TableOp, "hash": HASH_BITS, "entry": finding, "beat": BEAT_BITS}
    answer = {"found": 1, "entry": finding}
    return wiring.Signature(
        {
            "requests": Out(stream.Signature(data.StructLayout(request))),
            "answers": In(stream.Signature(data.StructLayout(answer))),
        }
    )


class _State(enum.Enum, shape=3):
    """What the table does in a cycle."""

    BEGIN = 0
    """Note ``least``. Read the oldest entry of lane 0."""
    WALK = 1
    """Obey a lane's request if that may be, and compare its oldest entry. Read the next lane's."""
    ANSWER = 2
    """Offer the answer to the lane's probe."""
    DECIDE = 3
    """The oldest entry of all is known. Read it if it may be written."""
    WRITE = 4
    """Write it."""


class SharedTable(wiring.Component):
    """One :class:`TranspositionTable` for several lanes, whose answers follow from beats alone.

    An entry that a lane stores at beat B is seen by each probe at beat B + ``BEATS_DELAY`` or
    later, and by none before. Entries are written in the order of their beats, at the same beat in
    that of the lanes' numbers, and a lane's own in the order in which it has stored them. An entry
    is lost if ``DELAYED_STORES`` others of the lane are not due yet at its beat. So the answers do
    not depend on how long anything takes.

    Entries wait in a queue for each lane. A walk visits one lane in a cycle, obeys its request, and
    finds the oldest entry of all::

          ┌──────────────────────────────┐
          ▼                              │
        BEGIN ──► WALK ──────────► DECIDE ──► WRITE ──► BEGIN
                  │  ▲
          a probe ▼  │
                 ANSWER

    The walk begins with ``least``, and what is stored later has no lower beat. After the walk no
    entry waits, or will come, with a beat below the *floor*: the lower one of the walk's ``least``
    and the oldest waiting entry's beat. What a request needs is this:

    - the oldest entry is written when it is due at the walk's ``least``;
    - a ``STORE`` is taken at once. If the lane's queue is full it is dropped, or waits until the
      oldest one has been written if that is due at its beat;
    - a ``PROBE`` waits until no entry from the floor on is due at its beat.

    Nothing waits for ever: the lane whose clock is ``least`` can always go on. What is due at its
    beat is due at ``least``, so each walk writes one such entry, and none is added. Then the floor
    is more than ``least - BEATS_DELAY``, and there is room in the lane's queue for an entry unless
    it is to be dropped. When it has gone on, another lane is the least.

    Beats count modulo 2^BEAT_BITS. Clocks, and entries that wait, have to be less than half of that
    apart. In so many beats, of about four cycles each, all that 16 lanes can have in their queues
    has to be written: docs/search-gateware.md, "Several lanes", says what the memory may take.

    A lane whose job is abandoned drops it only while it has no request under way: none on offer,
    and no answer to come. What has been stored by then stays in the queues until the next job
    begins with ``CLEAR``.

    Latency: a walk takes ``lanes + 2`` cycles without requests, so a request is seen after
    ``lanes + 1`` at most. A ``PROBE`` without waiting is taken and answered from then on as by
    :class:`TranspositionTable`; a ``STORE`` is taken at once. To write an entry takes one walk, one
    cycle, and the table's time.

    Parameters
    ----------
    config : SearchConfig
        Widths.
    lanes : int
        The lanes, 2 to 16.

    Members
    -------
    ports : In(table_port).array(lanes)
        The lanes. ``CLEAR`` empties the table and the queues; only lane 0 asks for it, while no
        other one has a request. No later request has a beat below that of ``CLEAR``.
    least : In(BEAT_BITS), known : In(1)
        While ``known``, no request is on offer or will come at a beat below ``least``. From the
        cycle after a ``CLEAR`` on this is said of the requests after it.
    memory : Out(TableMemory)
        The table's memory.

    Raises
    ------
    ValueError
        Without a table, or for too few or too many lanes.
    """

    def __init__(self, config: SearchConfig, lanes: int):
        if not config.table_bits:
            raise ValueError("without a table there is none to share: table_bits is 0")
        if not 2 <= lanes <= MOST_LANES:
            raise ValueError(f"from 2 to {MOST_LANES} lanes share a table, not {lanes!r}")
        self._config = config
        self._lanes = lanes
        super().__init__(
            {
                "ports": In(table_port(config)).array(lanes),
                "least": In(BEAT_BITS),
                "known": In(1),
                "memory": Out(TableMemory(config)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        config, lanes, ports = self._config, self._lanes, self.ports
        m.submodules.table = table = TranspositionTable(config)
        connect(m, table.memory, flipped(self.memory))
        waiting = {
            "hash": HASH_BITS,
            "entry": finding_layout(config),
            "beat": BEAT_BITS,
        }
        number_bits = ceil_log2(DELAYED_STORES)
        memory = Memory(shape=data.StructLayout(waiting), depth=lanes << number_bits, init=[])
        m.submodules.queues = memory
        write, read = memory.write_port(), memory.read_port()

        state = Signal(_State)
        # The lane that is visited. Its queue: where it begins, and how many wait.
        lane = Signal(range(lanes))
        firsts = Array(Signal(number_bits, name=f"first{n}") for n in range(lanes))
        counts = Array(Signal(range(DELAYED_STORES + 1), name=f"count{n}") for n in range(lanes))
        # ``least`` when the walk began. The oldest entry that the walk has found, and its lane.
        begun = Signal(BEAT_BITS)
        floor = Signal(BEAT_BITS)
        any_waits = Signal()
        oldest = Signal(BEAT_BITS)
        oldest_lane = Signal(range(lanes))

        asked = Signal(ports[0].requests.payload.shape())
        valid = Signal()
        taken = Signal()
        goes_on = Signal()
        # The lane whose oldest entry is read; while it is visited, ``head`` is that.
        next_lane = Signal(range(lanes))
        head = read.data
        full = Signal()
        m.d.comb += [
            asked.eq(Array(Value.cast(port.requests.payload) for port in ports)[lane]),
            valid.eq(Array(port.requests.valid for port in ports)[lane]),
            table.answers.ready.eq(Array(port.answers.ready for port in ports)[lane]),
            full.eq(counts[lane] == DELAYED_STORES),
            read.en.eq(0),
            read.addr.eq(Cat(firsts[next_lane], next_lane)),
            write.addr.eq(Cat((firsts[lane] + counts[lane])[:number_bits], lane)),
            write.data.hash.eq(asked.hash),
            write.data.entry.eq(asked.entry),
            write.data.beat.eq(asked.beat),
            table.requests.payload.op.eq(Mux(state == _State.WRITE, TableOp.STORE, asked.op)),
            table.requests.payload.hash.eq(Mux(state == _State.WRITE, head.hash, asked.hash)),
            table.requests.payload.entry.eq(head.entry),
        ]
        for number, port in enumerate(ports):
            m.d.comb += [
                port.requests.ready.eq(taken & (lane == number)),
                port.answers.valid.eq(table.answers.valid & (lane == number)),
                port.answers.payload.eq(table.answers.payload),
            ]

        with m.Switch(state):
            with m.Case(_State.BEGIN):
                m.d.comb += read.en.eq(1)
                with m.If(self.known):
                    m.d.sync += begun.eq(self.least)
                m.d.sync += [any_waits.eq(0), lane.eq(0), state.eq(_State.WALK)]
            with m.Case(_State.WALK):
                m.d.comb += goes_on.eq(1)
                with m.If(valid & (asked.op == TableOp.STORE)):
                    head_is_due = _from(head.beat, asked.beat) >= BEATS_DELAY
                    m.d.comb += [taken.eq(~full | ~head_is_due), write.en.eq(~full)]
                    with m.If(~full):
                        m.d.sync += counts[lane].eq(counts[lane] + 1)
                with m.Elif(valid & (asked.op == TableOp.CLEAR)):
                    m.d.comb += [
                        goes_on.eq(0),
                        table.requests.valid.eq(1),
                        taken.eq(table.requests.ready),
                    ]
                    with m.If(taken):
                        m.d.sync += [
                            *(count.eq(0) for count in counts),
                            begun.eq(asked.beat),
                            floor.eq(asked.beat),
                            state.eq(_State.BEGIN),
                        ]
                with m.Elif(valid & (_from(floor, asked.beat) < BEATS_DELAY)):
                    m.d.comb += [
                        goes_on.eq(0),
                        table.requests.valid.eq(1),
                        taken.eq(table.requests.ready),
                    ]
                    with m.If(taken):
                        m.d.sync += state.eq(_State.ANSWER)
                # The lane may be visited for several cycles, in which its head stays.
                is_older = ~any_waits | _from(oldest, head.beat)[-1]
                with m.If((counts[lane] != 0) & is_older):
                    m.d.sync += [any_waits.eq(1), oldest.eq(head.beat), oldest_lane.eq(lane)]
            with m.Case(_State.ANSWER):
                m.d.comb += goes_on.eq(table.answers.valid & table.answers.ready)
            with m.Case(_State.DECIDE):
                m.d.comb += [next_lane.eq(oldest_lane), read.en.eq(1)]
                age = _from(oldest, begun)
                waits = any_waits & ~age[-1]
                m.d.sync += floor.eq(Mux(waits, oldest, begun))
                m.d.sync += state.eq(Mux(waits & (age >= BEATS_DELAY), _State.WRITE, _State.BEGIN))
            with m.Case(_State.WRITE):
                m.d.comb += table.requests.valid.eq(1)
                with m.If(table.requests.ready):
                    m.d.sync += [
                        firsts[oldest_lane].eq(firsts[oldest_lane] + 1),
                        counts[oldest_lane].eq(counts[oldest_lane] - 1),
                        state.eq(_State.BEGIN),
                    ]
            with m.Default():
                # Not the code of a state: go on as after power-on.
                m.d.sync += state.eq(_State.BEGIN)
        with m.If(goes_on):
            m.d.comb += [next_lane.eq(lane + 1), read.en.eq(1)]
            m.d.sync += [lane.eq(lane + 1), state.eq(_State.WALK)]
            with m.If(lane == lanes - 1):
                m.d.sync += state.eq(_State.DECIDE)
        return m


def _from(earlier: Value, later: Value) -> Value:
    """The beats from one clock to another, modulo the clocks' range; its highest bit is a sign."""
    return (later - earlier)[:BEAT_BITS]
