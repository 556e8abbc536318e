"""Timing diagrams as pictures: WaveJSON made SVG, for light and for dark pages.

Drawn is what :mod:`loopline.sim.waves.wavejson` writes: groups of signals, levels (``0``, ``1``),
texts in colours (``2`` to ``9``), nothing (``x``), and a head with a title and the cycles' numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

__all__ = ["timing_svg"]

_CYCLE, _ROW, _WAVE, _GAP = 46, 25, 18, 9
"""Pixels: a cycle's width, from a row to the next, a wave's height, between two groups."""

_TITLE, _TOP, _MARGIN, _SLANT = 26, 32, 12, 4
_LONGEST = 36
"""Cycles that have room side by side; longer diagrams go on below."""

_SIZE, _SMALLEST = 11.5, 8.0
"""Sizes of letters: the usual one, and what a long text may shrink to."""


_CLASSES = (
    ".ground { fill: %s }",
    ".grid { stroke: %s }",
    "text { fill: %s }",
    ".faint { stroke: %s }",
    "text.small { fill: %s }",
    ".line { stroke: %s }",
    *(f".c{colour} {{ fill: %s }}" for colour in range(2, 10)),
)
"""CSS of the page, lines between the cycles, texts, what is there but does not matter, texts of
that, signals, and what is behind the texts of a bus: the colours 2 to 9."""

_LIGHT = (
    "#ffffff #e4e6ea #1d2025 #8b929d #8b929d #2f343c "
    "#eceef1 #cfe5fb #ffe2b8 #cdeccb #f6cfd8 #e0d5f7 #c9ece9 #efe6a9"
)
_DARK = (
    "#15171b #2a2e35 #e8eaee #7d8591 #7d8591 #c3c8d1 "
    "#343941 #1f4e7a #7a4f12 #2c6430 #7c2f44 #51408a #1d6460 #645a14"
)


def timing_svg(wave: dict[str, Any]) -> str:
    """Draw a diagram, dark where the reader prefers that; its size is in its first line."""
    return "\n".join(_Drawing(wave).lines()) + "\n"


def _style() -> str:
    light, dark = (
        " ".join(rule % colour for rule, colour in zip(_CLASSES, theme.split(), strict=True))
        for theme in (_LIGHT, _DARK)
    )
    return f"<style>\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n</style>"


def _width(text: str) -> float:
    """About how wide a text is at most, in any usual font without serifs."""
    narrow = sum(letter in " .,:;|!'()[]il1/\\" for letter in text)
    return _SIZE * (0.64 * (len(text) - narrow) + 0.40 * narrow)


class _Piece(NamedTuple):
    """Cycles in which a signal does not change: its character, its text, the first cycle and the
    one after the last."""

    kind: str
    text: str
    start: int
    end: int

    def within(self, start: int, end: int) -> _Piece | None:
        """The part of it between two cycles, counted from the first of them; None for nothing."""
        from_, to = max(self.start, start), min(self.end, end)
        return self._replace(start=from_ - start, end=to - start) if from_ < to else None


def _pieces(signal: dict[str, Any]) -> list[_Piece]:
    texts, wave = iter(signal.get("data", ())), signal["wave"]
    starts = [number for number, kind in enumerate(wave) if kind != "."]
    return [
        _Piece(wave[start], "" if wave[start] in "01x" else next(texts), start, end)
        for start, end in zip(starts, [*starts[1:], len(wave)], strict=True)
    ]


class _Drawing:
    """One diagram, in bands one below the other if it is long."""

    def __init__(self, wave: dict[str, Any]) -> None:
        self.groups: list[tuple[str, list[tuple[str, list[_Piece]]]]] = [
            (name, [(signal["name"], _pieces(signal)) for signal in signals])
            for name, *signals in wave["signal"]
        ]
        self.title, self.first = wave["head"]["text"], wave["head"]["tick"]
        rows = [row for _, signals in self.groups for row in signals]
        self.names = _MARGIN + max(_width(name) for name, _ in self.groups) + 14
        self.left = round(self.names + max(_width(name) for name, _ in rows) + 12)
        self.cycles = max(pieces[-1].end for _, pieces in rows)
        bands = -(-self.cycles // _LONGEST)
        self.band = -(-self.cycles // bands)
        self.high = _TOP + len(rows) * _ROW + (len(self.groups) - 1) * _GAP
        self.width = self.left + self.band * _CYCLE + _MARGIN
        self.height = _TITLE + bands * self.high + _MARGIN

    def lines(self) -> Iterator[str]:
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" '
            f'font-size="{_SIZE}">'
        )
        yield f"<title>{escape(self.title)}</title>"
        yield _style()
        yield f'<rect class="ground" width="{self.width}" height="{self.height}"/>'
        yield self._text(_MARGIN, 24, self.title, 'font-size="14" font-weight="bold"')
        for number, start in enumerate(range(0, self.cycles, self.band)):
            end = min(start + self.band, self.cycles)
            yield from self._band(start, end, _TITLE + number * self.high)
        yield "</svg>"

    def _band(self, start: int, end: int, top: float) -> Iterator[str]:
        """The cycles from ``start`` to before ``end``, from ``top`` on."""
        bottom = top + self.high
        for cycle in range(end - start + 1):
            x = self.left + cycle * _CYCLE
            yield f'<path class="grid" d="M{x} {top + _TOP - 8:g}V{bottom - 2:g}"/>'
        small = 'class="small" font-size="10"'
        for cycle in range(start, end):
            x = self.left + (cycle - start + 0.5) * _CYCLE
            style = f'text-anchor="middle" {small}'
            yield self._text(x, top + _TOP - 13, str(self.first + cycle), style)
        yield self._text(self.left - 8, top + _TOP - 13, "cycle", f'text-anchor="end" {small}')
        top += _TOP
        for name, signals in self.groups:
            bottom = top + len(signals) * _ROW
            middle = (top + bottom) / 2 + 4
            yield self._text(self.names - 14, middle, name, 'text-anchor="end" font-weight="bold"')
            yield (
                f'<path class="faint" d="M{self.names - 6:.1f} {top + 3:.1f}V{bottom - 4:.1f}" '
                'stroke-width="1.5"/>'
            )
            for signal, pieces in signals:
                yield self._text(self.names + 2, top + _ROW / 2 + 3, signal)
                shown = [piece.within(start, end) for piece in pieces]
                yield from self._wave([piece for piece in shown if piece], top + (_ROW - _WAVE) / 2)
                top += _ROW
            top += _GAP

    def _text(self, x: float, y: float, text: str, style: str = "") -> str:
        return f'<text x="{x:g}" y="{y:g}" {style}'.rstrip() + f">{escape(text)}</text>"

    def _wave(self, pieces: list[_Piece], top: float) -> Iterator[str]:
        """The picture of one signal whose highest level is at ``top``."""
        if pieces[0].kind in "01":
            yield self._levels(pieces, top)
            return
        for kind, text, start, end in pieces:
            left, right = self.left + start * _CYCLE, self.left + end * _CYCLE
            if kind == "x":
                yield (
                    f'<path class="faint" d="M{left} {top + _WAVE / 2:g}H{right}" '
                    'stroke-dasharray="1 4"/>'
                )
            else:
                yield self._box(left, right, top, text, f"c{kind}")

    def _levels(self, pieces: list[_Piece], top: float) -> str:
        path = ""
        for piece in pieces:
            y = top if piece.kind == "1" else top + _WAVE
            path += f"{'V' if path else f'M{self.left} '}{y:g}H{self.left + piece.end * _CYCLE}"
        return f'<path class="line" d="{path}" fill="none" stroke-width="1.4"/>'

    def _box(self, left: int, right: int, top: float, text: str, colour: str) -> str:
        slant, middle, bottom = _SLANT, top + _WAVE / 2, top + _WAVE
        outline = (
            f"M{left} {middle:g}L{left + slant} {top:g}H{right - slant}L{right} {middle:g}"
            f"L{right - slant} {bottom:g}H{left + slant}Z"
        )
        room = right - left - slant
        size = min(_SIZE, _SIZE * room / max(_width(text), 1))
        if size < _SMALLEST:
            raise ValueError(f"{text!r} is too long for {(right - left) // _CYCLE} cycles")
        style = f'text-anchor="middle" font-size="{size:.1f}"'
        return f'<path class="line {colour}" d="{outline}" stroke-width="0.8"/>\n' + self._text(
            (left + right) / 2, middle + 0.36 * size, text, style
        )
