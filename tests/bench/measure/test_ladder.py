"""The ladder plays its matches, and goes on with what is there."""

from __future__ import annotations

import json
import subprocess

import pytest

from loopline.bench.measure.ladder import main


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


@pytest.mark.parametrize(("ended", "status"), [(1, 1), (2, 2), (-9, 1)])
def test_a_match_that_fails(tmp_path, capsys, monkeypatch, ended, status):
    def run(words, **_):
        return subprocess.CompletedProcess(words, ended, "")

    monkeypatch.setattr(subprocess, "run", run)
    assert main(["--folder", str(tmp_path), "random", "greedy"]) == status
    assert capsys.readouterr().err == (
        f"loopline bench ladder: the match of greedy and random ended with {ended}\n"
    )
