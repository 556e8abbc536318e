"""cocotb tests of set-ups through the pins: ``-S``, turns without an answer, ``-G``.

Settings: the ``variant`` that the player plays, the ``limit`` of its grid, and ``files`` and
``most`` turns of the chosen positions.
"""

import cocotb

from loopline.game import Colour, IllegalTurnError, Position, parse_turn, variant_named
from loopline.sim.benches.opponent import LIMIT, QUIET, Opponent, until_thinking, winning_turns
from loopline.sim.benches.pins import power_on
from loopline.sim.benches.settings import setting
from tests.game.positions import chosen_positions

VARIANT = variant_named(setting("variant", "standard"))
GRID_LIMIT = int(setting("limit", "30"))
MOST = int(setting("most", "0"))
SHOWN_ERRORS = int(setting("shown_errors", "255"))
"""The bits of the error counter that can be seen: on a board there are four LEDs for it."""

CHOSEN = [
    chosen
    for chosen in chosen_positions(*setting("files", "both").split())
    if chosen.variant == VARIANT.name and len(chosen.turns) <= MOST
]


def fits(position):
    """Whether the player's grid can hold the formation."""
    return max(position.width, position.height) <= GRID_LIMIT


def play(position, turn):
    """Make a turn as the player would; whether it does."""
    try:
        position.play(turn)
    except IllegalTurnError:
        return False
    if not fits(position):
        position.undo()
        return False
    return True


def errors_of(count):
    """What the counter shows after so many errors."""
    return min(count, 255) & SHOWN_ERRORS


async def set_up(pins, turns):
    """Send ``-S`` and the turns without a pause between them; the position and the errors."""
    position, errors = Position(VARIANT), 0
    await pins.send("".join(f"{line}\n" for line in ("-S", *turns)).encode())
    assert await pins.line(0.01) == b"LL"
    await pins.silence(QUIET)
    for turn in turns:
        errors += not play(position, turn)
    return position, errors


async def check(pins, position, new, errors):
    """The status outputs after a set-up with ``new`` errors and so many since power-on."""
    dut = pins.dut
    assert int(dut.errors.value) == errors_of(errors)
    assert int(dut.error.value) == (new > 0)
    assert int(dut.over.value) == (position.ending is not None)
    assert int(dut.thinking.value) == 0
    assert int(dut.idle.value) == 1


async def answers(pins, position):
    """The player's turn is legal, fits and wins if that can be; it is made."""
    wins = [turn for turn in winning_turns(position) if fits_after(position, turn)]
    text = (await pins.line(LIMIT)).decode()
    assert play(position, parse_turn(text)), f"{text} is not legal in {position}"
    assert not wins or text in wins, f"{text} does not win, {wins} would"
    await pins.silence(QUIET)
    assert int(pins.dut.over.value) == (position.ending is not None)
    assert int(pins.dut.thinking.value) == 0


def fits_after(position, turn):
    """Whether the formation still fits into the grid after a legal turn."""
    position.play(turn)
    result = fits(position)
    position.undo()
    return result


async def follow(pins, chosen, errors):
    """Set a chosen position up and go on from it, and from the one before its last turn, where that
    is there to be made. Takes and returns the errors so far."""
    position, new = await set_up(pins, chosen.turns)
    assert (new == 0) == (not chosen.illegal and max(chosen.width, chosen.height) <= GRID_LIMIT)
    await check(pins, position, new, errors + new)
    errors += new
    await pins.send(b"-G\n")
    if position.ending:
        errors += 1
        await pins.silence(QUIET)
        assert int(pins.dut.errors.value) == errors_of(errors)
    else:
        await answers(pins, position)
    position, new = await set_up(pins, chosen.turns[:-1])
    await pins.send(b"-G\n")
    await answers(pins, position)
    return errors + new


@cocotb.test()
async def sets_up_every_position_and_goes_on(dut):
    assert CHOSEN
    pins, errors = await power_on(dut), 0
    for chosen in CHOSEN:
        errors = await follow(pins, chosen, errors)


@cocotb.test()
async def goes_on_as_in_any_game(dut):
    pins = await power_on(dut)
    for turns in (["@0/"], ["@0+", "A0+"], []):
        position, _ = await set_up(pins, turns)
        opponent = Opponent(pins, position.to_move.other, VARIANT)
        opponent.position = position
        await pins.send(b"-G\n")
        await opponent.hear()
        if not position.ending:
            await opponent.go_on(turns=7)


@cocotb.test()
async def a_set_up_in_mid_search_drops_the_game(dut):
    opponent = Opponent(await power_on(dut), Colour.RED, VARIANT)
    for _ in range(2):
        await opponent.opening(3)
        await opponent.turn(quiet=True)
        await until_thinking(opponent.pins)
        position, _ = await set_up(opponent.pins, ["@0/", "@1/"])
        await opponent.pins.silence(LIMIT)
        await check(opponent.pins, position, 0, 0)
        await opponent.pins.send(b"-G\n")
        await until_thinking(opponent.pins)
        # And a search that -G has asked for is dropped in the same way.
        await opponent.pins.send(b"-T\n")
        assert await opponent.pins.line(0.01) == b"LL"
        await opponent.pins.silence(LIMIT)
        assert int(dut.thinking.value) == 0


@cocotb.test()
async def takes_the_opponents_side(dut):
    pins = await power_on(dut)
    opponent = Opponent(pins, Colour.WHITE, VARIANT)
    await opponent.start()
    while opponent.position.turns < 5 and not opponent.position.ending:
        await pins.send(b"-G\n")
        await opponent.hear()
    await pins.silence(QUIET)
    assert int(dut.errors.value) == 0


@cocotb.test()
async def go_is_noise_where_there_is_no_side_to_take(dut):
    pins = await power_on(dut)

    async def noise(expected):
        await pins.send(b"-G\n")
        await pins.silence(QUIET)
        assert int(dut.errors.value) == expected
        assert int(dut.error.value) == 1

    await noise(1)
    await pins.send(b"-T\n")
    assert await pins.line(0.01) == b"LL"
    await noise(2)
    # While the player thinks; the answer comes all the same.
    position, _ = await set_up(pins, ["@0/"])
    await pins.send(b"-G\n-G\n")
    position.play((await pins.line(LIMIT)).decode())
    assert int(dut.errors.value) == 3
    # After the end.
    await set_up(pins, ["@0/", "A0\\", "B1+", "@1/"])
    assert int(dut.over.value) == 1
    await noise(4)
