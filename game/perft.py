"""Perft: the number of legal sequences of turns, the checksum of a move generator."""

from __future__ import annotations

from loopline.game.position import Position

__all__ = ["perft"]


def perft(position: Position, depth: int) -> int:
    """Count the sequences of ``depth`` legal turns from a position; finished games end early.

    The last turn of each sequence is counted without being made. The position is unchanged
    afterwards. Raises :exc:`ValueError` for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"a depth is 0 or more, not {depth}")
    if depth == 0:
        return 1
    if depth == 1:
        return position.count_legal_turns()
    count = 0
    for turn in position.legal_turns():
        position.play(turn)
        count += perft(position, depth - 1)
        position.undo()
    return count
