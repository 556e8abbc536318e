"""Threats as drawings and sentences show them, compared with what the game itself says."""

import xml.etree.ElementTree as ET
from functools import cache

import pytest

from loopline.game import Colour, Position, attacks, corners, format_old_turn, l_threats
from loopline.host.render.svg import board_svg
from loopline.host.render.text import board_ascii, board_text
from loopline.host.render.theme import DARK, LIGHT
from loopline.host.render.threats import Threats
from tests.host.positions import ORDERED_GAME, WON_GAME, position_after

SVG = "{http://www.w3.org/2000/svg}"


@cache
def both_attack() -> tuple[Position, Threats]:
    position = position_after(ORDERED_GAME)
    before, history = repr(position), position.history
    threats = Threats.of(position)
    assert (repr(position), position.history) == (before, history)
    return position, threats


def circles(root: ET.Element, **wanted: str) -> list[tuple[str, str]]:
    return [
        (circle.attrib["cx"], circle.attrib["cy"])
        for circle in root.iter(f"{SVG}circle")
        if all(circle.get(name.replace("_", "-")) == value for name, value in wanted.items())
    ]


def halos(root: ET.Element, ink: str) -> list[str]:
    groups = [group for group in root.iter(f"{SVG}g") if group.get("stroke") == ink]
    return [path.attrib["d"] for group in groups for path in group.iter(f"{SVG}path")]


def test_threats_are_those_of_the_game() -> None:
    position, threats = both_attack()
    for colour in Colour:
        found = attacks(position, colour)
        assert [attack for attack in threats.attacks if attack.colour is colour] == found
        assert [c for c in threats.corners if c.track.colour is colour] == corners(position, colour)
        assert list(threats.l_threats[colour]) == l_threats(position, colour)
        spaces = {position.locate(turn) for attack in found for turn in attack.turns}
        assert {space for space, who in threats.wins.items() if colour in who} == spaces
        assert spaces, "the position has attacks of both players"
    assert set(threats.doubles.values()) == {frozenset([Colour.RED])}


def test_nothing_threatens_when_the_game_is_over() -> None:
    position = position_after(WON_GAME)
    threats = Threats.of(position)
    found = [threats.attacks, threats.corners, threats.tracks, threats.wins, threats.doubles]
    assert not any(found)
    assert list(threats.sentences(position, "standard")) == []
    last = position.history[-1]
    assert board_svg(position, last=last, threats=threats) == board_svg(position, last=last)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_threat_has_its_mark(theme: type[LIGHT]) -> None:
    position, threats = both_attack()
    root = ET.fromstring(board_svg(position, labels=False, threats=threats, theme=theme))
    legend = 2
    targets = circles(root, fill=theme.seam, stroke=theme.attack)
    assert len(targets) == sum(len(who) for who in threats.wins.values()) + legend
    tracks = {track for attack in threats.attacks for track in attack.tracks}
    assert len(halos(root, theme.attack)) == len(tracks)
    assert len(halos(root, theme.corner)) == len(threats.corners)
    # The targets of the legend are as large as beads.
    assert len(circles(root, r="12", stroke=theme.attack)) == 2 * len(tracks) + legend
    assert len(circles(root, r="12", stroke=theme.corner)) == 2 * len(threats.corners)
    rest = len(threats.tracks) - len(tracks) - len(threats.corners)
    assert rest > 0
    assert len(circles(root, r="7")) == 2 * rest
    signs = [rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke") == theme.corner]
    assert len(signs) == len(threats.doubles) + legend
    lines = [text.text for text in root.iter(f"{SVG}text")]
    assert lines == ["wins next turn", "attack", "corner", "makes two attacks"]


def test_targets_stand_in_the_middle_of_their_spaces() -> None:
    position, threats = both_attack()
    root = ET.fromstring(board_svg(position, labels=False, threats=threats))
    where = {(int(x), int(y)) for x, y in circles(root, fill=LIGHT.seam, stroke=LIGHT.attack)}
    inside = [
        ((x - position.west) * 100 + 90, (y - position.north) * 100 + 90)
        for x, y in threats.wins
        if position.west <= x <= position.east and position.north <= y <= position.south
    ]
    assert inside
    assert where.issuperset(inside)


def test_legend_explains_only_what_is_there_and_stays_inside() -> None:
    position = position_after("@0/ B1+")
    threats = Threats.of(position)
    assert not threats.attacks
    root = ET.fromstring(board_svg(position, labels=False, threats=threats))
    lines = list(root.iter(f"{SVG}text"))
    assert "attack" not in [text.text for text in lines]
    width, height = (int(size) for size in root.attrib["viewBox"].split()[2:])
    for text in lines:
        # Letters of this size are 14 wide at most, on the whole.
        assert int(text.attrib["x"]) + 14 * len(text.text or "") <= width
        assert int(text.attrib["y"]) <= height - 10


@pytest.mark.parametrize("draw", [board_text, board_ascii])
def test_letters_in_the_spaces_of_a_text(draw: type[board_text]) -> None:
    position, threats = both_attack()
    drawn = draw(position, threats=threats).splitlines()
    plain = draw(position).splitlines()
    letters = {}
    for row, (line, other) in enumerate(zip(drawn, plain, strict=True)):
        for column, char in enumerate(line):
            if char in "WRwr" and other[column : column + 1] != char:
                letters[row, column] = char
    assert sorted(letters.values()) == sorted("WW" + "RRR" + "r")


@pytest.mark.parametrize("notation", ["standard", "old"])
def test_sentences_name_every_winning_turn(notation: str) -> None:
    position, threats = both_attack()
    text = list(threats.sentences(position, notation))
    for attack in threats.attacks:
        turns = [
            format_old_turn(position, turn) if notation == "old" else str(turn)
            for turn in attack.turns
        ]
        name = attack.colour.name.capitalize()
        assert f"{name} attacks, to win by a loop: {', '.join(turns)}." in text
    assert len(text) == 1 + len(threats.attacks) + len(threats.corners) + 1


def test_a_line_that_threatens_is_called_one() -> None:
    position = position_after("@0+ B1+ C1+ D1+ E1+ F1+ G1+")
    text = list(Threats.of(position).sentences(position, "standard"))
    assert "Red attacks, to win by a line: @1+, H1+." in text


def test_both_players_and_both_kinds_share_a_space_side_by_side() -> None:
    position, threats = both_attack()
    space = next(iter(threats.wins))
    both = frozenset(Colour)
    crowded = Threats((), (), dict.fromkeys(Colour, ()), (), {space: both}, {space: both})
    root = ET.fromstring(board_svg(position, labels=False, threats=crowded))
    targets = circles(root, fill=LIGHT.seam, stroke=LIGHT.attack, r="15")
    assert len({x for x, _ in targets}) == 2
    # Who wins there need not make two attacks.
    assert not [rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke") == LIGHT.corner][2:]
