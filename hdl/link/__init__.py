"""The link: from pins to commands, and from answers to pins. In the order of the data:

- ``types``: what the streams carry;
- ``uart``: bytes;
- ``reader``: lines that are understood, from bytes;
- ``queue``: commands on offer to the player;
- ``writer``: bytes, from the player's turns;
- ``contest``: all of these together, as :class:`ContestLink`, with the diagram.
"""

from loopline.hdl.link.contest import ContestLink
from loopline.hdl.link.types import LinkOp, is_session, link_command_layout, turn_label_layout
from loopline.hdl.link.uart import Uart, bit_cycles

__all__ = [
    "ContestLink",
    "LinkOp",
    "Uart",
    "bit_cycles",
    "is_session",
    "link_command_layout",
    "turn_label_layout",
]
