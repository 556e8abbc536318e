"""``loopline bench simulators``: what it says when there is nothing to compare."""

from __future__ import annotations

from loopline.bench.measure import simulators
from loopline.game import Position


def test_no_compiler(capsys, monkeypatch):
    monkeypatch.setattr(simulators, "available", lambda _: True)
    monkeypatch.setattr(simulators.board, "player_rtlil", lambda _: "")
    monkeypatch.setenv("CXX", "/no/compiler")
    assert simulators.main([]) == 1
    error = capsys.readouterr().err
    assert error.startswith("loopline bench simulators: the C++ compiler /no/compiler does not run")
    assert error.count("\n") == 1


def test_a_turn_that_is_none(capsys, monkeypatch):
    monkeypatch.setattr(simulators, "available", lambda _: True)
    monkeypatch.setattr(simulators, "build", lambda _: {})
    monkeypatch.setattr(simulators, "play", lambda *_: Position().play("B1+"))
    assert simulators.main([]) == 1
    assert capsys.readouterr().err == (
        "loopline bench simulators: B1+: the first turn is @0/ or @0+\n"
    )
