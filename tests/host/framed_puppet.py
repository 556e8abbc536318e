"""Far ends of ports that speak frames: any identity, and searches that no board of ours makes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from loopline.game import parse_turn
from loopline.game.wire import (
    ANSWERS,
    COMMANDS,
    Command,
    Completed,
    Feature,
    Frame,
    FrameReader,
    GameFlag,
    TurnStatus,
    Verdict,
    answer_code,
    item_code,
    pack_frame,
)
from tests.host.puppet import Puppet, far_end

IDENTITY: dict[str, object] = {
    "magic": "TRAX",
    "protocol": 1,
    "name": "Puppet",
    "build": 0xC0FFEE,
    "grid": 64,
    "lanes": 1,
    "clock": 12_000_000,
    "bit_cycles": 104,
    "baud": 115_200,
    "area": 0,
    "rules": 1,
    "code": "PU",
    "depth": 2,
    "features": 1,
    "history": 255,
}


@contextmanager
def framed_puppet(**changes: object) -> Iterator[Puppet]:
    """A port whose far end answers every frame with its identity, and nothing else."""
    code = answer_code(Command.IDENTIFY)
    payload = ANSWERS[code].pack(**{**IDENTITY, **changes})  # type: ignore[arg-type]
    reader = FrameReader()

    def hear(held: Puppet, data: bytes) -> None:
        for event in reader.feed(data):
            if isinstance(event, Frame):
                held.say(pack_frame(event.sequence, code, payload))

    with far_end(hear) as held:
        yield held


@contextmanager
def searching_puppet(best: str, *, ends: bool = True) -> Iterator[Puppet]:
    """A port whose far end takes all turns for legal, and finds this one wherever it searches.

    Without ``ends`` it reports at the beginning of a search and at each ``STOP``, and goes on.
    """
    reader = FrameReader()
    searching: int | None = None

    def hear(held: Puppet, data: bytes) -> None:
        nonlocal searching

        def say(sequence: int, code: int, /, **fields: Any) -> None:
            held.say(pack_frame(sequence, code, ANSWERS[code].pack(**fields)))

        for event in reader.feed(data):
            assert isinstance(event, Frame)
            command = Command(event.code)
            answer = answer_code(command)
            found = False
            match command:
                case Command.IDENTIFY:
                    say(event.sequence, answer, **{**IDENTITY, "features": Feature.SEARCH})
                case Command.NEW_GAME:
                    made = COMMANDS[command].unpack(event.payload)["turns"]
                    assert isinstance(made, list)
                    turns = len(made)
                    say(
                        *(event.sequence, answer),
                        made=turns,
                        status=TurnStatus.LEGAL,
                        tiles=turns,
                        completed=Completed(0),
                        state=GameFlag.ON,
                        turns=turns,
                    )
                case Command.SEARCH:
                    searching, found = event.sequence, True
                case Command.STOP:
                    found = searching is not None
                    say(event.sequence, answer, searching=found)
            if found:
                assert searching is not None
                say(
                    *(
                        searching,
                        answer_code(Command.SEARCH) if ends else item_code(Command.SEARCH),
                    ),
                    verdict=Verdict.SAFE,
                    score=1,
                    depth=1,
                    nodes=10,
                    cycles=10,
                    variation=[parse_turn(best)],
                )
                if ends:
                    searching = None

    with far_end(hear) as held:
        yield held
