"""The simulated board's program: bytes through the pins, pace, answering times."""

import resource
import time

import pytest

from loopline.sim.board import board
from tests.sim.board.running import RunningBoard, client
from tests.sim.conftest import BAUD, CLOCK, PAUSE

ALL_BYTES = bytes(byte for byte in range(256) if byte != ord("\n"))


@pytest.mark.parametrize("pace", ["free", "real"])
def test_a_line_of_all_bytes_comes_back(echo_command, pace):
    with RunningBoard(echo_command(pace=pace)) as running, client(running.pty) as port:
        for part in (ALL_BYTES[:128], ALL_BYTES[128:]):
            port.write(part + b"\n")
            assert port.read(len(part) + 1) == part + b"\n"


def test_bytes_are_counted(echo_command):
    with RunningBoard(echo_command(stats=True)) as running:
        with client(running.pty) as port:
            for _ in range(20):
                port.write(b"x" * 99 + b"\n")
                assert port.read(100) == b"x" * 99 + b"\n"
        stats = running.stats()
    assert stats["bytes_in"] == stats["bytes_out"] == 2000
    assert (stats["bytes_lost"], stats["framing_errors"], stats["answers"]) == (0, 0, 20)
    assert (stats["clock"], stats["baud"], stats["pace"]) == (CLOCK, BAUD, "free")
    assert stats["seconds"] == pytest.approx(stats["cycles"] / CLOCK, abs=1e-6)
    # 4000 frames of ten bits, the pauses, and little else: the clock stands still while idle.
    least = 40_000 * CLOCK / BAUD + 20 * PAUSE
    assert least < stats["cycles"] < 1.1 * least


def test_answers_are_timed_from_the_end_of_the_line_to_the_start_of_the_reply(echo_command):
    with RunningBoard(echo_command(stats=True, log=True)) as running:
        with client(running.pty) as port:
            for _ in range(5):
                port.write(b"A1/\n")
                assert port.read(4) == b"A1/\n"
        stats = running.stats()
    # The design counts from the middle of the stop bit; synchronisers cost it some cycles.
    expected = PAUSE - CLOCK // BAUD // 2
    assert expected <= stats["slowest_answer_cycles"] <= expected + 8
    assert stats["slowest_answer_ms"] == pytest.approx(expected / CLOCK * 1000, abs=0.001)
    times = [line for line in running.lines if line.startswith("answer: ")]
    assert len(times) == stats["answers"] == 5
    assert max(int(line.split()[1]) for line in times) == stats["slowest_answer_cycles"]


def test_cr_lf_counts_as_one_line_end(echo_command):
    with RunningBoard(echo_command(stats=True)) as running:
        with client(running.pty) as port:
            port.write(b"A1/\r\n")
            assert port.read(5) == b"A1/\r\n"
        stats = running.stats()
    expected = PAUSE - CLOCK // BAUD // 2
    assert stats["answers"] == 1
    assert expected <= stats["slowest_answer_cycles"] <= expected + 8


def test_clients_come_and_go(echo_command):
    with RunningBoard(echo_command(link=None)) as running:
        for number in range(3):
            with client(running.pty) as port:
                line = b"client %d\n" % number
                port.write(line)
                assert port.read(len(line)) == line


def test_a_client_that_leaves_early_harms_nobody(echo_command):
    with RunningBoard(echo_command()) as running:
        with client(running.pty) as port:
            port.write(b"first\n")
        with client(running.pty) as port:
            port.write(b"second\n")
            assert port.read(13) == b"first\nsecond\n"


def test_real_pace_is_the_wall_clock(echo_command):
    with RunningBoard(echo_command(pace="real", stats=True)) as running:
        with client(running.pty) as port:
            begun = time.monotonic()
            port.write(b"x" * 199 + b"\n")
            assert len(port.read(200)) == 200
            took = time.monotonic() - begun
        stats = running.stats()
    least = (4000 * CLOCK / BAUD + PAUSE) / CLOCK
    assert took >= 0.99 * least
    assert stats["pace"] == "real"
    assert stats["behind_seconds"] >= 0
    assert 0 < stats["processor_seconds"] < stats["wall_seconds"] + 1


def test_by_the_wall_clock_a_turn_is_not_late(echo_command):
    command = echo_command(pace="wall", think_ms=300)
    with RunningBoard(command) as running, client(running.pty) as port:
        for _ in range(2):
            begun = time.monotonic()
            port.write(b"!\n")
            assert port.read(2) == b"!\n"
            assert 0.3 <= time.monotonic() - begun < 2


def test_the_seed_is_at_the_designs_input(echo_command):
    with RunningBoard(echo_command(seed=0x105)) as running, client(running.pty) as port:
        port.write(b"abc\n")
        assert port.read(4) == bytes(byte ^ 5 for byte in b"abc\n")


def test_a_board_too_slow_for_real_time_says_so(echo_program):
    clock = 10_000_000_000  # no computer simulates that
    options = {"clock": clock, "baud": clock // (CLOCK // BAUD), "pace": "real", "stats": True}
    with RunningBoard(board.command(echo_program, **options)) as running:
        with client(running.pty) as port:
            for _ in range(20):
                port.write(b"x" * 99 + b"\n")
                assert port.read(100) == b"x" * 99 + b"\n"
        stats = running.stats()
    assert stats["behind_seconds"] > stats["seconds"]
    late = f"simulated board: too slow for real time: {stats['behind_seconds']:.3f} s late"
    assert running.errors.startswith(late)


@pytest.mark.parametrize("pace", ["free", "real"])
def test_an_idle_board_uses_no_processor(echo_command, pace):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with RunningBoard(echo_command(pace=pace, stats=True)) as running:
        with client(running.pty) as port:
            port.write(b"x\n")
            assert port.read(2) == b"x\n"
        time.sleep(1.0)
        stats = running.stats()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    assert used < 0.25
    assert stats["seconds"] < 0.1
