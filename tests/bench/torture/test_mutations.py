"""The planted faults: each has its place in the sources, and one is found."""

import json
from pathlib import Path

import pytest

from loopline.bench.torture import mutations
from loopline.bench.torture.mutations import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[3]
EPOCHS = "tests/hdl/evaluator/test_epochs.py"


def test_every_fault_has_its_place():
    """Once in its file. If that has changed, so has the fault in ``bench/torture/faults.toml``."""
    gone = [
        f"{fault.file}: {fault.what}"
        for fault in FAULTS
        if (ROOT / fault.file).read_text(encoding="utf-8").count(fault.right) != 1
    ]
    assert gone == []


def test_there_are_many_and_each_has_a_name():
    # What found one in an earlier run is known by this, as files get other names.
    assert len({fault.what for fault in FAULTS}) == len(FAULTS) >= 130
    assert all(fault.right != fault.wrong for fault in FAULTS)


def test_what_may_find_a_fault_is_there():
    tests = {test.split(" ")[0] for fault in FAULTS for test in mutations.tests_of(fault)}
    assert sorted(test for test in tests if not (ROOT / test).is_file()) == []


def test_what_found_most_faults_in_the_last_run_is_known():
    # A fault that has another name by now is looked for by all tests of its part.
    found = mutations.last_found()
    assert len(found) > 100
    assert len(found.keys() & {fault.what for fault in FAULTS}) > 50


@pytest.mark.parametrize(
    "name",
    [
        "evaluator/lane.py: legal at three",
        pytest.param("tile.py: the forced tile", marks=pytest.mark.slow),
    ],
)
def test_a_fault_is_found(name, capsys):
    assert mutations.main(["--only", name]) == 0
    assert "1 of 1 faults found, 0 harmless, 0 not found" in capsys.readouterr().out


def test_the_object_with_what_found_a_fault(capsys, monkeypatch):
    test = f"{EPOCHS}::test_wiped"
    monkeypatch.setattr(mutations, "try_fault", lambda fault, first: test)
    assert mutations.main(["--only", "epochs.py: a reset leaves old rows", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["found"], found["harmless"]) == (1, 0)
    (fault,) = found["faults"]
    assert fault["name"] == "hdl/evaluator/epochs.py: a reset leaves old rows"
    assert fault["found_by"] == test


def test_what_was_found_before_an_interruption_is_printed(capsys, monkeypatch):
    def interrupted(fault, first):
        if fault.what != "a reset leaves old rows":
            raise KeyboardInterrupt
        return EPOCHS

    monkeypatch.setattr(mutations, "try_fault", interrupted)
    assert mutations.main(["--only", "epochs.py", "--json"]) == 130
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    names = [fault["name"] for fault in report["faults"]]
    assert names == ["hdl/evaluator/epochs.py: a reset leaves old rows"]
    assert (report["planted"], report["found"]) == (1, 1)
    assert report["of"] > 1
    assert "interrupted, waiting for the tests that run" in printed.err


def test_a_fault_that_leaves_no_design_is_none():
    broken = Fault("hdl/core/tile.py", "a name too few", "Mux(has_two(white), white,", "Mux(blue,")
    assert mutations.try_fault(broken) is None


@pytest.mark.slow
def test_what_found_a_fault_is_tried_first_as_long_as_it_exists():
    fault = next(fault for fault in FAULTS if fault.what == "a reset leaves old rows")
    first = f"{EPOCHS}::test_an_epoch_for_each_candidate_until_all_are_used"
    assert mutations.try_fault(fault, first) == first
    with mutations.copy() as work:
        assert mutations.run(work, f"{EPOCHS}::test_that_is_gone") == ""


@pytest.mark.parametrize("ends", [1, 3])
def test_a_run_that_is_ended_from_outside_has_found_nothing(tmp_path, ends):
    (tmp_path / "test_ended.py").write_text(
        "import os, signal\n"
        "def test():\n"
        "    with open('runs', 'a+') as runs:\n"
        "        runs.write('x')\n"
        f"    if os.path.getsize('runs') <= {ends}:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    if ends < 3:
        assert mutations.run(tmp_path, "test_ended.py") == ""
    else:
        with pytest.raises(
            SystemExit, match=r"^test_ended.py: ended from outside 3 times \(-15\)$"
        ):
            mutations.run(tmp_path, "test_ended.py")
    assert (tmp_path / "runs").read_text() == "x" * min(ends + 1, 3)


def test_no_such_fault(capsys):
    with pytest.raises(SystemExit, match="^2$"):
        mutations.main(["--only", "nonsense"])
    assert capsys.readouterr().err.splitlines() == [
        "loopline bench mutations: no fault's name has 'nonsense' in it "
        "(see loopline bench mutations --help)"
    ]
