# amaranth: UnusedElaboratable=no
"""The rules of each variant as the gateware is given them.

What a turn with a loop or a line comes to is in the tests of sessions and of frames.
"""

from __future__ import annotations

import pytest

from loopline.game import Variant, variant_named
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.design import DesignConfig
from loopline.hdl.top import Loopline

GRID = GridConfig(size=16)

RULES = {
    # Area, whether lines count, and whether both on one turn are a draw.
    "standard": (0, 1, 0),
    "limited": (8, 1, 0),
    "deluxe": (8, 1, 1),
    "loop": (0, 0, 0),
    "mini": (3, 0, 0),
    "limited-1": (1, 1, 0),
    "limited-14": (14, 1, 0),
    # Larger than the grid, which then is the limit.
    "limited-15": (0, 1, 0),
    "limited-999": (0, 1, 0),
}


@pytest.mark.parametrize("name", RULES)
def test_rules_of_a_variant(name):
    rules = rules_of(variant_named(name), GRID)
    assert (rules.area, rules.lines, rules.both_draws) == RULES[name]


def test_lines_of_another_length_are_refused():
    odd = Variant("odd", line_length=5)
    with pytest.raises(ValueError, match="must|knows") as caught:
        rules_of(odd, GRID)
    message = "the gateware knows lines of 8 or none, and variant odd has lines of 5"
    assert str(caught.value) == message
    with pytest.raises(ValueError, match=f"^{message}$"):
        Loopline(DesignConfig(variant=odd))
