"""The framed link's definition: its own consistency, its document, and what it packs."""

from __future__ import annotations

import doctest
import random

import pytest

import loopline.game.wire as wire
from loopline.game import DELUXE, LOOP, STANDARD, Shape, Turn, Variant, limited
from loopline.game.wire import (
    ANSWERS,
    COMMANDS,
    CONTEXTS,
    Command,
    ErrorCode,
    FrameError,
    Message,
    PayloadError,
    RuleFlag,
    answer_code,
    area_and_flags,
    escape,
    item_code,
    pack_frame,
    unescape,
    unpack_frame,
)
from loopline.game.wire.tables import tables
from tests.game.test_docs import DOCS

MESSAGES = [*COMMANDS.values(), *ANSWERS.values()]


def test_the_document_has_the_tables_of_the_definition() -> None:
    text = (DOCS / "link.md").read_text(encoding="utf-8")
    begin, end = "<!-- python -m loopline.game.wire.tables -->\n", "<!-- end of the tables -->\n"
    assert text.split(begin)[1].split(end)[0] == tables()


def test_the_example_in_the_docstring() -> None:
    outcome = doctest.testmod(wire)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_all_public_names_exist() -> None:
    assert len(wire.__all__) == len(set(wire.__all__))
    assert all(hasattr(wire, name) for name in wire.__all__)


def test_every_command_has_a_form_a_context_and_an_answer() -> None:
    assert set(COMMANDS) == set(CONTEXTS) == set(Command)
    assert all(0 < command < 0x40 for command in Command)
    codes = {answer_code(command) for command in Command} | {answer_code(0)}
    assert codes <= set(ANSWERS)
    items = {item_code(command) for command in Command} | {wire.POSITION_SPACE}
    assert set(ANSWERS) - codes <= items


def test_names_within_a_message_differ() -> None:
    for message in MESSAGES:
        names = [field.name for field in message.fields]
        names += [message.repeated.name] if message.repeated else []
        assert len(names) == len(set(names))
        assert list(message.offsets()) == names


def test_the_crc_is_the_one_of_the_catalogue() -> None:
    assert wire.crc(b"123456789") == 0x29B1
    frame = b"anything at all"
    assert wire.crc(frame + wire.crc(frame).to_bytes(2, "big")) == 0


@pytest.mark.parametrize("seed", range(20))
def test_what_is_packed_is_unpacked(seed: int) -> None:
    choice = random.Random(seed)
    payload = bytes(
        choice.choice(b"\x00\xc0\xdb\xdc\xdd\xff") for _ in range(choice.randrange(129))
    )
    sequence, code = choice.randrange(128), choice.randrange(256)
    line = pack_frame(sequence, code, payload)
    assert line[0] == line[-1] == wire.END
    assert wire.END not in line[1:-1]
    assert line[1] & 0x80
    assert unpack_frame(line[1:-1]) == (sequence, code, payload)
    assert unescape(escape(payload)) == payload


def test_every_single_damage_is_found() -> None:
    inner = pack_frame(7, Command.TAKE_BACK, b"\x01")[1:-1]
    for place in range(len(inner)):
        for bit in range(8):
            damaged = bytearray(inner)
            damaged[place] ^= 1 << bit
            with pytest.raises(FrameError):
                unpack_frame(bytes(damaged))
        with pytest.raises(FrameError):
            unpack_frame(inner[:place])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x80\xdb\x00", ErrorCode.FRAMING),
        (b"\x80\xdb", ErrorCode.FRAMING),
        (b"\x80\xc0", ErrorCode.FRAMING),
        (bytes(wire.MAX_FRAME + 1), ErrorCode.TOO_LONG),
        (bytes(4), ErrorCode.DAMAGED),
        (bytes([0x80, 1, 1]) + wire.crc(bytes([0x80, 1, 1])).to_bytes(2, "big"), ErrorCode.DAMAGED),
        (bytes([0x00, 1, 0]) + wire.crc(bytes([0x00, 1, 0])).to_bytes(2, "big"), ErrorCode.DAMAGED),
    ],
)
def test_what_is_no_frame(data: bytes, code: ErrorCode) -> None:
    with pytest.raises(FrameError) as caught:
        unpack_frame(data)
    assert caught.value.code is code
    assert str(caught.value)


