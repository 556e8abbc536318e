"""Commands for Yosys that all families share."""

from __future__ import annotations

from pathlib import Path

__all__ = ["COLLISIONS", "COMPARISONS", "SMALLER", "TREES", "UNCHECKED"]

COLLISIONS = "setparam -set COLLISION_X_MASK 2'b11 t:$memrd_v2"
"""What a memory reads in the cycle in which the same word is written does not matter, for either of
at most two ports. Stands behind the command that reads the design.

Block RAMs promise nothing there, so for each of them Yosys would add a comparator and a word of
flip-flops. ``test_collisions.py`` in ``tests/hdl/core/unit`` and ``tests/hdl/search`` shows that no
such word is used.
"""

COMPARISONS = Path(__file__).parent / "families" / "comparisons.v"
"""What :data:`TREES` reads: its text stands as a file of this name where Yosys runs."""

SMALLER = "scratchpad -copy abc9.script.flow2 abc9.script"
"""ABC works in the steps that Yosys calls ``flow2``: it maps the logic from four beginnings and
keeps the best. On an HX8K that saves some 3 % of the cells, and the clock is as good or better; on
a GW2A two lanes are 5 % smaller. A UP5K and an ECP5 are smaller with it, too, but slower."""

TREES = (
    "proc; flatten; opt_expr; opt_clean; opt -nodffe -nosdff; wreduce; peepopt; opt_clean; "
    f"techmap -map {COMPARISONS.name} t:$lt t:$le t:$gt t:$ge"
)
"""Comparisons are trees of LUTs. Yosys would make carry chains of them, which take more cells of an
iCE40: one for each bit, and one more for each bit that has to be inverted. A GW2A saves 4 %, too.
Stands behind :data:`COLLISIONS`."""

UNCHECKED = "scratchpad -set abc9.verify 0"
"""ABC does not compare its result with its input. That changes no netlist, and with Yosys 0.70 the
comparison itself ends in a failed assertion for some units, such as ``score`` at 32 x 32 for an
HX8K. Bitstreams are made with the comparison."""
