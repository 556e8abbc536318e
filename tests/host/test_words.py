import pytest

from loopline.host.words import describe_end, describe_turn, plural

from .program import position_after


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ("@0/", "Turn 1: white plays @0/ (now at A1)."),
        ("@0+ B1+", "Turn 2: red plays B1+."),
        ("@0+ B1+ B2/", "Turn 3: white plays B2/, which forces A2\\."),
        ("@0+ B1+ B2/ B0\\", "Turn 4: red plays B0\\ (now at B1), which forces A1/."),
    ],
)
def test_turn(turns: str, words: str) -> None:
    position = position_after(turns)
    assert describe_turn(position, position.history[-1]) == words


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ("@0/ B1\\ A2\\", "Red wins by a loop after 3 turns."),
        ("@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+", "Red wins by a line after 8 turns."),
        (
            "@0/ A0\\ B1\\ B3/ A3/ @3\\ B0\\ A3+ @3\\ A2/",
            "Red wins by a loop after 10 turns; white has completed one too, "
            "but red made the turn.",
        ),
        ("@0/", "No one has won after 1 turn: a draw."),
    ],
)
def test_end(turns: str, words: str) -> None:
    assert describe_end(position_after(turns)) == words


def test_plural() -> None:
    assert (plural(0, "tile"), plural(1, "tile"), plural(2, "tile")) == (
        "0 tiles",
        "1 tile",
        "2 tiles",
    )
