"""SearchClock, against a model that counts all cycles and shows them late."""

from __future__ import annotations

import random

import pytest

from loopline.hdl.player.clock import HELD_BITS, SearchClock
from tests.hdl.support import simulate


class ReferenceClock:
    """What the clock shows: after a hold ``shown`` follows ``counted`` by two cycles at a time, or
    by one if the clock has stopped."""

    def __init__(self):
        self.counted = self.shown = 0
        self.stopped = self.late = False

    def step(self, *, start: bool, stop: bool, hold: bool, limit: int, expire: bool) -> None:
        late = self.late or expire or 0 < limit <= self.shown
        self.counted += not self.stopped
        if self.stopped or not hold:
            self.shown = min(self.shown + 2 - self.stopped, self.counted)
        self.late = late
        self.stopped |= stop
        if start:
            self.__init__()


@pytest.mark.parametrize("seed", range(4))
def test_no_cycle_is_lost_while_it_is_held(seed):
    rng = random.Random(seed)
    dut, model = SearchClock(), ReferenceClock()
    assert 2**HELD_BITS > 200

    async def drive(ctx):
        hold = 0
        for cycle in range(4_000):
            behind = model.shown < model.counted
            if not hold and not behind and rng.random() < 0.02:
                hold = rng.randrange(1, 200)
            inputs = {
                "start": rng.random() < 0.002,
                "stop": rng.random() < 0.002,
                "hold": hold > 0,
                "limit": rng.choice([0, 100, 100, 1_000]),
                "expire": rng.random() < 0.001,
            }
            hold = 0 if inputs["start"] else max(hold - 1, 0)
            for name, value in inputs.items():
                ctx.set(getattr(dut, name), value)
            await ctx.tick()
            model.step(**inputs)
            found = ctx.get(dut.elapsed), ctx.get(dut.late)
            assert found == (model.shown, model.late), f"cycle {cycle}: elapsed, late"

    simulate(dut, drive)
