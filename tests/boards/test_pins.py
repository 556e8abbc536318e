"""A player on simulated pins."""

from types import SimpleNamespace

from amaranth.hdl import Fragment
from amaranth.lib.io import SimulationPort
from amaranth.sim import Simulator

from loopline.boards.pins import LIGHTS, Led, PlayerPins
from loopline.hdl.design import DesignConfig
from tests.boards.small import Counter

LEDS = [Led("led", number) for number in range(len(LIGHTS))]


class SimulatedBoard:
    """Stands in for a platform: hands out ports that a bench can drive and read."""

    def __init__(self):
        self.rx = SimulationPort("i", 1)
        self.tx = SimulationPort("o", 1)
        self.leds = [SimulationPort("o", 1) for _ in LIGHTS]

    def request(self, name, number, dir):  # noqa: A002 (the platform's own name for it)
        assert dir == "-"
        if name == "uart":
            return SimpleNamespace(rx=self.rx, tx=self.tx)
        assert name == "led"
        return self.leds[number]


def test_every_pin_is_where_the_table_says():
    board = SimulatedBoard()
    player = Counter(DesignConfig())

    async def bench(ctx):
        def lights() -> list[int]:
            return [ctx.get(led.o) for led in board.leds]

        ctx.set(board.rx.i, 1)
        await ctx.tick()
        assert ctx.get(board.tx.o) == 1
        assert dict(zip(LIGHTS, lights(), strict=True))["idle"] == 1
        ctx.set(board.rx.i, 0)
        await ctx.tick()
        assert ctx.get(board.tx.o) == 0
        seen = set()
        for cycle in range(1 << 12):
            assert ctx.get(player.seed) == cycle + 2
            await ctx.tick()
            states = ("idle", "thinking", "over", "error")
            assert lights()[:4] == [ctx.get(getattr(player, name)) for name in states]
            count = ctx.get(player.depth) & 15
            assert lights()[4:] == [count >> bit & 1 for bit in range(4)]
            seen.add(count)
        assert seen == set(range(16))

    # The simulator has no platform to give to a design.
    simulator = Simulator(Fragment.get(PlayerPins(LEDS, player), board))
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
