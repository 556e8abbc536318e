"""What the page's modules do without a device: notations, records, addresses, ends, the guide."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

from loopline.game import (
    STANDARD,
    VARIANTS,
    Colour,
    Position,
    Turn,
    format_old_turn,
    format_record,
    parse_turn,
    play_game,
    read_records,
    record_of,
)
from loopline.game.tiles import Shape
from loopline.game.wire import Completed, completed_by, sides_of
from loopline.host.referee.referee import TURN_LIMIT
from tests.web.node import PAGE, needs_node, node

pytestmark = needs_node
RESULTS = {Colour.WHITE: "1-0", Colour.RED: "0-1", None: "1/2-1/2"}


def ask(*questions: dict[str, Any]) -> list[Any]:
    program = [str(node), str(Path(__file__).with_name("page.mjs")), str(PAGE)]
    text = json.dumps(questions)
    done = subprocess.run(program, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def in_page(turn: Turn) -> dict[str, int]:
    return {"column": turn.column, "row": turn.row, "shape": turn.shape.code}


def random_games(count: int, turns: int) -> list[Position]:
    rng = random.Random(1)
    positions = []
    for _ in range(count):
        position = Position()
        while position.turns < turns and position.ending is None:
            position.play(rng.choice(list(position.legal_turns())))
        positions.append(position)
    return positions


def view_of(position: Position) -> dict[str, Any]:
    """What a device says about a position, as far as the notation needs it."""
    spaces = []
    for x, y in position.frontier():
        column, row = position.label(x, y)
        sockets = sides_of(position.sockets(x, y))
        spaces.append({"column": column, "row": row, "sockets": sockets})
    candidates = [{"turn": in_page(turn), "status": 0} for turn in position.legal_turns()]
    columns = position.width if position.tiles else 0
    return {"columns": columns, "spaces": spaces, "candidates": candidates}


def test_both_notations_are_those_of_the_rules() -> None:
    positions = [Position(), *random_games(12, 14)]
    positions = [position for position in positions if position.ending is None]
    answers = ask(*({"action": "names", "view": view_of(each)} for each in positions))
    for position, found in zip(positions, answers, strict=True):
        turns = list(position.legal_turns())
        for turn, (text, old, read, read_standard) in zip(turns, found, strict=True):
            assert text == str(turn)
            assert old == format_old_turn(position, turn)
            assert read == read_standard == in_page(turn)


def test_records_are_read_and_written() -> None:
    """The page's records are read by the rules, and theirs by the page."""
    position = random_games(1, 30)[0]
    tags = {"White": 'A "B" \\', "Red": "C"}
    record = record_of(position, None, tags)
    turns = [str(played.turn) for played in position.history]
    ended = position.history[-1].result
    result = "*" if ended is None else RESULTS[ended.winner]
    texts = [
        format_record(record),
        "# two games\n@0/ B1+\n@0+ A2+ # well\n\n",
        "1. @0/ 2. A0\\\n3. B1+ (A1/)\n",
        "",
    ]
    questions = [{"action": "records", "text": text} for text in texts]
    written = {"action": "format", "tags": tags, "turns": turns, "result": result}
    whole, two, numbered, none, text = ask(*questions, written)
    assert [(game["words"], game["result"]) for game in whole] == [(turns, result)]
    assert whole[0]["tags"]["White"] == tags["White"]
    assert [game["words"] for game in two] == [["@0/", "B1+"], ["@0+", "A2+"]]
    assert [game["words"] for game in numbered] == [["@0/", "A0\\", "B1+"]]
    assert none == []
    (read,) = read_records(text.splitlines(keepends=True))
    assert [str(turn) for turn in read.turns] == turns
    assert read.tags["White"] == tags["White"]


def test_all_formats_of_records_are_those_of_the_rules() -> None:
    texts = [
        '[Event "Game #3"]\n[White "A"]\n\n1. @0/ 2.B1+\n3. A0\\ *\n@0+ B1+\n3. @1+\n',
        "Trax\nA vs B\n1 @0/ 2. B1+ ; better was A0+\n3 A0\\\n\nLoop Trax\nC vs. D\n@0+\nB1/\n",
        'Trax\n@0/ ; A vs B\n\n[Event "C vs D"]\n[White "E"]\n\n1. @0/ # F vs G\n2. B1+ *\n',
        "@0/\nB1+\nA0\\\n@0+\nA2+\n",
        '@0/\nB1+\n\n[White "A"]\n\n1. @0/\n2. B1+ *\n@0+\nB1+\n',
        "# only a comment\n",
        '[White "A"]\n\n@0/ B1+\nRESIGN\n@0+ B1+ draw\n@0/ A0/\n',
        '[Variant "mini"]\n[Result "*"]\n\n@0/ @1+ A0\\ (B0\\) *\n',
    ]
    answers = ask(*({"action": "records", "text": text} for text in texts))
    for text, found in zip(texts, answers, strict=True):
        wanted = list(read_records(text.splitlines(keepends=True)))
        assert [game["words"] for game in found] == [
            [str(turn) for turn in record.turns] for record in wanted
        ]
        for game, record in zip(found, wanted, strict=True):
            assert game["tags"].get("Variant", "standard") == record.variant.name
            for name in ("White", "Red", "Event"):
                assert game["tags"].get(name) == record.tags.get(name)


