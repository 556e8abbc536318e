"""The configuration of the search: its constants, its costs and its widths.

Engine and gateware read the same objects, so that each number stands here once. All numbers are
integers: nothing in the search is divided.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from loopline.game.wire import WIN_BOUND, WIN_SCORE
from loopline.hdl.config import GridConfig

__all__ = [
    "BEATS_ATTACK",
    "BEATS_DELAY",
    "BEATS_EXPAND",
    "BEATS_JOIN",
    "BEATS_TILE",
    "BEATS_TURN",
    "COSTS",
    "DELAYED_STORES",
    "FIRST_WALK",
    "INFINITE",
    "MATE",
    "MATE_BOUND",
    "MOST_LANES",
    "QUOTA",
    "SHARED_NODES",
    "SPLIT_DEPTH",
    "VARIED_TURNS",
    "Pruning",
    "SearchConfig",
    "Widths",
]

MATE = WIN_SCORE
"""The score of a won position: a win in n turns of both sides has this less n."""

MATE_BOUND = WIN_BOUND
"""Scores of at least this are forced wins."""

INFINITE = 32_000
"""No score is as large."""

VARIED_TURNS = 8
"""A seed varies the first turns of a game, up to this number."""

BEATS_TURN, BEATS_TILE, BEATS_ATTACK, BEATS_EXPAND = 11, 2, 2, 3
"""Beats, about four cycles each, by which the clock of a lane goes on: for each turn that is made
or refused, for each tile of a turn that is made, for a scan that ends with an attack of the side to
move (any other scan counts its tracks), and for a node whose placements are tried."""

FIRST_WALK = 3
"""The first stage of a node's placements for which the frontier table is read. Each stage before is
a single move."""

BEATS_JOIN = 64
"""Beats from the offer of a node to the beginning of a helper's work."""

BEATS_DELAY = 64
"""Beats after which a lane gives up what another one has found to be of no use. A lane that is so
much ahead of another one waits before its next step."""

DELAYED_STORES = 8
"""The most entries of the table of one lane that wait for being written; further ones are lost."""

SPLIT_DEPTH = 2
"""The least depth of a node that lanes share."""

MOST_LANES = 16
"""The most searches side by side: a power of two."""

SHARED_NODES = 4
"""The most nodes of its path that a lane shares at the same time."""

QUOTA = 512
"""The most nodes that a lane takes from what is left of a limit at once."""


def _number(default: int, low: int, high: int) -> int:
    """Declare a number: its default, the least and the most."""
    number: int = field(default=default, metadata={"range": (low, high)})
    return number


def _in_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value!r}")


def _check(config: Widths | Pruning | SearchConfig, what: str = "") -> None:
    """Check each number of a configuration; errors call it ``what`` and its name."""
    for each in fields(config):
        if "range" in each.metadata:
            _in_range(what + each.name, getattr(config, each.name), *each.metadata["range"])


@dataclass(frozen=True)
class CostModel:
    """Clock cycles of the lane, so that the engine can count what a search takes on a board.

    Each number counts the cycles of some states of :class:`loopline.hdl.search.lane.Lane`. What the
    lane does at the same time as something longer counts nothing: to weigh the sockets and to hash
    during a scan; to compare values, to note a killer, to store a frame and, after a cutoff, the
    table's entry, while a turn is unmade.

    The numbers are the gateware's with a :class:`loopline.hdl.search.table.BlockTableMemory`, but
    for those called means: these were measured in the positions of ``loopline bench lane``, where
    the exact number would take the engine time.

    Parameters
    ----------
    clear_ply : int
        ``CLEARED``: to empty the killers of a ply. The table before them takes one cycle for each
        entry.
    choose, choose_first : int
        ``CHOOSE``, ``CHOSEN``: to find a placement, or that there is none. More for a node's first
        one: until the killers of its ply are read.
    choose_entry : int
        For each entry of the frontier table that is passed.
    make : int
        ``MAKING``: a turn besides its tiles. The second join of the first tile waits for the first
        one, in a third of all turns one cycle less.
    tile, opening : int
        For each of its tiles, and for each open side of a tile.
    unmake : int
        From ``TAKE`` on: to unmake a turn, besides its tiles.
    unmake_tile, unmake_opening : int
        For each of its tiles, and for each open side of a tile.
    unmake_track, unmake_next_track : int
        For the first track that a tile changed, and for each further one.
    complete : int
        ``COMPLETED``: a turn has ended the game.
    enter : int
        ``ENTER``: to begin a node.
    scan, scan_track : int
        ``EMPTY``, ``SCANNING``: to scan and evaluate, and for each track. Means: the walk along the
        perimeter, two sockets for each track, is most often longer than the scan.
    attack, attack_entry : int
        The same if the side to move has an attack: up to there, and for each entry of the frontier
        table from the attack found before to this one. Means.
    decide : int
        ``DECIDE``: a node without an attack of the side to move.
    expand : int
        ``BOUND``, ``EXPAND``: a node whose placements are tried.
    probe, probe_second : int
        ``PROBE``, ``PROBED``: to read the first entry of a row, and the second one if the first is
        not the position's.
    leave : int
        ``VALUE``: to return a node's value to the one above.
    finish, store : int
        ``FINISH``, ``FINISHED``: to leave a node all of whose placements have been made, and to
        store its entry.
    iterate, tell : int
        ``ITERATE``, ``ITERATED``, ``TOLD``: an iteration, and for each turn of the principal
        variation, which is made and unmade, a mean.
    """

    clear_ply: int = 2
    choose: int = 4
    choose_first: int = 2
    choose_entry: int = 1
    make: int = 8
    tile: int = 6
    opening: int = 1
    unmake: int = 3
    unmake_tile: int = 3
    unmake_opening: int = 1
    unmake_track: int = 1
    unmake_next_track: int = 4
    complete: int = 1
    enter: int = 1
    scan: int = 12
    scan_track: int = 3
    attack: int = 7
    attack_entry: int = 2
    decide: int = 1
    expand: int = 2
    probe: int = 7
    probe_second: int = 6
    leave: int = 1
    finish: int = 2
    store: int = 9
    iterate: int = 3
    tell: int = 50


