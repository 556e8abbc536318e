"""The simulated board: a whole design behind a pseudo-terminal.

- ``board``: compiles the design together with ``board.cc``, a program of its own;
- ``serial.h``: the design, its clock, and the other ends of its serial line;
- ``reactor.cc``: the same as a WebAssembly module, for the page in ``web``;
- ``terminal.h``: pseudo-terminal, symbolic link, reasons to end;
- ``answers.h``: how long the board took to answer.

``python -m loopline.sim`` builds it and becomes it.
"""
