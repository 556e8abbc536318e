"""``loopline devices``: what is at the serial ports of this machine."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from loopline.host.cli.commands import Command
from loopline.host.device.find import Found, find_devices, ports
from loopline.host.transport.serial_line import DEFAULT_BAUD

__all__ = ["COMMAND"]


def _baud(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 50 <= int(text) <= 10**8:
        raise argparse.ArgumentTypeError(f"{text!r} is no rate: use a number such as 115200")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.05 <= seconds <= 60:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: use 0.05 to 60")
    return seconds


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ports", nargs="*", metavar="PORT", help="ask at these instead of all that there are"
    )
    parser.add_argument(
        "--baud",
        type=_baud,
        action="append",
        metavar="N",
        help=f"a rate to ask at; may be given several times ({DEFAULT_BAUD})",
    )
    parser.add_argument(
        "--seconds", type=_seconds, default=1.5, metavar="S", help="how long to wait (1.5)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per port")


def _run(arguments: argparse.Namespace) -> int:
    names = arguments.ports or ports()
    found = find_devices(names, arguments.baud or (DEFAULT_BAUD,), arguments.seconds)
    if arguments.json:
        for one in found:
            print(json.dumps(asdict(one)))
    elif not found:
        print("This machine has no serial port. sim and model need none: loopline info --help")
    else:
        _print_table(found)
    return 0 if any(one.plays for one in found) else 1


def _print_table(found: list[Found]) -> None:
    names = [f"{one.port}@{one.baud}" if one.baud != DEFAULT_BAUD else one.port for one in found]
    width = max(map(len, names))
    for name, one in zip(names, found, strict=True):
        print(f"{name:{width}}  {one.kind:8}  {one.text}")


COMMAND = Command(
    name="devices",
    summary="list the serial ports and who is there",
    description=(
        "Ask at every serial port who is there: first with a frame, then with the contest's -T,\n"
        "all ports at the same time. What a port is called says nothing. Per port one line:\n\n"
        "  loopline  a device of ours: design, commit, largest formation, clock, variant\n"
        "  version   one that speaks another version of the framed link\n"
        "  contest   a player that knows the contest's lines only\n"
        "  other     something that answers, but not as a player does\n"
        "  silent    nothing answers: perhaps its rate is another, see --baud\n"
        "  unusable  the port cannot be opened, and why: in use, not for you, gone\n\n"
        "Some 20 bytes are sent to each port, also where something else is plugged in; name the\n"
        "ports if that does harm. Exit status 1 if no player was found.\n\n"
        "--json: port, baud, kind, text, identity (all fields, or null)."
    ),
    examples=(
        "loopline devices",
        "loopline devices --baud 115200 --baud 19200",
        "loopline devices /dev/ttyUSB1 /tmp/trax",
    ),
    configure=_configure,
    run=_run,
)
