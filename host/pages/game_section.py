"""One analysed game in a page: how it ended, its players, the score, and each turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final

from loopline.game import Colour, Played, Position, Turn
from loopline.host.pages.markup import Markup, tag, text
from loopline.host.pages.score_graph import MARK_CLASSES, score_graph
from loopline.host.players.assessment import BAD_MARKS, Assessment, Summary, summarise
from loopline.host.records.checked_games import CheckedGame
from loopline.host.render.svg import board_svg
from loopline.host.render.theme import Theme
from loopline.host.render.wording import describe_end, describe_turn, plural

__all__ = ["AnalysedGame", "game_section"]

_PAGE_THEME: Final = Theme(**{field.name: f"var(--{field.name})" for field in fields(Theme)})
"""The colours of boards: the page's variables, light or dark."""

_LONGEST_NAME: Final = 40
"""The most characters of a name in a heading; the tags below have all of it."""


@dataclass(frozen=True)
class AnalysedGame:
    """A recorded game with its analysis.

    Attributes
    ----------
    number : int
        Of the game in the page, from 1.
    file : str
        What its file is called.
    checked : CheckedGame
        The game, up to its end or its first error.
    assessed : sequence of Assessment
        Its turns, and the turn to come if the game is open.
    """

    number: int
    file: str
    checked: CheckedGame
    assessed: Sequence[Assessment]

    @property
    def anchor(self) -> str:
        """The id of its section."""
        return f"g{self.number}"

    @property
    def title(self) -> Markup:
        """The number of the game, and the players if they are known."""
        title = text(f"Game {self.number}")
        if any(self.name(player) for player in Colour):
            white, red = (self._short(player) for player in Colour)
            title = Markup(f"{title}: {white} – {red}")
        return title

    @property
    def end(self) -> str:
        """How the game has ended, or why it cannot be read to its end, as a sentence."""
        position, record, error = self.checked.reading
        if error:
            place = f"line {error.line}, column {error.column}"
            return f"The record is wrong at {place}: {error.reason}."
        return describe_end(position, record.ending if record else None)

    def name(self, player: Colour) -> str:
        """Return a player's name; nothing if it is not known."""
        record = self.checked.reading.record
        return record.tags.get(player.name.capitalize(), "") if record else ""

    def _short(self, player: Colour) -> Markup:
        name = self.name(player) or "?"
        short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
        return tag("bdi", text(short))


def game_section(game: AnalysedGame) -> Markup:
    """Return the section of a game."""
    anchor = game.anchor
    summaries = summarise(game.assessed)
    graph = score_graph(game.assessed)
    return tag(
        "article",
        tag("h2", game.title, id=f"{anchor}-title"),
        tag("p", text(game.end), class_="end"),
        _tags(game),
        _players(game, summaries),
        _graph_figure(graph) if graph else graph,
        tag(
            "div",
            _turn_list(game),
            tag("div", *_turns(game), class_="turns"),
            class_="body",
        ),
        class_="game",
        id=anchor,
        aria_labelledby=f"{anchor}-title",
    )


def _tags(game: AnalysedGame) -> Markup:
    """Return where the game comes from: its file and line, and the record's tags."""
    record = game.checked.reading.record
    rows = {"File": f"{game.file}, line {game.checked.line}"}
    rows["Variant"] = game.checked.reading.position.variant.name
    parts = [tag("dt", text(name)) + tag("dd", text(value)) for name, value in rows.items()]
    for name, value in (record.tags if record else {}).items():
        if name not in rows:
            parts.append(tag("dt", text(name)) + tag("dd", tag("bdi", text(value))))
    more = tag("dl", *map(Markup, parts))
    comments = _comments(game, 0)
    return Markup(tag("details", tag("summary", text("Record")), more, class_="tags") + comments)


def _comments(game: AnalysedGame, turns: int) -> Markup:
    """Return the record's comments after so many turns."""
    record = game.checked.reading.record
    texts = record.comments.get(turns, ()) if record else ()
    return Markup("".join(tag("p", tag("bdi", text(t)), class_="comment") for t in texts))


def _players(game: AnalysedGame, summaries: Sequence[Summary]) -> Markup:
    """Return the table of the players: accuracy, marks, missed wins, largest loss."""
    if not summaries:
        return Markup("")
    names = list(summaries[0].marks)
    heads = ["Player", "Accuracy", *names, "Missed wins", "Largest loss"]
    rows = []
    for player, _, accuracy, marks, worst in summaries:
        missed = sum(each.mover is player and each.missed_win > 0 for each in game.assessed)
        largest = text("-")
        if worst:
            turn = text(f"{worst.number}. {worst.played}")
            largest = tag("a", turn, href=f"#{game.anchor}-t{worst.number}")
            largest = Markup(f"{text(worst.loss_text)}, {largest}")
        cells = [text(f"{accuracy:.1f} %"), *(text(marks[name]) for name in names)]
        rows.append(
            tag(
                "tr",
                tag("th", _side(player), scope="row"),
                *(tag("td", cell) for cell in (*cells, text(missed), largest)),
            )
        )
    return _scrolled(
        tag("thead", tag("tr", *(tag("th", text(head), scope="col") for head in heads))),
        tag("tbody", *rows),
        label="Players",
    )


