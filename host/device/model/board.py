"""The model device: software that answers the frames of the definition, as a board does.

``python -m loopline.host.device.model.board`` speaks them on its standard input and output. It is
what the gateware is compared with, and it is there without any board. It knows no contest lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from loopline.game import STANDARD
from loopline.game.wire import (
    CONTEXTS,
    MAGIC,
    POSITION_SPACE,
    PROTOCOL,
    Command,
    ErrorCode,
    Feature,
    GameFlag,
    RuleFlag,
    area_and_flags,
    item_code,
)
from loopline.host.device.model.game import GRID, ModelGame
from loopline.host.device.model.link import ModelLink, NotObeyedError, Values
from loopline.host.device.model.parts import run_parts
from loopline.host.device.model.search import CLOCK, DEPTH, ModelSearch

__all__ = ["ModelBoard"]

_BAUD: Final = 115_200
_LEAST_BIT_CYCLES: Final = 8
_RULES: Final = RuleFlag.LINES | RuleFlag.BOTH_DRAW
_FEATURES: Final = (
    Feature.LIST | Feature.SEARCH | Feature.POSITION | Feature.SELF_TEST | Feature.SET_BAUD
)


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

    def poll(self) -> None:
        """Say what the search has found."""
        search, sequence = self._search, self.link.searching
        if search is None or sequence is None:
            return
        if search.take():
            self._report(sequence)
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
        if cycles < _LEAST_BIT_CYCLES:
            raise NotObeyedError(ErrorCode.FIELD)
        self._bit_cycles = cycles
        self.link.answer(sequence, Command.SET_BAUD, bit_cycles=cycles)
