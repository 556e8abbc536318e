"""The game on the screen: keys, mouse and events of the game become what is shown."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static

from loopline.game import STANDARD, Colour, Position, Shape, Turn
from loopline.host.errors import UsageError
from loopline.host.players.analyst import Analysis
from loopline.host.render.threats import Threats
from loopline.host.render.view import Cell
from loopline.host.render.wording import area_note, describe_end, describe_rules, describe_turn
from loopline.host.ui.adviser import Advice, Adviser
from loopline.host.ui.opponent import Opponent
from loopline.host.ui.screen.board import Board
from loopline.host.ui.screen.choice import Choice
from loopline.host.ui.screen.dialogs import HUMAN, SAME, Help, NewGame, Wanted
from loopline.host.ui.screen.panel import Panel, evaluation, minutes, outlook, turn_list
from loopline.host.ui.session import (
    Asked,
    Ended,
    Event,
    Failed,
    Made,
    Noted,
    Ready,
    Session,
    TakenBack,
    Thought,
)
from loopline.tools.messages import tell
from loopline.tools.signals import handled_endings

__all__ = ["GameScreen", "play_on_screen"]

_GUEST = "Human"
"""The name of a person without one."""

_HELP = """\
The arrow keys or a click choose a space; Tab goes through all of them.
Space, or another click, shows the next tile that fits there; + / \\ show
one of them. You see what it forces, and a loop or line that it completes.
Enter plays it. Escape shows the board as it is.

u  takes your last turn back       h  lets the engine propose a turn
t  shows threats, or hides them    s  writes the game to a file
r  resigns                         n  begins a new game, at any level
m  plays again, colours exchanged  q  leaves

Corners on the board: the last turn ┌ ┐ and the tiles it forced · ·, the
turn to come ▛ ▜ and the tiles it would force ▘ ▝. W, R: white, red wins
there next turn; w, r: can make two attacks there. White is drawn with
double lines, red with single ones.

"""


class _Table(Screen[None]):
    """The screen below the dialogs, on which Tab goes through the spaces, not the widgets."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.move_on(1)", "Next space", show=False),
        Binding("shift+tab", "app.move_on(-1)", "Space before", show=False),
    ]


