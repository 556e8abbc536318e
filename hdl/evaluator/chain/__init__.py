"""Forced plays: four candidates go round a ring of four stages, a tile each. In their order:

- ``ring``: what the stages share;
- ``stage_read``, ``stage_pick``, ``stage_join``, ``stage_decide``: the stages;
- ``recirculate``: which token goes round next;
- ``write_back``: what DECIDE writes down for a candidate's next tiles;
- ``chain``: all of these together, as :class:`~loopline.hdl.evaluator.chain.chain.Chain`.
"""
