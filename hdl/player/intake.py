"""CommandIntake: takes what contest lines and frames ask for, and holds it until it is done."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import ErrorCode
from loopline.hdl.config import GridConfig
from loopline.hdl.frames.requests import RequestOp, request_layout, result_layout
from loopline.hdl.link import LinkOp, is_session, link_command_layout, turn_label_layout

__all__ = ["CommandIntake"]


class CommandIntake(wiring.Component):
    """Take commands and requests; hold one session, one turn and one request.

    ::

        commands ──┬──► session until ``begun``      (always ready; the newest one counts)
        requests ─┐├──► turn or -G until ``decided`` (a line's only when ``awaited``)
                  └┴──► request until ``finish`` ──► done, result
                        (with ``defer`` it waits for the player's rest before)

    A session command drops the turn and, with ``DROPPED``, the request under way. It does not wait
    for a turn before it that has to wait: that one is refused. ``NEW`` and ``STOP`` begin a session
    likewise, but the request before them just ends. Any other request is refused with ``BUSY``
    unless the player is ``at_rest``; else it is ``offered``, and the player accepts or finishes it
    in the same cycle. With ``defer`` a request that finds nothing held is not refused, but offered
    as soon as the player is at rest; no turn is taken from a contest line before.

    If a line's session and a frame's come in the same cycle, the line's counts.

    Parameters
    ----------
    defers : bool
        ``defer`` may be high.

    Members
    -------
    commands : In(stream of link_command_layout)
        Contest lines. A turn or ``-G`` waits while another one is held, or with ``hold``.
    session_follows : In(1)
        The command behind that on offer is a session.
    requests : In(stream of request_layout, always ready)
        Requests of frames.
    hold : In(1)
        Take no turn and no ``-G`` from contest lines.
    awaited : In(1)
        A turn or ``-G`` of a contest line may come; else it is ``refused``.
    refused : Out(1)
        Pulses.
    taken : Out(1)
        Pulses when a session command, or a turn or ``-G`` that is awaited, has come from a contest
        line.
    session_comes : Out(1), session_op : Out(LinkOp)
        A session comes in this cycle, and which one; ``SET_UP`` for ``NEW``.
    session_held : Out(1), session : Out(LinkOp), framed : Out(1)
        A session is to begin, which one, and whether a frame asked for it. The latter two stay
        until the next session.
    interrupted : Out(1)
        A session is to begin, or comes in this cycle.
    begun : In(1)
        The session has begun: hold it no longer.
    turn_held : Out(1), turn : Out(turn_label_layout), go : Out(1)
        A turn is to be made, and which one; or it is ``-G``.
    decided : In(1)
        The turn was made or refused: hold it no longer.
    at_rest : In(1)
        The player waits.
    defer : In(1), deferred : Out(1)
        Let a request wait for that; one waits. Its ``turn`` and ``count`` stay on ``requests``.
    offered : Out(1), op : Out(RequestOp)
        A request that begins no session comes in this cycle or has waited, and the player is at
        rest; and which one.
    accept_turn, accept_search : In(1)
        While ``offered``: hold the request's turn; the request is a search.
    pending : Out(1), searching : Out(1)
        A request is under way; it is a search.
    made : In(1), finish : In(1), outcome : In(result_layout)
        A turn was made; ``tiles`` and ``completed`` are for the result. The request that is pending
        or offered is done; ``error`` and ``status`` are for the result. Without such a request
        ``finish`` does nothing.
    done : Out(1), result : Out(result_layout)
        As of :func:`~loopline.hdl.frames.requests.player_port`.
    """

    def __init__(self, grid: GridConfig, *, defers: bool = True):
        self._defers = defers
        label = turn_label_layout(grid)
        super().__init__(
            {
                "commands": In(stream.Signature(link_command_layout(grid))),
                "session_follows": In(1),
                "requests": In(stream.Signature(request_layout(grid), always_ready=True)),
                "hold": In(1),
                "awaited": In(1),
                "refused": Out(1),
                "taken": Out(1),
                "session_comes": Out(1),
                "session_op": Out(LinkOp),
                "session_held": Out(1),
                "session": Out(LinkOp),
                "framed": Out(1),
                "interrupted": Out(1),
                "begun": In(1),
                "turn_held": Out(1),
                "turn": Out(label),
                "go": Out(1),
                "decided": In(1),
                "at_rest": In(1),
                "defer": In(1),
                "deferred": Out(1),
                "offered": Out(1),
                "op": Out(RequestOp),
                "accept_turn": In(1),
                "accept_search": In(1),
                "pending": Out(1),
                "searching": Out(1),
                "made": In(1),
                "finish": In(1),
                "outcome": In(result_layout()),
                "done": Out(1),
                "result": Out(result_layout()),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        command, request = self.commands.payload, self.requests.payload
        line = self.commands.valid & self.commands.ready
        line_session = line & is_session(command)
        waits = self.turn_held | self.hold | self.deferred
        turn_comes = line & ~is_session(command)
        line_turn = turn_comes & ~waits & self.awaited
        begins = (request.op == RequestOp.NEW) | (request.op == RequestOp.STOP)
        frame_session = self.requests.valid & begins
        frame_op = Mux(request.op == RequestOp.NEW, LinkOp.SET_UP, LinkOp.STOP)
        nothing_held = ~self.session_held & ~self.turn_held & ~line
        at_rest = self.at_rest & nothing_held
        # A request that waits comes once more when the player is at rest, or when a line's session
        # drops it. A frame's session takes its place.
        op = Signal(RequestOp)
        defers = self.requests.valid & ~begins & nothing_held & self.defer
        returns = self.deferred & ~frame_session & (self.at_rest | line_session)
        comes = (self.requests.valid & ~defers) | returns
        asks = (self.requests.valid & ~begins & ~defers) | returns
        if self._defers:
            with m.If(defers):
                m.d.sync += [self.deferred.eq(1), op.eq(request.op)]
            with m.If(returns | frame_session):
                m.d.sync += self.deferred.eq(0)

        m.d.comb += [
            self.commands.ready.eq(is_session(command) | ~waits | self.session_follows),
            self.refused.eq(turn_comes & ~line_turn),
            self.taken.eq(line_session | line_turn),
            self.session_comes.eq(line_session | frame_session),
            self.session_op.eq(Mux(line_session, command.op, frame_op)),
            self.interrupted.eq(self.session_held | self.session_comes),
            self.offered.eq(asks & at_rest),
            self.op.eq(Mux(self.deferred, op, request.op)),
        ]

        # What the player has done.
        m.d.sync += self.done.eq(0)
        with m.If(self.begun):
            m.d.sync += self.session_held.eq(0)
        with m.If(self.decided):
            m.d.sync += self.turn_held.eq(0)
        with m.If(self.made):
            m.d.sync += [
                self.result.tiles.eq(self.outcome.tiles),
                self.result.completed.eq(self.outcome.completed),
            ]
        with m.If(comes):
            m.d.sync += [self.result.eq(0), self.pending.eq(1), self.searching.eq(0)]
        with m.If(self.finish & (self.pending | self.offered) & ~frame_session):
            m.d.sync += self._finish(error=self.outcome.error, status=self.outcome.status)

        # A request, unless it begins a session.
        with m.If(self.accept_turn):
            m.d.sync += [self.turn.eq(request.turn), self.go.eq(0), self.turn_held.eq(1)]
        with m.If(self.accept_search):
            m.d.sync += self.searching.eq(1)
        with m.If(asks & ~at_rest):
            m.d.sync += self._finish(error=ErrorCode.BUSY)

        # A contest line, or a request that begins a session.
        with m.If(line_turn):
            m.d.sync += [
                self.turn.eq(command.turn),
                self.go.eq(command.op == LinkOp.GO),
                self.turn_held.eq(1),
            ]
        with m.If(self.session_comes):
            m.d.sync += [
                self.session.eq(self.session_op),
                self.session_held.eq(1),
                self.framed.eq(~line_session),
                self.turn_held.eq(0),
            ]
        with m.If(line_session & (self.pending | comes)):
            m.d.sync += self._finish(error=ErrorCode.DROPPED)
        return m

    def _finish(self, **values) -> list:
        """Statements: the request is done, with these values in its result."""
        return [
            self.done.eq(1),
            self.pending.eq(0),
            self.searching.eq(0),
            *(self.result[name].eq(value) for name, value in values.items()),
        ]
