"""What the stages of the ring hand on: registers and signals, by the stage that they are for."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Value
from amaranth.lib import data

from loopline.hdl.trials.epochs import Epochs
from loopline.hdl.trials.exits import Exits
from loopline.hdl.trials.names import Names
from loopline.hdl.trials.onward import Onward
from loopline.hdl.trials.overlay import Overlay
from loopline.hdl.trials.surroundings import Surroundings
from loopline.hdl.trials.unions import Unions

__all__ = ["Named", "Play", "Ring", "Source", "Tile", "Tracks", "Way"]


class Ring(NamedTuple):
    """The tokens by stage, by stage which thread's they are, and what the stages share."""

    read: data.View
    pick: data.View
    join: data.View
    decide: data.View
    threads: list[Value]
    overlay: Overlay
    names: list[Names]
    unions: list[Unions]
    epochs: Epochs
    exits: Exits
    surroundings: Surroundings
    onward: Onward


class Tile(NamedTuple):
    """What READ knows of a tile, in the stages that ask for it."""

    pick_lanes: data.View
    join_lanes: data.View
    join_far: Value
    pick_outside: Value


class Source(NamedTuple):
    """Where the name of one colour's track comes from, in PICK.

    It is the lower one of the ends of a track of the position (``is_base``), or asked for, as
    that of a track of the trial (``is_asked``), or else it is given. ``known`` is what is known
    of it already, ``row`` the row of that; a partner below ``limit`` has the track's name. By
    ``tag`` what is asked for is told apart from names of other tiles.
    """

    is_base: Value
    is_asked: Value
    known: data.View
    row: Value
    limit: Value
    tag: Value


class Named(NamedTuple):
    """What PICK has found of the tracks, in JOIN.

    By colour the name, and whether it is that of a track of the position (``base``); whether the
    token looks names up (``looks``), and whether one was that of another tile (``strange``).
    """

    names: list[data.View]
    base: Value
    looks: Value
    strange: Value


class Tracks(NamedTuple):
    """What JOIN has found of the tracks, in DECIDE, by colour.

    The name, and the parent's, if it is a child; where the track leaves the box, and whether it
    does; whether its row is the spare one (``spare``). ``unknown``: its parent or that row has to
    be looked up next. ``crowded``: neither row is its own. ``held``, in JOIN: one of these.
    ``same``: both ends of the pair have one name, which is a loop; ``join_same`` is that in JOIN.
    """

    names: list[data.View]
    parents: list[data.View]
    children: Value
    masks: list[Value]
    leaves: Value
    spare: Value
    unknown: Value
    crowded: Value
    held: Value
    join_same: Value
    same: Value


class Way(NamedTuple):
    """What JOIN has found of where the trial goes, in DECIDE.

    See :class:`Onward` for ``on`` to ``adds``. ``stuck``: it has to be left to the slow path.
    ``exits``: where the open edges leave the box. ``more``, ``last_play``: a forced play with
    others to come, or without. With others to come the pair's track gets a row (``put_b``), and the
    other one goes on (``goes_on``); ``leaves_a``, ``leaves_o``: they leave the box, as far as is
    known without their own rows.
    """

    on: data.View
    pushed: data.View
    adds: data.View
    left_two: Value
    illegal: Value
    stuck: Value
    exits: Value
    open_edges: Value
    more: Value
    last_play: Value
    put_b: Value
    goes_on: Value
    leaves_a: Value
    leaves_o: Value


class Play(NamedTuple):
    """What DECIDE makes of a token, in the same cycle.

    The outcome so far; where the pair's track leaves the box, and the other one; which rows of
    the unions a play writes, beside :class:`Way`'s. It goes round ``again``, or to the slow path,
    or it ``goes`` on after a play that is written down, or it has ``ended``: with its last play
    (``over``), or since it is illegal. ``vacant``: there was no trial. ``free``: its place is.
    """

    loops: Value
    lines: Value
    tiles: Value
    mask_pair: Value
    mask_other: Value
    put_a: Value
    put_o: Value
    again: Value
    slow: Value
    goes: Value
    ended: Value
    over: Value
    vacant: Value
    free: Value
