"""``loopline show``: a position as text or as a picture, or a whole game as a moving one."""

from __future__ import annotations

import argparse
import sys

from loopline.game import Position
from loopline.host.cli.commands import Command
from loopline.host.cli.options.drawing import PICTURES, add_drawing, drawing_format, drawing_output
from loopline.host.cli.options.shown import Shown, add_game, reason, shown_game
from loopline.host.errors import UsageError
from loopline.host.render.animation import animated_svg
from loopline.host.render.svg import Look, board_svg
from loopline.host.render.terminal import terminal_width, wants_colour
from loopline.host.render.text import board_ascii, board_text
from loopline.host.render.theme import THEMES
from loopline.host.render.threats import Threats
from loopline.host.render.wording import area_note, end_note

__all__ = ["COMMAND"]

_USUAL_DELAY = 1.0
_UNLIMITED = sys.maxsize
"""The width of text in a file: tiles are drawn in full, and none is cut."""


def _configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_drawing(parser)


def _threats(position: Position) -> Threats:
    """Return the threats; a bar shows how far it is, where that takes long."""
    from loopline.host.ui.progress import console, progress

    with progress(console(error=True), "threats", "steps", lines=0) as update:
        return Threats.of(position, update)


def _text(arguments: argparse.Namespace, shown: Shown, style: str) -> str:
    """Return the drawing in characters, with what there is to say below it."""
    position = shown.position
    last = position.history[-1] if arguments.last and position.turns else None
    threats = _threats(position) if arguments.threats else None
    to_file = drawing_output(arguments) is not None
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
    from loopline.host.render.pixels import svg_png

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
        threats=_threats(position) if arguments.threats else None,
        **look,
    )
    if chosen == "svg":
        return svg
    return svg_png(svg, scale=arguments.scale or 1.0, width=arguments.width)


def _gif(arguments: argparse.Namespace, position: Position, look: Look) -> bytes:
    """Return the game as a GIF; a bar shows how far it is, where that takes long."""
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
    style = drawing_format(arguments)
    shown = shown_game(arguments)
    try:
        drawing = (_picture if style in PICTURES else _text)(arguments, shown, style)
    except ValueError as error:
        raise UsageError(str(error)) from error
    data = drawing.encode() if isinstance(drawing, str) else drawing
    output = drawing_output(arguments)
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
