import pytest

from loopline.game import (
    DELUXE,
    MINI,
    STANDARD,
    Colour,
    Ending,
    EndReason,
    Played,
    Position,
    TraxError,
    format_record,
    parse_turn,
    read_records,
)
from loopline.host.clock import CONTEST, UNTIMED, Clock
from loopline.host.errors import (
    DeviceError,
    DeviceFloodError,
    DeviceGoneError,
    DeviceSilentError,
    DeviceTalkError,
)
from loopline.host.players.base import ResignError, UnfitError
from loopline.host.players.software import RandomPlayer
from loopline.host.referee.referee import Referee, play_game
from tests.host.scripted import Scripted

GENEROUS = Clock(60.0)


def test_game_to_its_end() -> None:
    white, red = Scripted("@0/ A2\\"), Scripted("B1\\")
    seen: list[tuple[int, str, float, list[str]]] = []

    def watch(position: Position, played: Played, seconds: float) -> None:
        # The opponent hears of it later: the watcher's time counts for neither player.
        seen.append((position.turns, str(played.turn), seconds, [*white.heard, *red.heard]))

    game = play_game(white, red, clock=GENEROUS, watch=watch)
    assert white.started == [(Colour.WHITE, STANDARD, ())]
    assert red.started == [(Colour.RED, STANDARD, ())]
    assert game.ending == Ending(Colour.RED, "loop")
    assert game.explanation == "red wins by a loop after 3 turns"
    assert [(number, turn, heard) for number, turn, _, heard in seen] == [
        (1, "@0/", []),
        (2, "B1\\", ["@0/"]),
        (3, "A2\\", ["B1\\", "@0/"]),
    ]
    assert tuple(seconds for _, _, seconds, _ in seen) == game.seconds
    assert white.heard == ["B1\\"]
    assert red.heard == ["@0/", "A2\\"]  # the turn that ended the game included


def test_variant_and_its_draw() -> None:
    game = play_game(RandomPlayer(1), RandomPlayer(2), variant=MINI)
    assert game.position.variant == MINI
    assert game.ending.reason in ("loop", "blocked")


@pytest.mark.parametrize("seed", range(5))
def test_random_games_replay_from_their_records(seed: int) -> None:
    game = play_game(RandomPlayer(seed), RandomPlayer(seed + 100), variant=DELUXE)
    record = game.record({"White": "one", "Red": "other", "Date": "2026-11-21"})
    assert record.tags["Clock"] == "1 s"
    assert list(read_records(format_record(record).splitlines())) == [record]
    assert len(game.seconds) == len(record.turns) == game.position.turns
    assert record.comments[1] == (f"{game.seconds[0]:.3f} s",)


def test_limit_is_a_draw() -> None:
    game = play_game(Scripted("@0/ A2+"), Scripted("B1+"), limit=2)
    assert game.ending == Ending(None, "turn limit")
    assert game.position.turns == 2
    assert game.explanation == "a draw as the most turns allowed have been made: 2 turns"


def test_win_with_the_last_turn_of_all_counts() -> None:
    game = play_game(Scripted("@0/ A2\\"), Scripted("B1\\"), limit=3)
    assert game.ending == Ending(Colour.RED, "loop")


# What loses.


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        ("C7+", "C7+: C7 is not adjacent to any tile; 12 turns would be legal, such as @1+"),
        ("A1+", "A1+: A1 is occupied; 12 turns would be legal, such as @1+"),
    ],
)
def test_illegal_turn(turn: str, why: str) -> None:
    white, red = Scripted("@0/"), Scripted(turn)
    game = play_game(white, red)
    assert game.ending == Ending(Colour.WHITE, "illegal turn")
    assert game.explanation == f"red loses at turn 2: {why}"
    assert (game.position.turns, white.heard) == (1, [])
    assert game.record().comments[1][-1] == game.explanation


