import subprocess
from pathlib import Path

import pytest

from tests.host.program import loopline

PLAIN = "# heading\n@0/ A0\\ B1+ @1/\n@0/ B1+ (none) # not so\n\n@0+ B1+ RESIGN # late\n"

STANDARD = """\
[Variant "standard"]
[Result "1-0"]
[Termination "loop"]

# heading
1. @0/ 2. A0\\ 3. B1+ 4. @1/ 1-0
"""

OLD = """\
[Variant "standard"]
[Result "1-0"]
[Termination "loop"]

# heading
1. A1C 2. 1AL 3. B1S 4. A1D 1-0
"""

RESIGNED = """\
[Variant "standard"]
[Result "0-1"]
[Termination "resignation"]

1. @0+ 2. B1+
# late
0-1
"""


def convert(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return loopline("convert", *words, stdin=stdin)


def test_whole_records_come_out() -> None:
    done = convert("-", stdin="# heading\n@0/ A0\\ B1+ @1/\n")
    assert (done.stdout, done.stderr, done.returncode) == (STANDARD, "", 0)


def test_either_notation() -> None:
    for text in (STANDARD, OLD):
        assert convert("-", stdin=text).stdout == STANDARD
        assert convert("--notation", "standard", "-", stdin=text).stdout == STANDARD
        assert convert("--notation", "old", "-", stdin=text).stdout == OLD


def test_tags_are_kept() -> None:
    tags = '[White "A \\"quick\\" player"]\n[Site "C:\\\\trax"]\n'
    text = tags + STANDARD.replace("standard", "loop")
    assert convert("-", stdin=text).stdout == text


def test_games_without_the_tag_are_of_the_variant_that_is_named() -> None:
    done = convert("--variant", "limited-12", "-", stdin="@0/")
    assert done.stdout == '[Variant "limited-12"]\n[Result "*"]\n\n1. @0/ *\n'


@pytest.mark.parametrize("wrong", ["@0/ B1x", "@0/ B1+ 2. C1/", "@0/ @0/", "[White]"])
def test_a_wrong_game_is_named_and_nothing_is_written(wrong: str, tmp_path: Path) -> None:
    games, out = tmp_path / "games.txt", tmp_path / "out.txt"
    games.write_text(f"@0/\n{wrong}\n", encoding="utf-8")
    done = convert(str(games))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"loopline convert: {games}, line 2, column ")
    assert done.stderr.count("\n") == 1
    assert convert(str(games), "-o", str(out)).returncode == 1
    assert not out.exists()


def test_keep_going_leaves_out_the_wrong_games() -> None:
    done = convert("--keep-going", "-", stdin=PLAIN + "@0/ Z9+\n")
    assert done.returncode == 1
    assert done.stdout == f"{STANDARD}\n{RESIGNED}"
    assert done.stderr == (
        "loopline convert: standard input, line 3, column 10: 'none': expected a column, '@' or "
        "capital letters, at character 1: found 'n'\n"
        "loopline convert: standard input, line 6, column 5: turn 2: Z9+: Z9 is not adjacent to "
        "any tile\n"
    )


def test_a_file_can_take_its_own_place(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("A1C 1AL B1S A1D\n", encoding="utf-8")
    done = convert(str(games), "-o", str(games))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert games.read_text(encoding="utf-8") == STANDARD.replace("# heading\n", "")
    (tmp_path / "bad.txt").write_text("@0/ @0/\n", encoding="utf-8")
    assert convert(str(tmp_path / "bad.txt"), "-o", str(games)).returncode == 1
    assert games.read_text(encoding="utf-8") == STANDARD.replace("# heading\n", "")


def test_no_games_at_all() -> None:
    done = convert("-", stdin="# nothing\n")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    done = convert("no/such/file")
    assert done.stderr == "loopline convert: cannot read no/such/file: No such file or directory\n"
    assert done.returncode == 2
    done = convert("-", "-o", str(tmp_path))
    assert done.stderr == f"loopline convert: cannot write {tmp_path}: Is a directory\n"
    assert done.returncode == 2
    done = convert(str(tmp_path))
    assert done.stderr == f"loopline convert: cannot read {tmp_path}: Is a directory\n"
    assert done.returncode == 2
