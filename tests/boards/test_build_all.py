"""``loopline build all``: every board's turn comes, whatever came of the one before."""

import sys
from pathlib import Path

import pytest

from loopline.boards import BOARDS, BuildError, BuiltBoard
from loopline.boards import __main__ as command_line
from loopline.boards.programs import Ended
from loopline.boards.project import WrittenProject
from loopline.boards.report import ClockReport, Report
from loopline.tools.extras import EXTRAS, require
from tests.boards.small import PROJECTS

FITTING = [name for name, board in BOARDS.items() if not board.too_small]
REPORT = Report((5000, 7680), (20, 32), (ClockReport("clk", 50.5, 48.0),))

pytestmark = pytest.mark.usefixtures("keep_signals")


@pytest.fixture
def build(monkeypatch):
    """Build nothing, and return the calls: board, folder and options. Some boards fail."""
    calls, failing = [], {}

    def fake(board, folder, *, begin, **options):
        calls.append((board.name, folder, options))
        begin("gateware")
        if board.name in failing:
            raise failing[board.name]
        return BuiltBoard(
            *(folder / name for name in ("x.bin", "m.json", "r.json", "x.zip")), REPORT
        )

    def fake_project(board, folder, **options):
        calls.append((board.name, folder, options))
        if board.name in failing:
            raise failing[board.name]
        return WrittenProject(folder, folder / "x.zip", "run it")

    monkeypatch.setattr(command_line, "build", fake)
    monkeypatch.setattr(command_line, "write_project", fake_project)
    monkeypatch.setattr(command_line, "require", lambda what, *extras: None)
    fake.calls, fake.failing = calls, failing
    return fake


def summary(output):
    """The lines at the end by board."""
    _, _, last = output.partition("\n\n")
    return {line.split()[0]: line.split(None, 1)[1] for line in last.splitlines()}


def test_all_boards_are_built_each_in_a_folder_of_its_own(build, capsys):
    assert command_line.main("build all --dir somewhere --seed 7 --baud 19200".split()) == 0
    assert [call[:2] for call in build.calls] == [
        (name, Path("somewhere", name)) for name in FITTING
    ]
    assert {call[2]["baud"] for call in build.calls} == {19200}
    seeds = {call[0]: call[2].get("seed") for call in build.calls}
    assert seeds == {name: None if name in PROJECTS else 7 for name in FITTING}
    found = summary(capsys.readouterr().out)
    assert list(found) == list(BOARDS)
    for name, board in BOARDS.items():
        expected = f"too small: {board.too_small}" if board.too_small else str(REPORT)
        if name in PROJECTS:
            expected = f"a project, not yet built: run run it in {Path('somewhere', name)}"
        assert found[name] == expected


@pytest.mark.parametrize(
    ("words", "ponder"), [("", None), (" --ponder on", True), (" --ponder off", False)]
)
def test_bitstreams_and_projects_are_told_whether_to_ponder(build, words, ponder):
    assert command_line.main(f"build all{words}".split()) == 0
    assert {call[0]: call[2]["ponder"] for call in build.calls} == dict.fromkeys(FITTING, ponder)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_was_built_before_is_not_built_again(build, monkeypatch, capsys, jobs):
    before, begun = {"hx8k", "tang-nano-9k"}, []

    def built_before(board, folder, *, seed, **options):
        assert folder == Path("somewhere", board.name)
        assert (seed, options["baud"], board.status) == (7, 19_200, "bitstream")
        return REPORT if board.name in before else None

    def fake(commands, jobs):
        begun.extend(command[4] for command in commands)
        yield from (Ended(n, 0, "x: 3 LUTs\n", "") for n, _ in enumerate(commands))

    monkeypatch.setattr(command_line, "built_before", built_before)
    monkeypatch.setattr(command_line, "run_side_by_side", fake)
    words = f"build all --dir somewhere --seed 7 --baud 19200 --jobs {jobs}"
    assert command_line.main(words.split()) == 0
    built = [call[0] for call in build.calls] if jobs == "1" else begun
    assert set(FITTING) - set(built) == before
    output = capsys.readouterr().out
    assert summary(output)["hx8k"] == str(REPORT)
    assert "hx8k: was built before, in somewhere/hx8k\n" in output


