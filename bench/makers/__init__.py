"""Programs that make what others read.

- ``fit_evaluation``: the weights of the search, from games of its own;
- ``find_tactics``: the forced wins that ``loopline bench tactics`` looks for.
"""
