"""``loopline report``: LUTs, flip-flops, RAMs and clock of the gateware's units alone.

::

    units ──► harness ──┐
                        ├──► measure: Yosys ──► nextpnr ──► unit_report ──► history
             families ──┘

- ``units``: the units that can be built alone, by name;
- ``harness``: registers around units, so that they place on any part;
- ``families``: the families of FPGAs, and how each is synthesised and routed for;
- ``measure``: one unit on one family; finished steps are saved and not done again;
- ``designs``: a whole design on its part, for ``loopline presets``;
- ``unit_report``: many units, several tools at a time, as a table and as JSON;
- ``history``: the saved figures, run by run, as a picture.
"""
