"""Search: finds a turn in the position that the turn unit holds.

One searcher so far, :class:`~loopline.hdl.search.lookahead.LookAhead`: all turns, all replies. In
the order of the data:

- ``types``: what it is asked, and what it answers;
- ``steps``: what all its states share: the steps, the job, and the choice among own turns;
- ``tries``: the states that try turns;
- ``ranking``: what an own turn is worth, and the states that keep the best one;
- ``lookahead``: all of these together, with the diagram.
"""
