"""The notation of the years before 1998, and reading a turn without knowing its notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import (
    LOOP,
    STANDARD,
    Colour,
    ColourMismatchError,
    NotationError,
    OccupiedError,
    OldTurn,
    Position,
    Shape,
    Side,
    Turn,
    Variant,
    format_old_turn,
    parse_old_turn,
    parse_turn,
    play_game,
    read_turn,
)
from tests.game.shared_games import (
    HumanGame,
    KnownPosition,
    RandomGame,
    human_games,
    known_positions,
    random_games,
)
from tests.game.strategies import examples, games

SharedGame = RandomGame | HumanGame | KnownPosition


def old_game(moves: list[str], variant: Variant = STANDARD) -> list[str]:
    """A game in the old notation."""
    position = Position(variant)
    texts = []
    for move in moves:
        texts.append(format_old_turn(position, parse_turn(move)))
        position.play(move)
    return texts


def new_game(texts: list[str], variant: Variant = STANDARD) -> list[str]:
    """A game in the standard notation, read from either."""
    position = Position(variant)
    for text in texts:
        position.play(read_turn(position, text))
    return [str(played.turn) for played in position.history]


@pytest.mark.parametrize(
    ("standard", "old"),
    [
        ("@0/", "A1C"),
        ("@0+", "A1S"),
        # Beside, below, to the left of and above the first tile, whose north edge is white.
        ("@0/ B1+", "A1C B1S"),
        ("@0/ A2+", "A1C A2S"),
        ("@0/ @1+", "A1C A1S"),
        ("@0/ A0+", "A1C 1AS"),
        # The white track of the first tile goes on to the north and turns there.
        ("@0/ A0/", "A1C 1AR"),
        ("@0/ A0\\", "A1C 1AL"),
        ("@0/ @1/", "A1C A1D"),
        ("@0/ @1\\", "A1C A1U"),
        # The red one leaves to the east and to the south.
        ("@0/ B1/", "A1C B1U"),
        ("@0/ B1\\", "A1C B1D"),
        ("@0/ A2/", "A1C A2L"),
        ("@0/ A2\\", "A1C A2R"),
        # Away from the corner no number is first, whatever side grows.
        ("@0/ B1+ B0+", "A1C B1S B1S"),
        ("@0/ A2+ @2+", "A1C A2S A2S"),
        # Round a corner one curve fits; across, where white turns.
        ("@0/ B1/ A0/ B1/", "A1C B1U 1AR B1C"),
        ("@0/ B1/ A0/ B1+", "A1C B1U 1AR B1S"),
    ],
)
def test_by_hand(standard: str, old: str) -> None:
    assert old_game(standard.split()) == old.split()
    assert new_game(old.split()) == standard.split()


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("read", [human_games, random_games, known_positions])
def test_shared_games_both_ways(read: Callable[[], Sequence[SharedGame]], step: int) -> None:
    checked = 0
    for game in read()[::step]:
        variant = getattr(game, "variant", STANDARD)
        if isinstance(variant, str):
            variant = LOOP if variant == "Loop Trax" else STANDARD
        if getattr(game, "illegal_turn", None):
            continue
        old = old_game(game.moves, variant)
        assert new_game(old, variant) == game.moves
        assert all("@" not in text and text[-1] in "SCULDR" for text in old)
        checked += 1
    assert checked > 5


@examples(40)
@given(games(finished=False))
def test_every_legal_turn_has_a_text_of_its_own(position: Position) -> None:
    turns = position.legal_turns()
    texts = [format_old_turn(position, turn) for turn in turns]
    assert len(set(texts)) == len(texts)
    assert [read_turn(position, text) for text in texts] == turns
    assert [str(parse_old_turn(text)) for text in texts] == texts


@examples(80)
@given(games(finished=False), st.data())
def test_a_game_in_mixed_notation(end: Position, data: st.DataObject) -> None:
    position = Position()
    for played in end.history:
        old = data.draw(st.booleans())
        text = format_old_turn(position, played.turn) if old else str(played.turn)
        assert position.play(read_turn(position, text)) == played


@examples(30)
@given(games(finished=False))
def test_marks_say_what_the_rules_say(position: Position) -> None:
    """From the tile itself: straight, or where a track turns; the place after the turn."""
    for turn in position.legal_turns():
        old = parse_old_turn(format_old_turn(position, turn))
        sockets = position.sockets(*position.locate(turn))
        played = position.play(turn)
        x, y, tile = played.tiles[0]
        assert (old.column, old.row) == position.label(x, y)
        position.undo()
        if not sockets:
            assert old.mark == ("S" if turn.shape is Shape.CROSS else "C")
            continue
        fitting = [t for t in position.legal_turns() if t[:2] == turn[:2]]
        curves = {t.shape for t in fitting} - {Shape.CROSS}
        if turn.shape is Shape.CROSS:
            assert old.mark == "S"
        elif old.mark == "C":
            assert len(sockets) == 2
            assert len(curves) == 1
        else:
            colour = Colour.WHITE if Colour.WHITE in sockets.values() else Colour.RED
            [entry] = [side for side in sockets if sockets[side] is colour]
            [turned] = [s for s in Side if s is not entry and tile.colour(s) is colour]
            assert old.mark == {"NORTH": "U", "SOUTH": "D", "EAST": "R", "WEST": "L"}[turned.name]


def test_the_parts_of_a_turn() -> None:
    assert parse_old_turn("AA12U") == OldTurn(27, 12, False, "U")
    assert parse_old_turn("1AC") == OldTurn(1, 1, True, "C")


@pytest.mark.parametrize(
    ("turns", "text", "message"),
    [
        ("", "A1U", "'A1U': the first tile is S or C, at character 3: found 'U'"),
        ("", "B1S", "'B1S': the first tile is at A1, at character 1: found 'B'"),
        ("", "1AS", "'1AS': the first tile is at A1, at character 1: found '1'"),
        ("@0/", "A0S", "'A0S': rows are counted from 1, at character 2: found '0'"),
        ("@0/", "@1S", "'@1S': columns are counted from 'A', at character 1: found '@'"),
        ("@0/", "1@S", "'1@S': columns are counted from 'A', at character 2: found '@'"),
        (
            "@0/",
            "1BS",
            "'1BS': only 1A begins with the number, expected a column, at character 1: found '1'",
        ),
        (
            "@0/",
            "1S",
            "'1S': only 1A begins with the number, expected a column, at character 1: found '1'",
        ),
        ("@0/", "S", "'S': expected a row number, at character 2: the text ends"),
        ("@0/", "BU", "'BU': expected a row number, at character 3: the text ends"),
        ("@0/", "B01U", "'B01U': a row number has no leading zero, at character 2: found '0'"),
        ("@0/", "B1SS", "'B1SS': expected nothing after the tile, at character 4: found 'S'"),
        ("@0/", "B1C", "'B1C': expected S or D or U in this space, at character 3: found 'C'"),
        ("@0/", "B1L", "'B1L': expected S or D or U in this space, at character 3: found 'L'"),
        ("@0/ B1/ A0/", "B1D", "'B1D': expected S or C in this space, at character 3: found 'D'"),
        (
            "@0+ A0/ @2+",
            "1AS",
            "'1AS': there is no tile in the corner, expected A1, at character 1: found '1'",
        ),
        ("@0/", "B1x", "'B1x': expected a tile, '+', '/' or '\\', at character 3: found 'x'"),
        ("@0/", "", "'': expected a column, '@' or capital letters, at character 1: the text ends"),
    ],
)
def test_what_is_not_a_turn(turns: str, text: str, message: str) -> None:
    position = play_game(turns.split())
    with pytest.raises(NotationError) as caught:
        read_turn(position, text)
    assert str(caught.value) == message


def test_a_space_off_the_frontier_is_for_play_to_refuse() -> None:
    position = play_game(["@0/", "B1+", "C1+", "B2+", "B3+"])
    assert read_turn(position, "B2U").space == "B2"
    with pytest.raises(OccupiedError):
        position.play(read_turn(position, "B2U"))


def test_a_turn_that_does_not_fit_has_no_text() -> None:
    position = play_game(["@0/", "B1/", "A0+"])
    for turn in (Turn(1, 1, Shape.CROSS), Turn(9, 9, Shape.CROSS)):
        with pytest.raises(ValueError, match="does not fit in this position"):
            format_old_turn(position, turn)


@given(
    st.from_regex(r"([@AB][012]|[012][AB])[SCUDLR+/]", fullmatch=True)
    | st.text(alphabet="@AB019SCUDLR ", max_size=6)
    | st.text(max_size=6)
)
def test_any_text_is_a_turn_or_an_error(text: str) -> None:
    position = play_game(["@0/", "B1+"])
    for read in (parse_old_turn, lambda text: read_turn(position, text)):
        try:
            place, shown = 0, str(read(text))
        except NotationError as error:
            place, shown = error.position, str(error)
        assert 0 <= place <= len(text)
        assert shown.isprintable()


FACING = (
    "@0+ A0+ @1\\ B3/ A0/ C2/ C3+ C1/ A4+ A5/ @1/ E2/ C5+ D4\\ C6+ A0\\ F5/ @3+ G3\\ @3\\ D8+ "
    "I5\\ G1+ D9/ B2+ C9+ E9+ E10+ B7/ B1+ @2+ G10+ G9+ B4\\ H9/ B5+ I1+ @2\\ C7+ B1\\ A1+ B0+ "
    "G12/ G13/ F1\\ K3+ H9+ A1\\ I11\\ J9+ J7/ K9\\ F14+ B6/"
)
"""Here a red track enters J8 from the north and a white one from the south."""


def test_between_two_facing_edges_the_mark_is_that_of_the_white_track() -> None:
    position = play_game(FACING.split())
    sockets = position.sockets(*position.locate(parse_turn("J8\\")))
    assert sockets == {Side.NORTH: Colour.RED, Side.SOUTH: Colour.WHITE}
    assert str(read_turn(position, "J8L")) == "J8\\"
    assert str(read_turn(position, "J8R")) == "J8/"
    with pytest.raises(NotationError, match="expected L or R in this space"):
        read_turn(position, "J8C")
    with pytest.raises(ColourMismatchError):
        position.play(read_turn(position, "J8S"))
