"""Each file in ``golden`` is what ``loopline show`` prints with the words next to its name here.

Other pictures are compared in ``tests/host/render/test_pictures_of_docs.py``.
"""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from loopline.game import play_game
from loopline.host.render.text import board_text
from loopline.host.render.theme import LIGHT
from tests.host.positions import BOTH_GAME, FORCED_GAME, LOOP_GAME, WIDE_GAME, position_after
from tests.host.program import loopline
from tests.host.render.test_text import FORCED

GOLDEN = Path(__file__).parent / "golden"
PICTURES = Path(__file__).parents[3] / "docs" / "pictures"

THREAT_FILE = str(PICTURES / "threats.txt")

MINI_GAME = "@0+ B1+ C1+"

PICTURE_WORDS = {
    "start.svg": ["--format", "svg"],
    "forced.svg": ["--format", "svg", "--turns", FORCED_GAME, "--numbers"],
    "threats.txt": [THREAT_FILE, "--threats"],
    "threats-ascii.txt": ["--format", "ascii", THREAT_FILE, "--threats", "--notation", "old"],
    "mini.svg": ["--format", "svg", "--variant", "mini", "--turns", MINI_GAME],
    "mini.txt": ["--variant", "mini", "--turns", MINI_GAME, "--notation", "old"],
    "forced.txt": ["--format", "ascii", "--turns", FORCED_GAME],
    "both.txt": ["--format", "ascii", "--turns", BOTH_GAME],
    "loop.txt": ["--turns", LOOP_GAME],
}


@pytest.mark.parametrize("name", PICTURE_WORDS)
def test_golden(name: str) -> None:
    done = loopline("show", *PICTURE_WORDS[name])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (GOLDEN / name).read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(PICTURE_WORDS)


def test_text_is_the_drawing_of_the_terminal() -> None:
    assert loopline("show", "--turns", FORCED_GAME).stdout == FORCED


def test_text_in_a_file_is_not_cut(tmp_path: Path) -> None:
    drawing = tmp_path / "wide.txt"
    assert loopline("show", "--turns", WIDE_GAME, "-o", str(drawing)).returncode == 0
    position = position_after(WIDE_GAME)
    uncut = board_text(position, last=position.history[-1], width=1000)
    assert drawing.read_text(encoding="utf-8") == uncut
    assert "narrow" in loopline("show", "--turns", WIDE_GAME).stdout


def test_position_after_some_turns() -> None:
    turns = LOOP_GAME.split()
    for at in (0, 5, len(turns)):
        shown = loopline("show", "--turns", LOOP_GAME, "--at", str(at)).stdout
        position = play_game(turns[:at])
        last = position.history[-1] if at else None
        end = "After 12 turns, white wins by a loop.\n" if position.ending else ""
        assert shown == board_text(position, last=last, width=80) + end


def test_turns_after_the_one_shown_are_not_made() -> None:
    assert loopline("show", "--turns", "@0/ Z9+", "--at", "1").returncode == 0


def test_without_the_last_turn_nothing_is_marked() -> None:
    words = ["show", "--format", "svg", "--turns", FORCED_GAME]
    assert LIGHT.mark in loopline(*words, "--last").stdout
    assert LIGHT.mark not in loopline(*words, "--no-last").stdout


RECORDS = """\
# Two games, the second with tags and in the old notation.
@0/ B1+

[Variant "loop"]

1. A1C 2. A2S *
"""


@pytest.mark.parametrize("source", ["file", "-"])
def test_games_of_a_file(source: str, tmp_path: Path) -> None:
    name = str(tmp_path / "games.txt") if source == "file" else "-"
    (tmp_path / "games.txt").write_text(RECORDS, encoding="utf-8")
    for words, turns in (
        ([], "@0/ B1+"),
        (["--game", "1"], "@0/ B1+"),
        (["--game", "2"], "@0/ A2+"),
        (["--game", "2", "--at", "1"], "@0/"),
    ):
        done = loopline("show", name, *words, stdin=RECORDS)
        assert (done.returncode, done.stderr) == (0, "")
        position = position_after(turns)
        assert done.stdout == board_text(position, last=position.history[-1], width=80)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("@0/ B9+\n", "line 1, column 5: turn 2: B9+: B9 is not adjacent to any tile"),
        ("\n@0/ \udcff\n", "line 2, column 5: turn 2: "),
    ],
)
def test_bad_record_is_a_negative_answer(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(text.encode(errors="surrogateescape"))
    done = loopline("show", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"loopline show: {path}, {reason}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("end", "caption", "title"),
    [
        (
            "RESIGN",
            "After 2 turns, red wins by resignation.",
            "Red wins by resignation after 2 turns.",
        ),
        ("TIME", "After 2 turns, red wins on time.", "Red wins on time after 2 turns."),
        ("DRAW", "After 2 turns, a draw by agreement.", "A draw by agreement after 2 turns."),
        ("*", "", "Trax after 2 turns, white to move."),
    ],
)
def test_caption_says_how_the_game_ended(end: str, caption: str, title: str) -> None:
    record = f"@0/ B1+ {end}\n"
    text = loopline("show", "-", stdin=record).stdout
    svg = loopline("show", "-", "--format", "svg", stdin=record).stdout
    assert text.endswith(f"\n{caption}\n" if caption else "B    C\n")
    lines = [
        line.text or "" for line in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert " ".join(line for line in lines if len(line) > 2) == caption
    film = loopline("show", "-", "--format", "svg", "--animate", stdin=record).stdout
    assert f"<title>{title}</title>" in svg
    assert f"<title>{title}</title>" in film
    for words in (["--no-caption"], ["--at", "1"]):
        assert "After" not in loopline("show", "-", *words, stdin=record).stdout


def test_variant_is_what_the_record_says_or_the_option(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("@0+ B1+\n", encoding="utf-8")
    assert "area" not in loopline("show", str(path)).stdout
    shown = loopline("show", str(path), "--variant", "mini").stdout
    assert shown.endswith("Room in the 3 x 3 area: 1 column and 2 rows.\n")
    path.write_text('[Variant "limited"]\n@0+ B1+ *\n', encoding="utf-8")
    shown = loopline("show", str(path), "--variant", "mini").stdout
    assert shown.endswith("Room in the 8 x 8 area: 6 columns and 7 rows.\n")
    full = loopline("show", "--variant", "limited-1", "--turns", "@0+").stdout
    assert "Room in the 1 x 1 area: no more columns or rows.\n" in full
