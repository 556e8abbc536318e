"""``loopline bench fuzz``: a bounded run, its events, and that it is loud about a wrong board."""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path

import pytest

from loopline.bench.torture.fuzz import campaign as fuzz_campaign
from loopline.bench.torture.fuzz import fuzz
from loopline.bench.torture.fuzz.check import RATE, Checked
from loopline.bench.torture.fuzz.events import acts_of, check, length_of
from loopline.bench.torture.fuzz.recipes import LONGEST, mutate, random_burst
from loopline.bench.torture.fuzz.shrink import shrink
from loopline.sim.board.board import player_rtlil
from loopline.sim.probe.pins import FuzzBoard

# Compiled once.
pytestmark = pytest.mark.xdist_group("fuzzed")

OCTETS = 4_000

BURSTS = Path(__file__).parent / "bursts"
"""Failures as the bench has kept them, each with the commit that failed."""


class Spoiled(FuzzBoard):
    """A board that says a wrong byte when it has heard a certain one, and goes on to."""

    spoilt = False

    def act(self, acts) -> None:
        acts = list(acts)
        self.spoilt |= any(act.count == 10 and act.levels == 0x200 | 0x55 << 1 for act in acts)
        super().act(acts)

    def restart(self) -> None:
        self.spoilt = False
        super().restart()

    def take(self) -> bytes:
        return super().take() + (b"\xc0\x80!\xc0" if self.spoilt else b"")


def make_spoiled(_lanes: int) -> FuzzBoard:
    return Spoiled(player_rtlil(fuzz.CONFIG), rate=RATE)


