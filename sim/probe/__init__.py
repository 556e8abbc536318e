"""Components at native speed, driven from Python.

- ``probe``, ``probe.cc``: a component's command and outcome streams;
- ``packing``: their payloads as integers;
- ``turn_unit``: the turn unit with the operations of the reference model;
- ``evaluator``: its candidate evaluator, and what its cycles went to;
- ``lane``: a lane of the search with its turn unit;
- ``image``: what its memories say of the position;
- ``pins``, ``pins.cc``: a whole design's pins, and which states it reaches.
"""
