"""All benches: each is on the map of its package, has an example, and says what is wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from loopline import bench
from loopline.bench.__main__ import BENCHES, main
from loopline.bench.measure import search


def test_every_bench_is_on_the_map():
    assert bench.__doc__ is not None
    assert set(re.findall(r"[┬├└]─► (\S+)", bench.__doc__)) == set(BENCHES)


@pytest.mark.parametrize("name", BENCHES)
def test_help_ends_with_an_example(name, capsys):
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    assert text.splitlines()[-1].startswith(f"  loopline bench {name}")
    assert "``" not in text


WRONG = {
    "": {
        "nonsense": "argument COMMAND: invalid choice: 'nonsense'",
        "": "the following arguments are required: COMMAND",
    },
    "core": {
        "nowhere": "No such file or directory (nowhere)",
        "bad": "bad: line 1, column 5: ",
        "loop": "there are no standard games in loop",
        "--games 0": "argument --games: '0' is not a whole number from 1 to",
        "--size 9": "argument --size: '9' is not a power of two from 8",
        "--jobs 0": "argument --jobs: '0' is not a whole number from 1 to 999",
        "--clock nan": "argument --clock: 'nan' is not a number from ",
    },
    "fuzz": {
        "--bytes 0": "argument --bytes: '0' is not a whole number from 1 to ",
        "--keep /dev/null/x": "--keep /dev/null/x: Not a directory",
    },
    "fuzz-host": {
        "--seconds 0": "argument --seconds: '0' is not a whole number from 1 to 1000000",
        "--keep /dev/null/x": "--keep /dev/null/x: Not a directory",
        "--replay x": "--replay needs the parser's name: --parser NAME",
        "--parser lines --replay /no/file": "/no/file: No such file or directory",
    },
    "games": {
        "--sim nonsense": "argument --sim: 'nonsense' sets nothing: use NAME=VALUE",
        "--sim grid=32 =5": "argument --sim: '=5' sets nothing: use NAME=VALUE",
        "--save /no/games": "--save: cannot write /no/games: No such file or directory",
    },
    "inject": {
        "--flips some": "argument --flips: 'some' is not a whole number from 0 to 1000000000",
        "--share 3/2": "argument --share: '3/2' is not a part K of N parts: use K/N, as 1/4",
    },
    "mutations": {"--nope": "unrecognized arguments: --nope"},
    "random-positions": {
        "--seeds 8-3": "argument --seeds: '8-3' is not a number N or a range N-M within 0 to ",
        "--seeds -1": "argument --seeds: '-1' is not a number N or a range N-M within ",
    },
    "search": {
        "--depth 0": "argument --depth: '0' is not a whole number from 1 to 60",
        "/no": "No such file or directory (/no)",
    },
    "soak": {
        "--turns -1": "argument --turns: '-1' is not a whole number from 0 to 1000000000",
        "--baud 0": "clock and baud rate must be positive",
    },
    "tactics": {"--file none": "No such file or directory (none) (see "},
    "turn-unit": {
        "nowhere": "No such file or directory (nowhere)",
        "--grid 9": "argument --grid: '9' is not a power",
    },
}


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [(name, words, said) for name, cases in WRONG.items() for words, said in cases.items()],
)
def test_wrong_use_is_told_in_one_line(tmp_path, monkeypatch, capsys, name, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad").write_text("@0/ @0/\n")
    (tmp_path / "loop").write_text('[Variant "loop"]\n\n@0/ A2/\n')
    with pytest.raises(SystemExit) as left:
        main([*name.split(), *words.split()])
    assert left.value.code == 2
    output, error = capsys.readouterr()
    assert output == ""
    assert error.startswith(f"loopline bench {name}: {said}".replace(" :", ":"))
    assert error.count("\n") == 1


def test_a_process_that_dies_is_told_in_one_line(monkeypatch, capsys):
    def broken(_options):
        raise BrokenProcessPool("a process died")

    monkeypatch.setattr(search, "main", broken)
    assert main(["search"]) == 1
    assert capsys.readouterr() == ("", "loopline bench search: a process died\n")


def test_a_full_disk_is_told_in_one_line():
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "loopline.bench", "mutations", "--list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr) == (
        1,
        "loopline bench mutations: [Errno 28] No space left on device\n",
    )
