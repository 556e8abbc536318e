"""The pictures of the documentation: drawn again by its commands, and its program run."""

import re
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from tests.host.program import loopline

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
GUIDE = PICTURES / "README.md"


COMMANDS = [line for line in GUIDE.read_text(encoding="utf-8").splitlines() if " show " in line]
DRAWN_BY_HAND = {"blocks.svg"}
FROM_A_BROWSER = {"page-desk.png", "page-phone.png"}


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("loopline show ")])
def test_a_picture_is_that_of_its_command(line: str, tmp_path: Path) -> None:
    *argv, option, name = shlex.split(line)[1:]
    assert option == "-o"
    argv = [str(PICTURES / word) if word.endswith(".txt") else word for word in argv]
    done = loopline(*argv, "-o", str(tmp_path / name))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / name).read_bytes() == (PICTURES / name).read_bytes()


def test_every_picture_has_a_command() -> None:
    made = {shlex.split(line)[-1] for line in COMMANDS if " -o " in line}
    others = {path.name for path in PICTURES.iterdir() if path.suffix not in (".txt", ".md")}
    assert made == others - DRAWN_BY_HAND - FROM_A_BROWSER


def test_program_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [program] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    for name in ("board.svg", "game.svg"):
        assert ET.parse(tmp_path / name).getroot().tag.endswith("svg")
    assert "Who is ahead?" in (tmp_path / "board.svg").read_text(encoding="utf-8")
    with Image.open(tmp_path / "board.png") as image:
        assert (image.format, image.width) == ("PNG", 800)
    with Image.open(tmp_path / "game.gif") as image:
        assert image.info["duration"] == 500
        assert image.n_frames > 1
