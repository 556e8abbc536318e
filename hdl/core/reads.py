"""``READ``: a cell, or an entry of the frontier table with its cell and its tracks' other ends."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream

from loopline.hdl.config import GridConfig
from loopline.hdl.core.parts import Parts
from loopline.hdl.core.types import ReadKind, Status

__all__ = ["Read", "begin_read", "go_on_reading"]


class Read:
    """What is read, and how far that is: signals. The cell's coordinates are kept by the placer.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Attributes
    ----------
    index : ``grid.index_bits``
        The entry.
    of_space : 1
        It is one that is read, and not a cell.
    step : 2 bits
        What is shown: the entry, its coordinates, the cell, the outcome.
    """

    def __init__(self, grid: GridConfig):
        self.index = Signal(grid.index_bits, reset_less=True)
        self.of_space = Signal()
        self.step = Signal(2)


def begin_read(m: Module, read: Read, command: data.View) -> None:
    """Keep what the command asks for."""
    m.d.sync += [
        read.index.eq(command.index),
        read.of_space.eq(command.symbol.as_value() == ReadKind.SPACE.value),
        read.step.eq(0),
    ]


def go_on_reading(
    m: Module, parts: Parts, read: Read, outcomes: stream.Interface, ended: Signal
) -> None:
    """Read step by step, and then offer the outcome; ``ended`` is set if there is no such entry."""
    placer, spaces, outcome, step = parts.placer, parts.spaces, outcomes.payload, read.step
    m.d.comb += [
        spaces.index.eq(read.index),
        spaces.follow.eq((step != 0).replicate(2)),
        parts.joiner.index.eq(read.index),
        parts.looks.eq(step == 2),
        outcome.status.eq(Mux(ended, Status.END, Status.LEGAL)),
        placer.keep.eq(1),
        placer.jobs.payload.place.eq(spaces.entry.place),
        outcome.turn.x.eq(placer.place.x),
        outcome.turn.y.eq(placer.place.y),
        outcome.turn.index.eq(read.index),
        outcomes.valid.eq(step == 3),
    ]
    with m.If((step == 1) & read.of_space):
        m.d.comb += placer.keep.eq(0)
        m.d.sync += ended.eq(read.index >= spaces.high)
    with m.If(step != 3):
        m.d.sync += step.eq(step + 1)
