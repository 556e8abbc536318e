"""The game in software, as fast as one thread can be: what the gateware is compared with.

- ``tables``: the rules as look-ups;
- ``chain``: one turn's tiles on flat arrays;
- ``turns``: whole turns, judged or kept;
- ``software``: positions of the reference model, counted.
"""
