"""The gateware on the PC: the simulated board, and components that run at native speed.

::

    native.py ─► design ─► RTLIL ─► CXXRTL ─► C++ compiler ─► cached program or library
       │
       ├── board/         a whole design behind a pseudo-terminal; python -m loopline.sim
       ├── probe/         a component's streams, or a design's pins, driven from Python
       ├── activity.py    of a cycle, only what may have changed
       ├── switches.py    the switches on one signal, joined
       ├── model.h        one clock cycle of a CXXRTL model
       └── line.h         the serial line's bit timing, both ways

    benches/    design ─► Verilog ─► Verilator or Icarus ─► cocotb tests
    waves/      design ─► Amaranth's simulator ─► timing diagrams
"""
