"""A contest player that answers when the test lets it, run as a program.

In its folder, ``pid`` is its process, ``heard`` has the lines it was sent, and each of its turns is
the text of ``answer``, for which it waits.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path


def main(folder: Path, code: str = "XX") -> None:
    (folder / "pid").write_text(str(os.getpid()))
    answer, thinks = folder / "answer", False
    for line in map(str.strip, sys.stdin):
        with (folder / "heard").open("a", encoding="ascii") as heard:
            heard.write(f"{line}\n")
        if line in ("-T", "-S"):
            thinks = False
            if line == "-T" or code == "LL":
                print(code, flush=True)
        else:
            thinks = thinks or line in ("-W", "-G", "-B")
            if thinks and line != "-B":
                while not answer.exists():
                    time.sleep(0.01)
                turn = answer.read_text()
                answer.unlink()
                print(turn, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
