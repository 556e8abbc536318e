"""``loopline info``: who a device is."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from loopline.host.cli.commands import Command
from loopline.host.cli.options.framed import add_framed_device, opened
from loopline.host.cli.options.variants import VARIANT_NAMES, variant
from loopline.host.device import Identity

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    add_framed_device(parser)
    parser.add_argument(
        "--variant",
        type=variant,
        metavar="NAME",
        help=f"the variant that its contest games have to be of: {VARIANT_NAMES} (any)",
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def _run(arguments: argparse.Namespace) -> int:
    with opened(arguments, arguments.variant) as device:
        identity = device.identity
        if arguments.json:
            print(json.dumps({"device": device.name, **asdict(identity)}))
        else:
            for title, text in _rows(device.name, identity):
                print(f"{title:11} {text}")
    return 0


def _rows(name: str, identity: Identity) -> list[tuple[str, str]]:
    features = [flag.name.lower().replace("_", " ") for flag in identity.features if flag.name]
    rate = identity.clock / identity.bit_cycles if identity.bit_cycles else 0
    return [
        ("device", name),
        ("design", f"{identity.name}, commit {identity.commit or 'unknown'}"),
        ("link", f"version {identity.protocol}, {rate:.0f} baud now, {identity.baud} at power-on"),
        ("clock", f"{identity.clock / 1e6:g} MHz"),
        ("formation", f"up to {identity.largest} columns and rows"),
        ("searchers", f"{identity.lanes}, up to {identity.depth} turns ahead"),
        ("take back", f"in games of up to {identity.history} turns"),
        ("contests", f"{identity.variant or 'a variant without a name'}, as {identity.code}"),
        ("offers", ", ".join(features)),
    ]


COMMAND = Command(
    name="info",
    summary="say who a device is",
    description=(
        "Ask a device for its design, commit, size, clock, rates and features.\n\n"
        "--json: device and the fields of IDENTITY in docs/link.md, by name."
    ),
    examples=(
        "loopline info --device /dev/ttyUSB1",
        "loopline info --device /dev/ttyUSB1@19200 --variant loop",
        "loopline info --device model --json",
    ),
    configure=_configure,
    run=_run,
)
