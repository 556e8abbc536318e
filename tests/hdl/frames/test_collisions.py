"""The whole design does not use what a memory reads where it is written, no more than its units.

Among its memories are those of counters, frames and the game's turns.
"""

from __future__ import annotations

from contextlib import closing

import pytest

from tests.hdl.core.unit.scrambled import scramble
from tests.hdl.frames import (
    test_commands,
    test_counters,
    test_errors,
    test_lines,
    test_rates,
    test_repetitions,
    test_searches,
)
from tests.hdl.frames.expected import CONFIG
from tests.hdl.frames.pins_driver import Pins

CHECKS = (
    test_commands.test_the_output_over,
    test_counters.test_after_a_reset_all_is_as_after_power_on,
    test_counters.test_what_is_sent_and_received_is_counted,
    test_errors.test_a_character_without_a_stop_bit,
    test_errors.test_frames_that_come_too_fast,
    test_lines.test_answers_of_both_kinds_are_whole,
    test_lines.test_lines_and_frames_see_one_game,
    test_rates.test_another_rate,
    test_repetitions.test_a_sequence_number_that_comes_again,
    test_searches.test_limits_of_time,
    test_searches.test_progress_stop_and_what_is_obeyed_meanwhile,
)


@pytest.mark.slow
def test_what_works_with_other_memories_works_with_these():
    with pytest.MonkeyPatch.context() as patch:
        scramble(patch)
        pins = Pins(CONFIG)
    with closing(pins):
        for check in CHECKS:
            pins.restart()
            check(pins)
