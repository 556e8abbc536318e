"""The contest's protocol, seen from the PC.

- ``link``: a device that speaks it
- ``pending_replies``: which replies a device still owes
- ``bridge``: a program's standard input and output, carried to a device and back
"""
