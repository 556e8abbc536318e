"""Attacks, corners, L threats and answers."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given

from loopline.game import (
    DELUXE,
    LOOP,
    Colour,
    Position,
    Side,
    TrackEnd,
    Turn,
    answers,
    attacks,
    corners,
    l_threats,
    open_tracks,
    play_game,
)
from tests.game.rules.naive import Game
from tests.game.shared_games import human_games
from tests.game.strategies import examples, games

WHITE, RED = Colour.WHITE, Colour.RED
EAST = [f"{column}1+" for column in "BCDEFG"]


def texts(turns: Iterable[Turn]) -> list[str]:
    return [str(turn) for turn in turns]


def winning_turns(position: Position, colour: Colour) -> set[str]:
    return {str(turn) for attack in attacks(position, colour) for turn in attack.turns}


def naive_after(turns: Iterable[str]) -> Game:
    game = Game()
    for turn in turns:
        game.play(turn)
    return game


def naive_wins(history: list[str], colour: str) -> set[str]:
    """The turns after which this colour has completed something, one by one."""
    game = naive_after(history)
    wins = set()
    for text, allowed in game.legal().items():
        after = naive_after(history)
        if allowed:
            after.play(text)
            if colour in after.loops | after.lines:
                wins.add(text)
    return wins


# Tracks and their ends.


def test_the_ends_of_the_first_tile() -> None:
    white, red = open_tracks(play_game(["@0/"]))
    assert (white.colour, white.cells) == (WHITE, ((0, 0),))
    assert set(white.ends) == {TrackEnd(0, -1, Side.SOUTH), TrackEnd(-1, 0, Side.EAST)}
    assert (red.colour, red.cells) == (RED, ((0, 0),))
    assert set(red.ends) == {TrackEnd(1, 0, Side.WEST), TrackEnd(0, 1, Side.NORTH)}


@examples(60)
@given(games())
def test_every_socket_is_one_end(position: Position) -> None:
    """And each end lies beside the tile that it is said to lie beside."""
    ends = []
    for track in open_tracks(position):
        for (x, y), end in zip((track.cells[0], track.cells[-1]), track.ends, strict=True):
            assert (end.x + end.side.step[0], end.y + end.side.step[1]) == (x, y)
            assert position.sockets(end.x, end.y)[end.side] is track.colour
            ends.append(end)
    assert len(ends) == len(set(ends))
    assert set(ends) == {
        TrackEnd(x, y, side) for x, y in position.frontier() for side in position.sockets(x, y)
    }


def test_a_loop_is_no_open_track() -> None:
    position = play_game(["@0/", "A0\\", "B1+", "@1/"])
    whites = [track for track in open_tracks(position) if track.colour is WHITE]
    assert [len(track.cells) for track in whites] == [1]


# Attacks.


def test_two_ends_side_by_side() -> None:
    [attack] = attacks(play_game(["@0/", "A0\\"]), WHITE)
    assert texts(attack.turns) == ["@1/", "@2\\"]
    assert attack.loop
    assert [set(track.cells) for track in attack.tracks] == [{(0, 0), (0, -1)}]
    assert attacks(play_game(["@0/", "A0\\"]), RED) == []


def test_a_line_is_one_tile_away() -> None:
    [attack] = attacks(play_game(["@0+", *EAST]), RED)
    assert texts(attack.turns) == ["@1+", "H1+"]
    assert not attack.loop
    assert attacks(play_game(["@0+", *EAST], LOOP), RED) == []


def test_two_tracks_that_one_turn_joins() -> None:
    """The turn of a double loop, and what it joins."""
    position = play_game("@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\".split())
    assert "B2+" in winning_turns(position, WHITE)
    assert "B2+" in winning_turns(position, RED)
    drawn = play_game("@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\".split(), DELUXE)
    assert "B2+" not in winning_turns(drawn, WHITE)


def test_nothing_is_attacked_at_the_end() -> None:
    position = play_game(["@0/", "A0\\", "B1+", "@1/"])
    assert attacks(position, WHITE) == corners(position, WHITE) == l_threats(position, WHITE) == []
    assert answers(position) == []


@examples(12)
@given(games(longest=14, finished=False))
def test_attacks_are_the_turns_that_the_slow_implementation_wins_by(position: Position) -> None:
    history = [str(played.turn) for played in position.history]
    before = list(position.cells()), position.history
    for colour in Colour:
        found = attacks(position, colour)
        turns = [str(turn) for attack in found for turn in attack.turns]
        assert len(turns) == len(set(turns))
        assert set(turns) == naive_wins(history, "wr"[colour])
        tracks = [track for attack in found for track in attack.tracks]
        assert len(tracks) == len(set(tracks))
        assert all(track.colour is colour for track in tracks)
    assert (list(position.cells()), position.history) == before


def test_neighbouring_ends_are_an_attack_in_human_games() -> None:
    """Unless the turn that joins them is illegal, which is rare."""
    seen = missing = 0
    for game in human_games()[::8]:
        position = Position(LOOP)
        for move in game.moves[:12]:
            if position.play(move).ends_game:
                break
            found = {t for c in Colour for attack in attacks(position, c) for t in attack.tracks}
            for track in open_tracks(position):
                one, other = track.ends
                if abs(one.x - other.x) + abs(one.y - other.y) == 1:
                    seen += 1
                    missing += track not in found
    assert seen > 20
    assert missing <= seen * 0.02


# Corners, L threats, answers.


def test_the_first_tile_has_a_corner_of_each_colour() -> None:
    position = play_game(["@0/"])
    [white], [red] = corners(position, WHITE), corners(position, RED)
    assert texts(white.turns) == ["@1\\", "A0\\"]
    assert texts(red.turns) == ["A2\\", "B1\\"]
    assert white.track in open_tracks(position)
    straight = play_game(["@0+"])
    assert corners(straight, WHITE) == corners(straight, RED) == []


def test_an_attack_is_no_corner() -> None:
    assert corners(play_game(["@0/", "A0\\"]), WHITE) == []


@examples(8)
@given(games(longest=8, finished=False))
def test_corners_become_attacks(position: Position) -> None:
    for colour in Colour:
        attacked = {track for attack in attacks(position, colour) for track in attack.tracks}
        for corner in corners(position, colour):
            assert corner.track not in attacked
            assert len(corner.turns) >= 2
            for turn in corner.turns:
                position.play(turn)
                longer = [t for attack in attacks(position, colour) for t in attack.tracks]
                assert any(set(corner.track.cells) < set(track.cells) for track in longer)
                position.undo()


@pytest.mark.parametrize(
    ("turns", "colour", "turn", "wins"),
    [
        ("@0+ A2\\ A0+ @1/ B4\\", WHITE, "A4/", [["@2/", "@3\\"], ["A5\\", "B5/"]]),
        ("@0/ @1+ B2/ C1+ A3/", RED, "C3\\", [["A4\\", "B4/"], ["D2\\", "D3/"]]),
    ],
)
def test_an_l_threat_makes_two_attacks(
    turns: str, colour: Colour, turn: str, wins: list[list[str]]
) -> None:
    position = play_game(turns.split())
    assert attacks(position, colour) == []
    [threat] = [threat for threat in l_threats(position, colour) if str(threat.turn) == turn]
    assert [texts(attack.turns) for attack in threat.attacks] == wins
    assert naive_wins([*turns.split(), turn], "wr"[colour]) == {text for w in wins for text in w}


@pytest.mark.parametrize(
    ("turns", "counts"),
    [
        ("@0+ A2\\ A0+ @1/ B4\\", (1, 0)),
        ("@0/ @1+ B2/ C1+ A3/", (0, 1)),
        ("@0+ @1+ C1/ @1+ @1\\ A0/ E1+ B1+ E0/ F1+", (2, 0)),
        # Red has an attack already, and both.
        ("@0/ @1/ @1/ @1/ B2+ A0+ @1\\ @1\\", (0, 1)),
        ("@0+ A2\\ A0+ @1/ B4\\ A4/", (0, 0)),
    ],
)
def test_l_threats_are_all_found(turns: str, counts: tuple[int, int]) -> None:
    position = play_game(turns.split())
    found = check_l_threats(position)
    assert tuple(found) == counts


@examples(6)
@given(games(longest=7, finished=False))
def test_no_more_l_threats_are_found(position: Position) -> None:
    """In random games there are hardly any."""
    check_l_threats(position)


def check_l_threats(position: Position) -> list[int]:
    """Compare the L threats with all turns that make two attacks; return how many each has."""
    counts = []
    for colour in Colour:
        standing = {t for attack in attacks(position, colour) for t in attack.tracks}
        expected = []
        for turn in position.legal_turns():
            if not position.play(turn).ends_game:
                made = [a for a in attacks(position, colour) if set(a.tracks) - standing]
                if len(made) >= 2:
                    expected.append((turn, tuple(made)))
            position.undo()
        assert l_threats(position, colour) == expected
        counts.append(len(expected))
    return counts


def test_answers_leave_no_attack() -> None:
    position = play_game(["@0/", "A0\\", "B1+"])
    assert position.to_move is RED
    good = set(texts(answers(position)))
    for turn in position.legal_turns():
        history = ["@0/", "A0\\", "B1+", str(turn)]
        after = naive_after(history)
        lost = "w" in after.loops or (not after.loops and bool(naive_wins(history, "w")))
        assert (str(turn) in good) == (not lost)
    assert 0 < len(good) < len(position.legal_turns())


def test_a_turn_that_wins_is_an_answer_and_one_that_loses_is_not() -> None:
    position = play_game(["@0/", "A0\\", "B1+", "C1+"])
    assert "@1/" in texts(answers(position))
    position.undo()
    assert "@1/" not in texts(answers(position))
