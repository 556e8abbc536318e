"""The engine: the search of the gateware in software, with the same order of everything.

::

    lines ──► __main__, options, session ──► search ──► turn, score, variation
                                               │
                        evaluation ◄───────────┼──────────► board
                        attacks, weights       │            turns made and unmade
                                               └──────────► proof
                                                            forced wins

- ``jit``: how all of it is compiled;
- ``board``: the turn unit's memories in software;
- ``evaluation``: attacks, and what a position is worth;
- ``search``: the state machine, its root, its order and its table;
- ``proof``: forced wins by attacks alone;
- ``session``, ``analyst``: who asks, by lines of the contest or by JSON.

Everything below ``search.searcher`` is integers in arrays, in the order that ``docs/search.md``
specifies. Its numbers are in ``hdl/search/config.py``.
"""
