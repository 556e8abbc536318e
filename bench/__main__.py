"""``loopline bench NAME``: run one of the benches."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from loopline.tools.arguments import choose_command

BENCHES = {
    "core": ("measure", "every candidate of recorded games: cycles, and faults against the model"),
    "games": ("measure", "whole games of the device over its serial port"),
    "random-positions": ("torture", "random turns, trials and resets: faults against the model"),
    "link": ("measure", "the framed link of a device: round trips and bytes per second"),
    "fuzz": ("torture.fuzz", "the design through its pins: anything at all, then a known game"),
    "soak": ("torture", "games while cable, board and host fail: board and host have to agree"),
    "fuzz-host": ("torture", "the parsers of the host: anything at all, and documented errors"),
    "inject": ("torture", "flip-flops that change by themselves: whether the board comes back"),
    "search": ("measure", "the search in software: its node signature and its speed"),
    "tactics": ("measure", "forced wins that the search in software finds, by length and limit"),
    "ladder": ("measure", "games of the search in software at several limits with other players"),
    "turn-unit": ("measure", "recorded games and perft on the turn unit, made and taken back"),
    "simulators": ("measure", "the player in CXXRTL and in Verilator"),
    "mutations": ("torture", "which tests find single faults that are planted in core and link"),
}
"""The benches: each one's room and what it measures; it is the module of its name there."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench that the first argument names with the others."""
    name, words = choose_command(
        "loopline bench",
        "Measure the gateware.",
        {name: what for name, (_, what) in BENCHES.items()},
        sys.argv[1:] if arguments is None else arguments,
        "loopline bench core --games 20",
    )
    room, _ = BENCHES[name]
    bench = importlib.import_module(f"loopline.bench.{room}.{name.replace('-', '_')}")
    try:
        status: int = bench.main(words)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
