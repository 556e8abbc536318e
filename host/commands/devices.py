"""The arguments that name devices and other players."""

from __future__ import annotations

import argparse
from functools import partial

from loopline.game import Variant
from loopline.host.players.spec import PlayerOpener

__all__ = ["add_device", "opener"]


def add_device(parser: argparse.ArgumentParser, who: str, *, required: bool = False) -> None:
    """Add ``--device PLAYER``; where it is not required, it is ``sim``."""
    parser.add_argument(
        "--device",
        required=required,
        default=None if required else "sim",
        metavar="PLAYER",
        help=f"{who}, see above" + ("" if required else " (sim)"),
    )


def opener(variant: Variant, *specs: str) -> PlayerOpener:
    """Return what opens the players of these specs for a person who watches.

    Who plays by the contest's protocol as a program need not know ``-T``, which the contest does
    without; a board at a port says by its code that it is one, and at this rate.
    """
    programs = any(spec.startswith(("cmd:", "tcp:", "tcp-listen:")) for spec in specs)
    return PlayerOpener(variant=variant, code=not programs, notice=partial(print, flush=True))
