"""The engine as a device: obeys contest lines and framed commands, also while it searches."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from loopline.engine.device.game import Game, variant_of
from loopline.engine.device.link import Link, RefusedCommandError, Values
from loopline.engine.device.self_test import run_parts
from loopline.engine.options import Limits
from loopline.game import STANDARD, Colour, NotationError, Turn, Variant, parse_turn
from loopline.game.wire import (
    BAUD_TRIAL_MS,
    CONTEXTS,
    COUNT_DEPTH,
    FRAME_PAUSE_MS,
    LEAST_BIT_CYCLES,
    MAGIC,
    POSITION_SPACE,
    PROGRESS_MS,
    PROTOCOL,
    WIN_BOUND,
    WIN_SCORE,
    Command,
    ErrorCode,
    Event,
    Feature,
    Frame,
    FrameReader,
    GameFlag,
    Noise,
    RuleFlag,
    TurnStatus,
    Verdict,
    area_and_flags,
    item_code,
    most_bit_cycles,
)
from loopline.hdl.search.config import SearchConfig
from loopline.tools.sources import build_number

if TYPE_CHECKING:
    from loopline.engine.search.searcher import Found, Searcher

__all__ = ["CLOCK", "CODE", "Device"]

CODE: Final = "LE"
"""The answer to ``-T``."""

CLOCK: Final = 12_000_000
"""Cycles per second, as of a board: the unit of a search's cycles by the cost model."""

_BAUD: Final = 115_200
_RULES: Final = RuleFlag.LINES | RuleFlag.BOTH_DRAW
_FEATURES: Final = (
    Feature.CONTEST
    | Feature.LIST
    | Feature.SEARCH
    | Feature.POSITION
    | Feature.SELF_TEST
    | Feature.SET_BAUD
    | Feature.COUNT
)
_SOURCES: Final = ("engine", "game", "hdl", "tools")
"""The folders of the sources that the build number speaks of."""

_SESSIONS: Final = ("-T", "-W", "-B", "-S")
"""The lines that begin a session, and end whatever is under way."""

_APART_FROM_THE_GAME: Final = (
    Command.IDENTIFY,
    Command.STATISTICS,
    Command.STOP,
    Command.SET_BAUD,
)
"""The commands during which a board goes on thinking on the opponent's time."""

_LOADING_SECONDS: Final = 0.02
"""The interval at which input is handled while the searcher is loaded."""

_FRAME_PAUSE: Final = FRAME_PAUSE_MS / 1000
_LARGEST: Final = 0xFFFF_FFFF


class _RateTrial(NamedTuple):
    """A new rate on trial: the bit cycles before it, and the end of the trial."""

    before: int
    end: float


class _Search:
    """The search under way: what ended it, and its result so far."""

    def __init__(self) -> None:
        self.stopped = False
        """Whether it has to end now."""
        self.dropped = False
        """Whether it has to end without an answer."""
        self.found: Found | None = None
        self.progress_at = time.monotonic() + PROGRESS_MS / 1000
        """The time of the next ``PROGRESS``."""


