"""Assembles received frames, checks them, and stores each until it has been obeyed."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.crc.catalog import CRC16_IBM_3740
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game.wire import COMMANDS, MAX_FRAME, MAX_PAYLOAD, ErrorCode
from loopline.hdl.link.types import INDEX_BITS, frame_bytes_port, frame_layout, frame_port

__all__ = ["FrameReader"]

_HEADER = 3
_OVERHEAD = MAX_FRAME - MAX_PAYLOAD
"""Bytes of a frame that are not its payload: header and CRC."""


class FrameReader(wiring.Component):
    """Assemble frames and check them.

    ::

        bytes ─┬─► header, CRC ──► complete ──► offered ──► frames.headers
               │                      │  moves when the frame before is taken
               └─► page being written           page being read ──► frames.byte

    A frame stays on offer, with its payload, until it is taken. One more frame may become complete
    meanwhile. Frames that begin while both places are occupied are dropped; for any number of
    dropped frames, one frame with the error ``OVERRUN`` and the last one's sequence number is
    offered.

    A frame is on offer in the second cycle after its end.

    Members
    -------
    bytes : In(frame_bytes_port)
        Bytes of frames.
    frames : Out(frame_port)
        Frames in order, with access to their payloads.
    ended : Out(1), fault : Out(4)
        Pulses for one cycle after the end of each frame that is not dropped; ``fault`` is its error
        then.
    lost : Out(1)
        Pulses for one cycle at the end of each frame that is dropped.
    invalid : Out(1)
        The bytes received so far cannot be the beginning of a valid frame: a character or an escape
        sequence is damaged, the code belongs to no command, the length field exceeds the longest
        payload, or the frame continues beyond its length. High from the second cycle after the
        byte that shows it to the cycle after the frame's end.
    mute : In(1)
        Do not offer frames with an error; only report them by ``ended`` and ``fault``.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "bytes": In(frame_bytes_port()),
                "frames": Out(frame_port()),
                "ended": Out(1),
                "fault": Out(4),
                "lost": Out(1),
                "invalid": Out(1),
                "mute": In(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        data, bad, ends = self.bytes.data, self.bytes.bad, self.bytes.end | self.bytes.cut
        byte, offered = data.payload, self.frames.headers
        frame = Signal(frame_layout())
        complete = Signal()
        page = Signal()
        overrun = Signal()
        lost_sequence = Signal(7)

        # Move the complete frame on offer when that place is free.
        free = ~offered.valid | offered.ready
        moves = complete & free
        with m.If(offered.ready):
            m.d.sync += offered.valid.eq(0)
        with m.If(moves):
            m.d.sync += [
                offered.payload.eq(frame),
                offered.valid.eq(1),
                complete.eq(0),
                page.eq(~page),
            ]
        with m.Elif(free & overrun):
            m.d.sync += [
                offered.payload.eq(0),
                offered.payload.sequence.eq(lost_sequence),
                offered.payload.error.eq(ErrorCode.OVERRUN),
                offered.valid.eq(1),
                overrun.eq(0),
            ]

        # Skip a frame that begins while both places are occupied.
        active = Signal()
        skipping = Signal()
        skips = Signal()
        begins = (data.valid | bad | ends) & ~active
        m.d.comb += skips.eq(skipping)
        with m.If(begins):
            m.d.comb += skips.eq(complete & ~moves)
            m.d.sync += [active.eq(1), skipping.eq(skips)]
        with m.If(ends):
            m.d.sync += active.eq(0)

        count = Signal(range(MAX_FRAME + 2))
        faulty = Signal()
        m.submodules.crc = crc = CRC16_IBM_3740(data_width=8).create()
        m.d.comb += [
            crc.start.eq(begins & ~skips),
            crc.data.eq(byte),
            crc.valid.eq(data.valid & ~skips),
        ]
        with m.If(begins):
            m.d.sync += [count.eq(1), faulty.eq(bad)]
            with m.If(~skips):
                m.d.sync += [
                    frame.eq(0),
                    frame.sequence.eq(byte[:7] & data.valid.replicate(7)),
                ]
            with m.Else():
                m.d.sync += lost_sequence.eq(byte[:7] & data.valid.replicate(7))
        with m.Else():
            with m.If(bad):
                m.d.sync += faulty.eq(1)
            with m.If((data.valid | bad) & (count <= MAX_FRAME)):
                m.d.sync += count.eq(count + 1)
            with m.If(data.valid & ~skips):
                with m.If(count == 1):
                    m.d.sync += frame.code.eq(byte)
                with m.If(count == 2):
                    m.d.sync += frame.length.eq(byte)

        m.d.comb += self.fault.eq(frame.error)
        m.d.sync += self.ended.eq(ends & ~skips)
        with m.If(ends & skips):
            m.d.comb += self.lost.eq(1)
            m.d.sync += overrun.eq(1)

        error = Signal.like(frame.error)
        with m.If(self.bytes.cut):
            m.d.comb += error.eq(ErrorCode.CUT)
        with m.Elif(faulty | bad):
            m.d.comb += error.eq(ErrorCode.FRAMING)
        with m.Elif(count > MAX_FRAME):
            m.d.comb += error.eq(ErrorCode.TOO_LONG)
        with m.Elif(~crc.match_detected | (count != frame.length + _OVERHEAD)):
            m.d.comb += error.eq(ErrorCode.DAMAGED)
        with m.If(ends & ~skips):
            m.d.sync += [frame.error.eq(error), complete.eq((error == 0) | ~self.mute)]

        # The header of a skipped frame is not stored: only its length in bytes can show it invalid.
        codes = [int(command) for command in COMMANDS]
        assert codes == [*range(1, len(codes) + 1)]
        unknown = (frame.code == 0) | (frame.code > len(codes))
        too_long = (frame.length > MAX_PAYLOAD) | (count > frame.length + _OVERHEAD)
        m.d.sync += self.invalid.eq(
            active
            & (
                faulty
                | (count > MAX_FRAME)
                | (~skipping & (((count >= 2) & unknown) | ((count >= _HEADER) & too_long)))
            )
        )

        m.submodules.pages = pages = Memory(shape=8, depth=2 << INDEX_BITS, init=[])
        write, read = pages.write_port(), pages.read_port()
        place = Signal(range(MAX_FRAME + 2))
        m.d.comb += [
            place.eq(count - _HEADER),
            write.en.eq(data.valid & ~skips & (count >= _HEADER) & (place < MAX_PAYLOAD)),
            write.addr.eq(Cat(place[:INDEX_BITS], page)),
            write.data.eq(byte),
            read.addr.eq(Cat(self.frames.index, ~page)),
            self.frames.byte.eq(read.data),
        ]
        return m
