"""``python -m loopline.engine``: the engine on standard input and output."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from loopline.engine.device.device import Device
from loopline.engine.options import add_search, config_of, limits_of
from loopline.game import STANDARD, VARIANT_NAMES, variant_named
from loopline.tools.arguments import Parser, checked, seed_from_time, whole_number
from loopline.tools.cache import BuildError
from loopline.tools.messages import tell

if TYPE_CHECKING:
    from pathlib import Path

    from loopline.engine.evaluation.weights import Weights
    from loopline.engine.search.searcher import Searcher
    from loopline.hdl.search.config import SearchConfig

_CHUNK = 4096


def _receive(seconds: float | None) -> bytes | None:
    """Return what comes on standard input within a time; None at its end."""
    if not select.select([0], [], [], seconds)[0]:
        return b""
    return os.read(0, _CHUNK) or None


def _send(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def _weights(path: Path, config: SearchConfig) -> Weights:
    """Read weights, and check that they fit. Raises :exc:`WeightsError` if not."""
    from loopline.engine.evaluation.weights import read_weights

    weights = read_weights(path)
    weights.check(config.widths.weight)
    return weights


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with these arguments until standard input ends. Return the exit status."""
    parser = Parser(
        prog="python -m loopline.engine",
        description=(
            "Play by the gateware's search, in software: obey the lines of the contest's protocol "
            "and the frames of Loopline's own on standard input, as a board does; see docs/link.md."
        ),
        examples=[
            r"printf -- '-T\n-W\n' | python -m loopline.engine --time 0.5",
            "loopline match 'engine:nodes=10000' greedy --clock none",
        ],
    )
    add_search(parser)
    parser.add_argument(
        "--variant",
        type=checked(variant_named),
        default=STANDARD,
        metavar="NAME",
        help=f"of contest games: {VARIANT_NAMES} (standard)",
    )
    parser.add_argument(
        "--ponder",
        type=whole_number(1),
        default=0,
        metavar="N",
        help="with --nodes or --cycles: so many more of these for a contest's turn after the "
        "opponent's expected one",
    )
    options = parser.parse_args(arguments)
    try:
        config = config_of(options.set)
        weights = _weights(options.weights, config) if options.weights else None
        game_seed = seed_from_time() if options.seed is None else options.seed
    except ValueError as error:
        parser.error(str(error))
    if options.ponder and not (options.nodes or options.cycles):
        parser.error("--ponder needs --nodes or --cycles")

    def load() -> Searcher:
        # Its modules take half a second, which commands other than SEARCH do not wait for.
        from loopline.engine.search.searcher import Searcher

        searcher = Searcher(config, weights)
        searcher.warm_up()
        return searcher

    device = Device(
        load,
        limits_of(options),
        _receive,
        _send,
        variant=options.variant,
        seed=options.seed,
        game_seed=game_seed,
        config=config,
        ponder=options.ponder,
    )
    try:
        device.run()
    except KeyboardInterrupt:
        return 130
    except BuildError as error:
        tell(f"{parser.prog}: {error}")
        return 1
    except BrokenPipeError:
        # The program at the other end has ended.
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
