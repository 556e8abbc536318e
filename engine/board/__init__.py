"""The board: turns made and unmade on the gateware's own memories.

- ``tables``: the rules as look-up tables, made from the reference model;
- ``board``: the memories, and functions that make and unmake a turn in them;
- ``position``: a board in the terms of the reference model.
"""
