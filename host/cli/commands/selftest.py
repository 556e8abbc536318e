"""``loopline selftest``: whether a device is whole, and plays by the rules."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from loopline.game.wire import Feature
from loopline.host.cli.commands import Command
from loopline.host.cli.options.framed import add_framed_device, opened
from loopline.host.device import Device
from loopline.host.device.test_vectors import check_known

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    add_framed_device(parser)


def _run(arguments: argparse.Namespace) -> int:
    failed = tests = 0
    with opened(arguments) as device:
        print(f"{device.name}: {device.identity.name} {device.identity.commit}".rstrip())
        for passed, text in _tests(device):
            tests += 1
            failed += not passed
            print(f"{'ok' if passed else 'FAILED':6}  {text}", flush=True)
    print(f"{failed} of {tests} tests failed" if failed else f"all {tests} tests passed")
    return 1 if failed else 0


def _tests(device: Device) -> Iterator[tuple[bool, str]]:
    """Whether each test was passed, and what it was."""
    features = device.identity.features
    if Feature.SELF_TEST in features:
        tested = device.self_test()
        for part in tested.parts:
            yield part not in tested.failed, f"its own test: {(part.name or str(part)).lower()}"
    if Feature.LIST | Feature.POSITION in features:
        for known, found in check_known(device):
            yield not found.differences, f"{known.name}: {found}"


COMMAND = Command(
    name="selftest",
    summary="test whether a device is whole and plays by the rules",
    description=(
        "Have a device test itself; then set up a number of difficult positions there and compare\n"
        "each turn with the reference model: tiles, loops and lines, all legal turns. Its game is\n"
        "dropped. Exit status 1 if anything fails."
    ),
    examples=("loopline selftest --device /dev/ttyUSB1", "loopline selftest --device model"),
    configure=_configure,
    run=_run,
)
