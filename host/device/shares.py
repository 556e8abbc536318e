"""The turns of a position, shared out among devices: which to search next, and which is the best.

The first device searches the position. The others look farther ahead after single turns of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from loopline.game import Turn
from loopline.game.wire import WIN_BOUND, WIN_SCORE, Verdict
from loopline.host.device.answers import SearchReport

__all__ = ["Share", "Shares", "before"]

_FIRST_DEPTH: Final = 2
"""The depth at which all turns are put in order."""

_FEWEST: Final = 2
"""So many turns are searched deeper and deeper to the end."""


class Share(NamedTuple):
    """A turn of the position, and how many turns to look ahead, this one included."""

    turn: Turn
    depth: int


class Shares:
    """The turns of a position, and what is known of each of them. Not safe for threads.

    Parameters
    ----------
    turns : sequence of Turn
        The turns to share out: the legal ones that do not end the game.
    most : int
        The most turns to look ahead.
    """

    def __init__(self, turns: Sequence[Turn], most: int) -> None:
        self._most = most
        self._depth = _FIRST_DEPTH
        self._order = list(turns)
        self._waiting = list(turns)
        self._whole: SearchReport | None = None
        self._found: dict[Turn, dict[int, SearchReport]] = {turn: {} for turn in turns}

    def note(self, whole: SearchReport) -> None:
        """Take a result of the search of the position, which goes on or has ended."""
        if whole.variation:
            self._whole = whole

    def next(self) -> Share | None:
        """Return what to search next; None if there is nothing as yet.

        The first round has all turns, two turns ahead. Each other round is one turn deeper than the
        one before, and than the search of the position so far. It has the best turn of that search,
        and the better half of the turns of the round before, the best ones first; two at least, and
        none that is known to win or to lose by force.
        """
        done = self._whole.depth if self._whole else 0
        if not self._waiting:
            self._order.sort(key=self._last_score, reverse=True)
            del self._order[max(_FEWEST, (len(self._order) + 1) // 2) :]
            self._begin(max(self._depth, done) + 1)
        elif _FIRST_DEPTH < self._depth <= done:
            self._begin(done + 1)
        if self._depth > self._most or not self._waiting:
            return None
        return Share(self._waiting.pop(0), self._depth)

    def _begin(self, depth: int) -> None:
        """Begin the round of this depth."""
        self._depth = depth
        best = self._whole.variation[0] if self._whole else None
        turns = [turn for turn in self._order if turn != best]
        if best is not None and best in self._found:
            turns.insert(0, best)
        self._waiting = [turn for turn in turns if not self._is_proved(turn)]

    def take(self, share: Share, after: SearchReport) -> None:
        """Take the result of the search after a turn; one that is not complete is ignored.

        A forced win or loss counts at any depth. But a search that was ended within an iteration
        may have a loss that only the turns so far have: it counts when it is no farther away than
        the search is complete.
        """
        found = before(share.turn, after)
        wins = found.score >= WIN_BOUND and WIN_SCORE + after.score <= after.depth
        if found.depth >= share.depth or wins or found.score <= -WIN_BOUND:
            self._found[share.turn][share.depth] = found

    def put_back(self, share: Share) -> None:
        """Take back what was not searched; it is next again, unless its round is over."""
        if share.depth == self._depth:
            self._waiting.insert(0, share.turn)

    def best(self, whole: SearchReport) -> SearchReport:
        """Return the best answer: ``whole``, that of the search of the position, or a better one.

        1. A turn that wins by force, the sooner the better.
        2. Otherwise, if the turn of ``whole`` was searched deeper than in ``whole``: of all turns
           that were searched as deep, the one with the best score.
        3. If that turn loses by force, the turn with the best score of all, each as deep as it was
           searched.
        4. Otherwise ``whole``.
        """
        if not whole.variation:
            return whole
        mine = self._found.get(whole.variation[0], {})
        every = [found[max(found)] for found in self._found.values() if found]
        wins = [each for each in [whole, *every] if each.score >= WIN_BOUND]
        if wins or not mine or max(mine) <= whole.depth:
            rivals = wins or [whole]
        else:
            depth = max(mine)
            as_deep = [found[depth] for found in self._found.values() if depth in found]
            rivals = [mine[depth], *as_deep]
            if max(each.score for each in rivals) <= -WIN_BOUND:
                rivals += every
        return max(rivals, key=lambda each: each.score)

    def _last_score(self, turn: Turn) -> int:
        found = self._found[turn]
        return found[max(found)].score if found else -WIN_BOUND

    def _is_proved(self, turn: Turn) -> bool:
        return any(abs(each.score) >= WIN_BOUND for each in self._found[turn].values())


def before(turn: Turn, after: SearchReport) -> SearchReport:
    """Return what a search of the position after a turn says of this turn, for its own side.

    The score changes its sign, the depth counts the turn, and a win or loss by force is one turn
    farther away.
    """
    score, verdict = -after.score, Verdict.SAFE
    if score >= WIN_BOUND:
        score, verdict = score - 1, Verdict.WIN
    elif score <= -WIN_BOUND:
        score, verdict = score + 1, Verdict.LOSING
    return replace(
        after,
        verdict=verdict,
        score=score,
        depth=after.depth + 1,
        variation=(turn, *after.variation),
    )
