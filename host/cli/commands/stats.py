"""``loopline stats``: what a device has counted."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from loopline.game.wire import ANSWERS, Command, answer_code
from loopline.host.cli import commands
from loopline.host.cli.options.framed import add_framed_device, opened

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    add_framed_device(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def _run(arguments: argparse.Namespace) -> int:
    texts = {field.name: field.text for field in ANSWERS[answer_code(Command.STATISTICS)].fields}
    with opened(arguments) as device:
        counters = asdict(device.statistics())
    if arguments.json:
        print(json.dumps(counters))
    else:
        for name, count in counters.items():
            print(f"{count:10}  {name.replace('_', ' '):16}  {texts[name]}")
    return 0


COMMAND = commands.Command(
    name="stats",
    summary="show what a device has counted",
    description=(
        "Ask a device for its counters: bytes, frames, lines, and what was wrong with them, since\n"
        "it was switched on. A device that is started for the command, such as sim, has counted\n"
        "only the command's own.\n\n"
        "--json: the fields of COUNTERS in docs/link.md, by name."
    ),
    examples=("loopline stats --device /dev/ttyUSB1", "loopline stats --device model --json"),
    configure=_configure,
    run=_run,
)
