"""One function and many tasks, done on this machine or on others.

- ``spread``: shares the tasks
- ``pool``: a Dask cluster as a pool of workers
- ``worker``: what Dask does first in each process
- ``perft``: deep counts, cut into tasks
"""
