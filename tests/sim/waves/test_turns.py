"""``loopline trace``: turns on the turn unit, their cycles and their waveform."""

import io
import re
import subprocess
import sys

import pytest
from vcd.reader import TokenKind, tokenize

from loopline.game import STANDARD, play_game
from loopline.hdl.config import GridConfig
from loopline.hdl.top import Loopline
from loopline.sim.waves.design import trace_config
from loopline.sim.waves.trace import record
from loopline.sim.waves.turns import main
from loopline.sim.waves.views import DESIGN

CHAIN = "@0+ B1/ @1\\ D1+ A0/ E2/ F2\\ E1+ A0+ D1\\ B4\\"
"""The last turn is one of three tiles."""


def signals_of(path):
    """The values of each signal of a VCD file, by time in us, as pyvcd reads them; and all names as
    GTKWave forms them, with the bits of those that have several."""
    names, values, ranges, scopes, time = {}, {}, set(), [], 0
    for token in tokenize(io.BytesIO(path.read_bytes())):
        match token.kind:
            case TokenKind.SCOPE:
                scopes.append(token.scope.ident)
            case TokenKind.UPSCOPE:
                scopes.pop()
            case TokenKind.VAR:
                name = ".".join([*scopes, token.var.reference.removeprefix("\\")])
                assert name not in names.values()
                names.setdefault(token.var.id_code, name)
                values[name] = {}
                ranges.add(name + (f"[{token.var.size - 1}:0]" if token.var.size > 1 else ""))
            case TokenKind.CHANGE_TIME:
                time = token.time_change / 1000
            case TokenKind.CHANGE_SCALAR | TokenKind.CHANGE_VECTOR | TokenKind.CHANGE_STRING:
                change = token.data
                values[names[change.id_code]][time] = change.value
    return values, ranges


