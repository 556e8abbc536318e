"""Writes the page with all that it loads: its own files, the board, the puzzles."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Final

from loopline.host.puzzles.tactics import FILE as TACTICS
from loopline.tools.cache import BuildError
from loopline.tools.extras import require
from loopline.tools.sources import SIMULATED_BOARD, build_number

__all__ = ["BuildError", "write_page"]

_PAGE: Final = Path(__file__).parent / "page"

_BIT_CYCLES: Final = 8
"""Clock cycles per bit of the board in the page: the fastest rate, as no line limits it."""


def write_page(folder: Path, *, board: bool = True) -> None:
    """Write the page to a folder, which is made if it does not exist.

    ``page.json`` says what else is there: ``board`` with the file of the simulated board, its clock
    cycles per bit and its build, or null; and ``devices``, an empty list: a server may have some.

    Parameters
    ----------
    folder : Path
        Files of the same names in it are replaced.
    board : bool
        Whether the page has the simulated board. It is compiled the first time.

    Raises
    ------
    BuildError
        If the board cannot be compiled.
    MissingExtraError
        If the page is to have the board, and the extra `sim` or `compiler` is not installed.
    OSError
        If a file cannot be written.
    """
    module = _board() if board else None
    folder.mkdir(parents=True, exist_ok=True)
    for source in _PAGE.iterdir():
        shutil.copyfile(source, folder / source.name)
    shutil.copyfile(TACTICS, folder / TACTICS.name)
    settings = None
    if module is not None:
        shutil.copyfile(module, folder / "board.wasm")
        build = build_number(*SIMULATED_BOARD)
        settings = {"file": "board.wasm", "bit_cycles": _BIT_CYCLES, "build": build}
    text = json.dumps({"board": settings, "devices": []}, indent=1)
    (folder / "page.json").write_text(text + "\n", encoding="utf-8")


def _board() -> Path:
    require("the board in the page", "sim", "compiler")
    # Imported here: without a board no extra is needed.
    from loopline.hdl.design import DesignConfig
    from loopline.sim.board.board import build_module

    design = DesignConfig()
    return build_module(DesignConfig(baud=design.clock_hz // _BIT_CYCLES))
