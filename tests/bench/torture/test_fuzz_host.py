"""``loopline bench fuzz-host``: its parsers on hostile input, with and without Atheris."""

from __future__ import annotations

import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.bench.torture import fuzz_host
from loopline.bench.torture.fuzz_host import PARSERS

PIECES = st.sampled_from(
    [
        *(seed for seeds in fuzz_host._SEEDS.values() for seed in seeds),
        *(b"\xc0", b"\xdb", b"\n", b"\r", b"[", b'"', b"@1+ ", b"\0", b"\xff\xfe", b"go depth 1\n"),
    ]
)
INPUT = st.binary(max_size=200) | st.lists(PIECES, max_size=8).map(b"".join)


@pytest.mark.parametrize("name", PARSERS)
@given(data=INPUT)
def test_any_bytes(name: str, data: bytes) -> None:
    PARSERS[name](data)


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="the extra fuzz is needed")
def test_atheris(capsys):
    assert fuzz_host.main(["--parser", "notation", "--seconds", "1"]) == 0
    assert capsys.readouterr().out.endswith(" inputs, nothing is wrong\n")


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="the extra fuzz is needed")
def test_another_error_is_found(capsys, tmp_path, monkeypatch):
    """A parser that is no parser: atheris leaves the input, and it is shown again."""
    spoilt = fuzz_host._ATHERIS.replace("PARSERS[", "lambda data, name=[")
    monkeypatch.setattr(fuzz_host, "_ATHERIS", spoilt.replace("pop(1)]", "pop(1)]: [].index(data)"))
    assert fuzz_host.main(["--parser", "lines", "--keep", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert said.out.endswith(" inputs, WRONG\n")
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("fuzz-lines-crash-")
    assert fuzz_host.main(["--parser", "lines", "--replay", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: nothing is wrong\n"


def test_an_interruption_keeps_the_count(capsys, monkeypatch):
    """A fuzzer that counts as libFuzzer does when it is asked to end, and presses Ctrl-C twice."""
    fuzzer = """
import os, signal, sys, time
def end(*_):
    os.kill(os.getppid(), signal.SIGINT)
    print("stat::number_of_executed_units: 7", flush=True)
    sys.exit(72)
signal.signal(signal.SIGTERM, end)
time.sleep(0.5)
os.kill(os.getppid(), signal.SIGINT)
time.sleep(60)
"""
    monkeypatch.setattr(fuzz_host, "_ATHERIS", fuzzer)
    assert fuzz_host.main([]) == 130
    said = capsys.readouterr()
    assert said.out == "records: 7 inputs, nothing is wrong\n"
    assert said.err == "\ninterrupted\n"


def test_without_atheris(capsys, monkeypatch):
    monkeypatch.setattr(
        fuzz_host, "_ATHERIS", "raise ModuleNotFoundError(\"No module named 'atheris'\")"
    )
    with pytest.raises(SystemExit) as left:
        fuzz_host.main(["--parser", "lines"])
    assert left.value.code == 2
    assert "Atheris is not installed: pip install 'loopline[fuzz]'" in capsys.readouterr().err
