"""The argument that names a device which speaks frames."""

from __future__ import annotations

import argparse

from loopline.game import Variant
from loopline.host.device import DEVICE_HELP, Device, open_device

__all__ = ["add_framed_device", "opened"]


def add_framed_device(parser: argparse.ArgumentParser, default: str | None = "sim") -> None:
    """Add ``--device DEVICE``, a device that speaks the framed link."""
    without = f" ({default})" if default else ""
    parser.add_argument(
        "--device", default=default, metavar="DEVICE", help=f"{DEVICE_HELP}{without}"
    )


def opened(arguments: argparse.Namespace, built_for: Variant | None = None) -> Device:
    """Open the device that the arguments name, for a variant if that matters."""
    return open_device(arguments.device, built_for=built_for)
