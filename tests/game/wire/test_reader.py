"""Bytes to frames: whatever comes, nothing but the documented events."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from loopline.game.wire import (
    END,
    MAX_FRAME,
    MAX_PAYLOAD,
    Damage,
    ErrorCode,
    Event,
    Frame,
    FrameReader,
    Noise,
    pack_frame,
)

FRAMES = st.builds(Frame, st.integers(0, 127), st.integers(0, 255), st.binary(max_size=MAX_PAYLOAD))
TEXTS = st.binary(min_size=1, max_size=60).map(
    lambda data: bytes(byte & 0x7F for byte in data if byte & 0x7F not in b"\r\n")
)

PIECES = st.lists(
    st.sampled_from([b"\xc0", b"\xdb", b"\n", b"x" * 70, b"\x81" * MAX_FRAME])
    | st.binary(max_size=4)
    | FRAMES.map(lambda frame: pack_frame(*frame)),
    max_size=12,
)
"""Frames, and what may be one, damage or noise: random bytes alone hardly ever are."""


def read(data: bytes, cuts: list[int] | None = None) -> list[Event]:
    """All that a reader finds, when the bytes come in pieces that end at these places."""
    reader = FrameReader()
    places = sorted(place % (len(data) + 1) for place in cuts or [])
    found: list[Event] = []
    for begin, end in zip([0, *places], [*places, len(data)], strict=True):
        found += reader.feed(data[begin:end])
    return found


@given(st.lists(FRAMES, max_size=5), st.lists(st.integers(0), max_size=8))
def test_frames_come_back_however_they_are_cut(frames: list[Frame], cuts: list[int]) -> None:
    data = b"".join(pack_frame(*frame) for frame in frames)
    assert read(data, cuts) == frames


@given(st.lists(FRAMES | TEXTS, max_size=6), st.lists(st.integers(0), max_size=8))
def test_frames_and_lines_take_turns(items: list[Frame | bytes], cuts: list[int]) -> None:
    data = b"".join(
        item + b"\n" if isinstance(item, bytes) else pack_frame(*item) for item in items
    )
    wanted = [Noise(item) if isinstance(item, bytes) else item for item in items]
    assert read(data, cuts) == [item for item in wanted if item != Noise(b"")]


@given(FRAMES, st.data())
def test_a_bit_that_flips_is_noticed(frame: Frame, data: st.DataObject) -> None:
    packed = bytearray(pack_frame(*frame))
    place = data.draw(st.integers(1, len(packed) - 2))
    packed[place] ^= 1 << data.draw(st.integers(0, 7))
    found = [event for event in read(bytes(packed)) if isinstance(event, Frame)]
    assert frame not in found


@given(FRAMES, FRAMES, st.integers(0))
def test_in_step_again_after_a_frame_that_is_cut(cut: Frame, after: Frame, place: int) -> None:
    packed = pack_frame(*cut)
    packed = packed[: place % len(packed)]
    assert read(packed + pack_frame(*after))[-1] == after


@given(PIECES.map(b"".join), st.lists(st.integers(0), max_size=8))
def test_any_bytes_are_frames_damage_or_noise(data: bytes, cuts: list[int]) -> None:
    events = read(data, cuts)
    assert repr(events) == repr(read(data))  # Two errors are never equal.
    for event in events:
        match event:
            case Frame():
                assert pack_frame(*event)[1:-1] in data
            case Noise(text):
                assert 0 < len(text) <= 64
                assert END not in text
            case Damage(error, sequence, code):
                assert error.code in (ErrorCode.DAMAGED, ErrorCode.FRAMING, ErrorCode.TOO_LONG)
                assert 0 <= sequence < 128
                assert 0 <= code < 256


@given(FRAMES)
def test_damage_tells_the_number_that_came(frame: Frame) -> None:
    packed = bytearray(pack_frame(*frame))
    # In front of the last byte, so that neither number nor code is hit.
    packed.insert(len(packed) - 1, 0x55)
    (event,) = read(bytes(packed))
    assert isinstance(event, Damage)
    assert (event.sequence, event.code) == (frame.sequence, frame.code)


def test_a_frame_that_is_cut_is_reported_and_forgotten() -> None:
    reader = FrameReader()
    assert not list(reader.feed(pack_frame(5, 4, b"ab")[:-2]))
    assert reader.in_frame
    damage = reader.cut()
    assert (damage.error.code, damage.sequence, damage.code) == (ErrorCode.CUT, 5, 4)
    assert not reader.in_frame
    assert list(reader.feed(pack_frame(6, 4))) == [Frame(6, 4, b"")]


def test_the_longest_frame_is_one_and_a_longer_one_is_not() -> None:
    longest = Frame(64, 0xDB, bytes([END]) * MAX_PAYLOAD)
    assert read(pack_frame(*longest)) == [longest]
    for more in (MAX_FRAME + 1, 2 * MAX_FRAME, 10**6):
        (event,) = read(b"\xc0" + b"\x81" * more + b"\xc0")
        assert isinstance(event, Damage)
        assert event.error.code is ErrorCode.TOO_LONG


def test_endless_input_takes_no_memory() -> None:
    reader = FrameReader()
    tracemalloc.start()
    try:
        for piece in (b"\xc0" + b"\x81" * 4095, b"\x81" * 4096, b"\xc0" * 4096, b"a" * 4096):
            list(reader.feed(piece))
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(60):
                for _event in reader.feed(piece):
                    pass
            assert tracemalloc.get_traced_memory()[0] - before < 4096
    finally:
        tracemalloc.stop()
