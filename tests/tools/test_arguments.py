"""The command lines of all programs: one line per error, and what each type accepts."""

from __future__ import annotations

import pytest

from loopline.tools.arguments import (
    ArgumentValueError,
    Parser,
    checked,
    choose_command,
    decimal_number,
    even_number,
    number_range,
    power_of_two,
    seconds,
    seed,
    seed_from_time,
    setting,
    whole_number,
)


def fail(run, capsys) -> str:
    """The standard error of a parser that ends with status 2."""
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 2
    output, error = capsys.readouterr()
    assert output == ""
    assert error.count("\n") == 1
    return error


@pytest.mark.parametrize(
    ("convert", "good", "bad", "reason"),
    [
        (
            whole_number(1, 20),
            {"1": 1, "20": 20, "007": 7},
            ["0", "21", "-1", "+1", "1.5", "", "x", "²", "1_0", " 1", "9" * 5000],
            "is not a whole number from 1 to 20",
        ),
        (even_number(2, 8), {"2": 2, "8": 8}, ["0", "3", "10", "x"], "an even number from 2 to 8"),
        (power_of_two(8, 64), {"8": 8, "64": 64}, ["12", "4", "128", "x"], "two from 8 to 64"),
        (seed, {"0": 0, "9" * 18: 10**18 - 1}, ["-1", "1" * 19, "x"], "a whole number from 0 to "),
        (
            decimal_number(0.1, 20),
            {"0.1": 0.1, ".5": 0.5, "3": 3.0, "20": 20.0},
            ["0", "20.1", "nan", "inf", "-1", "x", "", "1_0"],
            "is not a number from 0.1 to 20",
        ),
        (decimal_number(-1, 1), {"-0.5": -0.5}, ["-2", "--1", "-"], "number from -1 to 1"),
        (
            seconds(),
            {"0": 0.0, "1.5": 1.5},
            ["-1", "3601", "nan", "long"],
            "is not a number of seconds from 0 to 3600",
        ),
        (
            number_range(1, 40),
            {"4": (4, 4), "4..6": (4, 6), "40..40": (40, 40)},
            ["6..4", "0..3", "4..41", "..6", "4..", "4...6", "4-6", ""],
            "is not a number N or a range N..M within 1 to 40",
        ),
        (
            setting(["near", "far"], whole_number(0, 9)),
            {"near=3": ("near", 3)},
            ["nears=3", "Near=3"],
            "cannot be set: use one of near, far",
        ),
        (
            setting(["near", "far"], whole_number(0, 9)),
            {},
            ["near", "=3", "near=", ""],
            "sets nothing: use NAME=VALUE",
        ),
        (setting(["near"], whole_number(0, 9)), {}, ["near=10"], "from 0 to 9"),
        (checked(bytes.fromhex), {"00ff": b"\0\xff"}, ["xy"], "non-hexadecimal number found"),
    ],
)
def test_types(convert, good, bad, reason, capsys):
    parser = Parser(prog="x")
    parser.add_argument("--n", type=convert)
    for text, value in good.items():
        assert parser.parse_args([f"--n={text}"]).n == value
    for text in bad:
        error = fail(lambda text=text: parser.parse_args([f"--n={text}"]), capsys)
        assert error.startswith("x: argument --n: ")
        assert reason in error
        assert error.endswith(" (see x --help)\n")
        with pytest.raises(ValueError, match=r".") as caught:
            convert(text)
        assert str(caught.value) in error


def test_help_fits_the_terminal_and_ends_with_examples(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    text = (
        "A paragraph that is ``longer`` than\na line of the terminal.\n\nkinds:\n  one   first kind"
    )
    lines = Parser(prog="x", description=text, examples=["x 1", "x 2"]).format_help().splitlines()
    assert lines[2:7] == [
        "A paragraph that is `longer` than a",
        "line of the terminal.",
        "",
        "kinds:",
        "  one   first kind",
    ]
    assert lines[-3:] == ["examples:", "  x 1", "  x 2"]
    assert Parser(prog="x", examples=["x 1"]).format_help().endswith("\nexample:\n  x 1\n")
    assert "example" not in Parser(prog="x").format_help()


def test_help_of_a_value_ends_with_the_default():
    parser = Parser(prog="x")
    parser.add_value("--seed", seed, "the seed", default=3)
    parser.add_value("--jobs", whole_number(), "at one time", default=8, shown="all", metavar="K")
    parser.add_value("--most", whole_number(), "no more")
    options = [line.strip() for line in parser.format_help().splitlines()[-3:]]
    assert options == [
        "--seed N    the seed (3)",
        "--jobs K    at one time (all)",
        "--most N    no more",
    ]
    assert vars(parser.parse_args(["--most", "9"])) == {"seed": 3, "jobs": 8, "most": 9}


def test_commands(capsys):
    def choose(*words: str) -> tuple[str, list[str]]:
        commands = {"play": "play a game", "perft": "count"}
        return choose_command("x", "Trax.", commands, words, "x play")

    assert choose("play", "--help", "-") == ("play", ["--help", "-"])
    assert fail(choose, capsys).startswith("x: the following arguments are required: COMMAND ")
    assert "x: unrecognized arguments: -V " in fail(lambda: choose("-V", "play"), capsys)
    assert "COMMAND: invalid choice: 'dance' (choose from" in fail(lambda: choose("dance"), capsys)
    with pytest.raises(SystemExit) as left:
        choose("--help")
    assert left.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith("usage: x [-h] COMMAND ...\n\nTrax.\n\ncommands:\n")
    assert "\n  play   play a game\n  perft  count\n" in text


def test_folders(tmp_path, capsys):
    parser = Parser(prog="x")
    folder, file = tmp_path / "one" / "two", tmp_path / "file"
    parser.folder("--keep", folder)
    parser.folder("--keep", folder)
    assert folder.is_dir()
    file.touch()
    for path, reason in ((file, "File exists"), (file / "one", "Not a directory")):
        error = fail(lambda path=path: parser.folder("--keep", path), capsys)
        assert error == f"x: --keep {path}: {reason} (see x --help)\n"


def test_the_seed_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPLINE_SEED", "32770")
    assert seed_from_time() == 2
    monkeypatch.setenv("LOOPLINE_SEED", "abc")
    with pytest.raises(ArgumentValueError, match="^LOOPLINE_SEED: 'abc' is not a whole number"):
        seed_from_time()
