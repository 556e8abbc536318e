import pytest

from loopline.host.clock import CONTEST, GRACE, UNTIMED, Clock, clock_named


@pytest.mark.parametrize(
    ("name", "clock"),
    [
        ("1", CONTEST),
        ("0.25", Clock(0.25)),
        (".5", Clock(0.5)),
        ("60+grace", Clock(60, 600)),
        ("none", UNTIMED),
    ],
)
def test_names(name: str, clock: object) -> None:
    assert clock_named(name) == clock


@pytest.mark.parametrize("name", ["", "0", "-1", "1s", "nan", "inf", "1e3", "99999999", "1+2", "²"])
def test_what_is_no_clock(name: str) -> None:
    with pytest.raises(
        ValueError, match=r"is not a clock: use seconds per turn, such as 1, or 60\+"
    ):
        clock_named(name)


def test_time_per_turn() -> None:
    assert CONTEST.allows(0) == CONTEST.allows(5) == 1.0
    assert not CONTEST.exceeded(1.0)
    assert CONTEST.exceeded(1.001)
    assert str(CONTEST) == "1 s"


def test_one_grace() -> None:
    clock = Clock(60, GRACE)
    assert clock.allows(0) == 660
    assert clock.allows(1) == 60
    assert clock.exceeded(60.1)
    assert not clock.exceeded(60)
    assert str(clock) == "60 s + one grace of 600 s"


@pytest.mark.parametrize(
    ("allowed", "spent", "said"),
    [
        (660, 1.0, "59 s left, then 600 s of grace"),
        (660, 60.0, "600 s of grace left"),
        (660, 700.0, "0 s of grace left"),
        (60, 50.5, "9.5 s left"),
        (60, 60.5, "0.0 s left"),
    ],
)
def test_what_is_left(allowed: float, spent: float, said: str) -> None:
    """The second excess has no grace left, and neither has a clock without one."""
    assert Clock(60, GRACE).left(allowed, spent) == said


def test_no_limit() -> None:
    assert UNTIMED.allows(0) is None
    assert not UNTIMED.exceeded(1e9)
    assert str(UNTIMED) == "none"
