"""``python -m loopline.host.device.model``: the model device on standard input and output."""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress
from typing import Final

from loopline.game.wire import FRAME_PAUSE_MS, PROGRESS_MS
from loopline.host.device.model.board import ModelBoard

_CHUNK: Final = 4096


def main() -> int:
    """Answer what comes on standard input, until it ends or nobody reads our answers."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)

    def notify() -> None:
        # If the pipe is full, we are awake anyhow.
        with suppress(BlockingIOError):
            os.write(wake, b"!")

    def send(data: bytes) -> None:
        while data:
            data = data[os.write(sys.stdout.fileno(), data) :]

    board = ModelBoard(send, notify)
    poll = select.poll()
    for descriptor in (sys.stdin.fileno(), woken):
        poll.register(descriptor, select.POLLIN)
    try:
        while True:
            pause = min(FRAME_PAUSE_MS, PROGRESS_MS) if board.busy else None
            ready = [descriptor for descriptor, _ in poll.poll(pause)]
            # First what is due: what has come meanwhile may have come too late.
            board.poll()
            if not ready:
                board.link.pause()
            if woken in ready:
                os.read(woken, _CHUNK)
            if sys.stdin.fileno() in ready:
                data = os.read(sys.stdin.fileno(), _CHUNK)
                if not data:
                    return 0
                board.link.receive(data)
            board.poll()
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    finally:
        board.close()


if __name__ == "__main__":
    sys.exit(main())
