"""Several devices that search together, and what becomes of one that dies."""

from __future__ import annotations

import threading
import time
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from loopline.game import LIMITED, STANDARD, Turn, play_game
from loopline.game.wire import WIN_SCORE, TurnStatus, Verdict
from loopline.host.device import Device, SearchReport, open_device
from loopline.host.device import group as group_module
from loopline.host.device.endpoint import split_devices
from loopline.host.device.group import DeviceGroup, open_devices
from loopline.host.device.limits import SearchLimits, split_limits, with_limits
from loopline.host.errors import DeviceError, DeviceGoneError, DeviceSilentError, UsageError
from loopline.host.matches.pairs import PairTask, _seeded
from loopline.host.matches.plan import is_exclusive
from loopline.host.players.device_player import DevicePlayer
from loopline.host.players.spec import PlayerOpener, check_player
from tests.host.device.cable import Cable, cable
from tests.host.device.games import random_game, turns_of
from tests.host.program import loopline

pytestmark = pytest.mark.xdist_group("host-board")

GAME = turns_of(random_game(STANDARD, 12, 12))
LOST = ["@0+", "A0\\", "A0\\", "B2\\", "@3/"]
"""The side to move wins by force, with the seventh turn."""


class _Group(DeviceGroup):
    """A group that notes its messages."""

    def __init__(self, *devices: Device) -> None:
        super().__init__(devices)
        self.told: list[str] = []
        self.notice = self.told.append


def test_names() -> None:
    assert split_devices("sim,sim") == ["sim", "sim"]
    names = ["engine:table_bits=12,nodes=5", "/dev/a@9600", "port:b", "cmd:run -x,y"]
    assert split_devices(",".join(names)) == names
    with pytest.raises(UsageError, match="names '/dev/a' twice"):
        split_devices("/dev/a,sim,/dev/a")
    for name in ("greedy", "human", "random:3"):
        with pytest.raises(UsageError, match="cannot search together"):
            check_player(f"sim,{name}")
    with pytest.raises(UsageError, match="is not a device"):
        check_player("engine,")
    # Values may be paths, and commands longer than the name of a file can be.
    for name in ("engine:nodes=5,weights=/tmp/w.json", f"cmd:run {'x' * 300}"):
        assert split_devices(name) == [name]
    assert split_devices("engine:weights=a,/dev/b") == ["engine:weights=a", "/dev/b"]
    check_player(f"cmd:run {'x' * 300}")


def test_what_a_group_is_made_of_decides() -> None:
    assert not is_exclusive("engine:lanes=2,sim")
    assert is_exclusive("sim:lanes=2,/dev/ttyUSB0")
    task = PairTask(1, (0, 1), ("engine,engine", "random"), seed=7)
    for spec in ("engine:nodes=9,engine", "engine:lanes=2,/dev/ttyUSB0"):
        assert _seeded(spec, task, 0, 0) == spec
    for spec in ("sim,/dev/ttyUSB0", "engine:nodes=9,/dev/ttyUSB0"):
        with pytest.raises(UsageError, match="can play one colour only"):
            PlayerOpener().open_both(spec, spec)
    white, red = PlayerOpener().open_both("engine,engine", "engine,engine")
    with closing(white), closing(red):
        assert white.name == red.name


def test_limits_stand_behind_the_last_device() -> None:
    assert split_limits("sim,/dev/a:nodes=5") == ("sim,/dev/a", SearchLimits(nodes=5))
    split = split_limits("sim,engine:table_bits=12,time=2")
    assert split == ("sim,engine:table_bits=12", SearchLimits(seconds=2.0))
    assert with_limits("engine:plies=9,sim", nodes=7) == "engine:plies=9,sim:nodes=7"
    assert with_limits("sim,engine:plies=9", nodes=7) == "sim,engine:plies=9,nodes=7"
    assert with_limits("sim,engine:nodes=9", nodes=7) == "sim,engine:nodes=9"
    assert with_limits("sim", nodes=12_345_678) == "sim:nodes=12345678"
    assert with_limits("sim", seconds=2.0, depth=3) == "sim:time=2,depth=3"
    with pytest.raises(UsageError, match="--seed is for the engine"):
        with_limits("engine,engine", seed=3)


def test_the_device_with_the_largest_grid_searches_the_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grids = {"/dev/a": 32, "/dev/b": 64, "/dev/c": 64}

    def opened(name: str, **_: object) -> AbstractContextManager[Mock]:
        device = Mock(identity=SimpleNamespace(grid=grids[name]))
        device.name = name
        return nullcontext(device)

    monkeypatch.setattr(group_module, "open_device", opened)
    assert open_devices("/dev/a,/dev/b,/dev/c").name == "/dev/b,/dev/c,/dev/a"


