"""The rooms of the host import one way, in the order that the package's docstring lists."""

import ast
import re
from pathlib import Path

import loopline.host

HOST = Path(loopline.host.__file__).parent
ORDER = [
    room
    for line in (loopline.host.__doc__ or "").splitlines()
    if re.match(r"[0-9]+\. ", line)
    for room in re.findall(r"``(\w+)``", line)
]
PLACES = {room: place for place, room in enumerate(ORDER)}


def room_of(path: Path) -> str:
    return path.relative_to(HOST).parts[0].removesuffix(".py")


def test_every_room_has_a_place() -> None:
    rooms = {room_of(path) for path in HOST.rglob("*.py")}
    assert rooms == {*PLACES, "__init__", "__main__"}


def imported(node: ast.AST) -> list[str]:
    """The names of the modules that a statement imports, and of what it takes from them."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def test_imports_point_to_rooms_before() -> None:
    for path in HOST.rglob("*.py"):
        room = room_of(path)
        if room not in PLACES:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for name in imported(node):
                if name.startswith("loopline.host."):
                    other = name.split(".")[2]
                    before = PLACES[other] < PLACES[room]
                    assert before or other == room, f"{path} imports {name}"
