"""The repository itself: its packages, imports, dependencies, texts and generated Verilog."""

import ast
import importlib
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from loopline.boards import BOARDS
from loopline.game import play_game
from loopline.host.render.text import board_text

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
DATA = PROJECT["tool"]["setuptools"]["package-data"]
MAY_IMPORT = {
    "game": set(),
    "hdl": {"game"},
    "tools": set(),
    "engine": {"game", "hdl", "tools"},
    "sim": {"game", "hdl", "tools"},
    "boards": {"game", "hdl", "tools"},
    "host": {"game", "tools"},
    "web": {"game", "hdl", "sim", "host", "tools"},
    "bench": {"game", "hdl", "engine", "sim", "boards", "host", "tools"},
}
"""For each of our packages, the others that it may import."""

MOST_MODULES = 16
"""Of a folder. One with more is two rooms."""


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("loopline", *(part for part in parts if part != "__init__")))


def imported_modules(path: Path) -> set[str]:
    """The absolute names of all modules that a file imports, wherever in it."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path.parent)
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) + 1 - node.level]
            module = ".".join([*(base if node.level else []), *([node.module or ""])]).strip(".")
            # `from loopline import game` names the package only after the word import.
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def committed_files() -> list[Path]:
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def test_every_package_is_installed_from_its_folder():
    folders = {
        module_name(path)
        for package in MAY_IMPORT
        for path in (ROOT / package).rglob("__init__.py")
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders


def test_every_data_file_is_installed():
    folders = {name: ROOT / name.removeprefix("loopline.").replace(".", "/") for name in DATA}
    installed = {
        path for name, globs in DATA.items() for g in globs for path in folders[name].glob(g)
    }
    data = {path for path in committed_files() if path.suffix != ".py"}
    assert {path for path in data if path.relative_to(ROOT).parts[0] in MAY_IMPORT} <= installed


def test_a_package_with_types_is_checked_and_imports_only_such():
    lint = (ROOT / "Makefile").read_text()
    typed = {name.removeprefix("loopline.") for name, globs in DATA.items() if "py.typed" in globs}
    assert {"game", "host"} <= typed <= set(re.findall(r"-p loopline\.(\w+)", lint))
    for package in typed:
        assert MAY_IMPORT[package] <= typed, package


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_every_module_can_be_imported(package):
    assert sources(package)
    for path in sources(package):
        # Modules that run when they are imported: the programs.
        if path.name != "__main__.py":
            module = importlib.import_module(module_name(path))
            assert Path(module.__file__).samefile(path)


def test_editors_find_every_package():
    """They follow the path that ``make setup`` leaves in the environment, and no import hook."""
    links = Path(sysconfig.get_path("purelib"), "loopline-links.pth").read_text().strip()
    for package in MAY_IMPORT:
        assert Path(links, "loopline", package).samefile(ROOT / package)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_point_one_way(package):
    allowed = {package, *MAY_IMPORT[package]}
    for path in sources(package):
        for name in imported_modules(path):
            top, _, rest = name.partition(".")
            if top == "loopline":
                assert rest.split(".")[0] in allowed, f"{path} imports {name}"
            # Our folders are packages of loopline only, also when they are on the path.
            assert top not in {"tests", *MAY_IMPORT}, f"{path} imports {name}"


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_every_package_names_its_modules(package):
    """In its docstring; or in its table of them, as the commands."""
    for init in (ROOT / package).rglob("__init__.py"):
        names = {path.stem for path in init.parent.glob("*.py")} - {"__init__", "__main__"}
        names |= {path.parent.name for path in init.parent.glob("*/__init__.py")}
        for name in names:
            assert re.search(rf"\b{name}\b", init.read_text()), f"{init} does not name {name}"


def imports_of_modules() -> dict[str, set[str]]:
    """For each module of ours, those of ours that it imports, wherever in it."""
    modules = {module_name(path): path for package in MAY_IMPORT for path in sources(package)}
    graph = {}
    for name, path in modules.items():
        imported = set()
        for each in imported_modules(path):
            # `from module import name`: the module, unless the name is one itself.
            imported.add(each if each in modules else each.rpartition(".")[0])
        graph[name] = (imported & modules.keys()) - {name}
    return graph


def test_no_module_imports_itself_in_a_circle():
    """Imports for the type checker alone and those in functions count, too."""
    graph = imports_of_modules()
    # What is left when modules that import nothing that is left are taken out, again and again.
    while leaves := [name for name, imported in graph.items() if not imported & graph.keys()]:
        for name in leaves:
            del graph[name]
    assert not graph, "in a circle, or importing one: " + ", ".join(sorted(graph))


@pytest.mark.parametrize("package", [*MAY_IMPORT, "tests"])
def test_no_folder_is_crowded(package):
    for folder in {path.parent for path in sources(package)}:
        modules = [path.name for path in folder.glob("*.py") if path.stem[:2] != "__"]
        assert len(modules) <= MOST_MODULES, f"{folder.relative_to(ROOT)} has {len(modules)}"


def test_the_game_needs_only_the_standard_library():
    for path in sources("game"):
        for name in imported_modules(path):
            top = name.partition(".")[0]
            assert top == "loopline" or top in sys.stdlib_module_names, f"{path} imports {name}"


def test_the_generated_design_is_the_same_in_every_process():
    program = (
        "import sys\n"
        "from loopline.hdl.config import GridConfig\n"
        "from loopline.hdl.design import DesignConfig\n"
        "from loopline.hdl.search.config import SearchConfig\n"
        "from loopline.hdl.top import Loopline\n"
        "from loopline.sim.native import to_rtlil\n"
        "search = SearchConfig(grid=GridConfig(size=8), table_bits=6)\n"
        "sys.stdout.write(to_rtlil(Loopline(DesignConfig(search=search))))\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
        )
        for seed in ("1", "2")
    ]
    first, second = (process.communicate()[0] for process in processes)
    assert [process.returncode for process in processes] == [0, 0]
    assert rb"module \top" in first
    assert first == second


def requirements() -> list[Requirement]:
    project = PROJECT["project"]
    texts = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    return [Requirement(text) for text in texts if not text.startswith("loopline[")]


def test_every_dependency_has_bounds_and_a_reason():
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    for requirement in requirements():
        operators = {specifier.operator for specifier in requirement.specifier}
        assert operators == {">=", "<"}, requirement
        line = next(
            n for n, text in enumerate(lines) if text.startswith(f'    "{requirement.name}>')
        )
        assert lines[line - 1].startswith("    #"), requirement


def test_every_dependency_is_pinned_within_its_bounds():
    pins = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, pinned = re.fullmatch(r"([\w.-]+)==([\w.]+)", line).groups()
            pins[name] = pinned
    for requirement in requirements():
        assert requirement.specifier.contains(pins[requirement.name]), requirement


def test_one_version():
    assert version("loopline") == PROJECT["project"]["version"]
    released = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert released[0] == "Unreleased"
    assert set(released[1:2]) <= {PROJECT["project"]["version"]}


def test_no_file_names_a_machine_or_an_older_amaranth():
    # In pieces, so that this file does not contain them itself.
    machine = ("/" + "root/", "/" + "home/", "/" + "work/", "/" + "Users/")
    pattern = re.compile("|".join(["n" + "migen", *(rf"(?<![\w.$}}]){path}" for path in machine)]))
    for path in committed_files():
        text = path.read_bytes().decode("utf-8", errors="ignore")
        found = pattern.search(text)
        assert not found, f"{path.relative_to(ROOT)} contains {found.group()}"


def test_the_readme_names_every_board_and_only_targets_that_exist():
    readme = (ROOT / "README.md").read_text()
    for name in BOARDS:
        assert f"`{name}`" in readme
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)", readme))
    assert {"play", "test"} <= named <= targets


def test_the_picture_of_a_board_in_a_document_is_what_the_terminal_shows():
    game = "@0+ @1+ C1\\ C2\\ B3\\ D2+ B0/ C4+ C5\\ D4\\ E4\\ D5+"
    position = play_game(game.split())
    drawing = board_text(position, last=position.history[-1], colour=False, width=80)
    lines = [line.rstrip() for line in drawing.strip("\n").splitlines()]
    assert "```text\n" + "\n".join(lines) + "\n```\n" in (ROOT / "docs" / "play.md").read_text()
