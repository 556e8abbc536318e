"""``loopline player``: a device as a player on standard input and output, for other referees."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from functools import partial

from loopline.game import STANDARD, Colour, Position, Variant, record_of
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import add_save, record_file
from loopline.host.cli.options.limits import add_engine_limits, limited
from loopline.host.cli.options.positions import add_variant
from loopline.host.contest.bridge import Bridge
from loopline.host.contest.link import open_device
from loopline.host.records.record_file import RecordFile
from loopline.host.transport.line_spec import LINE_HELP
from loopline.tools.arguments import seconds

__all__ = ["COMMANDS"]

_DESCRIPTION = """
Carry the contest's protocol between standard input and output and a device, so that other referees
can use the device as a player: -T asks for its code, -W lets it open, -B lets it wait, any other
line is the opponent's turn; each is answered by one line at most. Loopline's own devices also
accept -S, after which the turns that follow are only made, and -G, after which the device plays on
for the side to move. When the input ends, the program waits for the answers that are still due.

A simulated board plays the variant that is named. Any other device plays the variant that it was
built for; then the option only decides when a game is over.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", required=True, metavar="DEVICE", help=LINE_HELP)
    add_variant(parser, "what the device plays")
    add_engine_limits(parser)
    add_save(parser, "add the records of all games to FILE, each when the next one begins")
    parser.add_argument(
        "--patience",
        type=seconds(),
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


def _run(arguments: argparse.Namespace) -> int:
    file = record_file(arguments)
    variant: Variant = arguments.variant
    simulated = () if variant == STANDARD else ("--variant", variant.name)
    with open_device(limited(arguments, arguments.device), simulated, arguments.patience) as device:
        keep = partial(_keep, file, device.name) if file else None
        Bridge(device, _write, variant, keep).run(sys.stdin.fileno())
    return 0


COMMANDS = {
    "player": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline player --device sim --variant limited",
            r"printf -- '-T\n-W\n' | loopline player --device /dev/ttyUSB0@19200",
        ),
        configure=_configure,
        run=_run,
    )
}
