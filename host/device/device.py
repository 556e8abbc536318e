"""A device that speaks the framed link, as every host program uses it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from loopline.game import STANDARD, Turn, Variant
from loopline.game.wire import COMMANDS, COUNT_DEPTH, Command, Feature, area_and_flags
from loopline.host.device import games
from loopline.host.device.answers import (
    Answer,
    BoardPosition,
    Candidate,
    Counted,
    Counters,
    GameState,
    Identity,
    SearchReport,
    SelfTest,
    Stopping,
)
from loopline.host.device.endpoint import DEVICE_HELP, find_device_endpoint
from loopline.host.device.errors import RefusedError, WrongDeviceError
from loopline.host.device.exchange import SECONDS_TO_STOP, Timeouts
from loopline.host.device.session import Session
from loopline.host.errors import UsageError

__all__ = ["DEVICE_HELP", "Device", "open_device"]

_LARGEST_LIMIT: Final = 0xFFFF_FFFF
_MOST_CYCLES: Final = _LARGEST_LIMIT - 0xFFF
"""A device's count of cycles wraps, and may pass a limit some hundred cycles late."""
_MOST_BACK: Final = 0xFF
_MOST_DEPTH: Final = 0xFF


class Device:
    """A device and the game on it. A context manager; made by :func:`open_device`.

    Every method returns the device's answer, or raises a
    :exc:`~loopline.host.errors.DeviceError`: one of :mod:`.errors`, or DeviceSilentError or
    DeviceGoneError if the device stops answering and does not come back. The game of a device that
    comes back, or was reset, is set up again.

    One thread uses a device at a time; only :meth:`stop` may come from another.

    Parameters
    ----------
    session : Session
        The device, already greeted. It is closed with this object.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stopped = threading.Event()

    @property
    def name(self) -> str:
        """The name of the device in messages."""
        return self._session.name

    @property
    def identity(self) -> Identity:
        """The identity that the device had when it was opened, or when its rate was changed."""
        return self._session.identity

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the game that was begun here."""
        return tuple(self._session.game.turns) if self._session.game else ()

    @property
    def mended(self) -> int:
        """How often the game had to be set up again."""
        return self._session.mended

    # Games.

    def new_game(self, variant: Variant = STANDARD, turns: Sequence[Turn | str] = ()) -> GameState:
        """Begin a game, and make turns in it. What the device was doing is dropped.

        ``made`` and ``status`` of the answer are those of :meth:`play` for all these turns.

        Raises
        ------
        UsageError
            If the link cannot describe the variant.
        """
        try:
            area, rules = area_and_flags(variant)
        except ValueError as error:
            raise UsageError(str(error)) from None
        return games.begin(self._session, area, rules, games.read_turns(turns))

    def play(self, *turns: Turn | str) -> GameState:
        """Make turns of White and Red in order, up to the first that is refused.

        A refused turn is no exception: see ``status`` of the answer.

        Raises
        ------
        RefusedError
            ``NO_GAME`` if no game was begun.
        """
        if not turns:
            raise UsageError("there is no turn to play")
        return games.play(self._session, games.read_turns(turns))

    def take_back(self, count: int = 1) -> GameState:
        """Take turns back, the last one first.

        Raises
        ------
        RefusedError
            ``NOTHING`` if there are fewer turns, or if the game is longer than the device's
            memory; ``NO_GAME`` if no game was begun.
        """
        if not 1 <= count <= _MOST_BACK:
            raise UsageError(f"1 to {_MOST_BACK} turns are taken back at once, not {count}")
        return games.take_back(self._session, count)

    # Questions about the position.

    def candidates(self, report: Callable[[int], object] | None = None) -> list[Candidate]:
        """Return all turns whose first tile fits, with the outcome of each.

        ``report`` takes the number of turns so far; if it returns True, the list is cancelled and
        CancelledError is raised.
        """
        return games.candidates(self._session, games.cancelling(self.name, report))

    def legal_turns(self) -> list[Turn]:
        """Return all legal turns that fit into the device, in its order."""
        return [candidate.turn for candidate in self.candidates() if candidate.legal]

    def count(self, depth: int = 1) -> Counted:
        """Count the sequences of ``depth`` legal turns; finished games are not continued.

        Raises
        ------
        UsageError
            If the device does not count that far, or not at all: see ``features`` of its identity.
        """
        if Feature.COUNT not in self.identity.features:
            raise UsageError(f"{self.name} does not count turns")
        if not 1 <= depth <= COUNT_DEPTH:
            raise UsageError(f"sequences of 1 to {COUNT_DEPTH} turns are counted, not of {depth}")
        _, counted = self._session.obey(Command.COUNT, COMMANDS[Command.COUNT].pack(depth=depth))
        assert isinstance(counted, Counted)
        return counted

    def position(self, report: Callable[[int], object] | None = None) -> BoardPosition:
        """Return tiles, sockets and ends of tracks. ``report`` as for :meth:`candidates`."""
        return games.position(self._session, games.cancelling(self.name, report))

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
        """Find the best turn; the game stays as it is.

        A limit that is None is not set; a search without any ends where the device ends it.
        :meth:`stop`, from any thread, ends the search with the best turn so far; so do a
        ``stopped`` and a ``report`` that return True. Ctrl-C, or any exception of ``report``, ends
        it too, and is raised when the device has stopped; at once if it was told to stop before.

        Parameters
        ----------
        depth : int
            Turns to look ahead; 0 for as many as possible.
        nodes : int or None
            The most turns to search.
        seconds, cycles : float, int or None
            The longest time by the device's clock; if both are given, the shorter. The engine's
            clock counts the cycles that the gateware would take, by a cost model. ``seconds`` of
            more cycles than a device counts, 2^32, are those of this process's clock.
        deadline : float or None
            The end of the search by this process's clock, :func:`time.monotonic`. A search without
            any limit ends by itself after the time that the device has for a turn.
        stopped : callable
            Called from time to time.
        report : callable or None
            Takes the results so far, from time to time.

        Raises
        ------
        UsageError
            If a limit is below zero, or no number.
        """
        given = {"depth": depth, "nodes": nodes, "seconds": seconds, "cycles": cycles}
        for name, value in given.items():
            # NaN, too: no clock reaches it.
            if value is not None and not value >= 0:
                raise UsageError(f"{name} of a search is 0 or more, not {value}")
        limits = [cycles] if cycles is not None else []
        if seconds is not None:
            if seconds * self.identity.clock <= _MOST_CYCLES:
                limits.append(round(seconds * self.identity.clock))
            else:
                ends = time.monotonic() + seconds
                deadline = ends if deadline is None else min(deadline, ends)
        limit = min(max(1, min(limits)), _MOST_CYCLES) if limits else 0
        if deadline is not None and not depth:
            depth = _MOST_DEPTH  # Without any limit it would end by itself.
        payload = COMMANDS[Command.SEARCH].pack(
            depth=min(depth, _MOST_DEPTH),
            nodes=min(max(1, nodes), _LARGEST_LIMIT) if nodes is not None else 0,
            cycles=limit,
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
        """End the search that is under way, if any. May be called from any thread."""
        self._stopped.set()

    # The device itself.

    def identify(self) -> Identity:
        """Ask for the identity again."""
        return self._session.ask_who()

    def statistics(self) -> Counters:
        """Return the counters."""
        _, counters = self._session.obey(Command.STATISTICS)
        assert isinstance(counters, Counters)
        return counters

    def self_test(self) -> SelfTest:
        """Have the device test itself; its game is dropped."""
        self._session.game = None
        _, tested = self._session.obey(Command.SELF_TEST)
        assert isinstance(tested, SelfTest)
        return tested

    def reset(self) -> None:
        """Return to the state after power-on: no game, counters at zero. The rate stays."""
        self._session.game = None
        self._session.obey(Command.RESET)

    def set_baud(self, baud: int) -> float:
        """Change the rate on both sides, and return the device's, which may differ a little.

        Raises
        ------
        UsageError
            If the device's clock has no such rate.
        DeviceSilentError
            If the device does not answer at this rate; the rate before is set again then.
        """
        return self._session.change_rate(baud)

    def close(self) -> None:
        """Close the connection, and end a program that was started for it. May be called twice."""
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


def _end_search(session: Session) -> None:
    """Stop a search of another host, and wait until it has unmade its turns: until then the device
    is busy."""
    deadline = time.monotonic() + SECONDS_TO_STOP
    while time.monotonic() < deadline:
        _, stopping = session.obey(Command.STOP)
        assert isinstance(stopping, Stopping)
        if not stopping.searching:
            return


def open_device(
    spec: str,
    *,
    built_for: Variant | None = None,
    timeouts: Timeouts | None = None,
    back_within: float = 10.0,
    sim_arguments: Sequence[str] = (),
) -> Device:
    """Open a device and check its identity. A search that is under way there is ended.

    Parameters
    ----------
    spec : str
        As in :data:`DEVICE_HELP`.
    built_for : Variant or None
        The variant that the device's contest games must be of; None: any. A game that is begun by
        frames may be of any variant.
    timeouts : Timeouts or None
        The seconds to wait for answers; None: the usual ones of this kind of device.
    back_within : float
        The seconds that a serial device may take to come back after a disconnection.
    sim_arguments : sequence of str
        Further arguments for a simulated board.

    Raises
    ------
    UsageError
        If ``spec`` names no device.
    MissingExtraError
        If a simulated board or the engine is not installed; see :mod:`loopline.tools.extras`.
    WrongDeviceError
        If another device is there, or one of another version or variant; the text says which.
    DeviceSilentError
        If nothing answers.
    DeviceGoneError
        If the port is not there, in use, or not for this user; or a program does not start.
    """
    session = Session(find_device_endpoint(spec, sim_arguments), timeouts, back_within)
    try:
        identity = session.identity
        if built_for is not None and identity.variant != built_for:
            theirs = identity.variant or "a variant without a name"
            raise WrongDeviceError(f"{session.name} is built for {theirs}, not {built_for}")
        if Feature.SEARCH in identity.features:
            with suppress(RefusedError):
                _end_search(session)
    except BaseException:
        session.close()
        raise
    return Device(session)
