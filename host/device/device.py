"""A device that speaks the framed link, as every host program sees it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self

from loopline.game import STANDARD, Turn, Variant
from loopline.game.wire import COMMANDS, Command, area_and_flags
from loopline.host.device import games, questions
from loopline.host.device.answers import (
    Answer,
    BoardPosition,
    Candidate,
    Counters,
    GameState,
    Identity,
    SearchReport,
    SelfTest,
)
from loopline.host.device.session import Session
from loopline.host.errors import UsageError

__all__ = ["Device"]

_LARGEST_LIMIT: Final = 0xFFFF_FFFF
_MOST_BACK: Final = 0xFF
_MOST_DEPTH: Final = 0xFF


class Device:
    """A device and the game on it. A context manager; made by :func:`~.open_device`.

    Every method is answered, or raises a :exc:`~loopline.host.errors.DeviceError`: of
    :mod:`.errors`; DeviceSilentError and DeviceGoneError if the device does not answer any more
    and does not come back. A device that comes back, or was reset, has its game set up again.

    One thread uses a device at a time; only :meth:`stop` may come from another.

    Parameters
    ----------
    session : Session
        The device, greeted; closed with this.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stopped = threading.Event()

    @property
    def name(self) -> str:
        """How to call the device in a message."""
        return self._session.name

    @property
    def identity(self) -> Identity:
        """Who it is, as it said when it was opened or when its rate was changed."""
        return self._session.identity

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the game that was begun here; none before one was."""
        return tuple(self._session.game.turns) if self._session.game else ()

    @property
    def mended(self) -> int:
        """How often its game had to be set up again."""
        return self._session.mended

    # Games.

    def new_game(self, variant: Variant = STANDARD, turns: Sequence[Turn | str] = ()) -> GameState:
        """Drop what the device does and begin a game, with turns that are made at once.

        ``made`` and ``status`` of the answer are of all these turns, as for :meth:`play`.

        Raises
        ------
        UsageError
            If no device knows the variant.
        """
        try:
            area, rules = area_and_flags(variant)
        except ValueError as error:
            raise UsageError(str(error)) from None
        return games.begin(self._session, area, rules, games.read_turns(turns))

    def play(self, *turns: Turn | str) -> GameState:
        """Make turns, White's and Red's in order, up to the first that is refused.

        Nothing is said of that by an exception: see ``status`` of the answer.

        Raises
        ------
        RefusedError
            ``NO_GAME`` if none was begun.
        """
        if not turns:
            raise UsageError("there is no turn to play")
        return games.play(self._session, games.read_turns(turns))

    def take_back(self, count: int = 1) -> GameState:
        """Take turns back, the last one first.

        Raises
        ------
        RefusedError
            ``NOTHING`` if there are fewer, or the game is longer than the device's memory;
            ``NO_GAME`` if there is none.
        """
        if not 1 <= count <= _MOST_BACK:
            raise UsageError(f"1 to {_MOST_BACK} turns are taken back at once, not {count}")
        return games.take_back(self._session, count)

    # Questions about the position.

    def candidates(self, report: Callable[[int], object] | None = None) -> list[Candidate]:
        """All turns whose first tile fits, and what comes of each.

        ``report`` is given how many there are so far; if it returns True, that is enough, and
        CancelledError is raised.
        """
        return questions.candidates(self._session, questions.cancelling(self.name, report))

    def legal_turns(self) -> list[Turn]:
        """All legal turns that fit into the device, in its order."""
        return [candidate.turn for candidate in self.candidates() if candidate.legal]

    def position(self, report: Callable[[int], object] | None = None) -> BoardPosition:
        """The position: tiles, spaces and ends of tracks. ``report`` as for :meth:`candidates`."""
        return questions.position(self._session, questions.cancelling(self.name, report))

    # The search.

    def search(
        self,
        depth: int = 0,
        nodes: int | None = None,
        seconds: float | None = None,
        cycles: int | None = None,
        deadline: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
        report: Callable[[SearchReport], object] | None = None,
    ) -> SearchReport:
        """Have the device look for the best turn; the game stays as it is.

        A limit that is None is not set; a search without any ends where the device ends it.
        :meth:`stop`, from any thread, ends the search with the best turn so far; so do a
        ``stopped`` and a ``report`` that return True. Ctrl-C, or any exception of ``report``, ends
        it too, and is raised when the device has stopped.

        Parameters
        ----------
        depth : int
            Turns to look ahead; 0 for as many as the device can.
        nodes : int or None
            The most turns to try.
        seconds, cycles : float, int or None
            The longest time by the device's clock; if both are given, the shorter. The engine's
            clock counts the cycles that the gateware would take, by a cost model.
        deadline : float or None
            The end of the search by this process's clock, :func:`time.monotonic`.
        stopped : callable
            Called from time to time.
        report : callable or None
            Takes what was found, from time to time.
        """
        limits = [cycles] if cycles is not None else []
        if seconds is not None:
            limits.append(round(seconds * self.identity.clock))
        limit = max(1, min(limits)) if limits else 0
        payload = COMMANDS[Command.SEARCH].pack(
            depth=min(depth, _MOST_DEPTH),
            nodes=min(max(1, nodes), _LARGEST_LIMIT) if nodes is not None else 0,
            cycles=min(limit, _LARGEST_LIMIT),
        )
        self._stopped.clear()

        def take(items: list[Answer]) -> None:
            found = items[-1]
            assert isinstance(found, SearchReport)
            if report and report(found) is True:
                self._stopped.set()

        _, best = self._session.obey(
            Command.SEARCH,
            payload,
            on_item=take,
            stopping=lambda: self._stopped.is_set() or stopped(),
            deadline=deadline,
        )
        assert isinstance(best, SearchReport)
        return best

    def stop(self) -> None:
        """End the search that is under way, if there is one. May come from any thread."""
        self._stopped.set()

    # The device itself.

    def identify(self) -> Identity:
        """Ask again who it is."""
        return self._session.ask_who()

    def statistics(self) -> Counters:
        """What it has counted."""
        _, counters = self._session.obey(Command.STATISTICS)
        assert isinstance(counters, Counters)
        return counters

    def self_test(self) -> SelfTest:
        """Have it test itself; its game is dropped."""
        self._session.game = None
        _, tested = self._session.obey(Command.SELF_TEST)
        assert isinstance(tested, SelfTest)
        return tested

    def reset(self) -> None:
        """Make it as after power-on: no game, counters at zero. Its rate stays."""
        self._session.game = None
        self._session.obey(Command.RESET)

    def set_baud(self, baud: int) -> float:
        """Change the rate on both sides and return the device's, which may differ a little.

        Raises
        ------
        UsageError
            If the device's clock has no such rate.
        DeviceSilentError
            If it does not answer at it; all is as before then.
        """
        return self._session.change_rate(baud)

    def close(self) -> None:
        """Close the way to the device, and end it if it was started for us. Twice is harmless."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()
