"""Programs on the PC: the command line ``loopline``, players, referee, and the board on show.

::

    cli ──► commands/*        one module per subcommand
              │   │
              │   ├──► referee    one game, clocks and faults included: played_game, clock
              │   │     └──► players/*   whoever makes the turns: a person, a search on this PC, or
              │   │           └──► link ──► lines ──► transport     a contest player, behind
              │   │                 ├── serial_line     a board's serial port
              │   │                 ├── simulated       the gateware on this PC
              │   │                 ├── process_line    a program
              │   │                 └── tcp_line        a connection
              │   ├──► matches/*  many games, and what they say about the players
              │   ├──► ugi        a player as an engine for tournament managers
              │   ├──► records, record_file     recorded games, judged by the model; kept
              │   ├──► board_text, board_ascii, words, terminal      what a person reads
              │   └──► board_svg, picture_png, picture_gif,          pictures, still and moving
              │        picture_animation
              └──► loopline.sim, loopline.boards          started as programs, never imported

Only ``loopline.game`` is imported from the rest of Loopline: a board sits behind a port.
"""
