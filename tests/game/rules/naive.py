"""Trax once more, as plainly as the rules are written, sharing no code with ``loopline.game``.

A tile is a dictionary from the letter of a side to ``"w"`` or ``"r"``. Everything is worked out
anew from the tiles on the board whenever it is asked for. Slow, and meant to be.
"""

from __future__ import annotations

import random
import re

TURN = re.compile(r"(@|[A-Z]+)(\d+)([+/\\])")
SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
FACING = {"N": "S", "E": "W", "S": "N", "W": "E"}
WHITE_EDGES = {"+": ("NS", "EW"), "/": ("NW", "ES"), "\\": ("NE", "SW")}


class Illegal(Exception):
    """The turn may not be made; the argument is one word for the reason."""


def make_tile(white_edges: str) -> dict[str, str]:
    return {side: "w" if side in white_edges else "r" for side in SIDES}


def number_of(column: str) -> int:
    if column == "@":
        return 0
    return sum((ord(letter) - 64) * 26**i for i, letter in enumerate(reversed(column)))


def name_of(column: int) -> str:
    names: list[str] = ["@", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    names += [a + b for a in names[1:] for b in names[1:27]]
    return names[column]


class Game:
    """A board, and the colours that have completed a loop or a line after the last turn.

    ``size`` limits rows and columns, ``line`` is how long a line is, ``drawn`` says that the last
    player to move had no legal turn left, or that both completed something where this is a draw.
    """

    def __init__(
        self, size: int | None = None, line: int | None = 8, both_draw: bool = False
    ) -> None:
        self.rules = (size, line, both_draw)
        self.drawn = False
        self.board: dict[tuple[int, int], dict[str, str]] = {}
        self.turns = 0
        self.loops: set[str] = set()
        self.lines: set[str] = set()

    def limits(self) -> tuple[int, int, int, int]:
        xs = [x for x, _ in self.board]
        ys = [y for _, y in self.board]
        return min(xs), min(ys), max(xs), max(ys)

    def sockets(self, x: int, y: int) -> dict[str, str]:
        """What enters an empty space: side and colour."""
        return {
            side: self.board[x + dx, y + dy][FACING[side]]
            for side, (dx, dy) in SIDES.items()
            if (x + dx, y + dy) in self.board
        }

    def play(self, text: str, order: random.Random | None = None) -> set[tuple[int, int]]:
        """Make a turn, forced plays in any order; the spaces that were filled."""
        before = self.board
        try:
            filled = self._fill(text, order)
        except Illegal:
            self.board = before
            raise
        self.turns += 1
        self._judge()
        size, _, both_draw = self.rules
        if self.loops or self.lines:
            self.drawn = both_draw and len(self.loops | self.lines) == 2
        elif size is not None:
            self.drawn = not any(self.legal().values())
        return filled

    def _fill(self, text: str, order: random.Random | None) -> set[tuple[int, int]]:
        """Put all tiles of a turn on a copy of the board."""
        self.board = dict(self.board)
        filled = self._place(text)
        while forced := self._forced_spaces():
            space = order.choice(forced) if order else forced[0]
            entering = self.sockets(*space)
            colour = max("wr", key=list(entering.values()).count)
            pair = "".join(side for side in entering if entering[side] == colour)
            rest = "".join(side for side in SIDES if side not in pair)
            self.board[space] = make_tile(pair if colour == "w" else rest)
            filled.add(space)
        return filled

    def _place(self, text: str) -> set[tuple[int, int]]:
        if self.loops or self.lines or self.drawn:
            raise Illegal("over")
        column, row, shape = TURN.fullmatch(text).groups()  # type: ignore[union-attr]
        if not self.board:
            if text not in ("@0+", "@0/"):
                raise Illegal("first")
            self.board[0, 0] = make_tile(WHITE_EDGES[shape][0])
            return {(0, 0)}
        west, north, _, _ = self.limits()
        space = (number_of(column) + west - 1, int(row) + north - 1)
        if space in self.board:
            raise Illegal("occupied")
        entering = self.sockets(*space)
        if not entering:
            raise Illegal("not adjacent")
        size = self.rules[0]
        if size is not None:
            _, _, east, south = self.limits()
            if max(east, space[0]) - min(west, space[0]) >= size:
                raise Illegal("outside")
            if max(south, space[1]) - min(north, space[1]) >= size:
                raise Illegal("outside")
        for white_edges in WHITE_EDGES[shape]:
            tile = make_tile(white_edges)
            if all(tile[side] == colour for side, colour in entering.items()):
                self.board[space] = tile
                return {space}
        raise Illegal("mismatch")

    def _forced_spaces(self) -> list[tuple[int, int]]:
        """All spaces with two sockets of a colour; an illegal turn if one has three."""
        forced = []
        for x, y in self.frontier():
            colours = list(self.sockets(x, y).values())
            most = max(colours.count("w"), colours.count("r"))
            if most > 2:
                raise Illegal("forced")
            if most == 2:
                forced.append((x, y))
        return forced

    def frontier(self) -> list[tuple[int, int]]:
        around = {(x + dx, y + dy) for x, y in self.board for dx, dy in SIDES.values()}
        return sorted(around - set(self.board))

    def legal(self) -> dict[str, bool]:
        """Every placement that matches its neighbours, and whether it is legal."""
        if not self.board:
            return {"@0+": True, "@0/": True}
        if self.loops or self.lines or self.drawn:
            return {}
        west, north, _, _ = self.limits()
        answer = {}
        for x, y in self.frontier():
            for shape in "+/\\":
                text = f"{name_of(x - west + 1)}{y - north + 1}{shape}"
                reason = self.refusal(text)
                if reason in (None, "forced"):
                    answer[text] = reason is None
        return answer

    def refusal(self, text: str) -> str | None:
        """Why a turn may not be made; none if it may. The board stays as it is."""
        before = self.board
        try:
            self._fill(text, None)
        except Illegal as reason:
            return str(reason)
        finally:
            self.board = before
        return None

    def _judge(self) -> None:
        """Loops and lines, from the graph whose nodes are the edges' midpoints."""
        west, north, east, south = self.limits()
        for colour in "wr":
            links: dict[tuple[int, int], list[tuple[int, int]]] = {}
            for (x, y), tile in self.board.items():
                one, other = (
                    (2 * x + SIDES[side][0], 2 * y + SIDES[side][1])
                    for side in SIDES
                    if tile[side] == colour
                )
                links.setdefault(one, []).append(other)
                links.setdefault(other, []).append(one)
            while links:
                track = self._take_component(links)
                ends = sorted(node for node, degree in track.items() if degree == 1)
                if not ends:
                    self.loops.add(colour)
                    continue
                across = [x for x, _ in ends] == [2 * west - 1, 2 * east + 1]
                down = sorted(y for _, y in ends) == [2 * north - 1, 2 * south + 1]
                longest = max((east - west + 1) * across, (south - north + 1) * down)
                if self.rules[1] is not None and longest >= self.rules[1]:
                    self.lines.add(colour)

    @staticmethod
    def _take_component(
        links: dict[tuple[int, int], list[tuple[int, int]]],
    ) -> dict[tuple[int, int], int]:
        """Remove one connected part of the graph: its nodes with their degrees."""
        waiting = [next(iter(links))]
        component: dict[tuple[int, int], int] = {}
        while waiting:
            node = waiting.pop()
            if node in links:
                neighbours = links.pop(node)
                component[node] = len(neighbours)
                waiting += neighbours
        return component

    def perft(self, depth: int) -> int:
        legal = [text for text, allowed in self.legal().items() if allowed]
        if depth == 1:
            return len(legal)
        count = 0
        for text in legal:
            after = Game(*self.rules)
            after.board = self.board
            after.play(text)
            count += after.perft(depth - 1)
        return count
