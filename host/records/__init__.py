"""Recorded games.

- ``checked_games``: recorded games, checked against the rules
- ``record_file``: a file to which records are added, and files that are read
- ``saved_game``: a game that a person saves while it goes on
"""
