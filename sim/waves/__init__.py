"""Waveforms and timing diagrams of the turn unit, from Amaranth's simulator.

::

    turns ───┐                                             ┌──► turns: a VCD file
             ├──► turn_unit: commands ──► trace: signals ──┤
    timing ──┘                                             └──► timing_rows ──► wavejson, wavesvg

- ``turn_unit``: runs commands on the turn unit;
- ``trace``: what each signal was in each cycle;
- ``turns``: ``python -m loopline.sim.waves.turns``, a waveform of some turns;
- ``timing``: ``python -m loopline.sim.waves.timing``, the diagrams of the documentation;
- ``timing_rows``: which signals they show, row by row;
- ``wavejson``: a diagram as WaveDrom describes it;
- ``wavesvg``: a diagram as a picture.
"""
