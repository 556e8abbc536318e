"""How ``show`` draws: the format, where to, how large, and what is marked."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from loopline.host.cli.options.notations import add_notation
from loopline.host.errors import UsageError
from loopline.host.render.page import LARGEST
from loopline.host.render.theme import THEMES

__all__ = ["PICTURES", "add_drawing", "drawing_format", "drawing_output"]

_FORMATS = ("text", "ascii", "svg", "png", "gif")
PICTURES = ("svg", "png", "gif")
"""The formats that are no text."""

_PIXELS = ("png", "gif")
_MOVING = ("svg", "gif")
_BY_SUFFIX = {"": "text", ".txt": "text", ".svg": "svg", ".png": "png", ".gif": "gif"}
_DELAY = (0.1, 60.0)
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


def add_drawing(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that the functions here and the drawing itself read."""
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


def drawing_output(arguments: argparse.Namespace) -> Path | None:
    """Return the file to write; none means standard output."""
    return None if arguments.output in (None, "-") else Path(arguments.output)


def drawing_format(arguments: argparse.Namespace) -> str:
    """Return the format, given or told by the output's name, if everything goes with it."""
    output = drawing_output(arguments)
    chosen: str | None = arguments.format
    if output:
        suffix = output.suffix.lower()
        told = _BY_SUFFIX.get(suffix)
        if chosen is None and told is None:
            endings = ", ".join(filter(None, _BY_SUFFIX))
            raise UsageError(f"{output} does not tell the format: use {endings} or --format")
        if chosen and told in PICTURES and told != chosen:
            raise UsageError(f"--format {chosen} does not go with a file named {output}")
        chosen = chosen or told
    chosen = chosen or "text"
    moving = chosen == "gif" or arguments.animate
    for given, option, formats in (
        (arguments.numbers, "--numbers", PICTURES),
        (arguments.labels is False, "--no-labels", PICTURES),
        (arguments.theme is not None, "--theme", PICTURES),
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
