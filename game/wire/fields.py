"""Payloads: fields of fixed width, then perhaps one field that is repeated to the end.

Numbers have their high byte first, like the CRC.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Final

from loopline.game.notation import Turn
from loopline.game.tiles import SHAPE_OF_CODE
from loopline.game.wire.codes import MAX_PAYLOAD

__all__ = ["NO_TURN", "Field", "FieldKind", "Message", "PayloadError", "Value"]

FieldKind = str
"""``unsigned``, ``signed``, ``text`` (ASCII, padded with zero bytes) or ``turn``."""

Value = int | str | Turn | None

_LARGEST_LABEL: Final = 0x3F

NO_TURN: Final = b"\xff\xff"
"""The two bytes that stand for no turn."""


class PayloadError(ValueError):
    """A payload does not have the form of its message, or a field cannot hold a value."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a payload.

    Parameters
    ----------
    name : str
        Its name in programs.
    width : int
        Its length in bytes.
    text : str
        Its meaning, for the documentation.
    kind : str
        One of :data:`FieldKind`. A turn has two bytes. The first has the shape's code in the two
        high bits and the column in the six low bits; the second is the row. Columns and rows count
        as in notation: 0 is the one to the west or north of the formation. Two bytes of 0xFF mean
        no turn.
    values : type of IntEnum or IntFlag, or None
        The meaning of the numbers; None for plain numbers.
    """

    name: str
    width: int
    text: str
    kind: FieldKind = "unsigned"
    values: type[IntEnum] | type[IntFlag] | None = None

    def pack(self, value: Value) -> bytes:
        """Return the field's bytes. Raises :exc:`PayloadError` for a value that it cannot hold."""
        try:
            if self.kind == "turn":
                return _pack_turn(value)
            if self.kind == "text":
                data = str(value).encode("ascii")
                if len(data) > self.width:
                    raise OverflowError
                return data.ljust(self.width, b"\0")
            assert isinstance(value, int)
            return value.to_bytes(self.width, "big", signed=self.kind == "signed")
        except (AssertionError, OverflowError, UnicodeEncodeError):
            raise PayloadError(
                f"{self.name}: {self.width} bytes, {self.kind}, cannot hold {value!r}"
            ) from None

    def unpack(self, data: bytes) -> Value:
        """Return the value of the field's bytes. Raises :exc:`PayloadError` if it is not valid."""
        if self.kind == "turn":
            return _unpack_turn(data)
        if self.kind == "text":
            try:
                return data.rstrip(b"\0").decode("ascii")
            except UnicodeDecodeError:
                raise PayloadError(f"{self.name}: {data!r} is not ASCII") from None
        return int.from_bytes(data, "big", signed=self.kind == "signed")


def _pack_turn(turn: Value) -> bytes:
    if turn is None:
        return NO_TURN
    assert isinstance(turn, Turn)
    if not (0 <= turn.column <= _LARGEST_LABEL and 0 <= turn.row <= _LARGEST_LABEL):
        raise OverflowError
    return bytes([turn.shape.code << 6 | turn.column, turn.row])


def _unpack_turn(data: bytes) -> Turn | None:
    if data == NO_TURN:
        return None
    code = data[0] >> 6
    if code >= len(SHAPE_OF_CODE) or data[1] > _LARGEST_LABEL:
        raise PayloadError(f"turn: {data.hex()} is not valid")
    return Turn(data[0] & _LARGEST_LABEL, data[1], SHAPE_OF_CODE[code])


@dataclass(frozen=True, slots=True)
class Message:
    """The form of a payload.

    Parameters
    ----------
    name : str
        Its name.
    text : str
        Its meaning, for the documentation.
    fields : sequence of Field
        The fields at its beginning.
    repeated : Field or None
        A field that is repeated after them to the end of the payload.
    least, most : int
        How often it is repeated.
    """

    name: str
    text: str
    fields: tuple[Field, ...] = ()
    repeated: Field | None = None
    least: int = 0
    most: int = 0

    def __post_init__(self) -> None:
        """Check that the longest payload fits into a frame."""
        tail = self.most * self.repeated.width if self.repeated else 0
        if self.width + tail > MAX_PAYLOAD:
            raise ValueError(f"{self.name} has {self.width + tail} bytes, at most {MAX_PAYLOAD}")

    @property
    def width(self) -> int:
        """The length of ``fields`` in bytes, without repetitions."""
        return sum(field.width for field in self.fields)

    def accepts(self, length: int) -> bool:
        """Return whether a payload of this message can have this many bytes."""
        if self.repeated is None:
            return length == self.width
        count, rest = divmod(length - self.width, self.repeated.width)
        return rest == 0 and self.least <= count <= self.most

    def pack(self, **values: Value | Sequence[Value]) -> bytes:
        """Return the payload with these values by name.

        The repeated field takes a sequence, which is empty by default. Raises :exc:`PayloadError`
        if a value is missing, unknown or too large.
        """
        tail: Sequence[Value] = ()
        if self.repeated is not None:
            given = values.pop(self.repeated.name, ())
            if not isinstance(given, Sequence) or isinstance(given, str | Turn):
                raise PayloadError(f"{self.repeated.name}: a sequence is wanted, not {given!r}")
            tail = given
        names = [field.name for field in self.fields]
        if set(values) != set(names):
            wanted = ", ".join(names) or "nothing"
            raise PayloadError(f"{self.name} has {wanted}, not {', '.join(values) or 'nothing'}")
        data = b"".join(field.pack(_one(values[field.name])) for field in self.fields)
        if self.repeated is not None:
            data += b"".join(self.repeated.pack(value) for value in tail)
        if not self.accepts(len(data)):
            raise PayloadError(f"{self.name}: {len(tail)} values; {self.least} to {self.most}")
        return data

    def unpack(self, payload: bytes) -> dict[str, Value | list[Value]]:
        """Return the values of a payload by name.

        Raises :exc:`PayloadError` if the payload does not have the form of this message.
        """
        if not self.accepts(len(payload)):
            raise PayloadError(f"{self.name} cannot have {len(payload)} bytes")
        offsets = self.offsets()
        values: dict[str, Value | list[Value]] = {}
        for field in self.fields:
            offset = offsets[field.name]
            values[field.name] = field.unpack(payload[offset : offset + field.width])
        if self.repeated is not None:
            field = self.repeated
            values[field.name] = [
                field.unpack(payload[offset : offset + field.width])
                for offset in range(offsets[field.name], len(payload), field.width)
            ]
        return values

    def offsets(self) -> Mapping[str, int]:
        """Return the offset in bytes at which each field, and the repeated one, begins."""
        offsets, offset = {}, 0
        for field in self.fields:
            offsets[field.name] = offset
            offset += field.width
        if self.repeated is not None:
            offsets[self.repeated.name] = offset
        return offsets


def _one(value: Value | Sequence[Value]) -> Value:
    if isinstance(value, Sequence) and not isinstance(value, str | Turn):
        raise PayloadError(f"one value is wanted, not {value!r}")
    return value
