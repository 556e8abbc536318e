"""Games on the screen, with keys and mouse, as a person plays them."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from loopline.game import Colour, Ending, Shape, parse_turn, read_records
from loopline.host.clock import Clock
from loopline.host.device.limits import SearchLimits
from loopline.host.errors import DeviceError, DeviceGoneError, DeviceTalkError
from loopline.host.players.device_player import DevicePlayer
from loopline.host.records.record_file import RecordFile
from loopline.host.ui.adviser import Advice
from loopline.host.ui.screen import app as app_module
from loopline.host.ui.screen.dialogs import NewGame
from tests.host.positions import position_after
from tests.host.scripted import Scripted
from tests.host.ui.fake_device import FakeDevice
from tests.host.ui.screens import (
    Slow,
    coloured,
    lines,
    message,
    on_shelf,
    program,
    screen,
    text,
    until,
    until_asked,
)

ROOT = Path(__file__).parents[3]
ATTACK = "@0/ A0+ A3/ @2\\ C2+ @2+ E3\\ @2+ D0\\ G4\\"
"""White wins with A2/, which forces four tiles."""

LONG = "@0/ A2+ B2\\ C2/ A0+ B4\\ @2+ A3/ E3/ @4\\ G3/ @3/ D0+ B6+ F3+ F2/ A7/ F0/"

KEYS = {Shape.CROSS: "plus", Shape.SLASH: "slash", Shape.BACKSLASH: "backslash"}


async def choose(app, pilot, turn):
    """Choose a turn with keys."""
    space = app.session.position.locate(turn)
    for _ in app.session.position.frontier():
        if app._choice.space != space:
            await pilot.press("tab")
    await pilot.press(KEYS[turn.shape])
    assert app._choice.turn == turn


def test_a_whole_game_with_keys(tmp_path):
    async def play():
        chance, file = random.Random(6), RecordFile(tmp_path / "games.txt")
        async with screen("Ann", program("random:1"), file=file) as (app, pilot):
            session = app.session
            while True:
                await until_asked(pilot, app)
                if session.ending:
                    break
                await choose(app, pilot, chance.choice(session.position.legal_turns()))
                await pilot.press("enter")
            assert session.ending == Ending(Colour.WHITE, "loop")
            assert message(app) == (
                "White wins by a loop after 13 turns. u goes on, m is a rematch, n a new game."
            )
            assert "█" in text(app)
            await pilot.press("enter")
            assert message(app).startswith("White wins by a loop")
            await pilot.press("m")
            await until(pilot, lambda: session.asked)
            assert session.people == (False, True)
            assert lines(app)[0] == " Trax: random:1 (white), Ann (red)"
            await pilot.press("q")
        first, *rest = read_records((tmp_path / "games.txt").read_text().splitlines())
        assert rest == []
        turns = "@0+ @1\\ C1+ C2+ D2/ A0/ C1+ B3/ @1\\ A2/ @1+ F1+ B0/"
        assert [str(turn) for turn in first.turns] == turns.split()
        assert (first.tags["White"], first.tags["Red"]) == ("Ann", "random:1")

    asyncio.run(play())


def test_the_game_is_kept_before_programs_are_ended(monkeypatch, capsys):
    """Their end takes time, in which another signal may come."""

    class Interrupted:
        def __init__(self, *_):
            pass

        def run(self):
            pass

        def close(self):
            raise KeyboardInterrupt

    kept = []
    monkeypatch.setattr(app_module, "GameScreen", Interrupted)
    session = SimpleNamespace(
        position=position_after("@0/ B1+"),
        file=SimpleNamespace(path="g.txt"),
        keep=lambda: kept.append(True) or True,
    )
    with pytest.raises(KeyboardInterrupt):
        app_module.play_on_screen(session, None)
    assert kept == [True]
    assert capsys.readouterr().out == "The game: @0/ B1+\ng.txt holds its record\n"


def test_the_picture_in_the_document_is_what_the_screen_shows():
    async def play():
        async with screen("Human", program("greedy:1"), ATTACK) as (app, pilot):
            await until_asked(pilot, app)
            await choose(app, pilot, parse_turn("A2/"))
            await pilot.pause()
            assert f"```text\n{text(app)}```\n" in (ROOT / "docs" / "play.md").read_text()

    asyncio.run(play())


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_a_larger_screen_with_threats(no_colour, monkeypatch):
    monkeypatch.setenv("NO_COLOR", no_colour)

    async def play():
        sides = ("Human", program("greedy:1"))
        async with screen(*sides, ATTACK, size=(120, 40)) as (app, pilot):
            await until_asked(pilot, app)
            await pilot.press("t")
            await until(pilot, lambda: app._threats)
            await pilot.pause()
            golden = Path(__file__).with_name("threats.txt").read_text(encoding="utf-8")
            assert text(app) == golden
            assert coloured(app) == (not no_colour)
            await pilot.press("t")
            await pilot.pause()
            assert "attacks" not in text(app)
            assert " W " not in text(app)

    asyncio.run(play())


def test_a_board_that_is_larger_than_the_window_scrolls():
    async def play():
        turns = "@0+ B1+ C1+ D1+ E1+ F1+ G1+" + " @1\\ @1/" * 2
        async with screen("Ann", "Bob", turns, size=(80, 24)) as (app, pilot):
            await until_asked(pilot, app)
            names = [lines(app)[1]]
            board = app.query_one("#board")
            for key, step in (("right", 1), ("left", -1)):
                reached = board.scroll_offset.x
                for _ in range(12):
                    await pilot.press(key)
                await pilot.pause()
                assert (board.scroll_offset.x - reached) * step > 0
                names.append(lines(app)[1])
                left, _ = board._drawing.place_of(app._choice.space)
                assert 0 <= left - board.scroll_offset.x < board.size.width
            assert len(set(names)) > 1
            await pilot.resize_terminal(60, 15)
            assert lines(app)[0].startswith(" Trax: Ann")
            assert "▛" in text(app)

    asyncio.run(play())


def test_the_mouse_chooses_and_plays():
    async def play():
        async with screen("Ann", "Bob") as (app, pilot):
            await until_asked(pilot, app)
            at = next((y, line.index("·")) for y, line in enumerate(lines(app)) if "·" in line)
            for wanted in ("@0+", "@0/", "@0+"):
                assert await pilot.click(offset=(at[1], at[0]))
                assert str(app._choice.turn) == wanted
            row = lines(app)[-1]
            assert await pilot.click(offset=(row.index("Play"), 23))
            await until(pilot, lambda: app.session.position.turns and app.session.asked)
            assert message(app).endswith(
                "Bob, your turn (red): choose a space, Enter plays, ? is help."
            )
            # A tile is no space to play, and neither are the names.
            for offset in ((at[1], at[0]), (at[1], 1), (1, at[0])):
                await pilot.click(offset=offset)
                assert app._choice.turn is None

    asyncio.run(play())


def test_undo_and_resignation():
    async def play():
        async with screen("Ann", program("random:1"), "@0/ @1\\ B2/ C1+") as (app, pilot):
            session = app.session
            await until_asked(pilot, app)
            await pilot.press("m")
            assert message(app) == "The game is not over: r resigns, n begins a new game."
            await pilot.press("u")
            await until(pilot, lambda: session.asked and session.position.turns == 2)
            await pilot.press("u", "u")
            await until(pilot, lambda: session.asked and session.position.turns == 0)
            await pilot.press("u")
            assert message(app) == "There is no turn of yours to take back."
            await pilot.press("space", "r")
            await until(pilot, lambda: session.ending)
            said = "Red wins by resignation after 0 turns. White resigns at turn 1. u goes on"
            assert message(app).startswith(said)
            await pilot.press("u")
            await until(pilot, lambda: session.asked)
            assert session.ending is None

    asyncio.run(play())


def test_a_slow_program_does_not_stop_the_person():
    async def play():
        slow, next_one = Slow(), Slow()
        async with screen("Ann", on_shelf(slow, next_one)) as (app, pilot):
            session = app.session
            await until_asked(pilot, app)
            await pilot.press("space", "enter")
            await until(pilot, slow.thinks.is_set)
            assert message(app) == "Turn 1: white plays @0+ (now at A1)."
            assert "red   0:00, thinks" in text(app)
            for key in ("enter", "r", "h"):
                await pilot.press(key)
                assert message(app).startswith("It is not your turn")
            await pilot.press("u")
            assert session.position.turns == 0
            await until(pilot, lambda: session.asked)
            assert slow.closed
            await pilot.press("space", "enter")
            await until(pilot, next_one.thinks.is_set)
            next_one.tell("A0+")
            await until(pilot, lambda: session.asked)
            assert session.position.turns == 2
            await pilot.press("space", "enter")
            await until(pilot, next_one.thinks.is_set)
            begun = time.monotonic()
        assert next_one.closed
        assert time.monotonic() - begun < 30

    asyncio.run(play())


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DeviceGoneError("it has ended with status 3"), "it has ended with status 3."),
        (DeviceTalkError("it answers 'no'"), "it answers 'no'; "),
    ],
)
def test_a_program_that_fails_leaves_a_message_and_a_way_on(error, said):
    async def play():
        failing, other = Scripted([error]), Scripted("A0+")
        async with screen("Ann", on_shelf(failing, DeviceGoneError("no"), other)) as (app, pilot):
            session = app.session
            await until_asked(pilot, app)
            await pilot.press("space", "enter")
            await until(pilot, lambda: session.ending)
            assert session.failed
            shown = message(app)
            assert f"Red loses at turn 2: {said}" in shown
            assert shown.endswith("u goes on, m is a rematch, n a new game.")
            await pilot.press("u")  # it cannot be opened again, the first time
            await until(pilot, lambda: message(app) == "No. n begins a new game.")
            await pilot.press("n")
            await pilot.pause()
            await pilot.press("w")
            await until(pilot, lambda: session.asked)
            assert not session.failed
            await pilot.press("space", "enter")
            await until(pilot, lambda: session.position.turns == 2)

    asyncio.run(play())


def test_a_program_whose_name_looks_like_markup_is_offered_by_it():
    async def play():
        async with screen("Ann", program("random:1")) as (app, pilot):
            await until_asked(pilot, app)
            app.push_screen(NewGame("cmd:./p [/b]"))
            await until(pilot, lambda: isinstance(app.screen, NewGame))
            await pilot.pause()
            assert "the same: cmd:./p [/b]" in text(app)

    asyncio.run(play())


def test_a_new_game_at_another_level():
    async def play():
        opened = []

        def find(spec):
            opened.append(spec)
            return on_shelf(DeviceError("not here")) if "engine" in spec else program("greedy:1")

        async with screen("Ann", program("random:1"), find=find) as (app, pilot):
            session = app.session
            await until_asked(pilot, app)
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, NewGame))
            await pilot.press("escape")
            await until(pilot, lambda: not isinstance(app.screen, NewGame))
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, NewGame))
            await pilot.press("down", "down", "r")
            await until(pilot, lambda: session.position.turns == 1 and session.asked)
            assert lines(app)[0] == " Trax: greedy:1 (white), Ann (red)"
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, NewGame))
            await pilot.press("down", "down", "down", "enter")
            await until(pilot, lambda: session.failed)
            assert message(app) == "Not here. n begins a new game."
            assert opened == ["greedy", "engine:nodes=100"]
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, NewGame))
            await pilot.press("up", "w")
            await until(pilot, lambda: session.asked)
            assert session.people == (True, True)

    asyncio.run(play())


def test_a_person_keeps_the_name_in_whatever_colour():
    async def play():
        async with screen("Human", "Ann") as (app, pilot):
            await until_asked(pilot, app)
            for key, sides in ("r", ("Human", "Ann")), ("w", ("Ann", "Human")):
                await pilot.press("n")
                await until(pilot, lambda: isinstance(app.screen, NewGame))
                await pilot.press(key)
                await until(pilot, lambda: app.session.asked)
                assert app.session.sides == sides

    asyncio.run(play())


def test_the_clock():
    async def play():
        clock = Clock(0.3, 600.0)
        async with screen("Ann", program("random:1"), clock=clock) as (app, pilot):
            await until_asked(pilot, app)
            assert "white 0:00, 0.3 s left," in " ".join(text(app).split())
        async with screen("Ann", program("random:1"), clock=Clock(0.05)) as (app, pilot):
            await until(pilot, lambda: app.session.ending)
            assert "White loses at turn 1: no turn was made within 0.05 s." in message(app)
            assert not app.session.failed

    asyncio.run(play())


def test_the_evaluation_of_a_device_that_gives_one():
    async def play():
        player = DevicePlayer(FakeDevice("A0+", score=35, depth=4), SearchLimits())
        async with screen("Ann", on_shelf(player)) as (app, pilot):
            await until_asked(pilot, app)
            assert "Evaluation" not in text(app)
            await pilot.press("plus", "enter")
            await until(pilot, lambda: app.session.position.turns == 2 and app.session.asked)
            assert "red +35, 4 ahead: A0+" in text(app)

    asyncio.run(play())


def test_few_turns_leave_their_room_to_what_is_said():
    """Many take a quarter of the height, and the last ones are seen."""

    async def play():
        player = DevicePlayer(FakeDevice("A0+", score=35, depth=4), SearchLimits())
        async with screen("Ann", on_shelf(player)) as (app, pilot):
            await until_asked(pilot, app)
            await pilot.press("plus", "enter")
            await until(pilot, lambda: app.session.position.turns == 2 and app.session.asked)
            await pilot.press("t", "space")
            await until(pilot, lambda: app._threats)
            await pilot.pause()
            sections = app.query_one("#sections")
            assert sections.max_scroll_y == 0
            seen = text(app)
            assert "One of " in seen
            assert "Neither player has a threat." in seen
            assert seen.index("threat.") < seen.index("Turns") < seen.index("1. @0+     A0+")
        async with screen("Ann", program("random:1"), LONG) as (app, pilot):
            await until_asked(pilot, app)
            await pilot.press("t", "space")
            await until(pilot, lambda: app._threats)
            await pilot.pause()
            assert app.query_one("#sections").max_scroll_y > 0
            assert app.query_one("#turns").size.height == 4
            assert " 17. A7/     F0/" in text(app)

    asyncio.run(play())


def test_a_hint_chooses_the_turn(monkeypatch):
    async def play():
        async with screen("Ann", program("random:1"), ATTACK) as (app, pilot):
            await until_asked(pilot, app)
            advice = Advice("The engine proposes A2/.", parse_turn("A2/"))
            monkeypatch.setattr(app._adviser, "advise", lambda _position: advice)
            await pilot.press("h")
            await until(pilot, lambda: message(app) == advice.text)
            assert app._choice.turn == advice.turn

    asyncio.run(play())


def test_help_and_save(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def play():
        async with screen("Ann", "Bob", "@0/") as (app, pilot):
            await until_asked(pilot, app)
            await pilot.press("?")
            await until(pilot, lambda: "You win with a loop" in text(app))
            await pilot.press("escape", "s")
            await until(pilot, lambda: message(app) == "game-1.txt holds the game so far.")
            (record,) = read_records(Path("game-1.txt").read_text().splitlines())
            assert (str(record.turns[0]), record.tags["Red"]) == ("@0/", "Bob")

    asyncio.run(play())
