"""Compare a device with the rules, turn by turn: outcome, tiles, sockets, legal turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from loopline.game import Colour, Played, Position, Turn, Variant, space_name
from loopline.game.wire import Completed, GameFlag, TurnStatus, completed_by, sides_of
from loopline.host.device.answers import GameState
from loopline.host.device.device import Device
from loopline.host.device.layout import Label
from loopline.host.errors import UsageError
from loopline.host.render.wording import plural

__all__ = ["Comparison", "compare_game", "compare_position"]

_SHOWN = 5
"""How many turns of a difference are named."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison.

    Attributes
    ----------
    turns : int
        The number of turns that were compared.
    differences : tuple of str
        Differences between device and reference model; empty if they agree.
    beyond : bool
        Whether the rest of the game does not fit into the device.
    """

    turns: int
    differences: tuple[str, ...]
    beyond: bool

    def __str__(self) -> str:
        """Return the result in one line."""
        turns = plural(self.turns, "turn")
        if self.differences:
            return f"the device differs: {'; '.join(self.differences)}"
        end = ", and the rest is too large for it" if self.beyond else ""
        return f"the device agrees on {turns}{end}"


def compare_game(
    device: Device, variant: Variant, turns: Iterable[Turn], illegal: Turn | None = None
) -> Comparison:
    """Play legal turns on a device and compare it with the reference model after each.

    The comparison ends with the first turn after which they differ. ``illegal`` is a turn that the
    device has to refuse after all others.
    """
    position = Position(variant)
    device.new_game(variant)
    differences = [*compare_position(device, position)]
    beyond = False
    for turn in turns:
        if differences or beyond:
            break
        played = position.play(turn)
        state = device.play(turn)
        beyond = state.status is TurnStatus.BOUNDS
        if beyond:
            position.undo()
        else:
            differences = [*_outcome(state, played, position)]
            differences += compare_position(device, position) if not differences else ()
    if illegal is not None and not differences and not beyond:
        with suppress(UsageError):  # no frame holds a turn that is so far away
            if device.play(illegal).status is TurnStatus.LEGAL:
                differences = [f"turn {position.turns + 1}, {illegal}: it takes it for legal"]
    return Comparison(position.turns, tuple(differences), beyond)


def _outcome(state: GameState, played: Played, position: Position) -> Iterator[str]:
    """Yield the differences in the outcome of a turn."""
    where = f"turn {position.turns}, {played.turn}"
    if state.status is not TurnStatus.LEGAL:
        yield f"{where}: it refuses it ({state.status.name})"
        return
    completed = completed_by(played)
    for what, theirs, ours in (
        ("tiles of the turn", state.tiles, len(played.tiles)),
        ("completed", _names(state.completed), _names(completed)),
        ("over", state.over, position.ending is not None),
        ("red to move", GameFlag.RED_TO_MOVE in state.state, position.to_move is Colour.RED),
        ("turns", state.turns, position.turns),
    ):
        if theirs != ours:
            yield f"{where}: {what}: {theirs}, and {ours} by the rules"


def compare_position(device: Device, position: Position) -> Iterator[str]:
    """Yield the differences in a position: tiles, sockets, legal turns."""
    where = f"after turn {position.turns}"
    held = device.position()
    tiles = {position.label(x, y): tile for x, y, tile in position.cells()}
    if held.tiles != tiles:
        yield f"{where}: other tiles at {_cells(tiles, held.tiles)}"
        return
    bits = {position.label(x, y): sides_of(position.sockets(x, y)) for x, y in position.frontier()}
    if held.sockets != bits:
        yield f"{where}: other tracks into {_cells(bits, held.sockets)}"
    if position.ending is None:
        yield from _legal_turns(device, position, where)


def _legal_turns(device: Device, position: Position, where: str) -> Iterator[str]:
    candidates = device.candidates()
    beyond = {found.turn for found in candidates if found.status is TurnStatus.BOUNDS}
    theirs = {found.turn: found for found in candidates if found.legal}
    ours = set(position.legal_turns())
    if missing := ours - theirs.keys() - beyond:
        yield f"{where}: it does not list {_some(map(str, missing))}"
    if wrong := (theirs.keys() | beyond) - ours:
        yield f"{where}: it lists {_some(map(str, wrong))}, which {_is(wrong)} not legal"
    for turn in sorted(theirs.keys() & ours, key=str):
        played = position.play(turn)
        position.undo()
        found = theirs[turn]
        if (found.tiles, found.completed) != (len(played.tiles), completed_by(played)):
            yield (
                f"{where}: {turn} would be {plural(found.tiles, 'tile')} and complete "
                f"{_names(found.completed)}, and by the rules {len(played.tiles)} and "
                f"{_names(completed_by(played))}"
            )
            return


def _cells(ours: Mapping[Label, int], theirs: Mapping[Label, int]) -> str:
    """Name the cells in which two positions differ."""
    found = [cell for cell in ours.keys() | theirs if ours.get(cell) != theirs.get(cell)]
    return _some(space_name(*cell) for cell in found)


def _is(found: set[Turn]) -> str:
    return "is" if len(found) == 1 else "are"


def _names(completed: Completed) -> str:
    names = [flag.name.lower().replace("_", " ") for flag in completed if flag.name]
    return " and ".join(names) or "nothing"


def _some(names: Iterable[str]) -> str:
    """Return the first few of these names, in order."""
    listed: Sequence[str] = sorted(names)
    more = len(listed) - _SHOWN
    return ", ".join(listed[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
