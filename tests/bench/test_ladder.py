"""The ladder plays its matches, and goes on with what is there."""

from __future__ import annotations

import json

import pytest

from loopline.bench.ladder import main


def test_ladder(tmp_path, capsys):
    words = ["--games", "2", "--folder", str(tmp_path), "random:1", "greedy:1", "greedy:2"]
    assert main(words) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == "player against games points Elo sum".split()
    assert [row.split()[:3] for row in rows] == [
        ["greedy:1", "random:1", "2"],
        ["greedy:2", "greedy:1", "2"],
    ]
    assert "2 : 0" in rows[0]
    assert rows[0].count("> ") == 2
    games = {path.name: path.read_text() for path in tmp_path.glob("*.txt")}
    assert len(games) == 2
    assert main([*words, "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["games"] for each in found] == [2, 2]
    assert games == {path.name: path.read_text() for path in tmp_path.glob("*.txt")}


@pytest.mark.parametrize("words", [["--games", "3"], ["random"]])
def test_what_cannot_be(words, capsys):
    with pytest.raises(SystemExit):
        main(words)
    assert "loopline bench ladder: " in capsys.readouterr().err
