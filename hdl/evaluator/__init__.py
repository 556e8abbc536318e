"""The candidate evaluator: evaluates every candidate of a position without making one.

A *candidate* is a tile in a frontier space. Its evaluation says whether the turn is legal, how many
tiles it lays, and which loops and lines it completes. In the order of the data:

- ``types``: the records that the parts hand on;
- ``sides``: sides by number and by mask (combinational);
- ``first``: what the first tile of every candidate does, as
  :class:`~loopline.hdl.evaluator.first.first.FirstTiles`;
- ``chain``: the forced plays of four candidates at a time, as
  :class:`~loopline.hdl.evaluator.chain.chain.Chain`, with the diagram of its stages;
- what the stages of the chain use:

  - ``neighbourhood``: the open sides of a forced tile (combinational);
  - ``exits``: where the box ends, and which tracks leave it (combinational);
  - ``overlay``: the sockets that candidates have added;
  - ``track_ids``: the tracks that end at a candidate's tiles;
  - ``union_find``: the tracks that a candidate has joined;
  - ``lane``, ``next_space``: what a new socket does to a space, and which space is filled next
    (combinational);
  - ``epochs``: which candidate the rows of these memories belong to, and when they are wiped;

- ``slow``: the slow path, for candidates that have to be made and unmade after all;
- ``unit``: all of these but ``slow``, as
  :class:`~loopline.hdl.evaluator.unit.CandidateEvaluator`.
"""
