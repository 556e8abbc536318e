"""Whole games on paper.

::

    lines of a file ─► record_lines ─► record_reader ─► game_record ─► lines of a file
"""
