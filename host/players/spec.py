"""Players as the command line names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Final

from loopline.game import STANDARD, Variant
from loopline.host.clock import CONTEST, UNTIMED, Clock
from loopline.host.contest.link import ContestDevice
from loopline.host.device.endpoint import find_device_endpoint, is_no_kind, split_devices
from loopline.host.device.group import open_devices
from loopline.host.device.limits import SearchLimits, engine_limits, split_limits
from loopline.host.errors import DeviceError, DeviceSilentError, UsageError
from loopline.host.players.base import Player
from loopline.host.players.device_player import DevicePlayer
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.person import Person
from loopline.host.players.software import SOFTWARE
from loopline.host.transport.engine import (
    engine_argv,
    is_engine,
    start_engine,
    thinking_seconds,
)
from loopline.host.transport.line_spec import LINE_HELP, Endpoint, plan_endpoint
from loopline.host.transport.serial_line import SerialLine
from loopline.host.transport.simulated import (
    LONGEST_THINKING_MS,
    SimulatedLine,
    is_simulated,
    thinking_arguments,
)
from loopline.host.transport.tcp_line import TcpListener
from loopline.host.transport.transport import remarking
from loopline.tools.arguments import seed

__all__ = ["LEVELS", "PLAYER_HELP", "PLAYER_TABLE", "STARTING", "PlayerOpener", "check_player"]

STARTING = "Starting the simulated board; the first time it is built first ..."
"""What is said while a simulated board starts."""

PLAYER_TABLE = """\
PLAYER is one of
  sim[:NAME=VALUE,...]     a simulated board, started for the game; names are
                           time, nodes and depth, also for a board at a port,
                           and lanes, grid, clock and ponder (loopline sim)
  engine[:NAME=VALUE,...]  the gateware's search in software; names are time,
                           nodes, depth, cycles, seed and those of its search
  PORT or PORT@BAUD        a board at a serial port, also port:PORT@BAUD
  DEVICE,DEVICE,...        several of these, which search together
                           (docs/devices.md); settings stand behind the last
  cmd:PROGRAM ARGUMENTS    a program that speaks the contest's protocol on
                           standard input and output
  tcp:HOST:PORT            a player that listens there
  tcp-listen:[HOST:]PORT   a player that connects to this machine
  human                    a person at this terminal
  random[:SEED]            any legal turn
  greedy[:SEED]            wins in one, does not lose in one, attacks"""
"""What a spec may be, as lines for the description of a command."""

LEVELS: Final = {
    "beginner": "random",
    "easy": "greedy",
    "medium": "engine:nodes=100",
    "hard": "engine:nodes=1000",
    "strongest": "engine",
}
"""The levels of play against a program, from the weakest on, and their players."""

PLAYER_HELP = f"{LINE_HELP}, engine[:NAME=VALUE,...], human, random[:SEED], greedy[:SEED]"
"""The same in one line, for the help of an option."""


@dataclass(frozen=True)
class PlayerOpener:
    """Opens players for games of one variant and clock.

    Parameters
    ----------
    variant : Variant
        The variant. A simulated board is built for it; a contest player is trusted to play it.
    code : bool
        Whether to ask a contest player for its code with ``-T``, which the contest does not do. A
        simulated board is always asked.
    clock : Clock
        The clock of the games: a simulated board thinks no longer than it allows.
    wait : float
        The seconds to wait for a player, such as one that connects by TCP.
    settle : float
        The seconds that a program has to start, if it is not asked for its code.
    timeout : float or None
        The seconds for a turn without a clock; None: the usual ones of this kind of player.
    start : float | None
        The seconds until a program or the engine answers ``-T``, as ``--start-timeout`` sets them;
        None: the usual ones.
    notice : callable
        Takes a line of text while a player is waited for.
    frames : bool
        Whether a simulated board and the engine play by frames, which tell what they think and can
        be stopped, and not by contest lines.
    watched : bool
        Whether somebody waits for the turns: without a clock, a simulated board then thinks as long
        by the PC's clock as a board does by its own.
    """

    variant: Variant = STANDARD
    code: bool = True
    clock: Clock = UNTIMED
    wait: float = 60.0
    settle: float = 0.0
    timeout: float | None = None
    start: float | None = None
    notice: Callable[[str], None] = lambda _text: None
    frames: bool = False
    watched: bool = False

    def open(self, spec: str) -> Player:
        """Open the player that a spec names; to be closed with :meth:`Player.close`.

        Raises
        ------
        UsageError
            If the spec names no kind of player, or one that cannot play the variant.
        MissingExtraError
            If a simulated board or the engine is not installed; see :mod:`loopline.tools.extras`.
        DeviceError
            If there is no such player, or it does not answer.
        """
        begun = self._plan(spec)()
        return self._finish(begun) if isinstance(begun, Endpoint) else begun

    def open_both(self, white: str, red: str) -> tuple[Player, Player]:
        """Open two players; both are waited for at the same time.

        Raises
        ------
        UsageError
            If a spec is not valid, or both name a player that can exist only once.
        MissingExtraError
            As :meth:`open`.
        DeviceError
            If one or both cannot be opened; the text has both reasons.
        """
        kinds = {name.partition(":")[0] for name in split_devices(white)}
        if white == red and not kinds <= set(_SHARED):
            raise UsageError(f"{white!r} can play one colour only")
        plans = {"white": self._plan(white), "red": self._plan(red)}
        errors: list[str] = []
        begun: dict[str, Player | Endpoint] = {}
        players: list[Player] = []
        with ExitStack() as opened:
            for colour, begin in plans.items():
                with _noting(colour, errors):
                    begun[colour] = begin()
                    opened.callback(_close, begun[colour])
            for colour, each in begun.items():
                with _noting(colour, errors):
                    players.append(self._finish(each) if isinstance(each, Endpoint) else each)
            if errors:
                raise DeviceError("; ".join(errors))
            opened.pop_all()
        return players[0], players[1]

    def _plan(self, spec: str) -> Callable[[], Player | Endpoint]:
        """Check a spec, and return a call that starts its endpoint or opens its player."""
        if len(split_devices(spec)) > 1:
            return self._plan_group(*split_limits(spec))
        kind, colon, rest = spec.partition(":")
        if kind in SOFTWARE:
            number = _seed(spec, rest) if colon else None
            return lambda: SOFTWARE[kind](number)
        if spec == "human":
            return lambda: Person(clock=self.clock)
        if is_engine(spec):
            engine_argv(spec)
            known = engine_limits(spec) if self.frames else None
            if known is not None:
                return lambda: self._open_device(spec, known)
            return lambda: start_engine(spec, self.variant, self.clock)
        if is_no_kind(spec):
            raise UsageError(f"{spec!r} is not a player: use {PLAYER_HELP}")
        device, limits = split_limits(spec)
        if limits or (self.frames and is_simulated(spec)):
            # Contest lines cannot say them.
            find_device_endpoint(device)
            return lambda: self._open_device(device, limits)
        arguments = self._sim_arguments(spec) if is_simulated(spec) else ()
        # The answer to -T shows that a program has begun.
        return plan_endpoint(spec, arguments, 0.0 if self.code else self.settle)

    def _plan_group(self, devices: str, limits: SearchLimits) -> Callable[[], Player]:
        """Check devices that search together, and return a call that opens them."""
        for name in split_devices(devices):
            kind = name.partition(":")[0]
            if kind in SOFTWARE or kind == "human":
                raise UsageError(f"{name!r} cannot search together with a device")
            find_device_endpoint(name)
        return lambda: self._open_device(devices, limits)

    def _open_device(self, devices: str, limits: SearchLimits) -> DevicePlayer:
        simulated = any(map(is_simulated, split_devices(devices)))
        if simulated:
            self.notice(STARTING)
        player = DevicePlayer(open_devices(devices), self._limited(limits, simulated))
        player.tell(self.notice)
        return player

    def _limited(self, limits: SearchLimits, simulated: bool) -> SearchLimits:
        """Return where a device's search ends whose spec sets these limits: at the clock's, too."""
        # A clock's grace is not for searches.
        seconds = thinking_seconds(self.clock)
        if seconds is None and not limits and simulated and self.watched:
            seconds = LONGEST_THINKING_MS / 1000
        if seconds is None or (limits.seconds is not None and limits.seconds < seconds):
            return limits
        return replace(limits, seconds=seconds)

    def _sim_arguments(self, spec: str) -> tuple[str, ...]:
        """Return more arguments for a simulated board: its variant and its time per turn."""
        variant = () if self.variant == STANDARD else ("--variant", self.variant.name)
        seconds = self.clock.allows(excesses=1)
        if seconds is None and self.watched:
            seconds = CONTEST.allows(excesses=1)
        return (*variant, *thinking_arguments(spec, seconds))

    def _finish(self, endpoint: Endpoint) -> Player:
        """Wait for the far end, and ask for its code."""
        transport = endpoint.transport
        try:
            if isinstance(transport, SimulatedLine):
                self.notice(STARTING)
            if isinstance(transport, TcpListener):
                self.notice(f"Waiting for a player to call {transport.path} ...")
            with remarking(transport):
                transport.open(self.wait)
            start = None if isinstance(transport, SerialLine) else self.start
            greeting_timeout = self.timeout or start or endpoint.greeting_timeout
            device = ContestDevice(transport, self.timeout or endpoint.timeout, greeting_timeout)
            try:
                return LinePlayer(device, self.variant, code=self.code or endpoint.ours)
            except DeviceSilentError as error:
                if start is None:
                    raise
                raise DeviceSilentError(f"{error} (--start-timeout sets the time)") from error
        except BaseException:
            transport.close()
            raise


_SHARED = ("sim", "engine", "cmd", "tcp", "human", *SOFTWARE)
"""The kinds of players that can play both colours."""


@contextmanager
def _noting(colour: str, errors: list[str]) -> Iterator[None]:
    """Note a DeviceError, and go on."""
    try:
        yield
    except DeviceError as error:
        errors.append(f"{colour}: {error}")


def _close(begun: Player | Endpoint) -> None:
    (begun.transport if isinstance(begun, Endpoint) else begun).close()


def check_player(spec: str) -> None:
    """Check that a spec names a kind of player, and sets what it has; nothing is started.

    Raises :exc:`UsageError` if not, and :exc:`MissingExtraError` if it is not installed.
    """
    PlayerOpener()._plan(spec)


def _seed(spec: str, text: str) -> int:
    try:
        return seed(text)
    except ValueError as error:
        example = f"{spec.partition(':')[0]}:1"
        raise UsageError(f"{spec!r}: a seed is a number, as in {example}") from error
