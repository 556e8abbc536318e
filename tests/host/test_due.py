import pytest

from loopline.host.due import AnswersDue


@pytest.mark.parametrize(
    ("lines", "code", "turn"),
    [
        ("", False, False),
        ("-T", True, False),
        ("-T <LL", False, False),
        ("-W", False, True),
        ("-W <@0/", False, False),
        ("-B", False, False),
        ("-W -B", False, False),
        ("-B @0/", False, True),
        ("-B @0/ <A2\\", False, False),
        ("-B @0/ -T", True, False),
        ("-T -B @0/", True, True),
        ("-T -B <LL @0/ <B1\\", False, False),
        ("-B @0\\", False, False),  # illegal
        ("-B noise", False, False),
        ("@0/", False, False),  # no game
        ("-B @0/ <B1\\ A2\\", False, False),  # the game is over
        ("-B @0/ <B1\\ A2\\ -W", False, True),
        ("-W <@0/ B1\\ <A2\\ B1+", False, False),  # the game was over before
        ("-B @0/ A2+", False, True),  # out of turn: still one answer is due
    ],
)
def test_what_is_due(lines: str, code: bool, turn: bool) -> None:
    due = AnswersDue()
    for line in lines.split():
        if line.startswith("<"):
            due.heard(line[1:])
        else:
            due.told(line)
    assert (due.code, due.turn, bool(due)) == (code, turn, code or turn)
