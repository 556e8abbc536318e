"""The colours of pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["DARK", "LIGHT", "THEMES", "Theme"]


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, as CSS writes them.

    Parameters
    ----------
    ground, shadow, space, label : str
        The ground, the tiles' shadow on it, the dots in empty spaces, the names around.
    rail : str
        The border of a limited area.
    seam, tile, own, forced, number : str
        The tiles' edges, their faces, those of the last turn's own tile and of the tiles that it
        forced, and turn numbers on any of them.
    mark : str
        The line around the last turn's tiles.
    white, red, halo : str
        The tracks, and the halo of the winner's.
    attack, corner : str
        The halos of tracks that threaten.
    """

    ground: str
    shadow: str
    space: str
    label: str
    rail: str
    seam: str
    tile: str
    own: str
    forced: str
    mark: str
    white: str
    red: str
    halo: str
    attack: str
    corner: str
    number: str


LIGHT = Theme(
    ground="#e5ddcc",
    shadow="#c8bea9",
    space="#b3a891",
    label="#5f574b",
    rail="#8a7a5c",
    seam="#131418",
    tile="#26282e",
    own="#1f5a86",
    forced="#2b4459",
    mark="#6fc3ff",
    white="#faf7f0",
    red="#e5392f",
    halo="#ffc233",
    attack="#ffc233",
    corner="#2fb58a",
    number="#bfc3cb",
)
DARK = Theme(
    ground="#15171b",
    shadow="#0b0c0e",
    space="#464b55",
    label="#9aa0ab",
    rail="#6d7482",
    seam="#1b1d22",
    tile="#31343c",
    own="#1f5f90",
    forced="#2f4c64",
    mark="#6fc3ff",
    white="#f6f3ec",
    red="#f04a3e",
    halo="#ffc233",
    attack="#ffc233",
    corner="#37c197",
    number="#c6cad2",
)
THEMES: Mapping[str, Theme] = {"light": LIGHT, "dark": DARK}
"""The themes by name."""
