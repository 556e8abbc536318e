"""Fuzz the whole design through its pins.

- ``events``: events on the serial line;
- ``recipes``: random and mutated events;
- ``campaign``: the fuzzing loop: bursts that reach new states are kept and mutated;
- ``check``: whether the board works after a burst;
- ``shrink``: reduces a failure to few events;
- ``fuzz``: ``loopline bench fuzz``.
"""
