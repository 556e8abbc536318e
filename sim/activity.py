"""Rewrite CXXRTL's output so that a cycle computes only what may have changed.

The ``eval`` that Yosys generates computes the whole design in each cycle, though most of its units
wait most of the time. Here its statements are grouped into parts, each of one unit, in an order in
which operands come first. A part is skipped in a cycle in which nothing that it reads differs from
the cycle before, as its results would be the same.

::

    inputs, registers, memories that have changed ─► parts that read them ─┐
                                                                           ▼
          ┌─ if (active[0] & 0x1) part0(); ─► if (active[0] & 0x2) part1(); ─► ...
          │      what other parts read is compared with what it was: ─► they are active, too
          ▼
    commit: only the registers and memories of parts that were active

Each part has a bit of ``active``. Committing registers and memories sets the bits for the next
cycle. Within a cycle a bit is set before its part is reached, since a statement comes after all
those that make its operands. Bits are tested in blocks first, as most parts are at rest.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from loopline.sim.switches import Switch, joined, parsed

__all__ = ["by_activity"]

_WORD = 32
"""Bits of a word of ``active``."""

_BLOCK = 8
"""Parts whose bits are tested together first."""

_LONG = 24
"""A counter of more bits counts cycles, or events that are as frequent."""

_EVAL = "bool p_top::eval(performer *performer) {\n"
_STRUCT = "struct p_top : public module {\n"
_CLOCK = ("p_clk", "prev_p_clk", "posedge_p_clk")
_AROUND = (
    "\tbool converged = true;",
    "\tbool posedge_p_clk = this->posedge_p_clk();",
    "\treturn converged;",
)
_EDGE = "\tconstexpr bool posedge_p_clk = true;"

_MEMBER = re.compile(r"^\t(?:/\*(\w+)\*/ )?(wire|value|memory)<(\d+)> (\w+)", re.MULTILINE)
_LOCAL = re.compile(r"\tvalue<(\d+)> (\w+);")
_NAME = re.compile(r"\b(?:[ip]_\w+|memory_p_\w+)(?:\.(?:curr|next)\b)?")
_WRITTEN = re.compile(r"\s*([ip]_\w+(?:\.next)?)(?:\.slice<[\d,]+>\(\))? = ")
_UPDATED = re.compile(r"\b(memory_p_\w+)\.update\(")
_TEMPORARY = re.compile(r"\btmp_\d+\b")
_COUNTED = re.compile(r"\b(?:add|sub)_uu<(\d+)>\((p_\w+\.curr), value<\d+>\{0x1u\}\)")
_KEEPS = re.compile(r"\t(?P<value>i_\w+) = (?P<register>p_\w+)\.curr;")
_TAKES = re.compile(
    r"\tif \(posedge_p_clk\) \{\n\t\t(?P<register>p_\w+)\.next = (?P<value>i_\w+);\n\t\}"
)
_COMMIT = re.compile(r"^\t\tif \((\w+)\.commit\(observer\)\) changed = true;\n", re.MULTILINE)


class _Member(NamedTuple):
    """A member of the generated class."""

    port: str
    kind: str
    width: int


@dataclass(eq=False)
class _Statement:
    """Lines of ``eval`` that stay together.

    Attributes
    ----------
    lines : list of str
        As they were generated.
    reads, writes : set of str
        Names. ``x.curr`` and ``x.next`` are a register's present and next value; a memory is
        written if it has a write port there.
    group : tuple of str
        The unit of the design that it belongs to, and of which kind it is: see :func:`_group`.
    """

    lines: list[str]
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    group: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        for line in self.lines:
            written = _WRITTEN.match(line)
            updated = set(_UPDATED.findall(line))
            self.writes |= updated
            if written:
                self.writes.add(written[1])
            rest = line[written.end() :] if written else line
            self.reads |= set(_NAME.findall(rest)) - updated
        self.reads.difference_update(_CLOCK)

    @property
    def unit(self) -> str:
        """The path of the unit whose signal it writes, such as ``link.uart``."""
        name = min(self.writes, default="").removeprefix("memory_")
        path = name.replace("i_flatten_5c_", "p_").replace("_5c_", "").removeprefix("p_")
        return path.rpartition("_2e_")[0].replace("_2e_", ".")


def by_activity(design: str) -> str:
    """Rewrite a design so that a cycle computes only what may have changed.

    Parameters
    ----------
    design : str
        The output of ``write_cxxrtl`` for a flattened design with one clock and without
        combinational feedback.

    Returns the same design for a driver that calls ``eval`` and ``commit`` in turn, never one of
    them twice, each ``eval`` at a rising edge of the clock. Inputs may be set at any time. A driver
    that changes a register or a memory calls ``wake()`` then. Raises :exc:`ValueError` for a text
    of another form.
    """
    try:
        head, rest = design.split(_EVAL)
        body, tail = rest.split("\n}\n", 1)
        head, struct = head.split(_STRUCT)
    except ValueError:
        raise ValueError("not a model of one flattened design, as write_cxxrtl makes it") from None
    members = {
        name: _Member(port or "", kind, int(width))
        for port, kind, width, name in _MEMBER.findall(struct)
    }
    statements, local = _parsed(body)
    _group(statements, {**local, **{name: member.width for name, member in members.items()}})
    parts = _in_parts(statements)
    return _Text(members, local, parts).whole(head, struct, tail)


def _parsed(body: str) -> tuple[list[_Statement], dict[str, int]]:
    """Return the statements of ``eval``, and the widths of its local values."""
    items: list[list[str]] = []
    local: dict[str, int] = {}
    for line in body.splitlines():
        declared = _LOCAL.fullmatch(line)
        if declared:
            local[declared[2]] = int(declared[1])
        elif line.startswith(("\t\t", "\t}")):
            if not line.lstrip().startswith("//"):
                items[-1].append(line)
        elif "bool converged" in line and line not in _AROUND:
            raise ValueError("the design has combinational feedback")
        elif line not in _AROUND and not line.startswith("\t//"):
            items.append([line])
    return [_Statement(lines) for lines in _in_place(_joined(items))], local


def _in_place(items: Sequence[list[str]]) -> list[list[str]]:
    """Let processes write a register's next value that make a value for nothing else.

    Between a ``commit`` and the next ``eval`` the next value is the present one, so that such a
    process has no need of its default, which would copy it.
    """
    made = {
        (found["value"], found["register"]): number
        for number, item in enumerate(items)
        if (found := _KEEPS.fullmatch(item[0]))
    }
    used = Counter(name for item in items for name in {*_NAME.findall("\n".join(item))})
    result = list(items)
    for number, item in enumerate(items):
        found = _TAKES.fullmatch("\n".join(item))
        process = found and made.get((found["value"], found["register"]))
        if found and process is not None and used[found["value"]] == 2:
            value = re.compile(rf"\b{found['value']}\b")
            register = f"{found['register']}.next"
            result[process] = [value.sub(register, line) for line in items[process][1:]]
            result[number] = []
    return [item for item in result if item]


def _joined(items: Sequence[list[str]]) -> list[list[str]]:
    """Join items that share a temporary value, and a default with what overrides it."""
    last = {}
    for number, item in enumerate(items):
        for name in _TEMPORARY.findall("\n".join(item)):
            last[name] = number
    result: list[list[str]] = []
    number = 0
    while number < len(items):
        until = number
        lines: list[str] = []
        while number <= until:
            lines += items[number]
            until = max([until, *(last[name] for name in _TEMPORARY.findall("\n".join(lines)))])
            number += 1
        default = _WRITTEN.match(result[-1][0]) if result else None
        if default and any(default[1] == found[1] for found in map(_WRITTEN.match, lines) if found):
            result[-1] += lines
        else:
            result.append(lines)
    return result


def _group(statements: Iterable[_Statement], widths: Mapping[str, int]) -> None:
    """Group the statements: those of a unit, by up to two kinds.

    ``count`` reads what changes in nearly every cycle in which the unit is not reset; the rest of
    the unit is computed less often.
    """
    statements = list(statements)
    counts: set[str] = set()
    for statement in statements:
        for width, name in _COUNTED.findall("\n".join(statement.lines)):
            if int(width) > _LONG:
                counts.add(name)
    more = True
    while more:
        before = len(counts)
        for statement in statements:
            if statement.reads & counts:
                counts |= {name for name in statement.writes if widths.get(name, 0) > _LONG}
        more = len(counts) > before
    for statement in statements:
        statement.group = statement.unit, "count" if statement.reads & counts else ""


def _dependencies(
    statements: Sequence[_Statement],
) -> tuple[Counter[_Statement], dict[_Statement, list[_Statement]]]:
    """Return how many statements each one waits for, and which ones wait for it."""
    then: dict[_Statement, list[_Statement]] = defaultdict(list)
    waits = Counter[_Statement]()
    writers: dict[str, list[_Statement]] = defaultdict(list)
    readers: dict[str, list[_Statement]] = defaultdict(list)
    for statement in statements:
        before = {writer for name in statement.reads for writer in writers[name]}
        for name in statement.writes:
            before.update(writers[name], readers[name])
        for other in before:
            then[other].append(statement)
        waits[statement] = len(before)
        for name in statement.reads:
            readers[name].append(statement)
        for name in statement.writes:
            writers[name].append(statement)
    return waits, then


def _in_parts(statements: Sequence[_Statement]) -> list[list[_Statement]]:
    """Put as many statements of a group together as their operands allow."""
    waits, then = _dependencies(statements)
    place = {statement: number for number, statement in enumerate(statements)}
    left = Counter(statement.group for statement in statements)
    ready: dict[tuple[str, str], list[_Statement]] = defaultdict(list)
    for statement in statements:
        if not waits[statement]:
            ready[statement.group].append(statement)

    def alone(group: tuple[str, str]) -> list[_Statement]:
        """Return the statements that a group can compute now without the others."""
        found, made = list(ready[group]), Counter[_Statement]()
        for statement in found:
            for following in then[statement]:
                made[following] += 1
                if following.group == group and made[following] == waits[following]:
                    found.append(following)
        return found

    def use(part: list[_Statement]) -> tuple[bool, int]:
        """Return a part's sort key: best ends its group, next best has most statements waiting."""
        return len(part) == left[part[0].group], sum(len(then[statement]) for statement in part)

    parts = []
    while any(ready.values()):
        part = max((alone(group) for group in sorted(ready) if ready[group]), key=use)
        group = part[0].group
        left[group] -= len(part)
        ready[group] = []
        for statement in part:
            for following in then[statement]:
                waits[following] -= 1
                if not waits[following] and following.group != group:
                    ready[following.group].append(following)
        parts.append(sorted(part, key=place.__getitem__))
    return parts


