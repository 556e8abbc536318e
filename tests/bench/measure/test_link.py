"""The bench of the framed link: its figures are those of the device's own counters."""

import json

import pytest

from loopline.bench import __main__ as bench
from loopline.bench.measure.link import main, run
from loopline.host.device import open_device


def test_figures_fit_together():
    with open_device("engine") as device:
        rates = {rate.name: rate for rate in run(device, 0.1)}
    # A frame of seven bytes asks, and one of forty-nine and a few that are escaped answers.
    asked = rates["identify"]
    assert asked.down / asked.trips == pytest.approx(7, abs=0.6)
    assert 48.9 <= asked.up / asked.trips <= 53
    assert asked.limit == pytest.approx(12e6 / 104 / 10 / ((asked.down + asked.up) / asked.trips))
    sent = rates["63 turns down"]
    # Both are quotients: 135 bytes may be a little less.
    assert round(sent.down / sent.trips, 3) >= 2 * 63 + 9
    assert rates["position up"].up > rates["position up"].down


def test_program(capsys):
    assert main(["--device", "engine", "--seconds", "0.1", "--baud", "57600"]) == 0
    output, error = capsys.readouterr()
    assert error == ""
    assert output.startswith("engine, Engine: 57692 baud, 5769 bytes/s each way\n")
    assert len(output.splitlines()) == 7
    assert main(["--device", "engine", "--seconds", "0.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["device"], found["faults"], len(found["rates"])) == ("engine", {}, 5)


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (("--device", "/no/port"), 1, "cannot open /no/port: No such file or directory\n"),
        (("--device", "engine", "--baud", "5"), 2, "engine has rates from 1200 to 1500000 baud"),
        (
            ("--seconds", "no"),
            2,
            "argument --seconds: 'no' is not a number of seconds from 0.1 to 3600",
        ),
    ],
)
def test_errors_are_one_line(words, status, error, capsys):
    try:
        found = bench.main(["link", *words])
    except SystemExit as left:
        found = left.code
    output, said = capsys.readouterr()
    assert (found, output) == (status, "")
    assert said.startswith(f"loopline bench link: {error}")
    assert said.count("\n") == 1
