"""Several lanes that search one position together; docs/search.md, "Several lanes", is the
specification, and ``loopline.engine.search.lanes`` finds the same.

- ``crew``: all of them, as one lane;
- ``member``: one of them, a lane with what it does for others;
- ``turnstile``: which lane may use what they have in common: the one whose clock is behind;
- ``nodes``: the nodes that they share, and who helps whom;
- ``dooms``: what a lane has to give up, and when;
- ``shared_table``: their one transposition table, in the order of their clocks;
- ``units``: their turn units, which all others use as one.
"""
