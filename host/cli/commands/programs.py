"""The commands of other packages: ``loopline sim``, ``trace``, ``boards``, ``build``, ``report``
and ``bench``.

These packages have command lines of their own. The host starts them as programs and never imports
them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

__all__ = ["COMMANDS", "become_program"]

COMMANDS: Final = {
    "sim": ("loopline.sim",),
    "trace": ("loopline.sim.waves.turns",),
    "boards": ("loopline.boards", "list"),
    "build": ("loopline.boards", "build"),
    "report": ("loopline.boards", "report"),
    "bench": ("loopline.bench",),
}
"""For each command, the package and the first words of its command line."""


def become_program(name: str, words: Sequence[str]) -> NoReturn:
    """Replace this process by the program of a command, with these words as its arguments."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", *COMMANDS[name], *words])
