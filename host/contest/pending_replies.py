"""Which answers a device still owes, told from the lines that go to and fro."""

from __future__ import annotations

from loopline.game import STANDARD, Colour, Position, TraxError, Variant, parse_turn

__all__ = ["PendingReplies", "begins_anew"]


def begins_anew(line: str) -> bool:
    """Whether a line to the device drops the game that is on."""
    return line in ("-T", "-W", "-B", "-S")


class PendingReplies:
    """Follows a contest link from outside, its extension for set-ups included.

    Parameters
    ----------
    variant : Variant
        What the device plays.

    Attributes
    ----------
    code : bool
        Whether the answer to ``-T`` or ``-S`` is still to come.
    turn : bool
        Whether a turn of the device is still to come.
    """

    def __init__(self, variant: Variant = STANDARD) -> None:
        self.code = False
        self.turn = False
        self._variant = variant
        self._position: Position | None = None
        self._device: Colour | None = None
        """The device's side; none in a set-up."""

    def __bool__(self) -> bool:
        return self.code or self.turn

    @property
    def game(self) -> tuple[Position, Colour] | None:
        """The game so far and the device's side in it; none if the device plays none."""
        if self._position is None or self._device is None:
            return None
        return self._position, self._device

    def told(self, line: str) -> None:
        """Take note of a line to the device. Noise and illegal turns are owed no answer."""
        if line == "-T":
            self.code, self.turn, self._position, self._device = True, False, None, None
        elif line == "-S":
            self.code, self.turn, self._device = True, False, None
            self._position = Position(self._variant)
        elif line in ("-W", "-B"):
            self.turn = line == "-W"
            self._position = Position(self._variant)
            self._device = Colour.WHITE if self.turn else Colour.RED
        elif line == "-G":
            self._go()
        elif not self.turn and self._play(line):
            assert self._position is not None
            self.turn = self._device is not None and self._position.ending is None

    def heard(self, line: str) -> None:
        """Take note of a line from the device."""
        if self.code and len(line) == 2:
            self.code = False
        elif self.turn and self._play(line):
            self.turn = False

    def _go(self) -> None:
        """Let the device take the side to move, if there is a game that goes on."""
        if self._position is not None and self._position.ending is None:
            self._device = self._position.to_move
            self.turn = True

    def _play(self, line: str) -> bool:
        """Make a turn for whoever is to move; False if there is no game or it is no legal turn."""
        if self._position is None:
            return False
        try:
            self._position.play(parse_turn(line))
        except TraxError:
            return False
        return True
