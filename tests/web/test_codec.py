"""The page's codec: made from the definition, and the same as Python's on the same vectors."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from loopline.game import Turn
from loopline.game.tiles import Shape
from loopline.game.wire import (
    ANSWERS,
    COMMANDS,
    MAX_PAYLOAD,
    Damage,
    Field,
    Frame,
    FrameReader,
    Message,
    PayloadError,
    Value,
    crc,
    pack_frame,
)
from loopline.web.wire_module import FILE, wire_module
from tests.web.node import PAGE, needs_node, node

TABLES: dict[str, dict[int, Message]] = {
    "COMMANDS": {int(code): message for code, message in COMMANDS.items()},
    "ANSWERS": dict(ANSWERS),
}


def test_the_module_is_what_the_definition_makes() -> None:
    assert FILE.read_text(encoding="utf-8") == wire_module(), "python -m loopline.web.wire_module"


def in_javascript(value: object) -> object:
    """A value as the page has it."""
    if isinstance(value, Turn):
        return {"column": value.column, "row": value.row, "shape": value.shape.code}
    if isinstance(value, list):
        return [in_javascript(each) for each in value]
    if isinstance(value, dict):
        return {name: in_javascript(each) for name, each in value.items()}
    return value


def attempt(action: Callable[[], object]) -> object:
    """What an action returns, bytes in hex; or the kind of its error."""
    try:
        found = action()
        return found.hex() if isinstance(found, bytes) else found
    except PayloadError:
        return "payload error"
    except ValueError:
        return "range error"


def a_value(field: Field, rng: random.Random) -> Value:
    if field.kind == "turn":
        turn = Turn(rng.randrange(64), rng.randrange(64), rng.choice(list(Shape)))
        return rng.choice([None, turn, turn, turn])
    if field.kind == "text":
        return "".join(rng.choice("AZaz09 ~") for _ in range(rng.randint(0, field.width))).rstrip()
    bits = 8 * field.width
    least, most = (
        (-1 << bits - 1, (1 << bits - 1) - 1) if field.kind == "signed" else (0, 1 << bits)
    )
    # Out of bounds, too: at the upper end of numbers without a sign, and one below.
    return rng.choice([least, most - 1, most, rng.randint(least, most), least - 1])


def frames(rng: random.Random) -> Iterator[tuple[dict[str, Any], object]]:
    for _ in range(300):
        sequence, code = rng.randrange(-1, 129), rng.randrange(256)
        size = rng.choice([0, 1, 5, MAX_PAYLOAD, MAX_PAYLOAD + 1])
        payload = bytes(rng.choice([0xC0, 0xDB, 0xDC, rng.randrange(256)]) for _ in range(size))
        vector = {"sequence": sequence, "code": code, "payload": payload.hex()}
        packed = attempt(partial(pack_frame, sequence, code, payload))
        yield {"action": "packFrame", **vector}, packed
        yield {"action": "crc", "data": payload.hex()}, crc(payload)


def streams(rng: random.Random) -> Iterator[tuple[dict[str, Any], object]]:
    """Frames with damage and noise, in pieces."""
    for _ in range(300):
        data = bytearray()
        for _ in range(rng.randint(1, 4)):
            size = rng.choice([0, 3, MAX_PAYLOAD])
            data += pack_frame(rng.randrange(128), rng.randrange(256), rng.randbytes(size))
            data += rng.choice([b"", b"noise\n", b"\xc0", rng.randbytes(rng.choice([2, 400]))])
        for _ in range(rng.randint(0, 2)):
            data[rng.randrange(len(data))] = rng.choice([0xC0, 0xDB, rng.randrange(256)])
        cut = rng.randrange(len(data))
        reader = FrameReader()
        chunks = [bytes(data[:cut]), bytes(data[cut:])]
        events = [event for chunk in chunks for event in reader.feed(chunk)]
        found = [
            [event.sequence, event.code, event.payload.hex()]
            if isinstance(event, Frame)
            else int(event.error.code)
            for event in events
            if isinstance(event, Frame | Damage)
        ]
        yield {"action": "read", "chunks": [chunk.hex() for chunk in chunks]}, found


def payloads(rng: random.Random) -> Iterator[tuple[dict[str, Any], object]]:
    for table, messages in TABLES.items():
        for code, message in messages.items():
            for _ in range(30):
                values: dict[str, Any] = {f.name: a_value(f, rng) for f in message.fields}
                if rest := message.repeated:
                    count = rng.choice([message.least, message.most, message.most + 1])
                    values[rest.name] = [a_value(rest, rng) for _ in range(count)]
                packed = attempt(partial(message.pack, **values))
                where = {"table": table, "code": code}
                yield {"action": "pack", **where, "values": in_javascript(values)}, packed
                length = rng.choice([message.width, rng.randrange(MAX_PAYLOAD)])
                text = packed if isinstance(packed, str) and " " not in packed else ""
                data = rng.choice([bytes.fromhex(text), rng.randbytes(length)])
                unpacked = attempt(partial(message.unpack, data))
                yield {"action": "unpack", **where, "payload": data.hex()}, in_javascript(unpacked)


@needs_node
def test_both_codecs_do_the_same() -> None:
    rng = random.Random(0)
    cases = [*frames(rng), *streams(rng), *payloads(rng)]
    program = [str(node), str(Path(__file__).with_name("codec.mjs")), str(PAGE)]
    text = json.dumps([vector for vector, _ in cases])
    done = subprocess.run(program, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for (vector, wanted), found in zip(cases, json.loads(done.stdout), strict=True):
        assert found == wanted, vector
    kinds = {str(wanted) for _, wanted in cases}
    assert {"payload error", "range error"} <= kinds
