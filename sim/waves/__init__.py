"""Timing diagrams of the turn unit, from simulations; ``python -m loopline.sim.waves.timing``.

- ``trace``: what each signal was in each cycle;
- ``timing``: the diagrams;
- ``timing_rows``: what they show of the signals, row by row;
- ``wavejson``: a diagram as WaveDrom describes it;
- ``wavesvg``: and as a picture.
"""
