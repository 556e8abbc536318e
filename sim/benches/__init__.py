"""cocotb benches on the generated Verilog.

- ``runner``: builds a design for Verilator or Icarus, and runs a module of cocotb tests on it;
- ``pins``: the design's pins in such a test.
"""
