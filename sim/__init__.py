"""The gateware on the PC: the simulated board, and benches that run at native speed.

::

    native.py   design ─► RTLIL ─► CXXRTL ─► C++ compiler ─► cached program or library
       │
       ├── board.py, board.cc    a whole design behind a pseudo-terminal; python -m loopline.sim
       │      line.h             the serial line's bit timing, both ways
       │      terminal.h         pseudo-terminal, symbolic link, reasons to end
       │      answers.h          how long the board took to answer
       ├── probe.py, probe.cc    a component's command and outcome streams, from Python
       │      packing.py         its payloads as integers
       │      turn_unit.py       the turn unit with the operations of the model
       │      trials.py          its trials, and what their cycles went to
       │      image.py           what its memories say of the position
       ├── fuzz.py, fuzz.cc      a whole design's pins, and which states it reaches, from Python
       ├── activity.py           of a cycle, only what may have changed
       └── model.h               one clock cycle of a CXXRTL model

    bench.py    design ─► Verilog ─► Verilator or Icarus ─► cocotb tests
       └── pins.py               the design's pins in such a test

    trace.py    design ─► Amaranth's simulator ─► what each signal was in each cycle
       └── timing.py             timing diagrams of the turn unit; python -m loopline.sim.timing
              timing_rows.py     what they show of its signals
              wavejson.py        as WaveDrom describes it
              wavesvg.py         as pictures

    tools.py, cache.py           Yosys and the compiler; what has been built before
"""

from loopline.sim.board import build

__all__ = ["build"]
