"""The Universal Game Interface: UCI, as chess engines speak it, for all games of two players.

- ``reader``: what the manager says, read all the time
- ``ugi``: the commands, and the record of the game
- ``player``: the limits of ``go``, and a player that searches any position
"""
