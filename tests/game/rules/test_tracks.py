"""Tracks followed on the board, against the track ends that the position keeps."""

from __future__ import annotations

from hypothesis import given

from loopline.game import LOOP, Colour, Position, Side, play_game
from loopline.game.tracks import Track, all_tracks, winning_tracks
from tests.game.strategies import examples, games

TWO_LOOPS = "@0/ A0\\ B1\\ B3/ A3/ @3\\ B0\\ A3+ @3\\ A2/"


def tracks_of(position: Position) -> list[Track]:
    return list(all_tracks({(x, y): tile for x, y, tile in position.cells()}))


@examples(80)
@given(games())
def test_tracks_cover_the_board(position: Position) -> None:
    """Each tile is on one track of each colour; neighbours on a track are joined by it."""
    tracks = tracks_of(position)
    for colour in Colour:
        covered = [cell for track in tracks if track.colour is colour for cell in track.cells]
        assert sorted(covered) == sorted((x, y) for x, y, _ in position.cells())
    for colour, cells, completes in tracks:
        following = (*cells[1:], *cells[:1]) if completes == "loop" else cells[1:]
        for (x, y), cell in zip(cells, following, strict=False):
            side = next(s for s in Side if (x + s.step[0], y + s.step[1]) == cell)
            tile = position.tile_at(x, y)
            assert tile is not None
            assert tile.colour(side) is colour


@examples(100)
@given(games())
def test_followed_tracks_complete_what_the_last_turn_completed(position: Position) -> None:
    completed = {(track.colour, track.completes) for track in tracks_of(position)}
    last = position.history[-1] if position.turns else None
    for colour in Colour:
        assert ((colour, "loop") in completed) == (last is not None and colour in last.loops)
        assert ((colour, "line") in completed) == (last is not None and colour in last.lines)
    assert set(position.winning_tracks()) == (last.loops | last.lines if last else set())


@examples(60)
@given(games(variant=LOOP))
def test_lines_are_not_shown_where_they_do_not_count(position: Position) -> None:
    loops = position.history[-1].loops if position.turns else set()
    assert set(position.winning_tracks()) == loops


def test_the_cells_of_a_loop_are_in_order() -> None:
    position = play_game(["@0/", "A0\\", "B1+", "@1/"])
    cells = position.winning_tracks()[Colour.WHITE]
    assert len(cells) == 4
    assert set(cells) == {(-1, -1), (0, -1), (-1, 0), (0, 0)}
    for (x, y), (u, v) in zip(cells, [*cells[1:], cells[0]], strict=True):
        assert abs(x - u) + abs(y - v) == 1


def test_the_cells_of_a_line_are_in_order() -> None:
    position = play_game(["@0+", *(f"{column}1+" for column in "BCDEFGH")])
    cells = position.winning_tracks()[Colour.RED]
    assert sorted(cells) == [(x, 0) for x in range(8)]
    assert cells in (sorted(cells), sorted(cells, reverse=True))


def test_two_loops_of_one_colour_are_both_shown() -> None:
    position = play_game(TWO_LOOPS.split())
    board = {(x, y): tile for x, y, tile in position.cells()}
    tracks = winning_tracks(board)
    assert [track.completes for track in tracks] == ["loop", "loop"]
    assert position.winning_tracks() == {track.colour: [*track.cells] for track in tracks}
