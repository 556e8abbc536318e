"""The gateware on the PC: the simulated board, and benches that run at native speed.

::

    native.py   component ─► RTLIL ─► CXXRTL ─► C++ compiler ─► cached program or library
       │
       ├── board.py, board.cc    a whole design behind a pseudo-terminal; python -m loopline.sim
       │      line.h             the serial line's bit timing, both ways
       │      terminal.h         pseudo-terminal, symbolic link, signals
       │      answers.h          how long the board took to answer
       ├── probe.py, probe.cc    a component's command and outcome streams, from Python
       │      packing.py         its payloads as integers
       └── model.h               one clock cycle of a CXXRTL model
"""

from .board import build

__all__ = ["build"]
