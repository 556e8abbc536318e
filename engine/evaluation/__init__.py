"""The value of a position, and the attacks in it.

- ``scan``: finds the attacks of both sides in one pass over all tracks;
- ``classes``: the classes by which the evaluation weighs tracks and sockets;
- ``perimeter``: all sockets, in their order around the formation;
- ``weights``, ``weights.txt``: the weights of the classes;
- ``evaluation``: the sum of the weights.
"""
