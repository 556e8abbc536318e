"""The states of the commander in which a frame is looked at: is it to be obeyed?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data

from loopline.game.wire import COMMANDS, CONTEXTS, Command, ErrorCode, TurnStatus, answer_code
from loopline.hdl.frames.answers import AnswerKind
from loopline.hdl.frames.commander_steps import LIMIT_BYTES, PAIR_BYTES, Kept, Search, State, Steps

if TYPE_CHECKING:
    from loopline.hdl.frames.commander import Commander

__all__ = ["Traits", "check", "choose", "describe", "load"]

_OBEYED = (
    Command.IDENTIFY,
    Command.STATISTICS,
    Command.NEW_GAME,
    Command.PLAY,
    Command.TAKE_BACK,
    Command.LIST,
    Command.SEARCH,
    Command.STOP,
    Command.POSITION,
    Command.SELF_TEST,
    Command.RESET,
    Command.SET_BAUD,
)


class Traits(NamedTuple):
    """What is to be known of a command before it is obeyed: whether it is ``known``, its length
    ``fits``, and how many bytes of fields it ``needs``; whether it is obeyed ``always``, even
    during a search, and whether its answer is kept."""

    known: Signal
    fits: Signal
    needs: Signal
    always: Signal
    keeps: Signal


def describe(m: Module, frame: data.View) -> Traits:
    """The traits of a frame's command."""
    known, fits, always, keeps = (
        Signal(name=name) for name in ("known", "fits", "always", "keeps")
    )
    needs = Signal(range(LIMIT_BYTES + 1))
    with m.Switch(frame.code):
        for command in _OBEYED:
            message, context = COMMANDS[command], CONTEXTS[command]
            length = frame.length == message.width
            if message.repeated is not None:
                least = message.width + message.least * message.repeated.width
                most = message.width + message.most * message.repeated.width
                assert message.repeated.width == PAIR_BYTES
                assert message.width % PAIR_BYTES == 0
                length = (frame.length >= least) & (frame.length <= most) & ~frame.length[0]
            with m.Case(command):
                m.d.comb += [
                    known.eq(1),
                    fits.eq(length),
                    needs.eq(message.width),
                    always.eq(context.always),
                    keeps.eq(context.stored),
                ]
    return Traits(known, fits, needs, always, keeps)


def choose(m: Module, commander: Commander, steps: Steps, search: Search) -> None:
    """IDLE: the end of a search is said first, then a frame obeyed, then said what it has found so
    far."""
    state, code = steps.state, steps.code
    with m.Case(State.IDLE):
        m.d.comb += commander.answers.clear.eq(1)
        m.d.sync += [search.answered.eq(0), steps.again.eq(0)]
        with m.If(search.finished):
            # What it has found, or why not.
            m.d.sync += [
                search.answered.eq(1),
                commander.error.eq(commander.player.result.error),
                *steps.make(AnswerKind.SEARCH, State.IDLE),
                code.eq(answer_code(Command.SEARCH)),
                search.finished.eq(0),
                commander.searching.eq(0),
                search.stopping.eq(0),
            ]
            with m.If(commander.player.result.error != 0):
                m.d.sync += [steps.kind.eq(AnswerKind.ERROR), code.eq(answer_code(0))]
        with m.Elif(commander.frames.headers.valid):
            m.d.sync += state.eq(State.CHECK)
        with m.Elif(search.due & commander.searching):
            m.d.sync += [
                search.answered.eq(1),
                steps.then.eq(State.IDLE),
                state.eq(State.FREEZE),
            ]


def check(
    m: Module, commander: Commander, steps: Steps, search: Search, kept: Kept, traits: Traits
) -> None:
    """CHECK, DECIDE: a frame is refused, answered with the kept answer, or obeyed."""
    frame, state = commander.frames.headers.payload, steps.state
    with m.Case(State.CHECK):
        m.d.sync += [
            commander.made.eq(0),
            commander.status.eq(TurnStatus.LEGAL),
            commander.tiles.eq(0),
            commander.completed.eq(0),
            steps.at.eq(0),
            state.eq(State.DECIDE),
        ]
        with m.If(frame.error != 0):
            m.d.sync += steps.fail(frame.error)
        with m.Elif(~traits.known):
            m.d.sync += steps.fail(ErrorCode.UNKNOWN)
        with m.Elif(~traits.fits):
            m.d.sync += steps.fail(ErrorCode.LENGTH)

    with m.Case(State.DECIDE):
        repeats = kept.on & (frame.sequence == kept.sequence) & (frame.code == kept.code)
        same = (frame.sequence == search.sequence) & (frame.code == Command.SEARCH)
        m.d.sync += steps.load(traits.needs, State.RUN)
        with m.If(traits.needs == 0):
            m.d.sync += state.eq(State.RUN)
        with m.If(repeats & traits.keeps):
            m.d.comb += commander.repeated.eq(1)
            m.d.sync += [
                steps.again.eq(1),
                steps.then.eq(State.RELEASE),
                state.eq(State.SEND),
            ]
        with m.Elif(commander.searching & same):
            m.d.comb += commander.repeated.eq(1)
            m.d.sync += [
                search.answered.eq(1),
                steps.then.eq(State.RELEASE),
                state.eq(State.FREEZE),
            ]
        with m.Elif(commander.searching & ~traits.always):
            m.d.sync += steps.fail(ErrorCode.BUSY)
        with m.Else():
            m.d.sync += kept.on.eq(0)


def load(m: Module, commander: Commander, steps: Steps) -> None:
    """LOAD, LOADED: some bytes of the payload."""
    at, wanted = steps.at, steps.wanted
    with m.Case(State.LOAD):
        m.d.sync += [at.eq(at + 1), wanted.eq(wanted - 1), steps.state.eq(State.LOADED)]

    with m.Case(State.LOADED):
        m.d.sync += steps.state.eq(Mux(wanted == 0, steps.then, State.LOAD))
        with m.If(commander.frames.headers.payload.code == Command.SEARCH):
            m.d.sync += steps.limits.eq(Cat(commander.frames.byte, steps.limits))
        with m.Else():
            m.d.sync += steps.pair.eq(Cat(commander.frames.byte, steps.pair))
