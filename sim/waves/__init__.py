"""Waveforms and timing diagrams from Amaranth's simulator.

::

    turns ───┬──► design: contest lines ──┐
             ├──► turn_unit: commands ────┼──► trace: signals ──┬──► turns: a VCD file
    timing ──┴──► lane: a search ─────────┘                     └──► *_rows: diagrams

- ``turn_unit``: runs commands on the turn unit;
- ``lane``: searches some nodes;
- ``design``: sends lines to the pins of the whole design;
- ``trace``: what each signal was in each cycle;
- ``turns``: ``loopline trace``, a waveform of some turns;
- ``views``: the signals that a viewer shows of it at first;
- ``timing``: ``python -m loopline.sim.waves.timing``, the diagrams of the documentation;
- ``timing_rows``, ``lane_rows``: which signals they show, row by row;
- ``wavejson``: a diagram as WaveDrom describes it;
- ``wavesvg``: a diagram as a picture.
"""
