"""Builds: what is kept, what is built again, and what is said when one fails."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import loopline.tools.cache
import loopline.tools.compilers
from loopline.sim.native import compile_native
from loopline.tools.cache import BuildError, cache_folder, cached, tool_environment
from loopline.tools.compilers import find_compiler, find_wasm_compiler, run_yosys
from tests.host.leftovers import appears, ends
from tests.sim.dummies import Accumulator, LineEcho

ROOT = Path(__file__).parents[2]

BUILD = """
from loopline.sim.board import board
from tests.sim.dummies import LineEcho
print(board.build_board(LineEcho(divisor=16)))
"""


def start_build(cache):
    environment = {
        **os.environ,
        "LOOPLINE_CACHE": str(cache),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    return subprocess.Popen(
        [sys.executable, "-c", BUILD],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_builds_at_once_then_none(tmp_path):
    first, second = start_build(tmp_path), start_build(tmp_path)
    told = [build.communicate(timeout=300) for build in (first, second)]
    assert told[0][0] == told[1][0]
    program = Path(told[0][0].strip())
    assert os.access(program, os.X_OK)
    assert any("building the simulated board (once) ..." in errors for _, errors in told)
    assert list(tmp_path.iterdir()) == [program.parent]  # nothing else is left

    made = program.stat().st_mtime_ns
    output, errors = start_build(tmp_path).communicate(timeout=60)
    assert (output, errors) == (told[0][0], "")
    assert program.stat().st_mtime_ns == made


def test_the_cache_has_its_place(monkeypatch, tmp_path):
    monkeypatch.setenv("LOOPLINE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("LOOPLINE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == ROOT / "build" / "cache"
    monkeypatch.setattr(loopline.tools.cache, "_ROOT", tmp_path)  # as if it were installed
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / "loopline"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder() == Path.home() / "Library" / "Caches" / "loopline"


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("LOOPLINE_CACHE", str(tmp_path))
    return tmp_path


def test_each_ingredient_counts(cache):
    made = []

    def make(folder, finished):
        made.append(folder)
        (finished / "result").write_text("x")

    folders = {cached(parts, make) for parts in (["ab", "c"], ["a", "bc"], ["abc"], ["ab", "c"])}
    assert len(folders) == len(made) == 3
    assert sorted(cache.iterdir()) == sorted(folders)


def test_builders_of_the_same_take_turns(cache):
    made = []

    def make(folder, finished):
        made.append(folder)
        time.sleep(0.1)
        (finished / "result").write_text("x")

    threads = [threading.Thread(target=cached, args=(["same"], make)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(list(cache.iterdir())) == 1


def test_a_failed_build_leaves_nothing(cache):
    def make(folder, finished):
        (finished / "half").write_text("x")
        raise BuildError("it broke")

    with pytest.raises(BuildError, match=r"^it broke$"):
        cached(["x"], make)
    assert list(cache.iterdir()) == []


def test_a_build_whose_files_were_removed_is_made_again(cache):
    """As by what cleans /tmp: the folder is newer than its files."""

    def make(folder, finished):
        (finished / "result").write_text("x")

    entry = cached(["a"], make)
    (entry / "result").unlink()
    assert (cached(["a"], make) / "result").read_text() == "x"
    assert list(cache.iterdir()) == [entry]


def test_old_builds_are_discarded(cache):
    entries = [cached([name], lambda folder, finished: None) for name in "ab"]
    for entry, days in zip(entries, (31, 29), strict=True):
        os.utime(entry, (time.time() - days * 86400,) * 2)
    third = cached(["c"], lambda folder, finished: None)
    assert sorted(cache.iterdir()) == sorted([entries[1], third])


def test_what_is_no_build_stays_in_a_cache_folder_that_was_chosen(cache):
    names = ["photos", ".ssh", "notes.txt", "a" * 31, "engine-rules", "tools"]
    for name in names:
        (cache / name).mkdir()
        (cache / name / "file").write_text("mine")
    killed = cache / "build-x1y2"
    killed.mkdir()
    for path in cache.iterdir():
        os.utime(path, (0, 0))
    entry = cached(["a"], lambda folder, finished: None)
    assert sorted(cache.iterdir()) == sorted([entry, *(cache / name for name in names)])


def test_a_build_is_found_where_nothing_can_be_written(cache, monkeypatch):
    def refuse(path):
        raise OSError(errno.EROFS, "Read-only file system")

    entry = cached(["a"], lambda folder, finished: (finished / "result").touch())
    monkeypatch.setattr(os, "utime", refuse)
    assert cached(["a"], lambda folder, finished: pytest.fail("a second build")) == entry


def test_a_cache_that_cannot_be_written_is_named(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LOOPLINE_CACHE", str(tmp_path / "file"))
    with pytest.raises(BuildError, match="cannot write to the cache folder"):
        cached(["x"], lambda folder, finished: None)


def test_the_compiler_is_chosen(monkeypatch, tmp_path):
    for name in ("clang++", "g++", "my-c++"):
        (tmp_path / name).write_text("#!/bin/sh\necho version of $0\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert find_compiler().command == (str(tmp_path / "g++"),)
    monkeypatch.setenv("CXX", f"{tmp_path / 'my-c++'} -m64")
    chosen = find_compiler()
    assert chosen.command == (str(tmp_path / "my-c++"), "-m64")
    assert "version of" in chosen.identity
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CXX", "./my-c++")
    assert find_compiler().command == (str(tmp_path / "my-c++"),)


def test_a_machine_without_compiler_is_told_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(loopline.tools.compilers.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BuildError, match=r"^no C\+\+ compiler: install g\+\+ or clang\+\+ or"):
        find_compiler()
    with pytest.raises(BuildError, match=r"^no compiler for WebAssembly: pip install"):
        find_wasm_compiler()
    monkeypatch.setenv("CXX", str(tmp_path / "nothing"))
    with pytest.raises(BuildError, match="does not run"):
        find_compiler()
    monkeypatch.setenv("CXX", "g++ '-O2")
    with pytest.raises(BuildError, match=r"^CXX=g\+\+ '-O2 is no command: No closing quotation$"):
        find_compiler()


def test_an_error_of_the_compiler_is_passed_on(cache):
    with pytest.raises(BuildError, match=r"^the C\+\+ compiler failed with status \d+: .*-O"):
        compile_native(Accumulator(), "probe/probe.cc", library=True, optimise="-Obogus")
    assert list(cache.iterdir()) == []


ENDED = """
import sys
from loopline.sim.__main__ import main
from loopline.sim.board import board
from loopline.tools.cache import cached
from loopline.tools.compilers import run_tool

