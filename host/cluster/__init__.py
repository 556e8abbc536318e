"""Work that is shared: one function, many tasks, on this machine or on others.

- ``spread``: what shares it;
- ``pool``: a Dask cluster at work;
- ``worker``: what Dask does first in each process;
- ``perft``: deep counts, cut into tasks.
"""
