"""``loopline report``: LUTs, flip-flops, RAMs and clock of the gateware's units alone.

::

    units ──► harness ──┐
                        ├──► measure: Yosys ──► nextpnr ──► unit_report ──► history
                parts ──┘

- ``units``: the units that can be built alone, by name;
- ``harness``: registers around units, so that they place on any part;
- ``parts``: parts, and how designs are synthesised and routed for each;
- ``measure``: one unit on one part; finished steps are saved and not done again;
- ``designs``: a whole design on its part, for ``loopline presets``;
- ``unit_report``: many units, several tools at a time, as a table and as JSON;
- ``history``: the saved figures, run by run, as a picture.
"""
