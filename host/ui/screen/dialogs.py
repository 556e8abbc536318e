"""What is asked and explained above the board."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Label, OptionList, Static
from textual.widgets.option_list import Option

from loopline.game import Colour
from loopline.host.players.spec import LEVELS

__all__ = ["HUMAN", "SAME", "Help", "NewGame", "Wanted"]

SAME = "same"
HUMAN = "human"


class Wanted(NamedTuple):
    """The game that a person wants: the opponent's spec or :data:`SAME`, and the own colour."""

    opponent: str
    colour: Colour


class NewGame(ModalScreen[Wanted | None]):
    """Asks against whom to play, and which colour; None if the game on the board goes on.

    Parameters
    ----------
    opponent : str
        The name of the opponent of this game.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "begin('WHITE')", "White"),
        Binding("r", "begin('RED')", "Red"),
        Binding("enter", "begin('WHITE')", "White", show=False),
        Binding("escape,q", "dismiss", "Back"),
    ]

    def __init__(self, opponent: str) -> None:
        super().__init__()
        self._opponent = opponent

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        with Vertical(classes="dialog"):
            yield Label("A new game against")
            yield OptionList(
                Option(f"the same: {self._opponent}", SAME),
                *(Option(f"{name}: {spec}", spec) for name, spec in LEVELS.items()),
                Option("another person at this terminal", HUMAN),
                markup=False,
            )
            with Horizontal():
                yield Button("Play white (w)", id="WHITE", compact=True)
                yield Button("Play red (r)", id="RED", compact=True)
                yield Button("Back (esc)", id="back", compact=True)

    def on_option_list_option_selected(self) -> None:
        """Begin as white, as Enter and the mouse's second click ask for."""
        self.action_begin("WHITE")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Begin, or go back."""
        name = event.button.id
        if name and name in Colour.__members__:
            self.action_begin(name)
        else:
            self.dismiss(None)

    def action_begin(self, colour: str) -> None:
        """Begin a game in this colour against the opponent that is marked."""
        options = self.query_one(OptionList)
        spec = options.get_option_at_index(options.highlighted or 0).id or SAME
        self.dismiss(Wanted(spec, Colour[colour]))


class Help(ModalScreen[None]):
    """Explains the keys, the mouse and the rules.

    Parameters
    ----------
    text : str
        The explanation.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark", "dismiss", "Back"),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        with VerticalScroll(classes="dialog"):
            yield Static(self._text, markup=False)

    def on_click(self) -> None:
        """Go back."""
        self.dismiss()
