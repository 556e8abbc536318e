"""Games that test whether a device keeps the rules, for ``loopline selftest``.

The expected results are those of the reference model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from loopline.game import IllegalTurnError, Position, Turn, parse_turn, variant_named
from loopline.host.device.compare import Comparison, compare_game
from loopline.host.device.device import Device

__all__ = ["VECTORS", "TestVector", "check_vectors"]


class TestVector(NamedTuple):
    """A game: what it tests, its variant and its turns.

    The last turn may be illegal; the device has to refuse it then.
    """

    name: str
    variant: str
    turns: str


VECTORS: Final = (
    TestVector(
        "to the north, then west",
        "standard",
        "@0+ A0\\ @2+",
    ),
    TestVector(
        "each side in turn",
        "standard",
        "@0/ B1+ A2+ @2+ B0+",
    ),
    TestVector(
        "8 tiles on one turn",
        "standard",
        "@0+ A2\\ @1/ C2\\ @2+ A3\\ E1/ A4/ F1+ D3\\",
    ),
    TestVector(
        "13 tiles on one turn",
        "standard",
        "@0+ @1\\ @1\\ B2\\ D1\\ C3\\ @2+ A3/ F1+ B0\\ F1/ A5+ D0\\ @3/ E0+ "
        "C2+ A2\\ @5\\ @5\\ C7+ B8/ "
        "G0+ @6\\ B3+ K4/ I2/ I0\\ @7\\ J0\\ @5+ B11+ C4\\ A9\\ I2/ @10+ @9/ J11/ N8\\ F12\\ J2/",
    ),
    TestVector(
        "three red tracks, none from the east",
        "standard",
        "@0/ B1\\ C1/ C2\\ C3\\ B3\\ C4+ A4\\ @1+ E3\\ A4\\ A2/",
    ),
    TestVector(
        "three white tracks, none from the north",
        "standard",
        "@0/ B1\\ C1/ C2\\ C3\\ B3\\ C4+ A4\\ @1+ E3\\ A4\\ A3\\",
    ),
    TestVector(
        "eight columns, but the end turns away",
        "standard",
        "@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1\\",
    ),
    TestVector(
        "red line down, bent",
        "standard",
        "@0/ B1/ A2/ C2/ @2+ E2/ C0/ F3/ A4\\ C0\\ F6\\ D2/ F3+ C7\\ F7/ G3/ D7\\ B8/ E1+",
    ),
    TestVector(
        "in Loop Trax no line counts",
        "loop",
        "@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+",
    ),
    TestVector(
        "in Deluxe Trax: red moves and wins by a loop, the other colour has a loop",
        "deluxe",
        "@0+ @1/ A2+ C2\\ C1/ A3/ A4\\ B3\\",
    ),
    TestVector(
        "white moves and completes a loop of the other colour",
        "standard",
        "@0/ B1\\ A2\\",
    ),
    TestVector(
        "limited: blocked before the board is full",
        "limited",
        "@0+ @1\\ B0\\ B0\\ B0+ @4+ D4+ @4\\ @4\\ F2+ A5+ B3/ D1\\ D5\\ D3\\ "
        "A6/ G4\\ A7+ A8\\ @3\\ A2\\ "
        "E6/ A1+ F6+ H2+ B2+ F7\\ F8+ A8+ A5/ G7+ D1\\ H6+ H7+ H1+ A7\\ H8/",
    ),
    TestVector(
        "limited-4: 16 tiles, first",
        "limited-4",
        "@0/ B1\\ A0\\ B1/ A0+ B1/ B0\\ A1\\ @1\\ A3+ A4+ D4+ D3/ D2+ D1/",
    ),
)
"""Growth to each side, long chains of forced plays and conflicts in them, lines and near misses,
both colours at once, the end of a limited area."""


def check_vectors(device: Device) -> Iterator[tuple[TestVector, Comparison]]:
    """Compare a device with the reference model on every turn of these games."""
    for vector in VECTORS:
        turns, illegal = _divided(vector)
        yield vector, compare_game(device, variant_named(vector.variant), turns, illegal)


def _divided(vector: TestVector) -> tuple[list[Turn], Turn | None]:
    """Return the legal turns, and the illegal one after them, if any."""
    position = Position(variant_named(vector.variant))
    turns = [parse_turn(text) for text in vector.turns.split()]
    for turn in turns:
        try:
            position.play(turn)
        except IllegalTurnError:
            return turns[: position.turns], turn
    return turns, None
