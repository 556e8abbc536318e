"""Players, devices and clocks on the command line."""

from __future__ import annotations

import argparse
from functools import partial

from loopline.game import Variant
from loopline.host.clock import Clock, clock_named
from loopline.host.device import DEVICE_HELP
from loopline.host.players.spec import PlayerOpener
from loopline.host.transport.line_spec import START_SECONDS
from loopline.tools.arguments import checked, seconds

__all__ = [
    "add_clock",
    "add_colours",
    "add_framed_device",
    "add_player",
    "add_start_timeout",
    "opener",
]

_CLOCK_HELP = (
    "seconds per turn; with N+grace each player may exceed it once, by 10 minutes; or none"
)


def add_player(parser: argparse._ActionsContainer, who: str, default: str = "sim") -> None:
    """Add ``--device PLAYER``; ``who`` says in the help what the player does."""
    parser.add_argument(
        "--device", default=default, metavar="PLAYER", help=f"{who}, see above ({default})"
    )


def add_colours(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add ``--white PLAYER`` and ``--red PLAYER``, required if there is no default."""
    for colour in ("white", "red"):
        parser.add_argument(
            f"--{colour}",
            default=default,
            required=default is None,
            metavar="PLAYER",
            help=f"who plays {colour}, see above" + (f" ({default})" if default else ""),
        )


def add_framed_device(parser: argparse.ArgumentParser, default: str | None = "sim") -> None:
    """Add ``--device DEVICE``, a device that speaks the framed link."""
    parser.add_argument(
        "--device",
        default=default,
        metavar="DEVICE",
        help=DEVICE_HELP + (f" ({default})" if default else ""),
    )


def add_clock(
    parser: argparse._ActionsContainer, default: str, *names: str, help_text: str = _CLOCK_HELP
) -> None:
    """Add ``--clock CLOCK``, also under other names: ``arguments.clock`` is a :class:`Clock`."""
    parser.add_argument(
        "--clock",
        *names,
        type=checked(clock_named),
        default=clock_named(default),
        metavar="CLOCK",
        help=f"{help_text} ({default})",
    )


def add_start_timeout(parser: argparse.ArgumentParser) -> None:
    """Add ``--start-timeout SECONDS``."""
    parser.add_argument(
        "--start-timeout",
        type=seconds(0.1),
        default=START_SECONDS,
        metavar="SECONDS",
        help="how long a program may take until it answers -T; it may be compiled first "
        f"({START_SECONDS:g})",
    )


def opener(variant: Variant, clock: Clock, *specs: str, frames: bool = False) -> PlayerOpener:
    """Return the opener of these players, for a person who watches; ``frames`` as there.

    Contest programs need not answer ``-T``, which the contest's rules do without; a board at a
    port has to, to show that it is a player and listens at this rate.
    """
    programs = any(spec.startswith(("cmd:", "tcp:", "tcp-listen:")) for spec in specs)
    notice = partial(print, flush=True)
    return PlayerOpener(
        variant=variant,
        clock=clock,
        code=not programs,
        notice=notice,
        frames=frames,
        watched=True,
    )
