"""``loopline tune``: presets and clocks are tried until all seeds are fast enough."""

import errno
import json
import resource
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from loopline.boards import BOARDS, BuildError, BuiltBoard
from loopline.boards import build as real_build
from loopline.boards import tune as tuning
from loopline.boards.__main__ import main
from loopline.boards.bitstream import MachineError, MissedClockError
from loopline.boards.presets import PRESETS
from loopline.boards.report import ClockReport, Report
from loopline.boards.table import tuned_boards
from loopline.boards.tune import Tuned, record, tune
from loopline.tools.extras import EXTRAS
from tests.boards.small import BITSTREAMS, Multiplier

HX8K = BOARDS["hx8k"]
ECP5 = replace(PRESETS["ecp5"], clock_hz=75_000_000)
ULX3S = replace(BOARDS["ulx3s-12f"], preset=ECP5)


@pytest.fixture(autouse=True)
def one_lane(monkeypatch):
    """Presets with several lanes are not tried on a 12F, and that of one asks for 75 MHz."""
    monkeypatch.setitem(tuning._LARGER, "-12F", ())
    monkeypatch.setitem(PRESETS, "ecp5", ECP5)


class Placer:
    """Stands in for a build: each seed reaches a clock of its own, for presets that fit."""

    def __init__(self, reached, fitting=("ecp5", "hx8k")):
        self.reached, self.fitting, self.calls = reached, fitting, []

    def __call__(self, board, folder, *, seed, clock_hz):
        self.calls.append((board.preset.name, clock_hz / 1e6, seed))
        if board.preset.name not in self.fitting:
            raise BuildError("does not fit")
        clock = ClockReport("clk", self.reached[seed - 1], clock_hz / 1e6)
        report = Report((5000, 7680), (20, 32), (clock,))
        if not report.met:
            raise MissedClockError("timing is not met", report)
        return BuiltBoard(folder, folder, folder, folder, report)


def test_the_clock_is_what_the_slowest_seed_reaches_with_the_margin(tmp_path):
    placer, told = Placer([70.0, 63.1, 66.0]), []
    found = tune(ULX3S, tmp_path, build=placer, tell=told.append)
    assert found == Tuned(PRESETS["ecp5"], 60_000_000, (70.0, 63.1, 66.0))
    # A PLL with 25 MHz makes 65, and not 66. No other seed is built where one is too slow.
    assert [(clock, seed) for _, clock, seed in placer.calls] == [
        *((75, 1), (65, 1), (65, 2)),
        *((60, 1), (60, 2), (60, 3)),
    ]
    assert told[2] == "ecp5, 65 MHz, seed 2: 63.1 MHz"
    assert 67 > 70 / 1.05 > 66
    assert 63.1 / 1.05 > 60 > 62.9 / 1.05


def test_a_gowin_board_has_a_larger_margin(tmp_path):
    found = tune(BOARDS["tang-nano-9k"], tmp_path, build=Placer([54.0] * 3, fitting=["hx8k"]))
    assert (found.preset.name, found.clock_hz) == ("hx8k", 36_000_000)


def test_a_preset_that_is_known_not_to_be_routed_is_not_tried(tmp_path):
    placer = Placer([60.0] * 3, fitting=["ecp5-25f"])
    tune(BOARDS["orangecrab-85f"], tmp_path, highest_hz=48e6, build=placer)
    assert list(dict.fromkeys(name for name, _, _ in placer.calls)) == ["ecp5-45f", "ecp5-25f"]


def test_faster_clocks_than_the_presets_are_tried_while_there_is_room(tmp_path):
    placer = Placer([106.0, 99.0, 105.1])
    found = tune(ULX3S, tmp_path, build=placer)
    assert (found.clock_hz, found.mhz_by_seed) == (90_000_000, (106.0, 99.0, 105.1))
    assert [(clock, seed) for _, clock, seed in placer.calls] == [
        *((75, 1), (75, 2), (75, 3)),
        *((90, 1), (90, 2), (90, 3)),
    ]
    assert tune(ULX3S, tmp_path, seeds=1, margin_percent=0, build=Placer([60.0])).clock_hz == 60e6


def test_a_faster_clock_that_is_missed_leaves_the_one_before(tmp_path):
    class Slower(Placer):
        """The higher the clock, the less is reached: 90 MHz at 75."""

        def __call__(self, board, folder, *, seed, clock_hz):
            self.reached = [165.0 - clock_hz / 1e6] * 3
            return super().__call__(board, folder, seed=seed, clock_hz=clock_hz)

    placer = Slower([])
    found = tune(ULX3S, tmp_path, build=placer)
    assert found.clock_hz == 80_000_000
    assert [clock for _, clock, seed in placer.calls if seed == 1] == [75, 85, 80]


