"""Tools that every package may use; standard library only.

- ``arguments``: command lines: the parser of every program, the types of its arguments;
- ``cache``: builds, by the hash of all that they depend on;
- ``compilers``: Yosys and a C++ compiler;
- ``extras``: which libraries are installed, and what to do where one is missing;
- ``sources``: the commit of these sources.
"""
