"""``loopline show``: a position as text or as a picture, or a whole game as a moving one."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from loopline.game import Position
from loopline.host.board_ascii import board_ascii
from loopline.host.board_notes import area_note, end_note
from loopline.host.board_page import LARGEST
from loopline.host.board_svg import Look, board_svg
from loopline.host.board_text import board_text
from loopline.host.board_threats import Threats
from loopline.host.commands import Command
from loopline.host.commands.notations import add_notation
from loopline.host.commands.shown import Shown, add_game, reason, shown_game
from loopline.host.errors import UsageError
from loopline.host.picture_animation import animated_svg
from loopline.host.terminal import terminal_width, wants_colour
from loopline.host.theme import THEMES

__all__ = ["COMMAND"]

_FORMATS = ("text", "ascii", "svg", "png", "gif")
_PICTURES = ("svg", "png", "gif")
_PIXELS = ("png", "gif")
_MOVING = ("svg", "gif")
_BY_SUFFIX = {"": "text", ".txt": "text", ".svg": "svg", ".png": "png", ".gif": "gif"}
_UNLIMITED = sys.maxsize
"""The width of text in a file: tiles are drawn in full, and none is cut."""

_DELAY = (0.1, 60.0)
_USUAL_DELAY = 1.0
_SCALE = (0.1, 20.0)


def _width(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= LARGEST):
        raise argparse.ArgumentTypeError(f"{text!r} is no width in pixels: use 1 to {LARGEST}")
    return int(text)


def _between(text: str, what: str, limits: tuple[float, float]) -> float:
    low, high = limits
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is no {what}: use {low:g} to {high:g}")
    return number


def _scale(text: str) -> float:
    return _between(text, "scale", _SCALE)


def _delay(text: str) -> float:
    return _between(text, "number of seconds", _DELAY)


def _configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--format", choices=_FORMATS, help="what to write; default: by OUT's ending, or text"
    )
    yes_or_no = argparse.BooleanOptionalAction
    parser.add_argument("--last", action=yes_or_no, default=True, help="mark the last turn")
    parser.add_argument("--threats", action="store_true", help="mark what both players threaten")
    add_notation(parser)
    parser.add_argument(
        "--caption", action=yes_or_no, default=True, help="say below the board how the game ended"
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
        "--scale", type=_scale, metavar="X", help="how much larger than usual (png, gif)"
    )
    size.add_argument("--width", type=_width, metavar="N", help="the width in pixels (png, gif)")
    parser.add_argument(
        "--animate", action="store_true", help="show the whole game, tile by tile (svg; gif does)"
    )
    parser.add_argument(
        "--delay", type=_delay, metavar="SECONDS", help="how long each turn is shown (default: 1)"
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write; default: standard output"
    )


def _output(arguments: argparse.Namespace) -> Path | None:
    """Return the file to write; none means standard output."""
    return None if arguments.output in (None, "-") else Path(arguments.output)


def _format(arguments: argparse.Namespace) -> str:
    """Return the format, given or told by the output's name, if everything goes with it."""
    output = _output(arguments)
    chosen: str | None = arguments.format
    if output:
        suffix = output.suffix.lower()
        told = _BY_SUFFIX.get(suffix)
        if chosen is None and told is None:
            endings = ", ".join(filter(None, _BY_SUFFIX))
            raise UsageError(f"{output} does not tell the format: use {endings} or --format")
        if chosen and told in _PICTURES and told != chosen:
            raise UsageError(f"--format {chosen} does not go with a file named {output}")
        chosen = chosen or told
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


def _text(arguments: argparse.Namespace, shown: Shown, style: str) -> str:
    """Return the drawing in characters, with what there is to say below it."""
    position = shown.position
    last = position.history[-1] if arguments.last and position.turns else None
    threats = Threats.of(position) if arguments.threats else None
    to_file = _output(arguments) is not None
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
        notes += list(threats.sentences(position, notation)) or ["Nobody threatens anything."]
    return drawing + "".join(f"{note}\n" for note in notes if note)


def _picture(arguments: argparse.Namespace, shown: Shown, chosen: str) -> str | bytes:
    """Return the picture, still or moving."""
    # Here, so that commands without pictures start without the libraries for pixels.
    from loopline.host.picture_png import svg_png

    position, caption = shown.position, ""
    if arguments.caption:
        caption = end_note(position, shown.ending)
    look: Look = {
        "numbers": arguments.numbers,
        "labels": arguments.labels is not False,
        "notation": arguments.notation,
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
        threats=Threats.of(position) if arguments.threats else None,
        **look,
    )
    if chosen == "svg":
        return svg
    return svg_png(svg, scale=arguments.scale or 1.0, width=arguments.width)


def _gif(arguments: argparse.Namespace, position: Position, look: Look) -> bytes:
    """Return the game as a GIF; a bar shows how far it is, where that takes long."""
    from loopline.host.picture_gif import game_gif
    from loopline.host.progress import console, progress

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
    style = _format(arguments)
    shown = shown_game(arguments)
    try:
        drawing = (_picture if style in _PICTURES else _text)(arguments, shown, style)
    except ValueError as error:
        raise UsageError(str(error)) from error
    data = drawing.encode() if isinstance(drawing, str) else drawing
    output = _output(arguments)
    if output is not None:
        try:
            output.write_bytes(data)
        except OSError as error:
            raise UsageError(f"cannot write {output}: {reason(error)}") from error
    elif isinstance(drawing, str):
        sys.stdout.write(drawing)
    else:
        sys.stdout.buffer.write(data)
    return 0


COMMAND = Command(
    name="show",
    summary="draw a position, as text or as a picture, or a whole game",
    description=(
        "Draw the position after a game's last turn, or after N turns; without a game, the empty\n"
        "board. FILE holds one game per line, or whole records as docs/records.md describes them.\n"
        "The last turn is marked, its own tile and those that it forced, and so is the winner's\n"
        "loop or line.\n\n"
        "text: box drawing characters, in colour on a terminal; ascii: plain characters; svg and\n"
        "png: a picture; gif, or svg with --animate: the whole game up to there. Exit status 1 if\n"
        "a turn is illegal or FILE holds no proper game, 2 if TURNS, FILE or an option cannot be\n"
        "used."
    ),
    examples=(
        "loopline show --turns '@0/ B1\\ A2\\'",
        "loopline show game.txt --at 12 --threats --theme dark -o game.svg",
        "loopline show game.txt -o game.gif --delay 0.5 --width 400",
    ),
    configure=_configure,
    run=_run,
)