SCRIPT = 'sleep 60 & echo x >"$TMPDIR/file"; echo $! >{0}/new; mv {0}/new {0}/pid; wait'

def build(config):
    words = ["sh", "-c", SCRIPT.format(sys.argv[1])]
    return cached([], lambda folder, finished: run_tool("it", words, folder))

board.build = build
sys.exit(main([]))
"""
"""``loopline sim`` whose compiler has a part that runs for a minute."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_build_that_is_ended_leaves_nothing(tmp_path, number):
    cache, temporary = tmp_path / "cache", tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "LOOPLINE_CACHE": str(cache), "TMPDIR": str(temporary)}
    words = [sys.executable, "-c", ENDED, str(tmp_path)]
    with subprocess.Popen(words, cwd=ROOT, env=environment) as process:
        pid = int(appears(tmp_path / "pid"))
        process.send_signal(number)
        assert process.wait(timeout=30) == 128 + number
    assert ends(pid, 5)
    assert [*cache.iterdir(), *temporary.iterdir()] == []


def test_a_driver_that_does_not_fit_the_design_is_an_error(cache):
    with pytest.raises(BuildError, match="p_commands"):
        compile_native(LineEcho(divisor=16), "probe/probe.cc", library=True, optimise="-O0")


def test_tools_keep_their_caches_in_ours(monkeypatch, tmp_path):
    """Nothing is left in the home folder. Without that Yosys would compile itself here again."""
    for name in tool_environment().keys() & {"YOWASP_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR"}:
        monkeypatch.delenv(name)
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    run_yosys("", work)
    assert list(home.iterdir()) == []
    assert cache_folder() in Path(tool_environment()["ZIG_GLOBAL_CACHE_DIR"]).parents
