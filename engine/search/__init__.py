"""The search: iterative deepening of a state machine on a stack of frames.

- ``searcher``: takes limits, returns the best turn;
- ``root``: the turns of the root, and its iterations;
- ``search``: the state machine;
- ``lanes``: several of them, side by side;
- ``frames``: its memories, by the names of their fields;
- ``order``: lists placements and chooses the next one;
- ``hashing``: the transposition table.
"""
