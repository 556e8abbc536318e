"""Memories outside of the units that use them, so that two units can share one."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Shape, ShapeLike, Value
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out, connect, flipped

__all__ = ["DualPortMemory", "MemoryPort", "SharedMemory", "WithMemories"]


class MemoryPort(wiring.Signature):
    """One read port and one write port of a memory of ``depth`` rows, as seen by the unit that
    uses it.

    Members
    -------
    r_en : Out(1, init=1), r_addr : Out(range(depth)), r_data : In(shape)
        Read a row. ``r_data`` is valid one cycle later and is held while ``r_en`` is low.
    w_en : Out(1), w_addr : Out(range(depth)), w_data : Out(shape)
        Write a row. What a read of this row in the same cycle returns is undefined: a simulation
        shows the old contents, a block RAM may not, and nothing may depend on it.
    """

    def __init__(self, shape: ShapeLike, depth: int):
        self.shape = shape
        self.depth = depth
        super().__init__(
            {
                "r_en": Out(1, init=1),
                "r_addr": Out(range(depth)),
                "r_data": In(shape),
                "w_en": Out(1),
                "w_addr": Out(range(depth)),
                "w_data": Out(shape),
            }
        )


class DualPortMemory(wiring.Component):
    """A memory with one read port and one write port, in block RAM or ``in_luts``.

    Members
    -------
    port : In(MemoryPort)
        Both ports.
    """

    def __init__(self, shape: ShapeLike, depth: int, *, in_luts: bool = False):
        self._attrs = {"ram_style": "distributed"} if in_luts else {}
        super().__init__({"port": In(MemoryPort(shape, depth))})

    def elaborate(self, platform) -> Module:
        m = Module()
        port, signature = self.port, self.port.signature
        m.submodules.memory = memory = Memory(
            shape=signature.shape, depth=signature.depth, init=[], attrs=self._attrs
        )
        read, write = memory.read_port(), memory.write_port()
        m.d.comb += [
            read.en.eq(port.r_en),
            read.addr.eq(port.r_addr),
            Value.cast(port.r_data).eq(Value.cast(read.data)),
            write.en.eq(port.w_en),
            write.addr.eq(port.w_addr),
            Value.cast(write.data).eq(Value.cast(port.w_data)),
        ]
        return m


class SharedMemory(wiring.Component):
    """One memory for two requesters, of which one at a time is granted access.

    ``low`` uses the first rows, ``high`` the last ones. Where these overlap, each requester may
    overwrite what the other has written.

    Parameters
    ----------
    low, high : MemoryPort
        The requesters' ports, of any shape and depth. The memory is as wide as the wider one.
    depth : int
        Number of rows, a power of two.

    Members
    -------
    low, high : In(MemoryPort)
        The requesters.
    grant : In(1)
        The requester whose reads and writes take effect: 0 for ``low``, 1 for ``high``. The
        ``r_data`` of a requester that was not granted in the cycle before is not valid.
    """

    def __init__(self, low: MemoryPort, high: MemoryPort, *, depth: int):
        self._depth = depth
        super().__init__({"low": In(low), "high": In(high), "grant": In(1)})

    def elaborate(self, platform) -> Module:
        m = Module()
        low, high = self.low, self.high
        width = max(Shape.cast(user.signature.shape).width for user in (low, high))
        m.submodules.memory = memory = DualPortMemory(width, self._depth)
        port = memory.port
        # The address bits above those of ``high``, all of them ones.
        first = self._depth - high.signature.depth
        m.d.comb += [
            port.r_en.eq(Mux(self.grant, high.r_en, low.r_en)),
            port.r_addr.eq(Mux(self.grant, high.r_addr | first, low.r_addr)),
            port.w_en.eq(Mux(self.grant, high.w_en, low.w_en)),
            port.w_addr.eq(Mux(self.grant, high.w_addr | first, low.w_addr)),
            port.w_data.eq(Mux(self.grant, Value.cast(high.w_data), Value.cast(low.w_data))),
        ]
        for user in (low, high):
            m.d.comb += Value.cast(user.r_data).eq(port.r_data)
        return m


class WithMemories(wiring.Component):
    """A unit with a memory of its own behind each :class:`MemoryPort`.

    For tests of the unit and for synthesis of the unit alone. Its members are those of ``unit``
    that are no memory ports.
    """

    def __init__(self, unit: wiring.Component):
        self.unit = unit
        members = unit.signature.members
        super().__init__({name: members[name] for name in members if not self._is_port(name)})

    def _is_port(self, name: str) -> bool:
        member = self.unit.signature.members[name]
        return member.is_signature and isinstance(member.signature, MemoryPort)

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.unit = unit = self.unit
        for name in unit.signature.members:
            if self._is_port(name):
                port = getattr(unit, name)
                memory = DualPortMemory(port.signature.shape, port.signature.depth)
                m.submodules[name] = memory
                connect(m, port, memory.port)
                continue
            inner, outer = getattr(unit, name), getattr(self, name)
            member = unit.signature.members[name]
            if member.is_signature:
                connect(m, inner, flipped(outer))
            elif member.flow is Out:
                m.d.comb += self._assign(outer, inner)
            else:
                m.d.comb += self._assign(inner, outer)
        return m

    @classmethod
    def _assign(cls, target, source) -> list:
        """The assignments of one port, or of all elements of an array of ports."""
        if isinstance(target, list | tuple):
            pairs = zip(target, source, strict=True)
            return [statement for pair in pairs for statement in cls._assign(*pair)]
        return [Value.cast(target).eq(Value.cast(source))]
