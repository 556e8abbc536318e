"""Forced wins by attacks alone.

- ``solver``: who attacks and limits in, the win out;
- ``proof``: the proof-number search.
"""
