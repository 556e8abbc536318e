"""What the page's modules do without a device: notations, records, addresses, ends, the guide."""

from __future__ import annotations

import io
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
    TraxError,
    Turn,
    format_old_turn,
    format_record,
    parse_turn,
    play_game,
    read_records,
    record_of,
    variant_named,
)
from loopline.game.old_notation import read_turn
from loopline.game.position import ending_of
from loopline.game.records.record_lines import split_games
from loopline.game.records.record_reader import GameReading, read_game
from loopline.game.tiles import Shape
from loopline.game.wire import Completed, GameFlag, completed_by, sides_of
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
    last = {"completed": 0}
    if position.history:
        last["completed"] = int(completed_by(position.history[-1]))
    return {
        "columns": position.width if position.tiles else 0,
        "rows": position.height if position.tiles else 0,
        "cells": cells_of(position),
        "spaces": spaces,
        "candidates": [] if ending_of(position) else candidates,
        "state": GameFlag.OVER if ending_of(position) else GameFlag.ON,
        "last": last,
    }


def cells_of(position: Position) -> list[list[int]]:
    """The rows of tiles: White's sides and Red's, or 0."""
    if not position.tiles:
        return []
    return [
        [
            tile.edges(Colour.WHITE) << 4 | tile.edges(Colour.RED) if tile else 0
            for x in range(position.west, position.west + position.width)
            for tile in [position.tile_at(x, y)]
        ]
        for y in range(position.north, position.north + position.height)
    ]


def views_of(games: list[dict[str, Any]]) -> dict[str, Any]:
    """What a device says about the positions of games of the page, up to the first wrong turn."""
    views = {}
    for game in games:
        name = game["tags"].get("Variant", "standard")
        try:
            position = Position(variant_named(name))
        except ValueError:
            continue
        key = name
        views[key] = view_of(position)
        for word in game["words"]:
            try:
                position.play(read_turn(position, word))
            except TraxError:
                break
            key += f" {position.history[-1].turn}"
            views[key] = view_of(position)
    return views


def as_the_page_says(reading: GameReading) -> dict[str, Any] | None:
    """A game by the rules' reader in the words of the page; None if it is refused."""
    if (record := reading.record) is None:
        return None
    end = record.ending
    named = ("White", "Red", "Date")
    return {
        "turns": [in_page(turn) for turn in record.turns],
        "tags": {name: text for name, text in record.tags.items() if name not in named},
        "names": {name.lower(): record.tags[name] for name in named[:2] if name in record.tags},
        "comments": {number: list(texts) for number, texts in record.comments.items()},
        "end": end and {"result": RESULTS[end.winner], "reason": end.reason},
    }


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


def compare_readers(texts: list[str]) -> list[str]:
    """Read texts with both readers, which have to agree; return why the page refuses games."""
    found = ask(*({"action": "records", "text": text} for text in texts))
    questions = [
        {"action": "read", "text": text, "views": views_of(games)}
        for text, games in zip(texts, found, strict=True)
    ]
    refused = []
    for text, games in zip(texts, ask(*questions), strict=True):
        readings = map(read_game, split_games(io.StringIO(text, newline=None)))
        wanted = [as_the_page_says(each) for each in readings]
        said = []
        for game in games:
            if "error" in game:
                refused.append(game["error"])
                said.append(None)
                continue
            end = game["end"] or game["over"]
            said.append(
                {name: game[name] for name in ("turns", "tags", "names")}
                | {"comments": {at: each for at, each in enumerate(game["comments"]) if each}}
                | {"end": end and {name: end[name] for name in ("result", "reason")}}
            )
        assert said == wanted, text
    return refused


