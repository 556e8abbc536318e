"""The turn unit: position, turns, forced plays, loops and lines. In the order of the data:

- ``types``: the encodings of commands, outcomes and memory words;
- ``rules``: what differs from variant to variant;
- ``tile``: which tile fits a space, and what it does to its neighbours (combinational);
- ``memory``: memories outside the units that use them, for one requester or for two;
- ``bank``, ``cells``: the map of the torus, in four banks;
- ``spaces``: the frontier table and its free entries;
- ``box``: the bounding box, what follows from it, and the sides on which a track's end leaves it;
- ``forced``: the queue of spaces that must be filled;
- ``joiner``: the tracks of both colours by their ends; loops and lines;
- ``journal``: what it takes to unmake turns;
- ``placer``: the state machine that makes and unmakes turns;
- ``moves``: the candidates, one by one;
- ``unit``: all of these together, as :class:`~loopline.hdl.core.unit.TurnUnit`, with the diagram;
- ``client``: two states and their registers for a state machine that uses the turn unit.
"""