def _scrolled(*parts: Markup, label: str) -> Markup:
    """Return a table in a box that scrolls where the table is wider than the page."""
    table = tag("table", tag("caption", text(label), class_="unseen"), *parts)
    return tag("div", table, class_="scrolled", tabindex=0, role="region", aria_label=label)


def _side(player: Colour) -> Markup:
    """Return the name of a side, with a spot of its colour."""
    name = player.name.lower()
    spot = tag("span", class_=f"spot {name}", aria_hidden="true")
    return Markup(spot + tag("span", text(name.capitalize())))


def _graph_figure(graph: Markup) -> Markup:
    caption = text("Expected score: white's below the curve, red's above it")
    return tag("figure", graph, tag("figcaption", caption), class_="graph")


def _turn_list(game: AnalysedGame) -> Markup:
    """Return the table of the turns."""
    heads = ["Turn", "", "Played", "Value", "Best", "Value", "Loss"]
    rows = []
    for each in game.assessed:
        played = tag("td", text("-")), tag("td"), tag("td")
        if each.played:
            turn = Markup(text(each.played) + _mark(each))
            played = tag("td", turn), tag("td", text(each.value)), tag("td", text(each.loss_text))
        link = tag("a", text(each.number), href=f"#{game.anchor}-t{each.number}")
        rows.append(
            tag(
                "tr",
                tag("th", link, scope="row"),
                tag("td", _side(each.mover), class_="side"),
                *played[:2],
                tag("td", text(each.found.turn)),
                tag("td", text(each.best)),
                played[2],
                class_=MARK_CLASSES[each.mark] if each.played else None,
            )
        )
    table = _scrolled(
        tag("thead", tag("tr", *(tag("th", text(head), scope="col") for head in heads))),
        tag("tbody", *rows),
        label="Turns",
    )
    return tag("div", table, class_="list")


def _mark(each: Assessment) -> Markup:
    """Return the mark of a turn, with what it means for a screen reader."""
    if not each.mark:
        return Markup("")
    meaning = "better than the search"
    if each.mark in BAD_MARKS:
        meaning = f"loses {BAD_MARKS[each.mark]:.0%} or more"
    return tag("abbr", text(each.mark), title=meaning, class_=f"mark {MARK_CLASSES[each.mark]}")


def _turns(game: AnalysedGame) -> Iterator[Markup]:
    """Yield the section of each turn: its board, the values, and for a bad turn the best one."""
    end = game.checked.reading.position
    position = Position(end.variant)
    for each in game.assessed:
        anchor = f"{game.anchor}-t{each.number}"
        before = position.copy()
        if each.played:
            heading = Markup(
                f"{text(f'{each.number}. ')}{_side(each.mover)} {text(each.played)}{_mark(each)}"
            )
            made = position.play(each.played)
            label = describe_turn(position, made)
            if position.ending:
                label += f" {describe_end(position)}"
            board = _board(position, made, label)
        else:
            heading = Markup(f"{text(f'{each.number}. ')}{_side(each.mover)} to move")
            last = before.history[-1] if before.turns else None
            label = f"Turn {each.number}: {each.mover.name.lower()} is to move."
            board = _board(before, last, label)
        figures = [tag("figure", board, class_="board")]
        if each.mark in BAD_MARKS and each.found.turn != each.played:
            figures.append(_better(before, each.found.turn))
        yield tag(
            "section",
            tag("h3", heading, id=f"{anchor}-title"),
            figures[0],
            tag("div", *_words(game, each), class_="words"),
            *figures[1:],
            class_="turn",
            id=anchor,
            data_turn=each.number,
            aria_labelledby=f"{anchor}-title",
        )


def _board(position: Position, last: Played | None, label: str) -> Markup:
    """Return the drawing of a position, with a label for screen readers."""
    return Markup(board_svg(position, last=last, theme=_PAGE_THEME, alt=label))


def _better(position: Position, turn: Turn) -> Markup:
    """Return the board after the turn that the search has found."""
    made = position.play(turn)
    board = _board(position, made, f"Instead: {describe_turn(position, made)}")
    caption = tag("figcaption", text(f"instead: {turn}"))
    return tag("figure", board, caption, class_="board better")


def _words(game: AnalysedGame, each: Assessment) -> Iterator[Markup]:
    """Yield what is to say of a turn."""
    found = each.found
    rows = []
    if each.played:
        rows.append(("Played", f"{each.played}, {each.value}"))
    rows.append(("Best", f"{found.turn}, {each.best}"))
    if each.played:
        rows.append(("Loss", each.loss_text))
    line = " ".join(map(str, found.line))
    about = f"{found.value}, depth {found.depth}, {plural(found.nodes, 'node')}"
    rows += [("Variation", line), ("Search", about)]
    parts = [tag("dt", text(name)) + tag("dd", text(value)) for name, value in rows]
    yield tag("dl", *map(Markup, parts), class_="values")
    if each.missed_win:
        mover = each.mover.name.capitalize()
        yield tag(
            "p",
            text(f"{mover} misses a win in {plural(each.missed_win, 'turn')}."),
            class_="missed",
        )
    if each.played:
        yield _comments(game, each.number)
        end = game.checked.reading.position
        if each.number == end.turns:
            yield tag("p", text(game.end), class_="end")
