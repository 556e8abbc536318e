"""Compiling: what is compiled once, and what is said about it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from loopline.engine import jit
from loopline.engine.jit import compiled, compiling, inlined, record

SAID = "engine: compiling the search, once, for about ten seconds ...\n"


def test_both_kinds_are_called_from_python(monkeypatch, tmp_path):
    monkeypatch.setattr(jit, "_FOLDER", tmp_path)

    @inlined
    def twice(number):
        return number * 2

    @compiled
    def lowest(numbers, add):
        numbers.sums[0] += twice(add)
        return numbers.sums[0]

    numbers = record(sums=np.array([1, 100]))
    assert [lowest(numbers, 3), twice(4)] == [7, 8]


def test_records_have_one_size():
    record(ones=np.zeros(3), others=np.zeros(4))
    with pytest.raises(ValueError, match="the arrays ones, others have one size each"):
        record(ones=np.zeros(3), others=np.zeros(5))


def imported_files(path: Path) -> set[Path]:
    """The files of ours, without tools, that a file imports names from."""
    root, found = Path(jit.__file__).parents[1], set()
    for node in ast.walk(ast.parse(path.read_text())):
        top, _, module = (getattr(node, "module", None) or "").partition(".")
        if top == "loopline" and not module.startswith("tools"):
            place = root.joinpath(*module.split("."))
            modules = [place / f"{alias.name}.py" for alias in node.names]
            package = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
            found |= {each if each.exists() else package for each in modules}
    return found


def test_what_is_compiled_is_renewed_with_all_that_it_imports():
    known = set(jit._sources())
    for path in known:
        if "engine" in path.relative_to(Path(jit.__file__).parents[1]).parts:
            assert imported_files(path) <= known, path


def test_compiling_is_announced_once(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(jit, "_FOLDER", tmp_path / "engine-test")
    with pytest.raises(ZeroDivisionError), compiling():
        raise ZeroDivisionError
    for said in (SAID + SAID, ""):
        with compiling():
            pass
        assert capsys.readouterr().err == said


def started(cache: Path, lines: str) -> subprocess.CompletedProcess[str]:
    """The engine after these lines, with a cache of its own."""
    return subprocess.run(
        [sys.executable, "-m", "loopline.engine"],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LOOPLINE_CACHE": str(cache)},
    )


def test_a_cache_that_cannot_be_written_is_an_error_of_one_line(tmp_path):
    cache = tmp_path / "file" / "cache"
    cache.parent.write_text("")
    done = started(cache, "-T\n-W\n")
    assert done.stderr.startswith(
        f"{SAID}python -m loopline.engine: cannot write to the cache folder {cache}: "
    )
    assert len(done.stderr.splitlines()) == 2
    assert done.returncode == 1


@pytest.mark.slow
def test_a_cold_start(tmp_path):
    for said in (SAID, ""):
        done = started(tmp_path, "-T\n")
        assert (done.stdout, done.stderr, done.returncode) == ("LE\n", said, 0)
