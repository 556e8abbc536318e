# amaranth: UnusedElaboratable=no
"""The rules of each variant as the gateware is given them, and what they make of a turn."""

from __future__ import annotations

import itertools

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import DELUXE, STANDARD, Colour, Variant, variant_named
from loopline.hdl.config import DesignConfig, GridConfig
from loopline.hdl.core.rules import Verdict, is_limited, rules_layout, rules_of
from loopline.hdl.top import Loopline
from tests.hdl.support import simulate

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


class VerdictBench(wiring.Component):
    """A verdict's values as ports."""

    def __init__(self):
        super().__init__(
            {
                "rules": In(rules_layout(GRID)),
                "completed": In(2),
                "colour": In(1),
                "wins": Out(1),
                "loses": Out(1),
                "draws": Out(1),
                "limited": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        verdict = Verdict(self.rules, self.completed, self.colour)
        m.d.comb += [
            self.wins.eq(verdict.wins),
            self.loses.eq(verdict.loses),
            self.draws.eq(verdict.draws),
            self.limited.eq(is_limited(self.rules)),
        ]
        return m


def test_verdict():
    dut = VerdictBench()

    async def driver(ctx):
        for variant, colour, completed in itertools.product(
            (STANDARD, DELUXE), Colour, ((), (0,), (1,), (0, 1))
        ):
            ctx.set(dut.rules, rules_of(variant, GRID))
            ctx.set(dut.colour, colour)
            ctx.set(dut.completed, sum(1 << ready for ready in completed))
            drawn = variant is DELUXE and len(completed) == 2
            assert ctx.get(dut.draws) == drawn
            assert ctx.get(dut.wins) == (colour in completed and not drawn)
            assert ctx.get(dut.loses) == (colour.other in completed and not drawn)
            assert ctx.get(dut.limited) == (variant is DELUXE)

    simulate(dut, driver)
