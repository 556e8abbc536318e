"""Rows of a memory that a unit uses and does not keep: so two units may share one."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Shape, ShapeLike, Value
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out, connect, flipped

__all__ = ["Alone", "RowMemory", "Rows", "SharedRows"]


class Rows(wiring.Signature):
    """A memory as its user sees it.

    Parameters
    ----------
    shape : ShapeLike
        A row's contents.
    depth : int
        Number of rows.

    Members
    -------
    row : Out(range(depth)), found : In(shape), en : Out(1, init=1)
        Read a row; latency one cycle. Without ``en`` what was read stays.
    put : Out(1), at : Out(range(depth)), given : Out(shape)
        Write one. A read in the same cycle finds what was there before.
    """

    def __init__(self, shape: ShapeLike, depth: int):
        self.shape = shape
        self.depth = depth
        super().__init__(
            {
                "row": Out(range(depth)),
                "found": In(shape),
                "en": Out(1, init=1),
                "put": Out(1),
                "at": Out(range(depth)),
                "given": Out(shape),
            }
        )


class RowMemory(wiring.Component):
    """The memory itself.

    Parameters
    ----------
    shape : ShapeLike
        A row's contents.
    depth : int
        Number of rows.
    in_luts : bool
        Make it of LUTs.

    Members
    -------
    rows : In(Rows)
        For its user.
    """

    def __init__(self, shape: ShapeLike, depth: int, *, in_luts: bool = False):
        self._attrs = {"ram_style": "distributed"} if in_luts else {}
        super().__init__({"rows": In(Rows(shape, depth))})

    def elaborate(self, platform) -> Module:
        m = Module()
        rows, signature = self.rows, self.rows.signature
        m.submodules.memory = memory = Memory(
            shape=signature.shape, depth=signature.depth, init=[], attrs=self._attrs
        )
        read, write = memory.read_port(), memory.write_port()
        m.d.comb += [
            read.addr.eq(rows.row),
            read.en.eq(rows.en),
            Value.cast(rows.found).eq(Value.cast(read.data)),
            write.en.eq(rows.put),
            write.addr.eq(rows.at),
            Value.cast(write.data).eq(Value.cast(rows.given)),
        ]
        return m


class SharedRows(wiring.Component):
    """One memory for two users of which only one is at work at a time.

    What either has written, the other may overwrite, unless their rows differ: the guest's are the
    last ones.

    Parameters
    ----------
    host, guest : Rows
        What each of them uses, of any shape and depth; the memory is as wide as the wider one.
    depth : int
        Number of rows, a power of two. The host's are the first of them.

    Members
    -------
    host, guest : In(Rows)
        For the two users.
    lent : In(1)
        The guest is at work: only its rows are read and written, and the host's found nothing.
    """

    def __init__(self, host: Rows, guest: Rows, *, depth: int):
        self._depth = depth
        super().__init__({"host": In(host), "guest": In(guest), "lent": In(1)})

    def elaborate(self, platform) -> Module:
        m = Module()
        host, guest = self.host, self.guest
        width = max(Shape.cast(user.signature.shape).width for user in (host, guest))
        m.submodules.memory = memory = RowMemory(width, self._depth)
        rows = memory.rows
        # Ones above the guest's own address.
        first = self._depth - guest.signature.depth
        m.d.comb += [
            rows.row.eq(Mux(self.lent, guest.row | first, host.row)),
            rows.en.eq(Mux(self.lent, guest.en, host.en)),
            rows.put.eq(Mux(self.lent, guest.put, host.put)),
            rows.at.eq(Mux(self.lent, guest.at | first, host.at)),
            rows.given.eq(Mux(self.lent, Value.cast(guest.given), Value.cast(host.given))),
        ]
        for user in (host, guest):
            m.d.comb += Value.cast(user.found).eq(rows.found)
        return m


class Alone(wiring.Component):
    """A unit with memories of its own behind its members that are :class:`Rows`, to test it or to
    see what it takes.

    Parameters
    ----------
    unit : Component
        The unit, all whose other members this one has, too.

    Attributes
    ----------
    unit : Component
        The same.
    """

    def __init__(self, unit: wiring.Component):
        self.unit = unit
        members = unit.signature.members
        super().__init__({name: members[name] for name in members if not self._is_rows(name)})

    def _is_rows(self, name: str) -> bool:
        member = self.unit.signature.members[name]
        return member.is_signature and isinstance(member.signature, Rows)

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.unit = unit = self.unit
        for name in unit.signature.members:
            if self._is_rows(name):
                rows = getattr(unit, name)
                memory = RowMemory(rows.signature.shape, rows.signature.depth)
                m.submodules[name] = memory
                connect(m, rows, memory.rows)
                continue
            inner, outer = getattr(unit, name), getattr(self, name)
            member = unit.signature.members[name]
            if member.is_signature:
                connect(m, inner, flipped(outer))
            elif member.flow is Out:
                m.d.comb += self._flat(outer, inner)
            else:
                m.d.comb += self._flat(inner, outer)
        return m

    @classmethod
    def _flat(cls, target, source) -> list:
        """Assignments of a port, or of all of an array of ports."""
        if isinstance(target, list | tuple):
            pairs = zip(target, source, strict=True)
            return [statement for pair in pairs for statement in cls._flat(*pair)]
        return [Value.cast(target).eq(Value.cast(source))]
