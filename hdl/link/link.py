"""The link: both protocols of the serial line, between two pins and the rest of the design."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game.wire import (
    ANSWERS,
    BAUD_TRIAL_MS,
    FRAME_PAUSE_MS,
    Command,
    ErrorCode,
    answer_code,
)
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.link.command_queue import CommandQueue
from loopline.hdl.link.counters import Counters, counters_port
from loopline.hdl.link.frame_reader import FrameReader
from loopline.hdl.link.frame_writer import FrameWriter
from loopline.hdl.link.line_reader import LineReader
from loopline.hdl.link.line_writer import LineWriter
from loopline.hdl.link.protocol_demux import ProtocolDemux
from loopline.hdl.link.protocol_mux import ProtocolMux
from loopline.hdl.link.rate_control import RateControl
from loopline.hdl.link.types import (
    LinkOp,
    answer_port,
    frame_port,
    link_command_layout,
    turn_label_layout,
)
from loopline.hdl.link.uart import Uart
from loopline.hdl.rate import CYCLES_BITS, bit_cycles

__all__ = ["COUNTERS", "Link", "cycles_per_ms"]

COUNTERS = [field.name for field in ANSWERS[answer_code(Command.STATISTICS)].fields]
"""The names of the counters, in their order."""


def cycles_per_ms(clock_hz: int) -> int:
    """Return the clock cycles of a millisecond."""
    return max(1, clock_hz // 1000)


class Protocol(enum.Enum, shape=2):
    """The protocol of the last valid line or frame."""

    NONE = 0
    LINES = 1
    FRAMES = 2


class Link(wiring.Component):
    """Receive contest lines and frames on ``rx``; send lines and frames on ``tx``.

    ::

              ┌──────┐ bytes ┌───────────┐ line  ┌────────────┐     ┌──────────────┐
        rx ──►│      ├──────►│ Protocol- ├──────►│ LineReader ├──┬─►│ CommandQueue ├──► commands
              │      │       │ Demux     │       └────────────┘  │  └──────┬───────┘
              │      │       └────┬──────┘                -T, -S │         │ session: discard
              │      │            │ frame                        │         │
              │ Uart │            │             ┌────────────┐   │         │
              │      │            │         ┌───┤ LineWriter │◄──┴─────────┴───────── answers
              │      │            │         │   └────────────┘
              │      │ text ┌───────────┐   │   ┌─────────────┐
        tx ◄──┤      │◄─────┤ Protocol- │◄──┴───┤ FrameWriter │◄────────────── frame_answers
              │      │      │ Mux       │       └─────────────┘
              └──────┘      └───────────┘
                                  │             ┌─────────────┐
                     frame ───────┴────────────►│ FrameReader ├────────────────► frames
                                                └─────────────┘

    ``-T`` and ``-S`` are answered by the link with the player's code, and are offered as commands,
    too. A code never interrupts a line that is being written. Up to seven codes wait; more are not
    sent.

    Noise between frames may come from a contest host that sends no frames, or be a damaged frame of
    Loopline's own host. The last valid line or frame decides how it is treated. Until the first
    valid frame, and after each valid line, invalid frames are searched for lines. After a valid
    line, damaged frames are not answered. A valid frame ends both.

    Nothing received ever waits for the player. A player that takes each command within the time of
    a line loses none; otherwise see ``CommandQueue``.

    An answer belongs to the session in which it is first offered. Suppose that a session command
    (``-W``, ``-B``, ``-T``, ``-S``) arrives. An answer first offered up to one cycle after the
    player takes this command belongs to the old session: it is taken and not sent. A line that is
    being written is finished.

    Latency: a command is offered two cycles after the UART has sampled the stop bit of its line
    end. The first character of an answer starts at most five cycles after the answer's transfer, or
    at the end of the line before.

    Parameters
    ----------
    config : DesignConfig
        Clock, rate, grid and player's code.

    Members
    -------
    rx : In(1, init=1), tx : Out(1, init=1)
        The pins. ``rx`` is synchronised in the UART; ``tx`` is a flip-flop.
    commands : Out(stream.Signature(link_command_layout(grid)))
        One command for each valid contest line.
    session_follows : Out(1)
        The command behind that on offer is a session command, as of :class:`CommandQueue`.
    answers : In(stream.Signature(turn_label_layout(grid)))
        The player's turns.
    frames : Out(frame_port), frame_answers : In(answer_port)
        Received frames, and answers to them.
    counters : In(counters_port), clear_counters : In(1)
        Read access to the counters, in the order of :data:`COUNTERS`, and their reset.
    refused, repeated, restarted : In(1)
        Events to count: the player refused a turn or ``-G``; a stored answer was sent again; the
        watchdog restarted the design.
    rates : In(stream.Signature(CYCLES_BITS)), bit_cycles : Out(CYCLES_BITS)
        A new rate, and the present one; see :class:`RateControl`.
    tick : Out(1)
        Pulses for one cycle in each millisecond.
    received, sent : Out(1)
        Pulses for one cycle for each valid contest line, and when the last character of a turn goes
        to the transmitter.
    noise : Out(1)
        Pulses for one cycle for each contest line that is neither valid nor empty, and for each
        turn or ``-G`` that is lost because the player did not take the commands before it.
    framing_error : Out(1)
        Pulses for one cycle for each character without a stop bit, breaks included. Its line is
        noise; between lines it has no effect.
    waiting : Out(1)
        A command or a frame is on offer, or a line or frame is being sent.
    busy : Out(1)
        As ``waiting``; or a frame has begun and not ended, or a rate is on trial. Low from the last
        cycle of the last stop bit on.
    progress : Out(1)
        A byte goes to the transmitter.

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
                "session_follows": Out(1),
                "answers": In(stream.Signature(turn_label_layout(config.grid))),
                "frames": Out(frame_port()),
                "frame_answers": In(answer_port()),
                "counters": In(counters_port(len(COUNTERS))),
                "clear_counters": In(1),
                "refused": In(1),
                "repeated": In(1),
                "restarted": In(1),
                "rates": In(stream.Signature(CYCLES_BITS)),
                "bit_cycles": Out(CYCLES_BITS),
                "tick": Out(1),
                "received": Out(1),
                "sent": Out(1),
                "noise": Out(1),
                "framing_error": Out(1),
                "busy": Out(1),
                "waiting": Out(1),
                "progress": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._config.grid
        m.submodules.uart = uart = Uart(self._divisor)
        m.submodules.demux = demux = ProtocolDemux(FRAME_PAUSE_MS)
        m.submodules.line_reader = line_reader = LineReader(grid)
        m.submodules.queue = queue = CommandQueue(grid)
        m.submodules.line_writer = line_writer = LineWriter(grid, self._config.code)
        m.submodules.frame_reader = frame_reader = FrameReader()
        m.submodules.frame_writer = frame_writer = FrameWriter()
        m.submodules.mux = mux = ProtocolMux()

        # Receive.
        connect(m, uart.received, demux.bytes)
        connect(m, demux.line, line_reader.line)
        connect(m, line_reader.commands, queue.i)
        connect(m, queue.o, flipped(self.commands))
        connect(m, demux.frame, frame_reader.bytes)
        connect(m, frame_reader.frames, flipped(self.frames))
        m.d.comb += [
            uart.rx.eq(self.rx),
            demux.framing_error.eq(uart.framing_error),
            demux.tick.eq(self.tick),
        ]

        # Send.
        connect(m, flipped(self.answers), line_writer.turns)
        connect(m, line_writer.text, mux.lines)
        connect(m, flipped(self.frame_answers), frame_writer.answers)
        connect(m, frame_writer.out, mux.frames)
        connect(m, mux.text, uart.sending)
        m.d.comb += self.tx.eq(uart.tx)

        # The protocol of the last valid line or frame.
        line_valid = line_reader.commands.valid
        frame_valid = frame_reader.ended & (frame_reader.fault == 0)
        protocol = Signal(Protocol)
        line_understood = Signal()
        m.d.sync += line_understood.eq(line_valid)
        with m.If(line_valid):
            m.d.sync += protocol.eq(Protocol.LINES)
        with m.Elif(frame_valid):
            m.d.sync += protocol.eq(Protocol.FRAMES)
        m.d.comb += [
            demux.line_understood.eq(line_understood),
            demux.invalid.eq(frame_reader.invalid & (protocol != Protocol.FRAMES)),
            frame_reader.mute.eq(protocol == Protocol.LINES),
        ]

        # Session commands: the player's code, and the end of the session before. The latter lasts
        # for one cycle more, since a player with registers learns of the command only then.
        op = line_reader.commands.payload.op
        session_ended = Signal()
        m.d.sync += session_ended.eq(queue.session)
        m.d.comb += [
            self.session_follows.eq(queue.session_follows),
            line_writer.request.eq(line_valid & ((op == LinkOp.STOP) | (op == LinkOp.SET_UP))),
            line_writer.discard.eq(queue.session | session_ended),
        ]

        # Count events, and change the rate.
        ended, fault = frame_reader.ended, frame_reader.fault
        is_sent = uart.sending.valid & uart.sending.ready
        on_trial = Signal()
        if self._config.frames is FrameSet.FULL:
            events = {
                "bytes_received": uart.received.valid & uart.received.ready,
                "bytes_sent": is_sent,
                "frames_received": frame_valid,
                "frames_sent": frame_writer.sent,
                "frames_damaged": ended & (fault == ErrorCode.DAMAGED),
                "frames_malformed": ended
                & ((fault == ErrorCode.FRAMING) | (fault == ErrorCode.TOO_LONG)),
                "frames_cut": ended & (fault == ErrorCode.CUT),
                "frames_lost": frame_reader.lost,
                "repeats": self.repeated,
                "framing_errors": uart.framing_error,
                "overruns": uart.overrun,
                "lines_received": line_valid,
                "lines_noise": line_reader.noise | queue.dropped,
                "lines_refused": self.refused,
                "restarts": self.restarted,
            }
            self._count(m, events)
            at_rest = ~uart.busy & ~frame_writer.busy & ~line_writer.busy
            self._change_rate(m, at_rest, frame_valid, on_trial)
        else:
            m.d.comb += self.bit_cycles.eq(self._divisor)
        m.d.comb += uart.cycles.eq(self.bit_cycles)

        # Count milliseconds.
        cycles = cycles_per_ms(self._config.clock_hz)
        elapsed = Signal(range(cycles))
        m.d.comb += self.tick.eq(elapsed == cycles - 1)
        m.d.sync += elapsed.eq(elapsed + 1)
        with m.If(self.tick):
            m.d.sync += elapsed.eq(0)

        m.d.comb += [
            self.received.eq(line_valid),
            self.sent.eq(line_writer.sent),
            self.noise.eq(line_reader.noise | queue.dropped),
            self.framing_error.eq(uart.framing_error),
            self.waiting.eq(
                self.commands.valid
                | self.frames.headers.valid
                | line_writer.busy
                | frame_writer.busy
                | uart.busy
            ),
            self.busy.eq(self.waiting | demux.busy | on_trial),
            self.progress.eq(is_sent),
        ]
        return m

    def _count(self, m: Module, events: dict[str, Value]) -> None:
        m.submodules.counters = counters = Counters(len(COUNTERS))
        connect(m, flipped(self.counters), counters.read)
        m.d.comb += [
            counters.events.eq(Cat(*(events[name] for name in COUNTERS))),
            counters.clear.eq(self.clear_counters),
        ]

    def _change_rate(self, m: Module, at_rest: Value, confirmed: Value, on_trial: Signal) -> None:
        m.submodules.rate = rate = RateControl(self._divisor, BAUD_TRIAL_MS)
        connect(m, flipped(self.rates), rate.changes)
        m.d.comb += [
            rate.at_rest.eq(at_rest),
            rate.confirmed.eq(confirmed),
            rate.tick.eq(self.tick),
            self.bit_cycles.eq(rate.cycles),
            on_trial.eq(rate.busy),
        ]
