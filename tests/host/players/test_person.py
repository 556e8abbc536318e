"""What a person can type at the terminal, against players in software."""

import re
import resource
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from loopline.game import MINI, Colour, Ending, GameRecord, parse_turn
from loopline.host.clock import GRACE, Clock
from loopline.host.contest import link
from loopline.host.device import group
from loopline.host.errors import UsageError
from loopline.host.players import analyst
from loopline.host.players.analyst import Analysis
from loopline.host.players.person import Person
from loopline.host.records.saved_game import save_game
from loopline.host.ui import adviser
from loopline.host.ui.adviser import _sentence
from tests.host.contestant import contestant
from tests.host.positions import position_after, records_of
from tests.host.program import OVER, loopline, talking

PROMPT = {Colour.WHITE: "Your turn (white): ", Colour.RED: "Your turn (red): "}
RECORD = re.compile(r"^The game: (.*)$", re.MULTILINE)
OPPONENT = ("play", "--device", "random:1")


def replies(argv: tuple[str, ...], lines: list[str]) -> dict[str, str]:
    """Type the lines; what came after each, up to the next prompt."""
    done = loopline(*argv, stdin="\n".join(lines))
    assert (done.stderr, done.returncode) == ("", 0)
    answers = re.split("|".join(map(re.escape, PROMPT.values())), done.stdout)[1:]
    return dict(zip(lines, (answer.split("\n", 1)[1] for answer in answers), strict=False))


def test_everything_that_can_be_typed(tmp_path: Path) -> None:
    saved, other, empty = (tmp_path / name for name in ("a game.txt", "other.txt", "empty.txt"))
    empty.touch()
    other.write_text("mine\n", encoding="utf-8")
    lines = [
        "help",
        "MOVES",
        "",
        "undo",
        "@0\\",
        "B1",
        "@0/ B1+",
        "@0/",
        "B99+",
        "board",
        f"save {empty}",
        f"save {saved}",
        f"save {saved}",
        f"save {other}",
        f"save {tmp_path / 'no' / 'folder'}",
        "save ~nobody-of-this-name/game",
        f"save {tmp_path}/\0",
        "quit",
    ]
    by_line = replies(OPPONENT, lines)
    assert "A turn is column, row and tile" in by_line["help"]
    assert "a formation at least 8 long" in by_line["help"].replace("\n", " ")
    assert all(len(line) < 80 for line in by_line["help"].splitlines())
    assert by_line["MOVES"] == "@0+ @0/\n"
    assert by_line["undo"] == "there is no turn of yours to take back\n"
    assert by_line["@0\\"].startswith("@0\\: the first turn is @0/ or @0+ (")
    assert by_line["B1"].startswith("'B1': ")
    assert by_line["@0/ B1+"] == "@0/ takes no more words: one turn at a time, or help\n"
    assert "Turn 1: white plays @0/ (now at A1)." in by_line["@0/"]
    assert "Turn 2: red plays " in by_line["@0/"]
    assert by_line["B99+"].startswith("B99+: B99 is not adjacent to any tile (")
    assert "━" in by_line["board"]
    assert by_line[f"save {empty}"] == f"{empty} holds the game so far\n"
    assert by_line[f"save {saved}"] == f"{saved} holds the game so far\n"
    said = {line: " ".join(answer.split()) for line, answer in by_line.items()}
    assert said[f"save {other}"] == f"{other} is there already: choose another name"
    assert said[f"save {tmp_path / 'no' / 'folder'}"].startswith("cannot write ")
    assert said["save ~nobody-of-this-name/game"].startswith("cannot write ~nobody")
    assert said[f"save {tmp_path}/\0"].endswith("embedded null byte")
    assert by_line["quit"].startswith("The game ends here.\nThe game: @0/ ")
    assert other.read_text(encoding="utf-8") == "mine\n"
    [record] = records_of(saved)
    assert [record] == records_of(empty)
    assert record.ending is None
    assert len(record.turns) == 2
    assert record.tags["White"] == "Human"
    assert record.tags["Red"] == "random:1"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record.tags["Date"])
    assert loopline("replay", str(saved)).returncode == 0


def test_save_without_a_name_takes_a_free_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game-1.txt").write_text("another game\n", encoding="utf-8")
    done = loopline(*OPPONENT, stdin="@0+\nsave\nsave\n")
    assert done.stdout.count("game-2.txt holds the game so far\n") == 2
    assert len(records_of(Path("game-2.txt"))[0].turns) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"game-1.txt", "game-2.txt"}


