"""``loopline show``: draw a position as text or as a picture, or a whole game as a moving one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

from loopline.game import Ending, Position, Variant, ending_of
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import (
    file_path,
    position_at,
    recorded_game,
    refuse_shared,
    replace_file,
)
from loopline.host.cli.options.positions import add_notation, add_variant, position_after
from loopline.host.errors import UsageError
from loopline.host.render.animation import animated_svg
from loopline.host.render.page import LARGEST
from loopline.host.render.svg import Look, board_svg
from loopline.host.render.terminal import terminal_width, wants_colour
from loopline.host.render.text import board_ascii, board_text
from loopline.host.render.theme import THEMES
from loopline.host.render.threats import Threats
from loopline.host.render.wording import area_note, end_note, plural
from loopline.tools.arguments import decimal_number, seconds, whole_number
from loopline.tools.extras import require

__all__ = ["COMMANDS"]

_DESCRIPTION = """
Draw the position after a game's last turn, or after N turns; without a game, the empty board. FILE
holds one game per line, or whole records as docs/records.md describes them. The last turn is
marked, its own tile and those that it forced, and so is the winner's loop or line.

text: box drawing characters, in colour on a terminal; ascii: plain characters; svg and png: a
picture; gif, or svg with --animate: the whole game up to the position. Exit status 1 if a turn is
illegal or FILE holds an illegal game, 2 if TURNS, FILE or an option cannot be used.
"""

_FORMATS = ("text", "ascii", "svg", "png", "gif")
_PICTURES = ("svg", "png", "gif")
_PIXELS = ("png", "gif")
_MOVING = ("svg", "gif")
_BY_SUFFIX = {"": "text", ".txt": "text", ".svg": "svg", ".png": "png", ".gif": "gif"}

_USUAL_DELAY = 1.0
_UNLIMITED = sys.maxsize
"""The width of text in a file: all tiles are drawn, and none is cut."""


def _configure(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    _add_drawing(parser)


# The position to draw.


class _Shown(NamedTuple):
    """A position with the game that led to it, and the game's ending; None if it goes on."""

    position: Position
    ending: Ending | None


