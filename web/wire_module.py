"""Makes ``page/wire.js``: the definition of the framed link, as a JavaScript module.

Run it with ``python -m loopline.web.wire_module``, which writes the file anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Final

from loopline.game import VARIANTS
from loopline.game.wire import ANSWERS, COMMANDS, CONTEXTS, Field, Message, area_and_flags, codes
from loopline.game.wire import framing as frames

__all__ = ["FILE", "wire_module"]

FILE: Final = Path(__file__).parent / "page" / "wire.js"

_HEAD: Final = """\
// The framed link: codes, fields of all messages, variants.
// Made by `python -m loopline.web.wire_module` from loopline.game.wire; not edited by hand.
"""
_NUMBERS: Final = {
    codes: ("PROTOCOL", "MAGIC", "MAX_PAYLOAD", "WIN_SCORE", "WIN_BOUND"),
    frames: ("END", "ESC", "ESC_END", "ESC_ESC", "FIRST_BIT", "SEQUENCES", "MAX_FRAME"),
}
_CODES: Final[tuple[type[IntEnum] | type[IntFlag], ...]] = (
    codes.Command,
    codes.ErrorCode,
    codes.TurnStatus,
    codes.Completed,
    codes.GameFlag,
    codes.RuleFlag,
    codes.Verdict,
    codes.Feature,
)


def wire_module() -> str:
    """Return the text of the module."""
    lines = [_HEAD]
    for module, names in _NUMBERS.items():
        lines += [f"export const {name} = {json.dumps(getattr(module, name))};" for name in names]
    lines.append("")
    for kind in _CODES:
        members = ", ".join(f"{member.name}: {member.value}" for member in kind)
        lines.append(f"export const {kind.__name__} = Object.freeze({{ {members} }});")
    lines += ["", "// A field: name, width in bytes, kind. `repeated` is [field, least, most]."]
    lines += _table("COMMANDS", {int(code): _message(each) for code, each in COMMANDS.items()})
    lines += _table("ANSWERS", {int(code): _message(each) for code, each in ANSWERS.items()})
    lines += ["// What a repeated command does: true if the device repeats its stored answer."]
    lines += _table("STORED", {int(code): context.stored for code, context in CONTEXTS.items()})
    lines += _table("VARIANTS", {name: _rules(name) for name in VARIANTS})
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(name: str, rows: Mapping[int, object] | Mapping[str, object]) -> list[str]:
    body = [f"  {key}: {json.dumps(value)}," for key, value in rows.items()]
    return [f"export const {name} = Object.freeze({{", *body, "});", ""]


def _message(message: Message) -> dict[str, object]:
    rest = message.repeated
    repeated = None if rest is None else [_field(rest), message.least, message.most]
    return {
        "name": message.name,
        "fields": [_field(field) for field in message.fields],
        "repeated": repeated,
    }


def _field(field: Field) -> list[object]:
    return [field.name, field.width, field.kind]


def _rules(name: str) -> dict[str, int]:
    area, rules = area_and_flags(VARIANTS[name])
    return {"area": area, "rules": int(rules)}


if __name__ == "__main__":
    FILE.write_text(wire_module(), encoding="utf-8")
