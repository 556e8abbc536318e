"""Boards as text, as pictures and as moving pictures.

- ``view``: what is shown of a game; names of columns and rows
- ``threats``: the threats of a position
- ``wording``: turns, results and rules as sentences
- ``text``: a board in characters; ``terminal``: what a terminal can do, a game printed there
- ``svg``: a board as a picture, from ``plan``, ``page``, ``frame``, ``layers``, ``threat_marks``
  and ``theme``
- ``film``: a whole game as a sequence of frames; ``animation``: the film as one SVG
- ``pixels``: a board as PNG, a film as GIF
"""