def test_words_end_a_record_as_the_rules_read_it() -> None:
    """The player to move has resigned, run out of time, or made an illegal turn."""
    words = ["RESIGN", "time", "ILLEGAL", "DRAW", "1-0", "1/2-1/2"]
    texts = [f"@0/ B1+ {word}\n" for word in words] + ["@0/ B1+ A0\\ RESIGN\n"]
    texts += ['[Result "0-1"]\n@0/ B1+\n', '[Result "1-0"]\n[Termination "time"]\n@0/ B1+\n']
    questions = [
        {"action": "endOfRecord", "text": text, "turns": 3 if "A0" in text else 2} for text in texts
    ]
    for text, found in zip(texts, ask(*questions), strict=True):
        (record,) = read_records(text.splitlines())
        ending = record.ending
        assert ending is not None
        assert (found["result"], found["reason"]) == (RESULTS[ending.winner], ending.reason)
    assert ask({"action": "endOfRecord", "text": "@0/ B1+ *", "turns": 2}) == [None]


def test_addresses_hold_games() -> None:
    turns = [in_page(turn) for turn in (Turn(0, 0, Shape.SLASH), Turn(27, 10, Shape.BACKSLASH))]
    games = [{"variant": "standard", "turns": turns}, {"variant": "limited-10", "turns": []}]
    bad = ["", "#", "#chess:@0/", "#standard:x", "#standard:@0/,%", "#limited-:@0+", "#a:b:c"]
    answers = ask(
        *({"action": "hash", **game} for game in games),
        *({"action": "fromHash", "text": text} for text in bad),
    )
    for game, (text, encoded, plain) in zip(games, answers, strict=False):
        assert encoded == plain == game, text
    assert answers[0][0] == "standard:@0/,AA10~"
    assert answers[len(games) :] == [None] * len(bad)


def test_what_is_completed_ends_the_game_as_the_rules_say() -> None:
    """For every set of loops and lines the page names the winner that the rules name."""
    endings = {}
    for position in random_games(30, 200):
        last = position.history[-1]
        if last.result is not None:
            endings[completed_by(last), position.turns % 2] = last.result
    questions = [
        {
            "action": "end",
            "completed": int(done),
            "mover": "white" if odd else "red",
            "variant": STANDARD.name,
        }
        for done, odd in endings
    ]
    for found, ending in zip(ask(*questions), endings.values(), strict=True):
        assert found["result"] == RESULTS[ending.winner]
        assert found["reason"] == ending.kind
    # What random games do not reach.
    both = Completed.WHITE_LOOP | Completed.RED_LINE
    cases = [
        ("standard", both, "red", "0-1", "line"),
        ("deluxe", both, "red", "1/2-1/2", "both"),
        ("loop", both, "red", "1-0", "loop"),
        ("limited-5", Completed.RED_LINE, "white", "0-1", "line"),
    ]
    assert {"standard", "deluxe", "loop"} <= VARIANTS.keys()
    questions = [
        {"action": "end", "variant": variant, "completed": int(done), "mover": mover}
        for variant, done, mover, _, _ in cases
    ]
    questions.append({"action": "end", "variant": "loop", "completed": 4, "mover": "red"})
    *found, nothing, limit = ask(*questions, {"action": "turnLimit"})
    assert nothing is None
    assert limit == TURN_LIMIT
    assert [(each["result"], each["reason"]) for each in found] == [case[3:] for case in cases]


def test_a_live_game_is_the_last_one_of_its_file() -> None:
    tags = '[White "a"]\n[Red "b"]\n[Variant "loop"]\n'
    texts = [
        "# The game in play\n",
        f"{tags}\n1. @0/ # 0.1 s\n*\n",
        f'@0+ *\n\n{tags}[Result "0-1"]\n[Termination "fault"]\n\n1. @0/ 0-1\n',
        "@0/ 12+ *\n",
        '[Variant "chess"]\n\n@0/ *\n',
    ]
    begun = {
        "variant": "loop",
        "turns": [in_page(parse_turn("@0/"))],
        "names": {"white": "a", "red": "b"},
        "end": None,
    }
    end = {"result": "0-1", "reason": "fault", "colours": []}
    assert ask(*({"action": "live", "text": text} for text in texts)) == [
        None,
        begun,
        {**begun, "end": end},
        "turn 2, 12+, is no turn",
        "chess is not a variant",
    ]


def test_the_pictures_of_the_guide_are_positions() -> None:
    """Each shows the tiles after its turns, and the last turn's own and forced ones."""
    (found,) = ask({"action": "guide"})
    assert len(found) == 5
    for picture, tiles in found:
        if "turns" not in picture:
            continue
        position = play_game(picture["turns"].split())
        wanted = {}
        for x in range(position.west, position.west + position.width):
            for y in range(position.north, position.north + position.height):
                if (tile := position.tile_at(x, y)) is not None:
                    place = f"{x - position.west},{y - position.north}"
                    wanted[place] = tile.edges(Colour.WHITE)
        assert dict(tiles) == wanted
        laid = [
            f"{each.x - position.west},{each.y - position.north}"
            for each in position.history[-1].tiles
        ]
        if "own" in picture:
            assert [*picture["own"], *picture.get("forced", [])] == laid
        result = position.history[-1].result
        assert picture.get("won") == (result and result.winner.name.lower())
