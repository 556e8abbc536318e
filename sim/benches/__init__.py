"""cocotb benches on the generated Verilog, against the reference model; ``make sim`` runs them.

- ``runner``: builds a design for Verilator or Icarus, and runs a module of cocotb tests on it;
- ``settings``: what such a module is told, and what it counts;
- ``streams``: a component's streams; ``pins``: a whole design's pins;
- ``turn_unit``, ``evaluator``: the benches of the turn unit, without and with the evaluator;
- ``player``: the bench of the whole design, with ``opponent`` at the other end of the line.
"""
