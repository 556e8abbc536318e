"""The units of the gateware that can be built alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from amaranth.lib import wiring

from loopline.game.wire import BAUD_TRIAL_MS, FRAME_PAUSE_MS
from loopline.hdl.arbiter import Arbiter
from loopline.hdl.config import GridConfig
from loopline.hdl.core.bank import Bank, BankPair
from loopline.hdl.core.box import BoxEdges, BoxGrowth
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.forced import ForcedQueue, queue_port
from loopline.hdl.core.joiner import EndPairs, TrackJoiner
from loopline.hdl.core.journal import Journal
from loopline.hdl.core.memory import DualPortMemory, SharedMemory, WithMemories
from loopline.hdl.core.moves import MoveGenerator
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.tile import SocketStep, TileFit
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.evaluator.chain.chain import Chain
from loopline.hdl.evaluator.epochs import Epochs
from loopline.hdl.evaluator.exits import Exits
from loopline.hdl.evaluator.first.first import FirstTiles
from loopline.hdl.evaluator.lane import Lane
from loopline.hdl.evaluator.neighbourhood import Neighbourhood
from loopline.hdl.evaluator.next_space import NextSpace
from loopline.hdl.evaluator.overlay import Overlay
from loopline.hdl.evaluator.slow import SlowPath
from loopline.hdl.evaluator.track_ids import TrackIds, track_id_port
from loopline.hdl.evaluator.union_find import UnionFind
from loopline.hdl.evaluator.unit import CandidateEvaluator
from loopline.hdl.frames.answers import AnswerMaker
from loopline.hdl.frames.commander import Commander
from loopline.hdl.frames.frame_checker import FrameChecker
from loopline.hdl.frames.frames import Frames
from loopline.hdl.frames.position_dump import PositionDumper
from loopline.hdl.frames.repetitions import Repetitions
from loopline.hdl.frames.search_monitor import SearchMonitor
from loopline.hdl.frames.selftest import SelfTest
from loopline.hdl.frames.turn_count import TurnCounter
from loopline.hdl.frames.turn_list import TurnLister
from loopline.hdl.link import Link, Uart, bit_cycles
from loopline.hdl.link.command_queue import CommandQueue
from loopline.hdl.link.counters import Counters
from loopline.hdl.link.frame_reader import FrameReader
from loopline.hdl.link.frame_writer import FrameWriter
from loopline.hdl.link.line_reader import LineReader
from loopline.hdl.link.line_writer import LineWriter
from loopline.hdl.link.link import COUNTERS, cycles_per_ms
from loopline.hdl.link.protocol_demux import ProtocolDemux
from loopline.hdl.link.protocol_mux import ProtocolMux
from loopline.hdl.link.rate_control import RateControl
from loopline.hdl.link.uart import UartReceiver, UartTransmitter
from loopline.hdl.player import Player
from loopline.hdl.player.clock import SearchClock
from loopline.hdl.player.history import TurnHistory
from loopline.hdl.player.intake import CommandIntake
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.evaluation.perimeter_walk import PerimeterWalk
from loopline.hdl.search.evaluation.perimeter_weigher import PerimeterWeigher
from loopline.hdl.search.evaluation.ring_finder import RingFinder
from loopline.hdl.search.evaluation.track_weigher import TrackWeigher
from loopline.hdl.search.evaluation.weights import read_groups
from loopline.hdl.search.hash import PositionHash
from loopline.hdl.search.killers import KillerTable
from loopline.hdl.search.lane import Lane as SearchLane
from loopline.hdl.search.lane import frame_layout
from loopline.hdl.search.lanes.crew import Crew
from loopline.hdl.search.lanes.dooms import Dooms
from loopline.hdl.search.lanes.member import Member
from loopline.hdl.search.lanes.nodes import SharedNodes
from loopline.hdl.search.lanes.shared_table import SharedTable
from loopline.hdl.search.lanes.turnstile import Turnstile
from loopline.hdl.search.lanes.units import UnitSwitch
from loopline.hdl.search.placement_walk import PlacementWalk
from loopline.hdl.search.root_list import RootList
from loopline.hdl.search.scan import NodeScan
from loopline.hdl.search.span import TurnSpan
from loopline.hdl.search.stack import FrameStack
from loopline.hdl.search.table import BlockTableMemory, TranspositionTable
from loopline.hdl.search.track_scan import TrackScan
from loopline.hdl.search.variation import Variation
from loopline.hdl.top import Loopline, Refusals
from loopline.hdl.watchdog import Watchdog, watchdog_ticks

__all__ = ["UNITS", "UNIT_CLOCK_HZ", "Unit", "find_units"]

UNIT_CLOCK_HZ = 48_000_000
"""The clock of links and players; it sets widths of counters only."""


@dataclass(frozen=True)
class Unit:
    """A unit: its name on the command line, a summary, and a function that makes it for a grid."""

    name: str
    summary: str
    make: Callable[[GridConfig], wiring.Component]


def _config(grid: GridConfig, frames: FrameSet = FrameSet.FULL) -> DesignConfig:
    return DesignConfig(clock_hz=UNIT_CLOCK_HZ, search=SearchConfig(grid=grid), frames=frames)


def _contest(grid: GridConfig) -> DesignConfig:
    return _config(grid, FrameSet.CONTEST)


def _search(grid: GridConfig, lanes: int = 1) -> SearchConfig:
    """A search with a table that every family has room for."""
    return SearchConfig(grid=grid, table_bits=8, lanes=lanes)


def _frame_stack(grid: GridConfig) -> FrameStack:
    config = _search(grid)
    return FrameStack(frame_layout(config), config.plies)


def _divisor(grid: GridConfig) -> int:
    config = _config(grid)
    return bit_cycles(config.clock_hz, config.baud)


def _shared_memory(grid: GridConfig) -> SharedMemory:
    ids, queue = track_id_port(grid), queue_port(grid)
    return SharedMemory(ids, queue, depth=ids.depth)


UNITS = {
    unit.name: unit
    for unit in (
        # The turn unit and its parts.
        Unit("tile", "which tile fits a space", lambda grid: TileFit()),
        Unit("socket", "what an edge does to the next cell", lambda grid: SocketStep()),
        Unit("bank", "a quarter of the map", Bank),
        Unit("bank-pair", "two quarters in one memory", BankPair),
        Unit("cells", "map of the torus", CellMap),
        Unit("spaces", "frontier table", SpaceTable),
        Unit("box", "bounding box", BoxGrowth),
        Unit("edges", "what follows from the box", BoxEdges),
        Unit(
            "memory",
            "memory of the forced spaces",
            lambda grid: DualPortMemory(queue_port(grid).shape, queue_port(grid).depth),
        ),
        Unit("shared-memory", "one memory for two units", _shared_memory),
        Unit("forced", "queue of forced spaces", lambda grid: WithMemories(ForcedQueue(grid))),
        Unit("joiner", "tracks of both colours", TrackJoiner),
        Unit("ends", "a tile's track ends", EndPairs),
        Unit("journal", "journal of turns", lambda grid: WithMemories(Journal(grid))),
        Unit("placer", "makes turns", lambda grid: WithMemories(Placer(grid))),
        Unit("moves", "move generator", MoveGenerator),
        Unit("turn-unit", "turn unit", TurnUnit),
        Unit(
            "turn-unit-reader",
            "turn unit with a reader",
            lambda grid: TurnUnit(grid, reader=True),
        ),
        # The candidate evaluator and its parts.
        Unit("neighbourhood", "a forced tile's open edges", Neighbourhood),
        Unit("exits", "where tracks leave the box", Exits),
        Unit("evaluator-lane", "what a socket does to a space", Lane),
        Unit("next-space", "the space that is filled next", NextSpace),
        Unit("epochs", "epochs of candidates", Epochs),
        Unit("overlay", "sockets that candidates have added", Overlay),
        Unit("union-find", "tracks that candidates have joined", UnionFind),
        Unit(
            "track-ids",
            "ids of tracks through candidates' tiles",
            lambda grid: WithMemories(TrackIds(grid)),
        ),
        Unit("first", "first tiles", FirstTiles),
        Unit("chain", "forced plays of four candidates", lambda grid: WithMemories(Chain(grid))),
        Unit("slow", "slow path: makes and unmakes a candidate", SlowPath),
        Unit(
            "evaluator",
            "evaluates all candidates",
            lambda grid: WithMemories(CandidateEvaluator(grid)),
        ),
        Unit(
            "turn-unit-evaluator",
            "turn unit with the evaluator",
            lambda grid: TurnUnit(grid, evaluator=True),
        ),
        # The search.
        Unit("track-scan", "attacks of both sides", TrackScan),
        Unit("perimeter-walk", "windows along the perimeter", PerimeterWalk),
        Unit("position-hash", "hash of a position", PositionHash),
        Unit(
            "placement-walk",
            "the next placement of a node",
            lambda grid: PlacementWalk(_search(grid)),
        ),
        Unit("ring-finder", "where rings of the perimeter begin", RingFinder),
        Unit("track-weigher", "weights of tracks", lambda grid: TrackWeigher(grid, read_groups())),
        Unit(
            "perimeter-weigher",
            "weights of sockets",
            lambda grid: PerimeterWeigher(read_groups()),
        ),
        Unit(
            "node-scan",
            "attacks and evaluation",
            lambda grid: NodeScan(SearchConfig(grid=grid), read_groups()),
        ),
        Unit("frame-stack", "nodes above the present one", _frame_stack),
        Unit(
            "shared-nodes",
            "nodes that four lanes share",
            lambda grid: SharedNodes(_search(grid), 4),
        ),
        Unit("table", "transposition table", lambda grid: TranspositionTable(_search(grid))),
        Unit(
            "shared-table",
            "the table for 8 lanes",
            lambda grid: SharedTable(_search(grid), 8),
        ),
        Unit("table-memory", "its memory", lambda grid: BlockTableMemory(_search(grid))),
        Unit("variation", "best turns of each ply", lambda grid: Variation(_search(grid))),
        Unit("killers", "killers", lambda grid: KillerTable(_search(grid))),
        Unit("span", "rectangle around a turn", TurnSpan),
        Unit("root-list", "the root's turns", lambda grid: RootList(_search(grid))),
        Unit("search-lane", "the search", lambda grid: SearchLane(_search(grid), read_groups())),
        Unit("dooms", "what a lane has to give up", lambda grid: Dooms(_search(grid).plies, 4)),
        Unit("turnstile", "which of four lanes has the grant", lambda grid: Turnstile(4)),
        Unit(
            "member",
            "the last of four lanes",
            lambda grid: Member(_search(grid, 4), read_groups(), 3),
        ),
        Unit("crew", "the search of two lanes", lambda grid: Crew(_search(grid, 2), read_groups())),
        Unit("unit-switch", "turn units of two lanes", lambda grid: UnitSwitch(grid, 2)),
        # What surrounds them.
        Unit("intake", "commands and requests of a player", CommandIntake),
        Unit("history", "turns of a game", TurnHistory),
        Unit("clock", "time of a search", lambda grid: SearchClock()),
        Unit("player", "player of games", lambda grid: Player(_config(grid))),
        Unit("player-contest", "the same for contests", lambda grid: Player(_contest(grid))),
        Unit("frame-checker", "checks frames", lambda grid: FrameChecker(_config(grid).commands)),
        Unit("repetitions", "recognises repeated frames", lambda grid: Repetitions()),
        Unit("search-monitor", "follows a search", lambda grid: SearchMonitor()),
        Unit("commander", "obeys frames", lambda grid: Commander(_config(grid))),
        Unit("answers", "what answers say", lambda grid: AnswerMaker(_config(grid))),
        Unit("turn-lister", "lists of turns", TurnLister),
        Unit("turn-counter", "counts of turns", TurnCounter),
        Unit("position-dumper", "what is on the board", PositionDumper),
        Unit("self-test", "tests the turn unit", SelfTest),
        Unit("transmitter", "bytes to a pin", lambda grid: UartTransmitter(_divisor(grid))),
        Unit("receiver", "bytes from a pin", lambda grid: UartReceiver(_divisor(grid))),
        Unit("uart", "both of them", lambda grid: Uart(_divisor(grid))),
        Unit("line-reader", "parses contest lines", LineReader),
        Unit("command-queue", "commands on offer", CommandQueue),
        Unit(
            "line-writer",
            "writes contest lines",
            lambda grid: LineWriter(grid, _config(grid).code),
        ),
        Unit(
            "protocol-demux",
            "separates lines and frames",
            lambda grid: ProtocolDemux(FRAME_PAUSE_MS),
        ),
        Unit("frame-reader", "assembles frames", lambda grid: FrameReader()),
        Unit("frame-writer", "sends answers", lambda grid: FrameWriter()),
        Unit("protocol-mux", "merges lines and frames", lambda grid: ProtocolMux()),
        Unit("counters", "counts events", lambda grid: Counters(len(COUNTERS))),
        Unit(
            "rate-control",
            "changes the serial line's rate",
            lambda grid: RateControl(_divisor(grid), BAUD_TRIAL_MS),
        ),
        Unit(
            "watchdog",
            "restarts what has come to a standstill",
            lambda grid: Watchdog(watchdog_ticks(cycles_per_ms(UNIT_CLOCK_HZ))),
        ),
        Unit("link", "both protocols", lambda grid: Link(_config(grid))),
        Unit("link-contest", "the same for contests", lambda grid: Link(_contest(grid))),
        Unit("frames", "commander and what it works with", lambda grid: Frames(_config(grid))),
        Unit("frames-contest", "the same for contests", lambda grid: Frames(_contest(grid))),
        Unit("arbiter", "grants the turn unit", lambda grid: Arbiter(grid, 3)),
        Unit("refusals", "counts refused lines", lambda grid: Refusals()),
        Unit("design", "whole design", lambda grid: Loopline(_config(grid))),
    )
}
"""All units by name, in the order of the table."""


def find_units(names: list[str]) -> list[Unit]:
    """Return the units of these names, ``all`` for every one, each once and in the table's order.

    Raises ``ValueError``, which lists all names.
    """
    for name in names:
        if name != "all" and name not in UNITS:
            raise ValueError(f"no unit {name!r}; there are: all, {', '.join(UNITS)}")
    return [unit for unit in UNITS.values() if unit.name in names or "all" in names]
