"""A file that has its old content or the whole new one, never a part."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from loopline.host.errors import UsageError

__all__ = ["WholeFile", "part_beside"]


def part_beside(target: Path) -> Path:
    """Return a new name in a file's folder for what is to take the file's place."""
    # Not the process's number alone: in containers it is that of one that was killed.
    return target.with_name(f".loopline-{os.getpid()}-{secrets.token_hex(4)}.part")


class WholeFile:
    """A file that is replaced as a whole, such as by a page or a picture.

    Parameters
    ----------
    path : Path
        The file. It is checked at once, before the work for what could not be written. It keeps its
        permissions; what a symbolic link points to is replaced, not the link.

    Raises
    ------
    UsageError
        If the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._target = path.resolve()
            if self._target.exists():
                if not self._target.is_file():
                    raise UsageError(f"cannot write {path}: it is no plain file")
                if not os.access(self._target, os.W_OK):
                    raise PermissionError(errno.EACCES, "")
            # Only whether its folder takes files.
            with TemporaryFile(dir=self._target.parent):
                pass
        except (OSError, RuntimeError) as error:
            raise UsageError(self._reason(error)) from error

    def replace(self, content: str | bytes) -> None:
        """Write the new content; UsageError if that fails, such as on a full disk."""
        part = part_beside(self._target)
        try:
            try:
                with part.open("xb") as file:
                    file.write(content.encode() if isinstance(content, str) else content)
                    file.flush()
                    os.fsync(file.fileno())
                if self._target.exists():
                    part.chmod(self._target.stat().st_mode & 0o777)
                part.replace(self._target)
            finally:
                with suppress(FileNotFoundError):
                    part.unlink()
        except OSError as error:
            raise UsageError(self._reason(error)) from error

    def _reason(self, error: Exception) -> str:
        number = error.errno if isinstance(error, OSError) else errno.ELOOP
        return f"cannot write {self._path}: {os.strerror(number or 0)}"
