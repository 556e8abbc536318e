"""Graphs of states: where ways lead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["may_end"]


def may_end(leads: Mapping[tuple, Iterable[tuple]], ends: Iterable[tuple]) -> set[tuple]:
    """The states from which a way leads to one of the ``ends``."""
    before: dict[tuple, list[tuple]] = {}
    for here, after in leads.items():
        for there in after:
            before.setdefault(there, []).append(here)
    found, waiting = set(ends), list(ends)
    while waiting:
        for here in before.get(waiting.pop(), ()):
            if here not in found:
                found.add(here)
                waiting.append(here)
    return found
