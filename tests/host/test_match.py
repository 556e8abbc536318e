import pytest

from loopline.game import Colour, Played, Position, Turn, parse_turn
from loopline.host.link import ContestDevice
from loopline.host.match import DevicePlayer, IllegalAnswerError, Match, Player


class Scripted:
    """Plays the turns it was given, and notes what happens to it."""

    def __init__(self, name: str, turns: str) -> None:
        self._name = name
        self._turns = turns.split()
        self.colour: Colour | None = None
        self.heard: list[str] = []

    @property
    def name(self) -> str:
        return self._name

    def start(self, colour: Colour) -> None:
        self.colour = colour

    def hear(self, turn: Turn) -> None:
        self.heard.append(str(turn))

    def choose(self, position: Position) -> Turn:
        return parse_turn(self._turns.pop(0))


def test_game_to_its_end() -> None:
    white, red = Scripted("one", "@0/ A2\\"), Scripted("other", "B1\\")
    match = Match(white, red)
    seen: list[Played] = []
    position = match.run(seen.append)
    assert (white.colour, red.colour) == (Colour.WHITE, Colour.RED)
    assert position is match.position
    assert position.result is not None
    assert position.result.winner is Colour.RED
    assert match.over
    assert match.text == "@0/ B1\\ A2\\"
    assert [str(played.turn) for played in seen] == match.text.split()
    assert white.heard == ["B1\\"]
    assert red.heard == ["@0/", "A2\\"]  # the turn that ended the game included


def test_limit_is_a_draw() -> None:
    match = Match(Scripted("one", "@0/ A2+"), Scripted("other", "B1+"), limit=2)
    position = match.run()
    assert (position.turns, position.result, match.over) == (2, None, True)


def test_illegal_turn_names_the_player_and_is_not_passed_on() -> None:
    white, red = Scripted("one", "@0/"), Scripted("other", "C7+")
    match = Match(white, red)
    with pytest.raises(IllegalAnswerError) as caught:
        match.run()
    assert str(caught.value) == (
        "other, red, breaks the rules at turn 2: C7+: C7 is not adjacent to any tile"
    )
    assert (match.text, white.heard) == ("@0/", [])


@pytest.mark.xdist_group("host-board")
@pytest.mark.parametrize("colour", list(Colour))
def test_board_plays_to_the_end(device: ContestDevice, colour: Colour) -> None:
    class First:
        """Plays the first legal turn of all."""

        name = "first"

        def start(self, colour: Colour) -> None:
            pass

        def hear(self, turn: Turn) -> None:
            pass

        def choose(self, position: Position) -> Turn:
            return position.legal_turns()[0]

    players: list[Player] = [First(), First()]
    players[colour] = DevicePlayer(device)
    match = Match(*players)
    position = match.run()
    assert position.result is not None or position.turns == 255
