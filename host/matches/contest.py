"""A match or tournament in play: hands out pairs, saves and counts their results."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

from loopline.game import Ending, GameRecord, TraxError, format_records, parse_turn
from loopline.host.cluster.spread import Workers, spread
from loopline.host.errors import UsageError
from loopline.host.matches.elo import Pentanomial
from loopline.host.matches.journal import Journal
from loopline.host.matches.pairs import GameResult, PairResult, PairTask, PlayerCache, play_pair
from loopline.host.matches.plan import Plan
from loopline.host.matches.ratings import Ratings, ratings
from loopline.host.matches.sprt import Sprt, Verdict
from loopline.host.matches.standing import Standing
from loopline.host.records.record_file import tidy
from loopline.host.referee.live_record import LiveRecord
from loopline.host.whole_file import WholeFile, part_beside

__all__ = ["Contest"]


class Contest:
    """Plays a plan to its end, or until a sequential test has reached a verdict.

    The test takes the pairs in the order of their numbers, whatever the order in which they end.
    Its verdict therefore does not depend on the speed of players or machines, and a resumed match
    ends with the same pair. Pairs with a higher number than that one do not count.

    Parameters
    ----------
    plan : Plan
        What to play.
    journal : Journal
        Where pairs are saved; pairs that it has already are not played again.
    games : Path
        The file of records, rewritten from the journal and extended pair by pair. What is there of
        another match stays until the first pair is saved.
    event : str
        The records' tag ``Event``.
    sprt : Sprt or None
        The test, for a match of two players.
    live : LiveRecord or None
        The file for the game in play, for games that are played in this process.

    Attributes
    ----------
    standing : Standing
        The standing after all pairs played.
    played : int
        The number of pairs played.
    in_order : Pentanomial
        The pairs that the test has taken.
    verdict : Verdict
        The test's verdict so far.
    """

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        games: Path,
        event: str,
        sprt: Sprt | None = None,
        live: LiveRecord | None = None,
    ) -> None:
        self.plan = plan
        self.sprt = sprt
        self.standing = Standing(len(plan.specs))
        self.played = 0
        self.in_order = Pentanomial()
        self.verdict = Verdict.OPEN
        self._journal = journal
        self._games = games
        self._event = event
        self._live = live
        self._results: dict[int, PairResult] = {}
        self._next = 1

    @property
    def ratio(self) -> float:
        """The logarithm of the test's likelihood ratio; 0 without a test."""
        return self.sprt.ratio(self.in_order) if self.sprt else 0.0

    @property
    def ratings(self) -> Ratings:
        """The ratings of all players after the games so far."""
        return ratings(len(self.plan.specs), self.standing.pairings)

    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.verdict is not Verdict.OPEN or self._next > self.plan.pairs

    def run(
        self,
        workers: Workers,
        watch: Callable[[Contest], None],
        notice: Callable[[str], None],
    ) -> None:
        """Play the pairs that are left; ``watch`` is called at the start and after each pair.

        ``notice`` takes a line of text while a player is waited for, if all games are played in
        this process.

        Raises
        ------
        UsageError
            If the file of games cannot be written, a game of the journal is not valid, or a player
            cannot play this variant or opening.
        DeviceError
            If a player cannot be opened, or the workers cannot be used. Pairs played until then are
            saved, as after an interrupt.
        """
        WholeFile(self._games)  # Checked before a pair is played.
        with ExitStack() as stack:
            # A file of another match stays until a pair of this one is saved.
            file = self._begin(stack) if self._journal.results else None
            stack.push(lambda kind, *_: self._finish(kind is not None))
            watch(self)
            if self.is_over():
                return
            play: Callable[[PairTask], PairResult] = play_pair
            if workers.here:
                cache = stack.enter_context(PlayerCache(notice))
                play = partial(play_pair, cache=cache, live=self._live)
            answers = spread(play, self._tasks(), workers, name=_name)
            with closing(answers):
                for _, result in answers:
                    if self._journal.add(result):
                        if file is None:
                            file = self._begin(stack)
                        else:
                            with self._writing():
                                self._take(result, file)
                                file.flush()
                        watch(self)
                    if self.is_over():
                        return

    def _begin(self, stack: ExitStack) -> TextIO:
        """Return the file of games with those of the journal, open until the stack ends.

        The last file stays until all of them are written: one of them may not be valid.
        """
        target = Path(os.path.realpath(self._games))
        part = part_beside(target)
        try:
            file = part.open("x", encoding="utf-8")
            stack.callback(self._close, file)
            stack.callback(part.unlink, missing_ok=True)
            self._recover(file)
            file.flush()
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        except BaseException as error:
            # The file has none of the games counted here.
            self._recount(())
            if isinstance(error, OSError):
                raise UsageError(f"cannot write {self._games}: {error.strerror}") from error
            raise
        return file

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn what goes wrong with the file of games into :exc:`UsageError`."""
        try:
            yield
        except OSError as error:
            raise UsageError(f"cannot write {self._games}: {error.strerror}") from error

    def _close(self, file: TextIO) -> None:
        with self._writing():
            file.close()

    def _recover(self, file: TextIO) -> None:
        """Take the pairs of the journal; UsageError if one of their games is not valid."""
        for number, result in sorted(self._journal.results.items()):
            if number > self.plan.pairs:
                break
            try:
                if number > self._next:
                    # It will be written only after pairs that are still to be played.
                    self._text(result)
                self._take(result, file)
            except (TraxError, ValueError) as error:
                raise UsageError(f"{self._journal.path}, pair {number}: {error}") from error

    def _tasks(self) -> Iterator[PairTask]:
        for number in range(1, self.plan.pairs + 1):
            if number not in self._results:
                yield self.plan.task(number)

    def _take(self, result: PairResult, file: TextIO) -> None:
        """Count a pair; write, and hand to the test, all pairs whose turn in the order has come."""
        self._results[result.number] = result
        self._count(result)
        while not self.is_over() and self._next in self._results:
            result = self._results[self._next]
            self._write(result, file)
            self._next += 1
            if self.sprt:
                self.in_order = self.in_order.plus(result.points)
                self.verdict = self.sprt.verdict(self.in_order)
        if self.verdict is not Verdict.OPEN:
            # Pairs with higher numbers do not count.
            self._recount(range(1, self._next))

    def _count(self, result: PairResult) -> None:
        self.standing.add(self.plan.place(result.number)[1], result)
        self.played += 1

    def _recount(self, numbers: Iterable[int]) -> None:
        """Count these pairs only."""
        self.standing, self.played = Standing(len(self.plan.specs)), 0
        for number in numbers:
            self._count(self._results[number])

    def _finish(self, broken_off: bool) -> None:
        """Write the pairs played out of order before an interrupt; remove a file without games.

        The interrupt may have come while a pair was counted or written, so all pairs are counted
        and written again. Another one leaves the file as it was.
        """
        if broken_off:
            if self.verdict is Verdict.OPEN:
                numbers = sorted(self._results)
            else:
                numbers = list(range(1, self._next))
            self._recount(numbers)
            if numbers:
                text = "".join(self._text(self._results[number]) for number in numbers)
                WholeFile(self._games).replace(text)
        if self._journal.results and not self.played:
            self._games.unlink(missing_ok=True)

    def _write(self, result: PairResult, file: TextIO) -> None:
        file.write(self._text(result))

    def _text(self, result: PairResult) -> str:
        """Return the records of a pair; TraxError or ValueError if a game is not valid."""
        round_, players = self.plan.place(result.number)
        records = [
            self._record(game, players, f"{round_}.{number}")
            for number, game in enumerate(result.games, start=1)
        ]
        return ("\n" if result.number > 1 else "") + format_records(map(tidy, records))

    def _record(self, game: GameResult, players: tuple[int, int], round_: str) -> GameRecord:
        names = [self.plan.names[player] for player in players]
        colour = game.winning_colour
        ending = Ending(colour, game.reason)
        tags = {
            "Event": self._event,
            "Date": self._journal.date,
            "Round": round_,
            "White": names[game.white],
            "Red": names[1 - game.white],
            "Opening": str(game.opening),
            "Clock": str(self.plan.clock),
        }
        said = game.explanation and not ending.on_the_board
        comments = {len(game.turns): (game.explanation,)} if said else {}
        turns = tuple(parse_turn(turn) for turn in game.turns)
        return GameRecord(turns, self.plan.variant, ending, tags, comments)


def _name(task: PairTask) -> str:
    return f"pair {task.number}, {' against '.join(task.specs)},"
