"""Search: finds a turn in the position that the turn unit holds.

One searcher so far, :class:`~loopline.hdl.search.lookahead.LookAhead`: all turns, all replies.
"""
