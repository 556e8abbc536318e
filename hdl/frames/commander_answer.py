"""The states of the commander in which an answer is made and sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Module, Mux

from loopline.game.wire import Command, ErrorCode, item_code
from loopline.hdl.frames.answers import AnswerKind
from loopline.hdl.frames.commander_steps import Kept, Search, State, Steps
from loopline.hdl.frames.turn_list import ABANDONED

if TYPE_CHECKING:
    from loopline.hdl.frames.commander import Commander

__all__ = ["freeze", "make", "release", "send"]


def freeze(m: Module, commander: Commander, steps: Steps, search: Search) -> None:
    """FREEZE: the search stands still; or it has come to its end, and that will be its answer."""
    with m.Case(State.FREEZE):
        m.d.sync += [search.due.eq(0), steps.kind.eq(AnswerKind.SEARCH)]
        m.d.sync += steps.code.eq(item_code(Command.SEARCH))
        with m.If(search.finished):
            m.d.sync += steps.state.eq(State.IDLE)
        with m.Elif(commander.player.frozen):
            m.d.sync += steps.state.eq(State.MAKE)


def make(m: Module, commander: Commander, steps: Steps) -> None:
    """MAKE, REPORT: the payload, from what is known or from a report, item by item."""
    state, put = steps.state, commander.answers.payload
    with m.Case(State.MAKE):
        m.d.comb += [
            commander.kinds.valid.eq(1),
            put.valid.eq(commander.made_put.valid),
            put.payload.eq(commander.made_put.payload),
            commander.made_put.ready.eq(put.ready),
        ]
        with m.If(commander.kinds.ready):
            m.d.sync += state.eq(State.SEND)

    with m.Case(State.REPORT):
        pieces, piece = commander.pieces, commander.pieces.payload
        m.d.comb += [
            put.valid.eq(pieces.valid & ~piece.ends),
            put.payload.eq(piece.byte),
            pieces.ready.eq(put.ready | piece.ends),
        ]
        with m.If(pieces.valid & piece.ends):
            m.d.sync += [steps.code.eq(piece.byte), state.eq(State.SEND)]
            m.d.sync += steps.then.eq(Mux(piece.byte[6], State.REPORT, State.RELEASE))
            with m.If(piece.byte == ABANDONED):
                # What has been put belongs to no answer.
                m.d.comb += commander.answers.clear.eq(1)
                m.d.sync += steps.fail(ErrorCode.DROPPED)


def send(m: Module, commander: Commander, steps: Steps, search: Search, kept: Kept) -> None:
    """SEND: the answer goes out, and may be kept."""
    state, then, answer = steps.state, steps.then, commander.answers.headers.payload
    with m.Case(State.SEND):
        m.d.comb += commander.answers.headers.valid.eq(1)
        with m.If(commander.answers.headers.ready):
            # A wrong ``then``, of a flip-flop that has changed by itself, must not send without an
            # end: nobody could tell that from work.
            endless = (then == State.MAKE) | (then == State.SEND)
            m.d.sync += [search.answered.eq(0), state.eq(Mux(endless, State.RELEASE, then))]
            with m.If(answer.keep):
                m.d.sync += [
                    kept.on.eq(1),
                    kept.sequence.eq(answer.sequence),
                    kept.code.eq(commander.command),
                ]


def release(m: Module, commander: Commander, steps: Steps) -> None:
    """RATE, RELEASE: a new rate is set, and the frame is done with."""
    state = steps.state
    with m.Case(State.RATE):
        # Nor may a wrong ``then`` set a rate.
        asked = commander.frames.headers.payload.code == Command.SET_BAUD
        m.d.comb += commander.rates.valid.eq(asked)
        with m.If(commander.rates.ready | ~asked):
            m.d.sync += state.eq(State.RELEASE)

    with m.Case(State.RELEASE):
        m.d.comb += commander.frames.headers.ready.eq(1)
        m.d.sync += state.eq(State.IDLE)

    with m.Default():
        # No code of a state: as after power-on.
        m.d.sync += state.eq(State.IDLE)
