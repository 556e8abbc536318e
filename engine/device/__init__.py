"""The engine as a device: contest lines and frames in, answers out, as of a board.

::

    bytes ──► FrameReader ─┬─ line ──► device ──► game       the rules: both protocols share a game
                           │             │
                           └─ frame ─► link      └──► search   loaded when it is first needed

- ``device``: obeys lines and commands, and attends to them while it searches;
- ``link``: sequence numbers, repeated answers, damage, counters;
- ``game``: the game, and its answers to commands;
- ``self_test``: what ``SELF_TEST`` tests.

``docs/link.md`` specifies all of it.
"""
