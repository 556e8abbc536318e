"""Join the switches of a part on one signal, so that the signal is looked at once.

CXXRTL's output has a process for each signal that a state machine drives, and each has the whole
switch on the state: a hundred chains of comparisons in a cycle, each with one branch taken. Here
the processes that do not depend on one another go through the switch together::

    a = ...;  if (state == 0) { A0 } else if (state == 1) { A1 }     a = ...;  b = ...;
    b = ...;  if (state == 0) { B0 } else if (state == 1) { B1 }  ─► switch (state) {
                                                                     case 0: A0 B0 break;
                                                                     case 1: A1 B1 break; }

The same is done in each branch, and with what follows the switch.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Process", "Switch", "joined", "parsed"]

_SCRUTINEE = re.compile(r"\t+const (value<\d+>) &(tmp_\d+) = (.*);")
_IF = re.compile(r"\t+if \((.*)\) \{")
_ELSE_IF = re.compile(r"\t+\} else if \((.*)\) \{")
_ELSE = re.compile(r"\t+\} else \{")
_END = re.compile(r"\t+\}")
_ASSIGNED = re.compile(r"\t+[ip]_[^{}]* = .*;")
_CONSTANT = re.compile(r"@ == value<\d+>\{(0|0x[0-9a-f]+)u\}")

_FEW = 3
"""A switch with fewer constants is a chain of comparisons."""


@dataclass(frozen=True)
class Switch:
    """A chain of branches on a value.

    Attributes
    ----------
    width, value : str
        The value's type, and its expression.
    conditions : tuple of str
        In their order, with ``@`` for the value.
    branches : tuple
        What each condition leads to, and at the end what holds if none does.
    """

    width: str
    value: str
    conditions: tuple[str, ...]
    branches: tuple[Process, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """What switches have in common that can be joined."""
        return self.value, *self.conditions


Process = tuple[str | Switch, ...]
"""Assignments and switches in their order."""


def parsed(lines: Sequence[str]) -> Process | None:
    """Return a process, or None if the lines are something else."""
    found, rest = _items(lines, 0)
    return found if rest == len(lines) else None


def _items(lines: Sequence[str], at: int) -> tuple[Process, int]:
    """Return the items from a line on, and the line after them."""
    items: list[str | Switch] = []
    while at < len(lines):
        declared = _SCRUTINEE.fullmatch(lines[at])
        if declared:
            switch, after = _switch(lines, at + 1, declared)
            if switch is None:
                break
            items.append(switch)
            at = after
        elif _ASSIGNED.fullmatch(lines[at]):
            items.append(lines[at].strip())
            at += 1
        else:
            break
    return tuple(items), at


def _switch(lines: Sequence[str], at: int, declared: re.Match[str]) -> tuple[Switch | None, int]:
    """Return the switch whose first condition is in a line, and the line after it."""
    width, name, value = declared.groups()
    conditions: list[str] = []
    branches: list[Process] = []
    begin = _IF.fullmatch(lines[at])
    if not begin:
        return None, at
    while begin:
        conditions.append(re.sub(rf"\b{name}\b", "@", begin[1]))
        branch, at = _items(lines, at + 1)
        branches.append(branch)
        if at == len(lines):
            return None, at
        begin = _ELSE_IF.fullmatch(lines[at])
    otherwise: Process = ()
    if _ELSE.fullmatch(lines[at]):
        otherwise, at = _items(lines, at + 1)
    if at == len(lines) or not _END.fullmatch(lines[at]):
        return None, at
    return Switch(width, value, tuple(conditions), (*branches, otherwise)), at + 1


def joined(processes: Sequence[Process], depth: int = 1) -> Iterator[str]:
    """Yield the lines of processes that do not depend on one another."""
    left = list(processes)
    while left:
        waiting: list[tuple[Switch, Process]] = []
        for process in left:
            for number, item in enumerate(process):
                if isinstance(item, Switch):
                    waiting.append((item, process[number + 1 :]))
                    break
                yield "\t" * depth + item
        # A process that comes to a switch later may still share it: that one waits.
        later = Counter(
            key
            for _, rest in waiting
            for key in {item.key for item in rest if isinstance(item, Switch)}
        )
        now = min((switch.key for switch, _ in waiting), key=later.__getitem__, default=None)
        yield from _written([switch for switch, _ in waiting if switch.key == now], depth)
        left = [rest if switch.key == now else (switch, *rest) for switch, rest in waiting]


def _written(switches: Sequence[Switch], depth: int) -> Iterator[str]:
    """Yield the lines of switches with the same key, as one."""
    if not switches:
        return
    first = switches[0]
    indent = "\t" * depth
    *branches, otherwise = (
        [process for process in each if process]
        for each in zip(*(switch.branches for switch in switches), strict=True)
    )
    constants = [
        found[1] for found in map(_CONSTANT.fullmatch, first.conditions) if found is not None
    ]
    yield f"{indent}{{"
    yield f"{indent}\tconst {first.width} &selector = {first.value};"
    if len(set(constants)) == len(first.conditions) >= _FEW:
        yield f"{indent}\tswitch (selector.data[0]) {{"
        for constant, branch in zip(constants, branches, strict=True):
            if branch or otherwise:
                yield f"{indent}\tcase {constant}u:"
                yield from joined(branch, depth + 2)
                yield f"{indent}\t\tbreak;"
        if otherwise:
            yield f"{indent}\tdefault:"
            yield from joined(otherwise, depth + 2)
    else:
        word = "if"
        for condition, branch in zip(first.conditions, branches, strict=True):
            yield f"{indent}\t{word} ({condition.replace('@', 'selector')}) {{"
            yield from joined(branch, depth + 2)
            word = "} else if"
        if otherwise:
            yield f"{indent}\t}} else {{"
            yield from joined(otherwise, depth + 2)
    yield f"{indent}\t}}"
    yield f"{indent}}}"
