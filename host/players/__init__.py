"""Players: whoever makes the turns of a game, behind one interface.

::

    spec: "sim", "greedy:7" ... ──► base: what every player can do
                                      ├── line_player   behind the contest link: a board, a program
                                      ├── software      random, greedy and reference, on this PC
                                      └── loopline.host.players.person     somebody at this terminal
"""