def _add_game(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that :func:`_shown_game` reads."""
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="recorded games; - for standard input"
    )
    parser.add_argument("--turns", metavar="TURNS", help="the game itself, such as '@0/ B1+'")
    parser.add_argument(
        "--game", type=whole_number(1), metavar="N", help="the number of the game in FILE (1)"
    )
    parser.add_argument(
        "--at",
        type=whole_number(),
        metavar="N",
        help="the position after N turns; default: after all",
    )
    add_variant(parser, "the variant of games without the tag Variant")


def _shown_game(arguments: argparse.Namespace) -> _Shown:
    """Return the position that the command line names.

    Raises
    ------
    UsageError
        If there is no such file, game or turn, or a turn of the command line cannot be read.
    RefusalError
        If the record is wrong or a turn is illegal.
    """
    at: int | None = arguments.at
    variant: Variant = arguments.variant
    if arguments.file is None:
        if arguments.game is not None:
            raise UsageError("--game picks a game of FILE, but there is no FILE")
        texts = (arguments.turns or "").split()
        if at is not None and at > len(texts):
            raise UsageError(f"--at {at}: the game has only {plural(len(texts), 'turn')}")
        position = position_after(texts[:at], variant)
        return _Shown(position, ending_of(position))
    if arguments.turns is not None:
        raise UsageError("argument --turns: not allowed with argument FILE")
    record = recorded_game(arguments.file, variant, arguments.game or 1)
    position = position_at(record, at, f"--at {at}")
    whole = at is None or at == len(record.turns)
    return _Shown(position, record.ending if whole else None)


# The format, and the options that go with it.


def _add_drawing(parser: argparse.ArgumentParser) -> None:
    """Add the options of the format and the drawing."""
    parser.add_argument(
        "--format", choices=_FORMATS, help="what to write; default: by OUT's ending, or text"
    )
    yes_or_no = argparse.BooleanOptionalAction
    parser.add_argument("--last", action=yes_or_no, default=True, help="mark the last turn")
    parser.add_argument("--threats", action="store_true", help="mark what both players threaten")
    add_notation(parser)
    parser.add_argument(
        "--caption", action=yes_or_no, default=True, help="tell below the board how the game ended"
    )
    parser.add_argument(
        "--labels", action=yes_or_no, default=None, help="name columns and rows (text always does)"
    )
    parser.add_argument(
        "--numbers", action="store_true", help="write the numbers of turns on tiles (pictures)"
    )
    parser.add_argument(
        "--theme", choices=sorted(THEMES), help="the colours (pictures; default: light)"
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--scale",
        type=decimal_number(0.1, 20),
        metavar="X",
        help="the size, as a multiple of the usual one (png, gif)",
    )
    size.add_argument(
        "--width", type=whole_number(1, LARGEST), metavar="N", help="the width in pixels (png, gif)"
    )
    parser.add_argument(
        "--animate",
        action="store_true",
        help="show the whole game, tile by tile (svg; a gif always does)",
    )
    parser.add_argument(
        "--delay",
        type=seconds(0.1, 60),
        metavar="SECONDS",
        help="how long each turn is shown (default: 1)",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write; default: standard output"
    )


def _drawing_output(arguments: argparse.Namespace) -> Path | None:
    """Return the file to write; None means standard output."""
    return None if arguments.output in (None, "-") else Path(arguments.output)


def _drawing_format(arguments: argparse.Namespace) -> str:
    """Return the format, as named or by the output's ending.

    Raises :exc:`UsageError` for an option that the format does not take.
    """
    output = _drawing_output(arguments)
    chosen: str | None = arguments.format
    if output:
        suffix = output.suffix.lower()
        implied = _BY_SUFFIX.get(suffix)
        if chosen is None and implied is None:
            endings = ", ".join(filter(None, _BY_SUFFIX))
            raise UsageError(f"{output} does not tell the format: use {endings} or --format")
        if chosen and implied in _PICTURES and implied != chosen:
            raise UsageError(f"--format {chosen} does not go with a file named {output}")
        chosen = chosen or implied
    chosen = chosen or "text"
    moving = chosen == "gif" or arguments.animate
    for given, option, formats in (
        (arguments.numbers, "--numbers", _PICTURES),
        (arguments.labels is False, "--no-labels", _PICTURES),
        (arguments.theme is not None, "--theme", _PICTURES),
        (arguments.scale is not None, "--scale", _PIXELS),
        (arguments.width is not None, "--width", _PIXELS),
        (arguments.animate, "--animate", _MOVING),
    ):
        if given and chosen not in formats:
            *others, final = formats
            names = f"{', '.join(others)} or {final}"
            raise UsageError(f"{option} is for --format {names}, not for {chosen}")
    if arguments.delay is not None and not moving:
        raise UsageError("--delay is for --format gif or --animate: nothing else moves")
    if arguments.threats and moving:
        raise UsageError("--threats is for one position, not for a whole game")
    if chosen in _PIXELS and output is None and sys.stdout.isatty():
        raise UsageError(f"a {chosen} picture is not for the terminal: name a file with -o")
    return chosen


# The drawing.


def _threats(position: Position) -> Threats:
    """Return the threats, with a progress bar on a terminal."""
    from loopline.host.ui.progress import console, progress

    with progress(console(error=True), "threats", "steps", lines=0) as update:
        return Threats.of(position, update)


def _text(arguments: argparse.Namespace, shown: _Shown, style: str) -> str:
    """Return the drawing in characters, with the notes below it."""
    position = shown.position
    last = position.history[-1] if arguments.last and position.turns else None
    threats = _threats(position) if arguments.threats else None
    to_file = _drawing_output(arguments) is not None
    width = _UNLIMITED if to_file else terminal_width()
    notation = arguments.notation
    if style == "ascii":
        drawing = board_ascii(position, last=last, notation=notation, threats=threats, width=width)
    else:
        drawing = board_text(
            position,
            last=last,
            notation=notation,
            threats=threats,
            colour=not to_file and wants_colour(),
            width=width,
        )
    notes = [area_note(position), end_note(position, shown.ending)] if arguments.caption else []
    if threats and not position.ending:
        notes += list(threats.sentences(position, notation)) or ["There are no threats."]
    return drawing + "".join(f"{note}\n" for note in notes if note)


def _picture(arguments: argparse.Namespace, shown: _Shown, chosen: str) -> str | bytes:
    """Return the picture, still or moving."""
    if chosen in _PIXELS:
        require(f"a {chosen.upper()}", "pictures")
    position, caption = shown.position, ""
    if arguments.caption:
        caption = end_note(position, shown.ending)
    look: Look = {
        "numbers": arguments.numbers,
        "labels": arguments.labels is not False,
        "notation": arguments.notation,
        "ending": shown.ending,
        "caption": caption,
        "theme": THEMES[arguments.theme or "light"],
    }
    if chosen == "gif":
        return _gif(arguments, position, look)
    if arguments.animate:
        return animated_svg(
            position, delay=arguments.delay or _USUAL_DELAY, last=arguments.last, **look
        )
    svg = board_svg(
        position,
        last=position.history[-1] if arguments.last and position.turns else None,
        threats=_threats(position) if arguments.threats else None,
        **look,
    )
    if chosen == "svg":
        return svg
    # Imported here: the rest is drawn without the libraries for pixels.
    from loopline.host.render.pixels import svg_png

    return svg_png(svg, scale=arguments.scale or 1.0, width=arguments.width)


def _gif(arguments: argparse.Namespace, position: Position, look: Look) -> bytes:
    """Return the game as a GIF, with a progress bar on a terminal."""
    from loopline.host.render.pixels import game_gif
    from loopline.host.ui.progress import console, progress

    with progress(console(error=True), "drawing", "frames", lines=0) as update:
        return game_gif(
            position,
            scale=arguments.scale or 1.0,
            width=arguments.width,
            progress=update,
            delay=arguments.delay or _USUAL_DELAY,
            last=arguments.last,
            **look,
        )


def _run(arguments: argparse.Namespace) -> int:
    style = _drawing_format(arguments)
    source = None if arguments.file is None else file_path(arguments.file)
    refuse_shared({"FILE": source}, {"-o": _drawing_output(arguments)})
    shown = _shown_game(arguments)
    try:
        drawing = (_picture if style in _PICTURES else _text)(arguments, shown, style)
    except ValueError as error:
        raise UsageError(str(error)) from error
    data = drawing.encode() if isinstance(drawing, str) else drawing
    output = _drawing_output(arguments)
    if output is not None:
        replace_file(output, data)
    elif isinstance(drawing, str):
        sys.stdout.write(drawing)
    else:
        sys.stdout.buffer.write(data)
    return 0


COMMANDS = {
    "show": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline show --turns '@0/ B1\\ A2\\'",
            "loopline show game.txt --at 12 --threats --theme dark -o game.svg",
            "loopline show game.txt -o game.gif --delay 0.5 --width 400",
        ),
        configure=_configure,
        run=_run,
    )
}
