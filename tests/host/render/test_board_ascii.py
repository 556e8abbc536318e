import pytest

from loopline.host.render.text import board_ascii, board_text
from tests.host.program import position_after
from tests.host.render.test_board_text import random_position


@pytest.mark.parametrize("seed", range(10))
def test_ascii_is_ascii_and_has_the_shape_of_the_text(seed: int) -> None:
    position = random_position(seed, 30)
    last = position.history[-1]
    drawn = board_ascii(position, last=last, width=120)
    assert drawn.isascii()
    assert all(char.isprintable() or char == "\n" for char in drawn)
    text = board_text(position, last=last, width=120)
    blank = [[char == " " for char in line] for line in text.splitlines()]
    assert [[char == " " for char in line] for line in drawn.splitlines()] == blank


def test_ascii_tells_the_colours_apart() -> None:
    white_upright = board_ascii(position_after("@0+")).splitlines()[3]
    assert white_upright == " 1  : ---#--- :  1"
