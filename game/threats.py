"""Threats, in the words of Trax players: attacks, corners, L threats, and the answers to attacks.

The functions make turns and look at what these complete, for either player, to move or not. That is
exact and slow: corners and L threats look two turns ahead and take some tenths of a second in the
middle of a game. The position is unchanged afterwards.

**Attack**
    A track, or several, that their owner can close to a loop or complete to a line in one turn.
**Corner**
    A track that is no attack, but becomes one in one turn of its owner, whichever of its two ends
    the owner plays at.
**L threat**
    A turn that makes two attacks or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from loopline.game.notation import Turn
from loopline.game.position import Position
from loopline.game.result import Played
from loopline.game.tiles import Colour, Side
from loopline.game.tracks import Track, all_tracks

__all__ = [
    "Attack",
    "Corner",
    "LThreat",
    "OpenTrack",
    "TrackEnd",
    "answers",
    "attacks",
    "corners",
    "l_threats",
    "open_tracks",
]


class TrackEnd(NamedTuple):
    """Where a track ends: the empty space that it leads into, and the side on which it enters."""

    x: int
    y: int
    side: Side


class OpenTrack(NamedTuple):
    """A track with two ends: its tiles in order, and the ends at the first and at the last."""

    colour: Colour
    cells: tuple[tuple[int, int], ...]
    ends: tuple[TrackEnd, TrackEnd]


class Attack(NamedTuple):
    """Tracks that one player can win with in one turn.

    ``tracks`` are the tracks as they lie now that the winning loops and lines will run through; two
    ways of winning that share a track are one attack. ``turns`` are the winning turns, and
    ``loop`` says that one of them makes a loop.
    """

    colour: Colour
    tracks: tuple[OpenTrack, ...]
    turns: tuple[Turn, ...]
    loop: bool


class Corner(NamedTuple):
    """A track that is one turn from an attack by a loop, and the turns that make it one."""

    track: OpenTrack
    turns: tuple[Turn, ...]


class LThreat(NamedTuple):
    """A turn, and the attacks that it makes, as they stand after it."""

    turn: Turn
    attacks: tuple[Attack, ...]


def open_tracks(position: Position) -> list[OpenTrack]:
    """Return the tracks with two ends: white ones first, then in the order of their tiles."""
    return [
        OpenTrack(track.colour, track.cells, _ends(position, track))
        for track in _tracks(position)
        if track.completes != "loop"
    ]


def attacks(position: Position, colour: Colour) -> list[Attack]:
    """Return the attacks of one player, to move or not; empty when the game is over.

    Where both colours at once are a draw, a turn that completes both does not win.
    """
    ways = [
        (played.turn, _winning_cells(position, colour), colour in played.loops)
        for played in _each_made(position)
        if _wins(position, played, colour)
    ]
    tracks = [track for track in open_tracks(position) if track.colour is colour] if ways else []
    groups: list[tuple[set[OpenTrack], list[Turn], bool]] = []
    for turn, cells, loop in ways:
        used, turns = {track for track in tracks if not cells.isdisjoint(track.cells)}, [turn]
        for group in [group for group in groups if group[0] & used]:
            groups.remove(group)
            used, turns, loop = used | group[0], group[1] + turns, loop or group[2]
        groups.append((used, turns, loop))
    return [
        Attack(colour, tuple(sorted(used)), tuple(sorted(turns, key=str)), loop)
        for used, turns, loop in groups
    ]


def corners(position: Position, colour: Colour) -> list[Corner]:
    """Return the corners of one player, to move or not."""
    attacking = {track for attack in attacks(position, colour) for track in attack.tracks}
    quiet = [
        track
        for track in open_tracks(position)
        if track.colour is colour and track not in attacking
    ]
    ways: dict[OpenTrack, list[tuple[Turn, set[tuple[int, int]]]]] = {}
    for played in _each_made(position):
        if played.ends_game:
            continue
        laid = {(x, y) for x, y, _ in played.tiles}
        for attack in attacks(position, colour):
            if not attack.loop or len(attack.tracks) != 1:
                continue
            longer = set(attack.tracks[0].cells)
            for track in quiet:
                if longer > set(track.cells) and longer - set(track.cells) <= laid:
                    ways.setdefault(track, []).append((played.turn, laid))
    return [
        Corner(track, tuple(turn for turn, _ in ways[track]))
        for track in quiet
        if track in ways
        and all(any((end.x, end.y) in laid for _, laid in ways[track]) for end in track.ends)
    ]


def l_threats(position: Position, colour: Colour) -> list[LThreat]:
    """Return the turns of one player, to move or not, that make two attacks or more.

    Attacks that stand already are not counted, and turns that end the game are left out.
    """
    before = {track for attack in attacks(position, colour) for track in attack.tracks}
    threats = []
    for played in _each_made(position):
        if not played.ends_game:
            made = [a for a in attacks(position, colour) if not before.issuperset(a.tracks)]
            if len(made) > 1:
                threats.append(LThreat(played.turn, tuple(made)))
    return threats


def answers(position: Position) -> list[Turn]:
    """Return the turns after which the opponent neither has won nor can win next turn.

    A turn that wins at once, or ends the game in a draw, is among them.
    """
    mover = position.to_move
    good = []
    for played in _each_made(position):
        result = played.result
        if result.winner is mover if result else not attacks(position, mover.other):
            good.append(played.turn)
    return good


def _each_made(position: Position) -> Iterator[Played]:
    """Make each legal turn, yield it, and take it back."""
    for turn in position.legal_turns():
        played = position.play(turn)
        try:
            yield played
        finally:
            position.undo()


def _wins(position: Position, played: Played, colour: Colour) -> bool:
    """Return whether the turn, made by the owner of this colour, wins the game."""
    completed = played.loops | played.lines
    return colour in completed and (len(completed) == 1 or position.variant.both == "mover")


def _tracks(position: Position) -> Iterable[Track]:
    board = {(x, y): tile for x, y, tile in position.cells()}
    return all_tracks(board, position.variant.line_length)


def _winning_cells(position: Position, colour: Colour) -> set[tuple[int, int]]:
    """Return the tiles of all loops and lines of a colour."""
    return set(position.winning_tracks()[colour])


def _ends(position: Position, track: Track) -> tuple[TrackEnd, TrackEnd]:
    """Return the ends of a track that is not a loop."""
    first, last = track.cells[0], track.cells[-1]
    near, far = (
        [
            TrackEnd(x + side.step[0], y + side.step[1], side.opposite)
            for side in Side
            if (tile := position.tile_at(x, y)) is not None
            and tile.colour(side) is track.colour
            and position.tile_at(x + side.step[0], y + side.step[1]) is None
        ]
        for x, y in (first, last)
    )
    return near[0], far[-1]
