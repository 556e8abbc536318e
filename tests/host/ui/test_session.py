"""Games in a thread of their own, without an interface."""

from __future__ import annotations

import queue
from contextlib import closing

import pytest

from loopline.game import parse_turn, read_records
from loopline.host.contest import link
from loopline.host.players.spec import PlayerOpener
from loopline.host.records.record_file import RecordFile
from loopline.host.ui.opponent import Opponent
from loopline.host.ui.session import Asked, Ended, Failed, Made, Noted, Session, TakenBack
from loopline.host.ui.take_back import kept_turns
from tests.host.contestant import contestant
from tests.host.leftovers import nothing_left

TIMEOUT = 60


@pytest.fixture
def events():
    return queue.Queue()


def take_until(session, events, kind):
    """Let the session take its events up to one of this kind, and return that."""
    while True:
        event = events.get(timeout=TIMEOUT)
        if session.take(event) and isinstance(event, kind):
            return event
        assert not isinstance(event, Failed), event.text


def begun(events, spec, *turns, **options):
    """A session of a person with White against a program; the person is to move."""
    opponent = Opponent(spec, PlayerOpener(code=False))
    session = Session(("Ann", opponent), tell=events.put, **options)
    session.begin([parse_turn(turn) for turn in turns])
    take_until(session, events, Asked)
    return session


def play_on(session, events):
    """A turn of the person, and the program's reply to it."""
    session.play(session.position.legal_turns()[0])
    take_until(session, events, Made)
    take_until(session, events, Asked)


def test_a_program_that_cannot_take_back_says_so_and_plays_on(events, monkeypatch):
    monkeypatch.setattr(link, "_PROBE_SECONDS", 0.3)
    with nothing_left(), closing(begun(events, contestant())) as session:
        play_on(session, events)
        play_on(session, events)
        assert session.undo() == ""
        noted = take_until(session, events, Noted)
        assert noted.text.endswith("cannot take turns back")
        assert session.asked
        assert session.position.turns == 4


def test_any_program_begins_again_on_the_empty_board(events):
    with nothing_left(), closing(begun(events, contestant())) as session:
        play_on(session, events)
        assert session.undo() == ""
        take_until(session, events, Asked)
        assert session.position.turns == 0


def test_a_game_that_cannot_go_on_from_an_earlier_turn_stays_as_it_was(events, monkeypatch):
    monkeypatch.setattr(link, "_PROBE_SECONDS", 0.3)
    with nothing_left(), closing(begun(events, contestant())) as session:
        play_on(session, events)
        play_on(session, events)
        session.resign()
        ended = take_until(session, events, Ended)
        assert session.undo() == ""
        while not session.failed:
            session.take(events.get(timeout=TIMEOUT))
        assert "cannot begin after an opening" in session.explanation
        assert (session.position.turns, session.ending) == (4, ended.played.ending)


def test_turns_are_taken_back_when_the_programs_agree(events):
    turns = ("@0/", "B1+", "B2\\", "@1/")
    with nothing_left(), closing(begun(events, "greedy:1", *turns)) as session:
        assert session.undo() == ""
        assert take_until(session, events, TakenBack).kept == 2
        take_until(session, events, Asked)
        assert session.position.turns == 2


def test_games_are_kept_when_they_are_left(events, tmp_path):
    file = RecordFile(tmp_path / "games.txt")
    session = begun(events, "greedy:1", "@0/", "B1+", file=file)
    with closing(session):
        session.resign()
        assert take_until(session, events, Ended).played.ending.reason == "resignation"
        session.rematch()
        assert session.name(0) == "greedy:1"
        take_until(session, events, Asked)
        session.new_game("Ann", "Bob")
        take_until(session, events, Asked)
        assert not session.keep()
    records = list(read_records(file.path.read_text().splitlines()))
    assert [len(record.turns) for record in records] == [2, 1]
    assert records[0].ending.reason == "resignation"


def test_each_game_is_saved_to_a_file_of_its_own(events, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with closing(begun(events, "greedy:1", "@0/", "B1+")) as session:
        assert session.save() == session.save()
        session.rematch()
        take_until(session, events, Asked)
        session.save()
        session.new_game("Ann", "Bob")
        take_until(session, events, Asked)
        session.save()
    saved = [read_records(file.read_text().splitlines()) for file in sorted(tmp_path.iterdir())]
    assert [[len(record.turns) for record in records] for records in saved] == [[2], [1], [0]]


def test_events_of_a_game_that_was_left_are_not_taken(events):
    with closing(begun(events, "greedy:1")) as session:
        session.play(parse_turn("@0/"))
        late = take_until(session, events, Made)
        session.begin()
        assert not session.take(late)
        assert session.position.turns == 0


@pytest.mark.parametrize(
    ("people", "most", "kept"),
    [
        ((True, False), 3, 2),
        ((True, False), 0, 0),
        ((False, True), 0, None),
        ((False, True), 4, 3),
        ((True, True), 4, 4),
        ((True, True), -1, None),
    ],
)
def test_how_many_turns_stay(people, most, kept):
    assert kept_turns(people, most) == kept
