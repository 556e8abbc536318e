"""``loopline bench NAME``: run one of the benches."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from loopline.tools.arguments import choose_command
from loopline.tools.cache import BuildError
from loopline.tools.extras import MissingExtraError, require
from loopline.tools.messages import tell
from loopline.tools.pipes import lose_output

BENCHES = {
    "core": ("measure", "all candidates of games: cycles, and differences from the rules"),
    "count": ("measure", "legal turns counted by evaluator, turn unit and engine: their speed"),
    "games": ("measure", "whole games of the device over its serial port"),
    "random-positions": (
        "torture",
        "random turns, evaluations and resets: differences from the rules",
    ),
    "link": ("measure", "the framed link of a device: round trips and bytes per second"),
    "fuzz": ("torture.fuzz", "random input at the pins of the design, then a known game"),
    "soak": ("torture", "games while cable, board and host fail: whether both sides agree"),
    "fuzz-host": ("torture", "random input for the parsers of the host: only documented errors"),
    "inject": ("torture", "upsets of single flip-flops: whether the board recovers"),
    "search": ("measure", "the engine: its node signature and its speed"),
    "lanes": ("measure", "how much sooner several lanes of the engine reach a depth than one"),
    "lane": ("measure", "the search in gateware against the engine, and where its cycles go"),
    "tactics": ("measure", "forced wins that the engine finds, by length and limit"),
    "turn-unit": ("measure", "games and perft on the turn unit, turns made and unmade"),
    "mutations": ("torture", "which tests find single faults that are planted in the gateware"),
}
"""The benches: each one's room and what it measures; it is the module of its name there."""

_LIGHT = ("link", "fuzz-host")
"""The benches of the host alone. The others need the gateware, and what it is compared with."""


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
    try:
        if name not in _LIGHT:
            require(name, "sim", "boards", "engine")
        bench = importlib.import_module(f"loopline.bench.{room}.{name.replace('-', '_')}")
        status: int = bench.main(words)
        sys.stdout.flush()
    except MissingExtraError as error:
        tell(f"loopline bench: {error}")
        return 2
    except BrokenPipeError:
        return lose_output()
    except (BuildError, OSError) as error:
        tell(f"loopline bench {name}: {error}")
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
