"""The rooms of the host import one way, in the order that the package's docstring lists."""

import ast
import re
from pathlib import Path

import loopline.host

HOST = Path(loopline.host.__file__).parent
ORDER = [
    re.findall(r"``(\w+)``", line)
    for line in (loopline.host.__doc__ or "").splitlines()
    if re.match(r"[0-9]+\. ", line)
]
PLACES = {room: place for place, rooms in enumerate(ORDER) for room in rooms}


def room_of(path: Path) -> str:
    return path.relative_to(HOST).parts[0].removesuffix(".py")


def test_every_room_has_a_place() -> None:
    rooms = {room_of(path) for path in HOST.rglob("*.py")}
    assert rooms == {*PLACES, "__init__", "__main__"}


def test_imports_point_to_rooms_before() -> None:
    for path in HOST.rglob("*/*.py"):
        place = PLACES[room_of(path)]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if name.startswith("loopline.host."):
                other = name.split(".")[2]
                assert PLACES[other] < place or other == room_of(path), f"{path} imports {name}"
