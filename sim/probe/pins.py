"""Run a whole design at native speed through its pins, and record which states it reaches.

::

    board = FuzzBoard(to_rtlil(Loopline(config)))
    board.act([Act.byte(0x41, 128), Act.rest(500), Act.listen(10_000)])
    board.take()            # the bytes that it has sent
    board.coverage()        # the states, steps and pairs of states that were seen

A *control register* is one whose values have names, that is called a state, or that has one bit.
They are found in the compiled design.
"""

from __future__ import annotations

import array
import ctypes
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

from loopline.sim.native import compile_native

__all__ = ["Act", "Coverage", "FuzzBoard", "Register", "coverage_of"]

_MOST_HEARD = 1 << 16
_SIXTEENTHS = 16


class Act(NamedTuple):
    """An action on ``rx``: ``count`` levels, the lowest bit first, 32 at most.

    Each lasts ``time`` sixteenths of a clock cycle; 0 is the design's own bit. With a count of 0,
    ``rx`` is at rest until a frame or a line has come, for at most ``time`` clock cycles.
    """

    levels: int
    count: int
    time: int

    @classmethod
    def byte(cls, octet: int, time: int = 0, *, stop: bool = True) -> Self:
        """A character, or one without a stop bit."""
        return cls(octet << 1 | stop << 9, 10, time)

    @classmethod
    def level(cls, level: bool, cycles: int) -> Self:
        """A level for some cycles."""
        return cls(int(level), 1, cycles * _SIXTEENTHS)

    @classmethod
    def rest(cls, cycles: int) -> Self:
        """Rest for some cycles."""
        return cls.level(True, cycles)

    @classmethod
    def listen(cls, cycles: int) -> Self:
        """Rest until a frame or a line has come, but at most for some cycles."""
        return cls(0, 0, cycles)


class Register(NamedTuple):
    """A register of the design: its name after its submodules', its width, its values' names."""

    name: str
    bits: int
    values: dict[int, str]


class Coverage(NamedTuple):
    """What was seen of the control registers.

    For each register ``states`` says which values, and ``steps`` how many steps from one value to
    another. ``pairs`` counts the pairs of values of two registers in one cycle.
    """

    states: list[list[bool]]
    steps: list[int]
    pairs: int


class FuzzBoard:
    """A design with the pins ``rx``, ``tx`` and ``idle``, as after power-on.

    Parameters
    ----------
    design : str
        Its RTLIL.
    rate : str or None
        The register with its cycles per bit, such as ``link.rate.cycles``; None: always 8.

    All its registers are ``registers``, those that control it are ``controls``.
    """

    def __init__(self, design: str, *, rate: str | None = None) -> None:
        path = compile_native(design, "probe/pins.cc", library=True)
        self._library = _load(path)
        lines = self._library.fuzz_registers().decode().splitlines()
        self.registers = [_register(line) for line in lines]
        self._numbers = {found.name: number for number, found in enumerate(self.registers)}
        if rate is not None and rate not in self._numbers:
            raise ValueError(f"the design has no register {rate!r}")
        self._handle: int | None = self._library.fuzz_new()
        if rate is not None:
            self._library.fuzz_listen_by(self._handle, self._numbers[rate])
        numbers = (ctypes.c_size_t * len(self.registers))()
        count = self._library.fuzz_controls(self._handle, numbers, len(numbers))
        self.controls = [self.registers[number] for number in numbers[:count]]
        self._status = (ctypes.c_uint64 * 5)()
        self._bytes = (ctypes.c_uint8 * _MOST_HEARD)()

    def restart(self) -> None:
        """Switch the board off and on again. The coverage is kept."""
        self._library.fuzz_restart(self._handle)

    def act(self, acts: Sequence[Act]) -> None:
        """Do all actions without a pause between them."""
        words = array.array("I", itertools.chain.from_iterable(acts))
        address, _ = words.buffer_info()
        self._library.fuzz_act(self._handle, address, len(acts))

    def flip(self, name: str, bit: int) -> None:
        """Change one flip-flop of a register at once."""
        number = self._numbers[name]
        if not 0 <= bit < self.registers[number].bits:
            raise ValueError(f"{name} has no bit {bit}")
        self._library.fuzz_flip(self._handle, number, bit)

    def take(self) -> bytes:
        """Return the bytes that the design has sent since the last call."""
        found = bytearray()
        while count := self._library.fuzz_take(self._handle, self._bytes, _MOST_HEARD):
            found += memoryview(self._bytes).cast("B")[:count]
        return bytes(found)

    def read(self, name: str) -> int:
        """Return the value of a register of at most 32 bits."""
        return int(self._library.fuzz_read(self._handle, self._numbers[name]))

    def _look(self, place: int) -> int:
        self._library.fuzz_status(self._handle, self._status)
        return self._status[place]

    @property
    def cycles(self) -> int:
        """Clock cycles since power-on."""
        return self._look(0)

    @property
    def framing_errors(self) -> int:
        """Characters from ``tx`` without a stop bit since power-on, but for those that are misread
        because the rate changed in the middle of one."""
        return self._look(1)

    @property
    def found(self) -> int:
        """How many states, steps and pairs were seen, restarts included."""
        return self._look(2)

    @property
    def idle(self) -> bool:
        """The level of the pin ``idle``."""
        return bool(self._look(3))

    @property
    def torn(self) -> int:
        """How often since power-on the rate changed in the middle of a character sent."""
        return self._look(4)

    def seen(self) -> bytes:
        """Return what was seen, a byte for each item: two boards of one design can be combined."""
        size = self._library.fuzz_seen(self._handle, None, 0)
        found = (ctypes.c_uint8 * size)()
        self._library.fuzz_seen(self._handle, found, size)
        return bytes(found)

    def coverage(self) -> Coverage:
        """Return what was seen, by registers."""
        return coverage_of(self.controls, self.seen())

    def close(self) -> None:
        """Free the native design; no method may be called after this."""
        if self._handle is not None:
            self._library.fuzz_delete(self._handle)
            self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def coverage_of(controls: Sequence[Register], seen: bytes) -> Coverage:
    """Return the coverage from :meth:`FuzzBoard.seen` of a board with these control registers."""
    sizes = [1 << register.bits for register in controls]
    states, steps, place = [], [], 0
    for size in sizes:
        states.append([bool(byte) for byte in seen[place : place + size]])
        place += size
    for size in sizes:
        steps.append(sum(seen[place : place + size * size]))
        place += size * size
    return Coverage(states, steps, sum(seen[place:]))


def _register(line: str) -> Register:
    bits, name, values = line.split("\t")
    named = (value.rsplit("=", 1) for value in values.split())
    return Register(name, int(bits), {int(number): value for value, number in named})


def _load(path: Path) -> ctypes.PyDLL:
    library = ctypes.PyDLL(str(path))
    handle, octets, size = ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t
    library.fuzz_new.restype = handle
    library.fuzz_registers.restype = ctypes.c_char_p
    for name, arguments, result in (
        ("delete", [], None),
        ("restart", [], None),
        ("listen_by", [size], None),
        ("act", [ctypes.c_void_p, size], None),
        ("flip", [size, size], None),
        ("take", [octets, size], size),
        ("status", [ctypes.POINTER(ctypes.c_uint64)], None),
        ("read", [size], ctypes.c_uint32),
        ("controls", [ctypes.POINTER(size), size], size),
        ("seen", [octets, size], size),
    ):
        function = getattr(library, f"fuzz_{name}")
        function.argtypes, function.restype = [handle, *arguments], result
    return library
