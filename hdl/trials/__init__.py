"""Trials: every candidate turn of a position judged, without making one. In the order of the data:

- ``types``: what the parts tell each other;
- ``sides``: sides by number and by mask;
- ``first``: first tiles, as :class:`~loopline.hdl.trials.first.First`:

  - ``first_walk``: the walk along the frontier table;
  - ``first_fetch``: what there is to know of a space, fetched ahead;
  - ``neighbours``: the cells around it as its candidates see them;
  - ``first_judge``: its candidates, one after another;
  - ``first_go_on``: where those go on whose first tile forces something;

- ``chain``: the forced plays of four trials, as :class:`~loopline.hdl.trials.chain.Chain`, with the
  diagram:

  - ``ring``: what the stages share;
  - ``stage_read``, ``stage_pick``, ``stage_join``, ``stage_decide``: one module for each stage, and
    what it tells those that follow;
  - ``go_round``: which token DECIDE hands to READ;
  - ``remember``: what DECIDE writes down;

- the parts of the ring:

  - ``surroundings``: a token's open sides (combinational);
  - ``exits``: where the box ends, and which tracks leave it (combinational);
  - ``overlay``: cells as a trial has changed them;
  - ``names``: tracks that end at a trial's tiles;
  - ``unions``: tracks that a trial has joined;
  - ``lane``, ``onward``: what new sockets do to spaces, and which is next (combinational);
  - ``epochs``: whose rows of these memories are whose, and when they are wiped;
  - ``equal``: a comparison that is late;

- ``slow``: a trial that is made and taken back after all;
- ``unit``: all of these but ``slow`` together, as :class:`~loopline.hdl.trials.unit.Trials`, behind
  a stream of outcomes.
"""
