# amaranth: UnusedElaboratable=no
"""The search has no use for what a memory reads where it is written, see ``hdl/core``'s tests."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

import pytest

from loopline.bench.measure.search import positions
from loopline.boards.presets import PRESETS
from tests.hdl.core.unit.scrambled import scramble
from tests.hdl.search.test_lane import Both


def compare(name: str) -> None:
    """Search with a preset's lane, the memories of which give wrong words, and with the engine."""
    with pytest.MonkeyPatch.context() as patch:
        scramble(patch)
        both = Both(PRESETS[name].search)
    try:
        for position in islice(positions(), 0, None, 4):
            both.compare(position, depth=2)
            both.compare(position, nodes=60)
    finally:
        both.lane.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in PRESETS.items() if each.search.lanes < 4])
def test_presets(name: str) -> None:
    """In a process of its own: the engine has one size of tables in each. More than two lanes have
    more of the same memories."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(compare, name).result()
