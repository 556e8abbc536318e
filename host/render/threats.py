"""The threats of a position, for drawings and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from loopline.game import (
    Attack,
    Colour,
    Corner,
    LThreat,
    OpenTrack,
    Position,
    Turn,
    attacks,
    corners,
    format_old_turn,
    l_threats,
    open_tracks,
    space_name,
)
from loopline.host.render.view import Cell

__all__ = ["Threats"]


@dataclass(frozen=True)
class Threats:
    """The threats of both players, whichever is to move; see :mod:`loopline.game.threats`.

    Parameters
    ----------
    attacks, corners : tuple
        The results of :func:`.attacks` and :func:`.corners`, white ones first.
    l_threats : Mapping
        The results of :func:`.l_threats`, by player.
    tracks : tuple of OpenTrack
        All tracks with two ends.
    wins, doubles : Mapping
        The spaces where a turn wins, and those where it makes two attacks, with the players that
        can make that turn.
    """

    attacks: tuple[Attack, ...]
    corners: tuple[Corner, ...]
    l_threats: Mapping[Colour, tuple[LThreat, ...]]
    tracks: tuple[OpenTrack, ...]
    wins: Mapping[Cell, frozenset[Colour]]
    doubles: Mapping[Cell, frozenset[Colour]]

    @classmethod
    def of(cls, position: Position, progress: Callable[[int, int], None] | None = None) -> Threats:
        """Find the threats; there are none if the game is over.

        This takes seconds in a large formation. ``progress`` is called with the number of steps
        done and of all steps.
        """
        if position.ending:
            return cls((), (), dict.fromkeys(Colour, ()), (), {}, {})
        found: list[Attack] = []
        curved: list[Corner] = []
        double: dict[Colour, tuple[LThreat, ...]] = {}
        for step, colour in enumerate(Colour):
            found += attacks(position, colour)
            curved += corners(position, colour)
            if progress:
                progress(2 * step + 1, 2 * len(Colour))
            double[colour] = tuple(l_threats(position, colour))
            if progress:
                progress(2 * step + 2, 2 * len(Colour))
        return cls(
            attacks=tuple(found),
            corners=tuple(curved),
            l_threats=double,
            tracks=tuple(open_tracks(position)),
            wins=_spaces(position, [(turn, a.colour) for a in found for turn in a.turns]),
            doubles=_spaces(position, [(t.turn, c) for c in Colour for t in double[c]]),
        )

    def sentences(self, position: Position, notation: str) -> Iterator[str]:
        """Yield lines of text that name all threats, with turns in this notation.

        The first line explains the letters of :func:`.board_text`.
        """
        if self.wins or self.doubles:
            yield "W, R: white, red wins there next turn. w, r: can make two attacks there."

        def listed(turns: tuple[Turn, ...]) -> str:
            old = notation == "old"
            return ", ".join(format_old_turn(position, t) if old else str(t) for t in turns)

        for colour in Colour:
            name = colour.name.capitalize()
            for attack in self.attacks:
                if attack.colour is colour:
                    kind = "a loop" if attack.loop else "a line"
                    yield f"{name} attacks, to win by {kind}: {listed(attack.turns)}."
            for corner in self.corners:
                if corner.track.colour is colour:
                    first, last = (
                        space_name(*position.label(*cell))
                        for cell in (corner.track.cells[0], corner.track.cells[-1])
                    )
                    where = first if first == last else f"{first} to {last}"
                    yield f"{name} has a corner, {where}: {listed(corner.turns)}."
            if self.l_threats[colour]:
                turns = tuple(threat.turn for threat in self.l_threats[colour])
                yield f"{name} can make two attacks at once: {listed(turns)}."


def _spaces(
    position: Position, turns: Iterable[tuple[Turn, Colour]]
) -> dict[Cell, frozenset[Colour]]:
    """Return the spaces that turns name, with the players that make these turns."""
    found: dict[Cell, frozenset[Colour]] = {}
    for turn, colour in turns:
        space = position.locate(turn)
        found[space] = found.get(space, frozenset()) | {colour}
    return found
