"""The Universal Game Interface: UCI, as chess engines speak it, for all games of two players.

- ``ugi``: its commands;
- ``go``: what a search may take;
- ``reader``: what the manager says, read all the time;
- ``engine``: a player, brought to whatever position is asked for;
- ``game``: the game, put together from the positions that it is shown.
"""
