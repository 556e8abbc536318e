"""The rules of Trax: the reference model that everything else in Loopline is checked against.

Standard library only. In the order in which a turn passes through the modules::

    "B1+" ─► notation ─► Turn ─► position ─► Played, Result ─► records, perft
    "B1S" ─► old_notation ──┘       │   ├──► symmetry: one form for all positions that are the same
                                    │   └──► threats: attacks, corners, L threats and answers
                                legality: what is wrong with a turn
                                    │
          forced plays: chain ◄── board ──► ends: which two ends belong to one track
                                    │
                                  grid, tracks: spaces as integers; tracks followed, to draw them

``tiles`` (colours, sides and tiles) is below them all; ``variant`` (how the variants of the game
differ) and ``errors`` stand beside them. ``wire`` defines the framed link. Whole games on paper::

    lines of a file ─► record_lines ─► record_reader ─► game_record ─► lines of a file
                                            └── result: how a game ended, resignation included

>>> position = Position()
>>> for turn in "@0/", "B1+", "A2/":
...     played = position.play(turn)
>>> print(position.tiles, position.to_move.name, *position.legal_turns()[:4])
4 RED @1+ @1/ @1\\ @2+
"""

from loopline.game.errors import NotationError, RecordError, TraxError
from loopline.game.legality import (
    ColourMismatchError,
    FirstTurnError,
    ForcedPlayError,
    GameOverError,
    IllegalTurnError,
    NotAdjacentError,
    OccupiedError,
    OutsideAreaError,
)
from loopline.game.notation import (
    Turn,
    column_name,
    column_number,
    format_turn,
    parse_turn,
    space_name,
)
from loopline.game.old_notation import OldTurn, format_old_turn, parse_old_turn, read_turn
from loopline.game.perft import perft
from loopline.game.position import Position, ending_of, play_game
from loopline.game.records.game_record import GameRecord, format_record, format_records, record_of
from loopline.game.records.record_lines import GameText, split_games
from loopline.game.records.record_reader import GameReading, parse_game, read_game, read_records
from loopline.game.result import (
    REASONS,
    Draw,
    DrawReason,
    Ending,
    EndReason,
    Kind,
    Placed,
    Played,
    Result,
)
from loopline.game.symmetry import SYMMETRIES, Canonical, Symmetry, canonical, position_hash
from loopline.game.threats import (
    Attack,
    Corner,
    LThreat,
    OpenTrack,
    TrackEnd,
    answers,
    attacks,
    corners,
    l_threats,
    open_tracks,
)
from loopline.game.tiles import ALL_SIDES, SHAPE_OF_CODE, Colour, Shape, Side, Tile
from loopline.game.tracks import LINE_LENGTH, Track, winning_tracks
from loopline.game.variant import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    STANDARD,
    VARIANT_NAMES,
    VARIANTS,
    BothRule,
    Variant,
    limited,
    variant_named,
)

__all__ = [
    "ALL_SIDES",
    "DELUXE",
    "LIMITED",
    "LINE_LENGTH",
    "LOOP",
    "MINI",
    "REASONS",
    "SHAPE_OF_CODE",
    "STANDARD",
    "SYMMETRIES",
    "VARIANTS",
    "VARIANT_NAMES",
    "Attack",
    "BothRule",
    "Canonical",
    "Colour",
    "ColourMismatchError",
    "Corner",
    "Draw",
    "DrawReason",
    "EndReason",
    "Ending",
    "FirstTurnError",
    "ForcedPlayError",
    "GameOverError",
    "GameReading",
    "GameRecord",
    "GameText",
    "IllegalTurnError",
    "Kind",
    "LThreat",
    "NotAdjacentError",
    "NotationError",
    "OccupiedError",
    "OldTurn",
    "OpenTrack",
    "OutsideAreaError",
    "Placed",
    "Played",
    "Position",
    "RecordError",
    "Result",
    "Shape",
    "Side",
    "Symmetry",
    "Tile",
    "Track",
    "TrackEnd",
    "TraxError",
    "Turn",
    "Variant",
    "answers",
    "attacks",
    "canonical",
    "column_name",
    "column_number",
    "corners",
    "ending_of",
    "format_old_turn",
    "format_record",
    "format_records",
    "format_turn",
    "l_threats",
    "limited",
    "open_tracks",
    "parse_game",
    "parse_old_turn",
    "parse_turn",
    "perft",
    "play_game",
    "position_hash",
    "read_game",
    "read_records",
    "read_turn",
    "record_of",
    "space_name",
    "split_games",
    "variant_named",
    "winning_tracks",
]
