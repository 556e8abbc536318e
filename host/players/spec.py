"""Players as the command line names them."""

from __future__ import annotations

from loopline.game import STANDARD, Variant
from loopline.host.errors import UsageError
from loopline.host.line_spec import LINE_HELP, find_way
from loopline.host.link import ContestDevice
from loopline.host.players.base import Player
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.software import RandomPlayer

__all__ = ["PLAYER_HELP", "open_player"]

PLAYER_HELP = f"{LINE_HELP}, human, random[:SEED]"


def open_player(
    spec: str,
    *,
    variant: Variant = STANDARD,
    code: bool = True,
    wait: float = 60.0,
    settle: float = 0.0,
    patience: float | None = None,
) -> Player:
    """Open the player that a spec names; to be closed with :meth:`Player.close`.

    Parameters
    ----------
    spec : str
        As in :data:`PLAYER_HELP`.
    variant : Variant
        What it will play. A simulated board is built for it; of a contest player it is believed.
    code : bool
        Whether a contest player is asked for its code with ``-T``, which the contest does not.
    wait : float
        The seconds that a player has to be there, such as one who calls by TCP.
    settle : float
        The seconds that a program has for its beginning before it is told anything.
    patience : float or None
        The seconds for a turn where no clock says it; None: as usual for this kind of player.

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
    way = find_way(spec, () if variant == STANDARD else ("--variant", variant.name), settle)
    try:
        way.transport.open(wait)
        device = ContestDevice(way.transport, patience or way.patience, patience or way.greeting)
        return LinePlayer(device, variant, code=code or way.ours)
    except BaseException:
        way.transport.close()
        raise


def _seed(spec: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"{spec!r}: a seed is a number, as in {spec.partition(':')[0]}:1")
    return int(text)
