"""What a position is worth, and who attacks.

- ``scan``: all tracks looked at once: the attacks of both sides;
- ``classes``: the classes by which the evaluation weighs tracks;
- ``perimeter``: all sockets in the order in which one comes by them;
- ``weights``, ``weights.txt``: the weights;
- ``evaluation``: the sum of them.
"""
