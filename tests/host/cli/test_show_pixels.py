"""``loopline show`` as it writes pictures of pixels: to files, to pipes, and not to terminals."""

import io
import os
import pty
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageColor

from loopline.host.render.theme import LIGHT
from tests.host.positions import FORCED_GAME
from tests.host.program import COMMAND, environment, loopline


@pytest.mark.parametrize("name", ["x.png", "x.PNG", "x.gif"])
def test_format_is_told_by_the_name(name: str, tmp_path: Path) -> None:
    words = ["show", "--turns", FORCED_GAME, "--width", "200"]
    done = loopline(*words, "-o", str(tmp_path / name))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with Image.open(tmp_path / name) as image:
        assert image.format == name[-3:].upper()
        assert image.width == 200


@pytest.mark.parametrize("style", ["png", "gif"])
def test_picture_goes_to_a_pipe_as_it_is(style: str) -> None:
    words = [*COMMAND, "show", "--turns", FORCED_GAME, "--format", style, "-o", "-"]
    done = subprocess.run(words, capture_output=True, env=environment(), check=True)
    with Image.open(io.BytesIO(done.stdout)) as image:
        assert image.format == style.upper()
        assert getattr(image, "n_frames", 1) == (4 if style == "gif" else 1)


@pytest.mark.parametrize("style", ["png", "gif"])
def test_picture_does_not_go_to_a_terminal(style: str) -> None:
    ours, terminal = pty.openpty()
    try:
        done = subprocess.run(
            [*COMMAND, "show", "--format", style],
            stdin=subprocess.DEVNULL,
            stdout=terminal,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    finally:
        os.close(terminal)
        os.close(ours)
    assert done.returncode == 2
    message = f"loopline show: a {style} picture is not for the terminal: name a file with -o\n"
    assert done.stderr.decode() == message


def test_sizes_delays_and_marks_reach_the_picture(tmp_path: Path) -> None:
    words = ["show", "--turns", FORCED_GAME]

    def image(*more: str) -> Image.Image:
        path = tmp_path / f"x.{more[0]}"
        assert loopline(*words, *more[1:], "-o", str(path)).returncode == 0
        with Image.open(path) as picture:
            return picture.copy()

    natural = image("png").size
    assert image("png", "--scale", "2").size == (2 * natural[0], 2 * natural[1])
    moving = image("gif", "--delay", "0.3")
    assert moving.info["duration"] == 300
    mark = ImageColor.getrgb(LIGHT.mark)
    for marked in ([], ["--no-last"]):
        colours = {c for _, c in image("png", *marked).convert("RGB").getcolors(99999) or ()}
        assert (mark in colours) == (not marked)
