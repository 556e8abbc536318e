"""The ports of a component as a table in text: what each is, from the component's docstring."""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, EnumMeta
from typing import Any

from amaranth.hdl import Shape
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In

from loopline.hdl.core.memory import WithMemories

__all__ = ["Interface", "Port", "port_lines", "ports_of"]

_STREAM = {
    "payload": "The word.",
    "valid": "A word is on offer.",
    "ready": "It is taken in this cycle if it is on offer.",
}
_ASCII = str.maketrans({"×": "x", "²": "^2", "–": "-", "…": "...", "→": "->", "≤": "<=", "≥": ">="})
_WIDTH = 100
_LEAST_MEANING = 40


@dataclass(frozen=True)
class Port:
    """A port.

    Parameters
    ----------
    name : str
        Its name in the netlist.
    depth : int
        The number of interfaces that it is part of.
    direction : str
        ``input`` or ``output``.
    width : int
        Bits.
    meaning : str
        What the docstring says of it; empty if only its interface has a meaning.
    fields : tuple of str
        The bits of each field of a structure, and what the codes of an enumeration mean.
    """

    name: str
    depth: int
    direction: str
    width: int
    meaning: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Interface:
    """Several ports with a meaning in common: a stream or another bundle.

    ``name`` is what their names begin with, ``depth`` and ``meaning`` are as in :class:`Port`.
    """

    name: str
    depth: int
    meaning: str


def ports_of(component: wiring.Component) -> list[Port | Interface]:
    """Return a component's ports, each interface before its ports.

    Clock and reset are not among them, and neither are ports without bits.
    """
    unit = component.unit if isinstance(component, WithMemories) else component
    meanings: dict[str, _Meaning] = {}
    for kind in reversed(type(unit).__mro__):
        if kind.__module__.startswith("loopline."):
            meanings.update(_meanings(kind))
    return list(_walk(component.signature, meanings, (), 0))


def port_lines(ports: Iterable[Port | Interface]) -> list[str]:
    """Return a table: name, direction, width and meaning, at most 100 characters wide."""
    rows = list(ports)
    names = [("  " * row.depth + row.name) for row in rows]
    width = max(map(len, ["name", *names]))
    start = width + len("  direction  width  ")
    room = max(_WIDTH - start, _LEAST_MEANING)
    lines = [f"{'name':{width}}  direction  width  meaning"]
    last = ""
    for row, name in zip(rows, names, strict=True):
        facts = f"{row.direction:9}  {row.width:5}" if isinstance(row, Port) else " " * 16
        said = "(as above)" if row.meaning and row.meaning == last else row.meaning
        meaning, last = textwrap.wrap(said, room) or [""], row.meaning
        lines.append(f"{name:{width}}  {facts}  {meaning[0]}".rstrip())
        lines += [" " * start + line for line in meaning[1:]]
        for field in row.fields if isinstance(row, Port) else ():
            inner = "  " * row.depth + "    "
            lines += textwrap.wrap(
                field, _WIDTH, initial_indent=inner, subsequent_indent=inner + "    "
            )
    return lines


@dataclass(frozen=True)
class _Meaning:
    """What a docstring says of a member: a text, and the members of its signature if it has any."""

    text: str
    inner: Mapping[str, _Meaning]


def _walk(
    signature: wiring.Signature, meanings: Mapping[str, _Meaning], path: tuple[Any, ...], depth: int
) -> Iterator[Port | Interface]:
    for name, member in signature.members.items():
        meaning = meanings.get(name, _Meaning("", {}))
        yield from _member(member, meaning, (*path, name), depth, member.dimensions)


