"""The model: the gateware's search in software, a program that speaks the contest's protocol."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import Final

from loopline.game import STANDARD, Variant
from loopline.host.clock import UNTIMED, Clock
from loopline.host.errors import UsageError
from loopline.host.transport.line_spec import Endpoint
from loopline.host.transport.process_line import ProcessLine

__all__ = ["MODEL", "find_model", "is_model", "model_words", "thinking_seconds", "with_options"]

MODEL: Final = "model"
"""The word that names it."""

_OPTIONS: Final = ("time", "nodes", "cycles", "depth", "seed", "weights")
"""What a spec may set by its name; other names are those of the search's own numbers."""

_LIMITS: Final = ("time", "nodes", "cycles", "depth")

_SHARE: Final = 0.85
_RESERVE: Final = 0.02
"""How much of a clock's time it thinks, and what the way there and back takes at most."""

_LONGEST: Final = 60.0
"""It thinks no longer than this if only a clock says so."""

_START: Final = 120.0
"""The seconds until it says its code: the first time it is compiled."""

_SLOWEST: Final = 86_500.0


def is_model(spec: str) -> bool:
    """Whether a spec names the model: ``model`` or ``model:...``."""
    return spec.partition(":")[0] == MODEL


def thinking_seconds(clock: Clock) -> float | None:
    """How long it thinks by a clock; None: as long as it does by itself."""
    allowed = clock.allows(excesses=1)
    if allowed is None:
        return None
    return min(_LONGEST, max(0.001, _SHARE * allowed - _RESERVE))


def with_options(
    spec: str,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int | None = None,
) -> str:
    """The same spec with options of the command line, which the spec's own settings precede.

    Raises
    ------
    UsageError
        If an option is given, and the spec does not name the model.
    """
    wanted = {"time": seconds, "nodes": nodes, "depth": depth, "seed": seed}
    given = {name: value for name, value in wanted.items() if value is not None}
    if not is_model(spec):
        if given:
            raise UsageError(f"--{next(iter(given))} is for the model, not for {spec!r}")
        return spec
    settings = [each for each in spec.partition(":")[2].split(",") if each]
    own = {each.partition("=")[0] for each in settings}
    limited = bool(own & set(_LIMITS))
    for name, value in given.items():
        if name not in own and not (limited and name in _LIMITS):
            settings.append(f"{name}={value:g}" if name == "time" else f"{name}={value}")
    return f"{MODEL}:{','.join(settings)}" if settings else spec


def model_words(
    spec: str,
    variant: Variant = STANDARD,
    clock: Clock = UNTIMED,
    arguments: Sequence[str] = (),
) -> list[str]:
    """The program that a spec names, as words of a command; see :func:`find_model`."""
    words = [sys.executable, "-m", "loopline.engine", "--variant", variant.name, *arguments]
    names = []
    for setting in filter(None, spec.partition(":")[2].split(",")):
        name, equals, value = setting.partition("=")
        if not name or not equals or not value:
            raise UsageError(f"{spec!r}: {setting!r} sets nothing, use model:NAME=VALUE,...")
        names.append(name)
        words += [f"--{name}", value] if name in _OPTIONS else ["--set", setting]
    seconds = thinking_seconds(clock)
    if seconds is not None and not set(names) & set(_LIMITS):
        words += ["--time", f"{seconds:.3f}"]
    return words


def find_model(
    spec: str,
    variant: Variant = STANDARD,
    clock: Clock = UNTIMED,
    arguments: Sequence[str] = (),
) -> Endpoint:
    """Start the model that a spec names.

    Parameters
    ----------
    spec : str
        ``model``, or ``model:NAME=VALUE,...`` with the names of the options of
        ``python -m loopline.engine`` and of the numbers that its ``--set`` takes.
    variant, clock
        What it plays, and the time that it has where the spec sets no limit.
    arguments : sequence of str
        Further arguments for the program.

    Raises
    ------
    UsageError
        If the spec sets what cannot be set.
    DeviceGoneError
        If the program cannot be started.
    """
    words = model_words(spec, variant, clock, arguments)
    line = ProcessLine(shlex.join(words))
    line.path = spec
    return Endpoint(line, _SLOWEST, _START, ours=True)
