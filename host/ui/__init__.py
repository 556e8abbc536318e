"""The terminal.

- ``terminal``: what it can do;
- ``progress``: how long work goes on;
- ``scene``, ``live``: boards and sentences, one below the other; a game as it goes on;
- ``terminal_game``: a game of people and programs.
"""
