"""The board: turns made and unmade on the gateware's own memories.

- ``tables``: the rules as look-ups, made from the reference model's;
- ``board``: the memories, and what makes and unmakes a turn in them;
- ``position``: a board in the reference model's terms.
"""
