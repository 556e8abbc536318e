"""One function and many tasks, done on this machine or on others.

- ``spread``: shares the tasks; does without Dask where one process is enough
- ``pool``: a Dask cluster as a pool of workers
- ``perft``: deep counts, cut into tasks
"""
