"""cocotb tests of the assembled player through its pins, against the reference model.

The runner sets how many games of each colour, the most turns of a game and how many random bytes; a
simulator that is slow gets less of each.
"""

import os
import random
import re

import cocotb
from cocotb.utils import get_sim_time

from loopline.game import Colour, IllegalTurnError, Position
from loopline.sim.pins import power_on

GAMES = int(os.environ["LOOPLINE_BENCH_GAMES"])
TURNS = int(os.environ["LOOPLINE_BENCH_TURNS"])
NOISE = int(os.environ["LOOPLINE_BENCH_NOISE"])
LIMIT = float(os.environ["LOOPLINE_BENCH_SECONDS"])  # for an answer
QUIET = 0.001  # longer than anything but a search takes
LINE_ENDS = (b"\n", b"\r", b"\r\n")
UNDERSTOOD = re.compile(rb"-[TWB]|(@|[A-Z]{1,2})(0|[1-9][0-9]{0,2})[/\\+]")


class Opponent:
    """A random mover on the other end of the line, who checks each turn of the player's.

    The player must make legal turns, in time, win when it can, and be silent after the end.
    """

    def __init__(self, pins, colour):
        self.pins = pins
        self.colour = colour
        self.position = Position()

    async def tell(self, line):
        """Send a line with some line end."""
        await self.pins.send(line.encode() + random.choice(LINE_ENDS))

    async def hear(self):
        """Wait for the player's turn and make it on the board."""
        asked = get_sim_time("sec")
        wins = winning_turns(self.position)
        line = await self.pins.line(LIMIT)
        assert get_sim_time("sec") - asked < LIMIT
        text = line.decode()
        self.position.play(text)
        assert not wins or text in wins, f"{text} does not win, {wins} would"
        return text

    async def start(self):
        """Begin a game: the player has the other colour."""
        self.position = Position()
        await self.tell("-B" if self.colour is Colour.WHITE else "-W")
        if self.colour is Colour.RED:
            assert await self.hear() in ("@0/", "@0+")

    async def turn(self):
        """Make a random turn that does not end the game, if there is one."""
        turns = self.position.legal_turns()
        wins = winning_turns(self.position)
        turn = random.choice([turn for turn in turns if str(turn) not in wins] or turns)
        self.position.play(turn)
        await self.tell(str(turn))

    async def opening(self, turns):
        """Play this many turns of a game that does not end before."""
        for _ in range(20):
            await self.game(turns)
            if self.position.result is None:
                return
        raise AssertionError(f"no game lasts {turns} turns")

    async def game(self, turns=TURNS):
        """Play to the end, or for so many turns."""
        await self.start()
        while self.position.result is None and self.position.turns < turns:
            assert self.position.to_move is self.colour
            await self.turn()
            if self.position.result is None:
                await self.hear()
        await self.pins.silence(QUIET)
        assert self.pins.dut.over.value == (self.position.result is not None)
        assert self.pins.dut.thinking.value == 0
        assert self.pins.dut.error.value == 0


def winning_turns(position):
    """The turns that win at once for the player to move, as text."""
    wins = []
    for turn in position.legal_turns():
        mover = position.to_move
        played = position.play(turn)
        if played.result is not None and played.result.winner is mover:
            wins.append(str(turn))
        position.undo()
    return wins


async def understood(pins):
    """The player answers as if nothing had been."""
    await pins.send(b"-T\n")
    assert await pins.line(0.01) == b"LL"


async def until_thinking(pins):
    """Wait until the player has begun to think about the line just sent."""
    for _ in range(200):
        if pins.dut.thinking.value == 1:
            return
        await pins.wait_bits(0.25)
    raise AssertionError("the player does not think")


@cocotb.test()
async def plays_games_as_white(dut):
    opponent = Opponent(await power_on(dut), Colour.RED)
    for _ in range(GAMES):
        await opponent.game()


@cocotb.test()
async def plays_games_as_red(dut):
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    for _ in range(GAMES):
        await opponent.game()


@cocotb.test()
async def plays_one_game_after_the_other(dut):
    pins = await power_on(dut)
    for colour in (Colour.WHITE, Colour.RED, Colour.RED):
        await Opponent(pins, colour).game(turns=6)


@cocotb.test()
async def tells_its_code(dut):
    pins = await power_on(dut)
    for end in LINE_ENDS:
        await pins.send(b"-T" + end)
        assert await pins.line(0.01) == b"LL"
    await pins.silence(QUIET)


@cocotb.test()
async def a_new_game_as_white_in_mid_search(dut):
    opponent = Opponent(await power_on(dut), Colour.RED)
    await opponent.opening(7)
    for _ in range(3):
        await opponent.turn()
        await until_thinking(opponent.pins)
        await opponent.start()
        await opponent.turn()
        await opponent.hear()


@cocotb.test()
async def a_new_game_as_red_in_mid_search(dut):
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    await opponent.opening(6)
    for _ in range(3):
        await opponent.turn()
        await until_thinking(opponent.pins)
        await opponent.start()
        await opponent.pins.silence(LIMIT)
        assert opponent.pins.dut.thinking.value == 0
        await opponent.turn()
        await opponent.hear()


@cocotb.test()
async def the_code_in_mid_search_drops_the_game(dut):
    opponent = Opponent(await power_on(dut), Colour.RED)
    await opponent.opening(7)
    await opponent.turn()
    await until_thinking(opponent.pins)
    await opponent.tell("-T")
    assert await opponent.pins.line(0.01) == b"LL"
    await opponent.pins.silence(LIMIT)
    assert dut.thinking.value == 0
    await opponent.opening(3)


@cocotb.test()
async def an_illegal_turn_leaves_the_game_as_it_was(dut):
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    await opponent.opening(6)
    illegal = []
    for label in ("@0", "A0", "A1", "B1", "B2", "Z9", "AA40"):
        for shape in "+/\\":
            try:
                opponent.position.play(label + shape)
                opponent.position.undo()
            except IllegalTurnError:
                illegal.append(label + shape)
    assert len(illegal) > 5
    before = int(dut.errors.value)
    for count, turn in enumerate(illegal, 1):
        await opponent.tell(turn)
        await opponent.pins.silence(QUIET)
        assert dut.error.value == 1
        assert dut.errors.value == before + count
    await opponent.turn()
    await opponent.hear()


@cocotb.test()
async def empty_lines_and_line_ends_are_nothing(dut):
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    await opponent.opening(4)
    await opponent.pins.send(b"\n\r\r\n\n\n\r")
    await opponent.pins.silence(QUIET)
    assert dut.errors.value == 0
    await opponent.turn()
    await opponent.pins.send(b"\n\r\n")
    await opponent.hear()


@cocotb.test()
async def noise_is_ignored_and_counted(dut):
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    await opponent.opening(4)
    noise = random.randbytes(NOISE) + b"\n"
    lines = [line for line in re.split(rb"[\r\n]", noise) if line]
    assert not any(UNDERSTOOD.fullmatch(line) for line in lines)
    await opponent.pins.send(noise)
    await opponent.pins.silence(QUIET)
    assert dut.errors.value == min(len(lines), 255)
    assert dut.error.value == 1
    await opponent.turn()
    await opponent.hear()
    await understood(opponent.pins)
