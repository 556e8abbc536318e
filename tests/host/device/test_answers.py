"""Payloads to answers: whatever comes, nothing but an answer or the documented error."""

import pickle
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game.wire import ANSWERS, MAX_PAYLOAD, Command, ErrorCode
from loopline.host.device.answers import CLASSES, decode
from loopline.host.device.errors import (
    AnswerError,
    ContestOnlyError,
    ProtocolVersionError,
    RefusedError,
)
from loopline.host.errors import DeviceError


@given(st.integers(0, 255), st.binary(max_size=MAX_PAYLOAD))
def test_any_payload_is_an_answer_or_an_answer_error(code: int, payload: bytes) -> None:
    try:
        answer = decode(code, payload)
    except AnswerError:
        return
    assert isinstance(answer, CLASSES[code])  # type: ignore[arg-type]


@given(st.sampled_from(sorted(ANSWERS)), st.data())
def test_payloads_of_the_right_length_too(code: int, data: st.DataObject) -> None:
    message = ANSWERS[code]
    lengths = [length for length in range(MAX_PAYLOAD + 1) if message.accepts(length)]
    length = data.draw(st.sampled_from(lengths))
    payload = data.draw(st.binary(min_size=length, max_size=length))
    test_any_payload_is_an_answer_or_an_answer_error.hypothesis.inner_test(code, payload)  # type: ignore[attr-defined]


def test_every_answer_has_a_class_with_its_fields() -> None:
    assert CLASSES.keys() == ANSWERS.keys()
    for code, message in ANSWERS.items():
        names = [field.name for field in message.fields]
        names += [message.repeated.name] if message.repeated else []
        assert [field.name for field in fields(CLASSES[code])] == names  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ContestOnlyError("board", "LE"), "board plays contests, it answers -T with 'LE'"),
        (ProtocolVersionError("board", 1, 2), "board speaks version 1 of the framed link"),
        (RefusedError("board", Command.LIST, ErrorCode.NO_GAME), "board refuses LIST: there is no"),
    ],
)
def test_an_error_passes_from_process_to_process(error: DeviceError, text: str) -> None:
    assert str(error).startswith(text)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))