def test_illegal_turn_where_others_are_legal() -> None:
    game = play_game(Scripted("@0+ A0+"), Scripted("@1+ B1\\"))
    assert game.explanation == (
        "red loses at turn 4: B1\\: the west edge would be white but the neighbour's edge is red; "
        "legal there: B1+ B1/"
    )


def test_wrong_first_turn() -> None:
    game = play_game(Scripted("B1+"), Scripted(""))
    assert game.ending == Ending(Colour.RED, "illegal turn")
    assert "legal, such as @0+" in game.explanation


@pytest.mark.parametrize(
    ("error", "reason", "more"),
    [
        (DeviceSilentError("silent"), "time", ""),
        (DeviceGoneError("gone"), "fault", ""),
        (DeviceFloodError("floods"), "fault", ""),
        (
            DeviceTalkError("nonsense"),
            "illegal turn",
            "; 12 turns would be legal, such as @1+",
        ),
    ],
)
def test_failures(error: DeviceError, reason: str, more: str) -> None:
    game = play_game(Scripted("@0/"), Scripted([error]))
    assert game.ending == Ending(Colour.WHITE, reason)
    assert game.explanation == f"red loses at turn 2: {error}{more}"
    assert game.record().ending == game.ending


@pytest.mark.parametrize("colour", list(Colour))
def test_failure_at_the_start(colour: Colour) -> None:
    players = [Scripted("@0/"), Scripted("B1+")]
    players[colour].start_error = DeviceGoneError("gone")
    game = play_game(*players)
    assert game.ending == Ending(colour.other, "fault")
    assert game.explanation == f"{colour.name.lower()} loses before the game: gone"
    assert list(read_records(format_record(game.record()).splitlines())) == [game.record()]


def test_failure_on_hearing() -> None:
    white, red = Scripted("@0/"), Scripted("")
    red.hear_errors["@0/"] = DeviceGoneError("gone")
    game = play_game(white, red)
    assert game.ending == Ending(Colour.WHITE, "fault")
    assert game.explanation == "red loses at turn 2: gone"
    assert game.position.turns == 1


def test_failure_on_hearing_the_turn_that_has_ended_the_game_is_nothing() -> None:
    white, red = Scripted("@0/ A2\\"), Scripted("B1\\")
    red.hear_errors["A2\\"] = DeviceGoneError("gone")
    assert play_game(white, red).ending == Ending(Colour.RED, "loop")
    assert red.heard == ["@0/", "A2\\"]


def test_failure_on_hearing_the_last_turn_of_an_open_game_is_nothing() -> None:
    white, red = Scripted("@0/ A2+"), Scripted("B1+")
    white.hear_errors["B1+"] = DeviceGoneError("gone")
    assert play_game(white, red, limit=2).ending == Ending(None, "turn limit")


@pytest.mark.parametrize(("clock", "reason"), [(GENEROUS, "time"), (UNTIMED, "fault")])
def test_silence_on_hearing(clock: Clock, reason: EndReason) -> None:
    white, red = Scripted("@0/"), Scripted("")
    red.hear_errors["@0/"] = DeviceSilentError("takes no bytes")
    assert play_game(white, red, clock=clock).ending == Ending(Colour.WHITE, reason)


def test_resignation() -> None:
    game = play_game(Scripted("@0/"), Scripted([ResignError()]))
    assert game.ending == Ending(Colour.WHITE, "resignation")
    assert game.explanation == "red resigns at turn 2"


def test_unfit_player_is_no_ending() -> None:
    white = Scripted("@0/")
    white.start_error = UnfitError("plays standard, not mini")
    with pytest.raises(UnfitError):
        play_game(white, Scripted(""))


# Time.


def test_slow_player_loses_whatever_it_says_itself() -> None:
    game = play_game(Scripted("@0/", 0.2), Scripted(""), clock=Clock(0.1))
    assert game.ending == Ending(Colour.RED, "time")
    assert game.explanation.startswith("white loses at turn 1: @0/ took 0.")
    assert game.explanation.endswith(" s, of 0.1 s")
    assert (game.position.turns, game.seconds) == (0, ())


