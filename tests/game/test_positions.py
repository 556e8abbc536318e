"""The chosen positions, with the game and with the slow implementation."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from loopline.game import ForcedPlayError, variant_named
from tests.game.positions import (
    FOLDER,
    ChosenPosition,
    chosen_positions,
    play_as_far_as_it_goes,
)
from tests.game.rules.naive import SIDES, Game, Illegal
from tests.game.rules.variants import naive_game, naive_outcome, outcome

CHOSEN = chosen_positions()


@pytest.mark.parametrize("chosen", CHOSEN, ids=[f"{c.file}: {c.name}" for c in CHOSEN])
def test_the_game_says_what_the_file_says(chosen: ChosenPosition) -> None:
    position, error = play_as_far_as_it_goes(chosen.turns, variant_named(chosen.variant))
    if chosen.illegal:
        assert isinstance(error, ForcedPlayError)
        assert chosen.outcome == f"illegal {error.label} {error.colour.name.lower()}"
    else:
        assert error is None
        assert outcome(position) == chosen.outcome
    assert position.turns == len(chosen.turns) - chosen.illegal
    assert (position.tiles, position.width, position.height) == chosen[4:7]
    assert position.count_legal_turns() == chosen.legal


@pytest.mark.parametrize("chosen", CHOSEN, ids=[f"{c.file}: {c.name}" for c in CHOSEN])
def test_the_slow_implementation_agrees(chosen: ChosenPosition) -> None:
    """For a straight row of tiles it need not count the turns: that takes it too long."""
    game = naive_game(chosen.variant)
    for turn in chosen.turns[:-1]:
        game.play(turn)
    if chosen.illegal:
        assert game.refusal(chosen.turns[-1]) == "forced"
        with pytest.raises(Illegal):
            game.play(chosen.turns[-1])
    else:
        filled = game.play(chosen.turns[-1])
        assert naive_outcome(game, "RW"[len(chosen.turns) % 2]) == chosen.outcome
        if chosen.file == "chains":
            assert len(filled) == int(chosen.name.split()[0])
    west, north, east, south = game.limits()
    assert (len(game.board), east - west + 1, south - north + 1) == chosen[4:7]
    if len(game.board) <= 64:
        assert sum(game.legal().values()) == chosen.legal


def crowded(game: Game, text: str) -> dict[str, str]:
    """The sockets of the space that three tracks of one colour enter when this turn is made.

    Forced plays are made in the order in which they arise.
    """
    game.board = dict(game.board)
    waiting = list(game._place(text))
    for x, y in waiting:
        entering = game.sockets(x, y)
        if (x, y) not in game.board:
            colour = Counter(entering.values()).most_common(1)[0][0]
            other = "r" if colour == "w" else "w"
            game.board[x, y] = {s: colour if entering.get(s) == colour else other for s in SIDES}
        for dx, dy in SIDES.values():
            entering = game.sockets(x + dx, y + dy)
            most = max(Counter(entering.values()).values())
            if (x + dx, y + dy) not in game.board and most == 3:
                return entering
            if (x + dx, y + dy) not in game.board and most == 2:
                waiting.append((x + dx, y + dy))
    raise AssertionError("the turn is legal")


def test_every_kind_of_illegal_turn_is_there() -> None:
    kinds = set()
    for chosen in chosen_positions("illegal"):
        game = naive_game(chosen.variant)
        for turn in chosen.turns[:-1]:
            game.play(turn)
        entering = crowded(game, chosen.turns[-1])
        colour, count = Counter(entering.values()).most_common(1)[0]
        assert count == 3
        kinds.add((colour, "".join(sorted(side for side in entering if entering[side] == colour))))
    assert kinds == {(colour, sides) for colour in "wr" for sides in ("ENS", "ENW", "ESW", "NSW")}


def test_what_the_files_hold() -> None:
    outcomes: dict[str, set[str]] = defaultdict(set)
    for chosen in CHOSEN:
        outcomes[chosen.file].add(chosen.outcome)
    assert outcomes["both"] >= {
        "W:loop:both",
        "R:loop:both",
        "W:line:both",
        "R:line:both",
        "draw:both",
    }
    assert outcomes["opponent"] >= {"W:loop", "R:loop", "W:line", "R:line"}
    assert outcomes["lines"] == {"W:line", "R:line", "-"}
    assert {c.tiles for c in chosen_positions("full") if c.outcome == "draw:blocked"} >= {9, 64}
    assert {c.width for c in chosen_positions("columns")} >= {27, 28, 53, 54}
    assert {max(c.width, c.height) + 2 for c in chosen_positions("limits")} >= {8, 16, 32, 64}


def test_names_are_unique_and_files_are_described() -> None:
    assert len({(chosen.file, chosen.name) for chosen in CHOSEN}) == len(CHOSEN) > 80
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in FOLDER.glob("*.txt"):
        assert f"`{path.name}`" in readme
