"""Programs on the PC: the command line ``loopline``, devices, and the board in the terminal.

::

    cli ──► commands/*        one module per subcommand
              │   │
              │   ├──► match ──► link ──► serial port ──► a board
              │   │    (model as     └──► simulated ────► the gateware on this PC
              │   │     referee)
              │   ├──► records        recorded games, judged by the model
              │   ├──► board_text, board_ascii, words, terminal      what a person reads
              │   └──► board_svg, picture_png, picture_gif,          pictures, still and moving
              │        picture_animation
              └──► loopline.sim, loopline.boards          started as programs, never imported

Only ``loopline.game`` is imported from the rest of Loopline: whatever plays sits behind a port.
"""