def test_a_group_searches_all_turns(sim_port: str) -> None:
    with open_device(sim_port) as board, open_device("engine") as engine:
        group = _Group(board, engine)
        assert group.name == f"{board.name},engine"
        assert group.identity == board.identity
        group.new_game(turns=GAME[:10])
        assert group.play(*GAME[10:]).turns == len(group.turns) == 12
        helping: list[Turn] = []

        def report(_found: SearchReport) -> bool:
            """End the search when the engine helps."""
            helping[:] = engine.turns
            return len(helping) == 13

        found = group.search(deadline=time.monotonic() + 60, report=report)
        assert found.turn is not None
        assert play_game(GAME).is_legal(found.turn)
        # The board has searched the position itself.
        assert turns_of(play_game(GAME)) == [str(turn) for turn in board.turns]
        assert len(helping) == 13
        assert tuple(helping[:12]) == board.turns
        # A limit of the depth leaves nothing to look farther ahead for.
        shallow, alone = group.search(depth=1), board.search(depth=1)
        assert (shallow.turn, shallow.score) == (alone.turn, alone.score)
        group.new_game(turns=LOST)
        # It ends with the win.
        won = group.search(deadline=time.monotonic() + 120)
        assert won.score == WIN_SCORE - 7
        group.new_game(LIMITED, ["@0/"])
        assert group.search(nodes=50).turn is not None
        assert group.told == []


OPEN = play_game(["@0/"])


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"depth": 2}, [(1, None)] * len(OPEN.legal_turns())),
        ({"nodes": 250}, [(1, 250), (1, 150), (1, 50)]),
    ],
    ids=["depth", "nodes"],
)
def test_limits_of_a_device_that_helps_and_nodes_of_all(
    limits: dict[str, int], expected: list[tuple[int, int | None]]
) -> None:
    """It searches 100 nodes of each turn, or the nodes that are left to it."""
    asked: list[tuple[int, int | None]] = []
    helped, beyond = threading.Event(), threading.Event()

    def report(nodes: int) -> SearchReport:
        return SearchReport(Verdict.SAFE, 0, 1, nodes, nodes, tuple(OPEN.legal_turns()[:1]))

    def lead(**_: object) -> SearchReport:
        assert helped.wait(60)
        beyond.wait(0.2)
        return report(7)

    def help_out(*, depth: int, nodes: int | None, **_: object) -> SearchReport:
        asked.append((depth, nodes))
        if len(asked) >= len(expected):
            (helped if len(asked) == len(expected) else beyond).set()
        return report(min(100, 100 if nodes is None else nodes))

    first, helper = Mock(search=lead), Mock(search=help_out)
    first.turns = tuple(played.turn for played in OPEN.history)
    helper.new_game.return_value = SimpleNamespace(status=TurnStatus.LEGAL, over=False)
    group = _Group(first, helper)
    group.new_game(turns=first.turns)
    found = group.search(**limits)
    assert asked == expected
    assert found.nodes == 7 + (250 if "nodes" in limits else 100 * len(expected))
    group.close()


@pytest.mark.parametrize("first", [True, False], ids=["first", "other"])
def test_a_device_that_dies_is_left_out(plugged: Cable, sim_port: str, first: bool) -> None:
    with (
        open_device(str(plugged.path), back_within=0) as dying,
        open_device(sim_port) as board,
        open_device("engine") as engine,
    ):
        group = _Group(*([dying, board, engine] if first else [board, engine, dying]))
        group.new_game(turns=GAME)
        pulled = False

        def pull(_found: SearchReport) -> None:
            nonlocal pulled
            if not pulled and (first or dying.turns != ()):
                pulled = True
                plugged.pull()

        found = group.search(deadline=time.monotonic() + 2, report=pull)
        assert pulled
        assert found.turn is not None
        assert play_game(GAME).is_legal(found.turn)
        assert len(group.told) == 1
        assert group.told[0].startswith(f"{plugged.path} is left out: ")
        assert group.name == f"{board.name},engine"
        # The others go on, in the same game.
        assert group.play(found.turn).turns == 13
        assert group.search(nodes=100).turn is not None
        assert len(group.told) == 1


def test_a_device_in_which_the_game_does_not_fit_does_not_take_it_over() -> None:
    def dies(**_: object) -> None:
        raise DeviceGoneError("the first has gone away")

    found = SearchReport(Verdict.SAFE, 0, 1, 1, 1, (OPEN.legal_turns()[0],))
    first, small, large = Mock(search=dies), Mock(), Mock(search=lambda **_: found)
    for device in (first, small, large):
        device.turns = tuple(played.turn for played in OPEN.history)
        device.new_game.return_value = SimpleNamespace(status=TurnStatus.LEGAL, over=False)
    small.name = "small"
    small.new_game.return_value = SimpleNamespace(status=TurnStatus.BOUNDS, over=False)
    group = _Group(first, small, large)
    group.new_game(turns=first.turns)
    assert group.search(nodes=1).turn == found.turn
    assert group.told[1] == "small is left out: small: the game does not fit into it"
    small.search.assert_not_called()
    group.close()


