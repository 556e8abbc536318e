"""Switches on the same value become one; test_activity.py simulates such a design."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopline.sim.switches import joined, parsed


def lines(text: str) -> list[str]:
    return dedent(text).strip("\n").replace("    ", "\t").splitlines()


def process(signal: str, number: int, *, then: str) -> list[str]:
    return lines(f"""
    .
        p_{signal} = value<4>{{0u}};
        const value<2> &tmp_{number} = p_state.curr;
        if (tmp_{number} == value<2>{{0u}}) {{
        }} else if (tmp_{number} == value<2>{{0x1u}}) {{
            const value<1> &tmp_{number + 1} = p_go;
            if (tmp_{number + 1} == value<1>{{0x1u}}) {{
                p_{signal}.slice<1,0>() = {then};
            }}
        }} else if (tmp_{number} == value<2>{{0x2u}}) {{
        }} else {{
            p_{signal} = p_other;
        }}
    """)[1:]


def test_one_switch():
    first = parsed(process("a", 5, then="p_x"))
    second = parsed(process("b", 8, then="p_y"))
    assert first is not None
    assert second is not None
    assert (
        list(joined([first, second]))
        == lines("""
    .
        p_a = value<4>{0u};
        p_b = value<4>{0u};
        {
            const value<2> &selector = p_state.curr;
            switch (selector.data[0]) {
            case 0u:
                break;
            case 0x1u:
                {
                    const value<1> &selector = p_go;
                    if (selector == value<1>{0x1u}) {
                        p_a.slice<1,0>() = p_x;
                        p_b.slice<1,0>() = p_y;
                    }
                }
                break;
            case 0x2u:
                break;
            default:
                p_a = p_other;
                p_b = p_other;
            }
        }
    """)[1:]
    )


@pytest.mark.parametrize("change", [("0x2u", "0x3u"), ("p_state", "p_step")])
def test_other_switches(change):
    """Another set of constants, or another value, is looked at on its own."""
    first = parsed(process("a", 5, then="p_x"))
    second = parsed([line.replace(*change) for line in process("b", 8, then="p_y")])
    assert first is not None
    assert second is not None
    assert sum("switch" in line for line in joined([first, second])) == 2


@pytest.mark.parametrize(
    "text",
    [
        ["\tif (posedge_p_clk) {", "\t\tp_a.next = p_b;", "\t}"],
        process("a", 5, then="p_x")[:-1],
        [*process("a", 5, then="p_x"), "\t}"],
    ],
)
def test_another_text(text):
    assert parsed(text) is None
