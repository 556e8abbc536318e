import re
from contextlib import closing
from pathlib import Path

import pytest

from loopline.game import LIMITED, STANDARD, Colour, parse_turn
from loopline.hdl.search.config import MOST_LANES
from loopline.host.cli.options.players import opener
from loopline.host.clock import CONTEST, GRACE, UNTIMED, Clock
from loopline.host.contest.link import _PROBE_SECONDS
from loopline.host.device import open_device
from loopline.host.device.limits import SearchLimits
from loopline.host.errors import DeviceError, UsageError
from loopline.host.players.person import Person
from loopline.host.players.software import GreedyPlayer, RandomPlayer
from loopline.host.players.spec import PLAYER_HELP, PLAYER_TABLE, PlayerOpener
from loopline.host.referee.referee import TURN_LIMIT, play_game
from loopline.host.transport.engine import thinking_seconds
from loopline.host.transport.line_spec import Endpoint, plan_endpoint
from loopline.host.transport.process_line import ProcessLine
from loopline.host.transport.serial_line import DEFAULT_BAUD, SerialLine
from loopline.host.transport.simulated import (
    BOARD_OPTIONS,
    LONGEST_THINKING_MS,
    SLOW_SECONDS,
    SimulatedLine,
    board_arguments,
)
from loopline.host.transport.tcp_line import TcpCall, TcpListener
from loopline.sim.__main__ import _parser
from tests.host.leftovers import nothing_left
from tests.host.puppet import puppet

IN_TIME = ("--pace", "wall", "--think-ms", "800")

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "referee.md"


@pytest.mark.parametrize(
    ("spec", "kind", "name"),
    [
        ("random", RandomPlayer, "random"),
        ("random:7", RandomPlayer, "random:7"),
        ("greedy:1", GreedyPlayer, "greedy:1"),
        ("human", Person, "Human"),
    ],
)
def test_players_without_a_line(spec: str, kind: type, name: str) -> None:
    with closing(PlayerOpener().open(spec)) as player:
        assert type(player) is kind
        assert player.name == name


@pytest.mark.parametrize("spec", ["random:", "random:x", "greedy:-1", "greedy:²"])
def test_seeds_that_are_none(spec: str) -> None:
    kind = spec.partition(":")[0]
    with pytest.raises(UsageError, match=rf"': a seed is a number, as in {kind}:1$"):
        PlayerOpener().open(spec)


def test_ways() -> None:
    with puppet() as held, nothing_left():
        specs: dict[str, type] = {
            held.path: SerialLine,
            f"port:{held.path}@19200": SerialLine,
            "cmd:cat": ProcessLine,
            "tcp:localhost:5000": TcpCall,
            "tcp:[::1]:5000": TcpCall,
            "tcp-listen:0": TcpListener,
            "tcp-listen:127.0.0.1:0": TcpListener,
            "sim": SimulatedLine,
            "sim:lanes=2": SimulatedLine,
        }
        for spec, kind in specs.items():
            endpoint = plan_endpoint(spec)()
            with closing(endpoint.transport):
                assert type(endpoint.transport) is kind
                assert endpoint.ours == (kind is SimulatedLine)


def test_rates() -> None:
    with puppet() as held:
        for spec, rate in (held.path, DEFAULT_BAUD), (f"{held.path}@19200", 19200):
            with closing(plan_endpoint(spec)().transport) as line:
                assert line.remark() == f"its rate here is {rate} baud"


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("", "'' is not a device: use sim, PORT"),
        ("port:", "'' is not a device: use sim, PORT"),
        ("port:x@y", "'x@y' is not a device"),
        ("sim:", "'sim:': '' sets nothing: use NAME=VALUE"),
        ("sim:lanes", "'lanes' sets nothing: use NAME=VALUE"),
        ("sim:lane=2", "'lane' cannot be set: use one of lanes, grid, clock, evaluator, ponder"),
        ("tcp:", "'tcp:' names no address: use tcp:HOST:PORT, with a port up to 65535"),
        ("tcp:5000", "'tcp:5000' names no address: use tcp:HOST:PORT"),
        ("tcp:host:65536", "with a port up to 65535"),
        ("tcp-listen:x", "use tcp-listen:PORT or tcp-listen:HOST:PORT, with a port up to 65535"),
    ],
)
def test_ways_to_nowhere(spec: str, error: str) -> None:
    with pytest.raises(UsageError, match=re.escape(error)):
        plan_endpoint(spec)


