"""HTML pages that need no other file and no network, with scripts or without.

::

    games, assessments ──► analysis_page ──► WholeFile ──► one file
                              │
                              └─► game_section ──► boards, score_graph

- ``markup``: elements and escaped text
- ``score_graph``: White's expected score after each turn, as a picture
- ``game_section``: one game: players, graph, list of turns, each turn with its board
- ``analysis_page``: the document around the games, with ``page.css`` and ``steps.js``
"""