class Device:
    """A device behind a stream of bytes.

    Parameters
    ----------
    load : callable
        Returns the searcher, ready for use, which may take long. It is called once: before the
        first session of lines, or in another thread for the first ``SEARCH``.
    limits : Limits
        The limits of a contest's turn, and of a ``SEARCH`` without any limit.
    receive : callable
        Waits for bytes up to a number of seconds, or for ever if it is None. Returns them, or None
        at the end of the input.
    send : callable
        Takes the bytes to send.
    variant : Variant
        The variant of contest games.
    seed : int or None
        Varies the turns of the opening that a ``SEARCH`` finds.
    game_seed : int or None
        Varies those of contest games, differently in each of them; None: as ``seed``.
    config : SearchConfig
        The search, which tells the deepest iteration and the grid.
    ponder : int
        The nodes of a contest's turn, beyond those of ``limits``, if the opponent's turn before it
        was the one that the device had expected: as if it had searched on the opponent's time. A
        board does not do that in a limited area. Cycles if nodes are not limited.
    """

    def __init__(
        self,
        load: Callable[[], Searcher],
        limits: Limits,
        receive: Callable[[float | None], bytes | None],
        send: Callable[[bytes], None],
        *,
        variant: Variant = STANDARD,
        seed: int | None = None,
        game_seed: int | None = None,
        config: SearchConfig | None = None,
        ponder: int = 0,
    ) -> None:
        self._load = load
        self._limits = limits
        self._receive = receive
        self._variant = variant
        self._seed = seed
        self._game_seed = seed if game_seed is None else game_seed
        self._config = config or SearchConfig()
        self._grid = self._config.grid.size
        self._ponder = ponder
        self._expected: Turn | None = None
        self._reader = FrameReader()
        self._link = Link(send, self._obey_command, self._send_progress)
        self._events: deque[Event] = deque()
        self._heard = 0.0
        self._open = True
        self._searcher: Searcher | None = None
        self._search: _Search | None = None
        self._begin: Callable[[], None] | None = None
        self._game: Game | None = None
        self._games = 0
        self._bit_cycles = round(CLOCK / _BAUD)
        self._trial: _RateTrial | None = None
        self._commands: dict[Command, Callable[[int, Values], None]] = {
            Command.IDENTIFY: self._identify,
            Command.STATISTICS: self._statistics,
            Command.NEW_GAME: self._new_game,
            Command.PLAY: self._play,
            Command.TAKE_BACK: self._take_back,
            Command.LIST: self._list,
            Command.SEARCH: self._request_search,
            Command.STOP: self._stop,
            Command.POSITION: self._position,
            Command.SELF_TEST: self._self_test,
            Command.RESET: self._reset,
            Command.SET_BAUD: self._set_baud,
            Command.COUNT: self._count,
        }

    def run(self) -> None:
        """Obey lines and frames until the input ends, and answer all of them."""
        while self._open or self._events:
            if self._events:
                self._obey(self._events.popleft())
            else:
                self._take(_FRAME_PAUSE if self._reader.in_frame else None)
            while begin := self._begin:
                self._begin = None
                begin()

    # Input.

    def _take(self, seconds: float | None) -> None:
        """Wait for input, and divide it into events."""
        data = self._receive(seconds)
        if data is None:
            self._open = False
            data = b"" if self._reader.in_frame else b"\n"  # The last line may have no end.
        elif data:
            self._heard = time.monotonic()
        elif self._reader.in_frame and time.monotonic() >= self._heard + _FRAME_PAUSE:
            self._events.append(self._reader.cut())
        self._link.count("bytes_received", len(data))
        self._events.extend(self._reader.feed(data))

    def _obey(self, event: Event) -> None:
        if isinstance(event, Noise):
            self._obey_line(_text(event))
            return
        trial = self._trial
        if trial and time.monotonic() >= trial.end:
            self._bit_cycles, self._trial = trial.before, None
        self._link.take(event)
        if isinstance(event, Frame) and self._trial is trial:
            # A whole frame came at the new rate.
            self._trial = None

    def _attend(self, seconds: float = 0.0) -> bool:
        """Handle what came during a search. Return whether the search has to end."""
        search = self._search
        assert search is not None, "called by the search"
        if self._open and not search.stopped:
            self._take(seconds)
        while self._events and not search.stopped:
            event = self._events.popleft()
            line = _text(event) if isinstance(event, Noise) else ""
            if line in _SESSIONS:
                self._drop_search()
            elif self._link.searching is not None and _is_turn(line):
                search.stopped = True
            else:
                self._obey(event)
                continue
            # It is obeyed when the search has ended, and answered.
            self._events.appendleft(event)
        if self._link.searching is not None and not search.stopped:
            search.stopped = not self._open
            if time.monotonic() >= search.progress_at:
                self._send_progress(self._link.searching)
        return search.stopped

    # The search.

    def _run_search(self, limits: Limits, seed: int | None) -> _Search:
        """Search in the position of the game, and attend to the link meanwhile.

        Return the ended search; ``found`` is None if no turn fits into the grid of the search.
        """
        assert self._game is not None
        search = self._search = _Search()
        position = self._game.position.copy()
        try:
            searcher = self._loaded()
            if not search.dropped:
                with suppress(ValueError):
                    search.found = searcher.search(
                        position, limits, seed=seed, stopped=self._attend, report=self._note
                    )
        finally:
            self._search = None
        return search

    def _loaded(self) -> Searcher:
        """Return the searcher. The first time, load it, and attend to the link meanwhile."""
        if self._searcher is None:
            with ThreadPoolExecutor(1) as pool:
                loading = pool.submit(self._load)
                while not loading.done():
                    if self._attend(_LOADING_SECONDS) or not self._open:
                        wait([loading], _LOADING_SECONDS)
                self._searcher = loading.result()
        return self._searcher

    def _note(self, found: Found) -> None:
        """Take the result of an iteration."""
        assert self._search is not None
        self._search.found = found
        if self._link.searching is not None and not self._search.stopped:
            self._send_progress(self._link.searching)

    def _drop_search(self) -> None:
        """End a search that is under way, without its answer."""
        if self._search is None:
            return
        self._search.dropped = self._search.stopped = True
        if self._link.searching is not None:
            self._link.refuse(self._link.searching, Command.SEARCH, ErrorCode.DROPPED)
            self._link.searching = None

    # Contest lines.

    def _obey_line(self, line: str) -> None:
        if line in _SESSIONS:
            self._understood()
            self._begin_session(line)
        elif line == "-G":
            self._understood()
            self._expected = None
            if self._game is None or not self._game.awaits_turn:
                self._link.count("lines_refused")
                return
            self._game.own = self._game.position.to_move
            self._begin = self._move
        else:
            self._hear(line)

    def _understood(self) -> None:
        self._link.count("lines_received")
        self._link.answers_damage = False

    def _begin_session(self, line: str) -> None:
        if self._searcher is None:
            # A session's first answer promises that turns come in time.
            self._searcher = self._load()
        self._games += line != "-T"
        self._game = self._expected = None
        if line != "-T":
            own = {"-W": Colour.WHITE, "-B": Colour.RED}.get(line)
            self._game = Game(self._variant, own, self._grid)
        if line in ("-T", "-S"):
            self._link.send_line(CODE)
        elif line == "-W":
            self._begin = self._move

    def _hear(self, line: str) -> None:
        """Make a turn of the other side; one that is illegal or not awaited changes nothing."""
        try:
            turn = parse_turn(line)
        except NotationError:
            self._link.count("lines_noise")
            return
        self._understood()
        if turn != self._expected:
            self._expected = None
        game = self._game
        if game is None or not game.awaits_turn or game.make(turn) is not TurnStatus.LEGAL:
            self._link.count("lines_refused")
        elif game.own is not None and not game.over:
            self._begin = self._move

    def _move(self) -> None:
        """Find a turn of the own side, make it and send it, unless the search is dropped."""
        game = self._game
        assert game is not None
        seed = None if self._game_seed is None else self._game_seed + self._games
        limits, history = self._limits, game.position.history
        if self._ponder and history and history[-1].turn == self._expected:
            limits = limits.extended(self._ponder)
        self._expected = None
        search = self._run_search(limits, seed)
        if search.dropped:
            return
        if search.found is None:
            self._game = None  # No turn fits into the grid: the session is over.
            return
        game.position.play(search.found.turn)
        line = search.found.line
        # A board does not think on the opponent's time in a limited area.
        if len(line) > 1 and not game.position.variant.size:
            self._expected = line[1]
        self._link.send_line(str(search.found.turn))

    # Framed commands.

    def _obey_command(self, sequence: int, command: Command, values: Values) -> None:
        context = CONTEXTS[command]
        is_busy = self._search is not None and not context.always
        if is_busy and self._link.searching is not None:
            raise RefusedCommandError(ErrorCode.BUSY)
        self._link.forget()
        if is_busy:
            raise RefusedCommandError(ErrorCode.BUSY)
        if context.needs != "anything" and self._game is None:
            raise RefusedCommandError(ErrorCode.NO_GAME)
        if context.needs == "open game" and self._open_game.over:
            raise RefusedCommandError(ErrorCode.GAME_OVER)
        if command not in _APART_FROM_THE_GAME:
            self._expected = None
        self._commands[command](sequence, values)

    @property
    def _open_game(self) -> Game:
        assert self._game is not None, "checked before"
        return self._game

    @cached_property
    def _build(self) -> int:
        return build_number(*_SOURCES)

    def _identify(self, sequence: int, _values: Values) -> None:
        area, rules = area_and_flags(self._variant)
        self._link.answer(
            sequence,
            Command.IDENTIFY,
            magic=MAGIC,
            protocol=PROTOCOL,
            name="Engine",
            build=self._build,
            grid=self._grid,
            lanes=self._config.lanes,
            clock=CLOCK,
            bit_cycles=self._bit_cycles,
            baud=_BAUD,
            area=area,
            rules=rules,
            code=CODE,
            depth=self._config.deepest,
            features=_FEATURES,
            history=0xFFFF,
        )

    def _statistics(self, sequence: int, _values: Values) -> None:
        self._link.answer(sequence, Command.STATISTICS, **self._link.counts)

    def _new_game(self, sequence: int, values: Values) -> None:
        if values["rules"] & ~_RULES or None in values["turns"]:
            raise RefusedCommandError(ErrorCode.FIELD)
        self._drop_search()
        variant = variant_of(values["area"], RuleFlag(values["rules"]))
        self._game = Game(variant, grid=self._grid)
        self._link.answer(sequence, Command.NEW_GAME, **self._game.play(values["turns"]))

    def _play(self, sequence: int, values: Values) -> None:
        if None in values["turns"]:
            raise RefusedCommandError(ErrorCode.FIELD)
        self._open_game.own = None
        self._link.answer(sequence, Command.PLAY, **self._open_game.play(values["turns"]))

    def _take_back(self, sequence: int, values: Values) -> None:
        count = values["count"]
        if not count:
            raise RefusedCommandError(ErrorCode.FIELD)
        if count > self._open_game.position.turns:
            raise RefusedCommandError(ErrorCode.NOTHING)
        self._open_game.own = None
        self._link.answer(sequence, Command.TAKE_BACK, **self._open_game.take_back(count))

    def _list(self, sequence: int, _values: Values) -> None:
        number = legal = 0
        for candidate in self._open_game.candidates():
            self._link.send(sequence, item_code(Command.LIST), **candidate)
            number += 1
            legal += not candidate["status"]
        self._link.answer(sequence, Command.LIST, candidates=number, legal=legal)

    def _count(self, sequence: int, values: Values) -> None:
        if not 1 <= values["depth"] <= COUNT_DEPTH:
            raise RefusedCommandError(ErrorCode.FIELD)
        # Imported here: a device that does not count starts without numba.
        from loopline.engine.board.position import count_turns

        position, grid = self._open_game.position, self._config.grid
        sequences, beyond = count_turns(position, values["depth"], grid)
        self._link.answer(sequence, Command.COUNT, sequences=sequences, beyond=int(beyond))

    def _request_search(self, sequence: int, values: Values) -> None:
        limits = Limits(
            depth=min(values["depth"], self._config.deepest) or None,
            nodes=values["nodes"] or None,
            cycles=values["cycles"] or None,
        )
        self._link.searching = sequence
        self._begin = lambda: self._answer_search(limits if any(limits) else self._limits)

    def _answer_search(self, limits: Limits) -> None:
        search = self._run_search(limits, self._seed)
        sequence = self._link.searching
        if not search.dropped and sequence is not None:
            self._link.searching = None
            self._link.answer(sequence, Command.SEARCH, **self._search_values(search))

    def _send_progress(self, sequence: int) -> None:
        search = self._search or _Search()
        search.progress_at = time.monotonic() + PROGRESS_MS / 1000
        self._link.send(sequence, item_code(Command.SEARCH), **self._search_values(search))

    def _search_values(self, search: _Search) -> Values:
        """Return the answer to ``SEARCH``, or a report of its progress."""
        found = search.found
        nodes, cycles = self._searcher.counts() if self._searcher and self._search else (0, 0)
        if found is None:
            return {
                "verdict": Verdict.NONE,
                "score": 0,
                "depth": 0,
                "nodes": min(nodes, _LARGEST),
                "cycles": min(cycles, _LARGEST),
                "variation": [],
            }
        return {
            "verdict": _verdict(found),
            "score": found.score,
            "depth": found.depth,
            "nodes": min(max(nodes, found.nodes), _LARGEST),
            "cycles": min(max(cycles, found.cycles), _LARGEST),
            "variation": list(found.line),
        }

    def _stop(self, sequence: int, _values: Values) -> None:
        searching = self._link.searching is not None
        self._link.answer(sequence, Command.STOP, searching=int(searching))
        if searching and self._search:
            self._search.stopped = True

    def _position(self, sequence: int, _values: Values) -> None:
        game = self._game or Game(self._variant, grid=self._grid)
        for row in game.rows():
            self._link.send(sequence, item_code(Command.POSITION), **row)
        for space in game.spaces():
            self._link.send(sequence, POSITION_SPACE, **space)
        state = game.state() if self._game else GameFlag(0)
        self._link.answer(sequence, Command.POSITION, state=state, **game.summary())

    def _self_test(self, sequence: int, _values: Values) -> None:
        self._game = None
        parts, failed = run_parts()
        self._link.answer(sequence, Command.SELF_TEST, parts=parts, failed=failed)

    def _reset(self, sequence: int, _values: Values) -> None:
        self._drop_search()
        self._game = None
        self._games = 0
        self._link.clear()
        self._link.answer(sequence, Command.RESET)

    def _set_baud(self, sequence: int, values: Values) -> None:
        cycles = values["bit_cycles"]
        if not LEAST_BIT_CYCLES <= cycles <= most_bit_cycles(CLOCK, round(CLOCK / _BAUD)):
            raise RefusedCommandError(ErrorCode.FIELD)
        before = self._trial.before if self._trial else self._bit_cycles
        self._trial = _RateTrial(before, time.monotonic() + BAUD_TRIAL_MS / 1000)
        self._bit_cycles = cycles
        self._link.answer(sequence, Command.SET_BAUD, bit_cycles=cycles)


def _text(event: Noise) -> str:
    return event.text.decode("ascii", "replace").strip()


def _is_turn(line: str) -> bool:
    """Return whether a line is a turn or ``-G``, legal or not."""
    with suppress(NotationError):
        return line == "-G" or bool(parse_turn(line))
    return False


def _verdict(found: Found) -> Verdict:
    """Return the verdict on the best turn."""
    if abs(found.score) >= WIN_BOUND:
        if found.score > 0:
            return Verdict.WIN
        return Verdict.SUICIDE if found.score == 1 - WIN_SCORE else Verdict.LOSING
    return Verdict.SAFE if found.depth else Verdict.UNKNOWN
