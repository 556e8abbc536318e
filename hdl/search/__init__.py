"""Search: finds a turn in the position that the turn unit holds.

The engine (``loopline.engine``) is the same search in software; each unit here returns what the
engine's functions return.

- ``config``: every choice in the search, and the widths of what it stores;
- ``scores``: scores in fewer bits than the engine's;
- ``types``: jobs, limits and results of a lane; moves and rectangles around turns;
- ``lane``: a whole search, with the diagram;
- ``scan``: what a node says about its position, with the diagram;
- ``track_scan``: the attacks of both sides;
- ``evaluation``: the weights of tracks, and of the sockets along the perimeter;
- ``placement_walk``: the placements of a node, one after the other, best stages first;
- ``killers``: the turns that were the last to be good at each ply;
- ``span``: the rectangle around the tiles of a turn;
- ``root_list``: the turns of the root, sorted;
- ``hash``, ``hashing``: the hash of a position, and its constants;
- ``stack``: the frames of the nodes above the present one;
- ``table``: the transposition table, and a memory for it;
- ``variation``: the best turns from each ply on;
- ``lanes``: what several lanes have in common.
"""
