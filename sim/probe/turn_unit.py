"""The turn unit alone at native speed, and its comparison with the rules.

Both have the same coordinates: the first tile lies at (0, 0), and the torus is the plane modulo the
size of the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import (
    SHAPE_OF_CODE,
    STANDARD,
    Colour,
    ForcedPlayError,
    IllegalTurnError,
    OutsideAreaError,
    Position,
    Shape,
    Turn,
    Variant,
    parse_turn,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.sim.probe.probe import Probe

__all__ = [
    "Comparison",
    "Evaluation",
    "NativeTurnUnit",
    "Scoreboard",
    "box_of",
    "colour_mask",
    "compare_game",
    "count_sequences",
    "evaluation_of",
    "unit_perft",
]


def colour_mask(colours: Iterable[Colour]) -> int:
    """Return a set of colours as a mask: bit 0 white, bit 1 red."""
    return sum(1 << colour for colour in colours)


class Evaluation(NamedTuple):
    """The result of a turn, by the gateware or by the rules.

    - ``status``: whether the turn is legal, and otherwise why not;
    - ``tiles``, ``loops``, ``lines``: of a legal turn the tiles laid, and the colours that
      completed something as masks, bit 0 white; 0 otherwise;
    - ``box``: the formation's first column and row, and its last ones, on the torus: after a legal
      turn, and of a candidate that is evaluated with its first tile; empty otherwise.
    """

    status: Status
    tiles: int = 0
    loops: int = 0
    lines: int = 0
    box: tuple[int, ...] = ()


def box_of(outcome: Any) -> tuple[int, int, int, int] | None:
    """Return the box of an outcome; None for an empty board."""
    if outcome.box__empty:
        return None
    return outcome.box__west, outcome.box__north, outcome.box__east, outcome.box__south


def evaluation_of(outcome: Any) -> Evaluation:
    """Return what an outcome of ``MAKE`` says of its turn."""
    if outcome.status != Status.LEGAL.value:
        return Evaluation(Status(outcome.status))
    figures = outcome.tiles, outcome.loops, outcome.lines
    return Evaluation(Status.LEGAL, *figures, box_of(outcome) or ())


class _RuledTurnUnit(wiring.Component):
    """A turn unit whose rules come with each command: it is compiled once for all variants."""

    def __init__(self, grid: GridConfig) -> None:
        self._grid = grid
        command = {**command_layout(grid).members, "rules": rules_layout(grid)}
        super().__init__(
            {
                "commands": In(stream.Signature(data.StructLayout(command))),
                "outcomes": Out(stream.Signature(outcome_layout(grid))),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.unit = unit = TurnUnit(self._grid)
        command = self.commands.payload
        rules = Signal(rules_layout(self._grid))
        m.d.comb += [
            Value.cast(unit.commands.payload).eq(Value.cast(command)),  # which begins with it
            unit.commands.valid.eq(self.commands.valid),
            self.commands.ready.eq(unit.commands.ready),
            unit.rules.eq(rules),
        ]
        with m.If(self.commands.valid & self.commands.ready):
            m.d.sync += rules.eq(command.rules)
        connect(m, unit.outcomes, flipped(self.outcomes))
        return m


class NativeTurnUnit:
    """A :class:`TurnUnit` compiled to native code, one command at a time.

    The ``probe`` is the compiled unit. It begins with standard Trax. :meth:`clear` may change the
    variant, and :meth:`stall` the seed by which both streams are stalled at random; 0 does not
    stall them.
    """

    _component: type[wiring.Component] = _RuledTurnUnit

    def __init__(self, grid: GridConfig | None = None, *, stall: int = 0) -> None:
        self.grid = grid or GridConfig()
        self.probe = Probe(self._component(self.grid))
        self.stall(stall)
        self._start = self.probe.commands.fields["rules__area"][0]
        self._mask = self.grid.size - 1
        self.clear(STANDARD)

    def _word(self, op: TurnOp, **fields: int) -> int:
        return self.probe.commands.pack(op=op, **fields) | self._rules

    def do(self, op: TurnOp, **fields: int) -> Any:
        """Give a command. Returns the fields of its outcome, with ``status`` as a number."""
        return self.probe.outcomes.unpack(self.probe.call(self._word(op, **fields)))

    @property
    def last_cycles(self) -> int:
        """Clock cycles of the last command."""
        return self.probe.last_cycles

    def power_on(self, variant: Variant) -> None:
        """Reset the unit as after power-on, without stalls, for a game of this variant."""
        self.probe.reset()
        self.clear(variant)

    def clear(self, variant: Variant | None = None) -> None:
        """Empty the board, for a game of ``variant`` or, if it is not given, of the one before."""
        if variant is not None:
            self._rules = rules_of(variant, self.grid).as_bits() << self._start
        self.do(TurnOp.CLEAR)

    def make(self, x: int, y: int, shape: Shape) -> Any:
        """Make the turn that begins with a tile at these coordinates of the plane or the torus."""
        return self.do(TurnOp.MAKE, symbol=shape.code, x=x & self._mask, y=y & self._mask)

    def unmake(self) -> Any:
        """Unmake the last turn."""
        return self.do(TurnOp.UNMAKE)

    def commit(self) -> None:
        """Make all turns final."""
        self.do(TurnOp.COMMIT)

    def candidates(self, index: int = 0, shape: int = 0) -> Iterator[Any]:
        """Yield the candidates from a cursor on, in the unit's order: outcomes with ``turn__x``,
        ``turn__y``, ``turn__index`` and ``turn__symbol``."""
        while True:
            found = self.do(TurnOp.NEXT, index=index, symbol=shape)
            if found.status == Status.END.value:
                return
            yield found
            index, shape = found.turn__index, found.turn__symbol + 1

    def interrupt(self, op: TurnOp, after: int, **fields: int) -> None:
        """Begin a command, and pulse the reset after this many cycles; :meth:`clear` has to be
        next. Outcomes that are not taken yet are lost."""
        self.probe.interrupt(self._word(op, **fields), after)

    def stall(self, seed: int) -> None:
        """Hold back both streams at random from now on, by another seed; 0 ends that."""
        self.probe.stall(seed)

    def close(self) -> None:
        """Free the compiled unit."""
        self.probe.close()


class Scoreboard:
    """The rules beside a unit. The first tile lies at (0, 0) for both."""

    def __init__(self, grid: GridConfig, variant: Variant) -> None:
        self.position = Position(variant)
        self._limit = grid.limit
        self._mask = grid.size - 1
        # An area that is larger than what the grid holds limits nothing.
        self._has_area = variant.size is not None and variant.size <= grid.limit

    def place(self, turn: Turn) -> dict[str, int]:
        """Return where the turn's first tile lies on the torus, and its shape, as a command."""
        x, y = self.position.locate(turn) if self.position.turns else (0, 0)
        return {"x": x & self._mask, "y": y & self._mask, "symbol": turn.shape.code}

    def turn(self, x: int, y: int, symbol: int) -> Turn:
        """Return the turn that begins at this place of the torus."""
        label = self.position.label(*self._on_plane(x, y))
        return Turn(*label, SHAPE_OF_CODE[symbol])

    def _on_plane(self, x: int, y: int) -> tuple[int, int]:
        west, north = self.position.west - 1, self.position.north - 1
        return west + ((x - west) & self._mask), north + ((y - north) & self._mask)

    def outgrows(self, x: int, y: int) -> bool:
        """Return whether the formation would be too large for the grid with a tile at this place of
        the torus. Forced plays make it no larger."""
        position = self.position
        if not position.turns:
            return False
        x, y = self._on_plane(x, y)
        width = max(x, position.east) - min(x, position.west) + 1
        height = max(y, position.south) - min(y, position.north) + 1
        return max(width, height) > self._limit

    def expect(self, turn: Turn) -> Evaluation:
        """Return what the rules say of a turn, which is not made; ``BOUNDS`` if it
        :meth:`outgrows` the grid."""
        position, place = self.position, self.place(turn)
        outgrown = Evaluation(Status.BOUNDS) if self.outgrows(place["x"], place["y"]) else None
        try:
            played = position.play(turn)
        except ForcedPlayError:
            return outgrown or Evaluation(Status.FORCED)
        except OutsideAreaError:
            return outgrown if outgrown and not self._has_area else Evaluation(Status.AREA)
        except IllegalTurnError:
            return Evaluation(Status.MISMATCH)
        box = position.west, position.north, position.east, position.south
        position.undo()
        if outgrown:
            return outgrown
        figures = len(played.tiles), colour_mask(played.loops), colour_mask(played.lines)
        return Evaluation(Status.LEGAL, *figures, tuple(edge & self._mask for edge in box))


