"""The engine and the host's ``Device`` behind the interface that the gateware's driver has."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import asdict
from typing import Any

from loopline.game import Colour, Variant
from loopline.game.tracks import LINE_LENGTH
from loopline.game.wire import Command, Frame, FrameReader, RuleFlag, TurnStatus
from loopline.host.device import Device, RefusedError
from tests.hdl.frames.pins_driver import FramesHost

__all__ = ["EngineLink", "HostLink"]

Answers = list[tuple[str, dict[str, Any]]]


class EngineLink(FramesHost):
    """The engine as a program, spoken to by frames."""

    largest = 62

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "loopline.engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._reader = FrameReader()
        self._frames: list[Frame] = []

    def send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)

    def frame(self) -> Frame:
        assert self._process.stdout is not None
        while not self._frames:
            data = os.read(self._process.stdout.fileno(), 4096)
            assert data, "the engine has ended"
            for event in self._reader.feed(data):
                assert isinstance(event, Frame)
                self._frames.append(event)
        return self._frames.pop(0)

    def restart(self) -> None:
        self.do(Command.RESET)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()


class HostLink:
    """A device behind the host's ``Device``: each command by the method that sends it."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.largest = device.identity.largest

    def ask(self, command: Command, **values: Any) -> Answers:
        try:
            return self._answers(command, **values)
        except RefusedError as error:
            return [("ERROR", {"error": error.code, "command": error.command})]

    def answers(self, asked: Answers, _command: Command) -> Answers:
        return asked

    def do(self, command: Command, **values: Any) -> dict[str, Any]:
        [(name, found)] = self.ask(command, **values)
        return {"answer": name, **found}

    def restart(self) -> None:
        self.device.reset()

    def _answers(self, command: Command, **values: Any) -> Answers:
        device = self.device
        match command:
            case Command.NEW_GAME:
                variant = _variant(values["area"], RuleFlag(values["rules"]))
                return [("GAME", asdict(device.new_game(variant, values["turns"])))]
            case Command.PLAY:
                return [("GAME", asdict(device.play(*values["turns"])))]
            case Command.TAKE_BACK:
                return [("GAME", asdict(device.take_back(values["count"])))]
            case Command.LIST:
                found = [_fields(candidate) for candidate in device.candidates()]
                legal = sum(each["status"] is TurnStatus.LEGAL for each in found)
                assert legal == len(set(device.legal_turns()))
                last = {"candidates": len(found), "legal": legal}
                return [*(("CANDIDATE", each) for each in found), ("CANDIDATES", last)]
            case Command.COUNT:
                return [("COUNTED", _fields(device.count(values["depth"])))]
            case Command.POSITION:
                return self._position()
            case Command.SEARCH:
                found = device.search(values["depth"], values["nodes"] or None)
                return [("BEST", {**_fields(found)})]
            case Command.SELF_TEST:
                tested = _fields(device.self_test())
                assert device.turns == ()
                return [("TESTED", tested)]
            case Command.RESET:
                device.reset()
                assert device.turns == ()
                return [("RESET", {})]
        raise AssertionError(command)

    def _position(self) -> Answers:
        """Return the position that the device's class has put together, as messages again."""
        held = self.device.position()
        rows = []
        for row in range(1, held.rows + 1):
            cells = []
            for column in range(1, held.columns + 1):
                tile = held.tiles.get((column, row))
                edges = tile and tile.edges(Colour.WHITE) << 4 | tile.edges(Colour.RED)
                cells.append(edges or held.sockets.get((column, row), 0))
            rows.append(("ROW", {"row": row, "cells": cells}))
        spaces = []
        for (column, row), sockets in held.sockets.items():
            values = {"column": column, "row": row, "sockets": sockets}
            for colour in Colour:
                end = held.ends.get(((column, row), colour), (0xFF, 0xFF))
                name = colour.name.lower()
                values[f"{name}_column"], values[f"{name}_row"] = end
            spaces.append(("SPACE", values))
        total = {name: getattr(held, name) for name in ("state", "turns", "area", "rules")}
        total |= {"columns": held.columns, "rows": held.rows}
        total |= {"tiles": len(held.tiles), "spaces": len(held.sockets)}
        return [*rows, *spaces, ("POSITION", total)]


def _fields(answer: Any) -> dict[str, Any]:
    """Return the fields of an answer; a turn is a tuple, which ``asdict`` would copy."""
    return {name: getattr(answer, name) for name in answer.__slots__}


def _variant(area: int, rules: RuleFlag) -> Variant:
    return Variant(
        "case",
        size=area or None,
        line_length=LINE_LENGTH if RuleFlag.LINES in rules else None,
        both="draw" if RuleFlag.BOTH_DRAW in rules else "mover",
    )
