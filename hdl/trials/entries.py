"""The frontier table as the trials read it."""

from loopline.hdl.core.types import entry_layout

__all__ = ["entry_layout"]
