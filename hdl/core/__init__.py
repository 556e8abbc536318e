"""The turn unit: position, turns, forced plays, loops and lines. In the order of the data:

- ``types``: encodings of commands, outcomes and memory words;
- ``rules``: what differs from variant to variant;
- ``tile``: which tile fits, what it does to its neighbours (combinational);
- ``memory``: memories outside of the units that use them, shared by two or not;
- ``bank``, ``cells``: the map of the torus, in four banks;
- ``spaces``: the frontier table and its free entries;
- ``box``: the bounding box, what follows from it, and on which side an end leaves it;
- ``forced``: the queue of spaces that must be filled;
- ``joiner``: the tracks of both colours by their ends; loops and lines;
- ``around``: the pairs of ends that a tile connects;
- ``journal``, ``undo``: the way back;
- ``turn``: what the states of the turn sequencer share;
- ``jobs``, ``making``, ``serving``, ``taking_back``: its states, from a job to its result;
- ``placer``: the turn sequencer, with the ways between its states;
- ``moves``: candidates, one by one;
- ``score``: the evaluation;
- ``parts``: what all these tell each other;
- ``reads``, ``tries``: the commands for which several of them work together, ``READ`` and
  ``EVALUATE``;
- ``unit``: all of these together, as :class:`~loopline.hdl.core.unit.TurnUnit`, with the diagram;
- ``client``: what each user of it needs: an operation, its outcome, and two states.
"""