def test_records_are_refused_as_by_the_rules() -> None:
    """Each text that is wrong is so in one place."""
    good = [
        "1. @0/ 2. A0\\ B1+ 4.@1/ 1-0\n",
        '# one\n[Event "E"] # two\n[Clock "1 s"]\n[Annotator "N"]\n[Date "2016"]\n\n'
        "# three\n1. @0/ # four\n# five\n2. B1+\n*\n# six\n",
        "@0+ B1+ A2\\ (B2/) A0/\n@0+ B1+ A2\\ ( )\n@0+ B1+ A2\\ (B2/ B2/) resign\n",
        '[toString "x"]\n[Variant "limited-8"]\n@0/ DRAW\n',
        '[Result "1-0"]\n[Termination "fault"]\n@0/ B1+\n',
        '[Result "1/2-1/2"]\n[Termination "turn limit"]\n@0/ B1+ 1/2-1/2\n',
        '[Termination "loop"]\n@0/ A0\\ B1+ @1/\n',
    ]
    wrong = [
        "constructor\n@0/ B1+\n",
        "1. @0/ 3. B1+\n",
        "1. @0/ 2. B1+ 4. A0\\\n",
        "@0/ B1+ * A0\\\n",
        "@0/ RESIGN DRAW\n",
        "@0/ A0\\ B1+ @1/ 0-1\n",
        "@0/ A0\\ B1+ @1/ RESIGN\n",
        "@0/ A0\\ B1+ @1/ A0+\n",
        '[Result "0-1"]\n@0/ B1+ 1-0\n',
        '[Result "0-1"]\n@0/ B1+ *\n',
        '[Result "*"]\n@0/ B1+ TIME\n',
        '[Result "2-0"]\n@0/ B1+\n',
        '[Termination "loop"]\n@0/ B1+ 1-0\n',
        '[Termination "time"]\n@0/ B1+ *\n',
        '[Termination "time"]\n@0/ B1+ RESIGN\n',
        '[Termination "time"]\n@0/ B1+ 1/2-1/2\n',
        '[Termination "agreement"]\n@0/ B1+ 1-0\n',
        '[Termination "boredom"]\n@0/ B1+ 1-0\n',
        "@0+ B1+ A2\\ (B2/\n",
        "@0+ B1+ A2\\ (B2/ # more\n",
        "@0+ B1+ A2\\ (B2+)\n",
        "@0+ B1+ A2\\ (A2\\)\n",
        "@0+ (A1+) B1+\n",
        "(@0+) B1+\n",
        "@0+ B1+ ) A0/\n",
        "@0/ 12 B1+\n",
        "@0/ B1+ B1+\n",
        '[White "A"]\n[White "B"]\n@0/ B1+\n',
        '[White "A" ]\n@0/ B1+\n',
        '[White "A\tB"]\n@0/ B1+\n',
        '[Date "2016-13"]\n@0/ B1+\n',
        '[Variant "limited-0"]\n@0/ B1+\n',
        f"# {'x' * (1 << 18)}\n@0/ B1+\n",
    ]
    assert not compare_readers(good)
    assert len(compare_readers(wrong)) == len(wrong)


def test_any_mixture_of_words_is_read_as_by_the_rules() -> None:
    """In all formats of files; most are refused, but some are not."""
    rng = random.Random(1)
    heads = ["", "", "", "Trax\n", "8x8 Trax\nA vs. B\n", "@0/\nB1+\n", '[White "A"]\n']
    words = "@0/ @0+ B1+ A2\\ A0\\ B1/ A1C B1S (B2/) ( ) 1. 2. 3.B1+ 4. 2 * 1-0 0-1 #".split()
    words += ["RESIGN", "draw", "# c", "; d"]
    tags = ['[Result "1-0"]', '[Result "*"]', '[Termination "time"]', '[Event "E"]', "A vs B"]
    texts = []
    for _ in range(1000):
        text = rng.choice(heads)
        for _ in range(rng.randint(1, 10)):
            blank = rng.choice("\n     ") or " "
            text += rng.choice(tags) + "\n" if rng.random() < 0.1 else rng.choice(words) + blank
        texts.append(text)
    refused = compare_readers(texts)
    assert len(refused) > 500


def test_comments_and_tags_are_written() -> None:
    record = '[White "A"]\n[Event "E"]\n\n# begin\n1. @0/\n# one\n# more\n2. B1+ *\n# end\n'
    (read,) = read_records(record.splitlines())
    comments = [list(read.comments.get(number, ())) for number in range(3)]
    asked = {"action": "format", "tags": {"White": "A", "Event": "E"}, "turns": ["@0/", "B1+"]}
    (text,) = ask({**asked, "result": "*", "comments": comments})
    assert list(read_records(text.splitlines())) == [read]


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


def test_a_turn_of_a_device_is_said_with_its_forced_tiles() -> None:
    one = {"action": "status", "players": {"white": "you", "red": "engine"}, "turns": [None] * 2}
    both = {**one, "players": {"white": "engine", "red": "engine"}}
    questions = [{**one, "forced": count} for count in range(3)]
    assert ask(*questions, {**both, "forced": 0}) == [
        "Red has played B1+. White to move.",
        "Red has played B1+, 1 forced tile. White to move.",
        "Red has played B1+, 2 forced tiles. White to move.",
        "Red has played B1+. White is thinking …",
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