class GameScreen(App[None]):
    """Games of a session on the screen.

    Parameters
    ----------
    session : Session
        The games; the first one begins here.
    opponent : callable
        Returns the opponent of a spec, not opened yet.
    opening : sequence of Turn
        The turns after which the first game begins.
    now : callable
        The clock, in seconds.
    """

    TITLE = "Loopline"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { height: 1; padding: 0 1; text-style: reverse; }
    #board { width: 1fr; height: 1fr; background: $background; }
    #board, #sections, #turns { scrollbar-size: 1 1; }
    Panel { width: 30; padding: 0 0 0 1; border-left: vkey $foreground 30%; }
    #sections { height: auto; }
    #heading { height: 1; margin: 1 0 0 0; }
    #turns { height: 1fr; min-height: 2; }
    #message { height: auto; min-height: 2; max-height: 5; padding: 0 1; }
    NewGame, Help { align: center middle; }
    .dialog { width: 78; height: auto; max-height: 95%; border: round $foreground; padding: 0 1; }
    .dialog Horizontal { height: 1; }
    .dialog Button { margin: 0 2 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "Play"),
        Binding("space", "tile(1)", "Tile"),
        Binding("h", "hint", "Hint"),
        Binding("t", "threats", "Threats"),
        Binding("u", "undo", "Undo"),
        Binding("r", "resign", "Resign"),
        Binding("n", "new_game", "New"),
        Binding("m", "rematch", "Rematch"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "quit", "Quit"),
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True),
        Binding("s", "save", "Save", show=False),
        Binding("backspace", "tile(-1)", "Tile before", show=False),
        Binding("escape", "drop", "Board", show=False),
        Binding("left", "move(-1, 0)", "West", show=False),
        Binding("right", "move(1, 0)", "East", show=False),
        Binding("up", "move(0, -1)", "North", show=False),
        Binding("down", "move(0, 1)", "South", show=False),
        Binding("plus", "shape('+')", "Crossing", show=False),
        Binding("slash", "shape('/')", "Curve", show=False),
        Binding("backslash", "shape('\\\\')", "Curve", show=False),
    ]

    class _Happened(Message):
        def __init__(self, event: Event) -> None:
            super().__init__()
            self.event = event

    class _Advised(Message):
        def __init__(self, position: Position, advice: Advice) -> None:
            super().__init__()
            self.position, self.advice = position, advice

    class _Threatened(Message):
        def __init__(self, position: Position, threats: Threats) -> None:
            super().__init__()
            self.position, self.threats = position, threats

    def __init__(
        self,
        session: Session,
        opponent: Callable[[str], Opponent],
        opening: Sequence[Turn] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        # Without colour, Textual would use grey: only with the terminal's own colours none is used.
        if not os.environ.get("NO_COLOR"):
            os.environ.pop("NO_COLOR", None)
        super().__init__(ansi_color="NO_COLOR" in os.environ)
        self.session = session
        session.tell = self._tell
        self._opponent = opponent
        self._opening = opening
        self._now = now
        self._title = Static(id="title", markup=False)
        self._board, self._panel = Board(), Panel()
        self._said = Static(id="message", markup=False)
        self._adviser = Adviser()
        self._advising = False
        self._choice: Choice | None = None
        self._space: Cell | None = None
        self._threats: Threats | None = None
        self._wants_threats = False
        self._found: tuple[Colour, Analysis] | None = None
        self._over = ""
        self._used = [0.0, 0.0]
        self._since: float | None = None
        self._own_loop: asyncio.AbstractEventLoop | None = None

    def get_default_screen(self) -> Screen[None]:
        """Return the screen below the dialogs."""
        return _Table(id="_default")

    def compose(self) -> ComposeResult:
        """Arrange the widgets."""
        yield self._title
        yield Horizontal(self._board, self._panel)
        yield self._said
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Begin the first game."""
        self._own_loop = asyncio.get_running_loop()
        self.begin_capture_print(self)
        self.set_interval(0.5, self._show_panel)
        self.session.begin(self._opening)
        self._show_begun()

    def _tell(self, event: Event) -> None:
        """Take an event of the session, in any thread."""
        self._post(self._Happened(event))

    def _post(self, message: Message) -> None:
        """Take a message of another thread; one that comes when all is over is dropped."""
        with suppress(RuntimeError):  # the loop is closed
            self.post_message(message)

    # What has happened.

    def on_game_screen__happened(self, message: _Happened) -> None:
        """Show what has happened in the game."""
        event, session = message.event, self.session
        if not session.take(event):
            return
        match event:
            case Ready():
                self._since = self._now()
                self._show_title()
                if not session.people[session.position.to_move]:
                    self._say(
                        f"{self._last_turn()} {session.name(session.position.to_move)} thinks."
                    )
            case Asked():
                self._choice = Choice(session.position, self._space)
                self._space = self._choice.space
                self._start_threats()
                self._say(f"{self._last_turn()} {self._your_turn()}")
            case Made(played=played):
                self._count_time(played.colour)
                self._choice = self._threats = None
                self._space = (played.tiles[0].x, played.tiles[0].y)
                self._say(self._last_turn())
                self._show_turns()
            case Thought(colour=colour, found=found):
                self._found = colour, found
                self._show_panel()
                return
            case Noted(text=text):
                self._say(text)
            case TakenBack():
                self._show_begun()
            case Ended(failed=failed):
                self._stop()
                said = describe_end(session.position, session.ending)
                if failed or session.ending is None or not session.ending.on_the_board:
                    said += f" {_sentence(session.explanation)}"
                self._over = f"{said} u goes on, m is a rematch, n a new game."
                self._say(self._over)
            case Failed(text=text):
                self._stop()
                self._over = f"{_sentence(text)} n begins a new game."
                self._say(self._over)
                self._show_turns()
        self._show_board()

    def _last_turn(self) -> str:
        position = self.session.position
        return describe_turn(position, position.history[-1]) if position.turns else ""

    def _your_turn(self) -> str:
        colour = self.session.position.to_move
        name = f"{self.session.name(colour)}, your" if all(self.session.people) else "Your"
        how = "" if self.session.position.turns > 1 else ": choose a space, Enter plays, ? is help"
        return f"{name} turn ({colour.name.lower()}){how}."

    def _count_time(self, colour: Colour) -> None:
        now = self._now()
        if self._since is not None:
            self._used[colour] += now - self._since
        self._since = now

    def _stop(self) -> None:
        if self._since is not None:
            self._count_time(self.session.position.to_move)
        self._since = self._choice = None

    def _show_begun(self) -> None:
        """Show a game that has just begun, or goes on from an earlier turn."""
        session = self.session
        self._choice = self._threats = self._found = self._since = None
        if not session.position.turns:
            self._used = [0.0, 0.0]
            self._space = None
        self._show_title()
        self._say("The players are started ...")
        self._show_turns()
        self._show_board()

    def _show_title(self) -> None:
        session = self.session
        variant = "" if session.variant == STANDARD else f" ({session.variant})"
        white, red = (session.name(colour) for colour in Colour)
        self._title.update(f"Trax{variant}: {white} (white), {red} (red)")

    def on_print(self, event: events.Print) -> None:
        """Show what a program says while it starts."""
        if event.text.strip():
            self._say(event.text.strip().splitlines()[-1])

    def _say(self, text: str) -> None:
        self._said.update(text.strip())

    def _show_turns(self) -> None:
        self._panel.show_turns(turn_list(self.session.position.history))

    def _show_board(self) -> None:
        choice, session = self._choice, self.session
        self._board.show(
            session.position,
            space=choice.space if choice else None,
            outcome=choice.outcome() if choice else None,
            threats=self._threats,
            focus=choice.space if choice else self._space,
        )
        self._show_panel()

    def _show_panel(self) -> None:
        choice, session = self._choice, self.session
        turn = outlook(choice.outcome(), len(choice.turns)) if choice else ""
        threats = ""
        if self._wants_threats and session.ending is None:
            threats = "looked for ..." if session.asked else ""
            if self._threats:
                found = list(self._threats.sentences(session.position, "standard"))[1:]
                threats = "\n".join(found) or "Neither player has a threat."
        self._panel.show(
            [
                ("Players", "\n".join(map(self._player, Colour))),
                ("Room", area_note(session.position)),
                (str(choice.turn) if choice else "", turn),
                ("Evaluation", evaluation(*self._found) if self._found else ""),
                ("Threats", threats),
            ]
        )

    def _player(self, colour: Colour) -> str:
        """Return a line on a player: whether the player is to move, and the time used."""
        session = self.session
        moves = self._since is not None and session.position.to_move is colour
        spent = self._now() - self._since if moves and self._since is not None else 0.0
        text = (
            f"{'▶' if moves else ' '} {colour.name.lower():5} {minutes(self._used[colour] + spent)}"
        )
        if moves and session.asked and session.allowed is not None:
            text += f", {session.clock.left(session.allowed, spent)}"
        elif moves and not session.people[colour]:
            text += ", thinks"
        return text

    # What a person does.

    def action_play(self) -> None:
        """Play the chosen turn; choose one if none is."""
        if not self._choice:
            self._say(self._not_now())
        elif self._choice.turn is None:
            self.action_tile(1)
        else:
            turn = self._choice.turn
            self._choice = None
            self.session.play(turn)

    def _not_now(self) -> str:
        if self.session.ending or self.session.failed:
            return self._over
        return "It is not your turn; u takes your last turn back, n begins a new game."

    def _choose(self, change: Callable[[Choice], object]) -> None:
        if self._choice:
            change(self._choice)
            self._space = self._choice.space
            self._show_board()

    def action_tile(self, step: int) -> None:
        """Choose the next tile that fits."""
        self._choose(lambda choice: choice.next_tile(step))

    def action_shape(self, shape: str) -> None:
        """Choose the tile of this shape, if it fits."""
        self._choose(lambda choice: choice.take_shape(Shape(shape)))

    def action_move(self, across: int, down: int) -> None:
        """Look at the next space in a direction."""
        self._choose(lambda choice: choice.move(across, down))

    def action_move_on(self, step: int) -> None:
        """Look at the next space of all."""
        self._choose(lambda choice: choice.move_on(step))

    def action_drop(self) -> None:
        """Show the board as it is."""
        self._choose(Choice.drop)

    def on_board_clicked(self, message: Board.Clicked) -> None:
        """Look at a space, or at the next tile that fits there."""
        space = message.space

        def look(choice: Choice) -> None:
            if space == choice.space and choice.turn:
                choice.next_tile()
            else:
                choice.look_at(space)

        self._choose(look)

    def action_undo(self) -> None:
        """Take the last turn back."""
        game = self.session.position
        reason = self.session.undo()
        if reason:
            self._say(_sentence(reason))
        elif self.session.position is not game:
            self._show_begun()

    def action_resign(self) -> None:
        """Give the game up."""
        if self._choice:
            self._choice = None
            self.session.resign()
        else:
            self._say(self._not_now())

    def action_rematch(self) -> None:
        """Play again with colours exchanged."""
        if self.session.ending or self.session.failed:
            self._trying(self.session.rematch)
        else:
            self._say("The game is not over: r resigns, n begins a new game.")

    def action_new_game(self) -> None:
        """Ask for another game."""
        names = [each.name for each in self.session.sides if isinstance(each, Opponent)]
        self.push_screen(NewGame(names[0] if names else "another person"), self._begin_new)

    def _begin_new(self, wanted: Wanted | None) -> None:
        if wanted is None:
            return
        sides = self.session.sides
        # Of two people the one with a name of their own is at home here, whatever the colour.
        people = [side for side in sides if isinstance(side, str)]
        mine = next((name for name in people if name != _GUEST), _GUEST)
        other = next((side for side in sides if isinstance(side, Opponent)), _GUEST)
        if wanted.opponent == HUMAN:
            other = _GUEST
        elif wanted.opponent != SAME:
            other = self._opponent(wanted.opponent)
        pair = (mine, other) if wanted.colour is Colour.WHITE else (other, mine)
        self._trying(lambda: self.session.new_game(*pair))

    def _trying(self, begin: Callable[[], None]) -> None:
        """Begin a game, or say why the one before cannot be saved."""
        try:
            begin()
        except UsageError as error:
            self._say(_sentence(str(error)))
        else:
            self._show_begun()

    def action_save(self) -> None:
        """Write the game to a file of its own."""
        try:
            self._say(f"{self.session.save()} holds the game so far.")
        except UsageError as error:
            self._say(_sentence(str(error)))

    def action_help(self) -> None:
        """Explain keys and rules."""
        self.push_screen(Help(_HELP + describe_rules(self.session.variant)))

    # What takes long.

    def action_hint(self) -> None:
        """Let the engine propose a turn."""
        if not self._choice:
            self._say(self._not_now())
        elif self._advising:
            self._say("The engine is thinking about a hint already.")
        else:
            self._advising = True
            self._say("The engine thinks about a hint ...")
            position = self.session.position

            def advise() -> None:
                advice = self._adviser.advise(position)
                self._post(self._Advised(position, advice))

            threading.Thread(target=advise, daemon=True).start()

    def on_game_screen__advised(self, message: _Advised) -> None:
        """Show the hint, if the position is still the same."""
        self._advising = False
        if message.position is self.session.position and self._choice:
            self._say(message.advice.text)
            turn = message.advice.turn
            if turn:
                self._choose(lambda choice: choice.take(turn))

    def action_threats(self) -> None:
        """Show the threats, or hide them."""
        self._wants_threats = not self._wants_threats
        self._threats = None
        self._start_threats()
        self._show_board()

    def _start_threats(self) -> None:
        position = self.session.position
        if not self._wants_threats or not self.session.asked:
            return

        def look() -> None:
            threats = Threats.of(position.copy())
            self._post(self._Threatened(position, threats))

        threading.Thread(target=look, daemon=True).start()

    def on_game_screen__threatened(self, message: _Threatened) -> None:
        """Show threats, if the position is still the same."""
        if message.position is self.session.position and self._wants_threats:
            self._threats = message.threats
            self._show_board()

    def stop(self) -> None:
        """Close the screen. May be called from a signal handler."""
        if self._own_loop:
            self._own_loop.call_soon_threadsafe(self.exit)

    def close(self) -> None:
        """End all programs, after the screen is closed. Takes some seconds at most."""
        self.session.close()
        self._adviser.close()


def play_on_screen(
    session: Session, opponent: Callable[[str], Opponent], opening: Sequence[Turn] = ()
) -> bool:
    """Play the games of a session on the screen, until a person leaves; then print the last one.

    ``opponent`` and ``opening`` are those of :class:`GameScreen`. Returns False if a program has
    failed in the last game. Raises :exc:`UsageError` if that cannot be saved.
    """
    screen = GameScreen(session, opponent, opening)
    stopped: list[int] = []

    def stop(number: int) -> None:
        stopped.append(number)
        screen.stop()

    try:
        # An exception in a handler would leave the terminal as the screen needs it.
        with handled_endings(stop):
            screen.run()
        if stopped:
            raise SystemExit(128 + stopped[0])
    finally:
        # Programs are ended last: that takes some time, in which a signal may come.
        try:
            _keep(session)
        finally:
            screen.close()
    return not session.failed


def _keep(session: Session) -> None:
    """Save the game if there is a file, and print its turns, also if it cannot be saved."""
    turns = " ".join(str(played.turn) for played in session.position.history)
    try:
        kept = session.keep()
    finally:
        if turns:
            tell(f"The game: {turns}", sys.stdout)
    if kept and session.file:
        print(f"{session.file.path} holds its record", flush=True)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
