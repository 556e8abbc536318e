"""Helpers of the tests that read records."""

from __future__ import annotations

import pickle

import pytest

from loopline.game import GameRecord, RecordError, TraxError, read_records

LOOP_GAME = "@0/ A0\\ B1+ @1/"
"""Won by white with red's turn."""


def read_one(text: str) -> GameRecord:
    """The only game of a text."""
    [record] = read_records(text.split("\n"))
    return record


def refusal(text: str) -> tuple[int, int, str]:
    """Line, column and reason of what is wrong with a text."""
    with pytest.raises(RecordError) as caught:
        list(read_records(text.split("\n")))
    error = caught.value
    assert isinstance(error, TraxError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(error) == f"line {error.line}, column {error.column}: {error.reason}"
    return error.line, error.column, error.reason
