"""One game by the rules.

- ``referee``: the one loop through which every game runs;
- ``clock``: how long a player may take;
- ``played_game``: what is written down of a game.
"""
