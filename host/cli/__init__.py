"""The command line ``loopline``.

- ``main``: finds the subcommand, runs it, and turns errors into one line;
- ``commands``: the subcommands, a module each;
- ``options``: the options that several of them share.
"""
