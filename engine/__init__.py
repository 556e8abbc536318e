"""The engine: the gateware's search in software, bit for bit, with its evaluation and its order.

::

    lines, frames ──► __main__, device ──► search ──► turn, score, variation
                                             │
                      evaluation ◄───────────┼──────────► board
                      attacks, weights       │            makes and unmakes turns
                                             └──────────► solver
                                                          forced wins by attacks

- ``device``: contest lines and frames, as a board answers them;
- ``options``: the limits and settings of a search;
- ``search``: the state machine, its root, its move order, its transposition table;
- ``evaluation``: attacks by pattern, and the value of a position;
- ``solver``: a df-pn solver of forced wins;
- ``board``: the turn unit's memories in software;
- ``jit``: how all of this is compiled.

Below ``search.searcher`` everything is integers in arrays, in the order that ``docs/search.md``
specifies. The search's constants are in ``hdl/search/config.py``.
"""
