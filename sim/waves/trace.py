"""The value of every signal of a component in each clock cycle of a simulation, by name."""

from __future__ import annotations

import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from amaranth.lib import wiring
from amaranth.sim import Simulator
from vcd.gtkw import GTKWSave

__all__ = ["Groups", "Trace", "record"]

_FS_PER_NS = 10**6

_TOP = "unit"
"""The outermost module in a file."""

_CHARACTERS = ("chars__payload", "text__payload")

Groups = Mapping[str, Sequence[str]]
"""Names of signals by headings."""


class Trace:
    """Hold the value changes of one simulation, as Amaranth's simulator writes them (VCD).

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
        self._types: dict[str, str] = {}
        path: list[str] = []
        now = 0
        for line in text.splitlines():
            match line.split():
                case ["$scope", _, scope, "$end"]:
                    path.append(_plain(scope))
                case ["$upscope", "$end"]:
                    path.pop()
                case ["$var", kind, width, code, name, "$end"]:
                    self._types[code] = f"{kind} {width}"
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

    def excerpt(self, first: int, end: int) -> str:
        """Return a VCD file of the cycles ``first`` up to but not including ``end``.

        Cycle ``first`` begins at time 0 and each takes 1 us. A signal stands in the innermost
        module that has it, the clock in the outermost one, too. Values of enumerations are
        strings, which GTKWave and Surfer show.
        """
        starts = [0, *self._edges]
        start, stop = starts[first], starts[end]
        moments: dict[int, list[str]] = {start: []}
        for code, changes in self._changes.items():
            begun = bisect_right(changes, start, key=itemgetter(0))
            shown = [(start, changes[max(begun - 1, 0)][1]), *changes[begun:]]
            for time, value in shown:
                if time < stop:
                    moments.setdefault(time, []).append(self._written(code, value))
        lines = ["$timescale 1 ns $end", *self._declarations(), "$enddefinitions $end"]
        for time in sorted(moments):
            lines += [f"#{(time - start) // _FS_PER_NS}", *moments[time]]
        return "\n".join([*lines, f"#{(stop - start) // _FS_PER_NS}", ""])

    def save_file(self, path: str, groups: Groups) -> str:
        """Return a file that has GTKWave show these signals of an excerpt, in this order.

        Parameters
        ----------
        path : str
            The excerpt's file.
        groups : dict
            Names of signals, as of ``trace[...]``, by the headings above them. Raises
            :exc:`LookupError` as that does.
        """
        places: dict[str, str] = {}
        scopes: list[str] = []
        for line in self._declarations():
            match line.split():
                case ["$scope", _, scope, _]:
                    scopes.append(scope)
                case ["$upscope", _]:
                    scopes.pop()
                case ["$var", _, width, code, name, _]:
                    bits = f"[{int(width) - 1}:0]" if int(width) > 1 else ""
                    places.setdefault(code, ".".join([*scopes, name]) + bits)
        text = io.StringIO()
        save = GTKWSave(text)
        save.dumpfile(path)
        for heading, names in groups.items():
            with save.group(heading):
                for name in names:
                    shown = re.sub(r"__payload\.|__|\.", " ", name)
                    form = "ascii" if name.endswith(_CHARACTERS) else "dec"
                    save.trace(places[self._code(name)], shown, datafmt=form)
        return text.getvalue()

    def _written(self, code: str, value: int | str) -> str:
        if isinstance(value, str):
            return f"s{value} {code}"
        return f"{value}{code}" if self._types[code].endswith(" 1") else f"b{value:b} {code}"

    def _declarations(self, path: tuple[str, ...] = (), scope: str = _TOP) -> Iterator[str]:
        """The lines of a module and of those inside it."""
        yield f"$scope module {scope} $end"
        inside = sorted(each for each in self._declared if each[:-1] == path and each)
        taken = set()
        for each in inside:
            taken.update(*self._declared[each].values())
        for name, codes in self._declared.get(path, {}).items():
            own = sorted(codes if name == "clk" and not path else codes - taken)
            for number, code in enumerate(own):
                # Several of one name, such as registers in a loop, are told apart by a number.
                text = name.removeprefix("$signature__") + (f"_{number}" if len(own) > 1 else "")
                escaped = f"\\{text}" if "." in text or "[" in text else text
                yield f"$var {self._types[code]} {code} {escaped} $end"
        for each in inside:
            yield from self._declarations(each, each[-1])
        yield "$upscope $end"

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
