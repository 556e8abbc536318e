"""Puzzles: positions in which the side to move wins by force.

- ``tactics``: the positions of ``tactics.txt``, with the number of turns until the win
- ``session``: puzzles in the terminal, answered by the engine
"""
