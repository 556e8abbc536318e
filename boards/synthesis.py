"""Commands for Yosys that all families share."""

from __future__ import annotations

__all__ = ["COLLISIONS", "UNCHECKED"]

COLLISIONS = "setparam -set COLLISION_X_MASK 2'b11 t:$memrd_v2"
"""What a memory reads in the cycle in which the same word is written does not matter, for either of
at most two ports. Stands behind the command that reads the design.

Block RAMs promise nothing there, so for each of them Yosys would add a comparator and a word of
flip-flops. ``tests/hdl/core/unit/test_collisions.py`` shows that no such word is used.
"""

UNCHECKED = "scratchpad -set abc9.verify 0"
"""ABC does not compare its result with its input. That changes no netlist, and with Yosys 0.70 the
comparison itself ends in a failed assertion for some units, such as ``score`` at 32 x 32 for an
HX8K. Bitstreams are made with the comparison."""
