"""The turn unit's users, and the arbiter that grants it to one of them at a time."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import cell_layout, command_layout, outcome_layout, place_layout

__all__ = ["Arbiter", "core_port", "player_core_port", "requester_port"]


def core_port(grid: GridConfig) -> wiring.Signature:
    """The turn unit, from the component that uses it.

    ``commands`` : Out(stream of command_layout), ``outcomes`` : In(stream of outcome_layout)
        One outcome for each command, in order.
    """
    return wiring.Signature(
        {
            "commands": Out(stream.Signature(command_layout(grid))),
            "outcomes": In(stream.Signature(outcome_layout(grid))),
        }
    )


def requester_port(grid: GridConfig) -> wiring.Signature:
    """The turn unit, from a requester: a component that uses it while it is granted.

    ``commands``, ``outcomes``
        As of :func:`core_port`.
    ``cell`` : In(cell_layout), ``partners`` : In(place_layout).array(2)
        What ``READ`` has read, while its outcome is on offer.
    ``request`` : Out(1)
        Pulses when the requester begins. The arbiter may grant it the turn unit from the next cycle
        on.
    ``granted`` : In(1)
        The requester may use the turn unit. Once this is low, it gives no further command.
    ``abandon`` : In(1)
        Give no further command: the position is about to be dropped.
    ``busy`` : Out(1)
        A command is on offer, or its outcome has not come yet.
    ``done`` : Out(1)
        Pulses when the requester needs the turn unit no more. The position is what it was before,
        unless the requester was told to ``abandon``.
    """
    return wiring.Signature(
        {
            **core_port(grid).members,
            "cell": In(cell_layout(grid)),
            "partners": In(place_layout(grid)).array(2),
            "request": Out(1),
            "granted": In(1),
            "abandon": In(1),
            "busy": Out(1),
            "done": Out(1),
        }
    )


def player_core_port(grid: GridConfig) -> wiring.Signature:
    """The turn unit, from the player, which decides when others may have it.

    ``commands``, ``outcomes``
        As of :func:`core_port`; for the player while ``searches`` and ``grants`` are low.
    ``searches`` : Out(1)
        The lane has the turn unit.
    ``grants`` : Out(1)
        A requester may have the turn unit.
    ``abandon`` : Out(1)
        That requester is to give it back. The player has to wait until it is not ``busy``.
    ``busy`` : In(1), ``done`` : In(1)
        As of :func:`requester_port`, of that requester.
    """
    return wiring.Signature(
        {
            **core_port(grid).members,
            "searches": Out(1),
            "grants": Out(1),
            "abandon": Out(1),
            "busy": In(1),
            "done": In(1),
        }
    )


class Arbiter(wiring.Component):
    """Grant the turn unit to the player, or while the player allows it to the lane or to one
    requester.

    ::

        player ────────┐
        lane ──────────┤
        requesters[0] ─┼──► core
        requesters[1] ─┘

    The requester that has begun last is granted the turn unit; no other one may be at work then.
    The streams pass without latency.

    Parameters
    ----------
    requesters : int
        How many requesters there are; may be 0.

    Members
    -------
    player : In(player_core_port), lane : In(core_port)
        The player and the lane, which use the turn unit.
    requesters : In(requester_port).array(requesters)
        Others that use it.
    core : Out(core_port), cell : In(cell_layout), partners : In(place_layout).array(2)
        The turn unit.
    """

    def __init__(self, grid: GridConfig, requesters: int):
        super().__init__(
            {
                "player": In(player_core_port(grid)),
                "lane": In(core_port(grid)),
                "requesters": In(requester_port(grid)).array(requesters),
                "core": Out(core_port(grid)),
                "cell": In(cell_layout(grid)),
                "partners": In(place_layout(grid)).array(2),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        player, core = self.player, self.core
        number = Signal(range(len(self.requesters)))
        for each, requester in enumerate(self.requesters):
            with m.If(requester.request):
                m.d.sync += number.eq(each)
            m.d.comb += [
                requester.granted.eq(player.grants & (number == each)),
                requester.abandon.eq(player.abandon),
                requester.cell.eq(self.cell),
                *(r.eq(c) for r, c in zip(requester.partners, self.partners, strict=True)),
            ]
        m.d.comb += [
            player.busy.eq(Cat(requester.busy for requester in self.requesters).any()),
            player.done.eq(Cat(requester.done for requester in self.requesters).any()),
        ]
        for user in (player, self.lane, *self.requesters):
            m.d.comb += user.outcomes.payload.eq(core.outcomes.payload)

        def use(user) -> list:
            """Statements that connect a user's streams to the turn unit."""
            return [
                core.commands.valid.eq(user.commands.valid),
                core.commands.payload.eq(user.commands.payload),
                user.commands.ready.eq(core.commands.ready),
                user.outcomes.valid.eq(core.outcomes.valid),
                core.outcomes.ready.eq(user.outcomes.ready),
            ]

        with m.If(player.searches):
            m.d.comb += use(self.lane)
        with m.Elif(~player.grants):
            m.d.comb += use(player)
        with m.Else(), m.Switch(number):
            for each, requester in enumerate(self.requesters):
                with m.Case(each):
                    m.d.comb += use(requester)
        return m
