"""The evaluation of a position, in gateware.

- ``ring_finder``, ``perimeter_walk``: the windows along the perimeter;
- ``track_weigher``, ``perimeter_weigher``: the weights of tracks, and of windows;
- ``classes``, ``weights``, ``weights.txt``: what they weigh by, and the engine as well.

:mod:`loopline.hdl.search.scan` adds them up.
"""
