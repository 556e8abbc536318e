"""All benches: each is on the map of its package, and its ``--help`` ends with an example."""

from __future__ import annotations

import re

import pytest

from loopline import bench
from loopline.bench.__main__ import BENCHES, main


def test_every_bench_is_on_the_map():
    assert bench.__doc__ is not None
    assert set(re.findall(r"[┬├└]─► (\S+)", bench.__doc__)) == set(BENCHES)


@pytest.mark.parametrize("name", BENCHES)
def test_help_ends_with_an_example(name, capsys):
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    assert text.splitlines()[-1].startswith(f"  loopline bench {name}")
    assert "``" not in text