def _joined_lines(part: Sequence[_Statement]) -> list[str]:
    """Return the lines of a part, in an order in which as many switches as possible are joined."""
    waits, then = _dependencies(part)
    processes = {statement: parsed(statement.lines) for statement in part}
    ready = [statement for statement in part if not waits[statement]]
    lines: list[str] = []

    def key(statement: _Statement) -> tuple[str, ...]:
        """Return what a statement switches on first; nothing if it is something else."""
        return next(
            (item.key for item in processes[statement] or () if isinstance(item, Switch)), ()
        )

    keys = {statement: key(statement) for statement in part}
    left = Counter(keys.values())
    while ready:
        plain = [statement for statement in ready if not keys[statement]]
        if plain:
            now = plain
            lines += [line for statement in now for line in statement.lines]
        else:
            count = Counter(keys[statement] for statement in ready)
            best = max(count, key=lambda key: (count[key] == left[key], count[key]))
            now = [statement for statement in ready if keys[statement] == best]
            lines += joined([processes[statement] or () for statement in now])
            left[best] -= len(now)
        ready = [statement for statement in ready if statement not in now]
        for statement in now:
            for following in then[statement]:
                waits[following] -= 1
                if not waits[following]:
                    ready.append(following)
    return lines


class _Text:
    """Write the text of the rewritten design.

    Parameters
    ----------
    members : mapping of str to _Member
        Those of the generated class.
    local : mapping of str to int
        The local values of its ``eval``, with their widths.
    parts : sequence
        What is computed together, in this order.
    """

    def __init__(
        self,
        members: Mapping[str, _Member],
        local: Mapping[str, int],
        parts: Sequence[Sequence[_Statement]],
    ) -> None:
        self._members = members
        self._local = local
        self._parts = parts
        self._words = -(-len(parts) // _WORD)
        self._readers: Counter[str] = Counter()
        self._writers: Counter[str] = Counter()
        for number, part in enumerate(parts):
            for statement in part:
                for name in statement.reads:
                    self._readers[name] |= 1 << number
                for name in statement.writes:
                    self._writers[name] |= 1 << number
        for name, member in members.items():
            if member.kind == "memory":
                # A port that keeps writing has to write again after another port has written.
                self._readers[name] |= self._writers[name]
        self._kept = [
            name for name in local if (self._readers[name] | self._writers[name]).bit_count() > 1
        ]
        outputs = (name for name, member in members.items() if member.kind == "value")
        self._lasting = {*self._kept, *outputs}
        self._inputs = [
            (name, member.width)
            for name, member in members.items()
            if member.port == "input" and name not in _CLOCK
        ]

    def whole(self, head: str, struct: str, tail: str) -> str:
        """Return the design; the arguments are the text around ``eval`` and its struct."""
        parts = "".join(map(self._part, range(len(self._parts))))
        struct = self._declarations() + self._commit(struct)
        return f"{head}{_STRUCT}{struct}{parts}{_EVAL}{self._eval()}}}\n{tail}"

    def _declarations(self) -> str:
        lines = [
            f"uint32_t active[{self._words}];",
            "void wake() { for (auto &word : active) word = ~uint32_t(0); }",
        ]
        lines += [f"value<{self._local[name]}> {name};" for name in self._kept]
        lines += [f"value<{width}> was_{name};" for name, width in self._inputs]
        lines += [f"void part{number}();" for number in range(len(self._parts))]
        return "".join(f"\t{line}\n" for line in lines)

    def _commit(self, struct: str) -> str:
        """Return the struct, with a ``commit`` of what active parts have written."""
        owned: dict[int, list[str]] = defaultdict(list)
        for name in _COMMIT.findall(struct):
            register = self._members[name].kind == "wire"
            writers = self._writers[f"{name}.next" if register else name]
            readers = self._readers[f"{name}.curr" if register else name]
            told = f"if ({name}.commit(observer)) {self._set('next', readers)}"
            owned[writers].append(told)
        alone = {number: owned.pop(1 << number, []) for number in range(len(self._parts))}
        lines = [f"uint32_t next[{self._words}] = {{}};", *self._each(alone)]
        for writers, orders in sorted(owned.items()):
            lines += [f"if ({self._any(writers)}) {{", *(f"\t{order}" for order in orders), "}"]
        lines += [f"active[{word}] = next[{word}];" for word in range(self._words)]
        text = "".join(f"\t\t{line}\n" for line in lines)
        struct = struct.replace("\t\treset();\n", "\t\treset();\n\t\twake();\n")
        return _COMMIT.sub("", struct).replace(
            "\t\treturn changed;\n", f"{text}\t\treturn changed;\n"
        )

    def _each(self, orders: Mapping[int, Sequence[str]]) -> Iterator[str]:
        """Yield code that runs the orders of each active part, in order."""
        for first in range(0, len(self._parts), _BLOCK):
            block = [n for n in range(first, first + _BLOCK) if orders.get(n)]
            if not block:
                continue
            yield f"if ({self._any(sum(1 << number for number in block))}) {{"
            for number in block:
                yield f"\tif ({self._any(1 << number)}) {{"
                yield from (f"\t\t{order}" for order in orders[number])
                yield "\t}"
            yield "}"

    def _eval(self) -> str:
        lines = []
        for name, _ in self._inputs:
            told = self._set("active", self._readers[name])
            lines.append(f"if ({name} != was_{name}) {{ was_{name} = {name}; {told} }}")
        calls = {}
        for number, part in enumerate(self._parts):
            unit, kind = part[0].group
            remark = f"{unit or 'top'} {kind}".rstrip()
            calls[number] = [f"part{number}();  // {remark}"]
        lines += self._each(calls)
        return "".join(f"\t{line}\n" for line in [*lines, "return true;"])

    def _part(self, number: int) -> str:
        """Return a part as a function: compilers are slow for one as large as the design."""
        part = self._parts[number]
        others = ~(1 << number)
        names = sorted({name for statement in part for name in statement.writes})
        told = [name for name in names if name in self._lasting and self._readers[name] & others]
        lines = [f"__attribute__((noinline)) void p_top::part{number}() {{", _EDGE]
        for name in names:
            if name in self._local and name not in self._lasting:
                lines.append(f"\tvalue<{self._local[name]}> {name};")
        lines += [f"\tconst auto was_{name} = {name};" for name in told]
        lines += _joined_lines(part)
        for name in told:
            readers = self._readers[name] & others
            lines.append(f"\tif ({name} != was_{name}) {{ {self._set('active', readers)} }}")
        return "".join(f"{line}\n" for line in [*lines, "}", ""])

    def _masks(self, parts: int) -> list[tuple[int, int]]:
        """Return the non-zero words of a set of parts, each with its number."""
        words = [(word, parts >> _WORD * word & (1 << _WORD) - 1) for word in range(self._words)]
        return [(word, mask) for word, mask in words if mask]

    def _any(self, parts: int) -> str:
        """Return the condition that one of the parts is active."""
        return " | ".join(f"active[{word}] & {mask:#x}" for word, mask in self._masks(parts)) or "0"

    def _set(self, array: str, parts: int) -> str:
        """Return one statement that puts parts into a set."""
        orders = [f"{array}[{word}] |= {mask:#x}" for word, mask in self._masks(parts)]
        return ", ".join(orders or ["void()"]) + ";"
