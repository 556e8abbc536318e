"""What is said beside the board: clock, the turn to come, evaluation, threats, all turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from loopline.game import Colour, Played, Position
from loopline.host.players.analyst import Analysis
from loopline.host.render.wording import describe_end, describe_turn

__all__ = ["Panel", "evaluation", "minutes", "outlook", "turn_list"]


_HEADING = 2
"""The rows of the heading above the turns, with the blank one before it."""


class Panel(Vertical):
    """Sections of text, and the turns of the game: a quarter of the height if they need it."""

    def __init__(self) -> None:
        super().__init__()
        self._said, self._made = Static(id="said"), Static(id="made")
        self._sections = VerticalScroll(self._said, id="sections", can_focus=False)
        self._turns = VerticalScroll(self._made, id="turns", can_focus=False)
        self._rows = 0

    def compose(self) -> ComposeResult:
        """Arrange the widgets."""
        yield self._sections
        yield Static(Text("Turns", "bold"), id="heading")
        yield self._turns

    def on_resize(self, _event: events.Resize) -> None:
        """Share the height anew."""
        self._share()

    def show(self, sections: Sequence[tuple[str, str]]) -> None:
        """Show sections of a title and a text; those without a text are left out."""
        said = Text()
        for title, text in sections:
            if text:
                said.append(f"{title}\n", "bold")
                said.append(f"{text}\n\n")
        said.rstrip()
        if self._said.content != said:
            self._said.update(said)
            # The turns may have less room now.
            self._turns.scroll_end(animate=False)

    def show_turns(self, text: str) -> None:
        """Show the turns of the game, the last ones if there is no room for all."""
        self._made.update(Text(text))
        self._rows = text.count("\n") + 1
        self._share()
        self._turns.scroll_end(animate=False)

    def _share(self) -> None:
        # The sections get what the turns do not need, and three quarters at least.
        height = self.size.height - _HEADING
        self._sections.styles.max_height = height - max(2, min(self._rows, height // 4))


def minutes(seconds: float) -> str:
    """Return a time as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def outlook(outcome: tuple[Position, Played] | None, of: int) -> str:
    """Return what the chosen turn would do; ``of`` is the number of tiles that fit there."""
    if outcome is None:
        return ""
    after, played = outcome
    text = describe_turn(after, played)
    if after.ending:
        text += f" {describe_end(after)}"
    if of > 1:
        text += f" One of {of} tiles that fit."
    return text


def evaluation(colour: Colour, found: Analysis) -> str:
    """Return what a program that plays this colour has found: value, depth and line."""
    line = " ".join(map(str, found.line[:6]))
    ahead = f", {found.depth} ahead" if found.depth else ""
    return f"{colour.name.lower()} {found.value}{ahead}: {line}"


def turn_list(history: Sequence[Played]) -> str:
    """Return the turns of a game, two in each line."""

    def lines() -> Iterator[str]:
        for number in range(0, len(history), 2):
            pair = [str(played.turn) for played in history[number : number + 2]]
            yield f"{number + 1:3}. " + " ".join(f"{turn:7}" for turn in pair).rstrip()

    return "\n".join(lines())
