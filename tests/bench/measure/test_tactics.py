"""The file of forced wins, and the bench that counts how many are found."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from loopline.bench.makers.find_tactics import LEAST, MOST, Prover
from loopline.bench.makers.find_tactics import main as find
from loopline.bench.measure import tactics
from loopline.bench.measure.tactics import limits_of, main, solve
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.host.puzzles.tactics import FILE, LEVELS, read_tactics

pytestmark = pytest.mark.xdist_group("engine")


def test_the_file_has_enough_of_each_kind():
    lines = [line for line in FILE.read_text().splitlines() if line and line[0] != "#"]
    kinds = Counter(int(line.split("|")[0]) for line in lines)
    assert len(lines) == len(set(lines)) >= 120
    assert set(kinds) == set(range(LEAST, MOST + 1)) == set(LEVELS)
    assert min(kinds.values()) >= 15


def test_wins_are_as_long_as_the_file_says():
    """A sample, found once more: no shorter win by attacks, and this one is proved."""
    prover = Prover()
    sample = [tactic for tactic in read_tactics() if tactic.own_turns <= 3][::8]
    assert len(sample) > 5
    for tactic in sample:
        assert prover.own_turns(tactic.position) == tactic.own_turns, tactic.source


def test_short_wins_are_found():
    searcher = Searcher()
    short = [tactic for tactic in read_tactics() if tactic.own_turns <= 3]
    solved = sum(solve(searcher, tactic, Limits(nodes=20_000)) for tactic in short)
    assert solved >= 0.95 * len(short)


def test_command(tmp_path, capsys):
    file = tmp_path / "tactics.txt"
    own = [line for line in FILE.read_text().splitlines() if line[0] != "#"][:3]
    file.write_text("# three\n" + "\n".join(own) + "\n")
    words = ["--file", str(file), "--limits", "2000 nodes", "1 s"]
    assert main(words) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].startswith("3 positions; solved")
    assert table[-1].startswith("1 s")
    assert "100.0%" in table[-1]
    assert main([*words, "--json"]) == 0
    shares = json.loads(capsys.readouterr().out)
    assert shares["1 s"][own[0].split()[0]] == {"positions": 3, "solved": 3}


def test_what_was_found_before_an_interruption_is_printed(monkeypatch, capsys):
    def solved(_searcher, _tactic, limits):
        if limits.nodes == 2:
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(tactics, "solve", solved)
    assert main(["--limits", "1 nodes", "2 nodes", "--json"]) == 130
    shares = json.loads(capsys.readouterr().out)
    assert [*shares] == ["1 nodes"]
    assert all(share["solved"] == share["positions"] for share in shares["1 nodes"].values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 | nothing\n", "tactics.txt:1: "),
        ("x | @0/\n", "tactics.txt:1: invalid literal"),
    ],
)
def test_a_file_without_sense(tmp_path, capsys, text, message):
    file = tmp_path / "tactics.txt"
    file.write_text(text)
    with pytest.raises(SystemExit):
        main(["--file", str(file)])
    assert message in capsys.readouterr().err


def test_limits():
    assert limits_of("10 ms") == Limits(seconds=0.01)
    assert limits_of("500 nodes") == Limits(nodes=500)
    for text in ("1 hour", "0 nodes", "-1 s", "x ms"):
        with pytest.raises(ValueError, match="is not a limit"):
            limits_of(text)


@pytest.mark.slow
def test_finding(tmp_path: Path):
    file = tmp_path / "found.txt"
    assert find(["--wanted", "1", "--give-up-after", "2", str(file)]) == 0
    found = list(read_tactics(file))
    assert {tactic.own_turns for tactic in found} >= {2, 3}
