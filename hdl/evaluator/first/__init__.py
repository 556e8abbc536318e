"""First tiles: what the first tile of every candidate does by itself. In the order of the data:

- ``walk``: the walk along the frontier table;
- ``fetch``: what there is to know of a space, fetched ahead;
- ``neighbours``: a space's neighbours as its candidates see them;
- ``evaluate``: what the first tile of each of a space's candidates does;
- ``go_on``: where a candidate goes on whose first tile forces something;
- ``first``: all of these together, as :class:`~loopline.hdl.evaluator.first.first.First`.
"""
