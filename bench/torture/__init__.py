"""Benches that try to break the design or the host.

- ``random_positions``: turns and resets at random, with ``random_session`` (one seed's work),
  ``checked_unit`` (a unit whose every command is compared with the rules) and ``torus``;
- ``mutations``: planted faults, and the tests that find them;
- ``soak``: games while cable, board and host fail, with ``soak_faults`` and ``soak_cable``;
- ``fuzz``: random input at the pins;
- ``inject``: upsets of single flip-flops;
- ``fuzz_host``: random input for the parsers of the host.
"""
