"""Sessions, turns, ``-S`` and ``-G`` in any order and in any cycle, against a reference session."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, limited, variant_named
from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from tests.game.positions import chosen_positions
from tests.hdl.player.reference_session import ReferenceSession, random_line, winning_turns
from tests.hdl.player.session_driver import LINES, REST, SessionDriver

HURRIED = DesignConfig(
    clock_hz=1_000_000, baud=62_500, search=SearchConfig(GridConfig(size=16)), think_ms=1
)
"""Thinks for 1,000 cycles: some searches end by themselves, most are cut short."""

THOROUGH = DesignConfig(
    clock_hz=1_000_000, baud=62_500, search=SearchConfig(GridConfig(size=64)), think_ms=20
)
"""Has the time to try every own turn."""

VARIANTS = (STANDARD, LIMITED, DELUXE, LOOP, MINI, limited(4), limited(20))

pytestmark = pytest.mark.xdist_group("native player")  # Compiled once.


@pytest.fixture(scope="module")
def compiled() -> Iterator[dict[DesignConfig, SessionDriver]]:
    players = {config: SessionDriver(config) for config in (HURRIED, THOROUGH)}
    yield players
    for player in players.values():
        player.close()


@pytest.fixture
def hurried(compiled) -> SessionDriver:
    compiled[HURRIED].restart()
    return compiled[HURRIED]


@pytest.fixture
def thorough(compiled) -> SessionDriver:
    """From power-on, so that a game is the same whatever was tested before: some grow until the
    frontier table is full, and no turn fits in."""
    compiled[THOROUGH].restart()
    return compiled[THOROUGH]


def exchange(player: SessionDriver, session: ReferenceSession, line: str, **options) -> None:
    """Send a line with these options, and check the outcome."""
    session.step(line, player.send(line, **options), options.get("variant", STANDARD))


def follow(player, lines, *, last=REST, thorough=False, variant=STANDARD, **options):
    """Send lines, each when the player is idle, and wait ``last`` cycles after the last one; check
    the outcomes, and return the session."""
    session = ReferenceSession(player.grid.limit, thorough=thorough)
    for line in lines[:-1]:
        exchange(player, session, line, variant=variant, **options)
    exchange(player, session, lines[-1], variant=variant, wait=last, **options)
    return session


STATES = {
    "after -T": "-T",
    "opening": "-T -W",
    "waiting for White": "-T -B",
    "thinking": "-T -B @0/",
    "set-up, empty": "-T -S",
    "set-up, a turn": "-T -S @0/",
    "set-up, going": "-T -S @0/ -G",
    "taking the opponent's side": "-T -B -G",
    "over": "-T -S @0/ A0\\ B1+ @1/",
}
"""Lines that lead to each state; during the last of them the player is interrupted."""

NEXT = (*LINES, "A0\\", "@0/", "J9+")
"""Lines that may come then: ``A0\\`` is often legal, ``J9+`` never."""


@pytest.mark.parametrize("line", NEXT)
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_any_line_at_any_moment(hurried, state, line):
    """For a session in every cycle after the state's last line until there is nothing but the
    search, and then some; for a turn or ``-G`` in some of them."""
    waits = [*range(140), *range(140, 980, 41), *range(980, 1_300, 17)]
    for wait in waits if line in ("-T", "-W", "-B", "-S") else waits[::7]:
        session = follow(hurried, state.split(), last=wait)
        exchange(hurried, session, line, wait=wait % 7)
        # And then it plays as if nothing had been.
        for last in ("-S", "@0+", "A0\\", "-G"):
            exchange(hurried, session, last)
        assert session.position.turns == 3


@pytest.mark.parametrize(("first", "second"), list(itertools.product(LINES, LINES)))
def test_two_orders_close_together(hurried, first, second):
    """The newest session is the one that counts, however many cycles it is behind the last."""
    for wait in range(120):
        session = follow(hurried, ["-T", "-S", "@0/", "-G"], last=31 * wait % 1_100)
        exchange(hurried, session, first, wait=wait)
        exchange(hurried, session, second)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("stall", [0, 1])
def test_random_scripts(hurried, variant, stall):
    """Sessions, games, set-ups and nonsense; with pauses of any length and streams held back."""
    player = hurried
    player.restart(stall=stall and 1 + VARIANTS.index(variant))
    rng = random.Random(f"{variant} {stall}")
    session = ReferenceSession(player.grid.limit)
    ends = 0
    for _ in range(2_000):
        line = random_line(rng, session)
        wait = rng.choice([REST, REST, REST, rng.randrange(20), rng.randrange(1_500)])
        hold = rng.choice([0, 0, rng.randrange(64)])
        before = session.state
        exchange(player, session, line, variant=variant, wait=wait, hold=hold)
        ends += before != "over" and session.state == "over"
    assert session.answers > 200
    assert ends > 15


CHOSEN = [
    chosen
    for chosen in chosen_positions()
    if max(chosen.width, chosen.height) <= THOROUGH.grid.limit and len(chosen.turns) < 80
]


@pytest.mark.parametrize("chosen", CHOSEN, ids=[f"{c.file}: {c.name}" for c in CHOSEN])
def test_chosen_positions_are_set_up_and_played_on(thorough, chosen):
    """Set up turn by turn; and for each of the last turns the player makes one in its place."""
    variant = variant_named(chosen.variant)
    session = follow(thorough, ["-S", *chosen.turns], variant=variant)
    assert (session.state == "over") == (chosen.outcome[0] in "WRd")
    # The player answers, or refuses if the game is over.
    exchange(thorough, session, "-G")
    for back in (1, 2):
        session = follow(
            thorough, ["-S", *chosen.turns[:-back], "-G"], thorough=True, variant=variant
        )
        assert session.answers == 1


def test_a_win_is_found_after_a_set_up(thorough):
    """For either colour: the positions before the last turn of those that the mover has won."""
    found = set()
    for chosen in CHOSEN:
        mover = "RW"[len(chosen.turns) % 2]
        if chosen.outcome.startswith(f"{mover}:"):
            turns = chosen.turns[:-1]
            variant = variant_named(chosen.variant)
            session = follow(thorough, ["-S", *turns, "-G"], thorough=True, variant=variant)
            assert session.position.result
            assert session.position.result.winner.letter == mover
            found.add((mover, chosen.outcome[2:]))
            session.position.undo()
            assert winning_turns(session.position, thorough.grid.limit)
    assert {kind.partition(":")[0] for _, kind in found} >= {"loop", "line"}
    assert {mover for mover, _ in found} == {"W", "R"}


def test_the_opponents_place_may_be_taken_in_a_game(thorough):
    """The player goes on with both sides: a whole game against itself, by ``-G`` alone."""
    session = follow(thorough, ["-W"], thorough=True)
    while session.state == "awaited":
        exchange(thorough, session, "-G")
    assert session.state == "over"
    assert session.answers == session.position.turns > 4
    exchange(thorough, session, "-G")


def games(player: SessionDriver, seeds: list[int]) -> list[tuple[str, ...]]:
    """The turns of games against itself, each of six turns; a seed for each, with its lines."""
    played = []
    for seed in seeds:
        session = follow(player, ["-W"], seed=seed)
        for _ in range(5):
            exchange(player, session, "-G", seed=seed)
        played.append(tuple(str(each.turn) for each in session.position.history))
    return played


def test_games_vary_by_the_seed_of_the_first_line_only(thorough):
    """A seed fixes all games; each game varies; and the seed is that of the first line."""
    first = []
    for seed in range(0, 1 << SEED_BITS, 4321):
        thorough.restart()
        first += games(thorough, [seed])
    assert len(set(first)) > 4
    thorough.restart()
    several = games(thorough, [4321, 1, 2, 3])
    assert several[0] == first[1]
    assert len(set(several)) > 1
    thorough.restart()
    assert games(thorough, [4321] * 4) == several
