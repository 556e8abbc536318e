"""The terminal, for people.

- ``terminal_game``: a game of people and programs
- ``live``: a game between two players as it goes on
- ``progress``: how much of a long work is done
"""
