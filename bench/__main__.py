"""``loopline bench NAME``: run one of the benches."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from loopline.bench.options import Parser

BENCHES = {
    "core": "every candidate of recorded games: cycles, and faults against the model",
    "games": "whole games of the device over its serial port",
    "random-positions": "random turns, trials and resets: faults against the model",
    "link": "the framed link of a device: round trips and bytes per second",
    "fuzz": "the design through its pins: anything at all, then a known game",
    "soak": "games while cable, board and host fail: board and host have to agree",
    "fuzz-host": "the parsers of the host: anything at all, and documented errors",
    "inject": "flip-flops that change by themselves: whether the board comes back",
    "search": "the search in software: its node signature and its speed",
    "tactics": "forced wins that the search in software finds, by length and limit",
    "ladder": "games of the search in software at several limits with other players",
    "turn-unit": "recorded games and perft on the turn unit, made and taken back",
    "simulators": "the player in CXXRTL and in Verilator",
    "mutations": "which tests find single faults that are planted in core and link",
}
"""The benches and what they measure; each is the module of its name with a ``main``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench that the first argument names with the others."""
    width = max(map(len, BENCHES))
    listed = "\n".join(f"  {name:{width}}  {what}" for name, what in BENCHES.items())
    parser = Parser(
        prog="loopline bench",
        usage="%(prog)s [-h] NAME ...",
        description=f"Measure the gateware.\n\nbenches:\n{listed}",
        epilog="example: loopline bench core --games 20",
    )
    parser.add_argument("name", choices=BENCHES, metavar="NAME", help="one of these")
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = parser.parse_args(words[:1]).name
    bench = importlib.import_module(f"loopline.bench.{name.replace('-', '_')}")
    try:
        status: int = bench.main(words[1:])
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
