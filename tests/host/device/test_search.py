"""Searches on every device: what they find, where they end, and how they are ended."""

import threading
import time

from loopline.game import STANDARD
from loopline.game.wire import Verdict
from loopline.host.device import Device, SearchReport
from tests.host.device.games import LOOP_GAME, random_game, turns_of


def test_search_wins_if_it_can(device: Device) -> None:
    device.new_game(turns=[*LOOP_GAME[:3], "C1+"])
    found = device.search()
    assert found.verdict is Verdict.WIN
    assert found.turn is not None
    assert device.play(found.turn).over


def test_search_sees_that_all_is_lost(device: Device) -> None:
    device.new_game(turns="@0/ A0/ A0\\ A4\\".split())
    found = device.search(depth=2)
    assert found.verdict is Verdict.LOSING
    assert found.turn is not None
    assert not device.play(found.turn).over
    assert device.search(depth=1).verdict is Verdict.WIN


def test_limits_of_a_search(device: Device) -> None:
    position = random_game(STANDARD, 20, 11)
    device.new_game(turns=turns_of(position))
    shallow = device.search(depth=1)
    assert shallow.depth <= 1
    assert shallow.nodes <= 4 * len(position.legal_turns())
    few = device.search(nodes=10)
    assert few.turn is not None
    assert position.is_legal(few.turn)
    begun = time.monotonic()
    quick = device.search(seconds=0.0001)
    assert quick.turn is not None
    assert position.is_legal(quick.turn)
    assert time.monotonic() - begun < 60
    reports: list[SearchReport] = []
    whole = device.search(depth=2, report=reports.append)
    assert whole.nodes >= few.nodes
    assert whole.depth == 2
    assert all(report.nodes <= whole.nodes for report in reports)
    assert device.search(nodes=whole.nodes + 1).depth >= 2
    assert device.position().turns == 20


def test_a_search_ends_by_the_clock_of_this_process(device: Device) -> None:
    device.new_game(turns=turns_of(random_game(STANDARD, 20, 11)))
    begun = time.monotonic()
    found = device.search(deadline=begun + 0.3, depth=60, nodes=10**9)
    assert found.turn is not None
    assert time.monotonic() - begun < 60


def test_a_search_is_stopped_by_its_report(device: Device) -> None:
    device.new_game(turns=turns_of(random_game(STANDARD, 20, 11)))
    begun = time.monotonic()
    found = device.search(depth=60, deadline=begun + 90, report=lambda _: True)
    assert time.monotonic() - begun < 60
    assert found.turn is not None
    assert device.position().turns == 20


def test_a_search_is_stopped_by_another_thread(device: Device) -> None:
    device.new_game(turns=turns_of(random_game(STANDARD, 20, 11)))
    reported = threading.Event()

    def stop() -> None:
        assert reported.wait(60)
        device.stop()

    stopper = threading.Thread(target=stop)
    stopper.start()
    begun = time.monotonic()
    found = device.search(depth=60, deadline=begun + 90, report=lambda _: reported.set())
    assert time.monotonic() - begun < 60
    stopper.join()
    assert found.turn is not None
    assert device.identify() == device.identity
