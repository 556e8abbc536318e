"""The argument that names a device."""

from __future__ import annotations

import argparse

__all__ = ["DEVICE_HELP", "add_device"]

DEVICE_HELP = "'sim' for the simulated board, or a serial port as PORT or PORT@BAUD"


def add_device(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Add ``--device sim|PORT``; where it is not required, it is ``sim``."""
    default = None if required else "sim"
    note = "" if required else " (sim)"
    parser.add_argument(
        "--device",
        required=required,
        default=default,
        metavar="sim|PORT",
        help=DEVICE_HELP + note,
    )
