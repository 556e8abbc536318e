"""``loopline devices``: the devices at the serial ports of this machine."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from loopline.host.cli.commands import Command
from loopline.host.device.find import Found, find_devices, ports
from loopline.host.transport.serial_line import DEFAULT_BAUD
from loopline.tools.arguments import seconds, whole_number

__all__ = ["COMMANDS"]


_DESCRIPTION = """
Ask at every serial port which device is there: first with a frame, then with the contest's -T, at
all ports at the same time. A port's name tells nothing. One line per port:

  loopline  a Loopline device: design, commit, largest formation, clock, variant
  version   a device with another version of the framed link
  contest   a player that knows the contest's lines only
  other     a device that answers, but not as a player does
  silent    no answer: perhaps its rate is another, see --baud
  unusable  the port cannot be opened, and why: in use, no permission, gone

Some 20 bytes are sent to each port, also to devices that are not players; name the ports if that
does harm. Exit status 1 if no player was found.

--json: port, baud, kind, text, identity (all fields, or null).
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ports", nargs="*", metavar="PORT", help="ask at these instead of all ports"
    )
    parser.add_argument(
        "--baud",
        type=whole_number(50, 10**8),
        action="append",
        metavar="N",
        help=f"a rate to ask at; may be given several times ({DEFAULT_BAUD})",
    )
    parser.add_argument(
        "--seconds", type=seconds(0.05, 60), default=1.5, metavar="S", help="how long to wait (1.5)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per port")


def _run(arguments: argparse.Namespace) -> int:
    names = arguments.ports or ports()
    found = find_devices(names, arguments.baud or (DEFAULT_BAUD,), arguments.seconds)
    if arguments.json:
        for one in found:
            print(json.dumps(asdict(one)))
    elif not found:
        print("This machine has no serial port. sim and engine need none: loopline info --help")
    else:
        _print_table(found)
    return 0 if any(one.plays for one in found) else 1


def _print_table(found: list[Found]) -> None:
    names = [f"{one.port}@{one.baud}" if one.baud != DEFAULT_BAUD else one.port for one in found]
    width = max(map(len, names))
    for name, one in zip(names, found, strict=True):
        print(f"{name:{width}}  {one.kind:8}  {one.text}")


COMMANDS = {
    "devices": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline devices",
            "loopline devices --baud 115200 --baud 19200",
            "loopline devices /dev/ttyUSB1 /tmp/trax",
        ),
        configure=_configure,
        run=_run,
    )
}
