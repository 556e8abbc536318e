"""Drive a component with a command and an outcome stream at native speed from Python.

The component has ``commands: In(stream.Signature(...))`` of at most 64 bits and ``outcomes:
Out(stream.Signature(...))`` of at most 128, and gives one outcome for each command::

    probe = Probe(TurnUnit(GridConfig()))           # compiled, or taken from the cache
    word = probe.commands.pack(op=Op.PLAY, column=1, row=0, shape=2)
    outcome = probe.outcomes.unpack(probe.call(word))   # .legal, .tiles, ...
"""

from __future__ import annotations

import ctypes

from amaranth.lib import wiring

from loopline.sim.native import compile_native
from loopline.sim.probe.packing import Packing

__all__ = ["Probe", "ProbeTimeoutError"]

_WORD = (1 << 64) - 1


class ProbeTimeoutError(Exception):
    """The component gave no outcome within the limit."""


class Probe:
    """Run one component as native code. Its state persists from call to call.

    Parameters
    ----------
    component : wiring.Component
        See the module's description.
    limit : int
        Cycles to wait for an outcome at most.

    Members
    -------
    commands, outcomes : Packing
        The layouts of the two payloads, to pack commands and unpack outcomes by field.
    memories : tuple of str
        The names of the design's memories of at most 64 bits, by submodules:
        ``unit.cells.bank0``.
    """

    def __init__(self, component: wiring.Component, *, limit: int = 1_000_000) -> None:
        members = component.signature.members
        self.commands = Packing(members["commands"].signature.members["payload"].shape)
        self.outcomes = Packing(members["outcomes"].signature.members["payload"].shape)
        streams = (("commands", self.commands, 64), ("outcomes", self.outcomes, 128))
        for name, packing, most in streams:
            if not 1 <= packing.width <= most:
                raise ValueError(f"{name} must have 1 to {most} bits, not {packing.width}")
        self.limit = limit
        self.path = compile_native(component, "probe/probe.cc", library=True)
        self._library = _load(str(self.path))
        self._handle: int | None = self._library.probe_new()
        self._call = self._library.probe_call
        self._result = (ctypes.c_uint64 * 3)()
        lines = self._library.probe_memories().decode().splitlines()
        listed = [line.rsplit(" ", 2) for line in lines]
        self._memories = {
            name: (number, int(words))
            for number, (name, words, bits) in enumerate(listed)
            if int(bits) <= 64
        }
        self.memories = tuple(self._memories)

    def call(self, command: int) -> int:
        """Send one packed command; return its packed outcome."""
        result = self._result
        self._call(self._handle, command, self.limit, result)
        if not result[2]:
            raise ProbeTimeoutError(f"no outcome within {self.limit} cycles")
        high = result[1]
        return result[0] | high << 64 if high else result[0]

    @property
    def last_cycles(self) -> int:
        """Cycles of the last :meth:`call`."""
        return self._result[2]

    def stall(self, seed: int) -> None:
        """Hold back either stream in about half of the cycles, at random; seed 0 ends that."""
        self._library.probe_stall(self._handle, seed & _WORD)

    def interrupt(self, command: int, after: int) -> None:
        """Send a packed command, and pulse the design's reset input after at most ``after`` cycles.

        ``after`` is 1 or more. Memories keep their contents; an outcome until then is lost.
        """
        self._call(self._handle, command, after, self._result)
        self._library.probe_pulse_reset(self._handle)

    def read_memory(self, name: str) -> list[int]:
        """Return the words of one of the :attr:`memories`."""
        number, words = self._memories[name]
        content = (ctypes.c_uint64 * words)()
        self._library.probe_read_memory(self._handle, number, content)
        return content[:]

    @property
    def cycles(self) -> int:
        """Clock cycles since power-on."""
        return int(self._library.probe_cycles(self._handle))

    def reset(self) -> None:
        """Restore the state at power-on: memories, registers, cycles and stalls."""
        self.close()
        self._handle = self._library.probe_new()

    def close(self) -> None:
        """Free the native design; after this only :meth:`reset` may be called."""
        if self._handle is not None:
            self._library.probe_delete(self._handle)
            self._handle = None

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _load(path: str) -> ctypes.PyDLL:
    library = ctypes.PyDLL(path)
    handle, words = ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)
    large, small, size = ctypes.c_uint64, ctypes.c_uint32, ctypes.c_size_t
    library.probe_new.restype = handle
    library.probe_memories.restype = ctypes.c_char_p
    for name, arguments, result in (
        ("delete", [], None),
        ("stall", [large], None),
        ("cycles", [], large),
        ("pulse_reset", [], None),
        ("read_memory", [size, words], None),
        ("call", [large, small, words], None),
    ):
        function = getattr(library, f"probe_{name}")
        function.argtypes, function.restype = [handle, *arguments], result
    return library
