"""Transposition table: what earlier searches of a position have found."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value, signed
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.hashing import HASH_BITS
from loopline.hdl.search.types import (
    ENTRY_DEPTH_BITS,
    SCORE_BITS,
    Bound,
    move_layout,
    optional_move_layout,
)

__all__ = [
    "BlockTableMemory",
    "MemoryOp",
    "TableMemory",
    "TableOp",
    "TranspositionTable",
    "entry_layout",
    "finding_layout",
]

_NO_SHAPE = 3
"""The code of no shape, which a stored entry without a move has."""


class TableOp(enum.Enum, shape=2):
    """What the table is to do."""

    PROBE = 0
    """Find the entry of a position."""
    STORE = 1
    """Write the entry of a position."""
    CLEAR = 2
    """Empty the table."""


class MemoryOp(enum.Enum, shape=2):
    """What the table's memory is to do."""

    READ = 0
    WRITE = 1
    EMPTY = 2
    """Set the bounds of all entries to ``Bound.NONE``."""


def finding_layout(config: SearchConfig) -> data.StructLayout:
    """What the search knows of a position: its score relative to the position, the best move, the
    depth that was searched, and what the score says."""
    return data.StructLayout(
        {
            "score": signed(SCORE_BITS),
            "move": optional_move_layout(config.grid),
            "depth": ENTRY_DEPTH_BITS,
            "bound": Bound,
        }
    )


def entry_layout(config: SearchConfig) -> data.StructLayout:
    """An entry in the table's memory. One without a move has a shape that there is not. The key is
    the hash's highest bits."""
    return data.StructLayout(
        {
            "bound": Bound,
            "depth": ENTRY_DEPTH_BITS,
            "move": move_layout(config.grid),
            "score": signed(SCORE_BITS),
            "key": config.widths.key,
        }
    )


class TableMemory(wiring.Signature):
    """The memory of a table, as seen by the table.

    Members
    -------
    requests : Out(stream of {op, address, entry})
        Read, write, or empty all. In order. A memory takes a ``WRITE`` also while a response is on
        offer.
    responses : In(stream of entry_layout)
        One for each ``READ``, in order, with any latency.
    """

    def __init__(self, config: SearchConfig):
        entry = entry_layout(config)
        request = {"op": MemoryOp, "address": config.table_bits, "entry": entry}
        super().__init__(
            {
                "requests": Out(stream.Signature(data.StructLayout(request))),
                "responses": In(stream.Signature(entry)),
            }
        )


