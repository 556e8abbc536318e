"""What a viewer shows of a waveform at first: signals in groups, in the order of the work."""

from __future__ import annotations

from typing import Final

__all__ = ["DESIGN", "TURN_UNIT"]

_COMMAND: Final = ("valid", "ready", "payload.op", "payload.x", "payload.y", "payload.symbol")
_OUTCOME: Final = (
    *("valid", "ready", "payload.status", "payload.tiles", "payload.loops", "payload.lines"),
)

TURN_UNIT: Final = {
    "command": ["clk", *(f"commands__{name}" for name in _COMMAND)],
    "placer": ["placer.state", "placer.tiles"],
    "cell map": [
        *("cells.read__en", "cells.read__x", "cells.read__y"),
        *("cells.write__en", "cells.write__x", "cells.write__y"),
        *("cells.write__cell.white", "cells.write__cell.red", "cells.write__cell.index"),
    ],
    "forced plays": [
        *("placer.queue.push", "placer.queue.place.x", "placer.queue.place.y"),
        *("placer.queue.pending__valid", "placer.queue.pending__ready"),
    ],
    "tracks": [
        *("joiner.state", "joiner.port__joins__valid", "joiner.port__joins__ready"),
        *("joiner.port__joins__payload.colour", "joiner.port__joins__payload.a.index"),
        *("joiner.port__joins__payload.b.index", "joiner.port__loops", "joiner.port__lines"),
    ],
    "journal": [
        *("placer.journal.push_tile", "placer.journal.push_track", "placer.journal.pop"),
        "placer.journal.level",
    ],
    "outcome": [f"outcomes__{name}" for name in _OUTCOME],
}
"""A turn in the turn unit."""

DESIGN: Final = {
    "pins": ["clk", "rx", "tx", "idle", "thinking", "over", "error"],
    "line received": [
        *("link.line_reader.line__chars__valid", "link.line_reader.line__chars__payload"),
        "link.line_reader.state",
    ],
    "command": [
        *("player.intake.commands__valid", "player.intake.commands__ready"),
        "player.intake.commands__payload.op",
        "player.intake.commands__payload.turn.column",
        "player.intake.commands__payload.turn.row",
        "player.intake.commands__payload.turn.symbol",
    ],
    "player": ["player.state", "player.setting_up", "player.to_move", "player.awaited"],
    "search": [
        *("lane.state", "lane.ply", "lane__best.score", "lane__best.depth", "lane.nodes"),
        *("player.clock.elapsed", "player.clock.late"),
    ],
    "turn unit": [
        *(f"unit.commands__{name}" for name in _COMMAND),
        "unit.placer.state",
        *(f"unit.outcomes__{name}" for name in _OUTCOME),
    ],
    "line sent": [
        *("link.line_writer.turns__valid", "link.line_writer.turns__ready"),
        "link.line_writer.turns__payload.column",
        "link.line_writer.turns__payload.row",
        "link.line_writer.turns__payload.symbol",
        *("link.line_writer.state", "link.line_writer.text__valid"),
        "link.line_writer.text__payload",
    ],
}
"""Lines at the pins of the whole design."""
