"""``loopline info``, ``loopline stats``, ``loopline selftest``: questions to one framed device."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict

from loopline.game import wire
from loopline.game.wire import Feature
from loopline.host.cli.commands import Command
from loopline.host.cli.options.players import add_framed_device
from loopline.host.cli.options.positions import add_variant
from loopline.host.device import Device, Identity, open_device
from loopline.host.device.test_vectors import check_vectors
from loopline.host.errors import DeviceError

__all__ = ["COMMANDS"]

_INFO = """
Ask a device for its design, commit, size, clock, rates and features.

--json: device and the fields of IDENTITY in docs/link.md, by name.
"""

_STATS = """
Ask a device for its counters: bytes, frames, lines, and what was wrong with them, since it was
switched on. A device that is started for the command, such as sim, has counted only the command's
own.

--json: the fields of COUNTERS in docs/link.md, by name.
"""

_SELFTEST = """
Let a device test itself; then set up difficult positions there and compare each turn with the
reference model: tiles, loops and lines, all legal turns. The device's game is lost. Exit status 1
if a test fails.
"""


def _configure_info(parser: argparse.ArgumentParser) -> None:
    add_framed_device(parser)
    add_variant(parser, "the variant that its contest games have to be of", None)
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def _info(arguments: argparse.Namespace) -> int:
    with open_device(arguments.device, built_for=arguments.variant) as device:
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
        ("lanes", f"{identity.lanes}, up to {identity.depth} turns ahead"),
        ("take back", f"in games of up to {identity.history} turns"),
        ("contests", f"{identity.variant or 'a variant without a name'}, as {identity.code}"),
        ("offers", ", ".join(features)),
    ]


def _configure_stats(parser: argparse.ArgumentParser) -> None:
    add_framed_device(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def _stats(arguments: argparse.Namespace) -> int:
    answer = wire.ANSWERS[wire.answer_code(wire.Command.STATISTICS)]
    texts = {field.name: field.text for field in answer.fields}
    with open_device(arguments.device) as device:
        counters = asdict(device.statistics())
    if arguments.json:
        print(json.dumps(counters))
    else:
        for name, count in counters.items():
            print(f"{count:10}  {name.replace('_', ' '):16}  {texts[name]}")
    return 0


def _selftest(arguments: argparse.Namespace) -> int:
    failed = tests = 0
    with open_device(arguments.device) as device:
        print(f"{device.name}: {device.identity.name} {device.identity.commit}".rstrip())
        for passed, text in _tests(device):
            tests += 1
            failed += not passed
            print(f"{'ok' if passed else 'FAILED':6}  {text}", flush=True)
        if not tests:
            raise DeviceError(
                f"{device.name} has neither SELF_TEST nor LIST and POSITION: a board whose frames "
                "are for contests alone cannot be tested, but play shows that it plays"
            )
    print(f"{failed} of {tests} tests failed" if failed else f"all {tests} tests passed")
    return 1 if failed else 0


def _tests(device: Device) -> Iterator[tuple[bool, str]]:
    """Run the tests; yield for each whether it passed, and its name."""
    features = device.identity.features
    if Feature.SELF_TEST in features:
        tested = device.self_test()
        for part in tested.parts:
            yield part not in tested.failed, f"its own test: {(part.name or str(part)).lower()}"
    if Feature.LIST | Feature.POSITION in features:
        for vector, found in check_vectors(device):
            yield not found.differences, f"{vector.name}: {found}"


COMMANDS = {
    "info": Command(
        description=_INFO,
        examples=(
            "loopline info --device /dev/ttyUSB1",
            "loopline info --device /dev/ttyUSB1@19200 --variant loop",
            "loopline info --device engine --json",
        ),
        configure=_configure_info,
        run=_info,
    ),
    "stats": Command(
        description=_STATS,
        examples=("loopline stats --device /dev/ttyUSB1", "loopline stats --device engine --json"),
        configure=_configure_stats,
        run=_stats,
    ),
    "selftest": Command(
        description=_SELFTEST,
        examples=("loopline selftest --device /dev/ttyUSB1", "loopline selftest --device engine"),
        configure=add_framed_device,
        run=_selftest,
    ),
}
