"""The results of a match or tournament: as tables and sentences, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from loopline.game import Colour
from loopline.host.matches.contest import Contest
from loopline.host.matches.elo import Estimate, Pentanomial
from loopline.host.matches.ratings import ranking
from loopline.host.matches.sprt import Verdict
from loopline.host.matches.standing import Tally
from loopline.host.render.wording import plural

__all__ = ["as_json", "elo_text", "state_text", "summary"]

_LABEL = 16
_KINDS = ("0", "½", "1", "1½", "2")


def summary(contest: Contest) -> Iterator[RenderableType]:
    """Yield the summary of a contest, part by part."""
    yield _headline(contest)
    yield Text()
    if len(contest.plan.specs) == 2:
        yield _players(contest)
        yield Text()
        yield _evidence(contest)
    else:
        yield _cross_table(contest)
    yield Text()
    yield _notes(contest)


def _headline(contest: Contest) -> Text:
    plan, standing = contest.plan, contest.standing
    who = " against ".join(plan.names) if len(plan.names) == 2 else f"{len(plan.names)} players"
    clock = str(plan.clock)
    return Text.assemble(
        (who, "bold"),
        f": {plural(standing.games, 'game')}, {plan.variant} Trax, ",
        "no clock" if clock == "none" else f"{clock} per turn",
    )


def _table(*columns: str) -> Table:
    """Return a table without lines: names flush left, figures flush right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right", no_wrap=True)
    return table


def _players(contest: Contest) -> Table:
    table = _table("", "points", "%", "won", "drawn", "lost", "faults", "slowest turn")
    for name, tally in zip(contest.plan.names, contest.standing.tallies, strict=True):
        table.add_row(
            Text(name, "bold"),
            _points(tally.points),
            _percent(tally),
            str(tally.won),
            str(tally.drawn),
            str(tally.lost),
            _faults(tally),
            f"{tally.slowest:.3f} s",
        )
    return table


def _evidence(contest: Contest) -> Text:
    """Return what the results of a match say about the strength of its two players."""
    name = contest.plan.names[0]
    results = contest.standing.pairings.get((0, 1), Pentanomial())
    kinds = ", ".join(
        f"{kind}: {count}" for kind, count in zip(_KINDS, results.counts, strict=True)
    )
    lines = [
        ("pairs", Text(f"{kinds}  (by the points of {name})")),
        ("Elo", Text.assemble((elo_text(results.elo), "bold"), f"  ({name}, 95 %)")),
    ]
    if normalised := results.normalised_elo:
        lines.append(("normalised Elo", Text(elo_text(normalised))))
    of_what = f"likelihood that {name} is the stronger one"
    if results.score == 0.5:
        of_what = "neither player is ahead"
    lines.append(("superiority", Text(f"{100 * results.superiority:.1f} %  ({of_what})")))
    if contest.sprt:
        lines.append(("SPRT", _sprt(contest)))
    return Text("\n").join(
        Text.assemble((label.ljust(_LABEL), "dim"), text) for label, text in lines
    )


def _sprt(contest: Contest) -> Text:
    test = contest.sprt
    assert test is not None
    wording = {
        Verdict.OPEN: ("no verdict yet", "bold"),
        Verdict.H0: (f"H0 is accepted: Elo {test.elo0:g}", "bold red"),
        Verdict.H1: (f"H1 is accepted: Elo {test.elo1:g}", "bold green"),
    }
    return Text.assemble(
        wording[contest.verdict],
        f"  (LLR {contest.ratio:.2f}; Elo {test.elo0:g} at {test.lower:.2f}, "
        f"Elo {test.elo1:g} at {test.upper:.2f})",
    )


def _cross_table(contest: Contest) -> Table:
    """Return a table of all players by rating, with the points of each against each."""
    standing, rated = contest.standing, contest.ratings
    order = ranking(rated)
    numbers = [str(rank) for rank in range(1, len(order) + 1)]
    table = _table("", "player", "Elo", "±", "points", "games", "%", "faults", *numbers)
    table.columns[1].justify = "left"
    for rank, player in zip(numbers, order, strict=True):
        tally, estimate = standing.tallies[player], rated.players[player]
        table.add_row(
            rank,
            Text(contest.plan.names[player], "bold"),
            _signed(estimate.value, 1) if estimate else "-",
            f"{estimate.error:.1f}" if estimate else "-",
            _points(tally.points),
            str(tally.games),
            _percent(tally),
            _faults(tally),
            *(_met(contest, player, other) for other in order),
        )
    return table


def _met(contest: Contest, player: int, other: int) -> str:
    """Return the points of a player against another one."""
    if player == other:
        return "·"
    results = contest.standing.against(player, other)
    return _points(results.score * 2 * results.pairs) if results else "-"


