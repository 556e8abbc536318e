"""The player: sessions, whose turn it is, and a turn in time. In the order of the data:

- ``intake``: takes commands and requests, and holds them until they are done;
- ``history``: the turns of the game, to take some back;
- ``clock``: the time of a search;
- ``labels``: a turn as notation names it, and as the turn unit does (combinational);
- ``player``: all of these together, as :class:`Player`, with the states and the diagram.
"""

from loopline.hdl.player.player import Player

__all__ = ["Player"]
