"""Payloads as plain integers: pack and unpack the fields of a layout, fast and without a simulator.

A layout's fields are flattened: field ``column`` of the inner layout ``turn`` is called
``turn__column``, element 2 of the array ``ends`` is called ``ends__2``.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from typing import Any

from amaranth.hdl import Shape
from amaranth.lib import data

__all__ = ["Packing"]


class Packing:
    """The bit fields of a shape, for packing into and unpacking from one integer.

    Parameters
    ----------
    shape : ShapeLike
        A layout from ``amaranth.lib.data``; any other shape counts as one field ``value``.

    Members
    -------
    width : int
        Bits of the whole.
    fields : dict[str, tuple[int, int]]
        For each flattened field its lowest bit and its width.
    """

    def __init__(self, shape: Any) -> None:
        self.width = Shape.cast(shape).width
        self.fields = {name: (start, width) for name, start, width in _fields(shape, "", 0)}
        self._tuple: Any = namedtuple("Fields", self.fields)
        self._plan = [(start, (1 << width) - 1) for start, width in self.fields.values()]

    def pack(self, **values: int) -> int:
        """The integer with these fields; those not named are 0. Each value must fit its field."""
        word = 0
        for name, value in values.items():
            start, width = self.fields[name]
            value = int(getattr(value, "value", value))
            if value < 0 or value >> width:
                raise ValueError(f"{name} has {width} bits: {value} does not fit")
            word |= value << start
        return word

    def unpack(self, word: int) -> Any:
        """The fields of an integer, unsigned, as a named tuple."""
        return self._tuple._make([word >> start & mask for start, mask in self._plan])


def _fields(shape: Any, prefix: str, offset: int) -> Iterator[tuple[str, int, int]]:
    layout = shape if isinstance(shape, data.Layout) else getattr(shape, "as_shape", lambda: None)()
    if not isinstance(layout, data.Layout):
        yield prefix or "value", offset, Shape.cast(shape).width
        return
    for key, field in layout:
        name = f"{prefix}__{key}" if prefix else str(key)
        yield from _fields(field.shape, name, offset + field.offset)
