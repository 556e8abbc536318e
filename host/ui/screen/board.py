"""The board on the screen: it scrolls below its column names and beside its row names."""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from loopline.game import Played, Position
from loopline.host.render.text import HEIGHT
from loopline.host.render.threats import Threats
from loopline.host.render.view import Cell
from loopline.host.ui.screen.drawing import HEADING, Drawing, draw

__all__ = ["Board"]

_LABEL = Style(dim=True)


@lru_cache(maxsize=2048)
def _strip(line: str) -> Strip:
    """Return a line with ANSI colours as the screen has it."""
    text = Text.from_ansi(line)
    parts = [Segment(text.plain[start:end], style) for start, end, style in _runs(text)]
    return Strip(parts)


def _runs(text: Text) -> list[tuple[int, int, Style | None]]:
    """Return the pieces of a text, whose spans do not overlap, with their styles."""
    runs: list[tuple[int, int, Style | None]] = []
    at = 0
    for span in text.spans:
        if span.start > at:
            runs.append((at, span.start, None))
        style = span.style if isinstance(span.style, Style) else None
        runs.append((span.start, span.end, style))
        at = span.end
    if at < len(text.plain):
        runs.append((at, len(text.plain), None))
    return runs


class Board(ScrollView, can_focus=False):
    """Shows a position, and says which of its spaces is clicked."""

    class Clicked(Message):
        """A space was clicked."""

        def __init__(self, space: Cell) -> None:
            super().__init__()
            self.space = space

    def __init__(self) -> None:
        super().__init__(id="board")
        self._shown: tuple[Position, Cell | None, tuple[Position, Played] | None, Threats | None]
        self._shown = (Position(), None, None, None)
        self._drawing: Drawing = draw(Position(), 80)

    def show(
        self,
        position: Position,
        *,
        space: Cell | None = None,
        outcome: tuple[Position, Played] | None = None,
        threats: Threats | None = None,
        focus: Cell | None = None,
    ) -> None:
        """Show a position as :func:`.draw` does, and scroll to ``focus``."""
        self._shown = (position, space, outcome, threats)
        before = self._drawing.extent
        self._draw()
        after = self._drawing.extent
        # What is on the screen stays there when the formation grows to the west or north.
        self.scroll_to(
            self.scroll_offset.x + (before.west - after.west) * self._drawing.tile,
            self.scroll_offset.y + (before.north - after.north) * HEIGHT,
            animate=False,
        )
        if focus:
            self._scroll_to_space(focus)

    def _draw(self) -> None:
        position, space, outcome, threats = self._shown
        drawing = self._drawing = draw(
            position, self.size.width, space=space, outcome=outcome, threats=threats
        )
        self.virtual_size = Size(drawing.margin + drawing.width, HEADING + len(drawing.lines))
        self.refresh()

    def _scroll_to_space(self, space: Cell) -> None:
        """Scroll as little as possible so that a space, and those around it, are seen."""
        drawing, offset = self._drawing, self.scroll_offset
        left, top = drawing.place_of(space)
        wide, high = self.size.width - drawing.margin, self.size.height - HEADING
        around, above = (drawing.tile, HEIGHT) if high >= 3 * HEIGHT else (0, 0)
        x = min(max(offset.x, left + drawing.tile + around - wide), left - around)
        y = min(max(offset.y, top + HEIGHT + above - high), top - above)
        self.scroll_to(max(0, x), max(0, y), animate=False)

    def on_resize(self) -> None:
        """Draw tiles as wide as fits now."""
        self._draw()
        if self._shown[1]:
            self._scroll_to_space(self._shown[1])

    def render_line(self, y: int) -> Strip:
        """Return a line of the visible part."""
        drawing, width = self._drawing, self.size.width
        left = self.scroll_offset.x
        room = width - drawing.margin
        if y < HEADING:
            names = drawing.names[left : left + room]
            return self._whole(Strip([Segment(" " * drawing.margin + names, _LABEL)]))
        line = y - HEADING + self.scroll_offset.y
        if line >= len(drawing.lines):
            return self._whole(Strip([]))
        row = Strip([Segment(drawing.rows[line], _LABEL)])
        return self._whole(Strip.join([row, _strip(drawing.lines[line]).crop(left, left + room)]))

    def _whole(self, strip: Strip) -> Strip:
        return (
            strip.extend_cell_length(self.size.width, self.rich_style)
            .crop(0, self.size.width)
            .apply_style(self.rich_style)
        )

    def on_click(self, event: events.Click) -> None:
        """Say which space was clicked."""
        place = event.get_content_offset(self)
        if place is None or place.x < self._drawing.margin or place.y < HEADING:
            return
        space = self._drawing.space_at(
            place.x - self._drawing.margin + self.scroll_offset.x,
            place.y - HEADING + self.scroll_offset.y,
        )
        if space:
            self.post_message(self.Clicked(space))