def test_boards_that_fail_do_not_keep_others_from_their_turn(build, capsys):
    first, last = FITTING[0], FITTING[-1]
    build.failing |= {first: BuildError("timing is not met"), last: ValueError("no such clock")}
    assert command_line.main(["build", "all"]) == 1
    assert [(call[0], call[1]) for call in build.calls] == [
        (name, Path("build", name)) for name in FITTING
    ]
    output, error = capsys.readouterr()
    assert summary(output)[first] == "failed: timing is not met"
    assert summary(output)[last] == "failed: no such clock"
    assert "loopline build: timing is not met\n" in error
    assert error.splitlines()[-1] == (
        f"loopline build: 2 of {len(BOARDS)} boards failed: {first}, {last}"
    )


def test_boards_whose_tools_are_missing_fail(build, monkeypatch, capsys):
    monkeypatch.setattr(command_line, "require", require)
    monkeypatch.setitem(sys.modules, EXTRAS["gowin"][-1], None)
    assert command_line.main(["build", "all"]) == 1
    found = summary(capsys.readouterr().out)
    for name, board in BOARDS.items():
        missing = board.family.extra == "gowin"
        assert missing == (
            found[name] == f"failed: the board {name} needs: pip install 'loopline[gowin]'"
        )


def test_what_goes_wrong_with_the_machine_ends_it(build, capsys):
    build.failing[FITTING[0]] = OSError(28, "No space left on device")
    assert command_line.main(["build", "all"]) == 1
    assert len(build.calls) == 1
    assert capsys.readouterr().err.splitlines()[-1].endswith("No space left on device")


def test_boards_are_built_side_by_side_with_the_same_options(monkeypatch, capsys):
    """Each in a process of its own, whose last line is what came of it."""
    begun = []

    def fake(commands, jobs):
        begun.extend(commands)
        names = [command[4] for command in commands]
        for place, name in reversed([*enumerate(names)]):
            if name == "hx8k":
                yield Ended(place, 1, "", "hx8k: gateware ...\nloopline build: no such clock\n")
            elif name == "alchitry-cu":
                yield Ended(place, -9, "", "")
            else:
                yield Ended(place, 0, f"{name}: some files\n{name}: 3 LUTs\n", "steps\n")

    monkeypatch.setattr(command_line, "run_side_by_side", fake)
    words = "build all --jobs 2 --dir some/where --seed 7 --baud 19200 --mhz 20.5 --grid 16"
    words += " --variant limited-6 --evaluator on --ponder off"
    assert command_line.main(words.split()) == 1
    program = [sys.executable, "-m", "loopline.boards", "build"]
    options = "--seed 7 --baud 19200 --variant limited-6 --evaluator on --mhz 20.5 --grid 16"
    options += " --ponder off"
    # The largest begin.
    by_size = sorted(FITTING, key=lambda name: -BOARDS[name].preset.search.lanes)
    assert by_size[0] == "ulx3s-85f"
    assert [list(command) for command in begun] == [
        [*program, name, "--dir", str(Path("some", "where", name)), *options.split()]
        for name in by_size
    ]
    output, error = capsys.readouterr()
    found = summary(output)
    assert list(found) == list(BOARDS)
    assert (found["hx8k"], found["alchitry-cu"], found["ecpix-5"]) == (
        "failed: no such clock",
        "failed: status -9",
        "3 LUTs",
    )
    assert error.splitlines()[-1] == (
        f"loopline build: 2 of {len(BOARDS)} boards failed: alchitry-cu, hx8k"
    )


def test_projects_and_errors_side_by_side(tmp_path, monkeypatch, capsys):
    """With the real processes: a clock of 51 MHz has no such rate, one of 50 MHz has."""
    some = {name: BOARDS[name] for name in ("hx8k", "arty-a7-35", "icebreaker")}
    monkeypatch.setattr(command_line, "BOARDS", some)
    words = f"build all --jobs 2 --dir {tmp_path} --baud 6200000"
    assert command_line.main(words.split()) == 1
    output, error = capsys.readouterr()
    reason = "a clock of 51000000 Hz makes 6375000 baud of 6200000"
    found = summary(output)
    assert list(found) == list(some)
    assert found["hx8k"].startswith(f"failed: {reason}")
    assert found["arty-a7-35"].startswith("a project, not yet built: ")
    assert found["icebreaker"].startswith("too small: ")
    assert f"loopline build: {reason}" in error
    assert (tmp_path / "arty-a7-35").is_dir()


def test_jobs_are_for_all_boards(capsys):
    with pytest.raises(SystemExit):
        command_line.main(["build", "hx8k", "--jobs", "2"])
    assert "--jobs is for all boards" in capsys.readouterr().err
