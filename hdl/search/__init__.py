"""Search: finds a turn in the position that the turn unit holds.

The design has the :class:`~loopline.hdl.search.lookahead.LookAhead` of two turns. The engine
(``loopline.engine``) is a deeper search in software.

- ``config``: every choice in the engine's search, and the widths of what it stores;
- ``types``: jobs and answers of the look-ahead; moves and rectangles of the engine's search;
- ``lookahead``: the look-ahead, with the diagram.

The engine's search in gateware is the :class:`~loopline.hdl.search.lane.Lane`, with the diagram.
It consists of these units, which return what the engine's functions return:

- ``lane``: the state machine, from job to answer;
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
- ``variation``: the best turns from each ply on.
"""
