"""One game by the rules.

- ``referee``: the one loop through which every game runs
- ``played_game``: a finished game, as a record and as JSON
- ``live_record``: the record of the game in play, in a file
"""
