"""Bytes to and from the far end of a line, whatever carries them.

- ``transport``: the interface
- ``serial_line``, ``process_line``, ``tcp_line``: a serial port, a program, a connection
- ``simulated``: the simulated board as a program
- ``engine``: the engine as a program
- ``line_spec``: all of these as the command line names them
- ``lines``: whole lines out of bytes
"""
