"""``python -m loopline.engine``: the twin as a player on standard input and output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from loopline.engine.analyst import Analyst
from loopline.engine.evaluation.weights import WeightsError
from loopline.engine.options import add_search, config_of, limits_of, weights_of
from loopline.engine.search.searcher import Searcher
from loopline.engine.session import Session
from loopline.game import variant_named

_EXAMPLE = """example:
  printf -- '-T\\n-W\\n' | python -m loopline.engine --time 0.5
  loopline match 'model:nodes=10000' greedy --clock none"""


class _Parser(argparse.ArgumentParser):
    """Says in one line what was wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _send(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments until standard input ends; the exit status."""
    parser = _Parser(
        prog="python -m loopline.engine",
        description=(
            "Play by the gateware's search, in software, and speak the contest's protocol on\n"
            "standard input and output, with -S and -G as Loopline's boards know them."
        ),
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_search(parser)
    parser.add_argument(
        "--variant",
        metavar="NAME",
        default="standard",
        help="standard, limited, deluxe, loop, mini or limited-N; default: %(default)s",
    )
    parser.add_argument(
        "--analyse",
        action="store_true",
        help="answer requests of positions instead, JSON objects; see analyst.py",
    )
    options = parser.parse_args(words)
    try:
        variant = variant_named(options.variant)
        searcher = Searcher(config_of(options.set), weights_of(options))
    except (ValueError, WeightsError) as error:
        parser.error(str(error))
    searcher.warm_up()
    kind = Analyst if options.analyse else Session
    session = kind(searcher, limits_of(options), _send, variant, options.seed)
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
