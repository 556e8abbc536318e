"""``python -m loopline.engine``: the twin as a player on standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from loopline.engine.analyst import Analyst
from loopline.engine.evaluation.weights import WeightsError
from loopline.engine.options import add_search, config_of, limits_of, weights_of
from loopline.engine.search.searcher import Searcher
from loopline.engine.session import Session
from loopline.game import STANDARD, variant_named
from loopline.tools.arguments import Parser, checked


def _send(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments until standard input ends; the exit status."""
    parser = Parser(
        prog="python -m loopline.engine",
        description=(
            "Play by the gateware's search, in software, and speak the contest's protocol on "
            "standard input and output, with -S and -G as Loopline's boards know them."
        ),
        examples=[
            r"printf -- '-T\n-W\n' | python -m loopline.engine --time 0.5",
            "loopline match 'model:nodes=10000' greedy --clock none",
        ],
    )
    add_search(parser)
    parser.add_argument(
        "--variant",
        type=checked(variant_named),
        default=STANDARD,
        metavar="NAME",
        help="standard, limited, deluxe, loop, mini or limited-N (standard)",
    )
    parser.add_argument(
        "--analyse",
        action="store_true",
        help="answer requests of positions instead, JSON objects; see analyst.py",
    )
    options = parser.parse_args(words)
    try:
        searcher = Searcher(config_of(options.set), weights_of(options))
    except (ValueError, WeightsError) as error:
        parser.error(str(error))
    searcher.warm_up()
    kind = Analyst if options.analyse else Session
    session = kind(searcher, limits_of(options), _send, options.variant, options.seed)
    try:
        session.run(sys.stdin)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever asked is gone.
        sys.stderr.close()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