def test_a_bounded_run(capsys, tmp_path):
    assert fuzz.main(["--bytes", str(OCTETS), "--json", "--keep", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["failures"], [*tmp_path.iterdir()]) == ([], [])
    assert found["sent"] >= OCTETS
    assert found["answered"] > OCTETS // 2
    assert found["bursts"] >= found["kept"] >= 1
    # What a few bursts reach, and what is there at all: a fuzzer that is blind sees less.
    assert found["registers"] > 80
    assert found["named_states"] > found["named_states_reached"] > 150
    assert found["pairs"] > 10 * found["transitions"] > 10 * found["states"] > 3_000


@pytest.mark.parametrize("path", sorted(BURSTS.glob("*.json")), ids=lambda path: path.stem)
def test_what_the_fuzzer_has_found(capsys, path):
    """Faults of the board, and of the bench, that are mended."""
    assert fuzz.main(["--replay", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: nothing is wrong\n"


def test_a_wrong_board_is_noticed_and_shown_again(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz_campaign, "shrink", partial(shrink, tries=30))
    burst = [("level", 1, 20), ("bytes", "4155", 128), ("level", 1, 30)]
    monkeypatch.setattr(fuzz_campaign, "random_burst", lambda chance: burst)
    words = ["--bytes", "1", "--seed", "7", "--keep", str(tmp_path)]
    assert fuzz.main(words, make=make_spoiled) == 1
    said = capsys.readouterr()
    (path,) = tmp_path.iterdir()
    assert "a frame comes damaged: " in said.err
    assert said.err.endswith(f"\n  loopline bench fuzz --replay {path}\n")
    assert said.out.endswith("1 failures\n")
    # The byte that does it is left, and nothing else.
    assert json.loads(path.read_text())["bursts"] == [[["bytes", "55", 128]]]
    assert fuzz.main(["--replay", str(path)], make=make_spoiled) == 1
    assert capsys.readouterr().out.startswith(f"{path}: a frame comes damaged: ")
    assert fuzz.main(["--replay", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: nothing is wrong\n"


def test_several_processes_say_what_they_have_done_when_interrupted(capsys, tmp_path, monkeypatch):
    def interrupted(works):
        assert len(works) == 2
        raise KeyboardInterrupt

    monkeypatch.setattr(fuzz, "wait", interrupted)
    words = ["--bytes", str(10**9), "--jobs", "2", "--json", "--keep", str(tmp_path)]
    assert fuzz.main(words) == 130
    said = capsys.readouterr()
    found = json.loads(said.out)
    # One each.
    assert found["bursts"] == 2
    assert min(found["sent"], found["cycles"], found["pairs"]) > 0
    assert said.err == "\ninterrupted\n"


def test_a_failure_that_is_being_reduced_is_kept_when_interrupted(capsys, tmp_path, monkeypatch):
    burst = [("level", 1, 20), ("bytes", "4155", 128), ("level", 1, 30)]
    monkeypatch.setattr(fuzz_campaign, "random_burst", lambda chance: burst)

    def interrupted(bursts, fails):
        assert fails([burst[:2]])
        assert not fails([burst[:1]])
        raise KeyboardInterrupt

    monkeypatch.setattr(fuzz_campaign, "shrink", interrupted)
    assert fuzz.main(["--bytes", "1", "--keep", str(tmp_path)], make=make_spoiled) == 130
    said = capsys.readouterr()
    (path,) = tmp_path.iterdir()
    assert f"  loopline bench fuzz --replay {path}\n" in said.err
    assert said.out.endswith("1 failures\n")
    # The least that has failed.
    assert json.loads(path.read_text())["bursts"] == [[["level", 1, 20], ["bytes", "4155", 128]]]


def test_the_lanes_of_the_board(tmp_path):
    made = []

    def make(lanes: int) -> FuzzBoard:
        made.append(lanes)
        return make_spoiled(lanes)

    (tmp_path / "failure.json").write_text('{"bursts": [[["bytes", "55", 128]]]}')
    words = ["--lanes", "2", "--replay", str(tmp_path / "failure.json")]
    assert fuzz.main(words, make=make) == 1
    assert made == [2]


@pytest.mark.slow
def test_a_board_with_two_lanes(capsys, tmp_path):
    words = ["--bytes", "20000", "--lanes", "2", "--json", "--keep", str(tmp_path)]
    assert fuzz.main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["lanes"], found["failures"]) == (2, [])


def test_a_seed_decides_everything_and_bursts_are_bounded():
    def bursts(seed: int) -> list:
        chance, found = random.Random(seed), []
        for _ in range(40):
            found.append(random_burst(chance))
            found.append(mutate(chance, chance.choice(found), chance.choice(found)))
        return found

    found = bursts(3)
    assert found == bursts(3) != bursts(4)
    # As they are kept in a file, they are the same.
    assert check(json.loads(json.dumps(found))) == found
    kinds = {event[0] for burst in found for event in burst}
    assert kinds == {"frame", "bytes", "bad", "level", "listen"}
    for burst in found:
        assert 0 <= length_of(burst) <= LONGEST
        acts = list(acts_of(burst))
        assert sum(act.count == 10 for act in acts) == length_of(burst)
        assert all(act.time < 1 << 32 for act in acts)


def test_the_least_that_fails():
    """Of a thousand characters those two that do it together."""

    def fails(bursts: list) -> bool:
        octets = b"".join(bytes.fromhex(event[1]) for burst in bursts for event in burst)
        return b"\x01" in octets and b"\x02" in octets

    bursts = [[("bytes", bytes([3] * 100).hex(), 0)] * 4 for _ in range(3)]
    bursts[0][2] = ("bytes", bytes([3] * 60 + [1] + [3] * 39).hex(), 0)
    bursts[2][1] = ("bytes", bytes([2] + [3] * 99).hex(), 0)
    assert shrink(bursts, fails) == [[("bytes", "01", 0)], [("bytes", "02", 0)]]
    # As far as it may be tried.
    assert fails(shrink(bursts, fails, tries=5))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Expecting value: line 1 column 1 (char 0)"),
        ("[]", "'list' object has no attribute 'get'"),
        ("{}", "it has no list of bursts, each a list of events"),
        ('{"bursts": [[["level", 1]]]}', "burst 1: ['level', 1] is not an event"),
        ('{"bursts": [[], [["bytes", "zz", 0]]]}', "burst 2: ['bytes', 'zz', 0]: non-hexadecimal"),
        ('{"bursts": [[["frame", 500, 1, "", 0]]]}', "a sequence number is 0 to 127, not 500"),
        ('{"bursts": [[["listen", -1]]]}', "burst 1: a number of ['listen', -1] is out of range"),
    ],
)
def test_a_file_that_is_none(tmp_path, capsys, text, said):
    path = tmp_path / "failure.json"
    path.write_text(text)
    assert fuzz.main(["--replay", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"loopline bench fuzz: {path}: ")
    assert said in error
    assert error.count("\n") == 1


def test_what_is_checked_is_what_the_model_says():
    """A board that is wrong from power-on on is not taken for a measure."""
    with fuzz.make_board() as board:
        checked = Checked(board)
        checked._expected[2] = (b"-B\n@0/\n", b"Z9+\n")
        with pytest.raises(fuzz_campaign.FuzzError, match=r"^after power-on it answers @0/ with"):
            checked._check_expected()


class Silent(FuzzBoard):
    """A board that says nothing."""

    def take(self) -> bytes:
        super().take()
        return b""


def test_a_board_that_is_wrong_from_power_on(tmp_path: Path, capsys):
    path = tmp_path / "failure.json"
    path.write_text('{"bursts": []}')

    def make_silent(_lanes: int) -> FuzzBoard:
        return Silent(player_rtlil(fuzz.CONFIG), rate=RATE)

    for words in (["--bytes", "1", "--keep", str(tmp_path)], ["--replay", str(path)]):
        assert fuzz.main(words, make=make_silent) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == "loopline bench fuzz: no answer to IDENTIFY\n"


def test_no_file(tmp_path: Path, capsys):
    path = tmp_path / "none"
    assert fuzz.main(["--replay", str(path)]) == 2
    assert capsys.readouterr().err == f"loopline bench fuzz: {path}: No such file or directory\n"