def test_a_device_that_does_not_stop_is_not_waited_for() -> None:
    released, begun = threading.Event(), threading.Event()

    def search(**_: object) -> None:
        begun.set()
        released.wait(60)
        raise DeviceSilentError("stuck is silent")

    stuck = Mock(search=search)
    stuck.name = "stuck"
    stuck.new_game.return_value = SimpleNamespace(status=TurnStatus.LEGAL, over=False)
    with open_device("engine") as first:
        group = _Group(first, stuck)
        group.new_game(turns=GAME)
        for _ in range(2):
            assert group.search(deadline=time.monotonic() + 0.5).turn is not None
            assert begun.is_set()
            assert group.name == "engine,stuck"
        assert stuck.new_game.call_count == 1
        released.set()
        group.close()
        assert group.told == ["stuck is left out: stuck is silent"]


def test_a_device_that_does_not_stop_is_closed() -> None:
    closed, begun = threading.Event(), threading.Event()

    def search(**_: object) -> None:
        begun.set()
        closed.wait(60)
        raise DeviceGoneError("stuck is closed")

    stuck = Mock(search=search, close=closed.set)
    stuck.new_game.return_value = SimpleNamespace(status=TurnStatus.LEGAL, over=False)
    with open_device("engine") as first:
        group = _Group(first, stuck)
        group.new_game(turns=GAME)
        assert group.search(deadline=time.monotonic() + 0.5).turn is not None
        assert begun.is_set()
        group.close()
        assert closed.is_set()
        assert group.told == []


def test_a_group_is_closed_in_the_middle_of_a_search() -> None:
    """No device goes on, nor does the thread that waits for them."""
    group = open_devices("engine,engine")
    group.new_game(turns=GAME)
    begun = threading.Event()

    def search() -> None:
        with suppress(DeviceError):
            group.search(depth=60, report=lambda _found: begun.set())

    thread = threading.Thread(target=search, daemon=True)
    thread.start()
    assert begun.wait(60)
    end = threading.Thread(target=group.close, daemon=True)
    end.start()
    for each in (end, thread):
        each.join(30)
        assert not each.is_alive()
    group.close()


def test_the_error_of_the_last_device(plugged: Cable, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with (
        cable(tmp_path / "other") as other,
        open_device(str(plugged.path), back_within=0) as first,
        open_device(str(other.path), back_within=0) as last,
    ):
        group = _Group(first, last)
        group.new_game(turns=GAME)
        plugged.pull()
        other.pull()
        with pytest.raises(DeviceError):
            group.search(nodes=100)
        assert len(group.told) == 1
        with pytest.raises(DeviceError):
            group.new_game()


def test_stop_and_exceptions_end_all(sim_port: str) -> None:
    def fail(_found: SearchReport) -> None:
        raise ZeroDivisionError

    with open_device("engine") as first, open_device(sim_port) as other:
        group = _Group(first, other)
        group.new_game(turns=GAME)
        with pytest.raises(ZeroDivisionError):
            group.search(depth=60, report=fail)
        found = group.search(depth=60, report=lambda _found: group.stop())
        assert found.turn is not None
        for device in (first, other):
            assert device.identify() == device.identity


def test_none_is_left_open(plugged: Cable) -> None:
    with pytest.raises(DeviceGoneError):
        open_devices(f"{plugged.path},/nowhere/at/all")
    with closing(open_devices(f"{plugged.path},engine")) as group:
        assert isinstance(group, DeviceGroup)


def test_a_group_plays() -> None:
    told: list[str] = []
    opener = PlayerOpener(notice=told.append)
    with closing(opener.open("engine,engine:nodes=300")) as player:
        assert isinstance(player, DevicePlayer)
        position = play_game(GAME)
        player.start(position.to_move, STANDARD, GAME)
        for _ in range(2):
            turn: Turn = player.choose(position)
            position.play(turn)
            reply = position.legal_turns()[0]
            position.play(reply)
            player.hear(reply)
    assert told == []


@pytest.mark.parametrize(
    ("words", "given", "expected"),
    [
        (["analyse", "-", "--nodes", "200"], "@0+ A0\\\n", "A0+"),
        (["ugi"], "position startpos moves @0+ A0\\\ngo nodes 200\nquit\n", "bestmove "),
    ],
    ids=["analyse", "ugi"],
)
def test_commands(words: list[str], given: str, expected: str) -> None:

    done = loopline(*words, "--device", "engine,engine", stdin=given)
    assert (done.returncode, done.stderr) == (0, "")
    assert expected in done.stdout
