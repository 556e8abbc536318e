"""The engine, ``python -m loopline.engine``: a program that obeys contest lines and frames."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from loopline.game import STANDARD, Variant
from loopline.host.clock import SEARCH_SHARE, UNTIMED, Clock
from loopline.host.errors import UsageError
from loopline.host.transport.line_spec import START_SECONDS, Endpoint
from loopline.host.transport.process_line import ProcessLine
from loopline.tools import arguments as types
from loopline.tools.extras import require

__all__ = ["ENGINE", "engine_argv", "is_engine", "start_engine", "thinking_seconds", "with_options"]

ENGINE: Final = "engine"
"""The word that names it on the command line."""

_OPTIONS: Final[Mapping[str, Callable[[str], object]]] = {
    "time": types.seconds(0.001, 86_400),
    "nodes": types.whole_number(1),
    "cycles": types.whole_number(1),
    "depth": types.whole_number(1),
    "seed": types.seed,
    "weights": Path,
    "ponder": types.whole_number(1),
}
"""The options of the program that a spec may set, and their types."""

_SEARCH: Final = (
    "lanes table_bits plies grid frontier_entries journal evaluation_bits attacks exact_wins "
    "extensions quiescence_radius table reduce_after reduce_depth reduce_more_after "
    "reduce_more_depth reverse_futility_margin reverse_futility_depth locality killers zero_windows"
).split()
"""The names of its option ``--set``: whole numbers, the search's sizes and constants."""

_LIMITS: Final = ("time", "nodes", "cycles", "depth")

_RESERVE: Final = 0.02
"""The seconds that communication may take beyond what :data:`.SEARCH_SHARE` leaves."""

_LONGEST: Final = 60.0
"""The most seconds of a search that only a clock limits."""

_SLOWEST: Final = 86_500.0


def is_engine(spec: str) -> bool:
    """Return whether a spec names the engine: ``engine`` or ``engine:...``."""
    return spec.partition(":")[0] == ENGINE


def thinking_seconds(clock: Clock) -> float | None:
    """Return the seconds of a search under a clock; None if the clock sets no limit."""
    allowed = clock.allows(excesses=1)
    if allowed is None:
        return None
    return min(_LONGEST, max(0.001, SEARCH_SHARE * allowed - _RESERVE))


def with_options(
    spec: str,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int | None = None,
) -> str:
    """Return the engine's spec with options of the command line added; its own settings win."""
    wanted = {"time": seconds, "nodes": nodes, "depth": depth, "seed": seed}
    given = {name: value for name, value in wanted.items() if value is not None}
    settings = [each for each in spec.partition(":")[2].split(",") if each]
    own = {each.partition("=")[0] for each in settings}
    limited = bool(own & set(_LIMITS))
    for name, value in given.items():
        if name not in own and not (limited and name in _LIMITS):
            settings.append(f"{name}={value:g}" if name == "time" else f"{name}={value}")
    return f"{ENGINE}:{','.join(settings)}" if settings else spec


def engine_argv(spec: str, variant: Variant = STANDARD, clock: Clock = UNTIMED) -> list[str]:
    """Return the command that starts the engine of a spec; see :func:`start_engine`.

    Nothing is started. Raises :exc:`UsageError` if the spec sets what cannot be set.
    """
    require("the engine", "engine")
    argv = [sys.executable, "-m", "loopline.engine", "--variant", variant.name]
    names = []
    for setting in filter(None, spec.partition(":")[2].split(",")):
        try:
            name, value = types.split_setting(setting)
            if name not in _OPTIONS and name not in _SEARCH:
                near = get_close_matches(name, (*_OPTIONS, *_SEARCH), 1)
                accepted = (
                    f"{', '.join(_OPTIONS)} or a size or constant of the search (docs/search.md)"
                )
                raise ValueError(f"{name!r} is unknown: use {near[0] if near else accepted}")
            _OPTIONS.get(name, types.whole_number())(value)
        except ValueError as error:
            raise UsageError(f"{spec!r}: {error}") from error
        names.append(name)
        argv += [f"--{name}", value] if name in _OPTIONS else ["--set", setting]
    seconds = thinking_seconds(clock)
    if seconds is not None and not set(names) & set(_LIMITS):
        argv += ["--time", f"{seconds:.3f}"]
    return argv


def start_engine(spec: str, variant: Variant = STANDARD, clock: Clock = UNTIMED) -> Endpoint:
    """Start the engine that a spec names, to play by contest lines.

    Parameters
    ----------
    spec : str
        ``engine``, or ``engine:NAME=VALUE,...`` with the names of the options of
        ``python -m loopline.engine`` and of the numbers that its ``--set`` takes.
    variant, clock
        What it plays, and the time that it has where the spec sets no limit.

    Raises
    ------
    UsageError
        If the spec sets what cannot be set.
    DeviceGoneError
        If the program cannot be started.
    """
    line = ProcessLine(shlex.join(engine_argv(spec, variant, clock)), shown=True)
    line.path = spec
    return Endpoint(line, _SLOWEST, START_SECONDS, ours=True)
