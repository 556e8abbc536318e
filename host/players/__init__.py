"""Players: a program, a board or a person that makes turns, behind one interface.

::

    spec: "sim", "greedy:7" ... ──► base: what every player can do
                                      ├── line_player   behind the contest link: a board, a program
                                      ├── device_player a device with limits, behind frames
                                      ├── software      random and greedy, on this PC
                                      └── person        a person at this terminal

``player_line`` lets a player of this PC speak the contest's lines, for other referees. ``analyst``
analyses positions on devices, and ``assessment`` says how good the turns of a game were.
``trial_board`` finds what turns complete, for ``software``; ``console`` reads what a person types.
"""
