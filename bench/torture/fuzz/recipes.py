"""Recipes for a fuzzer's events: what hosts send, what cables damage, and pure noise.

Each recipe takes the source of chance and gives some events; :func:`mutate` changes a burst.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from loopline.bench.torture.fuzz.events import Burst, Event, length_of, octets_of
from loopline.game import LIMITED, LOOP, MINI, STANDARD, Position, Turn
from loopline.game.wire import COMMANDS, LEAST_BIT_CYCLES, Command, area_and_flags

__all__ = ["BIT", "LONGEST", "MILLISECOND", "mutate", "random_burst"]

BIT = LEAST_BIT_CYCLES * 16
"""A bit of the board under test after power-on, in sixteenths of a cycle."""

MILLISECOND = 64
"""Of the board under test, in cycles."""

LONGEST = 3_000
"""The most characters of a burst."""

_LONGEST_SILENCE = 150 * MILLISECOND
_LINES = (b"-T\n", b"-W\n", b"-B\n", b"-S\n", b"-G\n", b"-B\n@0/\n", b"-S\r\n@0+\r\nB1+\r\n-G\r\n")
_MEANINGFUL = b"\xc0\xc0\xdb\xdc\xdd\x80\x81\xff\x00\x03\x04\x07\x0c-WBTSG@A0129+/\\\r\n"
_NO_PAYLOAD = (Command.IDENTIFY, Command.STATISTICS, Command.STOP, Command.POSITION)
_RATES = (BIT // 2, BIT * 15 // 16, BIT * 17 // 16, BIT * 5 // 4, 2 * BIT, 3 * BIT, 12 * BIT)

Chance = random.Random
Recipe = Callable[[Chance], Burst]


@cache
def _games() -> list[list[Turn]]:
    """Games of random turns that fit into the board under test, some of them to their end."""
    chance, games = random.Random(7), []
    for number in range(24):
        position = Position((STANDARD, LOOP, LIMITED, MINI)[number % 4])
        while position.turns < 4 + number * 2 and not position.ending:
            turns = position.legal_turns()
            if max(position.width, position.height) > 12 or not turns:
                break
            position.play(chance.choice(turns))
        games.append([step.turn for step in position.history])
    return games


def _some_turns(chance: Chance, most: int) -> list[Turn]:
    game = chance.choice(_games())[:most]
    if chance.random() < 0.3:
        game = game[: chance.randrange(len(game) + 1)]
    if chance.random() < 0.2 or not game:
        shape = _games()[0][0].shape
        game = [*game[: most - 1], Turn(chance.randrange(18), chance.randrange(18), shape)]
    return game


def _payload(chance: Chance, command: Command) -> bytes:
    """Return a payload of a command, sometimes one that is not valid."""
    message = COMMANDS[command]
    area, rules = area_and_flags(chance.choice((STANDARD, LOOP, LIMITED, MINI)))
    values: dict[str, object] = {}
    match command:
        case Command.NEW_GAME:
            values = {"area": area, "rules": int(rules), "turns": _some_turns(chance, 63)}
        case Command.PLAY:
            values = {"turns": _some_turns(chance, chance.choice((1, 1, 2, 64)))}
        case Command.TAKE_BACK:
            values = {"count": chance.choice((0, 1, 1, 2, 5, 255))}
        case Command.SEARCH:
            values = {
                "depth": chance.choice((0, 0, 1, 2, 255)),
                "nodes": chance.choice((0, 0, 1, 50, 400)),
                "cycles": chance.choice((0, 1, 900, 20_000)),
            }
        case Command.COUNT:
            values = {"depth": chance.choice((0, 1, 2, 4, 255))}
        case Command.SET_BAUD:
            # The slowest rate of this board has 53.
            values = {"bit_cycles": chance.choice((0, 7, 8, 8, 9, 11, 16, 21, 53, 54, 65535))}
    payload = message.pack(**values)
    kind = chance.random()
    if kind < 0.04:
        return chance.randbytes(chance.randrange(129))
    if kind < 0.08 and payload:
        place = chance.randrange(len(payload))
        return payload[:place] + chance.randbytes(1) + payload[place + 1 :]
    return payload


def _frame(chance: Chance, command: Command | None = None) -> Event:
    command = chance.choice(list(Command)) if command is None else command
    sequence = chance.randrange(128) if chance.random() < 0.7 else 5
    code = int(command) if chance.random() < 0.96 else chance.randrange(256)
    # If the host does not follow a change, the board returns to its rate.
    time = 0 if chance.random() < 0.9 else BIT
    return "frame", sequence, code, _payload(chance, command).hex(), time


def _whole(sequence: int, command: Command, **values: Any) -> Event:
    return "frame", sequence, int(command), COMMANDS[command].pack(**values).hex(), 0


def _sent(octets: bytes, time: int = 0) -> Event:
    return "bytes", octets.hex(), time


def _silence(chance: Chance) -> Event:
    return "level", 1, int(_LONGEST_SILENCE ** chance.random())


def _listen(chance: Chance) -> Event:
    return "listen", chance.choice((2_000, 20_000))


def frames(chance: Chance) -> Burst:
    """Make frames, with or without waiting for the answers."""
    patient, found = chance.random(), []
    for _ in range(chance.randrange(1, 7)):
        found.append(_frame(chance))
        if chance.random() < patient:
            found.append(_listen(chance))
    return found


def game(chance: Chance) -> Burst:
    """Make a game, turn by turn, of a host that waits, with other commands in between."""
    turns = chance.choice(_games())
    area, rules = area_and_flags(chance.choice((STANDARD, LOOP)))
    begin = _whole(1, Command.NEW_GAME, area=area, rules=int(rules), turns=turns[:-3])
    found: Burst = [begin, ("listen", 20_000)]
    for sequence, turn in enumerate(turns[-3:], 2):
        found += [_whole(sequence, Command.PLAY, turns=[turn]), ("listen", 9_000)]
        if chance.random() < 0.5:
            asked = chance.choice((Command.LIST, Command.POSITION, Command.SEARCH))
            found += [_frame(chance, asked), ("listen", 20_000)]
        if chance.random() < 0.2:
            found.append(found[-2])
    return found


def flood(chance: Chance) -> Burst:
    """Make bytes without a pause in both directions while a search runs."""
    turns = chance.choice(_games()[::2])[:20]
    found: Burst = [
        _whole(1, Command.NEW_GAME, area=0, rules=1, turns=turns),
        ("listen", 20_000),
        _whole(2, Command.SEARCH, depth=0, nodes=0, cycles=0),
    ]
    for _ in range(chance.randrange(4, 40)):
        if chance.random() < 0.15:
            found.append(_sent(chance.choice((b"-T\n", b"noise\n", b"A1+\n", b"\n"))))
        else:
            found.append(_frame(chance, chance.choice(_NO_PAYLOAD)))
    return found


def lines(chance: Chance) -> Burst:
    """Make the lines of a contest's host, with or without waiting for the answers."""
    found: Burst = []
    for _ in range(chance.randrange(1, 6)):
        if chance.random() < 0.6:
            text = chance.choice(_LINES)
        else:
            text = b"".join(
                str(turn).encode() + b"\n"
                for turn in _some_turns(chance, 4)
                if turn.column + turn.row < 40
            )
        found.append(_sent(text))
        if chance.random() < 0.5:
            found.append(("listen", 4_000))
    return found


