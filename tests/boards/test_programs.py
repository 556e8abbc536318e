"""Tools that are run, and how they end when nobody waits for them any more."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from loopline.boards.programs import Programs, run_script, run_side_by_side
from loopline.tools.cache import BuildError
from tests.host.leftovers import appears, ends


def test_what_is_closed_runs_nothing(tmp_path):
    sleeper = "import pathlib, time; pathlib.Path('on').write_text('x'); time.sleep(60)"
    programs = Programs()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(programs.run, "python", ["-c", sleeper], tmp_path, 60)
        appears(tmp_path / "on")
        programs.close()
        assert isinstance(running.exception(timeout=30), BuildError)
    programs.close()
    with pytest.raises(BuildError, match="^python was not started: interrupted$"):
        programs.run("python", ["-c", ""], tmp_path, 60)


def test_programs_are_closed_at_the_end_of_the_block(tmp_path):
    with Programs() as programs:
        programs.run("python", ["-c", ""], tmp_path, 60)
    with pytest.raises(BuildError, match="interrupted$"):
        programs.run("python", ["-c", ""], tmp_path, 60)


def test_a_script_prints_to_its_log_tells_its_commands_and_has_a_status(tmp_path):
    (tmp_path / "script").write_text('echo "$WORD"; "$TOOL"; exit 3\n')
    started, log = [], tmp_path / "log"
    environment = {"WORD": "one", "TOOL": "no-such-tool"}
    assert run_script("script", tmp_path, environment, log, started.append) == 3
    lines = log.read_text().splitlines()
    assert lines[:3] == ["+ echo one", "one", "+ no-such-tool"]
    assert started == ["echo", "no-such-tool", "exit"]


def test_a_command_is_told_when_its_line_is_whole(tmp_path):
    words = "for word in '+ ' o 'ne two\\n' '+ \\n'; do printf \"$word\"; sleep 0.2; done"
    (tmp_path / "script").write_text(f"set +x\n{words}\n")
    started, log = [], tmp_path / "log"
    assert run_script("script", tmp_path, os.environ, log, started.append) == 0
    assert log.read_text() == "+ set +x\n+ one two\n+ \n"
    assert started == ["set", "one"]


def test_a_script_whose_wait_ends_leaves_nothing_behind(tmp_path):
    script = 'echo "x" >"$TMPDIR/file"\nsleep 60 &\necho $! >pid\nwait\n'
    (tmp_path / "script").write_text(script)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program = (
        "import os, pathlib, signal, sys\n"
        "from loopline.boards.programs import run_script\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "begun = pathlib.Path('begun').write_text\n"
        "run_script('script', pathlib.Path(), os.environ, pathlib.Path('log'), begun)\n"
    )
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment
    ) as process:
        appears(tmp_path / "begun")
        pid = int(appears(tmp_path / "pid"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 143
    assert ends(pid, 5)
    assert list(temporary.iterdir()) == []


def test_a_programs_temporary_files_are_in_its_folder(tmp_path, monkeypatch):
    """Also if the folder is named as it is from here."""
    monkeypatch.chdir(tmp_path)
    folder = Path("work")
    folder.mkdir()
    with Programs() as programs:
        programs.run("python", ["-c", "import tempfile; tempfile.mkdtemp()"], folder, 60)
    assert len(list(folder.iterdir())) == 1


def test_so_many_programs_at_a_time_and_no_more(tmp_path):
    """Each waits for the file of the one after the next: with one at a time they would not end."""
    words = 'touch "$1"; until [ -e "$2" ]; do sleep 0.02; done; ls | wc -l; echo e$1 >&2; exit $1'
    files = [tmp_path / str(n) for n in range(4)]
    commands = [["sh", "-c", f"cd {tmp_path}; {words}", "sh", str(n), str(n ^ 1)] for n in range(4)]
    found = sorted(run_side_by_side(commands, 2))
    assert all(file.exists() for file in files)
    assert [(each.place, each.status, each.errors) for each in found] == [
        (n, n, f"e{n}\n") for n in range(4)
    ]
    assert [int(each.output) for each in found] == [2, 2, 4, 4]


def test_programs_side_by_side_are_ended_and_waited_for(tmp_path):
    said = tmp_path / "said"
    words = (
        f"trap 'sleep 0.3; echo ended >>{said}; exit' TERM; touch $0; while :; do sleep 0.1; done"
    )
    commands = [["true"], *(["sh", "-c", words, str(tmp_path / name)] for name in "ab")]
    with closing(run_side_by_side(commands, 3)) as programs:
        assert next(programs) == (0, 0, "", "")
        for name in "ab":
            deadline = time.monotonic() + 30
            while not (tmp_path / name).exists():
                assert time.monotonic() < deadline
                time.sleep(0.02)
    assert said.read_text() == "ended\n" * 2
