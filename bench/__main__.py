"""``loopline bench NAME``: run one of the benches."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from typing import NamedTuple

from loopline.bench.interruption import INTERRUPTED
from loopline.host.errors import DeviceError
from loopline.tools.arguments import choose_command
from loopline.tools.cache import BuildError
from loopline.tools.extras import MissingExtraError, require
from loopline.tools.messages import tell
from loopline.tools.pipes import lose_output


class Bench(NamedTuple):
    """A bench: the room with the module of its name, what it measures, and the extras it needs."""

    room: str
    what: str
    extras: tuple[str, ...]


BENCHES = {
    "core": Bench(
        "measure", "all candidates of games: cycles, and differences from the rules", ("sim",)
    ),
    "count": Bench(
        "measure",
        "legal turns counted by evaluator, turn unit and engine: their speed",
        ("sim", "engine"),
    ),
    "games": Bench("measure", "whole games of the device over its serial port", ("sim", "engine")),
    "random-positions": Bench(
        "torture", "random turns, evaluations and resets: differences from the rules", ("sim",)
    ),
    "link": Bench("measure", "the framed link of a device: round trips and bytes per second", ()),
    "fuzz": Bench(
        "torture.fuzz", "random input at the pins of the design, then a known game", ("sim",)
    ),
    "soak": Bench(
        "torture", "games while cable, board and host fail: whether both sides agree", ("sim",)
    ),
    "fuzz-host": Bench(
        "torture", "random input for the parsers of the host: only documented errors", ()
    ),
    "inject": Bench("torture", "upsets of single flip-flops: whether the board recovers", ("sim",)),
    "search": Bench("measure", "the engine: its node signature and its speed", ("engine",)),
    "lanes": Bench(
        "measure",
        "how much sooner several lanes of the engine reach a depth than one",
        ("engine",),
    ),
    "lane": Bench(
        "measure",
        "the search in gateware against the engine, and where its cycles go",
        ("sim", "engine"),
    ),
    "tactics": Bench(
        "measure", "forced wins that the engine finds, by length and limit", ("engine",)
    ),
    "turn-unit": Bench(
        "measure", "games and perft on the turn unit, turns made and unmade", ("sim",)
    ),
    "mutations": Bench(
        "torture",
        "which tests find single faults that are planted in the gateware",
        ("sim", "boards", "engine"),
    ),
}
"""The benches by name. Of ``link`` and ``fuzz-host`` their arguments say what they need."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench that the first argument names with the others."""
    name, words = choose_command(
        "loopline bench",
        "Measure the gateware.",
        {name: bench.what for name, bench in BENCHES.items()},
        sys.argv[1:] if arguments is None else arguments,
        "loopline bench core --games 20",
    )
    room, _, extras = BENCHES[name]
    try:
        require(name, *extras)
        bench = importlib.import_module(f"loopline.bench.{room}.{name.replace('-', '_')}")
        status: int = bench.main(words)
        sys.stdout.flush()
    except MissingExtraError as error:
        tell(f"loopline bench: {error}")
        return 2
    except BrokenPipeError:
        return lose_output()
    except (BuildError, BrokenExecutor, DeviceError, OSError) as error:
        tell(f"loopline bench {name}: {error}")
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED
    return status


if __name__ == "__main__":
    sys.exit(main())
