"""Players as the command line names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from loopline.game import STANDARD, Variant
from loopline.host.clock import UNTIMED, Clock
from loopline.host.contest.link import ContestDevice
from loopline.host.errors import DeviceError, UsageError
from loopline.host.players.base import Player
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.person import Person
from loopline.host.players.software import SOFTWARE
from loopline.host.transport.engine import find_model, is_model
from loopline.host.transport.line_spec import LINE_HELP, LINE_KINDS, Endpoint, find_endpoint
from loopline.host.transport.simulated import SimulatedLine, thinking_arguments
from loopline.host.transport.tcp_line import TcpListener
from loopline.host.transport.transport import remarking

__all__ = ["PLAYER_HELP", "PLAYER_TABLE", "PlayerOpener", "open_player"]

PLAYER_TABLE = """\
PLAYER is one of
  sim                      a simulated board of its own
  model[:NAME=VALUE,...]   the gateware's search in software; names are time,
                           nodes, depth, cycles, seed and those of its search
  PORT or PORT@BAUD        a board at a serial port, also port:PORT@BAUD
  cmd:PROGRAM ARGUMENTS    a program that speaks the contest's protocol on
                           standard input and output
  tcp:HOST:PORT            a player that listens there
  tcp-listen:[HOST:]PORT   a player that calls us
  human                    a person at this terminal
  random[:SEED]            any legal turn
  greedy[:SEED]            wins in one, does not lose in one, attacks
  reference[:SEED]         the gateware's search of two turns, in software"""
"""What a spec may be, as lines for the description of a command."""

PLAYER_HELP = (
    f"{LINE_HELP}, model[:NAME=VALUE,...], human, random[:SEED], greedy[:SEED], reference[:SEED]"
)
"""The same in one line, for the help of an option."""


_WORD = re.compile(r"[a-z-]+")
"""What looks like the name of a kind, and not like a port."""


def _quiet(_text: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class PlayerOpener:
    """Opens players, all in the same way.

    Parameters
    ----------
    variant : Variant
        What they will play. A simulated board is built for it; of a contest player it is believed.
    code : bool
        Whether a contest player is asked for its code with ``-T``, which the contest does not. A
        simulated board of our own always is.
    clock : Clock
        The time that they will have: a simulated board thinks no longer than fits into it.
    wait : float
        The seconds that a player has to be there, such as one who calls by TCP.
    settle : float
        The seconds that a program has for its beginning, if it is not asked for its code.
    timeout : float or None
        The seconds for a turn where no clock says it; None: as usual for this kind of player.
    notice : callable
        Takes a line of text whenever there is something to wait for.
    """

    variant: Variant = STANDARD
    code: bool = True
    clock: Clock = UNTIMED
    wait: float = 60.0
    settle: float = 0.0
    timeout: float | None = None
    notice: Callable[[str], None] = _quiet

    def open(self, spec: str) -> Player:
        """Open one player; parameters and errors are those of :func:`open_player`."""
        begun = self._begin(spec)
        return self._finish(begun) if isinstance(begun, Endpoint) else begun

    def open_both(self, white: str, red: str) -> tuple[Player, Player]:
        """Open two players who can be there in any order, and wait for both at the same time.

        Raises
        ------
        UsageError
            If a spec names no player, or both name the one that can be there only once.
        DeviceError
            If one or both are not there; both reasons are told.
        """
        if white == red and white.partition(":")[0] not in _SHARED:
            raise UsageError(f"{white!r} can play one colour only")
        errors: list[str] = []
        begun: dict[str, Player | Endpoint] = {}
        players: list[Player] = []
        with ExitStack() as opened:
            for colour, spec in ("white", white), ("red", red):
                with _noting(colour, errors):
                    begun[colour] = self._begin(spec)
                    opened.callback(_close, begun[colour])
            for colour, each in begun.items():
                with _noting(colour, errors):
                    players.append(self._finish(each) if isinstance(each, Endpoint) else each)
            if errors:
                raise DeviceError("; ".join(errors))
            opened.pop_all()
        return players[0], players[1]

    def _begin(self, spec: str) -> Player | Endpoint:
        """Start what a spec names, or open it at once if that takes no time."""
        kind, colon, rest = spec.partition(":")
        if kind in SOFTWARE:
            return SOFTWARE[kind](_seed(spec, rest) if colon else None)
        if spec == "human":
            return Person()
        if is_model(spec):
            return find_model(spec, self.variant, self.clock)
        if _WORD.fullmatch(kind) and kind not in LINE_KINDS and not Path(spec).exists():
            raise UsageError(f"{spec!r} is no player: use {PLAYER_HELP}")
        # The answer to -T shows that a program has begun.
        return find_endpoint(spec, self._sim_arguments(), 0.0 if self.code else self.settle)

    def _sim_arguments(self) -> tuple[str, ...]:
        """What a simulated board is told: what it plays, and how long it may think."""
        variant = () if self.variant == STANDARD else ("--variant", self.variant.name)
        return (*variant, *thinking_arguments(self.clock.allows(excesses=1)))

    def _finish(self, endpoint: Endpoint) -> Player:
        """Wait for the far end, and greet it."""
        transport = endpoint.transport
        try:
            if isinstance(transport, SimulatedLine):
                self.notice("Starting the simulated board; the first time it is built first ...")
            if isinstance(transport, TcpListener):
                self.notice(f"Waiting for a player to call {transport.path} ...")
            with remarking(transport):
                transport.open(self.wait)
            greeting_timeout = self.timeout or endpoint.greeting_timeout
            device = ContestDevice(transport, self.timeout or endpoint.timeout, greeting_timeout)
            return LinePlayer(device, self.variant, code=self.code or endpoint.ours)
        except BaseException:
            transport.close()
            raise


_SHARED = ("sim", "model", "cmd", "tcp", "human", *SOFTWARE)
"""The kinds of players that can be there twice."""


@contextmanager
def _noting(colour: str, errors: list[str]) -> Iterator[None]:
    """Go on after an error of a device, and note it."""
    try:
        yield
    except DeviceError as error:
        errors.append(f"{colour}: {error}")


def _close(begun: Player | Endpoint) -> None:
    (begun.transport if isinstance(begun, Endpoint) else begun).close()


def open_player(
    spec: str, *, variant: Variant = STANDARD, code: bool = True, clock: Clock = UNTIMED
) -> Player:
    """Open the player that a spec names; to be closed with :meth:`Player.close`.

    Parameters
    ----------
    spec : str
        As in :data:`PLAYER_HELP`.
    variant, code, clock
        As in :class:`PlayerOpener`, which has more to set.

    Raises
    ------
    UsageError
        If the spec names no kind of player, or one that cannot play the variant.
    DeviceError
        If there is no such player, or it does not answer.
    """
    return PlayerOpener(variant=variant, code=code, clock=clock).open(spec)


def _seed(spec: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"{spec!r}: a seed is a number, as in {spec.partition(':')[0]}:1")
    return int(text)
