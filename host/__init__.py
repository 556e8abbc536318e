"""Programs on the PC: the command line ``loopline``, players, referee, and the board on show.

::

    cli ──► cli/commands      one module per subcommand
              │
              ├──► ui         a game in the terminal
              ├──► matches    many games, and what they say about the players; cluster shares them
              ├──► ugi        a player as an engine for tournament managers
              ├──► referee    one game, clocks and faults included
              │      └──► players     a person, a search on this PC, or
              │             └──► contest ──► transport      a contest player, behind a serial
              ├──► device ───────────────────► transport    port, a program, a connection
              ├──► records    recorded games, judged by the reference model; kept
              ├──► render     boards as text and as pictures, still and moving
              └──► loopline.sim, loopline.boards      started as programs, never imported

Only ``loopline.game`` is imported from the rest of Loopline: a board sits behind a port.
"""
