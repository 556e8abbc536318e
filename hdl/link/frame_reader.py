"""Frame reader: whole frames, checked and kept until they have been obeyed."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.crc.catalog import CRC16_IBM_3740
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game.wire import COMMANDS, MAX_FRAME, MAX_PAYLOAD, ErrorCode

__all__ = ["INDEX_BITS", "FrameReader", "frame_layout"]

INDEX_BITS = (MAX_PAYLOAD - 1).bit_length()
"""Width of a place in a payload."""

_HEADER = 3
_OTHERS = MAX_FRAME - MAX_PAYLOAD
"""Bytes of a frame that are not its payload."""


def frame_layout() -> data.StructLayout:
    """A frame: ``error`` is 0, or the :class:`~loopline.game.wire.ErrorCode` that is its answer.

    Of a frame with an error the other fields are what was received in their places, or 0.
    """
    return data.StructLayout({"sequence": 7, "code": 8, "length": 8, "error": 4})


class FrameReader(wiring.Component):
    """Assemble frames and check them.

    ::

        bytes ─┬─► header, CRC ──► complete ──► on offer ──► frames
               │                     │  moves when the one before is taken
               └─► page that is written        page that can be read ──► byte

    The frame on offer stays, its payload with it, until it is taken. One more may become complete
    meanwhile. Frames that begin when both places are taken are dropped; for any number of them one
    frame with the error ``OVERRUN`` is offered, with the sequence number of the last.

    A frame is on offer in the second cycle after its end.

    Members
    -------
    data : In(stream.Signature(8, always_ready=True)), bad, end, cut : In(1)
        The frames' bytes, as :class:`~loopline.hdl.link.decoder.FrameDecoder` gives them.
    frames : Out(stream.Signature(frame_layout()))
        Frames in order.
    index : In(INDEX_BITS), byte : Out(8)
        Read the payload of the frame on offer; latency one cycle.
    ended : Out(1), fault : Out(4)
        Pulses for one cycle after the end of each frame that is not dropped, and its error then.
    lost : Out(1)
        Pulses for one cycle at the end of each frame that is dropped.
    hopeless : Out(1)
        From the second cycle after the byte that shows it to the cycle after the end: what is being
        received is no frame that could be obeyed. A character of it is damaged, or an escape
        sequence; its code is no command's; its length is more than a payload has; or it goes on
        beyond its length.
    silent : In(1)
        Frames with an error are not offered, only counted.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "data": In(stream.Signature(8, always_ready=True)),
                "bad": In(1),
                "end": In(1),
                "cut": In(1),
                "frames": Out(stream.Signature(frame_layout())),
                "index": In(INDEX_BITS),
                "byte": Out(8),
                "ended": Out(1),
                "fault": Out(4),
                "lost": Out(1),
                "hopeless": Out(1),
                "silent": In(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        byte = self.data.payload
        frame = Signal(frame_layout())
        complete = Signal()
        page = Signal()
        overrun = Signal()
        lost_sequence = Signal(7)

        # From the frame being assembled to the one on offer.
        free = ~self.frames.valid | self.frames.ready
        moves = complete & free
        with m.If(self.frames.ready):
            m.d.sync += self.frames.valid.eq(0)
        with m.If(moves):
            m.d.sync += [
                self.frames.payload.eq(frame),
                self.frames.valid.eq(1),
                complete.eq(0),
                page.eq(~page),
            ]
        with m.Elif(free & overrun):
            m.d.sync += [
                self.frames.payload.eq(0),
                self.frames.payload.sequence.eq(lost_sequence),
                self.frames.payload.error.eq(ErrorCode.OVERRUN),
                self.frames.valid.eq(1),
                overrun.eq(0),
            ]

        # One that begins while the place is taken is skipped to its end.
        active = Signal()
        skipping = Signal()
        skips = Signal()
        begins = (self.data.valid | self.bad | self.end | self.cut) & ~active
        m.d.comb += skips.eq(skipping)
        with m.If(begins):
            m.d.comb += skips.eq(complete & ~moves)
            m.d.sync += [active.eq(1), skipping.eq(skips)]
        ends = self.end | self.cut
        with m.If(ends):
            m.d.sync += active.eq(0)

        count = Signal(range(MAX_FRAME + 2))
        faulty = Signal()
        m.submodules.crc = crc = CRC16_IBM_3740(data_width=8).create()
        m.d.comb += [
            crc.start.eq(begins & ~skips),
            crc.data.eq(byte),
            crc.valid.eq(self.data.valid & ~skips),
        ]
        with m.If(begins):
            m.d.sync += [count.eq(1), faulty.eq(self.bad)]
            with m.If(~skips):
                m.d.sync += [
                    frame.eq(0),
                    frame.sequence.eq(byte[:7] & self.data.valid.replicate(7)),
                ]
            with m.Else():
                m.d.sync += lost_sequence.eq(byte[:7] & self.data.valid.replicate(7))
        with m.Else():
            with m.If(self.bad):
                m.d.sync += faulty.eq(1)
            with m.If((self.data.valid | self.bad) & (count <= MAX_FRAME)):
                m.d.sync += count.eq(count + 1)
            with m.If(self.data.valid & ~skips):
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
        with m.If(self.cut):
            m.d.comb += error.eq(ErrorCode.CUT)
        with m.Elif(faulty | self.bad):
            m.d.comb += error.eq(ErrorCode.FRAMING)
        with m.Elif(count > MAX_FRAME):
            m.d.comb += error.eq(ErrorCode.TOO_LONG)
        with m.Elif(~crc.match_detected | (count != frame.length + _OTHERS)):
            m.d.comb += error.eq(ErrorCode.DAMAGED)
        with m.If(ends & ~skips):
            m.d.sync += [frame.error.eq(error), complete.eq((error == 0) | ~self.silent)]

        # Of one that is skipped only its own length is not known.
        codes = [int(command) for command in COMMANDS]
        assert codes == [*range(1, len(codes) + 1)]
        unknown = (frame.code == 0) | (frame.code > len(codes))
        too_long = (frame.length > MAX_PAYLOAD) | (count > frame.length + _OTHERS)
        m.d.sync += self.hopeless.eq(
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
            write.en.eq(self.data.valid & ~skips & (count >= _HEADER) & (place < MAX_PAYLOAD)),
            write.addr.eq(Cat(place[:INDEX_BITS], page)),
            write.data.eq(byte),
            read.addr.eq(Cat(self.index, ~page)),
            self.byte.eq(read.data),
        ]
        return m
