"""The commands of other packages: ``loopline sim``, ``page``, ``trace``, ``boards``,
``build``, ``flash``, ``tune``, ``verilog``, ``report``, ``presets`` and ``bench``.

These packages have command lines of their own. The host starts them as programs and never imports
them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from loopline.tools.extras import require

__all__ = ["COMMANDS", "become_program"]

COMMANDS: Final[dict[str, tuple[tuple[str, ...], list[str]]]] = {
    "sim": (("sim",), ["loopline.sim"]),
    "page": ((), ["loopline.web"]),
    "trace": (("sim",), ["loopline.sim.waves.turns"]),
    "boards": (("boards",), ["loopline.boards", "list"]),
    "build": (("boards",), ["loopline.boards", "build"]),
    "flash": (("boards",), ["loopline.boards", "flash"]),
    "tune": (("boards",), ["loopline.boards", "tune"]),
    "verilog": (("boards",), ["loopline.boards", "verilog"]),
    "report": (("boards",), ["loopline.boards", "report"]),
    "presets": (("sim", "boards", "engine"), ["loopline.bench.measure.presets"]),
    "bench": ((), ["loopline.bench"]),
}
"""For each command: the extras that it needs, the package and the first words after it."""


def become_program(name: str, words: Sequence[str]) -> NoReturn:
    """Replace this process by the program of a command, with these words as its arguments.

    Raises :exc:`MissingExtraError` if the command needs an extra that is not installed.
    """
    extras, argv = COMMANDS[name]
    require("this command", *extras)
    sys.stdout.flush()
    sys.stderr.flush()
    # Its streams take all characters, as those of this process do.
    environment = {**os.environ, "PYTHONIOENCODING": f"{sys.stdout.encoding}:replace"}
    start = [sys.executable, "-m", "loopline.tools.start"]
    os.execve(sys.executable, [*start, *argv, *words], environment)