def _notes(contest: Contest) -> Text:
    """Return colours, endings and faults, one fact per line."""
    standing = contest.standing
    ends = ", ".join(f"{reason} {count}" for reason, count in standing.reasons.most_common())
    colours = standing.colours
    lines = [
        f"white won {colours[Colour.WHITE]}, red {colours[Colour.RED]}, drawn {colours[None]}; "
        f"{standing.turns / standing.games:.1f} turns per game"
        if standing.games
        else "no games",
        f"ended by: {ends}" if ends else "",
    ]
    for name, tally in zip(contest.plan.names, standing.tallies, strict=True):
        if tally.faults:
            faults = ", ".join(f"{reason} {count}" for reason, count in tally.faults.items())
            lines.append(f"{name} lost without being beaten: {faults}")
    if len(contest.plan.specs) > 2 and contest.ratings.bounded:
        lines.append(
            "Some players have made all points against the rest, or none: one drawn game was added "
            "to each pairing to rate them."
        )
    return Text("\n".join(line for line in lines if line), "dim")


def elo_text(elo: Estimate) -> str:
    """Return Elo with its error, such as ``+12.3 ± 8.1``, or its bound if it has only one.

    A bound that does not show which player is the stronger one is left out: after two games won,
    the loser may still be 636 Elo stronger.
    """
    if math.isfinite(elo.error):
        return f"{_signed(elo.value, 1)} ± {elo.error:.1f}"
    if math.isfinite(elo.value):
        return f"{_signed(elo.value, 1)} ± ?"
    if elo.low <= 0 <= elo.high:
        return "not known yet"
    if math.isfinite(elo.low):
        return f"more than {_signed(elo.low, 1)}"
    return f"less than {_signed(elo.high, 1)}"


def state_text(contest: Contest) -> str:
    """Return one line: points and Elo of a match, or the leaders of a tournament."""
    standing = contest.standing
    if not standing.games:
        return ""
    if len(standing.tallies) > 2:
        rated = contest.ratings
        first = [
            f"{contest.plan.names[player]} {_signed(estimate.value, 0)}"
            for player in ranking(rated)[:3]
            if (estimate := rated.players[player])
        ]
        return ", ".join(first)
    results = standing.pairings[0, 1]
    parts = [
        " : ".join(_points(tally.points) for tally in standing.tallies),
        f"Elo {elo_text(results.elo)}",
        f"superiority {100 * results.superiority:.1f} %",
    ]
    if contest.sprt:
        test = contest.sprt
        parts.append(f"LLR {contest.ratio:.2f} [{test.lower:.2f}, {test.upper:.2f}]")
    return ", ".join(parts)


def _signed(value: float, digits: int) -> str:
    """Return a number with its sign, 0 with a plus."""
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def _points(points: float) -> str:
    return f"{points:.1f}".removesuffix(".0")


def _percent(tally: Tally) -> str:
    return f"{100 * tally.points / tally.games:.1f}" if tally.games else "-"


def _faults(tally: Tally) -> Text:
    count = tally.faults.total()
    return Text(str(count), "bold red" if count else "")


def as_json(contest: Contest) -> dict[str, object]:
    """Return the results for JSON, as ``docs/matches.md`` lists them; infinite values are None."""
    plan, standing = contest.plan, contest.standing
    common: dict[str, object] = {
        "variant": plan.variant.name,
        "clock": str(plan.clock),
        "seed": plan.seed,
        "pairs": contest.played,
        "games": standing.games,
        "white_wins": standing.colours[Colour.WHITE],
        "red_wins": standing.colours[Colour.RED],
        "draws": standing.colours[None],
        "reasons": dict(standing.reasons),
        "turns": standing.turns,
    }
    if len(plan.specs) == 2:
        return {
            "players": [_player_json(contest, player) for player in (0, 1)],
            **common,
            **_match_json(contest),
        }
    rated = contest.ratings
    players = []
    for player in ranking(rated):
        met = {
            plan.names[other]: {
                "pairs": list(results.counts),
                "points": results.score * 2 * results.pairs,
                "games": 2 * results.pairs,
            }
            for other in range(len(plan.specs))
            if (results := standing.against(player, other))
        }
        estimate = rated.players[player]
        players.append(
            {
                **_player_json(contest, player),
                "elo": _estimate_json(estimate) if estimate else None,
                "against": met,
            }
        )
    return {"players": players, **common, "bounded": rated.bounded}


def _player_json(contest: Contest, player: int) -> dict[str, object]:
    tally = contest.standing.tallies[player]
    who = {"name": contest.plan.names[player], "player": contest.plan.specs[player]}
    return {**who, "points": tally.points, **asdict(tally)}


def _match_json(contest: Contest) -> dict[str, object]:
    results = contest.standing.pairings.get((0, 1), Pentanomial())
    normalised = results.normalised_elo
    test = contest.sprt
    return {
        "pentanomial": list(results.counts),
        "elo": _estimate_json(results.elo),
        "normalised_elo": _estimate_json(normalised) if normalised else None,
        "superiority": results.superiority,
        "sprt": {
            **asdict(test),
            "lower": test.lower,
            "upper": test.upper,
            "ratio": contest.ratio,
            "verdict": contest.verdict.value,
        }
        if test
        else None,
    }


def _estimate_json(estimate: Estimate) -> dict[str, float | None]:
    values = {**asdict(estimate), "error": estimate.error}
    return {name: value if math.isfinite(value) else None for name, value in values.items()}
