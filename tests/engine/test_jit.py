"""Compiling: what is compiled once, and what is said about it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import numpy as np
import pytest

from loopline.engine import jit
from loopline.engine.jit import compiled, compiling, inlined, record

SAID = "engine: compiling the search, once, for about ten seconds ...\n"


def test_parts_are_compiled_once_for_all_their_callers(monkeypatch, tmp_path):
    monkeypatch.setattr(jit, "_FOLDER", tmp_path)

    @inlined
    def twice(number):
        return number * 2

    @compiled
    def lowest(numbers, add):
        numbers.sums[0] += add
        return numbers.sums[0]

    @compiled
    def middle(numbers, add):
        return twice(lowest(numbers, add))

    @compiled
    def highest(numbers, add):
        # LLVM must not take the lowest for unused because only another part calls it.
        return middle(numbers, add) + middle(numbers, 3) + numbers.sums[1]

    numbers = record(sums=np.array([1, 100]))
    assert highest(numbers, 1) == 2 * 2 + 2 * 5 + 100
    assert lowest(numbers, 1) == 6
    parts = (twice, lowest, middle, highest)
    for part in parts:
        assert len(part.overloads) == 1, f"{part.py_func.__name__}: a constant has its own"
    # Only what Python calls is translated.
    assert [bool(part._entry.overloads) for part in parts] == [False, True, False, True]


def test_records_have_one_size():
    record(ones=np.zeros(3), others=np.zeros(4))
    with pytest.raises(ValueError, match="the arrays ones, others have one size each"):
        record(ones=np.zeros(3), others=np.zeros(5))


def test_compiling_is_announced_once(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(jit, "_FOLDER", tmp_path / "engine-test")
    with pytest.raises(ZeroDivisionError), compiling():
        raise ZeroDivisionError
    for said in (SAID + SAID, ""):
        with compiling():
            pass
        assert capsys.readouterr().err == said


@pytest.mark.slow
def test_a_cold_start(tmp_path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    for said in (SAID, ""):
        done = subprocess.run(
            [sys.executable, "-m", "loopline.engine"],
            input="-T\n",
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LOOPLINE_CACHE": str(tmp_path)},
        )
        assert (done.stdout, done.stderr, done.returncode) == ("LE\n", said, 0)
    # It takes some ten seconds alone, and used to take twice the time.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 17
