"""The player: sessions, whose turn it is, and a turn in time. In the order of the data:

- ``orders``: what commands and requests ask for, until it is done;
- ``game``: what all states share: the steps, the game, and the clock;
- ``sessions``: the states in which a game begins, and the turn unit is lent;
- ``labels``: a turn as notation names it, and as the turn unit does (combinational);
- ``turns``: the states of a turn: the opponent's, the own, and whether it ends the game;
- ``history``: the turns of the game, and the states that take some of them back;
- ``player``: all of these together, as :class:`Player`, with the diagram.
"""

from loopline.hdl.player.player import Player

__all__ = ["Player"]
