"""The configuration of the search: every choice in it, and the width of everything it keeps.

The gateware reads the same objects, so that a number stands here once. All numbers are integers;
nothing is divided, and nothing is a fraction.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from loopline.hdl.config import GridConfig

__all__ = [
    "CostModel",
    "Pruning",
    "SearchConfig",
    "Widths",
]

_TABLE_LIMIT = 16 * 1024
"""Bytes that all tables but the transposition table may take together, and the stack as well."""

_END_ROWS, _DISTANCE_ROWS, _LINE_ROWS, _PERIMETER_CLASSES = 9 * 17 * 4, 81, 48, 1485
"""Rows of the tables of weights; see :mod:`loopline.engine.evaluation.classes`."""

_HASH_LIMIT = 128 * 1024
"""Bytes that the transposition table may take."""


def _in_bytes(bits: dict[str, int]) -> dict[str, int]:
    return {name: (size + 7) // 8 for name, size in bits.items()}


def _in_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value!r}")


@dataclass(frozen=True)
class CostModel:
    """Clock cycles of the search's steps, to limit a search by a board's time.

    The figures of making and taking back turns are those of the commands ``MAKE`` and ``UNMAKE`` of
    :mod:`loopline.hdl.core.unit`, from the command to the outcome: exact for ``UNMAKE``, and within
    two cycles for ``MAKE`` (a first tile's second join may wait). The others are what a
    straightforward state machine needs.

    Parameters
    ----------
    place : int
        To make a turn, whatever it is.
    tile, opening : int
        For each of its tiles, and for each side on which a tile is open.
    undo : int
        To take a turn back.
    undo_tile, undo_opening : int
        For each of its tiles, and for each side on which a tile was open.
    undo_track, undo_next_track : int
        For the first track that a tile changed, and for each further one.
    scan, scan_space : int
        To look at all tracks of a position, and for each entry of the frontier table below the
        highest in use.
    rim : int
        For each socket along the rim, to evaluate: two cells are read, one after the other.
    probe, store : int
        To read, and to write, a row of the transposition table, which has two entries.
    list_space, list_placement : int
        For each entry of the frontier table when placements are listed, and for each placement.
    choose, choose_placement : int
        To choose the next placement, and for each one that is still in the list.
    credit, credit_placement : int
        To raise the counters of a turn that was good enough, and for each placement that was tried
        before it, whose counters are lowered.
    enter, leave : int
        To begin a node, and to hand its value to the one above.
    """

    place: int = 7
    tile: int = 6
    opening: int = 1
    undo: int = 3
    undo_tile: int = 3
    undo_opening: int = 1
    undo_track: int = 1
    undo_next_track: int = 4
    scan: int = 4
    scan_space: int = 2
    rim: int = 3
    probe: int = 4
    store: int = 2
    list_space: int = 2
    list_placement: int = 1
    choose: int = 2
    choose_placement: int = 1
    credit: int = 4
    credit_placement: int = 2
    enter: int = 3
    leave: int = 2

    def __post_init__(self) -> None:
        for each in fields(self):
            _in_range(f"cost of {each.name}", getattr(self, each.name), 0, 255)


@dataclass(frozen=True)
class Widths:
    """Bits of what the search keeps.

    Parameters
    ----------
    score : int
        A score, signed.
    evaluation : int
        An evaluation, signed; larger ones are cut off there. Scores beyond it are forced wins.
    weight : int
        A weight of the evaluation, signed.
    order : int
        What a placement is chosen by.
    root_order : int
        The same at the root, where turns are put in the order of their evaluations; an evaluation
        has to fit in.
    key, depth : int
        Of an entry of the transposition table: the part of the hash that is compared, and the
        depth.
    history : int
        A counter of the two history tables.
    history_cell : int
        Bits of each coordinate that address the first of them.
    history_offset : int
        Bits of each coordinate that address the second one, which counts by the offset from the
        turn before.
    hash : int
        A position's hash.
    number : int
        A proof or disproof number; the largest one stands for infinity.
    nodes, cycles : int
        The counters.
    """

    score: int = 16
    evaluation: int = 14
    weight: int = 10
    order: int = 14
    root_order: int = 14
    key: int = 26
    depth: int = 4
    history: int = 12
    history_cell: int = 4
    history_offset: int = 4
    hash: int = 40
    number: int = 10
    nodes: int = 40
    cycles: int = 48

    def __post_init__(self) -> None:
        _in_range("width of a score", self.score, 16, 16)
        _in_range("width of an evaluation", self.evaluation, 10, 14)
        _in_range("width of a weight", self.weight, 8, 12)
        _in_range("width of an order", self.order, self.history + 2, 14)
        _in_range("width of an order at the root", self.root_order, self.evaluation, 14)
        _in_range("width of a depth", self.depth, 4, 4)
        _in_range("width of a history counter", self.history, 4, 12)
        _in_range("width of a history coordinate", self.history_cell, 3, 6)
        _in_range("width of a history offset", self.history_offset, 3, 6)
        _in_range("width of a hash", self.hash, 40, 40)
        _in_range("width of a key", self.key, 16, 26)
        _in_range("width of a proof number", self.number, 10, 10)


@dataclass(frozen=True)
class Pruning:
    """What the search leaves out, what it looks at more closely, and what orders its turns.

    Parameters
    ----------
    attacks : int
        1 to take an attack of the side to move for a win, by its pattern, and to look on where
        the opponent has one; 0 to make every turn.
    exact_wins : int
        1 to take a node for won only after the winning turn has been made, 0 to believe patterns.
    extensions : int
        How often on one path a node under attack is looked at one ply deeper, 0 to 15.
    near : int
        At depth 0 only placements within this distance of all attacks; 0 for all placements.
    table : int
        1 to use the transposition table.
    reduce_after, reduce_depth : int
        Turns from this number on, at nodes of this depth or more, are first searched one ply less;
        ``reduce_after`` 0 for none.
    reduce_more_after, reduce_more_depth : int
        The same for two plies less.
    high_margin, high_depth : int
        A node of up to this depth that is not under attack is given up as too good when its
        evaluation is above beta by this margin for each ply of depth; ``high_depth`` 0 for never.
    low_margin, low_depth : int
        The same as too bad, below alpha.
    solver : int
        Before each iteration but the first, a proof that the side to move wins by attacks may take
        one part in two to the power of this of the nodes so far, 1 to 7; 0 for none.
    refuter : int
        The same after each iteration, for a win of the other side after the best turn.
    locality : int
        Distance from the last two turns within which a placement is preferred, 0 to 3.
    locality_weight : int
        What each step nearer is worth, 0 to 2047.
    history, follow, killers : int
        1 to note turns that were good in these tables, for the order; 0 to leave them empty.
    windows : int
        1 to give all turns of a node but the first an empty window; 0 for the whole one.
    """

    attacks: int = 1
    exact_wins: int = 0
    extensions: int = 10
    near: int = 2
    table: int = 1
    reduce_after: int = 6
    reduce_depth: int = 3
    reduce_more_after: int = 30
    reduce_more_depth: int = 4
    high_margin: int = 80
    high_depth: int = 2
    low_margin: int = 0
    low_depth: int = 0
    solver: int = 0
    refuter: int = 4
    locality: int = 2
    locality_weight: int = 1024
    history: int = 1
    follow: int = 1
    killers: int = 1
    windows: int = 1

    def __post_init__(self) -> None:
        limits = {
            "attacks": 1,
            "exact_wins": 1,
            "extensions": 15,
            "near": 15,
            "table": 1,
            "reduce_after": 255,
            "reduce_depth": 15,
            "reduce_more_after": 255,
            "reduce_more_depth": 15,
            "high_margin": 1023,
            "high_depth": 15,
            "low_margin": 1023,
            "low_depth": 15,
            "solver": 7,
            "refuter": 7,
            "locality": 3,
            "locality_weight": 2047,
            "history": 1,
            "follow": 1,
            "killers": 1,
            "windows": 1,
        }
        for each in fields(self):
            _in_range(each.name, getattr(self, each.name), 0, limits[each.name])


@dataclass(frozen=True)
class SearchConfig:
    """The whole search.

    Parameters
    ----------
    grid : GridConfig
        The turn unit's memories. The journals hold the turns of a whole path.
    plies : int
        Frames of the node stack, 8 to 64.
    placements : int
        Placements of one node at most, 64 to 256; further ones are not looked at.
    listed : int
        Placements of all nodes of a path together, a power of two from 256 to 4096. A node that
        finds no room is not expanded.
    attacks : int
        Attacks of the opponent that are noted with their cells, 1 to 16.
    line : int
        Turns of the principal variation that are kept, 4 to 32.
    table_bits : int
        The transposition table has two to the power of this entries of 64 bits: 6 to 14, or 0 for
        no table at all.
    widths, pruning, costs
        See there.

    Raises
    ------
    ValueError
        For a value out of its range, or tables that take more than they may.
    """

    grid: GridConfig = field(default_factory=lambda: GridConfig(journal=512))
    plies: int = 64
    placements: int = 256
    listed: int = 2048
    attacks: int = 8
    line: int = 16
    table_bits: int = 14
    widths: Widths = field(default_factory=Widths)
    pruning: Pruning = field(default_factory=Pruning)
    costs: CostModel = field(default_factory=CostModel)

    def __post_init__(self) -> None:
        _in_range("plies", self.plies, 8, 64)
        _in_range("placements", self.placements, 64, 256)
        _in_range("listed", self.listed, 256, 4096)
        _in_range("attacks", self.attacks, 1, 16)
        _in_range("line", self.line, 4, 32)
        if self.table_bits:
            _in_range("table_bits", self.table_bits, 6, 14)
        if self.listed & (self.listed - 1):
            raise ValueError(f"listed must be a power of two, not {self.listed!r}")
        if self.entry_bits > 64:
            raise ValueError(f"an entry of the table has 64 bits, not {self.entry_bits}")
        if self.hash_bytes > _HASH_LIMIT:
            raise ValueError(f"the table may take {_HASH_LIMIT} bytes, not {self.hash_bytes}")
        for name, sizes in (("tables", self.table_bytes()), ("the stack", self.stack_bytes())):
            taken = sum(sizes.values())
            if taken > _TABLE_LIMIT:
                raise ValueError(f"{name} may take {_TABLE_LIMIT} bytes together, not {taken}")

    @property
    def deepest(self) -> int:
        """The deepest iteration of a search without a limit of depth."""
        return self.plies - 4

    @property
    def move_bits(self) -> int:
        """A placement by its cell and shape, as the tables keep it."""
        return 2 * self.grid.coord_bits + 2

    @property
    def entry_bits(self) -> int:
        """Key, score, move, depth and bound."""
        return self.widths.key + self.widths.score + self.move_bits + self.widths.depth + 2

    @property
    def hash_bytes(self) -> int:
        """The size of the transposition table."""
        return 8 << self.table_bits if self.table_bits else 0

    @property
    def frame_bits(self) -> int:
        """A frame of the node stack: see the fields in :mod:`.frames`."""
        scores = 5 * self.widths.score
        moves = 3 * self.move_bits
        lists = 3 * (self.listed - 1).bit_length()
        counts = 8 + 2 * self.widths.depth + 4 + 4
        near = 4 * self.grid.coord_bits
        return scores + moves + lists + counts + near + self.widths.hash

    @property
    def proof_bits(self) -> int:
        """A frame of the stack of :mod:`.proof`."""
        numbers = 4 * self.widths.number
        lists = 3 * (self.listed - 1).bit_length()
        return numbers + lists + 1 + (self.plies - 1).bit_length() + self.move_bits

    @property
    def history_counters(self) -> int:
        """How many counters the first history table has, by colour, row, column and shape."""
        return 2 << (2 * self.widths.history_cell + 2)

    @property
    def follow_counters(self) -> int:
        """How many the second one has, by colour, shape and the offset from the turn before."""
        return 2 << (2 * self.widths.history_offset + 2)

    def table_bytes(self) -> dict[str, int]:
        """Bytes of each table but the transposition table: what is looked up by an address."""
        widths = self.widths
        rows = _END_ROWS + _DISTANCE_ROWS + _LINE_ROWS + _PERIMETER_CLASSES
        return _in_bytes(
            {
                "weights": (2 * rows + 1) * widths.weight,
                "history": self.history_counters * widths.history,
                "follow": self.follow_counters * widths.history,
                "killers": self.plies * 2 * self.move_bits,
                "attacks": self.attacks * 3 * 2 * self.grid.coord_bits,
            }
        )

    def stack_bytes(self) -> dict[str, int]:
        """Bytes of what is kept for the path that is being searched: frames, lists, variation."""
        placement = self.grid.index_bits + 2
        return _in_bytes(
            {
                "frames": self.plies * self.frame_bits,
                "proof's frames": self.plies * self.proof_bits,
                "placements": self.listed
                * (placement + max(self.widths.root_order, 2 * self.widths.number)),
                "variation": self.line * self.line * self.move_bits,
            }
        )
