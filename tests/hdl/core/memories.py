"""Memories in Python, in place of those that a component under test reads."""

from __future__ import annotations

from collections.abc import Callable

from amaranth.hdl import Cat, Value

__all__ = ["memory"]


def memory(address, data, answer: Callable[[int], int], *, enable=1):
    """A background testbench that is a synchronous memory.

    Parameters
    ----------
    address : value
        Sampled at each clock edge where ``enable`` is set.
    data : value
        The answer, from that edge on, and kept while ``enable`` is not set.
    answer : function
        The word at an address.
    """
    data = Value.cast(data)
    sampled = Cat(enable, Value.cast(address))

    async def driver(ctx):
        async for _, _, bits in ctx.tick().sample(sampled):
            if bits & 1:
                ctx.set(data, answer(bits >> 1))

    return driver
