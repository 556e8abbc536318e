"""What synthesis has to know of the gateware's memories."""

from __future__ import annotations

from loopline.hdl.core.bank import SINGLE_PORT

__all__ = ["COLLISIONS", "UNINITIALISED"]

COLLISIONS = "setparam -set COLLISION_X_MASK 2'b11 t:$memrd_v2"
"""For Yosys, behind what reads the design: what a memory reads where it is written in the same
cycle, by either of at most two ports, does not matter.

Block RAMs promise nothing there, so for each of them Yosys would add a comparator and a word of
flip-flops. ``tests/hdl/core/unit/test_collisions.py`` shows that no such word is used.
"""

UNINITIALISED = rf"delete */r:MEMID=\\{SINGLE_PORT} */t:$meminit_v2 %i"
"""For Yosys, behind what reads the design, where memories with one port are of a kind that has no
initial contents: Amaranth gives all memories some."""
