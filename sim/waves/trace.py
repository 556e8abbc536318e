"""What every signal of a component is in each clock cycle of a simulation, by its name."""

from __future__ import annotations

import io
import re
from bisect import bisect_left
from collections.abc import Awaitable, Callable
from operator import itemgetter
from typing import Any

from amaranth.lib import wiring
from amaranth.sim import Simulator

__all__ = ["Trace", "record"]


class Trace:
    """The value changes of one simulation, as Amaranth's simulator writes them (VCD).

    ``trace["placer.state"]`` is the list of a signal's values, one for each clock cycle, as they
    are just before the rising edge that ends it: members of an enumeration by name, everything
    else as a number. Names are the submodules' and the signal's or port's, joined by dots; a
    field of a struct follows in the same way. Raises :exc:`LookupError` for a name that no signal
    has, or more than one.

    Parameters
    ----------
    text : str
        A VCD file as Amaranth writes it, one declaration or change per line. The library pyvcd
        cannot read them: some names in them begin with a dollar sign.
    """

    def __init__(self, text: str) -> None:
        self._changes: dict[str, list[tuple[int, int | str]]] = {}
        # By the modules' names from the outermost one on, and then by the signal's.
        self._declared: dict[tuple[str, ...], dict[str, set[str]]] = {}
        path: list[str] = []
        now = 0
        for line in text.splitlines():
            match line.split():
                case ["$scope", _, scope, "$end"]:
                    path.append(_plain(scope))
                case ["$upscope", "$end"]:
                    path.pop()
                case ["$var", _, _, code, name, "$end"]:
                    # The two outermost scopes are the simulator's bench and the component itself.
                    signals = self._declared.setdefault(tuple(path[2:]), {})
                    signals.setdefault(_plain(name.removeprefix("\\")), set()).add(code)
                case [change, code] if change[0] in "bs":
                    value = int(change[1:], 2) if change[0] == "b" else change[1:]
                    self._changes.setdefault(code, []).append((now, value))
                case [change] if change[0] == "#":
                    now = int(change[1:])
                case [change] if change[0] in "01":
                    self._changes.setdefault(change[1:], []).append((now, int(change[0])))
        clock = self._changes[self._code("clk")]
        self._edges = [time for time, level in clock if level == 1]

    @property
    def cycles(self) -> int:
        """How many clock cycles were simulated."""
        return len(self._edges)

    def __getitem__(self, name: str) -> list[int | str]:
        changes = self._changes[self._code(name)]
        places = (bisect_left(changes, edge, key=itemgetter(0)) for edge in self._edges)
        return [changes[max(place - 1, 0)][1] for place in places]

    def _code(self, name: str) -> str:
        words = name.split(".")
        for length in reversed(range(len(words))):
            module, signal = tuple(words[:length]), ".".join(words[length:])
            codes = self._declared.get(module, {}).get(signal, set())
            # A module lists the ports of those inside it as its own.
            inside = [
                signals.get(signal, set())
                for path, signals in self._declared.items()
                if path and path[:-1] == module
            ]
            own = codes.difference(*inside) or codes
            if len(own) == 1:
                return next(iter(own))
            if own:
                raise LookupError(f"the gateware has {len(own)} signals {name}")
        raise LookupError(f"the gateware has no signal {name}")


def _plain(name: str) -> str:
    """A name without the number that tells it from others of the same name."""
    return re.sub(r"\$\d+(?=$|[.\[])", "", name)


def record(component: wiring.Component, bench: Callable[[Any], Awaitable[None]]) -> Trace:
    """Simulate a component in domain ``sync`` until ``bench``, an Amaranth testbench, ends."""
    simulator = Simulator(component)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    text = io.StringIO()
    with simulator.write_vcd(text):
        simulator.run()
    return Trace(text.getvalue())
