"""What texts say of the sources: maps, exports, memories."""

import ast
import re
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from amaranth.hdl import Shape

from loopline import boards
from loopline.boards import BOARDS, families, figures
from loopline.boards.__main__ import main
from loopline.boards.presets import preset_rows
from loopline.boards.table import UNSUPPORTED
from loopline.hdl.config import GridConfig
from loopline.hdl.core.forced import queue_port
from loopline.hdl.core.journal import journal_layout
from loopline.hdl.core.types import cell_layout, place_layout

ROOT = Path(__file__).parent.parent.parent
FOLDERS = ("game", "hdl", "engine", "sim", "tools", "boards", "host", "bench", "tests")
MODULES = sorted(path for path in (ROOT / "boards").rglob("*.py") if path.stem[:2] != "__")


@pytest.mark.parametrize("package", [boards, families, figures])
def test_the_map_of_a_package_names_every_module_once(package):
    named = re.findall(r"^- ``(\w+)``: ", package.__doc__, re.MULTILINE)
    folder = Path(package.__file__).resolve().parent
    assert sorted(named) == [path.stem for path in MODULES if path.parent == folder]


def test_what_a_module_of_the_boards_offers_is_used_elsewhere():
    words = {
        path: set(re.findall(r"\w+", path.read_text()))
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
    }
    files = Counter(chain.from_iterable(words.values()))
    for module in MODULES:
        listed = re.search(r"^__all__ = (\[.*?\])", module.read_text(), re.MULTILINE | re.DOTALL)
        for name in ast.literal_eval(listed[1]):
            assert files[name] > (name in words[module]), f"{name} of {module.name}"


@pytest.mark.usefixtures("keep_signals")
def test_the_document_has_the_tables_of_the_list(capsys):
    assert main(["list", "--markdown"]) == 0
    tables = capsys.readouterr().out.strip().split("\n\n")
    counts = [table.count("\n") - 1 for table in tables]
    assert counts == [len(BOARDS), len(UNSUPPORTED), len(preset_rows())]
    text = (ROOT / "docs" / "boards.md").read_text()
    for table in tables:
        assert f"\n\n{table}\n\n" in text


def test_the_readme_has_the_board_that_it_builds_for():
    text = (ROOT / "README.md").read_text()
    board = BOARDS["hx8k"]
    title, grid = board.title.partition(" (")[0], f"{board.grid.size} × {board.grid.size}"
    (row,) = (line for line in text.splitlines() if line.startswith(f"| `{board.name}` |"))
    assert f"| {title} | {board.part} |" in row
    assert f"| {board.clock_hz / 1e6:g} MHz | {grid} |" in row


def test_the_memories_of_a_position_are_as_the_architecture_has_them():
    grid = GridConfig()
    queue = queue_port(grid)
    width = {
        "cell map": Shape.cast(cell_layout(grid)).width,
        "frontier table": Shape.cast(place_layout(grid)).width + 4,
        "partner table": 2 * grid.index_bits,
        "forced-play queue": Shape.cast(queue.shape).width,
        "journal": Shape.cast(journal_layout(grid)).width,
    }
    words = {
        "cell map": f"4 × {grid.size**2 // 4}",
        "frontier table": f"2 × {grid.frontier_entries}",
        "partner table": f"{grid.frontier_entries}",
        "forced-play queue": f"{queue.depth}",
        "journal": f"{grid.journal}",
    }
    _, _, text = (ROOT / "docs" / "architecture.md").read_text().partition("| memory | word |")
    rows = [line.strip("|").split("|") for line in text.partition("\n\n")[0].splitlines()[2:]]
    found = {name.split(",")[0].strip(): (word, count.strip()) for name, word, count, _ in rows}
    assert {name: count for name, (_, count) in found.items()} == words
    for name, (word, _) in found.items():
        parts = re.findall(r"(?:(\d+) × )?(\d+)", word)
        bits = sum(int(times or 1) * int(each) for times, each in parts)
        assert bits == width[name], name
