"""Game records: one game per line, judged by the reference model.

Accepted: turns in standard notation separated by blanks; ``#`` starts a comment; lines without a
turn are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from loopline.game import NotationError, Record, read_games, replay
from loopline.host.words import plural

__all__ = ["Verdict", "judge", "judge_lines"]


@dataclass(frozen=True)
class Verdict:
    """What became of one recorded game.

    Attributes
    ----------
    line : int
        The game's line in its file, from 1.
    status : str
        ``won``, ``open``, ``illegal`` (a turn breaks the rules or follows the game's end) or
        ``error`` (a turn cannot be read).
    winner : str or None
        ``white`` or ``red`` if the game is won.
    kind : str or None
        What the winner has, ``loop``, ``line`` or ``loop+line``.
    both : bool
        Whether both colours completed a loop or line on the last turn.
    turns, tiles, width, height : int
        The position after the last good turn.
    error : str or None
        Why the game is illegal or cannot be read, with the number of the turn.
    """

    line: int
    status: str
    winner: str | None
    kind: str | None
    both: bool
    turns: int
    tiles: int
    width: int
    height: int
    error: str | None

    @property
    def good(self) -> bool:
        """Whether the whole record could be played."""
        return self.error is None

    def as_dict(self) -> dict[str, object]:
        """Return the fields by name, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        end = f"{self.winner} wins by {self.kind}" if self.status == "won" else self.status
        if self.both:
            end += " (both colours complete one)"
        if self.error is not None:
            end += f": {self.error};"
        size = f"{plural(self.tiles, 'tile')}, {self.width} x {self.height}"
        return f"line {self.line}: {end} after {plural(self.turns, 'turn')}, {size}"


def judge(record: Record) -> Verdict:
    """Play one recorded game as far as it goes."""
    position, error = replay(record.turns)
    status, reason = "open", None
    if error is not None:
        status = "error" if isinstance(error, NotationError) else "illegal"
        reason = f"turn {position.turns + 1}: {error}"
    result = position.result if error is None else None
    return Verdict(
        line=record.line,
        status="won" if result else status,
        winner=result.winner.name.lower() if result else None,
        kind=result.kind if result else None,
        both=result.both if result else False,
        turns=position.turns,
        tiles=position.tiles,
        width=position.width,
        height=position.height,
        error=reason,
    )


def judge_lines(lines: Iterable[str]) -> Iterator[Verdict]:
    """Judge every game of a file, in order, as soon as its line is read."""
    return map(judge, read_games(lines))