@dataclass
class Comparison:
    """Counts of what was compared with the rules, and the differences.

    ``cut`` counts the games that outgrew the grid; they were compared up to there.
    """

    games: int = 0
    cut: int = 0
    turns: int = 0
    candidates: int = 0
    illegal: int = 0
    cycles: int = 0
    differences: list[str] = field(default_factory=list)

    def check(self, what: str, unit: object, rules: object) -> None:
        """Note a difference."""
        if unit != rules:
            self.differences.append(f"{what}: unit {unit!r}, rules {rules!r}")


def _compare_turns(unit: NativeTurnUnit, board: Scoreboard, seen: Comparison, where: str) -> None:
    """Compare the list of legal turns: make and unmake each candidate."""
    legal = []
    for found in list(unit.candidates()):
        place = {"x": found.turn__x, "y": found.turn__y, "symbol": found.turn__symbol}
        outcome = unit.do(TurnOp.MAKE, **place)
        seen.cycles += unit.last_cycles
        seen.candidates += 1
        if outcome.status == Status.LEGAL.value:
            legal.append(tuple(place.values()))
            unmade = unit.unmake()
            said, again = ((each.loops, each.lines) for each in (outcome, unmade))
            seen.check(f"{where}: candidate {place}, unmade", again, said)
            seen.cycles += unit.last_cycles
        elif outcome.status == Status.FORCED.value:
            seen.illegal += 1
        elif outcome.status != Status.BOUNDS.value or not board.outgrows(place["x"], place["y"]):
            seen.check(f"{where}: candidate {place}", Status(outcome.status), "LEGAL or FORCED")
    places = [board.place(turn) for turn in board.position.legal_turns()]
    fitting = (place for place in places if not board.outgrows(place["x"], place["y"]))
    expected = sorted(tuple(place.values()) for place in fitting)
    seen.check(f"{where}: legal turns", sorted(legal), expected)


