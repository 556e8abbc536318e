"""Compiling: what is compiled once, and what is said about it."""

from __future__ import annotations

import os
import subprocess
import sys

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
