"""The simulated board: a whole design behind a pseudo-terminal.

- ``board``: compiles the design together with ``board.cc``, a program of its own;
- ``terminal.h``: pseudo-terminal, symbolic link, reasons to end;
- ``answers.h``: how long the board took to answer.

``python -m loopline.sim`` builds it and becomes it.
"""
