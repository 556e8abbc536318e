"""The model device: software that answers the frames of the definition, as a board does.

``python -m loopline.host.device.model.board`` speaks them on its standard input and output. It is
what the gateware is compared with, and it is there without any board. It knows no contest lines.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from loopline.game import STANDARD
from loopline.game.wire import (
    BAUD_TRIAL_MS,
    CONTEXTS,
    LEAST_BIT_CYCLES,
    MAGIC,
    POSITION_SPACE,
    PROGRESS_MS,
    PROTOCOL,
    Command,
    ErrorCode,
    Feature,
    GameFlag,
    RuleFlag,
    area_and_flags,
    item_code,
    most_bit_cycles,
)
from loopline.host.device.model.game import GRID, ModelGame
from loopline.host.device.model.link import ModelLink, NotObeyedError, Values
from loopline.host.device.model.parts import run_parts
from loopline.host.device.model.search import CLOCK, DEPTH, ModelSearch

__all__ = ["ModelBoard"]

_BAUD: Final = 115_200
_RULES: Final = RuleFlag.LINES | RuleFlag.BOTH_DRAW
_FEATURES: Final = (
    Feature.LIST | Feature.SEARCH | Feature.POSITION | Feature.SELF_TEST | Feature.SET_BAUD
)


class _Trial(NamedTuple):
    """A rate that is tried: the one before, until when, and the frames that had come by then."""

    before: int
    end: float
    frames: int


class ModelBoard:
    """A device behind its link.

    Parameters
    ----------
    send : callable
        Takes the bytes that it sends.
    notify : callable
        Called from another thread when :meth:`poll` has something to say.

    Attributes
    ----------
    link : ModelLink
        Takes what comes.
    """

    def __init__(self, send: Callable[[bytes], None], notify: Callable[[], None]) -> None:
        self.link = ModelLink(send, self._obey, self._report)
        self._notify = notify
        self._bit_cycles = round(CLOCK / _BAUD)
        self._game: ModelGame | None = None
        self._search: ModelSearch | None = None
        self._report_at = 0.0
        self._trial: _Trial | None = None
        self._commands: dict[Command, Callable[[int, Values], None]] = {
            Command.IDENTIFY: self._identify,
            Command.STATISTICS: self._statistics,
            Command.NEW_GAME: self._new_game,
            Command.PLAY: self._play,
            Command.TAKE_BACK: self._take_back,
            Command.LIST: self._list,
            Command.SEARCH: self._begin_search,
            Command.STOP: self._stop,
            Command.POSITION: self._position,
            Command.SELF_TEST: self._self_test,
            Command.RESET: self._reset,
            Command.SET_BAUD: self._set_baud,
        }

    @property
    def busy(self) -> bool:
        """Whether something is due soon, even if nothing comes."""
        return self._search is not None or self._trial is not None or self.link.in_frame

    def poll(self) -> None:
        """Do what is due: reports of the search, its answer, the end of a rate on trial."""
        self._end_trial()
        search, sequence = self._search, self.link.searching
        if search is None or sequence is None:
            return
        now = time.monotonic()
        if search.take() or now >= self._report_at:
            self._report(sequence)
            self._report_at = now + PROGRESS_MS / 1000
        if search.done:
            self._search = self.link.searching = None
            search.drop()
            self.link.answer(sequence, Command.SEARCH, **search.report())

    def close(self) -> None:
        """End the search that is under way."""
        if self._search:
            self._search.drop()

    def _obey(self, sequence: int, command: Command, values: Values) -> None:
        context = CONTEXTS[command]
        if self._search and not context.always:
            raise NotObeyedError(ErrorCode.BUSY)
        if context.needs != "anything" and self._game is None:
            raise NotObeyedError(ErrorCode.NO_GAME)
        if context.needs == "open game" and self._open_game.over:
            raise NotObeyedError(ErrorCode.GAME_OVER)
        self._commands[command](sequence, values)

    @property
    def _open_game(self) -> ModelGame:
        assert self._game is not None, "checked before"
        return self._game

    def _report(self, sequence: int) -> None:
        assert self._search is not None, "asked for while it is under way"
        self.link.send(sequence, item_code(Command.SEARCH), **self._search.report())

    def _drop_search(self) -> None:
        if self._search and self.link.searching is not None:
            self._search.drop()
            self.link.refuse(self.link.searching, Command.SEARCH, ErrorCode.DROPPED)
            self._search = self.link.searching = None

    def _identify(self, sequence: int, _values: Values) -> None:
        area, rules = area_and_flags(STANDARD)
        self.link.answer(
            sequence,
            Command.IDENTIFY,
            magic=MAGIC,
            protocol=PROTOCOL,
            name="Model",
            build=0,
            grid=GRID,
            lanes=1,
            clock=CLOCK,
            bit_cycles=self._bit_cycles,
            baud=_BAUD,
            area=area,
            rules=rules,
            code="LM",
            depth=DEPTH,
            features=_FEATURES,
            history=0xFFFF,
        )
        self.link.forget()

    def _statistics(self, sequence: int, _values: Values) -> None:
        self.link.answer(sequence, Command.STATISTICS, **self.link.counts)

    def _new_game(self, sequence: int, values: Values) -> None:
        if values["rules"] & ~_RULES or None in values["turns"]:
            raise NotObeyedError(ErrorCode.FIELD)
        self._drop_search()
        self._game = ModelGame(values["area"], RuleFlag(values["rules"]))
        self.link.answer(sequence, Command.NEW_GAME, **self._game.play(values["turns"]))

    def _play(self, sequence: int, values: Values) -> None:
        if None in values["turns"]:
            raise NotObeyedError(ErrorCode.FIELD)
        self.link.answer(sequence, Command.PLAY, **self._open_game.play(values["turns"]))

    def _take_back(self, sequence: int, values: Values) -> None:
        count = values["count"]
        if not count:
            raise NotObeyedError(ErrorCode.FIELD)
        if count > self._open_game.position.turns:
            raise NotObeyedError(ErrorCode.NOTHING)
        self.link.answer(sequence, Command.TAKE_BACK, **self._open_game.take_back(count))

    def _list(self, sequence: int, _values: Values) -> None:
        number = legal = 0
        for candidate in self._open_game.candidates():
            self.link.send(sequence, item_code(Command.LIST), **candidate)
            number += 1
            legal += not candidate["status"]
        self.link.answer(sequence, Command.LIST, candidates=number, legal=legal)

    def _begin_search(self, sequence: int, values: Values) -> None:
        self.link.searching = sequence
        self._report_at = time.monotonic() + PROGRESS_MS / 1000
        self._search = ModelSearch(self._open_game.position, notify=self._notify, **values)

    def _stop(self, sequence: int, _values: Values) -> None:
        self.link.answer(sequence, Command.STOP, searching=int(self._search is not None))
        if self._search:
            self._search.stop()

    def _position(self, sequence: int, _values: Values) -> None:
        game = self._game or ModelGame(*area_and_flags(STANDARD))
        for row in game.rows():
            self.link.send(sequence, item_code(Command.POSITION), **row)
        for space in game.spaces():
            self.link.send(sequence, POSITION_SPACE, **space)
        state = game.state() if self._game else GameFlag(0)
        self.link.answer(sequence, Command.POSITION, state=state, **game.summary())

    def _self_test(self, sequence: int, _values: Values) -> None:
        self._game = None
        parts, failed = run_parts()
        self.link.answer(sequence, Command.SELF_TEST, parts=parts, failed=failed)

    def _reset(self, sequence: int, _values: Values) -> None:
        self._drop_search()
        self._game = None
        self.link.clear()
        self.link.answer(sequence, Command.RESET)

    def _set_baud(self, sequence: int, values: Values) -> None:
        cycles = values["bit_cycles"]
        if not LEAST_BIT_CYCLES <= cycles <= most_bit_cycles(CLOCK, round(CLOCK / _BAUD)):
            raise NotObeyedError(ErrorCode.FIELD)
        before = self._trial.before if self._trial else self._bit_cycles
        end = time.monotonic() + BAUD_TRIAL_MS / 1000
        self._trial = _Trial(before, end, self.link.counts["frames_received"])
        self._bit_cycles = cycles
        self.link.answer(sequence, Command.SET_BAUD, bit_cycles=cycles)

    def _end_trial(self) -> None:
        """Keep the new rate if a frame has come since, or else take the one before, in time."""
        trial = self._trial
        if trial is None:
            return
        if self.link.counts["frames_received"] != trial.frames:
            self._trial = None
        elif time.monotonic() >= trial.end:
            self._bit_cycles, self._trial = trial.before, None