def test_a_faster_clock_at_which_nothing_is_built_leaves_the_one_before(tmp_path):
    class Unroutable(Placer):
        def __call__(self, board, folder, *, seed, clock_hz):
            if clock_hz > 80e6 and seed == 2:
                raise BuildError("failed to find a location")
            return super().__call__(board, folder, seed=seed, clock_hz=clock_hz)

    told = []
    found = tune(ULX3S, tmp_path, build=Unroutable([106.0] * 3), tell=told.append)
    assert (found.preset.name, found.clock_hz) == ("ecp5", 80_000_000)
    assert "ecp5, 100 MHz, seed 2: failed to find a location" in told


def test_a_clock_below_those_of_the_pll(tmp_path):
    with pytest.raises(
        ValueError, match=r"^the PLL of hx8k makes no whole number of MHz up to 15$"
    ):
        tune(HX8K, tmp_path, highest_hz=15e6, build=Placer([200.0] * 3))


def test_the_highest_clock_may_be_given(tmp_path):
    for highest, clock in ((40e6, 40e6), (100.9e6, 100e6)):
        placer = Placer([200.0] * 3)
        assert tune(ULX3S, tmp_path, highest_hz=highest, build=placer).clock_hz == clock
        assert len(placer.calls) == 3


def test_a_preset_that_does_not_fit_is_followed_by_a_smaller_one(tmp_path):
    placer = Placer([57.5] * 3, fitting=["hx8k"])
    found = tune(HX8K, tmp_path, build=placer)
    assert (found.preset.name, found.clock_hz) == ("hx8k", 54_000_000)
    assert [name for name, _, _ in placer.calls] == ["ecp5", *["hx8k"] * 6]
    with pytest.raises(BuildError, match="hx8k: no preset fits and meets a clock"):
        tune(HX8K, tmp_path, build=Placer([5.0] * 3))
    with pytest.raises(BuildError, match="no preset fits"):
        tune(HX8K, tmp_path, build=Placer([], fitting=()))


def test_a_build_that_the_machine_ends_is_not_taken_for_one_that_does_not_fit(tmp_path):
    calls = []

    def build(board, folder, **options):
        calls.append(board.preset.name)
        raise MachineError("a tool was ended by SIGKILL")

    with pytest.raises(MachineError, match="SIGKILL"):
        tune(HX8K, tmp_path, build=build)
    assert calls == ["ecp5"]


def test_the_largest_preset_for_the_fpga_comes_first(tmp_path):
    placer = Placer([200.0] * 3, fitting=set(PRESETS))
    for board, preset in (
        (BOARDS["ulx3s-85f"], "ecp5-85f"),
        (BOARDS["ulx3s-45f"], "ecp5-45f"),
        (BOARDS["tang-primer-20k"], "gw2a-18"),
        (BOARDS["tang-primer-25k"], "gw5a-25"),
        (ULX3S, "ecp5"),
    ):
        assert tune(board, tmp_path, build=placer).preset.name == preset
    placer.fitting.remove("ecp5-45f")
    assert tune(BOARDS["ulx3s-45f"], tmp_path, build=placer).preset.name == "ecp5-25f"


def test_a_board_with_memories_of_its_own_has_its_own_preset(tmp_path):
    placer = Placer([30.0] * 3, fitting=["up5k"])
    found = tune(BOARDS["icebreaker"], tmp_path, build=placer)
    assert (found.preset.name, found.clock_hz) == ("up5k", 27_000_000)


def test_what_is_found_is_recorded_and_read(tmp_path):
    path = tmp_path / "tuned.json"
    assert tuned_boards([HX8K, ULX3S], path) == {"hx8k": HX8K, "ulx3s-12f": ULX3S}
    for clock_hz in (51_000_000, 60_000_000):
        record(ULX3S, Tuned(PRESETS["ecp5"], clock_hz, (63.12, 64.0)), "abc+", path)
    record(HX8K, Tuned(PRESETS["hx8k"], 45_000_000, (50.0,)), "abc+", path)
    read = json.loads(path.read_text())
    assert list(read) == ["hx8k", "ulx3s-12f"]
    assert read["ulx3s-12f"]["mhz_by_seed"] == [63.12, 64.0]
    assert read["ulx3s-12f"]["commit"] == "abc+"
    tuned = tuned_boards([HX8K, replace(ULX3S, preset=PRESETS["hx8k"])], path)
    assert tuned["hx8k"].clock_hz == 45_000_000
    assert tuned["ulx3s-12f"].preset is PRESETS["ecp5"]
    assert tuned["ulx3s-12f"].clock_hz == 60_000_000


