"""Tools that compile themselves on their first run."""

import subprocess
import sys
from pathlib import Path

import pytest

from loopline.tools.wasm import prepare_tool

TOOL = "yowasp-icepack"
"""The smallest that there is: it is compiled in a second or two."""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(folder))
    return folder


def compiled(cache):
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}


def test_a_tool_is_compiled_once(cache):
    prepare_tool(TOOL)
    first = compiled(cache)
    assert sorted(path.name.split("-")[0] for path in first if path.parent == cache) == ["yowasp"]
    assert [path.parent.name for path in first if path.parent != cache] == ["icepack.wasm"]
    prepare_tool(TOOL)
    run = [str(Path(sys.executable).parent / TOOL), "--version"]
    printed = subprocess.run(run, capture_output=True, text=True).stderr
    assert "Usage" in printed
    assert "Preparing" not in printed
    assert compiled(cache) == first


def test_of_several_at_once_one_compiles_and_the_others_wait(cache):
    """No file is ever seen that is not whole: a file's first name is its last."""
    call = f"from loopline.tools.wasm import prepare_tool; prepare_tool({TOOL!r})"
    several = [subprocess.Popen([sys.executable, "-c", call]) for _ in range(3)]
    folders, sizes = set(), set()
    while any(each.poll() is None for each in several):
        folders.update(cache.glob("preparing-*"))
        sizes.update(path.stat().st_size for path in cache.glob("*/icepack.wasm/*"))
    assert [each.returncode for each in several] == [0, 0, 0]
    assert len(folders) == 1
    assert sizes <= {path.stat().st_size for path in cache.glob("*/icepack.wasm/*")}
    assert not list(cache.glob("preparing-*"))


def test_what_is_no_such_tool_is_left_alone(cache):
    prepare_tool("python")
    prepare_tool("yowasp-none")
    assert not cache.exists()


def test_a_cache_that_cannot_be_written_to_is_left_to_the_tool(cache):
    cache.write_text("a file, and no folder")
    prepare_tool(TOOL)
    assert cache.read_text() == "a file, and no folder"