class BlockTableMemory(wiring.Component):
    """A table's memory in block RAM, each entry in words that are read and written one per cycle.

    After power-on, all entries are empty.

    Latency: of ``READ`` one cycle per word, and one more; of ``WRITE`` one per word; of ``EMPTY``
    one per entry. A read waits until the last response was taken.

    Parameters
    ----------
    config : SearchConfig
        Widths, and the number of entries.
    word_bits : int
        Width of the RAM.

    Members
    -------
    port : In(TableMemory)
        The table.
    """

    def __init__(self, config: SearchConfig, *, word_bits: int = 16):
        self._config = config
        self._word_bits = word_bits
        super().__init__({"port": In(TableMemory(config))})

    def elaborate(self, platform) -> Module:
        m = Module()
        config, word_bits = self._config, self._word_bits
        words = -(-entry_layout(config).size // word_bits)
        word_count_bits = ceil_log2(words)
        requests, responses = self.port.requests, self.port.responses
        request = requests.payload
        memory = Memory(shape=word_bits, depth=1 << (config.table_bits + word_count_bits), init=[])
        m.submodules.memory = memory
        write, read = memory.write_port(), memory.read_port()

        # The word that is read or written. The entry that EMPTY has come to.
        word = Signal(range(words))
        entry = Signal(config.table_bits)
        # A word was read one cycle ago. A response is under way or on offer.
        arrives = Signal()
        pending = Signal()
        held = Signal(words * word_bits, reset_less=True)
        reads = Signal()
        writes = Signal()
        empties = Signal()
        last = Signal()
        data_words = Array(
            Value.cast(request.entry)[n * word_bits : (n + 1) * word_bits] for n in range(words)
        )
        address = Cat(word[:word_count_bits], Mux(empties, entry, request.address))
        m.d.comb += [
            reads.eq(requests.valid & (request.op == MemoryOp.READ) & ~pending),
            writes.eq(requests.valid & (request.op == MemoryOp.WRITE)),
            empties.eq(requests.valid & (request.op == MemoryOp.EMPTY)),
            last.eq(word == words - 1),
            requests.ready.eq(((reads | writes) & last) | (empties & entry.all())),
            read.addr.eq(address),
            read.en.eq(1),
            write.addr.eq(address),
            write.en.eq(writes | empties),
            write.data.eq(Mux(empties, 0, data_words[word])),
            responses.valid.eq(pending & ~arrives),
            Value.cast(responses.payload).eq(held),
        ]
        with m.If(reads | writes):
            m.d.sync += word.eq(Mux(last, 0, word + 1))
        with m.If(empties):
            m.d.sync += entry.eq(entry + 1)
        m.d.sync += arrives.eq(reads)
        with m.If(arrives):
            m.d.sync += held.eq(Cat(held, read.data)[word_bits:])
        with m.If(reads & last):
            m.d.sync += pending.eq(1)
        with m.Elif(responses.valid & responses.ready):
            m.d.sync += pending.eq(0)
        return m


class _State(enum.Enum, shape=3):
    """What the table does in a cycle."""

    READ = 0
    """Wait for a request. Ask the memory for the row's first entry, or to be emptied."""
    DECIDE = 1
    """The entry arrives."""
    SECOND = 2
    """Ask for the row's second entry."""
    ANSWER = 3
    """Offer the entry."""
    MOVE = 4
    """Write the first entry to the second place."""
    WRITE = 5
    """Write the new entry."""


class TranspositionTable(wiring.Component):
    """Finds and stores what the search knows of positions, in rows of two entries.

    The first entry of a row is the one searched deepest, the second one the latest of the others.
    A new entry replaces the first one if that is empty or of the same position. If the first one
    is not deeper, it moves to the second place, and the new one takes its place. Otherwise the new
    one takes the second place. All this is that of :mod:`loopline.engine.search.hashing`::

        requests ──► READ ──► DECIDE ──► MOVE ──► WRITE
                               │  ▲
                               ▼  └─ SECOND
        answers  ◄────────── ANSWER

    The table has no register for an entry: a request stays on offer until it is done, and a
    response of the memory until it is copied or answered.

    Latency with a :class:`BlockTableMemory` of ``n`` words per entry: a ``PROBE`` is taken after
    ``n + 1`` cycles, or ``2 n + 4`` if the first entry is of another position, and the answer comes
    one later. A ``STORE`` is taken after ``2 n + 2`` or ``3 n + 2`` cycles.

    Parameters
    ----------
    config : SearchConfig
        Widths. With ``table_bits`` 0 there is no table: it has no memory, and finds nothing.

    Members
    -------
    requests : In(stream of {op, hash, entry})
        What to do. ``PROBE`` needs the hash; ``STORE`` needs it and the entry.
    answers : Out(stream of {found, entry})
        One for each ``PROBE``, in order: whether there is an entry, and the entry.
    memory : Out(TableMemory)
        The memory, unless ``table_bits`` is 0.
    """

    def __init__(self, config: SearchConfig):
        self._config = config
        finding = finding_layout(config)
        request = {"op": TableOp, "hash": HASH_BITS, "entry": finding}
        answer = {"found": 1, "entry": finding}
        super().__init__(
            {
                "requests": In(stream.Signature(data.StructLayout(request))),
                "answers": Out(stream.Signature(data.StructLayout(answer))),
                **({"memory": Out(TableMemory(config))} if config.table_bits else {}),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        state = Signal(_State)
        if self._config.table_bits:
            self._search_rows(m, state)
        else:
            self._find_nothing(m, state)
        return m

    def _find_nothing(self, m: Module, state: Signal) -> None:
        requests = self.requests
        m.d.comb += [
            requests.ready.eq(state == _State.READ),
            self.answers.valid.eq(state == _State.ANSWER),
        ]
        probes = requests.valid & (requests.payload.op == TableOp.PROBE)
        waits = (state == _State.ANSWER) & ~self.answers.ready
        m.d.sync += state.eq(
            Mux(waits | ((state == _State.READ) & probes), _State.ANSWER, _State.READ)
        )

    def _search_rows(self, m: Module, state: Signal) -> None:
        requests, answers = self.requests, self.answers
        asked, new = requests.payload, requests.payload.entry
        reads, there = self.memory.requests, self.memory.responses
        old = there.payload
        # The place in the row; ``old`` is of this position.
        second = Signal()
        found = Signal()
        config = self._config
        key = asked.hash[-config.widths.key :]
        answer = answers.payload.entry
        same = Signal()
        probes = Signal()
        m.d.comb += [
            same.eq((old.bound != Bound.NONE) & (old.key == key)),
            probes.eq(asked.op == TableOp.PROBE),
            reads.payload.address.eq(Cat(second, asked.hash[1 : config.table_bits])),
            reads.payload.entry.bound.eq(new.bound),
            reads.payload.entry.depth.eq(new.depth),
            reads.payload.entry.move.eq(new.move.move),
            reads.payload.entry.score.eq(new.score),
            reads.payload.entry.key.eq(key),
            answers.payload.found.eq(found),
            answer.bound.eq(old.bound),
            answer.depth.eq(old.depth),
            answer.move.valid.eq(Value.cast(old.move.symbol) != _NO_SHAPE),
            answer.move.move.eq(old.move),
            answer.score.eq(old.score),
        ]
        with m.If(~new.move.valid):
            m.d.comb += Value.cast(reads.payload.entry.move.symbol).eq(_NO_SHAPE)

        def go_on_when(taken: Value, following: _State) -> None:
            with m.If(taken):
                m.d.sync += state.eq(following)

        with m.Switch(state):
            with m.Case(_State.READ):
                m.d.comb += reads.valid.eq(requests.valid)
                m.d.sync += second.eq(0)
                with m.If(asked.op == TableOp.CLEAR):
                    m.d.comb += [
                        reads.payload.op.eq(MemoryOp.EMPTY),
                        requests.ready.eq(reads.ready),
                    ]
                with m.Else():
                    go_on_when(reads.valid & reads.ready, _State.DECIDE)
            with m.Case(_State.SECOND):
                m.d.comb += reads.valid.eq(1)
                go_on_when(reads.ready, _State.DECIDE)
            with m.Case(_State.DECIDE):
                m.d.sync += found.eq(same)
                with m.If(~there.valid):
                    pass
                with m.Elif(probes):
                    with m.If(same | second):
                        m.d.comb += requests.ready.eq(1)
                        m.d.sync += state.eq(_State.ANSWER)
                    with m.Else():
                        m.d.comb += there.ready.eq(1)
                        m.d.sync += [second.eq(1), state.eq(_State.SECOND)]
                with m.Elif(same | (old.bound == Bound.NONE)):
                    m.d.comb += there.ready.eq(1)
                    m.d.sync += state.eq(_State.WRITE)
                with m.Elif(old.depth <= new.depth):
                    m.d.sync += [second.eq(1), state.eq(_State.MOVE)]
                with m.Else():
                    m.d.comb += there.ready.eq(1)
                    m.d.sync += [second.eq(1), state.eq(_State.WRITE)]
            with m.Case(_State.ANSWER):
                m.d.comb += [answers.valid.eq(1), there.ready.eq(answers.ready)]
                m.d.sync += second.eq(0)
                go_on_when(answers.ready, _State.READ)
            with m.Case(_State.MOVE):
                m.d.comb += [
                    reads.valid.eq(1),
                    reads.payload.op.eq(MemoryOp.WRITE),
                    reads.payload.entry.eq(old),
                    there.ready.eq(reads.ready),
                ]
                with m.If(reads.ready):
                    m.d.sync += [second.eq(0), state.eq(_State.WRITE)]
            with m.Case(_State.WRITE):
                m.d.comb += [
                    reads.valid.eq(1),
                    reads.payload.op.eq(MemoryOp.WRITE),
                    requests.ready.eq(reads.ready),
                ]
                with m.If(reads.ready):
                    m.d.sync += [second.eq(0), state.eq(_State.READ)]
            with m.Default():
                # Not the code of a state: go on as after power-on.
                m.d.sync += state.eq(_State.READ)
