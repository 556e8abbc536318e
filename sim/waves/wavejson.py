"""Timing diagrams as WaveDrom describes them: signals as strings with a character per cycle.

The format is WaveJSON, which wavedrom.com and many editors draw; :mod:`loopline.sim.waves.wavesvg`
draws the part of it that is used here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["Cell", "bit", "bus", "diagram", "group"]

Cell = tuple[str, int] | None
"""What a bus shows in a cycle: a text and a colour from 2 to 9, or nothing."""


def bit(name: str, values: Iterable[object]) -> dict[str, Any]:
    """Return a signal that is high where ``values`` are true."""
    return {"name": name, "wave": _run_lengths("1" if value else "0" for value in values)}


def bus(name: str, cells: Sequence[Cell], *, merge: bool = True) -> dict[str, Any]:
    """Return a signal that shows texts; with ``merge``, one for equal cells in a row."""
    wave, data = "", []
    before: Cell = None
    for number, cell in enumerate(cells):
        if number and cell == before and (merge or cell is None):
            wave += "."
        elif cell is None:
            wave += "x"
        else:
            text, colour = cell
            if not 2 <= colour <= 9:
                raise ValueError(f"a colour is 2 to 9, not {colour}")
            wave += str(colour)
            data.append(text)
        before = cell
    return {"name": name, "wave": wave, "data": data}


def group(name: str, *signals: dict[str, Any]) -> list[Any]:
    """Return a group of signals."""
    return [name, *signals]


def diagram(title: str, *groups: list[Any], first: int = 0) -> dict[str, Any]:
    """Return a whole diagram, with cycles numbered from ``first``."""
    return {"signal": list(groups), "head": {"text": title, "tick": first}}


def _run_lengths(levels: Iterable[str]) -> str:
    wave, before = "", ""
    for level in levels:
        wave += "." if level == before else level
        before = level
    return wave
