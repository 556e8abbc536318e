"""The candidate evaluator: every candidate of a position judged, without making one.

In the order of the data:

- ``types``: what the parts tell each other;
- ``sides``: sides by number and by mask;
- ``first``: first tiles, as :class:`~loopline.hdl.evaluator.first.first.First`;
- ``chain``: the forced plays of four candidates, as
  :class:`~loopline.hdl.evaluator.chain.chain.Chain`, with the diagram;
- the parts of the ring:

  - ``neighbourhood``: a token's open sides (combinational);
  - ``exits``: where the box ends, and which tracks leave it (combinational);
  - ``overlay``: cells as a candidate has changed them;
  - ``track_ids``: tracks that end at a candidate's tiles;
  - ``union_find``: tracks that a candidate has joined;
  - ``lane``, ``next_space``: what new sockets do to spaces, and which is next (combinational);
  - ``epochs``: whose rows of these memories are whose, and when they are wiped;
  - ``equal``: a comparison that is late;

- ``slow``: a candidate that is made and unmade after all;
- ``unit``: all of these but ``slow`` together, as
  :class:`~loopline.hdl.evaluator.unit.CandidateEvaluator`, behind a stream of outcomes.
"""
