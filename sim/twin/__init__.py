"""The twin: the search of the gateware in software, with the same order of everything.

::

    lines ──► __main__, options, session ──► searcher ──► turn, score, variation
                                                │
      config, frames: every width and memory    ├── root: its turns, iterations
                                                └── search: the state machine
                                                      ├── scan: attacks, evaluation ◄── classes,
                                                      ├── order: list, choose             weights
                                                      ├── hashing: the table
                                                      └── board: turns made, taken back ◄── tables

    position: the board in the model's terms      jit: how all of it is compiled

Everything below ``searcher`` is integers in arrays, in the order that ``docs/search.md`` specifies.
"""
