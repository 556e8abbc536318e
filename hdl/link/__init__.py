"""The link: from pins to commands and frames, and from answers to pins. In the order of the data:

- ``types``: what the streams carry, and the bundles of ports between the components;
- ``uart``: sends and receives bytes;
- ``protocol_demux``: separates contest lines from frames, and decodes SLIP;
- ``line_reader``: parses contest lines;
- ``command_queue``: holds commands until the player takes them;
- ``line_writer``: writes the player's turns and its code;
- ``frame_reader``: assembles, checks and stores frames;
- ``frame_writer``: sends answers as frames;
- ``protocol_mux``: merges lines and frames;
- ``counters``: counts events;
- ``rate_control``: changes the serial line's rate;
- ``link``: connects all of these, as :class:`Link`, with the diagram.
"""

from loopline.hdl.link.link import Link, cycles_per_ms
from loopline.hdl.link.types import LinkOp, is_session, link_command_layout, turn_label_layout
from loopline.hdl.link.uart import Uart
from loopline.hdl.rate import bit_cycles

__all__ = [
    "Link",
    "LinkOp",
    "Uart",
    "bit_cycles",
    "cycles_per_ms",
    "is_session",
    "link_command_layout",
    "turn_label_layout",
]
