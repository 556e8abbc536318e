"""The board as a WebAssembly module, without a browser."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path

import pytest

from loopline.sim.native import compile_wasm
from tests.sim.dummies import LineEcho
from tests.web.node import needs_node, node

DIVISOR, PAUSE = 8, 5000


@needs_node
@pytest.mark.skipif(not importlib.util.find_spec("ziglang"), reason="there is no ziglang")
def test_a_module_answers_and_sleeps() -> None:
    """A character has ten bits each way; the echo inverts the bits of the seed, which is 1."""
    module = compile_wasm(LineEcho(divisor=DIVISOR, pause=PAUSE), "board/reactor.cc")
    lines = ["-T", "hello", "x" * 60]
    program = Path(__file__).with_name("reactor.mjs")
    argv = [str(node), str(program), str(module), str(DIVISOR), *lines]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    wasi = "wasi_snapshot_preview1"
    assert found["imports"] == [f"{wasi}.{name}" for name in ("fd_close", "fd_seek", "fd_write")]
    for line, (answer, slices) in zip(lines, found["answers"], strict=True):
        assert "".join(chr(ord(char) ^ 1) for char in answer) == line + "\n"
        cycles = PAUSE + 2 * 10 * DIVISOR * (len(line) + 1)
        assert cycles <= 1000 * (slices + 1) <= cycles + 2000
