"""Every game and position of ``shared/games`` through the commands, in both notations."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from tests.game.shared_games import human_games, known_positions, random_games
from tests.host.program import loopline

VARIANTS = {"Trax": "standard", "8x8 Trax": "limited", "Loop Trax": "loop"}
"""The variants, as the file of human games names them."""

TOO_LARGE = {"19": "limited-9"}
"""By the number of the game: printed as 8x8, but the last turn begins a ninth row, and wins."""

ENDS = {
    "": ("", None),
    # Who gave up is the player to move. Of the win that is printed nobody says whose it is.
    "resign": ("RESIGN", "resignation"),
    "time": ("TIME", "time"),
    "win": ("", None),
}
"""What the same file prints of an end that the board does not show: our word and reason."""


@dataclass
class Game:
    """A game as one line, or as a record, and what is to come out."""

    variant: str
    moves: list[str]
    outcome: str
    """As the files write it: ``W:loop``, ``R:line:both``, nothing if the board shows no end."""
    turns: int
    tiles: int | None
    end: str = ""

    @property
    def text(self) -> str:
        return f'[Variant "{self.variant}"]\n{" ".join(self.moves)} {ENDS[self.end][0]}\n\n'


def human() -> list[Game]:
    return [
        Game(
            TOO_LARGE.get(game.name, VARIANTS[game.variant]),
            game.moves,
            game.outcome,
            game.turns,
            game.tiles,
            game.ended,
        )
        for game in human_games()
    ]


def others() -> list[Game]:
    """The random games, and the known positions that can be reached."""
    games = [
        Game("standard", game.moves, game.outcome, game.turns, game.tiles)
        for game in random_games()
    ]
    for known in known_positions():
        if known.illegal_turn is None:
            variant = known.variant.name
            games.append(Game(variant, known.moves, known.outcome, len(known.moves), known.tiles))
    return games


def verdicts(text: str) -> list[dict[str, object]]:
    done = loopline("replay", "--json", "-", stdin=text)
    assert (done.stderr, done.returncode) == ("", 0)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(games: list[Game], text: str) -> None:
    """All these games are in the text, and each ends as it should."""
    for game, verdict in zip(games, verdicts(text), strict=True):
        winner, kind, both = str(verdict["winner"]), verdict["kind"], verdict["both"]
        shown = f"{winner[0].upper()}:{kind}{':both' if both else ''}" if kind else ""
        found = (verdict["variant"], shown, verdict["turns"], verdict["tiles"])
        assert found == (game.variant, game.outcome, game.turns, game.tiles), game
        if not shown:
            reason = ENDS[game.end][1]
            loser = game.turns % 2  # the player to move
            assert verdict["reason"] == reason, game
            assert verdict["winner"] == (("red", "white")[loser] if reason else None), game


def check_both_notations(games: list[Game]) -> None:
    plain = "".join(game.text for game in games)
    check(games, plain)
    old = loopline("convert", "--notation", "old", "-", stdin=plain)
    assert (old.stderr, old.returncode) == ("", 0)
    assert "@" not in old.stdout
    assert "\n1. A1C 2. " in old.stdout
    # Records say how a game ended: what is equal to these ends as the plain games do.
    standard = loopline("convert", "-", stdin=old.stdout).stdout
    assert standard == loopline("convert", "-", stdin=plain).stdout
    turns = [word for game in games for word in game.moves]
    assert [word for word in standard.split() if word[-1] in "+/\\" and word[0] != '"'] == turns


def test_human_games() -> None:
    games = human()
    assert {game.variant for game in games} == {*VARIANTS.values(), *TOO_LARGE.values()}
    assert {game.end for game in games} == set(ENDS)
    check_both_notations(games)


def test_a_human_game_that_leaves_its_area() -> None:
    for game in human_games():
        if game.name in TOO_LARGE:
            text = " ".join(game.moves)
            done = loopline("replay", "--variant", VARIANTS[game.variant], "-", stdin=text)
            assert done.returncode == 1
            assert (
                f"turn {game.turns}: F0/: F0 lies outside the area of 8 x 8 spaces" in done.stdout
            )


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.slow), 5])
def test_random_games_and_known_positions(share: int) -> None:
    check_both_notations(others()[::share])


def test_plain_lines() -> None:
    games = [game for game in others() if game.variant == "standard"]
    check(games, "".join(f"{' '.join(game.moves)}\n" for game in games))


def test_positions_with_an_illegal_turn() -> None:
    positions = [known for known in known_positions() if known.illegal_turn]
    text = "".join(f"{' '.join(known.moves)}\n" for known in positions)
    done = loopline("replay", "--json", "-", stdin=text)
    assert done.returncode == 1
    for line, known in zip(done.stdout.splitlines(), positions, strict=True):
        verdict = json.loads(line)
        assert verdict["status"] == "illegal"
        assert verdict["turns"] + 1 == known.illegal_turn
        assert known.illegal_turn is not None
        before = " ".join(known.moves[: known.illegal_turn - 1])
        assert verdict["error_column"] == len(before) + 2
        assert "forced play" in verdict["error"]
    converted = loopline("convert", "--keep-going", "-", stdin=text + "@0/\n")
    assert converted.returncode == 1
    assert converted.stderr.count("\n") == len(positions)
    assert converted.stdout.count("[Variant") == 1