def compare_game(
    unit: NativeTurnUnit,
    turns: Iterable[Turn | str],
    seen: Comparison,
    *,
    name: str = "game",
    lists: bool = True,
    variant: Variant = STANDARD,
) -> Position:
    """Play a game on the unit and by the rules, and compare them turn by turn.

    Compared are the :class:`Evaluation` of each turn, and with ``lists`` the legal turns before
    it. A turn that is illegal or outgrows the grid must be refused and ends the game. Differences
    go to ``seen``.
    Returns the last position by the rules. Raises :exc:`IllegalTurnError` for a turn whose tile
    does not fit.
    """
    board = Scoreboard(unit.grid, variant)
    position = board.position
    unit.clear(variant)
    seen.games += 1
    for number, text in enumerate(turns, 1):
        where = f"{name}, turn {number} ({text})"
        if lists:
            _compare_turns(unit, board, seen, where)
        turn = parse_turn(text) if isinstance(text, str) else text
        expected = board.expect(turn)
        outcome = unit.do(TurnOp.MAKE, **board.place(turn))
        refused = expected.status in (Status.FORCED, Status.AREA, Status.BOUNDS)
        if not refused:
            position.play(turn)
            seen.turns += 1
        seen.check(where, evaluation_of(outcome), expected)
        seen.cut += expected.status is Status.BOUNDS
        if refused:
            return position
        unit.commit()
        if seen.differences:
            return position
    if lists and not position.result and not (position.draw and position.draw.reason == "both"):
        _compare_turns(unit, board, seen, f"{name}, at the end")
    return position


def unit_perft(unit: NativeTurnUnit, depth: int) -> int:
    """The number of sequences of ``depth`` turns from the empty board, counted by the unit alone.

    A finished game is not continued. No turn is made final, so the journal is used, too.
    """
    unit.clear()
    return count_sequences(unit, depth)


def count_sequences(unit: NativeTurnUnit, depth: int) -> int:
    """The number of sequences of ``depth`` turns from the unit's position."""
    total = 0
    for found in unit.candidates():
        place = {"x": found.turn__x, "y": found.turn__y, "symbol": found.turn__symbol}
        outcome = unit.do(TurnOp.MAKE, **place)
        if outcome.status != Status.LEGAL.value:
            continue
        if depth == 1:
            total += 1
        elif not outcome.loops | outcome.lines:
            total += count_sequences(unit, depth - 1)
        unit.unmake()
    return total