def _member(
    member: wiring.Member,
    meaning: _Meaning,
    path: tuple[Any, ...],
    depth: int,
    dimensions: tuple[int, ...],
) -> Iterator[Port | Interface]:
    if dimensions:
        for number in range(dimensions[0]):
            yield from _member(member, meaning, (*path, number), depth, dimensions[1:])
        return
    name = "__".join(map(str, path))
    if member.is_port:
        width = Shape.cast(member.shape).width
        if width:
            direction = "input" if member.flow is In else "output"
            yield Port(name, depth, direction, width, meaning.text, _fields(member.shape))
        return
    yield Interface(name, depth, meaning.text)
    signature = member.signature
    plain = signature.flip() if isinstance(signature, wiring.FlippedSignature) else signature
    if isinstance(plain, stream.Signature):
        yield from _stream(signature, plain, path, depth + 1)
    else:
        inner = {**meaning.inner, **_meanings(type(plain))}
        yield from _walk(signature, inner, path, depth + 1)


def _stream(
    signature: wiring.Signature, plain: stream.Signature, path: tuple[Any, ...], depth: int
) -> Iterator[Port | Interface]:
    constant = {"valid": plain.always_valid, "ready": plain.always_ready}
    for name, member in signature.members.items():
        if not constant.get(name, False):
            yield from _member(member, _Meaning(_STREAM[name], {}), (*path, name), depth, ())


def _fields(shape: Any) -> tuple[str, ...]:
    if isinstance(shape, EnumMeta):
        return (_codes(shape),)
    if not isinstance(shape, data.Layout) and not isinstance(shape, type):
        return ()
    try:
        layout = data.Layout.cast(shape)
    except TypeError:
        return ()
    return tuple(_layout_fields(layout, "", 0))


def _layout_fields(layout: data.Layout, prefix: str, offset: int) -> Iterator[str]:
    for key, field in layout:
        name, start = f"{prefix}{key}", offset + field.offset
        if isinstance(field.shape, data.Layout):
            yield from _layout_fields(field.shape, f"{name}.", start)
        elif field.width:
            bits = f"[{start + field.width - 1}:{start}]" if field.width > 1 else f"[{start}]"
            codes = f": {_codes(field.shape)}" if isinstance(field.shape, EnumMeta) else ""
            yield f"{bits} {name}{codes}"


def _codes(kind: Iterable[Enum]) -> str:
    return ", ".join(f"{each.value} {each.name}" for each in kind)


def _meanings(thing: object) -> dict[str, _Meaning]:
    """Return what the docstring of a class or a function says of members, by their names."""
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    text = re.split(r"^Members\n-+\n", text, maxsplit=1, flags=re.MULTILINE)[-1]
    found = {}
    for head, block in re.findall(r"^(``?\w.*|\w.*)\n((?:    .*(?:\n|\Z))+)", text, re.MULTILINE):
        for name, kind in _head(head):
            referred = re.match(r"\s*As (?:in|of) :\w+:`(\w+)`", block)
            other = _meanings(_named(thing, referred[1])).get(name) if referred else None
            found[name] = other or _Meaning(_plain(block), _inner(thing, kind))
    return found


def _head(head: str) -> list[tuple[str, str]]:
    """Return the names and kinds in a line such as ``a : In(1), b, c : Out(2), two``."""
    pieces = re.split(r",\s*(?![^(]*\))", head.replace("`", ""))
    named = [found for piece in pieces if (found := re.fullmatch(r"(\w+)(?: : (.*))?", piece))]
    pairs, kind = [], ""
    for found in reversed(named):
        kind = found[2] or kind
        pairs.append((found[1], kind))
    return pairs[::-1]


def _inner(thing: object, kind: str) -> dict[str, _Meaning]:
    """Return what is said of the members of a signature, by the function that makes it."""
    function = re.search(r"\w+_port\b", kind)
    return _meanings(_named(thing, function[0])) if function else {}


def _named(thing: object, name: str) -> object:
    """Return what has this name in the module of a class or a function; None if nothing has."""
    return getattr(sys.modules[getattr(thing, "__module__", "builtins")], name, None)


def _plain(block: str) -> str:
    """Return a text of a docstring without the marks for Sphinx, in ASCII."""
    text = " ".join(block.split()).translate(_ASCII)
    return re.sub(r":\w+:`~?([^`]+)`", r"\1", text).replace("``", "")
