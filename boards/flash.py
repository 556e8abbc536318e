"""Write a bitstream to a board, ``loopline flash``.

::

    folder or archive of a build ──► manifest: board, checksum ──► programmer
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from loopline.boards.board import Board, Programmer
from loopline.boards.families import Family, ProjectFamily
from loopline.boards.table import find_board
from loopline.tools.arguments import Parser, checked
from loopline.tools.messages import signal_name

__all__ = ["SOURCES", "FlashError", "bitstream_of", "parse_flash", "run_flash"]

SOURCES = {
    "dfu-util": "apt install dfu-util, brew install dfu-util",
    "icesprog": "the folder tools of wuxx/icesugar, its maker's repository",
    "iceprog": "apt install fpga-icestorm",
    "openFPGALoader": "apt install openfpgaloader, brew install openfpgaloader; Debian's 0.10 does "
    "not know tangnano20k, tangprimer25k and icepi-zero",
    "tinyprog": "pip install tinyprog",
}
"""How to get each programmer."""

_SECONDS = 600.0
"""No board takes longer: a programmer that is not done then is ended."""

_GRACE_SECONDS = 3.0
"""What a programmer has to end, before it is killed."""

_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError),
    # NotImplementedError, RecursionError, and what Python raises for an encrypted file.
    RuntimeError,
    *(ValueError, LookupError, TypeError),
)
"""What is raised for archives and manifests that are damaged, or are none."""


class FlashError(Exception):
    """A board was not written to; the message is one line that says why."""


def bitstream_of(board: Board, source: Path) -> bytes:
    """Return the bitstream of a build for this board: of its folder, or of its archive.

    Raises :class:`FlashError` if there is none, if it is for another board, or if it is not the one
    of its manifest.
    """
    assert isinstance(board.family, Family)
    again = f"build it with loopline build {board.name}"
    name = board.family.bitstream
    try:
        manifest = json.loads(_read(source, "manifest.json"))
        if manifest["board"] != board.name:
            made_for = manifest["board"]
            raise FlashError(f"{source} is for the board {made_for}, not for {board.name}")
        bitstream, checksum = _read(source, name), manifest["sha256"][name]
    except FileNotFoundError as error:
        missing = Path(error.filename)
        what = f"no {source}" if missing == source else f"no {missing.name} in {source}"
        raise FlashError(f"there is {what}: {again}") from None
    except OSError as error:
        raise FlashError(f"cannot read {source}: {error.strerror}") from None
    except _DAMAGED:
        raise FlashError(f"{source} is no folder or archive of a build: {again}") from None
    if hashlib.sha256(bitstream).hexdigest() != checksum:
        raise FlashError(f"{name} in {source} is not the one of its manifest: {again}")
    return bitstream


def _read(source: Path, name: str) -> bytes:
    """Return a file of a folder or of an archive. Raises ``KeyError`` if the archive lacks it, and
    others of :data:`_DAMAGED`."""
    if source.is_dir():
        return (source / name).read_bytes()
    if source.exists() and not source.is_file():  # Reading a pipe or a device may have no end.
        raise zipfile.BadZipFile
    with zipfile.ZipFile(source) as archive:
        return archive.read(name)


def parse_flash(words: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments of ``loopline flash``."""
    parser = Parser(
        prog="loopline flash",
        description="Write a bitstream to a board, with the program that is for it. The bitstream "
        "has to be for this board, and the one that its manifest names.",
        examples=["loopline flash hx8k --dry-run", "loopline flash hx8k build/hx8k/hx8k.zip"],
    )
    add = parser.add_argument
    add("board", type=checked(find_board), metavar="BOARD", help="one that loopline boards lists")
    add(
        "archive",
        nargs="?",
        type=Path,
        metavar="ARCHIVE",
        help="the folder or the archive that loopline build has made (build/BOARD)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--sram",
        dest="target",
        action="store_const",
        const="sram",
        help="load the FPGA, until power-off",
    )
    where.add_argument(
        "--flash",
        dest="target",
        action="store_const",
        const="flash",
        help="write the memory that the FPGA is loaded from at power-on (default, if there is one)",
    )
    add("--dry-run", action="store_true", help="print the command, and do not run it")
    arguments = parser.parse_args(words)
    programmer = arguments.board.programmer
    ways = [name for name in ("flash", "sram") if getattr(programmer, name) is not None]
    arguments.target = arguments.target or ways[0]
    if arguments.target not in ways:
        parser.error(
            f"--{arguments.target}: {programmer.tool} cannot do that on {arguments.board.name}, "
            f"only --{ways[0]}"
        )
    return arguments


def run_flash(arguments: argparse.Namespace) -> None:
    """Do what the arguments ask for. Raises :class:`FlashError`."""
    board: Board = arguments.board
    if isinstance(board.family, ProjectFamily):
        raise FlashError(
            f"{board.name} gets its bitstream from {board.family.tool}: README.md of its project "
            "says how it is written to the board"
        )
    if board.too_small:
        raise FlashError(f"{board.name} is too small: {board.too_small}")
    source: Path = arguments.archive or Path("build") / board.name
    bitstream = bitstream_of(board, source)
    name = board.family.bitstream
    programmer, program = _choose(board.programmer, arguments.target)
    tool, options = programmer.tool, getattr(programmer, arguments.target)
    in_folder = source.is_dir()
    shown = shlex.join([tool, *options, str(source / name) if in_folder else name])
    if not in_folder:
        shown += f"  # of {source}"
    if arguments.dry_run:
        print(shown)
        return
    if program is None:
        raise FlashError(f"{tool} is not installed: {SOURCES.get(tool, 'see the board')}")
    print(f"{board.name}: {shown}", flush=True)
    with tempfile.TemporaryDirectory(prefix="loopline-") as made:
        # A copy, which stays the one that was checked.
        (Path(made) / name).write_bytes(bitstream)
        _run([program, *options, name], Path(made))
    print(f"{board.name}: done")


def _choose(first: Programmer, target: str) -> tuple[Programmer, str | None]:
    """Return the first programmer that is installed and can do it, and its path; ``first`` and
    None if there is none."""
    for programmer in filter(None, (first, first.other)):
        program = _find(programmer.tool)
        if program is not None and getattr(programmer, target) is not None:
            return programmer, program
    return first, None


def _find(tool: str) -> str | None:
    """Return the path of a programmer: on the path, or of a package next to the interpreter."""
    found = shutil.which(tool) or shutil.which(tool, path=str(Path(sys.executable).parent))
    return found and str(Path(found).absolute())


def _run(command: Sequence[str], folder: Path) -> None:
    """Run a programmer, whose output is ours, and end it when it is no longer waited for."""
    tool = Path(command[0]).name
    try:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise FlashError(f"{tool} does not run: {error.strerror}") from None
    try:
        status = process.wait(_SECONDS)
    except subprocess.TimeoutExpired:
        raise FlashError(f"{tool} was not done after {_SECONDS:g} seconds") from None
    finally:
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_SECONDS)
            process.kill()
            process.wait()
    if status < 0:
        raise FlashError(f"{tool} was ended by {signal_name(-status)}")
    if status:
        raise FlashError(
            f"{tool} failed with status {status}: is the board connected, and may you use its port?"
        )
