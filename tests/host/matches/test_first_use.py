"""What the first users of matches and of the referee met: plain figures, no files in the way."""

from pathlib import Path

import pytest

from loopline.host.matches.elo import Pentanomial
from loopline.host.matches.summary import elo_text
from tests.host.program import loopline

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((0, 0, 0, 0, 1), "not known yet"),
        ((1, 0, 0, 0, 0), "not known yet"),
        ((0, 0, 0, 0, 20), "more than +277.4"),
        ((20, 0, 0, 0, 0), "less than -277.4"),
    ],
)
def test_a_bound_that_decides_nothing_is_left_out(counts: tuple[int, ...], text: str) -> None:
    assert elo_text(Pentanomial(counts).elo) == text


def test_an_even_match_names_no_stronger_player(tmp_path: Path) -> None:
    argv = ("match", "random", "random", "--games", "2", "--concurrency", "1", "--seed")
    said = set()
    for seed in range(1, 40):
        done = loopline(*argv, str(seed), "--save", str(tmp_path / f"{seed}.txt"))
        even = ", 1: 1, " in done.stdout
        who = "neither player is ahead" if even else "likelihood that random is the stronger one"
        assert f"%  ({who})" in done.stdout
        said.add(even)
        if len(said) == 2:
            return
    raise AssertionError("no even pair in 40")


def test_a_second_match_is_not_in_the_way_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    argv = ("match", "greedy", "random", "--games", "2", "--concurrency", "1")
    names = ["match-greedy-random.txt", "match-greedy-random-2.txt"]
    for name in names:
        done = loopline(*argv)
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"games: {name}")
    again = loopline(*argv, "--resume")
    assert again.stdout.splitlines()[-1] == f"games: {names[1]}"
    # The games are put elsewhere: the journal alone stops nothing, and is kept.
    Path(names[0]).rename("elsewhere.txt")
    done = loopline(*argv, "--save", names[0])
    assert done.returncode == 0, done.stderr
    assert f"{names[0]}.journal is of another match: it is" in done.stderr
    assert Path(f"{names[0]}.journal.old").exists()


def test_a_referee_that_cannot_start_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    done = loopline("referee", "--white", "cmd:./gone", "--red", "random", "--save", str(path))
    assert done.returncode == 1
    assert "cannot run ./gone" in done.stderr
    assert not path.exists()


@pytest.mark.parametrize("name", ["link.md", "referee.md"])
def test_the_documents_say_that_small_letters_get_no_answer(name: str) -> None:
    assert "`b1+`" in (DOCS / name).read_text(encoding="utf-8")
