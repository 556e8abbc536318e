"""Programs on the PC: the command line ``loopline``, players, referee, and drawings of boards.

::

    cli ──► cli/commands      the subcommands
              │
              ├──► ui         a game in the terminal, whole screen or lines; progress of long work
              ├──► puzzles    positions to be won, asked in the terminal
              ├──► matches    many games, and what they say about the players; cluster shares them
              ├──► ugi        a player as an engine for tournament managers
              ├──► referee    one game, clocks and faults included
              │      └──► players     a person, a player of this program, or
              │             ├──► contest ──► transport      a contest player, behind a serial
              │             └──► device ───► transport      port, a program, a connection
              ├──► records    recorded games, checked against the rules; files of games
              ├──► pages      analyses as HTML
              ├──► serve      devices for browsers
              ├──► render     boards as text and as pictures, still and moving
              └──► loopline.sim, boards, web      started as programs, never imported

From the rest of Loopline only ``loopline.game`` and ``loopline.tools`` are imported: a board sits
behind a port.

Imports between the rooms point one way: each imports only from those before it in this list.

1. ``errors``, ``clock``, ``whole_file``: modules that every room may use
2. ``render``
3. ``records``
4. ``transport``
5. ``contest``
6. ``device``
7. ``players``
8. ``pages``
9. ``referee``
10. ``ui``
11. ``puzzles``
12. ``cluster``
13. ``matches``
14. ``ugi``
15. ``serve``
16. ``cli``
"""
