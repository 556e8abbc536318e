"""Benches that try to break something.

- ``random_positions``: turns and resets at random, with ``random_session`` (one seed's work),
  ``checked_unit`` (a unit whose every command is compared with the rules) and ``torus``;
- ``mutations``: planted faults, and what finds them; ``faults`` lists them;
- ``soak``: games while everything fails, with ``soak_faults`` and ``soak_cable``;
- ``fuzz``: anything at all through the pins;
- ``inject``: flip-flops that change by themselves;
- ``fuzz_host``: the parsers of the host.
"""
