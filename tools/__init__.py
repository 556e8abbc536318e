"""Tools that every package may use; standard library only.

- ``arguments``: command lines: the parser of every program, the types of its arguments;
- ``cache``: finished builds, kept under the hash of all that went into them;
- ``compilers``: Yosys and a C++ compiler, wherever they are.
"""
