"""Several devices that search together, used as one.

::

    Analyst, DevicePlayer ──► DeviceGroup ──► the first device: the position
                                   │
                                   └─ Shares ──► every other device: after one of its turns
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from loopline.game import STANDARD, Position, Turn, Variant
from loopline.game.wire import TurnStatus
from loopline.host.device import games
from loopline.host.device.answers import GameState, Identity, SearchReport
from loopline.host.device.device import Device, open_device
from loopline.host.device.endpoint import split_devices
from loopline.host.device.errors import RefusedError
from loopline.host.device.shares import Shares
from loopline.host.errors import DeviceError
from loopline.host.transport.engine import is_engine
from loopline.tools.messages import tell

__all__ = ["DeviceGroup", "open_devices"]

_ANY_DEPTH: Final = 0xFF
_BACK_SECONDS: Final = 10.0
_BACK_SECONDS_IN_GROUP: Final = 1.0
"""The seconds in which a device may come back; those of a group do not wait long for each other."""

_IDLE_SECONDS: Final = 0.02
"""The pause of a device for which there is nothing to search."""

_STOP_SECONDS: Final = 0.1
"""How long a search with a deadline waits for the other devices at its end."""

_CLOSE_SECONDS: Final = 1.0
"""How long a group that is closed waits for the devices that help."""

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class _Work:
    """A search of all devices: what is shared out, and what ends it."""

    shares: Shares
    lock: threading.Lock
    nodes: int | None
    ended: threading.Event = field(default_factory=threading.Event)


@dataclass
class _Helper:
    """A device that takes shares, in its thread; ``nodes`` are those that it has searched."""

    released: threading.Event
    nodes: Future[int]


class DeviceGroup:
    """Devices that search together, with the methods of :class:`.Device` that play and analyse.

    A device that fails is left out, with a message, and its work is done by another; the error of
    the last one is raised. :mod:`.shares` says how the work is shared out.

    Parameters
    ----------
    devices : sequence of Device
        The devices, of which the first one searches the position; closed with the group.

    Attributes
    ----------
    notice : callable
        Takes the message when a device is left out, from any thread; standard error by default.
    """

    def __init__(self, devices: Sequence[Device]) -> None:
        self.notice: Callable[[str], None] = tell
        self._devices = list(devices)
        self._variant = STANDARD
        self._turns: tuple[Turn, ...] = ()
        self._holder: Device | None = None
        # A device that does not stop keeps its own thread only; its next work waits there.
        self._threads = {device: ThreadPoolExecutor(1) for device in devices}
        self._helpers: dict[Device, _Helper] = {}
        self._leaving = threading.Lock()
        self._stopped = threading.Event()

    @property
    def name(self) -> str:
        """The names of the devices that work."""
        return ",".join(device.name for device in self._devices)

    @property
    def identity(self) -> Identity:
        """The identity of the first device."""
        return self._devices[0].identity

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the game."""
        return self._turns

    def new_game(self, variant: Variant = STANDARD, turns: Sequence[Turn | str] = ()) -> GameState:
        """Begin a game on the first device; see :meth:`.Device.new_game`."""
        wanted = games.read_turns(turns)
        self._variant, self._turns = variant, ()

        def begin(first: Device) -> GameState:
            state = first.new_game(variant, wanted)
            self._turns, self._holder = first.turns, first
            return state

        return self._do(begin, holding=False)

    def play(self, *turns: Turn | str) -> GameState:
        """Make turns on the first device; see :meth:`.Device.play`."""

        def play(first: Device) -> GameState:
            state = first.play(*turns)
            self._turns = first.turns
            return state

        return self._do(play)

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
        """Find the best turn; see :meth:`.Device.search`.

        The limits are those of the first device, whose end is the end of the search. No other
        device searches more than ``nodes``, or looks farther ahead than ``depth``. ``report`` takes
        what the first device has found. The answer's ``nodes`` are those of all devices. With a
        ``deadline`` a device that does not stop is not waited for: its last nodes are not counted.
        """
        self._stopped.clear()
        shares = Shares(self._open_turns(), depth or _ANY_DEPTH)
        work = _Work(shares, threading.Lock(), nodes)

        def note(found: SearchReport) -> object:
            with work.lock:
                work.shares.note(found)
            return report(found) if report else None

        def lead(first: Device) -> SearchReport:
            return first.search(
                depth=depth,
                nodes=nodes,
                seconds=seconds,
                cycles=cycles,
                deadline=deadline,
                stopped=lambda: self._stopped.is_set() or stopped(),
                report=note,
            )

        helping = []
        try:
            for device in self._devices[1:]:
                released = threading.Event()
                nodes_of = self._threads[device].submit(self._help, device, work, released)
                self._helpers[device] = _Helper(released, nodes_of)
                helping.append(nodes_of)
            whole = self._do(lead)
        finally:
            work.ended.set()
            ended, _ = wait(helping, None if deadline is None else _STOP_SECONDS)
        best = work.shares.best(whole)
        helped = sum(nodes_of.result() for nodes_of in ended)
        return replace(best, nodes=whole.nodes + helped, cycles=whole.cycles)

    def _open_turns(self) -> list[Turn]:
        """Return the turns that do not end the game."""
        position = Position(self._variant)
        for turn in self._turns:
            position.play(turn)
        turns = []
        for turn in position.legal_turns():
            position.play(turn)
            if position.ending is None:
                turns.append(turn)
            position.undo()
        return turns

    def _help(self, device: Device, work: _Work, released: threading.Event) -> int:
        """Search shares until the work ends, or the device fails; return the number of nodes."""
        searched = 0

        def ended() -> bool:
            return work.ended.is_set() or released.is_set()

        while not ended() and (work.nodes is None or searched < work.nodes):
            with work.lock:
                share = work.shares.next()
            if share is None:
                released.wait(_IDLE_SECONDS)
                continue
            left = None if work.nodes is None else work.nodes - searched
            try:
                state = device.new_game(self._variant, [*self._turns, share.turn])
                if state.status is not TurnStatus.LEGAL or state.over:
                    continue  # It does not fit into this device.
                after = device.search(depth=share.depth - 1, nodes=left, stopped=ended)
            except DeviceError as error:
                with work.lock:
                    work.shares.put_back(share)
                self._leave_out(device, error)
                break
            searched += after.nodes
            with work.lock:
                work.shares.take(share, after)
        return searched

    def _do(
        self,
        command: Callable[[Device], _Result],
        *,
        holding: bool = True,
    ) -> _Result:
        """Return what a command to the first device returns; if it fails, to the next one.

        ``holding``: that device has the game.
        """
        while True:
            first = self._devices[0]
            if first in self._helpers:
                helper = self._helpers.pop(first)
                helper.released.set()
                wait([helper.nodes])
            if first is not self._devices[0]:
                continue  # It has failed meanwhile.
            try:
                if holding and self._holder is not first:
                    state = first.new_game(self._variant, self._turns)
                    if state.status is not TurnStatus.LEGAL:
                        raise DeviceError(f"{first.name}: the game does not fit into it")
                    self._holder = first
                return command(first)
            except RefusedError:
                raise
            except DeviceError as error:
                if not self._leave_out(first, error):
                    raise

    def _leave_out(self, device: Device, error: DeviceError) -> bool:
        """Leave a device out; return False if it is the last one, which stays."""
        with self._leaving:
            if len(self._devices) == 1:
                return False
            self._devices.remove(device)
        device.close()
        self.notice(f"{device.name} is left out: {error}")
        return True

    def stop(self) -> None:
        """End the search that is under way, if any. May be called from any thread."""
        self._stopped.set()

    def close(self) -> None:
        """Close all devices, when those that help have stopped; or a second later, if one does not.
        May be called twice."""
        helpers = list(self._helpers.values())
        for helper in helpers:
            helper.released.set()
        _, busy = wait([helper.nodes for helper in helpers], _CLOSE_SECONDS)
        if busy:
            self.notice = lambda _: None  # That they are closed ends them.
        for device in list(self._devices):
            device.close()


def open_devices(spec: str, *, warm: bool = False) -> Device | DeviceGroup:
    """Open the device, or the devices, that a spec names, and check their identities.

    Of several, the one with the largest grid is the first, of equal ones that which is named first.

    Parameters
    ----------
    spec : str
        One or more of :data:`.DEVICE_HELP`, separated by commas.
    warm : bool
        Whether a single engine searches once, too: its first search loads what is compiled, which
        no limit of time is for. Those of a group always do.

    Raises
    ------
    UsageError, MissingExtraError, DeviceError
        As :func:`.open_device`, for the first device that cannot be opened.
    """
    names = split_devices(spec)
    with ExitStack() as opened:
        devices = []
        for name in names:
            back = _BACK_SECONDS if len(names) == 1 else _BACK_SECONDS_IN_GROUP
            devices.append(opened.enter_context(open_device(name, back_within=back)))
            if is_engine(name) and (warm or len(names) > 1):
                devices[-1].new_game(turns=["@0/"])
                devices[-1].search(depth=1)
        opened.pop_all()
    # A game that fits into one of them fits into the first one.
    devices.sort(key=lambda device: device.identity.grid, reverse=True)
    return devices[0] if len(devices) == 1 else DeviceGroup(devices)
