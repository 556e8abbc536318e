"""``loopline convert``: whole records in one notation."""

import subprocess
from pathlib import Path

import pytest

from tests.host.program import COMMAND, environment, loopline, started

PLAIN = "# heading\n@0/ A0\\ B1+ @1/\n@0/ B1+ (none) # not so\n\n@0+ B1+ RESIGN # late\n"
TAGS = '[Variant "standard"]\n[Result "{}"]\n[Termination "{}"]\n\n'
BEGIN = TAGS.format("1-0", "loop") + "# heading\n"
STANDARD = BEGIN + "1. @0/ 2. A0\\ 3. B1+ 4. @1/ 1-0\n"
OLD = BEGIN + "1. A1C 2. 1AL 3. B1S 4. A1D 1-0\n"
RESIGNED = TAGS.format("0-1", "resignation") + "1. @0+ 2. B1+\n# late\n0-1\n"
MORE_TAGS = '[White "A \\"quick\\" player"]\n[Site "C:\\\\trax"]\n'
LOOP = MORE_TAGS + STANDARD.replace("standard", "loop")


def convert(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return loopline("convert", *words, stdin=stdin)


@pytest.mark.parametrize(
    ("words", "text", "written"),
    [
        ([], "# heading\n@0/ A0\\ B1+ @1/\n", STANDARD),
        ([], STANDARD, STANDARD),
        ([], OLD, STANDARD),
        (["--notation", "standard"], OLD, STANDARD),
        (["--notation", "old"], STANDARD, OLD),
        (["--notation", "old"], OLD, OLD),
        ([], LOOP, LOOP),
        (["--variant", "limited-12"], "@0/", '[Variant "limited-12"]\n[Result "*"]\n\n1. @0/ *\n'),
        ([], "# nothing\n", ""),
    ],
)
def test_whole_records_come_out(words: list[str], text: str, written: str) -> None:
    done = convert(*words, "-", stdin=text)
    assert (done.stdout, done.stderr, done.returncode) == (written, "", 0)


def test_older_files_keep_their_names() -> None:
    tags = '[White "José’s \ufffd"]\n'
    for text in tags.encode(), tags.encode("cp1252", "replace").replace(b" ?", b" \x81"):
        done = loopline("convert", "-", stdin=text + b"@0/ *")
        assert (done.stdout.partition("[Var")[0], done.stderr) == (tags, "")


def test_records_are_utf_8_whatever_the_terminal_has(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text('[White "\u674e"]\n\n@0/\n', encoding="utf-8")
    done = started("convert", str(games), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.stdout.startswith('[White "\u674e"]\n')


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
    games, bad = tmp_path / "games.txt", tmp_path / "bad.txt"
    games.write_text("A1C 1AL B1S A1D\n", encoding="utf-8")
    done = convert(str(games), "-o", str(games))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert games.read_text(encoding="utf-8") == STANDARD.replace("# heading\n", "")
    bad.write_text("@0/ @0/\n", encoding="utf-8")
    assert convert(str(bad), "-o", str(games)).returncode == 1
    assert games.read_text(encoding="utf-8") == STANDARD.replace("# heading\n", "")


def test_the_file_of_standard_output_keeps_what_it_has(tmp_path: Path) -> None:
    with (tmp_path / "out.txt").open("w+") as out:
        out.write("before\n")
        out.flush()
        for name in "/dev/stdout", out.name:
            words = [*COMMAND, "convert", "-", "-o", name]
            subprocess.run(words, input="@0/", text=True, stdout=out, env=environment(), check=True)
        record = '[Variant "standard"]\n[Result "*"]\n\n1. @0/ *\n'
        assert Path(out.name).read_text() == f"before\n{record}{record}"


def test_a_full_disk_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("@0/ B1+\n" * 1000, encoding="utf-8")
    before = games.read_bytes()
    words = (*COMMAND, "convert", str(games), "-o", str(games))
    done = subprocess.run(
        ["bash", "-c", 'ulimit -f 2; exec "$@"', "bash", *words],
        capture_output=True,
        env=environment(),
        check=False,
    )
    said = f"loopline convert: cannot write {games}: File too large\n"
    assert (done.stderr.decode(), done.returncode) == (said, 2)
    assert games.read_bytes() == before
    assert list(tmp_path.iterdir()) == [games]
