"""The other end of the line in cocotb benches: a random mover that checks what the player does.

Setting ``seconds``: how long an answer may take.
"""

from __future__ import annotations

import random

from cocotb.utils import get_sim_time

from loopline.game import STANDARD, Colour, Position
from loopline.sim.benches.settings import CLOCK_HZ, count, setting

__all__ = ["LIMIT", "LINE_ENDS", "QUIET", "Opponent", "until_thinking", "winning_turns"]

LIMIT = float(setting("seconds", "1"))
"""Seconds for an answer."""

QUIET = 1_000 / CLOCK_HZ
"""Seconds that are longer than anything but a search takes."""

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
        count(turns=1)
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
        wins = winning_turns(self.position)
        turns = self.position.legal_turns()
        choice = [turn for turn in turns if str(turn) not in wins]
        turn = random.choice((quiet and quiet_turns(self.position)) or choice or turns)
        self.position.play(turn)
        count(turns=1)
        await self.tell(str(turn))

    async def opening(self, turns):
        """Play this many turns of a game that does not end before, and has a quiet turn then."""
        for _ in range(20):
            await self.game(turns)
            if self.position.ending is None and quiet_turns(self.position):
                return
        raise AssertionError(f"no game has a quiet turn after {turns} turns")

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
        assert int(self.pins.dut.over.value) == (self.position.ending is not None)
        assert int(self.pins.dut.thinking.value) == 0
        assert int(self.pins.dut.error.value) == 0
        count(games=1)


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
        if int(pins.dut.thinking.value):
            return
        await pins.wait_bits(0.25)
    raise AssertionError("the player does not think")


def quiet_turns(position):
    """The turns that do not end the game, and after which no reply wins at once."""
    quiet = []
    for turn in position.legal_turns():
        position.play(turn)
        if position.ending is None and not winning_turns(position):
            quiet.append(turn)
        position.undo()
    return quiet