def cut(chance: Chance) -> Burst:
    """Make a frame that stops in its middle, with or without a pause."""
    octets = octets_of(_frame(chance))
    found: Burst = [_sent(octets[: chance.randrange(1, len(octets))])]
    if chance.random() < 0.7:
        found.append(("level", 1, chance.choice((90, 99, 100, 101, 110)) * MILLISECOND))
    return [*found, *frames(chance)[:2]]


def interleaved(chance: Chance) -> Burst:
    """Make a line within a frame, a frame within a line, or a frame within a frame."""
    pieces = [octets_of(chance.choice((frames, lines))(chance)[0]) for _ in range(2)]
    outer, inner = pieces
    place = chance.randrange(len(outer) + 1)
    return [_sent(outer[:place]), _sent(inner), _sent(outer[place:])]


def damaged(chance: Chance) -> Burst:
    """Make a frame with a flipped bit, no stop bit, a wrong escape, or bytes inserted."""
    octets = bytearray(octets_of(_frame(chance)))
    place = chance.randrange(len(octets))
    match chance.randrange(4):
        case 0:
            octets[place] ^= 1 << chance.randrange(8)
        case 1:
            return [_sent(octets[:place]), ("bad", octets[place], 0), _sent(octets[place + 1 :])]
        case 2:
            octets[place:place] = b"\xdb"
        case _:
            octets[place:place] = chance.randbytes(chance.randrange(150))
    return [_sent(bytes(octets))]


