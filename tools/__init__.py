"""Tools that every package may use; standard library only.

- ``arguments``: command lines: the parser of every program, the types of its arguments;
- ``cache``: builds, by the hash of all that they depend on;
- ``collector``: the garbage collector, paused while a design is converted;
- ``compilers``: Yosys and a C++ compiler;
- ``extras``: which libraries are installed, and what to do where one is missing;
- ``json_lines``: JSON with a line for each entry of a list;
- ``messages``: messages for people, broken between words;
- ``pipes``: standard output whose reader has gone;
- ``signals``: handlers of signals for a limited time;
- ``sources``: the commit of these sources;
- ``start``: a program, started so that Ctrl-C while it loads is no traceback;
- ``unbuilt``: gateware that is not built after all, as a program ends;
- ``wasm``: tools from wheels that are WebAssembly, compiled once.
"""
