"""``loopline player``: a device as a player on standard input and output, for other referees."""

from __future__ import annotations

import argparse
import sys

from loopline.host.bridge import Bridge
from loopline.host.commands import Command
from loopline.host.commands.times import seconds
from loopline.host.line_spec import LINE_HELP
from loopline.host.link import open_device

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", required=True, metavar="SPEC", help=LINE_HELP)
    parser.add_argument(
        "--patience",
        type=seconds,
        metavar="SECONDS",
        help="how long to wait for the device (a port: 3, the simulated board: 120)",
    )


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _run(arguments: argparse.Namespace) -> int:
    with open_device(arguments.device, patience=arguments.patience) as device:
        Bridge(device, _write).run(sys.stdin.fileno())
    return 0


COMMAND = Command(
    name="player",
    summary="let a device play over standard input and output",
    description=(
        "Carry the contest's protocol between standard input and output and a device, so that\n"
        "other referees can use it as a player: -T asks for its code, -W lets it open, -B lets it\n"
        "wait, any other line is the opponent's turn; each is answered by one line at most.\n"
        "When the input ends, the answers still due are waited for."
    ),
    examples=(
        "loopline player --device sim",
        "printf -- '-T\\n-W\\n' | loopline player --device /dev/ttyUSB0@19200",
    ),
    configure=_configure,
    run=_run,
)