def test_either_notation_in_any_case() -> None:
    for first in ("A1C", "a1c", "@0/"):
        assert "Turn 1: white plays @0/ " in replies(OPPONENT, [first])[first]
    two = ("play", "--device", "human")
    by_line = replies(two, ["A1C", "1al", "B1C", "b1s", "quit"])
    assert "Turn 2: red plays A0\\ " in by_line["1al"]
    # Of the curves in this space neither is meant by C: the message says what would be.
    assert by_line["B1C"].startswith("'B1C': expected S or D or U in this space")
    assert "Turn 3: white plays B1+." in by_line["b1s"]


def test_help_is_about_the_variant() -> None:
    for variant, rule in (
        ("loop", "lines do not count"),
        ("limited-12", "keeps within 12 columns and rows"),
        ("deluxe", "If both colours complete one in one turn, it is a draw."),
    ):
        text = replies((*OPPONENT, "--variant", variant), ["help"])["help"]
        assert rule in " ".join(text.split())


def test_resign(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    done = loopline(*OPPONENT, "--save", str(file), "--name", "Zoë\n", stdin="@0/\nresign\n")
    assert (done.stderr, done.returncode) == ("", 0)
    assert f"\nRed wins by resignation after 2 turns.\n{OVER}\nThe game: @0/ " in done.stdout
    [record] = records_of(file)
    assert record.ending == Ending(Colour.RED, "resignation")
    assert record.tags["White"] == "Zoë"
    assert "Clock" not in record.tags
    replayed = loopline("replay", str(file)).stdout
    assert replayed.startswith("line 1 (Zoë - random:1): red wins by resignation after 2 turns")


def test_undo_takes_the_answer_back_as_well() -> None:
    lines = ["@0/", "undo", "@0+", "undo", "undo", "@0/", "quit"]
    output = loopline(*OPPONENT, stdin="\n".join(lines)).stdout
    assert output.count("there is no turn of yours to take back\n") == 1
    [record] = RECORD.findall(output)
    assert record.startswith("@0/ ")
    assert position_after(record).turns == 2


def test_undo_as_red_leaves_the_opening() -> None:
    with talking(*OPPONENT, "--colour", "red") as talk:
        talk.read_until(PROMPT[Colour.RED])
        talk.write("undo\n")
        assert "there is no turn of yours" in talk.read_until(PROMPT[Colour.RED])
        talk.write("A0+\n")
        assert "Turn 3: white" in talk.read_until(PROMPT[Colour.RED])
        talk.write("undo\n")
        talk.read_until(PROMPT[Colour.RED])
        talk.write("A2+\n")
        talk.read_until(PROMPT[Colour.RED])
        talk.end()
        [record] = RECORD.findall(talk.rest()[0])
    assert record.split()[1] == "A2+"


def test_two_people_and_undo_of_one_turn(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    lines = ["@0/", "B1+", "undo", "B1\\", "A2\\"]
    done = loopline("play", "--device", "human", "--save", str(file), stdin="\n".join(lines))
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.startswith("Two people play, white begins. Type help for help.\n")
    assert f"\nRed wins by a loop after 3 turns.\n{OVER}\nThe game: @0/ B1\\ A2\\\n" in done.stdout
    assert records_of(file)[0].ending == Ending(Colour.RED, "loop")


def test_undo_where_the_player_cannot_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_PROBE_SECONDS", 0.3)
    argv = ("play", "--device", contestant("quick"), "--colour", "white")
    by_line = replies(argv, ["@0/", "@1+", "undo", "A0+"])
    assert by_line["undo"].endswith(" cannot take turns back\n")
    # The game goes on unchanged.
    assert "Turn 6: red plays " in by_line["A0+"]


def test_hint_in_words() -> None:
    found = Analysis(parse_turn("A1+"), -4, None, 7, 99, 0, 1.0, (parse_turn("A1+"),))
    assert _sentence(found) == "The engine proposes A1+ (-4 points, 7 turns ahead)."
    line = (found.turn, parse_turn("B2/"), parse_turn("@1\\"))
    won = replace(found, mate=3, line=line)
    assert _sentence(won) == "The engine proposes A1+ (win in 3), then B2/ @1\\."


def test_hint_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adviser, "_SECONDS", 0.05)
    two = ("play", "--device", "human", "--variant", "mini")
    by_line = replies(two, ["hint", "@0/", "B1\\", "HINT"])
    assert by_line["hint"] == "The engine proposes @0/.\n"
    assert re.match(r"The engine proposes \S+ \((loss in|[+-]\d+ points, \d)", by_line["HINT"])


def test_a_hint_that_is_interrupted_ends_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        closed = 0

        def new_game(self, **_: object) -> None:
            raise KeyboardInterrupt

        def close(self) -> None:
            self.closed += 1

    device = Interrupted()
    monkeypatch.setattr(group, "open_device", lambda *_, **__: closing(device))
    with pytest.raises(KeyboardInterrupt):
        analyst.Analyst("engine")
    assert device.closed == 1


def test_hint_without_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    # A program that ends at once stands for an engine that is not installed.
    monkeypatch.setattr(adviser, "ENGINE", "cmd:false")
    by_line = replies(("play", "--device", "human", "--variant", "mini"), ["@0/", "hint", "Hint"])
    assert by_line["hint"] == by_line["Hint"]
    hint = " ".join(by_line["hint"].split())
    assert hint == "The engine cannot help: false has ended with status 1."


def test_threats() -> None:
    by_line = replies(("play", "--device", "human"), ["threats", "@0/", "B1\\", "Threats"])
    assert by_line["threats"] == "Neither player has a threat.\n"
    assert "\nRed attacks, to win by a loop: A2\\, B2/.\n" in by_line["Threats"]
    assert re.search(r"^ 2 +R +R +2$", by_line["Threats"], re.MULTILINE)


def test_after_the_end(tmp_path: Path) -> None:
    file, saved = tmp_path / "games.txt", tmp_path / "saved.txt"
    lines = ["@0/", "B1\\", "A2\\", "again", "undo", "A0+", "resign", "Undo", "help", "resign"]
    lines += [f"save {saved}", "rematch", "@0+", "quit"]
    done = loopline(
        *("play", "--device", "human", "--name", "Zoë", "--save", str(file)),
        stdin="\n".join(lines),
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert "no such command: again; help lists all\n" in done.stdout
    # Back to the position before the turn that lost, then to that in which red resigned.
    assert re.findall(r"(?:Your turn \(|is over).*: (.*)", done.stdout) == lines
    assert re.findall(r"Your turn \((\w+)\): (.*)", done.stdout)[3:6] == [
        ("white", "A0+"),
        ("red", "resign"),
        ("red", "help"),
    ]
    assert done.stdout.count("White wins by resignation after 3 turns.\n") == 2
    assert "\nWhite is Human now, red is Zoë.\n" in done.stdout
    first, second = records_of(file)
    assert records_of(saved) == [first]
    assert (" ".join(map(str, first.turns)), first.ending) == (
        "@0/ B1\\ A0+",
        Ending(Colour.WHITE, "resignation"),
    )
    assert (len(second.turns), second.ending) == (1, None)
    assert (second.tags["White"], second.tags["Red"]) == ("Human", "Zoë")


def test_a_failed_save_leaves_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = GameRecord((parse_turn("@0/"),))
    saved = save_game(game)

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        with pytest.raises(UsageError, match=r"cannot write game-1\.txt: File too large"):
            save_game(game, saved=saved)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [records_of(file) for file in tmp_path.iterdir()] == [[game]]


def test_a_rematch_is_saved_to_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["@0/", "save", "resign", "save", "rematch", "@0+", "B1+", "save"]
    done = loopline("play", "--device", "human", stdin="\n".join(lines))
    assert (done.stderr, done.returncode) == ("", 0)
    saved = [records_of(file) for file in sorted(tmp_path.iterdir())]
    assert [[len(record.turns) for record in records] for records in saved] == [[1], [2]]


def test_rematch_against_a_program() -> None:
    done = loopline(*OPPONENT, stdin="@0/\nresign\nrematch\nundo\nquit\n")
    assert "White is random:1 now, red is Human.\n" in done.stdout
    assert "Turn 1: white plays @0" in done.stdout.partition("now, red")[2]
    assert "there is no turn of yours to take back\n" in done.stdout


def test_going_on_with_a_saved_game(tmp_path: Path) -> None:
    file = tmp_path / "a@b.txt"
    file.write_text('@0/ B1\\ A2\\\n\n[Variant "limited-4"]\n@0/ B1+ C1+ *\n', encoding="utf-8")
    games = (str(file), "D1+", "@0/ B1+ C1+ D1+"), (f"{file}@2", "C1+", "@0/ B1+ C1+")
    for begun, turn, game in games:
        done = loopline("play", "--device", "human", "--from", begun, stdin=f"{turn}\n")
        assert (done.stderr, done.returncode) == ("", 0)
        assert done.stdout.startswith("Two people play (limited-4), white begins.")
        assert RECORD.findall(done.stdout) == [game]
        assert "\nRoom in the 4 x 4 area: 1 column and 3 rows.\n" in done.stdout
    done = loopline(*OPPONENT, "--from", f"{file}@2", stdin="undo\nundo\n")
    assert done.stdout.count("there is no turn of yours to take back\n") == 1
    assert re.findall(r"^Turn \d+", done.stdout, re.MULTILINE) == []


def test_draw_without_a_legal_turn() -> None:
    done = loopline(*OPPONENT, "--variant", "limited-1", stdin="@0/\n")
    assert (done.stderr, done.returncode) == ("", 0)
    end = f"\nA draw after 1 turn, as no legal turn is left.\n{OVER}\nThe game: @0/\n"
    assert done.stdout.endswith(end)


def test_whole_game_of_mini(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    with talking(*OPPONENT, "--variant", "mini", "--save", str(file)) as talk:
        while not talk.read_until(PROMPT[Colour.WHITE], OVER).endswith(OVER):
            talk.write("moves\n")
            turn = talk.read_until(PROMPT[Colour.WHITE]).split()[1]
            talk.write(f"{turn}\n")
        talk.end()
        output, errors = talk.rest()
        assert (output.endswith(f"\n{file} holds its record\n"), errors) == (True, "")
    [record] = records_of(file)
    assert record.variant == MINI
    assert record.ending


def test_interrupt_saves_the_game(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("@0/ B1\\ A2\\", encoding="utf-8")
    with talking(*OPPONENT, "--save", str(file)) as talk:
        talk.read_until(PROMPT[Colour.WHITE])
        talk.write("@0/\n")
        talk.read_until(PROMPT[Colour.WHITE])
        talk.wait_until_it_waits()
        talk.process.send_signal(signal.SIGINT)
        assert talk.rest()[1] == "\ninterrupted\n"
        assert talk.process.wait() == 130
    before, record = records_of(file)
    assert before.ending == Ending(Colour.RED, "loop")
    assert record.ending is None
    assert len(record.turns) == 2


def test_a_file_that_holds_something_else_is_refused_before_the_game(tmp_path: Path) -> None:
    file = tmp_path / "diary.txt"
    file.write_text("Dear diary\n", encoding="utf-8")
    done = loopline(*OPPONENT, "--save", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"loopline play: {file} is not a file of games to add one to: ")
    assert file.read_text(encoding="utf-8") == "Dear diary\n"


def test_clock(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    argv = ("play", "--device", "human", "--clock", "0.5", "--save", str(file))
    with talking(*argv) as talk:
        assert talk.read_until("): ").endswith("Your turn (white, 0.5 s left): ")
        output = talk.read_until(OVER)
        talk.end()
        rest, errors = talk.rest()
        assert talk.process.wait() == 0
    assert errors == ""
    assert "\nRed wins on time after 0 turns.\nWhite " in output
    assert output.endswith(f": no legal turn was typed within 0.5 s.\n{OVER}")
    assert rest == f"\n{file} holds its record\n"
    [record] = records_of(file)
    assert record.ending == Ending(Colour.RED, "time")
    assert record.tags["Clock"] == "0.5 s"


def test_the_time_that_is_left() -> None:
    done = loopline("play", "--device", "human", "--clock", "60+grace", stdin="\nquit\n")
    assert done.stdout.count("Your turn (white, 60 s left, then 600 s of grace): ") == 2
    person = Person(clock=Clock(60, GRACE))
    assert person._time_left(660, 65) == ", 595 s of grace left"
    assert person._time_left(60, 51.5) == ", 8.5 s left"


def test_player_that_fails(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    argv = ("play", "--device", contestant("dies-thinking"), "--save", str(file))
    done = loopline(*argv, stdin="@0/\n@1+\n")
    assert done.returncode == 1
    assert "\nWhite wins after 3 turns, as the opponent stopped answering.\nRed " in done.stdout
    assert records_of(file)[0].ending == Ending(Colour.WHITE, "fault")
