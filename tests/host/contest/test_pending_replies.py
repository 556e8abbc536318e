import pytest

from loopline.game import LOOP, MINI, STANDARD, Variant, limited
from loopline.host.contest.bridge import Bridge
from loopline.host.contest.link import ContestDevice
from loopline.host.contest.pending_replies import PendingReplies
from tests.host.canned import Canned


def follow(lines: str, variant: Variant = STANDARD) -> tuple[bool, bool]:
    """Whether a code and a turn are pending after lines to the device and, with ``<``, from it."""
    pending = PendingReplies(variant)
    for line in lines.split():
        if line.startswith("<"):
            pending.received(line[1:])
        else:
            pending.sent(line)
    assert bool(pending) == (pending.code or pending.turn)
    return pending.code, pending.turn


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
        ("-B @0/ A2+", False, True),  # out of turn: still one reply is pending
    ],
)
def test_what_is_due(lines: str, code: bool, turn: bool) -> None:
    assert follow(lines) == (code, turn)


@pytest.mark.parametrize(
    ("lines", "code", "turn"),
    [
        ("-S", True, False),
        ("-S <LL", False, False),
        ("-S <LL @0/ B1+ @1+", False, False),
        ("-S <LL @0/ B1+ -G", False, True),
        ("-S <LL -G", False, True),
        ("-S <LL -G <@0/ B1+", False, True),  # and then as usual
        ("-S <LL -G <@0/ B1+ <@1+", False, False),
        ("-S <LL @0/ @0/ B1+ -G <@1+", False, False),  # the illegal one counts for nothing
        ("-S <LL @0/ B1\\ A2\\ -G", False, False),  # over
        ("-G", False, False),
        ("-S <LL -T -G", True, False),
        ("-W <@0/ -G", False, True),  # the device takes the other side, too
        ("-W <@0/ -G <B1+ @1+", False, True),
        ("-W -G", False, True),
        ("-W -G <@0/", False, False),
        ("-B -G <@0/", False, False),
        ("-W -S", True, False),
        ("-S -B <LL @0/", False, True),
    ],
)
def test_what_is_due_around_set_ups(lines: str, code: bool, turn: bool) -> None:
    assert follow(lines) == (code, turn)


def test_what_is_due_is_up_to_the_variant() -> None:
    row = "-B @0+ <B1+ C1+ <D1+ E1+ <F1+ G1+ <H1+"
    assert follow(f"{row} I1+") == (False, False)
    assert follow(f"{row} I1+", LOOP) == (False, True)
    assert follow("-B @0+ <B1+ C1+ <D1+", MINI) == (False, True)
    assert follow("-B @0+", limited(1)) == (False, False)


def test_lines_of_the_source_may_come_in_pieces() -> None:
    line = Canned()
    bridge = Bridge(ContestDevice(line, 1.0), lambda _: None)
    for piece in (b"-", b"B\r\n@0", b"/\n"):
        bridge._send(piece)
    assert bridge._pending.turn
    assert b"".join(line.sent) == b"-B\r\n@0/\n"
