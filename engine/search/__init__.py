"""The search: iterations, a state machine on a stack of frames, and what orders its turns.

- ``searcher``: limits in, the best turn out;
- ``root``: the root's turns, and its iterations;
- ``search``: the state machine;
- ``frames``: its memories, by the names of their fields;
- ``order``: placements listed and chosen;
- ``hashing``: the transposition table.
"""
