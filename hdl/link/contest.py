"""The contest link: the protocol of the Trax contests between two pins and the player."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.hdl.config import DesignConfig
from loopline.hdl.link.queue import CommandQueue
from loopline.hdl.link.reader import LineReader
from loopline.hdl.link.types import LinkOp, link_command_layout, turn_label_layout
from loopline.hdl.link.uart import Uart, bit_cycles
from loopline.hdl.link.writer import LineWriter

__all__ = ["ContestLink"]


class ContestLink(wiring.Component):
    """Commands out of the lines on ``rx``, and lines on ``tx`` out of answers.

    ::

                ┌──────┐ chars ┌────────────┐      ┌──────────────┐
        rx ────►│      ├──────►│ LineReader ├──┬──►│ CommandQueue ├──► commands
                │ Uart │       └────────────┘  │   └──────┬───────┘
                │      │                -T, -S │          │ session: discard
                │      │ text  ┌────────────┐  │          │
        tx ◄────┤      │◄──────┤ LineWriter │◄─┴──────────┴──────────── answers
                └──────┘       └────────────┘

    ``-T`` and ``-S`` are answered here with the player's code, and are commands as well. They may
    come while an answer is being written: that line is finished first. Up to seven codes wait; more
    are not sent.

    Nothing that is received ever waits for the player. It should take a command within the time of
    a line, in any state: then none is lost. If it does not, ``CommandQueue`` says what happens.

    An answer belongs to the session in which it is first offered. One that is on offer when ``-W``,
    ``-B``, ``-T`` or ``-S`` arrives, or first offered before that command is taken, in the cycle in
    which it is taken, or in the cycle after that, is of the old session: it is taken and not sent.
    One that is being written is finished.

    A command is offered two cycles after the stop bit of its line's end has been judged. The first
    character of an answer starts at most five cycles after its transfer, or when the line before is
    at its end.

    Parameters
    ----------
    config : DesignConfig
        Clock, rate, grid and player's code.

    Members
    -------
    rx : In(1, init=1)
        The pin; brought into step with the clock in here.
    tx : Out(1, init=1)
        The pin, a flip-flop's output.
    commands : Out(stream.Signature(link_command_layout(grid)))
        ``op`` and ``turn``: one for each line understood.
    answers : In(stream.Signature(turn_label_layout(grid)))
        The player's turns: ``column``, ``row``, ``symbol``.
    received : Out(1)
        Pulses for one cycle for each line understood.
    sent : Out(1)
        Pulses for one cycle when the last character of an answer goes to the transmitter.
    noise : Out(1)
        High for one cycle for each line that is not empty and not understood, and for each turn
        or ``-G`` that is lost since the player did not take the commands before it.
    damaged : Out(1)
        Pulses for one cycle for each character without a stop bit, a break among them. The line in
        which it happens is noise; between lines it does no harm.
    busy : Out(1)
        A command is on offer, or an answer or a code is on its way: until the last cycle but one
        of its last stop bit.

    Raises
    ------
    ValueError
        The clock cannot make the baud rate; see :func:`bit_cycles`.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        self._divisor = bit_cycles(config.clock_hz, config.baud)
        super().__init__(
            {
                "rx": In(1, init=1),
                "tx": Out(1, init=1),
                "commands": Out(stream.Signature(link_command_layout(config.grid))),
                "answers": In(stream.Signature(turn_label_layout(config.grid))),
                "received": Out(1),
                "sent": Out(1),
                "noise": Out(1),
                "damaged": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.uart = uart = Uart(self._divisor)
        m.submodules.reader = reader = LineReader(self._config.grid)
        m.submodules.queue = queue = CommandQueue(self._config.grid)
        m.submodules.writer = writer = LineWriter(self._config.grid, self._config.code)

        m.d.comb += [uart.rx.eq(self.rx), self.tx.eq(uart.tx)]
        connect(m, uart.received, reader.chars)
        connect(m, reader.commands, queue.i)
        connect(m, queue.o, flipped(self.commands))

        connect(m, flipped(self.answers), writer.turns)
        connect(m, writer.text, uart.sending)

        # One cycle longer: a player with registers could not have known of the command before.
        session_ended = Signal()
        m.d.sync += session_ended.eq(queue.session)

        op = reader.commands.payload.op
        m.d.comb += [
            reader.damaged.eq(uart.damaged),
            writer.discard.eq(queue.session | session_ended),
            writer.request.eq(
                reader.commands.valid & ((op == LinkOp.STOP) | (op == LinkOp.SET_UP))
            ),
            self.received.eq(reader.commands.valid),
            self.sent.eq(writer.sent),
            self.noise.eq(reader.noise | queue.dropped),
            self.damaged.eq(uart.damaged),
            self.busy.eq(self.commands.valid | writer.busy | uart.busy),
        ]
        return m
