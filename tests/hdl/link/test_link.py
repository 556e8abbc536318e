# amaranth: UnusedElaboratable=no
"""The link through its pins: contest lines and the player's answers."""

import itertools
import random
import re

import pytest
from amaranth.hdl import Cat

from loopline.hdl.core.types import ShapeCode
from loopline.hdl.design import DesignConfig
from loopline.hdl.link import Link, LinkOp
from tests.hdl.link.harness import (
    PERIOD,
    PinRecorder,
    PulseCounter,
    character,
    decode,
    drive,
    text_levels,
)
from tests.hdl.link.reference import as_tuple, label_text
from tests.hdl.support import Stalls, StreamChecker, simulate, stream_get, stream_put

DIVISOR = 8
BYTE = 10 * DIVISOR
CONFIG = DesignConfig(clock_hz=800_000, baud=100_000, code="L7")
SLASH = ShapeCode.SLASH


def sent(text, *, rate=1.0):
    """Return a text as levels of the pin."""
    return text_levels(text, DIVISOR / rate)


class Harness:
    """A link whose streams, pulses and output pin are recorded."""

    def __init__(self, config=CONFIG):
        self.dut = Link(config)
        self.commands = StreamChecker(self.dut.commands, name="commands")
        self.answers = StreamChecker(self.dut.answers, name="answers")
        self._tx = PinRecorder(self.dut.tx)
        self._pulses = PulseCounter(self.dut, "noise", "received", "sent", "framing_error")

    @property
    def pulses(self):
        """The pulses that were counted, by name."""
        return self._pulses.counts

    def run(self, *testharnesses, background=()):
        """Simulate."""
        check = [self.commands, self.answers, self._tx, self._pulses]
        simulate(self.dut, *testharnesses, check=check, background=background)

    def sends(self, text, *, before=0, after=0, rate=1.0):
        """Return a host that waits, sends a text and waits; both times are in cycles."""

        async def host(ctx):
            if before:
                await ctx.delay(before * PERIOD)
            await drive(ctx, self.dut.rx, [*sent(text, rate=rate), (1, after)])

        return host

    async def take_all(self, ctx):
        """Play a player that takes commands at once and does not answer."""
        ctx.set(self.dut.commands.ready, 1)

    @property
    def lines(self):
        """The lines that were sent: (cycle of the first start bit, line)."""
        found = decode(self._tx.levels, DIVISOR)
        text = bytes(byte for _, byte in found)
        assert text.endswith(b"\n") or not text
        return [
            (found[match.start()][0], match[1].decode())
            for match in re.finditer(rb"([^\n]*)\n", text)
        ]

    @property
    def text(self):
        """All lines that were sent, as one text."""
        return "".join(line + "\n" for _, line in self.lines)


def as_payload(column, row):
    return {"column": column, "row": row, "symbol": SLASH}


@pytest.mark.parametrize(("end", "seed"), [("\n", 0), ("\r", 1), ("\r\n", 2)])
def test_conversation(end, seed):
    """The host waits for each answer; the player takes commands and answers after random stalls."""
    harness = Harness()
    dut = harness.dut
    stalls = Stalls(seed) if seed else None
    talk = [
        ("-T", (LinkOp.STOP,), None, "L7"),
        ("-W", (LinkOp.NEW_WHITE,), (0, 0), "@0/"),
        ("A0/", (LinkOp.TURN, 1, 0, SLASH), (63, 63), "BK63/"),
        ("Z10\\", (LinkOp.TURN, 26, 10, ShapeCode.BACKSLASH), (27, 9), "AA9/"),
        ("-B", (LinkOp.NEW_RED,), None, None),
        ("@0+", (LinkOp.TURN, 0, 0, ShapeCode.CROSS), (1, 1), "A1/"),
        ("BK63+", (LinkOp.TURN, 63, 63, ShapeCode.CROSS), (0, 7), "@7/"),
        ("-S", (LinkOp.SET_UP,), None, "L7"),
        ("@0/", (LinkOp.TURN, 0, 0, SLASH), None, None),
        ("A0+", (LinkOp.TURN, 1, 0, ShapeCode.CROSS), None, None),
        ("-G", (LinkOp.GO,), (1, 3), "A3/"),
    ]

    async def host(ctx):
        for line, _, _, reply in talk:
            await drive(ctx, dut.rx, sent((line + end).encode()))
            ctx.set(dut.rx, 1)
            await ctx.delay((3 + 8 * bool(reply)) * BYTE * PERIOD)

    async def player(ctx):
        for _, command, answer, _ in talk:
            assert as_tuple(await stream_get(ctx, dut.commands, stalls=stalls)) == command
            await ctx.tick()
            if answer:
                await stream_put(ctx, dut.answers, as_payload(*answer), stalls=stalls)

    harness.run(host, player)
    assert harness.text == "".join(reply + "\n" for *_, reply in talk if reply)
    assert harness.pulses == {"noise": 0, "received": 11, "sent": 6, "framing_error": 0}


