"""The rules in software, compiled by numba: the speed of one thread, to compare the gateware with.

- ``tables``: the rules as look-ups;
- ``chain``: one turn's tiles on flat arrays;
- ``turns``: whole turns, evaluated or made;
- ``software``: a position made of these.
"""
