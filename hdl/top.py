"""The whole design: link, player and turn unit between two pins."""

from __future__ import annotations

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.config import DesignConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.link import ContestLink, is_session
from loopline.hdl.player import Player

__all__ = ["ERROR_BITS", "Loopline"]

ERROR_BITS = 8
"""Width of the counter of refused lines."""


class Loopline(wiring.Component):
    """A Trax player on a serial line.

    ::

              ┌─────────────┐ commands ┌────────┐ commands ┌──────────┐
        rx ──►│             ├─────────►│        ├─────────►│          │
              │ ContestLink │          │ Player │          │ TurnUnit │
        tx ◄──┤             │◄─────────┤        │◄─────────┤          │
              └──────┬──────┘  answers └───┬────┘ outcomes └──────────┘
                     │ noise               │ idle, thinking, over, refused
                     └────────► status ◄───┘

    Parameters
    ----------
    config : DesignConfig
        Clock, link, grid and variant.

    Members
    -------
    rx : In(1, init=1), tx : Out(1, init=1)
        The serial line.
    idle : Out(1)
        Nothing goes on: the design waits for the next line, and what it had to say is out, to the
        last cycle but one of the last stop bit. While this is high and ``rx`` at rest for longer
        than a character, the clock may stand still.
    thinking : Out(1)
        It is the player's turn.
    over : Out(1)
        The game has ended: with a loop or a line, or as no legal turn is left in a limited area.
    error : Out(1)
        A line was refused since the last new game: not understood, or no legal turn; or the player
        found no turn that the grid can hold.
    errors : Out(ERROR_BITS)
        How many since power-on; stays at the largest value.

    Raises
    ------
    ValueError
        The gateware does not know the variant's rules; see :func:`rules_of`.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        self._rules = rules_of(config.variant, config.grid)
        super().__init__(
            {
                "rx": In(1, init=1),
                "tx": Out(1, init=1),
                "idle": Out(1),
                "thinking": Out(1),
                "over": Out(1),
                "error": Out(1),
                "errors": Out(ERROR_BITS),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.link = link = ContestLink(self._config)
        m.submodules.player = player = Player(self._config)
        m.submodules.unit = unit = TurnUnit(self._config.grid)

        m.d.comb += [player.rules.eq(self._rules), unit.rules.eq(self._rules)]
        connect(m, link.commands, player.commands)
        connect(m, player.core_commands, unit.commands)
        connect(m, unit.outcomes, player.core_outcomes)
        connect(m, player.answers, link.answers)

        refused = link.noise | player.refused
        with m.If(link.commands.valid & link.commands.ready & is_session(link.commands.payload)):
            m.d.sync += self.error.eq(0)
        with m.If(refused):
            m.d.sync += self.error.eq(1)
            with m.If(~self.errors.all()):
                m.d.sync += self.errors.eq(self.errors + 1)
        m.d.comb += [
            link.rx.eq(self.rx),
            self.tx.eq(link.tx),
            self.idle.eq(player.idle & ~link.busy),
            self.thinking.eq(player.thinking),
            self.over.eq(player.over),
        ]
        return m
