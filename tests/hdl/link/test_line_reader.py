# amaranth: UnusedElaboratable=no
"""Line reader, against a regular expression in the reference model."""

import itertools
import random

import pytest
from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib.memory import Memory

from loopline.hdl.config import GridConfig
from loopline.hdl.link import LinkOp
from loopline.hdl.link.line_reader import LineReader
from tests.hdl.link.harness import PERIOD
from tests.hdl.link.reference import FRAMING_ERROR, as_tuple, column_letters, read_lines
from tests.hdl.support import simulate

SIZES = [8, 16, 32, 64]


class FedReader(Elaboratable):
    """A line reader with a memory in front that feeds it, and a register behind it.

    Python is only asked for the results, and not in every cycle, which is many times as fast.
    ``found`` changes with each result: ``command``, or ``noise``.
    """

    def __init__(self, size, entries):
        self.dut = LineReader(GridConfig(size=size))
        self.command = Signal.like(self.dut.commands.payload)
        self.noise = Signal()
        self.both = Signal()
        self.found = Signal()
        self._entries = entries

    def elaborate(self, platform):
        m = Module()
        m.submodules.dut = dut = self.dut
        depth = len(self._entries)
        m.submodules.memory = memory = Memory(shape=10, depth=depth, init=self._entries)
        port = memory.read_port()
        feeds = Signal()
        m.d.sync += feeds.eq(port.addr != depth - 1)
        with m.If(port.addr != depth - 1):
            m.d.sync += port.addr.eq(port.addr + 1)
        valid, broken = port.data[8], port.data[9]
        m.d.comb += [
            dut.line.chars.payload.eq(port.data),
            dut.line.chars.valid.eq(feeds & valid),
            dut.line.broken.eq(feeds & broken),
        ]
        with m.If(dut.commands.valid | dut.noise):
            m.d.sync += [
                self.found.eq(~self.found),
                self.command.eq(dut.commands.payload),
                self.noise.eq(dut.noise),
                self.both.eq(dut.noise & dut.commands.valid),
            ]
        return m


def read(chars, *, size=64, gaps=None):
    """Send characters, one in each cycle or with random gaps; return the commands and noise."""
    entries = []
    for char in chars:
        entries += [gaps.randrange(256) for _ in range(gaps.randrange(4) if gaps else 0)]
        entries.append(1 << 9 if char == FRAMING_ERROR else 1 << 8 | char)
    fed = FedReader(size, [*entries, 0, 0])
    results = []

    async def wait(ctx):
        await ctx.tick().repeat(2)
        await ctx.delay((len(entries) + 4) * PERIOD)

    async def watch(ctx):
        while True:
            await ctx.changed(fed.found)
            assert not ctx.get(fed.both)
            results.append("noise" if ctx.get(fed.noise) else as_tuple(ctx.get(fed.command)))

    simulate(fed, wait, background=[watch])
    return results


@pytest.mark.parametrize("size", SIZES)
def test_every_column_and_every_row(size):
    """All that are on the grid, and enough beyond to see that they are noise."""
    limit = size - 2
    columns = [column_letters(number) for number in range(26 * 27 + 1)]
    rows = [str(row) for row in range(130)] + ["255", "256", "512", "640", "999", "1000", "6553600"]
    lines = [f"{column}0/" for column in columns] + [f"@{row}+" for row in rows]
    text = "".join(line + "\n" for line in lines).encode()
    expected = read_lines(text, limit)
    assert len([event for event in expected if event != "noise"]) == 2 * size
    assert read(text, size=size) == expected


def test_every_label_of_a_small_grid():
    lines = [
        f"{column_letters(column)}{row}{symbol}\n"
        for column, row, symbol in itertools.product(range(10), range(12), "+/\\")
    ]
    text = "".join(lines).encode()
    expected = read_lines(text, 6)
    assert len([event for event in expected if event != "noise"]) == 8 * 8 * 3
    assert read(text, size=8) == expected


def test_every_short_line():
    """All lines of up to three characters of each kind that matters, and most longer by one."""
    alphabet = "@AZ019/-WSG "
    lines = [line for length in range(4) for line in itertools.product(alphabet, repeat=length)]
    lines += itertools.product("@AZ-", alphabet, alphabet, "@A09/W")
    text = "".join("".join(line) + "\n" for line in lines).encode()
    expected = read_lines(text, 62)
    assert expected.count("noise") > 3000
    assert read(text) == expected


@pytest.mark.parametrize(
    "first", [b"", b"-", b"A", b"AA", b"@", b"A0", b"A1", b"A1/", b"-W", b"-S", b"-G", b"x"]
)
def test_every_character_after_every_state(first):
    text = b"".join(
        first + bytes([char]) + last + b"\n" for char in range(256) for last in (b"", b"/", b"0/")
    )
    assert read(text) == read_lines(text, 62)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_random_characters_with_gaps(seed):
    generator = random.Random(seed)
    common = [bytes([char]) for char in b"@AB01/+\\-WBTSG\r\n\n\n"]
    common += [b"\n-", b"\n@", b"A1", b"\n-S\n", b"\n-G"]
    text = b"".join(
        generator.choice(common) if generator.random() < 0.9 else generator.randbytes(1)
        for _ in range(4000)
    )
    expected = read_lines(text, 62)
    assert len(set(expected)) > 5
    assert read(text, gaps=generator if seed else None) == expected


def test_line_ends():
    ends = ["\n", "\r", "\r\n", "\n\n", "\r\r\n", "\n\r", "\r\n\r\n"]
    text = "".join(f"A1/{end}-W{end}x{end}" for end in ends).encode()
    one = [*read_lines(b"A1/\n", 62), (LinkOp.NEW_WHITE,), "noise"]
    assert read(text) == one * len(ends)


@pytest.mark.parametrize(
    "line", ["A1/" * 1500, "A" + "1" * 3000, "A" * 3000 + "1/", "-W" + "W" * 300, " " * 256]
)
def test_overlong_line_is_one_noise(line):
    assert read(f"{line}\n@0/\n".encode()) == ["noise", *read_lines(b"@0/\n", 62)]


def test_lost_character_spoils_its_line_only():
    def damaged(line, place):
        return [*line[:place], FRAMING_ERROR, *line[place:]]

    line = b"AB12/"
    for place in range(1, len(line) + 1):
        chars = [*damaged(line, place), 13, 10, *b"-B\n"]
        assert read(chars) == ["noise", (LinkOp.NEW_RED,)]


def test_lost_character_between_lines_means_nothing():
    chars = [
        FRAMING_ERROR,
        *b"-W\r",
        FRAMING_ERROR,
        FRAMING_ERROR,
        10,
        FRAMING_ERROR,
        *b"@0/\n",
        FRAMING_ERROR,
        10,
    ]
    assert read(chars) == [(LinkOp.NEW_WHITE,), *read_lines(b"@0/\n", 62)]
