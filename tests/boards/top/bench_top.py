"""cocotb test of a board's top through its pins: serial port and LEDs. See ``bench_positions``.

Settings: ``clock_pin``, and ``leds``, the pins of the LEDs, those that a low level lights behind a
``~``; ``button``, its pin in the same way; ``preset``, the name of the one that is built.
"""

from dataclasses import replace
from itertools import pairwise

import cocotb

from loopline.boards.pins import LIGHTS
from loopline.boards.presets import PRESETS
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.game import parse_turn
from loopline.game.position import play_game
from loopline.game.wire import (
    ANSWERS,
    Command,
    Feature,
    Frame,
    FrameReader,
    RuleFlag,
    TurnStatus,
    answer_code,
    command_frame,
)
from loopline.sim.benches.pins import power_on
from loopline.sim.benches.settings import BAUD, CLOCK_HZ, setting
from tests.sim.benches.bench_positions import CHOSEN, follow

SEARCHED = 200
"""The nodes of a search for a turn of a game."""


class Lights:
    """What some LEDs show, the lowest bit first."""

    def __init__(self, dut, pins):
        self._leds = [(getattr(dut, pin.lstrip("~")), pin[0] == "~") for pin in pins]

    @property
    def value(self):
        return sum((int(led.value) ^ low) << bit for bit, (led, low) in enumerate(self._leds))


class Board:
    """The pins under the names that a design has for them."""

    def __init__(self, dut):
        self._dut = dut
        self.clk = getattr(dut, setting("clock_pin"))
        self.rx = dut.uart_0__rx__io
        self.tx = dut.uart_0__tx__io
        leds = setting("leds").split()
        self.errors = Lights(dut, [])  # No LED shows them.
        self.depth = Lights(dut, leds[4:])
        self._button = setting("button", "")
        if self._button:
            self.press(False)
        self.lights = [Lights(dut, [pin]) for pin in leds]
        for name, light in zip(LIGHTS[:4], self.lights, strict=False):
            setattr(self, name, light)

    def press(self, pressed):
        """Press the button, or release it."""
        pin = self._button.lstrip("~")
        getattr(self._dut, pin).value = pressed ^ (pin != self._button)


@cocotb.test()
async def button_resets(dut):
    """A player that sends ``rx`` back: while it is reset, its output is high."""
    board = Board(dut)
    board.press(True)
    pins = await power_on(board)
    await pins.silence(20e-6)
    board.rx.value = 0
    await pins.wait_bits(1)
    # Pressed from the start, it has not held the reset.
    assert board.tx.value == 0
    board.press(False)
    await pins.wait_bits(1)
    for _ in range(2):
        assert board.tx.value == 0
        board.press(True)
        await pins.wait_bits(1)
        assert board.tx.value == 1
        board.press(False)
        # The reset lasts as after power-on.
        await pins.wait_bits(round(14e-6 * BAUD))
        assert board.tx.value == 1
        await pins.wait_bits(round(2e-6 * BAUD))


@cocotb.test()
async def serial_port_and_leds(dut):
    """A player that sends ``rx`` back, a cycle later, and shows it on two LEDs. The others show
    bits of the number of cycles in which it was low, see ``small.Counter``."""
    board = Board(dut)
    pins = await power_on(board)
    await pins.silence(20e-6)
    await pins.send(b"\x55@")
    assert [await pins.receive(1e-3) for _ in range(2)] == list(b"\x55@")
    for level in (0, 1):
        board.rx.value = level
        await pins.wait_bits(1)
        assert [light.value for light in board.lights[:2]] == [level, 1 - level][
            : len(board.lights)
        ]

    board.rx.value = 0
    bit_cycles = CLOCK_HZ / BAUD
    seen = []
    while len(seen) * 2 * bit_cycles <= 1 << 12:
        await pins.wait_bits(2)
        seen.append([light.value for light in board.lights[2:]])
    changes = [sum(a != b for a, b in pairwise(each)) for each in zip(*seen, strict=True)]
    assert changes == [32, 64, 16, 8, 4, 2][: len(changes)]


