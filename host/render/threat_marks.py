"""Threats in a picture: halos along the tracks, beads at their ends, signs in spaces, a legend.

A **target** in a space means that its owner wins there next turn, an **L** that a turn there makes
two attacks. Tracks that attack have a golden halo, corners a green one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loopline.game import Colour, OpenTrack, TrackEnd
from loopline.host.render.layers import FONT, TRACK, Layers
from loopline.host.render.plan import Plan
from loopline.host.render.theme import Theme
from loopline.host.render.threats import Threats
from loopline.host.render.view import Cell

__all__ = ["Legend", "ThreatMarks"]

_HALO = 6
"""The width of a threat's halo on each side of the track."""

_SIGN = 15
"""Half the size of a single sign in a space."""

_PAIR = 13
"""The distance of two signs in a space from its middle."""

_LINE, _LETTER, _SAMPLE, _BETWEEN = 46, 12, 58, 34
"""The legend: the height of a line, the width of a letter, that of a sample, and of a gap."""


class ThreatMarks:
    """The marks of one position's threats in one plan."""

    def __init__(self, threats: Threats, plan: Plan, theme: Theme) -> None:
        self._threats = threats
        self._plan = plan
        self._theme = theme
        self._halos = {corner.track: theme.corner for corner in threats.corners}
        for attack in threats.attacks:
            self._halos.update(dict.fromkeys(attack.tracks, theme.attack))

    def halos(self, layers: Layers) -> dict[Colour, list[str]]:
        """Return the halos below the tracks of each colour."""
        return {
            colour: [
                line
                for halo in (self._theme.corner, self._theme.attack)
                for line in layers.along(
                    [t for t, h in self._halos.items() if t.colour is colour and h == halo],
                    halo,
                    TRACK + 2 * _HALO,
                )
            ]
            for colour in Colour
        }

    def beads(self) -> Iterator[str]:
        """Yield a bead where each track leaves the formation; a larger, ringed one for threats."""
        for track in self._threats.tracks:
            halo = self._halos.get(track)
            for end in track.ends:
                yield self._bead(end, track, halo)

    def _bead(self, end: TrackEnd, track: OpenTrack, halo: str | None) -> str:
        across, down = self._plan.gate(end.x, end.y, end.side)
        # The middle of the bead lies in the space, beside the edge.
        step = end.side.opposite.step
        out = 9 if halo else 4
        place = f'cx="{across + out * step[0]}" cy="{down + out * step[1]}"'
        ink = _ink(track.colour, self._theme)
        if halo:
            return f'<circle {place} r="12" fill="{ink}" stroke="{halo}" stroke-width="6"/>'
        return f'<circle {place} r="7" fill="{ink}" stroke="{self._theme.seam}" stroke-width="2"/>'

    def signs(self) -> Iterator[str]:
        """Yield a target in each space where a player wins, an L where two attacks can be made."""
        wins, doubles = self._threats.wins, self._threats.doubles
        for space in sorted({*wins, *doubles}):
            signs = [("target", colour) for colour in sorted(wins.get(space, ()))]
            signs += [
                ("L", colour)
                for colour in sorted(doubles.get(space, ()))
                if ("target", colour) not in signs
            ]
            across, down = self._plan.middle(*space)
            for number, (kind, colour) in enumerate(signs):
                shift = _PAIR * (2 * number - 1) if len(signs) > 1 else 0
                size = _SIGN - 4 if len(signs) > 1 else _SIGN
                yield _sign(kind, (across + shift, down + shift), size, colour, self._theme)


def _ink(colour: Colour, theme: Theme) -> str:
    return theme.white if colour is Colour.WHITE else theme.red


def _sign(kind: str, middle: Cell, size: int, colour: Colour, theme: Theme) -> str:
    """Return one sign about its middle; ``size`` is half its width."""
    across, down = middle
    ink = _ink(colour, theme)
    if kind == "target":
        at = f'cx="{across}" cy="{down}"'
        return (
            f'<circle {at} r="{size + 4}" fill="{theme.seam}" stroke="{theme.attack}" '
            f'stroke-width="4"/><circle {at} r="{size - 4}" fill="none" stroke="{ink}" '
            f'stroke-width="4"/><circle {at} r="{size // 4 + 1}" fill="{ink}"/>'
        )
    box, arm = size + 3, size // 2
    return (
        f'<rect x="{across - box}" y="{down - box}" width="{2 * box}" height="{2 * box}" rx="7" '
        f'fill="{theme.seam}" stroke="{theme.corner}" stroke-width="3"/>'
        f'<path d="M{across - arm} {down - arm - 1}V{down + arm}H{across + arm + 1}" '
        f'fill="none" stroke="{ink}" stroke-width="6"/>'
    )


@dataclass(frozen=True)
class _Entry:
    """A sample and its meaning."""

    kind: str
    text: str


class Legend:
    """The legend of the marks of threats, on as many lines as the width needs.

    ``height`` is the height of all lines; 0 without threats.
    """

    def __init__(self, threats: Threats, width: int) -> None:
        entries = []
        if threats.attacks:
            entries += [_Entry("target", "wins next turn"), _Entry("attack", "attack")]
        if threats.corners:
            entries.append(_Entry("corner", "corner"))
        if threats.doubles:
            entries.append(_Entry("L", "makes two attacks"))
        self._lines: list[list[tuple[int, _Entry]]] = []
        room = 0
        for entry in entries:
            needed = _SAMPLE + _LETTER * len(entry.text)
            if room + _BETWEEN + needed > width or not self._lines:
                self._lines.append([])
                room = -_BETWEEN
            self._lines[-1].append((room + _BETWEEN, entry))
            room += _BETWEEN + needed
        self.height = _LINE * len(self._lines)

    def draw(self, left: int, top: int, theme: Theme) -> Iterator[str]:
        """Yield the legend with its top left corner at this place."""
        if not self._lines:
            return
        yield f'<g fill="{theme.label}" {FONT} font-size="24">'
        for number, line in enumerate(self._lines):
            down = top + _LINE * number + _LINE // 2
            for start, entry in line:
                yield from self._sample(entry.kind, left + start, down, theme)
                yield f'<text x="{left + start + _SAMPLE}" y="{down + 8}">{entry.text}</text>'
        yield "</g>"

    def _sample(self, kind: str, left: int, down: int, theme: Theme) -> Iterable[str]:
        """Yield a piece of track with its halo, or a sign of each player."""
        if kind in ("target", "L"):
            for number, colour in enumerate(Colour):
                yield _sign(kind, (left + 11 + 25 * number, down), 8, colour, theme)
            return
        halo = theme.attack if kind == "attack" else theme.corner
        for ink, width in ((halo, 16), (theme.white, 8)):
            yield (
                f'<path d="M{left + 4} {down}H{left + 44}" stroke="{ink}" stroke-width="{width}" '
                'stroke-linecap="round"/>'
            )
