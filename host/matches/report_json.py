"""The results of a match or tournament for programs, as ``docs/matches.md`` lists them."""

from __future__ import annotations

import math

from loopline.game import Colour
from loopline.host.matches.contest import Contest
from loopline.host.matches.elo import Estimate, Pentanomial
from loopline.host.matches.ratings import ranking

__all__ = ["as_json"]


def as_json(contest: Contest) -> dict[str, object]:
    """The result as JSON knows it; an infinite value is none."""
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
    return {
        "name": contest.plan.names[player],
        "player": contest.plan.specs[player],
        "points": tally.points,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "faults": dict(tally.faults),
        "slowest": tally.slowest,
    }


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
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "lower": test.lower,
            "upper": test.upper,
            "ratio": contest.ratio,
            "verdict": contest.verdict.value,
        }
        if test
        else None,
    }


def _estimate_json(estimate: Estimate) -> dict[str, float | None]:
    return {
        name: value if math.isfinite(value) else None
        for name, value in (
            ("value", estimate.value),
            ("low", estimate.low),
            ("high", estimate.high),
            ("error", estimate.error),
        )
    }
