"""Rates on the simulated board's line: both sides change theirs, or neither is understood."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from loopline.game.wire import COMMANDS, Command
from loopline.host.device import Device, open_device
from loopline.host.device.answers import Identity
from loopline.host.device.exchange import Timeouts
from loopline.host.device.session import bit_cycles
from loopline.host.errors import DeviceSilentError, DeviceTalkError, UsageError

pytestmark = pytest.mark.xdist_group("host-board")


@pytest.fixture
def board(sim_port: str) -> Iterator[Device]:
    with open_device(sim_port) as device:
        device.reset()
        yield device


def test_other_rates(board: Device) -> None:
    clock, before = board.identity.clock, board.identity.bit_cycles
    board.new_game(turns=["@0+"])
    # The second is no rate that a system has a constant for.
    for baud in (19_200, 250_000, 1_000_000):
        assert board.set_baud(baud) == pytest.approx(baud, rel=0.01)
        assert board.identity.bit_cycles == round(clock / baud)
        assert board.play("B1+").turns == 2
        assert board.take_back().turns == 1
    board.set_baud(round(clock / before))
    assert board.identity.bit_cycles == before
    assert board.position().turns == 1
    assert board.statistics().framing_errors == 0


def test_a_host_that_does_not_follow_is_not_understood(board: Device) -> None:
    before = board.identity.bit_cycles
    payload = COMMANDS[Command.SET_BAUD].pack(bit_cycles=5 * before)
    exchange = board._session._exchange
    exchange.ask(Command.SET_BAUD, payload)
    # The board gives the rate up after a second of its clock, which takes longer than this.
    with pytest.raises((DeviceSilentError, DeviceTalkError)):
        exchange.ask(Command.IDENTIFY, timeouts=Timeouts(0.1, 0.3))
    board._session._set_rate(round(board.identity.clock / (5 * before)))
    exchange.forget()
    # Unless it was not so long after all.
    assert board.identify().bit_cycles in (5 * before, before)
    board.set_baud(round(board.identity.clock / before))
    assert board.identity.bit_cycles == before


@pytest.mark.parametrize("clock", [12_000_000, 50_000_000])
@pytest.mark.parametrize(("built", "slowest"), [(115_200, 1200), (0, 1200), (900, 900)])
def test_the_slowest_rate_is_that_of_power_on_if_that_is_slower(
    clock: int, built: int, slowest: int
) -> None:
    identity = cast(Identity, SimpleNamespace(clock=clock, baud=built))
    assert bit_cycles("it", identity, slowest)[1] == pytest.approx(slowest, rel=1e-3)
    most = clock // 8
    with pytest.raises(UsageError, match=f"^it has rates from {slowest} to {most} baud, not 890$"):
        bit_cycles("it", identity, 890)
