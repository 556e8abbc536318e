"""The replies that a device still owes, found from the lines in both directions."""

from __future__ import annotations

from loopline.game import STANDARD, Colour, Position, TraxError, Variant, parse_turn

__all__ = ["PendingReplies", "drops_game"]


def drops_game(line: str) -> bool:
    """Whether a line to the device makes it drop its game."""
    return line in ("-T", "-W", "-B", "-S")


class PendingReplies:
    """Follows the lines of a contest link, those of the extension included.

    Parameters
    ----------
    variant : Variant
        What the device plays.

    Attributes
    ----------
    code : bool
        Whether the device owes the reply to ``-T`` or ``-S``.
    turn : bool
        Whether the device owes a turn.
    """

    def __init__(self, variant: Variant = STANDARD) -> None:
        self.code = False
        self.turn = False
        self._variant = variant
        self._position: Position | None = None
        self._device: Colour | None = None
        """The device's side; None during a set-up."""

    def __bool__(self) -> bool:
        return self.code or self.turn

    @property
    def game(self) -> tuple[Position, Colour] | None:
        """The game so far and the device's side in it; None if the device plays no game."""
        if self._position is None or self._device is None:
            return None
        return self._position, self._device

    def sent(self, line: str) -> None:
        """Take note of a line to the device. It owes no reply to noise and to illegal turns."""
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

    def received(self, line: str) -> None:
        """Take note of a line from the device."""
        if self.code and len(line) == 2:
            self.code = False
        elif self.turn and self._play(line):
            self.turn = False

    def _go(self) -> None:
        """Give the device the side to move, if there is an open game."""
        if self._position is not None and self._position.ending is None:
            self._device = self._position.to_move
            self.turn = True

    def _play(self, line: str) -> bool:
        """Make a turn of the side to move; False if there is no game or the turn is not legal."""
        if self._position is None:
            return False
        try:
            self._position.play(parse_turn(line))
        except TraxError:
            return False
        return True
