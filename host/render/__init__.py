"""Boards as text, as pictures and as moving pictures.

- ``view``, ``plan``: what is shown of a game, and where it lies;
- ``threats``: the threats of a position;
- ``text``, ``text_tile``, ``ascii``: in the terminal;
- ``svg``: as a picture, from ``page``, ``frame``, ``layers``, ``threat_marks``, ``theme``;
- ``png``, ``gif``: in pixels;
- ``film``, ``animation``: a whole game;
- ``names``, ``notes``, ``wording``: what is written beside it.
"""
