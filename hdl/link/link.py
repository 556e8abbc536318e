"""The link: both protocols between two pins and those who answer."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
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
from loopline.hdl.config import DesignConfig
from loopline.hdl.link.counters import Counters
from loopline.hdl.link.decoder import FrameDecoder
from loopline.hdl.link.frame_reader import INDEX_BITS, FrameReader, frame_layout
from loopline.hdl.link.frame_writer import FrameWriter, answer_layout
from loopline.hdl.link.queue import CommandQueue
from loopline.hdl.link.rate import RateControl
from loopline.hdl.link.reader import LineReader
from loopline.hdl.link.share import LineShare
from loopline.hdl.link.types import LinkOp, link_command_layout, turn_label_layout
from loopline.hdl.link.uart import CYCLES_BITS, Uart, bit_cycles
from loopline.hdl.link.writer import LineWriter

__all__ = ["COUNTERS", "Link", "millisecond"]

COUNTERS = [field.name for field in ANSWERS[answer_code(Command.STATISTICS)].fields]
"""What is counted, in the order of the counters."""


def millisecond(clock_hz: int) -> int:
    """Clock cycles of a tick."""
    return max(1, clock_hz // 1000)


class _Spoken(enum.Enum, shape=2):
    """The protocol of what was understood last."""

    NOTHING = 0
    LINES = 1
    FRAMES = 2


class Link(wiring.Component):
    """Commands out of the lines on ``rx``, and lines on ``tx`` out of answers; and frames.

    ::

              ┌──────┐ bytes ┌─────────┐ chars  ┌────────────┐     ┌──────────────┐
        rx ──►│      ├──────►│ Frame-  ├───────►│ LineReader ├──┬─►│ CommandQueue ├──► commands
              │      │       │ Decoder │        └────────────┘  │  └──────┬───────┘
              │      │       └────┬────┘                 -T, -S │         │ session: discard
              │      │            │ data                        │         │
              │ Uart │            │             ┌────────────┐  │         │
              │      │            │         ┌───┤ LineWriter │◄─┴─────────┴────────── answers
              │      │            │         │   └────────────┘
              │      │ text ┌───────────┐   │   ┌─────────────┐
        tx ◄──┤      │◄─────┤ LineShare │◄──┴───┤ FrameWriter │◄─────────── put, frame_answers
              └──────┘      └───────────┘       └─────────────┘
                                  │             ┌─────────────┐
                                  └────────────►│ FrameReader ├─────────────► frames, byte
                                                └─────────────┘

    ``-T`` and ``-S`` are answered here with the player's code, and are commands as well. They may
    come while an answer is being written: that line is finished first. Up to seven codes wait; more
    are not sent.

    What is no frame and no line may be noise to a contest's host, or a damaged frame to one of our
    own. Until a whole frame has come, lines are looked for in frames that are hopeless; and damaged
    ones are not answered, once a line has been understood. A whole frame changes both, and the next
    line changes it back.

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
    frames : Out(stream.Signature(frame_layout())), index : In(INDEX_BITS), byte : Out(8)
        Frames and their payloads, as :class:`FrameReader` offers them.
    put : In(stream.Signature(8)), clear : In(1), frame_answers : In(stream of answer_layout)
        Answers to them, as :class:`FrameWriter` takes them.
    refused, repeated, restarted : In(1)
        To be counted: a turn or ``-G`` refused by the player; an answer that is sent again; a
        restart by the watchdog.
    counter, half, hold, clear_counters : In, word, settled : Out
        The counters, in the order of :data:`COUNTERS`, as :class:`Counters` offers them.
    rates : In(stream.Signature(CYCLES_BITS)), bit_cycles : Out(CYCLES_BITS)
        Change the rate, and what it is, as of :class:`RateControl`.
    tick : Out(1)
        Pulses for one cycle in each millisecond.
    noise : Out(1)
        High for one cycle for each line that is not empty and not understood, and for each turn
        or ``-G`` that is lost since the player did not take the commands before it.
    damaged : Out(1)
        Pulses for one cycle for each character without a stop bit, a break among them. The line in
        which it happens is noise; between lines it does no harm.
    busy : Out(1)
        A command or a frame is on offer, or an answer or a code is on its way: until the last cycle
        but one of its last stop bit. Or a frame has begun and not ended, or a rate is on trial.
    waiting : Out(1)
        As ``busy``, but for what the host may take its time with: a frame that has begun and a
        rate on trial end by themselves.
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
                "answers": In(stream.Signature(turn_label_layout(config.grid))),
                "frames": Out(stream.Signature(frame_layout())),
                "index": In(INDEX_BITS),
                "byte": Out(8),
                "put": In(stream.Signature(8)),
                "clear": In(1),
                "frame_answers": In(stream.Signature(answer_layout())),
                "refused": In(1),
                "repeated": In(1),
                "restarted": In(1),
                "counter": In(range(len(COUNTERS))),
                "half": In(1),
                "word": Out(16),
                "hold": In(1),
                "settled": Out(1),
                "clear_counters": In(1),
                "rates": In(stream.Signature(CYCLES_BITS)),
                "bit_cycles": Out(CYCLES_BITS),
                "tick": Out(1),
                "received": Out(1),
                "sent": Out(1),
                "noise": Out(1),
                "damaged": Out(1),
                "busy": Out(1),
                "waiting": Out(1),
                "progress": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.uart = uart = Uart(self._divisor)
        m.submodules.reader = reader = LineReader(self._config.grid)
        m.submodules.queue = queue = CommandQueue(self._config.grid)
        m.submodules.writer = writer = LineWriter(self._config.grid, self._config.code)
        m.submodules.decoder = decoder = FrameDecoder(FRAME_PAUSE_MS)
        m.submodules.frame_reader = frame_reader = FrameReader()
        m.submodules.frame_writer = frame_writer = FrameWriter()
        m.submodules.share = share = LineShare()
        m.submodules.counters = counters = Counters(len(COUNTERS))
        m.submodules.rate = rate = RateControl(self._divisor, BAUD_TRIAL_MS)

        # In.
        connect(m, uart.received, decoder.bytes)
        connect(m, decoder.chars, reader.chars)
        connect(m, reader.commands, queue.i)
        connect(m, queue.o, flipped(self.commands))
        connect(m, decoder.data, frame_reader.data)
        connect(m, frame_reader.frames, flipped(self.frames))
        m.d.comb += [
            uart.rx.eq(self.rx),
            decoder.damaged.eq(uart.damaged),
            decoder.tick.eq(self.tick),
            frame_reader.bad.eq(decoder.bad),
            frame_reader.end.eq(decoder.end),
            frame_reader.cut.eq(decoder.cut),
            frame_reader.index.eq(self.index),
            self.byte.eq(frame_reader.byte),
        ]

        # Who is there? What was understood last tells.
        spoken = Signal(_Spoken)
        understood = Signal()
        m.d.sync += understood.eq(reader.commands.valid)
        with m.If(reader.commands.valid):
            m.d.sync += spoken.eq(_Spoken.LINES)
        with m.Elif(frame_reader.ended & (frame_reader.fault == 0)):
            m.d.sync += spoken.eq(_Spoken.FRAMES)
        m.d.comb += [
            decoder.understood.eq(understood),
            decoder.hopeless.eq(frame_reader.hopeless & (spoken != _Spoken.FRAMES)),
            frame_reader.silent.eq(spoken == _Spoken.LINES),
        ]

        # Out.
        connect(m, flipped(self.answers), writer.turns)
        connect(m, writer.text, share.lines)
        connect(m, flipped(self.put), frame_writer.put)
        connect(m, flipped(self.frame_answers), frame_writer.answers)
        connect(m, frame_writer.text, share.frames)
        connect(m, share.text, uart.sending)
        m.d.comb += [
            frame_writer.clear.eq(self.clear),
            share.frame_ends.eq(frame_writer.last),
            self.tx.eq(uart.tx),
        ]

        # What is counted.
        ended, fault = frame_reader.ended, frame_reader.fault
        events = {
            "bytes_received": uart.received.valid & uart.received.ready,
            "bytes_sent": uart.sending.valid & uart.sending.ready,
            "frames_received": ended & (fault == 0),
            "frames_sent": frame_writer.sent,
            "frames_damaged": ended & (fault == ErrorCode.DAMAGED),
            "frames_malformed": ended
            & ((fault == ErrorCode.FRAMING) | (fault == ErrorCode.TOO_LONG)),
            "frames_cut": ended & (fault == ErrorCode.CUT),
            "frames_lost": frame_reader.lost,
            "repeats": self.repeated,
            "framing_errors": uart.damaged,
            "overruns": uart.overflow,
            "lines_received": reader.commands.valid,
            "lines_noise": reader.noise | queue.dropped,
            "lines_refused": self.refused,
            "restarts": self.restarted,
        }
        m.d.comb += [
            counters.events.eq(Cat(*(events[name] for name in COUNTERS))),
            counters.index.eq(self.counter),
            counters.half.eq(self.half),
            counters.hold.eq(self.hold),
            counters.clear.eq(self.clear_counters),
            self.word.eq(counters.word),
            self.settled.eq(counters.settled),
        ]

        # The rate.
        connect(m, flipped(self.rates), rate.changes)
        m.d.comb += [
            rate.at_rest.eq(~uart.busy & ~frame_writer.busy & ~writer.busy),
            rate.proved.eq(events["frames_received"]),
            rate.tick.eq(self.tick),
            uart.cycles.eq(rate.cycles),
            self.bit_cycles.eq(rate.cycles),
        ]

        # A millisecond.
        cycles = millisecond(self._config.clock_hz)
        elapsed = Signal(range(cycles))
        m.d.comb += self.tick.eq(elapsed == cycles - 1)
        m.d.sync += elapsed.eq(elapsed + 1)
        with m.If(self.tick):
            m.d.sync += elapsed.eq(0)

        # One cycle longer: a player with registers could not have known of the command before.
        session_ended = Signal()
        m.d.sync += session_ended.eq(queue.session)

        op = reader.commands.payload.op
        m.d.comb += [
            reader.damaged.eq(decoder.broken),
            writer.discard.eq(queue.session | session_ended),
            writer.request.eq(
                reader.commands.valid & ((op == LinkOp.STOP) | (op == LinkOp.SET_UP))
            ),
            self.received.eq(reader.commands.valid),
            self.sent.eq(writer.sent),
            self.noise.eq(reader.noise | queue.dropped),
            self.damaged.eq(uart.damaged),
            self.waiting.eq(
                self.commands.valid
                | self.frames.valid
                | writer.busy
                | frame_writer.busy
                | uart.busy
            ),
            self.busy.eq(self.waiting | decoder.busy | rate.busy),
            self.progress.eq(events["bytes_sent"]),
        ]
        return m