@cocotb.test()
async def memories(dut):
    """A player that checks memories, see ``small.Remembering``."""
    board = Board(dut)
    pins = await power_on(board)
    assert board.idle.value == 0
    while board.idle.value == 0:
        await pins.wait_bits(1)
    assert board.error.value == 0


async def ask(pins, sequence, command, **values):
    """The answer to a framed command, by names."""
    await pins.send(command_frame(sequence, command, **values))
    reader = FrameReader()
    while True:
        for event in reader.feed(bytes([await pins.receive(1)])):
            assert isinstance(event, Frame)
            assert event.sequence == sequence
            # PROGRESS stands before BEST.
            if event.code == answer_code(command):
                return ANSWERS[event.code].unpack(event.payload)


@cocotb.test()
async def says_who_it_is(dut):
    """A player from power-on: its code, what its manifest says of it, and that it is idle.

    Settings: ``grid``, ``lanes``, ``build`` and ``counts``, whether it has an evaluator.
    """
    board = Board(dut)
    pins = await power_on(board)
    await pins.silence(20e-6)  # the reset lasts until block RAMs have settled
    await pins.send(b"-T\n")
    assert await pins.line(0.01) == b"LL"
    found = await ask(pins, 1, Command.IDENTIFY)
    said = [found[name] for name in ("magic", "code", "clock", "baud", "grid", "lanes", "build")]
    numbers = (int(setting(name)) for name in ("grid", "lanes", "build"))
    assert said == ["TRAX", "LL", CLOCK_HZ, BAUD, *numbers]
    assert bool(found["features"] & Feature.COUNT) == bool(int(setting("counts")))
    await pins.wait_bits(20)  # the last character's end
    assert [light.value for light in board.lights[:4]] == [1, 0, 0, 0][: len(board.lights)]


@cocotb.test()
async def plays_a_game(dut):
    """A player from power-on: its code, its first turn, and a game in which every turn is the
    engine's.

    Settings: ``grid``, if it is not the preset's, and ``searched``, the most turns to search for
    after those of the opening, 8 unless given.
    """
    most = int(setting("searched", "8"))
    pins = await power_on(Board(dut))
    await pins.silence(20e-6)  # the reset lasts until block RAMs have settled
    await pins.send(b"-T\n")
    assert await pins.line(0.01) == b"LL"
    await pins.send(b"-W\n")
    assert await pins.line(0.01) == b"@0/"
    turns = [parse_turn(text) for text in ("@0/", "B1+", "A2/")]
    game = await ask(pins, 1, Command.NEW_GAME, area=0, rules=RuleFlag.LINES, turns=turns)
    assert (game["made"], game["status"], game["turns"]) == (3, TurnStatus.LEGAL, 3)
    position = play_game(turns)
    search = PRESETS[setting("preset")].search
    size = int(setting("grid", str(search.grid.size)))
    engine = Searcher(replace(search, grid=replace(search.grid, size=size)))
    for sequence in range(2, 2 + most):
        best = await ask(pins, sequence, Command.SEARCH, depth=0, nodes=SEARCHED, cycles=0)
        found = engine.search(position, Limits(None, SEARCHED))
        assert tuple(best["variation"]) == tuple(found.line)
        for name in ("nodes", "depth", "score"):
            assert best[name] == getattr(found, name), name
        position.play(found.turn)
        game = await ask(pins, sequence, Command.PLAY, turns=[found.turn])
        assert game["turns"] == position.turns
        if position.ending:
            break
    assert position.turns >= 3 + min(most, 3)


@cocotb.test()
async def goes_on_from_chosen_positions(dut):
    board = Board(dut)
    pins = await power_on(board)
    await pins.silence(20e-6)  # the reset lasts until block RAMs have settled
    assert CHOSEN
    errors = 0
    for chosen in CHOSEN:
        errors = await follow(pins, chosen, errors)
    assert errors
    assert board.depth.value > 0