@pytest.mark.parametrize(
    ("sequence", "code", "size"), [(128, 1, 0), (-1, 1, 0), (0, 256, 0), (0, 1, 129)]
)
def test_what_no_frame_can_carry(sequence: int, code: int, size: int) -> None:
    with pytest.raises(ValueError, match="not "):
        pack_frame(sequence, code, bytes(size))


def sample(message: Message, choice: random.Random) -> dict[str, object]:
    """Values that the message can carry."""

    def value(width: int, kind: str) -> object:
        if kind == "text":
            return "".join(choice.choices("LOOP", k=choice.randrange(width + 1)))
        if kind == "turn":
            return Turn(choice.randrange(64), choice.randrange(64), choice.choice([*Shape]))
        sign = 1 << (8 * width - 1) if kind == "signed" else 0
        return choice.randrange(1 << 8 * width) - sign

    values = {field.name: value(field.width, field.kind) for field in message.fields}
    if message.repeated:
        count = choice.randint(message.least, message.most)
        field = message.repeated
        values[field.name] = [value(field.width, field.kind) for _ in range(count)]
    return values


@pytest.mark.parametrize(
    "message", MESSAGES, ids=lambda message: f"{message.name}-{message.text[:9]}"
)
def test_every_payload_there_and_back(message: Message) -> None:
    choice = random.Random(1)
    for _ in range(20):
        values = sample(message, choice)
        payload = message.pack(**values)  # type: ignore[arg-type]
        assert len(payload) <= wire.MAX_PAYLOAD
        assert message.accepts(len(payload))
        assert message.unpack(payload) == values
        assert not message.accepts(len(payload) + 1) or message.repeated
        if not message.accepts(len(payload) + 1):
            with pytest.raises(PayloadError):
                message.unpack(payload + b"\0")


@pytest.mark.parametrize(
    ("command", "values"),
    [
        (Command.TAKE_BACK, {}),
        (Command.TAKE_BACK, {"count": 256}),
        (Command.TAKE_BACK, {"count": "x"}),
        (Command.TAKE_BACK, {"count": [1]}),
        (Command.TAKE_BACK, {"count": 1, "more": 1}),
        (Command.PLAY, {"turns": []}),
        (Command.PLAY, {"turns": [Turn(0, 64, Shape.CROSS)]}),
        (Command.PLAY, {"turns": [Turn(64, 0, Shape.CROSS)]}),
        (Command.PLAY, {"turns": [3]}),
        (Command.PLAY, {"turns": 3}),
        (Command.PLAY, {"turns": [Turn(0, 0, Shape.CROSS)] * 65}),
    ],
)
def test_what_no_payload_can_carry(command: Command, values: dict[str, object]) -> None:
    with pytest.raises(PayloadError):
        COMMANDS[command].pack(**values)  # type: ignore[arg-type]


def test_a_turn_has_two_bytes() -> None:
    turn = Turn(2, 3, Shape.BACKSLASH)
    assert COMMANDS[Command.PLAY].pack(turns=[turn, None]) == bytes([0x82, 3, 0xFF, 0xFF])
    for wrong in (b"\xc0\x00", b"\x00\x40"):
        with pytest.raises(PayloadError):
            COMMANDS[Command.PLAY].unpack(wrong)


def test_rules_of_variants() -> None:
    assert area_and_flags(STANDARD) == (0, RuleFlag.LINES)
    assert area_and_flags(DELUXE) == (8, RuleFlag.LINES | RuleFlag.BOTH_DRAW)
    assert area_and_flags(LOOP) == (0, RuleFlag(0))
    assert area_and_flags(limited(999)) == (255, RuleFlag.LINES)
    with pytest.raises(ValueError, match="lines of 9"):
        area_and_flags(Variant("long", line_length=9))
