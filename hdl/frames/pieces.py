"""Answers of any number, byte by byte: from a list, a dump or the self-test to the commander."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.arbiter import requester_port
from loopline.hdl.config import GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.core.types import TurnOp

__all__ = ["ABANDONED", "Answerer", "PieceWriter", "piece_layout"]

ABANDONED = 0
"""Takes the place of an answer's code: no further answers follow."""


def piece_layout() -> data.StructLayout:
    """A byte of an answer's payload; or with ``ends``, the code of the answer that it completes."""
    return data.StructLayout({"byte": 8, "ends": 1})


class PieceWriter:
    """Offers the bytes of one answer after the other on a stream of pieces.

    Parameters
    ----------
    pieces : stream.Interface
        An output of the component that answers.
    longest : int
        The most pieces that it offers in one state.

    Attributes
    ----------
    index : range(longest)
        The next piece of the answer; 0 between two answers.
    """

    def __init__(self, pieces: stream.Interface, longest: int):
        self._pieces = pieces
        self.index = Signal(range(longest), name="piece_index")

    def offer(self, m: Module, values: Sequence[Value], code: int | None = None) -> Value:
        """Offer bytes, one in each transfer, and then the answer's code if it is given.

        Adds statements to ``m`` for the present state. Returns whether the last piece is
        transferred in this cycle.
        """
        pieces = [(value, 0) for value in values] + ([] if code is None else [(code, 1)])
        *others, last = enumerate(pieces)
        m.d.comb += self._pieces.valid.eq(1)
        with m.Switch(self.index):
            for index, piece in others:
                with m.Case(index):
                    self._set(m, *piece)
            with m.Default():
                self._set(m, *last[1])
        is_last = self.index >= last[0]
        with m.If(self._pieces.ready):
            m.d.sync += self.index.eq(self.index + 1)
            with m.If(is_last):
                m.d.sync += self.index.eq(0)
        return self._pieces.ready & is_last

    def _set(self, m: Module, byte: Value | int, ends: int) -> None:
        m.d.comb += [self._pieces.payload.byte.eq(byte), self._pieces.payload.ends.eq(ends)]


class Answerer(wiring.Component):
    """The ports and registers of a component that answers a frame by means of the turn unit.

    It is a state machine whose states are those of :class:`Client`, ``IDLE``, and ``ABANDON``: when
    it is told to give the turn unit back, it ends with the code ``ABANDONED`` once the turn unit
    has finished its command. The board has to be cleared then, if the component makes turns.

    Parameters
    ----------
    states : type[enum.Enum]
        The states.
    members
        Further members.

    Members
    -------
    start : In(1)
        Begin an answer. Only while none is being made.
    pieces : Out(stream of piece_layout)
        The answers.
    core : Out(requester_port)
        The turn unit.
    """

    def __init__(self, grid: GridConfig, states: type[enum.Enum], **members: wiring.Member):
        self._grid, self._states = grid, states
        super().__init__(
            {
                "start": In(1),
                "pieces": Out(stream.Signature(piece_layout())),
                "core": Out(requester_port(grid)),
                **members,
            }
        )

    def _begin(self, m: Module, longest: int) -> tuple[Client, PieceWriter]:
        """Make the registers, and connect the turn unit with them."""
        client = Client(self._grid, self._states)
        m.d.comb += [
            self.core.request.eq(self.start),
            self.core.busy.eq(client.busy),
            self.core.commands.payload.eq(client.call),
        ]
        return client, PieceWriter(self.pieces, longest)

    @property
    def _must_end(self) -> Value:
        """Whether the turn unit gets no further command."""
        return self.core.abandon | ~self.core.granted

    def _ask(
        self, m: Module, client: Client, op: TurnOp, following: enum.Enum, **fields: Value | int
    ) -> None:
        """Give the turn unit a command and go on in ``following``, or in ``ABANDON``."""
        m.d.sync += client.core(op, following, **fields)
        with m.If(self._must_end):
            m.d.sync += client.state.eq(self._states.ABANDON)

    def _abandon(self, m: Module, client: Client, pieces: PieceWriter) -> None:
        """The body of ``ABANDON``."""
        with m.If(pieces.offer(m, [], ABANDONED)):
            m.d.sync += client.state.eq(self._states.IDLE)
