"""``loopline ugi``: a player as an engine for tournament managers and graphical interfaces."""

from __future__ import annotations

import argparse
import os
import sys
import threading

from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import add_save, record_file
from loopline.host.cli.options.limits import add_limits, limited
from loopline.host.cli.options.players import add_player
from loopline.host.cli.options.positions import add_variant
from loopline.host.players.spec import PLAYER_TABLE
from loopline.host.ugi.player import UgiPlayer
from loopline.host.ugi.reader import Inbox
from loopline.host.ugi.ugi import GameFollower, Ugi

__all__ = ["COMMANDS"]

_DESCRIPTION = f"""
Speak the Universal Game Interface on standard input and output, for a player of any kind but
human. The program ends with quit or the end of the input; docs/ugi.md describes the commands.

{PLAYER_TABLE}
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    add_player(parser, "who plays", "engine")
    add_variant(parser)
    add_limits(parser)
    add_save(parser, "add the record of each game to FILE when the next one begins, or at the end")


class _Output:
    """Standard output for whole lines, from two threads and without a buffer."""

    def __init__(self) -> None:
        self._descriptor = sys.stdout.fileno()
        self._lock = threading.Lock()

    def say(self, line: str) -> None:
        data = line.encode("utf-8", "replace") + b"\n"
        with self._lock:
            while data:
                data = data[os.write(self._descriptor, data) :]


def _run(arguments: argparse.Namespace) -> int:
    output = _Output()
    file = record_file(arguments)
    game = GameFollower(file.add) if file else None
    with UgiPlayer(limited(arguments, arguments.device), arguments.variant, output.say) as player:
        ugi = Ugi(player, output.say, game)
        try:
            Inbox(sys.stdin.fileno(), output.say, lambda: player.starting).run(ugi.obey)
        finally:
            if game:
                game.end()
    return 0


COMMANDS = {
    "ugi": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline ugi",
            "loopline ugi --device /dev/ttyUSB0@115200 --save games.txt",
            r"printf 'position startpos moves @0/ B1+\ngo movetime 500\n' | loopline ugi",
        ),
        configure=_configure,
        run=_run,
    )
}
