"""Who a device is, and what it has counted."""

from __future__ import annotations

from dataclasses import dataclass

from loopline.game import VARIANTS, Variant, limited
from loopline.game.wire import Feature, RuleFlag, area_and_flags

__all__ = ["Counters", "Identity"]


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a device is, in the order of the message; ``loopline info`` shows it."""

    magic: str
    protocol: int
    name: str
    build: int
    grid: int
    lanes: int
    clock: int
    bit_cycles: int
    baud: int
    area: int
    rules: RuleFlag
    code: str
    depth: int
    features: Feature
    history: int

    @property
    def largest(self) -> int:
        """The most columns, and the most rows, that the formation can have."""
        return self.grid - 2

    @property
    def commit(self) -> str:
        """The commit that it was built from, eight digits; empty if unknown."""
        return f"{self.build:08x}" if self.build else ""

    @property
    def variant(self) -> Variant | None:
        """The variant of its contest games; None if it has no name."""
        known = [*VARIANTS.values(), *([limited(self.area)] if self.area else [])]
        rules = (self.area, self.rules)
        return next((variant for variant in known if area_and_flags(variant) == rules), None)


@dataclass(frozen=True, slots=True)
class Counters:
    """What a device has counted since it was switched on, modulo 2³²; see docs/link.md."""

    bytes_received: int
    bytes_sent: int
    frames_received: int
    frames_sent: int
    frames_damaged: int
    frames_malformed: int
    frames_cut: int
    frames_lost: int
    repeats: int
    framing_errors: int
    overruns: int
    lines_received: int
    lines_noise: int
    lines_refused: int
    restarts: int
