"""Programs that make data files of the engine and its benches.

- ``fit_evaluation``: the weights of the evaluation, from games of the engine against itself;
- ``find_tactics``: the positions with forced wins for ``loopline bench tactics``.
"""