def test_without_a_clock_silence_is_a_fault() -> None:
    white = Scripted([DeviceSilentError("silent")])
    assert play_game(white, Scripted(""), clock=UNTIMED).ending.reason == "fault"
    assert white.allowed == [None]


def test_one_grace_each() -> None:
    clock = Clock(0.5, 60.0)
    white = Scripted("@0/ A2/ A3/", [0.6, 0.6])
    red = Scripted("B1+ B2+", [0.6])
    game = play_game(white, red, clock=clock)
    assert game.ending == Ending(Colour.RED, "time")
    assert white.allowed == [60.5, 0.5]
    assert red.allowed == [60.5]
    assert game.position.turns == 2


def test_grace_that_is_not_needed_stays() -> None:
    white = Scripted("@0/ A2/")
    play_game(white, Scripted("B1+"), clock=Clock(30.0, 60.0), limit=3)
    assert white.allowed == [90.0, 90.0]


# Openings.


def test_opening() -> None:
    opening = [parse_turn(turn) for turn in "@0/ B1+ A2/".split()]
    white, red = Scripted("A3+"), Scripted("@1+")
    game = play_game(white, red, opening=opening, clock=GENEROUS, limit=4)
    assert red.started == [(Colour.RED, STANDARD, tuple(opening))]
    assert (white.heard, white.allowed) == (["@1+"], [])
    assert game.position.turns == 4
    assert (game.opening, len(game.seconds)) == (3, 1)
    assert list(game.record().comments) == [4]


@pytest.mark.parametrize("turns", ["@0/ B1\\ A2\\", "@0/ B1+"])
def test_opening_that_leaves_no_game(turns: str) -> None:
    opening = [parse_turn(turn) for turn in turns.split()]
    with pytest.raises(ValueError, match=r"^the game is over with its opening$"):
        Referee(Scripted(""), Scripted(""), opening=opening, limit=2)


def test_illegal_opening() -> None:
    with pytest.raises(TraxError):
        play_game(Scripted(""), Scripted(""), opening=[parse_turn("B7+")])


# What is written down.


def test_unfinished_game_has_a_record() -> None:
    referee = Referee(Scripted("@0/"), Scripted([KeyboardInterrupt()]))
    with pytest.raises(KeyboardInterrupt):
        referee.play()
    record = referee.record({"White": "one"})
    assert (record.ending, len(record.turns)) == (None, 1)
    assert list(record.comments) == [1]


def test_as_dict() -> None:
    white, red = Scripted("@0/ A2\\"), Scripted("B1\\")
    game = play_game(white, red, clock=CONTEST)
    said = game.as_dict()
    turns = said.pop("turns")
    assert said == {
        "variant": "standard",
        "clock": "1 s",
        "opening": [],
        "result": "0-1",
        "winner": "red",
        "termination": "loop",
        "explanation": "red wins by a loop after 3 turns",
    }
    assert isinstance(turns, list)
    assert [(turn["number"], turn["colour"], turn["turn"], turn["forced"]) for turn in turns] == [
        (1, "white", "@0/", []),
        (2, "red", "B1\\", []),
        (3, "white", "A2\\", ["B2/"]),
    ]


def test_forced_tiles_are_named_as_in_records() -> None:
    for seed in range(20):
        game = play_game(RandomPlayer(seed), RandomPlayer(seed + 1))
        texts = []
        for turn in game.as_dict()["turns"]:  # type: ignore[attr-defined]
            forced = f" ({' '.join(turn['forced'])})" if turn["forced"] else ""
            texts.append(f"{turn['turn']}{forced}")
        [record] = read_records([" ".join(texts)])
        assert record.position().tiles == game.position.tiles
