# amaranth: UnusedElaboratable=no
"""UART: rates, waveforms, mismatched rates, glitches, framing errors and breaks."""

import itertools
import random
import re

import pytest

from loopline.hdl.link.uart import Uart, UartReceiver, UartTransmitter
from loopline.hdl.rate import bit_cycles
from tests.hdl.link.harness import (
    PERIOD,
    PinRecorder,
    PulseCounter,
    character,
    decode,
    drive,
    text_levels,
)
from tests.hdl.support import Stalls, StreamChecker, simulate, stream_get, stream_put, ticks

DIVISORS = [8, 9, 13, 16, 104]


@pytest.mark.parametrize(
    ("clock", "baud", "cycles"),
    [
        (12_000_000, 115_200, 104),
        (12_000_000, 19_200, 625),
        (16_000_000, 115_200, 139),
        (8_000_000, 1_000_000, 8),
        (1_019_999, 100_000, 10),
        (1_080_001, 100_000, 11),
    ],
)
def test_bit_cycles_is_the_nearest(clock, baud, cycles):
    assert bit_cycles(clock, baud) == cycles


@pytest.mark.parametrize(
    ("clock", "baud", "message"),
    [
        (0, 9600, "clock and baud rate must be positive, not 0 and 9600"),
        (12_000_000, -1, "clock and baud rate must be positive, not 12000000 and -1"),
        (
            12_000_000,
            2_000_000,
            "2000000 baud needs a clock of at least 16000000 Hz, not 12000000 Hz: 8 cycles per bit",
        ),
        (
            10_400_000,
            1_000_000,
            "a clock of 10400000 Hz makes 1040000 baud of 1000000: +4.0%, and at most 2% is "
            "accepted",
        ),
        (
            48_000_000,
            600,
            "600 baud takes 80000 cycles of a clock of 48000000 Hz per bit, and at most 65535 are "
            "counted: from 733 baud on",
        ),
    ],
)
def test_bit_cycles_refuses(clock, baud, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        bit_cycles(clock, baud)


@pytest.mark.parametrize("component", [Uart, UartReceiver, UartTransmitter])
@pytest.mark.parametrize("divisor", [7, 0, -8, 8.0, 65536])
def test_divisor_is_checked(component, divisor):
    message = f"divisor must be an integer from 8 to 65535 cycles per bit, not {divisor!r}"
    with pytest.raises(ValueError, match=f"^{message}$"):
        component(divisor)


def some_bytes(seed, count):
    generator = random.Random(seed)
    return [0x00, 0xFF, 0x55, 0xAA, 0x80, 0x01] + [generator.randrange(256) for _ in range(count)]


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("seed", [0, 1])
def test_transmitter_waveform(divisor, seed):
    dut = UartTransmitter(divisor)
    data = some_bytes(seed, 20 if divisor < 100 else 2)
    stalls = Stalls(seed, longest=15 * divisor) if seed else None
    recorder = PinRecorder(dut.tx)

    async def send(ctx):
        for byte in data:
            await stream_put(ctx, dut.bytes, byte, stalls=stalls)
        await ctx.delay(12 * divisor * PERIOD)

    simulate(dut, send, check=[dut.bytes, recorder])
    found = decode(recorder.levels, divisor)
    assert [byte for _, byte in found] == data
    starts = [cycle for cycle, _ in found]
    gaps = [after - before - 10 * divisor for before, after in itertools.pairwise(starts)]
    if seed == 0:
        assert starts[0] == 1
        assert set(gaps) == {0}
    else:
        assert min(gaps) == 0
        assert max(gaps) > 0


def receive(divisor, levels, *, framing_errors=0):
    """Drive the pin, take every byte at once, and return the bytes. Check the count of errors."""
    dut = Uart(divisor)
    checker = StreamChecker(dut.received)
    pulses = PulseCounter(dut, "framing_error", "overrun")

    async def send(ctx):
        ctx.set(dut.received.ready, 1)
        await drive(ctx, dut.rx, [(1, 5.3), *levels, (1, 40)])

    simulate(dut, send, check=[checker, pulses])
    assert pulses.counts == {"framing_error": framing_errors, "overrun": 0}
    return checker.payloads


@pytest.mark.parametrize(
    ("divisor", "mismatch"),
    [
        *itertools.product(DIVISORS, [-0.02, -0.01, 0, 0.01, 0.02]),
        *itertools.product([16, 17, 31, 104], [-0.03, 0.03]),
    ],
)
def test_receiver_takes_bytes_at_mismatched_rates(divisor, mismatch):
    """Up to 2 %; from 16 cycles per bit on, 3 %."""
    data = some_bytes(divisor, 40 if divisor < 100 else 6)
    assert receive(divisor, text_levels(data, divisor * (1 + mismatch))) == data


@pytest.mark.parametrize("divisor", DIVISORS)
def test_gaps_between_bytes_of_any_length(divisor):
    generator = random.Random(divisor)
    data = some_bytes(divisor, 20 if divisor < 100 else 4)
    levels = []
    for byte in data:
        levels += [*character(byte, divisor), (1, generator.random() * 3 * divisor)]
    assert receive(divisor, levels) == data


@pytest.mark.parametrize("divisor", DIVISORS)
def test_short_low_pulses_are_no_start_bit(divisor):
    levels = []
    for length in range(1, divisor // 2 - 1):
        levels += [(0, length), (1, 2 * divisor)]
    assert receive(divisor, [*levels, *character(0x5A, divisor)]) == [0x5A]


@pytest.mark.parametrize("divisor", [16, 32, 104])
def test_one_of_three_samples_may_be_wrong(divisor):
    """A spike around the middle of each bit is shorter than the distance of two samples."""
    data = some_bytes(3, 10)
    spike = divisor // 16 - 0.1
    generator = random.Random(divisor)
    levels = []
    for byte in data:
        for level, length in character(byte, divisor):
            before = length / 4 + generator.random() * (length / 4 - spike)
            levels += [(level, before), (1 - level, spike), (level, length - before - spike)]
    assert receive(divisor, levels) == data


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize(
    "dropped",
    [
        *([*character(0x42, 1, stop=0), (1, idle)] for idle in (0.5, 3)),
        *([(0, length), (1, 1)] for length in (10, 11.4, 25, 100)),
    ],
    ids=["byte, short pause", "byte, pause", "10", "11.4", "25", "100"],
)
def test_byte_without_stop_bit_and_break_of_any_length_are_dropped(divisor, dropped):
    levels = [(level, bits * divisor) for level, bits in dropped]
    levels = [*character(0x41, divisor), *levels, *character(0x43, divisor)]
    assert receive(divisor, levels, framing_errors=1) == [0x41, 0x43]


def test_byte_that_is_not_taken_stays_and_the_next_is_lost():
    divisor = 8
    dut = UartReceiver(divisor)
    pulses = PulseCounter(dut, "overrun")

    async def send(ctx):
        await drive(ctx, dut.rx, [(1, 10), *text_levels(b"\1\2\3", divisor), (1, 3 * divisor)])
        assert await stream_get(ctx, dut.bytes) == 1
        await drive(ctx, dut.rx, character(4, divisor))
        assert await stream_get(ctx, dut.bytes) == 4

    simulate(dut, send, check=[dut.bytes, pulses])
    assert pulses.counts == {"overrun": 2}


@pytest.mark.parametrize("place", [1, 150, 1_150, 1_999])
@pytest.mark.parametrize("before", [200, 4_000])
def test_another_rate_in_the_middle_of_a_byte(before, place):
    """The present bit keeps its length in the transmitter; the next byte is whole in both
    directions."""
    dut = Uart(before)
    pin = PinRecorder(dut.tx)

    async def send(ctx):
        await stream_put(ctx, dut.sending, 0x55)
        await ticks(ctx, place)
        ctx.set(dut.cycles, 8)
        await ticks(ctx, before + 100)
        assert not ctx.get(dut.busy)
        await stream_put(ctx, dut.sending, 0x26)

    async def hear(ctx):
        await drive(
            ctx, dut.rx, [(1, 10), (0, place), (1, before + 200), *character(0x5A, 8), (1, 99)]
        )

    async def take(ctx):
        while await stream_get(ctx, dut.received) != 0x5A:
            pass

    simulate(dut, send, hear, take, check=[pin])
    # Its last bit of data is a zero.
    end = len(pin.levels) - pin.levels[::-1].index(0)
    assert decode(pin.levels[end - 72 : end + 8], 8) == [(0, 0x26)]
