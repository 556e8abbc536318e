"""Checks a received frame against the definition of its command."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import COMMANDS, CONTEXTS, Command, ErrorCode
from loopline.hdl.link.types import frame_layout

__all__ = ["FIELD_BYTES", "FrameChecker"]

FIELD_BYTES = max(message.width for message in COMMANDS.values())
"""The most bytes of the fields before a payload's repeated field."""


class FrameChecker(wiring.Component):
    """Look up a frame's command: is its length valid, and when is it obeyed? Combinational.

    Parameters
    ----------
    commands : sequence of Command
        The commands that are known.

    Members
    -------
    frame : In(frame_layout)
        The frame.
    error : Out(4)
        0, or the :class:`~loopline.game.wire.ErrorCode` to answer: the frame's own, ``UNKNOWN`` or
        ``LENGTH``.
    field_bytes : Out(range(FIELD_BYTES + 1))
        The bytes of the command's fields, without those of the repeated field.
    always, stored : Out(1)
        See :class:`~loopline.game.wire.Context`.
    """

    def __init__(self, commands: Sequence[Command]) -> None:
        self._commands = commands
        super().__init__(
            {
                "frame": In(frame_layout()),
                "error": Out(4),
                "field_bytes": Out(range(FIELD_BYTES + 1)),
                "always": Out(1),
                "stored": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.d.comb += self.error.eq(ErrorCode.UNKNOWN)
        with m.Switch(self.frame.code):
            for command in self._commands:
                with m.Case(command):
                    m.d.comb += [
                        self.error.eq(0),
                        self.field_bytes.eq(COMMANDS[command].width),
                        self.always.eq(CONTEXTS[command].always),
                        self.stored.eq(CONTEXTS[command].stored),
                    ]
                    with m.If(~self._accepts(command)):
                        m.d.comb += self.error.eq(ErrorCode.LENGTH)
        with m.If(self.frame.error != 0):
            m.d.comb += self.error.eq(self.frame.error)
        return m

    def _accepts(self, command: Command):
        """Return whether the frame's length is valid, as ``Message.accepts`` does."""
        message, length = COMMANDS[command], self.frame.length
        if message.repeated is None:
            return length == message.width
        step = message.repeated.width
        least, most = (message.width + step * count for count in (message.least, message.most))
        assert step == 2
        assert message.width % step == 0
        return (length >= least) & (length <= most) & ~length[0]
