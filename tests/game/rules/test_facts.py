"""The section "Facts" of the rules: what the implementation and the gateware rely on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import Colour, Position, Tile, Turn, parse_turn, play_game
from loopline.game.tracks import all_tracks
from tests.game.strategies import examples, games

Board = frozenset[tuple[int, int, Tile]]


def board_of(position: Position) -> Board:
    """The tiles, up to translation."""
    return frozenset((x - position.west, y - position.north, t) for x, y, t in position.cells())


def outer_spaces(position: Position) -> Iterable[tuple[int, int]]:
    for x, y in position.frontier():
        inside = position.west <= x <= position.east and position.north <= y <= position.south
        if not inside:
            yield x, y


@examples(60)
@given(games())
def test_a_space_outside_the_box_has_one_neighbour(position: Position) -> None:
    for x, y in outer_spaces(position):
        assert len(position.sockets(x, y)) == 1


@examples(60)
@given(games())
def test_only_the_first_tile_of_a_turn_extends_the_box(end: Position) -> None:
    position = Position()
    for played in end.history:
        x, y = position.locate(played.turn)
        assert played.tiles[0][:2] == (x, y)
        if position.tiles:
            box = (
                min(position.west, x),
                min(position.north, y),
                max(position.east, x),
                max(position.south, y),
            )
        else:
            box = (0, 0, 0, 0)
        position.play(played.turn)
        assert (position.west, position.north, position.east, position.south) == box


@examples(60)
@given(games())
def test_what_is_completed_runs_through_a_tile_of_the_turn(position: Position) -> None:
    tiles = {(x, y): tile for x, y, tile in position.cells()}
    for track in all_tracks(tiles):
        if track.completes:
            laid = {(x, y) for x, y, _ in position.history[-1].tiles}
            assert laid & set(track.cells)


@examples(80)
@given(games())
def test_a_turn_of_one_tile_makes_no_loop(position: Position) -> None:
    for played in position.history:
        if len(played.tiles) == 1:
            assert not played.loops


def test_legality_does_not_depend_on_who_moves() -> None:
    """Boards that both an odd and an even number of turns lead to have the same legal turns."""
    seen: dict[Board, dict[Colour, list[Turn]]] = defaultdict(dict)

    def explore(position: Position, depth: int) -> None:
        if position.tiles:
            seen[board_of(position)].setdefault(position.to_move, position.legal_turns())
        for turn in position.legal_turns() if depth else []:
            position.play(turn)
            explore(position, depth - 1)
            position.undo()

    explore(Position(), 4)
    both = [turns for turns in seen.values() if len(turns) == 2]
    assert len(both) > 10
    for turns in both:
        assert turns[Colour.WHITE] == turns[Colour.RED]


def test_two_turns_may_lead_to_the_same_position() -> None:
    """The same chain begun at either end."""
    position = play_game(["@0+", "B1+"])
    boards: Counter[Board] = Counter()
    for turn in position.legal_turns():
        position.play(turn)
        boards[board_of(position)] += 1
        position.undo()
    assert set(boards.values()) == {1, 2}
    one, other = (play_game(["@0+", "B1+", turn]) for turn in ("A2\\", "B2/"))
    assert board_of(one) == board_of(other)


@examples(50)
@given(games(), st.integers(0, 999))
def test_the_future_depends_on_the_outside_only(position: Position, choice: int) -> None:
    """A turn whose chain is the same as another's leads to the same position in every respect."""
    turns = position.legal_turns()
    if not turns:
        return
    played = position.play(turns[choice % len(turns)])
    after = board_of(position), position.legal_turns()
    position.undo()
    for x, y, tile in played.tiles[1:]:
        turn = Turn(*position.label(x, y), tile.shape)
        if position.sockets(x, y) and position.is_legal(turn):
            again = position.play(turn)
            if set(again.tiles) == set(played.tiles):
                assert (board_of(position), position.legal_turns()) == after
                assert (again.loops, again.lines) == (played.loops, played.lines)
            position.undo()


@pytest.mark.parametrize("first", ["@0+", "@0/"])
def test_a_game_does_not_depend_on_where_it_lies(first: str) -> None:
    """Labels move with the formation: after growing to the west, they are one more."""
    position = play_game([first])
    before = {str(turn) for turn in position.legal_turns()}
    position.play("@1+")
    assert "A1+" not in {str(turn) for turn in position.legal_turns()}
    assert before == {f"{space}{shape}" for space in ("@1", "A0", "A2", "B1") for shape in "+/\\"}
    assert position.locate(parse_turn("B1+")) == (0, 0)
