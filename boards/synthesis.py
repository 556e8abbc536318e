"""Commands for Yosys that bitstreams and figures share."""

from __future__ import annotations

from pathlib import Path

from loopline.hdl.core.bank import SINGLE_PORT

__all__ = ["COLLISIONS", "COMPARISONS", "SMALLER", "TREES", "UNCHECKED", "UNINITIALISED"]

COLLISIONS = "setparam -set COLLISION_X_MASK 2'b11 t:$memrd_v2"
"""What a memory reads in the cycle in which the same word is written does not matter, for either of
at most two ports. Stands behind the command that reads the design.

Block RAMs promise nothing there, so for each of them Yosys would add a comparator and a word of
flip-flops. ``tests/hdl/core/unit/test_collisions.py`` shows that no such word is used.
"""

UNINITIALISED = rf"delete */r:MEMID=\\{SINGLE_PORT} */t:$meminit_v2 %i"
"""Memories with one port have no initial contents. Stands behind the command that reads the design,
for parts whose memories of this kind have none; Amaranth gives all memories some."""

SMALLER = "scratchpad -copy abc9.script.flow2 abc9.script"
"""ABC works in the steps that Yosys calls ``flow2``: it maps the logic from four beginnings and
keeps the best. On an HX8K that saves some 3 % of the cells, and the clock is as good or better. A
UP5K and an ECP5 are smaller with it, too, but slower."""

UNCHECKED = "scratchpad -set abc9.verify 0"
"""ABC does not compare its result with its input. That changes no netlist, and with Yosys 0.70 the
comparison itself ends in a failed assertion for some units, such as ``score`` at 32 x 32 for an
HX8K. Bitstreams are made with the comparison."""

COMPARISONS = Path(__file__).parent / "comparisons.v"
"""What :data:`TREES` reads: its text stands as a file of this name where Yosys runs."""

TREES = (
    "proc; flatten; opt_expr; opt_clean; opt -nodffe -nosdff; wreduce; peepopt; opt_clean; "
    f"techmap -map {COMPARISONS.name} t:$lt t:$le t:$gt t:$ge"
)
"""Comparisons are trees of LUTs. Yosys would make carry chains of them, which take more cells of an
iCE40: one for each bit, and one more for each bit that has to be inverted. Stands behind
:data:`COLLISIONS`."""
