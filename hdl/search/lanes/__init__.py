"""What several lanes have in common; docs/search.md, "Several lanes", is the specification.

The engine searches so (``loopline.engine.search.lanes``). A design still has one lane, which needs
none of these.

- ``turnstile``: which lane may use it: the one whose clock is behind all others;
- ``nodes``: the nodes that they share, and who helps whom;
- ``shared_table``: their one transposition table, in the order of their clocks.
"""
