"""Signals as WaveDrom writes them, and their pictures."""

import xml.etree.ElementTree as ET

import pytest

from loopline.sim.waves.wavejson import bit, bus, diagram, group
from loopline.sim.waves.wavesvg import timing_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_levels_and_texts_are_written_where_they_change():
    assert bit("valid", [0, 0, 1, 1, 0]) == {"name": "valid", "wave": "0.1.0"}
    cells = [None, None, ("A", 3), ("A", 3), ("A", 4), None]
    assert bus("state", cells) == {"name": "state", "wave": "x.3.4x", "data": ["A", "A"]}
    assert bus("event", cells, merge=False)["wave"] == "x.334x"
    with pytest.raises(ValueError, match="^a colour is 2 to 9, not 1$"):
        bus("state", [("A", 1)])


def drawn(*signals):
    return ET.fromstring(timing_svg(diagram("A < B", group("unit", *signals))))


def test_a_picture_has_every_text_and_nothing_outside():
    root = drawn(bit("valid", [0, 1, 1]), bus("state", [None, ("IDLE", 2), ("BUSY", 9)]))
    width, height = int(root.get("width")), int(root.get("height"))
    texts = {text.text: text for text in root.iter(f"{SVG}text")}
    assert {"A < B", "unit", "valid", "state", "IDLE", "BUSY", "0", "1", "2"} <= {*texts}
    for text in texts.values():
        assert 0 < float(text.get("x")) < width
        assert 0 < float(text.get("y")) < height
    assert float(texts["IDLE"].get("x")) < float(texts["BUSY"].get("x"))
    used = {name for each in root.iter() for name in each.get("class", "").split()}
    assert {"ground", "line", "c2", "c9"} <= used
    light, dark = root.find(f"{SVG}style").text.split("@media (prefers-color-scheme: dark)")
    for name in used:
        assert f".{name} {{" in light
        assert f".{name} {{" in dark


def test_a_level_is_a_line_with_a_step_at_each_change():
    (path,) = [
        path.get("d")
        for path in drawn(bit("valid", [0, 1, 1, 0])).iter(f"{SVG}path")
        if path.get("fill") == "none"
    ]
    assert (path.count("M"), path.count("H"), path.count("V")) == (1, 3, 2)


def test_a_text_that_does_not_fit_is_smaller_or_refused():
    sizes = [
        float(text.get("font-size"))
        for text in drawn(bus("s", [("OK", 2), ("SETTLED", 3)])).iter(f"{SVG}text")
        if text.text in ("OK", "SETTLED")
    ]
    assert sizes[0] > sizes[1] >= 8
    assert drawn(bus("s", [("much too long", 2)] * 3)) is not None
    with pytest.raises(ValueError, match="^'much too long' is too long for 1 cycles$"):
        drawn(bus("s", [("much too long", 2)]))


def test_a_long_diagram_goes_on_below():
    cells = [("LONG", 2)] * 30 + [("MORE", 3)] * 30
    short, long = (drawn(bit("v", [0] * n), bus("s", cells[:n])) for n in (30, 60))
    assert int(long.get("width")) == int(short.get("width"))
    assert int(long.get("height")) > 1.5 * int(short.get("height"))
    numbers = {text.text: text for text in long.iter(f"{SVG}text")}
    assert numbers["0"].get("x") == numbers["30"].get("x")
    assert float(numbers["0"].get("y")) < float(numbers["30"].get("y"))
    # What is cut is there twice.
    pieces = drawn(bus("s", [("A", 2)] * 20 + [("CUT", 3)] * 20 + [("B", 4)] * 20))
    texts = [text.text for text in pieces.iter(f"{SVG}text")]
    assert [texts.count(text) for text in ("A", "CUT", "B")] == [1, 2, 1]
