"""What the page's devices do when a line fails, without a browser."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.web.node import PAGE, needs_node, node

pytestmark = needs_node


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    program = [str(node), str(Path(__file__).with_name("device.mjs")), str(PAGE)]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def test_an_idle_device_is_opened_again(found: dict[str, Any]) -> None:
    opened = ["connecting", "ready"]
    assert found["idle"] == {"states": [*opened, "lost: pulled out", *opened], "opened": 2}


def test_damaged_frames_do_not_prolong_the_time_for_an_answer(found: dict[str, Any]) -> None:
    garbage = found["garbage"]
    assert garbage["said"] == "the device does not answer"
    assert garbage["seconds"] == 3
    assert garbage["closed"]


def test_a_silent_device_is_opened_again_and_asked_again(found: dict[str, Any]) -> None:
    opened = ["connecting", "ready"]
    lost = "lost: the device does not answer"
    assert found["silent"] == {
        "states": [*opened, lost, *opened],
        "opened": 2,
        "closed": 1,
        "turns": 0,
    }


def test_a_question_that_a_device_fails_at_is_repeated_after_a_pause(
    found: dict[str, Any],
) -> None:
    assert 5 < found["failing"] < 15


def test_a_device_with_a_search_of_its_own_gets_another_game(found: dict[str, Any]) -> None:
    assert found["busy"] == ["POSITION", "TAKE_BACK", "NEW_GAME", "POSITION"]


def test_a_search_that_does_not_stop_is_given_up(found: dict[str, Any]) -> None:
    assert 10 < found["endless"]["seconds"] <= 13
    assert found["endless"]["opened"] == 2


def test_a_program_may_be_built_before_its_first_answer(found: dict[str, Any]) -> None:
    assert found["built"]
