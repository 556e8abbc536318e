"""``loopline player``: a device as a player on standard input and output, for other referees."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from functools import partial

from loopline.game import Colour, Position, Variant, record_of
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import add_save, record_file
from loopline.host.cli.options.limits import add_limits, limited
from loopline.host.cli.options.positions import add_variant
from loopline.host.contest.bridge import Bridge
from loopline.host.contest.link import ContestDevice
from loopline.host.errors import UsageError
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.player_line import PlayerLine
from loopline.host.players.spec import PLAYER_TABLE, STARTING, PlayerOpener
from loopline.host.records.record_file import RecordFile
from loopline.tools.arguments import seconds
from loopline.tools.messages import tell

__all__ = ["COMMANDS"]

_LONGEST_TURN = 600.0
"""The seconds that a player in this process may take for a turn."""

_DESCRIPTION = f"""
Let a player speak the contest's protocol on standard input and output, so that other referees can
use it: -T asks for its code, -W lets it open, -B lets it wait, any other
line is the opponent's turn; each is answered by one line at most. Loopline's own devices also
accept -S, after which the turns that follow are only made, and -G, after which the device plays on
for the side to move. When the input ends, the program waits for the answers that are still due.

A simulated board plays the variant that is named. Any other device plays the variant that it was
built for; then the option only decides when a game is over.

{PLAYER_TABLE}
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", required=True, metavar="PLAYER", help="who plays, see above")
    add_variant(parser, "what the device plays")
    add_limits(parser)
    add_save(parser, "add the records of all games to FILE, each when the next one begins")
    parser.add_argument(
        "--timeout",
        type=seconds(0.001),
        metavar="SECONDS",
        help="how long to wait for the device (a port: 3, the simulated board: 120)",
    )


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _keep(file: RecordFile, name: str, position: Position, colour: Colour) -> None:
    """Save a game. The protocol tells neither the opponent's name nor resignations."""
    tags = {colour.name.capitalize(): name, "Date": date.today().isoformat()}
    file.add(record_of(position, tags=tags))


def _notice(text: str) -> None:
    """Tell a notice. That a board starts is none: a referee may quote the last one as an error."""
    if text != STARTING:
        tell(text)


def _open(spec: str, variant: Variant, timeout: float | None) -> ContestDevice:
    """Open the player; errors are those of :meth:`.PlayerOpener.open`."""
    if spec == "human":
        raise UsageError("'human' types at a terminal: here the input is the contest's protocol")
    longest = timeout or _LONGEST_TURN
    player = PlayerOpener(variant=variant, wait=longest, timeout=timeout, notice=_notice).open(spec)
    if isinstance(player, LinePlayer):
        return player.device
    return ContestDevice(PlayerLine(player, variant, timeout), longest)


def _run(arguments: argparse.Namespace) -> int:
    file = record_file(arguments)
    variant: Variant = arguments.variant
    with _open(limited(arguments, arguments.device), variant, arguments.timeout) as device:
        keep = partial(_keep, file, device.name) if file else None
        Bridge(device, _write, variant, keep).run(sys.stdin.fileno())
    return 0


COMMANDS = {
    "player": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline player --device sim --variant limited",
            "loopline player --device greedy:7",
            r"printf -- '-T\n-W\n' | loopline player --device /dev/ttyUSB0@19200",
        ),
        configure=_configure,
        run=_run,
    )
}
