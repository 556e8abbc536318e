"""All benches: each is on the map of its package, and its ``--help`` ends with an example."""

from __future__ import annotations

import re

import pytest

from loopline import bench
from loopline.bench.__main__ import BENCHES, main
from loopline.bench.options import Parser, whole_number


def test_every_bench_is_on_the_map():
    assert bench.__doc__ is not None
    assert set(re.findall(r"[┬├└]─► (\S+)", bench.__doc__)) == set(BENCHES)


@pytest.mark.parametrize("name", BENCHES)
def test_help_ends_with_an_example(name, capsys):
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    assert text.splitlines()[-1].startswith(f"example: loopline bench {name}")
    assert "``" not in text


def test_whole_numbers(capsys):
    parser = Parser(prog="x")
    parser.add_argument("--n", type=whole_number(1, 20))
    assert parser.parse_args(["--n", "1"]).n == 1
    assert parser.parse_args(["--n", "20"]).n == 20
    for text in ("0", "21", "-1", "1.5", "", "x", "²", "1_0"):
        with pytest.raises(SystemExit) as left:
            parser.parse_args([f"--n={text}"])
        assert left.value.code == 2
        error = capsys.readouterr().err
        assert error == f"x: argument --n: {text!r}: use 1 to 20 (see x --help)\n"


def test_folders(tmp_path, capsys):
    parser = Parser(prog="x")
    folder, file = tmp_path / "one" / "two", tmp_path / "file"
    parser.folder("--keep", folder)
    parser.folder("--keep", folder)
    assert folder.is_dir()
    file.touch()
    for path, reason in ((file, "File exists"), (file / "one", "Not a directory")):
        with pytest.raises(SystemExit) as left:
            parser.folder("--keep", path)
        assert left.value.code == 2
        assert capsys.readouterr().err == f"x: --keep {path}: {reason} (see x --help)\n"
