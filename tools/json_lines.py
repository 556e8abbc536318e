"""JSON files that a person can read and compare line by line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["json_lines"]


def json_lines(value: Mapping[str, Any]) -> str:
    """Return an object as JSON: a line for each member, or for each item of a list of rows."""

    def text(member: Any) -> str:
        if isinstance(member, list) and member and isinstance(member[0], (dict, list)):
            return "[\n  " + ",\n  ".join(map(json.dumps, member)) + "\n ]"
        return json.dumps(member)

    members = ",\n ".join(f"{json.dumps(name)}: {text(member)}" for name, member in value.items())
    return f"{{\n {members}\n}}\n"
