"""A contest player with a fault, as a program: ``python contestant.py [FAULT]``.

Without one it answers with the first legal turn. The faults come at its second turn, unless they
are about the beginning; ``FAULTS`` lists them all.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from pathlib import Path

from loopline.game import Position

FAULTS = (
    "dies-first",
    "dies-thinking",
    "dies-after",
    "killed",
    "killed-namelessly",
    "hangs",
    "half",
    "half-dies",
    "floods",
    "flood-of-lines",
    "flood-of-blanks",
    "two-turns",
    "illegal",
    "noise",
    "binary",
    "closes",
    "deaf",
)
LAST_WORDS = "contestant: out of ideas"


def contestant(*argv: str) -> str:
    """Return the spec of this player, as a program with these arguments."""
    return "cmd:" + shlex.join([sys.executable, "-W", "ignore", __file__, *argv])


def say(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def die(status: int = 3) -> None:
    print("contestant: thinking", LAST_WORDS, sep="\n", file=sys.stderr, flush=True)
    os._exit(status)


def fail(fault: str, turn: bytes) -> None:
    """Do at the second turn what the fault says."""
    match fault:
        case "dies-thinking":
            die()
        case "dies-after":
            say(turn + b"\n")
            die(0)
        case "killed":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "killed-namelessly":
            os.kill(os.getpid(), signal.SIGRTMIN + 6)
        case "hangs":
            time.sleep(600)
        case "half":
            say(turn[:2])
            time.sleep(600)
        case "half-dies":
            say(turn[:2])
            die()
        case "floods":
            while True:
                say(b"x" * 65536)
        case "flood-of-lines":
            while True:
                say((turn + b"\n") * 10000)
        case "flood-of-blanks":
            while True:
                say(b"\r\n" * 10000)
        case "two-turns":
            say(turn + b"\n" + turn + b"\n")
        case "illegal":
            say(b"Z99+\n")
        case "noise":
            say(b"I resign!\n")
        case "binary":
            say(b"\xff\x00\x81\n")
        case "closes":
            os.close(1)
            time.sleep(600)
        case _:
            say(turn + b"\n")


def main(fault: str = "", marks: str = "") -> None:
    """Play. With a file's name as ``marks``, note there what was started and heard."""
    if fault == "dies-first":
        die()
    if fault == "deaf":
        time.sleep(600)
    if fault == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = os.fork()
        if child == 0:
            os.close(0)
            time.sleep(600)
        Path(marks).write_text(f"{os.getpid()} {child}", encoding="ascii")
    position, answers = Position(), 0
    for line in sys.stdin:
        word = line.strip()
        if word == "-T":
            say(b"XY\n")
            continue
        if word in ("-W", "-B"):
            position, answers = Position(), 0
        elif word == "-S":
            continue
        else:
            position.play(word)
        if word != "-B" and not position.ending:
            answers += 1
            turn = str(position.legal_turns()[0]).encode()
            position.play(turn.decode())
            if answers == 2:
                fail(fault, turn)
            else:
                say(turn + b"\n")
    if fault == "stubborn":
        time.sleep(600)


if __name__ == "__main__":
    main(*sys.argv[1:])
