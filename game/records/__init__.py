"""Whole games on paper.

::

    lines of a file ─► record_lines ─► record_reader ─► game_record ─► lines of a file

- ``plain``: files with one game per line and nothing else.
"""
