"""Find the settings of an iCE40 PLL, as Lattice's tool does."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PllSettings", "find_pll"]

_MHZ = 1_000_000
_REFERENCE_HZ = (10 * _MHZ, 133 * _MHZ)
_PHASE_DETECTOR_HZ = (10 * _MHZ, 133 * _MHZ)
_OSCILLATOR_HZ = (533 * _MHZ, 1066 * _MHZ)
_OUTPUT_HZ = (16 * _MHZ, 275 * _MHZ)

_FILTER_RANGES = ((17 * _MHZ, 1), (26 * _MHZ, 2), (44 * _MHZ, 3), (66 * _MHZ, 4), (101 * _MHZ, 5))
"""The loop filter's setting for a phase detector slower than each of these; 6 above."""


@dataclass(frozen=True)
class PllSettings:
    """The parameters of ``SB_PLL40_CORE`` with simple feedback, for a reference clock.

    The output is ``reference_hz * (divf + 1) / (2**divq * (divr + 1))``.
    """

    reference_hz: int
    divr: int
    divf: int
    divq: int

    @property
    def phase_detector_hz(self) -> float:
        """Rate in Hz at which the PLL compares its phase with the reference's."""
        return self.reference_hz / (self.divr + 1)

    @property
    def oscillator_hz(self) -> float:
        """Frequency of the oscillator inside the PLL."""
        return self.phase_detector_hz * (self.divf + 1)

    @property
    def output_hz(self) -> float:
        """Frequency of the output clock."""
        return self.oscillator_hz / 2**self.divq

    @property
    def filter_range(self) -> int:
        """The loop filter's setting for this phase detector rate."""
        rate = self.phase_detector_hz
        return next((code for limit, code in _FILTER_RANGES if rate < limit), 6)


def _within(value: float, limits: tuple[int, int]) -> bool:
    return limits[0] <= value <= limits[1]


def find_pll(reference_hz: int, wanted_hz: float) -> PllSettings:
    """Return the settings whose output is nearest to ``wanted_hz``, with the smallest divisors.

    Raises ``ValueError`` when the reference or the wanted frequency is out of the PLL's range, or
    not a number.
    """
    for name, hz, limits in (
        ("reference clock", reference_hz, _REFERENCE_HZ),
        ("clock", wanted_hz, _OUTPUT_HZ),
    ):
        if not _within(hz, limits):
            low, high = (limit // _MHZ for limit in limits)
            raise ValueError(f"{name} must be {low} to {high} MHz for the PLL, not {hz / _MHZ:g}")
    candidates = (
        PllSettings(reference_hz, divr, divf, divq)
        for divr in range(16)
        for divf in range(128)
        for divq in range(1, 7)
    )
    return min(
        (
            settings
            for settings in candidates
            if _within(settings.phase_detector_hz, _PHASE_DETECTOR_HZ)
            and _within(settings.oscillator_hz, _OSCILLATOR_HZ)
            and _within(settings.output_hz, _OUTPUT_HZ)
        ),
        key=lambda settings: abs(settings.output_hz - wanted_hz),
    )