@pytest.mark.parametrize("line", [b"-W\n", b"-B\n", b"-S\n"])
@pytest.mark.parametrize("ahead", [0, 1, 2])
def test_answer_being_written_when_a_new_game_begins(line, ahead):
    """The first answer is finished. Those that wait belong to the old game and are dropped."""
    harness = Harness()
    dut = harness.dut
    put = []

    async def player(ctx):
        await ctx.delay((20 + 2 * BYTE) * PERIOD)
        for number in range(1 + ahead):
            await stream_put(ctx, dut.answers, as_payload(1, number))
            put.append(number)
        command = await stream_get(ctx, dut.commands)
        assert command.op != LinkOp.TURN
        await ctx.tick()
        await stream_put(ctx, dut.answers, as_payload(2, 0))

    harness.run(harness.sends(line, before=20, after=20 * BYTE), player)
    assert len(put) == 1 + ahead
    # The line is 3 bytes long and begins after 2: the command comes within the first answer.
    assert harness.text == "A0/\n" + ("L7\n" if line == b"-S\n" else "") + "B0/\n"


@pytest.mark.parametrize(
    ("stall", "late"), [*((0, late) for late in range(5)), *((5, late) for late in range(-5, 5))]
)
def test_answer_first_offered_about_when_a_new_game_begins(stall, late):
    """From two cycles after the command's transfer on, an answer belongs to the new game."""
    harness = Harness()
    dut = harness.dut

    async def player(ctx):
        while not ctx.get(dut.commands.valid):
            await ctx.tick()
        for cycle in range(15):
            ctx.set(dut.commands.ready, cycle == stall)
            if cycle == stall + late:
                ctx.set(dut.answers.payload, as_payload(1, 0))
                ctx.set(dut.answers.valid, 1)
            _, _, accepted = await ctx.tick().sample(dut.answers.valid & dut.answers.ready)
            if accepted:
                ctx.set(dut.answers.valid, 0)

    harness.run(harness.sends(b"-W\n", after=8 * BYTE), player)
    assert [as_tuple(command) for command in harness.commands.payloads] == [(LinkOp.NEW_WHITE,)]
    assert len(harness.answers.payloads) == 1
    assert harness.text == ("A0/\n" if late >= 2 else "")


def test_player_that_never_takes_a_command():
    """The link goes on: it sends codes, counts noise and stores the newest session command."""
    harness = Harness()
    dut = harness.dut
    text = b"A1/\n" + b"-T\nB2+\n-W\n@0/\nxx\n" * 4 + b"-B\n"

    async def host(ctx):
        await drive(ctx, dut.rx, sent(text))
        await ctx.delay(20 * BYTE * PERIOD)
        assert len(harness.commands.payloads) == 0
        ctx.set(dut.commands.ready, 1)
        await ctx.tick().repeat(4)

    harness.run(host)
    taken = [as_tuple(command) for command in harness.commands.payloads]
    assert taken == [(LinkOp.TURN, 1, 1, SLASH), (LinkOp.NEW_RED,)]
    assert harness.text == "L7\n" * 4
    assert harness.pulses["noise"] == 4 * 3