def test_a_record_that_a_full_disk_cuts_short_leaves_the_older_ones(tmp_path):
    path, tuned = tmp_path / "tuned.json", Tuned(PRESETS["hx8k"], 45_000_000, (50.0,))
    record(HX8K, tuned, "abc", path)
    before = path.read_text()
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before), most[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            record(ULX3S, tuned, "abc", path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


def test_boards_that_cannot_be_tuned(keep_signals, capsys):
    assert main(["tune", "arty-a7-35"]) == 1
    assert "can be tuned with Vivado only" in capsys.readouterr().err
    assert main(["tune", "icebreaker"]) == 1
    assert "is too small" in capsys.readouterr().err


@pytest.fixture
def trials(monkeypatch):
    """Tune nothing, and return the folders and what is recorded. Some boards fail."""
    calls, records, failing, limits = {}, {}, set(), []

    def fake(board, folder, *, highest_hz, **options):
        calls[board.name] = folder
        limits.append(highest_hz)
        if board.name in failing:
            raise BuildError(f"{board.name}: no preset fits and meets a clock")
        return Tuned(PRESETS["hx8k"], 24_000_000, (30.0,))

    monkeypatch.setattr(tuning, "tune", fake)
    monkeypatch.setattr(
        tuning, "record", lambda board, *what: records.update({board.name: what[0]})
    )
    monkeypatch.setattr(tuning, "require", lambda what, *extras: None)
    fake.calls, fake.records, fake.failing, fake.limits = calls, records, failing, limits
    return fake


@pytest.mark.usefixtures("keep_signals")
def test_boards_are_tuned_one_after_the_other(trials, capsys):
    trials.failing.add("ulx3s-12f")
    assert main("tune hx8k ulx3s-12f arty-a7-35 tang-nano-9k hx8k".split()) == 1
    done = ["hx8k", "tang-nano-9k"]
    assert list(trials.records) == done
    output, error = capsys.readouterr()
    assert output.splitlines() == [f"{name}: preset hx8k at 24 MHz" for name in done]
    assert error.splitlines() == [
        "loopline tune: ulx3s-12f: no preset fits and meets a clock",
        "loopline tune: arty-a7-35 can be tuned with Vivado only",
        "loopline tune: 2 of 4 boards failed: ulx3s-12f, arty-a7-35",
    ]
    assert trials.calls["ulx3s-12f"] == Path("build", "tune", "ulx3s-12f")


@pytest.mark.usefixtures("keep_signals")
def test_all_are_those_that_have_a_bitstream(trials):
    assert main(["tune", "all", "--dir", "somewhere", "--dry-run"]) == 0
    names = [name for name, board in BITSTREAMS.items() if not board.too_small]
    assert trials.calls == {name: Path("somewhere", name) for name in names}
    assert trials.records == {}


@pytest.mark.usefixtures("keep_signals")
def test_a_single_board_is_tuned_in_the_folder_itself(trials, capsys):
    assert main("tune hx8k --dir somewhere".split()) == 0
    assert trials.calls == {"hx8k": Path("somewhere")}
    trials.failing.add("hx8k")
    assert main(["tune", "hx8k", "--clock", "31.5"]) == 1
    assert trials.limits == [None, 31_500_000]
    assert capsys.readouterr().err == "loopline tune: hx8k: no preset fits and meets a clock\n"


@pytest.mark.usefixtures("keep_signals", "trials")
def test_what_cannot_be_recorded_is_printed(monkeypatch, capsys):
    def refuse(*_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tuning, "record", refuse)
    assert main(["tune", "hx8k"]) == 1
    assert capsys.readouterr() == (
        "hx8k: preset hx8k at 24 MHz\n",
        "loopline tune: [Errno 30] Read-only file system\n",
    )


@pytest.mark.usefixtures("keep_signals")
def test_a_board_whose_tools_are_missing(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, EXTRAS["gowin"][-1], None)
    assert main(["tune", "tang-nano-9k"]) == 2
    assert capsys.readouterr().err == (
        "loopline tune: the board tang-nano-9k needs: pip install 'loopline[gowin]'\n"
    )


@pytest.mark.slow
def test_with_the_tools(tmp_path, monkeypatch):
    """A product of one cycle, which no iCE40 makes at the first clock that is tried."""
    fast = replace(PRESETS["hx8k"], clock_hz=270_000_000)
    monkeypatch.setattr(tuning, "PRESETS", {"hx8k": fast})
    monkeypatch.setattr(tuning, "_ORDER", ("hx8k",))

    def build(board, folder, **options):
        return real_build(board, folder, player=Multiplier, **options)

    found = tune(HX8K, tmp_path, seeds=1, build=build)
    assert found.clock_hz < 270_000_000
    assert found.mhz_by_seed[0] >= 1.05 * found.clock_hz / 1e6
