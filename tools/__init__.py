"""What builds: the cache of finished builds, and the programs that turn a design into one that runs.

- ``cache``: finished builds, kept under the hash of all that went into them;
- ``compilers``: Yosys and a C++ compiler, wherever they are.
"""
