"""Players as the command line names them."""

from __future__ import annotations

from loopline.game import STANDARD, Variant
from loopline.host.errors import UsageError
from loopline.host.link import open_device
from loopline.host.players.base import Player
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.software import RandomPlayer

__all__ = ["PLAYER_HELP", "open_player"]

PLAYER_HELP = "sim, PORT, PORT@BAUD, port:PORT, random or random:SEED"


def open_player(spec: str, *, variant: Variant = STANDARD, code: bool = True) -> Player:
    """Open the player that a spec names; to be closed with :meth:`Player.close`.

    Parameters
    ----------
    spec : str
        As in :data:`PLAYER_HELP`.
    variant : Variant
        What it will play.
    code : bool
        Whether a contest player is asked for its code with ``-T``, which the contest does not.

    Raises
    ------
    UsageError
        If the spec names no kind of player, or one that cannot play the variant.
    DeviceError
        If there is no such player, or it does not answer.
    """
    kind, colon, rest = spec.partition(":")
    if kind == "random":
        return RandomPlayer(_seed(spec, rest) if colon else None)
    if spec == "sim":
        arguments = () if variant == STANDARD else ("--variant", variant.name)
        return LinePlayer(open_device("sim", arguments), variant)
    return LinePlayer(open_device(rest if kind == "port" and colon else spec), variant)


def _seed(spec: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"{spec!r}: a seed is a number, as in random:1")
    return int(text)
