"""Limits of a device's searches, as settings of its name: ``sim:nodes=5000`` or ``PORT:time=2``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from loopline.host.device.endpoint import split_devices
from loopline.host.errors import UsageError
from loopline.host.transport.engine import ENGINE, is_engine, with_options
from loopline.host.transport.simulated import BOARD_OPTIONS, is_simulated
from loopline.tools import arguments as types

__all__ = ["SearchLimits", "engine_limits", "split_limits", "takes_limits", "with_limits"]

_TYPES: Final[Mapping[str, Callable[[str], int | float]]] = {
    "time": types.seconds(0.001, 86_400),
    "nodes": types.whole_number(1),
    "depth": types.whole_number(1),
}

_SETTINGS = re.compile(r":((?:[a-z_]+=[^,:=/]*)(?:,[a-z_]+=[^,:=/]*)*)$")

_WITHOUT: Final = ("cmd", "human", "random", "greedy")
"""Kinds of players that have no limits from outside."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Where a device's search ends; None: no such limit.

    Attributes
    ----------
    seconds : float or None
        The time, by the clock of the PC.
    nodes, depth : int or None
        The most nodes; the most turns to look ahead.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __bool__(self) -> bool:
        return self != SearchLimits()


def takes_limits(spec: str) -> bool:
    """Return whether a spec names the engine, or what may be a device with frames; or several."""
    return all(
        is_engine(name) or name.partition(":")[0] not in _WITHOUT for name in split_devices(spec)
    )


def split_limits(spec: str) -> tuple[str, SearchLimits]:
    """Return the name of a device without its limits, and the limits.

    A spec of the engine, whose program takes them, stays as it is. Of several devices the
    last one has the limits of all.

    Raises
    ------
    UsageError
        If a setting is not valid.
    """
    *others, last = split_devices(spec)
    if others:
        last, limits = _split_engine(last) if is_engine(last) else split_limits(last)
        return ",".join([*others, last]), limits
    found = _SETTINGS.search(spec)
    if not found or is_engine(spec) or not takes_limits(spec):
        return spec, SearchLimits()
    device = spec[: found.start()]
    wanted: list[str] = []
    options = BOARD_OPTIONS if is_simulated(spec) else ()
    for setting in found[1].split(","):
        name = setting.partition("=")[0]
        if name in options:
            device += f"{',' if ':' in device else ':'}{setting}"
        elif name in _TYPES:
            wanted.append(setting)
        else:
            known = ", ".join([*_TYPES, *options])
            raise UsageError(f"{spec!r}: {name!r} is unknown: use {known}")
    return device, _limits(spec, wanted)


def _limits(spec: str, settings: Sequence[str]) -> SearchLimits:
    """Return the limits that settings of a spec name; :exc:`UsageError` for one that is wrong."""
    values: dict[str, int | float] = {}
    for setting in settings:
        name, _, text = setting.partition("=")
        try:
            values["seconds" if name == "time" else name] = _TYPES[name](text)
        except ValueError as error:
            raise UsageError(f"{spec!r}: {name}: {error}") from error
    seconds, nodes, depth = values.get("seconds"), values.get("nodes"), values.get("depth")
    return SearchLimits(
        seconds, None if nodes is None else int(nodes), None if depth is None else int(depth)
    )


def _split_engine(spec: str) -> tuple[str, SearchLimits]:
    """Return the engine's spec without limits, and the limits."""
    settings = [each for each in spec.partition(":")[2].split(",") if each]
    limits = [each for each in settings if each.partition("=")[0] in _TYPES]
    others = [each for each in settings if each not in limits]
    name = f"{ENGINE}:{','.join(others)}" if others else ENGINE
    return name, _limits(spec, limits)


def engine_limits(spec: str) -> SearchLimits | None:
    """Return the limits that a valid spec of the engine sets; None if frames cannot say them all.

    A search has no limit of frames where the engine has one of ``cycles`` of its own, varies no
    opening by ``seed``, and knows no expected turn for ``ponder``.
    """
    settings = [each for each in spec.partition(":")[2].split(",") if each]
    own = dict(each.split("=", 1) for each in settings)
    if own.keys() & {"cycles", "seed", "ponder"}:
        return None
    return _limits(spec, [f"{name}={text}" for name, text in own.items() if name in _TYPES])


def with_limits(
    spec: str,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int | None = None,
) -> str:
    """Return a spec with options of the command line added; limits of the spec itself win.

    Raises
    ------
    UsageError
        If a limit is given for a player without limits, or a seed for another than the engine.
    """
    devices = split_devices(spec)
    if len(devices) == 1 and is_engine(spec):
        return with_options(spec, seconds=seconds, nodes=nodes, depth=depth, seed=seed)
    if seed is not None:
        raise UsageError(f"--seed is for the engine, not for {spec!r}")
    time = None if seconds is None else f"{seconds:g}"
    wanted = {"time": time, "nodes": nodes, "depth": depth}
    given = {name: value for name, value in wanted.items() if value is not None}
    if given and not takes_limits(spec):
        raise UsageError(f"--{next(iter(given))} is for devices and the engine, not for {spec!r}")
    if not given or split_limits(spec)[1]:
        return spec
    has_settings = is_engine(devices[-1]) or is_simulated(devices[-1])
    joint = "," if has_settings and ":" in devices[-1] else ":"
    return f"{spec}{joint}{','.join(f'{name}={value}' for name, value in given.items())}"
