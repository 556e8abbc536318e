"""Which answers a device still owes, told from the lines that go to and fro."""

from __future__ import annotations

from loopline.game import Colour, Position, TraxError, parse_turn

__all__ = ["AnswersDue"]


class AnswersDue:
    """Follows a contest link from outside.

    Attributes
    ----------
    code : bool
        Whether the answer to ``-T`` is still to come.
    turn : bool
        Whether a turn of the device is still to come.
    """

    def __init__(self) -> None:
        self.code = False
        self.turn = False
        self._position: Position | None = None
        self._device = Colour.WHITE

    def __bool__(self) -> bool:
        return self.code or self.turn

    def told(self, line: str) -> None:
        """Take note of a line to the device. Noise and illegal turns are owed no answer."""
        if line == "-T":
            self.code, self.turn, self._position = True, False, None
        elif line in ("-W", "-B"):
            self.turn = line == "-W"
            self._position = Position()
            self._device = Colour.WHITE if self.turn else Colour.RED
        elif self._play(line, self._device.other):
            assert self._position is not None
            self.turn = self._position.result is None

    def heard(self, line: str) -> None:
        """Take note of a line from the device."""
        if self.code and len(line) == 2:
            self.code = False
        elif self._play(line, self._device):
            self.turn = False

    def _play(self, line: str, colour: Colour) -> bool:
        position = self._position
        if position is None or position.result is not None or position.to_move is not colour:
            return False
        try:
            position.play(parse_turn(line))
        except TraxError:
            return False
        return True
