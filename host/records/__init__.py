"""Recorded games.

- ``records``: recorded games, judged by the reference model;
- ``record_file``: a file to which records are added.
"""
