"""Forced plays: four candidates go round a ring of four stages, one tile each. In their order:

- ``ring``: what the stages share;
- ``stage_read``, ``stage_pick``, ``stage_join``, ``stage_decide``: the stages, each with the record
  that it hands on;
- ``recirculate``: which token DECIDE hands to READ;
- ``write_back``: what DECIDE writes for a candidate's later tiles;
- ``chain``: all of these together, as :class:`~loopline.hdl.evaluator.chain.chain.Chain`.
"""
