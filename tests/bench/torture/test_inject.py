"""Flip-flops that change by themselves: the whole design comes back from a share of them."""

import json
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from loopline.bench.torture import inject
from loopline.bench.torture.fuzz.check import RATE
from loopline.bench.torture.fuzz.fuzz import CONFIG, make_board
from loopline.bench.torture.inject import MOMENTS, Flip, Injector, flips_of, main
from loopline.sim.board.board import player_rtlil
from loopline.sim.probe.pins import FuzzBoard

pytestmark = pytest.mark.xdist_group("fuzzed")  # Compiled once.


@pytest.fixture(scope="module")
def board() -> Iterator[FuzzBoard]:
    with make_board() as found:
        yield found


@pytest.fixture(scope="module")
def injector(board: FuzzBoard) -> Injector:
    return Injector(board)


def test_a_share_of_all_flip_flops_and_codes(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--flips", "600", "--share", "1/64", "--seed", "3", "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert set(report["moments"]) == set(MOMENTS)
    assert report["flip_flops"] > 1500
    for moment in report["moments"].values():
        assert moment["changes"] > 0
        assert moment["failures"] == []


def test_what_was_found_before_an_interruption_is_printed(
    capfd: pytest.CaptureFixture[str], interrupt: Callable[[ModuleType], None]
) -> None:
    interrupt(inject)
    assert main(["--flips", "10", "--json"]) == 130
    moments = json.loads(capfd.readouterr().out)["moments"].values()
    assert sum(moment["changes"] for moment in moments) == 1


@pytest.mark.slow
def test_a_board_with_two_lanes(capfd: pytest.CaptureFixture[str]) -> None:
    words = "--lanes 2 --only lane. --flips 300 --share 1/8 --json".split()
    assert main(words) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["flip_flops"] > 1500
    assert sum(moment["changes"] for moment in report["moments"].values()) > 100
    assert not any(moment["failures"] for moment in report["moments"].values())


def test_no_register_is_called_so(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "nothing"]) == 1
    said = capfd.readouterr()
    assert said.err == "loopline bench inject: no register's name begins with 'nothing'\n"


def test_every_flip_flop_is_in_the_whole_list(board: FuzzBoard) -> None:
    flips = flips_of(board.registers, 0, 1)
    bits = {(flip.register, flip.bits) for flip in flips if len(flip.bits) == 1}
    assert bits >= {
        (register.name, (bit,)) for register in board.registers for bit in range(register.bits)
    }
    assert {
        "frames.commander.state",
        "player.state",
        "unit.placer.state",
        "link.demux.state",
    } <= {flip.register for flip in flips}


def test_a_standstill_is_ended_by_the_watchdog(injector: Injector) -> None:
    """The player waits for an outcome that nobody owes it."""
    states = next(found for found in injector.board.registers if found.name == "player.state")
    (waits,) = (code for code, name in states.values.items() if name == "RESULT")
    bits = tuple(bit for bit in range(states.bits) if waits >> bit & 1)
    found = injector.run(Flip("at rest", "player.state", bits, 5))
    assert (found.wrong, found.restarts) == ("", 1)


def test_a_rate_that_nobody_has_set(injector: Injector) -> None:
    for bit in range(16):
        found = injector.run(Flip("in a game", "link.rate.cycles", (bit,), 100 + bit))
        assert (found.wrong, found.asked, found.restarts) == ("", 1, 0)


def test_more_spaces_than_there_are(injector: Injector) -> None:
    """A list that would begin again and again, and look like work."""
    found = injector.run(Flip("answers going out", "unit.spaces.high", (8,), 5_803))
    assert found.wrong == ""


def test_a_scan_that_a_search_leaves_behind(injector: Injector) -> None:
    """It would read the cells that the next game's turns are made on."""
    found = injector.run(Flip("contest turn", "lane.state", (0, 2, 3, 5), 709))
    assert (found.wrong, found.restarts) == ("", 0)


def test_what_takes_too_long_is_said(injector: Injector) -> None:
    strict = Injector.__new__(Injector)
    strict.__dict__.update(vars(injector), _limit=3_000)
    found = strict.run(Flip("at rest", "player.state", (), 0))
    assert found.wrong == "no identity within 3000 cycles"


class Silent(FuzzBoard):
    """A board that says nothing."""

    def take(self) -> bytes:
        super().take()
        return b""


def test_a_board_that_is_wrong_without_any_change(capfd: pytest.CaptureFixture[str]) -> None:
    def make_silent(_lanes: int) -> FuzzBoard:
        return Silent(player_rtlil(CONFIG), rate=RATE)

    assert main(["--flips", "1"], make=make_silent) == 1
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err == (
        "loopline bench inject: without any change, at rest: no identity within 64000 cycles\n"
    )