@pytest.mark.parametrize(
    ("opener", "spec", "arguments"),
    [
        (PlayerOpener(), "sim", ()),
        (PlayerOpener(clock=CONTEST), "sim", IN_TIME),
        (PlayerOpener(clock=Clock(0.001)), "sim", ("--pace", "wall", "--think-ms", "1")),
        (PlayerOpener(clock=Clock(SLOW_SECONDS)), "sim", ()),
        (PlayerOpener(clock=Clock(SLOW_SECONDS)), "sim:lanes=2", IN_TIME),
        (PlayerOpener(clock=Clock(2 * SLOW_SECONDS)), "sim:lanes=2,ponder=on", ()),
        (PlayerOpener(clock=Clock(2 * SLOW_SECONDS)), "sim:lanes=2,clock=24000000", IN_TIME),
        (PlayerOpener(clock=Clock(SLOW_SECONDS)), "sim:lanes=two", ()),
        (PlayerOpener(clock=Clock(0.25, GRACE)), "sim", ("--pace", "wall", "--think-ms", "200")),
        (PlayerOpener(variant=LIMITED, clock=UNTIMED), "sim", ("--variant", "limited")),
        (PlayerOpener(watched=True), "sim", IN_TIME),
        (PlayerOpener(watched=True, clock=Clock(SLOW_SECONDS)), "sim", ()),
    ],
)
def test_simulated_board_is_told_its_variant_and_time(
    opener: PlayerOpener, spec: str, arguments: tuple[str, ...]
) -> None:
    assert opener._sim_arguments(spec) == arguments


def test_without_a_clock_a_board_that_takes_longer_has_longer() -> None:
    assert plan_endpoint("sim")().timeout == plan_endpoint("sim:clock=1000000")().timeout == 120
    assert plan_endpoint("sim:lanes=8")().timeout == 8 * 120


def test_someone_who_watches_does_not_wait_for_the_simulated_boards_clock() -> None:
    watching = opener(STANDARD, UNTIMED, "sim", frames=True)
    none = SearchLimits()
    assert watching._limited(none, simulated=True) == SearchLimits(seconds=0.8)
    assert watching._limited(SearchLimits(nodes=9), simulated=True) == SearchLimits(nodes=9)
    assert watching._limited(none, simulated=False) == none
    assert PlayerOpener(frames=True)._limited(none, simulated=True) == none
    limits = opener(STANDARD, CONTEST, "sim", frames=True)._limited(none, simulated=True)
    assert limits == SearchLimits(seconds=thinking_seconds(CONTEST))


def test_a_spec_sets_options_of_the_simulated_board() -> None:
    assert board_arguments("sim") == ()
    assert board_arguments("sim:lanes=2,ponder=on") == ("--lanes", "2", "--ponder", "on")
    known = vars(_parser().parse_args([]))
    assert {*BOARD_OPTIONS} <= {*known}
    begun = PlayerOpener(variant=LIMITED)._plan("sim:lanes=2,ponder=on")()
    assert isinstance(begun, Endpoint)
    assert isinstance(begun.transport, SimulatedLine)
    words = ("--lanes", "2", "--ponder", "on", "--variant", "limited")
    assert begun.transport._arguments == words


