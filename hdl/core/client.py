"""The turn unit, as seen by what gives it commands and by what reads its position."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import enum, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import edges_layout
from loopline.hdl.core.cells import CellReader, PairReader
from loopline.hdl.core.types import (
    TurnOp,
    box_layout,
    command_layout,
    end_layout,
    entry_layout,
    outcome_layout,
)

__all__ = ["Client", "PositionReader"]


class Client:
    """The registers of a state machine that gives commands to the turn unit.

    ::

        any state ── core ──► CALL ── call ──► RESULT ── outcome ──► then

    The state machine has a ``port`` with the streams ``commands`` and ``outcomes``, of
    :func:`command_layout` and :func:`outcome_layout`, and connects ``call`` to the payload of the
    former.

    Parameters
    ----------
    grid : GridConfig
        Widths.
    states : type[enum.Enum]
        The states; ``CALL`` and ``RESULT`` are among them.
    init : dict, optional
        The initial value of ``outcome``; fields that are left out are 0.

    Attributes
    ----------
    state : states
        The state.
    then : states
        The state after the outcome.
    call : command_layout
        The command.
    outcome : outcome_layout
        The outcome of the last command.
    busy : 1
        In ``CALL`` or ``RESULT``.
    """

    def __init__(self, grid: GridConfig, states: type[enum.Enum], *, init: dict | None = None):
        self._states = states
        self.state = Signal(states)
        self.then = Signal(states)
        self.call = Signal(command_layout(grid))
        self.outcome = Signal(outcome_layout(grid), init=init)
        self.busy = (self.state == states.CALL) | (self.state == states.RESULT)

    def core(self, op: TurnOp, following: enum.Enum, **fields) -> list:
        """Statements for ``sync``: give a command with these fields, and go on in ``following``."""
        return [
            self.call.op.eq(op),
            *(self.call[name].eq(value) for name, value in fields.items()),
            self.then.eq(following),
            self.state.eq(self._states.CALL),
        ]

    def send(self, m: Module, port: wiring.PureInterface, *, tried: Signal | None = None) -> None:
        """The body of ``CALL``: offer the command. ``tried`` counts each ``MAKE``."""
        m.d.comb += port.commands.valid.eq(1)
        with m.If(port.commands.ready):
            m.d.sync += self.state.eq(self._states.RESULT)
            if tried is not None:
                with m.If(self.call.op == TurnOp.MAKE):
                    m.d.sync += tried.eq(tried + 1)

    def receive(
        self,
        m: Module,
        port: wiring.PureInterface,
        *,
        following: Value | None = None,
        keep: Sequence = (),
    ) -> None:
        """The body of ``RESULT``: take the outcome, and go on in ``following``, if that is given,
        or in ``then``. The statements ``keep`` take effect in the same cycle."""
        m.d.comb += port.outcomes.ready.eq(1)
        with m.If(port.outcomes.valid):
            m.d.sync += [
                self.outcome.eq(port.outcomes.payload),
                *keep,
                self.state.eq(self.then if following is None else following),
            ]


class PositionReader(wiring.Signature):
    """The memories of a turn unit, as seen by a unit that reads them.

    Members
    -------
    active : Out(1)
        The reader has the memories: only while the turn unit has no command.
    index : Out, en : Out(1)
        Read an entry of the frontier table, or with ``follow`` two of them. Without ``en`` the
        results hold.
    entry : In(entry_layout), ends : In(end_layout), one for each colour
        The entry, and the same by colour, one cycle later.
    tracks_of : Out, tracks_en : Out(1)
        Read the other ends of the tracks that end in a space. Without ``tracks_en`` the result
        holds.
    partners : In, one index for each colour
        Their spaces, one cycle later. A colour that does not end there has no valid partner.
    follow : Out(1)
        Read, for ``ends``, the ends in the spaces ``partners`` of this cycle.
    cells : Out(CellReader)
        Read a cell.
    pair : Out(PairReader)
        Read one of two cells, unless ``cells.en``.
    high : In
        Entries from ``high`` on are free.
    box : In(box_layout), edges : In(edges_layout)
        The bounding box, and what follows from it.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "active": Out(1),
                "index": Out(grid.index_bits),
                "en": Out(1),
                "follow": Out(1),
                "entry": In(entry_layout(grid)),
                "ends": In(end_layout(grid)).array(2),
                "tracks_of": Out(grid.index_bits),
                "tracks_en": Out(1),
                "partners": In(grid.index_bits).array(2),
                "cells": Out(CellReader(grid)),
                "pair": Out(PairReader(grid)),
                "high": In(range(grid.frontier_entries + 1)),
                "box": In(box_layout(grid)),
                "edges": In(edges_layout(grid)),
            }
        )
