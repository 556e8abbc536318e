"""Elements of HTML. Only text that went through :func:`text` or :func:`tag` becomes markup."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import Final, NewType

__all__ = ["Markup", "tag", "text"]

Markup = NewType("Markup", str)
"""A piece of HTML."""

_VOID: Final = {"br", "link", "meta"}
"""Elements without content and end."""

_UNSEEN: Final = {"Cc", "Cs"}
"""Unicode's categories of what HTML does not allow: control characters and lone surrogates."""


def text(value: object) -> Markup:
    """Return a value as text that stands between tags or in an attribute."""
    shown = "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in _UNSEEN else char
        for char in str(value)
    )
    return Markup(escape(shown))


def tag(name: str, /, *content: Markup, **attributes: object) -> Markup:
    """Return an element.

    Parameters
    ----------
    name : str
        The element's name.
    content : Markup
        What stands in it.
    attributes
        Values by name, escaped here. ``_`` in a name stands for ``-``, at its end for nothing, as
        in ``class_``; an attribute whose value is None is left out.
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            words.append(f'{key.rstrip("_").replace("_", "-")}="{text(value)}"')
    end = "" if name in _VOID else f"</{name}>"
    return Markup(f"<{' '.join(words)}>{''.join(content)}{end}")