COSTS = CostModel()
"""The costs by which the engine counts: those of the gateware."""


@dataclass(frozen=True)
class Widths:
    """Widths of the search's data, in bits.

    Parameters
    ----------
    evaluation : int
        An evaluation, signed and saturated. Larger scores are forced wins.
    weight : int
        A weight of the evaluation, signed.
    root_order : int
        The order number at the root, where turns are ordered by their evaluations; an evaluation
        has to fit in.
    key : int
        The bits of a hash that an entry of the transposition table has.
    """

    evaluation: int = _number(14, 10, 14)
    weight: int = _number(10, 8, 12)
    root_order: int = 14
    key: int = _number(26, 16, 26)

    def __post_init__(self) -> None:
        _check(self, "width of ")
        _in_range("width of root_order", self.root_order, self.evaluation, 14)


@dataclass(frozen=True)
class Pruning:
    """The selectivity of the search, and its move order.

    Parameters
    ----------
    attacks : int
        1 to take an attack of the side to move, found by its pattern, for a win, and to extend
        nodes at which the opponent has one; 0 to make every turn.
    exact_wins : int
        1 to take a node for won only after the winning turn has been made, 0 by its pattern.
    extensions : int
        The most extensions by one ply of nodes under attack on one path.
    quiescence_radius : int
        In quiescence, at depth 0, placements are tried in the one rectangle around all attacks,
        extended by this on all sides; 0 for all placements.
    table : int
        1 to use the transposition table.
    reduce_after, reduce_depth : int
        Turns after so many legal ones, at nodes of this depth or more, are first searched one ply
        less; ``reduce_after`` 0 for no reductions.
    reduce_more_after, reduce_more_depth : int
        The same for two plies less; ``reduce_more_after`` 0 for none.
    reverse_futility_margin, reverse_futility_depth : int
        Reverse futility: a node of up to this depth that is not under attack is left when its
        evaluation is above beta by this margin for each ply of depth; depth 0 for never.
    locality : int
        The number of stages for placements near the last two turns: one for each distance, from 0
        on.
    killers : int
        1 to note turns that caused a cutoff, and to try them early; 0 for no killers.
    zero_windows : int
        1 to search all turns of a node but the first with a zero window; 0 with the whole one,
        and a reduced turn only once.
    """

    attacks: int = _number(1, 0, 1)
    exact_wins: int = _number(0, 0, 1)
    extensions: int = _number(10, 0, 15)
    quiescence_radius: int = _number(1, 0, 15)
    table: int = _number(1, 0, 1)
    reduce_after: int = _number(6, 0, 255)
    reduce_depth: int = _number(3, 0, 15)
    reduce_more_after: int = _number(30, 0, 255)
    reduce_more_depth: int = _number(4, 0, 15)
    reverse_futility_margin: int = _number(80, 0, 1023)
    reverse_futility_depth: int = _number(2, 0, 15)
    locality: int = _number(3, 0, 4)
    killers: int = _number(1, 0, 1)
    zero_windows: int = _number(1, 0, 1)

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True)
class SearchConfig:
    """The whole search.

    Parameters
    ----------
    grid : GridConfig
        The turn unit's memories; the journals hold the turns of a whole path.
    plies : int
        Frames of the node stack.
    root_turns : int
        The most turns of the root; further ones are ignored.
    line : int
        The most turns of the principal variation.
    table_bits : int
        The transposition table has 2^table_bits entries of 64 bits: 6 to 14, or 0 for no table.
    lanes : int
        The searches side by side.
    widths, pruning
        See these classes.

    Raises
    ------
    ValueError
        For a value out of its range.
    """

    grid: GridConfig = field(default_factory=lambda: GridConfig(journal=512))
    plies: int = _number(64, 8, 64)
    root_turns: int = _number(256, 64, 256)
    line: int = _number(16, 4, 32)
    table_bits: int = 14
    lanes: int = _number(1, 1, MOST_LANES)
    widths: Widths = field(default_factory=Widths)
    pruning: Pruning = field(default_factory=Pruning)

    def __post_init__(self) -> None:
        _check(self)
        if self.table_bits:
            _in_range("table_bits", self.table_bits, 6, 14)

    @property
    def deepest(self) -> int:
        """The deepest iteration of a search without a limit of depth."""
        return self.plies - 4

    @property
    def uses_table(self) -> bool:
        """Whether there is a transposition table."""
        return bool(self.table_bits and self.pruning.table)

    @property
    def counted(self) -> int:
        """The number of turns of a node up to which the search has to count."""
        return max(self.pruning.reduce_after, self.pruning.reduce_more_after, 1)

    @property
    def clear_cycles(self) -> int:
        """The cycles in which the lane empties the table and then the killers."""
        table = 1 << self.table_bits if self.table_bits else 1
        return table + 1 + COSTS.clear_ply * self.plies * self.pruning.killers

    @property
    def move_bits(self) -> int:
        """The width of a placement in the tables, cell and shape."""
        return 2 * self.grid.coord_bits + 2
