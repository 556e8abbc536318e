"""The terminal, for people.

- ``screen``: games on the whole screen, with keys and mouse
- ``session``: games for an interface that must not wait; ``opponent``: the program in them
- ``terminal_game``: a game of people and programs, line by line
- ``take_back``: turns taken back, in both; ``adviser``: hints
- ``live``: a game between two players as it goes on
- ``progress``: how much of a long work is done
"""
