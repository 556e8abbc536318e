"""Draw the history of the figures: area and clock of the main units, run by run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopline.boards.figures.parts import PARTS

__all__ = ["draw_history", "read_results"]

_HEADLINE = ("placer", "turn-unit", "chain", "evaluator", "turn-unit-evaluator", "design")
"""The units whose history is drawn, in the order of their colours."""

_COLOURS = ("#7a7a7a", "#1f77b4", "#8c564b", "#d62728", "#9467bd", "#2ca02c")
_DASHES = {32: "6 3", 64: "none"}
"""The grids that are drawn, and their lines; smaller grids differ too little to be told apart."""

_FIGURES = (("luts", "LUTs"), ("rams", "RAMs"), ("mhz", "MHz"))
"""The rows of diagrams, from top to bottom: the figure of a result and its title."""

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 260, 150, 60, 40, 70


@dataclass(frozen=True)
class _Point:
    """A value of a run; ``run`` counts from 0."""

    run: int
    value: float


def read_results(folder: Path) -> list[dict[str, Any]]:
    """Return the results in a folder, oldest commit first. Raises ``ValueError`` for another file.

    Results of one commit are in the order of their names.
    """
    results = []
    for path in sorted(folder.glob("*.json")):
        try:
            result = json.loads(path.read_text())
            for row in result["rows"]:
                row["unit"], row["size"], row["family"]
                for figure, _ in _FIGURES:
                    row[figure]
            results.append((result["date"] or "", path.name, result))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path.name} is not a result of loopline report: {error!r}") from None
    return [result for _, _, result in sorted(results, key=lambda item: item[:2])]


def draw_history(results: Sequence[dict[str, Any]]) -> str:
    """Return an SVG: for each family LUTs, block RAMs and MHz, a line per headline unit and grid.

    Runs of one commit share a place on the axis. A unit that was not measured, or did not fit,
    has no point. Grids below 32 × 32 and units side by side are left out.
    """
    commits = list(dict.fromkeys(result["commit"] or "none" for result in results))
    width = _LEFT + len(PARTS) * (_WIDTH + _GAP)
    bottom = _TOP + len(_FIGURES) * (_HEIGHT + _GAP)
    height = bottom + 20 * len(_HEADLINE)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for column, part in enumerate(PARTS.values()):
        left = _LEFT + column * (_WIDTH + _GAP)
        parts.append(f'<text x="{left}" y="20" font-size="13">{part.device}</text>')
        for row, (figure, title) in enumerate(_FIGURES):
            lines = _lines(results, commits, part.name, figure)
            top = _TOP + row * (_HEIGHT + _GAP)
            parts += _panel(lines, commits, title, left, top, dates=figure == _FIGURES[-1][0])
    parts += _legend(bottom)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _lines(
    results: Iterable[dict[str, Any]], commits: Sequence[str], family: str, figure: str
) -> dict[tuple[str, int], list[_Point]]:
    """Return the points of each unit and grid, one per commit, which is its last run's."""
    found: dict[tuple[str, int], dict[int, float]] = {}
    for result in results:
        run = commits.index(result["commit"] or "none")
        for row in result["rows"]:
            alone = row["unit"] in _HEADLINE and row.get("units", 1) == 1
            shown = alone and row["size"] in _DASHES and row["family"] == family
            if shown and row[figure] is not None:
                found.setdefault((row["unit"], row["size"]), {})[run] = row[figure]
    return {
        key: [_Point(run, value) for run, value in sorted(runs.items())]
        for key, runs in sorted(found.items())
    }


def _panel(
    lines: dict[tuple[str, int], list[_Point]],
    commits: Sequence[str],
    title: str,
    left: int,
    top: int,
    *,
    dates: bool,
) -> list[str]:
    """Draw one diagram: frame, a grid of round values, lines, and commits below if ``dates``."""
    if not lines:
        middle = f'x="{left + _WIDTH / 2:g}" y="{top + _HEIGHT / 2:g}"'
        return [f'<text {middle} text-anchor="middle" fill="#777777">no figures</text>']
    highest = max(point.value for points in lines.values() for point in points)
    step = next(
        step
        for step in (10**power * digit for power in range(9) for digit in (1, 2, 5))
        if highest / step <= 6
    )
    most = (int(highest // step) + 1) * step
    bottom = top + _HEIGHT
    parts = [f'<text x="{left - 8}" y="{top - 8}" text-anchor="end">{title}</text>']
    for value in range(0, most + 1, step):
        y = bottom - value / most * _HEIGHT
        parts += [
            f'<path d="M{left} {y:.1f}h{_WIDTH}" stroke="#dddddd"/>',
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{value}</text>',
        ]

    def x_of(run: int) -> float:
        return left + (run + 0.5) * _WIDTH / len(commits)

    for (unit, size), points in lines.items():
        colour = _COLOURS[_HEADLINE.index(unit)]
        places = [(x_of(p.run), bottom - p.value / most * _HEIGHT) for p in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5" '
            f'stroke-dasharray="{_DASHES[size]}"/>'
        )
        for (x, y), point in zip(places, points, strict=True):
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
                f"<title>{unit}, {size} × {size}, {commits[point.run][:7]}: "
                f"{point.value:g} {title}</title></circle>"
            )
    if dates:
        parts += [
            f'<text x="{x_of(run):.1f}" y="{bottom + 16}" text-anchor="end" '
            f'transform="rotate(-40 {x_of(run):.1f} {bottom + 12})">{name[:7]}</text>'
            for run, name in enumerate(commits)
        ]
    return parts


def _legend(top: int) -> list[str]:
    parts = []
    for number, (unit, colour) in enumerate(zip(_HEADLINE, _COLOURS, strict=True)):
        y = top + 18 * number
        parts += [
            f'<path d="M{_LEFT} {y}h30" stroke="{colour}" stroke-width="3"/>',
            f'<text x="{_LEFT + 40}" y="{y + 4}">{unit}</text>',
        ]
    for number, (size, dashes) in enumerate(_DASHES.items()):
        y = top + 18 * number
        left = _LEFT + _WIDTH
        parts += [
            f'<path d="M{left} {y}h40" stroke="#000000" stroke-width="1.5" '
            f'stroke-dasharray="{dashes}"/>',
            f'<text x="{left + 50}" y="{y + 4}">{size} × {size}</text>',
        ]
    return parts
