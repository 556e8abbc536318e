"""The turn unit, as seen by a state machine that uses it: two states and their registers."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import enum, wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import TurnOp, command_layout, outcome_layout

__all__ = ["Client"]


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
