"""Prints the definition as Markdown for ``docs/link.md``.

Run it with ``python -m loopline.game.wire.tables``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, Flag, IntEnum
from inspect import getsource
from re import DOTALL, MULTILINE, finditer

from loopline.game.wire import codes
from loopline.game.wire.messages import ANSWERS, COMMANDS, CONTEXTS

__all__ = ["code_tables", "message_table", "tables"]


def _rows(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    titles = list(head)
    yield "| " + " | ".join(titles) + " |"
    yield "|" + " --- |" * len(titles)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def _member_texts(kind: type[Enum]) -> dict[str, str]:
    """Return the docstring below each member, from the source."""
    source = getsource(kind)
    found = finditer(r'^    (\w+) = \w+\n(?:    """(.*?)""")?', source, DOTALL | MULTILINE)
    return {match[1]: " ".join((match[2] or "").split()) for match in found}


def code_tables() -> Iterator[str]:
    """Yield the lines of the tables of codes."""
    for kind, title in (
        (codes.ErrorCode, "Errors"),
        (codes.TurnStatus, "Status of a turn"),
        (codes.Verdict, "Verdicts of a search"),
        (codes.Completed, "Completed loops and lines"),
        (codes.GameFlag, "State of the game"),
        (codes.RuleFlag, "Rules"),
        (codes.Feature, "Features"),
        (codes.TestPart, "Parts of a self-test"),
    ):
        texts = _member_texts(kind)
        yield f"**{title}**{' (bits, added up)' if issubclass(kind, Flag) else ''}"
        yield ""
        members: list[IntEnum] = list(kind)
        yield from _rows(
            ("value", "name", "meaning"),
            (
                (str(member.value), f"`{member.name}`", texts[member.name].replace("``", "`"))
                for member in members
            ),
        )


def message_table() -> Iterator[str]:
    """Yield the lines of the tables of commands and answers, byte by byte."""
    yield from _rows(
        ("code", "command", "meaning", "obeyed", "repetition"),
        (
            (
                f"`{code:#04x}`",
                f"`{message.name}`",
                message.text,
                _obeyed(CONTEXTS[code].always, CONTEXTS[code].needs),
                "stored answer" if CONTEXTS[code].stored else "obeyed again",
            )
            for code, message in COMMANDS.items()
        ),
    )
    for title, messages in (("Commands", COMMANDS), ("Answers", ANSWERS)):
        yield f"**{title}: their payloads**"
        yield ""
        rows = []
        for code, message in messages.items():
            offsets = message.offsets()
            name = f"`{code:#04x}` `{message.name}`"
            note = f"*{message.text}*" if title == "Answers" else ""
            fields = [(field, "") for field in message.fields]
            if message.repeated:
                least, most = message.least, message.most
                fields.append((message.repeated, f" × {least} to {most}"))
            if title == "Answers" or not fields:
                rows.append((name, "", "", "", note or "no payload"))
                name = ""
            for field, times in fields:
                width = f"{field.width}{times}"
                kind = field.values.__name__ if field.values else field.kind
                text = f"{field.text} ({kind})" if kind != "unsigned" else field.text
                rows.append((name, str(offsets[field.name]), width, f"`{field.name}`", text))
                name = ""
        yield from _rows(("code", "at", "bytes", "field", "meaning"), rows)


def _obeyed(always: bool, needs: str) -> str:
    if always:
        return "always"
    return {"anything": "unless busy", "game": "in a game", "open game": "in a game not over"}[
        needs
    ]


def tables() -> str:
    """Return all tables as they stand in the document."""
    return "\n".join([*message_table(), *code_tables()]).rstrip("\n") + "\n"


if __name__ == "__main__":
    print(tables(), end="")
