"""First tiles: what the first tile of every candidate does by itself. In the order of the data:

- ``neighbours``: a space's neighbours as its candidates see them;
- ``fetch``: the stage FETCH, which reads a space's neighbours and tracks ahead;
- ``evaluate``: the stage EVALUATE, which evaluates the first tile of one candidate after another;
- ``enter_chain``: the token of a candidate that enters the chain;
- ``first``: all of these behind the stage WALK, which goes along the frontier table, as
  :class:`~loopline.hdl.evaluator.first.first.FirstTiles`.
"""
