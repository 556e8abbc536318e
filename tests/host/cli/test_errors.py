"""What the commands say to wrong use, and to what breaks the rules: one line, and a status."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from loopline.game import VARIANTS, limited, variant_named
from tests.host.program import COMMAND, loopline

LINE = Path(__file__).parents[3] / "docs" / "pictures" / "line.txt"

WRONG_USE = r"""
player | the following arguments are required: --device
player --device sim --timeout long | argument --timeout: 'long' is not a number of seconds from
player --device cmd:x --depth 3 | --depth is for devices and the engine, not for 'cmd:x'
replay | the following arguments are required: FILE
replay no/such/file | cannot read no/such/file: No such file or directory
play --nope | unrecognized arguments: --nope (see loopline play --help)
play --colour green | argument --colour: invalid choice: 'green'
play --device @19200 | '@19200' is not a device: use sim,
play --device port@fast | 'port@fast' is not a device:
play --device port@2147483648 | 'port@2147483648': a port has a rate of 1 to 2147483647 baud
play --device engine:nodez=2 | 'engine:nodez=2': 'nodez' is unknown: use nodes
play --device greedy:x | 'greedy:x': a seed is a number, as in greedy:1
demo --white engine:nodes=x | 'engine:nodes=x': 'x' is not a whole number from 1 to
referee --white greedy --red sim:foo=1 | 'sim:foo=1': 'foo' is unknown: use time, nodes, depth
match greedy engine:depth | 'engine:depth': 'depth' sets nothing: use NAME=VALUE
match greedy 'cmd:"./player' | 'cmd:"./player': no closing quotation
tournament greedy random engine:speed9=1 | 'engine:speed9=1': 'speed9' is unknown: use
player --device human | 'human' types at a terminal: here the input is the contest's protocol
player --device engine:nodez=2 | 'engine:nodez=2': 'nodez' is unknown: use nodes
ugi --device human | a person is no engine: name another player than 'human'
ugi --device greedy:x | 'greedy:x': a seed is a number, as in greedy:1
ugi --variant chess | argument --variant: 'chess' is not a variant:
ugi --device engine:nodez=2 | 'engine:nodez=2': 'nodez' is unknown: use nodes
analyse line.txt --device engine:time=0 | 'engine:time=0': '0' is not a number of seconds from 0.001
info --device sim:2 | 'sim:2': '2' sets nothing: use NAME=VALUE
info --device sim:nodes=2 | 'sim:nodes=2': 'nodes' cannot be set: use one of lanes, grid, clock,
play --device engine:colour=1 | 'engine:colour=1': 'colour' is unknown: use time, nodes, cycles,
play --level easy --device sim | argument --device: not allowed with argument --level
play --level best | argument --level: invalid choice: 'best' (choose from 'beginner', 'easy',
play --from no/such@3 | cannot read no/such: No such file or directory
play --from line.txt | --from line.txt: the game is over there; FILE@N goes back to turn N
play --from line.txt@20 | --from line.txt@20: the game has only 19 turns
play --variant go | argument --variant: 'go' is not a variant: use
play --clock -1 | argument --clock: '-1' is not a clock: use
play --save /no/file | cannot write /no/file: No such file or directory
puzzle --level 1 | argument --level: '1' is not a whole number from 2 to 7
puzzle --number 0 | argument --number: '0' is not a whole number from 1
puzzle --seed x | argument --seed: 'x' is not
referee --white random --red random --save x --live x | --live and --save are the same file, x:
match random random --alpha 0.1 | --alpha and --beta say how often --sprt may be wrong: give it, too
match random random --save '' | cannot write .: it is no plain file
match random random --openings '' | cannot read .: Is a directory
match random random --save x --live x | --live and --save are the same file, x: name another one
tournament random random random --save x --live x.journal | --live and FILE.journal are the same
analyse line.txt --annotate x --html x | --html and --annotate are the same file, x: name another
show line.txt -o line.txt | -o and FILE are the same file, line.txt: name another one
demo --turns 256 | argument --turns: '256' is not a whole number from 1 to 255
demo --pause -1 | argument --pause: '-1' is not a number of seconds from 0 to 3600
demo --pause nan | argument --pause: 'nan' is not a number of seconds from 0 to 3600
demo --white x --red x | 'x' can play one colour only
moves --variant Standard | argument --variant: 'Standard' is not a variant: use standard,
moves --variant= | argument --variant: '' is not a variant: use
moves --variant limited-0 | argument --variant: 'limited-0' is not a variant: use
moves --variant limited-1000 | argument --variant: 'limited-1000' is not a variant: use
moves @0/ seven | turn 2: 'seven'
perft 2 @0/ seven | turn 2: 'seven'
moves @0/ --json seven | turn 2: 'seven'
moves @0/ -- -x | turn 2: '-x'
moves @0/ --jason B1+ | unrecognized arguments: --jason
perft -- 0 | argument DEPTH: '0' is not a whole number from 1 to 99 (see loopline perft --help)
perft -- -1 | argument DEPTH: '-1' is not a whole number from 1 to 99
perft -- 1.5 | argument DEPTH: '1.5' is not a whole number from 1 to 99
perft -- '' | argument DEPTH: '' is not a whole number from 1 to 99
convert no/such/file | cannot read no/such/file: No such file or directory
convert line.txt -o . | cannot write .: Is a directory
convert . | cannot read .: Is a directory
convert '' | cannot read '': No such file or directory
analyse line.txt --device x@y | 'x@y' is not a device: use sim[:NAME=VALUE,...], engine
analyse line.txt --device sim --seed 1 | --seed is for the engine, not for 'sim'
analyse line.txt --nodes 0 | argument --nodes: '0' is not a whole number from 1 to
analyse line.txt --depth x | argument --depth: 'x' is not a whole number from 1 to
match greedy random --nodes 9 | --nodes and --depth are for a device or engine
referee --white tcp:localhost:1 --red greedy --nodes 9 | --nodes and --depth are for a device or
referee --white random | the following arguments are required: --red
referee --white @ --red random | '@' is not a device: use sim, PORT
referee --white random:x --red random | 'random:x': a seed is a number, as in random:1
referee --white tcp:5000 --red random | 'tcp:5000' names no address: use tcp:HOST:PORT
referee --white tcp-listen:x --red random | 'tcp-listen:x' names no address: use tcp-listen:PORT
referee --white cmd: --red random | 'cmd:' names no program
referee --white /no/p --red /no/p | '/no/p' can play one colour only
referee --white random --red random --clock x | argument --clock/--time: 'x' is not a clock
referee --white random --red random --limit 0 | argument --limit: '0' is not a whole number from 1
referee --white random --red random --variant x | argument --variant: 'x' is not a variant
referee --white random --red random --opening x | turn 1: 'x'
referee --white random --red random --opening '@0/ B1\ A2\' | --opening: the game would be over
referee --white random --red random --save /no/f | cannot write /no/f
referee --white random --red random --json --quiet | argument --quiet: not allowed with
referee --white random --red human --json | --json prints no board that a person could play on
show --turns seven | turn 1: 'seven'
show --turns @0/ --at 2 | --at 2: the game has only 1 turn
show line.txt --at 20 | --at 20: the game has only 19 turns
show --at -1 | argument --at: '-1' is not a whole number from 0 to
show --at x | argument --at: 'x' is not a whole number from 0 to
show line.txt --game 0 | argument --game: '0' is not a whole number from 1 to
show line.txt --game 2 | line.txt holds 1 game: there is no game 2
show --game 1 | --game picks a game of FILE, but there is no FILE
show no-such-file | cannot read no-such-file: No such file or directory
show -o no-such-folder/x.svg | cannot write no-such-folder/x.svg: No such file or directory
show --format bmp | argument --format: invalid choice: 'bmp'
show --theme pink --format svg | argument --theme: invalid choice: 'pink'
show --theme dark | --theme is for --format svg, png or gif, not for text
show --numbers --format ascii | --numbers is for --format svg, png or gif, not for ascii
show --no-labels -o x.txt | --no-labels is for --format svg, png or gif, not for text
show -o x.jpg | x.jpg does not tell the format: use .txt, .svg, .png, .gif or --format
show --format png -o x.svg | --format png does not go with a file named x.svg
show --scale 2 --format svg | --scale is for --format png or gif, not for svg
show --width 99 -o x.txt | --width is for --format png or gif, not for text
show --width 0 | argument --width: '0' is not a whole number from 1 to 10000
show --width 9 --scale 2 | argument --scale: not allowed with argument --width
show --scale x | argument --scale: 'x' is not a number from 0.1 to 20
show --scale nan | argument --scale: 'nan' is not a number from 0.1 to 20
show --delay 0 | argument --delay: '0' is not a number of seconds from 0.1 to 60
show --delay 1 | --delay is for --format gif or --animate: nothing else moves
show --animate -o x.png | --animate is for --format svg or gif, not for png
show --threats -o x.gif | --threats is for one position, not for a whole game
show --variant chess | argument --variant: 'chess' is not a variant:
show --variant mini --turns seven | turn 1: 'seven'
show --turns '@0/ A2+' --scale 20 --at 1 -o nowhere/x.png | cannot write nowhere/x.png: No such file
analyse line.txt --device engine,engine:nodes=0 | 'engine:nodes=0': nodes: '0' is not a whole
play --from line.txt@NINES | --from line.txt@99999999...: a game has not so many turns
serve --page FARNAME | cannot read FARNAME/page.json: File name too long
show --turns 'WIDE' --scale 20 -o x.png | a picture has 1 to 10000 pixels
show line.txt --turns @0/ | argument --turns: not allowed with argument FILE
"""
"""Command lines, and how the line on standard error begins after the command's name."""

NEGATIVE = r"""
moves @0/ C7+ | turn 2 is illegal: C7+: C7 is not adjacent to any tile
perft 2 @0/ C7+ | turn 2 is illegal: C7+: C7 is not adjacent to any tile
show --turns '@0/ X9+' | turn 2 is illegal: X9+: X9 is not adjacent to any tile
show --turns '@0/ X9+' -o x.gif | turn 2 is illegal: X9+: X9 is not adjacent to any tile
show --variant mini --turns '@0+ B1+ C1+ D1+' | turn 4 is illegal: D1+:
demo --red random --white /no/other | white: cannot open /no/other: No such file or directory
referee --white random --red random --opening '@0/ Z1+' | turn 2 is illegal: Z1+:
"""

LONG = {"NINES": "9" * 5000, "FARNAME": "x" * 300}
WIDE = "@0+ B1+ C1+ D1+ E1+ F1+ G1+" + " @1\\ @1/" * 11


def cases(text: str) -> list[tuple[str, str]]:
    """The lines of a table, as command line and message."""
    lines = [line.split(" | ") for line in text.strip().splitlines()]

    def filled(text: str) -> str:
        return re.sub("WIDE|NINES|FARNAME", lambda found: {"WIDE": WIDE, **LONG}[found[0]], text)

    return [(filled(command), filled(message)) for command, message in lines]


@pytest.mark.parametrize(
    ("status", "command", "message"),
    [
        *((2, *case) for case in cases(WRONG_USE)),
        *((1, *case) for case in cases(NEGATIVE)),
    ],
)
def test_errors(
    status: int, command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(LINE, tmp_path)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)
    done = loopline(*words)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(f"loopline {words[0]}: {message}")
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == [LINE.name]


def test_openings_are_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("@0/ B1+\n", encoding="utf-8")
    words = ("match", "random", "random", "--openings", str(path), "--save", str(path))
    done = loopline(*words, "--overwrite")
    said = f"--save and --openings are the same file, {path}: name another one"
    assert (done.returncode, done.stderr) == (2, f"loopline match: {said}\n")
    assert path.read_text(encoding="utf-8") == "@0/ B1+\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("analyse - --annotate {}", "--annotate and standard input"),
        ("analyse line.txt --annotate {}", "--annotate and standard output"),
        ("analyse line.txt --html {}", "--html and standard output"),
        ("show - -o {}", "-o and FILE"),
    ],
)
def test_a_standard_stream_may_be_the_same_file(command: str, said: str, tmp_path: Path) -> None:
    """A game that is added to the file that is read would be read, and added, without end."""
    games = tmp_path / "games.txt"
    games.write_text("@0/\n@0+\n", encoding="utf-8")
    words = command.format(games).replace("line.txt", str(LINE)).split()
    limited = ["bash", "-c", 'ulimit -f 100; exec "$@"', "bash", *COMMAND, *words]
    with games.open("r+") as file:
        done = subprocess.run(
            limited,
            stdin=file if "-" in words else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if "-" in words else file,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    message = f"loopline {words[0]}: {said} are the same file, {games}: name another one\n"
    assert (done.returncode, done.stderr) == (2, message)
    assert games.read_text(encoding="utf-8") == "@0/\n@0+\n"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("match random random --save NAME", "cannot write NAME: File name too long"),
        ("analyse line.txt --annotate NAME", "cannot write NAME: File name too long"),
        ("analyse line.txt --html NAME", "cannot write NAME: File name too long"),
        ("play --from NAME@5", "cannot read NAME: File name too long"),
        ("player --device cmd:~nosuch/x", "'cmd:~nosuch/x': ~nosuch/x has no home folder"),
    ],
)
def test_names_that_no_file_can_have(command: str, message: str) -> None:
    name = "n" * 300
    done = loopline(*command.replace("NAME", name).replace("line.txt", str(LINE)).split())
    said = f"loopline {command.split()[0]}: {message.replace('NAME', name)}\n"
    assert (done.returncode, done.stderr) == (2, said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "referee --red random --settle 0 --white {}",
            "loopline referee: white: cannot open {}: {}\n",
        ),
        ("info --device {}", "loopline info: cannot open {}: {}\n"),
        ("devices {}", ""),
    ],
)
def test_a_port_that_cannot_be_one(words: str, said: str, tmp_path: Path) -> None:
    link = tmp_path / "loop"
    link.symlink_to(link)
    long = tmp_path / ("n" * 256)
    for path, reason in (
        (link, "Too many levels of symbolic links"),
        (long, "File name too long"),
    ):
        done = loopline(*words.format(path).split())
        assert (done.returncode, done.stderr) == (1, said.format(path, reason))
        assert said or (str(path) in done.stdout and reason in done.stdout)


@pytest.mark.parametrize("name", ["puzzle", "engine"])
def test_a_seed_of_the_environment_that_is_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPLINE_SEED", "abc")
    words = ["-m", "loopline.host", "puzzle"] if name == "puzzle" else ["-m", f"loopline.{name}"]
    done = subprocess.run([sys.executable, *words], input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert b": LOOPLINE_SEED: 'abc' is not a whole number from 0 to 9" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", [["dance"], ["--nope"]])
def test_no_such_command(words: list[str]) -> None:
    done = loopline(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("loopline: ")
    assert done.stderr.endswith(" (see loopline --help)\n")


def test_all_variants_are_accepted_and_listed() -> None:
    assert variant_named("limited-10") == limited(10)
    text = " ".join(loopline("moves", "--help").stdout.split())
    assert f"the variant to play: {', '.join(VARIANTS)} or limited-N (standard)" in text
    for name in (*VARIANTS, "limited-10"):
        assert loopline("moves", "--variant", name).stdout == "@0+\n@0/\n"
    error = loopline("moves", "--variant", "chess").stderr
    accepted = "use standard, limited, deluxe, loop, mini or limited-N, as in limited-10 (see "
    assert f"'chess' is not a variant: {accepted}" in error
