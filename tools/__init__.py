"""What builds: the cache of finished builds, and the programs that they are made by.

- ``cache``: finished builds, kept under the hash of all that went into them;
- ``compilers``: Yosys and a C++ compiler, wherever they are.
"""
