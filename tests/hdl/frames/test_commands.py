"""The design's identity, and its outputs; ``tests/framed`` has the commands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopline.game.wire import MAGIC, PROTOCOL, Command, Feature
from loopline.hdl.frames.answers import features_of
from loopline.hdl.frames.requests import HISTORY
from tests.framed.cases import BOTH
from tests.hdl.frames.expected import CONFIG, new_game

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.


def test_identity(pins):
    assert pins.do(Command.IDENTIFY) == {
        "answer": "IDENTITY",
        "magic": MAGIC,
        "protocol": PROTOCOL,
        "name": CONFIG.name,
        "build": 0x12345678,
        "grid": 16,
        "lanes": 1,
        "clock": 200_000,
        "bit_cycles": 8,
        "baud": 25_000,
        "area": 0,
        "rules": 1,
        "code": "LL",
        "depth": CONFIG.search.deepest,
        "features": features_of(CONFIG),
        "history": HISTORY,
    }
    assert features_of(CONFIG) & (Feature.CONTEST | Feature.LIST | Feature.SEARCH)
    counts = Feature.EVALUATE | Feature.COUNT
    assert features_of(CONFIG) & counts == counts
    assert not features_of(replace(CONFIG, evaluator=False)) & counts


def test_the_output_over(pins):
    assert not new_game(pins)["made"]
    assert not pins.status.over
    new_game(pins, BOTH)
    assert pins.status.over
    pins.do(Command.TAKE_BACK, count=1)
    assert not pins.status.over
