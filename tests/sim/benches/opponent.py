"""The other end of the line in cocotb benches: a random mover that checks what the player does.

The runner sets how long an answer may take.
"""

import os
import random

from cocotb.utils import get_sim_time

from loopline.boards.pins import LEDS
from loopline.game import STANDARD, Colour, Position

LIMIT = float(os.environ["LOOPLINE_BENCH_SECONDS"])
"""For an answer."""

QUIET = 1_000 / int(os.environ["LOOPLINE_BENCH_CLOCK"])
"""Longer than anything but a search takes."""

LINE_ENDS = (b"\n", b"\r", b"\r\n")


class Opponent:
    """A random mover on the other end of the line, who checks each turn of the player's.

    The player must make legal turns, in time, win when it can, and be silent after the end.
    """

    def __init__(self, pins, colour, variant=STANDARD):
        self.pins = pins
        self.colour = colour
        self.variant = variant
        self.position = Position(variant)

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
        self.position = Position(self.variant)
        await self.tell("-B" if self.colour is Colour.WHITE else "-W")
        if self.colour is Colour.RED:
            assert await self.hear() in ("@0/", "@0+")

    async def turn(self, *, quiet=False):
        """Make a random turn that does not end the game, if there is one.

        With ``quiet`` it leaves the player no turn that wins at once, so that the player has to
        think.
        """
        turns = self.position.legal_turns()
        wins = winning_turns(self.position)
        choice = [turn for turn in turns if str(turn) not in wins]
        if quiet:
            choice = [turn for turn in choice if not winning_replies(self.position, turn)]
        turn = random.choice(choice or turns)
        self.position.play(turn)
        await self.tell(str(turn))

    async def opening(self, turns):
        """Play this many turns of a game that does not end before."""
        for _ in range(20):
            await self.game(turns)
            if self.position.ending is None:
                return
        raise AssertionError(f"no game lasts {turns} turns")

    async def game(self, turns):
        """Play to the end, but not more than so many turns."""
        await self.start()
        await self.go_on(turns)

    async def go_on(self, turns):
        """From here, with a turn of the opponent's, as :meth:`game`."""
        while self.position.ending is None and self.position.turns < turns:
            assert self.position.to_move is self.colour
            await self.turn()
            if self.position.ending is None:
                await self.hear()
        await self.pins.silence(QUIET)
        assert shown(self.pins.dut, "over") == (self.position.ending is not None)
        assert shown(self.pins.dut, "thinking") == 0
        assert shown(self.pins.dut, "error") == 0


def shown(dut, name):
    """What a status output shows; on a board's top it is an LED, and of the errors four."""
    if hasattr(dut, name):
        return int(getattr(dut, name).value)
    if name == "errors":
        return sum(shown(dut, f"errors {bit}") << bit for bit in range(4))
    return int(getattr(dut, f"led_{LEDS.index(name)}__io").value)


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


async def until_thinking(pins):
    """Wait until the player has begun to think about the line just sent."""
    for _ in range(200):
        if shown(pins.dut, "thinking"):
            return
        await pins.wait_bits(0.25)
    raise AssertionError("the player does not think")


def winning_replies(position, turn):
    """The replies to a turn that win at once, as text."""
    position.play(turn)
    replies = winning_turns(position)
    position.undo()
    return replies
