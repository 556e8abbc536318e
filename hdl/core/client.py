"""What each user of the turn unit needs: an operation, its outcome, and two states."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import enum, wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import TurnOp, command_layout, outcome_layout

__all__ = ["Client"]


class Client:
    """The state of a user of the turn unit, and the operation that it waits for: signals.

    ::

        any state ── core ──► CALL ── call ──► RESULT ── outcome ──► then

    Parameters
    ----------
    grid : GridConfig
        Widths.
    states : type[enum.Enum]
        The user's states; ``CALL`` and ``RESULT`` are among them.
    init : dict, optional
        The ``outcome`` before the first operation, as far as it is not 0.

    Attributes
    ----------
    state : states
    then : states
        Where it goes on after the operation.
    call : command_layout
        The operation.
    outcome : outcome_layout
        What came of the last one.
    busy : 1
        An operation is asked for or under way.
    """

    def __init__(self, grid: GridConfig, states: type[enum.Enum], *, init: dict | None = None):
        self._states = states
        self.state = Signal(states)
        self.then = Signal(states)
        self.call = Signal(command_layout(grid))
        self.outcome = Signal(outcome_layout(grid), init=init)
        self.busy = (self.state == states.CALL) | (self.state == states.RESULT)

    def core(self, op: TurnOp, following: enum.Enum, **fields) -> list:
        """Have the turn unit do ``op`` and go on in ``following`` with its ``outcome``."""
        return [
            self.call.op.eq(op),
            *(self.call[name].eq(value) for name, value in fields.items()),
            self.then.eq(following),
            self.state.eq(self._states.CALL),
        ]

    def hand_over(
        self,
        m: Module,
        user: wiring.Component,
        *,
        following: Value | None = None,
        keep: Sequence = (),
        tried: Signal | None = None,
    ) -> None:
        """CALL, RESULT: one operation of the turn unit, by the user's streams ``core_commands`` and
        ``core_outcomes``. That ``call`` is the payload of the commands is left to the user.

        When the outcome comes, the statements ``keep`` take effect, and the user goes on in
        ``following``, if that is given, instead of ``then``. ``tried`` counts each ``MAKE``.
        """
        with m.Case(self._states.CALL):
            m.d.comb += user.core_commands.valid.eq(1)
            with m.If(user.core_commands.ready):
                m.d.sync += self.state.eq(self._states.RESULT)
                if tried is not None:
                    with m.If(self.call.op == TurnOp.MAKE):
                        m.d.sync += tried.eq(tried + 1)

        with m.Case(self._states.RESULT):
            m.d.comb += user.core_outcomes.ready.eq(1)
            with m.If(user.core_outcomes.valid):
                m.d.sync += [
                    self.outcome.eq(user.core_outcomes.payload),
                    *keep,
                    self.state.eq(self.then if following is None else following),
                ]
