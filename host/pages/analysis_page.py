"""The page of an analysis: all games in one HTML document, with its style and its script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from loopline.host.pages.game_section import AnalysedGame, game_section
from loopline.host.pages.markup import Markup, tag, text
from loopline.host.players.assessment import summarise
from loopline.host.render.theme import DARK, LIGHT, Theme
from loopline.host.render.wording import plural

__all__ = ["analysis_page"]

_HERE: Final = Path(__file__).parent


def analysis_page(games: Sequence[AnalysedGame], title: str, spec: str) -> str:
    """Return the page of analysed games.

    It has all that it needs in itself; the browser is told to load nothing and to run no script
    but the page's own. Equal analyses give equal pages.

    Parameters
    ----------
    games : sequence of AnalysedGame
        The games; several get a table of contents.
    title : str
        What was analysed.
    spec : str
        The device that analysed, with its limits.
    """
    style = Markup(
        f":root{{color-scheme:light dark;{_variables(LIGHT)}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}\n" + _file("page.css")
    )
    script = _file("steps.js")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag(
            "meta",
            http_equiv="Content-Security-Policy",
            content=f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
            f"style-src {_digest(style)}; script-src {_digest(script)}",
        ),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("link", rel="icon", href="data:,"),
        tag("title", text(f"Analysis of {title}")),
        tag("style", style),
    )
    about = f"{plural(len(games), 'game')}, analysed by "
    body = tag(
        "body",
        tag(
            "header",
            tag("h1", Markup("Analysis of "), tag("bdi", text(title))),
            tag("p", text(about), tag("code", text(f"loopline analyse --device {spec}"))),
            *([_contents(games)] if len(games) > 1 else []),
        ),
        tag("main", *map(game_section, games)),
        tag("footer", _guide()),
        tag("script", script),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _file(name: str) -> Markup:
    return Markup((_HERE / name).read_text(encoding="utf-8"))


def _digest(content: str) -> str:
    """Return how a security policy names a style or script: by its hash."""
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _variables(theme: Theme) -> str:
    """Return the colours of a theme as variables of CSS."""
    return "".join(f"--{name}:{colour};" for name, colour in asdict(theme).items())


def _contents(games: Sequence[AnalysedGame]) -> Markup:
    """Return the table of contents: each game, how it ended, the accuracies."""
    items = []
    for game in games:
        accuracies = ", ".join(
            f"{each.player.name.lower()} {each.accuracy:.1f} %" for each in summarise(game.assessed)
        )
        link = tag("a", game.title, href=f"#{game.anchor}")
        items.append(tag("li", link, tag("br"), text(f"{game.end} {accuracies}".strip())))
    return tag("nav", tag("h2", text("Games")), tag("ol", *items), aria_label="Games")


def _guide() -> Markup:
    """Return how the page is to be read."""
    sentences = (
        "A value is from the view of the side that makes the turn: in points, 128 for odds of e : "
        "1, or the number of turns of both sides until the game is won or lost by force.",
        "The loss is the expected score that a turn gives away: ?! marks 10 % or more, ? 20 % or "
        "more, ?? 40 % or more. ! marks a turn that gains 10 % or more beside the search's own.",
        "On a board, the last turn's own tile has a line around it, and the tiles that it forced "
        "have dashed ones. A golden halo marks the winning loop or line.",
    )
    return Markup(
        tag("h2", text("How to read it")) + "".join(tag("p", text(each)) for each in sentences)
    )
