"""cocotb tests of the assembled player through its pins, against the reference model.

Settings: ``games`` of each colour, ``turns`` of a game at most, and how many random bytes are
``noise``; a slow simulator gets less of each. ``seconds`` as for the opponent.
"""

import random
import re

import cocotb

from loopline.game import Colour, IllegalTurnError
from loopline.game.wire import END, FRAME_PAUSE_MS, Command, pack_frame
from loopline.sim.benches.opponent import LIMIT, LINE_ENDS, QUIET, Opponent, until_thinking
from loopline.sim.benches.pins import power_on
from loopline.sim.benches.settings import setting

GAMES = int(setting("games", "1"))
TURNS = int(setting("turns", "10"))
NOISE = int(setting("noise", "200"))
UNDERSTOOD = re.compile(rb"-[TWBSG]|(@|[A-Z]{1,2})(0|[1-9][0-9]{0,2})[/\\+]")


async def understood(pins):
    """The player answers as if nothing had been."""
    await pins.send(b"-T\n")
    assert await pins.line(0.01) == b"LL"


@cocotb.test()
async def plays_games_as_white(dut):
    opponent = Opponent(await power_on(dut), Colour.RED)
    for _ in range(GAMES):
        await opponent.game(TURNS)


@cocotb.test()
async def plays_games_as_red(dut):
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    for _ in range(GAMES):
        await opponent.game(TURNS)


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
        await opponent.turn(quiet=True)
        await until_thinking(opponent.pins)
        await opponent.start()
        await opponent.turn(quiet=True)
        await opponent.hear()


@cocotb.test()
async def a_new_game_as_red_in_mid_search(dut):
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    await opponent.opening(6)
    for _ in range(3):
        await opponent.turn(quiet=True)
        await until_thinking(opponent.pins)
        await opponent.start()
        await opponent.pins.silence(LIMIT)
        assert opponent.pins.dut.thinking.value == 0
        await opponent.turn(quiet=True)
        await opponent.hear()


@cocotb.test()
async def the_code_in_mid_search_drops_the_game(dut):
    opponent = Opponent(await power_on(dut), Colour.RED)
    await opponent.opening(7)
    await opponent.turn(quiet=True)
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
    await opponent.turn(quiet=True)
    await opponent.hear()


@cocotb.test()
async def empty_lines_and_line_ends_are_nothing(dut):
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    await opponent.opening(4)
    await opponent.pins.send(b"\n\r\r\n\n\n\r")
    await opponent.pins.silence(QUIET)
    assert dut.errors.value == 0
    await opponent.turn(quiet=True)
    await opponent.pins.send(b"\n\r\n")
    await opponent.hear()


@cocotb.test()
async def noise_is_ignored_and_counted(dut):
    """All bytes but the one that begins a frame."""
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    await opponent.opening(4)
    noise = random.randbytes(NOISE).replace(bytes([END]), b"") + b"\n"
    lines = [line for line in re.split(rb"[\r\n]", noise) if line]
    assert not any(UNDERSTOOD.fullmatch(line) for line in lines)
    await opponent.pins.send(noise)
    await opponent.pins.silence(QUIET)
    assert dut.errors.value == min(len(lines), 255)
    assert dut.error.value == 1
    await opponent.turn(quiet=True)
    await opponent.hear()
    await understood(opponent.pins)


@cocotb.test()
async def noise_that_looks_like_frames_is_silence_too(dut):
    """To a referee, whom nothing but turns is of use; a frame that is broken off does not last."""
    opponent = Opponent(await power_on(dut), Colour.WHITE)
    await opponent.opening(4)
    await opponent.pins.send(random.randbytes(NOISE) + b"\n")
    await opponent.turn(quiet=True)
    await opponent.hear()
    cut_off = pack_frame(5, Command.PLAY, bytes(100))[:50]
    await opponent.pins.send(cut_off)
    await opponent.pins.silence(1.1 * FRAME_PAUSE_MS / 1000)
    await opponent.turn(quiet=True)
    await opponent.hear()
    await understood(opponent.pins)
