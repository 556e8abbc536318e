import pytest

from loopline.game import Position
from loopline.host.clock import CONTEST, GRACE, UNTIMED, Clock
from loopline.host.ui.live import LiveView


def shown(
    capsys: pytest.CaptureFixture[str],
    turns: str,
    seconds: list[float],
    clock: Clock = CONTEST,
    names: tuple[str, str] = ("one", "the other"),
) -> list[str]:
    """The lines that follow the last board."""
    view = LiveView(names, clock, redraw=False)
    position = Position()
    view.show(position)
    for turn, spent in zip(turns.split(), seconds, strict=True):
        view.show_turn(position, position.play(turn), spent)
    return capsys.readouterr().out.rpartition("\n\n")[2].splitlines()


def test_before_the_first_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "", []) == [
        "White one        0 turns",
        "Red   the other  0 turns",
        "White is to move.",
    ]


def test_times(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "@0/ B1\\ A2\\", [0.25, 0.5, 0.5]) == [
        "White one        2 turns, 0.75 s, the longest 0.500 s",
        "Red   the other  1 turn, 0.50 s, the longest 0.500 s",
        "Turn 3: white plays A2\\, which forces B2/. [0.500 s]",
    ]


def test_grace(capsys: pytest.CaptureFixture[str]) -> None:
    white, red, _ = shown(capsys, "@0/ B1\\", [60.5, 60.0], Clock(60, GRACE))
    assert white.endswith(" s, grace used")
    assert not red.endswith("used")
    white, _, _ = shown(capsys, "@0/ B1\\", [60.5, 60.0], UNTIMED)
    assert not white.endswith("used")


def test_long_names_leave_room_for_the_times(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    white, red, _ = shown(capsys, "@0/", [0.5], names=("x" * 200, "y"))
    assert white == "White " + "x" * 24 + "…  1 turn, 0.50 s, the longest 0.500 s"
    assert red == "Red   y" + " " * 24 + "  0 turns"


def test_turns_only(capsys: pytest.CaptureFixture[str]) -> None:
    view = LiveView(("one", "other"), CONTEST, boards=False)
    position = Position()
    view.show(position)
    view.show_turn(position, position.play("@0/"), 0.125)
    assert capsys.readouterr().out == "Turn 1: white plays @0/ (now at A1). [0.125 s]\n"
