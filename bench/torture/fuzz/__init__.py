"""The whole design fuzzed through its pins.

- ``events``: what a fuzzer does to a serial line;
- ``recipes``: where that comes from;
- ``campaign``: what of it is kept, and goes on from;
- ``check``: whether the board is well after it;
- ``shrink``: the least of it that makes a board fail;
- ``fuzz``: ``loopline bench fuzz``.
"""