def at_a_wrong_rate(chance: Chance) -> Burst:
    """Make frames or lines at another rate, far off or at the edge of the tolerance."""
    near = (BIT * 98 // 100, BIT * 102 // 100, BIT * 96 // 100, BIT * 104 // 100)
    time = chance.choice(_RATES + near)
    return [(*event[:-1], time) if event[0] in ("frame", "bytes") else event
            for event in chance.choice((frames, lines))(chance)]  # fmt: skip


def glitches(chance: Chance) -> Burst:
    """Make pulses shorter than a bit, within a frame and around it."""
    octets, found = octets_of(_frame(chance)), []
    for start in range(0, len(octets), 4):
        found.append(_sent(octets[start : start + 4]))
        if chance.random() < 0.4:
            found += [
                ("level", 0, chance.randrange(1, 8)),
                ("level", 1, chance.choice((1, 2, 5, 40, 100))),
            ]
    return found


def breaks(chance: Chance) -> Burst:
    """Make a line that is low for longer than a character."""
    return [("level", 0, chance.choice((75, 80, 90, 200, 3_000))), _silence(chance)]


def noise(chance: Chance) -> Burst:
    """Make characters, most often those with a meaning."""
    source = _MEANINGFUL if chance.random() < 0.7 else bytes(range(256))
    return [_sent(bytes(chance.choices(source, k=chance.randrange(1, 200))))]


def rate(chance: Chance) -> Burst:
    """Make a change of the rate that the host follows, or not."""
    return [
        _frame(chance, Command.SET_BAUD),
        ("listen", 4_000),
        *(_frame(chance, Command.IDENTIFY) for _ in range(chance.randrange(2))),
        ("level", 1, chance.choice((100, 1_000, 70_000))),
    ]


_RECIPES: dict[Recipe, int] = {
    frames: 6,
    game: 5,
    flood: 3,
    lines: 6,
    cut: 3,
    interleaved: 3,
    damaged: 4,
    at_a_wrong_rate: 2,
    glitches: 2,
    breaks: 1,
    noise: 3,
    rate: 1,
}
"""All recipes with their weights."""


def _made(chance: Chance) -> Burst:
    return chance.choices(list(_RECIPES), list(_RECIPES.values()))[0](chance)


def random_burst(chance: Chance) -> Burst:
    """Return a burst made by some recipes."""
    burst: Burst = []
    length = chance.randrange(LONGEST)
    while length_of(burst) <= length:
        burst += _made(chance)
    return _bounded(burst)


def mutate(chance: Chance, burst: Burst, other: Burst) -> Burst:
    """Return a burst with some events removed, added, reordered, exchanged or changed."""
    burst = list(burst)
    for _ in range(chance.choice((1, 1, 2, 4))):
        place = chance.randrange(len(burst)) if burst else 0
        match chance.randrange(8):
            case 0:
                del burst[place : place + chance.randrange(1, 4)]
            case 1:
                burst[place:place] = _made(chance)
            case 2:
                burst[place:place] = other[: chance.randrange(1, 12)]
            case 3:
                burst = burst[:place] + other[chance.randrange(len(other) + 1) :]
            case 4:
                burst[place:place] = [_silence(chance)]
            case 5:
                burst[place : place + 1] = burst[place : place + 1] * 2
            case 6:
                chance.shuffle(burst)
            case _:
                burst[place : place + 1] = [_changed(chance, event) for event in burst[place:][:1]]
    return _bounded(burst) or random_burst(chance)


def _changed(chance: Chance, event: Event) -> Event:
    match event[0]:
        case "frame" if chance.random() < 0.5:
            payload = bytearray.fromhex(event[3])
            if payload:
                payload[chance.randrange(len(payload))] = chance.choice((0, 1, 0x80, 0xC0, 0xFF))
            return ("frame", chance.choice((event[1], 5)), event[2], payload.hex(), event[4])
        case "frame" | "bytes":
            octets = bytearray(octets_of(event))
            if octets:
                octets[chance.randrange(len(octets))] = chance.choice(_MEANINGFUL)
            return _sent(bytes(octets), event[-1])
        case "level" | "listen":
            cycles = event[-1] * chance.choice((1, 2, 4)) // 2 + chance.randrange(3)
            return (*event[:-1], min(cycles, _LONGEST_SILENCE))
        case _:
            return "bad", chance.randrange(256), event[2]


def _bounded(burst: Burst) -> Burst:
    """Cut a burst to the most characters, and to less silence than a rate may go unconfirmed."""
    found: Burst = []
    octets, quiet = LONGEST, 1_000 * MILLISECOND
    for event in burst:
        more = length_of([event])
        # A "listen" ends early if the board sends anything, so it counts a quarter.
        silence = event[2] if event[0] == "level" else event[1] // 4 if event[0] == "listen" else 0
        if more <= octets and silence <= quiet:
            octets -= more
            quiet -= silence
            found.append(event)
    return found
