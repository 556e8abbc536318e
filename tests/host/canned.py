"""A far end of a line that a test invents: what comes from it is known beforehand."""

from __future__ import annotations


class Canned:
    """A transport from which these pieces come, one with each read, then ``endless`` for ever."""

    def __init__(self, *pieces: bytes, endless: bytes = b"") -> None:
        self.path = "it"
        self.sent: list[bytes] = []
        self._pieces = list(pieces)
        self._endless = endless

    def open(self, seconds: float) -> None:
        pass

    def read(self, wait: float = 0.0) -> bytes:
        return self._pieces.pop(0) if self._pieces else self._endless

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def remark(self) -> str:
        return ""

    def close(self) -> None:
        pass
