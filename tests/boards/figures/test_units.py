"""The table of units: whole, and each of them can be built alone."""

import importlib
import inspect
import pkgutil
import re
from functools import cache

import pytest
from amaranth.lib import wiring

import loopline.hdl
from loopline.boards.figures.harness import harnessed
from loopline.boards.figures.units import UNITS, find_units
from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import WithMemories

pytestmark = pytest.mark.xdist_group("units")  # Built once.

NAMELESS = re.compile(r"^  wire .*\\(\$signal\S*)$", re.MULTILINE)
SMALL = GridConfig(size=8, frontier_entries=16, journal=32)


def components():
    """Every component that the gateware defines, but what is only the base of others."""
    modules = pkgutil.walk_packages(loopline.hdl.__path__, "loopline.hdl.")
    found = {
        each
        for module in [importlib.import_module(module.name) for module in modules]
        for _name, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, wiring.Component) and each.__module__ == module.__name__
    }
    return found - {base for each in found for base in each.__mro__[1:]}


@cache
def built(name):
    """A unit's component or components, and its RTLIL."""
    component = UNITS[name].make(SMALL)
    made = {type(component)}
    if isinstance(component, WithMemories):
        made.add(type(component.unit))
    return made, harnessed(component)


def test_every_component_is_a_unit():
    assert not components() - set().union(*(built(name)[0] for name in UNITS))


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_can_be_built_alone_and_every_signal_has_a_name(name):
    """Amaranth finds no name for one of several signals that are assigned in one statement."""
    _, rtlil = built(name)
    assert "module \\harness\n" in rtlil
    assert not NAMELESS.findall(rtlil)
    # In this form a nameless signal would be found.
    assert re.search(r"^  wire .*\\\w+$", rtlil, re.MULTILINE)


def test_units_are_found_once_and_in_order():
    assert find_units(["all"]) == list(UNITS.values())
    assert [unit.name for unit in find_units(["placer", "tile", "tile"])] == ["tile", "placer"]
    with pytest.raises(ValueError, match=r"^no unit 'tiles'; there are: all, tile, socket, "):
        find_units(["tile", "tiles"])
