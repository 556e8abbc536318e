"""``loopline trace``: turns on the turn unit, their cycles and their waveform."""

import io
import re

import pytest
from vcd.reader import TokenKind, tokenize

from loopline.sim.waves.turns import main

CHAIN = "@0+ B1/ @1\\ D1+ A0/ E2/ F2\\ E1+ A0+ D1\\ B4\\"
"""The last turn is one of three tiles."""


def signals(path):
    """The values of each signal of a VCD file, by time in us, as pyvcd reads them."""
    names, values, scopes, time = {}, {}, [], 0
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
            case TokenKind.CHANGE_TIME:
                time = token.time_change / 1000
            case TokenKind.CHANGE_SCALAR | TokenKind.CHANGE_VECTOR | TokenKind.CHANGE_STRING:
                change = token.data
                values[names[change.id_code]][time] = change.value
    return values


def run(capsys, path, *words):
    assert main([*words, "-o", str(path)]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_last_turn_step_by_step(tmp_path, capsys):
    path = tmp_path / "turn.vcd"
    line, end = run(capsys, path, CHAIN)
    assert line.startswith("B4\\: 3 tiles in 31 cycles: READ 3, CELL 3, FIT 3, ")
    cycles = int(re.fullmatch(rf"{path}: (\d+) cycles of 1 us each", end)[1])
    waves = signals(path)
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


def test_all_turns(tmp_path, capsys):
    path = tmp_path / "turn.vcd"
    lines = run(capsys, path, "--all", "--grid", "8", "--variant", "mini", "@0/", "A2+")
    assert [line.partition(":")[0] for line in lines] == ["@0/", "A2+", str(path)]
    assert list(signals(path)["unit.placer.state"].values()).count("DONE") == 2


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
        (["@0/", "-o", "/no/turn.vcd"], 2, "there is no folder /no "),
        (["@0/", "-o", "/"], 1, "/: Is a directory"),
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
