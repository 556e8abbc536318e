"""The turn unit alone at native speed, and its comparison with the rules.

Both have the same coordinates: the first tile lies at (0, 0), and the torus is the plane modulo the
size of the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game import (
    STANDARD,
    Colour,
    ForcedPlayError,
    OutsideAreaError,
    Played,
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
    "NativeTurnUnit",
    "colour_mask",
    "compare_game",
    "count_sequences",
    "unit_perft",
]


def colour_mask(colours: Iterable[Colour]) -> int:
    """A set of colours as a mask: bit 0 white, bit 1 red."""
    return sum(1 << colour for colour in colours)


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

    Parameters
    ----------
    grid : GridConfig
        As for the unit.
    variant : Variant
        The variant; :meth:`clear` may change it.
    stall : int
        Stall both streams at random, with this seed; 0 does not stall them.
    """

    def __init__(
        self, grid: GridConfig | None = None, *, variant: Variant = STANDARD, stall: int = 0
    ) -> None:
        self.grid = grid or GridConfig()
        self._probe = Probe(_RuledTurnUnit(self.grid))
        if stall:
            self._probe.stall(stall)
        self._mask = self.grid.size - 1
        self.clear(variant)

    def do(self, op: TurnOp, **fields: int):
        """Give a command. Returns the fields of its outcome, with ``status`` as a number."""
        command = self._probe.commands.pack(op=op, **fields) | self._rules
        return self._probe.outcomes.unpack(self._probe.call(command))

    @property
    def last_cycles(self) -> int:
        """Clock cycles of the last command."""
        return self._probe.last_cycles

    def clear(self, variant: Variant | None = None) -> None:
        """Empty the board, for a game of ``variant`` or, if it is not given, of the one before."""
        if variant is not None:
            self.variant = variant
            rules = rules_of(variant, self.grid)
            start = self._probe.commands.width - rules_layout(self.grid).size
            self._rules = rules.as_bits() << start
        self.do(TurnOp.CLEAR)

    def make(self, x: int, y: int, shape: Shape):
        """Make the turn that begins with a tile at these coordinates of the plane."""
        return self.do(TurnOp.MAKE, symbol=shape.code, x=x & self._mask, y=y & self._mask)

    def unmake(self):
        """Take back the last turn."""
        return self.do(TurnOp.UNMAKE)

    def commit(self) -> None:
        """Make all turns final."""
        self.do(TurnOp.COMMIT)

    def score(self) -> int:
        """The score of the position, in points for White."""
        score = self.do(TurnOp.SCORE).score
        bits = self._probe.outcomes.fields["score"][1]
        return score - (1 << bits) if score >> (bits - 1) else score

    def candidates(self) -> Iterator:
        """The candidates, in the unit's order: outcomes with ``turn__x``, ``turn__y``, ..."""
        index = shape = 0
        while True:
            found = self.do(TurnOp.NEXT, index=index, symbol=shape)
            if found.status == Status.END.value:
                return
            yield found
            index, shape = found.turn__index, found.turn__symbol + 1

    def close(self) -> None:
        """Free the compiled unit."""
        self._probe.close()


@dataclass
class Comparison:
    """Counts of what was compared with the rules, and the differences."""

    games: int = 0
    turns: int = 0
    candidates: int = 0
    illegal: int = 0
    cycles: int = 0
    differences: list[str] = field(default_factory=list)

    def check(self, what: str, unit: object, rules: object) -> None:
        """Note a difference."""
        if unit != rules:
            self.differences.append(f"{what}: unit {unit!r}, rules {rules!r}")


def _compare_turns(unit: NativeTurnUnit, position: Position, seen: Comparison, where: str) -> None:
    """Compare the list of legal turns: make and unmake each candidate."""
    mask = unit.grid.size - 1
    legal = []
    for found in list(unit.candidates()):
        place = found.turn__x, found.turn__y
        outcome = unit.do(TurnOp.MAKE, x=place[0], y=place[1], symbol=found.turn__symbol)
        seen.cycles += unit.last_cycles
        seen.candidates += 1
        if outcome.status == Status.LEGAL.value:
            legal.append((*place, found.turn__symbol))
            unmade = unit.unmake()
            said, again = ((each.loops, each.lines) for each in (outcome, unmade))
            seen.check(f"{where}: candidate {place}, unmade", again, said)
            seen.cycles += unit.last_cycles
        elif outcome.status == Status.FORCED.value:
            seen.illegal += 1
        else:
            seen.check(f"{where}: candidate {place}", Status(outcome.status), "LEGAL or FORCED")
    expected = []
    for turn in position.legal_turns():
        x, y = position.locate(turn)
        expected.append((x & mask, y & mask, turn.shape.code))
    seen.check(f"{where}: legal turns", sorted(legal), sorted(expected))


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

    Compared are, of each turn, the status, the number of tiles, the loops and lines of each colour
    and the box, and with ``lists`` the legal turns before it. An illegal turn must be refused by
    both and ends the game. Differences go to ``seen``. Returns the last position by the rules.
    """
    position = Position(variant)
    unit.clear(variant)
    seen.games += 1
    mask = unit.grid.size - 1
    for number, text in enumerate(turns, 1):
        where = f"{name}, turn {number} ({text})"
        if lists:
            _compare_turns(unit, position, seen, where)
        turn = parse_turn(text) if isinstance(text, str) else text
        x, y = position.locate(turn) if position.turns else (0, 0)
        outcome = unit.make(x, y, turn.shape)
        try:
            played: Played = position.play(turn)
        except (ForcedPlayError, OutsideAreaError) as error:
            refusal = Status.FORCED if isinstance(error, ForcedPlayError) else Status.AREA
            seen.check(f"{where}: {error}", Status(outcome.status), refusal)
            return position
        seen.turns += 1
        seen.check(f"{where}: status", Status(outcome.status), Status.LEGAL)
        seen.check(f"{where}: tiles", outcome.tiles, len(played.tiles))
        seen.check(f"{where}: loops", outcome.loops, colour_mask(played.loops))
        seen.check(f"{where}: lines", outcome.lines, colour_mask(played.lines))
        box = outcome.box__west, outcome.box__north, outcome.box__east, outcome.box__south
        edges = position.west, position.north, position.east, position.south
        seen.check(f"{where}: box", box, tuple(edge & mask for edge in edges))
        unit.commit()
        if seen.differences:
            return position
    if lists and not position.result and not (position.draw and position.draw.reason == "both"):
        _compare_turns(unit, position, seen, f"{name}, at the end")
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
