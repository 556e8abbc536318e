"""The package as its users see it."""

from __future__ import annotations

import ast
import doctest
import sys
from pathlib import Path

import loopline.game


def test_the_example_in_the_docstring() -> None:
    outcome = doctest.testmod(loopline.game)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_all_public_names_exist() -> None:
    names = loopline.game.__all__
    assert len(names) == len(set(names))
    assert all(hasattr(loopline.game, name) for name in names)


def test_only_the_standard_library_is_imported() -> None:
    folder = Path(loopline.game.__file__).parent
    imported = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add((node.module or "").partition(".")[0])
    assert "collections" in imported
    assert imported <= sys.stdlib_module_names
