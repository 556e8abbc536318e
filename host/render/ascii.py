"""A position in plain ASCII, for places where box drawing characters come to grief.

It is the drawing of :mod:`.board_text` with other characters: white's tracks are thick, red's are
thin, and the winner's loop or line is filled in with ``@``::

    White north-west        White north-south        + +  the last turn's own tile is in these
    and red east-south      and red east-west        + +  corners, a tile that it forced in colons

          ##                       #
         ##  .-                  --#--
           .-'                     #
"""

from __future__ import annotations

from loopline.game import Played, Position
from loopline.host.render.names import Notation
from loopline.host.render.text import board_text
from loopline.host.render.threats import Threats

__all__ = ["board_ascii"]

_ASCII = str.maketrans("║═╚╔╗╝┃━┏┓┗┛█·┌┐└┘", "######|-..''@:++++")


def board_ascii(
    position: Position,
    *,
    last: Played | None = None,
    notation: Notation = "standard",
    threats: Threats | None = None,
    width: int = 80,
) -> str:
    """Draw a position as :func:`.board_text` does, in printable ASCII characters only."""
    drawing = board_text(position, last=last, notation=notation, threats=threats, width=width)
    return drawing.translate(_ASCII)
