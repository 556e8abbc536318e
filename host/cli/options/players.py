"""The arguments that name devices and other players."""

from __future__ import annotations

import argparse
from functools import partial

from loopline.game import Variant
from loopline.host.clock import Clock
from loopline.host.players.spec import PlayerOpener

__all__ = ["add_device", "opener"]


def add_device(parser: argparse.ArgumentParser, who: str) -> None:
    """Add ``--device PLAYER``; without it, ``sim``."""
    parser.add_argument("--device", default="sim", metavar="PLAYER", help=f"{who}, see above (sim)")


def opener(variant: Variant, clock: Clock, *specs: str) -> PlayerOpener:
    """Return what opens the players of these specs for a person who watches.

    Who plays by the contest's protocol as a program need not know ``-T``, which the contest does
    without; a board at a port says by its code that it is one, and at this rate.
    """
    programs = any(spec.startswith(("cmd:", "tcp:", "tcp-listen:")) for spec in specs)
    notice = partial(print, flush=True)
    return PlayerOpener(variant=variant, clock=clock, code=not programs, notice=notice)