def test_damaged_characters_and_breaks():
    harness = Harness()
    text = [
        *[(0, 30 * DIVISOR), (1, DIVISOR)],  # a break before the first line
        *sent(b"-W\n"),
        *character(0x55, DIVISOR, stop=0),  # between lines
        (1, DIVISOR),
        *sent(b"A1/\nA"),
        *character(ord("1"), DIVISOR, stop=0),  # in a line that would be another turn without it
        (1, DIVISOR),
        *sent(b"2/\n-B\nB2"),
        *[(0, 12 * DIVISOR), (1, DIVISOR)],  # in a line
        *sent(b"/\n-W\n"),
        (1, 3 * DIVISOR),
    ]

    async def host(ctx):
        await drive(ctx, harness.dut.rx, text)

    harness.run(host, background=[harness.take_all])
    assert [as_tuple(command) for command in harness.commands.payloads] == [
        (LinkOp.NEW_WHITE,),
        (LinkOp.TURN, 1, 1, SLASH),
        (LinkOp.NEW_RED,),
        (LinkOp.NEW_WHITE,),
    ]
    assert harness.pulses == {"noise": 2, "received": 4, "sent": 0, "framing_error": 4}


@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
def test_sessions_at_any_time(seed):
    """Every answer that is sent begins in the session to which it belongs."""
    harness = Harness()
    dut = harness.dut
    generator = random.Random(seed)
    host_random = random.Random(seed + 100)
    script = [
        host_random.choice(
            [b"-W\n", b"-B\r\n", b"-T\n", b"-S\n", b"-G\n", b"A1/\n", b"A1/\n", b"zz\r"]
        )
        for _ in range(40)
    ]
    begun = []
    """The cycles in which the session commands were taken."""

    async def host(ctx):
        for line in script:
            await drive(ctx, dut.rx, sent(line))
            ctx.set(dut.rx, 1)
            await ctx.delay(host_random.choice([0, 0, 3.3, 100, 700]) * PERIOD)
        await ctx.delay(30 * BYTE * PERIOD)

    async def player(ctx):
        offers, thinks, ready = False, None, False
        watched = Cat(dut.answers.ready, dut.commands.valid, dut.commands.payload.op.as_value())
        for cycle in itertools.count():
            _, _, sample = await ctx.tick().sample(watched)
            accepted, valid, op = sample & 1, sample & 2, LinkOp(sample >> 2)
            if offers and accepted:
                offers = False
                ctx.set(dut.answers.valid, 0)
            if thinks is not None:
                thinks -= 1
            if thinks == 0:
                # May be in the very cycle in which a session command is taken.
                assert not offers, "an answer of the game before is still on offer"
                offers, thinks = True, None
                ctx.set(dut.answers.payload, as_payload(0, len(begun)))
                ctx.set(dut.answers.valid, 1)
            if valid and ready:
                thinks = None
                if op not in (LinkOp.TURN, LinkOp.GO):
                    begun.append(cycle)
                asked = op in (LinkOp.TURN, LinkOp.GO, LinkOp.NEW_WHITE)
                if asked and begun and not offers:
                    thinks = generator.choice([1, 5, 200, 300, 900])
            if ready != (generator.random() < 0.3):
                ready = not ready
                ctx.set(dut.commands.ready, ready)

    harness.run(host, background=[player])
    answers = [(cycle, line) for cycle, line in harness.lines if line != "L7"]
    assert len(answers) > 5
    for cycle, line in answers:
        session = int(line[1:-1])
        assert line == label_text(0, session, "/")
        # An answer that is taken while the transmitter still sends a line's end begins after that.
        assert begun[session - 1] < cycle
        assert session == len(begun) or cycle - BYTE - 5 < begun[session]
    asked = script.count(b"-T\n") + script.count(b"-S\n")
    assert [line for _, line in harness.lines].count("L7") == asked
    assert harness.pulses["sent"] == len(answers)


def test_rate_is_checked():
    with pytest.raises(
        ValueError, match=r"^a clock of 12000000 Hz makes 1333333 baud of 1300000: "
    ):
        Link(DesignConfig(clock_hz=12_000_000, baud=1_300_000))
