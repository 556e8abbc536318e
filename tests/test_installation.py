"""A light installation: the base alone works, and the rest says which extra it needs."""

import json
import os
import shutil
import subprocess
import sys
import venv
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from loopline.bench import __main__ as bench
from loopline.tools.extras import EXTRAS
from tests.host.program import environment, loopline

ROOT = Path(__file__).parents[1]
BASE = {"loopline", "pyserial", "rich", "markdown-it-py", "mdurl", "pygments"}
"""What ``pip install .`` installs, and this package."""

NEED_EXTRAS = {
    "loopline.host.cluster.pool",
    "loopline.host.render.pixels",
    "loopline.host.serve.server",
    *(f"loopline.host.ui.screen.{name}" for name in ("app", "board", "dialogs", "panel")),
}
"""The modules of game, host and tools that import an extra."""

COMMANDS = [
    ["--version"],
    ["show", "--turns", "@0/ B1+", "-o", "board.svg"],
    ["perft", "2"],
    ["referee", "--white", "greedy:1", "--red", "random:1", "--save", "games.txt"],
    ["replay", "games.txt"],
    ["match", "greedy:1", "random:1", "--games", "2"],
    ["tournament", "greedy:1", "random:1", "random:2", "--games", "2"],
]
PROGRAM = """
import importlib, json, pkgutil, sys
blocked, commands, skipped = json.loads(sys.argv[1])
for name in blocked:
    sys.modules.setdefault(name, None)  # an import of it fails
import loopline.game, loopline.host, loopline.tools
for room in loopline.game, loopline.host, loopline.tools:
    for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
        if not module.name.endswith("__main__") and module.name not in skipped:
            importlib.import_module(module.name)
from loopline.host.cli.main import main
for command in commands:
    assert main(command) == 0, command
"""


def test_the_base_needs_nothing_else(tmp_path):
    blocked = [
        module
        for module, names in packages_distributions().items()
        if not {name.lower() for name in names} & BASE
    ]
    assert {"numpy", "amaranth", "distributed"} <= set(blocked)
    words = json.dumps([blocked, COMMANDS, sorted(NEED_EXTRAS)])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, words],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("extra", "what", "argv"),
    [
        ("sim", "this command", ["sim"]),
        ("sim", "the simulated board", ["play"]),
        ("sim", "the simulated board", ["info"]),
        ("boards", "this command", ["build", "hx8k"]),
        ("engine", "the engine", ["play", "--device", "engine:nodes=9"]),
        ("engine", "the engine", ["puzzle"]),
        ("engine", "the engine", ["info", "--device", "engine"]),
        (
            "cluster",
            "work on several processes",
            ["match", "greedy", "random", "--concurrency", "2"],
        ),
        ("serve", "this command", ["serve"]),
        ("pictures", "a PNG", ["show", "-o", "board.png"]),
        ("pictures", "a GIF", ["show", "-o", "board.gif"]),
    ],
)
def test_a_command_names_the_extra_that_it_needs(extra, what, argv, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, EXTRAS[extra][-1], None)
    done = loopline(*argv)
    assert done.stderr == f"loopline {argv[0]}: {what} needs: pip install 'loopline[{extra}]'\n"
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_hint_without_the_engine_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    done = loopline("play", "--device", "greedy", stdin="hint\nquit\n")
    text = " ".join(done.stdout.split())
    assert "The engine cannot help: the engine needs: pip install 'loopline[engine]'." in text


@pytest.mark.parametrize(
    ("argv", "what", "wanted"),
    [(["core"], "core", "sim"), (["link"], "the simulated board", "sim")],
)
def test_a_bench_names_the_extra_that_it_needs(argv, what, wanted, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, EXTRAS[wanted][-1], None)
    assert bench.main(argv) == 2
    needs = f"{what} needs: pip install 'loopline[{wanted}]'"
    assert capsys.readouterr().err == f"loopline bench: {needs}\n"


@pytest.mark.parametrize(
    "extras", sorted({each.extras for each in bench.BENCHES.values()}), ids=",".join
)
def test_benches_need_no_more_than_the_extras_that_they_name(extras):
    every = {module for modules in EXTRAS.values() for module in modules}
    blocked = every - {module for extra in extras for module in EXTRAS[extra]}
    modules = [
        f"loopline.bench.{each.room}.{name.replace('-', '_')}"
        for name, each in bench.BENCHES.items()
        if each.extras == extras
    ]
    program = (
        "import importlib, sys\n"
        f"sys.modules.update(dict.fromkeys({sorted(blocked)}))\n"
        f"for name in {modules}: importlib.import_module(name)\n"
    )
    subprocess.run([sys.executable, "-c", program], env=environment(), check=True)


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(tmp_path):
    sources, place = tmp_path / "sources", tmp_path / "venv"
    left_out = shutil.ignore_patterns(".*", "build", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, sources, ignore=left_out)
    venv.create(place, with_pip=True)
    # pip has warnings of its own.
    outer = ("PYTHONPATH", "PYTHONWARNINGS")
    variables = {name: text for name, text in os.environ.items() if name not in outer}
    pip = [place / "bin" / "python", "-m", "pip", "--quiet", "--no-cache-dir", "install"]
    constraints = ["--constraint", sources / "constraints.txt"]
    subprocess.run([*pip, *constraints, sources], env=variables, check=True)
    shutil.rmtree(sources)
    for command in COMMANDS:
        subprocess.run(
            [place / "bin" / "loopline", *command], cwd=tmp_path, env=variables, check=True
        )
