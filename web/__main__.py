"""``loopline page``, also ``python -m loopline.web``: write the page to a folder."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from loopline.tools.arguments import Parser
from loopline.tools.extras import MissingExtraError
from loopline.tools.messages import tell
from loopline.tools.signals import handled_endings
from loopline.web.write_page import BuildError, write_page


def _parser() -> Parser:
    parser = Parser(
        prog="loopline page",
        description="Write the page for browsers to a folder: static files for any web server. "
        "The page plays against the gateware itself, the simulated board compiled to WebAssembly, "
        "which needs the extras `sim` and `compiler`.",
        examples=[
            "loopline page build/page",
            "python -m http.server --bind localhost --directory build/page",
        ],
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="made if it does not exist")
    parser.add_argument(
        "--without-board",
        action="store_true",
        help="no simulated board: the page plays with boards at serial ports, and with the devices "
        "of the server that it is from",
    )
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments; return the exit status."""
    parser = _parser()
    options = parser.parse_args(words)
    try:
        # A build that is ended leaves neither its tools nor its folder.
        with handled_endings():
            write_page(options.folder, board=not options.without_board)
    except (BuildError, MissingExtraError) as error:
        tell(f"{parser.prog}: {error}")
        return 2 if isinstance(error, MissingExtraError) else 1
    except OSError as error:
        reason = error.strerror or error  # those of shutil have no number
        tell(f"{parser.prog}: cannot write {error.filename or options.folder}: {reason}")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
