"""The command line ``loopline``.

- ``main``: finds the subcommand, runs it, and turns errors into one line;
- ``commands``: the subcommands, and the table that tells which module has which;
- ``options``: the options that several of them share.
"""
