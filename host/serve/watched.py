"""A file of this machine that is shown while it is written, such as that of ``--live``."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from loopline.game.records.record_lines import LONGEST_GAME
from loopline.host.errors import UsageError

__all__ = ["Watched", "watched_files"]


class Watched:
    """One file, as it is now. It may come later, grow, be replaced, and go.

    Attributes
    ----------
    name : str
        What the page calls it: the file's name without its folder.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._text = ""

    def read(self) -> dict[str, str]:
        """Return the text of the file as ``record``, or one line on why it has none as ``problem``.

        The file is read if it has changed.
        """
        try:
            found = self._path.stat()
            seen = (found.st_ino, found.st_size, found.st_mtime_ns)
            if not stat.S_ISREG(found.st_mode):
                raise ValueError("is no plain file")
            if found.st_size > LONGEST_GAME:
                raise ValueError("is larger than a game")
            if seen != self._seen:
                self._text = self._path.read_bytes()[:LONGEST_GAME].decode()
                self._seen = seen
        except FileNotFoundError:
            return {"problem": f"{self.name} is not there yet"}
        except UnicodeDecodeError:
            return {"problem": f"{self.name} is no text"}
        except ValueError as error:
            return {"problem": f"{self.name} {error}"}
        except OSError as error:
            return {"problem": f"{self.name} cannot be read: {os.strerror(error.errno or 0)}"}
        return {"record": self._text}


def watched_files(paths: Sequence[Path]) -> tuple[Watched, ...]:
    """Return the files that a server shows.

    Raises :exc:`UsageError` if one is a folder, or two have the same name.
    """
    for path in paths:
        if path.is_dir():
            raise UsageError(f"--watch: {path} is a folder; name the file of a game")
    if len({path.name for path in paths}) != len(paths):
        raise UsageError("--watch: two files have the same name")
    return tuple(map(Watched, paths))
