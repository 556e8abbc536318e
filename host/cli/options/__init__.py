"""Options and arguments that several subcommands share.

- ``players``: players, framed devices, clocks;
- ``limits``: limits of the engine's search;
- ``positions``: variant, notation, turns that lead to a position;
- ``files``: files of games to read, and a file for records to write;
- ``workers``: how many processes share the work, and where.
"""
