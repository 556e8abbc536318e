"""How long to wait for answers."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Patience"]


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a device.

    Parameters
    ----------
    retry : float
        Seconds without any answer after which a command is sent again; twice as long each time.
    limit : float
        Seconds without any answer after which the device counts as silent.
    """

    retry: float
    limit: float