def run(capsys, path, *words):
    """The lines that are printed, but for the last one, which is about the file for GTKWave."""
    assert main([*words, "-o", str(path)]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last.startswith(f"{path.with_suffix('.gtkw')}: ")
    return lines


def shown(path):
    """The signals that the file for GTKWave beside a VCD file names, and their groups."""
    lines = path.with_suffix(".gtkw").read_text(encoding="utf-8").splitlines()
    assert lines[0] == f'[dumpfile] "{path}"'
    signals = [re.fullmatch(r"\+\{[^}]+\} (.*)", line) for line in lines]
    groups = [line[1:] for line in lines if line.startswith("-")]
    assert groups[::2] == groups[1::2]
    return {found[1].replace("\\", "") for found in signals if found}, groups[::2]


def test_the_last_turn_step_by_step(tmp_path, capsys):
    path = tmp_path / "turn.vcd"
    line, end = run(capsys, path, CHAIN)
    assert line.startswith("B4\\: 3 tiles in 31 cycles: READ 3, CELL 3, FIT 3, ")
    cycles = int(re.fullmatch(rf"{path}: (\d+) cycles of 1 us each", end)[1])
    waves, names = signals_of(path)
    clock = waves["unit.clk"]
    assert len([time for time, level in clock.items() if int(level) == 1 and time]) == cycles - 1
    states = list(waves["unit.placer.state"].values())
    assert states[:4] == ["IDLE", "READ", "CELL", "FIT"]
    assert states.count("READ") == 3
    assert states[-2:] == ["DONE", "IDLE"]
    # One cycle before the command is there; columns and rows are those of the turn.
    assert waves["unit.commands__payload.op"][1] == "MAKE"
    assert [int(waves[f"unit.commands__payload.{axis}"][1]) for axis in "xy"] == [2, 4]
    assert list(waves["unit.outcomes__payload.tiles"].values())[-1] == 3
    assert not any("$" in name for name in waves)
    signals, groups = shown(path)
    assert groups[:2] == ["command", "placer"]
    assert {"unit.clk", "unit.placer.state", "unit.outcomes__payload.tiles[8:0]"} <= signals
    assert signals <= names


def test_all_turns(tmp_path, capsys):
    """A file for GTKWave that is there stays as a user may have changed it."""
    path, kept = tmp_path / "turn.vcd", tmp_path / "turn.gtkw"
    kept.write_text("mine", encoding="utf-8")
    lines = run(capsys, path, "--all", "--grid", "8", "--variant", "mini", "@0/", "A2+")
    assert [line.partition(":")[0] for line in lines] == ["@0/", "A2+", str(path)]
    assert list(signals_of(path)[0]["unit.placer.state"].values()).count("DONE") == 2
    assert kept.read_text(encoding="utf-8") == "mine"


def test_the_whole_design_has_each_signal_that_is_shown():
    async def wait(ctx):
        await ctx.tick()

    trace = record(Loopline(trace_config(GridConfig(size=8), STANDARD)), wait)
    assert "lane best score" in trace.save_file("design.vcd", DESIGN)


@pytest.mark.slow
def test_the_whole_design_by_its_pins(tmp_path, capsys):
    """The last turn, up to the end of the design's own; the game is over after that one."""
    path = tmp_path / "design.vcd"
    host, answered, end = run(capsys, path, "--design", "--grid", "8", "@0/ B1\\")
    assert host.split() == ["host", "-S", "@0/", "B1\\", "-G"]
    _, code, turn = answered.split()
    assert code == "LL"
    game = play_game(["@0/", "B1\\", turn])
    cycles = int(re.search(r": (\d+) cycles", end)[1])
    assert cycles < 2_000
    signals, groups = shown(path)
    assert (groups[0], groups[-1]) == ("pins", "line sent")
    waves, names = signals_of(path)
    assert signals <= names
    assert "TURN" in waves["unit.link.line_reader.state"].values()
    assert list(waves["unit.player.intake.commands__payload.op"].values())[-1] == "GO"
    assert list(waves["unit.over"].values())[-1] == str(int(game.ending is not None))


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["@0/", "B1"], 2, "turn 2: 'B1': "),
        (["@0/ Z9+"], 1, "turn 2 is illegal: Z9+: Z9 is not adjacent to any tile"),
        (["@0/", "--variant", "go"], 2, "argument --variant: 'go' is not a variant: "),
        (["@0/", "--grid", "9"], 2, "argument --grid: '9' is not a power of two from 8 to 64 "),
        (
            ["--grid", "8", "@0+ B1+ C1+ D1+ E1+ F1+ G1+"],
            1,
            "turn 7, G1+, needs a larger grid: 8 has room for 6 columns and rows",
        ),
        (["@0/", "-o", "/no/turn.vcd"], 2, "cannot write /no/turn.vcd: there is no folder /no "),
        (["@0/", "-o", "/"], 2, "cannot write /: it is a folder "),
        (["@0/", "-o", "a" * 300], 2, f"cannot write {'a' * 300}: File name too long "),
        (["@0/", "-o", "turn.gtkw"], 2, "cannot write turn.gtkw: .gtkw is for the file beside "),
        ([" "], 2, "there is no turn: give one at least, such as @0/ "),
        (["--grid", "8", "@0/", "-o", "/dev/full"], 1, "/dev/full: No space left on device"),
        ([], 2, "the following arguments are required: TURN "),
    ],
)
def test_errors_are_one_line(words, status, message, tmp_path, capsys):
    output = tmp_path / "turn.vcd"
    if status == 2:
        with pytest.raises(SystemExit, match="^2$"):
            main(["-o", str(output), *words])
    else:
        assert main(["-o", str(output), *words]) == status
    error = capsys.readouterr().err
    assert error.startswith(f"loopline trace: {message}")
    assert error.count("\n") == 1
    assert not output.exists()


INTERRUPTED = """
import sys
from loopline.hdl.core.placer import Placer
from loopline.sim.waves.turns import main

def interrupt(*_):
    raise KeyboardInterrupt

Placer.elaborate = interrupt
sys.exit(main(sys.argv[1:]))
"""
"""Ctrl-C while Amaranth's simulator prepares the gateware."""


def test_an_interrupt_is_told_in_one_line(tmp_path):
    words = [sys.executable, "-c", INTERRUPTED, "@0/", "-o", str(tmp_path / "turn.vcd")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\ninterrupted\n")
    assert list(tmp_path.iterdir()) == []