@pytest.mark.parametrize(
    ("spec", "accepted"),
    [
        ("sim:lanes=99", f"'99' is not a whole number from 1 to {MOST_LANES}"),
        ("sim:ponder=2", "choose from '?off'?, '?on'?"),
    ],
)
def test_the_board_says_what_a_value_may_be(
    spec: str, accepted: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with nothing_left(), pytest.raises(DeviceError, match="it ended with status 2"):
        PlayerOpener().open(spec)
    assert re.search(accepted, " ".join(capfd.readouterr().err.split()))


@pytest.mark.slow
def test_a_board_with_two_lanes_plays() -> None:
    """By frames it finds what the engine with as many finds, and by contest lines it wins."""
    turns = [parse_turn(each) for each in ("@0/", "B1+")]
    with open_device("sim:lanes=2,ponder=on") as board, open_device("engine:lanes=2") as engine:
        assert board.identity.lanes == engine.identity.lanes == 2
        found = []
        for device in board, engine:
            device.new_game(turns=turns)
            found.append(device.search(nodes=300))
        assert found[0].turn == found[1].turn
        assert (found[0].score, found[0].nodes) == (found[1].score, found[1].nodes)
    # It thinks for a tenth of the contest's time, and has as much as it needs.
    white, red = PlayerOpener(clock=Clock(0.1)).open_both("sim:lanes=2,ponder=on", "random:1")
    with closing(white), closing(red):
        ending = play_game(white, red, clock=UNTIMED).ending
    assert (ending.winner, ending.on_the_board) == (Colour.WHITE, True)


def test_both_or_none() -> None:
    opener = PlayerOpener(wait=0.1)
    with nothing_left(), pytest.raises(DeviceError) as caught:
        opener.open_both("tcp-listen:0", "cmd:cat /no/file")
    assert re.fullmatch(
        r"white: no player has called tcp-listen:127.0.0.1:\d+ within 0.1 s; "
        r"red: cat /no/file has ended with status 1; its standard error ends with '.*'",
        str(caught.value),
    )
    with nothing_left(), pytest.raises(DeviceError, match=r"^red: cannot run /no/player: No such"):
        opener.open_both("cmd:cat", "cmd:/no/player")
    with nothing_left(), pytest.raises(UsageError, match=r"^'x@y' is not a device"):
        opener.open_both("cmd:cat", "x@y")


@pytest.mark.parametrize("spec", ["radnom", "radnom:1", "simulator", "http://localhost:80"])
def test_words_that_name_no_player(spec: str) -> None:
    with pytest.raises(UsageError, match=rf"^'{spec}' is not a player: use sim, PORT or PORT@BAUD"):
        PlayerOpener().open(spec)


@pytest.mark.parametrize("spec", ["/dev/ttyUSB0", "port:/dev/ttyUSB0", "tcp-listen:5000"])
def test_one_device_plays_one_colour(spec: str) -> None:
    with pytest.raises(UsageError, match=r" can play one colour only$"):
        PlayerOpener().open_both(spec, spec)


def test_help_and_document_name_every_kind() -> None:
    kinds = "sim engine PORT port: cmd: tcp: tcp-listen: human random greedy".split()
    document = DOCUMENT.read_text(encoding="utf-8")
    table = document.partition("## Players")[2].partition("\n## ")[0]
    for kind in kinds:
        assert kind in PLAYER_HELP
        assert kind in PLAYER_TABLE
        assert f"`{kind}" in table


def test_document_states_the_limits_as_they_are() -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert f"after {TURN_LIMIT} turns" in text
    assert f"by {GRACE / 60:g} minutes at most" in text
    assert f"does not answer within {_PROBE_SECONDS:g} s" in text
    assert f"has {plan_endpoint('tcp:localhost:1')().greeting_timeout:g} s for the answer" in text
    assert f"`--clock {SLOW_SECONDS:g}` or more" in text
    assert f"at most {LONGEST_THINKING_MS} ms" in text
    minutes = plan_endpoint("tcp:localhost:1")().timeout / 60
    assert f"a program or a TCP player {minutes:g} minutes" in text
