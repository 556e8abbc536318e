"""The link: from pins to commands, and from answers to pins. In the order of the data:

- ``types``: what the streams carry;
- ``uart``: bytes;
- ``decoder``: characters of lines and bytes of frames apart;
- ``reader``: lines that are understood, from characters;
- ``queue``: commands on offer to the player;
- ``writer``: characters, from the player's turns;
- ``frame_reader``: whole frames, from their bytes;
- ``frame_writer``: frames, from answers;
- ``share``: lines and frames on one line;
- ``counters``: what has happened, how often;
- ``rate``: the line's speed;
- ``link``: all of these together, as :class:`Link`, with the diagram.
"""

from loopline.hdl.link.link import Link, millisecond
from loopline.hdl.link.types import LinkOp, is_session, link_command_layout, turn_label_layout
from loopline.hdl.link.uart import Uart, bit_cycles

__all__ = [
    "Link",
    "LinkOp",
    "Uart",
    "bit_cycles",
    "is_session",
    "link_command_layout",
    "millisecond",
    "turn_label_layout",
]
