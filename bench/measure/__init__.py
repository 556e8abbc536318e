"""Benches that measure: cycles, bytes per second, nodes per second, forced wins, games.

- ``core``: every candidate of games, with ``candidates`` (gateware and rules compared), and
  ``core_report`` (figures as a text and as JSON);
- ``count``: legal turns counted by evaluator, turn unit and engine;
- ``turn_unit``: turns made and unmade, and perft;
- ``games``, ``link``: whole games over the serial port; round trips of the framed link;
- ``lane``: the search in gateware, compared with the engine;
- ``search``, ``tactics``: the engine's nodes and speed; the forced wins that it finds;
- ``lanes``: several lanes of the engine against one;
- ``presets``: what each preset takes of its FPGA, and how fast it searches.
"""
